//! Texts to write: each has a word of its own by which it is known again, and names, feelings and causes for the other legs.

use super::dice::Dice;

const PEOPLE: [&str; 6] = ["Linh", "Khoa", "Tomoko", "Hùng", "Marta", "Oskar"];
const PLACES: [&str; 5] = ["the lake", "Huế", "Kanazawa", "the old bridge", "the market"];
const FEELINGS: [&str; 5] = ["calm", "tired", "stressed", "relieved", "proud"];

/// The names that entries speak of.
pub fn people() -> &'static [&'static str] {
    &PEOPLE
}

/// Texts with numbered words of their own.
#[derive(Default)]
pub struct Texts {
    count: usize,
}

impl Texts {
    /// The word by which text `number` is known.
    pub fn word(number: usize) -> String {
        format!("zq{number:06}")
    }

    /// From a number on: texts of several writers have different words.
    pub fn from(count: usize) -> Self {
        Self { count }
    }

    pub fn next(&mut self, dice: &mut Dice) -> String {
        self.count += 1;
        let word = Self::word(self.count);
        let (person, place, feeling) = (dice.pick(&PEOPLE), dice.pick(&PLACES), dice.pick(&FEELINGS));
        let mut text = match dice.below(5) {
            0 => format!("Met {person} at {place}, {word}. I was {feeling} because the walk was long."),
            1 => format!("{person} rang about the report {word}; it made me {feeling}."),
            2 => format!("Hôm nay {word} mình gặp {person} ở {place}, vui vì trời đẹp."),
            3 => format!("日本語の日記 {word}。{person}と{place}へ行った。"),
            _ => format!("# {word}\n\n- bread\n- soup with {person}\n\nThen to {place}, {feeling}."),
        };
        // What could be taken for a head, and what ends in odd ways.
        match dice.below(12) {
            0 => text.push_str("\n---\ntime: 10:00 dentist\n---\nand home."),
            1 => text.push_str("\n\n\ttrailing   "),
            2 => text.push_str(&" a long line goes on and on".repeat(200)),
            _ => {}
        }
        text
    }
}

/// The word by which a text is known.
pub fn word_of(text: &str) -> Option<&str> {
    let at = text.find("zq")?;
    text.get(at..at + 8)
}
