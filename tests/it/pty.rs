//! Smoke tests of the real program on a real pseudo terminal: it starts, and restores the terminal.

#![cfg(unix)]

use std::{
    io::{Read, Write},
    num::NonZero,
    path::Path,
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use kioku::tui::terminal::Screen;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// A timeout for slow build machines; a passing test never waits this long.
const PATIENCE: Duration = Duration::from_secs(30);

fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).unwrap()
}

/// A terminal of 80x24 with a program in it.
pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    input: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    child: Box<dyn Child + Send + Sync>,
    terminal: vt100::Parser,
}

impl Pty {
    pub fn spawn(command: CommandBuilder) -> Self {
        let pair = native_pty_system()
            .openpty(PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 })
            .expect("a pseudo terminal");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let input = pair.master.take_writer().unwrap();
        Self { master: pair.master, input, output, child, terminal: vt100::Parser::new(cells(24), cells(80), 0) }
    }

    pub fn keys(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    pub fn screen(&self) -> String {
        self.terminal.screen().contents()
    }

    /// Reads until `holds` is true; fails with the last screen.
    #[track_caller]
    fn until(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let begun = Instant::now();
        while !holds(self.terminal.screen()) {
            match self.output.recv_timeout(PATIENCE.saturating_sub(begun.elapsed())) {
                Ok(bytes) => self.terminal.process(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("waited in vain for {what}:\n{}", self.screen()),
                Err(RecvTimeoutError::Disconnected) => panic!("it ended before {what}:\n{}", self.screen()),
            }
        }
    }

    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    /// Waits for the exit; returns the exit code.
    #[track_caller]
    pub fn ended(&mut self) -> u32 {
        let begun = Instant::now();
        loop {
            match self.output.recv_timeout(PATIENCE.saturating_sub(begun.elapsed())) {
                Ok(bytes) => self.terminal.process(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end:\n{}", self.screen()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.child.wait().unwrap().exit_code()
    }

    #[track_caller]
    fn assert_restored(&self) {
        let screen = self.terminal.screen();
        assert!(!screen.alternate_screen(), "still on the alternate screen:\n{}", self.screen());
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "bracketed paste is on");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }
}

pub fn command(home: &Path, program: &str) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    for (name, value) in [("KIOKU_HOME", home.join("home")), ("KIOKU_CONFIG", home.join("config.toml"))] {
        command.env(name, value);
    }
    command.env("HOME", home);
    command.env("KIOKU_NOW", "2026-11-20T09:00:00+07:00");
    command.env("TERM", "xterm-256color");
    command.env_remove("VISUAL");
    // A backtrace would push the message off the screen.
    command.env("RUST_BACKTRACE", "0");
    command
}

pub const KIOKU: &str = env!("CARGO_BIN_EXE_kioku");

/// A journal with one entry of this morning.
pub fn journal() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let mut add = command(home.path(), KIOKU);
    add.args(["add", "--at", "2026-11-20T08:05", "--mood", "relieved", "Bread and soup by the lake."]);
    assert_eq!(Pty::spawn(add).ended(), 0);
    home
}

/// The program on a [`journal`].
fn started(home: &Path) -> Pty {
    let mut pty = Pty::spawn(command(home, KIOKU));
    pty.wait_for("Bread and soup");
    pty
}

/// The same with the form of a new entry open.
fn composing(home: &Path) -> Pty {
    let mut pty = started(home);
    pty.keys("n");
    pty.wait_for("New entry");
    pty
}

/// The program is over without an error.
#[track_caller]
fn quit(mut pty: Pty, key: &str) {
    pty.keys(key);
    assert_eq!(pty.ended(), 0, "{}", pty.screen());
}

#[test]
fn it_starts_and_quits_and_the_shell_has_its_terminal_back() {
    let home = journal();
    let mut shell = command(home.path(), "sh");
    // The shell must see exactly the same terminal settings before and after.
    shell.args(["-c", "stty -g >before; \"$0\"; code=$?; stty -g >after; cmp before after && echo same $code", KIOKU]);
    shell.cwd(home.path());
    let mut pty = Pty::spawn(shell);
    pty.wait_for("Bread and soup");
    assert!(pty.terminal.screen().alternate_screen() && pty.terminal.screen().bracketed_paste());
    pty.keys("q");
    assert_eq!(pty.ended(), 0);
    assert!(pty.screen().contains("same 0"), "{}", pty.screen());
    pty.assert_restored();
}

#[test]
fn it_follows_the_size_of_its_window() {
    let home = journal();
    let mut pty = started(home.path());
    for (rows, cols) in [(10, 40), (40, 120)] {
        pty.terminal.screen_mut().set_size(cells(rows), cells(cols));
        pty.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let last = usize::from(rows) - 1;
        pty.until("the hint line at the new bottom", |screen| {
            screen.rows(0, cols).nth(last).is_some_and(|line| line.contains("quit"))
        });
    }
    quit(pty, "q");
}

#[test]
fn what_is_typed_and_saved_is_in_the_file() {
    let home = journal();
    let mut pty = composing(home.path());
    pty.keys("Chữ tiếng Việt, 日本語");
    pty.wait_for("日本語");
    pty.keys("\x13");
    let file = home.path().join("home/journals/personal/memory/2026-11-20.md");
    pty.until("the saved entry", |_| std::fs::read_to_string(&file).is_ok_and(|text| text.contains("日本語")));
    pty.wait_for("2 entries");
    quit(pty, "q");
}

#[test]
fn the_editor_gets_the_terminal_and_kioku_gets_it_back() {
    let home = journal();
    let mut kioku = command(home.path(), KIOKU);
    kioku.env("EDITOR", "stty -a | grep -qw icanon && printf 'A plain terminal, said the editor.\\n' >");
    let mut pty = Pty::spawn(kioku);
    pty.wait_for("Bread and soup");
    pty.keys("E");
    let file = home.path().join("home/journals/personal/memory/2026-11-20.md");
    pty.until("the edited entry", |_| {
        std::fs::read_to_string(&file).is_ok_and(|text| text.contains("said the editor"))
    });
    pty.wait_for("quit");
    assert!(pty.terminal.screen().alternate_screen());
    pty.keys("q");
    assert_eq!(pty.ended(), 0);
    pty.assert_restored();
}

#[test]
fn the_editor_gets_the_head_of_a_new_entry() {
    let home = journal();
    let add = |editor: &str| {
        let mut add = command(home.path(), KIOKU);
        add.args(["add", "--tag", "lake"]);
        add.env("EDITOR", editor);
        let mut pty = Pty::spawn(add);
        (pty.ended(), pty.screen())
    };
    let fill = "sed -i.old -e 's/^time: 2026-11-20.*/time: yesterday 3pm/' -e 's/^mood:/mood: calm/' -e '$aFog.'";
    assert_eq!(add(fill).0, 0);
    let file = home.path().join("home/journals/personal/memory/2026-11-19.md");
    let text = std::fs::read_to_string(file).unwrap();
    for part in ["2026-11-19T15:00", "mood: \"calm\"", "tags: [\"lake\"]", "\nFog."] {
        assert!(text.contains(part), "{text}");
    }
    for (editor, code, told) in [
        ("true", 1, "empty text: nothing saved"),
        ("sed -i.old -e 's/^mood:/moood:/' -e '$aFog.'", 1, "unknown key `moood`"),
        ("printf 'Only a text.\\n' >", 0, ""),
    ] {
        let (ended, screen) = add(editor);
        assert_eq!((ended, screen.contains(told)), (code, true), "{editor}: {screen}");
    }
}

#[test]
fn a_change_in_a_followed_folder_appears_on_the_screen() {
    let home = journal();
    let outside = home.path().join("outside/2026");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("2026-11-18.md"), "Rain.\n").unwrap();
    let link = home.path().join("home/journals/personal/memory/old");
    std::os::unix::fs::symlink(home.path().join("outside"), link).unwrap();
    std::fs::write(home.path().join("config.toml"), "follow_links = true\n").unwrap();
    let mut pty = Pty::spawn(command(home.path(), KIOKU));
    pty.wait_for("We 18");
    std::fs::write(outside.join("2026-11-19.md"), "Snow.\n").unwrap();
    pty.wait_for("Th 19");
    quit(pty, "q");
}

