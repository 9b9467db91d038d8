//! `cases.toml`: examples that test a pack. Given these inputs and these faces, this result. A player
//! with the sheet in hand could have written each of them.

use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::problem::{CaseProblem, Owner, Part};
use crate::text::clip;
use crate::tree::{self, Diagnostics, Keys, Located, Place, expr_of, number_of, text_of};
use adjutant_dice::Number;
use std::ops::Range;
use toml::de::DeValue;

/// All the cases of a pack.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// Single cases.
    pub cases: Vec<Case>,
    /// Tables of cases.
    pub grids: Vec<Grid>,
    /// Made-up user tables for the cases that want them, as a tables file.
    pub tables: Option<String>,
}

/// What a case gives.
#[derive(Clone, Debug, Default)]
pub struct CaseInputs {
    /// The chart.
    pub chart: String,
    /// Inputs, by name.
    pub inputs: Vec<(String, String)>,
    /// Options, by name.
    pub options: Vec<(String, String)>,
    /// Memory, by name.
    pub memory: Vec<(String, String)>,
    /// Faces of dice.
    pub dice: Vec<u32>,
    /// Cards.
    pub cards: Vec<u32>,
    /// Cards gone beforehand.
    pub gone: Vec<u32>,
    /// Answers, by name, in order.
    pub answers: Vec<(String, String)>,
    /// Whether the suite's made-up tables are used.
    pub tables: bool,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its sentence.
    pub name: String,
    /// Where it stands in cases.toml.
    pub place: Range<usize>,
    /// What it gives.
    pub given: CaseInputs,
    /// What it expects.
    pub expect: Expect,
}

/// What is expected; only what is stated is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// The result's id.
    pub result: Option<String>,
    /// The role it lands on.
    pub on: Option<String>,
    /// The score: a number or a word.
    pub score: Option<String>,
    /// The value.
    pub value: Option<Number>,
    /// Totals of steps.
    pub totals: Vec<(String, String)>,
    /// Effects, as `role: status x`.
    pub effects: Option<Vec<String>>,
    /// Charts that follow.
    pub next: Option<Vec<String>>,
    /// Results that hold in addition.
    pub also: Option<Vec<String>>,
    /// The order of several units, equals together.
    pub order: Option<Vec<Vec<String>>>,
    /// Results of several units.
    pub results: Vec<(String, String)>,
    /// What the run must stop for want of.
    pub needs: Option<String>,
    /// A part of the sentence with which it must be refused.
    pub refused: Option<String>,
}

/// A table of cases.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Its sentence.
    pub name: String,
    /// Where it stands in cases.toml.
    pub place: Range<usize>,
    /// What all its cases give.
    pub given: CaseInputs,
    /// What goes across, with its values; nothing for a table of one column.
    pub across: Option<(String, Vec<String>)>,
    /// What goes down.
    pub down: String,
    /// The rows: the value of what goes down, and the cells.
    pub rows: Vec<(String, Vec<Cell>)>,
}

/// What a cell of a table of cases expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// This value.
    Value(Number),
    /// This result.
    Result(String),
    /// That the run wants another card or die.
    Again,
}

/// Reads the cases of a pack; a pack without `cases.toml` has none.
pub fn read_cases(files: &Files) -> Result<Suite, Vec<Diagnostic>> {
    let Some(text) = files.text("cases.toml") else { return Ok(Suite::default()) };
    if let Some(fault) = crate::files::too_large("cases.toml", text.len() as u64) {
        return Err(vec![fault]);
    }
    let faults = Diagnostics::default();
    let document = tree::parse("cases.toml", text, &faults);
    let top = Keys::new(document.get_ref(), Place::start_of("cases.toml"), Owner::File("cases.toml"), &faults);
    let mut suite = Suite {
        cases: top.tables("case", Part::Case).into_iter().filter_map(read_case).collect(),
        grids: top.tables("grid", Part::Grid).into_iter().filter_map(read_grid).collect(),
        tables: None,
    };
    if top.take("table").is_some() {
        suite.tables = Some(only_tables(text));
    }
    top.done(&["case", "grid", "table"]);
    if faults.count() == 0 { Ok(suite) } else { Err(faults.into_sorted()) }
}

/// The `[table.…]` sections of cases.toml as a file of their own, every other line blanked out so that
/// places stay true.
fn only_tables(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            inside = line.starts_with("[table.");
        }
        if inside {
            kept.push_str(line);
        } else {
            // A space for each byte, since places count bytes.
            kept.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        }
    }
    kept
}

const GIVEN: [&str; 10] = ["name", "chart", "given", "option", "memory", "dice", "cards", "gone", "answer", "tables"];

