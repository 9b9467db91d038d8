//! Charts: questions, steps, rows, effects and follow-ups.

use super::field::{Field, Question, Relation};
use super::{Flag, Formula, Named, Number, OneOrMore, Who, With};
use schemars::JsonSchema;

/// A chart of the sheet.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Chart {
    title: String,
    about: Option<String>,
    /// The roles: who takes part, and the kind of each.
    who: Option<Who>,
    /// Pairs of roles whose units are on different sides.
    enemies: Option<Who>,
    /// Roles that units of the same group take together, each with the condition on those units:
    /// each is `other`.
    joined: Option<Named<Formula>>,
    /// The role that gets the results.
    lands_on: Option<String>,
    needs_option: Option<String>,
    readings: Option<OneOrMore<String>>,
    notes: Option<OneOrMore<String>>,
    /// The role for whose units it is run one after another.
    each: Option<String>,
    /// The title of a roll that picks one of several units: the chart is run for that one only.
    random: Option<String>,
    /// "highest" or "lowest" first.
    order: Option<String>,
    tally: Option<Vec<Tally>>,
    /// When attacks are resolved at the same time.
    together: Option<Formula>,
    printed: Option<Printed>,
    /// Questions to the player.
    ask: Option<Named<Ask>>,
    /// What happens, in order.
    step: Option<Vec<Step>>,
    /// How the score becomes a result.
    read: Read,
}

/// A question, or several about one role.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub(super) enum Ask {
    Question(Box<Question>),
    OfRole(Named<Question>),
}

/// A result that depends on how many units meet a condition.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Tally {
    label: Option<String>,
    count: Formula,
    at_least: Option<Number>,
    result: String,
    on: Option<String>,
}

/// The table as the sheet prints it.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Printed {
    file: String,
    down: String,
    across: String,
    /// The option with which the printed cells count.
    option: Option<String>,
}

