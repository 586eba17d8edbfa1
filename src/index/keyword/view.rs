//! The reading side of the word index: one commit, immutable.

use std::{collections::HashMap, path::Path, sync::Arc};

use tantivy::{
    DocAddress, DocSet, Index, Searcher, TERMINATED, TantivyDocument, Term,
    query::{Bm25StatisticsProvider, BooleanQuery, EnableScoring, Query},
    schema::{Field, IndexRecordOption, Value},
};

use super::{
    KeywordFound, KeywordHit, KeywordQuery, Matcher,
    collector::{Best, Keys, Share},
    directory::Folder,
    document::EntryDocument,
    guarded, query,
    schema::{self, Fields},
    store,
};
use crate::{
    index::{
        Catalog, CatalogEntry, EntryKey, IndexError, Result, Scope,
        catalog::{KeyMap, KeySet},
    },
    journal::Entry,
};

/// Memory budget for building an in-memory index.
const MEMORY_BYTES: usize = 3_000_000;

/// The reading side: one commit, immutable, cheap to clone.
#[derive(Clone)]
pub struct KeywordView {
    searcher: Searcher,
    fields: Fields,
    /// The keys of an in-memory view; `None` for one on disk.
    keys: Option<Arc<KeySet>>,
    /// The catalog that lists exactly the entries of this view.
    listed: Option<Arc<Catalog>>,
}

impl KeywordView {
    pub(super) fn over(searcher: Searcher, fields: Fields) -> Self {
        Self { searcher, fields, keys: None, listed: None }
    }

    /// This view, with the catalog that lists exactly its entries: a search without filters then need not look
    /// entries up. Ignored where the numbers of entries differ.
    pub fn listed_in(self, catalog: &Arc<Catalog>) -> Self {
        let listed = (self.len() == catalog.entries().len() as u64).then(|| catalog.clone());
        Self { listed, ..self }
    }

    /// Opens the last commit read-only, with its payload, for when another process writes or the disk is read-only.
    pub fn open(dir: &Path) -> Result<(Self, Option<String>)> {
        let (index, payload) = store::open_index(dir, Folder::open_to_read)?;
        let reader =
            guarded("open", || store::manual_reader(&index)).map_err(|error| IndexError::damaged(dir, error))?;
        Ok((Self::over(reader.searcher(), Fields::schema().1), payload))
    }

    /// Like [`KeywordView::open`], and verifies all checksums, since no writer has done so.
    pub fn open_verified(dir: &Path) -> Result<(Self, Option<String>)> {
        let opened = Self::open(dir)?;
        store::expect_sound(dir, &store::open_index(dir, Folder::open_to_read)?.0)?;
        Ok(opened)
    }

    /// The payload of the last commit; opens and verifies nothing else. `None` where there is none.
    pub fn payload(dir: &Path) -> Option<String> {
        store::open_index(dir, Folder::open_to_read).ok()?.1
    }

