//! Verdicts on an agent's tool calls: rules, loops, failed calls and hand-offs need no reference; function calls and
//! the state that a run leaves are compared with one. Metrics that ask a model use [`crate::rag`].
//!
//! The package passes trajectories as the lines of [`crate::trajectory`]. It also passes the facts that only it can
//! determine, such as which results are errors, by the index of the call.

pub mod function_calls;
pub mod handoffs;
pub mod loops;
mod pattern;
pub mod policy;
mod runs;
pub mod state_match;
pub mod status;
mod steps;
pub mod tau;

use crate::error::{Error, Result};
use crate::json::{Number, Written, WrittenValue};
use crate::scale::{Scales, ScoreScale};
use crate::text::beginning;

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("tool_policy", ScoreScale::SHARE),
    ("no_loops", ScoreScale::VERDICT),
    ("step_status", ScoreScale::SHARE),
    ("function_calls", ScoreScale::VERDICT),
    ("tool_call_precision", ScoreScale::SHARE),
    ("tool_call_recall", ScoreScale::SHARE),
    ("tool_call_f1", ScoreScale::SHARE),
    ("tool_arguments", ScoreScale::SHARE),
    ("state_match", ScoreScale::VERDICT),
    ("tau_reward", ScoreScale::SHARE),
    ("handoffs", ScoreScale::VERDICT),
    ("step_efficiency", ScoreScale::SHARE),
    ("goal_accuracy", ScoreScale::SHARE),
    ("task_completion", ScoreScale::SHARE),
    ("knowledge_retention", ScoreScale::SHARE),
    ("role_adherence", ScoreScale::SHARE),
    ("completeness", ScoreScale::SHARE),
];

/// The most characters of a tool's name in a comment.
const SHOWN: usize = 100;

/// Judges rows of two texts, each terminated by a null character: a trajectory, and data about its calls.
///
/// Verdicts are passed as JSON text, so that the function is not generic and the binary has it once.
pub fn each_row(rows: &str, judge: &mut dyn FnMut(&str, &str) -> Result<String>) -> Result<String> {
    let mut texts = rows.split_terminator('\0');
    let mut list = String::from("[");
    while let Some(lines) = texts.next() {
        let other = texts.next().ok_or_else(|| Error::invalid_input("a row has no second text"))?;
        list.push_str(if list.len() > 1 { "," } else { "" });
        list.push_str(&judge(lines, other)?);
    }
    list.push(']');
    Ok(list)
}

/// Converts a text to lower case. The caller passes it in: in WebAssembly it is JavaScript's, because the tables of the
/// standard library take 7 KB of the binary.
pub type Lowercase = fn(&str) -> String;

/// Characters in lower case. A final sigma becomes an ordinary one.
fn lowered(text: impl Iterator<Item = char>, lowercase: Lowercase) -> String {
    lowercase(&text.collect::<String>()).chars().map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

/// Equality as in Python, where `True` equals 1, for the rules of benchmarks written in it.
fn equal_in_python(one: &Written<'_>, other: &Written<'_>) -> bool {
    use WrittenValue::{Array, Bool, Float, Integer, Object};
    match (&one.value, &other.value) {
        (Bool(flag), Integer(number) | Float(number)) | (Integer(number) | Float(number), Bool(flag)) => {
            *number == Number::Integer(i64::from(*flag))
        }
        (Array(one), Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal_in_python(one, other))
        }
        (Object(one), Object(other)) => {
            let same = |((key, one), (other_key, other)): (&(_, _), &(_, _))| {
                key == other_key && equal_in_python(one, other)
            };
            one.len() == other.len() && one.iter().zip(other).all(same)
        }
        _ => one == other,
    }
}

/// A name in a comment.
fn shown(name: &str) -> &str {
    beginning(name, SHOWN).unwrap_or(name)
}

#[cfg(test)]
mod tests;
