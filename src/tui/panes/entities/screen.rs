//! Layout of the Entities pane.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    Entities, HitArea,
    name_review::SidePanel,
    naming::CurationAction,
    portrait::{self, arrow},
};
use crate::{
    insight::profile::Listed,
    tui::{
        MEASURE, Pen, RenderContext, Role, Styled, Width, Wording, below, cells, counted, inset, kind_label, list,
        list_and_detail, notice, styled, update_context, widgets::blocks::sparkline,
    },
};

/// Minimum width of a row with a sparkline.
const ROOM_FOR_RHYTHM: usize = 44;
/// Cells of the number of hits.
const HITS: usize = 10;
/// Cells of the longest word for a kind, with a gap.
const KIND: usize = 8;

impl Entities {
    pub(super) fn draw_names(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let share = if context.width == Width::Three { area.width / 4 } else { area.width * 2 / 5 };
        let (list, rest) = list_and_detail(frame, area, context, share.clamp(46, 60), self.reading);
        let lines = if self.listing.is_empty() { rest.width } else { (rest.width * 11 / 20).min(MEASURE + 2) };
        let text = self.source.beside(frame, rest, context, lines);
        if !list.is_empty() {
            self.draw_list(frame, list, context);
        }
        if self.looks_at_name() {
            self.draw_portrait(frame, text, context)
        } else if !text.is_empty() {
            self.draw_chore(frame, text, context)
        }
    }

    /// The input line for a change of the name.
    pub(super) fn draw_naming(&mut self, frame: &mut Frame<'_>, line: Rect, context: &RenderContext<'_>) {
        let (Some((saying, asked)), Some(who)) = (&mut self.naming.line, self.portrait.who()) else { return };
        let label = match saying {
            CurationAction::Merge => format!("merge {} into: ", who.name),
            CurationAction::Rename => format!("rename {} to: ", who.name),
            CurationAction::Alias => format!("another name for {}: ", who.name),
            CurationAction::Kind => format!("{} is a (person, place, topic, …): ", who.name),
        };
        let label = cells::truncate(&label, usize::from(line.width) * 3 / 4);
        let wording = Wording { label: &label, width: line.width, styled: &[], hint: "", role: Role::Dim };
        asked.draw(frame, line, context, &wording);
    }

    fn draw_list(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let head = self.draw_head(frame, area, context);
        let mut area = below(area, head);
        area.height -= self.draw_waiting(frame, area, context);
        if self.listing.list.is_empty() {
            return self.draw_nothing(frame, area, context);
        }
        let bar = if self.reading { Role::Dim } else { Role::Marker };
        let mut list = std::mem::take(&mut self.listing.list);
        let (most, shows_kind) = (self.listing.busiest_month, self.listing.kind.is_none());
        let paint = |row, place: Rect, selected| {
            if let Some(row) = self.listing.row(row) {
                draw_row(frame, place, context, row, most, shows_kind);
            }
            if selected {
                list::mark(frame, place, context, bar);
            }
        };
        list.draw(area, |_| 1, paint);
        self.listing.list = list;
    }

