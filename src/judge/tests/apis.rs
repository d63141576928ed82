//! Judges at each API: the whole bodies that they send, and the verdicts that they read.

use super::*;
use crate::chat::testing::{DIALECTS, Script, answer, cut_off, endpoint, options, says, usage_of};
use crate::chat::{Dialect, Endpoint, EndpointConfig, Provider, ProviderConfig, Structure};
use crate::json::JsonBuilder;

/// A question in the form of an API: a body with `@turns`, `@system`, `@name` and `@schema`.
struct Form {
    dialect: Dialect,
    structure: Structure,
    body: &'static str,
    /// A message with `@role` and `@text`.
    turn: &'static str,
    /// The system message, if it is not the first turn.
    system: Option<&'static str>,
}

const TURN: &str = r#"{"role":"@role","content":@text}"#;

const CHAT: Form = Form {
    dialect: Dialect::OpenAi,
    structure: Structure::Schema,
    body: r#"{"model":"m","messages":[@turns],"response_format":{"type":"json_schema","json_schema":{"name":"@name","strict":true,"schema":@schema}}}"#,
    turn: TURN,
    system: None,
};

const CLAUDE: Form = Form {
    dialect: Dialect::Anthropic,
    body: r#"{"model":"m","messages":[@turns]@system,"output_config":{"format":{"type":"json_schema","schema":@schema}},"max_tokens":16000}"#,
    system: Some(r#","system":[{"type":"text","text":@text}]"#),
    ..CHAT
};

const FORMS: [Form; 10] = [
    CHAT,
    Form { dialect: Dialect::OpenAiCompatible, ..CHAT },
    Form {
        dialect: Dialect::OpenAiCompatible,
        structure: Structure::JsonObject,
        body: r#"{"model":"m","messages":[@turns],"response_format":{"type":"json_object"}}"#,
        ..CHAT
    },
    Form { dialect: Dialect::Mistral, ..CHAT },
    Form {
        dialect: Dialect::Responses,
        body: r#"{"model":"m","input":[@turns],"store":false,"text":{"format":{"type":"json_schema","name":"@name","strict":true,"schema":@schema}}}"#,
        ..CHAT
    },
    CLAUDE,
    Form {
        dialect: Dialect::VertexAnthropic,
        body: r#"{"anthropic_version":"vertex-2023-10-16","messages":[@turns]@system,"output_config":{"format":{"type":"json_schema","schema":@schema}},"max_tokens":16000}"#,
        ..CLAUDE
    },
    Form {
        dialect: Dialect::Bedrock,
        body: r#"{"messages":[@turns]@system,"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"@name","schema":@quoted}}}}}"#,
        turn: r#"{"role":"@role","content":[{"text":@text}]}"#,
        system: Some(r#","system":[{"text":@text}]"#),
        ..CHAT
    },
    Form {
        dialect: Dialect::Google,
        body: r#"{"contents":[@turns]@system,"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":@schema}}"#,
        turn: r#"{"role":"@role","parts":[{"text":@text}]}"#,
        system: Some(r#","systemInstruction":{"parts":[{"text":@text}]}"#),
        ..CHAT
    },
    Form {
        dialect: Dialect::Ollama,
        body: r#"{"model":"m","messages":[@turns],"stream":false,"format":@schema}"#,
        ..CHAT
    },
];

type Turn<'t> = (Role, &'t str);

impl Form {
    /// The body with these messages and the schema of the answer.
    fn body(&self, system: Option<&str>, turns: &[Turn<'_>], name: &str, schema: &str) -> String {
        let quoted = |text: &str| JsonBuilder::from(text).into_text();
        let mut turns = turns.to_vec();
        let mut said = String::new();
        match (self.system, system) {
            (Some(form), Some(text)) => said = form.replace("@text", &quoted(text)),
            (None, Some(text)) => turns.insert(0, (Role::System, text)),
            (_, None) => {}
        }
        let last = turns.len() - 1;
        let turns = turns.iter().enumerate().map(|(index, (role, text))| {
            let role = match role {
                Role::Assistant if self.dialect == Dialect::Google => "model",
                role => role.name(),
            };
            let mut text = (*text).to_owned();
            if index == last && self.structure == Structure::JsonObject {
                text += &format!("\n\nAnswer only with JSON that matches this JSON schema:\n{schema}");
            }
            self.turn.replace("@role", role).replace("@text", &quoted(&text))
        });
        let turns = turns.collect::<Vec<_>>().join(",");
        // The schema comes first, since a turn may have any text.
        self.body
            .replace("@name", name)
            .replace("@quoted", &quoted(schema))
            .replace("@schema", schema)
            .replace("@system", &said)
            .replace("@turns", &turns)
    }

    /// Asks a judge about an answer, at an API that answers with these bodies.
    fn ask(&self, judge: &Judge, question: &str, answers: &[String]) -> (Result<Evaluation>, Vec<String>) {
        let config = EndpointConfig { max_retries: 0, ..endpoint(self.dialect) };
        let transport = Script::new(answers.iter().map(|body| answer(200, body)));
        let settings = ProviderConfig { structure: self.structure, ..options() };
        let provider = Provider::new(Endpoint { config, transport }, settings);
        let evaluation = ready(judge.evaluate(&provider, question, &no_text_rules)).unwrap();
        let sent = provider.transport().requests.borrow().iter().map(|sent| sent.body.clone()).collect();
        (evaluation, sent)
    }

    /// The same, at an API that answers with these texts.
    fn ask_for(&self, judge: &Judge, texts: &[&str]) -> (Result<Evaluation>, Vec<String>) {
        let answers: Vec<_> = texts.iter().map(|text| says(self.dialect, text)).collect();
        self.ask(judge, QUESTION, &answers)
    }
}

const QUESTION: &str = r#"{"outputs":"Paris"}"#;
const PROMPT: Turn<'static> = (Role::User, "Is Paris right?");

type Change = fn(&mut JudgeConfig);

const BOOLEAN: Change = |_| {};
const CONTINUOUS: Change = |config| config.continuous = true;
const CHOICES: Change = |config| config.choices = Some(["0", "0.5", "1"].map(str::to_owned).to_vec());

fn schema_of(judge: &Judge) -> &str {
    judge.schema().unwrap().schema.as_str()
}

#[test]
fn a_verdict_in_another_form_is_understood_without_asking_again() {
    let rows: [(&str, Change, &str); 5] = [
        (
            "```json\n{\"reasoning\": \"Ok.\", \"score\": true}\n```",
            BOOLEAN,
            r#"{"score":true,"reasoning":"Ok."}"#,
        ),
        (r#"{"reasoning": "Ok.", "score": "true"}"#, BOOLEAN, r#"{"score":true,"reasoning":"Ok."}"#),
        (r#"{"reasoning": "Ok.", "score": "0.75"}"#, CONTINUOUS, r#"{"score":0.75,"reasoning":"Ok."}"#),
        (r#"{"reasoning": "Ok.", "score": "0.5"}"#, CHOICES, r#"{"score":0.5,"reasoning":"Ok."}"#),
        (
            r#"{"reasoning": "} or \" or {", "score": true}"#,
            BOOLEAN,
            r#"{"score":true,"reasoning":"} or \" or {"}"#,
        ),
    ];
    for form in FORMS {
        for (said, change, verdict) in rows {
            let (evaluation, sent) = form.ask_for(&judge(change), &[said]);
            let Evaluation { verdict: read, metadata } = evaluation.unwrap();
            assert_eq!(text(&read), verdict, "{:?}: {said}", form.dialect);
            assert_eq!(metadata.usage, Some(usage_of(form.dialect, 1)), "{:?}", form.dialect);
            assert_eq!((metadata.attempts, sent.len()), (1, 1), "{:?}: {said}", form.dialect);
        }
    }
}

#[test]
fn after_an_unusable_answer_the_conversation_goes_on_with_the_problem() {
    const NO_JSON: &str = "there is no JSON in it";
    const TRUTH: &str = "but has to be true or false";
    const RANGE: &str = "but has to be a number from 0 to 1";
    let rows: [(&str, Change, String, &str); 10] = [
        ("I think that it is right.", BOOLEAN, NO_JSON.to_owned(), "true"),
        ("", BOOLEAN, "it is empty".to_owned(), "true"),
        (r#"{"reasoning": "Ok."}"#, BOOLEAN, "\"score\" is missing".to_owned(), "true"),
        (r#"{"reasoning": "Ok.", "score": null}"#, BOOLEAN, format!("\"score\" is null, {TRUTH}"), "true"),
        (
            r#"{"reasoning": "Ok.", "score": "mostly"}"#,
            BOOLEAN,
            format!("\"score\" is \"mostly\", {TRUTH}"),
            "true",
        ),
        (r#"{"reasoning": "Ok.", "score": 1.5}"#, CONTINUOUS, format!("\"score\" is 1.5, {RANGE}"), "1"),
        (r#"{"reasoning": "Ok.", "score": -0.1}"#, CONTINUOUS, format!("\"score\" is -0.1, {RANGE}"), "1"),
        (r#"{"reasoning": "Ok.", "score": 85}"#, CONTINUOUS, format!("\"score\" is 85, {RANGE}"), "1"),
        (
            r#"{"reasoning": "Ok.", "score": 0.3}"#,
            CHOICES,
            "\"score\" is 0.3, but has to be one of 0, 0.5, 1".to_owned(),
            "1",
        ),
        (r#"{"reasoning": "Both name Ast"#, BOOLEAN, "the JSON in it is incomplete".to_owned(), "true"),
    ];
    for form in FORMS {
        for (said, change, problem, score) in &rows {
            let judge = judge(change);
            let better = format!(r#"{{"reasoning":"Better.","score":{score}}}"#);
            let (evaluation, sent) = form.ask_for(&judge, &[said, &better]);
            let Evaluation { verdict, metadata } = evaluation.unwrap();
            assert_eq!(text(&verdict), format!(r#"{{"score":{score},"reasoning":"Better."}}"#));
            assert_eq!((metadata.attempts, metadata.usage), (2, Some(usage_of(form.dialect, 2))));

            let schema = schema_of(&judge);
            let again = format!(
                "This answer cannot be used: {problem}. Answer again, only with JSON that matches this JSON schema:\n{schema}"
            );
            // Some APIs reject messages without text.
            let said = if said.is_empty() { "(no answer)" } else { said };
            let turns = [PROMPT, (Role::Assistant, said), (Role::User, again.as_str())];
            let expected = [&turns[..1], &turns].map(|turns| form.body(None, turns, "score", schema));
            assert_eq!(sent, expected, "{:?}", form.dialect);
        }
    }
}

#[test]
fn two_unusable_answers_are_an_error_with_the_last_one() {
    let custom: Change = |config| {
        let schema = r#"{"type":"object","properties":{"tone":{"type":"string"}},"required":["tone"],"additionalProperties":false}"#;
        config.output_schema = Some(CustomSchema::new("score", schema.to_owned()));
    };
    let rows = [(BOOLEAN, ["Yes.", "Yes, I said."]), (custom, [r#"{"mood": "kind"}"#, r#"{"tone": 3}"#])];
    for form in FORMS {
        for (change, answers) in rows {
            let (evaluation, sent) = form.ask_for(&judge(change), &answers);
            let error = evaluation.unwrap_err();
            assert_eq!((error.code, error.attempts, sent.len()), (Code::InvalidJudgeOutput, Some(2), 2));
            assert_eq!(error.raw.as_deref(), Some(answers[1]), "{:?}", form.dialect);
        }
    }
}

/// Schemas of verdicts, as every API gets them.
fn scored(reasoning: &str, score: &str, required: &str) -> String {
    format!(
        r#"{{"type":"object","properties":{{{reasoning}"score":{score}}},"required":[{required}],"additionalProperties":false}}"#
    )
}

#[test]
fn the_options_of_a_judge_are_in_its_questions() {
    const REASONING: &str = r#""reasoning":{"type":"string","description":"The reasons for the score: weigh the evidence for and against each criterion of the prompt, then state the score that follows."},"#;
    const TRUTH: &str =
        r#"{"type":"boolean","description":"true if the criteria of the prompt are met, otherwise false."}"#;
    const NUMBER: &str = r#"{"type":"number","description":"How fully the criteria of the prompt are met, from 0 (not at all) to 1 (completely); 0.5 means halfway."}"#;
    const CHOICE: &str = r#"{"type":"number","description":"How fully the criteria of the prompt are met: the allowed number that fits best.","enum":[0,0.5,1]}"#;
    const BOTH: &str = r#""reasoning","score""#;
    const REVIEW: &str = r#"{"title":"review","type":"object","properties":{"tone":{"type":"string","enum":["kind","curt"]},"marks":{"type":"array","items":{"type":"object","properties":{"part":{"type":"string"},"points":{"type":"integer"}},"required":["part","points"],"additionalProperties":false}}},"required":["tone","marks"],"additionalProperties":false}"#;
    let boolean = scored(REASONING, TRUTH, BOTH);
    let continuous = scored(REASONING, NUMBER, BOTH);

    /// A row: the options, the system message and the prompt that they make, the schema with its name, the
    /// answer, and the verdict.
    struct Row<'r> {
        change: Change,
        question: &'r str,
        system: Option<&'r str>,
        prompt: &'r str,
        name: &'r str,
        schema: &'r str,
        said: &'r str,
        verdict: &'r str,
    }
    let usual = Row {
        change: BOOLEAN,
        question: QUESTION,
        system: None,
        prompt: PROMPT.1,
        name: "score",
        schema: &boolean,
        said: r#"{"reasoning": "Both.", "score": true}"#,
        verdict: r#"{"score":true,"reasoning":"Both."}"#,
    };
    let rows = [
        Row {
            said: r#"{"reasoning": "It was.", "score": false}"#,
            verdict: r#"{"score":false,"reasoning":"It was."}"#,
            ..usual
        },
        Row {
            change: CONTINUOUS,
            schema: &continuous,
            said: r#"{"reasoning": "Partly.", "score": 0}"#,
            verdict: r#"{"score":0,"reasoning":"Partly."}"#,
            ..usual
        },
        Row {
            change: CONTINUOUS,
            schema: &continuous,
            said: r#"{"reasoning": "Partly.", "score": 0.7}"#,
            verdict: r#"{"score":0.7,"reasoning":"Partly."}"#,
            ..usual
        },
        Row {
            change: CONTINUOUS,
            schema: &continuous,
            said: r#"{"reasoning": "Partly.", "score": 1}"#,
            verdict: r#"{"score":1,"reasoning":"Partly."}"#,
            ..usual
        },
        Row {
            change: CHOICES,
            schema: &scored(REASONING, CHOICE, BOTH),
            said: r#"{"reasoning": "Half of it.", "score": 0.5}"#,
            verdict: r#"{"score":0.5,"reasoning":"Half of it."}"#,
            ..usual
        },
        Row {
            change: |config| config.use_reasoning = false,
            schema: &scored("", TRUTH, r#""score""#),
            said: r#"{"score": true}"#,
            verdict: r#"{"score":true}"#,
            ..usual
        },
        Row {
            change: |config| {
                config.system = Some("You are strict.".to_owned());
                let example = |inputs: &str, outputs: &str, reasoning: Option<&str>, score: &str| Example {
                    inputs: inputs.to_owned(),
                    outputs: outputs.to_owned(),
                    reasoning: reasoning.map(str::to_owned),
                    score: Some(score.to_owned()),
                };
                config.few_shot_examples = vec![
                    example("1 + 1?", "2", Some("It is."), "1"),
                    example(r#"{"question":"2 + 2?"}"#, "5", None, "0"),
                ];
            },
            system: Some("You are strict."),
            prompt: "Is Paris right?\n\n<example>\n<input>1 + 1?</input>\n<output>2</output>\n<reasoning>It is.</reasoning>\n<score>1</score>\n</example>\n<example>\n<input>{\"question\":\"2 + 2?\"}</input>\n<output>5</output>\n<score>0</score>\n</example>",
            ..usual
        },
        Row {
            change: |config| config.prompt = Some("{inputs} {context} {{literal}}".to_owned()),
            question: r#"{"inputs":"{\"question\":\"Où ? 🗺️\"}","outputs":"","context":"[\"a\",1]"}"#,
            prompt: "{\"question\":\"Où ? 🗺️\"} [\"a\",1] {literal}",
            ..usual
        },
        Row {
            change: |config| {
                config.output_schema = Some(CustomSchema::new("review", REVIEW.to_owned()));
            },
            name: "review",
            schema: REVIEW,
            said: r#"{"tone":"kind","marks":[{"part":"facts","points":3}]}"#,
            verdict: r#"{"tone":"kind","marks":[{"part":"facts","points":3}]}"#,
            ..usual
        },
    ];
    for form in FORMS {
        for row in &rows {
            let answers = [says(form.dialect, row.said)];
            let (evaluation, sent) = form.ask(&judge(row.change), row.question, &answers);
            assert_eq!(text(&evaluation.unwrap().verdict), row.verdict, "{:?}", form.dialect);
            let expected = form.body(row.system, &[(Role::User, row.prompt)], row.name, row.schema);
            assert_eq!(sent, [expected], "{:?}", form.dialect);
        }
    }
}

#[test]
fn a_refusal_is_an_error_and_not_asked_again() {
    let chat = |message: &str, reason: &str| {
        format!(
            r#"{{"choices":[{{"index":0,"message":{{"role":"assistant",{message}}},"finish_reason":"{reason}"}}]}}"#
        )
    };
    let declined = || chat(r#""content":null,"refusal":"I cannot judge this.""#, "stop");
    let filtered = || chat(r#""content":"""#, "content_filter");
    let claude = |content: &str, details: &str| {
        format!(r#"{{"content":[{content}],"stop_reason":"refusal","stop_details":{details}}}"#)
    };
    let part = JsonBuilder::object([("type", "text".into()), ("text", YES.into())]).into_text();
    let mut rows = vec![
        (Dialect::OpenAi, declined(), "I cannot judge this."),
        (Dialect::OpenAi, filtered(), "content_filter"),
        (Dialect::OpenAiCompatible, declined(), "I cannot judge this."),
        (
            Dialect::Responses,
            r#"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot judge this."}]}]}"#.to_owned(),
            "I cannot judge this.",
        ),
        (
            Dialect::Responses,
            r#"{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[{"type":"message","content":[{"type":"output_text","text":"{\"score"}]}]}"#.to_owned(),
            "content_filter",
        ),
        (
            Dialect::Anthropic,
            claude("", r#"{"type":"refusal","category":"cyber","explanation":"This could harm."}"#),
            "This could harm.",
        ),
        (Dialect::Anthropic, claude(&part, "null"), "refusal"),
        (
            Dialect::Google,
            r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{}}"#.to_owned(),
            "PROHIBITED_CONTENT",
        ),
    ];
    for reason in ["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"] {
        let body = format!(r#"{{"candidates":[{{"index":0,"finishReason":"{reason}"}}]}}"#);
        rows.push((Dialect::Google, body, reason));
    }
    rows.push((Dialect::Google, says(Dialect::Google, YES).replace("\"STOP\"", "\"SAFETY\""), "SAFETY"));
    for reason in ["content_filtered", "guardrail_intervened"] {
        rows.push((Dialect::Bedrock, says(Dialect::Bedrock, "Sorry").replace("end_turn", reason), reason));
    }
    for (dialect, body, words) in rows {
        let (evaluation, sent) = Form { dialect, ..CHAT }.ask(&judge(BOOLEAN), QUESTION, &[body]);
        let error = evaluation.unwrap_err();
        assert_eq!((error.code, error.attempts, sent.len()), (Code::Refused, Some(1), 1));
        assert_eq!(error.message, format!("The model declined to judge: {words}"));
    }
}

#[test]
fn an_answer_beside_an_error_is_asked_for_again() {
    const NO: &str = r#"{"reasoning": "No.", "score": false}"#;
    const BROKE_OFF: &str = r#"{"code":502,"message":"The upstream broke off"}"#;
    let form = Form { dialect: Dialect::OpenAiCompatible, ..CHAT };
    let beside = |error: &str, text: &str| {
        says(form.dialect, text).replacen('{', &format!(r#"{{"error":{error},"#), 1)
    };
    let asked = |answers: &[String]| form.ask(&judge(BOOLEAN), QUESTION, answers).0;

    let Evaluation { verdict, metadata } = asked(&[beside(BROKE_OFF, YES), beside("null", NO)]).unwrap();
    assert_eq!((text(&verdict).as_str(), metadata.attempts), (r#"{"score":false,"reasoning":"No."}"#, 2));
    let error = asked(&[beside(BROKE_OFF, YES), beside("\"broken\"", YES)]).unwrap_err();
    assert_eq!(
        (error.code, error.attempts, error.raw.as_deref()),
        (Code::InvalidJudgeOutput, Some(2), Some(YES))
    );
    for nothing in ["null", "false", "\"\"", "{}"] {
        let Evaluation { verdict, metadata } = asked(&[beside(nothing, YES)]).unwrap();
        assert_eq!(
            (text(&verdict).as_str(), metadata.attempts),
            (r#"{"score":true,"reasoning":"Both are Paris."}"#, 1)
        );
    }
}

#[test]
fn a_cut_off_answer_is_not_a_verdict_even_if_it_can_be_read() {
    for form in FORMS {
        let config = EndpointConfig { max_retries: 0, ..endpoint(form.dialect) };
        let transport = Script::new([answer(200, &cut_off(form.dialect, YES))]);
        let settings = ProviderConfig { structure: form.structure, max_tokens: Some(100), ..options() };
        let provider = Provider::new(Endpoint { config, transport }, settings);
        let error = ready(judge(BOOLEAN).evaluate(&provider, QUESTION, &no_text_rules)).unwrap().unwrap_err();
        assert_eq!((error.code, error.attempts), (Code::InvalidJudgeOutput, Some(1)));
        assert_eq!(error.raw.as_deref(), Some(YES));
        assert!(
            error.message.contains("cut off") && error.message.contains("Raise maxTokens"),
            "{}",
            error.message
        );
    }
}

#[test]
fn attachments_are_where_the_prompt_has_them_also_when_it_is_asked_again() {
    // Up to the end of the prompt: without schemas, the schema follows in the same text.
    let openai = r#""content":[{"type":"text","text":"Before "},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"image_url","image_url":{"url":"data:image/gif;base64,BB=="}},{"type":"text","text":" and behind"#;
    let claude = r#""content":[{"type":"text","text":"Before "},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"BB=="}},{"type":"text","text":" and behind"#;
    let question = r#"{"attachments":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"image_url","image_url":{"url":"data:image/gif;base64,BB=="}}]}"#;
    let judge = judge(|config| config.prompt = Some("Before {attachments} and behind".to_owned()));
    for form in FORMS {
        let shown = match form.dialect {
            Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Mistral => openai,
            Dialect::Anthropic | Dialect::VertexAnthropic => claude,
            Dialect::Responses => {
                r#""content":[{"type":"input_text","text":"Before "},{"type":"input_image","image_url":"data:image/png;base64,AA==","detail":"auto"},{"type":"input_image","image_url":"data:image/gif;base64,BB==","detail":"auto"},{"type":"input_text","text":" and behind"#
            }
            Dialect::Bedrock => {
                r#""content":[{"text":"Before "},{"image":{"format":"png","source":{"bytes":"AA=="}}},{"image":{"format":"gif","source":{"bytes":"BB=="}}},{"text":" and behind"#
            }
            Dialect::Google => {
                r#""parts":[{"text":"Before "},{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"inlineData":{"mimeType":"image/gif","data":"BB=="}},{"text":" and behind"#
            }
            // Images are beside the text, which is one.
            Dialect::Ollama => r#""content":"Before  and behind","images":["AA==","BB=="]}"#,
        };
        let answers = ["Yes.", YES].map(|text| says(form.dialect, text));
        let (evaluation, sent) = form.ask(&judge, question, &answers);
        assert_eq!(text(&evaluation.unwrap().verdict), r#"{"score":true,"reasoning":"Both are Paris."}"#);
        assert_eq!(sent.len(), 2);
        for body in sent {
            assert!(body.contains(shown), "{:?}: {body}", form.dialect);
        }
    }
    assert!(DIALECTS.iter().all(|dialect| FORMS.iter().any(|form| form.dialect == *dialect)));
}
