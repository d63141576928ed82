//! Resolves references: the URI selects a resource, its fragment a path or an anchor in it.

use super::keywords::{self, Keyword};
use super::table::AddressTable;
use super::{Anchor, Schema, SchemaLocation, address};
use crate::json::Json;
use crate::text;

/// The schemas visited so far, and whether each is on the current path.
#[derive(Default)]
pub(super) struct Visited {
    places: AddressTable,
    are_open: Vec<bool>,
}

impl<'s> Schema<'s> {
    /// The schema that a reference from this resource resolves to. The error says why there is none.
    pub(super) fn follow(&self, reference: &str, resource: usize) -> Result<SchemaLocation<'s>, String> {
        let (address, fragment) = split(reference);
        let resource = self.resource(address, resource).ok_or(ELSEWHERE)?;
        match fragment.strip_prefix('/') {
            Some(path) => self.at(resource, path).ok_or_else(|| NOWHERE.to_owned()),
            None if fragment.is_empty() => {
                Ok((self.resources.get(resource).ok_or(ELSEWHERE)?.root, resource))
            }
            None => match self.anchor(resource, fragment) {
                Some(anchor) => Ok((anchor.schema, resource)),
                None => Err(NOWHERE.to_owned()),
            },
        }
    }

    /// The same for `$dynamicRef`: a dynamic anchor is looked up in the dynamic scope, outermost resource
    /// first.
    pub(super) fn follow_dynamic(
        &self,
        reference: &str,
        resource: usize,
        scope: &[usize],
    ) -> Result<SchemaLocation<'s>, String> {
        let (schema, place) = self.follow(reference, resource)?;
        let (_, name) = split(reference);
        let dynamic = |resource: usize| self.anchor(resource, name).filter(|anchor| anchor.is_dynamic);
        if dynamic(place).is_none() {
            return Ok((schema, place));
        }
        let outermost = scope.iter().find_map(|at| Some((dynamic(*at)?.schema, *at)));
        Ok(outermost.unwrap_or((schema, place)))
    }

    /// Whether validating any value against this schema may lead back to the same schema and value. `visited`
    /// records the schemas that were reached before.
    pub(super) fn is_endless(&self, start: SchemaLocation<'s>, visited: &mut Visited) -> bool {
        let mut steps = vec![(start, false)];
        while let Some((place, is_left)) = steps.pop() {
            let key = [address(place.0), 0, 0];
            match visited.places.get(key).and_then(|at| visited.are_open.get_mut(at)) {
                Some(is_open) if is_left => *is_open = false,
                Some(true) => return true,
                Some(false) => {}
                None => {
                    visited.places.add(key, visited.are_open.len());
                    visited.are_open.push(true);
                    steps.push((place, true));
                    steps.extend(self.in_place(place).into_iter().map(|place| (place, false)));
                }
            }
        }
        false
    }

    /// The subschemas that apply to the same value.
    fn in_place(&self, (schema, resource): SchemaLocation<'s>) -> Vec<SchemaLocation<'s>> {
        let Some(keywords) = schema.as_object() else { return Vec::new() };
        let resource = self.entered(schema, resource);
        let mut places = Vec::new();
        for (name, value) in keywords.iter() {
            match (name, value) {
                ("$ref", Json::String(reference)) => places.extend(self.follow(reference, resource)),
                // With several resources, the target depends on the dynamic scope.
                ("$dynamicRef", Json::String(reference)) if self.resources.len() == 1 => {
                    places.extend(self.follow(reference, resource));
                }
                ("allOf" | "anyOf" | "oneOf", Json::Array(schemas)) => {
                    places.extend(schemas.iter().map(|schema| (schema, resource)));
                }
                ("dependentSchemas", Json::Object(members)) => {
                    places.extend(members.iter().map(|(_, schema)| (schema, resource)));
                }
                ("not" | "if" | "then" | "else", schema) => places.push((schema, resource)),
                _ => {}
            }
        }
        places
    }

    /// The resource that a URI reference from `from` resolves to.
    fn resource(&self, address: &str, from: usize) -> Option<usize> {
        if address.is_empty() {
            return Some(from);
        }
        let uri = resolve(&self.resources.get(from)?.uri, address);
        self.resources.iter().position(|resource| resource.uri == uri)
    }

    fn anchor(&self, resource: usize, name: &str) -> Option<&Anchor<'s>> {
        // If a name is both kinds of anchor, the dynamic one takes precedence.
        let anchors = || self.resources.get(resource).into_iter().flat_map(|resource| &resource.anchors);
        let named = |anchor: &&Anchor<'s>| anchor.name == name;
        anchors().find(|anchor| named(anchor) && anchor.is_dynamic).or_else(|| anchors().find(named))
    }

    /// The schema at a JSON pointer (RFC 6901).
    fn at(&self, mut resource: usize, path: &str) -> Option<SchemaLocation<'s>> {
        let mut schema = self.resources.get(resource)?.root;
        let mut steps = path.split('/').map(unescaped);
        while let Some(keyword) = steps.next() {
            let value = schema.as_object()?.get(&keyword)?;
            schema = match keywords::find(&keyword)? {
                Keyword::Schema => value,
                Keyword::Schemas => value.as_array()?.get(steps.next()?.parse::<usize>().ok()?)?,
                Keyword::Members => value.as_object()?.get(&steps.next()?)?,
                _ => return None,
            };
            resource = self.entered(schema, resource);
        }
        Some((schema, resource))
    }

    /// The resource of a subschema: its own, or the one that it is in.
    pub(super) fn entered(&self, schema: &'s Json<'s>, resource: usize) -> usize {
        let has_id = schema.as_object().is_some_and(|keywords| keywords.get("$id").is_some());
        let own = || self.resources.iter().position(|resource| std::ptr::eq(resource.root, schema));
        has_id.then(own).flatten().unwrap_or(resource)
    }
}

