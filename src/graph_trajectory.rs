//! Graph trajectory match: did a graph take the same steps, turn by turn?

use crate::error::{Error, Result};
use crate::json::{self, Json};

/// `None` if two graph trajectories have the same steps in the same order, else where they first differ.
///
/// Both are JSON texts of their `steps`: a list of turns, each the list of the nodes it went through.
pub fn strict_mismatch(outputs: &str, reference_outputs: &str) -> Result<Option<String>> {
    let outputs = json::parse(outputs).map_err(|error| error.at("outputs.steps"))?;
    let reference_outputs =
        json::parse(reference_outputs).map_err(|error| error.at("referenceOutputs.steps"))?;
    mismatch_of_values(&outputs, &reference_outputs)
}

/// [`strict_mismatch`] for each row of a JSON text `[[steps, reference steps], …]`.
pub fn strict_mismatch_batch(rows: &str) -> Result<Vec<Option<String>>> {
    json::parse_pairs(rows, mismatch_of_values)
}

fn mismatch_of_values(outputs: &Json<'_>, reference_outputs: &Json<'_>) -> Result<Option<String>> {
    let outputs = turns("outputs.steps", outputs)?;
    let reference_outputs = turns("referenceOutputs.steps", reference_outputs)?;
    Ok(first_difference(&outputs, &reference_outputs))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_steps_differ() {
        let mismatch = |outputs, reference_outputs| strict_mismatch(outputs, reference_outputs).unwrap();
        assert_eq!(mismatch(r#"[["a","b"],["c"]]"#, r#"[["a","b"],["c"]]"#), None);
        assert_eq!(mismatch("[]", "[]"), None);
        let cases = [
            (r#"[["a","b"]]"#, r#"[["a","c"]]"#, r#"steps[0][1]: "b" instead of "c""#),
            (r#"[["a"]]"#, r#"[["a","c"]]"#, r#"steps[0][1]: "c" is missing"#),
            (r#"[["a","x"]]"#, r#"[["a"]]"#, r#"steps[0][1]: "x" is one step more than the reference has"#),
            (r#"[["a"]]"#, r#"[["a"],["b"]]"#, "steps[1]: outputs has 1 turns, the reference 2"),
        ];
        for (outputs, reference_outputs, comment) in cases {
            assert_eq!(mismatch(outputs, reference_outputs).as_deref(), Some(comment));
        }
    }

    #[test]
    fn steps_have_to_be_lists_of_lists() {
        let message = strict_mismatch(r#"["a"]"#, "[]").unwrap_err().message;
        assert_eq!(message, "outputs.steps[0] is a string; steps are a list of lists of node names");
    }
}
