//! Sorts the rows of an experiment so that repetitions of an example are adjacent.

use super::interval::Units;
use crate::sort::sorted;

/// The order of the rows, and their grouping.
pub struct Rows {
    order: Vec<usize>,
    examples: Vec<u32>,
}

impl Rows {
    /// The order of `count` rows, given the example of each. Without examples, each row is its own example.
    pub fn new(count: usize, examples: Option<&[u32]>) -> Self {
        let Some(examples) = examples else {
            return Self { order: (0..count).collect(), examples: (0..count as u32).collect() };
        };
        let order = sorted(count, &|a, b| examples.get(a).cmp(&examples.get(b)));
        let examples = in_order(examples, &order);
        Self { order, examples }
    }

    /// A column in the order of the rows.
    pub fn ordered<T: Copy>(&self, column: &[T]) -> Vec<T> {
        in_order(column, &self.order)
    }

    /// The example of each row, in this order.
    pub fn examples(&self) -> &[u32] {
        &self.examples
    }

    /// The rows grouped by example.
    pub fn units(&self) -> Units {
        Units::of(&self.examples)
    }
}

fn in_order<T: Copy>(column: &[T], order: &[usize]) -> Vec<T> {
    order.iter().filter_map(|row| column.get(*row).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_follow_each_other() {
        let rows = Rows::new(5, Some(&[0, 1, 2, 1, 0]));
        assert_eq!(rows.ordered(&['a', 'b', 'c', 'd', 'e']), ['a', 'e', 'b', 'd', 'c']);
        assert_eq!(rows.examples(), [0, 0, 1, 1, 2]);
        assert_eq!(rows.units().count(), 3);
    }

    #[test]
    fn without_examples_every_row_is_one() {
        let rows = Rows::new(3, None);
        assert_eq!(rows.ordered(&[3.0, 1.0, 2.0]), [3.0, 1.0, 2.0]);
        assert!(rows.units().are_rows());
    }
}
