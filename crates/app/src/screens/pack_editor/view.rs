//! The HTML of the pack editor: the text on one side, faults, chart and cases on the other; on a
//! phone one below the other.

use super::{Message, Saving, State, form};
use crate::app::{Page, Shared};
use crate::message::{Message as Outer, ViewRegion};
use crate::parts::{FILE_NAME, FILE_TEXT, VALUE, act, form_fields, icon};
use crate::route::Route;
use adjutant_pack::Diagnostic;
use adjutant_wording::en::page::{self as words, pack_editor as text, packs};
use maud::{Markup, PreEscaped, html};

/// How many faults are listed, and how much of a line is shown.
const MOST_SHOWN: usize = 40;
const LONGEST: usize = 72;
/// How long after the last key the text is read, in milliseconds.
const WAIT: &str = "300";
/// Stands for the place of the caret in a message.
const CARET: &str = "$caret";

pub fn page(state: &State, shared: &Shared) -> Page {
    let main = html! {
        article.pack-editor {
            header.chart-head {
                h1 tabindex="-1" { (text::HEAD) }
                p.lead { (text::LEAD) }
                div #editor-start.editor-start data-region {}
            }
            section #editor-files.editor-files data-region aria-label=(text::FILES) {}
            section.editor-text aria-label=(text::TEXT) {
                div #editor-text data-region {}
                div #editor-keys data-region {}
            }
            section #editor-faults.editor-faults data-region aria-label=(text::FAULTS) {}
            section #editor-chart.editor-chart data-region aria-label=(text::CHART) {}
            section #editor-diff.editor-diff data-region aria-label=(text::COMPARE) {}
            section #editor-cases.editor-cases data-region aria-label=(text::CASES) {}
            section #editor-use.editor-use data-region aria-label=(text::USE) {}
        }
    };
    let any = !state.draft.files.is_empty();
    let only = |part: Markup| {
        if any {
            part
        } else {
            html! {}
        }
    };
    let regions = vec![
        ViewRegion::new("editor-start", start(state, shared)),
        ViewRegion::new("editor-files", only(files(state))),
        ViewRegion::new(
            "editor-text",
            only(if state.show_form { chart_form(state) } else { area(state) }),
        ),
        ViewRegion::new(
            "editor-keys",
            if state.show_form {
                html! {}
            } else {
                keys(state)
            },
        ),
        ViewRegion::new("editor-faults", only(faults(state))),
        ViewRegion::new("editor-chart", only(chart(state, shared))),
        ViewRegion::new("editor-diff", only(comparison(state))),
        ViewRegion::new("editor-cases", only(cases(state))),
        ViewRegion::new("editor-use", only(in_use(state, shared))),
    ];
    Page { title: words::title(text::HEAD), main, regions }
}

fn send(message: Message) -> String {
    act(&Outer::PackEditor(message))
}

/// The packs to start from.
fn start(state: &State, shared: &Shared) -> Markup {
    let begin = |id: &str| send(Message::StartFrom(id.to_owned()));
    let ways = html! {
        ul.chips {
            li { a.button.button-small.button-strong href=(Route::PasteSheet) { (icon::import()) (text::PASTE) } }
            li { button.button.button-small type="button" data-do=(begin("")) { (icon::plus()) (text::NEW) } }
            @for id in shared.packs.ids() {
                @if let Some(pack) = shared.packs.pack(id) { li { button.button.button-small type="button" data-do=(begin(id)) { (pack.title()) } } }
            }
            li {
                label.button.button-small.file-button {
                    (icon::import()) (text::IMPORT)
                    input.visually-hidden type="file" accept=".toml,.csv,.md,.adjutant" data-file data-do=(send(Message::Import(FILE_NAME.into(), FILE_TEXT.into())));
                }
            }
        }
        p.hint { (text::IMPORT_HINT) }
    };
    html! {
        @if let Some(why) = &state.refused { p.wrong role="alert" { (why) } }
        @if state.doubt.is_some() {
            div.editor-doubt role="group" aria-label=(text::DOUBT) {
                p { (text::DOUBT) }
                button.button.button-danger type="button" data-do=(send(Message::ConfirmReplace(true))) { (text::REPLACE) }
                button.button type="button" data-do=(send(Message::ConfirmReplace(false))) { (text::LEAVE) }
            }
        } @else if state.draft.files.is_empty() {
            h2 { (text::START) }
            (ways)
        } @else {
            details { summary { (text::START) " …" } (ways) }
        }
    }
}

