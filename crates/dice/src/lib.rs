//! Dice, decks, and the one seam through which luck and players' answers enter.
//!
//! A rule never holds a generator. It asks the [`Seam`] for faces, for a card, or for an answer, and
//! whoever stands behind the seam supplies them: a generator, a player who threw real dice, a test, a
//! log. Given what came through the seam, everything else in Adjutant is a pure function.
//!
//! ```
//! use adjutant_dice::{DiceAsk, Seam, Typed};
//!
//! let mut table = Typed::new().with_dice([7, 3]);
//! let ask = DiceAsk { key: "firer", what_for: "Fire: the firer's d10", count: 1, sides: 10 };
//! assert_eq!(table.throw(&ask).unwrap(), [7]);
//! ```

mod accepts;
mod deck;
mod dice;
mod even;
mod map;
mod mixed;
mod number;
mod order;
mod random;
mod replay;
mod sealed;
mod seam;
mod text;
mod typed;
mod ways;

pub use accepts::{Accepts, Answer, ChoiceWord};
pub use deck::{Deck, DeckFault};
pub use dice::{Dice, DiceFault, MOST_DICE, MOST_SIDES};
pub use map::{Map, Set};
pub use mixed::Mixed;
pub use number::{LARGEST, Number, NumberFault};
pub use order::{sort_by, sort_by_key};
pub use random::Random;
pub use replay::{Came, Recorder, Replay};
pub use sealed::Sealed;
pub use seam::{CardAsk, DiceAsk, Matters, Need, Question, Seam, Source, Stop, Wanted, Whence};
pub use text::Text;
pub use typed::Typed;
pub use ways::{Way, WaysFault, ways};
