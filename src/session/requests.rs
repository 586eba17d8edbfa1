//! Dispatch of the screens' requests to the code that answers them.

use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use jiff::civil;

use super::{
    Curating, DayEntry, Reply, Request, Response, SessionError, Stage, Ticket, Written,
    curation::CurationPreview,
    error::or_fault,
    index_worker::IndexWorker,
    insight, model,
    shared_state::SharedState,
    write::{Inverse, Writes},
};
use crate::{
    index::Snapshot,
    insight::records,
    journal::{Entry, opening},
    search::{LegId, PreparedSearch, Search},
};

/// Answers requests on the calling thread.
pub(super) struct Requests {
    pub(super) shared: Arc<SharedState>,
    pub(super) index: Arc<IndexWorker>,
    pub(super) writes: Writes,
}

impl Requests {
    pub(super) fn new(shared: Arc<SharedState>) -> Self {
        let (index, writes) = (Arc::new(IndexWorker::new(shared.clone())), Writes::new(shared.clone()));
        Self { shared, index, writes }
    }

    /// Performs one request and settles it. A panic becomes a failure reply.
    pub(super) fn perform(&self, ticket: Ticket, request: Request, cancelled: &dyn Fn() -> bool) {
        let name = request.name();
        let outcome = or_fault(name, || self.answer(ticket, request, cancelled));
        if let Some(response) = outcome.unwrap_or_else(|error| Some(Response::Failed(error))) {
            self.reply_and_follow(ticket, response);
        }
        self.shared.settle();
    }

    /// Sends a reply, and then makes an added entry searchable. In this order, because the user waits for the
    /// confirmation, and the second step goes through all entries.
    fn reply_and_follow(&self, ticket: Ticket, response: Response) {
        let added = match &response {
            Response::Written(Written::Added(entry)) => Some(entry.clone()),
            _ => None,
        };
        self.shared.reply(Reply::To(ticket, response));
        if let Some(entry) = added {
            // If this fails, the next scan of the vault finds the entry.
            drop(catch_unwind(AssertUnwindSafe(|| self.writes.find_at_once(&entry))));
        }
    }

