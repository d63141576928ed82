//! Properties of all metrics, tested on random texts.

use super::row::Row;
use super::similarity::{SimilarityConfig, SimilarityMeasure, similarities};
use super::{TextMetric, scores};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Metrics whose best score and maximum is 1.
fn shares() -> Vec<Value> {
    let mut found = Vec::new();
    for tokenize in ["13a", "intl", "zh", "char", "none"] {
        for (smooth, value) in [("exp", 0.0), ("floor", 1.0), ("add-k", 1.0), ("none", 0.0)] {
            found.push(json!({ "bleu": {
                "tokenize": tokenize, "smoothMethod": smooth, "smoothValue": value, "maxNgramOrder": 4,
                "effectiveOrder": true,
            } }));
        }
    }
    for (word_order, eps_smoothing) in [(0, false), (2, false), (2, true)] {
        found.push(json!({ "chrf": {
            "charOrder": 6, "wordOrder": word_order, "beta": 2.0, "whitespace": false, "epsSmoothing": eps_smoothing,
        } }));
    }
    for units in [json!({ "grams": 1 }), json!("subsequence"), json!("subsequencesOfSentences")] {
        found.push(json!({ "rouge": { "units": units, "useStemmer": true } }));
    }
    for exact in [false, true] {
        found.push(
            json!({ "tokenF1": { "exact": exact, "removeArticles": true, "removePunctuation": true } }),
        );
    }
    found
}

/// Metrics whose best score is 0.
fn rates() -> Vec<Value> {
    // Without normalization: sacrebleu normalizes references twice, so that some equal texts differ
    // afterwards.
    let mut found = vec![json!({ "ter": { "normalized": false, "noPunct": true, "asianSupport": true } })];
    for rate in ["words", "matches", "informationLost", "characters"] {
        found.push(json!({ "errorRate": {
            "rate": rate, "removePunctuation": false, "expandCommonEnglishContractions": true,
            "removeKaldiNonWords": true,
        } }));
    }
    found
}

/// Metrics without a reference, with the maximum score if there is one.
fn alone() -> Vec<(Value, Option<f64>)> {
    let mut found = vec![(json!("compression"), None)];
    for unit in ["characters", "letters", "words", "sentences"] {
        found.push((json!({ "length": { "unit": unit, "whitespace": true } }), None));
    }
    for n in [1, 2, 4] {
        for measure in ["distinct", "repetition"] {
            found.push((json!({ "diversity": { "measure": measure, "n": n } }), Some(1.0)));
        }
        found.push((json!({ "diversity": { "measure": { "expectationAdjusted": 9.0 }, "n": n } }), None));
    }
    found
}

fn similarity_configs() -> Vec<SimilarityConfig> {
    let measures = [
        SimilarityMeasure::Jaro,
        SimilarityMeasure::JaroWinkler(0.1),
        SimilarityMeasure::DamerauLevenshtein,
        SimilarityMeasure::CommonSubsequence,
        SimilarityMeasure::Dice(2),
        SimilarityMeasure::Jaccard(3),
        SimilarityMeasure::Cosine(1),
    ];
    let config = |measure| [true, false].map(|whitespace| SimilarityConfig { measure, whitespace });
    measures.into_iter().flat_map(config).collect()
}

fn score(metric: &Value, output: &str, references: &[&str]) -> f64 {
    let metric: TextMetric = serde_json::from_value(metric.clone()).unwrap();
    let found = scores(metric, &[Row { output, references }]).unwrap();
    serde_json::to_value(found).unwrap()[0]["score"].as_f64().unwrap()
}

fn similarity(config: &SimilarityConfig, output: &str, references: &[&str]) -> f64 {
    similarities(config, &[Row { output, references }]).unwrap()[0]
}

/// Allows for rounding above 1.
const MOST: f64 = 1.0 + 1e-12;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[abc]{0,12}",
        "([a-c]{1,3}[ .,!?'-]{1,2}){0,12}",
        "(the|cat|sat|mats|on|it's|3\\.5|猫|坐。|Straße|[laugh]|<unk>|é|😀| |\n){0,20}",
        "\\PC{0,20}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn shares_are_at_most_1_whatever_the_order_of_references(a in text(), b in text(), c in text()) {
        for metric in shares() {
            let found = score(&metric, &a, &[&b, &c]);
            prop_assert!((0.0..=MOST).contains(&found), "{metric} {found}");
            prop_assert_eq!(found, score(&metric, &a, &[&c, &b]), "{}", metric);
        }
    }

    #[test]
    fn equal_texts_have_the_best_share(a in "([a-c]{1,3} ){4,12}") {
        for metric in shares() {
            // With `epsSmoothing`, orders for which a text is too short count, too.
            if metric["chrf"]["epsSmoothing"] == true {
                continue;
            }
            let found = score(&metric, &a, &[&a]);
            prop_assert!((found - 1.0).abs() < 1e-12, "{metric} {found}");
        }
    }

    #[test]
    fn rates_are_0_for_equal_texts_whatever_the_order_of_references(a in text(), b in text(), c in text()) {
        for metric in rates() {
            prop_assert_eq!(score(&metric, &a, &[&a]), 0.0, "{}", metric);
            let found = score(&metric, &a, &[&b, &c]);
            let is_share = ["matches", "informationLost"].contains(&metric["errorRate"]["rate"].as_str().unwrap_or_default());
            prop_assert!(found >= 0.0 && (!is_share || found <= MOST), "{metric} {found}");
            prop_assert!((found - score(&metric, &a, &[&c, &b])).abs() < 1e-12, "{}", metric);
        }
    }

    #[test]
    fn similarities_are_symmetric_and_1_for_equal_texts(a in text(), b in text(), c in text()) {
        for config in similarity_configs() {
            prop_assert!((similarity(&config, &a, &[&a]) - 1.0).abs() < 1e-12, "{config:?}");
            let found = similarity(&config, &a, &[&b]);
            prop_assert!((0.0..=1.0).contains(&found), "{config:?} {found}");
            prop_assert!((found - similarity(&config, &b, &[&a])).abs() < 1e-12, "{config:?}");
            prop_assert_eq!(similarity(&config, &a, &[&b, &c]), similarity(&config, &a, &[&c, &b]));
        }
    }

    #[test]
    fn figures_of_texts_alone_are_within_their_bounds(a in text(), b in text()) {
        for (metric, most) in alone() {
            let found = score(&metric, &a, &[]);
            prop_assert!(found >= 0.0 && found <= most.unwrap_or(f64::MAX), "{metric} {found}");
            let both = score(&metric, &a, &[&b]);
            prop_assert!(both >= 0.0 && both <= most.unwrap_or(f64::MAX), "{metric} {both}");
        }
        for formula in ["fleschReadingEase", "fleschKincaidGrade", "gunningFog", "smogIndex"] {
            let metric = json!({ "readability": { "formula": formula, "language": "en", "knownWords": [] } });
            prop_assert!(score(&metric, &a, &[]).is_finite(), "{formula}");
        }
    }
}
