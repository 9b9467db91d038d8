//! The checked pack: every name is looked up, every type fits, every table is complete. Only
//! [`read_pack`](crate::read_pack) makes one, and nothing outside this crate can change it, so
//! every [`Pack`] can be run.

use crate::binding::{FollowUpId, FollowUpRule};
use crate::chart::{Chart, Step, StepKind};
use crate::die::{Die, WordList};
use crate::fight::Fight;
use crate::ids::{
    AttributeId, ChartId, DeckId, DieId, EndingId, FieldId, FightId, IdVec, KindId, ListId,
    MemoryId, OptionId, PhaseId, ReadingId, ResultId, Slot, StartId, StatusId, TemplateId,
    UserTableId,
};
use crate::look::{AttributeLook, Harm, Symbol};
use crate::turn::{Ending, PhaseDue, PhaseLift, Start, Template, TurnName};
use crate::value::{Value, Word, Words};
use adjutant_dice::{Accepts, Answer, Number, Text};
use serde::{Serialize, Serializer};
use std::ops::Index;

/// The version of the pack format that this program reads: `format` in `[pack]`.
pub const FORMAT: u32 = 2;

/// A checked pack. Index it with an id to get the item: `pack[chart_id]`.
#[derive(Clone, Debug)]
pub struct Pack {
    pub(crate) id: Text,
    pub(crate) title: Text,
    pub(crate) version: String,
    pub(crate) by: String,
    pub(crate) source: String,
    pub(crate) notice: String,
    pub(crate) about: String,
    pub(crate) license: String,
    pub(crate) url: String,
    pub(crate) language: String,
    pub(crate) hash: Text,
    pub(crate) words: Words,
    pub(crate) terms: Vec<Term>,
    pub(crate) options: IdVec<OptionId, PackOption>,
    pub(crate) memory: IdVec<MemoryId, Field>,
    pub(crate) side_memory: Vec<MemoryId>,
    pub(crate) kinds: IdVec<KindId, UnitKind>,
    pub(crate) statuses: IdVec<StatusId, Status>,
    pub(crate) readings: IdVec<ReadingId, Reading>,
    pub(crate) phases: IdVec<PhaseId, Phase>,
    pub(crate) turn_readings: Vec<ReadingId>,
    pub(crate) turn_names: IdVec<Slot, TurnName>,
    pub(crate) templates: IdVec<TemplateId, Template>,
    pub(crate) starts: IdVec<StartId, Start>,
    pub(crate) endings: IdVec<EndingId, Ending>,
    pub(crate) dice: IdVec<DieId, Die>,
    pub(crate) lists: IdVec<ListId, WordList>,
    pub(crate) decks: IdVec<DeckId, DeckSheet>,
    pub(crate) results: IdVec<ResultId, ResultRule>,
    pub(crate) user_tables: IdVec<UserTableId, UserTable>,
    pub(crate) charts: IdVec<ChartId, Chart>,
    pub(crate) fights: IdVec<FightId, Fight>,
}

impl Pack {
    /// The id, as the player types it in commands.
    pub fn id(&self) -> &Text {
        &self.id
    }

    /// The name of the game.
    pub fn title(&self) -> &Text {
        &self.title
    }

    /// The version of the pack, set by its author.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The author of the game.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// The source of the rules.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The legal notice that must be shown with the pack.
    pub fn notice(&self) -> &str {
        &self.notice
    }

    /// A sentence about the game.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The license of the pack, as an SPDX expression; may be empty.
    pub fn license(&self) -> &str {
        &self.license
    }

    /// The web page of the pack; may be empty.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The language of the pack's texts, as a BCP 47 tag; may be empty.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Whether each side has a value of its own of this memory.
    pub fn is_per_side(&self, memory: MemoryId) -> bool {
        self.side_memory.contains(&memory)
    }

    /// A hash of the rules: `pack.toml` and the data files.
    pub fn hash(&self) -> &Text {
        &self.hash
    }

