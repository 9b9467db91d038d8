//! A resolution as a player reads it: the result in one line, what it means, and the calculation
//! with every modifier, including those that did not count, because players look for them when a
//! result is surprising.

use super::dice;
use adjutant_dice::Answer;
use adjutant_engine::{
    ModifierKind, ModifierLine, Resolution, ResultLine, RollKind, RollStep, Step,
};
use adjutant_pack::{Harm, Pack, StepKind};
use adjutant_render::card::{self, POKER, Reading};
use adjutant_wording::en::handful;
use adjutant_wording::en::page::parts as words;
use maud::{Markup, PreEscaped, html};

/// The result in one line, for a list or a screen reader.
pub fn headline(resolution: &Resolution) -> String {
    if resolution.members.len() > 1 {
        // Units with the same result are named together.
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for member in &resolution.members {
            let result = member
                .result
                .as_ref()
                .map(|result| result.title.to_string())
                .or(member.value.map(|value| value.to_string()));
            let result = result.unwrap_or_default();
            match groups.iter_mut().find(|(known, _)| *known == result) {
                Some((_, names)) => names.push(&member.name),
                None => groups.push((result, vec![&member.name])),
            }
        }
        return groups
            .iter()
            .map(|(result, names)| format!("{}: {result}", names.join(", ")))
            .collect::<Vec<_>>()
            .join("; ");
    }
    let value = resolution.says.clone().or(resolution.value.map(|value| value.to_string()));
    match (&resolution.result, value) {
        (Some(result), Some(value)) => format!("{}, {value}", result.title),
        (Some(result), None) => result.title.to_string(),
        (None, Some(value)) => value,
        (None, None) => words::NOTHING_CAME.to_owned(),
    }
}

/// The whole resolution.
pub fn view(pack: &Pack, resolution: &Resolution) -> Markup {
    html! {
        (result(pack, resolution))
        (arithmetic(pack, resolution))
        (afterwards(pack, resolution))
    }
}

/// How bad the result is: `data-harm` of its line. Results of several units have none.
pub fn harm(pack: &Pack, resolution: &Resolution) -> Option<u8> {
    let result = resolution.result.as_ref().filter(|_| resolution.members.len() < 2)?;
    super::odds::harm(pack, &result.id).map(Harm::level)
}

/// The dice and cards of a result, to be seen beside it: the first few.
pub fn faces(pack: &Pack, resolution: &Resolution) -> Markup {
    const MOST: usize = 6;
    let rolls = || resolution.rolls().filter(|roll| roll.chart == resolution.chart);
    let dice = |roll: &RollStep| {
        let sides = roll.dice.rsplit_once('d').and_then(|(_, sides)| sides.parse().ok());
        sides.filter(|_| roll.handful.is_empty() && !roll.faces.is_empty())
    };
    let count: usize = rolls().filter(|roll| dice(roll).is_some()).map(|it| it.faces.len()).sum();
    html! {
        @if resolution.members.len() < 2 {
            div.result-faces aria-hidden="true" {
                @if count <= MOST { @for roll in rolls() { @if let Some(sides) = dice(roll) { (dice::row(&roll.faces, sides, roll.kept.as_deref())) } } }
                @for roll in rolls() { (card_face(pack, roll)) }
            }
        }
    }
}

/// The face of the card that was read last, with the field that was read marked.
fn card_face(pack: &Pack, roll: &RollStep) -> Markup {
    let drawn = || {
        let number = *roll.cards.last()?;
        let step = pack.chart(&roll.chart)?.steps.iter().find(|step| step.name == roll.name)?;
        let StepKind::Draw(draw) = &step.kind else { return None };
        let deck = pack.decks().get(draw.deck)?;
        let read = roll.card_fields.first();
        let field = read.and_then(|read| deck.fields.position(|field| field.label == read.label));
        let reading = field
            .map(|field| Reading { field, by: read.and_then(|read| read.by.first().copied()) });
        Some(card::front(pack, deck, number, POKER, reading).svg())
    };
    html! { @if let Some(svg) = drawn() { div.card.card-drawn { (PreEscaped(svg)) } } }
}

