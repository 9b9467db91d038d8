//! A resolution as a player reads it: the result in one line, what it means, and the calculation
//! with every modifier, including those that did not count, because players look for them when a
//! result is surprising.

use super::dice;
use adjutant_dice::Answer;
use adjutant_engine::{ModifierKind, ModifierLine, Resolution, ResultLine, RollKind, RollStep};
use adjutant_pack::Pack;
use adjutant_wording::en::page::parts as words;
use maud::{Markup, html};

/// The result in one line, for a list or a screen reader.
pub fn headline(account: &Resolution) -> String {
    if account.members.len() > 1 {
        // Units with the same result are named together.
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for member in &account.members {
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
    let value = account.says.clone().or(account.value.map(|value| value.to_string()));
    match (&account.result, value) {
        (Some(result), Some(value)) => format!("{}, {value}", result.title),
        (Some(result), None) => result.title.to_string(),
        (None, Some(value)) => value,
        (None, None) => words::NOTHING_CAME.to_owned(),
    }
}

/// The whole resolution.
pub fn view(pack: &Pack, account: &Resolution) -> Markup {
    html! {
        (result(account))
        (arithmetic(pack, account))
        (afterwards(pack, account))
    }
}

/// The result and what it means.
pub fn result(account: &Resolution) -> Markup {
    html! {
        div.result {
            p.result-line.result-long[account.members.len() > 1] #result tabindex="-1" { (headline(account)) }
            @if let Some(result) = &account.result { (meaning(result)) }
            @for result in told_once(account) { p.result-means { b { (result.title) ": " } (result.means) } }
            @if !account.order.is_empty() {
                p.result-order { b { (words::ORDER) } " " (account.order.iter().map(|group| group.join(words::AND)).collect::<Vec<_>>().join(words::THEN)) }
            }
            @for also in &account.also { p.result-also { b { (words::also(&also.title, None)) } @if !also.means.is_empty() { " – " (also.means) } } }
        }
    }
}

/// The results of several units that have a meaning, each once.
fn told_once(account: &Resolution) -> Vec<&ResultLine> {
    let mut shown: Vec<&ResultLine> = Vec::new();
    for result in account
        .members
        .iter()
        .filter(|_| account.members.len() > 1)
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
pub fn arithmetic(pack: &Pack, account: &Resolution) -> Markup {
    let title = |id: &str| pack.chart(id).map_or(id.to_owned(), |chart| chart.title.to_string());
    let throws = account.throws.iter().map(|throw| {
        (throw.at, throw_view(throw, (throw.chart != account.chart).then(|| title(&throw.chart))))
    });
    let answers = account
        .answers
        .iter()
        .map(|answer| (answer.at, html! { p.said { (answer.prompt) " " b { (answer.answer) } } }));
    let look_ups = account.look_ups.iter().map(|look_up| {
        let found = [look_up.title.as_ref().map(ToString::to_string), look_up.value.map(|value| value.to_string())];
        (look_up.at, html! { p.said { (title(&look_up.chart)) ": " b { (found.into_iter().flatten().collect::<Vec<_>>().join(", ")) } } })
    });
    let mut lines: Vec<(u32, Markup)> = throws.chain(answers).chain(look_ups).collect();
    lines.sort_by_key(|(at, _)| *at);
    let head = |id: &str| {
        let column = pack.chart(&account.chart).and_then(|chart| chart.read.column.as_ref());
        column
            .and_then(|column| column.heads.get(column.ids.position(|known| known == id)?))
            .cloned()
            .unwrap_or_else(|| id.to_owned())
    };
    // A row that always applies is not worth a line.
    let row = account.row.as_ref().filter(|row| **row != adjutant_pack::ALWAYS);
    let scored = pack.chart(&account.chart).is_none_or(|chart| !chart.read.by_conditions());
    html! {
        div.arithmetic {
            @for (_, line) in lines { (line) }
            @if (scored && account.score.is_some()) || row.is_some() || account.column.is_some() {
                p.reading-line {
                    @if let Some(score) = account.score.as_ref().filter(|_| scored) { (words::SCORE) " " b { (score) } }
                    @if let Some(row) = row { @if scored { " → " } (words::ROW) " “" (row) "”" }
                    @if let Some(column) = &account.column { @if row.is_some() { ", " } @else if scored { " → " } (words::COLUMN) " “" (head(column)) "”" }
                }
            }
        }
    }
}

fn throw_view(throw: &RollStep, inner: Option<String>) -> Markup {
    let sides = throw.dice.split_once('d').and_then(|(_, sides)| sides.parse().ok()).unwrap_or(6);
    let plain = throw.modifiers.is_empty()
        && throw.faces.len() <= 1
        && throw.test.is_none()
        && throw.kind == RollKind::Dice;
    html! {
        section.throw {
            h4.throw-title {
                @if let Some(of) = &throw.of { (of) ": " }
                (throw.title)
                @if let Some(inner) = inner { " " span.throw-inner { (inner) } }
                @if throw.kind == RollKind::Dice { " " span.throw-dice { (throw.dice) } }
            }
            @match throw.kind {
                RollKind::Dice => {
                    @if throw.faces.is_empty() { p.said { (words::NO_DICE) } } @else { (dice::row(&throw.faces, sides, throw.kept.as_deref())) }
                },
                RollKind::Card => {
                    @if let (Some(card), Some(title)) = (throw.cards.last(), throw.card_titles.last()) { p.said { (words::card(*card)) " " b { (title) } } }
                },
                RollKind::Sum => {},
            }
            @if let Some(test) = &throw.test { p.throw-test { (test) } }
            @for again in &throw.again {
                p.throw-again {
                    @if let Some(card) = again.card { (words::card(card)) ": " } @else if !again.faces.is_empty() { (dice::row(&again.faces, sides, None)) " " }
                    (again.because) @if again.reshuffled { "; " (words::RESHUFFLED) }
                }
            }
            @if !throw.modifiers.is_empty() {
                table.sum {
                    @if let Some(natural) = &throw.natural { tr { td.sum-n { (natural) } td { (words::natural(throw.kind, throw.test.is_some())) } } }
                    @for modifier in &throw.modifiers { (modifier_row(modifier, sides)) }
                    @if let Some(total) = &throw.total { (total_row(total)) }
                }
            } @else if let Some(total) = throw.total.as_ref().filter(|_| !plain) { table.sum { (total_row(total)) } }
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
                @if !modifier.counted { " " span.sum-why { (modifier.because.as_deref().unwrap_or(words::DID_NOT_COUNT)) } }
            }
        }
    }
}

/// What changes, what follows, and the rules behind the result.
pub fn afterwards(pack: &Pack, account: &Resolution) -> Markup {
    html! {
        @if !account.effects.is_empty() || account.lands_together {
            ul.effects {
                @for effect in &account.effects { li { (adjutant_wording::en::change(pack, effect)) } }
                @if account.lands_together { li { (words::TOGETHER) } }
            }
        }
        @if !account.next.is_empty() {
            ul.follows {
                @for next in &account.next {
                    li {
                        b { (if next.now { words::AT_ONCE } else { words::NEXT }) } " " (next.title)
                        @if let Some(others) = &next.others { " " (words::for_others(others.relation, &others.of)) }
                        @if !next.why.is_empty() { " – " (next.why) }
                    }
                }
            }
        }
        @if !account.options.is_empty() || !account.readings.is_empty() {
            details.rests-on {
                summary { (words::RESTS_ON) }
                @for option in &account.options { p { (words::OPTION) " " (option.label) ": " b { (option.value) } " (" (option.standing.name()) ")" } }
                @for reading in &account.readings { p { i { (reading.standing.name()) ": " } (reading.text) } }
            }
        }
    }
}
