//! Claims read by a model: its verdicts weigh with those of the cues, and it points at causes that no rule proposes.
//!
//! The weights (`assets/lexicon/gate-readings.txt`) are fitted on writers that the model was not trained on.

use std::{cell::OnceCell, ops::Range, sync::LazyLock};

use super::{Claim, CueModel, Fitted, Gate, ListCues, Verdict, head, logistic};
use crate::extract::{Family, common_share, language::List, lines, same_feeling::is_alike};

/// One reading of a text, in byte ranges of it. `None` for what lies outside of the part that was read.
pub trait TextReading {
    /// The end of the part that was read.
    fn end(&self) -> usize;

    /// The logit that the writer feels what a word says.
    fn own(&self, word: &Range<usize>) -> Option<f32>;

    /// The logit that a cause brought about an effect.
    fn cause(&self, cause: &Range<usize>, effect: &Range<usize>) -> Option<f32>;

    /// The likeliest cause of an effect, with its log probability.
    fn cause_of(&self, effect: &Range<usize>) -> Option<(Range<usize>, f32)>;

    /// The probability of each family of feelings that the writer feels it most.
    fn feelings(&self) -> Vec<(&'static str, f32)>;
}

/// A model that reads texts.
pub trait TextReader: Sync {
    /// `None` for a text of which it understands nothing.
    fn read(&self, text: &str) -> Option<Box<dyn TextReading>>;
}

/// How the logits of cues and of a reading weigh together.
struct Mix {
    cues: f32,
    reading: f32,
    /// What the writer feels by the whole text.
    family: f32,
    bias: f32,
    /// The least probability of an accepted claim.
    line: f32,
}

struct Weights {
    feeling: Mix,
    cause: Mix,
    /// The least probability of a cause that is pointed at.
    pointed_line: f32,
    /// The same of one that a rule proposes too, because it stands beside the effect.
    beside_line: f32,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let numbers = CueModel::read(lines(List::GateReadings));
    let mix = |kind: &str| {
        let [cues, reading, family, bias, line] =
            ["cues", "reading", "family", "bias", "line"].map(|name| numbers.weight(&format!("{kind}:{name}")));
        Mix { cues, reading, family, bias, line }
    };
    let [pointed_line, beside_line] = ["pointed:line", "beside:line"].map(|name| numbers.weight(name));
    Weights { feeling: mix("feeling"), cause: mix("cause"), pointed_line, beside_line }
});

/// Bytes of an entry that are read, a second of work; what lies behind them is judged by its cues.
const MOST_READ: usize = 32 * 1024;
/// The share of their text that a proposed cause and the likeliest one have in common.
const MOSTLY: f32 = 0.5;
/// Greater logits count as this.
const MOST: f32 = 8.0;
/// A feeling of which the cues are as sure as this (.956 of 845 such claims are true) may be one of several in a text:
/// that another one is likelier there says nothing against it.
const SURE: f32 = 1.5;

impl Mix {
    fn judge(&self, by_cues: f32, read: f32, of_family: f32) -> Verdict {
        let [by_cues, read] = [by_cues, read].map(|logit| logit.clamp(-MOST, MOST));
        let probability = logistic(self.cues * by_cues + self.reading * read + self.family * of_family + self.bias);
        Verdict { probability, accepted: probability >= self.line }
    }
}

/// The linear model, and a model that reads the text when the first claim of it is judged.
pub(in crate::extract) struct ReadText<'a> {
    text: &'a str,
    reader: &'a dyn TextReader,
    windows: OnceCell<Vec<Window>>,
}

/// A part of the text that was read in one pass.
struct Window {
    bytes: Range<usize>,
    reading: Box<dyn TextReading>,
}

impl<'a> ReadText<'a> {
    /// `None` where the text, which begins at byte `start` of the entry, is not read.
    pub fn of(text: &'a str, start: usize, reader: &'a dyn TextReader) -> Option<Self> {
        (start < MOST_READ).then(|| Self { text, reader, windows: OnceCell::new() })
    }

