//! Themes: colours by meaning. The only file with colour literals.
//!
//! A [`Role`] without a style in a theme takes the style of its parent, so that a user's file of three lines is a
//! complete theme, and old files keep working when a role is added.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};

use crate::{extract::valence, journal::EntityKind};

/// The roles in one table: the name in the configuration; after `<` the parent, whose style is used where a theme has
/// none (`-`); and the styles in the themes of [`THEMES`], in the user's syntax. Parents come before
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

/// `ansi16` is for a dark background, `ansi16-light` for a light one; `none` has weight and underline only.
pub const THEMES: [&str; 5] = ["dark", "light", "ansi16", "ansi16-light", "none"];

/// Follows the terminal: its colours and its background.
pub const AUTO: &str = "auto";

/// Number of colours of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    None,
    Sixteen,
    #[default]
    Many,
}

/// The theme by the configuration and the terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThemeChoice {
    /// One of [`THEMES`], or [`AUTO`].
    pub name: String,
    /// Role name to style, on top of the theme.
    pub roles: BTreeMap<String, String>,
    pub colours: Colours,
    /// The terminal's background is light; `None` if that is unknown.
    pub is_light: Option<bool>,
}

impl ThemeChoice {
    /// The name of the theme in use.
    pub fn in_use(&self) -> &str {
        match (self.name.as_str(), self.colours, self.is_light.unwrap_or(false)) {
            (AUTO, Colours::None, _) => "none",
            (AUTO, Colours::Sixteen, false) => "ansi16",
            (AUTO, Colours::Sixteen, true) => "ansi16-light",
            (AUTO, Colours::Many, false) => "dark",
            (AUTO, Colours::Many, true) => "light",
            (name, ..) => name,
        }
    }

    pub fn follows_background(&self) -> bool {
        self.name == AUTO && self.colours != Colours::None
    }

    pub fn theme(&self) -> Theme {
        Theme::new(self.in_use(), &self.roles)
    }
}

