//! Fights: charts rolled again and again until the fight is decided. The pack says who rolls which
//! chart at which target. Effects and follow-ups are the charts' own, so a fight cannot disagree
//! with play.
//!
//! A fight is a Markov chain of states. [`FightChain`] finds all states and the exact probability
//! of each step; [`FightChain::solve`] computes the outcome exactly. A fight with too many states
//! (`TooLarge`) is simulated instead ([`FightPlayer`]).

mod chain;
mod decks;
mod landing;
mod limits;
mod mass;
mod outlook;
mod play;
mod roles;
mod rules;
mod run_effects;
mod solve;
mod state;
mod tally;
mod view;
mod wide;

pub use chain::{EndPoint, FightChain};
pub(crate) use chain::{Link, Node};
pub use limits::{FightLimits, Limit};
pub use outlook::{
    DecisionOutlook, FightMean, Outlook, PlayedFights, Share, SideOutlook, TotalOutlook,
};
pub use play::{FightMemory, FightPlayer};
pub use solve::{DecisionOdds, FightOdds, SideOdds, TotalOdds};
pub(crate) use solve::{MOST_WORK, arrivals, work};
pub use tally::FightTally;

/// The id of the built-in end of a fight that leaves no side.
pub const NO_SIDE_LEFT: &str = "none";

/// How many standings are looked at to find out whether a question can come up.
const CHECKED_STANDINGS: usize = 4000;

use crate::error::{InputError, OptionOff, unknown};
use crate::odds::{OddsOptions, UnaskedQuestions, check_each};
use crate::questions::find_question;
use crate::situation::{read_value, set_memory, set_option};
use adjutant_dice::{Answer, Number};
use adjutant_pack::{
    AttributeId, Fight, FightAbout, FightId, FightInputId, FightSideId, IdVec, MemoryId, Noun,
    OptionId, Pack, Value, by_word, value_name,
};

/// Everything that is known before a fight starts.
///
/// ```
/// use adjutant_engine::{FightChain, FightSituation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let mut fight = FightSituation::new(&pack, "fire-fight").unwrap();
/// for (name, value) in [("ours.hesa", "6"), ("ours.def", "4"), ("theirs.hesa", "6"), ("theirs.def", "4")] {
///     fight.give(name, value).unwrap();
/// }
/// let odds = FightChain::new(&fight).unwrap().solve().unwrap();
/// let ends: Vec<&str> = odds.ends.iter().map(|end| end.id.as_str()).collect();
/// assert_eq!(ends, ["ours", "theirs", "none"]);
/// ```
#[derive(Clone, Debug)]
pub struct FightSituation<'p> {
    pub(crate) pack: &'p Pack,
    fight: FightId,
    /// The given value of each input of the fight.
    given: IdVec<FightInputId, Option<Value>>,
    options: IdVec<OptionId, Value>,
    memory: IdVec<MemoryId, Value>,
    /// How questions to the player are answered.
    pub asked: OddsOptions,
}

/// A side when the fight starts.
#[derive(Clone, Debug)]
pub(crate) struct SideAtStart {
    pub id: String,
    pub title: String,
    /// The number of its units.
    pub began: u32,
    pub totals: Vec<TotalAtStart>,
}

/// A value whose total over the units of a side is reported.
#[derive(Clone, Debug)]
pub(crate) struct TotalAtStart {
    pub id: String,
    pub title: String,
    /// The total.
    pub began: Number,
}

impl<'p> FightSituation<'p> {
    /// A fight without inputs, with default options.
    pub fn new(pack: &'p Pack, fight: &str) -> Result<FightSituation<'p>, InputError> {
        let Some(place) = pack.fight_id(fight) else {
            return Err(unknown(
                pack.title(),
                Noun::Fight,
                fight,
                pack.fights().iter().map(|fight| fight.id.as_str()),
            ));
        };
        let start = |start: &Option<Value>| start.unwrap_or(Value::YesNo(false));
        Ok(FightSituation {
            pack,
            fight: place,
            given: IdVec::filled(None, pack.fights()[place].inputs.len()),
            options: pack.options().iter().map(|option| start(&option.field.start)).collect(),
            memory: pack.memory().iter().map(|memory| start(&memory.start)).collect(),
            asked: OddsOptions::default(),
        })
    }

    /// The pack that the fight belongs to.
    pub fn pack(&self) -> &'p Pack {
        self.pack
    }

