//! `kioku graph`: a subset of openCypher over the stated relations, on the real binary.

use serde_json::{Value, json};

use crate::cli::Kioku;

fn journal() -> Kioku {
    let kioku = Kioku::new();
    for (day, text) in [
        ("2026-08-01", "trigger:: [[Khoa (person)]], [[deadline]]"),
        ("2026-08-02", "trigger:: [[Khoa (person)]]"),
        ("2026-08-03", "trigger:: [[Linh (person)]]"),
    ] {
        let mood = if day == "2026-08-03" { "happy" } else { "stressed" };
        let text = format!("mood:: {mood}\n{text}\n\nMore of it.");
        kioku.add(&["--at", &format!("{day} 20:00"), "--mood", mood, &text]);
    }
    kioku
}

fn rows(kioku: &Kioku, query: &str) -> Value {
    let table: Value = serde_json::from_str(&kioku.run(&["graph", "--json", query]).out).unwrap();
    table["rows"].clone()
}

#[test]
fn relations_are_matched_by_label_type_and_direction() {
    let kioku = journal();
    let causes = rows(&kioku, "MATCH (a:Person)-[:CAUSAL]->(b:Emotion) RETURN a.name, b.name ORDER BY a.name");
    assert_eq!(causes, json!([["Khoa", "stressed"], ["Linh", "happy"]]));
    assert_eq!(rows(&kioku, "MATCH (b {name: 'stressed'})<-[:causal]-(a:person) RETURN a.name"), json!([["Khoa"]]));
    assert_eq!(
        rows(&kioku, "MATCH (b {name: 'happy'})--(a:Person|Place) RETURN a"),
        json!([[{ "name": "Linh", "kind": "person" }]])
    );
    let nothing = kioku.run(&["graph", "MATCH (a:Person)<-[:CAUSAL]-(b) RETURN a"]);
    assert_eq!(nothing.code, 3, "{nothing:?}");
}

#[test]
fn two_hops_meet_in_the_middle_and_use_no_relation_twice() {
    let kioku = journal();
    let query = "MATCH (a)-[:CAUSAL]->(m:Emotion)<-[:CAUSAL]-(b) RETURN a.name, m.name, b.name ORDER BY a.name";
    assert_eq!(rows(&kioku, query), json!([["Khoa", "stressed", "deadline"], ["deadline", "stressed", "Khoa"]]));
    let joined = "MATCH (a:Person)-[:CAUSAL]->(m), (b:Topic)-[:CAUSAL]->(m) RETURN a.name, b.name";
    assert_eq!(rows(&kioku, joined), json!([["Khoa", "deadline"]]));
}

#[test]
fn rows_are_counted_sorted_skipped_and_limited() {
    let kioku = journal();
    let counted = "MATCH (a)-[r:CAUSAL]->(b:Emotion) RETURN b.name AS feeling, count(*) AS n ORDER BY n DESC, feeling";
    assert_eq!(rows(&kioku, counted), json!([["stressed", 2], ["happy", 1]]));
    let of = |rest: &str| rows(&kioku, &format!("MATCH (a)-[r:CAUSAL]->(b:Emotion) RETURN {rest}"));
    assert_eq!(of("a.name ORDER BY r.stated DESC, a.name LIMIT 1"), json!([["Khoa"]]));
    assert_eq!(of("a.name ORDER BY a.name SKIP 1 LIMIT 1"), json!([["Linh"]]));
    assert_eq!(of("DISTINCT type(r)"), json!([["CAUSAL"]]));
    let feelings = json!([["happy"], ["stressed"]]);
    let names = |rows: Value| rows.as_array().unwrap().iter().map(|row| json!([row[0]["name"]])).collect::<Value>();
    for order in [
        "DISTINCT b ORDER BY b",
        "DISTINCT b ORDER BY b.name",
        "DISTINCT b AS x ORDER BY x.name",
        "b, count(*) ORDER BY b",
    ] {
        assert_eq!(names(of(order)), feelings, "{order}");
        assert_eq!(names(of(&format!("{order} DESC"))), json!([["stressed"], ["happy"]]), "{order}");
    }
    assert_eq!(of("count(DISTINCT b)"), json!([[2]]));
    let none = "MATCH (a {name: 'Nobody'}) RETURN";
    assert_eq!(rows(&kioku, &format!("{none} count(*), count(DISTINCT a)")), json!([[0, 0]]));
    assert_eq!(rows(&kioku, &format!("{none} a.name, count(*)")), json!([]));
}

