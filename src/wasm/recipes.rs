//! Eval Recipes: each is an object that reads its configuration once and returns results as JSON text.

use super::chat::{ChatModel, Session, explain};
use crate::error::Result;
use crate::json;
use crate::recipes::{self, VerifiedClaim};
use js_sys::{Function, Promise};
use serde::Serialize;
use std::pin::Pin;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Criteria that responses have to meet.
#[wasm_bindgen]
pub struct CheckCriteria(recipes::CheckCriteria);

#[wasm_bindgen]
impl CheckCriteria {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<CheckCriteriaConfig>")] config: &str,
    ) -> Result<CheckCriteria, JsValue> {
        Ok(Self(recipes::CheckCriteria::new(json::read(config)?)?))
    }

    /// Judges a response by the criteria.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<CheckCriteriaResult>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<CheckCriteriaInput>")] input: String,
    ) -> Result<String, JsValue> {
        let model = model.session();
        found(&[&model], async { self.0.run(&model, json::read(&input)?).await }).await
    }
}

/// Extracts claims from answers and verifies them.
#[wasm_bindgen]
pub struct ClaimVerification(recipes::ClaimVerification);

#[wasm_bindgen]
impl ClaimVerification {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ClaimVerificationConfig>")] config: &str,
    ) -> Result<ClaimVerification, JsValue> {
        Ok(Self(recipes::ClaimVerification::new(json::read(config)?)?))
    }

    /// Extracts the claims of an answer with `model` and verifies them with `verifier`. `report` is called with each claim as
    /// soon as it is verified; it resolves once the claim is consumed, to `true` to end the run.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<ClaimVerificationResult>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        verifier: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ClaimVerificationInput>")] input: String,
        #[wasm_bindgen(unchecked_param_type = "(claim: JsonOf<VerifiedClaim>) => Promise<boolean>")]
        report: Function,
    ) -> Result<String, JsValue> {
        let (model, verifier) = (model.session(), verifier.session());
        let report = |claim: &VerifiedClaim| -> Pin<Box<dyn Future<Output = bool>>> {
            // Neither fails: any claim can be written, and the function only puts it where it is waited for.
            let claim = json::write(claim).unwrap_or_default();
            let taken = report.call1(&JsValue::UNDEFINED, &claim.into()).unwrap_or_default();
            Box::pin(async move {
                JsFuture::from(Promise::resolve(&taken)).await.is_ok_and(|stop| stop.is_truthy())
            })
        };
        let run = async { self.0.run(&model, &verifier, json::read(&input)?, &report).await };
        found(&[&model, &verifier], run).await
    }
}

/// Compares requests with capabilities.
#[wasm_bindgen]
pub struct Guidance(recipes::Guidance);

#[wasm_bindgen]
impl Guidance {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<GuidanceConfig>")] config: &str,
    ) -> Result<Guidance, JsValue> {
        Ok(Self(recipes::Guidance::new(json::read(config)?)?))
    }

    /// Judges the handling of a request that is out of scope.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<GuidanceResult>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<GuidanceRequest>")] input: String,
    ) -> Result<String, JsValue> {
        let model = model.session();
        found(&[&model], async { self.0.run(&model, json::read(&input)?).await }).await
    }
}

/// Writes capability manifests.
#[wasm_bindgen]
pub struct CapabilityManifest(recipes::CapabilityManifest);

#[wasm_bindgen]
impl CapabilityManifest {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<RecipeQuestion>")] config: &str,
    ) -> Result<CapabilityManifest, JsValue> {
        Ok(Self(recipes::CapabilityManifest::new(json::read(config)?)?))
    }

    /// Writes the manifest of an assistant.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<Manifest>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<DescribedAssistant>")] input: String,
    ) -> Result<String, JsValue> {
        let model = model.session();
        found(&[&model], async { self.0.run(&model, json::read(&input)?).await }).await
    }
}

/// Extracts preferences and judges a response by them.
#[wasm_bindgen]
pub struct PreferenceAdherence(recipes::PreferenceAdherence);

#[wasm_bindgen]
impl PreferenceAdherence {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<PreferenceAdherenceConfig>")] config: &str,
    ) -> Result<PreferenceAdherence, JsValue> {
        Ok(Self(recipes::PreferenceAdherence::new(json::read(config)?)?))
    }

    /// Judges a response by the preferences of the user.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<PreferenceAdherenceResult>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<PreferenceAdherenceInput>")] input: String,
    ) -> Result<String, JsValue> {
        let model = model.session();
        found(&[&model], async { self.0.run(&model, json::read(&input)?).await }).await
    }
}

/// Compares the called tools with those that should be called.
#[wasm_bindgen]
pub struct ToolUsage(recipes::ToolUsage);

#[wasm_bindgen]
impl ToolUsage {
    /// Reads the configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ToolUsageConfig>")] config: &str,
    ) -> Result<ToolUsage, JsValue> {
        Ok(Self(recipes::ToolUsage::new(json::read(config)?)?))
    }

    /// Judges tool calls.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<ToolUsageResult>")]
    pub async fn run(
        &self,
        model: &ChatModel,
        #[wasm_bindgen(unchecked_param_type = "JsonOf<ToolUsageInput>")] input: String,
    ) -> Result<String, JsValue> {
        let model = model.session();
        found(&[&model], async { self.0.run(&model, json::read(&input)?).await }).await
    }
}

/// The result of a recipe as JSON text, or its error, with the cause if a model failed.
async fn found<T: Serialize>(
    models: &[&Session<'_>],
    run: impl Future<Output = Result<T>>,
) -> Result<String, JsValue> {
    let result = run.await.map_err(|error| explain(models, error))?;
    Ok(json::write(&result)?)
}
