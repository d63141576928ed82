use super::pattern::fits;
use super::runs::{Run, runs};
use proptest::prelude::*;

#[test]
fn stars_stand_for_any_text() {
    let fitting = [
        ("a", "a"),
        ("*", ""),
        ("*", "x"),
        ("db.*", "db."),
        ("a*b*c", "a-b-b-c"),
        ("a**c", "abc"),
        ("*.read", "db.read"),
    ];
    for (pattern, name) in fitting {
        assert!(fits(pattern, name), "{pattern} {name}");
    }
    let others = [
        ("a", "A"),
        ("", "a"),
        ("db.*", "db"),
        ("ab*ba", "aba"),
        ("a*b*c", "acb"),
        ("*x*", "y"),
        ("*aa", "a"),
    ];
    for (pattern, name) in others {
        assert!(!fits(pattern, name), "{pattern} {name}");
    }
}

/// All maximal stretches with a period, by trying each period; those inside longer ones are left out.
fn by_trying(symbols: &[usize], least: usize) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    for period in 1..=symbols.len() / least {
        let mut start = 0;
        while start + period < symbols.len() {
            let end = (start + period..symbols.len()).find(|at| symbols[*at] != symbols[at - period]);
            let end = end.unwrap_or(symbols.len());
            let is_known = all.iter().any(|run| run.start == start && run.end == end);
            if end - start >= least * period && !is_known {
                all.push(Run { start, end, period });
            }
            start = end - period + 1;
        }
    }
    all.sort_by_key(|run| (run.start, usize::MAX - run.end));
    let mut longest: Vec<Run> = Vec::new();
    for run in all {
        if longest.last().is_none_or(|last| run.end > last.end) {
            longest.push(run);
        }
    }
    longest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]
    #[test]
    fn runs_are_those_of_all_periods(symbols in prop::collection::vec(0_usize..3, 0..40), least in 2_usize..5) {
        prop_assert_eq!(runs(&symbols, least), by_trying(&symbols, least));
    }
}

#[test]
fn a_long_run_and_a_long_sequence_without_one_take_linear_time() {
    assert_eq!(runs(&vec![7; 100_000], 3), [Run { start: 0, end: 100_000, period: 1 }]);
    assert_eq!(runs(&(0..100_000).collect::<Vec<_>>(), 3), []);
}
