//! Whatever can be refused is refused before luck enters; whatever luck has entered is recorded.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{
    Answer, CardRequest, DiceRequest, EnteredInput, InputSource, MixedInput, Question, RandomInput,
    RecordedInput, SourceError, ThrownBy, Wanted,
};
use adjutant_game::{
    Chain, EventKind, NewUnit, PlayError, PlayRecord, PlayRequest, Table, Unapplied, verify,
};
use adjutant_pack::{Chart, Files, Pack, read_pack};
use common::random::{RandomGame, pack};
use common::sentence::log_in_words;
use common::{Game, shipped};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Counts the rolls and draws that are not the player's own.
struct Counting<S> {
    from: S,
    drawn: usize,
}

impl<S: InputSource> InputSource for Counting<S> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let faces = self.from.dice(ask)?;
        self.drawn += usize::from(self.from.thrown_by() != ThrownBy::Player);
        Ok(faces)
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.from.card(ask)?;
        self.drawn += usize::from(self.from.thrown_by() != ThrownBy::Player);
        Ok(card)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        self.from.answer(ask)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }

    fn finish(&self) -> Result<(), SourceError> {
        self.from.finish()
    }
}

fn drawn(inputs: &[RecordedInput]) -> usize {
    inputs.iter().filter(|input| input.is_drawn()).count()
}

/// What became of the attempts.
#[derive(Debug, Default)]
struct Tally {
    attempts: usize,
    recorded: usize,
    not_applied: usize,
    stopped: usize,
    refused: usize,
    /// The charts that were rolled, with their packs.
    charts: BTreeSet<(String, String)>,
}

/// A side that exists, one that does not, or none.
fn side(game: &mut RandomGame) -> Option<String> {
    [None, None, Some("Red"), Some("Blue"), Some("Nobody")][game.choose.below(5)].map(str::to_owned)
}

/// A source as a careless player would fill it: faces and cards that do not exist, too many of them,
/// answers that are not accepted or not asked for.
fn careless(game: &mut RandomGame, seed: u64) -> MixedInput {
    let mut source = MixedInput::new(RandomInput::seeded(seed));
    if game.choose.below(3) == 0 {
        let faces: Vec<u32> =
            (0..game.choose.below(5)).map(|_| game.choose.below(12) as u32).collect();
        source = source.with_dice(faces);
    }
    if game.choose.below(3) == 0 {
        let cards: Vec<u32> =
            (0..game.choose.below(3)).map(|_| game.choose.below(62) as u32).collect();
        source = source.with_cards(cards);
    }
    let chart = game.choose.one(game.table.pack().clone().charts()).unwrap().clone();
    for question in adjutant_engine::questions(game.table.pack(), &chart) {
        let answer = match game.choose.below(3) {
            0 => "nonsense".to_owned(),
            _ => game.choose.value(&question.accepts).to_string(),
        };
        source = source.with_answer(question.key, answer);
    }
    source
}

