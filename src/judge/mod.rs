//! LLM-as-judge: a model reads the rendered prompt and returns a verdict, which is validated before it
//! counts.
//!
//! If a verdict is invalid, the judge is asked once more, with the problem. After that it is an error: a
//! failure is never a score.

mod schema;
mod verdict;
mod vote;

use crate::chat::{
    ChatModel, ChatRequest, Completion, Finish, Message, OutputSchema, Part, PromptCaching, Role, Usage,
};
use crate::error::{Code, Error, Result};
use crate::json::{self, Json, Object};
use crate::json_schema::{Misfit, TextRule, TextRules};
use crate::logprobs::AnswerToken;
use crate::prompt::{Template, push_value};
use crate::scale::{Scales, ScoreScale};
use crate::text::beginning;
pub use schema::CustomSchema;
use serde::{Deserialize, Serialize};
use verdict::{Form, Scale};
pub use vote::{Tally, VoteRule};

/// The score scales, by result key.
pub const SCALES: &Scales = &[("judge", ScoreScale::VERDICT), ("continuous_judge", ScoreScale::SHARE)];

/// The options of the evaluator.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct JudgeConfig {
    /// The template of the user message. Without it, questions are lists of messages.
    pub prompt: Option<String>,
    /// The system message. Not a template.
    pub system: Option<String>,
    /// Whether scores are numbers from 0 to 1. The default is `true` or `false`.
    pub continuous: bool,
    /// The allowed scores, each as the JSON text of a number.
    pub choices: Option<Vec<String>>,
    /// Whether the judge explains its score.
    pub use_reasoning: bool,
    /// Examples, which are appended to the user message.
    pub few_shot_examples: Vec<Example>,
    /// A schema for the whole verdict. The default has a score and, with `use_reasoning`, an explanation.
    pub output_schema: Option<CustomSchema>,
    /// Whether the constant start of the prompt is marked for the provider's prompt cache, and how long the
    /// cache keeps it.
    pub prompt_caching: Option<PromptCaching>,
    /// Whether the metadata includes the log probabilities of the answer's tokens, if the provider reports
    /// them.
    pub logprobs: bool,
    /// Whether the answer is free text, which becomes the verdict `{ text }`.
    #[serde(skip)]
    pub free_text: bool,
}

/// A few-shot example of a verdict.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Example {
    /// The inputs of the application, as JSON text.
    pub inputs: String,
    /// Its outputs, as JSON text.
    pub outputs: String,
    /// The reason for the score.
    pub reasoning: Option<String>,
    /// The score, as text.
    pub score: Option<String>,
}

/// A verdict with its metadata.
#[derive(Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Evaluation {
    /// The judge's verdict.
    pub verdict: Verdict,
    /// The model, usage and number of requests.
    pub metadata: Metadata,
}

/// A judge's verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Verdict {
    /// A score with its reasoning.
    Scored(Scored),
    /// A value of the caller's schema: the JSON text that the model wrote.
    Custom(String),
}

/// A score with its reasoning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Scored {
    /// The JSON text of the score: `true`, `false`, or the number as the model wrote it.
    pub score: String,
    /// The judge's reasoning, if it was requested and given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// The usage of a verdict, including the invalid attempt.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Metadata {
    /// The model that answered, if the provider reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The token usage, if the provider reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The number of requests that were sent.
    pub attempts: u32,
    /// The variables that were not passed, so that their optional blocks were removed from the prompt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub omitted: Vec<String>,
    /// The first tokens of the answer with their probabilities, if they were requested and the provider
    /// reports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub logprobs: Option<Vec<AnswerToken>>,
    /// The probability that the model gives its verdict, from 0 to 1, if its client reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub confidence: Option<f64>,
    /// A hash of the prompt's template, the system message, the examples and the schema of answers, which is the same for all
    /// questions. Missing if the caller writes the messages.
    #[serde(rename = "promptHash", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub prompt_hash: Option<String>,
}

/// Additional validation of an answer that fits the schema, given as JSON text.
pub type AnswerCheck<'a> = dyn Fn(&str) -> Result<()> + 'a;

