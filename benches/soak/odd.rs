//! What other machines and clocks do to a journal: another machine's index in the place of this one's, an older one put back,
//! files of the index damaged, a clock that goes back.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;

use super::{
    dice::Dice,
    home::{Home, copy_folder},
    model::{Answer, Seen, alike, answers, succeeded},
    texts::{Texts, people, word_of},
};

/// What came of several tries.
#[derive(Debug, Default)]
pub struct Tries {
    pub tried: usize,
    /// Entries that were there and are no longer.
    pub lost: Vec<String>,
    /// Commands that failed, and answers that are not those of a new index.
    pub wrong: Vec<String>,
    /// What the program said about it.
    pub said: Vec<String>,
}

impl Tries {
    /// For a test: nothing was lost, everything worked, and it was tried so often.
    #[track_caller]
    #[allow(dead_code, reason = "the bench reports instead")]
    pub fn assert_sound(&self, tried: usize) {
        assert!(self.lost.is_empty() && self.wrong.is_empty() && self.tried == tried, "{self:#?}");
    }
}

/// A journal of `count` entries, indexed, with some of them edited and deleted.
fn journal(binary: &Path, dice: &mut Dice, texts: &mut Texts, count: usize) -> Home {
    let home = Home::new(binary);
    let lines: String = (0..count)
        .map(|number| {
            let time = format!("2026-02-{:02}T{:02}:15:00+07:00", 1 + dice.below(28), number % 24);
            json!({ "id": format!("entry{number:05}"), "time": time, "text": texts.next(dice) }).to_string() + "\n"
        })
        .collect();
    let file = home.folder.path().join("import.jsonl");
    fs::write(&file, lines).expect("a file of the run");
    let file = file.to_string_lossy();
    for arguments in [&["import", "jsonl", &file][..], &["index"], &["rm", "entry00000"], &["index"]] {
        let ran = home.run(arguments);
        assert!(ran.is_ok(), "{}: {}", arguments.join(" "), ran.said());
    }
    home
}

fn index_of(home: &Home) -> PathBuf {
    home.journal().join(".index")
}

/// Everything that a journal is asked, before and after something was done to its index.
struct Expected {
    seen: Seen,
    questions: Vec<String>,
    answers: Vec<Answer>,
}

impl Expected {
    /// Of a journal whose index is sound.
    fn of(home: &Home, dice: &mut Dice) -> Self {
        let seen = Seen::of(home).expect("a sound journal can be read");
        let mut questions: Vec<String> = people().iter().map(|name| (*name).to_owned()).collect();
        questions.push("a walk by the water".to_owned());
        for _ in 0..10 {
            questions.extend(word_of(&dice.pick(&seen.entries).1).map(str::to_owned));
        }
        home.run(&["index", "--rebuild"]);
        let answers = answers(home, &questions);
        Self { seen, questions, answers }
    }

    /// Reads, searches and adds; notes what differs.
    fn compare(&self, home: &Home, what: &str, tries: &mut Tries) {
        tries.tried += 1;
        // The first command meets the odd index.
        let first = answers(home, &self.questions);
        let seen = match Seen::of(home) {
            Ok(seen) => seen,
            Err(fault) => {
                tries.wrong.push(format!("{what}: {fault}"));
                return;
            }
        };
        for (id, text) in &self.seen.entries {
            if seen.text_of(id) != Some(text) {
                tries.lost.push(format!("{what}: {id}"));
            }
        }
        if seen.entries.len() != self.seen.entries.len() {
            tries.wrong.push(format!("{what}: {} entries for {}", seen.entries.len(), self.seen.entries.len()));
        }
        // The first answer may still lack meaning, which is made anew in the background; it never names what is not there.
        let known = |id: &String| self.seen.has(id);
        if first.len() != self.questions.len() || !first.iter().flatten().all(|(id, _)| known(id)) {
            tries.wrong.push(format!("{what}: the first search names entries that are not there, or fails"));
        }
        let indexed = home.run(&["index"]);
        tries.said.extend(indexed.err.lines().map(str::to_owned));
        if let Err(fault) = succeeded(indexed, "index") {
            tries.wrong.push(format!("{what}: {fault}"));
        }
        let now = answers(home, &self.questions);
        for (at, question) in self.questions.iter().enumerate() {
            if !now.get(at).is_some_and(|now| alike(now, &self.answers[at])) {
                tries.wrong.push(format!(
                    "{what}: {question:?} finds {:?}, not {:?}",
                    now.get(at),
                    self.answers.get(at)
                ));
                break;
            }
        }
        let doctor = home.run(&["doctor", "--verify", "--json"]).json().unwrap_or_default();
        if doctor["verified"]["disagreements"].as_array().is_none_or(|found| !found.is_empty()) {
            tries.wrong.push(format!("{what}: doctor: {}", doctor["verified"]));
        }
        if let Err(fault) = succeeded(home.run(&["add", "After it."]), "add") {
            tries.wrong.push(format!("{what}: {fault}"));
        }
    }
}

