//! Expected scores worked out by hand, and properties of all of them.

use super::*;
use proptest::prelude::*;

/// A token with its alternatives and their probabilities.
fn token(written: &str, likely: &[(&str, f64)]) -> AnswerToken {
    let likely = likely.iter().map(|(token, p)| TokenLogprob { token: (*token).to_owned(), logprob: p.ln() });
    AnswerToken { token: written.to_owned(), likely: likely.collect() }
}

/// The tokens of `{"score":`, followed by these.
fn answer(
    tokens: impl IntoIterator<Item = AnswerToken>,
    score: u32,
    (lowest, highest): (u32, u32),
) -> ScoredAnswer {
    let beginning = ["{\"", "score", "\":"].map(|said| token(said, &[(said, 1.0)]));
    let tokens = beginning.into_iter().chain(tokens).chain([token("}", &[("}", 1.0)])]).collect();
    ScoredAnswer { tokens, score, lowest, highest }
}

const FIVE: (u32, u32) = (1, 5);

fn probabilities(found: &ScoreDistribution) -> Vec<(u32, f64)> {
    let rounded = |found: &ScoreProbability| (found.score, (found.probability * 1e9).round() / 1e9);
    found.probabilities.iter().map(rounded).collect()
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

#[test]
fn the_expected_score_is_weighted_by_probabilities() {
    // 0.6 for 4, 0.2 for 5, 0.1 for 3: (2.4 + 1 + 0.3) / 0.9.
    let tokens = [token("4", &[("4", 0.6), ("5", 0.2), ("3", 0.1), ("four", 0.06), ("\"", 0.04)])];
    let found = from_tokens(&answer(tokens, 4, FIVE)).unwrap();
    assert!(near(found.expected, 3.7 / 0.9), "{found:?}");
    assert!(near(found.mass, 0.9));
    assert_eq!(probabilities(&found), [(3, 0.111111111), (4, 0.666666667), (5, 0.222222222)]);
    // The mean of squares: 1/9 * (10/9)², 6/9 * (1/9)², 2/9 * (8/9)².
    assert!(near(found.deviation, ((100.0 + 6.0 + 128.0) / 729.0_f64).sqrt()), "{found:?}");
}

#[test]
fn tokens_that_write_the_same_number_are_one_score() {
    let likely =
        [("4", 0.3), (" 4", 0.2), ("4.", 0.1), (" 4,", 0.1), ("5", 0.2), ("4.5", 0.05), ("4th", 0.05)];
    for written in ["4", " 4", "4."] {
        let found = from_tokens(&answer([token(written, &likely)], 4, FIVE)).unwrap();
        assert_eq!(probabilities(&found), [(4, 0.777777778), (5, 0.222222222)], "{written}");
        assert!(near(found.mass, 0.9));
    }
}

#[test]
fn a_number_of_several_digits_may_be_one_token_or_several() {
    let range = (1, 10);
    let whole = [token("10", &[("10", 0.5), ("9", 0.3), ("1", 0.2)])];
    assert_eq!(
        probabilities(&from_tokens(&answer(whole, 10, range)).unwrap()),
        [(1, 0.2), (9, 0.3), (10, 0.5)]
    );

    // 1 is followed by 0 in four of five cases.
    let digits = |next: &str| {
        let next = [token(next, &[("0", 0.8), ("}", 0.2)])];
        [token("1", &[("1", 0.5), ("9", 0.5)])].into_iter().chain(next)
    };
    for (next, score) in [("0", 10), ("}", 1)] {
        let found = from_tokens(&answer(digits(next), score, range)).unwrap();
        assert_eq!(probabilities(&found), [(1, 0.1), (9, 0.5), (10, 0.4)], "{next}");
    }

    // The continuation of 1 is unknown here.
    let others = [token("9", &[("9", 0.7), ("1", 0.3)])];
    let found = from_tokens(&answer(others, 9, range)).unwrap();
    assert_eq!((probabilities(&found), found.mass), (vec![(9, 1.0)], 0.7));
}

#[test]
fn a_token_may_include_characters_before_the_score() {
    let tokens = ["{", "\"score\"", ": 4", ","].map(|said| token(said, &[(said, 0.75), (": 2", 0.25)]));
    let answer = ScoredAnswer { tokens: tokens.into(), score: 4, lowest: 1, highest: 5 };
    assert_eq!(probabilities(&from_tokens(&answer).unwrap()), [(2, 0.25), (4, 0.75)]);
}

#[test]
fn uninformative_answers_have_no_score() {
    let cases: [(&str, Vec<AnswerToken>, u32); 8] = [
        ("no tokens", vec![], 4),
        ("another score was read", vec![token("4", &[("4", 1.0)])], 3),
        ("little is found", vec![token("4", &[("4", 0.4), ("\"", 0.6)])], 4),
        ("no probabilities", vec![token("4", &[])], 4),
        ("more than all", vec![token("4", &[("4", 0.9), ("5", 0.9)])], 4),
        ("positive logarithms", vec![token("4", &[("4", 20.0)])], 4),
        ("no numbers", vec![token("4", &[("4", f64::NAN), ("5", f64::INFINITY)])], 4),
        ("beyond the range", vec![token("7", &[("7", 1.0)])], 7),
    ];
    for (name, tokens, score) in cases {
        assert_eq!(from_tokens(&answer(tokens, score, FIVE)), None, "{name}");
    }
    let tokens = vec![token("4", &[("4", 1.0)])];
    assert_eq!(from_tokens(&ScoredAnswer { tokens, score: 4, lowest: 1, highest: 5 }), None, "no name");
}

#[test]
fn votes_count_by_how_many_there_are() {
    let found = from_votes(&[5, 4, 4, 3]).unwrap();
    assert_eq!(probabilities(&found), [(3, 0.25), (4, 0.5), (5, 0.25)]);
    assert!(near(found.expected, 4.0) && near(found.deviation, 0.5_f64.sqrt()) && near(found.mass, 1.0));
    assert_eq!(from_votes(&[]), None);
}

proptest! {
    #[test]
    fn a_sure_score_is_that_score(lowest in 0..100u32, more in 1..100u32, at in 0.0..=1.0) {
        let highest = lowest + more;
        let score = lowest + (f64::from(more) * at) as u32;
        let text = score.to_string();
        let found = from_tokens(&answer([token(&text, &[(&text, 1.0)])], score, (lowest, highest))).unwrap();
        prop_assert_eq!((found.expected, found.deviation, found.mass), (f64::from(score), 0.0, 1.0));
        prop_assert_eq!(from_votes(&[score]), Some(found));
    }

    #[test]
    fn an_expected_score_is_within_the_range(
        weights in prop::collection::vec((0..12u32, 0.0..1.0), 1..20), chosen in any::<prop::sample::Index>(), split in any::<bool>(),
    ) {
        let all: f64 = weights.iter().map(|(_, weight)| weight + 1e-6).sum();
        let texts: Vec<(String, f64)> = weights.iter().map(|(number, weight)| (number.to_string(), (weight + 1e-6) / all)).collect();
        let likely: Vec<(&str, f64)> = texts.iter().map(|(text, share)| (text.as_str(), *share)).collect();
        let (written, _) = likely[chosen.index(likely.len())];
        let mut tokens = vec![token(written, &likely)];
        if split {
            tokens.push(token(",", &[(",", 0.7), ("0", 0.3)]));
        }
        if let Some(found) = from_tokens(&answer(tokens, written.parse().unwrap(), (1, 10))) {
            prop_assert!((1.0..=10.0).contains(&found.expected));
            prop_assert!((0.0..=4.5).contains(&found.deviation));
            prop_assert!((MIN_MASS..=1.0).contains(&found.mass));
            let sum: f64 = found.probabilities.iter().map(|found| found.probability).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn junk_does_no_harm(
        tokens in prop::collection::vec(("[ 0-9.:\"scoreé]{0,8}", prop::collection::vec(("[ 0-9.é-]{0,4}", any::<f64>()), 0..5)), 0..8),
        score in any::<u32>(), lowest in any::<u32>(), highest in any::<u32>(),
    ) {
        let tokens = tokens.into_iter().map(|(token, likely)| AnswerToken {
            token,
            likely: likely.into_iter().map(|(token, logprob)| TokenLogprob { token, logprob }).collect(),
        });
        if let Some(found) = from_tokens(&answer(tokens, score, (lowest, highest))) {
            prop_assert!((f64::from(lowest)..=f64::from(highest)).contains(&found.expected));
        }
    }
}
