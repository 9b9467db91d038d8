//! `adjutant packs`, `charts`, `show` and `tables`: a game's sheet to read.

mod chart;
mod fight;
mod ready;
mod sections;

use crate::error::{CommandError, CommandResult};
use crate::json;
use crate::output::CommandOutput;
use crate::pack_registry::{OpenedPack, PackRegistry};
use crate::paint::{DIM, HEAD, NAME, Table, WARN, in_style, paragraph};
use adjutant_api::{ChartData, FightData, ListedChart, PackData, PackListing};
use adjutant_pack::{Noun, OptionId, Pack, UnknownName, read_pack};
use adjutant_wording::en;
use adjutant_wording::en::unknown_name::nearest_or_all;
use anstyle::Style;
use sections::default_text;

pub fn packs(shelf: &PackRegistry, as_json: bool) -> CommandResult {
    let found = shelf.all();
    let read: Vec<Result<Pack, usize>> = found
        .iter()
        .map(|found| {
            let files = found.files.as_ref().map_err(Vec::len)?;
            read_pack(files, None).map_err(|faults| faults.len())
        })
        .collect();
    if as_json {
        let listed = found.iter().zip(&read).map(|(found, read)| PackListing {
            id: &found.id,
            from: Some(&found.origin),
            faults: Some(read.as_ref().err().copied().unwrap_or(0)),
            ..read.as_ref().map_or_else(|_| PackListing::faulty(&found.id), PackListing::new)
        });
        return Ok(CommandOutput::done(json::pretty(&listed.collect::<Vec<_>>())));
    }
    let mut table = Table::new(0);
    table.head(["pack", "game", "charts", "from"]);
    for (found, read) in found.into_iter().zip(read) {
        match read {
            Ok(pack) => table.row([
                (found.id, NAME),
                (pack.title().to_string(), HEAD),
                (pack.charts().len().to_string(), Style::new()),
                (found.origin, DIM),
            ]),
            Err(_) => {
                let word = format!(
                    "has faults: adjutant check {}",
                    found.folder.map_or(found.id.clone(), |dir| dir.display().to_string())
                );
                table.row([
                    (found.id, NAME),
                    (word, WARN),
                    (String::new(), Style::new()),
                    (found.origin, DIM),
                ]);
            }
        }
    }
    Ok(CommandOutput::done(table.print()))
}

pub fn charts(shelf: &PackRegistry, name: &str, as_json: bool) -> CommandResult {
    let OpenedPack { pack, .. } = shelf.open(name)?;
    if as_json {
        return Ok(CommandOutput::done(json::pretty(
            &ListedChart::charts(&pack).chain(ListedChart::fights(&pack)).collect::<Vec<_>>(),
        )));
    }
    let charts = pack.charts().iter().map(|chart| {
        (chart.id.as_str(), chart.title.as_str(), chart.about.as_str(), chart.needs_option)
    });
    let mut out = listed(&pack, "chart", charts).print();
    if !pack.fights().is_empty() {
        out.push_str(&format!("\n{}", fights_table(&pack).print()));
    }
    Ok(CommandOutput::done(out))
}

/// The fights of a pack, to choose from.
pub fn fights_table(pack: &Pack) -> Table {
    let fights = pack.fights().iter().map(|fight| {
        (fight.id.as_str(), fight.title.as_str(), fight.about.as_str(), fight.needs_option)
    });
    listed(pack, "fight", fights)
}

/// Charts or fights, each with its id, name, what it does and the option that opens it.
fn listed<'a>(
    pack: &Pack,
    what: &str,
    entries: impl Iterator<Item = (&'a str, &'a str, &'a str, Option<OptionId>)>,
) -> Table {
    let mut table = Table::new(0);
    table.head([what, "name", "what it does"]);
    for (id, title, about, needs_option) in entries {
        let off = needs_option.map(|option| {
            format!(
                " [{}: --option {}=yes]",
                pack.options()[option].standing.name(),
                pack.options()[option].field.id
            )
        });
        table.row([
            (id.to_owned(), NAME),
            (title.to_owned(), HEAD),
            (format!("{about}{}", off.unwrap_or_default()), Style::new()),
        ]);
    }
    table
}

