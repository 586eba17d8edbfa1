//! Generated journals with a known cause of a feeling, and others without any.
//!
//! Seeds from [`TUNING`] are for choosing thresholds, those from [`TESTING`] only for evaluating the choice. The
//! generator was committed before anything was tuned on it.

use std::ops::Range;

use jiff::{Timestamp, ToSpan, civil};
use kioku::journal::{BodyHash, Entry, EntryId, EntryTime, Place};

/// Seeds for tuning.
pub const TUNING: Range<u64> = 1_000..1_200;
/// Seeds for evaluation.
pub const TESTING: Range<u64> = 5_000..5_200;

/// The feeling in the questions.
pub const FEELING: &str = "stressed";
/// Its cause, if there is one.
pub const CAUSE: &str = "Arno";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The writer states the cause four times, and it also co-occurs with the feeling.
    Stated,
    /// On 12 of 20 feeling days against 4 of 60 others, never stated.
    Unstated,
    /// The same names as often, and the feeling on independent days.
    Nothing,
}

/// The distance between cause and feeling: by `seed % 4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    SameEntry,
    SameDay,
    DayBefore,
    /// Up to three days before, another distance each time, in a journal with an anchor day every four.
    UpToThreeDays,
}

impl Way {
    pub fn of(seed: u64) -> Self {
        [Self::SameEntry, Self::SameDay, Self::DayBefore, Self::UpToThreeDays][(seed % 4) as usize]
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same journal on every machine.
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn chance(&mut self, share: f64) -> bool {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64 <= share
    }

    pub fn shuffled<T>(&mut self, mut all: Vec<T>) -> Vec<T> {
        for at in (1..all.len()).rev() {
            let other = self.below(at + 1);
            all.swap(at, other);
        }
        all
    }
}

/// Unrelated names: their spelling, and their share of the days.
const COMPANY: [(&str, f64); 22] = [
    ("@Bela", 0.75),
    ("#work", 0.6),
    ("@Cosima", 0.45),
    ("[[Harbour]]", 0.4),
    ("@Dunja", 0.35),
    ("#garden", 0.3),
    ("[[Library]]", 0.25),
    ("@Emeric", 0.22),
    ("#piano", 0.2),
    ("@Fenna", 0.2),
    ("[[Old Mill]]", 0.18),
    ("@Gustaf", 0.16),
    ("#bread", 0.15),
    ("@Hanne", 0.14),
    ("[[Station]]", 0.12),
    ("@Ilse", 0.1),
    ("#letters", 0.1),
    ("@Jorun", 0.08),
    ("@Kasimir", 0.06),
    ("[[Island]]", 0.05),
    ("@Lotte", 0.04),
    ("@Matyas", 0.03),
];
const MOODS: [&str; 6] = ["calm", "happy", "tired", "hopeful", "bored", "content"];
const LINES: [&str; 6] = [
    "Saw {} in the morning.",
    "Some time with {}, nothing more to tell.",
    "Later {} again.",
    "Then {}, and the rest of the evening was quiet.",
    "Passed by {}.",
    "Thought of {} on the way home.",
];

/// One day of the plan.
#[derive(Debug, Clone, Default)]
struct Day {
    feeling: bool,
    cause: bool,
    said: bool,
    /// Has other content besides the planted one.
    ordinary: bool,
}

/// A generated journal, oldest entry first.
pub fn journal(kind: Kind, seed: u64) -> Vec<Entry> {
    let mut dice = Dice(seed);
    let way = Way::of(seed);
    let days = match kind {
        Kind::Nothing => shuffled_plan(&mut dice, seed),
        Kind::Stated | Kind::Unstated => plan(&mut dice, way, kind),
    };
    write(&mut dice, way, &days)
}

/// 20 feeling days of 80, 12 of them with the cause, and 4 of the 60 others.
fn plan(dice: &mut Dice, way: Way, kind: Kind) -> Vec<Day> {
    let spread = if way == Way::UpToThreeDays { 4 } else { 1 };
    let anchors: Vec<usize> = (1..=80).map(|at| at * spread).collect();
    let mut days = vec![Day::default(); 81 * spread + 1];
    let anchors = dice.shuffled(anchors);
    let (feeling, others) = anchors.split_at(20);
    for anchor in &anchors {
        days[*anchor].ordinary = true;
    }
    for (place, anchor) in feeling.iter().chain(&others[..4]).enumerate() {
        days[*anchor].feeling = place < 20;
        let lag = match way {
            Way::SameEntry | Way::SameDay => 0,
            Way::DayBefore => 1,
            Way::UpToThreeDays => dice.below(4),
        };
        if !(12..20).contains(&place) {
            days[anchor - lag].cause = true;
        }
        days[*anchor].said = kind == Kind::Stated && place < 4;
    }
    days
}

/// The cause on 16 days and the feeling on 20, independent of each other; with odd seeds in runs of three days, like
/// visits and bad weeks.
fn shuffled_plan(dice: &mut Dice, seed: u64) -> Vec<Day> {
    let spell = if seed % 2 == 1 { 3 } else { 1 };
    let mut days = vec![Day { ordinary: true, ..Day::default() }; 80];
    let mut strew = |count: usize, mark: fn(&mut Day)| {
        let starts = dice.shuffled((0..80).step_by(spell).collect());
        let chosen = starts.into_iter().flat_map(|start| start..start + spell).filter(|at| *at < 80).take(count);
        chosen.for_each(|at| mark(&mut days[at]));
    };
    strew(20, |day| day.feeling = true);
    strew(16, |day| day.cause = true);
    days
}

fn write(dice: &mut Dice, way: Way, days: &[Day]) -> Vec<Entry> {
    let mut entries = Vec::new();
    // A visitor stays for days: half of the names come in runs.
    let mut there = [false; COMPANY.len()];
    for (at, day) in days.iter().enumerate() {
        let mut lines: Vec<String> = Vec::new();
        for (place, (name, share)) in COMPANY.iter().enumerate() {
            let stays = place % 2 == 0 && dice.chance(0.7);
            there[place] = if stays { there[place] } else { dice.chance(*share) };
            if there[place] && (day.ordinary || day.feeling) {
                lines.push(LINES[dice.below(LINES.len())].replace("{}", name));
            }
        }
        let planted = LINES[dice.below(LINES.len())].replace("{}", &format!("@{CAUSE}"));
        let mut lines = dice.shuffled(lines);
        let half = lines.split_off(lines.len() / 2);
        let date = civil::date(2026, 1, 5).checked_add((at as i64).days()).unwrap();
        if day.cause && (way != Way::SameEntry || !day.feeling) {
            lines.push(planted.clone());
        }
        if !lines.is_empty() {
            let mood = if dice.chance(0.6) { Some(MOODS[dice.below(MOODS.len())]) } else { None };
            entries.push(entry(date, 9, mood, &lines));
        }
        if day.ordinary || day.feeling {
            let mut lines = half;
            if day.cause && day.feeling && way == Way::SameEntry {
                lines.push(planted);
            }
            if day.said {
                lines.push(format!("trigger:: [[{CAUSE}]]"));
            }
            lines.push("So much for today.".to_owned());
            let mood = if day.feeling { FEELING } else { MOODS[dice.below(MOODS.len())] };
            entries.push(entry(date, 20, Some(mood), &lines));
        }
    }
    entries
}

/// An entry as the vault would read it.
pub fn entry(day: civil::Date, hour: u8, mood: Option<&str>, lines: &[String]) -> Entry {
    let written = format!("{day}T{hour:02}:00:00Z");
    let at: Timestamp = written.parse().unwrap();
    let body = lines.join("\n");
    Entry {
        id: EntryId::from(format!("{day}-{hour}").as_str()),
        time: EntryTime { written, at, offset_seconds: 0 },
        day,
        mood: mood.map(str::to_owned),
        tags: Vec::new(),
        event_time: None,
        hash: BodyHash::of(body.as_bytes()),
        body,
        extra: Vec::new(),
        place: Place { file: format!("{day}.md").into(), position: u32::from(hour), bytes: 0..0 },
    }
}
