//! Changes of the selected name: typed in one line, previewed or made by the session.

use super::{Entities, listing::Who};
use crate::{
    journal::EntityKind,
    session::{Curated, Curating, Moved, Reply, Request, Response, Ticket, Written},
    tui::{Completion, Edited, PromptLine, TextInput, UpdateContext},
};

/// The change that is being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurationAction {
    Merge,
    Rename,
    Alias,
    Kind,
}

/// The input line for a change, and the requests that were sent.
#[derive(Default)]
pub struct Naming {
    pub line: Option<(CurationAction, PromptLine)>,
    /// The change that was sent, its text and its name: shown in the line again if the session refuses it.
    said: Option<(CurationAction, String, Who)>,
    /// A merge whose preview was requested.
    previewing: Option<(Ticket, Curating)>,
    /// A change that was sent, and the resulting name.
    changing: Option<(Ticket, Option<Who>)>,
    /// The last change of a name on screen: its description, and the name before it.
    made: Option<(String, Who)>,
    /// Notes open in the editor: their name, and their original text.
    handed: Option<(Ticket, Who, String)>,
    /// Notes being saved: their name and text.
    noting: Option<(Ticket, Who, Unkept)>,
    /// Notes that could not be saved: the editor opens on them again.
    unkept: Option<(Who, Unkept)>,
}

/// Notes before and after editing.
#[derive(Debug, Clone)]
struct Unkept {
    base: String,
    text: String,
}

impl Entities {
    pub(super) fn is_saying(&self) -> bool {
        self.naming.line.is_some()
    }

    /// Whether a change of the name on screen was sent that the list does not show yet.
    pub(super) fn is_changing(&self) -> bool {
        self.listing.is_expecting() || self.naming.changing.as_ref().is_some_and(|(_, becomes)| becomes.is_some())
    }

    pub(super) fn says_about(&self) -> bool {
        !self.typing && !self.is_saying() && self.asks_about()
    }

    pub(super) fn say(&mut self, saying: CurationAction) {
        let begun = match (saying, self.portrait.who()) {
            (CurationAction::Rename, Some(who)) => &who.name,
            _ => "",
        };
        self.naming.line = Some((saying, PromptLine::of(begun)));
    }

    /// Passes input to the line, if it is open. Only a merge completes known names.
    pub(super) fn type_saying(&mut self, input: &TextInput, cx: &UpdateContext<'_>) -> bool {
        let Some((saying, asked)) = &mut self.naming.line else { return false };
        let completes = *saying == CurationAction::Merge;
        let known = |text: &str| completes.then(|| Completion::word(text, &cx.view.names)).flatten();
        asked.take(input, known);
        true
    }

    pub(super) fn unsay(&mut self, _: &mut UpdateContext<'_>) {
        self.naming.line = None;
    }

    /// Sends the change; a merge is previewed and confirmed first.
    pub(super) fn said(&mut self, cx: &mut UpdateContext<'_>) {
        let (Some((saying, asked)), Some(who)) = (&mut self.naming.line, self.portrait.who().cloned()) else { return };
        asked.accept();
        let (saying, typed, name) = (*saying, asked.text().trim().to_owned(), who.called());
        self.naming.said = Some((saying, typed.clone(), who.clone()));
        let (curating, becomes) = match saying {
            _ if typed.is_empty() => return self.unsay(cx),
            CurationAction::Merge => {
                self.preview(Curating::Merge { from: name, into: typed }, cx);
                return self.unsay(cx);
            }
            CurationAction::Rename => {
                let becomes = Who { name: typed.clone(), kind: who.kind };
                (Curating::Rename { name, new: typed }, becomes)
            }
            CurationAction::Alias => (Curating::Alias { name, alias: typed, remove: false }, who),
            CurationAction::Kind => {
                let Some(kind) = kind(&typed) else {
                    let known = EntityKind::ALL.map(EntityKind::word).join(", ");
                    return cx.error(format!("kinds are {known}"));
                };
                (Curating::Kind { name, kind }, Who { kind, ..who })
            }
        };
        self.unsay(cx);
        self.change(curating, Some(becomes), cx);
    }

    fn preview(&mut self, curating: Curating, cx: &mut UpdateContext<'_>) {
        self.naming.previewing = Some((cx.send(Request::PreviewCuration(curating.clone())), curating));
    }

    fn change(&mut self, curating: Curating, becomes: Option<Who>, cx: &mut UpdateContext<'_>) {
        self.listing.due = cx.view.noted + 1;
        self.naming.changing = Some((cx.send(Request::Curate(curating)), becomes));
    }

    pub(super) fn hide(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.who() {
            self.change(Curating::Hide { name: who.called(), hidden: true }, None, cx);
        }
    }

    /// Opens the notes on the name in the user's editor.
    pub(super) fn note(&mut self, cx: &mut UpdateContext<'_>) {
        let (Some(who), Some(notes)) = (self.portrait.who().cloned(), self.portrait.notes()) else {
            return cx.done("Still loading the notes");
        };
        let unkept = self.naming.unkept.as_ref().filter(|(of, _)| *of == who).map(|(_, unkept)| unkept.clone());
        let Unkept { base, text } = unkept.unwrap_or_else(|| Unkept { base: notes.to_owned(), text: notes.to_owned() });
        let ticket = cx.edit(text);
        self.naming.handed = Some((ticket, who, base));
    }

