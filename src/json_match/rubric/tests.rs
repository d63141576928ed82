use super::*;
use crate::chat::testing::ScriptedModel;
use crate::chat::{Completion, Message, Usage};
use crate::error::Code;
use crate::executor::ready;
use crate::json_match::{Aggregator, ListMatchMode};

fn of_key(key: &str, criteria: &str) -> KeyCriteria {
    KeyCriteria { key: key.to_owned(), criteria: criteria.to_owned() }
}

fn config(criteria: &[(&str, &str)]) -> JsonMatchConfig {
    let criteria = criteria.iter().map(|(key, text)| of_key(key, text)).collect();
    JsonMatchConfig { rubric: Rubric { criteria, use_reasoning: true }, ..crate::json_match::tests::config() }
}

fn judge(
    config: &JsonMatchConfig,
    model: &ScriptedModel,
    outputs: &str,
    reference: &str,
) -> Result<Vec<ScoredKey>> {
    ready(config.judge(model, outputs, reference, &[])).unwrap()
}

/// The key, score, comment and number of requests of each result.
fn seen(scores: &[ScoredKey]) -> Vec<(&str, f64, Option<&str>, Option<u32>)> {
    let attempts =
        |metadata: &Option<crate::judge::Metadata>| metadata.as_ref().map(|metadata| metadata.attempts);
    let each = scores.iter().map(|ScoredKey { key, score, comment, metadata }| {
        (key.as_str(), *score, comment.as_deref(), attempts(metadata))
    });
    each.collect()
}

fn messages(model: &ScriptedModel, request: usize) -> Vec<Message> {
    model.requests.borrow()[request].0.clone()
}

fn user_text(model: &ScriptedModel, request: usize) -> String {
    let message = messages(model, request)[1].to_json().into_text();
    let message = json::parse(&message).unwrap();
    message.as_object().unwrap().get("content").unwrap().as_str().unwrap().to_owned()
}

fn properties(model: &ScriptedModel, request: usize) -> String {
    let schema = model.requests.borrow()[request].1.clone().unwrap();
    let schema = json::parse(&schema).unwrap();
    let names: Vec<String> = schema
        .as_object()
        .and_then(|schema| schema.get("properties")?.as_object())
        .unwrap()
        .iter()
        .map(|(name, _)| name.to_owned())
        .collect();
    names.join(" ")
}

