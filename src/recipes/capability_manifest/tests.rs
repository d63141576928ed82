use super::*;
use crate::chat::testing::ScriptedModel;
use crate::chat::{Completion, Finish};
use crate::error::Code;
use crate::json::read;
use crate::recipes::tests::ran;

const QUESTION: &str = r#"{"system":"What can it do?","prompt":"{systemPrompt}|{tools}"}"#;

fn written(input: &str, answers: &[&str]) -> (Result<String>, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().copied());
    let recipe = CapabilityManifest::new(read(QUESTION).unwrap()).unwrap();
    ran(&model, recipe.run(&model, read(input).unwrap()))
}

#[test]
fn a_manifest_is_free_text() {
    let input = r#"{"systemPrompt":"Be brief.","tools":[{"toolName":"f","toolText":"F."}]}"#;
    for answer in ["# Text\n- CAN \"write\"", "<think>{}</think>\n# Text\n- CAN \"write\"\n"] {
        let (output, asked) = written(input, &[answer]);
        assert_eq!(output.unwrap(), r##"{"capabilityManifest":"# Text\n- CAN \"write\""}"##);
        assert_eq!(asked, [r#"{"role":"user","content":"Be brief.|[1] f\n| F."}"#]);
    }
    let (output, asked) = written(input, &["", " \n"]);
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
        let recipe = CapabilityManifest::new(read(QUESTION).unwrap()).unwrap();
        let assistant = read(r#"{"systemPrompt":"","tools":[]}"#).unwrap();
        ran(&model, recipe.run(&model, assistant)).0.unwrap_err()
    };
    let cut_off = manifest(Finish::Truncated);
    assert_eq!((cut_off.code, cut_off.raw.as_deref()), (Code::InvalidJudgeOutput, Some("# Text\n- CAN")));
    assert!(cut_off.message.contains("it was cut off"), "{}", cut_off.message);
    let refused = manifest(Finish::Refused("no".to_owned()));
    assert_eq!(refused.code, Code::Refused);
    assert!(refused.message.starts_with("capability_manifest: "), "{}", refused.message);
}
