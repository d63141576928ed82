use super::query::queries;
use super::scores as scores_of;
use super::*;
use crate::error::Result;
use proptest::prelude::*;

const CONFIG: RetrievalConfig = RetrievalConfig {
    measure: RetrievalMeasure::Ndcg,
    k: None,
    relevance_level: None,
    gain: NdcgGain::Linear,
    single_precision: false,
    duplicates: DuplicateDocuments::Error,
};

const MEASURES: [RetrievalMeasure; 8] = [
    RetrievalMeasure::Ndcg,
    RetrievalMeasure::AveragePrecision,
    RetrievalMeasure::ReciprocalRank,
    RetrievalMeasure::Precision,
    RetrievalMeasure::Recall,
    RetrievalMeasure::HitRate,
    RetrievalMeasure::RPrecision,
    RetrievalMeasure::Bpref,
];

type Documents<'d> = &'d [(&'d str, f64)];

fn scored(config: &RetrievalConfig, found: Documents<'_>, judged: Documents<'_>) -> Result<RetrievalScore> {
    let ids: Vec<&str> = found.iter().chain(judged).map(|(id, _)| *id).collect();
    let [scores, relevance] = [found, judged].map(|side| side.iter().map(|(_, n)| *n).collect::<Vec<_>>());
    let counts = [found, judged].map(|side| [side.len() as u32]);
    let queries = queries(&ids, &counts[0], &counts[1], &scores, &relevance);
    Ok(scores_of(config, &queries)?.remove(0))
}

const UNSCORED: f64 = f64::NAN;

#[test]
fn ties_are_broken_by_the_bytes_of_ids() {
    let rank = |config: &RetrievalConfig, found: Documents<'_>| {
        scored(config, found, &[("a", 1.0)]).map(|score| score.rank)
    };
    assert_eq!(rank(&CONFIG, &[("a", 1.0), ("b", 1.0)]), Ok(Some(2)));
    // In UTF-16, the surrogates would sort before the tilde.
    assert_eq!(rank(&CONFIG, &[("a", 1.0), ("\u{ff5e}", 1.0), ("\u{1f600}", 1.0)]), Ok(Some(3)));
    assert_eq!(rank(&CONFIG, &[("a", UNSCORED), ("b", UNSCORED)]), Ok(Some(1)));
    let close = [("a", 1.000_000_01), ("b", 1.0)];
    assert_eq!(rank(&CONFIG, &close), Ok(Some(1)));
    assert_eq!(rank(&RetrievalConfig { single_precision: true, ..CONFIG }, &close), Ok(Some(2)));
}

#[test]
fn duplicates_are_an_error_or_count_once() {
    let found = [("b", 1.0), ("a", 3.0), ("b", 2.0)];
    let error = scored(&CONFIG, &found, &[("b", 1.0)]).unwrap_err();
    let advice = " (with duplicates: \"first\", the first one counts)";
    let message = ["the ranking has the document \"b\" at 0 and at 2; each may occur once", advice].concat();
    assert_eq!(error.message, message);
    let first = RetrievalConfig { duplicates: DuplicateDocuments::First, ..CONFIG };
    let score = scored(&first, &found, &[("b", 1.0), ("b", 1.0)]).unwrap();
    assert_eq!((score.retrieved, score.relevant, score.rank), (2, 1, Some(2)));
    let error = scored(&first, &found, &[("b", 1.0), ("b", 2.0)]).unwrap_err();
    assert_eq!(error.message, "the reference has the document \"b\" at 0 and at 1; each may occur once");
}

#[test]
fn bpref_ignores_unjudged_documents() {
    let found = ["x", "n", "r", "u", "s"].map(|id| (id, UNSCORED));
    let judged = [("r", 1.0), ("s", 2.0), ("n", 0.0), ("u", -1.0), ("m", 0.0)];
    let bpref = RetrievalConfig { measure: RetrievalMeasure::Bpref, ..CONFIG };
    let score = scored(&bpref, &found, &judged).unwrap();
    assert_eq!(score.score, Some(0.5));
    assert_eq!((score.judged, score.nonrelevant, score.hits), (3, 2, 2));
}

#[test]
fn gains_that_cannot_be_added_up_are_an_error() {
    let config = RetrievalConfig { gain: NdcgGain::Exponential, ..CONFIG };
    assert!(scored(&config, &[("a", UNSCORED)], &[("a", 1100.0)]).is_err());
}

prop_compose! {
    fn grades()(grades in proptest::collection::vec(-1i8..4, 0..20), found in 0usize..20, k in 1u32..25) -> (Vec<i8>, usize, u32) {
        (grades, found, k)
    }
}

proptest! {
    #[test]
    fn scores_are_within_bounds_and_the_best_ranking_has_the_best((grades, found, k) in grades()) {
        let ids: Vec<String> = (0..grades.len().max(found)).map(|number| number.to_string()).collect();
        let judged: Vec<(&str, f64)> = ids.iter().zip(&grades).map(|(id, grade)| (id.as_str(), f64::from(*grade))).collect();
        let ranking: Vec<(&str, f64)> = ids.iter().take(found).map(|id| (id.as_str(), UNSCORED)).collect();
        let mut best = judged.clone();
        best.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        for measure in MEASURES {
            for k in [None, Some(k)] {
                let config = RetrievalConfig { measure, k, ..CONFIG };
                let score = scored(&config, &ranking, &judged).unwrap();
                prop_assert_eq!(score.score.is_none(), grades.iter().all(|grade| *grade < 1));
                let own = score.score.unwrap_or(0.0);
                prop_assert!((0.0..=1.0 + 1e-12).contains(&own));
                let most = scored(&config, &best, &judged).unwrap();
                let most = most.score.unwrap_or(0.0);
                // Precision without a cutoff does not depend on the order.
                if k.is_some() || measure != RetrievalMeasure::Precision {
                    prop_assert!(own <= most + 1e-12, "{measure:?}: {own} is above {most}");
                    prop_assert!(k.is_some() || score.score.is_none() || (most - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn comments_say_where_the_relevant_documents_are() {
    let commented = |measure, k, found: &[&str], judged: Documents<'_>| {
        let found: Vec<_> = found.iter().map(|id| (*id, UNSCORED)).collect();
        scored(&RetrievalConfig { measure, k, ..CONFIG }, &found, judged).unwrap().comment
    };
    let two = [("d7", 1.0), ("d26", 1.0)];
    let is = |comment: &str| Some(comment.to_owned());
    assert_eq!(
        commented(RetrievalMeasure::Recall, Some(2), &["x", "d26"], &two),
        is("Relevant: d26 at rank 2; not among the first 2: d7.")
    );
    assert_eq!(commented(RetrievalMeasure::Recall, None, &["d26", "d7"], &two), None);
    assert_eq!(
        commented(RetrievalMeasure::ReciprocalRank, None, &["x"], &two),
        is("Not retrieved: d7, d26.")
    );
    let many = [("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0), ("e", 1.0)];
    assert_eq!(
        commented(RetrievalMeasure::HitRate, Some(1), &["x", "a"], &many),
        is("Not among the first 1: a, b, c and 2 more.")
    );
    let grades = [("good", 1.0), ("best", 2.0), ("no", 0.0), ("unseen", -1.0)];
    let swapped = "Relevant: good at rank 1, best at rank 2; good precedes best, which is more relevant.";
    assert_eq!(commented(RetrievalMeasure::Ndcg, None, &["good", "best"], &grades), is(swapped));
    let after = "Relevant: best at rank 3; judged not relevant: no at rank 2; not retrieved: good.";
    assert_eq!(commented(RetrievalMeasure::Bpref, None, &["unseen", "no", "best"], &grades), is(after));
    let long = "x".repeat(41);
    assert_eq!(
        commented(RetrievalMeasure::Recall, None, &[], &[(&long, 1.0)]),
        is(&format!("Not retrieved: {}….", "x".repeat(40)))
    );
    assert_eq!(
        commented(RetrievalMeasure::Recall, None, &["a"], &[]),
        is("Not defined: no document is relevant.")
    );
}
