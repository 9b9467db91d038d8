//! `adjutant roll 4d6kh3+2` and `adjutant odds 2d8!`: dice without a pack.

use crate::args::{Odds, Roll, Setup};
use crate::error::{CommandError, CommandResult, Said};
use crate::odds::{bar, percent};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, RESULT, Table, in_style, paragraph};
use crate::setup::numbers;
use crate::uses::without_effect;
use adjutant_api::{NotationAgainst, NotationChances, NotationOdds, NotationRoll};
use adjutant_dice::notation::{Formula, NumberOdds, RollError, compare, parse};
use adjutant_dice::{InputSource, MixedInput, RandomInput, SourceError, Wanted};
use adjutant_engine::Chance;
use adjutant_wording::en::notation::{
    die_record, explosions_stop, formula_error, left_out, notation_error,
};
use adjutant_wording::en::numbers::short_fraction;
use adjutant_wording::en::{number_error, source_error};
use anstyle::Style;
use std::path::Path;

/// A table with more rows leaves out values that are very unlikely.
const LONG_TABLE: usize = 60;

/// The dice that the words name, if they do not name a pack. Words that were split by spaces
/// (`4d6 + 2`) belong together.
pub fn named(shelf: &PackRegistry, setup: &Setup) -> Result<Option<Formula>, CommandError> {
    let words = [Some(&setup.pack), setup.chart.as_ref()];
    let text = words.into_iter().flatten().chain(&setup.given.inputs);
    let text = text.map(String::as_str).collect::<Vec<_>>().join(" ");
    let read = parse(&text);
    if !looks_like_dice(&setup.pack) && !read.as_ref().is_ok_and(Formula::has_dice) {
        return Ok(None);
    }
    // `d6/2` is a path, too; it is a pack only if something is there.
    let is_path = setup.pack.contains(['/', '\\']);
    if shelf.find(&setup.pack).is_ok() && (!is_path || Path::new(&setup.pack).exists()) {
        return Ok(None);
    }
    read.map(Some).map_err(|why| CommandError::usage([notation_error(&text, &why)]))
}

/// `4d6…`, `d6…`, `d%`, `(2d6…`: no pack is likely to have such a name.
fn looks_like_dice(text: &str) -> bool {
    let rest =
        text.trim_start_matches(['(', '-', ' ']).trim_start_matches(|c: char| c.is_ascii_digit());
    let after = rest.strip_prefix(['d', 'D']);
    after.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit() || c == '%'))
}

/// What an option for charts has no meaning for.
fn refuse(used: &[(&str, bool)]) -> Result<(), CommandError> {
    let wrong: Vec<String> = used
        .iter()
        .filter(|(_, used)| *used)
        .map(|(flag, _)| format!("{flag} is for charts, not for dice notation"))
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(CommandError::usage(wrong)) }
}

fn refuse_setup(setup: &Setup) -> Result<(), CommandError> {
    refuse(&[
        ("--option", !setup.given.option.is_empty()),
        ("--memory", !setup.given.memory.is_empty()),
        ("--gone", setup.gone.is_some()),
        ("--hand", setup.hand.is_some()),
    ])
}

pub fn roll(formula: &Formula, asked: &Roll) -> CommandResult {
    refuse_setup(&asked.setup)?;
    let luck = &asked.luck;
    refuse(&[("--cards", luck.cards.is_some()), ("--answer", !luck.answer.is_empty())])?;
    without_effect(
        "beside --dice: leave that out",
        &[("--seed", luck.seed.is_some() && luck.dice.is_some())],
    )?;
    let random = match luck.seed {
        Some(seed) => RandomInput::seeded(seed),
        None => {
            RandomInput::from_system().map_err(|stop| CommandError::usage([source_error(&stop)]))?
        }
    };
    let mut source = MixedInput::new(random);
    if luck.dice.is_some() || luck.own {
        let faces = numbers("--dice", luck.dice.as_deref());
        let faces = faces.map_err(|why| CommandError::usage([why.to_string()]))?;
        source = source.with_dice(faces);
    }
    let asks = luck.own && crate::ask::in_terminal() && !asked.json;
    let rolled = if asks {
        formula.roll(&mut crate::ask::PromptInput::new(&mut source, true))
    } else {
        formula.roll(&mut source)
    };
    let rolled =
        rolled.map_err(|stop| CommandError::usage([stopped(&stop, luck.dice.as_ref())]))?;
    source.finish().said()?;
    if asked.json {
        let data = NotationRoll::new(formula.text(), &rolled);
        return Ok(CommandOutput::done(crate::json::pretty(&data)));
    }
    let mut out =
        format!("{}  {}\n", in_style(RESULT, rolled.total), in_style(DIM, formula.text()));
    let mut table = Table::new(2);
    for term in &rolled.terms {
        let dice: Vec<String> = term.dice.iter().map(|die| die_record(die, term.counts)).collect();
        table.row([
            (term.text.clone(), Style::new()),
            (term.total.to_string(), HEAD),
            (dice.join("  "), DIM),
        ]);
    }
    out.push_str(&table.print());
    Ok(CommandOutput::done(out))
}

