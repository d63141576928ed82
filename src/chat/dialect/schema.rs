//! Schemas for APIs that know only some of the keywords.

use crate::json::{self, Json};
use crate::text::find;

/// The parts of a schema that an API supports.
pub struct Rules {
    /// The supported keywords.
    pub keywords: &'static [&'static str],
    /// The supported values of `format`; all if it is empty.
    pub formats: &'static [&'static str],
    /// Whether objects have to exclude other members.
    pub closed: bool,
}

/// The JSON text of a schema with only the keywords that these rules allow. The order stays, because a model
/// generates properties in it.
///
/// Where the API lacks them, `const` becomes an `enum` with one value, and `oneOf` becomes `anyOf`. Other
/// constraints move into the description; the answer is validated against them anyway. All APIs reject
/// keywords beside `$ref`, so these are dropped.
pub fn reduced(schema: &str, rules: &Rules) -> String {
    let mut reduced = String::new();
    write(schema.trim(), true, rules, &mut reduced);
    reduced
}

/// The treatment of a keyword.
#[derive(PartialEq)]
enum Treatment {
    Kept,
    AsEnum,
    AsAnyOf,
    /// Moved into the description.
    Described,
    Dropped,
}

impl Rules {
    fn treatment(&self, keyword: &str, value: &str, is_reference: bool) -> Treatment {
        let is_known = self.keywords.contains(&keyword);
        match keyword {
            _ if is_reference && keyword != "$ref" && keyword != "$defs" => Treatment::Dropped,
            "format" if is_known && !self.knows_format(value) => Treatment::Described,
            "pattern" if is_known && looks_around(value) => Treatment::Described,
            _ if is_known => Treatment::Kept,
            "const" => Treatment::AsEnum,
            "oneOf" if self.keywords.contains(&"anyOf") => Treatment::AsAnyOf,
            _ if CONSTRAINTS.contains(&keyword) => Treatment::Described,
            _ => Treatment::Dropped,
        }
    }

    fn knows_format(&self, value: &str) -> bool {
        self.formats.is_empty() || self.formats.contains(&value.trim_matches('"'))
    }
}

/// The keywords that a model can follow if the description has them.
#[rustfmt::skip]
const CONSTRAINTS: &[&str] = &[
    "allOf", "contains", "dependentRequired", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems",
    "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not",
    "oneOf", "pattern", "patternProperties", "propertyNames", "uniqueItems",
];

/// Whether a pattern has a look-around or a back-reference, which the engines behind structured outputs do not support.
fn looks_around(pattern: &str) -> bool {
    ["(?=", "(?!", "(?<=", "(?<!", "\\\\1", "\\\\k<"].iter().any(|sign| find(pattern, sign).is_some())
}

/// Writes a schema or, unless `is_schema`, an object or a list of schemas, all members of which are kept.
fn write(text: &str, is_schema: bool, rules: &Rules, reduced: &mut String) {
    let Some(open @ (b'{' | b'[')) = text.bytes().next() else { return reduced.push_str(text) };
    let is_named = open == b'{';
    let children = || Children { rest: text.get(1..).unwrap_or_default(), is_named };
    let has = |keyword: &str| is_schema && children().any(|(name, _)| name.trim_matches('"') == keyword);
    let (is_reference, has_any_of) = (has("$ref"), has("anyOf"));
    let treatment = |name: &str, value: &str| match is_schema {
        true => match rules.treatment(name.trim_matches('"'), value, is_reference) {
            Treatment::AsAnyOf if has_any_of => Treatment::Described,
            treatment => treatment,
        },
        false => Treatment::Kept,
    };
    let mut described = String::new();
    for (name, value) in children().filter(|(name, value)| treatment(name, value) == Treatment::Described) {
        let comma = if described.is_empty() { "" } else { ", " };
        described.extend([comma, name.trim_matches('"'), ": ", value]);
    }
    reduced.push(open.into());
    let start = reduced.len();
    for (name, value) in children() {
        let treatment = treatment(name, value);
        if matches!(treatment, Treatment::Described | Treatment::Dropped) {
            continue;
        }
        if reduced.len() > start {
            reduced.push(',');
        }
        if treatment == Treatment::AsEnum {
            reduced.extend(["\"enum\":[", value, "]"]);
            continue;
        }
        if treatment == Treatment::AsAnyOf {
            reduced.push_str("\"anyOf\":");
        } else if is_named {
            reduced.extend([name, ":"]);
        }
        match name.trim_matches('"') {
            _ if !is_schema => write(value, true, rules, reduced),
            "properties" | "$defs" | "anyOf" | "oneOf" | "prefixItems" => write(value, false, rules, reduced),
            "items" | "additionalProperties" => write(value, true, rules, reduced),
            "description" if !described.is_empty() && value.ends_with('"') => {
                let described = std::mem::take(&mut described);
                reduced.push_str(value.strip_suffix('"').unwrap_or(value));
                push_end_of_string(&format!(" ({described})"), reduced);
            }
            _ => reduced.push_str(value),
        }
    }
    if !described.is_empty() {
        reduced.push_str(if reduced.len() > start { ",\"description\":\"" } else { "\"description\":\"" });
        push_end_of_string(&described, reduced);
    }
    if rules.closed && has("properties") && !has("additionalProperties") {
        reduced.push_str(",\"additionalProperties\":false");
    }
    reduced.push(if is_named { '}' } else { ']' });
}

