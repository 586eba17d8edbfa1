//! Profile of one entity, as lines with links to its quotes and its neighbours.

use jiff::civil;

use super::listing::Who;
use crate::{
    insight::{
        Basis,
        names::{Known, Neighbour},
        profile::{Change, Profile, Relation, Rhythm},
    },
    journal::RelationKind,
    session::{Answer, Ask, Reply},
    tui::{
        AsyncQuery, Linked, LinkedLines, QueryState, Role, Styled, UpdateContext, counted,
        linked::{quoted, record_link},
        widgets::blocks::sparkline,
    },
};

/// Number of names at one step in the neighbourhood, and at two steps under each of them.
const NEAR: usize = 8;
const BEHIND: usize = 3;
/// Number of feelings shown.
const MOODS: usize = 2;
/// Number of lines shown of the user's notes.
const NOTED: usize = 6;

#[derive(Default)]
pub struct Portrait {
    who: Option<Who>,
    pub query_state: AsyncQuery,
    /// With links to other names.
    pub lines: LinkedLines<Who>,
}

impl Portrait {
    pub fn who(&self) -> Option<&Who> {
        self.who.as_ref()
    }

    pub fn profile(&self) -> Option<&Profile> {
        let Some(Answer::Profile { profile, .. }) = self.query_state.known() else { return None };
        profile.as_deref()
    }

    /// The user's notes on the name; `None` until they are loaded.
    pub fn notes(&self) -> Option<&str> {
        let Some(Answer::Profile { notes, .. }) = self.query_state.known() else { return None };
        Some(notes)
    }

    /// The journal has no entity of this name.
    pub fn is_gone(&self) -> bool {
        self.query_state.known().is_some() && self.profile().is_none()
    }

    /// Whether the profile is loading.
    pub fn is_looking(&self) -> bool {
        self.query_state.is_running() && self.query_state.state() == QueryState::Waiting
    }

    /// Switches to another name; returns whether it differs.
    pub fn turn_to(&mut self, who: Option<Who>) -> bool {
        if self.who == who {
            return false;
        }
        self.who = who;
        self.query_state.forget();
        self.lines = LinkedLines::default();
        true
    }

    /// Requests the profile if it is missing or outdated; returns whether it did.
    pub fn ask(&mut self, cx: &mut UpdateContext<'_>) -> bool {
        let is_due = self.who.is_some() && (self.query_state.is_idle() || self.query_state.is_due(cx.view));
        if is_due {
            self.renew(cx);
        }
        is_due
    }

    /// Requests the profile in any case.
    pub fn renew(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(Who { name, kind }) = self.who.clone() else { return };
        let today = cx.seen_from();
        self.query_state.renew(Ask::Profile { name, kind, today }, cx);
    }

    /// Takes the answer; returns whether the reply was one. `most`: see [`Season`].
    pub fn take(&mut self, reply: &Reply, most: u32, cx: &UpdateContext<'_>) -> bool {
        let is_answer = self.query_state.take(reply);
        if is_answer {
            let today = cx.now().date();
            let notes = self.notes().unwrap_or_default();
            let seen_from = cx.seen_from();
            let season = Season { most, ended: (seen_from < today).then_some(seen_from) };
            let lines = |profile| lines(profile, notes, today, season, cx.settings.is_plain);
            self.lines.set(self.profile().map(lines).unwrap_or_default());
        }
        is_answer
    }
}

