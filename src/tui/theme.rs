//! Colours by meaning. The only file with colour literals.
//!
//! A [`Role`] without a style in a theme takes the style of its parent, so that a user's file of three lines is a
//! complete theme, and old files keep working when a role is added.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};

use crate::{extract::valence, journal::EntityKind};

/// The roles in one table: the name in the configuration; after `<` the parent, whose style is used where a theme has
/// none (`-`); and the styles in the themes dark, light, ansi16 and none, in the user's syntax. Parents come before
/// their children.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal $(< $parent:ident)?: $styles:expr,)*) => {
        /// The meaning of something on the screen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role {
            $($(#[$doc])* $role,)*
        }

        impl Role {
            /// Every role with its name, its parent and its built-in styles, in order.
            const TABLE: &'static [(Self, &'static str, Option<Self>, [&'static str; THEMES.len()])] =
                &[$((Self::$role, $name, [$(Some(Self::$parent),)? None][0], $styles),)*];
        }
    };
}

const THEMES: [&str; 4] = ["dark", "light", "ansi16", "none"];

roles! {
    /// The user's text.
    Text = "text": ["", "", "", ""],
    /// Metadata: counts, file names, anything secondary.
    Dim = "dim" < Text: ["245", "243", "darkgray", "dim"],
    /// The colour for "here" and "understood": the active tab, the focused field, a filter.
    Accent = "accent" < Text: ["110", "25", "cyan", "bold"],
    /// The title of the content: a day, an entity.
    Title = "title" < Accent: ["bold 110", "bold 25", "bold cyan", "bold"],
    /// A line between two regions.
    Border = "border" < Dim: ["239", "250", "-", "-"],
    /// The row or entry that keys act on.
    Selected = "selected" < Text: ["on 237", "on 254", "reverse", "reverse"],
    /// The bar left of the selected one.
    Marker = "marker" < Accent: ["-", "-", "-", "-"],
    /// Words that matched the query.
    Match = "match" < Text: ["bold 222", "bold 130", "bold yellow", "bold underline"],
    /// The current match.
    MatchHere = "match-here" < Match: ["bold reverse 222", "bold reverse 130", "bold reverse yellow", "bold underline reverse"],
    /// The passage closest in meaning.
    Passage = "passage" < Match: ["151", "28", "green", "underline"],
    /// A word that is similar to one of the query.
    Alike = "alike" < Passage: ["underline 151", "underline 28", "underline green", "italic"],
    /// A key on the hint line and in the help.
    Key = "key" < Accent: ["-", "-", "-", "-"],
    Heading = "heading" < Title: ["-", "-", "-", "-"],
    Code = "code" < Text: ["180", "94", "yellow", "-"],
    Link = "link" < Accent: ["underline 110", "underline 25", "underline cyan", "underline"],
    Tag = "tag" < Accent: ["109", "30", "-", ""],
    Date = "date" < Dim: ["-", "-", "-", "-"],
    Mood = "mood" < Text: ["175", "132", "magenta", "-"],
    /// Bars, sparklines, heat map.
    Heat = "heat" < Accent: ["67", "67", "lightblue", ""],
    Ok = "ok" < Text: ["108", "28", "green", "-"],
    Warn = "warn" < Text: ["179", "136", "yellow", "-"],
    Error = "error" < Text: ["203", "160", "bold red", "bold"],
    /// A good day, a pleasant mood.
    Good = "good" < Ok: ["-", "-", "-", "-"],
    /// A hard day, an unpleasant mood.
    Low = "low" < Warn: ["173", "166", "red", "underline"],
    Person = "person" < Text: ["216", "166", "lightred", "-"],
    Place = "place" < Person: ["115", "29", "green", "-"],
    Event = "event" < Person: ["180", "94", "yellow", "-"],
    Emotion = "emotion" < Mood: ["-", "-", "-", "-"],
    Topic = "topic" < Person: ["146", "61", "lightblue", "-"],
    Product = "product" < Person: ["186", "100", "lightyellow", "-"],
    Organization = "organization" < Person: ["152", "31", "lightcyan", "-"],
    LegKeyword = "leg-keyword" < Match: ["222", "130", "yellow", ""],
    LegMeaning = "leg-meaning" < Passage: ["-", "-", "-", ""],
    LegConnection = "leg-connection" < Accent: ["176", "133", "lightmagenta", ""],
}

impl Role {
    /// The role of a mood word: pleasant, unpleasant or neutral.
    pub fn of_mood(mood: &str) -> Self {
        valence(mood).map_or(Self::Mood, |valence| Self::of_valence(valence, Self::Mood))
    }

    /// The role of a valence, from -1 to 1; `between` if it is neutral.
    pub fn of_valence(valence: f32, between: Self) -> Self {
        match valence {
            _ if valence > 0.15 => Self::Good,
            _ if valence < -0.15 => Self::Low,
            _ => between,
        }
    }

    pub fn of_kind(kind: EntityKind) -> Self {
        match kind {
            EntityKind::Person => Self::Person,
            EntityKind::Place => Self::Place,
            EntityKind::Event => Self::Event,
            EntityKind::Emotion => Self::Emotion,
            EntityKind::Topic => Self::Topic,
            EntityKind::Product => Self::Product,
            EntityKind::Organization => Self::Organization,
        }
    }
}

