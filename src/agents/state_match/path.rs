//! Paths of values in a state, and the patterns that they fit.

use std::fmt::Write;

/// A step of a path.
#[derive(Clone, Copy)]
pub(super) enum Step<'v> {
    Key(&'v str),
    Index(usize),
}

/// A path as text: `orders[2].status`.
pub(super) fn shown(path: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Key(key) if text.is_empty() => write!(text, "{key}"),
            Step::Key(key) => write!(text, ".{key}"),
            Step::Index(index) => write!(text, "[{index}]"),
        };
    }
    if text.is_empty() { "the state".to_owned() } else { text }
}

/// Whether a pattern fits a path. `*` is any step, `**` any number of them.
pub(super) fn fits(pattern: &[String], path: &[Step<'_>]) -> bool {
    let Some((first, others)) = pattern.split_first() else { return path.is_empty() };
    if first == "**" {
        return (0..=path.len()).any(|at| fits(others, path.get(at..).unwrap_or_default()));
    }
    let Some((step, rest)) = path.split_first() else { return false };
    let is_step = match step {
        _ if first == "*" => true,
        Step::Key(key) => first == key,
        Step::Index(index) => first.parse() == Ok(*index),
    };
    is_step && fits(others, rest)
}
