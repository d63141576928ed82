//! Preference adherence with scripted models.

use super::*;
use crate::chat::testing::ScriptedModel;
use crate::error::Code;
use crate::json::read;
use crate::recipes::tests::ran;

const CONFIG: &str = r#"{"maxConcurrency":1,
    "extraction":{"system":"Find.","prompt":"{conversation}","schema":"{\"type\":\"object\",\"properties\":{\"preferences\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"start_line\":{\"type\":\"integer\"},\"end_line\":{\"type\":\"integer\"},\"preference\":{\"type\":\"string\"}},\"required\":[\"start_line\",\"end_line\",\"preference\"]}}},\"required\":[\"preferences\"]}"},
    "adherence":{"system":"Judge.","prompt":"{conversation}|{preference}","schema":"{\"type\":\"object\",\"properties\":{\"reasoning\":{\"type\":\"string\"},\"adherence_probability\":{\"type\":\"number\",\"minimum\":0,\"maximum\":100},\"determination\":{\"enum\":[\"adhered\",\"did_not_adhere\",\"not_applicable\"]}},\"required\":[\"reasoning\",\"adherence_probability\",\"determination\"]}"}}"#;
const INPUT: &str = r#"{"conversationHistoryBeginningTurn":"Be brief.\nHi!","conversationHistoryFull":"Be brief.\nHi!\nHello."}"#;

fn preferences(texts: &[&str]) -> String {
    let preferences: Vec<String> = texts
        .iter()
        .map(|text| format!(r#"{{"start_line":0,"end_line":1,"preference":"{text}"}}"#))
        .collect();
    format!(r#"{{"preferences":[{}]}}"#, preferences.join(","))
}

fn adherence(probability: &str, determination: &str) -> String {
    format!(
        r#"{{"reasoning":"Why.","adherence_probability":{probability},"determination":"{determination}"}}"#
    )
}

fn evaluated(answers: &[String]) -> (Result<String>, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().map(String::as_str));
    let recipe = PreferenceAdherence::new(read(CONFIG).unwrap()).unwrap();
    ran(&model, recipe.run(&model, read(INPUT).unwrap()))
}

#[test]
fn judges_each_preference_separately() {
    let (output, asked) = evaluated(&[
        preferences(&["brief", "kind", "cited"]),
        adherence("95.5", "adhered"),
        adherence("20", "did_not_adhere"),
        adherence("0", "not_applicable"),
    ]);
    let expected = [
        // (95.5 + 20) / 2
        r#"{"applicable":true,"score":577500000000e-10"#,
        r#""feedback":"The response does not adhere to these preferences of the user:\n<preference>kind</preference>\n<reasoning>Why.</reasoning>""#,
        r#""adherenceToPreferences":[{"preference":"brief","reasoning":"Why.","adherenceProbability":95.5,"determination":"adhered"},{"preference":"kind","reasoning":"Why.","adherenceProbability":20,"determination":"did_not_adhere"},{"preference":"cited","reasoning":"Why.","adherenceProbability":0,"determination":"not_applicable"}]"#,
        r#""adhered":1,"didNotAdhere":1,"notApplicable":1"#,
        r#""extractedUserPreferences":[{"startLine":0,"endLine":1,"preference":"brief"},{"startLine":0,"endLine":1,"preference":"kind"},{"startLine":0,"endLine":1,"preference":"cited"}]}"#,
    ];
    assert_eq!(output.unwrap(), expected.join(","));
    assert_eq!(
        asked,
        [
            r#"{"role":"user","content":"0→Be brief.\n1→Hi!"}"#,
            r#"{"role":"user","content":"Be brief.\nHi!\nHello.|brief"}"#,
            r#"{"role":"user","content":"Be brief.\nHi!\nHello.|kind"}"#,
            r#"{"role":"user","content":"Be brief.\nHi!\nHello.|cited"}"#,
        ]
    );
}

#[test]
fn without_preferences_or_where_none_applies_it_is_not_applicable() {
    let (output, asked) = evaluated(&[preferences(&[])]);
    let nothing = r#"{"applicable":false,"score":0e-10,"adherenceToPreferences":[],"adhered":0,"didNotAdhere":0,"notApplicable":0,"extractedUserPreferences":[]}"#;
    assert_eq!((output.unwrap().as_str(), asked.len()), (nothing, 1));

    let (output, asked) = evaluated(&[preferences(&["cited"]), adherence("100", "not_applicable")]);
    let output = output.unwrap();
    assert!(output.starts_with(r#"{"applicable":false,"score":0e-10,"adherence"#), "{output}");
    assert!(output.contains(r#""adhered":0,"didNotAdhere":0,"notApplicable":1,"#), "{output}");
    assert_eq!(asked.len(), 2);
}

#[test]
fn errors_name_the_step() {
    let (output, _) = evaluated(&["no".to_owned(), "never".to_owned()]);
    let error = output.unwrap_err();
    assert_eq!((error.code, error.raw.as_deref()), (Code::InvalidJudgeOutput, Some("never")));
    assert!(error.message.starts_with("extraction: "), "{}", error.message);

    let unusable = adherence("50", "partly");
    let (output, asked) = evaluated(&[preferences(&["brief"]), unusable.clone(), unusable.clone()]);
    let error = output.unwrap_err();
    assert_eq!((asked.len(), error.raw.clone()), (3, Some(unusable)));
    assert!(error.message.starts_with("adherence: "), "{}", error.message);
}
