use super::*;

const SETTINGS: Settings = Settings { level: 0.95, seed: 0 };
const RECALL: f64 = 1.0;
const PRECISION: f64 = 0.0;

fn numbered(classes: &str) -> Vec<u32> {
    classes.bytes().map(|letter| u32::from(letter - b'a')).collect()
}

/// Scores rows of one-letter classes.
fn score(metric: Metric, outputs: &str, references: &str) -> ClassScore {
    with_labels(outputs, references, |labels| labels.score(metric, SETTINGS))
}

fn cohens_kappa(outputs: &str, references: &str) -> ClassScore {
    score(Metric::CohensKappa, outputs, references)
}

fn with_labels(outputs: &str, references: &str, score: impl Fn(&Labels) -> ClassScore) -> ClassScore {
    let (outputs, references) = (numbered(outputs), numbered(references));
    score(&Labels { outputs: &outputs, references: &references, units: &Units::of_rows(outputs.len()) })
}

/// Outputs and references.
type Rows = (&'static str, &'static str);
const ROWS: Rows = ("abaabcbccacbabccbcca", "aaaabbbcccccabcabcca");
/// Here d never occurs in the outputs and e never in the references.
const GAPS: Rows = ("abaabcbccacbabccbccaabe", "aaaabbbcccccabcabccadda");

#[track_caller]
fn check(rows: Rows, metric: Metric, expected: f64) {
    check_score(&score(metric, rows.0, rows.1), expected);
}

#[track_caller]
fn check_score(found: &ClassScore, expected: f64) {
    let Estimate { value, interval } = found.estimate;
    let score = value.unwrap();
    assert!((score - expected).abs() < 1e-12, "{score} instead of {expected}");
    if let Some(interval::Interval { low, high, .. }) = interval {
        assert!(low < score && score < high, "{low} < {score} < {high}");
    }
}

#[test]
fn is_that_of_scikit_learn() {
    // scikit-learn 1.9.1: precision_recall_fscore_support(references, outputs, average=…, beta=…)
    for average in [Average::Micro, Average::Macro, Average::Weighted] {
        let (precision, recall, f_half, f_1, f_2) = match average {
            Average::Macro => {
                (0.75, 0.754761904761904, 0.748702261772339, 0.748834498834498, 0.751508295625942)
            }
            Average::Weighted => {
                (0.758333333333333, 0.75, 0.754671857619577, 0.751048951048951, 0.749660633484162)
            }
            _ => (0.75, 0.75, 0.75, 0.75, 0.75),
        };
        check(ROWS, Metric::F(PRECISION, average), precision);
        check(ROWS, Metric::F(RECALL, average), recall);
        check(ROWS, Metric::F(0.2, average), f_half);
        check(ROWS, Metric::F(0.5, average), f_1);
        check(ROWS, Metric::F(0.8, average), f_2);
    }
    // For class b, four of its six predictions are correct, and four of its five references are found.
    check(ROWS, Metric::F(PRECISION, Average::Binary(1)), 4.0 / 6.0);
    check(ROWS, Metric::F(RECALL, Average::Binary(1)), 4.0 / 5.0);
    check(ROWS, Metric::F(0.5, Average::Binary(1)), 8.0 / 11.0);
    // cohen_kappa_score, matthews_corrcoef
    check_score(&cohens_kappa(ROWS.0, ROWS.1), 0.6212121212121212);
    check(ROWS, Metric::MatthewsCorrelation, 0.6235786521484046);
}

#[test]
fn perfect_predictions_have_a_correlation_of_exactly_1() {
    for rows in 2..100 {
        let classes = "abc".repeat(rows);
        let classes = classes.get(..rows).unwrap();
        let score = score(Metric::MatthewsCorrelation, classes, classes).estimate.value;
        assert_eq!(score, Some(1.0), "{rows} rows");
    }
}