    /// The window that holds a byte range.
    fn window(&self, bytes: &Range<usize>) -> Option<&Window> {
        let windows = self.windows.get_or_init(|| windows(self.text, self.reader));
        windows.iter().find(|window| window.bytes.start <= bytes.start && bytes.end <= window.bytes.end)
    }

    /// The verdict on a claim; `None` where it was not read.
    fn verdict(&self, claim: &Claim<'_>, by_cues: f32) -> Option<Verdict> {
        match claim {
            Claim::Feeling { family, word, .. } => {
                let window = self.window(word)?;
                let read = window.reading.own(&window.relative(word))?;
                let of_family = family.map_or(0.0, |family| window.logit_of(family));
                let of_family = if by_cues >= SURE { of_family.max(0.0) } else { of_family };
                Some(WEIGHTS.feeling.judge(by_cues, read, of_family))
            }
            Claim::Cause { cause, effect, linked } => {
                let window = self.window(&(cause.start.min(effect.start)..cause.end.max(effect.end)))?;
                let read = window.reading.cause(&window.relative(cause), &window.relative(effect))?;
                let verdict = WEIGHTS.cause.judge(by_cues, read, 0.0);
                // What stands beside a feeling is its cause in three of five texts where both judges say so; where the
                // likeliest cause is another, in fewer.
                let is_likeliest = || {
                    let pointed = self.pointed(effect).filter(|(_, probability)| *probability >= WEIGHTS.beside_line);
                    pointed.is_some_and(|(other, _)| common_share(cause, &other) >= MOSTLY)
                };
                Some(Verdict { accepted: verdict.accepted && (*linked || is_likeliest()), ..verdict })
            }
        }
    }

    /// The likeliest cause of an effect, with its probability.
    fn pointed(&self, effect: &Range<usize>) -> Option<(Range<usize>, f32)> {
        let window = self.window(effect)?;
        let (cause, log_probability) = window.reading.cause_of(&window.relative(effect))?;
        let start = window.bytes.start;
        Some((cause.start + start..cause.end + start, log_probability.exp()))
    }
}

impl Gate for ReadText<'_> {
    fn judge(&self, claim: &Claim<'_>, cues: &ListCues<'_>) -> Verdict {
        self.verdict(claim, head(claim).logit(cues)).unwrap_or_else(|| Fitted.judge(claim, cues))
    }

    fn cause_of(&self, effect: &Range<usize>) -> Option<Range<usize>> {
        let (cause, probability) = self.pointed(effect)?;
        (probability >= WEIGHTS.pointed_line).then_some(cause)
    }
}

impl Window {
    /// The log odds that the writer feels something of a family most.
    fn logit_of(&self, family: Family) -> f32 {
        const LEAST: f32 = 0.01;
        let alike = |name: &str| is_alike(name, family.word());
        let share: f32 =
            self.reading.feelings().into_iter().filter(|(name, _)| alike(name)).map(|(_, share)| share).sum();
        let share = share.clamp(LEAST, 1.0 - LEAST);
        (share / (1.0 - share)).ln()
    }

    fn relative(&self, bytes: &Range<usize>) -> Range<usize> {
        bytes.start - self.bytes.start..bytes.end - self.bytes.start
    }
}

/// The windows of a text: each as long as the model reads, cut after a sentence where there is one.
fn windows(text: &str, reader: &dyn TextReader) -> Vec<Window> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(reading) = reader.read(&text[start..]) {
        let end = start + reading.end();
        let is_last = !text[end..].contains(char::is_alphanumeric);
        let next = if is_last { text.len() } else { cut(text, start..end) };
        found.push(Window { bytes: start..next.max(end), reading });
        if is_last || next <= start {
            break;
        }
        start = next;
    }
    found
}

