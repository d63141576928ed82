//! Rules for tool calls: which tools, in which order, how often, with which arguments.

use super::shown;
use super::steps::Steps;
use crate::error::Result;
use crate::json;
use crate::text::joined;
use serde::{Deserialize, Serialize};

/// The kind of a rule: its requirement for the calls of its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ToolRuleKind {
    /// Only these tools may be called.
    Allow,
    /// These tools must not be called.
    Deny,
    /// A successful call of the other tools has to precede each call.
    Before,
    /// A successful call of the other tools has to follow each call.
    After,
    /// At least one call of these tools has to succeed.
    Required,
    /// The number of calls is limited.
    MaxCalls,
    /// The number of steps with calls is limited.
    MaxSteps,
    /// The number of calls with equal arguments is limited.
    MaxRepeats,
    /// The arguments have to fit a schema; the package validates them.
    Args,
    /// The user has to agree to each call; the package asks a judge or a function.
    Confirm,
    /// Tools that no rule names must not be called.
    OnUnknownTool,
}

/// A rule of a policy.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolRule {
    /// Its kind.
    pub kind: ToolRuleKind,
    /// Patterns of the tools that it applies to.
    pub tools: Vec<String>,
    /// Patterns of the other tools, of rules for an order.
    pub others: Vec<String>,
    /// The limit, if it has one.
    pub most: u32,
}

/// A call whose arguments do not fit the schema of a rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ArgumentMisfit {
    /// The index of the rule.
    pub rule: usize,
    /// The index of the call.
    pub call: usize,
    /// The problem.
    pub what: String,
}

/// Facts about the calls of a trajectory that only the package can determine.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CallFacts {
    /// The calls that do not succeed.
    pub failed: Vec<usize>,
    /// The calls that the user agreed to.
    pub confirmed: Vec<usize>,
    /// The arguments that do not fit, by rule and call.
    pub misfits: Vec<ArgumentMisfit>,
    /// The call that is about to be made, if only that one is judged.
    pub live: Option<usize>,
}

/// A question about a call: do its arguments fit, or did the user agree?
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CallQuestion {
    /// The index of the rule.
    pub rule: usize,
    /// The index of the call.
    pub call: usize,
}

/// A rule that calls break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BrokenToolRule {
    /// The index of the rule.
    pub rule: usize,
    /// The indices of the calls that break it; none if a call is missing.
    pub calls: Vec<usize>,
    /// The problem, with the place of the first call.
    pub comment: String,
}

/// Rules for the calls of an agent.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolPolicyConfig {
    /// The rules.
    pub rules: Vec<ToolRule>,
}

impl ToolPolicyConfig {
    /// The questions whose answers [`Self::broken`] needs. Calls that the user cannot have agreed to are left
    /// out. `live` is the index of the only call to ask about, or empty.
    pub fn questions(&self, lines: &str, live: &str) -> Result<Vec<CallQuestion>> {
        let steps = Steps::read(lines)?;
        let live: Option<usize> = live.parse().ok();
        let mut questions = Vec::new();
        for (rule, ToolRule { kind, tools, .. }) in self.rules.iter().enumerate() {
            let askable = match kind {
                ToolRuleKind::Args => vec![true; steps.calls().len()],
                ToolRuleKind::Confirm => answered(&steps),
                _ => continue,
            };
            let asked = steps.fitting(tools).into_iter().zip(askable).enumerate();
            let asked =
                asked.filter(|(call, about)| *about == (true, true) && live.is_none_or(|live| live == *call));
            questions.extend(asked.map(|(call, _)| CallQuestion { rule, call }));
        }
        Ok(questions)
    }

    /// The rules that a trajectory breaks. `facts` is the JSON of [`CallFacts`].
    pub fn broken(&self, lines: &str, facts: &str) -> Result<Vec<BrokenToolRule>> {
        let steps = Steps::read(lines)?;
        let facts: CallFacts = json::read(facts)?;
        let judged = Judged { succeeded: flags(&steps, &facts.failed, false), steps: &steps, facts: &facts };
        let broken = self.rules.iter().enumerate().filter_map(|(index, rule)| judged.broken(index, rule));
        Ok(broken.collect())
    }
}

