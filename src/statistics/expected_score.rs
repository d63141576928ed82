//! The expected score of a judge: over the token probabilities of the possible scores, as in G-Eval (Liu et
//! al. 2023, arXiv 2303.16634), or over several samples.

use crate::logprobs::{AnswerToken, TokenLogprob};
use crate::scale::{Scales, ScoreScale};
use crate::sort::in_order;
use crate::text::find;
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[("g_eval", ScoreScale { pass_at: None, ..ScoreScale::SHARE })];

/// A JSON answer with an integer `score`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScoredAnswer {
    /// The first tokens of the answer.
    pub tokens: Vec<AnswerToken>,
    /// The score that was read from the answer.
    pub score: u32,
    /// The lowest possible score.
    pub lowest: u32,
    /// The highest possible score.
    pub highest: u32,
}

/// A probability distribution of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScoreDistribution {
    /// The expected score: the sum of all scores, weighted by probability.
    pub expected: f64,
    /// The standard deviation of the distribution.
    pub deviation: f64,
    /// The probabilities of the possible scores, lowest score first.
    pub probabilities: Vec<ScoreProbability>,
    /// The probability mass of valid scores, from 0 to 1, before normalization.
    pub mass: f64,
}

/// A score with its probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScoreProbability {
    /// The score.
    pub score: u32,
    /// The probability, from 0 to 1; the probabilities of all scores add up to 1.
    pub probability: f64,
}

/// With less probability mass, the distribution is not reliable.
const MIN_MASS: f64 = 0.5;

/// Providers round probabilities, so their sum may slightly exceed 1.
const TOLERANCE: f64 = 1e-3;

/// The most digits of a score.
const MAX_DIGITS: usize = 9;

/// The distribution of the score, from the alternatives of its tokens; `None` if these are not sufficient.
///
/// Tokens count by the number that they spell: `4`, ` 4` and `4.` are one score. Tokens that spell no valid
/// score are ignored, and the rest is normalized. If a number has several tokens, the alternatives of later
/// tokens only apply to the number as written so far. The continuation of other first tokens is unknown: if
/// the vocabulary has single digits only, and a longer score begins with such a token, it is ignored. With
/// less than half of the probability mass, there is no result.
pub fn from_tokens(answer: &ScoredAnswer) -> Option<ScoreDistribution> {
    let (first, before) = place_of_score(&answer.tokens)?;
    let mut found = ScoreShares { lowest: answer.lowest, highest: answer.highest, shares: Vec::new() };
    let written = found.follow(answer.tokens.get(first..)?, before)?;
    if number(&written) != Some(answer.score) {
        return None;
    }
    distribution(found.shares).filter(|found| found.mass >= MIN_MASS)
}

/// The distribution of scores in several samples; `None` without samples.
pub fn from_votes(votes: &[u32]) -> Option<ScoreDistribution> {
    let found = distribution(votes.iter().map(|vote| (*vote, 1.0)).collect())?;
    Some(ScoreDistribution { mass: 1.0, ..found })
}

/// The token in which the score begins, and the number of its bytes before the score.
fn place_of_score(tokens: &[AnswerToken]) -> Option<(usize, usize)> {
    const NAME: &str = "\"score\"";
    let said: String = tokens.iter().map(|token| token.token.as_str()).collect();
    let end = find(&said, NAME)? + NAME.len();
    let value = said.get(end..)?.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
    let mut at = said.len() - value.len();
    for (index, AnswerToken { token, .. }) in tokens.iter().enumerate() {
        match at.checked_sub(token.len()) {
            Some(left) => at = left,
            None => return Some((index, at)),
        }
    }
    None
}

/// The unnormalized probabilities of scores.
struct ScoreShares {
    lowest: u32,
    highest: u32,
    shares: Vec<(u32, f64)>,
}

impl ScoreShares {
    /// Follows the tokens of the written number, which begins after `before` bytes, and returns it. Adds the
    /// alternatives on the way.
    fn follow(&mut self, tokens: &[AnswerToken], before: usize) -> Option<String> {
        let mut written = String::new();
        // The probability of the digits written so far.
        let mut reached = 1.0;
        for (index, token) in tokens.iter().enumerate() {
            let (digits, after) = digits_of(token.token.get(if index == 0 { before } else { 0 }..)?);
            let likely = shares(&token.likely)?;
            if index > 0 {
                let going_on: f64 =
                    likely.iter().filter(|(token, _)| begins_with_digit(token)).map(|(_, p)| p).sum();
                self.add(&written, reached * (1.0 - going_on));
            }
            self.add_alternatives(&written, reached, &token.token, &likely);
            if digits.is_empty() {
                return Some(written);
            }
            reached *= likely.iter().find(|(likely, _)| *likely == token.token)?.1;
            written.push_str(digits);
            if goes_on_otherwise(after) || written.len() > MAX_DIGITS {
                return None;
            }
            if !after.is_empty() {
                break;
            }
        }
        self.add(&written, reached);
        Some(written)
    }

