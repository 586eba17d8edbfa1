//! Answers to each kind of question, on small journals.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
};

use jiff::civil::{Date, date};
use kioku::{
    insight::{
        Basis, Inputs, InsightError, ProgressReporter,
        connect::connect,
        names::related,
        reflect::reflect,
        review::{Unit, review},
        stats::stats,
        themes::{Trend, themes},
        why::{Likeness, Question, Strength, why},
    },
    journal::Entry,
    session::Progress,
};

use super::{
    ask, now,
    planted::{self, FEELING, Kind, TESTING, entry},
    quotes_hold, snapshot,
};

fn one(day: &str, hour: u8, mood: &str, text: &str) -> Entry {
    let day: Date = day.parse().unwrap();
    entry(day, hour, Some(mood).filter(|mood| !mood.is_empty()), &[text.to_owned()])
}

/// A plan is changed, a demo approaches, somebody swims.
fn journal() -> Vec<Entry> {
    vec![
        one("2025-03-02", 20, "calm", "Swam with @Linh. Nothing else to tell."),
        one("2026-03-01", 9, "", "[[Council]] trigger:: [[Demo]]\nThe council sits early this year, says @Khoa."),
        one("2026-03-02", 20, "stressed", "trigger:: [[Demo]]\nNine weeks for what was planned as nineteen."),
        one("2026-03-03", 8, "calm", "eases:: [[Swimming]]\nOut to the buoy and back."),
        one("2026-03-09", 20, "stressed", "trigger:: [[Demo]]\nThe rooster has no idea what time it is."),
        one(
            "2026-03-10",
            21,
            "stressed",
            "eases:: [[Swimming]]\nBetter after the buoy. @Khoa laughed about the rooster.",
        ),
        one("2026-03-20", 21, "sad", "Rain. [[Old Mill]] is closed for good."),
        one("2026-04-02", 9, "happy", "Tea with @Linh and @Mai on the roof."),
    ]
}

#[test]
fn an_answer_tells_how_far_it_is_and_ends_where_nobody_waits_for_it() {
    let snapshot = snapshot(&planted::journal(Kind::Stated, TESTING.start));
    let ask = Question { text: FEELING.to_owned(), from: None, to: None, now: now() };
    let (told, points) = (RefCell::new(Vec::new()), Cell::new(0));
    let report = |progress: Progress| told.borrow_mut().push(progress);
    let count = || {
        points.set(points.get() + 1);
        false
    };
    let progress = ProgressReporter { cancelled: &count, report: &report };
    let whole = why(&Inputs { progress: &progress, ..Inputs::of(&snapshot) }, &ask).unwrap();
    assert!(!whole.causes.is_empty());
    let told = told.into_inner();
    assert!(told.iter().all(|progress| progress.done < progress.of), "{told:?}");
    assert!(["counting days", "testing for coincidence"].iter().all(|what| told.iter().any(|one| one.what == *what)));
    for last in [1, 2, points.get() / 2, points.get()] {
        let left = Cell::new(last);
        let cancelled = || {
            left.set(left.get() - 1);
            left.get() == 0
        };
        let progress = ProgressReporter { cancelled: &cancelled, report: &|_| {} };
        let ended = why(&Inputs { progress: &progress, ..Inputs::of(&snapshot) }, &ask);
        assert!(matches!(ended, Err(InsightError::Cancelled)), "at point {last} of {}", points.get());
    }
}

#[test]
fn a_stated_cause_comes_with_its_quotes_and_what_led_to_it() {
    let entries = journal();
    let answer = ask(&snapshot(&entries), "why am I stressed");
    assert_eq!((answer.target.as_str(), answer.days.with_target, answer.days.total), ("stressed", 3, 8));
    let cause = &answer.causes[0];
    assert_eq!((cause.name.as_str(), cause.strength, cause.stated), ("Demo", Strength::Some, 2));
    assert!(cause.evidence[0].text.starts_with("trigger:: [[Demo]]"));
    assert!(cause.evidence.iter().all(|evidence| evidence.basis == Basis::Stated));
    assert_eq!((cause.back[0].source.as_str(), cause.back[0].target.as_str()), ("Council", "Demo"));
    assert_eq!((answer.eased_by[0].name.as_str(), answer.eased_by[0].stated), ("Swimming", 1));
    assert!(!answer.causes.iter().any(|cause| cause.name == "Swimming"), "what eases is no cause");
    let all = answer.causes.iter().chain(&answer.eased_by).flat_map(|cause| &cause.evidence);
    quotes_hold(
        &entries,
        all.chain(answer.causes.iter().flat_map(|cause| &cause.back).flat_map(|step| &step.evidence)),
    );
}

