//! Chances of a chart.

use crate::Entries;
use crate::fight::MeanData;
use adjutant_dice::{Answer, Number};
use adjutant_engine::{
    Branch, Chance, FirstChance, NotFollowed, OddsReport, OutcomeChance, SeriesBranch, Situation,
    Unfollowed, UnfollowedChance, ValueTable, in_sheet_order, sheet_place,
};
use adjutant_pack::{Chart, Pack, Relation};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The chances of a chart: one branch for each way in which its open questions can be answered. If
/// there is only one branch, its chances also stand beside `branches`.
#[derive(Debug)]
pub struct OddsData<'r> {
    pub pack: &'r str,
    pub chart: &'r str,
    pub branches: Vec<BranchData<'r>>,
}

/// The JSON form of [`OddsData`].
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "OddsData"))]
struct OddsShown<'a, 'r> {
    pack: &'r str,
    chart: &'r str,
    /// The chances of the only branch.
    #[serde(flatten)]
    only: OnlyBranch<'a, 'r>,
    /// The chances for each way in which the open questions can be answered.
    branches: &'a [BranchData<'r>],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
enum OnlyBranch<'a, 'r> {
    One(&'a DistributionData<'r>),
    Several(NoDistribution),
}

/// The keys of a distribution, with empty lists.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
struct NoDistribution {
    results: [(); 0],
    values: [(); 0],
    mean: Option<MeanData>,
    also: [(); 0],
}

impl Serialize for OddsData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let only = match self.branches.as_slice() {
            [one] => OnlyBranch::One(&one.chances),
            _ => OnlyBranch::Several(NoDistribution::default()),
        };
        OddsShown { pack: self.pack, chart: self.chart, only, branches: &self.branches }
            .serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for OddsData<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        OddsShown::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        OddsShown::json_schema(generator)
    }
}

/// Chances that hold if these answers are given.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BranchData<'r> {
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub answers: Entries<&'r str, &'r Answer>,
    #[serde(flatten)]
    pub chances: DistributionData<'r>,
    /// Who acts first, where scores order several units. `of` is null if several act first together.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::FirstChance>"))]
    pub first: &'r [FirstChance],
}

/// All chances of one branch.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DistributionData<'r> {
    /// In the order of the sheet.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::OutcomeChance>"))]
    pub results: Vec<&'r OutcomeChance>,
    pub values: Vec<ValueData<'r>>,
    /// The mean of the values.
    pub mean: Option<MeanData>,
    /// The numbers of each chart of a chain, unless all are of the first chart. If several charts
    /// yield numbers, `values` is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<NumbersData<'r>>,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::OutcomeChance>"))]
    pub also: &'r [OutcomeChance],
    /// Whether one roll can lead to several of the results.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub several_ends: bool,
    /// The charts that would follow and are not in these chances.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_followed: Vec<NotFollowedData<'r>>,
}

/// The numbers that one chart of a chain yields.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct NumbersData<'r> {
    pub chart: &'r str,
    pub values: Vec<ChainValue<'r>>,
}

/// A number at the end of a chain.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ChainValue<'r> {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub value: Number,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub chance: &'r Chance,
}

/// A chart that would follow and is not in the chances.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct NotFollowedData<'r> {
    pub chart: &'r str,
    pub title: &'r str,
    /// `other-units`: it is for units that only a game knows. `no-unit`: the unit in one of its
    /// roles has left. `too-long`, `endless`: the chain was cut here; the result `cut` has its
    /// chance.
    pub why: &'static str,
    /// Whom it is for, as the pack says it: `group`, `joined`, `side`, `enemy`, `all`.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub whom: Option<&'static str>,
    /// The sentence.
    pub says: String,
    /// How likely it would follow; not known of samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Chance>"))]
    pub chance: Option<&'r Chance>,
}

impl<'r> NotFollowedData<'r> {
    pub fn new(what: &'r Unfollowed, chance: Option<&'r Chance>) -> NotFollowedData<'r> {
        let (why, whom) = match what.why {
            NotFollowed::Others(of) => {
                let named = Relation::ALL.iter().find(|(_, relation)| *relation == of);
                ("other-units", named.map(|(name, _)| *name))
            }
            NotFollowed::NoUnit => ("no-unit", None),
            NotFollowed::TooLong => ("too-long", None),
            NotFollowed::Endless => ("endless", None),
        };
        let says = adjutant_wording::en::not_followed(what);
        NotFollowedData { chart: &what.chart, title: &what.title, why, whom, says, chance }
    }
}

/// A number that the chart yields.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ValueData<'r> {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub value: Number,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub chance: &'r Chance,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub at_least: Chance,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub at_most: Chance,
}

impl<'r> OddsData<'r> {
    pub fn new(situation: &Situation<'r>, report: &'r OddsReport) -> OddsData<'r> {
        let (pack, chart) = (situation.pack(), situation.chart());
        let branches: Vec<BranchData<'r>> =
            report.branches.iter().map(|branch| BranchData::new(pack, chart, branch)).collect();
        OddsData { pack: pack.id(), chart: &chart.id, branches }
    }
}

