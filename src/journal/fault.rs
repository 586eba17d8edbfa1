//! Fault points for the kill tests: a debug build aborts at its N-th write step if `KIOKU_FAULT=N` is set.
//!
//! A step is a moment between two changes on the disk: after a file is created, after half or all of its bytes are
//! written, after an fsync, a rename or a folder's fsync. The kill tests abort the program at each step in turn, which
//! needs neither a timer nor a debugger. A release build has no fault points and does not read the variable.

/// The fault points of a debug build.
#[cfg(debug_assertions)]
mod armed {
    use std::{
        io::{self, Write},
        process,
        sync::atomic::{AtomicU64, Ordering},
    };

    /// Steps until the abort; 0 if not armed.
    static LEFT: AtomicU64 = AtomicU64::new(0);

    /// Aborts the program at the `step`-th fault point from now, counted from 1.
    pub fn arm(step: u64) {
        LEFT.store(step, Ordering::Relaxed);
    }

    /// Marks the end of a step. An abort is like a kill: it runs no destructor and flushes nothing.
    pub fn point() {
        let counted = LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if counted == Ok(1) {
            process::abort();
        }
    }

    /// Writes all bytes. If armed, writes two halves with a fault point after each, to simulate a kill in mid-write.
    pub fn write_all(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        if LEFT.load(Ordering::Relaxed) == 0 {
            return to.write_all(bytes);
        }
        let (first, second) = bytes.split_at(bytes.len() / 2);
        for half in [first, second] {
            to.write_all(half)?;
            to.flush()?;
            point();
        }
        Ok(())
    }
}

#[cfg(not(debug_assertions))]
mod armed {
    use std::io::{self, Write};

    #[inline(always)]
    pub fn point() {}

    #[inline(always)]
    pub fn write_all(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        to.write_all(bytes)
    }
}

pub use armed::*;
