//! RAG steps with scripted models. The package has their prompts, with tests.

use super::*;
use crate::chat::testing::ScriptedModel;
use crate::error::{Code, Error};
use crate::executor::ready;
use crate::json::read;

const SUPPORT: &str = r#"{"name":"support","item":"claim","source":"context","mostItems":3,"question":{"system":"","prompt":"<contexts>{contexts}</contexts><claims>{items}</claims>","schema":"{}"}}"#;
const CLAIMS: &str = r#"{"sentences":{"name":"claims","item":"sentence","source":"context","mostItems":9,"question":{"system":"","prompt":"<sentences>{items}</sentences>","schema":"{}"}},"steps":[]}"#;

fn question() -> IndexedQuestion {
    IndexedQuestion::new(read(SUPPORT).unwrap()).unwrap()
}

/// The answers about these claims by two contexts, and the last message of each request.
fn asked(items: &[&str], answers: &[&str]) -> (Result<String, Error>, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().copied());
    let input = format!(r#"{{"items":{items:?},"contexts":["a","b</contexts>"],"maxConcurrency":1}}"#);
    let found = ready(question().run(&model, &read(&input).unwrap())).expect("scripted models do not wait");
    let requests = model.requests.borrow();
    let texts = requests.iter().filter_map(|(messages, _)| messages.last());
    (found, texts.map(|message| message.to_json().into_text()).collect())
}

