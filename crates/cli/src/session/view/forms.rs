//! The screens that stand in the middle: lists to choose from, the form of a chart with its odds,
//! the pad for own dice, what came of a roll, and forms for what is done by hand.

use super::{keep_in_view, pane, rows_into};
use crate::session::entries::{Entries, Entry, Kind};
use crate::session::form::Form;
use crate::session::look::{Look, fit, pad, wrap};
use crate::session::odds::Chances;
use crate::session::picker::Picker;
use crate::session::result_view::{ResultView, Row};
use crate::session::rolling::Ask;
use crate::session::state::{Screen, State};
use adjutant_dice::{Accepts, Wanted};
use adjutant_engine::{Chance, Distribution, OddsReport};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// Draws one of them.
pub fn screen(state: &State, frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    match screen {
        Screen::Charts(picker, unit) => {
            let name = unit
                .as_ref()
                .and_then(|id| state.table().state().unit(id))
                .map(|unit| unit.name.as_str());
            let title =
                name.map_or("Play a chart".to_owned(), |name| format!("Play a chart with {name}"));
            list(state, frame, area, &title, picker);
        }
        Screen::Units(picker, role) => {
            let role = role.replace('_', " ");
            let title = if picker.many {
                format!("Tick every {role}")
            } else {
                format!("Who is the {role}?")
            };
            list(state, frame, area, &title, picker);
        }
        Screen::Form(form) => chart(state, frame, area, form),
        Screen::Ask(ask) => asked(state, frame, area, ask),
        Screen::Result(down) => {
            if let Some(last) = &state.last {
                told(state, frame, area, last, *down, true);
            }
        }
        Screen::Edit(edit) => {
            let inner = pane(state.look, frame, area, &edit.title, "", true);
            entries(state.look, frame, inner, &edit.entries);
        }
        Screen::Confirm(..) | Screen::Help(_) => {}
    }
}

fn list(state: &State, frame: &mut Frame<'_>, area: Rect, title: &str, picker: &Picker) {
    let look = state.look;
    let shown = picker.shown();
    let inner =
        pane(look, frame, area, title, &format!("{} of {}", shown.len(), picker.items.len()), true);
    if inner.height < 2 {
        return;
    }
    let filter = match picker.filter.is_empty() {
        true => Line::from(vec![
            Span::styled(" ▏", look.accent()),
            Span::styled("type to find", look.dim()),
        ]),
        false => Line::from(vec![
            Span::raw(format!(" {}", picker.filter)),
            Span::styled("▏", look.accent()),
        ]),
    };
    frame.buffer_mut().set_line(inner.x, inner.y, &filter, inner.width);
    let width = inner.width as usize;
    let row = |(place, item): (usize, &&crate::session::picker::Item)| {
        let here = place == picker.at;
        let tick = match (picker.many, picker.ticked.contains(&item.id)) {
            (false, _) => "",
            (true, true) => "[x] ",
            (true, false) => "[ ] ",
        };
        let style = match (here, item.offered) {
            (true, _) => look.accent(),
            (false, true) => Style::new(),
            (false, false) => look.dim(),
        };
        let note = fit(&item.note, width / 2);
        let text = pad(&format!("{tick}{}", item.text), width.saturating_sub(note.width() + 4));
        Line::from(vec![
            Span::styled(if here { "▸ " } else { "  " }, look.accent()),
            Span::styled(text, style),
            Span::styled(format!(" {note}"), look.dim()),
        ])
    };
    let mut rows: Vec<Line<'_>> = shown.iter().enumerate().map(row).collect();
    if rows.is_empty() {
        rows.push(Line::styled("  Nothing is called so. Esc shows all again.", look.dim()));
    }
    let about = shown.get(picker.at).map_or("", |item| item.about.as_str());
    let about: Vec<Line<'_>> = match about.is_empty() || inner.height < 10 {
        true => Vec::new(),
        false => wrap(about, width.saturating_sub(2))
            .into_iter()
            .map(|row| Line::styled(format!(" {row}"), look.dim()))
            .collect(),
    };
    let foot = (about.len() as u16).min(inner.height / 3);
    let place = Rect { y: inner.y + 1, height: inner.height - 1 - foot, ..inner };
    rows_into(frame, place, &rows, keep_in_view(rows.len(), place.height as usize, picker.at));
    rows_into(frame, Rect { y: place.bottom(), height: foot, ..inner }, &about, 0);
}

