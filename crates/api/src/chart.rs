//! Charts as data.

use crate::{Entries, FieldData};
use adjutant_dice::{Accepts, Number};
use adjutant_engine::{PossibleQuestion, PrintedCell, printed_cells, questions};
use adjutant_pack::{
    Amount, Band, Chart, FilledFrom, Formula, Modifier, OptionId, Pack, Role, Row, Step, StepKind,
};
use adjutant_wording::en::ChartWords;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// One chart.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ChartData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub about: &'p str,
    pub notes: &'p [String],
    /// The option without which it is not in use.
    pub needs_option: Option<&'p str>,
    /// Its roles, each with the kind of unit that takes it.
    pub who: Entries<&'p str, &'p str>,
    /// Its roles that are not for all units of their kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<OnlyData<'p>>,
    /// The role that several units take.
    pub each: Option<&'p str>,
    pub inputs: Vec<InputData<'p>>,
    pub questions: Vec<QuestionData>,
    pub steps: Vec<StepData<'p>>,
    /// The formula that is looked up in the rows.
    pub score: Option<&'p str>,
    pub columns: Option<Vec<&'p str>>,
    pub rows: Vec<RowData<'p>>,
    pub value: Option<&'p str>,
    pub unit: &'p str,
    /// Results that hold in addition.
    pub also: Vec<AlsoData<'p>>,
    pub user_table: Option<&'p str>,
    pub results: Vec<Titled<'p>>,
    pub readings: Vec<&'p str>,
    /// How the printed table compares, where the sheet has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<PrintedData>,
}

/// Something with a name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Titled<'p> {
    pub id: &'p str,
    pub title: &'p str,
}

/// The units that a role is for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct OnlyData<'p> {
    pub role: &'p str,
    /// The condition.
    pub when: &'p str,
    /// The units in words.
    pub label: &'p str,
}

impl<'p> OnlyData<'p> {
    fn new(role: &'p Role) -> Option<OnlyData<'p>> {
        let only = role.only.as_ref()?;
        Some(OnlyData { role: &role.id, when: &only.when.text, label: &only.label })
    }
}

/// An input of a chart.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct InputData<'p> {
    #[serde(flatten)]
    pub field: FieldData<'p>,
    /// What fills it in a game.
    pub from: InputFrom,
    pub required: bool,
}

/// What fills an input in a game.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InputFrom {
    Situation,
    Attribute,
    Status,
    SideMemory,
}

/// A question that a chart may ask on the way.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct QuestionData {
    /// The name under which its answer is given.
    pub key: String,
    pub prompt: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Accepts"))]
    pub accepts: Accepts,
}

/// A step of a chart.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StepData<'p> {
    /// The name under which formulas use it.
    #[serde(rename = "as")]
    pub name: &'p str,
    pub title: &'p str,
    pub kind: StepKindData,
    /// The dice, the deck, the question, the chart or the formula.
    pub what: String,
    pub when: Option<&'p str>,
    pub modifiers: Vec<ModifierData<'p>>,
    pub again: Vec<AgainData<'p>>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepKindData {
    Roll,
    Draw,
    Ask,
    LookUp,
    WorkOut,
}

/// A modifier of a step.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ModifierData<'p> {
    pub label: &'p str,
    pub kind: ModifierKind,
    pub amount: &'p str,
    pub when: Option<&'p str>,
    /// Of the modifiers with the same word only the best counts.
    pub best_of: Option<&'p str>,
}

/// What a modifier does with its amount.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModifierKind {
    Plus,
    Times,
    Dice,
}

/// When a step is done again.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct AgainData<'p> {
    pub when: &'p str,
    pub because: &'p str,
    pub reshuffle: bool,
}

/// A row of the table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RowData<'p> {
    pub says: &'p str,
    pub band: Option<BandData>,
    pub when: Option<&'p str>,
    pub cells: Vec<CellData<'p>>,
}

/// The scores of a row.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BandData {
    pub from: Option<BandEnd>,
    pub to: Option<BandEnd>,
}

