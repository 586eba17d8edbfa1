//! Synchronisation of a journal with a git remote: commit, fetch, merge, push.
//!
//! History is never rewritten and a push is never forced. Each step leaves a state from which the next run continues:
//! everything is committed before a merge, and merging the same texts twice changes nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    ATTACHMENTS, BodyHash, Vault, VaultError, attachment,
    day_names::names_in,
    files::{self, Lock},
    folders::MEMORY,
    git::{Git, Ran, without_credentials},
    merge::merge,
};

/// Name of the merge driver in git's configuration.
const DRIVER: &str = "merge.kioku.driver";
/// Name of the two commits of a merge in git's configuration, until its entries are joined.
const MERGED: &str = "kioku.merged";
/// How long a sync waits for that of another process.
const OTHER_SYNC_WAIT: Duration = Duration::from_secs(60);
const ATTRIBUTES: &[&str] = &[
    "*.md -text merge=kioku",
    "*.txt -text merge=kioku",
    "*.markdown -text merge=kioku",
    "*.org -text merge=kioku",
    ATTACHED,
];
/// Last, because the last pattern counts: an attached text is no journal, and its bytes must not change.
const ATTACHED: &str = "/attachments/** -text merge=binary";
/// Derived or private files. A history would keep texts that `forget` removes.
const IGNORED: &[&str] = &[".lock", ".kioku-*.tmp", "/.index/", "/trash/", "/recent/", "/drafts/", "/answers/"];
/// How often another device may push in between.
const PUSH_TRIES: usize = 5;
/// Prefix of the lines by which the merge driver reports clashes to [`Vault::sync`].
pub const CLASH: &str = "both versions kept: ";
/// Commit messages: git hosts show them, so they hold nothing of the journal.
const COMMIT: &str = "Update journal";
const MERGE: &str = "Merge journal";

/// Result of a synchronisation, or what it would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Synced {
    /// Number of files committed here.
    pub committed: usize,
    /// Number of commits received from the remote; a dry run only knows whether there are any, and `None` if the remote
    /// was not reached.
    pub received: Option<usize>,
    /// Number of commits sent.
    pub sent: usize,
    /// Entries changed on both devices, of which both versions were kept: name and file.
    pub clashes: Vec<String>,
    /// Entries that were deleted here and are back, because another device changed them: name and file.
    pub returned: Vec<String>,
    /// The remote's name; absent if there is none.
    pub remote: Option<String>,
    /// Why the remote could not be reached. Unless it is a dry run, the changes are committed here.
    pub offline: Option<String>,
}

/// The remote branch to synchronise with.
struct Upstream {
    remote: String,
    branch: String,
    /// Whether the branch exists on the remote.
    exists: bool,
    /// Whether git knows it as the branch to pull from.
    is_set: bool,
}

impl Upstream {
    fn name(&self) -> String {
        format!("refs/remotes/{}/{}", self.remote, self.branch)
    }

    /// The commits that the branch does not have.
    fn ahead(&self) -> String {
        if self.exists { format!("{}..HEAD", self.name()) } else { "HEAD".to_owned() }
    }
}

impl Vault {
    /// Makes the journal a git repository that merges by entry. `program` is the path of kioku, `remote` the address to
    /// synchronise with. Returns what changed; a second run changes nothing.
    pub fn init_sync(&self, program: &Path, remote: Option<&str>) -> Result<Vec<String>, VaultError> {
        let _lock = self.lock()?;
        let root = &self.options().root;
        let git = Git::new(root, false);
        let mut done = Vec::new();
        if git.ask(&["rev-parse", "--show-toplevel"])?.is_none() {
            git.must(&["init", "-q"])?;
            git.must(&["symbolic-ref", "HEAD", "refs/heads/main"])?;
            done.push("created a git repository".to_owned());
        }
        for (file, lines) in [(".gitattributes", ATTRIBUTES), (".gitignore", IGNORED)] {
            done.extend(add_lines(&root.join(file), lines)?.then(|| format!("added lines to {file}")));
        }
        done.extend(set_driver(&git, program)?.then(|| "installed the merge driver".to_owned()));
        if let Some(address) = remote {
            match git.ask(&["remote", "get-url", "origin"])? {
                None => {
                    git.must(&["remote", "add", "origin", address])?;
                    done.push(format!("added the remote {}", without_credentials(address)));
                }
                Some(present) if present == address => {}
                Some(present) => {
                    return Err(self.unsynced(format!(
                        "the remote `origin` is {} already; to change it: git -C '{}' remote set-url origin {}",
                        without_credentials(&present),
                        root.display(),
                        without_credentials(address)
                    )));
                }
            }
        }
        Ok(done)
    }

