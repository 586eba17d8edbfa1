//! Tests of the queue with a real journal and a fake service.

use std::{
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

use jiff::{Span, Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use super::*;
use crate::journal::{Entry, Pass};
use crate::{
    clock::Clock,
    extract::llm::server::{ReceivedRequest, Say, Server},
    index::{graph::GraphView, vector::Ann},
    journal::{Change, EntityKind, NewEntry, VaultOptions},
    session::{ModelState, Session, SessionOptions, SessionWorkers},
};

const NOW: &str = "2026-02-22T12:00:00Z";

struct Setting {
    root: tempfile::TempDir,
    server: Server,
}

/// The fake model's answer for an entry: every capitalised word is a person.
fn people(asked: &ReceivedRequest) -> Say {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let entry: Value = serde_json::from_str(body["messages"][1]["content"].as_str().unwrap()).unwrap();
    let text = entry["text"].as_str().unwrap();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase));
    let entities: Vec<Value> = words.map(|word| json!({ "name": word, "text": word, "type": "person" })).collect();
    Say::ollama(&json!({ "entities": entities, "relationships": [], "event_time": null }).to_string())
}

impl Setting {
    fn new(mut respond: impl FnMut(&ReceivedRequest) -> Say + Send + 'static) -> Self {
        Self { root: tempfile::tempdir().unwrap(), server: Server::start(Box::new(move |asked| respond(asked))) }
    }

    fn session_options(&self) -> SessionOptions {
        let now: Timestamp = NOW.parse().unwrap();
        SessionOptions {
            vault: VaultOptions::new(
                self.root.path().join("journals").join("x"),
                Clock::fixed(now.to_zoned(TimeZone::UTC)),
            ),
            models: self.root.path().join("models"),
            model: None,
            encoder: None,
            ann: Ann::Off,
            watch: false,
        }
    }

    fn options(&self) -> LlmOptions {
        LlmOptions {
            service: ServiceOptions {
                kind: ServiceKind::Ollama,
                base: self.server.base.clone(),
                model: "small".into(),
                key: None,
                key_name: None,
                within: Duration::from_secs(20),
            },
            kept_back: vec!["private".into()],
        }
    }

    fn session(&self, texts: &[&str]) -> Session {
        let session = Session::open(self.session_options()).unwrap();
        for text in texts {
            add(&session, text);
        }
        session
    }

    fn queue(&self, session: &Session) -> Queue {
        Queue::open(session.vault(), self.options()).unwrap()
    }

    /// The texts that were sent since the last call, in order.
    fn sent(&self) -> Vec<String> {
        let text = |asked: ReceivedRequest| {
            let body: Value = serde_json::from_str(&asked.body).unwrap();
            let entry: Value = serde_json::from_str(body["messages"][1]["content"].as_str().unwrap()).unwrap();
            entry["text"].as_str().unwrap().to_owned()
        };
        self.server.asked().into_iter().map(text).collect()
    }
}

fn add(session: &Session, text: &str) -> Entry {
    session.vault().append(NewEntry { body: text.into(), ..NewEntry::default() }).unwrap()
}

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn seconds_later(seconds: i64) -> Timestamp {
    now() + Span::new().seconds(seconds)
}

fn step_at(queue: &mut Queue, session: &mut Session, at: Timestamp) -> Step {
    let snapshot = session.snapshot().unwrap();
    queue.step(&session.vault().clone(), &snapshot, at, &|| false).unwrap()
}

fn step(queue: &mut Queue, session: &mut Session) -> Step {
    step_at(queue, session, now())
}

/// Runs steps until there is nothing to do, and syncs the graph.
fn run(queue: &mut Queue, session: &mut Session) -> Vec<Step> {
    let mut steps = Vec::new();
    loop {
        match step(queue, session) {
            ending @ (Step::Done | Step::Later(_) | Step::Stopped(_) | Step::Elsewhere) => {
                steps.push(ending);
                break;
            }
            step => steps.push(step),
        }
    }
    session.sync(false, &mut |_| true).unwrap();
    steps
}

