//! The results of a validation.

/// A violation of the schema.
#[derive(Clone)]
pub struct Mismatch {
    /// The path from the validated value: `.a[1].b`. It is built while an error is returned, and not before:
    /// a value can have millions of elements below a key of a million letters.
    pub path: String,
    /// The violation.
    pub what: String,
}

impl Mismatch {
    /// Takes the message in pieces, because joining them takes less code than formatting.
    #[cold]
    #[inline(never)]
    pub fn new(what: &[&str]) -> Box<Self> {
        Box::new(Self { path: String::new(), what: what.concat() })
    }

    /// Prepends a `step` (`.name` or `[index]`) to the path.
    #[cold]
    #[inline(never)]
    pub fn within(mut self: Box<Self>, step: &[&str]) -> Box<Self> {
        self.path = [&step.concat(), self.path.as_str()].concat();
        self
    }
}

pub type Validation = Result<(), Box<Mismatch>>;

/// The members or elements of a value that a keyword has evaluated, for `unevaluatedItems` and
/// `unevaluatedProperties`.
#[derive(Clone, Default)]
pub struct Seen(pub Vec<bool>);

impl Seen {
    pub fn add(&mut self, index: usize) {
        if self.0.len() <= index {
            self.0.resize(index + 1, false);
        }
        if let Some(seen) = self.0.get_mut(index) {
            *seen = true;
        }
    }

    pub fn has(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or_default()
    }

    pub fn merge(&mut self, other: Self) {
        if self.0.is_empty() {
            *self = other;
            return;
        }
        for (index, _) in other.0.iter().enumerate().filter(|(_, seen)| **seen) {
            self.add(index);
        }
    }
}
