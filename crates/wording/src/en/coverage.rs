//! The parts of a pack that no case reaches, for its author.

use adjutant_engine::{CoveragePoint, all_marks};
use adjutant_pack::{ChartId, DeckFieldKind, DeckId, Pack};
use std::collections::BTreeSet;

/// The points as lines. Cells of one row share a line, and so does a table that no case reaches.
pub fn coverage_lines(pack: &Pack, marks: &[CoveragePoint]) -> Vec<String> {
    let cell = |mark: &CoveragePoint| match mark {
        CoveragePoint::Cell(chart, row, _) => Some((*chart, *row)),
        _ => None,
    };
    let all = all_marks(pack);
    let mut lines = Vec::new();
    let deck = |mark: &CoveragePoint| match mark {
        CoveragePoint::Card(deck, ..) => Some(*deck),
        _ => None,
    };
    let alike = |a: &CoveragePoint, b: &CoveragePoint| match (cell(a), deck(a)) {
        (Some((chart, _)), _) => Some(chart) == cell(b).map(|b| b.0),
        (None, Some(of)) => Some(of) == deck(b),
        _ => false,
    };
    for rows in marks.chunk_by(alike) {
        if let Some(of) = deck(&rows[0]).filter(|_| rows.len() > 1) {
            lines.push(cards_line(pack, of, rows));
            continue;
        }
        let of_chart = cell(&rows[0]).filter(|(chart, _)| {
            let cells = all.iter().filter(|mark| cell(mark).is_some_and(|it| it.0 == *chart));
            rows.len() > 1 && cells.count() == rows.len()
        });
        if let Some((chart, _)) = of_chart {
            lines.push(format!("{}: the whole table", pack.charts()[chart].id));
            continue;
        }
        for cells in rows.chunk_by(|a, b| cell(a).is_some() && cell(a) == cell(b)) {
            let Some(((chart, row), true)) = cell(&cells[0]).map(|at| (at, cells.len() > 1)) else {
                lines.extend(cells.iter().map(|mark| coverage_point(pack, *mark)));
                continue;
            };
            let read = &pack.charts()[chart].read;
            let ids = cells.iter().filter_map(|mark| match mark {
                CoveragePoint::Cell(_, _, column) => read.column.as_ref()?.ids.get(*column),
                _ => None,
            });
            let ids: Vec<&str> = ids.map(|id| id.as_str()).collect();
            let (chart, row) = (&pack.charts()[chart].id, &read.rows[row].shown);
            lines.push(format!("{chart}: row {row}, columns {}", ids.join(", ")));
        }
    }
    lines
}

/// A point as text.
fn coverage_point(pack: &Pack, mark: CoveragePoint) -> String {
    let chart = |place: ChartId| &pack.charts()[place];
    match mark {
        CoveragePoint::Cell(place, row, column) => {
            let read = &chart(place).read;
            let head = read
                .column
                .as_ref()
                .and_then(|c| c.ids.get(column))
                .map_or(String::new(), |id| format!(", column {id}"));
            format!("{}: row {}{head}", chart(place).id, read.rows[row].shown)
        }
        CoveragePoint::Modifier(place, step, modifier) => {
            format!(
                "{}: modifier “{}” of {}",
                chart(place).id,
                chart(place).steps[step].add[modifier].label,
                chart(place).steps[step].name
            )
        }
        CoveragePoint::Shift(place, shift) => {
            let column = chart(place).read.column.as_ref();
            let label = column.and_then(|column| column.shift.get(shift)).map_or("", |s| &s.label);
            format!("{}: shift “{label}”", chart(place).id)
        }
        CoveragePoint::Again(place, step, rule) => {
            format!("{}: again “{}”", chart(place).id, chart(place).steps[step].again[rule].because)
        }
        CoveragePoint::Ended(place, step, rule) => {
            format!(
                "{}: ended by “{}”",
                chart(place).id,
                chart(place).steps[step].again[rule].because
            )
        }
        CoveragePoint::Also(place, line) => {
            format!(
                "{}: also {}",
                chart(place).id,
                pack.results()[chart(place).landings[chart(place).read.also[line].landing].result]
                    .id
            )
        }
        CoveragePoint::Tally(place, line) => {
            let label = chart(place)
                .each
                .as_ref()
                .and_then(|each| each.tally.get(line))
                .map_or("", |tally| tally.label.as_str());
            format!("{}: tally “{label}”", chart(place).id)
        }
        CoveragePoint::Instead(result, line) => {
            format!("result {}: instead line {}", pack.results()[result].id, line + 1)
        }
        CoveragePoint::UserTable(place) => format!("{}: the user table", chart(place).id),
        CoveragePoint::Card(deck, card, cell) => {
            let known = &pack.decks()[deck];
            let field = known.fields.iter().rev().find(|field| field.first_cell <= cell);
            let name = field.map_or(String::new(), |field| match field.kind {
                DeckFieldKind::Numbers { from, .. } => {
                    format!("{} {}", field.id, from as usize + cell - field.first_cell)
                }
                _ => field.id.to_string(),
            });
            format!("deck {}: card {card}, {name}", known.id)
        }
    }
}

/// One line for several cards of a deck.
fn cards_line(pack: &Pack, deck: DeckId, marks: &[CoveragePoint]) -> String {
    let card = |mark: &CoveragePoint| match mark {
        CoveragePoint::Card(_, card, _) => Some(*card),
        _ => None,
    };
    let cards: BTreeSet<u32> = marks.iter().filter_map(card).collect();
    let list: Vec<String> = cards.iter().take(MOST_CARDS).map(u32::to_string).collect();
    let more = if cards.len() > MOST_CARDS { ", …" } else { "" };
    format!(
        "deck {}: {} values on {} cards: {}{more}",
        pack.decks()[deck].id,
        marks.len(),
        cards.len(),
        list.join(", ")
    )
}

/// The most cards that one line names.
const MOST_CARDS: usize = 12;
