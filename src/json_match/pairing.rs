//! Decides which elements of two lists are compared.
//!
//! The reference package matches greedily: each element takes the free partner with the most equal values.
//! Here equal elements are paired first. The rest is matched so that as many values as possible are equal
//! and, among such matchings, as few as possible differ. Where the greedy choice is optimal, it is used.
//!
//! Keys of the rubric do not influence the matching. Keys with evaluators only decide between matchings that
//! the other keys leave equal.

use super::{JsonMatchConfig, ListMatchMode, Pair};
use crate::error::{Error, Result};
use crate::interner::Interner;
use crate::json::{Json, Object};
use crate::matching::{Matching, WeightMatrix, best_assignment, unmatched};
use crate::sort::{in_order, sorted};

/// The most pairs of unequal elements for an optimal matching. It takes O(s²·l) steps for s and l such
/// elements on the shorter and the longer side; above the limit, the matching is greedy.
const MAX_WEIGHED_PAIRS: usize = 1_000_000;

/// The most shared values that the greedy matching may visit: a few seconds of work.
const MAX_SHARED: u64 = 300_000_000;

/// An element as a sorted list of its keys and values, as integers.
type InternedElement = Vec<(usize, usize)>;

/// The pairs to compare, including unmatched elements, which score 0.
pub(super) fn pair<'v, 'a>(
    config: &JsonMatchConfig,
    outputs: &[&'v Object<'a>],
    reference_outputs: &[&'v Object<'a>],
) -> Result<Vec<Pair<'v, 'a>>> {
    let output = |index: usize| Some((index, *outputs.get(index)?));
    let reference = |index: usize| Some((index, *reference_outputs.get(index)?));
    Ok(match config.list_match_mode {
        ListMatchMode::Ordered => {
            (0..outputs.len().max(reference_outputs.len())).map(|i| (output(i), reference(i))).collect()
        }
        ListMatchMode::Superset => {
            let partners = pair_elements(config, reference_outputs, outputs)?;
            partners.iter().enumerate().map(|(i, partner)| (partner.and_then(output), reference(i))).collect()
        }
        mode @ (ListMatchMode::Subset | ListMatchMode::SameElements) => {
            let partners = pair_elements(config, outputs, reference_outputs)?;
            let unpaired = match mode {
                ListMatchMode::SameElements => unmatched(&partners, reference_outputs.len()),
                _ => Vec::new(),
            };
            let paired =
                partners.iter().enumerate().map(|(i, partner)| (output(i), partner.and_then(reference)));
            paired.chain(unpaired.into_iter().map(|index| (None, reference(index)))).collect()
        }
    })
}

/// Pairs elements of two lists, and returns the column of each row, if it has one. The rows are the side whose
/// elements all need a partner.
fn pair_elements<'v>(
    config: &JsonMatchConfig,
    rows: &[&'v Object<'v>],
    columns: &[&'v Object<'v>],
) -> Result<Matching> {
    let mut numbers = ElementInterner { keys: Interner::new(), values: Interner::new(), weights: vec![] };
    let row_elements: Vec<InternedElement> =
        rows.iter().map(|object| numbers.element(config, object)).collect();
    let column_elements: Vec<InternedElement> =
        columns.iter().map(|object| numbers.element(config, object)).collect();

    let mut partners = pair_equal(&row_elements, &column_elements);
    let open_rows: Vec<usize> = (0..rows.len()).filter(|row| partners.get(*row) == Some(&None)).collect();
    let open_columns = unmatched(&partners, columns.len());
    let only = |open: &[usize], elements: &[InternedElement]| -> Vec<InternedElement> {
        open.iter().filter_map(|index| elements.get(*index).cloned()).collect()
    };
    let weights = &numbers.weights;
    let weight = |key| weights.get(key).copied().unwrap_or_default();
    let rest = pair_differing(
        config.list_match_mode,
        &only(&open_rows, &row_elements),
        &only(&open_columns, &column_elements),
        &weight,
    )?;
    for (row, partner) in open_rows.iter().zip(rest) {
        if let Some(slot) = partners.get_mut(*row) {
            *slot = partner.and_then(|index| open_columns.get(index).copied());
        }
    }
    Ok(partners)
}

/// Pairs each element with the first free equal one. This is optimal: in any matching, partners can be
/// exchanged so that equal elements are paired, and at least as many values stay equal.
fn pair_equal(rows: &[InternedElement], columns: &[InternedElement]) -> Matching {
    let element = |index: usize| rows.get(index).or_else(|| columns.get(index - rows.len()));
    let order = sorted(rows.len() + columns.len(), &|a, b| element(a).cmp(&element(b)));
    let mut partners = vec![None; rows.len()];
    for equal in order.chunk_by(|a, b| element(*a) == element(*b)) {
        let (equal_rows, equal_columns) = equal.split_at(equal.partition_point(|index| *index < rows.len()));
        for (row, column) in equal_rows.iter().zip(equal_columns) {
            if let Some(partner) = partners.get_mut(*row) {
                *partner = Some(column - rows.len());
            }
        }
    }
    partners
}

