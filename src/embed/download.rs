//! Fetches a model of the catalogue. Beside `extract::llm` the only place in kioku that opens a
//! connection, and only when this is called.
//!
//! Everything that comes lands in `<models>/.downloads/<name>/`, which no list of models looks into: a file is `.part`
//! until it has its pinned size and SHA-256, and the model moves to its place when all of them have. What a broken
//! connection has left is gone on with (`Range` with `If-Range`), what is not the pinned file is thrown away.

use std::{
    fmt,
    fs::{self, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use ureq::{
    Agent, Body,
    http::{HeaderMap, Response, StatusCode, header},
};

use super::{
    EmbedError, Result,
    catalogue::{CatalogueModel, PinnedFile},
    io,
    registry::{self, InstalledModel},
};
use crate::{
    address::is_local,
    journal::files::{self, Lock},
};

const FOLDER: &str = ".downloads";
const REDIRECTS: usize = 5;
const BLOCK: usize = 1 << 16;
/// For a connection, and for the first byte of an answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);
/// A server that says nothing for so long has gone.
const SILENT_FOR: Duration = Duration::from_secs(60);

/// How far a download is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub file: &'static str,
    /// Bytes of all files together.
    pub done: u64,
    pub of: u64,
}

/// Fetches the files of a model that are not there yet, checks each against its pinned size and SHA-256, and installs
/// the model under `name`. `progress` is asked after every block; false stops, and the next call goes on from there.
///
/// # Errors
/// A base address that is neither `https://` nor on this machine; a server that cannot be reached, breaks off or has
/// other files than the pinned ones. Nothing of the model is visible then.
pub fn download(
    model: &'static CatalogueModel,
    base: &str,
    models: &Path,
    name: &str,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<InstalledModel> {
    let local = is_local(base).map_err(|reason| failed(base, reason))?;
    let downloads = models.join(FOLDER);
    let folder = downloads.join(model.name);
    files::create_dir(&folder).map_err(|error| failed(base, error))?;
    let lock = Lock::try_take(&downloads.join("lock")).map_err(|error| failed(base, error))?;
    let Some(_lock) = lock else {
        return Err(failed(base, "another kioku is fetching a model"));
    };
    let agent = agent(local);
    let mut before = 0;
    for file in model.files {
        let of = model.size();
        let mut fetch = Fetch {
            agent: &agent,
            address: model.address(base, file),
            file,
            path: folder.join(file.name),
            progress: &mut |done| progress(Progress { file: file.name, done: before + done, of }),
        };
        fetch.run()?;
        before += file.size;
    }
    let installed = registry::install_fetched(&folder, models, name, model)?;
    // Nothing of use is left in it.
    let _ = fs::remove_dir_all(&folder);
    Ok(installed)
}

fn agent(local: bool) -> Agent {
    let config = Agent::config_builder()
        .https_only(!local)
        // Followed here, so that each request asks for the rest of the file.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .accept_encoding("identity")
        .user_agent("kioku")
        .timeout_connect(Some(ANSWER_WITHIN))
        .timeout_recv_response(Some(ANSWER_WITHIN))
        .timeout_per_read(Some(SILENT_FOR));
    if local { config.proxy(None) } else { config }.build().new_agent()
}

/// One file on its way.
struct Fetch<'a> {
    agent: &'a Agent,
    address: String,
    file: &'static PinnedFile,
    /// Where it is to lie once it is whole.
    path: PathBuf,
    progress: &'a mut dyn FnMut(u64) -> bool,
}

impl Fetch<'_> {
    fn run(&mut self) -> Result<()> {
        if self.file.is_at(&self.path)? {
            return Ok(());
        }
        if self.kept() > self.file.size {
            self.start_anew()?;
        }
        if self.kept() < self.file.size {
            let response = self.ask()?;
            self.take(response)?;
        }
        self.settle()
    }

    fn part(&self) -> PathBuf {
        self.path.with_added_extension("part")
    }

    /// The server's name for the state of the file that the part is of.
    fn tag(&self) -> PathBuf {
        self.path.with_added_extension("etag")
    }

    /// Bytes that an earlier try has left.
    fn kept(&self) -> u64 {
        fs::metadata(self.part()).map_or(0, |data| data.len())
    }

    fn start_anew(&self) -> Result<()> {
        files::remove(&self.part())?;
        Ok(files::remove(&self.tag())?)
    }

    /// Asks for what is missing; the address may lead to another one a few times.
    fn ask(&self) -> Result<Response<Body>> {
        let mut address = self.address.clone();
        for _ in 0..=REDIRECTS {
            let mut request = self.agent.get(&address);
            let kept = self.kept();
            if kept > 0 {
                request = request.header(header::RANGE, format!("bytes={kept}-"));
                if let Ok(tag) = fs::read_to_string(self.tag()) {
                    request = request.header(header::IF_RANGE, tag);
                }
            }
            let response = request.call().map_err(|error| failed(&address, error))?;
            match response.status() {
                StatusCode::OK | StatusCode::PARTIAL_CONTENT => return Ok(response),
                StatusCode::RANGE_NOT_SATISFIABLE if kept > 0 => self.start_anew()?,
                status if status.is_redirection() => address = follow(&address, response.headers())?,
                status => return Err(failed(&address, format!("the server answers {status}"))),
            }
        }
        Err(failed(&self.address, "it leads from address to address"))
    }

    /// Appends what comes to the part.
    fn take(&mut self, response: Response<Body>) -> Result<()> {
        let goes_on = response.status() == StatusCode::PARTIAL_CONTENT;
        if goes_on && content_range(response.headers()) != Some((self.kept(), self.file.size)) {
            self.start_anew()?;
            return Err(self.other("the server answers with another part of the file than was asked for"));
        }
        if !goes_on {
            self.start_anew()?;
            let said = number(response.headers(), header::CONTENT_LENGTH);
            if let Some(said) = said.filter(|said| *said != self.file.size) {
                return Err(self.other(&format!("it has {said} bytes there, and {} are pinned", self.file.size)));
            }
        }
        self.keep_tag(response.headers())?;
        let path = self.part();
        let mut part = OpenOptions::new().append(true).create(true).open(&path).map_err(io("write", &path))?;
        files::make_private(&path).map_err(|error| failed(&self.address, error))?;
        let mut body = response.into_body().into_reader();
        let mut block = vec![0; BLOCK];
        let mut done = self.kept();
        loop {
            // One byte more than belongs here tells a longer file from this one.
            let room = (self.file.size - done + 1).min(BLOCK as u64) as usize;
            let read = match body.read(&mut block[..room]) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) => return Err(self.broke_off(done, &error)),
            };
            done += read as u64;
            if done > self.file.size {
                drop(part);
                self.start_anew()?;
                return Err(self.other(&format!("it is longer than the {} bytes that are pinned", self.file.size)));
            }
            part.write_all(&block[..read]).map_err(io("write", &path))?;
            if !(self.progress)(done) {
                return Err(failed(&self.address, "it was stopped; the same command goes on"));
            }
        }
        part.sync_all().map_err(io("write", &path))?;
        match done == self.file.size {
            true => Ok(()),
            false => Err(self.broke_off(done, &"the server ended the connection")),
        }
    }

    /// Keeps a strong tag for the next try; a weak one says nothing of single bytes.
    fn keep_tag(&self, headers: &HeaderMap) -> Result<()> {
        let tag = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
        match tag.filter(|tag| tag.starts_with('"')) {
            Some(tag) => fs::write(self.tag(), tag).map_err(io("write", &self.tag())),
            None => Ok(files::remove(&self.tag())?),
        }
    }

    /// Lets a whole part be the file, if it is the pinned one.
    fn settle(&self) -> Result<()> {
        if !self.file.is_at(&self.part())? {
            self.start_anew()?;
            return Err(self.other("its SHA-256 is not the pinned one"));
        }
        files::rename(&self.part(), &self.path)?;
        Ok(files::remove(&self.tag())?)
    }

    fn broke_off(&self, done: u64, reason: &dyn fmt::Display) -> EmbedError {
        let of = self.file.size;
        failed(&self.address, format!("it broke off at {done} of {of} bytes ({reason}); the same command goes on"))
    }

    fn other(&self, reason: &str) -> EmbedError {
        failed(&self.address, format!("this is not the file that kioku knows: {reason}; nothing of it is kept"))
    }
}

