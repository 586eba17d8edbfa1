//! Version of the extraction rules: if it differs from the one of an index, every entry is extracted again.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::language::List;

/// Must be raised with every change of the rules that changes names, relations, feelings or dates of any text. Word
/// lists need no version: they are part of the hash.
const VERSION: u32 = 20;

/// Equal for the same rules and word lists, including the user's, on every machine. Two milliseconds, once.
pub fn rules_version() -> u64 {
    static STAMP: LazyLock<u64> = LazyLock::new(|| {
        let lists = List::ALL
            .iter()
            .map(|list| list.text())
            .fold(Sha256::new(), |sum, list| sum.chain_update(list.len().to_le_bytes()).chain_update(list));
        first_bytes(&lists.chain_update(VERSION.to_le_bytes()).finalize())
    });
    *STAMP
}

fn first_bytes(digest: &[u8]) -> u64 {
    digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use jiff::civil::date;

    use super::*;
    use crate::extract::extract_text;

    /// Hash of the samples' extraction by the rules of [`VERSION`].
    const SAMPLES: u64 = 0x4578_58a6_a5f1_5c2d;

    fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut found: Vec<(String, String)> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|known| known == ending))
            .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
            .collect();
        found.sort();
        found
    }

    #[test]
    fn every_word_list_of_the_rules_is_part_of_the_stamp() {
        let index: String = files("src/index/keyword", "rs").into_iter().map(|(_, text)| text).collect();
        for (name, text) in files("assets/lexicon", "txt") {
            let of_the_rules = List::named(name.trim_end_matches(".txt")).is_some_and(|list| list.built_in() == text);
            assert!(of_the_rules || index.contains(&format!("assets/lexicon/{name}")), "{name} is read by nothing");
        }
    }

    #[test]
    fn rules_that_read_otherwise_have_another_version() {
        let day = date(2026, 3, 2);
        let samples = files("assets/demo/memory", "md");
        assert!(samples.len() > 20);
        let read = samples
            .iter()
            .fold(Sha256::new(), |sum, (_, text)| sum.chain_update(format!("{:?}", extract_text(text, day))));
        let read = first_bytes(&read.finalize());
        assert_eq!(read, SAMPLES, "raise VERSION, so that journals are read again, and set SAMPLES to {read:#x}");
    }
}
