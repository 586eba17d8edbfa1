//! The fields of the word index, how each is cut into words, and the stamp of what wrote an index.

use tantivy::{
    schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager},
};

use super::analyzer::{self, Kind};
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

struct FormStream<'a> {
    tokens: &'a mut [Token],
    next: usize,
}

impl Tokenizer for FormTokenizer {
    type TokenStream<'a> = FormStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> FormStream<'a> {
        let mut count = 0;
        analyzer::analyze(text, &mut |found| {
            // Pictures and characters have no accents: the exact form is for words.
            if matches!(self.form, Form::Exact) && found.kind != Kind::Word {
                return;
            }
            if count == self.tokens.len() {
                self.tokens.push(Token::default());
            }
            let token = &mut self.tokens[count];
            token.text.clear();
            match self.form {
                Form::Folded => token.text.push_str(&found.folded),
                Form::Stem => token.text.push_str(&analyzer::stem(&found.folded)),
                Form::Exact => token.text.push_str(&found.exact),
            }
            token.position = found.position;
            token.offset_from = found.span.start;
            token.offset_to = found.span.end;
            count += 1;
        });
        FormStream { tokens: &mut self.tokens[..count], next: 0 }
    }
}

impl TokenStream for FormStream<'_> {
    fn advance(&mut self) -> bool {
        self.next += 1;
        self.next <= self.tokens.len()
    }
    fn token(&self) -> &Token {
        &self.tokens[self.next - 1]
    }
    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens[self.next - 1]
    }
}
