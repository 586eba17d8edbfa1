//! Import of vaults in Kioku's format: those of this program, of the original Kioku and of its small edition.
//!
//! Reads the day files in `memory/`, in one `users/<id>/memory/`, or in the folder itself, and the notes in
//! `entities/`. If several people have entries there, the caller must choose one. Times and ids are kept as written.
//! For an entry without an id, duplicates are detected by time and text.

use std::path::{Path, PathBuf};

use jiff::civil::Date;

use super::{
    ExchangeError, ImportOptions, Imported, ImportedNote, Importer, LossKind, Record, Spot,
    source::{
        Source, decode_verbatim, files_below, made_id, read_bytes, read_text, title_lines, trimmed_block, wall_time,
    },
};
use crate::journal::{
    NewEntry, WrittenEntry,
    day_file::{self, Reading},
    day_names::{Listing, day_of},
};

pub(super) const IMPORTER: Importer =
    Importer { name: "kioku", about: "a Kioku folder (memory/ or users/<id>/memory/), or one of its day files", read };

/// The entries of one person in a folder.
struct Person {
    user: String,
    memory: PathBuf,
    /// Folders with entity notes.
    notes: Vec<PathBuf>,
}

/// The user name for the entries of `memory/` itself, if there are others in `users/`.
pub const MAIN_USER: &str = "memory";

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let path = source.path();
    let mut imported = Imported::default();
    let (files, notes) = match path.is_file() {
        true => (vec![path.to_path_buf()], Vec::new()),
        false => {
            let person = chosen(path, options.user.as_deref())?;
            (listed(&person.memory, person.memory == path, &mut imported)?, person.notes)
        }
    };
    if files.is_empty() {
        return Err(source.without("day files such as memory/2026-02-22.md"));
    }
    for file in files {
        match read_bytes(&file) {
            Ok(bytes) => day(decode_verbatim(&bytes, &file, &mut imported).as_bytes(), &file, options, &mut imported),
            Err(error) => imported.lose(LossKind::Skipped, &file, 1, error.to_string()),
        }
    }
    for entities in notes {
        for file in if entities.is_dir() { files_below(&entities)? } else { Vec::new() } {
            let Some(name) = file.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".md"))
            else {
                continue;
            };
            match read_text(&file, &mut imported) {
                Ok(text) => imported.notes.push(ImportedNote { file: name.to_string(), text }),
                Err(error) => imported.lose(LossKind::Skipped, &file, 1, error.to_string()),
            }
        }
    }
    Ok(imported)
}

/// The users of a folder: [`MAIN_USER`] for `memory/` itself, and the names below `users/`. Empty for another kind of
/// folder.
pub fn users(path: &Path) -> Result<Vec<String>, ExchangeError> {
    Ok(people(path)?.into_iter().map(|person| person.user).collect())
}

/// Selects the person to import. An error if there are several and none is given, so that their entries are never
/// mixed.
fn chosen(path: &Path, user: Option<&str>) -> Result<Person, ExchangeError> {
    let mut people = people(path)?;
    let users = || people.iter().map(|person| person.user.clone()).collect();
    match user {
        Some(user) => match people.iter().position(|person| person.user == user) {
            Some(at) => Ok(people.swap_remove(at)),
            None => Err(ExchangeError::NoSuchUser { path: path.into(), user: user.to_owned(), users: users() }),
        },
        None if people.len() > 1 => Err(ExchangeError::SeveralUsers { path: path.into(), users: users() }),
        None => Ok(people.pop().unwrap_or_else(|| Person {
            user: MAIN_USER.to_owned(),
            memory: path.to_path_buf(),
            notes: vec![path.join("entities")],
        })),
    }
}

