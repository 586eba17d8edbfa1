//! Everybody writes at once: four programs that add, edit and delete, an editor that knows no lock, a sync tool that puts older
//! files back, the screens, and an index that is brought up to date in between.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{
    dice::Dice,
    home::{Home, Ran},
    model::Seen,
    screen::Screen,
    texts::{Texts, word_of},
};

const WRITERS: usize = 4;
const DAYS: usize = 12;

/// What came of it.
#[derive(Debug, Default)]
pub struct Crowd {
    /// Texts that a writer or the screens were told are saved.
    pub acknowledged: usize,
    pub in_journal: usize,
    pub in_trash: usize,
    /// Only in the second copies, with nothing in the trash that would say so.
    pub only_recent: Vec<String>,
    /// Nowhere.
    pub lost: Vec<String>,
    /// Runs that failed, by what they said.
    pub refused: BTreeMap<String, usize>,
    /// Runs that hung or panicked, and what did not work at the end.
    pub stuck: Vec<String>,
    pub typed: usize,
    pub overwritten: usize,
    pub put_back: usize,
}

/// What one writer was told.
#[derive(Default)]
struct Log {
    texts: Vec<String>,
    refused: BTreeMap<String, usize>,
    stuck: Vec<String>,
}

pub fn run(binary: &Path, length: Duration, seed: u64) -> Crowd {
    let mut home = Home::new(binary);
    // The system's clock: file times and entries go together.
    home.now = String::new();
    let first = home.run(&["add", "zq000000 The first entry."]);
    assert!(first.is_ok(), "{}", first.said());
    let home = &home;
    let over = &AtomicBool::new(false);
    let mut crowd = Crowd::default();
    let logs = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(home, over, writer, seed))).collect();
        let typing = scope.spawn(move || type_entries(home, over, seed));
        let editing = scope.spawn(move || edit_files(home, over, seed));
        let syncing = scope.spawn(move || put_back(home, over, seed));
        let indexing = scope.spawn(move || index(home, over));
        let begun = Instant::now();
        while begun.elapsed() < length {
            thread::sleep(Duration::from_millis(100).min(length.saturating_sub(begun.elapsed())));
        }
        over.store(true, Ordering::Relaxed);
        let mut logs: Vec<Log> =
            writers.into_iter().map(|writer| writer.join().expect("a writer does not panic")).collect();
        let typed = typing.join().expect("the screens' thread does not panic");
        crowd.typed = typed.texts.len();
        logs.push(typed);
        logs.push(indexing.join().expect("the indexer does not panic"));
        crowd.overwritten = editing.join().expect("the editor does not panic");
        crowd.put_back = syncing.join().expect("the sync tool does not panic");
        logs
    });
    for _ in 0..2 {
        let indexed = home.run(&["index"]);
        if !indexed.is_ok() {
            crowd.stuck.push(format!("index at the end: {}", indexed.said()));
        }
    }
    let mut texts = Vec::new();
    for log in logs {
        texts.extend(log.texts);
        crowd.stuck.extend(log.stuck);
        log.refused.into_iter().for_each(|(said, times)| *crowd.refused.entry(said).or_default() += times);
    }
    crowd.look_for(home, &texts);
    let doctor = home.run(&["doctor", "--verify", "--json"]);
    let disagreements = doctor.json().map(|found| found["verified"]["disagreements"].clone());
    if disagreements.as_ref().and_then(|found| found.as_array()).is_none_or(|found| !found.is_empty()) {
        crowd.stuck.push(format!("doctor at the end: {disagreements:?} {}", doctor.said()));
    }
    crowd
}

