//! Battle reports as Markdown, HTML and pages. The report's value has all facts; this module only
//! renders them, in the same order and words in every format.

mod bars;
mod html;
mod luck_html;
pub(crate) mod markdown;
mod paged;

pub use html::{STYLE, html};
pub use markdown::markdown;
pub use paged::paged;

use adjutant_game::{ChartLuck, DiceLuck, Judged, LuckReport, LuckVerdict, ResultLuck, SideLuck};
use adjutant_wording::en;
use adjutant_wording::report::{BattleReport, Entry, ReportSide, ReportUnit};

/// Removes characters that could fake a line or change the direction of other text.
pub(crate) fn plain(text: &str) -> String {
    let bidi = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|c| !bidi(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A time to the minute, if it is in RFC 3339 format.
fn when(at: &str) -> String {
    let bytes = at.as_bytes();
    let norm = at.is_ascii()
        && bytes.len() >= 16
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && bytes[10] == b'T'
        && bytes[13] == b':';
    if norm { format!("{} {}", &at[..10], &at[11..16]) } else { plain(at) }
}

/// From when to when.
fn dates(report: &BattleReport) -> String {
    let (began, ended) = (when(&report.began), when(&report.ended));
    let same_day = began.len() == 16 && ended.len() == 16 && began.get(..10) == ended.get(..10);
    match () {
        () if began == ended => began,
        () if same_day => format!("{began} to {}", ended.get(11..).unwrap_or_default()),
        () => format!("{began} to {ended}"),
    }
}

/// A count with its noun.
fn count(n: u64, one: &str, several: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {several}") }
}

fn number(value: f64) -> String {
    format!("{value:.2}")
}

/// The expected count, with both bounds if they differ.
fn expected(result: &ResultLuck) -> String {
    let (least, most) = (number(result.expected), number(result.expected_most));
    if least == most { least } else { format!("{least}–{most}") }
}

/// The final state of a side, in a sentence.
fn side_summary(side: &ReportSide) -> String {
    let list = |words: &[(String, u32)]| {
        words.iter().map(|(word, n)| format!("{n} {}", plain(word))).collect::<Vec<_>>().join(", ")
    };
    let mut text = match side.units.is_empty() {
        true => "no units".to_owned(),
        false => format!(
            "{} of {} in the game at the end",
            side.here,
            count(side.units.len() as u64, "unit", "units")
        ),
    };
    for (what, words) in [("out", &side.out), ("left", &side.left)] {
        if !words.is_empty() {
            text += &format!("; {what}: {}", list(words));
        }
    }
    for (to, n) in &side.went_over {
        text += &format!("; {n} went over to {}", plain(to));
    }
    text
}

/// The initial state of a unit.
fn initial_state(unit: &ReportUnit) -> String {
    let group = (!unit.group.is_empty()).then(|| unit.group.clone());
    let parts =
        [Some(unit.kind.clone()), group, Some(unit.had.clone()).filter(|had| !had.is_empty())];
    plain(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

/// The final state of a unit.
fn final_state(unit: &ReportUnit) -> String {
    let gone = unit.gone.as_ref().map(|word| match unit.gone_turn {
        Some(turn) => format!("left in turn {turn}: {word}"),
        None => format!("left: {word}"),
    });
    let arrived = Some(unit.arrived.clone()).filter(|arrived| !arrived.is_empty());
    let parts: Vec<String> = arrived
        .into_iter()
        .chain(gone)
        .chain(unit.statuses.iter().cloned())
        .chain(unit.changed.iter().cloned())
        .collect();
    plain(&if parts.is_empty() { "unchanged".to_owned() } else { parts.join("; ") })
}

/// What was rolled and why, in one line.
fn play_line(entry: &Entry) -> String {
    let why = if entry.why.is_empty() { String::new() } else { format!(" ({})", entry.why) };
    let given = if entry.given.is_empty() { String::new() } else { format!(" {}.", entry.given) };
    let anyway = if entry.anyway.is_empty() { String::new() } else { format!(" {}", entry.anyway) };
    plain(&format!("{}{why}.{anyway}{given}", entry.what))
}

/// Who acted, for which side, with whose dice.
fn actor(entry: &Entry) -> String {
    let side = entry.side.iter().map(|side| format!("for {side}"));
    let with = Some(entry.rolled_with.join(" and ")).filter(|with| !with.is_empty());
    plain(&std::iter::once(entry.by.clone()).chain(side).chain(with).collect::<Vec<_>>().join(", "))
}

/// A CSS class with the side's colour. The name is always shown too.
fn with_side(class: &str, report: &BattleReport, side: Option<&String>) -> String {
    match report.sides.iter().position(|known| Some(&known.name) == side) {
        Some(place) => format!("{class} side-{}", place % 8 + 1),
        None => class.to_owned(),
    }
}

fn side_name(side: &SideLuck) -> String {
    side.side.as_ref().map_or_else(|| "No side".to_owned(), |side| plain(side))
}

/// A verdict in a word or two, for a cell.
fn short_verdict(judged: &Judged, n: u32, (more, less): (&str, &str)) -> String {
    match judged.verdict {
        LuckVerdict::TooFew if n == 0 => "certain each time".into(),
        LuckVerdict::TooFew => "too few to tell".into(),
        LuckVerdict::TooMany => "too many to weigh".into(),
        LuckVerdict::WithinLuck => "within luck".into(),
        LuckVerdict::More => format!("▲ {more}"),
        LuckVerdict::Less => format!("▼ {less}"),
    }
}

/// What a side rolled, in one line, where that is too little to judge.
fn few_rolls(side: &SideLuck) -> String {
    let dice = side.dice.iter().map(|dice| {
        format!(
            "{} d{}, mean {} (expected {})",
            dice.dice,
            dice.sides,
            number(dice.actual),
            number(dice.expected)
        )
    });
    let cards = side.cards.iter().map(|cards| {
        format!("{} of {}", count(cards.cards.into(), "card", "cards"), plain(&cards.deck))
    });
    let charts = side.charts.iter().filter_map(few_results).map(|few| few.said());
    let not_weighed = side.charts.iter().flat_map(|chart| {
        let rolls = |n: u32| count(n.into(), "roll", "rolls");
        chart
            .not_weighed
            .iter()
            .map(move |left_out| format!("{}: {} not weighed", chart.title, rolls(left_out.rolls)))
    });
    let said: Vec<String> = dice.chain(cards).chain(charts).chain(not_weighed).collect();
    plain(&said.join("; "))
}

/// The results of a chart of which none can be judged, in one line.
enum FewResults {
    /// There were too few rolls.
    TooFew { chart: String, results: String },
    /// No roll had more than one possible result.
    Certain { chart: String },
}

impl FewResults {
    /// The line among others.
    fn said(&self) -> String {
        match self {
            FewResults::TooFew { chart, results } => format!("{chart}: {results}"),
            FewResults::Certain { chart } => format!("{chart}: certain each time"),
        }
    }

    /// The line as a sentence.
    fn sentence(&self) -> String {
        match self {
            FewResults::TooFew { chart, results } => {
                format!("Too few to tell: {chart}: {results}.")
            }
            FewResults::Certain { chart } => format!("Certain each time: {chart}."),
        }
    }
}

/// The results of a chart in one line, if none of them can be judged.
fn few_results(chart: &ChartLuck) -> Option<FewResults> {
    let thin = chart.results.iter().all(|result| result.judged.verdict == LuckVerdict::TooFew);
    if !thin || chart.results.is_empty() {
        return None;
    }
    let said = |result: &ResultLuck| {
        format!("{}: {} (expected {})", result.title, result.actual, expected(result))
    };
    let open: Vec<String> =
        chart.results.iter().filter(|result| result.open > 0).map(said).collect();
    let chart = plain(&format!("{}, {}", chart.title, count(chart.rolls.into(), "roll", "rolls")));
    Some(match open.is_empty() {
        true => FewResults::Certain { chart },
        false => FewResults::TooFew { chart, results: plain(&open.join(", ")) },
    })
}

/// All verdicts: what each is about, and its sentences.
fn verdicts(luck: &LuckReport) -> Vec<(String, String)> {
    let dice = |whose: &str, dice: &DiceLuck| {
        let (mean, mean_expected) = (number(dice.actual), number(dice.expected));
        let text = format!(
            "mean {mean} on {} dice, expected {mean_expected}. {}",
            dice.dice,
            en::judged(&dice.judged)
        );
        (format!("{whose}, d{}, {}", dice.sides, en::thrown_by(dice.source, "dice")), text)
    };
    // If one side rolled all dice of a kind, only that side is listed.
    let alone =
        |all: &DiceLuck| luck.sides.iter().flat_map(|side| &side.dice).any(|dice| dice == all);
    let has_verdict = |dice: &&DiceLuck| dice.judged.verdict.is_said();
    let mut list: Vec<(String, String)> = luck
        .dice
        .iter()
        .filter(has_verdict)
        .filter(|all| !alone(all))
        .map(|all| dice("All sides", all))
        .collect();
    for side in &luck.sides {
        let name = side_name(side);
        list.extend(side.dice.iter().filter(has_verdict).map(|own| dice(&name, own)));
        for chart in &side.charts {
            for result in chart.results.iter().filter(|result| result.judged.verdict.is_said()) {
                let rolls = count(result.open.into(), "roll", "rolls");
                let text = format!(
                    "{} in {rolls}, expected {}. {}",
                    result.actual,
                    expected(result),
                    en::judged(&result.judged)
                );
                list.push((format!("{name}, {}, {}", chart.title, result.title), text));
            }
        }
    }
    list.iter().map(|(what, text)| (plain(what), plain(text))).collect()
}

/// Whether some chance is known only between two bounds.
fn has_bounds(luck: &LuckReport) -> bool {
    let results = luck.sides.iter().flat_map(|side| &side.charts).flat_map(|chart| &chart.results);
    results.into_iter().any(|result| result.expected_most - result.expected > 1e-9)
}

/// How luck is measured, and when there is a verdict.
fn rule(luck: &LuckReport) -> String {
    let bounds =
        " Where a chance depends on a player's answer during the roll, least and most are given.";
    let bounds = if has_bounds(luck) { bounds } else { "" };
    format!(
        "Expected is the sum of the exact chances, each before the roll. Something is said only of a count with at least {} rolls or dice, \
         and only if luck alone would bring one as far off, in either direction, no more often than once in {} such reports; \
         {} had enough to be looked at, and each chance is multiplied by that number. Each throw is taken by itself, as the situation was.{bounds} \
         None of this says who played well or who ought to have won.",
        luck.enough,
        luck.one_in,
        count(luck.looks.into(), "count", "counts")
    )
}

/// The sentence if there is no verdict.
fn no_verdict(luck: &LuckReport) -> &'static str {
    match (luck.sides.is_empty(), luck.looks) {
        (true, _) => "Nothing was rolled.",
        (_, 0) => "No verdict: there are too few rolls to judge luck.",
        _ => "No verdict: nothing here lies outside what luck does.",
    }
}
