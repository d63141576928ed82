//! JSON match: how well structured outputs agree with a reference, key by key.

mod aggregate;
mod differences;
mod leaves;
mod pairing;
mod rubric;

use crate::error::{Error, Result};
use crate::json::{self, Json, Object};
use crate::judge::Metadata;
use crate::scale::{Scales, ScoreScale};
pub use leaves::Leaf;
pub use rubric::{KeyCriteria, Rubric};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The score scales, by result key.
pub const SCALES: &Scales = &[("json_match", ScoreScale::SHARE)];

/// How scores are combined, over the keys of an element or the elements of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Aggregator {
    /// The mean.
    Average,
    /// 1 if every score is 1, else 0.
    All,
}

/// Which elements of two lists are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ListMatchMode {
    /// Elements are matched optimally. An unmatched element on either side scores 0.
    SameElements,
    /// Like `SameElements`, but reference elements may be unmatched.
    Subset,
    /// Like `SameElements`, but output elements may be unmatched.
    Superset,
    /// Elements are paired by position.
    Ordered,
}

/// The options of the evaluator.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct JsonMatchConfig {
    /// How the keys of each element are combined; `None` reports a score for each key.
    pub aggregator: Option<Aggregator>,
    /// How the elements of a list are combined.
    pub list_aggregator: Aggregator,
    /// Keys that are not compared.
    pub exclude_keys: Vec<String>,
    /// Which elements of two lists are compared with each other.
    pub list_match_mode: ListMatchMode,
    /// The keys that a judge compares, with its criteria.
    pub rubric: Rubric,
    /// The keys that evaluators of the caller compare.
    pub evaluated: Vec<String>,
}

/// A result key, with the judge's comment and metadata.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScoredKey {
    /// The result key, such as `json_match:average` or `json_match:price`.
    pub key: String,
    /// From 0 to 1.
    #[serde(skip)]
    pub score: f64,
    /// The first differences, a line each, and the judge's reasoning. If several values were judged, a line for
    /// each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The judge's usage; `None` if no judge was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The results of rows. Scores cross as numbers, since formatting all digits takes much code. Keys cross as
/// JSON text, the only form that can hold lone surrogates.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RowScores {
    /// The result keys of each row.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "JsonOf<ScoredKey[][]>"))]
    pub keys: String,
    /// The scores of all rows, from 0 to 1, concatenated.
    pub scores: Vec<f64>,
}

impl RowScores {
    /// Splits the results of these rows into keys and scores.
    pub fn new(rows: &[Vec<ScoredKey>]) -> Result<Self> {
        Ok(Self {
            keys: json::write(&rows)?,
            scores: rows.iter().flatten().map(|scored| scored.score).collect(),
        })
    }
}

impl ScoredKey {
    /// A result without a judge.
    fn new(key: String, score: f64) -> Self {
        Self { key, score, comment: None, metadata: None }
    }
}

/// The result of one element: each key that either side has, with its score from 0 to 1.
type Comparison<'v> = Vec<(&'v str, f64)>;

/// The key of an unmatched element `{}`, as Python's openevals names it.
const EMPTY_RECORD: &str = "__openevals_empty_record";

/// An element with its index in its list.
type Element<'v, 'a> = (usize, &'v Object<'a>);

/// A pair of elements; one side may be missing.
type Pair<'v, 'a> = (Option<Element<'v, 'a>>, Option<Element<'v, 'a>>);

/// The compared values: the elements of two lists, or two objects.
struct Elements<'v, 'a> {
    pairs: Vec<Pair<'v, 'a>>,
    in_lists: bool,
}

impl<'v, 'a> Elements<'v, 'a> {
    /// The values of a key that both sides have, with the index of their pair.
    fn having(&self, key: &str) -> impl Iterator<Item = (usize, &'v Json<'a>, &'v Json<'a>)> {
        (0..self.pairs.len()).filter_map(move |element| {
            let (output, reference) = self.values(element, key);
            Some((element, output?, reference?))
        })
    }

    /// The values of a key in a pair.
    fn values(&self, element: usize, key: &str) -> (Option<&'v Json<'a>>, Option<&'v Json<'a>>) {
        let value = |side: Option<Element<'v, 'a>>| side.and_then(|(_, object)| object.get(key));
        let (output, reference) = self.pairs.get(element).copied().unwrap_or_default();
        (value(output), value(reference))
    }
}

