//! A local test server for one test: it answers correctly, not at all, or wrongly.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread::JoinHandle,
};

/// A received request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedRequest {
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl ReceivedRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A response; the connection closes after it.
pub enum Say {
    /// Status and reason, headers, body, and the claimed length.
    Answer { status: String, headers: Vec<(String, String)>, body: Vec<u8>, length: Option<usize> },
    /// Nothing, until the test ends.
    Nothing,
}

impl Say {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::status("200 OK", &[], body)
    }

    pub fn status(status: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self::Answer { status: status.to_owned(), headers, length: Some(body.len()), body }
    }

    /// A response in Ollama's format, with these words of the model.
    pub fn ollama(words: &str) -> Self {
        let quoted = words.chars().flat_map(|c| match c {
            '"' => vec!['\\', '"'],
            '\\' => vec!['\\', '\\'],
            '\n' => vec!['\\', 'n'],
            c => vec![c],
        });
        let quoted: String = quoted.collect();
        Self::ok(format!(
            "{{\"message\":{{\"role\":\"assistant\",\"content\":\"{quoted}\"}},\"done\":true,\"done_reason\":\"stop\"}}"
        ))
    }
}

type Respond = dyn FnMut(&ReceivedRequest) -> Say + Send;

/// Runs until it is dropped.
pub struct Server {
    pub base: String,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(mut respond: Box<Respond>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let list = asked.clone();
        let thread = std::thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                let Some(asked) = read_request(&stream) else { return };
                list.lock().unwrap().push(asked.clone());
                match respond(&asked) {
                    Say::Nothing => silent.push(stream),
                    say => send(stream, say),
                }
            }
        });
        Self { base, asked, thread: Some(thread) }
    }

    /// Requests since the last call.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A connection without a request stops it.
        drop(TcpStream::connect(self.base.trim_start_matches("http://")));
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking());
    }
}

fn read_request(stream: &TcpStream) -> Option<ReceivedRequest> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        Some(line.trim_end().to_owned())
    };
    let path = line()?.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let header = line()?;
        let Some((name, value)) = header.split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let mut asked = ReceivedRequest { path, headers, body: String::new() };
    let length = asked.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    asked.body = String::from_utf8(body).ok()?;
    Some(asked)
}

fn send(mut stream: TcpStream, say: Say) {
    let Say::Answer { status, headers, body, length } = say else { return };
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: application/json\r\n");
    headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
    if let Some(length) = length {
        head += &format!("Content-Length: {length}\r\n");
    }
    // The other side may have closed the connection.
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(b"\r\n");
    let _ = stream.write_all(&body);
}
