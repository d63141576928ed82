//! The keywords of JSON Schema, and their valid values.

use crate::json::{Json, Number};
use crate::text;

/// The type of a keyword's value.
#[derive(Clone, Copy)]
pub enum Keyword {
    /// A schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// An object of schemas.
    Members,
    /// A URI reference to a schema.
    Reference,
    /// A rule for strings that the caller checks: a pattern or a format.
    Rule(&'static str),
    /// The URI of a draft (`$schema`).
    Draft,
    /// A string.
    Text,
    /// The name of a type, or a list of names.
    Type,
    /// A list.
    List,
    /// A list of strings.
    Names,
    /// An object whose values are lists of strings.
    NamesByMember,
    /// A number.
    Number,
    /// A number above 0 with few enough digits for exact division.
    Unit,
    /// A non-negative integer.
    Count,
    /// `true` or `false`.
    Flag,
    /// A keyword that is not supported, with a hint.
    Refused(&'static str),
}

/// Looks up a keyword.
pub fn find(name: &str) -> Option<Keyword> {
    KEYWORDS.iter().find(|(names, _)| names.contains(&name)).map(|(_, keyword)| *keyword)
}

#[rustfmt::skip]
const KEYWORDS: &[(&[&str], Keyword)] = &[
    (&["additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
        "unevaluatedItems", "unevaluatedProperties"], Keyword::Schema),
    (&["allOf", "anyOf", "oneOf", "prefixItems"], Keyword::Schemas),
    // `$defs` has replaced `definitions`, which is still in use.
    (&["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"], Keyword::Members),
    (&["$ref", "$dynamicRef"], Keyword::Reference),
    (&["$schema"], Keyword::Draft),
    (&["pattern"], Keyword::Rule("pattern")),
    (&["format"], Keyword::Rule("format")),
    (&["$id", "$anchor", "$dynamicAnchor"], Keyword::Text),
    (&["type"], Keyword::Type),
    (&["enum"], Keyword::List),
    (&["required"], Keyword::Names),
    (&["dependentRequired"], Keyword::NamesByMember),
    (&["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"], Keyword::Number),
    (&["multipleOf"], Keyword::Unit),
    (&["maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength",
        "minProperties"], Keyword::Count),
    (&["uniqueItems"], Keyword::Flag),
    (&["dependencies"], Keyword::Refused("use dependentRequired or dependentSchemas")),
    (&["additionalItems"], Keyword::Refused("use items, and prefixItems for the items before them")),
    (&["$recursiveRef", "$recursiveAnchor"], Keyword::Refused("use $dynamicRef and $dynamicAnchor")),
];

/// The names of types.
const TYPES: &[&str] = &["array", "boolean", "integer", "null", "number", "object", "string"];

impl Keyword {
    /// A description of the valid values, if `value` is not one of them.
    pub fn problem(self, value: &Json<'_>) -> Option<&'static str> {
        let is_text = |value: &Json<'_>| value.as_str().is_some();
        let are_texts = |value: &Json<'_>| value.as_array().is_some_and(|texts| texts.iter().all(is_text));
        let is_type = |value: &Json<'_>| value.as_str().is_some_and(|name| TYPES.contains(&name));
        let (fits, wanted) = match (self, value) {
            (Self::Schemas, Json::Array(schemas)) => (!schemas.is_empty(), "a list of at least one schema"),
            (Self::Schemas, _) => (false, "a list of schemas"),
            (Self::Members, value) => (value.as_object().is_some(), "an object of schemas"),
            (Self::Schema, Json::Array(_)) => (false, "a schema; use prefixItems for one for each item"),
            (Self::Type, Json::Array(types)) => (types.iter().all(is_type), "a list of types"),
            (Self::Type, value) => (is_type(value), "a type, such as \"string\""),
            (Self::List, value) => (value.as_array().is_some(), "a list"),
            (Self::Names, value) => (are_texts(value), "a list of names"),
            (Self::NamesByMember, value) => {
                let members = value.as_object();
                let fits = members.is_some_and(|members| members.iter().all(|(_, names)| are_texts(names)));
                (fits, "an object of lists of names")
            }
            (Self::Number, value) => (matches!(value, Json::Number(_)), "a number"),
            (Self::Unit, Json::Number(number)) => (number.is_unit(), "a number above 0 of up to 9 digits"),
            (Self::Unit, _) => (false, "a number above 0"),
            (Self::Count, Json::Number(number)) => {
                (number.is_whole() && *number >= Number::Integer(0), "a whole number from 0")
            }
            (Self::Count, _) => (false, "a whole number from 0"),
            (Self::Flag, value) => (matches!(value, Json::Bool(_)), "true or false"),
            (Self::Draft, value) => {
                let drafts =
                    value.as_str().and_then(|address| text::split_once(address, "://json-schema.org/"));
                (drafts.is_some(), "a draft of json-schema.org; others may define keywords differently")
            }
            (Self::Text | Self::Reference | Self::Rule(_), value) => (is_text(value), "a text"),
            (Self::Schema | Self::Refused(_), _) => return None,
        };
        (!fits).then_some(wanted)
    }
}
