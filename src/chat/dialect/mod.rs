//! The request and response formats of each API, mostly as tables of names and paths.

mod anthropic;
mod bedrock;
mod errors;
mod google;
mod logprobs;
mod ollama;
mod openai;
mod reasons;
mod responses;
mod schema;

pub(super) use errors::{error_message, is_moderation, relayed_status, retry_delay};

use super::{ChatRequest, Completion, Finish, Message, OutputSchema, Part, Role, Usage, fill_template};
use crate::json::{self, Json, JsonBuilder, Number};
use crate::logprobs::AnswerToken;
use crate::text::{excerpt, split_once};
use serde::Deserialize;

/// A family of APIs. `providers.ts` of the package has the dialect of each provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Dialect {
    /// The chat completions of OpenAI.
    #[serde(rename = "openai")]
    OpenAi,
    /// The Responses API of OpenAI and compatible providers.
    Responses,
    /// The chat completions of providers compatible with OpenAI.
    #[serde(rename = "openai-compatible")]
    OpenAiCompatible,
    /// The chat completions of Mistral, with some other names.
    Mistral,
    /// The Messages API of Anthropic.
    Anthropic,
    /// The Messages API on Vertex AI, with the model in the address and the version in the body.
    VertexAnthropic,
    /// The Converse API of Amazon Bedrock.
    Bedrock,
    /// The content generation of Gemini.
    Google,
    /// The chat of Ollama.
    Ollama,
}

/// How structured output is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Structure {
    /// The API enforces the schema.
    Schema,
    /// The API enforces JSON, and the prompt has the schema.
    JsonObject,
    /// The prompt has the schema.
    Prompt,
}

/// The settings of an answer. The API's defaults apply to those that are not set.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings<'c> {
    /// The temperature, as the JSON text of a number.
    pub temperature: Option<&'c str>,
    pub max_tokens: Option<u32>,
    /// The number of alternatives for each token; 0 requests no probabilities.
    pub logprobs: u32,
}

/// The names and paths of a dialect.
struct Api {
    /// The member of the body with the settings; the body itself if it is empty.
    settings: &'static str,
    /// The setting for the most tokens of an answer.
    limit: &'static str,
    /// The default limit for an API that requires one.
    default_limit: Option<u32>,
    /// The path of the text or its parts.
    content: Path,
    /// The paths of the reason for the end; the first that exists is used.
    reasons: &'static [Path],
    /// The paths of the explanation of a refusal; the first that exists is used.
    explanations: &'static [Path],
    /// The path of a text that exists only for a refusal; empty if there is none.
    refusal: Path,
    /// The path of the model's name.
    model: Path,
    /// The path of the token usage, and the counts that add up to input and output tokens.
    usage: Path,
    read: &'static [&'static str],
    written: &'static [&'static str],
    /// The paths of reasoning tokens, and of input tokens read from and written to a cache, within the usage; empty if there are
    /// none.
    thought: Path,
    cached: Path,
    cache_writes: Path,
}

/// A path of member names; lists are entered at their first element.
type Path = &'static [&'static str];

/// The members of an object that is being built.
type Members = Vec<(String, JsonBuilder)>;