const ELSEWHERE: &str = "it refers to another document; put the schema into $defs";
const NOWHERE: &str = "there is no schema at that place";

/// Splits a reference into URI and fragment.
pub fn split(reference: &str) -> (&str, &str) {
    text::split_once(reference, "#").unwrap_or((reference, ""))
}

/// Decodes a step of a JSON pointer.
fn unescaped(step: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = step.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        (rest, _) = match (byte, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                (after.get(2..).unwrap_or_default(), bytes.push((high * 16 + low) as u8))
            }
            _ => (after, bytes.push(*byte)),
        };
    }
    let step = String::from_utf8_lossy(&bytes);
    text::replace(&text::replace(&step, "~1", "/"), "~0", "~")
}

/// Resolves a URI reference against a base (RFC 3986). Queries are treated as part of the path.
pub fn resolve(base: &str, address: &str) -> String {
    let (root, path) = split_path(base);
    let (own_root, _) = split_path(address);
    if !own_root.is_empty() && !own_root.starts_with('/') {
        return address.to_owned();
    }
    if address.starts_with("//") {
        let scheme = text::find(root, "//").and_then(|end| root.get(..end)).unwrap_or_default();
        return [scheme, address].concat();
    }
    let mut steps: Vec<&str> = Vec::new();
    if !address.starts_with('/') {
        // A path after a host is absolute.
        steps.extend(if path.is_empty() { "/" } else { path }.split('/'));
        steps.pop();
        if root.is_empty() && path.is_empty() {
            steps.clear();
        }
    }
    for step in address.split('/') {
        match step {
            "." => {}
            ".." => {
                steps.pop();
            }
            _ => steps.push(step),
        }
    }
    [root, &steps.join("/")].concat()
}

/// Splits a URI into scheme with authority, and path.
fn split_path(uri: &str) -> (&str, &str) {
    let scheme = uri.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)));
    let length = scheme.filter(|end| uri.as_bytes().get(*end) == Some(&b':')).map_or(0, |end| end + 1);
    let (scheme, rest) = uri.split_at_checked(length).unwrap_or(("", uri));
    let host = match rest.strip_prefix("//") {
        Some(host) => 2 + host.bytes().position(|byte| byte == b'/').unwrap_or(host.len()),
        None => 0,
    };
    uri.split_at_checked(scheme.len() + host).unwrap_or(("", uri))
}
