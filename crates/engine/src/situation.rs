//! What is known before a chart runs: the inputs, the options, the game's memory, and the cards
//! left. Inputs arrive as the player's text and are checked one by one, so that a command or a page
//! can report all errors at once.

use crate::decks::{Decks, Owners};
use crate::error::{InputError, unknown};
use adjutant_dice::{Accepts, Answer, Deck, Number, Text};
use adjutant_pack::{
    CardGoal, Chart, ChartId, DeckId, IdVec, InputId, MemoryId, Noun, OptionId, Pack, Slot, Value,
    by_word, clip, value_name,
};
use std::borrow::Cow;

/// The maximum number of units in one run.
const MOST_MEMBERS: usize = 100;

/// Everything that is known before a chart runs.
#[derive(Clone, Debug)]
pub struct Situation<'p> {
    pub(crate) pack: &'p Pack,
    pub(crate) chart: ChartId,
    /// The given value of each input.
    pub(crate) given: Given,
    /// The given values for each of several units, with the unit's name.
    pub(crate) members: Vec<(Text, Given)>,
    /// Given values of units that are no inputs of the chart, with the index of the unit among
    /// several. They may rule it out.
    pub(crate) beside: Vec<(Option<usize>, Text, Value)>,
    pub(crate) options: IdVec<OptionId, Value>,
    pub(crate) memory: IdVec<MemoryId, Value>,
    /// Whether the resolution omits the inputs.
    pub(crate) brief: bool,
    /// The decks. A run removes the cards it draws.
    pub decks: Decks,
    /// Whose decks are used.
    pub owners: Owners,
}

/// The given value of each input of a chart.
pub(crate) type Given = IdVec<InputId, Option<Value>>;

/// The value of each name of a chart.
pub(crate) type Values = IdVec<Slot, Option<Value>>;

/// A unit that a chart runs for: its name, if there are several, and the values of the chart's
/// names at the start.
pub(crate) type Unit = (Text, Values);

/// The values of a chart's names at the start, from its inputs.
pub(crate) fn starting(
    chart: &Chart,
    options: &IdVec<OptionId, Value>,
    memory: &IdVec<MemoryId, Value>,
    place: Number,
    input: impl Fn(InputId) -> Option<Value>,
) -> Values {
    let mut values = IdVec::filled(None, chart.names.len());
    for (place, known) in chart.inputs.iter_enumerated() {
        values[known.slot] = input(place);
    }
    for (origin, slot) in &chart.other_names {
        values[*slot] = match *origin {
            adjutant_pack::NameSource::Option(option) => options.get(option).copied(),
            adjutant_pack::NameSource::Memory(remembered) => memory.get(remembered).copied(),
            adjutant_pack::NameSource::Place => Some(Value::Number(place)),
            _ => None,
        };
    }
    values
}

/// Every deck of a pack with all its cards.
fn full_decks(pack: &Pack) -> IdVec<DeckId, Deck> {
    pack.decks().iter().map(|deck| Deck::full(deck.cards.len() as u32)).collect()
}

/// Parses a text as an accepted value.
pub(crate) fn read_value(
    pack: &Pack,
    name: &str,
    accepts: &Accepts,
    text: &str,
) -> Result<Value, InputError> {
    let answer = accepts.read(text).map_err(|error| {
        let error = Box::new(error);
        InputError::NotAccepted { name: clip(name), error, note: Text::default() }
    })?;
    Value::from_answer(&answer, pack.words())
        .ok_or_else(|| InputError::NotAWord { name: clip(name), note: Text::default() })
}

/// Sets one of a pack's options.
pub(crate) fn set_option(
    pack: &Pack,
    options: &mut IdVec<OptionId, Value>,
    name: &str,
    text: &str,
) -> Result<(), InputError> {
    let Some(place) = pack.option_id(name) else {
        return Err(unknown(
            pack.title(),
            Noun::Option,
            name,
            pack.options().iter().map(|option| option.field.id.as_str()),
        ));
    };
    options[place] = read_value(pack, name, &pack.options()[place].field.accepts, text)?;
    Ok(())
}

