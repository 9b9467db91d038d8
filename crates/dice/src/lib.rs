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
//! let ask = DiceRequest::new("firer", "Fire: the firer's d10", 1, 10);
//! assert_eq!(table.dice(&ask).unwrap(), [7]);
//! ```

mod accepts;
mod deck;
mod dice;
mod entered;
mod input_source;
mod mixed;
mod number;
mod random;
mod recorded;
mod replay;
mod sealed;
mod source_error;
mod uniform;
mod ways;

pub use accepts::{Accepts, Answer, AnswerError, ChoiceWord};
pub use deck::{Deck, DeckError};
pub use dice::{Dice, DiceError, MOST_DICE, MOST_SIDES};
pub use entered::EnteredInput;
pub use input_source::{CardRequest, DiceRequest, InputSource, Question, Relevance, Site, ThrownBy};
pub use mixed::MixedInput;
pub use number::{LARGEST, Number, NumberError};
pub use random::RandomInput;
pub use recorded::RecordedInput;
pub use replay::{Recorder, Replay};
pub use sealed::SealedInput;
pub use source_error::{Missing, SourceError, Unused, Wanted};
/// Immutable text that is cheap to copy: ids, titles and labels of a pack go into every resolution. Up to 15 bytes are stored inline,
/// longer texts are shared.
pub type Text = ecow::EcoString;
pub use ways::{Way, WaysError, ways};
