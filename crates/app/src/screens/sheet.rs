//! A game's sheet, to read and to search, in the printed order. Each chart has a link to roll it.
//! Options and the tables of the book are set here.

use crate::app::{Kept, Page, ReplyTo, Shared};
use crate::message::{Command, Message as Outer, ViewRegion};
use crate::parts::term::explained;
use crate::parts::{VALUE, act, chart_table, form, form_fields, icon};
use crate::route::{Query, Route};
use adjutant_pack::{Chart, Diagnostic, Die, Pack};
use adjutant_wording::en;
use adjutant_wording::en::page::{self as words, sheet as text};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Searches.
    Search(String),
    /// Sets an option.
    Option(String, String),
    /// Fills in the tables of the book.
    Tables(BTreeMap<String, String>),
    /// Removes them.
    NoTables,
    /// Goes to a chart of the sheet.
    Jump(String),
    /// Shows or hides a chart, on a phone.
    Fold(String),
    /// Prints the sheet.
    Print,
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    pack: String,
    search: String,
    /// The charts that are shown on a phone; a wide screen shows all.
    open: BTreeSet<String>,
    /// What the player typed, and its faults.
    unsound: Option<(String, Vec<Diagnostic>)>,
}

impl State {
    /// The address leads here.
    pub fn open(&mut self, pack: &str) -> Vec<Command> {
        if self.pack != pack {
            *self = State { pack: pack.to_owned(), ..State::default() };
        }
        Vec::new()
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, message: Message) -> Vec<Command> {
        match message {
            Message::Search(text) => {
                self.search = text;
                Vec::new()
            }
            Message::Jump(chart) => {
                let to = Command::Jump(format!("chart-{chart}"));
                self.open.insert(chart);
                vec![to]
            }
            Message::Fold(chart) => {
                if !self.open.remove(&chart) {
                    self.open.insert(chart);
                }
                Vec::new()
            }
            Message::Print => vec![Command::Print],
            Message::Option(name, value) => {
                vec![shared.settings.set_option(&self.pack, &name, Some(&value))]
            }
            Message::Tables(fields) => {
                self.fill_in(shared, fields.get("tables").cloned().unwrap_or_default())
            }
            Message::NoTables => {
                self.unsound = None;
                // Without tables the pack has no faults: it was read so first.
                let _ = shared.packs.fill_in(&self.pack, None);
                vec![shared.settings.set_tables(&self.pack, None)]
            }
        }
    }

    fn fill_in(&mut self, shared: &mut Shared, written: String) -> Vec<Command> {
        match shared.packs.fill_in(&self.pack, Some(&written)) {
            Ok(()) => {
                self.unsound = None;
                let save = shared.settings.set_tables(&self.pack, Some(written));
                Command::save_together(vec![save], ReplyTo::Kept(Kept::Tables).into())
            }
            Err(faults) => {
                self.unsound = Some((written, faults));
                vec![Command::Reject {
                    sentence: text::TABLES_WRONG.into(),
                    focus: Some("tables-wrong"),
                }]
            }
        }
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        let Some(pack) = shared.packs.pack(&self.pack) else {
            let main = html! { h1 tabindex="-1" { (text::LOST) } p { (words::home::no_pack(&self.pack)) } };
            return Page::plain(words::title(text::LOST), main);
        };
        let main = html! {
            div.sheet {
                header.sheet-head {
                    h1 tabindex="-1" { (pack.title()) }
                    @if !pack.by().is_empty() { p.game-by { (pack.by()) } }
                    p.lead { (pack.about()) }
                    p { button.button.button-small type="button" data-do=(act(&Outer::Sheet(Message::Print))) { (icon::sheet()) (text::PRINT) } }
                }
                label.sheet-search {
                    (icon::search())
                    span.visually-hidden { (text::SEARCH) }
                    input #search type="search" placeholder=(text::SEARCH) autocomplete="off" data-key="/" data-on="input" data-do=(act(&Outer::Sheet(Message::Search(VALUE.into()))));
                }
                div #charts.sheet-charts data-region {}
                div #settings.sheet-settings data-region {}
            }
        };
        let regions = vec![
            ViewRegion::new("charts", self.charts(&pack)),
            ViewRegion::new("settings", self.settings(&pack, shared)),
        ];
        Page { title: words::title(pack.title()), main, regions }
    }

