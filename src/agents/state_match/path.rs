//! Paths of values in a state, and the patterns that they fit.

use crate::agents::pattern::fits_list;
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

/// Whether a path fits a pattern. `*` is any step, `**` any number of them.
pub(super) fn fits(pattern: &[String], path: &[Step<'_>]) -> bool {
    fits_list(pattern, path, |name| name == "**", |name, step| is_step(name, step))
}

fn is_step(name: &str, step: &Step<'_>) -> bool {
    match step {
        _ if name == "*" => true,
        Step::Key(key) => name == *key,
        Step::Index(index) => name.parse() == Ok(*index),
    }
}
