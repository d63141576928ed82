//! Deciding which elements of two lists are compared with each other.
//!
//! The reference package pairs greedily: each element takes the free partner it shares most values with. Here
//! equal elements pair up first, and the rest so that as many values as possible are equal and, among such
//! pairings, as few as possible differ. Where the greedy choice is as good as the best, it is the one taken.
//! What a judge is to compare has no say.

use super::{Config, ListMatchMode, Pair};
use crate::json::{Json, Object};
use crate::matching::{Partners, Values, best_assignment};
use crate::numbering::{Numbering, sorted};

/// How many pairs of differing elements are weighed against each other. The best assignment takes O(s²·l) steps for
/// s and l such elements on the shorter and the longer side, so beyond this the greedy choice stands.
const MAX_WEIGHED_PAIRS: usize = 1_000_000;

/// An element as a sorted list of its keys and values, each distinct one numbered.
type Element = Vec<(usize, usize)>;

/// Everything that is to be compared, including what is left without a partner and scores 0.
pub(super) fn pair<'v, 'a>(
    config: &Config,
    outputs: &[&'v Object<'a>],
    reference_outputs: &[&'v Object<'a>],
) -> Vec<Pair<'v, 'a>> {
    let output = |index: usize| outputs.get(index).copied();
    let reference = |index: usize| reference_outputs.get(index).copied();
    match config.list_match_mode {
        ListMatchMode::Ordered => {
            (0..outputs.len().max(reference_outputs.len())).map(|i| (output(i), reference(i))).collect()
        }
        ListMatchMode::Superset => {
            let partners = partners(config, reference_outputs, outputs);
            partners.iter().enumerate().map(|(i, partner)| (partner.and_then(output), reference(i))).collect()
        }
        mode @ (ListMatchMode::Subset | ListMatchMode::SameElements) => {
            let partners = partners(config, outputs, reference_outputs);
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
    }
}

/// The partner of each row, the rows being the side whose elements all have to find one.
fn partners<'v>(config: &Config, rows: &[&'v Object<'v>], columns: &[&'v Object<'v>]) -> Partners {
    let mut numbers = Numbers { keys: Numbering::new(), values: Numbering::new() };
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
    let rest = pair_differing(config.list_match_mode, &only(&open_rows), &only(&open_columns));
    for ((row, _), partner) in open_rows.iter().zip(rest) {
        if let Some(slot) = partners.get_mut(*row) {
            *slot = partner.and_then(|index| open_columns.get(index)).map(|(column, _)| *column);
        }
    }
    partners
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

fn pair_differing(mode: ListMatchMode, rows: &[Element], columns: &[Element]) -> Partners {
    if rows.len().saturating_mul(columns.len()) > MAX_WEIGHED_PAIRS {
        return greedy(
            rows.len(),
            columns.len(),
            &|row, column| match (rows.get(row), columns.get(column)) {
                (Some(row), Some(column)) => shared(row, column).equal,
                _ => 0,
            },
        );
    }
    let cells: Vec<Shared> =
        rows.iter().flat_map(|row| columns.iter().map(|column| shared(row, column))).collect();
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
        return greedy;
    }
    let best = best_assignment(&values);
    if sum(&best) > sum(&greedy) { best } else { greedy }
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

#[derive(Clone, Copy, Default)]
struct Shared {
    keys: i64,
    equal: i64,
}

/// How many keys two elements share, and how many of those with equal values.
fn shared(a: &Element, b: &Element) -> Shared {
    let mut shared = Shared::default();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some((a_key, a_value)), Some((b_key, b_value))) = (a.peek(), b.peek()) {
        match a_key.cmp(b_key) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                shared.keys += 1;
                shared.equal += i64::from(a_value == b_value);
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
}

impl<'v> Numbers<'v> {
    fn element(&mut self, config: &Config, object: &'v Object<'v>) -> Element {
        let members = object.iter().filter(|(key, _)| config.compares(key) && !config.rubric.has(key));
        let element: Element =
            members.map(|(key, value)| (self.keys.number(key), self.values.number(value))).collect();
        let order = sorted(element.len(), &|a, b| element.get(a).cmp(&element.get(b)));
        order.into_iter().filter_map(|index| element.get(index).copied()).collect()
    }
}