#[test]
fn a_question_is_understood_by_its_feeling_its_days_and_what_it_adds() {
    let snapshot = snapshot(&journal());
    let target = |text| {
        let answer = ask(&snapshot, text);
        (answer.target, answer.days.with_target)
    };
    assert_eq!(target("stress"), ("stressed".to_owned(), 3));
    assert_eq!(target("mood:stressed from:2026-03-09"), ("stressed".to_owned(), 2));
    assert_eq!(target("why was I sad in March"), ("sad".to_owned(), 1));
    assert_eq!(target("why was I sad in April 2026").1, 0);
    assert_eq!(target("stressed about the demo"), ("stressed, Demo".to_owned(), 2));
    assert_eq!(target("Demo"), ("Demo".to_owned(), 3));
    assert_eq!(target("2026-03-20-21"), ("2026-03-20-21".to_owned(), 1));
    assert_eq!(target("quantum chromodynamics").1, 0);
    let asked = ask(&snapshot, "why was I sad in march 2026");
    assert_eq!(asked.period.map(|period| (period.from, period.to)), Some((date(2026, 3, 1), date(2026, 3, 31))));
}

#[test]
fn a_word_that_was_never_written_is_not_answered_with_the_figures_of_another() {
    let snapshot = snapshot(&journal());
    for (asked, by, words) in [
        ("unhappy", Likeness::Meaning, vec!["sad"]),
        ("why was I unhappy in march 2026", Likeness::Meaning, vec!["sad"]),
        ("stresed", Likeness::Spelling, vec!["stressed"]),
        ("zeppelin", Likeness::Spelling, vec![]),
    ] {
        let answer = ask(&snapshot, asked);
        let nearest = answer.nearest.unwrap_or_else(|| panic!("{asked} is answered by {}", answer.target));
        assert_eq!((nearest.by, nearest.words), (by, words.into_iter().map(str::to_owned).collect()), "{asked}");
        assert_eq!((answer.days.with_target, answer.causes.len()), (0, 0), "{asked}");
    }
    let elsewhere = ask(&snapshot, "mood:sad from:2026-04-01");
    assert!(elsewhere.nearest.is_none() && elsewhere.days.with_target == 0, "it is written, though not in these days");
}

#[test]
fn a_further_word_of_a_question_leaves_out_what_is_told_of_other_days() {
    let mut entries = journal();
    entries.push(one("2026-05-02", 9, "", "Happy because the letter came at last."));
    entries.push(one("2026-05-22", 9, "happy", "Rode home in the rain on the tandem."));
    let snapshot = snapshot(&entries);
    assert_eq!(ask(&snapshot, "happy").causes.len(), 1);
    let answer = ask(&snapshot, "why was I happy on the tandem");
    assert_eq!((answer.target.as_str(), answer.days.with_target), ("happy, tandem", 1));
    assert_eq!(answer.causes, []);
}

#[test]
fn a_question_about_the_writer_is_not_answered_by_what_another_felt() {
    let mut entries = journal();
    entries.push(one("2026-05-02", 9, "", "Brent is overwhelmed because every ticket goes through him."));
    entries.push(one("2026-05-03", 9, "", "Jake couldn't sleep because his girlfriend left."));
    entries.push(one("2026-05-04", 9, "", "Dreamt I was jealous because Ada had two boats."));
    let snapshot = snapshot(&entries);
    for question in ["why was I overwhelmed", "overwhelmed", "why couldn't I sleep", "why was I jealous"] {
        assert_eq!(ask(&snapshot, question).causes, [], "{question}");
    }
    assert_eq!(ask(&snapshot, "why couldn't Jake sleep").causes.len(), 1);
}

