//! Dice, decks, and the one seam through which luck and players' answers enter.
//!
//! A rule never holds a generator. It asks the [`InputSource`] for faces, for a card, or for an answer, and
//! whoever stands behind the seam supplies them: a generator, a player who threw real dice, a test, a
//! log. Given what came through the seam, everything else in Adjutant is a pure function.
//!
//! ```
//! use adjutant_dice::{DiceRequest, InputSource, EnteredInput};
//!
//! let mut table = EnteredInput::new().with_dice([7, 3]);
//! let ask = DiceRequest { key: "firer", what_for: "Fire: the firer's d10", count: 1, sides: 10 };
//! assert_eq!(table.throw(&ask).unwrap(), [7]);
//! ```

mod accepts;
mod deck;
mod dice;
mod entered;
mod input_source;
mod map;
mod mixed;
mod number;
mod order;
mod random;
mod replay;
mod sealed;
mod text;
mod uniform;
mod ways;

pub use accepts::{Accepts, Answer, ChoiceWord};
pub use deck::{Deck, DeckError};
pub use dice::{Dice, DiceError, MOST_DICE, MOST_SIDES};
pub use entered::EnteredInput;
pub use input_source::{CardRequest, DiceRequest, InputSource, Missing, Question, Relevance, Site, SourceError, ThrownBy, Wanted};
pub use map::{Map, Set};
pub use mixed::MixedInput;
pub use number::{LARGEST, Number, NumberError};
pub use order::{sort_by, sort_by_key};
pub use random::RandomInput;
pub use replay::{Recorder, Replay, ReplayedInput};
pub use sealed::SealedInput;
pub use text::Text;
pub use ways::{Way, WaysError, ways};
