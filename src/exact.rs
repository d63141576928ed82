//! Exact match: whether two values are the same JSON value.

use crate::error::Result;
use crate::json;

/// Whether two JSON texts represent the same value. Both texts are checked to their end, even after a
/// difference.
pub fn exact_match(outputs: &str, reference_outputs: &str) -> Result<bool> {
    if let Some(verdict) = json::same(outputs, reference_outputs) {
        return Ok(verdict);
    }
    let outputs = json::parse(outputs).map_err(|error| error.at("outputs"))?;
    let reference_outputs = json::parse(reference_outputs).map_err(|error| error.at("referenceOutputs"))?;
    Ok(outputs == reference_outputs)
}

/// [`exact_match`] for each row of a JSON text `[[outputs, referenceOutputs], …]`.
pub fn exact_match_batch(rows: &str) -> Result<Vec<bool>> {
    match json::same_pairs(rows) {
        Some(verdicts) => Ok(verdicts),
        None => json::parse_pairs(rows, |outputs, reference_outputs| Ok(outputs == reference_outputs)),
    }
}
