//! Classification metrics: how outputs that are classes agree with the reference.
//!
//! Classes are numbers from 0. The metrics equal those of scikit-learn with `zero_division=np.nan`: undefined
//! values are `None` rather than 0 with a warning.

use super::clusters::{cautious_variance, correlation, freedom};
use super::interval::{self, Estimate, Interval, Settings, Units, effective_count, wilson};
use super::probability::{normal_quantile, student_quantile_between};
use crate::scale::{Scales, ScoreScale};
use serde::{Deserialize, Serialize};

/// The score scales, by result key; those of precision and recall are as for rankings.
pub const SCALES: &Scales = &[
    ("accuracy", ScoreScale::SHARE),
    ("f1_score", ScoreScale::SHARE),
    ("cohens_kappa", ScoreScale::CORRELATION),
    ("matthews_correlation", ScoreScale::CORRELATION),
];

/// The classes of all rows.
pub struct Labels<'a> {
    /// The class of each output.
    pub outputs: &'a [u32],
    /// The class of each reference.
    pub references: &'a [u32],
    /// The rows grouped into independent units.
    pub units: &'a Units,
}

/// A classification score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClassScore {
    /// The score, with its interval.
    pub estimate: Estimate,
    /// The classes whose value is undefined; they are left out of the average.
    pub undefined_classes: Vec<u32>,
    /// Whether the interval is missing because too few labels are outside of the most frequent class.
    pub has_too_few_labels: bool,
    /// Whether the interval is missing because only one class occurs: the others of the average were not drawn.
    pub has_one_class: bool,
}

/// How the values of the classes are averaged.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Average {
    /// The value of this class only.
    Binary(u32),
    /// Over all rows, whatever their class. With one class per row, this is the accuracy.
    Micro,
    /// The mean over the classes with a defined value.
    Macro,
    /// The mean weighted by how often each class occurs in the reference.
    Weighted,
}

/// A classification metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Metric {
    /// The F-beta score, given the weight of recall, `β² / (1 + β²)`: 0 for precision, 1/2 for F1, 1 for
    /// recall.
    F(f64, Average),
    /// The Matthews correlation coefficient for any number of classes (Gorodkin 2004), from -1 to 1.
    MatthewsCorrelation,
    /// Cohen's kappa: the agreement beyond chance, at most 1.
    CohensKappa,
    /// Krippendorff's alpha of two raters with the nominal metric, at most 1. It is corrected for the number of examples, given the
    /// mean number of rows of each.
    NominalAlpha(f64),
}

/// The counts of a class.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClassCounts {
    both: f64,
    output: f64,
    reference: f64,
}

impl ClassCounts {
    /// The denominator of the F-beta score; 0 if it is undefined.
    fn weighted(&self, recall: f64) -> f64 {
        self.reference * recall + self.output * (1.0 - recall)
    }

    /// The F-beta score; NaN if the class occurs neither in outputs nor in references.
    fn f(&self, recall: f64) -> f64 {
        self.both / self.weighted(recall)
    }
}

/// How much one more row changes a metric: the effects of its reference and of its output, and one more if these are equal.
#[derive(Debug, Clone, Copy, Default)]
struct Effect {
    reference: f64,
    output: f64,
    right: f64,
}

/// The least number of units outside of the most frequent class for an interval of a chance-corrected
/// coefficient. With fewer, 95% intervals covered the truth in 70% of samples, because the rare class is
/// hardly sampled.
pub const MIN_UNITS_OUTSIDE: f64 = 5.0;

/// For each class, half an independent row is added as right and as wrong: a rare class may have errors that the sample does not
/// show.
const UNSEEN: f64 = 0.5;

/// The sums of squared effects of the rows of a class.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    of_reference: f64,
    of_output: f64,
}

