//! Eval Recipes: evaluations that ask a model more than once.

pub mod sentences;