/// Whether every object in a schema lists its members, so that `additionalProperties: false` excludes none that
/// it describes.
pub fn can_be_closed(schema: &Json<'_>) -> bool {
    let Some(members) = schema.as_object() else { return false };
    let has = |keyword| members.get(keyword).is_some();
    let is_closed = members.get("additionalProperties").is_none_or(|more| *more == Json::Bool(false));
    let is_list_of_members = has("properties") && is_closed && !has("patternProperties");
    let is_object = members.get("type").is_some_and(|kind| find(&kind.to_text(), "\"object\"").is_some());
    let says_kind = ["$ref", "anyOf", "const", "enum", "oneOf", "type"].into_iter().any(has);
    let inner = members.iter().all(|(keyword, value)| match (keyword, value) {
        ("properties" | "$defs", Json::Object(schemas)) => {
            schemas.iter().all(|(_, schema)| can_be_closed(schema))
        }
        ("anyOf" | "oneOf", Json::Array(schemas)) => schemas.iter().all(can_be_closed),
        ("items", schema) => can_be_closed(schema),
        _ => true,
    });
    says_kind && inner && (is_list_of_members || !(is_object || has("properties")))
}

/// Appends the text to a JSON string that is still open, and closes it.
fn push_end_of_string(text: &str, json: &mut String) {
    let mut quoted = String::new();
    json::push_string(text, &mut quoted);
    json.push_str(quoted.strip_prefix('"').unwrap_or(&quoted));
}

/// Members or elements of a JSON text: the name in its spelling, empty in a list, and the value.
struct Children<'t> {
    rest: &'t str,
    is_named: bool,
}

impl<'t> Iterator for Children<'t> {
    type Item = (&'t str, &'t str);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (name, value, rest) = child(self.rest, self.is_named)?;
        self.rest = rest;
        Some((name, value))
    }
}

