//! The models that can be installed by name: where their files lie and what each file must be, to the byte.
//!
//! Owns the list and the check; opens no connection. A model is in the list only if the SHA-256 of each of its files is
//! known: those below stand, the same to the last digit, in several public repositories that pin these revisions, and
//! those of all-MiniLM-L6-v2 were computed from the files themselves as well.

use std::{fs, io::ErrorKind, path::Path};

use super::{
    Result, io, sha256_of,
    usage::{Card, Pooling},
};

/// Where the files lie unless the user names another place.
pub const BASE: &str = "https://huggingface.co";

/// A model of the list.
#[derive(Debug, PartialEq, Eq)]
pub struct CatalogueModel {
    pub name: &'static str,
    /// Below the base address.
    pub repository: &'static str,
    /// A commit, so that the files stay what they are.
    pub revision: &'static str,
    pub licence: &'static str,
    /// In a few words, for whoever has to choose.
    pub about: &'static str,
    pooling: Pooling,
    query_prefix: &'static str,
    passage_prefix: &'static str,
    pub files: &'static [PinnedFile],
}

/// One file and what it must be.
#[derive(Debug, PartialEq, Eq)]
pub struct PinnedFile {
    pub name: &'static str,
    pub size: u64,
    /// Lower-case hex.
    pub sha256: &'static str,
}

const fn pinned(name: &'static str, size: u64, sha256: &'static str) -> PinnedFile {
    PinnedFile { name, size, sha256 }
}

/// Smallest first.
pub const MODELS: [CatalogueModel; 3] = [
    CatalogueModel {
        name: "all-MiniLM-L6-v2",
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        licence: "Apache-2.0",
        about: "English, small and quick",
        pooling: Pooling::Mean,
        query_prefix: "",
        passage_prefix: "",
        files: &[
            pinned("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
            pinned("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
            pinned("model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        ],
    },
    CatalogueModel {
        name: "bge-small-en-v1.5",
        repository: "BAAI/bge-small-en-v1.5",
        revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
        licence: "MIT",
        about: "English, better at questions",
        pooling: Pooling::Cls,
        query_prefix: "Represent this sentence for searching relevant passages: ",
        passage_prefix: "",
        files: &[
            pinned("config.json", 743, "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750"),
            pinned("tokenizer.json", 711_396, "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
            pinned(
                "model.safetensors",
                133_466_304,
                "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad",
            ),
        ],
    },
    CatalogueModel {
        name: "multilingual-e5-small",
        repository: "intfloat/multilingual-e5-small",
        revision: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
        licence: "MIT",
        about: "about a hundred languages, Vietnamese among them",
        pooling: Pooling::Mean,
        query_prefix: "query: ",
        passage_prefix: "passage: ",
        files: &[
            pinned("config.json", 655, "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959"),
            pinned("tokenizer.json", 17_082_730, "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"),
            pinned(
                "model.safetensors",
                470_641_600,
                "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
            ),
        ],
    },
];

impl CatalogueModel {
    /// Bytes of all files together.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Where a file lies below `base`.
    pub fn address(&self, base: &str, file: &PinnedFile) -> String {
        let Self { repository, revision, .. } = self;
        format!("{}/{repository}/resolve/{revision}/{}", base.trim_end_matches('/'), file.name)
    }

    /// What kioku has to know of it beside its files.
    pub(super) fn card(&self) -> Card {
        Card {
            name: Some(self.name.to_owned()),
            licence: Some(self.licence.to_owned()),
            source: Some(format!("{BASE}/{} at {}", self.repository, self.revision)),
            pooling: Some(self.pooling),
            query_prefix: Some(self.query_prefix.to_owned()),
            passage_prefix: Some(self.passage_prefix.to_owned()),
        }
    }
}

impl PinnedFile {
    /// Whether `path` is this file: its size, then its SHA-256.
    pub(super) fn is_at(&self, path: &Path) -> Result<bool> {
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Ok(data) if data.len() != self.size => return Ok(false),
            other => other.map_err(io("read", path))?,
        };
        Ok(sha256_of(path).map_err(io("read", path))? == self.sha256)
    }
}

/// The model of this name; upper and lower case are one.
pub fn find(name: &str) -> Option<&'static CatalogueModel> {
    MODELS.iter().find(|model| model.name.eq_ignore_ascii_case(name))
}

/// Which model of the list the files in a folder are, whatever the folder is called.
pub(super) fn recognise(folder: &Path) -> Result<Option<&'static CatalogueModel>> {
    for model in &MODELS {
        let mut is_it = true;
        for file in model.files {
            is_it = is_it && file.is_at(&folder.join(file.name))?;
        }
        if is_it {
            return Ok(Some(model));
        }
    }
    Ok(None)
}

/// A catalogue entry for the files in a folder.
#[cfg(test)]
pub(super) fn of_folder(folder: &Path, name: &'static str) -> &'static CatalogueModel {
    use sha2::{Digest, Sha256};

    let file = |name: &'static str| {
        let bytes = fs::read(folder.join(name)).unwrap();
        let sha256: &'static str = Box::leak(super::hex(&Sha256::digest(&bytes)).into_boxed_str());
        pinned(name, bytes.len() as u64, sha256)
    };
    Box::leak(Box::new(CatalogueModel {
        name,
        repository: "someone/tiny",
        revision: "abc",
        licence: "own",
        about: "for tests",
        pooling: Pooling::Cls,
        query_prefix: "tea ",
        passage_prefix: "rain ",
        files: Box::leak(super::bert::FILES.map(file).into()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_pinned_and_every_name_is_one() {
        for model in &MODELS {
            let names: Vec<_> = model.files.iter().map(|file| file.name).collect();
            assert_eq!(names, super::super::bert::FILES, "{}", model.name);
            assert_eq!(model.revision.len(), 40, "{}", model.name);
            for file in model.files {
                assert!(file.sha256.len() == 64 && file.sha256.bytes().all(|byte| byte.is_ascii_hexdigit()));
            }
            assert_eq!(find(&model.name.to_uppercase()), Some(model));
        }
    }

    #[test]
    fn an_address_is_made_of_base_and_commit() {
        let model = find("all-MiniLM-L6-v2").unwrap();
        assert_eq!(
            model.address("http://here/hub/", &model.files[0]),
            "http://here/hub/sentence-transformers/all-MiniLM-L6-v2/resolve/\
             1110a243fdf4706b3f48f1d95db1a4f5529b4d41/config.json"
        );
    }
}
