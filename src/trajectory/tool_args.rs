//! When two calls of the same tool match.

use super::message::ToolCall;
use super::{Config, Mode};
use crate::error::{Error, Result};
use crate::json::{Json, Object};
use crate::numbering::Numbering;
use std::hash::Hash;

/// How the arguments of two calls of the same tool are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolArgsMatchMode {
    /// They are equal JSON values.
    #[default]
    Exact,
    /// They are not compared.
    Ignore,
    /// Every argument of the output's call stands in the reference's, with an equal value.
    Subset,
    /// Every argument of the reference's call stands in the output's, with an equal value.
    Superset,
}

impl ToolArgsMatchMode {
    /// The mode of this name in the options.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "ignore" => Some(Self::Ignore),
            "subset" => Some(Self::Subset),
            "superset" => Some(Self::Superset),
            _ => None,
        }
    }
}

/// What is different for one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Override {
    /// Another mode.
    Mode(ToolArgsMatchMode),
    /// Only these fields are compared: each is a path such as `filters.city`, has to exist on both sides, and has
    /// to be equal there.
    Fields(Vec<String>),
    /// The caller's own function decides.
    Custom,
}

impl Override {
    /// Reads what stands for a rule in the options: the name of a mode, a list of fields, or `null` for a function.
    pub fn read(rule: &Json<'_>) -> Option<Self> {
        match rule {
            Json::Null => Some(Self::Custom),
            Json::Array(fields) => {
                let fields = fields.iter().map(|field| field.as_str().map(str::to_owned));
                Some(Self::Fields(fields.collect::<Option<_>>()?))
            }
            mode => mode.as_str().and_then(ToolArgsMatchMode::named).map(Self::Mode),
        }
    }
}

/// The caller's functions that compare the arguments of two calls.
pub trait CustomMatcher {
    /// Whether the call `output` matches the call `reference`; both count all calls of their trajectory from 0.
    async fn matches(&mut self, output: usize, reference: usize) -> Result<bool>;
}

/// The rules of a configuration, with the functions that some of them need.
pub(super) struct Rules<'c, M> {
    config: &'c Config,
    custom: &'c mut M,
    /// How many calls the trajectories have.
    calls: [usize; 2],
    /// What finding the best pairs took so far.
    steps: usize,
}

/// How many pairs of calls of one tool may have to be remembered; each takes a byte.
const MAX_PAIRS: usize = 100_000_000;

/// How many steps finding the best pairs may take: a second or two.
const MAX_STEPS: usize = 100_000_000;

/// What asking a function of the caller's takes, in steps: it stands on the other side of the boundary.
const STEPS_OF_A_QUESTION: usize = 50;

/// The rule for one tool.
#[derive(Clone, Copy)]
pub(super) enum Rule<'c> {
    Mode(ToolArgsMatchMode),
    Fields(&'c [String]),
    Custom,
}

impl<'c, M> Rules<'c, M> {
    /// For trajectories of so many calls.
    pub fn new(config: &'c Config, custom: &'c mut M, calls: [usize; 2]) -> Self {
        Self { config, custom, calls, steps: 0 }
    }

    pub fn mode(&self) -> Mode {
        self.config.trajectory_match_mode
    }

    /// Has to be asked before each of `left` calls may be compared with each of `right`.
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

    /// Counts steps, which may become too many.
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

