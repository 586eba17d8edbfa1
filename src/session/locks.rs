//! Mutexes that survive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ignores poisoning: if a worker panicked while holding the lock, the data is still consistent, because it is only
/// replaced as a whole or rebuilt.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
