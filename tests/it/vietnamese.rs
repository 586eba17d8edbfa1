//! The built-in model on Vietnamese: diary lines found by English and Vietnamese questions, and languages that it does not read.

use std::collections::BTreeMap;

use kioku::embed::{Encoder, bundled::Bundled};

fn encoder() -> std::sync::Arc<dyn Encoder> {
    Bundled::Table.load().unwrap()
}

/// The parts between tabs of each line.
fn lines(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect()
}

fn diary() -> Vec<Vec<&'static str>> {
    lines(include_str!("vietnamese/diary.tsv"))
}

fn embed(texts: &[&str]) -> Vec<Vec<f32>> {
    encoder().embed(texts).unwrap()
}

fn is_read(vector: &[f32]) -> bool {
    vector.iter().any(|x| *x != 0.0)
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The places, from 0, of the right lines for the questions of one column.
fn places(column: usize) -> Vec<usize> {
    let diary = diary();
    let texts: Vec<&str> = diary.iter().map(|line| line[0]).collect();
    let vectors = embed(&texts);
    let asked: Vec<usize> = (0..diary.len()).filter(|at| diary[*at].len() == 3).collect();
    let questions: Vec<&str> = asked.iter().map(|at| diary[*at][column]).collect();
    let place = |(question, at): (Vec<f32>, usize)| {
        let own = cosine(&question, &vectors[at]);
        vectors.iter().filter(|vector| cosine(&question, vector) > own).count()
    };
    embed(&questions).into_iter().zip(asked).map(place).collect()
}

#[test]
fn questions_in_both_languages_find_vietnamese_lines() {
    for (language, column, least) in [("English", 1, FIRST_TEN.0), ("Vietnamese", 2, FIRST_TEN.1)] {
        let places = places(column);
        let within = |top: usize| places.iter().filter(|place| **place < top).count();
        println!("{language}: of {} first {}, five {}, ten {}", places.len(), within(1), within(5), within(10));
        assert_eq!(places.len(), 102);
        assert!(within(10) >= least, "{language}: {} among the first ten", within(10));
    }
}

/// Questions of 102 whose line must be among the first ten, English and Vietnamese.
const FIRST_TEN: (usize, usize) = (88, 53);

#[test]
fn every_vietnamese_line_is_read() {
    let diary = diary();
    assert_eq!(diary.len(), 300);
    let texts: Vec<&str> = diary.iter().map(|line| line[0]).collect();
    let unread: Vec<&str> =
        embed(&texts).iter().zip(&texts).filter(|(vector, _)| !is_read(vector)).map(|(_, text)| *text).collect();
    println!("not read: {unread:?}");
    assert!(unread.len() <= 3, "{unread:?}");
}

#[test]
fn languages_that_the_model_does_not_know_mostly_get_no_vector() {
    let sentences = lines(include_str!("vietnamese/other_languages.tsv"));
    let texts: Vec<&str> = sentences.iter().map(|line| line[1]).collect();
    let mut read: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, vector) in sentences.iter().zip(embed(&texts)) {
        *read.entry(line[0]).or_default() += usize::from(is_read(&vector));
    }
    println!("read, of ten each: {read:?}");
    assert!(read.values().sum::<usize>() * 4 <= texts.len(), "{read:?}");
}

#[test]
fn a_word_of_both_languages_is_read_in_the_language_around_it() {
    let vectors = embed(&["con mèo con", "kitten", "to do or not to do", "cái cây rất to", "a very big tree"]);
    assert!(cosine(&vectors[0], &vectors[1]) > 0.5, "{}", cosine(&vectors[0], &vectors[1]));
    assert!(cosine(&vectors[3], &vectors[4]) > cosine(&vectors[3], &vectors[2]) + 0.2);
}

#[test]
fn both_spellings_and_quick_typing_mean_the_same() {
    let vectors = embed(&["hoà bình và khoẻ mạnh", "hòa bình và khỏe mạnh", "hoa binh va khoe manh"]);
    assert_eq!(vectors[0], vectors[1]);
    assert!(cosine(&vectors[0], &vectors[2]) > 0.5, "{}", cosine(&vectors[0], &vectors[2]));
}

#[test]
fn words_of_two_syllables_have_a_vector_of_their_own() {
    let encoder = encoder();
    let words = encoder.word_vectors().unwrap();
    let english = |word: &str| words.word_vector(word).unwrap();
    for (vietnamese, word) in [("hạnh phúc", "happy"), ("đám cưới", "wedding"), ("bệnh viện", "hospital")] {
        let (first, second) = vietnamese.split_once(' ').unwrap();
        let mut vector = Vec::new();
        assert!(words.read_pair(first, second, &mut vector), "{vietnamese}");
        assert!(cosine(&vector, &english(word)) > 0.5, "{vietnamese}: {}", cosine(&vector, &english(word)));
    }
    let mut vector = Vec::new();
    assert!(!words.read_pair("the", "wedding", &mut vector) && !words.read_pair("mẹ", "xyzzy", &mut vector));
    assert!(cosine(&words.word_vector("mẹ").unwrap(), &english("mother")) > 0.5);
}
