//! What is on the screen, from nothing but the state. Two rows above say where the game stands, two
//! below what was done last and which keys work now; between them lie three columns, two panes or
//! one, as the window allows.

mod forms;
mod keys;
mod panes;
mod roster;

use super::look::{Look, fit, wrap};
use super::state::{Focus, Screen, State, Tone};
use adjutant_game::Voice;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use unicode_width::UnicodeWidthStr;

/// From this width on there are three columns.
const THREE: u16 = 100;
/// From this width on there are two panes.
const TWO: u16 = 60;

/// Draws the session.
pub fn view(state: &State, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < 24 || area.height < 8 {
        let text = format!(
            "{}×{} is small: make the window larger. Nothing is lost; q leaves.",
            area.width, area.height
        );
        let rows = wrap(&text, area.width as usize).into_iter().map(Line::from).collect::<Vec<_>>();
        return rows_into(frame, area, &rows, 0);
    }
    let [head, body, notice, foot] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    header(state, frame, head);
    match area.width {
        THREE.. => three(state, frame, body),
        TWO.. => two(state, frame, body),
        _ => one(state, frame, body),
    }
    said(state, frame, notice);
    keys::footer(state, frame, foot);
    match state.screens.last() {
        Some(Screen::Confirm(text, _)) => confirm(state, frame, area, text),
        Some(Screen::Help(down)) => keys::help(state, frame, area, *down),
        _ => {}
    }
}

/// The screen that stands in the place of the pending tests.
fn work(state: &State) -> Option<&Screen> {
    state
        .screens
        .iter()
        .rev()
        .find(|screen| !matches!(screen, Screen::Confirm(..) | Screen::Help(_)))
}

fn three(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let [left, middle, right] = Layout::horizontal([
        Constraint::Percentage(31),
        Constraint::Percentage(39),
        Constraint::Percentage(30),
    ])
    .spacing(2)
    .areas(area);
    roster::roster(state, frame, left);
    match work(state) {
        Some(screen) => forms::screen(state, frame, middle, screen),
        None => {
            let wanted = panes::pending_height(state, middle.width).min(middle.height * 3 / 5);
            let [pending, last] =
                Layout::vertical([Constraint::Length(wanted), Constraint::Min(0)]).areas(middle);
            match &state.last {
                Some(told) => {
                    panes::pending(state, frame, pending);
                    forms::told(state, frame, last, told, 0, false);
                }
                None => panes::pending(state, frame, middle),
            }
        }
    }
    panes::log(state, frame, right);
}

fn two(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let [left, right] =
        Layout::horizontal([Constraint::Percentage(44), Constraint::Percentage(56)])
            .spacing(2)
            .areas(area);
    roster::roster(state, frame, left);
    match work(state) {
        Some(screen) => forms::screen(state, frame, right, screen),
        None => {
            let wanted = panes::pending_height(state, right.width).min(right.height / 2);
            let [pending, log] =
                Layout::vertical([Constraint::Length(wanted), Constraint::Min(0)]).areas(right);
            panes::pending(state, frame, pending);
            panes::log(state, frame, log);
        }
    }
}

fn one(state: &State, frame: &mut Frame<'_>, area: Rect) {
    match (work(state), state.focus) {
        (Some(screen), _) => forms::screen(state, frame, area, screen),
        (None, Focus::Roster) => roster::roster(state, frame, area),
        (None, Focus::Pending) => panes::pending(state, frame, area),
        (None, Focus::Log) => panes::log(state, frame, area),
    }
}

/// Two texts in one row, the second at its right end and kept whole as long as it can be.
fn apart(frame: &mut Frame<'_>, area: Rect, left: Line<'_>, right: Line<'_>) {
    let wide = (right.width() as u16).min(area.width);
    let room = area.width.saturating_sub(wide + 2);
    frame.buffer_mut().set_line(area.x, area.y, &left, room);
    frame.buffer_mut().set_line(area.right() - wide, area.y, &right, wide);
}