fn files(state: &State) -> Markup {
    let here = &state.draft.file;
    html! {
        div.tabs role="group" aria-label=(text::FILES) {
            button.tab.tab-form type="button" aria-pressed=(if state.show_form { "true" } else { "false" }) data-do=(send(Message::ShowForm)) { (text::FORM) }
            @for (name, _) in &state.draft.files {
                @let faulty = state.faults.iter().filter(|fault| fault.file == *name).count();
                button.tab type="button" aria-pressed=(if name == here && !state.show_form { "true" } else { "false" }) data-do=(send(Message::OpenFile(name.clone()))) {
                    (name) @if faulty > 0 { " " span.tab-faults { (faulty) span.visually-hidden { " " (text::FAULTS) } } }
                }
            }
        }
        details.editor-more {
            summary { (text::ADD_FILE) " · " (text::EXPORT) }
            form.editor-add data-do=(send(Message::AddFile(form_fields()))) {
                label.field { span.field-label { (text::FILE_NAME) } input type="text" name="name" id="editor-name" maxlength="64" autocomplete="off"; }
                button.button type="submit" { (text::ADD) }
            }
            div.chips {
                button.button.button-small type="button" data-do=(send(Message::Export(here.clone()))) { (text::EXPORT) }
                button.button.button-small type="button" data-do=(send(Message::ExportAll)) { (text::EXPORT_ALL) }
                @if here != "pack.toml" { button.button.button-small.button-danger type="button" data-do=(send(Message::RemoveFile(here.clone()))) { (text::DROP_FILE) } }
            }
            p.hint { (text::SAVED) }
        }
    }
}

/// The text as it was given last. A browser drops the first line end of a text area.
fn area(state: &State) -> Markup {
    let id = state.area();
    html! {
        label.visually-hidden for=(id) { (text::TEXT) " " (state.draft.file) }
        textarea id=(id) data-id=(id) spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" rows="24" maxlength=(super::LARGEST) data-on="input" data-wait=(WAIT) data-do=(send(Message::Edit(VALUE.into()))) data-caret=(send(Message::Caret(CARET.into()))) {
            (PreEscaped("\n")) (state.shown_text)
        }
    }
}

/// The keys and values that fit where the caret rests.
fn keys(state: &State) -> Markup {
    let list = state.completions().list;
    html! {
        @if !list.is_empty() {
            ul.chips aria-label=(text::FITS_HERE) {
                @for (place, one) in list.iter().take(MOST_SHOWN).enumerate() {
                    li { button.button.button-small.button-quiet type="button" title=(one.about) data-do=(send(Message::Complete(place))) { (one.name) } }
                }
            }
        }
        @if let [one] = list.as_slice() { p.hint { (one.about) } }
    }
}

/// The form of the chart that is shown.
fn chart_form(state: &State) -> Markup {
    let whole = state.text_of("pack.toml");
    let found = state.chart.shown().and_then(|chart| form::read(whole, chart));
    let Some(found) = found else { return html! { p.hint { (text::NO_FORM) } } };
    let (results, statuses) = (form::titles(whole, "result"), form::titles(whole, "status"));
    let shown = form::view::Shown {
        form: &found,
        results: &results,
        statuses: &statuses,
        sheet: found.sheet.as_deref().map(|name| state.text_of(name)),
        faults: &state.faults,
    };
    html! { div.pack-form { (shown.view()) } }
}

