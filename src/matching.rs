//! Matching of the elements of two lists: maximum matching, and best assignment.

use crate::error::{Error, Result};
use crate::executor::ready;

/// Decides whether the element `left` of one list may be paired with the element `right` of the other.
///
/// Asynchronous, because the answer may come from a function of the caller.
pub trait Relation {
    /// The error if the relation has no answer.
    type Error;

    /// Called with the number of steps that the search is about to make. An error ends the search.
    fn spend(&mut self, _steps: usize) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether the pair may match. Called at most once for each pair.
    async fn holds(&mut self, left: usize, right: usize) -> Result<bool, Self::Error>;
}

/// A matching between `left` and `right`, as the partner of each element of `left`.
pub type Matching = Vec<Option<usize>>;

/// The elements of `right`, which has this many, without a partner in a matching; in order.
pub fn unmatched(matching: &Matching, right: usize) -> Vec<usize> {
    let mut is_free = vec![true; right];
    for partner in matching.iter().flatten() {
        if let Some(free) = is_free.get_mut(*partner) {
            *free = false;
        }
    }
    is_free.into_iter().enumerate().filter(|(_, free)| *free).map(|(index, _)| index).collect()
}

/// Finds a maximum matching: as many elements of `left` as possible get their own partner in `right`. With
/// `all_or_nothing` it stops at the first element that cannot have one.
///
/// Uses augmenting paths (Berge 1957; Kuhn 1955), so an early choice never blocks a later element, in O(pairs
/// · left) steps. The relation is asked lazily and in order. Where the first free partner fits, which is the
/// usual case, this asks for about as many pairs as a greedy search.
pub async fn maximum_matching<R: Relation>(
    left: usize,
    right: usize,
    relation: &mut R,
    all_or_nothing: bool,
) -> Result<Matching, R::Error> {
    let mut search = Search {
        relation,
        answers: vec![None; left * right],
        partner_of_left: vec![None; left],
        partner_of_right: vec![None; right],
    };
    for start in 0..left {
        if !search.augment(start).await? && all_or_nothing {
            break;
        }
    }
    Ok(search.partner_of_left)
}

/// [`maximum_matching`] for a relation that answers at once, behind a pointer: the search is compiled once for all of them.
pub fn matching_at_once(
    left: usize,
    right: usize,
    holds: &mut dyn FnMut(usize, usize) -> Result<bool>,
) -> Result<Matching> {
    let matching = ready(maximum_matching(left, right, &mut AtOnce(holds), false));
    // The relation never waits.
    matching.unwrap_or_else(|| Ok(vec![None; left]))
}

struct AtOnce<'f>(&'f mut dyn FnMut(usize, usize) -> Result<bool>);

impl Relation for AtOnce<'_> {
    type Error = Error;

    async fn holds(&mut self, left: usize, right: usize) -> Result<bool> {
        (self.0)(left, right)
    }
}

struct Search<'r, R> {
    relation: &'r mut R,
    answers: Vec<Option<bool>>,
    partner_of_left: Matching,
    partner_of_right: Matching,
}

impl<R: Relation> Search<'_, R> {
    /// Finds an augmenting path from the free element `start` to a free partner, breadth first, and flips it.
    async fn augment(&mut self, start: usize) -> Result<bool, R::Error> {
        let is_free = |to: &usize| self.partner_of_right.get(*to).is_some_and(Option::is_none);
        let (free, mut taken): (Vec<usize>, Vec<usize>) = (0..self.partner_of_right.len()).partition(is_free);
        let mut reached_from: Vec<Option<usize>> = vec![None; self.partner_of_right.len()];
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(&from) = queue.get(next) {
            next += 1;
            self.relation.spend(free.len() + taken.len())?;
            // Try free partners first: most elements need no rearranging, so this saves questions.
            let mut at = 0;
            while let Some((place, to)) = self.next_possible(from, &free, at) {
                at = place + 1;
                if self.holds(from, to).await? {
                    if let Some(entry) = reached_from.get_mut(to) {
                        *entry = Some(from);
                    }
                    self.flip(to, &reached_from);
                    return Ok(true);
                }
            }
            at = 0;
            while let Some((place, to)) = self.next_possible(from, &taken, at) {
                at = place + 1;
                if self.holds(from, to).await? {
                    if let Some(entry) = reached_from.get_mut(to) {
                        *entry = Some(from);
                    }
                    queue.extend(self.partner_of_right.get(to).copied().flatten());
                }
            }
            taken.retain(|to| reached_from.get(*to) == Some(&None));
        }
        Ok(false)
    }

    fn flip(&mut self, end: usize, reached_from: &[Option<usize>]) {
        let mut to = Some(end);
        while let Some(current) = to {
            let Some(from) = reached_from.get(current).copied().flatten() else { return };
            if let Some(partner) = self.partner_of_right.get_mut(current) {
                *partner = Some(from);
            }
            to = self.partner_of_left.get_mut(from).and_then(|partner| partner.replace(current));
        }
    }

    /// The first of `others`, from the index `at` on, that `left` may still be paired with; and its index.
    // A separate function, because V8 optimizes a WebAssembly function only after several calls, whatever
    // loops it has.
    #[inline(never)]
    fn next_possible(&self, left: usize, others: &[usize], at: usize) -> Option<(usize, usize)> {
        let row = left * self.partner_of_right.len();
        let mut rest = others.iter().enumerate().skip(at).map(|(place, to)| (place, *to));
        rest.find(|(_, to)| self.answers.get(row + to) != Some(&Some(false)))
    }

    async fn holds(&mut self, left: usize, right: usize) -> Result<bool, R::Error> {
        let index = left * self.partner_of_right.len() + right;
        if let Some(answer) = self.answers.get(index).copied().flatten() {
            return Ok(answer);
        }
        let answer = self.relation.holds(left, right).await?;
        if let Some(slot) = self.answers.get_mut(index) {
            *slot = Some(answer);
        }
        Ok(answer)
    }
}

