//! Patterns of tool names, in which `*` matches any text: `db.*`.

use crate::text::find;

/// Whether a name fits a pattern.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, end)) = pattern.rsplit_once('*') else { return pattern == name };
    let mut parts = head.split('*');
    let start = parts.next().unwrap_or_default();
    let Some(mut middle) = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) else {
        return false;
    };
    // An empty part is between two stars.
    for part in parts.filter(|part| !part.is_empty()) {
        let Some(rest) = find(middle, part).and_then(|at| middle.get(at + part.len()..)) else {
            return false;
        };
        middle = rest;
    }
    true
}

/// Whether a name fits one of the patterns. A call without a name fits none.
pub(super) fn fits_any(patterns: &[String], name: Option<&str>) -> bool {
    name.is_some_and(|name| patterns.iter().any(|pattern| fits(pattern, name)))
}
