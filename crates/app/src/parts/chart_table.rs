//! A chart as it is on a sheet: the roll, every modifier with its amount, the table, and what each
//! result means. It is readable at arm's length; conditions are in the labels, and formulas are
//! shown only if there is no label.

use super::term::explained;
use adjutant_engine::Resolution;
use adjutant_pack::{Chart, ColumnId, Id, Pack, RowId};
use adjutant_wording::en::page::sheet as text;
use adjutant_wording::en::{
    ChartText, ChartWords, LineText, StepText, TableText, phrases, sentences,
};
use maud::{Markup, html};

/// The longest score that heads a column. A longer one is above the table.
const LONGEST_SCORE: usize = 24;

/// The whole chart.
pub fn chart(pack: &Pack, chart: &Chart) -> Markup {
    let says = ChartWords::for_players(pack, chart).text();
    html! {
        @if !chart.about.is_empty() { p.printed-about { (explained(pack, &chart.about)) } }
        @if let Some(option) = says.option { p.printed-option { (text::behind(&pack.options()[option].field.label)) } }
        @if let Some(each) = &says.each { p.hint { (each) } }
        div.printed-steps { @for step in &says.steps { (step_view(pack, step)) } }
        @for event in &says.deck_events { p.printed-note { (event) "." } }
        @if let Some(own) = says.user_table.map(|table| &pack.user_tables()[table]).filter(|table| !table.filled) { p.printed-option { (text::read_on(&own.title)) } }
        @if let Some(table) = &says.table { (rows(pack, chart, table, None)) }
        @if !says.shifts.is_empty() {
            section.printed-step { h3.printed-roll { (text::COLUMNS_TO_THE_RIGHT) } table.sum { @for line in &says.shifts { (line_view(pack, line)) } } }
        }
        (below(&says))
        (meanings(pack, &says))
        @if let Some(together) = &says.together { p.printed-note { (together) } }
        @for note in &says.notes { p.printed-note { (explained(pack, note)) } }
        (readings(pack, &says))
    }
}

fn step_view(pack: &Pack, step: &StepText<'_>) -> Markup {
    html! {
        section.printed-step {
            h3.printed-roll { (explained(pack, &step.title)) " " span.roll-dice { (step.beside_title()) } }
            @if step.has_lines() {
                table.sum {
                    @for line in &step.lines { (line_view(pack, line)) }
                    @for again in &step.again { tr { td.sum-n { (text::AGAIN) } td { (again.text) } } }
                    @if let Some(most) = &step.most { tr { td.sum-n { (text::AT_MOST) } td { (most) } } }
                    @if let Some(least) = &step.least { tr { td.sum-n { (text::AT_LEAST) } td { (least) } } }
                }
            }
        }
    }
}

fn line_view(pack: &Pack, line: &LineText<'_>) -> Markup {
    html! {
        tr {
            td.sum-n { (line.amount.figure("")) }
            td {
                (explained(pack, &line.modifier.label))
                @if !line.aside.is_empty() { span.sum-why { (line.aside) } }
                @if let Some(words) = line.amount.words() { span.printed-formula { (explained(pack, &words)) } }
            }
        }
    }
}

/// The cell that a resolution read.
pub fn cell_read(chart: &Chart, resolution: &Resolution) -> Option<(RowId, ColumnId)> {
    let read = &chart.read;
    let row = read.rows.position(|row| Some(&row.shown) == resolution.row.as_ref())?;
    let place = |id| read.column.as_ref()?.ids.position(|known| known == id);
    let (column, _) = read.rows[row].cell(resolution.column.as_ref().and_then(place))?;
    Some((row, column))
}

/// The rows with the cell marked that was read.
pub fn rows_read(pack: &Pack, chart: &Chart, read: (RowId, ColumnId)) -> Markup {
    rows(pack, chart, &ChartWords::for_players(pack, chart).table(), Some(read))
}

