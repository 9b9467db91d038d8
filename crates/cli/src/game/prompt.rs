//! What a play still needs, asked in the terminal: units are chosen from lists, circumstances
//! ticked.

use super::names::label;
use super::view;
use crate::ask::{self, not_asked};
use crate::error::Said;
use adjutant_dice::{Accepts, Answer, Wanted};
use adjutant_engine::Situation;
use adjutant_game::{Attempt, Move, Table, Unit};
use adjutant_pack::{Chart, FilledFrom, RoleId};
use adjutant_wording::en;
use inquire::{MultiSelect, Select};

/// Asks for the units of all roles that wait for one.
pub fn roles(table: &Table, by: &str, attempt: &mut Attempt) -> anyhow::Result<()> {
    let view = attempt.view(table, by);
    let waiting: Vec<RoleId> =
        view.iter().flat_map(|view| view.waiting().map(|role| role.place)).collect();
    let Some(chart) = view.map(|view| view.chart) else { return Ok(()) };
    waiting.into_iter().try_for_each(|place| role(table, chart, place, attempt))
}

/// Asks which unit takes a role; no unit is a choice too.
fn role(table: &Table, chart: &Chart, role: RoleId, attempt: &mut Attempt) -> anyhow::Result<()> {
    let id = &chart.roles[role].id;
    let anyway = attempt.request().anyway;
    let candidates = attempt.candidates(table, role).into_iter();
    let units: Vec<&Unit> = candidates
        .filter(|candidate| anyway || candidate.ruled_out.is_none())
        .map(|candidate| candidate.unit)
        .collect();
    if units.is_empty() {
        return Ok(());
    }
    let shown = |unit: &&Unit| {
        let place = if unit.group.is_empty() { String::new() } else { format!("  {}", unit.group) };
        let state = view::statuses(table, unit);
        format!(
            "{}{place}{}",
            label(table, unit),
            if state.is_empty() { state } else { format!("  {state}") }
        )
    };
    let mut labels: Vec<String> = units.iter().map(shown).collect();
    let chosen: Vec<usize> = if chart.is_for_each(role) {
        let prompt = format!("{} – {id}: who takes part?", chart.title);
        let asked = MultiSelect::new(&prompt, labels)
            .with_help_message("space ticks, enter goes on, type to search");
        asked
            .raw_prompt()
            .map_err(not_asked)
            .said()?
            .into_iter()
            .map(|choice| choice.index)
            .collect()
    } else {
        labels.push("– no unit on the roster –".into());
        let prompt = format!("{} – {id}:", chart.title);
        vec![
            Select::new(&prompt, labels)
                .with_help_message("arrow keys, or type a part of the name")
                .raw_prompt()
                .map_err(not_asked)
                .said()?
                .index,
        ]
    };
    let ids: Vec<String> =
        chosen.iter().filter_map(|place| units.get(*place)).map(|unit| unit.id.clone()).collect();
    let role = id.to_string();
    let step = match ids.is_empty() {
        true => Move::Unlisted { role },
        false => Move::Units { role, units: ids },
    };
    make(table, attempt, step)
}

fn make(table: &Table, attempt: &mut Attempt, step: Move) -> anyhow::Result<()> {
    attempt.make(table, step).map_err(|why| anyhow::Error::msg(en::move_error(&why)))
}

/// Gives an input a value.
fn set(table: &Table, attempt: &mut Attempt, name: &str, value: String) -> anyhow::Result<()> {
    make(table, attempt, Move::Set { name: name.to_owned(), value })
}

/// The situation as far as it is known.
fn known<'t>(table: &'t Table, by: &str, attempt: &Attempt) -> anyhow::Result<Situation<'t>> {
    table
        .situation_for(by, attempt.request())
        .map_err(|error| anyhow::Error::msg(en::play_error(&error)))
}

/// What is to be said of the situation: for all, and for each of several.
pub fn situation(
    table: &Table,
    by: &str,
    chart: &Chart,
    attempt: &mut Attempt,
) -> anyhow::Result<()> {
    let mut situation = known(table, by, attempt)?;
    let several = situation.members().count() > 0;
    let each = chart.each.as_ref().map(|each| each.role).filter(|_| several);
    let before = situation.given_inputs();
    ask::fill_in_but(&mut situation, |place| each.is_some() && chart.inputs[place].role == each)?;
    for (name, answer) in situation.given_inputs() {
        if !before.iter().any(|(known, _)| *known == name) {
            set(table, attempt, &name, answer.to_string())?;
        }
    }
    if each.is_some() {
        of_each(table, by, chart, attempt)?;
    }
    Ok(())
}

/// The circumstances of each of several units, as one list to tick; then what they still lack.
fn of_each(table: &Table, by: &str, chart: &Chart, attempt: &mut Attempt) -> anyhow::Result<()> {
    let situation = known(table, by, attempt)?;
    let each = chart.each.as_ref().map(|each| each.role);
    let members: Vec<String> = situation.members().map(str::to_owned).collect();
    let name = |member: &str| {
        table.state().unit(member).map_or_else(|| member.to_owned(), |unit| unit.name.clone())
    };
    let ticks = chart.inputs.iter().filter(|input| {
        input.role == each
            && input.source == FilledFrom::Situation
            && input.field.accepts == Accepts::YesNo
    });
    let mut boxes: Vec<(String, String, bool)> = Vec::new();
    for input in ticks {
        for member in &members {
            let Some((role, id)) = input.name.split_once('.') else { continue };
            let key = format!("{role}.{member}.{id}");
            let given = &attempt.request().given;
            if !given.contains_key(&key) && !given.contains_key(input.name.as_str()) {
                let yes = input.field.default == Some(Answer::YesNo(true));
                boxes.push((key, format!("{}: {}", name(member), input.field.label), yes));
            }
        }
    }
    if !boxes.is_empty() {
        let labels: Vec<&str> = boxes.iter().map(|(_, label, _)| label.as_str()).collect();
        let start: Vec<usize> = (0..boxes.len()).filter(|place| boxes[*place].2).collect();
        let asked = MultiSelect::new("Which of these hold?", labels).with_default(&start);
        let ticked = asked
            .with_help_message("space ticks, enter goes on, type to search")
            .raw_prompt()
            .map_err(not_asked)
            .said()?;
        for (place, (key, _, default)) in boxes.iter().enumerate() {
            let yes = ticked.iter().any(|choice| choice.index == place);
            if yes != *default {
                set(table, attempt, key, if yes { "yes" } else { "no" }.to_owned())?;
            }
        }
    }
    let situation = known(table, by, attempt)?;
    for need in adjutant_engine::needs(&situation) {
        if let Wanted::Input { accepts } = &need.wanted {
            let of = need
                .key
                .split('.')
                .nth(1)
                .filter(|member| members.iter().any(|known| known == member))
                .map(name);
            let label = of.map_or(need.what_for.clone(), |of| format!("{of}: {}", need.what_for));
            let value = ask::one(&label, "", accepts, None).map_err(not_asked).said()?;
            set(table, attempt, &need.key, value)?;
        }
    }
    Ok(())
}
