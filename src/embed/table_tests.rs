use std::fs;

use proptest::prelude::*;

use super::*;
use crate::embed::EmbedError;

const PIECES: [&str; 7] = ["tea", "river", "walk", "##s", "uk", "##ule", "!"];

fn files() -> TableFiles {
    #[rustfmt::skip]
    let table = [
        1.0, 0.0, 0.0,
        0.0, 2.0, 0.0,
        0.0, 0.0, -0.5,
        0.0, 0.0, 0.0,
        0.3, 0.3, 0.0,
        0.1, 0.0, 0.3,
        0.0, 0.01, 0.0,
    ];
    TableFiles::new("tiny", Some("none"), &PIECES.map(str::to_owned), &table, false, None)
}

fn encoder(files: TableFiles) -> Result<TableEncoder> {
    TableEncoder::of_bytes(&files.card, files.weights.into(), files.vocabulary.into(), Path::new("tiny"))
}

fn vector(text: &str) -> Vec<f32> {
    encoder(files()).unwrap().embed(&[text]).unwrap().remove(0)
}

fn near(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.01)
}

#[test]
fn a_text_is_the_sum_of_its_pieces_at_length_one() {
    let root = 5f32.sqrt();
    assert!(near(&vector("tea"), &[1.0, 0.0, 0.0]));
    assert!(near(&vector("River, TEA"), &[1.0 / root, 2.0 / root, 0.0]));
    assert!(near(&vector("tea tea river river"), &vector("river tea")));
    // `##s` has no direction of its own.
    assert!(near(&vector("tea tea walks"), &vector("tea tea walk")));
    let splinters = vector("tea tea tea ukule");
    assert!(splinters[0] > 0.9 && splinters[2] > 0.05, "{splinters:?}");
}

#[test]
fn a_word_has_the_vector_of_a_text_of_it_alone_or_none() {
    let encoder = encoder(files()).unwrap();
    for word in ["tea", "Tea", "river", "walk", "uk"] {
        assert!(near(&encoder.word_vector(word).unwrap(), &vector(word)), "{word}");
    }
    for unknown in ["", "walks", "ukule", "stranger", "téa", "12", "日本語"] {
        assert_eq!(encoder.word_vector(unknown), None, "{unknown}");
    }
}

#[test]
fn what_cannot_be_read_has_no_vector() {
    let zero = vec![0.0; 3];
    let long = "tea ".repeat(1 << 18);
    for unread in ["", " \n", "🙂", "!", "12", "ukule", "unheard words", "tea among strangers", "\u{301}", "日本語"]
    {
        assert_eq!(vector(unread), zero, "{unread:?}");
    }
    assert!(near(&vector(&long), &[1.0, 0.0, 0.0]));
    assert_eq!(vector(&"x".repeat(1 << 20)), zero);
    // An accent that the vocabulary never saw makes another word of it.
    assert_eq!(vector("téa"), zero);
    assert!(near(&vector("river river téa"), &vector("river river tea")));
    let accented = TableFiles::new("tiny", None, &["tea".to_owned()], &[0.5, 0.0], true, None);
    assert!(near(&encoder(accented).unwrap().embed(&["téa"]).unwrap()[0], &[1.0, 0.0]));
}

#[test]
fn eight_bits_keep_a_row_to_one_part_in_two_hundred() {
    let row: Vec<f32> = (0..64).map(|at| ((at * 37 % 64) as f32 - 32.0) * 1e-4).collect();
    let files = TableFiles::new("x", None, &["tea".to_owned()], &row, false, None);
    let read = encoder(files).unwrap().embed(&["tea"]).unwrap().remove(0);
    let mut exact = row;
    normalise(&mut exact);
    assert!(exact.iter().zip(&read).all(|(a, b)| (a - b).abs() < 0.002), "{exact:?} {read:?}");
}

#[test]
fn damage_anywhere_is_found_before_a_vector_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let sound = files();
    let card = serde_json::to_vec(&sound.card).unwrap();
    let write = || {
        fs::write(path(WEIGHTS), &sound.weights).unwrap();
        fs::write(path(VOCABULARY), &sound.vocabulary).unwrap();
        fs::write(path(CARD), &card).unwrap();
    };
    write();
    let loaded = TableEncoder::load(dir.path()).unwrap();
    assert_eq!(loaded.stamp(), &sound.card.stamp());
    assert_eq!(loaded.embed(&["tea river"]).unwrap()[0], vector("tea river"));
    for at in 0..sound.weights.len() {
        let mut bytes = sound.weights.clone();
        bytes[at] ^= 4;
        fs::write(path(WEIGHTS), bytes).unwrap();
        assert!(matches!(TableEncoder::load(dir.path()), Err(EmbedError::Damaged { .. })), "byte {at}");
    }
    write();
    fs::write(path(VOCABULARY), sound.vocabulary.replace("tea", "ate")).unwrap();
    assert!(TableEncoder::load(dir.path()).unwrap_err().to_string().contains("checksum"));
    write();
    for (from, to) in [("\"dimension\":3", "\"dimension\":4"), ("\"version\":1", "\"version\":9"), ("\"rows\":7", "x")]
    {
        let text = String::from_utf8(card.clone()).unwrap();
        assert!(text.contains(from));
        fs::write(path(CARD), text.replace(from, to)).unwrap();
        assert!(TableEncoder::load(dir.path()).is_err(), "{to}");
    }
    write();
    fs::remove_file(path(VOCABULARY)).unwrap();
    assert!(TableEncoder::load(dir.path()).unwrap_err().to_string().contains(VOCABULARY));
}

#[test]
fn a_sound_checksum_does_not_excuse_a_wrong_shape() {
    let mut flat = files();
    flat.card.dimension = 1;
    flat.card.checksum = checksum(&flat.card, &flat.weights, &flat.vocabulary);
    assert!(encoder(flat).unwrap_err().to_string().contains("rows"));
    let mut cut = files();
    cut.weights.truncate(40);
    cut.card.checksum = checksum(&cut.card, &cut.weights, &cut.vocabulary);
    assert!(encoder(cut).is_err());
}

proptest! {
    #[test]
    fn every_vector_has_length_one_or_is_zero(text in "(tea|river|walks|ukule|!|x|é| |🙂){0,30}") {
        let read = vector(&text);
        let length: f32 = read.iter().map(|x| x * x).sum();
        prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-4, "{read:?}");
    }
}
