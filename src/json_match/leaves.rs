//! Leaves: values that the caller's evaluators compare, where equality is too strict and a judge too
//! expensive.
//!
//! The engine determines which values correspond. The caller has them scored and passes the scores back.

use super::{Comparison, Elements, JsonMatchConfig, read};
use crate::error::{Error, Result};
use crate::json::Json;
use serde::Serialize;

/// Two values for an evaluator to compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Leaf {
    /// The key of both values.
    pub key: String,
    /// The index of the pair of elements in lists; `None` if two objects are compared.
    pub element: Option<usize>,
    /// The output's value, as JSON text.
    pub output: String,
    /// The reference's value, as JSON text.
    pub reference: String,
}

/// A leaf with its position, not yet written as JSON.
struct LeafValues<'v, 'a> {
    key: &'v str,
    element: usize,
    output: &'v Json<'a>,
    reference: &'v Json<'a>,
}

impl JsonMatchConfig {
    /// The values for evaluators to compare, key by key.
    pub fn leaves(&self, outputs: &str, reference_outputs: &str) -> Result<Vec<Leaf>> {
        let (outputs, reference_outputs) = read(outputs, reference_outputs)?;
        let elements = self.elements(&outputs, &reference_outputs)?;
        let leaf = |LeafValues { key, element, output, reference }| Leaf {
            key: String::from(key),
            element: elements.in_lists.then_some(element),
            output: Json::to_text(output),
            reference: Json::to_text(reference),
        };
        Ok(self.places(&elements).into_iter().map(leaf).collect())
    }

    /// Compares all elements, with the `scores` of the leaves.
    pub(super) fn compare_all<'v>(
        &self,
        elements: &Elements<'v, '_>,
        scores: &[f64],
    ) -> Result<Vec<Comparison<'v>>> {
        let mut comparisons: Vec<_> = elements.pairs.iter().map(|pair| self.compare(*pair)).collect();
        let places = self.places(elements);
        if places.len() != scores.len() {
            return Err(Error::invalid_input("the scores are not those of the leaves"));
        }
        for (place, score) in places.iter().zip(scores) {
            for (key, agreement) in comparisons.get_mut(place.element).into_iter().flatten() {
                if *key == place.key {
                    *agreement = *score;
                }
            }
        }
        Ok(comparisons)
    }

    /// The values that both sides have.
    fn places<'v, 'a>(&'v self, elements: &Elements<'v, 'a>) -> Vec<LeafValues<'v, 'a>> {
        let mut places = Vec::new();
        for key in self.evaluated.iter().filter(|key| self.compares(key)) {
            for (element, output, reference) in elements.having(key) {
                if self.has_leaf(key, output, reference) {
                    places.push(LeafValues { key, element, output, reference });
                }
            }
        }
        places
    }

    /// Whether an evaluator compares two values of a key: not if a side is `null`, which most could not read.
    pub(super) fn has_leaf(&self, key: &str, output: &Json<'_>, reference: &Json<'_>) -> bool {
        let is_evaluated = self.evaluated.iter().any(|evaluated| evaluated == key);
        is_evaluated && *output != Json::Null && *reference != Json::Null
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Aggregator, ScoredKey};
    use super::*;

    fn config(evaluated: &[&str]) -> JsonMatchConfig {
        JsonMatchConfig {
            list_aggregator: Aggregator::Average,
            evaluated: evaluated.iter().map(|key| (*key).to_owned()).collect(),
            ..crate::json_match::tests::config()
        }
    }

    fn seen(leaves: &[Leaf]) -> Vec<(&str, Option<usize>, &str, &str)> {
        leaves
            .iter()
            .map(|Leaf { key, element, output, reference }| {
                (key.as_str(), *element, output.as_str(), reference.as_str())
            })
            .collect()
    }

    fn scores(
        config: &JsonMatchConfig,
        outputs: &str,
        reference: &str,
        leaves: &[f64],
    ) -> Vec<(String, f64)> {
        let scores = config.score(outputs, reference, leaves).unwrap();
        scores.into_iter().map(|ScoredKey { key, score, .. }| (key, score)).collect()
    }

    #[test]
    fn leaves_are_values_of_both_sides() {
        let config = config(&["price", "name", "absent"]);
        let (outputs, reference) =
            (r#"{"name":"Pen","price":2,"n":1,"extra":0}"#, r#"{"n":1,"price":2.5,"name":"pen"}"#);
        let leaves = config.leaves(outputs, reference).unwrap();
        assert_eq!(seen(&leaves), [("price", None, "2", "2.5"), ("name", None, r#""Pen""#, r#""pen""#)]);
        let expected = [("extra", 0.0), ("n", 1.0), ("name", 0.25), ("price", 0.5)];
        let expected: Vec<_> =
            expected.iter().map(|(key, score)| (format!("json_match:{key}"), *score)).collect();
        assert_eq!(scores(&config, outputs, reference, &[0.5, 0.25]), expected);
        let average = JsonMatchConfig { aggregator: Some(Aggregator::Average), ..config.clone() };
        assert_eq!(scores(&average, outputs, reference, &[0.5, 0.25])[0].1, 1.75 / 4.0);
        let all = JsonMatchConfig {
            aggregator: Some(Aggregator::All),
            exclude_keys: vec!["extra".into()],
            ..config
        };
        assert_eq!(scores(&all, outputs, reference, &[1.0, 0.999])[0].1, 0.0);
        assert_eq!(scores(&all, outputs, reference, &[1.0, 1.0])[0].1, 1.0);
    }

    #[test]
    fn null_and_excluded_values_are_not_leaves() {
        let config = JsonMatchConfig { exclude_keys: vec!["c".into()], ..config(&["a", "b", "c"]) };
        let (outputs, reference) = (r#"{"a":null,"b":null,"c":1}"#, r#"{"a":1,"b":null,"c":2}"#);
        assert!(config.leaves(outputs, reference).unwrap().is_empty());
        let expected = [("json_match:a".to_owned(), 0.0), ("json_match:b".to_owned(), 1.0)];
        assert_eq!(scores(&config, outputs, reference, &[]), expected);
    }

    #[test]
    fn pairs_elements_of_lists_by_equal_values() {
        let config = config(&["t"]);
        let (outputs, reference) = (
            r#"[{"n":1,"t":"x"},{"n":2,"t":"y"},{"t":"z"}]"#,
            r#"[{"t":"z"},{"n":2,"t":"Y"},{"n":1,"t":"X"}]"#,
        );
        let leaves = config.leaves(outputs, reference).unwrap();
        let expected = [
            ("t", Some(0), r#""x""#, r#""X""#),
            ("t", Some(1), r#""y""#, r#""Y""#),
            ("t", Some(2), r#""z""#, r#""z""#),
        ];
        assert_eq!(seen(&leaves), expected);
        let found = scores(&config, outputs, reference, &[0.0, 0.5, 1.0]);
        assert_eq!(found, [("json_match:n".to_owned(), 1.0), ("json_match:t".to_owned(), 0.5)]);
        assert!(config.score(outputs, reference, &[1.0]).is_err());
    }
}
