//! Bodies as the references of the APIs have them, and answers of every kind.

use super::*;
use crate::chat::{Finish, Structure};

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
        let (_, behind) = split_once(&body, "\"num_ctx\":")?;
        Some(behind.trim_end_matches('}').parse::<u32>().unwrap())
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
    let answer = r#"{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"Hm"}}},{"text":"Yes"}]}},"stopReason":"end_turn","usage":{"inputTokens":20,"outputTokens":30,"totalTokens":150,"cacheReadInputTokens":90,"cacheWriteInputTokens":10}}"#;
    let completion = Dialect::Bedrock.read(&json::parse(answer).unwrap()).unwrap();
    let usage =
        Usage { input_tokens: 120, output_tokens: 30, cached_input_tokens: Some(90), reasoning_tokens: None };
    assert_eq!((completion.text.as_str(), completion.usage), ("Yes", Some(usage)));
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
fn attachments_become_the_parts_of_each_api() {
    let part = |dialect: Dialect, part: Part| {
        let messages = [Message { role: Role::User, content: vec![Part::Text("See:".to_owned()), part] }];
        let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
        let body = dialect.body("m", Settings::default(), &request, Structure::Schema).unwrap().into_text();
        let (_, rest) = body.split_once("See:\"").unwrap();
        let end = rest.rfind("]}").unwrap();
        rest.get(..end).unwrap().trim_start_matches(['}', ',']).trim_end_matches("]}").to_owned()
    };
    let png = || Part::Image("data:image/png;base64,AA==".to_owned());
    let link = || Part::Image("https://a.test/b.JPG?c".to_owned());
    let audio = || Part::Audio { data: "AA==".to_owned(), format: "wav".to_owned() };
    let pdf = || Part::File { name: "a.pdf".to_owned(), data: "data:application/pdf;base64,AA==".to_owned() };
    let address = || Part::File { name: "a.pdf".to_owned(), data: "https://a.test/a.pdf".to_owned() };

    let image_url = r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}"#;
    let openai = Dialect::OpenAi;
    assert_eq!(part(openai, png()), image_url);
    assert_eq!(
        part(openai, audio()),
        r#"{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}"#
    );
    assert_eq!(
        part(openai, pdf()),
        r#"{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}}"#
    );
    let responses = Dialect::Responses;
    assert_eq!(
        part(responses, png()),
        r#"{"type":"input_image","image_url":"data:image/png;base64,AA==","detail":"auto"}"#
    );
    assert_eq!(
        part(responses, pdf()),
        r#"{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}"#
    );
    assert_eq!(part(responses, address()), r#"{"type":"input_file","file_url":"https://a.test/a.pdf"}"#);
    assert_eq!(part(Dialect::Mistral, png()), image_url);
    assert_eq!(part(Dialect::Mistral, audio()), r#"{"type":"input_audio","input_audio":"AA=="}"#);
    assert_eq!(
        part(Dialect::Mistral, address()),
        r#"{"type":"document_url","document_url":"https://a.test/a.pdf","document_name":"a.pdf"}"#
    );
    assert_eq!(
        part(Dialect::Anthropic, png()),
        r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}"#
    );
    assert_eq!(
        part(Dialect::Anthropic, link()),
        r#"{"type":"image","source":{"type":"url","url":"https://a.test/b.JPG?c"}}"#
    );
    assert_eq!(
        part(Dialect::Anthropic, pdf()),
        r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA=="}}"#
    );
    assert_eq!(
        part(Dialect::Anthropic, address()),
        r#"{"type":"document","source":{"type":"url","url":"https://a.test/a.pdf"}}"#
    );
    assert_eq!(part(Dialect::Google, png()), r#"{"inlineData":{"mimeType":"image/png","data":"AA=="}}"#);
    assert_eq!(part(Dialect::Google, audio()), r#"{"inlineData":{"mimeType":"audio/wav","data":"AA=="}}"#);
    assert_eq!(
        part(Dialect::Google, link()),
        r#"{"fileData":{"fileUri":"https://a.test/b.JPG?c","mimeType":"image/jpeg"}}"#
    );
    let body = {
        let messages = [Message { role: Role::User, content: vec![png(), Part::Text("a".to_owned())] }];
        let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
        Dialect::Ollama.body("m", Settings::default(), &request, Structure::Schema).unwrap().into_text()
    };
    assert_eq!(
        body,
        r#"{"model":"m","messages":[{"role":"user","content":"a","images":["AA=="]}],"stream":false}"#
    );
}

fn read(dialect: Dialect, answer: &str) -> (String, Finish, Option<(u64, u64)>) {
    let completion = dialect.read(&crate::json::parse(answer).unwrap()).unwrap();
    let usage = completion.usage.map(|usage| (usage.input_tokens, usage.output_tokens));
    (completion.text, completion.finish, usage)
}

fn refused(reason: &str) -> Finish {
    Finish::Refused(reason.to_owned())
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
    ] {
        assert_eq!(finish(text, reason), expected);
    }
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
    for error in [r#"{"message":"Broken"}"#, "\"Broken\"", "true"] {
        assert_eq!(beside(error), Finish::Unreadable("an error of the API came with it".to_owned()));
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
        ("MALFORMED_RESPONSE", Finish::Complete),
        ("MALFORMED_FUNCTION_CALL", Finish::Complete),
        ("UNEXPECTED_TOOL_CALL", Finish::Complete),
        ("TOO_MANY_TOOL_CALLS", Finish::Complete),
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
