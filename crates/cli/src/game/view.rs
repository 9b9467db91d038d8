//! The table as a player wants to see it: turn and phase, the rosters, what is due and why, decks,
//! who is here.

use crate::paint::{DIM, HEAD, NAME, RESULT, Table as Grid, WARN, in_style, paragraph};
use adjutant_game::{ConsentFor, Seat, Table, Unit, Voice};
use adjutant_store::Summary;
use adjutant_wording::en;
use anstyle::Style;

/// A word as a shell takes it: in quotes where it needs them.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=.,:/+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else if word.contains(['"', '\\', '$', '`', '!']) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        format!("\"{word}\"")
    }
}

/// How each side is named on the command line.
pub fn sides(table: &Table) -> String {
    table
        .sides()
        .iter()
        .map(|side| format!("--side {}", quoted(side)))
        .collect::<Vec<_>>()
        .join(" or ")
}

/// The attributes that are known, as they are typed.
pub fn attributes(table: &Table, unit: &Unit) -> String {
    let pack = table.pack();
    let known = pack.kinds()[unit.kind].has.iter().zip(&unit.attributes);
    let written = known.filter_map(|(field, value)| {
        Some(format!("{}={}", field.id, (*value)?.to_answer(pack.words())))
    });
    let worked_out = table
        .worked_out(unit)
        .into_iter()
        .map(|(derived, value)| format!("[{} {}]", derived.label, value.to_answer(pack.words())));
    written.chain(worked_out).collect::<Vec<_>>().join(" ")
}

