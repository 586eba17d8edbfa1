//! Tests on sentences as people write them every day: what is felt still or not at all, what points back, whose relative.

use jiff::civil::date;
use unicode_normalization::UnicodeNormalization;

use super::*;

fn read(text: &str) -> Extract {
    extract_text(text, date(2026, 2, 22))
}

fn causes(text: &str) -> Vec<(String, String)> {
    read(text).relations.into_iter().map(|relation| (relation.source, relation.target)).collect()
}

fn names(text: &str) -> Vec<String> {
    let extract = read(text);
    let named = extract.alone().into_iter().filter(|(_, kind)| *kind != EntityKind::Emotion);
    named.map(|(mention, _)| mention.name.clone()).collect()
}

#[test]
fn a_feeling_that_is_not_over_is_felt_and_one_waved_away_is_not() {
    let felt = |text: &str| extract_by_rule(text, date(2026, 2, 22)).feelings.iter().any(|feeling| feeling.is_felt());
    for text in ["Mình vẫn chưa nguôi giận.", "Mình chưa hết buồn.", "I haven't stopped worrying."] {
        assert!(felt(text), "{text}");
    }
    for text in ["Mình có buồn đâu.", "Mình có giận đâu.", "Mình hết giận rồi.", "I'm not angry."] {
        assert!(!felt(text), "{text}");
    }
}

#[test]
fn that_points_at_the_sentence_before_and_no_further_back() {
    let told = causes("He gave me exercises. No more digging for a month. Gutted about that.");
    assert_eq!(told, [("no more digging for a month".to_owned(), "sad".to_owned())]);
    let told = read("The battery was flat. Missed the meeting because of it.").relations;
    assert_eq!(told.iter().map(|told| (told.cause.start, told.cause.end)).collect::<Vec<_>>(), [(0, 20)]);
}

#[test]
fn a_writer_who_does_not_know_why_states_no_cause() {
    for text in ["House is too quiet. I sat and cried and I don't know why.", "Trời mưa. Mình buồn mà không hiểu sao."]
    {
        assert!(causes(text).is_empty(), "{text}");
    }
}

#[test]
fn a_cause_is_whole_in_decomposed_text_too() {
    let text = "Anh Tuấn đi công tác Sài Gòn nên quên sinh nhật mình.";
    let whole = |text: &str| causes(text).iter().map(|(cause, _)| cause.nfc().collect()).collect::<Vec<String>>();
    assert_eq!(whole(&text.nfd().collect::<String>()), whole(text));
    assert!(whole(text).iter().any(|cause| cause.ends_with("Sài Gòn")));
}

#[test]
fn the_relative_of_another_is_not_the_writers() {
    assert_eq!(names("Lunch at Mam's."), ["Mam"]);
    for text in ["Darren took the kids to his mam's.", "Rang Darren's Mum.", "Took her Nan home."] {
        assert!(!names(text).iter().any(|name| ["Mam", "Mum", "Nan"].contains(&name.as_str())), "{text}");
    }
}

#[test]
fn an_event_that_did_not_happen_is_none() {
    assert_eq!(names("Migraine. Left early."), ["migraine"]);
    assert_eq!(names("After my surgery."), ["surgery"]);
    assert!(names("Rang the surgery.").is_empty(), "a place");
    for text in ["I didn't have a migraine today.", "Not a full migraine.", "No meeting this week."] {
        assert!(names(text).is_empty(), "{text}");
    }
}
