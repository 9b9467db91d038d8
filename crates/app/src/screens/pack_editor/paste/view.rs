//! The HTML of "Paste a sheet": the source in pieces on one side; what is to be checked and a chart
//! that runs on the other. A phone shows one of the three at a time.

use super::blocks::Block;
use super::{Check, Message, Saving, State, Tab, blocks};
use crate::app::{Page, Shared};
use crate::message::{Message as Outer, ViewRegion};
use crate::parts::{FILE_NAME, FILE_TEXT, VALUE, act, icon};
use crate::route::Route;
use adjutant_draft::{Draft, Format, LARGEST_SOURCE, PieceKind};
use adjutant_wording::en::page::{self as words, packs, paste_sheet as text};
use maud::{Markup, PreEscaped, html};

/// How many lines of the source and how many checks are shown.
const MOST_LINES: usize = 2000;
const MOST_CHECKS: usize = 200;
/// How long after the last key the text is read, in milliseconds.
const WAIT: &str = "400";

fn send(message: Message) -> String {
    act(&Outer::PackEditor(super::super::Message::Paste(message)))
}

/// The id of the element of a piece.
pub fn piece_id(at: usize) -> String {
    format!("piece-{at}")
}

pub fn page(state: &State, shared: &Shared, saving: &Saving) -> Page {
    let drafted = state.draft.is_some();
    let tab = match state.tab {
        Tab::Source => "source",
        Tab::Check => "check",
        Tab::Chart => "chart",
    };
    let main = html! {
        article.paste data-tab=(tab) data-drafted[drafted] {
            header.chart-head {
                h1 tabindex="-1" { (text::HEAD) }
                @if !drafted { p.lead { (text::LEAD) } }
            }
            div #paste-top.paste-top data-region {}
            @if drafted {
                div #paste-tabs.tabs.paste-tabs data-region role="group" aria-label=(text::TABS) {}
                section #paste-source.paste-source data-region aria-label=(text::SOURCE) {}
                section #paste-check.paste-check data-region aria-label=(text::CHECK) {}
                section #paste-chart.paste-chart data-region aria-label=(text::CHART) {}
            }
        }
    };
    let mut regions = vec![ViewRegion::new("paste-top", top(state, shared, saving))];
    if let Some(draft) = &state.draft {
        regions.extend([
            ViewRegion::new("paste-tabs", tabs(state)),
            ViewRegion::new("paste-source", source(state, draft)),
            ViewRegion::new("paste-check", checks(state)),
            ViewRegion::new("paste-chart", chart(state, shared)),
        ]);
    }
    Page { title: words::title(text::HEAD), main, regions }
}

/// The box to paste into, or what became of the text.
fn top(state: &State, shared: &Shared, saving: &Saving) -> Markup {
    html! {
        @if let Some(error) = &state.error {
            p.wrong role="alert" { (text::refused(&adjutant_wording::en::draft_error(error))) }
        }
        @if let Some(draft) = &state.draft { (summary(state, draft, shared, saving)) } @else { (empty(state)) }
    }
}

fn empty(state: &State) -> Markup {
    html! {
        (whole_text(state, 14))
        div.chips {
            label.button.file-button {
                (icon::import()) (text::OPEN_FILE)
                input.visually-hidden type="file" accept=".txt,.md,.markdown,.html,.htm,.csv,.tsv,text/*" data-file data-do=(send(Message::Import(FILE_NAME.into(), FILE_TEXT.into())));
            }
            button.button type="button" data-do=(send(Message::Example)) { (text::EXAMPLE) }
        }
        p.hint { (text::FILE_HINT) }
    }
}

