//! Records through the real binary: goals, items, facts and claims, their status, and what leaves them out.

mod links;
mod screens;

use std::fs;

use serde_json::Value;

use crate::cli::Kioku;

impl Kioku {
    fn record(&self, arguments: &[&str]) -> String {
        let mut all = vec!["record"];
        all.extend(arguments);
        self.run(&all).ok().trim().to_owned()
    }

    fn listed(&self, arguments: &[&str]) -> Vec<Value> {
        let mut all = vec!["record", "list", "--json"];
        all.extend(arguments);
        let outcome = self.run(&all);
        let answer: Value = serde_json::from_str(&outcome.out).unwrap();
        answer["records"].as_array().unwrap().clone()
    }

    fn day_file(&self) -> String {
        fs::read_to_string(self.journal().join("memory/2026-08-14.md")).unwrap()
    }
}

fn texts(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["text"].as_str().unwrap()).collect()
}

#[test]
fn a_goal_is_readable_markdown_of_its_day_and_due_as_its_text_says() {
    let kioku = Kioku::new();
    let id = kioku.record(&["goal", "run a half marathon by May"]);
    let file = kioku.day_file();
    for line in ["record: \"goal\"", "status: \"open\"", "due: \"2027-05-31\"", "run a half marathon by May"] {
        assert!(file.lines().any(|known| known == line), "{line} in {file}");
    }
    let shown = kioku.run(&["show", &id, "--json"]).json();
    let record = &shown["entries"][0]["record"];
    assert_eq!(
        (&record["kind"], &record["status"], &record["due"]),
        (&"goal".into(), &"open".into(), &"2027-05-31".into())
    );
    let plain = kioku.add(&["No record at all."]);
    assert!(kioku.run(&["show", &plain, "--json"]).json()["entries"][0].get("record").is_none());
}

#[test]
fn a_record_without_a_second_copy_is_said() {
    let kioku = Kioku::new();
    kioku.add(&["Fog."]);
    fs::remove_dir_all(kioku.journal().join("recent")).unwrap();
    fs::write(kioku.journal().join("recent"), "a file in its place").unwrap();
    let added = kioku.run(&["record", "item", "oat milk"]);
    assert!(added.code == 0 && added.err.contains("without a second copy"), "{}", added.err);
    let done = kioku.run(&["record", "done", added.out.trim()]);
    assert!(done.code == 0 && done.err.contains("without a second copy"), "{}", done.err);
}

#[test]
fn done_keeps_the_other_bytes_and_the_text_before_and_can_be_taken_back() {
    let kioku = Kioku::new();
    kioku.add(&["--mood", "calm", "Along the river."]);
    let id = kioku.record(&["item", "oat milk"]);
    let before = kioku.day_file();
    let said = kioku.run(&["record", "done", &id[..4]]).ok();
    assert!(said.contains("done") && said.contains("oat milk"), "{said}");
    assert_eq!(kioku.listed(&[]), Vec::<Value>::new());
    assert_eq!(texts(&kioku.listed(&["item", "--status", "done"])), ["oat milk"]);
    let after = kioku.day_file();
    assert_eq!(after.replace("done: true", "done: false").replace("closed: \"2026-08-14\"\n", ""), before);
    let trash = kioku.run(&["trash", "--json"]).json();
    assert_eq!(trash["trash"][0]["entry"]["record"]["status"], "open");
    kioku.run(&["record", "reopen", &id]).ok();
    assert_eq!(kioku.day_file(), before);
    let again = kioku.run(&["record", "reopen", &id]);
    assert!(again.err.contains("open already"), "{again:?}");
}

#[test]
fn the_same_fact_again_supersedes_the_old_one_which_is_kept() {
    let kioku = Kioku::new();
    let fact = |text: &str| kioku.record(&["fact", text, "--subject", "Linh", "--category", "work"]);
    let old = fact("Linh works at the bank");
    let new = fact("Linh works at the library");
    kioku.record(&["fact", "Linh likes figs", "--subject", "linh", "--category", "taste"]);
    assert_eq!(texts(&kioku.listed(&["fact"])), ["Linh works at the library", "Linh likes figs"]);
    let superseded = kioku.listed(&["fact", "--status", "superseded"]);
    assert_eq!(superseded[0]["record"]["superseded_by"], new.as_str());
    assert_eq!(superseded[0]["id"], old.as_str());
    assert!(kioku.day_file().contains("Linh works at the bank"));
    // The same words again are no news; a newer fact that is dropped brings the old one back.
    let again = kioku.run(&["record", "fact", "Linh works at the library", "--subject", "LINH", "--category", "Work"]);
    assert!(again.err.contains("there already") && again.out.trim() == new, "{again:?}");
    kioku.run(&["record", "drop", &new]).ok();
    assert!(texts(&kioku.listed(&["fact"])).contains(&"Linh works at the bank"));
}

