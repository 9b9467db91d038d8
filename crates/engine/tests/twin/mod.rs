//! Shared by the odds tests: exact fractions, a distribution as a plain list, and a reference
//! implementation that walks every face and every card through the charts.

use adjutant_dice::{Answer, EnteredInput, Number, Wanted};
use adjutant_engine::{
    AnswerOdds, Chance, Distribution, OddsError, OddsOptions, OddsReport, Resolution, Situation,
    odds, resolve,
};
use adjutant_pack::{Pack, read_pack};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

pub type Told = BTreeMap<String, Chance>;

pub fn shipped() -> &'static [Pack] {
    static PACKS: OnceLock<Vec<Pack>> = OnceLock::new();
    PACKS.get_or_init(|| {
        adjutant_bundled_packs::IDS
            .iter()
            .map(|id| read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap())
            .collect()
    })
}

pub fn pack(id: &str) -> &'static Pack {
    shipped().iter().find(|pack| pack.id() == id).unwrap()
}

/// Parses a situation from a line: `fire ammo=ap firer.ap=6`; also `memory.x=…` and `option.x=…`.
pub fn situation<'p>(pack: &'p Pack, line: &str) -> Situation<'p> {
    let mut words = line.split_whitespace();
    let mut situation = Situation::new(pack, words.next().unwrap()).unwrap();
    for word in words {
        let (name, text) = word.split_once('=').unwrap();
        match name.split_once('.') {
            Some(("memory", name)) => situation.set_memory(name, text),
            Some(("option", name)) => situation.set_option(name, text),
            _ => situation.give(name, text),
        }
        .unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    }
    situation
}

/// Options with these answers, by name.
pub fn asked<const N: usize>(answers: [(&str, AnswerOdds); N]) -> OddsOptions {
    OddsOptions {
        answers: answers.into_iter().map(|(name, taken)| (name.to_owned(), taken)).collect(),
        ..OddsOptions::default()
    }
}

/// Yes with probability `times / of`.
pub fn yes(times: u64, of: u64) -> AnswerOdds {
    match times {
        0 => AnswerOdds::Always(Answer::YesNo(false)),
        _ if times == of => AnswerOdds::Always(Answer::YesNo(true)),
        _ => AnswerOdds::Weighed(vec![
            (Answer::YesNo(true), times),
            (Answer::YesNo(false), of - times),
        ]),
    }
}

pub fn frac(ways: u64, of: u64) -> Chance {
    Chance::new(BigUint::from(ways), BigUint::from(of))
}

pub fn times(a: &Chance, b: &Chance) -> Chance {
    Chance::new(a.ways() * b.ways(), a.of() * b.of())
}

pub fn over(a: &Chance, b: &Chance) -> Chance {
    Chance::new(a.ways() * b.of(), a.of() * b.ways())
}

pub fn plus(a: &Chance, b: &Chance) -> Chance {
    Chance::sum([a, b])
}

pub fn add(told: &mut Told, key: impl Into<String>, chance: &Chance) {
    let entry = told.entry(key.into()).or_insert_with(|| frac(0, 1));
    *entry = plus(entry, chance);
}

/// Each fraction by its name, as text, to compare and to read.
pub fn shown(told: &Told) -> BTreeMap<&str, String> {
    told.iter()
        .filter(|(_, chance)| chance.exact() != "0")
        .map(|(key, chance)| (key.as_str(), chance.exact()))
        .collect()
}

fn key(of: Option<&str>, id: &str, on: Option<&str>) -> String {
    let of = of.map(|of| format!("{of}: ")).unwrap_or_default();
    let on = on.map(|on| format!(" on {on}")).unwrap_or_default();
    format!("{of}{id}{on}")
}

/// All probabilities of a distribution by name: results, `= 4` for a number, `+ id` for an
/// additional result.
pub fn told(spread: &Distribution) -> Told {
    let mut told = Told::new();
    for result in &spread.results {
        add(&mut told, key(result.of.as_deref(), &result.id, result.on.as_deref()), &result.chance);
    }
    for (value, chance) in &spread.values {
        add(&mut told, format!("= {value}"), chance);
    }
    for also in &spread.also {
        add(&mut told, format!("+ {}", also.id), &also.chance);
    }
    told
}

/// The same names for one run.
pub fn names(resolution: &Resolution) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match (&resolution.result, resolution.members.len() > 1) {
        (Some(result), _) => drop(names.insert(key(None, &result.id, result.on.as_deref()))),
        (None, true) => {
            for member in &resolution.members {
                let id = member.result.as_ref().map_or("none", |result| result.id.as_str());
                names.insert(key(Some(&member.name), id, None));
            }
        }
        (None, false) if resolution.value.is_none() => drop(names.insert("none".into())),
        _ => {}
    }
    names.extend(resolution.value.map(|value: Number| format!("= {value}")));
    names.extend(resolution.also.iter().map(|result| format!("+ {}", result.id)));
    names
}

/// The odds of the only branch.
pub fn exact(situation: &Situation<'_>, asked: &OddsOptions) -> Told {
    let report: OddsReport = odds(situation, asked)
        .unwrap_or_else(|stop: OddsError| panic!("{}: {stop:?}", situation.chart().id));
    assert_eq!(report.branches.len(), 1, "{}", situation.chart().id);
    told(&report.branches[0].spread)
}

/// Walks every face of every die and every card left, in every order, as entered input.
pub fn walk(situation: &Situation<'_>) -> Told {
    let mut found = Told::new();
    go(situation, &mut Vec::new(), &mut Vec::new(), &frac(1, 1), &mut found);
    found
}

fn go(
    start: &Situation<'_>,
    faces: &mut Vec<u32>,
    cards: &mut Vec<u32>,
    weight: &Chance,
    found: &mut Told,
) {
    assert!(faces.len() + cards.len() < 40, "this walk never ends");
    let mut situation = start.clone();
    let mut typed =
        EnteredInput::new().with_dice(faces.iter().copied()).with_cards(cards.iter().copied());
    let stopped = match resolve(&mut situation, &mut typed) {
        Ok(resolution) => {
            for name in names(&resolution) {
                add(found, name, weight);
            }
            return;
        }
        Err(stopped) => stopped,
    };
    assert_eq!(stopped.refused, None);
    match &stopped.resolution.needs[0].wanted {
        Wanted::Dice { count, sides, .. } => {
            let ways = u64::from(*sides).pow(*count);
            let part = times(weight, &frac(1, ways));
            for mut way in 0..ways {
                let before = faces.len();
                for _ in 0..*count {
                    faces.push((way % u64::from(*sides)) as u32 + 1);
                    way /= u64::from(*sides);
                }
                go(start, faces, cards, &part, found);
                faces.truncate(before);
            }
        }
        Wanted::Card { .. } => {
            let deck = &situation.decks[situation.deck_in_use().unwrap()];
            let part = times(weight, &frac(1, deck.left().into()));
            for card in deck.cards().collect::<Vec<_>>() {
                cards.push(card);
                go(start, faces, cards, &part, found);
                cards.pop();
            }
        }
        other => panic!("{other:?}"),
    }
}
