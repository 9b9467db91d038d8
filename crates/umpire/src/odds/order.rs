//! Chances in the order of the sheet, and in words. The command, the page and whoever prints tell them alike.

use super::spread::Chanced;
use sheet::{Chart, Pack};

/// Where on the sheet a result stands: the first chart before those that follow, row by row.
pub fn sheet_place(pack: &Pack, chart: &Chart, chanced: &Chanced) -> (bool, Option<String>, usize) {
    let chart = chanced.chart.as_ref().and_then(|id| pack.chart(id)).unwrap_or(chart);
    let of_rows = chart.read.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.landing);
    let same = |landing: &usize| {
        let known = &chart.landings[*landing];
        let on = known.on.map(|role| chart.roles[role].id.as_str());
        pack.results[known.result].id == chanced.id && (on == chanced.on.as_deref() || chanced.on.is_none())
    };
    let landings: Vec<usize> = of_rows.chain(0..chart.landings.len()).collect();
    (chanced.chart.is_some(), chanced.of.as_ref().map(chance::Text::to_string), landings.iter().position(same).unwrap_or(usize::MAX))
}

/// Results in the order of the sheet.
pub fn in_sheet_order<'s>(pack: &Pack, chart: &Chart, results: &'s [Chanced]) -> Vec<&'s Chanced> {
    let mut sorted: Vec<&Chanced> = results.iter().collect();
    chance::sort_by_key(&mut sorted, |chanced| sheet_place(pack, chart, chanced));
    sorted
}

/// A per cent as players read it.
///
/// ```
/// assert_eq!(umpire::percent_in_words(100.0 / 3.0), "33.3 %");
/// assert_eq!(umpire::percent_in_words(0.01), "< 0.1 %");
/// ```
pub fn percent_in_words(percent: f64) -> String {
    match percent {
        p if p == 0.0 || p == 100.0 => format!("{p:.0} %"),
        p if p < 0.1 => "< 0.1 %".to_owned(),
        p if p > 99.9 => "> 99.9 %".to_owned(),
        p => format!("{p:.1} %"),
    }
}
