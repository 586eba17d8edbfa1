//! Errors of a graph query: with line and column where the text is wrong.

/// Why a graph query has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    #[error("line {line}, column {column}: {message}")]
    Text { line: usize, column: usize, message: String },
    #[error("the query took longer than {seconds} s and was stopped: add labels, types or conditions")]
    TimedOut { seconds: u64 },
    #[error("the query has more than {most} rows before sorting or counting: add labels, types or conditions")]
    TooManyRows { most: usize },
}

impl QueryError {
    /// An error at a byte of the query.
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self::Text { line, column, message: message.into() }
    }
}
