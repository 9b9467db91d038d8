//! The resolution of one run: everything that happened, in order, as plain data. It includes
//! modifiers that did not count, the options that were consulted and the readings that mattered.
//! Its texts are shared with the pack, not copied.

use crate::change::Change;
use crate::coverage::CoveragePoint;
use crate::decks::CardMove;
use crate::ruled_out::RuledOutLine;
use adjutant_dice::{Answer, Missing, Number, Text};
use adjutant_pack::{Certainty, FollowUpId, Relation};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Everything that happened in one run of a chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Resolution {
    /// The pack's id.
    pub pack: Text,
    /// The hash of the pack's rules.
    pub pack_hash: Text,
    /// The chart's id.
    pub chart: Text,
    /// The chart's title.
    pub title: Text,
    /// The inputs: given values and defaults.
    pub inputs: Inputs,
    /// Every roll, answer and look-up in order, including those of charts looked up in the run.
    pub steps: Vec<Step>,
    /// The score that was looked up in the rows.
    pub score: Option<Answer>,
    /// The column that was read.
    pub column: Option<Text>,
    /// The modifiers that move the column, including those that did not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shifts: Vec<ModifierLine>,
    /// The row that was read, as text.
    pub row: Option<Text>,
    /// The main result.
    pub result: Option<ResultLine>,
    /// The number that the chart returns.
    pub value: Option<Number>,
    /// The number as text.
    pub says: Option<String>,
    /// Results that apply in addition to the main one.
    pub also: Vec<ResultLine>,
    /// Changes to units, memories and decks.
    pub effects: Vec<Change>,
    /// Charts to roll next.
    pub next: Vec<FollowUp>,
    /// Whether simultaneous attacks are resolved at the same time: their effects wait.
    pub lands_together: bool,
    /// One entry for each unit, if the chart runs for several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberLine>,
    /// The order in which several units act; units with equal scores are grouped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Vec<Text>>,
    /// Options that the run read.
    pub options: Vec<OptionLine>,
    /// Rule interpretations that mattered in this run.
    pub readings: Vec<ReadingLine>,
    /// What is missing, if the run stopped early.
    pub needs: Vec<Missing>,
    /// The units that the chart is not for, or that a status rules out. Outside a game it is rolled
    /// all the same, and the caller adds this ([`Situation::ruled_out`](crate::Situation)).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ruled_out: Vec<RuledOutLine>,
    /// The parts of the pack that the run reached, for coverage.
    #[serde(skip)]
    pub marks: Vec<CoveragePoint>,
    /// What happened to the decks, in order.
    #[serde(skip)]
    pub moves: Vec<CardMove>,
}

impl Resolution {
    /// Renames the roles that results apply to. At the end of a chain this restores the role names
    /// of its first chart.
    pub(crate) fn call_as(&mut self, names: &BTreeMap<Text, Text>) {
        for on in
            self.result.iter_mut().chain(&mut self.also).filter_map(|result| result.on.as_mut())
        {
            if let Some(name) = names.get(on.as_str()) {
                on.clone_from(name);
            }
        }
    }

    /// The rolls, draws and calculations among the steps.
    pub fn rolls(&self) -> impl DoubleEndedIterator<Item = &RollStep> {
        self.steps.iter().filter_map(|step| match step {
            Step::Roll(roll) => Some(roll),
            _ => None,
        })
    }

    /// The same, to rename the units that they are for.
    pub fn rolls_mut(&mut self) -> impl Iterator<Item = &mut RollStep> {
        self.steps.iter_mut().filter_map(|step| match step {
            Step::Roll(roll) => Some(roll),
            _ => None,
        })
    }

    /// The player's answers among the steps.
    pub fn answers(&self) -> impl DoubleEndedIterator<Item = &AnswerStep> {
        self.steps.iter().filter_map(|step| match step {
            Step::Answer(answer) => Some(answer),
            _ => None,
        })
    }

    /// The look-ups among the steps. Each stands after the steps of its chart.
    pub fn look_ups(&self) -> impl DoubleEndedIterator<Item = &LookUpStep> {
        self.steps.iter().filter_map(|step| match step {
            Step::LookUp(look_up) => Some(look_up),
            _ => None,
        })
    }
}

/// Inputs and their values, sorted by name. The names are shared with the chart's own list where
/// possible, which avoids a reference count for each name.
#[derive(Clone, Default)]
pub struct Inputs {
    names: Arc<[Text]>,
    /// In the order of the names; `None` if the value is not known.
    values: Vec<Option<Answer>>,
}

impl Inputs {
    /// Pairs sorted names with their values.
    pub(crate) fn new(names: Arc<[Text]>, values: Vec<Option<Answer>>) -> Inputs {
        Inputs { names, values }
    }