fn chart(state: &State, frame: &mut Frame<'_>, area: Rect, form: &Form) {
    let (look, table) = (state.look, state.table());
    let title = form.attempt.chart(table).map_or("A chart", |chart| chart.title.as_str());
    let aside = if form.attempt.request().pending.is_some() { "due" } else { "" };
    let inner = pane(
        look,
        frame,
        area,
        title,
        aside,
        !matches!(state.screens.last(), Some(Screen::Ask(_))),
    );
    let odds = odds_rows(state, inner.width as usize);
    // Room for a remark is left, so that the odds do not move with it.
    let wanted = entry_rows(look, &form.entries, inner.width as usize, false).0.len() as u16 + 4;
    let odds_height = (odds.len() as u16 + 1)
        .min((inner.height / 2).max(inner.height.saturating_sub(wanted + 1)));
    let mut top = Rect { height: inner.height - odds_height, ..inner };
    if let Some(due) = form.attempt.test(table) {
        let why = fit(&format!(" {}", due.why), inner.width as usize);
        frame.buffer_mut().set_line(top.x, top.y, &Line::styled(why, look.dim()), top.width);
        top = Rect { y: top.y + 1, height: top.height.saturating_sub(1), ..top };
    }
    if form.attempt.is_underway() {
        let text = " Dice are rolled; Enter continues.";
        frame.buffer_mut().set_line(top.x, top.y, &Line::styled(text, look.status()), top.width);
        top = Rect { y: top.y + 1, height: top.height.saturating_sub(1), ..top };
    }
    top.height = top.height.min(wanted);
    entries(look, frame, top, &form.entries);
    let place = Rect { y: top.bottom(), height: odds_height, ..inner };
    let inner =
        pane(look, frame, place, "Odds", if state.weighing { "weighing …" } else { "" }, false);
    rows_into(frame, inner, &odds, 0);
}

/// A list of entries, the chosen one in view with its remark under it.
fn entries(look: Look, frame: &mut Frame<'_>, area: Rect, entries: &Entries) {
    let (mut rows, chosen) = entry_rows(look, entries, area.width as usize, true);
    if rows.is_empty() {
        rows.push(Line::styled("  Nothing needs to be said.", look.dim()));
    }
    // The remark under the chosen entry belongs into view with it.
    rows_into(frame, area, &rows, keep_in_view(rows.len(), area.height as usize, chosen + 1));
}

/// Its rows, with the remark or without, and which of them is chosen.
fn entry_rows(
    look: Look,
    entries: &Entries,
    width: usize,
    remarks: bool,
) -> (Vec<Line<'static>>, usize) {
    let labels = entries
        .list
        .iter()
        .filter(|entry| entry.kind != Kind::YesNo)
        .map(|entry| entry.label.width())
        .max()
        .unwrap_or(0);
    let label_width = labels.min(width * 2 / 5).max(6);
    let (mut rows, mut chosen) = (Vec::new(), 0);
    for (place, entry) in entries.list.iter().enumerate() {
        let here = place == entries.at && !entry.settled;
        if here {
            chosen = rows.len();
        }
        rows.push(entry_row(look, entry, here, label_width, width));
        if !entry.under.is_empty() {
            let room = width.saturating_sub(label_width + 4);
            let parts = wrap(&entry.under, room).into_iter();
            rows.extend(parts.map(|part| {
                Line::styled(format!("{}{part}", " ".repeat(label_width + 4)), look.dim())
            }));
        }
        let remark = entry.fault().unwrap_or_else(|| entry.note.clone());
        if here && remarks && !remark.is_empty() {
            let style = if entry.fault().is_some() { look.bad() } else { look.dim() };
            rows.extend(
                wrap(&remark, width.saturating_sub(5))
                    .into_iter()
                    .map(|row| Line::styled(format!("    {row}"), style)),
            );
        }
    }
    (rows, chosen)
}

