//! What an assistant can do and what it cannot, by its own instructions.

use super::question::{Meter, Question, RecipeQuestion};
use crate::chat::{ChatModel, Usage};
use crate::conversation::render_tools;
use crate::error::Result;
use crate::json;
use serde::{Deserialize, Serialize};

/// An assistant, as it was set up.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DescribedAssistant {
    /// Its system message; may be empty.
    pub system_prompt: String,
    /// Its tools.
    pub tools: Vec<DescribedTool>,
}

/// A tool, as it is told of.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DescribedTool {
    /// The name by which it is called.
    pub tool_name: String,
    /// What it does, and its parameters.
    pub tool_text: String,
}

/// A capability manifest, and what it took.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Manifest {
    /// The manifest, as Markdown.
    pub capability_manifest: String,
    /// The tokens that were used, where the provider tells.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub usage: Option<Usage>,
}

/// What a model answers: free text.
#[derive(Deserialize)]
struct Answer {
    text: String,
}

/// Writes capability manifests.
pub struct CapabilityManifest(Question);

impl CapabilityManifest {
    /// Reads the question.
    pub fn new(question: RecipeQuestion) -> Result<Self> {
        Question::new("capability_manifest", question).map(Self)
    }

    /// Asks for the manifest of an assistant.
    pub async fn run(&self, model: &impl ChatModel, assistant: DescribedAssistant) -> Result<Manifest> {
        let meter = Meter::default();
        let DescribedAssistant { system_prompt, tools } = &assistant;
        let system_prompt = if system_prompt.is_empty() { "(none)" } else { system_prompt };
        let described: Vec<_> = tools.iter().map(|tool| (&*tool.tool_name, &*tool.tool_text)).collect();
        let tools = render_tools(&described);
        let variables = [("systemPrompt", system_prompt), ("tools", &tools)];
        let Answer { text } = json::read(&self.0.ask(model, &meter, &variables).await?)?;
        Ok(Manifest { capability_manifest: text, usage: meter.read() })
    }
}

#[cfg(test)]
mod tests;
