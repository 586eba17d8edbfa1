//! Search as the screens and the command line run it, on hand-made entries.

use std::{path::Path, sync::Arc};

use jiff::{Timestamp, ToSpan, Zoned, civil};
use kioku::{
    extract::extract,
    index::{Catalog, CatalogEntry, EntryKey, LegHealth, Snapshot, graph::GraphStore, keyword::KeywordView},
    journal::{BodyHash, Entry, EntryId, EntryTime, NewEntry, Place, Vault},
    search::{self, Found, Fusion, LegId, Legs, Search},
    session::Session,
};

use super::sync::{at, options};

/// An entry of a day in 2026, written at noon and `position` minutes.
fn entry(id: &str, day: &str, position: u32, body: &str) -> Entry {
    let day: civil::Date = day.parse().unwrap();
    let written = format!("{day}T12:{position:02}:00Z");
    let at: Timestamp = written.parse().unwrap();
    Entry {
        id: EntryId::from(id),
        time: EntryTime { written, at, offset_seconds: 0 },
        day,
        mood: None,
        tags: Vec::new(),
        event_time: None,
        body: body.into(),
        hash: BodyHash::of(body.as_bytes()),
        extra: Vec::new(),
        place: Place { file: format!("{day}.md").into(), position, bytes: 0..body.len() },
    }
}

fn key(entry: &Entry) -> EntryKey {
    EntryKey::of(&entry.id)
}

/// A snapshot over some entries. Those in `fresh` are not in the index yet; `stale` are their indexed versions.
fn snapshot(entries: &[Entry], fresh: &[Entry], stale: &[Entry]) -> Snapshot {
    let dir = tempfile::tempdir().unwrap();
    let (mut graph, _) = GraphStore::open(dir.path(), None);
    for entry in entries {
        graph.set(key(entry), CatalogEntry::of(entry).fingerprint, entry.day, extract(entry));
    }
    let all = entries.iter().chain(fresh);
    let catalog = Catalog::new(all.map(CatalogEntry::of).collect::<Vec<_>>(), Vec::new(), Vec::new());
    let view = |of: &mut dyn Iterator<Item = &Entry>| {
        let of: Vec<_> = of.collect();
        KeywordView::in_memory(of.into_iter().map(|entry| (key(entry), entry))).unwrap()
    };
    Snapshot {
        checkpoint: 1,
        catalog: Arc::new(catalog),
        keyword: view(&mut entries.iter().chain(stale)),
        fresh: (!fresh.is_empty()).then(|| view(&mut fresh.iter())),
        vectors: None,
        graph: graph.view(),
        vector_health: LegHealth::Off { why: "no model".into() },
        word_health: None,
    }
}

fn now() -> Zoned {
    "2026-11-20T15:00:00+00:00[UTC]".parse().unwrap()
}

fn ask(text: &str) -> Search {
    Search {
        text: text.into(),
        filters: Vec::new(),
        legs: Legs::ALL,
        limit: 30,
        typing: false,
        fusion: Fusion::default(),
        now: now(),
    }
}

fn run(snapshot: &Snapshot, ask: &Search) -> Found {
    search::search(snapshot, None, ask, &|| false).unwrap().expect("nobody cancelled")
}

/// The keyword leg only.
const BY_WORD: Legs = Legs::only(LegId::Keyword);

fn ids(found: &Found) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.id.as_str()).collect()
}

fn journal() -> Vec<Entry> {
    let mut all = vec![
        entry("knot", "2026-09-14", 0, "Hùng moved the deadline again and I felt the old knot in my stomach."),
        entry("walk", "2026-09-14", 1, "Walked along the river. The fog made the bridges float."),
        entry("pho", "2026-09-20", 0, "Phở with Linh near the lake. Felt better by the second bowl."),
        entry("kick", "2026-10-02", 0, "Project X kick-off, too many people in the room. The deadline is close."),
        entry("plain", "2026-11-19", 0, "Nothing of note."),
    ];
    all[0].mood = Some("Stressed".into());
    all[0].tags = vec!["work".into(), "Project X".into()];
    all[2].mood = Some("relieved".into());
    all[3].tags = vec!["work".into()];
    all[4].extra = vec![("star".into(), "true".into())];
    all
}

