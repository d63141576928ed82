//! What an answer had to go by, in numbered lines, so that evidence can be pointed at.

use crate::error::Result;
use crate::json::{Fields, Json};
use crate::prompt::push_value;

/// The sources of an answer.
pub struct Sources(Vec<Source>);

struct Source {
    id: String,
    title: String,
    content: String,
}

/// What a model cites, once it has been looked up.
pub struct Cited<'s> {
    /// What stands there; `None` if nothing does.
    pub text: Option<&'s str>,
    /// Whether every line of it exists.
    pub exists: bool,
}

impl Sources {
    /// The `sourceContext` of the input.
    pub fn read(input: &Fields<'_>) -> Result<Self> {
        let read = |source: &Json<'_>| {
            let source = Fields::of(source)?;
            let (id, title) = (source.text("sourceId")?, source.text("title")?);
            Ok(Source { id, title, content: source.text("content")? })
        };
        input.list("sourceContext").iter().map(read).collect::<Result<_>>().map(Self)
    }

    /// All of them, as a model reads them. The lines are numbered from 0, like those that are cited. No text can end the
    /// block that it stands in.
    pub fn numbered(&self) -> String {
        let inside = &["source".to_owned(), "title".to_owned()];
        let mut text = String::new();
        for Source { id, title, content } in &self.0 {
            text.push_str(if text.is_empty() { "<source>\n<source_id>" } else { "\n<source>\n<source_id>" });
            push_value(&mut text, id, inside);
            text.push_str("</source_id>\n<title>");
            push_value(&mut text, title, inside);
            text.push_str("</title>\n");
            for (number, line) in content.lines().enumerate() {
                text.push_str(&number.to_string());
                text.push('→');
                push_value(&mut text, line, inside);
                text.push('\n');
            }
            text.push_str("</source>");
        }
        text
    }

    /// The lines of a source from `start` to before `end`, as they stand there.
    pub fn cite(&self, id: &str, start: Option<usize>, end: Option<usize>) -> Cited<'_> {
        let source = self.0.iter().find(|source| source.id == id);
        let (Some(Source { content, .. }), Some(end)) = (source, end) else {
            return Cited { text: None, exists: false };
        };
        let first = start.unwrap_or(0);
        let (mut from, mut to, mut at, mut count) = (None, 0, 0, 0);
        for line in content.split_inclusive('\n') {
            if (first..end).contains(&count) {
                from.get_or_insert(at);
                to = at + line.trim_end_matches(['\r', '\n']).len();
            }
            at += line.len();
            count += 1;
        }
        let text = from.and_then(|from| content.get(from..to));
        Cited { text, exists: start.is_some() && text.is_some() && end <= count }
    }
}
