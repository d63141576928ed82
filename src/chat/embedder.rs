//! An embeddings model behind an HTTP API.

use super::dialect::Dialect;
use super::endpoint::{Endpoint, EndpointConfig};
use super::{Transport, fill_template};
use crate::error::{Error, Result};
use crate::json::{self, Json, JsonBuilder, Number};

/// Turns texts into vectors.
pub struct Embedder<T> {
    /// The endpoint of the model.
    pub endpoint: Endpoint<T>,
    /// The number of dimensions of a vector; the model decides by default.
    pub dimensions: Option<u32>,
}

impl<T: Transport> Embedder<T> {
    /// The vectors of a JSON list of texts in the same order, and what they used, as the JSON of an `Embedding`. The numbers
    /// keep their spelling.
    pub async fn embed(&self, texts: &str) -> Result<String> {
        let read = json::parse(texts)?;
        let count =
            read.as_array().map(<[_]>::len).ok_or_else(|| Error::invalid_input("texts is not a list"))?;
        let body = self.body(texts, &read)?;
        let mut progress = self.endpoint.begin();
        let response = self.endpoint.post(&body, &mut progress).await?;
        let answer = json::parse(&response.body).ok();
        let list = answer.as_ref().ok_or_else(String::new);
        let list = list.and_then(|answer| vectors(answer, count, self.dimensions)).map_err(|problem| {
            let wanted =
                format!("a list of {count} vectors of one length, in the order of the texts{problem}");
            self.endpoint.misunderstood(&response, &wanted, &progress)
        })?;
        let usage = answer.and_then(|answer| self.endpoint.config.dialect.input_usage(&answer));
        let attempts = u64::from(progress.attempts);
        let mut found =
            JsonBuilder::object([("vectors", JsonBuilder::Text(list)), ("attempts", attempts.into())]);
        if let Some(usage) = usage {
            found.set("usage", JsonBuilder::Text(json::write(&usage)?));
        }
        Ok(found.into_text())
    }

    fn body(&self, texts: &str, read: &Json<'_>) -> Result<String> {
        let EndpointConfig { dialect, model, .. } = &self.endpoint.config;
        let dimensions = self.dimensions.map(JsonBuilder::verbatim).map(JsonBuilder::into_text);
        let mut body = JsonBuilder::object([]);
        if *dialect == Dialect::Google {
            let mut requests = Vec::new();
            for text in read.as_array().unwrap_or_default() {
                let content = fill_template(r#"{"parts":[{"text":#}]}"#, &[&text.to_text()]);
                let mut request =
                    JsonBuilder::object([("model", model.as_str().into()), ("content", content)]);
                if let Some(dimensions) = &dimensions {
                    request.set("outputDimensionality", JsonBuilder::verbatim(dimensions));
                }
                requests.push(JsonBuilder::Text(self.endpoint.config.with_params(request)?));
            }
            // In this API, settings belong to each text.
            body.set("requests", JsonBuilder::list(requests.into_iter()));
            return Ok(body.into_text());
        }
        body.set("model", model.as_str().into());
        body.set("input", JsonBuilder::verbatim(texts));
        let name = if *dialect == Dialect::Mistral { "output_dimension" } else { "dimensions" };
        if let Some(dimensions) = dimensions {
            body.set(name, JsonBuilder::Text(dimensions));
        }
        self.endpoint.config.with_params(body)
    }
}

/// The vectors of a response: OpenAI's `data` with an `index` each, or the `embeddings` of Gemini and Ollama.
/// The error describes the first invalid vector, in parentheses; it is empty if the list itself is wrong.
fn vectors(answer: &Json<'_>, count: usize, dimensions: Option<u32>) -> Result<String, String> {
    let member = |name| answer.as_object()?.get(name);
    let entries = member("data").or_else(|| member("embeddings")).and_then(Json::as_array);
    let entries = entries.filter(|entries| entries.len() == count);
    let mut length = dimensions.and_then(|dimensions| usize::try_from(dimensions).ok());
    let whose = if dimensions.is_some() { "dimensions is" } else { "the first" };
    let mut list = String::from("[");
    for (position, entry) in in_order(entries.ok_or("")?).ok_or("")?.into_iter().enumerate() {
        let member = |name| entry.as_object()?.get(name);
        let vector = member("embedding").or_else(|| member("values")).unwrap_or(entry);
        let numbers = vector.as_array().unwrap_or_default();
        if let Some((at, wrong)) = numbers.iter().enumerate().find(|(_, number)| !is_finite(number)) {
            let kind = match wrong {
                Json::Number(_) => "a number out of range",
                _ => wrong.type_name(),
            };
            return Err(format!(" (the vector of text {position} holds {kind} at [{at}])"));
        }
        let expected = *length.get_or_insert(numbers.len());
        if numbers.is_empty() || expected != numbers.len() {
            let has = numbers.len();
            return Err(format!(" (the vector of text {position} has {has} numbers, {whose} {expected})"));
        }
        list.push_str(if position == 0 { "" } else { "," });
        list.push_str(&vector.to_text());
    }
    list.push(']');
    Ok(list)
}

/// The entries in the order of their `index`, if they have one; `None` if two entries have the same.
fn in_order<'j, 'v>(entries: &'j [Json<'v>]) -> Option<Vec<&'j Json<'v>>> {
    let mut ordered = vec![None; entries.len()];
    for (position, entry) in entries.iter().enumerate() {
        let index = match entry.as_object().and_then(|entry| entry.get("index")) {
            Some(Json::Number(Number::Integer(index))) => usize::try_from(*index).ok()?,
            Some(_) => return None,
            None => position,
        };
        let place = ordered.get_mut(index)?;
        if place.replace(entry).is_some() {
            return None;
        }
    }
    ordered.into_iter().collect()
}