    /// Whether [`Vault::init_sync`] has run here.
    pub fn has_sync(&self) -> bool {
        let root = &self.options().root;
        root.join(".git").exists()
            && Git::new(root, false).ask(&["config", DRIVER]).is_ok_and(|driver| driver.is_some())
    }

    /// Whether git tracks files below a path of the journal, so that its history keeps forgotten texts.
    pub fn is_tracked(&self, path: &str) -> bool {
        let git = Git::new(&self.options().root, false);
        git.ask(&["ls-files", "--", path]).is_ok_and(|listed| listed.is_some())
    }

    /// Commits all changes, merges those of the remote, and sends the result. `may_ask`: git may ask for a password.
    pub fn sync(&self, program: &Path, may_ask: bool) -> Result<Synced, VaultError> {
        let git = Git::new(&self.options().root, may_ask);
        let folder = self.repository(&git)?;
        // Two at once would take each other's merge for an edit.
        let _only = Lock::wait(&folder.join("kioku-sync.lock"), OTHER_SYNC_WAIT)?;
        self.expect_no_git_lock()?;
        // A disk that is not mounted must not become the deletion of all entries on every device.
        if !self.entries_folder().is_dir() && self.is_tracked(MEMORY) {
            return Err(VaultError::FolderGone { path: self.entries_folder().to_path_buf() });
        }
        set_driver(&git, program)?;
        let committed = {
            let _lock = self.lock()?;
            add_lines(&self.options().root.join(".gitattributes"), ATTRIBUTES)?;
            commit_all(&git, COMMIT)?
        };
        let mut synced = Synced { committed, received: Some(0), ..Synced::default() };
        for _ in 0..PUSH_TRIES {
            let Some(remote) = remote_of(&git)? else { return Ok(synced) };
            synced.remote = Some(remote.clone());
            let fetched = git.run(&["fetch", "-q", &remote])?;
            if !fetched.is_ok {
                synced.offline = Some(fetched.reason());
                return Ok(synced);
            }
            let mut upstream = upstream_of(&git, remote)?;
            if upstream.exists {
                self.merge_upstream(&git, &upstream, &mut synced)?;
                if !upstream.is_set {
                    let name = format!("{}/{}", upstream.remote, upstream.branch);
                    git.must(&["branch", "-q", "--set-upstream-to", &name])?;
                }
            }
            // git keeps the last known branch of a remote that has lost it.
            let heads = files::read(&folder.join("FETCH_HEAD"))?.unwrap_or_default();
            upstream.exists &= String::from_utf8_lossy(&heads).contains(&format!("branch '{}' of ", upstream.branch));
            let ahead = count(&git, &upstream.ahead())?;
            if ahead == 0 {
                return Ok(synced);
            }
            let pushed =
                git.run(&["push", "-q", "-u", &upstream.remote, &format!("HEAD:refs/heads/{}", upstream.branch)])?;
            if pushed.is_ok {
                synced.sent += ahead;
                return Ok(synced);
            }
            if !(pushed.err.contains("[rejected]") || pushed.err.contains("fetch first")) {
                synced.offline = Some(pushed.reason());
                return Ok(synced);
            }
        }
        Err(VaultError::Busy { path: self.options().root.clone() })
    }

    /// What [`Vault::sync`] would do. Asks the remote, but changes nothing.
    pub fn plan_sync(&self) -> Result<Synced, VaultError> {
        let git = Git::new(&self.options().root, true);
        self.repository(&git)?;
        self.expect_no_git_lock()?;
        let status = git.must(&["status", "--porcelain", "--untracked-files=all"])?;
        let changed = status.lines().filter(|line| !line.starts_with("?? .merge_file_")).count();
        let mut plan = Synced { committed: changed, received: Some(0), ..Synced::default() };
        let Some(remote) = remote_of(&git)? else { return Ok(plan) };
        let mut upstream = upstream_of(&git, remote.clone())?;
        let listed = git.run(&["ls-remote", &remote, &format!("refs/heads/{}", upstream.branch)])?;
        if listed.is_ok {
            let newest = listed.out.split_whitespace().next();
            upstream.exists &= newest.is_some();
            let has = |commit: &str| git.run(&["merge-base", "--is-ancestor", commit, "HEAD"]).map(|ran| ran.is_ok);
            if let Some(commit) = newest {
                plan.received = Some(usize::from(!has(commit)?));
            }
        } else {
            plan.received = None;
            plan.offline = Some(listed.reason());
        }
        // Before the first commit, HEAD is no range.
        plan.sent = count(&git, &upstream.ahead()).unwrap_or_default() + usize::from(changed > 0);
        plan.remote = Some(remote);
        Ok(plan)
    }