pub fn show(shelf: &PackRegistry, name: &str, chart: Option<&str>, as_json: bool) -> CommandResult {
    let OpenedPack { pack, origin, tables, .. } = shelf.open(name)?;
    let Some(id) = chart else {
        if as_json {
            return Ok(CommandOutput::done(json::pretty(&PackData::new(&pack))));
        }
        let mut out = head(&pack, &origin);
        for chart in pack.charts() {
            out.push_str(&chart::chart(&pack, chart, false));
            out.push('\n');
        }
        for fight in pack.fights() {
            out.push_str(&fight::fight(&pack, fight, false));
            out.push('\n');
        }
        out.push_str(&sections::sections(&pack, tables.is_some()));
        return Ok(CommandOutput::done(out));
    };
    match (pack.chart(id), pack.fight(id)) {
        (Some(found), _) if as_json => {
            Ok(CommandOutput::done(json::pretty(&ChartData::new(&pack, found))))
        }
        (Some(found), _) => Ok(CommandOutput::done(chart::chart(&pack, found, true))),
        (None, Some(found)) if as_json => {
            Ok(CommandOutput::done(json::pretty(&FightData::new(&pack, found))))
        }
        (None, Some(found)) => Ok(CommandOutput::done(fight::fight(&pack, found, true))),
        (None, None) => Err(CommandError::usage([unknown(&pack, id)])),
    }
}

/// The sentence that there is neither a chart nor a fight of this id.
pub fn unknown(pack: &Pack, id: &str) -> String {
    let ids = pack
        .charts()
        .iter()
        .map(|c| c.id.as_str())
        .chain(pack.fights().iter().map(|f| f.id.as_str()));
    let unknown = UnknownName::new(Noun::ChartOrFight, id, ids);
    let lacks = if pack.fights().is_empty() { "no chart" } else { "no chart or fight" };
    format!("{} has {lacks} `{}`: {}", pack.title(), unknown.name, nearest_or_all(&unknown))
}

fn head(pack: &Pack, origin: &str) -> String {
    let mut out = format!(
        "{}  {}\n",
        in_style(HEAD, pack.title().to_uppercase()),
        in_style(DIM, format!("{} {} – {origin}", pack.id(), pack.version()))
    );
    for text in [&pack.about(), &pack.notice()].into_iter().filter(|text| !text.is_empty()) {
        out.push_str(&paragraph(0, DIM, text));
    }
    let facts = en::pack_facts(pack);
    if !facts.is_empty() {
        out.push_str(&paragraph(0, DIM, &facts));
    }
    out.push('\n');
    if !pack.phases().is_empty() {
        out.push_str(&format!("{}\n", in_style(HEAD, "Turn")));
        let mut table = Table::new(2);
        for (number, phase) in (1..).zip(pack.phases()) {
            let charts: Vec<&str> =
                phase.charts.iter().map(|chart| pack.charts()[*chart].id.as_str()).collect();
            let charts =
                if charts.is_empty() { String::new() } else { format!(" ({})", charts.join(", ")) };
            table.row([
                (format!("{number}"), DIM),
                (phase.title.to_string(), HEAD),
                (
                    format!(
                        "{}{charts}{}{}",
                        phase.text,
                        ready::due(pack, &phase.due),
                        ready::opening(pack, phase)
                    ),
                    Style::new(),
                ),
            ]);
        }
        out.push_str(&table.print());
        out.push('\n');
    }
    out
}

pub fn tables(shelf: &PackRegistry, name: &str) -> CommandResult {
    let OpenedPack { pack, tables, folder, .. } = shelf.open(name)?;
    if pack.user_tables().is_empty() && pack.user_decks().next().is_none() {
        return Ok(CommandOutput::done(format!("# {} leaves no table to you.\n", pack.title())));
    }
    let place = shelf.tables_place(pack.id(), folder.as_deref()).map_or(String::new(), |path| {
        format!("# Save it as {}, or name it with --tables FILE.\n", path.display())
    });
    let used = tables.map_or(String::new(), |path| format!("# In use now: {}\n", path.display()));
    let mut out = format!(
        "# Your own {} for {}. Take the # away before {} when you fill it in.\n{place}{used}",
        if pack.user_tables().is_empty() { "decks" } else { "tables" },
        pack.title(),
        if pack.user_tables().is_empty() { "a deck" } else { "a table" },
    );
    for table in pack.user_tables() {
        out.push_str(&en::blank_form(&pack, table));
    }
    for deck in pack.user_decks() {
        out.push_str(&en::blank_deck(deck));
        if let Some(path) = shelf.tables_place(pack.id(), folder.as_deref())
            && deck.is_missing()
        {
            let file = path.with_file_name(format!("{}.{}.csv", pack.id(), deck.id));
            out.push_str(&format!("# Or save the cards alone as {}\n", file.display()));
        }
    }
    Ok(CommandOutput::done(out))
}
