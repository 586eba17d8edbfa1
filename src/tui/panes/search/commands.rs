//! What can be done in the search pane. Of commands that share a key the one with the narrower condition stands first.

use super::{Focus, Prompt, Search};
use crate::tui::{command::Command, update_context::UpdateContext};

pub(super) const COMMANDS: &[Command<Search>] = &[
    Command::new("search.accept", &["enter"], "Use what is typed here", Search::accept)
        .when(|s| s.prompt.is_some())
        .hint("ok"),
    Command::new("search.pick", &["enter", "space"], "Narrow by this, or no longer", |s: &mut Search, cx| {
        s.pick(false, cx);
    })
    .when(Search::is_narrowing)
    .hint("narrow"),
    Command::new("search.exclude", &["x"], "Leave out what has this", |s: &mut Search, cx| s.pick(true, cx))
        .when(Search::is_narrowing)
        .hint("leave out"),
    Command::new("search.older-query", &["up"], "The query before this one", |s: &mut Search, cx| s.recall(true, cx))
        .when(Search::is_recalling)
        .hint("earlier queries"),
    Command::new("search.newer-query", &["down"], "The query after this one", |s: &mut Search, cx| s.recall(false, cx))
        .when(Search::is_recalling),
    Command::new("search.open", &["enter"], "Open the entry in the journal, at the match", Search::open)
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
    Command::new("search.preview", &["tab"], "Into the text, and back to the list", Search::swap)
        .when(|s| s.has_hit() && s.prompt.is_none())
        .hint("text"),
    Command::new("search.leave", &["esc"], "Back to the list of hits", Search::leave)
        .when(|s| s.focus != Focus::List || s.prompt.is_some())
        .hint("back"),
    Command::new("search.why", &["w"], "What led to the entry", Search::why).when(Search::is_on_hits).hint("why"),
    Command::new("search.type", &["i"], "Go back to the field", |s: &mut Search, _| s.enter_field())
        .when(|s| s.focus != Focus::Field)
        .hint("type"),
    Command::new("search.narrow", &["f", "alt-f"], "Narrow by who, mood or month", Search::narrow)
        .when(|s| !s.input.is_empty() && s.prompt.is_none() && s.focus != Focus::Facets)
        .hint("narrow"),
    Command::new("search.sort", &["ctrl-s"], "Sort: best, newest or oldest first", Search::sort).hint("sort"),
    Command::new(
        "search.words",
        &["alt-k"],
        "Search by word: on or off",
        |s: &mut Search, cx: &mut UpdateContext<'_>| {
            s.toggle(cx, |legs| legs.keyword = !legs.keyword);
        },
    )
    .hint("words"),
    Command::new(
        "search.meaning",
        &["alt-m"],
        "Search by meaning: on or off",
        |s: &mut Search, cx: &mut UpdateContext<'_>| {
            s.toggle(cx, |legs| legs.vector = !legs.vector);
        },
    )
    .hint("meaning"),
    Command::new("search.connection", &["alt-c"], "Search by connection: on or off", |s: &mut Search, cx| {
        s.toggle(cx, |legs| legs.graph = !legs.graph);
    })
    .hint("links"),
    Command::new("search.save", &["alt-s"], "Save this search under a name", |s: &mut Search, _| {
        s.prompt = Some(Prompt::name());
    })
    .when(|s| !s.input.is_empty() && s.prompt.is_none())
    .hint("save"),
    Command::new("search.export", &["alt-e"], "Write the hits to a file, as markdown or JSON", |s: &mut Search, _| {
        s.prompt = Some(Prompt::path());
    })
    .when(|s| s.has_hit() && s.prompt.is_none())
    .hint("export"),
    Command::new("search.copy", &["ctrl-y"], "Copy the entry", Search::copy).when(Search::has_hit).hint("copy"),
    Command::new("search.explain", &["f2"], "Show the figures behind the order", |s: &mut Search, _| {
        s.explain = !s.explain;
    })
    .when(Search::has_hit)
    .hint("explain"),
    Command::new("search.clear-filters", &["alt-u"], "Take all filters out of the query", Search::drop_filters)
        .when(|s| !s.input.is_empty()),
    Command::new("search.down", &["down", "ctrl-n", "j"], "A line or a hit down", |s: &mut Search, cx| s.step(1, cx)),
    Command::new("search.up", &["up", "k"], "A line or a hit up", |s: &mut Search, cx| s.step(-1, cx)),
    Command::new("search.page-down", &["pagedown"], "A page down", |s: &mut Search, cx| s.page(1, cx)),
    Command::new("search.page-up", &["pageup"], "A page up", |s: &mut Search, cx| s.page(-1, cx)),
    Command::new("search.first", &["g g"], "To the first", Search::first),
    Command::new("search.last", &["G"], "To the last", Search::last),
    Command::new("search.text-down", &["shift-down", "J", "alt-down"], "Scroll the text down", |s: &mut Search, _| {
        s.preview.scroll(1);
    }),
    Command::new("search.text-up", &["shift-up", "K", "alt-up"], "Scroll the text up", |s: &mut Search, _| {
        s.preview.scroll(-1)
    }),
    Command::new("search.again", &["alt-r"], "Run the same search again", Search::ask).when(|s| !s.input.is_empty()),
];