#[test]
fn a_signal_to_end_keeps_what_was_being_typed() {
    let home = journal();
    let mut pty = composing(home.path());
    pty.keys("half a sentence");
    pty.wait_for("half a sentence");
    signal(&pty, "-TERM");
    pty.ended();
    pty.assert_restored();
    let mut again = Pty::spawn(command(home.path(), KIOKU));
    again.wait_for("unsaved draft, 3 words");
    again.keys("\x11");
    again.ended();
}

/// Types a text into a new entry.
fn typing(home: &Path, text: &str) -> Pty {
    let mut pty = composing(home);
    pty.keys(text);
    pty.wait_for(text);
    pty
}

/// The text of all files in a folder of the journal.
fn texts(home: &Path, folder: &str) -> String {
    let files = std::fs::read_dir(home.join("home/journals/personal").join(folder)).into_iter().flatten().flatten();
    files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect()
}

/// The lock of the journal, as another program holds it.
fn lock(home: &TempDir) -> std::fs::File {
    let path = home.path().join("home/journals/personal/.lock");
    let lock = std::fs::File::options().write(true).open(path).unwrap();
    lock.lock().unwrap();
    lock
}

#[test]
fn a_save_that_waits_while_quitting_is_a_draft_until_it_is_written() {
    let home = journal();
    let journal = home.path().join("home/journals/personal");
    let lock = lock(&home);
    let mut pty = typing(home.path(), "half a thought");
    pty.keys("\x13\x11");
    pty.wait_for("another program may be");
    pty.assert_restored();
    assert!(texts(home.path(), "drafts").contains("half a thought"));
    lock.unlock().unwrap();
    assert_eq!(pty.ended(), 0, "{}", pty.screen());
    assert!(texts(home.path(), "memory").contains("half a thought"));
    assert!(!texts(home.path(), "drafts").contains("half a thought"));

    lock.lock().unwrap();
    let mut pty = typing(home.path(), "another thought");
    pty.keys("\x13\x11");
    pty.wait_for("another program may be");
    std::fs::rename(journal.join("memory"), journal.join("elsewhere")).unwrap();
    std::fs::write(journal.join("memory"), "no folder").unwrap();
    lock.unlock().unwrap();
    assert_eq!(pty.ended(), 1, "{}", pty.screen());
    assert!(pty.screen().contains("saving a new entry failed"), "{}", pty.screen());
    assert!(pty.screen().contains("its text is in"), "{}", pty.screen());
    assert!(texts(home.path(), "drafts").contains("another thought"));
}

