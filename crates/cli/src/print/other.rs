//! `adjutant print --for PROGRAM`: decks and charts in the formats of other programs. `render`
//! makes the files; this module selects what to export, and writes all files or none.

use super::options::{Target, without_effect};
use crate::args::{Print, Program};
use crate::atomic_file::{is_standard_output, not_standard_output, write_folder, write_whole};
use crate::error::CommandError;
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use adjutant_api::{ChartData, DeckFile};
use adjutant_pack::{Noun, Pack, UnknownName};
use adjutant_render::card::CardStyle;
use adjutant_render::export::{
    CsvReader, ExportRequest, ExportedFiles, FoundryModule, csv, foundry, tabletop_simulator,
    vassal,
};
use adjutant_render::paper::Fonts;
use adjutant_wording::en::unknown_name::did_you_mean;
use std::path::Path;

pub fn write(
    shelf: &PackRegistry,
    asked: &Print,
    program: Program,
) -> Result<CommandOutput, CommandError> {
    let pack = &super::cards::opened(shelf, &asked.pack)?;
    let mut wrong = without_effect(asked, Target::For(program));
    wrong.extend(without_cards(pack, asked, program));
    let request = request(pack, asked).unwrap_or_else(|faults| {
        wrong.extend(faults);
        ExportRequest::all(pack)
    });
    if program == Program::TabletopSimulator {
        wrong.extend(without_charts(pack, asked));
    }
    let place = std::path::absolute(&asked.output)
        .map_err(|fault| CommandError::usage([format!("{}: {fault}", asked.output.display())]))?;
    let standard = is_standard_output(&asked.output);
    if program == Program::Vassal
        && !standard
        && place.extension().is_none_or(|ending| ending != "vmod")
    {
        wrong.push(format!(
            "VASSAL knows a module by its ending: -o {}.vmod",
            asked.output.display()
        ));
    }
    if program != Program::Vassal {
        wrong.extend(
            not_standard_output(&asked.output, "a folder").err().map(|why| why.to_string()),
        );
    }
    if !wrong.is_empty() {
        return Err(CommandError::usage(wrong));
    }
    let exported = made(&request, asked, program, &place)?;
    match (program, exported.files.as_slice()) {
        (Program::Vassal, [(_, bytes)]) => write_whole(&asked.output, bytes, asked.force),
        (_, files) => write_folder(&asked.output, files, asked.force),
    }?;
    Ok(CommandOutput::done(summary(&asked.output, &exported)))
}

/// What was asked for the pictures of cards where none are made.
fn without_cards(pack: &Pack, asked: &Print, program: Program) -> Vec<String> {
    let mut wrong = Vec::new();
    let plain = matches!(program, Program::Csv | Program::Excel | Program::Json);
    if asked.url.is_some() && !matches!(program, Program::TabletopSimulator | Program::Foundry) {
        wrong.push(
            "--url is for tabletop-simulator and foundry: the others need no address".to_owned(),
        );
    } else if pack.card_decks().next().is_none() && !plain {
        let given = [
            ("--size", asked.size.is_some()),
            ("--low-ink", asked.low_ink),
            ("--large", asked.large),
            ("--url", asked.url.is_some()),
        ];
        let given = given.iter().filter(|(_, given)| *given);
        wrong.extend(given.map(|(flag, _)| {
            format!("{flag} is for drawn cards, and {} has no deck: leave it out", pack.title())
        }));
    }
    wrong
}

/// Tabletop Simulator takes decks alone.
fn without_charts(pack: &Pack, asked: &Print) -> Option<String> {
    if pack.card_decks().next().is_none() {
        return Some(format!(
            "{} has no deck, and Tabletop Simulator takes nothing else: its charts go to vassal, foundry, csv, excel or json",
            pack.title()
        ));
    }
    let chart =
        asked.what.iter().find(|name| pack.deck(name).is_none() && pack.chart(name).is_some())?;
    Some(format!(
        "`{chart}` is a chart, and Tabletop Simulator takes decks: charts go to vassal, foundry, csv, excel or json"
    ))
}

