use super::*;
use crate::chat::testing::{Script, Sent, answer, options};
use crate::chat::{Finish, Message, OutputSchema, Role, Usage};
use crate::ready;
use serde_json::{Value, json};

const KEY: &str = "sk-1234567890";
const HELLO: &str = r#"{"model":"gpt-5.4-1","choices":[{"message":{"content":"Hello","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}"#;

fn ask(provider: &Provider<Script>) -> Result<Completion> {
    let messages = [Message::new(Role::System, "Be kind."), Message::new(Role::User, "Hi")];
    ready(provider.complete(&ChatRequest { messages: &messages, schema: None })).unwrap()
}

fn provider(change: impl FnOnce(&mut ProviderOptions), script: Script) -> Provider<Script> {
    let mut options = options(Dialect::OpenAi);
    change(&mut options);
    Provider::new(options, script)
}

#[test]
fn openai_is_asked_in_its_own_form() {
    let provider = provider(
        |options| {
            options.api_key = Some(KEY.to_owned());
            options.headers = vec![("x-team".to_owned(), "evals".to_owned())];
            options.temperature = Some("0".to_owned());
            options.max_tokens = Some(50);
            options.params = Some(json::parse(r#"{"seed":7,"temperature":0.5}"#).unwrap());
        },
        Script::new([answer(200, HELLO)]),
    );
    let schema = OutputSchema {
        name: "score".to_owned(),
        schema: r#"{"type":"object","b":1,"a":2}"#.to_owned(),
        strict: true,
    };
    let messages = [Message::new(Role::User, "Hi \"you\"")];
    let request = ChatRequest { messages: &messages, schema: Some(&schema) };
    let completion = ready(provider.complete(&request)).unwrap().unwrap();
    assert_eq!(
        completion,
        Completion {
            text: "Hello".to_owned(),
            finish: Finish::Complete,
            model: Some("gpt-5.4-1".to_owned()),
            usage: Some(Usage { input_tokens: 9, output_tokens: 3 }),
            attempts: 1,
        }
    );
    let Sent { url, headers, body } = provider.transport.requests.borrow().first().cloned().unwrap();
    assert_eq!(url, "https://api.test/v1/chat/completions");
    assert_eq!(
        headers,
        [
            ("content-type".to_owned(), "application/json".to_owned()),
            ("authorization".to_owned(), format!("Bearer {KEY}")),
            ("x-team".to_owned(), "evals".to_owned())
        ]
    );
    assert_eq!(
        body,
        r#"{"model":"m","messages":[{"role":"user","content":"Hi \"you\""}],"response_format":{"type":"json_schema","json_schema":{"name":"score","strict":true,"schema":{"type":"object","b":1,"a":2}}},"temperature":0.5,"max_completion_tokens":50,"seed":7}"#
    );
}

#[test]
fn ollama_and_compatible_servers_are_asked_in_theirs() {
    let body = |dialect, answered| {
        let script = Script::new([answer(200, answered)]);
        let provider = provider(
            |options| {
                options.dialect = dialect;
                options.max_tokens = Some(50);
            },
            script,
        );
        let text = ask(&provider).unwrap().text;
        let Sent { url, body, .. } = provider.transport.requests.borrow().first().cloned().unwrap();
        (text, url, serde_json::from_str::<Value>(&body).unwrap())
    };
    let messages = json!([{ "role": "system", "content": "Be kind." }, { "role": "user", "content": "Hi" }]);
    let ollama = r#"{"model":"l","message":{"role":"assistant","content":"Hey"},"done_reason":"stop"}"#;
    assert_eq!(
        body(Dialect::Ollama, ollama),
        (
            "Hey".to_owned(),
            "https://api.test/v1/api/chat".to_owned(),
            json!({ "model": "m", "messages": messages, "stream": false, "options": { "num_predict": 50 } })
        )
    );
    assert_eq!(
        body(Dialect::OpenAiCompatible, HELLO).2,
        json!({ "model": "m", "messages": messages, "max_tokens": 50 })
    );
}

#[test]
fn why_an_answer_ended_is_told() {
    let finish = |dialect, body: &str| {
        ask(&provider(|options| options.dialect = dialect, Script::new([answer(200, body)]))).unwrap().finish
    };
    let openai = |message: &str, reason: &str| {
        finish(
            Dialect::OpenAi,
            &format!(r#"{{"choices":[{{"message":{message},"finish_reason":"{reason}"}}]}}"#),
        )
    };
    assert_eq!(openai(r#"{"content":"x"}"#, "length"), Finish::Truncated);
    assert_eq!(openai(r#"{"content":null,"refusal":"No."}"#, "stop"), Finish::Refused("No.".to_owned()));
    let filtered = Finish::Refused("content_filter".to_owned());
    assert_eq!(openai(r#"{"content":""}"#, "content_filter"), filtered);
    let ollama = r#"{"message":{"content":"x"},"done_reason":"length"}"#;
    assert_eq!(finish(Dialect::Ollama, ollama), Finish::Truncated);
}

#[test]
fn headers_of_the_caller_win() {
    let own = ("authorization".to_owned(), "Basic abc".to_owned());
    let provider = provider(
        |options| {
            options.api_key = Some(KEY.to_owned());
            options.headers = vec![own.clone()];
        },
        Script::new([answer(200, HELLO)]),
    );
    ask(&provider).unwrap();
    let Sent { headers, .. } = provider.transport.requests.borrow().first().cloned().unwrap();
    assert_eq!(headers.into_iter().filter(|(name, _)| name == "authorization").collect::<Vec<_>>(), [own]);
}

#[test]
fn what_may_pass_is_tried_again() {
    let busy = |after: &str| {
        Ok(HttpResponse { status: 429, retry_after: Some(after.to_owned()), ..HttpResponse::default() })
    };
    let failures =
        [busy("3"), answer(503, ""), Err(Failure::Network("reset".to_owned())), answer(200, HELLO)];
    let provider = provider(|options| options.max_retries = 3, Script::new(failures));
    assert_eq!(ask(&provider).unwrap().attempts, 4);
    // Script::random is 0: no jitter.
    assert_eq!(*provider.transport.pauses.borrow(), [3_000.0, 1_000.0, 2_000.0]);
}

#[test]
fn and_in_the_end_the_last_failure_is_told() {
    let with = |failure: fn() -> Result<HttpResponse, Failure>, max_retries| {
        let script = Script::new(std::iter::repeat_with(failure).take(9));
        let provider = provider(|options| options.max_retries = max_retries, script);
        let error = ask(&provider).unwrap_err();
        assert_eq!(error.attempts, Some(max_retries + 1));
        assert_eq!(provider.transport.requests.borrow().len() as u32, max_retries + 1);
        (error.code, error.status, error.message)
    };
    let url = "https://api.test/v1/chat/completions";
    assert_eq!(
        with(|| answer(429, r#"{"error":{"message":"Slow down."}}"#), 2),
        (
            Code::RateLimited,
            Some(429),
            format!(
                "{url} answered with HTTP status 429: Slow down. Ask less at a time, or raise maxRetries. (3 attempts)"
            )
        )
    );
    assert_eq!(
        with(|| answer(500, ""), 0),
        (Code::ProviderError, Some(500), format!("{url} answered with HTTP status 500."))
    );
    assert_eq!(
        with(|| Err(Failure::Network("connection refused".to_owned())), 1),
        (Code::ProviderError, None, format!("The request to {url} failed: connection refused. (2 attempts)"))
    );
}

#[test]
fn what_cannot_pass_is_not_tried_again() {
    let cases = [
        (400, r#"{"error":"bad\n  format"}"#, "status 400: bad format."),
        (401, r#"{"message":"Who are you?"}"#, "status 401: Who are you?. Check the key."),
        (404, "404 page not found", "status 404: 404 page not found. Check baseURL"),
        (
            200,
            "<!doctype html><title>Sign in</title>",
            "no completion: <!doctype html><title>Sign in</title>. Check",
        ),
        (200, r#"{"hello":"world"}"#, r#"no completion: {"hello":"world"}."#),
        (200, r#"{"error":{"message":"No credit"}}"#, "no completion: No credit."),
    ];
    for (status, body, expected) in cases {
        let provider = provider(|_| {}, Script::new([answer(status, body)]));
        let error = ask(&provider).unwrap_err();
        assert_eq!((error.code, error.status, error.attempts), (Code::ProviderError, Some(status), Some(1)));
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

#[test]
fn time_covers_all_attempts_and_pauses() {
    // 400 + 500 (pause) + 400 leave no time for a pause of 1,000 and another attempt.
    let with = |script| {
        let provider = provider(
            |options| {
                options.max_retries = 5;
                options.timeout_ms = 2_000;
            },
            script,
        );
        ask(&provider).unwrap_err()
    };
    let error = with(Script::failing(503).slowly(400.0));
    assert_eq!((error.code, error.attempts), (Code::ProviderError, Some(2)));
    assert!(error.message.contains("Another attempt in 1 s would be past timeoutMs."), "{}", error.message);

    let error = with(Script::failing(503).slowly(1_200.0));
    assert_eq!((error.code, error.attempts), (Code::Timeout, Some(2)));
    assert!(error.message.contains("did not answer within 2000 ms"), "{}", error.message);
}

#[test]
fn giving_up_ends_it_before_during_and_between_requests() {
    let attempts = |aborted_after_ms, ms_per_request| {
        let script = Script::failing(503).slowly(ms_per_request).aborted_after(aborted_after_ms);
        let error = ask(&provider(|_| {}, script)).unwrap_err();
        assert_eq!(error.code, Code::Aborted);
        error.attempts
    };
    assert_eq!(attempts(0.0, 0.0), Some(0));
    assert_eq!(attempts(100.0, 200.0), Some(1));
    assert_eq!(attempts(300.0, 200.0), Some(1));
}

#[test]
fn secrets_are_in_no_message() {
    let echo = format!(r#"{{"error":{{"message":"{}{KEY} and tok-abcdefgh are wrong"}}}}"#, "x".repeat(290));
    for failure in
        [answer(401, &echo), answer(200, &echo), Err(Failure::Network(format!("bad header {KEY}")))]
    {
        let provider = provider(
            |options| {
                options.max_retries = 0;
                options.api_key = Some(KEY.to_owned());
                options.headers = vec![("x-token".to_owned(), "Token tok-abcdefgh".to_owned())];
            },
            Script::new([failure]),
        );
        let message = ask(&provider).unwrap_err().message;
        assert!(message.contains("[redacted]") || message.contains("[redac"), "{message}");
        assert!(!message.contains("sk-1") && !message.contains("tok-"), "{message}");
    }
}
