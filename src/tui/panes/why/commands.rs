//! Commands of the Why pane. Of commands that share a key, the one with the narrower condition comes first.

use super::Why;
use crate::{
    index::graph::Judgement,
    tui::{Pane, command},
};

type Command = command::Command<Why>;

impl Pane for Why {
    const NAME: &'static str = "why";
    const TITLE: &'static str = "Why";
    const COMMANDS: &'static [Command] = COMMANDS;
}

const COMMANDS: &[Command] = &[
    Command::new("why.ask", &["enter"], "Ask", Why::ask_typed).when(|s| s.typing).hint("ask"),
    Command::new("why.open", &["enter"], "Open source entry in the journal", Why::open).when(Why::opens).hint("open"),
    Command::new("why.follow", &["right", "l"], "Show all quotes, then causes of this cause", Why::follow)
        .when(Why::follows)
        .hint("more"),
    Command::new("why.back", &["left", "h", "esc", "backspace"], "Back", Why::go_back)
        .when(Why::returns)
        .hint("return"),
    Command::new("why.stop", &["esc"], "Cancel", |s, cx| s.query_state.stop(cx)).when(Why::is_thinking).hint("stop"),
    Command::new("why.return", &["esc"], "Back to previous pane", |_, cx| cx.travel(false))
        .when(|s| s.is_reading() && !s.returns() && s.is_visit)
        .hint("back"),
    Command::new("why.leave", &["esc"], "Close input", |s, _| s.leave_field()).when(|s| s.typing).hint("leave field"),
    Command::new("why.type", &["i"], "New question", |s, _| s.new_question()).when(Why::is_reading).hint("ask"),
    Command::new("why.accept", &[], "Accept this cause", |s, cx| s.judge(Judgement::Accepted, cx))
        .when(Why::judges)
        .hint("accept"),
    Command::new("why.reject", &["x"], "Reject this cause", |s, cx| s.judge(Judgement::Rejected, cx))
        .when(Why::judges)
        .hint("reject"),
    Command::new("why.period", &["v"], "Period: all days, last year, 90 or 30 days", Why::next_period)
        .when(|s| s.is_reading() && !s.is_between())
        .hint("period"),
    Command::new("why.between", &["b"], "Find connection between two names", Why::toggle_between)
        .when(|s| s.is_reading() && !s.is_between())
        .hint("between two names"),
    Command::new("why.of-one", &["b", "esc"], "Find causes of one name", Why::toggle_between)
        .when(|s| s.is_reading() && s.is_between())
        .hint("one name"),
    Command::new("why.other-field", &["tab"], "Other name", |s, _| s.enter_field(!s.in_other))
        .when(Why::is_between)
        .hint("other name"),
    Command::new("why.source-down", &["alt-down"], "Scroll preview down", |s, _| s.source.scroll(1)),
    Command::new("why.source-up", &["alt-up"], "Scroll preview up", |s, _| s.source.scroll(-1)),
    Command::new("why.again", &["alt-r", "R"], "Ask again", Why::again).when(|s| s.asked.is_some()),
];
