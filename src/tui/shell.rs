//! The commands that work in every pane. They only leave intents; [`super::app::App`] carries them out.

use super::{
    command::Command,
    effect::Effect,
    update_context::{Intent, OverlayName, Target, UpdateContext},
};
use crate::session::Request;

/// What the conditions of the application's own commands look at.
#[derive(Debug, Default)]
pub struct Shell {
    /// How many panes there are.
    pub panes: usize,
    pub query_is_on: bool,
}

/// Context name of these commands.
pub const CONTEXT: &str = "app";

impl Shell {
    pub const COMMANDS: &'static [Command<Self>] = &[
        Command::new("app.clear-query", &["esc"], "Clear query", |_: &mut Self, cx| {
            let legs = cx.query.legs();
            cx.search("", legs);
        })
        .when(|shell: &Self| shell.query_is_on)
        .hint("clear query"),
        Command::new("app.palette", &[":", "ctrl-p"], "Command palette", |_, cx| cx.show(OverlayName::Palette))
            .hint("commands"),
        Command::new("app.help", &["?"], "Show keys", |_, cx| cx.show(OverlayName::Help)).hint("help"),
        Command::new("app.quit", &["q", "ctrl-q"], "Quit and keep unsaved text as draft", |_, cx| cx.quit())
            .hint("quit"),
        Command::new("app.find", &["/"], "Search the journal", |_, cx| {
            cx.open(Target { pane: "search", compose: true, ..Target::default() });
        }),
        Command::new("app.new", &["n"], "New entry", |_, cx| {
            cx.open(Target { pane: "journal", compose: true, ..Target::default() });
        }),
        Command::new("app.undo", &["u"], "Undo last change", |_, cx| {
            cx.send(Request::Undo);
        }),
        Command::new("app.tab-1", &["alt-1", "f1", "1"], "Go to the first pane", |_, cx| tab(cx, 0)),
        Command::new("app.tab-2", &["alt-2", "f2", "2"], "Go to the second pane", |_, cx| tab(cx, 1))
            .when(|shell| shell.panes > 1),
        Command::new("app.tab-3", &["alt-3", "f3", "3"], "Go to the third pane", |_, cx| tab(cx, 2))
            .when(|shell| shell.panes > 2),
        Command::new("app.tab-4", &["alt-4", "f4", "4"], "Go to the fourth pane", |_, cx| tab(cx, 3))
            .when(|shell| shell.panes > 3),
        Command::new("app.tab-5", &["alt-5", "f5", "5"], "Go to the fifth pane", |_, cx| tab(cx, 4))
            .when(|shell| shell.panes > 4),
        Command::new("app.tab-6", &["alt-6", "f6", "6"], "Go to the sixth pane", |_, cx| tab(cx, 5))
            .when(|shell| shell.panes > 5),
        Command::new("app.problems", &["!"], "List problems", |_, cx| cx.show(OverlayName::Problems)),
        Command::new("app.trash", &["ctrl-t"], "List trash", |_, cx| {
            cx.show(OverlayName::Trash);
        }),
        Command::new("app.saved", &["alt-o"], "List saved searches", |_, cx| cx.show(OverlayName::Saved)),
        Command::new("app.sync", &["ctrl-r"], "Reload files", |_, cx| {
            cx.send(Request::Sync);
        }),
        Command::new("app.sleep", &["ctrl-z"], "Suspend (fg resumes)", |_: &mut Self, cx| {
            cx.out.effects.push(Effect::Sleep);
        })
        .when(|_| cfg!(unix)),
        Command::new("app.blur", &["f9", "alt-v"], "Toggle blur", |_, cx| {
            cx.out.intents.push(Intent::Blur);
        }),
        Command::new("app.blank", &["f8"], "Blank screen", |_, cx| {
            cx.out.intents.push(Intent::Blank);
        }),
        Command::new("app.redraw", &["ctrl-l"], "Redraw", |_, cx| cx.out.intents.push(Intent::Redraw)),
    ];

    /// Whether the command at this place works above every overlay, text field and unfinished sequence.
    pub fn is_over_all(nth: usize) -> bool {
        matches!(Self::COMMANDS[nth].info.name, "app.blur" | "app.blank")
    }
}

fn tab(cx: &mut UpdateContext<'_>, nth: usize) {
    cx.out.intents.push(Intent::Tab(nth));
}
