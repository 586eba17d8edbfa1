//! Names that need a decision: possible duplicates, and hidden names. Shown instead of the profile.

use jiff::civil;

use super::listing::Who;
use crate::{
    insight::{Evidence, merge_candidates::MergeCandidate, names::Known},
    journal::EntityNote,
    session::{Answer, Ask, Curating, NameReview, Reply},
    tui::{AsyncQuery, Linked, LinkedLines, Role, Styled, UpdateContext, counted, linked::quoted},
};

/// The content in the place of the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SidePanel {
    /// Possible duplicates.
    MergeCandidates,
    Hidden,
}

/// Target of a line.
#[derive(Debug, Clone, Copy)]
pub enum Turn {
    /// A pair, by its place.
    Pair(usize),
    Hidden(usize),
}

/// The loaded names, and which of them are shown.
#[derive(Default)]
pub struct Chores {
    query_state: AsyncQuery,
    known: NameReview,
    pub shown: Option<SidePanel>,
    pub lines: LinkedLines<Turn>,
    /// The pair or name of the last change: removed from the list once the change is made.
    changing: Option<Turn>,
    /// The names before that change, with its description.
    before: Option<(String, NameReview)>,
}

impl Chores {
    pub fn merge_candidates(&self) -> usize {
        self.known.merge_candidates.len() + self.known.more
    }

    pub fn hidden(&self) -> usize {
        self.known.hidden.len()
    }

    /// Requests the names if they are missing or outdated.
    pub fn ask(&mut self, cx: &mut UpdateContext<'_>) {
        if self.query_state.is_idle() || self.query_state.is_due(cx.view) {
            self.query_state.renew(Ask::NameReview, cx);
        }
    }

    /// Takes the answer; returns whether the reply was one.
    pub fn take(&mut self, reply: &Reply, cx: &UpdateContext<'_>) -> bool {
        let is_answer = self.query_state.take(reply);
        if let Some(Answer::NameReview(known)) = self.query_state.known().filter(|_| is_answer) {
            self.known = known.clone();
            self.arrange(cx.now().date());
        }
        is_answer
    }

    pub fn show(&mut self, chore: Option<SidePanel>, today: civil::Date) {
        self.shown = chore;
        self.lines = LinkedLines::default();
        self.arrange(today);
    }

    fn arrange(&mut self, today: civil::Date) {
        let lines = match self.shown {
            Some(SidePanel::MergeCandidates) => merge_candidates(&self.known, today),
            Some(SidePanel::Hidden) => self.known.hidden.iter().enumerate().map(hidden).collect(),
            None => Vec::new(),
        };
        self.lines.set(lines);
    }

    fn pair(&self) -> Option<(usize, &MergeCandidate)> {
        match self.lines.selected()? {
            Turn::Pair(nth) => Some((*nth, self.known.merge_candidates.get(*nth)?)),
            Turn::Hidden(_) => None,
        }
    }

    pub fn is_pair(&self) -> bool {
        self.pair().is_some()
    }

    pub fn is_hidden_name(&self) -> bool {
        matches!(self.lines.selected(), Some(Turn::Hidden(_)))
    }

    /// The names of the selected pair, the one to keep first, for a change of it.
    pub fn change_pair(&mut self) -> Option<(String, String)> {
        let (nth, pair) = self.pair()?;
        let names = (Who::of(&pair.keep).called(), Who::of(&pair.other).called());
        self.changing = Some(Turn::Pair(nth));
        Some(names)
    }

    /// The change that shows the selected hidden name again.
    pub fn unhide(&mut self) -> Option<Curating> {
        let Some(Turn::Hidden(nth)) = self.lines.selected() else { return None };
        let name = self.known.hidden.get(*nth)?;
        let kind = name.kind.map_or_else(String::new, |kind| format!(" ({})", kind.word()));
        let show = Curating::Hide { name: format!("{}{kind}", name.name), hidden: false };
        self.changing = Some(Turn::Hidden(*nth));
        Some(show)
    }

