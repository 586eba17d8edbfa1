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

#[test]
fn a_question_states_no_cause() {
    for text in [
        "Tối nay nằm coi trần nhà. Tại sao tui buồn? Tui có thiếu gì đâu.",
        "Vy hỏi tui buồn vì Bảo hả, tui lắc đầu.",
        "Không biết vì sao tui buồn.",
        "Am I sad because Linh left?",
    ] {
        assert_eq!(causes(text), [], "{text}");
    }
}

#[test]
fn a_cause_in_vietnamese_is_told_once_and_without_the_words_that_join_it() {
    let told = |text: &str| read(text).relations.into_iter().map(|one| (one.source, one.target)).collect::<Vec<_>>();
    assert_eq!(told("Tại trời mưa nên tui nghỉ bán."), [("trời mưa".to_owned(), "tui nghỉ bán".to_owned())]);
    let told = told("Nhờ Minh sửa cái lò mà mình vui cả ngày.");
    assert!(told.iter().all(|(cause, _)| !cause.ends_with("mà")) && !told.is_empty(), "{told:?}");
}

#[test]
fn so_that_agrees_or_reports_or_says_how_much_is_no_effect() {
    for text in [
        "Dr M is pleased, so am I.",
        "I'm tired, so is Geoff.",
        "Op went well, so they say.",
        "Haar so thick you couldn't see the harbour.",
        "She made me so happy, that lad.",
    ] {
        let told = read(text).relations.into_iter().filter(|one| one.verb == "so").count();
        assert_eq!(told, 0, "{text}");
    }
    assert!(!causes("Bus was late so I walked.").is_empty());
}

#[test]
fn ba_and_ngoai_are_relatives_only_where_somebody_does_something() {
    for text in ["Tối qua ba mệt, ba nói nhức đầu.", "Mình về với ba.", "Ngoại nằm viện."] {
        assert!(!names(text).is_empty(), "{text}");
    }
    for text in ["Ba người đến.", "Nhà có ba con mèo.", "Hàng ngoại đắt quá.", "Đi ba ngày.", "Học tiếng Anh cả tối."]
    {
        assert_eq!(names(text), [""; 0], "{text}");
    }
}

#[test]
fn a_syllable_of_unaccented_vietnamese_is_no_english_name() {
    for text in ["ngoai con gion, thay cai moi xai cho ben", "tui rac bot que", "ngoai mat luc 2h10 sang."] {
        assert_eq!(names(text), [""; 0], "{text}");
    }
    assert_eq!(names("ba noi may do hu, ong noi hong tin."), ["ba"], "dad says, he says");
    assert_eq!(names("lunch with tim, then gym"), ["tim"]);
}

#[test]
fn somebody_in_another_clause_takes_no_part_in_an_event() {
    let involved = |text: &str| {
        read(text)
            .relations
            .into_iter()
            .filter(|one| one.kind == RelationKind::Involves)
            .map(|one| one.source)
            .collect::<Vec<_>>()
    };
    assert_eq!(involved("Đi chợ Tết, với cái tủ mát ron hở, Tú nói nghe máy chạy."), [""; 0]);
    assert_eq!(involved("Dinner with Linh, Hùng and Mai after the wedding."), ["Linh", "Hùng"]);
    assert_eq!(involved("At the wedding, Linh sang."), ["Linh"]);
}

#[test]
fn what_is_booked_or_underway_for_a_day_is_still_to_come() {
    let from = |text: &str| extract_text(text, date(2026, 7, 8)).times[0].days.first;
    assert_eq!(from("Have booked the train for the 22nd."), date(2026, 7, 22));
    assert_eq!(from("Dr Malik's going to Leeds in Dec."), date(2026, 12, 1));
}
