//! A report in Markdown that is also readable as plain text: aligned tables, one line for each
//! event. Players' texts are escaped, so they can make neither links nor markup.

use super::{
    actor, count, dates, expected, few_results, few_rolls, final_state, initial_state, no_verdict,
    number, plain, play_line, rule, short_verdict, side_name, side_summary, verdicts,
};
use adjutant_game::{ChartLuck, DiceLuck, SideLuck};
use adjutant_wording::en;
use adjutant_wording::report::{BattleReport, Entry, EntryKind};
use std::fmt::Write;

/// The report as Markdown.
pub fn markdown(report: &BattleReport) -> String {
    let mut out = String::new();
    head(&mut out, report);
    forces(&mut out, report);
    game(&mut out, report);
    luck(&mut out, report);
    settings(&mut out, report);
    out
}

/// Escapes a text so that it shows as written.
pub(crate) fn escaped(text: &str) -> String {
    let text = plain(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for (place, c) in text.char_indices() {
        let rest = &text[place..];
        let link = rest.starts_with("://") || (c == '.' && before.eq_ignore_ascii_case(&'w'));
        // A name such as `4_4_7` needs no escape inside a word, but it does no harm.
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' | '&' | '@' | '$'
        ) || link
        {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{text}");
}

/// An aligned table.
pub(crate) fn table(out: &mut String, head: &[&str], rows: &[Vec<String>]) {
    let width = |text: &str| text.chars().count();
    let wide = |place: usize| {
        rows.iter()
            .filter_map(|row| row.get(place))
            .map(|cell| width(cell))
            .chain([width(head[place]), 3])
            .max()
    };
    let widths: Vec<usize> = (0..head.len()).map(|place| wide(place).unwrap_or(3)).collect();
    let row = |cells: &[String]| {
        let cells = widths.iter().enumerate().map(|(place, wide)| {
            let cell = cells.get(place).map_or("", String::as_str);
            format!("{cell}{}", " ".repeat(wide.saturating_sub(width(cell))))
        });
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    line(out, &row(&head.iter().map(ToString::to_string).collect::<Vec<_>>()));
    line(out, &row(&widths.iter().map(|wide| "-".repeat(*wide)).collect::<Vec<_>>()));
    rows.iter().for_each(|cells| line(out, &row(cells)));
    line(out, "");
}

fn head(out: &mut String, report: &BattleReport) {
    let _ = writeln!(out, "# {}\n", escaped(&report.title));
    let plays = count(report.plays, "chart rolled", "charts rolled");
    let events = count(report.events, "event", "events");
    let _ = writeln!(
        out,
        "{} – {} – {plays}, {events} in the log\n",
        escaped(&report.pack.title),
        escaped(&dates(report))
    );
    for side in &report.sides {
        let players: Vec<String> = side.players.iter().map(|player| escaped(player)).collect();
        let by =
            if players.is_empty() { String::new() } else { format!(" ({})", players.join(", ")) };
        let _ =
            writeln!(out, "- **{}**{by}: {}", escaped(&side.name), escaped(&side_summary(side)));
    }
    for (what, people) in [("Umpire", &report.umpires), ("Looking on", &report.spectators)] {
        if !people.is_empty() {
            let _ = writeln!(out, "- {what}: {}", escaped(&people.join(", ")));
        }
    }
    line(out, "");
}

fn forces(out: &mut String, report: &BattleReport) {
    line(out, "## Forces\n");
    for side in &report.sides {
        let _ = writeln!(out, "### {}\n", escaped(&side.name));
        if side.units.is_empty() {
            line(out, "No units.\n");
            continue;
        }
        let row = |unit: &adjutant_wording::report::ReportUnit| {
            vec![escaped(&unit.name), escaped(&initial_state(unit)), escaped(&final_state(unit))]
        };
        table(
            out,
            &["Unit", "At first", "At the end"],
            &side.units.iter().map(row).collect::<Vec<_>>(),
        );
    }
}

fn game(out: &mut String, report: &BattleReport) {
    line(out, "## The game\n");
    if report.turns.is_empty() {
        line(out, "Nothing has happened yet.\n");
    }
    for turn in &report.turns {
        for phase in &turn.phases {
            let title = if phase.title.is_empty() {
                String::new()
            } else {
                format!(", {}", escaped(&phase.title))
            };
            let _ = writeln!(out, "### Turn {}{title}\n", turn.turn);
            phase.entries.iter().for_each(|entry| self::entry(out, entry));
            line(out, "");
        }
    }
    if !report.taken_back.is_empty() {
        let _ = writeln!(out, "### Taken back\n");
        let what = count(
            report.taken_back.len() as u64,
            "event was undone and counts",
            "events were undone and count",
        );
        let _ = writeln!(out, "{what} for nothing, here and in the luck below.\n");
        for taken in &report.taken_back {
            let consent = if taken.consent.is_empty() {
                String::new()
            } else {
                format!(" with the consent of {}", taken.consent.join(", "))
            };
            let _ = writeln!(
                out,
                "- {} {}",
                escaped(&taken.what),
                escaped(&format!("Taken back by {}{consent} ({}).", taken.by, taken.n))
            );
        }
        line(out, "");
    }
    if !report.sealed.is_empty() {
        line(out, "### Sealed rolls\n");
        report.sealed.iter().for_each(|text| line(out, &format!("- {}", escaped(text))));
        line(out, "");
    }
    if !report.endings.is_empty() {
        line(out, "### How it ended\n");
        report.endings.iter().for_each(|text| line(out, &format!("- {}", escaped(text))));
        line(out, "");
    }
    if !report.due.is_empty() {
        line(out, "### Still due at the end\n");
        report.due.iter().for_each(|due| line(out, &format!("- {}", escaped(due))));
        line(out, "");
    }
}

fn entry(out: &mut String, entry: &Entry) {
    match entry.kind {
        EntryKind::Note => {
            let _ = writeln!(
                out,
                "- {}: “{}” *({})*",
                escaped(&entry.by),
                escaped(&entry.outcome),
                entry.n
            );
        }
        EntryKind::Other => {
            let _ = writeln!(out, "- {} *({})*", escaped(&entry.outcome), entry.n);
        }
        EntryKind::Play => {
            let outcome = if entry.outcome.is_empty() {
                String::new()
            } else {
                format!("**{}** ", escaped(&entry.outcome))
            };
            let changes = if entry.changes.is_empty() {
                String::new()
            } else {
                format!(" {}", escaped(&entry.changes))
            };
            let _ = writeln!(
                out,
                "- {outcome}{}{changes} *({}; {})*",
                escaped(&play_line(entry)),
                escaped(&actor(entry)),
                entry.n
            );
            entry.arithmetic.iter().for_each(|sum| line(out, &format!("  - {}", escaped(sum))));
        }
    }
}

fn luck(out: &mut String, report: &BattleReport) {
    let luck = &report.luck;
    line(out, "## Luck, expected and actual\n");
    match verdicts(luck) {
        verdicts if verdicts.is_empty() => line(out, &format!("**{}**\n", no_verdict(luck))),
        verdicts => {
            verdicts.iter().for_each(|(what, text)| {
                line(out, &format!("- **{}:** {}", escaped(what), escaped(text)))
            });
            line(out, "");
        }
    }
    if luck.sides.is_empty() {
        return;
    }
    // Where nothing can be judged, the counts stand in one line for each side.
    if luck.looks == 0 {
        for side in &luck.sides {
            let (name, said) = (escaped(&side_name(side)), escaped(&few_rolls(side)));
            line(out, &format!("- **{name}:** {said}."));
        }
        line(out, "");
        return;
    }
    let _ = writeln!(out, "{}\n", rule(luck));
    if !luck.dice.is_empty() {
        line(out, "### All dice\n");
        dice(out, &luck.dice);
    }
    luck.sides.iter().for_each(|side| side_luck(out, side));
}

fn dice(out: &mut String, list: &[DiceLuck]) {
    let row = |dice: &DiceLuck| {
        let verdict = short_verdict(&dice.judged, dice.dice, ("high", "low"));
        let kind = format!("d{}, {}", dice.sides, escaped(&en::thrown_by(dice.source, "dice")));
        vec![kind, dice.dice.to_string(), number(dice.expected), number(dice.actual), verdict]
    };
    table(
        out,
        &["Dice", "Rolled", "Mean expected", "Mean", "Verdict"],
        &list.iter().map(row).collect::<Vec<_>>(),
    );
}

fn side_luck(out: &mut String, side: &SideLuck) {
    let _ = writeln!(out, "### {}\n", escaped(&side_name(side)));
    if !side.dice.is_empty() {
        dice(out, &side.dice);
    }
    for cards in &side.cards {
        let drawn = count(cards.cards.into(), "card", "cards");
        let _ = writeln!(
            out,
            "{}: {drawn} drawn ({}).\n",
            escaped(&cards.deck),
            escaped(&en::thrown_by(cards.source, "cards"))
        );
    }
    side.charts.iter().for_each(|chart| chart_luck(out, chart));
}

fn chart_luck(out: &mut String, chart: &ChartLuck) {
    let thin = few_results(chart);
    match &thin {
        Some(few) => line(out, &format!("{}\n", escaped(&few.sentence()))),
        None => {
            let rolls = count(chart.rolls.into(), "roll weighed", "rolls weighed");
            line(out, &format!("**{}**, {rolls}\n", escaped(&chart.title)));
        }
    }
    let row = |result: &adjutant_game::ResultLuck| {
        let title = format!(
            "{}{}",
            escaped(&result.title),
            if result.besides { " (in addition)" } else { "" }
        );
        let verdict = short_verdict(&result.judged, result.open, ("more often", "less often"));
        vec![title, result.open.to_string(), expected(result), result.actual.to_string(), verdict]
    };
    if !chart.results.is_empty() && thin.is_none() {
        table(
            out,
            &["Result", "Open in", "Expected", "Came", "Verdict"],
            &chart.results.iter().map(row).collect::<Vec<_>>(),
        );
    }
    for left_out in &chart.not_weighed {
        let _ = writeln!(
            out,
            "Not weighed: {} – {}.\n",
            count(left_out.rolls.into(), "roll", "rolls"),
            escaped(&en::not_weighed(&left_out.why))
        );
    }
}

fn settings(out: &mut String, report: &BattleReport) {
    line(out, "## Rules in force\n");
    let pack = &report.pack;
    let by = if pack.by.is_empty() { String::new() } else { format!(" by {}", escaped(&pack.by)) };
    let _ = writeln!(
        out,
        "{}{by}; {}.\n",
        escaped(&pack.title),
        escaped(&crate::edition(&pack.id, &pack.version))
    );
    for option in &report.options {
        let changed = if option.changed { ", chosen for this game" } else { "" };
        let _ = writeln!(
            out,
            "- {}: **{}** ({}{changed})",
            escaped(&option.label),
            escaped(&option.value),
            escaped(&option.standing)
        );
    }
    for reading in &report.readings {
        let _ = writeln!(out, "- {} *({})*", escaped(&reading.text), escaped(&reading.standing));
    }
    for deck in &report.decks {
        let _ = writeln!(
            out,
            "- {}: {} of {} left at the end",
            escaped(&deck.title),
            deck.left,
            count(deck.size.into(), "card", "cards")
        );
    }
    if !(report.options.is_empty() && report.readings.is_empty() && report.decks.is_empty()) {
        line(out, "");
    }
    if !pack.notice.is_empty() {
        let _ = writeln!(out, "{}\n", escaped(&pack.notice));
    }
    let _ = writeln!(
        out,
        "Log of {}, last line `{}`.",
        count(report.events, "event", "events"),
        plain(&report.head).replace('`', "")
    );
}
