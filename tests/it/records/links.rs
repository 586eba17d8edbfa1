//! Support, contradiction and citation between records, in `explain` and `graph`.

use serde_json::{Value, json};

use crate::cli::Kioku;

/// Three claims about tea, two of them cited in one book, and a diary that says nothing of them.
fn journal() -> (Kioku, [String; 3]) {
    let kioku = Kioku::new();
    kioku.add(&["--mood", "calm", "mood:: calm\ntrigger:: [[rain]]\n\nTea with @Linh."]);
    let awake = kioku.record(&["claim", "Tea keeps me awake", "--cited-in", "Walker 2017"]);
    let harmless = kioku.record(&["claim", "Tea at noon is harmless", "--contradicts", &awake[..5]]);
    let slept = kioku.record(&["claim", "Slept well after tea", "--supports", &harmless, "--cited-in", "walker 2017"]);
    kioku.record(&["goal", "sleep more"]);
    (kioku, [awake, harmless, slept])
}

fn rows(kioku: &Kioku, query: &str) -> Value {
    let table: Value = serde_json::from_str(&kioku.run(&["graph", "--json", query]).out).unwrap();
    table["rows"].clone()
}

#[test]
fn a_chain_of_records_is_explained_with_the_lines_that_make_it() {
    let (kioku, [awake, harmless, slept]) = journal();
    let explained = kioku.run(&["explain", &slept[..5], &awake, "--json"]).json();
    assert_eq!(explained["connected"], true);
    let hops = |nth: usize| -> Vec<[&str; 3]> {
        let hops = explained["paths"][nth]["hops"].as_array().unwrap().iter();
        hops.map(|hop| ["source", "kind", "target"].map(|key| hop[key].as_str().unwrap())).collect()
    };
    let mut chains = [hops(0), hops(1)];
    chains.sort();
    assert_eq!(chains[0][0], ["Slept well after tea", "cited_in", "Walker 2017"]);
    assert_eq!(chains[0][1], ["Tea keeps me awake", "cited_in", "Walker 2017"]);
    assert_eq!(chains[1][0], ["Slept well after tea", "supports", "Tea at noon is harmless"]);
    assert_eq!(chains[1][1], ["Tea at noon is harmless", "contradicts", "Tea keeps me awake"]);
    let hop = kioku.run(&["explain", &harmless, "Tea keeps me awake", "--json"]).json()["paths"][0]["hops"][0].clone();
    assert_eq!((&hop["source_id"], &hop["target_id"]), (&json!(harmless), &json!(awake)));
    assert_eq!(hop["evidence"]["text"], format!("contradicts:: [[{awake}]]"));
    assert_eq!((&hop["evidence"]["id"], &hop["basis"]), (&json!(harmless), &json!("stated")));
    let text = kioku.run(&["explain", &harmless, &awake]).ok();
    assert!(text.contains("Tea at noon is harmless -> Tea keeps me awake  contradicts\n"), "{text}");
}

#[test]
fn a_dropped_record_and_a_goal_without_lines_connect_nothing() {
    let (kioku, [awake, harmless, slept]) = journal();
    kioku.run(&["edit", &slept, "--text", &format!("Slept well after tea\nsupports:: [[{harmless}]]")]).ok();
    assert_eq!(kioku.run(&["explain", &slept, &awake]).code, 0);
    kioku.run(&["record", "drop", &harmless]).ok();
    let apart = kioku.run(&["explain", &slept, &awake]);
    assert!(apart.code == 3 && apart.out.contains("are not connected"), "{apart:?}");
    assert_eq!(kioku.run(&["explain", &slept, "sleep more"]).code, 3);
    let unknown = kioku.run(&["explain", &slept, "zzzzzz"]);
    assert!(unknown.code == 3 && unknown.err.contains("no name `zzzzzz`"), "{unknown:?}");
}

/// The links of an answer: source, kind, target.
fn links(answer: &Value) -> Vec<[&str; 3]> {
    let links = answer["records"].as_array().into_iter().flatten();
    links.map(|link| ["source", "kind", "target"].map(|key| link[key].as_str().unwrap())).collect()
}

