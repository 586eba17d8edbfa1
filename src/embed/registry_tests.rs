use std::fs::{self, File};

use super::*;
use crate::embed::bert::tests::write_tiny_model;
use crate::embed::bundled;

fn source(dimension: usize) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write_tiny_model(dir.path(), dimension);
    fs::write(dir.path().join("README.md"), "---\nlanguage: en\nlicense: apache-2.0\n---\nA model.").unwrap();
    dir
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_installed_model_is_listed_and_embeds() {
    let (source, home) = (source(8), tempfile::tempdir().unwrap());
    let models = home.path().join("models");
    assert_eq!(list(&models).unwrap().len(), Bundled::ALL.len(), "only the models that come with kioku");
    let model = install(source.path(), &models, "tiny").unwrap();
    assert_eq!((model.dimension, model.pooling, model.licence.as_deref()), (8, Pooling::Mean, Some("apache-2.0")));
    let listed: Vec<_> = list(&models).unwrap().into_iter().skip(Bundled::ALL.len()).map(Result::unwrap).collect();
    assert_eq!(listed, std::slice::from_ref(&model));
    drop(source);
    let encoder = load(&models, "tiny").unwrap();
    assert_eq!((encoder.stamp().checksum.as_str(), encoder.stamp().name.as_str()), (model.checksum.as_str(), "tiny"));
    assert_eq!(encoder.embed(&["tea"]).unwrap()[0].len(), 8);
    verify(&models, "tiny").unwrap();
    remove(&models, "tiny").unwrap();
    assert!(entries(&models).is_empty());
    assert!(matches!(remove(&models, "tiny"), Err(EmbedError::NotInstalled { .. })));
}

#[test]
fn installing_again_changes_nothing_and_another_model_needs_another_name() {
    let (first, second, home) = (source(8), source(12), tempfile::tempdir().unwrap());
    let model = install(first.path(), home.path(), "m").unwrap();
    assert_eq!(install(first.path(), home.path(), "m").unwrap(), model);
    let error = install(second.path(), home.path(), "m").unwrap_err().to_string();
    assert!(error.contains("choose another name"), "{error}");
    assert_eq!(load(home.path(), "m").unwrap().stamp().dimension, 8);
    install(second.path(), home.path(), "n").unwrap();
    assert_eq!(entries(home.path()), ["m", "n"]);
}

#[test]
fn what_is_no_model_leaves_nothing_behind() {
    let (source, home) = (source(8), tempfile::tempdir().unwrap());
    fs::write(source.path().join("model.safetensors"), "no weights").unwrap();
    let error = install(source.path(), home.path(), "m").unwrap_err().to_string();
    assert!(error.contains("model.safetensors"), "{error}");
    assert!(entries(home.path()).is_empty());
    for name in ["", "..", "a/b", ".hidden", "a b", "x\u{e9}"] {
        assert!(matches!(install(source.path(), home.path(), name), Err(EmbedError::Model { .. })));
        assert!(load(home.path(), name).is_err() && remove(home.path(), name).is_err());
    }
}

#[test]
fn a_missing_model_says_what_is_there_and_what_to_do() {
    let (source, home) = (source(8), tempfile::tempdir().unwrap());
    install(source.path(), home.path(), "tiny").unwrap();
    let error = load(home.path(), "large").unwrap_err().to_string();
    assert!(
        error.contains("large")
            && error.contains("(there: everyday-en-vi, kioku-reader, tiny)")
            && error.contains("kioku model install"),
        "{error}"
    );
}

#[test]
fn changed_files_are_found_at_loading_and_new_times_alone_are_no_change() {
    let (source, home) = (source(8), tempfile::tempdir().unwrap());
    let model = install(source.path(), home.path(), "m").unwrap();
    let weights = home.path().join("m/model.safetensors");
    let sound = fs::read(&weights).unwrap();
    let set_time = |seconds: u64| {
        let time = UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        File::options().write(true).open(&weights).unwrap().set_modified(time).unwrap();
    };
    set_time(1_000_000);
    assert_eq!(load(home.path(), "m").unwrap().stamp().checksum, model.checksum);
    assert_ne!(settings(home.path(), "m").unwrap().files, model.files, "the new times are kept");
    let mut bytes = sound.clone();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&weights, &bytes).unwrap();
    set_time(2_000_000);
    let error = load(home.path(), "m").unwrap_err().to_string();
    assert!(error.contains("not those that were installed") && error.contains("kioku model remove m"), "{error}");
    // Neither size nor time tells: only the full check does.
    set_time(1_000_000);
    assert!(load(home.path(), "m").is_ok());
    assert!(verify(home.path(), "m").is_err());
    fs::remove_file(&weights).unwrap();
    assert!(load(home.path(), "m").unwrap_err().to_string().contains("model.safetensors"));
}

#[test]
fn damaged_settings_are_told_and_installing_again_repairs() {
    let (source, home) = (source(8), tempfile::tempdir().unwrap());
    let model = install(source.path(), home.path(), "m").unwrap();
    fs::write(home.path().join("m").join(SETTINGS), "{").unwrap();
    assert!(load(home.path(), "m").unwrap_err().to_string().contains("is damaged"));
    assert!(list(home.path()).unwrap()[Bundled::ALL.len()].is_err());
    assert_eq!(install(source.path(), home.path(), "m").unwrap().checksum, model.checksum);
    load(home.path(), "m").unwrap();
    let wrong = InstalledModel { dimension: 9, ..settings(home.path(), "m").unwrap() };
    write_settings(&home.path().join("m"), &wrong).unwrap();
    assert!(load(home.path(), "m").unwrap_err().to_string().contains("8 components where 9"));
}

