//! Metrics of rows and corpora that have a reference implementation, and agree with it.

pub mod crossed;
pub mod retrieval;
pub mod text;
