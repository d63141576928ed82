//! Decides from the surrounding words whether a full stop belongs to an abbreviation.

use super::{first, rest, skip};

/// Abbreviations that never end a sentence. Those in lower case may also be capitalized.
const INNER: &str = "Dr Mr Mrs Ms Prof Rev Hon Gen Sen Rep Gov Capt Lt Col Sgt e.g i.e eg ie cf viz vs incl \
    Hr Lic Dipl Ing bzw vgl evtl ggf sog inkl insb bspw geb z.B d.h MM Mme Mlle Mgr p.ex ex Dra Sra Srta Ud Uds p.ej ej";

/// Abbreviations before a number; otherwise they are ordinary words.
const BEFORE_NUMBER: &str = "no nos nr num núm n° nº fig figs vol vols pp art sec ch chap eq eqs par ver ext tel dept \
    approx ca est min max avg ed tab app ref pág págs cap abb bd kap str";

/// Abbreviations that can end a sentence.
const OUTER: &str = "Inc Ltd Co Corp LLC Bros co Jr Sr Esq St Ste Mt Ft Ave Blvd Rd al Ph.D M.Sc B.Sc Chr av apr \
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun Mio Mrd Tsd Jh Str Art Abs EE UU EE.UU";

/// Other abbreviations, which are followed by words in lower case.
const BEFORE_LOWER: &str = "etc usw in oz gal doz esp misc orig resp asst assoc temp intl univ conf proc excl aprox aufl \
    allg vorm gegr sogen adj adv biol chem hist";

/// Words that can begin a sentence in lower case, and hardly ever follow an abbreviation.
const LOWER_STARTERS: &str = "the this that these those there here it its he she they we you i his her their our my \
    however then therefore but if when why what who how please";

/// Words that begin a sentence, and hardly ever a name.
const STARTERS: &str = "The This That These Those There Here In It Its He She They We You I His Her Their Our My \
    A An On At For From With By As If When While Where Why What Who How Which Is Are Was Were Do Does Did Can Has \
    Have But And Or So Yet Also However Then Thus Therefore Although Because Since After Before During Once Both Each \
    Some Many Most All Another Other Not Please Today Now Later Der Die Das Ein Eine Es Er Sie Wir Ich Im Il Elle Ils \
    Les Ce Cette El Los Las";

/// Words after German ordinals: `am 3. Oktober`.
const AFTER_ORDINAL: &str =
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert";

/// Whether a character is a letter or a digit, in any script. An approximation, since the tables of Unicode
/// are large.
#[inline(never)]
pub fn is_word(c: char) -> bool {
    match c {
        '\0'..='\u{bf}' => c.is_ascii_alphanumeric(),
        '×' | '÷' | '؟' | '،' | '؛' | '۔' | '।' | '॥' | '\u{feff}' => false,
        '\u{2000}'..='\u{2bff}' | '\u{2e00}'..='\u{303f}' | '\u{fe00}'..='\u{ff0f}' | '：'..='＠' => false,
        '｡'..='･' => false,
        '\u{1f000}'..='\u{1faff}' => false,
        _ => true,
    }
}

