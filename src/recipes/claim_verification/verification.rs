//! Whether the sources bear a claim out, and if not, whether they would have to.

use super::super::sentences::Sentence;
use super::super::step::{Asking, Step};
use super::super::with_line_numbers;
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Draft, Fields, Json, Number};
use crate::prompt::push_value;

/// The step that verifies a claim, and what it is verified against.
pub struct Verification<'i> {
    step: Step,
    /// Each with `sourceId`, `title` and `content`.
    sources: Vec<Fields<'i>>,
    /// All of them, as a model reads them.
    numbered: String,
    threshold: f64,
    open_domain_threshold: f64,
}

/// What is found out about a claim.
pub struct Finding {
    /// The number of the sentence, and that of the claim among those of the sentence.
    pub place: (usize, usize),
    /// The claim.
    pub claim: String,
    /// Why it is supported, or why not.
    pub proof: String,
    /// Whether the sources support it.
    pub is_supported: bool,
    /// Whether it needs no source.
    pub is_open_domain: bool,
    /// All of it, as the caller gets it.
    pub json: String,
}

impl<'i> Verification<'i> {
    /// The step and the thresholds among the options, and the sources in the input.
    pub fn read(config: &Fields<'_>, input: &Fields<'i>) -> Result<Self> {
        let mut sources = Vec::new();
        let mut numbered = String::new();
        for source in input.list("sourceContext") {
            let source = Fields::of(source)?;
            number(&source, &mut numbered)?;
            sources.push(source);
        }
        Ok(Self {
            step: Step::read(config, "verification")?,
            sources,
            numbered,
            threshold: config.number("verificationThreshold")?.to_f64(),
            open_domain_threshold: config.number("isOpenDomainThreshold")?.to_f64(),
        })
    }

    /// Looks for the evidence of a claim.
    pub async fn verify<M: ChatModel>(
        &self,
        asking: &Asking<'_, M>,
        question: &str,
        sentence: &Sentence<'_>,
        claim: String,
        place: (usize, usize),
    ) -> Result<Finding> {
        let variables = [("sources", self.numbered.as_str()), ("question", question), ("claim", &claim)];
        let answer = asking.ask(&self.step, &variables).await?;
        self.judge(&answer, sentence, claim, place)
    }

    fn judge(
        &self,
        answer: &Fields<'_>,
        sentence: &Sentence<'_>,
        claim: String,
        place: (usize, usize),
    ) -> Result<Finding> {
        let (verified, open_domain) =
            (answer.number("verified_probability")?, answer.number("open_domain_probability")?);
        let mut json = Draft::object([("sentence", sentence.text.into())]);
        json.set("startIndex", (sentence.start as u64).into());
        json.set("endIndex", (sentence.end as u64).into());
        let proof = answer.text("proof")?;
        let justification = answer.text("open_domain_justification")?;
        for (name, text) in
            [("claim", &claim), ("proof", &proof), ("openDomainJustification", &justification)]
        {
            json.set(name, text.as_str().into());
        }
        json.set("verifiedProbability", Draft::verbatim(verified));
        json.set("openDomainProbability", Draft::verbatim(open_domain));
        json.set("isOpenDomain", answer.flag("is_open_domain").into());
        self.look_up(answer.list("citations"), &mut json)?;
        Ok(Finding {
            place,
            claim,
            proof,
            is_supported: verified.to_f64() >= self.threshold,
            is_open_domain: open_domain.to_f64() >= self.open_domain_threshold,
            json: json.into_text(),
        })
    }

    /// Sets what is cited, and the citations of lines that do not all exist. Models take citations back by making them
    /// empty.
    fn look_up(&self, citations: &[Json<'_>], json: &mut Draft) -> Result<()> {
        let (mut cited, mut invalid) = (Vec::new(), Vec::new());
        for citation in citations {
            let citation = Fields::of(citation)?;
            let id = citation.text("source_id")?;
            let (start, end) = (citation.number("start_range")?, citation.number("end_range")?);
            if start == end {
                continue;
            }
            let (text, exists) = self.cite(&id, line(start), line(end))?;
            let named = Draft::object([("sourceId", id.as_str().into())]);
            if !text.is_empty() {
                let mut named = named.clone();
                named.set("citedText", text.as_str().into());
                cited.push(named);
            }
            if !exists {
                let mut named = named;
                named.set("startRange", Draft::verbatim(start));
                named.set("endRange", Draft::verbatim(end));
                invalid.push(named);
            }
        }
        json.set("citations", Draft::list(cited.into_iter()));
        if !invalid.is_empty() {
            json.set("invalidCitations", Draft::list(invalid.into_iter()));
        }
        Ok(())
    }

    /// The lines of a source from `start` to before `end`, as far as they exist, and whether all of them do. Without the
    /// empty ones at their end.
    fn cite(&self, id: &str, start: Option<usize>, end: Option<usize>) -> Result<(String, bool)> {
        for source in &self.sources {
            if source.text("sourceId")? == id {
                let content = source.text("content")?;
                let lines: Vec<&str> = content.split('\n').collect();
                let end = end.unwrap_or(0);
                let cited = lines.get(start.unwrap_or(0)..end.min(lines.len())).unwrap_or_default();
                let exists = start.is_some() && !cited.is_empty() && end <= lines.len();
                return Ok((cited.join("\n").trim_end().to_owned(), exists));
            }
        }
        Ok((String::new(), false))
    }
}

/// Appends a source as a model reads it: with the numbers that its lines are cited by. No text can end the block that it
/// stands in.
fn number(source: &Fields<'_>, numbered: &mut String) -> Result<()> {
    let inside = &["source".to_owned(), "title".to_owned()];
    for (before, name) in [("<source>\n<source_id>", "sourceId"), ("</source_id>\n<title>", "title")] {
        numbered.push_str(before);
        push_value(numbered, &source.text(name)?, inside);
    }
    numbered.push_str("</title>\n");
    push_value(numbered, &with_line_numbers(&source.text("content")?), inside);
    numbered.push_str("\n</source>\n");
    Ok(())
}

/// The number of a line; `None` if no line can have it.
fn line(number: &Number<'_>) -> Option<usize> {
    match number {
        Number::Integer(number) => usize::try_from(*number).ok(),
        Number::Decimal(_) => None,
    }
}
