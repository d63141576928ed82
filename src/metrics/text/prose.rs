//! Words and sentences of a text, as in textstat 0.7.

use super::characters::{CharacterClasses, words};

/// The endings after an apostrophe that make a contraction.
const CONTRACTIONS: [&str; 6] = ["t", "s", "d", "ve", "ll", "re"];

/// The words of a text, split at white space and without punctuation, except the apostrophes of contractions.
pub fn words_of<'t>(text: &'t str, classes: &'t CharacterClasses) -> impl Iterator<Item = String> + 't {
    words(text).filter_map(|run| {
        let is_contraction = |place: usize| {
            run.get(place..).is_some_and(|rest| CONTRACTIONS.iter().any(|ending| rest.starts_with(ending)))
        };
        let word: String = run
            .char_indices()
            .filter(|(place, character)| {
                classes.is_word(*character) || (*character == '\'' && is_contraction(place + 1))
            })
            .map(|(_, character)| character)
            .collect();
        (!word.is_empty()).then_some(word)
    })
}

/// The number of sentences: parts that end with `.`, `!` or `?` and have at least three words. At least 1 for
/// a non-empty text.
pub fn sentence_count(text: &str, classes: &CharacterClasses) -> usize {
    let mut count = 0;
    let mut rest = text;
    while let Some(start) = rest.find(|character| classes.is_word(character)) {
        let from = rest.get(start..).unwrap_or_default();
        let end = from.find(['.', '!', '?']).unwrap_or(from.len());
        let (sentence, after) = from.split_at_checked(end).unwrap_or((from, ""));
        count += usize::from(words_of(sentence, classes).nth(2).is_some());
        rest = after;
    }
    if text.is_empty() { 0 } else { count.max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_the_apostrophes_of_contractions() {
        let classes = CharacterClasses::read();
        let words: Vec<String> =
            words_of("It's 'quoted', well-known — they'll pay 1,250.5 ’tis _ '", &classes).collect();
        assert_eq!(words, ["It's", "quoted", "wellknown", "they'll", "pay", "12505", "tis", "_"]);
    }

    #[test]
    fn sentences_have_three_words() {
        for (text, count) in [
            ("", 0),
            (" ", 1),
            ("Yes.", 1),
            ("One two three. Yes! Four five six?! ...", 2),
            ("It costs 3.50 euros today. That is much", 3),
        ] {
            assert_eq!(sentence_count(text, &CharacterClasses::read()), count, "{text}");
        }
    }
}
