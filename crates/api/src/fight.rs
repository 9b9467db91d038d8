//! Fights as data, and what to expect of them.

use crate::chart::{opened_by, text};
use crate::view::{all, views};
use crate::{Entries, FieldData};
use adjutant_dice::{Answer, Number};
use adjutant_engine::{
    Chance, DecisionOutlook, FightMean, FightSituation, Limit, Outlook, Share, SideOutlook,
    TotalOutlook,
};
use adjutant_pack::{
    Action, ChartId, Fight, FightEnd, FightInput, Followed, Formula, InputId, Pack, Side,
};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

views! {
    /// One fight.
    FightData<'p>(pack: &'p Pack, fight: &'p Fight) {
        id: &'p str = &fight.id,
        title: &'p str = &fight.title,
        about: &'p str = &fight.about,
        notes: &'p [String] = &fight.notes,
        /// The option without which it is not in use.
        needs_option: Option<&'p str> = opened_by(pack, fight.needs_option),
        sides: Vec<FightSideData<'p>> = all(&fight.sides, |side| FightSideData::new(pack, side)),
        inputs: Vec<FightInputData<'p>> = all(&fight.inputs, FightInputData::new),
        /// What is done in a round, in this order.
        actions: Vec<ActionData<'p>>
            = all(&fight.actions, |action| ActionData::new(pack, fight, action)),
        /// Charts that are rolled where they follow from another.
        follow: Vec<FollowData<'p>> = all(&fight.follow, |follow| FollowData::new(pack, follow)),
        /// What decides it.
        over: Vec<FightEndData<'p>> = all(&fight.ends, |end| FightEndData::new(pack, end)),
    }

    /// A side of a fight.
    FightSideData<'p>(pack: &'p Pack, side: &'p Side) {
        id: &'p str = &side.id,
        title: &'p str = &side.title,
        /// The kind of its units.
        unit: &'p str = &pack.kinds()[side.kind].id,
        /// How many units it may have.
        most: u32 = side.most,
        /// When a unit takes no further part.
        out: Option<&'p str> = text(&side.out),
        /// The values of its units whose total is reported.
        totals: Vec<&'p str> = all(&side.totals, |total| &*pack.kinds()[side.kind].has[*total].id),
    }

    /// An input of a fight.
    FightInputData<'p>(input: &'p FightInput) {
        #[serde(flatten)]
        field: FieldData<'p> = FieldData::new(&input.name, &input.field),
        required: bool = input.field.default.is_none() && input.matters,
        /// Whether anything in the fight asks for it.
        matters: bool = input.matters,
    }

    /// A chart that is rolled where it follows from another.
    FollowData<'p>(pack: &'p Pack, follow: &'p Followed) {
        chart: &'p str = &pack.charts()[follow.chart].id,
        with: Entries<&'p str, &'p str> = given(pack, follow.chart, &follow.with),
    }

    /// What decides a fight.
    FightEndData<'p>(pack: &'p Pack, end: &'p FightEnd) {
        id: &'p str = &end.id,
        title: &'p str = &end.title,
        when: Option<&'p str> = text(&end.when),
        result: Option<&'p str> = end.result.map(|result| &*pack.results()[result].id),
    }

    /// What to expect of a fight.
    FightOutlook<'o>(situation: &FightSituation<'o>, outlook: &'o Outlook) {
        pack: &'o str = situation.pack().id(),
        fight: &'o str = &situation.fight().id,
        /// What was given or taken by default.
        #[cfg_attr(
            feature = "schema",
            schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
        )]
        inputs: Entries<String, Answer> = situation.known_inputs().into_iter().collect(),
        #[serde(flatten)]
        outlook: OutlookData<'o> = OutlookData::new(outlook),
    }

    /// Chances of a fight.
    OutlookData<'o>(outlook: &'o Outlook) {
        /// Whether every chance is an exact fraction.
        exact: bool = outlook.exact,
        /// The ways it can be decided.
        ends: Vec<DecisionData<'o>> = all(&outlook.ends, DecisionData::new),
        /// How likely it is never decided.
        never: ShareData = ShareData::from(&outlook.never),
        /// How many rounds it takes; null if it may never end.
        rounds: Option<MeanData> = outlook.rounds.as_ref().map(MeanData::from),
        sides: Vec<SideData<'o>> = all(&outlook.sides, SideData::new),
        /// How many states it can be in when a round starts; null if it was played.
        standings: Option<usize> = outlook.standings,
        /// How many fights were played.
        #[serde(skip_serializing_if = "Option::is_none")]
        samples: Option<u64> = outlook.played.map(|played| played.fights),
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<u64> = outlook.played.map(|played| played.seed),
        /// Why the chances were not computed.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<LimitData> = outlook.over.map(|limit| match limit {
            Limit::Time => LimitData::Time,
            Limit::Memory => LimitData::Memory,
        }),
    }

    /// A way a fight is decided.
    DecisionData<'o>(end: &'o DecisionOutlook) {
        id: &'o str = &end.id,
        title: &'o str = &end.title,
        chance: ShareData = ShareData::from(&end.share),
    }

    /// What becomes of a side.
    SideData<'o>(side: &'o SideOutlook) {
        id: &'o str = &side.id,
        title: &'o str = &side.title,
        /// How many units it has at the start.
        began: u32 = side.began,
        lost: MeanData = MeanData::from(&side.lost),
        left: Vec<LeftData> = all(&side.left, |(units, share)| LeftData::new(*units, share)),
        /// The totals that the fight asks for, such as men or firepower.
        totals: Vec<TotalData<'o>> = all(&side.totals, TotalData::new),
    }

    /// What becomes of a total over the units of a side.
    TotalData<'o>(total: &'o TotalOutlook) {
        id: &'o str = &total.id,
        title: &'o str = &total.title,
        /// The total at the start.
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
        began: Number = total.began,
        /// How much is left on average.
        mean_left: MeanData = MeanData::from(&total.mean_left),
        left: Vec<TotalLeftData>
            = all(&total.left, |(total, share)| TotalLeftData::new(*total, share)),
    }

    /// How likely such a total is left.
    TotalLeftData(total: Number, share: &Share) {
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
        total: Number = total,
        chance: ShareData = ShareData::from(share),
    }

    /// How likely so many units are left.
    LeftData(units: u32, share: &Share) {
        units: u32 = units,
        chance: ShareData = ShareData::from(share),
    }
}

