//! The entry form: time, mood and tags as small fields above the text.

pub mod fields;
mod finding;
mod form;
pub mod head;
mod typing;

use std::time::Duration;

use jiff::{Zoned, civil, tz::TimeZone};
use ratatui::layout::Rect;

use self::fields::{destination, opened, shown, some, tags, tags_shown};
use crate::{
    extract::dates,
    journal::{Change, Draft, DraftId, Entry, EntryTime, Filled, NewEntry, Template},
    search::two_readings,
    session::{Reply, Request, Response, Ticket},
    tui::{
        Completion, Input, PromptLine, UpdateContext,
        update_context::DRAFT_DELAY,
        widgets::editor::{Editor, Pos},
    },
};

/// The fields of the form, in the order of Tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Field {
    Time,
    Mood,
    Tags,
    #[default]
    Body,
}

/// Label, blank, a time such as `wednesday last week 9:15`, the caret, and the gap to the next field.
const WIDEST_TIME: u16 = 33;

const FIELDS: [Field; 4] = [Field::Time, Field::Mood, Field::Tags, Field::Body];

const SMALL: [Field; 3] = [Field::Time, Field::Mood, Field::Tags];

/// Whether the content of a form outlives the process. In rising order of risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Persistence {
    /// A draft has it, or there is nothing to lose.
    OnDisk,
    /// A draft or a save was sent and is not answered yet.
    Sent,
    InMemory,
}

/// An entry being written or edited.
#[derive(Debug, Default)]
pub struct Composer {
    pub draft: DraftId,
    /// The entry when editing began.
    pub base: Option<Entry>,
    small: [Input; 3],
    /// The time that a new form was opened with, which alone is not worth a draft.
    given_time: String,
    editor: Editor,
    field: Field,
    completion: Option<Completion>,
    finding: Option<Finding>,
    fault: Option<Fault>,
    /// The revision of a prefilled text: unchanged, it is not worth a draft.
    given: Option<u64>,
    /// The revision last sent as a draft.
    kept: Option<u64>,
    /// The last draft that was sent.
    sent: Option<Ticket>,
    /// The draft that was sent and is not answered yet.
    keeping: Option<Ticket>,
    /// The save that was sent and is not answered yet.
    pub saving: Option<Ticket>,
    /// The last draft that was sent is saved.
    pub is_durable: bool,
    /// The time at which the current text must be saved as a draft.
    due: Option<Duration>,
    areas: [Rect; 3],
    /// Shown while the text is empty, with other ways to begin.
    question: Option<String>,
}

/// The input line of a find in the text, and the caret before it was opened.
#[derive(Debug)]
struct Finding {
    line: PromptLine,
    from: Pos,
}

/// The request of a save.
#[derive(Debug, Clone, PartialEq)]
pub enum Save {
    Append(NewEntry),
    Edit(Box<Entry>, Change),
}

/// An error that prevents saving, shown at a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub field: Field,
    pub message: String,
}

impl Composer {
    /// A form for a new entry. `time`: the text of the time field; empty means now.
    pub fn new(draft: DraftId, time: &str) -> Self {
        Self { given_time: time.to_owned(), ..Self::of(draft, None, [time, "", ""], "") }
    }

    /// A form for a new entry with tags and the begin of a text, which alone are not worth a draft.
    pub fn prefilled(draft: DraftId, tags: &str, body: &str) -> Self {
        let mut composer = Self::of(draft, None, ["", "", tags], body);
        composer.begins_here();
        composer
    }

    /// A form for editing an entry.
    pub fn edit(draft: DraftId, base: Entry) -> Self {
        let fields = shown(&base);
        let body = base.body.clone();
        Self::of(draft, Some(base), [&fields[0], &fields[1], &fields[2]], &body)
    }

    /// A form with a resumed draft.
    pub fn resume(draft: &Draft, base: Option<Entry>) -> Self {
        let own = base.as_ref().filter(|base| base.time.written == draft.time).map(shown);
        // Of an entry that is gone, the draft has the time as the file had it.
        let written = EntryTime::parse(&draft.time, &TimeZone::UTC).filter(|_| draft.editing.is_some());
        let typed = || written.map_or_else(|| draft.time.clone(), |time| time.day_and_clock());
        let time = own.map_or_else(typed, |[time, ..]| time);
        let mut composer = Self::of(draft.id.clone(), base, [&time, &draft.mood, &draft.tags], &draft.body);
        composer.kept = Some(composer.revision());
        composer.is_durable = true;
        composer
    }

    fn of(draft: DraftId, base: Option<Entry>, fields: [&str; 3], body: &str) -> Self {
        Self { draft, base, small: fields.map(Input::of), editor: Editor::new(body), ..Self::default() }
    }

    fn text_of(&self, field: Field) -> &str {
        self.small[field as usize].text()
    }