    /// A change was undone: shows the names as they were before it, until the index has them.
    pub fn undone(&mut self, said: &str, today: civil::Date) {
        if let Some((_, known)) = self.before.take_if(|(change, _)| said.ends_with(change.as_str())) {
            self.known = known;
            self.arrange(today);
        }
    }

    /// Removes the pair or name whose change was made.
    pub fn settled(&mut self, said: &str, today: civil::Date) {
        self.before = Some((said.to_owned(), self.known.clone()));
        match self.changing.take() {
            Some(Turn::Pair(nth)) if nth < self.known.merge_candidates.len() => {
                self.known.merge_candidates.remove(nth);
            }
            Some(Turn::Hidden(nth)) if nth < self.known.hidden.len() => {
                self.known.hidden.remove(nth);
            }
            _ => {}
        }
        self.arrange(today);
    }

    /// The title above the lines, or in their place where there are none.
    pub fn title(&self) -> (&'static str, String) {
        match self.shown {
            Some(SidePanel::Hidden) if self.known.hidden.is_empty() => ("Hidden names", "none".to_owned()),
            Some(SidePanel::Hidden) => ("Hidden names", counted(self.known.hidden.len(), "name", "names")),
            _ if self.merge_candidates() == 0 => ("Possible duplicates", "No more possible duplicates".to_owned()),
            _ => ("Possible duplicates", counted(self.merge_candidates(), "pair", "pairs")),
        }
    }
}

/// The two names side by side, each with its counts and its sentences; then the reasons.
fn merge_candidates(review: &NameReview, today: civil::Date) -> Vec<Linked<Turn>> {
    let mut lines = Vec::new();
    for (nth, pair) in review.merge_candidates.iter().enumerate() {
        if nth > 0 {
            lines.push(Linked::blank());
        }
        let [left, right] = [(&pair.other, &pair.other_said), (&pair.keep, &pair.keep_said)];
        let head = |known: &Known| {
            let mut head = Styled::default();
            head.push_name(&known.name, known.kind);
            head.push(&format!("   {}", counted(known.mentions as usize, "mention", "mentions")), Role::Dim);
            head
        };
        lines.push(Linked::to(0, head(left.0), Turn::Pair(nth)));
        lines.push(Linked::plain(0, head(right.0)).beside());
        let quote = |said: &Evidence| Linked { leads: Some(Turn::Pair(nth)), ..quoted(said, 1, today) };
        for place in 0..left.1.len().max(right.1.len()) {
            lines.push(left.1.get(place).map_or_else(Linked::blank, quote));
            lines.extend(right.1.get(place).map(|said| quote(said).beside()));
        }
        let reasons = pair.reasons.iter().map(|reason| Linked::plain(1, Styled::of(reason, Role::Dim)));
        lines.extend(reasons);
    }
    if review.more > 0 {
        lines.push(Linked::blank());
        let more = format!("and {} when these are settled", counted(review.more, "further pair", "further pairs"));
        lines.push(Linked::plain(0, Styled::of(&more, Role::Dim)));
    }
    lines
}

fn hidden((nth, name): (usize, &EntityNote)) -> Linked<Turn> {
    let mut line = Styled::default();
    match name.kind {
        Some(kind) => line.push_name(&name.name, kind),
        None => line.push(&name.name, Role::Text),
    };
    if !name.aliases.is_empty() {
        line.push(&format!("   also: {}", name.aliases.join(", ")), Role::Dim);
    }
    Linked::to(0, line, Turn::Hidden(nth))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn what_was_decided_and_undone_is_listed_before_the_index_knows() {
        let today = date(2026, 11, 20);
        let mut chores = Chores::default();
        chores.known.hidden = vec![EntityNote { name: "Linh".into(), ..EntityNote::default() }];
        chores.show(Some(SidePanel::Hidden), today);
        assert!(chores.unhide().is_some());
        chores.settled("Linh is shown again", today);
        assert_eq!(chores.title().1, "none");
        chores.undone("Undid: Hùng is renamed", today);
        assert_eq!(chores.title().1, "none");
        chores.undone("Undid: Linh is shown again", today);
        assert!(chores.title().1 == "1 name" && chores.is_hidden_name());
    }
}
