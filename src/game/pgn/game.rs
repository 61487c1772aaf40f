//! A game as its text has it.

/// One game of a file, not yet played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags in their order.
    pub tags: Vec<(String, String)>,
    /// What is said before the first move.
    pub comments: Vec<String>,
    /// The moves as they are written.
    pub moves: Vec<PgnMove>,
    /// The result at the end of the moves, if there is one.
    pub result: Option<String>,
    /// The line of the file in which the game begins, from 1.
    pub line: usize,
}

/// A move of a game, and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnMove {
    /// The move as it is written.
    pub san: String,
    /// Numeric glyphs: 4 for `$4`.
    pub nags: Vec<u32>,
    /// The comments after it, without their braces.
    pub comments: Vec<String>,
    /// The variations after it, unread, without their outer brackets.
    pub variations: Vec<String>,
    /// The line of the file.
    pub line: usize,
}

impl PgnGame {
    /// The value of a tag, whose name may be written in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let (_, value) = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// The result: that at the end of the moves, else that of the tags.
    pub fn result(&self) -> &str {
        let result = self.result.as_deref();
        result.or(self.tag("Result")).unwrap_or("*")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none()
    }
}
