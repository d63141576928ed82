//! Metrics of rows and corpora that agree with a reference implementation.

pub mod packed;
pub mod retrieval;
pub mod text;
