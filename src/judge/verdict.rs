//! Reading a verdict out of what a model answered.
//!
//! Models wrap JSON in prose and code fences, and write numbers as text. Where only one thing can be meant, it is
//! read; where it takes a guess, it is not.

use super::validate::validate;
use super::{Scored, Verdict};
use crate::json::{self, Draft, Json, Number};
use crate::text::split_once;

/// Which scores there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scale {
    /// True or false.
    Boolean,
    /// Any number from 0 to 1.
    Continuous,
    /// These numbers.
    Choices(Vec<Json<'static>>),
}

/// What a verdict looks like.
#[derive(Debug)]
pub enum Form {
    /// `{ reasoning, score }`.
    Score { scale: Scale, reasoned: bool },
    /// Whatever fits the schema.
    Custom(Json<'static>),
    /// `{ text }`, whatever the answer says.
    Text,
}

impl Form {
    /// The verdict in an answer, or what keeps it from being one.
    pub fn read(&self, answer: &str) -> Result<Verdict, String> {
        let answer = without_thoughts(answer).trim();
        if let Self::Text = self {
            let verdict = Draft::object([("text", answer.into())]).into_text();
            return if answer.is_empty() { Err(EMPTY.to_owned()) } else { Ok(Verdict::Custom(verdict)) };
        }
        let Ok(value) = json::parse(answer) else { return self.find(answer) };
        let verdict = self.fit(&value, answer);
        match (&verdict, &value) {
            // JSON as text within JSON.
            (Err(_), Json::String(inner)) => match json::parse(inner) {
                Ok(value) => self.fit(&value, inner),
                Err(_) => verdict,
            },
            _ => verdict,
        }
    }

    /// The verdict in prose: all JSON in it that fits has to agree.
    fn find(&self, answer: &str) -> Result<Verdict, String> {
        let mut verdict: Option<Verdict> = None;
        let mut reason = None;
        let nothing_found = each_embedded_json(answer, self.opening(), &mut |value, text| {
            match (self.fit(&value, text), &verdict) {
                (Ok(new), Some(earlier)) if !new.agrees_with(earlier) => {
                    return Err("it holds more than one verdict, and they differ");
                }
                (Ok(new), _) => verdict = Some(new),
                (Err(problem), _) => reason = Some(problem),
            }
            Ok(())
        })?;
        verdict.ok_or_else(|| reason.unwrap_or_else(|| nothing_found.to_owned()))
    }

    /// The verdict that this JSON is, which reads `text`.
    fn fit(&self, value: &Json<'_>, text: &str) -> Result<Verdict, String> {
        match self {
            Self::Score { scale, reasoned } => {
                let (score, reasoning) = match value {
                    Json::Object(members) => {
                        let score = members.get("score").ok_or("\"score\" is missing")?;
                        (score, members.get("reasoning").and_then(Json::as_str))
                    }
                    bare => (bare, None),
                };
                let reasoning = reasoning.filter(|_| *reasoned).map(str::to_owned);
                Ok(Verdict::Scored(Scored { score: scale.read(score)?, reasoning }))
            }
            Self::Custom(schema) => {
                validate(schema, value)?;
                Ok(Verdict::Custom(text.to_owned()))
            }
            Self::Text => Ok(Verdict::Custom(text.to_owned())),
        }
    }