#[test]
fn the_wait_for_a_save_while_quitting_is_ended_by_a_key_or_a_signal() {
    for end in ["\x11", "\x03", "TERM"] {
        let home = journal();
        let lock = lock(&home);
        let mut pty = typing(home.path(), "half a thought");
        pty.keys("\x13\x11");
        pty.wait_for("another program may be");
        let begun = Instant::now();
        if end == "TERM" {
            signal(&pty, "-TERM")
        } else {
            pty.keys(end)
        }
        assert_eq!(pty.ended(), 1, "{}", pty.screen());
        assert!(begun.elapsed() < Duration::from_secs(10), "it waited for the lock");
        pty.assert_restored();
        let screen = pty.screen().replace('\n', "");
        assert!(screen.contains("saving a new entry was stopped: 2026-11-20.md"), "{}", pty.screen());
        let (_, draft) = screen.split_once("its text is in ").unwrap();
        let draft = std::fs::read_to_string(draft.split(';').next().unwrap().trim()).unwrap();
        assert!(draft.contains("half a thought") && !texts(home.path(), "memory").contains("half a thought"));
        drop(lock);
    }
}

#[test]
fn text_without_a_draft_is_printed_when_quitting_twice_ends_the_wait_for_its_save() {
    let home = journal();
    let _lock = lock(&home);
    std::fs::write(home.path().join("home/journals/personal/drafts"), "no folder").unwrap();
    let mut pty = typing(home.path(), "half a thought");
    let begun = Instant::now();
    pty.keys("\x13\x11");
    pty.wait_for("File exists");
    pty.keys("\x11");
    assert_eq!(pty.ended(), 1, "{}", pty.screen());
    assert!(begun.elapsed() < Duration::from_secs(15), "it waited for the lock");
    let screen = pty.screen();
    assert!(
        screen.contains("saving a new entry was stopped: 2026-11-20.md") && screen.contains("in no file:"),
        "{screen}"
    );
    assert!(screen.contains("half a thought") && !screen.contains("its text is in"), "{screen}");
}