/// All entities of the graph, with their relations.
fn graph_of(session: &mut Session) -> Vec<String> {
    let snapshot = session.snapshot().unwrap();
    let graph: &GraphView = &snapshot.graph;
    let mut lines: Vec<String> = graph
        .entity_refs()
        .map(|of| {
            let entity = graph.entity(of);
            format!(
                "{} {:?} {:?} {:?} {:?}",
                entity.name,
                entity.kind,
                entity.mentions,
                graph.entries(of),
                graph.edges(of)
            )
        })
        .collect();
    lines.sort();
    lines
}

fn kind_of(session: &mut Session, name: &str) -> Option<EntityKind> {
    let snapshot = session.snapshot().unwrap();
    let found = snapshot.graph.by_name(name);
    found.first().map(|entity| snapshot.graph.entity(*entity).kind)
}

/// Files below a folder that contain these words.
fn holding(folder: &Path, words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.is_dir() {
            found.extend(holding(&file, words));
        } else if fs::read(&file).unwrap().windows(words.len()).any(|window| window == words.as_bytes()) {
            found.push(file.display().to_string());
        }
    }
    found
}

#[test]
fn every_text_is_asked_about_once_newest_first_and_the_graph_takes_it_up() {
    let setting = Setting::new(people);
    let mut session = setting.session(&["Rose called.", "Tea with Hope at noon.", "Rose called.", "hm"]);
    let before = graph_of(&mut session);
    assert_ne!(kind_of(&mut session, "Rose"), Some(EntityKind::Person), "the rules cannot know");
    let mut queue = setting.queue(&session);
    let steps = run(&mut queue, &mut session);
    assert_eq!(steps.iter().filter(|step| matches!(step, Step::Answered { .. })).count(), 2, "{steps:?}");
    assert_eq!(steps.last(), Some(&Step::Done));
    assert_eq!(setting.sent(), ["Rose called.", "Tea with Hope at noon."]);
    assert_eq!(kind_of(&mut session, "Rose"), Some(EntityKind::Person));
    let with_answers = graph_of(&mut session);
    session.rebuild(&mut |_| true).unwrap();
    assert_eq!(graph_of(&mut session), with_answers, "a rebuild comes to the same");
    session.close().unwrap();
    let mut session = setting.session(&[]);
    assert_eq!(graph_of(&mut session), with_answers, "and so does another start");
    assert_eq!(session.vault().drop_answers().unwrap(), 2);
    session.sync(false, &mut |_| true).unwrap();
    assert_eq!(graph_of(&mut session), before, "without the answers it is what the rules read");
}

#[test]
fn answers_that_came_and_went_while_nobody_looked_are_noticed() {
    let setting = Setting::new(people);
    let mut session = setting.session(&["Rose called."]);
    session.rebuild(&mut |_| true).unwrap();
    session.close().unwrap();
    let mut session = setting.session(&[]);
    run(&mut setting.queue(&session), &mut session);
    session.close().unwrap();
    let mut session = setting.session(&[]);
    assert_eq!(kind_of(&mut session, "Rose"), Some(EntityKind::Person));
    session.rebuild(&mut |_| true).unwrap();
    session.close().unwrap();
    fs::remove_dir_all(setting.session_options().vault.root.join("answers")).unwrap();
    let mut session = setting.session(&[]);
    assert_ne!(kind_of(&mut session, "Rose"), Some(EntityKind::Person));
}

#[test]
fn another_start_goes_on_where_the_last_one_ended() {
    let setting = Setting::new(people);
    let mut session = setting.session(&["Rose called.", "Hope called."]);
    let mut queue = setting.queue(&session);
    assert!(matches!(step(&mut queue, &mut session), Step::Answered { .. }));
    assert_eq!(setting.sent(), ["Hope called."]);
    drop(queue);
    let mut queue = setting.queue(&session);
    let snapshot = session.snapshot().unwrap();
    let reading = queue.reading(&snapshot, now());
    assert_eq!((reading.done, reading.of), (1, 2));
    assert!(matches!(step(&mut queue, &mut session), Step::Answered { .. }));
    let reading = queue.reading(&snapshot, now());
    assert_eq!((reading.done, reading.of, reading.state), (2, 2, ModelState::Done));
    assert_eq!(setting.sent(), ["Rose called."]);
    assert_eq!(step(&mut queue, &mut session), Step::Done);
}

