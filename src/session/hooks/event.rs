//! Events of a coding agent, read from the JSON that it passes to its hooks.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::words;

/// When the agent calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    SessionStart,
    UserPrompt,
    ToolUse,
    Stop,
    SessionEnd,
}

words! {
    EventKind:
    SessionStart "session-start",
    UserPrompt "user-prompt",
    ToolUse "tool-use",
    Stop "stop",
    SessionEnd "session-end",
}

/// The JSON of an agent, of which only these keys are read.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
struct Input {
    session_id: String,
    cwd: String,
    transcript_path: Option<String>,
    prompt: Option<String>,
    tool_name: Option<String>,
    /// Any JSON: each tool has its own.
    tool_input: Value,
    last_assistant_message: Option<String>,
    /// The same of Gemini CLI, which repeats the prompt beside it.
    prompt_response: Option<String>,
}

/// An event as queued: nothing private is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentEvent {
    pub kind: EventKind,
    pub session: String,
    /// The name of the project's folder; [`HookQueue::scope`](super::HookQueue::scope) tells it from others.
    pub project: String,
    /// The agent's working folder.
    pub folder: String,
    /// The prompt of a user, or the outcome of a turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The first line of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Where the agent keeps the session, for an outcome that the event does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
}

/// Maximum length of a text in bytes; the rest of a pasted log is cut off.
const LONGEST_TEXT: usize = 20_000;
/// Maximum length of a command in bytes.
const LONGEST_COMMAND: usize = 200;

impl AgentEvent {
    /// Parses the JSON of an agent.
    pub fn parse(kind: EventKind, json: &[u8]) -> Result<Self, String> {
        let input: Input =
            serde_json::from_slice(json).map_err(|error| format!("not the JSON of an agent: {error}"))?;
        if input.session_id.trim().is_empty() {
            return Err("the JSON has no session_id".to_owned());
        }
        let kept = |text: Option<String>, most: usize| {
            let text = cut(without_private(&text?).trim(), most).to_owned();
            Some(text).filter(|text| !text.is_empty())
        };
        let outcome = input.prompt_response.or(input.last_assistant_message);
        let given = |key: &str| input.tool_input.get(key).and_then(Value::as_str).map(str::to_owned);
        let (file_path, notebook_path, command) = (given("file_path"), given("notebook_path"), given("command"));
        let patched = command.as_deref().and_then(patched_files);
        let command = kept(command.filter(|_| patched.is_none()), LONGEST_TEXT);
        let first_line = command.as_deref().and_then(|command| command.lines().next());
        let file = kept(file_path.or(notebook_path).or(patched), LONGEST_TEXT);
        let file = file.map(|file| within(&file, &input.cwd).to_owned());
        let name = project_folder(&input.cwd).file_name();
        Ok(Self {
            kind,
            session: one_line(&input.session_id),
            project: name.map_or_else(|| "none".to_owned(), |name| one_line(&name.to_string_lossy())),
            folder: one_line(&input.cwd),
            text: kept(if kind == EventKind::Stop { outcome } else { input.prompt }, LONGEST_TEXT),
            tool: kept(input.tool_name, LONGEST_COMMAND).map(|tool| one_line(&tool)),
            file: file.map(|file| one_line(&file)),
            command: first_line.map(|line| one_line(cut(line, LONGEST_COMMAND))),
            transcript: input.transcript_path.filter(|_| kind == EventKind::Stop),
        })
    }
}

/// The files that a patch of Codex changes, in one line.
fn patched_files(command: &str) -> Option<String> {
    let changed = |line: &str| {
        let (what, file) = line.strip_prefix("*** ")?.split_once(" File: ")?;
        matches!(what, "Add" | "Update" | "Delete").then(|| file.trim().to_owned())
    };
    let files: Vec<String> = command.strip_prefix("*** Begin Patch")?.lines().filter_map(changed).collect();
    (!files.is_empty()).then(|| files.join(", "))
}

/// The file relative to the working folder, if it is inside.
fn within<'f>(file: &'f str, folder: &str) -> &'f str {
    let inside = file.strip_prefix(folder).and_then(|rest| rest.strip_prefix(['/', '\\']));
    inside.filter(|_| !folder.is_empty()).unwrap_or(file)
}

