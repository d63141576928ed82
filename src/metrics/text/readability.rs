//! Readability formulas as in textstat 0.7. Syllables come from rules instead of its dictionary.

use super::TextScore;
use super::characters::CharacterClasses;
use super::prose::{sentence_count, words_of};
use super::row::{Row, RowMetric};
use super::syllables::{of_english, of_vowels};
use crate::error::Result;
use crate::interner::Interner;
use crate::scale::{Scales, ScoreScale};
use crate::sort::in_order;
use serde::{Deserialize, Serialize};

/// The score scales, by result key.
pub const SCALES: &Scales = &[
    ("flesch_reading_ease", ScoreScale::index("points")),
    ("flesch_kincaid_grade", ScoreScale::index("grade")),
    ("gunning_fog", ScoreScale::index("grade")),
    ("smog_index", ScoreScale::index("grade")),
];

/// The options of readability.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReadabilityConfig {
    /// The formula.
    pub formula: ReadabilityFormula,
    /// The language of the text, which determines syllables and constants.
    pub language: ReadabilityLanguage,
    /// Syllables and difficulty of words, given by the caller.
    pub known_words: Vec<KnownWord>,
}

/// A readability formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum ReadabilityFormula {
    /// Flesch, *A new readability yardstick*, 1948; for languages other than English with adapted constants.
    FleschReadingEase,
    /// Kincaid et al., *Derivation of new readability formulas for Navy enlisted personnel*, 1975.
    FleschKincaidGrade,
    /// Gunning, *The technique of clear writing*, 1952.
    GunningFog,
    /// McLaughlin, *SMOG grading: a new readability formula*, 1969.
    SmogIndex,
}

/// A language with known constants.
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
    /// The constants of Flesch's formula: the base, and the weights of words per sentence and syllables per
    /// word.
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

    /// The number of syllables from which on a word is difficult.
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

/// Syllables and difficulty of a word.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct KnownWord {
    /// The word as it occurs in the text, without punctuation.
    pub word: String,
    /// The number of syllables; by default, estimated by rules.
    pub syllables: Option<u32>,
    /// Whether the word is easy, whatever its number of syllables.
    pub is_easy: bool,
}

/// A readability score with its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReadabilityScore {
    /// The score. Flesch reading ease is usually between 0 and 100, where higher is easier; the other
    /// formulas give US school grades.
    pub score: f64,
    /// The number of sentences. Sentences of less than three words do not count, unless there are no others.
    pub sentences: f64,
    /// The number of words.
    pub words: f64,
    /// The number of syllables.
    pub syllables: f64,
    /// The number of words with three syllables or more.
    pub polysyllables: f64,
    /// The number of difficult words: three syllables or more (Polish four, Hungarian five), and not easy.
    pub difficult_words: f64,
}

/// A configured readability.
pub struct Readability {
    formula: ReadabilityFormula,
    language: ReadabilityLanguage,
    /// Sorted by word.
    known_words: Vec<KnownWord>,
    classes: CharacterClasses,
}

impl Readability {
    /// Prepares the options.
    pub fn new(config: ReadabilityConfig) -> Self {
        let ReadabilityConfig { formula, language, known_words } = config;
        let known_words = in_order(&known_words, |a, b| a.word.cmp(&b.word));
        Self { formula, language, known_words, classes: CharacterClasses::read() }
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
            // textstat's behaviour.
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

/// The distinct words of texts.
pub fn distinct_words(rows: &[Row<'_>]) -> Vec<String> {
    let classes = CharacterClasses::read();
    let words: Vec<String> = rows.iter().flat_map(|row| words_of(row.output, &classes)).collect();
    let mut interner = Interner::new();
    let mut distinct = Vec::new();
    for word in &words {
        if interner.intern(word.as_str()) == distinct.len() {
            distinct.push(word.clone());
        }
    }
    distinct
}
