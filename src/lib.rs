//! The engine of openevals-wasm: evaluators for LLM applications.
//!
//! Plain Rust, tested on the host. Only `wasm` depends on WebAssembly. Each family of evaluators is a module:
//!
//! | module | what it scores |
//! | --- | --- |
//! | [`exact`] | whether two values are equal |
//! | [`string`] | how similar two texts are: Levenshtein, embeddings |
//! | [`json_match`] | structured outputs, key by key |
//! | [`trajectory`] | messages and tool calls of an agent, steps of a graph |
//! | [`agents`] | what an agent did: rules, loops, failures, function calls, state |
//! | [`judge`] | anything that a prompt can describe, by asking a model |
//! | [`json_schema`] | whether a value fits a schema |
//! | [`code`] | generated code, extracted from an answer |
//! | [`recipes`] | the answer of an assistant: claims, tools, guidance, preferences, criteria |
//! | [`rag`] | answers from retrieved contexts: claims, contexts, citations |
//! | [`metrics`] | texts, as in BLEU and ROUGE; rankings, as in trec_eval |
//!
//! Beside them are [`statistics`] (estimates, intervals and tests over the scores of an experiment) and
//! [`simulation`] (a model that plays the user).
//!
//! They build on:
//!
//! | module | what it provides |
//! | --- | --- |
//! | [`chat`] | models, and the providers that serve them |
//! | [`logprobs`] | token probabilities |
//! | [`prompt`] | prompt templates |
//! | [`conversation`] | messages and tools, rendered for models |
//! | [`json`] | JSON values and their equality |
//! | [`scale`] | range, direction, pass mark and unit of scores |
//! | [`error`] | the error type |
//! | `matching` | maximum and best matchings of two lists |
//! | `tasks` | futures that run concurrently, up to a limit |
//! | `executor` | runs a future that never waits |
//! | `interner`, `sort`, `text`, `memory` | small utilities |

// All futures run on one thread, so none has to be `Send`.
#![allow(async_fn_in_trait)]

#[cfg(feature = "rows")]
pub mod agents;
#[cfg(feature = "rows")]
pub mod chat;
#[cfg(feature = "rows")]
pub mod code;
#[cfg(feature = "rows")]
pub mod conversation;
pub mod error;
#[cfg(feature = "rows")]
pub mod exact;
#[cfg(feature = "rows")]
mod executor;
mod interner;
pub mod json;
#[cfg(feature = "rows")]
pub mod json_match;
#[cfg(feature = "rows")]
pub mod json_schema;
#[cfg(feature = "rows")]
pub mod judge;
pub mod logprobs;
#[cfg(feature = "rows")]
mod matching;
mod memory;
#[cfg(feature = "metrics")]
pub mod metrics;
#[cfg(feature = "rows")]
pub mod prompt;
#[cfg(feature = "rows")]
pub mod rag;
#[cfg(feature = "rows")]
pub mod recipes;
pub mod scale;
#[cfg(feature = "rows")]
pub mod simulation;
mod sort;
#[cfg(any(feature = "metrics", feature = "statistics"))]
pub mod statistics;
#[cfg(feature = "rows")]
pub mod string;
#[cfg(feature = "rows")]
mod tasks;
pub mod text;
#[cfg(feature = "rows")]
pub mod trajectory;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
