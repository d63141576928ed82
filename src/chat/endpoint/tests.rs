use super::*;
use crate::chat::Secrets;
use crate::chat::testing::{Script, Sent, answer, endpoint};
use crate::executor::ready;

const KEY: &str = "sk-1234567890";

/// Asks, and returns the number of requests.
fn ask(endpoint: &Endpoint<Script>) -> (Result<HttpResponse>, u32) {
    let mut progress = endpoint.begin();
    let result = ready(endpoint.post("{}", &mut progress)).unwrap();
    (result, progress.attempts)
}

fn refusal(endpoint: &Endpoint<Script>) -> Error {
    ask(endpoint).0.unwrap_err()
}

fn at(change: impl FnOnce(&mut EndpointConfig), transport: Script) -> Endpoint<Script> {
    let mut options = endpoint(Dialect::OpenAi);
    change(&mut options);
    Endpoint { config: options, transport }
}

#[test]
fn sends_the_given_request() {
    let given = [("authorization".to_owned(), "Bearer x".to_owned())];
    let endpoint = at(|options| options.headers = given.to_vec(), Script::new([answer(200, "[1]")]));
    assert_eq!(ask(&endpoint).0.unwrap().body, "[1]");
    let Sent { url, headers, body } = endpoint.transport.requests.borrow().first().cloned().unwrap();
    assert_eq!((url.as_str(), body.as_str()), ("https://api.test/v1/chat/completions", "{}"));
    assert_eq!(headers, given);
}

#[test]
fn retries_retryable_failures() {
    let busy = |after: &str| {
        let headers = vec![("retry-after", after.to_owned())];
        Ok(HttpResponse { status: 429, headers, ..HttpResponse::default() })
    };
    let failures = [busy("3"), answer(503, ""), Err(Failure::Network("reset".to_owned())), answer(200, "{}")];
    let endpoint = at(|options| options.max_retries = 3, Script::new(failures));
    assert_eq!(ask(&endpoint).1, 4);
    // Script::random is 0: no jitter.
    assert_eq!(*endpoint.transport.pauses.borrow(), [3_000.0, 1_000.0, 2_000.0]);
}

