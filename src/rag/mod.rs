//! Evaluates retrieval-augmented generation: the claims of answers, and the contexts that support them.
//!
//! | module | what it does |
//! | --- | --- |
//! | `indexed` | asks about a list of items, and gets exactly one answer for each index |
//! | `claims` | extracts the claims of a text, with their sentences |
//! | `scores` | computes scores from verdicts |
//!
//! A metric is a few of these steps. The package has the questions, and connects the steps: extract claims, ask
//! for a verdict on each, compute the score.

mod claims;
mod indexed;
mod scores;

pub use claims::{ClaimExtraction, ClaimExtractionConfig, ClaimExtractionInput};
pub use indexed::{IndexedQuestion, IndexedQuestionConfig, IndexedQuestionInput};
pub use scores::{Noise, average_precision, f_beta, mean_similarity, noise};

use crate::json::{self, JsonBuilder};
use crate::recipes::question::Meter;
use crate::scale::{Scales, ScoreScale};

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("faithfulness", ScoreScale::SHARE),
    ("context_precision", ScoreScale::SHARE),
    ("context_recall", ScoreScale::SHARE),
    ("context_entity_recall", ScoreScale::SHARE),
    ("context_relevance", ScoreScale::SHARE),
    ("answer_relevancy", ScoreScale::SHARE),
    ("factual_correctness", ScoreScale::SHARE),
    ("answer_correctness", ScoreScale::SHARE),
    ("noise_sensitivity", ScoreScale::LOSS),
    ("citation_accuracy", ScoreScale::SHARE),
];

/// The result of a step, as JSON text: `{ found, metadata }`. The elements are JSON texts.
fn report(found: impl Iterator<Item = JsonBuilder>, meter: Meter) -> crate::error::Result<String> {
    let metadata = JsonBuilder::verbatim(json::write(&meter.into_metadata())?);
    Ok(JsonBuilder::object([("found", JsonBuilder::list(found)), ("metadata", metadata)]).into_text())
}

#[cfg(test)]
mod tests;
