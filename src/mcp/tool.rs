//! Tools: their definition for clients, and their calls.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Definition, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{journal::Journal, limits};
use crate::{journal::Vault, report::Report, search::json::Versioned};

/// The effect of a tool on the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Changes nothing.
    Reads,
    /// Only adds.
    Adds,
    /// Changes what is there; it can be undone.
    Changes,
    /// Deletes permanently.
    Erases,
}

/// A tool; its fields are the arguments of one call.
pub trait Tool: Send + DeserializeOwned + JsonSchema + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    const ABOUT: &'static str;
    const ACCESS: Access;
    /// The arguments that may be as long as an entry.
    const TEXTS: &'static [&'static str] = &[];
    /// Whether long texts of the answer are not shortened.
    const WHOLE: bool = false;
    /// What [`Tool::answer`] returns.
    type Answer: JsonSchema + 'static;

    /// The part that needs no index, such as a save. It does not wait for requests to the index. Returns the answer for
    /// the case that the index takes too long to open; `None` if the call needs it.
    fn write(&mut self, _vault: &Vault) -> Result<Option<Value>, Report> {
        Ok(None)
    }

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report>;
}

/// One call of any tool.
pub trait Call: Send {
    fn write(&mut self, vault: &Vault) -> Result<Option<Value>, Report>;
    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report>;
}

impl<T: Tool> Call for T {
    fn write(&mut self, vault: &Vault) -> Result<Option<Value>, Report> {
        Tool::write(self, vault)
    }

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        Tool::answer(self, journal)
    }
}

/// A tool in the list of all.
pub struct Row {
    pub name: &'static str,
    pub access: Access,
    /// See [`Tool::WHOLE`].
    pub is_whole: bool,
    texts: &'static [&'static str],
    /// Its definition for clients.
    pub define: fn() -> Definition,
    parse: fn(Value) -> Result<Box<dyn Call>, serde_json::Error>,
}

impl Row {
    pub const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            access: T::ACCESS,
            is_whole: T::WHOLE,
            texts: T::TEXTS,
            define: define::<T>,
            parse: |value| Ok(Box::new(serde_json::from_value::<T>(value)?)),
        }
    }

    pub fn call(&self, arguments: Option<JsonObject>) -> Result<Box<dyn Call>, Report> {
        let arguments = arguments.unwrap_or_default();
        limits::check(&arguments, self.texts)?;
        (self.parse)(Value::Object(arguments))
            .map_err(|error| Report::usage(format!("the arguments of {}: {error}", self.name)))
    }
}

/// The answer of a tool that writes.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Written<T> {
    #[serde(flatten)]
    answer: Versioned<T>,
    /// It is written, but this went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

fn define<T: Tool>() -> Definition {
    let annotations = ToolAnnotations::with_title(T::TITLE)
        .read_only(T::ACCESS == Access::Reads)
        .destructive(matches!(T::ACCESS, Access::Changes | Access::Erases))
        .idempotent(T::ACCESS == Access::Reads)
        .open_world(false);
    let definition = Definition::new(T::NAME, T::ABOUT, JsonObject::new())
        .with_title(T::TITLE)
        .with_input_schema::<T>()
        .with_annotations(annotations);
    let mut definition = match T::ACCESS {
        Access::Reads => definition.with_output_schema::<Versioned<T::Answer>>(),
        _ => definition.with_output_schema::<Written<T::Answer>>(),
    };
    definition.input_schema = standard(&definition.input_schema);
    definition.output_schema = definition.output_schema.map(|schema| standard(&schema));
    definition
}

/// A schema that more clients understand: without formats that only schemars knows, such as `uint32`, and with one type in
/// each place.
fn standard(schema: &JsonObject) -> Arc<JsonObject> {
    fn clean(value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(clean),
            Value::Object(fields) => {
                fields.retain(|key, value| key != "format" || !value.is_string() || *value == "date");
                if let Some(any) = fields.get_mut("items").filter(|items| **items == true) {
                    *any = JsonObject::new().into();
                }
                fields.values_mut().for_each(clean);
                split_types(fields);
            }
            _ => {}
        }
    }
    let mut schema = schema.clone();
    schema.values_mut().for_each(clean);
    Arc::new(schema)
}

/// Turns `"type": ["integer", "null"]` into `anyOf` of two schemas: some clients reject a list.
fn split_types(schema: &mut JsonObject) {
    let Some(Value::Array(types)) = schema.get("type").cloned() else { return };
    let (outer, mut inner): (JsonObject, JsonObject) = std::mem::take(schema)
        .into_iter()
        .partition(|(key, _)| ["description", "title", "default"].contains(&key.as_str()));
    let alternatives = types.into_iter().map(|one| {
        let mut fields = if one == "null" { JsonObject::new() } else { std::mem::take(&mut inner) };
        fields.insert("type".to_owned(), one);
        Value::Object(fields)
    });
    *schema = outer;
    schema.insert("anyOf".to_owned(), alternatives.collect());
}

/// The JSON of an answer, as `--json` prints it.
pub fn json(answer: &impl Serialize) -> Result<Value, Report> {
    // Through text: a 32-bit float has more digits as a 64-bit one.
    let text = serde_json::to_string(&Versioned::new(answer));
    text.and_then(|text| serde_json::from_str(&text))
        .map_err(|error| Report::data(format!("writing the answer: {error}")))
}
