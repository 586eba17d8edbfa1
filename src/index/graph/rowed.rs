//! A column of items grouped by row: a new state reuses the old column and inserts the changed rows.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The items of each row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Rowed<T> {
    /// The start of each row; one more than there are rows.
    starts: Vec<u32>,
    all: Vec<T>,
}

/// One step from the old rows to the new ones, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// These rows are unchanged.
    Keep(Range<usize>),
    /// The new row of this number.
    Put(usize),
}

impl<T> Default for Rowed<T> {
    fn default() -> Self {
        Self { starts: vec![0], all: Vec::new() }
    }
}

impl<T: Clone> Rowed<T> {
    pub fn with_capacity(rows: usize, items: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Self { starts, all: Vec::with_capacity(items) }
    }

    /// The items that `each` visits, by their rows. It is called twice.
    pub fn grouped(rows: usize, each: impl Fn(&mut dyn FnMut(usize, T))) -> Self
    where
        T: Default,
    {
        let mut starts = vec![0u32; rows + 1];
        each(&mut |row, _| starts[row + 1] += 1);
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut all = vec![T::default(); starts[rows] as usize];
        each(&mut |row, item| {
            all[next[row] as usize] = item;
            next[row] += 1;
        });
        Self { starts, all }
    }

    /// `None` where the starts do not fit the items.
    pub fn of(starts: Vec<u32>, all: Vec<T>) -> Option<Self> {
        let column = Self { starts, all };
        column.is_sound().then_some(column)
    }

    /// Whether the starts fit the items.
    pub fn is_sound(&self) -> bool {
        let Self { starts, all } = self;
        starts.first() == Some(&0) && starts.is_sorted() && starts.last() == Some(&(all.len() as u32))
    }

    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    pub fn push_row(&mut self, row: impl IntoIterator<Item = T>) {
        self.all.extend(row);
        self.starts.push(self.all.len() as u32);
    }

    pub fn all(&self) -> &[T] {
        &self.all
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.starts.windows(2).map(|bounds| &self.all[bounds[0] as usize..bounds[1] as usize])
    }

    /// # Panics
    /// If `row` is out of range.
    pub fn row(&self, row: usize) -> &[T] {
        &self.all[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Goes to the new state. Rows before the first change stay in place: most changes are to the last days.
    pub fn patch(&mut self, steps: &[Step], new: &Self) {
        let (first, steps) = match steps {
            [Step::Keep(rows), rest @ ..] if rows.start == 0 => (rows.end, rest),
            all => (0, all),
        };
        let kept = self.starts[first];
        let old_starts = self.starts.split_off(first);
        let old = self.all.split_off(kept as usize);
        self.starts.push(kept);
        for step in steps {
            match step {
                Step::Put(row) => {
                    self.all.extend_from_slice(new.row(*row));
                    self.starts.push(self.all.len() as u32);
                }
                Step::Keep(rows) => {
                    let starts = &old_starts[rows.start - first..=rows.end - first];
                    let (begin, end) = (starts[0], starts[rows.len()]);
                    let moved_to = self.all.len() as u32;
                    self.all.extend_from_slice(&old[(begin - kept) as usize..(end - kept) as usize]);
                    self.starts.extend(starts[1..].iter().map(|start| start - begin + moved_to));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[u8]]) -> Rowed<u8> {
        let mut column = Rowed::default();
        rows.iter().for_each(|row| column.push_row(row.iter().copied()));
        column
    }

    #[test]
    fn a_new_state_has_what_stays_and_what_came_in_the_order_of_the_steps() {
        let (old, new) = (of(&[&[1], &[], &[2, 3], &[4]]), of(&[&[7, 8], &[]]));
        let steps = [Step::Keep(0..1), Step::Put(0), Step::Keep(1..1), Step::Put(1), Step::Keep(2..4)];
        let patched = |old: &Rowed<u8>, steps: &[Step]| {
            let mut column = old.clone();
            column.patch(steps, &new);
            let rows: Vec<Vec<u8>> = column.rows().map(<[u8]>::to_vec).collect();
            assert_eq!(rows.concat(), column.all());
            rows
        };
        assert_eq!(patched(&old, &steps), [&[1][..], &[7, 8], &[], &[2, 3], &[4]]);
        let steps = [Step::Put(1), Step::Keep(2..3), Step::Put(0)];
        assert_eq!(patched(&old, &steps), [&[][..], &[2, 3], &[7, 8]]);
        assert_eq!(patched(&of(&[]), &[Step::Keep(0..0)]).len(), 0);
    }
}
