//! What can be done in the search pane. Of commands that share a key the one with the narrower condition stands first.

use super::{Focus, Prompt, Search};
use crate::{
    search::{LegId, PerLeg},
    tui::{command::Command, theme::Role, update_context::UpdateContext},
};

/// The command that switches a leg on and off, and the colour of the leg.
const LEGS: PerLeg<(&str, Role)> = PerLeg::new([
    ("search.words", Role::LegKeyword),
    ("search.meaning", Role::LegMeaning),
    ("search.connection", Role::LegConnection),
]);

pub fn leg_toggle(leg: LegId) -> &'static str {
    LEGS[leg].0
}

pub fn leg_role(leg: LegId) -> Role {
    LEGS[leg].1
}

pub(super) const COMMANDS: &[Command<Search>] = &[
    Command::new("search.accept", &["enter"], "Apply", Search::accept).when(|s| s.prompt.is_some()).hint("ok"),
    Command::new("search.pick", &["enter", "space"], "Toggle filter", |s: &mut Search, cx| {
        s.pick(false, cx);
    })
    .when(Search::is_narrowing)
    .hint("narrow"),
    Command::new("search.exclude", &["x"], "Exclude", |s: &mut Search, cx| s.pick(true, cx))
        .when(Search::is_narrowing)
        .hint("leave out"),
    Command::new("search.older-query", &["up"], "Previous query", |s: &mut Search, cx| s.recall(true, cx))
        .when(Search::is_recalling)
        .hint("earlier queries"),
    Command::new("search.newer-query", &["down"], "Next query", |s: &mut Search, cx| s.recall(false, cx))
        .when(Search::is_recalling),
    Command::new("search.open", &["enter"], "Open entry at the match", Search::open)
        .when(Search::is_on_hits)
        .hint("open"),
    Command::new("search.next-match", &["n"], "Next match in the text", |s: &mut Search, cx| s.next_match(1, cx))
        .when(Search::is_reading)
        .hint("next match"),
    Command::new("search.previous-match", &["N"], "Previous match in the text", |s: &mut Search, cx| {
        s.next_match(-1, cx);
    })
    .when(Search::is_reading)
    .hint("previous"),
    Command::new("search.preview", &["tab"], "Switch between list and preview", Search::swap)
        .when(|s| s.has_hit() && s.prompt.is_none())
        .hint("text"),
    Command::new("search.leave", &["esc"], "Back to results", Search::leave)
        .when(|s| s.focus != Focus::List || s.prompt.is_some())
        .hint("back"),
    Command::new("search.why", &["w"], "Find causes of this entry", Search::why).when(Search::is_on_hits).hint("why"),
    Command::new("search.type", &["i"], "Edit query", |s: &mut Search, _| s.enter_field())
        .when(|s| s.focus != Focus::Field)
        .hint("type"),
    Command::new("search.narrow", &["f", "alt-f"], "Filter by name, mood or month", Search::narrow)
        .when(|s| !s.input.is_empty() && s.prompt.is_none() && s.focus != Focus::Facets)
        .hint("narrow"),
    Command::new("search.sort", &["ctrl-s"], "Sort by relevance, newest or oldest", Search::sort).hint("sort"),
    Command::new("search.words", &["alt-k"], "Toggle search by word", |s: &mut Search, cx: &mut UpdateContext<'_>| {
        s.toggle(cx, LegId::Keyword);
    })
    .hint("words"),
    Command::new(
        "search.meaning",
        &["alt-m"],
        "Toggle search by meaning",
        |s: &mut Search, cx: &mut UpdateContext<'_>| {
            s.toggle(cx, LegId::Vector);
        },
    )
    .hint("meaning"),
    Command::new("search.connection", &["alt-c"], "Toggle search by connection", |s: &mut Search, cx| {
        s.toggle(cx, LegId::Graph);
    })
    .hint("links"),
    Command::new("search.save", &["alt-s"], "Save search", |s: &mut Search, _| {
        s.prompt = Some(Prompt::name());
    })
    .when(|s| !s.input.is_empty() && s.prompt.is_none())
    .hint("save"),
    Command::new("search.export", &["alt-e"], "Export results as markdown or JSON", |s: &mut Search, _| {
        s.prompt = Some(Prompt::path());
    })
    .when(|s| s.has_hit() && s.prompt.is_none())
    .hint("export"),
    Command::new("search.copy", &["ctrl-y"], "Copy entry", Search::copy).when(Search::has_hit).hint("copy"),
    Command::new("search.explain", &["f2"], "Toggle scores", |s: &mut Search, _| {
        s.explain = !s.explain;
    })
    .when(Search::has_hit)
    .hint("explain"),
    Command::new("search.clear-filters", &["alt-u"], "Clear filters", Search::drop_filters)
        .when(|s| !s.input.is_empty()),
    Command::new("search.down", &["down", "ctrl-n", "j"], "Next", |s: &mut Search, cx| s.step(1, cx)),
    Command::new("search.up", &["up", "k"], "Previous", |s: &mut Search, cx| s.step(-1, cx)),
    Command::new("search.page-down", &["pagedown"], "Page down", |s: &mut Search, cx| s.page(1, cx)),
    Command::new("search.page-up", &["pageup"], "Page up", |s: &mut Search, cx| s.page(-1, cx)),
    Command::new("search.first", &["g g"], "First", Search::first),
    Command::new("search.last", &["G"], "Last", Search::last),
    Command::new("search.text-down", &["shift-down", "J", "alt-down"], "Scroll preview down", |s: &mut Search, _| {
        s.preview.scroll(1);
    }),
    Command::new("search.text-up", &["shift-up", "K", "alt-up"], "Scroll preview up", |s: &mut Search, _| {
        s.preview.scroll(-1)
    }),
    Command::new("search.again", &["alt-r"], "Search again", Search::ask).when(|s| !s.input.is_empty()),
];