/// An end of a band.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BandEnd {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub at: Number,
    /// Whether this very score is in the band.
    pub belongs: bool,
}

/// A cell of a row.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CellData<'p> {
    pub result: Option<&'p str>,
    /// The role that the result is for.
    pub on: Option<&'p str>,
    pub value: Option<&'p str>,
}

/// A result that holds in addition.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct AlsoData<'p> {
    pub when: Option<&'p str>,
    pub result: &'p str,
}

/// How a printed table compares with what the chart computes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PrintedData {
    pub cells: usize,
    pub departs: usize,
    pub departures: Vec<Departure>,
}

/// A printed cell that differs from what the chart computes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Departure {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub down: Number,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
    pub across: Number,
    pub printed: String,
    pub computed: String,
}

/// A formula as the pack writes it.
pub(crate) fn text(formula: &Option<Formula>) -> Option<&str> {
    formula.as_ref().map(|formula| formula.text.as_str())
}

/// The id of the option without which a chart or a fight is not in use.
pub(crate) fn opened_by(pack: &Pack, option: Option<OptionId>) -> Option<&str> {
    option.map(|option| pack.options()[option].field.id.as_str())
}

impl<'p> ChartData<'p> {
    pub fn new(pack: &'p Pack, chart: &'p Chart) -> ChartData<'p> {
        let read = &chart.read;
        ChartData {
            id: &chart.id,
            title: &chart.title,
            about: &chart.about,
            notes: &chart.notes,
            needs_option: opened_by(pack, chart.needs_option),
            who: chart
                .roles
                .iter()
                .map(|role| (role.id.as_str(), pack.kinds()[role.kind].id.as_str()))
                .collect(),
            only: chart.roles.iter().filter_map(OnlyData::new).collect(),
            each: chart.each.as_ref().map(|each| chart.roles[each.role].id.as_str()),
            inputs: chart.inputs.iter().map(InputData::new).collect(),
            questions: questions(pack, chart).into_iter().map(QuestionData::from).collect(),
            steps: chart.steps.iter().map(|step| StepData::new(pack, chart, step)).collect(),
            score: text(&read.score),
            columns: read
                .column
                .as_ref()
                .map(|column| column.ids.iter().map(|id| id.as_str()).collect()),
            rows: read.rows.iter().map(|row| RowData::new(pack, chart, row)).collect(),
            value: text(&read.value),
            unit: &read.unit,
            also: read
                .also
                .iter()
                .map(|also| AlsoData {
                    when: text(&also.when),
                    result: &pack.results()[chart.landings[also.landing].result].id,
                })
                .collect(),
            user_table: read.user_table.map(|table| pack.user_tables()[table].id.as_str()),
            results: chart
                .results
                .iter()
                .map(|r| &pack.results()[*r])
                .map(|r| Titled { id: &r.id, title: &r.title })
                .collect(),
            readings: chart
                .readings
                .iter()
                .map(|reading| pack.readings()[*reading].id.as_str())
                .collect(),
            printed: chart.printed.is_some().then(|| PrintedData::new(printed_cells(pack, chart))),
        }
    }
}

