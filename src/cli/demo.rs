//! `kioku demo`: a throwaway copy of a small journal, to look around in.
//!
//! The day files travel inside the program, so that a demo needs no installation and no network.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Context, Done, Failure, Outcome, Run, output, screens};
use crate::{config::Journal, journal::files, report::Report};

macro_rules! day_files {
    ($($day:literal),* $(,)?) => {
        /// File names and texts of `assets/demo/memory`.
        const DAY_FILES: &[(&str, &str)] =
            &[$((concat!($day, ".md"), include_str!(concat!("../../assets/demo/memory/", $day, ".md")))),*];
    };
}

day_files![
    "2025-06-11",
    "2025-07-19",
    "2025-08-02",
    "2025-08-15",
    "2026-05-04",
    "2026-05-06",
    "2026-05-08",
    "2026-05-10",
    "2026-05-11",
    "2026-05-14",
    "2026-05-16",
    "2026-05-19",
    "2026-05-22",
    "2026-05-24",
    "2026-05-27",
    "2026-05-30",
    "2026-06-01",
    "2026-06-03",
    "2026-06-04",
    "2026-06-07",
    "2026-06-08",
    "2026-06-09",
    "2026-06-10",
    "2026-06-11",
    "2026-06-12",
    "2026-06-13",
    "2026-06-15",
    "2026-06-18",
    "2026-06-20",
    "2026-06-21",
    "2026-06-24",
    "2026-06-25",
    "2026-06-28",
    "2026-07-01",
    "2026-07-03",
    "2026-07-05",
    "2026-07-07",
    "2026-07-08",
    "2026-07-09",
    "2026-07-10",
    "2026-07-11",
    "2026-07-14",
    "2026-07-15",
    "2026-07-16",
    "2026-07-19",
    "2026-07-22",
    "2026-07-25",
    "2026-07-28",
    "2026-07-31",
    "2026-08-02",
    "2026-08-05",
    "2026-08-07",
    "2026-08-09",
    "2026-08-11",
    "2026-08-13",
    "2026-08-15",
    "2026-08-18",
    "2026-08-20",
    "2026-08-21",
    "2026-08-23",
    "2026-08-27",
    "2026-08-28",
    "2026-08-30",
];

/// Look around in a small journal that is thrown away afterwards
#[derive(Debug, Args)]
#[command(after_help = "Without a terminal it prints the folder it made: kioku --vault \"$(kioku demo)\" search river")]
pub struct Demo {}

impl Run for Demo {
    fn run(self, context: &mut Context) -> Outcome {
        let folder = tempfile::Builder::new()
            .prefix("kioku-demo-")
            .tempdir()
            .map_err(|error| Report::data(format!("making a folder for the demo: {error}")))?;
        let vault = write(folder.path())?;
        if !screens::on_terminal() {
            let _ = folder.keep();
            context.out.line(vault.display())?;
            return Ok(Done::Done);
        }
        output::note("this is a copy: change what you like, it is gone when you leave");
        context.journal = Journal::Folder(vault);
        // Nothing of the demo, history included, reaches the own home folder. The models stay where they are.
        context.state = folder.path().join("state");
        screens::open(context)
    }
}

/// Writes the demo journal below `home`; returns its folder.
fn write(home: &Path) -> Result<PathBuf, Failure> {
    let vault = home.join("demo");
    let memory = vault.join("memory");
    files::create_dir(&memory)?;
    for (name, text) in DAY_FILES {
        files::replace(&memory.join(name), text.as_bytes())?;
    }
    Ok(vault)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_day_file_of_the_assets_travels_with_the_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo/memory");
        let there: BTreeSet<String> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let here: BTreeSet<String> = DAY_FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(here, there);
    }

    #[test]
    fn the_copy_has_every_day() {
        let home = tempfile::tempdir().unwrap();
        let vault = write(home.path()).unwrap();
        assert_eq!(vault.join("memory").read_dir().unwrap().count(), DAY_FILES.len());
    }
}
