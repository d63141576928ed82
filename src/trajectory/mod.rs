//! Trajectory match: did an agent take the steps, and call the tools, that it should have?

mod explain;
mod message;
mod tool_args;

use crate::error::Result;
use crate::json::{self, Json};
use crate::matching::{self, Relation};
use crate::ready;
use message::{Message, ToolCall};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use tool_args::Rules;
pub use tool_args::{CustomMatcher, NoCustomMatcher, Override, ToolArgsMatchMode};

/// How two trajectories are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The same messages by role, in the same order, each with the same tool calls (in any order within a message).
    #[default]
    Strict,
    /// The same tool calls, in any order.
    Unordered,
    /// No tool call that the reference does not have.
    Subset,
    /// Every tool call that the reference has.
    Superset,
}

/// The options of the evaluator.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Config {
    /// How two trajectories are compared.
    pub trajectory_match_mode: Mode,
    /// When two calls of the same tool match.
    pub tool_args_match_mode: ToolArgsMatchMode,
    /// The same for single tools, by name.
    pub tool_args_match_overrides: FxHashMap<String, Override>,
}

impl Config {
    /// `None` if the trajectories match, else why they do not.
    ///
    /// Both are JSON texts: a list of messages, of which `role` and `tool_calls` are read.
    pub async fn mismatch<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<Option<String>> {
        let outputs = json::parse(outputs).map_err(|error| error.at("outputs"))?;
        let reference_outputs =
            json::parse(reference_outputs).map_err(|error| error.at("referenceOutputs"))?;
        self.mismatch_of_values(&outputs, &reference_outputs, custom).await
    }

    /// [`Config::mismatch`] for each row of a JSON text `[[outputs, referenceOutputs], …]`, without custom matchers.
    pub fn mismatch_batch(&self, rows: &str) -> Result<Vec<Option<String>>> {
        json::parse_pairs(rows, |outputs, reference_outputs| {
            // Without a custom matcher there is nothing to wait for.
            ready(self.mismatch_of_values(outputs, reference_outputs, &mut NoCustomMatcher))
                .unwrap_or(Ok(None))
        })
    }

    async fn mismatch_of_values<M: CustomMatcher>(
        &self,
        outputs: &Json<'_>,
        reference_outputs: &Json<'_>,
        custom: &mut M,
    ) -> Result<Option<String>> {
        let outputs = message::read("outputs", outputs)?;
        let reference_outputs = message::read("referenceOutputs", reference_outputs)?;
        for call in calls(&reference_outputs) {
            // A broken reference is a mistake in the dataset; in the outputs it is one of the agent's.
            if let Err(error) = call.arguments() {
                return Err(error.clone().at(&format!("the arguments of {}", call.place())));
            }
        }
        let mut rules = Rules { config: self, custom };
        match self.trajectory_match_mode {
            Mode::Strict => strict(&mut rules, &outputs, &reference_outputs).await,
            mode => {
                let outputs: Vec<&ToolCall<'_>> = calls(&outputs).collect();
                let reference_outputs: Vec<&ToolCall<'_>> = calls(&reference_outputs).collect();
                any_order(&mut rules, mode, &outputs, &reference_outputs).await
            }
        }
    }
}

fn calls<'m, 'v>(messages: &'m [Message<'v>]) -> impl Iterator<Item = &'m ToolCall<'v>> {
    messages.iter().flat_map(|message| &message.tool_calls)
}

