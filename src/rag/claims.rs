//! Extracts the claims of a text: in one question about all its sentences, or in the three steps of claim
//! verification.

use super::indexed::{IndexedQuestion, IndexedQuestionConfig, IndexedQuestionInput};
use super::report;
use crate::chat::ChatModel;
use crate::error::{Error, Result};
use crate::json::{self, Json, Number, fill_template};
use crate::recipes::ItemQuestionConfig;
use crate::recipes::claim_verification::{Extraction, NumberedItem, Passage, groups};
use crate::recipes::question::Meter;
use crate::recipes::sentences::{self, Sentence};
use crate::tasks::join;
use serde::Deserialize;

/// How claims are extracted: with `sentences` in one question, or with the other three sentence by sentence.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimExtractionConfig {
    /// Asks for the claims of each sentence.
    pub sentences: Option<IndexedQuestionConfig>,
    /// The steps of claim verification: selection, disambiguation and decomposition.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "readonly ItemQuestionConfig[]"))]
    pub steps: Vec<ItemQuestionConfig>,
}

/// A text with claims.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClaimExtractionInput {
    /// The text.
    pub text: String,
    /// The question that it answers, if it is known.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub question: Option<String>,
    /// The maximum number of concurrent requests.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_concurrency: Number<'static>,
}

/// Extracts claims.
pub enum ClaimExtraction {
    /// All sentences in one question.
    Fast(Box<IndexedQuestion>),
    /// Sentence by sentence.
    Thorough(Box<Extraction>),
}

impl ClaimExtraction {
    /// Prepares the requests.
    pub fn new(ClaimExtractionConfig { sentences, steps }: ClaimExtractionConfig) -> Result<Self> {
        if let Some(question) = sentences {
            return IndexedQuestion::new(question).map(Box::new).map(Self::Fast);
        }
        let steps = <[_; 3]>::try_from(steps)
            .map_err(|_| Error::invalid_config("claims are extracted in three steps"))?;
        let [selection, disambiguation, decomposition] = steps;
        Extraction::new(selection, disambiguation, decomposition).map(Box::new).map(Self::Thorough)
    }

    /// The claims in the order of the text, as JSON text: `{ found: [{ claim, start, end }], metadata }`. The
    /// place of the sentence is in UTF-16 code units.
    pub async fn run(&self, model: &impl ChatModel, input: ClaimExtractionInput) -> Result<String> {
        let meter = Meter::default();
        let sentences = sentences::split(&input.text);
        let claims = match self {
            Self::Fast(question) => of_all(question, model, &meter, &input, &sentences).await?,
            Self::Thorough(extraction) => {
                let question = input.question.as_deref().unwrap_or_default();
                let (meter, sentences) = (&meter, sentences.as_slice());
                let groups = groups(sentences).into_iter().map(|group| {
                    let passage = Passage { question, text: &input.text, sentences, group };
                    extraction.claims(model, meter, passage)
                });
                let found = join(input.max_concurrency.to_usize(), groups).await?;
                found.into_iter().flat_map(|(claims, _)| claims).collect()
            }
        };
        let placed = claims.iter().filter_map(|NumberedItem { of, text }| {
            let Sentence { start, end, .. } = sentences.get(*of)?;
            let (start, end) = (start.to_string(), end.to_string());
            Some(fill_template(r#"{"claim":?,"start":#,"end":#}"#, &[text, &start, &end]))
        });
        report(placed, meter)
    }
}

/// Asks for the claims of all sentences.
async fn of_all(
    question: &IndexedQuestion,
    model: &impl ChatModel,
    meter: &Meter,
    input: &ClaimExtractionInput,
    sentences: &[Sentence<'_>],
) -> Result<Vec<NumberedItem>> {
    let mut places = Vec::new();
    let mut items = Vec::new();
    for (of, sentence) in sentences.iter().enumerate() {
        if sentence.has_words() {
            places.push(of);
            items.push(sentence.text.to_owned());
        }
    }
    let input = IndexedQuestionInput {
        items,
        contexts: Vec::new(),
        question: input.question.clone(),
        answer: Some(input.text.clone()),
        max_concurrency: input.max_concurrency.clone(),
    };
    let mut claims = Vec::new();
    for (of, answer) in places.into_iter().zip(question.ask(model, meter, &input).await?) {
        let answer = json::parse(&answer)?;
        let texts = answer.as_object().and_then(|answer| answer.get("claims")?.as_array());
        for text in texts.unwrap_or_default().iter().filter_map(Json::as_str) {
            if !text.trim().is_empty() {
                claims.push(NumberedItem { of, text: text.to_owned() });
            }
        }
    }
    Ok(claims)
}
