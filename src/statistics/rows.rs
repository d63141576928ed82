//! Sorts the rows of an experiment so that those of a unit are adjacent.

use super::interval::Units;
use crate::sort::sorted;

/// The order of the rows, and their units.
pub struct Rows {
    order: Vec<usize>,
    units: Units,
}

impl Rows {
    /// The order of `count` rows, given the example of each, and its cluster if there are clusters. Without examples, each row
    /// is its own example.
    pub fn new(count: usize, examples: Option<&[u32]>, clusters: Option<&[u32]>) -> Self {
        let of = |column: Option<&[u32]>, row: usize| match column {
            Some(column) => column.get(row).copied().unwrap_or_default(),
            None => row as u32,
        };
        let key = |row: usize| (clusters.map(|_| of(clusters, row)), of(examples, row));
        let order = sorted(count, &|a, b| key(a).cmp(&key(b)));
        let column = |column| -> Vec<u32> { order.iter().map(|row| of(column, *row)).collect() };
        let units = match clusters {
            Some(_) => Units::of_clusters(&column(clusters), &column(examples)),
            None => Units::of(&column(examples)),
        };
        Self { order, units }
    }

    /// A column in the order of the rows.
    pub fn ordered<T: Copy>(&self, column: &[T]) -> Vec<T> {
        self.order.iter().filter_map(|row| column.get(*row).copied()).collect()
    }

    /// The rows grouped by cluster, or otherwise by example.
    pub fn units(&self) -> &Units {
        &self.units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_follow_each_other() {
        let rows = Rows::new(5, Some(&[0, 1, 2, 1, 0]), None);
        assert_eq!(rows.ordered(&['a', 'b', 'c', 'd', 'e']), ['a', 'e', 'b', 'd', 'c']);
        assert_eq!(rows.units().count(), 3);
    }

    #[test]
    fn examples_follow_each_other_in_their_clusters() {
        let rows = Rows::new(5, Some(&[0, 1, 2, 1, 0]), Some(&[7, 3, 7, 3, 7]));
        assert_eq!(rows.ordered(&['a', 'b', 'c', 'd', 'e']), ['b', 'd', 'a', 'e', 'c']);
        let units = rows.units();
        assert_eq!((units.count(), units.examples().count()), (2, 3));
        // Two rows of one example, and two of another one beside a single row.
        assert_eq!([units.squares(0), units.squares(1)], [4.0, 5.0]);
        let some = units.of_some(&|row| row > 1);
        assert_eq!((some.count(), some.rows(), some.squares(0)), (1, 3, 5.0));
    }

    #[test]
    fn without_examples_every_row_is_one() {
        let rows = Rows::new(3, None, None);
        assert_eq!(rows.ordered(&[3.0, 1.0, 2.0]), [3.0, 1.0, 2.0]);
        assert!(rows.units().are_rows());
    }
}
