//! Attachments of a text that the user saves: images that it shows by a path on this machine are copied into the
//! journal.
//!
//! Only for texts that a person has just typed (`kioku add TEXT`, the editor, the screens), never for those of agents,
//! hooks or pipes: a text from elsewhere must not bring files of this machine into a journal that is shared or read by
//! others. For the same reason an edit copies only the images that the text did not show before.

use std::{collections::HashMap, fs, path::PathBuf};

use crate::{
    journal::{Attachment, LARGEST_ATTACHMENT, Vault, with_image_targets},
    paths,
};

/// Copies the images of a text whose paths are absolute or begin with `~/` or `./`, and links the copies, which are to be
/// saved with the text. `before` is the text of the entry until now. `warn` is called for each image that cannot be
/// copied: its link stays as typed, and the text can be saved.
pub fn take_images(vault: &Vault, text: &mut String, before: &str, warn: impl Fn(String)) -> Vec<Attachment> {
    let mut attachments = Vec::new();
    let mut known: HashMap<String, Option<String>> = HashMap::new();
    let changed = with_image_targets(text, |target| {
        let copied = known.entry(target.to_owned()).or_insert_with(|| {
            let path = outside(vault, target).filter(|_| !before.contains(target))?;
            match vault.receive(std::slice::from_ref(&path), LARGEST_ATTACHMENT) {
                Ok(received) => {
                    let target = received.first().map(Attachment::target);
                    attachments.extend(received);
                    target
                }
                Err(error) => {
                    warn(format!("not attached: {error}"));
                    None
                }
            }
        });
        copied.clone()
    });
    changed.into_iter().for_each(|changed| *text = changed);
    attachments
}

/// The file of an image, if it is on this machine and not in the journal.
fn outside(vault: &Vault, target: &str) -> Option<PathBuf> {
    let is_path = PathBuf::from(target).is_absolute() || target.starts_with("~/") || target.starts_with("./");
    let found = |target: &str| paths::typed(target).ok().filter(|path| path.exists());
    let path = is_path.then(|| found(target).or_else(|| found(&unescaped(target)?)))??;
    let root = &vault.options().root;
    // Relative to the day files, as other programs read it.
    let is_beside = [root.as_path(), vault.entries_folder()].iter().any(|folder| folder.join(target).exists());
    let is_relative = target.starts_with("./");
    let real = fs::canonicalize(&path).ok()?;
    let is_inside = fs::canonicalize(root).is_ok_and(|root| real.starts_with(root));
    (!is_inside && (!is_relative || !is_beside)).then_some(path)
}

/// A path with percent encoding, as a link needs it for spaces.
fn unescaped(target: &str) -> Option<String> {
    target.contains('%').then(|| crate::journal::percent_decoded(target))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{clock::Clock, journal::VaultOptions};

    fn vault(root: &Path) -> Vault {
        let clock = Clock::fixed("2026-11-20T09:00+07:00[+07:00]".parse().unwrap());
        Vault::open(VaultOptions::new(root.join("journal"), clock)).unwrap()
    }

    #[test]
    fn only_new_images_of_this_machine_are_copied() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let vault = vault(root);
        fs::create_dir_all(root.join("journal/memory")).unwrap();
        for name in ["a b.png", "c.png", "journal/memory/inside.png"] {
            fs::write(root.join(name), name).unwrap();
        }
        let at = |name: &str| root.join(name).to_str().unwrap().to_owned();
        let (spaced, plain, inside) = (at("a b.png"), at("c.png"), at("journal/memory/inside.png"));
        let encoded = spaced.replace(' ', "%20");
        let text = format!(
            "![](<{spaced}>) ![x]({encoded}) ![]({plain}) [link]({plain}) ![]({inside}) ![](https://e.org/{plain}) \
             ![](file://{plain}) ![](c.png) ![](/absent.png) ![]({})",
            at("journal")
        );
        let mut changed = text;
        let before = format!("seen before: {plain}");
        let attachments = take_images(&vault, &mut changed, &before, |warning| panic!("{warning}"));
        let copied = changed.matches("(attachments/").count();
        assert_eq!((copied, attachments.len()), (2, 2), "{changed}");
        assert!(changed.contains(&format!("![]({plain}) [link]({plain}) ![]({inside})")), "{changed}");
        let named: Vec<String> = attachments.iter().map(Attachment::target).collect();
        assert!(named[0] == named[1] && named[0].ends_with("-a-b.png"), "{named:?}");
    }

    #[test]
    fn an_image_that_cannot_be_copied_is_told_and_keeps_its_link() {
        let folder = tempfile::tempdir().unwrap();
        let vault = vault(folder.path());
        fs::create_dir_all(folder.path().join("photos")).unwrap();
        let text = format!("![]({})", folder.path().join("photos").display());
        let (mut changed, warnings) = (text.clone(), std::cell::RefCell::new(Vec::new()));
        let attachments = take_images(&vault, &mut changed, "", |warning| warnings.borrow_mut().push(warning));
        assert!(changed == text && attachments.is_empty());
        assert!(warnings.borrow()[0].contains("it is a folder"), "{warnings:?}");
    }
}