#[test]
fn a_superseded_or_dropped_record_is_told_as_such_everywhere_and_is_no_context() {
    let kioku = Kioku::new();
    let fact = |text: &str| kioku.record(&["fact", text, "--subject", "Linh", "--category", "work"]);
    let old = fact("Linh works at the bank");
    let new = fact("Linh works at the library");
    let finding = kioku.record(&["finding", "Linh works late in winter"]);
    let context = || kioku.run(&["context", "where does Linh work late in winter"]).ok();
    let before = context();
    assert!(before.contains("library") && before.contains("late in winter") && !before.contains("bank"), "{before}");
    kioku.run(&["record", "drop", &finding]).ok();
    assert!(!context().contains("late in winter"), "{}", context());
    for arguments in [&["timeline", "--json"][..], &["show", &old, "--json"]] {
        let record = kioku.run(arguments).json()["entries"][0]["record"].clone();
        assert_eq!((&record["status"], &record["superseded_by"]), (&"superseded".into(), &new.as_str().into()));
    }
    assert!(kioku.run(&["timeline"]).ok().contains("[fact superseded]"));
}

#[test]
fn an_open_item_is_written_once_for_each_list_and_again_when_it_is_done() {
    let kioku = Kioku::new();
    let id = kioku.record(&["item", "milk"]);
    assert_eq!(kioku.record(&["item", "milk"]), id);
    assert_ne!(kioku.record(&["item", "milk", "--list", "allotment"]), id);
    for is_new in [true, false] {
        let goal = kioku.run(&["record", "goal", "run a half marathon by May", "--json"]).json();
        assert_eq!((&goal["is_new"], &goal["due"]), (&is_new.into(), &"2027-05-31".into()));
    }
    kioku.run(&["record", "done", &id]).ok();
    assert_ne!(kioku.record(&["item", "milk"]), id);
    assert_eq!(kioku.listed(&["item", "--list", "Shopping"]).len(), 1);
    assert_eq!(kioku.listed(&["item", "--all"]).len(), 3);
}

#[test]
fn a_change_is_refused_with_what_to_do() {
    let kioku = Kioku::new();
    let fact = kioku.record(&["fact", "Linh likes figs"]);
    let entry = kioku.add(&["A walk."]);
    let refused = |arguments: &[&str], code: i32| kioku.run(arguments).fails(code);
    assert!(refused(&["record", "done", "zzzzzzzzzz"], 3).contains("no record `zzzzzzzzzz`"));
    assert!(refused(&["record", "done", &fact], 1).contains("a fact cannot be done"));
    let no_record = refused(&["record", "drop", &entry], 1);
    assert!(no_record.contains("not a record") && no_record.contains("kioku edit"), "{no_record}");
    for kind in ["goal", "note"] {
        let told = refused(&["record", kind, "  "], 2);
        assert!(told.contains("a record needs text") && told.contains(&format!("kioku record {kind} ")), "{told}");
    }
    assert!(refused(&["record", "goal", "x", "--due", "yesterday"], 2).contains("not a day to come"));
    assert!(refused(&["record", "fact", "x", "--category", "work"], 2).contains("--subject"));
    // The others of one command are done.
    let item = kioku.record(&["item", "milk"]);
    let both = kioku.run(&["record", "done", "zzzzzzzzzz", &item]);
    assert!(both.code == 3 && both.out.contains("milk"), "{both:?}");
    assert_eq!(kioku.run(&["record", "list", "recipe"]).code, 3);
}

#[test]
fn a_kind_of_ones_own_is_kept_shown_and_found() {
    let kioku = Kioku::new();
    let text = "# Kioku — 2026-08-14\n\n---\ntime: \"2026-08-14T09:00:00+02:00\"\nrecord: Recipe\nserves: 4\n---\nSoup of figs.\n";
    kioku.write("home/journals/personal/memory/2026-08-14.md", text);
    let listed = kioku.listed(&["recipe"]);
    assert_eq!((&listed[0]["record"]["kind"], &listed[0]["record"]["serves"]), (&"recipe".into(), &"4".into()));
    assert!(kioku.run(&["search", "record:recipe soup"]).ok().contains("Soup of figs"));
    kioku.run(&["record", "drop", listed[0]["id"].as_str().unwrap()]).ok();
    assert!(kioku.day_file().contains("record: Recipe\nserves: 4\n"));
}

#[test]
fn a_hit_that_is_a_record_says_so() {
    let kioku = Kioku::new();
    kioku.add(&["The half marathon was far away."]);
    let goal = kioku.record(&["goal", "run a half marathon by May"]);
    kioku.run(&["record", "done", &goal]).ok();
    let found = kioku.run(&["search", "--json", "half marathon"]).json();
    let hits = found["hits"].as_array().unwrap();
    let of = |id: &dyn Fn(&Value) -> bool| hits.iter().find(|hit| id(&hit["id"])).unwrap();
    let record = &of(&|id| *id == goal.as_str())["record"];
    assert_eq!((&record["kind"], &record["status"]), (&"goal".into(), &"done".into()));
    assert!(of(&|id| *id != goal.as_str()).get("record").is_none());
    assert!(kioku.run(&["search", "half marathon"]).ok().contains("  [goal done]  "));
}