    /// The interned words of all choices.
    #[inline]
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// The glossary, in the order of the pack.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The readings that the turn sequence relies on.
    pub fn turn_readings(&self) -> &[ReadingId] {
        &self.turn_readings
    }

    /// Every name that the expressions of phases, starts and endings use.
    pub fn turn_names(&self) -> &IdVec<Slot, TurnName> {
        &self.turn_names
    }

    /// Looks up a follow-up rule.
    pub fn follow_up(&self, id: FollowUpId) -> Option<&FollowUpRule> {
        self.charts.get(id.chart)?.follow_ups().find(|rule| rule.number == id.number)
    }

    /// Looks up a chart by its text id.
    pub fn chart(&self, id: &str) -> Option<&Chart> {
        self.charts.iter().find(|chart| chart.id == id)
    }

    /// Looks up a fight by its text id.
    pub fn fight(&self, id: &str) -> Option<&Fight> {
        self.fights.iter().find(|fight| fight.id == id)
    }

    /// Looks up a template by its text id.
    pub fn template(&self, id: &str) -> Option<&Template> {
        self.templates.iter().find(|template| template.id == id)
    }

    /// Looks up a start by its text id.
    pub fn start(&self, id: &str) -> Option<&Start> {
        self.starts.iter().find(|start| start.id == id)
    }

    /// The decks that have cards: all but the bags, and the user decks that are not supplied.
    pub fn card_decks(&self) -> impl Iterator<Item = &DeckSheet> {
        self.decks.iter().filter(|deck| deck.chits.is_none() && !deck.is_missing())
    }

    /// The decks whose cards the player supplies.
    pub fn user_decks(&self) -> impl Iterator<Item = &DeckSheet> {
        self.decks.iter().filter(|deck| deck.user.is_some())
    }

    /// Whether a chart does nothing but draw, from a user deck for which `lacks` holds.
    pub fn only_draws_from(&self, chart: &Chart, lacks: impl Fn(DeckId) -> bool) -> bool {
        let draws = |step: &Step| match &step.kind {
            StepKind::Draw(draw) => self.decks[draw.deck].user.is_some() && lacks(draw.deck),
            _ => false,
        };
        !chart.steps.is_empty() && chart.steps.iter().all(draws)
    }

    /// Whether a chart only draws from user decks that are not supplied.
    pub fn lacks_its_deck(&self, chart: &Chart) -> bool {
        self.only_draws_from(chart, |deck| self.decks[deck].is_missing())
    }

    /// What luck a chart takes, and the charts that it looks up.
    pub fn luck_of(&self, chart: &Chart) -> Luck {
        let (mut luck, mut seen, mut open) = (Luck::default(), Vec::new(), vec![chart]);
        while let Some(chart) = open.pop() {
            let picks = chart.each.as_ref().is_some_and(|each| each.random.is_some());
            let rolls = |step: &Step| matches!(step.kind, StepKind::Roll(_));
            luck.dice |= picks || chart.steps.iter().any(rolls);
            luck.cards |= chart.steps.iter().any(Step::draws);
            for inner in chart.look_ups().map(|look_up| look_up.chart) {
                if !seen.contains(&inner) {
                    seen.push(inner);
                    open.push(&self.charts[inner]);
                }
            }
        }
        luck
    }

    /// Looks up a deck by its text id.
    pub fn deck(&self, id: &str) -> Option<&DeckSheet> {
        self.decks.iter().find(|deck| deck.id == id)
    }
}

/// The kinds of luck that a chart takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Luck {
    /// Dice are rolled, also to pick one of several units.
    pub dice: bool,
    /// Cards are drawn by luck.
    pub cards: bool,
}

