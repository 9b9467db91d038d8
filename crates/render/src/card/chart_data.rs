//! What the charts of a pack say about a card: the table beside its rank, the row that is a die,
//! and what a card such as Jam! interrupts. All of it is read from the charts, so a card cannot
//! disagree with play.

use super::text_fit::minus;
use adjutant_dice::Number;
use adjutant_pack::{
    Amount, Band, CardCell, Chart, DeckField, DeckFieldKind, DeckSheet, Draw, Expr, Facet, FieldId,
    NameSource, Op, Pack, Step, StepKind, band_in_words,
};
use adjutant_wording::en::ChartWords;

/// The results of a chart for one card, by the number that is added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartBands {
    pub chart: String,
    /// The label of the number that is added.
    pub by: String,
    /// Each band of that number with its result.
    pub rows: Vec<(String, String)>,
}

/// The steps of charts that draw from a deck.
pub(super) fn draws<'p>(
    pack: &'p Pack,
    deck: &DeckSheet,
) -> impl Iterator<Item = (&'p Chart, &'p Step, &'p Draw)> {
    let place = pack.deck_id(&deck.id);
    pack.charts().iter().flat_map(move |chart| {
        chart.steps.iter().filter_map(move |step| match &step.kind {
            // Several cards are read together, not each by itself.
            StepKind::Draw(draw) if Some(draw.deck) == place && draw.several.is_none() => {
                Some((chart, step, draw.as_ref()))
            }
            _ => None,
        })
    })
}

/// The text of a cell as players read it.
pub(super) fn cell_text(pack: &Pack, field: &DeckField, cell: Option<&CardCell>) -> String {
    match cell {
        None => field.blank.clone(),
        Some(CardCell::Text(text)) => text.clone(),
        Some(CardCell::Value(value)) => {
            let text = value.to_answer(pack.words()).to_string();
            if value.number().is_some() {
                return minus(&text);
            }
            field
                .kind
                .words()
                .and_then(|words| words.iter().find(|word| word.id == text))
                .map_or(text, |word| word.label.to_string())
        }
    }
}

/// A table as a card shows it.
pub(super) struct Table {
    pub chart: String,
    pub by: String,
    /// Each band with its results; several if they depend on a column.
    pub rows: Vec<(String, Vec<String>)>,
}

/// The tables of a card: one for every chart that draws it, adds one number given by the players,
/// and reads the sum on bands. Each table is for the card's own rank: which numbers give which
/// result.
pub fn table_of(pack: &Pack, deck: &DeckSheet, number: u32) -> Vec<ChartBands> {
    let joined = |table: Table| {
        let rows = table.rows.into_iter().map(|(band, gives)| (band, gives.join(" / "))).collect();
        ChartBands { chart: table.chart, by: table.by, rows }
    };
    tables(pack, deck, number).into_iter().map(joined).collect()
}

pub(super) fn tables(pack: &Pack, deck: &DeckSheet, number: u32) -> Vec<Table> {
    draws(pack, deck)
        .filter_map(|(chart, step, draw)| table(pack, deck, number, (chart, step, draw)))
        .collect()
}

fn table(
    pack: &Pack,
    deck: &DeckSheet,
    number: u32,
    (chart, step, draw): (&Chart, &Step, &Draw),
) -> Option<Table> {
    let Some((field, None)) = &draw.read else { return None };
    let CardCell::Value(value) = deck.cell(number, *field, None)? else { return None };
    let own = value.number()?;
    let [modifier] = step.add.as_slice() else { return None };
    let Amount::Plus(amount) = &modifier.amount else { return None };
    let NameSource::Input(input) = origin(chart, &amount.expr)? else { return None };
    let input = chart.inputs.get(input).filter(|_| modifier.when.is_none())?;
    let plain = chart
        .read
        .score
        .as_ref()
        .is_some_and(|score| facet_of(chart, step, &score.expr) == Some(Facet::Total))
        && !chart.read.by_conditions();
    let one =
        chart.steps.iter().filter(|other| !matches!(other.kind, StepKind::Ask(_))).count() == 1;
    if !plain || !one || chart.read.rows.is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for row in &chart.read.rows {
        let band = shifted(row.band?, own)?;
        let mut gives: Vec<String> = Vec::new();
        for cell in &row.cells {
            let text = ChartWords::for_players(pack, chart).cell(cell, None).text();
            if !gives.contains(&text) {
                gives.push(text);
            }
        }
        // A yes-or-no question decides between two results: the second is for no.
        if let ([_, no], true) = (gives.as_mut_slice(), yes_first(chart)) {
            *no = adjutant_wording::en::otherwise(no);
        }
        rows.push((minus(&band_in_words(band)), gives));
    }
    Some(Table { chart: chart.title.to_string(), by: input.field.label.to_string(), rows })
}

