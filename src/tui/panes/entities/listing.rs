//! The list of names: filter, order, selection.

use std::{collections::HashMap, sync::Arc};

use crate::{
    extract::fold,
    insight::{names::Known, profile::Listed},
    journal::EntityKind,
    tui::{Input, List, TextInput, UpdateContext},
};

/// A name with its kind, by which homonyms differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Who {
    pub name: String,
    pub kind: EntityKind,
}

impl Who {
    pub fn of(known: &Known) -> Self {
        Self { name: known.name.clone(), kind: known.kind }
    }

    /// The unambiguous form of a name for curation.
    pub fn called(&self) -> String {
        format!("{} ({})", self.name, self.kind.word())
    }

    fn is(&self, listed: &Listed) -> bool {
        (self.kind, &self.name) == (listed.known.kind, &listed.known.name)
    }
}

#[derive(Default)]
pub struct Listing {
    /// `None` until the first answer.
    names: Option<Arc<[Listed]>>,
    /// Each name with its aliases, folded, for the filter.
    folded: Vec<String>,
    /// The most days of any name in a month: the scale of all sparklines.
    pub busiest_month: u32,
    pub input: Input,
    pub kind: Option<EntityKind>,
    /// Number of strong hits of the query that mention each name, by its place; empty without a query.
    hits: HashMap<usize, u32>,
    pub is_searching: bool,
    only_hits: bool,
    /// Places in `names`, as listed.
    rows: Vec<usize>,
    /// The name to select in the next list.
    expected: Option<Who>,
    /// The count of changed notes from which on lists have the last change.
    pub due: u64,
    pub list: List,
}

impl Listing {
    pub fn set(&mut self, names: Arc<[Listed]>, noted: u64) {
        let is_there = |who: &mut Who| noted >= self.due || names.iter().any(|listed| who.is(listed));
        let expected = self.expected.take_if(is_there);
        let (row, selected) = (self.list.selected(), expected.clone().or_else(|| self.selected()));
        let called_before = self.row(row).map(|(name, _)| name.known.aliases.clone()).unwrap_or_default();
        let text = |name: &Listed| {
            let known = &name.known;
            fold(&std::iter::once(&known.name).chain(&known.aliases).cloned().collect::<Vec<_>>().join("\n"))
        };
        self.folded = names.iter().map(text).collect();
        self.busiest_month = names.iter().flat_map(|name| &name.rhythm.months).copied().max().unwrap_or(0);
        self.names = Some(names);
        self.hits.clear();
        self.arrange(selected.clone());
        // A name that a link led to may be one that the filter hides.
        if let Some(who) = expected.filter(|who| self.selected().as_ref() != Some(who) && self.known(who).is_some()) {
            self.turn_to(who);
        }
        let Some(gone) = selected.filter(|who| self.selected().as_ref() != Some(who)) else { return };
        // The name disappeared: a rename was undone, or the name was hidden or merged. Selects the name in its row.
        self.list.select(row.min(self.rows.len().saturating_sub(1)));
        let place = |row: &usize| {
            self.row(*row)
                .is_some_and(|(name, _)| name.known.kind == gone.kind && called_before.contains(&name.known.name))
        };
        if let Some(row) = (0..self.rows.len()).find(place) {
            self.list.select(row);
        }
    }

    /// Selects a name, and clears a filter that hides it; before the names are loaded, once they are.
    pub fn turn_to(&mut self, who: Who) {
        if self.names.is_none() {
            self.expected = Some(who.clone());
        }
        self.narrow_no_more();
        self.arrange(Some(who));
    }

    /// Sets the name to select after a change.
    pub fn expect(&mut self, who: Option<Who>) {
        self.expected = who;
    }

    pub fn is_expecting(&self) -> bool {
        self.is_known() && self.expected.is_some()
    }

    /// The list's data of a name.
    pub fn known(&self, who: &Who) -> Option<&Listed> {
        self.names.as_deref().unwrap_or_default().iter().find(|listed| who.is(listed))
    }

    pub fn is_known(&self) -> bool {
        self.names.is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.names.as_ref().is_some_and(|names| names.is_empty())
    }

