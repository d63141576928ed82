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
//! for nothing), `text` (looking for something in texts), `numbering`, `sort`, `memory`, [`scale`] (what
//! scores mean) and [`error`].

// Everything runs on one thread, so no future has to be `Send`.
#![allow(async_fn_in_trait)]

#[cfg(any(feature = "scores", feature = "judges"))]
pub mod chat;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod code;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod conversation;
pub mod error;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod exact;
#[cfg(any(feature = "scores", feature = "judges"))]
mod executor;
pub mod json;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod json_match;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod json_schema;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod judge;
pub mod logprobs;
#[cfg(any(feature = "scores", feature = "judges"))]
mod matching;
mod memory;
#[cfg(feature = "metrics")]
pub mod metrics;
mod numbering;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod prompt;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod recipes;
pub mod scale;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod simulation;
mod sort;
#[cfg(any(feature = "metrics", feature = "statistics"))]
pub mod statistics;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod string;
#[cfg(any(feature = "scores", feature = "judges"))]
mod tasks;
pub mod text;
#[cfg(any(feature = "scores", feature = "judges"))]
pub mod trajectory;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