    /// The folder of git's own files. Refuses a journal that is no repository of its own, or in which the user has begun
    /// something with git.
    fn repository(&self, git: &Git<'_>) -> Result<PathBuf, VaultError> {
        let root = &self.options().root;
        let unsynced = |reason: &str| Err(self.unsynced(reason.to_owned()));
        if !root.join(".git").exists() {
            let inside = git.ask(&["rev-parse", "--show-toplevel"]).ok().flatten();
            return match inside {
                Some(top) => unsynced(&format!("it is part of the repository {top}; commit and pull there with git")),
                None => unsynced("run `kioku sync init` first"),
            };
        }
        if git.ask(&["config", DRIVER])?.is_none() {
            return unsynced("run `kioku sync init` first");
        }
        let folder = PathBuf::from(git.must(&["rev-parse", "--absolute-git-dir"])?);
        let names = ["rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
        match names.iter().any(|name| folder.join(name).exists()) {
            true => unsynced("git is in the middle of a rebase or cherry-pick; finish it, see `git status`"),
            false => Ok(folder),
        }
    }

    /// An error while git is writing in the journal's repository, or after it was killed there.
    pub fn expect_no_git_lock(&self) -> Result<(), VaultError> {
        let root = &self.options().root;
        let locks = ["index.lock", "HEAD.lock", "config.lock"].map(|name| root.join(".git").join(name));
        let Some(lock) = locks.iter().find(|lock| lock.exists()) else { return Ok(()) };
        Err(self.unsynced(format!("git is writing there, or was killed; if no git runs, rm '{}'", lock.display())))
    }

    fn unsynced(&self, reason: String) -> VaultError {
        VaultError::Unsynced { path: self.options().root.clone(), reason }
    }

    fn merge_upstream(&self, git: &Git<'_>, upstream: &Upstream, synced: &mut Synced) -> Result<(), VaultError> {
        // Of a run that ended between its merge and this.
        self.join_all_moved(git, synced)?;
        let name = upstream.name();
        let new = count(git, &format!("HEAD..{name}"))?;
        if new == 0 {
            return Ok(());
        }
        for _ in 0..PUSH_TRIES {
            let lock = self.lock()?;
            git.must(&["config", MERGED, &git.must(&["rev-parse", "HEAD", &name])?])?;
            let ran = merge_branch(git, &name)?;
            let clashes = ran.err.lines().filter_map(|line| line.split_once(CLASH)).map(|(_, what)| what.to_owned());
            synced.clashes.extend(clashes);
            let is_open = git.ask(&["rev-parse", "-q", "--verify", "MERGE_HEAD"])?.is_some();
            if ran.is_ok || is_open {
                if is_open {
                    // A file that one device deleted and the other changed stays. A conflict in any other file is
                    // between markers, with both sides.
                    commit_all(git, MERGE)?;
                }
                // git removes a folder with its last file.
                files::create_dir(self.entries_folder())?;
                drop(lock);
                self.join_all_moved(git, synced)?;
                synced.received = Some(synced.received.unwrap_or_default() + new);
                return Ok(());
            }
            // Another program wrote a file since the commit.
            if commit_all(git, COMMIT)? == 0 {
                return Err(git.failed(&["merge"], &ran));
            }
        }
        Err(VaultError::Busy { path: self.options().root.clone() })
    }

    /// Joins the entries that the last merge left on several days and neither side had there.
    fn join_all_moved(&self, git: &Git<'_>, synced: &mut Synced) -> Result<(), VaultError> {
        let Some(commits) = git.ask(&["config", MERGED])? else { return Ok(()) };
        let (ours, theirs) = commits.split_once('\n').unwrap_or_default();
        let base = git.ask(&["merge-base", ours, theirs])?;
        // Reading all day files takes long: writers need not wait for it.
        let mut moved = self.on_several_days()?;
        moved.retain(|entry| {
            let join = |base: &String| self.join_moved(git, base, entry).unwrap_or(false);
            !self.had_all(git, ours, entry) && (self.had_all(git, theirs, entry) || !base.as_ref().is_some_and(join))
        });
        synced.clashes.extend(moved.into_iter().map(|(id, files)| format!("{id} in {}", files.join(" and "))));
        let _lock = self.lock()?;
        commit_all(git, MERGE)?;
        synced.returned.extend(returned(git, ours)?);
        git.must(&["config", "--unset", MERGED]).map(drop)
    }
}

/// The entries that are new since the commit `ours` and were deleted before it: names and files.
fn returned(git: &Git<'_>, ours: &str) -> Result<Vec<String>, VaultError> {
    let changes = git.must(&["diff-tree", "-r", "-p", "-U0", "--no-renames", ours, "HEAD"])?;
    let (mut file, mut new) = ("", Vec::new());
    for line in changes.lines() {
        file = line.strip_prefix("+++ b/").map_or(file, str::trim_end);
        new.extend(line.strip_prefix("+id: ").map(|id| (id, file)));
    }
    let mut log = vec!["log", "-p", "-U0", "--format=", "--no-color", "--no-ext-diff", "--no-renames", ours, "--"];
    log.extend(new.iter().map(|(_, file)| *file).collect::<BTreeSet<_>>());
    let history = if new.is_empty() { String::new() } else { git.must(&log)? };
    let gone: BTreeSet<&str> = history.lines().filter_map(|line| line.strip_prefix("-id: ")).collect();
    let mut back = Vec::new();
    for (id, file) in new.into_iter().filter(|(id, _)| gone.contains(id)) {
        // It may only have been in another place.
        if git.ask(&["grep", "-lF", "-e", &format!("id: {id}"), ours])?.is_none() {
            back.push(format!("{} in {file}", id.trim().trim_matches('"')));
        }
    }
    Ok(back)
}

fn merge_branch(git: &Git<'_>, name: &str) -> Result<Ran, VaultError> {
    // Two days with a similar text are no renamed file.
    let mut arguments = identity(git)?;
    arguments.extend(["-c", "merge.renames=false", "merge", "-q", "--no-edit", "--allow-unrelated-histories"]);
    arguments.extend(["-m", MERGE, name]);
    git.run(&arguments)
}

/// Merges the files that an interrupted merge of git left to be merged. A file that holds conflict markers has both
/// sides already, and one that a side deleted stays as it is.
fn settle_unmerged(git: &Git<'_>) -> Result<(), VaultError> {
    let mut stages: BTreeMap<String, [Option<String>; 3]> = BTreeMap::new();
    for line in git.must(&["ls-files", "--unmerged", "-z"])?.split_terminator('\0') {
        let Some((about, path)) = line.split_once('\t') else { continue };
        let mut words = about.split(' ').skip(1);
        if let (Some(id), Some(stage @ 1..=3)) =
            (words.next(), words.next().and_then(|stage| stage.parse::<usize>().ok()))
        {
            stages.entry(path.to_owned()).or_default()[stage - 1] = Some(id.to_owned());
        }
    }
    for (path, [base, ours, theirs]) in stages {
        let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
        let base = base.map_or(Ok(Vec::new()), |base| git.blob(&base))?;
        let (ours, theirs) = (git.blob(&ours)?, git.blob(&theirs)?);
        if let Some(name) = path.strip_prefix("attachments/").filter(|name| !name.contains('/')) {
            keep_both_attachments(&git.folder.join(ATTACHMENTS), name, [&ours, &theirs])?;
            continue;
        }
        let (name, path) = (&path, git.folder.join(&path));
        let Some(present) = files::read(&path)? else { continue };
        if !present.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"<<<<<<< ")) {
            let both = merge(&base, &ours, &theirs).bytes;
            match files::replace_if(&path, name, &present, &merge(&ours, &present, &both).bytes) {
                Err(VaultError::Changed { path, .. }) => return Err(VaultError::Busy { path }),
                done => done?,
            }
        }
    }
    Ok(())
}