/// The whole source as one field. A browser drops the first line end of a text area.
fn whole_text(state: &State, rows: usize) -> Markup {
    let id = format!("paste-box-{}", state.turn);
    html! {
        label.field {
            span.field-label { (text::BOX) }
            textarea.paste-box id=(id) data-id=(id) rows=(rows) maxlength=(LARGEST_SOURCE) placeholder=(text::PLACEHOLDER) spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" data-paste=(send(Message::Source(VALUE.into()))) data-on="input" data-wait=(WAIT) data-do=(send(Message::Source(VALUE.into()))) {
                (PreEscaped("\n")) (state.saved.source)
            }
        }
    }
}

fn summary(state: &State, draft: &Draft, shared: &Shared, saving: &Saving) -> Markup {
    let used = state.saved.used.as_ref().map(|(id, _)| id.clone());
    let used = used.filter(|id| shared.packs.ids().any(|known| known == id));
    let hash = super::files(draft).hash();
    let unchanged = used.is_some() && state.given() == Some(hash.as_str());
    let failed = matches!(saving, Saving::Failed { .. });
    let label = match (&used, unchanged) {
        (_, true) => packs::SAVE_AGAIN,
        (Some(_), false) => text::USE_AGAIN,
        (None, false) => text::USE,
    };
    html! {
        label.field.paste-title {
            span.field-label { (text::TITLE) }
            input id="paste-title" type="text" maxlength="80" autocomplete="off" value=(draft.title) data-do=(send(Message::Title(VALUE.into())));
        }
        p.paste-account role="status" { (text::account(draft.charts.len(), &draft.account())) }
        @if !state.is_saved() { p.hint { (text::NOT_SAVED) } }
        @if state.ask_use { (doubt(text::USE_DOUBT, (Message::ConfirmUse(true), text::REPLACE), Message::ConfirmUse(false))) }
        @else if state.ask_clear { (doubt(text::CLEAR_DOUBT, (Message::Clear, text::CLEAR), Message::AskClear(false))) }
        @else {
            div.chips {
                @if failed || !unchanged { button.button.button-strong #paste-use type="button" disabled[state.pack.is_none()] data-do=(send(Message::Use)) { (icon::check()) (label) } }
                button.button type="button" data-do=(send(Message::EditAll(!state.edit_all))) { (if state.edit_all { text::SHOW_PIECES } else { text::EDIT_ALL }) }
                button.button.button-quiet type="button" data-do=(send(Message::AskClear(true))) { (text::START_AGAIN) }
            }
        }
        @if let Some(id) = used {
            div.paste-used.paste-unsaved[failed] {
                @match saving {
                    Saving::Waiting { .. } => p { (packs::SAVING) },
                    Saving::Failed { title, why } => p.wrong { (packs::not_saved(title, why)) },
                    Saving::Done => p { (icon::check()) (text::used(&draft.title)) },
                }
                div.chips {
                    a.button.button-small href=(Route::Sheet(id.clone())) { (text::OPEN_SHEET) }
                    a.button.button-small href=(Route::NewTable(Some(id.clone()))) { (text::NEW_GAME) }
                    a.button.button-small href=(Route::SharePack(id)) { (text::SHARE) }
                    a.button.button-small href=(Route::PackEditor) { (text::EDIT_PACK) }
                }
            }
        }
    }
}

fn doubt(question: &str, yes: (Message, &str), no: Message) -> Markup {
    html! {
        div.editor-doubt role="group" aria-label=(question) {
            p { (question) }
            button.button.button-danger type="button" data-do=(send(yes.0)) { (yes.1) }
            button.button type="button" data-do=(send(no)) { (text::CANCEL) }
        }
    }
}

fn tabs(state: &State) -> Markup {
    let check = text::to_check(state.left());
    html! {
        @for (tab, label) in [(Tab::Source, text::SOURCE), (Tab::Check, check.as_str()), (Tab::Chart, text::CHART)] {
            button.tab type="button" aria-pressed=(if state.tab == tab { "true" } else { "false" }) data-do=(send(Message::Tab(tab))) { (label) }
        }
    }
}

fn source(state: &State, draft: &Draft) -> Markup {
    if state.edit_all {
        return whole_text(state, 24);
    }
    let mut left = MOST_LINES;
    let shown = state.blocks.iter().take_while(|block| {
        let fits = left > 0;
        left = left.saturating_sub(block.rows.len());
        fits
    });
    let shown: Vec<&Block> = shown.collect();
    let hidden: usize = state.blocks[shown.len()..].iter().map(|block| block.rows.len()).sum();
    html! {
        h2 { (text::SOURCE) }
        p.hint { (text::SOURCE_HINT) }
        ol.pieces {
            @for block in shown { (piece(state, draft, block)) }
        }
        @if hidden > 0 { p.hint { (text::more_lines(hidden)) } }
    }
}

/// The class that gives a kind its colour.
fn class(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Title => "piece-title",
        PieceKind::Roll => "piece-roll",
        PieceKind::Modifiers => "piece-modifiers",
        PieceKind::Bands => "piece-bands",
        PieceKind::Grid => "piece-grid",
        PieceKind::Definitions => "piece-terms",
        PieceKind::Phases => "piece-phases",
        PieceKind::Note => "piece-note",
        PieceKind::Ignored => "piece-ignored",
        PieceKind::NotUnderstood => "piece-lost",
    }
}

