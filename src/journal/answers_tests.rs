use std::fs;

use super::*;
use crate::journal::{Change, NewEntry, Redaction};

fn vault() -> (tempfile::TempDir, Vault) {
    let folder = tempfile::tempdir().unwrap();
    let vault = Vault::of_test(folder.path().join("journals").join("x"));
    (folder, vault)
}

fn add(vault: &Vault, body: &str) -> Entry {
    vault.append(NewEntry { body: body.into(), ..NewEntry::default() }).unwrap()
}

fn names(vault: &Vault) -> Vec<String> {
    let mut names = vault.listed_in(FOLDER).unwrap();
    names.sort();
    names
}

#[test]
fn an_answer_stands_under_the_hash_of_its_text_and_is_nobody_elses_business() {
    let (_folder, vault) = vault();
    let entry = add(&vault, "Tea with Linh.");
    assert_eq!((vault.answers().unwrap(), vault.answer(&entry.hash).unwrap()), (Vec::new(), None));
    assert!(vault.keep_answer_tries(&entry, b"two").unwrap());
    assert_eq!(vault.answer_tries().unwrap(), [(entry.hash, b"two".to_vec())]);
    assert!(vault.keep_answer(&entry, b"{}").unwrap());
    assert_eq!(vault.answer(&entry.hash).unwrap().as_deref(), Some(&b"{}"[..]));
    assert_eq!(vault.answer_tries().unwrap(), [], "asking has come to its end");
    assert_eq!(names(&vault), [".gitignore".to_owned(), format!("{}.json", entry.hash)]);
    assert_eq!(fs::read_to_string(vault.options().root.join("answers/.gitignore")).unwrap(), "*\n");
}

#[test]
fn the_answer_to_a_text_that_is_gone_is_not_kept() {
    let (_folder, vault) = vault();
    let entry = add(&vault, "Tea with Linh.");
    vault.edit(&entry, Change { body: Some("Tea alone.".into()), ..Change::default() }).unwrap();
    assert!(!vault.keep_answer(&entry, b"{}").unwrap());
    let other = add(&vault, "Coffee with Linh.");
    vault.forget(&other, Pass::Delete).unwrap();
    assert!(!vault.keep_answer(&other, b"{}").unwrap() && !vault.keep_answer_tries(&other, b"x").unwrap());
    assert_eq!(vault.answers().unwrap(), []);
}

#[test]
fn answers_to_texts_that_stand_nowhere_go_with_the_next_that_is_forgotten() {
    let (_folder, vault) = vault();
    let (first, second) = (add(&vault, "Tea with Linh."), add(&vault, "Rain."));
    vault.keep_answer(&first, b"{\"a\":\"Linh\"}").unwrap();
    vault.keep_answer(&second, b"{}").unwrap();
    let third = add(&vault, "Snow.");
    vault.keep_answer(&third, b"{}").unwrap();
    vault.keep_answer_tries(&third, b"x").unwrap();
    vault.edit(&first, Change { body: Some("Tea alone.".into()), ..Change::default() }).unwrap();
    // After the trash is emptied by hand, no command can name the old text.
    fs::remove_dir_all(vault.options().root.join("trash")).unwrap();
    assert_eq!(vault.forget(&third, Pass::Count).unwrap().answers, 2);
    assert_eq!(vault.forget(&third, Pass::Delete).unwrap().answers, 2);
    assert_eq!(vault.answers().unwrap().iter().map(|(hash, _)| *hash).collect::<Vec<_>>(), [second.hash]);
    assert_eq!(vault.answer_tries().unwrap(), []);
}

#[test]
fn answers_that_speak_of_a_forgotten_name_go_however_they_spell_it() {
    let (_folder, vault) = vault();
    let [a, b, c, d] = ["a a", "b b", "c c", "d d"].map(|text| add(&vault, text));
    vault.keep_answer(&a, br#"{"entities":[{"text":"\u004cinh"}]}"#).unwrap();
    vault.keep_answer(&b, br#"{"entities":[{"text":"Linhtinh"}]}"#).unwrap();
    vault.keep_answer(&c, br#"{"relationships":[{"evidence":"tea\nwith Linh"}]}"#).unwrap();
    vault.keep_answer(&d, b"Linh, and no JSON").unwrap();
    let redaction = Redaction::new(vec!["Linh".into()], Vec::new(), |_| false);
    assert_eq!(vault.forget_names(&redaction, &[], Pass::Count).unwrap().answers, 3);
    assert_eq!(vault.forget_names(&redaction, &[], Pass::Delete).unwrap().answers, 3);
    assert_eq!(vault.answers().unwrap().iter().map(|(hash, _)| *hash).collect::<Vec<_>>(), [b.hash]);
}

#[test]
fn other_files_among_the_answers_are_let_be() {
    let (_folder, vault) = vault();
    let entry = add(&vault, "Tea.");
    vault.keep_answer(&entry, b"{}").unwrap();
    let folder = vault.options().root.join(FOLDER);
    // Of another text: some file systems ignore case.
    let upper = crate::journal::BodyHash::of(b"Soup.").to_string().to_uppercase();
    for name in ["notes.json", "service.json", "x.tries", &format!("{upper}.json"), &format!("{}.json.bak", entry.hash)]
    {
        fs::write(folder.join(name), "x").unwrap();
    }
    assert_eq!(vault.answers().unwrap().len(), 1);
    assert_eq!(vault.drop_answers().unwrap(), 1);
    assert_eq!(names(&vault).len(), 6, "the five, and what git is told");
}
