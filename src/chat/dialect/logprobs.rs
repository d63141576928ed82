//! Token probabilities: how to request them from each API, and how to read them.

use super::{Dialect, Json, JsonBuilder, Members, Path, at, fill_template, member, text_at};
use crate::logprobs::{AnswerToken, TokenLogprob};

/// The number of tokens that are read: only the beginning of an answer matters, and the full list is long.
const BEGINNING: usize = 64;

/// The longest token that is kept; a longer one cannot be a score.
const LONGEST: usize = 32;

/// Requests the probabilities of the `count` likeliest tokens at each position, unless the API does not support it.
pub fn ask(dialect: Dialect, count: u32, body: &mut Members, settings: &mut Members) {
    let (first, (name, members)) = match dialect {
        Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Ollama => {
            (member("logprobs", true.into()), ("top_logprobs", body))
        }
        Dialect::Responses => {
            let include = fill_template(r#"["message.output_text.logprobs"]"#, &[]);
            (member("include", include), ("top_logprobs", body))
        }
        Dialect::Google => (member("responseLogprobs", true.into()), ("logprobs", settings)),
        Dialect::Mistral | Dialect::Anthropic | Dialect::VertexAnthropic | Dialect::Bedrock => return,
    };
    members.push(first);
    members.push(member(name, JsonBuilder::from(u64::from(count))));
}

/// The first tokens of an answer, if it has their probabilities. If one has no text, the places of the others are unknown.
pub fn read(dialect: Dialect, answer: &Json<'_>) -> Option<Vec<AnswerToken>> {
    /// Gemini has the alternatives in a separate list.
    const BESIDE: Path = &["candidates", "logprobsResult", "topCandidates"];
    let place: Path = match dialect {
        Dialect::Responses => &["content", "logprobs"],
        Dialect::Google => &["candidates", "logprobsResult", "chosenCandidates"],
        Dialect::Ollama => &["logprobs"],
        _ => &["choices", "logprobs", "content"],
    };
    // Reasoning may precede the answer.
    let said = match dialect {
        Dialect::Responses => {
            at(answer, &["output"])?.as_array()?.iter().find(|item| at(item, place).is_some())?
        }
        _ => answer,
    };
    let beside = at(answer, BESIDE).and_then(Json::as_array).unwrap_or_default();
    let mut tokens = Vec::new();
    for (index, entry) in at(said, place)?.as_array()?.iter().take(BEGINNING).enumerate() {
        let likely = match beside.get(index) {
            Some(likely) => at(likely, &["candidates"]),
            None => at(entry, &["top_logprobs"]),
        };
        tokens.push(token(entry, likely.and_then(Json::as_array).unwrap_or_default())?);
    }
    Some(tokens)
}

/// A token with its alternatives, without those that lack a probability.
fn token(entry: &Json<'_>, others: &[Json<'_>]) -> Option<AnswerToken> {
    let token = text_at(entry, &["token"])?.to_owned();
    let mut likely = Vec::with_capacity(others.len());
    let mut is_among = false;
    for (other, is_other) in others.iter().map(|other| (other, true)).chain([(entry, false)]) {
        let text = text_at(other, &["token"]).unwrap_or_default();
        let logprob = at(other, &["logprob"]).or_else(|| at(other, &["logProbability"]));
        if text.len() <= LONGEST
            && (is_other || !is_among)
            && let Some(Json::Number(logprob)) = logprob
            && logprob.is_finite()
        {
            is_among |= text == token;
            likely.push(TokenLogprob { token: text.to_owned(), logprob: logprob.to_f64() });
        }
    }
    Some(AnswerToken { token, likely })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::ChatRequest;
    use crate::chat::dialect::{Settings, Structure};
    use crate::json;

    /// How an API is asked for probabilities.
    fn logprobs_of(dialect: Dialect) -> String {
        let request = ChatRequest { messages: &[], schema: None, logprobs: true };
        let options = Settings { logprobs: 20, ..Settings::default() };
        dialect.body("m", options, &request, Structure::Schema).unwrap().into_text()
    }

    #[test]
    fn requests_probabilities_where_they_may_be_reported() {
        let openai = r#""logprobs":true,"top_logprobs":20"#;
        let cases = [
            (Dialect::OpenAi, openai),
            (Dialect::OpenAiCompatible, openai),
            (Dialect::Ollama, openai),
            (Dialect::Responses, r#""include":["message.output_text.logprobs"],"top_logprobs":20"#),
            (Dialect::Google, r#""generationConfig":{"responseLogprobs":true,"logprobs":20}"#),
        ];
        for (dialect, expected) in cases {
            let body = logprobs_of(dialect);
            assert!(body.contains(expected), "{body}");
        }
        for dialect in [Dialect::Mistral, Dialect::Anthropic, Dialect::VertexAnthropic, Dialect::Bedrock] {
            assert!(!logprobs_of(dialect).to_ascii_lowercase().contains("logprob"), "{dialect:?}");
        }
    }

    #[test]
    fn reads_reported_probabilities() {
        const TOKENS: &str = r#"[{"token":"4","logprob":-0.5,"bytes":[52],"top_logprobs":[{"token":"4","logprob":-0.5,"bytes":[52]},{"token":"5","logprob":-1,"bytes":[53]}]}]"#;
        let cases = [
            (Dialect::OpenAi, format!(r#"{{"choices":[{{"logprobs":{{"content":{TOKENS},"refusal":null}}}}]}}"#)),
            (Dialect::Responses, format!(r#"{{"output":[{{"type":"reasoning"}},{{"type":"message","content":[{{"logprobs":{TOKENS}}}]}}]}}"#)),
            (Dialect::Ollama, format!(r#"{{"message":{{"content":"4"}},"logprobs":{TOKENS}}}"#)),
            (
                Dialect::Google,
                r#"{"candidates":[{"logprobsResult":{"chosenCandidates":[{"token":"4","tokenId":1,"logProbability":-0.5}],"topCandidates":[{"candidates":[{"token":"4","logProbability":-0.5},{"token":"5","logProbability":-1}]}]}}]}"#.to_owned(),
            ),
        ];
        let likely = |token: &str, logprob| TokenLogprob { token: token.to_owned(), logprob };
        let expected =
            AnswerToken { token: "4".to_owned(), likely: vec![likely("4", -0.5), likely("5", -1.0)] };
        for (dialect, answer) in cases {
            let read = super::read(dialect, &json::parse(&answer).unwrap());
            assert_eq!(read, Some(vec![expected.clone()]), "{dialect:?}");
        }
    }

    #[test]
    fn ignores_invalid_probabilities() {
        let read = |content: &str| {
            let answer = format!(r#"{{"choices":[{{"logprobs":{content}}}]}}"#);
            super::read(Dialect::OpenAi, &json::parse(&answer).unwrap())
        };
        for none in [
            "null",
            "[]",
            "{}",
            r#"{"content":null}"#,
            r#"{"content":"4"}"#,
            r#"{"content":[4]}"#,
            r#"{"content":[{"token":4}]}"#,
        ] {
            assert_eq!(read(none), None, "{none}");
        }
        let long = "x".repeat(1_000_000);
        let junk = format!(
            r#"{{"content":[{{"token":"4","logprob":-0.25,"top_logprobs":[{{"token":"5","logprob":"-1"}},{{"token":"3","logprob":1e999}},{{"token":"{long}","logprob":-3}},{{"logprob":null}},7]}}]}}"#
        );
        let likely = vec![TokenLogprob { token: "4".to_owned(), logprob: -0.25 }];
        assert_eq!(read(&junk), Some(vec![AnswerToken { token: "4".to_owned(), likely }]));
        let many = format!(r#"{{"content":[{}]}}"#, vec![r#"{"token":"4","logprob":0}"#; 1_000].join(","));
        assert_eq!(read(&many).unwrap().len(), 64);
    }
}