impl JsonMatchConfig {
    /// Scores two JSON texts, with the scores of their [`JsonMatchConfig::leaves`]. The configuration has no
    /// rubric.
    pub fn score(&self, outputs: &str, reference_outputs: &str, leaves: &[f64]) -> Result<Vec<ScoredKey>> {
        let (outputs, reference_outputs) = read(outputs, reference_outputs)?;
        self.score_values(&outputs, &reference_outputs, leaves)
    }

    /// [`JsonMatchConfig::score`] for each row of a JSON text `[[outputs, referenceOutputs], …]`, without evaluators.
    pub fn score_batch(&self, rows: &str) -> Result<Vec<Vec<ScoredKey>>> {
        json::parse_pairs(rows, |outputs, reference| self.score_values(outputs, reference, &[]))
    }

    fn score_values(
        &self,
        outputs: &Json<'_>,
        reference_outputs: &Json<'_>,
        leaves: &[f64],
    ) -> Result<Vec<ScoredKey>> {
        let elements = self.elements(outputs, reference_outputs)?;
        let comparisons = self.compare_all(&elements, leaves)?;
        Ok(self.aggregate(&elements, &comparisons))
    }

    fn elements<'v, 'a>(
        &self,
        outputs: &'v Json<'a>,
        reference_outputs: &'v Json<'a>,
    ) -> Result<Elements<'v, 'a>> {
        match (outputs, reference_outputs) {
            (Json::Array(outputs), Json::Array(reference_outputs)) => {
                let outputs = objects("outputs", outputs)?;
                let reference_outputs = objects("referenceOutputs", reference_outputs)?;
                Ok(Elements { pairs: pairing::pair(self, &outputs, &reference_outputs)?, in_lists: true })
            }
            (Json::Object(outputs), Json::Object(reference_outputs)) => Ok(Elements {
                pairs: vec![(Some((0, outputs)), Some((0, reference_outputs)))],
                in_lists: false,
            }),
            _ => Err(Error::invalid_input(format!(
                "JSON match compares two objects, or two lists of objects; outputs is {} and referenceOutputs is {}",
                outputs.type_name(),
                reference_outputs.type_name()
            ))),
        }
    }

    fn compare<'v>(&self, (output, reference): Pair<'v, '_>) -> Comparison<'v> {
        // An unmatched empty element has no key that could score 0.
        if let (Some((_, alone)), None) | (None, Some((_, alone))) = (output, reference)
            && alone.is_empty()
            && self.compares(EMPTY_RECORD)
        {
            return vec![(EMPTY_RECORD, 0.0)];
        }
        let members =
            |side: Option<Element<'v, '_>>| side.into_iter().flat_map(|(_, object)| object.iter()).peekable();
        let (mut outputs, mut references) = (members(output), members(reference));
        let mut comparison = Vec::new();
        // Both objects are sorted by key, so this is a merge.
        loop {
            let order = match (outputs.peek(), references.peek()) {
                (Some((output, _)), Some((reference, _))) => output.cmp(reference),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return comparison,
            };
            let output = if order.is_le() { outputs.next() } else { None };
            let reference = if order.is_ge() { references.next() } else { None };
            if let Some((key, _)) = output.or(reference).filter(|(key, _)| self.compares(key)) {
                let agrees = matches!((output, reference), (Some((_, a)), Some((_, b))) if a == b);
                comparison.push((key, f64::from(agrees)));
            }
        }
    }

    fn aggregate(&self, elements: &Elements<'_, '_>, comparisons: &[Comparison<'_>]) -> Vec<ScoredKey> {
        // A single object is one element, so the mean over elements is its score.
        let over_elements = if elements.in_lists { self.list_aggregator } else { Aggregator::Average };
        aggregate::aggregate(self.aggregator, over_elements, comparisons, &|failures| {
            self.comment(elements, failures)
        })
    }

    fn compares(&self, key: &str) -> bool {
        !self.exclude_keys.iter().any(|excluded| excluded == key)
    }

    /// How much an equal value of this key counts in the matching of elements. A normal key outweighs all
    /// keys with evaluators together.
    fn weight_of(&self, key: &str) -> usize {
        if self.evaluated.iter().any(|evaluated| evaluated == key) { 1 } else { self.evaluated.len() + 1 }
    }
}

fn read<'t>(outputs: &'t str, reference_outputs: &'t str) -> Result<(Json<'t>, Json<'t>)> {
    let outputs = json::parse(outputs).map_err(|error| error.at("outputs"))?;
    let reference_outputs = json::parse(reference_outputs).map_err(|error| error.at("referenceOutputs"))?;
    Ok((outputs, reference_outputs))
}