impl Spread {
    /// The spreads of unseen rows: for each class, `rows` right ones, and as many wrong ones on each side. The other side of a
    /// wrong row is any other class, in equal shares.
    fn of_unseen(effects: &[Effect], rows: f64) -> Vec<Self> {
        let (mut all, mut squares) = (Effect::default(), Effect::default());
        for Effect { reference, output, .. } in effects {
            all.reference += reference;
            all.output += output;
            squares.reference += reference * reference;
            squares.output += output * output;
        }
        let others = effects.len().saturating_sub(1).max(1) as f64;
        let spread = |Effect { reference, output, right }: &Effect| {
            let of_right = reference + output + right;
            // The mean of the squared sums with the other side.
            let of_rows = |own: f64, sum: f64, squares: f64| {
                rows * (of_right * of_right + own * own + (2.0 * own * sum + squares) / others)
            };
            Self {
                of_reference: of_rows(*reference, all.output - output, squares.output - output * output),
                of_output: of_rows(
                    *output,
                    all.reference - reference,
                    squares.reference - reference * reference,
                ),
            }
        };
        effects.iter().map(spread).collect()
    }
}

impl Labels<'_> {
    /// Counts the rows by class.
    pub fn tally(&self) -> Vec<ClassCounts> {
        let mut tallies = vec![ClassCounts::default(); self.classes()];
        for (output, reference) in self.outputs.iter().zip(self.references) {
            if let Some(tally) = tallies.get_mut(*output as usize) {
                tally.output += 1.0;
                tally.both += f64::from(output == reference);
            }
            if let Some(tally) = tallies.get_mut(*reference as usize) {
                tally.reference += 1.0;
            }
        }
        tallies
    }

    /// The number of classes.
    fn classes(&self) -> usize {
        self.outputs.iter().chain(self.references).fold(0, |most, class| most.max(*class as usize + 1))
    }

    /// The metric with its interval.
    pub fn score(&self, metric: Metric, settings: Settings) -> ClassScore {
        let tallies = self.tally();
        let score = metric.of(&tallies);
        let mut undefined_classes = Vec::new();
        if let Metric::F(recall, _) = metric
            && metric.is_average()
        {
            for (class, tally) in tallies.iter().enumerate() {
                if tally.f(recall).is_nan() {
                    undefined_classes.push(class as u32);
                }
            }
        }
        let has_too_few_labels = !score.is_nan() && has_too_few(metric, &tallies, self.units);
        let has_one_class = !score.is_nan() && metric.is_average() && occurring(&tallies) == 1;
        let leaves_out = undefined_classes
            .iter()
            .any(|class| tallies.get(*class as usize).is_some_and(|tally| tally.reference > 0.0));
        let interval = if score.is_nan() || has_too_few_labels || has_one_class || leaves_out {
            None
        } else if let Some((right, units)) = self.rate(metric) {
            interval::of_mean(&right, &units, settings)
        } else {
            self.interval(metric, &tallies, score, settings.level)
        };
        let estimate = Estimate::new(score, interval);
        ClassScore { estimate, undefined_classes, has_too_few_labels, has_one_class }
    }

    /// The interval of a metric that is not a rate: Wilson's with the effective sample size, for which a rate would have the
    /// variance of the metric. The variance is computed from the summed effects of the rows of each unit (the infinitesimal
    /// jackknife of Jaeckel, 1972).
    ///
    /// `None` with fewer than two units. Averages over classes of one or two rows each are biased, so those over k classes need
    /// k · (k + 1) units. `tests/simulations/claims/class-scores.mjs` simulates the coverage.
    pub fn interval(
        &self,
        metric: Metric,
        tallies: &[ClassCounts],
        score: f64,
        level: f64,
    ) -> Option<Interval> {
        let units = self.units;
        let (rows, classes) = (units.rows() as f64, tallies.len());
        let needed = if metric.is_mean_of_classes() { classes * (classes + 1) } else { 2 };
        if units.count() < needed {
            return None;
        }
        // Rows of a unit that differ are worth more than one. An unseen error is still one of a whole unit.
        let worth = rows / self.independent_rows(level);
        let supposed: Vec<ClassCounts> =
            tallies.iter().map(|tally| metric.with_unseen(*tally, UNSEEN * worth)).collect();
        let center = metric.of(&supposed);
        let effects = metric.effects(&supposed, center);
        let effect = |class: u32| effects.get(class as usize).copied().unwrap_or_default();
        let of_rows = self.outputs.iter().zip(self.references).map(|(output, reference)| {
            let right = if output == reference { effect(*output).right } else { 0.0 };
            effect(*reference).reference + effect(*output).output + right
        });
        let of_rows: Vec<f64> = of_rows.collect();
        let unseen = Spread::of_unseen(&effects, UNSEEN * worth);
        // The rows of a unit are alike.
        let variance = cautious_variance(&of_rows, units, correlation(&of_rows, units)) * rows * rows
            + rows / units.count() as f64 * unseen.iter().map(|spread| spread.of_reference).sum::<f64>();
        let freedom = freedom(units, 0.0).min(self.freedom_of_classes(tallies, unseen, &of_rows, worth));
        // As shares of the range of the metric.
        let (least, range) = metric.range();
        let share = |value: f64| ((value - least) / range).clamp(0.0, 1.0);
        let spread = share(center) * (1.0 - share(center)) * range * range;
        let ratio = normal_quantile(level) / student_quantile_between(level, freedom);
        let count = spread / variance * ratio * ratio;
        let Interval { low, high, .. } = wilson(share(score) * count, count, level)?;
        Interval::between((least + low * range).min(score), (least + high * range).max(score), level)
    }

    /// The number of rows with as much information about the rate of right ones, if all were independent: as many as units, if each
    /// unit is all right or all wrong.
    fn independent_rows(&self, level: f64) -> f64 {
        let (right, _) = self.right_among(|_, _| true);
        effective_count(&right, self.units, level).max(self.units.count() as f64)
    }

    /// The degrees of freedom of the variance of a metric: those of the classes on which it depends most, of references or of outputs.
    fn freedom_of_classes(
        &self,
        tallies: &[ClassCounts],
        mut spreads: Vec<Spread>,
        effects_of_rows: &[f64],
        worth: f64,
    ) -> f64 {
        for ((output, reference), effect) in self.outputs.iter().zip(self.references).zip(effects_of_rows) {
            if let Some(spread) = spreads.get_mut(*reference as usize) {
                spread.of_reference += effect * effect;
            }
            if let Some(spread) = spreads.get_mut(*output as usize) {
                spread.of_output += effect * effect;
            }
        }
        // Satterthwaite, *An approximate distribution of estimates of variance components*, 1946.
        let mut sums = [(0.0, 0.0); 2];
        for (tally, spread) in tallies.iter().zip(&spreads) {
            let sides = [(tally.reference, spread.of_reference), (tally.output, spread.of_output)];
            for ((all, squares), (rows, part)) in sums.iter_mut().zip(sides) {
                *all += part;
                // Two more for each class, also for one without rows: with none, the intervals of a class that was never answered are
                // too wide, and with four, those of macro averages cover 85 to 89% in some designs.
                *squares += part * part / (rows / worth + 2.0);
            }
        }
        let [of_references, of_outputs] = sums.map(|(all, squares)| all * all / squares);
        of_references.min(of_outputs)
    }

    /// The rate that a metric equals, if it is one: 1 for each correct row and 0 for the others, with the
    /// units of these rows.
    fn rate(&self, metric: Metric) -> Option<(Vec<f64>, Units)> {
        match metric {
            Metric::F(_, Average::Micro) => Some(self.right_among(|_, _| true)),
            Metric::F(0.0, Average::Binary(class)) => Some(self.right_among(|output, _| output == class)),
            Metric::F(1.0, Average::Binary(class)) => {
                Some(self.right_among(|_, reference| reference == class))
            }
            _ => None,
        }
    }

    /// 1 for each correct row and 0 for the others, of those that count, with their units.
    fn right_among(&self, counts: impl Fn(u32, u32) -> bool) -> (Vec<f64>, Units) {
        let rows = || self.outputs.iter().copied().zip(self.references.iter().copied());
        let counted: Vec<bool> = rows().map(|(output, reference)| counts(output, reference)).collect();
        let right = rows().zip(&counted).filter(|(_, is_counted)| **is_counted);
        let right = right.map(|((output, reference), _)| f64::from(output == reference)).collect();
        (right, self.units.of_some(&|row| counted.get(row) == Some(&true)))
    }

    /// The confusion matrix, row by row: references are rows, outputs are columns.
    pub fn confusion_matrix(&self) -> Vec<u32> {
        let classes = self.classes();
        let mut cells = vec![0; classes * classes];
        for (output, reference) in self.outputs.iter().zip(self.references) {
            if let Some(cell) = cells.get_mut(*reference as usize * classes + *output as usize) {
                *cell += 1;
            }
        }
        cells
    }
}

