//! The JSON schema that a judge's answer has to fit.

use super::verdict::Scale;
use crate::chat::OutputSchema;
use crate::error::{Error, Result};
use crate::json::{self, Json, JsonBuilder};
use crate::json_schema::{Schema, TextRule};
use serde::Deserialize;

const REASONING: &str = "The reasons for the score: weigh the evidence for and against each criterion of the prompt, then state the score that follows.";
const BOOLEAN: &str = "true if the criteria of the prompt are met, otherwise false.";
const CONTINUOUS: &str =
    "How fully the criteria of the prompt are met, from 0 (not at all) to 1 (completely); 0.5 means halfway.";
const CHOICES: &str = "How fully the criteria of the prompt are met: the allowed number that fits best.";

/// A schema passed by the caller.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CustomSchema {
    /// The name of the schema.
    pub name: Option<String>,
    /// Whether to use OpenAI's strict mode. The default is to use it if the schema meets its rules.
    pub strict: Option<bool>,
    /// The schema as JSON text.
    pub schema: String,
    /// The schema that answers have to fit, as JSON text, if it accepts more than models are asked for.
    #[serde(skip)]
    pub accepted: Option<String>,
}

impl CustomSchema {
    /// A schema that answers have to fit.
    pub fn new(name: &str, schema: String) -> Self {
        Self { name: Some(name.to_owned()), strict: None, schema, accepted: None }
    }
}

