//! The judge, and the verdict of several opinions.

use super::chat::ChatModel;
use super::json_schema::text_rules;
use super::objects::to_ts;
use crate::json;
use crate::judge::{self, Tally, VoteRule};
use js_sys::Function;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The judge, with its configuration.
#[wasm_bindgen]
pub struct Judge {
    judge: judge::Judge,
    /// The schema of its answers as JSON text, which crosses only once.
    schema: Option<JsValue>,
}

#[wasm_bindgen]
impl Judge {
    /// Reads the configuration, which is JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "JsonOf<JudgeConfig>")] config: &str,
    ) -> Result<Judge, JsValue> {
        let judge = judge::Judge::new(json::read(config)?)?;
        let schema = judge.schema().map(json::write).transpose()?.map(JsValue::from);
        Ok(Self { judge, schema })
    }

    /// The patterns and formats of texts in an answer. If there are any, `evaluate` needs functions that match them.
    #[wasm_bindgen(js_name = textRules, unchecked_return_type = "JsonOf<TextRule[]>")]
    pub fn text_rules(&self) -> Result<String, JsValue> {
        Ok(json::write(&self.judge.text_rules())?)
    }

    /// Asks `model` for a verdict. `question` is JSON text: the variables of the prompt, or the messages of the caller's
    /// prompt.
    #[wasm_bindgen(unchecked_return_type = "JsonOf<Evaluation>")]
    pub async fn evaluate(
        &self,
        model: &ChatModel,
        question: String,
        #[wasm_bindgen(unchecked_param_type = "FitsTextRule | undefined")] fits: Option<Function>,
    ) -> Result<String, JsValue> {
        let session = model.session_for(self.schema.as_ref());
        let evaluation = self.judge.evaluate(&session, &question, &text_rules(fits)).await;
        Ok(json::write(&evaluation.map_err(|error| session.explain(error))?)?)
    }
}

/// The verdict of scores, with `true` as 1 and `false` as 0; `undefined` without scores.
#[wasm_bindgen]
pub fn tally(
    #[wasm_bindgen(unchecked_param_type = "JsonOf<VoteRule>")] rule: &str,
    scores: &[f64],
) -> Result<Option<Ts<Tally>>, JsValue> {
    json::read::<VoteRule>(rule)?.tally(scores).as_ref().map(to_ts).transpose()
}