#[test]
fn classes_without_a_value_are_left_out_and_named() {
    // With zero_division=np.nan.
    check(GAPS, Metric::F(PRECISION, Average::Macro), 0.508928571428571);
    check(GAPS, Metric::F(RECALL, Average::Macro), 0.54375);
    check(GAPS, Metric::F(0.5, Average::Macro), 0.416666666666667);
    check(GAPS, Metric::F(PRECISION, Average::Weighted), 0.69387755102040);
    check(GAPS, Metric::F(RECALL, Average::Weighted), 0.652173913043478);
    check(GAPS, Metric::F(0.5, Average::Weighted), 0.63768115942029);
    check_score(&cohens_kappa(GAPS.0, GAPS.1), 0.5080213903743316);
    check(GAPS, Metric::MatthewsCorrelation, 0.5149221670525546);
    assert_eq!(score(Metric::F(PRECISION, Average::Macro), GAPS.0, GAPS.1).undefined_classes, [3]);
    assert_eq!(score(Metric::F(RECALL, Average::Weighted), GAPS.0, GAPS.1).undefined_classes, [4]);
}

#[test]
fn rates_have_wilsons_interval() {
    let interval_of = |metric| score(metric, ROWS.0, ROWS.1).estimate.interval;
    assert_eq!(interval_of(Metric::F(PRECISION, Average::Binary(1))), interval::wilson(4.0, 6.0, 0.95));
    assert_eq!(interval_of(Metric::F(RECALL, Average::Binary(1))), interval::wilson(4.0, 5.0, 0.95));
    assert_eq!(interval_of(Metric::F(0.5, Average::Micro)), interval::wilson(15.0, 20.0, 0.95));
}

/// The ends are from numpy: the derivatives of the metric by finite differences of all cells of the confusion matrix, and Student's
/// quantiles of scipy.
#[test]
fn intervals_follow_from_the_derivatives_of_the_metric() {
    let (outputs, references) = (numbered(ROWS.0), numbered(ROWS.1));
    let f = |recall, average| Metric::F(recall, average);
    let check = |labels: &Labels, metric, expected: (f64, f64)| {
        let interval::Interval { low, high, .. } = labels.score(metric, SETTINGS).estimate.interval.unwrap();
        let is_near = |one: f64, other: f64| (one - other).abs() < 1e-6;
        assert!(is_near(low, expected.0) && is_near(high, expected.1), "{metric:?}: {low} to {high}");
    };
    let rows = Units::of_rows(20);
    let pairs = Units::of(&(0..20).map(|row| row / 2).collect::<Vec<u32>>());
    let single = Labels { outputs: &outputs, references: &references, units: &rows };
    let repeated = Labels { units: &pairs, ..single };
    check(&single, f(0.5, Average::Macro), (0.525591, 0.889177));
    check(&single, f(PRECISION, Average::Macro), (0.528515, 0.889244));
    check(&single, f(0.8, Average::Weighted), (0.527460, 0.889304));
    check(&single, f(0.5, Average::Binary(1)), (0.384407, 0.919276));
    check(&single, Metric::MatthewsCorrelation, (0.269383, 0.829172));
    check(&single, Metric::CohensKappa, (0.265928, 0.827917));
    check(&single, Metric::NominalAlpha(1.0), (0.279450, 0.832333));
    check(&repeated, f(0.8, Average::Weighted), (0.516365, 0.893607));
    check(&repeated, f(0.5, Average::Binary(1)), (0.377808, 0.921327));
    check(&repeated, Metric::MatthewsCorrelation, (0.241814, 0.838167));
    check(&repeated, Metric::CohensKappa, (0.239405, 0.836622));
    check(&repeated, Metric::NominalAlpha(repeated.units.runs()), (0.268856, 0.845147));
    let perfect: Vec<u32> = (0..40).map(|row| u32::from(row >= 30)).collect();
    let rows = Units::of_rows(40);
    let perfect = Labels { outputs: &perfect, references: &perfect, units: &rows };
    check(&perfect, f(0.5, Average::Macro), (0.888562, 1.0));
    check(&perfect, f(0.5, Average::Binary(1)), (0.837984, 1.0));
    check(&perfect, Metric::MatthewsCorrelation, (0.777123, 1.0));
    check(&perfect, Metric::CohensKappa, (0.777123, 1.0));
    check(&perfect, Metric::NominalAlpha(1.0), (0.779453, 1.0));
    // A judge that calls nearly everything true, and none of the ten false rows false.
    let references: Vec<u32> = (0..100).map(|row| u32::from(row < 90)).collect();
    let outputs: Vec<u32> = (0..100).map(|row| u32::from(!(85..90).contains(&row))).collect();
    let rows = Units::of_rows(100);
    let lenient = Labels { outputs: &outputs, references: &references, units: &rows };
    check(&lenient, Metric::CohensKappa, (-0.259804, 0.122184));
    check(&lenient, Metric::MatthewsCorrelation, (-0.273896, 0.127136));
    check(&lenient, Metric::NominalAlpha(1.0), (-0.261911, 0.115993));
}

