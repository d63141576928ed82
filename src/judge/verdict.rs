//! Extracts a verdict from a model's answer.
//!
//! Models wrap JSON in prose and code fences, and write numbers as strings. An unambiguous answer is
//! accepted; nothing is guessed.

mod claims;

use self::claims::{ScoreClaims, begins_literal, is_letter, last_word, takes_back};
use super::{Scored, Verdict};
use crate::json::{self, Json, JsonBuilder, Number, Prefix};
use crate::json_schema::{Misfit, Schema, TextRules};
use crate::text::split_once;

/// The allowed scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scale {
    /// `true` or `false`.
    Boolean,
    /// Any number from 0 to 1.
    Continuous,
    /// Only these numbers.
    Choices(Vec<Json<'static>>),
}

/// The format of a verdict.
#[derive(Debug)]
pub enum Form {
    /// `{ reasoning, score }`.
    Score { scale: Scale, reasoned: bool },
    /// A value of the caller's schema.
    Custom(Json<'static>),
    /// `{ text }` with the whole answer.
    Text,
}

/// Validates a value against the caller's schema.
type SchemaCheck<'c> = dyn Fn(&Json<'_>) -> Result<(), Misfit> + 'c;

impl Form {
    /// The verdict in an answer, or why it has none.
    pub fn read(&self, answer: &str, rules: &TextRules<'_>) -> Result<Verdict, Misfit> {
        let answer = without_thoughts(answer).trim();
        if let Self::Text = self {
            let verdict = JsonBuilder::object([("text", answer.into())]).into_text();
            return if answer.is_empty() { Err(EMPTY.into()) } else { Ok(Verdict::Custom(verdict)) };
        }
        let schema = match self {
            Self::Custom(schema) => Schema::read(schema).ok(),
            _ => None,
        };
        let check = |value: &Json<'_>| match &schema {
            Some((schema, _)) => schema.check(value, rules),
            None => Ok(()),
        };
        let Some(whole) = whole(answer) else { return self.find(answer, &check) };
        let verdict = self.fit(&whole, answer, &check);
        match (&verdict, &whole.value) {
            // A JSON string that contains JSON.
            (Err(_), Json::String(inner)) => match self::whole(inner.trim()) {
                Some(whole) => self.fit(&whole, inner, &check),
                None => verdict,
            },
            _ => verdict,
        }
    }

    /// The verdict in prose: all valid JSON and all claims in the prose have to agree. If the text breaks off
    /// after a verdict, the missing part may have corrected it.
    fn find(&self, answer: &str, check: &SchemaCheck<'_>) -> Result<Verdict, Misfit> {
        let mut verdict: Option<Verdict> = None;
        let mut reason = None;
        let mut claims = ScoreClaims::default();
        let (after, breaks_off) = each_embedded_json(answer, self.opening(), &mut |before, json, text| {
            claims.read(self, before);
            let is_denied =
                last_word(before).eq_ignore_ascii_case("not") && before.trim_end().ends_with(is_letter);
            match (self.fit(&json, text, check), &verdict) {
                (Ok(Verdict::Scored(_)), _) if is_denied => return Err(DIFFERENT),
                (Ok(new), Some(earlier)) if !new.agrees_with(earlier) => return Err(DIFFERENT),
                (Ok(new), _) => verdict = Some(new),
                (Err(_), Some(Verdict::Scored(_))) if has_score(&json.value) => return Err(DIFFERENT),
                (Err(problem), _) => {
                    claims.read_members(self, &json.value);
                    claims.read_wrapped(self, &json.value);
                    reason = Some(problem);
                }
            }
            Ok(())
        })?;
        claims.read(self, after);
        match verdict {
            Some(_) if breaks_off => Err(BREAKS_OFF.into()),
            Some(_) if claims.declines => Err(DECLINES.into()),
            Some(Verdict::Scored(Scored { reasoning: Some(text), .. })) if is_placeholder(&text) => {
                Err(PLACEHOLDER.into())
            }
            Some(Verdict::Scored(Scored { score, .. }))
                if !claims.agree_with(&score) || takes_back(after, &score) =>
            {
                Err(DIFFERENT.into())
            }
            Some(verdict) => Ok(verdict),
            None if answer.is_empty() => Err(EMPTY.into()),
            None if breaks_off => Err(reason.unwrap_or_else(|| BREAKS_OFF.into())),
            None => Err(reason.unwrap_or_else(|| "there is no JSON in it".into())),
        }
    }

    /// The verdict in a JSON value, whose source is `text`.
    fn fit(
        &self,
        Prefix { value, twice, .. }: &Prefix<'_>,
        text: &str,
        check: &SchemaCheck<'_>,
    ) -> Result<Verdict, Misfit> {
        match self {
            Self::Score { .. } if twice.iter().any(|key| key == "score") => Err(DIFFERENT.into()),
            Self::Score { scale, reasoned } => {
                let (score, reasoning) = match value {
                    Json::Object(members) => {
                        let score = members.get("score").ok_or("\"score\" is missing")?;
                        (score, members.get("reasoning").and_then(Json::as_str))
                    }
                    bare => (bare, None),
                };
                let reasoning = reasoning.filter(|_| *reasoned).map(str::to_owned);
                let score = scale.read(score)?;
                let mut claims = ScoreClaims::default();
                claims.read_members(self, value);
                if !claims.agree_with(&score) {
                    return Err(DIFFERENT.into());
                }
                Ok(Verdict::Scored(Scored { score, reasoning }))
            }
            Self::Custom(_) => {
                check(value)?;
                if let Some(key) = twice.first() {
                    let key = Json::String(key.clone());
                    return Err(format!("{key} appears twice, with different values").into());
                }
                if let Some(number) = json::changed_number(text) {
                    return Err(format!("it has {number}, which JavaScript cannot represent").into());
                }
                Ok(Verdict::Custom(text.to_owned()))
            }
            Self::Text => Ok(Verdict::Custom(text.to_owned())),
        }
    }

    /// The first character of the verdict's JSON.
    fn opening(&self) -> char {
        let is_list = |schema: &Json<'_>| {
            schema.as_object().and_then(|schema| schema.get("type")).and_then(Json::as_str) == Some("array")
        };
        match self {
            Self::Custom(schema) if is_list(schema) => '[',
            _ => '{',
        }
    }
}

