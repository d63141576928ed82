//! Claim verification with scripted models. The package has its prompts and their tests.

use super::super::tests::ran;
use super::*;
use crate::chat::testing::ScriptedModel;
use crate::json::{parse, read};
use std::future;

const CONFIG: &str = r#"{"verificationThreshold":70,"isOpenDomainThreshold":50,"maxConcurrency":1,
    "selection":{"one":{"system":"","prompt":"select {sentence} in {excerpt} for {question}","schema":"{}"},
        "several":{"system":"","prompt":"select {things} in {excerpt} for {question}","schema":"{}"}},
    "disambiguation":{"one":{"system":"","prompt":"clarify {sentence} in {excerpt} for {question}","schema":"{}"},
        "several":{"system":"","prompt":"clarify {things} in {excerpt} for {question}","schema":"{}"}},
    "decomposition":{"one":{"system":"","prompt":"split {sentence} in {excerpt} for {question}","schema":"{}"},
        "several":{"system":"","prompt":"split {things} in {excerpt} for {question}","schema":"{}"}},
    "verification":{
        "one":{"system":"","prompt":"verify {claim} for {question} by <sources>{sources}</sources>","schema":"{}"},
        "several":{"system":"","prompt":"verify {things} for {question} by <sources>{sources}</sources>","schema":"{}"}}}"#;

/// An input with this text.
fn input(text: &str) -> String {
    let text = text.replace('\n', "\\n");
    format!(
        r#"{{"text":"{text}","userQuestion":"Paris?","sourceContext":[{{"sourceId":"0","title":"t","content":"Paris"}}]}}"#
    )
}

const NOTHING: &str = r#"{"final_submission":"Does NOT contain a specific and verifiable proposition","sentence_with_verifiable_info":"None"}"#;
const SELECTED: &str = r#"{"final_submission":"Contains a specific and verifiable proposition","sentence_with_verifiable_info":"remains unchanged"}"#;

