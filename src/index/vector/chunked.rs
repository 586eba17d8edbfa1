//! A sparse column by row, in chunks behind `Arc`s: publishing a view copies pointers, and a change copies one chunk.

use std::sync::Arc;

use super::rows::CHUNK;

/// The item of each row; the default where none was set.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunked<T>(Vec<Arc<Vec<T>>>);

impl<T: Clone + Default> Chunked<T> {
    /// `None` beyond the last row that was set in its chunk.
    pub fn get(&self, row: u32) -> Option<&T> {
        self.0.get(row as usize / CHUNK)?.get(row as usize % CHUNK)
    }

    /// Made where there is none.
    pub fn item_mut(&mut self, row: u32) -> &mut T {
        let (chunk, at) = (row as usize / CHUNK, row as usize % CHUNK);
        if self.0.len() <= chunk {
            self.0.resize_with(chunk + 1, Arc::default);
        }
        let items = Arc::make_mut(&mut self.0[chunk]);
        if items.len() <= at {
            items.resize_with(at + 1, T::default);
        }
        &mut items[at]
    }
}
