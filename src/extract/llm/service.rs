//! The one place that sends a text of the journal anywhere: one question to one service, one answer back.
//!
//! Owns the three wire formats (Anthropic Messages, OpenAI chat completions, Ollama chat) and what can go wrong on the way.
//! Nothing a server says beside its answer is kept or shown: an error is told in kioku's own words, and the key is in none.

use std::{fmt, io::Read, time::Duration};

use jiff::Timestamp;
use serde_json::{Value, json};
use ureq::{
    Agent,
    http::{HeaderMap, StatusCode, header},
};

use super::{
    Answer, Unusable,
    question::{Question, schema},
};
use crate::journal::Entry;

/// The answer to a text of some hundred words is some thousand bytes.
const MOST_BYTES: u64 = 1 << 20;
const MOST_TOKENS: u32 = 4096;
/// What the answer is called where it comes as a call of a tool.
const TOOL: &str = "record";
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Who is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceOptions {
    pub kind: ServiceKind,
    /// Such as `https://api.anthropic.com`, without a slash at the end.
    pub base: String,
    pub model: String,
    pub key: Option<Secret>,
    /// The variable of the environment that the key comes from, for messages.
    pub key_name: Option<String>,
    /// From the connection to the last byte of the answer.
    pub within: Duration,
}

/// The format of question and answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    Anthropic,
    OpenAi,
    Ollama,
}

impl ServiceKind {
    /// The word in the configuration.
    pub fn word(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        [Self::Anthropic, Self::OpenAi, Self::Ollama].into_iter().find(|kind| kind.word() == word)
    }

    /// Where the service is, unless the configuration says otherwise.
    pub fn base(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The variable with the key, unless the configuration says otherwise. A model on this machine needs none.
    pub fn key_name(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Ollama => None,
        }
    }
}

/// A key: goes into a header and nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(key: String) -> Self {
        Self(key)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Why there is no answer. What it says holds nothing that a server sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    #[error("the service refuses the key ({0})")]
    Refused(u16),
    #[error("there is no key: the variable {0} is empty")]
    NoKey(String),
    #[error("the key cannot be sent: it holds characters that no key has")]
    OddKey,
    #[error("the service knows no such address or model (404)")]
    NotThere,
    #[error("the service leads elsewhere ({0}), and nothing is sent after it")]
    LedElsewhere(u16),
    #[error("the service has too much to do ({status})")]
    Busy { status: u16, after: Option<Duration> },
    #[error("the service fails ({0})")]
    Failed(u16),
    #[error("the service cannot be reached")]
    Unreachable,
    #[error("no answer within the time limit")]
    TimedOut,
    #[error("the answer broke off")]
    BrokeOff,
    #[error("the service does not take this question ({0})")]
    Rejected(u16),
    #[error("the answer is longer than an answer can be")]
    TooLong,
    #[error("the answer was cut off before its end")]
    CutOff,
    #[error("the model declined to answer")]
    Declined,
    #[error("{0}")]
    Unusable(Unusable),
}

/// What is to be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Only a person can mend it: nothing more is sent.
    Settings,
    /// The service is left alone for a while.
    Service,
    /// This text is asked about again, a few times.
    Text,
    /// Nobody can tell: both.
    Either,
}

impl ServiceError {
    pub fn fault(&self) -> Fault {
        match self {
            Self::Refused(_) | Self::NoKey(_) | Self::OddKey | Self::NotThere | Self::LedElsewhere(_) => {
                Fault::Settings
            }
            Self::Busy { .. } | Self::Failed(_) | Self::Unreachable => Fault::Service,
            Self::TimedOut | Self::BrokeOff => Fault::Either,
            Self::Rejected(_) | Self::TooLong | Self::CutOff | Self::Declined | Self::Unusable(_) => Fault::Text,
        }
    }
}