/// Keeps both contents of a file that a program changed on one device: the one that was attached under its name, the
/// other under the name of its own content.
fn keep_both_attachments(folder: &Path, name: &str, contents: [&[u8]; 2]) -> Result<(), VaultError> {
    for content in contents {
        let own = attachment::name_of(&BodyHash::of(content).0, attachment::tail_of(name));
        if own == name {
            files::replace(&folder.join(name), content)?;
        } else {
            files::create(&folder.join(own), content)?;
        }
    }
    Ok(())
}

/// Commits every change, also a merge that was interrupted. Returns the number of files.
fn commit_all(git: &Git<'_>, message: &str) -> Result<usize, VaultError> {
    settle_unmerged(git)?;
    // Copies of merged files that a killed merge left. git has their contents.
    let left = names_in(git.folder)?.into_iter().filter(|name| name.starts_with(".merge_file_"));
    left.map(|name| git.folder.join(name)).filter(|path| path.is_file()).try_for_each(|path| files::remove(&path))?;
    git.must(&["add", "-A"])?;
    let files = git.must(&["diff", "--cached", "--name-only", "--no-renames"])?.lines().count();
    let is_merge = git.ask(&["rev-parse", "-q", "--verify", "MERGE_HEAD"])?.is_some();
    if files > 0 || is_merge {
        let mut arguments = identity(git)?;
        arguments.extend(["commit", "-q", "-m", message]);
        git.must(&arguments)?;
    }
    Ok(files)
}

