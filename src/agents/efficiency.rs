//! Step efficiency: the calls that a task needs, as a share of those that the agent made.

/// The needed calls divided by the calls that were made, at most 1. `None` if no call was made.
pub fn efficiency(optimal: u32, made: u32) -> Option<f64> {
    (made > 0).then(|| f64::from(optimal.min(made)) / f64::from(made))
}

#[cfg(test)]
mod tests {
    use super::efficiency;

    #[test]
    fn calls_beyond_the_optimum_cost() {
        assert_eq!(efficiency(3, 4), Some(0.75));
        assert_eq!(efficiency(3, 3), Some(1.0));
        assert_eq!(efficiency(3, 2), Some(1.0));
        assert_eq!(efficiency(0, 2), Some(0.0));
        assert_eq!(efficiency(0, 0), None);
    }
}
