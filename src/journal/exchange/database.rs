//! Read access to an SQLite database of another program.

use std::fmt::Display;

use rusqlite::{Connection, OpenFlags, types::ValueRef};
use serde_json::{Map, Value};

use super::{ExchangeError, Source};

const DATABASE: &str = "database";

pub(super) const SIGNATURE: &[u8] = b"SQLite format 3\0";

pub(super) struct Database<'s> {
    source: &'s Source,
    connection: Connection,
}

impl<'s> Database<'s> {
    /// Opens a database without writing beside it. Refuses one whose program has not finished writing.
    pub fn open(source: &'s Source) -> Result<Self, ExchangeError> {
        let path = source.path();
        let failed = |reason: &dyn Display| source.unreadable(DATABASE, reason);
        let log = path.with_file_name(format!("{}-wal", path.file_name().unwrap_or_default().to_string_lossy()));
        if log.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            return Err(failed(&"its program is still writing it; close the program first"));
        }
        let absolute = std::path::absolute(path).map_err(|error| failed(&error))?;
        // `immutable`: SQLite neither locks the file nor creates others beside it.
        let address = format!("file:{}?immutable=1", escaped(&absolute.to_string_lossy()));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(address, flags).map_err(|error| failed(&error))?;
        Ok(Self { source, connection })
    }

    /// The rows of a query, every column as text.
    pub fn rows(&self, query: &str) -> Result<Vec<Vec<String>>, ExchangeError> {
        let failed = |error: rusqlite::Error| self.source.unreadable(DATABASE, error);
        let mut statement = self.connection.prepare(query).map_err(failed)?;
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..columns).map(|column| Ok(shown(row.get_ref(column)?))).collect();
        let rows = statement.query_map([], row).map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    /// The rows of a table by column, in the order of their numbers: versions of a program differ in their columns. Empty
    /// if the table does not exist.
    pub fn table(&self, name: &str) -> Result<Vec<Value>, ExchangeError> {
        let columns: Vec<String> =
            self.rows(&format!("SELECT name FROM pragma_table_info('{name}')"))?.into_iter().flatten().collect();
        if columns.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.rows(&format!("SELECT * FROM \"{name}\" ORDER BY rowid"))?.into_iter();
        let record = |row: Vec<String>| {
            let fields = columns.iter().cloned().zip(row.into_iter().map(Value::String));
            Value::Object(fields.collect::<Map<_, _>>())
        };
        Ok(rows.map(record).collect())
    }

    /// The number of rows of a table; 0 if it does not exist.
    pub fn count(&self, name: &str) -> usize {
        let counted = self.rows(&format!("SELECT count(*) FROM \"{name}\"")).ok();
        counted.and_then(|rows| rows.first()?.first()?.parse().ok()).unwrap_or_default()
    }
}

fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// A path in a URI: the characters that would end it are escaped.
fn escaped(path: &str) -> String {
    path.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}
