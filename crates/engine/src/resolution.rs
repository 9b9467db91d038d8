//! The resolution of one run: everything that happened, in order, as plain data. It includes
//! modifiers that did not count, the options that were consulted and the readings that mattered.
//! Its texts are shared with the pack, not copied.

use crate::change::Change;
use crate::coverage::CoveragePoint;
use adjutant_dice::{Answer, Missing, Number, Text};
use adjutant_pack::{Certainty, FollowUpId, Relation};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Everything that happened in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Resolution {
    /// The pack's id.
    pub pack: Text,
    /// The fingerprint of the pack's rules.
    pub pack_hash: Text,
    /// The chart's id.
    pub chart: Text,
    /// The chart's name.
    pub title: Text,
    /// What was given or taken by default.
    pub inputs: Inputs,
    /// Every roll, draw and sum, in order, also those of charts that were looked up.
    #[serde(rename = "rolls")]
    pub throws: Vec<RollStep>,
    /// Questions that were answered.
    pub answers: Vec<AnswerStep>,
    /// Charts that were looked up.
    pub look_ups: Vec<LookUpStep>,
    /// What was read on the rows.
    pub score: Option<Answer>,
    /// The column read.
    pub column: Option<Text>,
    /// The row read, in words.
    pub row: Option<Text>,
    /// The result.
    pub result: Option<ResultLine>,
    /// The number the chart yields.
    pub value: Option<Number>,
    /// The number in words.
    pub says: Option<String>,
    /// Results that hold in addition.
    pub also: Vec<ResultLine>,
    /// What changes.
    pub effects: Vec<Change>,
    /// The charts to run next.
    pub next: Vec<FollowUp>,
    /// Whether effects of attacks declared together land together.
    pub lands_together: bool,
    /// One entry for each of several units.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberLine>,
    /// The order in which several units act, equals together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Vec<Text>>,
    /// Options that were consulted.
    pub options: Vec<OptionLine>,
    /// Readings that mattered.
    pub readings: Vec<ReadingLine>,
    /// What is missing, when the run stopped.
    pub needs: Vec<Missing>,
    /// What the run touched, for coverage.
    #[serde(skip)]
    pub marks: Vec<CoveragePoint>,
}

impl Resolution {
    /// Renames the units that results affect: at the end of a chain, to their roles in its first chart.
    pub(crate) fn call_as(&mut self, names: &BTreeMap<Text, Text>) {
        for on in self.result.iter_mut().chain(&mut self.also).filter_map(|result| result.on.as_mut()) {
            if let Some(name) = names.get(on.as_str()) {
                on.clone_from(name);
            }
        }
    }

    /// How many rolls, answers and look-ups there are so far.
    pub(crate) fn places(&self) -> u32 {
        let throws = self.throws.iter().map(|throw| throw.at);
        let answers = self.answers.iter().map(|answer| answer.at);
        throws.chain(answers).chain(self.look_ups.iter().map(|look_up| look_up.at)).max().unwrap_or(0)
    }
}

/// Inputs and their values, in the order of their names. The names are the chart's own list where that will
/// do, so that they are not counted one by one.
#[derive(Clone, Default)]
pub struct Inputs {
    names: Arc<[Text]>,
    /// By name; none for one that is not known.
    values: Vec<Option<Answer>>,
}

impl Inputs {
    /// Of names in order, each with its value.
    pub(crate) fn new(names: Arc<[Text]>, values: Vec<Option<Answer>>) -> Inputs {
        Inputs { names, values }
    }

    /// Of a list in any order; a name is listed once.
    pub(crate) fn of(mut list: Vec<(Text, Answer)>) -> Inputs {
        list.sort_by(|(a, _), (b, _)| a.cmp(b));
        let (names, values): (Vec<Text>, Vec<Option<Answer>>) = list.into_iter().map(|(name, value)| (name, Some(value))).unzip();
        Inputs { names: names.into(), values }
    }

    /// The value of the input of this name.
    pub fn get(&self, name: &str) -> Option<&Answer> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// All of them that are known.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Answer)> {
        self.names.iter().zip(&self.values).filter_map(|(name, value)| Some((name.as_str(), value.as_ref()?)))
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

/// What a roll was made with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RollKind {
    /// Dice.
    #[default]
    Dice,
    /// A card.
    Card,
    /// Nothing: a sum.
    Sum,
}

