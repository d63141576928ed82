//! The blocks of a Markdown text: no sentence goes on from one to the next.

use std::ops::Range;

use super::words::is_word;
use crate::code::Fence;

/// A part of the text, in bytes.
#[derive(Debug)]
pub struct Block {
    pub start: usize,
    pub end: usize,
    /// What has sentences in it, behind the list marker. Empty where the block is one piece.
    pub prose: Range<usize>,
}

/// What the next line may add to the last block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Open {
    Nothing,
    /// Only the line below a heading or the header of a table.
    Underline,
    Prose,
    /// The prose of an item, which every other item ends.
    Item,
}

/// The blocks that a text consists of, with nothing but white space between them.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = Open::Nothing;
    let mut fence: Option<Fence> = None;
    let (mut in_quote, mut in_table) = (false, false);
    let mut last_char = ' ';
    let mut next = 0;
    for whole in text.split_inclusive('\n') {
        let at = next;
        next += whole.len();
        let end = at + whole.trim_end().len();
        let line = without_quote_markers(whole);
        let is_quote = line.len() < whole.len();
        if is_quote != in_quote {
            (open, fence) = (Open::Nothing, None);
        }
        in_quote = is_quote;
        if let Some(opened) = &fence {
            if let Some(block) = blocks.last_mut() {
                block.end = end.max(block.end);
            }
            if opened.is_closed_by(line, line.len() - line.trim_start_matches([' ', '\t']).len()) {
                fence = None;
            }
            continue;
        }
        fence = Fence::opened_by(line);
        let line = line.trim();
        let (content, interrupts) = without_list_markers(line);
        let is_item = content.len() < line.len()
            && (interrupts || !matches!(open, Open::Prose) || !is_word(last_char) && last_char != ',');
        in_table &= line.contains('|');
        let is_row = in_table || line.starts_with('|');
        let is_rule = line.chars().all(|c| " \t-=|:+*_".contains(c));
        let is_one_piece = fence.is_some() || is_heading(line) || is_row || is_rule;
        if is_rule && open != Open::Nothing && line.len() > 2 && line.contains(['-', '=']) {
            in_table = line.contains('|');
            if let Some(block) = blocks.last_mut() {
                block.end = end;
            }
            open = Open::Nothing;
        } else if is_one_piece || is_item || open < Open::Prose || is_title(content) || is_definition(line) {
            if at < end {
                let start = at + whole.len() - whole.trim_start().len();
                let prose = if is_one_piece { end } else { end - content.len() };
                blocks.push(Block { start, end, prose: prose..end });
            }
            open = match () {
                () if fence.is_some() || is_rule => Open::Nothing,
                () if is_one_piece || is_title(content) => Open::Underline,
                () if is_item => Open::Item,
                () => Open::Prose,
            };
        } else if let Some(block) = blocks.last_mut() {
            (block.end, block.prose.end) = (end, end);
        }
        // A line break that is meant to be one.
        let whole = whole.trim_end_matches(['\r', '\n']);
        if whole.ends_with('\\') || whole.ends_with("  ") {
            open = open.min(Open::Underline);
        }
        last_char = line.chars().next_back().unwrap_or(' ');
    }
    blocks
}

/// What comes after the `>` of a quotation; the line as it is if there is none.
fn without_quote_markers(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        line = rest;
    }
    line
}

fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - text.len())) && (text.is_empty() || text.starts_with([' ', '\t']))
}

/// Whether a line is bold from one end to the other, and so a heading in all but name.
fn is_title(line: &str) -> bool {
    let inside = |mark| line.strip_prefix(mark)?.trim_end_matches(':').strip_suffix(mark);
    ["**", "__"].into_iter().any(|mark| inside(mark).is_some_and(|text: &str| !text.contains(mark)))
}

/// Whether a line is a footnote, a source or the target of links: `[^1]: …`, `[1] …`.
fn is_definition(line: &str) -> bool {
    let parts = line.strip_prefix('[').and_then(|line| line.split_once(']'));
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    parts.is_some_and(|(name, rest)| rest.starts_with(':') || is_number(name))
}

/// What comes after the markers of list items, and whether they can end a paragraph wherever they stand: a line that
/// begins with a number may be a paragraph that goes on.
fn without_list_markers(line: &str) -> (&str, bool) {
    let mut content = line;
    let mut interrupts = true;
    while let Some((marker, rest)) = marker(content) {
        if content.len() == line.len() {
            let marker = marker.trim_start_matches('(').trim_end_matches(['.', ')']);
            interrupts = marker == "1" || !marker.starts_with(|c: char| c.is_ascii_alphanumeric());
        }
        content = rest;
    }
    (content, interrupts)
}

/// The marker of a list item, and the text behind it.
fn marker(line: &str) -> Option<(&str, &str)> {
    let number = line.strip_prefix('(').unwrap_or(line);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = number.len() - rest.len();
    let end = if line.starts_with(['•', '‣', '◦', '▪', '●', '○']) {
        line.chars().next().map_or(0, char::len_utf8)
    } else {
        let rest = match digits {
            0 if line.starts_with(['-', '*', '+']) => line.get(1..),
            0 => number.strip_prefix(|c: char| c.is_ascii_alphabetic())?.strip_prefix(')'),
            1..=3 => rest.strip_prefix(".)").or_else(|| rest.strip_prefix(['.', ')'])),
            _ => None,
        };
        rest.filter(|rest| rest.starts_with([' ', '\t'])).map(|rest| line.len() - rest.len())?
    };
    let (marker, rest) = line.split_at_checked(end)?;
    Some((marker, rest.trim_start()))
}
