//! Whether the sources bear a claim out, and if not, whether they would have to.

use super::super::sentences::Sentence;
use super::super::step::{Asking, Step};
use super::sources::{Cited, Sources};
use crate::chat::ChatModel;
use crate::error::Result;
use crate::json::{Draft, Fields, Json, Number};

/// The step that verifies a claim, and what it is verified against.
pub struct Verification {
    step: Step,
    sources: Sources,
    numbered: String,
    threshold: f64,
    open_domain_threshold: f64,
}

/// What is found out about a claim.
pub struct Finding {
    /// The sentence that makes it.
    pub sentence: String,
    /// The claim.
    pub claim: String,
    /// Why it is supported, or why not.
    pub proof: String,
    /// Whether the sources support it.
    pub is_supported: bool,
    /// Whether it needs no source.
    pub is_open_domain: bool,
    /// All of it, as the caller gets it.
    pub json: Draft,
}

impl Verification {
    /// The step and the thresholds among the options, and the sources in the input.
    pub fn read(config: &Fields<'_>, input: &Fields<'_>) -> Result<Self> {
        let sources = Sources::read(input)?;
        Ok(Self {
            step: Step::read(config, "verification")?,
            numbered: sources.numbered(),
            sources,
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
        claim: &str,
    ) -> Result<Finding> {
        let variables = [("sources", self.numbered.as_str()), ("question", question), ("claim", claim)];
        let answer = asking.ask(&self.step, &variables).await?;
        let proof = answer.text("proof")?;
        let verified = answer.number("verified_probability")?;
        let open_domain = answer.number("open_domain_probability")?;
        let (citations, invalid) = self.look_up(answer.list("citations"))?;
        let mut json = Draft::object([
            ("sentence", sentence.text.into()),
            ("startIndex", (sentence.start as u64).into()),
            ("endIndex", (sentence.end as u64).into()),
            ("claim", claim.into()),
            ("proof", proof.as_str().into()),
            ("citations", Draft::list(citations.into_iter())),
            ("verifiedProbability", Draft::verbatim(verified)),
            ("openDomainJustification", answer.text("open_domain_justification")?.as_str().into()),
            ("openDomainProbability", Draft::verbatim(open_domain)),
            ("isOpenDomain", answer.flag("is_open_domain").into()),
        ]);
        if !invalid.is_empty() {
            json.set("invalidCitations", Draft::list(invalid.into_iter()));
        }
        Ok(Finding {
            sentence: sentence.text.to_owned(),
            claim: claim.to_owned(),
            proof,
            is_supported: verified.to_f64() >= self.threshold,
            is_open_domain: open_domain.to_f64() >= self.open_domain_threshold,
            json,
        })
    }

    /// What is cited, and the citations of lines that do not all exist. Models take citations back by making them empty.
    fn look_up(&self, citations: &[Json<'_>]) -> Result<(Vec<Draft>, Vec<Draft>)> {
        let (mut valid, mut invalid) = (Vec::new(), Vec::new());
        for citation in citations {
            let citation = Fields::of(citation)?;
            let id = citation.text("source_id")?;
            let (start, end) = (citation.number("start_range")?, citation.number("end_range")?);
            if start == end {
                continue;
            }
            let Cited { text, exists } = self.sources.cite(&id, line(start), line(end));
            if let Some(text) = text {
                valid.push(Draft::object([("sourceId", id.as_str().into()), ("citedText", text.into())]));
            }
            if !exists {
                invalid.push(Draft::object([
                    ("sourceId", id.as_str().into()),
                    ("startRange", Draft::verbatim(start)),
                    ("endRange", Draft::verbatim(end)),
                ]));
            }
        }
        Ok((valid, invalid))
    }
}

/// The number of a line; `None` if no line can have it.
fn line(number: &Number<'_>) -> Option<usize> {
    match number {
        Number::Integer(number) => usize::try_from(*number).ok(),
        Number::Decimal(_) => None,
    }
}
