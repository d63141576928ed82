//! JSON numbers, compared exactly by their decimal value, with any number of digits.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A JSON number. Numbers of equal value are equal: `1`, `1.0` and `10e-1`; `0` and `-0`.
#[derive(Debug, Clone)]
pub enum Number<'a> {
    /// A whole number of up to 18 digits, in any spelling.
    Integer(i64),
    /// Any other number.
    Decimal(Decimal<'a>),
}

/// Any other number, in its original spelling. It is parsed only when it is compared, since most numbers
/// never are, or are spelled the same.
#[derive(Debug, Clone)]
pub struct Decimal<'a>(Cow<'a, str>);

/// A number as ±0.d₁d₂d₃… · 10ᵉ, where d₁ and the last digit are not 0. So equal numbers have equal parts.
struct Parts<'d> {
    negative: bool,
    exponent: i64,
    /// The digits before and after the decimal point.
    digits: [&'d str; 2],
}

impl Parts<'_> {
    /// Splits a valid JSON number.
    fn of(text: &str) -> Parts<'_> {
        let size = text.strip_prefix('-').unwrap_or(text);
        let (size, exponent) = size.split_once(['e', 'E']).unwrap_or((size, "0"));
        let (whole, fraction) = size.split_once('.').unwrap_or((size, ""));
        let (below_one, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => (true, exponent),
            None => (false, exponent),
        };
        // An exponent beyond `i32` is clamped: no text has enough digits to compensate for it. The standard library's
        // parser would take more code.
        let digits = exponent.bytes().filter(u8::is_ascii_digit).map(|digit| i64::from(digit - b'0'));
        let exponent = digits.fold(0, |exponent, digit| (exponent * 10 + digit).min(i32::MAX.into()));
        let exponent = if below_one { -exponent } else { exponent };
        let significant_whole = whole.trim_start_matches('0');
        let significant_fraction = fraction.trim_end_matches('0');
        let (digits, leading) = if significant_whole.is_empty() {
            let digits = significant_fraction.trim_start_matches('0');
            (["", digits], whole.len() + significant_fraction.len() - digits.len())
        } else if significant_fraction.is_empty() {
            ([significant_whole.trim_end_matches('0'), ""], whole.len() - significant_whole.len())
        } else {
            ([significant_whole, significant_fraction], whole.len() - significant_whole.len())
        };
        Parts {
            negative: text.starts_with('-'),
            exponent: exponent + whole.len() as i64 - leading as i64,
            digits,
        }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.digits.iter().flat_map(|digits| digits.bytes())
    }

    fn count(&self) -> i64 {
        self.digits.iter().map(|digits| digits.len() as i64).sum()
    }
}

impl<'a> Number<'a> {
    /// Reads a valid JSON number.
    pub(super) fn new(text: &'a str) -> Self {
        /// Every number with this many digits fits into an `i64`.
        const SHORT: i64 = 18;
        let parts = Parts::of(text);
        let zeros = parts.exponent - parts.count();
        if parts.count() > 0 && (zeros < 0 || parts.exponent > SHORT) {
            return Self::Decimal(Decimal(Cow::Borrowed(text)));
        }
        let size = parts.digits().fold(0, |size, digit| size * 10 + i64::from(digit - b'0'));
        let size = if size == 0 { 0 } else { size * 10_i64.pow(zeros as u32) };
        Self::Integer(if parts.negative { -size } else { size })
    }

    /// The same number as owned data.
    pub(super) fn into_owned(self) -> Number<'static> {
        match self {
            Number::Integer(value) => Number::Integer(value),
            Number::Decimal(Decimal(text)) => Number::Decimal(Decimal(Cow::Owned(text.into_owned()))),
        }
    }

    /// The nearest floating-point number, or one next to it; approximate for very large and small numbers.
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Integer(value) => *value as f64,
            Self::Decimal(Decimal(text)) => {
                let parts = Parts::of(text);
                let digits = parts.digits().take(17);
                let size = digits.fold(0, |size, digit| size * 10 + u64::from(digit - b'0')) as f64;
                // Dividing by a power of ten is exact where multiplying by its inverse is not.
                let places = (parts.count().min(17) - parts.exponent).clamp(-400, 400) as i32;
                let size = if places > 0 { size / 10_f64.powi(places) } else { size * 10_f64.powi(-places) };
                if parts.negative { -size } else { size }
            }
        }
    }

    /// The integer part, clamped to the range of `usize`.
    pub fn to_usize(&self) -> usize {
        self.to_f64() as usize
    }

    /// Whether the number is an integer.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Decimal(Decimal(text)) => {
                let parts = Parts::of(text);
                parts.exponent >= parts.count()
            }
        }
    }

    /// Whether the number is within the range of finite doubles.
    pub fn is_finite(&self) -> bool {
        /// The digits of the smallest number that rounds to infinity, half a step above `f64::MAX`.
        const DIGITS: &str = "179769313486231580793";
        match self {
            Self::Integer(_) => true,
            Self::Decimal(_) => {
                let (_, exponent, digits) = self.magnitude();
                (exponent, digits.as_str()) < (309, DIGITS)
            }
        }
    }

    /// Whether [`Self::is_multiple_of`] accepts it as the divisor: above 0, with up to 9 digits.
    pub fn is_unit(&self) -> bool {
        let (_, _, digits) = self.magnitude();
        *self > Self::Integer(0) && digits.len() <= 9
    }

    /// Whether it is an exact multiple of a number for which [`Self::is_unit`] is true.
    pub fn is_multiple_of(&self, unit: &Number<'_>) -> bool {
        let ((_, exponent, digits), (_, unit_exponent, unit_digits)) = (self.magnitude(), unit.magnitude());
        let Ok(divisor @ 1..) = unit_digits.parse::<u64>() else { return false };
        // The digits as integers; the last digit is not 0.
        let zeros = (exponent.saturating_sub(digits.len() as i64))
            .saturating_sub(unit_exponent - unit_digits.len() as i64);
        if digits.is_empty() || zeros < 0 {
            return digits.is_empty();
        }
        let mut rest =
            digits.bytes().fold(0, |rest: u64, digit| (rest * 10 + u64::from(digit - b'0')) % divisor);
        let (mut power, mut zeros) = (10 % divisor, zeros);
        while zeros > 0 {
            if zeros % 2 == 1 {
                rest = rest * power % divisor;
            }
            power = power * power % divisor;
            zeros /= 2;
        }
        rest == 0
    }

    /// Whether it is negative, its decimal exponent, and its digits.
    fn magnitude(&self) -> (bool, i64, String) {
        match self {
            Self::Integer(0) => (false, i64::MIN, String::new()),
            Self::Integer(value) => {
                let digits = value.unsigned_abs().to_string();
                (*value < 0, digits.len() as i64, digits.trim_end_matches('0').to_owned())
            }
            Self::Decimal(Decimal(text)) => {
                let parts = Parts::of(text);
                (parts.negative, parts.exponent, parts.digits.concat())
            }
        }
    }
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(value), Self::Integer(other)) => value == other,
            (Self::Decimal(Decimal(text)), Self::Decimal(Decimal(other))) => {
                text == other || equal_decimals(text, other)
            }
            // A decimal never equals an integer, because `new` reads such values as integers.
            _ => false,
        }
    }
}

