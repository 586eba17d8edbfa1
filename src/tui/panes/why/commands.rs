//! What can be done where causes are asked for. Of commands that share a key the one with the narrower condition stands first.

use super::Why;
use crate::{
    index::graph::Judgement,
    tui::{command::Command, update_context::Target},
};

pub(super) const COMMANDS: &[Command<Why>] = &[
    Command::new("why.ask", &["enter"], "Ask what is typed", Why::ask_typed).when(|s| s.typing).hint("ask"),
    Command::new("why.open", &["enter"], "Open the sentence's entry in the journal", Why::open)
        .when(Why::opens)
        .hint("open the sentence"),
    Command::new("why.follow", &["right", "l"], "Follow the cause further back", Why::follow)
        .when(Why::follows)
        .hint("further back"),
    Command::new("why.back", &["left", "h", "esc", "backspace"], "Back to what it led to", Why::go_back)
        .when(Why::returns)
        .hint("return"),
    Command::new("why.stop", &["esc"], "Wait for the answer no longer", |s: &mut Why, cx| s.query_state.stop(cx))
        .when(Why::is_thinking)
        .hint("stop"),
    Command::new("why.return", &["esc"], "Back to the pane that it was asked from", |s: &mut Why, cx| {
        if let Some(pane) = s.opened_from.take() {
            cx.open(Target { pane, ..Target::default() });
        }
    })
    .when(Why::goes_back)
    .hint("back"),
    Command::new("why.leave", &["esc"], "Leave the field", |s: &mut Why, _| s.leave_field())
        .when(|s| s.typing)
        .hint("leave the field"),
    Command::new("why.type", &["i"], "Type another question", |s: &mut Why, _| s.enter_field(false))
        .when(Why::is_reading)
        .hint("ask"),
    Command::new("why.accept", &["A"], "Say that the cause is one", |s: &mut Why, cx| {
        s.judge(Judgement::Accepted, cx);
    })
    .when(Why::judges)
    .hint("accept"),
    Command::new("why.reject", &["X"], "Say that it is none: nothing claims it any more", |s: &mut Why, cx| {
        s.judge(Judgement::Rejected, cx);
    })
    .when(Why::judges)
    .hint("reject"),
    Command::new("why.undo", &["u"], "Take the last judgement or change of a name back", Why::take_back)
        .when(Why::is_reading),
    Command::new("why.period", &["p"], "All days, the last year, 90 days or 30 days", Why::next_period)
        .when(|s| s.is_reading() && !s.is_between())
        .hint("period"),
    Command::new("why.between", &["b"], "What lies between two names", Why::toggle_between)
        .when(|s| s.is_reading() && !s.is_between())
        .hint("between two names"),
    Command::new("why.of-one", &["b", "esc"], "What led to one, no longer what lies between two", Why::toggle_between)
        .when(|s| s.is_reading() && s.is_between())
        .hint("why of one"),
    Command::new("why.other-field", &["tab"], "To the other name", Why::swap_field)
        .when(Why::is_between)
        .hint("other name"),
    Command::new("why.down", &["down", "j"], "Next", |s: &mut Why, _| s.lines.step(1)),
    Command::new("why.up", &["up", "k"], "Previous", |s: &mut Why, _| s.lines.step(-1)),
    Command::new("why.page-down", &["pagedown"], "A page down", |s: &mut Why, _| s.lines.page(1)),
    Command::new("why.page-up", &["pageup"], "A page up", |s: &mut Why, _| s.lines.page(-1)),
    Command::new("why.first", &["g g", "home"], "The first", |s: &mut Why, _| s.lines.first()).when(Why::is_reading),
    Command::new("why.last", &["G", "end"], "The last", |s: &mut Why, _| s.lines.last()).when(Why::is_reading),
    Command::new("why.source-down", &["alt-down"], "Further down in the entry beside", |s: &mut Why, _| {
        s.source.scroll(1);
    })
    .when(|s| s.source.is_shown()),
    Command::new("why.source-up", &["alt-up"], "Further up in the entry beside", |s: &mut Why, _| {
        s.source.scroll(-1);
    })
    .when(|s| s.source.is_shown()),
    Command::new("why.again", &["alt-r"], "Ask the same again", Why::again).when(|s| s.asked.is_some()),
];
