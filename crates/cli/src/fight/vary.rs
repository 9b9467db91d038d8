//! A fight over one or two inputs: how many fight, how good they are, what cover they have.

use super::played::{BLOCK, play_blocks};
use super::tell::more;
use super::{Budget, LATEST, Until};
use crate::args::Fight as Asked;
use crate::odds::sentences;
use crate::paint::{DIM, HEAD, Table, WARN, in_style, paragraph};
use crate::setup::refuse_unasked;
use crate::sim::new_seed;
use crate::vary::{Axis, axes, cell_place, cells, hot, two_ways};
use crate::worker_pool::{self, Work, cores};
use adjutant_api::{FightCell, FightTable};
use adjutant_engine::{FightSituation, OddsError, Outlook, Share};
use adjutant_pack::{Field, Noun, UnknownName};
use adjutant_wording::en::fight::NEARLY;
use adjutant_wording::en::numbers::grouped;
use adjutant_wording::en::unknown_name::nearest_or_all;
use std::time::{Duration, Instant};

/// How often a cell's fight is played that is too large to be weighed, if there is time.
const FIGHTS: u64 = 20_000;
/// How long all cells together may be played, and each of them.
const PATIENCE: Duration = Duration::from_secs(6);
const EACH: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));

pub fn vary(situation: &FightSituation<'_>, asked: &Asked) -> Result<String, Vec<String>> {
    let fight = situation.fight();
    let inputs: Vec<(&str, &Field)> =
        fight.inputs.iter().map(|input| (input.name.as_str(), &input.field)).collect();
    let axes = axes(&fight.title, &inputs, &asked.vary)?;
    let decisions = situation.decisions();
    let of = match &asked.of {
        None => None,
        Some(id) => match decisions.iter().find(|(known, _)| known == id) {
            Some(decision) => Some(decision.clone()),
            None => return Err(vec![unknown_decision(&fight.title, id, &decisions)]),
        },
    };
    let seed = asked.seed.map_or_else(new_seed, Ok).map_err(|why| vec![format!("{why:#}")])?;
    let cells = cells(situation, &axes)?;
    refuse_unasked(cells.iter().flatten().map(FightSituation::check_answers))
        .map_err(|why| vec![why.to_string()])?;
    let grid = grid(cells, seed, asked)?;
    if asked.json {
        return Ok(as_json(situation, &axes, &grid));
    }
    let mut out =
        format!("{}  {}\n", in_style(HEAD, &fight.title), in_style(DIM, situation.pack().title()));
    match axes.as_slice() {
        [down, across] => {
            let (id, title) = of.or_else(|| decisions.first().cloned()).unwrap_or_default();
            out.push_str(&format!("\n{}\n", in_style(HEAD, title)));
            out.push_str(&two_ways(down, across, &grid, |outlook| shown(share_of(outlook, &id))));
        }
        [down, ..] => out.push_str(&one_way(down, &grid, of.map_or(decisions, |of| vec![of]))),
        [] => {}
    }
    if grid.iter().flatten().any(Outlook::is_near) {
        out.push_str(&paragraph(2, DIM, NEARLY));
    }
    if let Some(most) =
        grid.iter().flatten().filter_map(|outlook| outlook.played).map(|played| played.fights).max()
    {
        let mut text = format!(
            "~ has too many possible states for exact odds: simulated up to {} times, with seed {seed}.",
            grouped(most)
        );
        if let Some(limit) = grid.iter().flatten().find_map(|outlook| outlook.over) {
            text = format!(
                "~ was not weighed within the limits: played up to {} times, with seed {seed}. {}",
                grouped(most),
                more(limit)
            );
        }
        out.push_str(&paragraph(2, WARN, &text));
    }
    Ok(out)
}

fn unknown_decision(title: &str, id: &str, decisions: &[(String, String)]) -> String {
    let unknown = UnknownName::new(Noun::Decision, id, decisions.iter().map(|(id, _)| id.as_str()));
    format!("{title} is not decided by `{id}`: {}", nearest_or_all(&unknown))
}