#[test]
fn the_judge_has_the_say_about_the_keys_of_the_rubric() {
    let config =
        config(&[("fruit", "Are all fruits of the reference there?"), ("missing", "-"), ("extra", "-")]);
    let model = ScriptedModel::saying([r#"{"fruit":{"reasoning":"Both are.","score":true}}"#]);
    let scores = judge(
        &config,
        &model,
        r#"{"fruit":"fig, pear","n":1,"extra":0}"#,
        r#"{"fruit":"pear, fig","n":1,"missing":0}"#,
    );
    assert_eq!(
        seen(&scores.unwrap()),
        [
            ("json_match:extra", 0.0, Some("outputs.extra is 0, which the reference does not have"), None),
            ("json_match:fruit", 1.0, Some("Both are."), Some(1)),
            ("json_match:missing", 0.0, Some("outputs.missing is missing instead of 0"), None),
            ("json_match:n", 1.0, None, None),
        ]
    );
    assert_eq!(model.requests.borrow().len(), 1);
    let text = user_text(&model, 0);
    assert!(
        text.contains(
            "<criteria>\n- \"fruit\": Are all fruits of the reference there?\n  Values: fruit\n</criteria>"
        ),
        "{text}"
    );
    assert!(text.contains("<output>\n{\"fruit\":\"fig, pear\"}\n</output>"), "{text}");
    assert!(text.contains("<expected>\n{\"fruit\":\"pear, fig\"}\n</expected>"), "{text}");
    assert!(messages(&model, 0)[0].to_json().into_text().contains("If one side is null"));
}

#[test]
fn one_question_for_each_key_or_one_for_all() {
    let mut config = config(&[("b", "B?"), ("a", "A?")]);
    let (outputs, reference) = (r#"{"a":1,"b":2,"c":3,"d":4}"#, r#"{"a":0,"b":0,"c":0,"d":4}"#);
    // Requests are in the order of the rubric, results in that of the keys.
    let model = ScriptedModel::saying([
        r#"{"b":{"reasoning":"No.","score":false}}"#,
        r#"{"a":{"reasoning":"Yes.","score":true}}"#,
    ]);
    let scores = judge(&config, &model, outputs, reference).unwrap();
    assert_eq!(
        seen(&scores),
        [
            ("json_match:a", 1.0, Some("Yes."), Some(1)),
            ("json_match:b", 0.0, Some("No."), Some(1)),
            ("json_match:c", 0.0, Some("outputs.c is 3 instead of 0"), None),
            ("json_match:d", 1.0, None, None),
        ]
    );

    config.aggregator = Some(Aggregator::Average);
    let both = r#"{"a":{"reasoning":"Yes.","score":true},"b":{"reasoning":"No.","score":false}}"#;
    let model = ScriptedModel::saying([both]);
    let scores = judge(&config, &model, outputs, reference).unwrap();
    let comment = "outputs.c is 3 instead of 0\nb: No.\na: Yes.";
    assert_eq!(seen(&scores), [("json_match:average", 0.5, Some(comment), Some(1))]);
    assert!(user_text(&model, 0).contains("- \"b\": B?\n  Values: b\n- \"a\": A?\n  Values: a\n"));

    config.rubric.use_reasoning = false;
    config.aggregator = Some(Aggregator::All);
    let model = ScriptedModel::saying([r#"{"a":true,"b":true}"#]);
    config.exclude_keys = vec!["c".to_owned()];
    let scores = judge(&config, &model, outputs, reference).unwrap();
    assert_eq!(seen(&scores), [("json_match:all", 1.0, None, Some(1))]);
}

#[test]
fn the_elements_of_lists_are_judged_together() {
    // Elements are paired by n, whatever their texts. The third output has no partner.
    let outputs = r#"[{"n":1,"t":"x"},{"n":2,"t":"y"},{"n":3,"t":"z"}]"#;
    let reference = r#"[{"n":2,"t":"Y"},{"n":1,"t":"X"}]"#;
    let mut config =
        JsonMatchConfig { list_aggregator: Aggregator::Average, ..config(&[("t", "Same letter?")]) };
    let answer = r#"{"t_0":{"reasoning":"Yes.","score":true},"t_1":{"reasoning":"No.","score":false}}"#;
    let model = ScriptedModel::saying([answer]);
    let scores = judge(&config, &model, outputs, reference).unwrap();
    let alone = "outputs[2] has no partner in the reference";
    assert_eq!(
        seen(&scores),
        [
            ("json_match:n", 2.0 / 3.0, Some(alone), None),
            (
                "json_match:t",
                1.0 / 3.0,
                Some(&*format!("{alone}\noutputs[0].t: Yes.\noutputs[1].t: No.")),
                Some(1)
            ),
        ]
    );
    let text = user_text(&model, 0);
    assert!(text.contains("- \"t\": Same letter?\n  Values: t_0, t_1\n"), "{text}");
    assert!(text.contains(r#"{"t_0":"x","t_1":"y"}"#) && text.contains(r#"{"t_0":"X","t_1":"Y"}"#), "{text}");

    // If a single value was judged, the comment is its reasoning without a name.
    config.list_match_mode = ListMatchMode::Subset;
    let model = ScriptedModel::saying([r#"{"t_0":{"reasoning":"Yes.","score":true}}"#]);
    let scores =
        judge(&config, &model, r#"[{"n":1,"t":"x"},{"n":3}]"#, r#"[{"n":1,"t":"X"},{"n":3}]"#).unwrap();
    assert_eq!(seen(&scores)[1], ("json_match:t", 1.0, Some("Yes."), Some(1)));
}

#[test]
fn nothing_is_asked_where_there_is_nothing_to_judge() {
    let silent = ScriptedModel::saying([]);
    for aggregator in [None, Some(Aggregator::Average)] {
        let config = JsonMatchConfig {
            aggregator,
            exclude_keys: vec!["b".to_owned()],
            ..config(&[("a", "A?"), ("b", "B?")])
        };
        for (outputs, reference) in
            [(r#"{"a":1,"b":1}"#, r#"{"b":1}"#), ("[]", r#"[{"a":1}]"#), (r#"[{"b":1}]"#, r#"[{"b":2}]"#)]
        {
            let scores = judge(&config, &silent, outputs, reference).unwrap();
            assert!(seen(&scores).iter().all(|(_, _, _, metadata)| metadata.is_none()));
        }
    }
}

#[test]
fn any_key_and_value_can_be_judged() {
    // Anthropic's API does not accept the first key as a property, so both values are numbered.
    let config = JsonMatchConfig {
        aggregator: Some(Aggregator::All),
        ..config(&[("first name", "</criteria>"), ("a_1", "A?")])
    };
    let model = ScriptedModel::saying([
        r#"{"value_0":{"reasoning":"R","score":true},"value_1":{"reasoning":"S","score":true}}"#,
    ]);
    let value = r#"{"first name":{"deep":["</output>",null]},"a_1":null}"#;
    let scores = judge(&config, &model, value, value).unwrap();
    assert_eq!(seen(&scores), [("json_match:all", 1.0, Some("first name: R\na_1: S"), Some(1))]);
    assert_eq!(properties(&model, 0), "value_0 value_1");
    let text = user_text(&model, 0);
    assert!(
        text.contains(
            "- \"first name\": &lt;/criteria>\n  Values: value_0\n- \"a_1\": A?\n  Values: value_1\n"
        ),
        "{text}"
    );
    assert!(text.contains(r#"{"value_0":{"deep":["&lt;/output>",null]},"value_1":null}"#), "{text}");
}

#[test]
fn an_answer_that_does_not_fit_is_asked_for_again_and_then_an_error_that_names_the_key() {
    let config = config(&[("a", "A?"), ("b", "B?")]);
    let (outputs, reference) = (r#"{"a":1,"b":1}"#, r#"{"a":1,"b":1}"#);
    let usage = Some(Usage { input_tokens: 5, output_tokens: 1, ..Usage::default() });
    let answer = |text: &str| {
        Ok(Completion { text: text.to_owned(), usage: usage.clone(), attempts: 1, ..Completion::default() })
    };
    let (yes, unfit) =
        (r#"{"a":{"reasoning":"Yes.","score":true}}"#, r#"{"a":{"reasoning":"Yes.","score":"much"}}"#);
    // Scripted answers arrive at once, so a is judged completely before b is asked about.
    let model = ScriptedModel::new([answer(unfit), answer(yes), answer("?"), answer("?"), answer("?")]);
    let error = judge(&config, &model, outputs, reference).unwrap_err();
    assert_eq!((error.code, error.attempts), (Code::InvalidJudgeOutput, Some(2)));
    assert!(error.message.starts_with("rubric \"b\": The judge was asked twice"), "{}", error.message);
    assert_eq!(model.requests.borrow().len(), 4);

    let model = ScriptedModel::new([answer(unfit), answer(yes)]);
    let only_a = JsonMatchConfig {
        rubric: Rubric { criteria: vec![of_key("a", "A?")], use_reasoning: true },
        ..config
    };
    let scores = judge(&only_a, &model, outputs, reference).unwrap();
    let metadata = scores[0].metadata.as_ref().unwrap();
    assert_eq!((metadata.attempts, metadata.usage.as_ref().map(|usage| usage.input_tokens)), (2, Some(10)));
}
