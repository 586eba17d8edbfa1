//! rmcp's client over the real binary, without async code in the tests.

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::{
    ClientHandler, RoleClient, ServiceExt,
    model::{
        CallToolRequestParams, GetPromptRequestParams, ReadResourceRequestParams, Resource, ResourceContents,
        ResourceTemplate, ResourceUpdatedNotificationParam, SubscribeRequestParams, Tool,
    },
    service::{NotificationContext, RunningService},
};
use serde_json::Value;
use tokio::{
    process::{Child, Command},
    runtime::Runtime,
    sync::Notify,
};

use crate::cli::Kioku;

/// A timeout for slow build machines; a passing test never waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Notifications in the order of their arrival: `list`, or the address of a resource.
#[derive(Clone, Default)]
struct Notified(Arc<(Mutex<Vec<String>>, Notify)>);

impl Notified {
    fn push(&self, what: String) {
        self.0.0.lock().unwrap().push(what);
        self.0.1.notify_one();
    }
}

impl ClientHandler for Notified {
    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.push(params.uri);
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.push("list".to_owned());
    }
}

pub struct Client {
    runtime: Runtime,
    service: RunningService<RoleClient, Notified>,
    notified: Notified,
    server: Child,
}

impl Client {
    /// Starts `kioku mcp` with these arguments, and connects.
    pub fn of(kioku: &Kioku, arguments: &[&str]) -> Self {
        let mut all = vec!["mcp"];
        all.extend(arguments);
        Self::started(kioku.command(&all))
    }

    pub fn started(command: std::process::Command) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let notified = Notified::default();
        let (service, server) = runtime.block_on(async {
            let mut command = Command::from(command);
            let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
            let mut server = command.spawn().unwrap();
            let transport = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
            (notified.clone().serve(transport).await.unwrap(), server)
        });
        Self { runtime, service, notified, server }
    }

    fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.block_on(async { tokio::time::timeout(PATIENCE, answer).await.expect("an answer in time") })
    }

    pub fn tools(&self) -> Vec<Tool> {
        self.wait(self.service.list_all_tools()).unwrap()
    }

    /// The structured answer of a tool, or its error as text.
    pub fn tool(&self, name: &'static str, arguments: Value) -> Result<Value, String> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(name).with_arguments(arguments);
        let result = self.wait(self.service.call_tool(request)).map_err(|error| error.to_string())?;
        let text = result.content.first().and_then(|block| block.as_text()).map(|text| text.text.clone());
        if result.is_error == Some(true) {
            return Err(text.unwrap());
        }
        let answer = result.structured_content.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text.unwrap()).unwrap(), answer, "the text is the same answer");
        assert_eq!(answer["v"], 1);
        Ok(answer)
    }

    #[track_caller]
    pub fn ok(&self, name: &'static str, arguments: Value) -> Value {
        self.tool(name, arguments).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn resources(&self) -> Vec<Resource> {
        self.wait(self.service.list_all_resources()).unwrap()
    }

    pub fn templates(&self) -> Vec<ResourceTemplate> {
        self.wait(self.service.list_all_resource_templates()).unwrap()
    }

    pub fn read(&self, uri: &str) -> Result<String, String> {
        let read = self.wait(self.service.read_resource(ReadResourceRequestParams::new(uri)));
        match read.map_err(|error| error.to_string())?.contents.into_iter().next() {
            Some(ResourceContents::TextResourceContents { text, .. }) => Ok(text),
            other => panic!("{uri}: {other:?}"),
        }
    }

    pub fn prompt(&self, name: &str, arguments: Value) -> Result<String, String> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = GetPromptRequestParams::new(name).with_arguments(arguments);
        let prompt = self.wait(self.service.get_prompt(request)).map_err(|error| error.to_string())?;
        Ok(prompt.messages[0].content.as_text().unwrap().text.clone())
    }

    pub fn complete_resource(&self, uri: &str, argument: &str, typed: &str) -> Vec<String> {
        self.wait(self.service.complete_resource_simple(uri, argument, typed)).unwrap()
    }

    pub fn complete_prompt(&self, name: &str, argument: &str, typed: &str) -> Vec<String> {
        self.wait(self.service.complete_prompt_simple(name, argument, typed)).unwrap()
    }

    #[allow(deprecated)]
    pub fn subscribe(&self, uri: &str) -> Result<(), String> {
        self.wait(self.service.subscribe(SubscribeRequestParams::new(uri))).map_err(|error| error.to_string())
    }

    /// The resident memory of the server.
    pub fn resident_kib(&self) -> u64 {
        let status = format!("/proc/{}/status", self.server.id().unwrap());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// The first notifications, as soon as there are `count`.
    pub fn notifications(&self, count: usize) -> Vec<String> {
        self.wait(async {
            loop {
                let told = self.notified.0.0.lock().unwrap().clone();
                if told.len() >= count {
                    return told;
                }
                self.notified.0.1.notified().await;
            }
        })
    }
}