/// The folder of a project: the root of its repository, or else the working folder.
pub(super) fn project_folder(working: &str) -> &Path {
    let working = Path::new(working);
    let root = working.ancestors().find(|ancestor| ancestor.is_absolute() && ancestor.join(".git").exists());
    root.unwrap_or(working)
}

fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

/// At most `most` bytes of a text, to a character's boundary.
pub(super) fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

const OPEN: &str = "<private>";
const CLOSE: &str = "</private>";

/// The text without its `<private>` parts, in any case and nested. A part that is never closed ends with the text.
pub(super) fn without_private(text: &str) -> String {
    let (mut kept, mut depth, mut at) = (String::with_capacity(text.len()), 0_usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        let begins = |mark: &str| rest.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark));
        if begins(OPEN) {
            depth += 1;
            at += OPEN.len();
        } else if begins(CLOSE) {
            depth = depth.saturating_sub(1);
            at += CLOSE.len();
        } else if let Some(letter) = rest.chars().next() {
            if depth == 0 {
                kept.push(letter);
            }
            at += letter.len_utf8();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_parts_are_left_out_in_any_spelling() {
        for (text, kept) in [
            ("a <private>key</private> b", "a  b"),
            ("<PRIVATE>x</Private>y", "y"),
            ("a <private>b <private>c</private> d</private> e", "a  e"),
            ("a <private>never closed", "a "),
            ("x</private> y", "x y"),
            ("đường <private>mật khẩu</private> dài", "đường  dài"),
            ("a < private > b", "a < private > b"),
        ] {
            assert_eq!(without_private(text), kept, "{text}");
        }
    }

    #[test]
    fn an_event_keeps_what_was_done_and_no_contents() {
        let json = r#"{"session_id":"s1","cwd":"/code/app","hook_event_name":"PostToolUse","tool_name":"Edit",
            "tool_input":{"file_path":"/code/app/src/a.rs","old_string":"secret","new_string":"secret 2"},
            "tool_response":{"stdout":"secret 3"}}"#;
        let event = AgentEvent::parse(EventKind::ToolUse, json.as_bytes()).unwrap();
        assert_eq!((event.project.as_str(), event.file.as_deref()), ("app", Some("src/a.rs")));
        assert!(!serde_json::to_string(&event).unwrap().contains("secret"));
        let command =
            br#"{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"login <private>pw</private>\nls"}}"#;
        let event = AgentEvent::parse(EventKind::ToolUse, command).unwrap();
        assert_eq!(event.command.as_deref(), Some("login"));
    }

    #[test]
    fn the_words_of_other_agents_are_understood() {
        let gemini =
            br#"{"session_id":"s1","prompt":"fix it","prompt_response":"fixed","hook_event_name":"AfterAgent"}"#;
        let text = |kind| AgentEvent::parse(kind, gemini).unwrap().text;
        assert_eq!(text(EventKind::Stop).as_deref(), Some("fixed"));
        assert_eq!(text(EventKind::UserPrompt).as_deref(), Some("fix it"));
        let codex = br#"{"session_id":"s1","cwd":"/app","tool_name":"apply_patch","tool_input":{"command":
            "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-secret\n*** Add File: b.rs\n+secret\n*** End Patch"}}"#;
        let event = AgentEvent::parse(EventKind::ToolUse, codex).unwrap();
        assert_eq!((event.file.as_deref(), event.command), (Some("src/a.rs, b.rs"), None));
    }

    #[test]
    fn a_tool_with_an_input_of_its_own_is_kept_by_its_name() {
        for input in [r#"{"command":["ls","-l"]}"#, r#"{"file_path":7}"#, "null", "[]", r#""text""#] {
            let json = format!(r#"{{"session_id":"s1","tool_name":"mcp__db__query","tool_input":{input}}}"#);
            let event = AgentEvent::parse(EventKind::ToolUse, json.as_bytes()).unwrap();
            assert_eq!((event.tool.as_deref(), event.file, event.command), (Some("mcp__db__query"), None, None));
        }
    }

    #[test]
    fn what_is_no_event_is_refused_with_the_reason() {
        for json in ["", "{", "[]", "null", "{}", r#"{"session_id":7}"#, r#"{"session_id":" "}"#] {
            assert!(AgentEvent::parse(EventKind::Stop, json.as_bytes()).is_err(), "{json}");
        }
    }
}