#[test]
fn words_find_entries_and_say_why() {
    let snapshot = snapshot(&journal(), &[], &[]);
    let found = run(&snapshot, &Search { legs: BY_WORD, ..ask("what about the old knot") });
    assert_eq!(ids(&found), ["knot"]);
    let hit = &found.hits[0];
    assert!(found.confident && !hit.weak);
    assert_eq!(hit.reason.words, ["old", "knot"]);
    assert_eq!(hit.matches.iter().map(|span| &hit.text[span.clone()]).collect::<Vec<_>>(), ["old", "knot"]);
    assert_eq!(&hit.text[hit.snippet.clone()], hit.text);
    assert_eq!((hit.time.as_str(), hit.legs[LegId::Keyword].unwrap().rank), ("2026-09-14T12:00:00Z", 1));
    assert_eq!(found.total, 1);
}

#[test]
fn filters_hold_before_the_cut_and_are_told_back() {
    let snapshot = snapshot(&journal(), &[], &[]);
    let text = "deadline after:2026-09";
    let found = run(&snapshot, &ask(text));
    assert_eq!(ids(&found), ["kick"]);
    assert_eq!(found.understood.iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(), ["after:2026-09"]);
    let beside = Search { filters: vec!["after:2026-09".into()], ..ask("deadline") };
    assert_eq!(ids(&run(&snapshot, &beside)), ["kick"]);
    assert!(run(&snapshot, &beside).understood.is_empty());
}

#[test]
fn filters_alone_list_the_newest_first() {
    let snapshot = snapshot(&journal(), &[], &[]);
    let of = |text| {
        let found = run(&snapshot, &ask(text));
        (ids(&found).into_iter().map(str::to_owned).collect::<Vec<_>>().join(" "), found.total)
    };
    assert_eq!(of("tag:work"), ("kick knot".into(), 2));
    assert_eq!(of("tag:WORK tag:\"project x\""), ("knot".into(), 1), "all tags");
    assert_eq!(of("mood:stressed mood:relieved"), ("pho knot".into(), 2), "any mood");
    assert_eq!(of("-mood:stressed has:mood"), ("pho".into(), 1));
    assert_eq!(of("on:2026-09-14"), ("walk knot".into(), 2));
    assert_eq!(of("on:2026-09-14 on:2026-11-19"), ("plain walk knot".into(), 3));
    let many = |key: &str| (0..70).map(|nth| format!("{key}:x{nth} ")).collect::<String>();
    let (moods, tags) = (many("mood") + "mood:stressed", many("-tag") + "-tag:work has:tag");
    assert_eq!(of(&moods), ("knot".into(), 1), "however many");
    assert_eq!(of(&tags).1, 0, "however many are excluded");
    assert_eq!(of("from:2026-09-20 to:2026-10"), ("kick pho".into(), 2));
    assert_eq!(of("is:starred"), ("plain".into(), 1));
    assert_eq!(of("-deadline"), ("plain pho walk".into(), 3));
    assert_eq!(of("").1, 5);
    let first = run(&snapshot, &Search { limit: 2, ..ask("") });
    assert_eq!((ids(&first), first.total), (vec!["plain", "kick"], 5));
}

#[test]
fn a_query_of_an_invalid_filter_alone_finds_nothing_and_says_why() {
    let snapshot = snapshot(&journal(), &[], &[]);
    let found = run(&snapshot, &ask("from:soonish"));
    assert_eq!((found.hits.len(), found.total, found.confident), (0, 0, false));
    assert!(found.notice.is_some_and(|notice| notice.contains("soonish")));
    let typed = run(&snapshot, &Search { typing: true, ..ask("from:soonish") });
    assert_eq!(typed.total, 5, "while it is typed, nothing is taken away");
    assert_eq!(run(&snapshot, &ask("from:soonish tag:work")).total, 2);
}

