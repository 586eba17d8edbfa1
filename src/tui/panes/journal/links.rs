//! Names in an entry as links, for the keyboard.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use jiff::civil;

use super::{Focus, Journal};
use crate::{
    extract::{self, MentionSource},
    journal::{EntityKind, attachment_path, percent_decoded},
    paths,
    session::DayEntry,
    tui::{
        Target, UpdateContext, cells, effect::Effect, opener::LONGEST_SHOWN, update_context::Settings,
        widgets::markdown::targets,
    },
};

/// A name in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// `None` until the graph has the entry.
    pub kind: Option<EntityKind>,
    pub name: String,
    /// Its spans in the text, in order; empty where only the head names it.
    pub spans: Vec<Range<usize>>,
}

/// Each name once, in text order, those of the head last.
pub fn links(known: &DayEntry) -> Vec<Link> {
    let link = |(kind, name): &(EntityKind, String)| Link { kind: Some(*kind), name: name.clone(), spans: Vec::new() };
    let mut links: Vec<Link> = known.names.iter().map(link).collect();
    for (nth, _, span) in &known.spans {
        if let Some(link) = links.get_mut(*nth) {
            link.spans.push(span.clone());
        }
    }
    if links.is_empty() {
        links = marked(&known.entry.body);
    }
    for (span, target) in targets::spans(&known.entry.body) {
        let Some(name) = targets::day(&target).map(|day| day.to_string()) else { continue };
        add(&mut links, name, span);
    }
    links.sort_by_key(|link| link.spans.first().map_or(usize::MAX, |span| span.start));
    links
}

/// The file that a path in an entry leads to: relative to its day file or to the folder of the day files, and
/// `attachments/` to the journal. The first that exists, because folders of notes differ in this.
fn path_of(target: &str, file: &str, settings: &Settings) -> String {
    let target = target.strip_prefix("file://").unwrap_or(target);
    let typed = paths::with_home(target).unwrap_or_else(|| PathBuf::from(target));
    let (Some(folder), Some(root)) = (&settings.folder, &settings.root) else { return typed.display().to_string() };
    let attached = attachment_path(target).map(|path| root.join(path));
    let day_file = folder.join(file);
    let beside = day_file.parent().unwrap_or(folder);
    let decoded = percent_decoded(target);
    let near = [beside, folder].into_iter().flat_map(|folder| [folder.join(&typed), folder.join(&decoded)]);
    let mut candidates = near.chain(attached.clone());
    let found = candidates.find(|path| path.exists());
    found.or(attached).unwrap_or_else(|| beside.join(&typed)).display().to_string()
}

/// Names from the entry's markup: the graph ingests a new entry a moment after it is on screen.
fn marked(body: &str) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for mark in extract::marks(body).into_iter().filter(|mark| mark.source != MentionSource::Tag) {
        add(&mut links, mark.name, mark.span.start as usize..mark.span.end as usize);
    }
    links
}

fn add(links: &mut Vec<Link>, name: String, span: Range<usize>) {
    match links.iter_mut().find(|link| link.name == name) {
        Some(link) => link.spans.push(span),
        None => links.push(Link { kind: None, name, spans: vec![span] }),
    }
}

fn open_day(day: civil::Date, cx: &mut UpdateContext<'_>) {
    match cx.view.line(day) {
        Some(_) => cx.open(Target { day: Some(day), ..Target::journal() }),
        None => cx.done(format!("No entries on {day}")),
    }
}

impl Journal {
    /// Opens the first link of the entry outside; pressed again, the next one.
    pub(super) fn open_link(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(known) = self.entry() else { return };
        let found = targets::targets(&known.entry.body);
        let nth = match self.opened_link.take() {
            Some((id, nth)) if id == known.entry.id => (nth + 1) % found.len().max(1),
            _ => 0,
        };
        let Some(target) = found.get(nth) else { return cx.done("No links in this entry") };
        let more = if found.len() > 1 { format!(" ({} of {})", nth + 1, found.len()) } else { String::new() };
        self.opened_link = Some((known.entry.id.clone(), nth));
        if let Some(day) = targets::day(target) {
            return open_day(day, cx);
        }
        let whole = if targets::is_address(target) {
            target.clone()
        } else {
            path_of(target, &known.entry.place.file, cx.settings)
        };
        if !targets::is_address(target) && !Path::new(&whole).exists() {
            return cx.done(format!("No such file: {}{more}", cells::truncate(target, LONGEST_SHOWN)));
        }
        cx.done(format!("Opening {}{more}", cells::truncate(target, LONGEST_SHOWN)));
        cx.out.effects.push(Effect::OpenOutside(whole));
    }