/// Defines for each list: the accessor, the lookup of an id by name, and indexing by id.
macro_rules! lists {
    ($($(#[$doc:meta])* $list:ident: $id:ident -> $item:ty, $find:ident by $name:ident $(. $field:ident)?;)+) => {
        $(
            impl Pack {
                $(#[$doc])*
                #[inline]
                pub fn $list(&self) -> &IdVec<$id, $item> {
                    &self.$list
                }

                #[doc = concat!("The index of the item of this name in [`", stringify!($list), "`](Pack::", stringify!($list), ").")]
                pub fn $find(&self, name: &str) -> Option<$id> {
                    self.$list.position(|item| item.$name $(. $field)? == name)
                }
            }

            impl Index<$id> for Pack {
                type Output = $item;

                #[inline]
                fn index(&self, id: $id) -> &$item {
                    &self.$list[id]
                }
            }
        )+
    };
}

lists! {
    /// The options: switches for readings, public additions and house rules.
    options: OptionId -> PackOption, option_id by field.id;
    /// The values that a game remembers between charts.
    memory: MemoryId -> Field, memory_id by id;
    /// The kinds of units.
    kinds: KindId -> UnitKind, kind_id by id;
    /// The statuses that a unit can have.
    statuses: StatusId -> Status, status_id by id;
    /// The readings: how this pack interprets what the sheet leaves ambiguous.
    readings: ReadingId -> Reading, reading_id by id;
    /// The phases of the turn.
    phases: PhaseId -> Phase, phase_id by id;
    /// The templates: predefined units.
    templates: TemplateId -> Template, template_id by id;
    /// The starts: predefined setups for a new game.
    starts: StartId -> Start, start_id by id;
    /// The conditions under which a game is over.
    endings: EndingId -> Ending, ending_id by id;
    /// The dice with faces of their own.
    dice: DieId -> Die, die_id by id;
    /// The lists of words.
    lists: ListId -> WordList, list_id by id;
    /// The decks of cards.
    decks: DeckId -> DeckSheet, deck_id by id;
    /// The results that charts can give.
    results: ResultId -> ResultRule, result_id by id;
    /// Tables that the rule book does not publish and the player fills in.
    user_tables: UserTableId -> UserTable, user_table_id by id;
    /// The charts, in the order of the sheet.
    charts: ChartId -> Chart, chart_id by id;
    /// The fights: charts repeated until the fight is decided.
    fights: FightId -> Fight, fight_id by id;
}

/// A named value with a type: an input, attribute, option, memory or question.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name in expressions.
    pub id: Text,
    /// The label that the player sees.
    pub label: Text,
    /// A remark for the player; may be empty.
    pub note: String,
    /// The values it accepts.
    pub accepts: Accepts,
    /// The default, used when the player gives no value.
    pub default: Option<Answer>,
    /// The default as an expression value.
    pub start: Option<Value>,
}

/// How certain a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Derived from the sheet and checked against it.
    Derived,
    /// An interpretation: the sheet is ambiguous or damaged here.
    Reading,
    /// Added from a public source of the same game.
    Public,
    /// A house rule.
    House,
}

impl Certainty {
    /// The name that the player sees.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Derived => "derived",
            Certainty::Reading => "reading",
            Certainty::Public => "public addition",
            Certainty::House => "house rule",
        }
    }
}

impl Serialize for Certainty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// An option: a switch with a default, a certainty and a source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PackOption {
    /// Name, label, accepted values and default.
    pub field: Field,
    /// How certain the rule is.
    pub standing: Certainty,
    /// The source of the rule.
    pub origin: Text,
}

/// A kind of unit, such as tank or squad.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnitKind {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// The symbol on maps and cards.
    pub symbol: Option<Symbol>,
    /// The attributes that units of this kind have.
    pub has: IdVec<AttributeId, Field>,
    /// How each attribute is shown where there is little room.
    pub looks: IdVec<AttributeId, AttributeLook>,
    /// The values that are worked out from others.
    pub derived: Vec<DerivedValue>,
    /// The values by a word.
    pub keyed: Vec<KeyedValue>,
}

/// A value of a unit by a word. Each of its values is an attribute of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyedValue {
    /// The id in the pack.
    pub id: Text,
    /// The label that the player sees.
    pub label: Text,
    /// The ids of the attributes.
    pub attributes: Vec<Text>,
}

