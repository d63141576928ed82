//! The state of the world after a run against the expected one: a JSON comparison that reports each difference.

mod path;

use crate::error::{Error, Result};
use crate::json::{self, Json, Object};
use crate::matching::{matching_at_once, unmatched};
use path::{Step, fits, shown};
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// The options of the comparison. Patterns are lists of steps; `*` is any step, `**` any number of them.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StateMatchConfig {
    /// The ignored paths.
    pub ignore: Vec<Vec<String>>,
    /// Lists whose order does not count.
    pub unordered: Vec<Vec<String>>,
    /// The values that a judge compares if both sides have them.
    pub judged: Vec<Vec<String>>,
    /// By how much numbers may differ.
    pub tolerance: f64,
}

/// A difference between two states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StateDifference {
    /// The path of the value: `orders[2].status`.
    pub path: String,
    /// The value in the outputs as JSON text, cut after 80 characters; missing if there is none.
    pub output: Option<String>,
    /// The value in the reference, in the same way.
    pub reference: Option<String>,
}

/// A value that a judge compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct JudgedState {
    /// The index of the pattern.
    pub rule: usize,
    /// The path of the value.
    pub path: String,
    /// The value in the outputs, as JSON text.
    pub output: String,
    /// The value in the reference, as JSON text.
    pub reference: String,
}

/// The result of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StateComparison {
    /// The first differences.
    pub differences: Vec<StateDifference>,
    /// The number of all differences.
    pub count: usize,
    /// The values for a judge to compare.
    pub judged: Vec<JudgedState>,
}

/// The most differences that are listed.
const LISTED: usize = 100;

/// The most pairs of elements of an unordered list.
const MAX_PAIRS: usize = 4_000_000;

/// The most values that are compared to pair the elements of all unordered lists of a state. A long text counts several
/// times. This takes some seconds.
const MAX_COMPARISONS: usize = 10_000_000;

/// The bytes of a text that count as one value.
const BYTES_OF_A_VALUE: usize = 256;

impl StateMatchConfig {
    /// Compares the states of rows, a JSON text `[[outputs, referenceOutputs], …]`.
    pub fn compare(&self, rows: &str) -> Result<Vec<StateComparison>> {
        json::parse_pairs(rows, |output, reference| {
            let left = Cell::new(MAX_COMPARISONS);
            let found = Some(StateComparison::default());
            let mut walk = Walk { config: self, path: Vec::new(), found, left: &left };
            walk.same(output, reference)?;
            Ok(walk.found.unwrap_or_default())
        })
    }
}

struct Walk<'c, 'v> {
    config: &'c StateMatchConfig,
    path: Vec<Step<'v>>,
    /// The differences; `None` if only the equality of two values counts.
    found: Option<StateComparison>,
    /// The number of values that may still be compared to pair elements.
    left: &'c Cell<usize>,
}

