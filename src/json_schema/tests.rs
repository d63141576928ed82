//! What the JSON Schema Test Suite says is tested through the package; here is what is said of misfits and schemas.

use super::*;
use crate::json::parse;

fn check(schema: &str, value: &str) -> Result<(), String> {
    let schema = parse(schema).unwrap();
    let (schema, _) = Schema::read(&schema).unwrap();
    schema.check(&parse(value).unwrap(), &no_text_rules)
}

#[test]
fn says_what_does_not_fit_and_where() {
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

#[test]
fn alternatives_in_alternatives_come_to_an_end() {
    let mut definitions = String::new();
    for level in 0..40 {
        let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", level + 1);
        definitions += &format!("\"d{level}\":{{\"anyOf\":[{next},{next}]}},");
    }
    let schema = format!("{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{definitions}\"d40\":true}}}}");
    let problem = "the answer cannot be checked: the schema has too many alternatives";
    assert_eq!(check(&schema, "1"), Err(problem.to_owned()));
}
