//! An account in words: the result first, the arithmetic under it, then what changes and what
//! follows.

use crate::paint::{DIM, HEAD, NAME, RESULT, Table, WARN, in_style, paragraph};
use adjutant_dice::Answer;
use adjutant_engine::{
    ModifierKind, ModifierLine, Resolution, ResultLine, RollKind, RollStep, Step,
};
use adjutant_pack::{Certainty, Pack};
use adjutant_wording::en::handful;
use anstyle::Style;

/// The whole account.
pub fn resolution(pack: &Pack, resolution: &Resolution) -> String {
    let mut out = headline(resolution);
    let bracketed =
        resolution.rolls().flat_map(|roll| &roll.modifiers).any(|modifier| !modifier.counted);
    let hint = if bracketed { "  (in brackets: did not count)" } else { "" };
    out.push_str(&format!(
        "{}\n",
        in_style(DIM, format!("{} – {}{hint}", pack.title(), resolution.title))
    ));
    out.push_str(&arithmetic(pack, resolution));
    out.push_str(&afterwards(pack, resolution));
    out
}

/// The result in one line, with what it means under it.
fn headline(resolution: &Resolution) -> String {
    let mut out = String::new();
    if resolution.members.len() > 1 {
        let mut table = Table::new(0);
        for member in &resolution.members {
            let result = member
                .result
                .as_ref()
                .map(|r| r.title.to_string())
                .or(member.value.map(|v| v.to_string()))
                .unwrap_or_default();
            let score = member.score.as_ref().map_or(String::new(), Answer::to_string);
            table.row([(member.name.to_string(), NAME), (result, RESULT), (score, DIM)]);
        }
        out.push_str(&table.print());
        let mut told = Vec::new();
        for result in resolution
            .members
            .iter()
            .filter_map(|member| member.result.as_ref())
            .filter(|result| !result.means.is_empty())
        {
            if !told.contains(&&result.id) {
                told.push(&result.id);
                out.push_str(&paragraph(
                    2,
                    Style::new(),
                    &format!("{}: {}", result.title, result.means),
                ));
            }
        }
        if !resolution.order.is_empty() {
            let order: Vec<String> =
                resolution.order.iter().map(|group| group.join(" and ")).collect();
            out.push_str(&format!("{} {}\n", in_style(HEAD, "Order:"), order.join(", then ")));
        }
    } else if let Some(result) = &resolution.result {
        out.push_str(&result_line(
            result,
            resolution.says.as_deref().or(resolution.value.map(|v| v.to_string()).as_deref()),
        ));
    } else if let Some(value) = resolution.value {
        out.push_str(&format!(
            "{}\n",
            in_style(RESULT, resolution.says.clone().unwrap_or(value.to_string()))
        ));
    }
    for also in &resolution.also {
        out.push_str(&format!("{} {}", in_style(HEAD, "Also:"), result_line(also, None)));
    }
    out
}

fn result_line(result: &ResultLine, value: Option<&str>) -> String {
    let mut line = in_style(RESULT, &result.title);
    if let Some(value) = value {
        line.push_str(&format!("  {}", in_style(HEAD, value)));
    }
    if let Some(on) = &result.on {
        line.push_str(&format!("  {}", in_style(NAME, format!("({on})"))));
    }
    if let Some(because) = &result.because {
        line.push_str(&format!("  {}", in_style(DIM, format!("– {because}"))));
    }
    line.push('\n');
    if !result.means.is_empty() {
        line.push_str(&paragraph(2, Style::new(), &result.means));
    }
    line
}

