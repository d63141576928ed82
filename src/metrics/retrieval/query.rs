//! A ranking, and what is known of the relevance of documents.

use super::{DuplicateDocuments, RetrievalConfig};
use crate::error::{Error, Result};
use crate::metrics::crossed::take;
use crate::numbering::Numbering;
use crate::sort::sorted;
use std::cmp::Ordering;

/// What was found, and what should have been.
pub struct Query<'t> {
    /// The ids of the documents found.
    ids: &'t [&'t str],
    /// Their scores, by which they are ranked; NaN where they are ranked as they stand.
    scores: &'t [f64],
    /// The ids of the documents that were judged.
    judged_ids: &'t [&'t str],
    /// Their relevance. Below 0 a document is known, but not judged.
    relevance: &'t [f64],
}

/// The relevance of documents.
pub struct Judged {
    /// Of those found, in the order of the ranking; NaN of those that nobody judged.
    pub ranking: Vec<f64>,
    /// Of all that were judged.
    pub relevance: Vec<f64>,
}

/// Queries as they have crossed: `retrieved` and `judged` say how many ids each has of both, which follow each other.
pub fn queries<'t>(
    mut ids: &'t [&'t str],
    retrieved: &[u32],
    judged: &[u32],
    mut scores: &'t [f64],
    mut relevance: &'t [f64],
) -> Vec<Query<'t>> {
    let query = |(retrieved, judged): (&u32, &u32)| Query {
        ids: take(&mut ids, *retrieved),
        scores: take(&mut scores, *retrieved),
        judged_ids: take(&mut ids, *judged),
        relevance: take(&mut relevance, *judged),
    };
    retrieved.iter().zip(judged).map(query).collect()
}

impl<'t> Query<'t> {
    /// Looks up the documents found among those that were judged.
    pub fn judged(&self, config: &RetrievalConfig, documents: &mut Documents<'t>) -> Result<Judged> {
        documents.clear();
        let mut relevance = Vec::with_capacity(self.relevance.len());
        for (place, (id, grade)) in self.judged_ids.iter().zip(self.relevance).enumerate() {
            let Err((number, before)) = documents.seen(id, place) else {
                relevance.push(*grade);
                continue;
            };
            if config.duplicates == DuplicateDocuments::Error || relevance.get(number) != Some(grade) {
                return Err(twice("the reference", id, before, place));
            }
        }
        let judged = relevance.len();
        for place in &mut documents.places {
            *place = NOWHERE;
        }
        let mut ranking = Vec::with_capacity(self.ids.len());
        for place in self.order(config) {
            let id = self.ids.get(place).copied().unwrap_or_default();
            match documents.seen(id, place) {
                Ok(number) => ranking.push(if number < judged {
                    relevance.get(number).copied().unwrap_or(f64::NAN)
                } else {
                    f64::NAN
                }),
                Err((_, before)) if config.duplicates == DuplicateDocuments::Error => {
                    return Err(twice("the ranking", id, before.min(place), before.max(place)));
                }
                Err(_) => {}
            }
        }
        Ok(Judged { ranking, relevance })
    }

    /// The places of the documents by their ranks: the highest score first, and of equal scores the last id, by its bytes.
    fn order(&self, config: &RetrievalConfig) -> Vec<usize> {
        if self.scores.first().is_none_or(|score| score.is_nan()) {
            return (0..self.ids.len()).collect();
        }
        let score = |place: usize| {
            let score = self.scores.get(place).copied().unwrap_or_default();
            if config.single_precision { f64::from(score as f32) } else { score }
        };
        sorted(self.ids.len(), &|a, b| {
            let by_score = score(b).partial_cmp(&score(a)).unwrap_or(Ordering::Equal);
            by_score.then_with(|| self.ids.get(b).cmp(&self.ids.get(a)))
        })
    }
}

/// Which documents of a query have been seen, and where. Keeps its memory from one query to the next.
#[derive(Default)]
pub struct Documents<'t> {
    numbering: Numbering<&'t str>,
    places: Vec<usize>,
}

/// The place of a document that has not been seen yet.
const NOWHERE: usize = usize::MAX;

impl<'t> Documents<'t> {
    fn clear(&mut self) {
        self.numbering.clear();
        self.places.clear();
    }

    /// The number of a document that is seen for the first time; else an error with it and the place where that was.
    fn seen(&mut self, id: &'t str, place: usize) -> Result<usize, (usize, usize)> {
        let number = self.numbering.number(id);
        match self.places.get_mut(number) {
            None => self.places.push(place),
            Some(before) if *before == NOWHERE => *before = place,
            Some(before) => return Err((number, *before)),
        }
        Ok(number)
    }
}

fn twice(side: &str, id: &str, before: usize, place: usize) -> Error {
    let shown: String = id.chars().take(100).collect();
    let places = [" at ", &before.to_string(), " and at ", &place.to_string()].concat();
    Error::invalid_input(
        [side, " has the document \"", &shown, "\"", &places, "; each may stand once"].concat(),
    )
}
