//! Trajectory match: did an agent take the steps, and call the tools, that it should have?

mod arguments;
mod explain;
mod f1;
pub mod graph;
mod message;
mod tool_args;

use crate::error::{Error, Result};
use crate::executor::ready;
use crate::matching::{self, Relation};
use crate::numbering::Numbering;
pub use f1::SCALES;
pub use f1::TrajectoryOverlap;
use message::{Message, ToolCall, Trajectory};
use serde::Deserialize;
use tool_args::Rules;
pub use tool_args::{CustomMatcher, ToolArgsMatchMode, ToolArgsOverride, ToolArgsRule};

/// How two trajectories are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum TrajectoryMatchMode {
    /// The same messages by role, in the same order, each with the same tool calls (in any order within a message).
    Strict,
    /// The same tool calls, in any order.
    Unordered,
    /// No tool call that the reference does not have.
    Subset,
    /// Every tool call that the reference has.
    Superset,
}

/// The options of the evaluator.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TrajectoryMatchConfig {
    /// How two trajectories are compared.
    pub trajectory_match_mode: TrajectoryMatchMode,
    /// When two calls of the same tool match.
    pub tool_args_match_mode: ToolArgsMatchMode,
    /// The same for single tools.
    pub tool_args_match_overrides: Vec<ToolArgsOverride>,
}

impl TrajectoryMatchConfig {
    /// `None` if the trajectories match, else why they do not. Both are texts as described in `message.rs`.
    pub async fn mismatch<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<Option<String>> {
        let (outputs, reference_outputs) = read_both(outputs, reference_outputs)?;
        let mut rules = Rules::new(self, custom, [&outputs, &reference_outputs].map(|side| side.calls.len()));
        self.check_before(&reference_outputs.calls)?;
        let mismatch = match self.trajectory_match_mode {
            TrajectoryMatchMode::Strict => {
                strict(&mut rules, &outputs.messages(), &reference_outputs.messages()).await
            }
            mode => {
                let outputs: Vec<&ToolCall<'_>> = outputs.calls.iter().collect();
                let reference_outputs: Vec<&ToolCall<'_>> = reference_outputs.calls.iter().collect();
                any_order(&mut rules, mode, &outputs, &reference_outputs, [&[], &[]]).await
            }
        };
        check(&reference_outputs.calls)?;
        mismatch
    }

    /// Comparing checks most arguments on its way, and the others are checked after it. But a function of the caller's is
    /// not asked about a broken reference.
    fn check_before(&self, calls: &[ToolCall<'_>]) -> Result<()> {
        if self.tool_args_match_overrides.is_empty() { Ok(()) } else { check(calls) }
    }

    /// [`TrajectoryMatchConfig::mismatch`] with a matcher that answers at once, or is not needed.
    pub fn mismatch_at_once<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<Option<String>> {
        at_once(self.mismatch(outputs, reference_outputs, custom))
    }

    /// How much of the two trajectories matches. In `strict`, only calls that stand in the same order match: see `f1.rs`.
    pub async fn overlap<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<TrajectoryOverlap> {
        let (outputs, reference_outputs) = read_both(outputs, reference_outputs)?;
        self.check_before(&reference_outputs.calls)?;
        let mut rules = Rules::new(self, custom, [&outputs, &reference_outputs].map(|side| side.calls.len()));
        let overlap = f1::overlap(&mut rules, &outputs.messages(), &reference_outputs.messages()).await;
        check(&reference_outputs.calls)?;
        overlap
    }

    /// [`TrajectoryMatchConfig::mismatch_at_once`] for each two consecutive texts, which end with a null character each.
    pub fn mismatch_batch<M: CustomMatcher>(
        &self,
        trajectories: &str,
        custom: &mut M,
    ) -> Result<Vec<Option<String>>> {
        each_row(trajectories, |outputs, reference_outputs| {
            self.mismatch_at_once(outputs, reference_outputs, custom)
        })
    }

    /// [`TrajectoryMatchConfig::overlap`] for rows as well, with a matcher that answers at once, or is not needed.
    pub fn overlap_batch<M: CustomMatcher>(
        &self,
        trajectories: &str,
        custom: &mut M,
    ) -> Result<Vec<TrajectoryOverlap>> {
        each_row(trajectories, |outputs, reference_outputs| {
            at_once(self.overlap(outputs, reference_outputs, custom))
        })
    }
}

fn at_once<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let waits = || Err(Error::invalid_config("a matcher that takes its time has to be asked row by row"));
    ready(work).unwrap_or_else(waits)
}