    /// Sorts a list of names and values. Each name is listed once.
    pub(crate) fn of(mut list: Vec<(Text, Answer)>) -> Inputs {
        adjutant_dice::sort_by(&mut list, |(a, _), (b, _)| a.cmp(b));
        let (names, values): (Vec<Text>, Vec<Option<Answer>>) =
            list.into_iter().map(|(name, value)| (name, Some(value))).unzip();
        Inputs { names: names.into(), values }
    }

    /// The value of the input with this name.
    pub fn get(&self, name: &str) -> Option<&Answer> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// All inputs whose value is known.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Answer)> {
        self.names
            .iter()
            .zip(&self.values)
            .filter_map(|(name, value)| Some((name.as_str(), value.as_ref()?)))
    }
}

impl PartialEq for Inputs {
    fn eq(&self, other: &Inputs) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl Serialize for Inputs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// One thing that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "nearly all steps are rolls; a box would cost more")]
pub enum Step {
    /// A roll, draw or calculation.
    Roll(RollStep),
    /// A question to the player.
    Answer(AnswerStep),
    /// A chart that was looked up.
    LookUp(LookUpStep),
}

/// How the number of a step is produced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RollKind {
    /// By rolling dice.
    #[default]
    Dice,
    /// By drawing a card.
    Card,
    /// By a calculation, without dice or cards.
    Sum,
}

/// A field of a card that was drawn to be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CardFieldLine {
    /// The label of the field.
    pub label: Text,
    /// In a row of numbers, the numbers under which they are looked up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<u32>,
    /// What the card shows; `None` for a blank.
    pub values: Vec<Option<Text>>,
    /// What is printed for a blank. Empty if nothing is.
    #[serde(skip_serializing_if = "Text::is_empty")]
    pub blank: Text,
}

/// One roll, draw or calculation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RollStep {
    /// The step's name.
    #[serde(rename = "as")]
    pub name: Text,
    /// The title to display.
    pub title: Text,
    /// The id of the chart that the step belongs to.
    pub chart: Text,
    /// The unit it is for, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Text>,
    /// Whether it is a roll, a draw or a calculation.
    pub kind: RollKind,
    /// The dice in the usual notation (`2d6`); for cards that go to a hand, how many; else empty.
    pub dice: Text,
    /// The faces, in the order rolled.
    pub faces: Vec<u32>,
    /// The drawn cards. The last one is the one that is read.
    pub cards: Vec<u32>,
    /// The titles of those cards.
    pub card_titles: Vec<Text>,
    /// All fields of the card, if the chart itself reads none of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub card_fields: Vec<CardFieldLine>,
    /// The faces that count, if only some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<u32>>,
    /// The dice one by one, where more than their faces matters: re-rolled, exploded, extra or
    /// dropped dice, named faces, what each is worth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub handful: Vec<DieLine>,
    /// Further sums over the dice that count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tallies: Vec<TallyLine>,
    /// In a dice pool, the condition that each die must meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<DieTest>,
    /// The number from the dice, the card or the calculation, before modifiers.
    pub natural: Option<Answer>,
    /// All modifiers in the sheet's order, including those that did not count.
    pub modifiers: Vec<ModifierLine>,
    /// The total; `None` for a card that is not read as a number.
    pub total: Option<Answer>,
    /// Earlier rolls or cards that were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<RepeatLine>,
}

/// The condition that a die of a pool must meet: `4 or less: passes`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DieTest {
    /// The last face that counts.
    pub limit: Number,
    /// Whether faces below the limit count too, or those above it.
    pub low: bool,
    /// What the dice that meet it are called.
    pub counted: Text,
}

/// One die of a handful.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DieLine {
    /// The kind of die: `1d6`, or its title.
    pub die: Text,
    /// What it shows in the end; the sum of an exploded die.
    pub face: Text,
    /// The faces that were re-rolled, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rerolled: Vec<Text>,
    /// All faces of an exploded die, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exploded: Vec<Text>,
    /// Whether an earlier die brought this one.
    #[serde(skip_serializing_if = "is_false")]
    pub extra: bool,
    /// Whether it does not count.
    #[serde(skip_serializing_if = "is_false")]
    pub dropped: bool,
    /// What it is worth, if the pack says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<Number>,
}

/// A sum over the dice that count.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TallyLine {
    /// Its name in expressions.
    pub name: Text,
    /// The sum.
    pub value: Number,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(yes: &bool) -> bool {
    !yes
}

/// A roll or card that was replaced by another and not read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepeatLine {
    /// The reason for rolling or drawing again.
    pub because: Text,
    /// The faces rolled.
    pub faces: Vec<u32>,
    /// The card drawn.
    pub card: Option<u32>,
    /// Whether the deck was reshuffled.
    pub reshuffled: bool,
}