fn is_finite(number: &Json<'_>) -> bool {
    matches!(number, Json::Number(number) if number.to_f64().is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::testing::{Script, answer, endpoint};
    use crate::error::Code;
    use crate::executor::ready;

    fn embedder(dialect: Dialect, dimensions: Option<u32>, answers: &str) -> Embedder<Script> {
        let transport = Script::new([answer(503, ""), answer(200, answers)]);
        Embedder { endpoint: Endpoint { config: endpoint(dialect), transport }, dimensions }
    }

    /// The body of a request, and the vectors of the answer.
    fn asked(dialect: Dialect, dimensions: Option<u32>, answers: &str) -> (String, String) {
        let embedder = embedder(dialect, dimensions, answers);
        let found = ready(embedder.embed(r#"["a","b \"c\""]"#)).unwrap().unwrap();
        let sent = embedder.endpoint.transport.requests.borrow()[1].clone();
        (sent.body, member(&found, "vectors").unwrap())
    }

    /// A member of what was found, as JSON text.
    fn member(found: &str, name: &str) -> Option<String> {
        let found = json::parse(found).unwrap();
        found.as_object().unwrap().get(name).map(Json::to_text)
    }

    #[test]
    fn each_api_is_asked_in_its_own_form() {
        let data = r#"{"data":[{"index":0,"embedding":[0.1,-2e-3]},{"index":1,"embedding":[1,0]}],"model":"m","usage":{}}"#;
        let vectors = "[[0.1,-0.002],[1,0]]";
        let of = |dialect, dimensions, answers| {
            let (body, list) = asked(dialect, dimensions, answers);
            let numbers = |text: &str| json::parse(text).unwrap().into_owned();
            assert_eq!(numbers(&list), numbers(vectors));
            body
        };
        assert_eq!(
            of(Dialect::OpenAi, Some(2), data),
            r#"{"model":"m","input":["a","b \"c\""],"dimensions":2}"#
        );
        assert_eq!(
            of(Dialect::OpenAiCompatible, Some(2), data),
            r#"{"model":"m","input":["a","b \"c\""],"dimensions":2}"#
        );
        assert_eq!(
            of(Dialect::Mistral, Some(2), data),
            r#"{"model":"m","input":["a","b \"c\""],"output_dimension":2}"#
        );
        assert_eq!(
            of(Dialect::Ollama, None, r#"{"embeddings":[[0.1,-2e-3],[1,0]],"prompt_eval_count":2}"#),
            r#"{"model":"m","input":["a","b \"c\""]}"#
        );
        assert_eq!(
            of(Dialect::Ollama, Some(2), r#"{"embeddings":[[0.1,-2e-3],[1,0]],"prompt_eval_count":2}"#),
            r#"{"model":"m","input":["a","b \"c\""],"dimensions":2}"#
        );
        assert_eq!(
            of(Dialect::Google, Some(2), r#"{"embeddings":[{"values":[0.1,-2e-3]},{"values":[1,0]}]}"#),
            r#"{"requests":[{"model":"m","content":{"parts":[{"text":"a"}]},"outputDimensionality":2},{"model":"m","content":{"parts":[{"text":"b \"c\""}]},"outputDimensionality":2}]}"#
        );
    }

    #[test]
    fn the_tokens_of_an_answer_are_read_where_each_api_has_them() {
        let data = |usage: &str| format!(r#"{{"data":[{{"embedding":[1]}},{{"embedding":[2]}}]{usage}}}"#);
        let openai = data(r#","usage":{"prompt_tokens":7,"total_tokens":7}"#);
        let used = r#"{"inputTokens":7,"outputTokens":0}"#;
        let unreadable = r#"{"inputTokens":0,"outputTokens":0,"unreadable":"prompt_tokens: \"7\""}"#;
        for (dialect, answer, usage) in [
            (Dialect::OpenAi, openai.as_str(), Some(used)),
            (Dialect::OpenAiCompatible, &openai, Some(used)),
            (
                Dialect::Mistral,
                &data(r#","usage":{"prompt_tokens":7,"completion_tokens":0,"total_tokens":7}"#),
                Some(used),
            ),
            (Dialect::Ollama, r#"{"embeddings":[[1],[2]],"prompt_eval_count":7}"#, Some(used)),
            (Dialect::Google, r#"{"embeddings":[{"values":[1]},{"values":[2]}]}"#, None),
            (Dialect::OpenAi, &data(""), None),
            (Dialect::OpenAi, &data(r#","usage":{}"#), None),
            (Dialect::OpenAi, &data(r#","usage":{"prompt_tokens":"7"}"#), Some(unreadable)),
        ] {
            let found = ready(embedder(dialect, None, answer).embed(r#"["a","b"]"#)).unwrap().unwrap();
            assert_eq!(member(&found, "usage").as_deref(), usage, "{dialect:?}: {answer}");
            // The first attempt was refused.
            assert_eq!(member(&found, "attempts").as_deref(), Some("2"));
        }
    }

    #[test]
    fn vectors_are_put_in_the_order_of_the_texts() {
        let answers = r#"{"data":[{"index":1,"embedding":[2]},{"index":0,"embedding":[1]}]}"#;
        assert_eq!(asked(Dialect::OpenAi, None, answers).1, "[[1],[2]]");
    }

    #[test]
    fn settings_belong_to_each_text_where_gemini_has_them() {
        let mut embedder =
            embedder(Dialect::Google, None, r#"{"embeddings":[{"values":[1]},{"values":[2]}]}"#);
        embedder.endpoint.config.params = Some(r#"{"taskType":"SEMANTIC_SIMILARITY"}"#.to_owned());
        ready(embedder.embed(r#"["a","b"]"#)).unwrap().unwrap();
        let text = |text| {
            format!(
                r#"{{"model":"m","content":{{"parts":[{{"text":"{text}"}}]}},"taskType":"SEMANTIC_SIMILARITY"}}"#
            )
        };
        let expected = format!(r#"{{"requests":[{},{}]}}"#, text("a"), text("b"));
        assert_eq!(embedder.endpoint.transport.requests.borrow()[1].body, expected);
    }

    /// The dialects with embeddings, each with an answer for the texts that has these vectors.
    fn answers(vectors: [&str; 2]) -> [(Dialect, String); 5] {
        let [first, second] = vectors;
        let data = format!(
            r#"{{"object":"list","data":[{{"object":"embedding","index":0,"embedding":{first}}},{{"object":"embedding","index":1,"embedding":{second}}}],"model":"m"}}"#
        );
        [
            (Dialect::OpenAi, data.clone()),
            (Dialect::OpenAiCompatible, data.clone()),
            (Dialect::Mistral, data),
            (Dialect::Google, format!(r#"{{"embeddings":[{{"values":{first}}},{{"values":{second}}}]}}"#)),
            (
                Dialect::Ollama,
                format!(r#"{{"model":"m","embeddings":[{first},{second}],"prompt_eval_count":12}}"#),
            ),
        ]
    }

    fn refusal(dialect: Dialect, texts: &str, answers: &str) -> Error {
        let error = ready(embedder(dialect, None, answers).embed(texts)).unwrap().unwrap_err();
        assert_eq!((error.code, error.attempts), (Code::ProviderError, Some(2)), "{dialect:?}: {answers}");
        error
    }

    #[test]
    fn an_answer_of_another_kind_is_an_error_at_each_api() {
        for (dialect, vectors) in answers(["[1,2]", "[2,1]"]) {
            let read = |texts: &str| ready(embedder(dialect, None, &vectors).embed(texts)).unwrap();
            assert_eq!(member(&read(r#"["a","b"]"#).unwrap(), "vectors").unwrap(), "[[1,2],[2,1]]");
            // Too few, and too many.
            for texts in [r#"["a","b","c"]"#, r#"["a"]"#] {
                refusal(dialect, texts, &vectors);
            }
            for other in ["{}", "[]", r#"{"data":[{"embedding":[0.1"#, "<!doctype html>", ""] {
                refusal(dialect, r#"["a","b"]"#, other);
            }
        }
    }

    #[test]
    fn an_error_says_what_is_wrong_with_a_vector_of_each_api() {
        for (wrong, problem) in [
            ("[null,0.2]", "holds null at [0]"),
            (r#"["","1"]"#, "holds a string at [0]"),
            (r#"["1",null]"#, "holds a string at [0]"),
            (r#"[1,"2"]"#, "holds a string at [1]"),
            ("[{},2]", "holds an object at [0]"),
            ("[1,true]", "holds a boolean at [1]"),
            ("[[1],[2]]", "holds a list at [0]"),
            ("[1,1e999]", "holds a number out of range at [1]"),
            ("[1]", "has 1 numbers, the first 2"),
            ("[]", "has 0 numbers, the first 2"),
        ] {
            for (dialect, answers) in answers(["[1,2]", wrong]) {
                let message = refusal(dialect, r#"["a","b"]"#, &answers).message.clone();
                assert!(message.contains(&format!(" (the vector of text 1 {problem})")), "{message}");
            }
        }
    }

    #[test]
    fn vectors_have_the_dimensions_that_were_asked_for() {
        for (dialect, answers) in answers(["[1,2,3]", "[3,2,1]"]) {
            let read =
                |dimensions| ready(embedder(dialect, dimensions, &answers).embed(r#"["a","b"]"#)).unwrap();
            assert!(read(Some(3)).is_ok());
            let error = read(Some(2)).unwrap_err();
            assert_eq!((error.code, error.attempts), (Code::ProviderError, Some(2)));
            let problem = " (the vector of text 0 has 3 numbers, dimensions is 2)";
            assert!(error.message.contains(problem), "{}", error.message);
        }
    }

    #[test]
    fn vectors_that_are_not_those_of_the_texts_are_an_error() {
        for wrong in [
            "{}",
            "[[1],[2]]",
            r#"{"data":[]}"#,
            r#"{"data":[{"index":0,"embedding":[1]}]}"#,
            r#"{"data":[{"index":1,"embedding":[1]},{"index":1,"embedding":[2]}]}"#,
            r#"{"data":[{"index":1,"embedding":[1]},{"index":2,"embedding":[2]}]}"#,
            r#"{"data":[{"index":-1,"embedding":[1]},{"index":"0","embedding":[2]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}"#,
            r#"{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}"#,
            r#"{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]}"#,
            r#"{"embeddings":[[1],[null]]}"#,
            r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}"#,
            r#"{"embeddings":[[1],[2],[3]]}"#,
        ] {
            let embedder = embedder(Dialect::OpenAi, None, wrong);
            let error = ready(embedder.embed(r#"["a","b"]"#)).unwrap().unwrap_err();
            assert_eq!((error.code, error.attempts), (Code::ProviderError, Some(2)), "{wrong}");
            assert!(
                error.message.contains("other than a list of 2 vectors of one length"),
                "{}",
                error.message
            );
        }
    }
}