    /// The editor on the notes exited.
    pub(super) fn noted(&mut self, edited: &Edited, cx: &mut UpdateContext<'_>) {
        let Some((_, who, base)) = self.naming.handed.take_if(|(ticket, ..)| *ticket == edited.ticket) else { return };
        match &edited.text {
            Err(message) => cx.error(message.clone()),
            Ok(text) if *text == base => cx.done("Nothing to change"),
            Ok(text) => {
                let note = Curating::Note { name: who.called(), base: base.clone(), text: text.clone() };
                let ticket = cx.send(Request::Curate(note));
                self.naming.noting = Some((ticket, who, Unkept { base, text: text.clone() }));
            }
        }
    }

    fn heard_of_notes(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) -> bool {
        let Some((_, who, unkept)) = self.naming.noting.take_if(|(own, ..)| reply.ticket() == Some(*own)) else {
            return false;
        };
        if let Reply::To(_, Response::Curated(curated)) = reply {
            self.naming.unkept = None;
            cx.done(format!("Kept: {}", curated.said));
            self.portrait.renew(cx);
        } else {
            self.naming.unkept = Some((who, unkept));
            cx.error("Notes not saved · open them again to retry");
        }
        true
    }

    /// Merges the selected pair, after a preview and a confirmation.
    pub(super) fn same(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some((into, from)) = self.chores.change_pair() {
            self.preview(Curating::Merge { from, into }, cx);
        }
    }

    /// Keeps the selected pair apart permanently.
    pub(super) fn two(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some((name, other)) = self.chores.change_pair() {
            self.change(Curating::Distinct { name, other }, None, cx);
        }
    }

    pub(super) fn unhide(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(curating) = self.chores.unhide() {
            self.change(curating, None, cx);
        }
    }

    /// Handles a reply about names; returns whether it was one.
    pub(super) fn heard_of_names(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) -> bool {
        if self.heard_of_notes(reply, cx) {
            return true;
        }
        match reply {
            Reply::To(ticket, Response::Curated(curated)) => {
                if let Some((_, curating)) = self.naming.previewing.take_if(|(own, _)| own == ticket) {
                    self.naming.said = None;
                    self.ask_to_merge(curating, curated, cx);
                } else if let Some((_, becomes)) = self.naming.changing.take_if(|(own, _)| own == ticket) {
                    let before = self.naming.said.take().map(|(.., who)| (curated.said.clone(), who));
                    self.naming.made = before.filter(|_| becomes.is_some());
                    self.changed(curated, becomes, cx);
                }
                true
            }
            Reply::To(_, Response::Written(Written::Undone { entry: None, said })) => {
                self.chores.undone(said, cx.now().date());
                if let Some((_, who)) = self.naming.made.take_if(|(change, _)| said.ends_with(change.as_str())) {
                    self.listing.expect(Some(who));
                }
                // Notes do not affect the index, so no other reply announces that a change of them was undone.
                self.portrait.renew(cx);
                false
            }
            Reply::To(ticket, Response::NotYet) => {
                let own = self.refused(*ticket, cx);
                if own {
                    cx.error("Still loading the journal, nothing changed");
                }
                own
            }
            // The application has shown the error.
            Reply::To(ticket, Response::Failed(_)) => self.refused(*ticket, cx),
            _ => false,
        }
    }

    /// Handles a change that the session refused; returns whether it was one. Its text is shown in the line again.
    fn refused(&mut self, ticket: Ticket, cx: &UpdateContext<'_>) -> bool {
        let naming = &mut self.naming;
        let previewed = naming.previewing.take_if(|(own, _)| *own == ticket).is_some();
        let own = naming.changing.take_if(|(own, _)| *own == ticket).is_some() || previewed;
        if let Some((saying, typed, who)) = naming.said.take_if(|_| own)
            && naming.line.is_none()
            && cx.in_front
            && !self.typing
            && self.looks_at_name()
            && self.portrait.who() == Some(&who)
        {
            self.naming.line = Some((saying, PromptLine::of(&typed)));
        }
        own
    }

    fn ask_to_merge(&mut self, curating: Curating, curated: &Curated, cx: &mut UpdateContext<'_>) {
        if curated.unchanged {
            return cx.done("Nothing to change");
        }
        let question = format!("{}? It changes {}.", curated.said, curated.moved.words());
        let ticket = cx.confirm(question, "Merge", Request::Curate(curating));
        self.naming.changing = Some((ticket, None));
    }

    fn changed(&mut self, curated: &Curated, becomes: Option<Who>, cx: &mut UpdateContext<'_>) {
        if curated.unchanged {
            return cx.done("Nothing to change");
        }
        let is_felt = curated.moved != Moved::default();
        let moved = if is_felt { format!(": {}", curated.moved.words()) } else { String::new() };
        cx.done(format!("{}{moved} · u undo", curated.said));
        if !self.looks_at_name() {
            return self.chores.settled(&curated.said, cx.now().date());
        }
        self.trail.back.clear();
        self.reading &= becomes.is_some();
        self.listing.expect(becomes);
    }
}

/// Parses a kind by its word or its letter.
fn kind(typed: &str) -> Option<EntityKind> {
    let letter = |kind: &EntityKind| typed.eq_ignore_ascii_case(kind.letter().encode_utf8(&mut [0; 4]));
    EntityKind::typed(&typed.to_lowercase()).or_else(|| EntityKind::ALL.into_iter().find(letter))
}
