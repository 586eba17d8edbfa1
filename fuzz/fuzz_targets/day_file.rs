//! Any bytes as a day file: every byte is kept, an append and an edit change nothing else, and reading takes linear time.
#![no_main]

use kioku::journal::fuzzing::day_file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    day_file(data);
    kioku_fuzz::linear(data, kioku::journal::fuzzing::read);
});