/// What is done in a round.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum ActionData<'p> {
    /// A chart is rolled.
    Roll {
        chart: &'p str,
        /// The side that takes each role.
        who: Entries<&'p str, &'p str>,
        each: Option<&'p str>,
        when: Option<&'p str>,
        prefer: Vec<&'p str>,
        with: Entries<&'p str, &'p str>,
        at_once: bool,
    },
    /// Statuses end.
    Lift { lift: Vec<&'p str>, of: &'p str, when: Option<&'p str> },
}

/// The inputs of a chart that a fight gives, each with its formula.
fn given<'p>(
    pack: &'p Pack,
    chart: ChartId,
    with: &'p [(InputId, Formula)],
) -> Entries<&'p str, &'p str> {
    let inputs = &pack.charts()[chart].inputs;
    with.iter()
        .map(|(place, formula)| (inputs[*place].name.as_str(), formula.text.as_str()))
        .collect()
}

impl<'p> ActionData<'p> {
    fn new(pack: &'p Pack, fight: &'p Fight, action: &'p Action) -> ActionData<'p> {
        match action {
            Action::Roll(roll) => {
                let chart = &pack.charts()[roll.chart];
                let sides = roll.who.iter().map(|side| fight.sides[*side].id.as_str());
                ActionData::Roll {
                    chart: &chart.id,
                    who: chart.roles.iter().map(|role| role.id.as_str()).zip(sides).collect(),
                    each: roll.each.map(|role| chart.roles[role].id.as_str()),
                    when: text(&roll.when),
                    prefer: roll.prefer.iter().map(|prefer| prefer.text.as_str()).collect(),
                    with: given(pack, roll.chart, &roll.with),
                    at_once: roll.at_once,
                }
            }
            Action::Lift { side, statuses, when } => ActionData::Lift {
                lift: statuses.iter().map(|status| pack.statuses()[*status].id.as_str()).collect(),
                of: &fight.sides[*side].id,
                when: text(when),
            },
        }
    }
}

/// The same over one or two inputs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FightTable<'o> {
    pub pack: &'o str,
    pub fight: &'o str,
    pub cells: Vec<FightCell<'o>>,
}

/// A cell of such a table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FightCell<'o> {
    #[serde(flatten)]
    pub outlook: OutlookData<'o>,
    /// The values of the inputs that vary.
    pub at: Entries<&'o str, &'o str>,
}

/// What a computation ran out of.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LimitData {
    Time,
    Memory,
}

/// A chance: exact, computed in floats, or counted.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ShareData {
    /// As a fraction, such as `9/25`.
    pub exact: Option<String>,
    pub percent: f64,
    #[serde(flatten)]
    pub counted: Option<CountData>,
}

/// A share that was counted.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CountData {
    pub count: u64,
    pub share: f64,
    pub interval_95: (f64, f64),
}

/// A number on average, with its exact form where that is known.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct MeanData {
    pub exact: Option<String>,
    pub value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_95: Option<(f64, f64)>,
}

impl MeanData {
    /// A mean that is known exactly.
    pub fn exactly(exact: String, value: f64) -> MeanData {
        MeanData { exact: Some(exact), value, interval_95: None }
    }
}

impl ShareData {
    pub(crate) fn exact(chance: &Chance) -> ShareData {
        ShareData { exact: Some(chance.exact()), percent: chance.percent(), counted: None }
    }

    pub(crate) fn near(chance: &Chance) -> ShareData {
        ShareData { exact: None, percent: chance.percent(), counted: None }
    }
}

impl From<&Share> for ShareData {
    fn from(share: &Share) -> ShareData {
        match share {
            Share::Exact(chance) => ShareData::exact(chance),
            Share::Near(chance) => ShareData::near(chance),
            Share::Counted { count, of } => {
                let part = *count as f64 / (*of).max(1) as f64;
                let interval_95 = share.interval().unwrap_or_default();
                ShareData {
                    exact: None,
                    percent: part * 100.0,
                    counted: Some(CountData { count: *count, share: part, interval_95 }),
                }
            }
        }
    }
}

impl From<&FightMean> for MeanData {
    fn from(mean: &FightMean) -> MeanData {
        match mean {
            FightMean::Exact(mean) => {
                MeanData { exact: Some(mean.exact()), value: mean.value(), interval_95: None }
            }
            FightMean::Near(mean) => {
                MeanData { exact: None, value: mean.value(), interval_95: None }
            }
            FightMean::Counted { mean, off } => {
                MeanData { exact: None, value: *mean, interval_95: Some((mean - off, mean + off)) }
            }
        }
    }
}
