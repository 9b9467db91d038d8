//! The bundled packs, printed (`adjutant print PACK --sheet -o PACK.pdf`), read by `pdftotext -layout`
//! and drafted again. `tests/sheets/printed` has the texts of an earlier layout, with the scores of every
//! row in figures; `tests/sheets/printed-now` those of the sheets as they are printed today. What they
//! hold is taken from the packs.

use crate::items::{Score, plain};
use adjutant_draft::{Amount, Content, Draft, Options, draft};
use adjutant_pack::{Amount as PackAmount, Band, Chart, Pack, Value, read_pack};
use std::collections::BTreeMap;

/// A text without what a sheet adds in brackets or after a comma.
pub fn core(text: &str) -> String {
    let end = text.find([',', '(']).filter(|at| *at > 0).unwrap_or(text.len());
    let core = plain(&text[..end]);
    core.strip_suffix("1nches").map(str::to_owned).unwrap_or(core)
}

fn number(value: Value) -> String {
    value.number().map(|n| n.to_string()).unwrap_or_default()
}

fn signed(n: String) -> String {
    if n.starts_with('-') { n } else { format!("+{n}") }
}

/// The text of a chart of a pack: its modifiers, the rows by bands, and the cells by words.
fn printed(pack: &Pack, chart: &Chart) -> Vec<String> {
    let mut found = Vec::new();
    for step in chart.steps.iter().filter(|step| step.on_sheet) {
        for modifier in &step.add {
            let constant = modifier.amount.formula().constant().map(number);
            let amount = match (&modifier.amount, constant) {
                (PackAmount::Plus(_), Some(n)) => signed(n),
                (PackAmount::Times(_), _) => "x".into(),
                (PackAmount::Dice(_), None) => "value".into(),
                (PackAmount::Dice(_), Some(n)) => format!("{}d", signed(n)),
                _ => "value".into(),
            };
            found.push(format!("m {amount} | {}", core(&modifier.label)));
        }
    }
    if chart.read.from_file || chart.read.user_table.is_some() {
        return found;
    }
    let banded = chart.read.rows.iter().filter(|row| row.band.is_some()).count();
    for (place, row) in chart.read.rows.iter().enumerate() {
        let Some(band) = row.band.filter(|_| row.own_when.is_none() && row.limits.is_empty())
        else {
            continue;
        };
        // A row for every score is printed without a table. The first and the last row are open.
        if banded < 2 {
            continue;
        }
        let band = Band {
            from: band.from.filter(|_| place > 0),
            to: band.to.filter(|_| place + 1 < chart.read.rows.len()),
        };
        for cell in &row.cells {
            let title = cell
                .landing
                .map(|landing| pack.results()[chart.landings[landing].result].title.to_string());
            let value = cell.value.as_ref().and_then(|value| value.constant()).map(number);
            if let Some(said) = title.or(value) {
                let item = format!("b {} | {}", ends(band), core(&said));
                if !found.contains(&item) {
                    found.push(item);
                }
            }
        }
    }
    found
}

fn ends(band: Band) -> String {
    let end = |end: Option<(adjutant_dice::Number, bool)>, mark: &str| match end {
        None => String::new(),
        Some((n, true)) => n.to_string(),
        Some((n, false)) => format!("{mark}{n}"),
    };
    // Whole scores between two numbers.
    let from = match band.from {
        Some((n, false))
            if n.as_whole().is_some() && band.to.is_some_and(|(to, with)| with && to > n) =>
        {
            n.as_whole().map(|n| (n + 1).to_string()).unwrap_or_default()
        }
        other => end(other, ">"),
    };
    beside_zero(&format!("{from}..{}", end(band.to, "<")))
}

/// Differences are whole: below 0 is -1 or less, and above 0 is 1 or more.
fn beside_zero(band: &str) -> String {
    match band {
        "..<0" => "..-1".into(),
        ">0.." => "1..".into(),
        other => other.into(),
    }
}

/// The same of a draft, each with whether it is marked.
fn drafted(draft: &Draft) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let guessed = |line: u32| draft.guesses.iter().any(|guess| guess.line == line);
    for piece in draft.pieces.iter().filter(|piece| !piece.charts.is_empty()) {
        match &piece.content {
            Content::Modifiers(list) => {
                for each in list {
                    let amount = match &each.amount {
                        Amount::Plus(n) => signed(n.to_string()),
                        Amount::Times(_) => "x".into(),
                        Amount::Dice(n) => format!("{n:+}d"),
                        _ => "value".into(),
                    };
                    found.push((
                        format!("m {amount} | {}", core(&each.label.text)),
                        each.guessed || guessed(each.line),
                    ));
                }
            }
            Content::Bands(table) => {
                // Rows on a condition are not counted, here and in `printed`.
                let always = table.rows.iter().filter(|row| row.when.is_none());
                for (place, row) in always.enumerate() {
                    let end = |end: Option<adjutant_draft::BandEnd>, mark: &str| match end {
                        None => String::new(),
                        Some((n, true)) => n.to_string(),
                        Some((n, false)) => format!("{mark}{n}"),
                    };
                    let (from, to) = (
                        row.band.from.filter(|_| place > 0),
                        row.band.to.filter(|_| place + 1 < table.rows.len()),
                    );
                    let band = beside_zero(&format!("{}..{}", end(from, ">"), end(to, "<")));
                    for cell in &row.cells {
                        found.push((
                            format!("b {band} | {}", core(&cell.text)),
                            row.guessed || guessed(row.line),
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn round_trip() {
    // What is missed: rows whose condition is in words with several lines ("8: shooter moved fast or
    // snap fires; …") or a formula ("Above morale by no more than the ELR"), which a draft keeps as
    // notes; and one row whose cell depends on an option, which the printed sheet shows as it is
    // without the option.
    again("printed").hold("round trip", 95.0);
}

/// Today's sheets name the scores of some rows in words only ("Both the same"), and the columns of three
/// tables stand one blank apart. They have the phases beside a title and the consequences of each row
/// below its table; with these the share fell from 95 to 90 %. Nothing is wrong without a mark.
#[test]
fn round_trip_of_todays_sheets() {
    again("printed-now").hold("round trip of today's sheets", 90.0);
}

fn again(name: &str) -> Score {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets").join(name);
    let mut all = Score::default();
    for id in adjutant_bundled_packs::IDS {
        let pack = read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{id}.txt"))).unwrap();
        let made = draft(&text, &Options::default()).unwrap();
        let mut left: BTreeMap<String, usize> = BTreeMap::new();
        let wanted: Vec<String> =
            pack.charts().iter().flat_map(|chart| printed(&pack, chart)).collect();
        for item in &wanted {
            *left.entry(item.clone()).or_default() += 1;
        }
        let mut score = Score { wanted: wanted.len(), ..Score::default() };
        let mut known = std::collections::BTreeSet::new();
        for (item, guessed) in drafted(&made) {
            match left.get_mut(&item) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    score.found += 1;
                    score.guessed += usize::from(guessed);
                }
                Some(_) => {}
                None if guessed => {}
                None => {
                    if known.insert(item.clone()) {
                        score.wrong.push(format!("{id}: {item}"));
                    }
                }
            }
        }
        for (item, count) in left {
            for _ in 0..count {
                score.missed.push(format!("{id}: {item}"));
            }
        }
        println!("{id}: {} of {}, {} wrong", score.found, score.wanted, score.wrong.len());
        all.add(score);
    }
    all
}
