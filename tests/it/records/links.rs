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
