//! Fault points for the kill tests: a debug build exits at its N-th write step if the environment says so.
//!
//! A step is a moment between two changes on the disk: a file made, half of its bytes written, all of them, an fsync, a rename,
//! a folder's fsync. The kill tests end the program at each of them in turn, without a timer and without a debugger. A release
//! build has no such steps, and reads no such variable.

/// Whether this program can be ended at a step.
#[cfg(debug_assertions)]
mod armed {
    use std::{
        io::{self, Write},
        process,
        sync::atomic::{AtomicU64, Ordering},
    };

    /// Steps until the end; 0 for a program that goes on.
    static LEFT: AtomicU64 = AtomicU64::new(0);

    /// Ends the program at the `step`-th point from here, counted from 1.
    pub fn arm(step: u64) {
        LEFT.store(step, Ordering::Relaxed);
    }

    pub fn is_armed() -> bool {
        LEFT.load(Ordering::Relaxed) > 0
    }

    /// A step is done. An abort runs no destructor and flushes nothing, as a kill does.
    pub fn point() {
        let counted = LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if counted == Ok(1) {
            process::abort();
        }
    }

    /// Writes all bytes; armed, in two halves with a step behind each, as a kill in mid-write cuts them.
    pub fn write_all(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        if !is_armed() {
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
