//! Reports what a pack defines but does not use. Most often the cause is a typo elsewhere.

use crate::chart::{Chart, FilledFrom, NameSource};
use crate::pack::Pack;
use crate::problem::{Problem, Unused};
use crate::raw::RawPack;
use crate::tree::{Diagnostics, Located};
use crate::turn::TurnOrigin;

pub(super) fn check(pack: &Pack, raw: &RawPack, faults: &Diagnostics) {
    let charts = &pack.charts;
    let report = |id: &Located<String>, what: Unused| {
        faults.add(&id.at, Problem::Unused { what, name: id.text() })
    };
    for (place, result) in raw.results.iter_enumerated() {
        if !charts.iter().any(|chart| chart.landings.iter().any(|landing| landing.result == place))
        {
            report(&result.id, Unused::Result);
        }
    }
    for (place, option) in raw.options.iter_enumerated() {
        let named = |chart: &Chart| {
            chart.needs_option == Some(place)
                || chart.printed.as_ref().is_some_and(|printed| printed.option == Some(place))
                || chart.names.iter().any(|name| name.origin == NameSource::Option(place))
        };
        let in_fight = |fight: &crate::fight::Fight| {
            fight.needs_option == Some(place)
                || fight
                    .names
                    .iter()
                    .any(|name| name.origin == crate::fight::FightOrigin::Option(place))
        };
        let opens = pack.phases.iter().any(|phase| phase.needs_option == Some(place));
        let at_table =
            opens || pack.turn_names.iter().any(|name| name.origin == TurnOrigin::Option(place));
        if !charts.iter().any(named) && !pack.fights.iter().any(in_fight) && !at_table {
            report(&option.field.id, Unused::Option);
        }
    }
    for (place, memory) in raw.memory.iter_enumerated() {
        let read =
            charts.iter().any(|chart| {
                chart.names.iter().any(|name| name.origin == NameSource::Memory(place))
            }) || charts.iter().any(|chart| {
                chart.inputs.iter().any(|input| input.source == FilledFrom::SideMemory(place))
            }) || pack.turn_names.iter().any(|name| name.origin == TurnOrigin::SideMemory(place));
        let kept = charts
            .iter()
            .flat_map(Chart::effects)
            .any(|effect| effect.kind.memory().is_some_and(|(memory, ..)| *memory == place));
        if !read && !kept {
            report(&memory.id, Unused::Memory);
        }
    }
    for (place, reading) in raw.readings.iter_enumerated().take(pack.readings.len()) {
        let of_table = pack.turn_readings.iter().copied();
        let of_table =
            of_table.chain(pack.templates.iter().filter_map(|template| template.reading));
        let mut of_table = of_table.chain(pack.starts.iter().filter_map(|start| start.reading));
        if !charts.iter().any(|chart| chart.all_readings().contains(&place))
            && !of_table.any(|known| known == place)
        {
            report(&reading.id, Unused::Reading);
        }
    }
}