/// Whether too few examples are outside of the reference's most frequent class for a chance-corrected metric.
fn has_too_few(metric: Metric, tallies: &[ClassCounts], units: &Units) -> bool {
    let rows = units.rows() as f64;
    let most = tallies.iter().map(|tally| tally.reference).fold(0.0, f64::max);
    !matches!(metric, Metric::F(..)) && (rows - most) * units.count() as f64 / rows < MIN_UNITS_OUTSIDE
}

/// The number of classes that occur in the outputs or the references.
fn occurring(tallies: &[ClassCounts]) -> usize {
    tallies.iter().filter(|tally| tally.output + tally.reference > 0.0).count()
}

impl Average {
    /// The weight of a class in the average.
    fn weight(self, class: usize, tally: &ClassCounts) -> f64 {
        match self {
            Self::Binary(wanted) => f64::from(class == wanted as usize),
            Self::Weighted => tally.reference,
            Self::Micro | Self::Macro => 1.0,
        }
    }
}

impl Metric {
    /// The value of the metric; NaN if it is undefined.
    fn of(self, tallies: &[ClassCounts]) -> f64 {
        let sums = Sums::of(tallies);
        match self {
            Self::MatthewsCorrelation => {
                // The agreement beyond chance. One root, so that perfect predictions have exactly 1.
                (sums.both * sums.rows - sums.chance)
                    / (sums.varied_outputs() * sums.varied_references()).sqrt()
            }
            Self::CohensKappa => {
                (sums.both * sums.rows - sums.chance) / (sums.rows * sums.rows - sums.chance)
            }
            Self::NominalAlpha(runs) => {
                1.0 - 2.0 * (sums.rows - sums.both) * (2.0 * sums.rows - runs) / sums.varied_ratings()
            }
            Self::F(_, Average::Micro) => sums.both / sums.rows,
            Self::F(recall, average) => {
                let (mut sum, mut weights) = (0.0, 0.0);
                for (class, tally) in tallies.iter().enumerate() {
                    let (f, weight) = (tally.f(recall), average.weight(class, tally));
                    if !f.is_nan() {
                        sum += f * weight;
                        weights += weight;
                    }
                }
                sum / weights
            }
        }
    }

