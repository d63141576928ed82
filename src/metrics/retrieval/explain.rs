//! The comments on scores: where the relevant documents are.

use super::query::Judged;
use super::{RetrievalConfig, RetrievalMeasure};
use crate::text::{excerpt, joined};

/// The ranks of the relevant documents up to the cutoff, and those that are missing there:
/// `Relevant: d26 at rank 3; not retrieved: d7.`
pub fn comment(config: &RetrievalConfig, judged: &Judged<'_>, cutoff: usize) -> String {
    let ranking = judged.numbers.get(..cutoff).unwrap_or(&judged.numbers);
    let mut is_missing: Vec<bool> =
        judged.relevance.iter().map(|relevance| config.is_relevant(*relevance)).collect();
    let (mut relevant, mut nonrelevant) = (Vec::new(), Vec::new());
    for (place, number) in ranking.iter().enumerate() {
        match is_missing.get_mut(*number) {
            Some(missing) if *missing => {
                *missing = false;
                relevant.push(place);
            }
            Some(_) if judged.ranking.get(place) >= Some(&0.0) => nonrelevant.push(place),
            _ => {}
        }
    }
    let missing: Vec<usize> =
        is_missing.iter().enumerate().filter(|(_, missing)| **missing).map(|(number, _)| number).collect();
    let id = |number: usize| excerpt(judged.ids.get(number).copied().unwrap_or_default());
    let retrieved = |place: usize| ranking.get(place).copied().map(id).unwrap_or_default();
    let at_rank = |place: usize| [&retrieved(place), " at rank ", &(place + 1).to_string()].concat();
    let nowhere = if cutoff == usize::MAX {
        "not retrieved".to_owned()
    } else {
        ["not among the first ", &cutoff.to_string()].concat()
    };
    let mut parts = Vec::from_iter(part("relevant", &relevant, &at_rank));
    match config.measure {
        RetrievalMeasure::Bpref => parts.extend(part("judged not relevant", &nonrelevant, &at_rank)),
        RetrievalMeasure::Ndcg => parts.extend(misplaced(judged, &relevant).map(|(one, other)| {
            [&retrieved(one), " precedes ", &retrieved(other), ", which is more relevant"].concat()
        })),
        _ => {}
    }
    parts.extend(part(&nowhere, &missing, &id));
    let mut comment = joined(&parts, "; ");
    if let Some(first) = comment.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    comment + "."
}

/// A title with the first few names.
fn part(title: &str, all: &[usize], name: &dyn Fn(usize) -> String) -> Option<String> {
    const MAX_NAMED: usize = 3;
    let names: Vec<String> = all.iter().take(MAX_NAMED).map(|one| name(*one)).collect();
    let more = match all.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        count => [" and ", &count.to_string(), " more"].concat(),
    };
    (!names.is_empty()).then(|| [title, ": ", &joined(&names, ", "), &more].concat())
}

/// The places of a relevant document and of the next one, if that is more relevant. Two neighbours are, if any two are.
fn misplaced(judged: &Judged<'_>, relevant: &[usize]) -> Option<(usize, usize)> {
    let neighbours = relevant.iter().copied().zip(relevant.iter().copied().skip(1));
    neighbours.into_iter().find(|(one, other)| judged.ranking.get(*one) < judged.ranking.get(*other))
}
