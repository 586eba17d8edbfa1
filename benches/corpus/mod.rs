//! Journals of any size from a seed: people, places and projects that come back, a common vocabulary with a long
//! tail, several entries a day, some of them in Vietnamese or Japanese. The same seed gives the same bytes.
//!
//! The sentences say nothing true about anybody; only their shape matters: about 60 words an entry, words and names
//! falling off as in real writing (rank r about 1/r as often as the first).

use std::{collections::BTreeMap, fs, path::Path};

use jiff::{ToSpan, civil};

/// Seed of every measurement, so that figures of two days can be compared.
pub const SEED: u64 = 20_260_831;

/// The last day of every corpus.
const LAST: civil::Date = civil::date(2026, 8, 31);

const PEOPLE: [&str; 24] = [
    "Linh", "Khoa", "Tomoko", "Ngân", "Bảo", "Marta", "Oskar", "Thư", "Kenji", "Ines", "Duy", "Freya", "Hạnh", "Pavel",
    "Sáng", "Aiko", "Rosa", "Minh", "Tuan", "Ylva", "Hiro", "Quyên", "Bruno", "Sela",
];
const PLACES: [&str; 16] = [
    "the river",
    "Huế",
    "the office",
    "Mỹ Khê",
    "the market",
    "Kanazawa",
    "the station",
    "the old bridge",
    "Hội An",
    "the library",
    "Lisbon",
    "the workshop",
    "the harbour",
    "Đà Nẵng",
    "the north gate",
    "the roof",
];
const TOPICS: [&str; 16] = [
    "Heron",
    "the report",
    "the budget",
    "the bicycle",
    "the demo",
    "Project Lantern",
    "the garden",
    "the translation",
    "the knee",
    "the rent",
    "the choir",
    "the flood map",
    "the exam",
    "the boat",
    "Project Quarry",
    "the letter",
];
const MOODS: [&str; 14] = [
    "calm", "stressed", "tired", "happy", "anxious", "proud", "relieved", "sad", "curious", "lonely", "grateful",
    "angry", "hopeful", "bored",
];
const TAGS: [&str; 12] =
    ["work", "family", "sleep", "food", "swim", "travel", "money", "friends", "music", "health", "reading", "home"];

/// `P` a person, `L` a place, `T` a topic, `M` a mood, `W` any word, `N` a number.
const SENTENCES: [&str; 36] = [
    "Met P at L and talked about T until the W closed.",
    "I am M because T took the whole afternoon again.",
    "P said the W was finished, which it was not.",
    "Walked to L, N minutes, no W, no wind.",
    "Could not sleep; counted the W for T instead.",
    "Coffee with P, then T, then more coffee.",
    "The W at L has been painted W, and nobody asked me.",
    "P wants T by Friday, and I want to sleep by Friday.",
    "M again, since the talk with P about T.",
    "We ate W and W, N bowls between us, and P paid.",
    "T moved a little: the W holds, the W does not.",
    "A quiet hour at L, then rain.",
    "After the walk with P I felt M for the first time in N days.",
    "Nothing of T today, and I do not miss it.",
    "P rang from L; the line was so bad that we only laughed.",
    "Wrote N pages on T and threw away all but the W.",
    "The neighbour's W woke me at five.",
    "Felt M at noon, M in the evening, and cannot say why.",
    "P brought a W from L, wrapped in a page of T.",
    "The train to L was N minutes late because of a W on the line.",
    "I was M because P did not come to L.",
    "Read about W, understood half, liked the other half.",
    "Repaired the W with a W and a piece of string.",
    "T is two weeks behind, says P, and smiles.",
    "Swam at L before work; M all morning.",
    "Forgot the W at L and went back for it.",
    "P and Q quarrelled about T, and I held the W.",
    "Slept N hours. Everything is easier.",
    "The doctor looked at the W and said N weeks.",
    "Hôm nay gặp P ở L, nói chuyện về T đến tối.",
    "Mệt vì T, nhưng bát phở với P ngon hơn mọi khi.",
    "Trời mưa cả ngày, ở nhà đọc về W.",
    "今日はPさんとLを歩いた。Tの話をした。",
    "朝から雨。Tが進まない。",
    "Pさんから手紙が来た。うれしい。",
    "Thinking of T while standing at L, which is no place to think.",
];

const COMMON: [&str; 60] = [
    "door", "window", "table", "letter", "battery", "kettle", "ladder", "engine", "ticket", "garden", "lamp", "bridge",
    "boat", "stone", "paper", "bread", "soup", "rice", "orange", "tea", "song", "bell", "clock", "map", "roof",
    "stair", "pump", "cable", "screw", "board", "coat", "shoe", "bag", "key", "phone", "screen", "plan", "list",
    "number", "word", "page", "book", "photo", "knife", "glass", "wall", "tree", "orchid", "rooster", "duck", "wave",
    "wind", "cloud", "road", "market", "shop", "school", "ward", "blue", "green",
];

/// A small generator with a known sequence (SplitMix64): nothing of it depends on a library's version.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A rank below `limit`, rank r about 1/(r+1) as likely as the first.
    fn zipf(&mut self, limit: usize) -> usize {
        let rank = ((limit as f64 + 1.0).powf(self.share()) - 1.0) as usize;
        rank.min(limit - 1)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.zipf(from.len())]
    }

    fn id(&mut self) -> String {
        (0..10).map(|_| char::from(b"abcdefghijklmnopqrstuvwxyz234567"[self.below(32)])).collect()
    }
}

