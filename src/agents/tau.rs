//! The parts of the reward of tau2-bench that need no environment: actions, and what the agent communicates.

use super::equal_in_python;
use super::function_calls::Call;
use crate::error::Result;
use crate::json::{self, Written};
use crate::text::find;
use crate::trajectory::message;
use serde::{Deserialize, Serialize};

/// An action that the agent should take.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TauAction {
    /// The tool.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// The names of the compared arguments; `None` compares those that the call has.
    pub compare_args: Option<Vec<String>>,
}

/// The requirements of a task, and the messages of the agent.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TauCriteria {
    /// The expected actions.
    pub actions: Vec<TauAction>,
    /// The texts that the agent has to say, in lower case.
    pub communicate: Vec<String>,
    /// The messages of the agent, in lower case and without commas.
    pub said: Vec<String>,
}

/// Which requirements are met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TauChecks {
    /// For each action, whether it was taken.
    pub actions: Vec<bool>,
    /// For each text, whether it was said.
    pub communicate: Vec<bool>,
}

/// Checks a trajectory. `criteria` is the JSON of [`TauCriteria`].
pub fn checks(lines: &str, criteria: &str) -> Result<TauChecks> {
    let trajectory = message::read(message::OUTPUTS, lines)?;
    let TauCriteria { actions, communicate, said } = json::read(criteria)?;
    let calls: Vec<Call<'_>> = trajectory.calls.iter().map(Call::made).collect();
    let mut taken = Vec::with_capacity(actions.len());
    for action in &actions {
        let arguments = Written::parse(&action.arguments)?;
        taken.push(calls.iter().any(|call| action.fits(&arguments, call)));
    }
    let is_said = |text: &String| said.iter().any(|message| find(message, text).is_some());
    Ok(TauChecks { actions: taken, communicate: communicate.iter().map(is_said).collect() })
}

impl TauAction {
    /// Whether a call takes the action. Without `compare_args`, an argument that the call lacks is not compared.
    fn fits(&self, arguments: &Written<'_>, call: &Call<'_>) -> bool {
        let Some(made) = call.args.as_ref().filter(|_| call.name == Some(&self.name)) else { return false };
        let is_same = |key: &str| match (arguments.get(key), made.get(key)) {
            (Some(expected), Some(value)) => equal_in_python(expected, value),
            (expected, value) => expected.is_none() && value.is_none(),
        };
        match &self.compare_args {
            Some(keys) => keys.iter().all(|key| is_same(key)),
            None => made.members().unwrap_or_default().iter().all(|(key, _)| is_same(key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(call: &str, arguments: &str, compare_args: &str) -> bool {
        let action = format!(r#"{{"name":"f","arguments":{arguments:?},"compareArgs":{compare_args}}}"#);
        let criteria = format!(r#"{{"actions":[{action}],"communicate":[],"said":[]}}"#);
        checks(&format!("m\nc\"f\"\na{call}\n"), &criteria).unwrap().actions == [true]
    }

    #[test]
    fn actions_are_compared_as_in_tau2() {
        assert!(check(r#"{"a":1}"#, r#"{"a":1}"#, "null"));
        assert!(check(r#"{"a":1}"#, r#"{"a":1,"b":2}"#, "null"), "an argument that the call lacks");
        assert!(!check(r#"{"a":1,"b":3}"#, r#"{"a":1}"#, "null"));
        assert!(check(r#"{"a":1,"b":3}"#, r#"{"a":1}"#, r#"["a"]"#));
        assert!(!check(r#"{"b":3}"#, r#"{"a":1}"#, r#"["a"]"#));
        assert!(check(r#"{"b":3}"#, r#"{"a":1}"#, "[]"));
        assert!(check(r#"{"a":[true]}"#, r#"{"a":[1]}"#, "null"), "equal in Python");
    }
}