/// Plays a random request with random inputs until it is recorded or refused.
fn attempt(game: &mut RandomGame, seed: u64, tally: &mut Tally) {
    let by = "Anna";
    let mut play = game.random_play();
    (play.new_units_side, play.deck_side) = (side(game), side(game));
    let mut recorded: Vec<RecordedInput> = Vec::new();
    for turn in 0..12 {
        tally.attempts += 1;
        let mut source = Counting { from: careless(game, seed + turn), drawn: 0 };
        let stamp = game.stamp(by);
        let before = recorded.clone();
        let made = game.table.continue_play(&stamp, &play, &recorded, &mut source);
        let shown = drawn(&before) + source.drawn;
        let stop = match made {
            Ok((line, _)) => {
                let EventKind::Play(played) = &line.event.what else { panic!("{}", line.text) };
                assert!(played.inputs.starts_with(&before));
                assert_eq!(drawn(&played.inputs), shown, "{}", line.text);
                tally.recorded += 1;
                let pack = game.table.pack().id().to_string();
                tally.charts.insert((pack, played.request.chart.clone()));
                tally.not_applied += usize::from(played.unapplied.is_some());
                game.table.append(&line.text).unwrap_or_else(|fault| panic!("{fault}"));
                return;
            }
            Err(stop) => stop,
        };
        match stop {
            PlayError::Rejected(_) | PlayError::RuledOut(_) => {
                assert_eq!(source.drawn, 0, "refused after luck: {stop}");
                tally.refused += 1;
                match before.is_empty() {
                    true => return,
                    false => continue,
                }
            }
            PlayError::Needs { .. } | PlayError::Unusable { .. } => {
                let inputs = stop.inputs().to_vec();
                assert!(inputs.starts_with(&before));
                assert_eq!(drawn(&inputs), shown);
                tally.stopped += 1;
                if let Some(line) = game.table.unfinished(&stamp, &play, &inputs, false).unwrap() {
                    assert!(shown > 0);
                    game.table.append(&line.text).unwrap_or_else(|fault| panic!("{fault}"));
                    assert_eq!(game.table.unfinished_of(by).unwrap().1.inputs, inputs);
                } else {
                    assert_eq!(shown, 0);
                }
                recorded = inputs;
                if let PlayError::Needs { needs, .. } = stop {
                    for need in needs {
                        if let Wanted::Input { accepts } = need.wanted {
                            let value = game.choose.value(&accepts).to_string();
                            play.given.insert(need.key, value);
                        }
                    }
                }
            }
        }
    }
}

/// All packs of the project, one that uses every feature, and one that often has no result.
fn packs() -> Vec<Arc<Pack>> {
    let mut all: Vec<Arc<Pack>> = (0..5).map(pack).chain([greedy()]).collect();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("pack.toml").exists() {
            continue;
        }
        let mut files = Files::default();
        for file in std::fs::read_dir(&path).unwrap() {
            let file = file.unwrap().path();
            if let (Some(name), Ok(text)) =
                (file.file_name().and_then(|name| name.to_str()), std::fs::read_to_string(&file))
            {
                files.put(name, text);
            }
        }
        all.push(Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:?}"))));
    }
    all
}

fn adds_units(pack: &Pack) -> bool {
    pack.charts().iter().any(Chart::adds_units)
}

/// Units until the roster has so many places left.
fn fill(game: &mut Table, left: usize) {
    let pack = game.pack().clone();
    let Some(kind) = pack.kinds().first() else { return };
    let side = game.sides()[0].clone();
    let unit = |n| NewUnit {
        kind: kind.id.to_string(),
        name: format!("More {n}"),
        side: side.clone(),
        ..NewUnit::default()
    };
    let more = 2000 - left - game.state().units.len();
    let stamp = adjutant_game::Stamp::new("t", "Anna");
    let line = game.act(&stamp, EventKind::Add((0..more).map(unit).collect())).unwrap();
    game.append(&line.text).unwrap();
}

fn lines(table: &Table) -> Vec<String> {
    table.lines().map(str::to_owned).collect()
}

#[test]
fn no_face_is_drawn_for_a_request_that_is_refused() {
    let mut tally = Tally::default();
    for (place, pack) in packs().into_iter().enumerate() {
        for seed in 0..6_u64 {
            let mut game = RandomGame::of(pack.clone(), 1 + seed * 101 + place as u64);
            if seed < 2 && adds_units(&pack) {
                fill(&mut game.table, seed as usize);
            }
            for step in 0..40 {
                if game.choose.below(4) == 0 {
                    game.step();
                }
                attempt(&mut game, seed * 1000 + step * 20, &mut tally);
            }
            let log = lines(&game.table);
            verify(pack.clone(), &log, None).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(log_in_words(&game.table).len(), log.len());
        }
    }
    let of_pack = |pack: &Arc<Pack>| {
        let charts = pack.charts().iter();
        charts.map(|chart| (pack.id().to_string(), chart.id.to_string())).collect::<Vec<_>>()
    };
    let all: Vec<(String, String)> = packs().iter().flat_map(of_pack).collect();
    let unrolled: Vec<_> = all.iter().filter(|chart| !tally.charts.contains(chart)).collect();
    assert!(unrolled.len() * 20 <= all.len(), "{} of {}: {unrolled:?}", unrolled.len(), all.len());
    assert!(tally.recorded > 1000 && tally.stopped > 300 && tally.refused > 300, "{tally:?}");
    assert!(tally.not_applied > 0, "{tally:?}");
}

