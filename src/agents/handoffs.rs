//! Hand-offs between agents: who took over, which ones were lost, and which ones were expected.

use super::{Lowercase, lowered, shown};
use crate::text::joined;
use serde::Serialize;

/// A hand-off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FoundHandoff {
    /// The agent that spoke before, if it has a name.
    pub from: Option<String>,
    /// The agent that takes over.
    pub to: String,
    /// The index of the message that hands off; without a call, that of the first message of the new agent.
    pub message: u32,
    /// Whether the agent never took over.
    pub lost: bool,
    /// Whether it is expected.
    pub expected: bool,
}

/// The hand-offs of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct HandoffVerdict {
    /// All hand-offs, in order.
    pub handoffs: Vec<FoundHandoff>,
    /// The expected agents that did not take over in their order.
    pub missing: Vec<String>,
    /// The problems, if any.
    pub comment: Option<String>,
}

/// A hand-off that was requested and has not happened yet.
struct Request<'t> {
    to: &'t str,
    message: u32,
    /// Whether the call failed. Then only the agent itself can show that it took over anyway.
    failed: bool,
}

/// The hand-offs of a conversation, and their problems.
///
/// `messages` has a line for each message: `=` and the agent that speaks, which may have no name, or `.` for other
/// messages. Lines with `>` and the agents to which a message hands off follow it; with `!`, the call failed. `expected` is
/// empty, or the line `.` and the agents that should take over, a line each.
pub fn judge(messages: &str, expected: &str, allow_extra: bool, lowercase: Lowercase) -> HandoffVerdict {
    let mut handoffs = found(messages, lowercase);
    let names: Vec<String> = handoffs.iter().map(|handoff| normalized(&handoff.to, lowercase)).collect();
    let mut missing = Vec::new();
    let mut next = 0;
    for agent in expected.lines().skip(1) {
        let wanted = normalized(agent, lowercase);
        let mut later = handoffs.iter_mut().zip(&names).enumerate().skip(next);
        match later.find(|(_, (handoff, name))| !handoff.lost && **name == wanted) {
            Some((place, (handoff, _))) => {
                handoff.expected = true;
                next = place + 1;
            }
            None => missing.push(agent.to_owned()),
        }
    }
    let comment = comment(&handoffs, &missing, allow_extra || expected.is_empty(), lowercase);
    HandoffVerdict { handoffs, missing, comment }
}

fn comment(
    handoffs: &[FoundHandoff],
    missing: &[String],
    allow_extra: bool,
    lowercase: Lowercase,
) -> Option<String> {
    let mut problems = Vec::new();
    for FoundHandoff { to, message, lost, expected, .. } in handoffs {
        let what = match (lost, expected) {
            (true, _) => "lost",
            (false, false) if !allow_extra => "not expected",
            _ => continue,
        };
        problems.push(format!("outputs[{message}]: the hand-off to {} is {what}.", shown(to)));
    }
    // Lost hand-offs are already listed.
    let is_lost = |agent: &String| {
        let name = normalized(agent, lowercase);
        handoffs.iter().any(|handoff| handoff.lost && normalized(&handoff.to, lowercase) == name)
    };
    for agent in missing.iter().filter(|agent| !is_lost(agent)) {
        problems.push(format!("No hand-off to {} where expected.", shown(agent)));
    }
    let more = problems.len().saturating_sub(SHOWN_PROBLEMS);
    if more > 0 {
        problems.truncate(SHOWN_PROBLEMS);
        problems.push(format!("And {more} more."));
    }
    (!problems.is_empty()).then(|| joined(&problems, " "))
}

/// The most problems in a comment.
const SHOWN_PROBLEMS: usize = 5;

/// The hand-offs of a conversation.
fn found(messages: &str, lowercase: Lowercase) -> Vec<FoundHandoff> {
    let mut conversation =
        Conversation { lowercase, handoffs: Vec::new(), current: None, pending: None, refused: None };
    let (mut next, mut index) = (0, 0);
    for line in messages.lines() {
        if let Some(to) = line.strip_prefix(['>', '!']) {
            conversation.request(Request { to, message: index, failed: line.starts_with('!') });
            continue;
        }
        index = next;
        next += 1;
        if let Some(agent) = line.strip_prefix('=') {
            conversation.speak(Some(agent).filter(|agent| !agent.is_empty()), index);
        }
    }
    conversation.end()
}