impl Verdict {
    /// `{ score, reasoning }`, or the value of the caller's schema.
    pub fn into_json(self) -> JsonBuilder {
        match self {
            Self::Custom(json) => JsonBuilder::Text(json),
            Self::Scored(Scored { score, reasoning }) => {
                let mut verdict = JsonBuilder::object([("score", JsonBuilder::Text(score))]);
                if let Some(reasoning) = reasoning {
                    verdict.set("reasoning", reasoning.as_str().into());
                }
                verdict
            }
        }
    }

    fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scored(one), Self::Scored(other)) => one.score == other.score,
            _ => self == other,
        }
    }
}

impl Scale {
    fn read(&self, score: &Json<'_>) -> Result<String, String> {
        let text = score.as_str().map(|text| text.trim().to_ascii_lowercase());
        let parsed = text.as_deref().and_then(|text| json::parse(text).ok());
        let value = parsed.as_ref().unwrap_or(score);
        let read = match (self, value) {
            (Self::Boolean, Json::Bool(_)) => Some(value.to_text()),
            (Self::Boolean, Json::Number(Number::Integer(0))) => Some("false".to_owned()),
            (Self::Boolean, Json::Number(Number::Integer(1))) => Some("true".to_owned()),
            (Self::Continuous, Json::Number(number)) => {
                let in_range = (Number::Integer(0)..=Number::Integer(1)).contains(number);
                in_range.then(|| value.to_text())
            }
            (Self::Choices(choices), _) => choices.contains(value).then(|| value.to_text()),
            _ => None,
        };
        read.ok_or_else(|| format!("\"score\" is {score}, but has to be {self}"))
    }
}

impl std::fmt::Display for Scale {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Boolean => formatter.write_str("true or false"),
            Self::Continuous => formatter.write_str("a number from 0 to 1"),
            Self::Choices(choices) => {
                let choices: Vec<String> = choices.iter().map(Json::to_text).collect();
                write!(formatter, "one of {}", choices.join(", "))
            }
        }
    }
}

/// Whether a text stands for a reasoning in a description of the format, such as `...` or `<string>`.
fn is_placeholder(text: &str) -> bool {
    matches!(text.trim().as_bytes(), [] | b"..." | b"\xe2\x80\xa6" | b"string" | [b'<', .., b'>'])
}

fn has_score(value: &Json<'_>) -> bool {
    value.as_object().is_some_and(|members| members.get("score").is_some())
}

const EMPTY: &str = "it is empty";
const BREAKS_OFF: &str = "the JSON in it is incomplete";
const DECLINES: &str = "the text around its JSON declines to judge";
const PLACEHOLDER: &str = "its reasoning is a placeholder";
const DIFFERENT: &str = "it contains more than one verdict, and they differ";

/// A text that is JSON as a whole.
fn whole(text: &str) -> Option<Prefix<'_>> {
    json::parse_prefix(text).ok().filter(|json| json.end == text.len())
}

/// Removes a model's reasoning, which some servers prepend to the answer, sometimes without the opening tag.
fn without_thoughts(answer: &str) -> &str {
    let is_opened = answer.trim_start().starts_with("<think>");
    // In JSON, the closing tag is part of a string.
    if !is_opened && json::parse(answer).is_ok() {
        return answer;
    }
    let after_tag = |text| split_once(text, "</think>").map(|(_, after)| after);
    let ends = std::iter::successors(after_tag(answer), |rest| after_tag(rest));
    ends.last().unwrap_or(if is_opened { "" } else { answer })
}

/// Passes each JSON value in prose that begins with `opening` to a callback, with the text before it and its
/// source. Returns the text after the last value, and whether that breaks off.
fn each_embedded_json<'t>(
    text: &'t str,
    opening: char,
    each: &mut dyn FnMut(&str, Prefix<'_>, &str) -> Result<(), &'static str>,
) -> Result<(&'t str, bool), &'static str> {
    let between = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let from = |start| between(start, text.len());
    // The end of the last value, and the position from which to search for the next one.
    let (mut last_end, mut position) = (0, 0);
    while let Some(distance) = from(position).find(opening) {
        let start = position + distance;
        match json::parse_prefix(from(start)) {
            Ok(json) => {
                let end = start + json.end;
                each(between(last_end, start), json, between(start, end))?;
                (last_end, position) = (end, end);
            }
            Err(length) if text.get(start + length..).is_some_and(begins_literal) => {
                return Ok((from(last_end), true));
            }
            // Continue where reading stopped; continuing one character after the start would take quadratic
            // time.
            Err(length) => {
                let mut next = start + length.max(1)..text.len();
                position = next.find(|next| text.is_char_boundary(*next)).unwrap_or(text.len());
            }
        }
    }
    Ok((from(last_end), false))
}

#[cfg(test)]
mod tests;
