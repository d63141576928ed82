//! Readability as textstat 0.7 computes it, but for the syllables of words, which it has from a dictionary.

use super::TextScore;
use super::characters::Classes;
use super::prose::{sentence_count, words_of};
use super::row::{Row, RowMetric};
use super::syllables::{of_english, of_vowels};
use crate::error::Result;
use crate::scale::{Scales, ScoreScale};
use crate::sort::sorted;
use serde::{Deserialize, Serialize};

/// What its scores mean, by the keys of results.
pub const SCALES: &Scales = &[
    ("flesch_reading_ease", ScoreScale::index("points")),
    ("flesch_kincaid_grade", ScoreScale::index("grade")),
    ("gunning_fog", ScoreScale::index("grade")),
    ("smog_index", ScoreScale::index("grade")),
];

/// How readability is computed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReadabilityConfig {
    /// Which figure.
    pub formula: ReadabilityFormula,
    /// Whose syllables are counted, and which constants the formula has.
    pub language: ReadabilityLanguage,
    /// What the caller knows of words.
    pub known_words: Vec<KnownWord>,
}

/// A figure of readability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ReadabilityFormula {
    /// Flesch, *A new readability yardstick*, 1948; for other languages than English with the constants of others.
    FleschReadingEase,
    /// Kincaid et al., *Derivation of new readability formulas for Navy enlisted personnel*, 1975.
    FleschKincaidGrade,
    /// Gunning, *The technique of clear writing*, 1952.
    GunningFog,
    /// McLaughlin, *SMOG grading: a new readability formula*, 1969.
    SmogIndex,
}

/// A language whose constants are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ReadabilityLanguage {
    /// English.
    En,
    /// German.
    De,
    /// Spanish.
    Es,
    /// French.
    Fr,
    /// Hungarian.
    Hu,
    /// Italian.
    It,
    /// Dutch.
    Nl,
    /// Polish.
    Pl,
    /// Russian.
    Ru,
}

impl ReadabilityLanguage {
    /// Of Flesch's formula: what it begins with, and the weights of words per sentence and of syllables per word.
    fn flesch(self) -> (f64, f64, f64) {
        match self {
            Self::En | Self::Pl => (206.835, 1.015, 84.6),
            Self::De => (180.0, 1.0, 58.5),
            Self::Es => (206.84, 1.02, 60.0),
            Self::Fr => (207.0, 1.015, 73.6),
            Self::Hu => (206.835, 1.015, 58.5),
            Self::It => (217.0, 1.3, 60.0),
            Self::Nl => (206.835, 0.93, 77.0),
            Self::Ru => (206.835, 1.3, 60.1),
        }
    }

    /// How many syllables a difficult word has at least.
    fn difficult(self) -> usize {
        match self {
            Self::Hu => 5,
            Self::Pl => 4,
            _ => 3,
        }
    }

    fn syllables(self, word: &str) -> usize {
        match self {
            Self::En => of_english(word),
            _ => of_vowels(word, matches!(self, Self::Hu | Self::Ru)),
        }
    }
}

/// What the caller knows of a word.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct KnownWord {
    /// As it is written in the text, without punctuation.
    pub word: String,
    /// How many syllables it has, unless it is left to the rule of thumb.
    pub syllables: Option<u32>,
    /// Whether it is easy, however many syllables it has.
    pub is_easy: bool,
}

/// A figure of readability, and what it was made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReadabilityScore {
    /// The figure: Flesch's ease is mostly between 0 and 100, for texts that are easy; the others are grades of school.
    pub score: f64,
    /// How many sentences the text has; those of less than three words do not count, unless there are no others.
    pub sentences: f64,
    /// How many words it has.
    pub words: f64,
    /// How many syllables its words have.
    pub syllables: f64,
    /// How many words have three syllables or more.
    pub polysyllables: f64,
    /// How many words have three syllables or more, four in Polish and five in Hungarian, and are not easy.
    pub difficult_words: f64,
}

/// Readability, ready to score.
pub struct Readability {
    formula: ReadabilityFormula,
    language: ReadabilityLanguage,
    /// In the order of the words.
    known_words: Vec<KnownWord>,
    classes: Classes,
}

impl Readability {
    /// Takes the configuration.
    pub fn new(config: ReadabilityConfig) -> Self {
        let ReadabilityConfig { formula, language, known_words } = config;
        let word_of = |place: usize| known_words.get(place).map(|known: &KnownWord| &known.word);
        let order = sorted(known_words.len(), &|a, b| word_of(a).cmp(&word_of(b)));
        let known_words = order.into_iter().filter_map(|place| known_words.get(place).cloned()).collect();
        Self { formula, language, known_words, classes: Classes::read() }
    }

    fn known(&self, word: &str) -> Option<&KnownWord> {
        let place = self.known_words.binary_search_by(|known| known.word.as_str().cmp(word)).ok()?;
        self.known_words.get(place)
    }

    fn of(&self, text: &str) -> ReadabilityScore {
        let (mut words, mut syllables, mut polysyllables, mut difficult_words) = (0, 0, 0, 0);
        for word in words_of(text, &self.classes) {
            let known = self.known(&word);
            let own = match known.and_then(|known| known.syllables) {
                Some(syllables) => syllables as usize,
                None => self.language.syllables(&word),
            };
            let is_easy = known.is_some_and(|known| known.is_easy);
            words += 1;
            syllables += own;
            polysyllables += usize::from(own >= 3);
            difficult_words += usize::from(own >= self.language.difficult() && !is_easy);
        }
        let sentences = sentence_count(text, &self.classes);
        let [sentences, words, syllables, polysyllables, difficult_words] =
            [sentences, words, syllables, polysyllables, difficult_words].map(|count| count as f64);
        let (sentence_length, word_length) = (words / sentences, syllables / words);
        let score = match self.formula {
            // As textstat has it.
            ReadabilityFormula::SmogIndex if sentences == 0.0 => 0.0,
            ReadabilityFormula::SmogIndex => 1.043 * (30.0 * (polysyllables / sentences)).sqrt() + 3.1291,
            _ if words == 0.0 => 0.0,
            ReadabilityFormula::GunningFog => 0.4 * (sentence_length + 100.0 * difficult_words / words),
            _ if syllables == 0.0 => 0.0,
            ReadabilityFormula::FleschReadingEase => {
                let (base, of_sentence, of_word) = self.language.flesch();
                base - of_sentence * sentence_length - of_word * word_length
            }
            ReadabilityFormula::FleschKincaidGrade => 0.39 * sentence_length + 11.8 * word_length - 15.59,
        };
        ReadabilityScore { score, sentences, words, syllables, polysyllables, difficult_words }
    }
}

impl RowMetric for Readability {
    fn score(&self, row: &Row<'_>) -> Result<TextScore> {
        Ok(TextScore::Readability(self.of(row.output)))
    }
}

/// The words of texts, each once.
pub fn distinct_words(rows: &[Row<'_>]) -> Vec<String> {
    let classes = Classes::read();
    let words: Vec<String> = rows.iter().flat_map(|row| words_of(row.output, &classes)).collect();
    let mut numbering = crate::numbering::Numbering::new();
    let mut distinct = Vec::new();
    for word in &words {
        if numbering.number(word.as_str()) == distinct.len() {
            distinct.push(word.clone());
        }
    }
    distinct
}