/// The result and what it means.
pub fn result(pack: &Pack, resolution: &Resolution) -> Markup {
    html! {
        div.result {
            @if resolution.members.len() < 2 { div.result-faces aria-hidden="true" { @for roll in resolution.rolls() { (card_face(pack, roll)) } } }
            p.result-line.result-long[resolution.members.len() > 1] #result tabindex="-1" data-harm=[harm(pack, resolution)] { (headline(resolution)) }
            @if let Some(result) = &resolution.result { (meaning(result)) }
            @for result in told_once(resolution) { p.result-means { b { (result.title) ": " } (result.means) } }
            @if !resolution.order.is_empty() {
                p.result-order { b { (words::ORDER) } " " (resolution.order.iter().map(|group| group.join(words::AND)).collect::<Vec<_>>().join(words::THEN)) }
            }
            @for also in &resolution.also { p.result-also { b { (words::also(&also.title, None)) } @if !also.means.is_empty() { " – " (also.means) } } }
        }
    }
}

/// The results of several units that have a meaning, each once.
fn told_once(resolution: &Resolution) -> Vec<&ResultLine> {
    let mut shown: Vec<&ResultLine> = Vec::new();
    for result in resolution
        .members
        .iter()
        .filter(|_| resolution.members.len() > 1)
        .filter_map(|member| member.result.as_ref())
    {
        if !result.means.is_empty() && !shown.iter().any(|known| known.id == result.id) {
            shown.push(result);
        }
    }
    shown
}

fn meaning(result: &ResultLine) -> Markup {
    html! {
        @if let Some(on) = &result.on { p.result-on { (words::lands_on(on)) } }
        @if let Some(because) = &result.because { p.result-because { (because) } }
        @if !result.means.is_empty() { p.result-means { (result.means) } }
    }
}

/// Every roll, answer and look-up in order, and how the score was read.
pub fn arithmetic(pack: &Pack, resolution: &Resolution) -> Markup {
    let title = |id: &str| pack.chart(id).map_or(id.to_owned(), |chart| chart.title.to_string());
    let step_view = |step: &Step| match step {
        Step::Roll(roll) => {
            roll_view(roll, (roll.chart != resolution.chart).then(|| title(&roll.chart)))
        }
        Step::Answer(answer) => html! { p.said { (answer.prompt) " " b { (answer.answer) } } },
        Step::LookUp(look_up) => {
            html! { p.said { (title(&look_up.chart)) ": " b { (look_up.found()) } } }
        }
    };
    let head = |id: &str| {
        let column = pack.chart(&resolution.chart).and_then(|chart| chart.read.column.as_ref());
        column
            .and_then(|column| column.heads.get(column.ids.position(|known| known == id)?))
            .cloned()
            .unwrap_or_else(|| id.to_owned())
    };
    // A row that always applies is not worth a line.
    let row = resolution.row.as_ref().filter(|row| **row != adjutant_pack::ALWAYS);
    let scored = pack.chart(&resolution.chart).is_none_or(|chart| !chart.read.by_conditions());
    html! {
        div.arithmetic {
            @for step in &resolution.steps { (step_view(step)) }
            @if (scored && resolution.score.is_some()) || row.is_some() || resolution.column.is_some() {
                p.reading-line {
                    @if let Some(score) = resolution.score.as_ref().filter(|_| scored) { (words::SCORE) " " b { (score) } }
                    @if let Some(row) = row { @if scored { ": " } (row) }
                    @if let Some(column) = &resolution.column { @if row.is_some() { " · " } @else if scored { ": " } (adjutant_wording::en::column_read(&head(column), &resolution.shifts)) }
                }
            }
            @if let Some(chart) = pack.chart(&resolution.chart).filter(|chart| chart.read.from_file) {
                @if let Some(cell) = super::chart_table::cell_read(chart, resolution) { (super::chart_table::rows_read(pack, chart, cell)) }
            }
        }
    }
}

