//! The outcome of each call: whether it failed, and whether a later call of the tool succeeded.

use super::steps::Steps;
use crate::error::Result;
use serde::Serialize;

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum StepStatus {
    /// Its result is not an error.
    Ok,
    /// Its result is an error, and no later step calls the tool again.
    Failed,
    /// Its result is an error, and so are the results of all later calls of the tool.
    Retried,
    /// Its result is an error, and a later call of the tool succeeds.
    Recovered,
    /// It has no result.
    Unanswered,
}

/// The status of each call, and the share of the answered calls that succeed or are recovered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StepStatuses {
    /// The status of each call, in order.
    pub statuses: Vec<StepStatus>,
    /// From 0 to 1; missing if no call has a result.
    pub score: Option<f64>,
    /// The first call that failed and was not recovered, with its place, and the number of others.
    pub comment: Option<String>,
}

/// Whether later steps call a tool, and with success.
#[derive(Debug, Clone, Copy, Default)]
struct Later {
    is_called: bool,
    succeeds: bool,
}

/// The status of each call. `outcomes` has a character for each: `o` for a result, `f` for an error, `-` for none.
pub fn statuses(lines: &str, outcomes: &str) -> Result<StepStatuses> {
    let steps = Steps::read(lines)?;
    let statuses = of_calls(&steps, outcomes.as_bytes());
    let count = |wanted: &[StepStatus]| statuses.iter().filter(|status| wanted.contains(status)).count();
    let good = count(&[StepStatus::Ok, StepStatus::Recovered]);
    let answered = statuses.len() - count(&[StepStatus::Unanswered]);
    let score = (answered > 0).then(|| good as f64 / answered as f64);
    let comment = comment(&steps, &statuses);
    Ok(StepStatuses { statuses, score, comment })
}

/// The status of each call, from the last step to the first.
fn of_calls(steps: &Steps<'_>, outcomes: &[u8]) -> Vec<StepStatus> {
    let mut statuses = vec![StepStatus::Unanswered; steps.calls().len()];
    let mut later = vec![Later::default(); steps.name_count()];
    let mut end = statuses.len();
    while end > 0 {
        let step = steps.step(end - 1);
        let start = (0..end).rev().take_while(|call| steps.step(*call) == step).last().unwrap_or_default();
        // Calls of the same step do not retry each other.
        for call in start..end {
            let next = later.get(steps.name_index(call)).copied().unwrap_or_default();
            let status = match outcomes.get(call) {
                Some(b'o') => StepStatus::Ok,
                Some(b'f') if next.succeeds => StepStatus::Recovered,
                Some(b'f') if next.is_called => StepStatus::Retried,
                Some(b'f') => StepStatus::Failed,
                _ => StepStatus::Unanswered,
            };
            if let Some(place) = statuses.get_mut(call) {
                *place = status;
            }
        }
        for call in start..end {
            if let Some(next) = later.get_mut(steps.name_index(call)) {
                next.is_called = true;
                next.succeeds |= outcomes.get(call) == Some(&b'o');
            }
        }
        end = start;
    }
    statuses
}

/// The first call that failed and was not recovered, and the number of others.
fn comment(steps: &Steps<'_>, statuses: &[StepStatus]) -> Option<String> {
    let mut bad = steps.calls().iter().zip(statuses).filter_map(|(call, status)| match status {
        StepStatus::Failed => Some((call, "failed, and is not called again")),
        StepStatus::Retried => Some((call, "failed, and so do its retries")),
        _ => None,
    });
    let (call, what) = bad.next()?;
    let more = match bad.count() {
        0 => String::new(),
        1 => " So did 1 more call.".to_owned(),
        count => format!(" So did {count} more calls."),
    };
    Some(format!("{}: {} {what}.{more}", call.place(), super::shown(call.tool())))
}
