//! Colours by meaning. The only file with colour literals.
//!
//! A [`Role`] that a theme leaves out takes the style of its parent, so that a user's file of three lines is a
//! whole theme and an old file survives a new role.

mod palettes;

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};

use crate::{extract::valence, journal::EntityKind};

/// What something on the screen means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// What the person wrote.
    Text,
    /// Metadata: counts, file names, what can be overlooked.
    Dim,
    /// The one colour for "here" and "understood": the active tab, the caret's field, a filter.
    Accent,
    /// The name of what is shown: a day, an entity.
    Title,
    /// A line between two regions.
    Border,
    /// The row or entry that keys act on.
    Selected,
    /// The bar left of the selected one.
    Marker,
    /// Words that matched the query.
    Match,
    /// The one of them that the keys stand at.
    MatchHere,
    /// The passage closest in meaning.
    Passage,
    /// A word that is alike to one of the query.
    Alike,
    /// A key on the hint line and in the help.
    Key,
    Heading,
    Code,
    Link,
    Tag,
    Date,
    Mood,
    /// Bars, sparklines, heat.
    Heat,
    Ok,
    Warn,
    Error,
    /// A good day, a pleasant mood.
    Good,
    /// A hard day, an unpleasant mood.
    Low,
    Person,
    Place,
    Event,
    Emotion,
    Topic,
    Product,
    Organization,
    LegKeyword,
    LegMeaning,
    LegConnection,
}

use Role::{
    Accent, Alike, Border, Code, Date, Dim, Emotion, Error, Event, Good, Heading, Heat, Key, LegConnection, LegKeyword,
    LegMeaning, Link, Low, Marker, Match, MatchHere, Mood, Ok as Fine, Organization, Passage, Person, Place, Product,
    Selected, Tag, Text, Title, Topic, Warn,
};

impl Role {
    /// Parents stand before their children.
    pub const ALL: [Self; 34] = [
        Text,
        Dim,
        Accent,
        Title,
        Border,
        Selected,
        Marker,
        Match,
        MatchHere,
        Passage,
        Alike,
        Key,
        Heading,
        Code,
        Link,
        Tag,
        Date,
        Mood,
        Heat,
        Fine,
        Warn,
        Error,
        Good,
        Low,
        Person,
        Place,
        Event,
        Emotion,
        Topic,
        Product,
        Organization,
        LegKeyword,
        LegMeaning,
        LegConnection,
    ];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Text => "text",
            Dim => "dim",
            Accent => "accent",
            Title => "title",
            Border => "border",
            Selected => "selected",
            Marker => "marker",
            Match => "match",
            MatchHere => "match-here",
            Passage => "passage",
            Alike => "alike",
            Key => "key",
            Heading => "heading",
            Code => "code",
            Link => "link",
            Tag => "tag",
            Date => "date",
            Mood => "mood",
            Heat => "heat",
            Fine => "ok",
            Warn => "warn",
            Error => "error",
            Good => "good",
            Low => "low",
            Person => "person",
            Place => "place",
            Event => "event",
            Emotion => "emotion",
            Topic => "topic",
            Product => "product",
            Organization => "organization",
            LegKeyword => "leg-keyword",
            LegMeaning => "leg-meaning",
            LegConnection => "leg-connection",
        }
    }

    /// Whose style it takes where a theme says nothing.
    fn parent(self) -> Option<Self> {
        match self {
            Text => None,
            Dim | Accent | Selected | Match | Code | Fine | Warn | Error | Mood | Person => Some(Text),
            Title | Marker | Key | Link | Tag | Heat => Some(Accent),
            Heading => Some(Title),
            Border | Date => Some(Dim),
            MatchHere | Passage | LegKeyword => Some(Match),
            Good => Some(Fine),
            Low => Some(Warn),
            Emotion => Some(Mood),
            Place | Event | Topic | Product | Organization => Some(Person),
            LegMeaning | Alike => Some(Passage),
            LegConnection => Some(Accent),
        }
    }

    /// Of a mood word: pleasant, unpleasant or neither.
    pub fn of_mood(mood: &str) -> Self {
        valence(mood).map_or(Mood, |valence| Self::of_valence(valence, Mood))
    }

    /// Of how a time felt, from -1 to 1; `between` where it was neither good nor hard.
    pub fn of_valence(valence: f32, between: Self) -> Self {
        match valence {
            _ if valence > 0.15 => Good,
            _ if valence < -0.15 => Low,
            _ => between,
        }
    }

    pub fn of_kind(kind: EntityKind) -> Self {
        match kind {
            EntityKind::Person => Person,
            EntityKind::Place => Place,
            EntityKind::Event => Event,
            EntityKind::Emotion => Emotion,
            EntityKind::Topic => Topic,
            EntityKind::Product => Product,
            EntityKind::Organization => Organization,
        }
    }
}

/// A style for every role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    styles: [Style; Role::ALL.len()],
}

/// A line of the user's theme that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThemeFault {
    #[error("no theme \"{0}\": there are dark, light, ansi16, none")]
    NoTheme(String),
    #[error("no role \"{0}\" in a theme")]
    NoRole(String),
    #[error("theme role \"{role}\": \"{word}\" is no colour and no weight")]
    NoColour { role: String, word: String },
}

impl Theme {
    /// A built-in theme with the user's roles over it. What is not understood is left out and reported.
    pub fn new(name: &str, overrides: &BTreeMap<String, String>) -> (Self, Vec<ThemeFault>) {
        let mut faults = Vec::new();
        let named = match name {
            "dark" => palettes::dark(),
            "light" => palettes::light(),
            "ansi16" => palettes::ansi16(),
            "none" => palettes::colourless(),
            other => {
                faults.push(ThemeFault::NoTheme(other.to_owned()));
                palettes::dark()
            }
        };
        let mut own: BTreeMap<Role, Style> = named.into_iter().collect();
        for (role_name, spec) in overrides {
            let Some(role) = Role::ALL.into_iter().find(|role| role.name() == role_name) else {
                faults.push(ThemeFault::NoRole(role_name.clone()));
                continue;
            };
            match parse_style(spec) {
                Ok(style) => {
                    own.insert(role, style);
                }
                Err(word) => faults.push(ThemeFault::NoColour { role: role_name.clone(), word }),
            }
        }
        let mut styles = [Style::new(); Role::ALL.len()];
        for role in Role::ALL {
            let inherited = || role.parent().map_or(Style::new(), |parent| styles[parent as usize]);
            styles[role as usize] = own.get(&role).copied().unwrap_or_else(inherited);
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

/// `bold #aabbcc on 236`, `underline cyan`; the word that is neither colour nor weight where there is one.
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
        for (nth, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, nth);
            assert!(role.parent().is_none_or(|parent| (parent as usize) < nth), "{role:?}");
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
        for role in Role::ALL {
            assert_eq!((theme.style(role).fg, theme.style(role).bg), (None, None), "{role:?}");
        }
        assert_ne!(theme.style(Role::Match), theme.style(Role::Text));
        assert_ne!(theme.style(Role::Selected), theme.style(Role::Text));
    }
}