    /// The derivatives of the metric by the counts, given its value.
    fn effects(self, tallies: &[ClassCounts], value: f64) -> Vec<Effect> {
        let sums = Sums::of(tallies);
        match self {
            Self::MatthewsCorrelation => {
                let (outputs, references) = (sums.varied_outputs(), sums.varied_references());
                let root = (outputs * references).sqrt();
                let effect = |tally: &ClassCounts| Effect {
                    reference: (sums.both - tally.output) / root
                        - value * (sums.rows - tally.reference) / references,
                    output: -tally.reference / root - value * (sums.rows - tally.output) / outputs,
                    right: sums.rows / root,
                };
                tallies.iter().map(effect).collect()
            }
            Self::CohensKappa => {
                let expected = sums.rows * sums.rows - sums.chance;
                let effect = |tally: &ClassCounts| Effect {
                    reference: (sums.both - tally.output - value * (2.0 * sums.rows - tally.output))
                        / expected,
                    output: tally.reference * (value - 1.0) / expected,
                    right: sums.rows / expected,
                };
                tallies.iter().map(effect).collect()
            }
            Self::NominalAlpha(runs) => {
                let (ratings, expected) = (2.0 * sums.rows, sums.varied_ratings());
                let wrong = 2.0 * (sums.rows - sums.both);
                // Of one rating more of a class.
                let of_rating = |rated: f64| {
                    wrong * (ratings - runs) * 2.0 * (ratings - rated) / (expected * expected)
                        - wrong / expected
                };
                let of_wrong = 2.0 * (ratings - runs) / expected;
                let effect = |tally: &ClassCounts| {
                    let own = of_rating(tally.output + tally.reference);
                    Effect { reference: own - of_wrong, output: own, right: of_wrong }
                };
                tallies.iter().map(effect).collect()
            }
            Self::F(recall, average) => {
                let defined = |tally: &ClassCounts| tally.weighted(recall) > 0.0;
                let weights: f64 = tallies
                    .iter()
                    .enumerate()
                    .filter(|(_, tally)| defined(tally))
                    .map(|(class, tally)| average.weight(class, tally))
                    .sum();
                let effect = |(class, tally): (usize, &ClassCounts)| {
                    if !defined(tally) {
                        return Effect::default();
                    }
                    let f = tally.f(recall);
                    let share = average.weight(class, tally) / weights / tally.weighted(recall);
                    let of_weight = if average == Average::Weighted { (f - value) / weights } else { 0.0 };
                    Effect {
                        reference: of_weight - share * f * recall,
                        output: -share * f * (1.0 - recall),
                        right: share,
                    }
                };
                tallies.iter().enumerate().map(effect).collect()
            }
        }
    }

