//! Stated causes of subjects that are neither names nor feelings: a stated cause is found by every form of the
//! question, and an unstated one is never claimed.

use kioku::{
    insight::{Basis, why::Why},
    journal::Entry,
};

use super::{ask, planted::entry, quotes_hold, snapshot};

/// A journal of ordinary days with one sentence in the middle of it.
fn journal(sentence: &str) -> Vec<Entry> {
    let ordinary = [
        "Up at six. Bread and a long walk by the canal with @Mai.",
        "Cleaned the shed. Soup for supper, then the radio.",
        "I bought gloves because the shed was cold.",
        "Rain in the morning, sun at four. Wrote to @Khoa.",
        "Mended the fence by the road and read until ten.",
    ];
    let text = |at: usize| if at == 9 { sentence.to_owned() } else { ordinary[at % ordinary.len()].to_owned() };
    let day = |at: usize| jiff::civil::date(2026, 3, 1 + at as i8);
    (0..20).map(|at| entry(day(at), 9, None, &[text(at)])).collect()
}

fn stated(answer: &Why) -> Vec<&str> {
    let causes = answer.causes.iter().filter(|cause| cause.stated > 0);
    causes.flat_map(|cause| &cause.evidence).map(|evidence| evidence.text.as_str()).collect()
}

/// Each way of asking finds the cause first, with the sentence as its quote.
#[track_caller]
fn answers(sentence: &str, cause: &str, questions: &[&str]) {
    let entries = journal(sentence);
    let snapshot = snapshot(&entries);
    for question in questions {
        let answer = ask(&snapshot, question);
        let told = answer.causes.first().unwrap_or_else(|| panic!("{question:?} of {sentence:?}: nothing"));
        assert!(told.is_claimed() && told.stated > 0, "{question:?} of {sentence:?}: {told:?}");
        assert!(told.name.contains(cause), "{question:?} of {sentence:?}: {:?}", told.name);
        assert!(stated(&answer).iter().all(|quote| sentence.contains(quote)), "{:?}", stated(&answer));
        assert!(answer.days.with_target > 0 && told.evidence.iter().all(|one| one.basis == Basis::Stated));
        quotes_hold(&entries, &told.evidence);
    }
}

/// No form of the question reports a stated cause.
#[track_caller]
fn silent(sentence: &str, questions: &[&str]) {
    let snapshot = snapshot(&journal(sentence));
    for question in questions {
        let answer = ask(&snapshot, question);
        assert_eq!(stated(&answer), [] as [&str; 0], "{question:?} of {sentence:?}");
        assert!(answer.causes.iter().all(|cause| !cause.is_claimed()), "{question:?}: {:?}", answer.causes);
    }
}

const KILN: [&str; 7] = [
    "why kiln cracked",
    "why did the kiln crack",
    "why did the kiln crack?",
    "what made the kiln crack",
    "what caused the kiln to crack",
    "how come the kiln cracked",
    "kiln",
];

#[test]
fn a_thing_that_happened_has_the_cause_that_the_text_states() {
    let headache =
        ["headache", "why headache", "why did I get a headache", "what caused my headache", "why my headache?"];
    answers("My headache came back because of the frost.", "frost", &headache);
    answers("My headache came back because of the frost.", "frost", &["why did my headache come back"]);
    answers("I had a headache all day thanks to the red wine.", "red wine", &headache);
    answers("The kiln cracked because I opened it too early.", "I opened it too early", &KILN);
    answers("I opened the door too early, so the kiln cracked.", "I opened the door too early", &KILN);
    answers("Because I opened it too early, the kiln cracked.", "I opened it too early", &KILN);
    answers("I opened it too early. That's why the kiln cracked.", "I opened it too early", &KILN);
}

#[test]
fn a_verb_is_known_by_any_of_its_forms() {
    let sentence = "We left Hanoi because the lease ran out.";
    answers(sentence, "lease ran out", &["why did we leave Hanoi", "why we left Hanoi", "why leave Hanoi"]);
    answers("The roof fell in because of the snow.", "snow", &["why did the roof fall in"]);
    answers("I quit the choir because rehearsals ran past midnight.", "rehearsals", &["why did I quit the choir"]);
    answers("Our flight was cancelled owing to fog.", "fog", &["why flight", "why was our flight cancelled"]);
    answers("The train was late. That's why I missed the exam.", "train was late", &["why did I miss the exam"]);
}

#[test]
fn nothing_leads_to_a_place_but_to_going_there() {
    let sentence = "We went to Hanoi because the ship was late.";
    answers(sentence, "ship was late", &["why did we go to Hanoi", "why go to Hanoi?"]);
    silent(sentence, &["Hanoi", "why Hanoi", "why did we leave Hanoi", "why didn't we go to Hanoi"]);
    let sentence = "@Mai left the choir because her knee hurt.";
    silent(sentence, &["Mai", "why Mai"]);
    answers(sentence, "knee hurt", &["why did Mai leave the choir"]);
}