    pub(super) fn choose_name(&mut self, by: isize, cx: &mut UpdateContext<'_>) {
        let Some(text) = self.text() else { return };
        self.focus = Focus::Text;
        if !self.reading.choose_name(by, &text) {
            cx.done("No names in this entry");
        }
    }

    /// Opens the chosen name in Entities; without one, chooses the first.
    pub(super) fn follow(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(text) = self.text() else { return };
        match self.reading.name(&text) {
            Some(Link { kind, name, .. }) => match targets::day(&name) {
                Some(day) if kind.is_none() => open_day(day, cx),
                _ => cx.open(Target::entity(name, kind)),
            },
            None => self.choose_name(1, cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::tui::fixtures::entry;

    #[test]
    fn names_come_as_the_text_has_them_each_once() {
        let body = "Linh met Hùng. Linh laughed.";
        let known = DayEntry {
            entry: entry(body, date(2026, 11, 20).at(9, 0, 0, 0)),
            names: vec![
                (EntityKind::Emotion, "calm".into()),
                (EntityKind::Person, "Hùng".into()),
                (EntityKind::Person, "Linh".into()),
            ],
            spans: vec![(2, EntityKind::Person, 0..4), (1, EntityKind::Person, 9..14), (2, EntityKind::Person, 16..20)],
        };
        let found = links(&known);
        let names: Vec<_> = found.iter().map(|link| (link.name.as_str(), link.spans.len())).collect();
        assert_eq!(names, [("Linh", 2), ("Hùng", 1), ("calm", 0)]);
        let body = "As on [[2026-11-18]] with @Linh.";
        let known =
            DayEntry { entry: entry(body, date(2026, 11, 20).at(9, 0, 0, 0)), names: Vec::new(), spans: Vec::new() };
        let names: Vec<_> = links(&known).into_iter().map(|link| link.name).collect();
        assert_eq!(names, ["2026-11-18", "Linh"]);
    }

    #[test]
    fn paths_are_found_beside_the_day_file_and_in_the_attachments_of_the_journal() {
        let made = tempfile::tempdir().unwrap();
        let root = made.path();
        for path in ["attachments/a.png", "2026/02/attachments/own.png", "2026/02/b c.png", "top.png"] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), "").unwrap();
        }
        let (day, root_of) = ("2026/02/2026-02-22.md", Some(root.to_owned()));
        let flat = Settings { folder: root_of.clone(), root: root_of.clone(), ..Settings::default() };
        let below = Settings { folder: Some(root.join("memory")), root: root_of, ..Settings::default() };
        let is = |target: &str, settings: &Settings, path: &str| {
            let (found, wanted) = (PathBuf::from(path_of(target, day, settings)), root.join(path));
            let real = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            assert_eq!(real(&found), real(&wanted), "{target}");
        };
        for settings in [&flat, &below] {
            is("attachments/a.png", settings, "attachments/a.png");
            is("../../attachments/a.png", settings, "attachments/a.png");
            is("attachments/absent.png", settings, "attachments/absent.png");
        }
        is("attachments/own.png", &flat, "2026/02/attachments/own.png");
        is("b%20c.png", &flat, "2026/02/b c.png");
        is("top.png", &flat, "top.png");
        is("absent.png", &below, "memory/2026/02/absent.png");
    }

    #[test]
    fn before_the_graph_knows_an_entry_its_marks_are_names() {
        let body = "With @Linh on [[Project X]] #work, then @Linh.";
        let known =
            DayEntry { entry: entry(body, date(2026, 11, 20).at(9, 0, 0, 0)), names: Vec::new(), spans: Vec::new() };
        let names: Vec<_> = links(&known).into_iter().map(|link| (link.name, link.spans.len())).collect();
        assert_eq!(names, [("Linh".to_owned(), 2), ("Project X".to_owned(), 1)]);
    }
}