#[test]
fn a_feeling_in_a_period_is_not_the_period_alone() {
    let mut entries = journal();
    entries.push(one("2026-05-02", 9, "", "Bà ngoại đi lạc, mình sợ mất vía."));
    entries.push(one("2026-05-09", 9, "", "Mình vui vì mèo về nhà rồi."));
    let snapshot = snapshot(&entries);
    let answer = ask(&snapshot, "vì sao mình sợ hồi tháng 5");
    assert_eq!((answer.target.as_str(), answer.days.with_target), ("sợ", 1));
    assert!(answer.causes.iter().all(|cause| !cause.name.contains("mèo")), "{:?}", answer.causes);
}

#[test]
fn several_days_of_a_question_are_each_part_of_its_answer_and_those_between_are_not() {
    let days = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"];
    let felt = |day: &&str| one(day, 9, "", &format!("Sad because the kiln of {day} cracked."));
    let snapshot = snapshot(&days.iter().map(felt).collect::<Vec<_>>());
    for text in ["sad on 3 March or 5 March", "sad on:2026-03-03 on:2026-03-05", "sad on:2026-03-05 on:2026-03-03"] {
        let answer = ask(&snapshot, text);
        assert_eq!((answer.days.with_target, answer.days.total), (2, 2), "{text}: {answer:?}");
        let quoted = answer.causes.iter().flat_map(|cause| &cause.evidence).chain(&answer.before);
        let days: BTreeSet<&str> = quoted.map(|quote| &quote.time[..10]).collect();
        assert_eq!(days.into_iter().collect::<Vec<_>>(), ["2026-03-03", "2026-03-05"], "{text}");
    }
    assert_eq!(ask(&snapshot, "sad on:2026-03-03 on:2026-03-05 from:2026-03-04").days.with_target, 1);
}

#[test]
fn a_name_with_its_title_is_that_name() {
    let mut entries = journal();
    for day in ["2026-05-02", "2026-05-03", "2026-05-04"] {
        entries.push(one(day, 9, "", "Gặp chị Hà ở chợ."));
    }
    let snapshot = snapshot(&entries);
    let answer = ask(&snapshot, "why chị Hà");
    assert_eq!((answer.target.as_str(), answer.days.with_target), ("Hà", 3));
}

#[test]
fn days_that_do_not_match_are_told_and_not_hidden() {
    let answer = ask(&snapshot(&journal()), "stressed about Linh");
    assert_eq!(answer.days.with_target, 3);
    assert!(answer.notes[0].contains("Linh"), "{:?}", answer.notes);
}

#[test]
fn another_word_for_the_feeling_is_meant_where_only_that_fits() {
    let mut entries = journal();
    entries.push(one("2026-05-02", 9, "unhappy", "@Mai has left for the south."));
    let snapshot = snapshot(&entries);
    let answer = ask(&snapshot, "why was I sad about Mai");
    assert_eq!((answer.target.as_str(), answer.days.with_target), ("sad, unhappy, Mai", 1));
    assert_eq!(answer.notes, ["“sad” is read as sad, unhappy"]);
    let plain = ask(&snapshot, "sad");
    assert_eq!((plain.target.as_str(), plain.days.with_target), ("sad", 1));
    assert_eq!(plain.notes, ["the answer leaves out unhappy; ask about each by name"]);
}

#[test]
fn a_word_with_other_accents_is_no_feeling() {
    let snapshot = snapshot(&[
        one("2026-03-01", 9, "nhớ", "Mình buồn vì trời mưa."),
        one("2026-03-08", 9, "", "Tiệm đông, bán được sáu chục bó hoa."),
    ]);
    let asks = |text: &str| ask(&snapshot, text);
    for (text, feeling) in [("nhờ đâu mà tiệm đông", "nhớ"), ("buôn bán sao hôm đó", "buồn")] {
        assert_ne!(asks(text).target, feeling, "{text}");
    }
    for (text, feeling) in [("sao mình buồn", "buồn"), ("sao minh buon", "buồn"), ("sao mình nhớ", "nhớ")] {
        assert_eq!(asks(text).target, feeling, "{text}");
    }
}

