//! State of the language model, for `kioku llm status` and `kioku doctor`.

use serde::Serialize;

use super::super::{Context, Failure, Output, counted};
use crate::{
    extract::llm,
    index::Snapshot,
    journal::Vault,
    session::{
        ModelReading, ModelState,
        llm::{self as reader, service::ServiceError},
    },
};

/// Maximum number of texts read only to count them.
const LOOKED_THROUGH: usize = 1000;

/// The state of the language model.
#[derive(Debug, Serialize)]
pub struct LlmFindings {
    /// Whether this build has network support.
    built: bool,
    enabled: bool,
    /// Absent without `[llm]` in the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<ServiceFindings>,
    /// Number of stored answers, which are in use.
    answers: usize,
    /// Number of statements dropped from them: malformed, not in the text, or between unknown names.
    dropped: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<ModelReading>,
}

#[derive(Debug, Serialize)]
struct ServiceFindings {
    kind: &'static str,
    model: String,
    address: String,
    key_env: Option<String>,
    has_key: bool,
    kept_back: Vec<String>,
}

/// Collects the findings from configuration and answers. The progress needs a snapshot.
pub fn findings(context: &Context, vault: &Vault, snapshot: Option<&Snapshot>) -> Result<LlmFindings, Failure> {
    let answers = vault.answers()?;
    let mut dropped = 0;
    for (hash, _) in &answers {
        let answer = vault.answer(hash)?.and_then(|bytes| llm::Answer::of_file(&bytes).ok());
        dropped += answer.map_or(0, |answer| answer.dropped.count());
    }
    let config = context.config.llm.as_ref();
    let service = config.map(|config| {
        let service = config.options().service;
        ServiceFindings {
            kind: config.kind.word(),
            model: config.model.clone(),
            address: reader::service::address(&service),
            key_env: config.key_env.clone(),
            has_key: service.key.is_some(),
            kept_back: config.keep_back.clone(),
        }
    });
    let enabled = config.filter(|config| config.enabled);
    let reading = match (enabled, snapshot) {
        (Some(config), Some(snapshot)) => {
            let mut queue = reader::Queue::open(vault, config.options())?;
            queue.look_through(vault, snapshot, LOOKED_THROUGH)?;
            Some(queue.reading(snapshot, context.now.timestamp()))
        }
        _ => None,
    };
    let built = cfg!(feature = "network");
    Ok(LlmFindings { built, enabled: enabled.is_some(), service, answers: answers.len(), dropped, reading })
}

impl LlmFindings {
    /// Whether the language model is configured or has answers.
    fn is_used(&self) -> bool {
        self.service.is_some() || self.answers > 0
    }

    fn state(&self) -> String {
        let kept = match self.answers {
            0 => String::new(),
            answers => format!("; {} in use", counted(answers, "stored answer", "stored answers")),
        };
        match (&self.service, &self.reading) {
            (Some(_), _) if self.enabled && !self.built => format!("{}{kept}", ServiceError::NoNetwork),
            (Some(_), Some(reading)) => reading_line(reading),
            _ => format!("off{kept}"),
        }
    }
}

/// The line for `kioku doctor`; `None` if the language model was never used.
pub fn row(found: &LlmFindings) -> Option<String> {
    let model = found.service.as_ref().map_or(String::new(), |service| format!("{}: ", service.model));
    found.is_used().then(|| format!("{model}{}", found.state()))
}

pub fn print_status(out: &mut Output, found: &LlmFindings) {
    let mut row = |label: &str, text: String| out.row(8, label, text);
    row("state", found.state());
    if let Some(ServiceFindings { kind, model, address, key_env, has_key, kept_back }) = &found.service {
        row("model", format!("{model} ({kind}) at {address}"));
        row(
            "key",
            match key_env {
                None => "none".to_owned(),
                Some(name) if *has_key => format!("from the variable {name}"),
                Some(name) => format!("missing: the variable {name} is empty"),
            },
        );
        let sent = "of each entry its text and its day, with up to 50 names of the journal";
        let kept = match kept_back.as_slice() {
            [] => String::new(),
            tags => format!("; except entries tagged {}", tags.join(", ")),
        };
        row("sends", format!("{sent}{kept}"));
    }
    if found.dropped > 0 {
        let dropped = found.dropped;
        row("left out", format!("{dropped} statements, malformed or not in their texts"));
    }
}

/// Formats the progress: "12 of 400 texts read; waiting until 15:30:00 UTC: ...".
pub fn reading_line(reading: &ModelReading) -> String {
    let mut text = format!("{} of {} texts read", reading.done, reading.of);
    if reading.given_up > 0 {
        text += &format!(", {} given up", reading.given_up);
    }
    match &reading.state {
        ModelState::Reading => {
            let last = reading.trouble.as_ref().map_or(String::new(), |why| format!("; last time: {why}"));
            text + &last + "; continues while the screens are open, or with `kioku llm run`"
        }
        ModelState::Waiting { until, why } => {
            let until = until.strftime("%H:%M:%S UTC");
            format!("{text}; waiting until {until}: {why}")
        }
        ModelState::Stopped { why } => format!("{text}; stopped: {why}"),
        ModelState::Elsewhere => text + "; another kioku is running it",
        ModelState::Done => text,
    }
}
