//! Packs, charts, fights and cards as JSON.

use adjutant_engine::{printed_cells, questions};
use adjutant_pack::{
    Action, Amount, Band, CardCell, Chart, ChartId, DeckFieldKind, DeckSheet, Field, Fight, FilledFrom, Formula, InputId, Modifier,
    OptionId, Pack, Step, StepKind,
};
use serde_json::{Map, Value as Json, json};

/// A whole pack.
pub fn pack(pack: &Pack) -> Json {
    let fields = |list: &[Field]| list.iter().map(|f| field(f, &f.id)).collect::<Vec<_>>();
    json!({
        "id": pack.id(), "title": pack.title(), "version": pack.version(), "by": pack.by(), "about": pack.about(),
        "source": pack.source(), "notice": pack.notice(), "hash": pack.hash(),
        "turn": pack.phases().iter().map(|p| json!({ "id": p.id, "title": p.title, "text": p.text, "charts": p.charts.iter().map(|c| &pack.charts()[*c].id).collect::<Vec<_>>(), "due": p.due.iter().map(|d| &pack.charts()[d.chart].id).collect::<Vec<_>>() })).collect::<Vec<_>>(),
        "charts": pack.charts().iter().map(|c| chart(pack, c)).collect::<Vec<_>>(),
        "fights": pack.fights().iter().map(|f| fight(pack, f)).collect::<Vec<_>>(),
        "results": pack.results().iter().map(|r| json!({ "id": r.id, "title": r.title, "means": r.means })).collect::<Vec<_>>(),
        "units": pack.kinds().iter().map(|k| json!({ "id": k.id, "title": k.title, "has": fields(&k.has) })).collect::<Vec<_>>(),
        "templates": pack.templates().iter().map(|t| template(pack, t)).collect::<Vec<_>>(),
        "starts": pack.starts().iter().map(|s| start(pack, s)).collect::<Vec<_>>(),
        "endings": pack.endings().iter().map(|e| json!({ "id": e.id, "title": e.title, "means": e.means })).collect::<Vec<_>>(),
        "statuses": pack.statuses().iter().map(|s| json!({ "id": s.id, "title": s.title, "means": s.means, "of": s.of.iter().map(|k| &pack.kinds()[*k].id).collect::<Vec<_>>() })).collect::<Vec<_>>(),
        "decks": pack.decks().iter().map(|d| json!({ "id": d.id, "title": d.title, "cards": (1..=d.cards.len() as u32).map(|n| card(pack, d, n)).collect::<Vec<_>>() })).collect::<Vec<_>>(),
        "options": pack.options().iter().map(|o| with(field(&o.field, &o.field.id), [("standing", json!(o.standing.name())), ("origin", json!(o.origin))])).collect::<Vec<_>>(),
        "memory": fields(pack.memory()),
        "readings": pack.readings().iter().map(|r| json!({ "id": r.id, "text": r.text, "standing": r.standing.name() })).collect::<Vec<_>>(),
        "user_tables": pack.user_tables().iter().map(|t| json!({ "id": t.id, "title": t.title, "where": t.place, "filled": t.filled, "results": t.results.iter().map(|r| &pack.results()[*r].id).collect::<Vec<_>>() })).collect::<Vec<_>>(),
    })
}

/// A ready unit.
fn template(pack: &Pack, template: &adjutant_pack::Template) -> Json {
    let kind = &pack.kinds()[template.kind];
    let has = template.has.iter().map(|(place, value)| (kind.has[*place].id.to_string(), json!(value.to_answer(pack.words()))));
    json!({
        "id": template.id, "title": template.title, "name": template.name, "note": template.note, "kind": kind.id,
        "has": has.collect::<Map<_, _>>(), "statuses": template.statuses.iter().map(|s| &pack.statuses()[*s].id).collect::<Vec<_>>(),
    })
}

/// A way to begin.
fn start(pack: &Pack, start: &adjutant_pack::Start) -> Json {
    let options = start.options.iter().map(|(o, value)| (pack.options()[*o].field.id.to_string(), json!(value.to_answer(pack.words()))));
    json!({
        "id": start.id, "title": start.title, "about": start.about,
        "sides": start.sides.iter().map(|s| json!({ "id": s.id, "title": s.title, "run_by_sheet": s.run_by_sheet })).collect::<Vec<_>>(),
        "options": options.collect::<Map<_, _>>(), "decks": if start.decks_per_side { "per_side" } else { "shared" },
        "units": start.units.iter().map(|u| json!({ "template": pack.templates()[u.template].id, "side": start.sides[u.side].id, "name": u.name, "group": u.group, "count": u.count })).collect::<Vec<_>>(),
        "due": start.due.iter().map(|d| &pack.charts()[d.chart].id).collect::<Vec<_>>(),
    })
}

