//! Transport over stdin and stdout: one JSON-RPC message a line.
//!
//! rmcp's own transport ignores a line that is not JSON, and answers an invalid request without its id. This one
//! answers both as JSON-RPC 2.0 says, and requests before `initialize` with what is missing.

use std::{
    borrow::Cow,
    io::{self, BufRead, Read},
    pin::Pin,
    sync::Arc,
    thread,
};

use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, GetMeta, ServerJsonRpcMessage},
    transport::Transport,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncWriteExt, Stdout},
    sync::{Mutex, mpsc},
};

/// Maximum length of a line, in bytes.
const LONGEST: u64 = 16 << 20;
/// Size of the parts in which the rest of a longer line is read.
const PART: usize = 4096;
/// Number of lines that are read ahead.
const AHEAD: usize = 64;

type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

pub struct Stdio {
    lines: mpsc::Receiver<Vec<u8>>,
    out: Arc<Mutex<Stdout>>,
    /// The error that is being sent: [`Transport::receive`] may be cancelled meanwhile.
    reply: Option<Sending>,
    is_initialized: bool,
}

impl Stdio {
    /// Starts a thread that reads stdin until its end; a read cannot be cancelled.
    pub fn start() -> io::Result<Self> {
        let (sender, lines) = mpsc::channel(AHEAD);
        thread::Builder::new().name("mcp-stdin".to_owned()).spawn(move || {
            let mut input = io::stdin().lock();
            while let Ok(Some(line)) = next_line(&mut input) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        })?;
        let out = Arc::new(Mutex::new(tokio::io::stdout()));
        Ok(Self { lines, out, reply: None, is_initialized: false })
    }

    /// The message of a line, `None` if it needs no answer, or the error to answer with.
    fn message(&mut self, line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Value> {
        // A JSON parser may ignore a byte order mark (RFC 8259).
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return Ok(None);
        }
        if line.len() as u64 > LONGEST {
            let message = format!("a message is at most {} MiB", LONGEST >> 20);
            return Err(error(&id_of_cut(line), ErrorCode::INVALID_REQUEST, &message));
        }
        let Ok(message) = serde_json::from_slice::<ClientJsonRpcMessage>(line) else { return unread(line) };
        match &message {
            _ if self.is_initialized => {}
            ClientJsonRpcMessage::Request(request) => match &request.request {
                ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => {}
                ClientRequest::InitializeRequest(_) => self.is_initialized = true,
                // Newer clients do not initialize and name their version in each request.
                other if other.get_meta().protocol_version().is_some() => self.is_initialized = true,
                other => {
                    let (code, message) = match other.method() {
                        "initialize" => (ErrorCode::INVALID_PARAMS, "initialize: the params are missing or invalid"),
                        _ => (ErrorCode::INVALID_REQUEST, "not initialized: send `initialize` first"),
                    };
                    return Err(error(&json!(request.id), code, message));
                }
            },
            // rmcp would end the server.
            _ => return Ok(None),
        }
        Ok(Some(message))
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        "stdio".into()
    }

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let out = self.out.clone();
        async move { write(&out, serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(reply) = &mut self.reply {
                // The client does not read any more; the end of its input ends the server.
                let _ = reply.await;
                self.reply = None;
            }
            let line = self.lines.recv().await?;
            match self.message(&line) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(error) => {
                    let out = self.out.clone();
                    self.reply = Some(Box::pin(async move { write(&out, error.to_string().into_bytes()).await }));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out.lock().await.flush().await
    }
}

async fn write(out: &Mutex<Stdout>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut out = out.lock().await;
    out.write_all(&line).await?;
    out.flush().await
}

/// The next line; `None` at the end, where half a line is no message. Of a line that is too long, the first and the last
/// part.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST + 2).read_until(b'\n', &mut line)?;
    let first = line.len();
    while line.last() != Some(&b'\n') {
        line.drain(first..line.len().saturating_sub(PART).max(first));
        let is_cut = first as u64 > LONGEST;
        if !is_cut || input.by_ref().take(PART as u64).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(line))
}

/// The id of a request of which only the first and the last part are known: it is before `params`, or at the end.
fn id_of_cut(line: &[u8]) -> Value {
    let find = |key: &[u8]| memchr::memmem::find(line, key).map(|at| line[..at].trim_ascii_end());
    let before = find(b"\"params\"").map(|start| [start.strip_suffix(b",").unwrap_or(start), &b"}"[..]].concat());
    let behind = memchr::memmem::rfind(line, b"\"jsonrpc\"").map(|at| [&b"{"[..], &line[at..]].concat());
    let id = |part: Vec<u8>| serde_json::from_slice::<Value>(&part).ok()?.get("id").cloned();
    before.and_then(id).or_else(|| id(behind?)).unwrap_or_default()
}

/// The answer to a line that is no message: none for a notification.
fn unread(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Value> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|reason| error(&Value::Null, ErrorCode::PARSE_ERROR, &format!("not JSON: {reason}")))?;
    match value.get("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => {
            Err(error(id, ErrorCode::INVALID_REQUEST, "not a JSON-RPC request"))
        }
        None if value["method"].is_string() => Ok(None),
        _ => Err(error(&Value::Null, ErrorCode::INVALID_REQUEST, "not a JSON-RPC request")),
    }
}

/// rmcp's type leaves out an `id` of null.
fn error(id: &Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code.0, "message": message } })
}
