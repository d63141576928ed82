//! How much of two trajectories matches: precision, recall and F1 of the calls in a maximum matching.
//!
//! In `strict` mode the order counts, message by message: messages that call tools are paired without crossing, so that
//! as many calls as possible match within the pairs. That is the alignment of Needleman and Wunsch (1970), without a
//! penalty for gaps. In all other modes the order does not count.

use super::message::{Message, ToolCall};
use super::tool_args::{CustomMatcher, Rules};
use super::{Opposite, TrajectoryMatchMode, by_name, calls};
use crate::error::Result;
use crate::matching;
use crate::scale::{Scales, ScoreScale};
use crate::sort::sorted;
use serde::Serialize;

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[("trajectory_f1", ScoreScale::SHARE)];

/// How much of two trajectories matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TrajectoryOverlap {
    /// The share of the calls in the outputs that match; 1 if there are none.
    pub precision: f64,
    /// The share of the calls in the reference that match; 1 if there are none.
    pub recall: f64,
    /// The harmonic mean of both: 1 if there are no calls at all, 0 if only one side has some.
    pub f1: f64,
    /// The calls of the outputs without a partner: their places among all of these, in order.
    pub unmatched_outputs: Vec<usize>,
    /// The same for the reference.
    pub unmatched_reference_outputs: Vec<usize>,
}

/// The calls that a matching leaves without a partner, on both sides.
type Unmatched<'t, 'v> = Vec<&'t ToolCall<'v>>;

pub(super) async fn overlap<'v, M: CustomMatcher>(
    rules: &mut Rules<'_, M>,
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
        let places: Vec<usize> = of_side.map(|call| call.index).collect();
        let order = sorted(places.len(), &|a, b| places.get(a).cmp(&places.get(b)));
        order.into_iter().filter_map(|at| places.get(at).copied()).collect()
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

/// Matches as many calls as possible, and returns the others.
async fn in_any_order<'t, 'v, M: CustomMatcher>(
    rules: &mut Rules<'_, M>,
    outputs: Vec<&'t ToolCall<'v>>,
    reference_outputs: Vec<&'t ToolCall<'v>>,
) -> Result<Unmatched<'t, 'v>> {
    // By far the most frequent between two messages: there is nothing to choose.
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
        let partners = matching::match_up(left.len(), right.len(), &mut relation, false).await?;
        let alone = left.iter().zip(&partners).filter(|(_, partner)| partner.is_none());
        let free = right.iter().enumerate().filter(|(index, _)| !partners.contains(&Some(*index)));
        unmatched.extend(alone.map(|(call, _)| *call).chain(free.map(|(_, call)| *call)));
    }
    Ok(unmatched)
}

/// Pairs messages without crossing, so that as many calls as possible match, and returns the others.
async fn in_order<'t, 'v, M: CustomMatcher>(
    rules: &mut Rules<'_, M>,
    outputs: &[Message<'t, 'v>],
    reference_outputs: &[Message<'t, 'v>],
) -> Result<Unmatched<'t, 'v>> {
    /// What comparing two messages takes, in steps of the search.
    const STEPS: usize = 100;
    // Messages that call nothing have nothing that could match.
    let calling = |messages: &[Message<'t, 'v>]| -> Vec<Message<'t, 'v>> {
        messages.iter().filter(|message| !message.tool_calls.is_empty()).copied().collect()
    };
    let (outputs, reference_outputs) = (calling(outputs), calling(reference_outputs));
    let mut pairs: Vec<Unmatched<'t, 'v>> = Vec::new();
    let mut same = 0;
    for (row, output) in outputs.iter().enumerate() {
        for reference in reference_outputs.iter().skip(same) {
            let sides = (output.tool_calls.iter().collect(), reference.tool_calls.iter().collect());
            let unmatched = in_any_order(rules, sides.0, sides.1).await?;
            // Messages at the beginning that match entirely are paired: in no other way would more of them match.
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

/// What remains when as many calls as possible match; `pairs` says what does if a row is paired with a column.
#[expect(
    clippy::indexing_slicing,
    reason = "`pairs` has a cell for each row and column, `best` for one more of both"
)]
fn align<'t, 'v>(
    rows: &[Message<'t, 'v>],
    columns: &[Message<'t, 'v>],
    pairs: &[Unmatched<'t, 'v>],
) -> Unmatched<'t, 'v> {
    // How many calls match at best in the first rows and columns.
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
