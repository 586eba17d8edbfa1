//! Settings file of a coding agent: kioku's hooks added to those of the user, and taken out again.

use std::str;

use jsonc_parser::{
    ParseOptions,
    cst::{CstNode, CstObject, CstRootNode},
    json,
};

use super::client::Client;
use crate::{paths, session::hooks::EventKind};

/// The file with hooks that run `program`, a command of the shell, or without kioku's hooks if it is `None`. `Ok(None)`
/// if nothing changes. Comments and the layout of the user stay: Gemini CLI reads and keeps comments.
pub fn change(client: Client, present: Option<&[u8]>, program: Option<&str>) -> Result<Option<Vec<u8>>, String> {
    let root = parsed(present.unwrap_or_default())?;
    let settings = root.object_value_or_create().ok_or("expected a JSON object")?;
    let before = settings.to_serde_value();
    remove(client, &settings);
    if let Some(program) = program {
        add(client, &settings, program)?;
    }
    if settings.to_serde_value() == before {
        return Ok(None);
    }
    let text = root.to_string();
    Ok(Some(format!("{}\n", text.trim_end()).into_bytes()))
}

fn parsed(text: &[u8]) -> Result<CstRootNode, String> {
    let options = ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        ..ParseOptions::default()
    };
    let text = str::from_utf8(text).map_err(|error| format!("not valid JSON: {error}"))?;
    CstRootNode::parse(text, &options).map_err(|error| format!("not valid JSON: {error}"))
}

/// Whether `without` is what is left of `before` when hooks were added and removed again.
pub fn is_unchanged(client: Client, before: &[u8], without: &[u8]) -> bool {
    let added = change(client, Some(before), Some("kioku")).ok().flatten();
    added.and_then(|added| change(client, Some(&added), None).ok().flatten()).is_some_and(|again| again == without)
}

/// Whether a file has no settings and no comments at all.
pub fn is_nothing(text: &[u8]) -> bool {
    text.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(b"{}")
}

fn add(client: Client, settings: &CstObject, program: &str) -> Result<(), String> {
    let hooks = settings.object_value_or_create("hooks").ok_or("`hooks` is not an object")?;
    for (kind, name) in client.events() {
        let groups = hooks.array_value_or_create(name).ok_or_else(|| format!("`hooks.{name}` is not a list"))?;
        let command = format!("{program} hook {}", kind.word());
        let handler = json!([{"type": "command", "command": command, "timeout": (client.timeout())}]);
        groups.append(match kind {
            EventKind::ToolUse => json!({"matcher": "*", "hooks": handler}),
            _ => json!({"hooks": handler}),
        });
    }
    Ok(())
}

/// Removes kioku's hooks, and the groups, lists and the object that hold nothing else.
fn remove(client: Client, settings: &CstObject) {
    let Some(hooks) = settings.object_value("hooks") else { return };
    let mut emptied = false;
    for (kind, name) in client.events() {
        let Some(groups) = hooks.array_value(name) else { continue };
        let before = groups.elements().len();
        for group in groups.elements() {
            let handlers = group.as_object().and_then(|group| group.array_value("hooks"));
            let handlers = handlers.map(|handlers| handlers.elements()).unwrap_or_default();
            let count = handlers.len();
            let own: Vec<CstNode> = handlers.into_iter().filter(|handler| is_own(handler, *kind)).collect();
            match own.len() {
                0 => {}
                all if all == count => group.remove(),
                _ => own.into_iter().for_each(CstNode::remove),
            }
        }
        if groups.elements().len() < before && groups.elements().is_empty() {
            hooks.get(name).into_iter().for_each(|list| list.remove());
            emptied = true;
        }
    }
    if emptied && hooks.properties().is_empty() {
        settings.get("hooks").into_iter().for_each(|hooks| hooks.remove());
    }
}

fn is_own(handler: &CstNode, kind: EventKind) -> bool {
    let handler = handler.to_serde_value().unwrap_or_default();
    let command = handler["command"].as_str().unwrap_or_default();
    let program = command.strip_suffix(&format!(" hook {}", kind.word()));
    let program = program.map(|program| program.split_once(" --").map_or(program, |(program, _)| program));
    // The program may have been renamed.
    let own = shell_quoted(&paths::program().to_string_lossy());
    program.is_some_and(|program| {
        program == own || program.trim_end_matches('\'').rsplit(['/', '\\']).next().is_some_and(is_kioku)
    })
}

fn is_kioku(name: &str) -> bool {
    matches!(name, "kioku" | "kioku.exe")
}

