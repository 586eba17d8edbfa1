//! A column of items grouped by row: a new state reuses the old column and inserts the changed rows.

use std::ops::Range;

/// The items of each row.
#[derive(Debug, Clone)]
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
    pub fn push_row(&mut self, row: impl IntoIterator<Item = T>) {
        self.all.extend(row);
        self.starts.push(self.all.len() as u32);
    }

    pub fn all(&self) -> &[T] {
        &self.all
    }

    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.starts.windows(2).map(|bounds| &self.all[bounds[0] as usize..bounds[1] as usize])
    }

    fn row(&self, row: usize) -> &[T] {
        &self.all[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The column of the new state.
    pub fn patched(&self, steps: &[Step], new: &Self) -> Self {
        let mut starts = Vec::with_capacity(self.starts.len() + new.starts.len());
        let mut all = Vec::with_capacity(self.all.len() + new.all.len());
        starts.push(0);
        for step in steps {
            match step {
                Step::Put(row) => {
                    all.extend_from_slice(new.row(*row));
                    starts.push(all.len() as u32);
                }
                Step::Keep(rows) => {
                    let (first, end) = (self.starts[rows.start], self.starts[rows.end]);
                    let moved_to = all.len() as u32;
                    all.extend_from_slice(&self.all[first as usize..end as usize]);
                    starts.extend(self.starts[rows.start + 1..=rows.end].iter().map(|start| start - first + moved_to));
                }
            }
        }
        Self { starts, all }
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
        let patched = old.patched(&steps, &new);
        let rows: Vec<&[u8]> = patched.rows().collect();
        assert_eq!(rows, [&[1][..], &[7, 8], &[], &[2, 3], &[4]]);
        assert_eq!(patched.all(), [1, 7, 8, 2, 3, 4]);
        assert_eq!(of(&[]).patched(&[Step::Keep(0..0)], &new).rows().count(), 0);
    }
}