fn entry_row(
    look: Look,
    entry: &Entry,
    here: bool,
    label_width: usize,
    width: usize,
) -> Line<'static> {
    let mark = match (here, entry.missing && entry.value.trim().is_empty()) {
        (true, _) => Span::styled("▸ ", look.accent()),
        (false, true) => Span::styled("? ", look.status()),
        (false, false) => Span::raw("  "),
    };
    let style = match (here, entry.settled) {
        (true, _) => look.accent(),
        (false, true) => look.dim(),
        (false, false) => Style::new(),
    };
    if entry.kind == Kind::YesNo {
        let tick = if entry.is_yes() { "[x] " } else { "[ ] " };
        let text = fit(&entry.label, width.saturating_sub(6));
        return Line::from(vec![
            mark,
            Span::styled(tick, if entry.is_yes() { look.accent() } else { style }),
            Span::styled(text, style),
        ]);
    }
    let room = width.saturating_sub(label_width + 5);
    let shown = entry.word().map(|word| word.label.to_string());
    let value = match (&entry.kind, entry.value.is_empty()) {
        (Kind::Role { .. }, true) => {
            Span::styled(if here { "Enter chooses" } else { "–" }, look.dim())
        }
        (Kind::Choice(_), _) if here => Span::styled(
            fit(&format!("‹ {} ›", shown.unwrap_or_else(|| "?".into())), room),
            look.strong(),
        ),
        (Kind::Choice(_), _) => Span::styled(
            fit(&shown.unwrap_or_else(|| "–".into()), room),
            if entry.value.is_empty() { look.dim() } else { Style::new() },
        ),
        (Kind::Text | Kind::Number(_), false) if here => {
            // The end of a long text is where it is typed.
            let text: String = entry
                .value
                .chars()
                .rev()
                .take(room.saturating_sub(1))
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect();
            Span::styled(format!("{text}▏"), look.strong())
        }
        (Kind::Text | Kind::Number(_), true) => {
            let text = if entry.default.is_empty() { "–" } else { &entry.default };
            Span::styled(if here { format!("▏{text}") } else { text.to_owned() }, look.dim())
        }
        _ => Span::styled(fit(&entry.value, room), Style::new()),
    };
    Line::from(vec![
        mark,
        Span::styled(pad(&entry.label, label_width), style),
        Span::raw("  "),
        value,
    ])
}

/// The odds for exactly what is said, or why there are none yet.
fn odds_rows(state: &State, width: usize) -> Vec<Line<'static>> {
    let look = state.look;
    let dim = |text: &str| {
        wrap(text, width.saturating_sub(2))
            .into_iter()
            .map(|row| Line::styled(format!(" {row}"), look.dim()))
            .collect()
    };
    match &state.chances {
        Chances::Waiting => dim("weighing …"),
        Chances::Not(why) => dim(why),
        Chances::Known(report) => report_rows(state, report, width),
    }
}

/// One part for each way in which questions on the way may be answered.
fn report_rows(state: &State, report: &OddsReport, width: usize) -> Vec<Line<'static>> {
    let look = state.look;
    let table = state.table();
    let asked = state
        .form()
        .and_then(|form| form.attempt.chart(table))
        .map(|chart| adjutant_engine::questions(table.pack(), chart))
        .unwrap_or_default();
    let prompt = |key: &str| {
        asked
            .iter()
            .find(|known| known.key == key)
            .map_or(key.to_owned(), |known| known.prompt.clone())
    };
    let parts: Vec<Vec<(String, &Chance)>> =
        report.branches.iter().map(|branch| spread_list(state, &branch.spread)).collect();
    let label =
        parts.iter().flatten().map(|(text, _)| text.width()).max().unwrap_or(0).min(width * 2 / 5);
    let mut rows = Vec::new();
    for (branch, list) in report.branches.iter().zip(parts) {
        if !branch.answers.is_empty() {
            let said: Vec<String> = branch
                .answers
                .iter()
                .map(|(key, answer)| format!("{} {answer}", prompt(key)))
                .collect();
            let said = wrap(&format!("If asked: {}", said.join("; ")), width.saturating_sub(2))
                .into_iter();
            rows.extend(said.map(|row| Line::styled(format!(" {row}"), look.strong())));
        }
        rows.extend(list.iter().map(|(text, chance)| bar(look, text, chance, label, width)));
        if let Some(mean) = branch.spread.mean().filter(|_| branch.spread.values.len() > 1) {
            rows.push(Line::styled(
                format!(" {} {:.2}", pad("On average", label.max(10)), mean.value()),
                look.dim(),
            ));
        }
    }
    rows
}

