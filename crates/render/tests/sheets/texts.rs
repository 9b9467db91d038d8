//! The laws of the model of a chart: all that a chart has is in its model or in what the model
//! leaves out, and all of the model is in every print and every export, or in what that leaves out.

use super::every_pack::{every_pack, made_up};
use adjutant_pack::{Chart, Pack};
use adjutant_render::export::{
    CsvReader, ExportRequest, FoundryModule, csv, foundry, page, vassal,
};
use adjutant_render::paper::Fonts;
use adjutant_render::reference::{SheetOptions, html, markdown, sheet};
use adjutant_wording::en::{ChartText, ChartWords, NotShown};

fn complete(chart: &Chart, text: &ChartText<'_>) -> usize {
    let mut shown = text.steps.iter();
    let mut left_out = text.not_shown.iter();
    for step in &chart.steps {
        let Some(here) = shown.clone().next().filter(|shown| std::ptr::eq(shown.step, step)) else {
            let left_out = left_out.next();
            assert!(left_out.is_some_and(|left_out| !left_out.why.is_empty()), "{}", step.title);
            continue;
        };
        shown.next();
        assert_eq!(here.lines.len(), step.add.len());
        for (line, modifier) in here.lines.iter().zip(&step.add) {
            assert!(std::ptr::eq(line.modifier, modifier));
        }
        assert_eq!(here.again.len(), step.again.len());
        assert_eq!(
            (here.most.is_some(), here.least.is_some()),
            (step.most.is_some(), step.least.is_some())
        );
        assert!(text.user_table.is_some() || !here.title.is_empty());
    }
    assert!(shown.next().is_none() && left_out.next().is_none());
    let read = &chart.read;
    let shifts = read.column.as_ref().map_or(0, |column| column.shift.len());
    assert_eq!(text.shifts.len(), shifts);
    assert_eq!(text.table.as_ref().map_or(0, |table| table.rows.len()), read.rows.len());
    let mut compared = text.steps.len() + shifts;
    for (shown, row) in text.table.iter().flat_map(|table| &table.rows).zip(&read.rows) {
        assert!(std::ptr::eq(shown.row, row) && !shown.text.is_empty());
        assert_eq!(shown.cells.len(), row.cells.len());
        for (shown, cell) in shown.cells.iter().zip(&row.cells) {
            assert!(std::ptr::eq(shown.cell, cell));
            assert_eq!(shown.changes.len(), cell.effects.len() + cell.next.len());
            assert!(!shown.text().is_empty() || cell.value.is_some() || cell.landing.is_none());
            let words = shown.changes.iter().filter_map(|change| change.sentence());
            for words in words {
                let then = text.then.iter().any(|then| then.words().contains(&words));
                assert!(then, "{}: {words}", chart.title);
            }
            compared += 1 + shown.changes.len();
        }
    }
    assert_eq!(text.results.len(), chart.landings.len());
    for (shown, landing) in text.results.iter().zip(&chart.landings) {
        let rules = landing.effects.len() + landing.next.len() + landing.instead.len();
        assert_eq!((shown.result, shown.changes.len()), (landing.result, rules));
        compared += 1 + rules;
    }
    assert_eq!(text.always.len(), read.effects.len() + read.next.len());
    assert_eq!(text.also.len(), read.also.len());
    for also in &read.also {
        if !also.effects.is_empty() || !also.next.is_empty() {
            compared += 1;
        }
    }
    assert_eq!(text.deck_events.len(), chart.deck_events.len());
    assert_eq!(text.value.is_some(), read.value.is_some());
    assert_eq!(text.together.is_some(), chart.together.is_some());
    assert_eq!(text.each.is_some(), chart.each.is_some());
    assert_eq!(text.readings, chart.all_readings());
    compared
}

#[test]
fn all_that_a_chart_has_is_in_its_model() {
    let mut compared = 0;
    for pack in every_pack() {
        for chart in pack.charts() {
            for words in
                [ChartWords::for_players(&pack, chart), ChartWords::as_written(&pack, chart)]
            {
                compared += complete(chart, &words.text());
            }
        }
    }
    assert!(compared >= 1_000, "{compared}");
}

/// Without what a print adds or changes: spaces, marks, the sign of numbers.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !"⁰¹²³⁴⁵⁶⁷⁸⁹†\\".contains(*c))
        .map(|c| if c == '−' { '-' } else { c })
        .collect()
}

/// The text of a page.
fn of_html(page: &str) -> String {
    let page = page.split("</style>").last().unwrap();
    let (mut out, mut rest) = (String::new(), page);
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    let mut text = String::new();
    let mut parts = out.split("&#");
    text.push_str(parts.next().unwrap());
    for part in parts {
        let (number, rest) = part.split_once(';').unwrap();
        text.push(char::from_u32(number.parse().unwrap()).unwrap());
        text.push_str(rest);
    }
    bare(
        &text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&"),
    )
}

/// What every print and every export shows, piece by piece.
fn consequences(text: &ChartText<'_>) -> Vec<String> {
    let mut all: Vec<String> = text.results.iter().map(|result| result.words()).collect();
    all.extend(text.then.iter().flat_map(|then| [then.of.clone(), then.words()]));
    all.extend(text.always.iter().filter_map(|change| change.sentence()));
    all.extend(text.also.iter().map(|also| also.text("")));
    all.extend(text.tallies.iter().cloned());
    all.extend(text.deck_events.iter().cloned());
    // The author explains it in notes.
    all.extend(text.together.iter().filter(|_| text.chart.notes.is_empty()).cloned());
    all.extend(text.notes.iter().map(ToString::to_string));
    all
}