impl<'v> Walk<'_, 'v> {
    /// Compares two values. Without a list of differences, stops at the first one.
    fn same(&mut self, output: &'v Json<'v>, reference: &'v Json<'v>) -> Result<bool> {
        if self.found.is_none() {
            self.spend(output)?;
        }
        if self.fits(&self.config.ignore).is_some() {
            return Ok(true);
        }
        if let Some(rule) = self.fits(&self.config.judged) {
            let path = self.shown();
            if let Some(found) = &mut self.found {
                let (output, reference) = (output.to_text(), reference.to_text());
                found.judged.push(JudgedState { rule, path, output, reference });
            }
            return Ok(true);
        }
        match (output, reference) {
            (Json::Object(output), Json::Object(reference)) => self.same_members(output, reference),
            (Json::Array(output), Json::Array(reference)) => {
                if self.fits(&self.config.unordered).is_none() {
                    self.same_elements(output, reference)
                } else if self.found.is_none() && output.len() != reference.len() {
                    Ok(false)
                } else {
                    self.same_in_any_order(output, reference)
                }
            }
            (Json::Number(one), Json::Number(other)) if self.is_tolerated(one.to_f64(), other.to_f64()) => {
                Ok(true)
            }
            _ if output == reference => Ok(true),
            _ => {
                self.differ(Some(output), Some(reference));
                Ok(false)
            }
        }
    }

    /// Whether the tolerance allows this difference.
    fn is_tolerated(&self, one: f64, other: f64) -> bool {
        let tolerance = self.config.tolerance;
        // A difference of exactly the tolerance must not fail because of rounding.
        let slack = 4.0 * f64::EPSILON * one.abs().max(other.abs());
        tolerance > 0.0 && (one - other).abs() <= tolerance + slack
    }

    fn same_members(&mut self, output: &'v Object<'v>, reference: &'v Object<'v>) -> Result<bool> {
        let mut is_same = true;
        let unexpected = output.iter().filter(|(key, _)| reference.get(key).is_none());
        let others = unexpected.map(|(key, value)| (Step::Key(key), Some(value), None));
        let expected = reference.iter().map(|(key, value)| (Step::Key(key), output.get(key), Some(value)));
        for (step, output, reference) in expected.chain(others) {
            is_same &= self.same_at(step, output, reference)?;
            if self.found.is_none() && !is_same {
                break;
            }
        }
        Ok(is_same)
    }

    fn same_elements(&mut self, output: &'v [Json<'v>], reference: &'v [Json<'v>]) -> Result<bool> {
        let mut is_same = true;
        for index in 0..output.len().max(reference.len()) {
            is_same &= self.same_at(Step::Index(index), output.get(index), reference.get(index))?;
            if self.found.is_none() && !is_same {
                break;
            }
        }
        Ok(is_same)
    }

    /// Pairs as many equal elements as possible, and compares the others in their order.
    fn same_in_any_order(&mut self, output: &'v [Json<'v>], reference: &'v [Json<'v>]) -> Result<bool> {
        if output.len().saturating_mul(reference.len()) > MAX_PAIRS {
            return Err(Error::invalid_input(format!(
                "{} has {} and {} elements, too many for an unordered list: their product may be at most {MAX_PAIRS}",
                self.shown(),
                output.len(),
                reference.len()
            )));
        }
        let mut are_equal = |of_reference: usize, of_output: usize| {
            let (Some(one), Some(other)) = (output.get(of_output), reference.get(of_reference)) else {
                return Ok(false);
            };
            let mut path = self.path.clone();
            path.push(Step::Index(of_output));
            Walk { config: self.config, path, found: None, left: self.left }.same(one, other)
        };
        let partners = matching_at_once(reference.len(), output.len(), &mut are_equal)?;
        if self.found.is_none() {
            return Ok(partners.iter().all(Option::is_some));
        }
        let mut free = unmatched(&partners, output.len()).into_iter();
        let mut is_same = true;
        for (index, partner) in partners.iter().enumerate() {
            // Equal elements are compared again only to find values for a judge.
            if partner.is_some() && self.config.judged.is_empty() {
                continue;
            }
            let partner = partner.or_else(|| free.next());
            let step = Step::Index(partner.unwrap_or(index));
            is_same &= self.same_at(step, partner.and_then(|at| output.get(at)), reference.get(index))?;
        }
        for index in free {
            is_same &= self.same_at(Step::Index(index), output.get(index), None)?;
        }
        Ok(is_same)
    }

    fn same_at(
        &mut self,
        step: Step<'v>,
        output: Option<&'v Json<'v>>,
        reference: Option<&'v Json<'v>>,
    ) -> Result<bool> {
        self.path.push(step);
        let is_same = match (output, reference) {
            (Some(output), Some(reference)) => self.same(output, reference)?,
            _ if self.fits(&self.config.ignore).is_some() => true,
            _ => {
                self.differ(output, reference);
                false
            }
        };
        self.path.pop();
        Ok(is_same)
    }

    fn differ(&mut self, output: Option<&Json<'_>>, reference: Option<&Json<'_>>) {
        let Some(found) = &mut self.found else { return };
        found.count += 1;
        if found.differences.len() < LISTED {
            let path = shown(&self.path);
            let text = |value: Option<&Json<'_>>| value.map(ToString::to_string);
            found.differences.push(StateDifference {
                path,
                output: text(output),
                reference: text(reference),
            });
        }
    }

    /// Counts a value that is compared to pair elements.
    fn spend(&self, value: &Json<'_>) -> Result<()> {
        let bytes = if let Json::String(text) = value { text.len() } else { 0 };
        let left = self.left.get().checked_sub(1 + bytes / BYTES_OF_A_VALUE).ok_or_else(|| {
            Error::invalid_input(format!(
                "{}: pairing the elements of unordered lists takes more than {MAX_COMPARISONS} comparisons of values. Name fewer \
                 lists in `unordered`, or compare smaller states",
                self.shown()
            ))
        })?;
        self.left.set(left);
        Ok(())
    }

    /// The index of the first pattern that fits the path.
    fn fits(&self, patterns: &[Vec<String>]) -> Option<usize> {
        patterns.iter().position(|pattern| fits(pattern, &self.path))
    }

    fn shown(&self) -> String {
        shown(&self.path)
    }
}

#[cfg(test)]
mod tests;
