//! What a check finds in a value.

/// What the schema does not allow.
#[derive(Clone)]
pub struct Mismatch {
    /// Where it stands, from the value that was checked: `.a[1].b`. It is put together on the way out, when it is known
    /// that somebody reads it: values can have millions of elements below a key of a million letters.
    pub path: String,
    /// What is wrong there.
    pub what: String,
}

impl Mismatch {
    /// `what` in pieces: putting them together takes less code than formatting.
    #[cold]
    #[inline(never)]
    pub fn new(what: &[&str]) -> Box<Self> {
        Box::new(Self { path: String::new(), what: what.concat() })
    }

    /// The same, seen from the value that holds this one as `step`, which is `.name` or `[index]`.
    #[cold]
    #[inline(never)]
    pub fn within(mut self: Box<Self>, step: &[&str]) -> Box<Self> {
        self.path = [&step.concat(), self.path.as_str()].concat();
        self
    }
}

pub type Found = Result<(), Box<Mismatch>>;

/// Which members or elements of a value some keyword has had a say about, for `unevaluatedItems` and
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