/// A game of the pack that uses every feature.
fn skirmish() -> Game {
    Game::new(pack(4), "Full", &["Us", "Them"], &[])
}

fn last_play(game: &Game) -> PlayRecord {
    let line = game.table.lines().last().unwrap();
    let event: adjutant_game::Event = serde_json::from_str(line).unwrap();
    let EventKind::Play(played) = event.what else { panic!("{line}") };
    *played
}

#[test]
fn units_of_a_side_that_does_not_exist_are_refused_before_the_dice() {
    let game = skirmish();
    let play = PlayRequest { new_units_side: Some("Nobody".into()), ..PlayRequest::of("help") };
    let mut source = Counting { from: RandomInput::seeded(1), drawn: 0 };
    for _ in 0..30 {
        let stop = game.table.play(&game.stamp(), &play, &mut source).unwrap_err();
        assert!(matches!(stop, PlayError::Rejected(_)));
    }
    assert_eq!(source.drawn, 0);
}

#[test]
fn a_full_roster_refuses_a_chart_that_may_add_units_before_the_dice() {
    let mut game = skirmish();
    fill(&mut game.table, 0);
    let mut source = Counting { from: RandomInput::seeded(1), drawn: 0 };
    let stop = game.table.play(&game.stamp(), &PlayRequest::of("help"), &mut source).unwrap_err();
    assert_eq!(source.drawn, 0);
    assert_eq!(
        adjutant_wording::en::play_error(&stop),
        "Help may add units, and the roster is full: a game has at most 2000 units"
    );
}

#[test]
fn a_result_without_room_is_recorded_and_settles_its_test() {
    let mut game = skirmish();
    fill(&mut game.table, 2);
    // A 6 brings three men.
    game.play(PlayRequest::of("help"), EnteredInput::new().with_dice([6]));
    let played = last_play(&game);
    assert_eq!(played.unapplied, Some(Unapplied::NoRoom));
    assert_eq!(played.results[0].title, "Help comes");
    assert!(played.appear.is_empty());
    let told = log_in_words(&game.table).pop().unwrap();
    assert!(
        told.ends_with(
            "Help comes. 3. Nothing changes in the game: there is no room for the new units on the roster."
        ),
        "{told}"
    );
    verify(pack(4), lines(&game.table), None).unwrap();
    // Two men have room.
    game.play(PlayRequest::of("help"), EnteredInput::new().with_dice([5]));
    assert_eq!((last_play(&game).unapplied, game.table.state().units.len()), (None, 2000));
    // A forger who leaves the outcome of the last roll out is found.
    let mut forged = lines(&game.table);
    let last = forged.pop().unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&last).unwrap();
    value["do"]["play"].as_object_mut().unwrap().remove("appear");
    value["do"]["play"]["unapplied"] = "no_room".into();
    forged.push(value.to_string());
    assert!(verify(pack(4), forged, None).is_err());
}