fn stopped(stop: &RollError, given: Option<&Vec<String>>) -> String {
    match stop {
        RollError::Source(SourceError::Missing(need)) => match &need.wanted {
            Wanted::Dice { count, sides, .. } => format!(
                "the next roll is {count}d{sides} for {}: --dice holds {} in all, which is too few",
                need.what_for,
                given.map_or(0, Vec::len)
            ),
            _ => adjutant_wording::en::missing(need),
        },
        RollError::Source(other) => source_error(other),
        RollError::Number(error) => number_error(*error),
    }
}

fn counted(formula: &Formula) -> Result<NumberOdds, CommandError> {
    formula.odds().map_err(|why| CommandError::usage([formula_error(&why)]))
}

pub fn odds(formula: &Formula, asked: &Odds) -> CommandResult {
    refuse_setup(&asked.setup)?;
    refuse(&[
        ("--answer", !asked.answer.is_empty()),
        ("--follow", asked.follow),
        ("--vary", !asked.vary.is_empty()),
        ("--times", asked.times.is_some()),
        ("--modifiers", asked.modifiers),
        ("--plot", asked.plot.is_some()),
    ])?;
    let other = match &asked.against {
        Some(text) => {
            Some(parse(text).map_err(|why| CommandError::usage([notation_error(text, &why)]))?)
        }
        None => None,
    };
    let ours = counted(formula)?;
    let against = match &other {
        Some(other) => Some(NotationAgainst::new(other.text(), &compare(&ours, &counted(other)?))),
        None => None,
    };
    let chances = NotationChances::new(&ours);
    if asked.json {
        let data = NotationOdds { against, ..NotationOdds::new(formula, &chances) };
        return Ok(CommandOutput::done(crate::json::pretty(&data)));
    }
    let shown = match against {
        Some(against) => opposed(formula, &against),
        None => table(formula, &chances),
    };
    let most = formula.most_explosions().or_else(|| other.as_ref()?.most_explosions());
    let note = most.map(|most| paragraph(2, DIM, &explosions_stop(most))).unwrap_or_default();
    let shown = shown + &note;
    Ok(CommandOutput::done(shown))
}

fn opposed(formula: &Formula, against: &NotationAgainst<'_>) -> String {
    let (ours, theirs) = (formula.text(), against.notation);
    let mut out = format!("{} against {}\n", in_style(HEAD, ours), in_style(HEAD, theirs));
    let mut table = Table::new(2);
    let rows = [
        (format!("{ours} is higher"), &against.win),
        ("equal".to_owned(), &against.tie),
        (format!("{theirs} is higher"), &against.lose),
    ];
    for (name, chance) in rows {
        table.row([
            (name, Style::new()),
            (format!("{:>8}", percent(chance)), HEAD),
            (format!("{:<30}", bar(chance.percent(), 30)), RESULT),
            (fraction(chance), DIM),
        ]);
    }
    out.push_str(&table.print());
    out
}

fn fraction(chance: &Chance) -> String {
    short_fraction(chance).unwrap_or_default()
}

fn table(formula: &Formula, chances: &NotationChances) -> String {
    let mut out = format!("{}\n", in_style(HEAD, formula.text()));
    let mut table = Table::new(2);
    table.head(["value", "chance", "", "at least", "at most", "exactly"]);
    let long = chances.values.len() > LONG_TABLE;
    let mut left = 0;
    for (value, chance, at_least, at_most) in &chances.values {
        if long && chance.percent() < 0.01 {
            left += 1;
            continue;
        }
        table.row([
            (value.to_string(), HEAD),
            (percent(chance), HEAD),
            (bar(chance.percent(), 30), RESULT),
            (percent(at_least), Style::new()),
            (percent(at_most), Style::new()),
            (fraction(chance), DIM),
        ]);
    }
    out.push_str(&table.print());
    if left > 0 {
        out.push_str(&paragraph(2, DIM, &left_out(left)));
    }
    let short = chances.mean.len() <= 30;
    let mean = if short { format!("{} = ", in_style(HEAD, &chances.mean)) } else { String::new() };
    out.push_str(&format!("  mean {mean}{:.3}\n", chances.about));
    out
}
