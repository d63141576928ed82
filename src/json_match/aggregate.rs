//! Combines the scores of keys and elements.

use super::differences::Failure;
use super::{Aggregator, Comparison, ScoredKey};
use crate::sort::in_order;
use std::cmp::Ordering;

/// The element, the key, and how well its values agree.
type Outcome<'v> = (usize, &'v str, f64);

/// The scores of all elements, one comparison each; a single object is one element.
///
/// An element's key counts if it is on either side, and an element counts if it has any such key. If there is
/// nothing to compare, both sides agree, and the score is 1.
pub(super) fn aggregate<'v>(
    over_keys: Option<Aggregator>,
    over_elements: Aggregator,
    comparisons: &[Comparison<'v>],
    comment: &dyn Fn(&mut dyn Iterator<Item = Failure<'v>>) -> Option<String>,
) -> Vec<ScoredKey> {
    let scored = |name: String, score: f64, outcomes: &mut dyn Iterator<Item = Outcome<'v>>| {
        let mut failures =
            outcomes.filter(|(.., score)| *score < 1.0).map(|(element, key, _)| (element, key));
        let comment = if score < 1.0 { comment(&mut failures) } else { None };
        ScoredKey { comment, ..ScoredKey::new(name, score) }
    };
    let mut outcomes = comparisons.iter().enumerate().flat_map(|(element, comparison)| {
        comparison.iter().map(move |(key, agreement)| (element, *key, *agreement))
    });
    match over_keys {
        Some(aggregator) => {
            let elements = comparisons.iter().filter(|comparison| !comparison.is_empty());
            let scores = elements
                .map(|comparison| combine(aggregator, comparison.iter().map(|(_, agreement)| *agreement)));
            let name = match aggregator {
                Aggregator::Average => "json_match:average",
                Aggregator::All => "json_match:all",
            };
            let score = combine(over_elements, scores);
            vec![scored(name.to_owned(), score, &mut outcomes)]
        }
        None => {
            let outcomes: Vec<Outcome<'v>> = outcomes.collect();
            let by_key = in_order(&outcomes, |(_, a, _), (_, b, _)| in_javascript_order(a, b));
            let keys = by_key.chunk_by(|(_, a, _), (_, b, _)| a == b);
            keys.filter_map(|outcomes| {
                let (_, key, _) = outcomes.first()?;
                let score = combine(over_elements, outcomes.iter().map(|(.., agreement)| *agreement));
                Some(scored(["json_match:", key].concat(), score, &mut outcomes.iter().copied()))
            })
            .collect()
        }
    }
}

fn combine(aggregator: Aggregator, scores: impl Iterator<Item = f64>) -> f64 {
    let (sum, count, all) = scores
        .fold((0.0, 0_u32, true), |(sum, count, all), score| (sum + score, count + 1, all && score == 1.0));
    match aggregator {
        Aggregator::Average if count > 0 => sum / f64::from(count),
        _ => f64::from(all),
    }
}

/// The order of `Array.prototype.sort`, by UTF-16 code units. The reference package lists its results in this
/// order.
fn in_javascript_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}
