//! `kioku doctor`: check of the journal, index, model and configuration.

use std::{fs, path::Path};

use clap::Args;
use serde::Serialize;

use super::{
    Context, Failure, Outcome, Output, ProgressLine, Run, counted, editor,
    llm::{self, LlmFindings},
    output, probe, repair,
    verify::{self, Verified},
};
use crate::{
    embed::ModelStamp,
    extract::language,
    index::{LegHealth, Snapshot},
    journal::{AttachmentReport, INDEX_FOLDER, LinkedFile, Notice, Orphan},
    report::Report,
    search::json::Versioned,
    search::{LegId, PerLeg, legs},
    session::{DOCTOR_LISTS, ModelChange, Session},
    tui,
};

/// Check the journal and its index
#[derive(Debug, Args)]
pub struct Doctor {
    /// Read every day file again and compare it with the index
    #[arg(long)]
    verify: bool,
    /// Repair entries torn by git and conflict copies of sync programs; move attachments that nothing names to the trash
    #[arg(long, conflicts_with = "json")]
    repair: bool,
    /// Do not ask for confirmation
    #[arg(long, requires = "repair")]
    yes: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The findings. Those that need the user's attention come last.
#[derive(Debug, Serialize)]
struct Findings {
    journal: JournalFindings,
    /// Absent if it could not be opened; `errors` has the reason.
    index: Option<IndexFindings>,
    model: Option<ModelStamp>,
    /// Present during a switch, while the old model still answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    model_change: Option<ModelChange>,
    /// Absent if its state cannot be read; `errors` has the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    llm: Option<Versioned<LlmFindings>>,
    drafts: usize,
    trash: usize,
    attachments: AttachmentReport,
    config: ConfigFindings,
    lexicon: LexiconFindings,
    /// Problems in the vault's files.
    notices: Vec<Notice>,
    /// A warning if other users of this machine can read the journal.
    permissions: Option<String>,
    /// A warning if git tracks the index, whose history would keep forgotten texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    tracked: Option<String>,
    /// Warnings of the session.
    told: Vec<String>,
    errors: Vec<String>,
    verified: Option<Verified>,
    /// Number of hits of a test search on each leg; absent without an index.
    searched: Option<PerLeg<Option<usize>>>,
}

#[derive(Debug, Serialize)]
struct JournalFindings {
    name: String,
    path: String,
    files: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct IndexFindings {
    path: String,
    bytes: u64,
    #[serde(rename = "generation")]
    checkpoint: u64,
    entries: usize,
    legs: LegFindings,
}

#[derive(Debug, Serialize)]
struct LegFindings {
    #[serde(flatten)]
    health: PerLeg<LegHealth>,
    /// Absent with a static model, which has no contextual word vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    words_in_sentence: Option<LegHealth>,
}

#[derive(Debug, Serialize)]
struct ConfigFindings {
    path: String,
    complaints: Vec<String>,
}

/// The journal's own word lists.
#[derive(Debug, Serialize)]
struct LexiconFindings {
    own: Vec<String>,
    complaints: Vec<String>,
}

impl Run for Doctor {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        if self.repair {
            repair::repair(context, &mut session, self.yes)?;
        }
        let findings = examine(context, &mut session, self.verify);
        context.answer(&findings, self.json, print_findings)?;
        context.end(findings.trouble())
    }
}

impl Findings {
    /// The report with which the command fails, if anything needs the user's attention.
    fn trouble(&self) -> Option<Report> {
        let disagreements = self.verified.as_ref().map_or(0, |verified| verified.disagreements.len());
        if disagreements > 0 {
            return Some(
                Report::data(format!(
                    "the index disagrees with the day files in {}",
                    counted(disagreements, "place", "places")
                ))
                .hint("run `kioku index --rebuild`"),
            );
        }
        if !self.errors.is_empty() {
            return Some(Report::data(format!("{} failed", counted(self.errors.len(), "check", "checks"))));
        }
        let problems = self.notices.len()
            + self.attachments.missing.len()
            + self.attachments.changed.len()
            + self.config.complaints.len()
            + self.lexicon.complaints.len()
            + usize::from(self.tracked.is_some());
        (problems > 0).then(|| Report::data(format!("{} found", counted(problems, "problem", "problems"))))
    }

    /// A line for each attachment that needs attention.
    fn attachment_lines(&self) -> impl Iterator<Item = String> {
        let AttachmentReport { missing, not_here, orphaned, changed, .. } = &self.attachments;
        let linked = |why: &'static str| move |link: &LinkedFile| format!("{} of {} {why}", link.path, link.id);
        let orphan = |orphan: &Orphan| match orphan.in_trash {
            true => format!("{}: only the trash or a draft names it", orphan.path),
            false => format!("{}: no entry names it", orphan.path),
        };
        let changed = changed.iter().map(|path| format!("{path}: its content is not what was attached"));
        let missing = missing.iter().map(linked("is missing"));
        let absent = not_here.iter().map(linked("is not downloaded yet"));
        missing.chain(absent).chain(orphaned.iter().map(orphan)).chain(changed)
    }

