//! The roster by side and group: each unit in one row with its statuses and what is known of it,
//! the one that is chosen in full at the foot of the pane.

use super::{keep_in_view, pane, rows_into};
use crate::session::look::{fit, pad, wrap};
use crate::session::state::{Focus, State};
use adjutant_game::Unit;
use adjutant_pack::{IdVec, KindId, Pack, Value};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// Draws the roster.
pub fn roster(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let focus = state.focus == Focus::Roster && state.screens.is_empty();
    let here = state.table().state().here().count();
    let aside = if here == 0 { String::new() } else { here.to_string() };
    let inner = pane(state.look, frame, area, "Roster", &aside, focus);
    let card = if inner.height >= 14 { card(state, inner.width as usize) } else { Vec::new() };
    let card_height = (card.len() as u16).min(inner.height / 2);
    let list = Rect { height: inner.height - card_height, ..inner };
    let (rows, chosen) = rows(state, inner.width as usize);
    rows_into(frame, list, &rows, keep_in_view(rows.len(), list.height as usize, chosen));
    rows_into(frame, Rect { y: list.bottom(), height: card_height, ..inner }, &card, 0);
}

/// All rows, and which of them is chosen.
fn rows(state: &State, width: usize) -> (Vec<Line<'static>>, usize) {
    let (table, look) = (state.table(), state.look);
    let (mut rows, mut chosen, mut place) = (Vec::new(), 0, 0);
    let longest = table.state().here().map(|unit| unit.name.width()).max().unwrap_or(0);
    let name_width = longest.clamp(6, (width / 2).max(8)).min(24);
    let widths = widths(state, width.saturating_sub(name_width + 3));
    for (side, name) in table.sides().iter().enumerate() {
        if !rows.is_empty() {
            rows.push(Line::default());
        }
        rows.push(Line::styled(fit(name, width), look.strong()));
        let groups = table.roster(side);
        if groups.is_empty() {
            rows.push(Line::styled("  no units yet: a adds a unit", look.dim()));
        }
        for (group, units) in groups {
            if !group.is_empty() {
                rows.push(Line::styled(fit(&format!(" {group}"), width), look.dim()));
            }
            for unit in units {
                let here = place == state.unit;
                if here {
                    chosen = rows.len();
                }
                rows.push(row(state, unit, here, (name_width, &widths), width));
                place += 1;
            }
        }
    }
    let gone = table.state().units.iter().filter(|unit| unit.gone.is_some()).count();
    if gone > 0 {
        rows.push(Line::default());
        rows.push(Line::styled(
            format!("{gone} ha{} left the game", if gone == 1 { "s" } else { "ve" }),
            look.dim(),
        ));
    }
    (rows, chosen)
}

fn row(
    state: &State,
    unit: &Unit,
    chosen: bool,
    (name_width, widths): (usize, &IdVec<KindId, Vec<usize>>),
    width: usize,
) -> Line<'static> {
    let (look, pack) = (state.look, state.table().pack());
    let mark = if chosen { "▸ " } else { "  " };
    let mut spans = vec![
        Span::styled(mark, look.accent()),
        Span::styled(
            pad(&unit.name, name_width),
            if chosen { look.accent() } else { ratatui::style::Style::new() },
        ),
        Span::raw(" "),
    ];
    let mut room = width.saturating_sub(name_width + 3);
    if let Some(role) = taken(state, &unit.id) {
        let text = fit(&format!("‹{role}› "), room);
        room -= text.width();
        spans.push(Span::styled(text, look.accent()));
    }
    for status in &unit.statuses {
        let text = fit(&format!("[{}] ", pack.statuses()[*status].title), room);
        room -= text.width();
        spans.push(Span::styled(text, look.status()));
    }
    spans.push(Span::styled(fit(&short(pack, unit, widths), room), look.dim()));
    Line::from(spans)
}

/// The role that a unit has in the form that is open.
fn taken(state: &State, unit: &str) -> Option<String> {
    let form = state.form()?;
    let due = form.attempt.test(state.table()).map(|due| &due.units);
    let all = form.attempt.request().units.iter().chain(due.into_iter().flatten());
    all.into_iter()
        .find(|(_, units)| units.iter().any(|id| id == unit))
        .map(|(role, _)| role.clone())
}

