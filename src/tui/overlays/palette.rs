//! Command palette: search over all enabled commands.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    spelling::distance,
    tui::{
        Command, Input, Motion, Mouse, Pane, Picker, RenderContext, Role, Screen, TextInput, UpdateContext, below,
        cells, command::CommandInfo, update_context::Intent,
    },
};

/// A command and its keys.
pub type PaletteLine = (&'static CommandInfo, String);

pub struct Palette {
    lines: Vec<PaletteLine>,
    input: Input,
    /// Positions in `lines`, best first, with the matched letters of `help`.
    shown: Vec<(usize, Vec<usize>)>,
    rows: Picker,
}

impl Palette {
    pub fn new(lines: Vec<PaletteLine>) -> Self {
        let mut palette = Self { lines, input: Input::default(), shown: Vec::new(), rows: Picker::default() };
        palette.filter();
        palette
    }

    fn filter(&mut self) {
        self.shown = ranked(self.input.text(), self.lines.iter().map(|(info, _)| (info.name, info.help)));
        self.rows.list.set_len(self.shown.len());
        self.rows.list.go(Motion::First);
    }

    /// The selected command, while themes are previewed.
    fn preview(&self, cx: &mut UpdateContext<'_>) {
        if let Some((nth, _)) = self.shown.get(self.rows.list.selected()) {
            cx.out.intents.push(Intent::Preview(self.lines[*nth].0.name));
        }
    }

    fn run(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some((nth, _)) = self.shown.get(self.rows.list.selected()) {
            cx.close();
            cx.out.intents.push(Intent::Run(self.lines[*nth].0.name));
        }
    }
}

impl Pane for Palette {
    const NAME: &'static str = "palette";
    const TITLE: &'static str = "Commands";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("palette.run", &["enter"], "Run the command", Self::run).hint("run"),
        Command::go("palette.down", &["down", "ctrl-n"], "Next command", Motion::DOWN).hint("next"),
        Command::go("palette.up", &["up", "ctrl-p"], "Previous command", Motion::UP),
        Command::new("palette.close", &["esc"], "Close", |_, cx| cx.close()).hint("close"),
    ];
}

impl Screen for Palette {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let inside = self.rows.popup(frame, area, context, Self::TITLE, 76, self.lines.len() as u16 + 4);
        if inside.height < 2 {
            return;
        }
        let field = Rect { height: 1, ..inside };
        self.input.draw(frame, field, context.style(Role::Accent), &[], context.focused);
        let place = below(inside, 2);
        if self.shown.is_empty() {
            frame.render_widget(Span::styled("No matching command", context.style(Role::Dim)), place);
        }
        let Self { lines, shown, rows, .. } = self;
        let paint = |frame: &mut Frame<'_>, row: usize, area: Rect| {
            let (nth, positions) = &shown[row];
            let (info, keys) = &lines[*nth];
            let mut spans = Vec::new();
            for (at, letter) in info.help.char_indices() {
                let role = if positions.contains(&at) { Role::Match } else { Role::Text };
                spans.push(Span::styled(letter.to_string(), context.style(role)));
            }
            frame.render_widget(Line::from(spans), area);
            // A style of the line would colour the whole row.
            let keys = Line::from(Span::styled(keys.as_str(), context.style(Role::Key)));
            if cells::text_width(info.help) + keys.width() < usize::from(area.width) {
                frame.render_widget(keys.right_aligned(), area);
            }
        };
        rows.draw(frame, place, context, |_| 1, paint);
    }

    fn go(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        self.rows.list.go(motion);
        self.preview(cx);
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        Some(&mut self.rows)
    }

    fn wants_text(&self) -> bool {
        true
    }

    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        if self.input.take(&input) {
            self.filter();
            self.preview(cx);
        }
    }

    fn on_mouse(&mut self, _: Mouse, cx: &mut UpdateContext<'_>) {
        self.preview(cx);
    }
}

/// What of a command matches a query, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Title,
    TitleStart,
    Phrase,
    WordStarts,
    InsideWords,
    Initials,
    Name,
    Typo,
}

/// Length from which a word may have a typo: with fewer letters, most words are one letter from another.
const TYPO_FROM: usize = 5;

/// With the positions of the matched letters (bytes of the title).
type Match = Option<(Rank, Vec<usize>)>;

/// The matching commands (name, title), best first. Of equal ones, that whose name matches as well is the best.
fn ranked<'a>(query: &str, commands: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(usize, Vec<usize>)> {
    let word: Vec<char> = letters(query).into_iter().map(|(_, letter)| letter).collect();
    let found = commands.enumerate().filter_map(|(nth, (name, title))| {
        let (rank, positions) = matched(query, title, name)?;
        Some(((rank, in_name(&word, name).is_none(), nth), positions))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(key, _)| *key);
    found.into_iter().map(|((_, _, nth), positions)| (nth, positions)).collect()
}

/// The best match of a query with a command: as a phrase, by its words in any order, or as initials.
fn matched(query: &str, title: &str, name: &str) -> Match {
    let title = letters(title);
    let query: Vec<char> = letters(query.trim()).into_iter().map(|(_, letter)| letter).collect();
    if query.is_empty() {
        return Some((Rank::Title, Vec::new()));
    }
    let wanted = query.split(|letter| letter.is_whitespace()).filter(|word| !word.is_empty());
    let words: Option<Vec<_>> = wanted
        .map(|word| in_title(word, &title).or_else(|| in_name(word, name)).or_else(|| misspelt(word, &title)))
        .collect();
    // The rank of several words is that of the worst.
    let words = words.map(|words| {
        let rank = words.iter().map(|(rank, _)| *rank).max().unwrap_or(Rank::Typo);
        (rank, words.into_iter().flat_map(|(_, positions)| positions).collect())
    });
    let found = [phrase(&query, &title), words, initials(&query, &title)];
    found.into_iter().flatten().min_by_key(|(rank, _)| *rank)
}

