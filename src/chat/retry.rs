//! When to try again, and how long to wait before.

use super::HttpResponse;
use super::dialect::retry_delay;
use crate::json;
use crate::text::{find, split_once};

/// The pause before the first retry; it doubles from one to the next.
const FIRST_PAUSE_MS: u32 = 500;
/// How many more attempts are made after the first where nobody says how many.
const MAX_RETRIES: u32 = 2;
/// No pause of our own is longer.
const LONGEST_PAUSE_MS: u32 = 8_000;

/// What OpenAI has two limits of: how much of each is left, and when it is all there again.
const RATE_LIMITS: [(&str, &str); 2] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
];

/// Whether another attempt may fare better: the server says so in `x-should-retry`, as OpenAI's and Anthropic's do, or
/// it is busy, broken, or in conflict with another request. Groq has an error for a model that did not keep to the form.
pub fn may_pass(response: &HttpResponse) -> bool {
    match response.header("x-should-retry") {
        Some("true") => true,
        Some("false") => false,
        _ => match response.status {
            400 if find(&response.body, "json_validate_failed").is_some() => true,
            status => matches!(status, 408 | 409 | 500..=599) || is_throttled(response),
        },
    }
}

/// Whether the server has too much to do. Amazon's name errors in a header, whatever the status.
pub fn is_throttled(response: &HttpResponse) -> bool {
    let kind = response.header("x-amzn-errortype");
    response.status == 429 || kind.is_some_and(|kind| kind.starts_with("Throttling"))
}

/// How long to wait before retry number `retry`, counted from 1: what the server asks for, else exponentially longer,
/// with jitter so that clients that failed together do not come back together.
pub fn pause_ms(retry: u32, response: Option<&HttpResponse>, now_ms: f64, random: f64) -> f64 {
    let asked = response.and_then(|response| {
        asked_ms(|name| response.header(name), now_ms).or_else(|| {
            let answer = json::parse(&response.body).ok()?;
            Some(number(retry_delay(&answer)?)? * 1000.0)
        })
    });
    asked.unwrap_or_else(|| own_pause_ms(retry, random))
}

fn own_pause_ms(retry: u32, random: f64) -> f64 {
    let doubled = FIRST_PAUSE_MS.saturating_mul(2_u32.saturating_pow(retry.saturating_sub(1)));
    f64::from(doubled.min(LONGEST_PAUSE_MS)) * (1.0 - random / 4.0)
}

/// How long to wait after `attempts` attempts to ask a model that others reach, with `left_ms` left for all that follow;
/// `None` if that is too short, or there were enough of them. `header` gives those of the last answer.
pub fn pause_after<'h>(
    attempts: u32,
    left_ms: f64,
    header: impl Fn(&str) -> Option<&'h str>,
    now_ms: f64,
    random: f64,
) -> Option<f64> {
    let pause = asked_ms(header, now_ms).unwrap_or_else(|| own_pause_ms(attempts, random));
    (attempts <= MAX_RETRIES && pause < left_ms).then_some(pause)
}

/// Reads `retry-after-ms`, which OpenAI and Azure send, or `Retry-After`: seconds, or a date. A date that has passed
/// means now. Else OpenAI's `x-ratelimit-reset-…` of what is used up.
fn asked_ms<'h>(header: impl Fn(&str) -> Option<&'h str>, now_ms: f64) -> Option<f64> {
    let header = |name| header(name).map(str::trim);
    let after = |text| {
        let seconds = number(text).map(|seconds| seconds * 1000.0);
        seconds.or_else(|| http_date_ms(text).map(|date_ms| (date_ms - now_ms).max(0.0)))
    };
    let resets = || {
        let used_up = RATE_LIMITS.iter().filter(|(remaining, _)| header(remaining) == Some("0"));
        used_up.filter_map(|(_, reset)| duration_ms(header(reset)?)).reduce(f64::max)
    };
    let asked = header("retry-after-ms").and_then(number);
    asked.or_else(|| header("retry-after").and_then(after)).or_else(resets)
}

/// Reads a duration such as `6m0s`, `1.5s` or `120ms`.
fn duration_ms(mut text: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 4] = [("ms", 1.0), ("s", 1000.0), ("m", 60_000.0), ("h", 3_600_000.0)];
    let mut sum = None;
    while !text.is_empty() {
        let digits = text.bytes().position(|byte| byte != b'.' && !byte.is_ascii_digit())?;
        let (count, rest) = text.split_at_checked(digits)?;
        let (unit, ms) = UNITS.iter().find(|(unit, _)| rest.starts_with(unit))?;
        sum = Some(sum.unwrap_or(0.0) + number(count)? * ms);
        text = rest.strip_prefix(unit)?;
    }
    sum
}

/// Reads a number; a fraction is rounded up.
#[inline(never)]
fn number(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').map_or((text, 0), |(whole, _)| (whole, 1));
    whole.parse::<u32>().ok().map(|whole| f64::from(whole) + f64::from(fraction))
}

/// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may still send (RFC 9110, 5.6.7), as
/// milliseconds since 1970.
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
        let after = |text| pause(&[("retry-after", text)]);
        assert_eq!(after("0"), 0.0);
        assert_eq!(after(" 2 "), 2_000.0);
        assert_eq!(after("1.5"), 2_000.0);
        assert_eq!(after("Sun, 06 Nov 1994 08:49:47 GMT"), 10_000.0);
        assert_eq!(after("Sun, 06 Nov 1994 08:00:00 GMT"), 0.0);
        for nonsense in ["", "-3", "1e9", "99999999999", "later"] {
            assert_eq!(after(nonsense), 500.0);
        }
        assert_eq!(pause(&[("retry-after", "2"), ("retry-after-ms", "1250.25")]), 1_251.0);
        assert_eq!(pause(&[("retry-after", "2"), ("retry-after-ms", "soon")]), 2_000.0);
        let [requests, tokens] = RATE_LIMITS;
        let limits = [(requests.0, "0"), (requests.1, "1m0.5s"), (tokens.0, "12"), (tokens.1, "2h")];
        assert_eq!(pause(&limits), 61_000.0);
        assert_eq!(
            pause(&[(tokens.0, "0"), (tokens.1, "120ms"), (requests.0, "0"), (requests.1, "1")]),
            120.0
        );
        assert_eq!(pause(&[(tokens.0, "0"), (tokens.1, "soon")]), 500.0);
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
    fn attempts_elsewhere_are_made_by_the_same_rules() {
        let after = |attempts, left_ms, asked| {
            let header = move |name: &str| (name == "retry-after").then_some(asked);
            pause_after(attempts, left_ms, header, 0.0, 0.0)
        };
        assert_eq!(after(1, 60_000.0, ""), Some(500.0));
        assert_eq!(after(2, 60_000.0, "later"), Some(1_000.0));
        assert_eq!(after(2, 60_000.0, "3"), Some(3_000.0));
        assert_eq!(after(2, 3_000.0, "3"), None);
        assert_eq!(after(3, 60_000.0, "0"), None);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            assert!(may_pass(&with(status, &[])), "{status}");
            assert!(!may_pass(&with(status, &[("x-should-retry", "false")])), "{status}");
        }
        for status in [301, 400, 401, 403, 404, 413, 422] {
            assert!(!may_pass(&with(status, &[])), "{status}");
            assert!(may_pass(&with(status, &[("x-should-retry", "true")])), "{status}");
        }
    }
}
