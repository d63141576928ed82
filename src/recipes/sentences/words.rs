//! What the words around a full stop say about it.

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
    text.starts_with(char::is_lowercase) && !first_word(text).contains(|c: char| c.is_ascii_uppercase())
}

/// Whether a full stop between two words of a sentence, or of two, is part of the first. `before` is the sentence so
/// far, `after` what follows, beginning with a word.
pub fn is_abbreviated(before: &str, after: &str) -> bool {
    let before = before.trim_start();
    let word = before.rsplit(|c: char| c.is_whitespace() || "([-–—".contains(c)).next().unwrap_or_default();
    let word = word.trim_start_matches(|c| "\"'“‘„«*_~".contains(c));
    let next = first_word(after);
    let is_first = word.len() == before.len();
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let is_section = word.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
        // The number of a section or of a step, or a German ordinal.
        return is_section
            && if word.contains('.') {
                is_first
            } else {
                word.len() <= 3 && before.split_whitespace().take(3).count() <= 2
                    || word.len() <= 2 && lists(AFTER_ORDINAL, next)
            };
    }
    let is_letter = word.chars().nth(1).is_none();
    if is_letter && is_first || lists(INNER, word) {
        return !word.is_empty();
    }
    let token = after.split(char::is_whitespace).next().unwrap_or_default();
    let is_roman = next != "I" && !next.is_empty() && next.bytes().all(|byte| b"IVXLC".contains(&byte));
    if lists(BEFORE_NUMBER, word) && (is_roman || token.contains(|c: char| c.is_ascii_digit())) {
        return true;
    }
    // A. and I. are initials themselves.
    let starts = lists(STARTERS, next) && !(next.len() == 1 && token.get(1..2) == Some("."));
    let is_initials = word.split('.').all(|part| part.chars().nth(1).is_none());
    (is_initials || lists(OUTER, word)) && !word.is_empty() && !starts
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Whether a word is in a list.
fn lists(list: &str, word: &str) -> bool {
    let mut letters = word.chars();
    let first = letters.next().unwrap_or(' ');
    list.split_ascii_whitespace().any(|listed| {
        let mut listed = listed.chars();
        let is_first = |c: char| c == first || c.is_ascii_lowercase() && c.to_ascii_uppercase() == first;
        listed.next().is_some_and(is_first) && listed.as_str() == letters.as_str()
    })
}