#[test]
fn search_filters_by_kind_of_record() {
    let kioku = Kioku::new();
    kioku.add(&["A run along the river."]);
    kioku.record(&["goal", "run a half marathon"]);
    kioku.record(&["item", "running socks"]);
    let hits = |query: &str| {
        let found = kioku.run(&["search", "--json", query]);
        let found: Value = serde_json::from_str(&found.out).unwrap();
        let hits = found["hits"].as_array().unwrap().iter();
        let mut texts: Vec<String> = hits.map(|hit| hit["text"].as_str().unwrap().to_owned()).collect();
        texts.sort();
        texts
    };
    assert_eq!(hits("record:goal run"), ["run a half marathon"]);
    assert_eq!(hits("record:any run"), ["run a half marathon", "running socks"]);
    assert_eq!(hits("record:GOAL record:item run"), ["run a half marathon", "running socks"]);
    assert_eq!(hits("-record:any run"), ["A run along the river."]);
    let typed = kioku.run(&["search", "record:gaol run"]);
    assert!(typed.err.contains("record:goal"), "{typed:?}");
}

#[test]
fn moods_streaks_causes_and_reflections_leave_records_out() {
    let kioku = Kioku::new();
    for day in 1..=9 {
        kioku.add(&["--at", &format!("2026-08-0{day} 12:00"), "--mood", "calm", "Walked with Linh."]);
    }
    let ask = |arguments: &[&str]| serde_json::from_str::<Value>(&kioku.run(arguments).out).unwrap();
    let asked: [&[&str]; 5] = [
        &["stats", "--json"],
        &["why", "stressed", "--json"],
        &["why", "calm", "--json"],
        &["reflect", "2026-08-09", "--json"],
        &["review", "month", "--json"],
    ];
    let before = asked.map(ask);
    for day in 1..=14 {
        let at = format!("2026-08-{day:02} 13:00");
        kioku.record(&["note", "--at", &at, &format!("Stressed because of the deadline of Hung {day}.")]);
        kioku.record(&["goal", "--at", &at, &format!("Feel less stressed about Hung {day}")]);
    }
    assert_eq!(asked.map(ask), before);
    assert!(!kioku.run(&["entities"]).out.contains("Hung"));
    // Asked for, they are found.
    assert_eq!(kioku.listed(&["note"]).len(), 14);
}

#[test]
fn claims_refer_to_other_records_by_lines_below_their_text() {
    let kioku = Kioku::new();
    let first = kioku.record(&["claim", "Tea keeps me awake"]);
    kioku.record(&["claim", "Tea at noon is harmless", "--contradicts", &first, "--cited-in", "Walker 2017"]);
    assert!(
        kioku
            .day_file()
            .contains(&format!("Tea at noon is harmless\ncontradicts:: [[{first}]]\ncited_in:: [[Walker 2017]]\n"))
    );
    let claims = kioku.listed(&["claim"]);
    assert_eq!(claims[1]["links"][0]["link"], "contradicts");
    assert_eq!(claims[1]["links"][0]["target"], first.as_str());
    let line = kioku.run(&["record", "list", "claim"]).ok();
    assert!(line.contains("Tea at noon is harmless") && line.contains("contradicts"), "{line}");
}

#[test]
fn conversations_are_listed_only_when_asked_for() {
    let kioku = Kioku::new();
    kioku.record(&["conversation", "Rename the parser", "--project", "kioku", "--session", "s1", "--role", "user"]);
    assert_eq!(kioku.listed(&[]), Vec::<Value>::new());
    assert_eq!(texts(&kioku.listed(&["conversation", "--project", "kioku"])), ["Rename the parser"]);
    assert_eq!(kioku.listed(&["conversation", "--project", "other"]), Vec::<Value>::new());
}

#[test]
fn records_of_two_branches_merge_as_entries_do() {
    let kioku = Kioku::new();
    kioku.record(&["goal", "learn to swim"]);
    let ours = kioku.day_file();
    // Git's union merge of two appends.
    let theirs = ours.replace("learn to swim", "learn to dive").replace("# Kioku — 2026-08-14\n", "");
    let id = ours.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
    let merged = format!("{ours}{}", theirs.replace(id, "\"abcdefghij\""));
    kioku.write("home/journals/personal/memory/2026-08-14.md", &merged);
    assert_eq!(texts(&kioku.listed(&["goal"])), ["learn to swim", "learn to dive"]);
}