fn pair_differing(
    mode: ListMatchMode,
    rows: &[InternedElement],
    columns: &[InternedElement],
    weight_of: &dyn Fn(usize) -> usize,
) -> Result<Matching> {
    if rows.len().saturating_mul(columns.len()) > MAX_WEIGHED_PAIRS {
        return greedy_by_value(rows, columns, weight_of, MAX_SHARED);
    }
    let cells: Vec<Overlap> =
        rows.iter().flat_map(|row| columns.iter().map(|column| overlap(row, column, weight_of))).collect();
    let cell =
        |row: usize, column: usize| cells.get(row * columns.len() + column).copied().unwrap_or_default();
    let longest = rows.iter().chain(columns).map(Vec::len).max().unwrap_or(0) as i64;
    // One more equal value outweighs all possible differences together.
    let weight = 2 * longest * rows.len().min(columns.len()) as i64 + 1;
    let weights = WeightMatrix::new(rows.len(), columns.len(), |row, column| {
        let Overlap { keys, equal } = cell(row, column);
        // In the two modes with unmatched columns, only the keys of the chosen column count as differences.
        let extra = match mode {
            ListMatchMode::Subset | ListMatchMode::Superset => columns.get(column).map_or(0, Vec::len) as i64,
            _ => 0,
        };
        equal * weight + keys - extra
    });
    let sum = |partners: &Matching| -> i64 {
        partners.iter().enumerate().filter_map(|(row, column)| Some(weights.get(row, (*column)?))).sum()
    };

    let greedy = greedy(rows.len(), columns.len(), &|row, column| cell(row, column).equal);
    let best_of_row = |row| (0..columns.len()).map(|column| weights.get(row, column)).max().unwrap_or(0);
    if rows.len() <= columns.len() && sum(&greedy) == (0..rows.len()).map(best_of_row).sum::<i64>() {
        return Ok(greedy);
    }
    let best = best_assignment(&weights);
    Ok(if sum(&best) > sum(&greedy) { best } else { greedy })
}

/// Each row in turn takes the first free column with the largest weight.
fn greedy(rows: usize, columns: usize, value: &dyn Fn(usize, usize) -> i64) -> Matching {
    let mut free: Vec<usize> = (0..columns).collect();
    let mut take = |row| {
        let mut best: Option<(usize, i64)> = None;
        for (position, column) in free.iter().enumerate() {
            let candidate = value(row, *column);
            if best.is_none_or(|(_, value)| candidate > value) {
                best = Some((position, candidate));
            }
        }
        best.map(|(position, _)| free.remove(position))
    };
    (0..rows).map(&mut take).collect()
}

/// [`greedy`] by the number of equal values. Visits only pairs that share a value, so it is fast where few
/// do.
fn greedy_by_value(
    rows: &[InternedElement],
    columns: &[InternedElement],
    weight_of: &dyn Fn(usize) -> usize,
    limit: u64,
) -> Result<Matching> {
    let holders = InvertedIndex::of(columns);
    let shared = |(_, value): &(usize, usize)| holders.of_value(*value).len() as u64;
    let shared: u64 = rows.iter().flatten().map(shared).sum();
    if shared > limit {
        return Err(Error::invalid_input(format!(
            "the lists have {} and {} elements that differ, which share values {shared} times; the limit is {limit}. \
             Compare shorter lists, or set listMatchMode to \"ordered\"",
            rows.len(),
            columns.len()
        )));
    }
    let mut free = vec![true; columns.len()];
    let mut first_free = 0;
    let mut equal = vec![0; columns.len()];
    let mut take = |row: &InternedElement| {
        while free.get(first_free) == Some(&false) {
            first_free += 1;
        }
        let column = holders.best(row, weight_of, &free, &mut equal).unwrap_or(first_free);
        free.get_mut(column).map(|free| {
            *free = false;
            column
        })
    };
    Ok(rows.iter().map(&mut take).collect())
}

/// An inverted index: the elements that have a value, and at which key.
struct InvertedIndex {
    /// The end of each value's range in `places`.
    ends: Vec<usize>,
    /// Pairs of key and element, grouped by value.
    places: Vec<(usize, usize)>,
}

