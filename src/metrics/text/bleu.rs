//! BLEU (Papineni et al., *BLEU: a method for automatic evaluation of machine translation*, 2002) as sacrebleu 2.6
//! computes it.

use super::TextScore;
use super::characters::{Classes, is_space, words};
use super::grams::{Grams, common, numbered_words};
use super::row::{CorpusMetric, Row};
use super::tokenize::BleuTokenizer;
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[("bleu", ScoreScale::SHARE), ("corpus_bleu", ScoreScale::SHARE)];

/// How BLEU is computed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BleuConfig {
    /// How tokens are found.
    pub tokenize: BleuTokenizer,
    /// What is done about n-grams of which none is right.
    pub smooth_method: BleuSmoothing,
    /// What `floor` counts for none, and `add-k` adds to all.
    pub smooth_value: f64,
    /// How many tokens the longest n-grams have.
    pub max_ngram_order: usize,
    /// Whether only n-grams count that are no longer than the text.
    pub effective_order: bool,
}

/// What is done about n-grams of which none is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum BleuSmoothing {
    /// The first such precision is half of one n-gram, the next one a quarter, and so on, as `mteval` does it.
    #[serde(rename = "exp")]
    Exp,
    /// A small number counts in the place of none.
    #[serde(rename = "floor")]
    Floor,
    /// One more of each counts as right, but for single tokens.
    #[serde(rename = "add-k")]
    AddK,
    /// The score is 0.
    #[serde(rename = "none")]
    None,
}

/// A BLEU score, and its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BleuScore {
    /// The score, from 0 to 1.
    pub score: f64,
    /// The share of n-grams that are right, for each length, smoothed.
    pub precisions: Vec<f64>,
    /// What a text that is shorter than the reference is multiplied with.
    pub brevity_penalty: f64,
    /// How many n-grams are right, for each length, with what `add-k` adds.
    pub counts: Vec<f64>,
    /// How many n-grams there are, for each length, with what `add-k` adds.
    pub totals: Vec<f64>,
    /// How many tokens the output has.
    pub output_length: f64,
    /// How many tokens the reference has; of several, the one that comes nearest.
    pub reference_length: f64,
}

/// BLEU, ready to score.
pub struct Bleu {
    config: BleuConfig,
    classes: Option<Classes>,
}

impl Bleu {
    /// Takes the configuration.
    pub fn new(config: BleuConfig) -> Self {
        let classes = config.tokenize.classes();
        Self { config, classes }
    }

    /// What smoothing adds to the counts of a length, from 0.
    fn added(&self, index: usize) -> f64 {
        let is_added = self.config.smooth_method == BleuSmoothing::AddK && index > 0;
        if is_added { self.config.smooth_value } else { 0.0 }
    }

    /// The score of counts, its brevity penalty and its precisions.
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
        // Precisions of 0 make a score of 0: sacrebleu takes their logarithm to be -9,999,999,999.
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
        // Of those that are as near, the shorter one.
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
        // Where none is right, there is nothing to be smoothed.
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
