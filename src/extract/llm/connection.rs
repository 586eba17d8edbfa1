//! HTTP client for the language model: the only code that sends texts of the journal. One request, one answer.
//!
//! Compiled only with the feature `network`. Follows no redirects, and every request has a timeout.

use std::{io::Read, time::Duration};

use jiff::Timestamp;
use serde_json::Value;
use ureq::{
    Agent,
    http::{HeaderMap, StatusCode, header},
};

use super::{
    Answer, Unusable,
    question::Question,
    service::{Secret, ServiceError, ServiceKind, ServiceOptions, address, body},
};
use crate::journal::Entry;

/// Maximum size of a response. Usual answers have some thousand bytes.
const MOST_BYTES: u64 = 1 << 20;
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// A client for one service.
pub struct Service {
    options: ServiceOptions,
    agent: Agent,
}

impl Service {
    pub fn new(options: ServiceOptions) -> Self {
        let local = options.base.starts_with("http://");
        let config = Agent::config_builder()
            .https_only(!local)
            // A redirect would send the text, and perhaps the key, to a host that is not configured.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .accept_encoding("identity")
            .user_agent("kioku")
            .timeout_global(Some(options.within));
        let agent = if local { config.proxy(None) } else { config }.build().new_agent();
        Self { options, agent }
    }

    /// Sends the request for an entry, and validates the answer against its text. Blocks until the answer or the
    /// timeout.
    pub fn ask(&self, question: &Question, entry: &Entry, now: Timestamp) -> Result<Answer, ServiceError> {
        let sent = self.send(question, now)?;
        Answer::of_model(&sent, &self.options.model, entry).map_err(ServiceError::Unusable)
    }

    /// Sends a request. Returns the JSON text of the model.
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

/// Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text.trim()).ok()?;
    Duration::try_from(at.duration_since(now)).ok()
}

/// Extracts the model's text from the response of the service.
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
#[path = "connection_tests.rs"]
mod tests;
