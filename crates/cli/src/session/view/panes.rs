//! The pending tests, the next of them first, and the log with the newest event at the foot.

use super::{keep_in_view, pane, rows_into};
use crate::session::look::{fit, wrap};
use crate::session::sealed;
use crate::session::state::{Focus, State};
use adjutant_game::PendingTest;
use adjutant_wording::en;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// How many rows the pending tests take with their title.
pub fn pending_height(state: &State, width: u16) -> u16 {
    2 + u16::try_from(pending_rows(state, width as usize).0.len()).unwrap_or(u16::MAX).min(200)
}

/// Draws the pending tests.
pub fn pending(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let focus = state.focus == Focus::Pending && state.screens.is_empty();
    let count = state.table().state().pending.len();
    let aside = if count == 0 { String::new() } else { count.to_string() };
    let inner = pane(state.look, frame, area, "Due now", &aside, focus);
    let (rows, chosen) = pending_rows(state, inner.width as usize);
    rows_into(frame, inner, &rows, keep_in_view(rows.len(), inner.height as usize, chosen));
}

fn pending_rows(state: &State, width: usize) -> (Vec<Line<'static>>, usize) {
    let look = state.look;
    let guide = state.table().guide();
    let (mut rows, mut chosen) = (called(state, width), 0);
    let says = en::guide(state.table(), &guide);
    for ending in says.iter().take(guide.endings.len()) {
        rows.extend(
            wrap(ending, width.saturating_sub(2))
                .into_iter()
                .map(|row| Line::styled(format!("  {row}"), look.accent())),
        );
    }
    for (place, pending) in state.table().pending().enumerate() {
        let here = place == state.due && state.focus == Focus::Pending;
        if here {
            chosen = rows.len();
        }
        let (title, why) = words(state, pending);
        let word = match place {
            0 => "next ",
            _ if pending.due.now => " now ",
            _ => "     ",
        };
        let style = if here { look.accent() } else { Style::new() };
        let mut parts = wrap(&title, width.saturating_sub(7)).into_iter();
        rows.push(Line::from(vec![
            Span::styled(if here { "▸ " } else { "  " }, look.accent()),
            Span::styled(word, look.status()),
            Span::styled(
                parts.next().unwrap_or_default(),
                if place == 0 { style.patch(look.strong()) } else { style },
            ),
        ]));
        rows.extend(parts.map(|part| Line::styled(format!("       {part}"), style)));
        rows.extend(
            wrap(&why, width.saturating_sub(7))
                .into_iter()
                .filter(|row| !row.is_empty())
                .map(|row| Line::styled(format!("       {row}"), look.dim())),
        );
    }
    if guide.next.is_none() && state.table().open_call().is_none() {
        let keys = if guide.held {
            "l applies the results of simultaneous attacks."
        } else {
            "p plays a chart, n goes on to the next phase."
        };
        let told = says.iter().skip(guide.endings.len()).map(|text| (text.as_str(), Style::new()));
        for (text, style) in told.chain([(keys, look.dim())]) {
            rows.extend(
                wrap(text, width.saturating_sub(2))
                    .into_iter()
                    .map(|row| Line::styled(format!("  {row}"), style)),
            );
        }
    }
    (rows, chosen)
}

/// The called roll, and the members it waits for.
fn called(state: &State, width: usize) -> Vec<Line<'static>> {
    let Some(words) = en::open_call(state.table()) else { return Vec::new() };
    let parts = [(words, Style::new()), (sealed::waits(state), state.look.status())];
    let rows = parts.into_iter().flat_map(|(text, style)| {
        wrap(&text, width.saturating_sub(2)).into_iter().map(move |row| (row, style))
    });
    rows.map(|(row, style)| Line::styled(format!("  {row}"), style)).collect()
}

/// A pending test: the chart, the units and the reason.
fn words(state: &State, pending: &PendingTest) -> (String, String) {
    let (table, due) = (state.table(), &pending.due);
    let title =
        table.pack().chart(&due.chart).map_or(due.chart.as_str(), |chart| chart.title.as_str());
    let names: Vec<&str> = due
        .units
        .values()
        .flatten()
        .map(|id| table.state().unit(id).map_or(id.as_str(), |unit| unit.name.as_str()))
        .collect();
    let open: Vec<&str> = table.open_roles(pending).collect();
    let who = match (names.is_empty(), open.is_empty()) {
        (false, _) => format!(" – {}", names.join(", ")),
        (true, false) => format!(" – choose: {}", open.join(", ")),
        (true, true) => String::new(),
    };
    let order = due.order.map(|order| format!("{order}. ")).unwrap_or_default();
    (
        format!("{order}{title}{who}"),
        format!(
            "{}, from event {}",
            if due.why.is_empty() { "due" } else { due.why.as_str() },
            pending.stems
        ),
    )
}

/// Draws the log.
pub fn log(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let focus = state.focus == Focus::Log && state.screens.is_empty();
    let look = state.look;
    let aside = if state.log_up > 0 { "earlier".to_owned() } else { String::new() };
    let inner = pane(look, frame, area, "Log", &aside, focus);
    let (width, height) = (inner.width as usize, inner.height as usize);
    let digits = state.log.len().to_string().len().max(2);
    // Only so much is broken into rows as can be seen.
    let wanted = height + state.log_up;
    let mut rows: Vec<Line<'static>> = Vec::new();
    for (place, line) in state.log.iter().enumerate().rev() {
        let (style, words) = match line.undone {
            true => (look.undone(), format!("undone: {}", line.text)),
            false => (Style::new(), line.text.clone()),
        };
        let parts = wrap(&words, width.saturating_sub(digits + 2));
        for (part, text) in parts.iter().enumerate().rev() {
            let number =
                if part == 0 { format!("{:>digits$}", place + 1) } else { " ".repeat(digits) };
            rows.push(Line::from(vec![
                Span::styled(format!("{number} "), look.dim()),
                Span::styled(fit(text, width), style),
            ]));
        }
        if rows.len() >= wanted {
            break;
        }
    }
    let skip = state.log_up.min(rows.len().saturating_sub(height));
    let mut shown: Vec<Line<'static>> = rows.into_iter().skip(skip).take(height).collect();
    shown.reverse();
    rows_into(frame, inner, &shown, 0);
}
