//! Against a server that does what servers do on a bad day.

use std::{
    io::{BufRead, BufReader},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver},
    },
    thread::JoinHandle,
};

use super::*;
use crate::embed::{Pooling, bert::tests::write_tiny_model, bundled::Bundled, catalogue};

/// What was asked: the path, and the two headers that matter.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked {
    path: String,
    range: Option<String>,
    if_range: Option<String>,
}

/// An answer as bytes; the connection ends after it.
#[derive(Default)]
struct Answer {
    head: String,
    body: Vec<u8>,
    /// Waited for before the second half of the body is sent.
    wait: Option<Receiver<()>>,
}

impl Answer {
    fn new(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Self {
        let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        Self { head: head + "\r\n", body: body.to_vec(), wait: None }
    }

    fn sized(status: &str, headers: &[(&str, &str)], body: &[u8], size: usize) -> Self {
        let size = size.to_string();
        Self::new(status, &[headers, &[("Content-Length", &size)]].concat(), body)
    }

    /// The whole file.
    fn whole(body: &[u8]) -> Self {
        Self::sized("200 OK", &[("ETag", "\"one\"")], body, body.len())
    }

    /// The file from `start` on.
    fn rest(body: &[u8], start: usize) -> Self {
        let range = format!("bytes {start}-{}/{}", body.len() - 1, body.len());
        let headers = [("Content-Range", range.as_str()), ("ETag", "\"one\"")];
        Self::sized("206 Partial Content", &headers, &body[start..], body.len() - start)
    }
}

type Respond = dyn FnMut(&Asked) -> Answer + Send;

/// A server of one test; answers until the test ends.
struct Server {
    base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start(mut respond: Box<Respond>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let list = asked.clone();
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                let Some(asked) = read_request(&stream) else { return };
                let answer = respond(&asked);
                list.lock().unwrap().push(asked);
                send(stream, answer);
            }
        });
        Self { base, asked, thread: Some(thread) }
    }

    fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A connection without a request ends it.
        drop(TcpStream::connect(self.base.trim_start_matches("http://")));
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking());
    }
}

fn read_request(stream: &TcpStream) -> Option<Asked> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next()?;
    let mut asked = Asked { path: first.split(' ').nth(1)?.to_owned(), range: None, if_range: None };
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap();
        match name.to_lowercase().as_str() {
            "range" => asked.range = Some(value.trim().to_owned()),
            "if-range" => asked.if_range = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    Some(asked)
}

fn send(mut stream: TcpStream, answer: Answer) {
    // The other side may have heard enough.
    let half = answer.body.len() / 2;
    let _ = stream.write_all(answer.head.as_bytes());
    let _ = stream.write_all(&answer.body[..half]);
    if let Some(wait) = answer.wait {
        let _ = stream.flush();
        let _ = wait.recv();
    }
    let _ = stream.write_all(&answer.body[half..]);
}

/// A model, its files as a server has them, and a folder of models to be filled.
struct Setting {
    _source: tempfile::TempDir,
    source: PathBuf,
    home: tempfile::TempDir,
    model: &'static CatalogueModel,
}

