//! The JSON Schema Test Suite runs through the package (`tests/api`). These tests cover messages and the
//! reading of schemas.

use super::*;
use crate::json::parse;

fn check(schema: &str, value: &str) -> Result<(), String> {
    let schema = parse(schema).unwrap();
    let (schema, _) = Schema::read(&schema).unwrap();
    schema.check(&parse(value).unwrap(), &no_text_rules).map_err(|misfit| misfit.what)
}

#[test]
fn names_the_violation_and_its_place() {
    let cases = [
        (r#"{"type":"object"}"#, "{}", ""),
        (r#"{"type":"object"}"#, "[1]", "the answer is [1], but has to be of type object"),
        (r#"{"type":["string","null"]}"#, "null", ""),
        (r#"{"type":["string","null"]}"#, "1", "the answer is 1, but has to be of type string or null"),
        (r#"{"type":"integer"}"#, "2.0", ""),
        (r#"{"type":"integer"}"#, "2.5", "the answer is 2.5, but has to be of type integer"),
        (r#"{"enum":[1,"a"]}"#, "1.0", ""),
        (r#"{"enum":[1,"a"]}"#, r#""b""#, r#"the answer is "b", but has to be one of [1,"a"]"#),
        (r#"{"const":{"a":1}}"#, r#"{"a":2}"#, r#"the answer is {"a":2}, but has to be {"a":1}"#),
        (r#"{"minimum":0,"maximum":1}"#, "0.5", ""),
        (r#"{"minimum":0,"maximum":1}"#, "-0.5", "the answer is -0.5, but has to be at least 0"),
        (r#"{"minimum":0,"maximum":1}"#, "1.5", "the answer is 1.5, but has to be at most 1"),
        (r#"{"minimum":5}"#, r#""text""#, ""),
        (r#"{"required":["a"]}"#, r#"{"b":1}"#, r#""a" is missing"#),
        (
            r#"{"properties":{"a":{"properties":{"b":{"type":"string"}}}}}"#,
            r#"{"a":{"b":1}}"#,
            r#""a.b" is 1, but has to be of type string"#,
        ),
        (
            r#"{"properties":{"a":{"items":{"type":"object","required":["b"]}}}}"#,
            r#"{"a":[{"b":1},{}]}"#,
            r#""a[1].b" is missing"#,
        ),
        (r#"{"additionalProperties":false}"#, r#"{"a":1}"#, r#""a" is not allowed"#),
        (r#"{"properties":{"a":{}},"additionalProperties":false}"#, r#"{"a":1}"#, ""),
        (
            r#"{"additionalProperties":{"type":"string"}}"#,
            r#"{"a":1}"#,
            r#""a" is 1, but has to be of type string"#,
        ),
        (r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, "null", ""),
        (
            r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
            "1",
            "the answer is 1, but has to be of type string",
        ),
        ("true", "1", ""),
    ];
    for (schema, value, problem) in cases {
        let found = check(schema, value);
        assert_eq!(found.err().unwrap_or_default(), problem, "{schema} {value}");
    }
}

#[test]
fn a_long_key_is_not_written_for_each_element_below_it() {
    let schema = r#"{"additionalProperties":{"items":{"anyOf":[{"type":"string"},{"type":"number"}]}}}"#;
    let (key, elements) = ("k".repeat(100_000), "1,".repeat(100_000));
    let (fits, differs) = (format!("{{\"{key}\":[{elements}1]}}"), format!("{{\"{key}\":[{elements}null]}}"));
    assert_eq!(check(schema, &fits), Ok(()));
    let problem = check(schema, &differs).unwrap_err();
    assert_eq!(problem, format!("\"{key}[100000]\" is null, but has to be of type string"));
}

#[test]
fn addresses_are_resolved_as_those_of_the_web_are() {
    let cases = [
        ("", "item.json", "item.json"),
        ("a/b.json", "c.json", "a/c.json"),
        ("https://x.org/a/b", "c", "https://x.org/a/c"),
        ("https://x.org/a/b", "../c", "https://x.org/c"),
        ("https://x.org/a/b", "./c", "https://x.org/a/c"),
        ("https://x.org/a/b", "/c", "https://x.org/c"),
        ("https://x.org", "c", "https://x.org/c"),
        ("https://x.org/a", "//y.org/c", "https://y.org/c"),
        ("https://x.org/a", "urn:c", "urn:c"),
    ];
    for (base, address, whole) in cases {
        assert_eq!(reference::resolve(base, address), whole, "{base} {address}");
    }
}

/// Why a schema is rejected.
fn problem(schema: &str) -> Option<String> {
    Schema::read(&parse(schema).unwrap()).err().map(|error| error.message.clone())
}

#[test]
fn alternatives_in_alternatives_take_no_longer_than_one_of_them() {
    for keyword in ["allOf", "anyOf"] {
        let mut definitions = String::new();
        for level in 0..40 {
            let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", level + 1);
            definitions += &format!("\"d{level}\":{{\"{keyword}\":[{next},{next}]}},");
        }
        let last = r#"{"properties":{"a":{"type":"number"}}}"#;
        let schema = format!(
            "{{\"$ref\":\"#/$defs/d0\",\"unevaluatedProperties\":false,\"$defs\":{{{definitions}\"d40\":{last}}}}}"
        );
        assert_eq!(check(&schema, r#"{"a":1}"#), Ok(()));
        assert_eq!(check(&schema, r#"{"a":""}"#).unwrap_err(), "\"a\" is \"\", but has to be of type number");
        assert_eq!(check(&schema, r#"{"b":1}"#).unwrap_err(), "\"b\" is not allowed");
    }
}

const EXPRESSION: &str = r##"{"$ref":"#/$defs/e","$defs":{"e":{"anyOf":[
    {"type":"object","properties":{"op":true,"arg":{"$ref":"#/$defs/e"}},"required":["op","arg"],"additionalProperties":false},
    {"type":"object","properties":{"op":true,"arg":{"$ref":"#/$defs/e"},"note":true},"required":["note"],"additionalProperties":false},
    {"type":"number"}]}}}"##;

#[test]
fn alternatives_that_nest_as_values_do_take_linear_time() {
    for depth in [1, 30, 1000] {
        let nested =
            |last| format!("{}{last}{}", r#"{"op":"-","note":"","arg":"#.repeat(depth), "}".repeat(depth));
        assert_eq!(check(EXPRESSION, &nested("1")), Ok(()));
        assert!(check(EXPRESSION, &nested("null")).is_err());
    }
}

#[test]
fn a_schema_that_refers_to_itself_fits_values_of_any_depth() {
    let deep = |depth| format!("{}{}{}", "{\"c\":[".repeat(depth), 1, "]}".repeat(depth));
    for schema in [
        r##"{"properties":{"c":{"items":{"$ref":"#"}}}}"##,
        r##"{"$dynamicAnchor":"d","properties":{"c":{"items":{"allOf":[{"anyOf":[{"oneOf":[{"$dynamicRef":"#d"}]}]}]}}}}"##,
    ] {
        assert_eq!(check(schema, &deep(500)), Ok(()), "{schema}");
    }
    let schema = r##"{"type":["object","number"],"properties":{"c":{"items":{"$ref":"#"},"maxItems":1}}}"##;
    let problem = check(schema, &deep(500).replace('1', "null")).unwrap_err();
    assert!(problem.ends_with("c[0]\" is null, but has to be of type object or number"), "{problem}");
    let wide = format!("[{}]", vec![deep(300); 50].join(","));
    assert_eq!(check(&format!("{{\"items\":{schema}}}").replace("\"#\"", "\"#/items\""), &wide), Ok(()));
}

#[test]
fn rejects_endless_self_references() {
    let endless = [
        r##"{"$ref":"#"}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
        r##"{"properties":{"a":{"allOf":[true,{"$ref":"#/properties/a"}]}}}"##,
        r##"{"$dynamicAnchor":"a","$dynamicRef":"#a"}"##,
        r##"{"not":{"$ref":"#"}}"##,
        r##"{"if":true,"then":{"oneOf":[{"dependentSchemas":{"a":{"$ref":"#"}}}]}}"##,
    ];
    for schema in endless {
        let problem = problem(schema).unwrap();
        assert!(problem.contains("it refers back to itself for the same value, without end"), "{problem}");
    }
    let ends = [
        r##"{"anyOf":[{"type":"string"},{"$ref":"#/anyOf/0"}]}"##,
        r##"{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"$defs":{"a":{"items":{"$ref":"#"}}}}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"contains":{"$ref":"#"},"unevaluatedItems":{"$ref":"#"}}}}"##,
    ];
    assert_eq!(ends.map(problem), [const { None }; 3]);
}

#[test]
fn finds_self_references_through_other_resources_during_validation() {
    let schema = parse(
        r##"{"$id":"a","$dynamicAnchor":"d","$ref":"b","$defs":{"b":{"$id":"b","$dynamicRef":"#d",
            "$defs":{"c":{"$dynamicAnchor":"d"}}}}}"##,
    );
    let schema = schema.unwrap();
    let (schema, _) = Schema::read(&schema).unwrap();
    let misfit = schema.check(&Json::Null, &no_text_rules).unwrap_err();
    let what = "the answer cannot be checked: the schema refers to itself without end".to_owned();
    assert_eq!(misfit, Misfit { what, is_final: true });
}

#[test]
fn names_are_checked_as_values_are() {
    let schema = r##"{"propertyNames":{"$ref":"#/$defs/name"},"items":{"$ref":"#"},"$defs":{"name":{"maxLength":2}}}"##;
    assert_eq!(check(schema, r#"[{"a":1,"bc":2},{"ab":1}]"#), Ok(()));
    let problem = check(schema, r#"[{"a":1},{"abc":1}]"#).unwrap_err();
    let wanted = "\"[1].abc\" has a name that does not fit: it has 3 characters, but has to have at most 2";
    assert_eq!(problem, wanted);
}

#[test]
fn messages_have_numbers_and_limits_in_their_spelling() {
    assert_eq!(check("{}", "1e308"), Ok(()));
    assert_eq!(
        check("{}", "1e999").unwrap_err(),
        "the answer is 1e999, but has to be a number that JavaScript can hold"
    );
    assert_eq!(
        check(r#"{"minLength":1e300}"#, "\"abc\"").unwrap_err(),
        "the answer has 3 characters, but has to have at least 1e300"
    );
}

#[test]
fn does_not_scan_long_enums_for_each_value() {
    let names: Vec<String> = (0..20_000).map(|index| format!("\"name {index}\"")).collect();
    let names = names.join(",");
    let schema = format!("{{\"items\":{{\"enum\":[1,{names}]}}}}");
    assert_eq!(check(&schema, &format!("[1.0,{names}]")), Ok(()));
    assert!(check(&schema, &format!("[{names},2]")).unwrap_err().starts_with("\"[20000]\" is 2, but"));
}

#[test]
fn a_chain_of_references_may_be_long() {
    let links: Vec<String> =
        (0..1000).map(|link| format!("\"n{link}\":{{\"$ref\":\"#/$defs/n{}\"}}", link + 1)).collect();
    let chain = format!("\"$defs\":{{{},\"n1000\":{{\"maxLength\":1}}}}", links.join(","));
    for start in
        [r##""items":{"$ref":"#/$defs/n0"}"##, r##""items":{"propertyNames":{"$ref":"#/$defs/n0"}}"##]
    {
        let schema = format!("{{{start},{chain}}}");
        assert_eq!(check(&schema, r#"["a",{"b":1}]"#), Ok(()));
        assert!(check(&schema, r#"["a",{"b":1},{"long":1},"long"]"#).is_err());
    }
}
