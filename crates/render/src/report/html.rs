//! A report as one HTML file without scripts, external fonts or pictures, and with a policy that
//! forbids the browser to fetch any. It follows the reader's light or dark mode, fits a phone and
//! prints.

use super::{
    actor, count, dates, final_state, initial_state, luck_html, plain, play_line, side_summary,
    with_side,
};
use crate::html_file::html_file;
use adjutant_wording::report::{BattleReport, Entry, EntryKind, ReportSide, ReportTurn};
use maud::{Markup, html};

/// The style sheet of a report.
pub const STYLE: &str = include_str!("report.css");

/// The report as one HTML file.
pub fn html(report: &BattleReport) -> String {
    let title = plain(&report.title);
    let body = html! {
        (masthead(report, &title))
        main {
            (forces(report))
            (game(report))
            (luck_html::luck(report))
            (rules(report))
        }
        (foot(report))
    };
    html_file(&format!("{title} – battle report"), STYLE, &body)
}

fn masthead(report: &BattleReport, title: &str) -> Markup {
    html! {
        header.mast {
            p.kicker { "Battle report " span { (plain(&report.pack.title)) } }
            h1 { (title) }
            p.dates { (dates(report)) " – " (count(report.plays, "chart rolled", "charts rolled")) }
            div.sides { @for side in &report.sides { (side_card(report, side)) } }
            @for (what, people) in [("Umpire", &report.umpires), ("Looking on", &report.spectators)] {
                @if !people.is_empty() { p.people { (what) ": " (plain(&people.join(", "))) } }
            }
            nav aria-label="Contents" {
                a href="#forces" { "Forces" } a href="#game" { "The game" } a href="#luck" { "Luck" } a href="#rules" { "Rules in force" }
            }
        }
    }
}

fn side_card(report: &BattleReport, side: &ReportSide) -> Markup {
    html! {
        div class=(with_side("side", report, Some(&side.name))) {
            p.name { (plain(&side.name)) }
            @if !side.players.is_empty() { p.players { (plain(&side.players.join(", "))) } }
            p.standing { (side_summary(side)) }
        }
    }
}

fn forces(report: &BattleReport) -> Markup {
    html! {
        section #forces {
            h2 { "Forces" }
            @for side in &report.sides {
                @if side.units.is_empty() { p { (plain(&side.name)) ": no units." } }
                @else {
                    table class=(with_side("forces", report, Some(&side.name))) {
                        caption { (plain(&side.name)) }
                        thead { tr { th scope="col" { "Unit" } th scope="col" { "At first" } th scope="col" { "At the end" } } }
                        tbody {
                            @for unit in &side.units {
                                tr class=[(unit.gone.is_some() || unit.out.is_some()).then_some("gone")] {
                                    th scope="row" { (plain(&unit.name)) }
                                    td { (initial_state(unit)) }
                                    td { (final_state(unit)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn game(report: &BattleReport) -> Markup {
    html! {
        section #game {
            h2 { "The game" }
            @if report.turns.is_empty() { p { "Nothing has happened yet." } }
            @for turn in &report.turns { (self::turn(report, turn)) }
            @if !report.taken_back.is_empty() {
                h3 { "Taken back" }
                p {
                    (count(report.taken_back.len() as u64, "event was undone and counts", "events were undone and count"))
                    " for nothing, here and in the luck below."
                }
                ul.taken {
                    @for taken in &report.taken_back {
                        li #{ "event-" (taken.n) } {
                            (plain(&taken.what)) " "
                            span.by {
                                "Taken back by " (plain(&taken.by))
                                @if !taken.consent.is_empty() { " with the consent of " (plain(&taken.consent.join(", "))) }
                                "."
                            }
                        }
                    }
                }
            }
            @if !report.sealed.is_empty() {
                h3 { "Sealed rolls" }
                ul { @for line in &report.sealed { li { (plain(line)) } } }
            }
            @if !report.endings.is_empty() {
                h3 { "How it ended" }
                ul { @for line in &report.endings { li { (plain(line)) } } }
            }
            @if !report.due.is_empty() {
                h3 { "Still due at the end" }
                ul { @for due in &report.due { li { (plain(due)) } } }
            }
        }
    }
}

fn turn(report: &BattleReport, turn: &ReportTurn) -> Markup {
    html! {
        @for phase in &turn.phases {
            h3.turn { "Turn " (turn.turn) @if !phase.title.is_empty() { span { (plain(&phase.title)) } } }
            ol.entries { @for entry in &phase.entries { (self::entry(report, entry)) } }
        }
    }
}

fn entry(report: &BattleReport, entry: &Entry) -> Markup {
    let class = match entry.kind {
        EntryKind::Play => "play",
        EntryKind::Note => "note",
        EntryKind::Other => "other",
    };
    html! {
        li class=(with_side(class, report, entry.side.as_ref())) #{ "event-" (entry.n) } {
            span.n { (entry.n) }
            div {
                @match entry.kind {
                    EntryKind::Play => {
                        @if !entry.outcome.is_empty() { p.outcome { (plain(&entry.outcome)) } }
                        p.what { (play_line(entry)) " " span.by { (actor(entry)) } }
                        @if !entry.changes.is_empty() { p.changes { (plain(&entry.changes)) } }
                        @if !entry.arithmetic.is_empty() { ul.sums { @for sum in &entry.arithmetic { li { (plain(sum)) } } } }
                    }
                    EntryKind::Note => {
                        blockquote { (plain(&entry.outcome)) }
                        p.by { (plain(&entry.by)) }
                    }
                    EntryKind::Other => p.what { (plain(&entry.outcome)) },
                }
            }
        }
    }
}

fn rules(report: &BattleReport) -> Markup {
    html! {
        section #rules {
            h2 { "Rules in force" }
            @if !report.options.is_empty() {
                table.options {
                    caption { "Options" }
                    thead { tr { th scope="col" { "Option" } th scope="col" { "Set to" } th scope="col" { "Standing" } } }
                    tbody {
                        @for option in &report.options {
                            tr {
                                th scope="row" { (plain(&option.label)) }
                                td { (plain(&option.value)) @if option.changed { span.by { "chosen for this game" } } }
                                td { (plain(&option.standing)) }
                            }
                        }
                    }
                }
            }
            @if !report.readings.is_empty() {
                h3 { "Readings that mattered" }
                ul { @for reading in &report.readings { li { (plain(&reading.text)) " " span.by { (plain(&reading.standing)) } } } }
            }
            @for deck in &report.decks {
                p { (plain(&deck.title)) ": " (deck.left) " of " (count(deck.size.into(), "card", "cards")) " left at the end." }
            }
        }
    }
}

fn foot(report: &BattleReport) -> Markup {
    let pack = &report.pack;
    html! {
        footer {
            p {
                (plain(&pack.title)) @if !pack.by.is_empty() { " by " (plain(&pack.by)) }
                "; " (plain(&crate::edition(&pack.id, &pack.version))) ". "
                (plain(&pack.notice))
            }
            p { "Log of " (count(report.events, "event", "events")) ", last line " code { (plain(&report.head)) } "." }
        }
    }
}