fn piece(state: &State, draft: &Draft, block: &Block) -> Markup {
    let open = state.open_block().is_some_and(|open| std::ptr::eq(open, block));
    let checks = draft.guesses.iter().filter(|guess| block.holds(guess.at.start)).count();
    let titles = draft.charts.iter().filter(|chart| block.charts.contains(&chart.id));
    let titles: Vec<&str> = titles.map(|chart| chart.title.as_str()).collect();
    let id = piece_id(block.start());
    html! {
        li.piece-item data-id=(id) {
            button.piece.(class(block.kind)) id=(id) type="button" aria-expanded=(if open { "true" } else { "false" }) data-do=(send(Message::Select(block.start()))) {
                span.piece-label {
                    b.piece-kind { (text::kind(block.kind)) }
                    small { (text::lines(block.lines.0, block.lines.1)) }
                    @if block.kind != PieceKind::Title && !titles.is_empty() { small.piece-charts { (titles.join(", ")) } }
                    @if checks > 0 { small.piece-checks { (text::piece_checks(checks)) } }
                }
                span.piece-text { @for row in &block.rows { (line(state, draft, block, row)) } }
            }
            @if open { (menu(state, draft, block)) }
        }
    }
}

fn line(state: &State, draft: &Draft, block: &Block, row: &blocks::Row) -> Markup {
    let parts = block.parts(row, &state.saved.source, draft);
    if parts.is_empty() && draft.format == Format::Html {
        return html! {};
    }
    html! {
        span.piece-line {
            (" ".repeat(row.indent))
            @for part in parts { @if part.guess.is_some() { mark { (part.text) } } @else { (part.text) } }
        }
    }
}