    pub fn is_narrowed(&self) -> bool {
        self.kind.is_some() || !self.input.is_empty() || self.only_hits
    }

    /// The name at a row, with the number of hits that mention it.
    pub fn row(&self, row: usize) -> Option<(&Listed, Option<u32>)> {
        let place = *self.rows.get(row)?;
        let hits = self.is_searching.then(|| self.hits.get(&place).copied().unwrap_or(0));
        Some((self.names.as_ref()?.get(place)?, hits))
    }

    pub fn selected(&self) -> Option<Who> {
        Some(Who::of(&self.row(self.list.selected())?.0.known))
    }

    /// Number of names of each kind.
    pub fn counts(&self) -> [(EntityKind, usize); 7] {
        let names = self.names.as_deref().unwrap_or_default();
        EntityKind::ALL.map(|kind| (kind, names.iter().filter(|name| name.known.kind == kind).count()))
    }

    pub fn filter(&mut self, input: &TextInput) -> bool {
        let changed = self.input.take(input);
        if changed {
            self.arrange(None);
        }
        changed
    }

    pub fn next_kind(&mut self) {
        let here = self.kind.and_then(|kind| EntityKind::ALL.iter().position(|known| *known == kind));
        let mut next = self.counts().into_iter().skip(here.map_or(0, |nth| nth + 1));
        self.kind = next.find(|(_, count)| *count > 0).map(|(kind, _)| kind);
        self.arrange(self.selected());
    }

    pub fn toggle_kind(&mut self, kind: EntityKind) {
        self.kind = if self.kind == Some(kind) { None } else { Some(kind) };
        self.arrange(self.selected());
    }

    pub fn toggle_hits(&mut self) {
        self.only_hits = !self.only_hits;
        self.arrange(self.selected());
    }

    pub fn narrow_no_more(&mut self) {
        (self.kind, self.only_hits) = (None, false);
        self.input.set("");
        self.arrange(self.selected());
    }

    /// Counts the names in the query's strong hits.
    pub fn take_hits(&mut self, cx: &UpdateContext<'_>) {
        let was_searching = std::mem::replace(&mut self.is_searching, cx.query.is_on());
        self.only_hits &= self.is_searching;
        self.hits.clear();
        if self.is_searching
            && let (Some(names), Some(snapshot)) = (&self.names, &cx.view.snapshot)
        {
            let graph = &snapshot.graph;
            let mut by_name: HashMap<(&str, EntityKind), u32> = HashMap::new();
            for hit in cx.query.hits().iter().filter(|hit| !hit.weak) {
                for (entity, _) in graph.of_entry(hit.key) {
                    let known = graph.entity(entity);
                    *by_name.entry((known.name.as_str(), known.kind)).or_default() += 1;
                }
            }
            let hits = |(place, name): (usize, &Listed)| {
                Some((place, *by_name.get(&(name.known.name.as_str(), name.known.kind))?))
            };
            self.hits = names.iter().enumerate().filter_map(hits).collect();
        }
        if self.is_searching || was_searching {
            // A name that the user went to stays selected; at the top of the list, whatever comes first is.
            let is_chosen = self.is_searching == was_searching && self.list.selected() > 0;
            let kept = is_chosen.then(|| self.selected()).flatten();
            self.arrange(kept);
        }
    }

    /// Sorts the names that pass the filters; selects `selected` if it is among them, else the first.
    fn arrange(&mut self, selected: Option<Who>) {
        let names = self.names.as_deref().unwrap_or_default();
        let wanted = fold(self.input.text().trim());
        let passes = |place: &usize| {
            self.kind.is_none_or(|kind| names[*place].known.kind == kind)
                && (!self.only_hits || self.hits.contains_key(place))
                && self.folded[*place].contains(wanted.as_str())
        };
        let mut rows: Vec<usize> = (0..names.len()).filter(passes).collect();
        let hits = |place: &usize| self.hits.get(place).copied().unwrap_or(0);
        rows.sort_by_key(|place| std::cmp::Reverse(hits(place)));
        let at = selected.and_then(|who| rows.iter().position(|place| Who::of(&names[*place].known) == who));
        self.rows = rows;
        self.list.set_len(self.rows.len());
        self.list.select(at.unwrap_or(0));
    }
}
