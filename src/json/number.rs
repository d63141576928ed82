//! Numbers, compared by their value as decimals: exactly, however many digits they have.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A JSON number. Equal are those of equal value: `1`, `1.0` and `10e-1`; `0` and `-0`.
#[derive(Debug, Clone)]
pub enum Number<'a> {
    /// A whole number of up to 18 digits, however it was spelled.
    Integer(i64),
    /// Any other number.
    Decimal(Decimal<'a>),
}

/// A number as ±0.d₁d₂d₃… · 10ᵉ with d₁ and the last digit not 0, so that equal numbers have equal parts.
#[derive(Debug, Clone)]
pub struct Decimal<'a> {
    /// The number as it was spelled.
    text: Cow<'a, str>,
    negative: bool,
    digits: Cow<'a, str>,
    exponent: i64,
}

impl<'a> Number<'a> {
    /// The number `text`, taken apart: `whole` and `fraction` are digits, `exponent` is that of 10.
    pub(super) fn new(
        text: &'a str,
        negative: bool,
        whole: &'a str,
        fraction: &'a str,
        exponent: i64,
    ) -> Self {
        /// Each number of that many digits fits into an `i64`.
        const SHORT: usize = 18;
        if fraction.is_empty() && exponent == 0 && whole.len() <= SHORT {
            let size: i64 = whole.parse().unwrap_or(0);
            return Self::Integer(if negative { -size } else { size });
        }
        let exponent = exponent.saturating_add(whole.len() as i64);
        let digits =
            if fraction.is_empty() { Cow::Borrowed(whole) } else { Cow::Owned([whole, fraction].concat()) };
        let leading = digits.bytes().take_while(|digit| *digit == b'0').count();
        let significant = digits.trim_matches('0').len();
        let digits = match digits {
            Cow::Borrowed(digits) => Cow::Borrowed(digits.trim_matches('0')),
            Cow::Owned(digits) => Cow::Owned(digits.trim_matches('0').to_owned()),
        };
        let exponent = exponent - leading as i64;
        if significant == 0 {
            return Self::Integer(0);
        }
        if exponent >= significant as i64 && exponent <= SHORT as i64 {
            let size: i64 = digits.parse().unwrap_or(0);
            let size = size * 10_i64.pow((exponent - significant as i64) as u32);
            return Self::Integer(if negative { -size } else { size });
        }
        Self::Decimal(Decimal { text: Cow::Borrowed(text), negative, digits, exponent })
    }

    /// The same number, borrowing nothing.
    pub(super) fn into_owned(self) -> Number<'static> {
        match self {
            Number::Integer(value) => Number::Integer(value),
            Number::Decimal(decimal) => Number::Decimal(Decimal {
                text: Cow::Owned(decimal.text.into_owned()),
                digits: Cow::Owned(decimal.digits.into_owned()),
                ..decimal
            }),
        }
    }

    /// The nearest floating-point number, or one beside it; of very large and small numbers, one that is near.
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Integer(value) => *value as f64,
            Self::Decimal(Decimal { negative, digits, exponent, .. }) => {
                let digits = digits.get(..17).unwrap_or(digits);
                let size = digits.parse::<u64>().unwrap_or(0) as f64;
                // Dividing by a power of ten is exact where multiplying with its inverse is not.
                let places = (digits.len() as i64 - exponent).clamp(-400, 400) as i32;
                let size = if places > 0 { size / 10_f64.powi(places) } else { size * 10_f64.powi(-places) };
                if *negative { -size } else { size }
            }
        }
    }

    /// Whether there is nothing behind the decimal point.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Decimal(decimal) => decimal.exponent >= decimal.digits.len() as i64,
        }
    }

    /// Whether it is below 0, the power of ten that it is just below, and its digits.
    fn magnitude(&self) -> (bool, i64, Cow<'_, str>) {
        match self {
            Self::Integer(0) => (false, i64::MIN, Cow::Borrowed("")),
            Self::Integer(value) => {
                let digits = value.unsigned_abs().to_string();
                (*value < 0, digits.len() as i64, Cow::Owned(digits.trim_end_matches('0').to_owned()))
            }
            Self::Decimal(decimal) => (decimal.negative, decimal.exponent, Cow::Borrowed(&decimal.digits)),
        }
    }

    fn parts(&self) -> (i64, bool, &str, i64) {
        match self {
            Self::Integer(value) => (*value, false, "", 0),
            Self::Decimal(decimal) => (0, decimal.negative, &decimal.digits, decimal.exponent),
        }
    }
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Number<'_> {}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Self::Integer(value), Self::Integer(other)) = (self, other) {
            return value.cmp(other);
        }
        let (negative, exponent, digits) = self.magnitude();
        let (other_negative, other_exponent, other_digits) = other.magnitude();
        // As digits behind a decimal point compare as text does.
        let larger = (exponent, digits).cmp(&(other_exponent, other_digits));
        match (negative, other_negative) {
            (false, false) => larger,
            (true, true) => larger.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Number<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl fmt::Display for Number<'_> {
    /// As it was spelled, but for whole numbers.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Decimal(decimal) => formatter.write_str(&decimal.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::{Json, Number, parse};
    use proptest::prelude::*;

    fn number(text: &str) -> Number<'_> {
        match parse(text).unwrap() {
            Json::Number(number) => number,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn numbers_have_an_order() {
        let ascending = [
            "-1e400", "-100.5", "-100", "-0.2", "-0.12", "0", "1e-9", "0.1", "0.12", "1", "1.5", "10",
            "99.9", "1e400",
        ];
        for (index, a) in ascending.iter().enumerate() {
            for (other, b) in ascending.iter().enumerate() {
                assert_eq!(number(a).cmp(&number(b)), index.cmp(&other), "{a} {b}");
            }
        }
    }

    #[test]
    fn whole_numbers_are_known() {
        for (text, whole) in [("1", true), ("1.0", true), ("1e30", true), ("1.5", false), ("1e-1", false)] {
            assert_eq!(number(text).is_whole(), whole, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_doubles(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(a.is_finite() && b.is_finite());
            let (a_text, b_text) = (format!("{a}"), format!("{b:e}"));
            prop_assert_eq!(number(&a_text).partial_cmp(&number(&b_text)), a.partial_cmp(&b));
        }
    }

    #[test]
    fn floating_point_numbers_are_as_near_as_can_be() {
        let texts = ["0", "-7", "0.1", "0.7", "12.5", "-0.95", "1e-7", "99.99999999999999", "1e20", "1e-400"];
        for text in texts {
            let Json::Number(number) = parse(text).unwrap() else { panic!("{text} is a number") };
            let (found, nearest) = (number.to_f64(), text.parse::<f64>().unwrap());
            assert!((found - nearest).abs() <= nearest.abs() * f64::EPSILON, "{text} became {found}");
        }
    }
}