#[test]
fn reports_the_last_failure() {
    let with = |failure: fn() -> Result<HttpResponse, Failure>, max_retries| {
        let script = Script::new(std::iter::repeat_with(failure).take(9));
        let endpoint = at(|options| options.max_retries = max_retries, script);
        let error = refusal(&endpoint);
        assert_eq!(error.attempts, Some(max_retries + 1));
        assert_eq!(endpoint.transport.requests.borrow().len() as u32, max_retries + 1);
        (error.code, error.status, error.message.clone())
    };
    let url = "https://api.test/v1/chat/completions";
    assert_eq!(
        with(|| answer(429, r#"{"error":{"message":"Slow down."}}"#), 2),
        (
            Code::RateLimited,
            Some(429),
            format!(
                "{url} answered with HTTP status 429: Slow down. Set requestsPerMinute, lower maxConcurrency, or raise maxRetries. (3 attempts)"
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
fn does_not_retry_other_failures() {
    let cases = [
        (400, r#"{"error":"bad\n  format"}"#, "status 400: bad format."),
        (401, r#"{"message":"Who are you?"}"#, "status 401: Who are you?. Check the key."),
        (404, "404 page not found", "status 404: 404 page not found. Check baseURL"),
    ];
    for (status, body, expected) in cases {
        let error = refusal(&at(|_| {}, Script::new([answer(status, body)])));
        assert_eq!((error.code, error.status, error.attempts), (Code::ProviderError, Some(status), Some(1)));
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

#[test]
fn time_covers_all_attempts_and_pauses() {
    // 400 + 500 (pause) + 400 leave no time for a pause of 1,000 and another attempt.
    let with = |script| {
        let endpoint = at(
            |options| {
                options.max_retries = 5;
                options.timeout_ms = 2_000;
            },
            script,
        );
        refusal(&endpoint)
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
        let error = refusal(&at(|_| {}, script));
        assert_eq!(error.code, Code::Aborted);
        error.attempts
    };
    assert_eq!(attempts(0.0, 0.0), Some(0));
    assert_eq!(attempts(100.0, 200.0), Some(1));
    assert_eq!(attempts(300.0, 200.0), Some(1));
}

#[test]
fn messages_have_no_secrets() {
    let echo = format!(r#"{{"error":{{"message":"{}{KEY} and tok-abcdefgh are wrong"}}}}"#, "x".repeat(290));
    for failure in [answer(401, &echo), Err(Failure::Network(format!("bad header {KEY}")))] {
        let endpoint = at(
            |options| {
                options.max_retries = 0;
                options.secrets = vec![KEY.to_owned(), "tok-abcdefgh".to_owned()];
            },
            Script::new([failure]),
        );
        let message = refusal(&endpoint).message.clone();
        assert!(message.contains("[redacted]") || message.contains("[redac"), "{message}");
        assert!(!message.contains("sk-1") && !message.contains("tok-"), "{message}");
    }
}

#[test]
fn messages_have_no_rest_of_a_secret_in_a_cut_answer() {
    let message_of = |text: &str| {
        let options = |options: &mut EndpointConfig| options.secrets = vec![KEY.to_owned()];
        refusal(&at(options, Script::new([answer(400, text)]))).message.clone()
    };
    let url = "https://api.test/v1/chat/completions";
    for end in 8..=KEY.len() {
        let expected = format!("{url} answered with HTTP status 400: No, [redacted].");
        assert_eq!(message_of(&format!("No, {}", KEY.get(..end).unwrap())), expected);
    }
    // A short text reveals nothing, and may be something else.
    assert_eq!(message_of("See sk-1234"), format!("{url} answered with HTTP status 400: See sk-1234."));
}

#[test]
fn too_long_an_answer_is_an_error_at_once() {
    let with = |length: usize| {
        let script = Script::new([answer(200, &"x".repeat(length)), answer(200, "{}")]);
        ask(&at(|options| options.max_response_bytes = 10, script))
    };
    assert_eq!(with(10).0.unwrap().body.len(), 10);
    let (result, attempts) = with(11);
    let error = result.unwrap_err();
    assert_eq!((error.code, error.status, attempts), (Code::ProviderError, Some(200), 1));
    let expected =
        "https://api.test/v1/chat/completions answered with more than 10 bytes (maxResponseBytes).";
    assert_eq!(error.message, expected);
}

#[test]
fn messages_have_no_query_of_the_address() {
    let endpoint = at(
        |options| options.url = "https://api.test/v1/chat?code=c0de-secret".to_owned(),
        Script::new([answer(400, "")]),
    );
    assert_eq!(refusal(&endpoint).message, "https://api.test/v1/chat answered with HTTP status 400.");
}

#[test]
fn the_server_may_say_whether_to_try_again_and_who_asked() {
    let with_header = |status, header: (&'static str, &str)| {
        let headers = vec![(header.0, header.1.to_owned()), ("request-id", "req_1".to_owned())];
        Ok(HttpResponse { status, headers, ..HttpResponse::default() })
    };
    let endpoint = at(|_| {}, Script::new([with_header(503, ("x-should-retry", "false"))]));
    let error = refusal(&endpoint);
    assert_eq!((error.attempts, error.request_id.as_deref()), (Some(1), Some("req_1")));
    let endpoint = at(|_| {}, Script::new([with_header(400, ("x-should-retry", "true")), answer(200, "")]));
    assert_eq!(ask(&endpoint).1, 2);
}

#[test]
fn a_key_is_asked_for_once_and_is_a_secret_then() {
    let secrets = Secrets { secrets: vec!["tok-1234567890".to_owned()], private: vec!["ollama".to_owned()] };
    let body = r#"{"message":"tok-1234567890 is no ollama"}"#;
    let script = Script::new([answer(503, ""), answer(401, body)]).with_key(Ok(secrets));
    let endpoint = at(|_| (), script);
    let error = refusal(&endpoint);
    assert!(error.message.contains("[redacted] is no [redacted]"), "{}", error.message);
    assert_eq!(endpoint.transport.keys.get(), 1);
    let completion = Completion { text: "tok-1234567890, ollama".to_owned(), ..Completion::default() };
    assert_eq!(endpoint.without_secrets(completion, None).text, "[redacted], ollama");
}

#[test]
fn without_a_key_nothing_is_sent() {
    for (no_key, code, said) in [
        (NoKey::Failed("closed".to_owned()), Code::CallbackFailed, "There is no key for https://api.test"),
        (NoKey::Timeout, Code::Timeout, "none arrived within 60000 ms (timeoutMs)"),
        (NoKey::Aborted, Code::Aborted, "aborted"),
    ] {
        let endpoint = at(|_| (), Script::new([]).with_key(Err(no_key)).admitted_after(10.0));
        let error = refusal(&endpoint);
        // It took no place of the rate limits.
        assert_eq!(endpoint.transport.now(), 0.0);
        assert_eq!((error.code, error.attempts), (code, Some(0)));
        assert!(error.message.contains(said), "{}", error.message);
    }
}

#[test]
fn amazon_names_its_errors_in_a_header() {
    let throttled = || {
        let headers = vec![
            ("x-amzn-errortype", "ThrottlingException:http://a".to_owned()),
            ("x-amzn-requestid", "r-1".to_owned()),
            ("retry-after", "0".to_owned()),
        ];
        Ok(HttpResponse { status: 400, headers, body: r#"{"Message":"Slow down"}"#.to_owned() })
    };
    let error = refusal(&at(|_| (), Script::new([throttled(), throttled(), throttled()])));
    assert_eq!((error.code, error.status, error.attempts), (Code::RateLimited, Some(400), Some(3)));
    assert_eq!(error.request_id.as_deref(), Some("r-1"));
    assert!(error.message.contains("Slow down"), "{}", error.message);
}

#[test]
fn waiting_for_a_turn_takes_none_of_the_time() {
    let failures = [answer(503, ""), answer(503, ""), answer(200, "{}")];
    let script = Script::new(failures).slowly(900.0).admitted_after(100_000.0);
    let endpoint = at(|options| options.timeout_ms = 5_000, script);
    let (result, attempts) = ask(&endpoint);
    assert!(result.is_ok());
    assert_eq!(attempts, 3);
}