impl Setting {
    fn new() -> Self {
        let source = tempfile::tempdir().unwrap();
        write_tiny_model(source.path(), 8);
        let model = catalogue::of_folder(source.path(), "tiny");
        Self { source: source.path().to_owned(), _source: source, home: tempfile::tempdir().unwrap(), model }
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.source.join(name)).unwrap()
    }

    fn weights(&self) -> Vec<u8> {
        self.file("model.safetensors")
    }

    /// A server with all files that answers for the weights as `of_weights` says, in order, then as it should.
    fn server(&self, of_weights: Vec<Answer>) -> Server {
        let source = self.source.clone();
        let mut of_weights = of_weights.into_iter();
        Server::start(Box::new(move |asked| {
            let name = asked.path.rsplit('/').next().unwrap();
            let next = if name == "model.safetensors" { of_weights.next() } else { None };
            next.unwrap_or_else(|| {
                let body = fs::read(source.join(name)).unwrap();
                let start = asked.range.as_ref().map(|range| range["bytes=".len()..range.len() - 1].parse().unwrap());
                start.map_or_else(|| Answer::whole(&body), |start| Answer::rest(&body, start))
            })
        }))
    }

    fn fetch(&self, server: &Server) -> Result<InstalledModel, String> {
        self.fetch_while(server, &mut |_| true)
    }

    fn fetch_while(
        &self,
        server: &Server,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<InstalledModel, String> {
        download(self.model, &server.base, self.home.path(), "tiny", progress).map_err(|error| error.to_string())
    }

    /// Models that can be seen, besides the one inside kioku.
    fn visible(&self) -> usize {
        registry::list(self.home.path()).unwrap().len() - Bundled::ALL.len()
    }

    fn part(&self) -> Option<Vec<u8>> {
        fs::read(self.home.path().join(FOLDER).join("tiny/model.safetensors.part")).ok()
    }

    /// The next try, with a server that behaves, and what it asked for the weights.
    fn next_try(&self) -> Asked {
        assert_eq!(self.visible(), 0, "nothing half-fetched is seen");
        let server = self.server(Vec::new());
        self.fetch(&server).unwrap();
        assert_eq!(self.visible(), 1);
        registry::verify(self.home.path(), "tiny").unwrap();
        let asked = server.asked();
        assert_eq!(asked.len(), 1, "what is there is not fetched again: {asked:?}");
        asked.into_iter().next().unwrap()
    }
}

fn asked(range: Option<&str>, if_range: Option<&str>) -> Asked {
    let path = "/someone/tiny/resolve/abc/model.safetensors".to_owned();
    Asked { path, range: range.map(str::to_owned), if_range: if_range.map(str::to_owned) }
}

#[test]
fn a_model_comes_whole_with_its_card() {
    let setting = Setting::new();
    let server = setting.server(Vec::new());
    let mut seen = Vec::new();
    let model = setting
        .fetch_while(&server, &mut |progress| {
            seen.push(progress.done);
            progress.of == setting.model.size()
        })
        .unwrap();
    assert!(seen.is_sorted() && seen.last() == Some(&setting.model.size()), "{seen:?}");
    let paths: Vec<_> = server.asked().into_iter().map(|asked| asked.path).collect();
    let at = |name: &str| format!("/someone/tiny/resolve/abc/{name}");
    assert_eq!(paths, [at("config.json"), at("tokenizer.json"), at("model.safetensors")]);
    assert_eq!((model.pooling, model.prefixes.query.as_str()), (Pooling::Cls, "tea "));
    assert_eq!(model.licence.as_deref(), Some("own"));
    let encoder = registry::load(setting.home.path(), "tiny").unwrap();
    assert_ne!(encoder.embed(&["walk"]).unwrap(), encoder.embed_queries(&["walk"]).unwrap());
    assert!(!setting.home.path().join(FOLDER).join("tiny").exists());
    // The same files from a folder are known for what they are, so this is the same model.
    let again = setting.server(Vec::new());
    assert_eq!(setting.fetch(&again).unwrap(), model);
}

#[test]
fn a_connection_that_breaks_off_is_gone_on_with() {
    let setting = Setting::new();
    let weights = setting.weights();
    let cut = weights.len() / 3;
    let broken = Answer::sized("200 OK", &[("ETag", "\"one\"")], &weights[..cut], weights.len());
    let error = setting.fetch(&setting.server(vec![broken])).unwrap_err();
    assert!(error.contains(&format!("broke off at {cut} of {} bytes", weights.len())), "{error}");
    assert_eq!(setting.part().as_deref(), Some(&weights[..cut]));
    assert_eq!(setting.next_try(), asked(Some(&format!("bytes={cut}-")), Some("\"one\"")));
}