/// Whether a word is in lower case, so that its sentence continues. `iPhone` and `macOS` are names.
pub fn is_lower(text: &str) -> bool {
    is_lowercase(first(text)) && !first_word(text).bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Latin, Greek and Cyrillic lower-case letters, without the tables of Unicode.
fn is_lowercase(c: char) -> bool {
    match c {
        // Upper and lower case alternate.
        '\u{139}'..='\u{148}' | '\u{179}'..='\u{17e}' => u32::from(c) % 2 == 0,
        '\u{100}'..='\u{17f}' => u32::from(c) % 2 == 1,
        _ => matches!(c, 'a'..='z' | 'ß'..='ÿ' | 'ά'..='ώ' | 'а'..='џ'),
    }
}

/// Whether a full stop belongs to an abbreviation before it. `word` is the text before the stop, `words` the
/// number of words of the sentence before that, and `after` the text after it, which begins with a word.
pub fn is_abbreviated(word: &str, words: usize, after: &str) -> bool {
    let word = skip(word, "\"'“‘„«*_~");
    let next = first_word(after);
    let dots = word.bytes().filter(|byte| *byte == b'.').count();
    let is_number = skip(word, "0123456789.").is_empty();
    if is_number {
        // The number of a section or a step (*Step 1.*), or a German ordinal.
        return words == 0 && dots > 0
            || words < 2 && dots == 0 && word.len() < 4
            || word.len() < 3 && lists(AFTER_ORDINAL, next);
    }
    let letters = word.bytes().filter(|byte| byte & 0xc0 != 0x80).count() - dots;
    if words == 0 && letters == 1 || lists(INNER, word) {
        return true;
    }
    // "A." and "I." can be initials.
    if after.as_bytes().get(1) != Some(&b'.') && lists(STARTERS, next) {
        return false;
    }
    // A single letter, or single letters between dots; not a sign.
    letters <= dots + 1 && is_word(first(word))
        || lists(OUTER, word)
        || lists(BEFORE_NUMBER, word)
            && (skip(next, "IVXLC").is_empty() || after.bytes().take(9).any(|byte| byte.is_ascii_digit()))
}

/// Whether a sentence ends with a full stop before a word in lower case. Unless the word is clearly not an
/// abbreviation, the sentence continues; `begins_lower` lowers the required certainty.
pub fn ends_before_lower(word: &str, words: usize, after: &str, begins_lower: bool) -> bool {
    let word = skip(word, "\"'“‘„«*_~");
    let starts = lists(LOWER_STARTERS, first_word(after));
    if !word.is_empty() && skip(word, "0123456789").is_empty() {
        return starts && words > 1 && (begins_lower || word.len() > 3);
    }
    // Latin letters, and those with the most common accents.
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == 0xc3 || byte & 0xc0 == 0x80;
    let is_plain = word.len() > 1 && word.bytes().all(is_letter);
    let has_vowel = word.bytes().any(|byte| b"aeiouyAEIOUY\xc3".contains(&byte));
    if !is_plain
        || !has_vowel
        || [INNER, OUTER, BEFORE_LOWER].iter().any(|list| lists_in_any_case(list, word))
    {
        return false;
    }
    if lists_in_any_case(BEFORE_NUMBER, word) {
        return begins_lower && starts;
    }
    // Abbreviations are short, or end like German ones: "einschl", "ursprüngl".
    let is_cut = matches!(word.as_bytes(), [.., before, b'l'] if !b"aeioul".contains(before));
    let is_long = word.len() > 3 && !is_cut && is_lower(word);
    starts || begins_lower || is_long
}

fn first_word(text: &str) -> &str {
    let mut after = text;
    while is_word(first(after)) {
        after = rest(after, first(after).len_utf8());
    }
    text.get(..text.len() - after.len()).unwrap_or_default()
}

/// Whether a list has the word.
fn lists(list: &str, word: &str) -> bool {
    let case =
        |initial: u8, first: u8| initial == first || initial.is_ascii_lowercase() && initial == first | 0x20;
    is_listed(list, word, &case)
}

/// Whether a list has the word, ignoring the case of the first letter.
fn lists_in_any_case(list: &str, word: &str) -> bool {
    is_listed(list, word, &|initial, first| initial | 0x20 == first | 0x20)
}

#[inline(never)]
fn is_listed(list: &str, word: &str, is_same: &dyn Fn(u8, u8) -> bool) -> bool {
    let Some((first, word)) = word.as_bytes().split_first() else {
        return false;
    };
    list.as_bytes().split(|byte| *byte == b' ').any(|listed| match listed.split_first() {
        Some((initial, listed)) => listed == word && is_same(*initial, *first),
        None => false,
    })
}
