//! Handover of a text from the user's editor: its file is removed only once the text is durable, so that a killed
//! process loses nothing.

use super::handoff::HandedBack;
use crate::session::{Reply, Request, Response, Ticket};

/// At most one text between the editor's file and a draft or entry.
#[derive(Default)]
pub struct Handover {
    text: Option<HandedBack>,
    /// The first request that makes the text durable.
    awaited: Option<Ticket>,
}

impl Handover {
    /// Takes a text; the one before is part of it, or is durable already.
    pub fn take(&mut self, text: HandedBack) {
        self.finish();
        self.text = Some(text);
    }

    pub fn sent(&mut self, ticket: Ticket, request: &Request) {
        let keeps = matches!(request, Request::KeepDraft(_) | Request::Append { .. } | Request::Edit { .. });
        if keeps && self.text.is_some() && self.awaited.is_none() {
            self.awaited = Some(ticket);
        }
    }

    pub fn heard(&mut self, reply: &Reply) {
        match reply.settles(&mut self.awaited) {
            None | Some(Response::Failed(_)) => {}
            Some(_) => self.finish(),
        }
    }

    /// Called when all requests are written, or when another text comes. A file that cannot be removed is removed at
    /// a later start.
    pub fn finish(&mut self) {
        self.awaited = None;
        if let Some(text) = self.text.take() {
            let _ = text.done();
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::{
        journal::{Draft, DraftId},
        session::SessionError,
        session::editor_texts::left_over,
        tui::Editor,
    };

    #[test]
    fn the_editors_file_stays_until_its_text_is_durable() {
        let folder = tempfile::tempdir().unwrap();
        let editor = Editor { command: "echo typed >".to_owned(), folder: folder.path().to_path_buf() };
        let back = editor.open("entry", "").unwrap();
        let file = back.file().to_path_buf();
        let mut handover = Handover::default();
        let draft = Draft { id: DraftId("d".into()), body: "typed\n".into(), ..Draft::default() };
        handover.take(back);
        handover.sent(Ticket(1), &Request::Drafts);
        handover.heard(&Reply::To(Ticket(0), Response::DraftKept));
        assert!(file.exists(), "an answer to what was asked before");
        handover.sent(Ticket(2), &Request::KeepDraft(draft.clone()));
        handover.heard(&Reply::To(Ticket(2), Response::Failed(SessionError::Fault("the disk is full".into()))));
        assert!(file.exists(), "nothing was kept");
        handover.sent(Ticket(3), &Request::KeepDraft(draft));
        handover.heard(&Reply::To(Ticket(3), Response::DraftKept));
        assert!(!file.exists());

        // A killed process leaves the file without the lock.
        handover.take(editor.open("entry", "").unwrap());
        assert!(left_over(folder.path()).is_empty(), "under work");
        drop(handover);
        assert_eq!(left_over(folder.path()).len(), 1);
    }
}