/// What an expression that is a single name stands for.
fn origin(chart: &Chart, expr: &Expr) -> Option<NameSource> {
    let Expr::Slot(slot) = expr else { return None };
    chart.names.get(*slot).map(|name| name.origin)
}

/// What an expression that is a single name asks of this step.
fn facet_of(chart: &Chart, step: &Step, expr: &Expr) -> Option<Facet> {
    match origin(chart, expr)? {
        NameSource::Step(place, facet) if std::ptr::eq(&chart.steps[place], step) => Some(facet),
        _ => None,
    }
}

/// Whether the columns are yes and no, in this order.
fn yes_first(chart: &Chart) -> bool {
    let ids = chart.read.column.as_ref().map(|column| &column.ids);
    ids.is_some_and(|ids| ids.iter().map(|id| id.as_str()).eq(["yes", "no"]))
}

/// A band of the sum as a band of the added number.
fn shifted(band: Band, by: Number) -> Option<Band> {
    let less = |end: Option<(Number, bool)>| match end {
        None => Some(None),
        Some((n, closed)) => n.minus(by).ok().map(|n| Some((n, closed))),
    };
    Some(Band { from: less(band.from)?, to: less(band.to)? })
}

/// Whether a number in a row stands for a die: some chart reads exactly this number, and every card
/// holds one of its faces.
pub(super) fn is_die(pack: &Pack, deck: &DeckSheet, field: FieldId, by: u32) -> bool {
    let read = draws(pack, deck).any(|(_, _, draw)| {
        let constant =
            |formula: &adjutant_pack::Formula| formula.constant().and_then(adjutant_pack::Value::number).and_then(Number::as_whole);
        matches!(&draw.read, Some((known, Some(formula))) if *known == field && constant(formula) == Some(i64::from(by)))
    });
    let holds = |card: u32| match deck.cell(card, field, Some(Number::from(by))) {
        Some(CardCell::Value(value)) => value
            .number()
            .and_then(Number::as_whole)
            .is_some_and(|n| (1..=i64::from(by)).contains(&n)),
        _ => false,
    };
    // A row of two or three is a choice, not a die.
    by == 6 && read && (1..=deck.cards.len() as u32).all(holds)
}

/// What a card interrupts: the rules by which charts draw again because of a word on the card, each
/// with the charts that have it.
pub(super) fn interrupts(pack: &Pack, deck: &DeckSheet, number: u32) -> Vec<(Vec<String>, String)> {
    let mut found: Vec<(Vec<String>, String)> = Vec::new();
    for (chart, step, _) in draws(pack, deck) {
        for again in &step.again {
            let word_on_card = |of: &Expr, word: &Expr| {
                let Some(Facet::Field(field)) = facet_of(chart, step, of) else { return false };
                let (Expr::Fixed(word), Some(CardCell::Value(value))) =
                    (word, deck.cell(number, field, None))
                else {
                    return false;
                };
                matches!(deck.fields[field].kind, DeckFieldKind::Choice { .. }) && word == value
            };
            let holds = matches!(&again.when.expr, Expr::Pair(Op::Same, of, word) if word_on_card(of, word));
            if !holds {
                continue;
            }
            let mut what = Vec::new();
            what.extend(
                again
                    .look_up
                    .as_ref()
                    .map(|look_up| format!("first {}", pack.charts()[look_up.chart].title)),
            );
            what.extend(again.reshuffle.then(|| "reshuffle the deck".to_owned()));
            what.push("draw again".to_owned());
            let what = match again.text.is_empty() {
                true => what.join(", then "),
                false => again.text.to_string(),
            };
            match found.iter_mut().find(|(_, known)| *known == what) {
                Some((charts, _)) if charts.contains(&chart.title.to_string()) => {}
                Some((charts, _)) => charts.push(chart.title.to_string()),
                None => found.push((vec![chart.title.to_string()], what)),
            }
        }
    }
    found
}