fn rows(
    pack: &Pack,
    chart: &Chart,
    table: &TableText<'_>,
    marked: Option<(RowId, ColumnId)>,
) -> Markup {
    let score = match &table.score {
        Some(score) if score.chars().count() <= LONGEST_SCORE => score.as_str(),
        _ if table.by_conditions => text::WHEN,
        _ => text::SCORE,
    };
    let long = table.score.as_ref().filter(|score| score.chars().count() > LONGEST_SCORE);
    let unit = table.unit.map_or(String::new(), |unit| format!(" ({unit})"));
    let marked = marked.map(|(row, column)| (row.index(), column.index()));
    html! {
        @if let Some(score) = long.filter(|_| marked.is_none()) { p.printed-note { (text::SCORE) " = " (score) } }
        div.printed-scroll tabindex="0" role="group" aria-label=(chart.title) {
            table.printed-table {
                @if !table.across.is_empty() || !unit.is_empty() { caption { (table.across) (unit) } }
                thead {
                    tr {
                        th scope="col" { (score) }
                        @for head in &table.heads { th scope="col" { (head) } }
                        @if table.heads.is_empty() { th scope="col" { (text::RESULT) } }
                    }
                }
                tbody {
                    @for (place, row) in table.rows.iter().enumerate() {
                        @let wide = (row.cells.len() == 1 && !table.heads.is_empty()).then_some(table.heads.len());
                        tr {
                            th scope="row" { (explained(pack, &row.text)) }
                            @for (column, cell) in row.cells.iter().enumerate() {
                                @let read = marked == Some((place, column));
                                td class=[read.then_some("cell-read")] aria-current=[read.then_some("true")] colspan=[wide] { (explained(pack, &cell.text())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What stands below the table.
fn below(says: &ChartText<'_>) -> Markup {
    let unit = &says.chart.read.unit;
    html! {
        @if let Some(value) = &says.value { p.printed-value { "= " span.printed-formula { (value) } @if !unit.is_empty() { " " (unit) } } }
        @for change in sentences(&says.always) { p.printed-note { (change) } }
        @for also in &says.also { p.printed-note { (also.text("")) } }
        @for tally in &says.tallies { p.printed-note { (tally) } }
    }
}

/// What each result means and changes, each once, and what follows from rows.
fn meanings(pack: &Pack, says: &ChartText<'_>) -> Markup {
    let mut shown: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for result in &says.results {
        let entry = (result.title, result.means, phrases(&result.changes));
        if (!entry.1.is_empty() || !entry.2.is_empty()) && !shown.contains(&entry) {
            shown.push(entry);
        }
    }
    shown.extend(says.then.iter().map(|then| (then.of.as_str(), "", phrases(&then.changes))));
    html! {
        @if !shown.is_empty() {
            dl.printed-meanings {
                @for (title, means, changes) in shown {
                    dt { (title) }
                    dd {
                        (explained(pack, means))
                        @if !changes.is_empty() { ul { @for change in changes { li { (change) } } } }
                    }
                }
            }
        }
    }
}

fn readings(pack: &Pack, says: &ChartText<'_>) -> Markup {
    html! {
        @if !says.readings.is_empty() {
            details.printed-readings {
                summary { (text::READINGS_HERE) }
                @for reading in &says.readings { p { i { (pack.readings()[*reading].standing.name()) ": " } (pack.readings()[*reading].text) } }
            }
        }
    }
}

/// Whether a chart contains a text: in its name, modifiers, rows or results.
pub fn speaks_of(pack: &Pack, chart: &Chart, wanted: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let results = chart.results.iter().map(|result| &pack.results()[*result]);
    has(&chart.title)
        || has(&chart.id)
        || has(&chart.about)
        || chart.notes.iter().any(|note| has(note))
        || chart
            .steps
            .iter()
            .any(|step| has(&step.title) || step.add.iter().any(|modifier| has(&modifier.label)))
        || chart.inputs.iter().any(|input| has(&input.field.label))
        || chart.read.rows.iter().any(|row| has(&row.shown))
        || results.into_iter().any(|result| has(&result.title) || has(&result.means))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// The text of some HTML.
    fn text_of(html: &str) -> String {
        let (mut out, mut rest) = (String::new(), html);
        while let Some((before, after)) = rest.split_once('<') {
            out.push_str(before);
            rest = after.split_once('>').map_or("", |(_, rest)| rest);
        }
        bare(&out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    }

    /// The law of the model: what it says is on the page.
    #[test]
    fn all_of_the_model_is_on_the_page() {
        let mut compared = 0;
        for id in adjutant_bundled_packs::IDS {
            let files = adjutant_bundled_packs::files(id).expect("a bundled pack");
            let pack = adjutant_pack::read_pack(&files, None).expect("a good pack");
            for known in pack.charts() {
                let shown = text_of(&chart(&pack, known).into_string());
                let says = ChartWords::for_players(&pack, known).text();
                let mut all: Vec<String> = Vec::new();
                for step in &says.steps {
                    all.extend([step.title.clone(), step.beside_title()]);
                    all.extend(step.lines.iter().map(LineText::label));
                    all.extend(step.again.iter().map(|again| again.text.clone()));
                    all.extend(step.most.iter().chain(&step.least).cloned());
                }
                all.extend(says.shifts.iter().map(LineText::label));
                if let Some(table) = &says.table {
                    all.extend(table.score.iter().chain(&table.heads).cloned());
                    all.extend(table.rows.iter().map(|row| row.text.clone()));
                    all.extend(
                        table.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text()),
                    );
                }
                for result in &says.results {
                    all.push(result.means.to_owned());
                    all.extend(phrases(&result.changes));
                }
                all.extend(says.then.iter().flat_map(|then| phrases(&then.changes)));
                all.extend(sentences(&says.always));
                all.extend(says.also.iter().map(|also| also.text("")));
                all.extend(says.tallies.iter().chain(&says.deck_events).cloned());
                all.extend(says.together.iter().cloned());
                all.extend(says.notes.iter().map(ToString::to_string));
                for text in all {
                    assert!(shown.contains(&bare(&text)), "{id} {}: {text}\n{shown}", known.id);
                    compared += 1;
                }
            }
        }
        assert!(compared > 500, "{compared}");
    }
}
