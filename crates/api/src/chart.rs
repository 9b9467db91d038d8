//! Charts as data.

use crate::view::{all, views};
use crate::{Entries, FieldData};
use adjutant_dice::{Accepts, Number};
use adjutant_engine::{PossibleQuestion, PrintedCell, printed_cells, questions};
use adjutant_pack::{
    Again, Also, Amount, Band, Cell, Chart, FilledFrom, Formula, Input, Modifier, Only, OptionId,
    Pack, ResultRule, Role, Row, Step, StepKind,
};
use adjutant_wording::en::ChartWords;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

views! {
    /// One chart.
    ChartData<'p>(pack: &'p Pack, chart: &'p Chart) {
        id: &'p str = &chart.id,
        title: &'p str = &chart.title,
        about: &'p str = &chart.about,
        notes: &'p [String] = &chart.notes,
        /// The option without which it is not in use.
        needs_option: Option<&'p str> = opened_by(pack, chart.needs_option),
        /// Its roles, each with the kind of unit that takes it.
        who: Entries<&'p str, &'p str>
            = chart.roles.iter().map(|role| (&*role.id, &*pack.kinds()[role.kind].id)).collect(),
        /// Its roles that are not for all units of their kind.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        only: Vec<OnlyData<'p>> = chart.roles.iter().filter_map(|role| {
            Some(OnlyData::new(role, role.only.as_ref()?))
        }).collect(),
        /// The role that several units take.
        each: Option<&'p str> = chart.each.as_ref().map(|each| &*chart.roles[each.role].id),
        inputs: Vec<InputData<'p>> = all(&chart.inputs, InputData::new),
        questions: Vec<QuestionData> = all(questions(pack, chart), QuestionData::new),
        steps: Vec<StepData<'p>> = all(&chart.steps, |step| StepData::new(pack, chart, step)),
        /// The formula that is looked up in the rows.
        score: Option<&'p str> = text(&chart.read.score),
        columns: Option<Vec<&'p str>>
            = chart.read.column.as_ref().map(|column| all(&column.ids, |id| &**id)),
        rows: Vec<RowData<'p>> = all(&chart.read.rows, |row| RowData::new(pack, chart, row)),
        value: Option<&'p str> = text(&chart.read.value),
        unit: &'p str = &chart.read.unit,
        /// Results that hold in addition.
        also: Vec<AlsoData<'p>> = all(&chart.read.also, |also| AlsoData::new(pack, chart, also)),
        user_table: Option<&'p str>
            = chart.read.user_table.map(|table| &*pack.user_tables()[table].id),
        results: Vec<Titled<'p>>
            = all(&chart.results, |result| Titled::new(&pack.results()[*result])),
        readings: Vec<&'p str> = all(&chart.readings, |reading| &*pack.readings()[*reading].id),
        /// How the printed table compares, where the sheet has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        printed: Option<PrintedData>
            = chart.printed.is_some().then(|| PrintedData::new(&printed_cells(pack, chart))),
    }

    /// Something with a name.
    Titled<'p>(result: &'p ResultRule) {
        id: &'p str = &result.id,
        title: &'p str = &result.title,
    }

    /// The units that a role is for.
    OnlyData<'p>(role: &'p Role, only: &'p Only) {
        role: &'p str = &role.id,
        /// The condition.
        when: &'p str = &only.when.text,
        /// The units in words.
        label: &'p str = &only.label,
    }

    /// An input of a chart.
    InputData<'p>(input: &'p Input) {
        #[serde(flatten)]
        field: FieldData<'p> = FieldData::new(&input.name, &input.field),
        /// What fills it in a game.
        from: InputFrom = match input.source {
            FilledFrom::Situation => InputFrom::Situation,
            FilledFrom::Attribute(_) => InputFrom::Attribute,
            FilledFrom::Status(_) => InputFrom::Status,
            FilledFrom::SideMemory(_) => InputFrom::SideMemory,
        },
        required: bool = input.field.default.is_none(),
    }

    /// A question that a chart may ask on the way.
    QuestionData(question: PossibleQuestion) {
        /// The name under which its answer is given.
        key: String = question.key,
        prompt: String = question.prompt,
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Accepts"))]
        accepts: Accepts = question.accepts,
    }

    /// A step of a chart.
    StepData<'p>(pack: &'p Pack, chart: &'p Chart, step: &'p Step) {
        /// The name under which formulas use it.
        #[serde(rename = "as")]
        name: &'p str = &step.name,
        title: &'p str = &step.title,
        kind: StepKindData = match step.kind {
            StepKind::Roll(_) => StepKindData::Roll,
            StepKind::Draw(_) => StepKindData::Draw,
            StepKind::Ask(_) => StepKindData::Ask,
            StepKind::LookUp(_) => StepKindData::LookUp,
            StepKind::WorkOut(_) => StepKindData::WorkOut,
        },
        /// The dice, the deck, the question, the chart or the formula.
        what: String = match &step.kind {
            StepKind::Roll(roll) => ChartWords::as_written(pack, chart).roll(roll),
            StepKind::Draw(draw) => pack.decks()[draw.deck].id.to_string(),
            StepKind::Ask(field) => field.label.to_string(),
            StepKind::LookUp(look_up) => pack.charts()[look_up.chart].id.to_string(),
            StepKind::WorkOut(formula) => formula.text.to_string(),
        },
        when: Option<&'p str> = text(&step.when),
        modifiers: Vec<ModifierData<'p>> = all(&step.add, ModifierData::new),
        again: Vec<AgainData<'p>> = all(&step.again, AgainData::new),
    }

    /// A modifier of a step.
    ModifierData<'p>(modifier: &'p Modifier) {
        label: &'p str = &modifier.label,
        kind: ModifierKind = match modifier.amount {
            Amount::Plus(_) => ModifierKind::Plus,
            Amount::Times(_) => ModifierKind::Times,
            Amount::Dice(_) => ModifierKind::Dice,
        },
        amount: &'p str = &modifier.amount.formula().text,
        when: Option<&'p str> = text(&modifier.when),
        /// Of the modifiers with the same word only the best counts.
        best_of: Option<&'p str> = modifier.best_of.as_deref(),
    }

    /// When a step is done again.
    AgainData<'p>(again: &'p Again) {
        when: &'p str = &again.when.text,
        because: &'p str = &again.because,
        reshuffle: bool = again.reshuffle,
    }

    /// A row of the table.
    RowData<'p>(pack: &'p Pack, chart: &'p Chart, row: &'p Row) {
        says: &'p str = &row.shown,
        band: Option<BandData> = row.band.map(BandData::new),
        when: Option<&'p str> = text(&row.own_when),
        cells: Vec<CellData<'p>> = all(&row.cells, |cell| CellData::new(pack, chart, cell)),
    }

    /// The scores of a row.
    BandData(band: Band) {
        from: Option<BandEnd> = band.from.map(|(at, belongs)| BandEnd { at, belongs }),
        to: Option<BandEnd> = band.to.map(|(at, belongs)| BandEnd { at, belongs }),
    }

    /// A cell of a row.
    CellData<'p>(pack: &'p Pack, chart: &'p Chart, cell: &'p Cell) {
        result: Option<&'p str>
            = cell.landing.map(|landing| &*pack.results()[chart.landings[landing].result].id),
        /// The role that the result is for.
        on: Option<&'p str> = cell.landing
            .and_then(|landing| chart.landings[landing].on)
            .map(|role| &*chart.roles[role].id),
        value: Option<&'p str> = text(&cell.value),
    }

    /// A result that holds in addition.
    AlsoData<'p>(pack: &'p Pack, chart: &'p Chart, also: &'p Also) {
        when: Option<&'p str> = text(&also.when),
        result: &'p str = &pack.results()[chart.landings[also.landing].result].id,
    }

    /// How a printed table compares with what the chart computes.
    PrintedData(printed: &[PrintedCell]) {
        cells: usize = printed.len(),
        departs: usize = printed.iter().filter(|cell| cell.departs()).count(),
        departures: Vec<Departure>
            = all(printed.iter().filter(|cell| cell.departs()), Departure::new),
    }

    /// A printed cell that differs from what the chart computes.
    Departure(cell: &PrintedCell) {
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
        down: Number = cell.down,
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Number"))]
        across: Number = cell.across,
        printed: String = cell.printed.clone(),
        computed: String = cell.computed.clone(),
    }
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

/// What a modifier does with its amount.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModifierKind {
    Plus,
    Times,
    Dice,
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

/// A formula as the pack writes it.
pub(crate) fn text(formula: &Option<Formula>) -> Option<&str> {
    formula.as_ref().map(|formula| formula.text.as_str())
}

/// The id of the option without which a chart or a fight is not in use.
pub(crate) fn opened_by(pack: &Pack, option: Option<OptionId>) -> Option<&str> {
    option.map(|option| pack.options()[option].field.id.as_str())
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