/// The outcome of a request that the model answered.
enum Attempt {
    Verdict(Verdict),
    /// The judge asks once more, with the problem of the answer.
    Invalid {
        answer: String,
        problem: String,
    },
}

/// A configured judge.
#[derive(Debug)]
pub struct Judge {
    template: Option<Template>,
    hash: Option<String>,
    system: Option<String>,
    examples: String,
    schema: Option<OutputSchema>,
    form: Form,
    text_rules: Vec<TextRule>,
    prompt_caching: Option<PromptCaching>,
    logprobs: bool,
}

impl Judge {
    /// Checks the options and makes a judge.
    pub fn new(config: JudgeConfig) -> Result<Self> {
        let scale = match config.choices {
            Some(choices) => Scale::Choices(
                choices.iter().map(|text| Ok(json::parse(text)?.into_owned())).collect::<Result<_>>()?,
            ),
            None if config.continuous => Scale::Continuous,
            None => Scale::Boolean,
        };
        let mut text_rules = Vec::new();
        let (schema, form) = match config.output_schema {
            Some(schema) => {
                let (schema, read, rules) =
                    schema::custom(schema).map_err(|error| error.at("outputSchema"))?;
                text_rules = rules;
                (Some(schema), Form::Custom(read))
            }
            None if config.free_text => (None, Form::Text),
            None => {
                let reasoned = config.use_reasoning;
                (Some(schema::of_score(&scale, reasoned)), Form::Score { scale, reasoned })
            }
        };
        let template = config.prompt.as_deref().map(Template::parse).transpose()?;
        let examples = write_examples(&config.few_shot_examples);
        let JudgeConfig { prompt, system, prompt_caching, logprobs, .. } = config;
        let answers = schema.as_ref().map_or("", |schema| &schema.schema);
        let hash = prompt
            .map(|prompt| hash_of(&[&prompt, system.as_deref().unwrap_or_default(), &examples, answers]));
        Ok(Self { template, hash, system, examples, schema, form, text_rules, prompt_caching, logprobs })
    }

    /// The schema that answers have to fit; `None` if any text is valid.
    pub fn schema(&self) -> Option<&OutputSchema> {
        self.schema.as_ref()
    }

    /// The patterns and formats of the caller's schema.
    pub fn text_rules(&self) -> &[TextRule] {
        &self.text_rules
    }

    /// Asks for a verdict. `question` is the JSON text of an object with the template's variables (strings,
    /// and content parts in `attachments`), or of a list of messages. `rules` checks [`Self::text_rules`].
    pub fn evaluate<M: ChatModel>(
        &self,
        model: &M,
        question: &str,
        rules: &TextRules<'_>,
    ) -> impl Future<Output = Result<Evaluation>> {
        self.evaluate_checked(model, question, rules, None)
    }

    /// Like `evaluate`, for verdicts of the caller's schema with an additional check. If it fails, the judge
    /// is asked once more, with the message of the check.
    pub async fn evaluate_checked<M: ChatModel>(
        &self,
        model: &M,
        question: &str,
        rules: &TextRules<'_>,
        check: Option<&AnswerCheck<'_>>,
    ) -> Result<Evaluation> {
        let question = json::parse(question)?;
        let mut messages = self.messages(&question)?;
        let omitted = match (&self.template, &question) {
            (Some(template), Json::Object(variables)) => template.omitted(variables)?,
            _ => Vec::new(),
        };
        let mut metadata = Metadata { omitted, prompt_hash: self.hash.clone(), ..Metadata::default() };

        let (answer, problem) = match self.ask(model, &messages, rules, check, &mut metadata).await? {
            Attempt::Verdict(verdict) => {
                model.used(&messages, &messages);
                return Ok(Evaluation { verdict, metadata });
            }
            Attempt::Invalid { answer, problem } => (answer, problem),
        };
        let question = messages.clone();
        messages.extend(self.correction(&answer, &problem));
        match self.ask(model, &messages, rules, check, &mut metadata).await? {
            Attempt::Verdict(verdict) => {
                model.used(&question, &messages);
                Ok(Evaluation { verdict, metadata })
            }
            Attempt::Invalid { answer, problem } => {
                Err(unusable(ASKED_TWICE, &answer, &problem, metadata.attempts))
            }
        }
    }