roles! {
    /// The user's text.
    Text = "text": ["", "", "", "", ""],
    /// Metadata: counts, file names, anything secondary.
    Dim = "dim" < Text: ["247", "241", "gray", "dim", "dim"],
    /// The colour for "here" and "understood": the active tab, the focused field, a filter.
    Accent = "accent" < Text: ["110", "25", "cyan", "blue", "bold"],
    /// The title of the content: a day, an entity.
    Title = "title" < Accent: ["bold 110", "bold 25", "bold cyan", "bold blue", "bold"],
    /// A line between two regions.
    Border = "border" < Dim: ["239", "250", "-", "-", "-"],
    /// The row or entry that keys act on.
    Selected = "selected" < Text: ["on 236", "on 255", "reverse", "reverse", "reverse"],
    /// The bar left of the selected one.
    Marker = "marker" < Accent: ["-", "-", "-", "-", "-"],
    /// Words that matched the query.
    Match = "match" < Text: ["bold 222", "bold 90", "bold lightyellow", "bold magenta", "bold underline"],
    /// The current match.
    MatchHere = "match-here" < Match: ["bold reverse 222", "bold reverse 90", "bold reverse lightyellow", "bold reverse magenta", "bold underline reverse"],
    /// The passage closest in meaning.
    Passage = "passage" < Match: ["151", "22", "green", "underline", "underline"],
    /// A word that is similar to one of the query.
    Alike = "alike" < Passage: ["underline 151", "underline 22", "underline green", "italic", "italic"],
    /// A key on the hint line and in the help.
    Key = "key" < Accent: ["-", "-", "-", "-", "-"],
    Heading = "heading" < Title: ["-", "-", "-", "-", "-"],
    Code = "code" < Text: ["180", "58", "lightyellow", "-", "-"],
    Link = "link" < Accent: ["underline 110", "underline 25", "underline cyan", "underline blue", "underline"],
    Tag = "tag" < Accent: ["109", "24", "-", "-", ""],
    Date = "date" < Dim: ["-", "-", "-", "-", "-"],
    Mood = "mood" < Text: ["175", "126", "lightmagenta", "magenta", "-"],
    /// Bars, sparklines, heat map.
    Heat = "heat" < Accent: ["67", "31", "lightblue", "blue", ""],
    /// Steps of a heat map below [`Role::Heat`] and above it.
    HeatLow = "heat-low" < Heat: ["66", "67", "-", "-", "-"],
    HeatHigh = "heat-high" < Heat: ["74", "25", "-", "-", "-"],
    HeatMost = "heat-most" < Heat: ["117", "18", "lightcyan", "-", "-"],
    Ok = "ok" < Text: ["108", "22", "green", "-", "-"],
    Warn = "warn" < Text: ["179", "94", "lightyellow", "red", "-"],
    Error = "error" < Text: ["209", "124", "bold lightred", "bold red", "bold"],
    /// A good day, a pleasant mood.
    Good = "good" < Ok: ["-", "-", "-", "-", "-"],
    /// A hard day, an unpleasant mood.
    Low = "low" < Warn: ["173", "125", "lightred", "red", "underline"],
    Person = "person" < Text: ["216", "88", "lightred", "magenta", "-"],
    Place = "place" < Person: ["115", "23", "green", "blue", "-"],
    Event = "event" < Person: ["180", "58", "lightyellow", "red", "-"],
    Emotion = "emotion" < Mood: ["-", "-", "-", "-", "-"],
    Topic = "topic" < Person: ["146", "61", "lightcyan", "lightblue", "-"],
    Product = "product" < Person: ["186", "94", "lightyellow", "-", "-"],
    Organization = "organization" < Person: ["152", "24", "lightcyan", "-", "-"],
    LegKeyword = "leg-keyword" < Match: ["222", "90", "lightyellow", "magenta", ""],
    LegMeaning = "leg-meaning" < Passage: ["-", "-", "-", "-", ""],
    LegConnection = "leg-connection" < Accent: ["176", "127", "lightmagenta", "red", ""],
}

impl Role {
    /// The glyph and role of a step of a heat map, from 0 (nothing) to 4.
    pub fn of_heat(step: usize) -> (char, Self) {
        match step {
            0 => ('·', Self::Dim),
            1 => ('░', Self::HeatLow),
            2 => ('▒', Self::Heat),
            3 => ('▓', Self::HeatHigh),
            _ => ('█', Self::HeatMost),
        }
    }

    /// The sign of a mood, beside its colour: good, hard, in between.
    pub fn sign(self) -> char {
        match self {
            Self::Good => '+',
            Self::Low => '−',
            _ => '○',
        }
    }

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

/// Short word for the kind of a name, singular and plural: shown beside a name, because colour alone is not accessible.
pub fn kind_label(kind: EntityKind) -> (&'static str, &'static str) {
    match kind {
        EntityKind::Person => ("person", "people"),
        EntityKind::Place => ("place", "places"),
        EntityKind::Event => ("event", "events"),
        EntityKind::Emotion => ("feeling", "feelings"),
        EntityKind::Topic => ("topic", "topics"),
        EntityKind::Product => ("product", "products"),
        EntityKind::Organization => ("group", "groups"),
    }
}

/// A style for every role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    styles: [Style; Role::TABLE.len()],
}

/// The names of the roles in the configuration.
pub fn role_names() -> impl Iterator<Item = &'static str> {
    Role::TABLE.iter().map(|(_, name, ..)| *name)
}

/// Whether a text is a style, such as `bold #aabbcc on 236`.
pub fn is_style(text: &str) -> bool {
    parse_style(text).is_some()
}

