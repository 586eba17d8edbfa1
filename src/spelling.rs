//! Plurals, and the edit distance of misspelt words.

use std::fmt::Display;

/// `1 entry`, `1,204 entries`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let word = if count == N::from(1) { one } else { many };
    let mut digits = count.to_string();
    let length = digits.len();
    for at in (1..length).rev().filter(|at| (length - at).is_multiple_of(3)) {
        digits.insert(at, ',');
    }
    format!("{digits} {word}")
}

/// Edit distance with insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); `None`
/// where it is more than `most`.
pub fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|far| *far <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted() {
        let said = [0usize, 1, 999, 1_204, 1_000_000].map(|count| counted(count, "entry", "entries"));
        assert_eq!(said, ["0 entries", "1 entry", "999 entries", "1,204 entries", "1,000,000 entries"]);
        assert_eq!(counted(12u8, "day", "days"), "12 days");
    }

    #[test]
    fn a_swap_counts_once_and_more_than_the_most_is_none() {
        let far =
            |a: &str, b: &str, most| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>(), most);
        assert_eq!(far("serach", "search", 1), Some(1));
        assert_eq!(far("same", "same", 0), Some(0));
        assert_eq!(far("linh", "lan", 2), Some(2));
        assert_eq!(far("linh", "lan", 1), None);
        assert_eq!(far("", "abc", 2), None);
    }
}
