use super::*;
use crate::chat::testing::ScriptedModel;
use crate::chat::{Completion, Finish};
use crate::error::Code;
use crate::executor::ready;
use crate::recipes::tests::ran;
use std::cell::Cell;

/// The text of a schema with these properties, all of them required.
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
        r#"{{"inScopeProbabilityThreshold":50,"steps":{{
            "scope":{{"system":"In scope?","prompt":"{prompt}","schema":"{scope}"}},
            "handling":{{"system":"Well?","prompt":"{{conversationHistoryFull}}","schema":"{handling}"}},
            "capability_manifest":{{"system":"What can it do?","prompt":"{{systemPrompt}}|{{tools}}"}}}}}}"#
    )
}

fn scope(probability: &str) -> String {
    format!(
        r#"{{"capabilities_analysis":"a","sufficient_capabilities":"b \"","in_scope_reasoning":"c","is_in_scope_probability":{probability}}}"#
    )
}

const INPUT: &str = r#"{"conversationHistoryBeginningTurn":"Excel!","conversationHistoryFull":"Excel! No.","capabilityManifest":"Text only."}"#;

#[test]
fn what_is_in_scope_is_not_evaluated_further() {
    for probability in ["50", "50.0", "99.5"] {
        let (output, asked) = ran("guidance", &config(), INPUT, &[&scope(probability)]);
        let reasoning = format!(
            r#"{{"capabilitiesAnalysis":"a","sufficientCapabilities":"b \"","inScopeReasoning":"c","isInScopeProbability":{probability}}}"#
        );
        let expected = format!(r#"{{"applicable":false,"score":0,"isInScopeReasoning":{reasoning}}}"#);
        // 50.0 is 50.
        assert_eq!(output.unwrap(), expected.replace("50.0", "50"));
        assert_eq!(asked, [r#"{"role":"user","content":"Excel!|Text only."}"#]);
    }
}

#[test]
fn how_a_request_out_of_scope_is_dealt_with_is_the_score() {
    for (score, feedback) in [("50", r#""feedback":"So-so.","#), ("51", "")] {
        let handling = format!(r#"{{"reasoning":"So-so.","score":{score}}}"#);
        let (output, asked) = ran("guidance", &config(), INPUT, &[&scope("49.99"), &handling]);
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
    let (output, asked) = ran("guidance", &config(), INPUT, &[&bad[0], &bad[1]]);
    let error = output.unwrap_err();
    assert_eq!(
        (error.code, error.raw.clone(), asked.len()),
        (Code::InvalidJudgeOutput, Some(bad[1].clone()), 2)
    );
    assert!(error.message.starts_with("scope: The judge was asked twice"), "{}", error.message);

    let bad = r#"{"reasoning":"","score":0.5}"#;
    let (output, asked) = ran("guidance", &config(), INPUT, &[&scope("0"), bad, bad]);
    let error = output.unwrap_err();
    assert_eq!((error.code, error.raw.as_deref(), asked.len()), (Code::InvalidJudgeOutput, Some(bad), 3));
    assert!(error.message.starts_with("handling: "), "{}", error.message);
}

#[test]
fn a_manifest_is_free_text() {
    let input = r#"{"systemPrompt":"Be brief.","tools":[{"toolName":"f","toolText":"F."}]}"#;
    for answer in ["# Text\n- CAN \"write\"", "<think>{}</think>\n# Text\n- CAN \"write\"\n"] {
        let (output, asked) = ran("capability_manifest", &config(), input, &[answer]);
        assert_eq!(output.unwrap(), r##"{"capabilityManifest":"# Text\n- CAN \"write\""}"##);
        assert_eq!(asked, [r#"{"role":"user","content":"Be brief.|[1] f\n| F."}"#]);
    }
    let (output, asked) = ran("capability_manifest", &config(), input, &["", " \n"]);
    let error = output.unwrap_err();
    assert_eq!(error.code, Code::InvalidJudgeOutput);
    assert!(error.message.starts_with("capability_manifest: The judge was asked twice"), "{}", error.message);
    let again = r#"{"role":"user","content":"This answer cannot be used: it is empty. Answer again."}"#;
    assert_eq!(asked.last().unwrap(), again);
}

#[test]
fn a_manifest_that_is_not_whole_is_none() {
    let manifest = |finish: Finish| {
        let text = "# Text\n- CAN".to_owned();
        let model = ScriptedModel::new([(); 2].map(|()| {
            Ok(Completion { text: text.clone(), finish: finish.clone(), ..Completion::default() })
        }));
        let (config, usage) = (config(), Cell::default());
        let config = Fields::read(&config).unwrap();
        let asking = Asking::new(&model, &usage);
        let input = Fields::read(r#"{"systemPrompt":"","tools":[]}"#).unwrap();
        ready(super::manifest(&asking, &config, &input)).unwrap().unwrap_err()
    };
    let cut_off = manifest(Finish::Truncated);
    assert_eq!((cut_off.code, cut_off.raw.as_deref()), (Code::InvalidJudgeOutput, Some("# Text\n- CAN")));
    assert!(cut_off.message.contains("it was cut off"), "{}", cut_off.message);
    let refused = manifest(Finish::Refused("no".to_owned()));
    assert_eq!(refused.code, Code::Refused);
    assert!(refused.message.starts_with("capability_manifest: "), "{}", refused.message);
}
