//! Validates a value.

use super::recursion::{Stop, Validator, steps_for};
use super::validation::{Mismatch, Seen, Validation};
use super::{Misfit, Schema, SchemaLocation, TextRules, address};
use crate::json::{self, Json, Number, Object};
use crate::sort::sorted;

impl Schema<'_> {
    /// The first violation of the schema by `value`, with its place.
    pub fn check(&self, value: &Json<'_>, rules: &TextRules<'_>) -> Result<(), Misfit> {
        let Some(root) = self.resources.first() else { return Ok(()) };
        let mut check = Validator::new(self, rules, steps_for(value));
        let found = check.run((root.root, 0), value);
        // Also if the value seems valid: the undecided part may be under a `not`.
        if let Some(Stop::Undecided { why, is_final }) = check.stop {
            return Err(Misfit { what: ["the answer ", &why].concat(), is_final });
        }
        found.map_err(|mismatch| match mismatch.path.strip_prefix('.').unwrap_or(&mismatch.path) {
            "" => ["the answer ", &mismatch.what].concat().into(),
            path => ["\"", path, "\" ", &mismatch.what].concat().into(),
        })
    }
}

/// Up to this length, comparing with every element is fast.
const SHORT_LIST: usize = 32;

impl<'s, 'v> Validator<'_, 's, 'v> {
    pub(super) fn keywords(
        &mut self,
        schema: &'s Object<'s>,
        resource: usize,
        value: &'v Json<'v>,
        seen: &mut Seen,
    ) -> Validation {
        self.value(schema, value)?;
        match value {
            Json::Object(members) => self.members(schema, resource, members, seen)?,
            Json::Array(elements) => self.elements(schema, resource, elements, seen)?,
            _ => {}
        }
        self.in_place(schema, resource, value, seen)?;
        self.unevaluated(schema, resource, value, seen)
    }

    /// Keywords for any type of value.
    fn value(&mut self, schema: &Object<'_>, value: &'v Json<'v>) -> Validation {
        let wrong = |wanted: &[&str]| {
            Err(Mismatch::new(&["is ", &value.to_string(), ", but has to be ", &wanted.concat()]))
        };
        if let Some(types) = schema.get("type")
            && !one_or_more(types).any(|name| has_type(value, name))
        {
            let names: Vec<&str> = one_or_more(types).collect();
            return wrong(&["of type ", &names.join(" or ")]);
        }
        if let Some(constant) = schema.get("const")
            && constant != value
        {
            return wrong(&[&constant.to_string()]);
        }
        if let Some(allowed) = schema.get("enum")
            && !self.is_one_of(list_of(schema, "enum"), value)
        {
            return wrong(&["one of ", &allowed.to_string()]);
        }
        match value {
            Json::Number(number) if !number.is_finite() => wrong(&["a number that JavaScript can hold"]),
            Json::Number(number) => match out_of_range(schema, number) {
                Some((relation, limit)) => wrong(&[relation, &limit.to_string()]),
                None => Ok(()),
            },
            Json::String(text) => {
                let text = json::without_lone_surrogates(text);
                for keyword in ["pattern", "format"] {
                    if let Some(rule) = schema.get(keyword).and_then(Json::as_str)
                        && !self.fits(keyword, rule, &text)
                    {
                        return wrong(&["of the ", keyword, " ", rule]);
                    }
                }
                bounded(schema, ["minLength", "maxLength"], &|| text.chars().count(), "characters")
            }
            _ => Ok(()),
        }
    }

    fn is_one_of(&mut self, allowed: &[Json<'_>], value: &Json<'_>) -> bool {
        let Some(first) = allowed.get(SHORT_LIST).and_then(|_| allowed.first()) else {
            return allowed.contains(value);
        };
        let key_of = |digest: u64| [address(first), digest as usize, (digest >> 32) as usize];
        if self.allowed.get(key_of(first.digest())).is_none() {
            for (place, value) in allowed.iter().enumerate() {
                self.allowed.add(key_of(value.digest()), place);
            }
        }
        let place = self.allowed.get(key_of(value.digest()));
        place.is_some_and(|place| allowed.get(place) == Some(value) || allowed.contains(value))
    }

    fn members(
        &mut self,
        schema: &'s Object<'s>,
        resource: usize,
        members: &'v Object<'v>,
        seen: &mut Seen,
    ) -> Validation {
        check_required(schema.get("required"), members)?;
        for (name, required) in objects_of(schema, "dependentRequired") {
            if members.get(name).is_some() {
                check_required(Some(required), members)?;
            }
        }
        bounded(schema, ["minProperties", "maxProperties"], &|| members.len(), "members")?;
        let properties = schema.get("properties").and_then(Json::as_object);
        let names = schema.get("propertyNames");
        for (index, (name, member)) in members.iter().enumerate() {
            if let Some(schema) = names
                && let Err(problem) = self.name((schema, resource), name)
            {
                let problem = Mismatch::new(&["has a name that does not fit: it ", &problem.what]);
                return Err(problem.within(&[".", name]));
            }
            let mut is_known = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                is_known = true;
                self.inner((schema, resource), member, &[".", name])?;
            }
            for (pattern, schema) in objects_of(schema, "patternProperties") {
                if self.fits("pattern", pattern, &json::without_lone_surrogates(name)) {
                    is_known = true;
                    self.inner((schema, resource), member, &[".", name])?;
                }
            }
            if !is_known && let Some(schema) = schema.get("additionalProperties") {
                is_known = true;
                self.inner((schema, resource), member, &[".", name])?;
            }
            if is_known {
                seen.add(index);
            }
        }
        Ok(())
    }

    fn elements(
        &mut self,
        schema: &'s Object<'s>,
        resource: usize,
        elements: &'v [Json<'v>],
        seen: &mut Seen,
    ) -> Validation {
        bounded(schema, ["minItems", "maxItems"], &|| elements.len(), "elements")?;
        let prefix = schema.get("prefixItems").and_then(Json::as_array).unwrap_or_default();
        let items = schema.get("items");
        for (index, element) in elements.iter().enumerate() {
            if let Some(schema) = prefix.get(index).or(items) {
                self.element((schema, resource), element, index)?;
                seen.add(index);
            }
        }
        if let Some(contained) = schema.get("contains") {
            let mut count = 0;
            for (index, element) in elements.iter().enumerate() {
                if self.inner((contained, resource), element, &[]).is_ok() {
                    count += 1;
                    seen.add(index);
                }
            }
            if count == 0 && schema.get("minContains").is_none() {
                return Err(Mismatch::new(&["has no element that fits \"contains\""]));
            }
            bounded(schema, ["minContains", "maxContains"], &|| count, "elements that fit \"contains\"")?;
        }
        if schema.get("uniqueItems") == Some(&Json::Bool(true))
            && let Some(twice) = repeated(elements)
        {
            return Err(Mismatch::new(&["has ", &twice.to_string(), " more than once"]));
        }
        Ok(())
    }

    /// Applicators for the same value: `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if`.
    fn in_place(
        &mut self,
        schema: &'s Object<'s>,
        resource: usize,
        value: &'v Json<'v>,
        seen: &mut Seen,
    ) -> Validation {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(reference) = schema.get(keyword).and_then(Json::as_str) {
                let place = match keyword {
                    "$ref" => self.schema.follow(reference, resource),
                    _ => {
                        let scope = self.scopes.get(self.scope).map(Vec::as_slice).unwrap_or_default();
                        self.schema.follow_dynamic(reference, resource, scope)
                    }
                };
                // The reader has checked that references resolve.
                self.referred(place.map_err(|problem| Mismatch::new(&[&problem]))?, value, seen)?;
            }
        }
        for schema in list_of(schema, "allOf") {
            self.also((schema, resource), value, seen)?;
        }
        for (keyword, is_one) in [("anyOf", false), ("oneOf", true)] {
            let (mut fitting, mut problem, mut is_known) = (0, None, false);
            for schema in list_of(schema, keyword) {
                match self.also((schema, resource), value, seen) {
                    Ok(()) => fitting += 1,
                    // Report the first branch's mismatch, unless the value matches the discriminator of
                    // another branch.
                    Err(mismatch)
                        if problem.is_none() || (!is_known && matches_discriminators(schema, value)) =>
                    {
                        (problem, is_known) = (Some(mismatch), matches_discriminators(schema, value));
                    }
                    Err(_) => {}
                }
            }
            if let Some(problem) = problem.filter(|_| fitting == 0) {
                return Err(problem);
            }
            if is_one && fitting > 1 {
                return Err(Mismatch::new(&[
                    "is ",
                    &value.to_string(),
                    ", which fits more than one schema of \"oneOf\"",
                ]));
            }
        }
        if let Some(excluded) = schema.get("not")
            && self.inner((excluded, resource), value, &[]).is_ok()
        {
            return Err(Mismatch::new(&["is ", &value.to_string(), ", which fits the schema under \"not\""]));
        }
        if let Some(condition) = schema.get("if") {
            let is_met = self.also((condition, resource), value, seen).is_ok();
            if let Some(schema) = schema.get(if is_met { "then" } else { "else" }) {
                self.also((schema, resource), value, seen)?;
            }
        }
        if let Json::Object(members) = value {
            for (name, schema) in objects_of(schema, "dependentSchemas") {
                if members.get(name).is_some() {
                    self.also((schema, resource), value, seen)?;
                }
            }
        }
        Ok(())
    }

    /// The annotations of a subschema count only if it is valid.
    #[inline(never)]
    fn also(&mut self, place: SchemaLocation<'s>, value: &'v Json<'v>, seen: &mut Seen) -> Validation {
        let mut inner = Seen::default();
        self.schema(place, value, &mut inner)?;
        seen.merge(inner);
        Ok(())
    }

    /// Applies a subschema to a child of the value, one `step` away.
    #[inline(never)]
    fn inner(&mut self, place: SchemaLocation<'s>, value: &'v Json<'v>, step: &[&str]) -> Validation {
        self.schema(place, value, &mut Seen::default()).map_err(|mismatch| mismatch.within(step))
    }

    #[inline(never)]
    fn element(&mut self, place: SchemaLocation<'s>, element: &'v Json<'v>, index: usize) -> Validation {
        self.inner(place, element, &[]).map_err(|mismatch| mismatch.within(&["[", &index.to_string(), "]"]))
    }

    /// `unevaluatedProperties` and `unevaluatedItems`.
    fn unevaluated(
        &mut self,
        schema: &'s Object<'s>,
        resource: usize,
        value: &'v Json<'v>,
        seen: &mut Seen,
    ) -> Validation {
        if let (Json::Object(members), Some(schema)) = (value, schema.get("unevaluatedProperties")) {
            for (index, (name, member)) in members.iter().enumerate() {
                if !seen.has(index) {
                    self.inner((schema, resource), member, &[".", name])?;
                    seen.add(index);
                }
            }
        }
        if let (Json::Array(elements), Some(schema)) = (value, schema.get("unevaluatedItems")) {
            for (index, element) in elements.iter().enumerate() {
                if !seen.has(index) {
                    self.element((schema, resource), element, index)?;
                    seen.add(index);
                }
            }
        }
        Ok(())
    }

    fn fits(&mut self, keyword: &str, rule: &str, text: &str) -> bool {
        (self.rules)(keyword, rule, text).unwrap_or_else(|problem| {
            self.give_up(
                &["cannot be matched with the ", keyword, " ", rule, ": ", &problem].concat(),
                false,
            );
            true
        })
    }
}

