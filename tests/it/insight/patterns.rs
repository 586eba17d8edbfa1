//! Recurring patterns are reported with their days, and none is reported where there is none.

use kioku::{
    insight::{
        Inputs,
        patterns::{Pattern, Tie},
        reflect::reflect,
        why::Strength,
    },
    journal::Entry,
};

use super::{
    now,
    planted::{self, CAUSE, FEELING, Kind, TESTING, Way},
    quotes_hold, snapshot,
};

/// The patterns on the page of the last day that the text passes.
fn patterns(entries: &[Entry], passes: impl Fn(&Entry) -> bool) -> Vec<Pattern> {
    let day = entries.iter().rev().find(|entry| passes(entry)).unwrap().day;
    let patterns = reflect(&Inputs::of(&snapshot(entries)), day, &now()).unwrap().patterns;
    quotes_hold(entries, patterns.iter().flat_map(|pattern| &pattern.evidence));
    for pattern in &patterns {
        assert!(pattern.both <= pattern.with_name && pattern.both <= pattern.with_mood, "{pattern:?}");
        assert!(pattern.with_name <= pattern.days && pattern.with_mood <= pattern.days, "{pattern:?}");
        assert_eq!(pattern.stated > 0, pattern.relation != Tie::Together, "{pattern:?}");
        assert!(!pattern.evidence.is_empty(), "{pattern:?}");
    }
    patterns
}

fn is_planted(pattern: &Pattern) -> bool {
    pattern.name == CAUSE && pattern.mood == FEELING
}

#[test]
fn what_is_stated_again_and_again_is_a_pattern() {
    for seed in TESTING.take(12) {
        let entries = planted::journal(Kind::Stated, seed);
        let found = patterns(&entries, |entry| entry.body.contains(CAUSE));
        let planted = found.iter().find(|pattern| is_planted(pattern));
        assert!(
            planted.is_some_and(|pattern| pattern.relation == Tie::LeadsTo && pattern.stated >= 2),
            "{seed}: {found:?}"
        );
    }
}

#[test]
fn company_is_told_where_the_days_bear_it_and_not_where_they_do_not() {
    let (mut journals, mut claimed) = (0, 0);
    for seed in TESTING.take(30) {
        let entries = planted::journal(Kind::Nothing, seed);
        let found = patterns(&entries, |entry| entry.body.contains(CAUSE));
        journals += 1;
        assert!(found.iter().all(|pattern| pattern.strength != Strength::TooFew), "{found:?}");
        claimed += usize::from(!found.is_empty());
    }
    assert!(claimed * 100 <= journals * 5, "{claimed} of {journals} pages claim something");
    let same_day = TESTING.filter(|seed| matches!(Way::of(*seed), Way::SameEntry | Way::SameDay)).take(12);
    let found = same_day.clone().filter(|seed| {
        let entries = planted::journal(Kind::Unstated, *seed);
        patterns(&entries, |entry| entry.body.contains(CAUSE)).iter().any(is_planted)
    });
    let (found, planted) = (found.count(), same_day.count());
    assert!(found * 3 >= planted, "{found} of {planted} planted ones are found");
}
