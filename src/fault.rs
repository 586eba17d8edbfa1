//! Panics: caught where they are expected, recorded everywhere, never printed as Rust prints them.
//!
//! Some libraries panic on damaged files. Whoever calls them catches that here and makes an error of it. Every other panic is a
//! fault of kioku: the hook records it, and the command line reports what was recorded before the process ends.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::{Mutex, Once, PoisonError},
    thread,
};

/// What was recorded and not yet reported.
static RECORDED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Threads of tantivy, whose callers get an error.
const ANSWERED: [&str; 3] = ["thrd-tantivy", "merge_thread", "segment_updater"];

thread_local! {
    /// How many calls of [`caught`] this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Runs what may panic; the panic's message where it did.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    outcome.map_err(|panic| message(panic.as_ref()))
}

/// From here on panics of this process are recorded instead of printed.
pub fn record_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| panic::set_hook(Box::new(record)));
}

/// What was recorded since the last call: message and place, each once.
pub fn recorded() -> Vec<String> {
    let mut recorded = std::mem::take(&mut *RECORDED.lock().unwrap_or_else(PoisonError::into_inner));
    recorded.dedup();
    recorded
}

/// Whether somebody makes an error of a panic of this thread, for a hook.
pub fn is_answered() -> bool {
    let by_name = |name: &str| ANSWERED.iter().any(|begin| name.starts_with(begin));
    DEPTH.get() > 0 || thread::current().name().is_some_and(by_name)
}

/// Message and place.
pub fn described(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    format!("{}{place}", message(info.payload()))
}

fn record(info: &PanicHookInfo<'_>) {
    if !is_answered() {
        RECORDED.lock().unwrap_or_else(PoisonError::into_inner).push(described(info));
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
