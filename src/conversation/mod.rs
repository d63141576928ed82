//! Conversations, and the tools of those who lead them, as texts that models read.

mod messages;
mod quote;
mod tools;

pub use messages::render_messages;
pub use tools::render_tools;
