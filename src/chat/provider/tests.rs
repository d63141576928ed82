use super::*;
use crate::chat::testing::{DIALECTS, Script, Sent, answer, cut_off, endpoint, options, says, usage_of};
use crate::chat::{Dialect, EndpointConfig, Finish, OutputSchema, Usage};
use crate::error::Code;
use crate::executor::ready;
use crate::json::JsonBuilder;

const HELLO: &str = r#"{"model":"gpt-5.4-1","choices":[{"message":{"content":"Hello","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}"#;
const SCHEMA: &str = r#"{"type":"object","title":"b","description":"a"}"#;
const REFUSED: &str = r#"{"error":{"message":"This response_format type is unavailable now"}}"#;

fn provider(
    change: impl FnOnce(&mut ProviderConfig, &mut EndpointConfig),
    transport: Script,
) -> Provider<Script> {
    let (mut options, mut at) = (options(), endpoint(Dialect::OpenAi));
    change(&mut options, &mut at);
    Provider::new(Endpoint { config: at, transport }, options)
}

fn schema(schema: &str, strict: bool) -> OutputSchema {
    OutputSchema { name: "score".to_owned(), schema: schema.to_owned(), strict }
}

fn ask(
    provider: &Provider<Script>,
    messages: &[Message],
    schema: Option<&OutputSchema>,
) -> Result<Completion> {
    ready(provider.complete(&ChatRequest { messages, schema, logprobs: false })).unwrap()
}

fn hello(provider: &Provider<Script>) -> Result<Completion> {
    ask(provider, &[Message::new(Role::User, "Hi")], Some(&schema(SCHEMA, true)))
}

fn bodies(provider: &Provider<Script>) -> Vec<String> {
    provider.transport().requests.borrow().iter().map(|Sent { body, .. }| body.clone()).collect()
}