fn each_row<T>(trajectories: &str, mut score: impl FnMut(&str, &str) -> Result<T>) -> Result<Vec<T>> {
    let mut trajectories = trajectories.split_terminator('\0');
    let mut results = Vec::new();
    while let (Some(outputs), Some(reference_outputs)) = (trajectories.next(), trajectories.next()) {
        let result = score(outputs, reference_outputs);
        results.push(result.map_err(|error| error.at(&format!("rows[{}]", results.len())))?);
    }
    Ok(results)
}

fn read_both<'v>(outputs: &'v str, reference_outputs: &'v str) -> Result<(Trajectory<'v>, Trajectory<'v>)> {
    Ok((message::read(message::OUTPUTS, outputs)?, message::read("referenceOutputs", reference_outputs)?))
}

/// A broken reference is a mistake in the dataset; in the outputs it is one of the agent's.
fn check(calls: &[ToolCall<'_>]) -> Result<()> {
    for call in calls {
        if let Err(error) = call.arguments.check() {
            return Err(error.clone().at(&format!("the arguments of {}", call.place())));
        }
    }
    Ok(())
}

fn calls<'t, 'v>(messages: &[Message<'t, 'v>]) -> impl Iterator<Item = &'t ToolCall<'v>> {
    messages.iter().flat_map(|message| message.tool_calls)
}

async fn strict<'v, M: CustomMatcher>(
    rules: &mut Rules<'_, M>,
    outputs: &[Message<'_, 'v>],
    reference_outputs: &[Message<'_, 'v>],
) -> Result<Option<String>> {
    // Roles and counts come first: they cost nothing, and no custom matcher is called in vain.
    if let Some(difference) = explain::different_steps(outputs, reference_outputs) {
        return Ok(Some(difference));
    }
    for (output, reference) in outputs.iter().zip(reference_outputs) {
        let mismatch = match (output.tool_calls, reference.tool_calls) {
            ([], []) => None,
            // By far the most frequent: there is nothing to choose.
            ([output], [reference]) if output.name == reference.name => {
                let matches = rules.hold(output, reference).await?;
                (!matches).then(|| {
                    explain::unmatched(rules, reference, &[output], [reference_outputs, outputs], false)
                })
            }
            (actual, expected) => {
                let actual: Vec<&ToolCall<'_>> = actual.iter().collect();
                let expected: Vec<&ToolCall<'_>> = expected.iter().collect();
                let all = [outputs, reference_outputs];
                any_order(rules, TrajectoryMatchMode::Unordered, &actual, &expected, all).await?
            }
        };
        if mismatch.is_some() {
            return Ok(mismatch);
        }
    }
    Ok(None)
}

