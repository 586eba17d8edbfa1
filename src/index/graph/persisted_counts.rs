//! The mention counts on disk, beside the extracts they were made from: the first change after opening neither decodes
//! all extracts nor counts all mentions again. Where the file is missing, damaged or of another version, both are done.
//!
//! The payload: length of the head, number of rows, names and mentions, u32 each; by row the start of its extract in the
//! file of extracts u32, the start of its names u32, of its mentions u32 and of its statements u32 (the last three with
//! the end); the names u32 and the mentions 3 x u32; the head (postcard). Little-endian.

use std::{fs::File, path::Path};

use jiff::civil;
use serde::{Deserialize, Serialize};

use super::{
    IdentityId, KINDS, Names, SpellingId,
    interned::InternedExtract,
    mention_counts::{MentionCounts, Mentioned, Spelled},
    persisted::{COUNTS_STORE as STORE, PROGRAM},
    rowed::Rowed,
    stated::Statement,
    votes::Tally,
};
use crate::extract::rules_version;
use crate::index::{
    EntryKey, IndexError, Result,
    checkpoint::{self, Parts},
};

#[derive(Serialize, Deserialize)]
struct Head {
    /// The version and the rules (with the user's word lists) that counted: others may count differently.
    program: (String, u64),
    spellings: usize,
    tallies: Vec<Tally>,
    /// Those that are not zero, with their places.
    mentioned: Vec<(u32, Mentioned)>,
    spelled: Vec<(u32, Spelled)>,
    statements: Vec<Statement>,
}

/// The numbers of names in a file, by their ids in memory: in the file names are sorted, and only those in use.
pub(super) struct Numbering {
    spellings: Vec<u32>,
    identities: Vec<u32>,
    /// Number of spellings and identities in use.
    counts: [usize; 2],
}

impl Numbering {
    /// The numbering by which `sorted` are 0, 1, 2, ..., and the numbers of their identities those of [`Names::filed`].
    pub fn of(names: &Names, sorted: &[SpellingId]) -> Self {
        let mut spellings = vec![u32::MAX; names.spellings.len()];
        let mut identities = vec![u32::MAX; names.identities.len()];
        let mut known = 0;
        for (place, name) in (0..).zip(sorted) {
            spellings[*name as usize] = place;
            let identity = &mut identities[names.identity_of(*name) as usize];
            if *identity == u32::MAX {
                *identity = known;
                known += 1;
            }
        }
        Self { spellings, identities, counts: [sorted.len(), known as usize] }
    }

    pub fn renumbered(&self, extract: &InternedExtract) -> InternedExtract {
        extract.renumbered(|name| self.spellings[name as usize])
    }

    fn identity(&self, identity: IdentityId) -> u32 {
        self.identities[identity as usize]
    }

    fn slot(&self, slot: u32) -> u32 {
        self.identity(slot / KINDS as u32) * KINDS as u32 + slot % KINDS as u32
    }

    fn statement(&self, said: &Statement) -> Statement {
        let mut said = said.clone();
        (said.source, said.target) = (self.slot(said.source), self.slot(said.target));
        said.verb = self.spellings[said.verb as usize];
        said
    }
}

