//! What a chart and those after it read of the cards, and where a step that is made again stands.

use super::request::OddsOptions;
use crate::situation::Situation;
use adjutant_dice::Text;
use adjutant_pack::{
    CardCell, Chart, DeckFieldKind, FacePart, Facet, Formula, Pack, StepKind, Value,
};
use std::collections::HashMap;

/// Which cards come to the same for a chart and all that follow from it, and whether a step that is
/// rolled again stands as it stood.
pub(super) fn terms(
    situation: &Situation<'_>,
    asked: &OddsOptions,
) -> (HashMap<Text, Vec<u32>>, bool) {
    let mut charts = Vec::new();
    reach(situation.pack(), situation.chart(), asked.follow.is_on(), &mut charts);
    let deck_events = charts.iter().any(|chart| !chart.deck_events.is_empty());
    let round = goes_round(situation.pack(), asked.follow.is_on(), &charts);
    (
        classes(situation, asked.follow.is_on(), &charts),
        round && !(asked.follow.is_on() && deck_events),
    )
}

/// Which cards come to the same for all charts that may be run: those that agree in every field
/// read.
fn classes(situation: &Situation<'_>, follow: bool, charts: &[&Chart]) -> HashMap<Text, Vec<u32>> {
    let (pack, first) = (situation.pack(), situation.chart());
    // What is given settles which of several numbers the first chart reads – if it is given once
    // for all, is not asked again during the run, and the chart does not come again with something
    // else.
    let known = situation.known_names();
    let fresh =
        first.steps.iter().flat_map(|step| &step.again).any(|again| again.ask_again.is_some());
    let returns = follow
        && charts
            .iter()
            .flat_map(|chart| chart.follow_ups())
            .any(|next| pack.charts()[next.chart].id == first.id);
    let once = situation.members.is_empty() && !fresh && !returns;
    let settled = |chart: &Chart, by: &Formula| match chart.id == first.id && once {
        true => by.eval_partly(&known, &mut Vec::new()),
        false => by.constant(),
    };
    let mut found = HashMap::new();
    for (deck, sheet) in pack.decks().iter_enumerated() {
        let mut cells: Vec<usize> = Vec::new();
        let mut by_number = false;
        for (chart, step) in
            charts.iter().flat_map(|chart| chart.steps.iter().map(move |step| (*chart, step)))
        {
            let StepKind::Draw(draw) = &step.kind else { continue };
            if draw.deck != deck {
                continue;
            }
            // A player picks one card, not one of a class.
            by_number |= draw.pick.is_some();
            by_number |= step.facets.iter().any(|(facet, _)| *facet == Facet::Card);
            cells.extend(step.facets.iter().filter_map(|(facet, _)| {
                if let Facet::Field(field) = facet {
                    Some(sheet.fields[*field].first_cell)
                } else {
                    None
                }
            }));
            let one = draw.several.iter().flat_map(|several| &several.face);
            cells.extend(one.filter_map(|(part, _)| match part {
                FacePart::Card(field) => Some(sheet.fields[*field].first_cell),
                _ => None,
            }));
            if let Some((field, by)) = &draw.read {
                let known = &sheet.fields[*field];
                match (
                    &known.kind,
                    by.as_ref()
                        .and_then(|by| settled(chart, by))
                        .and_then(Value::number)
                        .and_then(adjutant_dice::Number::as_whole),
                ) {
                    (DeckFieldKind::Numbers { from, .. }, Some(by)) => {
                        cells.push(known.first_cell + (by - i64::from(*from)).max(0) as usize)
                    }
                    (DeckFieldKind::Numbers { from, to }, None) => {
                        cells.extend((0..=(to - from) as usize).map(|n| known.first_cell + n))
                    }
                    _ => cells.push(known.first_cell),
                }
            }
        }
        if sheet.chits.is_some() {
            let chits = 0..situation.decks[deck].size();
            let list = chits.map(|chit| if by_number { chit } else { 0 });
            found.insert(sheet.id.clone(), list.collect());
            continue;
        }
        let mut seen: Vec<Vec<Option<&CardCell>>> = Vec::new();
        let list = sheet.cards.iter().enumerate().map(|(number, card)| {
            if by_number {
                return number as u32;
            }
            let sign: Vec<Option<&CardCell>> =
                cells.iter().map(|cell| card.cells.get(*cell).and_then(Option::as_ref)).collect();
            let place = seen.iter().position(|known| *known == sign).unwrap_or_else(|| {
                seen.push(sign);
                seen.len() - 1
            });
            place as u32
        });
        found.insert(sheet.id.clone(), list.collect());
    }
    found
}

/// The chart, those it looks up, and those that may follow.
pub(super) fn reach<'p>(
    pack: &'p Pack,
    chart: &'p Chart,
    follow: bool,
    found: &mut Vec<&'p Chart>,
) {
    if found.iter().any(|known| known.id == chart.id) {
        return;
    }
    found.push(chart);
    for step in &chart.steps {
        if let StepKind::LookUp(look_up) = &step.kind {
            reach(pack, &pack.charts()[look_up.chart], follow, found);
        }
        for look_up in step.again.iter().filter_map(|again| again.look_up.as_ref()) {
            reach(pack, &pack.charts()[look_up.chart], follow, found);
        }
    }
    for next in chart.follow_ups().filter(|_| follow) {
        reach(pack, &pack.charts()[next.chart], follow, found);
    }
}

/// The same for one step: nothing but the roll itself changes when it is made again.
pub(super) fn goes_round_step(pack: &Pack, step: &adjutant_pack::Step) -> bool {
    step.again.iter().filter_map(|again| again.look_up.as_ref()).all(|look_up| {
        let mut between = Vec::new();
        reach(pack, &pack.charts()[look_up.chart], false, &mut between);
        between.iter().all(|chart| chart.read.also.is_empty())
    })
}

/// Whether every step that is rolled or drawn again stands as it stood: what a chart looked up in
/// between leaves behind – another deck changed, a result in addition, something remembered or to
/// follow – would count.
fn goes_round(pack: &Pack, follow: bool, charts: &[&Chart]) -> bool {
    charts.iter().flat_map(|chart| &chart.steps).all(|step| {
        let own = if let StepKind::Draw(draw) = &step.kind { Some(draw.deck) } else { None };
        let mut between = Vec::new();
        for look_up in step.again.iter().filter_map(|again| again.look_up.as_ref()) {
            reach(pack, &pack.charts()[look_up.chart], false, &mut between);
        }
        between.iter().all(|chart| {
            let draws = chart
                .steps
                .iter()
                .any(|step| matches!(&step.kind, StepKind::Draw(draw) if Some(draw.deck) != own));
            let lasting = chart.effects().any(|effect| {
                effect.kind.reshuffled().is_some_and(|deck| Some(*deck) != own)
                    || (follow && effect.kind.memory().is_some())
            });
            !draws
                && !lasting
                && chart.read.also.is_empty()
                && (!follow || chart.follow_ups().next().is_none())
        })
    })
}
