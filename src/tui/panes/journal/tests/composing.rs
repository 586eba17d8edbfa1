//! Writing with ease: templates, the question of the day, the text alone on the screen, vim's keys.

use super::*;
use crate::tui::update_context::Settings;

fn with_vim(width: u16, height: u16) -> Session {
    let settings = Settings { vim: true, has_editor: true, ..Settings::default() };
    Session::set_up(HarnessSetup { settings, size: (width, height), ..HarnessSetup::new(PANES) }, sample())
}

#[test]
fn an_empty_entry_asks_the_question_of_its_day() {
    let mut session = Session::full(80, 24);
    session.keys("n");
    insta::assert_snapshot!("question", session.screen());
    session.keys("<alt-p>").typed("The fog.").sees_not("begins with a template");
    session.keys("<ctrl-s>");
    let body = session.append().body;
    let question = Templates::default().prompt(FRIDAY).to_owned();
    assert_eq!(body, format!("{question}\n\nThe fog."));
}

#[test]
fn a_template_is_picked_by_a_few_letters_and_filled() {
    let mut session = Session::full(80, 24);
    session.keys("n <alt-t>");
    insta::assert_snapshot!("templates", session.screen());
    session.typed("eve").keys("<enter>").typed("rain").keys("<ctrl-s>");
    let added = session.append();
    assert!(added.body.starts_with("Today in one sentence: rain\n"), "{}", added.body);
    assert_eq!(added.tags, ["evening"]);
}

#[test]
fn a_back_dated_entry_is_filled_with_its_own_day() {
    let mut session = Session::full(120, 40);
    session.keys("j N <alt-t>").typed("week").keys("<enter> <ctrl-s>");
    let added = session.append();
    assert!(added.body.contains("Week 47 of 2026, written on Thursday."), "{}", added.body);
    assert_eq!(added.day, date(2026, 11, 19));
}

#[test]
fn the_list_of_templates_at_the_smallest_size_and_left_again() {
    let mut session = Session::full(40, 10);
    session.keys("n <alt-t> <down>");
    insta::assert_snapshot!("templates_40x10", session.screen());
    session.keys("<esc>").sees_not("Begin with").sees("New entry");
    session.keys("<alt-t>").typed("nothing").keys("<enter>").sees("New entry").sees("0 words");
}

#[test]
fn an_unfilled_template_is_no_draft() {
    let mut session = Session::full(80, 24);
    session.keys("n <alt-t> <enter>").wait(5).keys("<esc>").sees_not("draft");
    session.keys("n <alt-t> <enter>").typed("x").keys("<esc>").sees("Kept as a draft");
}

#[test]
fn a_template_goes_where_the_caret_is_and_takes_nothing_away() {
    let mut session = Session::full(80, 24);
    session.keys("n").typed("Before. ").keys("<alt-t>").typed("day").keys("<enter>").typed("After.").keys("<ctrl-s>");
    let body = session.append().body;
    assert!(body.starts_with("Before. ") && body.ends_with("\n\nAfter."), "{body}");
}

#[test]
fn the_text_alone_on_the_screen() {
    let mut session = Session::full(80, 24);
    session.keys("n").typed("Slept well for once.").keys("<f11>");
    insta::assert_snapshot!("alone_80x24", session.screen());
    for (width, height) in [(120, 40), (40, 10)] {
        session.harness.resize(width, height);
        insta::assert_snapshot!(format!("alone_{width}x{height}"), session.screen());
    }
    session.keys("<tab>").sees("time").keys("<backtab>").sees_not("time");
    session.keys("<alt-z>").sees("New entry").keys("<f11> ?").sees("Slept well for once.?");
    session.keys("<ctrl-s>").sees("1 Journal").sees("saving …");
}

#[test]
fn with_vim_letters_are_commands_and_escape_stays_in_the_text() {
    let mut session = with_vim(80, 24);
    session.keys("n").sees("INSERT").typed("one two").keys("<esc>").sees("NORMAL").sees("New entry");
    session.keys("b d w").sees("1 word").keys("u").sees("2 words").keys("<ctrl-r>").sees("1 word");
    session.keys("V").sees("VISUAL LINE");
    insta::assert_snapshot!("vim", session.screen());
    session.keys("<esc> A").typed(" three").keys("<esc>").typed("ZZ");
    assert_eq!(session.append().body, "one  three");
}

#[test]
fn with_vim_there_are_ways_out() {
    let mut session = with_vim(80, 24);
    session.keys("n").typed("one").keys("<esc>").typed("ZQ").sees("Kept as a draft");
    session.keys("c").sees("NORMAL").keys("x <alt-q>").sees("Kept as a draft").sees("unsaved draft, 1 word");
    session.keys("c <tab>").sees("NORMAL").keys("<esc>").sees("Kept as a draft");
}

#[test]
fn with_vim_an_entry_to_edit_opens_for_commands_and_yanks_are_copied() {
    let mut session = with_vim(120, 40);
    session.keys("l e").sees("NORMAL").keys("g g y i w");
    assert_eq!(session.harness.copied(), ["Slept"]);
    session.keys("c w").typed("Dozed").keys("<ctrl-s>");
    let (_, request) = session.asked();
    let Request::Edit { change, .. } = request else { panic!("{request:?}") };
    assert!(change.body.unwrap().starts_with("Dozed well"));
}

#[test]
fn with_vim_names_are_offered_only_while_typing() {
    let mut session = with_vim(80, 24);
    session.keys("n").typed("with @Li").sees("›Linh").keys("<esc>").sees_not("›Linh").sees("NORMAL");
    session.keys("x x").sees_not("›");
}