fn letters(text: &str) -> Vec<(usize, char)> {
    text.char_indices().map(|(at, letter)| (at, letter.to_lowercase().next().unwrap_or(letter))).collect()
}

fn starts_word(title: &[(usize, char)], nth: usize) -> bool {
    title[nth].1.is_alphanumeric() && (nth == 0 || !title[nth - 1].1.is_alphanumeric())
}

/// The places where the letters of a title equal `wanted`, with the positions there.
fn places(wanted: &[char], title: &[(usize, char)]) -> impl Iterator<Item = (usize, Vec<usize>)> {
    let windows = title.windows(wanted.len()).enumerate();
    let same = windows.filter(move |(_, window)| window.iter().map(|(_, letter)| letter).eq(wanted));
    same.map(|(nth, window)| (nth, window.iter().map(|(at, _)| *at).collect()))
}

/// The whole query from the start of a word.
fn phrase(query: &[char], title: &[(usize, char)]) -> Match {
    let (nth, positions) = places(query, title).find(|(nth, _)| *nth == 0 || starts_word(title, *nth))?;
    let rank = match nth {
        0 if query.len() == title.len() => Rank::Title,
        0 => Rank::TitleStart,
        _ => Rank::Phrase,
    };
    Some((rank, positions))
}

fn in_title(word: &[char], title: &[(usize, char)]) -> Match {
    let (nth, positions) = places(word, title).min_by_key(|(nth, _)| !starts_word(title, *nth))?;
    Some((if starts_word(title, nth) { Rank::WordStarts } else { Rank::InsideWords }, positions))
}

/// The first letters of consecutive words.
fn initials(query: &[char], title: &[(usize, char)]) -> Match {
    let first: Vec<_> = (0..title.len()).filter(|nth| starts_word(title, *nth)).map(|nth| title[nth]).collect();
    let (_, positions) = places(query, &first).next().filter(|_| query.len() > 1)?;
    Some((Rank::Initials, positions))
}

/// The start of a word in the name of the configuration, without its pane: that is the start of most names.
fn in_name(word: &[char], name: &str) -> Match {
    let word: String = word.iter().collect();
    let (_, verb) = name.split_once('.')?;
    verb.split('-').any(|part| part.starts_with(&word)).then(|| (Rank::Name, Vec::new()))
}

fn misspelt(word: &[char], title: &[(usize, char)]) -> Match {
    let mut words = title.split(|(_, letter)| !letter.is_alphanumeric()).filter(|_| word.len() >= TYPO_FROM);
    let is_close = |other: &&[(usize, char)]| {
        distance(word, &other.iter().map(|(_, letter)| *letter).collect::<Vec<_>>(), 1).is_some()
    };
    words.find(is_close).map(|found| (Rank::Typo, found.iter().map(|(at, _)| *at).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The titles that match, best first.
    fn found(query: &str, commands: &[(&'static str, &'static str)]) -> Vec<&'static str> {
        ranked(query, commands.iter().copied()).into_iter().map(|(nth, _)| commands[nth].1).collect()
    }

    const COMMANDS: &[(&str, &str)] = &[
        ("journal.save", "Save the entry"),
        ("journal.delete", "Delete the entry"),
        ("journal.undo-text", "Undo"),
        ("stats.before", "Previous year"),
        ("app.quit", "Quit and keep unsaved text as draft"),
        ("app.find", "Search the journal"),
        ("app.journals", "Switch to another journal"),
        ("app.sleep", "Suspend (fg resumes)"),
        ("app.undo", "Undo last change"),
        ("app.tab-1", "Go to Journal"),
    ];

    #[test]
    fn words_of_the_title_match_before_the_name() {
        assert_eq!(found("journal", COMMANDS), ["Switch to another journal", "Search the journal", "Go to Journal"]);
        assert_eq!(found("undo", COMMANDS), ["Undo", "Undo last change"]);
        assert_eq!(found("entry del", COMMANDS), ["Delete the entry"]);
        assert_eq!(found("save", COMMANDS), ["Save the entry", "Quit and keep unsaved text as draft"], "inside a word");
        assert_eq!(found("sleep", COMMANDS), ["Suspend (fg resumes)"], "by its name");
        assert_eq!(found("before", COMMANDS), ["Previous year"], "by its name");
    }

    #[test]
    fn scattered_letters_match_only_as_initials_or_a_typo() {
        assert_eq!(found("star", COMMANDS), [""; 0]);
        assert_eq!(found("only", COMMANDS), [""; 0]);
        assert_eq!(found("gtj", COMMANDS), ["Go to Journal"]);
        assert_eq!(found("jounral", COMMANDS), ["Search the journal", "Switch to another journal", "Go to Journal"]);
        assert_eq!(found("xyz", COMMANDS), [""; 0]);
        assert_eq!(found("", COMMANDS).len(), COMMANDS.len());
    }

    #[test]
    fn the_positions_are_those_of_the_matched_letters() {
        assert_eq!(matched("ent", "Ü the Entry", "a.b").unwrap().1, [7, 8, 9]);
        assert_eq!(matched("te", "Toggle the entry", "a.b").unwrap().1, [7, 11]);
    }
}
