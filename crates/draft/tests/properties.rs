#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Any text gives a pack that the check accepts, and an account of every line. The author's word about
//! a piece is kept.

use adjutant_draft::{
    Content, Draft, DraftError, Format, LineUse, Options, Override, PieceKind, draft,
};
use adjutant_pack::{Files, read_pack};
use proptest::prelude::*;

/// Checks the laws of every draft.
fn sound(source: &str, options: &Options) -> Option<Draft> {
    let made = match draft(source, options) {
        Ok(made) => made,
        Err(
            DraftError::Empty
            | DraftError::TooManyLines { .. }
            | DraftError::LongLine { .. }
            | DraftError::TooLarge { .. },
        ) => return None,
    };
    let faults =
        read_pack(&Files::of([("pack.toml", made.pack_toml())]), None).err().unwrap_or_default();
    assert!(faults.is_empty(), "{faults:?}\n{}", made.pack_toml());
    assert_eq!(made.lines.len(), source.split('\n').count());
    for (line, text) in made.lines.iter().zip(source.split('\n')) {
        assert_eq!(*line == LineUse::Blank, text.trim().is_empty(), "{text:?}");
    }
    for piece in &made.pieces {
        for at in &piece.at {
            assert!(source.get(at.clone()).is_some(), "{at:?} of {piece:?}");
        }
    }
    for guess in &made.guesses {
        assert!(source.get(guess.at.clone()).is_some(), "{guess:?}");
    }
    Some(made)
}

