#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Properties of every chart of every bundled pack, for any inputs and rolls.

use adjutant_dice::{
    Accepts, Answer, CardRequest, DiceRequest, EnteredInput, InputSource, Question, RandomInput,
    RecordedInput, Recorder, Replay, SourceError, ThrownBy, Wanted,
};
use adjutant_engine::{Interrupted, Resolution, ResolveError, Situation, needs, relevant, resolve};
use adjutant_pack::{Pack, read_pack};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::OnceLock;

fn shipped() -> &'static [Pack] {
    static PACKS: OnceLock<Vec<Pack>> = OnceLock::new();
    PACKS.get_or_init(|| {
        adjutant_bundled_packs::IDS
            .iter()
            .map(|id| read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap())
            .collect()
    })
}

/// The choices of a random player.
#[derive(Clone, Debug)]
struct Choices {
    pack: Index,
    chart: Index,
    inputs: Vec<(bool, Index)>,
    options: Vec<Index>,
    members: usize,
    seed: u64,
}

fn choices(always: bool) -> impl Strategy<Value = Choices> {
    let given = if always { Just(true).boxed() } else { prop::bool::weighted(0.7).boxed() };
    let parts = (
        any::<Index>(),
        any::<Index>(),
        prop::collection::vec((given, any::<Index>()), 60),
        prop::collection::vec(any::<Index>(), 24),
    );
    (parts, 0..4_usize, any::<u64>()).prop_map(|((pack, chart, inputs, options), members, seed)| {
        Choices { pack, chart, inputs, options, members, seed }
    })
}

/// An accepted text.
fn accepted(accepts: &Accepts, pick: &Index) -> String {
    match accepts {
        Accepts::YesNo => ["no", "yes"][pick.index(2)].to_owned(),
        Accepts::Choice { words } => words[pick.index(words.len())].id.to_string(),
        Accepts::Number { from, to, step } => {
            let steps = |n: adjutant_dice::Number| n.over(*step).unwrap();
            let (first, last) =
                (steps(*from).ceil().as_whole().unwrap(), steps(*to).floor().as_whole().unwrap());
            let wide = (last - first + 1).min(30);
            let n = first + pick.index(wide as usize) as i64;
            adjutant_dice::Number::whole(n).unwrap().times(*step).unwrap().to_string()
        }
    }
}

/// A situation with some or all of its inputs given.
fn situation(choices: &Choices) -> Situation<'static> {
    let pack = choices.pack.get(shipped());
    let chart = choices.chart.get(pack.charts());
    let mut situation = Situation::new(pack, &chart.id).unwrap();
    for (option, pick) in pack.options().iter().zip(&choices.options) {
        situation.set_option(&option.field.id, &accepted(&option.field.accepts, pick)).unwrap();
    }
    if let Some(option) = chart.needs_option {
        situation.set_option(&pack.options()[option].field.id, "yes").unwrap();
    }
    for (memory, pick) in pack.memory().iter().zip(choices.options.iter().rev()) {
        situation.set_memory(&memory.id, &accepted(&memory.accepts, pick)).unwrap();
    }
    let each = chart.each.as_ref().map(|each| each.role);
    for (input, (given, pick)) in chart.inputs.iter().zip(choices.inputs.iter().cycle()) {
        let text = accepted(&input.field.accepts, pick);
        match (input.name.split_once('.'), each == input.role && each.is_some()) {
            _ if !given => {}
            (Some((role, id)), true) if choices.members > 0 => {
                (1..=choices.members)
                    .for_each(|n| situation.give(&format!("{role}.{n}.{id}"), &text).unwrap());
            }
            _ => situation.give(&input.name, &text).unwrap(),
        }
    }
    situation
}

/// A generator that also answers questions, by its dice.
struct Lucky(RandomInput);

impl InputSource for Lucky {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.0.dice(ask)
    }
    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.0.card(ask)
    }
    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let mut pick =
            |sides: u32| self.0.dice(&DiceRequest::new("", "", 1, sides)).map(|faces| faces[0]);
        Ok(match ask.accepts {
            Accepts::YesNo => Answer::YesNo(pick(2)? == 1),
            Accepts::Choice { words } => {
                Answer::Choice(words[pick(words.len() as u32)? as usize - 1].id.clone())
            }
            Accepts::Number { from, .. } => Answer::Number(*from),
        })
    }

    fn thrown_by(&self) -> ThrownBy {
        self.0.thrown_by()
    }
}

type Outcome = Result<Resolution, Interrupted>;

fn played(
    situation: &Situation<'static>,
    seed: u64,
) -> (Outcome, Vec<RecordedInput>, adjutant_engine::Decks) {
    let mut situation = situation.clone();
    let mut source = Recorder::new(Lucky(RandomInput::seeded(seed)));
    let outcome = resolve(&mut situation, &mut source);
    (outcome, source.into_inputs(), situation.decks)
}

