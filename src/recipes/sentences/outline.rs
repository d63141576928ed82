//! The outline of a Markdown text: the parent of each sentence, which is a heading, the introduction of a
//! list, a list item, or a table header.

use super::blocks::{Block, BlockKind};

/// The position of a sentence in the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The index of the parent sentence.
    pub parent: Option<usize>,
    /// Whether it is a heading.
    pub is_heading: bool,
    /// Whether it is part of a list or a table.
    pub in_list: bool,
}

/// The possible parents of the next sentence.
#[derive(Default)]
pub struct Outline {
    open: Vec<OpenParent>,
    sentences: usize,
    last: Option<(i32, BlockKind, bool)>,
}

/// A possible parent of sentences with a higher rank.
struct OpenParent {
    rank: i32,
    index: usize,
    in_list: bool,
}

impl Outline {
    /// The position of the next sentence, which is in this block; `begins` if it is the first one there.
    pub fn place(&mut self, block: &Block, begins: bool) -> Position {
        let index = self.sentences;
        self.sentences += 1;
        let kind = block.kind;
        let indent = 2 * i32::try_from(block.indent).unwrap_or(0);
        // Prose belongs to a list item if it is indented, or on the next line.
        let continued = match self.last {
            Some((rank, last, in_list)) => {
                let is_next_line = in_list && !block.is_apart && kind == BlockKind::Prose;
                let is_below = is_next_line && matches!(last, BlockKind::Item | BlockKind::Prose);
                Some(rank | 1).filter(|_| !begins || is_below)
            }
            None => None,
        };
        let rank = continued.unwrap_or(match kind {
            BlockKind::Heading(level) => i32::from(level) - 100,
            BlockKind::Item | BlockKind::Header | BlockKind::Code => indent,
            BlockKind::Row => indent + 1,
            BlockKind::Prose | BlockKind::Rule => indent - 1,
        });
        while self.open.pop_if(|open| open.rank >= rank).is_some() {}
        let parent = self.open.last();
        let in_list = match kind {
            BlockKind::Heading(_) => false,
            BlockKind::Item | BlockKind::Header | BlockKind::Row => true,
            BlockKind::Prose | BlockKind::Code | BlockKind::Rule => {
                parent.is_some_and(|parent| parent.in_list)
            }
        };
        let parent = parent.map(|parent| parent.index);
        // Indented prose without a parent is an ordinary paragraph.
        let rank = if kind == BlockKind::Prose && !in_list { -1 } else { rank };
        if !matches!(kind, BlockKind::Code | BlockKind::Rule) {
            self.open.push(OpenParent { rank, index, in_list });
        }
        self.last = Some((rank, kind, in_list));
        Position { parent, is_heading: matches!(kind, BlockKind::Heading(_)), in_list }
    }
}