/// Options that name an author, if git knows none.
fn identity(git: &Git<'_>) -> Result<Vec<&'static str>, VaultError> {
    let is_known = git.run(&["var", "GIT_COMMITTER_IDENT"])?.is_ok;
    Ok(if is_known { Vec::new() } else { vec!["-c", "user.name=kioku", "-c", "user.email=kioku@localhost"] })
}

fn count(git: &Git<'_>, range: &str) -> Result<usize, VaultError> {
    Ok(git.must(&["rev-list", "--count", range])?.parse().unwrap_or_default())
}

/// The remote of the current branch, else `origin`, else the only remote.
fn remote_of(git: &Git<'_>) -> Result<Option<String>, VaultError> {
    let branch = git.ask(&["symbolic-ref", "--short", "HEAD"])?.unwrap_or_default();
    if let Some(remote) = git.ask(&["config", &format!("branch.{branch}.remote")])? {
        return Ok(Some(remote));
    }
    let remotes = git.must(&["remote"])?;
    let mut names = remotes.lines();
    let origin = remotes.lines().find(|name| *name == "origin");
    Ok(origin.or_else(|| names.next().filter(|_| names.next().is_none())).map(str::to_owned))
}

/// The branch to synchronise with: that of the last time, else of the same name, else the remote's only or main one.
fn upstream_of(git: &Git<'_>, remote: String) -> Result<Upstream, VaultError> {
    let local = git.ask(&["symbolic-ref", "--short", "HEAD"])?.unwrap_or_else(|| "main".to_owned());
    let prefix = format!("refs/remotes/{remote}/");
    let listed = git.must(&["for-each-ref", "--format=%(refname)", &prefix])?;
    let branches: Vec<&str> =
        listed.lines().filter_map(|name| name.strip_prefix(&prefix)).filter(|name| *name != "HEAD").collect();
    let set = git.ask(&["config", &format!("branch.{local}.merge")])?;
    let set = set.as_deref().and_then(|name| name.strip_prefix("refs/heads/"));
    let only = (branches.len() == 1).then(|| branches[0]);
    let candidates = [set, Some(&local), only, Some("main"), Some("master")];
    let found = candidates.into_iter().flatten().find(|name| branches.contains(name));
    let branch = found.or(set).unwrap_or(&local).to_owned();
    Ok(Upstream { exists: found.is_some(), is_set: set == Some(&branch), remote, branch })
}

/// Points git to this program's merge driver. Returns whether it did not already.
fn set_driver(git: &Git<'_>, program: &Path) -> Result<bool, VaultError> {
    let program = program.to_string_lossy().replace('\\', "/").replace('\'', r"'\''");
    let driver = format!("'{program}' merge-file %O %A %B %P");
    if git.ask(&["config", DRIVER])?.as_deref() == Some(&driver) {
        return Ok(false);
    }
    git.must(&["config", "merge.kioku.name", "entries of a kioku journal"])?;
    git.must(&["config", DRIVER, &driver])?;
    Ok(true)
}

/// Adds the lines that a file does not have. Returns whether there were any.
fn add_lines(path: &Path, lines: &[&str]) -> Result<bool, VaultError> {
    let present = files::read(path)?.unwrap_or_default();
    let has = |line: &str| present.split(|byte| *byte == b'\n').any(|other| other.trim_ascii() == line.as_bytes());
    let missing: Vec<&str> = lines.iter().copied().filter(|line| !has(line)).collect();
    if missing.is_empty() {
        return Ok(false);
    }
    let mut bytes = present;
    if bytes.last().is_some_and(|byte| *byte != b'\n') {
        bytes.push(b'\n');
    }
    missing.iter().for_each(|line| bytes.extend_from_slice(format!("{line}\n").as_bytes()));
    files::replace(path, &bytes)?;
    Ok(true)
}
