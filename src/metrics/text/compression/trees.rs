//! Huffman codes as zlib builds them. Several codes can be optimal, and the choice affects the size of the
//! code table.

/// The code lengths of symbols with these frequencies, up to the last symbol with a code; at most `most`
/// bits. 0 for a symbol without a code.
pub fn lengths(frequencies: &[u32], most: usize) -> Vec<usize> {
    let mut tree = Tree::new(frequencies);
    let merged = tree.merge();
    tree.limited(&merged, most)
}

/// Symbols, followed by the inner nodes.
struct Tree {
    parents: Vec<usize>,
    /// The number of symbols, up to the last one with a code.
    symbols: usize,
    /// The nodes without a parent, as a binary min-heap from index 1 on.
    heap: Vec<Node>,
}

/// A symbol or an inner node.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The frequency in the high half, and the depth in the low half: of equal frequencies, the deeper node
    /// comes later.
    rank: u64,
    number: usize,
}

impl Node {
    fn of_symbol(number: usize, frequency: u32) -> Self {
        Self { rank: u64::from(frequency) << 32, number }
    }

    fn joining(first: Self, second: Self, number: usize) -> Self {
        let depth = (first.rank as u32).max(second.rank as u32) + 1;
        Self { rank: ((first.rank >> 32) + (second.rank >> 32)) << 32 | u64::from(depth), number }
    }
}

fn at<T: Copy + Default>(values: &[T], place: usize) -> T {
    values.get(place).copied().unwrap_or_default()
}

fn set<T>(values: &mut [T], place: usize, value: T) {
    if let Some(old) = values.get_mut(place) {
        *old = value;
    }
}

impl Tree {
    fn new(frequencies: &[u32]) -> Self {
        let mut heap = vec![Node::default()];
        let mut symbols = 0;
        for (symbol, frequency) in frequencies.iter().enumerate() {
            if *frequency > 0 {
                heap.push(Node::of_symbol(symbol, *frequency));
                symbols = symbol + 1;
            }
        }
        // A code has at least two symbols.
        while heap.len() < 3 {
            let more = if symbols < 3 { symbols } else { 0 };
            symbols = symbols.max(more + 1);
            heap.push(Node::of_symbol(more, 1));
        }
        let mut tree = Self { parents: vec![0; frequencies.len()], symbols, heap };
        for place in (1..=(tree.heap.len() - 1) / 2).rev() {
            tree.sink(place);
        }
        tree
    }

    /// Moves a node down the heap to its place.
    fn sink(&mut self, mut place: usize) {
        let node = at(&self.heap, place);
        while let Some(left) = self.heap.get(2 * place) {
            let (mut below, mut other) = (2 * place, *left);
            if let Some(right) = self.heap.get(below + 1)
                && right.rank <= other.rank
            {
                (below, other) = (below + 1, *right);
            }
            if node.rank <= other.rank {
                break;
            }
            set(&mut self.heap, place, other);
            place = below;
        }
        set(&mut self.heap, place, node);
    }

    /// Joins the two rarest nodes until one is left. Returns the nodes in the order of joining, the last one
    /// included.
    fn merge(&mut self) -> Vec<usize> {
        let mut merged = Vec::with_capacity(2 * self.heap.len());
        while self.heap.len() > 2 {
            let first = at(&self.heap, 1);
            let last = self.heap.pop().unwrap_or_default();
            set(&mut self.heap, 1, last);
            self.sink(1);
            let second = at(&self.heap, 1);
            merged.extend([first.number, second.number]);
            let node = Node::joining(first, second, self.parents.len());
            self.parents.push(0);
            set(&mut self.parents, first.number, node.number);
            set(&mut self.parents, second.number, node.number);
            set(&mut self.heap, 1, node);
            self.sink(1);
        }
        merged.push(at(&self.heap, 1).number);
        merged
    }

    /// The code lengths, limited to `most` bits.
    fn limited(&self, merged: &[usize], most: usize) -> Vec<usize> {
        let mut lengths = vec![0; self.parents.len()];
        let mut counts = vec![0_usize; most + 1];
        let mut too_long = 0_isize;
        for node in merged.iter().rev().skip(1) {
            let length = at(&lengths, at(&self.parents, *node)) + 1;
            too_long += isize::from(length > most);
            set(&mut lengths, *node, length.min(most));
            if *node < self.symbols {
                let count = at(&counts, length.min(most)) + 1;
                set(&mut counts, length.min(most), count);
            }
        }
        if too_long > 0 {
            while too_long > 0 {
                let length = (1..most).rev().find(|length| at(&counts, *length) > 0).unwrap_or(1);
                for (length, change) in [(length, -1), (length + 1, 2), (most, -1)] {
                    let count = at(&counts, length).saturating_add_signed(change);
                    set(&mut counts, length, count);
                }
                too_long -= 2;
            }
            // The rarest symbols get the longest codes.
            let mut symbols = merged.iter().filter(|node| **node < self.symbols);
            for length in (1..=most).rev() {
                for symbol in symbols.by_ref().take(at(&counts, length)) {
                    set(&mut lengths, *symbol, length);
                }
            }
        }
        lengths.truncate(self.symbols);
        lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_symbols_have_longer_codes() {
        assert_eq!(lengths(&[5, 1, 0, 1, 2, 0], 15), [1, 3, 0, 3, 2]);
        assert_eq!(lengths(&[0, 0, 0, 7, 0], 15), [1, 0, 0, 1]);
        assert_eq!(lengths(&[0, 0, 0], 15), [1, 1]);
        assert_eq!(lengths(&[1, 1, 2, 4, 8, 16, 32], 4), [4, 4, 4, 4, 3, 3, 1]);
    }

    #[test]
    fn of_symbols_as_frequent_zlib_has_its_own_choice() {
        // Of equal frequencies, the shallower node is joined first.
        assert_eq!(lengths(&[1, 1, 2, 2], 15), [2, 2, 2, 2]);
        assert_eq!(lengths(&[1; 7], 15), [3, 3, 3, 2, 3, 3, 3]);
        assert_eq!(lengths(&[2, 1, 2, 1, 3, 2, 3, 1, 1], 15), [3, 4, 3, 4, 2, 3, 3, 4, 4]);
    }
}
