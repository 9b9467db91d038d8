//! What the odds of a chain of charts leave out. Outside a game only the units of the first chart
//! are known, and a chain may be too long to be worked out.

use adjutant_dice::Text;
use adjutant_pack::Relation;

/// A chart that would be run next, and is not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unfollowed {
    /// The chart's id.
    pub chart: Text,
    /// The chart's title.
    pub title: Text,
    /// Why it is not run.
    pub why: NotFollowed,
}

/// Why a chart is not run in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotFollowed {
    /// It is for other units, which only a game knows.
    Others(Relation),
    /// The unit in one of its roles has left or is out, and no other unit is known.
    NoUnit,
    /// The chain is too long. Such a chain has no end result.
    TooLong,
    /// The chain never ends. It has no end result.
    Endless,
}

impl Unfollowed {
    /// The title of the outcome if the chain has no end result because of this.
    pub(super) fn without_end(&self) -> Option<&'static str> {
        match self.why {
            NotFollowed::TooLong => Some("Too long to follow to its end"),
            NotFollowed::Endless => Some("Goes on without end"),
            NotFollowed::Others(_) | NotFollowed::NoUnit => None,
        }
    }
}
