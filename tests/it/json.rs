//! The manual's page of JSON examples against the output of the real commands.
//!
//! `KIOKU_UPDATE_JSON=1 cargo test --test it json::` writes the page's examples anew.

use std::{env, fs, path::Path};

use serde_json::Value;

use crate::cli::Kioku;

/// A line of this form names the command of the JSON block below it.
const COMMAND: &str = "`kioku ";
/// Maximum width of a line of an example.
const WIDTH: usize = 110;

/// The journal of the examples.
const ENTRIES: &[(&str, &str, &str, &str)] = &[
    (
        "aaaaaaaaa1",
        "2026-08-03T21:00:00+02:00",
        "tired",
        "Slept badly. I was stressed because of the deadline for Project Atlas.",
    ),
    ("aaaaaaaaa2", "2026-08-05T20:30:00+02:00", "calm", "Walked along the river with @Linh_Nguyễn. It was calm there."),
    (
        "aaaaaaaaa3",
        "2026-08-07T22:10:00+02:00",
        "stressed",
        "Another late night for Project Atlas. @Linh called and we talked about Lisbon.",
    ),
    (
        "aaaaaaaaa4",
        "2026-08-10T19:45:00+02:00",
        "glad",
        "Dinner with Linh in Lisbon. I was happy because Linh laughed again.",
    ),
    (
        "aaaaaaaaa5",
        "2026-08-12T08:15:00+02:00",
        "calm",
        "The river again, before work. I was sad because @Linh left on 2026-08-11.",
    ),
];

fn journal() -> Kioku {
    let kioku = Kioku::new();
    let line = |(id, time, mood, text): &(&str, &str, &str, &str)| {
        format!("{}\n", serde_json::json!({"id": id, "time": time, "mood": mood, "tags": ["walk"], "text": text}))
    };
    let item = r#"{"id":"bbbbbbbbb1","time":"2026-08-13T09:00:00+02:00","text":"oat milk","extra":{"record":"item"}}"#;
    let note =
        r#"{"id":"bbbbbbbbb2","time":"2026-08-04T10:00:00+02:00","text":"The tickets.","extra":{"record":"note"}}"#;
    let lines: String = ENTRIES.iter().map(line).chain([format!("{item}\n{note}\n")]).collect();
    kioku.piped(&["import", "jsonl", &kioku.write("in.jsonl", &lines)], b"").ok();
    kioku.run(&["attach", "bbbbbbbbb2", &kioku.write("tickets.pdf", "%PDF")]).ok();
    kioku.run(&["index"]).ok();
    let deleted = kioku.add(&["--at", "2026-08-12 10:00", "A line to delete."]);
    kioku.run(&["rm", &deleted]).ok();
    kioku.run(&["sync", "init"]).ok();
    kioku
}

/// A value as the page shows it: lists shortened to their first item, folders of the test replaced.
fn abbreviated(value: Value, home: &str) -> Value {
    match value {
        Value::Array(items) => items.into_iter().take(1).map(|item| abbreviated(item, home)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, abbreviated(value, home))).collect(),
        Value::String(text) => {
            let text = text.replace(home, "~");
            // The folder of the index is named after the machine.
            text.split_once("/.index/").map_or(text.clone(), |(root, _)| format!("{root}/.index/NAME")).into()
        }
        other => other,
    }
}

/// Whether two values have the same keys and kinds, and the same text.
fn differs(at: &str, shown: &Value, made: &Value) -> Option<String> {
    match (shown, made) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = |map: &serde_json::Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
            if keys(a) != keys(b) {
                return Some(format!("{at}: keys {:?}, the page has {:?}", keys(b), keys(a)));
            }
            a.iter().find_map(|(key, value)| differs(&format!("{at}.{key}"), value, &b[key]))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).find_map(|(a, b)| differs(&format!("{at}[]"), a, b))
        }
        (Value::Number(_), Value::Number(_)) => None,
        // Random ids and sizes differ with each run and machine.
        (Value::String(a), Value::String(b)) if is_random(a) && is_random(b) => None,
        (Value::String(a), Value::String(b)) if without_ids(a) == without_ids(b) => None,
        (a, b) => (a != b).then(|| format!("{at}: {b}, the page has {a}")),
    }
}