fn people(path: &Path) -> Result<Vec<Person>, ExchangeError> {
    let shared = path.join("entities");
    let mut people = Vec::new();
    let memory = path.join("memory");
    if has_days(&memory)? {
        people.push(Person { user: MAIN_USER.to_owned(), memory, notes: vec![shared.clone()] });
    }
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(path.join("users")).into_iter().flatten().flatten().map(|user| user.path()).collect();
    folders.sort();
    for folder in folders {
        let memory = folder.join("memory");
        let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { continue };
        if !has_days(&memory)? {
            continue;
        }
        // Notes next to `memory/` belong to that person; without a `memory/` they are shared by all users.
        let shared = (!path.join("memory").is_dir()).then(|| shared.clone());
        let user = if name == MAIN_USER { format!("users/{name}") } else { name.to_owned() };
        people.push(Person { user, memory, notes: shared.into_iter().chain([folder.join("entities")]).collect() });
    }
    Ok(people)
}

/// The day files that a vault would read; other text files are reported as losses.
fn listed(folder: &Path, is_flat: bool, imported: &mut Imported) -> Result<Vec<PathBuf>, ExchangeError> {
    let listing = Listing::of(folder, is_flat)?;
    for notice in listing.notices() {
        imported.lose(LossKind::Skipped, &folder.join(&*notice.file), notice.line, notice.message);
    }
    let mut files: Vec<PathBuf> = listing.day_files.iter().map(|name| folder.join(name)).collect();
    files.retain(|file| {
        let is_link = file.is_symlink();
        if is_link {
            imported.lose(LossKind::Skipped, file, 1, "a link; import does not follow links");
        }
        !is_link
    });
    Ok(files)
}

fn has_days(memory: &Path) -> Result<bool, ExchangeError> {
    Ok(memory.is_dir() && !Listing::of(memory, false)?.day_files.is_empty())
}

fn day(bytes: &[u8], path: &Path, options: &ImportOptions, imported: &mut Imported) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let scan = day_file::scan(bytes);
    for notice in day_file::notices(bytes, &scan, &name.as_ref().into()) {
        imported.lose(LossKind::Doubtful, path, notice.line, notice.message);
    }
    let headless = scan.blocks.iter().take_while(|block| block.head.is_absent()).count();
    let end = scan.blocks[..headless].last().map_or(scan.preface, |block| block.end);
    preface(&bytes[..end], path, day_of(&name), options, imported);
    let reading = Reading { zone: options.zone.clone(), day_start: jiff::civil::Time::midnight() };
    let entries = day_file::entries(bytes, &scan, &name.as_ref().into(), &reading);
    for written in entries.into_iter().skip(headless) {
        let entry = new_entry(written, imported);
        imported.entries.push(entry);
    }
}

/// Imports text above the first entry (except titles) as an entry of this day without a known time.
fn preface(bytes: &[u8], path: &Path, day: Option<Date>, options: &ImportOptions, imported: &mut Imported) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let titles = day.map_or(0, |day| title_lines(&lines, day));
    let body = trimmed_block(&lines[titles..].join("\n")).to_string();
    let time = day.and_then(|day| wall_time(day.at(12, 0, 0, 0), &options.zone));
    match time {
        _ if body.is_empty() => {}
        None => {
            imported.lose(LossKind::Skipped, path, titles + 1, "text above the first entry of a file without a date")
        }
        Some(time) => {
            let at = Spot { path, line: titles + 1 };
            let message = "text above the first entry, kept at noon with undated: true";
            imported.lose(LossKind::Doubtful, path, at.line, message);
            let id = made_id("kioku", &[&time.local().to_string(), &body]);
            imported.add(Record { id, time: Some(time), text: &body, is_undated: true, ..Record::default() }, at);
        }
    }
}