impl InvertedIndex {
    fn of(elements: &[InternedElement]) -> Self {
        let values = elements.iter().flatten().map(|(_, value)| value + 1).max().unwrap_or(0);
        let mut ends = vec![0; values];
        for (_, value) in elements.iter().flatten() {
            if let Some(count) = ends.get_mut(*value) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            // At first the start of each range; each insertion moves it towards the end.
            sum += std::mem::replace(end, sum);
        }
        let mut places = vec![(0, 0); sum];
        for (element, members) in elements.iter().enumerate() {
            for (key, value) in members {
                if let Some(end) = ends.get_mut(*value) {
                    if let Some(place) = places.get_mut(*end) {
                        *place = (*key, element);
                    }
                    *end += 1;
                }
            }
        }
        Self { ends, places }
    }

    /// The first of the free elements that share the most values with `other`, if any share one. `equal` is
    /// all 0.
    /// A separate function, because V8 optimizes a WebAssembly function only after several calls.
    #[inline(never)]
    fn best(
        &self,
        other: &InternedElement,
        weight_of: &dyn Fn(usize) -> usize,
        free: &[bool],
        equal: &mut [usize],
    ) -> Option<usize> {
        let mut touched = Vec::new();
        for (key, value) in other {
            let weight = weight_of(*key);
            for (holder_key, element) in self.of_value(*value) {
                if holder_key == key
                    && free.get(*element) == Some(&true)
                    && let Some(equal) = equal.get_mut(*element)
                {
                    if *equal == 0 {
                        touched.push(*element);
                    }
                    *equal += weight;
                }
            }
        }
        let counts = touched.into_iter().map(|element| {
            let count = equal.get_mut(element).map_or(0, std::mem::take);
            (count, std::cmp::Reverse(element))
        });
        counts.max().map(|(_, element)| element.0)
    }

    fn of_value(&self, value: usize) -> &[(usize, usize)] {
        let end_of = |value| self.ends.get(value).copied();
        let start = value.checked_sub(1).and_then(end_of).unwrap_or(0);
        end_of(value).and_then(|end| self.places.get(start..end)).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Default)]
struct Overlap {
    keys: i64,
    equal: i64,
}

/// The number of keys that two elements share, and the total weight of their equal values.
fn overlap(a: &InternedElement, b: &InternedElement, weight_of: &dyn Fn(usize) -> usize) -> Overlap {
    let mut overlap = Overlap::default();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some((a_key, a_value)), Some((b_key, b_value))) = (a.peek(), b.peek()) {
        match a_key.cmp(b_key) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                overlap.keys += 1;
                if a_value == b_value {
                    overlap.equal += weight_of(*a_key) as i64;
                }
                a.next();
                b.next();
            }
        }
    }
    overlap
}

/// The integers of keys and values.
struct ElementInterner<'v> {
    keys: Interner<&'v str>,
    values: Interner<&'v Json<'v>>,
    /// The weight of an equal value, by key.
    weights: Vec<usize>,
}

impl<'v> ElementInterner<'v> {
    fn element(&mut self, config: &JsonMatchConfig, object: &'v Object<'v>) -> InternedElement {
        let members = object.iter().filter(|(key, _)| config.compares(key) && !config.rubric.has(key));
        let mut element = InternedElement::new();
        for (key, value) in members {
            let number = self.keys.intern(key);
            if number == self.weights.len() {
                self.weights.push(config.weight_of(key));
            }
            element.push((number, self.values.intern(value)));
        }
        in_order(&element, Ord::cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weigh(key: usize) -> usize {
        1 + key % 2
    }

    fn elements() -> impl Strategy<Value = Vec<InternedElement>> {
        let element = proptest::collection::btree_map(0usize..4, 0usize..4, 0..4);
        proptest::collection::vec(element.prop_map(|members| members.into_iter().collect()), 0..8)
    }

    proptest! {
        #[test]
        fn by_value_the_greedy_choice_is_the_same(rows in elements(), columns in elements()) {
            let expected = greedy(rows.len(), columns.len(), &|row, column| {
                overlap(&rows[row], &columns[column], &weigh).equal
            });
            prop_assert_eq!(greedy_by_value(&rows, &columns, &weigh, u64::MAX).unwrap(), expected);
        }
    }

    #[test]
    fn rejects_lists_that_would_take_too_long() {
        let same = |count: usize| -> Vec<InternedElement> {
            (0..count).map(|index| vec![(0, 0), (1, index + 1)]).collect()
        };
        let error = greedy_by_value(&same(30), &same(40), &weigh, 1_000).unwrap_err();
        assert!(error.message.contains("30 and 40 elements"), "{error}");
        assert!(error.message.contains("share values 1230 times; the limit is 1000"), "{error}");
        assert!(greedy_by_value(&same(30), &same(40), &weigh, 1_230).is_ok());
    }
}
