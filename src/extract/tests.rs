use std::sync::Arc;

use jiff::{Timestamp, civil::date};
use proptest::prelude::*;

use super::*;
use crate::journal::{BodyHash, EntryTime, Place};

/// `source -> target` of every stated cause, in text order.
pub(super) fn causes(text: &str) -> Vec<String> {
    let relations = extract_by_rule(text, jiff::civil::date(2026, 3, 2)).relations.into_iter();
    let causal = relations.filter(|told| told.kind == RelationKind::Causal);
    causal.map(|told| format!("{} -> {}", told.source, told.target)).collect()
}

pub(super) fn entry(body: &str) -> Entry {
    Entry {
        id: "a".into(),
        time: EntryTime { written: "2026-02-22T15:30:00+07:00".into(), at: Timestamp::UNIX_EPOCH, offset_seconds: 0 },
        day: date(2026, 2, 22),
        mood: None,
        tags: Vec::new(),
        event_time: None,
        body: body.into(),
        hash: BodyHash::of(body.as_bytes()),
        extra: Vec::new(),
        place: Place { file: Arc::from("2026-02-22.md"), position: 0, bytes: 0..0 },
    }
}

/// The capitalised and marked names: `name` where it is certain, `name?` where it only may be one, `P:name` for a person.
fn read(body: &str) -> Vec<String> {
    let extract = extract(&entry(body));
    let mention = |mention: &Mention| {
        let kind = mention.kind.map_or(String::new(), |kind| format!("{}:", kind.letter()));
        let doubt = if mention.source == MentionSource::SentenceStart { "?" } else { "" };
        format!("{kind}{}{doubt}", mention.name)
    };
    let names = extract.mentions.iter();
    let is_read = |m: &&Mention| {
        !m.source.is_ordinary() && !matches!(m.source, MentionSource::LowerCase | MentionSource::Unaccented)
    };
    names.filter(is_read).map(mention).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn names_inside_a_sentence() {
    assert_eq!(read("Today I met Hùng about Project X."), ["Hùng", "Project X"]);
    assert_eq!(read("I flew from Hà Nội to Đà Lạt with Nguyễn Văn An."), ["Hà Nội", "Đà Lạt", "Nguyễn Văn An"]);
    assert_eq!(
        read("we read Ludwig van Beethoven's letters at the Bank of America"),
        ["Ludwig van Beethoven", "Bank of America"]
    );
    assert_eq!(
        read("saw O'Brien, Jean-Paul and J. K. Rowling at Barnes & Noble"),
        ["O'Brien", "Jean-Paul", "J. K. Rowling", "Barnes & Noble"]
    );
    assert_eq!(read("with **Linh** and _Mai  Anh_"), ["Linh", "Mai Anh"]);
    assert_eq!(read("lunch with Linh's Toyota"), ["Linh", "Toyota"]);
    assert_eq!(read("went to Men's Shed with Tom's Honda"), ["Men's Shed", "Tom", "Honda"]);
    assert_eq!(read("we met at St. James on Mt. Fuji"), ["St. James", "Mt. Fuji"]);
    assert_eq!(read("gặp Hu\u{300}ng ở quán"), ["Hùng"], "decomposed accents");
    assert_eq!(read("встретил Анну в Москве"), ["Анну", "Москве"]);
}

#[test]
fn a_capital_that_the_sentence_asks_for_is_only_a_candidate() {
    assert_eq!(read("Lake came late. Đông too."), ["Lake?", "Đông?"]);
    assert_eq!(read("Linh came late. Hùng too."), ["Linh", "Hùng"], "what is no ordinary word needs no asking");
    assert_eq!(read("Thanked Linh for it"), ["Thanked Linh?", "Linh"]);
    assert_eq!(read("She said: Sushi is fun. \"Ramen\" (Bún) - Milk"), ["Sushi?", "Ramen?", "Bún?", "Milk"]);
    assert_eq!(read("Met Linh at noon"), ["Linh"], "the first word is known to be none");
    assert_eq!(read("- Sushi\n- more sushi"), NONE, "the entry has it in lower case");
    assert_eq!(read("# Notes From The Long Winter Trek"), ["Long Winter Trek?", "Winter Trek?"]);
}

#[test]
fn what_is_written_with_a_capital_but_names_nothing() {
    assert_eq!(read("then I'm off on Monday, in March, to my English class, says I"), NONE);
    assert_eq!(read("I am SO HAPPY today. THIS IS GREAT. we did NOT go"), NONE);
    assert_eq!(read("watched TV and wrote a PDF"), NONE);
    assert_eq!(read("the French Revolution"), ["French Revolution"]);
    assert_eq!(read("a talk at NASA about it"), ["NASA"]);
    assert_eq!(read("hôm nay đi làm, mệt"), NONE);
    assert_eq!(read("Didn't recognise G. Knew me by voice. Sat with G. Walked home."), ["Knew?"]);
    assert_eq!(read("met G. Reed and J. Brown"), ["G. Reed", "J. Brown"]);
}

#[test]
fn a_title_says_that_a_person_follows() {
    assert_eq!(read("I saw Dr. Chen and aunt Rose"), ["P:Chen", "P:Rose"]);
    assert_eq!(read("Dr. Chen called"), ["P:Chen"]);
    assert_eq!(read("hôm qua gặp anh Hùng và chị Lan"), ["P:Hùng", "P:Lan"]);
    assert_eq!(read("Anh Hùng đến"), ["P:Hùng"]);
    assert_eq!(read("đi với Hoàng Anh"), ["Hoàng Anh"]);
}

#[test]
fn marks_and_heads() {
    let mut entry = entry("with @Linh's brother at [[Hồ Gươm|the lake]] #walk. mail a@B.com");
    entry.mood = Some("calm, tired/3".into());
    entry.tags = vec!["#work".into(), " ".into()];
    let extract = extract(&entry);
    let shown: Vec<_> = extract
        .mentions
        .iter()
        .map(|m| (m.name.as_str(), m.kind, m.source, &entry.body[m.span.start as usize..m.span.end as usize]))
        .collect();
    assert_eq!(
        shown,
        [
            ("calm", Some(EntityKind::Emotion), MentionSource::Mood, ""),
            ("tired", Some(EntityKind::Emotion), MentionSource::Mood, ""),
            ("work", Some(EntityKind::Topic), MentionSource::Tag, ""),
            ("Linh", Some(EntityKind::Person), MentionSource::At, "@Linh"),
            ("Hồ Gươm", None, MentionSource::Link, "[[Hồ Gươm|the lake]]"),
            ("walk", Some(EntityKind::Topic), MentionSource::Tag, "#walk"),
        ]
    );
}

#[test]
fn nothing_in_code_or_addresses_is_read() {
    assert_eq!(read("`@Linh` and `#tag` see https://a.b/Hùng#x ok\n```\njoy:: [[Mai]]\n[[A]] @b\n```\n"), NONE);
}

#[test]
fn fields_state_relations_with_their_line_as_evidence() {
    let body = "mood:: stressed\ntrigger:: [[Deadline]], [[Sếp]]\nwith:: [[Linh]]\nlikes:: [[Tea]]\n[[Linh]] teaches:: [[Mai]]\njoy:: [[Bún chả]]\n";
    let mut entry = entry(body);
    entry.mood = Some("sad".into());
    let extract = extract(&entry);
    let shown: Vec<_> = extract
        .relations
        .iter()
        .map(|r| {
            format!(
                "{} {} {} {:?}: {}",
                r.source,
                r.verb,
                r.target,
                r.kind,
                &body[r.evidence.start as usize..r.evidence.end as usize]
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Deadline trigger sad Causal: trigger:: [[Deadline]], [[Sếp]]",
            "Deadline trigger stressed Causal: trigger:: [[Deadline]], [[Sếp]]",
            "Sếp trigger sad Causal: trigger:: [[Deadline]], [[Sếp]]",
            "Sếp trigger stressed Causal: trigger:: [[Deadline]], [[Sếp]]",
            "Linh with sad Involves: with:: [[Linh]]",
            "Linh with stressed Involves: with:: [[Linh]]",
            "Linh teaches Mai Topical: [[Linh]] teaches:: [[Mai]]",
            "Bún chả joy joy Emotional: joy:: [[Bún chả]]",
        ]
    );
    let names: Vec<_> = extract.mentions.iter().map(|m| (m.name.as_str(), m.kind)).collect();
    assert!(names.contains(&("Tea", None)), "a free verb without a subject names, but connects nothing");
    assert!(names.contains(&("Linh", Some(EntityKind::Person))), "whoever is with you is a person");
    assert!(names.contains(&("joy", Some(EntityKind::Emotion))));
}

/// Clause, mark, word that joins, word that weakens, what gives the cause, clause, end: each may be missing.
fn sentence() -> impl Strategy<Value = String> {
    const CLAUSE: [&str; 12] = [
        "",
        "I was sad",
        "it hurt",
        "Linh left",
        "the kiln broke",
        "my boss was angry yesterday",
        "rain",
        "@Ann",
        "tôi buồn",
        "trời mưa",
        "that",
        "not",
    ];
    const JOINS: [&str; 7] = ["", "but", "and", "or", "though", "which", "nhưng"];
    const WEAKENS: [&str; 8] = ["", "only", "just", "not", "maybe", "mostly", "never", "chỉ"];
    const GIVES: [&str; 18] = [
        "",
        "because",
        "because of",
        "so",
        "so that",
        "since",
        "made me",
        "thanks to",
        "due to",
        "for fear of",
        "after",
        "before",
        "which is why",
        "from",
        "vì",
        "nên",
        "nhờ",
        "khiến",
    ];
    let one = |of: &'static [&'static str]| prop::sample::select(of);
    let clause = || one(&CLAUSE);
    let marks = (one(&["", ",", " —", ";", "("]), one(&[".", "?", "\n", "", ")", "…"]));
    (clause(), marks, one(&JOINS), one(&WEAKENS), one(&GIVES), clause()).prop_map(
        |(first, (mark, end), joins, weakens, gives, second)| {
            format!("{first}{mark} {joins} {weakens} {gives} {second}{end} ").replace("  ", " ")
        },
    )
}

proptest! {
    #[test]
    fn any_text_is_read_with_spans_on_character_boundaries(body in "(\\PC|[\n#@\\[\\]`'’: A-ZĐÀ]){0,120}") {
        let extract = extract(&entry(&body));
        for span in extract.mentions.iter().map(|m| &m.span).chain(extract.relations.iter().map(|r| &r.evidence)) {
            prop_assert!(body.get(span.start as usize..span.end as usize).is_some());
        }
    }

    #[test]
    fn clauses_joined_in_any_way(sentences in prop::collection::vec(sentence(), 1..5)) {
        let body = sentences.concat();
        let extract = extract(&entry(&body));
        for relation in &extract.relations {
            for span in
                [&relation.evidence, &relation.effect, &relation.cause, &relation.clauses[0], &relation.clauses[1]]
            {
                prop_assert!(body.get(span.start as usize..span.end as usize).is_some());
            }
        }
    }

    #[test]
    fn pieces_of_marks_in_any_order(parts in prop::collection::vec(prop::sample::select(vec![
        "[[", "]]", "|", "joy::", "[[Linh]]", ",", "\n", " ", "mood::", "calm", "#", "@", "Hùng", "'s", "’", ".", "`", "```", "http://", "A", "of",
        "the", "Dr", "anh", "&", "Đ", "e\u{301}", "-", "/4", "tags::", "://", "x@y.z", "\r\n", "!",
    ]), 0..24)) {
        let body = parts.concat();
        let extract = extract(&entry(&body));
        for mention in &extract.mentions {
            prop_assert!(body.get(mention.span.start as usize..mention.span.end as usize).is_some());
            prop_assert!(!mention.name.is_empty());
        }
        for relation in &extract.relations {
            let line = body.get(relation.evidence.start as usize..relation.evidence.end as usize);
            prop_assert!(line.is_some_and(|line| line.contains("::") && !line.contains('\n')));
        }
    }
}

#[test]
#[ignore = "measures speed: run alone, optimised"]
fn speed() {
    let sentence =
        "Today I met Hùng and his sister at Lotte Mall, then we took the bus 32 to Hồ Tây for coffee with @Linh. ";
    let body =
        format!("{}It rained, so the #walk with [[Mai]] was short and I went home early to read.", sentence.repeat(3));
    let entry = entry(&body);
    let start = std::time::Instant::now();
    let rounds = 20_000;
    let mentions: usize = (0..rounds).map(|_| std::hint::black_box(extract(&entry)).mentions.len()).sum();
    let took = start.elapsed();
    println!(
        "{} words, {} mentions: {:.1} µs an entry",
        body.split_whitespace().count(),
        mentions / rounds,
        took.as_secs_f64() * 1e6 / f64::from(rounds as u32)
    );
}