#[test]
fn a_question_that_only_names_days_is_about_what_is_written_on_them() {
    let snapshot = snapshot(&journal());
    for asked in
        ["2026-03-09", "9 March 2026", "why on 9 March 2026?", "what happened on March 9, 2026", "why ngày 9/3/2026"]
    {
        let answer = ask(&snapshot, asked);
        assert_eq!((answer.target.as_str(), answer.days.with_target), ("2026-03-09", 1), "{asked}");
        assert!(
            answer.causes.iter().any(|cause| cause.name == "Demo" && cause.stated == 1),
            "{asked}: {:?}",
            answer.causes
        );
    }
    let filters = ask(&snapshot, "why on:2026-03-09 on:2026-03-02");
    assert_eq!((filters.target.as_str(), filters.days.with_target), ("2026-03-09, 2026-03-02", 2));
    let march = ask(&snapshot, "what happened in March 2026?");
    assert_eq!((march.target.as_str(), march.days.with_target), ("2026-03-01 to 2026-03-31", 6));
    assert!(march.before.len() > 2 && march.before[0].time > march.before[1].time, "its entries, the newest first");
    assert_eq!(ask(&snapshot, "8 March 2026").days.with_target, 0);
    // A day next to a feeling only limits the period.
    assert_eq!(ask(&snapshot, "stressed on 9 March 2026").target, "stressed");
}

#[test]
fn an_empty_journal_has_no_answer_and_no_fault() {
    let snapshot = snapshot(&[]);
    assert_eq!(ask(&snapshot, "sad").period, None);
    assert!(!connect(&Inputs::of(&snapshot), "a", "b").unwrap().connected);
    assert_eq!(stats(&Inputs::of(&snapshot), date(2026, 1, 1)).unwrap().entries, 0);
    assert!(themes(&snapshot, 5).is_empty());
    assert!(review(&Inputs::of(&snapshot), Unit::Year, date(2026, 1, 1), &now()).unwrap().highs.is_empty());
}

#[test]
fn a_chain_is_told_in_the_direction_of_the_text() {
    let entries = journal();
    let snapshot = snapshot(&entries);
    let answer = connect(&Inputs::of(&snapshot), "stressed", "council").unwrap();
    let shown: Vec<_> =
        answer.paths[0].hops.iter().map(|hop| (hop.source.as_str(), hop.target.as_str(), hop.kind)).collect();
    assert_eq!(shown, [("Demo", "stressed", "causal"), ("Council", "Demo", "causal")]);
    let company = connect(&Inputs::of(&snapshot), "Mai", "Khoa").unwrap();
    assert!(company.paths.iter().all(|path| path.hops.len() <= 4));
    let together = connect(&Inputs::of(&snapshot), "Linh", "Mai").unwrap();
    let hop = &together.paths[0].hops[0];
    assert_eq!((hop.kind, hop.basis, hop.n), ("together", Basis::Inferred, 1));
    assert_eq!(hop.evidence.as_ref().unwrap().text, "Tea with @Linh and @Mai on the roof.");
    for answer in [&answer, &company, &together] {
        quotes_hold(&entries, answer.paths.iter().flat_map(|path| &path.hops).filter_map(|hop| hop.evidence.as_ref()));
    }
}

#[test]
fn not_connected_is_an_answer() {
    let snapshot = snapshot(&journal());
    let answer = connect(&Inputs::of(&snapshot), "Old Mill", "Mai").unwrap();
    assert!(!answer.connected && answer.paths.is_empty() && answer.unknown.is_empty());
    assert_eq!(connect(&Inputs::of(&snapshot), "Zebulon", "Mai").unwrap().unknown, ["Zebulon"]);
}