/// The next member or element in a text: the spelling of its name, if it has one, its value, and the rest.
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
    let length = json::parse_prefix(text).ok()?.end;
    text.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::Rules;

    const KEYWORDS: &[&str] = &[
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "description",
        "enum",
        "items",
        "properties",
        "required",
        "type",
    ];

    fn reduced(schema: &str) -> String {
        super::reduced(schema, &Rules { keywords: KEYWORDS, formats: &["date"], closed: false })
    }

    #[test]
    fn unknown_keywords_go_and_the_order_stays() {
        assert_eq!(
            reduced(
                r#" { "$schema":"x", "type" : "object", "properties":{"b":{"minLength":1,"type":"string"},"a":{"const":1.50},"format":{"format":"date-time","type":"string","description":"A day"}}, "required":["b", "a"],"additionalProperties":false } "#
            ),
            r#"{"type":"object","properties":{"b":{"type":"string","description":"minLength: 1"},"a":{"enum":[1.50]},"format":{"type":"string","description":"A day (format: \"date-time\")"}},"required":["b", "a"],"additionalProperties":false}"#
        );
    }

    #[test]
    fn schemas_within_schemas_are_reduced_too() {
        assert_eq!(
            reduced(
                r##"{"$defs":{"n":{"minimum":0,"type":"number"}},"anyOf":[{"$ref":"#/$defs/n","x":1}, {"items":{"pattern":"\"]}","type":"string"}},true],"not":{}}"##
            ),
            r##"{"$defs":{"n":{"type":"number","description":"minimum: 0"}},"anyOf":[{"$ref":"#/$defs/n"},{"items":{"type":"string","description":"pattern: \"\\\"]}\""}},true],"description":"not: {}"}"##
        );
        assert_eq!(
            reduced(r#"{"additionalProperties":{"minimum":0,"type":"number"}}"#),
            r#"{"additionalProperties":{"type":"number","description":"minimum: 0"}}"#
        );
        assert_eq!(reduced("{}"), "{}");
        assert_eq!(reduced(r#"{"properties":{},"anyOf":[]}"#), r#"{"properties":{},"anyOf":[]}"#);
    }

    #[test]
    fn objects_are_closed_where_they_have_to_be() {
        let rules = Rules { keywords: KEYWORDS, formats: &[], closed: true };
        let schema = r#"{"type":"object","properties":{"a":{"oneOf":[{"properties":{}},{"type":"null"}]}},"required":[]}"#;
        assert_eq!(
            super::reduced(schema, &rules),
            r#"{"type":"object","properties":{"a":{"anyOf":[{"properties":{},"additionalProperties":false},{"type":"null"}]}},"required":[],"additionalProperties":false}"#
        );
        // Beside an `anyOf` there is no place for it.
        assert_eq!(
            super::reduced(r#"{"anyOf":[true],"oneOf":[true]}"#, &rules),
            r#"{"anyOf":[true],"description":"oneOf: [true]"}"#
        );
    }

    #[test]
    fn only_objects_that_name_their_members_can_be_closed() {
        let can = |schema| super::can_be_closed(&super::json::parse(schema).unwrap());
        for schema in [
            r#"{"type":"object","properties":{"a":{"type":["string","null"]}}}"#,
            r#"{"type":"array","items":{"oneOf":[{"const":1},{"type":"object","properties":{},"additionalProperties":false}]}}"#,
        ] {
            assert!(can(schema), "{schema}");
        }
        for schema in [
            "{}",
            "true",
            r#"{"type":"object"}"#,
            r#"{"type":["object","null"]}"#,
            r#"{"properties":{},"additionalProperties":{"type":"string"}}"#,
            r#"{"properties":{},"patternProperties":{"a":true}}"#,
            r#"{"type":"object","properties":{"a":{}}}"#,
            r#"{"type":"array","items":{"type":"object"}}"#,
        ] {
            assert!(!can(schema), "{schema}");
        }
    }

    #[test]
    fn references_stand_alone() {
        assert_eq!(
            reduced(r##"{"$ref":"#/$defs/a","description":"d","$defs":{"a":{"type":"null"}}}"##),
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}}"##
        );
    }

    #[test]
    fn formats_and_patterns_go_where_they_are_not_known() {
        let rules = Rules { keywords: &["format", "pattern"], formats: &["date"], closed: false };
        let reduced = |schema: &str| super::reduced(schema, &rules);
        for kept in [r#"{"format":"date"}"#, r#"{"pattern":"^(?:a|\\d)$"}"#] {
            assert_eq!(reduced(kept), kept);
        }
        assert_eq!(reduced(r#"{"format":"uri"}"#), r#"{"description":"format: \"uri\""}"#);
        for pattern in ["^(?!a)", "(?=a)", "(?<=a)b", "(?<!a)b", "(a)\\\\1", "(?<n>a)\\\\k<n>"] {
            let reduced = reduced(&format!(r#"{{"pattern":"{pattern}"}}"#));
            assert!(reduced.starts_with(r#"{"description":"pattern: "#), "{reduced}");
        }
    }

    #[test]
    fn properties_may_have_the_names_of_keywords() {
        let schema =
            r#"{"properties":{"properties":{"type":"object","properties":{"const":{"type":"null"}}}}}"#;
        assert_eq!(reduced(schema), schema);
    }
}
