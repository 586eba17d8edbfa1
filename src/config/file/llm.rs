//! Parser for the table `[llm]` of `config.toml`.

use std::time::Duration;

use toml::de::DeValue;

use super::{Reader, Value};
use crate::{
    address::is_local,
    config::{LlmConfig, keys},
    session::llm::ServiceKind,
};

const LONGEST_WAIT: u64 = 3600;

/// The values read so far.
#[derive(Default)]
struct Table {
    enabled: bool,
    kind: Option<ServiceKind>,
    model: Option<String>,
    base: Option<String>,
    key_env: Option<String>,
    timeout: Option<Duration>,
    keep_back: Option<Vec<String>>,
}

impl<'t> Reader<'t> {
    /// Reads the table. Any mistake in it leaves the model off, so that nothing is sent by accident.
    pub(super) fn llm(&mut self, value: Value<'t>) {
        let (span, before) = (value.span(), self.complaints.len());
        let mut table = Table::default();
        for (key, value) in self.table(value) {
            let span = value.span();
            let (what, read) = match key.get_ref().as_ref() {
                "enabled" => ("true or false", value.get_ref().as_bool().map(|given| table.enabled = given)),
                "kind" => {
                    let kind = text(&value).and_then(ServiceKind::parse);
                    ("\"anthropic\", \"openai\" or \"ollama\"", kind.map(|given| table.kind = Some(given)))
                }
                "model" => ("a model's name", text(&value).map(|given| table.model = Some(given.to_owned()))),
                "base" => {
                    let base = text(&value);
                    if let Some(fault) = base.and_then(|base| is_local(base).err()) {
                        self.complain(span, format!("this address is not allowed: {fault}"));
                        continue;
                    }
                    ("an address", base.map(|given| table.base = Some(given.to_owned())))
                }
                // The complaint must not repeat an invalid value, which may be the key itself.
                "key_env" => {
                    let name = text(&value).filter(|name| is_variable(name));
                    let what = "the name of an environment variable, never the key itself,";
                    (what, name.map(|given| table.key_env = Some(given.to_owned())))
                }
                "timeout" => {
                    let seconds = value.get_ref().as_integer().and_then(|n| n.as_str().parse::<u64>().ok());
                    let seconds = seconds.filter(|seconds| (1..=LONGEST_WAIT).contains(seconds));
                    let wait = seconds.map(Duration::from_secs);
                    ("a number of seconds up to 3600", wait.map(|given| table.timeout = Some(given)))
                }
                "keep_back" => {
                    let tags = value.get_ref().as_array().and_then(|tags| {
                        tags.iter().map(|tag| text(tag).map(str::to_owned)).collect::<Option<Vec<String>>>()
                    });
                    ("a list of tags", tags.map(|given| table.keep_back = Some(given)))
                }
                _ => {
                    self.unknown(&key, &keys::names("llm"));
                    continue;
                }
            };
            if read.is_none() {
                self.complain(span, format!("{what} belongs here; the language model stays off"));
            }
        }
        let missing = [("kind", table.kind.is_none()), ("model", table.model.is_none())];
        for (name, _) in missing.into_iter().filter(|(_, missing)| table.enabled && *missing) {
            self.complain(span.clone(), format!("`{name}` is missing: the language model stays off"));
        }
        if let (Some(kind), Some(model)) = (table.kind, table.model) {
            let own_base = table.base.is_some();
            self.config.llm = Some(LlmConfig {
                enabled: table.enabled && self.complaints.len() == before,
                kind,
                model,
                base: table.base.unwrap_or_else(|| kind.base().to_owned()),
                // With another `base` there is no default key variable: the key of one service must not be sent to
                // another.
                key_env: table.key_env.or_else(|| kind.key_name().filter(|_| !own_base).map(str::to_owned)),
                timeout: table.timeout.unwrap_or(LlmConfig::TIMEOUT),
                keep_back: table.keep_back.unwrap_or_else(LlmConfig::keep_back),
            });
        }
    }
}

fn text<'v>(value: &'v toml::Spanned<DeValue<'_>>) -> Option<&'v str> {
    value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty())
}

fn is_variable(name: &str) -> bool {
    let letter = |c: char| c == '_' || c.is_ascii_uppercase();
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Config;

    fn parse(text: &str) -> (Option<LlmConfig>, Vec<String>) {
        let Config { llm, complaints, .. } = super::super::parse(text, Path::new("config.toml"));
        (llm, complaints)
    }

    #[test]
    fn a_table_is_read_and_the_rest_follows_from_the_kind() {
        let (llm, warnings) = parse("[llm]\nenabled = true\nkind = \"anthropic\"\nmodel = \"small\"\n");
        let llm = llm.unwrap();
        assert_eq!(warnings, Vec::<String>::new());
        assert!(llm.enabled);
        assert_eq!(
            (llm.base.as_str(), llm.key_env.as_deref()),
            ("https://api.anthropic.com", Some("ANTHROPIC_API_KEY"))
        );
        assert_eq!((llm.timeout.as_secs(), llm.keep_back), (60, vec!["private".to_owned()]));
        let (llm, warnings) = parse(concat!(
            "[llm]\nkind = \"openai\"\nmodel = \"m\"\nbase = \"http://localhost:1234/v1\"\ntimeout = 300\n",
            "keep_back = [\"private\", \"work\"]\n",
        ));
        let llm = llm.unwrap();
        assert_eq!(warnings, Vec::<String>::new());
        assert!(!llm.enabled, "nothing is sent before somebody says so");
        assert_eq!((llm.timeout.as_secs(), llm.keep_back.len()), (300, 2));
        assert_eq!(llm.key_env, None, "a key for one address is not sent to another");
    }

    #[test]
    fn a_mistake_leaves_the_model_off() {
        let good = "[llm]\nenabled = true\nkind = \"ollama\"\nmodel = \"m\"\n";
        assert!(parse(good).0.unwrap().enabled);
        for mistake in [
            "keepback = [\"private\"]",
            "timeout = \"long\"",
            "base = \"http://192.168.1.9:11434\"",
            "base = \"https://user:word@example.org\"",
            "keep_back = \"private\"",
            "timeout = 0",
        ] {
            let (llm, warnings) = parse(&format!("{good}{mistake}\n"));
            assert!(!llm.unwrap().enabled && warnings.len() == 1, "{mistake}: {warnings:?}");
        }
        let (llm, warnings) = parse("[llm]\nenabled = true\nkind = \"ollama\"\n");
        assert!(llm.is_none() && warnings[0].contains("`model` is missing"), "{warnings:?}");
        assert!(parse("llm = true\n").1[0].contains("a table belongs here"));
    }

    #[test]
    fn a_key_in_the_place_of_its_name_is_not_repeated() {
        for line in ["key_env = \"sk-ant-7hidden\"", "key = \"sk-ant-7hidden\"", "key_env = [\"sk-ant-7hidden\"]"] {
            let (_, warnings) = parse(&format!("[llm]\nkind = \"anthropic\"\nmodel = \"m\"\n{line}\n"));
            assert!(warnings.len() == 1 && !warnings[0].contains("7hidden"), "{warnings:?}");
        }
    }
}
