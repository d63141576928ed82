//! Checks a value against a JSON schema: the keywords that schemas for models are made of.
//!
//! `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `minimum`, `maximum` and
//! `anyOf`. What else a schema says is left to the model.

use crate::json::{Json, Object};

/// The first thing about `value` that the schema does not allow, with its place.
pub fn validate(schema: &Json<'_>, value: &Json<'_>) -> Result<(), String> {
    check(schema, value).map_err(|Mismatch { path, what }| match path.strip_prefix('.').unwrap_or(&path) {
        "" => format!("the answer {what}"),
        path => format!("\"{path}\" {what}"),
    })
}

/// What the schema does not allow.
struct Mismatch {
    /// Where it stands, from the value that was checked: `.a[1].b`. It is put together on the way out, when it is known
    /// that somebody reads it: values can have millions of elements below a key of a million letters.
    path: String,
    what: String,
}

impl Mismatch {
    fn new(what: String) -> Self {
        Self { path: String::new(), what }
    }

    /// The same, seen from the value that holds this one as `step`, which is `.name` or `[index]`.
    fn within(self, step: &str) -> Self {
        Self { path: [step, &self.path].concat(), ..self }
    }
}

fn check(schema: &Json<'_>, value: &Json<'_>) -> Result<(), Mismatch> {
    let schema = match schema {
        Json::Object(schema) => schema,
        Json::Bool(false) => return Err(Mismatch::new("is not allowed".to_owned())),
        _ => return Ok(()),
    };
    let wrong = |wanted: &str| Err(Mismatch::new(format!("is {value}, but has to be {wanted}")));
    if let Some(types) = schema.get("type")
        && !one_or_more(types).any(|name| has_type(value, name))
    {
        let names: Vec<&str> = one_or_more(types).collect();
        return wrong(&format!("of type {}", names.join(" or ")));
    }
    if let Some(constant) = schema.get("const")
        && constant != value
    {
        return wrong(&constant.to_string());
    }
    if let Some(Json::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        return wrong(&format!("one of {}", Json::Array(allowed.clone())));
    }
    if let Json::Number(number) = value {
        if let Some(Json::Number(minimum)) = schema.get("minimum")
            && number < minimum
        {
            return wrong(&format!("at least {minimum}"));
        }
        if let Some(Json::Number(maximum)) = schema.get("maximum")
            && number > maximum
        {
            return wrong(&format!("at most {maximum}"));
        }
    }
    if let Some(members) = value.as_object() {
        check_members(schema, members)?;
    }
    if let (Some(items), Some(elements)) = (schema.get("items"), value.as_array()) {
        for (index, element) in elements.iter().enumerate() {
            check(items, element).map_err(|mismatch| mismatch.within(&format!("[{index}]")))?;
        }
    }
    if let Some(Json::Array(options)) = schema.get("anyOf") {
        let mut problems = options.iter().map(|option| check(option, value).err());
        let first = problems.next().flatten();
        if let Some(problem) = first
            && problems.all(|problem| problem.is_some())
        {
            return Err(problem);
        }
    }
    Ok(())
}

fn check_members(schema: &Object<'_>, members: &Object<'_>) -> Result<(), Mismatch> {
    let step = |name: &str| [".", name].concat();
    let required = schema.get("required").and_then(Json::as_array).unwrap_or_default();
    if let Some(missing) = required.iter().filter_map(Json::as_str).find(|name| members.get(name).is_none()) {
        return Err(Mismatch::new("is missing".to_owned()).within(&step(missing)));
    }
    let properties = schema.get("properties").and_then(Json::as_object);
    for (name, member) in members.iter() {
        let property = properties.and_then(|properties| properties.get(name));
        if let Some(schema) = property.or(schema.get("additionalProperties")) {
            check(schema, member).map_err(|mismatch| mismatch.within(&step(name)))?;
        }
    }
    Ok(())
}

/// The strings in a string or a list.
fn one_or_more<'j>(value: &'j Json<'_>) -> impl Iterator<Item = &'j str> {
    value.as_array().unwrap_or(std::slice::from_ref(value)).iter().filter_map(Json::as_str)
}

fn has_type(value: &Json<'_>, name: &str) -> bool {
    match name {
        "null" => *value == Json::Null,
        "boolean" => matches!(value, Json::Bool(_)),
        "number" => matches!(value, Json::Number(_)),
        "integer" => matches!(value, Json::Number(number) if number.is_whole()),
        "string" => value.as_str().is_some(),
        "array" => value.as_array().is_some(),
        "object" => value.as_object().is_some(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

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
            (r#"{"anyOf":[]}"#, "1", ""),
            (r#"{"type":"rare","pattern":"x","$ref":"y"}"#, "1", ""),
            ("true", "1", ""),
        ];
        for (schema, value, problem) in cases {
            let found = validate(&parse(schema).unwrap(), &parse(value).unwrap());
            assert_eq!(found.err().unwrap_or_default(), problem, "{schema} {value}");
        }
    }

    #[test]
    fn a_long_key_is_not_written_for_each_element_below_it() {
        let schema =
            parse(r#"{"additionalProperties":{"items":{"anyOf":[{"type":"string"},{"type":"number"}]}}}"#);
        let (key, elements) = ("k".repeat(100_000), "1,".repeat(100_000));
        let (fits, differs) =
            (format!("{{\"{key}\":[{elements}1]}}"), format!("{{\"{key}\":[{elements}null]}}"));
        let schema = schema.unwrap();
        assert_eq!(validate(&schema, &parse(&fits).unwrap()), Ok(()));
        let problem = validate(&schema, &parse(&differs).unwrap()).unwrap_err();
        assert_eq!(problem, format!("\"{key}[100000]\" is null, but has to be of type string"));
    }
}