fn resolution(outcome: &Outcome) -> &Resolution {
    outcome.as_ref().unwrap_or_else(|stopped| &stopped.resolution)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_run_with_all_inputs_comes_out_and_can_be_replayed(choices in choices(true)) {
        let situation = situation(&choices);
        prop_assert_eq!(needs(&situation), []);
        let (outcome, record, decks) = played(&situation, choices.seed);
        if let Err(stopped) = &outcome {
            let Some(error) = &stopped.refused else {
                return Err(TestCaseError::fail(format!("{:?}", stopped.resolution.needs)));
            };
            let lapse = matches!(**error, ResolveError::NoValue { .. } | ResolveError::NoRow { .. });
            prop_assert!(!lapse, "{error:?}");
        }
        let mut again = situation.clone();
        let mut replay = Replay::new(&record);
        prop_assert_eq!(&resolve(&mut again, &mut replay), &outcome);
        prop_assert_eq!(replay.finish(), Ok(()));
        prop_assert_eq!(again.decks, decks);
        // The same faces, cards and answers, entered by hand.
        let mut typed = EnteredInput::new();
        for came in &record {
            typed = match came {
                RecordedInput::Dice { faces, .. } => typed.with_dice(faces.iter().copied()),
                RecordedInput::Card { card, .. } => typed.with_cards([*card]),
                RecordedInput::Answer { .. } => typed,
            };
        }
        for answered in resolution(&outcome).answers() {
            typed = typed.with_answer(answered.key.as_str(), answered.answer.to_string());
        }
        prop_assert_eq!(&resolve(&mut situation.clone(), &mut typed), &outcome);
        prop_assert!(typed.finish().is_ok());
    }

    #[test]
    fn the_resolution_tells_all_that_was_rolled_and_every_modifier(choices in choices(true)) {
        let situation = situation(&choices);
        let (outcome, record, _) = played(&situation, choices.seed);
        let Ok(resolution) = outcome else { return Ok(()) };
        let (mut rolled, mut told): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for came in &record {
            if let RecordedInput::Dice { faces, .. } = came {
                rolled.extend(faces);
            }
        }
        let pack = situation.pack();
        for roll in resolution.rolls() {
            // A roll that ended the chart is listed only among those not read.
            let read = roll.total.is_some() || roll.again.is_empty();
            told.extend(roll.again.iter().flat_map(|again| &again.faces));
            told.extend(roll.faces.iter().filter(|_| read));
            let chart = pack.chart(&roll.chart).unwrap();
            let step = chart.steps.iter().find(|step| step.name == roll.name).unwrap();
            if roll.total.as_ref().is_some_and(|total| matches!(total, Answer::Number(_))) {
                let labels: Vec<&adjutant_dice::Text> = roll.modifiers.iter().map(|line| &line.label).collect();
                prop_assert_eq!(labels, step.add.iter().map(|modifier| &modifier.label).collect::<Vec<_>>());
            }
        }
        rolled.sort_unstable();
        told.sort_unstable();
        prop_assert_eq!(rolled, told);
        let json = serde_json::to_string(&resolution).unwrap();
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).unwrap().is_object());
    }

    #[test]
    fn a_run_stops_for_an_input_only_if_it_was_needed(choices in choices(false)) {
        let situation = situation(&choices);
        let wanted = needs(&situation);
        let (outcome, record, _) = played(&situation, choices.seed);
        let stopped = resolution(&outcome).needs.iter().any(|need| matches!(need.wanted, Wanted::Input { .. }));
        prop_assert_eq!(!wanted.is_empty(), stopped);
        prop_assert_eq!(&resolution(&outcome).needs, &wanted);
        prop_assert!(wanted.is_empty() || record.is_empty(), "nothing is thrown before all is known");
        prop_assert!(serde_json::to_string(resolution(&outcome)).is_ok());
        let shown = relevant(&situation);
        let inputs = &situation.chart().inputs;
        prop_assert!(wanted.iter().all(|need| choices.members > 0 || shown.iter().any(|input| inputs[*input].name == need.key)));
    }

    #[test]
    fn any_faces_cards_and_answers_are_taken_or_refused(
        choices in choices(true),
        faces in prop::collection::vec(0..12_u32, 0..30),
        cards in prop::collection::vec(0..70_u32, 0..6),
        answers in prop::collection::vec("[a-z0-9-]{0,6}|yes|no", 0..4),
    ) {
        let situation = situation(&choices);
        let (outcome, record, _) = played(&situation, choices.seed);
        let mut typed = EnteredInput::new().with_dice(faces.iter().copied()).with_cards(cards.iter().copied());
        for (answered, answer) in resolution(&outcome).answers().zip(&answers) {
            typed = typed.with_answer(answered.key.as_str(), answer);
        }
        let _ = resolve(&mut situation.clone(), &mut typed);
        let mut other: Vec<RecordedInput> = record.iter().rev().cloned().collect();
        other.extend([
            RecordedInput::Dice { faces, by: ThrownBy::Program, sides: None, names: vec![] },
            RecordedInput::Card { card: cards.first().copied().unwrap_or(0), by: ThrownBy::Program, left: None },
            RecordedInput::Answer { answer: "yes".into() },
        ]);
        let _ = resolve(&mut situation.clone(), &mut Replay::new(&other));
    }
}
