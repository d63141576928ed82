use super::*;

#[test]
fn lines_are_read_as_the_package_writes_them() {
    // The package's test compares its lines with the same file.
    let fixture = include_str!("../../tests/engine/trajectory-lines.json");
    let fixture = crate::json::parse(fixture).unwrap();
    let lines = fixture.as_object().unwrap().get("lines").unwrap().as_array().unwrap();
    let text: String = lines.iter().map(|line| format!("{}\n", line.as_str().unwrap())).collect();
    let trajectory = message::read(message::OUTPUTS, &text).unwrap();
    let messages = trajectory.messages();
    let roles: Vec<&str> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [r#""user""#, r#""assistant""#, r#""tool""#, ""]);
    let seen: Vec<(String, &str, String)> = calls(&messages)
        .map(|call| (call.place(), call.tool(), call.arguments.read().unwrap().to_text()))
        .collect();
    let seen: Vec<_> =
        seen.iter().map(|(place, tool, args)| (place.as_str(), *tool, args.as_str())).collect();
    assert_eq!(
        seen,
        [
            ("outputs[1].tool_calls[0]", "get_weather", r#"{"city":"Oslo"}"#),
            ("outputs[1].tool_calls[1]", "get \"weather\"", r#"{"city":"Rome","days":[1,null]}"#),
            ("outputs[3].tool_calls[0]", "get_weather", "{}"),
            ("outputs[3].tool_calls[1]", "é", "{}"),
        ]
    );
}

/// Answers from a table, and records the pairs that it was asked about.
struct Scripted {
    allowed: Vec<(usize, usize)>,
    asked: Vec<(usize, usize)>,
}

impl Scripted {
    fn allowing(allowed: &[(usize, usize)]) -> Self {
        Self { allowed: allowed.to_vec(), asked: Vec::new() }
    }
}

impl CustomMatcher for Scripted {
    async fn matches(&mut self, output: usize, reference: usize) -> Result<bool> {
        self.asked.push((output, reference));
        Ok(self.allowed.contains(&(output, reference)))
    }
}

fn config(mode: &str, args: &str, overrides: &str) -> TrajectoryMatchConfig {
    let modes = format!(r#""trajectoryMatchMode":"{mode}","toolArgsMatchMode":"{args}""#);
    crate::json::read(&format!(r#"{{{modes},"toolArgsMatchOverrides":{overrides}}}"#)).unwrap()
}

/// The two lines of a call, with the arguments as the text in an OpenAI message.
fn call(name: &str, args: &str) -> String {
    format!("c\"{name}\"\na{args}\n")
}

/// One assistant message for each text, which has the lines of its calls.
fn messages(calls: &[&str]) -> String {
    calls.iter().map(|calls| format!("m\"assistant\"\n{calls}")).collect()
}

fn mismatch(config: &TrajectoryMatchConfig, outputs: &str, reference_outputs: &str) -> Option<String> {
    let mut custom = Scripted::allowing(&[]);
    let mismatch = ready(config.mismatch(outputs, reference_outputs, &mut custom)).unwrap().unwrap();
    assert_eq!(custom.asked, []);
    mismatch
}

fn matches(config: &TrajectoryMatchConfig, outputs: &str, reference_outputs: &str) -> bool {
    mismatch(config, outputs, reference_outputs).is_none()
}

#[test]
fn a_strict_mismatch_names_the_first_difference_also_if_the_lengths_differ() {
    let strict = config("strict", "exact", "[]");
    let [find, cancel] = [call("find", "{}"), call("cancel", "{}")];
    let other = messages(&[&call("find", r#"{"id":1}"#), &cancel, &cancel]);
    let outputs = messages(&[&cancel, &find, &find]);
    let reference = messages(&[&find, &cancel]);
    let reason = |outputs: &str, reference: &str| mismatch(&strict, outputs, reference).unwrap();
    assert_eq!(
        reason(&outputs, &reference),
        "referenceOutputs[0].tool_calls[0]: find({}) is called at outputs[1].tool_calls[0] instead"
    );
    assert!(reason(&other, &reference).contains(r#""id""#), "{}", reason(&other, &reference));
    assert_eq!(
        reason(&messages(&[&find]), &reference),
        "outputs[1]: missing; the reference goes on with \"assistant\" calling cancel"
    );
}

#[test]
fn values_and_texts_are_the_same_arguments() {
    let value = messages(&["c\"f\"\na{\"a\":1,\"b\":[2]}\n"]);
    let text = messages(&[&call("f", r#" { "b": [2], "a": 1.0 } "#)]);
    for mode in ["strict", "unordered", "subset", "superset"] {
        assert!(matches(&config(mode, "exact", "[]"), &value, &text), "{mode}");
    }
}

#[test]
fn strict_compares_roles_and_calls_step_by_step() {
    let strict = config("strict", "exact", "[]");
    let (f, g) = (call("f", "{}"), call("g", "{}"));
    let both = format!("{f}{g}");
    let swapped = format!("{g}{f}");
    assert!(matches(&strict, &messages(&[&both]), &messages(&[&swapped])));
    assert!(!matches(&strict, &messages(&[&f, &g]), &messages(&[&g, &f])));
    let comment = |outputs: &str, reference: &str| mismatch(&strict, outputs, reference).unwrap();
    assert_eq!(
        comment("m\"user\"\nm\"tool\"\n", "m\"user\"\nm\"assistant\"\n"),
        r#"outputs[1]: "tool" where the reference has "assistant""#
    );
    assert_eq!(
        comment("m\"user\"\n", &format!("m\"user\"\nm\"assistant\"\n{f}")),
        r#"outputs[1]: missing; the reference goes on with "assistant" calling f"#
    );
    assert_eq!(
        comment(&messages(&[&both]), &messages(&[&f])),
        "outputs[0]: calls f({}), g({}) where the reference calls f({})"
    );
    assert_eq!(
        comment(&messages(&[&f]), &messages(&[""])),
        "outputs[0]: calls f({}) where the reference calls no tool"
    );
}

#[test]
fn unordered_subset_and_superset_count_calls() {
    let (f, g) = (call("f", "{}"), call("g", "{}"));
    let (one, two) = (messages(&[&f]), messages(&[&g, &f]));
    let table = [("unordered", false, false), ("subset", true, false), ("superset", false, true)];
    for (mode, fewer, more) in table {
        let config = config(mode, "exact", "[]");
        assert!(matches(&config, &two, &messages(&[&f, &g])), "{mode}");
        assert_eq!(matches(&config, &one, &two), fewer, "{mode}");
        assert_eq!(matches(&config, &two, &one), more, "{mode}");
    }
    let twice = messages(&[&f, &f]);
    assert!(!matches(&config("subset", "exact", "[]"), &twice, &one));
    assert!(!matches(&config("unordered", "ignore", "[]"), &twice, &one));
}

#[test]
fn args_modes() {
    let small = messages(&[&call("f", r#"{"a":1}"#)]);
    let large = messages(&[&call("f", r#"{"a":1,"b":2}"#)]);
    let table =
        [("exact", false, false), ("ignore", true, true), ("subset", true, false), ("superset", false, true)];
    for mode in ["strict", "unordered", "subset", "superset"] {
        for (args, small_to_large, large_to_small) in table {
            let config = config(mode, args, "[]");
            assert_eq!(matches(&config, &small, &large), small_to_large, "{mode} {args}");
            assert_eq!(matches(&config, &large, &small), large_to_small, "{mode} {args}");
        }
    }
}

#[test]
fn overrides_apply_to_their_tool_alone() {
    let outputs = messages(&[&format!("{}{}", call("f", r#"{"a":{"x":1,"y":2}}"#), call("g", "{}"))]);
    let reference = messages(&[&format!("{}{}", call("f", r#"{"a":{"x":1,"y":3}}"#), call("g", "{}"))]);
    assert!(!matches(
        &config("strict", "exact", r#"[{"tool":"g","rule":{"mode":"ignore"}}]"#),
        &outputs,
        &reference
    ));
    assert!(matches(
        &config("strict", "exact", r#"[{"tool":"f","rule":{"mode":"ignore"}}]"#),
        &outputs,
        &reference
    ));
    assert!(matches(
        &config("strict", "exact", r#"[{"tool":"f","rule":{"fields":["a.x"]}}]"#),
        &outputs,
        &reference
    ));
    assert!(!matches(
        &config("strict", "exact", r#"[{"tool":"f","rule":{"fields":["a.x","a.y"]}}]"#),
        &outputs,
        &reference
    ));
    // A field has to exist on both sides.
    assert!(!matches(
        &config("strict", "exact", r#"[{"tool":"f","rule":{"fields":["a.z"]}}]"#),
        &outputs,
        &reference
    ));
}

#[test]
fn a_looser_mode_never_loses_a_match() {
    // Greedy matching gives the only call that fits {"a":1,"b":2} to {"a":1}.
    let outputs = messages(&[&call("f", r#"{"a":1,"b":2}"#), &call("f", r#"{"a":1}"#)]);
    let reference = messages(&[&call("f", r#"{"a":1}"#), &call("f", r#"{"a":1,"b":2,"c":3}"#)]);
    for mode in ["unordered", "subset", "superset"] {
        assert!(!matches(&config(mode, "superset", "[]"), &outputs, &reference));
        assert!(matches(&config(mode, "subset", "[]"), &outputs, &reference), "{mode}");
    }
}

#[test]
fn a_custom_matcher_is_asked_in_vain_as_rarely_as_possible() {
    let custom = config("unordered", "exact", r#"[{"tool":"f","rule":"custom"}]"#);
    let calls = |count: usize| messages(&vec![call("f", "{}").as_str(); count]);
    // The second reference call matches only the first output call, so the first reference call has to give
    // it up.
    let mut matcher = Scripted::allowing(&[(0, 0), (1, 0), (0, 1)]);
    assert_eq!(ready(custom.mismatch(&calls(2), &calls(2), &mut matcher)).unwrap(), Ok(None));
    let mut pairs = matcher.asked.clone();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), matcher.asked.len(), "asked twice: {:?}", matcher.asked);
    // The first match is taken.
    let mut matcher = Scripted::allowing(&[(0, 0), (1, 1), (2, 2)]);
    assert_eq!(ready(custom.mismatch(&calls(3), &calls(3), &mut matcher)).unwrap(), Ok(None));
    assert_eq!(matcher.asked, [(0, 0), (1, 1), (2, 2)]);
    // If the counts cannot match, the matcher is not called.
    let mut matcher = Scripted::allowing(&[]);
    let comment = ready(custom.mismatch(&calls(1), &calls(2), &mut matcher)).unwrap().unwrap().unwrap();
    assert_eq!(matcher.asked, []);
    assert_eq!(
        comment,
        "referenceOutputs[1].tool_calls[0]: f({}) is missing from outputs: outputs calls it once, the reference 2 times"
    );
}

#[test]
fn comments_name_the_call_and_the_argument() {
    let outputs = messages(&["", &call("get_weather", r#"{"city":"SF","unit":"C"}"#)]);
    let reference = messages(&["", &call("get_weather", r#"{"city":"LA","days":3}"#)]);
    assert_eq!(
        mismatch(&config("strict", "exact", "[]"), &outputs, &reference).unwrap(),
        "referenceOutputs[1].tool_calls[0]: get_weather({\"city\":\"LA\",\"days\":3}) is not matched by outputs; the closest \
         is outputs[1].tool_calls[0], where \"city\" is \"SF\" instead of \"LA\" and \"unit\" is \"C\", which the reference \
         does not have and \"days\" is missing instead of 3"
    );
    assert_eq!(
        mismatch(&config("subset", "exact", "[]"), &outputs, &messages(&["", ""])).unwrap(),
        "outputs[1].tool_calls[0]: get_weather({\"city\":\"SF\",\"unit\":\"C\"}) is not in the reference: the reference does \
         not call the tool"
    );
}

#[test]
fn comments_name_the_step_at_which_a_call_is_made_instead() {
    let strict = config("strict", "exact", "[]");
    let (f, g) = (call("f", r#"{"a":1}"#), call("g", "{}"));
    let comment = |outputs: &[&str], reference: &[&str]| {
        mismatch(&strict, &messages(outputs), &messages(reference)).unwrap()
    };
    assert_eq!(
        comment(&[&f, &g], &[&g, &f]),
        "referenceOutputs[0].tool_calls[0]: g({}) is called at outputs[1].tool_calls[0] instead"
    );
    // If there is a call with equal arguments, it is named.
    let other = call("f", r#"{"a":2}"#);
    assert!(comment(&[&g, &other, &f], &[&f, &g, &g]).ends_with(" at outputs[2].tool_calls[0] instead"));
    assert!(comment(&[&g, &other, &g], &[&f, &g, &g]).ends_with(" at outputs[1].tool_calls[0] instead"));
    // Also if the same tool is called in the same step.
    let swapped = comment(&[&f, &other], &[&other, &f]);
    assert_eq!(
        swapped,
        "referenceOutputs[0].tool_calls[0]: f({\"a\":2}) is called at outputs[1].tool_calls[0] instead"
    );
    // Unless the step itself expects that call.
    assert!(comment(&[&f, &other], &[&other, &other]).contains("the closest is outputs[0].tool_calls[0]"));
    // A call that occurs nowhere else is missing.
    assert!(
        comment(&[&g, &g], &[&f, &g]).ends_with("is missing from outputs: outputs does not call the tool")
    );
}

#[test]
fn missing_empty_and_null_arguments_are_the_same() {
    let empty = messages(&[&call("f", "{}")]);
    for other in ["c\"f\"\n", "c\"f\"\nanull\n", "c\"f\"\na\n", "c\"f\"\na  \n"] {
        assert!(matches(&config("strict", "exact", "[]"), &messages(&[other]), &empty), "{other}");
    }
}

#[test]
fn arguments_that_are_not_json_are_a_mismatch_in_outputs_and_an_error_in_the_reference() {
    let broken = messages(&[&call("f", r#"{"a":"#)]);
    let sound = messages(&[&call("f", r#"{"a":1}"#)]);
    let exact = config("unordered", "exact", "[]");
    let comment = mismatch(&exact, &broken, &sound).unwrap();
    assert!(comment.contains("outputs[0].tool_calls[0]") && comment.contains("not JSON"), "{comment}");
    assert!(matches(&config("unordered", "ignore", "[]"), &broken, &sound));
    let error = ready(exact.mismatch(&sound, &broken, &mut Scripted::allowing(&[]))).unwrap().unwrap_err();
    assert!(
        error.message.starts_with("the arguments of referenceOutputs[0].tool_calls[0]: not JSON"),
        "{error}"
    );
}

#[test]
fn a_broken_reference_is_an_error_wherever_it_is() {
    let outputs = messages(&[&call("f", r#"{"a":1}"#), &call("f", "{")]);
    // After a mismatch, in surplus messages, and with the same spelling as the outputs.
    for reference in [
        messages(&[&call("f", r#"{"a":2}"#), &call("f", "{")]),
        messages(&[&call("f", r#"{"a":1}"#), &call("f", "{}"), &call("f", "{")]),
        messages(&[&call("f", r#"{"a":1}"#), &call("f", "{")]),
    ] {
        for mode in ["strict", "unordered", "subset", "superset"] {
            for arguments in ["exact", "ignore", "subset"] {
                let config = config(mode, arguments, "[]");
                let error = ready(config.mismatch(&outputs, &reference, &mut Scripted::allowing(&[])));
                let message = error.unwrap().unwrap_err().message.clone();
                assert!(message.starts_with("the arguments of referenceOutputs["), "{mode}: {message}");
                let error = ready(config.overlap(&outputs, &reference, &mut Scripted::allowing(&[])));
                assert!(error.unwrap().is_err(), "{mode}");
            }
        }
    }
    // The reference is validated before a function of the caller is called.
    let mut custom = Scripted::allowing(&[]);
    let overrides = config("strict", "exact", r#"[{"tool":"f","rule":"custom"}]"#);
    let broken = messages(&[&call("f", r#"{"a":1}"#), &call("f", "{")]);
    assert!(ready(overrides.mismatch(&outputs, &broken, &mut custom)).unwrap().is_err());
    assert_eq!(custom.asked, []);
}

#[test]
fn arguments_that_are_not_objects_match_equal_ones_only() {
    let list = messages(&[&call("f", "[1,2]")]);
    let longer = messages(&[&call("f", "[1,2,3]")]);
    for args in ["exact", "subset", "superset"] {
        assert!(matches(&config("strict", args, "[]"), &list, &list));
        assert!(!matches(&config("strict", args, "[]"), &list, &longer));
    }
}

#[test]
fn integers_past_2_to_the_53_are_told_apart() {
    let id = |id: &str| messages(&[&call("f", &format!(r#"{{"id":{id}}}"#))]);
    let exact = config("strict", "exact", "[]");
    assert!(matches(&exact, &id("9007199254740993"), &id("9007199254740993")));
    assert!(!matches(&exact, &id("9007199254740993"), &id("9007199254740992")));
}

#[test]
fn calls_and_messages_may_lack_names_and_roles() {
    let nameless = "m\nc\na{}\n";
    let unordered = config("unordered", "exact", "[]");
    assert!(matches(&unordered, nameless, nameless));
    assert!(!matches(&unordered, nameless, &messages(&[&call("", "{}")])));
    let comment = mismatch(&config("strict", "exact", "[]"), nameless, &messages(&[""])).unwrap();
    assert_eq!(
        comment,
        "outputs[0]: a message without a role calling a tool without a name where the reference has \"assistant\""
    );
}

#[test]
fn a_batch_is_its_rows() {
    let (one, other) = (messages(&[&call("f", "{}")]), messages(&[&call("g", "{}")]));
    let strict = config("strict", "exact", "[]");
    let batch = |rows: &str| strict.mismatch_batch(rows, &mut Scripted::allowing(&[]));
    let mismatches = batch(&format!("{one}\0{one}\0{one}\0{other}\0\0\0")).unwrap();
    assert_eq!(mismatches.iter().map(Option::is_none).collect::<Vec<_>>(), [true, false, true]);
    let broken = messages(&[&call("f", "{")]);
    let error = batch(&format!("{one}\0{one}\0{one}\0{broken}\0")).unwrap_err();
    assert!(
        error.message.starts_with("rows[1]: the arguments of referenceOutputs[0].tool_calls[0]: not JSON"),
        "{error}"
    );
}

#[test]
fn large_trajectories_are_quick() {
    // 2,000 calls in reverse order are found by hashing; comparing every pair would take four million
    // comparisons.
    let calls: Vec<String> = (0..2_000).map(|id| call("f", &format!(r#"{{"id":{id}}}"#))).collect();
    let reversed: Vec<&str> = calls.iter().rev().map(String::as_str).collect();
    let in_order: Vec<&str> = calls.iter().map(String::as_str).collect();
    assert!(matches(&config("unordered", "exact", "[]"), &messages(&in_order), &messages(&reversed)));
}

#[test]
fn rejects_trajectories_that_would_take_too_long() {
    let one_by_one = |count: usize, key: &str| {
        let calls: Vec<String> =
            (0..count).map(|index| call("f", &format!("{{\"{key}\":{index}}}"))).collect();
        messages(&calls.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let refused = |config: &TrajectoryMatchConfig, count: usize| {
        let (outputs, reference_outputs) = (one_by_one(count, "a"), one_by_one(count, "b"));
        let mut custom = Scripted::allowing(&[]);
        let overlap = ready(config.overlap(&outputs, &reference_outputs, &mut custom)).unwrap();
        overlap.unwrap_err().message.clone()
    };
    assert_eq!(
        refused(&config("unordered", "subset", "[]"), 10_001),
        "the trajectories have 10001 and 10001 calls of one tool that differ, and matching them takes more than \
         100000000 pairs. Compare fewer calls at a time, or in a mode that compares arguments as a whole (exact, \
         ignore)"
    );
    // In strict mode, every message is compared with every other.
    assert_eq!(
        refused(&config("strict", "exact", "[]"), 1_100),
        "the trajectories have 1100 and 1100 tool calls, and matching them takes more than 100000000 steps. \
         Compare fewer calls at a time, or in a mode that compares arguments as a whole (exact, ignore)"
    );
    // If only equal calls match, these have no matches.
    let (outputs, reference_outputs) = (one_by_one(20_000, "a"), one_by_one(20_000, "b"));
    assert!(!matches(&config("unordered", "exact", "[]"), &outputs, &reference_outputs));
    // Identical calls are cheap in any mode.
    let long = one_by_one(10_001, "a");
    assert!(matches(&config("unordered", "exact", "[]"), &long, &long));
    assert!(matches(&config("strict", "subset", "[]"), &long, &long));
}
