//! Criteria with scripted models.

use super::*;
use crate::chat::testing::ScriptedModel;
use crate::error::Code;
use crate::json::read;
use crate::recipes::tests::ran;

const CRITERIA: &str = r#"{"criteria":["short","kind"],"passedThreshold":75,"maxConcurrency":1,"criterion":{
    "system":"Judge.","prompt":"{conversation}|{response}|{criterion}",
    "schema":"{\"type\":\"object\",\"properties\":{\"reasoning\":{\"type\":\"string\"},\"probability\":{\"type\":\"number\",\"minimum\":0,\"maximum\":1}},\"required\":[\"reasoning\",\"probability\"]}"}}"#;
const RESPONSE: &str = r#"{"conversationHistory":"Hi!","finalResponse":"Hello."}"#;

fn judged(config: &str, answers: &[&str]) -> (Result<String>, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().copied());
    let recipe = CheckCriteria::new(read(config).unwrap()).unwrap();
    ran(&model, recipe.run(&model, read(RESPONSE).unwrap()))
}

#[test]
fn judges_each_criterion_separately() {
    let answers =
        [r#"{"reasoning":"One word.","probability":0.95}"#, r#"{"reasoning":"Cool.","probability":0.2}"#];
    let (output, asked) = judged(CRITERIA, &answers);
    let expected = r#"{"applicable":true,"score":575000000000e-10,"feedback":"The response does not clearly meet these criteria:\n<criterion>kind</criterion>\n<reasoning>Cool.</reasoning>","criteriaEvaluations":[{"criterion":"short","reasoning":"One word.","probability":0.95},{"criterion":"kind","reasoning":"Cool.","probability":0.2}]}"#;
    assert_eq!(output.unwrap(), expected);
    assert_eq!(
        asked,
        [r#"{"role":"user","content":"Hi!|Hello.|short"}"#, r#"{"role":"user","content":"Hi!|Hello.|kind"}"#]
    );
}

#[test]
fn without_criteria_nothing_is_asked() {
    let config = CRITERIA.replace(r#"["short","kind"]"#, "[]");
    let (output, asked) = judged(&config, &[]);
    assert_eq!(output.unwrap(), r#"{"applicable":false,"score":0e-10}"#);
    assert!(asked.is_empty());
}

#[test]
fn an_answer_that_stays_unusable_is_an_error_of_its_step() {
    let answers = [r#"{"reasoning":"","probability":1.5}"#, "no"];
    let (output, asked) = judged(CRITERIA, &answers);
    let error = output.unwrap_err();
    assert_eq!((error.code, error.raw.as_deref(), asked.len()), (Code::InvalidJudgeOutput, Some("no"), 2));
    assert!(error.message.starts_with("criterion: The judge was asked twice"), "{}", error.message);
}