/// Another machine's index in the place of this one's.
pub fn swap(binary: &Path, count: usize, seed: u64) -> Tries {
    let mut tries = Tries::default();
    let (mut dice, mut texts) = (Dice::new(seed), Texts::default());
    let mine = journal(binary, &mut dice, &mut texts, 60);
    let other = journal(binary, &mut dice, &mut texts, 40);
    // As the index was before the last changes: what a sync tool or a backup puts back.
    let older = Home::copy(&mine);
    for arguments in [&["rm", "entry00001"][..], &["edit", "entry00002", "--text", "Another text."], &["index"]] {
        mine.run(arguments);
    }
    let expected = Expected::of(&mine, &mut dice);
    for at in 0..count {
        let home = Home::copy(&mine);
        let (what, from) = if at % 2 == 0 { ("another machine's", &other) } else { ("an older", &older) };
        // All of it; or half of its files among those of this machine, as a sync that was cut off leaves them.
        let whole = at % 4 < 2;
        if whole {
            fs::remove_dir_all(index_of(&home)).expect("the index is there");
            copy_folder(&index_of(from), &index_of(&home));
        } else {
            for file in files_below(&index_of(from)).into_iter().filter(|_| dice.one_in(2)) {
                let name = file.strip_prefix(index_of(from)).expect("it is below the index");
                let target = index_of(&home).join(name);
                fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("a folder of the run");
                fs::copy(&file, target).expect("a file of the index can be copied");
            }
        }
        let how = if whole { "index" } else { "index, half of it" };
        expected.compare(&home, &format!("{what} {how} (try {at})"), &mut tries);
    }
    tries
}

/// Each file of another machine's index alone among those of this machine, whether or not it has the same name here.
#[allow(dead_code, reason = "the bench mixes half of the files at random")]
pub fn swap_each(binary: &Path, seed: u64) -> Tries {
    let mut tries = Tries::default();
    let (mut dice, mut texts) = (Dice::new(seed), Texts::default());
    let mine = journal(binary, &mut dice, &mut texts, 60);
    let other = journal(binary, &mut dice, &mut texts, 60);
    let expected = Expected::of(&mine, &mut dice);
    for file in files_below(&index_of(&other)) {
        let home = Home::copy(&mine);
        let name = file.strip_prefix(index_of(&other)).expect("it is below the index");
        // Below the random name of this machine's folder, not of the other's.
        let own = fs::read_dir(index_of(&home)).expect("the index is there").flatten().map(|found| found.path());
        let own = own.into_iter().find(|path| path.is_dir()).expect("this machine has an index");
        let target = match name.components().count() {
            1 => index_of(&home).join(name),
            _ => own.join(name.components().skip(1).collect::<PathBuf>()),
        };
        fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("a folder of the run");
        fs::copy(&file, target).expect("a file of the index can be copied");
        expected.compare(&home, &format!("another machine's {}", name.display()), &mut tries);
    }
    tries
}

/// Files of the index cut short, flipped, zeroed, deleted, swapped for a folder, or with junk behind them.
pub fn damage(binary: &Path, count: usize, seed: u64) -> Tries {
    let mut tries = Tries::default();
    let (mut dice, mut texts) = (Dice::new(seed), Texts::default());
    let mine = journal(binary, &mut dice, &mut texts, 60);
    let expected = Expected::of(&mine, &mut dice);
    for at in 0..count {
        let home = Home::copy(&mine);
        let files: Vec<PathBuf> = files_below(&index_of(&home))
            .into_iter()
            .filter(|path| path.extension().is_none_or(|end| end != "lock"))
            .collect();
        let file = dice.pick(&files).clone();
        let mut bytes = fs::read(&file).expect("a file of the index can be read");
        let place = dice.below(bytes.len().max(1));
        let how = match dice.below(5) {
            0 if !bytes.is_empty() => {
                bytes[place] ^= 1 << dice.below(8);
                "flipped"
            }
            1 => {
                bytes.truncate(place);
                "cut"
            }
            2 => {
                bytes.fill(0);
                "zeroed"
            }
            3 => {
                bytes.extend_from_slice(b"junk behind the end");
                "longer"
            }
            _ => "deleted",
        };
        if how == "deleted" {
            fs::remove_file(&file).expect("a file of the index can be deleted");
        } else {
            fs::write(&file, bytes).expect("a file of the index can be written");
        }
        let name = file.strip_prefix(index_of(&home)).unwrap_or(&file).display().to_string();
        expected.compare(&home, &format!("{name} {how} at {place} (try {at})"), &mut tries);
    }
    tries
}

