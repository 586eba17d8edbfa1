//! A scanner for paths in Rust sources: removes comments, strings and test code, expands `use` groups.

use std::{collections::BTreeSet, ops::Range};

/// A word or a sign, and its line (from 1).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    text: String,
    line: usize,
}

/// One path in the code: `std::fs::write`, or `println!` for a macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub segments: Vec<String>,
    pub line: usize,
    pub import: Import,
}

/// Whether a path is part of a `use` item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Import {
    No,
    Private,
    /// `pub use`, `pub(crate) use`: a re-export.
    Public,
}

impl Found {
    pub fn starts_with(&self, what: &[&str]) -> bool {
        self.segments.len() >= what.len() && self.segments.iter().zip(what).all(|(a, b)| a == b)
    }

    /// Whether the path contains these consecutive segments.
    pub fn has(&self, what: &[&str]) -> bool {
        self.segments.windows(what.len()).any(|window| window.iter().zip(what).all(|(a, b)| a == b))
    }

    /// The top-level module of the path, seen from the file `path` below `src/`.
    pub fn layer(&self, path: &str) -> Option<&str> {
        let first = self.segments.first()?.as_str();
        if path.starts_with("bin/") {
            // In a program `crate` and `super` are its own.
            return self.segments.get(1).map(String::as_str).filter(|_| first == "kioku");
        }
        if first == "crate" || first == "kioku" && path == "main.rs" {
            return self.segments.get(1).map(String::as_str);
        }
        let folders = path.matches('/').count();
        let depth = if path.ends_with("/mod.rs") || folders == 0 && path == "lib.rs" { folders } else { folders + 1 };
        let ups = self.segments.iter().take_while(|segment| *segment == "super").count();
        if ups > 0 && ups == depth { self.segments.get(ups).map(String::as_str) } else { None }
    }
}

/// One file's code without comments, literals and test items.
pub struct Source {
    tokens: Vec<Token>,
    lines: usize,
    test_lines: usize,
    /// Number of lines with code: no blanks, comments or test items.
    solid_lines: usize,
}

impl Source {
    pub fn read(text: &str) -> Self {
        let (tokens, literals) = tokens(text);
        let solid: BTreeSet<usize> = tokens.iter().map(|token| token.line).chain(literals).collect();
        let (_, not_for_users) = without(&tokens, |cfg| is_for_tests(cfg) || is_for_tests_and_more(cfg));
        let solid = solid.into_iter().filter(|line| !not_for_users.iter().any(|lines| lines.contains(line)));
        let solid_lines = solid.count();
        let (tokens, tests) = without(&tokens, is_for_tests);
        let test_lines = tests.iter().map(|lines| lines.len()).sum();
        Self { tokens, lines: text.lines().count(), test_lines, solid_lines }
    }

    /// Number of code lines outside test items, without blanks and comments.
    pub fn solid_lines(&self) -> usize {
        self.solid_lines
    }

    /// Number of lines of the file, without those of test items.
    pub fn code_lines(&self) -> usize {
        self.lines - self.test_lines
    }

    /// Every path of the code, with groups expanded.
    pub fn paths(&self) -> Vec<Found> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut import = Import::No;
        while at < self.tokens.len() {
            let after_dot = at > 0 && self.tokens[at - 1].text == ".";
            match self.text(at) {
                "use" => {
                    let public = at > 0 && matches!(self.text(at - 1), "pub" | ")");
                    import = if public { Import::Public } else { Import::Private };
                    at += 1;
                }
                ";" => {
                    import = Import::No;
                    at += 1;
                }
                // The visibility of an item is no dependency: `pub(super)`, `pub(in crate::a)`.
                "pub" if self.text(at + 1) == "(" => {
                    at += self.tokens[at..].iter().take_while(|token| token.text != ")").count() + 1;
                }
                word if is_word(word) && !after_dot => {
                    let first = found.len();
                    at = self.path(at, &[], &mut found);
                    found[first..].iter_mut().for_each(|found: &mut Found| found.import = import);
                }
                _ => at += 1,
            }
        }
        found
    }

    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text.as_str())
    }

    /// Reads the path that starts at `at`, with the prefix of its group; returns its end.
    fn path(&self, mut at: usize, before: &[String], found: &mut Vec<Found>) -> usize {
        let line = self.tokens[at].line;
        let mut segments = before.to_vec();
        loop {
            let word = self.text(at);
            // `{self, ...}` names the prefix of the group.
            if word != "self" || segments.is_empty() {
                segments.push(word.to_string());
            }
            at += 1;
            match (self.text(at), self.text(at + 1)) {
                ("!", next) if next != "=" => {
                    if let Some(last) = segments.last_mut() {
                        last.push('!');
                    }
                    at += 1;
                    break;
                }
                ("::", "{") => {
                    at = self.group(at + 2, &segments, found);
                    return at;
                }
                ("::", next) if is_word(next) => at += 1,
                _ => break,
            }
        }
        found.push(Found { segments, line, import: Import::No });
        at
    }

    fn group(&self, mut at: usize, before: &[String], found: &mut Vec<Found>) -> usize {
        while at < self.tokens.len() {
            match self.text(at) {
                "}" => return at + 1,
                "as" => at += 2,
                word if is_word(word) => at = self.path(at, before, found),
                _ => at += 1,
            }
        }
        at
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Drops the items whose `#[cfg(...)]` is `marked`; returns their lines too.
fn without(tokens: &[Token], marked: impl Fn(&[Token]) -> bool) -> (Vec<Token>, Vec<Range<usize>>) {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut dropped = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(cfg) = cfg(&tokens[at..]).filter(|cfg| marked(cfg)) else {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let first = tokens[at].line;
        // `#`, `[`, `cfg`, `(` in front, and `]` behind.
        at = item_end(tokens, at + cfg.len() + 5);
        let last = tokens[at.min(tokens.len()) - 1].line;
        dropped.push(first..last + 1);
    }
    (kept, dropped)
}

/// The content of the `#[cfg(...)]` that begins here, with its closing parenthesis.
fn cfg(tokens: &[Token]) -> Option<&[Token]> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.text == text);
    if !(is(0, "#") && is(1, "[") && is(2, "cfg") && is(3, "(")) {
        return None;
    }
    let end = tokens.iter().position(|token| token.text == "]")?;
    tokens.get(4..end)
}

