//! A checked pack: every name is looked up, every type fits, every table is complete. Only
//! [`read_pack`](crate::read_pack) makes one, and nothing outside this crate can change it, so every [`Pack`] can be run.

use crate::binding::{FollowUpId, FollowUpRule};
use crate::chart::Chart;
use crate::fight::Fight;
use crate::ids::{
    AttributeId, ChartId, DeckId, EndingId, FieldId, FightId, IdVec, KindId, MemoryId, OptionId, PhaseId, ReadingId, ResultId, Slot,
    StartId, StatusId, TemplateId, UserTableId,
};
use crate::turn::{Ending, PhaseDue, PhaseLift, Start, Template, TurnName};
use crate::value::{Value, Words};
use adjutant_dice::{Accepts, Answer, Number, Text};
use serde::{Serialize, Serializer};
use std::ops::Index;

/// A game's sheet.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Its id, as typed in commands.
    pub(crate) id: Text,
    /// The game's name.
    pub(crate) title: Text,
    /// The pack's own version.
    pub(crate) version: String,
    /// Who made the game.
    pub(crate) by: String,
    /// Where the facts come from.
    pub(crate) source: String,
    /// What must be said with it.
    pub(crate) notice: String,
    /// A sentence about it.
    pub(crate) about: String,
    /// A fingerprint of the rules: pack.toml and data files.
    pub(crate) hash: Text,
    /// All words of all choices.
    pub(crate) words: Words,
    /// Switches: readings, public additions, house rules.
    pub(crate) options: IdVec<OptionId, PackOption>,
    /// What the table remembers between charts.
    pub(crate) memory: IdVec<MemoryId, Field>,
    /// Kinds of units.
    pub(crate) kinds: IdVec<KindId, UnitKind>,
    /// Statuses a unit can have.
    pub(crate) statuses: IdVec<StatusId, Status>,
    /// Readings: where the sheet is ambiguous, how this pack takes it.
    pub(crate) readings: IdVec<ReadingId, Reading>,
    /// The turn.
    pub(crate) phases: IdVec<PhaseId, Phase>,
    /// The readings it rests on.
    pub(crate) turn_readings: Vec<ReadingId>,
    /// Every name that the expressions of phases, starts and endings use.
    pub(crate) turn_names: IdVec<Slot, TurnName>,
    /// Ready units.
    pub(crate) templates: IdVec<TemplateId, Template>,
    /// Ways to begin.
    pub(crate) starts: IdVec<StartId, Start>,
    /// When a game is over.
    pub(crate) endings: IdVec<EndingId, Ending>,
    /// Decks of cards.
    pub(crate) decks: IdVec<DeckId, DeckSheet>,
    /// Results that charts give.
    pub(crate) results: IdVec<ResultId, ResultRule>,
    /// Tables the rule book keeps to itself.
    pub(crate) user_tables: IdVec<UserTableId, UserTable>,
    /// The charts, in the sheet's order.
    pub(crate) charts: IdVec<ChartId, Chart>,
    /// Charts thrown again and again until something is decided.
    pub(crate) fights: IdVec<FightId, Fight>,
}

impl Pack {
    /// The id, as typed in commands.
    pub fn id(&self) -> &Text {
        &self.id
    }

    /// The game's name.
    pub fn title(&self) -> &Text {
        &self.title
    }

    /// The pack's own version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Who made the game.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Where the facts come from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The legal notice that must be shown with it.
    pub fn notice(&self) -> &str {
        &self.notice
    }

    /// A sentence about it.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// A fingerprint of the rules: pack.toml and data files.
    pub fn hash(&self) -> &Text {
        &self.hash
    }

    /// All words of all choices.
    #[inline]
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// The readings that the turn rests on.
    pub fn turn_readings(&self) -> &[ReadingId] {
        &self.turn_readings
    }

    /// Every name that the expressions of phases, starts and endings use.
    pub fn turn_names(&self) -> &IdVec<Slot, TurnName> {
        &self.turn_names
    }

    /// The follow-up rule of this id.
    pub fn follow_up(&self, id: FollowUpId) -> Option<&FollowUpRule> {
        self.charts.get(id.chart)?.follow_ups().find(|rule| rule.number == id.number)
    }

    /// The chart of this id.
    pub fn chart(&self, id: &str) -> Option<&Chart> {
        self.charts.iter().find(|chart| chart.id == id)
    }

    /// The fight of this id.
    pub fn fight(&self, id: &str) -> Option<&Fight> {
        self.fights.iter().find(|fight| fight.id == id)
    }

    /// The template of this id.
    pub fn template(&self, id: &str) -> Option<&Template> {
        self.templates.iter().find(|template| template.id == id)
    }

    /// The start of this id.
    pub fn start(&self, id: &str) -> Option<&Start> {
        self.starts.iter().find(|start| start.id == id)
    }

    /// The deck of this id.
    pub fn deck(&self, id: &str) -> Option<&DeckSheet> {
        self.decks.iter().find(|deck| deck.id == id)
    }
}

