use super::*;
use crate::json_schema::no_text_rules;
use proptest::prelude::*;

fn choices() -> Vec<Json<'static>> {
    ["0", "0.5"].map(|text| json::parse(text).unwrap()).to_vec()
}

fn score(scale: Scale) -> Form {
    Form::Score { scale, reasoned: true }
}

fn read(form: &Form, answer: &str) -> Result<String, String> {
    let verdict = form.read(answer, &no_text_rules).map_err(|misfit| misfit.what)?;
    Ok(verdict.into_json().into_text())
}

#[test]
fn reads_unambiguous_verdicts() {
    const YES: &str = r#"{"score":true,"reasoning":"Ok"}"#;
    let cases = [
        r#"{"reasoning": "Ok", "score": true}"#,
        " \n{\"reasoning\":\"Ok\",\"score\":true}\n",
        r#"{"reasoning": "Ok", "score": "True"}"#,
        r#"{"reasoning": "Ok", "score": 1}"#,
        r#"{"reasoning": "Ok", "score": true, "confidence": 0.9}"#,
        r#"{"reasoning": "Ok", "score": true, "score": true}"#,
        r#"{"reasoning": "No", "score": true, "reasoning": "Ok"}"#,
        r#"{"reasoning": "Ok", "score": true, "final_score": 1, "verdict": "pass", "sub_score": false}"#,
        r#"{"reasoning": "Ok", "score": true, "criteria": {"tone": {"score": false}}}"#,
        "```json\n{\"reasoning\": \"Ok\", \"score\": true}\n```",
        "``` JSON\n{\"reasoning\": \"Ok\", \"score\": true}```.",
        "~~~json\n{\"reasoning\": \"Ok\", \"score\": true}\n~~~",
        "\u{feff}{\"reasoning\": \"Ok\", \"score\": true}",
        "\u{feff}<THINK>{}</Think>{\"reasoning\": \"Ok\", \"score\": true}",
        r#"<answer>{"reasoning": "Ok", "score": true}</answer>"#,
        r#"**{"reasoning": "Ok", "score": true}** <|eot_id|></s>"#,
        r#""{\"reasoning\": \"Ok\", \"score\": true}""#,
        r#"<think>Is it {"score": false}? No.</think>{"reasoning": "Ok", "score": true}"#,
        r#"Is it {"score": false}? No.</think>{"reasoning": "Ok", "score": true}"#,
    ];
    for answer in cases {
        assert_eq!(read(&score(Scale::Boolean), answer).as_deref(), Ok(YES), "{answer}");
    }
    assert_eq!(read(&score(Scale::Boolean), "false").as_deref(), Ok(r#"{"score":false}"#));
    assert_eq!(read(&score(Scale::Boolean), r#"{"score":0}"#).as_deref(), Ok(r#"{"score":false}"#));
    let numbers = [Scale::Continuous, Scale::Choices(choices())];
    for form in numbers.map(score) {
        for number in ["0.5", "0.50", "5e-1"] {
            let verdict = Ok(format!("{{\"score\":{number}}}"));
            assert_eq!(read(&form, &format!("{{\"score\":{number}}}")), verdict);
            assert_eq!(read(&form, &format!("{{\"score\":\" {number} \"}}")), verdict);
        }
    }
}

#[test]
fn names_the_problem_of_other_answers() {
    let boolean = score(Scale::Boolean);
    let cases = [
        (&boolean, "", "it is empty"),
        (&boolean, " \n", "it is empty"),
        (&boolean, "Yes.", "there is no JSON in it"),
        (&boolean, r#"{"reasoning": "Ok"}"#, "\"score\" is missing"),
        (&boolean, r#"{"score": null}"#, "\"score\" is null, but has to be true or false"),
        (&boolean, r#"{"score": "mostly"}"#, "\"score\" is \"mostly\", but has to be true or false"),
        (&boolean, r#"{"score": 0.5}"#, "\"score\" is 0.5, but has to be true or false"),
        (&boolean, "[true]", "\"score\" is [true], but has to be true or false"),
        (&boolean, r#"So: {"reasoning": "Ok, {but"#, "the JSON in it is incomplete"),
        (&boolean, r#"{"score": tru"#, "the JSON in it is incomplete"),
        (&boolean, r#"{score: true}"#, "there is no JSON in it"),
        (&boolean, r#"So: {score: true}"#, BESIDE),
        (&boolean, r#"{"score":true,"score":false}"#, DIFFERENT),
        (&boolean, r#"{"score":false,"reasoning":"Ok","score":true}"#, DIFFERENT),
        (&boolean, r#"So: {"score":true,"score":false}."#, DIFFERENT),
        (&boolean, r#""{\"score\":true,\"score\":false}""#, DIFFERENT),
        (&boolean, r#"{"score":true,"final_score":false}"#, DIFFERENT),
        (&boolean, r#"{"score":true,"Score":false}"#, DIFFERENT),
        (&boolean, r#"{"score":true,"verdict":"false"}"#, DIFFERENT),
        (&boolean, r#"{"score":true,"final":{"score":false}}"#, DIFFERENT),
        (&boolean, "```\n{\"reasoning\":\"...\",\"score\":true}\n```", PLACEHOLDER),
        (&boolean, "```\n{\"reasoning\":\"…\",\"score\":true}\n```", PLACEHOLDER),
        (&boolean, "<a>{\"reasoning\":\"<why>\",\"score\":true}</a>", PLACEHOLDER),
        (&boolean, r#"{"reasoning":"string","score":true}."#, PLACEHOLDER),
        (
            &score(Scale::Continuous),
            r#"{"score": 85}"#,
            "\"score\" is 85, but has to be a number from 0 to 1",
        ),
        (
            &score(Scale::Continuous),
            r#"{"score": true}"#,
            "\"score\" is true, but has to be a number from 0 to 1",
        ),
        (
            &score(Scale::Choices(choices())),
            r#"{"score": 0.3}"#,
            "\"score\" is 0.3, but has to be one of 0, 0.5",
        ),
    ];
    for (form, answer, problem) in cases {
        assert_eq!(read(form, answer), Err(problem.to_owned()), "{answer}");
    }
}

#[test]
fn json_beside_text_is_no_verdict() {
    const YES: &str = r#"{"reasoning": "Ok", "score": true}"#;
    let custom = Form::Custom(json::parse(r#"{"required":["score"]}"#).unwrap());
    for text in [
        "I cannot judge this.",
        "I need more information. Format:",
        "Ich kann das nicht beurteilen. Beispiel:",
        "我无法判断。",
        "NOT",
        "Here is my verdict:\n```json\n",
        "~~Scratch~~",
        "<no answer>",
        "1",
        r#"{"score": false}"#,
        r#"{"score": fal"#,
        "<score>false</score>",
        "```True",
    ] {
        for form in [&score(Scale::Boolean), &custom] {
            assert!(read(form, &format!("{YES}\n{text}")).is_err_and(|problem| problem == BESIDE), "{text}");
            let before = read(form, &format!("{text} {YES}"));
            // A word behind a fence is its language.
            assert!(before.is_err() || text == "```True", "{text}");
        }
    }
}

#[test]
fn reasoning_is_kept_if_it_is_there_and_wanted() {
    let with = |reasoned, answer| read(&Form::Score { scale: Scale::Boolean, reasoned }, answer).unwrap();
    assert_eq!(with(true, r#"{"score":true,"reasoning":""}"#), r#"{"score":true,"reasoning":""}"#);
    assert_eq!(with(true, r#"{"score":true,"reasoning":["a"]}"#), r#"{"score":true}"#);
    assert_eq!(with(false, r#"{"score":true,"reasoning":"a"}"#), r#"{"score":true}"#);
    assert_eq!(
        with(true, r#"{"score":true,"reasoning":"cut \ud83d"}"#),
        r#"{"score":true,"reasoning":"cut \ud83d"}"#
    );
}

#[test]
fn checks_a_custom_schema_and_keeps_the_text() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}"#;
    let form = Form::Custom(json::parse(schema).unwrap());
    assert_eq!(read(&form, "`{\"n\": 1.0, \"a\": 0}`.").as_deref(), Ok("{\"n\": 1.0, \"a\": 0}"));
    assert_eq!(read(&form, r#"{"n": "1"}"#), Err("\"n\" is \"1\", but has to be of type number".to_owned()));
    let twice = r#"{"n": 1, "a": {"b": 2, "b": 3}}"#;
    let problem = Err("\"b\" appears twice, with different values".to_owned());
    assert_eq!(read(&form, twice), problem);
    assert_eq!(read(&form, &format!("Well: {twice}.")), problem);
    assert_eq!(read(&form, r#"{"n": 1, "n": 1.0}"#).as_deref(), Ok(r#"{"n": 1, "n": 1.0}"#));
    let text = Form::Custom(json::parse(r#"{"type":"string"}"#).unwrap());
    assert_eq!(read(&text, "\"1\"").as_deref(), Ok("\"1\""));
    let list = Form::Custom(json::parse(r#"{"type":"array"}"#).unwrap());
    assert_eq!(read(&list, "```\n[1, {\"a\": 2}]\n```").as_deref(), Ok("[1, {\"a\": 2}]"));
}

#[test]
fn long_nonsense_is_rejected_quickly() {
    let list = Form::Custom(json::parse(r#"{"type":"array","items":{"type":"string"}}"#).unwrap());
    let object = Form::Custom(json::parse(r#"{"required":["n"]}"#).unwrap());
    let deep = |text: &str| text.repeat(1_000);
    for piece in [
        "{",
        "{\"a\":",
        "{1",
        "{\"a\":{é",
        "{\"",
        "{\"a\":\"",
        "{\"a\":\"\\u12",
        "{\"\\ud800",
        "{\"a\":[",
        "[",
        "[{",
        "{}",
        "[1]",
        "{\"score\":\"maybe\"}",
        "{\"score\":{\"a\":[1,2,3]}}",
        "<think>",
        "</think>",
        "<think></think>{",
        "\"",
        "{\"a\":1e",
        "{\"a\":0",
        "{\"a\":nul",
        "\n{\n",
        "score: true ",
        "\"score\": tru",
        &(deep("{\"a\":") + "x"),
        &(deep("[") + &deep("]")),
        &(deep("{\"a\":[") + &deep("]}")),
        &(deep("[") + "{" + &deep("]")),
    ] {
        let text = piece.repeat(150_000 / piece.len());
        for before in ["", "So: {"] {
            let answer = format!("{before}{text}");
            for form in [&score(Scale::Boolean), &list, &object] {
                assert!(read(form, &answer).is_err(), "{before} {piece:.40}");
            }
        }
    }
}

proptest! {
    #[test]
    fn reading_never_panics(answer in "[{}\\[\\]\"scoretu:,01é\n ]{0,40}") {
        let _ = read(&score(Scale::Boolean), &answer);
    }

    #[test]
    fn a_verdict_is_found_between_marks(before in "[ .,:;!\n`*#>-]{0,9}", after in "[ .,:;!\n`*#>}-]{0,9}") {
        let answer = format!("{before}\n{{\"reasoning\":\"}} {{\",\"score\":0.25}}\n{after}");
        let verdict = read(&score(Scale::Continuous), &answer);
        prop_assert_eq!(verdict.as_deref(), Ok("{\"score\":0.25,\"reasoning\":\"} {\"}"));
    }
}
