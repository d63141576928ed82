//! Explains why two trajectories do not match.

use super::message::{Message, ToolCall};
use super::tool_args::{MatchRules, Rule, ToolArgsMatchMode, field_at, field_is_equal};
use crate::json::{self, Json};

/// The index of the first message with another role or another number of tool calls, or that only one side has, and how it differs.
pub(super) fn different_step(
    outputs: &[Message<'_, '_>],
    reference_outputs: &[Message<'_, '_>],
) -> Option<(usize, String)> {
    for index in 0..outputs.len().max(reference_outputs.len()) {
        let difference = match (outputs.get(index), reference_outputs.get(index)) {
            (Some(output), Some(reference)) => difference_of(output, reference),
            (Some(extra), None) => {
                Some(format!("{} is one message more than the reference has", step(extra)))
            }
            (None, Some(missing)) => Some(format!("missing; the reference goes on with {}", step(missing))),
            (None, None) => None,
        };
        if let Some(difference) = difference {
            return Some((index, format!("outputs[{index}]: {difference}")));
        }
    }
    None
}

fn difference_of(output: &Message<'_, '_>, reference: &Message<'_, '_>) -> Option<String> {
    if output.role != reference.role {
        return Some(format!("{} where the reference has {}", step(output), step(reference)));
    }
    let (actual, expected) = (output.tool_calls.len(), reference.tool_calls.len());
    (actual != expected).then(|| {
        let calls = |message: &Message<'_, '_>| match message.tool_calls {
            [] => "no tool".to_owned(),
            calls => calls.iter().map(ToolCall::to_string).collect::<Vec<_>>().join(", "),
        };
        format!("calls {} where the reference calls {}", calls(output), calls(reference))
    })
}

/// A short description of a message: `assistant calling get_weather`.
fn step(message: &Message<'_, '_>) -> String {
    let role = if message.role.is_empty() { "a message without a role" } else { message.role };
    let tools: Vec<&str> = message.tool_calls.iter().map(ToolCall::tool).collect();
    if tools.is_empty() { role.to_owned() } else { format!("{role} calling {}", tools.join(", ")) }
}

/// A tool that one side calls more often than the other. `call` is one of the surplus calls. `opposite` has
/// all messages of the other side, if only one of them was compared.
pub(super) fn too_many<'v>(
    call: &ToolCall<'v>,
    more: usize,
    fewer: usize,
    extra: bool,
    opposite: &[Message<'_, 'v>],
) -> String {
    if let Some(other) = same_elsewhere(call, opposite).or_else(|| elsewhere(call, opposite).next()) {
        return is_at(call, other);
    }
    let (side, other) = if extra { ("the reference", "outputs") } else { ("outputs", "the reference") };
    let verdict = if extra { "is not in the reference" } else { "is missing from outputs" };
    let counts = match fewer {
        0 => "does not call the tool".to_owned(),
        1 => format!("calls it once, {other} {more} times"),
        _ => format!("calls it {fewer} times, {other} {more} times"),
    };
    format!("{}: {call} {verdict}: {side} {counts}", call.place())
}

fn is_at(call: &ToolCall<'_>, other: &ToolCall<'_>) -> String {
    format!("{}: {call} is called at {} instead", call.place(), other.place())
}

/// The calls of the same tool in other messages of the other side.
fn elsewhere<'m, 'v>(
    call: &ToolCall<'v>,
    opposite: &[Message<'m, 'v>],
) -> impl Iterator<Item = &'m ToolCall<'v>> {
    let calls = opposite.iter().flat_map(|message| message.tool_calls);
    calls.filter(move |other| other.message() != call.message() && other.name == call.name)
}

/// One of these calls with equal arguments.
fn same_elsewhere<'m, 'v>(call: &ToolCall<'v>, opposite: &[Message<'m, 'v>]) -> Option<&'m ToolCall<'v>> {
    elsewhere(call, opposite).find(|other| other.arguments == call.arguments)
}

/// A call that no call of the other side matches. Names the closest one, or the message of the other side
/// that has an equal call, unless the message at the same position expects that call itself. `own` and
/// `others` have all messages of both sides, if only one message of each was compared.
pub(super) fn unmatched<'v, M>(
    rules: &MatchRules<'_, M>,
    call: &ToolCall<'v>,
    opposite: &[&ToolCall<'v>],
    [own, others]: [&[Message<'_, 'v>]; 2],
    call_is_output: bool,
) -> String {
    let is_free = |other: &ToolCall<'v>| {
        let calls = own.get(other.message()).map(|message| message.tool_calls);
        !calls.unwrap_or_default().iter().any(|own| own.name == call.name && own.arguments == call.arguments)
    };
    if let Some(other) = same_elsewhere(call, others).filter(|other| is_free(other)) {
        return is_at(call, other);
    }
    let verdict =
        if call_is_output { "matches nothing in the reference" } else { "is not matched by outputs" };
    let rule = rules.rule_for(call);
    let differences = opposite.iter().map(|other| {
        let (output, reference) = if call_is_output { (call, *other) } else { (*other, call) };
        (differences(rule, output, reference), *other)
    });
    let closest = differences.min_by_key(|(differences, _)| differences.len());
    let reason = match &closest {
        Some((differences, other)) if !differences.is_empty() => {
            format!("; the closest is {}, where {}", other.place(), differences.join(" and "))
        }
        // The caller's function rejected every pair, or each match is needed for another call.
        _ => String::new(),
    };
    format!("{}: {call} {verdict}{reason}", call.place())
}

/// The differences between two calls of the same tool, one entry for each argument.
fn differences<'v>(rule: Rule<'_>, output: &ToolCall<'v>, reference: &ToolCall<'v>) -> Vec<String> {
    let (output, reference) = match (output.arguments.read(), reference.arguments.read()) {
        (Ok(output), Ok(reference)) => (output, reference),
        (Err(error), _) | (_, Err(error)) => return vec![format!("the arguments are {}", error.message)],
    };
    match rule {
        Rule::Custom => Vec::new(),
        Rule::Fields(fields) => fields
            .iter()
            .filter(|field| !field_is_equal(output, reference, field))
            .map(|field| difference(field, field_at(output, field), field_at(reference, field)))
            .collect(),
        Rule::Mode(mode) => match (output.as_object(), reference.as_object()) {
            (Some(output), Some(reference)) => {
                let of_output = output.iter().filter(|(key, value)| match reference.get(key) {
                    Some(expected) => expected != *value,
                    None => mode != ToolArgsMatchMode::Superset,
                });
                let missing = reference
                    .iter()
                    .filter(|(key, _)| mode != ToolArgsMatchMode::Subset && output.get(key).is_none());
                of_output
                    .map(|(key, value)| difference(key, Some(value), reference.get(key)))
                    .chain(missing.map(|(key, value)| difference(key, None, Some(value))))
                    .collect()
            }
            _ => vec![format!("the arguments are {output} instead of {reference}")],
        },
    }
}

fn difference(name: &str, output: Option<&Json<'_>>, reference: Option<&Json<'_>>) -> String {
    json::difference(&format!("\"{name}\""), output, reference)
}
