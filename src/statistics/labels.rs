//! Maps labels, which can be any JSON values, to class numbers.

use crate::error::Result;
use crate::interner::Interner;
use crate::json::{self, Json};
use crate::sort::sorted;
use serde::Serialize;
use std::cmp::Ordering;

/// The classes of labels. Labels that are equal as JSON values have the same class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Classes {
    /// The class of each label.
    pub numbers: Vec<u32>,
    /// For each class, the index of the first label with it. Classes are in ascending order as in
    /// scikit-learn: `null`, `false`, `true`, numbers, strings, other values.
    pub firsts: Vec<u32>,
}

/// The classes of a JSON list of labels.
pub fn classes(labels: &str) -> Result<Classes> {
    let labels = json::parse(labels)?;
    let labels = labels.as_array().unwrap_or_default();
    let mut interner = Interner::new();
    let mut firsts = Vec::new();
    let mut found = Vec::with_capacity(labels.len());
    for (place, label) in labels.iter().enumerate() {
        let number = interner.intern(label);
        if number == firsts.len() {
            firsts.push(place as u32);
        }
        found.push(number);
    }
    let label = |number: usize| firsts.get(number).and_then(|place: &u32| labels.get(*place as usize));
    let order = sorted(firsts.len(), &|a, b| label(a).map(SortKey).cmp(&label(b).map(SortKey)));
    let places = sorted(order.len(), &|a, b| order.get(a).cmp(&order.get(b)));
    Ok(Classes {
        numbers: found.iter().filter_map(|number| places.get(*number)).map(|place| *place as u32).collect(),
        firsts: order.iter().filter_map(|number| firsts.get(*number).copied()).collect(),
    })
}

/// The class that most labels of a row name; `None` if several classes have as many.
pub fn majority(classes: &[u32]) -> Option<u32> {
    let count = |class: u32| classes.iter().filter(|other| **other == class).count();
    let most = classes.iter().copied().max_by_key(|class| count(*class))?;
    let is_tied = classes.iter().any(|other| *other != most && count(*other) == count(most));
    (!is_tied).then_some(most)
}

/// A label with its sort order.
#[derive(PartialEq, Eq)]
struct SortKey<'k, 't>(&'k Json<'t>);

impl SortKey<'_, '_> {
    fn rank(&self) -> u32 {
        match self.0 {
            Json::Null => 0,
            Json::Bool(_) => 1,
            Json::Number(_) => 2,
            Json::String(_) => 3,
            Json::Array(_) => 4,
            Json::Object(_) => 5,
        }
    }
}

impl Ord for SortKey<'_, '_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
            (Json::Number(a), Json::Number(b)) => a.cmp(b),
            // By UTF-16 code units, as JavaScript compares strings.
            (Json::String(a), Json::String(b)) => a.encode_utf16().cmp(b.encode_utf16()),
            (Json::Array(a), Json::Array(b)) => a.iter().map(SortKey).cmp(b.iter().map(SortKey)),
            (Json::Object(a), Json::Object(b)) => a
                .iter()
                .map(|(key, value)| (key, SortKey(value)))
                .cmp(b.iter().map(|(key, value)| (key, SortKey(value)))),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for SortKey<'_, '_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_majority_has_more_labels_than_any_other_class() {
        assert_eq!(majority(&[]), None);
        assert_eq!(majority(&[7]), Some(7));
        assert_eq!(majority(&[1, 0, 1]), Some(1));
        assert_eq!(majority(&[0, 1, 1, 0]), None);
        assert_eq!(majority(&[0, 1, 2, 2]), Some(2));
        assert_eq!(majority(&[0, 1, 2]), None);
    }

    fn found(labels: &str) -> (Vec<u32>, Vec<u32>) {
        let Classes { numbers, firsts } = classes(labels).unwrap();
        (numbers, firsts)
    }

    #[test]
    fn equal_values_are_the_same_class() {
        let labels = r#"[{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, 1, 1.0, "1", -0, 0]"#;
        assert_eq!(found(labels), (vec![3, 3, 1, 1, 2, 0, 0], vec![5, 2, 4, 0]));
    }

    #[test]
    fn classes_are_in_ascending_order() {
        let labels = r#"["a", 10, 9, true, null, false, ["x"], "B", -1, {}, ["a", 1], ["a"]]"#;
        assert_eq!(found(labels).1, [4, 5, 3, 8, 2, 1, 7, 0, 11, 10, 6, 9]);
        // U+FFFD comes after U+1F600 in UTF-16.
        assert_eq!(found(r#"["\uFFFD", "😀"]"#).1, [1, 0]);
        assert_eq!(found("[]"), (vec![], vec![]));
    }
}