    /// Whether calls of one tool may match that are not equal.
    pub fn may_match_unequal(&self, calls: &[&ToolCall<'_>]) -> bool {
        let rule = calls.first().map(|call| self.rule_for(call));
        !matches!(rule, Some(Rule::Mode(ToolArgsMatchMode::Exact)))
    }

    pub fn rule_for(&self, call: &ToolCall<'_>) -> Rule<'c> {
        let mut overrides = self.config.tool_args_match_overrides.iter();
        match overrides.find(|(tool, _)| call.name.as_deref() == Some(tool.as_str())) {
            Some((_, Override::Mode(mode))) => Rule::Mode(*mode),
            Some((_, Override::Fields(fields))) => Rule::Fields(fields),
            Some((_, Override::Custom)) => Rule::Custom,
            None => Rule::Mode(self.config.tool_args_match_mode),
        }
    }

    /// Takes out the calls of one tool that have an equal call opposite, wherever equal calls match. This loses
    /// nothing: in every such mode, whatever matches one of two equal calls matches the other.
    pub fn without_equal<'t, 'v>(
        &self,
        left: Vec<&'t ToolCall<'v>>,
        right: Vec<&'t ToolCall<'v>>,
    ) -> (Vec<&'t ToolCall<'v>>, Vec<&'t ToolCall<'v>>) {
        let Some(rule) = left.first().or(right.first()).map(|call| self.rule_for(call)) else {
            return (left, right);
        };
        // What is equal as text is found without reading it.
        let (left, right) = match rule {
            Rule::Mode(_) => without_shared_keys(left, right, |call| Some(call.text)),
            Rule::Fields(_) | Rule::Custom => (left, right),
        };
        without_shared_keys(left, right, |call| rule.equality_key(call))
    }
}

#[cold]
fn too_many(sizes: &str, limit: usize, what: &str) -> Error {
    Error::invalid_input(format!(
        "the trajectories have {sizes}, and finding out which of them match takes more than {limit} {what}; compare \
         fewer at a time, or in a mode that compares them as a whole (exact, ignore)"
    ))
}

/// Pairs the calls that share a key, one to one and in order, and returns the others.
fn without_shared_keys<'t, 'v, K: Eq + Hash>(
    left: Vec<&'t ToolCall<'v>>,
    right: Vec<&'t ToolCall<'v>>,
    key: impl Fn(&'t ToolCall<'v>) -> Option<K>,
) -> (Vec<&'t ToolCall<'v>>, Vec<&'t ToolCall<'v>>) {
    let mut numbering = Numbering::new();
    // The calls on the right by the number of their key, the last one first.
    let mut free: Vec<Vec<usize>> = Vec::new();
    for (index, &call) in right.iter().enumerate().rev() {
        let Some(number) = key(call).map(|key| numbering.number(key)) else { continue };
        match free.get_mut(number) {
            Some(calls) => calls.push(index),
            None => free.push(vec![index]),
        }
    }
    let mut taken = vec![false; right.len()];
    let mut is_alone = |call: &&'t ToolCall<'v>| {
        let number = key(call).map(|key| numbering.number(key));
        let partner = number.and_then(|number| free.get_mut(number)?.pop());
        if let Some(slot) = partner.and_then(|index| taken.get_mut(index)) {
            *slot = true;
        }
        partner.is_none()
    };
    let left = left.into_iter().filter(&mut is_alone).collect();
    let right = right.into_iter().zip(taken).filter(|(_, taken)| !taken).map(|(call, _)| call).collect();
    (left, right)
}

impl<M: CustomMatcher> Rules<'_, M> {
    /// Whether two calls of the same tool match.
    pub async fn hold(&mut self, output: &ToolCall<'_>, reference: &ToolCall<'_>) -> Result<bool> {
        let rule = self.rule_for(output);
        match rule {
            Rule::Mode(ToolArgsMatchMode::Ignore) => return Ok(true),
            // The arguments of the reference have been read: they are JSON, and so are these.
            Rule::Mode(_) if output.text == reference.text => return Ok(true),
            _ => {}
        }
        let (Ok(output_arguments), Ok(reference_arguments)) = (output.arguments(), reference.arguments())
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
            // What is not an object has no parts to compare.
            _ => output == reference,
        }
    }
}

impl Rule<'_> {
    /// What two calls have to share to match for certain; `None` where that is not known without comparing.
    fn equality_key<'t, 'v>(self, call: &'t ToolCall<'v>) -> Option<&'t Json<'v>> {
        match (self, call.arguments()) {
            (Rule::Mode(ToolArgsMatchMode::Ignore), _) => Some(&Json::Null),
            (Rule::Mode(_), Ok(arguments)) => Some(arguments),
            (Rule::Fields(fields), Ok(arguments)) => {
                fields.iter().all(|field| field_at(arguments, field).is_some()).then_some(arguments)
            }
            (Rule::Custom, _) | (_, Err(_)) => None,
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

/// The value at a dotted path; a part may be the index of a list.
pub(super) fn field_at<'j, 'v>(arguments: &'j Json<'v>, path: &str) -> Option<&'j Json<'v>> {
    path.split('.').try_fold(arguments, |value, part| match value {
        Json::Object(object) => object.get(part),
        // As in JavaScript, "01" and "+1" are no indices.
        Json::Array(elements) => {
            let index: usize = part.parse().ok()?;
            elements.get(index).filter(|_| part == index.to_string())
        }
        _ => None,
    })
}
