//! Environment variables other than paths and times. Read once, at the start.

use std::{env, ffi::OsString, fs};

use crate::tui::theme::Colours;

/// The environment variables in use, other than paths and times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `NO_COLOR` is set and not empty (no-color.org).
    pub no_color: bool,
    pub term: Option<String>,
    pub colorterm: Option<String>,
    /// Colour numbers of text and background, as in `15;0`: set by rxvt, konsole and others.
    pub colorfgbg: Option<String>,
    pub visual: Option<String>,
    pub editor: Option<String>,
    /// The folders of programs.
    pub path: Option<OsString>,
    /// This machine's short name, which names its index folder in a shared vault.
    pub machine: String,
}

impl Environment {
    pub fn read() -> Self {
        let text = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let host = fs::read_to_string("/etc/hostname")
            .ok()
            .or_else(|| local_host_name(&fs::read_to_string(MAC_SETTINGS).ok()?).map(str::to_owned))
            .or_else(|| text("HOSTNAME"))
            .or_else(|| text("COMPUTERNAME"));
        Self {
            no_color: env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
            term: text("TERM"),
            colorterm: text("COLORTERM"),
            colorfgbg: text("COLORFGBG"),
            visual: text("VISUAL"),
            editor: text("EDITOR"),
            path: env::var_os("PATH"),
            machine: machine_name(host.as_deref().unwrap_or_default()),
        }
    }

    /// The first of the usual editors that is installed, for a user who names none.
    pub fn found_editor(&self) -> Option<String> {
        if cfg!(windows) {
            return Some("notepad".to_owned());
        }
        let folders: Vec<_> = env::split_paths(self.path.as_ref()?).collect();
        let is_there = |name: &&&str| folders.iter().any(|folder| folder.join(name).is_file());
        ["vi", "nano"].iter().find(is_there).map(|name| (*name).to_owned())
    }

    /// The number of colours that the terminal announces.
    pub fn colours(&self) -> Colours {
        let term = self.term.as_deref().unwrap_or_default();
        if self.no_color || term == "dumb" {
            Colours::None
        } else if self.colorterm.is_some() || term.contains("256color") || term.ends_with("-direct") {
            Colours::Many
        } else {
            Colours::Sixteen
        }
    }

    /// Whether the background is light, by `COLORFGBG`: colours 7 and 9 to 15 are light.
    pub fn is_light(&self) -> Option<bool> {
        let background: u8 = self.colorfgbg.as_ref()?.rsplit(';').next()?.parse().ok()?;
        Some(background == 7 || (9..16).contains(&background))
    }

    /// Whether the terminal ignores questions instead of printing them.
    pub fn can_be_asked(&self) -> bool {
        !matches!(self.term.as_deref(), None | Some("dumb" | "linux"))
    }
}

/// For the kill tests: with `KIOKU_FAULT=N`, a debug build aborts at its N-th write step. A release build ignores the
/// variable.
#[cfg(debug_assertions)]
pub fn arm_fault() {
    if let Some(step) = env::var("KIOKU_FAULT").ok().and_then(|step| step.parse().ok()) {
        crate::journal::fault::arm(step);
    }
}

/// The value of the variable with an API key. Read only when needed.
pub(super) fn secret(name: &str) -> Option<String> {
    env::var(name).ok().map(|key| key.trim().to_owned()).filter(|key| !key.is_empty())
}

/// The network settings of macOS. Its host name may be that of the network at hand; the name in here stays.
const MAC_SETTINGS: &str = "/Library/Preferences/SystemConfiguration/preferences.plist";

fn local_host_name(settings: &str) -> Option<&str> {
    let (_, behind) = settings.split_once("<key>LocalHostName</key>")?;
    let value = behind.trim_start().strip_prefix("<string>")?;
    value.split_once("</string>").map(|(name, _)| name)
}

/// Makes a folder name from a host name: its first label, with lower-case letters, digits and `-`; "this" if nothing is
/// left.
fn machine_name(host: &str) -> String {
    let label = host.trim().split('.').next().unwrap_or_default();
    let name: String =
        label.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).take(40).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "this".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_a_short_safe_name() {
        assert_eq!(machine_name("Anna's MacBook.local\n"), "anna-s-macbook");
        assert_eq!(machine_name(""), "this");
        assert_eq!(machine_name("../.."), "this");
    }

    #[test]
    fn a_mac_goes_by_the_name_in_its_settings() {
        let settings =
            "<key>HostNames</key>\n<dict>\n\t<key>LocalHostName</key>\n\t<string>Annas-Mac</string>\n</dict>";
        assert_eq!(local_host_name(settings), Some("Annas-Mac"));
        assert_eq!(local_host_name("bplist00"), None);
    }
}