/// One entry as its day file has it.
#[derive(Debug, Clone)]
pub struct Written {
    pub day: civil::Date,
    pub head: String,
    pub body: String,
}

/// `count` entries, oldest first: a year for a thousand, ten for ten thousand, twenty for a hundred thousand.
pub fn entries(seed: u64, count: usize) -> Vec<Written> {
    let mut dice = Dice::new(seed ^ count as u64);
    let days = (count.div_ceil(3)).clamp(1, 7_300);
    let mut found = Vec::with_capacity(count);
    for index in 0..count {
        let back = days - 1 - index * days / count;
        let day = LAST.checked_sub((back as i64).days()).expect("the corpus ends long after the calendar begins");
        let within = index - (index * days / count * count).div_ceil(days);
        found.push(entry(&mut dice, day, within));
    }
    found
}

fn entry(dice: &mut Dice, day: civil::Date, within: usize) -> Written {
    let (hour, minute) = (6 + within % 17, dice.below(60));
    let mut head = format!("time: \"{day}T{hour:02}:{minute:02}:{:02}+07:00\"\n", dice.below(60));
    if dice.below(10) < 7 {
        head.push_str(&format!("mood: \"{}\"\n", dice.pick(&MOODS)));
    }
    let tags: Vec<String> = (0..dice.below(3)).map(|_| format!("\"{}\"", dice.pick(&TAGS))).collect();
    if !tags.is_empty() {
        head.push_str(&format!("tags: [{}]\n", tags.join(", ")));
    }
    if dice.below(4) == 0 {
        head.push_str(&format!("sleep: {}.{}\n", 4 + dice.below(5), 5 * dice.below(2)));
    }
    head.push_str(&format!("id: \"{}\"\n", dice.id()));
    Written { day, head, body: body(dice) }
}

fn body(dice: &mut Dice) -> String {
    let mut body = String::new();
    for sentence in 0..1 + dice.below(5) + dice.below(7) {
        if sentence > 0 {
            body.push_str(if dice.below(5) == 0 { "\n\n" } else { " " });
        }
        body.push_str(&self::sentence(dice));
    }
    body
}

fn sentence(dice: &mut Dice) -> String {
    let template = SENTENCES[dice.below(SENTENCES.len())];
    let mut said = String::with_capacity(80);
    let mut before = ' ';
    for (at, c) in template.char_indices() {
        let alone = !joins(before) && !template[at + c.len_utf8()..].starts_with(joins);
        match c {
            'P' | 'Q' if alone => said.push_str(dice.pick(&PEOPLE)),
            'L' if alone => said.push_str(dice.pick(&PLACES)),
            'T' if alone => said.push_str(dice.pick(&TOPICS)),
            'M' if alone => said.push_str(dice.pick(&MOODS)),
            'N' if alone => said.push_str(&(2 + dice.below(60)).to_string()),
            'W' if alone => said.push_str(&word(dice)),
            _ => said.push(c),
        }
        before = c;
    }
    let mut letters = said.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whether a letter beside a slot makes it part of a word. Kana and kanji stand without blanks.
fn joins(c: char) -> bool {
    c.is_alphabetic() && c < '\u{3000}'
}

/// A common word, or one of a tail of twenty thousand made-up ones.
fn word(dice: &mut Dice) -> String {
    const SYLLABLES: [&str; 28] = [
        "ba", "der", "fin", "gol", "har", "jen", "kel", "lor", "mip", "nar", "ost", "pel", "quin", "rab", "sed", "tor",
        "ul", "ven", "wick", "yar", "zem", "brin", "cla", "dro", "fle", "gri", "sta", "thu",
    ];
    let rank = dice.zipf(20_000);
    match COMMON.get(rank) {
        Some(common) => (*common).to_string(),
        None => [rank % 28, rank / 28 % 28, rank / 784 % 28].map(|syllable| SYLLABLES[syllable]).concat(),
    }
}

/// Writes a corpus as the day files of `root/memory/`. Not durable: it is made to be measured and thrown away.
pub fn write_vault(root: &Path, seed: u64, count: usize) -> std::io::Result<()> {
    let folder = root.join("memory");
    fs::create_dir_all(&folder)?;
    let mut days: BTreeMap<civil::Date, String> = BTreeMap::new();
    for entry in entries(seed, count) {
        let page = days.entry(entry.day).or_insert_with(|| format!("# Kioku \u{2014} {}\n", entry.day));
        page.push_str(&format!("\n---\n{}---\n{}\n", entry.head, entry.body));
    }
    days.into_iter().try_for_each(|(day, page)| fs::write(folder.join(format!("{day}.md")), page))
}

/// Questions as people type them: one word, several, a name, a phrase, a filter, a whole sentence.
pub fn queries(seed: u64, count: usize) -> Vec<String> {
    let mut dice = Dice::new(!seed);
    (0..count)
        .map(|index| match index % 6 {
            0 => word(&mut dice),
            1 => format!("{} {}", dice.pick(&PEOPLE), dice.pick(&TOPICS)),
            2 => format!("{} because of {}", dice.pick(&MOODS), dice.pick(&TOPICS)),
            3 => format!("\"{}\"", dice.pick(&PLACES)),
            4 => format!("{} tag:{} from:2025", word(&mut dice), dice.pick(&TAGS)),
            _ => sentence(&mut dice),
        })
        .collect()
}