#[test]
fn a_name_is_known_behind_its_title() {
    let snapshot = snapshot(&journal());
    for titled in ["Dr Linh", "Mrs. Linh", "chị Linh"] {
        let answer = connect(&Inputs::of(&snapshot), titled, "Mai").unwrap();
        assert!(answer.connected && answer.from == "Linh", "{answer:?}");
        assert_eq!(related(&Inputs::of(&snapshot), titled, 1, 1).unwrap().related[0].name, "Mai");
    }
    assert_eq!(connect(&Inputs::of(&snapshot), "Old Linh", "Mai").unwrap().unknown, ["Old Linh"]);
}

#[test]
fn a_connection_is_quoted_where_it_names_both_however_far_apart() {
    let entry = one(
        "2026-03-02",
        9,
        "",
        &format!("Tea with @Linh. {}Then @Mai rang.", "Rain on the roof and on the road. ".repeat(12)),
    );
    let found = connect(&Inputs::of(&snapshot(std::slice::from_ref(&entry))), "Linh", "Mai").unwrap();
    let quote = found.paths[0].hops[0].evidence.clone().unwrap();
    assert_eq!(quote.quoted(), "“Tea with @Linh. … Then @Mai rang.”");
    quotes_hold(&[entry], [&quote]);
}

#[test]
fn a_day_begins_with_its_first_words_and_asks_about_a_person() {
    let snapshot = snapshot(&[
        one("2026-01-02", 9, "", "@Mai at the [[desk]] in [[October]]."),
        one(
            "2026-03-10",
            20,
            "",
            "Mo. 4.20 this morning. I put the phone down and hung the washing out, all of it. [[October]], [[desk]], and @Mai came.",
        ),
        one("2026-05-10", 20, "", "The [[desk]] in [[October]]."),
    ]);
    let day = |day| reflect(&Inputs::of(&snapshot), day, &now()).unwrap();
    assert_eq!(day(date(2026, 3, 10)).entries[0].sentence, "Mo. 4.20 this morning.");
    assert!(day(date(2026, 3, 10)).questions[0].text.contains("wrote about Mai on"));
    assert_eq!(day(date(2026, 5, 10)).questions, []);
}

#[test]
fn a_feeling_that_only_others_have_is_not_found_as_the_writers() {
    let entries =
        [one("2026-03-02", 9, "", "She's not sad, she says."), one("2026-03-03", 9, "", "Soup. I am tired of rain.")];
    let answer = ask(&snapshot(&entries), "why was I sad");
    assert_eq!((answer.days.with_target, answer.nearest.unwrap().label()), (0, "not found as your feeling"));
    assert!(answer.causes.is_empty() && answer.before[0].text.contains("not sad"));
}

#[test]
fn a_feast_that_is_also_a_word_is_no_day_without_entries() {
    let mut entries = vec![one("2026-09-13", 9, "", "Bánh trung thu mẻ đầu thất bại, vỏ nứt.")];
    assert_eq!(ask(&snapshot(&entries), "sao bánh trung thu bị nứt").notes, [] as [&str; 0]);
    entries[0].body = "Soup.".to_owned();
    assert_eq!(ask(&snapshot(&entries), "why sad last week").notes.len(), 1);
}

#[test]
fn a_question_quotes_the_person_that_it_names() {
    let mut entries: Vec<Entry> =
        (1..=8).map(|day| one(&format!("2026-03-{day:02}"), 9, "", "The boat was sold, the old boat.")).collect();
    entries.push(one("2026-04-02", 9, "", "@Khoa said that he is done with it."));
    let answer = ask(&snapshot(&entries), "why was the old boat sold by Khoa");
    assert!(answer.before.iter().any(|said| said.text.contains("@Khoa")), "{:?}", answer.before);
}

#[test]
fn a_daily_companion_is_not_the_closest() {
    let mut entries = Vec::new();
    for day in 1..=20 {
        let rare = if day % 5 == 0 { " @Linh brought @Mai." } else { "" };
        entries.push(one(&format!("2026-03-{day:02}"), 9, "", &format!("Breakfast with @Hub.{rare}")));
    }
    let snapshot = snapshot(&entries);
    let answer = related(&Inputs::of(&snapshot), "linh", 2, 10).unwrap();
    assert_eq!(answer.related[0].name, "Mai");
    let hub = answer.related.iter().find(|neighbour| neighbour.name == "Hub").unwrap();
    assert!(hub.closeness < answer.related[0].closeness && hub.together == 4);
    quotes_hold(&entries, answer.related.iter().filter_map(|neighbour| neighbour.evidence.as_ref()));
    assert_eq!(related(&Inputs::of(&snapshot), "nobody", 2, 10).unwrap().entity, None);
}

