//! The compression ratio of texts (Shaib et al., *Standardizing the measurement of text diversity*, 2024):
//! repetitive texts have a high ratio.
//!
//! The sizes are exactly those of gzip: zlib at level 9, as in Python. `matches` finds repetitions, and
//! `blocks` computes their encoded size.

mod blocks;
mod matches;
mod trees;

use super::TextScore;
use super::row::{Row, RowMetric};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::Serialize;

/// The score scales, by result key.
pub const SCALES: &Scales = &[("compression_ratio", ScoreScale::count(None))];

/// A compression ratio with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CompressionScore {
    /// The size of the text divided by its compressed size.
    pub score: f64,
    /// The size of the text in UTF-8, in bytes.
    pub bytes: f64,
    /// The compressed size, in bytes.
    pub compressed_bytes: f64,
}

/// The header and trailer of a gzip file, in bytes.
const ENVELOPE: usize = 18;

/// The compression ratio of texts, joined with spaces.
pub struct Compression;

impl RowMetric for Compression {
    fn score(&self, row: &Row<'_>) -> Result<TextScore> {
        let text = row.texts().collect::<Vec<_>>().join(" ");
        let compressed_bytes = (ENVELOPE + matches::deflated_length(text.as_bytes())) as f64;
        let bytes = text.len() as f64;
        Ok(TextScore::Compression(CompressionScore {
            score: bytes / compressed_bytes,
            bytes,
            compressed_bytes,
        }))
    }
}