/// The comparison and the limit that a number violates.
fn out_of_range<'s>(schema: &'s Object<'_>, number: &Number<'_>) -> Option<(&'static str, &'s Json<'s>)> {
    const LIMITS: &[(&str, &str)] = &[
        ("minimum", "at least "),
        ("maximum", "at most "),
        ("exclusiveMinimum", "more than "),
        ("exclusiveMaximum", "less than "),
        ("multipleOf", "a multiple of "),
    ];
    LIMITS.iter().find_map(|(keyword, relation)| {
        let limit = schema.get(keyword)?;
        let Json::Number(bound) = limit else { return None };
        let order = number.cmp(bound);
        let fits = match *keyword {
            "minimum" => order.is_ge(),
            "maximum" => order.is_le(),
            "exclusiveMinimum" => order.is_gt(),
            "exclusiveMaximum" => order.is_lt(),
            _ => number.is_multiple_of(bound),
        };
        (!fits).then_some((*relation, limit))
    })
}

/// Checks a count against its limits.
#[inline(never)]
fn bounded(
    schema: &Object<'_>,
    [min, max]: [&str; 2],
    count: &dyn Fn() -> usize,
    things: &str,
) -> Validation {
    let bound = |keyword| match schema.get(keyword) {
        Some(Json::Number(number)) => Some(number),
        _ => None,
    };
    let (min, max) = (bound(min), bound(max));
    if min.is_none() && max.is_none() {
        return Ok(());
    }
    let count = count();
    let number = Number::Integer(count as i64);
    let (limit, least_or_most) = match (min.filter(|min| number < **min), max.filter(|max| number > **max)) {
        (Some(min), _) => (min, "least"),
        (_, Some(max)) => (max, "most"),
        _ => return Ok(()),
    };
    let [count, limit] = [&number, limit].map(|number| number.to_string());
    Err(Mismatch::new(&["has ", &count, " ", things, ", but has to have at ", least_or_most, " ", &limit]))
}

