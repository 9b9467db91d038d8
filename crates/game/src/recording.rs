//! What a play did with the decks, and whose decks it uses.

use crate::card_place::LoggedPlace;
use crate::event::{Begin, Drawn, UnitsByRole};
use crate::play::{first_unit, member_name};
use crate::state::{State, Unit};
use crate::turn::in_bag;
use adjutant_dice::CardPlace;
use adjutant_engine::{CardMove, CardMoveKind, CardOwner, Situation};
use adjutant_pack::{Chart, DeckId, Pack, StepKind};

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
    let pack = situation.pack();
    let (own, hands) = (setup.has_own_decks(pack), has_hands(pack));
    for (deck, sheet) in pack.decks().iter_enumerated().filter(|_| own) {
        if !setup.is_own(sheet) {
            situation.decks.share(deck);
        }
    }
    let named = own && names_owners(situation.pack());
    if !hands && !named {
        return sides;
    }
    let number = |unit: &Unit| state.place(&unit.id).map_or(0, |place| place as u32 + 1);
    let chart = situation.chart();
    let first = first_unit(state, chart, who).map_or(0, number);
    situation.owners.acting = CardOwner { decks: 0, side: acting as u32, unit: first };
    let each = chart.each.as_ref().map(|each| chart.roles[each.role].id.as_str());
    for (role, units) in who {
        for (nth, unit) in units.iter().enumerate() {
            let Some(unit) = state.unit(unit) else { continue };
            let decks = match sides.iter().position(|side| *side == unit.side) {
                _ if !own => 0,
                Some(place) => place as u32,
                None => {
                    sides.push(unit.side);
                    situation.decks.add(state.decks_of(unit.side).clone())
                }
            };
            let name = match each == Some(role.as_str()) {
                true => format!("{role}.{}", member_name(units, nth)),
                false => role.clone(),
            };
            let owner = CardOwner { decks, side: unit.side as u32, unit: number(unit) };
            situation.owners.roles.push((name.into(), owner));
        }
    }
    sides
}

/// The entry of a chit that was drawn after those of this play.
fn chit(
    pack: &Pack,
    bags: &Bags,
    (deck, chit): (DeckId, u32),
    unit: &str,
    before: &[Drawn],
) -> Drawn {
    let id = pack.decks()[deck].id.to_string();
    let size = bags.iter().find(|(known, _)| *known == deck).map_or(0, |(_, units)| units.len());
    let gone = before.iter().filter(|drawn| drawn.deck == id).count() + 1;
    Drawn {
        deck: id,
        took: vec![chit],
        unit: Some(unit.to_owned()),
        left: Some(size.saturating_sub(gone) as u32),
        ..Drawn::default()
    }
}

/// Whether any draw of a pack names the role whose deck it is.
fn names_owners(pack: &Pack) -> bool {
    let names = |chart: &Chart| {
        let draws = |kind: &StepKind| matches!(kind, StepKind::Draw(draw) if draw.of.is_some());
        chart.steps.iter().any(|step| draws(&step.kind))
    };
    pack.charts().iter().any(names)
}

fn has_hands(pack: &Pack) -> bool {
    pack.decks().iter().any(|deck| deck.hand.is_some())
}

/// The units that have a chit in each bag, in the order of the chits.
pub(crate) type Bags = Vec<(DeckId, Vec<String>)>;

/// Fills the bags from the roster as it is now.
pub(crate) fn fill_bags(situation: &mut Situation<'_>, state: &State, setup: &Begin) -> Bags {
    let pack = situation.pack();
    let mut bags = Bags::new();
    for (deck, sheet) in pack.decks().iter_enumerated() {
        let Some(chits) = &sheet.chits else { continue };
        let units: Vec<&Unit> = in_bag(pack, setup, state, chits).collect();
        let names = units.iter().map(|unit| unit.name.as_str().into()).collect();
        situation.decks.fill_bag(deck, names);
        bags.push((deck, units.iter().map(|unit| unit.id.clone()).collect()));
    }
    bags
}

/// The unit whose chit has a number.
pub(crate) fn unit_of_chit(bags: &Bags, deck: DeckId, chit: u32) -> Option<&String> {
    let (_, units) = bags.iter().find(|(known, _)| *known == deck)?;
    units.get(chit.checked_sub(1)? as usize)
}

/// What happened to the decks, for the `cards` of a play record.
pub(crate) fn drawn(
    pack: &Pack,
    setup: &Begin,
    (sides, bags): (&[usize], &Bags),
    moves: &[CardMove],
) -> Vec<Drawn> {
    let mut all: Vec<Drawn> = Vec::new();
    for moved in moves {
        if let CardMoveKind::Moved { card, .. } = moved.kind
            && let Some(unit) = unit_of_chit(bags, moved.deck, card)
        {
            all.push(chit(pack, bags, (moved.deck, card), unit, &all));
            continue;
        }
        let sheet = &pack.decks()[moved.deck];
        let side = match setup.is_own(sheet) {
            true => sides.get(moved.owner.decks as usize),
            false => None,
        };
        let side = side.and_then(|side| setup.sides.get(*side)).cloned();
        let deck = sheet.id.to_string();
        let CardMoveKind::Moved { card, from, to } = moved.kind else {
            all.push(Drawn { deck, side, reshuffled: true, ..Drawn::default() });
            continue;
        };
        let unusual = |place: CardPlace, usual: CardPlace| {
            (place != usual).then(|| LoggedPlace::of(sheet, setup, place))
        };
        let (from, to) = (unusual(from, CardPlace::Deck), unusual(to, CardPlace::Discard));
        let new = Drawn { deck, side, from, to, ..Drawn::default() };
        let same = |last: &&mut Drawn| {
            let fresh = last.took.is_empty() && last.from.is_none() && new.from.is_none();
            let places = (&last.from, &last.to) == (&new.from, &new.to);
            last.deck == new.deck && last.side == new.side && (fresh || places)
        };
        match all.last_mut().filter(same) {
            Some(last) => {
                (last.from, last.to) = (new.from, new.to);
                last.took.push(card);
            }
            None => all.push(Drawn { took: vec![card], ..new }),
        }
    }
    all
}
