//! The questions that a chart may ask the player, so that the names of answers given in advance can
//! be checked for typing errors.

use adjutant_dice::{Accepts, Answer, ChoiceWord, Text};
use adjutant_pack::{Chart, Field, Noun, Pack, Roll, RolledDie, StepKind, UnknownName, clip};

/// A question that a chart may ask.
#[derive(Clone, Debug, PartialEq)]
pub struct PossibleQuestion {
    /// The name of the question in input.
    pub key: String,
    /// The text of the question.
    pub prompt: String,
    /// The accepted answers.
    pub accepts: Accepts,
    /// The answer if the player gives none; without one, the player must answer.
    pub default: Option<Answer>,
    /// Whether odds take an answer for granted, so that the question is not among their branches.
    pub is_assumed: bool,
}

/// The default of a question in the middle of a chart. A yes or no has none: it asks for a fact.
pub(crate) fn free_choice(field: &Field) -> Option<&Answer> {
    field.default.as_ref().filter(|_| field.accepts != Accepts::YesNo)
}

/// Every question that a chart, or a chart it looks up, may ask.
pub fn questions(pack: &Pack, chart: &Chart) -> Vec<PossibleQuestion> {
    let mut found = Vec::new();
    gather(pack, chart, &mut found);
    found
}

/// The question of this key that one of some charts may ask.
pub fn find_question(
    pack: &Pack,
    charts: &[&Chart],
    key: &str,
) -> Result<PossibleQuestion, UnknownName> {
    let key = clip(key);
    let mut known: Vec<PossibleQuestion> = Vec::new();
    for question in charts.iter().flat_map(|chart| questions(pack, chart)) {
        if !known.iter().any(|other| other.key == question.key) {
            known.push(question);
        }
    }
    if let Some(place) = known.iter().position(|question| question.key == key) {
        return Ok(known.swap_remove(place));
    }
    Err(UnknownName::new(Noun::Question, &key, known.iter().map(|question| question.key.as_str())))
}

/// The faces that the dice of a roll may show.
fn faces(pack: &Pack, roll: &Roll) -> Vec<ChoiceWord> {
    let mut words: Vec<ChoiceWord> = Vec::new();
    let mut note = |id: Text, label: Text| {
        if !words.iter().any(|known| known.id == id) {
            words.push(ChoiceWord { id, label });
        }
    };
    for kind in &roll.kinds {
        match &kind.die {
            RolledDie::Named(die) => {
                let die = &pack.dice()[*die];
                for (face, name) in die.faces.iter().zip(&die.names) {
                    note(name.clone(), face.title.clone());
                }
            }
            RolledDie::Plain(sides) => {
                (1..=*sides)
                    .for_each(|face| note(face.to_string().into(), face.to_string().into()));
            }
            RolledDie::Sized(_) | RolledDie::Digits { .. } => {}
        }
    }
    words
}

fn gather(pack: &Pack, chart: &Chart, found: &mut Vec<PossibleQuestion>) {
    let mut note = |key: &str,
                    prompt: &str,
                    accepts: Accepts,
                    (default, is_assumed): (Option<Answer>, bool)| {
        if !found.iter().any(|known| known.key == key) {
            found.push(PossibleQuestion {
                key: key.to_owned(),
                prompt: prompt.to_owned(),
                accepts,
                default,
                is_assumed,
            });
        }
    };
    for step in &chart.steps {
        if let StepKind::Ask(field) = &step.kind {
            note(
                &step.name,
                &field.label,
                field.accepts.clone(),
                (free_choice(field).cloned(), false),
            );
        }
        if let StepKind::Draw(draw) = &step.kind
            && draw.pick.is_some()
        {
            let cards = (1_u32..).zip(&pack.decks()[draw.deck].cards);
            let words = cards.map(|(n, card)| ChoiceWord {
                id: n.to_string().into(),
                label: card.title.clone(),
            });
            let prompt = format!("{}: which card?", step.title);
            note(&step.name, &prompt, Accepts::Choice { words: words.collect() }, (None, false));
        }
        if let StepKind::Roll(roll) = &step.kind {
            for ask in roll.reroll.iter().filter_map(|rule| rule.ask.as_ref()) {
                note(
                    &format!("{}.reroll", step.name),
                    &ask.prompt,
                    Accepts::YesNo,
                    (None, ask.assume.is_some()),
                );
            }
            if roll.choose.as_ref().is_some_and(|choose| choose.by.is_some()) {
                let words = faces(pack, roll);
                let prompt = format!("{}: which die?", step.title);
                note(
                    &format!("{}.choose", step.name),
                    &prompt,
                    Accepts::Choice { words },
                    (None, false),
                );
            }
        }
        for ask in step.again.iter().filter_map(|again| again.ask.as_ref()) {
            note(
                &format!("{}.again", step.name),
                &ask.prompt,
                Accepts::YesNo,
                (None, ask.assume.is_some()),
            );
        }
        for fresh in step.again.iter().filter_map(|again| again.ask_again.as_ref()) {
            for input in fresh.inputs.iter().map(|input| &chart.inputs[*input]) {
                note(&input.name, &input.field.label, input.field.accepts.clone(), (None, false));
            }
        }
    }
    if let Some(table) =
        chart.read.user_table.map(|table| &pack.user_tables()[table]).filter(|table| !table.filled)
    {
        let words = table
            .results
            .iter()
            .map(|result| &pack.results()[*result])
            .map(|r| ChoiceWord { id: r.id.clone(), label: r.title.clone() });
        note(&table.id, &table.ask, Accepts::Choice { words: words.collect() }, (None, false));
    }
    for look_up in chart.look_ups() {
        gather(pack, &pack.charts()[look_up.chart], found);
    }
}
