//! Compares the arguments of calls with accepted values, as JSON values. A parameter for integers does not take `5.0`.

use super::call::{
    Call, Fault, FunctionTool, ParameterType, is_optional, missing, mistyped, refused, unexpected, unreadable,
};
use crate::json::{Written, WrittenValue};

/// The problem of a call with the right name, if any.
pub fn fault(tool: &FunctionTool, call: &Call<'_>, accepted: &Call<'_>) -> Option<Fault> {
    let (Some(args), Some(accepted)) = (&call.args, &accepted.args) else { return Some(unreadable()) };
    for (name, value) in args.members().unwrap_or_default() {
        let Some(values) = accepted.get(name) else { return Some(unexpected(name)) };
        if !values.elements().unwrap_or_default().contains(value) {
            return Some(refused(name, value, values));
        }
        let parameter = tool.parameter(name);
        let is_integer = parameter.is_some_and(|it| it.kind == Some(ParameterType::Integer));
        let of_integers = parameter.is_some_and(|it| it.items == Some(ParameterType::Integer));
        let elements = value.elements().unwrap_or_default();
        if is_integer && is_float(value) || of_integers && elements.iter().any(is_float) {
            return Some(mistyped(name, value));
        }
    }
    let accepted = accepted.members().unwrap_or_default();
    let lacking = accepted.iter().find(|(name, values)| args.get(name).is_none() && !is_optional(values));
    lacking.map(|(name, _)| missing(name))
}

fn is_float(value: &Written<'_>) -> bool {
    matches!(value.value, WrittenValue::Float(_))
}
