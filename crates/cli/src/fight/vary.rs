//! A fight over one or two inputs: how many fight, how good they are, what cover they have.

use super::tell::more;
use super::{limits, refuse_idle};
use crate::args::Fight as Asked;
use crate::error::CommandError;
use crate::paint::{DIM, HEAD, Table, WARN, in_style, paragraph};
use crate::request::Request;
use crate::uses::without_effect;
use crate::vary::{hot, two_ways};
use crate::work::{self, cores};
use adjutant_api::AxisQuery;
use adjutant_engine::{Outlook, Share};
use adjutant_pack::{Noun, Pack, UnknownName};
use adjutant_query::{Axis, FightGrid, fight_situation, vary_fight};
use adjutant_wording::en::fight::NEARLY;
use adjutant_wording::en::numbers::grouped;
use adjutant_wording::en::unknown_name::nearest_or_all;

pub fn vary(
    request: &mut Request<'_>,
    pack: &Pack,
    over: &[AxisQuery],
    asked: &Asked,
) -> Result<String, CommandError> {
    let situation = request.ask(|query| fight_situation(pack, query))?;
    let decisions = situation.decisions();
    let of = match &asked.of {
        None => None,
        Some(id) => match decisions.iter().find(|(known, _)| known == id) {
            Some(decision) => Some(decision.clone()),
            None => {
                let title = &situation.fight().title;
                return Err(CommandError::usage([unknown_decision(title, id, &decisions)]));
            }
        },
    };
    without_effect(
        "beside --json, which has every outcome: leave that out",
        &[("--of", asked.of.is_some() && asked.json)],
    )?;
    let work = work::long(cores());
    let found = request.ask(|query| vary_fight(pack, query, over, &limits(asked), &work))?;
    refuse_idle(asked, found.grid.iter().flatten())?;
    Ok(match asked.json {
        true => crate::json::pretty(&found.data()),
        false => as_text(&found, of, decisions),
    })
}

/// The table; with two inputs, of one decision.
fn as_text(
    found: &FightGrid<'_>,
    of: Option<(String, String)>,
    decisions: Vec<(String, String)>,
) -> String {
    let FightGrid { situation, axes, grid } = found;
    let fight = situation.fight();
    let mut out =
        format!("{}  {}\n", in_style(HEAD, &fight.title), in_style(DIM, situation.pack().title()));
    match axes.as_slice() {
        [down, across] => {
            let (id, title) = of.or_else(|| decisions.first().cloned()).unwrap_or_default();
            out.push_str(&format!("\n{}\n", in_style(HEAD, title)));
            out.push_str(&two_ways(down, across, grid, |outlook| shown(share_of(outlook, &id))));
        }
        [down, ..] => out.push_str(&one_way(down, grid, of.map_or(decisions, |of| vec![of]))),
        [] => {}
    }
    if grid.iter().flatten().any(Outlook::is_near) {
        out.push_str(&paragraph(2, DIM, NEARLY));
    }
    out.push_str(&simulated(grid));
    out
}

/// What is said of cells that were simulated.
fn simulated(grid: &[Vec<Outlook>]) -> String {
    let played = grid.iter().flatten().filter_map(|outlook| outlook.played);
    let Some(most) = played.max_by_key(|played| played.fights) else { return String::new() };
    let (times, seed) = (grouped(most.fights), most.seed);
    let text = match grid.iter().flatten().find_map(|outlook| outlook.over) {
        None => format!(
            "~ has too many possible states for exact odds: simulated up to {times} times, with seed {seed}."
        ),
        Some(limit) => format!(
            "~ was not weighed within the limits: played up to {times} times, with seed {seed}. {}",
            more(limit)
        ),
    };
    paragraph(2, WARN, &text)
}

fn unknown_decision(title: &str, id: &str, decisions: &[(String, String)]) -> String {
    let unknown = UnknownName::new(Noun::Decision, id, decisions.iter().map(|(id, _)| id.as_str()));
    format!("{title} is not decided by `{id}`: {}", nearest_or_all(&unknown))
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
    let mut table = Table::of_figures(2);
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
