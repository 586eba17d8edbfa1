//! Records above any pane: goals, list items, facts and claims, to add, tick off and open.
//!
//! An overlay and no pane, because records belong to no day: the list is opened, ticked off and closed from wherever
//! the user writes, and the bar of tabs has no room for a seventh on 80 columns.

use jiff::civil;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    extract,
    insight::records::{Record, RecordFilter},
    journal::{Entry, EntryId, NewRecord, RecordFields, RecordKind, RecordStatus, SHOPPING, record_title},
    session::{Reply, Request, Response, Ticket, Written},
    tui::{
        Command, Pane, Pending, Picker, PromptLine, RenderContext, Role, Screen, Styled, Target, TextInput,
        UpdateContext, Wording, cells, notice,
    },
};

/// Maximum number of records shown.
const MOST: usize = 500;

#[derive(Default)]
pub struct RecordList {
    records: Pending<Vec<Record>>,
    /// Shows closed records as well.
    all: bool,
    adding: Option<PromptLine>,
    /// The line of a record that was sent: it opens again if the record could not be saved.
    sent: Option<PromptLine>,
    changing: Option<Ticket>,
    /// Closed here: they stay in sight until the list is closed.
    closed: Vec<EntryId>,
    /// A change here can be undone.
    changed: bool,
    rows: Picker,
}

impl RecordList {
    fn read(&mut self, cx: &mut UpdateContext<'_>) {
        let filter = RecordFilter { limit: Some(MOST), ..RecordFilter::default() };
        self.records.send(Request::Records(filter), cx);
    }

    fn selected(&self) -> Option<&Record> {
        self.records.answer()?.get(self.rows.list.selected())
    }

    fn is_free(&self) -> bool {
        self.adding.is_none() && self.changing.is_none()
    }

    fn has_record(&self) -> bool {
        self.is_free() && self.selected().is_some()
    }

    fn has_task(&self) -> bool {
        self.is_free()
            && self.selected().is_some_and(|record| record.record.known_kind().is_some_and(RecordKind::is_task))
    }

    /// Switches between a status and open.
    fn toggle(&mut self, status: RecordStatus, cx: &mut UpdateContext<'_>) {
        let Some(record) = self.selected() else { return };
        let status = if record.record.status == status { RecordStatus::Open } else { status };
        self.changing = Some(cx.send(Request::CloseRecord { id: record.id.clone(), status }));
    }

    fn undo(&mut self, cx: &mut UpdateContext<'_>) {
        self.changed = false;
        self.changing = Some(cx.send(Request::Undo));
    }

    fn open(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(record) = self.selected() {
            let (day, entry) = (Some(record.day), Some(record.id.clone()));
            cx.close();
            cx.open(Target { day, entry, ..Target::journal() });
        }
    }

    fn show_all(&mut self, cx: &mut UpdateContext<'_>) {
        self.all = !self.all;
        self.read(cx);
    }

    /// The typed record; without a kind, one like the selected record.
    fn typed(&self, today: civil::Date) -> Option<NewRecord> {
        let like = self.selected();
        let kind = like.and_then(|record| record.record.known_kind()).unwrap_or(RecordKind::Goal);
        let list = like.and_then(|record| record.record.value("list")).unwrap_or(SHOPPING);
        typed(self.adding.as_ref()?.text(), kind, list, today)
    }

    fn add(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(new) = self.typed(cx.now().date()) {
            self.sent = self.adding.take();
            self.changing = Some(cx.send(Request::Remember(Box::new(new))));
        }
    }

    /// Shows a change before the index has it.
    fn show_change(&mut self, entry: &Entry) {
        let Some(records) = self.records.answer_mut() else { return };
        let known = records.iter_mut().find(|record| record.id == entry.id);
        if let (Some(record), Some(head)) = (known, entry.record()) {
            record.record = RecordFields::of(&head, record.record.superseded_by.take());
        }
    }