/// Sets one of the game's memories.
pub(crate) fn set_memory(
    pack: &Pack,
    memory: &mut IdVec<MemoryId, Value>,
    name: &str,
    text: &str,
) -> Result<(), InputError> {
    let Some(place) = pack.memory_id(name) else {
        return Err(unknown(
            pack.title(),
            Noun::Memory,
            name,
            pack.memory().iter().map(|known| known.id.as_str()),
        ));
    };
    memory[place] = read_value(pack, name, &pack.memory()[place].accepts, text)?;
    Ok(())
}

impl<'p> Situation<'p> {
    /// A situation without inputs, with default options and full decks.
    pub fn new(pack: &'p Pack, chart: &str) -> Result<Situation<'p>, InputError> {
        let Some(place) = pack.chart_id(chart) else {
            return Err(unknown(
                pack.title(),
                Noun::Chart,
                chart,
                pack.charts().iter().map(|chart| chart.id.as_str()),
            ));
        };
        let start = |start: &Option<Value>| start.unwrap_or(Value::YesNo(false));
        Ok(Situation {
            pack,
            chart: place,
            given: IdVec::filled(None, pack.charts()[place].inputs.len()),
            members: Vec::new(),
            beside: Vec::new(),
            options: pack.options().iter().map(|option| start(&option.field.start)).collect(),
            memory: pack.memory().iter().map(|memory| start(&memory.start)).collect(),
            brief: false,
            decks: full_decks(pack).into(),
            owners: Owners::default(),
        })
    }

    /// The current state of a game: its options, its memory and the cards left. `chart` is an index
    /// into the pack's charts.
    pub fn standing(
        pack: &'p Pack,
        chart: ChartId,
        options: &IdVec<OptionId, Value>,
        memory: &IdVec<MemoryId, Value>,
        decks: &IdVec<DeckId, Deck>,
    ) -> Option<Situation<'p>> {
        let fits = options.len() == pack.options().len()
            && memory.len() == pack.memory().len()
            && decks.len() == pack.decks().len();
        let inputs = pack.charts().get(chart).filter(|_| fits)?.inputs.len();
        let (options, memory, decks) = (options.clone(), memory.clone(), decks.clone().into());
        Some(Situation {
            pack,
            chart,
            given: IdVec::filled(None, inputs),
            members: Vec::new(),
            beside: Vec::new(),
            options,
            memory,
            brief: false,
            decks,
            owners: Owners::default(),
        })
    }

    /// Omits the inputs and the pass condition of each die from the resolution. A caller that
    /// compares a log with the chart has them already, and in a run for several units naming the
    /// inputs of each costs more than the roll itself.
    pub fn be_brief(&mut self) {
        self.brief = true;
    }

    /// Sets an input by its index to a value of a unit. The value was checked when the unit was
    /// created.
    pub fn give_known(&mut self, place: InputId, value: Value) {
        if let Some(given) = self.given.get_mut(place) {
            *given = Some(value);
        }
    }

    /// Sets inputs of one of several units by their index.
    pub fn give_member(
        &mut self,
        member: &str,
        known: impl IntoIterator<Item = (InputId, Value)>,
    ) -> Result<(), InputError> {
        let slot = self.member(member)?;
        for (place, value) in known {
            if let Some(given) = self.members[slot].1.get_mut(place) {
                *given = Some(value);
            }
        }
        Ok(())
    }