#[test]
fn phrases_and_exclusions_bind_every_leg() {
    let snapshot = snapshot(&journal(), &[], &[]);
    assert_eq!(ids(&run(&snapshot, &ask("\"the deadline\" -knot"))), ["kick"]);
    assert_eq!(ids(&run(&snapshot, &ask("\"deadline the\""))), [] as [&str; 0]);
    assert_eq!(ids(&run(&snapshot, &ask("Hùng -deadline"))), [] as [&str; 0], "the graph knows Hùng too");
    let hit = &run(&snapshot, &ask("\"moved the deadline\"")).hits[0];
    assert_eq!((hit.weak, &hit.reason.words[..]), (false, &["moved the deadline".to_owned()][..]));
}

#[test]
fn a_title_that_stands_nowhere_so_is_searched_as_words_where_the_question_has_others() {
    let entries = journal();
    let snapshot = snapshot(&entries, &[], &[]);
    let found = run(&snapshot, &ask("who spoke of \"the deadline moving\""));
    assert!(found.hits.iter().any(|hit| hit.text.contains("deadline")), "{:?}", ids(&found));
    assert!(found.notice.is_some_and(|notice| notice.contains("“the deadline moving” word for word")));
    // A phrase alone is exact, and so is one that occurs somewhere.
    let found = run(&snapshot, &ask("\"the deadline moving\""));
    assert_eq!((found.hits.len(), found.notice), (0, None));
    let with_filter = run(&snapshot, &ask("who \"the deadline moving\" to:1999"));
    assert_eq!(with_filter.hits.len(), 0, "filters hold");
    // A phrase that occurs somewhere is required, even if the filters leave no match.
    let found = run(&snapshot, &ask("work \"old knot\" to:1999"));
    assert_eq!((found.hits.len(), found.notice), (0, None));
}

#[test]
fn what_was_just_saved_is_found_and_wins_over_its_older_state() {
    let mut entries = journal();
    let stale = entries.remove(0);
    let fresh = Entry { body: "Now it is about a dragon.".into(), ..stale.clone() };
    let snapshot = snapshot(&entries, &[fresh], &[stale]);
    assert_eq!(ids(&run(&snapshot, &Search { legs: BY_WORD, ..ask("dragon") })), ["knot"]);
    assert_eq!(run(&snapshot, &ask("dragon")).hits[0].text, "Now it is about a dragon.");
    assert_eq!(ids(&run(&snapshot, &ask("knot"))), [] as [&str; 0]);
    assert_eq!(ids(&run(&snapshot, &ask("on:2026-09-14"))), ["walk", "knot"]);
    assert_eq!(run(&snapshot, &ask("on:2026-09-14")).hits[1].text, "Now it is about a dragon.");
}

#[test]
fn what_was_never_written_has_no_confident_hit() {
    let snapshot = snapshot(&journal(), &[], &[]);
    let found = run(&snapshot, &ask("quantum chromodynamics"));
    assert!(found.hits.is_empty() && !found.confident && found.notice.is_none());
    let found = run(&snapshot, &ask("deadline of the submarine lighthouse expedition"));
    assert!(!found.confident && found.hits.iter().all(|hit| hit.weak) && !found.hits.is_empty());
}

#[test]
fn a_question_about_a_day_alone_is_surely_answered_by_what_was_written_then() {
    let entries = [
        entry("walk", "2026-03-01", 0, "Fog over the river, a long walk."),
        entry("kiln", "2026-03-02", 0, "The kiln cracked."),
        entry("soup", "2026-03-03", 0, "Soup with the neighbours."),
    ];
    let snapshot = snapshot(&entries, &[], &[]);
    for asked in [
        "what happened on March 2nd, 2026?",
        "what did I do on 2 March 2026",
        "entry for 2 Mar 2026",
        "2026-03-02",
        "chuyện gì xảy ra ngày 2/3/2026",
    ] {
        let found = run(&snapshot, &ask(asked));
        assert_eq!((ids(&found)[0], found.confident), ("kiln", true), "{asked}");
        assert!(found.hits[1..].iter().all(|hit| hit.weak), "{asked}");
    }
    let found = run(&snapshot, &ask("did the submarine sink on 2 March 2026"));
    assert!(!found.confident, "nothing of that day says so");
}