    /// Adds the numbers that begin with the digits written so far and go on with another token.
    fn add_alternatives(&mut self, written: &str, reached: f64, token: &str, likely: &[(&str, f64)]) {
        let splits = !likely.iter().any(|(token, _)| digits_of(token.trim_ascii_start()).0.len() > 1);
        for (other, share) in likely.iter().filter(|(other, _)| *other != token) {
            // What precedes the number may be in its first token.
            let other = match written {
                "" => other.trim_start_matches([' ', '\n', '\t', ':', '"']),
                _ => other,
            };
            let (more, after) = digits_of(other);
            let is_number = !more.is_empty() && !goes_on_otherwise(after);
            let number = [written, more].concat();
            if is_number && !(after.is_empty() && splits && self.begins_longer(&number)) {
                self.add(&number, reached * share);
            }
        }
    }

    fn add(&mut self, digits: &str, share: f64) {
        if let Some(score) = number(digits)
            && (self.lowest..=self.highest).contains(&score)
            && share > 0.0
        {
            self.shares.push((score, share));
        }
    }

    /// Whether a longer score begins with these digits.
    fn begins_longer(&self, digits: &str) -> bool {
        let Some(mut least) = number(digits).map(u64::from).filter(|start| *start > 0) else { return false };
        let mut most = least;
        let (lowest, highest) = (u64::from(self.lowest), u64::from(self.highest));
        while least <= highest {
            (least, most) = (least * 10, most * 10 + 9);
            if least <= highest && most >= lowest {
                return true;
            }
        }
        false
    }
}

/// The digits at the start of a text, and the text after them.
fn digits_of(text: &str) -> (&str, &str) {
    let after = text.trim_start_matches(|char: char| char.is_ascii_digit());
    text.split_at_checked(text.len() - after.len()).unwrap_or((text, ""))
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_digit())
}

/// Whether the text after digits in their token shows that they are not an integer: `4.5`, `4th`.
fn goes_on_otherwise(after: &str) -> bool {
    after.starts_with(|char: char| char.is_ascii_alphanumeric())
        || after.strip_prefix('.').is_some_and(begins_with_digit)
}

fn number(digits: &str) -> Option<u32> {
    if digits.len() > MAX_DIGITS { None } else { digits.parse().ok() }
}

/// The probabilities of tokens, except those of 0; `None` if they are invalid.
fn shares(likely: &[TokenLogprob]) -> Option<Vec<(&str, f64)>> {
    let shares = likely.iter().map(|likely| (likely.token.as_str(), likely.logprob.exp()));
    let shares: Vec<_> = shares.filter(|(_, share)| (0.0..=1.0 + TOLERANCE).contains(share)).collect();
    let all: f64 = shares.iter().map(|(_, share)| share).sum();
    (all <= 1.0 + TOLERANCE).then_some(shares)
}

/// The normalized distribution, if there is any score.
fn distribution(shares: Vec<(u32, f64)>) -> Option<ScoreDistribution> {
    let mass: f64 = shares.iter().map(|(_, share)| share).sum();
    let mut probabilities: Vec<ScoreProbability> = Vec::new();
    for (score, share) in in_order(&shares, |(a, _), (b, _)| a.cmp(b)) {
        match probabilities.last_mut() {
            Some(last) if last.score == score => last.probability += share,
            _ => probabilities.push(ScoreProbability { score, probability: share }),
        }
    }
    let (first, last) = (probabilities.first()?.score, probabilities.last()?.score);
    // Divided at the end, for the most exact mean of votes.
    let mean = |value: &dyn Fn(f64) -> f64| -> f64 {
        let sum: f64 =
            probabilities.iter().map(|found| found.probability * value(f64::from(found.score))).sum();
        sum / mass
    };
    let expected = mean(&|score| score).max(f64::from(first)).min(f64::from(last));
    let deviation = mean(&|score| (score - expected) * (score - expected)).sqrt();
    for found in &mut probabilities {
        found.probability /= mass;
    }
    Some(ScoreDistribution { expected, deviation, probabilities, mass: mass.min(1.0) })
}

#[cfg(test)]
mod tests;
