//! What could be better, for whoever writes the next answer.

/// Blocks of text with an introduction in front; no text at all as long as there is nothing to say.
pub struct Feedback {
    introduction: &'static str,
    text: Option<String>,
}

impl Feedback {
    /// Nothing could be better so far.
    pub fn new(introduction: &'static str) -> Self {
        Self { introduction, text: None }
    }

    /// Something could: each text that is not blank in a block of this name.
    pub fn push(&mut self, blocks: &[(&str, &str)]) {
        let text = self.text.get_or_insert_with(|| self.introduction.to_owned());
        for (name, content) in blocks.iter().filter(|(_, content)| !content.trim().is_empty()) {
            for piece in ["\n<", name, ">", content, "</", name, ">"] {
                text.push_str(piece);
            }
        }
    }

    /// The text, if there is anything to say.
    pub fn into_text(self) -> Option<String> {
        self.text
    }
}
