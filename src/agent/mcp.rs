//! The Model Context Protocol on standard input and output: which requests there are, their limits
//! and their order. The answers come from elsewhere.
//!
//! ```text
//! stdin ─> rmcp, one thread ─> request ─> a blocking thread: Answers ─> rmcp ─> stdout
//! ```
//!
//! Nothing outside this file is asynchronous.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use itertools::Itertools as _;
use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::transport::stdio_pipes;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::runtime::{Builder, Handle};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Arguments of a tool or a prompt, checked by its schema.
#[derive(Clone)]
pub struct Arguments(pub Map<String, Value>);

impl Arguments {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        usize::try_from(self.0.get(name)?.as_u64()?).ok()
    }

    /// The texts of a list; none without it.
    pub fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let all = self.0.get(name).and_then(Value::as_array);
        all.into_iter().flatten().filter_map(Value::as_str)
    }
}

/// Largest size of the arguments of a call, in bytes.
const LARGEST: usize = 1 << 20;

/// Room for the arguments of all calls that wait, in KB. Each takes at least [`LEAST`].
const ROOM: usize = 64 << 10;

/// Least room that a request takes, in KB.
const LEAST: usize = 64;

/// Threads that answer requests; more would only wait for the same disk.
const THREADS: usize = 4;

/// Longest time that a client is given to take in a progress note.
const PATIENCE: Duration = Duration::from_millis(500);

/// Offer of the protocol, as it is sent: `assets/mcp/tools.json`.
#[derive(Default, Deserialize)]
struct Offer {
    instructions: String,
    prompts: Vec<Prompt>,
    /// The tools of memkeep, then those of other systems by the format of their stores.
    tools: BTreeMap<String, Vec<Tool>>,
}

static OFFER: LazyLock<Offer> = LazyLock::new(|| {
    let text = include_str!("../../assets/mcp/tools.json");
    serde_json::from_str(text).unwrap_or_default()
});

/// Answers requests, several at a time.
pub trait Answers: Send + Sync + 'static {
    /// Formats of the stores, which bring the tools of their systems along.
    fn formats(&self) -> Vec<String>;
    /// Answers a call of a tool (true if it may write) with an object, or a sentence why not.
    fn call(&self, tool: (&str, bool), arguments: Arguments, call: &Call) -> Result<Value, String>;
    /// Memories as resources: address and title.
    fn resources(&self, call: &Call) -> Result<Vec<(String, String)>, String>;
    fn read(&self, address: &str, call: &Call) -> Result<String, String>;
    fn prompt(&self, arguments: Arguments, call: &Call) -> Result<String, String>;
}

pub struct Call {
    pub client: Option<String>,
    context: RequestContext<RoleServer>,
    runtime: Handle,
}

impl Call {
    pub fn is_cancelled(&self) -> bool {
        self.context.ct.is_cancelled()
    }

    pub fn progress(&self, done: u32, of: u32, what: &str) {
        let Some(token) = self.context.meta.get_progress_token() else {
            return;
        };
        let note = ProgressNotificationParam::new(token, f64::from(done));
        let note = note.with_total(f64::from(of)).with_message(what);
        let told = async { timeout(PATIENCE, self.context.peer.notify_progress(note)).await };
        // A client that hung up is noticed elsewhere.
        let _ = self.runtime.block_on(told);
    }
}

/// Serves a client until it hangs up. One that never begins, or begins wrong, is no failure.
pub fn serve(answers: impl Answers) -> io::Result<()> {
    let mut runtime = Builder::new_current_thread();
    // Standard input and output may need a thread each.
    let runtime = runtime.enable_all().max_blocking_threads(THREADS + 2);
    let runtime = runtime.build()?;
    let server = Server {
        answers: Arc::new(answers),
        room: Arc::new(Semaphore::new(ROOM)),
        turns: Arc::new(Semaphore::new(THREADS)),
    };
    runtime.block_on(async {
        if let Ok(running) = server.serve(stdio_pipes()).await {
            let _ = running.waiting().await;
        }
    });
    // A read of standard input that waits cannot be ended.
    runtime.shutdown_background();
    Ok(())
}

struct Server<A> {
    answers: Arc<A>,
    room: Arc<Semaphore>,
    turns: Arc<Semaphore>,
}

impl<A: Answers> Server<A> {
    /// Has a thread answer a request whose arguments have so many bytes.
    async fn answer<T: Send + 'static>(
        &self,
        context: RequestContext<RoleServer>,
        bytes: usize,
        answer: impl FnOnce(&A, &Call) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let room = u32::try_from(LEAST + bytes / 1024).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).try_acquire_many_owned(room);
        let room = room.map_err(|_| failed("too many requests wait: send fewer at a time"))?;
        let client = context.client_info();
        let call = Call {
            client: client.map(|client| client.name),
            context,
            runtime: Handle::current(),
        };
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(failed)?;
        let answers = Arc::clone(&self.answers);
        let thread = tokio::task::spawn_blocking(move || {
            let _held = (room, turn);
            answer(&answers, &call)
        });
        thread.await.map_err(failed)
    }
}

