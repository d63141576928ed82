//! Optional variables that were not passed, and whether one of them was misspelled.

use super::{Part, Template};
use crate::error::{Error, Result};
use crate::json::Object;
use crate::string::edit_distance::edit_distance;

impl Template {
    /// The omitted variables whose optional blocks are removed, in the order of the template. An error if a
    /// variable was passed that the template does not have, but whose name is close to an omitted one.
    pub fn omitted(&self, variables: &Object<'_>) -> Result<Vec<String>> {
        let mut omitted: Vec<String> = Vec::new();
        let mut optional = 0;
        for (at, part) in self.0.iter().enumerate() {
            match part {
                Part::Optional { end, .. } => optional = optional.max(*end),
                Part::Variable { name, .. }
                    if at < optional && variables.get(name).is_none() && !omitted.contains(name) =>
                {
                    omitted.push(name.clone());
                }
                _ => {}
            }
        }
        for meant in &omitted {
            let is_typo = |name: &str| !self.names(name) && is_nearly(name, meant);
            if let Some((name, _)) = variables.iter().find(|(name, _)| is_typo(name)) {
                return Err(misspelled(name, meant));
            }
        }
        Ok(omitted)
    }

    /// Whether the template has the variable, or every evaluator may be called with it, as in LangSmith's
    /// `evaluate`.
    fn names(&self, name: &str) -> bool {
        const COMMON: [&str; 6] = ["inputs", "outputs", "reference_outputs", "attachments", "run", "example"];
        let is_it = |part: &Part| matches!(part, Part::Variable { name: variable, .. } if variable == name);
        COMMON.contains(&name) || self.0.iter().any(is_it)
    }
}

/// Whether the names differ by a typo or two, ignoring case and underscores. For short names a typo could be
/// another name.
fn is_nearly(name: &str, meant: &str) -> bool {
    let [name, meant] = [name, meant].map(folded);
    let slips = match meant.len() {
        0..=3 => 0,
        4..=8 => 1,
        _ => 2,
    };
    let distance = || edit_distance(&name, &meant, f64::INFINITY);
    name.len().abs_diff(meant.len()) <= slips
        && (distance().is_ok_and(|distance| distance <= slips) || slips > 0 && are_swapped(&name, &meant))
}

fn folded(name: &str) -> Vec<u8> {
    let counts = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphanumeric();
    name.bytes().filter(counts).map(|byte| byte.to_ascii_lowercase()).collect()
}

/// Whether the only difference is one swap of adjacent characters.
fn are_swapped(a: &[u8], b: &[u8]) -> bool {
    let mut different = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
    match (different.next(), different.next(), different.next()) {
        (Some((first, (a, b))), Some((second, other)), None) => second == first + 1 && other == (b, a),
        _ => false,
    }
}

fn misspelled(name: &str, meant: &str) -> Error {
    let meant = if meant == "reference_outputs" { "referenceOutputs" } else { meant };
    Error::invalid_input(format!(
        "The judge was called with \"{name}\", which is not a variable of the prompt, and without \"{meant}\", so its block would be removed. Did you mean \"{meant}\"?"
    ))
}