#[test]
fn a_service_that_fails_is_left_alone_longer_and_longer_and_then_gone_on_with() {
    let mut failures = 3;
    let setting = Setting::new(move |asked| {
        failures -= 1;
        if failures >= 0 { Say::status("500 Oh", &[], "") } else { people(asked) }
    });
    let mut session = setting.session(&["Rose called."]);
    let mut queue = setting.queue(&session);
    let mut at = now();
    let mut pauses = Vec::new();
    for _ in 0..3 {
        assert!(matches!(step_at(&mut queue, &mut session, at), Step::Failed { .. }));
        let Step::Later(until) = step_at(&mut queue, &mut session, at) else { panic!("it is not left alone") };
        // A restart keeps the pause.
        drop(queue);
        queue = setting.queue(&session);
        assert_eq!(step_at(&mut queue, &mut session, at), Step::Later(until));
        let reading = queue.reading(&session.snapshot().unwrap(), at);
        assert!(matches!(reading.state, ModelState::Waiting { .. }), "{reading:?}");
        pauses.push(until.duration_since(at).as_secs_f64());
        at = until;
    }
    let reading = queue.reading(&session.snapshot().unwrap(), at);
    assert_eq!((reading.state, reading.trouble.as_deref()), (ModelState::Reading, Some("the service fails (500)")));
    assert!(pauses[0] >= 3.75 && pauses[2] > pauses[0], "{pauses:?}");
    assert_eq!(setting.sent().len(), 3);
    assert!(matches!(step_at(&mut queue, &mut session, at), Step::Answered { .. }));
    assert_eq!(step_at(&mut queue, &mut session, at), Step::Done);
    assert_eq!(queue.reading(&session.snapshot().unwrap(), at).trouble, None);
}

#[test]
fn a_service_is_not_asked_before_it_says() {
    let mut first = true;
    let setting = Setting::new(move |asked| {
        if std::mem::take(&mut first) {
            Say::status("429 Slow down", &[("Retry-After", "600")], "")
        } else {
            people(asked)
        }
    });
    let mut session = setting.session(&["Rose called."]);
    let mut queue = setting.queue(&session);
    assert!(matches!(step(&mut queue, &mut session), Step::Failed { .. }));
    assert_eq!(step(&mut queue, &mut session), Step::Later(seconds_later(600)));
    assert_eq!(step_at(&mut queue, &mut session, seconds_later(599)), Step::Later(seconds_later(600)));
    assert_eq!(setting.sent().len(), 1);
    assert!(matches!(step_at(&mut queue, &mut session, seconds_later(600)), Step::Answered { .. }));
}

#[test]
fn a_refused_key_stops_it_and_the_next_start_tries_once_more() {
    let refuses = Arc::new(AtomicBool::new(true));
    let says = refuses.clone();
    let setting = Setting::new(move |asked| {
        if says.load(Ordering::SeqCst) { Say::status("401 Unauthorized", &[], "") } else { people(asked) }
    });
    let mut session = setting.session(&["Rose called.", "Hope called."]);
    for _ in 0..2 {
        let mut queue = setting.queue(&session);
        let stopped = Step::Stopped("the service refuses the key (401)".into());
        assert_eq!(step(&mut queue, &mut session), stopped);
        assert_eq!(step_at(&mut queue, &mut session, seconds_later(100_000)), stopped, "whatever time goes by");
        assert_eq!(setting.sent().len(), 1, "each start asks once");
        let reading = queue.reading(&session.snapshot().unwrap(), now());
        assert!(matches!(reading.state, ModelState::Stopped { .. }), "{reading:?}");
    }
    refuses.store(false, Ordering::SeqCst);
    let mut queue = setting.queue(&session);
    assert_eq!(run(&mut queue, &mut session).last(), Some(&Step::Done));
}