/// A style for every role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    styles: [Style; Role::TABLE.len()],
}

/// An invalid line of the user's theme.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThemeFault {
    #[error("no theme \"{0}\": there are dark, light, ansi16, none")]
    NoTheme(String),
    #[error("no role \"{0}\" in a theme")]
    NoRole(String),
    #[error("theme role \"{role}\": \"{word}\" is neither a colour nor a weight")]
    NoColour { role: String, word: String },
}

impl Theme {
    /// A built-in theme with the user's overrides. Invalid ones are ignored and reported.
    pub fn new(name: &str, overrides: &BTreeMap<String, String>) -> (Self, Vec<ThemeFault>) {
        let mut faults = Vec::new();
        let theme = THEMES.iter().position(|theme| *theme == name).unwrap_or_else(|| {
            faults.push(ThemeFault::NoTheme(name.to_owned()));
            0
        });
        let built_in = Role::TABLE.iter().filter(|(.., styles)| styles[theme] != "-");
        let mut own: BTreeMap<Role, Style> =
            built_in.filter_map(|(role, .., styles)| Some((*role, parse_style(styles[theme]).ok()?))).collect();
        for (role_name, spec) in overrides {
            let Some((role, ..)) = Role::TABLE.iter().find(|(_, name, ..)| name == role_name) else {
                faults.push(ThemeFault::NoRole(role_name.clone()));
                continue;
            };
            match parse_style(spec) {
                Ok(style) => {
                    own.insert(*role, style);
                }
                Err(word) => faults.push(ThemeFault::NoColour { role: role_name.clone(), word }),
            }
        }
        let mut styles = [Style::new(); Role::TABLE.len()];
        for (role, _, parent, _) in Role::TABLE {
            let inherited = || parent.map_or(Style::new(), |parent| styles[parent as usize]);
            styles[*role as usize] = own.get(role).copied().unwrap_or_else(inherited);
        }
        (Self { styles }, faults)
    }

    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::new("dark", &BTreeMap::new()).0
    }
}

/// `bold #aabbcc on 236`, `underline cyan`; the error is the word that is neither colour nor weight.
fn parse_style(spec: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut background = false;
    for word in spec.split_whitespace() {
        let weight = match word {
            "bold" => Some(Modifier::BOLD),
            "dim" => Some(Modifier::DIM),
            "italic" => Some(Modifier::ITALIC),
            "underline" => Some(Modifier::UNDERLINED),
            "reverse" => Some(Modifier::REVERSED),
            "strike" => Some(Modifier::CROSSED_OUT),
            _ => None,
        };
        if word == "on" {
            background = true;
        } else if let Some(weight) = weight {
            style = style.add_modifier(weight);
        } else {
            let colour = if word == "default" { Color::Reset } else { word.parse().map_err(|_| word.to_owned())? };
            style = if background { style.bg(colour) } else { style.fg(colour) };
        }
    }
    Ok(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overrides(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(role, spec)| ((*role).to_owned(), (*spec).to_owned())).collect()
    }

    #[test]
    fn every_role_has_a_place_and_its_parent_comes_first() {
        for (nth, (role, _, parent, styles)) in Role::TABLE.iter().enumerate() {
            assert_eq!(*role as usize, nth);
            assert!(parent.is_none_or(|parent| (parent as usize) < nth), "{role:?}");
            assert!(styles.iter().all(|style| *style == "-" || parse_style(style).is_ok()), "{role:?}");
        }
    }

    #[test]
    fn one_line_of_the_user_colours_what_hangs_below_it() {
        let (theme, faults) = Theme::new("ansi16", &overrides(&[("accent", "bold #ff8800 on 236")]));
        assert!(faults.is_empty());
        let wanted = Style::new().fg(Color::Rgb(255, 136, 0)).bg(Color::Indexed(236)).add_modifier(Modifier::BOLD);
        assert_eq!(theme.style(Role::Accent), wanted);
        assert_eq!(theme.style(Role::Key), wanted, "a key has no own style in this theme");
    }

    #[test]
    fn what_is_not_understood_is_reported_and_the_rest_stands() {
        let (theme, faults) = Theme::new("drak", &overrides(&[("acent", "red"), ("dim", "rainbow"), ("match", "red")]));
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert_eq!(theme.style(Role::Match), Style::new().fg(Color::Red));
        assert_eq!(theme.style(Role::Dim), Theme::default().style(Role::Dim));
    }

    #[test]
    fn without_colour_there_is_no_colour() {
        let (theme, _) = Theme::new("none", &BTreeMap::new());
        for (role, ..) in Role::TABLE {
            let role = *role;
            assert_eq!((theme.style(role).fg, theme.style(role).bg), (None, None), "{role:?}");
        }
        assert_ne!(theme.style(Role::Match), theme.style(Role::Text));
        assert_ne!(theme.style(Role::Selected), theme.style(Role::Text));
    }
}
