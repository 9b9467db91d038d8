//! `adjutant export` and `import`: a log leaves the table as a file and comes back. The file is the
//! log itself, byte for byte, so a game by e-mail goes on where the other left it.

use super::names::shown;
use super::tables::altered;
use super::{CommandResult, Game, data, view};
use crate::args::{ExportVerb, Form};
use crate::atomic_file::{is_standard_output, write_whole};
use crate::error::CommandError;
use crate::json::pretty;
use crate::open_store::TableStore;
use crate::output::{CommandOutput, sentences};
use crate::pack_registry::OpenedPack;
use crate::paint::{DIM, RESULT, in_style, paragraph};
use crate::sealed_folder::sealed_folder;
use crate::secrets;
use adjutant_api::Imported;
use adjutant_game::{Begin, Event, EventKind, Table, rolls_as_csv};
use adjutant_pack::Bundle;
use adjutant_render::draw::Size;
use adjutant_render::imposition::{self, Backs, Imposition};
use adjutant_render::paper::{Document, Fonts, Page, Sides, pdf};
use adjutant_render::record::RosterSheet;
use adjutant_render::reference::PageOptions;
use adjutant_store::{NewTable, Summary, TableId};
use adjutant_wording::en;
use anstyle::Style;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

/// The largest log that is read from a file, in bytes.
const LARGEST: u64 = 256 << 20;

pub fn export(game: &Game<'_>, export: &ExportVerb) -> CommandResult {
    let binary = matches!(export.form, Form::Pdf | Form::Record | Form::Roster);
    let output = export.output.as_deref().unwrap_or(Path::new("-"));
    let standard = is_standard_output(output);
    // Better said before the work than after.
    if binary && standard && std::io::stdout().is_terminal() {
        return Err(CommandError::usage([
            "a PDF is not for a terminal: name a file with -o FILE.pdf, or send it on to another program".into()
        ]));
    }
    if export.paper.is_some() && !binary {
        return Err(CommandError::usage([
            "--paper is for the forms that are a PDF: pdf, record and roster. Leave it out".into(),
        ]));
    }
    if export.with_pack && export.form != Form::Jsonl {
        return Err(CommandError::usage([
            "--with-pack is for the log: use it with --as jsonl".into()
        ]));
    }
    let store = game.look()?;
    let mut warnings = Vec::new();
    let (bytes, mut faults) = match export.form {
        // The log itself needs no pack, and is saved as far as it can be read.
        Form::Jsonl => {
            let summary = store.find(&export.table)?;
            let (lines, fault) = store.lines(&summary)?;
            let pack = if export.with_pack {
                Some(pack_line(game, &store, &summary, &lines)?)
            } else {
                None
            };
            let all = pack.iter().chain(&lines);
            let text: String = all.flat_map(|line| [line.as_str(), "\n"]).collect();
            (text.into_bytes(), fault.into_iter().collect())
        }
        Form::Csv => {
            let seen = store.seen(&export.table)?;
            (
                rolls_as_csv(&seen.table)
                    .map_err(|fault| CommandError::usage([en::log_error(&fault)]))?
                    .into_bytes(),
                seen.faults,
            )
        }
        Form::Md | Form::Html => {
            let seen = store.seen(&export.table)?;
            let report = adjutant_wording::report::report(&seen.table)
                .map_err(|fault| CommandError::usage([en::log_error(&fault)]))?;
            let text = if export.form == Form::Md {
                adjutant_render::report::markdown(&report)
            } else {
                adjutant_render::report::html(&report)
            };
            (text.into_bytes(), seen.faults)
        }
        Form::Pdf | Form::Record | Form::Roster => {
            let seen = store.seen(&export.table)?;
            let (bytes, warning) = on_paper(&seen.table, export)?;
            warnings.extend(warning);
            (bytes, seen.faults)
        }
    };
    // A log that can be read may still have an altered line, as `verify` would find.
    if faults.is_empty() {
        let summary = store.find(&export.table)?;
        let brought = adjutant_server::pack_of_game(&*store.store, &summary.id)?;
        let found = altered(game, &store.lines(&summary)?.0, brought);
        faults.extend(found.map(|(_, why)| format!("{}: {why}", summary.name)));
    }
    let end = |out: String| {
        if faults.is_empty() {
            CommandOutput::done(out)
        } else {
            CommandOutput::faulty(out, sentences(&faults))
        }
        .with_warnings(&warnings)
    };
    write_whole(output, &bytes, export.force)?;
    Ok(end(if standard { String::new() } else { format!("{} is written\n", output.display()) }))
}

