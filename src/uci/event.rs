//! What wakes a session.

/// What wakes a session.
#[derive(Debug)]
pub(super) enum Event {
    /// A line of the program that uses us.
    User(String),
    /// It says no more.
    UserEnd,
    /// A line of the engine.
    Engine(String),
    /// The engine says no more.
    EngineEnd,
}