#[test]
fn a_day_is_met_with_its_past_and_every_line_cites() {
    let entries = journal();
    let snapshot = snapshot(&entries);
    let answer = reflect(&Inputs::of(&snapshot), date(2026, 3, 10), &now()).unwrap();
    assert_eq!(answer.entries.len(), 1);
    assert_eq!(answer.on_this_day[0].when, "a week ago");
    assert!(answer.threads.iter().all(|thread| thread.day < date(2026, 3, 10)));
    assert!(answer.questions.iter().any(|line| line.text.contains("“stressed” on 2 of the last 7 days")), "{answer:?}");
    assert!(answer.questions.iter().all(|line| !line.entries.is_empty()));
    assert!(answer.names.iter().all(|named| !named.entries.is_empty()));
    let year = reflect(&Inputs::of(&snapshot), date(2026, 3, 2), &now()).unwrap();
    assert_eq!(year.on_this_day[0].when, "1 year ago");
    let quoted = answer.threads.iter().flat_map(|thread| [&thread.then, &thread.now]);
    quotes_hold(&entries, quoted.chain(year.on_this_day.iter().map(|then| &then.evidence)));
}

#[test]
fn earlier_years_are_met_by_their_longest_entry_with_the_others_beside_it_and_a_leap_day_by_the_28th() {
    let snapshot = snapshot(&[
        one("2023-02-28", 9, "", "Snow to the knees."),
        one("2024-02-28", 9, "", "The day before the leap day."),
        one("2024-02-29", 8, "", "Short."),
        one("2024-02-29", 12, "", "A day that is there once in four years."),
        one("2024-02-29", 20, "", "Short again."),
        one("2025-02-28", 9, "", "Thaw."),
    ]);
    let past = |day| {
        let answer = reflect(&Inputs::of(&snapshot), day, &now()).unwrap();
        let then = answer
            .on_this_day
            .into_iter()
            .filter(|then| then.when.ends_with("year ago") || then.when.ends_with("years ago"));
        then.map(|then| (then.day, then.evidence.text, then.others.len())).collect::<Vec<_>>()
    };
    let told = |day, text: &str, others| (day, text.to_owned(), others);
    let leap = told(date(2024, 2, 29), "A day that is there once in four years.", 2);
    let before = told(date(2024, 2, 28), "The day before the leap day.", 0);
    let snow = told(date(2023, 2, 28), "Snow to the knees.", 0);
    assert_eq!(past(date(2025, 2, 28)), [before, leap, snow.clone()], "the last day of February meets the leap day");
    assert_eq!(past(date(2024, 2, 29)), [snow], "which is met by the last day of other Februaries");
}

#[test]
fn a_month_is_compared_with_the_one_before() {
    let entries = journal();
    let snapshot = snapshot(&entries);
    let answer = review(&Inputs::of(&snapshot), Unit::Month, date(2026, 4, 15), &now()).unwrap();
    assert_eq!((answer.counts.entries, answer.counts_before.entries), (1, 6));
    assert_eq!((answer.highs[0].mood.as_str(), answer.lows.len()), ("happy", 0));
    assert!(answer.questions[0].text.starts_with("You mentioned Demo on 3 days"), "{:?}", answer.questions);
    let march = review(&Inputs::of(&snapshot), Unit::Month, date(2026, 3, 15), &now()).unwrap();
    assert_eq!((march.moods[0].name.as_str(), march.moods[0].n, march.moods[0].before), ("stressed", 3, 0));
    assert_eq!(march.on_this_day.len(), 1);
    quotes_hold(&entries, march.highs.iter().chain(&march.lows).map(|moment| &moment.evidence));
    assert!(march.names.iter().all(|name| !name.entries.is_empty()));
}