/// A word of a command as a Unix shell reads it, also on Windows, where the agent brings one along.
pub fn shell_quoted(word: &str) -> String {
    let word = &if cfg!(windows) { word.replace('\\', "/") } else { word.to_owned() };
    let is_plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+:".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Client, change, is_nothing, shell_quoted};
    use crate::paths;

    const USERS: &str =
        r#"{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}],"PreToolUse":[]}}"#;

    const CLIENT: Client = Client::ClaudeCode;

    const MINE: &str = "'/opt/my apps/kioku' --home '/my home'";

    fn installed(present: &str) -> Vec<u8> {
        change(CLIENT, Some(present.as_bytes()), Some(MINE)).unwrap().unwrap()
    }

    #[test]
    fn hooks_are_added_beside_those_of_the_user_once() {
        let text = installed(USERS);
        let value: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(value["model"], "opus");
        assert_eq!(value["hooks"]["Stop"][0]["hooks"][0]["command"], "say done");
        assert_eq!(value["hooks"]["Stop"][1]["hooks"][0]["command"], format!("{MINE} hook stop"));
        assert_eq!(value["hooks"]["PostToolUse"][0]["matcher"], "*");
        assert_eq!(value["hooks"].as_object().unwrap().len(), 6);
        assert_eq!(change(CLIENT, Some(&text), Some(MINE)).unwrap(), None);
        // A kioku that moved replaces its old hooks.
        let moved = change(CLIENT, Some(&text), Some("/usr/bin/kioku --journal work")).unwrap().unwrap();
        assert_eq!(String::from_utf8(moved.clone()).unwrap().matches("kioku").count(), 5);
        assert_eq!(change(CLIENT, Some(&moved), Some("/usr/bin/kioku --journal work")).unwrap(), None);
    }

    #[test]
    fn a_program_of_any_name_finds_its_own_hooks() {
        let program = paths::program();
        assert_ne!(program.file_name().unwrap(), "kioku");
        let program = format!("{} --journal work", shell_quoted(&program.to_string_lossy()));
        let text = change(CLIENT, Some(USERS.as_bytes()), Some(&program)).unwrap().unwrap();
        assert_eq!(change(CLIENT, Some(&text), Some(&program)).unwrap(), None);
        let without = change(CLIENT, Some(&text), None).unwrap().unwrap();
        assert!(String::from_utf8(without).unwrap().contains("say done"));
    }

    #[test]
    fn each_agent_gets_its_events_under_their_names_and_in_its_unit_of_time() {
        for (client, prompts, events, timeout) in [
            (Client::ClaudeCode, "UserPromptSubmit", 5, 5),
            (Client::Codex, "UserPromptSubmit", 4, 5),
            (Client::GeminiCli, "BeforeAgent", 5, 5000),
        ] {
            let text = change(client, Some(b"{}"), Some(MINE)).unwrap().unwrap();
            let value: Value = serde_json::from_slice(&text).unwrap();
            let hook = &value["hooks"][prompts][0]["hooks"][0];
            assert_eq!(hook["command"], format!("{MINE} hook user-prompt"));
            assert_eq!((value["hooks"].as_object().unwrap().len(), &hook["timeout"]), (events, &json!(timeout)));
            assert!(is_nothing(&change(client, Some(&text), None).unwrap().unwrap()), "{client:?}");
        }
    }

    #[test]
    fn taking_them_out_leaves_what_the_user_had() {
        for present in [USERS, "{}", r#"{"hooks":{}}"#, r#"{"hooks":{"Stop":[]}}"#] {
            let without = change(CLIENT, Some(&installed(present)), None).unwrap().unwrap();
            let (now, before): (Value, Value) =
                (serde_json::from_slice(&without).unwrap(), serde_json::from_str(present).unwrap());
            // An empty list or object that was there says the same as none.
            let tidy = |mut value: Value| {
                if let Some(hooks) = value.get_mut("hooks").and_then(Value::as_object_mut) {
                    hooks.retain(|_, groups| groups.as_array().is_none_or(|groups| !groups.is_empty()));
                    if hooks.is_empty() {
                        value.as_object_mut().unwrap().shift_remove("hooks");
                    }
                }
                value
            };
            assert_eq!(tidy(now), tidy(before), "{present}");
        }
        assert_eq!(change(CLIENT, Some(USERS.as_bytes()), None).unwrap(), None);
    }

    #[test]
    fn comments_and_the_layout_of_the_user_stay() {
        let users = "{\n\t// fast and cheap\n\t\"model\": \"flash\", /* for now */\n\t\"hooks\": {\n\t\t\"AfterAgent\": [\n\t\t\t// a bell\n\t\t\t{ \"hooks\": [{ \"type\": \"command\", \"command\": \"bell\" }] },\n\t\t],\n\t},\n\t\"ui\": { \"theme\": \"GitHub\" }, // trailing commas too\n}\n";
        let text = change(Client::GeminiCli, Some(users.as_bytes()), Some(MINE)).unwrap().unwrap();
        let text = String::from_utf8(text).unwrap();
        for line in users.lines().filter(|line| line.contains("//") || line.contains("/*") || line.contains("bell\"")) {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert_eq!(text.matches("opt/my apps/kioku").count(), 5, "{text}");
        let without = change(Client::GeminiCli, Some(text.as_bytes()), None).unwrap().unwrap();
        assert_eq!(String::from_utf8(without).unwrap(), users);
    }

    #[test]
    fn settings_that_are_not_understood_are_refused() {
        for present in ["{", "[]", r#"{"hooks":[]}"#, r#"{"hooks":{"Stop":{}}}"#] {
            assert!(change(CLIENT, Some(present.as_bytes()), Some("/k/kioku")).is_err(), "{present}");
        }
        assert!(change(CLIENT, None, Some("/k/kioku")).unwrap().is_some());
    }
}
