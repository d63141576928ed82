//! Trajectory overlap: precision, recall and F1 of the tool calls in a maximum matching.
//!
//! In `strict` mode the order of messages counts: messages with tool calls are aligned so that as many calls
//! as possible match within the aligned pairs (Needleman and Wunsch 1970, without gap penalties). In all
//! other modes the order does not count.

use super::message::{Message, ToolCall};
use super::tool_args::{CustomMatcher, MatchRules};
use super::{Opposite, TrajectoryMatchMode, by_name, calls};
use crate::error::Result;
use crate::matching;
use crate::scale::{Scales, ScoreScale};
use crate::sort;
use serde::Serialize;

/// The score scales, by result key.
pub const SCALES: &Scales = &[("trajectory_f1", ScoreScale::SHARE)];

/// Precision, recall and F1 of two trajectories.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TrajectoryOverlap {
    /// The share of the output's calls that match, from 0 to 1; 1 if there are no calls.
    pub precision: f64,
    /// The share of the reference's calls that match, from 0 to 1; 1 if there are no calls.
    pub recall: f64,
    /// The harmonic mean of precision and recall, from 0 to 1: 1 if neither side has calls, 0 if only one
    /// side has.
    pub f1: f64,
    /// The unmatched calls of the outputs, in order, as indices into all calls of the outputs.
    pub unmatched_outputs: Vec<u32>,
    /// The unmatched calls of the reference, in order, as indices into all its calls.
    pub unmatched_reference_outputs: Vec<u32>,
}

/// The calls without a partner, on both sides.
type Unmatched<'t, 'v> = Vec<&'t ToolCall<'v>>;

pub(super) async fn overlap<'v, M: CustomMatcher>(
    rules: &mut MatchRules<'_, M>,
    outputs: &[Message<'_, 'v>],
    reference_outputs: &[Message<'_, 'v>],
) -> Result<TrajectoryOverlap> {
    let unmatched = if rules.mode() == TrajectoryMatchMode::Strict {
        in_order(rules, outputs, reference_outputs).await?
    } else {
        in_any_order(rules, calls(outputs).collect(), calls(reference_outputs).collect()).await?
    };
    let (called, expected) = (calls(outputs).count(), calls(reference_outputs).count());
    let matched = called - in_outputs(&unmatched);
    let share = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
    let places = |is_output: bool| {
        let of_side = unmatched.iter().filter(|call| call.is_output() == is_output);
        let places: Vec<u32> = of_side.map(|call| call.index as u32).collect();
        sort::in_order(&places, Ord::cmp)
    };
    Ok(TrajectoryOverlap {
        precision: share(matched, called),
        recall: share(matched, expected),
        f1: share(2 * matched, called + expected),
        unmatched_outputs: places(true),
        unmatched_reference_outputs: places(false),
    })
}

