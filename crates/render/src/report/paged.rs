//! A battle report for paper, as the sections of a sheet: the same facts in the same order and
//! words as Markdown and HTML.

use super::{
    actor, count, dates, expected, few_results, few_rolls, final_state, initial_state, no_verdict,
    number, plain, play_line, rule, short_verdict, side_name, side_summary, verdicts,
};
use crate::reference::{Accent, Bar, Figure, Item, Part, Section, Sheet, Table, Tone};
use adjutant_game::{ChartLuck, DiceLuck, SideLuck};
use adjutant_wording::en;
use adjutant_wording::report::{BattleReport, Entry, EntryKind, ReportSide};

/// The report as sections, for [`reference::pages`](crate::reference::pages).
pub fn paged(report: &BattleReport) -> Sheet {
    let pack = &report.pack;
    let mut sections = vec![who(report), forces(report)];
    sections.extend(game(report));
    sections.extend(luck(report));
    sections.push(rules(report));
    let events = count(report.events, "event", "events");
    let about = format!(
        "{} – {} – {}, {events} in the log.",
        pack.title,
        dates(report),
        count(report.plays, "chart rolled", "charts rolled")
    );
    Sheet {
        title: plain(&report.title),
        kind: "Battle report".into(),
        by: plain(&pack.title),
        about: plain(&about),
        source: String::new(),
        notice: plain(&pack.notice),
        pack: plain(&crate::edition(&pack.id, &pack.version)),
        sections,
        ..Sheet::default()
    }
}

fn section(title: impl Into<String>, parts: Vec<Part>) -> Section {
    Section { title: title.into(), loose: true, parts, ..Section::default() }
}

fn item(term: impl Into<String>, text: impl Into<String>) -> Item {
    Item { term: term.into(), text: text.into(), ..Item::default() }
}

fn table(caption: &str, heads: &[&str], rows: Vec<Vec<String>>) -> Part {
    let heads = heads.iter().map(ToString::to_string).collect();
    Part::Table(Table { caption: plain(caption), heads, rows, ..Table::default() })
}

fn who(report: &BattleReport) -> Section {
    let side = |side: &ReportSide| {
        let players = if side.players.is_empty() {
            String::new()
        } else {
            format!(" ({})", side.players.join(", "))
        };
        item(format!("{}{}:", plain(&side.name), plain(&players)), side_summary(side))
    };
    let people = [("Umpire:", &report.umpires), ("Looking on:", &report.spectators)];
    let people = people
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| item(what, plain(&names.join(", "))));
    let parts = vec![
        Part::Figures(figures(report)),
        Part::Items(report.sides.iter().map(side).chain(people).collect()),
    ];
    section("The sides", parts)
}

/// The numbers that everybody asks for: the units left of each side, the turns and the rolls.
fn figures(report: &BattleReport) -> Vec<Figure> {
    let units = report.sides.iter().zip(0_u8..).map(|(side, place)| Figure {
        value: format!("{} / {}", side.here, side.units.len()),
        label: format!("{}: units in play", plain(&side.name)),
        accent: Accent::Side(place),
    });
    let turns = report.turns.last().map_or(0, |turn| turn.turn);
    let plain = |value: u64, label: &str| Figure {
        value: value.to_string(),
        label: label.to_owned(),
        accent: Accent::None,
    };
    let counts = [
        plain(turns.into(), if turns == 1 { "turn" } else { "turns" }),
        plain(report.plays, if report.plays == 1 { "chart rolled" } else { "charts rolled" }),
    ];
    units.chain(counts).collect()
}

/// The colour of a side, by its name.
fn side_accent(report: &BattleReport, side: Option<&String>) -> Accent {
    let place = report.sides.iter().position(|known| Some(&known.name) == side);
    place.and_then(|place| u8::try_from(place).ok()).map_or(Accent::None, Accent::Side)
}

/// All units in one table, so that both sides have the same columns.
fn forces(report: &BattleReport) -> Section {
    let row = |unit: &adjutant_wording::report::ReportUnit| {
        vec![plain(&unit.name), initial_state(unit), final_state(unit)]
    };
    let mut rows = Vec::new();
    for side in &report.sides {
        rows.push(vec![plain(&side.name), side_summary(side)]);
        rows.extend(side.units.iter().map(row));
    }
    section("Forces", vec![table("", &["Unit", "At first", "At the end"], rows)])
}