fn names(cfg: &[Token], text: &str) -> bool {
    cfg.iter().any(|token| token.text == text)
}

/// `test`, or `all(test, ...)`.
fn is_for_tests(cfg: &[Token]) -> bool {
    let first = |text: &str| cfg.first().is_some_and(|token| token.text == text);
    let alone = first("test") && cfg.len() == 2;
    alone || first("all") && names(cfg, "test") && !names(cfg, "not") && !names(cfg, "any")
}

/// `any(test, ...)`: for tests, and for the second binary or fuzzing.
fn is_for_tests_and_more(cfg: &[Token]) -> bool {
    cfg.first().is_some_and(|token| token.text == "any") && names(cfg, "test") && !names(cfg, "not")
}

/// The end of the item that starts at `at` (with optional attributes): after its block, or its semicolon.
fn item_end(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0usize;
    while at < tokens.len() {
        match tokens[at].text.as_str() {
            "{" | "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The tokens, and the lines with literals.
fn tokens(text: &str) -> (Vec<Token>, Vec<usize>) {
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0, line: 1, literals: Vec::new() };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    (tokens, lexer.literals)
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
    literals: Vec<usize>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn step(&mut self) -> char {
        let c = self.peek(0);
        self.line += usize::from(c == '\n');
        self.at += 1;
        c
    }

    fn next(&mut self) -> Option<Token> {
        loop {
            if self.at >= self.chars.len() {
                return None;
            }
            let line = self.line;
            match (self.peek(0), self.peek(1)) {
                ('/', '/') => {
                    while self.at < self.chars.len() && self.peek(0) != '\n' {
                        self.step();
                    }
                }
                ('/', '*') => self.block_comment(),
                ('"', _) => {
                    self.string();
                    self.literals.extend(line..=self.line);
                }
                ('\'', _) => self.char_or_lifetime(),
                (c, _) if c.is_alphabetic() || c == '_' => {
                    if self.literal_prefix() {
                        self.literals.extend(line..=self.line);
                        continue;
                    }
                    let mut text = String::new();
                    while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
                        text.push(self.step());
                    }
                    return Some(Token { text, line });
                }
                (':', ':') => {
                    self.at += 2;
                    return Some(Token { text: "::".into(), line });
                }
                (c, _) if c.is_whitespace() => {
                    self.step();
                }
                (c, _) if c.is_ascii_digit() => {
                    self.literals.push(line);
                    while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
                        self.step();
                    }
                }
                (c, _) => {
                    self.step();
                    return Some(Token { text: c.to_string(), line });
                }
            }
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => {
                    depth += 1;
                    self.at += 2;
                }
                ('*', '/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => {
                    self.step();
                }
            }
        }
    }

    fn string(&mut self) {
        self.step();
        while self.at < self.chars.len() {
            match self.step() {
                '\\' => {
                    self.step();
                }
                '"' => return,
                _ => {}
            }
        }
    }

    /// `b"`, `c"`, `r"`, `r#"`, `br#"`, `b'`: skips the literal. False for a plain word or `r#word`.
    fn literal_prefix(&mut self) -> bool {
        let letters = (0..2).take_while(|ahead| matches!(self.peek(*ahead), 'b' | 'c' | 'r')).count();
        let hashes = (letters..).take_while(|ahead| self.peek(*ahead) == '#').count();
        let raw = (0..letters).any(|ahead| self.peek(ahead) == 'r');
        match self.peek(letters + hashes) {
            _ if letters == 0 => false,
            '"' if raw => {
                self.at += letters + hashes + 1;
                self.raw_end(hashes);
                true
            }
            '"' if hashes == 0 => {
                self.at += letters;
                self.string();
                true
            }
            '\'' if hashes == 0 && letters == 1 && self.peek(0) == 'b' => {
                self.at += 1;
                self.char_or_lifetime();
                true
            }
            _ => false,
        }
    }

    fn raw_end(&mut self, hashes: usize) {
        while self.at < self.chars.len() {
            if self.step() == '"' && (0..hashes).all(|ahead| self.peek(ahead) == '#') {
                self.at += hashes;
                return;
            }
        }
    }

    fn char_or_lifetime(&mut self) {
        self.step();
        if self.peek(0) == '\\' {
            self.at += 2;
            while self.at < self.chars.len() && self.step() != '\'' {}
        } else if self.peek(1) == '\'' {
            self.step();
            self.step();
        }
    }
}
