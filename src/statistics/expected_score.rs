//! The score that a judge is to be expected to give: over the probabilities of the scores that it could have written, as
//! in G-Eval (Liu et al. 2023, arXiv 2303.16634), or over what it gave in several samples.

use crate::logprobs::{AnswerToken, TokenLogprob};
use crate::scale::{Scales, ScoreScale};
use crate::sort::sorted;
use crate::text::find;
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[("g_eval", ScoreScale { pass_at: None, ..ScoreScale::SHARE })];

/// An answer of JSON with a `score`, which is a whole number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScoredAnswer {
    /// The tokens that it begins with.
    pub tokens: Vec<AnswerToken>,
    /// The score that was read in it.
    pub score: u32,
    /// The lowest score that there is.
    pub lowest: u32,
    /// The highest one.
    pub highest: u32,
}

/// How likely scores are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScoreDistribution {
    /// The sum of all scores, each times its probability.
    pub expected: f64,
    /// How far scores are from that: the root of the mean of the squares.
    pub deviation: f64,
    /// The scores that may be given, the lowest first.
    pub probabilities: Vec<ScoreProbability>,
    /// How much of all probability was found with scores, from 0 to 1, before it was made to be 1 in all.
    pub mass: f64,
}

/// How likely a score is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScoreProbability {
    /// The score.
    pub score: u32,
    /// Its probability; those of all scores add up to 1.
    pub probability: f64,
}

/// With less than that, what was found tells little of what is likely.
const LEAST_MASS: f64 = 0.5;

/// Probabilities are rounded where they come from, and so may add up to a little more than 1.
const TOLERANCE: f64 = 1e-3;

/// No range has scores of more digits.
const MOST_DIGITS: usize = 9;

/// How likely each score was where the answer has its own; `None` if its tokens do not tell.
///
/// Tokens count by the number that they write: `4`, ` 4` and `4.` are one score. What is no score of the range is left out,
/// and the rest is made to be 1 in all. Where a number is written in several tokens, those that follow on the one that was
/// written tell how it could have ended or gone on. How others could have gone on, nobody knows: where the vocabulary has
/// only single digits, and a longer score begins with this one, they are left out, too. If less than half of all
/// probability is left, it tells nothing.
pub fn from_tokens(answer: &ScoredAnswer) -> Option<ScoreDistribution> {
    let (first, before) = place_of_score(&answer.tokens)?;
    let mut found = Found { lowest: answer.lowest, highest: answer.highest, shares: Vec::new() };
    let written = found.follow(answer.tokens.get(first..)?, before)?;
    if number(&written) != Some(answer.score) {
        return None;
    }
    distribution(found.shares).filter(|found| found.mass >= LEAST_MASS)
}

/// How likely each score is by how often it was given; `None` without any.
pub fn from_votes(votes: &[u32]) -> Option<ScoreDistribution> {
    let found = distribution(votes.iter().map(|vote| (*vote, 1.0)).collect())?;
    Some(ScoreDistribution { mass: 1.0, ..found })
}

/// The token in which the score begins, and how many of its bytes stand before that.
fn place_of_score(tokens: &[AnswerToken]) -> Option<(usize, usize)> {
    const NAME: &str = "\"score\"";
    let said: String = tokens.iter().map(|token| token.token.as_str()).collect();
    let behind = find(&said, NAME)? + NAME.len();
    let value = said.get(behind..)?.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
    let mut at = said.len() - value.len();
    for (index, AnswerToken { token, .. }) in tokens.iter().enumerate() {
        match at.checked_sub(token.len()) {
            Some(left) => at = left,
            None => return Some((index, at)),
        }
    }
    None
}

/// The shares of all probability that scores have.
struct Found {
    lowest: u32,
    highest: u32,
    shares: Vec<(u32, f64)>,
}

