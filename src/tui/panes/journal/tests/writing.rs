//! Saving, drafts, and failed saves.

use super::*;

#[test]
fn a_new_entry_is_on_screen_before_it_is_written() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("Lunch with @Li").keys("<tab>").typed(", soup.");
    session.keys("<backtab>").typed("work, lunch").keys("<backtab>").typed("calm").keys("<ctrl-s>");
    session.sees("Lunch with @Linh, soup.").sees("saving …").sees("#work #lunch").sees("4 entries");
    let added = session.append();
    assert_eq!(added.body, "Lunch with @Linh, soup.");
    assert_eq!((added.mood.as_deref(), added.tags.len()), (Some("calm"), 2));
    session.sees("Saved").sees_not("saving …").sees("4 entries").sees("Lunch with @Linh, soup.");
}

#[test]
fn a_write_that_fails_brings_the_text_back() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("precious words").keys("<ctrl-s>");
    let (ticket, _) = session.asked();
    session.reply(Reply::To(ticket, Response::Failed(full_disk())));
    session.sees("Not saved, the text is still here").sees("no space left").sees("New entry").sees("precious words");
    session.keys("<ctrl-s>");
    session.append();
    session.sees("Saved");
}

#[test]
fn a_time_is_read_as_people_say_it_and_a_wrong_one_is_said_at_the_field() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("late note").keys("<tab>").typed("yestermorn").keys("<ctrl-s>");
    session.sees("“yestermorn” is not a time").sees("late note");
    assert!(session.asked.is_empty());
    session.keys("<ctrl-u>").typed("yesterday 3pm").keys("<ctrl-s>");
    let added = session.append();
    assert_eq!(added.time.written, "2026-11-19T15:00:00+07:00");
    session.sees("Thursday 19 November 2026").sees("15:00").sees("late note");
}

#[test]
fn a_draft_is_kept_while_typing_and_dropped_with_the_save() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought");
    assert!(session.asked.is_empty());
    session.wait(4);
    let (_, request) = session.asked();
    let Request::KeepDraft(kept) = request else { panic!("{request:?}") };
    assert_eq!(kept.body, "half a thought");
    session.sees("draft kept");
    session.typed("!").sees_not("draft kept").wait(4);
    assert_eq!(session.asked.len(), 1);
    session.asked.clear();
    session.keys("<ctrl-s>");
    assert!(matches!(&session.asked[0].1, Request::Append { draft: Some(id), .. } if *id == kept.id));
}

#[test]
fn only_the_forms_own_draft_counts_as_kept() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought");
    session.harness.wait(Duration::from_secs(4));
    let sent = session.harness.sent();
    let [(own, Request::KeepDraft(_))] = sent[..] else { panic!("{sent:?}") };
    session.reply(Reply::To(Ticket(own.0 + 100), Response::DraftKept)).sees_not("draft kept");
    session.reply(Reply::To(own, Response::DraftKept)).sees("draft kept");
}

#[test]
fn a_draft_is_sent_within_half_a_second_of_its_first_key_though_typing_goes_on() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("a");
    let mut typed = "a".to_owned();
    for _ in 0..20 {
        session.harness.wait(Duration::from_millis(100));
        session.typed("b");
        typed.push('b');
    }
    let kept: Vec<String> = session
        .asked
        .iter()
        .map(|(_, request)| match request {
            Request::KeepDraft(draft) => draft.body.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    let at_most = 6;
    let behind = |pair: &[String]| pair[1].len() - pair[0].len();
    assert!(kept.first().is_some_and(|first| first.len() <= at_most), "{kept:?}");
    assert!(kept.windows(2).all(|pair| behind(pair) <= at_most), "{kept:?}");
    assert!(kept.last().is_some_and(|last| typed.len() - last.len() <= at_most), "{kept:?}");
}

#[test]
fn a_save_that_waits_is_kept_as_a_draft_which_goes_once_it_is_written() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought").keys("<ctrl-s>");
    let (ticket, request) = session.asked();
    let Request::Append { draft: None, .. } = request else { panic!("{request:?}") };
    session.wait(1);
    let (_, request) = session.asked();
    let Request::KeepDraft(kept) = request else { panic!("{request:?}") };
    assert_eq!(kept.body, "half a thought");
    session.reply(Reply::To(ticket, Response::Written(Written::Added(entry(FRIDAY, 9, 0, "", &[], "half a thought")))));
    assert!(session.asked.iter().any(|(_, request)| matches!(request, Request::DropDraft(id) if *id == kept.id)));
}