/// Where a redirection leads.
fn follow(address: &str, headers: &HeaderMap) -> Result<String> {
    let target = headers.get(header::LOCATION).and_then(|target| target.to_str().ok());
    let target = target.ok_or_else(|| failed(address, "it leads nowhere"))?;
    if target.contains("://") {
        // No redirection leads off the encrypted way.
        return is_local(target).map(|_| target.to_owned()).map_err(|reason| failed(target, reason));
    }
    let host = address.find("://").map_or(0, |at| at + 3);
    let root = address[host..].find('/').map_or(address.len(), |at| host + at);
    match target.starts_with('/') {
        true => Ok(format!("{}{target}", &address[..root])),
        false => Err(failed(address, format!("it leads to {target}, which is no address"))),
    }
}

/// Start and whole size of `bytes START-END/SIZE`.
fn content_range(headers: &HeaderMap) -> Option<(u64, u64)> {
    let range = headers.get(header::CONTENT_RANGE)?.to_str().ok()?.trim().strip_prefix("bytes ")?;
    let (span, size) = range.split_once('/')?;
    let (start, _) = span.split_once('-')?;
    Some((start.trim().parse().ok()?, size.trim().parse().ok()?))
}

fn number(headers: &HeaderMap, name: header::HeaderName) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

fn failed(address: &str, reason: impl fmt::Display) -> EmbedError {
    EmbedError::Download { address: address.to_owned(), reason: reason.to_string() }
}

#[cfg(test)]
#[path = "download_tests.rs"]
mod tests;
