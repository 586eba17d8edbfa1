//! Model Context Protocol server over stdin and stdout.
//!
//! [`serve`] runs one server on one journal until stdin ends. The protocol runs on a current-thread runtime; everything
//! that touches the journal runs on two threads of `worker`: one writes new entries to the vault, so that a save waits
//! for no index, the other owns the [`crate::session::Session`]. Both take requests in their order.
//!
//! A tool is one type that implements `tool::Tool`, in a file of `tools`, and its row in `TOOLS`.

mod changes;
mod completion;
mod journal;
mod limits;
mod prompts;
mod resources;
mod server;
mod tool;
mod tools;
mod transport;
mod worker;

use std::{io, path::PathBuf};

use rmcp::{ServiceExt as _, service::QuitReason, service::ServerInitializeError};

use crate::session::SessionOptions;
use server::Server;
use transport::Stdio;

/// Options of a server.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    pub session: SessionOptions,
    /// The folder of everything that kioku keeps, searched for traces of forgotten texts.
    pub home: PathBuf,
    /// The folder of query history and undo logs.
    pub state: PathBuf,
    /// Offer only the tools that change nothing.
    pub read_only: bool,
}

/// Serves a journal over stdin and stdout until stdin ends.
pub fn serve(options: ServeOptions) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let served = runtime.block_on(async {
        let server = Server::start(options)?;
        match server.clone().serve(Stdio::start()?).await {
            Ok(running) => match running.waiting().await {
                Ok(QuitReason::JoinError(error)) | Err(error) => Err(io::Error::other(error)),
                Ok(_) => Ok(()),
            },
            // The client left before it said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
        .inspect(|()| drop(server))
    });
    // A read of stdin cannot be cancelled.
    runtime.shutdown_background();
    served
}
