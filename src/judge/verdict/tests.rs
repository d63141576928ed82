use super::*;
use crate::json_schema::no_text_rules;
use proptest::prelude::*;
use std::time::Instant;

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
        r#"{"final score": true} {"reasoning": "Ok", "score": true} {"a score": false, "scores": false}"#,
        r#"It is false that it rains, so not: {"reasoning": "Ok", "score": true}"#,
        r#"{"reasoning": "Ok", "score": true, "criteria": {"tone": {"score": false}}}"#,
        r#"Here: {"reasoning": "Ok", "score": true} I hope {this} helps!"#,
        "```json\n{\"reasoning\": \"Ok\", \"score\": true}\n```",
        r#"The set {1, 2} — {é} — is fine. {"reasoning": "Ok", "score": true} And {3} too."#,
        r#"{note: {"reasoning": "Ok", "score": true}}"#,
        r#"{"reasoning": "Ok", "score": true} or, again, {"reasoning": "Ok", "score": 1}"#,
        r#""{\"reasoning\": \"Ok\", \"score\": true}""#,
        r#"<think>Is it {"score": false}? No.</think>{"reasoning": "Ok", "score": true}"#,
        r#"Is it {"score": false}? No.</think>{"reasoning": "Ok", "score": true}"#,
    ];
    for answer in cases {
        assert_eq!(read(&score(Scale::Boolean), answer).as_deref(), Ok(YES), "{answer}");
    }
    for prose in [
        "Score: true.",
        "The score is 1, surely.",
        "My verdict:\n",
        "The verdict: it is right.",
        "A score of 0 would be too low.",
        "The score is false if they differ.",
        "Answer with {\"score\": true or false}, or {\"score\": true/false}.",
        "Its subscore: 0. The score_a = 0.",
        "The set {1, {2}, [3",
        "It has no false claims.",
        "That is not false.",
        "A score is true or false.",
        "A falsehood is nowhere; untrue-false: neither.",
        "The agent cannot help. I cannot find a mistake, and it will not score less.",
        "Is it right or not: yes.",
        &format!("It is wrong to call that false. {}", "It is long. ".repeat(20)),
    ] {
        let verdict = r#"{"reasoning": "Ok", "score": true}"#;
        for answer in [format!("{prose} {verdict}"), format!("{verdict} {prose}")] {
            assert_eq!(read(&score(Scale::Boolean), &answer).as_deref(), Ok(YES), "{answer}");
        }
    }
    assert_eq!(
        read(&score(Scale::Continuous), r#"Score: 0.50 {"score":0.5}"#).as_deref(),
        Ok(r#"{"score":0.5}"#)
    );
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
        (
            &boolean,
            r#"{"score": true}, or {"score": false}?"#,
            "it contains more than one verdict, and they differ",
        ),
        (&boolean, r#"{"score": true} wait, {"score": fal"#, "the JSON in it is incomplete"),
        (&boolean, r#"{"score": true} wait, {"sc"#, "the JSON in it is incomplete"),
        (&boolean, r#"{"score": true} wait, {"#, "the JSON in it is incomplete"),
        (&boolean, "{\"score\": true}\n{\"score\": fal\n```", DIFFERENT),
        (&boolean, r#"{"score": true} or {"score": "unclear"}"#, DIFFERENT),
        (&boolean, r#"For example {"score": true}… My verdict: score = false."#, DIFFERENT),
        (&boolean, r#"**Verdict:** false. {"score": true}"#, DIFFERENT),
        (&boolean, r#"Score: true. No: {"score": false}. The score is `true`."#, DIFFERENT),
        (&boolean, r#"{"score":true,"score":false}"#, DIFFERENT),
        (&boolean, r#"{"score":false,"reasoning":"Ok","score":true}"#, DIFFERENT),
        (&boolean, r#"So: {"score":true,"score":false}."#, DIFFERENT),
        (&boolean, r#""{\"score\":true,\"score\":false}""#, DIFFERENT),
        (&boolean, r#"{"score":true,"final_score":false}"#, DIFFERENT),
        (&boolean, r#"{"score":true,"Score":false}"#, DIFFERENT),
        (&boolean, r#"{"score":true,"verdict":"false"}"#, DIFFERENT),
        (&boolean, r#"{"score":true} {"final score":false}"#, DIFFERENT),
        (&boolean, r#"{"finalScore":false} {"score":true}"#, DIFFERENT),
        (&boolean, r#"{"verdict":0} {"score":true}"#, DIFFERENT),
        (&boolean, r#"{"score":true} final_score: false"#, DIFFERENT),
        (&boolean, "{\"score\":true}\nFinal answer: false", DIFFERENT),
        (&boolean, "{\"score\":true}\nFinal verdict: NO", DIFFERENT),
        (&boolean, "{\"score\":false}\nVerdict: yes", DIFFERENT),
        (&boolean, r#"{"score":true} **False**"#, DIFFERENT),
        (&boolean, r#"{"score":true} -> false"#, DIFFERENT),
        (&boolean, "```json\n{\"score\":false}\n```\nTrue.", DIFFERENT),
        (&boolean, r#"{"score":true}<score>false</score>"#, DIFFERENT),
        (&boolean, r#"{"score":true} Rather false, because it is wrong."#, DIFFERENT),
        (&boolean, r#"{"score":true} It is false because it is wrong."#, DIFFERENT),
        (&boolean, r#"{"score":true} This is not true."#, DIFFERENT),
        (&boolean, r#"{"score":true} {"final":{"score":false}}"#, DIFFERENT),
        (&boolean, r#"{"result":{"score":false}} {"score":true}"#, DIFFERENT),
        (&boolean, r#"{"score":true,"final":{"score":false}}"#, DIFFERENT),
        (&boolean, r#"The answer is not {"score":true}"#, DIFFERENT),
        (&boolean, r#"The format is {"reasoning":" ... ","score":true}."#, PLACEHOLDER),
        (&boolean, r#"The format is {"reasoning":"…","score":true}."#, PLACEHOLDER),
        (&boolean, r#"The format is {"reasoning":"<why>","score":true}."#, PLACEHOLDER),
        (&boolean, r#"The format is {"reasoning":"string","score":true}."#, PLACEHOLDER),
        (&boolean, r#"I cannot judge this. {"score":true}"#, DECLINES),
        (&boolean, r#"{"score":true} Sorry, I’m unable to assess it."#, DECLINES),
        (&boolean, r#"I CAN'T GRADE THIS: {"score":true}"#, DECLINES),
        (&boolean, r#"I must decline to rate it: {"score":true}"#, DECLINES),
        (&score(Scale::Continuous), r#"{"score": 0.5} My score is 0.25."#, DIFFERENT),
        (&score(Scale::Choices(choices())), r#"{"score": 0.5}, score=0"#, DIFFERENT),
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
    assert_eq!(read(&form, "Well: {\"n\": 1.0, \"a\": 0}.").as_deref(), Ok("{\"n\": 1.0, \"a\": 0}"));
    let breaks_off = read(&form, r#"{"n": 1} or rather {"n": 2, "a": nul"#);
    assert_eq!(breaks_off, Err("the JSON in it is incomplete".to_owned()));
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

#[test]
fn many_verdicts_are_read_quickly() {
    let long = "x".repeat(1_000);
    let verdict = format!("{{\"score\":true,\"reasoning\":\"{long}\"}} ");
    let answer = verdict.repeat(2_000);
    assert!(read(&score(Scale::Boolean), &answer).is_ok());
    let differs = read(&score(Scale::Boolean), &format!("{answer}{{\"score\":false}}"));
    assert_eq!(differs, Err("it contains more than one verdict, and they differ".to_owned()));
    let failing = format!("{{\"score\":\"{long}\"}}").repeat(2_000);
    assert!(read(&score(Scale::Boolean), &failing).unwrap_err().starts_with("\"score\" is \"xxx"));
    assert!(read(&score(Scale::Boolean), &format!("{failing}{answer}")).is_ok());
}

#[test]
fn four_times_as_many_objects_take_about_four_times_as_long() {
    for object in ["{\"score\":true}", "{\"x\":1}", "é{}"] {
        let time = |count: usize| {
            let answer = object.repeat(count);
            let start = Instant::now();
            let _ = read(&score(Scale::Boolean), &answer);
            start.elapsed().as_secs_f64()
        };
        // Quadratic time would make the ratio 16. Other processes may disturb some of the measurements.
        let mut ratios = Vec::new();
        let is_linear = (0..4).any(|_| {
            ratios.push(time(60_000) / time(15_000));
            ratios.last().is_some_and(|ratio| *ratio < 8.0)
        });
        assert!(is_linear, "{object}: {ratios:?}");
    }
}

proptest! {
    #[test]
    fn reading_never_panics(answer in "[{}\\[\\]\"scoretu:,01é\n ]{0,40}") {
        let _ = read(&score(Scale::Boolean), &answer);
    }

    #[test]
    fn a_verdict_is_found_in_any_prose(before in "[a-z .,:;!\n{1}é]{0,30}", after in "[^{]{0,30}") {
        let answer = format!("{before}\n{{\"reasoning\":\"}} {{\",\"score\":0.25}}\n{after}");
        let verdict = read(&score(Scale::Continuous), &answer);
        prop_assert_eq!(verdict.as_deref(), Ok("{\"score\":0.25,\"reasoning\":\"} {\"}"));
    }
}
