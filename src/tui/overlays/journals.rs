//! The journals of the home folder; enter opens one.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::tui::{
    Command, Pane, Picker, RenderContext, Role, Screen, Styled, UpdateContext, split_bottom,
    update_context::{Intent, Settings},
};

#[derive(Default)]
pub struct JournalList {
    rows: Picker,
}

impl JournalList {
    fn open(&mut self, cx: &mut UpdateContext<'_>) {
        cx.close();
        let Settings { journals, journal, .. } = cx.settings;
        if let Some(name) = journals.get(self.rows.list.selected()).filter(|name| *name != journal) {
            cx.out.intents.push(Intent::Switch(name.clone()));
        }
    }
}

impl Pane for JournalList {
    const NAME: &'static str = "journals";
    const TITLE: &'static str = "Journals";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("journals.open", &["enter"], "Open the journal", Self::open)
            .when(|s: &Self| !s.rows.list.is_empty())
            .hint("open"),
        Command::new("journals.close", &["esc", "q", "J"], "Close", |_, cx| cx.close()).hint("close"),
    ];
}

impl Screen for JournalList {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let Settings { journals, journal, .. } = context.settings;
        let height = (journals.len() as u16).max(1).saturating_add(4);
        let inside = self.rows.popup(frame, area, context, Self::TITLE, 60, height);
        let (above, foot) = split_bottom(inside, 1);
        let text = Styled::of("kioku --journal NAME creates another", Role::Dim);
        text.paint(frame.buffer_mut(), foot, context, Role::Dim);
        let (place, _) = split_bottom(above, 1);
        if journals.is_empty() {
            let text = Styled::of("This folder is opened by itself, without other journals", Role::Text);
            text.paint(frame.buffer_mut(), place, context, Role::Text);
            return;
        }
        let paint = |frame: &mut Frame<'_>, row: usize, area: Rect| {
            let mut spans = vec![Span::styled(format!(" {}", journals[row]), context.style(Role::Text))];
            if journals[row] == *journal {
                spans.push(Span::styled("  open", context.style(Role::Dim)));
            }
            frame.render_widget(Line::from(spans), area);
        };
        self.rows.draw(frame, place, context, |_| 1, paint);
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        let Settings { journals, journal, .. } = cx.settings;
        self.rows.list.set_len(journals.len());
        self.rows.list.select(journals.iter().position(|name| name == journal).unwrap_or(0));
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        Some(&mut self.rows)
    }
}

#[cfg(test)]
mod tests {
    use crate::tui::{
        harness::{Harness, HarnessSetup},
        panes::PANES,
        update_context::Settings,
    };

    #[test]
    fn another_journal_is_chosen_and_opened_after_quitting() {
        let journals = ["personal", "travel", "work"].map(str::to_owned).to_vec();
        let settings = Settings { journals, ..Settings::default() };
        let mut harness = Harness::new(HarnessSetup { settings, ..HarnessSetup::new(PANES) });
        harness.keys("J <enter>");
        assert!(!harness.has_quit(), "it is open already");
        harness.keys("J");
        harness.sees("personal  open");
        harness.keys("j <enter>");
        assert!(harness.has_quit());
        assert_eq!(harness.app.next_journal(), Some("travel"));
    }
}
