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
//! | [`trajectory`] | the messages and tool calls of an agent |
//! | [`graph_trajectory`] | the steps of a graph |
//! | [`judge`] | anything that a prompt can describe, by asking a model |
//! | [`code`] | generated code, once it is found in an answer |
//! | [`recipes`] | the answer of an assistant: claims, tools, guidance, preferences, criteria |
//!
//! beside them [`statistics`] (what the scores of an experiment add up to, and how sure one can be) and [`simulation`] (a
//! model that plays the user), and below them [`chat`] (models, and the providers that serve them), [`prompt`]
//! (templates), [`conversation`] (messages and tools as models read them), [`json`] (values and their equality), `matching`
//! (pairing the elements of two lists), `tasks` (running futures, so many at a time), `text` (looking for something in
//! texts) and [`error`].

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
pub mod graph_trajectory;
pub mod json;
#[cfg(feature = "scores")]
pub mod json_match;
#[cfg(feature = "scores")]
pub mod judge;
mod matching;
mod numbering;
#[cfg(feature = "scores")]
pub mod prompt;
#[cfg(feature = "scores")]
pub mod recipes;
#[cfg(feature = "scores")]
pub mod simulation;
#[cfg(feature = "metrics")]
pub mod statistics;
#[cfg(feature = "scores")]
pub mod string;
#[cfg(feature = "scores")]
mod tasks;
mod text;
#[cfg(feature = "scores")]
pub mod trajectory;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The result of a future that has nothing to wait for; `None` if it does wait.
pub(crate) fn ready<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