fn read_given(keys: &Keys<'_>) -> Option<(String, CaseInputs)> {
    let name = keys.need_text("name").map(|t| t.it).unwrap_or_default();
    let chart = keys.need_text("chart")?.it;
    let pairs = |key: &'static str| keys.table(key, Owner::Key(key)).map(|inner| flat(&inner, "")).unwrap_or_default();
    let given = CaseInputs {
        chart,
        inputs: pairs("given"),
        options: pairs("option"),
        memory: pairs("memory"),
        dice: faces(keys, "dice"),
        cards: faces(keys, "cards"),
        gone: faces(keys, "gone"),
        answers: pairs("answer"),
        tables: keys.flag("tables"),
    };
    Some((name, given))
}

/// Nested tables as dotted names; lists as several values of one name.
fn flat(keys: &Keys<'_>, before: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in keys.rest() {
        let path = if before.is_empty() { name.it.clone() } else { format!("{before}.{}", name.it) };
        match value.it {
            DeValue::Table(_) => {
                found.extend(keys.keys_of(&value, &name.it, Owner::Key("given")).map(|inner| flat(&inner, &path)).unwrap_or_default())
            }
            DeValue::Array(list) => found.extend(list.iter().filter_map(|item| expr_of(item.get_ref())).map(|text| (path.clone(), text))),
            other => match expr_of(other) {
                Some(text) => found.push((path, text)),
                None => keys.faults().add(&value.at, CaseProblem::NotGivable { name: clip(&path) }),
            },
        }
    }
    found
}

fn faces(keys: &Keys<'_>, key: &str) -> Vec<u32> {
    let Some(found) = keys.take(key) else { return Vec::new() };
    let whole = |value: &DeValue<'_>| number_of(value).and_then(Number::as_whole).and_then(|n| u32::try_from(n).ok());
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
    let mut expect = keys.table("expect", Owner::Key("expect")).map(read_expect).unwrap_or_default();
    expect.refused = keys.text("refused").map(|t| t.it);
    if expect == Expect::default() {
        keys.faults().add(&keys.at, CaseProblem::ExpectsNothing { case: clip(&name) });
    }
    let place = keys.at.span.clone();
    let known: Vec<&str> = GIVEN.into_iter().chain(["expect", "refused"]).collect();
    keys.done(&known);
    Some(Case { name, place, given, expect })
}

fn read_expect(keys: Keys<'_>) -> Expect {
    let list = |key: &str| keys.has(key).then(|| keys.texts(key).into_iter().map(|t| t.it).collect::<Vec<_>>());
    let expect = Expect {
        result: keys.text("result").map(|t| t.it),
        on: keys.text("on").map(|t| t.it),
        score: keys.expr("score").map(|t| t.it),
        value: keys.number("value").map(|n| n.it),
        totals: keys.table("totals", Owner::Key("totals")).map(|inner| flat(&inner, "")).unwrap_or_default(),
        effects: list("effects"),
        next: list("next"),
        also: list("also"),
        order: keys.take("order").and_then(|found| read_order(found.it)),
        results: keys.table("results", Owner::Key("results")).map(|inner| flat(&inner, "")).unwrap_or_default(),
        needs: keys.text("needs").map(|t| t.it),
        refused: None,
    };
    keys.done(&["result", "on", "score", "value", "totals", "effects", "next", "also", "order", "results", "needs"]);
    expect
}

fn read_order(value: &DeValue<'_>) -> Option<Vec<Vec<String>>> {
    let groups = value.as_array()?;
    groups.iter().map(|group| group.get_ref().as_array()?.iter().map(|name| expr_of(name.get_ref())).collect()).collect()
}

fn read_grid(keys: Keys<'_>) -> Option<Grid> {
    let (name, given) = read_given(&keys)?;
    let across = keys.table("across", Owner::Key("across")).and_then(|inner| {
        let (name, value) = inner.rest().into_iter().next()?;
        // `ship.ablaze` without quotes is a table in a table; it means the same.
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
        keys.faults().add(&keys.at, CaseProblem::GridWidth { row: clip(key), cells: cells.len(), across: width });
    }
    let place = keys.at.span.clone();
    let known: Vec<&str> = GIVEN.into_iter().chain(["across", "down", "rows"]).collect();
    keys.done(&known);
    Some(Grid { name, place, given, across, down, rows })
}

/// A value that goes across: a plain one, or several dice or cards as `[3, 4]`.
fn grid_key(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Array(list) => Some(list.iter().filter_map(|item| expr_of(item.get_ref())).collect::<Vec<_>>().join("+")),
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
