//! The events that a session waits for.

/// An event that a session waits for.
#[derive(Debug)]
pub(super) enum Event {
    /// A line from the GUI.
    User(String),
    /// The end of the GUI's input.
    UserEnd,
    /// A line from the engine.
    Engine(String),
    /// The end of the engine's output.
    EngineEnd,
}
