//! Tests of the client against a fake service, with correct and faulty responses.

use serde_json::json;

use super::*;
use crate::extract::{
    llm::{
        question::question,
        server::{ReceivedRequest, Say, Server},
        service::Fault,
    },
    tests::entry,
};

const KEY: &str = "sk-7hidden";

fn options(kind: ServiceKind, base: &str) -> ServiceOptions {
    ServiceOptions {
        kind,
        base: base.to_owned(),
        model: "small".to_owned(),
        key: Some(Secret::new(KEY.to_owned())),
        key_name: Some("THE_KEY".to_owned()),
        within: Duration::from_secs(20),
    }
}

fn said() -> Value {
    json!({
        "entities": [
            { "name": "Linh", "text": "Linh", "type": "person" }, { "name": "Bo", "text": "Bo", "type": "person" },
        ],
        "relationships": [],
        "event_time": null,
    })
}

fn ask(options: ServiceOptions) -> Result<Answer, ServiceError> {
    let entry = entry("Tea with Linh, \"as ever\".\n");
    let question = question(&entry, &["Linh".to_owned(), "Huế".to_owned()], &[]).unwrap();
    Service::new(options).ask(&question, &entry, Timestamp::UNIX_EPOCH)
}

/// Sends a request to a service with a fixed response.
fn hear(kind: ServiceKind, say: Say) -> (Result<Answer, ServiceError>, Vec<ReceivedRequest>) {
    let mut say = Some(say);
    let server = Server::start(Box::new(move |_| say.take().unwrap()));
    let heard = ask(options(kind, &server.base));
    let asked = server.asked();
    (heard, asked)
}

fn error(say: Say) -> ServiceError {
    hear(ServiceKind::Ollama, say).0.unwrap_err()
}

#[test]
fn each_service_is_asked_in_its_own_format_and_understood() {
    let text = said().to_string();
    for (kind, envelope, path) in [
        (
            ServiceKind::Anthropic,
            json!({ "content": [{ "type": "text", "text": "Here:" }, { "type": "tool_use", "id": "1", "name": "record", "input": said() }], "stop_reason": "tool_use" }),
            "/v1/messages",
        ),
        (
            ServiceKind::OpenAi,
            json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": text, "refusal": null }, "finish_reason": "stop" }] }),
            "/chat/completions",
        ),
        (
            ServiceKind::Ollama,
            json!({ "model": "small", "message": { "role": "assistant", "content": text }, "done": true, "done_reason": "stop" }),
            "/api/chat",
        ),
    ] {
        let (heard, asked) = hear(kind, Say::ok(envelope.to_string()));
        let answer = heard.unwrap();
        assert_eq!((answer.entities.len(), answer.dropped.unquoted, answer.model.as_str()), (1, 1, "small"));
        let [asked] = asked.as_slice() else { panic!("{asked:?}") };
        assert_eq!(asked.path, path);
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        assert_eq!(body["model"], "small");
        assert!(!asked.body.contains(KEY), "the key is in its header alone");
        let (key, user, shape) = match kind {
            ServiceKind::Anthropic => {
                assert!(asked.header("anthropic-version").is_some() && asked.header("authorization").is_none());
                assert_eq!(body["tool_choice"]["name"], body["tools"][0]["name"]);
                ("x-api-key", &body["messages"][0], &body["tools"][0]["input_schema"])
            }
            ServiceKind::OpenAi => {
                assert_eq!(body["response_format"]["json_schema"]["strict"], true);
                ("authorization", &body["messages"][1], &body["response_format"]["json_schema"]["schema"])
            }
            ServiceKind::Ollama => {
                assert_eq!(body["stream"], false);
                ("authorization", &body["messages"][1], &body["format"])
            }
        };
        assert!(asked.header(key).unwrap().ends_with(KEY));
        assert_eq!(shape["required"], json!(["entities", "relationships", "event_time"]));
        // The parts of the journal that are sent: day, names, text.
        assert_eq!(user["role"], "user");
        let sent: Value = serde_json::from_str(user["content"].as_str().unwrap()).unwrap();
        let expected = json!({ "written_on": "2026-02-22", "known_names": ["Linh", "Huế"], "text": "Tea with Linh, \"as ever\".\n" });
        assert_eq!(sent, expected);
    }
}

#[test]
fn silence_ends_at_the_time_limit() {
    let server = Server::start(Box::new(|_| Say::Nothing));
    let quick = ServiceOptions { within: Duration::from_millis(150), ..options(ServiceKind::Ollama, &server.base) };
    let error = ask(quick).unwrap_err();
    assert_eq!((&error, error.fault()), (&ServiceError::TimedOut, Fault::Either));
}

#[test]
fn what_breaks_off_or_is_cut_off_is_no_answer() {
    let whole = json!({ "message": { "content": said().to_string() } }).to_string();
    let part = whole.as_bytes()[..whole.len() / 2].to_vec();
    let status = || "200 OK".to_owned();
    let broken = Say::Answer { status: status(), headers: Vec::new(), body: part.clone(), length: Some(whole.len()) };
    assert_eq!(error(broken), ServiceError::BrokeOff);
    let ended = Say::Answer { status: status(), headers: Vec::new(), body: part, length: None };
    assert_eq!(error(ended), ServiceError::Unusable(Unusable::NotJson));
    for (kind, envelope, expected) in [
        (ServiceKind::Ollama, json!({ "message": { "content": "{" }, "done_reason": "length" }), ServiceError::CutOff),
        (ServiceKind::Anthropic, json!({ "content": [], "stop_reason": "max_tokens" }), ServiceError::CutOff),
        (ServiceKind::Anthropic, json!({ "content": [], "stop_reason": "refusal" }), ServiceError::Declined),
        (
            ServiceKind::OpenAi,
            json!({ "choices": [{ "message": { "content": "{" }, "finish_reason": "length" }] }),
            ServiceError::CutOff,
        ),
        (
            ServiceKind::OpenAi,
            json!({ "choices": [{ "message": { "content": null, "refusal": "no" }, "finish_reason": "stop" }] }),
            ServiceError::Declined,
        ),
    ] {
        let (heard, _) = hear(kind, Say::ok(envelope.to_string()));
        assert_eq!(heard.unwrap_err(), expected, "{envelope}");
        assert_eq!(expected.fault(), Fault::Text);
    }
}

