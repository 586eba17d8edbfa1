//! Hours of use: the screens stay open over a large journal, the command line writes, edits, deletes and searches beside them.
//! Memory, open handles and disk are sampled; at the end the index must give the same answers as one that was made anew.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::{
    corpus,
    crowd::without_names,
    dice::Dice,
    home::Home,
    model::{Seen, alike, answers},
    screen::Screen,
    texts::Texts,
};

/// One look at the screens' process and at the disk.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    pub after: Duration,
    pub memory_kb: u64,
    pub handles: usize,
    pub threads: u64,
    pub index_kb: u64,
    pub home_kb: u64,
}

#[derive(Debug, Default)]
pub struct Soak {
    pub entries: usize,
    pub added: usize,
    pub changed: usize,
    pub searches: usize,
    pub samples: Vec<Sample>,
    /// Entries that were acknowledged, not deleted, and are not there at the end.
    pub lost: Vec<String>,
    /// Queries that another index answers in another way.
    pub differing: Vec<String>,
    pub stuck: Vec<String>,
}

/// So many questions are asked of both indexes.
const QUESTIONS: usize = 100;

pub fn run(binary: &Path, entries: usize, length: Duration, seed: u64, tell: &mut dyn FnMut(&Sample)) -> Soak {
    let mut home = Home::new(binary);
    // The day after the last of the made-up journal.
    home.now = "2026-09-01T12:00:00+07:00".to_owned();
    corpus::write_vault(&home.journal(), seed, entries).expect("the journal is written");
    let mut soak = Soak { entries, ..Soak::default() };
    let indexed = home.run(&["index"]);
    if !indexed.is_ok() {
        soak.stuck.push(format!("the first index: {}", indexed.said()));
        return soak;
    }
    let (mut dice, mut texts) = (Dice::new(seed), Texts::default());
    let questions = corpus::queries(seed, QUESTIONS);
    let mut screen = Screen::open(&home);
    if !screen.until(Duration::from_secs(120), |screen| screen.contains("Journal")) {
        soak.stuck.push(format!("the screens did not open:\n{}", screen.contents()));
        return soak;
    }
    let begun = Instant::now();
    let every = (length / 60).max(Duration::from_secs(1));
    let mut next = Duration::ZERO;
    let mut own: Vec<String> = Vec::new();
    while begun.elapsed() < length {
        if begun.elapsed() >= next {
            let sample = sample(&home, &screen, begun.elapsed());
            tell(&sample);
            soak.samples.push(sample);
            next += every;
        }
        soak.step(&home, &mut screen, &mut dice, &mut texts, &questions, &mut own);
        thread::sleep(Duration::from_millis(20));
    }
    soak.samples.push(sample(&home, &screen, begun.elapsed()));
    if !screen.quit() {
        soak.stuck.push("the screens did not end by themselves".to_owned());
    }
    soak.compare(&home, &questions);
    match Seen::of(&home) {
        Ok(seen) => soak.lost.extend(own.into_iter().filter(|id| !seen.has(id))),
        Err(fault) => soak.stuck.push(fault),
    }
    soak
}

