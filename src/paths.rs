//! Locations: the home folder, the configuration file, a journal's own folders.
//!
//! The only place (with [`crate::config`] and [`crate::clock`]) that reads the environment.

use std::{
    env, io,
    path::{Path, PathBuf},
};

/// Home folder and configuration file, after flags and environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// `$KIOKU_HOME`, by default `dirs::data_dir()/kioku`.
    pub home: PathBuf,
    /// `$KIOKU_CONFIG`, by default `dirs::config_dir()/kioku/config.toml`.
    pub config: PathBuf,
}

impl Paths {
    /// A flag beats the environment, the environment beats the platform's default.
    ///
    /// # Errors
    /// Why the platform's default cannot be used, where nothing else was given.
    pub fn locate(home: Option<&Path>, config: Option<&Path>) -> Result<Self, &'static str> {
        let given = home.map(Path::to_path_buf).or_else(|| from_env("KIOKU_HOME"));
        let home = match given {
            Some(home) => home,
            None => {
                home_is_sound()?;
                dirs::data_dir().ok_or("this system names no folder for data")?.join("kioku")
            }
        };
        let config = config
            .map(Path::to_path_buf)
            .or_else(|| from_env("KIOKU_CONFIG"))
            .or_else(|| home_is_sound().ok().and_then(|()| dirs::config_dir()).map(|dir| dir.join("kioku/config.toml")))
            .unwrap_or_else(|| home.join("config.toml"));
        Ok(Self { home, config })
    }

    /// The folder of the journal called `name`.
    pub fn journal(&self, name: &str) -> PathBuf {
        self.home.join("journals").join(name)
    }

    /// Installed embedding models.
    pub fn models(&self) -> PathBuf {
        self.home.join("models")
    }

    /// History, saved searches, logs.
    pub fn state(&self) -> PathBuf {
        self.home.join("state")
    }
}

/// A path as a person types it, from the folder kioku was started in; `~` is the home folder.
pub fn typed(text: &str) -> io::Result<PathBuf> {
    std::path::absolute(with_home(text).unwrap_or_else(|| PathBuf::from(text)))
}

/// The path with the home folder in place of a leading `~`; `None` where nobody knows the home folder.
pub fn with_home(text: &str) -> Option<PathBuf> {
    match text.strip_prefix('~') {
        Some("") => dirs::home_dir(),
        Some(rest) if rest.starts_with(['/', '\\']) => Some(dirs::home_dir()?.join(&rest[1..])),
        _ => Some(PathBuf::from(text)),
    }
}

/// An empty HOME would make the journal of whoever the system takes the process for, a relative one a journal in any folder.
fn home_is_sound() -> Result<(), &'static str> {
    match env::var_os("HOME") {
        Some(home) if home.is_empty() => Err("the variable HOME is empty"),
        Some(home) if !Path::new(&home).is_absolute() => Err("the variable HOME is not an absolute path"),
        _ => Ok(()),
    }
}

fn from_env(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
