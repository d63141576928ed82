//! The calls and tools that are compared.

use crate::agents::shown;
use crate::error::{Error, Result};
use crate::json::Written;
use crate::trajectory::message::ToolCall;
use serde::Deserialize;

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ParameterType {
    /// A string; also what the leaderboard calls `any`.
    String,
    /// A number without a fraction, in its spelling.
    Integer,
    /// A number.
    Float,
    /// `true` or `false`.
    Boolean,
    /// A list.
    Array,
    /// An object.
    Dict,
}

/// A parameter of a tool.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToolParameter {
    /// Its name.
    pub name: String,
    /// Its type; `None` if it has several, or none.
    pub kind: Option<ParameterType>,
    /// The type of its elements, if it is a list.
    pub items: Option<ParameterType>,
}

/// A tool with its parameters.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FunctionTool {
    /// Its name.
    pub name: String,
    /// The names of the required parameters.
    pub required: Vec<String>,
    /// All parameters.
    pub parameters: Vec<ToolParameter>,
}

impl FunctionTool {
    /// The parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<&ToolParameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

/// A call of the agent, or an accepted call.
pub struct Call<'v> {
    pub name: Option<&'v str>,
    /// The arguments; `None` if they are not a JSON object.
    pub args: Option<Written<'v>>,
}

impl<'v> Call<'v> {
    /// A call of the outputs.
    pub fn made(call: &'v ToolCall<'_>) -> Self {
        let args = Written::parse(call.arguments.text()).ok().filter(|args| args.members().is_some());
        Self { name: call.name.as_deref(), args }
    }

    /// An accepted call, whose arguments are lists of accepted values.
    pub fn accepted(call: &'v ToolCall<'_>) -> Result<Self> {
        let read = Self::made(call);
        let place = || format!("referenceOutputs[{}]", call.index);
        let Some(args) = &read.args else {
            let wanted = "an object with a list of accepted values for each parameter";
            return Err(Error::invalid_input(format!("{}.args has to be {wanted}", place())));
        };
        for (name, values) in args.members().unwrap_or_default() {
            if values.elements().is_none() {
                return Err(Error::invalid_input(format!(
                    "{}.args.{} is {values}; it has to be a list of accepted values",
                    place(),
                    shown(name)
                )));
            }
        }
        Ok(read)
    }
}

/// Why a call does not fit an accepted one.
pub enum Fault {
    /// It has another name.
    Name,
    /// Its arguments do not fit.
    Arguments(String),
}

/// A tool's name in messages.
pub fn quoted_name(name: Option<&str>) -> &str {
    name.map_or("a tool without a name", shown)
}

/// A parameter that a call may not have.
pub fn unexpected(name: &str) -> Fault {
    Fault::Arguments(format!("{} is not expected", shown(name)))
}

/// A parameter that a call lacks.
pub fn missing(name: &str) -> Fault {
    Fault::Arguments(format!("{} is missing", shown(name)))
}

/// Arguments that cannot be read.
pub fn unreadable() -> Fault {
    Fault::Arguments("the arguments are not a JSON object".to_owned())
}

/// A value that is not accepted.
pub fn refused(name: &str, value: &Written<'_>, accepted: &Written<'_>) -> Fault {
    Fault::Arguments(format!("{} is {value}, which is not among the accepted {accepted}", shown(name)))
}

/// A value of another type.
pub fn mistyped(name: &str, value: &Written<'_>) -> Fault {
    Fault::Arguments(format!("{} is {value}, which is of another type", shown(name)))
}

/// Whether an accepted value says that the parameter may be missing.
pub fn is_optional(values: &Written<'_>) -> bool {
    values.elements().is_some_and(|values| values.iter().any(|value| value.as_str() == Some("")))
}