#[test]
fn a_question_is_asked_and_its_answer_read() {
    let provider = provider(
        |options, at| {
            options.temperature = Some("0".to_owned());
            at.params = Some(r#"{"seed":7,"temperature":0.5}"#.to_owned());
        },
        Script::new([answer(503, ""), answer(200, HELLO)]),
    );
    let completion = hello(&provider).unwrap();
    assert_eq!(
        completion,
        Completion {
            text: "Hello".to_owned(),
            finish: Finish::Complete,
            model: Some("gpt-5.4-1".to_owned()),
            usage: Some(Usage { input_tokens: 9, output_tokens: 3, ..Usage::default() }),
            attempts: 2,
            ..Completion::default()
        }
    );
    assert_eq!(
        bodies(&provider)[1],
        r#"{"model":"m","messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"json_schema","json_schema":{"name":"score","strict":true,"schema":{"type":"object","title":"b","description":"a"}}},"temperature":0.5,"seed":7}"#
    );
}

#[test]
fn an_answer_without_a_completion_is_an_error() {
    let cases = [
        (
            "<!doctype html><title>Sign in</title>",
            "other than a completion: <!doctype html><title>Sign in</title>. Check",
        ),
        (r#"{"hello":"world"}"#, r#"other than a completion: {"hello":"world"}."#),
        (r#"{"error":{"message":"No credit"}}"#, "answered with HTTP status 200 and an error: No credit."),
    ];
    for (body, expected) in cases {
        let error = hello(&provider(|_, _| {}, Script::new([answer(200, body)]))).unwrap_err();
        assert_eq!((error.code, error.status, error.attempts), (Code::ProviderError, Some(200), Some(1)));
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

#[test]
fn an_answer_of_another_kind_is_an_error_at_each_api() {
    let asked = |dialect, body: &str| {
        let change = |_: &mut ProviderConfig, at: &mut EndpointConfig| at.dialect = dialect;
        hello(&provider(change, Script::new([answer(200, body)]))).unwrap_err()
    };
    for dialect in DIALECTS {
        for body in [r#"{"hello": "world"}"#, "[]", "null", r#""yes""#, ""] {
            let error = asked(dialect, body);
            assert_eq!((error.code, error.status, error.attempts), (Code::ProviderError, Some(200), Some(1)));
            assert!(error.message.contains("other than a completion"), "{}", error.message);
        }
    }
    for status in ["in_progress", "queued", "cancelled"] {
        let body = says(Dialect::Responses, "").replace("completed", status);
        let error = asked(Dialect::Responses, &body);
        assert_eq!((error.code, error.attempts), (Code::ProviderError, Some(1)), "{status}");
        assert!(error.message.contains("something other than a completion"), "{}", error.message);
    }
    // OpenRouter reports a failure as the end of an answer.
    let failed = r#"{"choices":[{"finish_reason":"error","error":{"code":502,"message":"Provider returned error"},"message":{"role":"assistant","content":"{\"score\":true}"}}]}"#;
    let error = asked(Dialect::OpenAiCompatible, failed);
    assert_eq!(error.code, Code::ProviderError);
    assert!(error.message.contains("Provider returned error"), "{}", error.message);
}

#[test]
fn an_api_that_turns_out_not_to_take_schemas_gets_them_in_the_prompt_from_then_on() {
    let provider = provider(
        |_, at| at.max_retries = 0,
        Script::new([answer(400, REFUSED), answer(200, HELLO), answer(200, HELLO)]),
    );
    assert_eq!(hello(&provider).unwrap().attempts, 2);
    assert_eq!(hello(&provider).unwrap().attempts, 1);
    let prompted = r#"{"model":"m","messages":[{"role":"user","content":"Hi\n\nAnswer only with JSON that matches this JSON schema:\n{\"type\":\"object\",\"title\":\"b\",\"description\":\"a\"}"}]}"#;
    assert!(bodies(&provider)[0].contains("response_format"));
    assert_eq!(bodies(&provider)[1..], [prompted, prompted]);
}

#[test]
fn other_schemas_than_the_refused_one_are_not_put_into_the_prompt() {
    let problem =
        r#"{"error":{"message":"Invalid schema for response_format 'score': 'oneOf' is not permitted"}}"#;
    let provider =
        provider(|_, _| {}, Script::new([answer(400, problem), answer(200, HELLO), answer(200, HELLO)]));
    assert_eq!(hello(&provider).unwrap().attempts, 2);
    let other = schema(r#"{"type":"object","properties":{}}"#, true);
    assert_eq!(ask(&provider, &[Message::new(Role::User, "Hi")], Some(&other)).unwrap().attempts, 1);
    let sent: Vec<_> = bodies(&provider).iter().map(|body| body.contains("response_format")).collect();
    assert_eq!(sent, [true, false, true]);
}

#[test]
fn the_address_and_the_name_of_a_model_are_not_taken_for_the_problem() {
    for name in ["grammar-judge", "temperature-judge", "logprobs-judge", "schema"] {
        for complaint in ["The content is filtered", "The deployment 'NAME' takes no such message"] {
            let body = format!(r#"{{"error":{{"message":"{}"}}}}"#, complaint.replace("NAME", name));
            let provider = provider(
                |options, at| {
                    options.temperature = Some("0".to_owned());
                    options.logprobs = 20;
                    at.model = name.to_owned();
                    at.url = format!("https://a.openai.azure.com/openai/deployments/{name}/chat/completions");
                },
                Script::new([answer(404, &body)]),
            );
            assert_eq!(hello(&provider).unwrap_err().attempts, Some(1), "{name}: {complaint}");
            let refuses = (provider.refuses_temperature(), provider.refuses_schema(&schema(SCHEMA, true)));
            assert_eq!((refuses, provider.logprobs()), ((false, false), 20));
        }
    }
}

#[test]
fn however_an_api_rejects_a_schema_it_gets_it_in_the_prompt() {
    const PROMPT: &str = r#""Hi\n\nAnswer only with JSON that matches this JSON schema:\n{\"type\":\"object\",\"title\":\"b\",\"description\":\"a\"}""#;
    let failure = |message: &str| format!(r#"{{"error":{{"message":"{message}"}}}}"#);
    let chat = |body: String, status| (Dialect::OpenAi, status, body);
    let said = |message: &str| (Dialect::OpenAi, 400, failure(message));
    let response = |message: &str| (Dialect::Responses, 400, failure(message));
    for (dialect, status, complaint) in [
        said("This response_format type is unavailable now"),
        said("This model does not support response format `json_schema`."),
        said("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."),
        said("Invalid schema for response_format 'score': In context=(), 'oneOf' is not permitted"),
        said("The guided_json is not supported by the backend"),
        said("Failed to parse grammar"),
        said("The compiled grammar is too large: simplify your schema"),
        chat(
            r#"{"detail":[{"loc":["body","response_format","type"],"msg":"Input should be 'text' or 'json_object'"}]}"#
                .to_owned(),
            422,
        ),
        chat(
            "Failed to deserialize the JSON body: response_format: unknown variant `json_schema`".to_owned(),
            422,
        ),
        response("Invalid schema for response_format 'score': In context=(), 'oneOf' is not permitted"),
        response("Invalid parameter: 'text.format' of type 'json_schema' is not supported with model version `m`."),
        response("Unsupported parameter: 'text.format' is not supported with this model."),
        (
            Dialect::Bedrock,
            400,
            r#"{"message":"This model doesn't support the outputConfig.textFormat field. Remove it and try again."}"#
                .to_owned(),
        ),
    ] {
        let (wanted, prompted) = match dialect {
            Dialect::Responses => (
                r#""text":{"format":{"type":"json_schema""#,
                format!(r#"{{"model":"m","input":[{{"role":"user","content":{PROMPT}}}],"store":false}}"#),
            ),
            Dialect::Bedrock => (
                r#""outputConfig":{"textFormat":{"type":"json_schema""#,
                format!(r#"{{"messages":[{{"role":"user","content":[{{"text":{PROMPT}}}]}}]}}"#),
            ),
            _ => (
                r#""response_format":{"type":"json_schema""#,
                format!(r#"{{"model":"m","messages":[{{"role":"user","content":{PROMPT}}}]}}"#),
            ),
        };
        let answers = [answer(status, &complaint), answer(200, &says(dialect, "a")), answer(200, &says(dialect, "b"))];
        let provider = provider(
            |_, at| {
                at.dialect = dialect;
                at.max_retries = 0;
            },
            Script::new(answers),
        );
        let first = hello(&provider).unwrap();
        assert_eq!((first.text.as_str(), first.attempts), ("a", 2), "{complaint}");
        assert_eq!(hello(&provider).unwrap().attempts, 1, "{complaint}");
        let sent = bodies(&provider);
        assert!(sent[0].contains(wanted), "{}", sent[0]);
        assert_eq!(sent[1..], [prompted.clone(), prompted]);
    }
}

#[test]
fn a_schema_goes_into_the_prompt_only_once_and_for_no_other_reason() {
    for (status, complaint) in
        [(404, "The model does not exist"), (400, "Invalid 'seed'"), (401, "Incorrect API key provided")]
    {
        let body = format!(r#"{{"error":{{"message":"{complaint}"}}}}"#);
        let provider = provider(|_, _| {}, Script::new([answer(status, &body)]));
        let error = hello(&provider).unwrap_err();
        assert_eq!((error.code, error.attempts), (Code::ProviderError, Some(1)), "{complaint}");
        assert_eq!(bodies(&provider).len(), 1);
    }
    let provider = provider(|_, _| {}, Script::new([answer(400, REFUSED), answer(400, REFUSED)]));
    let error = hello(&provider).unwrap_err();
    assert_eq!((error.code, error.status, error.attempts), (Code::ProviderError, Some(400), Some(2)));
}

#[test]
fn the_request_with_the_schema_in_the_prompt_is_tried_again_as_any_other() {
    let script = Script::new([answer(422, REFUSED), answer(500, ""), answer(500, "")]);
    let provider = provider(|_, at| at.max_retries = 1, script);
    let error = hello(&provider).unwrap_err();
    assert_eq!((error.status, error.attempts), (Some(500), Some(3)));
    assert!(error.message.ends_with("(3 attempts)"), "{}", error.message);
}

#[test]
fn distinguishes_refusals_for_lack_of_structured_output() {
    let falls_back = |status, message: &str| {
        lacks_structure(&Error::new(Code::ProviderError, "").with(|error| {
            error.status = Some(status);
            error.detail = message.to_owned();
        }))
    };
    for message in [
        "This response_format type is unavailable now",
        "Failed to deserialize the JSON body: response_format.type `json_schema` is unavailable now",
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        "This model does not support response format `json_schema`.",
        "output_config.format: Extra inputs are not permitted",
        "Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.",
        "JSON mode is not enabled for models/gemma-3-1b-it",
        "structured outputs are not supported by this model",
        "Invalid schema for response_format 'score': 'additionalProperties' is required to be false.",
        "output_config.format.schema: For 'number' type, property 'maximum' is not supported",
        "Failed to parse grammar",
        "Invalid guided_json",
        "The specified schema is too complex",
        "Unknown parameter: 'text.format'",
    ] {
        assert!(falls_back(400, message), "{message}");
        assert!(falls_back(422, message) && !falls_back(500, message) && !falls_back(401, message));
    }
    assert!(!falls_back(400, "The model `m` does not exist"));
}

#[test]
fn a_model_that_refuses_a_temperature_is_sent_none_from_then_on() {
    for (dialect, message) in [
        (Dialect::OpenAi, "Unsupported parameter: 'temperature' is not supported with this model."),
        (Dialect::OpenAi, "`temperature` is deprecated for this model."),
        (Dialect::Responses, "Unsupported parameter: 'temperature' is not supported with this model."),
        (Dialect::Anthropic, "`temperature` is deprecated for this model."),
    ] {
        let refused = format!(r#"{{"error":{{"message":"{message}"}}}}"#);
        let said = says(dialect, "Hello");
        let script = Script::new([answer(400, &refused), answer(200, &said), answer(200, &said)]);
        let provider = provider(
            |options, at| {
                at.dialect = dialect;
                options.temperature = Some("0".to_owned());
            },
            script,
        );
        assert_eq!(hello(&provider).unwrap().attempts, 2);
        assert_eq!(hello(&provider).unwrap().attempts, 1);
        assert!(provider.refuses_temperature());
        let sent = bodies(&provider);
        let without = sent[0].replace(r#","temperature":0"#, "");
        assert!(without != sent[0], "{}", sent[0]);
        assert_eq!(sent[1..], [without.clone(), without]);
    }
}

#[test]
fn an_error_about_temperature_without_one_is_an_error() {
    let script = Script::new([answer(400, "temperature is required"), answer(200, HELLO)]);
    let provider = provider(|_, _| {}, script);
    assert_eq!(hello(&provider).unwrap_err().status, Some(400));
    hello(&provider).unwrap();
    assert!(!provider.refuses_temperature());
}

#[test]
fn an_error_that_comes_as_a_success_is_one_and_is_tried_again() {
    let relayed = r#"{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"upstream is down","provider_name":"p"}}}"#;
    let script = Script::new([answer(200, relayed), answer(200, HELLO)]);
    assert_eq!(hello(&provider(|_, _| {}, script)).unwrap().attempts, 2);
    let script = Script::new([answer(200, relayed)]);
    let error = hello(&provider(|_, at| at.max_retries = 0, script)).unwrap_err();
    assert_eq!((error.code, error.status), (Code::ProviderError, Some(502)));
    let expected = "answered with the error 502: Provider returned error: upstream is down.";
    assert!(error.message.contains(expected), "{}", error.message);
}

#[test]
fn a_response_that_failed_is_an_error_and_may_be_tried_again() {
    let failed = |code: &str| {
        format!(
            r#"{{"status":"failed","error":{{"code":"{code}","message":"Sorry, sk-1234567890"}},"output":[],"choices":null}}"#
        )
    };
    let asked = |code: &str, retries| {
        let answers = [answer(200, &failed(code)), answer(200, &failed(code))];
        let change = |_: &mut ProviderConfig, at: &mut EndpointConfig| {
            at.dialect = Dialect::Responses;
            at.max_retries = retries;
            at.secrets = vec!["sk-1234567890".to_owned()];
        };
        hello(&provider(change, Script::new(answers))).unwrap_err()
    };
    for (code, kind, status, attempts) in [
        ("server_error", Code::ProviderError, 500, 2),
        ("rate_limit_exceeded", Code::RateLimited, 429, 2),
        ("invalid_image", Code::ProviderError, 400, 1),
        ("bio_policy", Code::Refused, 400, 1),
        ("image_content_policy_violation", Code::Refused, 400, 1),
        ("invalid_prompt", Code::Refused, 400, 1),
    ] {
        let error = asked(code, 1);
        assert_eq!(
            (error.code, error.status, error.attempts),
            (kind, Some(status), Some(attempts)),
            "{code}"
        );
        assert!(error.message.contains("Sorry, [redacted]"), "{}", error.message);
    }
}

#[test]
fn names_the_responses_api_for_its_models() {
    for (status, message) in [
        (404, "This model is only supported in v1/responses and not in v1/chat/completions."),
        (
            404,
            "This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?",
        ),
        (400, "The chatCompletion operation does not work with the specified model, gpt-5-codex."),
    ] {
        let body = format!(r#"{{"error":{{"message":"{message}"}}}}"#);
        let error = hello(&provider(|_, _| {}, Script::new([answer(status, &body)]))).unwrap_err();
        assert_eq!((error.code, error.status), (Code::ProviderError, Some(status)));
        assert!(error.message.contains(r#"{ api: "responses" }"#), "{}", error.message);
    }
}

#[test]
fn retries_a_cut_off_answer_with_twice_the_limit_unless_the_caller_set_it() {
    let cut_off = |tokens: u32| {
        format!(
            r#"{{"choices":[{{"message":{{"content":"Hel"}},"finish_reason":"length"}}],"usage":{{"prompt_tokens":9,"completion_tokens":{tokens}}}}}"#
        )
    };
    let asked = |tokens, second, change: &dyn Fn(&mut ProviderConfig, &mut EndpointConfig)| {
        let script = Script::new([answer(200, &cut_off(tokens)), second]);
        let provider = provider(|options, at| change(options, at), script);
        (hello(&provider), bodies(&provider))
    };
    let (completion, sent) = asked(20_000, answer(200, HELLO), &|_, _| {});
    let completion = completion.unwrap();
    assert_eq!((completion.finish, completion.attempts), (Finish::Complete, 2));
    assert_eq!(completion.usage.unwrap().output_tokens, 20_003);
    assert!(!sent[0].contains("max_completion_tokens"), "{}", sent[0]);
    assert!(sent[1].contains(r#""max_completion_tokens":40000"#), "{}", sent[1]);
    let (_, sent) = asked(100, answer(200, HELLO), &|_, _| {});
    assert!(sent[1].contains(r#""max_completion_tokens":16000"#), "{}", sent[1]);

    // If the model cannot write more, the first answer stays.
    let refused = r#"{"error":{"message":"max_tokens is too large: 40000"}}"#;
    let (completion, _) = asked(20_000, answer(400, refused), &|_, _| {});
    let completion = completion.unwrap();
    assert_eq!((completion.text.as_str(), completion.finish), ("Hel", Finish::Truncated));
    assert_eq!(completion.attempts, 2);
    let (failed, _) = asked(20_000, answer(401, ""), &|_, _| {});
    assert_eq!(failed.unwrap_err().status, Some(401));
    let script = Script::new([answer(200, &cut_off(20_000)), answer(401, "")]);
    let failing = provider(|_, _| {}, script);
    hello(&failing).unwrap_err();
    // The first answer was paid for.
    let discarded = failing.take_discarded().unwrap();
    assert_eq!(discarded.usage.unwrap().output_tokens, 20_000);

    for change in [
        &(|options: &mut ProviderConfig, _: &mut EndpointConfig| options.max_tokens = Some(100))
            as &dyn Fn(&mut ProviderConfig, &mut EndpointConfig),
        &|_, at| at.params = Some(r#"{"max_tokens":100}"#.to_owned()),
        &|_, at| at.params = Some(r#"{"max_completion_tokens":100}"#.to_owned()),
    ] {
        let (completion, sent) = asked(100, answer(200, HELLO), change);
        assert_eq!((completion.unwrap().finish, sent.len()), (Finish::Truncated, 1));
    }
}

#[test]
fn a_cut_off_answer_is_asked_for_with_a_larger_limit_at_each_api() {
    // The limit at first, the larger one, and one of the caller.
    let completion = ["", r#","max_completion_tokens":16000"#, r#","max_completion_tokens":100"#];
    let tokens = ["", r#","max_tokens":16000"#, r#","max_tokens":100"#];
    let claude = [r#","max_tokens":16000"#, r#","max_tokens":32000"#, r#","max_tokens":100"#];
    let limits = [
        completion,
        tokens,
        tokens,
        ["", r#","max_output_tokens":16000"#, r#","max_output_tokens":100"#],
        claude,
        claude,
        ["", r#","inferenceConfig":{"maxTokens":16000}"#, r#","inferenceConfig":{"maxTokens":100}"#],
        ["", r#","maxOutputTokens":16000"#, r#","maxOutputTokens":100"#],
        ["", r#","options":{"num_predict":16000,"num_ctx":16384}"#, r#","options":{"num_predict":100}"#],
    ];
    for (dialect, [usual, larger, given]) in DIALECTS.into_iter().zip(limits) {
        let asked = |max_tokens| {
            let answers = [answer(200, &cut_off(dialect, "He")), answer(200, &says(dialect, "Hello"))];
            let provider = provider(
                |options, at| {
                    at.dialect = dialect;
                    options.max_tokens = max_tokens;
                },
                Script::new(answers),
            );
            (hello(&provider).unwrap(), bodies(&provider))
        };
        let (Completion { text, finish, usage, attempts, .. }, sent) = asked(None);
        assert_eq!((text.as_str(), finish, attempts), ("Hello", Finish::Complete, 2));
        assert_eq!(usage, Some(usage_of(dialect, 2)), "{dialect:?}");
        let (start, end) = sent[1].split_once(larger).unwrap();
        assert_eq!(sent[0], [start, usual, end].concat());

        let (completion, sent) = asked(Some(100));
        assert_eq!((completion.text.as_str(), completion.finish), ("He", Finish::Truncated));
        assert_eq!(sent, [[start, given, end].concat()]);
    }
    let params = provider(
        |_, at| {
            at.dialect = Dialect::Responses;
            at.params = Some(r#"{"max_output_tokens":100}"#.to_owned());
        },
        Script::new([answer(200, &cut_off(Dialect::Responses, "He"))]),
    );
    assert_eq!(hello(&params).unwrap().finish, Finish::Truncated);
}

#[test]
fn the_limit_that_anthropic_wants_is_ours() {
    let cut_off = r#"{"content":[{"type":"text","text":"a"}],"stop_reason":"max_tokens","usage":{"input_tokens":9,"output_tokens":15990}}"#;
    let done = r#"{"content":[{"type":"text","text":"ab"}],"stop_reason":"end_turn"}"#;
    let script = Script::new([answer(200, cut_off), answer(200, done)]);
    let provider = provider(|_, at| at.dialect = Dialect::Anthropic, script);
    let completion = hello(&provider).unwrap();
    assert_eq!((completion.text.as_str(), completion.usage.unwrap().output_tokens), ("ab", 15_990));
    let limits = bodies(&provider);
    assert!(limits[0].contains(r#""max_tokens":16000"#) && limits[1].contains(r#""max_tokens":32000"#));
}

#[test]
fn a_model_that_left_the_form_is_asked_again() {
    let failed = r#"{"error":{"message":"Failed to validate the output","code":"json_validate_failed"}}"#;
    let script = Script::new([answer(400, failed), answer(200, HELLO)]);
    assert_eq!(hello(&provider(|_, _| {}, script)).unwrap().attempts, 2);
}

#[test]
fn an_answer_blocked_by_a_filter_is_a_refusal() {
    for (status, reported, body, words) in [
        (
            400,
            400,
            r#"{"error":{"message":"The prompt was filtered","code":"content_filter","status":400}}"#,
            "The prompt was filtered",
        ),
        (400, 400, r#"{"error":{"message":"Flagged.","code":"invalid_prompt"}}"#, "Flagged"),
        (
            403,
            403,
            r#"{"error":{"message":"Flagged","code":403,"metadata":{"reasons":["harassment"],"flagged_input":"a"}}}"#,
            "Flagged",
        ),
        (
            200,
            403,
            r#"{"error":{"message":"Flagged","code":403,"metadata":{"flagged_input":"a"}}}"#,
            "Flagged",
        ),
    ] {
        let provider = provider(|_, _| {}, Script::new([answer(status, body)]));
        let error = hello(&provider).unwrap_err();
        assert_eq!((error.code, error.status, error.attempts), (Code::Refused, Some(reported), Some(1)));
        assert!(error.message.contains(words), "{}", error.message);
        assert!(!error.message.contains("Check the key"), "{}", error.message);
    }
}

#[test]
fn reasoning_counts_as_output_and_cached_tokens_are_reported() {
    let used = |usage: &str| {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"a"}}}}],"usage":{usage}}}"#);
        let usage = hello(&provider(|_, _| {}, Script::new([answer(200, &body)]))).unwrap().usage.unwrap();
        (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cached_input_tokens)
    };
    // OpenAI's output tokens include reasoning, and xAI's do not.
    assert_eq!(
        used(
            r#"{"prompt_tokens":9,"completion_tokens":105,"total_tokens":114,"completion_tokens_details":{"reasoning_tokens":100},"prompt_tokens_details":{"cached_tokens":4}}"#
        ),
        (9, 105, Some(100), Some(4))
    );
    assert_eq!(
        used(
            r#"{"prompt_tokens":9,"completion_tokens":5,"total_tokens":114,"completion_tokens_details":{"reasoning_tokens":100}}"#
        ),
        (9, 105, Some(100), None)
    );
    assert_eq!(used(r#"{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}"#), (9, 5, None, None));
}

#[test]
fn a_count_that_is_not_a_whole_number_from_0_is_named_and_not_reported_to_the_rate_limits() {
    for (usage, unreadable, known) in [
        (r#"{"prompt_tokens":"12","completion_tokens":5}"#, r#"prompt_tokens: "12""#, (0, 5)),
        (r#"{"prompt_tokens":9,"completion_tokens":1.5}"#, "completion_tokens: 1.5", (9, 0)),
        (r#"{"prompt_tokens":-9,"completion_tokens":-1}"#, "prompt_tokens: -9", (0, 0)),
        (
            r#"{"prompt_tokens":9007199254740992,"completion_tokens":5}"#,
            "prompt_tokens: 9007199254740992",
            (0, 5),
        ),
        (
            r#"{"prompt_tokens":9,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":[1]}}"#,
            "prompt_tokens_details.cached_tokens: [1]",
            (9, 5),
        ),
    ] {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"a"}}}}],"usage":{usage}}}"#);
        let provider = provider(|_, _| {}, Script::new([answer(200, &body)]));
        let found = hello(&provider).unwrap().usage.unwrap();
        assert_eq!(found.unreadable.as_deref(), Some(unreadable));
        assert_eq!((found.input_tokens, found.output_tokens), known, "{usage}");
        assert_eq!(provider.transport().used.borrow().len(), 0);
    }
    // A server that counts nothing reports null, or only one of the counts.
    for usage in [r#"{"prompt_tokens":null,"completion_tokens":null}"#, r#"{"prompt_tokens":"12"}"#] {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"a"}}}}],"usage":{usage}}}"#);
        assert_eq!(hello(&provider(|_, _| {}, Script::new([answer(200, &body)]))).unwrap().usage, None);
    }
}

#[test]
fn writes_to_the_cache_are_reported() {
    let usage =
        r#"{"prompt_tokens":9,"completion_tokens":5,"prompt_tokens_details":{"cache_write_tokens":3}}"#;
    let body = format!(r#"{{"choices":[{{"message":{{"content":"a"}}}}],"usage":{usage}}}"#);
    let usage = hello(&provider(|_, _| {}, Script::new([answer(200, &body)]))).unwrap().usage.unwrap();
    assert_eq!((usage.input_tokens, usage.cache_write_tokens), (9, Some(3)));
}

#[test]
fn a_schema_that_an_api_cannot_be_given_goes_into_the_prompt() {
    let sent = |dialect, structure, schema: &OutputSchema| {
        let provider = provider(
            |options, at| {
                at.dialect = dialect;
                options.structure = structure;
            },
            Script::new([answer(200, "{}")]),
        );
        let messages = [Message::new(Role::User, "a"), Message::new(Role::Assistant, "b")];
        ask(&provider, &messages, Some(schema)).unwrap_err();
        let body = bodies(&provider).remove(0);
        let prompted = body.contains(r#"matches this JSON schema"#);
        assert!(!prompted || body.find("this JSON schema") < body.find(r#""assistant""#), "{body}");
        (prompted, body.contains("json_object"), body.contains("_format") || body.contains("\"format\""))
    };
    let object = schema(r#"{"type":"object"}"#, true);
    let list = schema(r#"{"type":"array"}"#, false);
    let open = schema(r#"{"type":"object"}"#, false);
    for dialect in
        [Dialect::OpenAi, Dialect::OpenAiCompatible, Dialect::Mistral, Dialect::Anthropic, Dialect::Ollama]
    {
        assert_eq!(sent(dialect, Structure::Schema, &object), (false, false, true));
        assert_eq!(sent(dialect, Structure::Schema, &list), (true, false, false));
        let is_anthropic = dialect == Dialect::Anthropic;
        assert_eq!(sent(dialect, Structure::Schema, &open), (is_anthropic, false, !is_anthropic));
    }
    assert_eq!(sent(Dialect::OpenAiCompatible, Structure::JsonObject, &object), (true, true, true));
}

#[test]
fn attachments_that_a_provider_does_not_take_are_refused_before_a_request() {
    let problem = |dialect, attachments: Option<&[&str]>, part: Part| {
        let provider = provider(
            |options, at| {
                at.dialect = dialect;
                options.attachments =
                    attachments.map(|kinds| kinds.iter().map(|kind| (*kind).to_owned()).collect());
            },
            Script::new([]),
        );
        let message = Message { role: Role::User, content: vec![part] };
        let error = ask(&provider, &[message], None).unwrap_err();
        assert_eq!((error.code, bodies(&provider).len()), (Code::InvalidInput, 0));
        error.message.clone()
    };
    let audio = || Part::Audio { data: "AA==".to_owned(), format: "wav".to_owned() };
    assert_eq!(
        problem(Dialect::OpenAiCompatible, Some(&["image", "file"]), audio()),
        "A message has an attachment of type audio, which test does not accept. Leave it out, or use a provider that accepts it."
    );
    let image = Part::Image("https://a.test/b.png".to_owned());
    assert!(
        problem(Dialect::Ollama, Some(&["image"]), image)
            .contains("does not accept in this form. Pass the picture itself")
    );
    let table = Part::File { name: "a.csv".to_owned(), data: "data:text/csv;base64,AA==".to_owned() };
    assert!(problem(Dialect::Anthropic, None, table).contains("Pass a PDF"));
    let address = Part::File { name: "a.pdf".to_owned(), data: "https://a.test/a.pdf".to_owned() };
    assert!(problem(Dialect::OpenAi, None, address).contains("Pass a PDF as a data: URI"));
    let pdf = Part::File { name: "a.pdf".to_owned(), data: "data:application/pdf;base64,AA==".to_owned() };
    let message = problem(Dialect::Responses, Some(&["image", "link"]), pdf);
    assert!(message.contains("does not accept in this form. Pass its address"), "{message}");
    assert!(problem(Dialect::Responses, Some(&["image", "link"]), audio()).contains("does not accept."));
}

#[test]
fn params_are_merged_with_settings_of_the_same_object() {
    const SCHEMA: &str = r#"{"type":"object","title":"b","description":"a"}"#;
    const USER: &str = r#"[{"role":"user","content":"Hi"}]"#;
    const IN_PARTS: &str = r#"[{"role":"user","content":[{"text":"Hi"}]}]"#;
    let chat = format!(
        r#"{{"model":"m","messages":{USER},"response_format":{{"type":"json_schema","json_schema":{{"name":"score","strict":true,"schema":{SCHEMA}}}}}"#
    );
    let format =
        format!(r#""format":{{"type":"json_schema","name":"score","strict":true,"schema":{SCHEMA}}}"#);
    let claude =
        format!(r#""messages":{USER},"output_config":{{"format":{{"type":"json_schema","schema":{SCHEMA}}}"#);
    let contents = r#""contents":[{"role":"user","parts":[{"text":"Hi"}]}]"#;
    let gemini = format!(r#""responseMimeType":"application/json","responseJsonSchema":{SCHEMA}"#);
    let quoted = JsonBuilder::from(SCHEMA).into_text();
    type Change = fn(&mut ProviderConfig);
    let unset: Change = |_| {};
    for (dialect, change, params, expected) in [
        (Dialect::OpenAi, unset, r#"{"seed":7}"#, format!(r#"{chat},"seed":7}}"#)),
        (
            Dialect::OpenAiCompatible,
            unset,
            r#"{"disable_search":true}"#,
            format!(r#"{chat},"disable_search":true}}"#),
        ),
        (Dialect::Mistral, unset, r#"{"random_seed":7}"#, format!(r#"{chat},"random_seed":7}}"#)),
        (
            Dialect::Responses,
            unset,
            r#"{"user":"u1"}"#,
            format!(r#"{{"model":"m","input":{USER},"store":false,"text":{{{format}}},"user":"u1"}}"#),
        ),
        (
            Dialect::Responses,
            |options| options.max_tokens = Some(5000),
            r#"{"text":{"verbosity":"low"},"reasoning":{"effort":"high"},"store":true}"#,
            format!(
                r#"{{"model":"m","input":{USER},"store":true,"text":{{{format},"verbosity":"low"}},"max_output_tokens":5000,"reasoning":{{"effort":"high"}}}}"#
            ),
        ),
        (
            Dialect::Anthropic,
            unset,
            r#"{"metadata":{"user_id":"u1"}}"#,
            format!(r#"{{"model":"m",{claude}}},"max_tokens":16000,"metadata":{{"user_id":"u1"}}}}"#),
        ),
        (
            Dialect::Anthropic,
            |options| options.max_tokens = Some(4096),
            r#"{"thinking":{"type":"enabled","budget_tokens":2048}}"#,
            format!(
                r#"{{"model":"m",{claude}}},"max_tokens":4096,"thinking":{{"budget_tokens":2048,"type":"enabled"}}}}"#
            ),
        ),
        (
            Dialect::Anthropic,
            |options| options.temperature = Some("0".to_owned()),
            r#"{"output_config":{"effort":"low"},"thinking":{"type":"adaptive"}}"#,
            format!(
                r#"{{"model":"m",{claude},"effort":"low"}},"temperature":0,"max_tokens":16000,"thinking":{{"type":"adaptive"}}}}"#
            ),
        ),
        (
            Dialect::VertexAnthropic,
            unset,
            r#"{"metadata":{"user_id":"u1"}}"#,
            format!(
                r#"{{"anthropic_version":"vertex-2023-10-16",{claude}}},"max_tokens":16000,"metadata":{{"user_id":"u1"}}}}"#
            ),
        ),
        (
            Dialect::Bedrock,
            unset,
            r#"{"additionalModelRequestFields":{"top_k":7}}"#,
            format!(
                r#"{{"messages":{IN_PARTS},"outputConfig":{{"textFormat":{{"type":"json_schema","structure":{{"jsonSchema":{{"name":"score","schema":{quoted}}}}}}}}},"additionalModelRequestFields":{{"top_k":7}}}}"#
            ),
        ),
        (
            Dialect::Google,
            unset,
            r#"{"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]}"#,
            format!(
                r#"{{{contents},"generationConfig":{{{gemini}}},"safetySettings":[{{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}}]}}"#
            ),
        ),
        (
            Dialect::Google,
            |options| options.temperature = Some("0".to_owned()),
            r#"{"generationConfig":{"seed":7,"thinkingConfig":{"thinkingBudget":0}}}"#,
            format!(
                r#"{{{contents},"generationConfig":{{{gemini},"temperature":0,"seed":7,"thinkingConfig":{{"thinkingBudget":0}}}}}}"#
            ),
        ),
        (
            Dialect::Ollama,
            unset,
            r#"{"keep_alive":"5m"}"#,
            format!(
                r#"{{"model":"m","messages":{USER},"stream":false,"format":{SCHEMA},"keep_alive":"5m"}}"#
            ),
        ),
        (
            Dialect::Ollama,
            |options| options.temperature = Some("0.2".to_owned()),
            r#"{"options":{"num_ctx":8192}}"#,
            format!(
                r#"{{"model":"m","messages":{USER},"stream":false,"format":{SCHEMA},"options":{{"temperature":0.2,"num_ctx":8192}}}}"#
            ),
        ),
        // The context that the caller set replaces the one that would fit.
        (
            Dialect::Ollama,
            |options| options.max_tokens = Some(8000),
            r#"{"options":{"num_ctx":65536}}"#,
            format!(
                r#"{{"model":"m","messages":{USER},"stream":false,"format":{SCHEMA},"options":{{"num_predict":8000,"num_ctx":65536}}}}"#
            ),
        ),
        // The caller's format replaces ours.
        (
            Dialect::OpenAi,
            unset,
            r#"{"response_format":{"type":"text"}}"#,
            format!(r#"{{"model":"m","messages":{USER},"response_format":{{"type":"text"}}}}"#),
        ),
    ] {
        let provider = provider(
            |options, at| {
                at.dialect = dialect;
                at.params = Some(params.to_owned());
                change(options);
            },
            Script::new([answer(400, "")]),
        );
        hello(&provider).unwrap_err();
        assert_eq!(bodies(&provider), [expected], "{dialect:?}");
    }
}

#[test]
fn reports_usage_with_the_length_of_the_request() {
    let provider = provider(|_, _| {}, Script::new([answer(200, HELLO)]));
    hello(&provider).unwrap();
    let length = bodies(&provider)[0].len();
    let used = provider.transport().used.borrow();
    assert_eq!(used.len(), 1);
    assert_eq!((used[0].0, used[0].1.input_tokens, used[0].1.output_tokens), (length, 9, 3));
}
