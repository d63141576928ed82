//! Deciding which elements of two lists are compared with each other.
//!
//! The reference package pairs greedily: each element takes the free partner it shares most values with. Here
//! equal elements pair up first, and the rest so that as many values as possible are equal and, among such
//! pairings, as few as possible differ. Where the greedy choice is as good as the best, it is the one taken.
//! What a judge is to compare has no say, and what an evaluator is to compare only where the other keys leave it open.

use super::{JsonMatchConfig, ListMatchMode, Pair};
use crate::error::{Error, Result};
use crate::json::{Json, Object};
use crate::matching::{Partners, Values, best_assignment};
use crate::numbering::Numbering;
use crate::sort::sorted;

/// How many pairs of differing elements are weighed against each other. The best assignment takes O(s²·l) steps for
/// s and l such elements on the shorter and the longer side, so beyond this the greedy choice stands.
const MAX_WEIGHED_PAIRS: usize = 1_000_000;

/// How often the greedy choice may come across a value that two differing elements share: some seconds' work.
const MAX_SHARED: u64 = 300_000_000;

/// An element as a sorted list of its keys and values, each distinct one numbered.
type Element = Vec<(usize, usize)>;

/// Everything that is to be compared, including what is left without a partner and scores 0.
pub(super) fn pair<'v, 'a>(
    config: &JsonMatchConfig,
    outputs: &[&'v Object<'a>],
    reference_outputs: &[&'v Object<'a>],
) -> Result<Vec<Pair<'v, 'a>>> {
    let output = |index: usize| outputs.get(index).copied();
    let reference = |index: usize| reference_outputs.get(index).copied();
    Ok(match config.list_match_mode {
        ListMatchMode::Ordered => {
            (0..outputs.len().max(reference_outputs.len())).map(|i| (output(i), reference(i))).collect()
        }
        ListMatchMode::Superset => {
            let partners = partners(config, reference_outputs, outputs)?;
            partners.iter().enumerate().map(|(i, partner)| (partner.and_then(output), reference(i))).collect()
        }
        mode @ (ListMatchMode::Subset | ListMatchMode::SameElements) => {
            let partners = partners(config, outputs, reference_outputs)?;
            let mut left_over = vec![mode == ListMatchMode::SameElements; reference_outputs.len()];
            for index in partners.iter().flatten() {
                if let Some(left) = left_over.get_mut(*index) {
                    *left = false;
                }
            }
            let paired =
                partners.iter().enumerate().map(|(i, partner)| (output(i), partner.and_then(reference)));
            let unpaired = reference_outputs.iter().zip(left_over).filter(|(_, left)| *left);
            paired.chain(unpaired.map(|(reference, _)| (None, Some(*reference)))).collect()
        }
    })
}

/// The partner of each row, the rows being the side whose elements all have to find one.
fn partners<'v>(
    config: &JsonMatchConfig,
    rows: &[&'v Object<'v>],
    columns: &[&'v Object<'v>],
) -> Result<Partners> {
    let mut numbers = Numbers { keys: Numbering::new(), values: Numbering::new(), weights: vec![] };
    let row_elements: Vec<Element> = rows.iter().map(|object| numbers.element(config, object)).collect();
    let column_elements: Vec<Element> =
        columns.iter().map(|object| numbers.element(config, object)).collect();

    let mut partners = pair_equal(&row_elements, &column_elements);
    let mut free_column = vec![true; columns.len()];
    for column in partners.iter().flatten() {
        if let Some(free) = free_column.get_mut(*column) {
            *free = false;
        }
    }
    let open_rows: Vec<(usize, &Element)> =
        row_elements.iter().enumerate().filter(|(row, _)| partners.get(*row) == Some(&None)).collect();
    let open_columns: Vec<(usize, &Element)> = column_elements
        .iter()
        .enumerate()
        .filter(|(column, _)| free_column.get(*column) == Some(&true))
        .collect();

    let only =
        |open: &[(usize, &Element)]| open.iter().map(|(_, element)| (*element).clone()).collect::<Vec<_>>();
    let weights = &numbers.weights;
    let weight = |key| weights.get(key).copied().unwrap_or_default();
    let rest = pair_differing(config.list_match_mode, &only(&open_rows), &only(&open_columns), &weight)?;
    for ((row, _), partner) in open_rows.iter().zip(rest) {
        if let Some(slot) = partners.get_mut(*row) {
            *slot = partner.and_then(|index| open_columns.get(index)).map(|(column, _)| *column);
        }
    }
    Ok(partners)
}

/// Pairs equal elements, each with the first equal one that is free. This loses nothing: of two pairs, exchanging
/// partners so that the equal ones are together keeps at least as many values equal.
fn pair_equal(rows: &[Element], columns: &[Element]) -> Partners {
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
    rows: &[Element],
    columns: &[Element],
    weight_of: &dyn Fn(usize) -> usize,
) -> Result<Partners> {
    if rows.len().saturating_mul(columns.len()) > MAX_WEIGHED_PAIRS {
        return greedy_by_value(rows, columns, weight_of, MAX_SHARED);
    }
    let cells: Vec<Shared> =
        rows.iter().flat_map(|row| columns.iter().map(|column| shared(row, column, weight_of))).collect();
    let cell =
        |row: usize, column: usize| cells.get(row * columns.len() + column).copied().unwrap_or_default();
    let longest = rows.iter().chain(columns).map(Vec::len).max().unwrap_or(0) as i64;
    // One more equal value outweighs whatever can differ in all pairs together.
    let weight = 2 * longest * rows.len().min(columns.len()) as i64 + 1;
    let values = Values::new(rows.len(), columns.len(), |row, column| {
        let Shared { keys, equal } = cell(row, column);
        // In the two modes that let columns be left over, keys that only the chosen column has are what differs.
        let extra = match mode {
            ListMatchMode::Subset | ListMatchMode::Superset => columns.get(column).map_or(0, Vec::len) as i64,
            _ => 0,
        };
        equal * weight + keys - extra
    });
    let sum = |partners: &Partners| -> i64 {
        partners.iter().enumerate().filter_map(|(row, column)| Some(values.get(row, (*column)?))).sum()
    };

    let greedy = greedy(rows.len(), columns.len(), &|row, column| cell(row, column).equal);
    let best_of_row = |row| (0..columns.len()).map(|column| values.get(row, column)).max().unwrap_or(0);
    if rows.len() <= columns.len() && sum(&greedy) == (0..rows.len()).map(best_of_row).sum::<i64>() {
        return Ok(greedy);
    }
    let best = best_assignment(&values);
    Ok(if sum(&best) > sum(&greedy) { best } else { greedy })
}

