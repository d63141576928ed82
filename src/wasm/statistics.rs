//! Metrics and statistics over all rows of an experiment.
//!
//! Columns cross as typed arrays, with a number for each row; `examples` has the example of each row, so that
//! repetitions are known; without it, no row is a repetition. `clusters` has the cluster of
//! each row, if there are clusters. `units` has its cluster, or its example if there are no clusters. Options and results are declared by the engine.

use super::objects::to_ts;
use super::{from_js, text};
use crate::error::Result;
use crate::statistics::agreement::{self, AgreementMeasure, Ratings};
use crate::statistics::classification::{Average, ClassScore, Labels, Metric};
use crate::statistics::confidences;
use crate::statistics::descriptive::{self, Distribution};
use crate::statistics::expected_score::{self, ScoreDistribution, ScoredAnswer};
use crate::statistics::interval::{self, Estimate, Interval, Settings, UNBOUNDED, Units};
use crate::statistics::labels::{self, Classes};
use crate::statistics::margin::{self, MarginQuestion, MarginTest};
use crate::statistics::pass_at_k::{self, PassChance, Passes};
use crate::statistics::plan::{self, PlanOptions, PlannedFigures};
use crate::statistics::quantile;
use crate::statistics::rank::{Comparisons, EloSettings, Strength};
use crate::statistics::repetitions::{self, RepetitionStatistics};
use crate::statistics::rows::Rows;
use crate::statistics::sequence::{self, SequenceLook, SequenceQuestion};
use crate::statistics::share;
use crate::statistics::significance::{self, Bounds, Correction, Difference};
use crate::statistics::slices::{self, SliceDifference, SlicedRows};
use crate::statistics::split;
use crate::statistics::true_rate::{self, CorrectionMethod, VerdictCounts};
use crate::statistics::wins::{self, Wins};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The mean of scores, given the ends of their scale.
#[wasm_bindgen(js_name = meanOf)]
pub fn mean_of(
    scores: &[f64],
    min: Option<f64>,
    max: Option<f64>,
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<Estimate>, JsValue> {
    let rows = Rows::new(scores.len(), examples.as_deref(), clusters.as_deref());
    let (least, most) = UNBOUNDED;
    let range = (min.unwrap_or(least), max.unwrap_or(most));
    to_ts(&interval::mean(&rows.ordered(scores), range, rows.units(), from_js(&settings)?))
}

/// A quantile of scores, `at` from 0 to 1.
#[wasm_bindgen(js_name = quantileOf)]
pub fn quantile_of(
    scores: &[f64],
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    at: f64,
    settings: Ts<Settings>,
) -> Result<Ts<Estimate>, JsValue> {
    let rows = Rows::new(scores.len(), examples.as_deref(), clusters.as_deref());
    to_ts(&quantile::quantile_of(&rows.ordered(scores), at, rows.units(), from_js(&settings)?))
}

/// The distribution of boolean scores: 1 for `true`, 0 for `false`.
#[wasm_bindgen(js_name = distributionOfBooleans)]
pub fn distribution_of_booleans(scores: &[f64]) -> Result<Ts<Distribution>, JsValue> {
    to_ts(&Distribution::of_booleans(scores))
}

/// The distribution of scores; `undefined` if a figure is beyond the range of numbers.
#[wasm_bindgen(js_name = distributionOfNumbers)]
pub fn distribution_of_numbers(
    scores: &[f64],
    min: Option<f64>,
    max: Option<f64>,
) -> Result<Option<Ts<Distribution>>, JsValue> {
    Distribution::of_numbers(scores, min.zip(max)).as_ref().map(to_ts).transpose()
}

/// The difference between the scores of the same rows. It is at most `most`, if that is known.
#[wasm_bindgen(js_name = differenceOf)]
pub fn difference_of(
    from: &[f64],
    to: &[f64],
    most: Option<f64>,
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<Difference>, JsValue> {
    let rows = Rows::new(from.len(), examples.as_deref(), clusters.as_deref());
    let (from, to) = (rows.ordered(from), rows.ordered(to));
    let mut found = significance::compare(&from, &to, rows.units(), from_js(&settings)?);
    found.interval = within(found.interval, found.difference, most);
    to_ts(&found)
}

/// The part of the interval of a difference that is at most `most` from zero.
fn within(interval: Option<Interval>, difference: Option<f64>, most: Option<f64>) -> Option<Interval> {
    let most = most.unwrap_or(f64::INFINITY);
    Some(interval?.within((-most, most), difference?))
}

/// The fewest units that have to gain, if none loses, for a p-value of at most `p_value`.
#[wasm_bindgen(js_name = fewestGains)]
pub fn fewest_gains(p_value: f64) -> u32 {
    significance::fewest_gains(p_value)
}

/// Whether each row is held out (1) or not (0), by units and strata.
#[wasm_bindgen(js_name = heldOut)]
pub fn held_out(
    units: &[u32],
    strata: &[f64],
    share: f64,
    settings: Ts<Settings>,
) -> Result<Vec<u8>, JsValue> {
    Ok(split::held_out(units, strata, share, from_js(&settings)?.seed))
}

/// The distribution of the score by the token probabilities of the answer; `undefined` if these are not sufficient.
#[wasm_bindgen(js_name = scoresOfTokens)]
pub fn scores_of_tokens(answer: Ts<ScoredAnswer>) -> Result<Option<Ts<ScoreDistribution>>, JsValue> {
    expected_score::from_tokens(&from_js(&answer)?).as_ref().map(to_ts).transpose()
}

/// The distribution of the score over several samples; `undefined` without samples.
#[wasm_bindgen(js_name = scoresOfVotes)]
pub fn scores_of_votes(votes: &[u32]) -> Result<Option<Ts<ScoreDistribution>>, JsValue> {
    expected_score::from_votes(votes).as_ref().map(to_ts).transpose()
}

/// The mean of scores, without an interval; NaN without scores.
#[wasm_bindgen]
pub fn mean(scores: &[f64]) -> f64 {
    descriptive::mean(scores)
}

/// The bounds of a difference over all possible values of the scores that one side lacks, given the ends of their scale.
#[wasm_bindgen(js_name = boundsOf)]
pub fn bounds_of(
    from: &[f64],
    to: &[f64],
    lost: &[f64],
    added: &[f64],
    min: Option<f64>,
    max: Option<f64>,
) -> Result<Option<Ts<Bounds>>, JsValue> {
    significance::bounds(from, to, lost, added, min.zip(max)).as_ref().map(to_ts).transpose()
}

/// P-values adjusted for multiple tests. `least` has the smallest p-value that each could have; by default, any is possible.
#[wasm_bindgen]
pub fn adjusted(
    p_values: &[f64],
    correction: Ts<Correction>,
    least: Option<Vec<f64>>,
) -> Result<Vec<f64>, JsValue> {
    Ok(significance::adjusted(p_values, from_js(&correction)?, &least.unwrap_or_default()))
}

/// The probability that attempts pass (pass@k or pass^k); `passed` is 1 or 0 for each attempt.
#[wasm_bindgen(js_name = passChance)]
pub fn pass_chance(
    passes: Ts<Passes>,
    k: f64,
    passed: &[f64],
    examples: Vec<u32>,
    level: f64,
) -> Result<Ts<PassChance>, JsValue> {
    let rows = Rows::new(passed.len(), Some(&examples), None);
    to_ts(&pass_at_k::chance(from_js(&passes)?, k, &rows.ordered(passed), rows.units(), level))
}

/// The class of each label in a JSON list.
#[wasm_bindgen(js_name = classesOf)]
pub fn classes_of(labels: &[u8]) -> Result<Ts<Classes>, JsValue> {
    to_ts(&labels::classes(text(labels)?)?)
}

/// The most frequent class of a row's labels; `undefined` in a tie.
#[wasm_bindgen(js_name = majorityOf)]
pub fn majority_of(classes: &[u32]) -> Option<u32> {
    labels::majority(classes)
}

/// The confusion matrix, row by row: references are rows, outputs are columns.
#[wasm_bindgen(js_name = confusionMatrix)]
pub fn confusion_matrix(outputs: &[u32], references: &[u32]) -> Vec<u32> {
    Labels { outputs, references, units: &Units::of_rows(0) }.confusion_matrix()
}

/// The F-beta score, given the weight of recall: 0 for precision, 1/2 for F1, 1 for recall.
#[wasm_bindgen(js_name = fScore)]
pub fn f_score(
    recall: f64,
    average: Ts<Average>,
    outputs: &[u32],
    references: &[u32],
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<ClassScore>, JsValue> {
    let (metric, settings) = (Metric::F(recall, from_js(&average)?), from_js(&settings)?);
    class_score(outputs, references, examples, clusters, |labels| labels.score(metric, settings))
}

/// Cohen's kappa.
#[wasm_bindgen(js_name = cohensKappa)]
pub fn cohens_kappa(
    outputs: &[u32],
    references: &[u32],
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<ClassScore>, JsValue> {
    let settings = from_js(&settings)?;
    class_score(outputs, references, examples, clusters, |labels| labels.score(Metric::CohensKappa, settings))
}

/// The Matthews correlation coefficient.
#[wasm_bindgen(js_name = matthewsCorrelation)]
pub fn matthews_correlation(
    outputs: &[u32],
    references: &[u32],
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<ClassScore>, JsValue> {
    let settings = from_js(&settings)?;
    class_score(outputs, references, examples, clusters, |labels| {
        labels.score(Metric::MatthewsCorrelation, settings)
    })
}

fn class_score(
    outputs: &[u32],
    references: &[u32],
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    score: impl FnOnce(&Labels) -> ClassScore,
) -> Result<Ts<ClassScore>, JsValue> {
    let rows = Rows::new(outputs.len(), examples.as_deref(), clusters.as_deref());
    let (outputs, references) = (rows.ordered(outputs), rows.ordered(references));
    to_ts(&score(&Labels { outputs: &outputs, references: &references, units: rows.units() }))
}

/// The standard error of a mean; `undefined` if it cannot be estimated.
#[wasm_bindgen(js_name = standardErrorOf)]
pub fn standard_error_of(scores: &[f64], units: Option<Vec<u32>>) -> Option<f64> {
    let rows = Rows::new(scores.len(), units.as_deref(), None);
    interval::standard_error(&rows.ordered(scores), rows.units())
}

/// Tests whether a difference is less than a margin.
#[wasm_bindgen(js_name = withinMargin)]
pub fn within_margin(
    from: &[f64],
    to: &[f64],
    units: Option<Vec<u32>>,
    margin: f64,
    low: f64,
    high: f64,
    settings: Ts<Settings>,
) -> Result<Ts<MarginTest>, JsValue> {
    let rows = Rows::new(from.len(), units.as_deref(), None);
    let (from, to) = (rows.ordered(from), rows.ordered(to));
    to_ts(&margin::within_margin(
        &from,
        &to,
        rows.units(),
        MarginQuestion { margin, low, high },
        from_js(&settings)?,
    ))
}

/// The variance between repetitions of an example; `undefined` without repetitions.
#[wasm_bindgen(js_name = repetitionStatistics)]
pub fn repetition_statistics(
    scores: &[f64],
    examples: Vec<u32>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Option<Ts<RepetitionStatistics>>, JsValue> {
    let rows = Rows::new(scores.len(), Some(&examples), clusters.as_deref());
    let clusters = clusters.map(|clusters| rows.ordered(&clusters));
    let found = repetitions::repetition_statistics(
        &rows.ordered(scores),
        &Units::of(&rows.ordered(&examples)),
        clusters.as_deref(),
        from_js(&settings)?,
    );
    found.as_ref().map(to_ts).transpose()
}

/// Power analysis: computes the one of rows, difference and power that is left out.
#[wasm_bindgen]
pub fn plan(options: Ts<PlanOptions>) -> Result<Ts<PlannedFigures>, JsValue> {
    to_ts(&plan::plan(&from_js(&options)?))
}

/// How the scores of slices differ from the rest, at most by `most`. `starts` says where each slice begins in `members`, which
/// are rows.
#[wasm_bindgen(js_name = sliceDifferences)]
pub fn slice_differences(
    scores: &[f64],
    examples: &[u32],
    clusters: Option<Vec<u32>>,
    starts: &[u32],
    members: &[u32],
    most: Option<f64>,
    settings: Ts<Settings>,
) -> Result<Vec<Ts<SliceDifference>>, JsValue> {
    let slices: Vec<&[u32]> = starts
        .iter()
        .enumerate()
        .map(|(slice, start)| {
            let end = starts.get(slice + 1).map_or(members.len(), |end| *end as usize);
            members.get(*start as usize..end).unwrap_or_default()
        })
        .collect();
    let rows = SlicedRows { scores, examples, clusters: clusters.as_deref() };
    let found = slices::differences(&rows, &slices, from_js(&settings)?);
    let within = |one: SliceDifference| SliceDifference {
        interval: within(one.interval, one.difference, most),
        ..one
    };
    found.into_iter().map(|one| to_ts(&within(one))).collect()
}

/// Bradley-Terry strengths.
#[wasm_bindgen(js_name = bradleyTerry)]
pub fn bradley_terry(
    names: usize,
    first: &[u32],
    second: &[u32],
    scores: &[f64],
    examples: &[u32],
    clusters: Option<Vec<u32>>,
    level: f64,
) -> Result<Vec<Ts<Strength>>, JsValue> {
    let comparisons = Comparisons::new(first, second, scores, examples, clusters.as_deref());
    comparisons.bradley_terry(names, level).iter().map(to_ts).collect()
}

/// Whether a chain of comparisons links any two competitors.
#[wasm_bindgen(js_name = areLinked)]
pub fn are_linked(names: usize, first: &[u32], second: &[u32]) -> bool {
    let each: Vec<u32> = (0..first.len() as u32).collect();
    Comparisons::new(first, second, &vec![0.5; first.len()], &each, None).are_linked(names)
}

/// The win rate of the first of two competitors. A win is 1, a tie 0.5, a loss 0.
#[wasm_bindgen(js_name = winsOf)]
pub fn wins_of(
    scores: &[f64],
    examples: Vec<u32>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<Wins>, JsValue> {
    let rows = Rows::new(scores.len(), Some(&examples), clusters.as_deref());
    to_ts(&wins::wins(&rows.ordered(scores), rows.units(), from_js(&settings)?))
}

/// Elo ratings after the comparisons in their order.
#[wasm_bindgen]
pub fn elo(
    names: usize,
    first: &[u32],
    second: &[u32],
    scores: &[f64],
    units: &[u32],
    elo: Ts<EloSettings>,
    settings: Ts<Settings>,
) -> Result<Vec<Ts<Strength>>, JsValue> {
    let comparisons = Comparisons::new(first, second, scores, units, None);
    comparisons.elo(names, from_js(&elo)?, from_js(&settings)?).iter().map(to_ts).collect()
}

/// Inter-rater agreement. `ratings` has the ratings of each rater in turn, NaN where a rating is missing; `classes` is the
/// least number of classes.
#[wasm_bindgen(js_name = agreementOf)]
pub fn agreement_of(
    measure: Ts<AgreementMeasure>,
    ratings: &[f64],
    raters: usize,
    classes: u32,
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<Estimate>, JsValue> {
    let count = ratings.len() / raters.max(1);
    let rows = Rows::new(count, examples.as_deref(), clusters.as_deref());
    let raters: Vec<Vec<f64>> = ratings.chunks(count.max(1)).map(|rater| rows.ordered(rater)).collect();
    let ratings = Ratings { raters: &raters, classes };
    to_ts(&agreement::agreement(from_js(&measure)?, &ratings, rows.units(), from_js(&settings)?))
}

/// The mean of values between 0 and 1.
#[wasm_bindgen(js_name = meanShare)]
pub fn mean_share(
    values: &[f64],
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    level: f64,
) -> Result<Ts<Estimate>, JsValue> {
    let rows = Rows::new(values.len(), examples.as_deref(), clusters.as_deref());
    to_ts(&share::of_values(&rows.ordered(values), rows.units(), level))
}

/// The flip rate: how often two runs on the same example return different classes.
#[wasm_bindgen(js_name = flipRate)]
pub fn flip_rate(classes: &[f64], examples: Option<Vec<u32>>, level: f64) -> Result<Ts<Estimate>, JsValue> {
    let rows = Rows::new(classes.len(), examples.as_deref(), None);
    to_ts(&share::flip_rate(&rows.ordered(classes), rows.units(), level))
}

/// The expected calibration error; NaN without values.
#[wasm_bindgen(js_name = calibrationError)]
pub fn calibration_error(probabilities: &[f64], outcomes: &[f64]) -> f64 {
    confidences::calibration_error(probabilities, outcomes)
}

/// Bias towards some rows: the mean excess (score minus label) where `favoured` is 1, minus that of the other rows.
#[wasm_bindgen(js_name = favourOf)]
pub fn favour_of(
    scores: &[f64],
    labels: &[f64],
    favoured: &[f64],
    examples: Option<Vec<u32>>,
    clusters: Option<Vec<u32>>,
    settings: Ts<Settings>,
) -> Result<Ts<Estimate>, JsValue> {
    let rows = Rows::new(scores.len(), examples.as_deref(), clusters.as_deref());
    let [scores, labels, favoured] = [scores, labels, favoured].map(|column| rows.ordered(column));
    to_ts(&confidences::favour(&scores, &labels, &favoured, rows.units(), from_js(&settings)?))
}

/// The effective sample size: the number of independent rows with as much information about a rate.
#[wasm_bindgen(js_name = effectiveCount)]
pub fn effective_count(scores: &[f64], examples: Vec<u32>, clusters: Option<Vec<u32>>, level: f64) -> f64 {
    let rows = Rows::new(scores.len(), Some(&examples), clusters.as_deref());
    interval::effective_count(&rows.ordered(scores), rows.units(), level)
}

/// The true rate, corrected for the errors of a judge.
#[wasm_bindgen(js_name = trueRate)]
pub fn true_rate(
    method: Ts<CorrectionMethod>,
    positives: f64,
    count: f64,
    counts: Ts<VerdictCounts>,
    level: f64,
) -> Result<Ts<Estimate>, JsValue> {
    to_ts(&true_rate::correct(from_js(&method)?, positives, count, from_js(&counts)?, level))
}

/// The true difference of two rates, corrected for the errors of a judge.
#[wasm_bindgen(js_name = trueDifference)]
pub fn true_difference(
    from: &[f64],
    to: &[f64],
    examples: &[u32],
    clusters: Option<Vec<u32>>,
    counts: Ts<VerdictCounts>,
    p_value: f64,
    settings: Ts<Settings>,
) -> Result<Ts<Estimate>, JsValue> {
    let rows = Rows::new(from.len(), Some(examples), clusters.as_deref());
    let (from, to) = (rows.ordered(from), rows.ordered(to));
    let (counts, settings) = (from_js(&counts)?, from_js(&settings)?);
    to_ts(&true_rate::correct_difference(&from, &to, rows.units(), counts, settings, p_value))
}

/// A confidence sequence before its first score.
#[wasm_bindgen(js_name = beginSequence)]
pub fn begin_sequence() -> Vec<f64> {
    sequence::begin()
}

/// The estimate after further scores. Unknown scores are between a low and a high bound.
#[wasm_bindgen(js_name = observeScores)]
pub fn observe_scores(
    sequence: &mut [f64],
    lows: &[f64],
    highs: &[f64],
    question: Ts<SequenceQuestion>,
) -> Result<Ts<SequenceLook>, JsValue> {
    to_ts(&sequence::observe(sequence, lows, highs, from_js(&question)?))
}