impl Theme {
    /// A built-in theme with the user's overrides. Invalid ones are ignored; the configuration reports them.
    pub fn new(name: &str, overrides: &BTreeMap<String, String>) -> Self {
        let theme = THEMES.iter().position(|theme| *theme == name).unwrap_or(0);
        let built_in = Role::TABLE.iter().filter(|(.., styles)| styles[theme] != "-");
        let mut own: BTreeMap<Role, Style> =
            built_in.filter_map(|(role, .., styles)| Some((*role, parse_style(styles[theme])?))).collect();
        let role_called = |given: &str| Some(Role::TABLE.iter().find(|(_, name, ..)| *name == given)?.0);
        own.extend(overrides.iter().filter_map(|(role, style)| Some((role_called(role)?, parse_style(style)?))));
        let mut styles = [Style::new(); Role::TABLE.len()];
        for (role, _, parent, _) in Role::TABLE {
            let inherited = || parent.map_or(Style::new(), |parent| styles[parent as usize]);
            styles[*role as usize] = own.get(role).copied().unwrap_or_else(inherited);
        }
        let selected = &mut styles[Role::Selected as usize];
        if selected.add_modifier.contains(Modifier::REVERSED) {
            // Text of several colours, reversed, would be stripes of several backgrounds.
            let plain = Style::new().fg(Color::Reset).bg(Color::Reset).remove_modifier(Modifier::DIM);
            *selected = plain.patch(*selected);
        }
        Self { styles }
    }

    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::new("dark", &BTreeMap::new())
    }
}

