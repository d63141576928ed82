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
//! | [`code`] | generated code, once it is found in an answer |
//! | [`recipes`] | the answer of an assistant: claims, tools, guidance, preferences, criteria |
//!
//! beside them [`statistics`] (what the scores of an experiment add up to, and how sure one can be) and [`simulation`] (a
//! model that plays the user), and below them [`chat`] (models, and the providers that serve them), [`prompt`]
//! (templates), [`conversation`] (messages and tools as models read them), [`json`] (values and their equality), `matching`
//! (pairing the elements of two lists), `text` (looking for something in texts), `numbering`, `sort`, `memory`, `executor`
//! (running futures) and [`error`].

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
mod executor;
pub mod json;
#[cfg(feature = "scores")]
pub mod json_match;
#[cfg(feature = "scores")]
pub mod judge;
mod matching;
mod memory;
mod numbering;
#[cfg(feature = "scores")]
pub mod prompt;
#[cfg(feature = "scores")]
pub mod recipes;
#[cfg(feature = "scores")]
pub mod simulation;
mod sort;
#[cfg(feature = "metrics")]
pub mod statistics;
#[cfg(feature = "scores")]
pub mod string;
mod text;
#[cfg(feature = "scores")]
pub mod trajectory;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

use error::Result;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Runs futures, at most `limit` of them at the same time. The first that fails ends all of them.
pub(crate) async fn join<T, E>(
    limit: usize,
    futures: impl Iterator<Item = impl Future<Output = Result<T, E>>>,
) -> Result<Vec<T>, E> {
    let mut running: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        let mut pending = 0;
        for (future, output) in running.iter_mut().filter(|(_, output)| output.is_none()) {
            if pending == limit.max(1) {
                break;
            }
            match future.as_mut().poll(context)? {
                Poll::Ready(done) => *output = Some(done),
                Poll::Pending => pending += 1,
            }
        }
        if pending == 0 { Poll::Ready(Ok(())) } else { Poll::Pending }
    })
    .await?;
    Ok(running.into_iter().filter_map(|(_, output)| output).collect())
}

/// A piece of work, which may make more of it.
pub(crate) type Work<'w> = Pin<Box<dyn Future<Output = Result<()>> + 'w>>;

/// Does what `next` hands out, at most `limit` pieces at the same time, until it has nothing and nothing is under way.
/// The first that fails ends all of them.
pub(crate) async fn work<'w>(limit: usize, next: &mut dyn FnMut() -> Option<Work<'w>>) -> Result<()> {
    let mut running: Vec<Work<'w>> = Vec::new();
    poll_fn(|context| {
        let mut at = 0;
        loop {
            if at == running.len() && at < limit {
                running.extend(next());
            }
            let Some(piece) = running.get_mut(at) else { break };
            match piece.as_mut().poll(context)? {
                Poll::Pending => at += 1,
                Poll::Ready(()) => drop(running.swap_remove(at)),
            }
        }
        if at == 0 { Poll::Ready(Ok(())) } else { Poll::Pending }
    })
    .await
}
