//! Reads JSON text into trees.
//!
//! The content of an array or object is collected on a stack, and moved off it in one piece at its end. So
//! each gets exactly the memory that it needs, without growing in steps.

use super::scan::{Problem, Scanner};
use super::{Json, MAX_DEPTH, Object, Prefix};
use crate::memory::make_room;
use std::borrow::Cow;

/// Reads one JSON text, with optional white space around it.
pub(super) fn parse(text: &str) -> Result<Json<'_>, Problem> {
    let mut parser = Parser::new(text);
    parser.make_room();
    let value = parser.value(0)?;
    parser.scanner.ends()?;
    Ok(value)
}

/// Reads the value at the start of a text. The error is the position where reading stopped.
pub(super) fn parse_prefix(text: &str) -> Result<Prefix<'_>, usize> {
    let mut parser = Parser::new(text);
    let value = parser.value(0).map_err(|problem| problem.at)?;
    Ok(Prefix { value, end: parser.scanner.position, twice: parser.twice })
}

pub(super) type Member<'a> = (Cow<'a, str>, Json<'a>);

struct Parser<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    /// The elements of the arrays that are being read, outermost first.
    elements: Vec<Json<'a>>,
    /// The members of the objects that are being read, outermost first.
    members: Vec<Member<'a>>,
    /// Duplicate keys of an object with different values.
    twice: Vec<Cow<'a, str>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            scanner: Scanner::new(text),
            elements: Vec::new(),
            members: Vec::new(),
            twice: Vec::new(),
        }
    }

    /// Reserves the memory that a large text can need at once. Smaller texts fit into the existing memory.
    fn make_room(&mut self) {
        /// Below this size in bytes, counting costs more than it saves.
        const LARGE: usize = 1 << 16;
        /// The most that the allocator adds to an allocation.
        const OVERHEAD: usize = 4 * size_of::<usize>();
        if self.text.len() < LARGE {
            return;
        }
        let Counts { commas, colons, opened } = count(self.text.as_bytes());
        // A non-empty array has one more element than commas.
        let (elements, members) = (commas + opened, colons.min(commas + opened));
        // The stacks hold only the arrays and objects that are open at the same time.
        let (stacked_elements, stacked_members) = (commas + MAX_DEPTH, members.min(commas + MAX_DEPTH));
        let [element, member] = [size_of::<Json<'_>>(), size_of::<Member<'_>>()].map(|size| size as u64);
        let bytes = (stacked_elements + elements) as u64 * element
            + stacked_members as u64 * member
            + members as u64 * (member - element)
            + (opened * OVERHEAD) as u64;
        make_room(bytes);
        // If the reservation fails, the vectors grow on demand.
        let _ = self.elements.try_reserve_exact(stacked_elements);
        let _ = self.members.try_reserve_exact(stacked_members);
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>, Problem> {
        match self.scanner.next() {
            Some(b'"') => Ok(Json::String(self.scanner.string()?.text())),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'-' | b'0'..=b'9') => self.scanner.number().map(Json::Number),
            Some(b't') => self.scanner.literal("true").map(|()| Json::Bool(true)),
            Some(b'f') => self.scanner.literal("false").map(|()| Json::Bool(false)),
            Some(b'n') => self.scanner.literal("null").map(|()| Json::Null),
            _ => Err(self.scanner.no_value()),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json<'a>, Problem> {
        let depth = self.scanner.open(depth)?;
        if self.scanner.takes(b']') {
            return Ok(Json::Array(Vec::new()));
        }
        let start = self.elements.len();
        loop {
            let element = self.value(depth)?;
            self.elements.push(element);
            if self.scanner.list_ends()? {
                return Ok(Json::Array(split_off(&mut self.elements, start)));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json<'a>, Problem> {
        let depth = self.scanner.open(depth)?;
        if self.scanner.takes(b'}') {
            return Ok(Json::Object(Object::default()));
        }
        let start = self.members.len();
        loop {
            let key = self.scanner.key()?.text();
            let value = self.value(depth)?;
            self.members.push((key, value));
            if self.scanner.object_ends()? {
                let members = split_off(&mut self.members, start);
                return Ok(Json::Object(Object::from_members(members, &mut self.twice)));
            }
        }
    }
}

/// Upper bounds of the size of a tree. Characters within strings are counted, too.
#[derive(Default)]
struct Counts {
    commas: usize,
    colons: usize,
    /// Brackets and braces that are not closed immediately.
    opened: usize,
}

fn count(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
    for piece in text.chunks(1 << 12) {
        counts.add(piece);
    }
    counts
}

impl Counts {
    // A separate function, because V8 optimizes a WebAssembly function only after several calls.
    #[inline(never)]
    fn add(&mut self, text: &[u8]) {
        let (chunks, rest) = text.as_chunks::<8>();
        for chunk in chunks {
            let bytes = u64::from_le_bytes(*chunk);
            // Setting this bit turns a bracket into a brace.
            let braces = bytes | repeated(0x20);
            let closing = equal_bytes(braces, b'}');
            // The next byte of the text is the next higher byte of the word.
            let opening = equal_bytes(braces, b'{') & !(closing >> 8);
            self.commas += equal_bytes(bytes, b',').count_ones() as usize;
            self.colons += equal_bytes(bytes, b':').count_ones() as usize;
            self.opened += opening.count_ones() as usize;
        }
        self.commas += rest.len();
        self.colons += rest.len();
        self.opened += rest.len();
    }
}

/// The byte, eight times.
const fn repeated(byte: u8) -> u64 {
    byte as u64 * (u64::MAX / 0xFF)
}

/// The highest bit of each byte that equals `byte`.
fn equal_bytes(bytes: u64, byte: u8) -> u64 {
    let different = bytes ^ repeated(byte);
    let low = repeated(0x7F);
    !(((different & low) + low) | different | low)
}

/// Moves the elements from `start` on off a stack.
fn split_off<T>(stack: &mut Vec<T>, start: usize) -> Vec<T> {
    /// From this number of elements on, copying is slow and doubles the memory.
    const MANY: usize = 1 << 16;
    if start == 0 && stack.len() >= MANY {
        let mut all = std::mem::take(stack);
        all.shrink_to_fit();
        return all;
    }
    stack.split_off(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_the_memory_of_a_tree(text in "[\\[\\]{}:,a\"é ]{0,40}") {
            let counts = count(text.as_bytes());
            let closed_at_once = |pair: &&[u8]| matches!(pair, [b'[' | b'{', b']' | b'}']);
            let opened = text.matches(['[', '{']).count() - text.as_bytes().windows(2).filter(closed_at_once).count();
            prop_assert!(counts.opened >= opened);
            prop_assert!(counts.commas >= text.matches(',').count());
            prop_assert!(counts.colons >= text.matches(':').count());
            // An opening bracket at the end of a chunk may be counted although it is closed immediately.
            let most = text.len() / 8 + 7;
            prop_assert!(counts.opened <= opened + most && counts.commas <= text.matches(',').count() + most);
        }
    }

    #[test]
    fn large_texts_become_the_same_trees() {
        let list = format!("[{}[]]", "[1,\"a\"],{\"k\":[2,{}]},".repeat(40_000));
        let tree = parse(&list).ok().map(|tree| tree.to_text());
        assert_eq!(tree, Some(list));
        let object = format!("{{{}\"z\":0}}", "\"a\":{\"b\":1},".repeat(70_000));
        assert_eq!(parse(&object).ok().map(|tree| tree.to_text()).as_deref(), Some(r#"{"a":{"b":1},"z":0}"#));
    }
}