impl<'r> BranchData<'r> {
    fn new(pack: &Pack, chart: &Chart, branch: &'r Branch) -> BranchData<'r> {
        let spread = &branch.spread;
        let value = |(value, chance): &'r (Number, Chance)| ValueData {
            value: *value,
            chance,
            at_least: spread.at_least(*value),
            at_most: spread.at_most(*value),
        };
        let numbers = |table: &'r ValueTable| NumbersData {
            chart: &table.chart,
            values: table
                .values
                .iter()
                .map(|(value, chance)| ChainValue { value: *value, chance })
                .collect(),
        };
        let left_out =
            |one: &'r UnfollowedChance| NotFollowedData::new(&one.what, Some(&one.chance));
        let chances = DistributionData {
            results: in_sheet_order(pack, chart, &spread.results),
            values: spread.values.iter().map(value).collect(),
            mean: spread.mean().map(|mean| MeanData::exactly(mean.exact(), mean.value())),
            also: &spread.also,
            numbers: spread.numbers.iter().map(numbers).collect(),
            several_ends: spread.several_ends,
            not_followed: spread.unfollowed.iter().map(left_out).collect(),
        };
        BranchData { answers: answers(&branch.answers), chances, first: &branch.first }
    }
}

fn answers(answers: &[(String, Answer)]) -> Entries<&str, &Answer> {
    answers.iter().map(|(key, answer)| (key.as_str(), answer)).collect()
}

/// What each circumstance that does not hold now would change.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ModifierOdds<'r> {
    pub now: OddsData<'r>,
    pub changes: Vec<ChangedOdds<'r>>,
}

/// The chances if an input were `yes`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ChangedOdds<'r> {
    pub input: &'r str,
    pub label: &'r str,
    pub odds: OddsData<'r>,
}

/// The chances of several checks one after another.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SeriesData<'r> {
    pub pack: &'r str,
    pub chart: &'r str,
    pub times: u32,
    pub branches: Vec<SeriesBranchData<'r>>,
}

/// The same for given answers.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SeriesBranchData<'r> {
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub answers: Entries<&'r str, &'r Answer>,
    /// Whether all checks draw from one deck, so that drawn cards stay out.
    pub one_deck: bool,
    pub results: Vec<SeriesResult>,
    /// The most likely first; the counts are in the order of the results.
    pub combinations: Vec<Combination>,
}

/// How often a result comes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SeriesResult {
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub id: adjutant_dice::Text,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub title: adjutant_dice::Text,
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub on: Option<adjutant_dice::Text>,
    pub expected: Expected,
    pub counts: Vec<Often>,
}

/// A number on average.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Expected {
    pub exact: String,
    pub number: f64,
}

/// How likely a result comes so often.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Often {
    pub times: u32,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub chance: Chance,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub at_least: Chance,
}

/// How likely the results come so often together.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Combination {
    pub counts: Vec<u32>,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub chance: Chance,
}

/// The results of a series that can come, in the order of the sheet, each with its place in the
/// combinations.
pub fn series_results(
    situation: &Situation<'_>,
    branch: &SeriesBranch,
) -> Vec<(usize, OutcomeChance)> {
    let mut sorted: Vec<(usize, OutcomeChance)> =
        branch.outcomes().into_iter().enumerate().collect();
    sorted.sort_by_cached_key(|(place, chanced)| {
        let value = branch.joint.outcomes().get(*place).and_then(|outcome| outcome.value);
        (sheet_place(situation.pack(), situation.chart(), chanced), value)
    });
    sorted.retain(|(_, chanced)| chanced.chance.exact() != "0");
    sorted
}

impl<'r> SeriesBranchData<'r> {
    pub fn new(situation: &Situation<'_>, branch: &'r SeriesBranch) -> SeriesBranchData<'r> {
        let (joint, results) = (&branch.joint, series_results(situation, branch));
        let result = |(place, chanced): &(usize, OutcomeChance)| SeriesResult {
            id: chanced.id.clone(),
            title: chanced.title.clone(),
            on: chanced.on.clone(),
            expected: Expected { exact: chanced.chance.exact(), number: chanced.chance.value() },
            counts: (0..=joint.times())
                .map(|n| Often {
                    times: n,
                    chance: joint.exactly(*place, n),
                    at_least: joint.at_least(*place, n),
                })
                .collect(),
        };
        let combination = |(list, chance): (&[u32], Chance)| Combination {
            counts: results.iter().map(|(place, _)| list[*place]).collect(),
            chance,
        };
        SeriesBranchData {
            answers: answers(&branch.answers),
            one_deck: branch.one_deck,
            results: results.iter().map(result).collect(),
            combinations: branch.likeliest().into_iter().map(combination).collect(),
        }
    }
}

/// Chances over one or two inputs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct OddsTable<'r> {
    pub pack: &'r str,
    pub chart: &'r str,
    pub cells: Vec<OddsCell<'r>>,
}

/// A cell of such a table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct OddsCell<'r> {
    /// The values of the inputs that vary.
    pub at: Entries<&'r str, &'r str>,
    pub results: Vec<CellResult<'r>>,
    /// The numbers, where the chart yields any.
    #[serde(flatten)]
    pub numbers: Option<CellNumbers<'r>>,
    /// Set if the exact odds of this cell would be too large; it has no results then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub too_large: bool,
}

/// A result in a cell.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CellResult<'r> {
    pub id: &'r str,
    pub title: &'r str,
    pub on: Option<&'r str>,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub chance: Chance,
}

/// The numbers of a cell.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CellNumbers<'r> {
    pub values: Vec<CellValue<'r>>,
    pub mean: Option<MeanData>,
}

/// A number in a cell.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CellValue<'r> {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub value: Number,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Chance"))]
    pub chance: &'r Chance,
}
