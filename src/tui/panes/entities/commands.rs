//! What can be done in the pane of names. Of commands that share a key the one with the narrower condition stands first.

use super::{CurationAction, Entities, SidePanel};
use crate::{
    journal::EntityKind,
    tui::{command::Command, update_context::UpdateContext},
};

pub(super) const COMMANDS: &[Command<Entities>] = &[
    Command::new("entities.say", &["enter"], "Do what the line says", Entities::said)
        .when(Entities::is_saying)
        .hint("do it"),
    Command::new("entities.unsay", &["esc"], "Leave the name as it is", Entities::unsay)
        .when(Entities::is_saying)
        .hint("leave it"),
    Command::new("entities.follow", &["enter"], "Open the sentence's entry, or go to the name", Entities::follow)
        .when(|s| s.reading && s.looks_at_name() && !s.is_saying() && s.portrait.lines.selected().is_some())
        .hint("open"),
    Command::new("entities.back", &["esc", "backspace"], "Back to the name before, or to the list", Entities::back)
        .when(|s| s.reading && s.looks_at_name() && !s.is_saying())
        .hint("back"),
    Command::new("entities.settle", &["enter"], "Open the sentence, or make the pair one", Entities::settle_pair)
        .when(|s| s.is_at_chore() && s.chores.is_pair())
        .hint("open"),
    Command::new("entities.same", &["m"], "The two are one: make them so, after a look at it", Entities::same)
        .when(|s| s.is_at_chore() && s.chores.is_pair())
        .hint("they are one"),
    Command::new("entities.two", &["x"], "The two are two: never propose it again", Entities::two)
        .when(|s| s.is_at_chore() && s.chores.is_pair())
        .hint("they are two"),
    Command::new("entities.show", &["enter", "H"], "Show the hidden name again", Entities::unhide)
        .when(|s| s.is_at_chore() && s.chores.is_hidden_name())
        .hint("show again"),
    Command::new("entities.leave-chore", &["esc", "backspace"], "Back to the names", Entities::leave_chore)
        .when(|s| !s.typing && !s.is_saying() && !s.looks_at_name())
        .hint("back"),
    Command::new("entities.open", &["enter", "l", "right"], "Look at the name closely", |s: &mut Entities, cx| {
        s.swap(cx);
    })
    .when(Entities::opens)
    .hint("look closely"),
    Command::new("entities.entries", &["e"], "All entries with the name, in the journal", Entities::entries)
        .when(Entities::asks_about)
        .hint("entries"),
    Command::new("entities.connect", &["x"], "What connects the name with another", Entities::connect)
        .when(Entities::asks_about)
        .hint("connect to…"),
    Command::new("entities.why", &["w"], "What led to it", Entities::why).when(Entities::asks_about).hint("why"),
    Command::new("entities.doubts", &["="], "Pairs of names that may be one", |s: &mut Entities, cx| {
        s.turn_to_chore(SidePanel::Doubts, cx);
    })
    .when(Entities::has_doubts)
    .hint("may be one"),
    Command::new("entities.merge", &["m"], "Make it one with another name; asks first", |s: &mut Entities, _| {
        s.say(CurationAction::Merge);
    })
    .when(Entities::says_about)
    .hint("merge into…"),
    Command::new("entities.rename", &["r"], "Show it under another name", |s: &mut Entities, _| {
        s.say(CurationAction::Rename)
    })
    .when(Entities::says_about)
    .hint("rename"),
    Command::new("entities.alias", &["a"], "Give it another spelling or nickname", |s: &mut Entities, _| {
        s.say(CurationAction::Alias);
    })
    .when(Entities::says_about)
    .hint("alias"),
    Command::new("entities.kind", &["K"], "Say what it is: person, place, topic …", |s: &mut Entities, _| {
        s.say(CurationAction::Kind);
    })
    .when(Entities::says_about)
    .hint("kind"),
    Command::new("entities.hide", &["H"], "Leave it out of lists and connections", Entities::hide)
        .when(Entities::says_about)
        .hint("hide"),
    Command::new("entities.notes", &["N"], "Write down what you know of it, in $EDITOR", Entities::note)
        .when(Entities::says_about)
        .hint("notes"),
    Command::new("entities.hidden", &["."], "Names that are hidden, to show them again", |s: &mut Entities, cx| {
        s.turn_to_chore(SidePanel::Hidden, cx);
    })
    .when(Entities::has_hidden)
    .hint("hidden"),
    Command::new("entities.undo", &["u"], "Take the last change of a name back", Entities::take_back)
        .when(|s| !s.typing && !s.is_saying())
        .hint("undo"),
    Command::new("entities.leave", &["esc"], "Leave the filter for the list", Entities::leave)
        .when(|s| s.typing)
        .hint("list"),
    Command::new("entities.filter", &["f", "i"], "Type a part of a name", |s: &mut Entities, _| {
        s.typing = true;
        s.reading = false;
    })
    .when(|s| !s.typing)
    .hint("filter"),
    Command::new("entities.stop", &["esc"], "Wait for the name no longer", |s: &mut Entities, cx| s.portrait.stop(cx))
        .when(Entities::is_looking)
        .hint("stop"),
    Command::new("entities.all", &["esc"], "Every name again", Entities::narrow_no_more)
        .when(Entities::is_narrowed)
        .hint("all names"),
    Command::new("entities.only-hits", &["o"], "Only names that the query's hits mention, or all", Entities::only_hits)
        .when(Entities::is_searching)
        .hint("only hits"),
    Command::new("entities.swap", &["tab"], "Between the list and the name", Entities::swap)
        .when(|s| !s.is_saying() && (s.reading || s.listing.selected().is_some())),
    Command::new("entities.to-list", &["h", "left"], "Back to the list", Entities::swap)
        .when(|s| s.reading && !s.is_saying()),
    Command::new("entities.people", &["P"], "Only people, or all", |s: &mut Entities, cx| {
        s.toggle_kind(EntityKind::Person, cx);
    })
    .when(Entities::in_list),
    Command::new("entities.places", &["L"], "Only places, or all", |s: &mut Entities, cx| {
        s.toggle_kind(EntityKind::Place, cx);
    })
    .when(Entities::in_list),
    Command::new("entities.events", &["E"], "Only events, or all", |s: &mut Entities, cx| {
        s.toggle_kind(EntityKind::Event, cx);
    })
    .when(Entities::in_list),
    Command::new("entities.moods", &["M"], "Only feelings, or all", |s: &mut Entities, cx| {
        s.toggle_kind(EntityKind::Emotion, cx);
    })
    .when(Entities::in_list),
    Command::new("entities.topics", &["T"], "Only topics, or all", |s: &mut Entities, cx| {
        s.toggle_kind(EntityKind::Topic, cx);
    })
    .when(Entities::in_list),
    Command::new("entities.organizations", &["O"], "Only organizations, or all", |s: &mut Entities, cx| {
        s.toggle_kind(EntityKind::Organization, cx);
    })
    .when(Entities::in_list),
    Command::new("entities.products", &["R"], "Only products, or all", |s: &mut Entities, cx| {
        s.toggle_kind(EntityKind::Product, cx);
    })
    .when(Entities::in_list),
    // Who is spoken of stays while it is said.
    Command::new("entities.down", &["down", "j"], "Next", |s: &mut Entities, cx: &mut UpdateContext<'_>| s.step(1, cx))
        .when(|s| !s.is_saying()),
    Command::new("entities.up", &["up", "k"], "Previous", |s: &mut Entities, cx: &mut UpdateContext<'_>| {
        s.step(-1, cx)
    })
    .when(|s| !s.is_saying()),
    Command::new("entities.page-down", &["pagedown"], "A page down", |s: &mut Entities, cx: &mut UpdateContext<'_>| {
        s.page(1, cx);
    })
    .when(|s| !s.is_saying()),
    Command::new("entities.page-up", &["pageup"], "A page up", |s: &mut Entities, cx: &mut UpdateContext<'_>| {
        s.page(-1, cx)
    })
    .when(|s| !s.is_saying()),
    Command::new("entities.first", &["g g", "home"], "The first", |s: &mut Entities, cx: &mut UpdateContext<'_>| {
        s.edge(false, cx);
    })
    .when(|s| !s.is_saying()),
    Command::new("entities.last", &["G", "end"], "The last", |s: &mut Entities, cx: &mut UpdateContext<'_>| {
        s.edge(true, cx)
    })
    .when(|s| !s.is_saying()),
    Command::new("entities.source-down", &["alt-down"], "Further down in the entry beside", |s: &mut Entities, _| {
        s.source.scroll(1);
    })
    .when(|s| s.source.is_shown()),
    Command::new("entities.source-up", &["alt-up"], "Further up in the entry beside", |s: &mut Entities, _| {
        s.source.scroll(-1);
    })
    .when(|s| s.source.is_shown()),
    Command::new("entities.again", &["alt-r"], "Read the names again", Entities::again),
];
