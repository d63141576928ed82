//! How each API wants to be asked, and how it answers: mostly names and places, so mostly tables.

mod anthropic;
mod bedrock;
mod errors;
mod google;
mod logprobs;
mod ollama;
mod openai;
mod responses;
mod schema;

pub(super) use errors::{error_message, is_moderation, relayed_status, retry_delay};

use super::{ChatRequest, Completion, Finish, Message, OutputSchema, Part, Role, Usage, filled};
use crate::json::{self, Draft, Json, Number};
use crate::logprobs::AnswerToken;
use crate::text::split_once;
use serde::Deserialize;

/// A family of APIs. Which provider speaks which is a table of the package (`providers.ts`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Dialect {
    /// The chat completions of OpenAI.
    #[serde(rename = "openai")]
    OpenAi,
    /// The Responses API of OpenAI, and of those who offer the same.
    Responses,
    /// The chat completions of OpenAI as others offer them.
    #[serde(rename = "openai-compatible")]
    OpenAiCompatible,
    /// The same as Mistral offers it, with names of its own for some things.
    Mistral,
    /// The messages of Anthropic.
    Anthropic,
    /// The same as Vertex AI offers it: the address names the model, and the body the version.
    VertexAnthropic,
    /// The `Converse` of Amazon Bedrock.
    Bedrock,
    /// The content generation of Gemini.
    Google,
    /// The chat of Ollama.
    Ollama,
}

/// How an answer gets the form that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Structure {
    /// The API is given the schema.
    Schema,
    /// The API is asked for JSON, and the model for the schema.
    JsonObject,
    /// The model is asked, in its prompt.
    Prompt,
}

/// How a model is to answer, as far as it is not left to the API.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings<'c> {
    /// The JSON text of a number.
    pub temperature: Option<&'c str>,
    pub max_tokens: Option<u32>,
    /// At how many tokens for each place their probabilities are asked for; not at all for none.
    pub logprobs: u32,
}

/// What a dialect calls things, and where they are.
struct Api {
    /// The member of the body that holds the settings; the body itself if it is empty.
    settings: &'static str,
    /// The setting that limits the length of an answer.
    limit: &'static str,
    /// The limit of an API that insists on one.
    default_limit: Option<u32>,
    /// Where an answer says its text, or has parts that do.
    content: Path,
    /// Where it says why it ended; the first place that is there counts.
    reasons: &'static [Path],
    /// The reasons that mean that it was cut off.
    truncated: &'static [&'static str],
    /// The reasons that mean a refusal, or, where others than these do, those that do not.
    refused: &'static [&'static str],
    others_refuse: bool,
    /// Where an answer that was refused says why.
    explanations: &'static [Path],
    /// A text that is there only when the answer was refused; nowhere if it is empty.
    refusal: Path,
    /// Where it names its model.
    model: Path,
    /// Where it counts tokens, and the counts that add up to what was read, and to what was written.
    usage: Path,
    read: &'static [&'static str],
    written: &'static [&'static str],
    /// Where, among the counts, it says how much of what was written were thoughts, and how much of what was read came
    /// from a cache; nowhere if it is empty.
    thought: Path,
    cached: Path,
}

/// A way into a value, by the names of members; a list is entered at its first element.
type Path = &'static [&'static str];

/// The members of an object in the making.
type Members = Vec<(String, Draft)>;

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

    /// The limit on the length of an answer where nobody sets one, as far as that is ours.
    pub(super) fn default_limit(self) -> u32 {
        self.api().default_limit.unwrap_or(0)
    }

    /// What that limit is called in a body: by its own name, or the older one, which many take.
    pub(super) fn limits(self) -> [&'static str; 2] {
        [self.api().limit, "max_tokens"]
    }

    /// Whether the API can be given this schema.
    pub(super) fn takes(self, schema: &OutputSchema) -> bool {
        let Ok(read) = json::parse(&schema.schema) else { return false };
        // Anthropic's and Amazon's want closed objects.
        let closed = matches!(self, Self::Anthropic | Self::VertexAnthropic | Self::Bedrock);
        text_at(&read, &["type"]) == Some("object")
            && (!closed || schema.strict || schema::can_be_closed(&read))
    }

    /// The body of a request; or else the part of a message that the API has no form for.
    pub(super) fn body<'r>(
        self,
        model: &str,
        options: Settings<'_>,
        request: &ChatRequest<'r>,
        structure: Structure,
    ) -> Result<Draft, &'r Part> {
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
                (_, Self::Ollama) => body.push(member("format", Draft::verbatim(&schema.schema))),
                _ => body.push(openai::format(schema)),
            }
        }
        if let Some(temperature) = options.temperature {
            settings.push(member("temperature", Draft::verbatim(temperature)));
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
            body.push(member(api.settings, Draft::Object(settings)));
        }
        Ok(Draft::Object(body))
    }

    /// The tokens that an answer begins with, if it tells how likely they were.
    pub(super) fn logprobs(self, answer: &Json<'_>) -> Option<Vec<AnswerToken>> {
        logprobs::read(self, answer)
    }

    /// The completion in an answer; `None` if there is none in it.
    pub(super) fn read(self, answer: &Json<'_>) -> Option<Completion> {
        let api = self.api();
        let reason = api.reasons.iter().find_map(|path| text_at(answer, path));
        let content = at(answer, api.content);
        let (text, refusal) = match self {
            Self::Responses => responses::said(answer),
            _ => (
                content.map(said).unwrap_or_default(),
                text_at(answer, api.refusal).filter(|_| !api.refusal.is_empty()),
            ),
        };
        let refusal = refusal.filter(|text| !text.is_empty());
        // Some relay a failure as the end of an answer.
        let is_failure = reason.is_some_and(|reason| FAILURES.contains(&reason));
        if is_failure || (content.is_none() && reason.is_none() && refusal.is_none()) {
            return None;
        }
        let is = |reasons: &[&str]| reason.is_some_and(|reason| reasons.contains(&reason));
        let finish = if let Some(refusal) = refusal {
            Finish::Refused(refusal.to_owned())
        } else if is(api.truncated) {
            Finish::Truncated
        } else if let Some(reason) = reason
            && is(api.refused) != api.others_refuse
        {
            let mut explanations = api.explanations.iter().filter_map(|path| text_at(answer, path));
            Finish::Refused(explanations.next().unwrap_or(reason).to_owned())
        } else if answer.as_object().and_then(|answer| answer.get("error")).is_some_and(is_something) {
            Finish::Unreadable("an error of the API came with it".to_owned())
        } else {
            Finish::Complete
        };
        Some(Completion {
            text,
            finish,
            model: text_at(answer, api.model).map(str::to_owned),
            usage: at(answer, api.usage).and_then(|counts| usage(counts, api)),
            attempts: 1,
            logprobs: None,
        })
    }
}

