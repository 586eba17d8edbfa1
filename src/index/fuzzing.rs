//! Properties of the index files that hold for any bytes. Used by the fuzz target `index_header` under `fuzz/`; not
//! part of any build for users.
//!
//! Each function panics where its property does not hold.

use std::path::Path;

use super::{
    Catalog, checkpoint,
    graph::GraphStore,
    vector::{Ann, VectorStore},
};
use crate::{embed::ModelStamp, journal::files};

const CHECKPOINT: u64 = 7;

/// Files in a model's folder that start with a header.
const OF_MODEL: [&str; 3] = ["vectors.bin", "words.bin", "fine-1.bin"];

fn model() -> ModelStamp {
    ModelStamp { name: "fuzz".to_owned(), checksum: "00112233445566778899".to_owned(), dimension: 8, in_sentence: true }
}

/// Replaces one file of the index by arbitrary bytes: the index must open, empty or with the data that verifies, or
/// return an error. The first byte chooses the file; `dir` is emptied first.
pub fn index_file(dir: &Path, bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    files::remove_dir(dir).expect("the folder of the run can be emptied");
    files::create_dir(dir).expect("the folder of the run can be made");
    let put = |name: &str, bytes: &[u8]| {
        let path = dir.join(name);
        files::create_dir(path.parent().expect("a file is in a folder")).expect("a folder of the run");
        files::replace(&path, bytes).expect("a file of the run");
    };
    match choice % 6 {
        0 => put(&format!("catalog-{CHECKPOINT}"), bytes),
        1 => put(&format!("graph-{CHECKPOINT}"), bytes),
        // Behind a valid header.
        2 => checkpoint::write_payload(dir, "catalog", CHECKPOINT, bytes).expect("a file of the run"),
        number => put(&format!("0011223344556677/{}", OF_MODEL[usize::from(number) - 3]), bytes),
    }
    open(dir, bytes.len());
    // Opening must leave the files in a state that can be opened again.
    open(dir, bytes.len());
}

fn open(dir: &Path, length: usize) {
    if let Ok(catalog) = Catalog::read(dir, CHECKPOINT) {
        assert!(catalog.entries().len() <= length, "more entries than bytes");
        catalog.entries().iter().for_each(|entry| drop(entry.id.clone()));
    }
    let (graph, _) = GraphStore::open(dir, Some(CHECKPOINT));
    assert!(graph.fingerprints().len() <= length, "more entries in the graph than bytes");
    let (store, _) = VectorStore::open(dir, &model(), Some(CHECKPOINT), Ann::Off).expect("any file gives way");
    let view = store.view();
    assert!(view.progress().1 <= length, "more passages than bytes");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_bytes_in_the_place_of_an_index_file_give_way(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let folder = tempfile::tempdir().unwrap();
            super::index_file(&folder.path().join("index"), &bytes);
        }
    }
}
