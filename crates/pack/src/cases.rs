//! `cases.toml`: examples that test a pack. Each gives inputs and faces and expects a result. A
//! player with the sheet at hand could have written them.

use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::format;
use crate::problem::{CaseProblem, Owner, Part};
use crate::text::clip;
use crate::tree::{self, Diagnostics, Keys, Located, Place, expr_of, number_of, text_of};
use adjutant_dice::Number;
use std::ops::Range;
use toml::de::DeValue;

/// All test cases of a pack.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// Single cases.
    pub cases: Vec<Case>,
    /// Tables of cases.
    pub grids: Vec<Grid>,
    /// Made-up user tables for the cases that need them, as the text of a tables file.
    pub tables: Option<String>,
}

/// The inputs of a case.
#[derive(Clone, Debug, Default)]
pub struct CaseInputs {
    /// The chart to run.
    pub chart: String,
    /// Inputs by name.
    pub inputs: Vec<(String, String)>,
    /// Options by name.
    pub options: Vec<(String, String)>,
    /// Remembered values by name.
    pub memory: Vec<(String, String)>,
    /// The faces of the dice, in order.
    pub dice: Vec<String>,
    /// The numbers of the cards, in order.
    pub cards: Vec<u32>,
    /// Cards that are already drawn.
    pub gone: Vec<u32>,
    /// Cards in the hand of the side or unit that takes the test.
    pub hand: Vec<u32>,
    /// Answers by name, in order.
    pub answers: Vec<(String, String)>,
    /// Whether the made-up user tables of the suite are used.
    pub tables: bool,
}

/// One test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// A sentence that describes the case.
    pub name: String,
    /// The byte range of the case in `cases.toml`.
    pub place: Range<usize>,
    /// The inputs.
    pub given: CaseInputs,
    /// The expected outcome.
    pub expect: Expect,
}

/// The expected outcome of a case. Only what is given is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// The id of the result.
    pub result: Option<String>,
    /// The role that the result applies to.
    pub on: Option<String>,
    /// The id of the column that was read.
    pub column: Option<String>,
    /// The score: a number or a word.
    pub score: Option<String>,
    /// The value that the chart yields.
    pub value: Option<Number>,
    /// The totals of steps, by name.
    pub totals: Vec<(String, String)>,
    /// Effects, as `role: status x`.
    pub effects: Option<Vec<String>>,
    /// The charts that follow.
    pub next: Option<Vec<String>>,
    /// The results that apply in addition.
    pub also: Option<Vec<String>>,
    /// The order of several units; equal ones are together.
    pub order: Option<Vec<Vec<String>>>,
    /// The results of several units.
    pub results: Vec<(String, String)>,
    /// What the run must stop for because it is missing.
    pub needs: Option<String>,
    /// A part of the error message, if the input must be rejected.
    pub refused: Option<String>,
}

/// A table of cases: one case for each cell.
#[derive(Clone, Debug)]
pub struct Grid {
    /// A sentence that describes the table.
    pub name: String,
    /// The byte range of the table in `cases.toml`.
    pub place: Range<usize>,
    /// The inputs that all its cases share.
    pub given: CaseInputs,
    /// The name and the values of the columns; `None` for a table of one column.
    pub across: Option<(String, Vec<String>)>,
    /// The name of what the rows vary.
    pub down: String,
    /// The rows: a value and the expected cells.
    pub rows: Vec<(String, Vec<Cell>)>,
}

/// What a cell of a [`Grid`] expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// This value.
    Value(Number),
    /// This result.
    Result(String),
    /// That the run needs another card or die.
    Again,
}

/// Reads the test cases of a pack. A pack without `cases.toml` has none.
pub fn read_cases(files: &Files) -> Result<Suite, Vec<Diagnostic>> {
    let Some(text) = files.text("cases.toml") else { return Ok(Suite::default()) };
    if let Some(fault) = crate::files::too_large("cases.toml", text.len() as u64) {
        return Err(vec![fault]);
    }
    let faults = Diagnostics::default();
    let document = tree::parse("cases.toml", text, &faults);
    let top = Keys::new(
        document.get_ref(),
        Place::start_of("cases.toml"),
        Owner::File("cases.toml"),
        &faults,
    );
    let mut suite = Suite {
        cases: top.tables("case", Part::Case).into_iter().filter_map(read_case).collect(),
        grids: top.tables("grid", Part::Grid).into_iter().filter_map(read_grid).collect(),
        tables: None,
    };
    if [top.take("table").is_some(), top.take("deck").is_some()].contains(&true) {
        suite.tables = Some(only_tables(text));
    }
    top.done(format::CasesFile::KEYS);
    if faults.count() == 0 { Ok(suite) } else { Err(faults.into_sorted()) }
}

