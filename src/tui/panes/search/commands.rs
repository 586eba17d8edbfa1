//! Commands of the Search pane. Of commands that share a key, the one with the narrower condition comes first.

use super::{
    Focus, Search,
    prompt::{Prompt, Wanted},
};
use crate::{
    search::LegId,
    tui::{Motion, Pane, command},
};

type Command = command::Command<Search>;

impl Pane for Search {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search";
    const COMMANDS: &'static [Command] = COMMANDS;
    const SHOWS_QUERY: bool = true;
    const SIGNS: &'static [(&'static str, &'static str)] = &[
        ("●●·", "Found by word, by meaning, by connection; · is not"),
        ("████▌", "How well it matches, the best one full"),
    ];
}

const COMMANDS: &[Command] = &[
    Command::new("search.accept", &["enter"], "Apply", Search::accept).when(|s| s.prompt.is_some()).hint("ok"),
    Command::new("search.pick", &["enter", "space"], "Toggle filter", |s, cx| s.pick(false, cx))
        .when(Search::is_narrowing)
        .hint("narrow"),
    Command::new("search.exclude", &["x"], "Exclude", |s, cx| s.pick(true, cx))
        .when(Search::is_narrowing)
        .hint("leave out"),
    Command::new("search.older-query", &["up"], "Previous query", |s, cx| s.recall(true, cx))
        .when(Search::is_recalling)
        .hint("earlier queries"),
    Command::new("search.newer-query", &["down"], "Next query", |s, cx| s.recall(false, cx)).when(Search::is_recalling),
    Command::new("search.complete", &["tab", "enter"], "Complete filter", Search::complete)
        .when(Search::is_completing)
        .hint("complete"),
    Command::new("search.results", &["enter"], "Go to the results", Search::leave)
        .when(Search::is_typing)
        .hint("results"),
    Command::new("search.open", &["enter"], "Open entry at the match", Search::open)
        .when(Search::is_on_hits)
        .hint("open"),
    Command::new("search.next-match", &["."], "Next match in the text", |s, cx| s.next_match(1, cx))
        .when(Search::is_reading)
        .hint("next match"),
    Command::new("search.previous-match", &[","], "Previous match in the text", |s, cx| s.next_match(-1, cx))
        .when(Search::is_reading)
        .hint("previous"),
    Command::new("search.preview", &["tab"], "Switch between list and preview", Search::swap)
        .when(|s| s.has_hit() && s.prompt.is_none())
        .hint("text"),
    Command::new("search.leave", &["esc"], "Back to results", Search::leave)
        .when(|s| s.focus != Focus::List || s.prompt.is_some())
        .hint("back"),
    Command::new("search.clear", &["esc"], "Clear query", Search::clear)
        .when(|s| !s.input.is_empty() && s.own == s.input.text())
        .hint("clear"),
    Command::new("search.close", &["q"], "Close filters", Search::leave).when(Search::is_narrowing),
    // In an empty field there is no word to move over.
    Command::new("search.back", &["alt-left"], "Back to previous place", |_, cx| cx.travel(false))
        .when(|s| s.is_typing() && s.input.is_empty()),
    Command::new("search.why", &["w"], "Find causes of this entry", Search::why).when(Search::is_on_hits).hint("why"),
    Command::new("search.type", &["i"], "Edit query", |s, _| s.focus = Focus::Field)
        .when(|s| s.focus != Focus::Field)
        .hint("type"),
    Command::new("search.narrow", &["f", "alt-f"], "Filter by name, tag, mood or month", Search::narrow)
        .when(|s| !s.input.is_empty() && s.prompt.is_none() && s.focus != Focus::Facets)
        .hint("narrow"),
    Command::new("search.sort", &["v"], "Sort by relevance, newest or oldest", Search::sort).hint("sort"),
    Command::new("search.words", &[], "Toggle search by word", |s, cx| s.toggle(cx, LegId::Keyword)).hint("words"),
    Command::new("search.meaning", &[], "Toggle search by meaning", |s, cx| s.toggle(cx, LegId::Vector))
        .hint("meaning"),
    Command::new("search.connection", &[], "Toggle search by connection", |s, cx| s.toggle(cx, LegId::Graph))
        .hint("links"),
    Command::new("search.save", &["ctrl-s"], "Save search", |s, cx| s.prompt = Some(Prompt::new(Wanted::Name, cx)))
        .when(|s| !s.input.is_empty() && s.prompt.is_none())
        .hint("save"),
    Command::new("search.export", &["X"], "Export results as markdown or JSON", |s, cx| {
        s.prompt = Some(Prompt::new(Wanted::Path, cx))
    })
    .when(|s| s.has_hit() && s.prompt.is_none())
    .hint("export"),
    Command::new("search.copy", &["y"], "Copy entry", Search::copy).when(Search::has_hit).hint("copy"),
    Command::new("search.explain", &["s"], "Toggle scores", |s, _| s.explain = !s.explain)
        .when(Search::has_hit)
        .hint("explain"),
    Command::new("search.weak", &["W"], "Toggle weaker matches", Search::toggle_weak)
        .when(|s| s.sure > 0 && s.sure < s.order.len()),
    Command::new("search.clear-filters", &[], "Clear filters", Search::drop_filters).when(|s| !s.input.is_empty()),
    Command::go("search.down", &["down", "ctrl-n"], "Next", Motion::DOWN).when(Search::is_typing),
    Command::go("search.up", &["up"], "Previous", Motion::UP).when(Search::is_typing),
    Command::go("search.page-down", &["pagedown"], "Page down", Motion::PAGE_DOWN).when(Search::is_typing),
    Command::go("search.page-up", &["pageup"], "Page up", Motion::PAGE_UP).when(Search::is_typing),
    Command::new("search.text-down", &["alt-down", "shift-down"], "Scroll preview down", |s, _| {
        s.preview.go(Motion::DOWN)
    }),
    Command::new("search.text-up", &["alt-up", "shift-up"], "Scroll preview up", |s, _| s.preview.go(Motion::UP)),
    Command::new("search.again", &["alt-r", "R"], "Search again", Search::ask).when(|s| !s.input.is_empty()),
];