    fn answer(
        &self,
        ticket: Ticket,
        request: Request,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Response>, SessionError> {
        let vault = || self.shared.vault();
        let writes = &self.writes;
        let response = match request {
            Request::Search(ask) => return self.find(ticket, &ask, cancelled),
            Request::Ask(ask) => return insight::answer_query(&self.shared, ticket, &ask, cancelled),
            // The request was already answered; otherwise the cancellation is handled before it gets here.
            Request::Cancel(_) => return Ok(None),
            Request::Sync => {
                self.shared.mark_dirty();
                self.shared.reply(Reply::ViewChanged);
                return Ok(None);
            }
            Request::KeepQuery(query) => {
                writes.keep_query(&query)?;
                return Ok(None);
            }
            Request::Day(day) => self.read_day(day)?,
            Request::Openings(days) => self.read_openings(&days)?,
            Request::CheckAttachments => Response::Attachments(vault()?.check_attachments()?),
            Request::Templates => Response::Templates(vault()?.templates()?),
            Request::Trash => Response::Trash(vault()?.trash()?),
            Request::Drafts => Response::Drafts(writes.drafts.list(&vault()?)?),
            Request::Queries => Response::Queries(writes.queries()?),
            Request::SavedSearches => Response::SavedSearches(vault()?.saved_searches()?),
            Request::Records(filter) => match self.shared.snapshot() {
                Some(snapshot) => Response::Records(records::records(&snapshot, &filter)?),
                None => Response::NotYet,
            },
            Request::PreviewCuration(curating) => self.curate(&curating, true)?,
            Request::Curate(curating) => self.curate(&curating, false)?,
            Request::WriteFile { path, content } => writes.write_file(&vault()?, &path, content)?,
            Request::KeepDraft(draft) => writes.keep_draft(&vault()?, &draft)?,
            Request::DropDraft(id) => {
                writes.drafts.drop(&vault()?, &id)?;
                Response::DraftDropped
            }
            Request::DiscardDraft(draft) => writes.discard_draft(&vault()?, draft)?,
            Request::SaveSearch(search) => writes.save_search(&vault()?, &search)?,
            Request::DropSearch(name) => writes.drop_search(&vault()?, name)?,
            Request::Remember(new) => writes.add_record(&vault()?, *new)?,
            Request::Append { new, draft } => Response::Written(writes.append(&vault()?, new, draft)?),
            Request::Edit { base, change, draft } => Response::Written(writes.edit(&vault()?, base, change, draft)?),
            Request::Remove { base } => Response::Written(writes.remove(&vault()?, &base)?),
            Request::Several(operations) => Response::Written(writes.several(&vault()?, operations)),
            Request::Restore { handle } => Response::Written(writes.restore(&vault()?, &handle)?),
            Request::Repair(notice) => Response::Written(Written::Repaired(vault()?.repair(&notice)?)),
            Request::CloseRecord { id, status } => Response::Written(writes.close_record(&vault()?, &id, status)?),
            Request::Undo => Response::Written(writes.undo(&vault()?)?),
        };
        if matches!(response, Response::Written(_)) {
            self.shared.mark_dirty();
            vault()?.write_warnings().into_iter().for_each(|warning| self.shared.notify(warning));
        }
        Ok(Some(response))
    }

    /// Changes names or relations, or previews it, based on the view of the screens.
    fn curate(&self, curating: &Curating, is_preview: bool) -> Result<Response, SessionError> {
        let vault = self.shared.vault()?;
        let Some(snapshot) = self.shared.snapshot() else { return Ok(Response::NotYet) };
        let graph_under = |notes| self.index.graph_under(notes);
        let preview = CurationPreview::of(curating, is_preview, &snapshot, &vault, graph_under)?;
        if !is_preview && !preview.curated.unchanged {
            let change = preview.carry_out(&vault, self.writes.curation_log()?)?;
            self.writes.remember(Inverse::Names(change));
            self.shared.mark_dirty();
        }
        Ok(Response::Curated(preview.curated))
    }

    /// Replies with the hits by word at once, and with the final order when the other legs are done.
    fn find(
        &self,
        ticket: Ticket,
        ask: &Search,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Response>, SessionError> {
        let Some(snapshot) = self.shared.snapshot() else {
            return Ok(Some(Response::NotYet));
        };
        let asked = PreparedSearch::new(&snapshot, ask)?;
        let can_run = |leg: &LegId| *leg != LegId::Vector || snapshot.vectors.is_some();
        if ask.legs.has(LegId::Keyword) && ask.legs.iter().filter(can_run).count() > 1 {
            let words = asked.by_words()?;
            self.shared.reply(Reply::To(ticket, Response::Found { stage: Stage::Words, found: Arc::new(words) }));
            if cancelled() {
                return Ok(None);
            }
        }
        let (encoder, why) = self.shared.models.for_search(&snapshot, ask);
        let mut found = asked.by_all_legs(encoder.as_deref(), cancelled)?;
        found.iter_mut().zip(&why).for_each(|(found, why)| model::say_left_out(found, why));
        Ok(found.map(|found| Response::Found { stage: Stage::Fused, found: Arc::new(found) }))
    }

    /// Reads the first words of days from the index.
    fn read_openings(&self, days: &[civil::Date]) -> Result<Response, SessionError> {
        let Some(snapshot) = self.shared.snapshot() else { return Ok(Response::NotYet) };
        let first = |day: civil::Date| snapshot.catalog.day(day).find(|entry| !entry.is_record());
        let firsts = days.iter().filter_map(|day| Some((*day, first(*day)?.key)));
        let (days, keys): (Vec<civil::Date>, Vec<_>) = firsts.unzip();
        let texts = snapshot.texts(&keys)?;
        Ok(Response::Openings(days.into_iter().zip(texts.iter().map(|text| shown(text))).collect()))
    }

    fn read_day(&self, day: civil::Date) -> Result<Response, SessionError> {
        let vault = self.shared.vault()?;
        self.shared.expect_folder(&vault)?;
        let snapshot = self.shared.snapshot();
        // Read the files in the catalog and the day's own file, which may have entries that are not indexed yet.
        let own = format!("{day}.md");
        let known = snapshot.iter().flat_map(|snapshot| snapshot.catalog.day(day));
        let others = known.map(|entry| entry.place.file.to_string()).filter(|file| *file != own);
        let mut files: Vec<String> = std::iter::once(own.clone()).chain(others).collect();
        files.dedup();
        let mut entries = Vec::new();
        let mut notices = Vec::new();
        for file in files {
            let Some(read) = vault.read_if_there(&file)? else { continue };
            notices.extend(read.notices);
            for written in read.entries.into_iter().filter(|written| written.entry.day == day) {
                entries.push(known_as(snapshot.as_deref(), written.entry));
            }
        }
        // A copy of an entry is shown once, as everywhere.
        let mut shown = HashSet::new();
        entries.retain(|known| shown.insert((known.entry.id.clone(), known.entry.hash, known.entry.time.at)));
        // The order of the catalog and of the file.
        let rank = |known: &DayEntry| (known.entry.time.at, known.entry.place.file.clone(), known.entry.place.position);
        entries.sort_by_cached_key(rank);
        Ok(Response::Day { day, entries, notices })
    }
}

/// Maximum number of characters of an opening.
const OPENING: usize = 120;

fn shown(body: &str) -> String {
    opening(body).chars().take(OPENING).collect()
}

/// The entry with its final id, and with its mentions from the graph.
fn known_as(snapshot: Option<&Snapshot>, entry: Entry) -> DayEntry {
    let known = snapshot.and_then(|snapshot| {
        let mut same = snapshot.catalog.day(entry.day).filter(|known| known.hash == entry.hash);
        let known = same.find(|known| known.written_name() == entry.id.as_str())?;
        Some((snapshot, known))
    });
    let Some((snapshot, known)) = known else {
        return DayEntry { entry, names: Vec::new(), spans: Vec::new() };
    };
    let mut names = Vec::new();
    let mut spans = Vec::new();
    for (nth, (entity, mentions)) in snapshot.graph.names_of_entry(known.key).enumerate() {
        let entity = snapshot.graph.entity(entity);
        names.push((entity.kind, entity.name.clone()));
        let shown = mentions.iter().filter(|span| span.end > span.start);
        spans.extend(shown.map(|span| (nth, entity.kind, span.start as usize..span.end as usize)));
    }
    spans.sort_by_key(|(.., span)| span.start);
    DayEntry { entry: Entry { id: known.id.clone(), ..entry }, names, spans }
}