/// One roll, draw or sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RollStep {
    /// Its place among all rolls, answers and look-ups, from 1, in the order in which they happened.
    pub at: u32,
    /// The step's name.
    #[serde(rename = "as")]
    pub name: Text,
    /// What is shown.
    pub title: Text,
    /// The chart it belongs to.
    pub chart: Text,
    /// Which of several units it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Text>,
    /// What it was made with.
    pub kind: RollKind,
    /// The dice, as players write them; empty for cards and sums.
    pub dice: Text,
    /// The faces, in the order thrown.
    pub faces: Vec<u32>,
    /// The cards drawn; the last is the one read.
    pub cards: Vec<u32>,
    /// The names of those cards.
    pub card_titles: Vec<Text>,
    /// The faces that count, when only some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<u32>>,
    /// When each die counts by itself: what passes, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// What the dice, the card or the sum gave before modifiers.
    pub natural: Option<Answer>,
    /// The modifiers, in the sheet's order, with those that did not count.
    pub modifiers: Vec<ModifierLine>,
    /// The total; none for a card that is not read as a number.
    pub total: Option<Answer>,
    /// Throws or cards that were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<RepeatLine>,
}

/// A throw or card that was not read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepeatLine {
    /// Why.
    pub because: Text,
    /// Its faces.
    pub faces: Vec<u32>,
    /// Its card.
    pub card: Option<u32>,
    /// Whether the deck was reshuffled.
    pub reshuffled: bool,
}

/// A modifier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModifierLine {
    /// As on the sheet.
    pub label: Text,
    /// How much; none if it did not count and was not known.
    pub value: Option<Number>,
    /// What it changes.
    pub kind: ModifierKind,
    /// Whether it counted.
    pub counted: bool,
    /// Why it did not count although its condition holds.
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

/// A question answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerStep {
    /// Its place among all throws, answers and look-ups.
    pub at: u32,
    /// Its name.
    pub key: Text,
    /// The question.
    pub prompt: Text,
    /// The answer.
    pub answer: Answer,
    /// The chart that asked.
    pub chart: Text,
}

/// A chart looked up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LookUpStep {
    /// Its place among all throws, answers and look-ups.
    pub at: u32,
    /// The name it goes by.
    #[serde(rename = "as")]
    pub name: Text,
    /// The chart.
    pub chart: Text,
    /// Its result's id.
    pub result: Option<Text>,
    /// Its result's name.
    pub title: Option<Text>,
    /// Its value.
    pub value: Option<Number>,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultLine {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What it means.
    pub means: Text,
    /// The role it lands on.
    pub on: Option<Text>,
    /// Why it took the place of another, or the row's own remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Text>,
}

/// A chart to be run next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FollowUp {
    /// The rule of the pack that it comes from.
    #[serde(skip)]
    pub rule: FollowUpId,
    /// Its id.
    pub chart: Text,
    /// Its name.
    pub title: Text,
    /// Why.
    pub why: Text,
    /// Whether it is run before anything else.
    pub now: bool,
    /// Inputs already known.
    pub with: BTreeMap<Text, Answer>,
    /// Its roles, and who takes them.
    pub who: BTreeMap<Text, Text>,
    /// When it is for other units.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
}

impl FollowUp {
    /// The units in its roles, by their roles in the first chart of the chain. `known` has those of this chart.
    pub(crate) fn handed_on(&self, known: &BTreeMap<Text, Text>) -> BTreeMap<Text, Text> {
        self.who.iter().map(|(there, here)| (there.clone(), known.get(here.as_str()).unwrap_or(here).clone())).collect()
    }
}

/// Other units that take a follow-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Others {
    /// How they stand to that role.
    pub relation: Relation,
    /// Seen from this role.
    pub of: Text,
    /// The role they take.
    pub role: Text,
    /// The condition each must meet, as the pack writes it.
    pub when: Option<Text>,
    /// What is known of this chart's names in that condition.
    pub knowing: BTreeMap<Text, Answer>,
}

/// One of several units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberLine {
    /// The name it was given.
    pub name: Text,
    /// Its score.
    pub score: Option<Answer>,
    /// The row read.
    pub row: Option<Text>,
    /// Its result.
    pub result: Option<ResultLine>,
    /// Its value.
    pub value: Option<Number>,
}

/// An option that was consulted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionLine {
    /// Its name.
    pub id: Text,
    /// What is shown.
    pub label: Text,
    /// How it is set.
    pub value: Answer,
    /// How sure it is.
    pub standing: Certainty,
    /// Where it comes from.
    pub origin: Text,
}

/// A reading that mattered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadingLine {
    /// Its id.
    pub id: Text,
    /// What it says.
    pub text: Text,
    /// How sure it is.
    pub standing: Certainty,
}
