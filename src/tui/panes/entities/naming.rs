//! What the person says of the name looked at: asked for in one line, weighed or done by the engine, taken back on demand.

use super::{Entities, listing::Who};
use crate::{
    engine::{Curated, Curating, Reply, Request, Ticket},
    journal::EntityKind,
    tui::{cx::Cx, widgets::input::Input},
};

/// What is being said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saying {
    Merge,
    Rename,
    Alias,
    Kind,
}

/// The line in which it is said, and what the engine has of it.
#[derive(Default)]
pub struct Naming {
    pub line: Option<(Saying, Input)>,
    /// A merge that is being weighed.
    weighing: Option<(Ticket, Curating)>,
    /// Who the name looked at will be, once the change that was sent is made.
    changing: Option<(Ticket, Option<Who>)>,
    undoing: Option<Ticket>,
}

impl Entities {
    pub(super) fn is_saying(&self) -> bool {
        self.naming.line.is_some()
    }

    pub(super) fn says_about(&self) -> bool {
        !self.typing && !self.is_saying() && self.has_name()
    }

    pub(super) fn say(&mut self, saying: Saying) {
        let mut input = Input::default();
        if let (Saying::Rename, Some(who)) = (saying, self.portrait.who()) {
            input.set(&who.name);
        }
        self.naming.line = Some((saying, input));
    }

    pub(super) fn unsay(&mut self, _: &mut Cx<'_>) {
        self.naming.line = None;
    }

    /// Sends what was said; a merge is weighed and asked about first.
    pub(super) fn said(&mut self, cx: &mut Cx<'_>) {
        let (Some((saying, input)), Some(who)) = (&self.naming.line, self.portrait.who().cloned()) else { return };
        let (typed, name) = (input.text().trim().to_owned(), called(&who));
        let (curating, becomes) = match saying {
            _ if typed.is_empty() => return self.unsay(cx),
            Saying::Merge => {
                let curating = Curating::Merge { from: name, into: typed };
                let ticket = cx.send(Request::WeighCuration(curating.clone()));
                self.naming.weighing = Some((ticket, curating));
                return self.unsay(cx);
            }
            Saying::Rename => {
                let becomes = Who { name: typed.clone(), kind: who.kind };
                (Curating::Rename { name, new: typed }, becomes)
            }
            Saying::Alias => (Curating::Alias { name, alias: typed, remove: false }, who),
            Saying::Kind => {
                let Some(kind) = kind(&typed) else {
                    let known = EntityKind::ALL.map(EntityKind::word).join(", ");
                    return cx.error(format!("kinds are {known}"));
                };
                (Curating::Kind { name, kind }, Who { kind, ..who })
            }
        };
        self.unsay(cx);
        let ticket = cx.send(Request::Curate(curating));
        self.naming.changing = Some((ticket, Some(becomes)));
    }

    pub(super) fn hide(&mut self, cx: &mut Cx<'_>) {
        if let Some(who) = self.portrait.who() {
            let ticket = cx.send(Request::Curate(Curating::Hide { name: called(who), hidden: true }));
            self.naming.changing = Some((ticket, None));
        }
    }

    pub(super) fn take_back(&mut self, cx: &mut Cx<'_>) {
        self.naming.undoing = Some(cx.send(Request::Uncurate));
    }

    /// Whether the reply was about names.
    pub(super) fn heard_of_names(&mut self, reply: &Reply, cx: &mut Cx<'_>) -> bool {
        match reply {
            Reply::Weighed { ticket, curated } => {
                let own = self.naming.weighing.take_if(|(own, _)| own == ticket);
                if let Some((_, curating)) = own {
                    self.ask_to_merge(curating, curated, cx);
                }
                true
            }
            Reply::Curated { ticket, curated } => {
                if let Some((_, becomes)) = self.naming.changing.take_if(|(own, _)| own == ticket) {
                    self.changed(curated, becomes, cx);
                }
                true
            }
            Reply::Uncurated { ticket, said } => {
                if self.naming.undoing.take_if(|own| own == ticket).is_some() {
                    cx.done(format!("Taken back: {said}"));
                }
                true
            }
            Reply::NotYet { ticket } => {
                let is_own = |sent: Option<Ticket>| sent == Some(*ticket);
                let naming = &self.naming;
                let weighing = naming.weighing.as_ref().map(|(own, _)| *own);
                let own = is_own(weighing) || is_own(naming.changing.as_ref().map(|(own, _)| *own));
                if own {
                    cx.error("Nothing is changed: the journal is still being read");
                }
                own
            }
            _ => false,
        }
    }

    fn ask_to_merge(&mut self, curating: Curating, curated: &Curated, cx: &mut Cx<'_>) {
        if curated.unchanged {
            return cx.done("That is how it is already");
        }
        let question = format!("{}? It changes {}.", curated.said, curated.moved.words());
        let ticket = cx.confirm(question, "Merge", Request::Curate(curating));
        self.naming.changing = Some((ticket, None));
    }

    fn changed(&mut self, curated: &Curated, becomes: Option<Who>, cx: &mut Cx<'_>) {
        if curated.unchanged {
            return cx.done("That is how it is already");
        }
        cx.done(format!("{}: {}", curated.said, curated.moved.words()));
        self.trail.clear();
        self.reading &= becomes.is_some();
        self.listing.expect(becomes);
    }
}

/// The name as curation reads it, so that no homonym is meant.
fn called(who: &Who) -> String {
    format!("{} ({})", who.name, who.kind.word())
}

/// A kind by its word or its letter.
fn kind(typed: &str) -> Option<EntityKind> {
    let letter = |kind: &EntityKind| typed.eq_ignore_ascii_case(kind.letter().encode_utf8(&mut [0; 4]));
    EntityKind::parse(&typed.to_lowercase()).or_else(|| EntityKind::ALL.into_iter().find(letter))
}
