//! One name looked at closely, as lines that lead to its sentences and its neighbours.

use jiff::civil;

use super::listing::Who;
use crate::{
    engine::{Answer, Ask, Reply},
    insight::{
        Basis, Evidence,
        names::Neighbour,
        profile::{Change, Profile, Relation},
    },
    journal::RelationKind,
    tui::{
        asking::Asking,
        cx::Cx,
        theme::Role,
        widgets::{
            linked::{Linked, LinkedLines},
            sparkline::sparkline,
            styled::Styled,
        },
    },
};

/// Names of the drawing at one step, and behind each of them.
const NEAR: usize = 8;
const BEHIND: usize = 3;

/// Where a line leads.
#[derive(Debug, Clone)]
pub enum Leads {
    Source(Evidence),
    Name(Who),
}

#[derive(Default)]
pub struct Portrait {
    who: Option<Who>,
    asking: Asking,
    /// Of `who`; the one before stays until the answer comes, so that the screen does not flicker.
    profile: Option<Profile>,
    /// The journal has nobody of this name.
    is_gone: bool,
    pub lines: LinkedLines<Leads>,
}

impl Portrait {
    pub fn who(&self) -> Option<&Who> {
        self.who.as_ref()
    }

    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref().filter(|profile| self.is_of(profile))
    }

    pub fn is_gone(&self) -> bool {
        self.is_gone
    }

    pub fn error(&self) -> Option<&str> {
        self.asking.error()
    }

    fn is_of(&self, profile: &Profile) -> bool {
        self.who.as_ref().is_some_and(|who| who.name == profile.known.name && who.kind == profile.known.kind)
    }

    /// Looks at another name; says whether it is another.
    pub fn turn_to(&mut self, who: Option<Who>) -> bool {
        if self.who == who {
            return false;
        }
        self.who = who;
        self.is_gone = false;
        self.asking.forget();
        self.lines = LinkedLines::default();
        true
    }

    pub fn ask(&mut self, cx: &mut Cx<'_>) {
        let Some(Who { name, kind }) = self.who.clone() else { return };
        let today = cx.now().date();
        self.asking.ask(Ask::Profile { name, kind, today }, cx);
    }

    /// Whether it was the answer.
    pub fn take(&mut self, reply: &Reply, cx: &Cx<'_>) -> bool {
        let Some(Answer::Profile(profile)) = self.asking.take(reply) else { return false };
        self.is_gone = profile.is_none();
        self.profile.clone_from(profile);
        let lines = self.profile.as_ref().map(|profile| lines(profile, cx.now().date())).unwrap_or_default();
        self.lines.set(lines);
        true
    }
}

fn lines(profile: &Profile, today: civil::Date) -> Vec<Linked<Leads>> {
    let mut lines = vec![rhythm(profile)];
    lines.extend(moods(profile));
    let mut kind = None;
    for relation in &profile.relations {
        if kind.replace((relation.kind, relation.is_outgoing)) != Some((relation.kind, relation.is_outgoing)) {
            lines.push(Linked::blank());
        }
        lines.push(stated(relation));
        lines.extend(relation.evidence.iter().map(|said| quote(said, 4, today)));
    }
    if !profile.neighbours.is_empty() {
        lines.push(Linked::blank());
        lines.extend(neighbourhood(profile));
    }
    if !profile.mentions.is_empty() {
        lines.push(Linked::blank());
        lines.push(Linked::plain(0, words(&[("last mentioned", Role::Heading)])));
        lines.extend(profile.mentions.iter().map(|said| quote(said, 2, today)));
    }
    lines
}

fn words(parts: &[(&str, Role)]) -> Styled {
    let mut line = Styled::default();
    for (text, role) in parts {
        line.push(text, *role);
    }
    line
}

/// `38 mentions on 31 days   ▁▂▂▅▇▃ by month   ↑ 12 days of the last 90, 4 of the 90 before`
fn rhythm(profile: &Profile) -> Linked<Leads> {
    let (known, rhythm) = (&profile.known, &profile.rhythm);
    let mentions = counted(known.mentions as usize, "mention", "mentions");
    let days = counted(known.days as usize, "day", "days");
    let mut line = words(&[
        (&format!("{mentions} on {days}   "), Role::Text),
        (&sparkline(&rhythm.months), Role::Heat),
        (" by month", Role::Dim),
    ]);
    let season = format!("{} of the last 90, {} of the 90 before", counted_days(rhythm.recent), rhythm.before);
    line.push("   ", Role::Dim).push(arrow(rhythm.change()), Role::Accent).push(&season, Role::Dim);
    Linked::plain(0, line)
}

pub fn arrow(change: Change) -> &'static str {
    match change {
        Change::Up => "↑ ",
        Change::Down => "↓ ",
        Change::Steady => "",
    }
}

