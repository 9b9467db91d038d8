//! Compares a printed table with its rule, to find the cells where the sheet deviates from its own
//! rule.

use crate::run::resolve;
use crate::situation::Situation;
use adjutant_dice::{EnteredInput, Number};
use adjutant_pack::{Chart, InputId, Pack};

/// One cell of a printed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedCell {
    /// The value on the vertical axis.
    pub down: Number,
    /// The value on the horizontal axis.
    pub across: Number,
    /// The printed text; empty if the cell is blank.
    pub printed: String,
    /// The text that the rule gives.
    pub computed: String,
}

impl PrintedCell {
    /// Whether the sheet and the rule disagree.
    pub fn departs(&self) -> bool {
        self.printed != self.computed
    }
}

/// Every cell of a chart's printed table, row by row. Empty if the chart has no such table.
///
/// ```
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("asl-starter-kit").unwrap(), None).unwrap();
/// let cells = adjutant_engine::printed_cells(&pack, pack.chart("odds").unwrap());
/// assert_eq!(cells.len(), 784);
/// assert_eq!(cells.iter().filter(|cell| cell.departs()).count(), 112);
/// ```
pub fn printed_cells(pack: &Pack, chart: &Chart) -> Vec<PrintedCell> {
    let Some(printed) = &chart.printed else { return Vec::new() };
    let mut cells = Vec::new();
    for (down, row) in &printed.rows {
        for (across, text) in printed.heads.iter().zip(row) {
            let computed = compute(pack, chart, (printed.down, *down), (printed.across, *across))
                .unwrap_or_default();
            cells.push(PrintedCell {
                down: *down,
                across: *across,
                printed: text.clone(),
                computed,
            });
        }
    }
    cells
}

fn compute(
    pack: &Pack,
    chart: &Chart,
    down: (InputId, Number),
    across: (InputId, Number),
) -> Option<String> {
    let mut situation = Situation::new(pack, &chart.id).ok()?;
    for (input, value) in [down, across] {
        situation.give(&chart.inputs[input].name, &value.to_string()).ok()?;
    }
    let resolution = resolve(&mut situation, &mut EnteredInput::new()).ok()?;
    resolution
        .result
        .map(|result| result.title.to_string())
        .or_else(|| resolution.value.map(|value| value.to_string()))
}