#[test]
fn json_of_another_shape_and_no_json_are_no_answers() {
    for kind in [ServiceKind::Anthropic, ServiceKind::OpenAi, ServiceKind::Ollama] {
        for other in ["[]", "{}", "7", "{\"content\":7,\"choices\":[],\"message\":null}"] {
            assert_eq!(
                hear(kind, Say::ok(other)).0,
                Err(ServiceError::Unusable(Unusable::OtherShape)),
                "{kind:?} {other}"
            );
        }
        for none in ["", "<html>Sign in to the hotel's network</html>", "{\"a\":"] {
            assert_eq!(hear(kind, Say::ok(none)).0, Err(ServiceError::Unusable(Unusable::NotJson)), "{kind:?} {none}");
        }
    }
    assert_eq!(error(Say::ollama("Sure! Here is what I found.")), ServiceError::Unusable(Unusable::NotJson));
    assert_eq!(error(Say::ollama("{\"people\":[\"Linh\"]}")), ServiceError::Unusable(Unusable::OtherShape));
}

#[test]
fn an_answer_without_end_is_cut_short() {
    let huge = vec![b' '; MOST_BYTES as usize + 10];
    assert_eq!(error(Say::ok(huge.clone())), ServiceError::TooLong);
    let status = "200 OK".to_owned();
    assert_eq!(error(Say::Answer { status, headers: Vec::new(), body: huge, length: None }), ServiceError::TooLong);
}

#[test]
fn a_refusal_says_who_can_help() {
    let seconds = Duration::from_secs;
    for (status, headers, expected, fault) in [
        ("401 Unauthorized", &[][..], ServiceError::Refused(401), Fault::Settings),
        ("403 Forbidden", &[], ServiceError::Refused(403), Fault::Settings),
        ("404 Not Found", &[], ServiceError::NotThere, Fault::Settings),
        ("400 Bad Request", &[], ServiceError::Rejected(400), Fault::Text),
        ("413 Too Large", &[], ServiceError::Rejected(413), Fault::Text),
        ("500 Oh", &[], ServiceError::Failed(500), Fault::Service),
        (
            "429 Too Many",
            &[("Retry-After", "17")],
            ServiceError::Busy { status: 429, after: Some(seconds(17)) },
            Fault::Service,
        ),
        (
            "529 Overloaded",
            &[("Retry-After", "Thu, 01 Jan 1970 00:02:00 GMT")],
            ServiceError::Busy { status: 529, after: Some(seconds(120)) },
            Fault::Service,
        ),
        ("503 Soon", &[("Retry-After", "soon")], ServiceError::Busy { status: 503, after: None }, Fault::Service),
    ] {
        let error = error(Say::status(status, headers, format!("{{\"error\":\"your key {KEY} and your text\"}}")));
        assert_eq!((&error, error.fault()), (&expected, fault));
        let told = format!("{error} {error:?}");
        assert!(!told.contains(KEY) && !told.contains("your text"), "{told}");
    }
}

#[test]
fn nothing_follows_where_a_service_leads() {
    let elsewhere = Server::start(Box::new(|_| Say::ok("{}")));
    let there = elsewhere.base.clone();
    let error = error(Say::status("307 Temporary Redirect", &[("Location", &there)], ""));
    assert_eq!((&error, error.fault()), (&ServiceError::LedElsewhere(307), Fault::Settings));
    assert_eq!(elsewhere.asked(), []);
}

#[test]
fn without_its_key_or_with_an_odd_one_nothing_is_sent() {
    let server = Server::start(Box::new(|_| Say::ok("{}")));
    let without = ServiceOptions { key: None, ..options(ServiceKind::Anthropic, &server.base) };
    assert_eq!(ask(without).unwrap_err().to_string(), "there is no key: the variable THE_KEY is empty");
    let odd = Some(Secret::new("a\r\nX-Other: b".to_owned()));
    assert_eq!(
        ask(ServiceOptions { key: odd, ..options(ServiceKind::OpenAi, &server.base) }),
        Err(ServiceError::OddKey)
    );
    assert_eq!(server.asked(), []);
    let none = ServiceOptions { key: None, key_name: None, ..options(ServiceKind::Ollama, &server.base) };
    ask(none).unwrap_err();
    assert_eq!(server.asked()[0].header("authorization"), None);
    assert!(!format!("{:?}", options(ServiceKind::OpenAi, "https://a")).contains(KEY));
}

#[test]
fn a_service_that_is_not_there_is_an_outage() {
    let gone = Server::start(Box::new(|_| unreachable!()));
    let base = gone.base.clone();
    drop(gone);
    let error = ask(options(ServiceKind::Ollama, &base)).unwrap_err();
    assert_eq!((&error, error.fault()), (&ServiceError::Unreachable, Fault::Service));
}
