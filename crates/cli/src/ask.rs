//! Questions in the terminal: what a chart is missing, answers on the way, and the player's own
//! dice.

use crate::error::Said;
use adjutant_dice::{
    Accepts, Answer, CardRequest, DiceRequest, InputSource, MixedInput, Question, SourceError,
    ThrownBy,
};
use adjutant_engine::Situation;
use adjutant_pack::{IdVec, InputId};
use inquire::validator::Validation;
use inquire::{Confirm, InquireError, MultiSelect, Select, Text};
use std::io::IsTerminal;

/// Whether there is a player to ask.
pub fn in_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Why a prompt was not answered.
pub fn not_asked(error: InquireError) -> SourceError {
    match error {
        InquireError::OperationCanceled | InquireError::OperationInterrupted => {
            SourceError::Cancelled
        }
        other => SourceError::Unreachable { why: other.to_string().into() },
    }
}

/// Goes through the sheet with the player: numbers and choices in the sheet's order, then all
/// yes/no circumstances as one list to tick.
pub fn fill_in(situation: &mut Situation<'_>) -> anyhow::Result<()> {
    fill_in_but(situation, |_| false)
}

/// The same, without some inputs.
pub fn fill_in_but(
    situation: &mut Situation<'_>,
    but: impl Fn(InputId) -> bool,
) -> anyhow::Result<()> {
    let chart = situation.chart();
    let mut asked: IdVec<InputId, bool> = chart.inputs.ids().map(&but).collect();
    loop {
        let relevant = adjutant_engine::relevant(situation);
        let open = relevant.into_iter().find(|place| {
            !asked[*place]
                && !situation.is_given(*place)
                && chart.inputs[*place].field.accepts != Accepts::YesNo
        });
        let Some(place) = open else { break };
        asked[place] = true;
        let input = &chart.inputs[place];
        let default = input.field.default.as_ref().map(Answer::to_string);
        let text = one(&input.field.label, &input.field.note, &input.field.accepts, default)
            .map_err(not_asked)
            .said()?;
        situation.give(&input.name, &text).said()?;
    }
    let ticks: Vec<InputId> = adjutant_engine::relevant(situation)
        .into_iter()
        .filter(|place| {
            !but(*place)
                && !situation.is_given(*place)
                && chart.inputs[*place].field.accepts == Accepts::YesNo
        })
        .collect();
    if ticks.is_empty() {
        return Ok(());
    }
    let labels: Vec<&str> =
        ticks.iter().map(|place| chart.inputs[*place].field.label.as_str()).collect();
    let ticked = MultiSelect::new("Which of these hold?", labels)
        .with_help_message("space ticks, enter goes on, type to search")
        .raw_prompt()
        .map_err(not_asked)
        .said()?;
    for choice in ticked {
        situation.give(&chart.inputs[ticks[choice.index]].name, "yes").said()?;
    }
    Ok(())
}

/// One question, with arrow keys where there is a choice.
pub fn one(
    label: &str,
    note: &str,
    accepts: &Accepts,
    default: Option<String>,
) -> Result<String, InquireError> {
    match accepts {
        Accepts::YesNo => Confirm::new(label)
            .with_default(default.as_deref() == Some("yes"))
            .prompt()
            .map(|yes| if yes { "yes" } else { "no" }.to_owned()),
        Accepts::Choice { words } => {
            let start = default.and_then(|id| words.iter().position(|w| w.id == id)).unwrap_or(0);
            let labels: Vec<&str> = words.iter().map(|w| w.label.as_str()).collect();
            let chosen = Select::new(label, labels).with_starting_cursor(start).raw_prompt()?;
            Ok(words.get(chosen.index).map(|w| w.id.clone()).unwrap_or_default().to_string())
        }
        Accepts::Number { .. } => {
            let known = accepts.clone();
            let help = if note.is_empty() {
                adjutant_wording::en::accepted(accepts)
            } else {
                format!("{}. {note}", adjutant_wording::en::accepted(accepts))
            };
            let mut prompt =
                Text::new(label).with_help_message(&help).with_validator(move |text: &str| {
                    Ok(match known.read(text) {
                        Ok(_) => Validation::Valid,
                        Err(why) => {
                            Validation::Invalid(adjutant_wording::en::answer_error(&why).into())
                        }
                    })
                });
            if let Some(default) = &default {
                prompt = prompt.with_default(default);
            }
            prompt.prompt()
        }
    }
}

