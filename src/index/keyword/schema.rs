//! The fields of the word index, their tokenization, and the stamp of the writing version.

use tantivy::{
    schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager},
};

use super::analyzer::{self, Analysis, Kind};
use crate::index::format::FORMAT;

/// Prefix of the stamp, in all versions.
pub const STAMP: &str = "kioku words ";

/// The schema of kioku and the tantivy version that wrote an index. tantivy's files change with its minor versions,
/// and it may panic on older ones, so an index with another stamp must not be read.
pub fn stamp() -> String {
    format!("{STAMP}{FORMAT}, tantivy {}", tantivy::version_string())
}

/// Whether the stamp is that of a newer version of kioku.
pub fn is_newer(stamp: &str) -> bool {
    let number = stamp.strip_prefix(STAMP).and_then(|rest| rest.split(',').next()?.parse::<u32>().ok());
    number.is_some_and(|number| number > FORMAT)
}

/// The fields by their use.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The entry's key, for deletion and lookup.
    pub key: Field,
    /// Fingerprint of the entry's state.
    pub fingerprint: Field,
    /// Days since 1970-01-01.
    pub day: Field,
    /// Microseconds since 1970, the tie-break.
    pub time: Field,
    /// Folded words with positions, for phrases, prefixes and typos.
    pub words: Field,
    /// Stems (folded words where there is no stem), the basis of ranking.
    pub stems: Field,
    /// Words with their accents: a bonus for the exact spelling.
    pub exact: Field,
    /// Stems of the mood and the tags.
    pub head: Field,
    /// The body, compressed, for snippets.
    pub text: Field,
    /// The entry without its body, as JSON: with it an entry can be restored in full before a catalog lists it.
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

/// The form of a word in a field.
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

/// The analyzer in its three forms, under the names that the schema uses.
pub fn tokenizers() -> TokenizerManager {
    // tantivy looks up its default tokenizer even for numeric fields.
    let manager = TokenizerManager::default();
    for form in Form::ALL {
        manager.register(form.name(), FormTokenizer { form, tokens: Vec::new() });
    }
    manager
}

#[derive(Clone)]
struct FormTokenizer {
    form: Form,
    /// Reused between texts, so that its strings are allocated once.
    tokens: Vec<Token>,
}

/// Number of tokens made in advance; a few more where one character ends several tokens.
const AHEAD: usize = 64;

struct FormStream<'a> {
    analysis: Analysis<'a>,
    ahead: Ahead<'a>,
    /// Number of tokens already read.
    read: usize,
}

struct Ahead<'a> {
    form: Form,
    tokens: &'a mut Vec<Token>,
    /// Number of `tokens` that belong to this text; the others are left from earlier texts.
    count: usize,
}

impl Ahead<'_> {
    fn push(&mut self, found: &analyzer::Token) {
        // Emoji and single characters have no accents: the exact form is for words only.
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