/// The clock goes back by a minute, a day, years; files come from the future.
pub fn clock(binary: &Path, count: usize, seed: u64) -> Tries {
    const NOWS: [&str; 6] = [
        "2026-03-10T09:00:00+07:00",
        "2026-03-10T08:59:00+07:00",
        "2026-03-09T23:00:00+07:00",
        "2025-12-31T23:59:59+07:00",
        "1970-01-01T00:00:01+00:00",
        "2031-01-01T00:00:00-05:00",
    ];
    let mut tries = Tries::default();
    let (mut dice, mut texts) = (Dice::new(seed), Texts::default());
    let mut home = journal(binary, &mut dice, &mut texts, 30);
    let mut expected = Seen::of(&home).expect("a sound journal can be read").entries;
    for at in 0..count {
        tries.tried += 1;
        home.now = (*dice.pick(&NOWS)).to_owned();
        let what = format!("now {} (try {at})", home.now);
        let text = texts.next(&mut dice);
        match succeeded(home.run(&["add", &text]), "add") {
            Ok(added) => expected.extend(added.acknowledged().map(|id| (id.to_owned(), text.clone()))),
            Err(fault) => tries.wrong.push(format!("{what}: {fault}")),
        }
        // A file that was changed "before" it was written, or comes from the future.
        let files = files_below(&home.memory());
        let file = dice.pick(&files);
        let seconds = *dice.pick(&[0, 1_000_000_000, 4_000_000_000]);
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        let opened = fs::File::options().append(true).open(file);
        opened.and_then(|file| file.set_modified(time)).expect("a file's time can be set");
        let roll = dice.below(3);
        let (id, old) = dice.pick(&expected).clone();
        if roll == 0 {
            let text = texts.next(&mut dice);
            match succeeded(home.run(&["edit", &id, "--text", &text]), "edit") {
                Ok(_) => {
                    expected.iter_mut().filter(|(known, _)| *known == id).for_each(|entry| entry.1.clone_from(&text))
                }
                Err(fault) => tries.wrong.push(format!("{what}: {fault}")),
            }
        } else if roll == 1 {
            let there_and_back = [&["rm", &id][..], &["restore", &id]].map(|verb| succeeded(home.run(verb), verb[0]));
            tries
                .wrong
                .extend(there_and_back.into_iter().filter_map(Result::err).map(|fault| format!("{what}: {fault}")));
        } else if let Some(word) = word_of(&old) {
            let found = home.run(&["search", "--json", "--legs", "keyword", word]).json().unwrap_or_default();
            if found["hits"][0]["id"].as_str() != Some(&id) {
                tries.wrong.push(format!("{what}: {word} does not find {id}"));
            }
        }
        match Seen::of(&home) {
            Ok(seen) => {
                let gone = expected.iter().filter(|(id, text)| seen.text_of(id) != Some(text));
                tries.lost.extend(gone.map(|(id, _)| format!("{what}: {id}")));
                if seen.entries.len() != expected.len() {
                    tries.wrong.push(format!("{what}: {} entries for {}", seen.entries.len(), expected.len()));
                }
            }
            Err(fault) => tries.wrong.push(format!("{what}: {fault}")),
        }
        let doctor = home.run(&["doctor", "--verify", "--json"]).json().unwrap_or_default();
        if doctor["verified"]["disagreements"].as_array().is_none_or(|found| !found.is_empty()) {
            tries.wrong.push(format!("{what}: doctor: {}", doctor["verified"]));
        }
    }
    tries
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for item in fs::read_dir(folder).into_iter().flatten().flatten() {
            if item.path().is_dir() {
                open.push(item.path());
            } else {
                found.push(item.path());
            }
        }
    }
    found.sort();
    found
}
