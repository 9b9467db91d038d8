//! Charts in words: what is rolled, what is added, which row applies and what it changes.
//!
//! The command, the page and printed sheets all use these texts, in one of two spellings of
//! formulas: as the pack writes them, or in players' words (`formula.rs`).

mod amount;
mod change;
mod formula;
mod roll;
mod table;
mod text;

pub use amount::{AmountSign, AmountText, AmountValue, die_of, number};
pub use change::{ChangeKind, ChangeText, phrases, sentences};
pub use table::{CellText, RowText, TableText};
pub use text::{
    AgainText, AlsoText, ChartText, LineText, NotShown, ResultText, StepText, ThenText, not_shown,
};

use adjutant_dice::Number;
use adjutant_pack::{
    Again, CardGoal, Chart, Column, DeckEvent, DeckMoment, Draw, Formula, HeadingKey, InputId,
    NameSource, Pack, Series, Slot, Step, StepKind, Value, Word, capital,
};

/// Puts the parts of one chart into words.
///
/// ```
/// use adjutant_wording::en::ChartWords;
///
/// let files = adjutant_pack::Files::of([("pack.toml", r#"
/// [pack]
/// id = "shot"
/// title = "Shot"
/// [result.hit]
/// title = "Hit"
/// [chart.fire]
/// title = "Fire"
/// ask = { ammo = { label = "Ammunition", choice = { he = "HE", ap = "AP" } } }
/// step = [ { roll = "1d6", as = "die", add = [ { label = "Armour", plus = -1, when = "ammo != 'ap'" } ] } ]
/// read = { rows = [ { all = "hit" } ] }
/// "#)]);
/// let pack = adjutant_pack::read_pack(&files, None).unwrap();
/// let fire = pack.chart("fire").unwrap();
/// let when = fire.steps.first().unwrap().add.first().unwrap().when.as_ref().unwrap();
/// assert_eq!(ChartWords::as_written(&pack, fire).formula(when), "ammo != 'ap'");
/// assert_eq!(ChartWords::for_players(&pack, fire).formula(when), "Ammunition other than AP");
/// ```
#[derive(Clone, Copy)]
pub struct ChartWords<'p> {
    pack: &'p Pack,
    chart: &'p Chart,
    spelling: Spelling,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    AsWritten,
    ForPlayers,
}