impl Dialect {
    fn api(self) -> &'static Api {
        match self {
            Self::OpenAi => &openai::API,
            Self::Responses => &responses::API,
            Self::OpenAiCompatible | Self::Mistral => &openai::COMPATIBLE_API,
            Self::Anthropic | Self::VertexAnthropic => &anthropic::API,
            Self::Bedrock => &bedrock::API,
            Self::Google => &google::API,
            Self::Ollama => &ollama::API,
        }
    }

    /// The default limit on the tokens of an answer, if this dialect sets one.
    pub(super) fn default_limit(self) -> u32 {
        self.api().default_limit.unwrap_or(0)
    }

    /// The names that the limit of an answer may have in a body: the dialect's own, and the older one that many servers
    /// accept.
    pub(super) fn limits(self) -> [&'static str; 2] {
        [self.api().limit, "max_tokens"]
    }

    /// Whether the API accepts this schema.
    pub(super) fn takes(self, schema: &OutputSchema) -> bool {
        let Ok(read) = json::parse(&schema.schema) else { return false };
        // Anthropic and Amazon require closed objects.
        let closed = matches!(self, Self::Anthropic | Self::VertexAnthropic | Self::Bedrock);
        text_at(&read, &["type"]) == Some("object")
            && (!closed || schema.strict || schema::can_be_closed(&read))
    }

    /// The body of a request, or the part of a message that the API does not support.
    pub(super) fn body<'r>(
        self,
        model: &str,
        options: Settings<'_>,
        request: &ChatRequest<'r>,
        structure: Structure,
    ) -> Result<JsonBuilder, &'r Part> {
        let api = self.api();
        let mut body = match self {
            Self::Google | Self::Bedrock => Vec::new(),
            Self::VertexAnthropic => vec![anthropic::vertex_version()],
            _ => vec![member("model", model.into())],
        };
        match self {
            Self::OpenAi => openai::messages(&mut body, request, &openai::part)?,
            Self::Responses => responses::messages(&mut body, request)?,
            Self::OpenAiCompatible => openai::messages(&mut body, request, &|part| Some(part.to_json()))?,
            Self::Mistral => openai::messages(&mut body, request, &openai::mistral_part)?,
            Self::Anthropic | Self::VertexAnthropic => anthropic::messages(&mut body, request)?,
            Self::Bedrock => bedrock::messages(&mut body, request)?,
            Self::Google => google::messages(&mut body, request)?,
            Self::Ollama => ollama::messages(&mut body, request)?,
        }
        let mut settings = Vec::new();
        if let Some(schema) = request.schema {
            match (structure, self) {
                (Structure::Prompt, _) => {}
                (_, Self::Responses) => body.push(responses::format(schema, structure)),
                (Structure::JsonObject, _) => body.push(openai::json_object()),
                (_, Self::Anthropic | Self::VertexAnthropic) => body.push(anthropic::format(schema)),
                (_, Self::Bedrock) => body.push(bedrock::format(schema)),
                (_, Self::Google) => settings.extend(google::format(schema)),
                (_, Self::Ollama) => body.push(member("format", JsonBuilder::verbatim(&schema.schema))),
                _ => body.push(openai::format(schema)),
            }
        }
        if let Some(temperature) = options.temperature {
            settings.push(member("temperature", JsonBuilder::verbatim(temperature)));
        }
        if let Some(limit) = options.max_tokens.or(api.default_limit) {
            settings.push(member(api.limit, u64::from(limit).into()));
        }
        if options.logprobs > 0 {
            logprobs::ask(self, options.logprobs, &mut body, &mut settings);
        }
        if self == Self::Ollama {
            settings.extend(ollama::context(request.messages, options.max_tokens));
        }
        if api.settings.is_empty() {
            body.append(&mut settings);
        } else if !settings.is_empty() {
            body.push(member(api.settings, JsonBuilder::Object(settings)));
        }
        Ok(JsonBuilder::Object(body))
    }

    /// The first tokens of an answer, if it has their probabilities.
    pub(super) fn logprobs(self, answer: &Json<'_>) -> Option<Vec<AnswerToken>> {
        logprobs::read(self, answer)
    }

    /// The token usage of an answer without text, such as that of an embeddings model.
    pub(super) fn input_usage(self, answer: &Json<'_>) -> Option<Usage> {
        let api = self.api();
        at(answer, api.usage).and_then(|counts| usage(counts, api, Some(0)))
    }

    /// The completion in a response; `None` without one.
    pub(super) fn read(self, answer: &Json<'_>) -> Option<Completion> {
        let api = self.api();
        let reason = api.reasons.iter().find_map(|path| text_at(answer, path)).unwrap_or_default();
        let content = at(answer, api.content);
        let (text, refusal) = match self {
            Self::Responses => responses::said(answer),
            _ => (
                content.map(said).unwrap_or_default(),
                text_at(answer, api.refusal).filter(|_| !api.refusal.is_empty()),
            ),
        };
        let refusal = refusal.filter(|text| !text.is_empty());
        // Some gateways report a failure as the end of an answer.
        if reasons::is_failure(reason) || (content.is_none() && reason.is_empty() && refusal.is_none()) {
            return None;
        }
        let is_unfinished = match self {
            Self::Responses => responses::is_unfinished(answer),
            Self::Ollama => at(answer, &["done"]) == Some(&Json::Bool(false)),
            _ => false,
        };
        let finish = match Finish::of_reason(reason) {
            _ if let Some(refusal) = refusal => Finish::Refused(refusal.to_owned()),
            _ if is_unfinished => Finish::Truncated,
            Finish::Truncated => Finish::Truncated,
            Finish::Refused(reason) => {
                let mut explanations = api.explanations.iter().filter_map(|path| text_at(answer, path));
                Finish::Refused(explanations.next().map_or(reason, str::to_owned))
            }
            _ if has_error(answer) => Finish::Unreadable("the API reported an error with it".to_owned()),
            Finish::Complete if has_alternative(answer, api, &text) => {
                Finish::Unreadable("the API sent several answers, and they differ".to_owned())
            }
            finish => finish,
        };
        Some(Completion {
            text,
            finish,
            model: text_at(answer, api.model).map(str::to_owned),
            usage: at(answer, api.usage).and_then(|counts| usage(counts, api, None)),
            attempts: 1,
            ..Completion::default()
        })
    }
}