    fn messages(&self, question: &Json<'_>) -> Result<Vec<Message>> {
        let mut messages: Vec<Message> =
            self.system.iter().map(|text| Message::new(Role::System, text)).collect();
        match (&self.template, question) {
            (Some(template), Json::Object(variables)) => {
                messages.push(fill_in(template, variables)?);
                if let Some(ttl) = self.prompt_caching {
                    mark_prefix(&mut messages, template.beginning(), ttl);
                }
            }
            (None, Json::Array(list)) => {
                for message in list {
                    messages.push(Message::from_json(message)?);
                }
            }
            _ => {
                return Err(Error::invalid_input(
                    "a question is an object of variables or a list of messages",
                ));
            }
        }
        if !self.examples.is_empty() {
            let asked = messages.iter_mut().rev().find(|message| message.role == Role::User);
            let asked = asked.ok_or_else(|| {
                Error::invalid_input(
                    "fewShotExamples are appended to the last user message, but the prompt has none.",
                )
            })?;
            asked.push_text(&self.examples);
        }
        Ok(messages)
    }

    /// Asks once. Fails if another answer could not be better.
    async fn ask<M: ChatModel>(
        &self,
        model: &M,
        messages: &[Message],
        rules: &TextRules<'_>,
        check: Option<&AnswerCheck<'_>>,
        metadata: &mut Metadata,
    ) -> Result<Attempt> {
        let request = ChatRequest { messages, schema: self.schema.as_ref(), logprobs: self.logprobs };
        let completion = model.complete(&request).await.map_err(|error| {
            error.with(|error| error.attempts = error.attempts.map(|attempts| attempts + metadata.attempts))
        })?;
        let Completion { text, finish, model, usage, attempts, logprobs, confidence, .. } = completion;
        metadata.logprobs = logprobs;
        metadata.confidence = confidence;
        metadata.attempts += attempts;
        metadata.model = model.or(metadata.model.take());
        if let Some(usage) = usage {
            *metadata.usage.get_or_insert_default() += usage;
        }
        let retryable = |what: String| Misfit { what, is_final: false };
        let read = match finish {
            Finish::Refused(reason) => return Err(refused(&reason, metadata.attempts)),
            // Also if the verdict is complete: the missing part may have corrected it. A second answer would be
            // cut off, too.
            Finish::Truncated => Err(Misfit { what: CUT_OFF.to_owned(), is_final: true }),
            Finish::Unreadable(problem) => Err(retryable(problem.trim_end_matches('.').to_owned())),
            Finish::Complete => match (self.form.read(&text, rules), check) {
                (Ok(Verdict::Custom(answer)), Some(check)) => match check(&answer) {
                    Ok(()) => Ok(Verdict::Custom(answer)),
                    Err(error) => Err(retryable(error.message.clone())),
                },
                (read, _) => read,
            },
        };
        match read {
            Ok(verdict) => Ok(Attempt::Verdict(verdict)),
            Err(Misfit { what, is_final: false }) => Ok(Attempt::Invalid { answer: text, problem: what }),
            // No other answer would be valid.
            Err(Misfit { what, .. }) => {
                Err(unusable("The judge's answer cannot be used", &text, &what, metadata.attempts))
            }
        }
    }

    /// The messages that tell the model what was wrong with its answer.
    fn correction(&self, answer: &str, problem: &str) -> [Message; 2] {
        let mut request = ["This answer cannot be used: ", problem, ". Answer again"].concat();
        request.extend(match &self.schema {
            Some(OutputSchema { schema, .. }) => {
                [", only with JSON that matches this JSON schema:\n", schema]
            }
            None => [".", ""],
        });
        // Some APIs reject messages without text, and some require alternating roles.
        let answer = if answer.trim().is_empty() { "(no answer)".to_owned() } else { shorten(answer, 8_000) };
        [Message::new(Role::Assistant, answer), Message::new(Role::User, request)]
    }
}