#[test]
fn a_text_whose_answers_are_of_no_use_is_given_up_and_keeps_nobody_waiting() {
    let setting =
        Setting::new(
            |asked| {
                if asked.body.contains("Hope") { Say::ollama("Sure! Hope is a person.") } else { people(asked) }
            },
        );
    let mut session = setting.session(&["Rose called.", "Hope called."]);
    let mut queue = setting.queue(&session);
    let steps = run(&mut queue, &mut session);
    assert!(matches!(&steps[..], [Step::Failed { .. }, Step::Answered { .. }, Step::Later(_)]), "{steps:?}");
    let mut at = now();
    let mut pauses = Vec::new();
    while let Step::Later(until) = step_at(&mut queue, &mut session, at) {
        pauses.push(until.duration_since(at).as_secs());
        at = until;
        assert!(matches!(step_at(&mut queue, &mut session, at), Step::Failed { .. }));
    }
    assert!(pauses.len() == 3 && pauses.is_sorted(), "{pauses:?}");
    assert_eq!(step_at(&mut queue, &mut session, seconds_later(10_000_000)), Step::Done);
    let reading = queue.reading(&session.snapshot().unwrap(), at);
    assert_eq!((reading.done, reading.of, reading.given_up), (1, 2, 1));
    session.vault().drop_answer_tries().unwrap();
    drop(queue);
    assert!(
        matches!(step(&mut setting.queue(&session), &mut session), Step::Failed { .. }),
        "asked again where somebody says so"
    );
}

#[test]
fn what_is_kept_back_never_goes_and_neither_do_names_that_stand_only_there() {
    let setting = Setting::new(people);
    let mut session =
        setting.session(&["Tea with @Hope at the Ivy.", "Saw @Quillonda in secret. #private", "Too with @Hope."]);
    let tagged = NewEntry { body: "And @Zamboni, too.".into(), tags: vec!["Private".into()], ..NewEntry::default() };
    session.vault().append(tagged).unwrap();
    let mut queue = setting.queue(&session);
    let steps = run(&mut queue, &mut session);
    assert_eq!(steps.iter().filter(|step| matches!(step, Step::Answered { .. })).count(), 2, "{steps:?}");
    let asked = setting.server.asked();
    let all: String = asked.iter().map(|asked| asked.body.as_str()).collect();
    assert!(all.contains("Hope") && !all.contains("Quillonda") && !all.contains("Zamboni"), "{all}");
    assert!(all.contains("known_names\\\":[\\\"Hope"), "{all}");
}

#[test]
fn an_entry_that_changes_or_goes_while_the_model_thinks_keeps_no_answer() {
    let vault = Arc::new(Mutex::new(None));
    let slot = vault.clone();
    let setting = Setting::new(move |asked| {
        if let Some((vault, entry)) = slot.lock().unwrap().take() {
            let vault: crate::journal::Vault = vault;
            let entry: Entry = entry;
            match asked.body.contains("Hope") {
                true => drop(vault.forget(&entry, Pass::Delete).unwrap()),
                false => {
                    let change = Change { body: Some("Nobody called.".into()), ..Change::default() };
                    vault.edit(&entry, change).unwrap();
                }
            }
        }
        people(asked)
    });
    for text in ["Rose called.", "Hope called."] {
        let mut session = setting.session(&[]);
        let entry = add(&session, text);
        *vault.lock().unwrap() = Some((session.vault().clone(), entry.clone()));
        let mut queue = setting.queue(&session);
        assert_eq!(step(&mut queue, &mut session), Step::Outdated);
        assert_eq!(session.vault().answer(&entry.hash).unwrap(), None);
        session.sync(false, &mut |_| true).unwrap();
        drop(queue);
        run(&mut setting.queue(&session), &mut session);
        session.close().unwrap();
    }
    assert!(setting.sent().contains(&"Nobody called.".to_owned()), "the new text is asked about");
}

