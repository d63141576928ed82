//! Steps of RAG metrics: questions about items, the extraction of claims, and scores from verdicts.

use super::chat::ChatModel;
use crate::json;
use crate::rag;
use wasm_bindgen::prelude::*;

/// A question about a list of items.
#[wasm_bindgen]
pub struct IndexedQuestion(rag::IndexedQuestion);

#[wasm_bindgen]
impl IndexedQuestion {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<IndexedQuestionConfig>")] config: &str,
    ) -> Result<IndexedQuestion, JsValue> {
        Ok(Self(rag::IndexedQuestion::new(json::read(config)?)?))
    }

    /// The answers in the order of the items, as `{ found, metadata }`.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<any>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<IndexedQuestionInput>")] input: String,
    ) -> Result<String, JsValue> {
        let model = model.session();
        let found = async { self.0.run(&model, &json::read(&input)?).await }.await;
        found.map_err(|error| model.explain(error))
    }
}

/// Extracts the claims of texts.
#[wasm_bindgen]
pub struct ClaimExtraction(rag::ClaimExtraction);

#[wasm_bindgen]
impl ClaimExtraction {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ClaimExtractionConfig>")] config: &str,
    ) -> Result<ClaimExtraction, JsValue> {
        Ok(Self(rag::ClaimExtraction::new(json::read(config)?)?))
    }

    /// The claims in the order of the text, as `{ found, metadata }`.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<any>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ClaimExtractionInput>")] input: String,
    ) -> Result<String, JsValue> {
        let model = model.session();
        let found = async { self.0.run(&model, json::read(&input)?).await }.await;
        found.map_err(|error| model.explain(error))
    }
}

/// The average precision of a ranking, from a verdict (1 or 0) for each rank.
#[wasm_bindgen(js_name = averagePrecisionOf)]
pub fn average_precision(verdicts: &[u8]) -> f64 {
    rag::average_precision(verdicts)
}

/// The weighted harmonic mean of precision and recall.
#[wasm_bindgen(js_name = fBeta)]
pub fn f_beta(precision: f64, recall: f64, beta: f64) -> f64 {
    rag::f_beta(precision, recall, beta)
}

/// The shares of wrong claims that relevant and irrelevant contexts support, in this order.
#[wasm_bindgen(js_name = noiseOf)]
pub fn noise(right: &[u8], supported: &[u8], reference_claims: usize) -> Vec<f64> {
    let rag::Noise { relevant, irrelevant } = rag::noise(right, supported, reference_claims);
    vec![relevant, irrelevant]
}

/// The mean cosine similarity of the first vector and the others, all of the same length.
#[wasm_bindgen(js_name = meanSimilarity)]
pub fn mean_similarity(vectors: &[f64], count: usize) -> Result<f64, JsValue> {
    Ok(rag::mean_similarity(vectors, count)?)
}
