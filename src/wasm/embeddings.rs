//! Embeddings: a model behind `fetch`.

use super::chat::{endpoint, with_cause};
use super::fetch::{Fetch, Pass, Turnstile};
use crate::chat;
use crate::error::{Code, Result};
use crate::json::Fields;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

/// A model that turns texts into vectors.
#[wasm_bindgen]
pub struct Embedder(chat::Embedder<Fetch>, Option<Turnstile>);

#[wasm_bindgen]
impl Embedder {
    /// A model behind an HTTP API, as for a chat model.
    #[wasm_bindgen(js_name = fromProvider)]
    pub fn from_provider(
        options: &str,
        fetch: Option<Function>,
        signal: Option<AbortSignal>,
        turnstile: Option<Turnstile>,
    ) -> Result<Embedder, JsValue> {
        let options = Fields::read(options)?;
        let endpoint = endpoint(&options, Fetch { fetch, signal })?;
        let dimensions = options.whole("dimensions").ok();
        Ok(Self(chat::Embedder { endpoint, dimensions }, turnstile))
    }

    /// The vectors of a list of texts, both as JSON text.
    pub async fn embed(&self, texts: String) -> Result<String, JsValue> {
        let _pass = Pass::through(self.1.as_ref()).await;
        self.0.embed(&texts).await.map_err(|error| {
            let is_aborted = error.code == Code::Aborted;
            with_cause(error, self.0.endpoint.transport.reason().filter(|_| is_aborted))
        })
    }
}