/// Finds the first required member that is missing.
fn check_required(required: Option<&Json<'_>>, members: &Object<'_>) -> Validation {
    let mut required = required.and_then(Json::as_array).unwrap_or_default().iter().filter_map(Json::as_str);
    match required.find(|name| members.get(name).is_none()) {
        Some(missing) => Err(Mismatch::new(&["is missing"]).within(&[".", missing])),
        None => Ok(()),
    }
}

/// An element that occurs more than once.
fn repeated<'e, 'j>(elements: &'e [Json<'j>]) -> Option<&'e Json<'j>> {
    let digests: Vec<u64> = elements.iter().map(Json::digest).collect();
    let order = sorted(elements.len(), &|a, b| digests.get(a).cmp(&digests.get(b)));
    order.iter().enumerate().find_map(|(at, index)| {
        let element = elements.get(*index)?;
        let others = order.iter().skip(at + 1);
        let mut same_digest = others.take_while(|other| digests.get(**other) == digests.get(*index));
        same_digest.find_map(|other| elements.get(*other).filter(|other| *other == element))
    })
}

#[inline(never)]
fn list_of<'s>(schema: &'s Object<'s>, keyword: &str) -> &'s [Json<'s>] {
    schema.get(keyword).and_then(Json::as_array).unwrap_or_default()
}

