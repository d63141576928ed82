//! What the scores of a metric mean. Every metric declares it once, in the table `SCALES` of its module; combinations,
//! matchers, statistics and reports all read that record.
//!
//! The package needs it before any binary is loaded, so `pkg-template/src/core/scales.ts` is generated from these tables. The
//! test below fails when that file is out of date, and writes it with `UPDATE_SCALES=1 cargo test scales`.

/// Which scores of a metric are good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// `true` and high numbers.
    Higher,
    /// `false` and low numbers.
    Lower,
}

/// The range, the direction, the pass mark and the unit of a metric's scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreScale {
    /// The lowest score, if there is one.
    pub min: Option<f64>,
    /// The highest score, if there is one.
    pub max: Option<f64>,
    /// Which scores are good; none where it depends on the use, such as for the length of a text.
    pub direction: Option<Direction>,
    /// The first number that passes; none where no number is natural.
    pub pass_at: Option<f64>,
    /// What the scores are counted in.
    pub unit: Option<&'static str>,
}

/// The scales of a family of metrics, by the keys of their results; by a name where callers choose the key.
pub type Scales = [(&'static str, ScoreScale)];

impl ScoreScale {
    /// `true` or `false`, and whatever a function scores that declares nothing.
    pub const VERDICT: Self =
        Self { min: None, max: None, direction: Some(Direction::Higher), pass_at: Some(1.0), unit: None };

    /// From 0 to 1, which is best.
    pub const SHARE: Self = Self { min: Some(0.0), max: Some(1.0), ..Self::VERDICT };

    /// From 0, which is best, to 1.
    pub const LOSS: Self = Self { direction: Some(Direction::Lower), pass_at: Some(0.0), ..Self::SHARE };

    /// From 0 to 100, which is best.
    pub const PERCENTAGE: Self =
        Self { max: Some(100.0), pass_at: Some(100.0), unit: Some("points"), ..Self::SHARE };

    /// An index: neither more nor less of it is better as such.
    pub const fn index(unit: &'static str) -> Self {
        Self { min: None, max: None, direction: None, pass_at: None, unit: Some(unit) }
    }

    /// A count or a ratio, of which neither more nor less is better as such.
    pub const fn count(unit: Option<&'static str>) -> Self {
        Self { min: Some(0.0), max: None, direction: None, pass_at: None, unit }
    }

    /// Errors for each of something, of which there may be more than one.
    pub const fn errors(unit: &'static str) -> Self {
        Self { max: None, unit: Some(unit), ..Self::LOSS }
    }
}

#[cfg(test)]
mod tests;
