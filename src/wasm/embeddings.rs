//! Embeddings: a model behind `fetch`.

use super::chat::with_cause;
use super::fetch::{Fetch, Permit, Requests, Slots};
use crate::chat::{self, Endpoint, EndpointConfig};
use crate::error::Result;
use crate::json;
use js_sys::Function;
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

/// What [`Embedder`] writes. It is not a Rust type, because the numbers of vectors keep their spelling.
#[wasm_bindgen(typescript_custom_section)]
const EMBEDDING: &str = r#"
/** The vectors of texts, in their order, and what the request for them used. */
export interface Embedding {
    vectors: number[][];
    /** The token usage, if the provider reports it. */
    usage?: Usage;
    /** How many requests were sent for it. */
    attempts: number;
}
"#;

/// A model that turns texts into vectors.
#[wasm_bindgen]
pub struct Embedder(chat::Embedder<Fetch>, Option<Slots>);

/// An embeddings model behind an HTTP API.
#[derive(Deserialize, tsify::Tsify)]
pub struct EmbedderConfig {
    /// Its endpoint.
    pub endpoint: EndpointConfig,
    /// The number of dimensions of a vector; the model decides by default.
    pub dimensions: Option<u32>,
}

#[wasm_bindgen]
impl Embedder {
    /// A model behind an HTTP API, as for a chat model.
    #[wasm_bindgen(js_name = fromProvider)]
    pub fn from_provider(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<EmbedderConfig>")] config: &str,
        fetch: Option<Function>,
        signal: Option<AbortSignal>,
        slots: Option<Slots>,
        #[wasm_bindgen(unchecked_param_type = "OpenAccess | undefined")] open: Option<Function>,
        requests: Requests,
    ) -> Result<Embedder, JsValue> {
        let EmbedderConfig { endpoint, dimensions } = json::read(config)?;
        let endpoint = Endpoint { config: endpoint, transport: Fetch::new(fetch, signal, open, requests) };
        Ok(Self(chat::Embedder { endpoint, dimensions }, slots))
    }

    /// The vectors of a list of texts, and what they used.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<Embedding>")]
    pub async fn embed(
        &self,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<string[]>")] texts: String,
    ) -> Result<String, JsValue> {
        let _permit = Permit::acquire(self.1.as_ref()).await;
        self.0.embed(&texts).await.map_err(|error| {
            let cause = self.0.endpoint.transport.cause(&error);
            with_cause(error, cause)
        })
    }
}
