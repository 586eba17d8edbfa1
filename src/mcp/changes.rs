//! Change notifications: a watcher of the vault, and the subscriptions of a client.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::{Arc, Mutex},
};

use jiff::civil;
use rmcp::{RoleServer, model::ResourceUpdatedNotificationParam, service::Peer};
use tokio::sync::broadcast;

use super::{journal::today, resources::Address};
use crate::{
    fault::lock,
    journal::{FileStamp, Vault, watch::Watcher},
};

/// A change of the vault.
#[derive(Debug, Clone)]
pub struct Changed {
    /// The days whose files changed.
    pub days: Arc<[civil::Date]>,
    /// A day was added or removed.
    pub is_listing: bool,
    pub today: civil::Date,
}

/// The addresses that a client subscribed to.
#[derive(Debug, Clone, Default)]
pub struct Subscriptions(Arc<Mutex<HashSet<String>>>);

impl Subscriptions {
    pub fn add(&self, uri: String) {
        lock(&self.0).insert(uri);
    }

    pub fn remove(&self, uri: &str) {
        lock(&self.0).remove(uri);
    }

    fn updated(&self, changed: &Changed) -> Vec<String> {
        lock(&self.0).iter().filter(|uri| changed.is_of(uri)).cloned().collect()
    }
}

impl Changed {
    /// Whether the resource of an address may have changed.
    pub fn is_of(&self, uri: &str) -> bool {
        Address::parse(uri).is_some_and(|address| address.is_of(&self.days, self.today))
    }
}

/// Watches the day files of a vault. Without a watcher (no watches left), there are no notifications.
pub fn watch(vault: Vault, changes: broadcast::Sender<Changed>) -> Option<Watcher> {
    let known = Mutex::new(stamps(&vault));
    let folder = vault.entries_folder().to_path_buf();
    let report = move || {
        let now = stamps(&vault);
        let mut before = lock(&known);
        let is_same = |day: &civil::Date| before.get(day) == now.get(day);
        let all: BTreeSet<civil::Date> = before.keys().chain(now.keys()).copied().collect();
        let days: Arc<[civil::Date]> = all.into_iter().filter(|day| !is_same(day)).collect();
        if !days.is_empty() {
            let is_listing = days.iter().any(|day| before.contains_key(day) != now.contains_key(day));
            let today = today(vault.options());
            // Fails only if no client listens.
            let _ = changes.send(Changed { days, is_listing, today });
        }
        *before = now;
    };
    Watcher::start(&folder, report).ok()
}

/// The stamps of the day files, by day; empty if the folder cannot be read.
fn stamps(vault: &Vault) -> BTreeMap<civil::Date, Vec<FileStamp>> {
    let mut by_day: BTreeMap<civil::Date, Vec<FileStamp>> = BTreeMap::new();
    for stamp in vault.files().unwrap_or_default() {
        if let Some(day) = stamp.day() {
            by_day.entry(day).or_default().push(stamp);
        }
    }
    by_day
}

/// The next change, `None` at the end of the server. A client that is far behind misses some.
pub async fn next(changes: &mut broadcast::Receiver<Changed>) -> Option<Changed> {
    loop {
        match changes.recv().await {
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            changed => return changed.ok(),
        }
    }
}

/// Notifies a client that uses `resources/subscribe`, until it is gone.
pub async fn notify(peer: Peer<RoleServer>, subscriptions: Subscriptions, mut changes: broadcast::Receiver<Changed>) {
    while let Some(changed) = next(&mut changes).await {
        if changed.is_listing && peer.notify_resource_list_changed().await.is_err() {
            return;
        }
        for uri in subscriptions.updated(&changed) {
            if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                return;
            }
        }
    }
}