/// What is named; all decks where no deck is, all charts where no chart is.
fn request<'p>(pack: &'p Pack, asked: &Print) -> Result<ExportRequest<'p>, Vec<String>> {
    let style = CardStyle { large: asked.large, low_ink: asked.low_ink, cut: false };
    let mut request =
        ExportRequest { decks: Vec::new(), charts: Vec::new(), style, ..ExportRequest::all(pack) };
    let mut wrong = Vec::new();
    match asked.size.as_deref().map(adjutant_render::imposition::card_size).transpose() {
        Ok(size) => request.size = size,
        Err(why) => wrong.push(format!("--size: {why}")),
    }
    for name in &asked.what {
        let deck = pack.card_decks().find(|deck| deck.id == *name);
        match (deck, pack.chart(name)) {
            (Some(deck), _) if request.decks.iter().all(|known| known.id != deck.id) => {
                request.decks.push(deck)
            }
            (None, Some(chart)) if request.charts.iter().all(|known| known.id != chart.id) => {
                request.charts.push(chart)
            }
            (None, None) => wrong.push(unknown(pack, name)),
            _ => {}
        }
    }
    if request.decks.is_empty() {
        request.decks = pack.card_decks().collect();
    }
    if request.charts.is_empty() {
        request.charts = pack.charts().iter().collect();
    }
    if wrong.is_empty() { Ok(request) } else { Err(wrong) }
}

fn unknown(pack: &Pack, name: &str) -> String {
    let known = pack
        .card_decks()
        .map(|deck| deck.id.as_str())
        .chain(pack.charts().iter().map(|chart| chart.id.as_str()));
    let unknown = UnknownName::new(Noun::DeckOrChart, name, known);
    let help = did_you_mean(&unknown, |known| format!("it has {}", known.join(", ")));
    format!("{} has no deck or chart `{}`: {help}", pack.title(), unknown.name)
}

fn made(
    request: &ExportRequest<'_>,
    asked: &Print,
    program: Program,
    place: &Path,
) -> anyhow::Result<ExportedFiles> {
    let fonts = Fonts::new();
    let url = asked.url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
    let exported = match program {
        // The game itself writes such an address: three slashes, then the path as the machine
        // writes it.
        Program::TabletopSimulator => {
            let local = |name: &str| format!("file:///{}", place.join(name).display());
            tabletop_simulator(request, &fonts, &|name| {
                url.as_ref().map_or_else(|| local(name), |url| format!("{url}/{name}"))
            })
        }
        Program::Vassal => vassal(request, &fonts, &asked.output.to_string_lossy()),
        Program::Foundry => {
            let folder = place.file_name().map_or_else(
                || request.pack.id().to_string(),
                |name| name.to_string_lossy().into_owned(),
            );
            foundry(request, &fonts, &FoundryModule::new(&folder, url.as_deref()))
        }
        Program::Csv => csv(request, CsvReader::Any),
        Program::Excel => csv(request, CsvReader::Excel),
        Program::Json => return Ok(data(request)),
        // `service` makes these.
        Program::PrintService => return Ok(ExportedFiles::default()),
    };
    exported.map_err(anyhow::Error::msg)
}

/// Cards and charts as data: what `draw --json` says of a card and `show --json` of a chart.
fn data(request: &ExportRequest<'_>) -> ExportedFiles {
    let pack = request.pack;
    let mut exported = ExportedFiles::default();
    for deck in &request.decks {
        exported.add(
            format!("cards/{}.json", deck.id),
            crate::json::pretty(&DeckFile::new(pack, deck)),
        );
    }
    for chart in &request.charts {
        exported.add(
            format!("charts/{}.json", chart.id),
            crate::json::pretty(&ChartData::new(pack, chart)),
        );
    }
    let so_many = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    exported.add_summary(format!(
        "{} and {} as data",
        so_many(request.decks.len(), "deck"),
        so_many(request.charts.len(), "chart")
    ));
    exported.with_note(
        pack,
        "programs",
        &["docs/other-programs.md says what stands in the files; adjutant show --json and draw --json say the same"],
    )
}

fn summary(place: &Path, exported: &ExportedFiles) -> String {
    let sentences = exported.sentences();
    let first = sentences.first().map_or("written", String::as_str);
    let mut out = format!("{}: {first}\n", place.display());
    sentences.iter().skip(1).for_each(|line| out.push_str(&format!("  {line}\n")));
    exported.instructions.iter().for_each(|line| out.push_str(&format!("{line}.\n")));
    out
}
