//! The tool calls of a trajectory, by step.

use super::pattern::fits_any;
use crate::error::Result;
use crate::interner::Interner;
use crate::json::Json;
use crate::trajectory::message::{self, Message, ToolCall, Trajectory};

/// The key by which calls are numbered. A single type, because each further one adds a copy of the hash map to the
/// binary.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Key<'k> {
    Numbers(usize, usize),
    Text(usize, &'k str),
    Value(usize, &'k Json<'k>),
}

/// A trajectory with its calls numbered by tool and by step.
pub(super) struct Steps<'v> {
    trajectory: Trajectory<'v>,
    /// The index of each call's name. Patterns are matched once for each name.
    names: Vec<usize>,
    /// The index of the first call of each name.
    firsts: Vec<usize>,
    /// The step of each call, from 1.
    steps: Vec<usize>,
}

impl<'v> Steps<'v> {
    /// Reads the lines of a trajectory.
    pub fn read(lines: &'v str) -> Result<Self> {
        let trajectory = message::read(message::OUTPUTS, lines)?;
        let (mut names, mut firsts) = (Vec::new(), Vec::new());
        let mut interner = Interner::new();
        for call in &trajectory.calls {
            let name = call.name.as_deref().map_or(Key::Numbers(0, 0), |name| Key::Text(0, name));
            let name = interner.intern(name);
            if name == firsts.len() {
                firsts.push(call.index);
            }
            names.push(name);
        }
        let steps = steps_of(&trajectory.messages());
        Ok(Self { trajectory, names, firsts, steps })
    }

    pub fn calls(&self) -> &[ToolCall<'v>] {
        &self.trajectory.calls
    }

    /// The call at an index.
    pub fn call(&self, index: usize) -> Option<&ToolCall<'v>> {
        self.trajectory.calls.get(index)
    }

    pub fn messages(&self) -> Vec<Message<'_, 'v>> {
        self.trajectory.messages()
    }

    /// The step of a call. The calls of one step are made at once, before any of their results are known.
    pub fn step(&self, call: usize) -> usize {
        self.steps.get(call).copied().unwrap_or_default()
    }

    /// The index of a call's name among all names. Calls of the same tool have the same index.
    pub fn name_index(&self, call: usize) -> usize {
        self.names.get(call).copied().unwrap_or_default()
    }

    /// The number of distinct names.
    pub fn name_count(&self) -> usize {
        self.firsts.len()
    }

    /// For each call, whether its name fits one of the patterns.
    pub fn fitting(&self, patterns: &[String]) -> Vec<bool> {
        let name_of = |first: &usize| self.call(*first).and_then(|call| call.name.as_deref());
        let fits: Vec<bool> = self.firsts.iter().map(|first| fits_any(patterns, name_of(first))).collect();
        self.names.iter().map(|name| fits.get(*name).copied().unwrap_or_default()).collect()
    }

    /// Numbers the calls so that those of the same tool with equal arguments have the same number.
    pub fn numbered(&self) -> Vec<usize> {
        let mut interner = Interner::new();
        let calls = self.names.iter().zip(self.calls());
        let keys = calls.map(|(name, call)| match call.arguments.read() {
            Ok(value) => Key::Value(*name, value),
            // A text that is not valid JSON equals only the same text.
            Err(_) => Key::Text(*name, call.arguments.text()),
        });
        keys.map(|key| interner.intern(key)).collect()
    }
}

/// The step of each call, from 1. A step is a message with calls, or consecutive items that are calls.
fn steps_of(messages: &[Message<'_, '_>]) -> Vec<usize> {
    let (mut steps, mut step, mut was_item) = (Vec::new(), 0, false);
    for message in messages {
        let is_item = message.role.ends_with("_call\"");
        if !message.tool_calls.is_empty() && (!is_item || !was_item) {
            step += 1;
        }
        // A model may think or speak between calls that it makes at once.
        let is_between =
            message.tool_calls.is_empty() && matches!(message.role, "\"assistant\"" | "\"reasoning\"");
        was_item = is_item || (was_item && is_between);
        steps.extend(message.tool_calls.iter().map(|_| step));
    }
    steps
}