/// For each call, whether the user has answered the agent before it.
fn answered(steps: &Steps<'_>) -> Vec<bool> {
    let (mut has_asked, mut has_answered) = (false, false);
    let mut flags = Vec::new();
    for message in steps.messages() {
        has_asked |= message.role == "\"assistant\"" && message.tool_calls.is_empty();
        has_answered |= has_asked && message.role == "\"user\"";
        flags.extend(message.tool_calls.iter().map(|_| has_answered));
    }
    flags
}

/// A flag for each call: `flag` for the listed calls, its opposite for the others.
fn flags(steps: &Steps<'_>, listed: &[usize], flag: bool) -> Vec<bool> {
    let mut flags = vec![!flag; steps.calls().len()];
    for call in listed {
        if let Some(place) = flags.get_mut(*call) {
            *place = flag;
        }
    }
    flags
}

/// A trajectory with the facts about its calls.
struct Judged<'s, 'v> {
    steps: &'s Steps<'v>,
    succeeded: Vec<bool>,
    facts: &'s CallFacts,
}

/// The numbers in the comment on a broken rule.
struct Counts {
    /// The number of calls or steps that the rule limits; 0 without a limit.
    limited: usize,
    /// The number of other calls that break the rule, without those that `limited` includes.
    others: usize,
}

impl Judged<'_, '_> {
    fn broken(&self, index: usize, rule: &ToolRule) -> Option<BrokenToolRule> {
        let fitting = self.steps.fitting(&rule.tools);
        if rule.kind == ToolRuleKind::Required {
            return self.missing(index, rule, &fitting);
        }
        let mut breaking = self.breaking(index, rule, &fitting);
        if let Some(live) = self.facts.live {
            breaking.retain(|call| *call == live);
        }
        let first = *breaking.first()?;
        let counts = self.counts(rule.kind, &fitting, &breaking, first);
        let comment = self.comment(index, rule, first, counts);
        Some(BrokenToolRule { rule: index, calls: breaking, comment })
    }

    /// A rule that is broken because no required call succeeds. While the run goes on, one still may.
    fn missing(&self, index: usize, rule: &ToolRule, fitting: &[bool]) -> Option<BrokenToolRule> {
        if self.facts.live.is_some()
            || fitting.iter().zip(&self.succeeded).any(|about| about == (&true, &true))
        {
            return None;
        }
        let comment = format!("{} is required, and no call of it succeeds.", listed(&rule.tools));
        Some(BrokenToolRule { rule: index, calls: Vec::new(), comment })
    }

    /// The calls that break a rule. `fitting` has a flag for each call of its tools.
    fn breaking(&self, index: usize, rule: &ToolRule, fitting: &[bool]) -> Vec<usize> {
        let Self { steps, succeeded, facts } = self;
        let most = rule.most as usize;
        let other = steps.fitting(&rule.others);
        let calls = |breaks: &mut dyn FnMut(usize, bool) -> bool| -> Vec<usize> {
            let calls = fitting.iter().enumerate();
            calls.filter(|(call, fits)| breaks(*call, **fits)).map(|(call, _)| call).collect()
        };
        // The successful calls of the other tools, in order.
        let mut prerequisites =
            other.iter().zip(succeeded).enumerate().filter(|(_, about)| *about == (&true, &true));
        let is_other = |call: usize| other.get(call) == Some(&true);
        let mut count = 0;
        match rule.kind {
            ToolRuleKind::Allow | ToolRuleKind::OnUnknownTool => calls(&mut |_, fits| !fits),
            ToolRuleKind::Deny => calls(&mut |_, fits| fits),
            ToolRuleKind::Before => {
                let first = prerequisites.next().map(|(call, _)| steps.step(call));
                let is_preceded = |call| first.is_some_and(|first| first < steps.step(call));
                calls(&mut |call, fits| fits && !is_other(call) && !is_preceded(call))
            }
            ToolRuleKind::After if facts.live.is_none() => {
                let last = prerequisites.next_back().map(|(call, _)| steps.step(call));
                let follows = |call| last.is_some_and(|last| last > steps.step(call));
                calls(&mut |call, fits| fits && !is_other(call) && !follows(call))
            }
            ToolRuleKind::After | ToolRuleKind::Required => Vec::new(),
            ToolRuleKind::MaxCalls => calls(&mut |_, fits| {
                count += usize::from(fits);
                fits && count > most
            }),
            ToolRuleKind::MaxSteps => calls(&mut |call, _| steps.step(call) > most),
            ToolRuleKind::MaxRepeats => {
                let numbers = steps.numbered();
                let mut counts = vec![0; numbers.len()];
                calls(&mut |call, _| {
                    let number = numbers.get(call).copied().unwrap_or_default();
                    counts.get_mut(number).is_some_and(|count| {
                        *count += 1;
                        *count > most
                    })
                })
            }
            ToolRuleKind::Args => {
                let misfits = facts.misfits.iter().filter(|misfit| misfit.rule == index);
                misfits.map(|misfit| misfit.call).collect()
            }
            ToolRuleKind::Confirm => {
                let confirmed = flags(steps, &facts.confirmed, true);
                calls(&mut |call, fits| fits && confirmed.get(call) == Some(&false))
            }
        }
    }

