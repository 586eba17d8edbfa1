//! A server beside the screens.

use serde_json::json;

use super::client::Client;
use crate::pty::{self, Pty};

#[test]
fn a_save_shows_on_the_running_screens() {
    let home = pty::journal();
    let mut screens = Pty::spawn(pty::command(home.path(), pty::KIOKU));
    screens.wait_for("Bread and soup");
    let mut server = std::process::Command::new(pty::KIOKU);
    server
        .arg("mcp")
        .env("HOME", home.path())
        .env("KIOKU_HOME", home.path().join("home"))
        .env("KIOKU_CONFIG", home.path().join("config.toml"))
        .env("KIOKU_NOW", "2026-11-20T09:00:00+07:00");
    let client = Client::started(server);
    client.ok("save_memory", json!({ "text": "Heron on the pier.", "mood": "amazed" }));
    screens.wait_for("2 · Bread and soup");
    screens.keys("q");
    assert_eq!(screens.ended(), 0);
}
