//! Kills over all verbs that change something, and after each of them: is everything there that was acknowledged, and does
//! everything work?

use std::{fs, path::Path, time::Duration};

use serde_json::json;

use super::{
    dice::Dice,
    home::{Home, Kill, Ran},
    model::{Change, Model, Seen, succeeded},
    texts::{Texts, people, word_of},
};

/// How runs are cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// At a step of writing chosen by the dice: needs a debug build.
    Steps,
    /// After a time chosen by the dice.
    Delays,
    /// At a call into the system chosen by the dice: needs strace.
    Calls,
}

impl Method {
    pub fn fault(self) -> &'static str {
        match self {
            Self::Steps => "killed between two steps of writing",
            Self::Delays => "killed at a random moment",
            Self::Calls => "killed at a system call",
        }
    }
}

/// What many kills came to.
#[derive(Debug, Default)]
pub struct Kills {
    /// Runs that were cut off.
    pub kills: usize,
    /// Runs that ended before they could be.
    pub survived: usize,
    /// Acknowledged and no longer there.
    pub lost: Vec<String>,
    /// What did not work afterwards.
    pub stuck: Vec<String>,
    /// Texts that were forgotten and are still in a file.
    pub left_over: Vec<String>,
    /// The most entries at one time that had behind them what a kill left of the next one.
    pub torn: usize,
    /// What the program said about it afterwards.
    pub said: Vec<String>,
}

impl Kills {
    /// For a test: nothing was lost, everything worked, and so many runs were cut off at least.
    #[track_caller]
    #[allow(dead_code, reason = "the bench reports instead")]
    pub fn assert_sound(&self, kills: usize) {
        let sound = self.lost.is_empty() && self.stuck.is_empty() && self.left_over.is_empty();
        assert!(sound && self.kills >= kills, "{self:#?}");
    }
}

/// How many entries a journal starts with, and is held near.
const SIZE: usize = 30;

/// A journal under fire.
pub struct Range {
    home: Home,
    dice: Dice,
    texts: Texts,
    model: Model,
    minutes: u64,
    imports: usize,
    /// What was cut off, to be asked for once more.
    again: Option<(Vec<String>, Change)>,
    /// The names are merged.
    merged: bool,
    /// The usual time of a run, for delays.
    usual: Duration,
}

impl Range {
    /// A journal of [`SIZE`] entries, indexed.
    pub fn new(binary: &Path, seed: u64) -> Self {
        let mut range = Self {
            home: Home::new(binary),
            dice: Dice::new(seed),
            texts: Texts::default(),
            model: Model::default(),
            minutes: 0,
            imports: 0,
            again: None,
            merged: false,
            usual: Duration::from_millis(50),
        };
        let (arguments, change) = range.import(SIZE);
        let ran = range.run(&arguments, Kill::Never);
        assert!(ran.is_ok(), "the first import: {}", ran.said());
        range.model.take(&change, &ran, &Seen::default());
        let ran = range.home.run(&["index"]);
        assert!(ran.is_ok(), "the first index: {}", ran.said());
        range
    }

    /// An entry that is in the journal.
    #[allow(dead_code, reason = "for the tests")]
    pub fn some_id(&mut self) -> String {
        let ids: Vec<&String> = self.model.live.keys().collect();
        (*self.dice.pick(&ids)).clone()
    }

    /// Deletes entries; the index does not know of it yet.
    pub fn remove_some(&mut self, count: usize) {
        for _ in 0..count {
            let id = self.some_id();
            let ran = self.home.run(&["rm", &id]);
            assert!(ran.is_ok(), "{}", ran.said());
            self.model.take(&Change::Remove { id }, &ran, &Seen::default());
        }
    }

    fn run(&self, arguments: &[String], kill: Kill) -> Ran {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.home.killed(&arguments, kill)
    }

    /// A file of entries to import, partly of days that are there already.
    fn import(&mut self, count: usize) -> (Vec<String>, Change) {
        self.imports += 1;
        let path = self.home.folder.path().join(format!("import-{}.jsonl", self.imports));
        let (mut lines, mut entries) = (String::new(), Vec::new());
        for number in 0..count {
            let (id, text) = (format!("im{:03}x{number:03}", self.imports), self.texts.next(&mut self.dice));
            let time = format!("2026-02-{:02}T{:02}:15:00+07:00", 10 + self.dice.below(12), number % 24);
            lines.push_str(&json!({ "id": id, "time": time, "text": text, "mood": "calm" }).to_string());
            lines.push('\n');
            entries.push((id, text));
        }
        fs::write(&path, lines).expect("a file of the run");
        let arguments = vec!["import".to_owned(), "jsonl".to_owned(), path.to_string_lossy().into_owned()];
        (arguments, Change::Import { entries })
    }