#[test]
fn entries_with_the_mood_that_is_the_query_are_strong() {
    let mood = |entry: Entry, mood: &str| Entry { mood: Some(mood.into()), ..entry };
    let entries = [
        entry("a", "2026-09-14", 0, "So tired that I poured tea into the sugar. Tired, tired."),
        mood(entry("b", "2026-09-15", 0, "Walked home the long way, along the lake."), "tired"),
        mood(entry("c", "2026-09-16", 0, "Rowed on the lake in the fog."), "calm"),
    ];
    let found = run(&snapshot(&entries, &[], &[]), &ask("tired"));
    let weak = |id: &str| found.hits.iter().find(|hit| hit.id == EntryId::from(id)).is_none_or(|hit| hit.weak);
    assert!(found.confident && !weak("b") && weak("c"));
}

#[test]
fn who_asks_for_the_last_time_is_shown_the_newest_of_what_surely_matches() {
    let happy = |id: &str, day: &str, body: &str| Entry { mood: Some("happy".into()), ..entry(id, day, 0, body) };
    let entries = [
        happy("old", "2026-03-01", "So happy, happy all day, happy about the cello."),
        happy("new", "2026-09-05", "Played the minuet."),
        entry("other", "2026-10-01", 0, "The last of the leeks."),
    ];
    let snapshot = snapshot(&entries, &[], &[]);
    assert_eq!(ids(&run(&snapshot, &ask("when was I happy")))[0], "old");
    assert_eq!(ids(&run(&snapshot, &ask("when was I last happy")))[..2], ["new", "old"]);
}