/// Letters and digits only, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Every sheet that is stored here, with its name.
fn stored() -> Vec<(String, String)> {
    let sheets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    let files = |folder: &std::path::Path| {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let mut found: Vec<(String, String)> = files(&sheets)
        .iter()
        .filter(|path| path.is_dir())
        .flat_map(|folder| files(folder))
        .filter(|path| path.extension().is_some_and(|ending| ending != "want"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn what_the_draft_does_not_use_or_keep_is_listed_as_left_out() {
    let (mut used, mut kept, mut left_out) = (0, 0, 0);
    for (name, source) in stored() {
        let Some(made) = sound(&source, &Options::default()) else { continue };
        let pack = letters(made.pack_toml());
        for piece in &made.pieces {
            let lines = &made.lines[piece.lines.0 as usize - 1..piece.lines.1 as usize];
            let place = format!("{name}, line {}: {:?}", piece.lines.0, piece.content);
            match (&piece.content, piece.became) {
                (
                    Content::Title(_) | Content::Definitions(_) | Content::Phases(_),
                    LineUse::Used,
                ) => {
                    used += 1;
                }
                (_, LineUse::Used) => {
                    assert!(!piece.charts.is_empty(), "{place}");
                    used += 1;
                }
                (Content::Title(text) | Content::Note(text), LineUse::Note) => {
                    assert!(pack.contains(&letters(text)), "{place}");
                    kept += 1;
                }
                (_, LineUse::NotUnderstood) => {
                    let listed = |line: &LineUse| *line == LineUse::NotUnderstood;
                    assert!(lines.iter().any(listed), "{place}");
                    left_out += 1;
                }
                (Content::Ignored, LineUse::Ignored) => {}
                _ => panic!("{place} became {:?}", piece.became),
            }
        }
    }
    assert!(used > 4_000 && kept > 1_000 && left_out > 100, "{used} {kept} {left_out}");
}

#[test]
fn an_item_without_text_is_nothing() {
    let table = "| Score | Result |\n| 1-2 | Rout |\n| 3-6 | Hold |\n";
    let made = sound(&format!("# Morale\n- **\n{table}"), &Options::default()).unwrap();
    assert_eq!(made.charts.len(), 1);
}

#[test]
fn brackets_spans_and_titles_have_a_limit() {
    for text in [
        "<p>".to_owned() + &"[".repeat(200_000),
        "<p>".to_owned() + &"ABCD. ".repeat(50_000),
        format!("<td colspan=100 rowspan=100>{}<tr><td>a", "b ".repeat(100_000)),
    ] {
        assert!(sound(&text, &Options::default()).is_some());
    }
    let rows = "<p>a".repeat(adjutant_draft::MOST_LINES + 1);
    let refused = draft(&rows, &Options::default()).unwrap_err();
    assert!(matches!(refused, DraftError::TooManyLines { .. }));
}

/// Lines as sheets have them, in any order.
fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Target in cover",
        "No effect",
        "Rout",
        "the firer",
        "Each",
        "MORALE",
        "Table",
        "x",
        "–",
        "a b c",
        "Ω",
        "to",
        "all",
        "\"q\"",
        "back\\slash",
        "<td>",
        "🎲",
    ]);
    let figures = prop::sample::select(vec![
        "+1",
        "-2",
        "1-2",
        "3–4",
        "5+",
        "0 or less",
        "2d6",
        "1/2",
        "×½",
        "+ or -",
        "96-00",
        "4-Feb",
        "l",
        "natural 6",
        "2L",
        "1:3",
        "10",
        "-1 per 3",
        "x0",
        "1/0",
        "99999999999",
    ]);
    let gap = prop::sample::select(vec![" ", "  ", "      ", "\t", " | ", ",", ": ", " - ", ""]);
    let start = prop::sample::select(vec![
        "",
        "",
        " ",
        "        ",
        "# ",
        "| ",
        "- ",
        "• ",
        "\u{c}",
        "<tr><td>",
        "Roll 2d6 ",
        "(Taken versus Rep) ",
        "Turn sequence",
        "1. ",
    ]);
    (
        start,
        prop::collection::vec(
            prop_oneof![words.prop_map(str::to_owned), figures.prop_map(str::to_owned)],
            0..6,
        ),
        gap,
    )
        .prop_map(|(start, parts, gap)| format!("{start}{}", parts.join(gap)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_give_a_pack(lines in prop::collection::vec(line(), 0..30), format in prop::sample::select(vec![None, Some(Format::Text), Some(Format::Markdown), Some(Format::Html), Some(Format::Sheet)])) {
        sound(&lines.join("\n"), &Options { format, ..Options::default() });
    }

    #[test]
    fn any_text_gives_a_pack(text in ".{0,400}") {
        sound(&text, &Options::default());
    }

    #[test]
    fn any_override_gives_a_pack(lines in prop::collection::vec(line(), 1..20), from in 0_usize..400, length in 1_usize..200, kind in prop::sample::select(PieceKind::ALL.to_vec())) {
        let overrides = vec![Override { at: from..from + length, kind }];
        sound(&lines.join("\n"), &Options { overrides, ..Options::default() });
    }

    #[test]
    fn the_same_text_gives_the_same_draft(lines in prop::collection::vec(line(), 0..20)) {
        let text = lines.join("\n");
        let first = draft(&text, &Options::default()).map(|made| (made.files, made.guesses));
        prop_assert_eq!(first, draft(&text, &Options::default()).map(|made| (made.files, made.guesses)));
    }
}

const SHEET: &str = "RALLY\n\nRoll 1d10.\n\n+1  Commander near\n-1  Unsupported\n\n1 or less   Lost\n2-5         No effect\n6 or more   Rallied\n";

#[test]
fn a_word_of_the_author_turns_a_piece_into_something_else() {
    let made = sound(SHEET, &Options::default()).unwrap();
    assert_eq!(made.account().used, 7);
    let piece =
        made.pieces.iter().find(|piece| matches!(piece.content, Content::Modifiers(_))).unwrap();
    let overrides = vec![Override { at: piece.at[0].clone(), kind: PieceKind::Note }];
    let turned = sound(SHEET, &Options { overrides, ..Options::default() }).unwrap();
    assert!(!turned.pieces.iter().any(|piece| matches!(piece.content, Content::Modifiers(_))));
    assert!(
        turned.pack_toml().contains("+1 Commander near -1 Unsupported"),
        "{}",
        turned.pack_toml()
    );
    assert_eq!(turned.account().notes, 2);
}

#[test]
fn a_note_can_be_made_a_table() {
    let text = "THE FORD\n\n1   Too deep\n2   Just passable\n";
    let made = sound(text, &Options::default()).unwrap();
    let note = &made.pieces[1];
    let overrides = vec![Override { at: note.at[0].start..text.len(), kind: PieceKind::Bands }];
    let turned = sound(text, &Options { overrides, ..Options::default() }).unwrap();
    assert!(
        turned
            .pieces
            .iter()
            .any(|piece| matches!(&piece.content, Content::Bands(table) if table.rows.len() == 2)),
        "{:?}",
        turned.pieces
    );
}

#[test]
fn limits_are_errors() {
    let long = "x".repeat(adjutant_draft::LONGEST_LINE + 1);
    assert_eq!(draft(&long, &Options::default()).err(), Some(DraftError::LongLine { line: 1 }));
    assert_eq!(draft(" \n\t\n", &Options::default()).err(), Some(DraftError::Empty));
    let many = "a\n".repeat(adjutant_draft::MOST_LINES + 1);
    assert!(matches!(
        draft(&many, &Options::default()).err(),
        Some(DraftError::TooManyLines { .. })
    ));
    let large = "abcdefgh ".repeat(adjutant_draft::LARGEST_SOURCE / 9 + 9);
    assert!(matches!(draft(&large, &Options::default()).err(), Some(DraftError::TooLarge { .. })));
}

/// A megabyte of sheets, of prose, of blanks and of figures. The limit is wide, since tests run without
/// optimisation and beside others; `docs/performance.md` is measured with it.
#[test]
fn a_megabyte_is_read_in_bounded_time() {
    let row = "Infantry   8   6   4   2      +1  Target in cover        1-2   Rout\n";
    let sources = [
        SHEET.repeat(5_400),
        "A unit that is shaken may rally on a 5 or more, and flees on a 1. "
            .repeat(70)
            .chars()
            .chain(['\n'])
            .collect::<String>()
            .repeat(220),
        row.repeat((1 << 20) / row.len()),
        format!("{}\n", " ".repeat(60)).repeat(17_000) + "a",
        "1-2\t3-4\t+1\t-1\tRoll 2d6\n".repeat(40_000),
        format!("<table>{}</table>", "<tr><td colspan=99 rowspan=99>1-2<td>Miss".repeat(8_000)),
        "a|b\n-|-\n1|2\n".repeat(18_000),
        "((((((((((1-2+3--4 or , / "
            .repeat(700)
            .chars()
            .chain(['\n'])
            .collect::<String>()
            .repeat(57),
    ];
    for (place, source) in sources.iter().enumerate() {
        let lines = source.split('\n').count();
        let start = std::time::Instant::now();
        let made = draft(source, &Options::default());
        println!(
            "source {place}: {} bytes, {lines} lines, {:?}, {}",
            source.len(),
            start.elapsed(),
            made.is_ok()
        );
        if let Ok(made) = made {
            assert!(
                read_pack(&Files::of([("pack.toml", made.pack_toml())]), None).is_ok(),
                "{place}"
            );
        }
        assert!(start.elapsed().as_secs() < 60, "source {place}");
    }
}
