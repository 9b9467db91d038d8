//! Odds in the order of the sheet, and percentages as text. The command, the page and the printed
//! output share this code.

use super::distribution::OutcomeChance;
use adjutant_pack::{BindingId, Chart, Pack};

/// The sort key of a result: the first chart before those that follow, then row by row.
pub fn sheet_place(
    pack: &Pack,
    chart: &Chart,
    chanced: &OutcomeChance,
) -> (bool, Option<String>, usize) {
    let chart = chanced.chart.as_ref().and_then(|id| pack.chart(id)).unwrap_or(chart);
    let of_rows = chart.read.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.landing);
    let same = |landing: &BindingId| {
        let known = &chart.landings[*landing];
        let on = known.on.map(|role| chart.roles[role].id.as_str());
        pack.results()[known.result].id == chanced.id
            && (on == chanced.on.as_deref() || chanced.on.is_none())
    };
    let landings: Vec<BindingId> = of_rows.chain(chart.landings.ids()).collect();
    (
        chanced.chart.is_some(),
        chanced.of.as_ref().map(adjutant_dice::Text::to_string),
        landings.iter().position(same).unwrap_or(usize::MAX),
    )
}

/// Sorts results by their position on the sheet.
pub fn in_sheet_order<'s>(
    pack: &Pack,
    chart: &Chart,
    results: &'s [OutcomeChance],
) -> Vec<&'s OutcomeChance> {
    let mut sorted: Vec<&OutcomeChance> = results.iter().collect();
    adjutant_dice::sort_by_key(&mut sorted, |chanced| sheet_place(pack, chart, chanced));
    sorted
}

/// A percentage for display. It never shows 0 % or 100 % for a value strictly between them.
///
/// ```
/// assert_eq!(adjutant_engine::percent_in_words(100.0 / 3.0), "33.3 %");
/// assert_eq!(adjutant_engine::percent_in_words(0.05), "0.05 %");
/// assert_eq!(adjutant_engine::percent_in_words(1e-17), "< 0.01 %");
/// assert_eq!(adjutant_engine::percent_in_words(99.995), "> 99.99 %");
/// ```
pub fn percent_in_words(percent: f64) -> String {
    match percent {
        p if p == 0.0 || p == 100.0 => format!("{p:.0} %"),
        p if p < 0.01 => "< 0.01 %".to_owned(),
        p if p > 99.99 => "> 99.99 %".to_owned(),
        p if !(0.1..=99.9).contains(&p) => format!("{p:.2} %"),
        p => format!("{p:.1} %"),
    }
}

/// A percentage as a whole number for a narrow cell: `<1` and `>99` for values close to 0 and 100.
///
/// ```
/// assert_eq!([0.0, 0.2, 33.3, 99.7, 100.0].map(adjutant_engine::percent_in_short), ["0", "<1", "33", ">99", "100"]);
/// ```
pub fn percent_in_short(percent: f64) -> String {
    match percent {
        p if p > 0.0 && p < 0.5 => "<1".to_owned(),
        p if p > 99.5 && p < 100.0 => ">99".to_owned(),
        p => format!("{p:.0}"),
    }
}

/// A percentage with a number of decimal places: `<0.01` and `>99.99` if rounding would show 0 or
/// 100 for a value between them.
///
/// ```
/// assert_eq!([0.0, 0.001, 12.345, 99.999].map(|p| adjutant_engine::percent_to(p, 2)), ["0.00", "<0.01", "12.35", ">99.99"]);
/// ```
pub fn percent_to(percent: f64, digits: usize) -> String {
    let least = 0.1_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX));
    match percent {
        p if p > 0.0 && p < least / 2.0 => format!("<{least:.digits$}"),
        p if p > 100.0 - least / 2.0 && p < 100.0 => format!(">{:.digits$}", 100.0 - least),
        p => format!("{p:.digits$}"),
    }
}
