#![no_main]
//! Whatever a player types for a shipped chart is taken or refused; what came through the seam, run
//! again, gives the same account.

use arbitrary::Arbitrary;
use chance::{Answer, Came, Recorder, Replay, Typed};
use libfuzzer_sys::fuzz_target;
use sheet::{Pack, read_pack};
use std::sync::OnceLock;
use umpire::{Situation, needs, resolve};

#[derive(Arbitrary, Debug)]
struct Input {
    pack: u8,
    chart: u8,
    given: Vec<(u8, i16)>,
    options: u16,
    faces: Vec<u8>,
    cards: Vec<u8>,
    answers: Vec<(u8, i16)>,
    record: Vec<(u8, Vec<u8>)>,
}

fn shipped() -> &'static [Pack] {
    static PACKS: OnceLock<Vec<Pack>> = OnceLock::new();
    PACKS.get_or_init(|| packs::IDS.iter().filter_map(|id| read_pack(&packs::files(id)?, None).ok()).collect())
}

/// A text for some field: a word of it, a yes or no, a number.
fn text(accepts: &chance::Accepts, n: i16) -> String {
    match accepts {
        chance::Accepts::Choice { words } => words[n.unsigned_abs() as usize % words.len()].id.to_string(),
        chance::Accepts::YesNo => if n % 2 == 0 { "no" } else { "yes" }.into(),
        chance::Accepts::Number { .. } => n.to_string(),
    }
}

fuzz_target!(|input: Input| {
    let pack = &shipped()[input.pack as usize % shipped().len()];
    let chart = &pack.charts[input.chart as usize % pack.charts.len()];
    let Ok(mut situation) = Situation::new(pack, &chart.id) else { return };
    for (place, option) in pack.options.iter().enumerate() {
        let _ = situation.set_option(&option.field.id, &text(&option.field.accepts, (input.options >> (place % 16)) as i16));
    }
    if let Some(option) = chart.needs_option {
        let _ = situation.set_option(&pack.options[option].field.id, "yes");
    }
    for (field, n) in chart.inputs.iter().zip(0_u8..) {
        let n = input.given.iter().find(|(place, _)| *place == n).map_or(3, |(_, n)| *n);
        let _ = situation.give(&field.name, &text(&field.field.accepts, n));
    }
    let mut typed = Typed::new().with_dice(input.faces.iter().map(|n| u32::from(*n))).with_cards(input.cards.iter().map(|n| u32::from(*n)));
    for step in pack.charts.iter().flat_map(|chart| &chart.steps) {
        if let sheet::StepKind::Ask(field) = &step.kind {
            for (_, n) in &input.answers {
                typed = typed.with_answer(step.name.as_str(), text(&field.accepts, *n));
            }
        }
    }
    for table in &pack.user_tables {
        for (word, _) in &input.answers {
            let result = table.results.get(*word as usize % table.results.len().max(1));
            typed = typed.with_answer(table.id.as_str(), result.map_or("", |result| pack.results[*result].id.as_str()));
        }
    }
    let wanted = needs(&situation);
    let mut seam = Recorder::new(typed);
    let outcome = resolve(&mut situation.clone(), &mut seam);
    let record = seam.into_record();
    if let Err(stopped) = &outcome {
        assert_eq!(wanted.is_empty(), !stopped.account.needs.iter().any(|n| matches!(n.wanted, chance::Wanted::Input { .. })));
        let _ = stopped.sentence();
    }
    let mut replay = Replay::new(&record);
    let again = resolve(&mut situation.clone(), &mut replay);
    match (&outcome, &again) {
        (Ok(first), Ok(second)) => {
            assert_eq!(first, second);
            assert!(serde_json::to_string(first).is_ok());
        }
        (Err(_), Err(_)) => {}
        _ => panic!("played and replayed differ"),
    }
    let other: Vec<Came> = input
        .record
        .iter()
        .map(|(kind, list)| match kind % 3 {
            0 => Came::Dice(list.iter().map(|n| u32::from(*n)).collect()),
            1 => Came::Card(list.len() as u32),
            _ => Came::Answer(Answer::YesNo(list.is_empty())),
        })
        .collect();
    let _ = resolve(&mut situation, &mut Replay::new(&other));
});