    /// The next command and what it changes.
    fn choose(&mut self) -> (Vec<String>, Change) {
        if let Some(again) = self.again.take() {
            return again;
        }
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        let ids: Vec<String> = self.model.live.keys().cloned().collect();
        let trashed: Vec<String> =
            self.model.trashed.iter().filter(|(_, texts)| texts.len() == 1).map(|(id, _)| id.clone()).collect();
        let trashed: Vec<String> = trashed.into_iter().filter(|id| !self.model.live.contains_key(id)).collect();
        let many = ids.len() > SIZE + 10;
        let few = ids.len() < SIZE - 10;
        match self.dice.below(100) {
            roll if few || roll < 20 && !many => {
                let text = self.texts.next(&mut self.dice);
                (words(&["add", &text]), Change::Add { text })
            }
            roll if roll < 32 => {
                let (id, text) = (self.dice.pick(&ids).clone(), self.texts.next(&mut self.dice));
                (words(&["edit", &id, "--text", &text]), Change::Edit { id, text })
            }
            roll if roll < 50 || many && roll < 60 => {
                let id = self.dice.pick(&ids).clone();
                (words(&["rm", &id]), Change::Remove { id })
            }
            roll if roll < 58 && !trashed.is_empty() => {
                let id = self.dice.pick(&trashed).clone();
                (words(&["restore", &id]), Change::Restore { id })
            }
            roll if roll < 66 => {
                let id = self.dice.pick(&ids).clone();
                (words(&["forget", &id, "--yes"]), Change::Forget { id })
            }
            roll if roll < 72 && !many => {
                let count = 1 + self.dice.below(5);
                self.import(count)
            }
            roll if roll < 78 => {
                self.merged = !self.merged;
                let [from, into] = [people()[0], people()[1]];
                let verb = if self.merged { ["entity", "merge", from, into] } else { ["entity", "undo", "", ""] };
                (words(&verb).into_iter().filter(|word| !word.is_empty()).collect(), Change::Nothing)
            }
            roll if roll < 83 => (words(&["index", "--rebuild"]), Change::Nothing),
            // Whoever reads first commits what was deleted before.
            roll => {
                if !self.dice.one_in(3) {
                    let count = 1 + self.dice.below(3);
                    self.remove_some(count);
                }
                let verb = if roll < 91 { vec!["search", people()[2]] } else { vec!["index"] };
                (words(&verb), Change::Nothing)
            }
        }
    }

    fn kill(&mut self, method: Method) -> Kill {
        const CALLS: [&str; 8] = ["fdatasync", "fsync", "write", "rename", "renameat", "unlink", "openat", "ftruncate"];
        match method {
            // Most verbs have few steps, some have many.
            Method::Steps => {
                let most = *self.dice.pick(&[6, 12, 25, 60, 120]);
                Kill::Step(1 + self.dice.below(most) as u64)
            }
            Method::Delays => {
                let most = (self.usual.as_micros() as usize).max(1_000) * 3 / 2;
                Kill::After(Duration::from_micros(self.dice.below(most) as u64))
            }
            Method::Calls => {
                let name = *self.dice.pick(&CALLS);
                let most = if name == "openat" || name == "write" { 60 } else { 12 };
                Kill::Call(name, 1 + self.dice.below(most) as u64)
            }
        }
    }

    /// One command that is cut off, or tried to be, and a look at everything afterwards. False where something was lost or
    /// does not work: the journal is not worth going on with.
    pub fn round(&mut self, method: Method, kills: &mut Kills) -> bool {
        let kill = self.kill(method);
        let (arguments, change) = self.choose();
        self.step(&arguments, &change, kill, kills)
    }

    fn step(&mut self, arguments: &[String], change: &Change, kill: Kill, kills: &mut Kills) -> bool {
        self.minutes += 37;
        self.home.set_minutes(self.minutes);
        let ran = self.run(arguments, kill);
        let what = format!("{} {kill:?}", arguments.join(" ").chars().take(60).collect::<String>().replace('\n', " "));
        match ran.code {
            None => kills.kills += 1,
            Some(_) => kills.survived += 1,
        }
        // Names come and go: that there is nothing to find, to merge or to undo is an answer.
        let no_such_name = match arguments.first().map(String::as_str) {
            Some("entity") => matches!(ran.code, Some(1 | 3)),
            Some("search") => ran.code == Some(3),
            _ => false,
        };
        let answered = ran.is_ok() || ran.code.is_none() || no_such_name;
        if !answered || ran.hung || ran.err.contains("panicked") {
            kills.stuck.push(format!("{what}: {}", ran.said()));
            return false;
        }
        if ran.code.is_none() && matches!(change, Change::Import { .. }) {
            self.again = Some((arguments.to_vec(), change.clone()));
        }
        let seen = match Seen::of(&self.home) {
            Ok(seen) => seen,
            Err(fault) => {
                kills.stuck.push(format!("{what}; then {fault}"));
                return false;
            }
        };
        kills.said.extend(seen.said.iter().cloned());
        self.model.take(change, &ran, &seen);
        let lost = self.model.lost(&seen);
        kills.torn = kills.torn.max(self.model.torn(&seen));
        let sound = lost.is_empty();
        kills.lost.extend(lost.into_iter().map(|lost| format!("{what}: {lost}")));
        if let Change::Forget { .. } = change
            && ran.is_ok()
        {
            self.look_for_forgotten(&what, kills);
        }
        let works = self.works(&what, kills);
        sound && works
    }