    /// Prints a row for each part. A row with an empty label continues the one before.
    fn print_rows(&self, out: &mut Output) {
        let mut row = |label: &str, text: String| out.row(11, label, text);
        let JournalFindings { name, path, files, bytes } = &self.journal;
        row(
            "journal",
            format!("{name}: {}, {} in {path}", counted(*files, "day file", "day files"), output::bytes(*bytes)),
        );
        if let Some(IndexFindings { path, bytes, entries, legs, .. }) = &self.index {
            let size = output::bytes(*bytes);
            row("index", format!("{}, {size} in {path}", counted(*entries, "entry", "entries")));
            legs.health.iter().for_each(|(leg, found)| row(leg.name(), health(found)));
            legs.words_in_sentence.iter().for_each(|words| row("sentences", health(words)));
        }
        let model = self.model.as_ref().map_or("none: no search by meaning".to_owned(), |model| {
            let checksum = model.checksum.get(..12).unwrap_or(&model.checksum);
            format!("{}, {} dimensions ({checksum})", model.name, model.dimension)
        });
        row("model", model);
        if let Some(ModelChange { from, to, done, of, fault }) = &self.model_change {
            let state = fault.as_ref().map_or("run `kioku index` to finish".to_owned(), |why| format!("failed: {why}"));
            row("", format!("{} answers until {} is ready ({done} of {of} passages); {state}", from.name, to.name));
        }
        if let Some(text) = self.llm.as_ref().and_then(|found| llm::row(&found.answer)) {
            row("llm", text);
        }
        row("drafts", self.drafts.to_string());
        row("trash", self.trash.to_string());
        if self.attachments.files > 0 {
            let size = output::bytes(self.attachments.bytes);
            row("attachments", format!("{}, {size}", counted(self.attachments.files, "file", "files")));
        }
        let searched = self.searched.iter().flat_map(PerLeg::iter);
        let searched = searched.filter_map(|(leg, hits)| Some(format!("{} {}", leg.name(), (*hits)?)));
        let searched = searched.collect::<Vec<_>>().join(", ");
        if !searched.is_empty() {
            row("searched", format!("{searched} found"));
        }
        row("config", self.config.path.clone());
        self.config.complaints.iter().for_each(|complaint| row("", complaint.clone()));
        if !self.lexicon.own.is_empty() {
            row("lexicon", format!("your own {}", self.lexicon.own.join(", ")));
        }
        if let Some(Verified { entries, files, disagreements }) = &self.verified {
            let result = match disagreements.len() {
                0 => "the index agrees".to_owned(),
                several => counted(several, "disagreement", "disagreements"),
            };
            row(
                "verified",
                format!(
                    "{} in {} read again: {result}",
                    counted(*entries, "entry", "entries"),
                    counted(*files, "file", "files")
                ),
            );
        }
    }
}

/// Errors of single checks.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn keep(&mut self, report: &Report) {
        self.0.push(report.chain.join(": "));
    }

    /// The result of a check, or `None` with the error recorded.
    fn ok_or_kept<T, E: Into<Failure>>(&mut self, part: Result<T, E>) -> Option<T> {
        part.map_err(|error| {
            if let Failure::Report(report) = error.into() {
                self.keep(&report)
            }
        })
        .ok()
    }
}