    /// How the JSON of a verdict begins.
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
    /// `{ score, reasoning }`, or the caller's own JSON.
    pub fn into_json(self) -> Draft {
        match self {
            Self::Custom(json) => Draft::Text(json),
            Self::Scored(Scored { score, reasoning }) => {
                let mut verdict = Draft::object([("score", Draft::Text(score))]);
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

const EMPTY: &str = "it is empty";

/// Some servers leave a model's thoughts in front of its answer.
fn without_thoughts(answer: &str) -> &str {
    match answer.trim_start().strip_prefix("<think>") {
        Some(mut rest) => {
            let mut answer = "";
            while let Some((_, behind)) = split_once(rest, "</think>") {
                (answer, rest) = (behind, behind);
            }
            answer
        }
        None => answer,
    }
}

/// Hands out the JSON in prose that begins with `opening`, as values and texts. Returns what to say if none is a verdict.
fn each_embedded_json(
    text: &str,
    opening: char,
    each: &mut dyn FnMut(Json<'_>, &str) -> Result<(), &'static str>,
) -> Result<&'static str, &'static str> {
    let mut rest = text;
    while let Some((_, from)) = rest.find(opening).and_then(|at| rest.split_at_checked(at)) {
        let end = match json::parse_prefix(from) {
            Ok((value, end)) => {
                each(value, from.get(..end).unwrap_or(from))?;
                end
            }
            Err(end) if end == from.len() => return Ok("the JSON in it breaks off"),
            // Going on where reading stopped, not one further than the start, keeps this linear.
            Err(end) => end.max(1),
        };
        rest = (end..).find_map(|end| from.get(end..)).unwrap_or_default();
    }
    Ok(if text.is_empty() { EMPTY } else { "there is no JSON in it" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn choices() -> Vec<Json<'static>> {
        ["0", "0.5"].map(|text| json::parse(text).unwrap()).to_vec()
    }

    fn score(scale: Scale) -> Form {
        Form::Score { scale, reasoned: true }
    }

    fn read(form: &Form, answer: &str) -> Result<String, String> {
        form.read(answer).map(|verdict| verdict.into_json().into_text())
    }

    #[test]
    fn what_can_only_mean_one_thing_is_read() {
        const YES: &str = r#"{"score":true,"reasoning":"Ok"}"#;
        let cases = [
            r#"{"reasoning": "Ok", "score": true}"#,
            " \n{\"reasoning\":\"Ok\",\"score\":true}\n",
            r#"{"reasoning": "Ok", "score": "True"}"#,
            r#"{"reasoning": "Ok", "score": 1}"#,
            r#"{"reasoning": "Ok", "score": true, "confidence": 0.9}"#,
            r#"Here: {"reasoning": "Ok", "score": true} I hope {this} helps!"#,
            "```json\n{\"reasoning\": \"Ok\", \"score\": true}\n```",
            r#"The set {1, 2} — {é} — is fine. {"reasoning": "Ok", "score": true} And {3} too."#,
            r#"{note: {"reasoning": "Ok", "score": true}}"#,
            r#"{"reasoning": "Ok", "score": true} or, again, {"reasoning": "Ok", "score": 1}"#,
            r#""{\"reasoning\": \"Ok\", \"score\": true}""#,
            r#"<think>Is it {"score": false}? No.</think>{"reasoning": "Ok", "score": true}"#,
        ];
        for answer in cases {
            assert_eq!(read(&score(Scale::Boolean), answer).as_deref(), Ok(YES), "{answer}");
        }
        assert_eq!(read(&score(Scale::Boolean), "false").as_deref(), Ok(r#"{"score":false}"#));
        assert_eq!(read(&score(Scale::Boolean), r#"{"score":0}"#).as_deref(), Ok(r#"{"score":false}"#));
        let numbers = [Scale::Continuous, Scale::Choices(choices())];
        for form in numbers.map(score) {
            for number in ["0.5", "0.50", "5e-1"] {
                let verdict = Ok(format!("{{\"score\":{number}}}"));
                assert_eq!(read(&form, &format!("{{\"score\":{number}}}")), verdict);
                assert_eq!(read(&form, &format!("{{\"score\":\" {number} \"}}")), verdict);
            }
        }
    }

    #[test]
    fn the_rest_is_a_problem_that_can_be_told() {
        let boolean = score(Scale::Boolean);
        let cases = [
            (&boolean, "", "it is empty"),
            (&boolean, " \n", "it is empty"),
            (&boolean, "Yes.", "there is no JSON in it"),
            (&boolean, r#"{"reasoning": "Ok"}"#, "\"score\" is missing"),
            (&boolean, r#"{"score": null}"#, "\"score\" is null, but has to be true or false"),
            (&boolean, r#"{"score": "mostly"}"#, "\"score\" is \"mostly\", but has to be true or false"),
            (&boolean, r#"{"score": 0.5}"#, "\"score\" is 0.5, but has to be true or false"),
            (&boolean, "[true]", "\"score\" is [true], but has to be true or false"),
            (&boolean, r#"So: {"reasoning": "Ok, {but"#, "the JSON in it breaks off"),
            (
                &boolean,
                r#"{"score": true}, or {"score": false}?"#,
                "it holds more than one verdict, and they differ",
            ),
            (
                &score(Scale::Continuous),
                r#"{"score": 85}"#,
                "\"score\" is 85, but has to be a number from 0 to 1",
            ),
            (
                &score(Scale::Continuous),
                r#"{"score": true}"#,
                "\"score\" is true, but has to be a number from 0 to 1",
            ),
            (
                &score(Scale::Choices(choices())),
                r#"{"score": 0.3}"#,
                "\"score\" is 0.3, but has to be one of 0, 0.5",
            ),
        ];
        for (form, answer, problem) in cases {
            assert_eq!(read(form, answer), Err(problem.to_owned()), "{answer}");
        }
    }

    #[test]
    fn reasoning_is_kept_if_it_is_there_and_wanted() {
        let with = |reasoned, answer| read(&Form::Score { scale: Scale::Boolean, reasoned }, answer).unwrap();
        assert_eq!(with(true, r#"{"score":true,"reasoning":""}"#), r#"{"score":true,"reasoning":""}"#);
        assert_eq!(with(true, r#"{"score":true,"reasoning":["a"]}"#), r#"{"score":true}"#);
        assert_eq!(with(false, r#"{"score":true,"reasoning":"a"}"#), r#"{"score":true}"#);
        assert_eq!(
            with(true, r#"{"score":true,"reasoning":"cut \ud83d"}"#),
            r#"{"score":true,"reasoning":"cut \ud83d"}"#
        );
    }

    #[test]
    fn a_schema_of_ones_own_is_checked_and_the_text_kept() {
        let schema = r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}"#;
        let form = Form::Custom(json::parse(schema).unwrap());
        assert_eq!(read(&form, "Well: {\"n\": 1.0, \"a\": 0}.").as_deref(), Ok("{\"n\": 1.0, \"a\": 0}"));
        assert_eq!(
            read(&form, r#"{"n": "1"}"#),
            Err("\"n\" is \"1\", but has to be of type number".to_owned())
        );
        let text = Form::Custom(json::parse(r#"{"type":"string"}"#).unwrap());
        assert_eq!(read(&text, "\"1\"").as_deref(), Ok("\"1\""));
        let list = Form::Custom(json::parse(r#"{"type":"array"}"#).unwrap());
        assert_eq!(read(&list, "```\n[1, {\"a\": 2}]\n```").as_deref(), Ok("[1, {\"a\": 2}]"));
    }

    #[test]
    fn long_nonsense_takes_no_long_time() {
        let list = Form::Custom(json::parse(r#"{"type":"array","items":{"type":"string"}}"#).unwrap());
        let object = Form::Custom(json::parse(r#"{"required":["n"]}"#).unwrap());
        let deep = |text: &str| text.repeat(1_000);
        for piece in [
            "{",
            "{\"a\":",
            "{1",
            "{\"a\":{é",
            "{\"",
            "{\"a\":\"",
            "{\"a\":\"\\u12",
            "{\"\\ud800",
            "{\"a\":[",
            "[",
            "[{",
            "{}",
            "[1]",
            "{\"score\":\"maybe\"}",
            "{\"score\":{\"a\":[1,2,3]}}",
            "<think>",
            "</think>",
            "<think></think>{",
            "\"",
            "{\"a\":1e",
            "{\"a\":0",
            "{\"a\":nul",
            "\n{\n",
            &(deep("{\"a\":") + "x"),
            &(deep("[") + &deep("]")),
            &(deep("{\"a\":[") + &deep("]}")),
            &(deep("[") + "{" + &deep("]")),
        ] {
            let text = piece.repeat(150_000 / piece.len());
            for before in ["", "So: {"] {
                let answer = format!("{before}{text}");
                for form in [&score(Scale::Boolean), &list, &object] {
                    assert!(read(form, &answer).is_err(), "{before} {piece:.40}");
                }
            }
        }
    }

    #[test]
    fn many_verdicts_take_no_long_time() {
        let long = "x".repeat(1_000);
        let verdict = format!("{{\"score\":true,\"reasoning\":\"{long}\"}} ");
        let answer = verdict.repeat(2_000);
        assert!(read(&score(Scale::Boolean), &answer).is_ok());
        let differs = read(&score(Scale::Boolean), &format!("{answer}{{\"score\":false}}"));
        assert_eq!(differs, Err("it holds more than one verdict, and they differ".to_owned()));
        let failing = format!("{{\"score\":\"{long}\"}}").repeat(2_000);
        assert!(read(&score(Scale::Boolean), &failing).unwrap_err().starts_with("\"score\" is \"xxx"));
        assert!(read(&score(Scale::Boolean), &format!("{failing}{answer}")).is_ok());
    }

    proptest! {
        #[test]
        fn reading_never_panics(answer in "[{}\\[\\]\"scoretu:,01é\n ]{0,40}") {
            let _ = read(&score(Scale::Boolean), &answer);
        }

        #[test]
        fn a_verdict_is_found_in_any_prose(before in "[a-z .,:;!\n{1}é]{0,30}", after in ".{0,30}") {
            let answer = format!("{before}\n{{\"reasoning\":\"}} {{\",\"score\":0.25}}\n{after}");
            let verdict = read(&score(Scale::Continuous), &answer);
            prop_assert_eq!(verdict.as_deref(), Ok("{\"score\":0.25,\"reasoning\":\"} {\"}"));
        }
    }
}