/// Writes the counts of `checkpoint` durably. `starts`: of each row's extract in the file of extracts.
pub(super) fn write(
    dir: &Path,
    checkpoint: u64,
    counts: &MentionCounts,
    numbering: &Numbering,
    starts: &[u32],
) -> Result<()> {
    let [spellings, identities] = numbering.counts;
    let mut tallies = vec![Tally::default(); identities];
    for (tally, place) in counts.tallies.iter().zip(&numbering.identities).filter(|(_, place)| **place != u32::MAX) {
        tallies[*place as usize] = *tally;
    }
    let mentioned = (0..).zip(&counts.mentioned).filter(|(_, mentioned)| mentioned.all > 0);
    let spelled = (0..).zip(&counts.spelled).filter(|(_, spelled)| spelled.all > 0);
    let spelled = spelled.map(|(at, spelled)| {
        let spelling = numbering.spellings[at as usize / KINDS];
        (spelling * KINDS as u32 + at % KINDS as u32, *spelled)
    });
    let head = Head {
        program: (PROGRAM.to_owned(), rules_version()),
        spellings,
        tallies,
        mentioned: mentioned.map(|(slot, mentioned)| (numbering.slot(slot), *mentioned)).collect(),
        spelled: spelled.collect(),
        statements: counts.statements.all().iter().map(|said| numbering.statement(said)).collect(),
    };
    let path = checkpoint::path(dir, STORE, checkpoint);
    let head = postcard::to_stdvec(&head).map_err(|error| IndexError::damaged(path, error))?;
    let sizes =
        [head.len(), starts.len(), counts.said.all().len(), counts.mentions.all().len()].map(|size| size as u32);
    let mut bytes = vec![0; checkpoint::HEADER];
    let all_starts = [starts, counts.said.starts(), counts.mentions.starts(), counts.statements.starts()];
    let numbers = sizes.iter().chain(all_starts.into_iter().flatten());
    numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
    counts.said.all().iter().for_each(|identity| bytes.extend(numbering.identity(*identity).to_le_bytes()));
    for [slot, start, end] in counts.mentions.all() {
        [numbering.slot(*slot), *start, *end].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    bytes.extend(head);
    checkpoint::write_bytes(dir, STORE, checkpoint, bytes)
}

/// The counts of a file, for these rows, and the start of each row's extract; `None` where they do not fit. The votes
/// are missing: see [`MentionCounts::vote`].
pub(super) fn read(file: &File, rows: &[(civil::Date, EntryKey)]) -> Option<(MentionCounts, Vec<u32>)> {
    let mut parts = Parts::of(file)?;
    let [head, count, said, mentions] = parts.next::<[u32; 4]>(1)?[0].map(|size| size as usize);
    let (of_extracts, said_starts) = (parts.next(count)?, parts.next(count + 1)?);
    let (mention_starts, statement_starts) = (parts.next(count + 1)?, parts.next(count + 1)?);
    let (said, mentions) = (parts.next::<u32>(said)?, parts.next::<[u32; 3]>(mentions)?);
    let head = parts.next::<u8>(head)?;
    if !parts.is_sound() {
        return None;
    }
    let head: Head = checkpoint::part(&head).ok()?.0;
    let (spellings, slots) = (head.spellings, head.tallies.len() * KINDS);
    if head.program != (PROGRAM.to_owned(), rules_version()) || count != rows.len() {
        return None;
    }
    let sound = said.iter().all(|identity| (*identity as usize) < head.tallies.len())
        && mentions.iter().all(|[slot, ..]| (*slot as usize) < slots)
        && head.statements.iter().all(|said| {
            [said.source, said.target].iter().all(|slot| (*slot as usize) < slots) && (said.verb as usize) < spellings
        });
    if !sound {
        return None;
    }
    let counts = MentionCounts {
        rows: rows.iter().map(|(day, key)| (*day, std::cmp::Reverse(*key))).collect(),
        said: Rowed::of(said_starts, said)?,
        mentions: Rowed::of(mention_starts, mentions)?,
        statements: Rowed::of(statement_starts, head.statements)?,
        tallies: head.tallies,
        mentioned: spread(&head.mentioned, slots)?,
        spelled: spread(&head.spelled, spellings * KINDS)?,
        ..MentionCounts::default()
    };
    Some((counts, of_extracts))
}

/// Each value at its place, the default at the others; `None` where a place is out of range.
fn spread<T: Copy + Default>(values: &[(u32, T)], len: usize) -> Option<Vec<T>> {
    let mut all = vec![T::default(); len];
    for (place, value) in values {
        *all.get_mut(*place as usize)? = *value;
    }
    Some(all)
}