fn roll_view(roll: &RollStep, inner: Option<String>) -> Markup {
    let sides = roll.dice.split_once('d').and_then(|(_, sides)| sides.parse().ok()).unwrap_or(6);
    let plain = roll.modifiers.is_empty()
        && roll.faces.len() <= 1
        && roll.test.is_none()
        && roll.kind == RollKind::Dice;
    html! {
        section.roll {
            h4.roll-title {
                @if let Some(of) = &roll.of { (of) ": " }
                (roll.title)
                @if let Some(inner) = inner { " " span.roll-inner { (inner) } }
                @if roll.kind == RollKind::Dice { " " span.roll-dice { (roll.dice) } }
            }
            @match roll.kind {
                RollKind::Dice => {
                    @if roll.faces.is_empty() { p.said { (words::NO_DICE) } }
                    @else if !roll.handful.is_empty() {
                        span.dice { @for die in &roll.handful { span.die-named.die-dropped[die.dropped] { (handful::die(die)) } } }
                        @if !roll.tallies.is_empty() { p.roll-test { (handful::tallies(roll)) } }
                    } @else { (dice::row(&roll.faces, sides, roll.kept.as_deref())) }
                },
                RollKind::Card if !roll.dice.is_empty() => p.said { (roll.dice) },
                RollKind::Card if !roll.handful.is_empty() => {
                    span.dice { @for card in &roll.handful { span.die-named.die-dropped[card.dropped] { (handful::die(card)) } } }
                    @if !roll.tallies.is_empty() { p.roll-test { (handful::tallies(roll)) } }
                },
                RollKind::Card => {
                    @if let (Some(card), Some(title)) = (roll.cards.last(), roll.card_titles.last()) { p.said { (words::card(*card)) " " b { (title) } } }
                    @for field in &roll.card_fields { p.roll-test { (field.label) ": " (adjutant_wording::en::card_field(field)) } }
                },
                RollKind::Sum => {},
            }
            @if let Some(test) = &roll.test { p.roll-test { (handful::die_test(test)) } }
            @for again in &roll.again {
                p.roll-again {
                    @if let Some(card) = again.card { (words::card(card)) ": " } @else if !again.faces.is_empty() { (dice::row(&again.faces, sides, None)) " " }
                    (again.because) @if again.reshuffled { "; " (words::RESHUFFLED) }
                }
            }
            @if !roll.modifiers.is_empty() {
                table.sum {
                    @if let Some(natural) = &roll.natural { tr { td.sum-n { (natural) } td { (words::natural(roll.kind, roll.test.is_some())) } } }
                    @for modifier in roll.modifiers.iter().filter(|modifier| modifier.counted) { (modifier_row(modifier, sides)) }
                    @if let Some(total) = &roll.total { (total_row(total)) }
                }
                (not_applied(&roll.modifiers, sides))
            } @else if let Some(total) = roll.total.as_ref().filter(|_| !plain) { table.sum { (total_row(total)) } }
        }
    }
}

/// The modifiers that did not apply, out of the way.
fn not_applied(modifiers: &[ModifierLine], sides: u32) -> Markup {
    let others = || modifiers.iter().filter(|modifier| !modifier.counted);
    html! {
        @if others().next().is_some() {
            details.not-applied {
                summary { (words::not_applied(others().count())) }
                table.sum { @for modifier in others() { (modifier_row(modifier, sides)) } }
            }
        }
    }
}

fn total_row(total: &Answer) -> Markup {
    html! { tr.sum-total { td.sum-n { (total) } td { (words::TOTAL) } } }
}

fn modifier_row(modifier: &ModifierLine, sides: u32) -> Markup {
    let value = match (modifier.value, modifier.kind) {
        (None, _) => "·".to_owned(),
        (Some(value), ModifierKind::Times) => format!("× {value}"),
        (Some(value), ModifierKind::Dice) => format!("{}d{sides}", value.signed()),
        (Some(value), _) => value.signed(),
    };
    html! {
        tr.sum-out[!modifier.counted] {
            td.sum-n { (value) }
            td {
                (modifier.label)
                @if let Some(because) = modifier.because.as_deref().filter(|_| !modifier.counted) { " " span.sum-why { (because) } }
            }
        }
    }
}

/// What changes, what follows, and the rules behind the result.
pub fn afterwards(pack: &Pack, resolution: &Resolution) -> Markup {
    html! {
        @if !resolution.effects.is_empty() || resolution.lands_together {
            ul.effects {
                @for effect in &resolution.effects { li { (adjutant_wording::en::change(pack, effect)) } }
                @if resolution.lands_together { li { (words::TOGETHER) } }
            }
        }
        @if !resolution.next.is_empty() {
            ul.follows {
                @for next in &resolution.next {
                    li {
                        b { (if next.now { words::AT_ONCE } else { words::NEXT }) } " " (next.title)
                        @if let Some(others) = &next.others { " " (words::for_others(others.relation, &others.of)) }
                        @if !next.why.is_empty() { " – " (next.why) }
                    }
                }
            }
        }
        @if !resolution.options.is_empty() || !resolution.readings.is_empty() {
            details.rests-on {
                summary { (words::RESTS_ON) }
                @for option in &resolution.options { p { (words::OPTION) " " (option.label) ": " b { (option.value) } " (" (option.standing.name()) ")" } }
                @for reading in &resolution.readings { p { i { (reading.standing.name()) ": " } (reading.text) } }
            }
        }
    }
}