/// `bold #aabbcc on 236`, `underline cyan`; `None` if a word is neither a colour nor a weight.
fn parse_style(spec: &str) -> Option<Style> {
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
            let colour = if word == "default" { Color::Reset } else { word.parse().ok()? };
            style = if background { style.bg(colour) } else { style.fg(colour) };
        }
    }
    Some(style)
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
            assert!(styles.iter().all(|style| *style == "-" || is_style(style)), "{role:?}");
        }
    }

    #[test]
    fn one_line_of_the_user_colours_what_hangs_below_it() {
        let theme = Theme::new("ansi16", &overrides(&[("accent", "bold #ff8800 on 236")]));
        let wanted = Style::new().fg(Color::Rgb(255, 136, 0)).bg(Color::Indexed(236)).add_modifier(Modifier::BOLD);
        assert_eq!(theme.style(Role::Accent), wanted);
        assert_eq!(theme.style(Role::Key), wanted, "a key has no own style in this theme");
    }

    #[test]
    fn what_is_not_understood_is_ignored_and_the_rest_stands() {
        let theme = Theme::new("drak", &overrides(&[("acent", "red"), ("dim", "rainbow"), ("match", "red")]));
        assert_eq!(theme.style(Role::Match), Style::new().fg(Color::Red));
        assert_eq!(theme.style(Role::Dim), Theme::default().style(Role::Dim));
    }

    /// Red, green and blue of an indexed colour; of a named one in the palettes of xterm and of the Linux console.
    fn rgb(colour: Color) -> Vec<[u8; 3]> {
        let named = |xterm, console| vec![xterm, console];
        match colour {
            Color::Rgb(r, g, b) => vec![[r, g, b]],
            Color::Indexed(n @ 232..) => vec![[8 + 10 * (n - 232); 3]],
            Color::Indexed(n @ 16..) => {
                let level = |part: u8| [0, 95, 135, 175, 215, 255][usize::from(part)];
                vec![[level((n - 16) / 36), level((n - 16) / 6 % 6), level((n - 16) % 6)]]
            }
            Color::Red => named([205, 0, 0], [170, 0, 0]),
            Color::Green => named([0, 205, 0], [0, 170, 0]),
            Color::Yellow => named([205, 205, 0], [170, 85, 0]),
            Color::Blue => named([0, 0, 238], [0, 0, 170]),
            Color::Magenta => named([205, 0, 205], [170, 0, 170]),
            Color::Cyan => named([0, 205, 205], [0, 170, 170]),
            Color::Gray => named([229; 3], [170; 3]),
            Color::DarkGray => named([127; 3], [85; 3]),
            Color::LightRed => named([255, 0, 0], [255, 85, 85]),
            Color::LightGreen => named([0, 255, 0], [85, 255, 85]),
            Color::LightYellow => named([255, 255, 0], [255, 255, 85]),
            Color::LightBlue => named([92, 92, 255], [85, 85, 255]),
            Color::LightMagenta => named([255, 0, 255], [255, 85, 255]),
            Color::LightCyan => named([0, 255, 255], [85, 255, 255]),
            colour => panic!("no palette has {colour:?}"),
        }
    }

    /// Contrast ratio by WCAG 2.2.
    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let luminance = |colour: [u8; 3]| {
            let [r, g, b] = colour.map(|part| {
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// Common backgrounds of terminals.
    fn backgrounds(theme: &str) -> Vec<[u8; 3]> {
        match theme {
            "dark" => vec![[0; 3], [0x1e; 3], [0x28, 0x2c, 0x34]],
            "light" => vec![[255; 3], [0xfd, 0xf6, 0xe3]],
            "ansi16-light" => vec![[255; 3]],
            _ => vec![[0; 3]],
        }
    }

    #[test]
    fn every_role_of_every_theme_can_be_read() {
        for name in THEMES {
            let theme = Theme::new(name, &BTreeMap::new());
            let selected = theme.style(Role::Selected).bg.filter(|colour| *colour != Color::Reset);
            for (role, word, ..) in Role::TABLE {
                // Lines between regions carry no information; bars are shapes, for which 3:1 is enough.
                let least = match role {
                    Role::Border => continue,
                    Role::Heat | Role::HeatLow | Role::HeatHigh | Role::HeatMost => 3.0,
                    _ => 4.5,
                };
                let Some(colour) = theme.style(*role).fg.filter(|colour| *colour != Color::Reset) else { continue };
                for ground in backgrounds(name).into_iter().chain(selected.into_iter().flat_map(rgb)) {
                    for text in rgb(colour) {
                        let found = contrast(text, ground);
                        assert!(found >= least, "{name}: {word} on {ground:?} has {found:.2}:1");
                    }
                }
            }
        }
    }

    #[test]
    fn the_theme_follows_the_terminal_unless_it_is_named() {
        let auto = |colours, is_light| ThemeChoice { name: AUTO.to_owned(), colours, is_light, ..Default::default() };
        assert_eq!(auto(Colours::Many, None).in_use(), "dark");
        assert_eq!(auto(Colours::Many, Some(true)).in_use(), "light");
        assert_eq!(auto(Colours::Sixteen, Some(false)).in_use(), "ansi16");
        assert_eq!(auto(Colours::Sixteen, Some(true)).in_use(), "ansi16-light");
        assert_eq!(auto(Colours::None, Some(true)).in_use(), "none");
        let named = ThemeChoice { name: "dark".to_owned(), ..auto(Colours::Many, Some(true)) };
        assert_eq!(named.in_use(), "dark");
    }

    #[test]
    fn a_reversed_row_is_of_one_piece() {
        for name in ["ansi16", "ansi16-light", "none"] {
            let theme = Theme::new(name, &BTreeMap::new());
            let rows = Role::TABLE.iter().map(|(role, ..)| theme.style(*role).patch(theme.style(Role::Selected)));
            let looks: std::collections::BTreeSet<_> = rows.map(|row| format!("{:?} {:?}", row.fg, row.bg)).collect();
            assert_eq!(looks.len(), 1, "{name}: {looks:?}");
        }
    }

    #[test]
    fn without_colour_there_is_no_colour() {
        let theme = Theme::new("none", &BTreeMap::new());
        for (role, ..) in Role::TABLE {
            let role = *role;
            let plain = [None, Some(Color::Reset)];
            assert!(plain.contains(&theme.style(role).fg) && plain.contains(&theme.style(role).bg), "{role:?}");
        }
        assert_ne!(theme.style(Role::Match), theme.style(Role::Text));
        assert_ne!(theme.style(Role::Selected), theme.style(Role::Text));
    }
}
