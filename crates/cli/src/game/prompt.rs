//! What a play still needs, asked in the terminal: units are chosen from lists, circumstances
//! ticked.

use super::names::label;
use super::view;
use crate::ask::{self, not_asked};
use crate::error::Said;
use adjutant_dice::{Accepts, Answer, Wanted};
use adjutant_game::{PlayRequest, Table, Unit};
use adjutant_pack::{Chart, FilledFrom, RoleId};
use adjutant_wording::en;
use inquire::{MultiSelect, Select};

/// Which unit takes a role; no unit is a choice too.
pub fn role(
    table: &Table,
    chart: &Chart,
    role: RoleId,
    play: &mut PlayRequest,
) -> anyhow::Result<()> {
    let id = &chart.roles[role].id;
    let taken = |unit: &&Unit| play.units.values().flatten().any(|known| *known == unit.id);
    let (who, given) = (table.taking_part(play), table.answers(play));
    let units: Vec<&Unit> = table
        .state()
        .here()
        .filter(|unit| table.can_take(chart, role, unit, &who) && !taken(unit))
        .filter(|unit| !table.is_of_other_side(play.pending.as_ref(), id, unit))
        .filter(|unit| play.anyway || table.ruled_out_by(chart, role, unit, &given).is_none())
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
    let chosen: Vec<usize> = if chart.each.as_ref().is_some_and(|each| each.role == role) {
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
    if !ids.is_empty() {
        play.units.insert(id.to_string(), ids);
    }
    Ok(())
}

/// What is to be said of the situation: for all, and for each of several.
pub fn situation(
    table: &Table,
    by: &str,
    chart: &Chart,
    play: &mut PlayRequest,
) -> anyhow::Result<()> {
    let mut situation = table
        .situation_for(by, play)
        .map_err(|error| anyhow::Error::msg(en::play_error(&error)))?;
    let several = situation.members().count() > 0;
    let each = chart.each.as_ref().map(|each| each.role).filter(|_| several);
    let before = situation.given_inputs();
    ask::fill_in_but(&mut situation, |place| each.is_some() && chart.inputs[place].role == each)?;
    for (name, answer) in situation.given_inputs() {
        if !before.iter().any(|(known, _)| *known == name) {
            play.given.insert(name.to_string(), answer.to_string());
        }
    }
    if each.is_some() {
        of_each(table, by, chart, play)?;
    }
    Ok(())
}

/// The circumstances of each of several units, as one list to tick; then what they still lack.
fn of_each(table: &Table, by: &str, chart: &Chart, play: &mut PlayRequest) -> anyhow::Result<()> {
    let situation = table
        .situation_for(by, play)
        .map_err(|error| anyhow::Error::msg(en::play_error(&error)))?;
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
            if !play.given.contains_key(&key) && !play.given.contains_key(input.name.as_str()) {
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
                play.given.insert(key.clone(), if yes { "yes" } else { "no" }.to_owned());
            }
        }
    }
    let situation = table
        .situation_for(by, play)
        .map_err(|error| anyhow::Error::msg(en::play_error(&error)))?;
    for need in adjutant_engine::needs(&situation) {
        if let Wanted::Input { accepts } = &need.wanted {
            let of = need
                .key
                .split('.')
                .nth(1)
                .filter(|member| members.iter().any(|known| known == member))
                .map(name);
            let label = of.map_or(need.what_for.clone(), |of| format!("{of}: {}", need.what_for));
            play.given.insert(
                need.key.clone(),
                ask::one(&label, "", accepts, None).map_err(not_asked).said()?,
            );
        }
    }
    Ok(())
}