/// A modifier and whether it counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModifierLine {
    /// The label, as on the sheet.
    pub label: Text,
    /// Its value; `None` if it did not count and the value is not known.
    pub value: Option<Number>,
    /// What it changes.
    pub kind: ModifierKind,
    /// Whether it counted in this roll.
    pub counted: bool,
    /// Why it did not count although its condition held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Text>,
}

/// What a modifier changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModifierKind {
    /// It is added to the total.
    Plus,
    /// It multiplies the total.
    Times,
    /// It is added to the number of dice.
    Dice,
}

/// A question and the player's answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerStep {
    /// The name of the question in input.
    pub key: Text,
    /// The text of the question.
    pub prompt: Text,
    /// The player's answer.
    pub answer: Answer,
    /// The id of the chart that asked.
    pub chart: Text,
}

/// A chart that was looked up during the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LookUpStep {
    /// The name by which expressions refer to it.
    #[serde(rename = "as")]
    pub name: Text,
    /// The chart's id.
    pub chart: Text,
    /// The id of its result.
    pub result: Option<Text>,
    /// The title of its result.
    pub title: Option<Text>,
    /// The role that its result applies to, as this chart calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<Text>,
    /// The number it returned.
    pub value: Option<Number>,
    /// The number in the words of the chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

impl LookUpStep {
    /// The title of the result and the number, as far as there are any.
    pub fn found(&self) -> String {
        let title = self.title.iter().map(Text::to_string);
        let number = self.says.clone().or_else(|| Some(self.value?.to_string()));
        title.chain(number).collect::<Vec<_>>().join(", ")
    }
}

/// A result, as the resolution shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultLine {
    /// The result's id.
    pub id: Text,
    /// The result's title.
    pub title: Text,
    /// The explanation from the pack.
    pub means: Text,
    /// The role it applies to.
    pub on: Option<Text>,
    /// Why it replaced another result, or the row's remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Text>,
}

/// A chart to roll next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FollowUp {
    /// The pack rule that caused it.
    #[serde(skip)]
    pub rule: FollowUpId,
    /// The chart's id.
    pub chart: Text,
    /// The chart's title.
    pub title: Text,
    /// The reason, from the pack.
    pub why: Text,
    /// Whether it must be rolled before anything else.
    pub now: bool,
    /// Inputs that are already known.
    pub with: BTreeMap<Text, Answer>,
    /// Its roles, each with the role of this chart that takes it.
    pub who: BTreeMap<Text, Text>,
    /// The roles that a unit drawn from a bag takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chits: Vec<ChitFor>,
    /// Set if it is for other units.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
}

/// A role of a follow-up that a unit drawn from a bag takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ChitFor {
    /// The role of the following chart.
    pub role: Text,
    /// The bag's id.
    pub bag: Text,
    /// The number of the chit.
    pub chit: u32,
    /// The name on the chit.
    pub name: Text,
    /// Whether any unit of its side may take the role.
    pub any_of_side: bool,
}

impl FollowUp {
    /// The roles of the first chart in the chain, for the roles of the following chart. `known`
    /// maps the roles of this chart to them.
    pub(crate) fn handed_on(&self, known: &BTreeMap<Text, Text>) -> BTreeMap<Text, Text> {
        self.who
            .iter()
            .map(|(there, here)| (there.clone(), known.get(here.as_str()).unwrap_or(here).clone()))
            .collect()
    }
}

/// Other units that a follow-up is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Others {
    /// Their relation to the role `of`.
    pub relation: Relation,
    /// The role that the relation starts from.
    pub of: Text,
    /// The role that they take.
    pub role: Text,
    /// The condition each must meet, as the pack writes it.
    pub when: Option<Text>,
    /// The known values of this chart's names in that condition.
    pub knowing: BTreeMap<Text, Answer>,
}

/// The outcome for one of several units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberLine {
    /// The name that the caller gave it.
    pub name: Text,
    /// The score it reached.
    pub score: Option<Answer>,
    /// The row that was read.
    pub row: Option<Text>,
    /// Its main result.
    pub result: Option<ResultLine>,
    /// The number that the chart returned for it.
    pub value: Option<Number>,
}

/// An option that the run read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionLine {
    /// The option's id.
    pub id: Text,
    /// The label to display.
    pub label: Text,
    /// Its current value.
    pub value: Answer,
    /// How certain the rule is.
    pub standing: Certainty,
    /// The source of the rule.
    pub origin: Text,
}

/// A rule interpretation that mattered in the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadingLine {
    /// The id of the interpretation.
    pub id: Text,
    /// The interpretation as text.
    pub text: Text,
    /// How certain it is.
    pub standing: Certainty,
}
