// Keys are ASCII.
#![allow(clippy::string_slice)]

use super::*;
use proptest::prelude::*;

fn redacted(text: &str, secret: &str) -> String {
    redact(text, &[secret.to_owned()])
}

#[test]
fn long_secrets_are_found_in_words_and_in_every_spelling() {
    let key = "sk-a/b+12\"34";
    for spelled in [
        key,
        r#"sk-a\/b+12\"34"#,
        r#"sk-a\\/b\\u002B12\\\"34"#,
        r#"\u0073k-a\u002fb\u002b12\u002234"#,
        "sk-a%2Fb%2b12%2234",
    ] {
        assert_eq!(redacted(&format!("x{spelled}x{spelled}"), key), "x[redacted]x[redacted]", "{spelled}");
    }
    assert_eq!(redacted(r"\sk-a\nsk-a/b+13", key), r"\sk-a\nsk-a/b+13");
    assert_eq!(redacted("see sk-a/b+1", key), "see [redacted]");
    assert_eq!(redacted("see sk-a/b+", key), "see sk-a/b+");
}

const KEY: &str = "sk-Proj_9f/X+2b7Qw=eR5tY8uZ1";

#[test]
fn servers_write_them_in_many_ways() {
    let html: String = KEY.chars().map(|char| format!("&#x{:X};", u32::from(char))).collect();
    let decimal: String = KEY.chars().map(|char| format!("&#{:03};", u32::from(char))).collect();
    let named =
        KEY.replace('/', "&sol;").replace('+', "&plus;").replace('=', "&equals;").replace('_', "&lowbar;");
    let wrapped = |line: &str| format!("{}{line}{}", &KEY[..11], &KEY[11..]);
    for spelled in [
        KEY.replace('/', "&#x2F;"),
        KEY.replace('/', "&#47;").replace('+', "&#0043;"),
        KEY.replace('/', "&amp;#x2f;"),
        KEY.replace('/', "%252F").replace('+', "%2b"),
        html,
        decimal,
        named,
        KEY.to_ascii_uppercase(),
        KEY.to_ascii_lowercase(),
        KEY.to_ascii_uppercase().replace('/', "&#X2F;"),
        wrapped("\n"),
        wrapped("\r\n    "),
        wrapped("\\n"),
        wrapped("\\\\r\\\\n\\t"),
        wrapped("\\\n"),
        wrapped("&#10;"),
        wrapped("\u{200b}"),
        KEY.chars().map(|char| format!("{char}\n")).collect::<String>().trim_end().to_owned(),
    ] {
        assert_eq!(redacted(&format!("<b>{spelled}</b>"), KEY), "<b>[redacted]</b>", "{spelled}");
    }
}

#[test]
fn servers_cut_them() {
    for (from, to) in [(0, 25), (3, 28), (0, 14), (14, 28), (7, 21), (0, 28)] {
        let piece = &KEY[from..to];
        assert_eq!(redacted(&format!("key: {piece}… no"), KEY), "key: [redacted]… no", "{piece}");
        let upper = piece.to_ascii_uppercase();
        assert_eq!(redacted(&format!("'{upper}'"), KEY), "'[redacted]'");
    }
    assert_eq!(redacted(&format!("{0} {0}{0}", KEY), KEY), "[redacted] [redacted][redacted]");
    // Short parts stay, so that a reader can identify the key.
    for shown in [&KEY[..13], &KEY[15..], "sk-Proj_9f*******Z1"] {
        assert_eq!(redacted(&format!("{shown} is wrong"), KEY), format!("{shown} is wrong"));
    }
    let long = format!("sk-ant-api03-{}", "aB3dE5gH7j".repeat(9));
    let text = "Keys begin with sk-ant-api03- and are long";
    assert_eq!(redacted(text, &long), text);
    assert_eq!(redacted(&long[..40], &long), "[redacted]");
}

#[test]
fn ordinary_text_is_left_alone() {
    let text = include_str!("../../../README.md");
    for secret in [KEY, "correct-horse-battery-staple", "hunter2hunter2", "0123456789abcdef0123456789abcdef"]
    {
        assert_eq!(redacted(text, secret), text);
    }
    for text in
        ["100% &amp; more &lt;b&gt; \\u00e9 %20 &nosuch; &#xFFFFFFFF; %zz \\", "&", "%", "%2", "\\u12", "&#;"]
    {
        assert_eq!(redacted(text, KEY), text);
    }
}

#[test]
fn short_ones_are_words() {
    let key = "abc12";
    assert_eq!(
        redacted("abc12 xabc12 abc123 (abc12), ^abc12", key),
        "[redacted] xabc12 abc123 ([redacted]), ^[redacted]"
    );
    assert_eq!(
        redacted(r#""a\nabc12\u000aabc12\\tabc12""#, key),
        r#""a\n[redacted]\u000a[redacted]\\t[redacted]""#
    );
    assert_eq!(redacted("abc1", key), "abc1");
    assert_eq!(redacted("a", ""), "a");
}

proptest! {
    #[test]
    fn every_piece_of_half_a_key_is_found(
        key in "[a-zA-Z0-9_/+=-]{24,60}", from in 0..12_usize, more in 0..20_usize, before in "[ .:<\"é]{0,9}",
    ) {
        let to = (from + (key.len() / 2).clamp(12, 20) + more).min(key.len());
        let clean = redacted(&format!("{before}{}", &key[from.min(to)..to]), &key);
        prop_assert!(to - from < (key.len() / 2).clamp(12, 20) || clean.ends_with("[redacted]"), "{}", clean);
    }

    #[test]
    fn nothing_is_left_and_nothing_else_is_lost(before in "[ab\\\\%u0é]{0,9}", after in "[xy\\\\%u0é]{0,9}") {
        let key = "key-of-mine";
        prop_assert_eq!(redacted(&format!("{before}{key}{after}"), key), format!("{}[redacted]{after}", before.trim_end_matches('\\')));
        prop_assert_eq!(redacted(&before, key), before);
    }
}
