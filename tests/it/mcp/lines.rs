//! Raw lines: order, garbage, halves and the end of the input.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use super::journal;
use crate::cli::Kioku;

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(kioku: &Kioku) -> Self {
        let mut server = Self::uninitialized(kioku);
        server.initialize();
        server
    }

    fn uninitialized(kioku: &Kioku) -> Self {
        let mut command = kioku.command(&["mcp"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn initialize(&mut self) {
        let server = self;
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        server.request(1, "initialize", hello);
        assert_eq!(server.line()["result"]["serverInfo"]["name"], "kioku");
        server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
    }

    fn save(&mut self, id: u64, text: &str) {
        self.request(id, "tools/call", json!({ "name": "save_memory", "arguments": { "text": text } }));
    }

    /// The next line; every line is a message.
    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Closes the input. Returns the remaining messages and stderr.
    fn end(self) -> (Vec<Value>, String) {
        drop(self.input);
        let rest = self.output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        (rest, String::from_utf8(output.stderr).unwrap())
    }
}

#[test]
fn garbage_and_half_a_line_at_the_end_are_survived() {
    let kioku = journal();
    let mut server = Server::start(&kioku);
    for line in ["", "not json", "{\"jsonrpc\":", "[]", "{}", "null", "7", "\u{0}", "{\"jsonrpc\":\"2.0\",\"id\":5}"] {
        server.send(line);
    }
    server.request(6, "no/such/method", json!({}));
    server.request(7, "ping", json!({}));
    let mut answers = Vec::new();
    while answers.last().is_none_or(|last: &Value| last["id"] != 7) {
        answers.push(server.line());
    }
    let unknown = answers.iter().find(|answer| answer["id"] == 6).unwrap();
    assert_eq!(unknown["error"]["code"], -32601, "{answers:?}");
    server.input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/li").unwrap();
    let (rest, said) = server.end();
    assert_eq!((rest, said.as_str()), (Vec::new(), ""));
}

#[test]
fn a_line_that_is_no_request_is_answered_with_its_id_or_null() {
    let kioku = journal();
    let mut server = Server::start(&kioku);
    let mut answer = |line: &[u8]| {
        server.input.write_all(&[line, b"\n"].concat()).unwrap();
        let answer = server.line();
        assert!(answer.as_object().unwrap().contains_key("id"), "{answer}");
        (answer["error"]["code"].as_i64().unwrap(), answer["id"].clone(), answer["error"]["message"].to_string())
    };
    for line in [&b"not json"[..], b"{\"jsonrpc\":", b"\"caf\xe9\""] {
        let (code, id, message) = answer(line);
        assert_eq!((code, id), (-32700, Value::Null), "{message}");
    }
    for line in [&b"[]"[..], b"{}", b"7"] {
        let (code, id, message) = answer(line);
        assert_eq!((code, id), (-32600, Value::Null), "{message}");
    }
    let (code, id, _) = answer(br#"{"jsonrpc":"2.0","id":5}"#);
    assert_eq!((code, id), (-32600, json!(5)));
    let (code, id, _) = answer(br#"{"id":"a","method":"ping"}"#);
    assert_eq!((code, id), (-32600, json!("a")));
    let (code, id, message) = answer(br#"{"jsonrpc":"2.0","id":6,"method":"tools/call"}"#);
    assert_eq!((code, id), (-32602, json!(6)));
    assert!(message.contains("params are missing"), "{message}");
    let long = "x".repeat(17 << 20);
    for line in [
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"text":"{long}"}}}}"#),
        format!(r#"{{"method":"tools/call","params":{{"text":"{long}"}},"jsonrpc":"2.0","id":7}}"#),
    ] {
        let (code, id, message) = answer(line.as_bytes());
        assert_eq!((code, id), (-32600, json!(7)));
        assert!(message.contains("at most 16 MiB"), "{message}");
    }
    assert_eq!(server.end(), (Vec::new(), String::new()));
}

#[test]
fn a_request_before_initialize_says_so_and_initialize_still_works() {
    let kioku = journal();
    let mut server = Server::uninitialized(&kioku);
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#);
    server.request(3, "tools/list", json!({}));
    let early = server.line();
    assert_eq!((&early["id"], &early["error"]["code"]), (&json!(3), &json!(-32600)), "{early}");
    assert!(early["error"]["message"].as_str().unwrap().contains("send `initialize` first"), "{early}");
    server.initialize();
    server.request(4, "tools/list", json!({}));
    assert!(server.line()["result"]["tools"].is_array());
    assert_eq!(server.end(), (Vec::new(), String::new()));
}

#[test]
fn requests_before_the_end_of_the_input_are_answered_and_saves_keep_their_order() {
    let kioku = Kioku::new();
    let mut server = Server::start(&kioku);
    for nth in 0..20 {
        server.save(10 + nth, &format!("Line {nth:02} of the day."));
    }
    let (answers, _) = server.end();
    assert_eq!(answers.len(), 20);
    assert!(answers.iter().all(|answer| answer["result"]["isError"] == false), "{answers:?}");
    let file = std::fs::read_to_string(kioku.journal().join("memory/2026-08-14.md")).unwrap();
    let lines: Vec<&str> = file.lines().filter(|line| line.starts_with("Line ")).collect();
    let expected: Vec<String> = (0..20).map(|nth| format!("Line {nth:02} of the day.")).collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_cancelled_request_is_not_answered_and_others_are() {
    let kioku = journal();
    let mut server = Server::start(&kioku);
    // The first opens the index; the second waits for it and is cancelled meanwhile.
    for id in [20, 21] {
        server.request(id, "tools/call", json!({ "name": "find_why", "arguments": { "query": "stressed" } }));
    }
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":21}}"#);
    server.request(22, "ping", json!({}));
    let (answers, _) = server.end();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [22, 20], "a ping waits for no search");
}

/// Flat memory and the time of many requests, on the journal that `KIOKU_MCP_VAULT` names or on a small one: run with
/// `--ignored --nocapture`.
#[test]
#[ignore = "10,000 requests take a minute"]
fn ten_thousand_requests_leave_the_memory_flat() {
    let kioku = journal();
    let mut command = kioku.command(&["mcp"]);
    if let Ok(vault) = std::env::var("KIOKU_MCP_VAULT") {
        command.args(["--vault", &vault]);
        command.env_remove("KIOKU_NOW");
    }
    let client = super::client::Client::started(command);
    let calls = [
        ("search_memories", json!({ "query": "the lake with Linh" })),
        ("get_timeline", json!({ "limit": 20 })),
        ("list_memory_dates", json!({})),
        ("list_entities", json!({})),
        ("recall_related", json!({ "entity": "Linh" })),
        ("explain_connection", json!({ "entity_a": "Linh", "entity_b": "Hùng" })),
        ("find_why", json!({ "query": "stressed" })),
        ("reflect", json!({})),
        ("review", json!({ "period": "week" })),
        ("query_graph", json!({ "query": "MATCH (a:Person)-[r]->(b) RETURN a, b, r.weight LIMIT 10" })),
    ];
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); calls.len() + 1];
    let rounds = std::env::var("KIOKU_MCP_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    let mut memory = Vec::new();
    for round in 0..rounds {
        for (nth, (name, arguments)) in calls.iter().enumerate() {
            let begun = std::time::Instant::now();
            // An unknown name is an answer as well.
            let _ = client.tool(name, arguments.clone());
            times[nth].push(begun.elapsed().as_secs_f64() * 1e3);
        }
        if round % (rounds / 10).max(1) == 0 {
            let begun = std::time::Instant::now();
            client.ok("save_memory", json!({ "text": format!("Walk number {round} at Heron Lake.") }));
            times[calls.len()].push(begun.elapsed().as_secs_f64() * 1e3);
            memory.push(client.resident_kib());
        }
    }
    let names = calls.iter().map(|(name, _)| *name).chain(["save_memory"]);
    for (name, mut times) in names.zip(times) {
        let first = times[0];
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!("{name:20} first {first:8.1} ms   p50 {:8.1} ms   p95 {:8.1} ms", at(0.5), at(0.95));
    }
    println!("resident memory in KiB, by tenth: {memory:?}");
    let (early, late) = (memory[memory.len() / 5], *memory.last().unwrap());
    assert!(late < early + early / 5, "{memory:?}");
}