/// What can come, in the order of the sheet, with its chance.
fn spread_list<'a>(state: &State, spread: &'a Distribution) -> Vec<(String, &'a Chance)> {
    let name =
        |id: &str| state.table().state().unit(id).map_or(id.to_owned(), |unit| unit.name.clone());
    let place = |id: &str| state.table().pack().results().iter().position(|result| result.id == id);
    let two = spread
        .results
        .iter()
        .any(|a| spread.results.iter().any(|b| a.title == b.title && a.on != b.on));
    let mut results: Vec<&adjutant_engine::OutcomeChance> = spread.results.iter().collect();
    results.sort_by_key(|result| (result.of.clone(), place(&result.id)));
    let mut list: Vec<(String, &Chance)> = Vec::new();
    for result in results {
        let of = result.of.as_ref().map(|of| format!("{}: ", name(of))).unwrap_or_default();
        let on =
            result.on.as_ref().filter(|_| two).map(|on| format!(" ({on})")).unwrap_or_default();
        list.push((format!("{of}{}{on}", result.title), &result.chance));
    }
    if list.is_empty() {
        list.extend(spread.values.iter().map(|(value, chance)| (value.to_string(), chance)));
    }
    list.extend(spread.labelled_also().map(|(also, label)| {
        let label = label.map_or(String::new(), |label| format!(" – {label}"));
        (format!("+ {}{label}", also.title), &also.chance)
    }));
    list
}

/// A bar: heavy as far as the chance goes, light for the rest, and the number beside it.
fn bar(look: Look, text: &str, chance: &Chance, label: usize, width: usize) -> Line<'static> {
    let percent = chance.percent();
    let number =
        adjutant_engine::percent_in_words(percent).replacen("< ", "<", 1).replacen("> ", ">", 1);
    let room = width.saturating_sub(label + 12);
    let full = ((percent / 100.0 * room as f64).round() as usize).min(room);
    Line::from(vec![
        Span::raw(format!(" {} ", pad(text, label))),
        Span::styled("━".repeat(full), look.bar()),
        Span::styled("─".repeat(room - full), look.dim()),
        Span::styled(format!(" {number:>7}"), look.strong()),
    ])
}

/// The faces of a named die with the numbers that are typed for them.
fn numbered(faces: &[adjutant_dice::Text]) -> String {
    let all = (1..).zip(faces).map(|(place, face): (u32, _)| format!("{place} {face}"));
    all.collect::<Vec<_>>().join(", ")
}

/// Something asked in mid-course.
fn asked(state: &State, frame: &mut Frame<'_>, area: Rect, ask: &Ask) {
    let look = state.look;
    let (title, mut rows) = match &ask.need.wanted {
        Wanted::Dice { count, sides, faces } => (
            match faces.is_empty() {
                true => format!("Roll {count}d{sides}"),
                false => format!("Roll {count} dice: {}", numbered(faces)),
            },
            pad_rows(look, ask, *count, *sides, area.width as usize),
        ),
        Wanted::Card { deck } => {
            let sheet = state.table().pack().deck(deck);
            let title = ask
                .typed
                .parse()
                .ok()
                .and_then(|number| sheet?.card(number))
                .map(|card| card.title.to_string());
            let typed = Line::from(vec![
                Span::raw("  Card number  "),
                Span::styled(format!("{}▏", ask.typed), look.accent()),
                Span::raw("  "),
                Span::raw(title.unwrap_or_default()),
            ]);
            let deck = sheet.map_or(deck.as_str(), |sheet| sheet.title.as_str());
            (format!("Draw a card: {deck}"), vec![Line::default(), typed])
        }
        Wanted::Answer { accepts } | Wanted::Input { accepts } => {
            ("A question".to_owned(), answer_rows(look, ask, accepts))
        }
    };
    let inner = pane(look, frame, area, &title, "", true);
    let what =
        wrap(&adjutant_wording::en::what_for(&ask.need), (inner.width as usize).saturating_sub(2));
    let mut all: Vec<Line<'_>> =
        what.into_iter().map(|row| Line::styled(format!(" {row}"), look.strong())).collect();
    all.append(&mut rows);
    if matches!(&ask.need.wanted, Wanted::Dice { .. } | Wanted::Card { .. }) {
        all.push(Line::default());
        all.push(Line::styled("  t: let the program roll this one", look.dim()));
    }
    rows_into(frame, inner, &all, 0);
}

