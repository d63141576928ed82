//! A ranking with its relevance judgments.

use super::{DuplicateDocuments, RetrievalConfig};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::metrics::packed::take;
use crate::sort::sorted;
use crate::text::beginning;
use std::cmp::Ordering;

/// The retrieved and the judged documents of a query.
pub struct Query<'t> {
    /// The ids of the retrieved documents.
    ids: &'t [&'t str],
    /// Their scores, which determine the ranking; NaN to keep the given order.
    scores: &'t [f64],
    /// The ids of the judged documents.
    judged_ids: &'t [&'t str],
    /// Their relevance grades. A document below 0 is listed but counts as unjudged.
    relevance: &'t [f64],
}

/// Relevance grades.
pub struct Judged<'t> {
    /// Those of the retrieved documents, in the order of the ranking; NaN for unlisted documents.
    pub ranking: Vec<f64>,
    /// The numbers of the retrieved documents among the listed ones; larger than all of these for unlisted documents.
    pub numbers: Vec<usize>,
    /// Those of all listed documents.
    pub relevance: Vec<f64>,
    /// The ids of all listed documents.
    pub ids: Vec<&'t str>,
}

/// Splits flat lists into queries: `retrieved` and `judged` have the number of ids of each query.
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
    /// Looks up the judgments of the retrieved documents.
    pub fn judged(&self, config: &RetrievalConfig, documents: &mut Documents<'t>) -> Result<Judged<'t>> {
        documents.clear();
        let mut relevance = Vec::with_capacity(self.relevance.len());
        let mut ids = Vec::with_capacity(self.relevance.len());
        for (place, (id, grade)) in self.judged_ids.iter().zip(self.relevance).enumerate() {
            let Err((number, before)) = documents.seen(id, place) else {
                relevance.push(*grade);
                ids.push(*id);
                continue;
            };
            if config.duplicates == DuplicateDocuments::Error || relevance.get(number) != Some(grade) {
                return Err(twice("the reference", id, before, place, ""));
            }
        }
        for place in &mut documents.places {
            *place = NOWHERE;
        }
        let mut ranking = Vec::with_capacity(self.ids.len());
        let mut numbers = Vec::with_capacity(self.ids.len());
        for place in self.order(config) {
            let id = self.ids.get(place).copied().unwrap_or_default();
            match documents.seen(id, place) {
                Ok(number) => {
                    numbers.push(number);
                    ranking.push(relevance.get(number).copied().unwrap_or(f64::NAN));
                }
                Err((_, before)) if config.duplicates == DuplicateDocuments::Error => {
                    return Err(twice("the ranking", id, before.min(place), before.max(place), UNLESS_FIRST));
                }
                Err(_) => {}
            }
        }
        Ok(Judged { ranking, numbers, relevance, ids })
    }

    /// The indices of the documents by rank: highest score first; of equal scores, the last id by its bytes.
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

/// The documents of a query seen so far, and their positions. Reuses its memory for the next query.
#[derive(Default)]
pub struct Documents<'t> {
    interner: Interner<&'t str>,
    places: Vec<usize>,
}

/// The position of a document that was not seen yet.
const NOWHERE: usize = usize::MAX;

impl<'t> Documents<'t> {
    fn clear(&mut self) {
        self.interner.clear();
        self.places.clear();
    }

    /// The number of a document that is new. Otherwise an error with its number and its earlier position.
    fn seen(&mut self, id: &'t str, place: usize) -> Result<usize, (usize, usize)> {
        let number = self.interner.intern(id);
        match self.places.get_mut(number) {
            None => self.places.push(place),
            Some(before) if *before == NOWHERE => *before = place,
            Some(before) => return Err((number, *before)),
        }
        Ok(number)
    }
}

/// The option with which a ranking may have the passages of a document.
const UNLESS_FIRST: &str = " (with duplicates: \"first\", the first one counts)";

fn twice(side: &str, id: &str, before: usize, place: usize, advice: &str) -> Error {
    let shown = beginning(id, 100).unwrap_or(id);
    let places = [" at ", &before.to_string(), " and at ", &place.to_string()].concat();
    Error::invalid_input(
        [side, " has the document \"", shown, "\"", &places, "; each may occur once", advice].concat(),
    )
}
