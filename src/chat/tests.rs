use super::*;
use crate::error::Code;

#[test]
fn messages_with_parts_are_read_and_written_in_the_form_of_openai() {
    let same = [
        r#"{"role":"system","content":"a"}"#,
        r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a.test/b.png"}}]}"#,
        r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}}]}"#,
        r#"{"role":"assistant","content":[]}"#,
        r#"{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]}"#,
    ];
    for text in same {
        let message = Message::from_json(&json::parse(text).unwrap()).unwrap();
        assert_eq!(message.to_json().into_text(), text);
        assert_eq!(Message::list_to_json(&[message.clone(), message]), format!("[{text},{text}]"));
    }
    let refused = [
        r#"{"role":"tool","content":"a"}"#,
        r#"{"role":"user"}"#,
        r#"{"role":"user","content":[{"type":"video"}]}"#,
    ];
    for text in refused {
        assert_eq!(Message::from_json(&json::parse(text).unwrap()).unwrap_err().code, Code::InvalidInput);
    }
}

#[test]
fn a_model_that_knows_no_prefix_gets_one_text() {
    let prefix = |text: &str| Part::Prefix { text: text.to_owned(), ttl: PromptCaching::Minutes };
    let text = |text: &str| Part::Text(text.to_owned());
    let image = || Part::Image("d".to_owned());
    let content = vec![prefix("a"), prefix("b"), text("c"), image(), text("e"), text("f"), prefix("g")];
    let marked = [Message { role: Role::User, content }, Message::new(Role::User, "h")];
    let [first, second] = marked.each_ref().map(Message::plain);
    assert_eq!(first.content, [text("abc"), image(), text("e"), text("fg")]);
    assert_eq!(second, Message::new(Role::User, "h"));
    assert_eq!(without_prefixes(&marked).as_ref(), [first, second.clone()]);
    assert!(matches!(without_prefixes(&[second]), Cow::Borrowed(_)));
}

#[test]
fn text_is_added_to_text_or_stands_alone() {
    let mut message = Message::new(Role::User, "a");
    message.push_text("b");
    assert_eq!(message, Message::new(Role::User, "ab"));
    message.content.push(Part::Image("c".to_owned()));
    message.push_text("d");
    assert_eq!(message.content.last(), Some(&Part::Text("d".to_owned())));
}