#[test]
fn a_disk_that_does_not_answer_does_not_keep_the_program() {
    let home = journal();
    // The index moves an entry that vanished to the trash, and waits for the journal.
    let _lock = lock(&home);
    std::fs::write(home.path().join("home/journals/personal/memory/2026-11-20.md"), "").unwrap();
    let mut pty = Pty::spawn(command(home.path(), KIOKU));
    pty.wait_for("1 Journal");
    pty.keys("q");
    pty.wait_for("saving the index");
    pty.keys("\x11");
    assert_eq!(pty.ended(), 0, "{}", pty.screen());
}

#[test]
fn text_that_cannot_be_kept_is_printed_at_the_end() {
    let home = journal();
    std::fs::write(home.path().join("home/journals/personal/drafts"), "no folder").unwrap();
    let mut pty = typing(home.path(), "half a thought");
    pty.keys("\x11");
    pty.wait_for("Text is not on disk");
    pty.keys("\x11");
    assert_eq!(pty.ended(), 1, "{}", pty.screen());
    pty.assert_restored();
    assert!(
        pty.screen().contains("this text is in no file:") && pty.screen().contains("half a thought"),
        "{}",
        pty.screen()
    );
    let mut pty = typing(home.path(), "half a thought");
    signal(&pty, "-TERM");
    assert_eq!(pty.ended(), 1);
    assert!(pty.screen().contains("half a thought"), "{}", pty.screen());
    let mut pty = typing(home.path(), "half a thought");
    pty.keys("\x13");
    pty.wait_for("2 entries");
    pty.keys("q");
    assert_eq!(pty.ended(), 0, "what is saved needs no draft: {}", pty.screen());
    assert!(texts(home.path(), "memory").contains("half a thought"));
}

#[test]
fn a_kill_in_the_middle_of_typing_loses_only_the_last_words() {
    let home = journal();
    let mut pty = composing(home.path());
    let drafts = home.path().join("home/journals/personal/drafts");
    let kept = || {
        let files = std::fs::read_dir(&drafts).into_iter().flatten().flatten().map(|file| file.path());
        let mut drafts = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
        drafts.next().and_then(|path| std::fs::read_to_string(path).ok())
    };
    // No pauses: the next word follows as soon as the one before is on the screen.
    let begun = Instant::now();
    let mut words = 0;
    while kept().is_none_or(|draft| !draft.contains("word5 ")) {
        assert!(begun.elapsed() < PATIENCE, "no draft was kept while {words} words were typed");
        words += 1;
        pty.keys(&format!("word{words} "));
        pty.wait_for(&format!("word{words}"));
    }
    signal(&pty, "-KILL");
    pty.ended();
    let draft = kept().unwrap();
    let last = draft.split_whitespace().last().unwrap();
    let mut again = Pty::spawn(command(home.path(), KIOKU));
    again.wait_for("unsaved draft");
    again.keys("n");
    // A fast machine types more than fits on the screen, which then shows the end.
    again.wait_for(last);
    again.keys("\x11");
    again.ended();
}

