//! String and embedding similarity.

pub mod edit_distance;
pub mod embedding_similarity;
pub mod levenshtein;
