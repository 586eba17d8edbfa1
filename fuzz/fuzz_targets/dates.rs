//! Any text as a day, a moment, an event time: what reads is a range that begins before it ends, whatever blanks are around it.
#![no_main]

use kioku::extract::dates::{moment, range};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let now = kioku_fuzz::now();
    if let Some(days) = range(text, &now) {
        assert!(days.first <= days.last, "{days:?}");
        assert_eq!(range(&format!(" {text} "), &now), Some(days), "blanks change what is meant");
        // The written form of a day means that day.
        let first = range(&days.first.to_string(), &now);
        assert!(days.first.year() < 1000 || first.is_some_and(|first| first.first == days.first && first.last == days.first));
    }
    let _ = moment(text, &now);
    kioku_fuzz::linear(text.as_bytes(), |bytes| drop(range(&String::from_utf8_lossy(bytes), &now)));
});
