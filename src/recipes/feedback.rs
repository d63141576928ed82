//! Feedback for improving an answer.

/// An introduction followed by blocks of text; no text before the first `push`.
pub struct Feedback {
    introduction: &'static str,
    text: Option<String>,
}

impl Feedback {
    /// Feedback without blocks.
    pub fn new(introduction: &'static str) -> Self {
        Self { introduction, text: None }
    }

    /// Adds a block for each text that is not blank, under its name.
    pub fn push(&mut self, blocks: &[(&str, &str)]) {
        let text = self.text.get_or_insert_with(|| self.introduction.to_owned());
        for (name, content) in blocks.iter().filter(|(_, content)| !content.trim().is_empty()) {
            for piece in ["\n<", name, ">", content, "</", name, ">"] {
                text.push_str(piece);
            }
        }
    }

    /// The text, if there are any blocks.
    pub fn into_text(self) -> Option<String> {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_texts_have_no_block() {
        let mut feedback = Feedback::new("Wrong:");
        feedback.push(&[("criterion", "short"), ("reasoning", " \n\u{a0}")]);
        feedback.push(&[("criterion", "plain"), ("reasoning", "It is not.")]);
        let text = "Wrong:\n<criterion>short</criterion>\n<criterion>plain</criterion>\n<reasoning>It is not.</reasoning>";
        assert_eq!(feedback.into_text().as_deref(), Some(text));
        assert_eq!(Feedback::new("Wrong:").into_text(), None);
    }
}
