//! Is anything lost? Long runs of the real program under faults, and the table of what came of them.
//!
//! ```text
//! cargo bench --profile dev --bench soak -- kill 3000     kills over all verbs, deletions included
//! cargo bench --bench soak -- crowd 600                   four writers, an editor, a sync tool, the screens, for 600 s
//! cargo bench --bench soak -- soak 3600                   one hour of use of 100,000 entries
//! cargo bench --bench soak -- swap 100                    another machine's index in the place of this one's
//! cargo bench --bench soak -- damage 1000                 damaged files of the index
//! cargo bench --bench soak -- clock 200                   a clock that goes back
//! cargo bench --bench soak -- table                       the table of README's section Trust
//! ```
//!
//! `--seed N` repeats or varies a run, `--method steps|delays|calls` is one way to kill (steps: only a debug build has them;
//! calls: with strace), `--entries N` the size of the journal of a soak, `--binary PATH` another kioku, `--keep` leaves the folder
//! of what failed, `--record` puts the result into `results.tsv`. The exit code is 1 where something was lost or did not work.

#![allow(clippy::print_stdout, reason = "a report on a terminal")]

#[cfg(unix)]
mod crowd;
#[cfg(unix)]
mod dice;
#[cfg(unix)]
mod home;
#[cfg(unix)]
mod kill;
#[cfg(unix)]
mod long;
#[cfg(unix)]
mod model;
#[cfg(unix)]
mod odd;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod screen;
mod table;
#[cfg(unix)]
mod texts;

#[cfg(unix)]
#[path = "../corpus/mod.rs"]
#[allow(dead_code, reason = "this bench uses a part of it")]
mod corpus;

use std::process::ExitCode;

/// What a run is asked for.
struct SoakOptions {
    what: String,
    /// How many, or how many seconds.
    amount: Option<usize>,
    rest: Vec<String>,
    seed: u64,
    method: String,
    entries: usize,
    binary: std::path::PathBuf,
    keep: bool,
    record: bool,
}

impl SoakOptions {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut asked = Self {
            what: String::new(),
            amount: None,
            rest: Vec::new(),
            seed: 16,
            method: "all".to_owned(),
            entries: 100_000,
            binary: env!("CARGO_BIN_EXE_kioku").into(),
            keep: false,
            record: false,
        };
        // cargo bench adds `--bench`.
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("{text} is no number"));
            match argument.as_str() {
                "--seed" => asked.seed = number(value()?)? as u64,
                "--method" => asked.method = value()?,
                "--entries" => asked.entries = number(value()?)?,
                "--binary" => {
                    let path = value()?;
                    asked.binary = std::path::absolute(&path).map_err(|error| format!("{path}: {error}"))?;
                }
                "--keep" => asked.keep = true,
                "--record" => asked.record = true,
                option if option.starts_with("--") => return Err(format!("there is no option {option}")),
                _ if asked.what.is_empty() => asked.what = argument,
                _ if asked.amount.is_none() && argument.parse::<usize>().is_ok() => {
                    asked.amount = argument.parse().ok()
                }
                _ => asked.rest.push(argument),
            }
        }
        Ok(asked)
    }

    fn command(&self) -> String {
        let amount = self.amount.map(|amount| format!(" {amount}")).unwrap_or_default();
        format!("{}{amount} --seed {}", self.what, self.seed)
    }
}

fn main() -> ExitCode {
    let done = SoakOptions::parse(std::env::args().skip(1)).and_then(|asked| match asked.what.as_str() {
        "" => {
            println!("kill N, crowd SECONDS, soak SECONDS, swap N, damage N, clock N, table");
            Ok(true)
        }
        "table" => {
            print!("{}", table::markdown(&table::read().map_err(|error| error.to_string())?));
            Ok(true)
        }
        // What other programs found out, such as a fuzzer: note FAULT TRIED LOST SAW.
        "note" => note(&asked).map(|()| true),
        #[cfg(unix)]
        _ => report::run(&asked),
        #[cfg(not(unix))]
        _ => Err("the runs need Unix".to_owned()),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(fault) => {
            println!("{fault}");
            ExitCode::from(2)
        }
    }
}

fn note(asked: &SoakOptions) -> Result<(), String> {
    let (Some(tried), [fault, lost, saw]) = (asked.amount, asked.rest.as_slice()) else {
        return Err("note FAULT TRIED LOST SAW".to_owned());
    };
    let lost = lost.parse().map_err(|_| format!("{lost} is no number"))?;
    let row = table::Row { fault: fault.clone(), tried: tried as u64, lost, saw: saw.clone(), command: String::new() };
    table::record(row).map_err(|error| error.to_string())
}