#[test]
fn a_sealed_roll_without_room_is_recorded_and_play_goes_on() {
    let mut game = skirmish();
    for (who, side) in [("Anna", "Us"), ("Bert", "Them")] {
        game.join(who, side);
    }
    fill(&mut game.table, 1);
    let mut chains: Vec<(&str, Chain)> = [("Anna", 3), ("Bert", 4)]
        .map(|(who, secret)| (who, Chain::new([secret; 32], 500).unwrap()))
        .into();
    for (who, chain) in &chains {
        game.by = (*who).into();
        let line = game.table.seal(&game.stamp(), chain, None).unwrap();
        game.apply(&line);
    }
    let mut none = EnteredInput::new();
    let unknown = PlayRequest { new_units_side: Some("Nobody".into()), ..PlayRequest::of("help") };
    assert!(game.table.call(&game.stamp(), &unknown, &mut none).is_err());
    let mut outcomes = Vec::new();
    for _ in 0..12 {
        game.by = "Anna".into();
        let Ok(line) = game.table.call(&game.stamp(), &PlayRequest::of("help"), &mut none) else {
            break;
        };
        game.apply(&line);
        for (who, chain) in &mut chains {
            game.by = (*who).into();
            let link = chain.show(&game.table, who).unwrap();
            let line = game.table.reveal(&game.stamp(), &link).unwrap();
            game.apply(&line);
        }
        let line = game.table.sealed_play(&game.stamp(), &mut none).unwrap();
        game.apply(&line);
        outcomes.push(last_play(&game).unapplied);
    }
    assert!(outcomes.contains(&Some(Unapplied::NoRoom)), "{outcomes:?}");
    verify(pack(4), lines(&game.table), None).unwrap();
}

/// A chart that can ask for more dice than there may be.
fn greedy() -> Arc<Pack> {
    let text = r#"
[pack]
id = "greedy"
title = "Greedy"
[result.done]
title = "Done"
[chart.more]
title = "More and more"
step = [
  { roll = "1d6", as = "first" },
  { roll = "d6", count = "first * 60", as = "rest" },
]
read = { rows = [ { all = "done" } ] }
"#;
    Arc::new(read_pack(&Files::of([("pack.toml", text)]), None).unwrap())
}

#[test]
fn a_chart_that_cannot_go_on_after_the_dice_is_recorded() {
    let mut game = Game::new(greedy(), "Greedy", &["Us"], &[]);
    let line = game
        .table
        .play(&game.stamp(), &PlayRequest::of("more"), &mut RandomInput::seeded(1))
        .unwrap();
    game.apply(&line);
    assert_eq!(last_play(&game).unapplied, Some(Unapplied::NoResult));
    verify(greedy(), lines(&game.table), None).unwrap();
}

#[test]
fn what_is_left_over_or_wrong_makes_the_roll_wait_if_the_program_has_drawn() {
    let mut game = Game::new(shipped("combat-leader"), "Jam", &["Us", "Them"], &[]);
    let play = PlayRequest::of("accuracy").given("mod_fp", "3").given("clear", "yes");
    // The program draws; the dice are left over.
    let mut source = MixedInput::new(RandomInput::seeded(7)).with_dice([3, 4]);
    let stop = game.table.play(&game.stamp(), &play, &mut source).unwrap_err();
    let PlayError::Unusable { inputs, .. } = &stop else { panic!("{stop}") };
    assert_eq!(drawn(inputs), 1);
    let line = game.table.unfinished(&game.stamp(), &play, inputs, false).unwrap().unwrap();
    game.apply(&line);
    let told = log_in_words(&game.table).pop().unwrap();
    assert!(told.ends_with("The roll waits for an answer."), "{told}");
    let mut none = EnteredInput::new();
    let (line, _) = game.table.continue_play(&game.stamp(), &play, inputs, &mut none).unwrap();
    game.apply(&line);
    assert!(game.table.unfinished_of("Anna").is_none());
    verify(shipped("combat-leader"), lines(&game.table), None).unwrap();
    // Without luck of the program, the player corrects what was typed.
    let mut source = MixedInput::new(RandomInput::seeded(7)).with_cards([4]).with_dice([3, 4]);
    let stop = game.table.play(&game.stamp(), &play, &mut source).unwrap_err();
    assert!(matches!(stop, PlayError::Rejected(_)), "{stop}");
}