/// What it also shows where the rolls and rows are there to read.
fn rolls_and_rows(text: &ChartText<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for step in &text.steps {
        all.push(step.title.clone());
        all.extend(step.lines.iter().map(|line| line.label()));
        all.extend(step.again.iter().flat_map(|again| [again.text.clone(), again.when.clone()]));
        all.extend(step.most.iter().chain(&step.least).cloned());
    }
    all.extend(text.shifts.iter().map(|line| line.label()));
    if let Some(table) = &text.table {
        // A single row that always applies is a sentence.
        let named = table.rows.len() > 1;
        all.extend(
            table
                .score
                .iter()
                .chain(table.heads.iter().filter(|_| table.in_force.is_none()))
                .cloned(),
        );
        all.extend(table.rows.iter().filter(|_| named).map(|row| row.text.clone()));
        let cells = table.rows.iter().flat_map(|row| row.cells_in_force(table.in_force));
        all.extend(cells.map(|cell| cell.text()));
    }
    all
}

fn shows(place: &str, chart: &Chart, shown: &str, all: &[String]) -> usize {
    for text in all {
        assert!(shown.contains(&bare(text)), "{place}, {}: “{text}” is not in\n{shown}", chart.id);
    }
    all.iter().filter(|text| !text.is_empty()).count()
}

fn csv_of(pack: &Pack, chart: &Chart) -> Result<String, NotShown> {
    let request =
        ExportRequest { charts: vec![chart], decks: Vec::new(), ..ExportRequest::all(pack) };
    let made = csv(&request, CsvReader::Any).unwrap();
    if let [left_out] = made.not_shown.as_slice() {
        return Err(left_out.clone());
    }
    let mut text = String::new();
    for (_, bytes) in made.files.iter().filter(|(name, _)| name.ends_with(".csv")) {
        for record in
            csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice()).records()
        {
            let record = record.unwrap();
            record.iter().for_each(|cell| text.push_str(cell.strip_prefix('\'').unwrap_or(cell)));
        }
    }
    Ok(bare(&text))
}

#[test]
fn all_of_the_model_is_in_every_print_and_every_export() {
    let (fonts, module) = (Fonts::bundled(), FoundryModule::new("game", None));
    let (mut compared, mut left_out) = (0, 0);
    for pack in every_pack() {
        let request = ExportRequest { decks: Vec::new(), ..ExportRequest::all(&pack) };
        let tables = foundry(&request, &fonts, &module).unwrap();
        for chart in pack.charts().iter().filter(|chart| !pack.lacks_its_deck(chart)) {
            let text = ChartWords::for_players(&pack, chart).text();
            let (rest, own) = (consequences(&text), rolls_and_rows(&text));
            let charts = vec![pack.chart_id(&chart.id).unwrap()];
            let made = sheet(&pack, &SheetOptions { charts, ..SheetOptions::default() });
            for (place, shown) in [
                ("Markdown", bare(&markdown(&made))),
                ("HTML", of_html(&html(&made))),
                ("VASSAL", of_html(&page(&pack, chart))),
            ] {
                let texts = [rest.as_slice(), own.as_slice()].concat();
                let texts: Vec<String> = match place {
                    "Markdown" => texts.iter().map(|text| text.replace('|', "")).collect(),
                    _ => texts,
                };
                compared += shows(place, chart, &shown, &texts);
            }
            match csv_of(&pack, chart) {
                Ok(shown) => {
                    compared +=
                        shows("CSV", chart, &shown, &[rest.as_slice(), own.as_slice()].concat())
                }
                Err(why) => left_out += usize::from(why.what == chart.title.as_str()),
            }
            let name = format!("tables/{}", chart.id);
            let all: Vec<serde_json::Value> = tables
                .files
                .iter()
                .filter(|(file, _)| file.starts_with(&name))
                .map(|(_, bytes)| serde_json::from_slice(bytes).unwrap())
                .filter(|table: &serde_json::Value| {
                    table["flags"]["adjutant"]["chart"] == chart.id.as_str()
                })
                .collect();
            if all.is_empty() {
                let noted = tables.not_shown.iter().any(|not| not.what == chart.title.as_str());
                assert!(noted, "{} {}", pack.id(), chart.id);
                left_out += 1;
            }
            for table in all {
                let mut shown = table["description"].as_str().unwrap().to_owned();
                let results = table["results"].as_array().unwrap().iter();
                results.for_each(|result| shown.push_str(result["text"].as_str().unwrap()));
                compared += shows("Foundry", chart, &of_html(&shown), &rest);
            }
        }
    }
    assert!(compared >= 3_000 && left_out > 0, "{compared} {left_out}");
}

/// A die of as many sides as the situation says has no button.
#[test]
fn what_a_program_cannot_roll_is_said() {
    let pack = made_up(
        r#"[pack]
id = "sized"
title = "Sized"
[chart.c]
title = "Card of the crew"
ask = { men = { number = "Men", from = 2, to = 9 } }
step = [ { roll = "1d", sides = "men", as = "die" }, { roll = "d6", as = "second" } ]
read = { value = "die + second" }
"#,
    );
    let made = vassal(&ExportRequest::all(&pack), &Fonts::bundled(), "game.vmod").unwrap();
    let [left_out] = made.not_shown.as_slice() else { panic!("{:?}", made.not_shown) };
    assert_eq!(left_out.what, "a button for the die of Card of the crew");
    assert!(made.sentences().last().unwrap().contains("number of sides"));
}
