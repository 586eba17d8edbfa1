//! Grammar of clock times and parts of the day.

use jiff::civil::Time;

use super::token::{Reader, Token};

/// The half of the day that a word selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    /// Hours are unchanged; twelve is midnight.
    Before,
    /// Hours from one to eleven are in the afternoon; twelve is noon.
    After,
}

/// Parses all of `tokens` as a clock time.
pub(super) fn clock_time(tokens: &[Token]) -> Option<Time> {
    let mut r = Reader::new(tokens);
    let _ = r.one_of(&["at", "luc", "vao"]);
    let time = named_hour(&mut r).or_else(|| digits(&mut r))?;
    r.done().then_some(time)
}

/// Parses all of `tokens` as a part of the day; returns its hour.
pub(super) fn part_of_day(tokens: &[Token]) -> Option<Time> {
    let mut r = Reader::new(tokens);
    let _ = r.phrase("in the").or_else(|| r.phrase("at")).or_else(|| r.phrase("buoi"));
    let hour = match r.word()? {
        "morning" | "sang" => 9,
        "afternoon" | "chieu" => 15,
        "evening" | "toi" => 19,
        "night" | "dem" => 22,
        _ => return None,
    };
    if r.done() { Time::new(hour, 0, 0, 0).ok() } else { None }
}

fn named_hour(r: &mut Reader<'_>) -> Option<Time> {
    r.attempt(|r| {
        let hour = match r.word()? {
            "noon" | "midday" | "trua" => 12,
            "midnight" => 0,
            _ => return None,
        };
        Time::new(hour, 0, 0, 0).ok()
    })
}

/// `3pm`, `3:15 pm`, `15:30`, `15:30:20`, `15h`, `15h30`, `3 giờ chiều`, `8 in the evening`. A bare number is no time.
fn digits(r: &mut Reader<'_>) -> Option<Time> {
    let hour = i8::try_from(r.number(1..=2)?).ok()?;
    let mut minute = 0;
    let mut second = 0;
    let mut clear = false;
    if r.tight(&[':', '.']).is_some() {
        minute = i8::try_from(r.number(2..=2)?).ok()?;
        if r.tight(&[':']).is_some() {
            second = i8::try_from(r.number(2..=2)?).ok()?;
        }
        clear = true;
    } else if r.one_of(&["h", "gio", "g"]).is_some() {
        if let Some(written) = r.number(1..=2) {
            minute = i8::try_from(written).ok()?;
            let _ = r.one_of(&["phut", "p"]);
        } else if r.one_of(&["ruoi"]).is_some() {
            minute = 30;
        }
        clear = true;
    }
    let hour = match half(r) {
        Some(half) => in_half(hour, half)?,
        None if clear => hour,
        None => return r.phrase("o'clock").and(None),
    };
    Time::new(hour, minute, second, 0).ok()
}

fn half(r: &mut Reader<'_>) -> Option<Half> {
    if r.any_phrase(&["am", "a m", "in the morning", "sang"]).is_some() || dotted(r, "a") {
        return Some(Half::Before);
    }
    let after = ["pm", "p m", "in the afternoon", "in the evening", "at night", "chieu", "toi", "trua", "dem"];
    (r.any_phrase(&after).is_some() || dotted(r, "p")).then_some(Half::After)
}

/// `a.m.`
fn dotted(r: &mut Reader<'_>, letter: &str) -> bool {
    r.attempt(|r| {
        r.one_of(&[letter])?;
        r.sign('.')?;
        r.one_of(&["m"])?;
        let _ = r.sign('.');
        Some(())
    })
    .is_some()
}

fn in_half(hour: i8, half: Half) -> Option<i8> {
    match (half, hour) {
        (Half::Before, 12) => Some(0),
        (Half::Before, 0..=11) => Some(hour),
        (Half::After, 12) => Some(12),
        (Half::After, 1..=11) => Some(hour + 12),
        // `15:30 pm` occurs and is unambiguous.
        (Half::After, 13..=23) => Some(hour),
        _ => None,
    }
}