impl Soak {
    fn step(
        &mut self,
        home: &Home,
        screen: &mut Screen,
        dice: &mut Dice,
        texts: &mut Texts,
        questions: &[String],
        own: &mut Vec<String>,
    ) {
        let text = texts.next(dice);
        let (verb, ran) = match dice.below(10) {
            0..=3 => {
                let ran = home.run(&["add", &text]);
                own.extend(ran.acknowledged().map(str::to_owned));
                self.added += 1;
                ("add", ran)
            }
            4 if !own.is_empty() => {
                self.changed += 1;
                ("edit", home.run(&["edit", dice.pick(own).as_str(), "--text", &text]))
            }
            5 if own.len() > 20 => {
                self.changed += 1;
                let id = own.swap_remove(dice.below(own.len()));
                ("rm", home.run(&["rm", &id]))
            }
            6 => {
                // The panes in turn, with a query typed and taken back.
                self.searches += 1;
                let word = dice.pick(questions).chars().filter(|c| c.is_alphabetic() || *c == ' ').collect::<String>();
                screen.keys("/");
                screen.keys(&word);
                screen.keys("\r");
                screen.escape(3);
                screen.keys(["1", "3", "6", "1"][dice.below(4)]);
                screen.drain();
                return;
            }
            7 => {
                self.added += 1;
                screen.escape(1);
                screen.keys("1");
                if !screen.write(&format!("{} typed", Texts::word(dice.below(99_999) + 700_000))) {
                    self.stuck.push(format!("the screens did not save:\n{}", screen.contents()));
                    screen.escape(2);
                }
                return;
            }
            _ => {
                self.searches += 1;
                ("search", home.run(&["search", "--json", dice.pick(questions).as_str()]))
            }
        };
        screen.drain();
        if ran.hung || !matches!(ran.code, Some(0 | 3)) || ran.err.contains("panicked") {
            self.stuck.push(format!("{verb}: {}", without_names(&ran.said())));
        }
    }

    /// The same questions to the index as it has become, and to one made anew.
    fn compare(&mut self, home: &Home, questions: &[String]) {
        let mut work = |what: &[&str]| {
            let ran = home.run(what);
            if !ran.is_ok() {
                self.stuck.push(format!("{}: {}", what.join(" "), ran.said()));
            }
            ran
        };
        work(&["index"]);
        let doctor = work(&["doctor", "--verify", "--json"]).json().unwrap_or_default();
        let before = answers(home, questions);
        work(&["index", "--rebuild"]);
        let after = answers(home, questions);
        let disagreements = doctor["verified"]["disagreements"].as_array().map_or(usize::MAX, Vec::len);
        if disagreements > 0 {
            self.stuck.push(format!("doctor: {disagreements} disagreements"));
        }
        if before.len() != questions.len() || after.len() != questions.len() {
            self.stuck.push(format!("{} and {} of {} questions answered", before.len(), after.len(), questions.len()));
        }
        for ((question, before), after) in questions.iter().zip(&before).zip(&after) {
            if !alike(before, after) {
                self.differing.push(format!("{question}: {before:?} and {after:?}"));
            }
        }
    }

    /// How much larger the mean of the last quarter of the samples is than that of the second, in percent: memory, handles.
    pub fn growth(&self) -> (f64, f64) {
        let quarter = self.samples.len() / 4;
        let mean = |samples: &[Sample], of: fn(&Sample) -> f64| {
            samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
        };
        let growth = |of: fn(&Sample) -> f64| {
            let early = mean(self.samples.get(quarter..2 * quarter).unwrap_or_default(), of);
            let late = mean(self.samples.get(3 * quarter..).unwrap_or_default(), of);
            if early > 0.0 { (late - early) / early * 100.0 } else { 0.0 }
        };
        (growth(|sample| sample.memory_kb as f64), growth(|sample| sample.handles as f64))
    }
}

fn sample(home: &Home, screen: &Screen, after: Duration) -> Sample {
    let process = screen.id().map(|id| format!("/proc/{id}")).unwrap_or_default();
    let status = fs::read_to_string(format!("{process}/status")).unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    Sample {
        after,
        memory_kb: field("VmRSS:"),
        handles: fs::read_dir(format!("{process}/fd")).map_or(0, Iterator::count),
        threads: field("Threads:"),
        index_kb: kilobytes(&home.journal().join(".index")),
        home_kb: kilobytes(home.folder.path()),
    }
}

fn kilobytes(folder: &Path) -> u64 {
    let (mut bytes, mut open) = (0, vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for item in fs::read_dir(folder).into_iter().flatten().flatten() {
            match item.metadata() {
                Ok(data) if data.is_dir() => open.push(item.path()),
                Ok(data) => bytes += data.len(),
                Err(_) => {}
            }
        }
    }
    bytes / 1024
}
