//! Fights as data, and what to expect of them.

use crate::chart::{opened_by, text};
use crate::{Entries, FieldData};
use adjutant_dice::{Answer, Number};
use adjutant_engine::{Chance, FightMean, FightSituation, Limit, Outlook, Share};
use adjutant_pack::{Action, ChartId, Fight, Formula, InputId, Pack};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// One fight.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FightData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub about: &'p str,
    pub notes: &'p [String],
    /// The option without which it is not in use.
    pub needs_option: Option<&'p str>,
    pub sides: Vec<FightSideData<'p>>,
    pub inputs: Vec<FightInputData<'p>>,
    /// What is done in a round, in this order.
    pub actions: Vec<ActionData<'p>>,
    /// Charts that are rolled where they follow from another.
    pub follow: Vec<FollowData<'p>>,
    /// What decides it.
    pub over: Vec<FightEndData<'p>>,
}

/// A side of a fight.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FightSideData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    /// The kind of its units.
    pub unit: &'p str,
    /// How many units it may have.
    pub most: u32,
    /// When a unit takes no further part.
    pub out: Option<&'p str>,
    /// The values of its units whose total is reported.
    pub totals: Vec<&'p str>,
}

/// An input of a fight.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FightInputData<'p> {
    #[serde(flatten)]
    pub field: FieldData<'p>,
    pub required: bool,
    /// Whether anything in the fight asks for it.
    pub matters: bool,
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

/// A chart that is rolled where it follows from another.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FollowData<'p> {
    pub chart: &'p str,
    pub with: Entries<&'p str, &'p str>,
}

/// What decides a fight.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FightEndData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub when: Option<&'p str>,
    pub result: Option<&'p str>,
}

impl<'p> FightData<'p> {
    pub fn new(pack: &'p Pack, fight: &'p Fight) -> FightData<'p> {
        let side = |side: &'p adjutant_pack::Side| FightSideData {
            id: &side.id,
            title: &side.title,
            unit: &pack.kinds()[side.kind].id,
            most: side.most,
            out: text(&side.out),
            totals: (side.totals.iter())
                .map(|total| pack.kinds()[side.kind].has[*total].id.as_str())
                .collect(),
        };
        let input = |input: &'p adjutant_pack::FightInput| FightInputData {
            field: FieldData::named(&input.name, &input.field),
            required: input.field.default.is_none() && input.matters,
            matters: input.matters,
        };
        let end = |end: &'p adjutant_pack::FightEnd| FightEndData {
            id: &end.id,
            title: &end.title,
            when: text(&end.when),
            result: end.result.map(|result| pack.results()[result].id.as_str()),
        };
        FightData {
            id: &fight.id,
            title: &fight.title,
            about: &fight.about,
            notes: &fight.notes,
            needs_option: opened_by(pack, fight.needs_option),
            sides: fight.sides.iter().map(side).collect(),
            inputs: fight.inputs.iter().map(input).collect(),
            actions: fight
                .actions
                .iter()
                .map(|action| ActionData::new(pack, fight, action))
                .collect(),
            follow: fight
                .follow
                .iter()
                .map(|follow| FollowData {
                    chart: &pack.charts()[follow.chart].id,
                    with: given(pack, follow.chart, &follow.with),
                })
                .collect(),
            over: fight.ends.iter().map(end).collect(),
        }
    }
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

/// What to expect of a fight.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FightOutlook<'o> {
    pub pack: &'o str,
    pub fight: &'o str,
    /// What was given or taken by default.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub inputs: Entries<String, Answer>,
    #[serde(flatten)]
    pub outlook: OutlookData<'o>,
}

impl<'o> FightOutlook<'o> {
    pub fn new(situation: &FightSituation<'o>, outlook: &'o Outlook) -> FightOutlook<'o> {
        FightOutlook {
            pack: situation.pack().id(),
            fight: &situation.fight().id,
            inputs: situation.known_inputs().into_iter().collect(),
            outlook: outlook.into(),
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

/// Chances of a fight.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct OutlookData<'o> {
    /// Whether every chance is an exact fraction.
    pub exact: bool,
    /// The ways it can be decided.
    pub ends: Vec<DecisionData<'o>>,
    /// How likely it is never decided.
    pub never: ShareData,
    /// How many rounds it takes; null if it may never end.
    pub rounds: Option<MeanData>,
    pub sides: Vec<SideData<'o>>,
    /// How many states it can be in when a round starts; null if it was played.
    pub standings: Option<usize>,
    /// How many fights were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Why the chances were not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitData>,
}

/// What a computation ran out of.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LimitData {
    Time,
    Memory,
}

/// A way a fight is decided.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DecisionData<'o> {
    pub id: &'o str,
    pub title: &'o str,
    pub chance: ShareData,
}

/// What becomes of a side.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SideData<'o> {
    pub id: &'o str,
    pub title: &'o str,
    /// How many units it has at the start.
    pub began: u32,
    pub lost: MeanData,
    pub left: Vec<LeftData>,
    /// The totals that the fight asks for, such as men or firepower.
    pub totals: Vec<TotalData<'o>>,
}

/// What becomes of a total over the units of a side.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TotalData<'o> {
    pub id: &'o str,
    pub title: &'o str,
    /// The total at the start.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub began: Number,
    /// How much is left on average.
    pub mean_left: MeanData,
    pub left: Vec<TotalLeftData>,
}

/// How likely such a total is left.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TotalLeftData {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub total: Number,
    pub chance: ShareData,
}

/// How likely so many units are left.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct LeftData {
    pub units: u32,
    pub chance: ShareData,
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

impl<'o> From<&'o Outlook> for OutlookData<'o> {
    fn from(outlook: &'o Outlook) -> OutlookData<'o> {
        let side = |side: &'o adjutant_engine::SideOutlook| SideData {
            id: &side.id,
            title: &side.title,
            began: side.began,
            lost: (&side.lost).into(),
            left: side
                .left
                .iter()
                .map(|(units, share)| LeftData { units: *units, chance: share.into() })
                .collect(),
            totals: side.totals.iter().map(TotalData::from).collect(),
        };
        let end = |end: &'o adjutant_engine::DecisionOutlook| DecisionData {
            id: &end.id,
            title: &end.title,
            chance: (&end.share).into(),
        };
        OutlookData {
            exact: outlook.exact,
            ends: outlook.ends.iter().map(end).collect(),
            never: (&outlook.never).into(),
            rounds: outlook.rounds.as_ref().map(MeanData::from),
            sides: outlook.sides.iter().map(side).collect(),
            standings: outlook.standings,
            samples: outlook.played.map(|played| played.fights),
            seed: outlook.played.map(|played| played.seed),
            limit: outlook.over.map(|limit| match limit {
                Limit::Time => LimitData::Time,
                Limit::Memory => LimitData::Memory,
            }),
        }
    }
}

impl<'o> From<&'o adjutant_engine::TotalOutlook> for TotalData<'o> {
    fn from(known: &'o adjutant_engine::TotalOutlook) -> TotalData<'o> {
        let left = |(total, share): &(Number, Share)| TotalLeftData {
            total: *total,
            chance: share.into(),
        };
        TotalData {
            id: &known.id,
            title: &known.title,
            began: known.began,
            mean_left: (&known.mean_left).into(),
            left: known.left.iter().map(left).collect(),
        }
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