#[test]
fn a_table_is_installed_like_any_model() {
    let (source, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let pieces = ["tea", "by", "the", "river", "a", "letter", "to", "bank"].map(str::to_owned);
    let numbers: Vec<f32> = (0..pieces.len() * 8).map(|at| at as f32 / 63.0).collect();
    let files = table::TableFiles::new("made", Some("own"), &pieces, &numbers, false, None);
    fs::write(source.path().join(table::WEIGHTS), &files.weights).unwrap();
    fs::write(source.path().join(table::VOCABULARY), &files.vocabulary).unwrap();
    fs::write(source.path().join(table::CARD), serde_json::to_vec(&files.card).unwrap()).unwrap();
    fs::create_dir(source.path().join("teacher-vectors")).unwrap();
    let model = install(source.path(), home.path(), "small").unwrap();
    assert_eq!((model.kind, model.dimension, model.name.as_str()), (ModelKind::Table, 8, "small"));
    let encoder = load(home.path(), "small").unwrap();
    assert_eq!(encoder.stamp(), &stamp(home.path(), "small").unwrap());
    assert_eq!(encoder.stamp().name, "small");
    assert!(!home.path().join("small/teacher-vectors").exists(), "only the model is copied");
    verify(home.path(), "small").unwrap();
    fs::write(home.path().join("small").join(table::VOCABULARY), "tea\n").unwrap();
    assert!(verify(home.path(), "small").is_err() && load(home.path(), "small").is_err());
}

#[test]
fn the_model_inside_kioku_is_always_there() {
    let home = tempfile::tempdir().unwrap();
    let absent = home.path().join("models");
    let listed: Vec<_> = list(&absent).unwrap().into_iter().map(Result::unwrap).collect();
    assert_eq!(listed.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), Bundled::ALL.map(Bundled::name));
    assert!(listed[0].size < 9_000_000, "{}", listed[0].size);
    let encoder = load(&absent, bundled::DEFAULT).unwrap();
    assert_eq!(encoder.stamp(), &stamp(&absent, bundled::DEFAULT).unwrap());
    verify(&absent, bundled::DEFAULT).unwrap();
    let source = source(8);
    assert!(install(source.path(), &absent, bundled::DEFAULT).unwrap_err().to_string().contains("comes with kioku"));
    assert!(remove(&absent, bundled::DEFAULT).unwrap_err().to_string().contains("part of kioku"));
    assert!(!absent.exists());
}

#[test]
fn a_model_is_called_what_its_files_call_it() {
    let folder = |name: &str, files: &[(&str, &str)]| {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(name);
        write_tiny_model(&folder, 8);
        files.iter().for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
        let named = name_of(&folder).unwrap();
        drop(dir);
        named.unwrap()
    };
    let heading = ("README.md", "---\nlicense: mit\n---\n\n# gentle-small\nA model.");
    let config = ("config.json", r#"{"_name_or_path": "someone/base-large"}"#);
    assert_eq!(folder("model", &[("kioku-card.json", r#"{"name": "carded"}"#), heading]), "carded");
    assert_eq!(folder("model", &[heading, config]), "gentle-small");
    assert_eq!(folder("mine", &[("README.md", "# How to use this model"), config]), "mine");
    assert_eq!(folder("model", &[config]), "base-large");
    assert_eq!(folder("1110a243fdf4706b3f48f1d95db1a4f5529b4d41", &[config]), "base-large");
    assert_eq!(folder("model", &[]), "model");
}

#[test]
fn the_card_goes_with_the_model_and_decides_how_it_is_used() {
    let (source, home) = (source(8), tempfile::tempdir().unwrap());
    let plain = install(source.path(), home.path(), "plain").unwrap();
    let card = r#"{"licence": "own", "pooling": "cls", "query_prefix": "river: "}"#;
    fs::write(source.path().join(usage::CARD), card).unwrap();
    let model = install(source.path(), home.path(), "marked").unwrap();
    assert_eq!((model.licence.as_deref(), model.pooling), (Some("own"), Pooling::Cls));
    assert_eq!(model.prefixes, Prefixes { query: "river: ".to_owned(), passage: String::new() });
    assert_ne!(model.checksum, plain.checksum);
    drop(source);
    let encoder = load(home.path(), "marked").unwrap();
    assert_ne!(encoder.embed(&["tea"]).unwrap(), encoder.embed_queries(&["tea"]).unwrap());
    fs::write(home.path().join("marked").join(usage::CARD), "{}").unwrap();
    assert!(load(home.path(), "marked").unwrap_err().to_string().contains("kioku model remove marked"));
}

#[test]
fn a_model_with_a_layer_after_the_pooling_is_refused() {
    let (source, home) = (source(8), tempfile::tempdir().unwrap());
    fs::write(source.path().join("modules.json"), r#"[{"type": "sentence_transformers.models.Dense"}]"#).unwrap();
    assert!(install(source.path(), home.path(), "m").unwrap_err().to_string().contains("dense layer"));
    assert!(entries(home.path()).is_empty());
}