#[test]
fn weak_hits_stand_below_the_others() {
    let snapshot = snapshot(&journal(), &[], &[]);
    let found = run(&snapshot, &Search { legs: BY_WORD, ..ask("felt the old knot") });
    assert_eq!(ids(&found), ["knot", "pho"]);
    assert_eq!(found.hits.iter().map(|hit| hit.weak).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_name_is_a_filter_where_it_is_known_and_words_where_not() {
    let mut entries = journal();
    entries[2].body.push_str(" With @Linh again.");
    let snapshot = snapshot(&entries, &[], &[]);
    let found = run(&snapshot, &ask("person:linh"));
    assert_eq!((ids(&found), &found.notice), (vec!["pho"], &None));
    let found = run(&snapshot, &Search { legs: BY_WORD, ..ask("person:Fog") });
    assert_eq!(ids(&found), ["walk"]);
    assert!(found.notice.is_some_and(|notice| notice.contains("Fog") && notice.contains("words")));
    assert!(found.understood.is_empty());
}

#[test]
fn the_first_hits_do_not_depend_on_how_many_are_asked_for() {
    let entries: Vec<_> = (0..50)
        .map(|n| entry(&format!("e{n}"), "2026-03-01", n, if n % 3 == 0 { "tea and rain" } else { "tea alone today" }))
        .collect();
    let snapshot = snapshot(&entries, &[], &[]);
    let all = run(&snapshot, &ask("rain tea"));
    let few = run(&snapshot, &Search { limit: 5, ..ask("rain tea") });
    assert_eq!(ids(&few), ids(&all)[..5]);
    assert_eq!((few.total, all.total), (50, 50));
    assert_eq!(ids(&all)[0], "e48", "equal scores: the later one first");
}

#[test]
fn a_cancelled_search_gives_nothing() {
    let snapshot = snapshot(&journal(), &[], &[]);
    assert!(search::search(&snapshot, None, &ask("knot"), &|| true).unwrap().is_none());
    let asked = ask("knot");
    assert_eq!(ids(&search::PreparedSearch::new(&snapshot, &asked).unwrap().by_words().unwrap()), ["knot"]);
}

#[test]
fn no_text_makes_a_search_fail() {
    let snapshot = snapshot(&journal(), &[], &[]);
    for text in
        ["\"", "-", "mood:", "it's 5:30pm (x", "person:", "\"unclosed phra", "a AND OR +", "🎉", "怀孕", "!!!", "-\"x"]
    {
        for typing in [false, true] {
            let _ = run(&snapshot, &Search { typing, ..ask(text) });
        }
    }
}

#[test]
fn filters_alone_know_every_day_that_passes_however_few_hits_are_asked_for() {
    let mut entries: Vec<Entry> = (1..=9)
        .flat_map(|day| [0, 1].map(|nth| entry(&format!("{day}-{nth}"), &format!("2026-03-0{day}"), nth, "Rain.")))
        .collect();
    for entry in &mut entries {
        entry.mood = (entry.place.position == 0 || entry.day.day() == 9).then(|| "calm".to_owned());
    }
    let snapshot = snapshot(&entries, &[], &[]);
    let found =
        |text: &str| search::search(&snapshot, None, &Search { limit: 2, ..ask(text) }, &|| false).unwrap().unwrap();
    let calm = found("mood:calm");
    assert_eq!((calm.hits.len(), calm.total, calm.days.len()), (2, 10, 9));
    assert_eq!(calm.days[0], (civil::date(2026, 3, 9), 2));
    assert_eq!(calm.days[8], (civil::date(2026, 3, 1), 1));
    assert!(found("mood:calm rain").days.is_empty(), "where words are looked for, the hits say it");
}

/// A question and, a minute later, its answer, which shares no word with it; and more other entries with a word of
/// the query than any leg returns.
fn asked_and_answered(root: &Path) -> Session {
    let vault = Vault::open(options(root).vault).unwrap();
    let write = |time: String, body: String| {
        vault.append(NewEntry { time: Some(at(&time)), body, ..NewEntry::default() }).unwrap();
    };
    for number in 0..130 {
        let day = civil::date(2026, 1, 1) + number.days();
        write(format!("{day}T09:00:00Z"), format!("River walk number {number}."));
    }
    write("2026-09-14T18:00:00Z".to_owned(), "Did you see the heron at the river?".to_owned());
    write("2026-09-14T18:01:00Z".to_owned(), "Yes, grey, still as a post.".to_owned());
    write("2026-09-14T23:59:00Z".to_owned(), "Slept early.".to_owned());
    let mut session = Session::open(options(root)).unwrap();
    session.sync(true, &mut |_| true).unwrap();
    session
}

#[test]
fn what_stands_beside_a_good_hit_comes_in_below_the_line_and_says_why() {
    let home = tempfile::tempdir().unwrap();
    let mut session = asked_and_answered(home.path());
    let mut answer = |search: Search| {
        let found = session.search(&search).unwrap();
        found.hits.into_iter().find(|hit| hit.text.starts_with("Yes, grey"))
    };
    let hit = answer(ask("heron river")).expect("it stands beside the best");
    assert_eq!(hit.legs, Default::default(), "no leg found it");
    assert!(hit.reason.beside > 0.0 && hit.reason.words.is_empty() && hit.reason.path.is_empty());
    // The keyword leg alone finds only entries with the words, and excluded entries stay excluded.
    assert!(answer(Search { legs: BY_WORD, ..ask("heron river") }).is_none());
    assert!(answer(ask("heron river -grey")).is_none() && answer(ask("heron \"the river\"")).is_none());
    assert!(answer(ask("heron river to:2026-09-13")).is_none());
    assert!(answer(Search { fusion: Fusion::RANKS, ..ask("heron river") }).is_none());
}

#[test]
fn who_asks_is_shown_what_tells_before_what_asks() {
    let asked = entry("asked", "2026-09-14", 0, "Where shall we plant the pear tree?");
    let told = entry("told", "2026-10-02", 0, "We did plant the pear tree by the well.");
    let answer = entry("answer", "2026-09-14", 1, "By the wall, said Linh.");
    let other = entry("other", "2026-09-20", 0, "Plant catalogue came.");
    let snapshot = snapshot(&[asked, told, answer, other], &[], &[]);
    let question = run(&snapshot, &ask("where did we plant the pear tree"));
    let place = |id| ids(&question).iter().position(|found| *found == id).unwrap();
    assert!(place("told") < place("asked"));
    assert!(place("answer") < place("asked"), "what follows a question answers it: {:?}", ids(&question));
    let reason = |found: &Found, id: &str| found.hits.iter().find(|hit| hit.id.as_str() == id).unwrap().reason.clone();
    assert!(reason(&question, "asked").asks > 0.0 && reason(&question, "told").asks == 0.0);
    // A query of plain words is no question: the shorter text ranks first.
    let words = run(&snapshot, &ask("plant pear tree"));
    assert_eq!(ids(&words)[0], "asked");
    assert_eq!(reason(&words, "asked").asks, 0.0);
}

#[test]
fn a_word_is_found_in_its_irregular_forms() {
    let snapshot = snapshot(&[entry("bike", "2026-09-14", 0, "Bought the blue bike from Tom.")], &[], &[]);
    let found = run(&snapshot, &ask("buy a bike"));
    assert_eq!(found.hits[0].reason.words, ["Bought", "bike"]);
}

#[test]
fn who_asks_when_is_shown_what_says_when() {
    let entries = [
        entry("said", "2026-09-14", 0, "The boiler broke on 3 September and the man came, at last."),
        entry("unsaid", "2026-10-02", 0, "The boiler broke and the man came, we paid at last."),
        entry(
            "other",
            "2026-10-09",
            0,
            "A long letter from the bank about the price of a new boiler, which I did not read.",
        ),
    ];
    let snapshot = snapshot(&entries, &[], &[]);
    let asked = run(&snapshot, &ask("when did the boiler break"));
    assert_eq!(ids(&asked)[..2], ["said", "unsaid"]);
    assert!(asked.hits[0].reason.tells_when > 0.0 && asked.hits[1].reason.tells_when == 0.0);
    assert_eq!(ids(&run(&snapshot, &ask("boiler broke")))[0], "unsaid");
}

#[test]
fn without_a_model_what_stands_beside_comes_in_too_unless_the_search_is_narrowed_to_words_or_names() {
    let snapshot = snapshot(&journal(), &[], &[]);
    let found = run(&snapshot, &ask("the old knot"));
    assert_eq!(ids(&found), ["knot", "walk"], "written a minute later; shares no word with the query");
    let beside = &found.hits[1];
    assert!(beside.weak && beside.legs == Default::default() && beside.reason.beside > 0.0);
    let with = |legs, text: &str| run(&snapshot, &Search { legs, ..ask(text) }).hits.len();
    assert_eq!(with(BY_WORD, "the old knot"), 1, "by word: what holds the word");
    assert_eq!(
        with(Legs::ALL.set(LegId::Vector, false), "the old knot"),
        2,
        "the meaning leg left out is as good as none"
    );
    assert_eq!(with(Legs::ALL, "\"old knot\""), 1, "a phrase is meant as it stands");
    assert_eq!(with(Legs::ALL, "old knot -fog"), 1);
    assert_eq!(with(Legs::ALL, "submarine"), 0, "beside nothing stands nothing");
}

#[test]
fn being_ill_is_looked_for_and_i_will_is_not() {
    let entries = [
        entry("ill", "2026-01-01", 0, "Felt ill since the morning."),
        entry("will", "2026-01-02", 0, "I'll write to Linh since the morning is free. We’ll see."),
        entry("well", "2026-01-03", 0, "The well behind the house."),
    ];
    let snapshot = snapshot(&entries, &[], &[]);
    assert_eq!(ids(&run(&snapshot, &ask("when was I ill"))), ["ill"]);
    assert_eq!(ids(&run(&snapshot, &ask("ill in the morning")))[0], "ill");
    assert_eq!(ids(&run(&snapshot, &ask("well"))), ["well"], "not we'll");
    for text in ["ill be home", "I'll be home", "I’ll be home"] {
        assert!(!ids(&run(&snapshot, &ask(text))).contains(&"ill"), "{text}");
    }
}

#[test]
fn a_word_that_english_has_is_no_slip_for_another() {
    let entries = [entry("carrot", "2026-01-01", 0, "Grated a carrot."), entry("knot", "2026-01-02", 0, "Umbrellas.")];
    let snapshot = snapshot(&entries, &[], &[]);
    assert_eq!(ids(&run(&snapshot, &ask("parrot"))), [] as [&str; 0]);
    assert_eq!(ids(&run(&snapshot, &ask("carrrot"))), ["carrot"], "a slip is forgiven");
}
