//! Conversations and tools, rendered as text for models.

mod messages;
mod quote;
mod tools;

pub use messages::render_messages;
pub use tools::render_tools;
