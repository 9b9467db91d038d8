//! The account of one run: all that happened, in the order in which it happened, as plain data.

use crate::coverage::Mark;
use chance::{Answer, Need, Number};
use serde::Serialize;
use std::collections::BTreeMap;

/// The whole account.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Account {
    /// The pack's id.
    pub pack: String,
    /// The fingerprint of the pack's rules.
    pub pack_hash: String,
    /// The chart's id.
    pub chart: String,
    /// The chart's name.
    pub title: String,
    /// What was given or taken by default.
    pub inputs: BTreeMap<String, Answer>,
    /// Every throw, draw and sum, in order, also those of charts looked up on the way.
    pub throws: Vec<ThrowAccount>,
    /// Questions answered on the way.
    pub answers: Vec<AnswerAccount>,
    /// Charts looked up on the way.
    pub look_ups: Vec<LookUpAccount>,
    /// What was read on the rows.
    pub score: Option<Answer>,
    /// The column read.
    pub column: Option<String>,
    /// The row read, in words.
    pub row: Option<String>,
    /// The result.
    pub result: Option<ResultAccount>,
    /// The number the chart yields.
    pub value: Option<Number>,
    /// The number in words.
    pub says: Option<String>,
    /// Results that hold in addition.
    pub also: Vec<ResultAccount>,
    /// What changes.
    pub effects: Vec<EffectAccount>,
    /// What is to be thrown next.
    pub next: Vec<NextAccount>,
    /// Whether effects of attacks declared together land together.
    pub lands_together: bool,
    /// One entry for each of several units.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberAccount>,
    /// The order in which several units act, equals together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Vec<String>>,
    /// Options that were consulted.
    pub options: Vec<OptionAccount>,
    /// Readings that mattered.
    pub readings: Vec<ReadingAccount>,
    /// What is missing, when the run stopped.
    pub needs: Vec<Need>,
    /// What the run touched, for coverage.
    #[serde(skip)]
    pub marks: Vec<Mark>,
}

impl Account {
    /// The place of the next thing to come about.
    pub(crate) fn next_place(&self) -> u32 {
        let last = |places: Option<u32>| places.unwrap_or(0);
        let throws = last(self.throws.iter().map(|throw| throw.at).max());
        let answers = last(self.answers.last().map(|answer| answer.at));
        let look_ups = last(self.look_ups.last().map(|look_up| look_up.at));
        throws.max(answers).max(look_ups) + 1
    }
}

/// What a throw was made with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ThrowKind {
    /// Dice.
    #[default]
    Dice,
    /// A card.
    Card,
    /// Nothing: a sum.
    Sum,
}

/// One throw, draw or sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ThrowAccount {
    /// Its place among all throws, answers and look-ups, from 1, in the order in which they came about.
    pub at: u32,
    /// The step's name.
    #[serde(rename = "as")]
    pub name: String,
    /// What is shown.
    pub title: String,
    /// The chart it belongs to.
    pub chart: String,
    /// Which of several units it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// What it was made with.
    pub kind: ThrowKind,
    /// The dice, as players write them; empty for cards and sums.
    pub dice: String,
    /// The faces, in the order thrown.
    pub faces: Vec<u32>,
    /// The cards drawn; the last is the one read.
    pub cards: Vec<u32>,
    /// The names of those cards.
    pub card_titles: Vec<String>,
    /// The faces that count, when only some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<u32>>,
    /// When each die counts by itself: what passes, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// What the dice, the card or the sum gave before modifiers.
    pub natural: Option<Answer>,
    /// The modifiers, in the sheet's order, with those that did not count.
    pub modifiers: Vec<ModifierAccount>,
    /// The total; none for a card that is not read as a number.
    pub total: Option<Answer>,
    /// Throws or cards that were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<AgainAccount>,
}

/// A throw or card that was not read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainAccount {
    /// Why.
    pub because: String,
    /// Its faces.
    pub faces: Vec<u32>,
    /// Its card.
    pub card: Option<u32>,
    /// Whether the deck was made whole.
    pub reshuffled: bool,
}

/// A modifier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModifierAccount {
    /// As on the sheet.
    pub label: String,
    /// How much; none if it did not count and was not known.
    pub value: Option<Number>,
    /// `plus`, `times` or `dice`.
    pub kind: &'static str,
    /// Whether it counted.
    pub counted: bool,
    /// Why not, where its condition held and it did not count all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// A question answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerAccount {
    /// Its place among all throws, answers and look-ups.
    pub at: u32,
    /// Its name.
    pub key: String,
    /// The question.
    pub prompt: String,
    /// The answer.
    pub answer: Answer,
    /// The chart that asked.
    pub chart: String,
}

/// A chart looked up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LookUpAccount {
    /// Its place among all throws, answers and look-ups.
    pub at: u32,
    /// The name it goes by.
    #[serde(rename = "as")]
    pub name: String,
    /// The chart.
    pub chart: String,
    /// Its result's id.
    pub result: Option<String>,
    /// Its result's name.
    pub title: Option<String>,
    /// Its value.
    pub value: Option<Number>,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultAccount {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// What it means.
    pub means: String,
    /// The role it lands on.
    pub on: Option<String>,
    /// Why it took the place of another, or the row's own remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Something that changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EffectAccount {
    /// The role it lands on.
    pub on: Option<String>,
    /// Whether on all units of its group that take part with it as well.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// `status`, `lift`, `set`, `add`, `remember`, `leaves`, `appear`, `reshuffle` or `note`.
    pub kind: &'static str,
    /// The status, attribute, memory, unit kind, deck or text.
    pub what: String,
    /// The amount or new value.
    pub value: Option<Answer>,
    /// In words.
    pub says: String,
}

/// A chart to be run next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NextAccount {
    /// Its id.
    pub chart: String,
    /// Its name.
    pub title: String,
    /// Why.
    pub why: String,
    /// Whether before anything else.
    pub now: bool,
    /// Inputs already known.
    pub with: BTreeMap<String, Answer>,
    /// Its roles, and who takes them.
    pub who: BTreeMap<String, String>,
    /// When it is for other units.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub others: Option<OthersAccount>,
}

/// Other units that take a follow-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OthersAccount {
    /// `group`, `side`, `enemy` or `all`.
    pub relation: &'static str,
    /// Seen from this role.
    pub of: String,
    /// The role they take.
    pub role: String,
    /// The condition each must meet, as the pack writes it.
    pub when: Option<String>,
    /// What is known of this chart's names in that condition.
    pub knowing: BTreeMap<String, Answer>,
}

/// One of several units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberAccount {
    /// The name it was given.
    pub name: String,
    /// Its score.
    pub score: Option<Answer>,
    /// The row read.
    pub row: Option<String>,
    /// Its result.
    pub result: Option<ResultAccount>,
    /// Its value.
    pub value: Option<Number>,
}

/// An option that was consulted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionAccount {
    /// Its name.
    pub id: String,
    /// What is shown.
    pub label: String,
    /// How it is set.
    pub value: Answer,
    /// How sure it is.
    pub standing: &'static str,
    /// Where it comes from.
    pub origin: String,
}

/// A reading that mattered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadingAccount {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: String,
    /// How sure it is.
    pub standing: &'static str,
}
