use super::*;
use crate::chat::testing::{Script, Sent, answer, endpoint, options};
use crate::chat::{Dialect, EndpointConfig, Finish, OutputSchema, Usage};
use crate::error::Code;
use crate::executor::ready;

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
            logprobs: None,
            confidence: None,
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
        (r#"{"error":{"message":"No credit"}}"#, "answered with an error, and HTTP status 200: No credit."),
    ];
    for (body, expected) in cases {
        let error = hello(&provider(|_, _| {}, Script::new([answer(200, body)]))).unwrap_err();
        assert_eq!((error.code, error.status, error.attempts), (Code::ProviderError, Some(200), Some(1)));
        assert!(error.message.contains(expected), "{}", error.message);
    }
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
        let error = Error::new(Code::ProviderError, message).with(|error| error.status = Some(status));
        lacks_structure(&error)
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
    let refused =
        r#"{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model."}}"#;
    let script = Script::new([answer(400, refused), answer(200, HELLO), answer(200, HELLO)]);
    let provider = provider(|options, _| options.temperature = Some("0".to_owned()), script);
    assert_eq!(hello(&provider).unwrap().attempts, 2);
    assert_eq!(hello(&provider).unwrap().attempts, 1);
    assert!(provider.refuses_temperature());
    let with_temperature = |body: &String| body.contains("\"temperature\":0");
    assert_eq!(bodies(&provider).iter().map(with_temperature).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn an_error_about_temperature_without_one_is_an_error() {
    let script = Script::new([answer(400, "temperature is required")]);
    assert_eq!(hello(&provider(|_, _| {}, script)).unwrap_err().status, Some(400));
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
            r#"{{"status":"failed","error":{{"code":"{code}","message":"Sorry"}},"output":[],"choices":null}}"#
        )
    };
    let asked = |code: &str, retries| {
        let answers = [answer(200, &failed(code)), answer(200, &failed(code))];
        let change = |_: &mut ProviderConfig, at: &mut EndpointConfig| {
            at.dialect = Dialect::Responses;
            at.max_retries = retries;
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
        assert!(error.message.contains("Sorry"), "{}", error.message);
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
    assert_eq!(completion.unwrap().finish, Finish::Truncated);
    let (failed, _) = asked(20_000, answer(401, ""), &|_, _| {});
    assert_eq!(failed.unwrap_err().status, Some(401));

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
    for (status, body) in [
        (400, r#"{"error":{"message":"The prompt was filtered","code":"content_filter","status":400}}"#),
        (
            403,
            r#"{"error":{"message":"Flagged","code":403,"metadata":{"reasons":["harassment"],"flagged_input":"a"}}}"#,
        ),
        (200, r#"{"error":{"message":"Flagged","code":403,"metadata":{"flagged_input":"a"}}}"#),
    ] {
        let error = hello(&provider(|_, _| {}, Script::new([answer(status, body)]))).unwrap_err();
        assert_eq!(error.code, Code::Refused, "{body}");
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
        "A message holds an attachment of the kind audio, and test takes none. Leave it out, or ask a model of a provider that takes it."
    );
    let image = Part::Image("https://a.test/b.png".to_owned());
    assert!(
        problem(Dialect::Ollama, Some(&["image"]), image)
            .contains("takes none in this form. Pass the picture itself")
    );
    let table = Part::File { name: "a.csv".to_owned(), data: "data:text/csv;base64,AA==".to_owned() };
    assert!(problem(Dialect::Anthropic, None, table).contains("Pass a PDF"));
    let address = Part::File { name: "a.pdf".to_owned(), data: "https://a.test/a.pdf".to_owned() };
    assert!(problem(Dialect::OpenAi, None, address).contains("Pass a PDF as a data: URI"));
    let pdf = Part::File { name: "a.pdf".to_owned(), data: "data:application/pdf;base64,AA==".to_owned() };
    let message = problem(Dialect::Responses, Some(&["image", "link"]), pdf);
    assert!(message.contains("takes none in this form. Pass its address"), "{message}");
    assert!(problem(Dialect::Responses, Some(&["image", "link"]), audio()).contains("takes none."));
}

#[test]
fn params_are_merged_with_settings_of_the_same_object() {
    let sent = |dialect, params: &str| {
        let script = Script::new([answer(400, "")]);
        let provider = provider(
            |_, at| {
                at.dialect = dialect;
                at.params = Some(params.to_owned());
            },
            script,
        );
        hello(&provider).unwrap_err();
        bodies(&provider).remove(0)
    };
    let body =
        sent(Dialect::Anthropic, r#"{"output_config":{"effort":"low"},"thinking":{"type":"adaptive"}}"#);
    assert!(body.contains(r#""type":"json_schema""#) && body.contains(r#""effort":"low""#), "{body}");
    let body = sent(Dialect::Responses, r#"{"text":{"verbosity":"low"},"store":true}"#);
    assert!(body.contains(r#""type":"json_schema""#) && body.contains(r#""verbosity":"low""#), "{body}");
    assert!(body.contains(r#""store":true"#) && !body.contains(r#""store":false"#), "{body}");
    let body = sent(Dialect::Google, r#"{"generationConfig":{"seed":7}}"#);
    assert!(body.contains("responseJsonSchema") && body.contains(r#""seed":7"#), "{body}");
    // The caller's format replaces ours.
    let body = sent(Dialect::OpenAi, r#"{"response_format":{"type":"text"}}"#);
    assert!(body.ends_with(r#""response_format":{"type":"text"}}"#), "{body}");
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
