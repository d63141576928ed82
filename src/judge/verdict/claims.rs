//! Claims about the score outside of the JSON that contains it.

use super::{Form, Scale};
use crate::json::{self, Json};
use crate::text::{beginning, split_once};

/// Claims about the score in prose, as in `My verdict: false.`
#[derive(Default)]
pub(super) struct ScoreClaims {
    score: Option<String>,
    differ: bool,
    /// Whether the prose declines to judge.
    pub declines: bool,
}

impl ScoreClaims {
    pub fn read(&mut self, form: &Form, prose: &str) {
        let prose = prose.to_ascii_lowercase();
        self.declines |= declines(&prose);
        let Form::Score { scale, .. } = form else { return };
        for name in ["score", "verdict"] {
            let mut rest = prose.as_str();
            while let Some((before, after)) = split_once(rest, name) {
                rest = after;
                if (!before.bytes().next_back().is_some_and(|byte| byte == b'_' || is_value(byte))
                    || is_final(before.strip_suffix(['_', '-']).unwrap_or(before)))
                    && let Some(value) = claimed(after)
                {
                    self.claim(scale, value, after.starts_with('"'));
                }
            }
        }
    }

    /// Reads members with another name for the score, as in `{"final_score": false}`.
    pub fn read_members(&mut self, form: &Form, value: &Json<'_>) {
        let (Form::Score { scale, .. }, Json::Object(members)) = (form, value) else { return };
        for (_, value) in members.iter().filter(|(key, _)| *key != "score" && names_score(key)) {
            let score = value.as_object().map_or(Some(value), |members| members.get("score"));
            if let Some(Ok(score)) = score.map(|score| scale.read(score)) {
                self.claim_score(score);
            }
        }
    }

    /// Reads an object around a single verdict, as in `{"final": {"score": false}}`.
    pub fn read_wrapped(&mut self, form: &Form, value: &Json<'_>) {
        let (Form::Score { scale, .. }, Json::Object(members)) = (form, value) else { return };
        let mut members = members.iter();
        if let (Some((_, wrapped)), None) = (members.next(), members.next())
            && let Some(Ok(score)) =
                wrapped.as_object().and_then(|members| members.get("score")).map(|score| scale.read(score))
        {
            self.claim_score(score);
        }
    }

    fn claim(&mut self, scale: &Scale, value: &str, is_member: bool) {
        let value = match (scale, value) {
            (Scale::Boolean, "yes") => "true",
            (Scale::Boolean, "no") => "false",
            _ => value,
        };
        match scale.read(&Json::String(value.into())) {
            Ok(score) => self.claim_score(score),
            // The object is incomplete.
            Err(_) => self.differ |= is_member && begins_literal(value),
        }
    }

    fn claim_score(&mut self, score: String) {
        match &self.score {
            Some(earlier) => self.differ |= !same(&score, earlier),
            None => self.score = Some(score),
        }
    }

    pub fn agree_with(&self, score: &str) -> bool {
        !self.differ && self.score.as_ref().is_none_or(|claim| same(claim, score))
    }
}

/// Whether two JSON texts have the same value, as `0.5` and `0.50` do.
fn same(one: &str, other: &str) -> bool {
    json::parse(one).ok() == json::parse(other).ok()
}

/// Whether a text declines to judge, as in `I cannot grade this`. What a judge says about others is part of its reasoning:
/// `The agent cannot help`.
fn declines(prose: &str) -> bool {
    const REFUSALS: [&str; 7] =
        ["cannot ", "can't ", "can’t ", "will not ", "won't ", "unable to ", "decline to "];
    const JUDGING: [&str; 8] = ["judge", "grade", "assess", "evaluate", "rate", "score", "help", "assist"];
    REFUSALS.iter().any(|refusal| {
        let mut rest = prose;
        while let Some((before, after)) = split_once(rest, refusal) {
            rest = after;
            if ["i", "am", "m", "must"].contains(&last_word(before))
                && JUDGING.iter().any(|verb| after.starts_with(verb))
            {
                return true;
            }
        }
        false
    })
}

/// Whether a text ends in a word that marks the final score.
fn is_final(text: &str) -> bool {
    ["final", "overall", "corrected", "revised"].iter().any(|word| text.ends_with(word))
}

/// Whether a key is a variant of `score`, such as `Score`, `final score` or `finalVerdict`.
fn names_score(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let before = ["score", "verdict"].iter().find_map(|name| key.strip_suffix(name));
    before.map_or_else(
        || is_final(&key),
        |before| before.is_empty() || is_final(before.trim_end_matches([' ', '_', '-'])),
    )
}

/// Whether a short text after a verdict states the opposite, as in `Final answer: false`. In a long text, or
/// before another word (`no false claims`), the word may mean anything.
pub(super) fn takes_back(text: &str, score: &str) -> bool {
    /// The longest such text, in characters.
    const SHORT: usize = 200;
    let text = text.trim().to_ascii_lowercase();
    if beginning(&text, SHORT).is_some() {
        return false;
    }
    ["true", "false"].iter().any(|value| {
        let mut rest = text.as_str();
        while let Some((_, after)) = split_once(rest, value) {
            let before = text.get(..text.len() - after.len() - value.len()).unwrap_or_default();
            rest = after;
            let is_word = !before.ends_with(is_letter) && !after.starts_with(is_letter);
            let (_, next) = split_leading(after, is_mark);
            let is_choice = last_word(before) == "or" || next.starts_with("or ");
            let describes = next.starts_with(is_letter)
                && !["because", "since", "as ", "now"].iter().any(|word| next.starts_with(word));
            let is_opposite = (*value == score) == (last_word(before) == "not");
            if is_word && !is_choice && !describes && is_opposite {
                return true;
            }
        }
        false
    })
}

/// The last word of a text, ignoring punctuation after it.
pub(super) fn last_word(text: &str) -> &str {
    let text = text.trim_end_matches(|character: char| !is_letter(character));
    text.rsplit(|character: char| !is_letter(character)).next().unwrap_or_default()
}

pub(super) fn is_letter(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '/' | '|')
}

/// The value assigned to the name before this text, unless under a condition.
fn claimed(text: &str) -> Option<&str> {
    let (_, text) = split_leading(text, is_mark);
    let value = [":", "=", "is "].iter().find_map(|sign| text.strip_prefix(sign))?;
    let (_, value) = split_leading(value, is_mark);
    let (value, after) = split_leading(value, is_value);
    let (_, after) = split_leading(after, is_mark);
    let is_open = ["or ", "if ", "when ", "only ", "|", "="].iter().any(|word| after.starts_with(word));
    let value = value.strip_suffix('.').unwrap_or(value);
    (!value.is_empty() && !is_open).then_some(value)
}

/// Splits a text after its leading ASCII characters of a kind.
#[inline(never)]
fn split_leading(text: &str, belongs: fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(|byte| !belongs(byte)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b' ' | b'"' | b'\'' | b'*' | b'`')
}

fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'/' | b'%')
}

/// Whether a text is empty or begins a JSON literal.
pub(super) fn begins_literal(text: &str) -> bool {
    ["true", "false", "null"].iter().any(|literal| literal.starts_with(text))
}
