//! Games and fights: ready units, the turn, starts, endings, sides and actions.

use super::chart::Ask;
use super::{Flag, Formula, Named, Number, OneOrMore, Who, With};
use schemars::JsonSchema;

/// A ready unit.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Template {
    kind: String,
    title: String,
    name: Option<String>,
    has: Option<Named<Formula>>,
    statuses: Option<OneOrMore<String>>,
    note: Option<String>,
    reading: Option<String>,
}

/// The phases of a turn.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Turn {
    phase: Option<Vec<Phase>>,
    readings: Option<OneOrMore<String>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Phase {
    id: String,
    title: String,
    text: Option<String>,
    charts: Option<OneOrMore<String>>,
    needs_option: Option<String>,
    /// A user deck: the phase is passed over if it is not supplied.
    needs_deck: Option<String>,
    lift: Option<Vec<PhaseLift>>,
    due: Option<Vec<Due>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PhaseLift {
    status: OneOrMore<String>,
    sides: Option<Sides>,
    when: Option<Formula>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Sides {
    All,
    Players,
    Sheet,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum SidesLeft {
    All,
    Players,
    Sheet,
    Each,
}

/// A test that becomes due.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Due {
    chart: String,
    why: String,
    /// "once", "each" or "group".
    #[schemars(rename = "for")]
    whose: Option<String>,
    role: Option<String>,
    lead: Option<String>,
    sides: Option<Sides>,
    times: Option<Number>,
    when: Option<Formula>,
    with: Option<With>,
}

/// A game to start with.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Start {
    title: String,
    about: Option<String>,
    side: Named<StartSide>,
    options: Option<Named<Formula>>,
    /// "shared" or "per_side".
    decks: Option<String>,
    units: Option<Vec<StartUnit>>,
    due: Option<Vec<Due>>,
    reading: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct StartSide {
    title: String,
    run_by_sheet: Option<Flag>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct StartUnit {
    template: String,
    side: String,
    name: Option<String>,
    group: Option<String>,
    count: Option<Number>,
}

/// When a game is over.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Ending {
    title: String,
    means: Option<String>,
    /// No unit of these is left. With `sides = "each"` it is tried for each side.
    none: Option<Vec<UnitsLeft>>,
    /// The condition; if it names `side`, it is tried for each side.
    when: Option<Formula>,
    wins: Option<Wins>,
}

/// Who has won.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Wins {
    Word(Winner),
    Most { most: Formula },
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Winner {
    Side,
    Enemy,
    None,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct UnitsLeft {
    of: String,
    sides: Option<SidesLeft>,
    when: Option<Formula>,
}

/// Charts repeated until something is decided.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Fight {
    title: String,
    about: Option<String>,
    notes: Option<OneOrMore<String>>,
    needs_option: Option<String>,
    side: Named<FightSide>,
    ask: Option<Named<Ask>>,
    action: Vec<Action>,
    follow: Option<Named<Followed>>,
    over: Option<Named<Over>>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct FightSide {
    unit: String,
    title: Option<String>,
    most: Option<Number>,
    out: Option<Formula>,
    /// Numbers of the units whose total the odds report.
    totals: Option<OneOrMore<String>>,
}

/// An action: a chart, or statuses that are lifted.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Action {
    chart: Option<String>,
    who: Option<Who>,
    each: Option<String>,
    when: Option<Formula>,
    prefer: Option<OneOrMore<Formula>>,
    with: Option<With>,
    at_once: Option<Flag>,
    lift: Option<OneOrMore<String>>,
    of: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Followed {
    with: Option<With>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Over {
    title: String,
    when: Option<Formula>,
    result: Option<String>,
}