/// The pack of a game as the first line of its file: as the store has kept it, else the pack here
/// if it has the rules that the game was started with.
fn pack_line(
    game: &Game<'_>,
    store: &TableStore<'_>,
    summary: &Summary,
    lines: &[String],
) -> Result<String, CommandError> {
    let refused = |why| CommandError::faulty([en::diagnostic::bundle(&why).message]);
    if let Some(kept) = adjutant_server::pack_of_game(&*store.store, &summary.id)? {
        return kept.write().map_err(refused);
    }
    let (_, begin) = begins(&summary.name, lines.first().map_or("", String::as_str))?;
    let OpenedPack { pack, files, supplied, .. } = game.shelf.open(&begin.pack)?;
    if *pack.hash() != begin.hash {
        return Err(CommandError::faulty([format!(
            "the pack {} has other rules than {} was started with: export it without --with-pack",
            pack.id(),
            summary.name
        )]));
    }
    Bundle::new(files).with(supplied).write().map_err(refused)
}

/// The bytes of a PDF: the battle report, the record sheet or the cards of the units; and what is
/// to be said about it.
fn on_paper(table: &Table, export: &ExportVerb) -> anyhow::Result<(Vec<u8>, Option<String>)> {
    let fonts = Fonts::new();
    let size = crate::print::size(export.paper);
    let muster = RosterSheet {
        name: table.setup().map_or("", |setup| setup.name.as_str()),
        pack: table.pack(),
        sides: table.sides(),
        units: table.state().here().collect(),
    };
    let (sheet, look) = match export.form {
        Form::Pdf => {
            let report = adjutant_wording::report::report(table)
                .map_err(|fault| anyhow::Error::msg(en::log_error(&fault)))?;
            (
                adjutant_render::report::paged(&report),
                PageOptions { columns: Some(2), reading: true, ..PageOptions::on(size) },
            )
        }
        _ => (
            adjutant_render::record::sheet(&muster),
            PageOptions {
                columns: Some(1),
                reading: true,
                ..PageOptions::on(Size { width: size.height, height: size.width })
            },
        ),
    };
    let pages = match export.form {
        Form::Roster => roster(&muster, size, &fonts)?,
        _ => adjutant_render::reference::pages(&sheet, &look, &fonts)
            .into_iter()
            .map(Page::whole)
            .collect(),
    };
    let warning = crate::print::lacking(&fonts, pages.iter().map(|page| &page.drawing));
    let sides = if export.form == Form::Roster { Sides::One } else { Sides::Both };
    let title = format!("{} – {}", sheet.title, sheet.kind.to_lowercase());
    let document = Document { title, about: sheet.kind, by: sheet.by, sides, pages };
    Ok((pdf(&document, &fonts)?, warning))
}

/// The cards of the units, laid on paper without backs.
fn roster(muster: &RosterSheet<'_>, paper: Size, fonts: &Fonts) -> anyhow::Result<Vec<Page>> {
    let cards = adjutant_render::record::cards(muster, false, fonts);
    let Some(first) = cards.first() else {
        anyhow::bail!("there are no units in the game, so there are no cards to print")
    };
    let how = Imposition {
        paper,
        card: first.size,
        bleed: 0.0,
        backs: Backs::None,
        marks: true,
        name: muster.name.to_owned(),
    };
    Ok(imposition::pages(&cards, first, &how)?)
}