    pub fn body(&self) -> String {
        self.editor.text()
    }

    /// Replaces the whole text, as one undo step.
    pub fn replace_body(&mut self, text: &str) {
        self.editor.rewrite(text);
    }

    /// Adds tags that are not in the field yet.
    pub fn add_tags(&mut self, more: &[String]) {
        let mut known = tags(self.text_of(Field::Tags));
        let missing: Vec<&String> = more.iter().filter(|tag| !known.contains(tag)).collect();
        if !missing.is_empty() {
            known.extend(missing.into_iter().cloned());
            self.small[Field::Tags as usize].set(&tags_shown(&known));
        }
    }

    /// Increases with every change of the text or of a small field.
    pub fn revision(&self) -> u64 {
        self.editor.revision() + self.small.iter().map(|input| input.editor.revision()).sum::<u64>()
    }

    /// Marks the current content as prefilled: only changes from now on are worth a draft.
    pub fn begins_here(&mut self) {
        self.given = Some(self.revision());
    }

    /// Whether there is content that would be lost.
    pub fn is_worth_keeping(&self) -> bool {
        if self.given == Some(self.revision()) {
            return false;
        }
        match &self.base {
            None => {
                let is_typed = |text: &str| !text.is_empty() && text != self.given_time;
                self.has_text() || SMALL.iter().any(|field| is_typed(self.text_of(*field)))
            }
            Some(base) => {
                let fields = shown(base);
                self.editor.text() != base.body
                    || SMALL.iter().any(|field| self.text_of(*field) != fields[*field as usize])
            }
        }
    }

    pub fn has_text(&self) -> bool {
        !self.editor.text().trim().is_empty()
    }

    /// Whether the fields above the text are empty.
    pub fn has_only_text(&self) -> bool {
        SMALL.iter().all(|field| self.text_of(*field).is_empty())
    }

    pub fn words(&self) -> usize {
        self.editor.words()
    }

    /// Whether the current text has not been sent as a draft.
    pub fn is_unkept(&self) -> bool {
        self.kept != Some(self.revision()) && self.is_worth_keeping()
    }

    /// Saves the draft.
    pub fn keep(&mut self, cx: &mut UpdateContext<'_>) {
        self.kept = Some(self.revision());
        self.is_durable = false;
        self.due = None;
        self.sent = Some(cx.send(Request::KeepDraft(self.as_draft())));
        self.keeping = self.sent;
    }

    /// Saves the draft unless it is on disk or on its way. Repeats one that failed.
    pub fn keep_now(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.is_on_disk() && (self.keeping.is_none() || self.is_unkept()) {
            self.keep(cx);
        }
    }

    pub fn is_on_disk(&self) -> bool {
        !self.is_worth_keeping() || self.has_draft()
    }

    /// Whether a draft on disk has the current content.
    pub fn has_draft(&self) -> bool {
        self.is_durable && self.kept == Some(self.revision())
    }

    /// The content was sent to be saved. Then it is worth keeping, even if it is as it was given.
    pub fn sent_to_save(&mut self, save: Ticket) {
        (self.saving, self.given) = (Some(save), None);
    }

    pub fn persistence(&self) -> Persistence {
        match self.keeping.or(self.saving) {
            _ if self.is_on_disk() => Persistence::OnDisk,
            Some(_) => Persistence::Sent,
            None => Persistence::InMemory,
        }
    }

    /// Saves the draft if that is due; returns the time at which it will be.
    pub fn keep_if_due(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        if !self.is_unkept() {
            self.due = None;
            return None;
        }
        let due = *self.due.get_or_insert(cx.elapsed + DRAFT_DELAY);
        if cx.elapsed < due {
            return Some(due);
        }
        self.keep(cx);
        None
    }