/// See [`TextReading::feelings`]; of a long text the mean over its windows by their length.
pub(in crate::extract) fn feelings_read(text: &str, reader: &dyn TextReader) -> Vec<(&'static str, f32)> {
    let windows = windows(&text[..text.floor_char_boundary(MOST_READ)], reader);
    let length: usize = windows.iter().map(|window| window.bytes.len()).sum();
    let mut mean: Vec<(&'static str, f32)> = Vec::new();
    for window in &windows {
        let weight = window.bytes.len() as f32 / length.max(1) as f32;
        for (name, share) in window.reading.feelings() {
            match mean.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += share * weight,
                None => mean.push((name, share * weight)),
            }
        }
    }
    mean
}

/// The end of the last sentence in the second half of a range; its own end where there is none.
fn cut(text: &str, bytes: Range<usize>) -> usize {
    let middle = text.floor_char_boundary((bytes.start + bytes.end) / 2);
    let ends = |sign: &str| text[middle..bytes.end].rfind(sign).map(|at| middle + at + sign.len());
    ["\n", ". ", "! ", "? "].into_iter().filter_map(ends).max().unwrap_or(bytes.end)
}

/// A reading that says the same of everything, for tests.
#[cfg(test)]
#[derive(Clone, Default)]
pub struct FixedReading {
    pub end: usize,
    pub own: Option<f32>,
    pub cause: Option<f32>,
    /// The cause of any effect, which is certain.
    pub pointed: Option<Range<usize>>,
    pub feelings: Vec<(&'static str, f32)>,
}

#[cfg(test)]
impl TextReading for FixedReading {
    fn end(&self) -> usize {
        self.end
    }

    fn own(&self, _: &Range<usize>) -> Option<f32> {
        self.own
    }

    fn cause(&self, _: &Range<usize>, _: &Range<usize>) -> Option<f32> {
        self.cause
    }

    fn cause_of(&self, _: &Range<usize>) -> Option<(Range<usize>, f32)> {
        Some((self.pointed.clone()?, 0.0))
    }

    fn feelings(&self) -> Vec<(&'static str, f32)> {
        self.feelings.clone()
    }
}

/// Reads all of each text.
#[cfg(test)]
impl TextReader for FixedReading {
    fn read(&self, text: &str) -> Option<Box<dyn TextReading>> {
        Some(Box::new(Self { end: text.len(), ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads twenty bytes, and finds a cause in the first of what it was given.
    struct Short;

    impl TextReader for Short {
        fn read(&self, text: &str) -> Option<Box<dyn TextReading>> {
            let (end, own, pointed) = (text.floor_char_boundary(20), Some(9.0), Some(0..1));
            (end > 0).then(|| Box::new(FixedReading { end, own, pointed, ..FixedReading::default() }) as _)
        }
    }

    #[test]
    fn a_long_text_is_read_in_windows_that_begin_with_a_sentence() {
        let text = "Rain all day. Sad. The bus was late. Cross.";
        let of = Short;
        let starts: Vec<usize> = windows(text, &of).iter().map(|window| window.bytes.start).collect();
        assert_eq!(starts, [0, 19, 37]);
        let gate = ReadText::of(text, 0, &of).unwrap();
        assert_eq!(gate.cause_of(&(37..42)), Some(37..38));
        assert_eq!(gate.cause_of(&(10..42)), None, "no window holds it");
    }

    #[test]
    fn what_was_not_read_is_left_to_the_cues() {
        let (of, text) = (Short, "Rain all day. Sad.");
        let gate = ReadText::of(text, 0, &of).unwrap();
        let claim = Claim::Cause { cause: 0..4, effect: 14..17, linked: true };
        assert_eq!(gate.judge(&claim, &|_| {}), Fitted.judge(&claim, &|_| {}));
        let claim = Claim::Feeling { name: "sad", family: None, word: 14..17 };
        assert!(gate.judge(&claim, &|_| {}).probability > Fitted.judge(&claim, &|_| {}).probability);
    }
}
