//! Schemas for APIs that know only some of the keywords.

use crate::json;

/// The JSON text of a schema with nothing but these keywords, in its own order: it is the order in which a model
/// answers. What is left out is still checked when the answer has come. A `const` becomes an `enum` of one where only
/// that is known.
pub fn reduced(schema: &str, keywords: &[&str]) -> String {
    let mut reduced = String::new();
    write(schema.trim(), Some(keywords), keywords, &mut reduced);
    reduced
}

/// Writes a schema, or else an object or a list of schemas, of which everything is `kept`.
fn write(text: &str, kept: Option<&[&str]>, keywords: &[&str], reduced: &mut String) {
    let Some(open @ (b'{' | b'[')) = text.bytes().next() else { return reduced.push_str(text) };
    reduced.push(open.into());
    let start = reduced.len();
    let mut rest = text.get(1..).unwrap_or_default();
    while let Some((name, value, after)) = child(rest, open == b'{') {
        rest = after;
        let keyword = name.trim_matches('"');
        let is_known = kept.is_none_or(|kept| kept.contains(&keyword));
        if !is_known && keyword != "const" {
            continue;
        }
        if reduced.len() > start {
            reduced.push(',');
        }
        if !is_known {
            reduced.extend(["\"enum\":[", value, "]"]);
            continue;
        }
        if open == b'{' {
            reduced.extend([name, ":"]);
        }
        match keyword {
            _ if kept.is_none() => write(value, Some(keywords), keywords, reduced),
            "properties" | "$defs" | "anyOf" | "oneOf" | "prefixItems" => {
                write(value, None, keywords, reduced);
            }
            "items" | "additionalProperties" => write(value, Some(keywords), keywords, reduced),
            _ => reduced.push_str(value),
        }
    }
    reduced.push(if open == b'{' { '}' } else { ']' });
}

/// The next member or element in a text: its name as it is written, if it has one, its value, and what comes behind.
fn child(text: &str, is_named: bool) -> Option<(&str, &str, &str)> {
    let text = text.trim_start().trim_start_matches(',');
    if !is_named {
        let (value, rest) = value(text)?;
        return Some(("", value, rest));
    }
    let (name, rest) = value(text)?;
    let (value, rest) = value(rest.trim_start().strip_prefix(':')?)?;
    Some((name, value, rest))
}

/// The value that a text begins with, and the rest.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (_, length) = json::parse_prefix(text).ok()?;
    text.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    const KEYWORDS: &[&str] = &[
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "enum",
        "items",
        "properties",
        "required",
        "type",
    ];

    fn reduced(schema: &str) -> String {
        super::reduced(schema, KEYWORDS)
    }

    #[test]
    fn unknown_keywords_go_and_the_order_stays() {
        assert_eq!(
            reduced(
                r#" { "$schema":"x", "type" : "object", "properties":{"b":{"minLength":1,"type":"string"},"a":{"const":1.50},"format":{"format":"date","type":"string"}}, "required":["b", "a"],"additionalProperties":false } "#
            ),
            r#"{"type":"object","properties":{"b":{"type":"string"},"a":{"enum":[1.50]},"format":{"type":"string"}},"required":["b", "a"],"additionalProperties":false}"#
        );
    }

    #[test]
    fn schemas_within_schemas_are_reduced_too() {
        assert_eq!(
            reduced(
                r##"{"$defs":{"n":{"minimum":0,"type":"number"}},"anyOf":[{"$ref":"#/$defs/n","x":1}, {"items":{"pattern":"\"]}","type":"string"}},true],"not":{}}"##
            ),
            r##"{"$defs":{"n":{"type":"number"}},"anyOf":[{"$ref":"#/$defs/n"},{"items":{"type":"string"}},true]}"##
        );
        assert_eq!(
            reduced(r#"{"additionalProperties":{"minimum":0,"type":"number"}}"#),
            r#"{"additionalProperties":{"type":"number"}}"#
        );
        assert_eq!(reduced("{}"), "{}");
        assert_eq!(reduced(r#"{"properties":{},"anyOf":[]}"#), r#"{"properties":{},"anyOf":[]}"#);
    }

    #[test]
    fn properties_may_have_the_names_of_keywords() {
        let schema =
            r#"{"properties":{"properties":{"type":"object","properties":{"const":{"type":"null"}}}}}"#;
        assert_eq!(reduced(schema), schema);
    }
}