/// Each row in turn takes the free column with the largest value, the first of several.
fn greedy(rows: usize, columns: usize, value: &dyn Fn(usize, usize) -> i64) -> Partners {
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

/// [`greedy`] by how many values are equal. It looks only at pairs that share a value, so it is quick where few do.
fn greedy_by_value(
    rows: &[Element],
    columns: &[Element],
    weight_of: &dyn Fn(usize) -> usize,
    limit: u64,
) -> Result<Partners> {
    let holders = Holders::of(columns);
    let shared = |(_, value): &(usize, usize)| holders.of_value(*value).len() as u64;
    let shared: u64 = rows.iter().flatten().map(shared).sum();
    if shared > limit {
        return Err(Error::invalid_input(format!(
            "the lists have {} and {} elements that differ, which share values {shared} times; up to {limit} times \
             they can be paired. Compare shorter lists, or set listMatchMode to \"ordered\"",
            rows.len(),
            columns.len()
        )));
    }
    let mut free = vec![true; columns.len()];
    let mut first_free = 0;
    let mut equal = vec![0; columns.len()];
    let mut take = |row: &Element| {
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

/// Which elements have a value, and at which key.
struct Holders {
    /// Where those of each value end.
    ends: Vec<usize>,
    /// Keys and elements, by value.
    places: Vec<(usize, usize)>,
}

impl Holders {
    fn of(elements: &[Element]) -> Self {
        let values = elements.iter().flatten().map(|(_, value)| value + 1).max().unwrap_or(0);
        let mut ends = vec![0; values];
        for (_, value) in elements.iter().flatten() {
            if let Some(count) = ends.get_mut(*value) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            // Where those of each value begin, at first; each that comes moves it on.
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

    /// The first of the free elements that share most values with `other`, if any share one. `equal` is all 0.
    // A function of its own, which is called often: V8 leaves one that is called once as slow as it compiles it at first.
    #[inline(never)]
    fn best(
        &self,
        other: &Element,
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
struct Shared {
    keys: i64,
    equal: i64,
}

/// How many keys two elements share, and what those with equal values weigh.
fn shared(a: &Element, b: &Element, weight_of: &dyn Fn(usize) -> usize) -> Shared {
    let mut shared = Shared::default();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some((a_key, a_value)), Some((b_key, b_value))) = (a.peek(), b.peek()) {
        match a_key.cmp(b_key) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                shared.keys += 1;
                if a_value == b_value {
                    shared.equal += weight_of(*a_key) as i64;
                }
                a.next();
                b.next();
            }
        }
    }
    shared
}

/// The numbers of keys and values.
struct Numbers<'v> {
    keys: Numbering<&'v str>,
    values: Numbering<&'v Json<'v>>,
    /// What an equal value weighs, by the number of its key.
    weights: Vec<usize>,
}

impl<'v> Numbers<'v> {
    fn element(&mut self, config: &JsonMatchConfig, object: &'v Object<'v>) -> Element {
        let members = object.iter().filter(|(key, _)| config.compares(key) && !config.rubric.has(key));
        let mut element = Element::new();
        for (key, value) in members {
            let number = self.keys.number(key);
            if number == self.weights.len() {
                self.weights.push(config.weight_of(key));
            }
            element.push((number, self.values.number(value)));
        }
        let order = sorted(element.len(), &|a, b| element.get(a).cmp(&element.get(b)));
        order.into_iter().filter_map(|index| element.get(index).copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weigh(key: usize) -> usize {
        1 + key % 2
    }

    fn elements() -> impl Strategy<Value = Vec<Element>> {
        let element = proptest::collection::btree_map(0usize..4, 0usize..4, 0..4);
        proptest::collection::vec(element.prop_map(|members| members.into_iter().collect()), 0..8)
    }

    proptest! {
        #[test]
        fn by_value_the_greedy_choice_is_the_same(rows in elements(), columns in elements()) {
            let expected = greedy(rows.len(), columns.len(), &|row, column| {
                shared(&rows[row], &columns[column], &weigh).equal
            });
            prop_assert_eq!(greedy_by_value(&rows, &columns, &weigh, u64::MAX).unwrap(), expected);
        }
    }

    #[test]
    fn what_would_take_too_long_is_refused() {
        let same =
            |count: usize| -> Vec<Element> { (0..count).map(|index| vec![(0, 0), (1, index + 1)]).collect() };
        let error = greedy_by_value(&same(30), &same(40), &weigh, 1_000).unwrap_err();
        assert!(error.message.contains("30 and 40 elements"), "{error}");
        assert!(error.message.contains("share values 1230 times; up to 1000"), "{error}");
        assert!(greedy_by_value(&same(30), &same(40), &weigh, 1_230).is_ok());
    }
}