/// A conversation up to a message.
struct Conversation<'t> {
    lowercase: Lowercase,
    handoffs: Vec<FoundHandoff>,
    /// The agent that speaks.
    current: Option<&'t str>,
    /// The request of the last message.
    pending: Option<Request<'t>>,
    /// A request whose call failed, and which the agent may still repeat.
    refused: Option<Request<'t>>,
}

impl<'t> Conversation<'t> {
    /// A message hands off. If the call of an earlier request failed, this may be the same request again.
    fn request(&mut self, request: Request<'t>) {
        let lowercase = self.lowercase;
        let is_repeated = |other: &Request<'_>| is_same(other.to, request.to, lowercase);
        if let Some(pending) =
            self.pending.as_mut().filter(|pending| pending.message == request.message && is_repeated(pending))
        {
            pending.failed &= request.failed;
            return;
        }
        let replaced = self.refused.take().filter(|refused| !is_repeated(refused));
        self.lose(replaced);
        let earlier = self.pending.replace(request);
        self.lose(earlier);
    }

    /// An agent speaks, which may have no name. A requested hand-off happens if that agent, or one without a name, speaks
    /// next. If its call failed, it may be requested again until another agent speaks. Without a request, a hand-off
    /// happens when another agent speaks.
    fn speak(&mut self, agent: Option<&'t str>, message: u32) {
        let is_agent = |name: &str| agent.is_some_and(|agent| is_same(agent, name, self.lowercase));
        let is_same_speaker = agent.is_none() || self.current.is_some_and(is_agent);
        let pending = self.pending.take();
        let takes_over = pending
            .as_ref()
            .is_some_and(|request| is_agent(request.to) || agent.is_none() && !request.failed);
        if !is_same_speaker {
            let refused = self.refused.take();
            self.lose(refused);
        }
        match pending {
            Some(request) if takes_over => {
                self.record(request.to, request.message, false);
                self.current = agent.or(Some(request.to));
            }
            Some(request) if request.failed && is_same_speaker => self.refused = Some(request),
            request => {
                self.lose(request);
                if let Some(agent) = agent {
                    if self.current.is_some() && !is_same_speaker {
                        self.record(agent, message, false);
                    }
                    self.current = Some(agent);
                }
            }
        }
    }

    fn lose(&mut self, request: Option<Request<'t>>) {
        if let Some(Request { to, message, .. }) = request {
            self.record(to, message, true);
        }
    }

    fn record(&mut self, to: &str, message: u32, lost: bool) {
        let from = self.current.map(str::to_owned);
        self.handoffs.push(FoundHandoff { from, to: to.to_owned(), message, lost, expected: false });
    }

    /// All hand-offs. Those that were requested and have not happened are lost.
    fn end(mut self) -> Vec<FoundHandoff> {
        let (refused, pending) = (self.refused.take(), self.pending.take());
        self.lose(refused);
        self.lose(pending);
        self.handoffs
    }
}

/// Whether two names are the same agent's.
fn is_same(one: &str, other: &str, lowercase: Lowercase) -> bool {
    normalized(one, lowercase) == normalized(other, lowercase)
}