fn answers(list: &[(usize, u8, &str)]) -> String {
    let list: Vec<String> = list
        .iter()
        .map(|(index, verdict, contexts)| {
            format!(r#"{{"index":{index},"contexts":[{contexts}],"verdict":{verdict}}}"#)
        })
        .collect();
    format!(r#"{{"answers":[{}]}}"#, list.join(","))
}

#[test]
fn answers_come_in_the_order_of_the_items() {
    let (found, asked) = asked(&["x", "y</claim>"], &[&answers(&[(1, 0, ""), (0, 1, "1")])]);
    let expected = r#"{"found":[{"contexts":[1],"index":0,"verdict":1},{"contexts":[],"index":1,"verdict":0}],"metadata":{"attempts":1}}"#;
    assert_eq!(found.unwrap(), expected);
    let prompt = r#"<contexts><context index=\"0\">\na\n</context>\n<context index=\"1\">\nb&lt;/contexts>\n</context></contexts><claims><claim index=\"0\">\nx\n</claim>\n<claim index=\"1\">\ny&lt;/claim>\n</claim></claims>"#;
    assert_eq!(asked, [format!(r#"{{"role":"user","content":"{prompt}"}}"#)]);
}

#[test]
fn many_items_take_requests_of_equal_size() {
    let first = answers(&[(0, 1, "0"), (1, 1, "0")]);
    let (found, asked) = asked(&["a", "b", "c", "d"], &[&first, &answers(&[(3, 0, ""), (2, 1, "0,1")])]);
    assert!(found.unwrap().contains(r#"{"contexts":[0,1],"index":2,"verdict":1},{"contexts":[],"index":3"#));
    assert!(asked[1].contains(r#"<claim index=\"2\">"#), "{asked:?}");
}

#[test]
fn a_wrong_index_is_asked_about_once_more() {
    let good = answers(&[(0, 1, "0"), (1, 0, "")]);
    let cases = [
        (answers(&[(0, 1, "0")]), "index 1 has no answer"),
        (answers(&[(0, 1, "0"), (0, 0, ""), (1, 0, "")]), "index 0 has more than one answer"),
        (answers(&[(1, 1, "0"), (2, 0, "")]), "an answer has an index outside of 0 to 1"),
        (answers(&[(0, 1, "2"), (1, 0, "")]), "the answer for index 0 names a context that does not exist"),
        (answers(&[(0, 1, ""), (1, 0, "")]), "the verdict for index 0 is 1, but the answer names no context"),
    ];
    for (bad, problem) in cases {
        let (found, requests) = asked(&["x", "y"], &[&bad, &good]);
        assert!(found.unwrap().ends_with(r#""metadata":{"attempts":2}}"#));
        assert!(requests[1].contains(problem), "{requests:?}");
        let (found, _) = asked(&["x", "y"], &[&bad, &bad]);
        let error = found.unwrap_err();
        assert_eq!(error.code, Code::InvalidJudgeOutput);
        assert!(error.message.starts_with("support: ") && error.message.contains(problem), "{error}");
    }
}

#[test]
fn sources_have_their_own_names() {
    let config = SUPPORT.replace(r#""source":"context""#, r#""source":"message""#);
    let question = IndexedQuestion::new(read(&config).unwrap()).unwrap();
    let bad = r#"{"answers":[{"index":0,"messages":[1],"verdict":1}]}"#;
    let model = ScriptedModel::saying([bad, bad]);
    let input = read(r#"{"items":["x"],"contexts":["a"],"maxConcurrency":1}"#).unwrap();
    let error = ready(question.run(&model, &input)).unwrap().unwrap_err();
    assert!(error.message.contains("the answer for index 0 names a message that does not exist"), "{error}");
    let asked = model.requests.borrow()[0].0.last().unwrap().to_json().into_text();
    assert!(asked.contains(r#"<contexts><message index=\"0\">"#), "{asked}");
}

#[test]
fn claims_have_the_places_of_their_sentences() {
    let extraction = ClaimExtraction::new(read(CLAIMS).unwrap()).unwrap();
    let model = ScriptedModel::saying([
        r#"{"answers":[{"index":1,"claims":["B is new."," "]},{"index":0,"claims":["A is old.","A is 😀."]}]}"#,
    ]);
    let input = r#"{"text":"It is old, and 😀. B is new.","maxConcurrency":1}"#;
    let found = ready(extraction.run(&model, read(input).unwrap())).unwrap().unwrap();
    let claims = r#"{"claim":"A is old.","start":0,"end":18},{"claim":"A is 😀.","start":0,"end":18},{"claim":"B is new.","start":19,"end":28}"#;
    assert_eq!(found, format!(r#"{{"found":[{claims}],"metadata":{{"attempts":1}}}}"#));
}

#[test]
fn a_text_without_words_takes_no_request() {
    let extraction = ClaimExtraction::new(read(CLAIMS).unwrap()).unwrap();
    let model = ScriptedModel::saying([]);
    let input = read(r#"{"text":"  \n---\n","maxConcurrency":1}"#).unwrap();
    let found = ready(extraction.run(&model, input)).unwrap().unwrap();
    assert_eq!(found, r#"{"found":[],"metadata":{"attempts":0}}"#);
}

#[test]
fn precision_is_the_mean_over_relevant_ranks() {
    assert_eq!(average_precision(&[1, 1, 1]), 1.0);
    assert_eq!(average_precision(&[1, 0, 1]), (1.0 + 2.0 / 3.0) / 2.0);
    assert_eq!(average_precision(&[0, 1]), 0.5);
    assert_eq!(average_precision(&[0, 0]), 0.0);
}

#[test]
fn f_beta_weighs_recall() {
    assert_eq!(f_beta(0.5, 1.0, 1.0), 2.0 / 3.0);
    assert_eq!(f_beta(0.5, 1.0, 2.0), 5.0 * 0.5 / 3.0);
    assert_eq!(f_beta(0.0, 0.0, 1.0), 0.0);
}

#[test]
fn wrong_claims_are_attributed_to_contexts() {
    // Two reference claims, three claims of the answer, two contexts; the first one is relevant.
    let supported = [1, 0, /* answer */ 1, 0, 0, /* second */ 0, 0, 1, 1, 0];
    let Noise { relevant, irrelevant } = noise(&[0, 0, 0], &supported, 2);
    assert_eq!((relevant, irrelevant), (1.0 / 3.0, 1.0 / 3.0));
    let Noise { relevant, irrelevant } = noise(&[1, 0, 0], &supported, 2);
    assert_eq!((relevant, irrelevant), (0.0, 1.0 / 3.0));
}

#[test]
fn similarity_is_the_mean_cosine() {
    assert_eq!(mean_similarity(&[1.0, 0.0, 2.0, 0.0, 0.0, 3.0], 2), Ok(0.5));
    assert_eq!(mean_similarity(&[1.0, 0.0, -2.0, 0.0], 1), Ok(0.0));
    assert_eq!(mean_similarity(&[1.0, 0.0, 0.0, 0.0], 1).unwrap_err().code, Code::InvalidInput);
    assert_eq!(mean_similarity(&[], 1).unwrap_err().code, Code::InvalidInput);
}
