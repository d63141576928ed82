//! Bodies as the references of the APIs have them, and answers of every kind.

use super::*;
use crate::chat::testing::{DIALECTS, cut_off, says, usage_of};
use crate::chat::{Finish, PromptCaching, Structure};

mod attachments;

const SCHEMA: &str = r#"{"type":"object","properties":{"b":{"type":"number","enum":[0,0.5,1],"minimum":0},"a":{"const":"x"}},"required":["b","a"],"additionalProperties":false}"#;

fn body(dialect: Dialect, structure: Structure) -> String {
    let schema = OutputSchema { name: "score".to_owned(), schema: SCHEMA.to_owned(), strict: true };
    let messages = [
        Message::new(Role::System, "Be kind."),
        Message::new(Role::User, "Hi \"you\""),
        Message::new(Role::Assistant, "Hm"),
    ];
    let options = Settings { temperature: Some("0.5"), max_tokens: Some(50), logprobs: 0 };
    let request = ChatRequest { messages: &messages, schema: Some(&schema), logprobs: false };
    dialect.body("m", options, &request, structure).unwrap().into_text()
}

const CONVERSATION: &str = r#"{"role":"user","content":"Hi \"you\""},{"role":"assistant","content":"Hm"}"#;

#[test]
fn of_several_choices_the_one_with_index_0_counts() {
    let choice = |index: &str, text: &str| {
        format!(r#"{{{index}"message":{{"content":"{text}"}},"finish_reason":"stop"}}"#)
    };
    for (choices, text) in [
        ([choice(r#""index":1,"#, "b"), choice(r#""index":0,"#, "a")], "a"),
        ([choice("", "a"), choice("", "b")], "a"),
    ] {
        let answer = format!(r#"{{"choices":[{}]}}"#, choices.join(","));
        let answer = json::parse(&answer).unwrap();
        assert_eq!(text_at(&answer, &["choices", "message", "content"]), Some(text));
    }
}

#[test]
fn requests_of_openai_and_compatible_apis() {
    let start =
        format!(r#"{{"model":"m","messages":[{{"role":"system","content":"Be kind."}},{CONVERSATION}]"#);
    let format = format!(
        r#""response_format":{{"type":"json_schema","json_schema":{{"name":"score","strict":true,"schema":{SCHEMA}}}}}"#
    );
    assert_eq!(
        body(Dialect::OpenAi, Structure::Schema),
        format!(r#"{start},{format},"temperature":0.5,"max_completion_tokens":50}}"#)
    );
    for dialect in [Dialect::OpenAiCompatible, Dialect::Mistral] {
        assert_eq!(
            body(dialect, Structure::Schema),
            format!(r#"{start},{format},"temperature":0.5,"max_tokens":50}}"#)
        );
    }
    assert_eq!(
        body(Dialect::OpenAiCompatible, Structure::JsonObject),
        format!(r#"{start},"response_format":{{"type":"json_object"}},"temperature":0.5,"max_tokens":50}}"#)
    );
    assert_eq!(
        body(Dialect::OpenAiCompatible, Structure::Prompt),
        format!(r#"{start},"temperature":0.5,"max_tokens":50}}"#)
    );
}

#[test]
fn responses_are_asked_for() {
    let start = format!(
        r#"{{"model":"m","input":[{{"role":"system","content":"Be kind."}},{CONVERSATION}],"store":false"#
    );
    let end = r#""temperature":0.5,"max_output_tokens":50}"#;
    assert_eq!(
        body(Dialect::Responses, Structure::Schema),
        format!(
            r#"{start},"text":{{"format":{{"type":"json_schema","name":"score","strict":true,"schema":{SCHEMA}}}}},{end}"#
        )
    );
    assert_eq!(
        body(Dialect::Responses, Structure::JsonObject),
        format!(r#"{start},"text":{{"format":{{"type":"json_object"}}}},{end}"#)
    );
    assert_eq!(body(Dialect::Responses, Structure::Prompt), format!("{start},{end}"));

    let said = |part: Part| {
        let messages = [Message { role: Role::Assistant, content: vec![Part::Text("a".to_owned()), part] }];
        let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
        let body = Dialect::Responses.body("m", Settings::default(), &request, Structure::Schema);
        body.ok().map(JsonBuilder::into_text)
    };
    let expected = r#"{"model":"m","input":[{"role":"assistant","content":"ab"}],"store":false}"#;
    assert_eq!(said(Part::Text("b".to_owned())).as_deref(), Some(expected));
    assert_eq!(said(Part::Image("https://a.test/b.png".to_owned())), None);
}

#[test]
fn ollama_is_asked() {
    let start = format!(
        r#"{{"model":"m","messages":[{{"role":"system","content":"Be kind."}},{CONVERSATION}],"stream":false"#
    );
    let end = r#""options":{"temperature":0.5,"num_predict":50}}"#;
    assert_eq!(body(Dialect::Ollama, Structure::Schema), format!(r#"{start},"format":{SCHEMA},{end}"#));
    assert_eq!(body(Dialect::Ollama, Structure::Prompt), format!("{start},{end}"));
}

#[test]
fn ollama_is_given_a_context_that_fits() {
    let context = |text: &str, max_tokens| {
        let messages = [Message::new(Role::User, text)];
        let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
        let settings = Settings { max_tokens, ..Settings::default() };
        let body = Dialect::Ollama.body("m", settings, &request, Structure::Prompt).unwrap().into_text();
        let (_, after) = split_once(&body, "\"num_ctx\":")?;
        Some(after.trim_end_matches('}').parse::<u32>().unwrap())
    };
    // A third of the bytes, and 1024 for the answer.
    assert_eq!(context(&"a".repeat(3 * 3072), None), None);
    assert_eq!(context(&"a".repeat(3 * 3073), None), Some(8192));
    assert_eq!(context("a", Some(16_000)), Some(16_384));
    assert_eq!(context(&"é".repeat(30_000), None), Some(32_768));
}

#[test]
fn vertex_is_asked_for_claude() {
    let (named, versioned) = (r#"{"model":"m","#, r#"{"anthropic_version":"vertex-2023-10-16","#);
    for structure in [Structure::Schema, Structure::Prompt] {
        let anthropic = body(Dialect::Anthropic, structure);
        assert_eq!(body(Dialect::VertexAnthropic, structure), anthropic.replace(named, versioned));
    }
}

#[test]
fn bedrock_is_asked() {
    let start = r#"{"messages":[{"role":"user","content":[{"text":"Hi \"you\""}]},{"role":"assistant","content":[{"text":"Hm"}]}],"system":[{"text":"Be kind."}]"#;
    let end = r#""inferenceConfig":{"temperature":0.5,"maxTokens":50}}"#;
    let schema = r#"{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"number\",\"enum\":[0,0.5,1],\"description\":\"minimum: 0\"},\"a\":{\"const\":\"x\"}},\"required\":[\"b\",\"a\"],\"additionalProperties\":false}"#;
    assert_eq!(
        body(Dialect::Bedrock, Structure::Schema),
        format!(
            r#"{start},"outputConfig":{{"textFormat":{{"type":"json_schema","structure":{{"jsonSchema":{{"name":"score","schema":"{schema}"}}}}}}}},{end}"#
        )
    );
    assert_eq!(body(Dialect::Bedrock, Structure::Prompt), format!("{start},{end}"));
}

#[test]
fn bedrock_answers() {
    for (reason, expected) in [
        ("end_turn", Finish::Complete),
        ("stop_sequence", Finish::Complete),
        ("max_tokens", Finish::Truncated),
        ("model_context_window_exceeded", Finish::Truncated),
        ("content_filtered", refused("content_filtered")),
        ("guardrail_intervened", refused("guardrail_intervened")),
        ("refusal", refused("refusal")),
    ] {
        let answer = says(Dialect::Bedrock, "Yes").replace("end_turn", reason);
        assert_eq!(read(Dialect::Bedrock, &answer), ("Yes".to_owned(), expected, Some((120, 30))));
    }
}

#[test]
fn anthropic_is_asked() {
    let start = format!(
        r#"{{"model":"m","messages":[{CONVERSATION}],"system":[{{"type":"text","text":"Be kind."}}]"#
    );
    let schema = r#"{"type":"object","properties":{"b":{"type":"number","enum":[0,0.5,1],"description":"minimum: 0"},"a":{"const":"x"}},"required":["b","a"],"additionalProperties":false}"#;
    assert_eq!(
        body(Dialect::Anthropic, Structure::Schema),
        format!(
            r#"{start},"output_config":{{"format":{{"type":"json_schema","schema":{schema}}}}},"temperature":0.5,"max_tokens":50}}"#
        )
    );
    assert_eq!(
        body(Dialect::Anthropic, Structure::Prompt),
        format!(r#"{start},"temperature":0.5,"max_tokens":50}}"#)
    );

    let messages = [Message::new(Role::User, "Hi")];
    let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
    let body = Dialect::Anthropic.body("m", Settings::default(), &request, Structure::Schema).unwrap();
    assert_eq!(
        body.into_text(),
        r#"{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_tokens":16000}"#
    );
}

#[test]
fn gemini_is_asked() {
    let start = r#"{"contents":[{"role":"user","parts":[{"text":"Hi \"you\""}]},{"role":"model","parts":[{"text":"Hm"}]}],"systemInstruction":{"parts":[{"text":"Be kind."}]},"generationConfig":{"#;
    let schema = r#"{"type":"object","properties":{"b":{"type":"number","enum":[0,0.5,1],"minimum":0},"a":{"enum":["x"]}},"required":["b","a"],"additionalProperties":false}"#;
    let end = r#""temperature":0.5,"maxOutputTokens":50}}"#;
    assert_eq!(
        body(Dialect::Google, Structure::Schema),
        format!(r#"{start}"responseMimeType":"application/json","responseJsonSchema":{schema},{end}"#)
    );
    assert_eq!(body(Dialect::Google, Structure::Prompt), format!("{start}{end}"));
}

#[test]
fn settings_that_are_not_set_are_left_to_the_api() {
    let chat = r#"{"model":"m","messages":[{"role":"user","content":"Hi"}]}"#;
    // The API requires a limit.
    let claude = r#"{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_tokens":16000}"#;
    let vertex = claude.replace(r#""model":"m""#, r#""anthropic_version":"vertex-2023-10-16""#);
    let expected = [
        chat,
        chat,
        chat,
        r#"{"model":"m","input":[{"role":"user","content":"Hi"}],"store":false}"#,
        claude,
        &vertex,
        r#"{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}"#,
        r#"{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}"#,
        r#"{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":false}"#,
    ];
    let messages = [Message::new(Role::User, "Hi")];
    let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
    for (dialect, expected) in DIALECTS.into_iter().zip(expected) {
        for structure in [Structure::Schema, Structure::JsonObject, Structure::Prompt] {
            let body = dialect.body("m", Settings::default(), &request, structure).unwrap().into_text();
            assert_eq!(body, expected, "{dialect:?}");
        }
    }
}

#[test]
fn anthropic_gets_the_marks_of_prompt_caching() {
    let prefix = |text: &str, ttl| Part::Prefix { text: text.to_owned(), ttl };
    let messages = [
        Message { role: Role::System, content: vec![prefix("Judge.", PromptCaching::Hour)] },
        Message {
            role: Role::User,
            content: vec![prefix("Is", PromptCaching::Minutes), Part::Text(" it?".to_owned())],
        },
    ];
    let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
    let body = Dialect::Anthropic.body("m", Settings::default(), &request, Structure::Schema).unwrap();
    assert_eq!(
        body.into_text(),
        r#"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Is","cache_control":{"type":"ephemeral"}},{"type":"text","text":" it?"}]}],"system":[{"type":"text","text":"Judge.","cache_control":{"type":"ephemeral","ttl":"1h"}}],"max_tokens":16000}"#
    );
}

#[test]
fn a_schema_is_reduced_to_the_keywords_of_each_api() {
    const START: &str = r##"{@"type":"object","properties":{"source":{"##;
    const SOURCES: &str = r##""$ref":"#/$defs/Source"},"other":{"$ref":"#/$defs/Source"},"##;
    const END: &str = r#"},"required":["source","other","link","email","code"],"additionalProperties":false,"$defs":{"Source":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}}"#;
    const NAMED: &str = r#""$schema":"https://json-schema.org/draft/2020-12/schema","#;
    let schema = |named: &str, described: &str, texts: &str| {
        [&START.replace('@', named), described, SOURCES, texts, END].concat()
    };
    let given = schema(
        NAMED,
        r#""description":"Where it is from","#,
        r#""link":{"type":"string","format":"uri","description":"Its address"},"email":{"type":"string","format":"email","pattern":"^[\\w+-]+@a\\.test$"},"code":{"type":"string","pattern":"^(?!x)a+$"}"#,
    );
    let strict = schema(
        NAMED,
        "",
        r#""link":{"type":"string","description":"Its address (format: \"uri\")"},"email":{"type":"string","format":"email","pattern":"^[\\w+-]+@a\\.test$"},"code":{"type":"string","description":"pattern: \"^(?!x)a+$\""}"#,
    );
    let claude = schema(
        "",
        "",
        r#""link":{"type":"string","description":"Its address (format: \"uri\")"},"email":{"type":"string","description":"format: \"email\", pattern: \"^[\\\\w+-]+@a\\\\.test$\""},"code":{"type":"string","description":"pattern: \"^(?!x)a+$\""}"#,
    );
    let gemini = schema(
        "",
        "",
        r#""link":{"type":"string","format":"uri","description":"Its address"},"email":{"type":"string","format":"email","description":"pattern: \"^[\\\\w+-]+@a\\\\.test$\""},"code":{"type":"string","description":"pattern: \"^(?!x)a+$\""}"#,
    );
    let quoted = JsonBuilder::from(claude.as_str()).into_text();
    let schema = OutputSchema { name: "score".to_owned(), schema: given.clone(), strict: true };
    let request = ChatRequest { messages: &[], schema: Some(&schema), logprobs: false };
    let chat = format!(
        r#""response_format":{{"type":"json_schema","json_schema":{{"name":"score","strict":true,"schema":{strict}}}}}"#
    );
    let anthropic = format!(r#""output_config":{{"format":{{"type":"json_schema","schema":{claude}}}}}"#);
    let expected = [
        chat.clone(),
        chat.clone(),
        chat,
        format!(
            r#""text":{{"format":{{"type":"json_schema","name":"score","strict":true,"schema":{strict}}}}}"#
        ),
        anthropic.clone(),
        anthropic,
        format!(r#""jsonSchema":{{"name":"score","schema":{quoted}}}"#),
        format!(
            r#""generationConfig":{{"responseMimeType":"application/json","responseJsonSchema":{gemini}}}"#
        ),
        format!(r#""format":{given}"#),
    ];
    for (dialect, expected) in DIALECTS.into_iter().zip(expected) {
        let body = dialect.body("m", Settings::default(), &request, Structure::Schema).unwrap().into_text();
        assert!(body.contains(&expected), "{dialect:?}: {body}");
    }

    // A schema that is not strict is not checked, and sent unchanged where it may be open.
    let open = OutputSchema { strict: false, ..schema };
    let request = ChatRequest { messages: &[], schema: Some(&open), logprobs: false };
    let body = Dialect::OpenAi.body("m", Settings::default(), &request, Structure::Schema).unwrap();
    assert!(body.into_text().contains(&format!(r#""name":"score","strict":false,"schema":{given}"#)));
}

fn read(dialect: Dialect, answer: &str) -> (String, Finish, Option<(u64, u64)>) {
    let completion = dialect.read(&crate::json::parse(answer).unwrap()).unwrap();
    let usage = completion.usage.map(|usage| (usage.input_tokens, usage.output_tokens));
    (completion.text, completion.finish, usage)
}

fn unknown(reason: &str) -> Finish {
    Finish::Unreadable(format!("the API ended it with the reason \"{reason}\""))
}

fn refused(reason: &str) -> Finish {
    Finish::Refused(reason.to_owned())
}

#[test]
fn each_api_answers_with_text_model_and_usage() {
    for dialect in DIALECTS {
        let read = |answer: &str| dialect.read(&json::parse(answer).unwrap()).unwrap();
        // Bedrock has no name of the model in its answers.
        let model = (dialect != Dialect::Bedrock).then(|| "m-1".to_owned());
        for text in ["Yes, {\"a\": \"é\"}\n", ""] {
            let expected = Completion {
                text: text.to_owned(),
                finish: Finish::Complete,
                model: model.clone(),
                usage: Some(usage_of(dialect, 1)),
                attempts: 1,
                ..Completion::default()
            };
            assert_eq!(read(&says(dialect, text)), expected, "{dialect:?}");
            let finish = Finish::Truncated;
            assert_eq!(read(&cut_off(dialect, text)), Completion { finish, ..expected }, "{dialect:?}");
        }
        for other in [r#"{"hello":"world"}"#, "[]", "null", r#""yes""#] {
            assert_eq!(dialect.read(&json::parse(other).unwrap()), None, "{dialect:?}: {other}");
        }
    }
}

#[test]
fn thoughts_are_counted_and_not_read() {
    let usage = |input_tokens, output_tokens, reasoning_tokens, cached_input_tokens| Usage {
        input_tokens,
        output_tokens,
        reasoning_tokens,
        cached_input_tokens,
        cache_write_tokens: None,
        unreadable: None,
    };
    let writing = |usage: Usage| Usage { cache_write_tokens: Some(10), ..usage };
    for (dialect, answer, expected) in [
        (
            Dialect::Anthropic,
            r#"{"content":[{"type":"thinking","thinking":"Hm.","signature":"EqQB"},{"type":"redacted_thinking","data":"EmwK"},{"type":"text","text":"ab"}],"stop_reason":"end_turn","usage":{"input_tokens":20,"cache_creation_input_tokens":10,"cache_read_input_tokens":90,"output_tokens":30,"output_tokens_details":{"thinking_tokens":18}}}"#,
            writing(usage(120, 30, Some(18), Some(90))),
        ),
        (
            Dialect::Google,
            r#"{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hm?","thought":true},{"text":"a"},{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":120,"candidatesTokenCount":30,"thoughtsTokenCount":50,"totalTokenCount":200}}"#,
            usage(120, 80, Some(50), None),
        ),
        (
            Dialect::Bedrock,
            r#"{"output":{"message":{"content":[{"reasoningContent":{"reasoningText":{"text":"{\"score\": false}","signature":"a"}}},{"text":"ab"}]}},"stopReason":"end_turn","usage":{"inputTokens":20,"outputTokens":30,"totalTokens":150,"cacheReadInputTokens":90,"cacheWriteInputTokens":10}}"#,
            writing(usage(120, 30, None, Some(90))),
        ),
        (
            Dialect::Responses,
            r#"{"status":"completed","error":null,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"{\"score\": false}"}]},{"type":"message","phase":"commentary","content":[{"type":"output_text","text":"Let me look."}]},{"type":"web_search_call","id":"ws_1","status":"completed"},{"type":"message","phase":"final_answer","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}],"usage":{"input_tokens":90,"input_tokens_details":{"cached_tokens":64},"output_tokens":105,"output_tokens_details":{"reasoning_tokens":100},"total_tokens":195}}"#,
            usage(90, 105, Some(100), Some(64)),
        ),
        (
            Dialect::Ollama,
            r#"{"message":{"content":"ab","thinking":"Hm."},"done_reason":"stop","prompt_eval_count":3,"eval_count":2}"#,
            usage(3, 2, None, None),
        ),
    ] {
        let completion = dialect.read(&json::parse(answer).unwrap()).unwrap();
        assert_eq!((completion.text.as_str(), &completion.finish), ("ab", &Finish::Complete), "{dialect:?}");
        assert_eq!(completion.usage, Some(expected), "{dialect:?}");
    }
}

#[test]
fn openai_answers() {
    let finish = |message: &str, reason: &str| {
        let answer = format!(r#"{{"choices":[{{"message":{message},"finish_reason":"{reason}"}}]}}"#);
        read(Dialect::OpenAi, &answer).1
    };
    let text = r#"{"type":"message"}"#;
    for (reason, expected) in [
        ("stop", Finish::Complete),
        ("tool_calls", Finish::Complete),
        ("length", Finish::Truncated),
        ("model_length", Finish::Truncated),
        ("content_filter", refused("content_filter")),
        ("SAFETY", refused("SAFETY")),
        ("MAX_TOKENS", Finish::Truncated),
        ("COMPLETE", Finish::Complete),
        ("eos", Finish::Complete),
        ("eos_token", Finish::Complete),
        ("stop_sequence", Finish::Complete),
        ("abort", unknown("abort")),
        ("timeout", unknown("timeout")),
        ("insufficient_system_resource", unknown("insufficient_system_resource")),
    ] {
        assert_eq!(finish(text, reason), expected);
    }
    assert_eq!(finish(r#"{"content":"x"}"#, ""), Finish::Complete);
    assert_eq!(finish(r#"{"content":null,"refusal":"No."}"#, "stop"), refused("No."));
    let failed = r#"{"choices":[{"message":{"content":"{\"score\":true}"},"finish_reason":"error"}]}"#;
    assert!(Dialect::OpenAiCompatible.read(&crate::json::parse(failed).unwrap()).is_none());
    assert_eq!(finish(r#"{"content":"x","refusal":""}"#, "stop"), Finish::Complete);
    let beside = |error: &str| {
        let answer = format!(r#"{{"error":{error},"choices":[{{"message":{{"content":"x"}}}}]}}"#);
        read(Dialect::OpenAiCompatible, &answer).1
    };
    for nothing in ["null", "false", "\"\"", "{}"] {
        assert_eq!(beside(nothing), Finish::Complete);
    }
    let broken = Finish::Unreadable("the API reported an error with it".to_owned());
    for error in [r#"{"message":"Broken"}"#, "\"Broken\"", "true"] {
        assert_eq!(beside(error), broken);
    }
    for marked in [
        r#"{"choices":[{"error":{"code":502},"finish_reason":"stop","message":{"content":"x"}}]}"#,
        r#"{"choices":[{"error":{"code":502},"finish_reason":null,"message":{"content":"x"}}]}"#,
        r#"{"object":"error","message":"Bad","choices":[{"finish_reason":"stop","message":{"content":"x"}}]}"#,
    ] {
        assert_eq!(read(Dialect::OpenAiCompatible, marked).1, broken);
    }
    let parts = r#"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]},{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}"#;
    assert_eq!(read(Dialect::Mistral, parts), ("ab".to_owned(), Finish::Complete, None));
}

#[test]
fn responses_answer() {
    let answer = |status: &str, details: &str, output: &str| {
        let text = format!(
            r#"{{"status":"{status}","error":null,"incomplete_details":{details},"output":[{output}],"usage":{{"input_tokens":9,"input_tokens_details":{{"cached_tokens":4}},"output_tokens":105,"output_tokens_details":{{"reasoning_tokens":100}},"total_tokens":114}}}}"#
        );
        Dialect::Responses.read(&crate::json::parse(&text).unwrap())
    };
    let thought = r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm"}]}"#;
    let remark =
        r#"{"type":"message","phase":"commentary","content":[{"type":"output_text","text":"Wait"}]}"#;
    let text = r#"{"type":"message","phase":"final_answer","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}"#;
    let completion = answer("completed", "null", &format!("{thought},{remark},{text}")).unwrap();
    assert_eq!((completion.text.as_str(), &completion.finish), ("ab", &Finish::Complete));
    let usage = Usage {
        input_tokens: 9,
        output_tokens: 105,
        reasoning_tokens: Some(100),
        cached_input_tokens: Some(4),
        ..Usage::default()
    };
    assert_eq!(completion.usage, Some(usage));

    let finish = |status, details, output| answer(status, details, output).unwrap().finish;
    let no = r#"{"type":"message","content":[{"type":"refusal","refusal":"No."}]}"#;
    assert_eq!(finish("completed", "null", no), refused("No."));
    assert_eq!(finish("incomplete", r#"{"reason":"content_filter"}"#, text), refused("content_filter"));
    for details in [r#"{"reason":"max_output_tokens"}"#, "null"] {
        // Thoughts alone may have taken all of it.
        for output in [text, thought, ""] {
            assert_eq!(finish("incomplete", details, output), Finish::Truncated);
        }
    }
    for status in ["failed", "cancelled", "in_progress", "queued"] {
        assert!(answer(status, "null", text).is_none(), "{status}");
    }
    assert_eq!(finish("weird", "null", text), unknown("weird"));
    assert!(Dialect::Responses.read(&crate::json::parse(r#"{"object":"list"}"#).unwrap()).is_none());
}

#[test]
fn ollama_answers() {
    let answer = |reason: &str| {
        let answer = format!(
            r#"{{"message":{{"content":"x","thinking":"Hm"}},"done_reason":"{reason}","prompt_eval_count":3,"eval_count":2}}"#
        );
        read(Dialect::Ollama, &answer)
    };
    assert_eq!(answer("stop"), ("x".to_owned(), Finish::Complete, Some((3, 2))));
    assert_eq!(answer("length").1, Finish::Truncated);
    assert_eq!(answer("load").1, unknown("load"));
}

#[test]
fn anthropic_answers() {
    let answer = |reason: &str, details: &str| {
        let answer = format!(
            r#"{{"content":[{{"type":"thinking","thinking":"Hm"}},{{"type":"text","text":"a"}},{{"type":"text","text":"b"}}],"stop_reason":"{reason}","stop_details":{details},"usage":{{"input_tokens":1,"cache_creation_input_tokens":10,"cache_read_input_tokens":null,"output_tokens":5}}}}"#
        );
        read(Dialect::Anthropic, &answer)
    };
    for reason in ["end_turn", "stop_sequence", "tool_use"] {
        assert_eq!(answer(reason, "null"), ("ab".to_owned(), Finish::Complete, Some((11, 5))));
    }
    for reason in ["max_tokens", "model_context_window_exceeded", "pause_turn"] {
        assert_eq!(answer(reason, "null").1, Finish::Truncated);
    }
    assert_eq!(answer("refusal", "null").1, refused("refusal"));
    assert_eq!(answer("refusal", r#"{"category":"bio","explanation":null}"#).1, refused("bio"));
    assert_eq!(answer("refusal", r#"{"category":"bio","explanation":"No."}"#).1, refused("No."));
    for nothing in [r#"{"type":"message"}"#, r#""yes""#, "[]"] {
        assert!(Dialect::Anthropic.read(&crate::json::parse(nothing).unwrap()).is_none(), "{nothing}");
    }
}

#[test]
fn gemini_answers() {
    let answer = |candidate: &str| {
        let answer = format!(
            r#"{{"candidates":[{candidate}],"usageMetadata":{{"promptTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":30,"totalTokenCount":36}}}}"#
        );
        read(Dialect::Google, &answer)
    };
    let parts = r#""content":{"parts":[{"text":"Hm","thought":true},{"text":"a"},{"text":"b","thoughtSignature":"s"}]}"#;
    let expected = ("ab".to_owned(), Finish::Complete, Some((4, 32)));
    assert_eq!(answer(&format!(r#"{{{parts},"finishReason":"STOP"}}"#)), expected);
    assert_eq!(answer(&format!("{{{parts}}}")), expected);
    for (reason, expected) in [
        ("FINISH_REASON_UNSPECIFIED", Finish::Complete),
        ("MALFORMED_RESPONSE", unknown("MALFORMED_RESPONSE")),
        ("MALFORMED_FUNCTION_CALL", unknown("MALFORMED_FUNCTION_CALL")),
        ("UNEXPECTED_TOOL_CALL", unknown("UNEXPECTED_TOOL_CALL")),
        ("TOO_MANY_TOOL_CALLS", unknown("TOO_MANY_TOOL_CALLS")),
        ("MAX_TOKENS", Finish::Truncated),
        ("CONTINUATION", Finish::Truncated),
        ("SAFETY", refused("SAFETY")),
        ("RECITATION", refused("RECITATION")),
        ("LANGUAGE", refused("LANGUAGE")),
        ("BLOCKLIST", refused("BLOCKLIST")),
        ("PROHIBITED_CONTENT", refused("PROHIBITED_CONTENT")),
        ("SPII", refused("SPII")),
        ("OTHER", refused("OTHER")),
        ("IMAGE_SAFETY", refused("IMAGE_SAFETY")),
    ] {
        // A candidate that was stopped may have no content.
        assert_eq!(answer(&format!(r#"{{"finishReason":"{reason}"}}"#)).1, expected, "{reason}");
    }
    assert_eq!(answer(r#"{"finishReason":"SAFETY","finishMessage":"Unsafe."}"#).1, refused("Unsafe."));
    assert_eq!(answer(&format!(r#"{{{parts},"finishReason":"SAFETY"}}"#)).1, refused("SAFETY"));
    let blocked =
        r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":4}}"#;
    assert_eq!(read(Dialect::Google, blocked), (String::new(), refused("PROHIBITED_CONTENT"), None));
    assert!(Dialect::Google.read(&crate::json::parse(r#"{"candidates":[]}"#).unwrap()).is_none());
}

#[test]
fn errors_are_read_in_all_their_forms() {
    let message = |answer: &str| error_message(&crate::json::parse(answer).unwrap());
    for answer in [
        r#"{"error":{"message":"No."}}"#,
        r#"{"error":"No."}"#,
        r#"{"object":"error","message":"No."}"#,
        r#"{"detail":"No."}"#,
        r#"{"detail":[{"loc":["body"],"msg":"No."}]}"#,
        r#"{"object":"error","message":{"detail":[{"msg":"No."},{"msg":"Never."}]}}"#,
        r#"{"choices":[{"finish_reason":"error","error":{"code":502,"message":"No."}}]}"#,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"No."}}"#,
    ] {
        assert_eq!(message(answer).as_deref(), Some("No."));
    }
    assert_eq!(message(r#"{"detail":[]}"#), None);
}