/// Runs one of the tests below in a terminal of its own, as a child process of this test program.
fn child(test: &str) -> Pty {
    let home = tempfile::tempdir().unwrap();
    let this = std::env::current_exe().unwrap();
    let mut again = command(home.path(), &this.to_string_lossy());
    again.args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    Pty::spawn(again)
}

#[test]
fn a_panic_gives_the_terminal_back_and_is_told_below() {
    let mut pty = child("pty::panics_while_drawing");
    assert_ne!(pty.ended(), 0);
    pty.assert_restored();
    assert!(pty.screen().contains("a fault on purpose"), "{}", pty.screen());
}

#[test]
fn a_workers_panic_leaves_the_screen_alone() {
    let mut pty = child("pty::a_worker_panics");
    pty.wait_for("still here");
    assert!(pty.terminal.screen().alternate_screen());
    assert!(!pty.screen().contains("a worker's fault"), "{}", pty.screen());
    pty.keys("\n");
    assert_eq!(pty.ended(), 0);
    pty.assert_restored();
}

#[test]
#[ignore = "run by a_panic_gives_the_terminal_back_and_is_told_below"]
fn panics_while_drawing() {
    let mut screen = Screen::enter(true).unwrap();
    screen.draw(|frame| frame.render_widget("fine", frame.area())).unwrap();
    screen.draw(|_| panic!("a fault on purpose")).unwrap();
}

#[test]
#[ignore = "run by a_workers_panic_leaves_the_screen_alone"]
fn a_worker_panics() {
    let mut screen = Screen::enter(true).unwrap();
    let worker = thread::spawn(|| panic!("a worker's fault"));
    assert!(worker.join().is_err());
    screen.draw(|frame| frame.render_widget("still here", frame.area())).unwrap();
    let _ = std::io::stdin().read(&mut [0]);
    drop(screen);
    let told = kioku::tui::terminal::worker_panics();
    assert!(told.iter().any(|line| line.contains("a worker's fault")), "{told:?}");
}

#[test]
fn queries_are_kept_between_sessions_until_somebody_wants_none_kept() {
    let home = journal();
    let session = |first: &str, keys: &str, wanted: &str| {
        let mut pty = started(home.path());
        pty.keys("/");
        pty.wait_for(first);
        pty.keys(keys);
        pty.wait_for(wanted);
        pty.wait_for("enter results");
        pty.keys("\x1b");
        // Outside the field plain letters are commands, and the hints name them; in it the key is `alt-?`.
        pty.wait_for("  ? help");
        quit(pty, "q");
    };
    let kept = || {
        let files = std::fs::read_dir(home.path().join("home/state/queries")).into_iter().flatten();
        files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect::<String>()
    };
    session("Ask in your own words", "soup", "> soup");
    assert_eq!(kept(), "soup\n");
    // The hint, unlike the text above it, appears only once the stored queries are loaded.
    session("up earlier queries", "\x1b[A", "> soup");
    std::fs::write(home.path().join("config.toml"), "history = false\n").unwrap();
    session("Ask in your own words", "bread", "> bread");
    assert_eq!(kept(), "");
}