/// Compares tool calls in whatever order; `mode` says which side may have calls that the other does not. If they are those
/// of one message, `all` has the messages of both sides.
async fn any_order<'v, M: CustomMatcher>(
    rules: &mut Rules<'_, M>,
    mode: TrajectoryMatchMode,
    outputs: &[&ToolCall<'v>],
    reference_outputs: &[&ToolCall<'v>],
    all: [&[Message<'_, 'v>]; 2],
) -> Result<Option<String>> {
    let groups = by_name(outputs, reference_outputs);
    if let Some(group) = groups.iter().find(|group| !group.counts_allow(mode)) {
        return Ok(Some(group.explain_counts(rules, mode, all)));
    }
    for group in groups {
        let (left, right, outputs_are_left) = match mode {
            TrajectoryMatchMode::Subset => (group.outputs, group.reference_outputs, true),
            _ => (group.reference_outputs, group.outputs, false),
        };
        let (left, right) = rules.without_equal(left, right);
        let partners = if rules.may_match_unequal(&left) {
            rules.allow_pairs(left.len(), right.len())?;
            let mut relation = Opposite { rules, left: &left, right: &right, outputs_are_left };
            matching::match_up(left.len(), right.len(), &mut relation, true).await?
        } else {
            vec![None; left.len()]
        };
        if let Some((call, _)) = left.iter().zip(partners).find(|(_, partner)| partner.is_none()) {
            let [outputs, reference_outputs] = all;
            let sides =
                if outputs_are_left { [outputs, reference_outputs] } else { [reference_outputs, outputs] };
            return Ok(Some(explain::unmatched(rules, call, &right, sides, outputs_are_left)));
        }
    }
    Ok(None)
}

/// The calls of one tool on both sides.
struct Group<'c, 'v> {
    outputs: Vec<&'c ToolCall<'v>>,
    reference_outputs: Vec<&'c ToolCall<'v>>,
}

impl<'v> Group<'_, 'v> {
    fn counts_allow(&self, mode: TrajectoryMatchMode) -> bool {
        let (outputs, reference_outputs) = (self.outputs.len(), self.reference_outputs.len());
        match mode {
            TrajectoryMatchMode::Subset => outputs <= reference_outputs,
            TrajectoryMatchMode::Superset => outputs >= reference_outputs,
            TrajectoryMatchMode::Strict | TrajectoryMatchMode::Unordered => outputs == reference_outputs,
        }
    }

    fn explain_counts<M>(
        &self,
        rules: &Rules<'_, M>,
        mode: TrajectoryMatchMode,
        [outputs, reference_outputs]: [&[Message<'_, 'v>]; 2],
    ) -> String {
        let extra =
            mode != TrajectoryMatchMode::Superset && self.outputs.len() > self.reference_outputs.len();
        let (more, fewer, opposite) = if extra {
            (&self.outputs, &self.reference_outputs, reference_outputs)
        } else {
            (&self.reference_outputs, &self.outputs, outputs)
        };
        let (without_partner, _) = rules.without_equal(more.clone(), fewer.clone());
        let call = without_partner.last().or(more.last());
        call.map_or_else(String::new, |call| {
            explain::too_many(call, more.len(), fewer.len(), extra, opposite)
        })
    }
}

/// Groups calls by tool, in the order in which the tools first appear, those of the reference first.
fn by_name<'c, 'v>(
    outputs: &[&'c ToolCall<'v>],
    reference_outputs: &[&'c ToolCall<'v>],
) -> Vec<Group<'c, 'v>> {
    // A call without a name stands apart from one whose name is empty.
    let mut numbering: Numbering<Option<&str>> = Numbering::new();
    let mut groups: Vec<Group<'c, 'v>> = Vec::new();
    let sides = [(reference_outputs, false), (outputs, true)];
    for (call, is_output) in
        sides.iter().flat_map(|(calls, side)| calls.iter().map(move |call| (*call, *side)))
    {
        let index = numbering.number(call.name.as_deref());
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

    fn spend(&mut self, steps: usize) -> Result<()> {
        self.rules.spend(steps)
    }

    async fn holds(&mut self, left: usize, right: usize) -> Result<bool> {
        let (Some(left), Some(right)) = (self.left.get(left), self.right.get(right)) else {
            return Ok(false);
        };
        // About what it takes where much of both is equal, in steps of the search.
        self.spend(20 + (left.arguments.len() + right.arguments.len()) / 16)?;
        if self.outputs_are_left {
            self.rules.hold(left, right).await
        } else {
            self.rules.hold(right, left).await
        }
    }
}

#[cfg(test)]
mod tests;
