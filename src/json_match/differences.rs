//! Explains scores: which values differ, and where.

use super::{Elements, JsonMatchConfig};
use crate::json;

/// The most differences that a comment names.
const NAMED: usize = 3;

/// A key of an element whose score is not 1.
pub(super) type Failure<'v> = (usize, &'v str);

impl JsonMatchConfig {
    /// A line for each of the first differences; `None` if evaluators and the judge explain all of them.
    pub(super) fn comment<'v>(
        &self,
        elements: &Elements<'v, '_>,
        failures: impl Iterator<Item = Failure<'v>>,
    ) -> Option<String> {
        let mut comment = String::new();
        let (mut count, mut lonely) = (0_usize, None);
        for (element, key) in failures {
            let Some((output, reference)) = elements.pairs.get(element) else { continue };
            let is_lonely = output.is_none() || reference.is_none();
            // An element without a partner is one difference, whatever its keys.
            if self.is_explained(elements, element, key) || is_lonely && lonely == Some(element) {
                continue;
            }
            lonely = is_lonely.then_some(element);
            count += 1;
            if count > NAMED {
                continue;
            }
            if count > 1 {
                comment.push('\n');
            }
            comment.push_str(&match (output, reference) {
                (Some((index, _)), None) => format!("outputs[{index}] has no partner in the reference"),
                (None, Some((index, _))) => {
                    format!("referenceOutputs[{index}] has no partner in the outputs")
                }
                (output, _) => {
                    let index = output.filter(|_| elements.in_lists).map(|(index, _)| index);
                    let (output, reference) = elements.values(element, key);
                    json::difference(&path(index, key), output, reference)
                }
            });
        }
        if let Some(more) = count.checked_sub(NAMED).filter(|more| *more > 0) {
            comment.push_str(&format!("\n… and {more} more"));
        }
        (count > 0).then_some(comment)
    }

    /// Whether an evaluator or the judge has compared the values of a key.
    fn is_explained(&self, elements: &Elements<'_, '_>, element: usize, key: &str) -> bool {
        match elements.values(element, key) {
            (Some(output), Some(reference)) => self.rubric.has(key) || self.has_leaf(key, output, reference),
            _ => false,
        }
    }
}

/// The path of a value of the outputs, in an element of a list or in an object.
pub(super) fn path(index: Option<usize>, key: &str) -> String {
    let mut path = "outputs".to_owned();
    if let Some(index) = index {
        json::push_index(&mut path, index);
    }
    json::push_key(&mut path, key);
    path
}

#[cfg(test)]
mod tests {
    use super::super::{Aggregator, JsonMatchConfig, ListMatchMode};

    fn config(list_match_mode: ListMatchMode, aggregator: Option<Aggregator>) -> JsonMatchConfig {
        JsonMatchConfig {
            aggregator,
            list_aggregator: Aggregator::Average,
            list_match_mode,
            ..crate::json_match::tests::config()
        }
    }

    fn comments(config: &JsonMatchConfig, outputs: &str, reference: &str) -> Vec<Option<String>> {
        config.score(outputs, reference, &[]).unwrap().into_iter().map(|score| score.comment).collect()
    }

    #[test]
    fn elements_keep_the_index_of_their_list() {
        let (outputs, reference) =
            (r#"[{"n":3},{"n":1,"p":5},{"n":2,"p":6},{"x":0,"y":0}]"#, r#"[{"n":2,"p":7},{"n":1,"p":5}]"#);
        let expected = |mode, text: &str| {
            let found = comments(&config(mode, Some(Aggregator::Average)), outputs, reference);
            assert_eq!(found, [Some(text.to_owned())], "{mode:?}");
        };
        let lonely = |index| format!("outputs[{index}] has no partner in the reference");
        let price = "outputs[2].p is 6 instead of 7";
        expected(ListMatchMode::SameElements, &[&lonely(0), price, &lonely(3)].join("\n"));
        expected(ListMatchMode::Superset, price);
        let found = comments(&config(ListMatchMode::SameElements, None), reference, outputs);
        let lonely = |index| format!("referenceOutputs[{index}] has no partner in the outputs");
        let price = "outputs[0].p is 7 instead of 6".to_owned();
        assert_eq!(found, [Some(lonely(0)), Some(price), Some(lonely(3)), Some(lonely(3))]);
    }

    #[test]
    fn three_differences_are_named_and_the_rest_counted() {
        let average = config(ListMatchMode::SameElements, Some(Aggregator::Average));
        let found = comments(&average, r#"{"a":1,"b":1,"c":1,"d":1,"e":1}"#, r#"{"e":1}"#);
        let extra = |key| format!("outputs.{key} is 1, which the reference does not have");
        assert_eq!(found, [Some([&extra("a"), &extra("b"), &extra("c"), "… and 1 more"].join("\n"))]);
    }

    #[test]
    fn quotes_keys_that_are_not_names() {
        let long = "k".repeat(100);
        for (key, path) in
            [("", r#"[""]"#), ("a b", r#"["a b"]"#), ("1", r#"["1"]"#), ("_a1", "._a1"), (&long, "")]
        {
            let outputs = format!(r#"{{"{key}":1}}"#);
            let found = comments(&config(ListMatchMode::SameElements, None), &outputs, r#"{"z":0}"#);
            let comment = found[0].clone().unwrap();
            assert!(comment.starts_with(&format!("outputs{path}")) && comment.len() < 150, "{comment}");
        }
    }
}
