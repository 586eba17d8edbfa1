//! Templates, the question of the day, and focus mode.

use super::*;

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
    session.keys("j").command("New entry on this day").keys("<alt-t>").typed("week").keys("<enter> <ctrl-s>");
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