#[test]
fn an_average_over_k_classes_needs_k_times_k_plus_one_examples() {
    let macro_f1 = Metric::F(0.5, Average::Macro);
    // Three classes need twelve examples.
    let interval_of = |rows: usize| {
        let classes = "abc".repeat(rows);
        score(macro_f1, classes.get(..rows).unwrap(), classes.get(1..=rows).unwrap()).estimate.interval
    };
    assert!(interval_of(11).is_none() && interval_of(12).is_some());
    assert!(score(Metric::F(0.5, Average::Binary(0)), "a", "a").estimate.interval.is_none());
    assert!(score(Metric::F(0.5, Average::Weighted), "ab", "ab").estimate.interval.is_some());
}

#[test]
fn an_average_over_one_class_has_no_interval() {
    for average in [Average::Macro, Average::Weighted] {
        for recall in [PRECISION, 0.5, RECALL] {
            // The class that occurs is not the first.
            let one = score(Metric::F(recall, average), "bbbbbbbb", "bbbbbbbb");
            assert_eq!(one.estimate, Estimate { value: Some(1.0), interval: None }, "{average:?}, {recall}");
            assert!(one.has_one_class);
            let two = score(Metric::F(recall, average), "bbbbbbbbbbbc", "bbbbbbbbbbbc");
            assert!(two.estimate.interval.is_some() && !two.has_one_class, "{average:?}, {recall}");
        }
    }
    let accuracy = score(Metric::F(0.5, Average::Micro), "bbbbbbbb", "bbbbbbbb");
    assert_eq!(accuracy.estimate.interval, interval::wilson(8.0, 8.0, 0.95));
    assert!(!accuracy.has_one_class);
}

#[test]
fn undetermined_figures_are_undefined() {
    let nothing = |metric, outputs, references| {
        let estimate = score(metric, outputs, references).estimate;
        assert_eq!(estimate, Estimate { value: None, interval: None }, "{metric:?} of {outputs:?}");
    };
    nothing(Metric::F(0.5, Average::Micro), "", "");
    nothing(Metric::F(0.5, Average::Macro), "", "");
    nothing(Metric::F(PRECISION, Average::Binary(1)), "aa", "ab");
    nothing(Metric::F(RECALL, Average::Binary(1)), "ab", "aa");
    nothing(Metric::F(0.5, Average::Binary(1)), "aa", "aa");
    nothing(Metric::MatthewsCorrelation, "aa", "ab");
    assert_eq!(cohens_kappa("aa", "aa").estimate, Estimate { value: None, interval: None });
    assert!(!cohens_kappa("aa", "aa").has_too_few_labels);
    assert!(cohens_kappa("aaaa", "aaab").has_too_few_labels);
}

#[test]
fn cells_are_references_by_outputs() {
    let (outputs, references) = (numbered(ROWS.0), numbered(ROWS.1));
    let labels = Labels { outputs: &outputs, references: &references, units: &Units::of_rows(0) };
    // confusion_matrix(references, outputs)
    assert_eq!(labels.confusion_matrix(), [5, 1, 1, 0, 4, 1, 1, 1, 6]);
}