/// What the changes do, compared with the version in use.
fn comparison(state: &State) -> Markup {
    let comparison = &state.comparison;
    let Some(base) = &comparison.base else {
        return html! { h2 { (text::COMPARE) } p.hint { (text::NO_BASE) } };
    };
    let found = &comparison.found;
    html! {
        h2 { (text::COMPARE) }
        p.hint { (text::compared_with(base.pack.title(), base.shipped)) }
        @if !comparison.is_done() { p.working role="status" { (text::COMPARING) } }
        @else if found.is_empty() && comparison.failing.is_empty() { p.editor-sound { (icon::check()) (text::SAME_RULES) } }
        @for chart in &found.charts {
            div.diff-chart {
                h3 { (chart.title) " " small { (text::chart_change(chart.change)) } }
                @if chart.is_in_both() { ul.differ { @for part in chart.parts.iter().take(MOST_SHOWN) { li { (adjutant_wording::en::part_change(part)) } } } }
                @if let Some(chances) = &chart.chances {
                    p.hint { (text::moved(chances)) }
                    ul.diff-shifts { @for shift in &chances.shifts { li { b { (text::shift(shift)) } @let with = text::situation(shift); @if !with.is_empty() { span.hint { (with) } } } } }
                }
            }
        }
        @if !found.parts.is_empty() {
            h3 { (text::DEFINED_OTHERWISE) }
            ul.differ { @for part in found.parts.iter().take(MOST_SHOWN) { li { (part.name) " " (adjutant_wording::en::part_change(part)) } } }
        }
        @if !comparison.failing.is_empty() {
            h3 { (text::CASES_THAT_FAIL) }
            ol.fault-list { @for failure in comparison.failing.iter().take(MOST_SHOWN) { li.fault { p { b { (failure.name) } } p.fault-what { (adjutant_wording::en::case_failure(&failure.why)) } } } }
        }
    }
}

fn faults(state: &State) -> Markup {
    let count = state.faults.len();
    html! {
        @if count == 0 { p.editor-sound role="status" { (icon::check()) (text::SOUND) } } @else {
            h2 role="status" { (text::faults(count)) }
            @if state.pack.is_some() { p.hint { (text::LAST_SOUND) } }
            ol.fault-list { @for (place, fault) in state.faults.iter().take(MOST_SHOWN).enumerate() { (fault_view(state, place, fault)) } }
            @if count > MOST_SHOWN { p.hint { (text::more_faults(count - MOST_SHOWN)) } }
        }
    }
}

fn fault_view(state: &State, place: usize, fault: &Diagnostic) -> Markup {
    let whole = state.text_of(&fault.file);
    let (line, column) = fault.line_and_column(whole);
    let said = adjutant_wording::en::diagnostic(fault);
    let shown = if fault.span.is_empty() && fault.span.start == 0 {
        None
    } else {
        Some(excerpt(whole, fault, line, column))
    };
    html! {
        li.fault {
            button.fault-place type="button" data-do=(send(Message::ShowFault(place))) { (text::place(&fault.file, line, column)) }
            p.fault-what { (said.message) }
            @if let Some((before, marked, after, caret)) = shown {
                pre.fault-line aria-hidden="true" { (before) mark { (marked) } (after) "\n" (caret) }
            }
            p.hint { (said.help) }
        }
    }
}