/// The text of a log in a file.
pub fn read_log(file: &str) -> Result<String, CommandError> {
    let said = |why: String| CommandError::usage([format!("{}: {why}", shown(file))]);
    let mut text = String::new();
    let read = if file == "-" {
        std::io::stdin().lock().take(LARGEST + 1).read_to_string(&mut text)
    } else {
        std::fs::File::open(file)
            .and_then(|opened| opened.take(LARGEST + 1).read_to_string(&mut text))
    };
    read.map_err(|fault| said(format!("it cannot be read: {fault}")))?;
    if text.len() as u64 > LARGEST {
        return Err(said(format!("it is larger than the {LARGEST} bytes that are read")));
    }
    Ok(text)
}

/// The pack that a file brings along, and the log in it.
pub fn carried<'t>(file: &str, text: &'t str) -> Result<(Option<Bundle>, &'t str), CommandError> {
    adjutant_game::carried_pack(text).map_err(|why| {
        let en::Sentence { message, help } = en::diagnostic::bundle(&why);
        CommandError::faulty([format!(
            "{}: the pack in its first line cannot be used: {message}: {help}",
            shown(file)
        )])
    })
}

/// The lines of a log, and how it begins.
pub fn begins<'t>(file: &str, text: &'t str) -> Result<(Vec<&'t str>, Begin), CommandError> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.first().and_then(|line| serde_json::from_str::<Event>(line).ok());
    match first.map(|event| event.what) {
        Some(EventKind::Begin(begin)) => Ok((lines, begin)),
        _ => {
            let why = format!(
                "{} is not the log of a game: its first line must start a game, as written by adjutant export --as jsonl",
                shown(file)
            );
            Err(CommandError::faulty([why]))
        }
    }
}

pub fn import(game: &Game<'_>, file: &str, name: Option<&str>, json: bool) -> CommandResult {
    let text = read_log(file)?;
    let (brought, log) = carried(file, &text)?;
    let (lines, begin) = begins(file, log)?;
    let brought = brought.or_else(|| pack_of_known(game, &begin, &lines));
    let OpenedPack { pack, files, supplied, .. } =
        game.shelf.open_for_game(&begin.pack, &begin.hash, brought)?;
    let pack = Arc::new(pack);
    let table = adjutant_game::verify(pack, &lines, None).map_err(|fault| {
        CommandError::faulty([format!(
            "{}: {}. Nothing was imported",
            shown(file),
            en::log_error(&fault)
        )])
    })?;
    let store = game.store()?;
    let (summary, new) = match known(&store, &begin.pack, &lines)? {
        None => {
            let name = name.unwrap_or(&begin.name);
            let id = TableId::new()?;
            let new = NewTable { id, name, pack: &begin.pack, lines: &lines };
            (store.create(&new, files, supplied)?, lines.len())
        }
        Some((summary, kept)) => {
            let rename = view::quoted(&summary.name);
            crate::uses::without_effect(
                &format!("on a game that is here already: adjutant game rename {rename} NAME"),
                &[("--name", name.is_some_and(|name| name != summary.name))],
            )?;
            let from = goes_on(file, &summary, &kept, &lines)?;
            if from < lines.len() {
                not_in_our_name(file, &lines, from)?;
                store.store.append(&summary.id, from as u64, &lines[from..])?;
            }
            (store.store.summary(&summary.id)?, lines.len().saturating_sub(from))
        }
    };
    if json {
        return Ok(CommandOutput::done(pretty(&Imported {
            game: data::summary(&summary),
            added: new,
            head: table.head(),
        })));
    }
    Ok(CommandOutput::done(imported(&summary, &table, new)))
}

/// The pack that is kept with the game here that began with the same line, for a log that comes back
/// without it.
fn pack_of_known(game: &Game<'_>, begin: &Begin, lines: &[&str]) -> Option<Bundle> {
    let here = game.shelf.open(&begin.pack);
    if here.is_ok_and(|opened| *opened.pack.hash() == begin.hash) {
        return None;
    }
    let store = game.look().ok()?;
    let (summary, _) = known(&store, &begin.pack, lines).ok()??;
    adjutant_server::pack_of_game(&*store.store, &summary.id).ok()?
}