    /// Takes the reply to the last draft or save that was sent; returns that to the save.
    pub fn heard<'r>(&mut self, reply: &'r Reply) -> Option<&'r Response> {
        if let Some(response) = reply.settles(&mut self.keeping) {
            self.is_durable = matches!(response, Response::DraftKept) && !self.is_unkept();
        }
        reply.settles(&mut self.saving)
    }

    /// Removes the draft, if there may be one: a save removes only one that was sent before it.
    pub fn drop_draft(&self, save: Option<Ticket>, cx: &mut UpdateContext<'_>) {
        if save.map_or(self.was_kept(), |save| self.sent > Some(save)) {
            cx.send(Request::DropDraft(self.draft.clone()));
        }
    }

    pub fn was_kept(&self) -> bool {
        self.kept.is_some()
    }

    pub fn as_draft(&self) -> Draft {
        Draft {
            id: self.draft.clone(),
            editing: self.base.as_ref().map(|base| base.id.clone()),
            base: self.base.as_ref().map(opened),
            // As written, an unchanged time keeps its offset even where its entry is gone.
            time: match &self.base {
                Some(base) if self.text_of(Field::Time) == shown(base)[0] => base.time.written.clone(),
                _ => self.text_of(Field::Time).to_owned(),
            },
            mood: self.text_of(Field::Mood).to_owned(),
            tags: self.text_of(Field::Tags).to_owned(),
            body: self.editor.text(),
        }
    }

    /// The moment of the entry, as far as the time field is valid.
    pub fn when(&self, now: &Zoned) -> civil::DateTime {
        let moment = self.time(now).ok().flatten();
        moment.map_or_else(|| now.datetime(), |time| time.local())
    }

    /// Sets the question that is shown while the text is empty.
    pub fn ask(&mut self, question: String) {
        self.question = Some(question);
    }

    /// Inserts a filled template at the caret, and its mood and tags where the fields are empty.
    pub fn begin_with(&mut self, template: &Template, filled: &Filled) {
        let was_empty = !self.is_worth_keeping();
        self.go(Field::Body);
        self.editor.insert_at_caret(&filled.text, filled.cursor);
        if let Some(mood) = template.mood.as_deref().filter(|_| self.text_of(Field::Mood).is_empty()) {
            self.small[Field::Mood as usize].set(mood);
        }
        self.add_tags(&template.tags);
        if was_empty && self.base.is_none() {
            self.begins_here();
        }
    }

    /// Inserts a question at the caret, as a paragraph of its own.
    pub fn put_prompt(&mut self, prompt: &str) {
        let gap = if self.editor.before_caret().is_empty() { "" } else { "\n\n" };
        let text = format!("{gap}{prompt}\n\n");
        let cursor = text.len();
        self.begin_with(&Template::default(), &Filled { text, cursor });
    }

    /// Undoes the last change of the field that has the caret.
    pub fn undo(&mut self) {
        self.act(Editor::undo);
    }

    pub fn redo(&mut self) {
        self.act(Editor::redo);
    }

    /// Calls `act` on the text of the field that has the caret.
    fn act(&mut self, act: fn(&mut Editor)) {
        self.close_offers();
        match self.small.get_mut(self.field as usize) {
            Some(input) => act(&mut input.editor),
            None => act(&mut self.editor),
        }
    }

    /// The save, or the error that prevents it. `Ok(None)`: the form is empty.
    pub fn save(&mut self, now: &Zoned) -> Result<Option<Save>, Fault> {
        let result = self.try_save(now);
        if let Err(fault) = &result {
            self.go(fault.field);
            self.fault = Some(fault.clone());
        }
        result
    }

    fn try_save(&self, now: &Zoned) -> Result<Option<Save>, Fault> {
        let body = self.editor.text();
        if let Some(base) = &self.base {
            if body.trim().is_empty() && !base.body.trim().is_empty() {
                let message = "The entry has no text · esc closes the form, d deletes the entry".to_owned();
                return Err(Fault { field: Field::Body, message });
            }
            let change = self.change(base, body, now)?;
            return Ok(Some(Save::Edit(Box::new(base.clone()), change)));
        }
        let body = body.trim_end_matches(['\n', '\r']).to_owned();
        if body.trim().is_empty() {
            return Ok(None);
        }
        Ok(Some(Save::Append(NewEntry {
            time: self.time(now)?,
            mood: some(self.text_of(Field::Mood)),
            tags: tags(self.text_of(Field::Tags)),
            body,
            ..NewEntry::default()
        })))
    }

    fn change(&self, base: &Entry, body: String, now: &Zoned) -> Result<Change, Fault> {
        let fields = shown(base);
        let differs = |field: Field| self.text_of(field) != fields[field as usize];
        Ok(Change {
            time: if differs(Field::Time) { self.time(now)? } else { None },
            mood: differs(Field::Mood).then(|| some(self.text_of(Field::Mood))),
            tags: differs(Field::Tags).then(|| tags(self.text_of(Field::Tags))),
            body: (body != base.body).then_some(body),
            ..Change::default()
        })
    }

    /// The typed time; `None` where the field is empty.
    fn time(&self, now: &Zoned) -> Result<Option<EntryTime>, Fault> {
        let typed = self.text_of(Field::Time).trim();
        if typed.is_empty() {
            return Ok(None);
        }
        let time = match &self.base {
            Some(base) => destination(typed, base, now),
            None => dates::moment(typed, now).map(|moment| EntryTime::of(&moment)),
        };
        let unread = || format!("“{typed}” is not a time: try “yesterday 3pm”, “friday 9:15” or “2026-11-20 15:30”");
        let message = || two_readings(typed, now.date()).unwrap_or_else(unread);
        time.map(Some).ok_or_else(|| Fault { field: Field::Time, message: message() })
    }
}
