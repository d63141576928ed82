//! Prompt templates: f-strings as LangChain reads them.
//!
//! `{name}` is replaced by a variable, `{{` and `}}` stand for the braces themselves. What is put in is never read
//! again, so braces in the data do no harm.

use crate::error::{Code, Error, Result};
use crate::json::{Json, Object};

/// A template that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Variable(String),
}

impl Template {
    /// Reads a template; an error says where a brace has no partner.
    pub fn parse(template: &str) -> Result<Self> {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some((text, brace)) = rest.find(['{', '}']).and_then(|at| rest.split_at_checked(at)) {
            push_text(&mut parts, text);
            rest = if let Some(after) = brace.strip_prefix("{{") {
                push_text(&mut parts, "{");
                after
            } else if let Some(after) = brace.strip_prefix("}}") {
                push_text(&mut parts, "}");
                after
            } else if let Some((name, after)) = brace.strip_prefix('{').and_then(|name| name.split_once('}'))
            {
                parts.push(Part::Variable(name.to_owned()));
                after
            } else {
                return Err(unpaired(template, brace));
            }
        }
        push_text(&mut parts, rest);
        Ok(Self(parts))
    }

    /// The text with every variable replaced. The values are strings; others count as missing.
    pub fn render(&self, variables: &Object<'_>) -> Result<String> {
        let mut rendered = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => rendered.push_str(text),
                Part::Variable(name) => {
                    let value = variables.get(name).and_then(Json::as_str);
                    let value = value.ok_or_else(|| missing(name, variables))?;
                    rendered.push_str(value);
                }
            }
        }
        Ok(rendered)
    }
}

impl Template {
    pub fn render_around(&self, variables: &Object<'_>, marker: &str) -> Result<(String, Option<String>)> {
        let at = self.0.iter().position(|part| *part == Part::Variable(marker.to_owned()));
        let (before, after) = match at {
            Some(at) => (self.0.get(..at).unwrap_or_default(), self.0.get(at + 1..)),
            None => (self.0.as_slice(), None),
        };
        let half = |parts: &[Part]| Self(parts.to_vec()).render(variables);
        Ok((half(before)?, after.map(half).transpose()?))
    }
}

fn push_text(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(Part::Text(last)) => last.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

/// `brace` is what is left of the template from the brace on.
fn unpaired(template: &str, brace: &str) -> Error {
    let before = template.strip_suffix(brace).unwrap_or_default();
    let line = before.split('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let problem = if brace.starts_with('{') { "\"{\" is never closed" } else { "\"}\" closes nothing" };
    Error::invalid_config(format!(
        "The prompt has a brace without a partner at line {line}, column {column}: {problem}. Write {{{{ or }}}} for a brace that stands for itself."
    ))
}

fn missing(name: &str, variables: &Object<'_>) -> Error {
    let passed: Vec<&str> = variables.iter().map(|(name, _)| name).collect();
    let passed = if passed.is_empty() { "nothing".to_owned() } else { passed.join(", ") };
    let is_name = |name: &str| {
        !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
            && !name.is_empty()
    };
    let pass = |params: &str| format!("Pass it when you call the evaluator: evaluator({{ {params} }}).");
    let hint = match name {
        "referenceOutputs" => "In a prompt, referenceOutputs is called {reference_outputs}.".to_owned(),
        "inputs" | "outputs" => pass(&format!("{name}: …")),
        "reference_outputs" => pass("outputs, referenceOutputs: …"),
        name if is_name(name) => {
            let pass = pass(&format!("outputs, {name}: …"));
            format!("{pass} Or rename the variable in the prompt to one that is passed.")
        }
        _ => "If these braces are no variable, write {{ and }} for them.".to_owned(),
    };
    Error::new(
        Code::MissingVariable,
        format!("The prompt has the variable {{{name}}}, which was not passed (passed: {passed}). {hint}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use proptest::prelude::*;

    fn render(template: &str, variables: &str) -> Result<String> {
        let variables = json::parse(variables).unwrap();
        Template::parse(template)?.render(variables.as_object().unwrap())
    }

    #[test]
    fn variables_are_replaced_and_escapes_undone() {
        let variables = r#"{"inputs":"1 + 1","outputs":"{inputs} }} {","a b":"é😀"}"#;
        let cases = [
            ("", ""),
            ("no variable", "no variable"),
            ("{inputs} = {outputs}.", "1 + 1 = {inputs} }} {."),
            ("{{inputs}} is {inputs}", "{inputs} is 1 + 1"),
            ("{{{inputs}}}", "{1 + 1}"),
            ("{a b}{{}}", "é😀{}"),
            ("é😀{inputs}\n", "é😀1 + 1\n"),
        ];
        for (template, expected) in cases {
            assert_eq!(render(template, variables).unwrap(), expected, "{template}");
        }
    }

    #[test]
    fn braces_without_a_partner_are_refused_with_their_place() {
        let cases = [
            ("{", "line 1, column 1: \"{\" is never closed"),
            ("a }", "line 1, column 3: \"}\" closes nothing"),
            ("{inputs}}", "line 1, column 9: \"}\" closes nothing"),
            ("😀\né {inputs", "line 2, column 3: \"{\" is never closed"),
            ("{{{", "line 1, column 3: \"{\" is never closed"),
        ];
        for (template, expected) in cases {
            let error = Template::parse(template).unwrap_err();
            assert_eq!(error.code, Code::InvalidConfig);
            assert!(error.message.contains(expected), "{}", error.message);
        }
    }

    #[test]
    fn a_missing_variable_is_named_with_those_given() {
        let error = render("{inputs} {context}", r#"{"inputs":"","outputs":"x"}"#).unwrap_err();
        assert_eq!(error.code, Code::MissingVariable);
        assert_eq!(
            error.message,
            "The prompt has the variable {context}, which was not passed (passed: inputs, outputs). Pass it when you call the evaluator: evaluator({ outputs, context: … }). Or rename the variable in the prompt to one that is passed."
        );
        let message = |template| render(template, "{}").unwrap_err().message;
        assert!(
            message("{outputs}").ends_with(
                "(passed: nothing). Pass it when you call the evaluator: evaluator({ outputs: … })."
            )
        );
        assert!(message("{reference_outputs}").ends_with("evaluator({ outputs, referenceOutputs: … })."));
        assert!(message("{referenceOutputs}").contains("called {reference_outputs}"));
        for braces in [r#"{"score": true}"#, "{}", "{ inputs }", "{1}"] {
            assert!(message(braces).contains("write {{ and }}"), "{}", message(braces));
        }
    }

    proptest! {
        #[test]
        fn escaped_text_comes_back(text in "[{}a😀\n]{0,12}") {
            let escaped = text.replace('{', "{{").replace('}', "}}");
            prop_assert_eq!(render(&escaped, "{}").unwrap(), text);
        }

        #[test]
        fn reading_never_panics(text in "[{}a😀\n]{0,12}") {
            let _ = render(&text, "{}");
        }
    }
}