/// Whether an answer has another choice with a different text.
fn has_alternative(answer: &Json<'_>, api: &Api, text: &str) -> bool {
    let Some((list, path)) = api.content.split_first() else { return false };
    let choices = at(answer, &[list]).and_then(Json::as_array).unwrap_or_default();
    let mut texts = choices.iter().filter_map(|choice| at(choice, path)).map(said);
    texts.any(|other| !other.is_empty() && other != text)
}

/// Whether an error stands beside an answer, or within its choice as from OpenRouter. Mistral marks the whole body as an error.
fn has_error(answer: &Json<'_>) -> bool {
    let members: [Path; 2] = [&["error"], &["choices", "error"]];
    text_at(answer, &["object"]) == Some("error")
        || members.iter().filter_map(|path| at(answer, path)).any(is_something)
}

/// Some APIs have a member for errors in every response.
fn is_something(value: &Json<'_>) -> bool {
    let text = value.to_text();
    !["null", "false", "\"\"", "{}"].contains(&text.as_str())
}

/// The text of a string or a list of parts, without reasoning.
fn said(content: &Json<'_>) -> String {
    let mut said = String::new();
    if let Some(text) = content.as_str() {
        said.push_str(text);
    }
    for part in content.as_array().unwrap_or_default() {
        let is_text = text_at(part, &["type"]).is_none_or(|kind| kind == "text");
        if let Some(text) = text_at(part, &["text"])
            && is_text
            && at(part, &["thought"]) != Some(&Json::Bool(true))
        {
            said.push_str(text);
        }
    }
    said
}

/// The largest count that JavaScript represents exactly.
const MAX_COUNT: u64 = (1 << 53) - 1;

/// The token usage of an answer: sums of the counts that exist; `None` if the input has none, or the output and no `default`.
fn usage(counts: &Json<'_>, api: &Api, default: Option<u64>) -> Option<Usage> {
    let mut unreadable = None;
    let mut count = |path: Path| {
        let found = at(counts, path).filter(|found| !path.is_empty() && **found != Json::Null)?;
        let read = match found {
            Json::Number(Number::Integer(count)) => u64::try_from(*count).ok(),
            _ => None,
        };
        let read = read.filter(|count| *count <= MAX_COUNT);
        if read.is_none() && unreadable.is_none() {
            unreadable = Some(format!("{}: {}", path.join("."), excerpt(&found.to_text())));
        }
        Some(read.unwrap_or_default())
    };
    let mut sum = |names: &'static [&'static str]| {
        names.chunks(1).filter_map(&mut count).reduce(|sum, count| sum.saturating_add(count))
    };
    let (input_tokens, output_tokens) = (sum(api.read), sum(api.written));
    let (input_tokens, mut output_tokens) = (input_tokens?, output_tokens.or(default)?);
    let mut some = |path: Path| count(path).filter(|count| *count > 0);
    let reasoning_tokens = some(api.thought);
    let cached_input_tokens = some(api.cached);
    let cache_write_tokens = some(api.cache_writes);
    // xAI counts reasoning separately; only the total includes it.
    if let (Some(thought), Some(total)) = (reasoning_tokens, count(&["total_tokens"]))
        && total == input_tokens.saturating_add(output_tokens).saturating_add(thought)
    {
        output_tokens = output_tokens.saturating_add(thought);
    }
    Some(Usage {
        input_tokens,
        output_tokens,
        reasoning_tokens,
        cached_input_tokens,
        cache_write_tokens,
        unreadable,
    })
}

