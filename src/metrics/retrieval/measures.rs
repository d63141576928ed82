//! The formulas of the measures.

use super::explain::comment;
use super::query::Judged;
use super::{NdcgGain, RetrievalConfig, RetrievalMeasure, RetrievalScore};
use crate::error::{Error, Result};
use crate::sort::in_order;
use std::cmp::Ordering;

/// Scores a ranking.
pub fn measured(config: &RetrievalConfig, judged: &Judged<'_>) -> Result<RetrievalScore> {
    let is_relevant = |relevance: &&f64| config.is_relevant(**relevance);
    let relevant = judged.relevance.iter().filter(is_relevant).count();
    let nonrelevant = judged.relevance.iter().filter(|relevance| is_judged(**relevance)).count() - relevant;
    let cutoff = match (config.measure, config.k) {
        (RetrievalMeasure::RPrecision, _) => relevant,
        (_, Some(k)) => k as usize,
        _ => usize::MAX,
    };
    let ranking = judged.ranking.get(..cutoff).unwrap_or(&judged.ranking);
    let hits = ranking.iter().filter(is_relevant).count();
    let rank = ranking.iter().position(|relevance| config.is_relevant(*relevance)).map(|place| place + 1);
    let share = |of: usize| hits as f64 / of as f64;
    let (mut dcg, mut idcg) = (None, None);
    let score = match config.measure {
        RetrievalMeasure::Ndcg => {
            let best = in_order(&judged.relevance, |a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
            let best = best.get(..cutoff).unwrap_or(&best);
            let (own, most) = (discounted(config, ranking), discounted(config, best));
            if !own.is_finite() || !most.is_finite() {
                return Err(Error::invalid_input("the gains of the reference are too large to be added up"));
            }
            (dcg, idcg) = (Some(own), Some(most));
            own / most
        }
        RetrievalMeasure::AveragePrecision => precisions(config, ranking) / relevant as f64,
        RetrievalMeasure::ReciprocalRank => rank.map_or(0.0, |rank| 1.0 / rank as f64),
        RetrievalMeasure::Precision => share(config.k.map_or(ranking.len().max(1), |k| k as usize)),
        RetrievalMeasure::Recall | RetrievalMeasure::RPrecision => share(relevant),
        RetrievalMeasure::HitRate => f64::from(hits > 0),
        RetrievalMeasure::Bpref => preferences(config, ranking, relevant, nonrelevant) / relevant as f64,
    };
    // Gains that underflow to zero make 0 / 0.
    let score = Some(score).filter(|score| relevant > 0 && !score.is_nan());
    Ok(RetrievalScore {
        score,
        comment: match score {
            None => Some("Not defined: no document is relevant.".to_owned()),
            Some(score) => (score < 1.0).then(|| comment(config, judged, cutoff)),
        },
        retrieved: judged.ranking.len() as u32,
        relevant: relevant as u32,
        hits: hits as u32,
        judged: ranking.iter().filter(|relevance| is_judged(**relevance)).count() as u32,
        nonrelevant: nonrelevant as u32,
        rank: rank.map(|rank| rank as u32),
        dcg,
        idcg,
    })
}

fn is_judged(relevance: f64) -> bool {
    relevance >= 0.0
}

/// The discounted cumulative gain: each gain divided by the binary logarithm of its rank plus 1.
fn discounted(config: &RetrievalConfig, ranking: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (place, relevance) in ranking.iter().enumerate() {
        if config.is_relevant(*relevance) {
            let gain = match config.gain {
                NdcgGain::Linear => *relevance,
                NdcgGain::Exponential => (*relevance * std::f64::consts::LN_2).exp_m1(),
            };
            sum += gain / (place as f64 + 2.0).log2();
        }
    }
    sum
}

/// The sum of the precision at each relevant document.
fn precisions(config: &RetrievalConfig, ranking: &[f64]) -> f64 {
    let (mut hits, mut sum) = (0.0, 0.0);
    for (place, relevance) in ranking.iter().enumerate() {
        if config.is_relevant(*relevance) {
            hits += 1.0;
            sum += hits / (place as f64 + 1.0);
        }
    }
    sum
}

/// The sum over the retrieved relevant documents: for each, 1 minus the share of judged nonrelevant documents
/// ranked above it. At most as many nonrelevant documents count as there are relevant ones; unjudged
/// documents are ignored.
fn preferences(config: &RetrievalConfig, ranking: &[f64], relevant: usize, nonrelevant: usize) -> f64 {
    let (mut before, mut sum) = (0, 0.0);
    let most = relevant.min(nonrelevant) as f64;
    for relevance in ranking.iter().filter(|relevance| is_judged(**relevance)) {
        if !config.is_relevant(*relevance) {
            before += 1;
        } else if before == 0 {
            sum += 1.0;
        } else {
            sum += 1.0 - before.min(relevant) as f64 / most;
        }
    }
    sum
}