fn imported(summary: &Summary, table: &Table, new: usize) -> String {
    let count = |n: usize| if n == 1 { "1 event".to_owned() } else { format!("{n} events") };
    let what = match new {
        0 => format!(
            "nothing new: {} are here, {} in the file",
            count(summary.last as usize),
            table.lines().len()
        ),
        new if new as u64 == summary.last => format!("a new game with {}", count(new)),
        new => format!("{} added, {} in all", count(new), summary.last),
    };
    // What came with a letter is told; a whole table is not.
    let told = if (1..=20).contains(&new) && new as u64 != summary.last {
        en::log(table).unwrap_or_default()
    } else {
        Vec::new()
    };
    let from = told.len().saturating_sub(new);
    let told: String = told[from..]
        .iter()
        .zip(from + 1..)
        .map(|(says, n)| paragraph(2, Style::new(), &format!("{n}  {}", says.marked())))
        .collect();
    let head = format!("{}  {}", in_style(RESULT, &summary.name), in_style(DIM, summary.id));
    format!(
        "{head}\n{what}. adjutant game show {}\n{told}{}",
        view::quoted(&summary.name),
        view::call(table, &summary.name)
    )
}

/// The table here that began with the same line: the one that has most in common, for a copy may
/// have gone another way.
fn known(
    store: &TableStore<'_>,
    pack: &str,
    lines: &[&str],
) -> Result<Option<(Summary, Vec<String>)>, CommandError> {
    let mut best: Option<(usize, Summary, Vec<String>)> = None;
    for summary in store.store.list(true)?.into_iter().filter(|summary| summary.pack == pack) {
        let kept = match store.lines(&summary) {
            Ok((kept, None)) => kept,
            // A table that cannot be read is not the one to be added to.
            _ => continue,
        };
        let common = common(&kept, lines);
        if common > 0 && best.as_ref().is_none_or(|(most, ..)| common > *most) {
            best = Some((common, summary, kept));
        }
    }
    Ok(best.map(|(_, summary, kept)| (summary, kept)))
}

fn common(kept: &[String], lines: &[&str]) -> usize {
    kept.iter().zip(lines).take_while(|(kept, line)| kept == *line).count()
}

/// Checks that no new line is in the name of a player whose secrets are on this device: that player
/// acts here, and lines are not signed. Else an opponent could send him his own consent.
fn not_in_our_name(file: &str, lines: &[&str], from: usize) -> Result<(), CommandError> {
    let (Some(folder), Some(first)) = (sealed_folder(), lines.first()) else { return Ok(()) };
    let new = lines[from..].iter().filter_map(|line| serde_json::from_str::<Event>(line).ok());
    let Some(event) = new.into_iter().find(|event| secrets::are_here(&folder, first, &event.by))
    else {
        return Ok(());
    };
    let why = format!(
        "{}: event {} is in the name of {}, whose sealed rolls are made on this device, but it was not made here. Nothing was imported",
        shown(file),
        event.n,
        shown(&event.by)
    );
    let how = format!(
        "if it was you nevertheless (the store here was put back), import it into another store: adjutant import {} --store another.db",
        shown(file)
    );
    Err(CommandError::faulty([why, how]))
}

/// From which line on the file is new; a fork is refused.
fn goes_on(
    file: &str,
    summary: &Summary,
    kept: &[String],
    lines: &[&str],
) -> Result<usize, CommandError> {
    let common = common(kept, lines);
    if common == kept.len() || common == lines.len() {
        return Ok(common.max(kept.len().min(lines.len())));
    }
    let told = |line: &str| {
        serde_json::from_str::<Event>(line)
            .map_or(String::new(), |event| format!(" (by {}, {})", event.by, event.at))
    };
    let (here, there) = (
        kept.get(common).map_or(String::new(), |line| told(line)),
        lines.get(common).map_or(String::new(), |line| told(line)),
    );
    let why = format!(
        "{} forks from the game {} at event {}: another event is here{here} than in the file{there}. Nothing was imported",
        shown(file),
        summary.name,
        common + 1
    );
    let how = format!(
        "to keep both, import it into another store: adjutant import {} --store another.db",
        shown(file)
    );
    Err(CommandError::faulty([why, how]))
}