#[test]
fn enter_opens_the_day_and_never_the_draft_on_offer() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought").keys("<esc>");
    session.sees("unsaved draft, 3 words").keys("<enter>").sees("unsaved draft, 3 words").sees_not("New entry");
    session.keys("<enter> <esc> <esc>").sees_not("New entry").keys("n").sees("New entry").sees("half a thought");
}

#[test]
fn keys_typed_while_the_entry_of_a_draft_is_read_go_into_its_text() {
    let mut session = Session::full(120, 40);
    let base = session.entries[3].entry.clone();
    let draft = Draft {
        id: DraftId("20261119T153000-000000000-1".into()),
        editing: Some(base.id.clone()),
        base: None,
        time: base.time.written.clone(),
        mood: String::new(),
        tags: String::new(),
        body: "Rain".into(),
    };
    session.harness = Harness::new(HarnessSetup { size: (120, 40), ..HarnessSetup::new(PANES) });
    session.drafts.push(draft);
    session.show();
    session.harness.keys("A");
    let read = session.harness.sent();
    let [(ticket, Request::Day(day))] = read[..] else { panic!("{read:?}") };
    session.harness.typed(" d 1 x");
    let sent = session.harness.sent();
    assert!(sent.is_empty(), "{sent:?}");
    let entries = session.entries.iter().filter(|known| known.entry.day == day).cloned().collect();
    session.reply(Reply::To(ticket, Response::Day { day, entries, notices: Vec::new() }));
    session.sees("Editing 07:00, Thursday 19 November 2026").sees("Rain d 1 x");
}

#[test]
fn leaving_keeps_the_text_and_offers_it() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought").keys("<esc>");
    assert!(matches!(session.asked().1, Request::KeepDraft(_)));
    session.sees("unsaved draft, 3 words, 2026-11-20 09:00");
    session.keys("n").sees("New entry").typed(" more").sees("half a thought more").keys("<esc>");
    session.asked.clear();
    session.keys("x y");
    let (ticket, request) = session.asked();
    assert!(matches!(request, Request::DiscardDraft(_)));
    session.reply(Reply::To(ticket, Response::DraftDropped)).sees_not("unsaved draft");
}

#[test]
fn an_untouched_form_leaves_nothing_behind() {
    let mut session = Session::full(120, 40);
    session.keys("n").wait(10).keys("<esc>").sees_not("draft of");
    session.keys("e").wait(10).keys("<esc>").sees_not("unsaved");
    assert!(session.asked.is_empty());
}

#[test]
fn drafts_of_another_session_are_offered_with_their_entry() {
    let mut session = Session::full(120, 40);
    let base = session.entries[3].entry.clone();
    session.drafts.push(Draft {
        id: DraftId("20261119T153000-000000000-1".into()),
        editing: Some(base.id.clone()),
        base: None,
        time: base.time.written.clone(),
        mood: "calm".into(),
        tags: String::new(),
        body: "Rain, and then sun".into(),
    });
    let mut offers = Offers::default();
    offers.found(&session.drafts);
    assert_eq!(offers::names(offers.first().unwrap())[0], "unsaved edit, 4 words, 2026-11-19 15:30");
    let drafts = session.drafts.clone();
    // The first request for drafts was answered with an empty list; a second start finds the draft.
    session.harness = Harness::new(HarnessSetup { size: (120, 40), ..HarnessSetup::new(PANES) });
    session.drafts = drafts;
    session.show();
    session.sees("unsaved edit, 4 words, 2026-11-19 15:30");
    session.keys("A").sees("Editing 07:00, Thursday 19 November 2026").sees("Rain, and then sun");
    session.keys("<ctrl-s>");
    let (_, request) = session.asked();
    let Request::Edit { base: sent, change, draft } = request else { panic!("{request:?}") };
    assert_eq!(sent, base);
    assert_eq!(change.body.as_deref(), Some("Rain, and then sun"));
    assert_eq!((change.time, change.mood), (None, None));
    assert!(draft.is_some());
}

fn draft_of(body: &str) -> Draft {
    Draft {
        id: DraftId("20261119T153000-000000000-1".into()),
        editing: None,
        base: None,
        time: String::new(),
        mood: "calm".into(),
        tags: String::new(),
        body: body.into(),
    }
}

