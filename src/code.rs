//! Extracts code from the answers of models: the fenced blocks of their Markdown, by the rules of CommonMark.

/// Info strings of blocks that hold commands or data, which is not code to evaluate.
const EXCLUDED: [&str; 11] =
    ["bash", "sh", "shell", "zsh", "fish", "console", "terminal", "json", "jsonc", "json5", "jsonl"];

const BLANK: &[u8] = b" \t";

/// The code in all fenced blocks of a text, joined with an empty line; `None` if no block holds code.
///
/// A block without a closing fence ends with the text. Fences may have any indentation, since models put
/// blocks into lists; it is removed from their code.
pub fn from_markdown(text: &str) -> Option<String> {
    let mut code: Option<String> = None;
    let mut open: Option<Fence> = None;
    for line in text.split_inclusive('\n') {
        let Some(fence) = &open else {
            open = Fence::opened_by(line);
            if open.as_ref().is_some_and(|fence| fence.holds_code) {
                match &mut code {
                    Some(code) => code.push('\n'),
                    None => code = Some(String::new()),
                }
            }
            continue;
        };
        let indent = line.len() - skip(line, BLANK).len();
        if fence.is_closed_by(line, indent) {
            open = None;
        } else if let (true, Some(code)) = (fence.holds_code, &mut code) {
            code.push_str(line.get(fence.indent.min(indent)..).unwrap_or_default());
        }
    }
    code
}

/// The text without its leading ASCII characters of a kind.
fn skip<'t>(text: &'t str, kind: &[u8]) -> &'t str {
    let end = text.bytes().position(|byte| !kind.contains(&byte)).unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

/// The line that opens a block.
pub(crate) struct Fence {
    marker: u8,
    length: usize,
    indent: usize,
    holds_code: bool,
}

impl Fence {
    pub(crate) fn opened_by(line: &str) -> Option<Self> {
        let text = without_list_markers(line);
        let marker = *text.as_bytes().first().filter(|marker| b"`~".contains(marker))?;
        let info = skip(text, &[marker]);
        let length = text.len() - info.len();
        // With another backtick on the line, it is an inline code span.
        if length < 3 || marker == b'`' && info.as_bytes().contains(&marker) {
            return None;
        }
        let holds_code = !EXCLUDED.iter().any(|language| is_of(skip(info, BLANK), language));
        Some(Self { marker, length, indent: line.len() - text.len(), holds_code })
    }

    pub(crate) fn is_closed_by(&self, line: &str, indent: usize) -> bool {
        let text = skip(line, BLANK);
        let rest = skip(text, &[self.marker]);
        // With more indentation, the line is part of the code.
        text.len() - rest.len() >= self.length
            && skip(rest, b" \t\r\n").is_empty()
            && indent <= self.indent + 3
    }
}

/// Whether the first word of an info string is this language.
fn is_of(info: &str, language: &str) -> bool {
    info.split_at_checked(language.len()).is_some_and(|(word, rest)| {
        let goes_on = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
        word.eq_ignore_ascii_case(language) && !rest.as_bytes().first().is_some_and(goes_on)
    })
}

/// The line without list markers (`- `, `1. `): a block may begin on the line of its list item.
fn without_list_markers(line: &str) -> &str {
    let mut text = skip(line, BLANK);
    loop {
        let number = skip(text, b"0123456789");
        let markers: &[u8] = if number.len() < text.len() { b".)" } else { b"-*+" };
        let after = match number.as_bytes() {
            [marker, b' ' | b'\t', ..] if markers.contains(marker) => number.get(1..).unwrap_or_default(),
            _ => return text,
        };
        text = skip(after, BLANK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each case is a text and the code in it.
    fn check(cases: &[(&str, Option<&str>)]) {
        for (text, expected) in cases {
            assert_eq!(from_markdown(text).as_deref(), *expected, "{text:?}");
        }
    }

    #[test]
    fn blocks_are_joined_and_everything_else_left_out() {
        check(&[
            ("", None),
            ("no code, but `a` and ``` b", None),
            ("Look:\n```ts\nlet a;\n```\nand\n```\nlet b;\n```\n", Some("let a;\n\nlet b;\n")),
            ("```ts\n```", Some("")),
            ("```\n\n  a\n\n```", Some("\n  a\n\n")),
            ("```ts a = 1 ```\n", None),
        ]);
    }

    #[test]
    fn commands_and_data_are_not_code() {
        for language in EXCLUDED.iter().chain(&["JSON", "Bash"]) {
            check(&[
                (&format!("```{language}\nx\n```"), None),
                (&format!("~~~ {language} title=x\nx\n~~~\n```js\ny\n```"), Some("y\n")),
            ]);
        }
        check(&[
            ("```shell-session\nx\n```", None),
            ("```jsonata\nx\n```", Some("x\n")),
            ("```bash\nx\n", None),
        ]);
    }

    #[test]
    fn info_strings_may_say_more_than_a_language() {
        for info in
            ["ts title=\"a.ts\"", " ts", "ts {1,3}", "c++", "objective-c", "{.python}", "ts\r", "ts  "]
        {
            check(&[(&format!("```{info}\nx\n```\ny\n```\nz\n```"), Some("x\n\nz\n"))]);
        }
    }

    #[test]
    fn fences_close_what_they_opened() {
        check(&[
            ("````md\n```ts\nx\n```\n````\ny", Some("```ts\nx\n```\n")),
            ("~~~\n```\n~~~~ \n", Some("```\n")),
            ("```\n~~~\n``\n``` x\n`````\t", Some("~~~\n``\n``` x\n")),
            ("```js\nx", Some("x")),
            ("```js\nx\n    ```\ny\n   ```\nz", Some("x\n    ```\ny\n")),
            ("```", Some("")),
        ]);
    }

    #[test]
    fn indented_fences_take_their_indentation_off_the_code() {
        check(&[
            ("  ```\n  a\n    b\n c\n\n  ```", Some("a\n  b\nc\n\n")),
            ("1. First:\n\n   ```ts\n   a\n   ```\n2. Then\n", Some("a\n")),
            ("- ```ts\n  a\n  ```\n- b\n", Some("a\n")),
            ("  12) * ```ts\n        a\n        ```\n b", Some("a\n")),
            ("\t\t```\n\t\ta\n\t\t```", Some("a\n")),
            ("1.```\nx\n", None),
        ]);
    }

    #[test]
    fn line_ends_stay_as_they_are() {
        check(&[
            ("Here:\r\n```ts\r\na\r\nb\r\n```\r\nDone.\r\n", Some("a\r\nb\r\n")),
            ("```\né😀\u{2028}x\n```\n", Some("é😀\u{2028}x\n")),
        ]);
    }

    #[test]
    fn long_texts_take_linear_time() {
        let text =
            "  - ```js `\n```\n````x\n".repeat(50_000) + &"- ".repeat(500_000) + &"`".repeat(1_000_000);
        assert!(from_markdown(&text).is_some());
    }

    proptest! {
        #[test]
        fn a_longer_fence_holds_anything(text in "[`~a \t\r\né-]{0,40}", fence in "`{41}|~{41}") {
            let block = format!("{fence}\n{text}\n{fence}");
            prop_assert_eq!(from_markdown(&block), Some(text + "\n"));
        }

        #[test]
        fn nothing_is_invented(text in "[`~ab \r\n-]{0,60}") {
            let code = from_markdown(&text).unwrap_or_default();
            for line in code.lines() {
                prop_assert!(text.contains(line));
            }
        }
    }
}