fn header(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let (look, table) = (state.look, state.table());
    let name = table.setup().map_or("", |setup| setup.name.as_str());
    let seat = match state.my_seat() {
        Some(adjutant_game::Seat::Player { side }) => format!("plays {side}"),
        Some(adjutant_game::Seat::Umpire) => "is the umpire".into(),
        Some(adjutant_game::Seat::Spectator) => "looks on".into(),
        None => "has not joined".into(),
    };
    let who = fit(&format!("{} {seat}", state.me), area.width as usize / 2);
    let left = Line::from(vec![
        Span::styled(format!(" {name}"), look.strong()),
        Span::styled(format!("  {}", table.pack().title()), look.dim()),
    ]);
    let row = Rect { height: 1, ..area };
    apart(frame, row, left, Line::from(vec![Span::raw(who), Span::raw(" ")]));

    let (_, turn) = table.turn();
    let mut spans = vec![Span::raw(format!(" Turn {turn}"))];
    let all: usize = table.open_phases().map(|(_, phase)| phase.title.width() + 3).sum();
    for (place, phase) in table.open_phases() {
        let now = place == table.state().phase;
        if now {
            spans.push(Span::styled(format!("  ‹{}›", phase.title), look.accent()));
        } else if all + 30 < area.width as usize {
            spans.push(Span::styled(format!("  {}", phase.title), look.dim()));
        }
    }
    let decks: Vec<String> = table
        .decks()
        .into_iter()
        .map(|deck| {
            let title =
                table.pack().deck(deck.deck).map_or(deck.deck, |sheet| sheet.title.as_str());
            let whose = deck
                .side
                .and_then(|side| table.sides().get(side))
                .map(|side| format!("{side}: "))
                .unwrap_or_default();
            format!("{whose}{title} {}/{}", deck.left, deck.size)
        })
        .collect();
    let mut right = vec![Span::styled(decks.join("  "), look.dim())];
    if table.rolls_sealed() {
        right.insert(0, Span::styled("[sealed]  ", look.status()));
    }
    if !table.state().held.is_empty() {
        right.insert(
            0,
            Span::styled(
                format!("[{} attacks waiting]  ", table.state().held.len()),
                look.status(),
            ),
        );
    }
    if area.width < TWO {
        right = vec![Span::styled("narrow: Tab turns the page", look.dim())];
    }
    right.push(Span::raw(" "));
    apart(frame, Rect { y: area.y + 1, height: 1, ..area }, Line::from(spans), Line::from(right));
}

/// What was done last, what is wrong, or what a player asks.
fn said(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let look = state.look;
    let asked = state.table().asked().filter(|asked| asked.by != state.me);
    let mine = asked.filter(|asked| {
        let answered = |voice: &Voice| asked.yes.contains(voice) || asked.no.contains(voice);
        let side = state.table().side_of(&state.me).map(Voice::Side);
        !answered(&Voice::Member(state.me.clone())) && !side.is_some_and(|side| answered(&side))
    });
    let (style, text) = match (&state.notice, mine) {
        (Some((Tone::Fault, text)), _) => (look.bad(), format!("✗ {text}")),
        (Some((Tone::Done, text)), _) => (look.good(), format!("✓ {text}")),
        (_, Some(asked)) => {
            let what = match asked.want {
                adjutant_game::ConsentFor::Undo => format!("undo event {}", asked.event),
                adjutant_game::ConsentFor::Redo => format!("redo event {}", asked.event),
                adjutant_game::ConsentFor::Withdraw => {
                    format!("take back the call of event {}", asked.event)
                }
                adjutant_game::ConsentFor::Release => {
                    format!(
                        "remove the player who sealed in event {} from the sealed group",
                        asked.event
                    )
                }
            };
            (look.status(), format!("? {} asks to {what}: y allows, x declines", asked.by))
        }
        (Some((Tone::Hint, text)), _) => (look.status(), format!("· {text}")),
        (None, None) => return,
    };
    let text = fit(&text, (area.width as usize).saturating_sub(2));
    frame.buffer_mut().set_line(
        area.x + 1,
        area.y,
        &Line::styled(text, style),
        area.width.saturating_sub(1),
    );
}

