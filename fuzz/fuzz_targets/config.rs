//! Any text as `config.toml`: the start never fails, keys and theme included, and reading takes linear time.
#![no_main]

use kioku::{
    config::{Config, Environment},
    tui::{app::tables, keymap::Keymap, panes::PANES, theme::Theme},
};
use libfuzzer_sys::fuzz_target;

fn load(bytes: &[u8]) -> Config {
    let path = kioku_fuzz::folder().join("config.toml");
    std::fs::write(&path, bytes).expect("a file of the run");
    Config::load(&path)
}

fuzz_target!(|data: &[u8]| {
    let config = load(data);
    assert!(!config.journal.is_empty());
    let lines = data.split(|byte| *byte == b'\n').count();
    for complaint in &config.complaints {
        assert!(complaint.at.is_none_or(|(line, column)| (1..=lines + 1).contains(&line) && column > 0), "{complaint}");
        assert!(!complaint.to_string().is_empty());
    }
    let journal = config.journal(None, None);
    let options = config.tui_options(&journal, &Environment::default(), false, kioku_fuzz::folder());
    let _ = Theme::new(&options.theme, &options.theme_roles);
    let _ = Keymap::new(&tables(PANES), &options.keys);
    kioku_fuzz::linear(data, |bytes| drop(load(bytes)));
});
