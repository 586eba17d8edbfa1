//! Request formats and errors of the services: Anthropic Messages, OpenAI chat completions, Ollama chat.
//!
//! Error texts of a server are neither stored nor shown: errors have kioku's own messages, which never contain the key.
//! [`Service`] connects; in a build without the feature `network` it refuses every request.

use std::{fmt, time::Duration};

#[cfg(not(feature = "network"))]
use jiff::Timestamp;
use serde_json::{Value, json};

#[cfg(not(feature = "network"))]
use super::Answer;
#[cfg(feature = "network")]
pub use super::connection::Service;
use super::{
    Unusable,
    question::{Question, schema},
};
#[cfg(not(feature = "network"))]
use crate::journal::Entry;
use crate::journal::words;

const MOST_TOKENS: u32 = 4096;
/// The name of the tool through which the model returns its answer.
const TOOL: &str = "record";

/// The service and how to reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceOptions {
    pub kind: ServiceKind,
    /// Such as `https://api.anthropic.com`, without a slash at the end.
    pub base: String,
    pub model: String,
    pub key: Option<Secret>,
    /// The environment variable of the key, for messages.
    pub key_name: Option<String>,
    /// Timeout from the connection to the last byte of the answer.
    pub within: Duration,
}

/// The API of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    Anthropic,
    OpenAi,
    Ollama,
}

words! { ServiceKind: Anthropic "anthropic", OpenAi "openai", Ollama "ollama" }

impl ServiceKind {
    /// The default address of the service.
    pub fn base(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The default environment variable of the key. A model on this machine needs none.
    pub fn key_name(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Ollama => None,
        }
    }
}

/// An API key. It is only used in a request header, and hidden in debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub(super) String);

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

/// Error of a request. The messages contain no text from the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    #[error("the service refuses the key ({0})")]
    Refused(u16),
    #[error("there is no key: the variable {0} is empty")]
    NoKey(String),
    #[error("the key contains invalid characters")]
    OddKey,
    #[error("the service knows no such address or model (404)")]
    NotThere,
    #[error("the service redirects ({0}); redirects are not followed")]
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
    #[error("the service rejects this request ({0})")]
    Rejected(u16),
    #[error("the answer is too long")]
    TooLong,
    #[error("the answer was cut off before its end")]
    CutOff,
    #[error("the model declined to answer")]
    Declined,
    #[error("{0}")]
    Unusable(Unusable),
    #[error("this kioku was built without the network (cargo feature `network`)")]
    NoNetwork,
}

/// How to handle an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Only the user can fix it: nothing more is sent.
    Settings,
    /// The service fails: pause all requests.
    Service,
    /// The answer to this text fails: retry it a few times.
    Text,
    /// The cause is unknown: handle as both.
    Either,
}

impl ServiceError {
    pub fn fault(&self) -> Fault {
        match self {
            Self::Refused(_)
            | Self::NoKey(_)
            | Self::OddKey
            | Self::NotThere
            | Self::LedElsewhere(_)
            | Self::NoNetwork => Fault::Settings,
            Self::Busy { .. } | Self::Failed(_) | Self::Unreachable => Fault::Service,
            Self::TimedOut | Self::BrokeOff => Fault::Either,
            Self::Rejected(_) | Self::TooLong | Self::CutOff | Self::Declined | Self::Unusable(_) => Fault::Text,
        }
    }
}

/// The client of a build without network.
#[cfg(not(feature = "network"))]
pub struct Service;

#[cfg(not(feature = "network"))]
impl Service {
    pub fn new(_: ServiceOptions) -> Self {
        Self
    }

    /// Always [`ServiceError::NoNetwork`].
    pub fn ask(&self, _: &Question, _: &Entry, _: Timestamp) -> Result<Answer, ServiceError> {
        Err(ServiceError::NoNetwork)
    }
}

/// The URL of a request.
pub fn address(options: &ServiceOptions) -> String {
    let path = match options.kind {
        ServiceKind::Anthropic => "/v1/messages",
        ServiceKind::OpenAi => "/chat/completions",
        ServiceKind::Ollama => "/api/chat",
    };
    format!("{}{path}", options.base.trim_end_matches('/'))
}

/// The body of a request. It contains nothing of the journal except the question.
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

/// The context size in tokens for a request of `bytes` and its answer, because Ollama's default would truncate a long
/// entry.
fn context(bytes: usize) -> usize {
    (bytes / 3 + MOST_TOKENS as usize / 2).next_power_of_two().clamp(4096, 32_768)
}