fn lines(profile: &Profile, notes: &str, today: civil::Date, season: Season, is_plain: bool) -> Vec<Linked<Who>> {
    let facts = facts(&profile.known, &profile.rhythm, today, season).into_iter().chain(moods(profile));
    let mut lines: Vec<Linked<Who>> = facts.map(|fact| Linked::plain(0, fact)).collect();
    lines.extend(noted(notes));
    let mut kind = None;
    for relation in &profile.relations {
        if kind.replace((relation.kind, relation.is_outgoing)) != Some((relation.kind, relation.is_outgoing)) {
            lines.push(Linked::blank());
        }
        lines.push(stated(relation));
        lines.extend(relation.evidence.iter().map(|said| quoted(said, 4, today)));
    }
    if !profile.neighbours.is_empty() {
        lines.push(Linked::blank());
        lines.extend(neighbourhood(profile, is_plain));
    }
    if !profile.mentions.is_empty() {
        lines.push(Linked::blank());
        lines.push(Linked::plain(0, Styled::of("last mentioned", Role::Heading)));
        lines.extend(profile.mentions.iter().map(|said| quoted(said, 2, today)));
    }
    if !profile.records.is_empty() {
        lines.push(Linked::blank());
        lines.push(Linked::plain(0, Styled::of("records", Role::Heading)));
        lines.extend(profile.records.iter().map(|link| record_link(link, 2, today)));
    }
    lines
}

/// The scale and the end of the figures by month.
#[derive(Debug, Clone, Copy)]
pub struct Season {
    /// The most days of any listed name in a month.
    pub most: u32,
    /// The end of a journal that ended long ago.
    pub ended: Option<civil::Date>,
}

/// What is known of a name before its profile is loaded, a fact a line.
pub fn facts(known: &Known, rhythm: &Rhythm, today: civil::Date, season: Season) -> Vec<Styled> {
    let mentions = counted(known.mentions as usize, "mention", "mentions");
    let last = if known.last_seen == today { "today".to_owned() } else { known.last_seen.to_string() };
    let period = season.ended.map_or_else(|| "the last 90".to_owned(), |day| format!("the 90 up to {day}"));
    let trend = format!("  {} of {period}, {} of the 90 before", counted_days(rhythm.recent), rhythm.before);
    let seen = if known.first_seen == known.last_seen { last } else { format!("{} to {last}", known.first_seen) };
    let label = |text: &str| Styled::of(&format!("{text:<10}"), Role::Dim);
    vec![
        label("Mentions").and(&format!("{mentions} on {}", counted_days(known.days)), Role::Text),
        label("Seen").and(&seen, Role::Text),
        label("By month")
            .and(&sparkline(&rhythm.months, season.most), Role::Heat)
            .and(&trend, Role::Text)
            .and(arrow(rhythm.change()), Role::Accent),
    ]
}

pub fn arrow(change: Change) -> &'static str {
    match change {
        Change::Up => " ↑",
        Change::Down => " ↓",
        Change::Steady => "",
    }
}

/// `Feelings  stressed 12 of 31 days (all days: 14 of 156) · calm 2 (all days: 40)`
fn moods(profile: &Profile) -> Option<Styled> {
    let mut line = Styled::of("Feelings  ", Role::Dim);
    for (nth, share) in profile.moods.iter().take(MOODS).enumerate() {
        line.push(if nth > 0 { " · " } else { "" }, Role::Dim).push(&share.mood, Role::Mood);
        let (with, base) = match nth {
            0 => (
                format!(" {} of {}", share.both, counted_days(profile.known.days)),
                format!("{} of {}", share.overall, profile.days),
            ),
            _ => (format!(" {}", share.both), share.overall.to_string()),
        };
        line.push(&with, Role::Text).push(&format!(" (all days: {base})"), Role::Dim);
    }
    (!profile.moods.is_empty()).then_some(line)
}

/// The verb of a relation, as seen from the name.
fn verb(relation: &Relation) -> &'static str {
    match (relation.kind, relation.is_outgoing) {
        (RelationKind::Causal, true) => "leads to",
        (RelationKind::Causal, false) => "caused by",
        (RelationKind::Emotional, true) => "moves",
        (RelationKind::Emotional, false) => "moved by",
        (RelationKind::Temporal, _) => "in time with",
        (RelationKind::Topical, _) => "has to do with",
        (RelationKind::Involves, _) => "goes with",
    }
}

