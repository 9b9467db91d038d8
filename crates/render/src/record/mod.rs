//! Record sheets: all units of a table, and a card for each. Both show the current state. Statuses
//! are boxes to tick, and values that play changes have space for writing.

#[cfg(feature = "paper")]
mod cards;

#[cfg(feature = "paper")]
pub use cards::cards;

use crate::reference::{Accent, Item, Part, Section, Sheet, Table};
use crate::report::plain;
use adjutant_dice::{Accepts, Answer};
use adjutant_game::Unit;
use adjutant_pack::{AttributeId, Field, KindId, Operation, Pack, StatusId, Value};

/// The most boxes for a counted value.
const MAX_BOXES: i64 = 10;

/// The units of a table.
#[derive(Clone, Debug)]
pub struct RosterSheet<'t> {
    /// The name of the table.
    pub name: &'t str,
    pub pack: &'t Pack,
    pub sides: &'t [String],
    /// The units that have not left the game.
    pub units: Vec<&'t Unit>,
}

/// The record sheet of a table: a form for each side and kind of unit.
///
/// ```
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let sheet = adjutant_render::record::sheet(&adjutant_render::record::RosterSheet { name: "Hill 112", pack: &pack, sides: &[], units: vec![] });
/// assert_eq!(sheet.kind, "Record sheet");
/// ```
pub fn sheet(roster: &RosterSheet<'_>) -> Sheet {
    let pack = roster.pack;
    let mut sections = Vec::new();
    for (side, name) in roster.sides.iter().enumerate() {
        let accent = u8::try_from(side).map_or(Accent::None, Accent::Side);
        for (kind, known) in pack.kinds().iter_enumerated() {
            let units: Vec<&Unit> = roster
                .units
                .iter()
                .copied()
                .filter(|unit| unit.side == side && unit.kind == kind && out(pack, unit).is_none())
                .collect();
            if !units.is_empty() {
                let table = form(pack, kind, &units);
                sections.push(Section {
                    title: plain(&format!("{name}: {}", known.title)),
                    loose: true,
                    accent: accent.clone(),
                    parts: vec![Part::Table(table)],
                    ..Section::default()
                });
            }
        }
    }
    sections.extend(out_of_play(roster));
    if sections.is_empty() {
        let text =
            Part::Text(crate::reference::Tone::Plain, "There are no units in the game.".into());
        sections.push(Section { title: "Units".into(), parts: vec![text], ..Section::default() });
    }
    Sheet {
        title: plain(roster.name),
        kind: "Record sheet".into(),
        by: pack.title().to_string(),
        about: String::new(),
        source: String::new(),
        notice: pack.notice().to_owned(),
        pack: crate::edition(pack.id(), pack.version()),
        sections,
        ..Sheet::default()
    }
}

/// The status that puts a unit out of play.
pub(crate) fn out<'p>(pack: &'p Pack, unit: &Unit) -> Option<&'p str> {
    let statuses = unit.statuses.iter().map(|status| &pack.statuses()[*status]);
    statuses.into_iter().find(|status| status.out).map(|status| status.title.as_str())
}

/// The units that are out: they need no boxes to tick.
fn out_of_play(roster: &RosterSheet<'_>) -> Option<Section> {
    let item = |unit: &&Unit| {
        let why = out(roster.pack, unit)?;
        let side = roster.sides.get(unit.side).map_or("", String::as_str);
        let text = plain(&format!("{side}: {why}"));
        Some(Item { term: plain(&unit.name), text, ..Item::default() })
    };
    let items: Vec<Item> = roster.units.iter().filter_map(item).collect();
    let parts = vec![Part::Items(items)];
    let any = roster.units.iter().any(|unit| out(roster.pack, unit).is_some());
    any.then(|| Section { title: "Out of play".into(), loose: true, parts, ..Section::default() })
}

fn form(pack: &Pack, kind: KindId, units: &[&Unit]) -> Table {
    let fields = &pack.kinds()[kind].has;
    let statuses: Vec<StatusId> =
        pack.statuses().ids().filter(|place| pack.statuses()[*place].of.contains(&kind)).collect();
    let groups = units.iter().any(|unit| !unit.group.is_empty());
    let mut heads = vec!["Unit".to_owned()];
    heads.extend(groups.then(|| "Group".to_owned()));
    heads.extend(fields.iter().map(|field| field.label.to_string()));
    heads.extend(statuses.iter().map(|status| pack.statuses()[*status].title.to_string()));
    heads.push("Notes".into());
    let row = |unit: &&Unit| {
        let mut cells = vec![plain(&unit.name)];
        cells.extend(groups.then(|| plain(&unit.group)));
        cells.extend(
            fields
                .iter_enumerated()
                .map(|(place, field)| written(pack, kind, field, value(pack, unit, place))),
        );
        cells.extend(statuses.iter().map(|status| tick(unit.statuses.contains(status)).to_owned()));
        cells.push(plain(&unit.notes));
        cells
    };
    Table { heads, rows: units.iter().map(row).collect(), form: true, ..Table::default() }
}

/// A unit's value of an attribute, or its default.
fn value(pack: &Pack, unit: &Unit, place: AttributeId) -> Option<Value> {
    unit.facet(pack, &pack.kinds()[unit.kind].has.get(place)?.id)
}

fn tick(yes: bool) -> &'static str {
    if yes { "☑" } else { "☐" }
}

/// A value on a form: a box to tick, a word, or a number with boxes if play changes it.
fn written(pack: &Pack, kind: KindId, field: &Field, value: Option<Value>) -> String {
    let text = match (value, &field.accepts) {
        (value, Accepts::YesNo) => return tick(value.is_some_and(Value::is_yes)).to_owned(),
        (None, _) => return String::new(),
        (Some(value), accepts) => match value.to_answer(pack.words()) {
            Answer::Choice(word) => {
                let known = accepts.words().unwrap_or(&[]).iter().find(|known| known.id == word);
                known.map_or_else(|| word.to_string(), |known| known.label.to_string())
            }
            other => other.to_string().replace('-', "−"),
        },
    };
    match value
        .and_then(Value::number)
        .and_then(adjutant_dice::Number::as_whole)
        .filter(|n| (1..=MAX_BOXES).contains(n) && counted(pack, kind, field))
    {
        Some(n) => format!("{text} {}", "☐".repeat(n as usize)),
        None => text,
    }
}

/// Whether a number starts at zero and some result adds to or subtracts from it: hits, ammunition,
/// men.
fn counted(pack: &Pack, kind: KindId, field: &Field) -> bool {
    if !matches!(field.accepts, Accepts::Number { from, .. } if from == adjutant_dice::Number::ZERO)
    {
        return false;
    }
    let effects =
        pack.charts().iter().flat_map(|chart| chart.effects().map(move |effect| (chart, effect)));
    effects.into_iter().any(|(chart, effect)| {
        let on =
            effect.on.and_then(|role| chart.roles.get(role)).is_some_and(|role| role.kind == kind);
        let added =
            effect.kind.attribute().filter(|(_, operation, _)| *operation == Operation::Add);
        on && added.is_some_and(|(name, ..)| *name == field.id)
    })
}
