use super::*;
use crate::embed::{Encoder, testing::HashEncoder};

const DIMENSION: usize = 16;

fn hash(number: u32) -> PassageHash {
    PassageHash::of(&number.to_string())
}

/// Codes of `number` words.
fn codes(number: u32) -> Vec<u8> {
    (0..number * 2).map(|byte| (byte * 37 + number) as u8).collect()
}

/// Row `n` is passage `n`, for the first `rows` passages.
fn open(dir: &std::path::Path, rows: u32) -> (WordLog, Option<String>) {
    let known = move |passage| (0..rows).find(|row| hash(*row) == passage);
    WordLog::open(dir.join("words.bin"), HashEncoder::in_sentence(DIMENSION).stamp(), known)
}

fn hashes(rows: u32) -> impl Fn(u32) -> Option<PassageHash> {
    move |row| (row < rows).then(|| hash(row))
}

fn append(log: &mut WordLog, rows: std::ops::Range<u32>) {
    let end = rows.end;
    let new: Vec<_> = rows.map(|row| (row, hash(row), codes(row))).collect();
    log.append(&new, &hashes(end)).unwrap();
}

fn whole(log: &WordLog, rows: u32) -> Vec<u32> {
    let sound = |row: &u32| log.file().codes(*row, hash(*row)).inspect(|kept| assert_eq!(*kept, codes(*row))).is_some();
    (0..rows).filter(sound).collect()
}

#[test]
fn what_is_kept_comes_back_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let (mut log, complaint) = open(dir.path(), 9);
    assert_eq!((complaint, log.is_clean()), (None, true));
    append(&mut log, 0..5);
    append(&mut log, 3..9);
    let (again, complaint) = open(dir.path(), 9);
    assert_eq!((whole(&log, 9).len(), whole(&again, 9).len(), complaint), (9, 9, None));
    assert!(again.is_clean() && again.file().codes(3, hash(4)).is_none(), "only its own passage's");
}

#[test]
fn every_damage_costs_only_the_record_it_hit_and_nothing_wrong_is_believed() {
    let dir = tempfile::tempdir().unwrap();
    append(&mut open(dir.path(), 6).0, 0..6);
    let file = dir.path().join("words.bin");
    let sound = std::fs::read(&file).unwrap();
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&file, &bytes).unwrap();
        let (mut log, _) = open(dir.path(), 6);
        let kept = whole(&log, 6);
        assert_eq!(kept.len(), if at < HEADER { 0 } else { 5 }, "byte {at}");
        assert!(!log.is_clean());
        append(&mut log, 0..6);
        assert_eq!(whole(&open(dir.path(), 6).0, 6).len(), 6, "mended after byte {at}");
    }
    for length in 0..sound.len() {
        std::fs::write(&file, &sound[..length]).unwrap();
        let (mut log, _) = open(dir.path(), 6);
        assert!(whole(&log, 6).len() < 6, "cut to {length}");
        append(&mut log, 0..6);
        let (log, complaint) = open(dir.path(), 6);
        assert_eq!((whole(&log, 6).len(), complaint), (6, None), "cut to {length}");
    }
}

#[test]
fn damage_after_opening_is_seen_when_it_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let (mut log, _) = open(dir.path(), 3);
    append(&mut log, 0..3);
    let file = dir.path().join("words.bin");
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 6;
    bytes[last] ^= 1;
    // In place: a renamed new file would leave the open file unchanged.
    std::io::Write::write_all(&mut std::fs::OpenOptions::new().write(true).open(&file).unwrap(), &bytes).unwrap();
    assert_eq!(whole(&log, 3), [0, 1]);
}

#[test]
fn a_view_keeps_reading_while_the_file_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let (mut log, _) = open(dir.path(), 6);
    append(&mut log, 0..6);
    let before = log.file().clone();
    log.retain(&[1, 4], &hashes(6)).unwrap();
    assert_eq!(before.codes(5, hash(5)), Some(codes(5)));
    assert_eq!((log.file().codes(0, hash(1)), log.file().codes(1, hash(4))), (Some(codes(1)), Some(codes(4))));
    assert!(!log.file().has(2));
}

#[test]
fn records_of_unknown_passages_are_not_clean_and_go_with_the_next_cleaning() {
    let dir = tempfile::tempdir().unwrap();
    append(&mut open(dir.path(), 4).0, 0..4);
    let (mut log, complaint) = open(dir.path(), 2);
    assert_eq!((complaint, log.is_clean()), (None, false));
    log.retain(&[0, 1], &hashes(2)).unwrap();
    let bytes = std::fs::read(dir.path().join("words.bin")).unwrap();
    assert!(!bytes.windows(16).any(|bytes| bytes == hash(3).0) && bytes.windows(16).any(|bytes| bytes == hash(1).0));
}