    /// The fight as the pack defines it.
    pub fn fight(&self) -> &'p Fight {
        &self.pack.fights()[self.fight]
    }

    /// Checks that every question which is answered can come up. Where a few thousand standings do
    /// not tell, or cards decide, every question of its charts may.
    pub fn check_answers(&self) -> Result<(), UnaskedQuestions> {
        let charts = self.fight().charts(self.pack);
        check_each(&self.asked, |asked, key| {
            if find_question(self.pack, &charts, key).is_err() {
                return false;
            }
            let there = FightSituation { asked: asked.clone(), ..self.clone() };
            !self.pack.decks().is_empty() || FightChain::within(&there, CHECKED_STANDINGS).is_err()
        })
    }

    /// Sets an input from text: `ours=3`, `ours.hesa=6`, `ammo=ap`.
    pub fn give(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        let inputs = &self.fight().inputs;
        let name = &*value_name(name);
        let at = |name: &str| inputs.position(|input| input.name == name);
        let dotted = || name.rsplit_once('.').and_then(|(value, word)| at(&by_word(value, word)));
        let Some(place) = at(name).or_else(dotted) else {
            return Err(unknown(
                &self.fight().title,
                Noun::Input,
                name,
                inputs.iter().map(|input| input.name.as_str()),
            ));
        };
        self.given[place] = Some(read_value(self.pack, name, &inputs[place].field.accepts, text)?);
        Ok(())
    }

    /// Sets an option of the pack from text.
    pub fn set_option(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        set_option(self.pack, &mut self.options, name, text)
    }

    /// Sets one of the game's memories at the start of the fight, from text.
    pub fn set_memory(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        set_memory(self.pack, &mut self.memory, name, text)
    }

    /// The known inputs with their names: given values and defaults.
    pub fn known_inputs(&self) -> Vec<(String, Answer)> {
        let inputs = self.fight().inputs.iter_enumerated();
        inputs
            .filter_map(|(place, input)| {
                Some((input.name.clone(), self.input(place)?.to_answer(self.pack.words())))
            })
            .collect()
    }

    fn input(&self, place: FightInputId) -> Option<Value> {
        self.given.get(place).copied().flatten().or(self.fight().inputs.get(place)?.field.start)
    }

    /// The number of units of a side at the start.
    pub fn count(&self, side: FightSideId) -> u32 {
        let place = self.fight().inputs.position(|input| input.about == FightAbout::Count(side));
        let count = place
            .and_then(|place| self.input(place))
            .and_then(Value::number)
            .and_then(|n| n.as_whole());
        count.and_then(|n| u32::try_from(n).ok()).unwrap_or(1)
    }

    /// A side when the fight starts. Without the value of a total its sum counts as 0:
    /// `FightRules::new` asks for it first.
    pub(crate) fn at_start(&self, side: FightSideId) -> SideAtStart {
        let known = &self.fight().sides[side];
        let began = self.count(side);
        let has = &self.pack.kinds()[known.kind].has;
        let total = |attribute: &AttributeId| {
            let about = FightAbout::Attribute(side, *attribute);
            let value = (self.fight().inputs.position(|input| input.about == about))
                .and_then(|place| self.input(place)?.number())
                .and_then(|value| value.times(Number::from(began)).ok());
            TotalAtStart {
                id: has[*attribute].id.to_string(),
                title: has[*attribute].label.to_string(),
                began: value.unwrap_or(Number::ZERO),
            }
        };
        SideAtStart {
            id: known.id.clone(),
            title: known.title.clone(),
            began,
            totals: known.totals.iter().map(total).collect(),
        }
    }

    /// The possible decisions, id and title: those that the fight defines, or by the side that is
    /// left.
    pub fn decisions(&self) -> Vec<(String, String)> {
        let fight = self.fight();
        if !fight.ends.is_empty() {
            return fight.ends.iter().map(|end| (end.id.clone(), end.title.clone())).collect();
        }
        let left = fight.sides.iter().map(|side| (side.id.clone(), format!("{} win", side.title)));
        left.chain([(NO_SIDE_LEFT.to_owned(), "No one is left".to_owned())]).collect()
    }

    /// The option that the fight requires, if it is off.
    pub fn closed_by(&self) -> Option<&'p adjutant_pack::PackOption> {
        let option = self.fight().needs_option?;
        (self.options[option] != Value::YesNo(true)).then(|| &self.pack.options()[option])
    }

    /// The error that the fight's option is off, if it is.
    pub fn closed(&self) -> Option<OptionOff> {
        Some(OptionOff::new(&self.fight().title, self.closed_by()?))
    }
}
