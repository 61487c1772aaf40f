//! How a game writes the moves of bia and of promoted bia.

/// The man that a leading `P` means, if both a bia and a promoted bia could move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LetterP {
    /// P may mean either, so the move is ambiguous.
    #[default]
    Either,
    /// P means the bia.
    Bia,
    /// P means the promoted bia. The game writes the moves of a bia without a letter, so P cannot
    /// mean the bia.
    Promoted,
}

/// A game's notation for the moves of bia and of promoted bia, inferred from its other moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notation {
    /// The meaning of `P`.
    pub p: LetterP,
    /// True if the game writes a promoted bia with a letter of its own, not as a met.
    pub promoted_apart: bool,
}