/// `on its days: stressed 12 of 31 (all days: 14 of 156) · calm 2 of 31 (all days: 40 of 156)`
fn moods(profile: &Profile) -> Option<Linked<Leads>> {
    if profile.moods.is_empty() {
        return None;
    }
    let mut line = words(&[("on its days: ", Role::Dim)]);
    for (nth, share) in profile.moods.iter().enumerate() {
        line.push(if nth > 0 { " · " } else { "" }, Role::Dim).push(&share.mood, Role::Mood);
        let with = format!(" {} of {}", share.both, profile.known.days);
        let base = format!(" (all days: {} of {})", share.overall, profile.days);
        line.push(&with, Role::Text).push(&base, Role::Dim);
    }
    Some(Linked::plain(0, line))
}

/// What a relation of this kind does, from the name's side.
fn verb(relation: &Relation) -> &'static str {
    match (relation.kind, relation.is_outgoing) {
        (RelationKind::Causal, true) => "leads to",
        (RelationKind::Causal, false) => "comes of",
        (RelationKind::Emotional, true) => "moves",
        (RelationKind::Emotional, false) => "moved by",
        (RelationKind::Temporal, _) => "in time with",
        (RelationKind::Topical, _) => "has to do with",
        (RelationKind::Involves, _) => "goes with",
    }
}

/// `leads to → M stressed   stated 5 · together on 12 days · accepted by you`
fn stated(relation: &Relation) -> Linked<Leads> {
    let mut line = words(&[(verb(relation), Role::Dim), (if relation.is_outgoing { " → " } else { " ← " }, Role::Dim)]);
    let who = Who { name: relation.other.clone(), kind: relation.other_kind };
    named(&mut line, &who);
    let mut counts = format!("   stated {} · together on {}", relation.stated, counted_days(relation.together as u32));
    if relation.accepted {
        counts += " · accepted by you";
    }
    line.push(&counts, Role::Dim);
    Linked::to(0, line, Leads::Name(who))
}

fn quote(said: &Evidence, indent: u16, today: civil::Date) -> Linked<Leads> {
    let text = said.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line = words(&[(&format!("“{text}”"), Role::Text)]);
    line.push(&format!("  {}", date(said, today)), Role::Date);
    Linked::to(indent, line, Leads::Source(said.clone()))
}

fn date(said: &Evidence, today: civil::Date) -> String {
    let day = said.time.get(..10).unwrap_or_default();
    if day == today.to_string() { "today".to_owned() } else { day.to_owned() }
}

fn named(line: &mut Styled, who: &Who) {
    let role = Role::of_kind(who.kind);
    line.push(&format!("{} ", who.kind.letter()), role).push(&who.name, role);
}

/// The drawing: who goes with the name, and behind each of them who goes with that one.
///
/// ```text
/// Hùng
/// ├─ T Project X   stated 5 · together on 19 days
/// │  └─ P Linh   together on 12 days
/// └─ M stressed   together on 12 days
/// ```
fn neighbourhood(profile: &Profile) -> Vec<Linked<Leads>> {
    let near: Vec<&Neighbour> = profile.neighbours.iter().filter(|other| other.hops == 1).take(NEAR).collect();
    let behind = |name: &str| -> Vec<&Neighbour> {
        let over = profile.neighbours.iter().filter(|other| other.hops == 2);
        over.filter(|other| other.via.first().is_some_and(|via| via == name)).take(BEHIND).collect()
    };
    let mut lines = vec![Linked::plain(0, words(&[(&profile.known.name, Role::Title)]))];
    for (nth, one) in near.iter().enumerate() {
        let is_last = nth + 1 == near.len();
        lines.push(branch(if is_last { "└─ " } else { "├─ " }, one));
        let behind = behind(&one.name);
        for (nth, other) in behind.iter().enumerate() {
            let own = if nth + 1 == behind.len() { "└─ " } else { "├─ " };
            lines.push(branch(&format!("{}{own}", if is_last { "   " } else { "│  " }), other));
        }
    }
    lines
}

fn branch(lead: &str, other: &Neighbour) -> Linked<Leads> {
    let who = Who { name: other.name.clone(), kind: other.kind };
    let mut line = words(&[(lead, Role::Border)]);
    named(&mut line, &who);
    let days = counted_days(other.together as u32);
    let counts = match other.basis {
        Basis::Stated => format!("   stated {} · together on {days}", other.stated),
        Basis::Inferred => format!("   together on {days}"),
    };
    line.push(&counts, Role::Dim);
    Linked::to(0, line, Leads::Name(who))
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn counted_days(n: u32) -> String {
    counted(n as usize, "day", "days")
}