/// What is known of a unit beyond what is taken for granted, with short labels: numbers and words,
/// one text for each attribute (`Inf`, `HE/SA 5`, nothing, `Def 4`), then what simply holds.
fn cells(pack: &Pack, unit: &Unit) -> (Vec<String>, Vec<String>) {
    let (mut values, mut holds) = (Vec::new(), Vec::new());
    let kind = &pack.kinds()[unit.kind];
    for ((place, field), value) in kind.has.iter_enumerated().zip(&unit.attributes) {
        let told =
            value.filter(|value| Some(*value) != field.start || matches!(value, Value::Word(_)));
        let label = kind.short_label(place);
        values.push(match told {
            Some(Value::Number(n)) => format!("{label} {n}"),
            Some(Value::Word(word)) => kind.short_word(pack.words(), place, word).to_owned(),
            _ => String::new(),
        });
        if told == Some(Value::YesNo(true)) {
            holds.push(label.to_string());
        }
    }
    (values, holds)
}

/// How wide each attribute of each kind is, so that they stand under each other where there is room
/// for that.
fn widths(state: &State, room: usize) -> IdVec<KindId, Vec<usize>> {
    let pack = state.table().pack();
    let mut widths: IdVec<KindId, Vec<usize>> =
        pack.kinds().iter().map(|kind| vec![0; kind.has.len()]).collect();
    for unit in state.table().state().here() {
        for (width, cell) in widths[unit.kind].iter_mut().zip(cells(pack, unit).0) {
            *width = cell.width().max(*width);
        }
    }
    let fits = |widths: &Vec<usize>| {
        widths.iter().filter(|width| **width > 0).map(|width| width + 2).sum::<usize>() <= room + 2
    };
    widths.iter_mut().filter(|widths| !fits(widths)).for_each(|widths| widths.fill(0));
    widths
}

/// The same in one row.
fn short(pack: &Pack, unit: &Unit, widths: &IdVec<KindId, Vec<usize>>) -> String {
    let (values, holds) = cells(pack, unit);
    let values = values
        .into_iter()
        .zip(&widths[unit.kind])
        .filter(|(cell, width)| **width > 0 || !cell.is_empty());
    let row: String = values
        .map(|(cell, width)| format!("{}  ", pad(&cell, (*width).max(cell.width()))))
        .collect();
    format!("{row}{}", holds.join("  ")).trim_end().to_owned()
}

/// The chosen unit in full.
fn card(state: &State, width: usize) -> Vec<Line<'static>> {
    let Some(unit) = state.chosen_unit() else { return Vec::new() };
    let (look, pack) = (state.look, state.table().pack());
    let kind = &pack.kinds()[unit.kind];
    let mut rows = vec![Line::from(vec![
        Span::styled("╌╌ ", look.dim()),
        Span::styled(fit(&unit.name, width.saturating_sub(8)), look.strong()),
        Span::styled(format!("  {}", kind.title), look.dim()),
    ])];
    for status in &unit.statuses {
        let status = &pack.statuses()[*status];
        let text = format!("[{}] {}", status.title, status.means);
        rows.extend(
            wrap(&text, width.saturating_sub(1))
                .into_iter()
                .map(|row| Line::styled(format!(" {row}"), look.status())),
        );
    }
    let mut parts = Vec::new();
    for field in &kind.has {
        let plain = |value: &Value| Some(*value) == field.start && !matches!(value, Value::Word(_));
        match unit.facet(pack, &field.id).filter(|value| !plain(value)) {
            Some(Value::Number(n)) => parts.push(format!("{} {n}", field.label)),
            Some(Value::YesNo(true)) => parts.push(field.label.to_string()),
            Some(Value::Word(word)) => {
                let id = pack.words().text(word);
                let label =
                    field.accepts.words().and_then(|words| words.iter().find(|word| word.id == id));
                parts.push(label.map_or(id.to_owned(), |word| word.label.to_string()));
            }
            _ => {}
        }
    }
    if !unit.notes.is_empty() {
        parts.push(format!("“{}”", unit.notes));
    }
    rows.extend(
        wrap(&parts.join(" · "), width.saturating_sub(1))
            .into_iter()
            .map(|row| Line::from(format!(" {row}"))),
    );
    rows
}
