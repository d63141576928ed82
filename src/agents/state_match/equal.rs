//! Pairs elements of lists whose order does not count.

use super::path::Step;
use super::{StateMatchConfig, Walk};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::matching::Relation;

/// Whether elements of two lists are equal by the rules of the comparison.
pub(super) struct Equal<'c, 'w, 'v> {
    pub(super) config: &'c StateMatchConfig,
    pub(super) path: &'w [Step<'v>],
    pub(super) output: &'v [Json<'v>],
    pub(super) reference: &'v [Json<'v>],
}

impl Relation for Equal<'_, '_, '_> {
    type Error = Error;

    async fn holds(&mut self, reference: usize, output: usize) -> Result<bool> {
        let (Some(one), Some(other)) = (self.output.get(output), self.reference.get(reference)) else {
            return Ok(false);
        };
        let mut path = self.path.to_vec();
        path.push(Step::Index(output));
        Walk { config: self.config, path, found: None }.same(one, other)
    }
}
