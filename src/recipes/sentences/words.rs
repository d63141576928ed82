//! What the words around a full stop say about it.

use super::{first, has, rest, skip};

/// Abbreviations that something always follows. Those that begin in lower case may begin in upper case too.
const INNER: &str = "Dr Drs Mr Mrs Ms Mx Prof Rev Hon Gen Sen Rep Gov Pres Capt Cpt Cmdr Lt Col Sgt Maj Adm Fr Br \
    e.g i.e eg ie cf viz vs incl excl esp \
    Hr Frl Lic Dipl Ing bzw vgl evtl ggf sog inkl exkl insb bspw zzgl geb z.B d.h u.U m.E \
    MM Mme Mmes Mlle Mgr p.ex ex Dra Sra Srta Sres Dña Ud Uds Vd Vds p.ej ej";

/// Abbreviations that a number follows; before anything else they are ordinary words.
const BEFORE_NUMBER: &str = "no nos nr num núm fig figs vol vols pp pg pgs art sec sect ch chap eq eqs para par ver ext tel \
    n° nº approx ca circa est min max avg dept ed tab app ref lit env pág págs cap abb bd kap str aufl";

/// Abbreviations that a sentence may end with.
const OUTER: &str = "Inc Ltd Co Corp LLC Bros co Jr Sr Esq St Ste Mt Ft Ave Blvd Rd al Ph.D M.Sc B.Sc \
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun \
    av apr Mio Mrd Tsd Jh Chr Str Art Abs EE UU EE.UU S.p.A";

/// Words that begin a sentence, and hardly ever a name.
const STARTERS: &str = "The This That These Those There Here It Its He She They We You I His Her Their Our My \
    A An In On At For From With By As If When While Where Why What Who How Which Whether Is Are Was Were Do Does Did \
    Can Could Will Would Should Has Have Had But And Or So Yet Also However Then Thus Therefore Moreover Although Though \
    Because Since After Before During Until Once Both Each Every Some Many Most Several All Another Other Such Not Please \
    Today Now Later Der Die Das Ein Eine Es Er Sie Wir Ich Im Il Elle Ils Les Ce Cette El Los Las Este Esta Ella";

/// What German ordinals stand before: `am 3. Oktober`.
const AFTER_ORDINAL: &str =
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert";

/// Whether a character is a letter or a digit, in any script. It is coarse, since the tables of Unicode are large.
#[inline(never)]
pub fn is_word(c: char) -> bool {
    match c {
        '\0'..='\u{bf}' => c.is_ascii_alphanumeric() || matches!(c, 'ª' | 'µ' | 'º'),
        '×' | '÷' | '؟' | '،' | '؛' | '۔' | '।' | '॥' | '\u{feff}' => false,
        '\u{2000}'..='\u{206f}' | '\u{20a0}'..='\u{20ff}' | '\u{2190}'..='\u{245f}' => false,
        '\u{2500}'..='\u{2bff}' | '\u{2e00}'..='\u{303f}' | '\u{fe00}'..='\u{fe6f}' => false,
        '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' => false,
        '\u{ff5b}'..='\u{ff65}' | '\u{fff0}'..='\u{ffff}' | '\u{1f000}'..='\u{1faff}' => false,
        _ => true,
    }
}

/// Whether a word, and so the sentence that it stands in, goes on in lower case. `iPhone` and `macOS` are names.
pub fn is_lower(text: &str) -> bool {
    first(text).is_lowercase() && !first_word(text).bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Whether a full stop between two words of a sentence, or of two, is part of the first. `before` is the sentence so
/// far, `after` what follows, beginning with a word.
pub fn is_abbreviated(before: &str, after: &str) -> bool {
    let before = before.trim_start();
    let start = before.char_indices().rev().find(|(_, c)| c.is_whitespace() || has("([-–—", *c));
    let word = start.map_or(before, |(at, c)| rest(before, at + c.len_utf8()));
    let is_first = word.len() == before.len();
    let word = skip(word, "\"'“‘„«*_~");
    let next = first_word(after);
    let dots = word.bytes().filter(|byte| *byte == b'.').count();
    if first(word).is_ascii_digit() {
        // The number of a section or of a step, or a German ordinal.
        return word.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit())
            && if dots > 0 {
                is_first
            } else {
                word.len() < 4 && is_second(before, word) || word.len() < 3 && lists(AFTER_ORDINAL, next)
            };
    }
    let token = after.bytes().take_while(|byte| !byte.is_ascii_whitespace());
    // One letter, or one between each two dots.
    let is_initials = word.chars().filter(|c| *c != '.').count() <= dots + 1;
    if is_initials && dots == 0 && is_first || lists(INNER, word) {
        return !word.is_empty();
    }
    let is_roman = next != "I" && !next.is_empty() && next.bytes().all(|byte| b"IVXLC".contains(&byte));
    if (is_roman || token.clone().any(|byte| byte.is_ascii_digit())) && lists(BEFORE_NUMBER, word) {
        return true;
    }
    // A. and I. are initials themselves.
    let starts = !(next.len() == 1 && token.clone().nth(1) == Some(b'.')) && lists(STARTERS, next);
    (is_initials || lists(OUTER, word)) && !word.is_empty() && !starts
}

/// Whether at most one word stands before the last word of a text.
fn is_second(text: &str, word: &str) -> bool {
    let before = text.strip_suffix(word).unwrap_or_default();
    !before.trim_end().contains(char::is_whitespace)
}

fn first_word(text: &str) -> &str {
    let end = text.char_indices().find(|(_, c)| !is_word(*c)).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// Whether a word is in a list.
#[inline(never)]
fn lists(list: &str, word: &str) -> bool {
    let mut letters = word.chars();
    let initial = letters.next().unwrap_or(' ');
    list.split(' ').any(|listed| {
        let mut listed = listed.chars();
        let is_initial =
            |c: char| c == initial || c.is_ascii_lowercase() && c.to_ascii_uppercase() == initial;
        listed.next().is_some_and(is_initial) && listed.as_str() == letters.as_str()
    })
}
