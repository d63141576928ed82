//! Comparing two JSON texts without making trees of them.
//!
//! Both mostly come from the same writer, so they are walked in step: scalars are compared as they are read, lists
//! element by element, and objects member by member as long as their keys are in the same order. Where they are not,
//! the rest of the members is gathered on both sides, as keys and the texts of their values, and matched by key; only
//! values whose texts differ are walked in turn.
//!
//! All of both texts is checked on the way, also what stands behind the first difference. Three things are left to
//! trees, which the walk could only do worse: saying what is wrong with a text; keys that occur twice where it matters
//! which one counts; and objects that nest so deep, all in another order, that their texts would be gathered over and
//! over again.

use super::scan::{Problem, Quoted, Scanner};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Whether two texts stand for the same value; `None` where only trees can tell.
pub fn same(left: &str, right: &str) -> Option<bool> {
    let mut walk = Walk::new(left.len() + right.len());
    let (mut left, mut right) = (Scanner::new(left), Scanner::new(right));
    let verdict = walk.value(&mut left, &mut right, 0).ok()?;
    left.ends().ok().and(right.ends().ok())?;
    Some(verdict)
}

/// [`same`] for each row of a JSON text `[[left, right], …]`; `None` also where it is none.
pub fn same_pairs(rows: &str) -> Option<Vec<bool>> {
    let mut walk = Walk::new(rows.len());
    let mut verdicts = Vec::new();
    let mut rows = Scanner::new(rows);
    (rows.next()? == b'[').then_some(())?;
    let depth = rows.open(0).ok()?;
    let mut ended = rows.takes(b']');
    while !ended {
        (rows.next()? == b'[').then_some(())?;
        let depth = rows.open(depth).ok()?;
        let mut left = Scanner::new(rows.skip(depth).ok()?);
        if rows.list_ends().ok()? {
            return None;
        }
        verdicts.push(walk.value(&mut left, &mut rows, depth).ok()?);
        if !rows.list_ends().ok()? {
            return None;
        }
        ended = rows.list_ends().ok()?;
    }
    rows.ends().ok()?;
    Some(verdicts)
}

/// The walk cannot go on: see above for the reasons.
struct Unclear;

impl From<Problem> for Unclear {
    fn from(_: Problem) -> Self {
        Self
    }
}

/// A member of an object whose members stand in another order on the other side.
struct Member<'t> {
    key: Quoted<'t>,
    value: &'t str,
    /// On the left, whether the right side has the key, too.
    is_paired: bool,
}

struct Walk<'t> {
    /// The keys of the members behind us, of all objects that are being walked, the outermost first.
    keys: Vec<Quoted<'t>>,
    /// The members that are gathered on the left, of all objects that are being matched; behind those of each object,
    /// in pairs, the ones whose texts differ.
    members: Vec<Member<'t>>,
    /// Where the gathered members stand by the hashes of their keys, counted from 1; 0 is a free place.
    table: Vec<usize>,
    /// How many bytes may still be walked a second time.
    budget: usize,
}

impl<'t> Walk<'t> {
    /// A walk through texts of that many bytes together.
    fn new(bytes: usize) -> Self {
        /// How often texts may be walked before trees are quicker.
        const ROUNDS: usize = 8;
        Self { keys: Vec::new(), members: Vec::new(), table: Vec::new(), budget: ROUNDS * bytes }
    }

    /// Compares the values that come next. Whatever the answer, they are behind us then.
    fn value(
        &mut self,
        left: &mut Scanner<'t>,
        right: &mut Scanner<'t>,
        depth: usize,
    ) -> Result<bool, Unclear> {
        match (left.next(), right.next()) {
            (Some(b'"'), Some(b'"')) => Ok(left.string()? == right.string()?),
            (Some(b'-' | b'0'..=b'9'), Some(b'-' | b'0'..=b'9')) => Ok(left.number()? == right.number()?),
            (Some(b'['), Some(b'[')) => self.lists(left, right, depth),
            (Some(b'{'), Some(b'{')) => self.objects(left, right, depth),
            // The first letters tell `null`, `true` and `false` from each other and from all else.
            (left_start, right_start) => {
                left.skip(depth)?;
                right.skip(depth)?;
                Ok(left_start == right_start)
            }
        }
    }

    fn lists(
        &mut self,
        left: &mut Scanner<'t>,
        right: &mut Scanner<'t>,
        depth: usize,
    ) -> Result<bool, Unclear> {
        let inner = left.open(depth)?;
        right.open(depth)?;
        let (mut left_ended, mut right_ended) = (left.takes(b']'), right.takes(b']'));
        while !left_ended && !right_ended {
            if !self.value(left, right, inner)? {
                left.skip_elements(inner)?;
                right.skip_elements(inner)?;
                return Ok(false);
            }
            (left_ended, right_ended) = (left.list_ends()?, right.list_ends()?);
        }
        if left_ended && right_ended {
            return Ok(true);
        }
        let longer = if left_ended { right } else { left };
        longer.skip(inner)?;
        longer.skip_elements(inner)?;
        Ok(false)
    }

