//! Multi-turn simulation: a model that plays the user of an application.
//!
//! The turns alternate between functions of the caller, so the package runs the loop. This module selects the
//! messages for the model, and reads its answer as a message of the user.

use crate::chat::{Completion, Finish, Message, Role};
use crate::error::{Code, Error, Result};
use crate::json::{self, Json};

/// Asks for the first message of a conversation.
const OPENING: &str = "Open the conversation: write your first message, and nothing else.";

/// Asks for another message after the application answered without any visible text. Some APIs require that
/// the last message has the user role, which is the application's role here.
const NO_ANSWER: &str = "There was no answer. Write your next message, and nothing else.";

/// The request to the model: an optional system message, and the JSON of the messages that a user sees.
///
/// The roles are swapped, because a model speaks as the assistant: its own messages become the assistant's,
/// and those of the application become the user's.
pub fn messages(system: &str, conversation: &Json<'_>) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    if !system.is_empty() {
        messages.push(Message::new(Role::System, system));
    }
    let mut request = Some(OPENING);
    for message in conversation.as_array().unwrap_or_default() {
        let mut message = Message::from_json(message)?;
        (message.role, request) = match message.role {
            Role::User => (Role::Assistant, Some(NO_ANSWER)),
            _ => (Role::User, None),
        };
        messages.push(message);
    }
    if let Some(text) = request {
        messages.push(Message::new(Role::User, text));
    }
    Ok(messages)
}

const NO_TEXT: &str = "answered without any text. A function has to return a string or a message.";

/// The text of the user's message. A completion without text is an error.
pub fn said(completion: Completion) -> Result<String> {
    let (code, problem, reason) = match completion.finish {
        Finish::Refused(reason) => (Code::Refused, "declined: ", reason),
        Finish::Unreadable(reason) => (Code::InvalidJudgeOutput, "gave no answer that can be used: ", reason),
        _ if !completion.text.trim_ascii().is_empty() => return Ok(completion.text),
        _ => (Code::InvalidJudgeOutput, NO_TEXT, String::new()),
    };
    let message =
        ["The model that plays the user ", problem, &json::without_lone_surrogates(&reason)].concat();
    Err(Error::new(code, message).with(|error| error.attempts = Some(completion.attempts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::Part;

    fn read(system: &str, conversation: &str) -> Vec<Message> {
        messages(system, &json::parse(conversation).unwrap()).unwrap()
    }

    #[test]
    fn roles_are_exchanged() {
        let conversation = r#"[{"role":"user","content":"Refund!"},{"role":"assistant","content":[{"type":"text","text":"No."},{"type":"image_url","image_url":{"url":"https://a.test/b.png"}}]}]"#;
        let answer = Message {
            role: Role::User,
            content: vec![Part::Text("No.".to_owned()), Part::Image("https://a.test/b.png".to_owned())],
        };
        let expected =
            [Message::new(Role::System, "Be angry."), Message::new(Role::Assistant, "Refund!"), answer];
        assert_eq!(read("Be angry.", conversation), expected);
    }

    #[test]
    fn a_conversation_is_opened() {
        let opening = Message::new(Role::User, OPENING);
        assert_eq!(read("Be angry.", "[]"), [Message::new(Role::System, "Be angry."), opening.clone()]);
        assert_eq!(read("", "[]"), [opening]);
    }

    #[test]
    fn the_application_speaks_last() {
        let expected = [Message::new(Role::Assistant, "Hello?"), Message::new(Role::User, NO_ANSWER)];
        assert_eq!(read("", r#"[{"role":"user","content":"Hello?"}]"#), expected);
    }

    #[test]
    fn an_answer_without_words_is_an_error() {
        let answers = [
            ("", Finish::Complete, Code::InvalidJudgeOutput, "without any text"),
            (" \n", Finish::Complete, Code::InvalidJudgeOutput, "without any text"),
            ("", Finish::Truncated, Code::InvalidJudgeOutput, "without any text"),
            ("Well", Finish::Refused("no anger".to_owned()), Code::Refused, "declined: no anger"),
            (
                "Well",
                Finish::Unreadable("the API reported an error with it".to_owned()),
                Code::InvalidJudgeOutput,
                "can be used: the API reported an error with it",
            ),
        ];
        for (text, finish, code, message) in answers {
            let completion =
                Completion { text: text.to_owned(), finish, attempts: 3, ..Completion::default() };
            let error = said(completion).unwrap_err();
            assert_eq!((error.code, error.attempts), (code, Some(3)));
            assert!(error.message.contains(message), "{}", error.message);
        }
    }

    #[test]
    fn a_cut_off_answer_is_still_something_said() {
        let finish = Finish::Truncated;
        let completion = Completion { text: "I want".to_owned(), finish, ..Completion::default() };
        assert_eq!(said(completion).unwrap(), "I want");
    }
}