/// A name in the form of tool names: frameworks write `Billing Agent` as `billing_agent`.
fn normalized(name: &str, lowercase: Lowercase) -> String {
    lowered(name.chars().map(|c| if matches!(c, ' ' | '-' | '.') { '_' } else { c }), lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages as words: `a` speaks, `>b` hands off to b, `!b` fails to, `-` is a speaker without a name.
    fn judged(words: &str, expected: Option<&[&str]>, allow_extra: bool) -> HandoffVerdict {
        let lines = words.split_whitespace().map(|word| match word {
            "-" => "=".to_owned(),
            _ if word.starts_with(['>', '!']) => word.to_owned(),
            _ => format!("={word}"),
        });
        let lines: Vec<String> = lines.collect();
        let expected = expected.map(|names| format!(".\n{}", names.join("\n")));
        judge(&lines.join("\n"), &expected.unwrap_or_default(), allow_extra, str::to_lowercase)
    }

    /// Each hand-off as `from>to`, with `!` if it is lost and `+` if it is expected.
    fn marks(verdict: &HandoffVerdict) -> Vec<String> {
        let mark = |FoundHandoff { from, to, lost, expected, .. }: &FoundHandoff| {
            let from = from.as_deref().unwrap_or_default();
            format!("{from}>{to}{}{}", if *lost { "!" } else { "" }, if *expected { "+" } else { "" })
        };
        verdict.handoffs.iter().map(mark).collect()
    }

    #[test]
    fn an_agent_takes_over_by_speaking() {
        assert_eq!(marks(&judged("a >b b", None, false)), ["a>b"]);
        assert_eq!(marks(&judged("a b b a", None, false)), ["a>b", "b>a"]);
        assert_eq!(marks(&judged("- >b - >c -", None, false)), [">b", "b>c"]);
        assert_eq!(marks(&judged("Triage_Agent >billing_agent Billing-Agent", None, false)).len(), 1);
        assert_eq!(marks(&judged("a a -", None, false)), [""; 0]);
    }

    #[test]
    fn a_hand_off_is_lost_if_the_agent_does_not_speak_next() {
        let verdict = judged("a >b", None, false);
        assert_eq!(marks(&verdict), ["a>b!"]);
        assert_eq!(verdict.comment.as_deref(), Some("outputs[0]: the hand-off to b is lost."));
        assert_eq!(marks(&judged("a >b a", None, false)), ["a>b!"]);
        assert_eq!(marks(&judged("a >b >c c", None, false)), ["a>b!", "a>c"]);
        assert_eq!(marks(&judged("a >b c", None, false)), ["a>b!", "a>c"]);
        assert_eq!(marks(&judged("a !b -", None, false)), ["a>b!"]);
        assert_eq!(marks(&judged("a !b b", None, false)), ["a>b"], "the agent took over anyway");
    }

    #[test]
    fn a_hand_off_that_failed_may_be_asked_for_again() {
        assert_eq!(marks(&judged("a !b a >b b", None, false)), ["a>b"]);
        assert_eq!(marks(&judged("a !B - !b - >b -", None, false)), ["a>b"]);
        assert_eq!(marks(&judged("a !b a >c c", None, false)), ["a>b!", "a>c"]);
        assert_eq!(marks(&judged("a !b a a >b b", None, false)), ["a>b"]);
        assert_eq!(marks(&judged("a >b >b b", None, false)), ["a>b"], "twice in one message");
        assert_eq!(marks(&judged("a !b >b -", None, false)), ["a>b"]);
        assert_eq!(marks(&judged("a !b c >b b", None, false)), ["a>b!", "a>c", "c>b"], "by another agent");
        assert_eq!(marks(&judged("a !b a !b a", None, false)), ["a>b!"]);
    }

    #[test]
    fn expected_agents_take_over_in_order() {
        let verdict = judged("a >b b >c c", Some(&["B", "c"]), false);
        assert_eq!((marks(&verdict), verdict.comment), (vec!["a>b+".into(), "b>c+".into()], None));
        let verdict = judged("a >b b >c c", Some(&["c", "b"]), true);
        assert_eq!(verdict.missing, ["b"]);
        assert_eq!(verdict.comment.as_deref(), Some("No hand-off to b where expected."));
        let verdict = judged("a >b b >c c", Some(&["c"]), false);
        assert_eq!(verdict.comment.as_deref(), Some("outputs[0]: the hand-off to b is not expected."));
        assert_eq!(judged("a >b b >c c", Some(&["c"]), true).comment, None);
        let lost = judged("a >b a", Some(&["b"]), false);
        assert_eq!((lost.missing.len(), marks(&lost)), (1, vec!["a>b!".to_owned()]));
        assert_eq!(lost.comment.as_deref(), Some("outputs[0]: the hand-off to b is lost."));
    }
}