    /// The numbers in the comment on a rule that `breaking` calls break, of which `first` is described.
    fn counts(&self, kind: ToolRuleKind, fitting: &[bool], breaking: &[usize], first: usize) -> Counts {
        let Self { steps, facts, .. } = self;
        let made = facts.live.map_or(fitting.len(), |live| live + 1);
        match kind {
            ToolRuleKind::MaxCalls => {
                Counts { limited: fitting.iter().take(made).filter(|fits| **fits).count(), others: 0 }
            }
            ToolRuleKind::MaxSteps => Counts { limited: steps.step(made.saturating_sub(1)), others: 0 },
            ToolRuleKind::MaxRepeats => {
                let numbers = steps.numbered();
                let is_same = |call: usize| numbers.get(call) == numbers.get(first);
                let limited = (0..made).filter(|call| is_same(*call)).count();
                Counts { limited, others: breaking.iter().filter(|call| !is_same(**call)).count() }
            }
            _ => Counts { limited: 0, others: breaking.len() - 1 },
        }
    }

    /// The problem of a call, and the number of other calls with the same problem.
    fn comment(&self, index: usize, rule: &ToolRule, call: usize, counts: Counts) -> String {
        let Counts { limited, others: more } = counts;
        let ToolRule { kind, tools, others, most } = rule;
        let found = self.steps.call(call);
        let tool = found.map_or("a tool", |call| shown(call.tool()));
        let fault = match kind {
            ToolRuleKind::Allow => "is called, and allow does not list it".to_owned(),
            ToolRuleKind::Deny => format!("is called, and deny lists {}", listed(tools)),
            ToolRuleKind::Before => {
                format!("is called before a call of {} has succeeded", listed(others))
            }
            ToolRuleKind::After => format!("is called, and no later call of {} succeeds", listed(others)),
            ToolRuleKind::MaxCalls => {
                format!("is called {}, and maxCalls allows {most}", times(limited))
            }
            ToolRuleKind::MaxSteps => {
                format!(
                    "is called in step {} of {limited}, and maxSteps allows {most}",
                    self.steps.step(call)
                )
            }
            ToolRuleKind::MaxRepeats => {
                format!("is called {} with the same arguments, and maxRepeats allows {most}", times(limited))
            }
            ToolRuleKind::Args => {
                let misfit =
                    self.facts.misfits.iter().find(|misfit| misfit.rule == index && misfit.call == call);
                format!("is called with wrong arguments: {}", misfit.map_or("", |misfit| &misfit.what))
            }
            ToolRuleKind::Confirm => "is called, and the user has not agreed to it".to_owned(),
            ToolRuleKind::OnUnknownTool | ToolRuleKind::Required => {
                "is called, and no rule names it".to_owned()
            }
        };
        let mut comment = match (self.facts.live, found) {
            (None, Some(found)) => format!("{}: ", found.place()),
            _ => String::new(),
        };
        match kind {
            ToolRuleKind::MaxCalls => comment.push_str(&listed(tools)),
            _ => comment.push_str(tool),
        }
        comment.push(' ');
        comment.push_str(fault.trim_end_matches('.'));
        match more {
            0 => comment.push('.'),
            1 => comment.push_str(". So is 1 more call."),
            _ => comment.push_str(&format!(". So are {more} more calls.")),
        }
        comment
    }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

fn listed(patterns: &[String]) -> String {
    joined(patterns, " or ")
}
