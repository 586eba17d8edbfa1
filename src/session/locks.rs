//! Mutexes that survive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A poisoned lock means that a worker panicked while it held it; the data is replaced whole or rebuilt, never half.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