#[test]
fn nobody_is_new_in_the_first_period_of_a_journal() {
    let walks =
        |month: u8| (1..=4).map(move |day| one(&format!("2026-{month:02}-{day:02}"), 9, "calm", "A walk with @Josie."));
    let news = |entries: Vec<Entry>| {
        let snapshot = snapshot(&entries);
        let answer = review(&Inputs::of(&snapshot), Unit::Month, date(2026, 3, 15), &now()).unwrap();
        answer.questions.into_iter().any(|line| line.text.contains("Josie is new"))
    };
    assert!(!news(walks(3).collect()), "there was no month before");
    let alone = (1..=4).map(|day| one(&format!("2026-02-{day:02}"), 9, "calm", "A walk."));
    assert!(news(alone.chain(walks(3)).collect()));
}

#[test]
fn a_name_with_a_word_that_also_asks_is_found_whole() {
    let entries = vec![one("2026-03-01", 9, "calm", "A walk with Minh Anh."), one("2026-03-02", 9, "sad", "Anh left.")];
    let answer = ask(&snapshot(&entries), "Minh Anh");
    assert_eq!((answer.target.as_str(), answer.days.with_target), ("Minh Anh", 1), "{answer:?}");
    assert!(!answer.is_words && ask(&snapshot(&entries), "why left").is_words);
}

#[test]
fn numbers_are_those_of_the_journal() {
    let answer = stats(&Inputs::of(&snapshot(&journal())), date(2026, 3, 3)).unwrap();
    assert_eq!((answer.entries, answer.days, answer.run.current), (8, 8, 3));
    assert_eq!(answer.weekdays.iter().sum::<u32>(), 8);
    assert_eq!(answer.hours[20], 3);
    assert_eq!(answer.mood_counts[0].name, "stressed");
    let march = answer.moods.iter().find(|month| month.month == "2026-03").unwrap();
    assert_eq!(march.n, 5);
}

#[test]
fn names_that_keep_to_one_another_are_a_theme() {
    let mut entries = Vec::new();
    for day in 1..=28 {
        let text = if day % 2 == 0 { "@Linh at the [[Harbour]] with @Mai." } else { "#work and [[Heron]] with @Khoa." };
        entries.push(one(&format!("2026-03-{day:02}"), 9, "calm", text));
    }
    let found = themes(&snapshot(&entries), 10);
    assert_eq!(found[0].trend, Trend::Steady, "in a journal that has just begun, everything is new");
    entries.push(one("2025-06-01", 9, "calm", "A first page."));
    let found = themes(&snapshot(&entries), 10);
    assert_eq!(found.len(), 2, "{found:?}");
    let names: Vec<_> = found[0].names.iter().map(|member| member.name.as_str()).collect();
    assert!(names == ["Heron", "Khoa", "work"] || names == ["Harbour", "Linh", "Mai"], "{names:?}");
    assert_eq!((found[0].days, found[0].trend), (14, Trend::Rising));
    // A name in use heads no past theme.
    entries.push(one("2026-11-20", 9, "calm", "@Khoa called."));
    let past = themes(&snapshot(&entries), 10).into_iter().filter(|theme| theme.trend == Trend::Past);
    let names: Vec<String> = past.flat_map(|theme| theme.names).map(|member| member.name).collect();
    assert!(names.contains(&"Heron".to_owned()) && !names.contains(&"Khoa".to_owned()), "{names:?}");
}

#[test]
fn what_only_goes_with_a_feeling_is_quoted_where_both_stand() {
    let mut entries = Vec::new();
    for day in 1..=28 {
        let bad = day % 3 == 0;
        let text = match (bad, day % 2) {
            (true, 0) => "Up at six. Two coffees and stressed all morning. Then rain.",
            (true, _) => "Up at six. A coffee at five was a mistake. Then rain.",
            _ => "Up at six. Then rain.",
        };
        let mood = if bad { "stressed" } else { "calm" };
        let mut entry = one(&format!("2026-02-{day:02}"), 9, mood, text);
        if bad {
            entry.tags = vec!["coffee".to_owned()];
        }
        entries.push(entry);
    }
    let answer = ask(&snapshot(&entries), "stressed");
    let coffee = answer.causes.iter().find(|cause| cause.name == "coffee").unwrap();
    assert_eq!(coffee.stated, 0);
    let quotes: Vec<&str> = coffee.evidence.iter().map(|evidence| evidence.text.as_str()).collect();
    assert!(quotes.contains(&"Two coffees and stressed all morning."), "{quotes:?}");
    assert!(quotes.contains(&"A coffee at five was a mistake."), "{quotes:?}");
}