fn objects<'v, 'a>(name: &str, elements: &'v [Json<'a>]) -> Result<Vec<&'v Object<'a>>> {
    let object = |(index, element): (usize, &'v Json<'a>)| {
        element.as_object().ok_or_else(|| {
            let kind = element.type_name();
            Error::invalid_input(format!("JSON match compares objects; {name}[{index}] is {kind}"))
        })
    };
    elements.iter().enumerate().map(object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn config() -> JsonMatchConfig {
        JsonMatchConfig {
            aggregator: None,
            list_aggregator: Aggregator::All,
            exclude_keys: vec![],
            list_match_mode: ListMatchMode::SameElements,
            rubric: Rubric::default(),
            evaluated: vec![],
        }
    }

    fn scores(config: &JsonMatchConfig, outputs: &str, reference_outputs: &str) -> Vec<(String, f64)> {
        let scores = config.score(outputs, reference_outputs, &[]).unwrap();
        scores.into_iter().map(|ScoredKey { key, score, .. }| (key, score)).collect()
    }

    fn expect(config: &JsonMatchConfig, outputs: &str, reference_outputs: &str, expected: &[(&str, f64)]) {
        let expected: Vec<_> = expected.iter().map(|(key, score)| ((*key).to_owned(), *score)).collect();
        assert_eq!(scores(config, outputs, reference_outputs), expected);
    }

    #[test]
    fn objects_key_by_key() {
        expect(
            &config(),
            r#"{"b":2,"a":1,"extra":0,"x_1":{"k":[1]}}"#,
            r#"{"a":1.0,"b":3,"missing":0,"x_1":{"k":[1]}}"#,
            &[
                ("json_match:a", 1.0),
                ("json_match:b", 0.0),
                ("json_match:extra", 0.0),
                ("json_match:missing", 0.0),
                ("json_match:x_1", 1.0),
            ],
        );
    }

    #[test]
    fn aggregators() {
        let (outputs, reference_outputs) = (r#"{"a":1,"b":2,"c":3,"d":4}"#, r#"{"a":1,"b":2,"c":3,"d":5}"#);
        let average = JsonMatchConfig { aggregator: Some(Aggregator::Average), ..config() };
        expect(&average, outputs, reference_outputs, &[("json_match:average", 0.75)]);
        let all = JsonMatchConfig { aggregator: Some(Aggregator::All), ..config() };
        expect(&all, outputs, reference_outputs, &[("json_match:all", 0.0)]);
        let without_d = JsonMatchConfig { exclude_keys: vec!["d".into()], ..all };
        expect(&without_d, outputs, reference_outputs, &[("json_match:all", 1.0)]);
    }

    #[test]
    fn the_example_of_the_readme() {
        let config = JsonMatchConfig {
            aggregator: Some(Aggregator::All),
            list_aggregator: Aggregator::Average,
            exclude_keys: vec!["a".into()],
            ..config()
        };
        expect(
            &config,
            r#"[{"a":"Mango, Bananas","b":2},{"a":"Apples","b":2,"c":[1,2,3]}]"#,
            r#"[{"a":"Mango, Bananas","b":2},{"a":"Apples","b":2,"c":[1,2,4]}]"#,
            &[("json_match:all", 0.5)],
        );
    }

    #[test]
    fn list_match_modes() {
        let (two, three) = (r#"[{"n":2},{"n":1}]"#, r#"[{"n":1},{"n":2},{"n":3}]"#);
        let mode = |list_match_mode| JsonMatchConfig {
            list_match_mode,
            aggregator: Some(Aggregator::Average),
            list_aggregator: Aggregator::Average,
            ..config()
        };
        let score =
            |list_match_mode, outputs, reference| scores(&mode(list_match_mode), outputs, reference)[0].1;
        assert_eq!(score(ListMatchMode::SameElements, two, three), 2.0 / 3.0);
        assert_eq!(score(ListMatchMode::Subset, two, three), 1.0);
        assert_eq!(score(ListMatchMode::Subset, three, two), 2.0 / 3.0);
        assert_eq!(score(ListMatchMode::Superset, three, two), 1.0);
        assert_eq!(score(ListMatchMode::Superset, two, three), 2.0 / 3.0);
        assert_eq!(score(ListMatchMode::Ordered, two, three), 0.0);
        assert_eq!(score(ListMatchMode::Ordered, three, three), 1.0);
    }

    #[test]
    fn list_matching_is_optimal() {
        // Greedy pairs the first output with the first reference (two equal values), which leaves the second
        // output with nothing in common. The best matching keeps one equal value of the first output and two
        // of the second.
        let average = JsonMatchConfig {
            aggregator: Some(Aggregator::Average),
            list_aggregator: Aggregator::Average,
            ..config()
        };
        expect(
            &average,
            r#"[{"a":1,"b":1,"c":0},{"a":1,"b":5,"c":9}]"#,
            r#"[{"a":1,"b":1,"c":9},{"a":2,"b":2,"c":0}]"#,
            &[("json_match:average", 0.5)],
        );
    }

    #[test]
    fn equal_lists_score_one() {
        let list = r#"[{"a":1,"b":2},{"a":1},{"b":2,"":3},{}]"#;
        expect(&config(), list, list, &[("json_match:", 1.0), ("json_match:a", 1.0), ("json_match:b", 1.0)]);
        for aggregator in [Aggregator::Average, Aggregator::All] {
            let config = JsonMatchConfig {
                aggregator: Some(aggregator),
                list_aggregator: Aggregator::Average,
                ..config()
            };
            for equal in [list, "[]", "{}", "[{}]"] {
                assert_eq!(scores(&config, equal, equal)[0].1, 1.0, "{equal}");
            }
        }
    }

    #[test]
    fn an_empty_element_without_a_partner_scores_zero() {
        use ListMatchMode::{Ordered, SameElements, Subset, Superset};
        // The results of Python's openevals 0.2.2.
        let (one, both) = (r#"[{"a":1}]"#, r#"[{"a":1},{}]"#);
        let cases = [
            (both, one, [SameElements, Ordered, Subset].as_slice(), [Superset].as_slice()),
            (one, both, &[SameElements, Ordered, Superset], &[Subset]),
            ("[{}]", "[]", &[SameElements, Ordered, Subset], &[Superset]),
            ("[]", "[{}]", &[SameElements, Ordered, Superset], &[Subset]),
            ("[{},{}]", "[{}]", &[SameElements, Ordered, Subset], &[Superset]),
            (r#"[{"id":1}]"#, "[]", &[], &[SameElements, Ordered, Subset, Superset]),
        ];
        let empty = ("json_match:__openevals_empty_record".to_owned(), 0.0);
        for (outputs, reference, counting, ignoring) in cases {
            let modes = counting.iter().map(|mode| (mode, true));
            for (mode, counts) in modes.chain(ignoring.iter().map(|mode| (mode, false))) {
                let config =
                    JsonMatchConfig { list_match_mode: *mode, exclude_keys: vec!["id".into()], ..config() };
                let found = scores(&config, outputs, reference);
                assert_eq!(found.contains(&empty), counts, "{outputs} {reference} {mode:?}");
                assert!(found.iter().all(|score| *score == empty || score.1 == 1.0), "{found:?}");
                let all = JsonMatchConfig { aggregator: Some(Aggregator::All), ..config.clone() };
                assert_eq!(scores(&all, outputs, reference)[0].1, f64::from(!counts), "{outputs} {mode:?}");
                let mean = JsonMatchConfig { list_aggregator: Aggregator::Average, ..all };
                let expected = match (counts, outputs.contains('a') && reference.contains('a')) {
                    (false, _) => 1.0,
                    (true, is_half) => f64::from(is_half) / 2.0,
                };
                assert_eq!(scores(&mean, outputs, reference)[0].1, expected, "{outputs} {mode:?}");
            }
        }
    }

    #[test]
    fn other_values_than_objects_are_errors() {
        let message = |outputs, reference_outputs| {
            config().score(outputs, reference_outputs, &[]).unwrap_err().message.clone()
        };
        assert!(message("[]", "{}").ends_with("outputs is a list and referenceOutputs is an object"));
        assert!(message(r#""a""#, "{}").ends_with("outputs is a string and referenceOutputs is an object"));
        assert!(message("[{},null]", "[]").ends_with("outputs[1] is null"));
        assert_eq!(config().score_batch("[[{},{}],[1,{}]]").unwrap_err().message.get(..8), Some("rows[1]:"));
    }
}
