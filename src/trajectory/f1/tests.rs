use super::*;
use crate::executor::ready;
use crate::trajectory::{ToolArgsMatchMode, ToolArgsOverride, ToolArgsRule, TrajectoryMatchConfig};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// A call of the tool `t0`, `t1`, … with the arguments `a0`, `a1`, ….
type Call = (u8, BTreeMap<u8, u8>);
/// The calls of each message.
type Calls = Vec<Vec<Call>>;

fn text(messages: &Calls) -> String {
    let call = |(tool, args): &Call| {
        let args: Vec<String> = args.iter().map(|(name, value)| format!("\"a{name}\":{value}")).collect();
        format!("c\"t{tool}\"\na{{{}}}\n", args.join(","))
    };
    let message =
        |calls: &Vec<Call>| format!("m\"assistant\"\n{}", calls.iter().map(call).collect::<String>());
    messages.iter().map(message).collect()
}

/// Compares as `ToolArgsMatchMode::Subset` does, and fails if asked twice about a pair.
struct Asked<'c> {
    outputs: Vec<&'c Call>,
    reference_outputs: Vec<&'c Call>,
    pairs: HashSet<(usize, usize)>,
}

impl CustomMatcher for Asked<'_> {
    async fn matches(&mut self, output: usize, reference: usize) -> Result<bool> {
        assert!(self.pairs.insert((output, reference)), "asked twice about {output}, {reference}");
        Ok(fit(ToolArgsMatchMode::Subset, self.outputs[output], self.reference_outputs[reference]))
    }
}

fn overlap_of(
    mode: TrajectoryMatchMode,
    args: Option<ToolArgsMatchMode>,
    outputs: &Calls,
    reference: &Calls,
) -> (TrajectoryOverlap, usize) {
    let custom = |tool| ToolArgsOverride { tool: format!("t{tool}"), rule: ToolArgsRule::Custom };
    let config = TrajectoryMatchConfig {
        trajectory_match_mode: mode,
        tool_args_match_mode: args.unwrap_or(ToolArgsMatchMode::Exact),
        tool_args_match_overrides: if args.is_some() { Vec::new() } else { (0..3).map(custom).collect() },
    };
    let mut asked = Asked {
        outputs: outputs.iter().flatten().collect(),
        reference_outputs: reference.iter().flatten().collect(),
        pairs: HashSet::new(),
    };
    let overlap = ready(config.overlap(&text(outputs), &text(reference), &mut asked)).unwrap().unwrap();
    (overlap, asked.pairs.len())
}

fn fit(mode: ToolArgsMatchMode, output: &Call, reference: &Call) -> bool {
    let within = |part: &BTreeMap<u8, u8>, whole: &BTreeMap<u8, u8>| {
        part.iter().all(|(name, value)| whole.get(name) == Some(value))
    };
    output.0 == reference.0
        && match mode {
            ToolArgsMatchMode::Exact => output.1 == reference.1,
            ToolArgsMatchMode::Ignore => true,
            ToolArgsMatchMode::Subset => within(&output.1, &reference.1),
            ToolArgsMatchMode::Superset => within(&reference.1, &output.1),
        }
}

/// The size of a maximum matching, by exhaustive search.
fn most(mode: ToolArgsMatchMode, outputs: &[Call], reference: &[Call]) -> usize {
    let Some((first, rest)) = outputs.split_first() else { return 0 };
    let partners = (0..reference.len()).filter(|&index| fit(mode, first, &reference[index]));
    let with = partners.map(|index| {
        let mut others = reference.to_vec();
        others.remove(index);
        1 + most(mode, rest, &others)
    });
    with.max().unwrap_or(0).max(most(mode, rest, reference))
}

/// The most matches of pairs of messages in order, by exhaustive search.
fn most_in_order(mode: ToolArgsMatchMode, outputs: &[Vec<Call>], reference: &[Vec<Call>]) -> usize {
    let mut best = 0;
    for row in 0..outputs.len() {
        for column in 0..reference.len() {
            let after = most_in_order(mode, &outputs[row + 1..], &reference[column + 1..]);
            best = best.max(most(mode, &outputs[row], &reference[column]) + after);
        }
    }
    best
}

fn one(tool: u8) -> Vec<Call> {
    vec![(tool, BTreeMap::new())]
}

#[test]
fn precision_and_recall() {
    let unordered = |outputs: &Calls, reference: &Calls| {
        overlap_of(TrajectoryMatchMode::Unordered, Some(ToolArgsMatchMode::Exact), outputs, reference).0
    };
    let overlap = unordered(&vec![one(0), one(1), one(0), one(2)], &vec![one(2), one(0)]);
    assert_eq!((overlap.precision, overlap.recall, overlap.f1), (0.5, 1.0, 2.0 / 3.0));
    assert_eq!((overlap.unmatched_outputs, overlap.unmatched_reference_outputs), (vec![1, 2], vec![]));
    let nothing = unordered(&vec![vec![]], &vec![]);
    assert_eq!((nothing.precision, nothing.recall, nothing.f1), (1.0, 1.0, 1.0));
    let missing = unordered(&vec![], &vec![one(0)]);
    assert_eq!((missing.precision, missing.recall, missing.f1), (1.0, 0.0, 0.0));
    let extra = unordered(&vec![one(0)], &vec![]);
    assert_eq!((extra.precision, extra.recall, extra.f1), (0.0, 1.0, 0.0));
}