/// Whether `base` may be sent a text: encrypted, or this very machine; the reason where not.
pub fn fault_of_base(base: &str) -> Option<&'static str> {
    let (scheme, rest) = base.split_once("://").unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    match scheme {
        _ if host.contains('@') => Some("a key or password in an address is kept by everybody on the way"),
        "https" if !name.is_empty() => None,
        "http" if matches!(name, "localhost" | "127.0.0.1" | "[::1]") => None,
        _ => Some("it must begin with https:// (http:// only for this machine itself)"),
    }
}

/// One service, asked question by question.
pub struct Service {
    options: ServiceOptions,
    agent: Agent,
}

impl Service {
    pub fn new(options: ServiceOptions) -> Self {
        let local = options.base.starts_with("http://");
        let config = Agent::config_builder()
            .https_only(!local)
            // A redirection would carry the text, and perhaps the key, to somebody whom nobody has named.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .accept_encoding("identity")
            .user_agent("kioku")
            .timeout_global(Some(options.within));
        let agent = if local { config.proxy(None) } else { config }.build().new_agent();
        Self { options, agent }
    }

    pub fn options(&self) -> &ServiceOptions {
        &self.options
    }

    /// Asks about an entry, and keeps of the answer what stands in it. Blocks up to the time limit.
    pub fn ask(&self, question: &Question, entry: &Entry, now: Timestamp) -> Result<Answer, ServiceError> {
        let sent = self.send(question, now)?;
        Answer::of_model(&sent, &self.options.model, entry).map_err(ServiceError::Unusable)
    }

    /// The JSON text that the model answers with.
    fn send(&self, question: &Question, now: Timestamp) -> Result<String, ServiceError> {
        let body = body(&self.options, question).to_string();
        let mut request = self.agent.post(address(&self.options)).header(header::CONTENT_TYPE, "application/json");
        for (name, value) in headers(&self.options)? {
            request = request.header(name, value);
        }
        let response = request.send(body.as_bytes()).map_err(|error| fault_of(&error))?;
        expect_answer(response.status(), response.headers(), now)?;
        let mut bytes = Vec::new();
        let mut reader = response.into_body().into_reader().take(MOST_BYTES + 1);
        reader.read_to_end(&mut bytes).map_err(|error| match error.get_ref() {
            Some(inner) => inner.downcast_ref().map_or(ServiceError::BrokeOff, fault_of),
            None => ServiceError::BrokeOff,
        })?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(ServiceError::TooLong);
        }
        let envelope = serde_json::from_slice(&bytes).map_err(|_| ServiceError::Unusable(Unusable::NotJson))?;
        content(self.options.kind, &envelope)
    }
}

/// Where a question goes.
pub fn address(options: &ServiceOptions) -> String {
    let path = match options.kind {
        ServiceKind::Anthropic => "/v1/messages",
        ServiceKind::OpenAi => "/chat/completions",
        ServiceKind::Ollama => "/api/chat",
    };
    format!("{}{path}", options.base.trim_end_matches('/'))
}

/// What goes there: nothing of the journal but what the question holds.
pub fn body(options: &ServiceOptions, question: &Question) -> Value {
    let Question { task, entry } = question;
    let model = &options.model;
    let system = json!({ "role": "system", "content": task });
    let user = json!({ "role": "user", "content": entry });
    match options.kind {
        ServiceKind::Anthropic => json!({
            "model": model, "max_tokens": MOST_TOKENS, "system": task, "messages": [user],
            "tools": [{ "name": TOOL, "description": "Records what the entry states.", "input_schema": schema() }],
            "tool_choice": { "type": "tool", "name": TOOL },
        }),
        ServiceKind::OpenAi => json!({
            "model": model, "messages": [system, user],
            "response_format": {
                "type": "json_schema",
                "json_schema": { "name": TOOL, "strict": true, "schema": schema() },
            },
        }),
        ServiceKind::Ollama => json!({
            "model": model, "messages": [system, user], "stream": false, "format": schema(),
            "options": { "temperature": 0, "num_ctx": context(task.len() + entry.len()) },
        }),
    }
}