#[test]
fn why_shows_what_records_say_of_its_subject_and_never_as_a_cause() {
    let (kioku, [awake, harmless, _]) = journal();
    kioku.add(&["--mood", "tired", "Tired because of the tea."]);
    let why = |query: &str| kioku.run(&["why", query, "--json"]).json();
    let tea = why("tea");
    let expected = [
        ["Slept well after tea", "supports", "Tea at noon is harmless"],
        ["Tea at noon is harmless", "contradicts", "Tea keeps me awake"],
    ];
    let mut found = links(&tea);
    found.sort_unstable();
    assert_eq!(found, expected);
    let ids: Vec<&Value> = tea["causes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|cause| cause["evidence"].as_array().unwrap())
        .map(|said| &said["id"])
        .collect();
    assert!(!ids.iter().any(|id| **id == json!(awake) || **id == json!(harmless)), "{tea:#}");
    let text = kioku.run(&["why", "tea"]).ok();
    let (_, records) = text.split_once("Records: no causes\n").unwrap_or_else(|| panic!("{text}"));
    assert!(records.contains("Tea at noon is harmless -> Tea keeps me awake  contradicts"), "{text}");
    // A word inside of a word is another name, and a dropped record says nothing.
    kioku.record(&["claim", "Steady teams win", "--supports", &awake]);
    assert_eq!(links(&why("tea")).len(), 3, "the target is about tea");
    kioku.run(&["record", "drop", &awake]).ok();
    assert_eq!(links(&why("tea")), [expected[0]]);
    assert_eq!(why("rain").get("records"), None);
}

#[test]
fn why_of_a_record_shows_its_links_also_in_a_journal_of_records_alone() {
    let kioku = Kioku::new();
    let claim = kioku.record(&["claim", "Tea keeps me awake", "--cited-in", "Walker 2017"]);
    let finding = kioku.record(&["finding", "Slept badly on four of five tea days"]);
    let text = format!("Slept badly on four of five tea days\nsupports:: [[{claim}]]");
    kioku.run(&["edit", &finding, "--text", &text]).ok();
    let text = kioku.run(&["why", &claim]).ok();
    assert!(text.starts_with("Tea keeps me awake  claim: causes are read from diary entries only\n"), "{text}");
    assert!(text.contains("Slept badly on four of five tea days -> Tea keeps me awake  supports"), "{text}");
    assert!(text.contains("Tea keeps me awake -> Walker 2017  cited_in"), "{text}");
    let answer = kioku.run(&["why", &claim, "--json"]).json();
    assert_eq!((&answer["record"], &answer["causes"], links(&answer).len()), (&json!("claim"), &json!([]), 2));
    let goal = kioku.record(&["goal", "sleep more"]);
    let alone = kioku.run(&["why", &goal]);
    assert!(alone.code == 3 && alone.out == "sleep more  goal: causes are read from diary entries only\n", "{alone:?}");
    let other = kioku.run(&["why", "stressed"]);
    assert!(other.code == 3 && other.out == "No diary entries yet.\n", "{other:?}");
}

#[test]
fn why_of_a_diary_entry_shows_the_claims_that_rest_on_it() {
    let kioku = Kioku::new();
    let entry = kioku.add(&["Slept three hours after the green tea."]);
    kioku.record(&["claim", "Tea keeps me awake", "--supports", &entry]);
    let answer = kioku.run(&["why", &entry, "--json"]).json();
    assert_eq!(links(&answer), [["Tea keeps me awake", "supports", "Slept three hours after the green tea."]]);
}

#[test]
fn a_profile_shows_what_records_say_of_the_name() {
    let (kioku, [_, harmless, _]) = journal();
    let fact = kioku.record(&["fact", "Allergic to tea", "--subject", "Linh", "--category", "health"]);
    kioku.run(&["edit", &fact, "--text", &format!("Allergic to tea\ncontradicts:: [[{harmless}]]")]).ok();
    let client = crate::mcp::client::Client::of(&kioku, &[]);
    let profile: Value = serde_json::from_str(&client.read("kioku://entities/Linh").unwrap()).unwrap();
    assert_eq!(links(&profile), [["Allergic to tea", "contradicts", "Tea at noon is harmless"]]);
    assert_eq!(profile["known"]["mentions"], 1, "a record mentions nobody");
}

#[test]
fn a_graph_query_matches_records_only_where_it_names_them() {
    let (kioku, [awake, harmless, slept]) = journal();
    let contradicted = "MATCH (a:Record)-[r:CONTRADICTS]->(b) RETURN a.id, b.id, b, type(r), r.evidence";
    let row = rows(&kioku, contradicted)[0].clone();
    assert_eq!(
        (&row[0], &row[1], &row[2], &row[3]),
        (
            &json!(harmless),
            &json!(awake),
            &json!({ "name": "Tea keeps me awake", "kind": "claim", "id": awake }),
            &json!("CONTRADICTS")
        )
    );
    assert_eq!(row[4][0]["text"], format!("contradicts:: [[{awake}]]"));
    let cited = "MATCH (a)-[:CITED_IN]->(s:Source)<-[:CITED_IN]-(b) RETURN a.id, s.name, b.id ORDER BY a.name";
    assert_eq!(rows(&kioku, cited), json!([[slept, "Walker 2017", awake], [awake, "Walker 2017", slept]]));
    let all = "MATCH (a:Record) WHERE a.status = 'open' RETURN a.kind, count(*) AS n ORDER BY n DESC";
    assert_eq!(rows(&kioku, all), json!([["claim", 3], ["goal", 1]]));
    assert_eq!(rows(&kioku, "MATCH (a:Record {name: 'sleep more'}) RETURN a.kind"), json!([["goal"]]));
    assert_eq!(
        rows(&kioku, "MATCH (a)-[:SUPPORTS|CAUSAL]->(b) RETURN a.name, b.name ORDER BY a.name")
            .as_array()
            .unwrap()
            .len(),
        2
    );
    // A query of names says nothing of records.
    let names = rows(&kioku, "MATCH (a) RETURN a.name, a.id");
    assert!(names.as_array().unwrap().iter().all(|row| row[1].is_null()), "{names}");
    assert_eq!(rows(&kioku, "MATCH (a)-[r]->(b) WHERE type(r) = 'SUPPORTS' RETURN a"), json!([]));
    let lines = kioku.run(&["graph", "MATCH (a)-[r:CONTRADICTS]->(b) RETURN a, r"]).ok();
    assert!(lines.contains("Tea at noon is harmless -CONTRADICTS-> Tea keeps me awake"), "{lines}");
}

#[test]
fn links_follow_an_edit_and_moods_stay_without_records() {
    let (kioku, [awake, harmless, _]) = journal();
    let why = |kioku: &Kioku| kioku.run(&["why", "calm", "--json"]).out;
    let before = why(&kioku);
    kioku.run(&["edit", &harmless, "--text", &format!("Tea at noon is harmless\nsupports:: [[{awake}]]")]).ok();
    assert_eq!(rows(&kioku, "MATCH (a)-[:CONTRADICTS]->(b) RETURN a"), json!([]));
    let supporting = rows(&kioku, "MATCH (a)-[:SUPPORTS]->(b {name: 'Tea keeps me awake'}) RETURN a.id");
    assert_eq!(supporting, json!([[harmless]]));
    assert_eq!(why(&kioku), before);
}
