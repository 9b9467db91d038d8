//! The dice of a handful one by one, in a few words each.

use adjutant_engine::{DieLine, DieTest, RollStep};
use adjutant_pack::capital;

/// One die: `5`, `Shell`, `8 + 3 = 11`, `4 (was 1)`, `35 (worth 2)`.
pub fn die(die: &DieLine) -> String {
    let mut text = match die.exploded.is_empty() {
        true => die.face.to_string(),
        false => format!("{} = {}", die.exploded.join(" + "), die.face),
    };
    let mut notes = Vec::new();
    if !die.rerolled.is_empty() {
        notes.push(format!("was {}", die.rerolled.join(", then ")));
    }
    if die.extra {
        notes.push("extra".to_owned());
    }
    if die.dropped {
        notes.push("does not count".to_owned());
    }
    // A test is told beside the dice; yes and no say nothing more.
    let number = |worth: &adjutant_dice::Number| !matches!(worth.as_whole(), Some(0 | 1));
    if let Some(worth) = die.worth.filter(number).filter(|_| !die.dropped) {
        notes.push(format!("worth {worth}"));
    }
    if !notes.is_empty() {
        text.push_str(&format!(" ({})", notes.join("; ")));
    }
    text
}

/// The faces that count in a pool: `4 or less`.
pub fn passing(test: &DieTest) -> String {
    format!("{} {}", test.limit, if test.low { "or less" } else { "or more" })
}

/// The condition of a pool with what it counts: `4 or less: passes`.
pub fn die_test(test: &DieTest) -> String {
    format!("{}: {}", passing(test), test.counted)
}

/// All dice of a roll that is told die by die. Dice that lie alike are counted: `3 × Shell`.
pub fn handful(roll: &RollStep) -> Option<String> {
    if roll.handful.is_empty() {
        return None;
    }
    let named = roll.handful.iter().any(|die| die.face.parse::<adjutant_dice::Number>().is_err());
    let mut found: Vec<(String, u32)> = Vec::new();
    for text in roll.handful.iter().map(die) {
        match found.iter_mut().find(|(known, _)| named && *known == text) {
            Some((_, count)) => *count += 1,
            None => found.push((text, 1)),
        }
    }
    let all: Vec<String> = found
        .into_iter()
        .map(|(text, count)| if count == 1 { text } else { format!("{count} × {text}") })
        .collect();
    let plain = all.iter().all(|text| text.parse::<adjutant_dice::Number>().is_ok());
    Some(all.join(if plain { " " } else { ", " }))
}

/// The tallies of a roll: `Hits 3, sure 1`. Empty if there are none.
pub fn tallies(roll: &RollStep) -> String {
    let one = |tally: &adjutant_engine::TallyLine| {
        format!("{} {}", tally.name.as_str().replace('_', " "), tally.value)
    };
    capital(&roll.tallies.iter().map(one).collect::<Vec<_>>().join(", "))
}