async fn strict<M: CustomMatcher>(
    rules: &mut Rules<'_, M>,
    outputs: &[Message<'_>],
    reference_outputs: &[Message<'_>],
) -> Result<Option<String>> {
    // Roles and counts come first: they cost nothing, and no custom matcher is called in vain.
    if let Some(difference) = explain::different_steps(outputs, reference_outputs) {
        return Ok(Some(difference));
    }
    for (output, reference) in outputs.iter().zip(reference_outputs) {
        let outputs: Vec<&ToolCall<'_>> = output.tool_calls.iter().collect();
        let reference_outputs: Vec<&ToolCall<'_>> = reference.tool_calls.iter().collect();
        let mismatch = any_order(rules, Mode::Unordered, &outputs, &reference_outputs).await?;
        if mismatch.is_some() {
            return Ok(mismatch);
        }
    }
    Ok(None)
}

/// Compares tool calls in whatever order; `mode` says which side may have calls that the other does not.
async fn any_order<M: CustomMatcher>(
    rules: &mut Rules<'_, M>,
    mode: Mode,
    outputs: &[&ToolCall<'_>],
    reference_outputs: &[&ToolCall<'_>],
) -> Result<Option<String>> {
    let groups = by_name(outputs, reference_outputs);
    if let Some(group) = groups.iter().find(|group| !group.counts_allow(mode)) {
        return Ok(Some(group.explain_counts(rules, mode)));
    }
    for group in groups {
        let (left, right, outputs_are_left) = match mode {
            Mode::Subset => (group.outputs, group.reference_outputs, true),
            _ => (group.reference_outputs, group.outputs, false),
        };
        let (left, right) = rules.without_equal(left, right);
        let mut relation = Opposite { rules, left: &left, right: &right, outputs_are_left };
        if let Err(unmatched) = matching::match_all(left.len(), right.len(), &mut relation).await? {
            return Ok(left
                .get(unmatched)
                .map(|call| explain::unmatched(rules, call, &right, outputs_are_left)));
        }
    }
    Ok(None)
}

/// The calls of one tool on both sides.
struct Group<'c, 'v> {
    outputs: Vec<&'c ToolCall<'v>>,
    reference_outputs: Vec<&'c ToolCall<'v>>,
}

impl Group<'_, '_> {
    fn counts_allow(&self, mode: Mode) -> bool {
        let (outputs, reference_outputs) = (self.outputs.len(), self.reference_outputs.len());
        match mode {
            Mode::Subset => outputs <= reference_outputs,
            Mode::Superset => outputs >= reference_outputs,
            Mode::Strict | Mode::Unordered => outputs == reference_outputs,
        }
    }

    fn explain_counts<M>(&self, rules: &Rules<'_, M>, mode: Mode) -> String {
        let extra = mode != Mode::Superset && self.outputs.len() > self.reference_outputs.len();
        let (more, fewer) = if extra {
            (&self.outputs, &self.reference_outputs)
        } else {
            (&self.reference_outputs, &self.outputs)
        };
        let (without_partner, _) = rules.without_equal(more.clone(), fewer.clone());
        let call = without_partner.last().or(more.last());
        call.map_or_else(String::new, |call| explain::too_many(call, more.len(), fewer.len(), extra))
    }
}

/// Groups calls by tool, in the order in which the tools first appear, those of the reference first.
fn by_name<'c, 'v>(
    outputs: &[&'c ToolCall<'v>],
    reference_outputs: &[&'c ToolCall<'v>],
) -> Vec<Group<'c, 'v>> {
    let mut index_of: FxHashMap<Option<&str>, usize> = FxHashMap::default();
    let mut groups: Vec<Group<'c, 'v>> = Vec::new();
    let sides = [(reference_outputs, false), (outputs, true)];
    for (call, is_output) in
        sides.iter().flat_map(|(calls, side)| calls.iter().map(move |call| (*call, *side)))
    {
        let index = *index_of.entry(call.name).or_insert(groups.len());
        if index == groups.len() {
            groups.push(Group { outputs: Vec::new(), reference_outputs: Vec::new() });
        }
        if let Some(group) = groups.get_mut(index) {
            if is_output { group.outputs.push(call) } else { group.reference_outputs.push(call) }
        }
    }
    groups
}

/// Asks the rules about the calls of one tool, whichever side is on the left.
struct Opposite<'r, 'c, 'v, M> {
    rules: &'r mut Rules<'c, M>,
    left: &'r [&'r ToolCall<'v>],
    right: &'r [&'r ToolCall<'v>],
    outputs_are_left: bool,
}

impl<M: CustomMatcher> Relation for Opposite<'_, '_, '_, M> {
    type Error = crate::error::Error;

    async fn holds(&mut self, left: usize, right: usize) -> Result<bool> {
        match (self.left.get(left), self.right.get(right)) {
            (Some(output), Some(reference)) if self.outputs_are_left => {
                self.rules.hold(output, reference).await
            }
            (Some(reference), Some(output)) => self.rules.hold(output, reference).await,
            _ => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests;
