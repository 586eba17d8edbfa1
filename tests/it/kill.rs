//! A program killed during a write, another machine's index, a clock that goes back: no acknowledged write is lost,
//! and everything works afterwards. The long runs are in `benches/soak`, whose tools these tests share.

#![cfg(unix)]
#![allow(dead_code, reason = "the bench uses the rest of its means")]

#[path = "../../benches/soak/dice.rs"]
mod dice;
#[path = "../../benches/soak/home.rs"]
mod home;
#[path = "../../benches/soak/kill.rs"]
#[cfg(debug_assertions)]
mod kills;
#[path = "../../benches/soak/model.rs"]
mod model;
#[path = "../../benches/soak/odd.rs"]
mod odd;
#[path = "../../benches/soak/texts.rs"]
mod texts;

use std::path::Path;

const BINARY: &str = env!("CARGO_BIN_EXE_kioku");

fn binary() -> &'static Path {
    Path::new(BINARY)
}

#[test]
#[cfg(debug_assertions)]
fn nothing_acknowledged_is_lost_to_kills_between_two_steps_of_writing() {
    let found = kills::run(binary(), kills::Method::Steps, 24, 7, false, &mut |_| {});
    found.assert_sound(24);
}

/// Killed at every third of its steps in turn, the verb is done or not done, never half done.
#[cfg(debug_assertions)]
fn sweep(verb: &[&str], change: fn(String) -> model::Change) {
    let mut found = kills::Kills::default();
    let range = kills::Range::new(binary(), 3);
    let choose = |range: &mut kills::Range| {
        let id = range.some_id();
        let arguments = verb.iter().map(|word| if *word == "ID" { id.clone() } else { (*word).to_owned() });
        (arguments.collect(), change(id.clone()))
    };
    range.sweep(choose, 3, &mut found);
    found.assert_sound(3);
}

#[test]
#[cfg(debug_assertions)]
fn a_deletion_killed_at_its_steps_leaves_the_entry_in_the_journal_or_the_trash() {
    sweep(&["rm", "ID"], |id| model::Change::Remove { id });
}

#[test]
#[cfg(debug_assertions)]
fn an_edit_killed_at_its_steps_leaves_the_old_text_or_the_new_one() {
    sweep(&["edit", "ID", "--text", "Another text, zq999999."], |id| model::Change::Edit {
        id,
        text: "Another text, zq999999.".to_owned(),
    });
}

#[test]
#[cfg(debug_assertions)]
fn an_index_killed_in_its_commit_of_deletions_opens_again() {
    let mut found = kills::Kills::default();
    let mut range = kills::Range::new(binary(), 5);
    range.remove_some(3);
    range.sweep(|_| (vec!["index".to_owned()], model::Change::Nothing), 2, &mut found);
    found.assert_sound(3);
}

#[test]
fn another_machines_index_and_an_older_one_change_no_entry_and_no_answer() {
    odd::swap(binary(), 4, 11).assert_sound(4);
}

#[test]
fn one_file_of_another_machines_index_changes_no_entry_and_no_answer() {
    let found = odd::swap_each(binary(), 17);
    assert!(found.tried > 10, "{}", found.tried);
    found.assert_sound(found.tried);
}

#[test]
fn a_clock_that_goes_back_loses_no_entry() {
    odd::clock(binary(), 6, 12).assert_sound(6);
}
