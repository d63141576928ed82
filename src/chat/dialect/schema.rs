//! Schemas for APIs that know only some of the keywords.

use crate::json::{self, Draft, Json};
use std::borrow::Cow;

/// The schema with nothing but these keywords, in its own order: it is the order in which a model answers. What is left
/// out is still checked when the answer has come. A `const` becomes an `enum` of one where only that is known.
pub fn reduced(schema: &str, keywords: &[&str]) -> Draft {
    let schema = schema.trim();
    if !schema.starts_with('{') {
        return Draft::verbatim(schema);
    }
    let mut kept = Vec::new();
    for (keyword, value) in children(schema) {
        if keyword == "const" && !keywords.contains(&"const") {
            kept.push(("enum".to_owned(), Draft::list([Draft::verbatim(value)].into_iter())));
        } else if keywords.contains(&keyword.as_ref()) {
            let child = |(name, value): (Cow<'_, str>, &str)| (name.into_owned(), reduced(value, keywords));
            let value = match keyword.as_ref() {
                "properties" | "$defs" => Draft::Object(children(value).into_iter().map(child).collect()),
                "anyOf" | "oneOf" | "prefixItems" => {
                    Draft::list(children(value).into_iter().map(|(_, value)| reduced(value, keywords)))
                }
                "items" | "additionalProperties" => reduced(value, keywords),
                _ => Draft::verbatim(value),
            };
            kept.push((keyword.into_owned(), value));
        }
    }
    Draft::Object(kept)
}

/// The members of an object, or the elements of a list (without a name), as they stand in a JSON text.
fn children(text: &str) -> Vec<(Cow<'_, str>, &str)> {
    let mut children = Vec::new();
    let is_object = text.starts_with('{');
    let mut rest = text.get(1..).unwrap_or_default().trim_start();
    while let Some((name, value, after)) = child(rest, is_object) {
        children.push((name, value));
        rest = after.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    children
}

/// The first child in a text, and what comes behind it.
fn child(text: &str, is_named: bool) -> Option<(Cow<'_, str>, &str, &str)> {
    let (name, text) = if is_named {
        let (Json::String(name), length) = json::parse_prefix(text).ok()? else { return None };
        (name, text.get(length..)?.trim_start().strip_prefix(':')?.trim_start())
    } else {
        (Cow::Borrowed(""), text)
    };
    let (_, length) = json::parse_prefix(text).ok()?;
    let (value, rest) = text.split_at_checked(length)?;
    Some((name, value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        super::reduced(schema, KEYWORDS).into_text()
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
