//! Which requests are sent again, and after which pause.

use super::HttpResponse;
use super::dialect::retry_delay;
use crate::json;
use crate::text::{find, split_once};

/// The pause before the first retry; it doubles from one to the next.
const FIRST_PAUSE_MS: u32 = 500;
/// The longest pause, unless the server asks for a longer one.
const MAX_PAUSE_MS: u32 = 8_000;

/// Whether another attempt may succeed. OpenAI and Anthropic say so in `x-should-retry`; Groq has an error for an answer
/// that does not fit the schema.
pub fn is_retryable(response: &HttpResponse) -> bool {
    match response.header("x-should-retry") {
        Some("true") => true,
        Some("false") => false,
        _ => match response.status {
            400 if find(&response.body, "json_validate_failed").is_some() => true,
            // A timeout, a conflict, or a failure of the server.
            408 | 409 | 500..=599 => true,
            _ => is_throttled(response),
        },
    }
}

/// Whether the request exceeded a rate limit. Amazon names errors in a header, with any status.
pub fn is_throttled(response: &HttpResponse) -> bool {
    let kind = response.header("x-amzn-errortype");
    response.status == 429 || kind.is_some_and(|kind| kind.starts_with("Throttling"))
}

/// The pause before retry number `retry`, counted from 1, after this response.
pub fn pause_ms(retry: u32, response: Option<&HttpResponse>, now_ms: f64, random: f64) -> f64 {
    let header = |name| response?.header(name);
    let delay = || Some(number(retry_delay(&json::parse(&response?.body).ok()?)?)? * 1000.0);
    let of_server = server_pause_ms(header("retry-after-ms"), header("retry-after"), now_ms).or_else(delay);
    of_server.unwrap_or_else(|| own_pause_ms(retry, random))
}

/// The pause before retry number `retry` of a request that the engine does not send, with these headers of the response.
pub fn pause_after(
    retry: u32,
    retry_after_ms: Option<&str>,
    retry_after: Option<&str>,
    now_ms: f64,
    random: f64,
) -> f64 {
    server_pause_ms(retry_after_ms, retry_after, now_ms).unwrap_or_else(|| own_pause_ms(retry, random))
}

/// Doubles with each retry. The jitter spreads clients that failed together.
fn own_pause_ms(retry: u32, random: f64) -> f64 {
    let doubled = FIRST_PAUSE_MS.saturating_mul(2_u32.saturating_pow(retry.saturating_sub(1)));
    f64::from(doubled.min(MAX_PAUSE_MS)) * (1.0 - random / 4.0)
}

/// The pause that the server requests: `retry-after-ms`, which OpenAI and Azure send, or `Retry-After`, which is a number
/// of seconds or a date. A date in the past says nothing: the two clocks differ.
fn server_pause_ms(retry_after_ms: Option<&str>, retry_after: Option<&str>, now_ms: f64) -> Option<f64> {
    let after = |text: &str| {
        let seconds = number(text.trim()).map(|seconds| seconds * 1000.0);
        let until = || Some(http_date_ms(text.trim())? - now_ms).filter(|pause_ms| *pause_ms > 0.0);
        seconds.or_else(until)
    };
    retry_after_ms.and_then(|text| number(text.trim())).or_else(|| retry_after.and_then(after))
}

/// Reads a number of at most nine digits; a fraction is rounded up.
#[inline(never)]
fn number(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').map_or((text, 0), |(whole, _)| (whole, 1));
    if whole.len() > 9 || whole.starts_with('+') {
        return None;
    }
    whole.parse::<u32>().ok().map(|whole| f64::from(whole) + f64::from(fraction))
}

/// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that servers may send (RFC 9110, 5.6.7), as milliseconds since
/// 1970.
fn http_date_ms(text: &str) -> Option<f64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_weekday, date) = split_once(text, ", ")?;
    let mut fields = date.strip_suffix(" GMT")?.split([' ', ':']);
    let number = |text: Option<&str>| number(text?).map(|number| number as i64);
    let day = number(fields.next())?;
    let name = fields.next()?;
    let month = i64::try_from(MONTHS.iter().position(|month| *month == name)?).ok()?;
    let year = number(fields.next())?;
    let (hour, minute, second) = (number(fields.next())?, number(fields.next())?, number(fields.next())?);
    // Years that begin in March end with the leap day, which makes the days before a month a linear formula.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) as f64 * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read() {
        let seconds = |text| http_date_ms(text).map(|ms| ms / 1000.0);
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0.0));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777.0));
        assert_eq!(seconds("Thu, 29 Feb 2024 23:59:59 GMT"), Some(1_709_251_199.0));
        assert_eq!(seconds("Fri, 01 Mar 2024 00:00:00 GMT"), Some(1_709_251_200.0));
        assert_eq!(seconds("Tue, 31 Dec 2099 00:00:00 GMT"), Some(4_102_358_400.0));
        for text in
            ["", "soon", "Sun, 06 Nov 1994", "Sun, 06 anF 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT"]
        {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    fn with(status: u16, headers: &[(&'static str, &str)]) -> HttpResponse {
        let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        HttpResponse { status, headers, ..HttpResponse::default() }
    }

    #[test]
    fn the_server_says_how_long() {
        let now = 784_111_777_000.0;
        let pause = |headers: &[(&'static str, &str)]| pause_ms(1, Some(&with(429, headers)), now, 0.0);
        assert_eq!(pause(&[("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT")]), 10_000.0);
        assert_eq!(pause(&[("retry-after", "2"), ("retry-after-ms", "1250.25")]), 1_251.0);
        assert_eq!(pause(&[("retry-after", "2"), ("retry-after-ms", "soon")]), 2_000.0);
    }

    /// `tests/providers/retries.test.ts` reads the same cases.
    #[test]
    fn the_header_is_read_as_by_the_package() {
        #[derive(serde::Deserialize)]
        struct Case {
            header: String,
            seconds: Option<u32>,
        }
        let cases = include_str!("../../tests/providers/retry-after.json");
        for Case { header, seconds } in json::read::<Vec<Case>>(cases).unwrap() {
            let expected = seconds.map(|seconds| f64::from(seconds) * 1_000.0);
            assert_eq!(server_pause_ms(None, Some(&header), 784_111_777_000.0), expected, "{header}");
        }
    }

    #[test]
    fn gemini_says_so_in_the_body() {
        let body = r#"{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36.2s"}]}}"#;
        let response = HttpResponse { status: 429, body: body.to_owned(), ..HttpResponse::default() };
        assert_eq!(pause_ms(1, Some(&response), 0.0, 0.0), 37_000.0);
    }

    #[test]
    fn otherwise_pauses_double_with_jitter_up_to_a_limit() {
        let pauses = |random| [1, 2, 3, 5, 6, u32::MAX].map(|retry| pause_ms(retry, None, 0.0, random));
        assert_eq!(pauses(0.0), [500.0, 1_000.0, 2_000.0, 8_000.0, 8_000.0, 8_000.0]);
        assert_eq!(pauses(0.8), [400.0, 800.0, 1_600.0, 6_400.0, 6_400.0, 6_400.0]);
    }

    #[test]
    fn requests_of_clients_have_the_same_pauses() {
        let after = |retry, asked| pause_after(retry, None, asked, 0.0, 0.0);
        assert_eq!(after(1, None), 500.0);
        assert_eq!(after(2, Some("later")), 1_000.0);
        assert_eq!(after(2, Some("3")), 3_000.0);
        assert_eq!(pause_after(2, Some("250"), Some("3"), 0.0, 0.0), 250.0);
    }

    #[test]
    fn retries_only_retryable_failures() {
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            assert!(is_retryable(&with(status, &[])), "{status}");
            assert!(!is_retryable(&with(status, &[("x-should-retry", "false")])), "{status}");
        }
        for status in [301, 400, 401, 403, 404, 413, 422] {
            assert!(!is_retryable(&with(status, &[])), "{status}");
            assert!(is_retryable(&with(status, &[("x-should-retry", "true")])), "{status}");
        }
    }
}