fn new_entry(written: WrittenEntry, imported: &mut Imported) -> NewEntry {
    let WrittenEntry { entry, has_id } = written;
    let mut extra = Vec::new();
    for (key, value) in &entry.extra {
        imported.keep_extra(&mut extra, key, value);
    }
    NewEntry {
        id: has_id.then(|| entry.id.to_string()),
        time: Some(entry.time),
        mood: entry.mood,
        tags: entry.tags,
        event_time: entry.event_time,
        extra,
        body: entry.body,
        ..NewEntry::default()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jiff::tz::{TimeZone, offset};
    use proptest::prelude::*;

    use super::*;

    fn options() -> ImportOptions {
        ImportOptions::new(TimeZone::fixed(offset(7)))
    }

    const ORIGINAL: &str = "# Kioku — 2026-02-22\n\nloose text\n\n---\ntime: \"2026-02-22T15:30:00.123456+07:00\"\n\
        mood: \"stressed\"\ntags: ['work', \"it's\"]\nevent_time: \"2025-02\"\n---\nMet Hùng.\n\n---\n\nAfter the line.\n\n\
        ---\ntime: \"2026-02-22T16:00:00+07:00\"\nsleep: 6.5\nid: \"abcdefghij\"\n---\nSecond.\n";

    #[test]
    fn the_original_is_read_entry_by_entry() {
        let mut imported = Imported::default();
        day(ORIGINAL.as_bytes(), Path::new("2026-02-22.md"), &options(), &mut imported);
        let [above, first, second] = imported.entries.as_slice() else { panic!("{imported:?}") };
        assert_eq!(above.body, "loose text");
        assert_eq!(above.time.as_ref().unwrap().written, "2026-02-22T12:00:00+07:00");
        assert_eq!(first.time.as_ref().unwrap().written, "2026-02-22T15:30:00.123456+07:00");
        assert_eq!((first.id.as_deref(), first.mood.as_deref()), (None, Some("stressed")));
        assert_eq!(first.tags, ["work", "it's"]);
        assert_eq!(first.event_time.as_deref(), Some("2025-02"));
        assert_eq!(first.body, "Met Hùng.\n\n---\n\nAfter the line.");
        assert_eq!(second.id.as_deref(), Some("abcdefghij"));
        assert_eq!(second.extra, [("sleep".to_string(), "6.5".to_string())]);
        assert_eq!(imported.losses.iter().map(|loss| loss.line).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn every_layout_is_found() {
        for layout in ["memory/2026-02-22.md", "users/me/memory/2026-02-22.md", "2026-02-22.md"] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(layout);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, ORIGINAL).unwrap();
            fs::create_dir_all(folder.path().join("entities")).unwrap();
            fs::write(folder.path().join("entities/Hùng.md"), "---\ntype: person\n---\n").unwrap();
            let imported = read(&Source::at(folder.path()), &options()).unwrap();
            assert_eq!((imported.entries.len(), imported.notes.len()), (3, 1), "{layout}");
            assert_eq!(read(&Source::at(&file), &options()).unwrap().entries.len(), 3);
        }
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(read(&Source::at(empty.path()), &options()), Err(ExchangeError::NotThere { .. })));
    }

    #[test]
    fn several_people_are_never_read_as_one() {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("memory/2026-02-22.md", "mine"),
            ("users/lan/memory/2026-02-22.md", "of Lan"),
            ("users/minh/memory/2026-02-22.md", "of Minh"),
            ("users/nobody/memory/notes.txt", "no day"),
            ("users/lan/entities/Rex.md", "a dog"),
            ("entities/Rex.md", "a cat"),
        ] {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let refused = read(&Source::at(folder.path()), &options()).unwrap_err();
        assert!(refused.to_string().ends_with("several users: memory, lan, minh"), "{refused}");
        for (user, text, notes) in [("memory", "mine", 1), ("lan", "of Lan", 1), ("minh", "of Minh", 0)] {
            let imported =
                read(&Source::at(folder.path()), &ImportOptions { user: Some(user.into()), ..options() }).unwrap();
            let bodies: Vec<&str> = imported.entries.iter().map(|entry| entry.body.as_str()).collect();
            assert_eq!((bodies, imported.notes.len()), (vec![text], notes), "{user}");
        }
        let refused =
            read(&Source::at(folder.path()), &ImportOptions { user: Some("an".into()), ..options() }).unwrap_err();
        assert!(refused.to_string().contains("users: memory, lan, minh"), "{refused}");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "(---\n|time: 2026-02-22T10:00\n|tags: \\PC{0,6}\n|\\PC{0,6}|\n){0,12}") {
            for bytes in [bytes.as_slice(), text.as_bytes()] {
                day(bytes, Path::new("2026-02-22.md"), &options(), &mut Imported::default());
            }
        }
    }
}