impl UnitKind {
    /// The label of an attribute where there is little room: the short one, if it has one.
    pub fn short_label(&self, place: AttributeId) -> &Text {
        let short = &self.looks[place].short;
        if short.is_empty() { &self.has[place].label } else { short }
    }

    /// The label of a word of an attribute where there is little room.
    pub fn short_word<'k>(&'k self, words: &'k Words, place: AttributeId, word: Word) -> &'k str {
        let id = words.text(word);
        let known = self.has[place].accepts.words().unwrap_or_default();
        let label = || known.iter().find(|known| known.id == id).map(|known| &known.label);
        self.looks[place].short_of(word).or_else(label).map_or(id, |label| label)
    }

    /// The symbol of a unit with these values: that of the first attribute whose value has one, or
    /// the kind's own.
    pub fn symbol_of(&self, value: impl Fn(AttributeId) -> Option<Value>) -> Option<&Symbol> {
        let by_value = |(place, look): (AttributeId, &'_ AttributeLook)| {
            let value = value(place).filter(|_| !look.symbols.is_empty())?;
            look.symbols
                .iter()
                .position(|(word, _)| Value::Word(*word) == value)
                .map(|at| (place, at))
        };
        match self.looks.iter_enumerated().find_map(by_value) {
            Some((place, at)) => Some(&self.looks[place].symbols[at].1),
            None => self.symbol.as_ref(),
        }
    }
}

/// A value of a unit that is worked out from others.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DerivedValue {
    /// The id in the pack.
    pub id: Text,
    /// The label that the player sees.
    pub label: Text,
    /// How it is worked out, over the names of the turn.
    pub formula: crate::expr::Formula,
}

/// A status that a unit can have, such as suppressed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Status {
    /// The id; also the name of a yes/no attribute of the units that can have the status.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// What the status means, for the player.
    pub means: Text,
    /// How bad it is, if the pack says so.
    pub harm: Option<Harm>,
    /// The kinds of units that can have it.
    pub of: Vec<KindId>,
    /// The status is lifted at the end of this phase.
    pub ends: Option<PhaseId>,
    /// Whether a unit with this status is out of play. Its pending tests lapse.
    pub out: bool,
    /// Charts that a unit with this status does not roll. Its pending tests on them lapse.
    pub stops: Vec<ChartId>,
    /// Statuses that no result puts on a unit with this status.
    pub keeps_off: Vec<StatusId>,
}

/// A term of the game that the sheet explains.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Term {
    /// The id in the pack.
    pub id: Text,
    /// The term as it is written on the sheet.
    pub title: Text,
    /// What it means.
    pub text: Text,
}

/// How this pack interprets an ambiguous part of the sheet.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The id in the pack.
    pub id: Text,
    /// The interpretation and the reason for it.
    pub text: Text,
    /// How certain it is.
    pub standing: Certainty,
}

/// A phase of the turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Phase {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// What players do in the phase.
    pub text: Text,
    /// The charts used in the phase.
    pub charts: Vec<ChartId>,
    /// The phase is skipped unless this option is on.
    pub needs_option: Option<OptionId>,
    /// The phase is skipped unless the player supplied this deck.
    pub needs_deck: Option<DeckId>,
    /// Statuses that are lifted when the phase starts.
    pub lift: Vec<PhaseLift>,
    /// Tests that fall due when the phase starts.
    pub due: Vec<PhaseDue>,
}

/// A result that charts can give.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResultRule {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// What the result means, for the player.
    pub means: Text,
    /// How bad it is for its unit, if the pack says so.
    pub harm: Option<Harm>,
    /// The kind of unit it applies to.
    pub of: Option<KindId>,
}

/// A table that the rule book does not publish; the player fills it in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UserTable {
    /// The id; also the name under which the answer is given while the table is empty.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// Where the table is printed.
    pub place: String,
    /// The question for the player while the table is empty.
    pub ask: Text,
    /// The results that the table can give.
    pub results: Vec<ResultId>,
    /// Whether the player has filled in the table.
    pub filled: bool,
    /// The expressions for score and column as written, if the pack fixes them.
    pub fixed: (Option<String>, Option<String>),
    /// The words that the column can be, if the pack fixes it.
    pub columns: Vec<String>,
    /// The names that a filled-in table may use.
    pub names: Vec<String>,
}