impl Found {
    /// Goes along the tokens of the number that was written, which begins behind so many bytes, and returns it; on the
    /// way, adds what else could have been written.
    fn follow(&mut self, tokens: &[AnswerToken], before: usize) -> Option<String> {
        let mut written = String::new();
        // How likely what is written so far was.
        let mut reached = 1.0;
        for (index, token) in tokens.iter().enumerate() {
            let (digits, behind) = digits_of(token.token.get(if index == 0 { before } else { 0 }..)?);
            let likely = shares(&token.likely)?;
            if index > 0 {
                let going_on: f64 =
                    likely.iter().filter(|(token, _)| begins_with_digit(token)).map(|(_, p)| p).sum();
                self.add(&written, reached * (1.0 - going_on));
            }
            let splits = !likely.iter().any(|(token, _)| digits_of(token.trim_ascii_start()).0.len() > 1);
            for (other, share) in likely.iter().filter(|(other, _)| *other != token.token) {
                let other =
                    if index == 0 { other.trim_start_matches([' ', '\n', '\t', ':', '"']) } else { other };
                let (more, behind) = digits_of(other);
                let is_number = !more.is_empty() && !goes_on_otherwise(behind);
                let number = [&written, more].concat();
                if is_number && !(behind.is_empty() && splits && self.begins_longer(&number)) {
                    self.add(&number, reached * share);
                }
            }
            if digits.is_empty() {
                return Some(written);
            }
            reached *= likely.iter().find(|(likely, _)| *likely == token.token)?.1;
            written.push_str(digits);
            if goes_on_otherwise(behind) || written.len() > MOST_DIGITS {
                return None;
            }
            if !behind.is_empty() {
                break;
            }
        }
        self.add(&written, reached);
        Some(written)
    }

    fn add(&mut self, digits: &str, share: f64) {
        if let Some(score) = number(digits)
            && (self.lowest..=self.highest).contains(&score)
            && share > 0.0
        {
            self.shares.push((score, share));
        }
    }

    /// Whether a score of more digits begins with these.
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

/// The digits that a text begins with, and what stands behind them.
fn digits_of(text: &str) -> (&str, &str) {
    let behind = text.trim_start_matches(|char: char| char.is_ascii_digit());
    text.split_at_checked(text.len() - behind.len()).unwrap_or((text, ""))
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_digit())
}

/// Whether digits are no whole number, by what stands behind them in their token: `4.5`, `4th`.
fn goes_on_otherwise(behind: &str) -> bool {
    behind.starts_with(|char: char| char.is_ascii_alphanumeric())
        || behind.strip_prefix('.').is_some_and(begins_with_digit)
}

fn number(digits: &str) -> Option<u32> {
    if digits.len() > MOST_DIGITS { None } else { digits.parse().ok() }
}

/// The probabilities of tokens, without what can be none; `None` if they cannot be what they are said to be.
fn shares(likely: &[TokenLogprob]) -> Option<Vec<(&str, f64)>> {
    let shares = likely.iter().map(|likely| (likely.token.as_str(), likely.logprob.exp()));
    let shares: Vec<_> = shares.filter(|(_, share)| (0.0..=1.0 + TOLERANCE).contains(share)).collect();
    let all: f64 = shares.iter().map(|(_, share)| share).sum();
    (all <= 1.0 + TOLERANCE).then_some(shares)
}

/// What shares of scores come to, if there are any.
fn distribution(shares: Vec<(u32, f64)>) -> Option<ScoreDistribution> {
    let mass: f64 = shares.iter().map(|(_, share)| share).sum();
    let score_of = |index: usize| shares.get(index).map(|(score, _)| *score);
    let mut probabilities: Vec<ScoreProbability> = Vec::new();
    for index in sorted(shares.len(), &|a, b| score_of(a).cmp(&score_of(b))) {
        let (score, share) = *shares.get(index)?;
        match probabilities.last_mut() {
            Some(last) if last.score == score => last.probability += share,
            _ => probabilities.push(ScoreProbability { score, probability: share }),
        }
    }
    let (first, last) = (probabilities.first()?.score, probabilities.last()?.score);
    // Divided at the end, so that the mean of votes is as exact as it can be.
    let mean = |value: &dyn Fn(f64) -> f64| -> f64 {
        let sum: f64 =
            probabilities.iter().map(|found| found.probability * value(f64::from(found.score))).sum();
        sum / mass
    };
    let expected = mean(&|score| score).clamp(f64::from(first), f64::from(last));
    let deviation = mean(&|score| (score - expected) * (score - expected)).sqrt();
    for found in &mut probabilities {
        found.probability /= mass;
    }
    Some(ScoreDistribution { expected, deviation, probabilities, mass: mass.min(1.0) })
}

#[cfg(test)]
mod tests;