    /// Draws the filter, and below it the kinds with their counts; returns the number of lines.
    fn draw_head(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> u16 {
        let label = Rect { height: 1, ..area };
        let role = if self.typing { Role::Accent } else { Role::Dim };
        frame.render_widget(Span::styled(" filter: ", context.style(role)), label);
        let x = area.x + 9.min(area.width);
        let field = Rect { x, width: area.right() - x, height: 1, ..area };
        let cursor = context.focused && self.typing;
        self.listing.input.draw(frame, field, context.style(Role::Text), &[], cursor);
        self.spots.put(label, HitArea::Filter);
        if area.height < 6 { 1 } else { 1 + self.draw_legend(frame, below(area, 1), context) }
    }

    /// `people 12  places 5  topics 30`, wrapped; returns the number of lines.
    fn draw_legend(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> u16 {
        let mut pen = Pen::new(area.x + 1, area.y, area.width.saturating_sub(1));
        let mut rows = 1;
        for (kind, count) in self.listing.counts().into_iter().filter(|(_, count)| *count > 0) {
            let (word, count) = (kind_label(kind).1, format!(" {count}  "));
            if pen.x > area.x + 1 && pen.x + (word.len() + count.len() - 2) as u16 > area.right() && rows < 3 {
                rows += 1;
                pen = Pen::new(area.x + 1, pen.y + 1, area.width.saturating_sub(1));
            }
            let is_on = self.listing.kind.is_none_or(|on| on == kind);
            let x = pen.x;
            if context.settings.is_plain && self.listing.kind == Some(kind) {
                Pen::new(x - 1, pen.y, 1).say(frame, context, ">", Role::Text);
            }
            pen.write(frame.buffer_mut(), word, if is_on { context.kind(kind) } else { context.style(Role::Dim) });
            pen.say(frame, context, &count, Role::Dim);
            self.spots.put(Rect { x, y: pen.y, width: pen.x - x, height: 1 }, HitArea::Kind(kind));
        }
        rows
    }

    /// `= 3 possible duplicates` and `. 2 hidden`, below the names; returns the number of rows.
    fn draw_waiting(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> u16 {
        let (candidates, hidden) = (self.chores.merge_candidates(), self.chores.hidden());
        if area.height < 6 || (candidates == 0 && hidden == 0) {
            return 0;
        }
        let mut y = area.bottom();
        let pairs = format!(" {}", counted(candidates, "possible duplicate", "possible duplicates"));
        for (count, command, words, chore) in [
            (hidden, "entities.hidden", format!(" {hidden} hidden"), SidePanel::Hidden),
            (candidates, "entities.doubts", pairs, SidePanel::MergeCandidates),
        ] {
            if count > 0 {
                y -= 1;
                let mut pen = Pen::new(area.x + 1, y, area.width.saturating_sub(1));
                let x = pen.x;
                pen.say(frame, context, &context.key(command), Role::Key);
                pen.say(frame, context, &words, Role::Dim);
                self.spots.put(Rect { x, y, width: pen.x - x, height: 1 }, HitArea::Waiting(chore));
            }
        }
        area.bottom() - y
    }

    /// The names that need a decision, in the place of the profile.
    fn draw_chore(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let inside = Rect { width: area.width.min(MEASURE + 2), ..area };
        let (title, count) = self.chores.title();
        let head = Styled::of(title, Role::Title).and("   ", Role::Dim).and(&count, Role::Dim);
        let place = Rect { height: inside.height.min(2), ..inset(inside, 1, 1) };
        let used = head.paint(frame.buffer_mut(), place, context, Role::Text);
        let room = u16::from(inside.height > used + 6);
        self.chores.lines.draw(frame, below(inside, used + room), context, self.reading);
    }

    fn draw_nothing(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let notice = notice(&self.query_state, context, "Reading the names", Some("entities.again"));
        let mut lines = Vec::new();
        if let Some(notice) = notice.filter(|_| self.query_state.error().is_some() || !self.listing.is_known()) {
            lines.push(notice);
        } else if self.listing.is_empty() {
            lines.push(Styled::of("No names yet. They come from what you write:", Role::Text));
            for (example, meaning) in [("@Linh", "a person"), ("#work", "a topic"), ("[[Hanoi]]", "a name")] {
                lines.push(Styled::of(&format!("  {}", cells::pad(example, 12)), Role::Accent).and(meaning, Role::Dim));
            }
            lines.push(Styled::of(&format!("{} writes an entry", context.key("app.new")), Role::Dim));
        } else {
            let names = self.listing.kind.map_or("name", |kind| kind_label(kind).0);
            lines.push(Styled::of(&format!("No matching {names}"), Role::Text));
            lines.push(Styled::of(&format!("{} shows all again", context.key("entities.all")), Role::Dim));
        }
        styled::paint_all(&lines, frame.buffer_mut(), inset(below(area, 1), 1, 0), context);
    }

    fn draw_portrait(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let inside = Rect { width: area.width.min(MEASURE + 2), ..area };
        let Some(who) = self.portrait.who() else { return };
        if inside.height < 3 {
            return;
        }
        let mut head = Styled::default();
        let role = Role::of_kind(who.kind);
        head.push(&who.name, Role::Title).push(&format!("   {}", kind_label(who.kind).0), role);
        if self.is_changing() {
            head.push("   applying the change …", Role::Dim);
        }
        let mut used = 0;
        if self.trail.has(false) {
            let names: Vec<&str> = self.trail.back.iter().rev().take(4).rev().map(|who| who.name.as_str()).collect();
            let way = format!(" {} ▸", names.join(" ▸ "));
            let way = cells::truncate(&way, usize::from(inside.width));
            frame.render_widget(Span::styled(way, context.style(Role::Dim)), Rect { height: 1, ..inside });
            used = 1;
        }
        let profile = self.portrait.profile();
        // The data of the list is shown until the profile is loaded.
        let listed = self.listing.known(who);
        let known = profile.map(|profile| &profile.known).or_else(|| Some(&listed?.known));
        if let Some(known) = known {
            // An alias that differs only in case adds nothing.
            let is_other = |alias: &&String| alias.to_lowercase() != known.name.to_lowercase();
            let aliases: Vec<&str> = known.aliases.iter().filter(is_other).map(String::as_str).collect();
            if !aliases.is_empty() {
                head.push(&format!("   also: {}", aliases.join(", ")), Role::Dim);
            }
        }
        let place = below(inside, used);
        let place = Rect { height: place.height.min(3), ..inset(place, 1, 1) };
        used += head.paint(frame.buffer_mut(), place, context, Role::Text);
        let rest = below(inside, used);
        if profile.is_some() {
            return self.portrait.lines.draw(frame, rest, context, self.reading);
        }
        let is_gone = self.portrait.is_gone();
        let mut rest = inset(rest, 1, 1);
        if let Some(listed) = listed.filter(|_| !is_gone) {
            let seen_from = update_context::seen_from(context.now, context.settings, context.view);
            let ended = (seen_from < context.now.date()).then_some(seen_from);
            let season = portrait::Season { most: self.listing.busiest_month, ended };
            for fact in portrait::facts(&listed.known, &listed.rhythm, context.now.date(), season) {
                rest = below(rest, fact.paint(frame.buffer_mut(), rest, context, Role::Text));
            }
        }
        let notice = notice(&self.portrait.query_state, context, "Looking", Some("entities.again"));
        let gone = || Styled::of("This name is no longer in the journal", Role::Dim);
        notice.unwrap_or_else(gone).paint(frame.buffer_mut(), rest, context, Role::Dim);
    }
}

/// `▌Hùng           person     38  ▁▂▂▅▇▃▂▁▂▄ ↑   3 hits`
/// `most` is the scale of the sparkline.
fn draw_row(
    frame: &mut Frame<'_>,
    area: Rect,
    context: &RenderContext<'_>,
    (listed, hits): (&Listed, Option<u32>),
    most: u32,
    shows_kind: bool,
) {
    let known = &listed.known;
    let mut tail: Vec<Span<'_>> = Vec::new();
    if shows_kind {
        tail.push(Span::styled(cells::pad(kind_label(known.kind).0, KIND), context.kind(known.kind)));
    }
    tail.push(Span::styled(format!("{:>5}", known.mentions), context.style(Role::Dim)));
    if usize::from(area.width) >= ROOM_FOR_RHYTHM + if hits.is_some() { HITS } else { 0 } {
        let rhythm = &listed.rhythm;
        tail.push(Span::styled(format!("  {}", sparkline(&rhythm.months, most)), context.style(Role::Dim)));
        tail.push(Span::styled(format!("{:<3}", arrow(rhythm.change())), context.style(Role::Accent)));
    }
    match hits {
        Some(0) => tail.push(Span::raw(" ".repeat(HITS))),
        Some(1) => tail.push(Span::styled("    1 hit ", context.style(Role::Match))),
        Some(hits) => tail.push(Span::styled(format!("{hits:>5} hits"), context.style(Role::Match))),
        None => {}
    }
    let tail = Line::from(tail);
    let room = usize::from(area.width).saturating_sub(tail.width() + 2);
    let name = cells::pad(&known.name, room);
    let role = if hits == Some(0) { Role::Dim } else { Role::Text };
    let mut spans = vec![Span::styled(format!(" {name} "), context.style(role))];
    spans.extend(tail.spans);
    frame.render_widget(Line::from(spans), area);
}
