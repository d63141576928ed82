use super::*;
use proptest::prelude::*;

fn config(mode: FunctionCallMode, order: CallOrder, allow_extra: bool) -> FunctionCallConfig {
    let parameter = |name: &str, kind| ToolParameter { name: name.to_owned(), kind: Some(kind), items: None };
    let tool = FunctionTool {
        name: "f".to_owned(),
        required: Vec::new(),
        parameters: vec![parameter("n", ParameterType::Integer), parameter("s", ParameterType::String)],
    };
    FunctionCallConfig { mode, order, allow_extra, tools: vec![tool] }
}

fn lines(calls: &[String]) -> String {
    let calls = calls.iter().map(|args| format!("c\"f\"\na{args}\n"));
    format!("m\"assistant\"\n{}", calls.collect::<String>())
}

fn judge(config: &FunctionCallConfig, calls: &[&str], accepted: &[&str]) -> FunctionCallVerdict {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    config.judge(&lines(&owned(calls)), &lines(&owned(accepted)), str::to_lowercase).unwrap()
}

#[test]
fn an_early_choice_blocks_the_leaderboard_only() {
    let (calls, accepted) = (&[r#"{"n":1}"#, r#"{"n":2}"#], &[r#"{"n":[1,2]}"#, r#"{"n":[1]}"#]);
    let optimal = judge(&config(FunctionCallMode::Optimal, CallOrder::Any, false), calls, accepted);
    assert_eq!((optimal.matches, optimal.comment), (vec![Some(1), Some(0)], None));
    let bfcl = judge(&config(FunctionCallMode::Bfcl, CallOrder::Any, false), calls, accepted);
    assert_eq!(bfcl.matches, [Some(0), None]);
    assert_eq!(bfcl.comment.as_deref(), Some("Call 2 (f): n is 2, which is not among the accepted [1]."));
}

#[test]
fn integers_are_told_apart_as_written() {
    let optimal = config(FunctionCallMode::Optimal, CallOrder::Any, false);
    assert_eq!(judge(&optimal, &[r#"{"n":5}"#], &[r#"{"n":[5]}"#]).comment, None);
    let comment = judge(&optimal, &[r#"{"n":5.0}"#], &[r#"{"n":[5]}"#]).comment;
    assert_eq!(comment.as_deref(), Some("Call 1 (f): n is 5.0, which is of another type."));
}

#[test]
fn accepted_values_are_lists() {
    let optimal = config(FunctionCallMode::Optimal, CallOrder::Any, false);
    let error = optimal.judge("m\n", "m\nc\"f\"\na{\"n\":5}\n", str::to_lowercase).unwrap_err();
    assert_eq!(error.message, "referenceOutputs[0].args.n is 5; it has to be a list of accepted values");
    let error = optimal.judge("m\n", "m\nc\"g\"\na{}\n", str::to_lowercase).unwrap_err();
    assert_eq!(error.message, "referenceOutputs has a call of g, which is not in tools");
}

proptest! {
    /// All assignments are tried.
    #[test]
    fn a_match_is_found_if_there_is_one(
        calls in proptest::collection::vec(0..4_u32, 0..5),
        accepted in proptest::collection::vec(proptest::collection::vec(0..4_u32, 1..3), 0..5),
        allow_extra in any::<bool>(),
        is_ordered in any::<bool>(),
    ) {
        let order = if is_ordered { CallOrder::Same } else { CallOrder::Any };
        let own: Vec<String> = calls.iter().map(|n| format!("{{\"n\":{n}}}")).collect();
        let of_reference: Vec<String> = accepted.iter().map(|ns| format!("{{\"n\":{ns:?}}}")).collect();
        let config = config(FunctionCallMode::Optimal, order, allow_extra);
        let verdict = config.judge(&lines(&own), &lines(&of_reference), str::to_lowercase).unwrap();
        let expected = possible(&calls, &accepted, is_ordered) && (allow_extra || calls.len() == accepted.len());
        prop_assert_eq!(verdict.comment.is_none(), expected, "{:?}", verdict);
    }
}

fn possible(calls: &[u32], accepted: &[Vec<u32>], is_ordered: bool) -> bool {
    let Some((first, others)) = accepted.split_first() else { return true };
    (0..calls.len()).any(|at| {
        let rest =
            if is_ordered { calls[at + 1..].to_vec() } else { [&calls[..at], &calls[at + 1..]].concat() };
        first.contains(&calls[at]) && possible(&rest, others, is_ordered)
    })
}