#[test]
fn a_server_that_knows_no_ranges_sends_all_again() {
    let setting = Setting::new();
    let weights = setting.weights();
    let broken = Answer::sized("200 OK", &[("ETag", "W/\"weak\"")], &weights[..50], weights.len());
    let server = setting.server(vec![broken, Answer::whole(&weights)]);
    setting.fetch(&server).unwrap_err();
    setting.fetch(&server).unwrap();
    let last = server.asked().pop().unwrap();
    assert_eq!(last, asked(Some("bytes=50-"), None), "a weak tag is no promise about bytes");
    registry::verify(setting.home.path(), "tiny").unwrap();
}

#[test]
fn another_size_than_the_pinned_one_is_refused_before_a_byte_is_kept() {
    let setting = Setting::new();
    let longer = [setting.weights(), vec![0]].concat();
    let error = setting.fetch(&setting.server(vec![Answer::whole(&longer)])).unwrap_err();
    assert!(error.contains("bytes there") && error.contains("not the file"), "{error}");
    assert_eq!(setting.part(), None);
    // A server that does not say how long the file is.
    let error = setting.fetch(&setting.server(vec![Answer::new("200 OK", &[], &longer)])).unwrap_err();
    assert!(error.contains("longer than"), "{error}");
    assert_eq!(setting.part(), None);
    assert_eq!(setting.next_try(), asked(None, None));
}

#[test]
fn a_size_that_is_not_kept_is_a_connection_that_broke_off() {
    let setting = Setting::new();
    let weights = setting.weights();
    let short = Answer::new("200 OK", &[], &weights[..weights.len() - 1]);
    let error = setting.fetch(&setting.server(vec![short])).unwrap_err();
    assert!(error.contains("broke off"), "{error}");
    assert_eq!(setting.next_try(), asked(Some(&format!("bytes={}-", weights.len() - 1)), None));
}

#[test]
fn other_bytes_of_the_right_size_are_never_installed() {
    let setting = Setting::new();
    let mut other = setting.weights();
    let last = other.len() - 1;
    other[last] ^= 1;
    let error = setting.fetch(&setting.server(vec![Answer::whole(&other)])).unwrap_err();
    assert!(error.contains("SHA-256"), "{error}");
    assert_eq!(setting.part(), None);
    assert_eq!(setting.next_try(), asked(None, None));
}

#[test]
fn a_rest_of_another_file_is_found_out() {
    let setting = Setting::new();
    let weights = setting.weights();
    let broken = |tag| Answer::sized("200 OK", &[("ETag", tag)], &[7; 40], weights.len());
    // What came first was of another file: only the checksum of the whole can tell.
    let error = setting.fetch(&setting.server(vec![broken("\"two\"")])).unwrap_err();
    assert!(error.contains("broke off"), "{error}");
    let error = setting.fetch(&setting.server(Vec::new())).unwrap_err();
    assert!(error.contains("SHA-256"), "{error}");
    // A part that was not asked for.
    setting.fetch(&setting.server(vec![broken("\"two\"")])).unwrap_err();
    let error = setting.fetch(&setting.server(vec![Answer::rest(&weights, 41)])).unwrap_err();
    assert!(error.contains("another part"), "{error}");
    assert_eq!(setting.next_try(), asked(None, None));
}

#[test]
fn a_part_that_cannot_be_gone_on_with_is_begun_anew() {
    let setting = Setting::new();
    let weights = setting.weights();
    let broken = Answer::sized("200 OK", &[], &weights[..30], weights.len());
    let refused = Answer::sized("416 Range Not Satisfiable", &[], &[], 0);
    let server = setting.server(vec![broken, refused]);
    setting.fetch(&server).unwrap_err();
    setting.fetch(&server).unwrap();
    assert_eq!(server.asked().pop().unwrap(), asked(None, None));
}