    fn draw_rows(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let Some(records) = self.records.answer().filter(|records| !records.is_empty()) else {
            let add = format!("No open records · {} add", context.key("records.add"));
            let none = || Styled::of(if self.all { "No records" } else { &add }, Role::Dim);
            let notice = notice(&self.records, context, "Reading the records", None).unwrap_or_else(none);
            notice.paint(frame.buffer_mut(), area, context, Role::Dim);
            return;
        };
        self.rows.draw(frame, area, context, |_| 1, |frame, row, area| draw_row(frame, area, &records[row], context));
    }
}

/// Reads `item milk`, `goal learn to swim by May`, `fact Linh: likes figs`: the kind is the first word, if it is one.
fn typed(text: &str, kind: RecordKind, list: &str, today: civil::Date) -> Option<NewRecord> {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (kind, text) = match RecordKind::parse(first.to_lowercase().trim_end_matches(':')) {
        Some(kind) => (kind, rest.trim()),
        None => (kind, text),
    };
    if record_title(text).is_empty() {
        return None;
    }
    let mut new = NewRecord::new(kind, text);
    match kind {
        RecordKind::Goal => new.due = extract::due(text, today),
        RecordKind::Item => new.list = Some(list.to_owned()),
        RecordKind::Fact => {
            let subject = text.split_once(':').map(|(subject, _)| subject.trim());
            new.subject = subject.filter(|subject| !subject.is_empty()).map(str::to_owned);
        }
        _ => {}
    }
    Some(new)
}

impl Pane for RecordList {
    const NAME: &'static str = "records";
    const TITLE: &'static str = "Records";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("records.save", &["enter"], "Save the record", Self::add)
            .when(|s: &Self| s.adding.is_some() && s.changing.is_none())
            .hint("save"),
        Command::new("records.cancel", &["esc"], "Cancel", |s: &mut Self, _| s.adding = None)
            .when(|s: &Self| s.adding.is_some())
            .hint("cancel"),
        Command::new("records.add", &["n", "a"], "Add a record", |s: &mut Self, _| {
            s.adding = Some(PromptLine::default())
        })
        .when(|s: &Self| s.adding.is_none())
        .hint("add"),
        Command::new("records.done", &["x", "space"], "Toggle done", |s: &mut Self, cx| {
            s.toggle(RecordStatus::Done, cx)
        })
        .when(Self::has_task)
        .hint("done"),
        Command::new("records.drop", &["d"], "Toggle dropped", |s: &mut Self, cx| s.toggle(RecordStatus::Dropped, cx))
            .when(Self::has_record)
            .hint("drop"),
        Command::new("records.undo", &["u"], "Undo", Self::undo).when(|s: &Self| s.changed && s.is_free()).hint("undo"),
        Command::new("records.open", &["enter"], "Open in the journal", Self::open).when(Self::has_record).hint("open"),
        Command::new("records.all", &["v"], "Toggle done and dropped records", Self::show_all)
            .when(Self::is_free)
            .hint("all"),
        Command::new("records.close", &["esc", "q"], "Close", |_, cx| cx.close())
            .when(|s: &Self| s.adding.is_none())
            .hint("close"),
    ];
}