/// The schema of a verdict with a score. The reasoning comes first, so that the model thinks before it
/// decides.
pub fn of_score(scale: &Scale, reasoned: bool) -> OutputSchema {
    let described = |kind: &str, description: &str| {
        JsonBuilder::object([("type", kind.into()), ("description", description.into())])
    };
    let score = match scale {
        Scale::Boolean => described("boolean", BOOLEAN),
        Scale::Continuous => described("number", CONTINUOUS),
        Scale::Choices(choices) => {
            let mut score = described("number", CHOICES);
            score.set("enum", JsonBuilder::list(choices.iter().map(JsonBuilder::verbatim)));
            score
        }
    };
    let reasoning = ("reasoning", described("string", REASONING));
    let (properties, required) = if reasoned {
        (
            JsonBuilder::object([reasoning, ("score", score)]),
            JsonBuilder::verbatim(r#"["reasoning","score"]"#),
        )
    } else {
        (JsonBuilder::object([("score", score)]), JsonBuilder::verbatim(r#"["score"]"#))
    };
    let schema = JsonBuilder::object([
        ("type", "object".into()),
        ("properties", properties),
        ("required", required),
        ("additionalProperties", false.into()),
    ]);
    OutputSchema { name: "score".to_owned(), schema: schema.into_text(), strict: true }
}

/// A schema passed by the caller: as sent to models, as used for validation, and its patterns and formats.
pub fn custom(custom: CustomSchema) -> Result<(OutputSchema, Json<'static>, Vec<TextRule>)> {
    let CustomSchema { name, strict, schema, accepted } = custom;
    let read = json::parse(&schema).map_err(|error| Error::invalid_config(error.message.as_str()))?;
    if read.as_object().is_none() {
        return Err(Error::invalid_config(format!("a schema is an object, not {}", read.type_name())));
    }
    let (_, rules) = Schema::read(&read)?;
    let read = read.into_owned();
    let closed = closed(&schema, &read);
    let is_strict = json::parse(&closed).is_ok_and(|closed| keeps_strict_rules(&closed));
    let schema = OutputSchema {
        name: as_name(name.as_deref().unwrap_or_default()),
        strict: strict.unwrap_or(is_strict),
        schema: if is_strict { closed } else { schema },
    };
    let read = match &accepted {
        Some(accepted) => json::parse(accepted)?.into_owned(),
        None => read,
    };
    Ok((schema, read, rules))
}

/// The schema with `additionalProperties: false` at its top level, unless it sets the keyword. Strict mode
/// requires it, and most authors mean it.
fn closed(schema: &str, read: &Json<'_>) -> String {
    let is_open = read.as_object().is_some_and(|members| members.get("additionalProperties").is_none());
    match schema.trim_end().strip_suffix('}') {
        Some(start) if is_open => format!("{start},\"additionalProperties\":false}}"),
        _ => schema.to_owned(),
    }
}

/// Whether OpenAI's strict mode accepts the schema: every object is closed, every property is required, and
/// every keyword is supported.
fn keeps_strict_rules(schema: &Json<'_>) -> bool {
    let Some(schema) = schema.as_object() else { return false };
    let properties = schema.get("properties").and_then(Json::as_object);
    let required = schema.get("required").and_then(Json::as_array).unwrap_or_default();
    let is_required = |name: &str| required.iter().any(|entry| entry.as_str() == Some(name));
    let is_object = properties.is_some() || schema.get("type").and_then(Json::as_str) == Some("object");
    let is_closed = schema.get("additionalProperties") == Some(&Json::Bool(false))
        && properties.is_none_or(|properties| properties.iter().all(|(name, _)| is_required(name)));
    let children_do = |(keyword, value): (&str, &Json<'_>)| match (keyword, value) {
        ("properties" | "$defs", Json::Object(members)) => {
            members.iter().all(|(_, child)| keeps_strict_rules(child))
        }
        ("anyOf", Json::Array(children)) => children.iter().all(keeps_strict_rules),
        ("items", child) => keeps_strict_rules(child),
        _ => STRICT_KEYWORDS.contains(&keyword),
    };
    // A schema that allows any value has no type.
    let says_kind =
        ["$ref", "anyOf", "const", "enum", "type"].iter().any(|keyword| schema.get(keyword).is_some());
    says_kind && (!is_object || is_closed) && schema.iter().all(children_do)
}

#[rustfmt::skip]
const STRICT_KEYWORDS: &[&str] = &[
    "$ref", "$schema", "additionalProperties", "const", "description", "enum", "exclusiveMaximum",
    "exclusiveMinimum", "format", "maxItems", "maximum", "minItems", "minimum", "multipleOf", "pattern",
    "required", "title", "type",
];

/// Converts a name to the characters and length that OpenAI allows. The default is OpenEvals' name.
fn as_name(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().map(allowed).take(64).collect();
    if name.is_empty() { "score".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: Option<&str>, strict: Option<bool>, schema: &str) -> Result<OutputSchema> {
        let name = name.map(str::to_owned);
        let schema = CustomSchema { name, strict, schema: schema.to_owned(), accepted: None };
        custom(schema).map(|(schema, ..)| schema)
    }

    fn member<'v>(value: &Json<'v>, name: &str) -> Option<Json<'v>> {
        value.as_object().unwrap().get(name).cloned()
    }

    #[test]
    fn a_score_is_asked_for_in_strict_form() {
        let choices = ["0", "0.5"].map(|text| json::parse(text).unwrap());
        let cases = [
            (Scale::Boolean, "\"boolean\"", None),
            (Scale::Continuous, "\"number\"", None),
            (Scale::Choices(choices.to_vec()), "\"number\"", Some("[0,0.5]")),
        ];
        for (scale, score_type, choices) in cases {
            let OutputSchema { schema, strict, .. } = of_score(&scale, true);
            let value = json::parse(&schema).unwrap();
            assert!(strict && keeps_strict_rules(&value));
            let score = member(&member(&value, "properties").unwrap(), "score").unwrap();
            assert_eq!(member(&score, "type").unwrap().to_text(), score_type);
            assert_eq!(member(&score, "enum").map(|list| list.to_text()).as_deref(), choices);
            assert_eq!(member(&value, "required").unwrap().to_text(), r#"["reasoning","score"]"#);
            assert!(schema.find("\"reasoning\"") < schema.find("\"score\""), "reasoning comes first");
        }
        let bare = of_score(&Scale::Boolean, false).schema;
        assert!(bare.contains(r#""required":["score"]"#) && !bare.contains("reasoning"));
    }

    #[test]
    fn a_custom_schema_keeps_its_order_and_is_closed() {
        let text = r#"{"type":"object","properties":{"b":{"type":"string"},"a":{"anyOf":[{"type":"null"}]}},"required":["a","b"]"#;
        let schema = read(None, None, &format!("{text}}}")).unwrap();
        assert_eq!(schema.schema, format!("{text},\"additionalProperties\":false}}"));
        assert_eq!((schema.name.as_str(), schema.strict), ("score", true));
    }

    #[test]
    fn sends_a_schema_that_strict_mode_rejects_unchanged() {
        let cases = [
            r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
            r#"{"type":"object","properties":{"a":{"type":"string","default":""}},"required":["a"]}"#,
            r#"{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}"#,
            r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}},"required":["a"]}"#,
            r#"{"type":"object","additionalProperties":true}"#,
        ];
        for case in cases {
            let schema = read(None, None, case).unwrap();
            assert_eq!((schema.strict, schema.schema.as_str()), (false, case));
        }
    }

    #[test]
    fn name_and_strictness_may_be_given() {
        let open = r#"{"type":"object","properties":{"a":{}}}"#;
        let schema = read(Some("My review!"), Some(true), open).unwrap();
        assert_eq!((schema.name.as_str(), schema.strict, schema.schema.as_str()), ("My_review_", true, open));
        assert!(!read(None, Some(false), r#"{"type":"object"}"#).unwrap().strict);
    }

    #[test]
    fn rejects_values_that_are_not_schemas() {
        let message = |text: &str| read(None, None, text).unwrap_err().message.clone();
        assert_eq!(message("[]"), "a schema is an object, not a list");
        assert!(message("{").starts_with("not JSON"));
        let deep = format!("{}{{}}{}", "{\"items\":".repeat(101), "}".repeat(101));
        assert_eq!(message(&deep), "it nests deeper than 100 levels");
    }
}
