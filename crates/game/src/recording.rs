//! What a play did with the decks, and whose decks it uses.

use crate::event::{Begin, Drawn, UnitsByRole};
use crate::play::member_name;
use crate::state::State;
use adjutant_engine::{CardMove, CardMoveKind, CardOwner, Situation};
use adjutant_pack::{Chart, Pack, StepKind};

/// The sides whose decks a situation has, in the order of [`CardOwner::decks`].
pub(crate) type DeckSides = Vec<usize>;

/// Tells a situation whose decks each role uses. The decks of the side that takes the test are
/// there already.
pub(crate) fn set_owners(
    situation: &mut Situation<'_>,
    state: &State,
    setup: &Begin,
    who: &UnitsByRole,
    acting: usize,
) -> DeckSides {
    let mut sides = vec![acting];
    if setup.decks.is_shared() || !names_owners(situation.pack()) {
        return sides;
    }
    let each = situation.chart().each.as_ref().map(|each| each.role);
    for (role, units) in who {
        for (nth, unit) in units.iter().enumerate() {
            let Some(unit) = state.unit(unit) else { continue };
            let place = match sides.iter().position(|side| *side == unit.side) {
                Some(place) => place as u32,
                None => {
                    sides.push(unit.side);
                    situation.decks.add(state.decks_of(unit.side).clone())
                }
            };
            let several = each.is_some_and(|each| situation.chart().roles[each].id == *role);
            let name = match several {
                true => format!("{role}.{}", member_name(units, nth)),
                false => role.clone(),
            };
            situation.owners.roles.push((name.into(), CardOwner { decks: place }));
        }
    }
    sides
}

/// Whether any draw of a pack names the role whose deck it is.
fn names_owners(pack: &Pack) -> bool {
    let names = |chart: &Chart| {
        let draws = |kind: &StepKind| matches!(kind, StepKind::Draw(draw) if draw.of.is_some());
        chart.steps.iter().any(|step| draws(&step.kind))
    };
    pack.charts().iter().any(names)
}

/// What happened to the decks, for the `cards` of a play record.
pub(crate) fn drawn(pack: &Pack, setup: &Begin, sides: &[usize], moves: &[CardMove]) -> Vec<Drawn> {
    let mut all: Vec<Drawn> = Vec::new();
    for moved in moves {
        let side = match setup.decks.is_shared() {
            true => None,
            false => sides.get(moved.owner.decks as usize),
        };
        let side = side.and_then(|side| setup.sides.get(*side)).cloned();
        let deck = pack.decks()[moved.deck].id.to_string();
        let last = all.last_mut().filter(|last| last.deck == deck && last.side == side);
        match (moved.kind, last) {
            (CardMoveKind::Drawn(card), Some(last)) => last.took.push(card),
            (CardMoveKind::Drawn(card), None) => {
                all.push(Drawn { deck, side, reshuffled: false, took: vec![card] });
            }
            (CardMoveKind::Reshuffled, _) => {
                all.push(Drawn { deck, side, reshuffled: true, took: Vec::new() });
            }
        }
    }
    all
}
