//! The blocks of a Markdown text: no sentence goes on from one to the next.

use super::words::is_word;
use super::{first, has, rest, skip};
use crate::code::Fence;

/// A part of the text, in bytes.
#[derive(Debug)]
pub struct Block {
    pub end: usize,
    /// Where the prose begins, behind the list marker, and where it ends. Nowhere, if the block is one piece.
    pub prose: (usize, usize),
    pub kind: Kind,
    /// How many blanks stand before it.
    pub indent: usize,
    /// Whether an empty line stands before it.
    pub is_apart: bool,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// With its level; a bold line is below all others.
    Heading(u8),
    Item,
    /// The first row of a table, with the line below it.
    Header,
    Row,
    Prose,
    Code,
    /// A line between paragraphs.
    Rule,
}

/// The level of a bold line.
const TITLE: u8 = 7;

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
    let mut is_apart = false;
    let mut next = 0;
    for whole in text.split_inclusive('\n') {
        let at = next;
        next += whole.len();
        let line = without_quote_markers(whole);
        let is_quote = line.len() < whole.len();
        if is_quote != in_quote {
            (open, fence) = (Open::Nothing, None);
        }
        in_quote = is_quote;
        if let Some(opened) = &fence {
            if let Some(block) = blocks.last_mut() {
                block.end = next;
            }
            let indent = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if opened.is_closed_by(line, indent) {
                fence = None;
            }
            continue;
        }
        fence = Fence::opened_by(line);
        let is_broken = is_broken(line);
        // The blank behind the mark of a quotation is part of it.
        let indent = (line.len() - line.trim_start().len()).saturating_sub(usize::from(is_quote));
        let line = line.trim();
        let (content, interrupts) = without_list_markers(line);
        let is_item = content.len() < line.len()
            && (interrupts || open != Open::Prose || !is_word(last_char) && last_char != ',');
        let has_bar = line.as_bytes().contains(&b'|');
        in_table &= has_bar;
        let is_row = in_table || line.starts_with('|');
        let is_rule = line.bytes().all(|byte| b" \t-=|:+*_".contains(&byte));
        let is_title = is_title(content);
        let level = level(line);
        let is_one_piece = fence.is_some() || level.is_some() || is_row || is_rule;
        let is_underline = is_rule && line.bytes().filter(|byte| matches!(byte, b'-' | b'=')).count() > 2;
        if is_underline && open != Open::Nothing {
            in_table = has_bar;
            if let Some(block) = blocks.last_mut() {
                block.end = next;
                if has_bar {
                    block.kind = Kind::Header;
                } else if block.kind == Kind::Prose && !has(".!?:", last_char) {
                    block.kind = Kind::Heading(if line.starts_with('=') { 1 } else { 2 });
                }
            }
            open = Open::Nothing;
        } else if is_one_piece || is_item || open < Open::Prose || is_title || is_definition(line) {
            // An empty line is no block, but the mark of a quotation in it is.
            if is_quote || !line.is_empty() {
                let content = content.as_ptr() as usize - whole.as_ptr() as usize;
                let prose = if is_one_piece { next } else { at + content };
                let title = Some(TITLE).filter(|_| is_title && !is_item && indent == 0);
                let kind = if fence.is_some() {
                    Kind::Code
                } else if let Some(level) = level.or(title) {
                    Kind::Heading(level)
                } else if is_row {
                    Kind::Row
                } else if is_rule {
                    Kind::Rule
                } else if is_item {
                    Kind::Item
                } else {
                    Kind::Prose
                };
                blocks.push(Block { end: next, prose: (prose, next), kind, indent, is_apart });
            }
            open = if fence.is_some() || is_rule {
                Open::Nothing
            } else if is_one_piece || is_title {
                Open::Underline
            } else if is_item {
                Open::Item
            } else {
                Open::Prose
            };
        } else if let Some(block) = blocks.last_mut() {
            block.end = next;
            block.prose.1 = next;
        }
        if is_broken {
            open = open.min(Open::Underline);
        }
        last_char = line.chars().next_back().unwrap_or(' ');
        is_apart = line.is_empty();
    }
    blocks
}

/// What comes after the `>` of a quotation; the line as it is if there is none.
fn without_quote_markers(mut line: &str) -> &str {
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        line = rest;
    }
    line
}

/// Whether a line ends in a hard break of Markdown.
fn is_broken(line: &str) -> bool {
    let end = line.strip_suffix('\n').unwrap_or(line);
    let end = end.strip_suffix('\r').unwrap_or(end);
    end.ends_with('\\') || end.ends_with("  ")
}

/// The level of the heading that a line is.
fn level(line: &str) -> Option<u8> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_apart = matches!(line.as_bytes().get(level), None | Some(b' ' | b'\t'));
    u8::try_from(level).ok().filter(|level| is_apart && (1..TITLE).contains(level))
}

/// Whether a line is bold from one end to the other, and so a heading in all but name.
fn is_title(line: &str) -> bool {
    let line = line.strip_suffix(':').unwrap_or(line).as_bytes();
    let inside = line.strip_prefix(b"**").and_then(|line| line.strip_suffix(b"**"));
    inside.is_some_and(|inside| !inside.windows(2).any(|pair| pair == b"**"))
}

/// Whether a line is a footnote or a source: `[^1]: …`, `[1] …`.
fn is_definition(line: &str) -> bool {
    line.starts_with("[^") || line.starts_with('[') && skip(rest(line, 1), "0123456789").starts_with(']')
}

/// What comes after the markers of list items, and whether they can end a paragraph wherever they stand: a line that
/// begins with a number may be a paragraph that goes on.
fn without_list_markers(line: &str) -> (&str, bool) {
    let mut content = line;
    while let Some(length) = marker(content) {
        content = rest(content, length).trim_start();
    }
    let bytes = line.as_bytes();
    (
        content,
        !first(line).is_ascii_alphanumeric() && first(line) != '('
            || matches!(bytes, [b'1', b'.' | b')', ..]),
    )
}

/// The length of the marker of a list item.
fn marker(line: &str) -> Option<usize> {
    if has("•‣◦▪●○", first(line)) {
        return Some('•'.len_utf8());
    }
    let bytes = line.as_bytes();
    let start = usize::from(line.starts_with('('));
    let digits = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
    let at = start + digits;
    let end = match (digits, bytes.get(at..)?) {
        (0, [b'-' | b'*' | b'+', ..]) => 1,
        (0, [b'A'..=b'Z' | b'a'..=b'z', b')', ..]) | (1..4, [b'.', b')', ..]) => at + 2,
        (1..4, [b'.' | b')', ..]) => at + 1,
        _ => return None,
    };
    matches!(bytes.get(end), Some(b' ' | b'\t')).then_some(end)
}
