//! Capability manifests: what an assistant can and cannot do, derived from its instructions.

use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::conversation::render_tools;
use crate::error::Result;
use crate::json;
use serde::{Deserialize, Serialize};

/// The configuration of an assistant.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DescribedAssistant {
    /// The system message; may be empty.
    pub system_prompt: String,
    /// The assistant's tools.
    pub tools: Vec<DescribedTool>,
}

/// A tool with its description.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DescribedTool {
    /// The name of the tool.
    pub tool_name: String,
    /// The description and parameters of the tool, as text.
    pub tool_text: String,
}

/// A capability manifest with its token usage.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Manifest {
    /// The manifest, as Markdown.
    pub capability_manifest: String,
    /// The token usage, if the provider reports it.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// The model's answer: free text.
#[derive(Deserialize)]
struct ManifestAnswer {
    text: String,
}

/// The recipe that writes capability manifests.
pub struct CapabilityManifest(Question);

impl CapabilityManifest {
    /// Prepares the request.
    pub fn new(question: RecipeQuestion) -> Result<Self> {
        Question::new("capability_manifest", question).map(Self)
    }

    /// Writes the manifest of an assistant.
    pub async fn run(&self, model: &impl ChatModel, assistant: DescribedAssistant) -> Result<Manifest> {
        let meter = Meter::default();
        let DescribedAssistant { system_prompt, tools } = &assistant;
        let system_prompt = if system_prompt.is_empty() { "(none)" } else { system_prompt };
        let described: Vec<_> = tools.iter().map(|tool| (&*tool.tool_name, &*tool.tool_text)).collect();
        let tools = render_tools(&described);
        let variables = [("systemPrompt", system_prompt), ("tools", &tools)];
        let ManifestAnswer { text } = json::read(&self.0.ask(model, &meter, &variables).await?)?;
        Ok(Manifest { capability_manifest: text, usage: meter.read() })
    }
}

#[cfg(test)]
mod tests;