/// Messages, each written by `write`.
fn messages<'r>(
    request: &ChatRequest<'r>,
    with_system: bool,
    write: &dyn Fn(&'r Message) -> Result<JsonBuilder, &'r Part>,
) -> Result<JsonBuilder, &'r Part> {
    let mut list = Vec::new();
    for message in request.messages {
        if with_system || message.role != Role::System {
            list.push(write(message)?);
        }
    }
    Ok(JsonBuilder::list(list.into_iter()))
}

/// The parts of a message in the form of an API.
fn parts<'r>(
    content: &'r [Part],
    write: &dyn Fn(&Part) -> Option<JsonBuilder>,
) -> Result<Vec<JsonBuilder>, &'r Part> {
    let mut parts = Vec::with_capacity(content.len());
    for part in content {
        parts.push(write(part).ok_or(part)?);
    }
    Ok(parts)
}

/// A message in the form of most APIs: text without other parts is a string.
fn message<'r>(
    message: &'r Message,
    write: &dyn Fn(&Part) -> Option<JsonBuilder>,
) -> Result<JsonBuilder, &'r Part> {
    let content = match message.content.as_slice() {
        [Part::Text(text)] => text.as_str().into(),
        content => JsonBuilder::list(parts(content, write)?.into_iter()),
    };
    Ok(fill_template(r#"{"role":?,"content":#}"#, &[message.role.name(), &content.into_text()]))
}

/// The content of the system messages, for APIs that take it separately.
fn system<'r>(
    request: &ChatRequest<'r>,
    write: &dyn Fn(&Part) -> Option<JsonBuilder>,
) -> Result<Option<JsonBuilder>, &'r Part> {
    let mut system = Vec::new();
    for message in request.messages {
        if message.role == Role::System {
            system.append(&mut parts(&message.content, write)?);
        }
    }
    Ok((!system.is_empty()).then(|| JsonBuilder::list(system.into_iter())))
}

/// The media type and the base64 of a `data:` URI; `None` for a URL.
pub(super) fn data_uri(text: &str) -> Option<(&str, &str)> {
    let (media_type, data) = split_once(text.strip_prefix("data:")?, ";base64,")?;
    Some((media_type.split_once(';').map_or(media_type, |(kind, _)| kind), data))
}

#[inline(never)]
fn member(name: &str, value: JsonBuilder) -> (String, JsonBuilder) {
    (name.to_owned(), value)
}

#[inline(never)]
fn at<'j, 'v>(value: &'j Json<'v>, path: &[&str]) -> Option<&'j Json<'v>> {
    path.iter().try_fold(value, |value, name| {
        let value = value.as_array().map_or(Some(value), first)?;
        value.as_object()?.get(name)
    })
}

/// The element with `index` 0, or else the first one.
fn first<'j, 'v>(list: &'j [Json<'v>]) -> Option<&'j Json<'v>> {
    let index = |item: &'j Json<'v>| item.as_object()?.get("index");
    let zero = Json::Number(Number::Integer(0));
    list.iter().find(|item| index(item) == Some(&zero)).or_else(|| list.first())
}

fn text_at<'j>(value: &'j Json<'_>, path: &[&str]) -> Option<&'j str> {
    at(value, path)?.as_str()
}

#[cfg(test)]
mod tests;
