//! Runs futures concurrently, up to a limit. All of them run on one thread.

use crate::error::Result;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Runs futures, at most `limit` of them at the same time. The first error ends all of them.
pub async fn join<T, E>(
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

/// A task, which may create more tasks.
pub type Work<'w> = Pin<Box<dyn Future<Output = Result<()>> + 'w>>;

/// Runs the tasks from `next`, at most `limit` at the same time, until `next` returns `None` and no task is
/// running. The first error ends all of them.
pub async fn work<'w>(limit: usize, next: &mut dyn FnMut() -> Option<Work<'w>>) -> Result<()> {
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
