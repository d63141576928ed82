//! Extracts a verdict from a model's answer.
//!
//! Models wrap JSON in code fences and tags, and write numbers as strings. An unambiguous answer is
//! accepted; nothing is guessed. Words beside the JSON may decline to judge, take it back, or say that it is
//! an example, so such an answer is not a verdict.

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
        // Some servers begin an answer with a byte order mark.
        let answer = without_thoughts(answer.trim_start_matches('\u{feff}')).trim();
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

    /// The verdict in an answer with more than JSON.
    fn find(&self, answer: &str, check: &SchemaCheck<'_>) -> Result<Verdict, Misfit> {
        let start = answer.find(self.opening()).unwrap_or(answer.len());
        let (before, rest) = answer.split_at_checked(start).unwrap_or_default();
        let has_words_before = has_words(without_language(before));
        let json = match json::parse_prefix(rest) {
            Ok(json) => json,
            Err(_) if answer.is_empty() => return Err(EMPTY.into()),
            Err(_) if rest.is_empty() => return Err(NO_JSON.into()),
            Err(length) if rest.get(length..).is_some_and(begins_literal) => return Err(BREAKS_OFF.into()),
            Err(_) => return Err(if has_words_before { BESIDE } else { NO_JSON }.into()),
        };
        let (text, after) = rest.split_at_checked(json.end).unwrap_or_default();
        match self.fit(&json, text, check)? {
            _ if has_words_before || has_words(after) => Err(BESIDE.into()),
            Verdict::Scored(Scored { reasoning: Some(text), .. }) if is_placeholder(&text) => {
                Err(PLACEHOLDER.into())
            }
            verdict => Ok(verdict),
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
                if scale.contradicts(value, &score) {
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

    /// Whether a verdict has another score under a similar name, as in `{"score": true, "final_score": false}`.
    fn contradicts(&self, verdict: &Json<'_>, score: &str) -> bool {
        let Json::Object(members) = verdict else { return false };
        members.iter().filter(|(key, _)| *key != "score" && names_score(key)).any(|(_, value)| {
            let other = value.as_object().map_or(Some(value), |members| members.get("score"));
            other.and_then(|other| self.read(other).ok()).is_some_and(|other| !same(&other, score))
        })
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

/// Whether two JSON texts have the same value, as `0.5` and `0.50` do.
fn same(one: &str, other: &str) -> bool {
    json::parse(one).ok() == json::parse(other).ok()
}

/// Whether a key is a variant of `score`, such as `Score`, `final score` or `finalVerdict`.
fn names_score(key: &str) -> bool {
    let is_final =
        |text: &str| ["final", "overall", "corrected", "revised"].iter().any(|word| text.ends_with(word));
    let key = key.to_ascii_lowercase();
    let before = ["score", "verdict"].iter().find_map(|name| key.strip_suffix(name));
    before.map_or_else(
        || is_final(&key),
        |before| before.is_empty() || is_final(before.trim_end_matches([' ', '_', '-'])),
    )
}

/// A text without the start of a code fence at its end, such as "```json".
fn without_language(text: &str) -> &str {
    let is_word = |language: &str| language.trim().bytes().all(|byte| byte.is_ascii_alphanumeric());
    let before =
        |fence| split_once(text, fence).filter(|(_, language)| is_word(language)).map(|(before, _)| before);
    before("```").or_else(|| before("~~~")).unwrap_or(text)
}

/// Whether a text has letters or digits, apart from those in tags such as `<answer>` and `<|end|>`.
fn has_words(text: &str) -> bool {
    let is_letter = |char: char| char.is_ascii_alphanumeric() || !char.is_ascii();
    let (start, tags) = text.split_once('<').unwrap_or((text, ""));
    start.contains(is_letter)
        || tags.split('<').any(|tag| {
            let is_tag = |(name, _): &(&str, &str)| !name.contains(char::is_whitespace);
            tag.split_once('>').filter(is_tag).map_or(tag, |(_, after)| after).contains(is_letter)
        })
}

/// Whether a text is empty or begins a JSON literal.
fn begins_literal(text: &str) -> bool {
    ["true", "false", "null"].iter().any(|literal| literal.starts_with(text))
}

const EMPTY: &str = "it is empty";
const NO_JSON: &str = "there is no JSON in it";
const BREAKS_OFF: &str = "the JSON in it is incomplete";
const BESIDE: &str = "there is text beside its JSON";
const PLACEHOLDER: &str = "its reasoning is a placeholder";
const DIFFERENT: &str = "it contains more than one verdict, and they differ";

/// A text that is JSON as a whole.
fn whole(text: &str) -> Option<Prefix<'_>> {
    json::parse_prefix(text).ok().filter(|json| json.end == text.len())
}

/// Removes a model's reasoning, which some servers prepend to the answer, sometimes without the opening tag.
fn without_thoughts(answer: &str) -> &str {
    let lower = answer.to_ascii_lowercase();
    let is_opened = lower.trim_start().starts_with("<think>");
    // In JSON, the closing tag is part of a string.
    if !is_opened && json::parse(answer).is_ok() {
        return answer;
    }
    let after_tag = |text| split_once(text, "</think>").map(|(_, after)| after);
    let ends = std::iter::successors(after_tag(lower.as_str()), |rest| after_tag(rest));
    let length = ends.last().map_or(if is_opened { 0 } else { answer.len() }, str::len);
    answer.get(answer.len().saturating_sub(length)..).unwrap_or_default()
}

#[cfg(test)]
mod tests;
