//! The coding agents whose settings take hooks: their files, the names of their events, their unit of time.
//!
//! Claude Code and Codex share the names of the events (<https://developers.openai.com/codex/hooks>), Gemini CLI has names of its
//! own (<https://geminicli.com/docs/hooks/reference>). The JSON that they pass has the same keys.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::{paths, session::hooks::EventKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    ClaudeCode,
    Codex,
    GeminiCli,
}

impl Client {
    /// The file with the hooks of this user; `None` if the home folder is unknown.
    pub fn settings(self) -> Option<PathBuf> {
        let (variable, folder, file) = match self {
            Self::ClaudeCode => (Some("CLAUDE_CONFIG_DIR"), ".claude", "settings.json"),
            Self::Codex => (Some("CODEX_HOME"), ".codex", "hooks.json"),
            Self::GeminiCli => (None, ".gemini", "settings.json"),
        };
        Some(paths::agent_folder(variable, folder)?.join(file))
    }

    /// The names of the events in the file. Codex has no event for the end of a session.
    pub fn events(self) -> &'static [(EventKind, &'static str)] {
        const CLAUDE: &[(EventKind, &str)] = &[
            (EventKind::SessionStart, "SessionStart"),
            (EventKind::UserPrompt, "UserPromptSubmit"),
            (EventKind::ToolUse, "PostToolUse"),
            (EventKind::Stop, "Stop"),
            (EventKind::SessionEnd, "SessionEnd"),
        ];
        match self {
            Self::ClaudeCode => CLAUDE,
            Self::Codex => &CLAUDE[..4],
            Self::GeminiCli => &[
                (EventKind::SessionStart, "SessionStart"),
                (EventKind::UserPrompt, "BeforeAgent"),
                (EventKind::ToolUse, "AfterTool"),
                (EventKind::Stop, "AfterAgent"),
                (EventKind::SessionEnd, "SessionEnd"),
            ],
        }
    }

    /// How long the agent waits before it gives a hook up: five seconds in its own unit.
    pub fn timeout(self) -> u32 {
        if self == Self::GeminiCli { 5000 } else { 5 }
    }

    /// What has to be done beside the installation.
    pub fn advice(self) -> Option<&'static str> {
        (self == Self::Codex).then_some(
            "Codex asks you to trust new hooks; an older one needs `codex_hooks = true` under [features] in config.toml",
        )
    }
}