#[test]
fn conditions_compare_names_numbers_and_lists() {
    let kioku = journal();
    let of = |condition: &str| {
        rows(&kioku, &format!("MATCH (a)-[r:CAUSAL]->(b) WHERE {condition} RETURN a.name ORDER BY a.name"))
    };
    assert_eq!(of("r.stated >= 2"), json!([["Khoa"]]));
    assert_eq!(of("toLower(a.name) STARTS WITH 'k' OR a.name IN ['Linh']"), json!([["Khoa"], ["Linh"]]));
    assert_eq!(of("NOT (b.name = 'stressed' OR a.name CONTAINS 'x')"), json!([["Linh"]]));
    assert_eq!(of("a.first_seen < '2026-08-02' AND r.weight > 0.5 AND a.kind <> 'topic'"), json!([["Khoa"]]));
    assert_eq!(of("a.name = 5 OR a.name > 5"), json!([]));
}

#[test]
fn evidence_is_quoted_with_the_id_of_its_entry() {
    let kioku = journal();
    let quotes = rows(&kioku, "MATCH (a {name: 'Khoa'})-[r]->(b:Emotion) RETURN r, r.evidence LIMIT 1");
    let (relation, evidence) = (&quotes[0][0], &quotes[0][1]);
    assert_eq!((&relation["type"], &relation["stated"]), (&json!("CAUSAL"), &json!(2)));
    let id = evidence[0]["id"].as_str().unwrap();
    assert!(kioku.run(&["show", id]).ok().contains("trigger:: [[Khoa (person)]]"), "{evidence}");
    let lines = kioku.run(&["graph", "MATCH (a {name: 'Linh'})-[r]->(b:Emotion) RETURN a, r"]).ok();
    assert_eq!(lines, "a\tr\nLinh\tLinh -CAUSAL-> happy\n");
}

#[test]
fn mistakes_are_shown_with_their_place() {
    let kioku = journal();
    for (query, expected) in [
        ("MATCH (a:Animal) RETURN a", "line 1, column 10: unknown label `Animal`; expected one of person"),
        ("MATCH (a)-[:KNOWS]->(b) RETURN a", "column 13: unknown type `KNOWS`; expected one of CAUSAL"),
        ("MATCH (a)\nRETURN b", "line 2, column 8: unknown name `b`; expected one of a"),
        ("MATCH (a) RETURN a.age", "unknown property `age`; expected one of name"),
        ("MATCH (a)-[a]->(b) RETURN a", "named only once"),
        ("MATCH (a)--(b)--(c)--(d)--(e)--(f) RETURN a", "at most 4 hops"),
        ("MATCH (a) WHERE count(a) > 1 RETURN a", "count belongs to RETURN"),
        ("MATCH (a) RETURN count(a) ORDER BY a.name", "only items of RETURN"),
        ("MATCH (a) RETURN a LIMIT 10001", "at most 10000"),
        ("MATCH (a) RETURN DISTINCT a.name ORDER BY a.kind", "only items of RETURN"),
        ("MATCH (a) DELETE a", "expected"),
        ("MATCH (a) SET a.name = 'x' RETURN a", "column 11: expected"),
    ] {
        let error = kioku.run(&["graph", query]).fails(2);
        assert!(error.contains(expected), "{query}: {error}");
    }
}