impl Crowd {
    fn look_for(&mut self, home: &Home, texts: &[String]) {
        self.acknowledged = texts.len();
        let seen = match Seen::of(home) {
            Ok(seen) => seen,
            Err(fault) => {
                self.stuck.push(fault);
                Seen::default()
            }
        };
        // The editor adds lines to a text: what is looked for is in it.
        let by_word = |pieces: &[(String, String)]| {
            let mut found: HashMap<String, Vec<String>> = HashMap::new();
            for (_, text) in pieces {
                for at in text.match_indices("zq").map(|(at, _)| at) {
                    if let Some(word) = text.get(at..at + 8) {
                        found.entry(word.to_owned()).or_default().push(text.clone());
                    }
                }
            }
            found
        };
        let (entries, trash) = (by_word(&seen.entries), by_word(&seen.trash));
        let recent: String = texts_in(&home.journal().join("recent")).into_iter().map(|(_, text)| text).collect();
        for text in texts {
            let word = word_of(text).unwrap_or_default();
            let among = |found: &HashMap<String, Vec<String>>| {
                found.get(word).is_some_and(|held| held.iter().any(|held| held.contains(text)))
            };
            if among(&entries) {
                self.in_journal += 1;
            } else if among(&trash) {
                self.in_trash += 1;
            } else if recent.contains(word) {
                self.only_recent.push(format!("{text}\n{}", traces_of(home, word)));
            } else {
                self.lost.push(format!("{text}\n{}", traces_of(home, word)));
            }
        }
    }
}

/// Every file of a folder as text.
fn texts_in(folder: &Path) -> Vec<(PathBuf, String)> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path());
    files
        .filter_map(|path| Some((path.clone(), String::from_utf8_lossy(&fs::read(&path).ok()?).into_owned())))
        .collect()
}

/// Where a word is found in the files of the journal, with the text around it: to tell how an entry was lost.
fn traces_of(home: &Home, word: &str) -> String {
    let folders = ["memory", "trash", "recent"].map(|name| home.journal().join(name));
    let mut traces = String::new();
    for (path, text) in folders.iter().flat_map(|folder| texts_in(folder)) {
        for (at, _) in text.match_indices(word) {
            let around =
                text.floor_char_boundary(at.saturating_sub(300))..text.ceil_char_boundary((at + 300).min(text.len()));
            traces.push_str(&format!("--- in {}:\n{}\n", path.display(), &text[around]));
        }
    }
    traces
}

/// A program that adds, edits and deletes its own entries.
fn write(home: &Home, over: &AtomicBool, writer: usize, seed: u64) -> Log {
    let mut dice = Dice::new(seed * 100 + writer as u64);
    let mut texts = Texts::from(writer * 100_000 + 1);
    let mut log = Log::default();
    let mut own: Vec<String> = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let text = texts.next(&mut dice);
        let roll = dice.below(100);
        let ran = if roll < 65 || own.is_empty() {
            let day = dice.below(DAYS);
            let at = format!("{} days ago {:02}:{:02}", day + 1, dice.below(24), dice.below(60));
            let at = if day == 0 { None } else { Some(at) };
            let arguments = at.iter().flat_map(|at| ["--at", at.as_str()]);
            let ran = home.run(&["add"].into_iter().chain(arguments).chain([text.as_str()]).collect::<Vec<_>>());
            if let Some(id) = ran.acknowledged().filter(|_| ran.is_ok()) {
                own.push(id.to_owned());
                log.texts.push(text);
            }
            ran
        } else if roll < 80 {
            let at = dice.below(own.len());
            let ran = home.run(&["edit", &own[at], "--text", &text]);
            if let Some(id) = ran.acknowledged().filter(|_| ran.is_ok()) {
                own[at] = id.to_owned();
                log.texts.push(text);
            }
            ran
        } else if roll < 90 {
            let id = own.swap_remove(dice.below(own.len()));
            home.run(&["rm", &id])
        } else {
            home.run(&["search", "--json", "a walk by the lake with Linh"])
        };
        log.note(&ran);
    }
    log
}

impl Log {
    fn note(&mut self, ran: &Ran) {
        if ran.hung || ran.err.contains("panicked") {
            self.stuck.push(ran.said());
        } else if !matches!(ran.code, Some(0 | 3)) {
            *self.refused.entry(without_names(&ran.said())).or_default() += 1;
        }
    }
}

/// A message without what differs from one run to the next.
pub fn without_names(said: &str) -> String {
    let words = said.split_whitespace().map(|word| {
        let is_name =
            word.contains('/') || word.chars().any(|c| c.is_ascii_digit()) || word.len() == 10 && word.is_ascii();
        if is_name { "…" } else { word }
    });
    words.collect::<Vec<_>>().join(" ").chars().take(100).collect()
}

