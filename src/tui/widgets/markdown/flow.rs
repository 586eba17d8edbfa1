//! Conversion of markdown events to rows.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use ratatui::style::Modifier;

use super::{Layout, inline::Inline};
use crate::{
    journal::as_written,
    tui::{
        Role, cells,
        widgets::wrap::{painted, rows},
    },
};

/// Maximum number of blank lines shown between two blocks.
const MOST_BLANK: usize = 3;

pub(super) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

pub(super) fn lay_out(body: &str, width: usize, as_typed: bool) -> Layout {
    let mut flow = Flow { body, width, styles: vec![(Role::Text, Modifier::empty())], ..Flow::default() };
    if as_typed {
        flow.as_typed(0..body.len());
        return flow.out;
    }
    let parser = Parser::new_ext(body, OPTIONS);
    flow.definitions = parser.reference_definitions().iter().map(|(_, definition)| definition.span.clone()).collect();
    flow.definitions.sort_by_key(|span| std::cmp::Reverse(span.start));
    for (event, range) in parser.into_offset_iter().map(as_written(body)) {
        flow.event(event, range);
    }
    flow.finish()
}

/// The prefix of every row of a block.
enum Container {
    Quote,
    Code,
    Item { marker: String, used: bool },
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<Inline>>,
    /// Start of its source.
    start: usize,
}

#[derive(Default)]
struct Flow<'a> {
    body: &'a str,
    width: usize,
    out: Layout,
    containers: Vec<Container>,
    inline: Inline,
    /// Role and modifier of the current text, innermost last.
    styles: Vec<(Role, Modifier)>,
    table: Option<Table>,
    /// A link's address, and the start of its text in `inline`.
    links: Vec<(String, usize)>,
    /// Link definitions not yet shown, the next one last.
    definitions: Vec<Range<usize>>,
    depth: usize,
    /// The end of the last output: blank lines are counted from here.
    last: usize,
    /// The end of the top-level blocks so far: text between them was dropped by the parser.
    covered: usize,
}