#[test]
fn what_did_not_happen_is_asked_for_as_it_is_told() {
    let sentence = "The bread did not rise because the yeast was old.";
    answers(sentence, "yeast was old", &["why did the bread not rise", "why didn't the bread rise"]);
    silent(sentence, &["why did the bread rise", "bread rise"]);
    answers("I skipped the swim because of my cough.", "cough", &["why did I skip the swim"]);
    silent("I skipped the swim because of my cough.", &["why swim", "why did I swim"]);
}

#[test]
fn a_cause_is_stated_in_vietnamese_too() {
    let kiln = ["vì sao lò nứt", "tại sao cái lò bị nứt?", "sao lò lại nứt", "lò nứt vì sao", "vi sao lo nut"];
    answers("Cái lò bị nứt vì mình mở quá sớm.", "mình mở quá sớm", &kiln);
    answers("Mình mở quá sớm nên cái lò bị nứt.", "mở quá sớm", &kiln);
    let flight = ["vì sao chuyến bay bị hoãn", "chuyến bay", "tại sao chuyến bay hoãn"];
    answers("Do mưa to nên chuyến bay bị hoãn.", "mưa", &flight);
    answers("Vì trời rét, mình lại đau đầu.", "trời rét", &["đau đầu", "vì sao mình đau đầu", "tại sao lại đau đầu"]);
    silent("Lò nứt không phải vì mình mở sớm.", &kiln);
    silent("Có phải lò nứt vì mình mở sớm?", &kiln);
    silent("Linh bảo lò nứt vì mình mở sớm.", &kiln);
    silent("Theo Linh, lò nứt vì mình mở sớm.", &kiln);
    silent("Có lẽ lò nứt vì mình mở sớm.", &kiln);
    silent("Nếu lò nứt vì mình mở sớm thì phải nung lại.", &kiln);
    silent("Mình mơ thấy lò nứt vì mình mở sớm.", &kiln);
}

#[test]
fn what_is_denied_asked_or_imagined_is_no_cause() {
    silent("The kiln cracked, not because I opened it early.", &KILN);
    silent("The kiln did not crack because I opened it early.", &KILN);
    silent("Did the kiln crack because I opened it too early?", &KILN);
    silent("The kiln would crack because of the damp.", &KILN);
    silent("If the kiln cracks because of the damp, I will weep.", &KILN);
    silent("I dreamt that the kiln cracked because of the damp.", &KILN);
    silent("I doubt the kiln cracked because of the damp.", &KILN);
    silent("I don't think that the kiln cracked because of the damp.", &KILN);
    silent("I hope the kiln cracked because of the damp.", &KILN);
    silent("I wonder whether the kiln cracked because of the damp.", &KILN);
}

#[test]
fn what_others_say_and_what_is_only_guessed_is_not_stated() {
    silent("Linh says the kiln cracked because I opened it too early.", &KILN);
    silent("@Linh told me that the kiln cracked because of the damp.", &KILN);
    silent("She thinks the kiln cracked because of the damp.", &KILN);
    silent("According to Linh, the kiln cracked because of the damp.", &KILN);
    silent("“The kiln cracked because you opened it too early,” said Linh.", &KILN);
    silent("\"The kiln cracked because you opened it too early.\" Linh laughed.", &KILN);
    silent("The kiln cracked because of the damp, says Linh.", &KILN);
    silent("Maybe the kiln cracked because of the damp.", &KILN);
    silent("I suspect the kiln cracked because of the damp.", &KILN);
    silent("The kiln probably cracked because of the damp.", &KILN);
}

#[test]
fn what_the_subject_led_to_is_not_what_led_to_it() {
    silent("I cancelled the class because the kiln cracked.", &KILN);
    silent("I stayed in bed because of my headache.", &["headache", "why headache", "why did I get a headache"]);
    silent("The roof leaked because a branch fell on it.", &["why did the branch fall", "why branch"]);
    silent("The kiln cracked because I opened it too early.", &["why did the roof crack", "why did the kiln explode"]);
}

/// A question in words finds an entry; statements of that entry about other subjects are no answer.
#[test]
fn what_is_found_claims_only_what_is_stated_of_it() {
    let question = "why was the ferry full at nine";
    for sentence in [
        "The ferry was full at nine. Later I was sad because @Linh had a fever.",
        "I was sad because the ferry was full at nine.",
        "We were late, and the ferry was full at nine. I was worried about the fever.",
    ] {
        let answer = ask(&snapshot(&journal(sentence)), question);
        assert_eq!(answer.days.with_target, 1, "{sentence:?} is found");
        silent(sentence, &[question]);
    }
    answers("The ferry was full at nine because @Linh had told everybody.", "Linh", &[question]);
}

/// A guess is shown as one, with its sentence.
#[test]
fn a_guess_is_too_few_to_say_and_yet_quoted() {
    let entries = journal("Maybe the kiln cracked because of the damp.");
    let answer = ask(&snapshot(&entries), "why did the kiln crack");
    let guess = answer.causes.first().unwrap();
    assert!(!guess.is_claimed() && guess.stated == 0 && guess.name.contains("damp"), "{guess:?}");
    assert!(guess.evidence[0].text.contains("Maybe") && guess.evidence[0].basis == Basis::Inferred, "{guess:?}");
}