/// The screens, in which entries are typed.
fn type_entries(home: &Home, over: &AtomicBool, seed: u64) -> Log {
    let mut dice = Dice::new(seed * 100 + 50);
    let mut log = Log::default();
    let mut count = 600_000;
    let mut screen: Option<Screen> = None;
    while !over.load(Ordering::Relaxed) {
        let open = screen.get_or_insert_with(|| {
            let mut open = Screen::open(home);
            open.until(Duration::from_secs(60), |screen| screen.contains("Journal"));
            open
        });
        count += 1;
        let text = format!("{} typed on the screens, by the lake with Linh, {}", Texts::word(count), dice.below(1000));
        if open.write(&text) {
            log.texts.push(text);
        } else if !over.load(Ordering::Relaxed) {
            log.stuck.push(format!("the screens did not save:\n{}", open.contents()));
            if let Some(failed) = screen.take() {
                failed.quit();
            }
        }
        thread::sleep(Duration::from_millis(200));
    }
    if screen.is_some_and(|screen| !screen.quit()) {
        log.stuck.push("the screens did not end by themselves".to_owned());
    }
    log
}

/// An editor that reads a day file, thinks, and writes it back whole: in place, in two halves, or as a new file of that name.
fn edit_files(home: &Home, over: &AtomicBool, seed: u64) -> usize {
    let mut dice = Dice::new(seed * 100 + 60);
    let mut count = 0;
    while !over.load(Ordering::Relaxed) {
        let files = files_of(&home.memory());
        if !files.is_empty() {
            let (path, bytes) = dice.pick(&files);
            thread::sleep(Duration::from_millis(dice.below(40) as u64));
            let mut text = String::from_utf8_lossy(bytes).into_owned();
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("by another hand, {count}\n"));
            let written = if dice.one_in(2) {
                in_place(path, text.as_bytes(), Duration::from_millis(dice.below(8) as u64))
            } else {
                by_rename(path, text.as_bytes())
            };
            count += usize::from(written.is_ok());
        }
        thread::sleep(Duration::from_millis(100 + dice.below(300) as u64));
    }
    count
}

fn in_place(path: &Path, bytes: &[u8], pause: Duration) -> std::io::Result<()> {
    let mut file = fs::File::create(path)?;
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first)?;
    thread::sleep(pause);
    file.write_all(second)
}

fn by_rename(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = path.with_extension("md.swp");
    fs::write(&beside, bytes)?;
    fs::rename(beside, path)
}

/// A sync tool: what it saw some seconds ago comes back, or a conflict copy is made of what is there.
fn put_back(home: &Home, over: &AtomicBool, seed: u64) -> usize {
    let mut dice = Dice::new(seed * 100 + 70);
    let mut count = 0;
    let mut older = files_of(&home.memory());
    while !over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(500 + dice.below(1_000) as u64));
        if let Some((path, bytes)) = older.get(dice.below(older.len().max(1))) {
            let done = if dice.one_in(3) {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                fs::write(path.with_file_name(format!("{stem}.sync-conflict-20260302-101010-ABCDEFG.md")), bytes)
            } else {
                by_rename(path, bytes)
            };
            count += usize::from(done.is_ok());
        }
        if dice.one_in(2) {
            older = files_of(&home.memory());
        }
    }
    count
}

/// The index is brought up to date, and sometimes made anew.
fn index(home: &Home, over: &AtomicBool) -> Log {
    let mut log = Log::default();
    let mut count = 0;
    while !over.load(Ordering::Relaxed) {
        count += 1;
        let ran = if count % 10 == 0 { home.run(&["index", "--rebuild"]) } else { home.run(&["index"]) };
        log.note(&ran);
        thread::sleep(Duration::from_secs(1));
    }
    log
}

/// The day files of a folder, with what is in them.
fn files_of(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let listing = fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path());
    let mut files: Vec<_> = listing
        .filter(|path| path.file_name().is_some_and(|name| name.len() == "2026-03-02.md".len()))
        .filter_map(|path| fs::read(&path).ok().map(|bytes| (path, bytes)))
        .collect();
    files.sort();
    files
}
