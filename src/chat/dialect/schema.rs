//! Schemas for APIs that know only some of the keywords.

use crate::json;
use crate::text::find;

/// What an API can be told of a schema.
pub struct Rules {
    /// The keywords that it knows.
    pub keywords: &'static [&'static str],
    /// The values of `format` that it knows; all of them if there are none here.
    pub formats: &'static [&'static str],
}

/// The JSON text of a schema with nothing but what these rules allow, in its own order: it is the order in which a model
/// answers. What is left out is still checked when the answer has come, and the description tells the model. A `const`
/// becomes an `enum` of one where only that is known, and a reference stands alone, as all APIs want it.
pub fn reduced(schema: &str, rules: &Rules) -> String {
    let mut reduced = String::new();
    write(schema.trim(), true, rules, &mut reduced);
    reduced
}

/// What becomes of a keyword.
#[derive(PartialEq)]
enum Fate {
    Kept,
    AsEnum,
    /// Moved into the description.
    Told,
    Left,
}

impl Rules {
    fn fate(&self, keyword: &str, value: &str, is_reference: bool) -> Fate {
        let is_known = self.keywords.contains(&keyword);
        match keyword {
            _ if is_reference && keyword != "$ref" && keyword != "$defs" => Fate::Left,
            "format" if is_known && !self.knows_format(value) => Fate::Told,
            "pattern" if is_known && looks_around(value) => Fate::Told,
            _ if is_known => Fate::Kept,
            "const" => Fate::AsEnum,
            _ if CONSTRAINTS.contains(&keyword) => Fate::Told,
            _ => Fate::Left,
        }
    }

    fn knows_format(&self, value: &str) -> bool {
        self.formats.is_empty() || self.formats.contains(&value.trim_matches('"'))
    }
}

/// The keywords that a model can keep to when it is told of them.
#[rustfmt::skip]
const CONSTRAINTS: &[&str] = &[
    "allOf", "contains", "dependentRequired", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems",
    "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not",
    "oneOf", "pattern", "patternProperties", "propertyNames", "uniqueItems",
];

/// Whether a pattern looks around or back, for which the engines that guide models have no automaton.
fn looks_around(pattern: &str) -> bool {
    ["(?=", "(?!", "(?<=", "(?<!", "\\\\1", "\\\\k<"].iter().any(|sign| find(pattern, sign).is_some())
}

/// Writes a schema, or else an object or a list of schemas, of which everything is kept.
fn write(text: &str, is_schema: bool, rules: &Rules, reduced: &mut String) {
    let Some(open @ (b'{' | b'[')) = text.bytes().next() else { return reduced.push_str(text) };
    let is_named = open == b'{';
    let children = || Children { rest: text.get(1..).unwrap_or_default(), is_named };
    let is_reference = is_schema && children().any(|(name, _)| name == "\"$ref\"");
    let fate = |name: &str, value: &str| match is_schema {
        true => rules.fate(name.trim_matches('"'), value, is_reference),
        false => Fate::Kept,
    };
    let mut told = String::new();
    for (name, value) in children().filter(|(name, value)| fate(name, value) == Fate::Told) {
        let comma = if told.is_empty() { "" } else { ", " };
        told.extend([comma, name.trim_matches('"'), ": ", value]);
    }
    reduced.push(open.into());
    let start = reduced.len();
    for (name, value) in children() {
        let fate = fate(name, value);
        if !matches!(fate, Fate::Kept | Fate::AsEnum) {
            continue;
        }
        if reduced.len() > start {
            reduced.push(',');
        }
        if fate == Fate::AsEnum {
            reduced.extend(["\"enum\":[", value, "]"]);
            continue;
        }
        if is_named {
            reduced.extend([name, ":"]);
        }
        match name.trim_matches('"') {
            _ if !is_schema => write(value, true, rules, reduced),
            "properties" | "$defs" | "anyOf" | "oneOf" | "prefixItems" => write(value, false, rules, reduced),
            "items" | "additionalProperties" => write(value, true, rules, reduced),
            "description" if !told.is_empty() && value.ends_with('"') => {
                let told = std::mem::take(&mut told);
                reduced.push_str(value.strip_suffix('"').unwrap_or(value));
                push_end_of_string(&format!(" ({told})"), reduced);
            }
            _ => reduced.push_str(value),
        }
    }
    if !told.is_empty() {
        reduced.push_str(if reduced.len() > start { ",\"description\":\"" } else { "\"description\":\"" });
        push_end_of_string(&told, reduced);
    }
    reduced.push(if is_named { '}' } else { ']' });
}

/// Ends a JSON string with this.
fn push_end_of_string(text: &str, json: &mut String) {
    let mut quoted = String::new();
    json::push_string(text, &mut quoted);
    json.push_str(quoted.strip_prefix('"').unwrap_or(&quoted));
}

/// Members or elements of a JSON text: the name as it is written, empty in a list, and the value.
struct Children<'t> {
    rest: &'t str,
    is_named: bool,
}

impl<'t> Iterator for Children<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value, rest) = child(self.rest, self.is_named)?;
        self.rest = rest;
        Some((name, value))
    }
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
        super::reduced(schema, &Rules { keywords: KEYWORDS, formats: &["date"] })
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
    fn references_stand_alone() {
        assert_eq!(
            reduced(r##"{"$ref":"#/$defs/a","description":"d","$defs":{"a":{"type":"null"}}}"##),
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}}"##
        );
    }

    #[test]
    fn formats_and_patterns_go_where_they_are_not_known() {
        let rules = Rules { keywords: &["format", "pattern"], formats: &["date"] };
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
