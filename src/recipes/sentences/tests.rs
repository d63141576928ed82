mod languages;
mod markdown;
mod outline;
mod prose;

use super::split;
use proptest::prelude::*;

/// Each case is a text with `‖` between sentences.
fn check(cases: &[&str]) {
    let mut wrong = Vec::new();
    for case in cases {
        let expected: Vec<&str> = case.split('‖').map(str::trim).collect();
        let text = case.replace('‖', "");
        let sentences: Vec<String> = split(&text).iter().map(|sentence| sentence.text.to_owned()).collect();
        if sentences != expected {
            wrong.push((text.clone(), sentences));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn blank_texts_have_no_sentences() {
    for text in ["", " ", "\n\n", "\t\r\n \u{a0}\u{3000}\n"] {
        assert_eq!(split(text), [], "{text:?}");
    }
}

#[test]
fn places_count_utf16_code_units() {
    let places = |text| split(text).iter().map(|sentence| (sentence.start, sentence.end)).collect::<Vec<_>>();
    assert_eq!(places("Hi. You."), [(0, 3), (4, 8)]);
    assert_eq!(places("  Hi.\r\n\r\nYou.  "), [(2, 5), (9, 13)]);
    assert_eq!(places("Äh. 😀 Öh.\n𝒳 is."), [(0, 6), (7, 10), (11, 17)]);
    assert_eq!(places("你好。再见。"), [(0, 3), (3, 6)]);
    assert_eq!(places("e\u{301}a. 👩‍💻 B"), [(0, 10), (11, 12)]);
}

#[test]
fn recognizes_texts_without_words() {
    let has_words = |text| split(text).iter().map(|sentence| sentence.has_words()).collect::<Vec<_>>();
    assert_eq!(has_words("One.\n\n---\n\n2.\n\n🎉\n\n> \n\n***"), [true, false, true, false, false, false]);
    assert_eq!(
        has_words("你好。\n\nشكرا؟\n\nनमस्ते।\n\n۔\n\n——\n\n。。"),
        [true, true, true, false, false, false]
    );
}

/// Texts that would take minutes if any part of them were read again for each character.
#[test]
fn long_texts_take_linear_time() -> Result<(), TestCaseError> {
    for unit in [".", "(", "[", "\"", "`"] {
        check_sentences(&unit.repeat(250_000))?;
    }
    let units = "。¦ ¦\n¦a. ¦(a. B¦.[¦. (¦. ([¦. .¦! ¦.»¦. »¦…¦a.¦I. ¦No. 1 ¦Dr.\n¦A. B.\n¦“a. B ¦。「¦🎉¦. 🎉¦*¦**¦__a¦ `a``b¦\
        \n> ¦- ¦1. ¦(1. ¦1) a\n¦#¦|¦```\n¦> ```\n¦a|b\n---|---\n¦[a]:¦a\\\n¦a  \n¦<a ¦<a>¦a.</b>¦a.<sup>¦. a ¦a. ";
    for unit in units.split('¦') {
        check_sentences(&unit.repeat(50_000 / unit.len()))?;
    }
    Ok(())
}

/// The invariants of the sentences of any text.
fn check_sentences(text: &str) -> Result<(), TestCaseError> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut last = 0;
    for sentence in split(text) {
        let slice = units.get(sentence.start..sentence.end).map(String::from_utf16_lossy);
        prop_assert!(slice.as_deref() == Some(sentence.text));
        prop_assert!(!sentence.text.is_empty());
        prop_assert_eq!(sentence.text.trim(), sentence.text);
        prop_assert!(String::from_utf16_lossy(&units[last..sentence.start]).trim().is_empty());
        last = sentence.end;
    }
    prop_assert!(String::from_utf16_lossy(&units[last..]).trim().is_empty());
    Ok(())
}

proptest! {
    #[test]
    fn every_character_is_in_one_sentence(text in any::<String>()) {
        check_sentences(&text)?;
    }

    #[test]
    fn so_it_is_in_text_like_markdown(
        text in "([ab1A. \n]|\\. A|[ab\\|>`*_#=+~:-]|\r\n|  \n|\n```|\n- |\n1\\. |[()\\[\\]\"“”„«»‘’]|[。！？「」；।؟…]|[é😀\u{a0}\u{2028}\u{feff}]){0,60}"
    ) {
        check_sentences(&text)?;
    }
}