/// Runs all checks. The failure of one does not prevent the others.
fn examine(context: &Context, session: &mut Session, verify: bool) -> Findings {
    let (mut faults, mut told) = (Faults::default(), Vec::new());
    let files = faults.ok_or_kept(session.vault().files()).unwrap_or_default();
    let drafts = faults.ok_or_kept(session.vault().drafts()).unwrap_or_default().len();
    let model = faults.ok_or_kept(session.model()).flatten();
    let snapshot = faults.ok_or_kept(session.snapshot());
    // Count after the scan, which adds vanished entries.
    let trash = faults.ok_or_kept(session.vault().trash()).unwrap_or_default().len();
    // Commit now, so that an error is reported here.
    if snapshot.is_some() {
        faults.ok_or_kept(session.commit());
    }
    let model_fault = snapshot.as_ref().and_then(|snapshot| session.model_fault(snapshot));
    if let Some(why) = &model_fault {
        faults.0.push(format!("search by meaning does not work: {why}"));
    }
    let model_change = faults.ok_or_kept(session.model_change()).flatten();
    let model_change = model_change.map(|change| {
        let fault = change.fault.clone().or_else(|| session.fault_of(&change.to));
        ModelChange { fault, ..change }
    });
    if let Some(ModelChange { to, fault: Some(why), .. }) = &model_change {
        faults.0.push(format!("the model {} cannot be used: {why}", to.name));
    }
    // The files that a warning counts are listed one by one.
    told.extend(session.warnings().into_iter().filter(|warning| !warning.ends_with(DOCTOR_LISTS)));
    let lock = session.vault().options().root.join(".lock");
    if lock.is_dir() {
        faults.0.push(format!("open lock {}: it is a folder", lock.display()));
    }
    faults.ok_or_kept(session.vault().expect_no_git_lock());
    if let Some(error) = session.index_fault() {
        faults.keep(&error.into());
    }
    let searched = snapshot.as_ref().map(|snapshot| probe::probe(session, snapshot, &context.now, &mut faults.0));
    told.extend(editor::left_over(&context.state));
    let verified = match (&snapshot, verify) {
        (Some(_), true) => {
            let mut line = ProgressLine::stderr();
            faults.ok_or_kept(verify::verify(session, &mut |now| {
                line.step(now);
            }))
        }
        _ => None,
    };
    let vault = session.vault();
    let attachments = if verify { vault.verify_attachments() } else { vault.check_attachments() };
    let attachments = faults.ok_or_kept(attachments).unwrap_or_default();
    let llm = faults.ok_or_kept(llm::findings(context, session.vault(), snapshot.as_deref())).map(Versioned::new);
    let root = context.journal.root(&context.paths);
    let own_lists = language::own().iter().map(|list| list.name.clone()).collect();
    Findings {
        journal: JournalFindings {
            name: context.journal.name(),
            path: session.vault().entries_folder().display().to_string(),
            files: files.len(),
            bytes: files.iter().map(|file| file.size).sum(),
        },
        index: snapshot.as_ref().map(|snapshot| index_findings(session, snapshot, model_fault)),
        model,
        model_change,
        llm,
        drafts,
        trash,
        attachments,
        config: ConfigFindings {
            path: context.paths.config.display().to_string(),
            complaints: tui::faults(&context.tui_options()),
        },
        lexicon: LexiconFindings { own: own_lists, complaints: context.list_faults.clone() },
        notices: snapshot.map(|snapshot| snapshot.catalog.notices.clone()).unwrap_or_default(),
        permissions: open_to_others(&root),
        tracked: session.vault().is_tracked(INDEX_FOLDER).then(|| {
            let (root, folder) = (root.display(), INDEX_FOLDER);
            format!("git tracks the index: run `git -C '{root}' rm -r --cached {folder}`")
        }),
        told,
        errors: faults.0,
        verified,
        searched,
    }
}

fn index_findings(session: &Session, snapshot: &Snapshot, model_fault: Option<String>) -> IndexFindings {
    let folder = session.vault().index_folder();
    IndexFindings {
        bytes: size_of_folder(&folder),
        path: folder.display().to_string(),
        checkpoint: snapshot.checkpoint,
        entries: snapshot.catalog.entries().len(),
        legs: LegFindings {
            health: PerLeg::of(|leg| match &model_fault {
                Some(why) if leg == LegId::Vector => LegHealth::Off { why: why.clone() },
                _ => legs::leg(leg).health(snapshot).clone(),
            }),
            words_in_sentence: snapshot.word_health.clone(),
        },
    }
}

/// Total size of all files below a folder, without unreadable ones.
fn size_of_folder(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size_of_folder(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

/// A warning if other users of this machine can read the journal.
#[cfg(unix)]
fn open_to_others(root: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(root).ok()?.permissions().mode() & 0o777;
    (mode & 0o077 != 0)
        .then(|| format!("{} is readable by other users (mode {mode:o}): run `chmod 700`", root.display()))
}

#[cfg(not(unix))]
fn open_to_others(_: &Path) -> Option<String> {
    None
}

fn print_findings(out: &mut Output, findings: &Findings) {
    findings.print_rows(out);
    for notice in &findings.notices {
        let line = format!("{}:{}: {}", notice.file, notice.line, notice.message);
        out.line(out.safe(&line));
    }
    if findings.notices.iter().any(|notice| notice.kind.is_surely_damage()) {
        output::note("run `kioku doctor --repair`; every version is kept as an entry");
    }
    findings.attachment_lines().for_each(|line| out.line(out.safe(&line)));
    let loose = findings.attachments.orphaned.iter().filter(|orphan| !orphan.in_trash).count();
    if loose > 0 {
        let files = counted(loose, "file", "files");
        output::note(format_args!("`kioku doctor --repair` moves {files} to the trash, after a question"));
    }
    if !findings.attachments.missing.is_empty() {
        output::note("`kioku doctor --repair` looks in the trash; else copy the file there from a backup");
    }
    let disagreements = findings.verified.iter().flat_map(|verified| &verified.disagreements);
    let told = findings.told.iter().chain(&findings.permissions).chain(&findings.tracked).chain(disagreements);
    told.for_each(|line| out.line(line));
    findings.errors.iter().for_each(output::warn);
}

fn health(health: &LegHealth) -> String {
    match health {
        LegHealth::Ready => "ready".to_owned(),
        LegHealth::Building { done, of } => format!("{done} of {of} passages; run `kioku index` to finish"),
        LegHealth::Off { why } => format!("off: {why}"),
    }
}