#[test]
fn importing_several_people_asks_whose_entries() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("shared");
    for (part, text) in [("memory", "Mine."), ("users/lan/memory", "Of Lan.")] {
        std::fs::create_dir_all(folder.join(part)).unwrap();
        let entry = format!("---\ntime: \"2026-02-22T09:00:00+07:00\"\n---\n{text}\n");
        std::fs::write(folder.join(part).join("2026-02-22.md"), entry).unwrap();
    }
    let day = home.path().join("home/journals/personal/memory/2026-02-22.md");
    for (answer, code, stands) in [("\r", 1, false), ("lan\r", 0, true)] {
        let mut import = command(home.path(), KIOKU);
        import.args(["import", "kioku", &folder.to_string_lossy()]);
        let mut pty = Pty::spawn(import);
        pty.wait_for("import which user?");
        pty.keys(answer);
        assert_eq!(pty.ended(), code, "{}", pty.screen());
        assert_eq!(std::fs::read_to_string(&day).is_ok_and(|text| text.contains("Of Lan.")), stands);
    }
    assert!(!std::fs::read_to_string(&day).unwrap().contains("Mine."));
}

#[test]
fn a_folder_of_other_files_is_asked_about_once() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("etc");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("passwd"), "root").unwrap();
    let add = || {
        let mut add = command(home.path(), KIOKU);
        add.args(["--vault", folder.to_str().unwrap(), "add", "Tea."]);
        Pty::spawn(add)
    };
    let mut read = command(home.path(), KIOKU);
    read.args(["--vault", folder.to_str().unwrap(), "timeline"]);
    let mut read = Pty::spawn(read);
    assert_eq!(read.ended(), 1, "a read asks nothing: {}", read.screen());
    for (answer, code) in [("n\r", 1), ("y\r", 0)] {
        let mut pty = add();
        pty.wait_for("no journal. Start a journal");
        pty.keys(answer);
        assert_eq!(pty.ended(), code, "{}", pty.screen());
        assert_eq!(folder.join(".lock").exists(), code == 0);
    }
    assert_eq!(add().ended(), 0, "the answer is remembered");
}

#[test]
fn forgetting_waits_for_a_yes() {
    let home = tempfile::tempdir().unwrap();
    let mut add = command(home.path(), KIOKU);
    add.args(["add", "Nobody needs to know."]);
    let mut added = Pty::spawn(add);
    assert_eq!(added.ended(), 0);
    let id = added.screen().trim().to_owned();
    let mut day = home.path().join("home/journals/personal/memory");
    day.push("2026-11-20.md");
    for (answer, code, stands) in [("no\r", 1, true), ("yes\r", 0, false)] {
        let mut forget = command(home.path(), KIOKU);
        forget.args(["forget", &id]);
        let mut pty = Pty::spawn(forget);
        pty.wait_for("type `yes`");
        assert!(pty.screen().contains("Nobody needs"), "{}", pty.screen());
        pty.keys(answer);
        assert_eq!(pty.ended(), code, "{}", pty.screen());
        assert_eq!(std::fs::read_to_string(&day).is_ok_and(|text| text.contains("Nobody needs")), stands);
    }
}

/// Whether the active tab, whose text is "1 Journal", is bold in the given colour of the 256.
fn tab_is(screen: &vt100::Screen, colour: u8) -> bool {
    let cell = (0..80).filter_map(|x| screen.cell(0, x)).find(|cell| cell.contents() == "J");
    cell.is_some_and(|cell| cell.fgcolor() == vt100::Color::Idx(colour))
}

#[test]
fn the_theme_follows_the_background_and_no_byte_of_the_reply_is_typed() {
    let home = journal();
    for reply in ["\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:fd/f6/e3\x07"] {
        let mut kioku = command(home.path(), KIOKU);
        kioku.env_remove("COLORFGBG");
        kioku.env_remove("NO_COLOR");
        let mut pty = Pty::spawn(kioku);
        // Nothing waits for the reply: it comes in the middle of a word.
        pty.wait_for("Bread and soup");
        pty.until("the dark theme", |screen| tab_is(screen, 110));
        pty.keys(&format!("nfirst{reply}second"));
        pty.wait_for("firstsecond");
        pty.until("the light theme", |screen| tab_is(screen, 25));
        assert!(!pty.screen().contains("rgb") && !pty.screen().contains("11;"), "{}", pty.screen());
        pty.keys("\x15\x1b");
        pty.wait_for("n new");
        quit(pty, "q");
    }
}

