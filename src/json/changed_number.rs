//! Numbers that change when JavaScript reads a JSON text.

use super::number::Number;
use super::scan::Scanner;

/// The first number in a valid JSON text that JavaScript would change. `readJson` of the package has the same rule: a number
/// without fraction and exponent may be an id, so it has to be exact; any other has to be finite.
pub fn changed_number(json: &str) -> Option<&str> {
    let mut scanner = Scanner::new(json);
    loop {
        match scanner.next()? {
            b'"' => drop(scanner.string().ok()?),
            b'-' | b'0'..=b'9' => {
                let start = scanner.position;
                let number = scanner.number().ok()?;
                let spelled = scanner.since(start);
                let is_integer = !spelled.contains(['.', 'e', 'E']);
                if !number.is_finite() || (is_integer && !is_exact(&number, spelled)) {
                    return Some(spelled);
                }
            }
            _ => scanner.position += 1,
        }
    }
}

/// Whether a double holds a finite integer: its largest odd divisor has up to 53 bits.
fn is_exact(number: &Number<'_>, spelled: &str) -> bool {
    let fits = |size: u64| size >> size.trailing_zeros().min(63) < 1 << 53;
    if let Number::Integer(value) = number {
        return fits(value.unsigned_abs());
    }
    let mut digits: Vec<u8> = spelled.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    // More digits than a `u64` has are halved, since an odd number of that size has more bits.
    loop {
        let value = digits
            .iter()
            .try_fold(0_u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(*digit)));
        if let Some(value) = value {
            return fits(value);
        }
        let mut rest = 0;
        for digit in &mut digits {
            let value = rest * 10 + *digit;
            (*digit, rest) = (value / 2, value % 2);
        }
        if rest == 1 {
            return false;
        }
    }
}
