//! Quantiles and probabilities of the normal and Student's t distribution, and those of the binomial one.

use std::f64::consts::FRAC_PI_2;

/// The two-sided quantile of Student's t: the bound of its absolute value with probability `level`, such as
/// 2.78 for 0.95 and four degrees of freedom. For many degrees of freedom, uses the expansion of Abramowitz
/// and Stegun, 26.7.5, which is exact to at least nine digits.
pub fn student_quantile(level: f64, freedom: u32) -> f64 {
    const MANY: u32 = 200;
    if freedom > MANY {
        return expanded_student_quantile(level, f64::from(freedom));
    }
    // Bisection over `t / √freedom`.
    let (mut low, mut high) = (0.0, 1.0);
    while within_ratio(high, freedom) < level {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if within_ratio(middle, freedom) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::from(freedom).sqrt() * (low + high) / 2.0
}

/// The two-sided quantile for fractional degrees of freedom, at least 1. Interpolates its logarithm linearly
/// in one over the degrees, which overestimates by at most 1% from two degrees on.
pub fn student_quantile_between(level: f64, freedom: f64) -> f64 {
    let freedom = freedom.max(1.0);
    let (below, above) = (freedom.floor(), freedom.ceil());
    let low = student_quantile(level, below as u32);
    if below == above {
        return low;
    }
    let share = (1.0 / freedom - 1.0 / below) / (1.0 / above - 1.0 / below);
    low * (share * (student_quantile(level, above as u32) / low).ln()).exp()
}

/// The probability that the absolute value of Student's t is below `√freedom · ratio`: the finite series of
/// Abramowitz and Stegun, 26.7.3 and 26.7.4, in the angle whose tangent is `ratio`.
fn within_ratio(ratio: f64, freedom: u32) -> f64 {
    let cosine = 1.0 / (1.0 + ratio * ratio).sqrt();
    let sine = ratio * cosine;
    let is_odd = freedom % 2 == 1;
    let (mut term, mut sum) = (if is_odd { cosine } else { 1.0 }, 0.0);
    let mut power = 2 + u32::from(is_odd);
    while power <= freedom {
        sum += term;
        // For many degrees of freedom, later terms are negligible.
        if term < 1e-18 {
            break;
        }
        term *= cosine * cosine * f64::from(power - 1) / f64::from(power);
        power += 2;
    }
    if is_odd { (ratio.atan() + sine * sum) / FRAC_PI_2 } else { sine * sum }
}

fn expanded_student_quantile(level: f64, freedom: f64) -> f64 {
    let z = normal_quantile(level);
    let s = z * z;
    let first = (s + 1.0) / 4.0;
    let second = ((5.0 * s + 16.0) * s + 3.0) / 96.0;
    let third = (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0;
    z * (1.0 + (first + (second + third / freedom) / freedom) / freedom)
}

/// The two-sided quantile of the normal distribution: 1.96 for 0.95.
pub fn normal_quantile(level: f64) -> f64 {
    let tail = (1.0 - level) / 2.0;
    let (mut low, mut high) = (0.0, FARTHEST);
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if normal_tail(middle) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The cumulative distribution function of the normal distribution.
pub fn normal_below(x: f64) -> f64 {
    if x > 0.0 { 1.0 - normal_tail(x) } else { normal_tail(-x) }
}

/// Beyond this value, the normal tail is negligible.
const FARTHEST: f64 = 8.0;

/// The probability that a normal variable is above `x`, which is positive.
///
/// The integral of the density from 0 to x is `φ(x) (x + x³/3 + x⁵/(3·5) + …)`, with `φ(x) = 1 / (√2π
/// e^(x²/2))`. Both series have only positive terms, so there is no cancellation.
pub fn normal_tail(x: f64) -> f64 {
    const ROOT_OF_2_PI: f64 = 2.506_628_274_631_000_5;
    let x = x.min(FARTHEST);
    let (mut exponential, mut exponential_term) = (1.0, 1.0);
    let (mut integral, mut integral_term) = (x, x);
    for index in 1..200_u32 {
        let index = f64::from(index);
        exponential_term *= x * x / (2.0 * index);
        exponential += exponential_term;
        integral_term *= x * x / (2.0 * index + 1.0);
        integral += integral_term;
        // Later terms are below the rounding error.
        if exponential_term < exponential * 1e-18 && integral_term <= integral * 1e-18 {
            break;
        }
    }
    0.5 - integral / (exponential * ROOT_OF_2_PI)
}

/// The probability of each number of successes, in ascending order, except negligible ones.
pub fn binomial(count: f64, probability: f64) -> Vec<(f64, f64)> {
    if probability >= 1.0 {
        return vec![(count, 1.0)];
    }
    let mode = ((count + 1.0) * probability).floor().min(count);
    let odds = probability / (1.0 - probability);
    // Relative to the mode.
    let mut terms = Vec::new();
    let (mut number, mut term) = (mode, 1.0);
    while term > 1e-16 && number >= 0.0 {
        terms.push((number, term));
        term *= number / ((count - number + 1.0) * odds);
        number -= 1.0;
    }
    terms.reverse();
    (number, term) = (mode + 1.0, (count - mode) / (mode + 1.0) * odds);
    while term > 1e-16 && number <= count {
        terms.push((number, term));
        term *= (count - number) / (number + 1.0) * odds;
        number += 1.0;
    }
    let all: f64 = terms.iter().map(|(_, term)| term).sum();
    terms.into_iter().map(|(number, term)| (number, term / all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        // scipy.stats.norm.ppf((1 + level) / 2)
        for (level, expected) in [
            (0.5, 0.674_489_750_196_081_7),
            (0.9, 1.644_853_626_951_472_2),
            (0.95, 1.959_963_984_540_054),
            (0.99, 2.575_829_303_548_900_4),
            (0.999_999, 4.891_638_475_671_085),
        ] {
            assert!((normal_quantile(level) - expected).abs() < 1e-9, "{level}");
        }
        // scipy.stats.t.ppf((1 + level) / 2, freedom)
        for (level, freedom, expected) in STUDENT {
            let found = student_quantile(level, freedom);
            assert!((found / expected - 1.0).abs() < 1e-9, "{level}, {freedom}: {found}");
        }
    }

    #[test]
    fn quantiles_lie_between_those_of_whole_numbers() {
        // scipy.stats.t.ppf((1 + level) / 2, freedom)
        for (level, freedom, expected) in [
            (0.9, 2.5, 2.558_218_614_135_935_4),
            (0.95, 2.5, 3.574_654_842_003_681_7),
            (0.95, 3.56, 2.917_159_323_512_007),
            (0.95, 7.25, 2.348_194_849_105_371),
            (0.99, 20.5, 2.838_163_853_855_643_3),
        ] {
            let found = student_quantile_between(level, freedom) / expected;
            assert!((1.0..1.01).contains(&found), "{level}, {freedom}: {found}");
        }
        assert_eq!(student_quantile_between(0.95, 9.0), student_quantile(0.95, 9));
        assert_eq!(student_quantile_between(0.95, 0.3), student_quantile(0.95, 1));
    }

    const STUDENT: [(f64, u32, f64); 12] = [
        (0.95, 1, 12.706204736175),
        (0.95, 2, 4.302652729749),
        (0.95, 3, 3.182446305284),
        (0.95, 4, 2.776445105198),
        (0.95, 9, 2.262157162798),
        (0.95, 30, 2.042272456301),
        (0.95, 31, 2.039513446396),
        (0.95, 99, 1.984216951586),
        (0.95, 1000, 1.962339080826),
        (0.5, 1, 1.000000000000),
        (0.99, 2, 9.924843200918),
        (0.9, 5, 2.015048373333),
    ];
}
