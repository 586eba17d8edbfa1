//! Tests of the day that the journal opens on.

use super::*;

/// A journal without an entry today.
fn quiet_today(width: u16, height: u16) -> Session {
    let earlier = |known: &DayEntry| known.entry.day < FRIDAY;
    Session::new(width, height, sample().into_iter().filter(earlier).collect())
}

#[test]
fn an_empty_today_gives_way_to_the_newest_day_and_says_so() {
    let mut session = quiet_today(120, 40);
    insta::assert_snapshot!("landed_wide", session.screen());
    session.keys("k").sees_not("Today is empty");
    session.keys("t").sees("Friday 20 November 2026").sees("Nothing written.");
    insta::assert_snapshot!("landed_narrow", quiet_today(80, 24).screen());
    quiet_today(40, 10).sees("Today is empty: n writes, t shows it");
}

#[test]
fn what_is_begun_from_there_is_of_today() {
    let mut session = quiet_today(80, 24);
    session.keys("n").typed("A new day.").keys("<ctrl-s>");
    assert_eq!(session.append().day, FRIDAY);
    session.sees("Friday 20 November 2026").sees_not("Today is empty");
}

#[test]
fn today_stays_where_it_holds_something_or_somebody_has_gone_elsewhere() {
    Session::full(120, 40).sees("Friday 20 November 2026").sees_not("Today is empty");
    let mut session = Session::new(120, 40, Vec::new());
    session.keys("n").typed("Rain");
    session.entries = sample().into_iter().filter(|known| known.entry.day < FRIDAY).collect();
    session.show();
    session.sees("Rain").keys("<esc>").sees_not("Today is empty").sees("Friday 20 November 2026");
    // Entries dated in the future are not where the user is writing.
    let mut ahead = sample();
    ahead[3].entry.day = date(2026, 11, 21);
    ahead.retain(|known| known.entry.day != FRIDAY);
    Session::new(120, 40, ahead).sees("Saturday 31 October 2026");
}