impl Screen for RecordList {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let rows = (self.rows.list.len() as u16).max(3) + u16::from(self.adding.is_some()) * 2;
        let inside = self.rows.popup(frame, area, context, Self::TITLE, 96, rows.saturating_add(2));
        let foot = if self.adding.is_some() { 2.min(inside.height) } else { 0 };
        let rows = Rect { height: inside.height - foot, ..inside };
        self.draw_rows(frame, rows, context);
        let today = context.now.date();
        let saved = self.typed(today).map(|new| saved_as(&new));
        if let Some(line) = &mut self.adding {
            let row = Rect { y: inside.bottom().saturating_sub(1), height: 1.min(foot), ..inside };
            let hint = saved.as_deref().unwrap_or("goal, item, fact, note …, then its text");
            line.draw(frame, row, context, &Wording { label: "add ", width: 60, styled: &[], hint, role: Role::Dim });
        }
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        // A click must not lose a record that is being typed.
        Some(&mut self.rows).filter(|_| self.adding.is_none())
    }

    fn wants_text(&self) -> bool {
        self.adding.is_some()
    }

    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        let Some(line) = &mut self.adding else { return };
        if !input.is_enter() {
            line.take(&input, |_| None);
        } else if self.changing.is_none() {
            self.add(cx);
        }
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.read(cx);
    }

    fn on_quit(&mut self, cx: &mut UpdateContext<'_>) {
        // A record that is being typed has no draft.
        self.add(cx);
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let records =
            |response: &Response| if let Response::Records(records) = response { Some(records.clone()) } else { None };
        if self.records.take_as(reply, records) {
            let Self { records, closed, all, .. } = self;
            let is_shown =
                |record: &Record| *all || record.record.status == RecordStatus::Open || closed.contains(&record.id);
            if let Some(records) = records.answer_mut() {
                records.retain(is_shown);
                self.rows.list.set_len(records.len());
            }
        }
        let changed = reply.settles(&mut self.changing);
        let sent = self.sent.take_if(|_| changed.is_some());
        match changed {
            Some(Response::Failed(_)) => self.adding = self.adding.take().or(sent),
            Some(Response::Written(Written::Edited(entry))) => {
                self.changed = true;
                self.closed.push(entry.id.clone());
                self.show_change(entry);
            }
            Some(Response::Written(Written::Added(entry))) => {
                self.changed = true;
                cx.done(format!("Saved: {} · u undo", record_title(&entry.body)));
            }
            Some(Response::RecordKnown(_)) => cx.done("There already; nothing was written"),
            _ => {}
        }
        if matches!(reply, Reply::ViewChanged) && self.changing.is_none() {
            self.read(cx);
        }
    }
}

fn draw_row(frame: &mut Frame<'_>, area: Rect, record: &Record, context: &RenderContext<'_>) {
    let fields = &record.record;
    let is_open = fields.status == RecordStatus::Open;
    let mark = format!("{} ", fields.status.mark(fields.known_kind()).unwrap_or("   "));
    let due = fields.due();
    let is_late = is_open && due.is_some_and(|due| due < context.now.date());
    let due = due.map(|due| due.strftime("%-d %b %Y").to_string());
    let about = fields.group().map(str::to_owned).or(due.map(|due| format!("due {due}"))).unwrap_or_default();
    let about = cells::truncate(&about, usize::from(area.width) / 3);
    let right = Line::from_iter([
        Span::styled(format!("{about}  "), context.style(if is_late { Role::Warn } else { Role::Dim })),
        Span::styled(format!("{:<7}", fields.kind), context.style(Role::Dim)),
    ]);
    let room = usize::from(area.width).saturating_sub(right.width() + 6);
    let line = [
        Span::styled(mark, context.style(if is_open { Role::Accent } else { Role::Dim })),
        Span::styled(
            cells::truncate(record_title(&record.text), room),
            context.style(if is_open { Role::Text } else { Role::Dim }),
        ),
    ];
    frame.render_widget(Line::from_iter(line), area);
    frame.render_widget(right.right_aligned(), area);
}

/// How a typed record will be saved.
fn saved_as(new: &NewRecord) -> String {
    let due = new.due.map(|due| format!(", due {}", due.strftime("%-d %B %Y")));
    let list = new.list.as_ref().map(|list| format!(" of {list}"));
    let subject = new.subject.as_ref().map(|subject| format!(" about {subject}"));
    let detail = due.or(list).or(subject).unwrap_or_default();
    format!("→ {}{detail}", new.kind.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_names_the_kind_and_else_it_is_like_the_selected_one() {
        let today = civil::date(2026, 11, 20);
        let read = |text| {
            let new = typed(text, RecordKind::Item, "allotment", today)?;
            Some((saved_as(&new), new.text))
        };
        let is =
            |text, how: &str, kept: &str| assert_eq!(read(text), Some((how.to_owned(), kept.to_owned())), "{text}");
        is("goal learn to swim by May", "→ goal, due 31 May 2027", "learn to swim by May");
        is("beans", "→ item of allotment", "beans");
        is("item: eggs", "→ item of allotment", "eggs");
        is("Fact Linh: likes figs", "→ fact about Linh", "Linh: likes figs");
        is("note goal setting is dull", "→ note", "goal setting is dull");
        assert_eq!(read("goal"), None);
        assert_eq!(read("  "), None);
    }
}