/// A die for each face, in rows as the width allows.
fn pad_rows(look: Look, ask: &Ask, count: u32, sides: u32, width: usize) -> Vec<Line<'static>> {
    let across = (width.saturating_sub(2) / 7).max(1);
    let faces: Vec<String> = (0..count.min(200) as usize)
        .map(|place| match (ask.faces.get(place), place == ask.faces.len()) {
            (Some(face), _) => face.to_string(),
            (None, true) if !ask.typed.is_empty() => ask.typed.clone(),
            (None, true) => "▏".into(),
            (None, false) => " ".into(),
        })
        .collect();
    let mut rows = vec![Line::default()];
    for (nth, row) in faces.chunks(across).enumerate() {
        let style = |place: usize| {
            if nth * across + place == ask.faces.len() { look.accent() } else { Style::new() }
        };
        let part = |text: &dyn Fn(&str) -> String| {
            Line::from(
                row.iter()
                    .enumerate()
                    .map(|(place, face)| Span::styled(text(face), style(place)))
                    .collect::<Vec<_>>(),
            )
        };
        rows.push(part(&|_| " ╭───╮ ".into()));
        rows.push(part(&|face| format!(" │{}│ ", centred(face))));
        rows.push(part(&|_| " ╰───╯ ".into()));
    }
    let hint = match sides {
        0..=9 => format!("  Keys 1 to {sides}, one for each die; Enter when all are there."),
        10 => "  Keys 1 to 9, 0 for ten, one for each die; Enter when all are there.".into(),
        _ => format!("  Type a face from 1 to {sides}, then Space; Enter when all are there."),
    };
    rows.extend(
        wrap(&hint, width.saturating_sub(4))
            .into_iter()
            .map(|row| Line::styled(format!("  {row}"), look.dim())),
    );
    rows
}

fn centred(face: &str) -> String {
    let face = fit(face, 3);
    match face.width() {
        1 => format!(" {face} "),
        2 => format!(" {face}"),
        _ => face,
    }
}

fn answer_rows(look: Look, ask: &Ask, accepts: &Accepts) -> Vec<Line<'static>> {
    let choices: Vec<String> = match accepts {
        Accepts::YesNo => vec!["yes (y)".into(), "no (n)".into()],
        Accepts::Choice { words } => words
            .iter()
            .enumerate()
            .map(|(place, word)| format!("{}  {}", place + 1, word.label))
            .collect(),
        Accepts::Number { .. } => {
            let typed = Line::from(vec![
                Span::raw("  "),
                Span::styled(format!("{}▏", ask.typed), look.accent()),
            ]);
            return vec![
                Line::default(),
                typed,
                Line::styled(format!("  {}", adjutant_wording::en::accepted(accepts)), look.dim()),
            ];
        }
    };
    let row = |(place, text): (usize, String)| {
        let here = place == ask.at;
        Line::styled(
            format!("{} {text}", if here { " ▸" } else { "  " }),
            if here { look.accent() } else { Style::new() },
        )
    };
    std::iter::once(Line::default()).chain(choices.into_iter().enumerate().map(row)).collect()
}

/// What came of a roll.
pub fn told(
    state: &State,
    frame: &mut Frame<'_>,
    area: Rect,
    told: &ResultView,
    down: usize,
    focus: bool,
) {
    let look = state.look;
    let inner = pane(look, frame, area, &told.title, &format!("event {}", told.n), focus);
    let mut rows = Vec::new();
    for (row, indent, text) in &told.rows {
        let style = match row {
            Row::Result => look.good(),
            Row::Head => look.strong(),
            Row::Plain => Style::new(),
            Row::Dim => look.dim(),
            Row::Effect => look.status(),
            Row::Due => look.accent(),
        };
        if text.is_empty() {
            rows.push(Line::default());
            continue;
        }
        // Numbers of modifiers are lined up by leading spaces, which breaking into rows would drop.
        let lead = text.len() - text.trim_start().len();
        let room = (inner.width as usize).saturating_sub(indent + lead + 2);
        let parts = wrap(text, room).into_iter();
        rows.extend(
            parts.map(|part| Line::styled(format!(" {}{part}", " ".repeat(indent + lead)), style)),
        );
    }
    rows_into(frame, inner, &rows, down);
}
