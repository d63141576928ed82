//! Decides whether two calls of the same tool match.

use super::arguments::Arguments;
use super::message::ToolCall;
use super::{TrajectoryMatchConfig, TrajectoryMatchMode};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::json::{Json, Object};
use serde::Deserialize;

/// How the arguments of two calls of the same tool are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ToolArgsMatchMode {
    /// The arguments are equal JSON values.
    Exact,
    /// The arguments are not compared.
    Ignore,
    /// Every argument of the output's call is in the reference's call, with an equal value.
    Subset,
    /// Every argument of the reference's call is in the output's call, with an equal value.
    Superset,
}

/// The rule for a single tool.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolArgsOverride {
    /// The name of the tool.
    pub tool: String,
    /// When two calls of the tool match.
    pub rule: ToolArgsRule,
}

/// When two calls of a tool match.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ToolArgsRule {
    /// The rule of a mode.
    Mode(ToolArgsMatchMode),
    /// Only these fields are compared. Each is a path such as `filters.city`, and has to exist on both sides
    /// with equal values.
    Fields(Vec<String>),
    /// A function of the caller decides.
    Custom,
}

/// The caller's functions that compare the arguments of two calls.
pub trait CustomMatcher {
    /// Whether the call `output` matches the call `reference`. Both are indices into all calls of their
    /// trajectory.
    async fn matches(&mut self, output: usize, reference: usize) -> Result<bool>;
}

/// The rules of a configuration, with the caller's functions.
pub(super) struct MatchRules<'c, M> {
    config: &'c TrajectoryMatchConfig,
    custom: &'c mut M,
    /// The number of calls in each trajectory.
    calls: [usize; 2],
    /// The steps taken so far.
    steps: usize,
}

/// The most pairs of calls of one tool whose results are stored; each takes a byte.
const MAX_PAIRS: usize = 100_000_000;

/// The most steps of a matching: a second or two.
const MAX_STEPS: usize = 100_000_000;

/// The cost of calling a function of the caller, in steps: it crosses to JavaScript.
const STEPS_OF_A_QUESTION: usize = 50;

/// The rule for one tool.
#[derive(Clone, Copy)]
pub(super) enum Rule<'c> {
    Mode(ToolArgsMatchMode),
    Fields(&'c [String]),
    Custom,
}

impl<'c, M> MatchRules<'c, M> {
    /// The rules for trajectories with this many calls.
    pub fn new(config: &'c TrajectoryMatchConfig, custom: &'c mut M, calls: [usize; 2]) -> Self {
        Self { config, custom, calls, steps: 0 }
    }

    pub fn mode(&self) -> TrajectoryMatchMode {
        self.config.trajectory_match_mode
    }

    /// Has to be called before each of `left` calls may be compared with each of `right`.
    pub fn allow_pairs(&mut self, left: usize, right: usize) -> Result<()> {
        let pairs = left.saturating_mul(right);
        if pairs > MAX_PAIRS {
            return Err(too_many(
                &format!("{left} and {right} calls of one tool that differ"),
                MAX_PAIRS,
                "pairs",
            ));
        }
        self.spend(pairs / 10)
    }