/// Makes the accessor of each list, the look-up of an id by name, and indexing by id.
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
    /// Switches: readings, public additions, house rules.
    options: OptionId -> PackOption, option_id by field.id;
    /// What a game remembers between charts.
    memory: MemoryId -> Field, memory_id by id;
    /// Kinds of units.
    kinds: KindId -> UnitKind, kind_id by id;
    /// Statuses a unit can have.
    statuses: StatusId -> Status, status_id by id;
    /// Readings: how this pack reads what the sheet leaves ambiguous.
    readings: ReadingId -> Reading, reading_id by id;
    /// The phases of the turn.
    phases: PhaseId -> Phase, phase_id by id;
    /// Ready units.
    templates: TemplateId -> Template, template_id by id;
    /// Ways to start a game.
    starts: StartId -> Start, start_id by id;
    /// When a game is over.
    endings: EndingId -> Ending, ending_id by id;
    /// Decks of cards.
    decks: DeckId -> DeckSheet, deck_id by id;
    /// Results that charts give.
    results: ResultId -> ResultRule, result_id by id;
    /// Tables that the rule book keeps to itself, for the player to fill in.
    user_tables: UserTableId -> UserTable, user_table_id by id;
    /// The charts, in the sheet's order.
    charts: ChartId -> Chart, chart_id by id;
    /// Charts thrown again and again until something is decided.
    fights: FightId -> Fight, fight_id by id;
}

/// A named value of some kind: an input, an attribute, an option, a memory, a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub id: Text,
    /// What is shown.
    pub label: Text,
    /// A remark, or nothing.
    pub note: String,
    /// What it accepts.
    pub accepts: Accepts,
    /// What it is when nobody says.
    pub default: Option<Answer>,
    /// The same, ready for sums.
    pub start: Option<Value>,
}

/// How sure a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Worked out from the sheet and checked against it.
    Derived,
    /// The sheet is ambiguous or damaged, and this is how it is taken.
    Reading,
    /// A public source of the same game adds it.
    Public,
    /// A rule of the house.
    House,
}

impl Certainty {
    /// In a word.
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

/// A switch with a default, a standing and an origin.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PackOption {
    /// Name, label, what it accepts and its default.
    pub field: Field,
    /// How sure it is.
    pub standing: Certainty,
    /// Where it comes from.
    pub origin: Text,
}

/// A kind of unit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnitKind {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// Its attributes.
    pub has: IdVec<AttributeId, Field>,
}

/// A status.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Status {
    /// Its id; also the name of a yes/no attribute of the units that can have it.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What it means.
    pub means: Text,
    /// The kinds that can have it.
    pub of: Vec<KindId>,
    /// The phase at whose end it is lifted.
    pub ends: Option<PhaseId>,
    /// Whether a unit that has it takes no further part: what is due for it lapses.
    pub out: bool,
    /// Charts that a unit which has it does not throw: what is due for it there lapses.
    pub stops: Vec<ChartId>,
}

/// A reading.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// Its id.
    pub id: Text,
    /// What it says and why.
    pub text: Text,
    /// How sure it is.
    pub standing: Certainty,
}

/// A phase of the turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Phase {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What is done in it.
    pub text: Text,
    /// The charts used in it.
    pub charts: Vec<ChartId>,
    /// The option without which it is passed over.
    pub needs_option: Option<OptionId>,
    /// Statuses that are lifted when it begins.
    pub lift: Vec<PhaseLift>,
    /// Tests that fall due when it begins.
    pub due: Vec<PhaseDue>,
}

/// A result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResultRule {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What it means.
    pub means: Text,
    /// The kind of unit it lands on.
    pub of: Option<KindId>,
}

/// A table that the player fills in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UserTable {
    /// Its id; also the name under which its answer is given while it is not filled in.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// Where it is printed.
    pub place: String,
    /// The question asked while it is not filled in.
    pub ask: Text,
    /// The results it can give.
    pub results: Vec<ResultId>,
    /// Whether the player has filled it in.
    pub filled: bool,
    /// The score and the column, where the pack fixes them, as written.
    pub fixed: (Option<String>, Option<String>),
    /// The words the column can take, if the pack fixes it.
    pub columns: Vec<String>,
    /// The names a filled-in table may use.
    pub names: Vec<String>,
}

/// A deck's cards.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeckSheet {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What its backs say.
    pub back: String,
    /// What a card carries.
    pub fields: IdVec<FieldId, DeckField>,
    /// The cards, card 1 first.
    pub cards: Vec<Card>,
    /// Where things stand on them.
    pub layout: crate::layout::Layout,
}

/// One thing a card carries.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeckField {
    /// Its name.
    pub id: Text,
    /// What is shown.
    pub label: Text,
    /// What it holds.
    pub kind: DeckFieldKind,
    /// What a blank is printed as.
    pub blank: String,
    /// Where its cells begin in [`Card::cells`].
    pub first_cell: usize,
}

/// What a card's field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum DeckFieldKind {
    /// A number.
    Number {
        /// The least a card may carry.
        from: Option<Number>,
        /// The most.
        to: Option<Number>,
    },
    /// A row of numbers, read by which one is wanted.
    Numbers {
        /// The first that can be wanted.
        from: u32,
        /// The last.
        to: u32,
    },
    /// A word.
    Choice {
        /// The words it can be.
        words: Vec<adjutant_dice::ChoiceWord>,
    },
    /// A text that is only shown.
    Text,
}

impl DeckFieldKind {
    /// The words of a choice.
    pub fn words(&self) -> Option<&[adjutant_dice::ChoiceWord]> {
        match self {
            DeckFieldKind::Choice { words } => Some(words),
            _ => None,
        }
    }
}

/// A card.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Card {
    /// Its name.
    pub title: Text,
    /// What its fields hold, in their order; blanks are none.
    pub cells: Vec<Option<CardCell>>,
}

/// What one cell of a card holds.
#[derive(Clone, Debug, PartialEq)]
pub enum CardCell {
    /// A number or a word.
    Value(Value),
    /// A text.
    Text(String),
}

impl DeckSheet {
    /// The card of this number.
    pub fn card(&self, number: u32) -> Option<&Card> {
        self.cards.get(number.checked_sub(1)? as usize)
    }

    /// What a card's field holds; `by` says which of several numbers.
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
