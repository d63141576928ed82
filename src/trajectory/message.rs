//! Reading messages and tool calls out of the text in which they come from JavaScript.
//!
//! Only what is compared crosses, one item a line, so that arguments, which mostly are JSON text already, need not be
//! escaped on one side and unescaped on the other. The first character of a line says what it is:
//!
//! ```text
//! m"assistant"           a message, with its role as JSON (nothing when it has none)
//! c"get_weather"         one of its tool calls, with the name as JSON (nothing when it has none)
//! v{"city":"SF"}         the arguments of that call, as JSON made from a value
//! t{ "city": "SF" }      the same, as the text that the message holds, which may turn out not to be JSON
//! ```

use crate::error::{Error, Result};
use crate::json::{self, Json, Object};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

/// What of a message is compared.
pub(super) struct Message<'v> {
    /// Any string, as JSON, which is as good for comparing; empty when the message has none.
    pub role: &'v str,
    /// Empty for a message without `tool_calls`.
    pub tool_calls: Vec<ToolCall<'v>>,
}

/// One tool call.
pub(super) struct ToolCall<'v> {
    /// The tool; `None` when the call names none.
    pub name: Option<Cow<'v, str>>,
    /// The arguments as text. Equal texts are equal arguments, so most are never read.
    pub text: &'v str,
    arguments: OnceCell<Result<Json<'v>>>,
    /// Where the call stands among all calls of its trajectory.
    pub index: usize,
    /// Where the call stands in the data, for messages: `outputs[1].tool_calls[0]`.
    place: (&'static str, usize, usize),
}

impl<'v> ToolCall<'v> {
    /// The arguments; an error if they are not JSON. Missing ones, `null` and an empty text, as some models send them
    /// for a tool without parameters, are `{}`.
    pub fn arguments(&self) -> Result<&Json<'v>, &Error> {
        let read = || match self.text.trim() {
            "" | "null" => Ok(Json::Object(Object::default())),
            text => json::parse(text),
        };
        self.arguments.get_or_init(read).as_ref()
    }

    /// Where the call stands in the data: `outputs[1].tool_calls[0]`.
    pub fn place(&self) -> String {
        let (side, message, call) = self.place;
        format!("{side}[{message}].tool_calls[{call}]")
    }

    /// Whether the call stands in the outputs, and not in the reference.
    pub fn is_output(&self) -> bool {
        self.place.0 == OUTPUTS
    }

    /// The tool, for messages.
    pub fn tool(&self) -> &str {
        self.name.as_deref().unwrap_or("a tool without a name")
    }
}

impl fmt::Display for ToolCall<'_> {
    /// The call as one would write it in code: `get_weather({"city":"SF"})`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.arguments() {
            Ok(arguments) => write!(formatter, "{}({arguments})", self.tool()),
            Err(_) => write!(formatter, "{}(…)", self.tool()),
        }
    }
}

/// What messages call the trajectory of the agent.
pub(super) const OUTPUTS: &str = "outputs";

/// Reads a trajectory; `side` is what messages call it.
pub(super) fn read<'v>(side: &'static str, trajectory: &'v str) -> Result<Vec<Message<'v>>> {
    let mut messages: Vec<Message<'v>> = Vec::new();
    let mut index = 0;
    for line in trajectory.split_terminator('\n') {
        let Some((kind, text)) = line.split_at_checked(1) else { continue };
        if kind == "m" {
            messages.push(Message { role: text, tool_calls: Vec::new() });
            continue;
        }
        let position = messages.len().saturating_sub(1);
        let Some(message) = messages.last_mut() else { continue };
        if kind == "c" {
            message.tool_calls.push(ToolCall {
                name: string(text)?,
                text: "",
                arguments: OnceCell::new(),
                index,
                place: (side, position, message.tool_calls.len()),
            });
            index += 1;
        } else if let Some(call) = message.tool_calls.last_mut() {
            call.text = text;
        }
    }
    Ok(messages)
}

fn string(json: &str) -> Result<Option<Cow<'_, str>>> {
    match json {
        "" => Ok(None),
        json => Ok(match json::parse(json)? {
            Json::String(text) => Some(text),
            _ => None,
        }),
    }
}