    /// A view of a few entries in memory: saved, but not yet in the index.
    pub fn in_memory<'a>(entries: impl IntoIterator<Item = (EntryKey, &'a Entry)>) -> Result<Self> {
        let (schema, fields) = Fields::schema();
        let mut keys = KeySet::default();
        let reader = guarded("index in memory", || {
            let builder = Index::builder().schema(schema).tokenizers(schema::tokenizers());
            let mut writer =
                builder.single_segment_index_writer(tantivy::directory::RamDirectory::create(), MEMORY_BYTES)?;
            for (key, entry) in entries {
                // Of a repeated key the first entry counts.
                if keys.insert(key) {
                    writer.add_document(EntryDocument::new(fields, key, CatalogEntry::of(entry).fingerprint, entry))?;
                }
            }
            store::manual_reader(&writer.finalize()?)
        })?;
        Ok(Self { searcher: reader.searcher(), fields, keys: Some(Arc::new(keys)), listed: None })
    }

    /// The keys of an in-memory view; `None` for one on disk.
    pub fn keys(&self) -> Option<&Arc<KeySet>> {
        self.keys.as_ref()
    }

    /// Best first; equal scores by the later entry time, then key. Only inside `scope`. With `fresh` (an in-memory
    /// view), both are searched as one index: the entries in `fresh` replace those of this view.
    pub fn find(
        &self,
        query: &KeywordQuery,
        scope: &Scope,
        limit: usize,
        fresh: Option<&KeywordView>,
    ) -> Result<KeywordFound> {
        if limit == 0 || scope.is_empty() || query.is_empty() {
            return Ok(KeywordFound::default());
        }
        let except = fresh.and_then(|fresh| fresh.keys.clone());
        let statistics = Together(std::iter::once(self).chain(fresh).map(|view| &view.searcher).collect());
        let listed = self.listed.as_ref().is_some_and(|catalog| Arc::ptr_eq(catalog, scope.catalog()));
        let all = listed && scope.is_all() && except.is_none();
        let best = Best { scope: scope.clone(), all, except, excluded: None, limit };
        let mut shares = vec![self.run(query, best.clone(), &statistics)?];
        if let Some(fresh) = fresh {
            shares.push(fresh.run(query, Best { all: false, except: None, ..best }, &statistics)?);
        }
        let Share { best, total } = Share::merged(shares, limit);
        let hits = best.into_iter().map(|ranked| KeywordHit { key: ranked.key, score: ranked.score }).collect();
        Ok(KeywordFound { hits, total })
    }

    fn run(&self, query: &KeywordQuery, mut best: Best, statistics: &Together<'_>) -> Result<Share> {
        if self.searcher.segment_readers().is_empty() {
            return Ok(Share::default());
        }
        guarded("search", || {
            let Some(tree) = query::build(query, &self.searcher, &self.fields)? else { return Ok(Share::default()) };
            if let Some(excluded) = tree.excluded {
                let weight = excluded.weight(EnableScoring::disabled_from_searcher(&self.searcher))?;
                best.excluded = Some(Arc::from(weight));
            }
            self.searcher.search_with_statistics_provider(&tree.wanted, &best, statistics)
        })
    }

    /// The entries that satisfy the query's phrases and exclusions, for legs without words. The entries in `fresh`
    /// replace those of this view, as in [`KeywordView::find`].
    pub fn restriction(&self, query: &KeywordQuery, fresh: Option<&KeywordView>) -> Result<Restriction> {
        let held = fresh.and_then(|fresh| fresh.keys.as_deref());
        let mut all = Restriction::default();
        for (view, except) in std::iter::once((self, held)).chain(fresh.map(|fresh| (fresh, None))) {
            guarded("search", || {
                let required = query::required(query, &view.searcher, &view.fields)?;
                let excluded = query::excluded(query, &view.searcher, &view.fields)?;
                let keys = |tree: BooleanQuery| -> tantivy::Result<Vec<EntryKey>> {
                    let found = view.searcher.search(&tree, &Keys)?.into_iter();
                    Ok(found.filter(|key| except.is_none_or(|except| !except.contains(key))).collect())
                };
                if let Some(tree) = required {
                    all.required.get_or_insert_default().extend(keys(tree)?);
                }
                if let Some(tree) = excluded {
                    all.barred.extend(keys(tree)?);
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// The stored bodies of some entries, in the order of `keys`. The entries in `fresh` replace those of this view.
    pub fn texts(&self, keys: &[EntryKey], fresh: Option<&KeywordView>) -> Result<Vec<Option<String>>> {
        let texts: Vec<_> = guarded("read", || keys.iter().map(|key| self.text(*key)).collect())?;
        let Some(fresh) = fresh else { return Ok(texts) };
        Ok(fresh.texts(keys, None)?.into_iter().zip(texts).map(|(newer, text)| newer.or(text)).collect())
    }

    /// Some entries in full, as they were indexed; missing ones are left out.
    pub fn entries(&self, keys: &[EntryKey]) -> Result<Vec<Entry>> {
        let entry = |key: &EntryKey| -> tantivy::Result<Option<Entry>> {
            let Some(found) = self.document(*key)? else { return Ok(None) };
            let record = found.get_first(self.fields.record).and_then(|record| record.as_bytes());
            let entry = record.and_then(|record| serde_json::from_slice::<Entry>(record).ok());
            let body = found.get_first(self.fields.text).and_then(|text| text.as_str()).unwrap_or_default();
            Ok(entry.map(|entry| Entry { body: body.to_owned(), ..entry }))
        };
        guarded("read", || keys.iter().filter_map(|key| entry(key).transpose()).collect())
    }

    fn text(&self, key: EntryKey) -> tantivy::Result<Option<String>> {
        let found = self.document(key)?;
        Ok(found.and_then(|found| Some(found.get_first(self.fields.text)?.as_str()?.to_owned())))
    }

    fn document(&self, key: EntryKey) -> tantivy::Result<Option<TantivyDocument>> {
        let term = Term::from_field_u64(self.fields.key, key.0);
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            let inverted = reader.inverted_index(self.fields.key)?;
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? else { continue };
            let mut doc = postings.doc();
            while doc != TERMINATED {
                if !reader.is_deleted(doc) {
                    return self.searcher.doc(DocAddress::new(segment as u32, doc)).map(Some);
                }
                doc = postings.advance();
            }
        }
        Ok(None)
    }

    /// Visits every stored body, including those of deleted entries whose bytes are still in their segments.
    pub fn every_text(&self, visit: &mut dyn FnMut(&str)) -> Result<()> {
        guarded("read", || {
            for reader in self.searcher.segment_readers() {
                for document in reader.get_store_reader(1)?.iter::<TantivyDocument>(None) {
                    document?
                        .get_first(self.fields.text)
                        .and_then(|text| text.as_str())
                        .into_iter()
                        .for_each(&mut *visit);
                }
            }
            Ok(())
        })
    }

    /// Key and fingerprint of every entry. Walks the index.
    pub fn fingerprints(&self) -> Result<KeyMap<u64>> {
        guarded("walk", || {
            let mut fingerprints = KeyMap::default();
            for reader in self.searcher.segment_readers() {
                let keys = reader.fast_fields().column_first_or_default::<u64>(Fields::KEY)?;
                let prints = reader.fast_fields().column_first_or_default::<u64>(Fields::FINGERPRINT)?;
                fingerprints
                    .extend(reader.doc_ids_alive().map(|doc| (EntryKey(keys.get_val(doc)), prints.get_val(doc))));
            }
            Ok(fingerprints)
        })
    }

    /// A matcher for the query's words; make it once for many texts.
    pub fn matcher(&self, query: &KeywordQuery) -> Matcher {
        let variants = guarded("expand", || query::variants(query, &self.searcher, &self.fields)).unwrap_or_default();
        Matcher::new(query, variants)
    }

    /// Number of entries with each word of the query (with its rarest token, where it has several).
    pub fn frequencies(&self, query: &KeywordQuery) -> Result<HashMap<String, u64>> {
        guarded("count", || {
            query
                .words
                .iter()
                .map(|word| Ok((word.clone(), query::frequency(word, &self.searcher, &self.fields)?)))
                .collect()
        })
    }

    /// Number of entries.
    pub(super) fn len(&self) -> u64 {
        self.searcher.num_docs()
    }
}

/// The entries that satisfy phrases and exclusions.
#[derive(Debug, Default)]
pub struct Restriction {
    /// `None` allows all.
    required: Option<KeySet>,
    barred: KeySet,
}

impl Restriction {
    /// Whether no entry has all the phrases.
    pub fn allows_none(&self) -> bool {
        self.required.as_ref().is_some_and(KeySet::is_empty)
    }

    pub fn allows(&self, key: EntryKey) -> bool {
        self.required.as_ref().is_none_or(|keys| keys.contains(&key)) && !self.barred.contains(&key)
    }
}

/// BM25 statistics over several views as if they were one: an entry saved a second ago is ranked by the frequency of
/// its words in the whole journal.
struct Together<'a>(Vec<&'a Searcher>);

impl Bm25StatisticsProvider for Together<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        self.0.iter().map(|searcher| searcher.total_num_tokens(field)).sum()
    }
    fn total_num_docs(&self) -> tantivy::Result<u64> {
        self.0.iter().map(|searcher| searcher.total_num_docs()).sum()
    }
    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        self.0.iter().map(|searcher| searcher.doc_freq(term)).sum()
    }
}