fn clear(sentences: &[&str]) -> String {
    format!(r#"{{"decontextualized_sentences":{sentences:?}}}"#)
}

fn claims(claims: &[&str]) -> String {
    format!(r#"{{"specific_verifiable_decontextualized_propositions_with_clarifications":{claims:?}}}"#)
}

fn verdict(verified: &str, open_domain: &str, citations: &str) -> String {
    let is_open_domain = open_domain.parse::<f64>().unwrap() >= 50.0;
    format!(
        r#"{{"proof":"because","citations":[{citations}],"verified_probability":{verified},"open_domain_justification":"","open_domain_probability":{open_domain},"is_open_domain":{is_open_domain}}}"#
    )
}

fn citation(id: &str, start: &str, end: &str) -> String {
    format!(r#"{{"source_id":"{id}","start_range":{start},"end_range":{end}}}"#)
}

/// The result for a text, and the requests of the model.
fn verified(config: &str, text: &str, answers: &[String]) -> (String, Vec<String>) {
    let model = ScriptedModel::saying(answers.iter().map(String::as_str));
    let recipe = ClaimVerification::new(read(config).unwrap()).unwrap();
    let input = read(&input(text)).unwrap();
    let (output, asked) = ran(&model, recipe.run(&model, &model, input, &|_| Box::pin(future::ready(false))));
    (output.unwrap(), asked)
}

/// A member of a JSON text, as text.
fn member(json: &str, path: &[&str]) -> Option<String> {
    let mut value = parse(json).unwrap();
    for name in path {
        value = match name.parse::<usize>() {
            Ok(index) => value.as_array()?.get(index)?.clone(),
            Err(_) => value.as_object()?.get(name)?.clone(),
        };
    }
    Some(value.to_text())
}

#[test]
fn a_sentence_is_selected_made_clear_taken_apart_and_verified() {
    let answers = [
        r#"{"final_submission":"Contains a specific and verifiable proposition","sentence_with_verifiable_info":"It is old and large"}"#.to_owned(),
        clear(&["Paris is old.", "Paris is large."]),
        claims(&["[The city of] Paris is old"]),
        claims(&["Paris is large"]),
        verdict("95", "5", &citation("0", "0", "2")),
        verdict("20", "50.0", ""),
    ];
    let (output, asked) = verified(CONFIG, "It is old and, happily, large.", &answers);
    let texts: Vec<String> = asked.iter().map(|asked| member(asked, &["content"]).unwrap()).collect();
    let context = "in It is old and, happily, large. for Paris?";
    assert_eq!(texts[0], format!("\"select It is old and, happily, large. {context}\""));
    assert_eq!(texts[1], format!("\"clarify It is old and large {context}\""));
    assert_eq!(texts[2], format!("\"split Paris is old. {context}\""));
    assert_eq!(texts[3], format!("\"split Paris is large. {context}\""));
    let sources =
        r"<sources><source>\n<source_id>0</source_id>\n<title>t</title>\n0→Paris\n</source></sources>";
    assert_eq!(texts[4], format!("\"verify [The city of] Paris is old for Paris? by {sources}\""));
    assert_eq!(texts[5], format!("\"verify Paris is large for Paris? by {sources}\""));
    let first = r#"{"sentence":"It is old and, happily, large.","startIndex":0,"endIndex":30,"claim":"[The city of] Paris is old","proof":"because","citations":[{"sourceId":"0","citedText":"Paris"}],"verifiedProbability":95,"openDomainJustification":"","openDomainProbability":5,"isOpenDomain":false,"invalidCitations":[{"sourceId":"0","startRange":0,"endRange":2}]}"#;
    assert!(output.contains(&format!("\"claims\":[{first},")), "{output}");
    assert_eq!(member(&output, &["claims", "1", "openDomainProbability"]).unwrap(), "50");
    assert_eq!(member(&output, &["claims", "1", "isOpenDomain"]).unwrap(), "true");
}

/// Numbered answers about several items.
fn several(answers: &[(usize, &str)]) -> String {
    let answers =
        answers.iter().map(|(number, answer)| answer.replacen('{', &format!("{{\"number\":{number},"), 1));
    format!(r#"{{"answers":[{}]}}"#, answers.collect::<Vec<_>>().join(","))
}

#[test]
fn sentences_come_with_two_before_and_two_after() {
    let text = "# Paris\n\nOne is. Two is.\n\n---\n\nFour is. Five is. Six is.";
    let mut answers = vec![NOTHING.to_owned(); 5];
    answers[0] = several(&[(1, NOTHING), (2, NOTHING)]);
    let (output, asked) = verified(CONFIG, text, &answers);
    let expected = [
        "select <sentence number=\"1\">\n# Paris\n</sentence>\n<sentence number=\"2\">\nOne is.\n</sentence> in # Paris\n\nOne is. Two is.\n\n---\n[...] for Paris?",
        "select Two is. in # Paris\n\nOne is. Two is.\n\n---\n\nFour is. [...] for Paris?",
        "select Four is. in # Paris\n[...] Two is.\n\n---\n\nFour is. Five is. Six is. for Paris?",
        "select Five is. in # Paris\n[...]\n---\n\nFour is. Five is. Six is. for Paris?",
        "select Six is. in # Paris\n[...]\nFour is. Five is. Six is. for Paris?",
    ];
    let texts: Vec<String> = asked.iter().map(|asked| member(asked, &["content"]).unwrap()).collect();
    assert_eq!(texts, expected.map(|text| crate::json::JsonBuilder::from(text).into_text()));
    assert_eq!(
        output,
        r#"{"applicable":false,"score":0e-10,"metrics":{"totalClaims":0,"closedDomainSupported":0e-10,"ignoreMetricRecommended":true,"numClosedDomainSupported":0,"numOpenDomainClaims":0,"totalClaimsClosedDomain":0},"claims":[]}"#
    );
}

#[test]
fn items_of_a_list_are_asked_about_together() {
    let selected = several(&[(3, SELECTED), (1, NOTHING), (2, SELECTED)]);
    let answers = [
        selected,
        several(&[(1, &clear(&["A is."])), (2, &clear(&["B is.", "B was."]))]),
        several(&[(1, &claims(&["a"])), (3, &claims(&["c"])), (2, &claims(&["b", "bb"]))]),
        several(&[
            (4, &verdict("4", "0", "")),
            (1, &verdict("1", "0", "")),
            (3, &verdict("3", "0", "")),
            (2, &verdict("2", "0", "")),
        ]),
    ];
    let (output, asked) = verified(CONFIG, "They are:\n- A is.\n- B is.", &answers);
    assert_eq!(asked.len(), 4);
    let found = |index: usize, name: &str| member(&output, &["claims", &index.to_string(), name]).unwrap();
    let all: Vec<_> = (0..4)
        .map(|index| ["claim", "sentence", "verifiedProbability"].map(|name| found(index, name)))
        .collect();
    assert_eq!(
        all,
        [
            ["\"a\"", "\"- A is.\"", "1"],
            ["\"b\"", "\"- B is.\"", "2"],
            ["\"bb\"", "\"- B is.\"", "3"],
            ["\"c\"", "\"- B is.\"", "4"]
        ]
    );
}

#[test]
fn ambiguous_answers_are_asked_for_again() {
    let cases = [
        several(&[(1, NOTHING)]),
        several(&[(1, NOTHING), (2, NOTHING), (2, SELECTED)]),
        several(&[(1, NOTHING), (3, NOTHING)]),
    ];
    for answer in cases {
        let (_, asked) = verified(CONFIG, "- A is.\n- B is.", &[answer, NOTHING.to_owned()]);
        let last = member(&asked[1], &["content"]).unwrap();
        assert_eq!(last, r#""select - B is. in - A is.\n- B is. for Paris?""#);
    }
}

#[test]
fn nothing_is_asked_about_a_text_without_words() {
    for text in ["", " \n", "---", "…"] {
        let (output, asked) = verified(CONFIG, text, &[]);
        assert_eq!(member(&output, &["metrics", "totalClaims"]).unwrap(), "0");
        assert!(asked.is_empty(), "{text}");
    }
}

#[test]
fn a_sentence_that_stays_unclear_claims_nothing() {
    for unclear in [&[][..], &["Cannot be decontextualized"], &["cannot be decontextualized.", " "]] {
        let (output, asked) = verified(CONFIG, "He did.", &[SELECTED.to_owned(), clear(unclear)]);
        assert_eq!((member(&output, &["metrics", "totalClaims"]).unwrap().as_str(), asked.len()), ("0", 2));
    }
    // A sentence without claims after decomposition has none, either.
    let answers = [SELECTED.to_owned(), clear(&["He did."]), claims(&[])];
    let (output, asked) = verified(CONFIG, "He did.", &answers);
    assert_eq!((member(&output, &["metrics", "totalClaims"]).unwrap().as_str(), asked.len()), ("0", 3));
}

#[test]
fn a_claim_that_a_model_repeats_is_verified_once() {
    let answers = [
        SELECTED.to_owned(),
        clear(&["Paris is.", "Paris is.", "It is."]),
        claims(&["a", "b", "a", "b"]),
        claims(&["b", "c"]),
        verdict("1", "0", ""),
        verdict("2", "0", ""),
        verdict("3", "0", ""),
    ];
    let (output, asked) = verified(CONFIG, "Paris is.", &answers);
    assert_eq!(asked.len(), answers.len());
    assert_eq!(member(&output, &["metrics", "totalClaims"]).unwrap(), "3");
}

/// The score and the metrics for claims with these probabilities: verified, open-domain.
fn measured(config: &str, claimed: &[(&str, &str)]) -> String {
    let names: Vec<String> = (0..claimed.len()).map(|index| format!("c{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut answers = vec![SELECTED.to_owned(), clear(&["Paris is."]), claims(&names)];
    answers.extend(claimed.iter().map(|(verified, open)| verdict(verified, open, "")));
    verified(config, "Paris is.", &answers).0
}

#[test]
fn the_score_is_the_share_of_claims_about_the_sources_that_are_supported() {
    let figures = |claimed: &[(&str, &str)]| {
        let output = measured(CONFIG, claimed);
        let verdict = ["applicable", "score"].map(|name| member(&output, &[name]).unwrap());
        let metrics = [
            "closedDomainSupported",
            "ignoreMetricRecommended",
            "totalClaims",
            "numClosedDomainSupported",
            "numOpenDomainClaims",
            "totalClaimsClosedDomain",
        ];
        let metrics = metrics.map(|name| member(&output, &["metrics", name]).unwrap());
        [verdict.join(" "), metrics.join(" ")].join(" ")
    };
    // Two claims are not enough.
    assert_eq!(figures(&[("90", "0"), ("10", "0")]), "false 0 50 true 2 1 0 2");
    assert_eq!(
        figures(&[("70", "0"), ("69.9", "0"), ("100", "49.9")]),
        "true 666666666667e-10 666666666667e-10 false 3 2 0 3"
    );
    // At the threshold a claim is open-domain, even if it is well supported.
    assert_eq!(figures(&[("90", "0"), ("10", "10"), ("99", "50"), ("0", "99")]), "true 50 50 false 4 1 2 2");
    // A majority of open-domain claims: ignored only below 15 percent.
    let few = [("0", "90"); 8];
    let one_of_seven = [("90", "0"), ("0", "0"), ("0", "0"), ("0", "0"), ("0", "0"), ("0", "0"), ("0", "0")];
    assert_eq!(figures(&[&one_of_seven[..], &few].concat()), "false 0 142857142857e-10 true 15 1 8 7");
    assert_eq!(
        figures(&[&one_of_seven[..6], &few[..7]].concat()),
        "true 166666666667e-10 166666666667e-10 false 13 1 7 6"
    );
    // Equal numbers of both: not ignored.
    assert_eq!(
        figures(&[&one_of_seven[..], &few[..7]].concat()),
        "true 142857142857e-10 142857142857e-10 false 14 1 7 7"
    );
    // Only open-domain claims: the divisor would be 0.
    assert_eq!(figures(&few[..3]), "false 0 0 true 3 0 3 0");
}

#[test]
fn thresholds_are_those_of_the_caller() {
    let config = CONFIG.replace("70", "30.5").replace("50", "100");
    let output = measured(&config, &[("30.5", "99"), ("30", "0"), ("90", "100")]);
    assert_eq!(member(&output, &["metrics", "numClosedDomainSupported"]).unwrap(), "1");
    assert_eq!(member(&output, &["metrics", "numOpenDomainClaims"]).unwrap(), "1");
}

#[test]
fn the_feedback_has_the_claims_that_cost_score() {
    let output = measured(CONFIG, &[("90", "0"), ("10", "0"), ("0", "90"), ("20", "0")]);
    assert_eq!(
        member(&output, &["feedback"]).unwrap(),
        r#""The sources do not clearly support these claims of the response:\n<sentence>Paris is.</sentence>\n<claim>c1</claim>\n<reasoning>because</reasoning>\n<sentence>Paris is.</sentence>\n<claim>c3</claim>\n<reasoning>because</reasoning>""#
    );
    assert_eq!(member(&measured(CONFIG, &[("90", "0"), ("0", "90")]), &["feedback"]), None);
}

/// A text of two sentences with three claims, and the answers of both models.
const TWO: &str = "Paris is. Lyon is.";

fn two() -> (Vec<String>, Vec<String>) {
    let extracted = vec![
        SELECTED.to_owned(),
        clear(&["Paris is."]),
        claims(&["a", "b"]),
        SELECTED.to_owned(),
        clear(&["Lyon is."]),
        claims(&["c"]),
    ];
    (extracted, vec![verdict("90", "0", ""); 3])
}

/// The requests and reports in order. Reporting stops after `stop_after` claims.
fn told(models: (Vec<String>, Vec<String>), stop_after: usize) -> (Result<String, Code>, Vec<String>) {
    let model = |answers: &[String]| ScriptedModel::saying(answers.iter().map(String::as_str));
    let (extractor, verifier) = (model(&models.0), model(&models.1));
    let reports = RefCell::new(Vec::new());
    let count = |model: &ScriptedModel| model.requests.borrow().len();
    let report = |claim: &VerifiedClaim| {
        let claim = &claim.claim;
        reports.borrow_mut().push(format!("{claim} after {}+{}", count(&extractor), count(&verifier)));
        let stop = reports.borrow().len() == stop_after;
        Box::pin(future::ready(stop)) as Pin<Box<dyn Future<Output = bool>>>
    };
    let recipe = ClaimVerification::new(read(CONFIG).unwrap()).unwrap();
    let (output, _) = ran(&extractor, recipe.run(&extractor, &verifier, read(&input(TWO)).unwrap(), &report));
    reports.borrow_mut().push(format!("{}+{}", count(&extractor), count(&verifier)));
    (output.map_err(|error| error.code), reports.take())
}

#[test]
fn each_claim_is_reported_before_the_next_question() {
    let (output, reports) = told(two(), 0);
    assert_eq!(reports, ["a after 3+1", "b after 3+2", "c after 6+3", "6+3"]);
    let output = output.unwrap();
    assert_eq!(member(&output, &["score"]).unwrap(), "100");
    assert_eq!(member(&output, &["claims", "2", "startIndex"]).unwrap(), "10");
}

#[test]
fn a_consumer_can_end_it_early() {
    let (output, reports) = told(two(), 2);
    assert_eq!(output, Err(Code::Aborted));
    assert_eq!(reports, ["a after 3+1", "b after 3+2", "3+2"]);
}

#[test]
fn a_model_that_fails_in_the_middle_fails_all() {
    let (extracted, mut verdicts) = two();
    verdicts.truncate(1);
    let (output, reports) = told((extracted, verdicts), 0);
    assert_eq!(output, Err(Code::ProviderError));
    assert_eq!(reports, ["a after 3+1", "3+2"]);
}
