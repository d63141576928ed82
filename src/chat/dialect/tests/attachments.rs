//! Attachments as the parts of each API, or that it has no such part.

use super::*;
use crate::chat::testing::DIALECTS;

/// The body of a question with these parts after its text.
fn body(dialect: Dialect, mut parts: Vec<Part>) -> Option<String> {
    parts.insert(0, Part::Text("See:".to_owned()));
    let messages = [Message { role: Role::User, content: parts }];
    let request = ChatRequest { messages: &messages, schema: None, logprobs: false };
    dialect.body("m", Settings::default(), &request, Structure::Schema).ok().map(JsonBuilder::into_text)
}

/// The body that is expected with these parts.
fn with(dialect: Dialect, parts: &str) -> String {
    let form = match dialect {
        Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Mistral => {
            r#"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"See:"},@]}]}"#
        }
        Dialect::Responses => {
            r#"{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"See:"},@]}],"store":false}"#
        }
        Dialect::Anthropic => {
            r#"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"See:"},@]}],"max_tokens":16000}"#
        }
        Dialect::VertexAnthropic => {
            r#"{"anthropic_version":"vertex-2023-10-16","messages":[{"role":"user","content":[{"type":"text","text":"See:"},@]}],"max_tokens":16000}"#
        }
        Dialect::Bedrock => r#"{"messages":[{"role":"user","content":[{"text":"See:"},@]}]}"#,
        Dialect::Google => r#"{"contents":[{"role":"user","parts":[{"text":"See:"},@]}]}"#,
        Dialect::Ollama => {
            r#"{"model":"m","messages":[{"role":"user","content":"See:","images":[@]}],"stream":false}"#
        }
    };
    form.replace('@', parts)
}

/// The parts that are expected, in the order of [`DIALECTS`].
fn expect(part: &Part, expected: [Option<&str>; 9]) {
    for (dialect, expected) in DIALECTS.into_iter().zip(expected) {
        let expected = expected.map(|expected| with(dialect, expected));
        assert_eq!(body(dialect, vec![part.clone()]), expected, "{dialect:?}: {part:?}");
    }
}

