use super::*;
use crate::embed::{TableEncoder, testing::HashEncoder};

const SUBJECTS: [&str; 6] = ["river", "bicycle", "teacher", "garden", "train", "letter"];
const DEEDS: [&str; 6] =
    ["floods slowly", "squeals loudly", "laughs again", "smells sweet", "arrives late", "says nothing"];

/// Subjects and what they do, always together: what a text is about can be learned from either.
fn corpus() -> Corpus {
    let mut corpus = Corpus::default();
    for round in 0..40 {
        for (at, subject) in SUBJECTS.iter().enumerate() {
            let word = ["the", "a", "this", "that"][round % 4];
            corpus.add(&format!("{word} {subject} {}\n{word} {subject}", DEEDS[at]));
        }
    }
    corpus
}

fn recipe() -> Recipe {
    Recipe {
        name: "toy".to_owned(),
        licence: Some("none".to_owned()),
        rows: 120,
        dimension: 16,
        texts: 400,
        epochs: 12,
        seed: 1,
    }
}

fn made(recipe: &Recipe, out: &Path) -> Distilled {
    distill(&HashEncoder::new(64), &corpus(), recipe, out, &mut |_| true).unwrap()
}

fn bytes(out: &Path) -> Vec<Vec<u8>> {
    [table::WEIGHTS, table::VOCABULARY, table::CARD].map(|name| fs::read(out.join(name)).unwrap()).into()
}

#[test]
fn a_table_learns_what_its_teacher_knows() {
    let dir = tempfile::tempdir().unwrap();
    let distilled = made(&recipe(), dir.path());
    assert!(distilled.losses[11] < distilled.losses[0] && distilled.losses[11] < 0.2, "{:?}", distilled.losses);
    assert!(distilled.kept > 0.9 && distilled.texts == 400, "{distilled:?}");
    let encoder = TableEncoder::load(dir.path()).unwrap();
    assert_eq!(encoder.stamp(), &distilled.card.stamp());
    let embed = |text: &str| encoder.embed(&[text]).unwrap().remove(0);
    let like = |a: &str, b: &str| -> f32 { embed(a).iter().zip(embed(b)).map(|(x, y)| x * y).sum() };
    for (at, subject) in SUBJECTS.iter().enumerate() {
        let own = like(subject, &format!("that {subject} {}", DEEDS[at]));
        let other = like(subject, &format!("that {} {}", SUBJECTS[(at + 1) % 6], DEEDS[(at + 1) % 6]));
        assert!(own > 0.5 && own > other + 0.3, "{subject}: {own} {other}");
    }
    assert!(embed("voiture rouge").iter().all(|x| *x == 0.0));
}

#[test]
fn the_same_inputs_give_the_same_bytes_and_another_seed_gives_others() {
    let [first, second, other] = [0, 1, 2].map(|_| tempfile::tempdir().unwrap());
    made(&recipe(), first.path());
    made(&recipe(), second.path());
    assert_eq!(bytes(first.path()), bytes(second.path()));
    made(&Recipe { seed: 2, ..recipe() }, other.path());
    assert_ne!(bytes(other.path())[0], bytes(first.path())[0]);
}

#[test]
fn stopped_at_any_step_it_goes_on_to_the_same_bytes() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    made(&recipe(), whole.path());
    let mut stops = 0;
    for step in ["teacher, pieces", "teacher, texts"] {
        let stopped = distill(&HashEncoder::new(64), &corpus(), &recipe(), parts.path(), &mut |p| p.what != step);
        stops += usize::from(stopped.is_err());
    }
    assert_eq!(stops, 2);
    made(&recipe(), parts.path());
    assert_eq!(bytes(whole.path()), bytes(parts.path()));
}

#[test]
fn a_corpus_of_nothing_makes_no_model() {
    let dir = tempfile::tempdir().unwrap();
    let error = distill(&HashEncoder::new(8), &Corpus::default(), &recipe(), dir.path(), &mut |_| true).unwrap_err();
    assert!(error.to_string().contains("corpus"), "{error}");
    assert!(!dir.path().join(table::CARD).exists());
}

#[test]
fn a_corpus_with_accents_keeps_its_words() {
    let dir = tempfile::tempdir().unwrap();
    let mut corpus = Corpus::default();
    corpus.add(&"tôi uống cà phê\nmẹ đi chợ\n".repeat(50));
    let made = distill(&HashEncoder::new(16), &corpus, &Recipe { dimension: 8, ..recipe() }, dir.path(), &mut |_| true);
    assert!(made.unwrap().card.accents);
    let encoder = TableEncoder::load(dir.path()).unwrap();
    assert!(encoder.embed(&["Mẹ uống cà phê"]).unwrap()[0].iter().any(|x| *x != 0.0));
}

/// The toy corpus and its words in an invented spelling of Vietnamese syllables.
fn toy_pairs() -> Vec<pairs::Pair> {
    let syllables = ["sông dài", "xe đạp", "cô giáo", "khu vườn", "đoàn tàu", "lá thư"];
    let deeds = ["ngập chậm", "kêu to", "cười nữa", "thơm ngọt", "đến muộn", "im lặng"];
    let all = (0..6).flat_map(|subject| (0..6).map(move |deed| (subject, deed)));
    let pair = |(subject, deed): (usize, usize)| pairs::Pair {
        english: format!("the {} {}", SUBJECTS[subject], DEEDS[deed]),
        vietnamese: format!("{} {}", syllables[subject], deeds[deed]),
    };
    all.map(pair).cycle().take(144).collect()
}

fn paired(base: &Path, out: &Path, of_teacher: f32) -> pairs::Paired {
    let recipe = pairs::PairRecipe {
        name: "toy-vi".to_owned(),
        licence: None,
        dimension: 12,
        syllables: 100,
        words: 100,
        unaccented: 100,
        of_teacher,
        seed: 1,
    };
    pairs::distill_pairs(base, &HashEncoder::new(64), &toy_pairs(), &corpus(), &recipe, out, &mut |_| true).unwrap()
}

#[test]
fn pairs_teach_a_table_another_language() {
    let [base, out, again] = [0, 1, 2].map(|_| tempfile::tempdir().unwrap());
    made(&recipe(), base.path());
    for of_teacher in [0.0, 0.5] {
        let made = paired(base.path(), out.path(), of_teacher);
        assert!(made.losses.iter().all(|losses| losses[7] < losses[0]), "{:?}", made.losses);
        paired(base.path(), again.path(), of_teacher);
        assert_eq!(bytes(out.path()), bytes(again.path()));
        let encoder = TableEncoder::load(out.path()).unwrap();
        let embed = |text: &str| encoder.embed(&[text]).unwrap().remove(0);
        let like = |a: &str, b: &str| -> f32 { embed(a).iter().zip(embed(b)).map(|(x, y)| x * y).sum() };
        for written in ["cô giáo cười nữa", "co giao cuoi nua"] {
            let own = like(written, "the teacher laughs again");
            assert!(own > 0.5 && own > like(written, "the train arrives late") + 0.3, "{written}: {own}");
        }
    }
}

#[test]
fn held_out_pairs_share_no_text_with_the_rest() {
    let (rest, held) = pairs::hold_out(toy_pairs(), 3, 1);
    assert_eq!(held.len(), 3);
    assert!(rest.len() < 141 && rest.iter().all(|pair| held.iter().all(|other| other.english != pair.english)));
    let read = pairs::Pair::read_lines("# a comment\nTea\tTrà\ttatoeba\nno tab\n\tx\n");
    assert_eq!(read, [pairs::Pair { english: "Tea".to_owned(), vietnamese: "Trà".to_owned() }]);
}