/// The statuses by their titles.
pub fn statuses(table: &Table, unit: &Unit) -> String {
    unit.statuses
        .iter()
        .map(|status| table.pack().statuses()[*status].title.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Units in rows; the kind is shown where the pack has several.
pub fn units<'u>(table: &Table, list: impl IntoIterator<Item = &'u Unit>, indent: usize) -> String {
    let list: Vec<&Unit> = list.into_iter().collect();
    let any_state = list.iter().any(|unit| unit.gone.is_some() || !unit.statuses.is_empty());
    let mut grid = Grid::new(indent);
    for unit in list {
        let kind =
            Some(&table.pack().kinds()[unit.kind].title).filter(|_| table.pack().kinds().len() > 1);
        let state = match &unit.gone {
            Some(word) => format!("left ({word})"),
            None => statuses(table, unit),
        };
        let mut row = vec![(unit.id.clone(), DIM), (unit.name.clone(), NAME)];
        row.extend(kind.map(|kind| (kind.to_string(), DIM)));
        row.extend(any_state.then_some((state, WARN)));
        row.extend([(attributes(table, unit), Style::new()), (unit.notes.clone(), DIM)]);
        grid.row(row);
    }
    grid.print()
}

/// The roster of one side, group by group.
pub fn roster(table: &Table, side: usize) -> String {
    let players: Vec<&str> = table
        .people()
        .iter()
        .filter(|(name, _)| table.side_of(name) == Some(side))
        .map(|(n, _)| n.as_str())
        .collect();
    let title = table.sides().get(side).map_or("", String::as_str);
    let players = if table.is_run_by_sheet(side) {
        in_style(DIM, "  run by the sheet")
    } else if players.is_empty() {
        String::new()
    } else {
        in_style(DIM, format!("  {}", players.join(", ")))
    };
    let mut out = format!("{}{players}\n", in_style(HEAD, title));
    let groups = table.roster(side);
    if groups.is_empty() {
        out.push_str(&format!("  {}\n", in_style(DIM, "no units")));
    }
    for (group, list) in groups {
        if group.is_empty() {
            out.push_str(&units(table, list, 2));
        } else {
            out.push_str(&format!("  {}\n", in_style(HEAD, group)));
            out.push_str(&units(table, list, 4));
        }
    }
    let left =
        table.state().units.iter().filter(|unit| unit.side == side && unit.gone.is_some()).count();
    if left > 0 {
        out.push_str(&format!("  {}\n", in_style(DIM, format!("{left} left the game"))));
    }
    out
}

/// What is due now, if anything is.
pub fn due(table: &Table) -> String {
    let mut grid = Grid::new(2);
    for pending in table.pending() {
        let open: Vec<&str> = table.open_roles(pending).collect();
        let open = if open.is_empty() {
            String::new()
        } else {
            format!("to be named: {}", open.join(", "))
        };
        grid.row([
            (pending.due.id.clone(), DIM),
            (en::pending_test(table, pending), Style::new()),
            (open, WARN),
        ]);
    }
    let mut out = grid.print();
    if !out.is_empty() {
        out = format!("{}\n{out}", in_style(HEAD, "Due"));
    }
    if !table.state().held.is_empty() {
        let count = table.state().held.len();
        let what = if count == 1 { "One attack waits" } else { &format!("{count} attacks wait") };
        out.push_str(&format!(
            "{}\n",
            in_style(
                WARN,
                format!("{what} for other simultaneous attacks: adjutant land applies the results")
            )
        ));
    }
    out
}

/// The endings that have come about; where nothing is due also what the phase is for, and the verb
/// that goes on.
pub fn guide(table: &Table, name: &str) -> String {
    let guide = table.guide();
    let waits = guide.next.is_some() || guide.held || table.open_call().is_some();
    let says = en::guide(table, &guide);
    let said = if waits { guide.endings.len() } else { says.len() };
    let mut out: String =
        says.iter().take(said).map(|sentence| paragraph(2, Style::new(), sentence)).collect();
    let charts: Vec<&str> = guide.charts.iter().map(|chart| chart.id.as_str()).collect();
    if !waits && guide.endings.is_empty() && !charts.is_empty() {
        out.push_str(&paragraph(
            2,
            DIM,
            &format!("adjutant play {} CHART …: {}", quoted(name), charts.join(", ")),
        ));
    }
    if !waits && guide.endings.is_empty() && !table.pack().phases().is_empty() {
        out.push_str(&format!(
            "  {}\n",
            in_style(DIM, format!("adjutant phase {} next", quoted(name)))
        ));
    }
    if out.is_empty() { out } else { format!("{}\n{out}", in_style(HEAD, "Now")) }
}

/// The call that is open, and whose links it waits for.
pub fn call(table: &Table, name: &str) -> String {
    let (Some(call), Some(words)) = (table.open_call(), en::open_call(table)) else {
        return String::new();
    };
    let name = quoted(name);
    let each: Vec<String> = call
        .owes()
        .map(|who| format!("{who} owes a link: adjutant reveal {name} --as {}", quoted(who)))
        .collect();
    let how = if each.is_empty() {
        vec![format!("all links are there: adjutant reveal {name} --as {}", quoted(&call.by))]
    } else {
        each
    };
    let how: String = how.iter().map(|how| format!("  {}\n", in_style(WARN, how))).collect();
    format!(
        "{}\n{}{how}",
        in_style(HEAD, format!("Called, event {}", call.n)),
        paragraph(2, Style::new(), &words)
    )
}

/// Those who roll sealed.
fn circle(table: &Table) -> String {
    let one = |member: &adjutant_game::SealedMember| {
        format!("{} ({} of {} rolls left)", member.name, member.left(), member.length)
    };
    let list: Vec<String> = table.sealed_circle().iter().map(one).collect();
    match list.len() {
        0 => String::new(),
        1 => format!("{} {}, no other player yet\n", in_style(HEAD, "Has sealed:"), list.concat()),
        _ => {
            let agreed = table.sealed_group().forfeit;
            let agreed = agreed.map(|agreed| {
                format!(
                    "  {}\n",
                    in_style(DIM, format!("Silent players: {}", en::forfeit(Some(agreed))))
                )
            });
            let head = in_style(HEAD, "Sealed group:");
            format!("{head} {}\n{}", list.join(", "), agreed.unwrap_or_default())
        }
    }
}

/// Who must consent to what.
pub fn asked(table: &Table, name: &str) -> String {
    let Some(asked) = table.asked() else { return String::new() };
    let released = table
        .sealed_circle()
        .iter()
        .find(|member| member.seal == asked.event)
        .map_or("a player", |member| &member.name);
    let (word, of) = match asked.want {
        ConsentFor::Undo => ("undo", format!("undo event {}", asked.event)),
        ConsentFor::Redo => ("redo", format!("redo event {}", asked.event)),
        ConsentFor::Withdraw => {
            ("withdraw", format!("take back the call of event {}", asked.event))
        }
        ConsentFor::Release => ("release", format!("remove {released} from the sealed group")),
    };
    let rest = if asked.want == ConsentFor::Release {
        format!(" {}", quoted(released))
    } else {
        String::new()
    };
    let names = |list: &[Voice]| {
        list.iter().map(|voice| table.voice_name(voice)).collect::<Vec<_>>().join(", ")
    };
    let needed = match asked.want {
        ConsentFor::Withdraw => table.consent_to_withdraw(&asked.by, ""),
        ConsentFor::Release => table.consent_to_release(&asked.by, released),
        want => table.consent_needed(&asked.by, want).unwrap_or_default(),
    };
    let open: Vec<Voice> = needed
        .into_iter()
        .filter(|voice| !asked.yes.contains(voice) && !asked.no.contains(voice))
        .collect();
    let mut out = format!("{} asks to {of}.", asked.by);
    for (what, list) in [("Consented", &asked.yes), ("Refused", &asked.no), ("To be asked", &open)]
    {
        if !list.is_empty() {
            out.push_str(&format!(" {what}: {}.", names(list)));
        }
    }
    let how = if open.is_empty() && asked.no.is_empty() {
        format!("Now {} may: adjutant {word} {}{rest}", asked.by, quoted(name))
    } else if open.is_empty() {
        "It stays as it is".to_owned()
    } else {
        format!("They answer with: adjutant consent {} [--no] --as NAME", quoted(name))
    };
    format!("{}\n  {how}\n", in_style(WARN, out))
}

/// The turn and the phase in a line.
pub fn turn(table: &Table) -> String {
    let (phase, turn) = table.turn();
    phase.map_or_else(|| format!("turn {turn}"), |phase| format!("turn {turn}, {}", phase.title))
}

/// The hands of cards that a player sees, and the piles, one to a line.
fn hands(table: &Table, who: &str) -> String {
    let mut out = String::new();
    for hand in table.hands(who) {
        let side = table.sides().get(hand.side).map_or("", String::as_str);
        let whose = hand.unit.map_or(side, |unit| unit.name.as_str());
        let head = format!("{}, hand of {whose}:", hand.deck.title);
        out.push_str(&format!("{} {} of {}\n", in_style(HEAD, head), hand.count, hand.size));
        match &hand.cards {
            Some(cards) => out.push_str(&titles(hand.deck, cards)),
            None => out.push_str(&paragraph(2, DIM, HIDDEN)),
        }
    }
    for (deck, side, pile, cards) in table.piles() {
        let side = side.and_then(|side| table.sides().get(side));
        let whose = side.map_or(String::new(), |side| format!(" of {side}"));
        let head = format!("{}{whose}, pile {}:", deck.title, pile.replace('_', " "));
        out.push_str(&format!("{} {} cards\n", in_style(HEAD, head), cards.len()));
        out.push_str(&titles(deck, &cards));
    }
    out
}

/// What stands instead of another player's cards.
const HIDDEN: &str = "Hidden as a courtesy: the log holds every card";

fn titles(deck: &adjutant_pack::DeckSheet, cards: &[u32]) -> String {
    let title = |card: &u32| {
        let known = deck.card(*card).map_or("", |known| known.title.as_str());
        format!("{card} {known}")
    };
    match cards {
        [] => String::new(),
        _ => paragraph(2, DIM, &cards.iter().map(title).collect::<Vec<_>>().join(", ")),
    }
}

/// The decks, one to a line, with the hands that a player sees.
pub fn decks(table: &Table, who: &str) -> String {
    let mut out = String::new();
    for deck in table.decks() {
        let title = table.pack().deck(deck.deck).map_or(deck.deck, |sheet| &sheet.title);
        let whose = deck
            .side
            .and_then(|side| table.sides().get(side))
            .map_or(String::new(), |side| format!(" of {side}"));
        out.push_str(&format!(
            "{} {} of {} cards left\n",
            in_style(HEAD, format!("{title}{whose}:")),
            deck.left,
            deck.size
        ));
        let list = deck
            .cards
            .map(|cards| cards.iter().map(u32::to_string).collect::<Vec<_>>().join(" "))
            .unwrap_or_default();
        if !list.is_empty() {
            out.push_str(&paragraph(2, DIM, &list));
        }
    }
    for (bag, units) in table.bags() {
        let head = in_style(HEAD, format!("{}:", bag.title));
        out.push_str(&format!("{head} {}\n", adjutant_wording::en::chits_left(units.len())));
        let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
        if !names.is_empty() {
            out.push_str(&paragraph(2, DIM, &names.join(", ")));
        }
    }
    out + &hands(table, who)
}

/// The whole page.
pub fn page(summary: &Summary, table: &Table) -> String {
    let head =
        format!("{} · {} · event {}", table.pack().title(), turn(table), table.lines().len());
    let put_away = if summary.archived { " (put away)" } else { "" };
    let mut out =
        format!("{}{put_away}  {}\n", in_style(RESULT, &summary.name), in_style(DIM, head));
    let guide = table.guide();
    let says = en::guide(table, &guide);
    let said = if guide.next.is_none() && !guide.held { says.len() } else { guide.endings.len() };
    for sentence in says.iter().take(said) {
        out.push_str(&paragraph(2, Style::new(), sentence));
    }
    for side in 0..table.sides().len() {
        out.push_str(&format!("\n{}", roster(table, side)));
    }
    let call = call(table, &summary.name);
    let (asked, anyway) = (asked(table, &summary.name), anyway(table));
    for part in [
        call,
        due(table),
        decks(table, ""),
        remembered(table),
        anyway,
        circle(table),
        others(table),
        asked,
    ] {
        if !part.is_empty() {
            out.push_str(&format!("\n{part}"));
        }
    }
    out
}

/// What the game remembers, as far as it is other than at the beginning.
fn remembered(table: &Table) -> String {
    let pack = table.pack();
    let known = pack
        .memory()
        .iter()
        .zip(&table.state().memory)
        .filter(|(field, value)| field.start.is_some_and(|start| start != **value));
    let of_sides = table.state().side_memory.iter().map(|((side, memory), value)| {
        let (side, label) = (&table.sides()[*side], &pack.memory()[*memory].label);
        let head = in_style(HEAD, format!("{side}, {label}:"));
        format!("{head} {}\n", value.to_answer(pack.words()))
    });
    known
        .map(|(field, value)| {
            format!(
                "{} {}\n",
                in_style(HEAD, format!("{}:", field.label)),
                value.to_answer(pack.words())
            )
        })
        .chain(of_sides)
        .collect()
}

/// The plays that were allowed although a status ruled them out.
fn anyway(table: &Table) -> String {
    let events: Vec<String> = table.state().anyway.iter().map(u64::to_string).collect();
    if events.is_empty() {
        String::new()
    } else {
        format!("{} event {}\n", in_style(HEAD, "Allowed anyway:"), events.join(", "))
    }
}

/// Umpires and who looks on.
fn others(table: &Table) -> String {
    let part = |(name, seat): &(String, Seat)| match seat {
        Seat::Player { .. } => None,
        Seat::Umpire => Some(format!("{name} is the umpire")),
        Seat::Spectator => Some(format!("{name} looks on")),
    };
    let list: Vec<String> = table.people().iter().filter_map(part).collect();
    if list.is_empty() { String::new() } else { format!("{}\n", list.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for (word, shown) in [
            ("firer.hesa=6", "firer.hesa=6"),
            ("Hill 112", "\"Hill 112\""),
            ("", "\"\""),
            ("O'Neil", "\"O'Neil\""),
            ("$5 bet", "'$5 bet'"),
            ("it's $5", "'it'\\''s $5'"),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }
}
