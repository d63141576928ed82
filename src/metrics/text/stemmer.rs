//! The Porter stemmer (*An algorithm for suffix stripping*, 1980) with NLTK's extensions, as rouge-score uses
//! it.

/// Exceptions to the rules.
const IRREGULAR: &[(&str, &str)] = &[
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// Suffixes with their replacements, for stems with a measure above 0.
type SuffixRules = &'static [(&'static str, &'static str)];

const STEP_2: SuffixRules = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
];

const STEP_3: SuffixRules = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Suffixes to remove from stems with a measure above 1.
const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
];

/// The stem of a lower-case word of at least three letters.
pub fn stem(word: &str) -> String {
    if let Some((_, stem)) = IRREGULAR.iter().find(|(irregular, _)| *irregular == word) {
        return (*stem).to_owned();
    }
    let word = plural(word);
    let word = past(word);
    let word = final_y(word);
    let word = replaced(with_al(word), STEP_2, true);
    let word = replaced(word, STEP_3, false);
    final_double_l(final_e(shortened(word)))
}

/// Step 1a.
fn plural(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() == 1 => return [stem, "ie"].concat(),
        Some(stem) => return [stem, "i"].concat(),
        None => {}
    }
    let keeps = word.ends_with("ss") && !word.ends_with("sses");
    let suffix = if word.ends_with("sses") { "es" } else { "s" };
    match word.strip_suffix(suffix) {
        Some(stem) if !keeps => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// Step 1b.
fn past(word: String) -> String {
    if let Some(stem) = word.strip_suffix("ied") {
        return [stem, if stem.len() == 1 { "ie" } else { "i" }].concat();
    }
    if let Some(stem) = word.strip_suffix("eed") {
        return if measure(stem) > 0 { [stem, "ee"].concat() } else { word };
    }
    let stem =
        ["ed", "ing"].iter().filter_map(|suffix| word.strip_suffix(suffix)).find(|stem| has_vowel(stem));
    let Some(stem) = stem else { return word };
    if ["at", "bl", "iz"].iter().any(|end| stem.ends_with(end)) {
        return [stem, "e"].concat();
    }
    if let [.., second, last] = stem.as_bytes()
        && second == last
        && is_consonant(stem, stem.len() - 1)
    {
        let single = stem.get(..stem.len() - 1).filter(|_| !matches!(last, b'l' | b's' | b'z'));
        return single.unwrap_or(stem).to_owned();
    }
    if measure(stem) == 1 && ends_cvc(stem) { [stem, "e"].concat() } else { stem.to_owned() }
}

/// Step 1c.
fn final_y(word: String) -> String {
    match word.strip_suffix('y') {
        Some(stem) if stem.len() > 1 && is_consonant(stem, stem.len() - 1) => [stem, "i"].concat(),
        _ => word,
    }
}

/// NLTK's extension before step 2, which starts again with the result.
fn with_al(mut word: String) -> String {
    while let Some(stem) = word.strip_suffix("alli")
        && measure(stem) > 0
    {
        word = [stem, "al"].concat();
    }
    word
}

/// Steps 2 and 3: the first suffix that matches decides.
fn replaced(word: String, rules: SuffixRules, is_second: bool) -> String {
    for (suffix, replacement) in rules {
        if let Some(stem) = word.strip_suffix(suffix) {
            return if measure(stem) > 0 { [stem, replacement].concat() } else { word };
        }
    }
    match word.strip_suffix("logi") {
        // The measure includes the `l`.
        Some(stem) if is_second && measure(&[stem, "l"].concat()) > 0 => [stem, "log"].concat(),
        _ => word,
    }
}

/// Step 4.
fn shortened(word: String) -> String {
    for suffix in STEP_4 {
        if let Some(stem) = word.strip_suffix(suffix) {
            let goes = measure(stem) > 1 && (*suffix != "ion" || stem.ends_with('s') || stem.ends_with('t'));
            return if goes { stem.to_owned() } else { word };
        }
    }
    word
}

/// Step 5a.
fn final_e(word: String) -> String {
    match word.strip_suffix('e') {
        Some(stem) if measure(stem) > 1 || measure(stem) == 1 && !ends_cvc(stem) => stem.to_owned(),
        _ => word,
    }
}

/// Step 5b.
fn final_double_l(word: String) -> String {
    match word.strip_suffix('l') {
        Some(stem) if stem.ends_with('l') && measure(stem) > 1 => stem.to_owned(),
        _ => word,
    }
}

/// Whether each letter is a consonant. `y` is one at the start and after a vowel.
fn consonants(word: &str) -> impl Iterator<Item = bool> {
    word.bytes().scan(false, |before, letter| {
        *before = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !*before,
            _ => true,
        };
        Some(*before)
    })
}

fn is_consonant(word: &str, index: usize) -> bool {
    consonants(word).nth(index).unwrap_or(false)
}

fn has_vowel(word: &str) -> bool {
    consonants(word).any(|is_consonant| !is_consonant)
}

/// Porter's measure: the number of vowel-consonant sequences.
fn measure(word: &str) -> usize {
    let mut before = true;
    consonants(word)
        .filter(|is_consonant| {
            std::mem::replace(&mut before, *is_consonant) != *is_consonant && *is_consonant
        })
        .count()
}

/// Whether a word ends in consonant, vowel, consonant, except `w`, `x` or `y`; or is a vowel and a consonant.
fn ends_cvc(word: &str) -> bool {
    let letters: Vec<bool> = consonants(word).collect();
    match letters.as_slice() {
        [false, true] => true,
        [.., true, false, true] => !word.ends_with(['w', 'x', 'y']),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_stems_of_nltk() {
        for (word, expected) in [
            ("skies", "sky"),
            ("dies", "die"),
            ("flies", "fli"),
            ("caresses", "caress"),
            ("cats", "cat"),
            ("died", "die"),
            ("spied", "spi"),
            ("agreed", "agre"),
            ("feed", "feed"),
            ("motoring", "motor"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("enjoy", "enjoy"),
            ("relational", "relat"),
            ("radically", "radic"),
            ("geology", "geolog"),
            ("electrical", "electr"),
            ("adoption", "adopt"),
            ("controlling", "control"),
            ("cease", "ceas"),
            ("rate", "rate"),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }
}
