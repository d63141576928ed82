use super::*;
use crate::chat::testing::ScriptedModel;
use crate::error::Code;
use crate::json::read;
use crate::recipes::tests::ran;

const CONFIG: &str = r#"{"toolThresholds":[["text",90]],"toolEvaluations":{"system":"Which?","prompt":"{conversationHistoryFull}|{toolList}","schema":"{\"type\":\"object\",\"properties\":{\"tool_evaluations\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"tool_name\":{\"type\":\"string\"},\"reasoning\":{\"type\":\"string\"},\"probability\":{\"type\":\"number\",\"minimum\":0,\"maximum\":100}},\"required\":[\"tool_name\",\"reasoning\",\"probability\"]}}},\"required\":[\"tool_evaluations\"]}"}}"#;

/// Tools, each with its threshold and whether it was called.
fn input(tools: &[(&str, &str, bool)]) -> String {
    let tools: Vec<String> = tools
        .iter()
        .map(|(name, threshold, called)| {
            format!(r#"{{"toolName":"{name}","toolText":"","threshold":{threshold},"wasCalled":{called}}}"#)
        })
        .collect();
    format!(r#"{{"conversationHistoryFull":"Sum!","tools":[{}]}}"#, tools.join(","))
}

/// The probability that each tool should be called.
fn answer(tools: &[(&str, &str)]) -> String {
    let tools: Vec<String> = tools
        .iter()
        .map(|(name, probability)| {
            format!(r#"{{"tool_name":"{name}","reasoning":"of {name}","probability":{probability}}}"#)
        })
        .collect();
    format!(r#"{{"tool_evaluations":[{}]}}"#, tools.join(","))
}

fn judged(input: &str, answers: &[&str]) -> (Result<String>, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().copied());
    let recipe = ToolUsage::new(read(CONFIG).unwrap()).unwrap();
    ran(&model, recipe.run(&model, read(input).unwrap()))
}

/// The result before the evaluations, and the evaluations.
fn evaluated(input: &str, answer: &str) -> (String, String) {
    let (output, asked) = judged(input, &[answer]);
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    assert!(asked.starts_with(r#"{"role":"user","content":"Sum!|[1] sum\n\n[2] search"#), "{asked}");
    let output = output.unwrap();
    let (result, evaluations) = output.split_once(r#","toolEvaluations":"#).unwrap();
    (result.to_owned(), evaluations.to_owned())
}

const RIGHT: &str = r#"{"applicable":true,"score":1000000000000e-10"#;
const WRONG: &str = r#"{"applicable":true,"score":0e-10,"feedback":""#;

#[test]
fn without_a_call_no_tool_may_be_needed() {
    let tools = &input(&[("sum", "50", false), ("search", "90.5", false)]);
    assert_eq!(evaluated(tools, &answer(&[("sum", "49.9"), ("search", "90.4")])).0, RIGHT);
    let (result, evaluations) = evaluated(tools, &answer(&[("sum", "50"), ("search", "90.5")]));
    let feedback = r#"These tools should have been called:\n<tool>sum</tool>\n<reasoning>of sum</reasoning>\n<tool>search</tool>\n<reasoning>of search</reasoning>""#;
    assert_eq!(result, [WRONG, feedback].concat());
    assert_eq!(
        evaluations,
        r#"[{"toolName":"sum","reasoning":"of sum","probability":50,"threshold":50,"wasCalled":false},{"toolName":"search","reasoning":"of search","probability":90.5,"threshold":90.5,"wasCalled":false}]}"#
    );
}

#[test]
fn of_the_tools_that_were_called_one_has_to_be_needed() {
    let tools = &input(&[("sum", "50", true), ("search", "50", true), ("mail", "50", false)]);
    assert_eq!(evaluated(tools, &answer(&[("sum", "0"), ("search", "50"), ("mail", "100")])).0, RIGHT);
    let (result, _) = evaluated(tools, &answer(&[("sum", "0"), ("search", "49"), ("mail", "100")]));
    let missed = r"These tools should have been called:\n<tool>mail</tool>\n<reasoning>of mail</reasoning>";
    let needless = r#"These tools should not have been called:\n<tool>sum</tool>\n<reasoning>of sum</reasoning>\n<tool>search</tool>\n<reasoning>of search</reasoning>""#;
    assert_eq!(result, [WRONG, missed, r"\n\n", needless].concat());
    let (result, _) = evaluated(tools, &answer(&[("sum", "0"), ("search", "49"), ("mail", "49")]));
    assert_eq!(result, [WRONG, needless].concat());
}

#[test]
fn answers_are_brought_into_form() {
    let tools = &input(&[("sum", "0", true), ("search", "100", true), ("mail", "1", false)]);
    let answered = answer(&[("sum", "-0.0"), ("search", "1e2"), ("teleport", "100"), ("mail", "0")]);
    let (result, evaluations) = evaluated(tools, &answered);
    assert_eq!(result, RIGHT);
    let expected = r#"[{"toolName":"sum","reasoning":"of sum","probability":0,"threshold":0,"wasCalled":true},{"toolName":"search","reasoning":"of search","probability":100,"threshold":100,"wasCalled":true},{"toolName":"mail","reasoning":"of mail","probability":0,"threshold":1,"wasCalled":false}],"inventedTools":["teleport"]}"#;
    assert_eq!(evaluations, expected);
}

#[test]
fn probabilities_are_asked_for_again_where_they_are_none() {
    let tools = &input(&[("sum", "50", true), ("search", "50", false)]);
    for wrong in ["-1", "101"] {
        let answers = [answer(&[("sum", wrong), ("search", "0")]), answer(&[("sum", "60"), ("search", "0")])];
        let (output, asked) = judged(tools, &[&answers[0], &answers[1]]);
        assert!(output.unwrap().contains(r#""probability":60"#));
        assert_eq!(asked.len(), 2);
    }
}

#[test]
fn thresholds_are_those_of_the_tool_or_of_its_name_or_half() {
    let tools = r#"{"conversationHistoryFull":"Sum!","tools":[
        {"toolName":"sum","toolText":"","wasCalled":false},{"toolName":"search","toolText":"","wasCalled":false},
        {"toolName":"text","toolText":"","wasCalled":false},{"toolName":"mail","toolText":"","wasCalled":false,"threshold":7.5}]}"#;
    let (_, evaluations) =
        evaluated(tools, &answer(&[("sum", "0"), ("search", "0"), ("text", "0"), ("mail", "0")]));
    let thresholds: Vec<&str> =
        evaluations.split("\"threshold\":").skip(1).filter_map(|rest| rest.split(',').next()).collect();
    assert_eq!(thresholds, ["50", "50", "90", "7.5"]);
}

#[test]
fn each_tool_has_to_be_evaluated_once_by_its_name() {
    let tools = &input(&[("sum", "50", false), ("Sum", "50", false), ("search", "50", false)]);
    let good = answer(&[("search", "0"), ("Sum", "0"), ("sum", "0"), ("teleport", "1")]);
    for (bad, names) in [
        (answer(&[]), r#""sum", "Sum", "search""#),
        (answer(&[("sum", "0"), ("Sum", "0")]), r#""search""#),
        (answer(&[("sum", "0"), ("Sum", "0"), ("Search", "0")]), r#""search""#),
        (answer(&[("sum", "0"), ("Sum", "0"), ("search", "0"), ("search", "0")]), r#""search""#),
        (answer(&[("sum", "0"), ("Sum", "0"), ("search", "0"), ("Search", "0")]), r#""search""#),
    ] {
        let (output, asked) = judged(tools, &[&bad, &good]);
        assert!(output.unwrap().starts_with(RIGHT), "{bad}");
        assert_eq!(asked.len(), 2);
        let problem = ["this is not the case for ", names, ". Answer again"].concat();
        assert!(asked[1].replace('\\', "").contains(&problem), "{}", asked[1]);
        let (output, _) = judged(tools, &[&bad, &bad]);
        assert_eq!(output.unwrap_err().code, Code::InvalidJudgeOutput);
    }
}

#[test]
fn without_tools_nothing_is_asked() {
    let (output, asked) = judged(&input(&[]), &[]);
    assert_eq!(output.unwrap(), r#"{"applicable":false,"score":0e-10}"#);
    assert!(asked.is_empty());
}

#[test]
fn an_answer_that_stays_unusable_is_an_error_of_its_step() {
    let bad = answer(&[("sum", "\"high\"")]);
    let (output, _) = judged(&input(&[("sum", "50", true)]), &[&bad, &bad]);
    let error = output.unwrap_err();
    assert_eq!((error.code, error.raw.clone()), (Code::InvalidJudgeOutput, Some(bad)));
    assert!(error.message.starts_with("tool_evaluations: The judge was asked twice"), "{}", error.message);
}
