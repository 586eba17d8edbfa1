use super::*;
use crate::embed::{Encoder, TokenVectors, bundled};

fn bundled_reader() -> BertEncoder {
    let card = bundled::reader_card().unwrap();
    of_bytes(&card, kioku_reader::WEIGHTS, kioku_reader::VOCABULARY.into(), Path::new("")).unwrap()
}

fn tokens() -> ReaderTokens {
    let vocabulary = "t\n##s\n!\n?\nthe\nriver\nwalk\nsông\nsong\n";
    ReaderTokens { pieces: Pieces::new(vocabulary.into(), 1, 1).unwrap().with_marks_apart(), longest: 8 }
}

#[test]
fn a_row_is_the_pieces_between_the_marks_with_their_places() {
    let row = tokens().row("", "The RIVER walks?!", Wanted::Pieces).unwrap().unwrap();
    assert_eq!(row.ids, [0, 6, 7, 8, 3, 5, 4, 1]);
    let places = [None, Some(0..3), Some(4..9), Some(10..15), Some(10..15), Some(15..17), Some(15..17), None];
    assert_eq!(row.places, places);
    let behind = tokens().row("the ", "river", Wanted::Pieces).unwrap().unwrap();
    assert_eq!((behind.ids, behind.places), (vec![0, 6, 7, 1], vec![None, None, Some(0..5), None]));
}

#[test]
fn a_long_text_is_cut_and_one_without_known_pieces_has_no_row() {
    let row = tokens().row("", &"river ".repeat(50), Wanted::Vector).unwrap().unwrap();
    assert_eq!((row.ids.len(), row.ids[7]), (8, 1));
    assert!(tokens().row("", "xyzzy 🙂", Wanted::Vector).unwrap().is_none());
    assert!(tokens().row("", "rivers walks", Wanted::Vector).unwrap().is_some(), "words by their pieces");
    assert!(
        tokens().row("", "der fluss, river und berg und tal", Wanted::Vector).unwrap().is_none(),
        "another language"
    );
    assert!(tokens().row("the ", "xyzzy", Wanted::Vector).unwrap().is_none(), "a prefix alone is no text");
}

#[test]
fn the_bundled_reader_finds_the_same_in_other_words() {
    let reader = bundled_reader();
    let texts = [
        "The baby was up all night and I hardly slept.",
        "Exhausted this morning, our newborn kept us awake.",
        "We painted the kitchen yellow on Saturday.",
        "🙂 ----",
    ];
    let vectors = reader.embed(&texts).unwrap();
    let cosine = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(x, y)| x * y).sum::<f32>();
    assert!(cosine(0, 1) > 0.4 && cosine(0, 1) > cosine(0, 2) + 0.4, "{} {}", cosine(0, 1), cosine(0, 2));
    assert_eq!(vectors[0].len(), reader.stamp().dimension);
    let readings = reader.read(&texts[..1]).unwrap();
    assert_eq!(readings[0].vector, vectors[0]);
    let words: Vec<&str> = readings[0].pieces.spans.iter().map(|span| &texts[0][span.clone()]).collect();
    assert_eq!(words[..4], ["The", "baby", "was", "up"]);
}

#[test]
fn a_damaged_file_or_another_vocabulary_is_refused() {
    let card = bundled::reader_card().unwrap();
    let mut weights = kioku_reader::WEIGHTS.to_vec();
    weights[5_000_000] ^= 1;
    let load = |weights: &[u8], vocabulary: &'static str, card: &ReaderCard| {
        of_bytes(card, weights, vocabulary.into(), Path::new("here")).map(drop).unwrap_err().to_string()
    };
    assert!(load(&weights, kioku_reader::VOCABULARY, &card).contains("checksum"));
    assert!(load(kioku_reader::WEIGHTS, "a\nb\n", &card).contains("checksum"));
    // Damage that a checksum made anew would hide.
    weights.truncate(5_000_000);
    let forged = ReaderCard { checksum: card.checksum_of(&weights, kioku_reader::VOCABULARY), ..card };
    assert!(load(&weights, kioku_reader::VOCABULARY, &forged).contains("damaged"));
}
