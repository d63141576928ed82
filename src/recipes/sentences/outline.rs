//! What the sentences of a Markdown text stand under: headings, the introduction of a list, the item around an item,
//! the header of a table.

use super::blocks::{Block, Kind};

/// Where a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The index of the nearest sentence that it stands under.
    pub parent: Option<usize>,
    /// Whether it is a heading.
    pub is_heading: bool,
    /// Whether it is part of a list or a table.
    pub in_list: bool,
}

/// The sentences that the next one may stand under, as they were read so far.
#[derive(Default)]
pub struct Outline {
    open: Vec<Open>,
    sentences: usize,
    last: Option<(i32, Kind, bool)>,
}

/// A sentence that others may stand under: those with a higher rank.
struct Open {
    rank: i32,
    index: usize,
    in_list: bool,
}

impl Outline {
    /// The place of the next sentence, which is in this block, and perhaps the first one there.
    pub fn place(&mut self, block: &Block, begins: bool) -> Place {
        let index = self.sentences;
        self.sentences += 1;
        let kind = block.kind;
        let indent = 2 * i32::try_from(block.indent).unwrap_or(0);
        // Prose stands under an item if it is indented, or in the next line.
        let continued = match self.last {
            Some((rank, last, in_list)) => {
                let is_next_line = in_list && !block.is_apart && kind == Kind::Prose;
                let is_below = is_next_line && matches!(last, Kind::Item | Kind::Prose);
                Some(rank | 1).filter(|_| !begins || is_below)
            }
            None => None,
        };
        let rank = continued.unwrap_or(match kind {
            Kind::Heading(level) => i32::from(level) - 100,
            Kind::Item | Kind::Header | Kind::Code => indent,
            Kind::Row => indent + 1,
            Kind::Prose | Kind::Rule => indent - 1,
        });
        while self.open.pop_if(|open| open.rank >= rank).is_some() {}
        let parent = self.open.last();
        let in_list = match kind {
            Kind::Heading(_) => false,
            Kind::Item | Kind::Header | Kind::Row => true,
            Kind::Prose | Kind::Code | Kind::Rule => parent.is_some_and(|parent| parent.in_list),
        };
        let parent = parent.map(|parent| parent.index);
        // Prose that is indented below nothing is a paragraph like others.
        let rank = if kind == Kind::Prose && !in_list { -1 } else { rank };
        if !matches!(kind, Kind::Code | Kind::Rule) {
            self.open.push(Open { rank, index, in_list });
        }
        self.last = Some((rank, kind, in_list));
        Place { parent, is_heading: matches!(kind, Kind::Heading(_)), in_list }
    }
}
