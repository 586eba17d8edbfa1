//! Quitting with text that is being saved, or that cannot be kept.

use super::*;

fn kept(session: &Session) -> Vec<String> {
    let body = |(_, request): &(Ticket, Request)| match request {
        Request::KeepDraft(draft) => Some(draft.body.clone()),
        _ => None,
    };
    session.asked.iter().filter_map(body).collect()
}

#[test]
fn quitting_keeps_the_text_of_a_save_that_waits() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought").keys("<ctrl-s> <ctrl-q>");
    assert_eq!(kept(&session), ["half a thought"]);
    assert!(session.harness.has_quit(), "it does not wait for the save");
    let (ticket, _) = session.asked.remove(0);
    session.reply(Reply::To(ticket, Response::Written(Written::Added(entry(FRIDAY, 9, 0, "", &[], "half a thought")))));
    assert!(
        session.asked.iter().any(|(_, request)| matches!(request, Request::DropDraft(_))),
        "the entry has the text"
    );
    assert!(session.harness.app.unsaved().is_empty());
}

#[test]
fn a_save_that_fails_while_quitting_leaves_its_draft() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought").keys("<ctrl-s> <ctrl-q>");
    let (ticket, _) = session.asked.remove(0);
    assert_eq!(session.harness.app.saves().len(), 1);
    session.reply(Reply::To(ticket, Response::Failed(full_disk())));
    assert!(session.asked.iter().all(|(_, request)| matches!(request, Request::KeepDraft(_))), "{:?}", session.asked);
    assert!(session.harness.app.unsaved().is_empty(), "the draft has the text");
}

#[test]
fn a_template_saved_as_it_is_has_a_draft_until_it_is_written() {
    let mut session = Session::full(120, 40);
    session.keys("n <alt-t> <enter>").keys("<ctrl-s> <ctrl-q>");
    assert_eq!(kept(&session).len(), 1, "{:?}", session.asked);
    let (ticket, _) = session.asked.remove(0);
    let (_, draft) = session.harness.app.saves().remove(0);
    session.reply(Reply::To(ticket, Response::Failed(full_disk())));
    assert!(session.harness.app.has_draft(&draft));
}

#[test]
fn an_unchanged_edit_that_is_not_written_has_no_draft() {
    let mut session = Session::full(120, 40);
    session.keys("<enter> e <ctrl-s> <ctrl-q>");
    let (_, draft) = session.harness.app.saves().remove(0);
    assert!(kept(&session).is_empty() && !session.harness.app.has_draft(&draft));
}

#[test]
fn a_save_that_fails_before_its_draft_is_on_disk_keeps_the_window_open() {
    let mut session = Session::full(120, 40);
    session.keys("n").typed("half a thought").keys("<ctrl-s>");
    let (ticket, _) = session.asked();
    session.harness.keys("<ctrl-q>");
    assert!(!session.harness.has_quit(), "the draft is not on disk yet");
    session.reply(Reply::To(ticket, Response::Failed(full_disk()))).sees("Not saved, the text is still here");
    assert!(!session.harness.has_quit());
    session.keys("<ctrl-q>");
    assert!(session.harness.has_quit());
}

#[test]
fn quitting_with_text_that_is_not_on_disk_is_refused_once() {
    let mut session = Session::full(120, 40);
    session.disk_is_full = true;
    session.keys("n").typed("precious").wait(4).keys("<ctrl-s>");
    let at = session.asked.iter().position(|(_, request)| matches!(request, Request::Append { .. })).unwrap();
    let (ticket, _) = session.asked.remove(at);
    session.reply(Reply::To(ticket, Response::Failed(full_disk())));
    session.keys("<ctrl-q>").sees("Text is not on disk · ctrl-q again quits").sees("precious");
    assert!(!session.harness.has_quit());
    session.keys("<left> <ctrl-q>");
    assert!(!session.harness.has_quit(), "only the same key again quits");
    session.keys("<ctrl-q>");
    assert!(session.harness.has_quit());
    let unsaved: Vec<String> = session.harness.app.unsaved().into_iter().map(|draft| draft.body).collect();
    assert_eq!(unsaved, ["precious"]);
}

#[test]
fn a_full_disk_that_has_room_again_lets_the_user_quit() {
    let mut session = Session::full(120, 40);
    session.disk_is_full = true;
    session.keys("n").typed("precious").keys("<ctrl-q>").sees("not on disk");
    session.disk_is_full = false;
    session.keys("<left> <ctrl-q>");
    assert!(session.harness.has_quit() && session.harness.app.unsaved().is_empty());
}

#[test]
fn a_closed_form_is_called_kept_only_when_its_draft_is_on_disk() {
    let mut session = Session::full(120, 40);
    session.disk_is_full = true;
    session.keys("n").typed("precious").keys("<esc>").sees_not("Kept as a draft").sees("Not kept as a draft");
    session.keys("<ctrl-q>").sees("not on disk");
    assert!(!session.harness.has_quit());
    session.keys("n").sees("precious").sees_not("draft kept");
    session.disk_is_full = false;
    session.keys("<esc>").sees("Kept as a draft").keys("<ctrl-q>");
    assert!(session.harness.has_quit());
}

#[test]
fn a_signal_quits_at_once() {
    let mut session = Session::full(120, 40);
    session.disk_is_full = true;
    session.keys("n").typed("precious");
    session.harness.event(Event::Terminate);
    assert!(session.harness.has_quit());
    session.answer();
    assert_eq!(session.harness.app.unsaved().len(), 1);
}

#[test]
fn text_in_the_time_field_is_a_draft_and_a_given_time_is_none() {
    let mut session = Session::full(120, 40);
    session.keys("n <tab>").typed("all of a long sentence").keys("<ctrl-s>").sees("unsaved draft");
    let Some((_, Request::KeepDraft(draft))) = session.asked.pop() else { panic!("the draft is not kept") };
    assert_eq!(draft.time, "all of a long sentence");
    session.keys("n").sees("all of a long sentence").keys("<tab> <ctrl-u> <esc>").sees_not("unsaved draft");
    session.asked.clear();
    session.keys("j").command("New entry on this day").sees("12:00").keys("<esc>").sees_not("unsaved draft");
    assert!(session.asked.is_empty(), "{:?}", session.asked);
    let time = format!("{FRIDAY} 12:00");
    session.keys("<end>").command("New entry").keys("<tab>").typed(&time).keys("<esc>").sees("unsaved draft");
}
