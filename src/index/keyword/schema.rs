//! The fields of the word index, how each is cut into words, and the stamp of what wrote an index.

use tantivy::{
    schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager},
};

use super::analyzer::{self, Analysis, Kind};
use crate::index::format::FORMAT;

/// What the stamp of any version begins with.
pub const STAMP: &str = "kioku words ";

/// Says which schema of kioku and which tantivy wrote an index. tantivy's files change with its minor versions, and
/// it may panic on older ones, so another stamp means: do not read on.
pub fn stamp() -> String {
    format!("{STAMP}{FORMAT}, tantivy {}", tantivy::version_string())
}

/// Whether the stamp is that of a newer version of kioku.
pub fn is_newer(stamp: &str) -> bool {
    let number = stamp.strip_prefix(STAMP).and_then(|rest| rest.split(',').next()?.parse::<u32>().ok());
    number.is_some_and(|number| number > FORMAT)
}

/// The fields by what they are for.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The entry's key: to delete and to look up by.
    pub key: Field,
    /// Which state of the entry this is.
    pub fingerprint: Field,
    /// Days since 1970-01-01.
    pub day: Field,
    /// Microseconds since 1970: the tie-break.
    pub time: Field,
    /// Folded words with positions: phrases, prefixes, typos.
    pub words: Field,
    /// Stems (folded words where there is no stem): what ranking mostly rests on.
    pub stems: Field,
    /// Words with their accents: lifts the entry that spells the word as the query does.
    pub exact: Field,
    /// Stems of the mood and the tags.
    pub head: Field,
    /// The body, compressed, for snippets.
    pub text: Field,
    /// The entry without its body, as JSON: what an entry needs to be put back whole before any catalog knows it.
    pub record: Field,
}

impl Fields {
    pub const KEY: &'static str = "key";
    pub const FINGERPRINT: &'static str = "fingerprint";
    pub const TIME: &'static str = "time";

    /// The schema, the same for every index.
    pub fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        let indexed = |form: Form, option| {
            let indexing = TextFieldIndexing::default().set_tokenizer(form.name()).set_index_option(option);
            TextOptions::default().set_indexing_options(indexing)
        };
        let fields = Self {
            key: schema.add_u64_field(Self::KEY, INDEXED | FAST),
            fingerprint: schema.add_u64_field(Self::FINGERPRINT, FAST),
            day: schema.add_i64_field("day", FAST),
            time: schema.add_i64_field(Self::TIME, FAST),
            words: schema.add_text_field("words", indexed(Form::Folded, IndexRecordOption::WithFreqsAndPositions)),
            stems: schema.add_text_field("stems", indexed(Form::Stem, IndexRecordOption::WithFreqs)),
            exact: schema.add_text_field("exact", indexed(Form::Exact, IndexRecordOption::WithFreqs)),
            head: schema.add_text_field("head", indexed(Form::Stem, IndexRecordOption::WithFreqs)),
            text: schema.add_text_field("text", STORED),
            record: schema.add_bytes_field("record", STORED),
        };
        (schema.build(), fields)
    }
}

/// The forms of a word that fields hold.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Folded,
    Stem,
    Exact,
}

impl Form {
    const ALL: [Self; 3] = [Self::Folded, Self::Stem, Self::Exact];

    fn name(self) -> &'static str {
        match self {
            Self::Folded => "kioku folded",
            Self::Stem => "kioku stem",
            Self::Exact => "kioku exact",
        }
    }
}

/// The analyzer in its three forms, under the names the schema uses.
pub fn tokenizers() -> TokenizerManager {
    // tantivy asks for its default tokenizer even for fields of numbers.
    let manager = TokenizerManager::default();
    for form in Form::ALL {
        manager.register(form.name(), FormTokenizer { form, tokens: Vec::new() });
    }
    manager
}

#[derive(Clone)]
struct FormTokenizer {
    form: Form,
    /// Kept between texts, so that its strings are allocated once.
    tokens: Vec<Token>,
}

/// Tokens made ahead; a few more where one character ends several.
const AHEAD: usize = 64;

struct FormStream<'a> {
    analysis: Analysis<'a>,
    ahead: Ahead<'a>,
    /// Of those made ahead, the tokens read.
    read: usize,
}

struct Ahead<'a> {
    form: Form,
    tokens: &'a mut Vec<Token>,
    /// The first so many of `tokens` are of this text.
    count: usize,
}

impl Ahead<'_> {
    fn push(&mut self, found: &analyzer::Token) {
        // Pictures and characters have no accents: the exact form is for words.
        if matches!(self.form, Form::Exact) && found.kind != Kind::Word {
            return;
        }
        if self.count == self.tokens.len() {
            self.tokens.push(Token::default());
        }
        let token = &mut self.tokens[self.count];
        token.text.clear();
        match self.form {
            Form::Folded => token.text.push_str(&found.folded),
            Form::Stem => token.text.push_str(&analyzer::stem(&found.folded)),
            Form::Exact => token.text.push_str(&found.exact),
        }
        token.position = found.position;
        token.offset_from = found.span.start;
        token.offset_to = found.span.end;
        self.count += 1;
    }
}

impl Tokenizer for FormTokenizer {
    type TokenStream<'a> = FormStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> FormStream<'a> {
        let ahead = Ahead { form: self.form, tokens: &mut self.tokens, count: 0 };
        FormStream { analysis: Analysis::of(text), ahead, read: 0 }
    }
}

impl TokenStream for FormStream<'_> {
    fn advance(&mut self) -> bool {
        if self.read == self.ahead.count {
            (self.read, self.ahead.count) = (0, 0);
            while self.ahead.count < AHEAD && self.analysis.advance(&mut |found| self.ahead.push(found)) {}
        }
        self.read += 1;
        self.read <= self.ahead.count
    }
    fn token(&self) -> &Token {
        &self.ahead.tokens[self.read - 1]
    }
    fn token_mut(&mut self) -> &mut Token {
        &mut self.ahead.tokens[self.read - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_into_words_without_holding_them_all() {
        let text = "The lake was calm because Linh sang. 我怀孕了 co-worker's O'Brien 🎉 ".repeat(2_000);
        for form in Form::ALL {
            let mut tokenizer = FormTokenizer { form, tokens: Vec::new() };
            let mut read = Vec::new();
            let mut stream = tokenizer.token_stream(&text);
            stream.process(&mut |token| read.push((token.text.clone(), token.position, token.offset_from)));
            let mut whole = analyzer::tokens(&text);
            whole.retain(|token| !matches!(form, Form::Exact) || token.kind == Kind::Word);
            let whole = whole.into_iter().map(|token| {
                let text = match form {
                    Form::Folded => token.folded,
                    Form::Stem => analyzer::stem(&token.folded).into_owned(),
                    Form::Exact => token.exact,
                };
                (text, token.position, token.span.start)
            });
            assert!(read.iter().cloned().eq(whole), "{form:?}");
            assert!(tokenizer.tokens.len() < 2 * AHEAD, "{} of {} held", tokenizer.tokens.len(), read.len());
        }
    }
}