impl Flow<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            // A character reference stays as typed.
            Event::Text(_) if self.body[range.clone()].starts_with('&') => self.push(&self.body[range.clone()], range),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.push(&text, range),
            Event::Code(text) => {
                self.styles.push((Role::Code, self.style().1));
                self.push(&text, range);
                self.styles.pop();
            }
            Event::SoftBreak | Event::HardBreak => self.push("\n", range),
            Event::Rule => self.rule(range),
            Event::TaskListMarker(done) => self.task(done),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.push(&text, range);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let (role, modifier) = self.style();
        match tag {
            Tag::Emphasis => return self.styles.push((role, modifier | Modifier::ITALIC)),
            Tag::Strong => return self.styles.push((role, modifier | Modifier::BOLD)),
            Tag::Strikethrough => return self.styles.push((role, modifier | Modifier::CROSSED_OUT)),
            Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. } => {
                let address = if title.is_empty() { dest_url.into_string() } else { format!("{dest_url} \"{title}\"") };
                self.links.push((address, self.inline.text.len()));
                return self.styles.push((Role::Link, modifier | Modifier::UNDERLINED));
            }
            Tag::TableCell => return,
            _ => {}
        }
        self.flush();
        self.swallowed(range.start);
        self.depth += 1;
        match tag {
            Tag::Heading { .. } => self.styles.push((Role::Heading, Modifier::BOLD)),
            Tag::BlockQuote(_) => self.containers.push(Container::Quote),
            Tag::Item => {
                let marker = marker(&self.body[range.start..]);
                self.containers.push(Container::Item { marker, used: false });
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                self.blank_lines(range.start);
                self.containers.push(Container::Code);
                if !info.is_empty() {
                    self.put(&info, (Role::Dim, Modifier::empty()), 0..0);
                    self.flush();
                }
                // The fence takes the line that would count as blank.
                self.last = self.body[range.start..].find('\n').map_or(self.body.len(), |end| range.start + end);
                self.styles.push((Role::Code, Modifier::empty()));
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => self.styles.push((Role::Text, Modifier::empty())),
            Tag::Table(_) => {
                self.blank_lines(range.start);
                self.table = Some(Table { start: range.start, ..Table::default() });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
                return;
            }
            TagEnd::Link | TagEnd::Image => return self.close_link(),
            TagEnd::TableCell => return self.close_cell(),
            TagEnd::Heading(level) => {
                self.flush();
                self.underline(level, &range);
                self.styles.pop();
            }
            TagEnd::CodeBlock => self.close_code(),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.swallowed(range.end);
                self.containers.pop();
            }
            TagEnd::Item => {
                self.flush();
                self.swallowed(range.end);
                if matches!(self.containers.last(), Some(Container::Item { used: false, .. })) {
                    self.blank_lines(range.start);
                    self.row(&Inline::default(), 0..0, usize::MAX);
                }
                self.containers.pop();
            }
            TagEnd::Table => self.close_table(range.end),
            TagEnd::TableHead | TagEnd::TableRow => {}
            _ => self.flush(),
        }
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.covered = self.covered.max(range.end);
        }
        self.last = self.last.max(trimmed_end(self.body, range.end));
    }

    fn style(&self) -> (Role, Modifier) {
        self.styles.last().copied().unwrap_or((Role::Text, Modifier::empty()))
    }

    /// Adds text of the source, as the parser gives it.
    fn push(&mut self, text: &str, range: Range<usize>) {
        if text.is_empty() {
            return;
        }
        let indented = self.containers.is_empty() && self.table.is_none();
        if self.inline.text.is_empty() && self.table.is_none() {
            self.blank_lines(range.start);
        }
        if indented && (self.inline.text.is_empty() || self.inline.text.ends_with('\n')) && text != "\n" {
            self.indentation(range.start);
        }
        let source = if range.len() == text.len() {
            range
        } else {
            // Code spans and entities: the text itself is somewhere inside.
            let found = self.body.get(range.clone()).and_then(|slice| slice.find(text));
            found.map_or(range.clone(), |at| range.start + at..range.start + at + text.len())
        };
        self.put(text, self.style(), source);
    }

    /// Adds the leading white space of a line, which the parser drops.
    fn indentation(&mut self, at: usize) {
        let line = self.body[..at].rfind('\n').map_or(0, |newline| newline + 1);
        if at > line && self.body[line..at].chars().all(|char| matches!(char, ' ' | '\t')) {
            self.put(&self.body[line..at], (Role::Text, Modifier::empty()), line..at);
        }
    }

    fn put(&mut self, text: &str, (role, modifier): (Role, Modifier), source: Range<usize>) {
        let exact = source.len() == text.len();
        let from = |start: usize, end: usize| {
            if exact { source.start + start..source.start + end } else { source.clone() }
        };
        let mut at = 0;
        for part in text.split_inclusive('\t') {
            let words = part.strip_suffix('\t').unwrap_or(part);
            if !words.is_empty() {
                self.inline.add(words, role, modifier, from(at, at + words.len()));
            }
            if words.len() < part.len() {
                let column = cells::text_width(self.inline.text.rsplit('\n').next().unwrap_or_default());
                let tab = &"    "[..cells::TAB - column % cells::TAB];
                self.inline.add(tab, role, modifier, from(at + words.len(), at + part.len()));
            }
            at += part.len();
        }
    }

    fn close_link(&mut self) {
        self.styles.pop();
        let Some((address, start)) = self.links.pop() else { return };
        let text = self.inline.text.get(start..).unwrap_or_default();
        if !address.is_empty() && text != address && address.strip_prefix("mailto:") != Some(text) {
            self.put(&format!(" ({address})"), (Role::Dim, Modifier::empty()), 0..0);
        }
    }

    fn task(&mut self, done: bool) {
        if let Some(Container::Item { marker, used: false }) = self.containers.last_mut() {
            *marker = if done { "[x] " } else { "[ ] " }.to_owned();
        }
    }

    /// A heading with an underline keeps it.
    fn underline(&mut self, level: HeadingLevel, range: &Range<usize>) {
        if !self.body[range.clone()].trim_start().starts_with('#') {
            let (line, cells) = (if level == HeadingLevel::H1 { "═" } else { "─" }, self.width.min(24));
            self.put(&line.repeat(cells), (Role::Dim, Modifier::empty()), 0..0);
            self.flush();
        }
    }

    fn rule(&mut self, range: Range<usize>) {
        self.flush();
        self.swallowed(range.start);
        self.covered = self.covered.max(range.end);
        self.blank_lines(range.start);
        let cells = self.width.saturating_sub(self.indent()).max(1);
        self.put(&"─".repeat(cells), (Role::Dim, Modifier::empty()), range.clone());
        self.flush();
        self.last = trimmed_end(self.body, range.end);
    }

    fn close_code(&mut self) {
        if self.inline.text.ends_with('\n') {
            self.inline.pop_newline();
        }
        self.flush();
        self.styles.pop();
        if matches!(self.containers.last(), Some(Container::Code)) {
            self.containers.pop();
        }
    }

    fn close_cell(&mut self) {
        let cell = std::mem::take(&mut self.inline);
        if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
            row.push(cell);
        }
    }

    /// Draws a table in columns if it fits; as typed otherwise.
    fn close_table(&mut self, end: usize) {
        let Some(table) = self.table.take() else { return };
        let columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| table.rows.iter().filter_map(|row| row.get(column)).map(Inline::cells).max().unwrap_or(0))
            .collect();
        let total = widths.iter().sum::<usize>() + 3 * columns.saturating_sub(1);
        if total + self.indent() > self.width {
            self.as_typed(table.start..end);
            return;
        }
        for (index, row) in table.rows.iter().enumerate() {
            let mut line = Inline::default();
            for (column, cells) in widths.iter().enumerate() {
                if column > 0 {
                    line.add(" │ ", Role::Dim, Modifier::empty(), 0..0);
                }
                let used = row.get(column).map_or(0, |cell| line.append(cell, index == 0));
                if column + 1 < columns {
                    line.add(&" ".repeat(cells - used), Role::Text, Modifier::empty(), 0..0);
                }
            }
            self.lines(&line);
            if index == 0 {
                let line: Vec<String> = widths.iter().map(|cells| "─".repeat(*cells)).collect();
                self.put(&line.join("─┼─"), (Role::Dim, Modifier::empty()), 0..0);
                self.flush();
            }
        }
    }

    /// Shows text before `until` that the parser dropped (link definitions) as typed.
    fn swallowed(&mut self, until: usize) {
        if self.table.is_some() {
            return;
        }
        if self.depth == 0 {
            self.unshown(self.covered..until);
            self.covered = self.covered.max(until);
        }
        while let Some(span) = self.definitions.pop_if(|span| span.start < until) {
            if span.start >= self.covered {
                self.covered = span.end;
                self.unshown(span);
            }
        }
    }

    fn unshown(&mut self, range: Range<usize>) {
        let Some(text) = self.body.get(range.clone()) else { return };
        let start = range.start + (text.len() - text.trim_start().len());
        if start < range.end {
            self.blank_lines(start);
            self.as_typed(start..range.end);
        }
    }

    fn as_typed(&mut self, range: Range<usize>) {
        let end = range.start + self.body[range.clone()].trim_end().len();
        if self.containers.is_empty() {
            self.indentation(range.start);
        }
        let mut start = range.start;
        for line in self.body[range.start..end].split_inclusive('\n') {
            let words = line.trim_end_matches(['\n', '\r']);
            self.put(words, (Role::Text, Modifier::empty()), start..start + words.len());
            if words.len() < line.len() {
                self.put("\n", (Role::Text, Modifier::empty()), 0..0);
            }
            start += line.len();
        }
        self.flush();
        self.last = end;
    }

    /// Adds the blank lines before `start`.
    fn blank_lines(&mut self, start: usize) {
        if self.out.rows.is_empty() {
            return;
        }
        let newlines = self.body.get(self.last..start).map_or(0, |gap| gap.matches('\n').count());
        for _ in 0..newlines.saturating_sub(1).min(MOST_BLANK) {
            let first = self.out.content.runs.len();
            self.out.rows.push(first..first);
        }
        self.last = self.last.max(start);
    }

    /// Wraps the collected text into rows.
    fn flush(&mut self) {
        if self.table.is_some() || self.inline.text.is_empty() {
            return;
        }
        let inline = std::mem::take(&mut self.inline);
        self.lines(&inline);
        if let Some(end) = inline.runs.iter().map(|run| run.source.end).max() {
            self.last = self.last.max(end);
        }
    }

    fn lines(&mut self, inline: &Inline) {
        let mut start = 0;
        for line in inline.text.split('\n') {
            let quotes = self.quotes(inline, start);
            let width = self.width.saturating_sub(self.indent()).max(1);
            for row in rows(line, width) {
                let row = painted(line, &row);
                self.row(inline, start + row.start..start + row.end, quotes);
            }
            start += line.len() + 1;
        }
    }

    /// Number of quotes that a line, which starts at `start`, is in by its own `>` signs. Markdown takes a line below a
    /// quote as a part of it also without the sign.
    fn quotes(&self, inline: &Inline, start: usize) -> usize {
        let first = inline.within(&(start..start + 1)).next().filter(|run| !run.source.is_empty());
        let Some(run) = first else { return usize::MAX };
        let at = self.body[..run.source.start].rfind('\n').map_or(0, |newline| newline + 1);
        let mut count = 0;
        for word in self.body[at..].split_inclusive(char::is_whitespace) {
            let rest = word.trim_end().trim_start_matches('>');
            count += word.trim_end().len() - rest.len();
            let number = rest.trim_end_matches(['.', ')']);
            let is_number = number.len() < rest.len() && number.bytes().all(|sign| sign.is_ascii_digit());
            if !rest.is_empty() && !matches!(rest, "-" | "*" | "+") && !is_number {
                break;
            }
        }
        count
    }

    /// Adds one row: the prefixes of the containers, of quotes at most so many, then a part of `inline`.
    fn row(&mut self, inline: &Inline, part: Range<usize>, mut quotes: usize) {
        let first = self.out.content.runs.len();
        let room = self.width / 2;
        let mut column = 0;
        for container in &mut self.containers {
            if matches!(container, Container::Quote) {
                if quotes == 0 {
                    continue;
                }
                quotes -= 1;
            }
            let cells = container.cells();
            let prefix = container.prefix();
            column += cells;
            if column <= room {
                self.out.content.add(&prefix, Role::Dim, Modifier::empty(), 0..0);
            }
        }
        for run in inline.within(&part) {
            self.out.content.add(&inline.text[run.text], run.role, run.modifier, run.source);
        }
        self.out.rows.push(first..self.out.content.runs.len());
    }

    fn indent(&self) -> usize {
        let mut column = 0;
        for container in &self.containers {
            if column + container.cells() > self.width / 2 {
                break;
            }
            column += container.cells();
        }
        column
    }

    fn finish(mut self) -> Layout {
        self.flush();
        self.swallowed(self.body.len());
        self.out
    }
}

impl Container {
    fn cells(&self) -> usize {
        match self {
            Self::Quote | Self::Code => 2,
            Self::Item { marker, .. } => cells::text_width(marker),
        }
    }

    fn prefix(&mut self) -> String {
        match self {
            Self::Quote => "│ ".to_owned(),
            Self::Code => "  ".to_owned(),
            Self::Item { marker, used } => {
                if std::mem::replace(used, true) {
                    " ".repeat(cells::text_width(marker))
                } else {
                    marker.clone()
                }
            }
        }
    }
}

/// A list item's marker for display: numbers as typed (they may be dates), a bullet otherwise.
fn marker(item: &str) -> String {
    let item = item.trim_start();
    let digits = item.bytes().take_while(u8::is_ascii_digit).count();
    match item[digits..].chars().next() {
        Some(sign @ ('.' | ')')) if digits > 0 => format!("{}{sign} ", &item[..digits]),
        _ => "• ".to_owned(),
    }
}

fn trimmed_end(body: &str, end: usize) -> usize {
    body.get(..end).map_or(end, |text| text.trim_end_matches(['\n', '\r', ' ', '\t']).len())
}
