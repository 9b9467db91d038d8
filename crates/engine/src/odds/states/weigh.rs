//! Odds of a whole chart by its states, and which charts have them.

use super::{Found, Halted, Outcomes, Scope, Spread, States};
use crate::odds::distribution::OddsOutcome;
use crate::odds::reach::reach;
use crate::odds::request::{OddsError, OddsOptions};
use crate::run::{Skips, closed};
use crate::situation::Situation;
use adjutant_dice::Answer;
use adjutant_pack::{CardGoal, Chart, NameSource, Step, StepKind};

/// The odds of a chart, or none if the chart has something that is only explored: several units, a
/// chain that is followed.
pub(in crate::odds) fn weigh(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Option<Result<Outcomes, OddsError>> {
    if asked.follow.is_on() || situation.chart().each.is_some() || !fits(situation) {
        return None;
    }
    if let Some(error) = closed(situation) {
        return Some(Err(OddsError::Refused(error.into())));
    }
    let units = situation.units();
    let missing = crate::needs::needs_of(situation, &units);
    if !missing.is_empty() {
        return Some(Err(OddsError::Needs(missing)));
    }
    let found = match found(situation, asked, said, true)? {
        Ok(found) => found,
        Err(stop) => return Some(Err(stop)),
    };
    let chart = &situation.chart().id;
    let outcomes = found.parts.into_iter().map(|(found, weight)| {
        let key = OddsOutcome {
            chart: chart.clone(),
            result: found.result,
            value: found.value,
            also: found.done.also,
            ..OddsOutcome::default()
        };
        (key, weight)
    });
    Some(Ok((outcomes.collect(), found.total)))
}

/// How a chart that draws no cards comes out, with its effects and follow-ups. None if it can only be
/// explored. What it needs must be known.
pub(in crate::odds) fn changes(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
) -> Option<Result<Spread<Found>, OddsError>> {
    let draws = !situation.decks_in_use().is_empty();
    if draws || situation.chart().each.is_some() || !fits(situation) {
        return None;
    }
    found(situation, asked, said, false)
}

/// How a chart comes out. None if it can only be explored.
fn found(
    situation: &Situation<'_>,
    asked: &OddsOptions,
    said: &[(String, Answer)],
    skips_changes: bool,
) -> Option<Result<Spread<Found>, OddsError>> {
    let units = situation.units();
    let [(_, values)] = units.as_slice() else { return None };
    let mut states = States::new(situation, asked, said);
    let scope = Scope {
        chart: situation.chart,
        roles: None,
        skips: Skips { value: false, changes: skips_changes },
        decks: vec![false; situation.decks.len()],
    };
    loop {
        let left = states.decks_now(&scope);
        match states.chart(&scope, values, left) {
            Ok(found) => return Some(Ok(found)),
            Err(Halted::Odds(stop)) => return Some(Err(stop)),
            Err(Halted::Unfit) => return None,
            Err(Halted::Split) => states.start_again(),
        }
    }
}

/// Whether cards, if any, are drawn one by one from the acting side's deck and put down, and
/// nothing counts them. All else is explored.
pub(super) fn fits(situation: &Situation<'_>) -> bool {
    let pack = situation.pack();
    let mut charts = Vec::new();
    reach(pack, situation.chart(), false, &mut charts);
    let counts = |chart: &&Chart| {
        chart.other_names.iter().any(|(origin, _)| matches!(origin, NameSource::Deck(..)))
    };
    let alone = |step: &Step| match &step.kind {
        StepKind::Draw(draw) => {
            let mut whole = situation.decks[draw.deck].clone();
            whole.reshuffle();
            draw.several.is_none()
                && draw.pick.is_none()
                && draw.to == CardGoal::Discard
                && (draw.of.is_none() || !situation.decks.are_several())
                && pack.decks()[draw.deck].reshuffles
                && whole.left() == whole.size()
        }
        _ => true,
    };
    // A result that is passed on keeps the role of its look-up, which a state does not hold.
    let passes_on = |chart: &&Chart| {
        chart.read.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.result_of.is_some())
    };
    !charts.iter().any(|chart| counts(chart) || passes_on(chart) || !chart.deck_events.is_empty())
        && charts.iter().flat_map(|chart| &chart.steps).all(alone)
}