/// What can be done with the open lines.
fn menu(state: &State, draft: &Draft, block: &Block) -> Markup {
    let Some(open) = state.open else { return html! {} };
    let lines = blocks::lines_at(&state.saved.source, open.first, open.last);
    let lines = state.saved.source.get(lines).unwrap_or_default();
    let lines = lines.strip_suffix('\n').unwrap_or(lines);
    let area = format!("piece-area-{}", state.turn);
    let kinds = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::NotUnderstood);
    let bound = |value: u32, label: &str, id: &str, message: fn(String) -> Message| {
        html! {
            label.field { span.field-label { (label) } input id=(id) type="number" inputmode="numeric" min=(block.lines.0) max=(block.lines.1) value=(value) data-do=(send(message(VALUE.into()))); }
        }
    };
    html! {
        div.piece-menu role="group" aria-label=(text::KIND) {
            p.field-label { (text::KIND) }
            div.chips {
                @for kind in kinds {
                    button.button.button-small type="button" aria-pressed=(if kind == block.kind { "true" } else { "false" }) data-do=(send(Message::Is(kind))) { (text::kind(kind)) }
                }
                @if state.is_corrected() { button.button.button-small.button-quiet type="button" data-do=(send(Message::Automatic)) { (icon::undo()) (text::AUTOMATIC) } }
            }
            @if block.lines.0 < block.lines.1 {
                div.piece-bounds {
                    (bound(open.first, text::FROM_LINE, "piece-from", Message::FromLine))
                    (bound(open.last, text::TO_LINE, "piece-to", Message::ToLine))
                }
            }
            label.field {
                span.field-label { (text::LINES_TEXT) }
                textarea id=(area) data-id=(area) rows=((open.last + 1 - open.first).clamp(1, 12)) spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" data-on="input" data-wait=(WAIT) data-do=(send(Message::EditLines(VALUE.into()))) {
                    (PreEscaped("\n")) (lines)
                }
            }
            div.chips {
                @for chart in draft.charts.iter().filter(|chart| block.charts.contains(&chart.id)) {
                    button.button.button-small type="button" data-do=(send(Message::ShowChart(chart.id.clone()))) { (icon::die()) (text::show_chart(&chart.title)) }
                }
                button.button.button-small.button-quiet type="button" data-back data-do=(send(Message::Select(open.at))) { (icon::close()) (text::CLOSE) }
            }
        }
    }
}

fn checks(state: &State) -> Markup {
    html! {
        h2 { (text::to_check(state.left())) }
        @if state.left() == 0 { p.editor-sound role="status" { (icon::check()) (text::ALL_CHECKED) } }
        @if !state.checks.is_empty() {
            p.hint { (text::CHECK_HINT) }
            ul.check-list { @for (place, check) in state.checks.iter().take(MOST_CHECKS).enumerate() { (check_view(state, place, check)) } }
        }
    }
}

fn check_view(state: &State, place: usize, check: &Check) -> Markup {
    let ticked = state.saved.ticked.contains(&check.key());
    let charts = state.draft.iter().flat_map(|draft| &draft.charts);
    let title = charts
        .filter(|chart| check.chart.as_ref() == Some(&chart.id))
        .map(|chart| &chart.title)
        .next();
    html! {
        li.check.check-done[ticked] {
            button.check-place type="button" data-do=(send(Message::ShowCheck(place))) {
                b { (text::line(check.line)) @if let Some(title) = title { ", " (title) } } ": " (check.sentence)
                @if !check.shown.is_empty() && !check.sentence.contains(&check.shown) { span.check-printed { (check.shown) } }
            }
            button.check-tick type="button" aria-label=(text::RIGHT) aria-pressed=(if ticked { "true" } else { "false" }) data-do=(send(Message::Tick(place))) { (icon::check()) }
        }
    }
}

fn chart(state: &State, shared: &Shared) -> Markup {
    let shown = state.pack.as_ref().filter(|pack| !pack.charts().is_empty());
    let Some(pack) = shown else {
        return html! { h2 { (text::CHART) } p.hint { (text::NO_CHARTS) } };
    };
    let here = state.chart.shown();
    html! {
        h2 { (text::CHART) }
        select id="paste-which" aria-label=(text::CHART) data-do=(send(Message::ShowChart(VALUE.into()))) {
            @for chart in pack.charts() { option value=(chart.id) selected[here == Some(chart.id.as_str())] { (chart.title) } }
        }
        @if let Some([out, odds, form, actions]) = state.chart.parts(shared) {
            div.editor-out { (out) }
            div.editor-chances { (odds) }
            div.editor-actions { (actions) }
            div.editor-inputs { (form) }
        }
        @if let Some(id) = here {
            button.button.button-small.button-quiet type="button" data-do=(send(Message::ShowInSource(id.to_owned()))) { (text::SHOW_IN_SOURCE) }
        }
    }
}