impl Eq for Number<'_> {}

#[inline(never)]
fn equal_decimals(text: &str, other: &str) -> bool {
    let (parts, other) = (Parts::of(text), Parts::of(other));
    (parts.negative, parts.exponent) == (other.negative, other.exponent) && parts.digits().eq(other.digits())
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Self::Integer(value), Self::Integer(other)) = (self, other) {
            return value.cmp(other);
        }
        let (negative, exponent, digits) = self.magnitude();
        let (other_negative, other_exponent, other_digits) = other.magnitude();
        // Digits after a decimal point compare like text.
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
        match self {
            Self::Integer(value) => value.hash(state),
            Self::Decimal(Decimal(text)) => {
                let parts = Parts::of(text);
                let fold = |value: i64, digit| value.wrapping_mul(10).wrapping_add(i64::from(digit));
                (parts.digits().fold(0, fold), parts.exponent).hash(state);
            }
        }
    }
}

/// Uses [`Serializer::collect_str`], which the JSON writer emits as raw JSON.
impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Number<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Spelled;
        impl Visitor<'_> for Spelled {
            type Value = Number<'static>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number")
            }

            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Number::Integer(value))
            }

            fn visit_str<E>(self, decimal: &str) -> Result<Self::Value, E> {
                Ok(Number::new(decimal).into_owned())
            }
        }
        deserializer.deserialize_any(Spelled)
    }
}

impl fmt::Display for Number<'_> {
    /// The original spelling, except for integers.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Decimal(Decimal(text)) => formatter.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::{Json, Number, parse, read, write};
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
    fn places_in_lists_are_never_out_of_range() {
        let cases = [("3", 3), ("2.9", 2), ("-1", 0), ("1e99", usize::MAX)];
        for (text, place) in cases {
            assert_eq!(number(text).to_usize(), place, "{text}");
        }
    }

    #[test]
    fn a_number_crosses_as_it_was_spelled_and_a_string_is_none() {
        for text in ["0.10", "1e400", "-7"] {
            let number = read::<Number<'_>>(text).unwrap();
            assert_eq!(write(&number).as_deref(), Ok(text));
        }
        assert!(read::<Number<'_>>("\"0.5\"").is_err());
    }

    #[test]
    fn whole_numbers_are_known() {
        for (text, whole) in [("1", true), ("1.0", true), ("1e30", true), ("1.5", false), ("1e-1", false)] {
            assert_eq!(number(text).is_whole(), whole, "{text}");
        }
    }

    #[test]
    fn numbers_that_are_infinite_in_javascript_are_known() {
        let numbers = ["1e308", "-1.7976931348623158e308", "1e-999", "1.797693134862315808e308", "-1e999"];
        assert_eq!(numbers.map(|text| number(text).is_finite()), [true, true, true, false, false]);
    }

    #[test]
    fn multiples_are_exact() {
        let cases = [
            ("0.29", "0.01", true),
            ("0.295", "0.01", false),
            ("7.5", "1.5", true),
            ("1e300", "3", false),
            ("3e300", "3", true),
            ("-9", "3", true),
            ("0", "0.7", true),
            ("12391239123", "1e-8", true),
            ("123456789012345678903", "3", true),
            ("123456789012345678902", "7", false),
            ("1", "10", false),
        ];
        for (text, unit, is_multiple) in cases {
            assert_eq!(number(text).is_multiple_of(&number(unit)), is_multiple, "{text} {unit}");
        }
        let units = ["0", "-1", "1234567891", "123456789e9", "0.5"].map(|text| number(text).is_unit());
        assert_eq!(units, [false, false, false, true, true]);
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