#[test]
fn a_new_entry_opened_before_the_drafts_are_known_resumes_one() {
    let mut session = Session::full(120, 40);
    session.harness = Harness::new(HarnessSetup { size: (120, 40), ..HarnessSetup::new(PANES) });
    session.harness.keys("n").typed(" and more");
    session.drafts.push(draft_of("Half a thought"));
    session.show();
    session.sees("Half a thought and more").sees("calm");
    let mut kept = session.asked.iter().filter_map(|(_, request)| match request {
        Request::KeepDraft(draft) => Some((draft.id.clone(), draft.body.as_str())),
        _ => None,
    });
    assert_eq!(kept.next_back(), Some((session.drafts[0].id.clone(), "Half a thought and more")));
    session.keys("<esc>").sees("unsaved draft, 5 words, 2026-11-19 15:30").sees_not("more)");
    // Whoever has begun another field writes another entry.
    session.harness = Harness::new(HarnessSetup { size: (120, 40), ..HarnessSetup::new(PANES) });
    session.harness.keys("n <tab>").typed("8:00");
    session.show();
    session.sees_not("Half a thought").keys("<esc>").sees("(and 1 more)");
}

#[test]
fn the_question_is_that_of_the_journal_though_it_was_read_late() {
    let mut session = Session::full(120, 40);
    session.harness = Harness::new(HarnessSetup { size: (120, 40), ..HarnessSetup::new(PANES) });
    session.harness.keys("n");
    let mut sent = session.harness.sent();
    let asked = sent.extract_if(.., |(_, request)| matches!(request, Request::Templates)).next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("templates")).unwrap();
    std::fs::write(folder.path().join("templates/prompts.txt"), "Who made tea?\n").unwrap();
    let vault = crate::journal::Vault::open(crate::tui::fixtures::session_options(folder.path()).vault).unwrap();
    let templates = vault.templates().unwrap();
    session.harness.reply(Reply::To(asked.0, Response::Templates(templates)));
    session.sees("Who made tea?");
}

#[test]
fn a_reload_offers_the_draft_of_a_window_that_was_closed() {
    let mut session = Session::full(120, 40);
    session.drafts.push(draft_of("Half a thought"));
    session.keys("R").sees("unsaved draft, 3 words, 2026-11-19 15:30").keys("n").sees("Half a thought");
    session.keys("<esc> R").sees("unsaved draft").sees_not("more)");
}

#[test]
fn undo_and_selection_work_in_the_field_that_has_the_caret() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("body text").keys("<backtab>").typed("work, family").keys("<ctrl-u> <ctrl-z>");
    session.sees("work, family").sees("body text");
    session.keys("<ctrl-y>").sees_not("work, family").keys("<ctrl-y> <ctrl-y>").sees("body text");
    session.keys("<ctrl-z> <backtab>").typed("caml").keys("<alt-a> <alt-c>").typed("calm");
    assert_eq!(session.harness.copied(), ["caml"]);
    session.keys("<ctrl-s>");
    let added = session.append();
    assert_eq!((added.body.as_str(), added.mood.as_deref(), added.tags.len()), ("body text", Some("calm"), 2));
}

#[test]
fn an_edit_changes_only_what_was_touched() {
    let mut session = Session::full(120, 40);
    session.keys("l e").sees("Editing 08:12").typed(" Coffee.").keys("<ctrl-s>");
    let (ticket, request) = session.asked();
    let Request::Edit { base, change, .. } = request else { panic!("{request:?}") };
    assert_eq!((&change.time, &change.mood, &change.tags), (&None, &None, &None));
    session.sees("float. Coffee.").sees("saving …");
    let mut mine = base.clone();
    mine.body = change.body.unwrap();
    mine.id = "mine".into();
    session.write(mine.clone());
    session.reply(Reply::To(ticket, Response::Written(Written::KeptBoth { theirs: base, mine })));
    session.sees("Changed by another program meanwhile").sees("4 entries").sees_not("saving …");
}

#[test]
fn the_external_editor_writes_and_edits() {
    let mut session = Session::full(120, 40);
    session.harness.editor_returns(Ok("Changed outside.\n"));
    session.keys("l E");
    let edited = session.harness.edited().remove(0);
    assert!(edited.starts_with("---\ntime: 2026-11-20 08:12\nmood: calm\ntags: morning\n---\nSlept well"), "{edited}");
    let (_, request) = session.asked();
    assert!(matches!(request, Request::Edit { change, .. } if change.body.as_deref() == Some("Changed outside.")));
    session.harness.editor_returns(Err("vi ended with 1"));
    session.keys("n").typed("inside").keys("<alt-e>").sees("vi ended with 1").sees("inside");
    session.harness.editor_returns(Ok("inside and out\n"));
    session.keys("<alt-e>").sees("inside and out").sees("New entry");
}

