//! Trajectory match: whether an agent took the expected steps and called the expected tools.

pub(crate) mod arguments;
mod explain;
mod f1;
pub mod graph;
pub(crate) mod message;
mod tool_args;

use crate::error::{Error, Result};
use crate::executor::ready;
use crate::interner::Interner;
use crate::matching::{self, Relation};
pub use f1::SCALES;
pub use f1::TrajectoryOverlap;
use message::{Message, ToolCall, Trajectory};
use serde::Deserialize;
use tool_args::MatchRules;
pub use tool_args::{CustomMatcher, ToolArgsMatchMode, ToolArgsOverride, ToolArgsRule};

/// How two trajectories are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum TrajectoryMatchMode {
    /// The same roles in the same order, each message with the same tool calls in any order.
    Strict,
    /// The same tool calls, in any order.
    Unordered,
    /// No tool call that the reference lacks.
    Subset,
    /// Every tool call of the reference.
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
    /// Exceptions for single tools.
    pub tool_args_match_overrides: Vec<ToolArgsOverride>,
}

impl TrajectoryMatchConfig {
    /// `None` if the trajectories match, else the reason. Both are texts in the format of `message.rs`.
    pub async fn mismatch<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<Option<String>> {
        let (outputs, reference_outputs) = read_both(outputs, reference_outputs)?;
        let mut rules =
            MatchRules::new(self, custom, [&outputs, &reference_outputs].map(|side| side.calls.len()));
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

    /// Comparing validates most arguments, and the rest is validated afterwards. With overrides, which may be
    /// functions of the caller, the reference is validated first, so that none is called with an invalid one.
    fn check_before(&self, calls: &[ToolCall<'_>]) -> Result<()> {
        if self.tool_args_match_overrides.is_empty() { Ok(()) } else { check(calls) }
    }

    /// [`TrajectoryMatchConfig::mismatch`] with a matcher that never waits, or is not needed.
    pub fn mismatch_at_once<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<Option<String>> {
        at_once(self.mismatch(outputs, reference_outputs, custom))
    }

    /// The overlap of two trajectories. In `strict` mode, only calls in the same order match: see
    /// `f1/mod.rs`.
    pub async fn overlap<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<TrajectoryOverlap> {
        let (outputs, reference_outputs) = read_both(outputs, reference_outputs)?;
        self.check_before(&reference_outputs.calls)?;
        let mut rules =
            MatchRules::new(self, custom, [&outputs, &reference_outputs].map(|side| side.calls.len()));
        let overlap = f1::overlap(&mut rules, &outputs.messages(), &reference_outputs.messages()).await;
        check(&reference_outputs.calls)?;
        overlap
    }

    /// [`TrajectoryMatchConfig::overlap`] with a matcher that answers at once, or is not needed.
    pub fn overlap_at_once<M: CustomMatcher>(
        &self,
        outputs: &str,
        reference_outputs: &str,
        custom: &mut M,
    ) -> Result<TrajectoryOverlap> {
        at_once(self.overlap(outputs, reference_outputs, custom))
    }

    /// [`TrajectoryMatchConfig::mismatch_at_once`] for pairs of consecutive texts, each terminated by a null
    /// character.
    pub fn mismatch_batch<M: CustomMatcher>(
        &self,
        trajectories: &str,
        custom: &mut M,
    ) -> Result<Vec<Option<String>>> {
        each_row(trajectories, |outputs, reference_outputs| {
            self.mismatch_at_once(outputs, reference_outputs, custom)
        })
    }

    /// [`TrajectoryMatchConfig::overlap`] for several rows, with a matcher that never waits, or is not
    /// needed.
    pub fn overlap_batch<M: CustomMatcher>(
        &self,
        trajectories: &str,
        custom: &mut M,
    ) -> Result<Vec<TrajectoryOverlap>> {
        each_row(trajectories, |outputs, reference_outputs| {
            self.overlap_at_once(outputs, reference_outputs, custom)
        })
    }
}

fn at_once<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let waits = || Err(Error::invalid_config("an asynchronous matcher cannot be used in a batch"));
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

/// Invalid arguments in the reference are an error in the dataset; in the outputs they are the agent's
/// mistake.
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
    rules: &mut MatchRules<'_, M>,
    outputs: &[Message<'_, 'v>],
    reference_outputs: &[Message<'_, 'v>],
) -> Result<Option<String>> {
    let different = explain::different_step(outputs, reference_outputs);
    // Calls before that message may differ, too. After it, a custom matcher need not be called.
    let compared = different.as_ref().map_or(outputs.len(), |(index, _)| *index);
    for (output, reference) in outputs.iter().zip(reference_outputs).take(compared) {
        let mismatch = match (output.tool_calls, reference.tool_calls) {
            ([], []) => None,
            // Fast path for the most frequent case, a single call on each side.
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
    Ok(different.map(|(_, difference)| difference))
}

/// Compares tool calls in any order; `mode` says which side may have additional calls. If the calls are those
/// of one message, `all` has the messages of both sides.
async fn any_order<'v, M: CustomMatcher>(
    rules: &mut MatchRules<'_, M>,
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
            matching::maximum_matching(left.len(), right.len(), &mut relation, true).await?
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
        rules: &MatchRules<'_, M>,
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
    // A missing name differs from an empty one.
    let mut interner: Interner<Option<&str>> = Interner::new();
    let mut groups: Vec<Group<'c, 'v>> = Vec::new();
    let sides = [(reference_outputs, false), (outputs, true)];
    for (call, is_output) in
        sides.iter().flat_map(|(calls, side)| calls.iter().map(move |call| (*call, *side)))
    {
        let index = interner.intern(call.name.as_deref());
        if index == groups.len() {
            groups.push(Group { outputs: Vec::new(), reference_outputs: Vec::new() });
        }
        if let Some(group) = groups.get_mut(index) {
            if is_output { group.outputs.push(call) } else { group.reference_outputs.push(call) }
        }
    }
    groups
}

/// Applies the rules to the calls of one tool; either side can be on the left.
struct Opposite<'r, 'c, 'v, M> {
    rules: &'r mut MatchRules<'c, M>,
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
        // The approximate cost of comparing similar arguments, in steps of the search.
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
