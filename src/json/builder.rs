//! Builds JSON text with members in a chosen order. [`Json`] sorts its members, but the order influences
//! language models.

use super::Json;
use super::write::write_string;
use std::fmt::{self, Write};

/// JSON text under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonBuilder {
    /// Finished JSON text.
    Text(String),
    /// An object whose members can still change.
    Object(Vec<(String, JsonBuilder)>),
}

impl JsonBuilder {
    /// An object with these members, in this order.
    pub fn object<const N: usize>(mut members: [(&str, Self); N]) -> Self {
        Self::object_of(&mut members)
    }

    /// A separate function, so that it is compiled once rather than for each number of members.
    fn object_of(members: &mut [(&str, Self)]) -> Self {
        let empty = || Self::Text(String::new());
        let owned =
            members.iter_mut().map(|(name, value)| (name.to_owned(), std::mem::replace(value, empty())));
        Self::Object(owned.collect())
    }

    /// An array.
    pub fn list(elements: impl Iterator<Item = Self>) -> Self {
        let mut text = String::from("[");
        for (index, element) in elements.enumerate() {
            text.push_str(if index == 0 { "" } else { "," });
            element.write(&mut text);
        }
        text.push(']');
        Self::Text(text)
    }

    /// Text that is already valid JSON.
    pub fn verbatim(json: impl fmt::Display) -> Self {
        Self::Text(json.to_string())
    }

    /// A number from 0 to 100, rounded to ten decimal places. Exact floating-point formatting would take more
    /// code than this whole module.
    pub fn score(value: f64) -> Self {
        let mut score = Self::from((value.clamp(0.0, 100.0) * 1e10).round() as u64);
        if let Self::Text(text) = &mut score {
            text.push_str("e-10");
        }
        score
    }

    /// Sets a member of an object. Any other value is replaced with an object first.
    pub fn set(&mut self, name: &str, value: Self) {
        match self {
            Self::Object(members) => match members.iter_mut().find(|(existing, _)| existing == name) {
                Some((_, existing)) => *existing = value,
                None => members.push((name.to_owned(), value)),
            },
            Self::Text(_) => *self = Self::object([(name, value)]),
        }
    }

    /// Merges `over` into this value: objects are merged member by member, anything else is replaced.
    pub fn merge(&mut self, over: &Json<'_>) {
        let (Self::Object(members), Json::Object(over)) = (&mut *self, over) else {
            *self = Self::Text(over.to_text());
            return;
        };
        for (name, value) in over.iter() {
            match members.iter_mut().find(|(existing, _)| existing == name) {
                Some((_, existing)) => existing.merge(value),
                None => members.push((name.to_owned(), Self::Text(value.to_text()))),
            }
        }
    }

    /// The JSON text.
    pub fn into_text(self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        let members = match self {
            Self::Text(value) => return text.push_str(value),
            Self::Object(members) => members,
        };
        text.push('{');
        for (index, (name, value)) in members.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { "," });
            write_string(name, text);
            text.push(':');
            value.write(text);
        }
        text.push('}');
    }
}

impl From<&str> for JsonBuilder {
    fn from(value: &str) -> Self {
        let mut text = String::with_capacity(value.len() + 2);
        write_string(value, &mut text);
        Self::Text(text)
    }
}

impl From<bool> for JsonBuilder {
    fn from(value: bool) -> Self {
        Self::Text(if value { "true" } else { "false" }.to_owned())
    }
}

impl From<u64> for JsonBuilder {
    fn from(value: u64) -> Self {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write!(text, "{value}");
        Self::Text(text)
    }
}

/// A JSON template with its placeholders filled in: each `?` with a string, each `#` with JSON text.
pub fn fill_template(template: &str, values: &[&str]) -> JsonBuilder {
    let mut json = String::new();
    let mut values = values.iter();
    for piece in template.split_inclusive(['?', '#']) {
        let value = values.next().copied().unwrap_or_default();
        if let Some(before) = piece.strip_suffix('?') {
            json.push_str(before);
            write_string(value, &mut json);
        } else if let Some(before) = piece.strip_suffix('#') {
            json.extend([before, value]);
        } else {
            json.push_str(piece);
        }
    }
    JsonBuilder::Text(json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn members_keep_their_order() {
        let mut builder =
            JsonBuilder::object([("b", "é\"\n".into()), ("a", JsonBuilder::object([("y", true.into())]))]);
        builder.set("0", JsonBuilder::list([1.into(), JsonBuilder::verbatim("[ ]")].into_iter()));
        builder.set("b", 2.into());
        assert_eq!(builder.clone().into_text(), r#"{"b":2,"a":{"y":true},"0":[1,[ ]]}"#);

        let over = parse(r#"{"z":2.50,"a":{"x":[1],"y":false},"0":{}}"#).unwrap();
        builder.merge(&over);
        assert_eq!(builder.into_text(), r#"{"b":2,"a":{"y":false,"x":[1]},"0":{},"z":2.50}"#);
        assert_eq!(JsonBuilder::from("é\"\n\u{1}").into_text(), r#""é\"\n\u0001""#);
    }
}
