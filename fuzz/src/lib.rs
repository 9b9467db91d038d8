//! The laws that every input must obey: one function for each fuzz target. A function panics if its
//! law is broken.
//!
//! The targets in `fuzz_targets` call these with libFuzzer's inputs. The test `fuzz_seeds` includes
//! this file and calls them with the committed seeds, so that `./test` needs no nightly toolchain.

use adjutant_dice::{EnteredInput, RandomInput, RecordedInput, Recorder, Replay, ThrownBy};
use adjutant_engine::{Situation, needs, resolve, try_suite};
use adjutant_game::{Event, EventKind, Table, import, replay, rolls_as_csv, verify};
use adjutant_pack::{Bundle, Files, Pack, TABLES_FILE, read_cases, read_pack};
use adjutant_wording::en;
use arbitrary::{Arbitrary, Unstructured};
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// The bundled packs with their files.
fn bundled() -> &'static [(Files, Arc<Pack>)] {
    static PACKS: OnceLock<Vec<(Files, Arc<Pack>)>> = OnceLock::new();
    let read = |id: &&str| {
        let files = adjutant_bundled_packs::files(id)?;
        let pack = read_pack(&files, None).ok()?;
        Some((files, Arc::new(pack)))
    };
    PACKS.get_or_init(|| adjutant_bundled_packs::IDS.iter().filter_map(read).collect())
}

/// Any text is drafted into a pack that the check accepts, with an account of every line, or refused.
/// Every chart of the pack can be run. Returns whether a chart was found.
pub fn check_draft(text: &str) -> bool {
    let Ok(draft) = adjutant_draft::draft(text, &adjutant_draft::Options::default()) else {
        return false;
    };
    assert_eq!(draft.lines.len(), text.split('\n').count());
    for at in draft.pieces.iter().flat_map(|piece| &piece.at) {
        assert!(text.get(at.clone()).is_some(), "{at:?}");
    }
    let pack = match read_pack(&Files::of([("pack.toml", draft.pack_toml())]), None) {
        Ok(pack) => pack,
        Err(faults) => panic!("{faults:?}\n{}", draft.pack_toml()),
    };
    for chart in pack.charts() {
        let Ok(mut situation) = Situation::new(&pack, &chart.id) else {
            panic!("{} is there", chart.id)
        };
        let _ = resolve(&mut situation, &mut RandomInput::seeded(1));
    }
    !draft.charts.is_empty()
}

/// Any text is read as a pack or rejected with diagnostics inside its files, and every chart of a
/// valid pack can be run. A line `#####` separates pack.toml from a deck and the player's own
/// tables. Returns whether the pack was valid.
pub fn check_pack(text: &str) -> bool {
    let mut parts = text.split("\n#####\n");
    let (pack, deck, tables) =
        (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next());
    let mut files = Files::of([("pack.toml", pack), ("deck.csv", deck)]);
    match read_pack(&files, tables) {
        Ok(pack) => {
            for chart in pack.charts() {
                let Ok(mut situation) = Situation::new(&pack, &chart.id) else {
                    panic!("{} is there", chart.id)
                };
                let _ = needs(&situation);
                let _ = resolve(&mut situation, &mut RandomInput::seeded(1));
            }
            true
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "a refusal says why");
            files.put(TABLES_FILE, tables.unwrap_or(""));
            for fault in faults {
                let text = files.text(&fault.file).unwrap_or("");
                assert!(
                    fault.span.start <= fault.span.end && fault.span.end <= text.len(),
                    "{fault:?}"
                );
                let _ = fault.line_and_column(text);
            }
            false
        }
    }
}

/// Any text is read as a bundle or rejected with a sentence, and a bundle is written as it was read.
/// The text is tried a second time with the checksum that it should have, as a forger would write
/// it. Returns whether the text itself was a bundle.
pub fn check_bundle(text: &str) -> bool {
    let body = text.rsplit_once(",\"sum\":").map_or(text, |(body, _)| body);
    let sum: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    check_one_bundle(&format!("{body},\"sum\":\"{sum}\"}}"));
    check_one_bundle(text)
}

fn check_one_bundle(text: &str) -> bool {
    match Bundle::read(text) {
        Ok(bundle) => {
            assert_eq!(bundle.write().as_deref(), Ok(text.strip_suffix('\n').unwrap_or(text)));
            assert!(bundle.files().names().all(|name| !name.contains(['/', '\\', ':'])));
            let _ = bundle.read_pack();
            true
        }
        Err(why) => {
            let said = en::diagnostic::bundle(&why);
            assert!(!said.message.chars().any(char::is_control), "{said:?}");
            false
        }
    }
}

