//! Recursion through schemas: each referenced schema is checked once for each value, for any number of
//! references and any depth.

use super::table::{AddressTable, Key};
use super::validation::{Mismatch, Seen, Validation};
use super::{MAX_DEPTH, Schema, SchemaLocation, TextRules, address};
use crate::json::Json;

/// The state of one validation.
pub struct Validator<'c, 's, 'v> {
    pub(super) schema: &'c Schema<'s>,
    pub(super) rules: &'c TextRules<'c>,
    /// The dynamic scopes that occurred, each once: lists of resources, outermost first.
    pub(super) scopes: Vec<Vec<usize>>,
    /// The index of the current scope.
    pub(super) scope: usize,
    /// The current depth of nested schemas.
    depth: usize,
    steps: u32,
    most_steps: u32,
    /// Memoized results. Nested alternatives reach the same combinations repeatedly.
    known: Vec<Known>,
    /// The indices of `known`, by the addresses of schema and value and the scope.
    known_at: AddressTable,
    /// The address of the value of the innermost reference.
    referred_value: usize,
    /// Hash tables of long `enum` lists, by the address of the list and the digest of the element.
    pub(super) allowed: AddressTable,
    pub(super) stop: Option<Stop<'s, 'v>>,
}

/// The memoized result of a schema and a value.
enum Known {
    /// The check stopped before a result.
    Undecided,
    /// The check is in progress.
    InProgress,
    Result(Result<Seen, Mismatch>),
}

/// Why a validation stops. Its results up to then are discarded.
pub enum Stop<'s, 'v> {
    /// The validity cannot be decided.
    Undecided {
        why: String,
        /// Whether that holds for every value.
        is_final: bool,
    },
    /// Another check has to come first, because the stack is too deep for it here.
    First(Goal<'s, 'v>),
}

