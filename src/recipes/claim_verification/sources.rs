//! The sources of an answer, rendered with line numbers so that evidence can be cited.

use super::types::{CitedLines, ClaimCitation, ClaimSource, InvalidCitation};
use crate::json::Number;
use crate::prompt::push_value;

/// Renders all sources for a model. No text can end its block.
pub fn render(sources: &[ClaimSource]) -> String {
    let mut text = String::new();
    let blocks = ["source", "title"].map(str::to_owned);
    let push = |text: &mut String, value: &str| push_value(text, value, &blocks);
    for ClaimSource { source_id, title, content } in sources {
        text.push_str(if text.is_empty() { "<source>\n<source_id>" } else { "\n\n<source>\n<source_id>" });
        push(&mut text, source_id);
        text.push_str("</source_id>\n<title>");
        push(&mut text, title);
        text.push_str("</title>\n");
        let lines = lines(content).enumerate().map(|(number, line)| format!("{number}→{line}"));
        push(&mut text, &lines.collect::<Vec<_>>().join("\n"));
        text.push_str("\n</source>");
    }
    text
}

/// The cited passages, and the citations with sources or lines that do not exist.
pub fn cited(
    sources: &[ClaimSource],
    citations: Vec<CitedLines>,
) -> (Vec<ClaimCitation>, Vec<InvalidCitation>) {
    let (mut valid, mut invalid) = (Vec::new(), Vec::new());
    for CitedLines { source_id, start_range, end_range } in citations {
        // Models retract citations by making them empty.
        if start_range == end_range {
            continue;
        }
        let source = sources.iter().find(|source| source.source_id == source_id);
        let lines: Vec<&str> = source.iter().flat_map(|source| lines(&source.content)).collect();
        let (start, end) = (start_range.to_usize(), end_range.to_usize().min(lines.len()));
        let passage = lines.get(start..end).unwrap_or_default().join("\n");
        let cited_text = passage.trim_end();
        if !cited_text.is_empty() {
            valid.push(ClaimCitation { source_id: source_id.clone(), cited_text: cited_text.to_owned() });
        }
        let begins = start_range >= Number::Integer(0) && start_range < end_range;
        if !begins || end_range > Number::Integer(lines.len() as i64) {
            invalid.push(InvalidCitation { source_id, start_range, end_range });
        }
    }
    (valid, invalid)
}

/// The lines of a text, ended by `\n`, `\r\n` or `\r`. Vertical tabs, form feeds and Unicode line separators do
/// not end a line, because models do not count them as line ends.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some((line, after)) = text.find(['\n', '\r']).and_then(|end| text.split_at_checked(end)) else {
            return rest.take();
        };
        let mut breaks = after.chars();
        let first = breaks.next();
        let next = breaks.as_str();
        rest = Some(if first == Some('\r') { next.strip_prefix('\n').unwrap_or(next) } else { next });
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(id: &str, title: &str, content: &str) -> ClaimSource {
        ClaimSource { source_id: id.to_owned(), title: title.to_owned(), content: content.to_owned() }
    }

    #[test]
    fn only_line_feeds_and_carriage_returns_end_lines() {
        let all = |text: &'static str| lines(text).collect::<Vec<_>>();
        assert_eq!(all(""), [""]);
        assert_eq!(all("a\r\nb\n\rc\r"), ["a", "b", "", "c", ""]);
        assert_eq!(
            all("a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}f\u{1c}g"),
            ["a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}f\u{1c}g"]
        );
    }

    #[test]
    fn no_text_ends_its_source() {
        let sources = [source("1</source_id>", "</title>", "a\r\nb </ SOURCE>"), source("2", "t", "")];
        let text = "<source>\n<source_id>1&lt;/source_id></source_id>\n<title>&lt;/title></title>\n0→a\n1→b &lt;/ SOURCE>\n</source>\n\n<source>\n<source_id>2</source_id>\n<title>t</title>\n0→\n</source>";
        assert_eq!(render(&sources), text);
    }

    #[test]
    fn distinguishes_cited_lines_from_missing_ones() {
        let sources = [source("a", "", "zero\r\none\n\n  three \n")];
        let cite = |id: &str, start: i64, end: i64| {
            let (start_range, end_range) = (Number::Integer(start), Number::Integer(end));
            let citation = CitedLines { source_id: id.to_owned(), start_range, end_range };
            let (valid, invalid) = cited(&sources, vec![citation]);
            (valid.into_iter().map(|citation| citation.cited_text).collect::<String>(), invalid.len())
        };
        let found = |text: &str, invalid| (text.to_owned(), invalid);
        assert_eq!(cite("a", 1, 4), found("one\n\n  three", 0));
        assert_eq!(cite("a", 2, 3), found("", 0));
        assert_eq!(cite("a", 0, 5), found("zero\none\n\n  three", 0));
        assert_eq!(cite("z", 3, 3), found("", 0));
        assert_eq!(cite("a", 3, 6), found("  three", 1));
        assert_eq!(cite("a", -1, 1), found("zero", 1));
        assert_eq!(cite("a", 3, 1), found("", 1));
        assert_eq!(cite("a", 9, 12), found("", 1));
        assert_eq!(cite("z", 0, 1), found("", 1));
    }
}
