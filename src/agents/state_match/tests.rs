use super::*;

fn config(ignore: &[&str], unordered: &[&str], tolerance: f64) -> StateMatchConfig {
    let read = |patterns: &[&str]| {
        patterns.iter().map(|pattern| pattern.split('.').map(str::to_owned).collect()).collect()
    };
    StateMatchConfig { ignore: read(ignore), unordered: read(unordered), judged: Vec::new(), tolerance }
}

fn paths(config: &StateMatchConfig, output: &str, reference: &str) -> Vec<String> {
    let found = config.compare(&format!("[[{output},{reference}]]")).unwrap().remove(0);
    assert_eq!(found.count, found.differences.len());
    found.differences.into_iter().map(|difference| difference.path).collect()
}

#[test]
fn each_difference_has_its_path() {
    let plain = config(&[], &[], 0.0);
    let found = paths(&plain, r#"{"a":[1,{"b":2}],"c":3}"#, r#"{"a":[1,{"b":4},5],"d":3}"#);
    assert_eq!(found, ["a[1].b", "a[2]", "d", "c"]);
    assert_eq!(paths(&plain, "1", "2"), ["the state"]);
    assert_eq!(paths(&plain, r#"{"a":1.0}"#, r#"{"a":1}"#), [""; 0]);
}

#[test]
fn patterns_are_ignored() {
    let ignoring = config(&["orders.*.at", "**.id", "log"], &[], 0.0);
    let found = paths(
        &ignoring,
        r#"{"orders":[{"at":1,"id":1}],"x":{"y":{"id":1,"at":2}},"log":[1]}"#,
        r#"{"orders":[{"at":2}],"x":{"y":{"id":3,"at":3}}}"#,
    );
    assert_eq!(found, ["x.y.at"]);
}

#[test]
fn unordered_lists_are_matched_within_the_tolerance() {
    let unordered = config(&[], &["a"], 0.25);
    // 1.2 fits both, and 1.4 only the second.
    assert_eq!(paths(&unordered, r#"{"a":[1.2,1.4]}"#, r#"{"a":[1.2,1.0]}"#), [""; 0]);
    assert_eq!(paths(&unordered, r#"{"a":[3,1]}"#, r#"{"a":[1,2,4]}"#), ["a[0]", "a[2]"]);
    assert_eq!(paths(&config(&[], &[], 0.25), r#"{"a":[3,1]}"#, r#"{"a":[1,3]}"#), ["a[0]", "a[1]"]);
}

#[test]
fn a_difference_of_exactly_the_tolerance_is_tolerated() {
    let cent = config(&[], &[], 0.01);
    for cents in 0..1_000 {
        let [one, other] = [cents, cents + 1].map(|cents| (f64::from(cents) / 100.0).to_string());
        assert_eq!(paths(&cent, &one, &other), [""; 0], "{one} {other}");
    }
    assert_eq!(paths(&cent, "1", "1.0101"), ["the state"]);
}

#[test]
fn patterns_take_any_number_of_steps_for_two_stars() {
    let fits = |pattern: &str, path: &str| {
        let pattern: Vec<String> = pattern.split('.').map(str::to_owned).collect();
        let path: Vec<Step<'_>> = path.split('.').filter(|key| !key.is_empty()).map(Step::Key).collect();
        path::fits(&pattern, &path)
    };
    assert!(fits("**", ""));
    assert!(fits("**.a", "a"));
    assert!(fits("a.**.b.**", "a.x.b.b"));
    assert!(fits("**.a.*.**.b", "a.a.x.b"));
    assert!(!fits("a.**.b", "a.b.c"));
    assert!(!fits("*", ""));
    let deep = vec!["a"; 1_000].join(".");
    assert!(!fits(&format!("{}.b", vec!["**.a"; 20].join(".")), &deep));
}

#[test]
fn pairing_nested_lists_is_bounded() {
    let row =
        |first: u32| format!("[{}]", (0..300).map(|n| (n + first).to_string()).collect::<Vec<_>>().join(","));
    let rows = |first: u32| format!("[{}]", (0..300).map(|n| row(n + first)).collect::<Vec<_>>().join(","));
    let unordered = config(&[], &["**"], 0.0);
    let error = unordered.compare(&format!("[[{},{}]]", rows(0), rows(1_000))).unwrap_err();
    assert!(error.message.contains("comparisons of values"), "{}", error.message);
}
