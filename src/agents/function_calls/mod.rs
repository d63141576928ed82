//! Function calls against accepted ones: each parameter has a list of accepted values.
//!
//! An accepted value `""` marks a parameter that may be missing, as in the Berkeley Function-Calling Leaderboard.

mod bfcl;
mod call;
mod optimal;
#[cfg(test)]
mod tests;

use super::Lowercase;
use crate::error::{Error, Result};
use crate::matching::{Matching, matching_at_once, unmatched};
use crate::text::joined;
use crate::trajectory::message;
pub(super) use call::Call;
use call::{Fault, quoted_name};
pub use call::{FunctionTool, ParameterType, ToolParameter};
use serde::{Deserialize, Serialize};

/// How calls are compared with accepted ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum FunctionCallMode {
    /// As many calls as possible are matched; values are equal as JSON.
    Optimal,
    /// As the checker of the Berkeley Function-Calling Leaderboard.
    Bfcl,
}

/// Whether the order of calls counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum CallOrder {
    /// The calls may be made in any order.
    Any,
    /// The calls are made in the order of the accepted ones.
    Same,
}

/// The options of the evaluator.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FunctionCallConfig {
    /// How calls are compared.
    pub mode: FunctionCallMode,
    /// Whether their order counts.
    pub order: CallOrder,
    /// Whether there may be more calls than the accepted ones.
    pub allow_extra: bool,
    /// The tools that may be called.
    pub tools: Vec<FunctionTool>,
}

/// The result of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FunctionCallVerdict {
    /// For each accepted call, the index of the call that matches it.
    pub matches: Vec<Option<usize>>,
    /// The problem, if any.
    pub comment: Option<String>,
}

/// The role of a message in the reference of a row that requires at least one call and accepts any.
const ANY: &str = "\"any\"";

/// The most pairs of calls that are compared.
const MAX_PAIRS: usize = 4_000_000;

/// The most problems that a comment describes.
const DESCRIBED: usize = 5;

impl FunctionCallConfig {
    /// Compares the calls of a row with the accepted ones. Both are lines of [`crate::trajectory`].
    pub fn judge(&self, outputs: &str, accepted: &str, lowercase: Lowercase) -> Result<FunctionCallVerdict> {
        let made = message::read(message::OUTPUTS, outputs)?;
        let accepted = message::read("referenceOutputs", accepted)?;
        let count = made.calls.len();
        if accepted.messages().iter().any(|message| message.role == ANY) {
            let comment = (count == 0).then(|| "No call is made, and at least one is expected.".to_owned());
            return Ok(FunctionCallVerdict { matches: Vec::new(), comment });
        }
        let calls: Vec<Call<'_>> = made.calls.iter().map(Call::made).collect();
        let accepted: Vec<Call<'_>> = accepted.calls.iter().map(Call::accepted).collect::<Result<_>>()?;
        let tools = accepted.iter().map(|call| self.tool(call)).collect::<Result<Vec<_>>>()?;
        if calls.len().saturating_mul(accepted.len()) > MAX_PAIRS {
            return Err(Error::invalid_input(format!(
                "{count} calls and {} accepted ones are too many to compare; their product is at most {MAX_PAIRS}",
                accepted.len()
            )));
        }
        let compared =
            Compared { mode: self.mode, calls: &calls, accepted: &accepted, tools: &tools, lowercase };
        let matches = match (self.mode, self.order, self.allow_extra) {
            (FunctionCallMode::Bfcl, ..) => compared.greedy(),
            (_, CallOrder::Same, false) => compared.by_position(),
            (_, CallOrder::Same, true) => compared.in_order(),
            (_, CallOrder::Any, _) => compared.best()?,
        };
        let comment = compared.comment(&matches, self.allow_extra);
        Ok(FunctionCallVerdict { matches, comment })
    }

    fn tool(&self, call: &Call<'_>) -> Result<&FunctionTool> {
        let tool = self.tools.iter().find(|tool| Some(tool.name.as_str()) == call.name);
        tool.ok_or_else(|| {
            let name = quoted_name(call.name);
            Error::invalid_input(format!("referenceOutputs has a call of {name}, which is not in tools"))
        })
    }
}

