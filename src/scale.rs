//! The meaning of a metric's scores. Each metric declares it once, in the `SCALES` table of its module.
//! Combinations, matchers, statistics and reports all read that record.
//!
//! The package needs the records before it loads a binary, so `pkg-template/src/core/scales.ts` is generated
//! from these tables. A test fails when that file is out of date; `UPDATE_SCALES=1 cargo test scales` writes
//! it.

/// Which scores of a metric are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// High numbers, or `true`.
    Higher,
    /// Low numbers, or `false`.
    Lower,
}

/// The range, direction, pass mark and unit of a metric's scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreScale {
    /// The lowest possible score, if there is one.
    pub min: Option<f64>,
    /// The highest possible score, if there is one.
    pub max: Option<f64>,
    /// Which scores are better; `None` where it depends on the use, as for the length of a text.
    pub direction: Option<Direction>,
    /// The first number that passes; `None` for a metric without a conventional threshold.
    pub pass_at: Option<f64>,
    /// The unit of the scores.
    pub unit: Option<&'static str>,
}

/// The scales of a family of metrics, by result key, or by a fixed name if callers choose the key.
pub type Scales = [(&'static str, ScoreScale)];

impl ScoreScale {
    /// `true` or `false`. Also the default for functions that declare no scale.
    pub const VERDICT: Self =
        Self { min: None, max: None, direction: Some(Direction::Higher), pass_at: Some(1.0), unit: None };

    /// From 0 to 1; 1 is best.
    pub const SHARE: Self = Self { min: Some(0.0), max: Some(1.0), ..Self::VERDICT };

    /// From 0 to 1; 0 is best.
    pub const LOSS: Self = Self { direction: Some(Direction::Lower), pass_at: Some(0.0), ..Self::SHARE };

    /// From -1 to 1, as correlations are; 1 is best.
    pub const CORRELATION: Self = Self { min: Some(-1.0), ..Self::SHARE };

    /// From 0 to 100; 100 is best.
    pub const PERCENTAGE: Self =
        Self { max: Some(100.0), pass_at: Some(100.0), unit: Some("points"), ..Self::SHARE };

    /// An index without a better or worse direction, such as a readability grade.
    pub const fn index(unit: &'static str) -> Self {
        Self { min: None, max: None, direction: None, pass_at: None, unit: Some(unit) }
    }

    /// A count or a ratio without a better or worse direction.
    pub const fn count(unit: Option<&'static str>) -> Self {
        Self { min: Some(0.0), max: None, direction: None, pass_at: None, unit }
    }

    /// A rate of errors per `unit`; 0 is best, and it can exceed 1.
    pub const fn errors(unit: &'static str) -> Self {
        Self { max: None, unit: Some(unit), ..Self::LOSS }
    }
}

#[cfg(test)]
mod tests;
