//! A checked pack: every name is looked up, every kind fits, every table is whole. Only
//! [`read_pack`](crate::read_pack) makes one, so whoever holds a [`Pack`] can run it.

use crate::chart::Chart;
use crate::fight::Fight;
use crate::turn::{Ending, PhaseDue, PhaseLift, Start, Template, TurnName};
use crate::value::{Value, Words};
use adjutant_dice::{Accepts, Answer, Number, Text};

/// A game's sheet.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Its id, as typed in commands.
    pub id: Text,
    /// The game's name.
    pub title: Text,
    /// The pack's own version.
    pub version: String,
    /// Who made the game.
    pub by: String,
    /// Where the facts come from.
    pub source: String,
    /// What must be said with it.
    pub notice: String,
    /// A sentence about it.
    pub about: String,
    /// A fingerprint of the rules: pack.toml and data files.
    pub hash: Text,
    /// All words of all choices.
    pub words: Words,
    /// Switches: readings, public additions, house rules.
    pub options: Vec<PackOption>,
    /// What the table remembers between charts.
    pub memory: Vec<Field>,
    /// Kinds of units.
    pub kinds: Vec<UnitKind>,
    /// Statuses a unit can have.
    pub statuses: Vec<Status>,
    /// Readings: where the sheet is ambiguous, how this pack takes it.
    pub readings: Vec<Reading>,
    /// The turn.
    pub phases: Vec<Phase>,
    /// The readings it rests on.
    pub turn_readings: Vec<usize>,
    /// Every name that the expressions of phases, starts and endings use.
    pub turn_names: Vec<TurnName>,
    /// Ready units.
    pub templates: Vec<Template>,
    /// Ways to begin.
    pub starts: Vec<Start>,
    /// When a game is over.
    pub endings: Vec<Ending>,
    /// Decks of cards.
    pub decks: Vec<DeckSheet>,
    /// Results that charts give.
    pub results: Vec<ResultRule>,
    /// Tables the rule book keeps to itself.
    pub user_tables: Vec<UserTable>,
    /// The charts, in the sheet's order.
    pub charts: Vec<Chart>,
    /// Charts thrown again and again until something is decided.
    pub fights: Vec<Fight>,
}

impl Pack {
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

    /// The way to begin of this id.
    pub fn start(&self, id: &str) -> Option<&Start> {
        self.starts.iter().find(|start| start.id == id)
    }

    /// The deck of this id.
    pub fn deck(&self, id: &str) -> Option<&DeckSheet> {
        self.decks.iter().find(|deck| deck.id == id)
    }
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

/// A switch with a default, a standing and an origin.
#[derive(Clone, Debug)]
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
pub struct UnitKind {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// Its attributes.
    pub has: Vec<Field>,
}

/// A status.
#[derive(Clone, Debug)]
pub struct Status {
    /// Its id; also the name of a yes/no attribute of the units that can have it.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What it means.
    pub means: Text,
    /// The kinds that can have it.
    pub of: Vec<usize>,
    /// The phase at whose end it is lifted.
    pub ends: Option<usize>,
    /// Whether a unit that has it takes no further part: what is due for it lapses.
    pub out: bool,
    /// Charts that a unit which has it does not throw: what is due for it there lapses.
    pub stops: Vec<usize>,
}

/// A reading.
#[derive(Clone, Debug)]
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
pub struct Phase {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What is done in it.
    pub text: Text,
    /// The charts used in it.
    pub charts: Vec<usize>,
    /// The option without which it is passed over.
    pub needs_option: Option<usize>,
    /// Statuses that are lifted when it begins.
    pub lift: Vec<PhaseLift>,
    /// Tests that fall due when it begins.
    pub due: Vec<PhaseDue>,
}

/// A result.
#[derive(Clone, Debug)]
pub struct ResultRule {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What it means.
    pub means: Text,
    /// The kind of unit it lands on.
    pub of: Option<usize>,
}

/// A table that the player fills in.
#[derive(Clone, Debug)]
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
    pub results: Vec<usize>,
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
pub struct DeckSheet {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What its backs say.
    pub back: String,
    /// What a card carries.
    pub fields: Vec<DeckField>,
    /// The cards, card 1 first.
    pub cards: Vec<Card>,
    /// Where things stand on them.
    pub layout: crate::layout::Layout,
}

/// One thing a card carries.
#[derive(Clone, Debug)]
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
    pub fn cell(&self, number: u32, field: usize, by: Option<Number>) -> Option<&CardCell> {
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