/// The calls of a row and the accepted ones.
struct Compared<'c, 'v> {
    mode: FunctionCallMode,
    calls: &'c [Call<'v>],
    accepted: &'c [Call<'v>],
    /// The tool of each accepted call.
    tools: &'c [&'c FunctionTool],
    lowercase: Lowercase,
}

impl Compared<'_, '_> {
    /// The problem of a call, compared with an accepted one. Only called with valid indices.
    fn fault(&self, accepted: usize, call: usize) -> Option<Fault> {
        let (Some(tool), Some(accepted), Some(call)) =
            (self.tools.get(accepted), self.accepted.get(accepted), self.calls.get(call))
        else {
            return Some(Fault::Name);
        };
        if call.name != accepted.name {
            return Some(Fault::Name);
        }
        match self.mode {
            FunctionCallMode::Bfcl => bfcl::fault(tool, call, accepted, self.lowercase),
            FunctionCallMode::Optimal => optimal::fault(tool, call, accepted),
        }
    }

    fn fits(&self, accepted: usize, call: usize) -> bool {
        self.fault(accepted, call).is_none()
    }

    /// Gives each accepted call the first free call that fits it, as the leaderboard does.
    fn greedy(&self) -> Matching {
        let mut is_taken = vec![false; self.calls.len()];
        let mut first_free = |accepted: usize| {
            let (call, taken) = is_taken
                .iter_mut()
                .enumerate()
                .find(|(call, taken)| !**taken && self.fits(accepted, *call))?;
            *taken = true;
            Some(call)
        };
        (0..self.accepted.len()).map(&mut first_free).collect()
    }

    fn by_position(&self) -> Matching {
        (0..self.accepted.len()).map(|index| self.fits(index, index).then_some(index)).collect()
    }

    /// Gives each accepted call the first call that fits it and follows the match of the previous one. If all accepted
    /// calls can be matched in order, this matches them.
    fn in_order(&self) -> Matching {
        let mut next = 0;
        let mut first = |accepted: usize| {
            let call = (next..self.calls.len()).find(|call| self.fits(accepted, *call))?;
            next = call + 1;
            Some(call)
        };
        (0..self.accepted.len()).map(&mut first).collect()
    }

    /// Matches as many accepted calls as possible.
    fn best(&self) -> Result<Matching> {
        let mut fits = |accepted, call| Ok(self.fits(accepted, call));
        matching_at_once(self.accepted.len(), self.calls.len(), &mut fits)
    }

    /// The problem of the calls, if any.
    fn comment(&self, matches: &Matching, allow_extra: bool) -> Option<String> {
        let mut extra = unmatched(matches, self.calls.len());
        let mut problems: Vec<String> = Vec::new();
        for (accepted, call) in matches.iter().enumerate() {
            if call.is_none() {
                problems.push(self.explain_missing(accepted, &mut extra));
            }
        }
        if !allow_extra {
            problems.extend(extra.into_iter().map(|call| format!("{} is not expected.", self.shown(call))));
        }
        let more = problems.len().saturating_sub(DESCRIBED);
        problems.truncate(DESCRIBED);
        if more > 0 {
            problems.push(match more {
                1 => "There is 1 more problem.".into(),
                _ => format!("There are {more} more problems."),
            });
        }
        (!problems.is_empty()).then(|| joined(&problems, " "))
    }

    /// Why an accepted call has no match: the fault of an extra call of the same tool, which is then explained.
    fn explain_missing(&self, accepted: usize, extra: &mut Vec<usize>) -> String {
        let name = self.accepted.get(accepted).and_then(|call| call.name);
        let has_name = |call: &usize| self.calls.get(*call).is_some_and(|call| call.name == name);
        let Some(place) = extra.iter().position(has_name) else {
            return format!("A call of {} is missing.", quoted_name(name));
        };
        let call = extra.remove(place);
        match self.fault(accepted, call) {
            Some(Fault::Arguments(what)) => format!("{}: {what}.", self.shown(call)),
            _ => format!("{} is not in the expected order.", self.shown(call)),
        }
    }

    /// A call in a comment: its number and its tool.
    fn shown(&self, call: usize) -> String {
        format!("Call {} ({})", call + 1, quoted_name(self.calls.get(call).and_then(|call| call.name)))
    }
}
