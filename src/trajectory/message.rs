//! Reads messages and tool calls from the line format of the package.
//!
//! Only compared items are passed, one per line, so that arguments, which are usually JSON text already, need
//! no escaping. The first character of a line is its type:
//!
//! ```text
//! m"assistant"           a message, with its role as JSON (empty if it has none)
//! c"get_weather"         one of its tool calls, with the name as JSON (empty if it has none)
//! a{"city":"SF"}         the arguments of that call, which may be invalid JSON (empty if it has none)
//! ```
//!
//! `tests/engine/trajectory-lines.json` has a trajectory and its lines; tests of both sides read it.

use super::arguments::Arguments;
use crate::error::Result;
use crate::json::{self, Json};
use std::borrow::Cow;
use std::fmt;

/// The compared parts of a message.
#[derive(Clone, Copy)]
pub(crate) struct Message<'t, 'v> {
    /// The role as JSON text, which is enough for comparing; empty if the message has none.
    pub role: &'v str,
    /// The tool calls; empty for a message without `tool_calls`.
    pub tool_calls: &'t [ToolCall<'v>],
}

/// The messages of a trajectory. All calls are in one list, since allocating a list for each message would
/// double the time.
pub(crate) struct Trajectory<'v> {
    /// The role and the number of calls of each message.
    messages: Vec<(&'v str, usize)>,
    /// The calls of all messages.
    pub calls: Vec<ToolCall<'v>>,
}

impl<'v> Trajectory<'v> {
    /// The messages with their calls.
    pub fn messages(&self) -> Vec<Message<'_, 'v>> {
        let mut calls = self.calls.as_slice();
        let message = |(role, count): &(&'v str, usize)| {
            let (tool_calls, others) = calls.split_at_checked(*count).unwrap_or_default();
            calls = others;
            Message { role, tool_calls }
        };
        self.messages.iter().map(message).collect()
    }
}

/// One tool call.
pub(crate) struct ToolCall<'v> {
    /// The tool; `None` if the call has no name.
    pub name: Option<Cow<'v, str>>,
    /// The arguments.
    pub arguments: Arguments<'v>,
    /// The index among all calls of its trajectory.
    pub index: usize,
    /// The side and the indices of message and call, for `outputs[1].tool_calls[0]` in comments.
    place: (&'static str, usize, usize),
}

impl<'v> ToolCall<'v> {
    /// The path of the call in the data: `outputs[1].tool_calls[0]`.
    pub fn place(&self) -> String {
        let (side, message, call) = self.place;
        format!("{side}[{message}].tool_calls[{call}]")
    }

    /// The index of the call's message.
    pub fn message(&self) -> usize {
        self.place.1
    }

    /// Whether the call is in the outputs rather than the reference.
    pub fn is_output(&self) -> bool {
        self.place.0 == OUTPUTS
    }

    /// The tool's name for comments.
    pub fn tool(&self) -> &str {
        self.name.as_deref().unwrap_or("a tool without a name")
    }
}

impl fmt::Display for ToolCall<'_> {
    /// The call in the syntax of code: `get_weather({"city":"SF"})`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.arguments.read() {
            Ok(arguments) => write!(formatter, "{}({arguments})", self.tool()),
            Err(_) => write!(formatter, "{}(…)", self.tool()),
        }
    }
}

/// The name of the agent's trajectory in comments.
pub(crate) const OUTPUTS: &str = "outputs";

/// Reads a trajectory. `side` is its name in comments.
pub(crate) fn read<'v>(side: &'static str, trajectory: &'v str) -> Result<Trajectory<'v>> {
    let mut messages: Vec<(&'v str, usize)> = Vec::new();
    let mut calls: Vec<ToolCall<'v>> = Vec::new();
    let mut rest = trajectory;
    while let Some((line, after)) = first_line(rest) {
        rest = after;
        let Some((kind, text)) = line.split_at_checked(1) else { continue };
        if kind == "m" {
            messages.push((text, 0));
            continue;
        }
        let position = messages.len().saturating_sub(1);
        let Some((_, count)) = messages.last_mut() else { continue };
        if kind == "c" {
            calls.push(ToolCall {
                name: string(text)?,
                arguments: Arguments::new(""),
                index: calls.len(),
                place: (side, position, *count),
            });
            *count += 1;
        } else if let Some(call) = calls.last_mut().filter(|_| *count > 0) {
            call.arguments = Arguments::new(text);
        }
    }
    Ok(Trajectory { messages, calls })
}

/// Splits at the first line feed, eight bytes at a time: WebAssembly's `memchr` takes four.
fn first_line(text: &str) -> Option<(&str, &str)> {
    const ONES: u64 = u64::MAX / 0xFF;
    let (chunks, last) = text.as_bytes().as_chunks::<8>();
    let mut end = 0;
    for chunk in chunks {
        let bytes = u64::from_le_bytes(*chunk) ^ (ONES * b'\n' as u64);
        // Only the lowest set bit is exact: borrows of the subtraction can set bits above it.
        let found = bytes.wrapping_sub(ONES) & !bytes & ONES << 7;
        if found != 0 {
            end += (found.trailing_zeros() / 8) as usize;
            return Some((text.get(..end)?, text.get(end + 1..)?));
        }
        end += 8;
    }
    end += last.iter().position(|byte| *byte == b'\n')?;
    Some((text.get(..end)?, text.get(end + 1..)?))
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

#[cfg(test)]
mod tests {
    use super::first_line;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_those_of_the_standard_library(text in "[a\u{b}\n\t\u{8a}é]{0,40}") {
            let lines: Vec<&str> = std::iter::successors(first_line(&text), |(_, rest)| first_line(rest))
                .map(|(line, _)| line)
                .collect();
            let ended = text.rsplit_once('\n').map(|(ended, _)| ended.split('\n').collect::<Vec<_>>());
            prop_assert_eq!(lines, ended.unwrap_or_default());
        }
    }
}