fn game(report: &BattleReport) -> Vec<Section> {
    let mut sections = Vec::new();
    for turn in &report.turns {
        let mut parts = Vec::new();
        for phase in &turn.phases {
            if !phase.title.is_empty() {
                parts.push(Part::Step { title: plain(&phase.title), roll: String::new() });
            }
            parts.push(Part::Items(phase.entries.iter().map(|one| entry(report, one)).collect()));
        }
        sections.push(section(format!("Turn {}", turn.turn), parts));
    }
    if sections.is_empty() {
        sections.push(section(
            "The game",
            vec![Part::Text(Tone::Plain, "Nothing has happened yet.".into())],
        ));
    }
    if !report.taken_back.is_empty() {
        let what = count(
            report.taken_back.len() as u64,
            "event was undone and counts",
            "events were undone and count",
        );
        let taken = report.taken_back.iter().map(|taken| {
            let consent = if taken.consent.is_empty() {
                String::new()
            } else {
                format!(" with the consent of {}", taken.consent.join(", "))
            };
            item(
                "",
                plain(&format!(
                    "{} Taken back by {}{consent} ({}).",
                    taken.what, taken.by, taken.n
                )),
            )
        });
        let note =
            Part::Text(Tone::Note, format!("{what} for nothing, here and in the luck below."));
        sections.push(section("Taken back", vec![note, Part::Items(taken.collect())]));
    }
    if !report.sealed.is_empty() {
        let items = report.sealed.iter().map(|line| item("", plain(line))).collect();
        sections.push(section("Sealed rolls", vec![Part::Items(items)]));
    }
    if !report.endings.is_empty() {
        let items = report.endings.iter().map(|line| item("", plain(line))).collect();
        sections.push(section("How it ended", vec![Part::Items(items)]));
    }
    if !report.due.is_empty() {
        sections.push(section(
            "Still due at the end",
            vec![Part::Items(report.due.iter().map(|due| item("", plain(due))).collect())],
        ));
    }
    sections
}

fn entry(report: &BattleReport, entry: &Entry) -> Item {
    let (mark, accent) = (entry.n.to_string(), side_accent(report, entry.side.as_ref()));
    match entry.kind {
        EntryKind::Note => Item {
            mark,
            term: format!("{}:", plain(&entry.by)),
            text: format!("“{}”", plain(&entry.outcome)),
            ..Item::default()
        },
        EntryKind::Other => Item { mark, text: plain(&entry.outcome), ..Item::default() },
        EntryKind::Play => {
            let changes = if entry.changes.is_empty() {
                String::new()
            } else {
                format!(" {}", plain(&entry.changes))
            };
            Item {
                mark,
                term: plain(&entry.outcome),
                text: format!("{}{changes} ({})", play_line(entry), actor(entry)),
                lines: entry.arithmetic.iter().map(|sum| plain(sum)).collect(),
                accent,
            }
        }
    }
}

fn luck(report: &BattleReport) -> Vec<Section> {
    let luck = &report.luck;
    let verdicts = verdicts(luck);
    let mut parts = match verdicts.is_empty() {
        true => vec![Part::Text(Tone::Strong, no_verdict(luck).into())],
        false => vec![Part::Items(
            verdicts.into_iter().map(|(what, text)| item(format!("{what}:"), text)).collect(),
        )],
    };
    let title = "Luck, expected and actual";
    // Where nothing can be judged, the counts stand in one line each and not in tables.
    if luck.looks == 0 {
        let line = |side| item(format!("{}:", side_name(side)), few_rolls(side));
        parts.push(Part::Items(luck.sides.iter().map(line).collect()));
        return vec![section(title, parts)];
    }
    parts.push(Part::Text(Tone::Note, rule(luck)));
    if !luck.dice.is_empty() {
        parts.push(dice("All dice", &luck.dice));
    }
    let mut sections = vec![section(title, parts)];
    sections.extend(luck.sides.iter().map(|side| side_luck(report, side)));
    sections
}

fn dice(caption: &str, list: &[DiceLuck]) -> Part {
    let row = |dice: &DiceLuck| {
        let verdict = short_verdict(&dice.judged, dice.dice, ("high", "low"));
        vec![
            format!("d{}, {}", dice.sides, plain(&en::thrown_by(dice.source, "dice"))),
            dice.dice.to_string(),
            number(dice.expected),
            number(dice.actual),
            verdict,
            String::new(),
        ]
    };
    let bar = |dice: &DiceLuck| Bar {
        expected: dice.expected,
        actual: dice.actual,
        most: f64::from(dice.sides),
    };
    with_bars(
        caption,
        &["Dice", "Rolled", "Expected", "Mean", "Verdict", BAR_HEAD],
        list.iter().map(row).collect(),
        list.iter().map(bar).collect(),
    )
}

