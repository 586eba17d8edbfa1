//! Paths: the home folder, the configuration file, and the folders of a journal.
//!
//! The only module that reads the environment, besides [`crate::config`] and [`crate::clock`].

use std::{
    env, io,
    path::{Path, PathBuf},
};

/// Home folder and configuration file, resolved from flags, environment and platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// `$KIOKU_HOME`, by default `dirs::data_dir()/kioku`.
    pub home: PathBuf,
    /// `$KIOKU_CONFIG`, by default `dirs::config_dir()/kioku/config.toml`.
    pub config: PathBuf,
}

impl Paths {
    /// Flags take precedence over the environment, and the environment over the platform's defaults.
    ///
    /// # Errors
    /// The reason why the platform's default cannot be used, if neither flag nor variable is given.
    pub fn locate(home: Option<&Path>, config: Option<&Path>) -> Result<Self, &'static str> {
        let given = home.map(Path::to_path_buf).or_else(|| from_env("KIOKU_HOME"));
        let home = match given {
            Some(home) => home,
            None => {
                home_is_sound()?;
                dirs::data_dir().ok_or("the platform has no data folder")?.join("kioku")
            }
        };
        let config = config
            .map(Path::to_path_buf)
            .or_else(|| from_env("KIOKU_CONFIG"))
            .or_else(|| home_is_sound().ok().and_then(|()| dirs::config_dir()).map(|dir| dir.join("kioku/config.toml")))
            .unwrap_or_else(|| home.join("config.toml"));
        Ok(Self { home, config })
    }

    /// The folder of the journal `name`.
    pub fn journal(&self, name: &str) -> PathBuf {
        self.home.join("journals").join(name)
    }

    /// The folder of installed embedding models.
    pub fn models(&self) -> PathBuf {
        self.home.join("models")
    }

    /// The folder for query history, undo logs and other local state.
    pub fn state(&self) -> PathBuf {
        self.home.join("state")
    }
}

/// The path of this program, for other programs that run it; `kioku` if it is unknown.
pub fn program() -> PathBuf {
    env::current_exe().unwrap_or_else(|_| PathBuf::from("kioku"))
}

/// A typed path, made absolute from the current folder; `~` is the home folder.
pub fn typed(text: &str) -> io::Result<PathBuf> {
    std::path::absolute(with_home(text).unwrap_or_else(|| PathBuf::from(text)))
}

/// Expands a leading `~` to the home folder; `None` if the home folder is unknown.
pub fn with_home(text: &str) -> Option<PathBuf> {
    match text.strip_prefix('~') {
        Some("") => dirs::home_dir(),
        Some(rest) if rest.starts_with(['/', '\\']) => Some(dirs::home_dir()?.join(&rest[1..])),
        _ => Some(PathBuf::from(text)),
    }
}

/// The folder of a coding agent's settings: that of its variable, else `folder` in the home folder; `None` if that is
/// unknown.
pub fn agent_folder(variable: Option<&str>, folder: &str) -> Option<PathBuf> {
    variable.and_then(from_env).or_else(|| Some(dirs::home_dir()?.join(folder)))
}

/// Whether Windows keeps a name for a device, with any extension.
pub fn is_reserved_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let is_port = |device: &str| stem.strip_prefix(device).is_some_and(|port| matches!(port.as_bytes(), [b'1'..=b'9']));
    ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&stem.as_str()) || is_port("com") || is_port("lpt")
}

/// Checks HOME. With an empty HOME the journal of another account might be used, and with a relative one the journal
/// would depend on the current folder. Windows does not use it, but its ports of Unix shells set it.
fn home_is_sound() -> Result<(), &'static str> {
    match env::var_os("HOME").filter(|_| !cfg!(windows)) {
        Some(home) if home.is_empty() => Err("the variable HOME is empty"),
        Some(home) if !Path::new(&home).is_absolute() => Err("the variable HOME is not an absolute path"),
        _ => Ok(()),
    }
}

fn from_env(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_are_reserved_with_any_extension() {
        for reserved in ["con", "NUL", "aux.md", "com1", "Lpt9 .txt", "CONOUT$"] {
            assert!(is_reserved_name(reserved), "{reserved}");
        }
        for free in ["Con Dao", "console", "com", "com0", "com10", "nullity", "con (person)", ""] {
            assert!(!is_reserved_name(free), "{free}");
        }
    }
}