/// Asks the player for what the other source lacks.
pub struct PromptInput<'a> {
    from: &'a mut MixedInput,
    own: bool,
}

impl<'a> PromptInput<'a> {
    pub fn new(from: &'a mut MixedInput, own: bool) -> PromptInput<'a> {
        PromptInput { from, own }
    }

    /// The source itself, where no one can be asked.
    pub fn plain(&mut self) -> &mut MixedInput {
        self.from
    }
}

/// Numbers from one line, asked until they fit.
fn faces(
    prompt: &str,
    help: &str,
    fits: impl Fn(&[u32]) -> Result<(), String> + Clone + 'static,
) -> Result<Vec<u32>, SourceError> {
    let read = |text: &str| {
        text.split([' ', ',', '+'])
            .filter(|part| !part.is_empty())
            .map(str::parse)
            .collect::<Result<Vec<u32>, _>>()
    };
    let check = move |text: &str| {
        let found = read(text)
            .map_err(|_| "write whole numbers, with spaces between them".to_owned())
            .and_then(|list| fits(&list));
        Ok(found.map_or_else(|why| Validation::Invalid(why.into()), |()| Validation::Valid))
    };
    let text = Text::new(prompt)
        .with_help_message(help)
        .with_validator(check)
        .prompt()
        .map_err(not_asked)?;
    // What cannot be read the check has not let through.
    Ok(read(&text).unwrap_or_default())
}

impl InputSource for PromptInput<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let given = self.from.dice(ask);
        if !(self.own && matches!(given, Err(SourceError::Missing(_)))) {
            return given;
        }
        let (count, sides) = (ask.count as usize, ask.sides);
        let fits = move |list: &[u32]| match list
            .iter()
            .find(|face| !(1..=sides).contains(*face) && (**face != 0 || sides != 10))
        {
            Some(face) => Err(format!("{face} is not a face of a d{sides}")),
            None if list.len() != count => {
                Err(format!("{count} faces are wanted, {} are there", list.len()))
            }
            None => Ok(()),
        };
        let prompt = format!("{} – roll {}d{}:", ask.what_for, ask.count, ask.sides);
        let list = faces(&prompt, "type the faces of your dice, with spaces between them", fits)?;
        let list: Vec<u32> =
            list.into_iter().map(|face| if face == 0 { 10 } else { face }).collect();
        if ask.fits(&list) { Ok(list) } else { Err(ask.missing()) }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let given = self.from.card(ask);
        if !(self.own && matches!(given, Err(SourceError::Missing(_)))) {
            return given;
        }
        let deck = ask.deck.clone();
        let fits = move |list: &[u32]| match list {
            [card] => deck.can_take(*card).map_err(adjutant_wording::en::deck_error),
            _ => Err("one card is wanted".into()),
        };
        let list = faces(
            &format!("{} – draw a card of {}:", ask.what_for, ask.deck_id),
            "type the number of your card",
            fits,
        )?;
        list.first().copied().ok_or_else(|| ask.missing())
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        // The player is asked; the default is only where the choice starts.
        match self.from.answer(&Question { default: None, ..*ask }) {
            Err(SourceError::Missing(_)) => {
                let start = ask.default.map(ToString::to_string);
                let text = one(ask.prompt, "", ask.accepts, start).map_err(not_asked)?;
                ask.read(&text)
            }
            given => given,
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }

    fn finish(&self) -> Result<(), SourceError> {
        self.from.finish()
    }
}