/// A step: one of roll, draw, play, ask, look_up, work_out.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Step {
    /// Dice such as "2d6", a die, or several kinds.
    roll: Option<Roll>,
    /// The deck to draw cards from.
    draw: Option<String>,
    /// The deck of which a player plays a card.
    play: Option<String>,
    /// A question in the middle of the chart.
    ask: Option<Field>,
    /// The chart to run on the way.
    look_up: Option<String>,
    /// How many times that chart is run; its value is then the sum.
    times: Option<Formula>,
    /// A sum.
    work_out: Option<Formula>,
    /// The name in expressions: `die` or `card` without it.
    #[schemars(rename = "as")]
    name: Option<String>,
    title: Option<String>,
    /// Plain words for the sheet, instead of the formulas.
    text: Option<String>,
    /// false hides the step on sheets.
    sheet: Option<Flag>,
    /// The step happens only if this is true.
    when: Option<Formula>,
    /// How many dice or cards.
    count: Option<Formula>,
    /// How many sides.
    sides: Option<Formula>,
    /// Single dice that are rolled again.
    reroll: Option<Vec<Reroll>>,
    /// Dice that are rolled again and added.
    explode: Option<Explode>,
    /// Dice that bring another die.
    extra: Option<Explode>,
    keep_highest: Option<Formula>,
    keep_lowest: Option<Formula>,
    /// What a die is worth; `face` is the die.
    each: Option<Formula>,
    pass_at_most: Option<Formula>,
    pass_at_least: Option<Formula>,
    /// Further sums over the dice.
    tally: Option<Named<Formula>>,
    /// Dice fill boxes in order.
    fill: Option<Fill>,
    /// Rules for doing it again.
    again: Option<Vec<Again>>,
    /// One die counts.
    choose: Option<Choose>,
    /// Modifiers, in the order of the sheet.
    add: Option<Vec<Modifier>>,
    least: Option<Formula>,
    most: Option<Formula>,
    /// The word for what is counted.
    counted: Option<String>,
    reading: Option<String>,
    /// The field of a card that gives the number.
    read: Option<String>,
    /// Which number of a row of numbers.
    by: Option<Formula>,
    /// The role whose deck or hand it is.
    of: Option<String>,
    /// The pile that a card is played from; the hand without it.
    from: Option<String>,
    /// Where the cards go: discard, hand, removed, deck or a pile.
    to: Option<String>,
    /// The cards that may be played; `face` is a card.
    which: Option<Formula>,
    with: Option<With>,
    who: Option<Who>,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Roll {
    Dice(String),
    Kinds(Named<Formula>),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Reroll {
    when: Formula,
    because: Option<String>,
    at_most: Option<Number>,
    /// At most this many dice, the lowest first.
    dice: Option<Formula>,
    /// A player decides.
    ask: Option<String>,
    /// What odds take the answer to be.
    assume: Option<Formula>,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Explode {
    When(Formula),
    Rule(ExplodeRule),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ExplodeRule {
    when: Formula,
    at_most: Option<Number>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Fill {
    size: Formula,
    begun: Option<Formula>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Choose {
    /// The role whose player picks.
    by: Option<Formula>,
    /// How good a die is.
    best: Option<Formula>,
}

/// A rule for rolling or drawing again.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Again {
    when: Option<Formula>,
    because: Option<String>,
    /// The whole rule in plain words.
    text: Option<String>,
    ask: Option<String>,
    assume: Option<Formula>,
    at_most: Option<Number>,
    reshuffle: Option<Flag>,
    look_up: Option<String>,
    with: Option<With>,
    who: Option<Who>,
    #[schemars(rename = "as")]
    name: Option<String>,
    stop: Option<Stop>,
    ask_again: Option<AskAgain>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Stop {
    when: Option<Formula>,
    result: String,
    on: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct AskAgain {
    when: Option<Formula>,
    inputs: OneOrMore<String>,
}

/// A modifier: one of plus, times, dice.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Modifier {
    label: String,
    /// Plain words for the sheet, instead of the formulas.
    text: Option<String>,
    plus: Option<Formula>,
    times: Option<Formula>,
    dice: Option<Formula>,
    /// When it counts.
    when: Option<Formula>,
    /// Of the modifiers with the same word, only the highest counts.
    best_of: Option<String>,
    reading: Option<String>,
}

/// How the score becomes a result or a number.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Read {
    score: Option<Formula>,
    column: Option<Formula>,
    /// Modifiers that move the column.
    shift: Option<Vec<Modifier>>,
    /// What selects the page of a table from a CSV file.
    page: Option<Formula>,
    /// What the codes in a CSV file stand for.
    cells: Option<Named<Cell>>,
    rows: Option<Rows>,
    user_table: Option<String>,
    value: Option<Formula>,
    unit: Option<String>,
    /// A sentence with {value}.
    says: Option<String>,
    /// Plain words for the sheet, instead of the formula of the value or the score.
    text: Option<String>,
    also: Option<Vec<Also>>,
    /// Changes whatever row is read.
    effects: Option<Vec<Effect>>,
    /// Charts that follow whatever row is read.
    next: Option<Vec<FollowUp>>,
}

/// The rows, or a CSV file with them.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Rows {
    File(String),
    Listed(Vec<Row>),
}

/// A row: its band or condition, and a cell for each column or for all.
#[derive(JsonSchema)]
pub(super) struct Row {
    from: Option<Formula>,
    to: Option<Formula>,
    below: Option<Formula>,
    above: Option<Formula>,
    /// A number, a word, or a heading such as 6-8 or 12+.
    is: Option<Formula>,
    when: Option<Formula>,
    label: Option<String>,
    /// Plain words for the sheet, instead of the condition.
    text: Option<String>,
    on: Option<String>,
    reading: Option<String>,
    effects: Option<Vec<Effect>>,
    next: Option<Vec<FollowUp>>,
    #[schemars(flatten)]
    cells: Named<Cell>,
}

/// A result, a number, or both.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Cell {
    Result(String),
    Number(f64),
    Whole(WholeCell),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct WholeCell {
    result: Option<String>,
    value: Option<Formula>,
    /// The look-up step whose result is passed on.
    result_of: Option<String>,
    on: Option<String>,
    label: Option<String>,
    effects: Option<Vec<Effect>>,
    next: Option<Vec<FollowUp>>,
}

/// An additional result.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Also {
    result: String,
    when: Option<Formula>,
    on: Option<String>,
    label: Option<String>,
    text: Option<String>,
    reading: Option<String>,
    effects: Option<Vec<Effect>>,
    next: Option<Vec<FollowUp>>,
}

/// A change: one of status, lift, set, add, remember, leaves, appear, reshuffle, note.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Effect {
    status: Option<String>,
    lift: Option<String>,
    set: Option<String>,
    to: Option<Formula>,
    add: Option<String>,
    by: Option<Formula>,
    remember: Option<String>,
    leaves: Option<String>,
    appear: Option<String>,
    count: Option<Formula>,
    template: Option<String>,
    has: Option<Named<Formula>>,
    #[schemars(rename = "where")]
    place: Option<String>,
    /// New units join the enemy.
    side: Option<NewSide>,
    reshuffle: Option<String>,
    note: Option<String>,
    when: Option<Formula>,
    on: Option<String>,
    /// Also on every unit of its side that takes part.
    all: Option<Flag>,
    /// On the unit with this number in the group, in the order of the roster.
    nth: Option<Formula>,
    /// Plain words for the sheet, instead of the formulas.
    text: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum NewSide {
    Enemy,
}

/// A chart that becomes due.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct FollowUp {
    chart: String,
    why: Option<String>,
    who: Option<Who>,
    with: Option<With>,
    when: Option<Formula>,
    /// Before all other pending tests.
    now: Option<Flag>,
    #[schemars(rename = "for")]
    others: Option<Relation>,
    of: Option<String>,
    role: Option<String>,
    /// Whether all of them fill a role of several units.
    all: Option<Flag>,
    /// How many tests follow. In with, nth is the place in the series.
    times: Option<Formula>,
    /// Plain words for the sheet, instead of the formulas.
    text: Option<String>,
}

/// A result that replaces another.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Instead {
    when: Formula,
    result: String,
    because: Option<String>,
    /// Plain words for the sheet, instead of the condition.
    text: Option<String>,
}