    fn objects(
        &mut self,
        left: &mut Scanner<'t>,
        right: &mut Scanner<'t>,
        depth: usize,
    ) -> Result<bool, Unclear> {
        let inner = left.open(depth)?;
        right.open(depth)?;
        let keys = self.keys.len();
        let (mut left_ended, mut right_ended) = (left.takes(b'}'), right.takes(b'}'));
        let verdict = loop {
            let left_key = if left_ended { None } else { Some(left.key()?) };
            let right_key = if right_ended { None } else { Some(right.key()?) };
            let key = match (left_key, right_key) {
                (None, None) => break true,
                (Some(left), Some(right)) if left == right => left,
                _ => {
                    let start = self.members.len();
                    self.gather(left, left_key, inner)?;
                    let verdict = self.match_members(start, right, right_key, keys, inner)?;
                    self.members.truncate(start);
                    break verdict;
                }
            };
            if !self.value(left, right, inner)? {
                skip_others(left, key, inner)?;
                skip_others(right, key, inner)?;
                break false;
            }
            self.keys.push(key);
            (left_ended, right_ended) = (left.object_ends()?, right.object_ends()?);
        };
        self.keys.truncate(keys);
        Ok(verdict)
    }

    /// Gathers the members that are left of an object. The key of the first one is behind us.
    fn gather(
        &mut self,
        side: &mut Scanner<'t>,
        mut next: Option<Quoted<'t>>,
        depth: usize,
    ) -> Result<(), Unclear> {
        while let Some(key) = next {
            let value = side.skip(depth)?;
            self.members.push(Member { key, value, is_paired: false });
            next = if side.object_ends()? { None } else { Some(side.key()?) };
        }
        Ok(())
    }