/// Over the small bars: the outline is what was expected, the bar what came.
const BAR_HEAD: &str = "Expected □, came ■";

fn with_bars(caption: &str, heads: &[&str], rows: Vec<Vec<String>>, bars: Vec<Bar>) -> Part {
    let heads = heads.iter().map(ToString::to_string).collect();
    Part::Table(Table { caption: plain(caption), heads, rows, bars, ..Table::default() })
}

fn side_luck(report: &BattleReport, side: &SideLuck) -> Section {
    let mut parts = Vec::new();
    if !side.dice.is_empty() {
        parts.push(dice("", &side.dice));
    }
    for cards in &side.cards {
        let text = format!(
            "{}: {} drawn ({}).",
            cards.deck,
            count(cards.cards.into(), "card", "cards"),
            en::thrown_by(cards.source, "cards")
        );
        parts.push(Part::Text(Tone::Plain, plain(&text)));
    }
    side.charts.iter().for_each(|chart| chart_luck(chart, &mut parts));
    let accent = side_accent(report, side.side.as_ref());
    Section { accent, ..section(format!("Luck: {}", side_name(side)), parts) }
}

fn chart_luck(chart: &ChartLuck, parts: &mut Vec<Part>) {
    let row = |result: &adjutant_game::ResultLuck| {
        let title = format!(
            "{}{}",
            plain(&result.title),
            if result.besides { " (in addition)" } else { "" }
        );
        let verdict = short_verdict(&result.judged, result.open, ("more often", "less often"));
        let (open, actual) = (result.open.to_string(), result.actual.to_string());
        vec![title, open, expected(result), actual, verdict, String::new()]
    };
    let bar = |result: &adjutant_game::ResultLuck| Bar {
        expected: result.expected,
        actual: f64::from(result.actual),
        most: f64::from(chart.rolls.max(result.actual)),
    };
    let caption =
        format!("{}, {}", chart.title, count(chart.rolls.into(), "roll weighed", "rolls weighed"));
    match (chart.results.is_empty(), few_results(chart)) {
        (true, _) => parts.push(Part::Text(Tone::Strong, plain(&caption))),
        (_, Some(few)) => parts.push(Part::Text(Tone::Plain, few.sentence())),
        (_, None) => parts.push(with_bars(
            &caption,
            &["Result", "Open in", "Expected", "Came", "Verdict", BAR_HEAD],
            chart.results.iter().map(row).collect(),
            chart.results.iter().map(bar).collect(),
        )),
    }
    for left_out in &chart.not_weighed {
        let text = format!(
            "Not weighed: {} – {}.",
            count(left_out.rolls.into(), "roll", "rolls"),
            en::not_weighed(&left_out.why)
        );
        parts.push(Part::Text(Tone::Note, plain(&text)));
    }
}

fn rules(report: &BattleReport) -> Section {
    let pack = &report.pack;
    let by = if pack.by.is_empty() { String::new() } else { format!(" by {}", pack.by) };
    let mut parts = vec![Part::Text(
        Tone::Plain,
        plain(&format!("{}{by}; {}.", pack.title, crate::edition(&pack.id, &pack.version))),
    )];
    let options = report.options.iter().map(|option| {
        let changed = if option.changed { ", chosen for this game" } else { "" };
        item(
            format!("{}:", plain(&option.label)),
            plain(&format!("{} ({}{changed})", option.value, option.standing)),
        )
    });
    let readings = report
        .readings
        .iter()
        .map(|reading| item("", plain(&format!("{} ({})", reading.text, reading.standing))));
    let decks = report.decks.iter().map(|deck| {
        item(
            format!("{}:", plain(&deck.title)),
            format!(
                "{} of {} left at the end",
                deck.left,
                count(deck.size.into(), "card", "cards")
            ),
        )
    });
    let items: Vec<Item> = options.chain(readings).chain(decks).collect();
    if !items.is_empty() {
        parts.push(Part::Items(items));
    }
    let log = format!(
        "Log of {}, last line {}.",
        count(report.events, "event", "events"),
        plain(&report.head)
    );
    parts.push(Part::Text(Tone::Note, log));
    section("Rules in force", parts)
}