fn arithmetic(pack: &Pack, resolution: &Resolution) -> String {
    let chart = |id: &str| pack.chart(id).map_or(id.to_owned(), |chart| chart.title.to_string());
    let line = |step: &Step| match step {
        Step::Roll(roll) => {
            let inner = Some(chart(&roll.chart)).filter(|_| roll.chart != resolution.chart);
            roll_lines(roll, inner.as_deref())
        }
        Step::Answer(answered) => {
            format!("  {} {}\n", answered.prompt, in_style(HEAD, &answered.answer))
        }
        Step::LookUp(look_up) => format!(
            "  {} {}\n",
            in_style(DIM, format!("{}:", chart(&look_up.chart))),
            in_style(HEAD, look_up.found())
        ),
    };
    let mut out: String = resolution.steps.iter().map(|step| format!("\n{}", line(step))).collect();
    if resolution.score.is_some() || resolution.row.is_some() {
        let telling = pack.chart(&resolution.chart).is_none_or(|chart| !chart.read.by_conditions());
        let score = resolution
            .score
            .as_ref()
            .filter(|_| telling)
            .map_or(String::new(), |score| format!("score {}", in_style(HEAD, score)));
        let column = resolution.column.as_ref().map_or(String::new(), |column| {
            let head = column_head(pack, &resolution.chart, column);
            format!(", column {}", adjutant_wording::en::column_read(head, &resolution.shifts))
        });
        let row =
            resolution.row.as_ref().map_or(String::new(), |row| format!("row “{row}”{column}"));
        let parts: Vec<String> = [score, row].into_iter().filter(|part| !part.is_empty()).collect();
        out.push_str(&format!("\n  {}\n", parts.join(" → ")));
    }
    out
}

/// The heading of a column of a chart; its id if the chart has no such column.
pub fn column_head<'p>(pack: &'p Pack, chart: &str, id: &'p str) -> &'p str {
    let column = pack.chart(chart).and_then(|chart| chart.read.column.as_ref());
    let head = |column: &'p adjutant_pack::Column| {
        let mut heads = column.ids.iter().zip(column.heads.iter());
        heads.find(|(known, _)| *known == id).map(|(_, head)| head.as_str())
    };
    column.and_then(head).unwrap_or(id)
}

