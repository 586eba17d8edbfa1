//! Any lines as a head, any text as an entry, any word as a value: what is written is what is read.
#![no_main]

use kioku::journal::fuzzing::{entry, head, written_time};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    head(data);
    let text = String::from_utf8_lossy(data);
    let (word, body) = text.split_once('\n').unwrap_or((&text, &text));
    entry(body, word);
    entry(word, body);
    written_time(&text);
});
