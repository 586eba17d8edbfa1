//! Commands of the Entities pane. Of commands that share a key, the one with the narrower condition comes first.

use super::{CurationAction, Entities, SidePanel};
use crate::{
    journal::EntityKind,
    tui::{Motion, Pane, command},
};

type Command = command::Command<Entities>;

impl Pane for Entities {
    const NAME: &'static str = "entities";
    const TITLE: &'static str = "Entities";
    const COMMANDS: &'static [Command] = COMMANDS;
    const SIGNS: &'static [(&'static str, &'static str)] = &[
        ("▁▃█", "Days with the name, month by month"),
        ("↑ ↓", "More, or less, of what was written in the last 90 days than in the 90 before"),
    ];
}

const COMMANDS: &[Command] = &[
    Command::new("entities.say", &["enter"], "Apply", Entities::said).when(Entities::is_saying).hint("apply"),
    Command::new("entities.unsay", &["esc"], "Cancel", Entities::unsay).when(Entities::is_saying).hint("cancel"),
    Command::new("entities.follow", &["enter"], "Open source entry, or go to name", Entities::follow)
        .when(|s| s.reading && s.looks_at_name() && !s.is_saying() && s.portrait.lines.is_on_link())
        .hint("open"),
    Command::new("entities.back", &["esc", "backspace"], "Back", Entities::back)
        .when(|s| s.reading && s.looks_at_name() && !s.is_saying())
        .hint("back"),
    Command::new("entities.settle", &["enter"], "Open source entry", Entities::settle)
        .when(|s| s.is_at_chore() && s.chores.is_pair() && s.chores.lines.cited().is_some())
        .hint("open"),
    Command::new("entities.same", &["enter", "M"], "Same: merge", Entities::same)
        .when(|s| s.is_at_chore() && s.chores.is_pair())
        .hint("merge"),
    Command::new("entities.two", &["x"], "Different: stop asking", Entities::two)
        .when(|s| s.is_at_chore() && s.chores.is_pair())
        .hint("not the same"),
    Command::new("entities.show", &["enter"], "Unhide name", Entities::unhide)
        .when(|s| s.is_at_chore() && s.chores.is_hidden_name())
        .hint("show again"),
    Command::new("entities.leave-chore", &["esc", "backspace", "q"], "Back to list", Entities::leave_chore)
        .when(|s| !s.typing && !s.is_saying() && !s.looks_at_name())
        .hint("back"),
    Command::new("entities.open", &["enter", "l", "right"], "Open name", |s, cx| s.swap(cx))
        .when(Entities::opens)
        .hint("details"),
    Command::new("entities.entries", &["L"], "Show entries in the journal", Entities::entries)
        .when(Entities::asks_about)
        .hint("entries"),
    Command::new("entities.connect", &["b"], "Find connection to another name", Entities::connect)
        .when(Entities::asks_about)
        .hint("connect to…"),
    Command::new("entities.why", &["w"], "Find causes", Entities::why).when(Entities::asks_about).hint("why"),
    Command::new("entities.doubts", &["="], "List possible duplicates", |s, cx| {
        s.show_panel(SidePanel::MergeCandidates, cx)
    })
    .when(Entities::has_doubts)
    .otherwise("No more possible duplicates")
    .hint("duplicates"),
    Command::new("entities.merge", &["M"], "Merge into another name", |s, _| s.say(CurationAction::Merge))
        .when(Entities::says_about)
        .hint("merge into…"),
    Command::new("entities.rename", &["r"], "Rename", |s, _| s.say(CurationAction::Rename))
        .when(Entities::says_about)
        .hint("rename"),
    Command::new("entities.alias", &[], "Add alias", |s, _| s.say(CurationAction::Alias))
        .when(Entities::says_about)
        .hint("alias"),
    Command::new("entities.kind", &[], "Set kind: person, place, topic …", |s, _| s.say(CurationAction::Kind))
        .when(Entities::says_about)
        .hint("kind"),
    Command::new("entities.hide", &[], "Hide name", Entities::hide).when(Entities::says_about).hint("hide"),
    Command::new("entities.notes", &["E"], "Edit notes in $EDITOR", Entities::note)
        .when(Entities::says_about)
        .hint("notes"),
    Command::new("entities.hidden", &[], "List hidden names", |s, cx| s.show_panel(SidePanel::Hidden, cx))
        .when(Entities::has_hidden)
        .hint("hidden"),
    Command::new("entities.leave", &["esc"], "Close filter", |s, _| s.typing = false).when(|s| s.typing).hint("list"),
    Command::new("entities.filter", &["f", "i"], "Filter names", |s, _| {
        s.typing = true;
        s.reading = false;
    })
    .when(|s| !s.typing)
    .hint("filter"),
    Command::new("entities.stop", &["esc"], "Cancel", |s, cx| s.portrait.query_state.stop(cx))
        .when(Entities::is_looking)
        .hint("stop"),
    Command::new("entities.all", &["esc"], "Clear filters", Entities::narrow_no_more)
        .when(Entities::is_narrowed)
        .hint("all names"),
    Command::new("entities.only-hits", &[], "Toggle: only names in search results", Entities::only_hits)
        .when(Entities::is_searching)
        .hint("only hits"),
    Command::new("entities.swap", &["tab"], "Switch between list and details", Entities::swap)
        .when(|s| !s.is_saying() && (s.reading || s.listing.selected().is_some())),
    Command::new("entities.to-list", &["h", "left"], "Back to the list", Entities::swap)
        .when(|s| s.reading && !s.is_saying()),
    Command::new("entities.next-kind", &["v"], "Next kind: all, people, places …", Entities::next_kind)
        .when(Entities::in_list)
        .hint("kind shown"),
    Command::new("entities.people", &[], "Toggle: people only", |s, cx| s.toggle_kind(EntityKind::Person, cx))
        .when(Entities::in_list),
    Command::new("entities.places", &[], "Toggle: places only", |s, cx| s.toggle_kind(EntityKind::Place, cx))
        .when(Entities::in_list),
    Command::new("entities.events", &[], "Toggle: events only", |s, cx| s.toggle_kind(EntityKind::Event, cx))
        .when(Entities::in_list),
    Command::new("entities.moods", &[], "Toggle: feelings only", |s, cx| s.toggle_kind(EntityKind::Emotion, cx))
        .when(Entities::in_list),
    Command::new("entities.topics", &[], "Toggle: topics only", |s, cx| s.toggle_kind(EntityKind::Topic, cx))
        .when(Entities::in_list),
    Command::new("entities.organizations", &[], "Toggle: organizations only", |s, cx| {
        s.toggle_kind(EntityKind::Organization, cx)
    })
    .when(Entities::in_list),
    Command::new("entities.products", &[], "Toggle: products only", |s, cx| s.toggle_kind(EntityKind::Product, cx))
        .when(Entities::in_list),
    Command::go("entities.down", &["down"], "Next", Motion::DOWN).when(|s| s.typing),
    Command::go("entities.up", &["up"], "Previous", Motion::UP).when(|s| s.typing),
    Command::new("entities.source-down", &["alt-down"], "Scroll preview down", |s, _| s.source.scroll(1)),
    Command::new("entities.source-up", &["alt-up"], "Scroll preview up", |s, _| s.source.scroll(-1)),
    Command::new("entities.again", &["alt-r", "R"], "Reload names", Entities::again),
];
