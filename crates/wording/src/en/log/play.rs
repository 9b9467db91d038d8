//! A roll: who takes part, what was entered, the dice, the result.

use super::Words;
use adjutant_dice::{RecordedInput, ThrownBy};
use adjutant_game::{
    PlayRecord, PlayRequest, Unapplied, UnfinishedRoll, UnitsByRole, Values, unit_of_member,
};
use adjutant_pack::{Chart, Value};

impl Words<'_> {
    pub(super) fn play(&self, by: &str, played: &PlayRecord) -> String {
        let chart = self.pack.chart(&played.request.chart);
        let title = chart.map_or(played.request.chart.as_str(), |chart| &chart.title);
        // A called roll is described as the roll of the player who called it.
        let by = self.circle.call.as_ref().map_or(by, |call| call.by.as_str());
        let mut told = format!(
            "{by}: {title}{}.{}",
            self.taking_part(&played.request, chart),
            self.anyway(&played.request)
        );
        let given = chart.map(|chart| self.given(chart, &played.request.given)).unwrap_or_default();
        if !given.is_empty() {
            told += &format!(" {given}.");
        }
        told += &self.inputs(played);
        told += &self.outcome(played);
        told += &self.not_applied(played);
        if played.held {
            told += " The results wait for the other simultaneous attacks.";
        } else {
            told += &self.effects(&played.effects, Some(played));
        }
        if !played.appear.is_empty() {
            told += &self.appear(&played.appear);
        }
        if !played.held {
            told += &self.falls_due(&played.next);
            told += &self.lapsed(played.request.pending.as_ref());
        }
        told
    }

    /// A roll that stopped before its end.
    pub(super) fn unfinished(&self, by: &str, roll: &UnfinishedRoll) -> String {
        let chart = self.pack.chart(&roll.request.chart);
        let title = chart.map_or(roll.request.chart.as_str(), |chart| &chart.title);
        let taking_part = self.taking_part(&roll.request, chart);
        let cards: Vec<String> = roll
            .inputs
            .iter()
            .filter_map(RecordedInput::card)
            .map(|card| card.to_string())
            .collect();
        let cards = match cards.as_slice() {
            [] => String::new(),
            [card] => format!(" Card {card}."),
            cards => format!(" Cards {}.", cards.join(", ")),
        };
        let came = dice(&roll.inputs) + &cards;
        let then = match roll.broken_off {
            true => "The roll was broken off.",
            false => "The roll waits for an answer.",
        };
        format!("{by}: {title}{taking_part}.{came} {then}")
    }

    /// The units that the player allowed although they were ruled out.
    pub fn anyway(&self, play: &PlayRequest) -> String {
        if !play.anyway {
            return String::new();
        }
        format!(" {}.", crate::en::allowed_anyway(self.pack, self.before, play))
    }

    /// The units of a play, and those that the player left out.
    pub fn taking_part(&self, play: &PlayRequest, chart: Option<&Chart>) -> String {
        let who = self.who(&play.units, chart);
        match play.left_out.as_slice() {
            [] => who,
            left_out => format!("{who}, without {}", self.names(left_out)),
        }
    }

    pub fn who(&self, who: &UnitsByRole, chart: Option<&Chart>) -> String {
        let roles: Vec<&str> = chart
            .map(|chart| chart.roles.iter().map(|role| role.id.as_str()).collect())
            .unwrap_or_default();
        let taken: Vec<(&str, String)> =
            roles.iter().filter_map(|role| Some((*role, self.names(who.get(*role)?)))).collect();
        match taken.as_slice() {
            [] => String::new(),
            [(_, name)] if roles.len() == 1 => format!(" – {name}"),
            taken => {
                let kind = |role: &str| {
                    chart.and_then(|chart| {
                        Some(self.pack.kinds()[chart.roles[chart.role(role)?].kind].id.as_str())
                    })
                };
                let label = |(role, name): &(&str, String)| match kind(role) == Some(*role) {
                    true => name.clone(),
                    false => format!("{} {name}", role.replace('_', " ")),
                };
                format!(" – {}", taken.iter().map(label).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The inputs that the player gave: a tick by its label, others with their values.
    pub fn given(&self, chart: &Chart, given: &Values) -> String {
        let told = given.iter().filter_map(|(name, value)| {
            let (common, of) = match (name.split('.').collect::<Vec<_>>().as_slice(), &chart.each) {
                ([role, member, id], Some(_)) => {
                    (format!("{role}.{id}"), Some(self.name(unit_of_member(member))))
                }
                _ => (name.clone(), None),
            };
            let input = chart.input(&common)?;
            let label = input.field.label.as_str();
            let said = match input.field.accepts.read(value).ok()? {
                adjutant_dice::Answer::YesNo(true) => label.to_owned(),
                adjutant_dice::Answer::YesNo(false)
                    if input.field.start.is_some_and(Value::is_yes) =>
                {
                    format!("not: {label}")
                }
                adjutant_dice::Answer::YesNo(false) => return None,
                adjutant_dice::Answer::Choice(word) => {
                    let words = input.field.accepts.words().unwrap_or(&[]);
                    format!(
                        "{label}: {}",
                        words
                            .iter()
                            .find(|known| known.id == word)
                            .map_or(word.as_str(), |known| &known.label)
                    )
                }
                adjutant_dice::Answer::Number(number) => format!("{label}: {number}"),
            };
            Some(of.map_or(said.clone(), |of| format!("{of}: {said}")))
        });
        told.collect::<Vec<_>>().join("; ")
    }

    pub fn inputs(&self, played: &PlayRecord) -> String {
        let mut told = dice(&played.inputs);
        let cards: Vec<&RecordedInput> =
            played.inputs.iter().filter(|input| input.card().is_some()).collect();
        for drawn in &played.cards {
            let title = self.deck_title(&drawn.deck, drawn.side.as_ref());
            if drawn.reshuffled {
                told += &format!(" The {title} is reshuffled.");
            }
            if !drawn.took.is_empty() {
                let from = drawn
                    .side
                    .as_ref()
                    .map(|side| format!(" from the deck of {side}"))
                    .unwrap_or_default();
                let how = if all(&cards, ThrownBy::Sealed) {
                    " (sealed)".into()
                } else {
                    real(&cards, "real cards")
                };
                told += &self.drawn(drawn, &from, &how);
            }
        }
        let answers: Vec<&str> = played.inputs.iter().filter_map(RecordedInput::answer).collect();
        if !answers.is_empty() {
            told += &format!(" Answered: {}.", answers.join(", "));
        }
        told
    }

    pub fn outcome(&self, played: &PlayRecord) -> String {
        let several =
            played.results.len() > 1 || played.request.units.values().any(|units| units.len() > 1);
        let mut told = String::new();
        for found in &played.results {
            let on = if found.on.is_empty() {
                String::new()
            } else {
                format!("{}: ", self.name(&found.on))
            };
            let because = if found.because.is_empty()
                || found.because == found.title
                || played.results.len() > 2
            {
                String::new()
            } else {
                format!(" ({})", found.because)
            };
            let stop =
                if because.is_empty() && found.title.ends_with(['!', '?', '.']) { "" } else { "." };
            told += &format!(
                " {}{}{because}{stop}",
                if several || !found.on.is_empty() { on.as_str() } else { "" },
                found.title
            );
        }
        if !played.says.is_empty() {
            told += &format!(" {}.", played.says);
        } else if !played.value.is_empty() && played.results.len() <= 1 {
            let unit =
                self.pack.chart(&played.request.chart).map_or("", |chart| chart.read.unit.as_str());
            told += &format!(" {}.", format!("{} {unit}", played.value).trim());
        }
        told + &self.order(played)
    }

    /// That nothing changes in the game, and why; nothing if the outcome is applied.
    pub fn not_applied(&self, played: &PlayRecord) -> String {
        let why = match played.unapplied {
            None => return String::new(),
            Some(Unapplied::NoResult) => "the chart has no result for it",
            Some(Unapplied::NoRoom) => "there is no room for the new units on the roster",
            Some(Unapplied::NotAccepted) => "the game does not accept the change",
        };
        format!(" Nothing changes in the game: {why}.")
    }

    /// The order in which units act.
    pub fn order(&self, played: &PlayRecord) -> String {
        if played.order.len() < 2 && played.order.iter().all(|group| group.len() < 2) {
            return String::new();
        }
        let group = |group: &Vec<String>| {
            group.iter().map(|id| self.name(id)).collect::<Vec<_>>().join(" and ")
        };
        format!(
            " In this order: {}.",
            played.order.iter().map(group).collect::<Vec<_>>().join(", then ")
        )
    }
}

/// The dice of a roll, each throw in brackets.
fn dice(inputs: &[RecordedInput]) -> String {
    let dice: Vec<&RecordedInput> = inputs.iter().filter(|input| input.faces().is_some()).collect();
    if dice.is_empty() {
        return String::new();
    }
    let faces = |input: &&RecordedInput| {
        let faces: Vec<String> =
            input.faces().unwrap_or_default().iter().map(u32::to_string).collect();
        format!("[{}]", faces.join(" "))
    };
    let list: Vec<String> = dice.iter().map(faces).collect();
    let word = if all(&dice, ThrownBy::Sealed) { "Sealed dice" } else { "Dice" };
    format!(" {word} {}{}.", list.join(" "), real(&dice, "real dice"))
}

fn all(list: &[&RecordedInput], source: ThrownBy) -> bool {
    list.iter().all(|input| input.by() == source)
}

/// That the player rolled or drew all of it.
fn real(list: &[&RecordedInput], what: &str) -> String {
    if all(list, ThrownBy::Player) { format!(" ({what})") } else { String::new() }
}
