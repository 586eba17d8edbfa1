//! Problem list: files of the journal and lines of the configuration that could not be read, whose number is always
//! shown, and missing attachments, which are looked for when the list is opened.

use std::sync::Arc;

use jiff::civil;
use ratatui::{Frame, layout::Rect, text::Line};

use crate::{
    journal::{LinkedFile, Notice, Repaired},
    session::{Reply, Request, Response, Ticket, Written},
    tui::{Command, Motion, Pane, Picker, RenderContext, Role, Screen, Styled, Target, UpdateContext, counted},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `2026-02-22.md:12`, or `config`.
    pub place: String,
    pub message: String,
    pub day: Option<civil::Date>,
    /// The notice that `r` repairs.
    pub repairable: Option<Notice>,
}

impl Problem {
    /// A notice about a file, as a row of the list.
    pub fn of(notice: &Notice) -> Self {
        let name = notice.file.rsplit('/').next().unwrap_or_default();
        let repairable = notice.kind.is_repairable().then(|| notice.clone());
        Self {
            place: format!("{}:{}", notice.file, notice.line),
            message: notice.message.clone() + if repairable.is_some() { " · r repair" } else { "" },
            day: name.get(..10).and_then(|day| day.replace('_', "-").parse().ok()),
            repairable,
        }
    }

    fn missing(link: &LinkedFile) -> Self {
        Self {
            place: link.path.clone(),
            message: format!("missing attachment of {} · kioku doctor --repair", link.id),
            day: Some(link.day),
            repairable: None,
        }
    }
}

pub struct Problems {
    problems: Vec<Problem>,
    /// The check of the attachments in progress.
    checking: Option<Ticket>,
    /// The repair in progress.
    repairing: Option<Ticket>,
    /// Its file.
    file: Arc<str>,
    rows: Picker,
}

impl Problems {
    pub fn new(problems: Vec<Problem>) -> Self {
        let mut rows = Picker::default();
        rows.list.set_len(problems.len());
        Self { problems, checking: None, repairing: None, file: Arc::default(), rows }
    }

    fn day(&self) -> Option<civil::Date> {
        self.problems.get(self.rows.list.selected())?.day
    }

    fn notice(&self) -> Option<&Notice> {
        self.problems.get(self.rows.list.selected())?.repairable.as_ref()
    }

    fn repair(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(notice) = self.notice().cloned() {
            self.file = Arc::clone(&notice.file);
            self.repairing = Some(cx.send(Request::Repair(notice)));
        }
    }

    fn heard(&mut self, repaired: Option<&Repaired>, cx: &mut UpdateContext<'_>) {
        cx.done(match repaired {
            None => "Nothing left to repair".to_owned(),
            Some(Repaired { file, entries, .. }) => {
                format!("Repaired {file}: {} recovered", counted(*entries, "entry", "entries"))
            }
        });
        self.problems.retain(|problem| problem.repairable.as_ref().is_none_or(|notice| notice.file != self.file));
        self.rows.list.set_len(self.problems.len());
        self.rows.list.go(Motion::Lines(0));
    }

    fn open(&mut self, cx: &mut UpdateContext<'_>) {
        cx.close();
        cx.open(Target { day: self.day(), ..Target::journal() });
    }
}

fn line(problem: &Problem) -> Styled {
    Styled::of(&problem.place, Role::Warn).and("  ", Role::Text).and(&problem.message, Role::Text)
}

impl Pane for Problems {
    const NAME: &'static str = "problems";
    const TITLE: &'static str = "Problems";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("problems.open", &["enter"], "Open the day in the journal", Self::open)
            .when(|problems: &Self| problems.day().is_some())
            .hint("open the day"),
        Command::new("problems.repair", &["r"], "Repair the file: keep every version as an entry", Self::repair)
            .when(|problems: &Self| problems.notice().is_some() && problems.repairing.is_none())
            .hint("repair"),
        Command::new("problems.close", &["esc", "q", "!"], "Close", |_, cx| cx.close()).hint("close"),
    ];
}

impl Screen for Problems {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let lines: Vec<_> = self.problems.iter().map(line).collect();
        let width = 96.min(area.width).saturating_sub(4);
        let height = |row: usize| lines[row].height(width);
        let all: usize = (0..lines.len()).map(height).sum();
        let inside = self.rows.popup(frame, area, context, Self::TITLE, 96, all.clamp(1, 100) as u16 + 2);
        if lines.is_empty() {
            frame.render_widget(Line::styled("No problems", context.style(Role::Ok)), inside);
            return;
        }
        self.rows.draw(frame, inside, context, height, |frame, row, place| {
            lines[row].paint(frame.buffer_mut(), place, context, Role::Text);
        });
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        Some(&mut self.rows)
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.checking = Some(cx.send(Request::CheckAttachments));
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        if let Some(Response::Attachments(report)) = reply.settles(&mut self.checking) {
            for problem in report.missing.iter().map(Problem::missing) {
                if !self.problems.contains(&problem) {
                    self.problems.push(problem);
                }
            }
            self.rows.list.set_len(self.problems.len());
        }
        if let Some(Response::Written(Written::Repaired(repaired))) = reply.settles(&mut self.repairing) {
            self.heard(repaired.as_ref(), cx);
        }
    }
}
