//! Compares two JSON texts without building trees.
//!
//! Usually the same writer wrote both, so the texts are walked in step: scalars are compared as they are
//! read, arrays element by element, and objects member by member while their keys are in the same order.
//! After the first key that differs, the remaining members of both sides are collected as keys and texts of
//! values, and matched by key. Only values whose texts differ are walked.
//!
//! Both texts are checked to their end, even after a difference. Three cases fall back to trees: error
//! messages; duplicate keys that could change the result; and deep objects in different orders, whose texts
//! would be collected again at each level.

use super::quoted::Quoted;
use super::scan::{NeedsTree, Scanner};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Whether two texts represent the same value; `None` if only a comparison of trees can decide.
pub fn same(left: &str, right: &str) -> Option<bool> {
    let mut walk = Walk::new(left.len() + right.len());
    let (mut left, mut right) = (Scanner::new(left), Scanner::new(right));
    let verdict = walk.value(&mut left, &mut right, 0).ok()?;
    left.ends().ok().and(right.ends().ok())?;
    Some(verdict)
}

/// [`same`] for each row of a JSON text `[[left, right], …]`; `None` also if the text is not of that shape.
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

/// A member of an object whose members are in another order on the other side.
struct CollectedMember<'t> {
    key: Quoted<'t>,
    value: &'t str,
    /// On the left: whether the right side has the key, too.
    is_paired: bool,
}

/// Up to this number of members, a linear search is faster than a hash table.
const FEW: usize = 8;

struct Walk<'t> {
    /// The keys already read, of all objects that are being walked, outermost first.
    keys: Vec<Quoted<'t>>,
    /// The members collected on the left, of all objects that are being matched. Those of each object are
    /// followed by the pairs whose texts differ.
    members: Vec<CollectedMember<'t>>,
    /// A hash table: the indices of collected members by the hash of their key, counted from 1; 0 is a free
    /// slot.
    table: Vec<usize>,
    /// The number of bytes that may still be walked a second time.
    budget: usize,
}

impl<'t> Walk<'t> {
    /// A walk through texts of `bytes` bytes in total.
    fn new(bytes: usize) -> Self {
        /// Above this number of walks over a text, trees are faster.
        const ROUNDS: usize = 8;
        Self { keys: Vec::new(), members: Vec::new(), table: Vec::new(), budget: ROUNDS * bytes }
    }

    /// Compares the next values, and consumes both whatever the result.
    fn value(
        &mut self,
        left: &mut Scanner<'t>,
        right: &mut Scanner<'t>,
        depth: usize,
    ) -> Result<bool, NeedsTree> {
        match (left.next(), right.next()) {
            (Some(b'"'), Some(b'"')) => Ok(left.string()? == right.string()?),
            (Some(b'-' | b'0'..=b'9'), Some(b'-' | b'0'..=b'9')) => Ok(left.number()? == right.number()?),
            (Some(b'['), Some(b'[')) => self.lists(left, right, depth),
            (Some(b'{'), Some(b'{')) => self.objects(left, right, depth),
            // The first byte distinguishes `null`, `true` and `false` from each other and from all other
            // values.
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
    ) -> Result<bool, NeedsTree> {
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
    ) -> Result<bool, NeedsTree> {
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

    /// Collects the remaining members of an object. The key of the first one is already read.
    fn gather(
        &mut self,
        side: &mut Scanner<'t>,
        mut next: Option<Quoted<'t>>,
        depth: usize,
    ) -> Result<(), NeedsTree> {
        while let Some(key) = next {
            let value = side.skip(depth)?;
            self.members.push(CollectedMember { key, value, is_paired: false });
            next = if side.object_ends()? { None } else { Some(side.key()?) };
        }
        Ok(())
    }

    /// Compares the members collected from `start` on with the remaining members on the right, where the key
    /// of the first one is already read. The keys before them, which both sides share, are in `keys` from
    /// index `keys` on.
    fn match_members(
        &mut self,
        start: usize,
        right: &mut Scanner<'t>,
        mut next: Option<Quoted<'t>>,
        keys: usize,
        depth: usize,
    ) -> Result<bool, NeedsTree> {
        let end = self.members.len();
        let are_few = end - start <= FEW;
        if are_few {
            self.refuse_duplicates(start)?;
        } else {
            self.fill_table(start)?;
        }
        let mut alone = None;
        while let Some(key) = next {
            let found = if are_few {
                let mut gathered = self.members.get_mut(start..end).unwrap_or_default().iter_mut();
                gathered.find(|member| member.key == key)
            } else {
                let (_, found) = self.place(key)?;
                found.checked_sub(1).and_then(|index| self.members.get_mut(index))
            };
            match found {
                Some(member) if member.is_paired => return Err(NeedsTree),
                Some(member) => {
                    member.is_paired = true;
                    let value = member.value;
                    if !right.takes_same(value) {
                        let other = right.skip(depth)?;
                        for value in [value, other] {
                            self.members.push(CollectedMember { key, value, is_paired: true });
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
            // The other side may have the key earlier.
            let is_known = self.keys.iter().skip(keys).any(|key| *key == alone);
            return if is_known { Err(NeedsTree) } else { Ok(false) };
        }
        for index in (end..self.members.len()).step_by(2) {
            let Some([left, right]) = self.members.get(index..index + 2) else { break };
            let (left, right) = (left.value, right.value);
            self.budget = self.budget.checked_sub(left.len() + right.len()).ok_or(NeedsTree)?;
            if !self.value(&mut Scanner::new(left), &mut Scanner::new(right), depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Fails if two of the few members collected from `start` on have the same key.
    fn refuse_duplicates(&self, start: usize) -> Result<(), NeedsTree> {
        let mut rest = self.members.get(start..).unwrap_or_default();
        while let Some((member, others)) = rest.split_first() {
            if others.iter().any(|other| other.key == member.key) {
                return Err(NeedsTree);
            }
            rest = others;
        }
        Ok(())
    }

    /// Enters the members collected from `start` on into the hash table. Fails if two have the same key.
    fn fill_table(&mut self, start: usize) -> Result<(), NeedsTree> {
        let size = (2 * (self.members.len() - start)).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        for index in start..self.members.len() {
            let key = self.members.get(index).ok_or(NeedsTree)?.key;
            match self.place(key)? {
                (place, 0) => *self.table.get_mut(place).ok_or(NeedsTree)? = index + 1,
                _ => return Err(NeedsTree),
            }
        }
        Ok(())
    }

    /// The slot of a key in the table, and its content.
    fn place(&mut self, key: Quoted<'t>) -> Result<(usize, usize), NeedsTree> {
        let mut hasher = FxHasher::default();
        hasher.write(key.text().as_bytes());
        let last = self.table.len() - 1;
        let mut place = hasher.finish() as usize & last;
        loop {
            let found = *self.table.get(place).ok_or(NeedsTree)?;
            let other = found.checked_sub(1).and_then(|index| self.members.get(index));
            if other.is_none_or(|other| other.key == key) {
                return Ok((place, found));
            }
            // Keys can be chosen so that all of them have the same hash, so each probe costs budget.
            self.budget = self.budget.checked_sub(1 + key.len()).ok_or(NeedsTree)?;
            place = (place + 1) & last;
        }
    }
}

/// Skips the remaining members of an object after one of its members. Fails if its key occurs again.
fn skip_others(side: &mut Scanner<'_>, key: Quoted<'_>, depth: usize) -> Result<(), NeedsTree> {
    while !side.object_ends()? {
        if side.key()? == key {
            return Err(NeedsTree);
        }
        side.skip(depth)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
