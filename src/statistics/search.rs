//! The smallest sample for a purpose.

/// The largest number that is considered.
const MOST: f64 = 1e9;

/// The lowest number from `from` on that is enough. `is_enough` has to be monotonic.
pub fn fewest(from: f64, is_enough: &dyn Fn(f64) -> bool) -> Option<f64> {
    let (mut low, mut high) = (from - 1.0, from);
    while !is_enough(high) {
        (low, high) = (high, high * 2.0);
        if high > MOST {
            return None;
        }
    }
    while high - low > 1.0 {
        let middle = f64::floor((low + high) / 2.0);
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}
