//! What the fuzz targets share.

use std::{
    path::Path,
    sync::OnceLock,
    time::{Duration, Instant},
};

use jiff::Zoned;
use tempfile::TempDir;

/// The moment at which every input is read.
pub fn now() -> Zoned {
    "2026-03-02T08:00:00+07:00[+07:00]".parse().expect("a date-time")
}

/// A folder of this process, in memory where `TMPDIR` is.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder for the run")).path()
}

/// Reading an input many times over takes time linear in its length. Tried with one input in 64, and told only where it is far
/// from it: eight times the text in more than 48 times the time.
pub fn linear(data: &[u8], read: impl Fn(&[u8])) {
    const SMALL: usize = 8 << 10;
    const FACTOR: usize = 8;
    const SLOW: Duration = Duration::from_millis(200);
    let chosen = data.iter().fold(data.len(), |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    if data.len() < 4 || data.len() > SMALL || !chosen.is_multiple_of(64) {
        return;
    }
    let time = |length: usize| {
        let text = data.repeat(length / data.len());
        let best = (0..3).map(|_| {
            let started = Instant::now();
            read(&text);
            started.elapsed()
        });
        best.min().unwrap_or_default()
    };
    let (small, large) = (time(SMALL), time(SMALL * FACTOR));
    let linear = large < SLOW || large < small * (FACTOR * 6) as u32;
    assert!(linear, "{SMALL} bytes take {small:?} and {FACTOR} times as many {large:?}");
}