#[test]
fn redirections_are_followed_with_the_range_and_not_for_ever() {
    let setting = Setting::new();
    let weights = setting.weights();
    let elsewhere = setting.server(Vec::new());
    let there = format!("{}/elsewhere/model.safetensors", elsewhere.base);
    let to = |place: &str| Answer::sized("302 Found", &[("Location", place)], &[], 0);
    let broken = Answer::sized("200 OK", &[], &weights[..30], weights.len());
    let server = setting.server(vec![to("/other/model.safetensors"), broken, to(&there)]);
    setting.fetch(&server).unwrap_err();
    assert_eq!(server.asked().pop().unwrap().path, "/other/model.safetensors");
    setting.fetch(&server).unwrap();
    let last = elsewhere.asked();
    assert_eq!(last.len(), 1);
    assert_eq!((last[0].path.as_str(), last[0].range.as_deref()), ("/elsewhere/model.safetensors", Some("bytes=30-")));

    let setting = Setting::new();
    let round = setting.server((0..20).map(|_| to("/again/model.safetensors")).collect());
    let error = setting.fetch(&round).unwrap_err();
    assert!(error.contains("from address to address"), "{error}");
    let open = setting.server(vec![to("http://example.org/model.safetensors")]);
    let error = setting.fetch(&open).unwrap_err();
    assert!(error.contains("http://example.org") && error.contains("https://"), "{error}");
    assert_eq!(setting.visible(), 0);
}

#[test]
fn a_refusal_says_what_the_server_said() {
    let setting = Setting::new();
    let server = setting.server(vec![Answer::sized("404 Not Found", &[], b"no", 2)]);
    let error = setting.fetch(&server).unwrap_err();
    assert!(error.contains("404") && error.contains("model.safetensors"), "{error}");
    assert_eq!((setting.visible(), setting.part()), (0, None));
    let gone = Server::start(Box::new(|_| unreachable!()));
    let base = gone.base.clone();
    drop(gone);
    assert!(download(setting.model, &base, setting.home.path(), "tiny", &mut |_| true).is_err());
}

#[test]
fn a_slow_server_shows_nothing_unfinished_and_keeps_a_second_download_out() {
    let setting = Setting::new();
    let weights = setting.weights();
    let (go_on, wait) = mpsc::channel();
    let (begun, half) = mpsc::channel();
    let slow = Answer { wait: Some(wait), ..Answer::whole(&weights) };
    let server = setting.server(vec![slow]);
    std::thread::scope(|scope| {
        let fetching = scope.spawn(|| {
            setting.fetch_while(&server, &mut |progress| {
                if progress.file == "model.safetensors" {
                    let _ = begun.send(());
                }
                true
            })
        });
        half.recv().unwrap();
        assert_eq!(setting.visible(), 0);
        assert!(registry::stamp(setting.home.path(), "tiny").is_err());
        let error = download(setting.model, "https://localhost", setting.home.path(), "tiny", &mut |_| true);
        assert!(error.unwrap_err().to_string().contains("another kioku is fetching"));
        go_on.send(()).unwrap();
        fetching.join().unwrap().unwrap();
    });
    assert_eq!(setting.visible(), 1);
}

#[test]
fn who_stops_it_goes_on_later() {
    let setting = Setting::new();
    let error = setting
        .fetch_while(&setting.server(Vec::new()), &mut |progress| progress.file != "model.safetensors")
        .unwrap_err();
    assert!(error.contains("stopped"), "{error}");
    assert_eq!(setting.visible(), 0);
    let server = setting.server(Vec::new());
    setting.fetch(&server).unwrap();
    assert!(server.asked().iter().all(|asked| asked.path.ends_with("model.safetensors")));
}

#[test]
fn an_open_connection_to_elsewhere_is_refused_before_it_is_made() {
    let setting = Setting::new();
    for base in ["http://example.org", "ftp://localhost", "huggingface.co", "http://localhost.example.org:80/x"] {
        let error = download(setting.model, base, setting.home.path(), "tiny", &mut |_| true).unwrap_err().to_string();
        assert!(error.contains("https://"), "{base}: {error}");
    }
    assert!(!setting.home.path().join(FOLDER).exists());
    for base in ["http://[::1]", "http://[::1]/models"] {
        let error = download(setting.model, base, setting.home.path(), "tiny", &mut |_| true).unwrap_err().to_string();
        assert!(!error.contains("https://"), "{base}: {error}");
    }
}