    /// Compares the members gathered from `start` on with those that are left on the right, where the key of the first
    /// one is behind us. The keys of the members before them, which are the same on both sides, stand from `keys` on.
    fn match_members(
        &mut self,
        start: usize,
        right: &mut Scanner<'t>,
        mut next: Option<Quoted<'t>>,
        keys: usize,
        depth: usize,
    ) -> Result<bool, Unclear> {
        let end = self.members.len();
        self.fill_table(start)?;
        let mut alone = None;
        while let Some(key) = next {
            let (_, found) = self.place(key)?;
            match found.checked_sub(1).and_then(|index| self.members.get_mut(index)) {
                Some(member) if member.is_paired => return Err(Unclear),
                Some(member) => {
                    member.is_paired = true;
                    let value = member.value;
                    if !right.takes_same(value) {
                        let other = right.skip(depth)?;
                        for value in [value, other] {
                            self.members.push(Member { key, value, is_paired: true });
                        }
                    }
                }
                None => {
                    alone = Some(key);
                    right.skip(depth)?;
                }
            }
            next = if right.object_ends()? { None } else { Some(right.key()?) };
        }
        let gathered = self.members.get(start..end).unwrap_or_default();
        let alone = alone.or(gathered.iter().find(|member| !member.is_paired).map(|member| member.key));
        if let Some(alone) = alone {
            // The other side may have the key further in front.
            let is_known = self.keys.iter().skip(keys).any(|key| *key == alone);
            return if is_known { Err(Unclear) } else { Ok(false) };
        }
        for index in (end..self.members.len()).step_by(2) {
            let Some([left, right]) = self.members.get(index..index + 2) else { break };
            let (left, right) = (left.value, right.value);
            self.budget = self.budget.checked_sub(left.len() + right.len()).ok_or(Unclear)?;
            if !self.value(&mut Scanner::new(left), &mut Scanner::new(right), depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Notes where the members gathered from `start` on stand. None may have the key of another.
    fn fill_table(&mut self, start: usize) -> Result<(), Unclear> {
        let size = (2 * (self.members.len() - start)).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        for index in start..self.members.len() {
            let key = self.members.get(index).ok_or(Unclear)?.key;
            match self.place(key)? {
                (place, 0) => *self.table.get_mut(place).ok_or(Unclear)? = index + 1,
                _ => return Err(Unclear),
            }
        }
        Ok(())
    }

    /// The place of a key in the table, and what stands there.
    fn place(&mut self, key: Quoted<'t>) -> Result<(usize, usize), Unclear> {
        let mut hasher = FxHasher::default();
        hasher.write(key.text().as_bytes());
        let last = self.table.len() - 1;
        let mut place = hasher.finish() as usize & last;
        loop {
            let found = *self.table.get(place).ok_or(Unclear)?;
            let other = found.checked_sub(1).and_then(|index| self.members.get(index));
            if other.is_none_or(|other| other.key == key) {
                return Ok((place, found));
            }
            // Keys can be chosen so that all of them have the same hash.
            self.budget = self.budget.checked_sub(1 + key.len()).ok_or(Unclear)?;
            place = (place + 1) & last;
        }
    }
}

/// Steps over what is left of an object behind one of its members, whose key must not come again.
fn skip_others(side: &mut Scanner<'_>, key: Quoted<'_>, depth: usize) -> Result<(), Unclear> {
    while !side.object_ends()? {
        if side.key()? == key {
            return Err(Unclear);
        }
        side.skip(depth)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use proptest::prelude::*;

    /// What trees say; `None` if they cannot be read.
    fn of_trees(left: &str, right: &str) -> Option<bool> {
        Some(parse(left).ok()? == parse(right).ok()?)
    }

    #[test]
    fn objects_in_another_order_are_matched_by_key() {
        let cases = [
            (r#"{"a":1,"b":[{}],"c":"x"}"#, r#"{"c":"x","b":[{}],"a":1}"#, true),
            (r#"{"a":1,"b":{"c":1,"d":2}}"#, r#"{"b":{"d":2.0,"c":1},"a":1}"#, true),
            (r#"{"a":1,"b":{"c":1,"d":2}}"#, r#"{"b":{"d":2,"c":2},"a":1}"#, false),
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"c":1}"#, false),
            (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2,"c":3}"#, false),
            (r#"{"b":2,"a":1,"c":3}"#, r#"{"a":1,"b":2}"#, false),
            (r#"{"\u0061":1,"b":2}"#, r#"{"b":2,"a":1}"#, true),
            (r#"{"\ud800":1,"b":2}"#, r#"{"b":2,"\uD800":1}"#, true),
            (r#"{"\ud800":1,"b":2}"#, r#"{"b":2,"\ud801":1}"#, false),
            (r#"{}"#, r#"{"a":1}"#, false),
            (r#"{"":0,"a":0}"#, r#"{"a":0,"":0}"#, true),
        ];
        for (left, right, verdict) in cases {
            assert_eq!(same(left, right), Some(verdict), "{left} {right}");
            assert_eq!(same(right, left), Some(verdict), "{right} {left}");
        }
    }

    #[test]
    fn what_is_no_json_behind_a_difference_is_found() {
        for (left, right) in [
            ("[1,2", "[2,2]"),
            ("[1,2]", "[2,2"),
            ("[1,{]", "[2,{}]"),
            (r#"{"a":1,"b":x}"#, r#"{"a":2,"b":1}"#),
            (r#"{"a":1,"b":1}"#, r#"{"b":01,"c":1}"#),
            ("1 2", "2"),
            ("null", "nul"),
            ("[]", "[1,]"),
            ("", ""),
        ] {
            assert_eq!(same(left, right), None, "{left} {right}");
            assert_eq!(same(right, left), None, "{right} {left}");
        }
    }

    #[test]
    fn keys_that_occur_twice_are_left_to_trees_where_they_matter() {
        let cases = [
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, None),
            (r#"{"a":1,"a":2}"#, r#"{"a":3,"a":2}"#, None),
            (r#"{"a":1,"b":2,"a":3}"#, r#"{"b":2,"a":3}"#, None),
            (r#"{"a":1,"b":2,"a":1}"#, r#"{"a":1,"b":2}"#, None),
            (r#"{"x":0,"a":1,"a":2}"#, r#"{"a":2,"a":1,"x":0}"#, None),
            (r#"{"a":1,"a":2,"b":3}"#, r#"{"a":1,"a":2,"b":3}"#, Some(true)),
            (r#"{"a":1,"a":2,"b":3}"#, r#"{"a":1,"a":2,"b":4}"#, Some(false)),
        ];
        for (left, right, verdict) in cases {
            assert_eq!(same(left, right), verdict, "{left} {right}");
            assert_eq!(same(right, left), verdict, "{right} {left}");
        }
    }

    #[test]
    fn deep_nesting_in_another_order_ends_in_trees() {
        let nested = |before: &str, after: &str, inner: &str| {
            format!("{}{inner}{}", before.repeat(1_000), after.repeat(1_000))
        };
        let left = nested(r#"{"a":1,"b":"#, "}", "1");
        let right = nested(r#"{"b":"#, r#","a":1}"#, "1");
        let other = nested(r#"{"b":"#, r#","a":1}"#, "2");
        assert_eq!(same(&left, &right), None);
        assert_eq!(of_trees(&left, &right), Some(true));
        assert_eq!(of_trees(&left, &other), Some(false));
        let (left, right) = (nested("[", "]", "1"), nested("[", "]", "2"));
        assert_eq!(same(&left, &right), Some(false));
        assert_eq!(same(&"[".repeat(100_000), &"[".repeat(100_000)), None);
    }

    #[test]
    fn rows_are_compared_one_by_one() {
        let rows = r#" [ [1, 1.0], [{"a":1,"b":2} , {"b":2,"a":1}],[[],{}] ] "#;
        assert_eq!(same_pairs(rows), Some(vec![true, true, false]));
        assert_eq!(same_pairs("[]"), Some(vec![]));
        for rows in ["", "{}", "[", "[[]]", "[[1]]", "[[1,2,3]]", "[[1,2]", "[[1,2]]x", "[[1,2],]", "[1]"] {
            assert_eq!(same_pairs(rows), None, "{rows}");
        }
    }

    /// A value, spelled in one of the ways that JSON allows: keys in any order and more than once, numbers and strings in
    /// other words. Two of these with the same seed for the value are mostly equal.
    fn spelled(seed: &mut u64, spelling: &mut u64, depth: u32, keys_once: bool) -> String {
        let draw = |state: &mut u64, count: u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) % count
        };
        let one_of = |index: u64, spellings: &[&str]| spellings[index as usize % spellings.len()].to_owned();
        let spelling_now = draw(spelling, 4);
        match draw(seed, if depth == 0 { 8 } else { 12 }) {
            0 => "null".to_owned(),
            1 => "true".to_owned(),
            2 => one_of(spelling_now, &["1", "1.0", "10e-1", "0.1e1"]),
            3 => one_of(spelling_now, &["0.5", "5e-1", "0.50", "0.5"]),
            4 => one_of(spelling_now, &[r#""a""#, r#""\u0061""#]),
            5 => one_of(spelling_now, &[r#""é\n""#, r#""\u00e9\u000a""#, r#""\u00E9\n""#]),
            6 => one_of(spelling_now, &[r#""\ud800""#, r#""\uD800""#]),
            7 => one_of(spelling_now, &[r#""\ud83d\ude00""#, r#""😀""#]),
            8 | 9 => {
                let elements: Vec<_> =
                    (0..draw(seed, 4)).map(|_| spelled(seed, spelling, depth - 1, keys_once)).collect();
                format!("[{}]", elements.join(","))
            }
            _ => {
                let mut members: Vec<_> = (0..draw(seed, 4))
                    .map(|index| {
                        let key = if keys_once { index } else { draw(seed, 6) };
                        let keys = [[r#""a""#, r#""\u0061""#], [r#""\ud800""#, r#""\uD800""#]];
                        let key = match keys.get(key as usize) {
                            Some(key) => one_of(draw(spelling, 2), key),
                            None => format!("\"{key}\""),
                        };
                        format!("{key}:{}", spelled(seed, spelling, depth - 1, keys_once))
                    })
                    .collect();
                let middle = draw(spelling, members.len() as u64 + 1) as usize;
                members.rotate_left(middle);
                if !keys_once && draw(spelling, 8) == 0 {
                    members.extend(members.first().cloned());
                }
                format!("{{{}}}", members.join(" , "))
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_verdict_is_that_of_trees(seed in any::<u64>(), other in any::<u64>(), spellings in any::<(u64, u64)>(), differ in 0u8..4, keys_once: bool) {
            let left = spelled(&mut seed.clone(), &mut spellings.0.clone(), 4, keys_once);
            let right = spelled(&mut if differ == 0 { other } else { seed }, &mut spellings.1.clone(), 4, keys_once);
            let expected = of_trees(&left, &right);
            prop_assert!(expected.is_some(), "{left} {right}");
            let found = same(&left, &right);
            prop_assert!(found.is_none() && !keys_once || found == expected, "{left} {right}");
            prop_assert_eq!(crate::exact::exact_match(&left, &right).ok(), expected);
        }

        #[test]
        fn texts_of_few_letters_are_compared_as_trees(left in "[\\[\\]{}\",:a1 ]{0,12}", right in "[\\[\\]{}\",:a1 ]{0,12}") {
            let found = same(&left, &right);
            prop_assert!(found.is_none() || found == of_trees(&left, &right));
        }

        #[test]
        fn small_objects_are_compared_as_trees(left in objects(), right in objects()) {
            let found = same(&left, &right);
            prop_assert!(found.is_none() || found == of_trees(&left, &right), "{left} {right}");
        }
    }

    /// Objects of few keys and values, so that many are equal and many have a key twice.
    fn objects() -> impl Strategy<Value = String> {
        let member = "\"[abc]\":([12]|\\{\"[ab]\":[12]\\})";
        proptest::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(",")))
    }
}
