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

/// Whether a pattern fits a path. `*` is any step, `**` any number of them. Only the last `**` is tried again, so that the
/// time is at most the product of both lengths.
pub(super) fn fits(pattern: &[String], path: &[Step<'_>]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The positions to retry from: in the pattern after the last `**`, and in the path.
    let mut retry = None;
    while let Some(step) = path.get(place) {
        match pattern.get(at) {
            Some(name) if name == "**" => {
                at += 1;
                retry = Some((at, place + 1));
            }
            Some(name) if is_step(name, step) => {
                at += 1;
                place += 1;
            }
            _ => {
                let Some((after_stars, next)) = retry else { return false };
                (at, place) = (after_stars, next);
                retry = Some((after_stars, next + 1));
            }
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|name| name == "**")
}

fn is_step(name: &str, step: &Step<'_>) -> bool {
    match step {
        _ if name == "*" => true,
        Step::Key(key) => name == *key,
        Step::Index(index) => name.parse() == Ok(*index),
    }
}
