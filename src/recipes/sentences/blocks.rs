//! Splits Markdown into blocks. Sentences do not cross blocks.

use super::words::is_word;
use super::{first, has, rest, skip};
use crate::code::Fence;

/// A block, with positions in bytes.
#[derive(Debug)]
pub struct Block {
    pub end: usize,
    /// The range of the prose, after the list marker. Empty if the block is a single unit.
    pub prose: (usize, usize),
    pub kind: BlockKind,
    /// The indentation, in columns.
    pub indent: usize,
    /// Whether an empty line precedes it.
    pub is_apart: bool,
}

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading with its level. A bold line has a level below all others.
    Heading(u8),
    Item,
    /// The first row of a table, with the delimiter row.
    Header,
    Row,
    Prose,
    Code,
    /// A horizontal rule.
    Rule,
}

/// The level of a bold line.
const TITLE: u8 = 7;

/// The block that the next line may continue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Continuation {
    Nothing,
    /// Only an underline: of a heading, or the delimiter row of a table.
    Underline,
    Prose,
    /// The prose of a list item, which any other item ends.
    Item,
}

/// The blocks of a text, with only white space between them.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = Continuation::Nothing;
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
            (open, fence) = (Continuation::Nothing, None);
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
        // One space after the quote marker belongs to the marker.
        let indent = (line.len() - line.trim_start().len()).saturating_sub(usize::from(is_quote));
        let text = line.trim();
        let (content, interrupts) = without_list_markers(text);
        let has_bar = text.as_bytes().contains(&b'|');
        in_table &= has_bar;
        let line = Line {
            text,
            indent,
            begins_code: fence.is_some(),
            level: level(text),
            is_row: in_table || text.starts_with('|'),
            is_rule: text.bytes().all(|byte| b" \t-=|:+*_".contains(&byte)),
            is_item: content.len() < text.len()
                && (interrupts || open != Continuation::Prose || !is_word(last_char) && last_char != ','),
            is_title: is_title(content),
        };
        if line.is_underline() && open != Continuation::Nothing {
            in_table = has_bar;
            if let Some(block) = blocks.last_mut() {
                block.end = next;
                if has_bar {
                    block.kind = BlockKind::Header;
                } else if block.kind == BlockKind::Prose && !has(".!?:", last_char) {
                    block.kind = BlockKind::Heading(if text.starts_with('=') { 1 } else { 2 });
                }
            }
            open = Continuation::Nothing;
        } else if open < Continuation::Prose || line.ends_prose() {
            // An empty line is not a block, unless it has a quote marker.
            if is_quote || !text.is_empty() {
                let content = content.as_ptr().addr() - whole.as_ptr().addr();
                let prose = if line.is_one_piece() { next } else { at + content };
                blocks.push(Block { end: next, prose: (prose, next), kind: line.kind(), indent, is_apart });
            }
            open = line.continuation();
        } else if let Some(block) = blocks.last_mut() {
            block.end = next;
            block.prose.1 = next;
        }
        if is_broken {
            open = open.min(Continuation::Underline);
        }
        last_char = text.chars().next_back().unwrap_or(' ');
        is_apart = text.is_empty();
    }
    blocks
}

/// A line outside of code, by what it may begin.
struct Line<'t> {
    /// The line without quote markers and surrounding white space.
    text: &'t str,
    /// The indentation, in columns.
    indent: usize,
    begins_code: bool,
    /// The level of a heading.
    level: Option<u8>,
    /// Whether it is a row of a table.
    is_row: bool,
    is_rule: bool,
    is_item: bool,
    /// Whether it is bold.
    is_title: bool,
}

impl Line<'_> {
    /// Whether it is a unit, or begins one, that is not split into sentences.
    fn is_one_piece(&self) -> bool {
        self.begins_code || self.level.is_some() || self.is_row || self.is_rule
    }

    /// Whether it may underline a heading or the header of a table.
    fn is_underline(&self) -> bool {
        self.is_rule && self.text.bytes().filter(|byte| matches!(byte, b'-' | b'=')).count() > 2
    }

    /// Whether it begins a block even after prose.
    fn ends_prose(&self) -> bool {
        self.is_one_piece() || self.is_item || self.is_title || is_definition(self.text)
    }

    /// The kind of the block that it begins.
    fn kind(&self) -> BlockKind {
        let title = Some(TITLE).filter(|_| self.is_title && !self.is_item && self.indent == 0);
        if self.begins_code {
            BlockKind::Code
        } else if let Some(level) = self.level.or(title) {
            BlockKind::Heading(level)
        } else if self.is_row {
            BlockKind::Row
        } else if self.is_rule {
            BlockKind::Rule
        } else if self.is_item {
            BlockKind::Item
        } else {
            BlockKind::Prose
        }
    }

    /// What the next line may continue.
    fn continuation(&self) -> Continuation {
        if self.begins_code || self.is_rule {
            Continuation::Nothing
        } else if self.is_one_piece() || self.is_title {
            Continuation::Underline
        } else if self.is_item {
            Continuation::Item
        } else {
            Continuation::Prose
        }
    }
}

/// The line without its `>` markers; unchanged if it has none.
fn without_quote_markers(mut line: &str) -> &str {
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        line = rest;
    }
    line
}

/// Whether a line ends in a hard line break of Markdown.
fn is_broken(line: &str) -> bool {
    let end = line.strip_suffix('\n').unwrap_or(line);
    let end = end.strip_suffix('\r').unwrap_or(end);
    end.ends_with('\\') || end.ends_with("  ")
}

/// The level of a heading line.
fn level(line: &str) -> Option<u8> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_apart = matches!(line.as_bytes().get(level), None | Some(b' ' | b'\t'));
    u8::try_from(level).ok().filter(|level| is_apart && (1..TITLE).contains(level))
}

/// Whether the whole line is bold, which is a heading in practice.
fn is_title(line: &str) -> bool {
    let line = line.strip_suffix(':').unwrap_or(line).as_bytes();
    let inside = line.strip_prefix(b"**").and_then(|line| line.strip_suffix(b"**"));
    inside.is_some_and(|inside| !inside.windows(2).any(|pair| pair == b"**"))
}

/// Whether a line defines a footnote or a source: `[^1]: …`, `[1] …`.
fn is_definition(line: &str) -> bool {
    line.starts_with("[^") || line.starts_with('[') && skip(rest(line, 1), "0123456789").starts_with(']')
}

/// The line without list markers, and whether these can interrupt a paragraph: a line that begins with a
/// number may continue the paragraph.
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

/// The length of a list marker.
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
