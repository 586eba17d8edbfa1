use super::*;
use crate::embed::bundled;

fn read(text: &str) -> ClaimReading {
    bundled::claim_reader().unwrap().read_claims(&[text]).unwrap().remove(0).unwrap()
}

fn at(text: &str, part: &str) -> Range<usize> {
    let start = text.find(part).unwrap();
    start..start + part.len()
}

#[test]
fn the_cause_of_a_feeling_is_found_without_a_connective() {
    let text = "Bread and soup. Sandra put me down for the late shift again without a word. Furious. Rain at six.";
    let read = read(text);
    let sentence = "Sandra put me down for the late shift again without a word";
    let (found, telling) = (read.cause_of(&at(text, "Furious")).unwrap(), at(text, sentence));
    assert!(telling.start <= found.span.start && found.span.end <= telling.end, "{}", &text[found.span]);
    let [told, untold] =
        [sentence, "Rain at six"].map(|cause| read.cause(&at(text, cause), &at(text, "Furious")).unwrap());
    assert!(told > untold + 2.0, "{told} {untold} {:?}", read.feelings);
    println!("{told} {untold} {:?} {}", read.feelings, found.log_probability);
    let text = &text["Bread and soup. ".len()..text.len() - " Rain at six.".len()];
    let found = self::read(text).cause_of(&at(text, "Furious")).unwrap();
    assert!(text[found.span.clone()].contains("put me down"), "{}", &text[found.span]);
}

#[test]
fn the_writers_feeling_is_told_from_that_of_others() {
    let text = "Ron is terrified of the oven. I was so proud of her today.";
    let read = read(text);
    let [other, own] = ["terrified", "proud"].map(|word| read.own(&at(text, word)).unwrap());
    assert!(own > other + 2.0, "{own} {other}");
}

#[test]
fn what_was_not_read_has_no_verdict() {
    let text = "I walked by the river. ".repeat(200);
    let read = read(&text);
    assert!((900..text.len()).contains(&read.end()));
    assert_eq!(read.own(&(text.len() - 7..text.len())), None);
    assert!(bundled::claim_reader().unwrap().read_claims(&["🙂"]).unwrap()[0].is_none());
}

#[test]
fn the_probabilities_of_feelings_are_those_of_one_choice() {
    let feelings = read("Mum would have been eighty today. I miss her so much.").feelings;
    assert!((feelings.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    assert_eq!(feelings.iter().position(|share| *share > 0.5), Some(3), "{feelings:?}");
}