/// Any text is read as an expression, a number or dice, or rejected at a position inside it.
/// Returns whether it was read.
pub fn check_expression(text: &str) -> bool {
    let read = adjutant_pack::expr::read(text);
    if let Err(fault) = &read {
        assert!(fault.from <= fault.to && fault.to <= text.len(), "{fault:?}");
        assert!(text.is_char_boundary(fault.from) && text.is_char_boundary(fault.to), "{fault:?}");
    }
    let (number, dice) =
        (text.parse::<adjutant_dice::Number>(), text.parse::<adjutant_dice::Dice>());
    read.is_ok() || number.is_ok() || dice.is_ok()
}

/// Any text is read as cases or rejected at a position inside it, and valid cases can be run on a
/// bundled pack. Returns whether the cases were valid.
pub fn check_cases(text: &str) -> bool {
    let files = Files::of([("cases.toml", text)]);
    match read_cases(&files) {
        Ok(suite) => {
            let (own, pack) = &bundled()[text.len() % bundled().len()];
            let filled = suite.tables.as_ref().and_then(|tables| read_pack(own, Some(tables)).ok());
            let _ = try_suite(pack, filled.as_ref(), &suite, adjutant_wording::en::case_error);
            true
        }
        Err(faults) => {
            for fault in faults {
                assert!(
                    fault.span.start <= fault.span.end && fault.span.end <= text.len(),
                    "{fault:?}"
                );
            }
            false
        }
    }
}

/// What a player enters for a chart of a bundled pack.
#[derive(Arbitrary, Debug)]
struct Entered {
    pack: u8,
    chart: u8,
    given: Vec<(u8, i16)>,
    options: u16,
    faces: Vec<u8>,
    cards: Vec<u8>,
    answers: Vec<(u8, i16)>,
    record: Vec<(u8, Vec<u8>)>,
}

/// A text for a field: one of its words, yes or no, or a number.
fn text_for(accepts: &adjutant_dice::Accepts, n: i16) -> String {
    match accepts {
        adjutant_dice::Accepts::Choice { words } => {
            words[n.unsigned_abs() as usize % words.len()].id.to_string()
        }
        adjutant_dice::Accepts::YesNo => if n % 2 == 0 { "no" } else { "yes" }.into(),
        adjutant_dice::Accepts::Number { .. } => n.to_string(),
    }
}

/// Any input for a bundled chart is accepted or rejected, and replaying the recorded inputs gives
/// the same resolution. Returns whether the chart gave a result.
pub fn check_faces(bytes: &[u8]) -> bool {
    let Ok(input) = Entered::arbitrary_take_rest(Unstructured::new(bytes)) else { return false };
    let (_, pack) = &bundled()[input.pack as usize % bundled().len()];
    let chart = &pack.charts().as_slice()[input.chart as usize % pack.charts().len()];
    let Ok(mut situation) = Situation::new(pack, &chart.id) else { return false };
    for (place, option) in pack.options().iter().enumerate() {
        let _ = situation.set_option(
            &option.field.id,
            &text_for(&option.field.accepts, (input.options >> (place % 16)) as i16),
        );
    }
    if let Some(option) = chart.needs_option {
        let _ = situation.set_option(&pack.options()[option].field.id, "yes");
    }
    for (field, n) in chart.inputs.iter().zip(0_u8..) {
        let n = input.given.iter().find(|(place, _)| *place == n).map_or(3, |(_, n)| *n);
        let _ = situation.give(&field.name, &text_for(&field.field.accepts, n));
    }
    let mut typed = EnteredInput::new()
        .with_dice(input.faces.iter().map(|n| u32::from(*n)))
        .with_cards(input.cards.iter().map(|n| u32::from(*n)));
    for step in pack.charts().iter().flat_map(|chart| &chart.steps) {
        if let adjutant_pack::StepKind::Ask(field) = &step.kind {
            for (_, n) in &input.answers {
                typed = typed.with_answer(step.name.as_str(), text_for(&field.accepts, *n));
            }
        }
    }
    for table in pack.user_tables() {
        for (word, _) in &input.answers {
            let result = table.results.get(*word as usize % table.results.len().max(1));
            typed = typed.with_answer(
                table.id.as_str(),
                result.map_or("", |result| pack.results()[*result].id.as_str()),
            );
        }
    }
    let wanted = needs(&situation);
    let mut recorder = Recorder::new(typed);
    let outcome = resolve(&mut situation.clone(), &mut recorder);
    let record = recorder.into_inputs();
    if let Err(stopped) = &outcome {
        assert_eq!(
            wanted.is_empty(),
            !stopped
                .resolution
                .needs
                .iter()
                .any(|n| matches!(n.wanted, adjutant_dice::Wanted::Input { .. }))
        );
        let _ = adjutant_wording::en::interrupted(stopped);
    }
    let mut recorded = Replay::new(&record);
    let again = resolve(&mut situation.clone(), &mut recorded);
    match (&outcome, &again) {
        (Ok(first), Ok(second)) => {
            assert_eq!(first, second);
            assert!(serde_json::to_string(first).is_ok());
        }
        (Err(_), Err(_)) => {}
        _ => panic!("played and replayed differ"),
    }
    let other: Vec<RecordedInput> = input
        .record
        .iter()
        .map(|(kind, list)| match kind % 3 {
            0 => RecordedInput::Dice {
                faces: list.iter().map(|n| u32::from(*n)).collect(),
                by: ThrownBy::Program,
                sides: None,
                names: Vec::new(),
            },
            1 => RecordedInput::Card { card: list.len() as u32, by: ThrownBy::Program, left: None },
            _ => {
                RecordedInput::Answer { answer: if list.is_empty() { "yes" } else { "no" }.into() }
            }
        })
        .collect();
    let _ = resolve(&mut situation, &mut Replay::new(&other));
    outcome.is_ok()
}