fn with<const N: usize>(mut value: Json, more: [(&str, Json); N]) -> Json {
    if let Json::Object(map) = &mut value {
        map.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
    }
    value
}

fn field(field: &Field, name: &str) -> Json {
    let mut map = Map::new();
    map.insert("name".into(), json!(name));
    map.insert("label".into(), json!(field.label));
    map.insert("accepts".into(), json!(field.accepts));
    map.insert("default".into(), json!(field.default));
    if !field.note.is_empty() {
        map.insert("note".into(), json!(field.note));
    }
    Json::Object(map)
}

/// One chart.
pub fn chart(pack: &Pack, chart: &Chart) -> Json {
    let source = |source: FilledFrom| match source {
        FilledFrom::Situation => "situation",
        FilledFrom::Attribute(_) => "attribute",
        FilledFrom::Status(_) => "status",
    };
    let inputs: Vec<Json> = chart
        .inputs
        .iter()
        .map(|i| with(field(&i.field, &i.name), [("from", json!(source(i.source))), ("required", json!(i.field.default.is_none()))]))
        .collect();
    let mut value = json!({
        "id": chart.id, "title": chart.title, "about": chart.about, "notes": chart.notes,
        "needs_option": chart.needs_option.map(|o| &pack.options()[o].field.id),
        "who": chart.roles.iter().map(|r| (r.id.to_string(), json!(pack.kinds()[r.kind].id))).collect::<Map<_, _>>(),
        "each": chart.each.as_ref().map(|e| &chart.roles[e.role].id),
        "inputs": inputs,
        "questions": questions(pack, chart).iter().map(|q| json!({ "key": q.key, "prompt": q.prompt, "accepts": q.accepts })).collect::<Vec<_>>(),
        "steps": chart.steps.iter().map(|s| step(pack, s)).collect::<Vec<_>>(),
        "score": chart.read.score.as_ref().map(|f| &f.text),
        "columns": chart.read.column.as_ref().map(|c| c.ids.as_slice()),
        "rows": rows(pack, chart),
        "value": chart.read.value.as_ref().map(|f| &f.text),
        "unit": chart.read.unit,
        "also": chart.read.also.iter().map(|a| json!({ "when": a.when.as_ref().map(|w| &w.text), "result": pack.results()[chart.landings[a.landing].result].id })).collect::<Vec<_>>(),
        "user_table": chart.read.user_table.map(|t| &pack.user_tables()[t].id),
        "results": chart.results.iter().map(|r| json!({ "id": pack.results()[*r].id, "title": pack.results()[*r].title })).collect::<Vec<_>>(),
        "readings": chart.readings.iter().map(|r| &pack.readings()[*r].id).collect::<Vec<_>>(),
    });
    if chart.printed.is_some()
        && let Json::Object(map) = &mut value
    {
        let cells = printed_cells(pack, chart);
        let departs: Vec<Json> = cells
            .iter()
            .filter(|c| c.departs())
            .map(|c| json!({ "down": c.down, "across": c.across, "printed": c.printed, "computed": c.computed }))
            .collect();
        map.insert("printed".into(), json!({ "cells": cells.len(), "departs": departs.len(), "departures": departs }));
    }
    value
}

/// A chart or a fight in a list.
pub fn listed(kind: &str, (id, title, about): (&str, &str, &str), needs_option: Option<&str>) -> Json {
    json!({ "kind": kind, "id": id, "title": title, "about": about, "needs_option": needs_option })
}

/// The fights of a pack, to choose from.
pub fn fights(pack: &Pack) -> Vec<Json> {
    let opened_by = |fight: &Fight| opened_by(pack, fight.needs_option);
    pack.fights().iter().map(|fight| listed("fight", (&fight.id, &fight.title, &fight.about), opened_by(fight))).collect()
}

