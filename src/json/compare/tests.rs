use super::*;
use crate::json::parse;
use proptest::prelude::*;

/// The result of comparing trees; `None` if a text cannot be read.
fn of_trees(left: &str, right: &str) -> Option<bool> {
    Some(parse(left).ok()? == parse(right).ok()?)
}

#[test]
fn objects_in_another_order_are_matched_by_key() {
    let cases = [
        (r#"{"a":1,"b":[{}],"c":"x"}"#, r#"{"c":"x","b":[{}],"a":1}"#, true),
        (r#"{"a":1,"b":{"c":1,"d":2}}"#, r#"{"b":{"d":2.0,"c":1},"a":1}"#, true),
        (r#"{"a":1,"b":{"c":1,"d":2}}"#, r#"{"b":{"d":2,"c":2},"a":1}"#, false),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"c":1}"#, false),
        (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2,"c":3}"#, false),
        (r#"{"b":2,"a":1,"c":3}"#, r#"{"a":1,"b":2}"#, false),
        (r#"{"\u0061":1,"b":2}"#, r#"{"b":2,"a":1}"#, true),
        (r#"{"\ud800":1,"b":2}"#, r#"{"b":2,"\uD800":1}"#, true),
        (r#"{"\ud800":1,"b":2}"#, r#"{"b":2,"\ud801":1}"#, false),
        (r#"{}"#, r#"{"a":1}"#, false),
        (r#"{"":0,"a":0}"#, r#"{"a":0,"":0}"#, true),
    ];
    for (left, right, verdict) in cases {
        assert_eq!(same(left, right), Some(verdict), "{left} {right}");
        assert_eq!(same(right, left), Some(verdict), "{right} {left}");
    }
}

#[test]
fn finds_invalid_json_after_a_difference() {
    for (left, right) in [
        ("[1,2", "[2,2]"),
        ("[1,2]", "[2,2"),
        ("[1,{]", "[2,{}]"),
        (r#"{"a":1,"b":x}"#, r#"{"a":2,"b":1}"#),
        (r#"{"a":1,"b":1}"#, r#"{"b":01,"c":1}"#),
        ("1 2", "2"),
        ("null", "nul"),
        ("[]", "[1,]"),
        ("", ""),
    ] {
        assert_eq!(same(left, right), None, "{left} {right}");
        assert_eq!(same(right, left), None, "{right} {left}");
    }
}

#[test]
fn keys_that_occur_twice_are_left_to_trees_where_they_matter() {
    let cases = [
        (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, None),
        (r#"{"a":1,"a":2}"#, r#"{"a":3,"a":2}"#, None),
        (r#"{"a":1,"b":2,"a":3}"#, r#"{"b":2,"a":3}"#, None),
        (r#"{"a":1,"b":2,"a":1}"#, r#"{"a":1,"b":2}"#, None),
        (r#"{"x":0,"a":1,"a":2}"#, r#"{"a":2,"a":1,"x":0}"#, None),
        (r#"{"a":1,"a":2,"b":3}"#, r#"{"a":1,"a":2,"b":3}"#, Some(true)),
        (r#"{"a":1,"a":2,"b":3}"#, r#"{"a":1,"a":2,"b":4}"#, Some(false)),
    ];
    for (left, right, verdict) in cases {
        assert_eq!(same(left, right), verdict, "{left} {right}");
        assert_eq!(same(right, left), verdict, "{right} {left}");
    }
}

#[test]
fn deep_nesting_in_another_order_ends_in_trees() {
    let nested = |before: &str, after: &str, inner: &str| {
        format!("{}{inner}{}", before.repeat(1_000), after.repeat(1_000))
    };
    let left = nested(r#"{"a":1,"b":"#, "}", "1");
    let right = nested(r#"{"b":"#, r#","a":1}"#, "1");
    let other = nested(r#"{"b":"#, r#","a":1}"#, "2");
    assert_eq!(same(&left, &right), None);
    assert_eq!(of_trees(&left, &right), Some(true));
    assert_eq!(of_trees(&left, &other), Some(false));
    let (left, right) = (nested("[", "]", "1"), nested("[", "]", "2"));
    assert_eq!(same(&left, &right), Some(false));
    assert_eq!(same(&"[".repeat(100_000), &"[".repeat(100_000)), None);
}

#[test]
fn rows_are_compared_one_by_one() {
    let rows = r#" [ [1, 1.0], [{"a":1,"b":2} , {"b":2,"a":1}],[[],{}] ] "#;
    assert_eq!(same_pairs(rows), Some(vec![true, true, false]));
    assert_eq!(same_pairs("[]"), Some(vec![]));
    for rows in ["", "{}", "[", "[[]]", "[[1]]", "[[1,2,3]]", "[[1,2]", "[[1,2]]x", "[[1,2],]", "[1]"] {
        assert_eq!(same_pairs(rows), None, "{rows}");
    }
}

/// A value in one of the spellings that JSON allows: keys in any order and possibly duplicated, numbers and
/// strings written differently. Two texts from the same seed are usually equal.
fn spelled(seed: &mut u64, spelling: &mut u64, depth: u32, keys_once: bool) -> String {
    let draw = |state: &mut u64, count: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % count
    };
    let one_of = |index: u64, spellings: &[&str]| spellings[index as usize % spellings.len()].to_owned();
    let spelling_now = draw(spelling, 4);
    match draw(seed, if depth == 0 { 8 } else { 12 }) {
        0 => "null".to_owned(),
        1 => "true".to_owned(),
        2 => one_of(spelling_now, &["1", "1.0", "10e-1", "0.1e1"]),
        3 => one_of(spelling_now, &["0.5", "5e-1", "0.50", "0.5"]),
        4 => one_of(spelling_now, &[r#""a""#, r#""\u0061""#]),
        5 => one_of(spelling_now, &[r#""é\n""#, r#""\u00e9\u000a""#, r#""\u00E9\n""#]),
        6 => one_of(spelling_now, &[r#""\ud800""#, r#""\uD800""#]),
        7 => one_of(spelling_now, &[r#""\ud83d\ude00""#, r#""😀""#]),
        8 | 9 => {
            let elements: Vec<_> =
                (0..draw(seed, 4)).map(|_| spelled(seed, spelling, depth - 1, keys_once)).collect();
            format!("[{}]", elements.join(","))
        }
        _ => {
            let mut members: Vec<_> = (0..draw(seed, 4))
                .map(|index| {
                    let key = if keys_once { index } else { draw(seed, 6) };
                    let keys = [[r#""a""#, r#""\u0061""#], [r#""\ud800""#, r#""\uD800""#]];
                    let key = match keys.get(key as usize) {
                        Some(key) => one_of(draw(spelling, 2), key),
                        None => format!("\"{key}\""),
                    };
                    format!("{key}:{}", spelled(seed, spelling, depth - 1, keys_once))
                })
                .collect();
            let middle = draw(spelling, members.len() as u64 + 1) as usize;
            members.rotate_left(middle);
            if !keys_once && draw(spelling, 8) == 0 {
                members.extend(members.first().cloned());
            }
            format!("{{{}}}", members.join(" , "))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_verdict_is_that_of_trees(seed in any::<u64>(), other in any::<u64>(), spellings in any::<(u64, u64)>(), differ in 0u8..4, keys_once: bool) {
        let left = spelled(&mut seed.clone(), &mut spellings.0.clone(), 4, keys_once);
        let right = spelled(&mut if differ == 0 { other } else { seed }, &mut spellings.1.clone(), 4, keys_once);
        let expected = of_trees(&left, &right);
        prop_assert!(expected.is_some(), "{left} {right}");
        let found = same(&left, &right);
        prop_assert!(found.is_none() && !keys_once || found == expected, "{left} {right}");
        prop_assert_eq!(crate::exact::exact_match(&left, &right).ok(), expected);
    }

    #[test]
    fn texts_of_few_letters_are_compared_as_trees(left in "[\\[\\]{}\",:a1 ]{0,12}", right in "[\\[\\]{}\",:a1 ]{0,12}") {
        let found = same(&left, &right);
        prop_assert!(found.is_none() || found == of_trees(&left, &right));
    }

    #[test]
    fn small_objects_are_compared_as_trees(left in objects(), right in objects()) {
        let found = same(&left, &right);
        prop_assert!(found.is_none() || found == of_trees(&left, &right), "{left} {right}");
    }
}

/// Objects with few distinct keys and values, so that many are equal and many have duplicate keys.
fn objects() -> impl Strategy<Value = String> {
    let member = "\"[abc]\":([12]|\\{\"[ab]\":[12]\\})";
    proptest::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(",")))
}
