//! Groups sentences into requests, and selects the surrounding text to show.

use super::super::sentences::Sentence;
use super::items::items_per_request;
use std::ops::Range;

/// The number of sentences shown before and after a group.
const CONTEXT: usize = 2;

/// Groups the sentences of a text: usually one sentence each. The sentences of a list or table form a group
/// with the sentence that introduces it, and a heading joins the sentence after it. Large groups are split
/// into equal parts.
pub fn groups(sentences: &[Sentence<'_>]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut rest = 0..0;
    for (index, sentence) in sentences.iter().enumerate() {
        rest.end = index + 1;
        let goes_on = sentences.get(index + 1).is_some_and(|next| {
            let (place, next) = (sentence.place, next.place);
            place.is_heading || next.in_list && (place.in_list || next.parent == Some(index))
        });
        while !goes_on && !rest.is_empty() {
            let end = rest.start + items_per_request(rest.len());
            groups.push(rest.start..end);
            rest.start = end;
        }
    }
    groups
}

/// A group of sentences with its surroundings, as in the text; `[...]` marks omissions.
///
/// The excerpt includes everything that the group is nested under: headings, the introduction of the list,
/// the parent item, the header of the table. Following sentences are included up to the next heading and,
/// after a list item, up to the end of its list.
pub fn excerpt(text: &str, sentences: &[Sentence<'_>], group: &Range<usize>) -> String {
    let mut excerpt = String::new();
    let (mut next, mut end) = (0, 0);
    for index in surroundings(sentences, group) {
        let Some(sentence) = sentences.get(index) else { continue };
        // Sentences borrow from the text, so the difference of their addresses is an offset.
        let start = sentence.text.as_ptr().addr() - text.as_ptr().addr();
        let gap = text.get(end..start).unwrap_or_default();
        if index != next {
            push_gap(&mut excerpt, gap);
            match gap.rfind('\n').and_then(|line| gap.get(line..)) {
                Some(indent) if indent.trim().is_empty() => excerpt.push_str(indent),
                _ => excerpt.push(' '),
            }
        } else if index > 0 {
            excerpt.push_str(gap);
        }
        excerpt.push_str(sentence.text);
        (next, end) = (index + 1, start + sentence.text.len());
    }
    if next < sentences.len() {
        push_gap(&mut excerpt, text.get(end..).unwrap_or_default());
    }
    excerpt
}

/// The sentences of an excerpt: those of the group, and those around it.
fn surroundings(sentences: &[Sentence<'_>], group: &Range<usize>) -> Vec<usize> {
    let parent = |index: usize| sentences.get(index).and_then(|sentence| sentence.place.parent);
    let from = group.start.saturating_sub(CONTEXT);
    // The ancestors of the first sentence, which all sentences share; outermost first.
    let mut shown = Vec::new();
    let mut above = parent(group.start);
    while let Some(index) = above {
        if index < from {
            shown.push(index);
        }
        above = parent(index);
    }
    shown.reverse();
    shown.extend(from..group.end);
    let last = group.end.saturating_sub(1);
    let in_list = sentences.get(last).is_some_and(|last| last.place.in_list);
    for (index, sentence) in sentences.iter().enumerate().skip(group.end).take(CONTEXT) {
        // Insert each ancestor before those found so far.
        let mut above = parent(index);
        while above > parent(last) {
            above = above.and_then(parent);
        }
        let is_below = above == parent(last);
        if !is_below || sentence.place.is_heading || in_list && !sentence.place.in_list {
            break;
        }
        shown.push(index);
    }
    shown
}

/// Adds the mark of an omission, on its own line if it begins a line.
fn push_gap(excerpt: &mut String, gap: &str) {
    if !excerpt.is_empty() {
        let blank = gap.get(..gap.len() - gap.trim_start().len()).unwrap_or_default();
        excerpt.push(if blank.contains('\n') { '\n' } else { ' ' });
    }
    excerpt.push_str("[...]");
}
