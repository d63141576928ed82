//! How a check goes from schema to schema: each that is referred to is checked once for each value, however many
//! references lead to it, and however deep.

use super::found::{Found, Mismatch, Seen};
use super::table::{Key, Table};
use super::{MAX_DEPTH, Place, Schema, TextRules, address};
use crate::json::Json;

/// One check of a value.
pub struct Check<'c, 's, 'v> {
    pub(super) schema: &'c Schema<'s>,
    pub(super) rules: &'c TextRules<'c>,
    /// The resources of the schemas that led somewhere, each once, from the outside.
    pub(super) scopes: Vec<Vec<usize>>,
    /// Which of them led here.
    pub(super) scope: usize,
    /// How many schemas are being checked within each other.
    depth: usize,
    steps: u32,
    most_steps: u32,
    /// Where it is in `known` what a schema that is referred to says of a value, by their addresses and the scope:
    /// alternatives in alternatives come to the same ones again and again.
    places: Table,
    known: Vec<Known>,
    /// The address of the value that the last reference was about.
    value: usize,
    /// Where what the long ones of `enum` allow stands in them, by their addresses and its digest.
    pub(super) allowed: Table,
    pub(super) stop: Option<Stop<'s, 'v>>,
}

/// What a schema says of a value.
enum Known {
    /// A check broke off.
    Nothing,
    /// It is being found out.
    Open,
    Result(Result<Seen, Mismatch>),
}

/// Why a check breaks off; what it has found by then does not count.
pub enum Stop<'s, 'v> {
    /// It cannot be decided.
    Undecided {
        why: String,
        /// Whatever the value is.
        is_final: bool,
    },
    /// Something has to be known first, which is too deep to be found out on the way.
    First(Goal<'s, 'v>),
}

/// A schema, the value that it is to be checked with, and the scope.
pub type Goal<'s, 'v> = (Place<'s>, &'v Json<'v>, usize);

/// How many steps a check may have, besides those for each part of the value; about 0.2 seconds.
const STEPS_FOR_ALL: u32 = 300_000;
const STEPS_FOR_EACH: u32 = 100;
const MOST_STEPS: u32 = 20_000_000;

/// What is remembered takes memory.
const MOST_KNOWN: usize = 100_000;

/// Schemas that refer to themselves go as deep as values do; the stack does not. From here on, what a reference leads to is
/// found out on its own.
const DEEPEST: usize = 3 * MAX_DEPTH;

impl<'c, 's, 'v> Check<'c, 's, 'v> {
    pub(super) fn new(schema: &'c Schema<'s>, rules: &'c TextRules<'c>, most_steps: u32) -> Self {
        Self {
            schema,
            rules,
            scopes: vec![Vec::new()],
            scope: 0,
            depth: 0,
            steps: 0,
            most_steps,
            places: Table::default(),
            known: Vec::new(),
            value: 0,
            allowed: Table::default(),
            stop: None,
        }
    }

    /// Checks a value, after all that has to be known first.
    pub(super) fn run(&mut self, place: Place<'s>, value: &'v Json<'v>) -> Found {
        let mut goal = (place, value, self.scope);
        let mut waiting = Vec::new();
        loop {
            let (place, value, scope) = goal;
            (self.scope, self.value) = (scope, address(value));
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

    /// What a schema says that is referred to; once for each value.
    pub(super) fn referred(&mut self, place: Place<'s>, value: &'v Json<'v>, seen: &mut Seen) -> Found {
        let outer = std::mem::replace(&mut self.value, address(value));
        let has_parts = matches!(value, Json::Array(_) | Json::Object(_));
        let found = if has_parts || outer == self.value {
            self.remembered(place, value, seen)
        } else {
            // References that lead here once more do so from here, and there may be millions of such values.
            self.schema(place, value, seen)
        };
        self.value = outer;
        found
    }

    fn remembered(&mut self, place: Place<'s>, value: &'v Json<'v>, seen: &mut Seen) -> Found {
        let key = [address(place.0), address(value), self.scope];
        let at = self.places.get(key);
        match at.and_then(|at| self.known.get(at)) {
            Some(Known::Result(Ok(inner))) => {
                seen.merge(inner.clone());
                return Ok(());
            }
            Some(Known::Result(Err(mismatch))) => return Err(Box::new(mismatch.clone())),
            Some(Known::Open) => {
                self.give_up("cannot be checked: the schema refers to itself without end", true);
                return Err(Mismatch::new(&[]));
            }
            _ if self.depth > DEEPEST => {
                self.stop.get_or_insert(Stop::First((place, value, self.scope)));
                return Err(Mismatch::new(&[]));
            }
            _ => {}
        }
        if self.known.len() >= MOST_KNOWN {
            (self.places, self.known) = Default::default();
        }
        self.know(key, Known::Open);
        let mut inner = Seen::default();
        let found = self.schema(place, value, &mut inner);
        let known = match &found {
            _ if self.stop.is_some() => Known::Nothing,
            Ok(()) => Known::Result(Ok(inner.clone())),
            Err(mismatch) => Known::Result(Err(mismatch.as_ref().clone())),
        };
        self.know(key, known);
        found.map(|()| seen.merge(inner))
    }

    fn know(&mut self, key: Key, known: Known) {
        let at = self.places.get(key).unwrap_or_else(|| {
            self.places.add(key, self.known.len());
            self.known.len()
        });
        match self.known.get_mut(at) {
            Some(place) => *place = known,
            None => self.known.push(known),
        }
    }

    pub(super) fn schema(
        &mut self,
        (schema, resource): Place<'s>,
        value: &'v Json<'v>,
        seen: &mut Seen,
    ) -> Found {
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

    /// Adds a resource to the scope.
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

    /// What a schema says of the name of a member, which is no part of the value, so that nothing can be remembered of it.
    pub(super) fn name(&mut self, place: Place<'s>, name: &str) -> Found {
        let name = Json::String(name.into());
        let mut check = Check::new(self.schema, self.rules, self.most_steps);
        (check.scopes, check.scope, check.steps) = (std::mem::take(&mut self.scopes), self.scope, self.steps);
        let found = check.run(place, &name);
        (self.scopes, self.steps) = (check.scopes, check.steps);
        if let Some(Stop::Undecided { why, is_final }) = check.stop {
            self.give_up(&why, is_final);
        }
        found
    }
}

/// How many steps a check of this value may take.
pub fn steps_for(value: &Json<'_>) -> u32 {
    STEPS_FOR_EACH.saturating_mul(size(value)).saturating_add(STEPS_FOR_ALL).min(MOST_STEPS)
}

/// How many parts a value has, with the parts of those.
fn size(value: &Json<'_>) -> u32 {
    let parts: u32 = match value {
        Json::Array(elements) => elements.iter().map(size).sum(),
        Json::Object(members) => members.iter().map(|(_, member)| size(member)).sum(),
        _ => 0,
    };
    parts + 1
}