/// The outlook of every cell, each worked out by the next free worker.
fn grid(
    cells: Vec<Vec<FightSituation<'_>>>,
    seed: u64,
    asked: &Asked,
) -> Result<Vec<Vec<Outlook>>, Vec<String>> {
    let width = cells.first().map_or(1, Vec::len);
    let all: Vec<FightSituation<'_>> = cells.into_iter().flatten().collect();
    let count = all.len() as u64;
    let share = PATIENCE.mul_f64(cores() as f64 / count.max(1) as f64).clamp(EACH.0, EACH.1);
    let budget = Budget::of(asked);
    // All cells share the time, and those that are worked out at once share the memory.
    let (until, memory) = (Instant::now() + budget.time, budget.memory / cores());
    let costs = Costs { until, memory, seed, samples: asked.samples, share };
    let hand = |work: &Work| -> Result<Vec<(u64, Outlook)>, Vec<String>> {
        let mut found = Vec::new();
        while let Some(place) = work.next() {
            let here = &all[place as usize];
            found.push((place, look(here, &costs)?));
            work.did(1);
        }
        Ok(found)
    };
    let mut found: Vec<(u64, Outlook)> = Vec::new();
    worker_pool::run((count, count, cores(), None), hand, |part| found.extend(part))?;
    if found.len() < all.len() {
        return Err(vec!["stopped before the table was whole".into()]);
    }
    found.sort_by_key(|(place, _)| *place);
    let mut rows: Vec<Vec<Outlook>> = Vec::new();
    for (place, outlook) in found {
        if (place as usize).is_multiple_of(width) {
            rows.push(Vec::new());
        }
        if let Some(row) = rows.last_mut() {
            row.push(outlook);
        }
    }
    Ok(rows)
}

/// What a cell may cost, and how it is played if it costs more.
struct Costs {
    until: Instant,
    memory: usize,
    seed: u64,
    samples: Option<u64>,
    share: Duration,
}

fn look(situation: &FightSituation<'_>, costs: &Costs) -> Result<Outlook, Vec<String>> {
    let wrong = |stop: OddsError| sentences(situation.closed_by(), &stop);
    let over = match super::weigh(situation, costs.memory, costs.until) {
        Ok((odds, standings)) => return Ok(Outlook::weighed(odds, standings)),
        Err(OddsError::TooLarge(_)) => None,
        Err(OddsError::OverLimit(limit)) => Some(limit),
        Err(stop) => return Err(wrong(stop)),
    };
    let fights = costs.samples.unwrap_or(FIGHTS);
    let until = costs
        .samples
        .is_none()
        .then(|| Until { enough: Instant::now() + costs.share, latest: Instant::now() + LATEST });
    let work = Work::new(fights.div_ceil(BLOCK), until.map(|until| until.enough));
    let tally =
        play_blocks(situation, costs.seed, (fights, costs.memory), until, &work).map_err(wrong)?;
    if tally.fights == 0 {
        return Err(super::none_played());
    }
    Ok(Outlook { over, ..Outlook::played(situation, &tally, costs.seed) })
}

/// The share of a decision; one that cannot come about has none.
fn share_of<'o>(outlook: &'o Outlook, id: &str) -> Option<&'o Share> {
    outlook.ends.iter().find(|end| end.id == id && end.is_shown()).map(|end| &end.share)
}

/// A share as it stands in a cell.
fn shown(share: Option<&Share>) -> (String, f64) {
    let mark = if matches!(share, Some(Share::Counted { .. })) { "~" } else { "" };
    let percent = share.map_or(0.0, Share::percent);
    (format!("{mark}{}", adjutant_engine::percent_in_words(percent)), percent)
}

fn one_way(down: &Axis, grid: &[Vec<Outlook>], decisions: Vec<(String, String)>) -> String {
    let never = grid.iter().flatten().any(|outlook| !outlook.never.is_zero());
    let comes = |id: &str| grid.iter().flatten().any(|outlook| share_of(outlook, id).is_some());
    let decisions: Vec<(String, String)> =
        decisions.into_iter().filter(|(id, _)| comes(id)).collect();
    let mut table = Table::new(2);
    let heads = decisions
        .iter()
        .map(|(_, title)| title.clone())
        .chain(never.then(|| "Never decided".to_owned()));
    table.head(std::iter::once(down.label.clone()).chain(heads).chain(["rounds".to_owned()]));
    for (value, outlook) in down.values.iter().zip(grid.iter().flatten()) {
        let mut row = vec![(value.clone(), HEAD)];
        let shares = decisions
            .iter()
            .map(|(id, _)| share_of(outlook, id))
            .chain(never.then_some(Some(&outlook.never)));
        row.extend(shares.map(shown).map(|(text, percent)| hot(&text, percent)));
        row.push((
            outlook
                .rounds
                .as_ref()
                .map_or("–".to_owned(), |rounds| format!("{:.2}", rounds.value())),
            HEAD,
        ));
        table.row(row);
    }
    table.print()
}

fn as_json(situation: &FightSituation<'_>, axes: &[Axis], grid: &[Vec<Outlook>]) -> String {
    let mut cells = Vec::new();
    for (value, row) in axes.iter().take(1).flat_map(|axis| &axis.values).zip(grid) {
        for (place, outlook) in row.iter().enumerate() {
            cells.push(FightCell { outlook: outlook.into(), at: cell_place(axes, value, place) });
        }
    }
    crate::json::pretty(&FightTable {
        pack: situation.pack().id(),
        fight: &situation.fight().id,
        cells,
    })
}