    /// The counts of a class after adding `rows` right rows, and as many wrong ones on each side. A class for which the metric is
    /// undefined stays so.
    fn with_unseen(self, tally: ClassCounts, rows: f64) -> ClassCounts {
        if let Self::F(recall, _) = self
            && tally.weighted(recall) == 0.0
        {
            return ClassCounts::default();
        }
        let ClassCounts { both, output, reference } = tally;
        ClassCounts { both: both + rows, output: output + 2.0 * rows, reference: reference + 2.0 * rows }
    }

    /// Whether it averages over the classes that occur.
    fn is_average(self) -> bool {
        matches!(self, Self::F(_, Average::Macro | Average::Weighted))
    }

    /// Whether each class counts the same.
    fn is_mean_of_classes(self) -> bool {
        matches!(self, Self::F(_, Average::Macro))
    }

    /// The lowest value, and the distance of the highest from it.
    fn range(self) -> (f64, f64) {
        match self {
            Self::F(..) => (0.0, 1.0),
            _ => (-1.0, 2.0),
        }
    }
}

/// Sums over the classes.
#[derive(Default)]
struct Sums {
    rows: f64,
    both: f64,
    /// The sum of the products of output count and reference count.
    chance: f64,
    /// The sum of the squared output counts.
    outputs: f64,
    /// The sum of the squared reference counts.
    references: f64,
}

impl Sums {
    fn of(tallies: &[ClassCounts]) -> Self {
        let mut sums = Self::default();
        for ClassCounts { both, output, reference } in tallies {
            sums.rows += reference;
            sums.both += both;
            sums.chance += output * reference;
            sums.outputs += output * output;
            sums.references += reference * reference;
        }
        sums
    }

    /// The number of ordered pairs of rows whose outputs differ.
    fn varied_outputs(&self) -> f64 {
        self.rows * self.rows - self.outputs
    }

    /// The number of ordered pairs of rows whose references differ.
    fn varied_references(&self) -> f64 {
        self.rows * self.rows - self.references
    }

    /// The number of ordered pairs of different ratings, of both sides.
    fn varied_ratings(&self) -> f64 {
        4.0 * self.rows * self.rows - self.outputs - self.references - 2.0 * self.chance
    }
}

#[cfg(test)]
mod tests;
