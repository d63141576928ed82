//! Reading messages and tool calls out of the text in which they come from JavaScript.
//!
//! Only what is compared crosses, one item a line, so that arguments, which mostly are JSON text already, need not be
//! escaped on one side and unescaped on the other. The first character of a line says what it is:
//!
//! ```text
//! m"assistant"           a message, with its role as JSON (nothing when it has none)
//! c"get_weather"         one of its tool calls, with the name as JSON (nothing when it has none)
//! a{"city":"SF"}         the arguments of that call, which may turn out not to be JSON (nothing when it has none)
//! ```
//!
//! `tests/api/trajectory-lines.json` has a trajectory and its lines, which the tests of both sides read.

use super::arguments::Arguments;
use crate::error::Result;
use crate::json::{self, Json};
use std::borrow::Cow;
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
    /// What it is called with.
    pub arguments: Arguments<'v>,
    /// Where the call stands among all calls of its trajectory.
    pub index: usize,
    /// Where the call stands in the data, for messages: `outputs[1].tool_calls[0]`.
    place: (&'static str, usize, usize),
}

impl<'v> ToolCall<'v> {
    /// Where the call stands in the data: `outputs[1].tool_calls[0]`.
    pub fn place(&self) -> String {
        let (side, message, call) = self.place;
        format!("{side}[{message}].tool_calls[{call}]")
    }

    /// Which message the call stands in.
    pub fn message(&self) -> usize {
        self.place.1
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
        match self.arguments.read() {
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
                arguments: Arguments::new(""),
                index,
                place: (side, position, message.tool_calls.len()),
            });
            index += 1;
        } else if let Some(call) = message.tool_calls.last_mut() {
            call.arguments = Arguments::new(text);
        }
    }
    Ok(messages)
}

fn string(json: &str) -> Result<Option<Cow<'_, str>>> {
    if json.is_empty() {
        return Ok(None);
    }
    let plain = json.strip_prefix('"').and_then(|json| json.strip_suffix('"'));
    if let Some(plain) = plain.filter(|plain| !plain.contains('\\')) {
        return Ok(Some(Cow::Borrowed(plain)));
    }
    Ok(match json::parse(json)? {
        Json::String(text) => Some(text),
        _ => None,
    })
}
