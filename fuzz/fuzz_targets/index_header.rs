//! Any bytes in the place of a file of the index: it opens with what verifies, or gives way; it never panics.
#![no_main]

use kioku::index::fuzzing::index_file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    index_file(&kioku_fuzz::folder().join("index"), data);
});