/// Renders a template as a user message. Attachments are inserted at `{attachments}`, or else at the end.
fn fill_in(template: &Template, variables: &Object<'_>) -> Result<Message> {
    const ATTACHMENTS: &str = "attachments";
    let Some(Json::Array(attachments)) = variables.get(ATTACHMENTS) else {
        return Ok(Message::new(Role::User, template.render(variables)?));
    };
    let (before, after) = template.render_around(variables, ATTACHMENTS)?;
    let text = |text: String| Some(Part::Text(text)).filter(|part| *part != Part::Text(String::new()));
    let mut content: Vec<Part> = text(before).into_iter().collect();
    for attachment in attachments {
        content.push(Part::from_json(attachment)?);
    }
    content.extend(after.and_then(text));
    Ok(Message { role: Role::User, content })
}

/// Marks the constant start of all requests for the prompt cache: the start of the template and everything
/// before it; without a template, the system message. Only Anthropic's API needs the mark, and other requests
/// do not change.
fn mark_prefix(messages: &mut [Message], beginning: &str, ttl: PromptCaching) {
    let Some((message, before)) = messages.split_last_mut() else { return };
    if let Some(Part::Text(text)) = message.content.first_mut()
        && let Some(rest) = text.strip_prefix(beginning)
        // The API rejects empty texts.
        && !beginning.is_empty()
        && !rest.trim().is_empty()
    {
        *text = rest.to_owned();
        message.content.insert(0, Part::Prefix { text: beginning.to_owned(), ttl });
    } else if let Some(Message { content, .. }) = before.last_mut()
        && let [Part::Text(text)] = content.as_mut_slice()
        && !text.trim().is_empty()
    {
        *content = vec![Part::Prefix { text: std::mem::take(text), ttl }];
    }
}

/// The tags around an example and its parts. Data in a part cannot close any of them.
const TAGS: [&str; 5] = ["input", "output", "reasoning", "score", "example"];

fn write_examples(examples: &[Example]) -> String {
    let mut text = String::new();
    for (index, example) in examples.iter().enumerate() {
        let Example { inputs, outputs, reasoning, score } = example;
        text.push_str(if index == 0 { "\n\n" } else { "\n" });
        text.push_str("<example>");
        let parts = [Some(inputs), Some(outputs), reasoning.as_ref(), score.as_ref()];
        for (name, part) in TAGS.into_iter().zip(parts) {
            if let Some(part) = part {
                text.extend(["\n<", name, ">"]);
                push_value(&mut text, part, &TAGS);
                text.extend(["</", name, ">"]);
            }
        }
        text.push_str("\n</example>");
    }
    text
}

/// The 64-bit FNV-1a hash of texts. It is recorded in files, so it must not change with the version or the platform.
fn hash_of(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xff]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn refused(reason: &str, attempts: u32) -> Error {
    let message = format!("The model declined to judge: {}", shorten(reason, 300));
    Error::new(Code::Refused, message).with(|error| error.attempts = Some(attempts))
}

const CUT_OFF: &str = "it was cut off at its token limit. Raise maxTokens, or the limit of the client that was passed; \
                       reasoning counts towards it, too";

const ASKED_TWICE: &str = "The judge was asked twice, and its answer still cannot be used";

fn unusable(what: &str, answer: &str, problem: &str, attempts: u32) -> Error {
    let raw = json::without_lone_surrogates(answer).into_owned();
    let mut message = format!("{what}: {problem}.");
    if !raw.trim().is_empty() {
        // `splitAnswer` of the package finds the answer by these words.
        message.push_str(&format!(" It answered: {}", shorten(&raw, 300)));
    }
    Error::new(Code::InvalidJudgeOutput, message).with(|error| {
        error.attempts = Some(attempts);
        error.raw = Some(raw);
    })
}

fn shorten(text: &str, limit: usize) -> String {
    let text = json::without_lone_surrogates(text);
    match beginning(&text, limit) {
        Some(start) => format!("{start}…"),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests;
