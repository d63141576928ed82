use super::*;
use crate::chat::Completion;
use crate::chat::testing::ScriptedModel;
use crate::error::Code;
use crate::json::read;
use crate::recipes::tests::ran;

/// A schema with these properties.
fn schema(properties: &str, required: &str) -> String {
    format!(r#"{{"type":"object","properties":{{{properties}}},"required":[{required}]}}"#)
        .replace('"', "\\\"")
}

fn config() -> String {
    let scope = schema(
        r#""is_in_scope_probability":{"type":"number","minimum":0,"maximum":100}"#,
        r#""capabilities_analysis","sufficient_capabilities","in_scope_reasoning","is_in_scope_probability""#,
    );
    let handling =
        schema(r#""score":{"type":"integer","minimum":0,"maximum":100}"#, r#""reasoning","score""#);
    let prompt = "{conversationHistoryBeginningTurn}|{capabilityManifest}";
    format!(
        r#"{{"inScopeProbabilityThreshold":50,
            "scope":{{"system":"In scope?","prompt":"{prompt}","schema":"{scope}"}},
            "handling":{{"system":"Well?","prompt":"{{conversationHistoryFull}}","schema":"{handling}"}}}}"#
    )
}

fn scope(probability: &str) -> String {
    format!(
        r#"{{"capabilities_analysis":"a","sufficient_capabilities":"b \"","in_scope_reasoning":"c","is_in_scope_probability":{probability}}}"#
    )
}

const INPUT: &str = r#"{"conversationHistoryBeginningTurn":"Excel!","conversationHistoryFull":"Excel! No.","capabilityManifest":"Text only."}"#;

fn judged(input: &str, answers: &[&str]) -> (Result<String>, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().copied());
    let recipe = Guidance::new(read(&config()).unwrap()).unwrap();
    ran(&model, recipe.run(&model, read(input).unwrap()))
}

#[test]
fn requests_in_scope_are_not_evaluated_further() {
    for probability in ["50", "50.0", "99.5"] {
        let (output, asked) = judged(INPUT, &[&scope(probability)]);
        let reasoning = format!(
            r#"{{"capabilitiesAnalysis":"a","sufficientCapabilities":"b \"","inScopeReasoning":"c","isInScopeProbability":{probability}}}"#
        );
        let expected = format!(r#"{{"applicable":false,"score":0e-10,"isInScopeReasoning":{reasoning}}}"#);
        // 50.0 is written as 50.
        assert_eq!(output.unwrap(), expected.replace("50.0", "50"));
        assert_eq!(asked, [r#"{"role":"user","content":"Excel!|Text only."}"#]);
    }
}

#[test]
fn how_a_request_out_of_scope_is_dealt_with_is_the_score() {
    for (score, feedback) in [("50", r#""feedback":"So-so.","#), ("51", "")] {
        let handling = format!(r#"{{"reasoning":"So-so.","score":{score}}}"#);
        let (output, asked) = judged(INPUT, &[&scope("49.99"), &handling]);
        let expected = format!(
            r#"{{"applicable":true,"score":{score}0000000000e-10,{feedback}"reasoning":"So-so.","isInScopeReasoning":{{"capabilitiesAnalysis":"a","sufficientCapabilities":"b \"","inScopeReasoning":"c","isInScopeProbability":49.99}}}}"#
        );
        assert_eq!(output.unwrap(), expected);
        assert_eq!(asked.last().unwrap(), r#"{"role":"user","content":"Excel! No."}"#);
        assert_eq!(asked.len(), 2);
    }
}

#[test]
fn an_answer_that_stays_unusable_is_an_error_of_its_step() {
    let bad = [scope("150"), scope("-1")];
    let (output, asked) = judged(INPUT, &[&bad[0], &bad[1]]);
    let error = output.unwrap_err();
    assert_eq!(
        (error.code, error.raw.clone(), asked.len()),
        (Code::InvalidJudgeOutput, Some(bad[1].clone()), 2)
    );
    assert!(error.message.starts_with("scope: The judge was asked twice"), "{}", error.message);

    let bad = r#"{"reasoning":"","score":0.5}"#;
    let (output, asked) = judged(INPUT, &[&scope("0"), bad, bad]);
    let error = output.unwrap_err();
    assert_eq!((error.code, error.raw.as_deref(), asked.len()), (Code::InvalidJudgeOutput, Some(bad), 3));
    assert!(error.message.starts_with("handling: "), "{}", error.message);
}

#[test]
fn counts_the_usage_of_the_manifest_for_the_requesting_call() {
    let model = || {
        ScriptedModel::new([Ok(Completion {
            text: scope("50"),
            usage: Some(Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() }),
            ..Completion::default()
        })])
    };
    let used = |input: &str| {
        let model = model();
        let recipe = Guidance::new(read(&config()).unwrap()).unwrap();
        let output = ran(&model, recipe.run(&model, read(input).unwrap())).0.unwrap();
        output.split_once("\"usage\":").unwrap().1.to_owned()
    };
    assert_eq!(used(INPUT), r#"{"inputTokens":10,"outputTokens":1}}"#);
    let paid = INPUT.replace(r#""Text only.""#, r#""Text only.","usage":{"inputTokens":5,"outputTokens":2}"#);
    assert_eq!(used(&paid), r#"{"inputTokens":15,"outputTokens":3}}"#);
}