fn objects_of<'s>(schema: &'s Object<'s>, keyword: &str) -> impl Iterator<Item = (&'s str, &'s Json<'s>)> {
    schema.get(keyword).and_then(Json::as_object).into_iter().flat_map(Object::iter)
}

/// Whether the value's discriminators, its members with a `const`, match those of this schema.
fn matches_discriminators(schema: &Json<'_>, value: &Json<'_>) -> bool {
    let (Some(schema), Some(value)) = (schema.as_object(), value.as_object()) else { return false };
    let mut tags = objects_of(schema, "properties")
        .filter_map(|(name, property)| Some(value.get(name) == Some(property.as_object()?.get("const")?)));
    tags.next().is_some_and(|first| first && tags.all(|is_same| is_same))
}

/// The string, or the strings of a list.
fn one_or_more<'j>(value: &'j Json<'_>) -> impl Iterator<Item = &'j str> {
    value.as_array().unwrap_or(std::slice::from_ref(value)).iter().filter_map(Json::as_str)
}

fn has_type(value: &Json<'_>, name: &str) -> bool {
    match name {
        "null" => *value == Json::Null,
        "boolean" => matches!(value, Json::Bool(_)),
        "number" => matches!(value, Json::Number(_)),
        "integer" => matches!(value, Json::Number(number) if number.is_whole()),
        "string" => value.as_str().is_some(),
        "array" => value.as_array().is_some(),
        "object" => value.as_object().is_some(),
        _ => true,
    }
}