#[test]
fn the_head_is_edited_outside_too_and_a_wrong_one_loses_nothing() {
    let mut session = Session::full(120, 40);
    session.harness.editor_returns(Ok("---\nmood: tired\ntags: walk, night\n---\nSlept badly.\n"));
    session.keys("l E");
    let (_, request) = session.asked();
    let Request::Edit { change, .. } = request else { panic!("{request:?}") };
    assert_eq!(change.mood, Some(Some("tired".to_owned())));
    assert_eq!(change.tags, Some(vec!["walk".to_owned(), "night".to_owned()]));
    assert_eq!(change.body.as_deref(), Some("Slept badly."));
    assert_eq!(change.time, None);
    session.harness.editor_returns(Ok("---\nmoood: tired\n---\nStill here.\n"));
    session.keys("E").sees("line 2: unknown key `moood`").sees("Still here.").sees("moood: tired");
    session.keys("<esc>").sees("Kept as a draft");
    session.harness.editor_returns(Ok("---\ntime: the other day\nmood: sad\n---\nA wrong time.\n"));
    session.keys("j E").sees("A wrong time.").sees("the other day").sees("sad");
    assert!(session.asked.iter().all(|(_, request)| !matches!(request, Request::Append { .. })), "it is not saved");
}

#[test]
fn a_paste_without_a_field_is_never_taken_for_commands() {
    let mut session = Session::full(120, 40);
    session.harness.event(Event::Paste("dd quit\nq".into()));
    session.sees("New entry").sees("dd quit");
    assert!(session.asked.is_empty() && !session.harness.has_quit());
}

#[test]
fn the_cursor_stands_on_the_caret() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("漢字");
    let at = session.harness.find("漢");
    let cursor = session.harness.cursor().unwrap();
    assert_eq!((cursor.x, cursor.y), (at.x + 4, at.y));
    session.keys("<tab>").typed("no");
    let at = session.harness.find("time ");
    assert_eq!(session.harness.cursor().map(|at| (at.x, at.y)), Some((at.x + 7, at.y)));
}

#[test]
fn quitting_keeps_what_is_being_typed() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("not lost").keys("<ctrl-q>");
    assert!(matches!(session.asked().1, Request::KeepDraft(draft) if draft.body == "not lost"));
    assert!(session.harness.has_quit());
}

#[test]
fn an_unsaved_edit_goes_on_where_the_entry_is_edited_and_never_into_a_new_one() {
    let mut session = Session::full(120, 40);
    session.keys("e").typed(" First").keys("<esc>").sees("unsaved edit").sees("A continues");
    session.keys("e").sees(" First").sees_not("unsaved edit").typed(" second").sees(" First second").keys("<esc>");
    session.keys("n").sees("New entry").sees_not("First second").typed("another thought").keys("<esc>");
    session.sees("unsaved draft, 2 words").sees("(and 1 more)").keys("n").sees("another thought");
}

#[test]
fn an_edit_of_a_text_that_has_changed_since_becomes_an_entry_of_its_own() {
    let mut session = Session::full(120, 40);
    session.keys("e").typed(" Older").keys("<esc>");
    let Some((_, Request::KeepDraft(draft))) = session.asked.pop() else { panic!("the draft is not kept") };
    let entry = session.entries.iter_mut().find(|known| Some(&known.entry.id) == draft.editing.as_ref()).unwrap();
    assert!(draft.base.is_some());
    entry.entry.body = "Written elsewhere".to_owned();
    entry.entry.hash = BodyHash::of(entry.entry.body.as_bytes());
    session.show();
    session.keys("R A").sees("New entry").sees(" Older").sees("changed after this");
    session.keys("<esc> e").sees("Written elsewhere").sees_not("Older");
}

#[test]
fn a_draft_is_not_lost_while_a_form_is_open() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("first thought").keys("<esc> e").typed(" changed");
    session.keys("<alt-2> <esc> n").sees("changed").keys("<esc>").sees("(and 1 more)");
}

#[test]
fn a_word_of_the_text_is_found_while_writing_and_esc_goes_back() {
    let mut session = Session::full(80, 24);
    session.keys("n").typed("Tea with Hùng. Then hung the coat, tea again").keys("<ctrl-f>").typed("hung");
    session.sees("find hung").sees("next").sees("write here");
    assert!(session.harness.shows_as("Hùng.", Role::MatchHere) && session.harness.shows_as("hung the", Role::Match));
    session.keys("<down>");
    assert!(session.harness.shows_as("hung the", Role::MatchHere));
    session.typed("!").sees("no match").keys("<esc>").sees_not("find hung").typed("?").sees("tea again?");
    session.keys("<ctrl-f>").typed("hung").keys("<up> <enter>").typed("X").sees("Then Xhung the coat");
    session.keys("<ctrl-f>").typed("coat").keys("<ctrl-s>");
    assert_eq!(session.append().body, "Tea with Hùng. Then Xhung the coat, tea again?");
}