/// The weight of each pair of a row and a column.
pub struct WeightMatrix {
    columns: usize,
    cells: Vec<i64>,
}

impl WeightMatrix {
    /// A matrix filled by `value(row, column)`.
    pub fn new(rows: usize, columns: usize, mut value: impl FnMut(usize, usize) -> i64) -> Self {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self { columns, cells: cells.map(|(row, column)| value(row, column)).collect() }
    }

    /// The weight of a pair.
    pub fn get(&self, row: usize, column: usize) -> i64 {
        self.cells.get(row * self.columns + column).copied().unwrap_or(0)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len().checked_div(self.columns).unwrap_or(0)
    }
}

/// The assignment problem: pairs every row with its own column (or every column with a row, if there are
/// fewer) so that the sum of the weights is maximal. Uses the Hungarian method with potentials (Kuhn 1955;
/// Jonker and Volgenant 1987), in O(s²·l) steps for s pairs and l elements on the longer side.
pub fn best_assignment(values: &WeightMatrix) -> Matching {
    let (rows, columns) = (values.rows(), values.columns);
    if rows <= columns {
        return assign(values);
    }
    let mut partners = vec![None; rows];
    let transposed = WeightMatrix::new(columns, rows, |column, row| values.get(row, column));
    for (column, row) in assign(&transposed).into_iter().enumerate() {
        if let Some(partner) = row.and_then(|row| partners.get_mut(row)) {
            *partner = Some(column);
        }
    }
    partners
}