/// A deck of cards.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeckSheet {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// The text on the backs of the cards.
    pub back: String,
    /// The fields that each card has.
    pub fields: IdVec<FieldId, DeckField>,
    /// The cards; card 1 is the first.
    pub cards: Vec<Card>,
    /// Where the fields are printed on a card.
    pub layout: crate::layout::Layout,
    /// The hands that hold its cards, if there are any.
    pub hand: Option<crate::draw::HandRule>,
    /// The names of its piles.
    pub piles: Vec<Text>,
    /// Whether an empty deck is reshuffled. If not, a draw from nothing is skipped.
    pub reshuffles: bool,
    /// Set if it is a bag without cards: the units of the roster that have a chit in it.
    pub chits: Option<crate::turn::Left>,
    /// Set if the player supplies the cards.
    pub user: Option<UserDeck>,
    /// Whether each side has one of its own, also in a game whose sides share their decks.
    pub per_side: bool,
}

/// What is known of a deck whose cards the player supplies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UserDeck {
    /// Where the cards are found, for the player.
    pub place: Text,
    /// A hash of the cards, if the player supplied them.
    pub hash: Option<Text>,
}

/// A field of the cards of a deck.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeckField {
    /// The name in expressions.
    pub id: Text,
    /// The label that the player sees.
    pub label: Text,
    /// The type of the field.
    pub kind: DeckFieldKind,
    /// The text that is printed for a blank.
    pub blank: String,
    /// The index of its first cell in [`Card::cells`].
    pub first_cell: usize,
}

/// The type of a card's field.
#[derive(Clone, Debug, PartialEq)]
pub enum DeckFieldKind {
    /// One number.
    Number {
        /// The lowest value that a card may have.
        from: Option<Number>,
        /// The highest value that a card may have.
        to: Option<Number>,
    },
    /// Several numbers; an index chooses one of them.
    Numbers {
        /// The first index.
        from: u32,
        /// The last index.
        to: u32,
    },
    /// A word of a choice.
    Choice {
        /// The words of the choice.
        words: Vec<adjutant_dice::ChoiceWord>,
    },
    /// A text that is only shown.
    Text,
}

impl DeckFieldKind {
    /// The words of a choice; `None` for other types.
    pub fn words(&self) -> Option<&[adjutant_dice::ChoiceWord]> {
        match self {
            DeckFieldKind::Choice { words } => Some(words),
            _ => None,
        }
    }
}

/// A card of a deck.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Card {
    /// The title of the card.
    pub title: Text,
    /// The values of the fields, in the order of the fields; `None` is a blank.
    pub cells: Vec<Option<CardCell>>,
}

/// The value of one cell of a card.
#[derive(Clone, Debug, PartialEq)]
pub enum CardCell {
    /// A number or a word, which expressions can use.
    Value(Value),
    /// A text that is only shown.
    Text(String),
}

impl DeckSheet {
    /// Whether the player has to supply the cards and has not done so.
    pub fn is_missing(&self) -> bool {
        self.user.as_ref().is_some_and(|user| user.hash.is_none())
    }

    /// Looks up a card by its number, counted from 1.
    pub fn card(&self, number: u32) -> Option<&Card> {
        self.cards.get(number.checked_sub(1)? as usize)
    }

    /// The cell of a field on a card; `by` is the index into a field of several numbers.
    pub fn cell(&self, number: u32, field: FieldId, by: Option<Number>) -> Option<&CardCell> {
        let field = self.fields.get(field)?;
        let place = match field.kind {
            DeckFieldKind::Numbers { from, to } => {
                let wanted = u32::try_from(by?.as_whole()?).ok()?;
                (from..=to).contains(&wanted).then(|| (wanted - from) as usize)?
            }
            _ => 0,
        };
        self.card(number)?.cells.get(field.first_cell + place)?.as_ref()
    }
}
