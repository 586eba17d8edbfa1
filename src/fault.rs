//! Panics: expected ones are caught, all others are recorded and reported at the end, none is printed by Rust's default
//! hook.
//!
//! Some libraries panic on damaged files. [`caught`] turns such a panic into an error. Every other panic is a bug in
//! kioku: the hook records it, and the command line reports it before the process ends.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::{Mutex, MutexGuard, Once, PoisonError},
    thread,
};

/// Recorded panics that are not yet reported.
static RECORDED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Name prefixes of tantivy's threads, whose panics reach the caller as errors.
const ANSWERED: [&str; 3] = ["thrd-tantivy", "merge_thread", "segment_updater"];

thread_local! {
    /// The nesting depth of [`caught`] on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Runs a function that may panic. Returns the panic's message as an error.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    outcome.map_err(|panic| message(panic.as_ref()))
}

/// Locks a mutex, also after a panic of another thread that held it. For data that is only replaced as a whole or rebuilt,
/// and therefore stays consistent.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on panics of this process are recorded instead of printed.
pub fn record_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| panic::set_hook(Box::new(record)));
}

/// Takes the recorded panics, each with message and location, without consecutive duplicates.
pub fn recorded() -> Vec<String> {
    let mut recorded = std::mem::take(&mut *lock(&RECORDED));
    recorded.dedup();
    recorded
}

/// For panic hooks: whether a panic of this thread is caught and turned into an error.
pub fn is_answered() -> bool {
    let by_name = |name: &str| ANSWERED.iter().any(|begin| name.starts_with(begin));
    DEPTH.get() > 0 || thread::current().name().is_some_and(by_name)
}

/// Message and location of a panic.
pub fn described(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    format!("{}{place}", message(info.payload()))
}

fn record(info: &PanicHookInfo<'_>) {
    if !is_answered() {
        lock(&RECORDED).push(described(info));
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_panic_gives_its_message() {
        assert_eq!(caught(|| 3), Ok(3));
        assert_eq!(caught(|| -> usize { panic!("row {} is gone", 7) }), Err("row 7 is gone".to_owned()));
        assert_eq!(caught(|| -> usize { panic!("gone") }), Err("gone".to_owned()));
    }
}
