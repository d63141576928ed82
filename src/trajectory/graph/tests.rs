use super::*;
use proptest::prelude::*;

const ANY_ORDER: [TrajectoryMatchMode; 3] =
    [TrajectoryMatchMode::Unordered, TrajectoryMatchMode::Subset, TrajectoryMatchMode::Superset];

#[test]
fn says_where_steps_differ() {
    let mismatch = |outputs, reference_outputs| {
        mismatch(TrajectoryMatchMode::Strict, outputs, reference_outputs).unwrap()
    };
    assert_eq!(mismatch(r#"[["a","b"],["c"]]"#, r#"[["a","b"],["c"]]"#), None);
    assert_eq!(mismatch("[]", "[]"), None);
    let cases = [
        (r#"[["a","b"]]"#, r#"[["a","c"]]"#, r#"steps[0][1]: "b" instead of "c""#),
        (r#"[["a"]]"#, r#"[["a","c"]]"#, r#"steps[0][1]: "c" is missing"#),
        (r#"[["a","x"]]"#, r#"[["a"]]"#, r#"steps[0][1]: "x" is one step more than the reference has"#),
        (r#"[["a"]]"#, r#"[["a"],["b"]]"#, "steps[1]: outputs has 1 turns, the reference 2"),
    ];
    for (outputs, reference_outputs, comment) in cases {
        assert_eq!(mismatch(outputs, reference_outputs).as_deref(), Some(comment));
    }
}

#[test]
fn in_any_order_it_counts_how_often_a_step_occurs() {
    // The outcomes of unordered, subset and superset.
    let cases = [
        (r#"[["b","a"]]"#, r#"[["a","b"]]"#, ["", "", ""]),
        (r#"[["a"]]"#, r#"[["a","b"]]"#, [r#"steps[0]: "b" is missing"#, "", r#"steps[0]: "b" is missing"#]),
        (
            r#"[["a"],["c","b"]]"#,
            r#"[["a"],["b"]]"#,
            [r#"steps[1]: "c" is not in the reference"#, r#"steps[1]: "c" is not in the reference"#, ""],
        ),
        (
            r#"[["a","a","a"]]"#,
            r#"[["a"]]"#,
            [r#"steps[0]: "a" occurs 3× instead of 1×"#, r#"steps[0]: "a" occurs 3× instead of 1×"#, ""],
        ),
        // Steps do not move between turns, and a missing turn counts as one without steps.
        (
            r#"[["a"],["b"]]"#,
            r#"[["b"],["a"]]"#,
            [
                r#"steps[0]: "b" is missing"#,
                r#"steps[0]: "a" is not in the reference"#,
                r#"steps[0]: "b" is missing"#,
            ],
        ),
        (r#"[["a"],[]]"#, r#"[["a"]]"#, ["", "", ""]),
        (r#"[]"#, r#"[["a"]]"#, [r#"steps[0]: "a" is missing"#, "", r#"steps[0]: "a" is missing"#]),
    ];
    for (outputs, reference_outputs, comments) in cases {
        for (mode, comment) in ANY_ORDER.into_iter().zip(comments) {
            let mismatch = mismatch(mode, outputs, reference_outputs).unwrap();
            assert_eq!(mismatch.unwrap_or_default(), comment, "{mode:?} {outputs} {reference_outputs}");
        }
    }
}

#[test]
fn steps_have_to_be_lists_of_lists() {
    let message = mismatch(TrajectoryMatchMode::Strict, r#"["a"]"#, "[]").unwrap_err().message.clone();
    assert_eq!(message, "outputs.steps[0] is a string; steps are a list of lists of node names");
}

fn matches(mode: TrajectoryMatchMode, outputs: &[Vec<u8>], reference_outputs: &[Vec<u8>]) -> bool {
    let text = |steps: &[Vec<u8>]| serde_json::to_string(steps).unwrap();
    mismatch(mode, &text(outputs), &text(reference_outputs)).unwrap().is_none()
}

fn steps() -> impl Strategy<Value = Vec<Vec<u8>>> {
    proptest::collection::vec(proptest::collection::vec(0u8..3, 0..4), 0..3)
}

proptest! {
    #[test]
    fn equal_steps_match_in_every_mode(a in steps()) {
        prop_assert!(matches(TrajectoryMatchMode::Strict, &a, &a));
        prop_assert!(ANY_ORDER.iter().all(|mode| matches(*mode, &a, &a)));
    }

    #[test]
    fn modes_imply_each_other(a in steps(), b in steps()) {
        let unordered = matches(TrajectoryMatchMode::Unordered, &a, &b);
        prop_assert!(unordered || !matches(TrajectoryMatchMode::Strict, &a, &b));
        prop_assert_eq!(unordered, matches(TrajectoryMatchMode::Subset, &a, &b) && matches(TrajectoryMatchMode::Superset, &a, &b));
        prop_assert_eq!(matches(TrajectoryMatchMode::Subset, &a, &b), matches(TrajectoryMatchMode::Superset, &b, &a));
    }

    #[test]
    fn order_within_a_turn_does_not_matter(a in steps(), b in steps()) {
        let reversed: Vec<Vec<u8>> = a.iter().map(|turn| turn.iter().rev().copied().collect()).collect();
        for mode in ANY_ORDER {
            prop_assert_eq!(matches(mode, &a, &b), matches(mode, &reversed, &b));
        }
    }

    #[test]
    fn a_turn_without_one_of_its_steps_is_a_subset_only(fewer in steps(), turn in 0usize..3, step in 0u8..3) {
        let mut all = fewer.clone();
        all.resize(all.len().max(turn + 1), Vec::new());
        all[turn].push(step);
        prop_assert!(matches(TrajectoryMatchMode::Subset, &fewer, &all) && matches(TrajectoryMatchMode::Superset, &all, &fewer));
        prop_assert!(!matches(TrajectoryMatchMode::Superset, &fewer, &all) && !matches(TrajectoryMatchMode::Unordered, &fewer, &all));
        prop_assert!(!matches(TrajectoryMatchMode::Strict, &fewer, &all));
    }
}