/// A text with a mark for each word as long as an id.
fn without_ids(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    words.map(|word| if is_random(word.trim_end_matches([':', ' ', '"'])) { "ID" } else { word }).collect()
}

/// An id of ten base32 characters, also in a longer handle, or a checksum.
fn is_random(text: &str) -> bool {
    let is_checksum = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_checksum
        || text
            .split(['~', '#'])
            .next()
            .is_some_and(|id| id.len() == 10 && id.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Prints a value on one line if it fits, else with one line per item.
fn printed(value: &Value, depth: usize) -> String {
    if !value.is_object() && !value.is_array() {
        return serde_json::to_string(value).unwrap();
    }
    let flat = serde_json::to_string(value).unwrap().replace("\":", "\": ").replace(",\"", ", \"");
    if flat.chars().count() + depth <= WIDTH {
        return flat;
    }
    let indent = " ".repeat(depth + 2);
    let (open, items, close): (_, Vec<String>, _) = match value {
        Value::Object(fields) => {
            let item = |(key, value): (&String, &Value)| format!("{indent}\"{key}\": {}", printed(value, depth + 2));
            ("{", fields.iter().map(item).collect(), "}")
        }
        Value::Array(items) => {
            ("[", items.iter().map(|item| format!("{indent}{}", printed(item, depth + 2))).collect(), "]")
        }
        _ => unreachable!("a list or an object"),
    };
    format!("{open}\n{}\n{}{close}", items.join(",\n"), " ".repeat(depth))
}

/// The words of a command, as a shell reads them: a space in single quotes ends none.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for letter in command.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

#[test]
fn every_example_of_the_manual_is_what_the_command_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/manual/json.md");
    let page = fs::read_to_string(&path).unwrap();
    let update = env::var_os("KIOKU_UPDATE_JSON").is_some();
    let kioku = journal();
    let home = fs::canonicalize(kioku.home.path()).unwrap();
    let mut last_id = String::new();
    let (mut written, mut faults, mut rest, mut count) = (String::new(), Vec::new(), page.as_str(), 0);
    while let Some((before, block)) = rest.split_once("```json\n") {
        let (example, after) = block.split_once("\n```").unwrap();
        let command =
            before.lines().rev().find_map(|line| Some(line.split_once(COMMAND)?.1.split_once('`')?.0)).unwrap();
        let (command, input) = command.split_once(" <<< ").unwrap_or((command, ""));
        let arguments: Vec<String> = words(command).iter().map(|word| word.replace("ID", &last_id)).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = kioku.piped(&arguments, input.trim_matches('\'').as_bytes());
        let first = ran.out.lines().next().unwrap_or_else(|| panic!("{command}: {ran:?}"));
        let value = serde_json::from_str(first).unwrap_or_else(|error| panic!("{command}: {error}: {first}"));
        let value: Value = value;
        last_id = value["id"].as_str().unwrap_or(&last_id).to_owned();
        let value = abbreviated(value, home.to_str().unwrap());
        let shown = serde_json::from_str(example).unwrap_or(Value::Null);
        faults.extend(differs(command, &shown, &value));
        written.push_str(&format!("{before}```json\n{}\n```", printed(&value, 0)));
        rest = after;
        count += 1;
    }
    if update {
        fs::write(&path, written + rest).unwrap();
    } else {
        assert!(faults.is_empty(), "KIOKU_UPDATE_JSON=1 writes the examples anew:\n{}", faults.join("\n"));
    }
    assert!(count > 20, "{count} examples");
}