impl<'p> InputData<'p> {
    fn new(input: &'p adjutant_pack::Input) -> InputData<'p> {
        let from = match input.source {
            FilledFrom::Situation => InputFrom::Situation,
            FilledFrom::Attribute(_) => InputFrom::Attribute,
            FilledFrom::Status(_) => InputFrom::Status,
            FilledFrom::SideMemory(_) => InputFrom::SideMemory,
        };
        InputData {
            field: FieldData::named(&input.name, &input.field),
            from,
            required: input.field.default.is_none(),
        }
    }
}

impl From<PossibleQuestion> for QuestionData {
    fn from(question: PossibleQuestion) -> QuestionData {
        QuestionData { key: question.key, prompt: question.prompt, accepts: question.accepts }
    }
}

impl<'p> StepData<'p> {
    fn new(pack: &'p Pack, chart: &'p Chart, step: &'p Step) -> StepData<'p> {
        let (kind, what) = match &step.kind {
            StepKind::Roll(roll) => {
                (StepKindData::Roll, ChartWords::as_written(pack, chart).roll(roll))
            }
            StepKind::Draw(draw) => (StepKindData::Draw, pack.decks()[draw.deck].id.to_string()),
            StepKind::Ask(field) => (StepKindData::Ask, field.label.to_string()),
            StepKind::LookUp(look_up) => {
                (StepKindData::LookUp, pack.charts()[look_up.chart].id.to_string())
            }
            StepKind::WorkOut(formula) => (StepKindData::WorkOut, formula.text.to_string()),
        };
        let again = |again: &'p adjutant_pack::Again| AgainData {
            when: &again.when.text,
            because: &again.because,
            reshuffle: again.reshuffle,
        };
        StepData {
            name: &step.name,
            title: &step.title,
            kind,
            what,
            when: text(&step.when),
            modifiers: step.add.iter().map(ModifierData::new).collect(),
            again: step.again.iter().map(again).collect(),
        }
    }
}

impl<'p> ModifierData<'p> {
    fn new(modifier: &'p Modifier) -> ModifierData<'p> {
        let kind = match modifier.amount {
            Amount::Plus(_) => ModifierKind::Plus,
            Amount::Times(_) => ModifierKind::Times,
            Amount::Dice(_) => ModifierKind::Dice,
        };
        ModifierData {
            label: &modifier.label,
            kind,
            amount: &modifier.amount.formula().text,
            when: text(&modifier.when),
            best_of: modifier.best_of.as_deref(),
        }
    }
}

impl<'p> RowData<'p> {
    fn new(pack: &'p Pack, chart: &'p Chart, row: &'p Row) -> RowData<'p> {
        let cell = |cell: &'p adjutant_pack::Cell| {
            let landing = cell.landing.map(|landing| &chart.landings[landing]);
            CellData {
                result: landing.map(|landing| pack.results()[landing.result].id.as_str()),
                on: landing
                    .and_then(|landing| landing.on)
                    .map(|role| chart.roles[role].id.as_str()),
                value: text(&cell.value),
            }
        };
        RowData {
            says: &row.shown,
            band: row.band.map(BandData::from),
            when: text(&row.own_when),
            cells: row.cells.iter().map(cell).collect(),
        }
    }
}

impl From<Band> for BandData {
    fn from(band: Band) -> BandData {
        let end = |end: Option<(Number, bool)>| end.map(|(at, belongs)| BandEnd { at, belongs });
        BandData { from: end(band.from), to: end(band.to) }
    }
}

impl PrintedData {
    fn new(cells: Vec<PrintedCell>) -> PrintedData {
        let count = cells.len();
        let departures: Vec<Departure> = cells
            .into_iter()
            .filter(PrintedCell::departs)
            .map(|cell| Departure {
                down: cell.down,
                across: cell.across,
                printed: cell.printed,
                computed: cell.computed,
            })
            .collect();
        PrintedData { cells: count, departs: departures.len(), departures }
    }
}

/// Charts and fights in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ListedChart<'p> {
    pub kind: ListedKind,
    pub id: &'p str,
    pub title: &'p str,
    pub about: &'p str,
    pub needs_option: Option<&'p str>,
}

/// What stands in a list.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ListedKind {
    Chart,
    Fight,
}

impl<'p> ListedChart<'p> {
    /// The charts of a pack.
    pub fn charts(pack: &'p Pack) -> impl Iterator<Item = ListedChart<'p>> {
        pack.charts().iter().map(|chart| ListedChart {
            kind: ListedKind::Chart,
            id: &chart.id,
            title: &chart.title,
            about: &chart.about,
            needs_option: opened_by(pack, chart.needs_option),
        })
    }

    /// The fights of a pack.
    pub fn fights(pack: &'p Pack) -> impl Iterator<Item = ListedChart<'p>> {
        pack.fights().iter().map(|fight| ListedChart {
            kind: ListedKind::Fight,
            id: &fight.id,
            title: &fight.title,
            about: &fight.about,
            needs_option: opened_by(pack, fight.needs_option),
        })
    }
}
