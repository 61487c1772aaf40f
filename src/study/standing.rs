//! Whether an ending beats the count, in a word.

use std::fmt;

use serde::Serialize;

use super::overlay::Share;

/// From this share of all positions on, in hundredths, an ending beats the count.
const BEATS: f64 = 99.0;
/// From this share on it usually does.
const USUALLY: f64 = 50.0;

/// How a side stands against the count, by the share of the positions with it to move that it wins
/// inside the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It wins none of them.
    Never,
    /// It wins fewer than half.
    Rarely,
    /// It wins half or more.
    Usually,
    /// It wins practically all.
    Beats,
}

impl Standing {
    /// The rule, as a sentence without its beginning and end.
    pub const RULE: &str = "beats the count if 99 % or more of the positions with \
        the stronger side to move are won in time; usually: half or more; rarely: fewer; never: none";

    /// The word for this share.
    pub fn of(share: Share) -> Standing {
        match share.percent() {
            percent if percent >= BEATS => Standing::Beats,
            percent if percent >= USUALLY => Standing::Usually,
            _ if share.positions > 0 => Standing::Rarely,
            _ => Standing::Never,
        }
    }

    /// The word itself.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Beats => "beats the count",
            Standing::Usually => "usually",
            Standing::Rarely => "rarely",
            Standing::Never => "never",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_follows_from_the_share_alone() {
        let of = |positions, of| Standing::of(Share { positions, of });
        assert_eq!(of(99, 100), Standing::Beats);
        assert_eq!(of(98_999, 100_000), Standing::Usually);
        assert_eq!(of(1, 2), Standing::Usually);
        assert_eq!(of(499, 1000), Standing::Rarely);
        assert_eq!(of(1, u64::MAX), Standing::Rarely);
        assert_eq!(of(0, 7), Standing::Never);
        assert!(Standing::RULE.contains(&format!("{BEATS} %")));
        assert!(Standing::Beats > Standing::Usually);
    }
}