#[test]
fn a_cause_told_once_is_the_whole_clause_and_not_a_name_in_it() {
    let snapshot = snapshot(&journal("I was angry because @Khoa had lost the key that @Mai had lent us."));
    let causes = ask(&snapshot, "why was I angry").causes;
    let [cause] = &causes[..] else { panic!("{causes:?}") };
    assert!(cause.name.ends_with("Khoa had lost the key that Mai had lent us"), "{}", cause.name);
    assert_eq!((cause.stated, cause.both, cause.cause_only), (1, 1, 0), "the clause is on one day");
    assert!(cause.entity.is_some() && cause.kind_word().is_none());
}

#[test]
fn a_name_alone_is_counted_on_its_days() {
    let causes = ask(&snapshot(&journal("I was angry because of @Khoa.")), "why was I angry").causes;
    let [cause] = &causes[..] else { panic!("{causes:?}") };
    assert_eq!((cause.name.as_str(), cause.entity.as_deref()), ("Khoa", None));
    assert_eq!((cause.both, cause.cause_only), (1, 4));
}

#[test]
fn a_mark_and_the_sentence_below_it_are_one_statement() {
    let text = "trigger:: [[Demo]]\nStressed because of the demo.";
    let told = [text, "Nothing new.", text].map(str::to_owned);
    let days = (0..).map(|at| jiff::civil::date(2026, 3, 1 + at));
    let entries: Vec<Entry> = days.zip(told).map(|(day, text)| entry(day, 9, Some("stressed"), &[text])).collect();
    let causes = ask(&snapshot(&entries), "why stressed").causes;
    assert_eq!(causes[0].stated, 2, "{causes:?}");
}

#[test]
fn a_condition_that_no_day_meets_leaves_only_what_is_surely_found() {
    let answer = ask(&snapshot(&journal("I was ashamed because I had shouted.")), "why was I ashamed at the wedding");
    assert!(answer.causes.iter().all(|cause| cause.stated == 0), "{:?}", answer.causes);
    assert!(answer.notes.iter().any(|note| note.contains("wedding")), "{:?}", answer.notes);
}

#[test]
fn a_feeling_is_asked_for_by_the_word_of_the_text_or_of_the_mood() {
    let mut entries = journal("I was irritated because the tap dripped.");
    entries.push(entry(jiff::civil::date(2026, 4, 1), 9, Some("irritated"), &["Nothing else.".to_owned()]));
    let answer = ask(&snapshot(&entries), "why irritated");
    assert!(answer.causes.first().is_some_and(|cause| cause.name.contains("tap dripped")), "{:?}", answer.causes);
    assert_eq!(answer.days.with_target, 2);
}

#[test]
fn a_word_with_accents_is_not_found_by_its_letters_alone() {
    let days = (0..).map(|at| jiff::civil::date(2026, 3, 1 + at));
    let told = ["Đọc xong tuần báo.", "Con tuấn mã cũng mệt."].map(str::to_owned);
    let entries: Vec<Entry> = days.zip(told).map(|(day, text)| entry(day, 9, None, &[text])).collect();
    assert_eq!(ask(&snapshot(&entries), "why tuấn").days.with_target, 1);
    assert_eq!(ask(&snapshot(&entries), "why tuan").days.with_target, 2);
}

#[test]
fn the_subject_of_a_question_is_without_the_words_that_ask() {
    let snapshot = snapshot(&journal("The ferry was full at nine because of the fair."));
    for question in ["How come the ferry was full at nine?", "why was the ferry full at nine"] {
        let target = ask(&snapshot, question).target;
        assert!(target.starts_with("the ferry") || target.starts_with("ferry"), "{target}");
    }
}

#[test]
fn a_question_about_what_somebody_else_felt_is_not_answered_with_the_writers_feelings() {
    let mine = "I was nervous because the exam is tomorrow.";
    answers(mine, "exam", &["why was I nervous", "nervous"]);
    silent(mine, &["why was Khoa nervous", "why is Mai so nervous", "how come Khoa was nervous"]);
    let answer = ask(&snapshot(&journal(mine)), "why was Khoa nervous");
    assert!(answer.is_words && answer.target.contains("Khoa"), "{:?}", answer.target);
    // A person may also be what makes the writer feel so.
    answers("I was annoyed because Khoa was late.", "Khoa", &["why did Khoa annoy me", "why is Khoa annoying"]);
}

#[test]
fn what_a_search_finds_for_a_phrase_is_not_called_written() {
    let snapshot = snapshot(&journal("The kiln cracked because the clay was wet."));
    assert_eq!(ask(&snapshot, "why did the kiln crack").days_are(), "strong hits ");
    assert_eq!(ask(&snapshot, "kiln").days_are(), "written ");
}
