//! How much shorter texts become when they are compressed (Shaib et al., *Standardizing the measurement of text diversity*,
//! 2024): texts that repeat themselves become much shorter.
//!
//! The compressor is gzip's, whose result is known to the byte: that of zlib at its best level, as Python has it.
//! `matches` finds what repeats, and `blocks` says how many bits it takes.

mod blocks;
mod matches;
mod trees;

use super::TextScore;
use super::row::{Row, RowMetric};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::Serialize;

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[("compression_ratio", ScoreScale::count(None))];

/// A compression ratio, and what it was made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CompressionScore {
    /// The bytes of the text for each of the compressed one.
    pub score: f64,
    /// How many bytes the text has in UTF-8.
    pub bytes: f64,
    /// How many bytes it has when it is compressed.
    pub compressed_bytes: f64,
}

/// What the head and the tail of a compressed file take.
const ENVELOPE: usize = 18;

/// The compression ratio of texts, with a space between them.
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