/// `leads to → stressed feeling   stated 5 · together on 12 days · accepted by you`
fn stated(relation: &Relation) -> Linked<Who> {
    let mut line =
        Styled::of(verb(relation), Role::Dim).and(if relation.is_outgoing { " → " } else { " ← " }, Role::Dim);
    let who = Who { name: relation.other.clone(), kind: relation.other_kind };
    if relation.is_clause {
        line.push(&who.name, Role::Text);
    } else {
        line.push_name(&who.name, who.kind);
    }
    let mut counts = format!("   stated {} · together on {}", relation.stated, counted_days(relation.together as u32));
    if relation.accepted {
        counts += " · accepted by you";
    }
    line.push(&counts, Role::Dim);
    let linked = if relation.is_clause { Linked::plain(0, line) } else { Linked::to(0, line, who) };
    linked.from(relation.evidence.first())
}

/// The first lines of the user's notes.
fn noted(notes: &str) -> Vec<Linked<Who>> {
    let mut written = notes.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    if written.peek().is_none() {
        return Vec::new();
    }
    let mut lines = vec![Linked::blank(), Linked::plain(0, Styled::of("your notes", Role::Heading))];
    lines.extend(written.by_ref().take(NOTED).map(|line| Linked::plain(2, Styled::of(line, Role::Text))));
    if written.peek().is_some() {
        lines.push(Linked::plain(2, Styled::of("…", Role::Dim)));
    }
    lines
}

/// The neighbourhood as a tree: related names, and under each of them its own related names.
///
/// ```text
/// Hùng
/// ├─ Project X topic   stated 5 · together on 19 days
/// │  └─ Linh person   together on 12 days
/// └─ stressed feeling   together on 12 days
/// ```
///
/// A plain screen has no branches: a name at two steps follows the one between.
fn neighbourhood(profile: &Profile, is_plain: bool) -> Vec<Linked<Who>> {
    // The closest, in the order of the days that are shown.
    let closest = |is_own: &dyn Fn(&Neighbour) -> bool, most: usize| {
        let mut near: Vec<&Neighbour> = profile.neighbours.iter().filter(|other| is_own(other)).take(most).collect();
        near.sort_by_key(|other| std::cmp::Reverse((other.together, other.stated)));
        near
    };
    let near = closest(&|other| other.hops == 1, NEAR);
    let behind =
        |name: &str| closest(&|other| other.hops == 2 && other.via.first().is_some_and(|via| via == name), BEHIND);
    let mut lines = vec![Linked::plain(0, Styled::of(&profile.known.name, Role::Title))];
    let lead = |is_last: bool| match is_last {
        _ if is_plain => "",
        true => "└─ ",
        false => "├─ ",
    };
    for (nth, one) in near.iter().enumerate() {
        let is_last = nth + 1 == near.len();
        lines.push(branch(lead(is_last), one));
        let via =
            if is_plain { format!("{}, then ", one.name) } else { ["│  ", "   "][usize::from(is_last)].to_owned() };
        let behind = behind(&one.name);
        for (nth, other) in behind.iter().enumerate() {
            lines.push(branch(&format!("{via}{}", lead(nth + 1 == behind.len())), other));
        }
    }
    lines
}

fn branch(lead: &str, other: &Neighbour) -> Linked<Who> {
    let who = Who { name: other.name.clone(), kind: other.kind };
    let mut line = Styled::of(lead, Role::Border);
    line.push_name(&who.name, who.kind);
    let days = counted_days(other.together as u32);
    let counts = match other.basis {
        Basis::Stated => format!("   stated {} · together on {days}", other.stated),
        Basis::Inferred => format!("   together on {days}"),
    };
    line.push(&counts, Role::Dim);
    Linked::to(0, line, who).from(&other.evidence)
}

pub fn counted_days(n: u32) -> String {
    counted(n as usize, "day", "days")
}