#[test]
fn images() {
    for kind in ["png", "jpeg", "gif", "webp"] {
        let chat = format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/{kind};base64,AA=="}}}}"#);
        let claude = format!(
            r#"{{"type":"image","source":{{"type":"base64","media_type":"image/{kind}","data":"AA=="}}}}"#
        );
        expect(
            &Part::Image(format!("data:image/{kind};base64,AA==")),
            [
                Some(&chat),
                Some(&chat),
                Some(&chat),
                Some(&format!(
                    r#"{{"type":"input_image","image_url":"data:image/{kind};base64,AA==","detail":"auto"}}"#
                )),
                Some(&claude),
                Some(&claude),
                Some(&format!(r#"{{"image":{{"format":"{kind}","source":{{"bytes":"AA=="}}}}}}"#)),
                Some(&format!(r#"{{"inlineData":{{"mimeType":"image/{kind}","data":"AA=="}}}}"#)),
                Some(r#""AA==""#),
            ],
        );
    }
    let tiff = Part::Image("data:image/tiff;base64,AA==".to_owned());
    assert_eq!(body(Dialect::Bedrock, vec![tiff]), None);
}

#[test]
fn images_at_an_address() {
    let chat = r#"{"type":"image_url","image_url":{"url":"https://a.test/a%20b.JPG?c"}}"#;
    let claude = r#"{"type":"image","source":{"type":"url","url":"https://a.test/a%20b.JPG?c"}}"#;
    expect(
        &Part::Image("https://a.test/a%20b.JPG?c".to_owned()),
        [
            Some(chat),
            Some(chat),
            Some(chat),
            Some(r#"{"type":"input_image","image_url":"https://a.test/a%20b.JPG?c","detail":"auto"}"#),
            Some(claude),
            Some(claude),
            None,
            Some(r#"{"fileData":{"fileUri":"https://a.test/a%20b.JPG?c","mimeType":"image/jpeg"}}"#),
            None,
        ],
    );
    let unnamed = Part::Image("https://a.test/b".to_owned());
    let expected = with(Dialect::Google, r#"{"fileData":{"fileUri":"https://a.test/b"}}"#);
    assert_eq!(body(Dialect::Google, vec![unnamed]), Some(expected));
}

#[test]
fn recordings() {
    for (format, is_known_to_openai) in [("wav", true), ("mp3", true), ("ogg", false), ("webm", false)] {
        let chat = format!(r#"{{"type":"input_audio","input_audio":{{"data":"AA==","format":"{format}"}}}}"#);
        expect(
            &Part::Audio { data: "AA==".to_owned(), format: format.to_owned() },
            [
                is_known_to_openai.then_some(chat.as_str()),
                Some(&chat),
                Some(r#"{"type":"input_audio","input_audio":"AA=="}"#),
                None,
                None,
                None,
                Some(&format!(r#"{{"audio":{{"format":"{format}","source":{{"bytes":"AA=="}}}}}}"#)),
                Some(&format!(r#"{{"inlineData":{{"mimeType":"audio/{format}","data":"AA=="}}}}"#)),
                None,
            ],
        );
    }
}

#[test]
fn documents() {
    let file = |data: &str| Part::File { name: "Décision n° 7.pdf".to_owned(), data: data.to_owned() };
    let chat = r#"{"type":"file","file":{"filename":"Décision n° 7.pdf","file_data":"data:application/pdf;base64,AA=="}}"#;
    let claude =
        r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA=="}}"#;
    let pdf = file("data:application/pdf;base64,AA==");
    expect(
        &pdf,
        [
            Some(chat),
            Some(chat),
            Some(
                r#"{"type":"document_url","document_url":"data:application/pdf;base64,AA==","document_name":"Décision n° 7.pdf"}"#,
            ),
            Some(
                r#"{"type":"input_file","filename":"Décision n° 7.pdf","file_data":"data:application/pdf;base64,AA=="}"#,
            ),
            Some(claude),
            Some(claude),
            Some(r#"{"document":{"format":"pdf","name":"document-1","source":{"bytes":"AA=="}}}"#),
            Some(r#"{"inlineData":{"mimeType":"application/pdf","data":"AA=="}}"#),
            None,
        ],
    );
    // Names have to be unique there.
    let two = r#"{"document":{"format":"pdf","name":"document-1","source":{"bytes":"AA=="}}},{"document":{"format":"pdf","name":"document-2","source":{"bytes":"AA=="}}}"#;
    assert_eq!(body(Dialect::Bedrock, vec![pdf.clone(), pdf]), Some(with(Dialect::Bedrock, two)));
    for dialect in [Dialect::Anthropic, Dialect::VertexAnthropic, Dialect::Bedrock, Dialect::Ollama] {
        assert_eq!(body(dialect, vec![file("data:text/csv;base64,AA==")]), None);
    }
}

#[test]
fn documents_at_an_address() {
    let claude = r#"{"type":"document","source":{"type":"url","url":"https://a.test/a.pdf"}}"#;
    expect(
        &Part::File { name: "a.pdf".to_owned(), data: "https://a.test/a.pdf".to_owned() },
        [
            None,
            Some(r#"{"type":"file","file":{"filename":"a.pdf","file_data":"https://a.test/a.pdf"}}"#),
            Some(r#"{"type":"document_url","document_url":"https://a.test/a.pdf","document_name":"a.pdf"}"#),
            Some(r#"{"type":"input_file","file_url":"https://a.test/a.pdf"}"#),
            Some(claude),
            Some(claude),
            None,
            Some(r#"{"fileData":{"fileUri":"https://a.test/a.pdf","mimeType":"application/pdf"}}"#),
            None,
        ],
    );
}