fn roll_lines(roll: &RollStep, inner: Option<&str>) -> String {
    let of = roll.of.as_ref().map_or(String::new(), |of| format!("{of}: "));
    let place = inner.map_or(String::new(), |chart| in_style(DIM, format!("  [{chart}]")));
    let mut out = format!("  {}{place}", in_style(HEAD, format!("{of}{}", roll.title)));
    let faces = handful::handful(roll)
        .unwrap_or_else(|| roll.faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
    match roll.kind {
        RollKind::Dice => out.push_str(&format!(
            "  {} → {}",
            roll.dice,
            in_style(HEAD, if faces.is_empty() { "no dice" } else { &faces })
        )),
        RollKind::Card if !roll.dice.is_empty() => out.push_str(&format!("  {}", roll.dice)),
        RollKind::Card if !roll.handful.is_empty() => {
            out.push_str(&format!("  {}", in_style(HEAD, &faces)));
        }
        RollKind::Card => {
            if let (Some(card), Some(title)) = (roll.cards.last(), roll.card_titles.last()) {
                out.push_str(&format!("  card {card}, {}", in_style(HEAD, title)));
            }
        }
        RollKind::Sum => {}
    }
    if let Some(kept) = roll.kept.as_ref().filter(|_| roll.handful.is_empty()) {
        out.push_str(&format!(
            ", counting {}",
            kept.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
        ));
    }
    if let Some(test) = &roll.test {
        out.push_str(&in_style(DIM, format!("  ({})", handful::die_test(test))));
    }
    if !roll.tallies.is_empty() {
        out.push_str(&format!("  {}", handful::tallies(roll)));
    }
    out.push('\n');
    let mut fields = Table::new(4);
    for field in &roll.card_fields {
        let shown = adjutant_wording::en::card_field(field);
        fields.row([(field.label.to_string(), DIM), (shown, Style::new())]);
    }
    out.push_str(&fields.print());
    for again in &roll.again {
        let faces = again.faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let what = again
            .card
            .map(|card| format!("card {card}: "))
            .or(Some(format!("{faces}: ")).filter(|_| !faces.is_empty()))
            .unwrap_or_default();
        let shuffle = if again.reshuffled { "; the deck is reshuffled" } else { "" };
        out.push_str(&format!(
            "    {}\n",
            in_style(WARN, format!("{what}{}{shuffle}", again.because))
        ));
    }
    let mut table = Table::new(4);
    let plain = roll.modifiers.is_empty()
        && roll.faces.len() <= 1
        && roll.test.is_none()
        && roll.kind == RollKind::Dice;
    if let Some(natural) = roll.natural.as_ref().filter(|_| !roll.modifiers.is_empty()) {
        let what = match roll.kind {
            RollKind::Dice if roll.test.is_some() => "dice that count",
            RollKind::Dice => "on the dice",
            RollKind::Card => "on the card",
            RollKind::Sum => "to begin with",
        };
        table.plain([natural.to_string(), what.to_owned()]);
    }
    for modifier in &roll.modifiers {
        modifier_row(
            &mut table,
            modifier,
            roll.dice.split_once('d').map_or("", |(_, sides)| sides),
        );
    }
    if let Some(total) = roll.total.as_ref().filter(|_| !plain) {
        table.row([(format!("= {total}"), HEAD), (String::new(), HEAD)]);
    }
    out.push_str(&table.print());
    out
}

fn modifier_row(table: &mut Table, modifier: &ModifierLine, sides: &str) {
    let value = match (modifier.value, modifier.kind) {
        (None, _) => "·".to_owned(),
        (Some(value), ModifierKind::Times) => format!("× {value}"),
        (Some(value), ModifierKind::Dice) => format!("{}d{sides}", value.signed()),
        (Some(value), _) => value.signed(),
    };
    match (modifier.counted, &modifier.because) {
        (true, _) => table.plain([value, modifier.label.to_string()]),
        (false, Some(because)) => table
            .row([(format!("({value})"), DIM), (format!("{}: {because}", modifier.label), DIM)]),
        (false, None) => {
            table.row([(format!("({value})"), DIM), (modifier.label.to_string(), DIM)])
        }
    }
}

fn afterwards(pack: &Pack, resolution: &Resolution) -> String {
    let mut table = Table::new(2);
    for effect in &resolution.effects {
        table.row([
            ("Effect".to_owned(), HEAD),
            (adjutant_wording::en::change(pack, effect), Style::new()),
        ]);
    }
    if resolution.lands_together {
        table.row([
            ("Together".to_owned(), HEAD),
            ("the results of simultaneous attacks are applied together".to_owned(), Style::new()),
        ]);
    }
    for next in &resolution.next {
        let with: Vec<String> =
            next.with.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let who: Vec<String> =
            next.who.iter().map(|(role, unit)| format!("{role}: {unit}")).collect();
        // Which units a test is for is best said by the pack's author.
        let said = pack.follow_up(next.rule).map(|rule| rule.text.as_str());
        let said = said.filter(|text| !text.is_empty() && next.others.is_some());
        let mut text = said.unwrap_or(&next.title).to_owned();
        if let (Some(others), None) = (&next.others, said) {
            let when = others.when.as_ref().map_or(String::new(), |when| format!(", where {when}"));
            let whom = adjutant_wording::en::page::parts::for_others(others.relation, &others.of);
            text.push_str(&format!(" {whom}{when}"));
        }
        for part in [who.join(", "), with.join(" ")].into_iter().filter(|part| !part.is_empty()) {
            text.push_str(&format!(" ({part})"));
        }
        if !next.why.is_empty() {
            text.push_str(&format!(" – {}", next.why));
        }
        table.row([
            (if next.now { "At once" } else { "Next" }.to_owned(), HEAD),
            (text, Style::new()),
        ]);
    }
    for option in &resolution.options {
        table.row([
            ("Option".to_owned(), DIM),
            (format!("{}: {} ({})", option.label, option.value, option.standing.name()), DIM),
        ]);
    }
    for reading in &resolution.readings {
        let word = match reading.standing {
            Certainty::Derived => "Derived",
            Certainty::Public => "Public",
            Certainty::House => "House",
            Certainty::Reading => "Reading",
        };
        table.row([(word.to_owned(), DIM), (reading.text.to_string(), DIM)]);
    }
    let text = table.print();
    if text.is_empty() { text } else { format!("\n{text}") }
}