    fn charts(&self, pack: &Pack) -> Markup {
        let wanted = self.search.trim().to_lowercase();
        let found: Vec<&Chart> = pack
            .charts()
            .iter()
            .filter(|chart| wanted.is_empty() || chart_table::speaks_of(pack, chart, &wanted))
            .collect();
        html! {
            @if wanted.is_empty() { (contents(pack)) (turn(pack)) }
            @if found.is_empty() { p { (text::not_found(&self.search)) } }
            @for chart in found {
                @let open = !wanted.is_empty() || self.open.contains(chart.id.as_str());
                article.sheet-chart #(format!("chart-{}", chart.id)) tabindex="-1" data-open[open] {
                    header.sheet-chart-head {
                        h2 { (chart.title) }
                        button.button.button-small.sheet-fold type="button" data-do=(act(&Outer::Sheet(Message::Fold(chart.id.to_string())))) { (text::fold(open)) span.visually-hidden { " " (chart.title) } }
                        (links(pack, chart))
                    }
                    (chart_table::chart(pack, chart))
                }
            }
            @if wanted.is_empty() { (vocabulary(pack)) }
        }
    }

    fn settings(&self, pack: &Pack, shared: &Shared) -> Markup {
        let set = |id: &str| {
            shared
                .settings
                .options_of(pack.id())
                .find(|(name, _)| *name == id)
                .map(|(_, value)| value.to_owned())
        };
        html! {
            @if !pack.options().is_empty() {
                section.sheet-options {
                    h2 { (text::OPTIONS) }
                    p.hint { (text::OPTIONS_HINT) }
                    @for option in pack.options() {
                        (form::setting(&option.field, set(&option.field.id), &|value| Outer::Sheet(Message::Option(option.field.id.to_string(), value))))
                        p.hint { (option.standing.name()) ". " (option.origin) }
                    }
                }
            }
            @if !pack.user_tables().is_empty() || pack.user_decks().next().is_some() { (self.tables(pack, shared)) }
            @if !pack.notice().is_empty() { p.hint { (pack.notice()) } }
            @if !pack.source().is_empty() { p.hint { (pack.source()) } }
        }
    }

    fn tables(&self, pack: &Pack, shared: &Shared) -> Markup {
        let kept = shared.settings.tables.get(pack.id().as_str());
        let (written, faults): (String, &[Diagnostic]) = match &self.unsound {
            Some((written, faults)) => (written.clone(), faults),
            None => (
                kept.cloned().unwrap_or_else(|| {
                    let tables = pack.user_tables().iter().map(|table| en::blank_form(pack, table));
                    tables.chain(pack.user_decks().map(en::blank_deck)).collect()
                }),
                &[],
            ),
        };
        html! {
            section.sheet-tables {
                h2 { (text::TABLES) }
                @for table in pack.user_tables() {
                    p { b { (table.title) } " – " (text::filled(table.filled)) @if !table.place.is_empty() { ". " (table.place) } }
                }
                @for deck in pack.user_decks() {
                    p { b { (deck.title) } " – " (text::supplied(deck)) }
                }
                form data-do=(act(&Outer::Sheet(Message::Tables(form_fields())))) {
                    label.field {
                        span.hint { (text::TABLES_HINT) }
                        textarea.code name="tables" rows="14" spellcheck="false" autocapitalize="off" { (written) }
                    }
                    @if !faults.is_empty() {
                        ul.wrong #tables-wrong role="alert" tabindex="-1" {
                            @for (fault, said) in faults.iter().map(|fault| (fault, adjutant_wording::en::diagnostic(fault))) {
                                li { (text::fault_at(fault.line_and_column(&written).0, &said.message)) span.hint { (said.help) } }
                            }
                        }
                    }
                    div.actions-row {
                        button.button type="submit" { (text::KEEP_TABLES) }
                        @if kept.is_some() { button.button.button-quiet type="button" data-do=(act(&Outer::Sheet(Message::NoTables))) { (text::NO_TABLES) } }
                    }
                }
            }
        }
    }
}

/// The links of a chart: to roll it, and to its odds.
fn links(pack: &Pack, chart: &Chart) -> Markup {
    let (pack, chart) = (pack.id().to_string(), chart.id.to_string());
    html! {
        span.sheet-links {
            a.button.button-small.sheet-play href=(Route::Chart(pack.clone(), chart.clone(), Query::new())) { (icon::die()) (text::PLAY) }
            a.button.button-small href=(Route::Lab(pack, chart, Query::new())) aria-label=(text::ODDS) title=(text::ODDS) { (icon::odds()) }
        }
    }
}

/// The contents of the sheet.
fn contents(pack: &Pack) -> Markup {
    let id = || pack.id().to_string();
    html! {
        nav.sheet-contents aria-label=(text::CONTENTS) {
            ul.game-charts {
                @for chart in pack.charts() {
                    li { button.chip type="button" data-do=(act(&Outer::Sheet(Message::Jump(chart.id.to_string())))) { (chart.title) } }
                }
                @for deck in pack.card_decks() { li { a.chip href=(Route::Deck(id(), deck.id.to_string())) { (icon::card()) (deck.title) } } }
                @for fight in pack.fights() { li { a.chip href=(Route::Fight(id(), fight.id.to_string(), Query::new())) { (icon::odds()) (fight.title) } } }
            }
        }
    }
}

fn turn(pack: &Pack) -> Markup {
    html! {
        @if !pack.phases().is_empty() {
            section.sheet-turn {
                h2 { (text::TURN) }
                ol {
                    @for phase in pack.phases() { li { b { (phase.title) } @if !phase.text.is_empty() { " – " (phase.text) } } }
                }
            }
        }
    }
}

/// Terms, statuses, and rule readings.
fn vocabulary(pack: &Pack) -> Markup {
    html! {
        @if !pack.terms().is_empty() {
            section.sheet-words {
                h2 { (text::TERMS) }
                dl { @for term in pack.terms() { dt { (term.title) } dd { (term.text) } } }
            }
        }
        @if pack.dice().iter().any(Die::has_words) {
            section.sheet-words {
                h2 { (text::DICE) }
                dl { @for die in pack.dice().iter().filter(|die| die.has_words()) { dt { (die.title) } dd { (en::faces_of(die)) } } }
            }
        }
        @if !pack.statuses().is_empty() {
            section.sheet-words {
                h2 { (text::STATUSES) }
                dl {
                    @for status in pack.statuses() {
                        dt { (status.title) }
                        dd { (explained(pack, &status.means)) @if let Some(phase) = status.ends { " " (text::ends_with(&pack.phases()[phase].title)) } }
                    }
                }
            }
        }
        @if !pack.readings().is_empty() {
            details.sheet-words {
                summary { (text::READINGS) }
                dl { @for reading in pack.readings() { dt { (reading.standing.name()) } dd { (reading.text) } } }
            }
        }
    }
}
