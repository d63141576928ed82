//! Reading messages and tool calls out of JSON.

use crate::error::{Error, Result};
use crate::json::{self, Json, Object};
use std::fmt;

/// What of a message is compared.
pub(super) struct Message<'v> {
    /// Any string; `None` when the message has none.
    pub role: Option<&'v str>,
    /// Empty for a message without `tool_calls`.
    pub tool_calls: Vec<ToolCall<'v>>,
}

/// One call, from either form: `{ function: { name, arguments: "<JSON>" } }` or `{ name, args: {…} }`.
pub(super) struct ToolCall<'v> {
    /// The tool; `None` when the call names none.
    pub name: Option<&'v str>,
    arguments: Arguments<'v>,
    /// Where the call stands among all calls of its trajectory.
    pub index: usize,
    /// Where the call stands in the data, for messages: `outputs[1].tool_calls[0]`.
    place: (&'static str, usize, usize),
}

/// The arguments of a call.
enum Arguments<'v> {
    Given(&'v Json<'v>),
    Parsed(Json<'v>),
    /// A text that should have been JSON: what is wrong with it.
    Malformed(Error),
}

impl<'v> ToolCall<'v> {
    /// The arguments; an error if they are not JSON.
    pub fn arguments(&self) -> Result<&Json<'v>, &Error> {
        match &self.arguments {
            Arguments::Given(arguments) => Ok(arguments),
            Arguments::Parsed(arguments) => Ok(arguments),
            Arguments::Malformed(error) => Err(error),
        }
    }

    /// Where the call stands in the data: `outputs[1].tool_calls[0]`.
    pub fn place(&self) -> String {
        let (side, message, call) = self.place;
        format!("{side}[{message}].tool_calls[{call}]")
    }

    /// The tool, for messages.
    pub fn tool(&self) -> &str {
        self.name.unwrap_or("a tool without a name")
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

/// Reads a list of messages; `side` is what messages call it.
pub(super) fn read<'v>(side: &'static str, messages: &'v Json<'v>) -> Result<Vec<Message<'v>>> {
    let messages = messages.as_array().ok_or_else(|| {
        let kind = messages.type_name();
        Error::invalid_input(format!(
            "{side} has to be a list of messages, or an object with one in \"messages\", but is {kind}"
        ))
    })?;
    let mut index = 0;
    messages
        .iter()
        .enumerate()
        .map(|(position, message)| {
            let object = message.as_object().ok_or_else(|| {
                let kind = message.type_name();
                Error::invalid_input(format!("{side}[{position}] has to be a message, but is {kind}"))
            })?;
            let calls = match object.get("tool_calls") {
                None | Some(Json::Null) => &[],
                Some(Json::Array(calls)) => calls.as_slice(),
                Some(other) => {
                    let kind = other.type_name();
                    return Err(Error::invalid_input(format!(
                        "{side}[{position}].tool_calls has to be a list, but is {kind}"
                    )));
                }
            };
            let tool_calls = calls.iter().enumerate().map(|(call_position, call)| {
                let place = (side, position, call_position);
                index += 1;
                read_call(place, index - 1, call)
            });
            Ok(Message {
                role: object.get("role").and_then(Json::as_str),
                tool_calls: tool_calls.collect::<Result<_>>()?,
            })
        })
        .collect()
}

fn read_call<'v>(
    place: (&'static str, usize, usize),
    index: usize,
    call: &'v Json<'v>,
) -> Result<ToolCall<'v>> {
    let (side, message, position) = place;
    let object = call.as_object().ok_or_else(|| {
        let kind = call.type_name();
        Error::invalid_input(format!(
            "{side}[{message}].tool_calls[{position}] has to be an object with \"function\" or with \"name\" and \"args\", but is {kind}"
        ))
    })?;
    let (named, arguments) = match object.get("function").and_then(Json::as_object) {
        Some(function) => (function, function.get("arguments")),
        None => (object, object.get("args")),
    };
    Ok(ToolCall {
        name: named.get("name").and_then(Json::as_str),
        arguments: read_arguments(arguments),
        index,
        place,
    })
}

/// Arguments that are missing or an empty text, as some models send them for a tool without parameters, are `{}`.
fn read_arguments<'v>(arguments: Option<&'v Json<'v>>) -> Arguments<'v> {
    match arguments {
        None | Some(Json::Null) => Arguments::Parsed(Json::Object(Object::default())),
        Some(Json::String(text)) if text.trim().is_empty() => read_arguments(None),
        Some(Json::String(text)) => json::parse(text).map_or_else(Arguments::Malformed, Arguments::Parsed),
        Some(arguments) => Arguments::Given(arguments),
    }
}