fn in_outputs(unmatched: &[&ToolCall<'_>]) -> usize {
    unmatched.iter().filter(|call| call.is_output()).count()
}

/// Matches as many calls as possible, and returns the unmatched ones.
async fn in_any_order<'t, 'v, M: CustomMatcher>(
    rules: &mut MatchRules<'_, M>,
    outputs: Vec<&'t ToolCall<'v>>,
    reference_outputs: Vec<&'t ToolCall<'v>>,
) -> Result<Unmatched<'t, 'v>> {
    // Fast path for the most frequent case, a single call on each side.
    if let ([output], [reference]) = (outputs.as_slice(), reference_outputs.as_slice()) {
        let matches = output.name == reference.name && rules.hold(output, reference).await?;
        return Ok(if matches { Vec::new() } else { vec![output, reference] });
    }
    let mut unmatched = Vec::new();
    for group in by_name(&outputs, &reference_outputs) {
        let (left, right) = rules.without_equal(group.outputs, group.reference_outputs);
        if !rules.may_match_unequal(&left) {
            unmatched.extend(left.into_iter().chain(right));
            continue;
        }
        rules.allow_pairs(left.len(), right.len())?;
        let mut relation = Opposite { rules, left: &left, right: &right, outputs_are_left: true };
        let partners = matching::maximum_matching(left.len(), right.len(), &mut relation, false).await?;
        let alone = left.iter().zip(&partners).filter(|(_, partner)| partner.is_none());
        unmatched.extend(alone.map(|(call, _)| *call));
        let free = matching::unmatched(&partners, right.len());
        unmatched.extend(free.into_iter().filter_map(|index| right.get(index).copied()));
    }
    Ok(unmatched)
}

/// Aligns messages so that as many calls as possible match, and returns the unmatched ones.
async fn in_order<'t, 'v, M: CustomMatcher>(
    rules: &mut MatchRules<'_, M>,
    outputs: &[Message<'t, 'v>],
    reference_outputs: &[Message<'t, 'v>],
) -> Result<Unmatched<'t, 'v>> {
    /// The cost of comparing two messages, in steps of the search.
    const STEPS: usize = 100;
    // Messages without calls do not affect the alignment.
    let calling = |messages: &[Message<'t, 'v>]| -> Vec<Message<'t, 'v>> {
        messages.iter().filter(|message| !message.tool_calls.is_empty()).copied().collect()
    };
    let (outputs, reference_outputs) = (calling(outputs), calling(reference_outputs));
    let mut pairs: Vec<Unmatched<'t, 'v>> = Vec::new();
    let mut same = 0;
    for (row, output) in outputs.iter().enumerate() {
        for reference in reference_outputs.iter().skip(same) {
            let (output, reference) = (output.tool_calls.iter(), reference.tool_calls.iter());
            let unmatched = in_any_order(rules, output.collect(), reference.collect()).await?;
            // A common prefix of fully matching messages is always part of an optimal alignment.
            if row == same && pairs.is_empty() && unmatched.is_empty() {
                same += 1;
                break;
            }
            if pairs.is_empty() {
                let (rows, columns) = (outputs.len() - same, reference_outputs.len() - same);
                rules.spend(rows.saturating_mul(columns).saturating_mul(STEPS))?;
            }
            pairs.push(unmatched);
        }
    }
    let [rows, columns] = [&outputs, &reference_outputs].map(|side| side.get(same..).unwrap_or_default());
    Ok(align(rows, columns, &pairs))
}

/// The calls left unmatched by an optimal alignment. `pairs` has the unmatched calls of each pair of row and
/// column.
#[expect(
    clippy::indexing_slicing,
    reason = "`pairs` has a cell for each row and column, `best` for one more of both"
)]
fn align<'t, 'v>(
    rows: &[Message<'t, 'v>],
    columns: &[Message<'t, 'v>],
    pairs: &[Unmatched<'t, 'v>],
) -> Unmatched<'t, 'v> {
    // The most matches in the first rows and columns.
    let width = columns.len() + 1;
    let mut best = vec![0; (rows.len() + 1) * width];
    for (row, output) in rows.iter().enumerate() {
        for column in 0..columns.len() {
            let at = row * width + column;
            let matched = output.tool_calls.len() - in_outputs(&pairs[row * columns.len() + column]);
            best[at + width + 1] = best[at + 1].max(best[at + width]).max(best[at] + matched);
        }
    }
    let mut all = Vec::new();
    let (mut row, mut column) = (rows.len(), columns.len());
    while row + column > 0 {
        let at = row * width + column;
        if row > 0 && best[at] == best[at - width] {
            row -= 1;
            all.extend(rows[row].tool_calls);
        } else if column > 0 && best[at] == best[at - 1] {
            column -= 1;
            all.extend(columns[column].tool_calls);
        } else {
            (row, column) = (row - 1, column - 1);
            all.extend(&pairs[row * columns.len() + column]);
        }
    }
    all
}

#[cfg(test)]
mod tests;