/// Tokens of context for a question of so many bytes and its answer: what Ollama takes by itself would cut a long entry off.
fn context(bytes: usize) -> usize {
    (bytes / 3 + MOST_TOKENS as usize / 2).next_power_of_two().clamp(4096, 32_768)
}

fn headers(options: &ServiceOptions) -> Result<Vec<(&'static str, String)>, ServiceError> {
    let mut headers = Vec::new();
    if options.kind == ServiceKind::Anthropic {
        headers.push(("anthropic-version", ANTHROPIC_VERSION.to_owned()));
    }
    let Some(Secret(key)) = &options.key else {
        return match &options.key_name {
            Some(name) => Err(ServiceError::NoKey(name.clone())),
            None => Ok(headers),
        };
    };
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ServiceError::OddKey);
    }
    headers.push(match options.kind {
        ServiceKind::Anthropic => ("x-api-key", key.clone()),
        ServiceKind::OpenAi | ServiceKind::Ollama => ("authorization", format!("Bearer {key}")),
    });
    Ok(headers)
}

fn fault_of(error: &ureq::Error) -> ServiceError {
    match error {
        ureq::Error::Timeout(_) => ServiceError::TimedOut,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => ServiceError::TimedOut,
        ureq::Error::Protocol(_) => ServiceError::BrokeOff,
        _ => ServiceError::Unreachable,
    }
}

fn expect_answer(status: StatusCode, headers: &HeaderMap, now: Timestamp) -> Result<(), ServiceError> {
    let after = || headers.get(header::RETRY_AFTER).and_then(|after| retry_after(after.to_str().ok()?, now));
    let code = status.as_u16();
    Err(match code {
        200..=299 => return Ok(()),
        300..=399 => ServiceError::LedElsewhere(code),
        401 | 403 => ServiceError::Refused(code),
        404 => ServiceError::NotThere,
        429 | 503 | 529 => ServiceError::Busy { status: code, after: after() },
        408 | 500.. => ServiceError::Failed(code),
        _ => ServiceError::Rejected(code),
    })
}

/// Seconds, or a date (RFC 9110, 10.2.3).
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text.trim()).ok()?;
    Duration::try_from(at.duration_since(now)).ok()
}

/// The model's own words out of what the service wraps them in.
fn content(kind: ServiceKind, envelope: &Value) -> Result<String, ServiceError> {
    let other = || ServiceError::Unusable(Unusable::OtherShape);
    let at = |pointer: &str| envelope.pointer(pointer).and_then(Value::as_str);
    match kind {
        ServiceKind::Anthropic => {
            match at("/stop_reason") {
                Some("max_tokens") => return Err(ServiceError::CutOff),
                Some("refusal") => return Err(ServiceError::Declined),
                _ => {}
            }
            let parts = envelope.get("content").and_then(Value::as_array).ok_or_else(other)?;
            let is = |part: &&Value, what: &str| part.get("type").and_then(Value::as_str) == Some(what);
            if let Some(call) = parts.iter().find(|part| is(part, "tool_use")) {
                return call.get("input").map(Value::to_string).ok_or_else(other);
            }
            let text = parts.iter().find(|part| is(part, "text")).and_then(|part| part.get("text")?.as_str());
            text.map(str::to_owned).ok_or_else(other)
        }
        ServiceKind::OpenAi => {
            match at("/choices/0/finish_reason") {
                Some("length") => return Err(ServiceError::CutOff),
                Some("content_filter") => return Err(ServiceError::Declined),
                _ if at("/choices/0/message/refusal").is_some() => return Err(ServiceError::Declined),
                _ => {}
            }
            at("/choices/0/message/content").map(str::to_owned).ok_or_else(other)
        }
        ServiceKind::Ollama => {
            if at("/done_reason") == Some("length") {
                return Err(ServiceError::CutOff);
            }
            at("/message/content").map(str::to_owned).ok_or_else(other)
        }
    }
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
