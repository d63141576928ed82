//! Exact match: are two values the same JSON value?

use crate::error::Result;
use crate::json;

/// Whether two JSON texts stand for the same value. All of both has to be JSON, whether or not they differ earlier.
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