/// Any bytes are read as the log of a game by a bundled pack, or rejected at a line. Returns how
/// many lines are accepted after their numbers and hashes are corrected.
pub fn check_log(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.first().copied().unwrap_or("");
    let (_, pack) = bundled()
        .iter()
        .find(|(_, pack)| first.contains(pack.id().as_str()))
        .unwrap_or(&bundled()[0]);
    open_untrusted(pack, &text, &lines);
    apply_rechained(pack, &lines)
}

/// Whether two games are in the same state.
fn alike(a: &Table, b: &Table) -> bool {
    a.head() == b.head()
        && a.state() == b.state()
        && a.people() == b.people()
        && a.last_that_counts() == b.last_that_counts()
}

/// A log from an untrusted sender: if it verifies, it can be opened and is the same game.
fn open_untrusted(pack: &Arc<Pack>, text: &str, lines: &[&str]) {
    let opened = Table::open(pack.clone(), lines);
    if let Ok(verified) = import(pack.clone(), text) {
        assert!(
            opened.is_ok_and(|opened| alike(&opened, &verified)),
            "a log that verifies opens as the same game"
        );
        assert!(
            import(pack.clone(), &verified.to_json_lines())
                .is_ok_and(|again| alike(&again, &verified)),
            "an exported log imports"
        );
    }
    if let Ok((table, _)) = replay(pack.clone(), lines) {
        show(&table);
    }
}

/// The same lines with the numbers, hashes and pack hash that the game expects, as a forger would
/// write them: otherwise the first changed byte ends every log. A rejected line leaves the game
/// unchanged.
fn apply_rechained(pack: &Arc<Pack>, lines: &[&str]) -> usize {
    let mut table = Table::empty(pack.clone());
    for line in lines {
        let line = match serde_json::from_str::<Event>(line) {
            Ok(event) => follow(&table, event),
            Err(_) => (*line).to_owned(),
        };
        let before = table.clone();
        if table.append(&line).is_err() {
            assert!(alike(&before, &table), "a refused line changes nothing");
        }
    }
    assert!(
        Table::open(pack.clone(), table.lines()).is_ok_and(|again| alike(&again, &table)),
        "accepted lines open as the same game"
    );
    let _ = verify(pack.clone(), table.lines(), Some(table.head()));
    show(&table);
    table.lines().len()
}

fn follow(table: &Table, mut event: Event) -> String {
    event.n = table.lines().len() as u64 + 1;
    event.prev = table.head().to_owned();
    if let EventKind::Begin(begin) = &mut event.what {
        begin.hash = table.pack().hash().to_string();
    }
    serde_json::to_string(&event).unwrap_or_default()
}

/// Everything that a screen shows of a game.
fn show(table: &Table) {
    assert!(
        en::log(table).is_ok_and(|words| words.len() == table.lines().len()),
        "each line has its words"
    );
    let _ = rolls_as_csv(table);
    let _ = en::meaning_of(table, table.lines().len() as u64);
    if table.setup().is_some() {
        let _ = en::guide(table, &table.guide());
        let _ = table.decks();
        (0..table.sides().len()).for_each(|side| drop(table.roster(side)));
        table.pending().for_each(|pending| drop(en::pending_test(table, pending)));
    }
}