/// The section that a line is the header of, such as `[[case]]` or `[deck.events]`.
fn section(line: &str) -> Option<&'static str> {
    let name = line.trim_start().strip_prefix('[')?;
    let name = name.strip_prefix('[').unwrap_or(name).trim_start();
    format::CasesFile::KEYS.iter().copied().find(|section| {
        let rest = name.strip_prefix(section).unwrap_or("-").trim_start();
        rest.starts_with('.') || rest.starts_with(']')
    })
}

/// The `[table.…]` and `[deck.…]` sections of `cases.toml` as a file of their own. All other lines
/// are blanked out, so that spans stay valid. A line of cards may start with `[` too.
fn only_tables(text: &str) -> String {
    let (mut inside, mut quoted) = (false, false);
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if let Some(section) = section(line).filter(|_| !quoted) {
            inside = ["table", "deck"].contains(&section);
        }
        let quotes = line.matches("\"\"\"").count() + line.matches("'''").count();
        quoted ^= quotes % 2 == 1;
        if inside {
            kept.push_str(line);
        } else {
            // One space for each byte, because spans count bytes.
            kept.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        }
    }
    kept
}

fn read_given(keys: &Keys<'_>) -> Option<(String, CaseInputs)> {
    let name = keys.need_text("name").map(|t| t.it).unwrap_or_default();
    let chart = keys.need_text("chart")?.it;
    let pairs = |key: &'static str| {
        keys.table(key, Owner::Key(key)).map(|inner| flat(&inner, "")).unwrap_or_default()
    };
    let given = CaseInputs {
        chart,
        inputs: pairs("given"),
        options: pairs("option"),
        memory: pairs("memory"),
        dice: written_faces(keys, "dice"),
        cards: faces(keys, "cards"),
        gone: faces(keys, "gone"),
        hand: faces(keys, "hand"),
        answers: pairs("answer"),
        tables: keys.flag("tables"),
    };
    Some((name, given))
}

/// Flattens nested tables into dotted names. A list becomes several values of one name.
fn flat(keys: &Keys<'_>, before: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in keys.rest() {
        let path =
            if before.is_empty() { name.it.clone() } else { format!("{before}.{}", name.it) };
        match value.it {
            DeValue::Table(_) => found.extend(
                keys.keys_of(&value, &name.it, Owner::Key("given"))
                    .map(|inner| flat(&inner, &path))
                    .unwrap_or_default(),
            ),
            DeValue::Array(list) => found.extend(
                list.iter()
                    .filter_map(|item| expr_of(item.get_ref()))
                    .map(|text| (path.clone(), text)),
            ),
            other => match expr_of(other) {
                Some(text) => found.push((path, text)),
                None => keys.faults().add(&value.at, CaseProblem::NotGivable { name: clip(&path) }),
            },
        }
    }
    found
}

/// Faces as players write them: numbers, names of faces, or `6x3`.
fn written_faces(keys: &Keys<'_>, key: &str) -> Vec<String> {
    let Some(found) = keys.take(key) else { return Vec::new() };
    let list: Option<Vec<String>> = match found.it {
        DeValue::Array(list) => list.iter().map(|item| written_face(item.get_ref())).collect(),
        one => written_face(one).map(|face| vec![face]),
    };
    list.unwrap_or_else(|| {
        keys.faults().add(&found.at, CaseProblem::NotWholeNumbers { key: key.into() });
        Vec::new()
    })
}

fn written_face(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        other => {
            // A die may have faces below zero.
            number_of(other).and_then(Number::as_whole).map(|n| n.to_string())
        }
    }
}

fn faces(keys: &Keys<'_>, key: &str) -> Vec<u32> {
    let Some(found) = keys.take(key) else { return Vec::new() };
    let whole = |value: &DeValue<'_>| {
        number_of(value).and_then(Number::as_whole).and_then(|n| u32::try_from(n).ok())
    };
    let list: Option<Vec<u32>> = match found.it {
        DeValue::Array(list) => list.iter().map(|item| whole(item.get_ref())).collect(),
        one => whole(one).map(|n| vec![n]),
    };
    list.unwrap_or_else(|| {
        keys.faults().add(&found.at, CaseProblem::NotWholeNumbers { key: key.into() });
        Vec::new()
    })
}

