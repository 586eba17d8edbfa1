//! The colours of the built-in themes.

use ratatui::style::{Color, Modifier, Style};

use super::Role::{
    self, Accent, Alike, Border, Code, Dim, Error, Event, Heat, LegConnection, LegKeyword, LegMeaning, Link, Low,
    Match, MatchHere, Mood, Ok as Fine, Organization, Passage, Person, Place, Product, Selected, Tag, Text, Title,
    Topic, Warn,
};

fn fg(colour: u8) -> Style {
    Style::new().fg(Color::Indexed(colour))
}

pub fn dark() -> Vec<(Role, Style)> {
    vec![
        (Text, Style::new()),
        (Dim, fg(245)),
        (Accent, fg(110)),
        (Title, fg(110).add_modifier(Modifier::BOLD)),
        (Border, fg(239)),
        (Selected, Style::new().bg(Color::Indexed(237))),
        (Match, fg(222).add_modifier(Modifier::BOLD)),
        (MatchHere, fg(222).add_modifier(Modifier::BOLD).add_modifier(Modifier::REVERSED)),
        (Passage, fg(151)),
        (Alike, fg(151).add_modifier(Modifier::UNDERLINED)),
        (Code, fg(180)),
        (Link, fg(110).add_modifier(Modifier::UNDERLINED)),
        (Tag, fg(109)),
        (Mood, fg(175)),
        (Heat, fg(67)),
        (Fine, fg(108)),
        (Warn, fg(179)),
        (Error, fg(203)),
        (Low, fg(173)),
        (Person, fg(216)),
        (Place, fg(115)),
        (Event, fg(180)),
        (Topic, fg(146)),
        (Product, fg(186)),
        (Organization, fg(152)),
        (LegKeyword, fg(222)),
        (LegConnection, fg(176)),
    ]
}

pub fn light() -> Vec<(Role, Style)> {
    vec![
        (Text, Style::new()),
        (Dim, fg(243)),
        (Accent, fg(25)),
        (Title, fg(25).add_modifier(Modifier::BOLD)),
        (Border, fg(250)),
        (Selected, Style::new().bg(Color::Indexed(254))),
        (Match, fg(130).add_modifier(Modifier::BOLD)),
        (MatchHere, fg(130).add_modifier(Modifier::BOLD).add_modifier(Modifier::REVERSED)),
        (Passage, fg(28)),
        (Alike, fg(28).add_modifier(Modifier::UNDERLINED)),
        (Code, fg(94)),
        (Link, fg(25).add_modifier(Modifier::UNDERLINED)),
        (Tag, fg(30)),
        (Mood, fg(132)),
        (Heat, fg(67)),
        (Fine, fg(28)),
        (Warn, fg(136)),
        (Error, fg(160)),
        (Low, fg(166)),
        (Person, fg(166)),
        (Place, fg(29)),
        (Event, fg(94)),
        (Topic, fg(61)),
        (Product, fg(100)),
        (Organization, fg(31)),
        (LegKeyword, fg(130)),
        (LegConnection, fg(133)),
    ]
}

pub fn ansi16() -> Vec<(Role, Style)> {
    let fg = |colour| Style::new().fg(colour);
    vec![
        (Text, Style::new()),
        (Dim, fg(Color::DarkGray)),
        (Accent, fg(Color::Cyan)),
        (Title, fg(Color::Cyan).add_modifier(Modifier::BOLD)),
        (Selected, Style::new().add_modifier(Modifier::REVERSED)),
        (Match, fg(Color::Yellow).add_modifier(Modifier::BOLD)),
        (MatchHere, fg(Color::Yellow).add_modifier(Modifier::BOLD).add_modifier(Modifier::REVERSED)),
        (Passage, fg(Color::Green)),
        (Alike, fg(Color::Green).add_modifier(Modifier::UNDERLINED)),
        (Code, fg(Color::Yellow)),
        (Link, fg(Color::Cyan).add_modifier(Modifier::UNDERLINED)),
        (Mood, fg(Color::Magenta)),
        (Heat, fg(Color::LightBlue)),
        (Fine, fg(Color::Green)),
        (Warn, fg(Color::Yellow)),
        (Error, fg(Color::Red).add_modifier(Modifier::BOLD)),
        (Low, fg(Color::Red)),
        (Person, fg(Color::LightRed)),
        (Place, fg(Color::Green)),
        (Event, fg(Color::Yellow)),
        (Topic, fg(Color::LightBlue)),
        (Product, fg(Color::LightYellow)),
        (Organization, fg(Color::LightCyan)),
        (LegKeyword, fg(Color::Yellow)),
        (LegConnection, fg(Color::LightMagenta)),
    ]
}

pub fn colourless() -> Vec<(Role, Style)> {
    let with = |modifier| Style::new().add_modifier(modifier);
    vec![
        (Text, Style::new()),
        (Dim, with(Modifier::DIM)),
        (Title, with(Modifier::BOLD)),
        (Accent, with(Modifier::BOLD)),
        (Selected, with(Modifier::REVERSED)),
        (Match, with(Modifier::BOLD).add_modifier(Modifier::UNDERLINED)),
        (MatchHere, with(Modifier::BOLD).add_modifier(Modifier::UNDERLINED).add_modifier(Modifier::REVERSED)),
        (Passage, with(Modifier::UNDERLINED)),
        (Alike, with(Modifier::ITALIC)),
        (Heat, Style::new()),
        (Tag, Style::new()),
        (Link, with(Modifier::UNDERLINED)),
        (Error, with(Modifier::BOLD)),
        (Low, with(Modifier::UNDERLINED)),
        (LegKeyword, Style::new()),
        (LegMeaning, Style::new()),
        (LegConnection, Style::new()),
    ]
}
