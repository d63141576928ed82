//! The engine of openevals-wasm: evaluators for LLM applications.
//!
//! It is plain Rust, tested on the host; only `wasm` knows that it runs in WebAssembly. One module for each
//! family of evaluators:
//!
//! | module | what it scores |
//! | --- | --- |
//! | [`exact`] | whether two values are equal |
//! | [`string`] | how similar two texts are: Levenshtein, embeddings |
//! | [`json_match`] | structured outputs, key by key |
//! | [`trajectory`] | the messages and tool calls of an agent, the steps of a graph |
//! | [`judge`] | anything that a prompt can describe, by asking a model |
//! | [`json_schema`] | whether a value fits a schema |
//! | [`code`] | generated code, once it is found in an answer |
//! | [`recipes`] | the answer of an assistant: claims, tools, guidance, preferences, criteria |
//! | [`metrics`] | texts, as BLEU, ROUGE and the like do; rankings, as trec_eval does |
//!
//! beside them [`statistics`] (what the scores of an experiment add up to, and how sure one can be) and [`simulation`] (a
//! model that plays the user), and below them [`chat`] (models, and the providers that serve them), [`logprobs`] (how
//! likely they found what they said), [`prompt`]
//! (templates), [`conversation`] (messages and tools as models read them), [`json`] (values and their equality), `matching`
//! (pairing the elements of two lists), `tasks` (running futures, so many at a time), `executor` (running one that waits
//! for nothing), `text` (looking for something in texts), `numbering`, `sort`, `memory` and [`error`].

// Everything runs on one thread, so no future has to be `Send`.
#![allow(async_fn_in_trait)]

#[cfg(feature = "scores")]
pub mod chat;
#[cfg(feature = "scores")]
pub mod code;
#[cfg(feature = "scores")]
pub mod conversation;
pub mod error;
#[cfg(feature = "scores")]
pub mod exact;
#[cfg(feature = "scores")]
mod executor;
pub mod json;
#[cfg(feature = "scores")]
pub mod json_match;
#[cfg(feature = "scores")]
pub mod json_schema;
#[cfg(feature = "scores")]
pub mod judge;
pub mod logprobs;
#[cfg(feature = "scores")]
mod matching;
mod memory;
#[cfg(feature = "metrics")]
pub mod metrics;
mod numbering;
#[cfg(feature = "scores")]
pub mod prompt;
#[cfg(feature = "scores")]
pub mod recipes;
#[cfg(feature = "scores")]
pub mod simulation;
mod sort;
#[cfg(any(feature = "metrics", feature = "statistics"))]
pub mod statistics;
#[cfg(feature = "scores")]
pub mod string;
#[cfg(feature = "scores")]
mod tasks;
pub mod text;
#[cfg(feature = "scores")]
pub mod trajectory;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
