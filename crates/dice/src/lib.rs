//! Dice, decks, exact numbers, and the one trait through which randomness and players' answers
//! enter.
//!
//! A rule never holds a random generator. It asks an [`InputSource`] for faces, a card or an
//! answer. The source may be a generator, a player with real dice, a test or a log. Given its
//! inputs, everything else in Adjutant is a pure function.
//!
//! ```
//! use adjutant_dice::{DiceRequest, InputSource, EnteredInput};
//!
//! let mut source = EnteredInput::new().with_dice([7, 3]);
//! let request = DiceRequest::new("firer", "Fire: the firer's d10", 1, 10);
//! assert_eq!(source.dice(&request).unwrap(), [7]);
//! ```

mod accepts;
mod deck;
mod dice;
mod entered;
mod gcd;
pub mod handful;
mod input_source;
mod map_of;
mod mixed;
pub mod notation;
mod number;
mod random;
mod recorded;
mod replay;
mod roll_so_far;
mod sealed;
mod sort;
mod source_error;
mod uniform;
mod ways;

pub use accepts::{Accepts, Answer, AnswerError, ChoiceWord};
pub use deck::{CardPlace, Deck, DeckError};
pub use dice::{Dice, DiceError, MOST_DICE, MOST_SIDES};
pub use entered::EnteredInput;
pub use gcd::gcd;
pub use input_source::{
    CardRequest, DiceRequest, InputSource, Question, Relevance, Site, ThrownBy,
};
pub use map_of::{map_of, one_entry, set_of};
pub use mixed::{Entry, MixedInput, OwnLuck};
pub use number::{LARGEST, Number, NumberError};
pub use random::RandomInput;
pub use recorded::RecordedInput;
pub use replay::{Recorder, Replay};
pub use roll_so_far::{RollSoFar, WayBack};
pub use sealed::SealedInput;
pub use sort::{sort, sort_by, sort_by_key};
pub use source_error::{Missing, SourceError, Unused, Wanted};
/// Immutable text that is cheap to copy: ids, titles and labels of a pack go into every resolution.
/// Up to 15 bytes are stored inline, longer texts are shared.
pub type Text = ecow::EcoString;
pub use ways::{Way, WaysError, ways};