    /// Counts steps. Fails above the limit.
    pub fn spend(&mut self, steps: usize) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            let [outputs, reference_outputs] = self.calls;
            return Err(too_many(
                &format!("{outputs} and {reference_outputs} tool calls"),
                MAX_STEPS,
                "steps",
            ));
        }
        Ok(())
    }

    /// Whether calls of one tool can match without being equal.
    pub fn may_match_unequal(&self, calls: &[&ToolCall<'_>]) -> bool {
        let rule = calls.first().map(|call| self.rule_for(call));
        !matches!(rule, Some(Rule::Mode(ToolArgsMatchMode::Exact)))
    }

    pub fn rule_for(&self, call: &ToolCall<'_>) -> Rule<'c> {
        let mut overrides = self.config.tool_args_match_overrides.iter();
        match overrides.find(|of| call.name.as_deref() == Some(of.tool.as_str())).map(|of| &of.rule) {
            Some(ToolArgsRule::Mode(mode)) => Rule::Mode(*mode),
            Some(ToolArgsRule::Fields(fields)) => Rule::Fields(fields),
            Some(ToolArgsRule::Custom) => Rule::Custom,
            None => Rule::Mode(self.config.tool_args_match_mode),
        }
    }

    /// Removes the calls of one tool that have an equal call on the other side, in modes where equal calls
    /// match. This stays optimal: in each of these modes, equal calls match the same calls.
    pub fn without_equal<'t, 'v>(
        &self,
        left: Vec<&'t ToolCall<'v>>,
        right: Vec<&'t ToolCall<'v>>,
    ) -> (Vec<&'t ToolCall<'v>>, Vec<&'t ToolCall<'v>>) {
        let Some(rule) = left.first().or(right.first()).map(|call| self.rule_for(call)) else {
            return (left, right);
        };
        without_shared_keys(left, right, |call| rule.equality_key(call))
    }
}

#[cold]
fn too_many(sizes: &str, limit: usize, what: &str) -> Error {
    Error::invalid_input(format!(
        "the trajectories have {sizes}, and matching them takes more than {limit} {what}. Compare fewer calls at a \
         time, or in a mode that compares arguments as a whole (exact, ignore)"
    ))
}

/// Pairs calls with equal keys, one to one and in order, and returns the others.
fn without_shared_keys<'t, 'v>(
    left: Vec<&'t ToolCall<'v>>,
    right: Vec<&'t ToolCall<'v>>,
    key: impl Fn(&'t ToolCall<'v>) -> Option<EqualityKey<'t, 'v>>,
) -> (Vec<&'t ToolCall<'v>>, Vec<&'t ToolCall<'v>>) {
    let mut interner = Interner::new();
    // For each key the first free call on the right, and for each call the next one with the same key.
    let mut first: Vec<Option<usize>> = Vec::new();
    let mut next: Vec<Option<usize>> = vec![None; right.len()];
    for (index, &call) in right.iter().enumerate().rev() {
        let Some(number) = key(call).map(|key| interner.intern(key)) else { continue };
        match (first.get_mut(number), next.get_mut(index)) {
            (Some(first), Some(next)) => *next = first.replace(index),
            _ => first.push(Some(index)),
        }
    }
    let mut taken = vec![false; right.len()];
    let mut is_alone = |call: &&'t ToolCall<'v>| {
        let number = key(call).map(|key| interner.intern(key));
        let slot = number.and_then(|number| first.get_mut(number));
        let partner = slot.and_then(|first| {
            let index = (*first)?;
            *first = next.get(index).copied().flatten();
            Some(index)
        });
        if let Some(slot) = partner.and_then(|index| taken.get_mut(index)) {
            *slot = true;
        }
        partner.is_none()
    };
    let left = left.into_iter().filter(&mut is_alone).collect();
    let right = right.into_iter().zip(taken).filter(|(_, taken)| !taken).map(|(call, _)| call).collect();
    (left, right)
}

impl<M: CustomMatcher> MatchRules<'_, M> {
    /// Whether two calls of the same tool match.
    pub async fn hold<'v>(&mut self, output: &ToolCall<'v>, reference: &ToolCall<'v>) -> Result<bool> {
        let rule = self.rule_for(output);
        match rule {
            Rule::Mode(ToolArgsMatchMode::Ignore) => return Ok(true),
            // The reference's arguments are valid JSON, so arguments that equal them are, too.
            Rule::Mode(_) if output.arguments == reference.arguments => return Ok(true),
            Rule::Mode(ToolArgsMatchMode::Exact) => return Ok(false),
            _ => {}
        }
        let (Ok(output_arguments), Ok(reference_arguments)) =
            (output.arguments.read(), reference.arguments.read())
        else {
            return Ok(false);
        };
        match rule {
            Rule::Mode(mode) => Ok(mode.holds(output_arguments, reference_arguments)),
            Rule::Fields(fields) => {
                Ok(fields.iter().all(|field| field_is_equal(output_arguments, reference_arguments, field)))
            }
            Rule::Custom => {
                self.spend(STEPS_OF_A_QUESTION)?;
                self.custom.matches(output.index, reference.index).await
            }
        }
    }
}

impl ToolArgsMatchMode {
    fn holds(self, output: &Json<'_>, reference: &Json<'_>) -> bool {
        match (self, output, reference) {
            (Self::Ignore, ..) => true,
            (Self::Subset, Json::Object(output), Json::Object(reference)) => contains(reference, output),
            (Self::Superset, Json::Object(output), Json::Object(reference)) => contains(output, reference),
            // Values other than objects have no parts to compare.
            _ => output == reference,
        }
    }
}

/// A key that two calls share only if they match.
#[derive(PartialEq, Eq, Hash)]
enum EqualityKey<'t, 'v> {
    /// Any arguments.
    Any,
    /// These arguments.
    Of(&'t Arguments<'v>),
}

impl Rule<'_> {
    /// The key that proves a match of two calls; `None` if they have to be compared.
    fn equality_key<'t, 'v>(self, call: &'t ToolCall<'v>) -> Option<EqualityKey<'t, 'v>> {
        let arguments = &call.arguments;
        match self {
            Rule::Mode(ToolArgsMatchMode::Ignore) => Some(EqualityKey::Any),
            Rule::Mode(_) => arguments.digest().is_ok().then_some(EqualityKey::Of(arguments)),
            Rule::Fields(fields) => {
                let value = arguments.read().ok()?;
                let has_all = fields.iter().all(|field| field_at(value, field).is_some());
                has_all.then_some(EqualityKey::Of(arguments))
            }
            Rule::Custom => None,
        }
    }
}

fn contains(whole: &Object<'_>, part: &Object<'_>) -> bool {
    part.len() <= whole.len() && part.iter().all(|(key, value)| whole.get(key) == Some(value))
}

/// Whether both sides have the field, with equal values.
pub(super) fn field_is_equal(output: &Json<'_>, reference: &Json<'_>, path: &str) -> bool {
    match (field_at(output, path), field_at(reference, path)) {
        (Some(output), Some(reference)) => output == reference,
        _ => false,
    }
}

/// The value at a dotted path. A part may be the index of an array.
pub(super) fn field_at<'j, 'v>(arguments: &'j Json<'v>, path: &str) -> Option<&'j Json<'v>> {
    path.split('.').try_fold(arguments, |value, part| match value {
        Json::Object(object) => object.get(part),
        // As in JavaScript, "01" and "+1" are not indices.
        Json::Array(elements) => {
            let index: usize = part.parse().ok()?;
            elements.get(index).filter(|_| part == index.to_string())
        }
        _ => None,
    })
}