/// A schema, the value to check with it, and the scope.
pub type Goal<'s, 'v> = (SchemaLocation<'s>, &'v Json<'v>, usize);

/// The most steps, in addition to those for each part of the value; about 0.2 seconds.
const STEPS_FOR_ALL: u32 = 300_000;
const STEPS_FOR_EACH: u32 = 100;
const MAX_STEPS: u32 = 20_000_000;

/// Bounds the memory of memoized results.
const MAX_KNOWN: usize = 100_000;

/// Recursive schemas recurse as deep as values do, which the stack does not allow. From this depth on, a
/// reference is checked from the top in a separate pass.
const DEEPEST: usize = 3 * MAX_DEPTH;

impl<'c, 's, 'v> Validator<'c, 's, 'v> {
    pub(super) fn new(schema: &'c Schema<'s>, rules: &'c TextRules<'c>, most_steps: u32) -> Self {
        Self {
            schema,
            rules,
            scopes: vec![Vec::new()],
            scope: 0,
            depth: 0,
            steps: 0,
            most_steps,
            known: Vec::new(),
            known_at: AddressTable::default(),
            referred_value: 0,
            allowed: AddressTable::default(),
            stop: None,
        }
    }

    /// Validates a value, after all checks that have to come first.
    pub(super) fn run(&mut self, place: SchemaLocation<'s>, value: &'v Json<'v>) -> Validation {
        let mut goal = (place, value, self.scope);
        let mut waiting = Vec::new();
        loop {
            let (place, value, scope) = goal;
            (self.scope, self.referred_value) = (scope, address(value));
            let found = if waiting.is_empty() {
                self.schema(place, value, &mut Seen::default())
            } else {
                self.referred(place, value, &mut Seen::default())
            };
            match self.stop.take() {
                Some(Stop::First(first)) => waiting.push(std::mem::replace(&mut goal, first)),
                Some(undecided) => {
                    self.stop = Some(undecided);
                    return found;
                }
                None => match waiting.pop() {
                    Some(next) => goal = next,
                    None => return found,
                },
            }
        }
    }

    /// Applies a referenced schema, once for each value.
    pub(super) fn referred(
        &mut self,
        place: SchemaLocation<'s>,
        value: &'v Json<'v>,
        seen: &mut Seen,
    ) -> Validation {
        let outer = std::mem::replace(&mut self.referred_value, address(value));
        let has_parts = matches!(value, Json::Array(_) | Json::Object(_));
        let found = if has_parts || outer == self.referred_value {
            self.memoized(place, value, seen)
        } else {
            // The value differs from the last reference's, so its result is not memoized: there may be
            // millions of such values.
            self.schema(place, value, seen)
        };
        self.referred_value = outer;
        found
    }

    fn memoized(&mut self, place: SchemaLocation<'s>, value: &'v Json<'v>, seen: &mut Seen) -> Validation {
        let key = [address(place.0), address(value), self.scope];
        let at = self.known_at.get(key);
        match at.and_then(|at| self.known.get(at)) {
            Some(Known::Result(Ok(inner))) => {
                seen.merge(inner.clone());
                return Ok(());
            }
            Some(Known::Result(Err(mismatch))) => return Err(Box::new(mismatch.clone())),
            Some(Known::InProgress) => {
                self.give_up("cannot be checked: the schema refers to itself without end", true);
                return Err(Mismatch::new(&[]));
            }
            _ if self.depth > DEEPEST => {
                self.stop.get_or_insert(Stop::First((place, value, self.scope)));
                return Err(Mismatch::new(&[]));
            }
            _ => {}
        }
        if self.known.len() >= MAX_KNOWN {
            (self.known, self.known_at) = Default::default();
        }
        self.memoize(key, Known::InProgress);
        let mut inner = Seen::default();
        let found = self.schema(place, value, &mut inner);
        let known = match &found {
            _ if self.stop.is_some() => Known::Undecided,
            Ok(()) => Known::Result(Ok(inner.clone())),
            Err(mismatch) => Known::Result(Err(mismatch.as_ref().clone())),
        };
        self.memoize(key, known);
        found.map(|()| seen.merge(inner))
    }

    fn memoize(&mut self, key: Key, known: Known) {
        let at = self.known_at.get(key).unwrap_or_else(|| {
            self.known_at.add(key, self.known.len());
            self.known.len()
        });
        match self.known.get_mut(at) {
            Some(slot) => *slot = known,
            None => self.known.push(known),
        }
    }

    pub(super) fn schema(
        &mut self,
        (schema, resource): SchemaLocation<'s>,
        value: &'v Json<'v>,
        seen: &mut Seen,
    ) -> Validation {
        let schema_keywords = match schema {
            Json::Object(keywords) => keywords,
            Json::Bool(false) => return Err(Mismatch::new(&["is not allowed"])),
            _ => return Ok(()),
        };
        self.steps += 1;
        if self.steps > self.most_steps {
            self.give_up("cannot be checked: the schema has too many alternatives", true);
        }
        if self.stop.is_some() {
            return Err(Mismatch::new(&[]));
        }
        let resource = self.schema.entered(schema, resource);
        let outer = self.scope;
        self.enter(resource);
        self.depth += 1;
        let found = self.keywords(schema_keywords, resource, value, seen);
        self.depth -= 1;
        self.scope = outer;
        found
    }

    /// Adds a resource to the dynamic scope.
    fn enter(&mut self, resource: usize) {
        let Some(scope) = self.scopes.get(self.scope).filter(|scope| !scope.contains(&resource)) else {
            return;
        };
        let scope = [scope.as_slice(), &[resource]].concat();
        self.scope = self.scopes.iter().position(|known| *known == scope).unwrap_or_else(|| {
            self.scopes.push(scope);
            self.scopes.len() - 1
        });
    }

    #[cold]
    pub(super) fn give_up(&mut self, why: &str, is_final: bool) {
        self.stop.get_or_insert_with(|| Stop::Undecided { why: why.to_owned(), is_final });
    }

    /// Applies a schema to the name of a member. Names are not part of the value, so nothing is memoized.
    pub(super) fn name(&mut self, place: SchemaLocation<'s>, name: &str) -> Validation {
        let name = Json::String(name.into());
        let mut check = Validator::new(self.schema, self.rules, self.most_steps);
        (check.scopes, check.scope, check.steps) = (std::mem::take(&mut self.scopes), self.scope, self.steps);
        let found = check.run(place, &name);
        (self.scopes, self.steps) = (check.scopes, check.steps);
        if let Some(Stop::Undecided { why, is_final }) = check.stop {
            self.give_up(&why, is_final);
        }
        found
    }
}

/// The most steps for validating this value.
pub fn steps_for(value: &Json<'_>) -> u32 {
    STEPS_FOR_EACH.saturating_mul(size(value)).saturating_add(STEPS_FOR_ALL).min(MAX_STEPS)
}

/// The number of values in a value, itself included.
fn size(value: &Json<'_>) -> u32 {
    let parts: u32 = match value {
        Json::Array(elements) => elements.iter().map(size).sum(),
        Json::Object(members) => members.iter().map(|(_, member)| size(member)).sum(),
        _ => 0,
    };
    parts + 1
}