impl<'p> ChartWords<'p> {
    /// With formulas as the pack writes them: `close && !firer.suppressed`.
    pub fn as_written(pack: &'p Pack, chart: &'p Chart) -> ChartWords<'p> {
        ChartWords { pack, chart, spelling: Spelling::AsWritten }
    }

    /// With formulas in players' words: “Target within 4 and not firer Suppressed”.
    pub fn for_players(pack: &'p Pack, chart: &'p Chart) -> ChartWords<'p> {
        ChartWords { pack, chart, spelling: Spelling::ForPlayers }
    }

    /// A condition or an amount.
    pub fn formula(self, formula: &Formula) -> String {
        match self.spelling {
            Spelling::AsWritten => formula.text.to_string(),
            Spelling::ForPlayers => self.expr(&formula.expr, 0),
        }
    }

    /// What the step does, as a phrase: the author's words, if there are any.
    fn step(self, step: &Step) -> String {
        if !step.text.is_empty() {
            return step.text.to_string();
        }
        match &step.kind {
            StepKind::Roll(roll) => self.roll(roll),
            StepKind::Draw(draw) => {
                let deck = &self.pack.decks()[draw.deck];
                if deck.chits.is_some() {
                    return format!("draw a chit from {}", deck.title);
                }
                self.draw(draw, &format!(" of {}", deck.title))
            }
            StepKind::Ask(field) => {
                format!("asked: {} ({})", field.label, super::accepted(&field.accepts))
            }
            StepKind::LookUp(look_up) => {
                let title = &self.pack.charts()[look_up.chart].title;
                match &look_up.times {
                    Some(series) => format!("look up {title}{}", self.series(series)),
                    None => format!("look up {title}"),
                }
            }
            StepKind::WorkOut(formula) => self.formula(formula),
        }
    }

    /// When the step happens, if not always. The author's words for a step say this, too.
    fn when_of_step(self, step: &Step) -> Option<String> {
        let when = step.when.as_ref().filter(|_| step.text.is_empty());
        when.map(|when| self.formula(when))
    }

    /// The number that the chart yields, in the author's words or as a formula.
    fn value(self) -> Option<String> {
        let read = &self.chart.read;
        read.value.as_ref().map(|value| match read.text.as_str() {
            "" => self.formula(value),
            text => text.to_owned(),
        })
    }

    /// The score that is read on the rows, in the author's words or as a formula. The author's
    /// words are for the value, if there is one.
    pub fn score(self) -> Option<String> {
        let read = &self.chart.read;
        read.score.as_ref().map(|score| match read.text.as_str() {
            text if !text.is_empty() && read.value.is_none() => text.to_owned(),
            _ => self.formula(score),
        })
    }

    /// How many cards are drawn, from whose deck, and what is read of them.
    fn draw(self, draw: &Draw, of_deck: &str) -> String {
        let count = draw.several.as_ref().map(|several| several.count.as_ref());
        let mut text = match (count, &draw.pick) {
            (_, Some(pick)) => format!("play a card{of_deck} from {}", self.goal(draw, pick.from)),
            (None, None) => format!("draw a card{of_deck}"),
            (Some(None), None) => format!("draw cards{of_deck} until the hand is full"),
            (Some(Some(count)), None) => match count.constant().and_then(Value::number) {
                Some(Number::ONE) => format!("draw a card{of_deck}"),
                Some(count) => format!("draw {count} cards{of_deck}"),
                None => format!("draw a card{of_deck} per {}", self.formula(count)),
            },
        };
        if let Some(which) = draw.pick.as_ref().and_then(|pick| pick.which.as_ref()) {
            text.push_str(&format!(", {}", self.formula(which)));
        }
        if let Some(role) = draw.of {
            let role = self.chart.roles[role].id.replace("_", " ");
            text.push_str(&format!(", from the deck of {role}"));
        }
        if let Some((field, by)) = &draw.read {
            let label = &self.pack.decks()[draw.deck].fields[*field].label;
            text.push_str(&format!(", read {label}"));
            if let Some(by) = by {
                text.push_str(&format!(", by {}", self.formula(by)));
            }
        }
        if draw.to != CardGoal::Discard && !matches!(count, Some(None)) {
            text.push_str(&format!(", to {}", self.goal(draw, draw.to)));
        }
        let Some(several) = &draw.several else { return text };
        if let Some(keep) = &several.keep {
            let kept = [("highest", keep.highest()), ("lowest", keep.lowest())];
            for (which, count) in kept {
                if let Some(count) = count {
                    text.push_str(&format!(", keep the {which} {}", self.formula(count)));
                }
            }
        }
        if let Some(each) = &several.each {
            text.push_str(&format!("; each counts {}", self.formula(&each.formula)));
        }
        for tally in &several.tally {
            let name = tally.name.replace("_", " ");
            text.push_str(&format!("; {name}: {}", self.formula(&tally.formula)));
        }
        text
    }

    fn goal(self, draw: &Draw, goal: CardGoal) -> String {
        match goal {
            CardGoal::Discard => "the discards".into(),
            CardGoal::Hand => "the hand".into(),
            CardGoal::Removed => "the box: it is out of the game".into(),
            CardGoal::Deck => "the deck again".into(),
            CardGoal::Pile(pile) => {
                let piles = &self.pack.decks()[draw.deck].piles;
                let pile = piles.get(pile as usize).map_or("", |pile| pile.as_str());
                format!("the pile {}", pile.replace('_', " "))
            }
        }
    }

    /// What happens when a deck that the chart uses runs out or is reshuffled.
    fn deck_events(self) -> Vec<String> {
        let event = |event: &DeckEvent| {
            let deck = &self.pack.decks()[event.deck].title;
            let when = match event.when {
                DeckMoment::Empty => format!("When the last card of {deck} is drawn"),
                DeckMoment::Reshuffled => format!("When {deck} is reshuffled"),
            };
            let changes = self.changes(&event.effects, &event.next, None, "");
            format!("{when}: {}", phrases(&changes).join("; "))
        };
        self.chart.deck_events.iter().map(event).collect()
    }

    /// When and how to roll or draw again.
    pub fn again(self, again: &Again) -> String {
        if !again.text.is_empty() {
            return format!("{}: {}", again.because, again.text);
        }
        let mut text = again.because.to_string();
        if again.reshuffle {
            text.push_str("; reshuffle");
        }
        if let Some(look_up) = &again.look_up {
            text.push_str(&format!("; first {}", self.pack.charts()[look_up.chart].title));
        }
        if let Some(most) = again.at_most {
            text.push_str(&format!("; at most {most} times"));
        }
        if let Some(stop) = &again.stop {
            let when = stop
                .when
                .as_ref()
                .map_or(String::new(), |when| format!(" if {}", self.formula(when)));
            let landing = &self.chart.landings[stop.landing];
            text.push_str(&format!(
                "; ends with {}{when}",
                self.pack.results()[landing.result].title
            ));
        }
        if let Some(fresh) = &again.ask_again {
            let names: Vec<String> =
                fresh.inputs.iter().map(|input| self.input_name(*input)).collect();
            text.push_str(&format!("; asks again for {}", names.join(", ")));
        }
        text
    }

    fn input_name(self, input: InputId) -> String {
        match self.spelling {
            Spelling::AsWritten => self.chart.inputs[input].name.to_string(),
            Spelling::ForPlayers => self.input(input),
        }
    }

    /// The word that a row is for, as players read it.
    fn word_of_row(self, word: Word) -> String {
        let slots = self.chart.read.score.as_ref().map(Formula::slots).unwrap_or_default();
        slots.first().map_or_else(|| self.title_of(word), |slot| self.word(*slot, word))
    }

    /// What selects the column, in terms that players know. For players it is empty where the
    /// headings are words that the formula makes: they say it themselves.
    fn column(self, column: &Column) -> String {
        let label = |slot: &Slot| match self.chart.names.get(*slot)?.origin {
            NameSource::Input(input) => Some(self.chart.inputs[input].field.label.to_string()),
            // The command needs the id; players see the label.
            NameSource::Option(option) => {
                let field = &self.pack.options()[option].field;
                let as_written = self.spelling == Spelling::AsWritten;
                Some(match as_written {
                    true => format!("option {}: {}", field.id, field.label),
                    false => format!("Option: {}", field.label),
                })
            }
            NameSource::Step(step, _) => Some(self.chart.steps[step].title.to_string()),
            _ => None,
        };
        let only = match column.by.slots().as_slice() {
            [only] => label(only),
            _ => None,
        };
        match only {
            Some(label) => label,
            _ if self.spelling == Spelling::AsWritten => column.by.text.to_string(),
            _ if column.keys.iter().any(|key| matches!(key, HeadingKey::Word(_))) => String::new(),
            _ => capital(&self.formula(&column.by)),
        }
    }

    /// How often a chart is run, after its title.
    fn series(self, series: &Series) -> String {
        match series.words {
            Some(list) => format!(" for each of {}", self.pack.lists()[list].titles()),
            None => format!(", times: {}", self.formula(&series.times)),
        }
    }
}

/// A text with true minus signs before its numbers.
pub fn true_minus(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let mut before = ' ';
    for (place, c) in text.char_indices() {
        let number = text[place + c.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        out.push(if c == '-' && number && !before.is_alphanumeric() { '−' } else { c });
        before = c;
    }
    out
}
