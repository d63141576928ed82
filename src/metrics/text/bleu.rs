//! BLEU (Papineni et al., *BLEU: a method for automatic evaluation of machine translation*, 2002), as in
//! sacrebleu 2.6.

use super::TextScore;
use super::characters::{CharacterClasses, is_space, words};
use super::grams::{Grams, common, numbered_words};
use super::row::{CorpusMetric, Row};
use super::tokenize::BleuTokenizer;
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[("bleu", ScoreScale::SHARE), ("corpus_bleu", ScoreScale::SHARE)];

/// The options of BLEU.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BleuConfig {
    /// The tokenizer.
    pub tokenize: BleuTokenizer,
    /// How n-gram orders without a match are smoothed.
    pub smooth_method: BleuSmoothing,
    /// The count that `floor` uses instead of zero, and that `add-k` adds to each order.
    pub smooth_value: f64,
    /// The highest n-gram order.
    pub max_ngram_order: usize,
    /// Whether orders above the length of the output are ignored.
    pub effective_order: bool,
}

/// How n-gram orders without a match are smoothed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum BleuSmoothing {
    /// The first such precision is half a match, the next one a quarter, and so on, as in `mteval`.
    #[serde(rename = "exp")]
    Exp,
    /// A small number replaces a count of zero.
    #[serde(rename = "floor")]
    Floor,
    /// Adds `smooth_value` to the counts of all orders above 1.
    #[serde(rename = "add-k")]
    AddK,
    /// No smoothing: the score is 0.
    #[serde(rename = "none")]
    None,
}

/// A BLEU score with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BleuScore {
    /// The score, from 0 to 1.
    pub score: f64,
    /// The smoothed precision of each order, from 0 to 1.
    pub precisions: Vec<f64>,
    /// The factor for outputs shorter than the reference, from 0 to 1.
    pub brevity_penalty: f64,
    /// The matching n-grams of each order, including what `add-k` adds.
    pub counts: Vec<f64>,
    /// The n-grams of the output of each order, including what `add-k` adds.
    pub totals: Vec<f64>,
    /// The number of tokens in the output.
    pub output_length: f64,
    /// The number of tokens in the reference; of several references, the one closest in length.
    pub reference_length: f64,
}

/// A configured BLEU.
pub struct Bleu {
    config: BleuConfig,
    classes: Option<CharacterClasses>,
}

impl Bleu {
    /// Prepares the options.
    pub fn new(config: BleuConfig) -> Self {
        let classes = config.tokenize.classes();
        Self { config, classes }
    }

    /// The addition of smoothing to the counts of an order, which is counted from 0.
    fn added(&self, index: usize) -> f64 {
        let is_added = self.config.smooth_method == BleuSmoothing::AddK && index > 0;
        if is_added { self.config.smooth_value } else { 0.0 }
    }

    /// The score, brevity penalty and precisions of summed counts.
    fn parts(&self, sums: &[f64]) -> (f64, f64, Vec<f64>) {
        let BleuConfig { max_ngram_order, smooth_method, smooth_value, effective_order, .. } = self.config;
        let (lengths, rest) = sums.split_at(2.min(sums.len()));
        let (output_length, reference_length) = match lengths {
            [output, reference] => (*output, *reference),
            _ => (0.0, 0.0),
        };
        let brevity_penalty = if output_length >= reference_length {
            1.0
        } else if output_length > 0.0 {
            (1.0 - reference_length / output_length).exp()
        } else {
            0.0
        };
        let mut precisions = vec![0.0; max_ngram_order];
        let (counts, totals) = rest.split_at(max_ngram_order.min(rest.len()));
        if counts.iter().all(|count| *count == 0.0) {
            return (0.0, brevity_penalty, precisions);
        }
        let mut halved = 1.0;
        let mut order = max_ngram_order;
        let counted = counts.iter().zip(totals).zip(&mut precisions);
        for (index, ((count, total), precision)) in counted.enumerate() {
            let more = self.added(index);
            let (count, total) = (count + more, total + more);
            if total == 0.0 {
                break;
            }
            if effective_order {
                order = index + 1;
            }
            *precision = match smooth_method {
                _ if count != 0.0 => count / total,
                BleuSmoothing::Exp => {
                    halved *= 2.0;
                    1.0 / (halved * total)
                }
                BleuSmoothing::Floor => smooth_value / total,
                _ => 0.0,
            };
        }
        // A precision of 0 makes the score 0. sacrebleu uses -9,999,999,999 as its logarithm, with the same
        // result.
        let logarithms = precisions.iter().take(order).map(|precision| precision.ln());
        let score = brevity_penalty * (logarithms.sum::<f64>() / order as f64).exp();
        (score, brevity_penalty, precisions)
    }
}

impl CorpusMetric for Bleu {
    fn count(&self, row: &Row<'_>, counts: &mut Vec<f64>) -> Result<()> {
        let separated: Vec<String> = row
            .texts()
            .map(|text| self.config.tokenize.separated(text.trim_end_matches(is_space), &self.classes))
            .collect();
        let tokens: Vec<Vec<&str>> = separated.iter().map(|text| words(text).collect()).collect();
        let lengths = || tokens.iter().map(Vec::len);
        let length = lengths().next().unwrap_or_default();
        // Of two equally close lengths, the shorter one.
        let nearest = lengths().skip(1).min_by_key(|other| (length.abs_diff(*other), *other));
        let mut grams = Grams::new(numbered_words(&tokens));
        counts.extend([length as f64, nearest.unwrap_or_default() as f64]);
        let mut totals = Vec::new();
        for order in 1..=self.config.max_ngram_order {
            if order > 1 {
                grams.lengthen();
            }
            let mut most: Vec<u32> = Vec::new();
            for sequence in 1..tokens.len() {
                let own = grams.counts(sequence);
                most.resize(own.len(), 0);
                for (most, count) in most.iter_mut().zip(own) {
                    *most = count.max(*most);
                }
            }
            counts.push(common(&grams.counts(0), &most) as f64);
            totals.push(grams.total(0) as f64);
        }
        counts.extend(totals);
        Ok(())
    }

    fn value(&self, counts: &[f64]) -> f64 {
        self.parts(counts).0
    }

    fn score(&self, sums: &[f64]) -> TextScore {
        let (score, brevity_penalty, precisions) = self.parts(sums);
        let at = |place: usize| sums.get(place).copied().unwrap_or_default();
        let order = self.config.max_ngram_order;
        // Without any match, nothing is smoothed.
        let is_smoothed = sums.iter().skip(2).take(order).any(|count| *count > 0.0);
        let list = |from: usize| {
            let counts = sums.iter().skip(from).take(order).enumerate();
            counts.map(|(index, count)| count + if is_smoothed { self.added(index) } else { 0.0 }).collect()
        };
        TextScore::Bleu(BleuScore {
            score,
            precisions,
            brevity_penalty,
            counts: list(2),
            totals: list(2 + order),
            output_length: at(0),
            reference_length: at(1),
        })
    }
}