#[test]
fn what_is_forgotten_is_in_no_answer_either() {
    let setting = Setting::new(people);
    let mut session = setting.session(&["Tea with Quillonda.", "Then Zamboni rang.", "Zamboni rang twice."]);
    run(&mut setting.queue(&session), &mut session);
    session.sync(false, &mut |_| true).unwrap();
    assert!(!holding(setting.root.path(), "Quillonda").is_empty());
    let entry = session.entries(None, None).unwrap().remove(0);
    // An older version of the entry, in the trash, with an answer.
    let change = Change { body: Some("Coffee with Quillonda.".into()), ..Change::default() };
    session.vault().edit(&entry, change).unwrap();
    session.sync(false, &mut |_| true).unwrap();
    run(&mut setting.queue(&session), &mut session);
    assert_eq!(session.vault().answers().unwrap().len(), 4);
    let entry =
        session.entries(None, None).unwrap().into_iter().find(|entry| entry.body.contains("Quillonda")).unwrap();
    assert_eq!(session.vault().forget(&entry, Pass::Count).unwrap().answers, 2);
    let state = setting.root.path().join("state");
    let forgetting = session.forget(&entry.into(), false, &state, Pass::Delete).unwrap();
    assert_eq!(forgetting.forgotten.answers, 2);
    assert_eq!(holding(setting.root.path(), "Quillonda"), Vec::<String>::new());
    assert!(!holding(setting.root.path(), "Zamboni").is_empty());
    let subject = session.entity_called("Zamboni").unwrap();
    let naming = session.naming(&subject, false).unwrap();
    let forgetting = session.forget_names(&naming, &state, Pass::Delete).unwrap();
    assert_eq!(forgetting.forgotten.answers, 2);
    assert_eq!(holding(setting.root.path(), "Zamboni"), Vec::<String>::new());
}

#[test]
fn two_kioku_do_not_ask_about_the_same_texts() {
    let setting = Setting::new(people);
    let mut session = setting.session(&["Rose called.", "Hope called."]);
    let (mut one, mut two) = (setting.queue(&session), setting.queue(&session));
    assert!(matches!(step(&mut one, &mut session), Step::Answered { .. }));
    assert_eq!(step(&mut two, &mut session), Step::Elsewhere);
    drop(one);
    two.look(session.vault()).unwrap();
    assert!(matches!(step(&mut two, &mut session), Step::Answered { .. }));
    assert_eq!(setting.sent().len(), 2);
}

#[test]
fn the_screens_see_how_far_it_is_while_everything_else_goes_on() {
    let (go_on, wait) = mpsc::channel::<()>();
    let setting = Setting::new(move |asked| {
        wait.recv().unwrap();
        people(asked)
    });
    setting.session(&["Rose called.", "Hope called."]).close().unwrap();
    let mut session = SessionWorkers::start(setting.session_options());
    session.ask_model(setting.options());
    let until = |is: &dyn Fn(&SessionWorkers) -> bool| {
        let begun = std::time::Instant::now();
        while !is(&session) {
            assert!(begun.elapsed().as_secs() < 60, "{:?}", session.view().reading);
            std::thread::yield_now();
        }
    };
    // The journal opens while the model's request is still running.
    until(&|session| session.view().entries == 2 && session.view().progress.is_none());
    go_on.send(()).unwrap();
    let at = |done| {
        move |session: &SessionWorkers| {
            session.view().reading.as_ref().is_some_and(|reading| (reading.done, reading.of) == (done, 2))
        }
    };
    until(&at(1));
    go_on.send(()).unwrap();
    until(&at(2));
    until(&|session| {
        let view = session.view();
        let Some(snapshot) = &view.snapshot else { return false };
        let person =
            |name| snapshot.graph.by_name(name).iter().any(|of| snapshot.graph.entity(*of).kind == EntityKind::Person);
        person("Rose") && person("Hope")
    });
    assert!(matches!(session.view().reading.as_ref().unwrap().state, ModelState::Done));
    session.stop();
}

#[test]
fn a_model_that_never_answers_does_not_hold_up_the_end() {
    let setting = Setting::new(|_| Say::Nothing);
    setting.session(&["Rose called."]).close().unwrap();
    let mut session = SessionWorkers::start(setting.session_options());
    session.ask_model(setting.options());
    let begun = std::time::Instant::now();
    while setting.server.asked().is_empty() {
        assert!(begun.elapsed().as_secs() < 60, "never asked");
        std::thread::yield_now();
    }
    session.stop();
    let session = setting.session(&[]);
    assert_eq!(session.vault().answers().unwrap(), []);
}