    /// The names of the several units, in the order they were given.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(name, _)| name.as_str())
    }

    /// The pack that the chart belongs to.
    pub fn pack(&self) -> &'p Pack {
        self.pack
    }

    /// The chart to run.
    pub fn chart(&self) -> &'p Chart {
        &self.pack.charts()[self.chart]
    }

    /// Sets an input from text: `ammo=ap`, `firer.hesa=6`, or for one of several units
    /// `figure.2.rep=4`.
    pub fn give(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        let chart = self.chart();
        let name = &*self.whole_name(name);
        if let Some(place) = chart.inputs.position(|input| input.name == name) {
            let field = &chart.inputs[place].field;
            self.given[place] = Some(
                self.read(name, &field.accepts, text)
                    .map_err(|error| error.with_note(&field.note))?,
            );
            return Ok(());
        }
        if let Some((member, role, attribute)) = self.member_path(name) {
            let common = format!("{role}.{attribute}");
            if let Some(place) = chart.inputs.position(|input| input.name == common) {
                let value = self.read(name, &chart.inputs[place].field.accepts, text)?;
                let slot = self.member(&member)?;
                self.members[slot].1[place] = Some(value);
                return Ok(());
            }
            if let Some(value) = self.known_attribute(&common, text)? {
                let slot = self.member(&member)?;
                self.beside.push((Some(slot), common.into(), value));
                return Ok(());
            }
        } else if let Some(value) = self.known_attribute(name, text)? {
            self.beside.push((None, name.into(), value));
            return Ok(());
        }
        let mut known: Vec<&str> = chart.inputs.iter().map(|input| input.name.as_str()).collect();
        if known.is_empty() {
            return Err(InputError::NoInputs { chart: chart.title.clone(), name: clip(name) });
        }
        adjutant_dice::sort(&mut known);
        Err(unknown(&chart.title, Noun::Input, name, known))
    }

    /// The name of an input, also where it was written by a word: `target.armour[head]`.
    pub fn whole_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        self.by_word(name).map_or(Cow::Borrowed(name), Cow::Owned)
    }

    /// The name of a value by a word: `target.armour.head` and `target.armour[head]` are
    /// `target.armour_head`.
    fn by_word(&self, name: &str) -> Option<String> {
        if let Cow::Owned(joined) = value_name(name) {
            return Some(joined);
        }
        let (value, word) = name.rsplit_once('.')?;
        let joined = by_word(value, word);
        let inputs = &self.chart().inputs;
        let known = |name: &str| inputs.iter().any(|input| input.name == name);
        let of_kind = || {
            let attribute = joined.rsplit_once('.').map(|(_, attribute)| attribute);
            let mut kinds = self.pack.kinds().iter();
            kinds.any(|kind| kind.has.iter().any(|field| Some(field.id.as_str()) == attribute))
        };
        (!known(name) && value.contains('.') && (known(&joined) || of_kind())).then_some(joined)
    }

    fn read(&self, name: &str, accepts: &Accepts, text: &str) -> Result<Value, InputError> {
        read_value(self.pack, name, accepts, text)
    }

    /// Splits `figure.2.rep` into the member `2`, the role `figure` and the attribute `rep`.
    fn member_path(&self, name: &str) -> Option<(String, &'p str, String)> {
        let chart = self.chart();
        let role = &chart.roles[chart.each.as_ref()?.role].id;
        let (member, attribute) =
            name.strip_prefix(role.as_str())?.strip_prefix('.')?.split_once('.')?;
        let fine =
            !member.is_empty() && member.len() <= 40 && !member.chars().any(char::is_control);
        fine.then(|| (member.to_owned(), role.as_str(), attribute.to_owned()))
    }

    /// The index of one of several units. A new name adds a unit.
    fn member(&mut self, name: &str) -> Result<usize, InputError> {
        if let Some(place) = self.members.iter().position(|(known, _)| known == name) {
            return Ok(place);
        }
        if self.members.len() >= MOST_MEMBERS {
            return Err(InputError::TooManyMembers { most: MOST_MEMBERS });
        }
        self.members.push((name.into(), IdVec::filled(None, self.chart().inputs.len())));
        Ok(self.members.len() - 1)
    }

    /// Reads an attribute or a status that the unit has but this chart does not use. So the caller
    /// can pass a whole unit to every chart.
    fn known_attribute(&self, name: &str, text: &str) -> Result<Option<Value>, InputError> {
        let Some((role, attribute)) = name.split_once('.') else { return Ok(None) };
        let Some(place) = self.chart().role(role) else { return Ok(None) };
        let kind = self.chart().roles[place].kind;
        if let Some(field) = self.pack.kinds()[kind].has.iter().find(|field| field.id == attribute)
        {
            return self.read(name, &field.accepts, text).map(Some);
        }
        if self
            .pack
            .statuses()
            .iter()
            .any(|status| status.id == attribute && status.of.contains(&kind))
        {
            return self.read(name, &Accepts::YesNo, text).map(Some);
        }
        Ok(None)
    }

    /// Whether the input at this index was given.
    pub fn is_given(&self, place: InputId) -> bool {
        self.given.get(place).is_some_and(Option::is_some)
    }

    /// The given inputs, with their names.
    pub fn given_inputs(&self) -> Vec<(Text, Answer)> {
        let inputs = self.chart().inputs.iter().zip(&self.given);
        inputs
            .filter_map(|(input, value)| {
                Some((input.name.clone(), (*value)?.to_answer(self.pack.words())))
            })
            .collect()
    }

    /// Sets an input to an answer that is already parsed.
    pub fn give_answer(&mut self, name: &str, answer: &Answer) -> Result<(), InputError> {
        self.give(name, &answer.to_string())
    }

    /// Sets an option of the pack from text.
    pub fn set_option(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        set_option(self.pack, &mut self.options, name, text)
    }

    /// Sets one of the game's memories from text.
    pub fn set_memory(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        set_memory(self.pack, &mut self.memory, name, text)?;
        if !self.pack.memory_id(name).is_some_and(|memory| self.pack.is_per_side(memory)) {
            return Ok(());
        }
        let of_side = format!("side.{name}");
        let reads = |input: &&str| **input == of_side || input.ends_with(&format!(".{of_side}"));
        let inputs = self.chart().inputs.iter().map(|input| input.name.as_str());
        let inputs = inputs.filter(reads).map(Text::from).collect();
        Err(InputError::MemoryOfSide { name: name.into(), inputs })
    }

    /// Removes cards from the deck that the chart draws from, before it starts.
    pub fn take_out(&mut self, gone: &[u32]) -> Result<(), InputError> {
        if gone.is_empty() {
            return Ok(());
        }
        let deck = self
            .deck_in_use()
            .ok_or_else(|| InputError::NoDeck { chart: self.chart().title.clone() })?;
        for card in gone {
            self.decks[deck].take(*card).map_err(InputError::Card)?;
        }
        Ok(())
    }

    /// Puts cards into the hand of the side or unit that takes the test, before the chart starts.
    pub fn put_in_hand(&mut self, cards: &[u32]) -> Result<(), InputError> {
        if cards.is_empty() {
            return Ok(());
        }
        let hand = |deck: &DeckId| self.pack.decks()[*deck].hand.is_some();
        let deck = self.decks_in_use().into_iter().find(hand);
        let deck = deck.ok_or_else(|| InputError::NoHand { chart: self.chart().title.clone() })?;
        let place = self.owners.acting.place(&self.pack.decks()[deck], CardGoal::Hand);
        for card in cards {
            self.decks[deck].can_take(*card).map_err(InputError::Card)?;
            self.decks[deck].put(*card, place).map_err(InputError::Card)?;
        }
        Ok(())
    }

    /// The values of the chart's names that the inputs determine.
    pub(crate) fn known_names(&self) -> Values {
        let known = |name: &adjutant_pack::Name| match name.origin {
            adjutant_pack::NameSource::Input(input) => self.value(None, input, true),
            _ => None,
        };
        self.chart().names.iter().map(known).collect()
    }

    /// The values of the chart's names that inputs, options and memory determine.
    pub(crate) fn all_known_names(&self) -> Values {
        let settled = |(known, name): (Option<Value>, &adjutant_pack::Name)| match name.origin {
            adjutant_pack::NameSource::Option(option) => self.options.get(option).copied(),
            adjutant_pack::NameSource::Memory(memory) => self.memory.get(memory).copied(),
            _ => known,
        };
        self.known_names().into_iter().zip(&self.chart().names).map(settled).collect()
    }

    /// Copies the options, the memory and the decks of another situation of the same pack.
    pub(crate) fn take_over(&mut self, before: &Situation<'p>) {
        self.options.clone_from(&before.options);
        self.memory.clone_from(&before.memory);
        self.decks.clone_from(&before.decks);
        self.owners.clone_from(&before.owners);
    }

    /// The deck that the chart draws from, directly or through charts it looks up.
    pub fn deck_in_use(&self) -> Option<DeckId> {
        self.decks_in_use().first().copied()
    }

    /// The decks that the chart draws from, directly or through charts it looks up.
    pub fn decks_in_use(&self) -> Vec<DeckId> {
        fn of(pack: &Pack, chart: &Chart, found: &mut Vec<DeckId>) {
            for step in &chart.steps {
                match &step.kind {
                    adjutant_pack::StepKind::Draw(draw) => found.push(draw.deck),
                    adjutant_pack::StepKind::LookUp(look_up) => {
                        if let Some(there) = pack.charts().get(look_up.chart) {
                            of(pack, there, found);
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        of(self.pack, self.chart(), &mut found);
        found
    }

    /// The bag that the chart draws from or counts, if there is no game to fill it.
    pub fn missing_bag(&self) -> Option<&'p adjutant_pack::DeckSheet> {
        let counted = self.chart().other_names.iter().filter_map(|(origin, _)| match origin {
            adjutant_pack::NameSource::Deck(deck, _) => Some(*deck),
            _ => None,
        });
        let used = self.decks_in_use().into_iter().chain(counted);
        let missing = |deck: &DeckId| {
            self.pack.decks()[*deck].chits.is_some() && !self.decks.is_filled(*deck)
        };
        used.filter(missing).map(|deck| &self.pack.decks()[deck]).next()
    }

    /// The option that the chart requires, if it is off.
    pub fn closed_by(&self) -> Option<&'p adjutant_pack::PackOption> {
        let option = self.chart().needs_option?;
        (self.options[option] != Value::YesNo(true)).then(|| &self.pack.options()[option])
    }

    /// The values of the names at the start of the chart, for one unit.
    pub(crate) fn starting(&self, member: Option<usize>, defaults: bool) -> Values {
        let place = Number::from(member.unwrap_or(0) as u32 + 1);
        starting(self.chart(), &self.options, &self.memory, place, |input| {
            self.value(member, input, defaults)
        })
    }

    /// The units that the chart runs for: one, or all members if the chart is for several.
    pub(crate) fn units(&self) -> Vec<Unit> {
        match (&self.chart().each, self.members.as_slice()) {
            (None, _) => vec![(Text::default(), self.starting(None, true))],
            (Some(_), []) => vec![("1".into(), self.starting(None, true))],
            (Some(_), several) => (0..)
                .zip(several)
                .map(|(member, (name, _))| (name.clone(), self.starting(Some(member), true)))
                .collect(),
        }
    }

    /// The value of one input: the unit's own, else the common one, else the default.
    #[inline]
    pub(crate) fn value(
        &self,
        member: Option<usize>,
        place: InputId,
        defaults: bool,
    ) -> Option<Value> {
        if let Some((_, own)) = member.and_then(|member| self.members.get(member))
            && own[place].is_some()
        {
            return own[place];
        }
        if self.given[place].is_some() || !defaults {
            return self.given[place];
        }
        self.chart().inputs[place].field.start
    }
}
