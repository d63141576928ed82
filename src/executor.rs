//! Running a future without an executor.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// The result of a future that is ready at once; `None` if it has to wait.
pub fn ready<F: Future>(future: F) -> Option<F::Output> {
    step(pin!(future))
}

/// Polls a future once: its result, or `None` if it is still pending.
pub fn step<F: Future + ?Sized>(future: Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