fn failed(why: impl ToString) -> ErrorData {
    ErrorData::internal_error(why.to_string(), None)
}

fn refused(why: impl ToString) -> ErrorData {
    ErrorData::invalid_params(why.to_string(), None)
}

/// Checks arguments by the schema of their tool: their names and types, and that none is missing.
fn check(tool: &Tool, arguments: &Map<String, Value>) -> Result<(), String> {
    let schema = |key: &str| tool.input_schema.get(key);
    let known = schema("properties").and_then(Value::as_object);
    let is_list = |all: &Vec<Value>| all.iter().all(Value::is_string);
    let is_type = |value: &Value, name: &str| match name {
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.as_array().is_some_and(is_list),
        _ => value.is_object(),
    };
    for (name, value) in arguments {
        let spec = known.and_then(|known| known.get(name));
        let Some(spec) = spec else {
            let names = known.into_iter().flat_map(Map::keys).join(", ");
            let name = format!("{} has no argument `{name}`", tool.name);
            return Err(format!("{name}: it has {names}"));
        };
        let wanted = spec.get("type").and_then(Value::as_str);
        if let Some(wanted) = wanted.filter(|wanted| !is_type(value, wanted)) {
            return Err(format!("`{name}` is no {wanted}"));
        }
    }
    let needed = schema("required").and_then(Value::as_array);
    let mut needed = needed.into_iter().flatten().filter_map(Value::as_str);
    match needed.find(|name| !arguments.contains_key(*name)) {
        Some(name) => Err(format!("{} needs `{name}`", tool.name)),
        None => Ok(()),
    }
}

impl<A: Answers> ServerHandler for Server<A> {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder();
        let can = can.enable_tools().enable_resources().enable_prompts();
        let own = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let info = ServerConfig::new(can.build()).with_server_info(own);
        info.with_instructions(&*OFFER.instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let formats = self.answer(context, 0, |answers, _| answers.formats());
        let formats = formats.await?;
        let is_open = |name: &String| name == "memkeep" || formats.contains(name);
        let open = OFFER.tools.iter().filter(|(name, _)| is_open(name));
        let tools = open.flat_map(|(_, tools)| tools.clone()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut tools = OFFER.tools.values().flatten();
        let Some(tool) = tools.find(|tool| tool.name == request.name) else {
            return Err(refused(format!("no tool is `{}`", request.name)));
        };
        let arguments = request.arguments.unwrap_or_default();
        let bytes = Value::Object(arguments.clone()).to_string().len();
        let checked = match bytes > LARGEST {
            true => Err("the arguments are larger than 1 MB".to_owned()),
            false => check(tool, &arguments),
        };
        let answer = match checked {
            Ok(()) => {
                let hints = tool.annotations.as_ref();
                let writes = hints.and_then(|hints| hints.read_only_hint) != Some(true);
                let answer = self.answer(context, bytes, move |answers, call| {
                    answers.call((&tool.name, writes), Arguments(arguments), call)
                });
                answer.await?
            }
            Err(why) => Err(why),
        };
        Ok(match answer {
            Ok(object) => CallToolResult::structured(object).into(),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]).into(),
        })
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let all = self.answer(context, 0, |answers, call| answers.resources(call));
        let all = all.await?.map_err(failed)?.into_iter();
        let all = all
            .map(|(address, title)| Resource::new(address, title).with_mime_type("text/markdown"));
        Ok(ListResourcesResult::with_all_items(all.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let address = request.uri.clone();
        let text = self.answer(context, 0, move |answers, call| {
            answers.read(&address, call)
        });
        let text = text.await?;
        let text = text.map_err(|why| ErrorData::resource_not_found(why, None))?;
        let text = ResourceContents::text(text, request.uri).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![text]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(OFFER.prompts.clone()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let is_it = |prompt: &Prompt| prompt.name == request.name;
        if !OFFER.prompts.iter().any(is_it) {
            return Err(refused(format!("no prompt is `{}`", request.name)));
        }
        let arguments = request.arguments.unwrap_or_default();
        let text = self.answer(context, 0, |answers, call| {
            answers.prompt(Arguments(arguments), call)
        });
        let text = PromptMessage::new_text(Role::User, text.await?.map_err(refused)?);
        Ok(GetPromptResult::new(vec![text]).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_schemas_of_objects_and_hints() {
        let names: Vec<&str> = OFFER.tools.keys().map(String::as_str).collect();
        assert_eq!(names, ["golemcore", "memkeep", "rum"]);
        for tool in OFFER.tools.values().flatten() {
            let is_object = |schema: &Arc<Map<String, Value>>| schema["type"] == "object";
            assert!(is_object(&tool.input_schema), "{}", tool.name);
            assert!(
                tool.output_schema.as_ref().is_some_and(is_object),
                "{}",
                tool.name
            );
            let hints = tool.annotations.as_ref().unwrap();
            assert!(hints.title.is_some() && hints.read_only_hint.is_some());
            assert_eq!(hints.open_world_hint, Some(false), "{}", tool.name);
        }
    }
}
