//! Which charts can be roll tables. A chart that rolls dice, adds them and reads the sum on bands
//! becomes one table for each of its columns: the formula is the dice, and the player adds the
//! modifiers that are true now. Any other chart becomes tables if its result depends on few enough
//! inputs: one table for each combination, with a die that has as many sides as there are ways, by
//! the engine's exact odds. A chart that is neither is left out; no table is an approximation.

mod banded;
mod exact;

use super::super::chart_page::sections;
use super::plain;
use crate::reference::{Held, Part, beside};
use adjutant_engine::InputError;
use adjutant_pack::{Chart, Pack, StepKind};
use banded::banded_tables;
use exact::exact_tables;
use maud::html;
use serde_json::Value as Json;
use thiserror::Error;

/// Why a chart has no roll table.
#[derive(Debug, Error)]
pub(super) enum NoRollTable {
    #[error("nothing is rolled")]
    NothingRolled,
    #[error("it depends on a number with many values")]
    ManyValues,
    #[error("it depends on {0} inputs")]
    ManyInputs(usize),
    #[error("it is rolled for several units at once")]
    SeveralUnits,
    #[error("its chances are too fine for a die")]
    TooFine,
    #[error("its chances depend on an answer during the roll")]
    AnswerMidway,
    #[error("a player decides in mid-course")]
    DecisionMidway,
    #[error("its results come with numbers of their own")]
    OwnNumbers,
    #[error("{}", adjutant_wording::en::input_error(.0))]
    Input(InputError),
}

/// The roll tables of a chart with their file names.
pub(super) fn roll_tables(pack: &Pack, chart: &Chart) -> Result<Vec<(String, Json)>, NoRollTable> {
    if !has_luck(pack, chart) {
        return Err(NoRollTable::NothingRolled);
    }
    match banded_tables(pack, chart) {
        Some(tables) => Ok(tables),
        None => exact_tables(pack, chart),
    }
}

fn has_luck(pack: &Pack, chart: &Chart) -> bool {
    chart.steps.iter().any(|step| match &step.kind {
        StepKind::Roll(_) | StepKind::Draw(_) => true,
        // Look-ups are acyclic, so this ends.
        StepKind::LookUp(look_up) => has_luck(pack, &pack.charts()[look_up.chart]),
        StepKind::Ask(_) | StepKind::WorkOut(_) => false,
    })
}

/// What a table cannot do: what results change, what follows, what is looked up, as HTML. The
/// description begins with what the chart is about.
fn not_in_the_table(pack: &Pack, chart: &Chart, held: &Held<'_>) -> String {
    let mut left = beside(pack, chart, held);
    for section in &mut left {
        section.parts.retain(|part| !matches!(part, Part::Text(_, text) if *text == chart.about));
    }
    left.retain(|section| !section.parts.is_empty());
    if left.is_empty() {
        return String::new();
    }
    let body =
        html! { p { b { "What this table leaves to you" } } (sections(&left, &chart.title)) };
    body.into_string()
}

/// A result and what it means, as HTML.
fn result_html(title: &str, means: &str) -> String {
    match means.is_empty() {
        true => format!("<strong>{}</strong>", plain(title)),
        false => format!("<strong>{}</strong>: {}", plain(title), plain(means)),
    }
}
