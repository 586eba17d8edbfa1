//! What the runs came to: recorded in `results.tsv`, printed as the table of README's section Trust.

use std::{fmt::Write, fs, io, path::PathBuf};

/// One line of the record: the last run of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub fault: String,
    pub tried: u64,
    pub lost: u64,
    /// What the user saw.
    pub saw: String,
    /// How to run it again.
    pub command: String,
}

const HEADER: &str = "fault\ttried\tlost\twhat the user saw\tcommand\n";

pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/soak/results.tsv")
}

pub fn read() -> io::Result<Vec<Row>> {
    let text = match fs::read_to_string(path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut next = || cells.next().unwrap_or_default();
        let (fault, tried, lost, saw, command) = (next(), next(), next(), next(), next());
        Row { fault, tried: tried.parse().unwrap_or(0), lost: lost.parse().unwrap_or(0), saw, command }
    };
    Ok(text.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect())
}

/// Puts a run in the place of the last one of its kind, or behind all others.
pub fn record(row: Row) -> io::Result<()> {
    let mut rows = read()?;
    match rows.iter_mut().find(|known| known.fault == row.fault) {
        Some(known) => *known = row,
        None => rows.push(row),
    }
    let mut text = HEADER.to_owned();
    for Row { fault, tried, lost, saw, command } in &rows {
        let cells = [fault, &tried.to_string(), &lost.to_string(), saw, command];
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace(['\t', '\n'], " ")).collect();
        text.push_str(&cells.join("\t"));
        text.push('\n');
    }
    fs::write(path(), text)
}

/// The table, as README has it.
pub fn markdown(rows: &[Row]) -> String {
    let mut table = "| fault | times tried | lost | what the user saw |\n|---|---|---|---|\n".to_owned();
    for row in rows {
        let cell = |text: &str| text.replace('|', "\\|");
        // Writing to a string cannot fail.
        let _ =
            writeln!(table, "| {} | {} | {} | {} |", cell(&row.fault), grouped(row.tried), row.lost, cell(&row.saw));
    }
    table
}

/// 12345 as 12,345.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