/// The best assignment of rows to columns, where there are at least as many columns as rows.
#[expect(
    clippy::indexing_slicing,
    reason = "every index is a row or a column, and the vectors have one entry for each"
)]
fn assign(values: &WeightMatrix) -> Matching {
    let (rows, columns) = (values.rows(), values.columns);
    // Row and column 0 mean "none yet", so both count from 1 here.
    let mut row_potential = vec![0_i64; rows + 1];
    let mut column_potential = vec![0_i64; columns + 1];
    let mut row_of = vec![0_usize; columns + 1];
    let mut previous = vec![0_usize; columns + 1];
    for row in 1..=rows {
        row_of[0] = row;
        let mut column = 0;
        let mut slack = vec![i64::MAX; columns + 1];
        let mut visited = vec![false; columns + 1];
        // Dijkstra's algorithm over reduced costs, until it reaches a column without a row.
        while row_of[column] != 0 {
            visited[column] = true;
            let current = row_of[column];
            let mut delta = i64::MAX;
            let mut nearest = 0;
            for candidate in 1..=columns {
                if visited[candidate] {
                    continue;
                }
                // The method minimizes costs, so the cost is the negative weight.
                let cost = -values.get(current - 1, candidate - 1);
                let reduced = cost - row_potential[current] - column_potential[candidate];
                if reduced < slack[candidate] {
                    slack[candidate] = reduced;
                    previous[candidate] = column;
                }
                if slack[candidate] < delta {
                    delta = slack[candidate];
                    nearest = candidate;
                }
            }
            for candidate in 0..=columns {
                if visited[candidate] {
                    row_potential[row_of[candidate]] += delta;
                    column_potential[candidate] -= delta;
                } else {
                    slack[candidate] -= delta;
                }
            }
            column = nearest;
        }
        while column != 0 {
            row_of[column] = row_of[previous[column]];
            column = previous[column];
        }
    }
    let mut partners = vec![None; rows];
    for (column, &row) in row_of.iter().enumerate().skip(1) {
        if row != 0 {
            partners[row - 1] = Some(column - 1);
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    struct Table {
        allowed: Vec<Vec<bool>>,
        asked: HashSet<(usize, usize)>,
    }

    impl Relation for Table {
        type Error = std::convert::Infallible;

        async fn holds(&mut self, left: usize, right: usize) -> Result<bool, Self::Error> {
            assert!(self.asked.insert((left, right)), "asked twice about {left}, {right}");
            Ok(self.allowed[left][right])
        }
    }

    fn matched(allowed: &[Vec<bool>], all_or_nothing: bool) -> (Matching, usize) {
        let right = allowed.first().map_or(0, Vec::len);
        let mut table = Table { allowed: allowed.to_vec(), asked: HashSet::new() };
        let Ok(partners) = ready(maximum_matching(allowed.len(), right, &mut table, all_or_nothing)).unwrap();
        let pairs = || partners.iter().enumerate().filter_map(|(left, right)| Some((left, (*right)?)));
        assert!(pairs().all(|(left, right)| allowed[left][right]));
        assert_eq!(pairs().map(|pair| pair.1).collect::<HashSet<_>>().len(), pairs().count());
        (partners, table.asked.len())
    }

    /// The largest sum of all ways to pair the rows from `row` on, by exhaustive search.
    fn exhaustive(values: &WeightMatrix, row: usize, taken: &mut Vec<bool>, skips: usize) -> i64 {
        if row == values.rows() {
            return 0;
        }
        let mut best = if skips > 0 { exhaustive(values, row + 1, taken, skips - 1) } else { i64::MIN };
        for column in 0..values.columns {
            if !taken[column] {
                taken[column] = true;
                best = best.max(values.get(row, column) + exhaustive(values, row + 1, taken, skips));
                taken[column] = false;
            }
        }
        best
    }

    #[test]
    fn rearranges_where_greedy_fails() {
        // Greedy pairs the first left element with the only possible partner of the second.
        assert_eq!(matched(&[vec![true, true], vec![true, false]], true).0, [Some(1), Some(0)]);
    }

    #[test]
    fn asks_no_more_than_greedy_where_greedy_succeeds() {
        let identity: Vec<Vec<bool>> = (0..4).map(|i| (0..4).map(|j| i == j).collect()).collect();
        assert_eq!(matched(&identity, true).1, 4);
        let first_has_none = [vec![false, false], vec![true, true]];
        assert_eq!(matched(&first_has_none, true), (vec![None, None], 2));
        assert_eq!(matched(&first_has_none, false), (vec![None, Some(0)], 3));
    }

    proptest! {
        #[test]
        fn as_many_match_as_can(allowed in (1usize..6, 1usize..6).prop_flat_map(|(l, r)| proptest::collection::vec(proptest::collection::vec(proptest::bool::weighted(0.4), r), l))) {
            let values = WeightMatrix::new(allowed.len(), allowed[0].len(), |l, r| i64::from(allowed[l][r]));
            let most = exhaustive(&values, 0, &mut vec![false; allowed[0].len()], allowed.len());
            let (partners, _) = matched(&allowed, false);
            prop_assert_eq!(partners.iter().flatten().count() as i64, most);
            let alone: Vec<usize> = (0..allowed[0].len()).filter(|right| !partners.contains(&Some(*right))).collect();
            prop_assert_eq!(unmatched(&partners, allowed[0].len()), alone);
            let (partners, _) = matched(&allowed, true);
            prop_assert_eq!(partners.iter().all(Option::is_some), most == allowed.len() as i64);
        }

        #[test]
        fn assignment_is_best(cells in (1usize..6, 1usize..6).prop_flat_map(|(l, r)| proptest::collection::vec(proptest::collection::vec(-9i64..10, r), l))) {
            let (rows, columns) = (cells.len(), cells[0].len());
            let values = WeightMatrix::new(rows, columns, |l, r| cells[l][r]);
            let partners = best_assignment(&values);
            prop_assert_eq!(partners.iter().flatten().count(), rows.min(columns));
            prop_assert_eq!(partners.iter().flatten().collect::<HashSet<_>>().len(), rows.min(columns));
            let sum: i64 = partners.iter().enumerate().filter_map(|(row, column)| Some(values.get(row, (*column)?))).sum();
            prop_assert_eq!(sum, exhaustive(&values, 0, &mut vec![false; columns], rows.saturating_sub(columns)));
        }
    }
}