/// A pane: a rule with its title, heavy where the focus is. What is left is for its rows.
fn pane(
    look: Look,
    frame: &mut Frame<'_>,
    area: Rect,
    title: &str,
    aside: &str,
    focus: bool,
) -> Rect {
    if area.height == 0 || area.width == 0 {
        return area;
    }
    let width = area.width as usize;
    let (rule, style) = if focus { ("━", look.accent()) } else { ("─", look.dim()) };
    let aside = if aside.is_empty() || aside.width() + 12 > width {
        String::new()
    } else {
        format!(" {aside} ")
    };
    let title = fit(title, width.saturating_sub(6 + aside.width()));
    let rest = width.saturating_sub(4 + title.width() + aside.width() + 1);
    let line = Line::from(vec![
        Span::styled(rule.repeat(2), style),
        Span::styled(format!(" {title} "), if focus { look.accent() } else { look.strong() }),
        Span::styled(rule.repeat(rest), style),
        Span::styled(aside, look.dim()),
        Span::styled(rule, style),
    ]);
    frame.buffer_mut().set_line(area.x, area.y, &line, area.width);
    Rect { y: area.y + 1, height: area.height - 1, ..area }
}

/// Rows into a place, from this one on; what does not fit is counted in the last row.
fn rows_into(frame: &mut Frame<'_>, area: Rect, rows: &[Line<'_>], from: usize) {
    let height = area.height as usize;
    let from = from.min(rows.len().saturating_sub(height));
    for (place, row) in rows.iter().skip(from).take(height).enumerate() {
        frame.buffer_mut().set_line(area.x, area.y + place as u16, row, area.width);
    }
    let below = rows.len().saturating_sub(from + height);
    if below > 0 && height > 0 {
        let more = format!(" ↓ {below} more ");
        let wide = (more.width() as u16).min(area.width);
        let style = Style::new()
            .add_modifier(ratatui::style::Modifier::DIM | ratatui::style::Modifier::REVERSED);
        frame.buffer_mut().set_line(
            area.right() - wide,
            area.bottom() - 1,
            &Line::styled(more, style),
            wide,
        );
    }
}

/// The first row to show so that this one is in view.
fn keep_in_view(rows: usize, height: usize, row: usize) -> usize {
    if rows <= height { 0 } else { row.saturating_sub(height / 2).min(rows - height) }
}

/// A box over everything.
fn over(
    look: Look,
    frame: &mut Frame<'_>,
    area: Rect,
    title: &str,
    rows: &[Line<'_>],
    from: usize,
) {
    let width = rows.iter().map(Line::width).max().unwrap_or(0).max(title.width() + 6) as u16 + 4;
    let (width, height) = (width.min(area.width), (rows.len() as u16 + 2).min(area.height));
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let block = ratatui::widgets::Block::bordered()
        .border_type(ratatui::widgets::BorderType::Rounded)
        .border_style(look.accent())
        .title(Span::styled(format!(" {title} "), look.accent()));
    let inner = block.inner(place);
    frame.render_widget(block, place);
    rows_into(
        frame,
        Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner },
        rows,
        from,
    );
}

fn confirm(state: &State, frame: &mut Frame<'_>, area: Rect, text: &[String]) {
    let look = state.look;
    let width = (area.width as usize).saturating_sub(8).min(60);
    let mut rows: Vec<Line<'_>> = Vec::new();
    for (place, part) in text.iter().enumerate() {
        let style = if place == 0 { look.strong() } else { Style::new() };
        rows.extend(wrap(part, width).into_iter().map(|row| Line::styled(row, style)));
    }
    rows.push(Line::default());
    let key =
        |key: &'static str, word: &'static str| [Span::styled(key, look.accent()), Span::raw(word)];
    rows.push(Line::from([key("Enter", " yes   "), key("Esc", " no")].concat()));
    over(look, frame, area, "Sure?", &rows, 0);
}