#[test]
fn in_strict_the_order_of_messages_counts_and_that_within_one_does_not() {
    let strict = |outputs: &Calls, reference: &Calls| {
        overlap_of(TrajectoryMatchMode::Strict, Some(ToolArgsMatchMode::Exact), outputs, reference).0
    };
    let swapped = strict(&vec![one(0), vec![], one(1), one(2)], &vec![one(1), one(0), one(2)]);
    assert_eq!(swapped.f1, 4.0 / 6.0);
    // Either the first or the second call is left unmatched, on both sides.
    let unmatched = [swapped.unmatched_outputs, swapped.unmatched_reference_outputs];
    assert!(unmatched.iter().all(|places| matches!(places.as_slice(), [0 | 1])), "{unmatched:?}");
    let both = |a: u8, b: u8| vec![[one(a), one(b)].concat()];
    assert_eq!(strict(&both(0, 1), &both(1, 0)).f1, 1.0);
    // A single message with two calls differs from two messages, so one call is unmatched.
    assert_eq!(strict(&both(0, 1), &vec![one(0), one(1)]).f1, 0.5);
    // An additional call at the start does not shift the others.
    assert_eq!(strict(&vec![one(2), one(0), one(1)], &vec![one(0), one(1)]).recall, 1.0);
}

#[test]
fn of_equal_trajectories_a_matcher_is_asked_once_for_each_call() {
    let calls: Calls = (0..20).map(|index| vec![(index % 3, BTreeMap::from([(0, index)]))]).collect();
    assert_eq!(overlap_of(TrajectoryMatchMode::Strict, None, &calls, &calls).1, 20);
}

#[test]
fn a_custom_matcher_may_accept_another_call_than_the_first() {
    let with_args = (0, BTreeMap::from([(0, 0), (1, 0)]));
    let without = (0, BTreeMap::new());
    let (overlap, _) = overlap_of(
        TrajectoryMatchMode::Unordered,
        None,
        &vec![vec![with_args, without.clone()]],
        &vec![vec![without]],
    );
    assert_eq!((overlap.precision, overlap.recall), (0.5, 1.0));
    assert_eq!((overlap.unmatched_outputs, overlap.unmatched_reference_outputs), (vec![0], vec![]));
}

#[test]
fn long_trajectories_are_quick() {
    let calls: Calls =
        (0..300).map(|index| vec![(index as u8 % 3, BTreeMap::from([(0, (index % 100) as u8)]))]).collect();
    let reversed: Calls = calls.iter().rev().cloned().collect();
    assert_eq!(
        overlap_of(TrajectoryMatchMode::Unordered, Some(ToolArgsMatchMode::Exact), &calls, &reversed).0.f1,
        1.0
    );
    assert!(
        overlap_of(TrajectoryMatchMode::Strict, Some(ToolArgsMatchMode::Exact), &calls, &reversed).0.f1 < 0.1
    );
}

fn calls_strategy() -> impl Strategy<Value = Calls> {
    let args = proptest::collection::btree_map(0u8..2, 0u8..2, 0..3);
    proptest::collection::vec(proptest::collection::vec((0u8..2, args), 0..3), 0..4)
}

fn args_mode() -> impl Strategy<Value = Option<ToolArgsMatchMode>> {
    use ToolArgsMatchMode::{Exact, Ignore, Subset, Superset};
    prop_oneof![Just(Some(Exact)), Just(Some(Ignore)), Just(Some(Subset)), Just(Some(Superset)), Just(None)]
}

proptest! {
    #[test]
    fn as_many_calls_match_as_can(outputs in calls_strategy(), reference in calls_strategy(), args in args_mode(), strict: bool) {
        // Without a mode, the custom matcher decides by the rule of `subset`.
        let rule = args.unwrap_or(ToolArgsMatchMode::Subset);
        let (mode, most) = if strict {
            (TrajectoryMatchMode::Strict, most_in_order(rule, &outputs, &reference))
        } else {
            (TrajectoryMatchMode::Unordered, most(rule, &outputs.concat(), &reference.concat()))
        };
        let (overlap, _) = overlap_of(mode, args, &outputs, &reference);
        let (called, expected) = (outputs.concat().len(), reference.concat().len());
        for (places, count) in [(&overlap.unmatched_outputs, called), (&overlap.unmatched_reference_outputs, expected)] {
            prop_assert_eq!(places.len(), count - most);
            prop_assert!(places.is_sorted_by(|a, b| a < b) && places.iter().all(|place| (*place as usize) < count));
        }
        prop_assert!((0.0..=1.0).contains(&overlap.f1));
        let (p, r) = (overlap.precision, overlap.recall);
        let mean = if p + r == 0.0 { 0.0 } else { 2.0 * p * r / (p + r) };
        prop_assert!((overlap.f1 - mean).abs() < 1e-12, "{:?}", overlap);
    }

    #[test]
    fn what_matches_scores_1(outputs in calls_strategy(), reference in calls_strategy(), strict: bool) {
        let mode = if strict { TrajectoryMatchMode::Strict } else { TrajectoryMatchMode::Unordered };
        let config = TrajectoryMatchConfig { trajectory_match_mode: mode, tool_args_match_mode: ToolArgsMatchMode::Subset, tool_args_match_overrides: vec![] };
        let mut asked = Asked { outputs: vec![], reference_outputs: vec![], pairs: HashSet::new() };
        let mismatch = config.mismatch_at_once(&text(&outputs), &text(&reference), &mut asked).unwrap();
        let (overlap, _) = overlap_of(mode, Some(ToolArgsMatchMode::Subset), &outputs, &reference);
        prop_assert!(mismatch.is_some() || overlap.f1 == 1.0);
        prop_assert!(strict || mismatch.is_none() == (overlap.f1 == 1.0));
    }
}