    /// Texts that were forgotten are in no file.
    fn look_for_forgotten(&mut self, what: &str, kills: &mut Kills) {
        for text in std::mem::take(&mut self.model.forgotten) {
            let Some(word) = word_of(&text) else { continue };
            // The file that was imported from is the user's own.
            let imported = |path: &Path| path.extension().is_some_and(|ending| ending == "jsonl");
            if let Some(path) = self.home.file_with(word.as_bytes()).filter(|path| !imported(path)) {
                let path = path.strip_prefix(self.home.folder.path()).unwrap_or(&path).display().to_string();
                kills.left_over.push(format!("{what}: {word} is still in {path}"));
            }
        }
    }

    /// The index agrees with the files, every leg answers, and an entry can be added.
    fn works(&mut self, what: &str, kills: &mut Kills) -> bool {
        let stuck_before = kills.stuck.len();
        let mut tell = |fault: String| kills.stuck.push(format!("{what}; then {fault}"));
        let doctor = self.home.run(&["doctor", "--verify", "--json"]);
        match doctor.json() {
            None => tell(format!("doctor: {}", doctor.said())),
            Some(found) => {
                let said = |value: &serde_json::Value| {
                    let said = value.as_array().into_iter().flatten().filter_map(|said| said.as_str());
                    said.map(str::to_owned).collect::<Vec<_>>()
                };
                let disagreements = said(&found["verified"]["disagreements"]);
                disagreements
                    .into_iter()
                    .chain(said(&found["errors"]))
                    .for_each(|fault| tell(format!("doctor: {fault}")));
                kills.said.extend(said(&found["told"]));
            }
        }
        let words: Vec<_> = self.model.live.iter().filter_map(|(id, text)| Some((id, word_of(text)?))).collect();
        if !words.is_empty() {
            let (id, word) = *self.dice.pick(&words);
            let found = self.home.run(&["search", "--json", "--legs", "keyword", word]);
            let hits = found.json().unwrap_or_default()["hits"].as_array().cloned().unwrap_or_default();
            if !hits.iter().any(|hit| hit["id"].as_str() == Some(id)) {
                tell(format!("search by word did not find {id} by {word}: {}", found.said()));
            }
        }
        for (leg, query) in [("vector", "a walk by the water"), ("graph", people()[1])] {
            let found = self.home.run(&["search", "--json", "--legs", leg, query]);
            if !matches!(found.code, Some(0 | 3)) || found.err.contains("panicked") {
                tell(format!("search by {leg}: {}", found.said()));
            }
        }
        let text = self.texts.next(&mut self.dice);
        let added = self.home.run(&["add", &text]);
        // Saving is the shortest of all; the longest takes some times as long.
        self.usual = (self.usual * 7 + added.took * 4) / 8;
        match succeeded(added, "add") {
            Err(fault) => tell(fault),
            Ok(added) => self.model.take(&Change::Add { text }, &added, &Seen::default()),
        }
        kills.stuck.len() == stuck_before
    }

    /// One command, cut off at every one of its steps in turn, each time from the same state of the journal; until it comes to
    /// its end.
    #[allow(dead_code, reason = "for the tests")]
    pub fn sweep(self, choose: impl Fn(&mut Self) -> (Vec<String>, Change), stride: u64, kills: &mut Kills) {
        let mut step = 1;
        loop {
            let mut range = Self {
                home: Home::copy(&self.home),
                dice: Dice::new(step),
                texts: Texts::from(900_000 + step as usize * 100),
                model: self.model.clone(),
                again: None,
                ..self
            };
            let survived = kills.survived;
            let (arguments, change) = choose(&mut range);
            range.step(&arguments, &change, Kill::Step(step), kills);
            if let Some((arguments, change)) = range.again.take() {
                range.step(&arguments, &change, Kill::Never, kills);
                kills.survived -= 1;
            }
            if kills.survived > survived {
                return;
            }
            step += stride;
        }
    }
}

/// Kills until there were `count`, in journals made from `seed`. What fails keeps its folder where `keep` says so.
pub fn run(binary: &Path, method: Method, count: usize, seed: u64, keep: bool, tell: &mut dyn FnMut(&Kills)) -> Kills {
    /// A journal is left behind after so many rounds: its trash grows.
    const ROUNDS: usize = 200;
    let mut kills = Kills::default();
    let mut journal = 0;
    while kills.kills < count {
        let mut range = Range::new(binary, seed + journal);
        journal += 1;
        for _ in 0..ROUNDS {
            if kills.kills >= count {
                break;
            }
            if !range.round(method, &mut kills) {
                if keep {
                    let folder = range.home.keep();
                    kills.stuck.push(format!("kept in {}", folder.display()));
                }
                break;
            }
            tell(&kills);
        }
    }
    kills
}
