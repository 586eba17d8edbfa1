//! Commands that work in every pane. They only create intents; [`super::app::App`] processes them.

use super::{
    effect::Effect,
    update_context::{Intent, OverlayName},
};
use crate::{
    session::Request,
    tui::{Command, Motion, Target},
};

/// State for the conditions of the application's own commands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shell {
    /// Number of panes.
    pub panes: usize,
    pub query_is_on: bool,
    /// A text field has the focus; else the movement keys act on a list or text.
    pub types: bool,
    /// There are places to go back to, or forward to.
    pub back: bool,
    pub forward: bool,
}

/// Context name of these commands.
pub const CONTEXT: &str = "app";

/// The command that shows a pane by its digit.
macro_rules! tab {
    ($nth:literal, $digit:literal, $title:literal) => {
        Command::new(
            concat!("app.tab-", $digit),
            &[concat!("alt-", $digit), concat!("f", $digit), $digit],
            concat!("Go to ", $title),
            |_: &mut Self, cx| cx.out.intents.push(Intent::Tab($nth)),
        )
        .when(|shell| shell.panes > $nth)
    };
}

/// Above an overlay it has no letter as key: there a letter is an answer or closes.
pub const QUIT: &str = "app.quit";

/// Prefix of the commands that switch the theme; their names end with the theme's.
pub const THEME: &str = "app.theme-";

macro_rules! theme {
    ($name:literal) => {
        Command::new(concat!("app.theme-", $name), &[], concat!("Theme: ", $name), |_, cx| {
            cx.out.intents.push(Intent::Theme($name))
        })
    };
}

impl Shell {
    pub const COMMANDS: &'static [Command<Self>] = &[
        Command::new("app.palette", &[":", "ctrl-p"], "Command palette", |_, cx| cx.show(OverlayName::Palette))
            .hint("commands"),
        Command::new("app.help", &["?", "alt-?"], "Show keys", |_, cx| cx.show(OverlayName::Help)).hint("help"),
        Command::new(QUIT, &["q", "ctrl-q"], "Quit and keep unsaved text as draft", |_, cx| {
            cx.out.intents.push(Intent::Quit)
        })
        .hint("quit"),
        Command::new("app.find", &["/"], "Search the journal", |_, cx| {
            cx.open(Target { compose: true, ..Target::search() })
        }),
        Command::new("app.new", &["n"], "New entry, or resume the draft", |_, cx| {
            cx.open(Target { compose: true, ..Target::journal() })
        }),
        Command::new("app.back", &["alt-left"], "Back to previous place", |_: &mut Self, cx| cx.travel(false))
            .when(|shell| shell.back && !shell.types),
        Command::new("app.forward", &["alt-right"], "Forward to next place", |_: &mut Self, cx| cx.travel(true))
            .when(|shell| shell.forward && !shell.types),
        Command::new("app.clear-query", &["alt-x"], "Clear query", |_: &mut Self, cx| {
            cx.out.intents.push(Intent::ClearQuery)
        })
        .when(|shell: &Self| shell.query_is_on),
        Command::go("app.down", &["j", "down"], "Next", Motion::DOWN).when(Self::is_moving),
        Command::go("app.up", &["k", "up"], "Previous", Motion::UP).when(Self::is_moving),
        Command::go("app.page-down", &["pagedown", "space"], "Page down", Motion::PAGE_DOWN).when(Self::is_moving),
        Command::go("app.page-up", &["pageup"], "Page up", Motion::PAGE_UP).when(Self::is_moving),
        Command::go("app.first", &["g g", "home"], "First", Motion::First).when(Self::is_moving),
        Command::go("app.last", &["G", "end"], "Last", Motion::Last).when(Self::is_moving),
        Command::new("app.undo", &["u"], "Undo last change", |_, cx| {
            cx.send(Request::Undo);
        }),
        tab!(0, "1", "Journal"),
        tab!(1, "2", "Search"),
        tab!(2, "3", "Entities"),
        tab!(3, "4", "Why"),
        tab!(4, "5", "Reflect"),
        tab!(5, "6", "Stats"),
        Command::new("app.problems", &["!"], "List problems", |_, cx| cx.show(OverlayName::Problems)),
        Command::new("app.trash", &["ctrl-t"], "List trash", |_, cx| cx.show(OverlayName::Trash)),
        Command::new("app.records", &["alt-g"], "List goals, lists and other records", |_, cx| {
            cx.show(OverlayName::Records)
        }),
        Command::new("app.saved", &[], "List saved searches", |_, cx| cx.show(OverlayName::Saved)),
        Command::new("app.journals", &["J"], "Switch to another journal", |_, cx| cx.show(OverlayName::Journals)),
        Command::new("app.sync", &[], "Reload files", |_, cx| {
            cx.send(Request::Sync);
        }),
        Command::new("app.sleep", &["ctrl-z"], "Suspend (fg resumes)", |_: &mut Self, cx| {
            cx.out.effects.push(Effect::Sleep)
        })
        .when(|_| cfg!(unix)),
        Command::new("app.blur", &["f9", "alt-v"], "Toggle blur", |_, cx| cx.out.intents.push(Intent::Blur)),
        Command::new("app.blank", &["f8"], "Blank screen", |_, cx| cx.out.intents.push(Intent::Blank)),
        theme!("auto"),
        theme!("dark"),
        theme!("light"),
        theme!("ansi16"),
        theme!("ansi16-light"),
        theme!("none"),
        Command::new("app.redraw", &[], "Redraw", |_, cx| cx.out.effects.push(Effect::Redraw)),
    ];

    fn is_moving(&self) -> bool {
        !self.types
    }

    /// Whether the command is enabled; above an overlay, only the movements, the help and the exit are.
    pub fn is_enabled(&self, nth: usize, is_overlay: bool) -> bool {
        let command = &Self::COMMANDS[nth];
        let is_shown = !is_overlay || command.motion.is_some() || matches!(command.info.name, "app.help" | QUIT);
        is_shown && (command.when)(self)
    }

    /// Whether the command works above every overlay and text field, and inside an unfinished sequence.
    pub fn is_over_all(nth: usize) -> bool {
        matches!(Self::COMMANDS[nth].info.name, "app.blur" | "app.blank")
    }
}