fn read_case(keys: Keys<'_>) -> Option<Case> {
    let (name, given) = read_given(&keys)?;
    let mut expect =
        keys.table("expect", Owner::Key("expect")).map(read_expect).unwrap_or_default();
    expect.refused = keys.text("refused").map(|t| t.it);
    if expect == Expect::default() {
        keys.faults().add(&keys.at, CaseProblem::ExpectsNothing { case: clip(&name) });
    }
    let place = keys.at.span.clone();
    keys.done(format::TestCase::KEYS);
    Some(Case { name, place, given, expect })
}

fn read_expect(keys: Keys<'_>) -> Expect {
    let list = |key: &str| {
        keys.has(key).then(|| keys.texts(key).into_iter().map(|t| t.it).collect::<Vec<_>>())
    };
    let expect = Expect {
        result: keys.text("result").map(|t| t.it),
        on: keys.text("on").map(|t| t.it),
        column: keys.text("column").map(|t| t.it),
        score: keys.expr("score").map(|t| t.it),
        value: keys.number("value").map(|n| n.it),
        totals: keys
            .table("totals", Owner::Key("totals"))
            .map(|inner| flat(&inner, ""))
            .unwrap_or_default(),
        effects: list("effects"),
        next: list("next"),
        also: list("also"),
        order: keys.take("order").and_then(|found| read_order(found.it)),
        results: keys
            .table("results", Owner::Key("results"))
            .map(|inner| flat(&inner, ""))
            .unwrap_or_default(),
        needs: keys.text("needs").map(|t| t.it),
        refused: None,
    };
    keys.done(format::ExpectKeys::KEYS);
    expect
}

fn read_order(value: &DeValue<'_>) -> Option<Vec<Vec<String>>> {
    let groups = value.as_array()?;
    groups
        .iter()
        .map(|group| {
            group.get_ref().as_array()?.iter().map(|name| expr_of(name.get_ref())).collect()
        })
        .collect()
}

fn read_grid(keys: Keys<'_>) -> Option<Grid> {
    let (name, given) = read_given(&keys)?;
    let across = keys.table("across", Owner::Key("across")).and_then(|inner| {
        let (name, value) = inner.rest().into_iter().next()?;
        // Unquoted, `ship.ablaze` is a nested table. It means the same.
        let (mut path, mut value) = (name.it, value.it);
        while let DeValue::Table(table) = value {
            let (key, inside) = table.iter().next()?;
            path = format!("{path}.{}", key.get_ref());
            value = inside.get_ref();
        }
        let list = value.as_array()?;
        Some((path, list.iter().filter_map(|item| grid_key(item.get_ref())).collect()))
    });
    let down = keys.need_text("down")?.it;
    let mut rows = Vec::new();
    if let Some(inner) = keys.table("rows", Part::GridRows) {
        for (key, value) in inner.rest() {
            rows.push((key.it.clone(), read_cells(&key, &value, &keys)));
        }
    }
    let width = across.as_ref().map_or(1, |(_, values): &(String, Vec<String>)| values.len());
    if let Some((key, cells)) = rows.iter().find(|(_, cells)| cells.len() != width) {
        keys.faults().add(
            &keys.at,
            CaseProblem::GridWidth { row: clip(key), cells: cells.len(), across: width },
        );
    }
    let place = keys.at.span.clone();
    keys.done(format::TestGrid::KEYS);
    Some(Grid { name, place, given, across, down, rows })
}

/// A column value: a plain one, or several dice or cards as `[3, 4]`.
fn grid_key(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Array(list) => Some(
            list.iter().filter_map(|item| expr_of(item.get_ref())).collect::<Vec<_>>().join("+"),
        ),
        other => expr_of(other),
    }
}

fn read_cells(key: &Located<String>, value: &Located<&DeValue<'_>>, keys: &Keys<'_>) -> Vec<Cell> {
    let one = |item: &DeValue<'_>| match (text_of(item), number_of(item)) {
        (_, Some(n)) => Some(Cell::Value(n)),
        (Some(text), None) if text == "again" => Some(Cell::Again),
        (Some(text), None) => Some(Cell::Result(text)),
        _ => None,
    };
    let cells: Option<Vec<Cell>> = match value.it {
        DeValue::Array(list) => list.iter().map(|item| one(item.get_ref())).collect(),
        single => one(single).map(|cell| vec![cell]),
    };
    cells.unwrap_or_else(|| {
        keys.faults().add(&value.at, CaseProblem::GridRow { row: key.clip() });
        Vec::new()
    })
}