/// One fight.
pub fn fight(pack: &Pack, fight: &Fight) -> Json {
    let text = |formula: &Option<Formula>| formula.as_ref().map(|formula| formula.text.clone());
    let given = |chart: ChartId, with: &[(InputId, Formula)]| {
        let inputs = &pack.charts()[chart].inputs;
        with.iter().map(|(place, formula)| (inputs[*place].name.to_string(), json!(formula.text))).collect::<Map<_, _>>()
    };
    let action = |action: &Action| match action {
        Action::Throw(throw) => {
            let roles = &pack.charts()[throw.chart].roles;
            let who: Map<_, _> =
                roles.iter().zip(&throw.who).map(|(role, side)| (role.id.to_string(), json!(fight.sides[*side].id))).collect();
            json!({
                "chart": pack.charts()[throw.chart].id, "who": who, "each": throw.each.map(|role| &roles[role].id), "when": text(&throw.when),
                "prefer": throw.prefer.iter().map(|prefer| &prefer.text).collect::<Vec<_>>(), "with": given(throw.chart, &throw.with), "at_once": throw.at_once,
            })
        }
        Action::Lift { side, statuses, when } => json!({
            "lift": statuses.iter().map(|status| &pack.statuses()[*status].id).collect::<Vec<_>>(), "of": fight.sides[*side].id, "when": text(when),
        }),
    };
    json!({
        "id": fight.id, "title": fight.title, "about": fight.about, "notes": fight.notes,
        "needs_option": opened_by(pack, fight.needs_option),
        "sides": fight.sides.iter().map(|s| json!({ "id": s.id, "title": s.title, "unit": pack.kinds()[s.kind].id, "most": s.most, "out": text(&s.out) })).collect::<Vec<_>>(),
        "inputs": fight.inputs.iter().map(|i| with(field(&i.field, &i.name), [("required", json!(i.field.default.is_none() && i.matters)), ("matters", json!(i.matters))])).collect::<Vec<_>>(),
        "actions": fight.actions.iter().map(action).collect::<Vec<_>>(),
        "follow": fight.follow.iter().map(|f| json!({ "chart": pack.charts()[f.chart].id, "with": given(f.chart, &f.with) })).collect::<Vec<_>>(),
        "over": fight.ends.iter().map(|e| json!({ "id": e.id, "title": e.title, "when": text(&e.when), "result": e.result.map(|r| &pack.results()[r].id) })).collect::<Vec<_>>(),
    })
}

fn rows(pack: &Pack, chart: &Chart) -> Vec<Json> {
    let end = |end: Option<(adjutant_dice::Number, bool)>| end.map(|(n, belongs)| json!({ "at": n, "belongs": belongs }));
    let band = |band: Option<Band>| band.map(|b| json!({ "from": end(b.from), "to": end(b.to) }));
    let describe = |row: &adjutant_pack::Row| {
        let cells: Vec<Json> = row
            .cells
            .iter()
            .map(|cell| {
                let landing = cell.landing.map(|l| &chart.landings[l]);
                json!({
                    "result": landing.map(|l| &pack.results()[l.result].id),
                    "on": landing.and_then(|l| l.on).map(|role| &chart.roles[role].id),
                    "value": cell.value.as_ref().map(|f| &f.text),
                })
            })
            .collect();
        json!({ "says": row.shown, "band": band(row.band), "when": row.when.as_ref().map(|f| &f.text), "cells": cells })
    };
    chart.read.rows.iter().map(describe).collect()
}

fn step(pack: &Pack, step: &Step) -> Json {
    let (kind, what) = match &step.kind {
        StepKind::Throw(throw) => ("throw", throw.in_words()),
        StepKind::Draw(draw) => ("draw", pack.decks()[draw.deck].id.to_string()),
        StepKind::Ask(field) => ("ask", field.label.to_string()),
        StepKind::LookUp(look_up) => ("look_up", pack.charts()[look_up.chart].id.to_string()),
        StepKind::WorkOut(formula) => ("work_out", formula.text.to_string()),
    };
    let modifier = |m: &Modifier| {
        let kind = match m.amount {
            Amount::Plus(_) => "plus",
            Amount::Times(_) => "times",
            Amount::Dice(_) => "dice",
        };
        json!({ "label": m.label, "kind": kind, "amount": m.amount.formula().text, "when": m.when.as_ref().map(|w| &w.text), "best_of": m.best_of })
    };
    json!({
        "as": step.name, "title": step.title, "kind": kind, "what": what, "when": step.when.as_ref().map(|w| &w.text),
        "modifiers": step.add.iter().map(modifier).collect::<Vec<_>>(),
        "again": step.again.iter().map(|a| json!({ "when": a.when.text, "because": a.because, "reshuffle": a.reshuffle })).collect::<Vec<_>>(),
    })
}

/// A card as data.
pub fn card(pack: &Pack, sheet: &DeckSheet, number: u32) -> Json {
    let Some(card) = sheet.card(number) else { return Json::Null };
    let plain = |cell: Option<&CardCell>| match cell {
        None => Json::Null,
        Some(CardCell::Text(text)) => json!(text),
        Some(CardCell::Value(value)) => json!(value.to_answer(pack.words())),
    };
    let mut fields = Map::new();
    for field in &sheet.fields {
        let value = match field.kind {
            DeckFieldKind::Numbers { from, to } => {
                let row = (from..=to)
                    .map(|n| (n.to_string(), plain(card.cells.get(field.first_cell + (n - from) as usize).and_then(Option::as_ref))));
                Json::Object(row.collect())
            }
            _ => plain(card.cells.get(field.first_cell).and_then(Option::as_ref)),
        };
        fields.insert(field.id.to_string(), value);
    }
    json!({ "card": number, "title": card.title, "fields": fields })
}

/// The id of the option that opens a chart or a fight.
pub fn opened_by(pack: &Pack, option: Option<OptionId>) -> Option<&str> {
    option.map(|option| pack.options()[option].field.id.as_str())
}