#[test]
fn a_light_terminal_that_does_not_answer_is_known_by_its_environment() {
    let home = journal();
    let mut kioku = command(home.path(), KIOKU);
    kioku.env("COLORFGBG", "0;15");
    kioku.env_remove("NO_COLOR");
    let mut pty = Pty::spawn(kioku);
    pty.until("the light theme", |screen| tab_is(screen, 25));
    // Keys that look like the begin of a reply are keys.
    pty.keys("n\x1b]11 apples");
    pty.wait_for("11 apples");
    quit(pty, "\x11");
}

/// Text of a number of words, and the number of its last word.
fn burst(words: usize) -> (String, String) {
    ((0..words).map(|nth| format!("zk{nth:05} ")).collect(), format!("zk{:05}", words - 1))
}

fn signal(pty: &Pty, name: &str) {
    let id = pty.child.process_id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args([name, &id]).status().unwrap().success());
}

/// The text of all drafts and entries.
fn written(home: &TempDir) -> String {
    let journal = home.path().join("home/journals/personal");
    let files = ["drafts", "memory"].map(|folder| std::fs::read_dir(journal.join(folder)).into_iter().flatten());
    files.into_iter().flatten().flatten().filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect()
}

#[test]
fn a_burst_of_any_size_is_taken_without_another_key() {
    let home = journal();
    let mut pty = composing(home.path());
    let (text, last) = burst(400);
    pty.keys(&text);
    pty.wait_for(&last);
    // Reports without a meaning do not hide the keys behind them.
    pty.keys(&("\x1b[<35;20;5M".repeat(400) + "behind"));
    pty.wait_for("behind");
    let (text, _) = burst(500);
    pty.keys(&(text + "\x13\x11"));
    assert_eq!(pty.ended(), 0);
    let written = written(&home);
    assert_eq!((written.matches("zk0").count(), written.contains("behind")), (900, true));
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_program_uses_no_processor_after_a_burst() {
    let home = journal();
    let mut pty = composing(home.path());
    let (text, last) = burst(400);
    pty.keys(&text);
    pty.wait_for(&last);
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pty.child.process_id().unwrap())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u32>().unwrap() + fields[12].parse::<u32>().unwrap()
    };
    thread::sleep(Duration::from_secs(2));
    let before = ticks();
    thread::sleep(Duration::from_secs(1));
    assert!(ticks() - before < 20, "{} hundredths of a second", ticks() - before);
    quit(pty, "\x11");
}

#[test]
fn text_typed_before_a_signal_to_end_is_in_the_draft() {
    let home = journal();
    let mut pty = composing(home.path());
    // Stopped, so that signal and text are there at the same time.
    signal(&pty, "-STOP");
    let (text, _) = burst(400);
    pty.keys(&(text + "\x1b[200~half a paste"));
    signal(&pty, "-TERM");
    signal(&pty, "-CONT");
    pty.ended();
    let written = written(&home);
    assert_eq!((written.matches("zk0").count(), written.contains("half a paste")), (400, true));
}

#[test]
fn a_resize_together_with_an_ignored_report_is_drawn() {
    let home = journal();
    let mut pty = started(home.path());
    for nth in 0..20 {
        let (rows, cols) = [(10, 40), (40, 120)][nth % 2];
        pty.terminal.screen_mut().set_size(cells(rows), cells(cols));
        pty.keys("\x1b[<0;20;5m");
        pty.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let last = usize::from(rows) - 1;
        pty.until("the hint line at the new bottom", |screen| {
            screen.rows(0, cols).nth(last).is_some_and(|line| line.contains("quit"))
        });
    }
    quit(pty, "q");
}