/// A name in the head only is quoted where its word is in the text, not where the other name is.
#[test]
fn a_tag_is_quoted_by_its_word() {
    let text = "Up at six. Too many coffees, and a hat that was not mine. Much later, when the lamps were on in the street below \
                and nobody thought of sleep any more, @Linh came by with her brother and all of his maps.";
    let mut entry = one("2026-03-02", 9, "", text);
    entry.tags = vec!["coffee".to_owned()];
    let found = connect(&Inputs::of(&snapshot(&[entry])), "coffee", "Linh").unwrap();
    let quote = found.paths[0].hops[0].evidence.as_ref().unwrap();
    assert!(quote.text.contains("coffees"), "{quote:?}");
}

/// A name in the head only, without its word in the text, is quoted with that line of the head: a sentence without it
/// would show nothing.
#[test]
fn what_only_a_tag_says_is_quoted_by_the_tag() {
    let mut entries = Vec::new();
    for day in 1..=28 {
        let swam = day % 3 == 0;
        let text = if swam { "Out to the buoy and back. @Linh laughed." } else { "Bread and soup." };
        let mut entry = one(&format!("2026-02-{day:02}"), 9, if swam { "proud" } else { "calm" }, text);
        if swam {
            entry.tags = vec!["lake".to_owned(), "swim".to_owned()];
        }
        entries.push(entry);
    }
    let snapshot = snapshot(&entries);
    let answer = ask(&snapshot, "proud");
    let swim = answer.causes.iter().find(|cause| cause.name == "swim").unwrap();
    assert!(swim.evidence.iter().all(|quote| quote.head.as_deref() == Some("tags: lake, swim")), "{:?}", swim.evidence);
    let found = connect(&Inputs::of(&snapshot), "swim", "Linh").unwrap();
    let hop = found.paths[0].hops[0].evidence.clone().unwrap();
    assert_eq!((hop.text.as_str(), hop.head.as_deref()), ("@Linh laughed.", Some("tags: lake, swim")));
    assert_eq!(hop.quoted(), "tags: lake, swim  “@Linh laughed.”");
    quotes_hold(&entries, swim.evidence.iter().chain([&hop]));
}

#[test]
fn a_stated_cause_counts_on_the_day_on_which_it_is_stated() {
    let mut entries: Vec<Entry> =
        (1..=20).map(|day| one(&format!("2026-03-{day:02}"), 9, "calm", "Nothing to tell.")).collect();
    entries.push(one("2026-03-28", 20, "sad", "I am sad because of the quarrel with @Jane on 2 March."));
    let answer = ask(&snapshot(&entries), "sad");
    for cause in &answer.causes {
        assert_eq!((cause.stated, cause.both), (1, 1), "{cause:?}");
        assert_eq!(cause.sentence("sad"), "You wrote it once; on 1 of 1 sad days, 0 of 20 others.");
    }
    assert!(!answer.causes.is_empty());
}

#[test]
fn a_cause_of_yesterday_was_there_yesterday() {
    let mut entries: Vec<Entry> =
        (1..=24).map(|day| one(&format!("2026-03-{day:02}"), 9, "calm", "Nothing to tell.")).collect();
    for day in [6, 12, 18] {
        let text = "I am sad because I had a quarrel with @Jane yesterday.";
        entries.push(one(&format!("2026-03-{day:02}"), 20, "sad", text));
    }
    let answer = ask(&snapshot(&entries), "sad");
    let quarrel = answer.causes.iter().find(|cause| cause.name == "argument").unwrap();
    assert_eq!((quarrel.lag.0, quarrel.lag.1, quarrel.both, quarrel.cause_only), (1, 1, 3, 0), "{quarrel:?}");
}
