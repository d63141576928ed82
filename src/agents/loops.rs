//! Loops: calls that repeat, and results that stay the same.

use super::runs::{Run, runs};
use super::shown;
use super::steps::{Key, Steps};
use crate::error::Result;
use crate::interner::Interner;
use crate::text::joined;
use serde::{Deserialize, Serialize};

/// A kind of loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ToolLoopKind {
    /// One call, with the same arguments.
    Call,
    /// Several calls in the same order, with the same arguments.
    Cycle,
    /// The same results, of tools whose results should change.
    NoProgress,
}

/// The options of the search for loops.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LoopConfig {
    /// The fewest repetitions in a row that count as a loop.
    pub min_repeats: usize,
    /// Patterns of tools whose calls are ignored.
    pub ignore: Vec<String>,
    /// Patterns of tools whose results have to change.
    pub progress: Vec<String>,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolLoop {
    /// Its kind.
    pub kind: ToolLoopKind,
    /// The index of its first call.
    pub first: usize,
    /// The index of its last call.
    pub last: usize,
    /// The calls of one round.
    pub period: usize,
    /// The number of complete rounds.
    pub repeats: usize,
    /// Whether results differ between the rounds; missing if they are unknown.
    pub results_change: Option<bool>,
    /// A description, with the places of the first and the last call.
    pub comment: String,
}

impl LoopConfig {
    /// The loops of a trajectory. `results` has a line with the JSON of the result of each call, empty without one.
    pub fn loops(&self, lines: &str, results: &str) -> Result<Vec<ToolLoop>> {
        let steps = Steps::read(lines)?;
        let numbers = steps.numbered();
        let results = numbered_results(results);
        let all = (0..numbers.len()).zip(steps.fitting(&self.ignore));
        let calls: Vec<usize> = all.filter(|(_, is_ignored)| !is_ignored).map(|(call, _)| call).collect();
        let symbols: Vec<usize> = calls.iter().filter_map(|call| numbers.get(*call).copied()).collect();
        let mut found: Vec<ToolLoop> = Vec::new();
        for run in runs(&symbols, self.min_repeats) {
            let kind = if run.period == 1 { ToolLoopKind::Call } else { ToolLoopKind::Cycle };
            found.extend(describe(&steps, kind, &calls, &results, run));
        }
        let has_to_change = steps.fitting(&self.progress);
        let with_result = |call: &usize| {
            has_to_change.get(*call) == Some(&true) && results.get(*call).is_some_and(Option::is_some)
        };
        let calls: Vec<usize> = calls.into_iter().filter(with_result).collect();
        let mut interner = Interner::new();
        let result = |call: usize| results.get(call).copied().flatten().unwrap_or_default();
        let symbol = |call: &usize| interner.intern(Key::Numbers(steps.name_index(*call), result(*call)));
        let symbols: Vec<usize> = calls.iter().map(symbol).collect();
        let repeated = found.len();
        for run in runs(&symbols, self.min_repeats) {
            let unchanged = describe(&steps, ToolLoopKind::NoProgress, &calls, &results, run);
            // Equal calls with equal results are one loop, not two.
            let known = found.get(..repeated).unwrap_or_default();
            // Loops are sorted, and none contains another. So of those that do not begin later, the last ends last.
            let is_known = |one: &ToolLoop| {
                let earlier = known.partition_point(|known| known.first <= one.first);
                earlier
                    .checked_sub(1)
                    .and_then(|at| known.get(at))
                    .is_some_and(|known| one.last <= known.last)
            };
            let is_new = unchanged.as_ref().is_some_and(|one| !is_known(one));
            found.extend(unchanged.filter(|_| is_new));
        }
        Ok(found)
    }
}

/// Numbers the results so that equal texts have the same number.
fn numbered_results(results: &str) -> Vec<Option<usize>> {
    let mut interner = Interner::new();
    let results = results.split_terminator('\n');
    results.map(|result| (!result.is_empty()).then(|| interner.intern(Key::Text(0, result)))).collect()
}

/// A run of calls as a loop. `calls` has the index of each call that was compared.
fn describe(
    steps: &Steps<'_>,
    kind: ToolLoopKind,
    calls: &[usize],
    results: &[Option<usize>],
    run: Run,
) -> Option<ToolLoop> {
    let Run { start, end, period } = run;
    let stretch = calls.get(start..end)?;
    let (first, last) = (*stretch.first()?, *stretch.last()?);
    let result = |call: &usize| results.get(*call).copied().flatten();
    let next = stretch.iter().skip(period);
    let pairs = stretch.iter().zip(next).filter_map(|(one, other)| Some((result(one)?, result(other)?)));
    let results_change =
        pairs.fold(None, |changes, (one, other)| Some(changes == Some(true) || one != other));
    /// The most tools of a cycle in a comment.
    const NAMED: usize = 8;
    let tool = |call: &usize| steps.call(*call).map(|call| shown(call.tool()));
    let mut tools: Vec<&str> = stretch.iter().take(period.min(NAMED)).filter_map(tool).collect();
    if period > NAMED {
        tools.push("…");
    }
    let (tools, repeats) = (joined(&tools, ", "), run.repeats());
    let what = match kind {
        ToolLoopKind::Call => format!("{tools} is called {repeats} times in a row with the same arguments"),
        ToolLoopKind::Cycle => {
            format!("the cycle {tools} is repeated {repeats} times with the same arguments")
        }
        ToolLoopKind::NoProgress => format!("the results of {tools} are the same {repeats} times in a row"),
    };
    let same = match (kind, results_change) {
        (ToolLoopKind::NoProgress, _) | (_, None) => "",
        (_, Some(true)) => ", and the results change",
        (_, Some(false)) => ", and the results do not change",
    };
    let place = |call: usize| steps.call(call).map(|call| call.place()).unwrap_or_default();
    let comment = format!("{} to {}: {what}{same}.", place(first), place(last));
    Some(ToolLoop { kind, first, last, period, repeats, results_change, comment })
}
