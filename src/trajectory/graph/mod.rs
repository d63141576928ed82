//! Graph trajectory match: whether a graph took the expected steps, turn by turn.
//!
//! Turns are compared by position. In all modes but `strict` only the number of occurrences of each step in a
//! turn counts, and a turn that only one side has is compared with an empty turn. So two trajectories match
//! `unordered` exactly if they match both `subset` and `superset`.

mod thread;

use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::json::{self, Json};
use crate::trajectory::TrajectoryMatchMode;
pub use thread::{GraphTurn, render_reference, render_thread};

/// `None` if two graph trajectories match, else a description of the first difference.
///
/// Both are JSON texts of their `steps`: a list of turns, each the list of visited nodes.
pub fn mismatch(mode: TrajectoryMatchMode, outputs: &str, reference_outputs: &str) -> Result<Option<String>> {
    let outputs = json::parse(outputs).map_err(|error| error.at("outputs.steps"))?;
    let reference_outputs =
        json::parse(reference_outputs).map_err(|error| error.at("referenceOutputs.steps"))?;
    mismatch_of_values(mode, &outputs, &reference_outputs)
}

/// [`mismatch`] for each row of a JSON text `[[steps, reference steps], …]`.
pub fn mismatch_batch(mode: TrajectoryMatchMode, rows: &str) -> Result<Vec<Option<String>>> {
    json::parse_pairs(rows, |outputs, reference_outputs| mismatch_of_values(mode, outputs, reference_outputs))
}

fn mismatch_of_values(
    mode: TrajectoryMatchMode,
    outputs: &Json<'_>,
    reference_outputs: &Json<'_>,
) -> Result<Option<String>> {
    let outputs = turns("outputs.steps", outputs)?;
    let reference_outputs = turns("referenceOutputs.steps", reference_outputs)?;
    if mode == TrajectoryMatchMode::Strict {
        return Ok(first_difference(&outputs, &reference_outputs));
    }
    Ok((0..outputs.len().max(reference_outputs.len())).find_map(|turn| {
        let output = outputs.get(turn).copied().unwrap_or_default();
        let reference = reference_outputs.get(turn).copied().unwrap_or_default();
        different_count(mode, output, reference).map(|difference| format!("steps[{turn}]: {difference}"))
    }))
}

fn turns<'v>(name: &str, steps: &'v Json<'v>) -> Result<Vec<&'v [Json<'v>]>> {
    let list = |place: &str, value: &'v Json<'v>| {
        value.as_array().ok_or_else(|| {
            let kind = value.type_name();
            Error::invalid_input(format!("{place} is {kind}; steps are a list of lists of node names"))
        })
    };
    let turns = list(name, steps)?.iter().enumerate();
    turns.map(|(index, turn)| list(&format!("{name}[{index}]"), turn)).collect()
}

fn first_difference(outputs: &[&[Json<'_>]], reference_outputs: &[&[Json<'_>]]) -> Option<String> {
    for turn in 0..outputs.len().max(reference_outputs.len()) {
        let (Some(output), Some(reference)) = (outputs.get(turn), reference_outputs.get(turn)) else {
            let (actual, expected) = (outputs.len(), reference_outputs.len());
            return Some(format!("steps[{turn}]: outputs has {actual} turns, the reference {expected}"));
        };
        for step in 0..output.len().max(reference.len()) {
            let difference = match (output.get(step), reference.get(step)) {
                (Some(actual), Some(expected)) if actual == expected => continue,
                (Some(actual), Some(expected)) => format!("{actual} instead of {expected}"),
                (Some(actual), None) => format!("{actual} is one step more than the reference has"),
                (None, Some(expected)) => format!("{expected} is missing"),
                (None, None) => continue,
            };
            return Some(format!("steps[{turn}][{step}]: {difference}"));
        }
    }
    None
}

/// A step that occurs more often on one side than the mode allows.
fn different_count(mode: TrajectoryMatchMode, output: &[Json<'_>], reference: &[Json<'_>]) -> Option<String> {
    let mut interner = Interner::new();
    // The number of occurrences of each step, in the reference and in the output.
    let mut counts: Vec<(&Json<'_>, [usize; 2])> = Vec::new();
    for (steps, side) in [(reference, 0), (output, 1)] {
        for step in steps {
            let number = interner.intern(step);
            if number == counts.len() {
                counts.push((step, [0, 0]));
            }
            if let Some(count) = counts.get_mut(number).and_then(|(_, counts)| counts.get_mut(side)) {
                *count += 1;
            }
        }
    }
    let differs = |[reference, output]: [usize; 2]| {
        output > reference && mode != TrajectoryMatchMode::Superset
            || output < reference && mode != TrajectoryMatchMode::Subset
    };
    let (step, [expected, actual]) = counts.into_iter().find(|(_, counts)| differs(*counts))?;
    Some(match (actual, expected) {
        (0, 1) => format!("{step} is missing"),
        (1, 0) => format!("{step} is not in the reference"),
        _ => format!("{step} occurs {actual}× instead of {expected}×"),
    })
}

#[cfg(test)]
mod tests;