/// The ends of answers that are none: a request has failed, or is not done yet.
const FAILURES: [&str; 5] = ["error", "failed", "cancelled", "in_progress", "queued"];

/// Some APIs have a place for errors in all answers.
fn is_something(value: &Json<'_>) -> bool {
    let text = value.to_text();
    !["null", "false", "\"\"", "{}"].contains(&text.as_str())
}

/// What a text or a list of parts says. Thoughts are no part of it.
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

/// The tokens of an answer, each the sum of the counts that are there; unknown if one side has none.
fn usage(counts: &Json<'_>, api: &Api) -> Option<Usage> {
    let count = |path: Path| match at(counts, path) {
        Some(Json::Number(Number::Integer(count))) => Some(u64::try_from(*count).unwrap_or(0)),
        _ => None,
    };
    let sum = |names: &'static [&'static str]| {
        names.chunks(1).filter_map(count).reduce(|sum, count| sum.saturating_add(count))
    };
    let (input_tokens, mut output_tokens) = (sum(api.read)?, sum(api.written)?);
    let some = |path: Path| count(path).filter(|count| *count > 0);
    let reasoning_tokens = some(api.thought);
    // xAI counts thoughts apart from the rest, which only its total shows.
    if let (Some(thought), Some(total)) = (reasoning_tokens, count(&["total_tokens"]))
        && total == input_tokens.saturating_add(output_tokens).saturating_add(thought)
    {
        output_tokens = output_tokens.saturating_add(thought);
    }
    Some(Usage { input_tokens, output_tokens, reasoning_tokens, cached_input_tokens: some(api.cached) })
}

/// Messages, as `write` has them.
fn messages<'r>(
    request: &ChatRequest<'r>,
    with_system: bool,
    write: &dyn Fn(&'r Message) -> Result<Draft, &'r Part>,
) -> Result<Draft, &'r Part> {
    let mut list = Vec::new();
    for message in request.messages {
        if with_system || message.role != Role::System {
            list.push(write(message)?);
        }
    }
    Ok(Draft::list(list.into_iter()))
}

/// The parts of a message, each in the form of an API.
fn parts<'r>(content: &'r [Part], write: &dyn Fn(&Part) -> Option<Draft>) -> Result<Vec<Draft>, &'r Part> {
    let mut parts = Vec::with_capacity(content.len());
    for part in content {
        parts.push(write(part).ok_or(part)?);
    }
    Ok(parts)
}

/// A message as most APIs have it: words alone are a text.
fn message<'r>(message: &'r Message, write: &dyn Fn(&Part) -> Option<Draft>) -> Result<Draft, &'r Part> {
    let content = match message.content.as_slice() {
        [Part::Text(text)] => text.as_str().into(),
        content => Draft::list(parts(content, write)?.into_iter()),
    };
    Ok(filled(r#"{"role":?,"content":#}"#, &[message.role.name(), &content.into_text()]))
}

/// What the system messages say and show, for APIs that want it apart from the conversation.
fn system<'r>(
    request: &ChatRequest<'r>,
    write: &dyn Fn(&Part) -> Option<Draft>,
) -> Result<Option<Draft>, &'r Part> {
    let mut system = Vec::new();
    for message in request.messages {
        if message.role == Role::System {
            system.append(&mut parts(&message.content, write)?);
        }
    }
    Ok((!system.is_empty()).then(|| Draft::list(system.into_iter())))
}

/// The media type and the base64 of a `data:` URI; `None` for an address.
pub(super) fn data_uri(text: &str) -> Option<(&str, &str)> {
    let (media_type, data) = split_once(text.strip_prefix("data:")?, ";base64,")?;
    Some((media_type.split_once(';').map_or(media_type, |(kind, _)| kind), data))
}

#[inline(never)]
fn member(name: &str, value: Draft) -> (String, Draft) {
    (name.to_owned(), value)
}

#[inline(never)]
fn at<'j, 'v>(value: &'j Json<'v>, path: &[&str]) -> Option<&'j Json<'v>> {
    path.iter().try_fold(value, |value, name| {
        let value = value.as_array().map_or(Some(value), first)?;
        value.as_object()?.get(name)
    })
}

/// The first of a list: that with `index` 0, if they have one, wherever it stands.
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