/// The line of a fault, clipped: the text before, the fault, the text after, and a caret below.
fn excerpt(
    whole: &str,
    fault: &Diagnostic,
    line: usize,
    column: usize,
) -> (String, String, String, String) {
    let full: Vec<char> = whole
        .lines()
        .nth(line - 1)
        .unwrap_or("")
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .collect();
    let from = (column - 1).min(full.len());
    let length = whole
        .get(fault.span.clone())
        .map_or(1, |part| part.lines().next().unwrap_or("").chars().count())
        .max(1);
    let first = from.saturating_sub(LONGEST / 3);
    let last = full.len().min(first + LONGEST);
    let to = (from + length).min(last).max(from);
    let text =
        |from: usize, to: usize| full.get(from..to).unwrap_or(&[]).iter().collect::<String>();
    let lead = if first > 0 { "…" } else { "" };
    let tail = if last < full.len() { "…" } else { "" };
    let caret = format!(
        "{}{}",
        " ".repeat(lead.chars().count() + from - first),
        "^".repeat((to - from).max(1))
    );
    (
        format!("{lead}{}", text(first, from)),
        text(from, to),
        format!("{}{tail}", text(to, last)),
        caret,
    )
}

fn chart(state: &State, shared: &Shared) -> Markup {
    let Some(pack) = &state.pack else {
        return html! { h2 { (text::CHART) } p.hint { (text::NO_CHART) } };
    };
    html! {
        h2 { (text::CHART) }
        label.field {
            span.field-label { (text::WHICH) }
            select id="editor-which" data-do=(send(Message::ShowChart(VALUE.into()))) {
                @for chart in pack.charts() { option value=(chart.id) selected[state.chart.shown() == Some(chart.id.as_str())] { (chart.title) } }
            }
        }
        @if let Some([out, odds, form, actions]) = state.chart.parts(shared) {
            div.editor-out { (out) }
            div.editor-chances { (odds) }
            div.editor-actions { (actions) }
            div.editor-inputs { (form) }
        }
    }
}

fn cases(state: &State) -> Markup {
    let (trial, size) = (&state.cases.trial, state.cases.size());
    let done = state.cases.done >= size;
    html! {
        h2 { (text::CASES) }
        @if state.draft.old_cases {
            p.hint { (text::OLD_CASES) }
            button.button.button-small type="button" data-do=(send(Message::RunCases)) { (text::RUN_CASES) }
        } @else if size == 0 { p.hint { (text::NO_CASES) } } @else if !done {
            p.working role="status" { (text::RUNNING) }
            progress max=(size) value=(state.cases.done) aria-label=(text::RUNNING) {}
        } @else {
            p.editor-sound.editor-failed[!trial.failures.is_empty()] { @if trial.failures.is_empty() { (icon::check()) } @else { (icon::close()) } (text::passed(trial.passed, trial.failures.len())) }
            ol.fault-list {
                @for failure in trial.failures.iter().take(MOST_SHOWN) { li.fault { p { b { (failure.name) } } p.fault-what { (adjutant_wording::en::case_failure(&failure.why)) } } }
            }
            @if let Some(pack) = &state.pack {
                @let (reached, of) = trial.coverage.count(pack);
                p { (text::reach(reached, of)) }
                @if reached < of {
                    details { summary { (text::MISSING) } ul.differ { @for line in adjutant_wording::en::coverage_lines(pack, &trial.coverage.missing(pack)).into_iter().take(200) { li { (line) } } } }
                }
            }
        }
    }
}

fn in_use(state: &State, shared: &Shared) -> Markup {
    let Some(pack) = &state.pack else { return html! {} };
    let own = !shared.packs.is_shipped(pack.id()) && shared.packs.ids().any(|id| pack.id() == id);
    html! {
        h2 { (text::USE) }
        p.hint { (text::USE_ABOUT) }
        @match &state.saving {
            Saving::Waiting { .. } => p role="status" { (packs::SAVING) },
            Saving::Failed { title, why } => p.wrong { (packs::not_saved(title, why)) },
            Saving::Done => @if own { p { (text::IN_USE) " " a href=(Route::Sheet(pack.id().to_string())) { (pack.title()) } } },
        }
        div.chips {
            button.button type="button" disabled[!state.faults.is_empty()] data-do=(send(Message::Install)) { (if own { text::USE_AGAIN } else { text::USE }) }
            @if own { button.button.button-quiet type="button" data-do=(send(Message::Uninstall)) { (text::TAKE_AWAY) } }
        }
    }
}
