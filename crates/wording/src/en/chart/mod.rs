//! Charts in words: what is rolled, what is added, which row applies and what it changes.
//!
//! The command, the page and printed sheets all use these texts, in one of two spellings of
//! formulas: as the pack writes them, or in players' words (`formula.rs`).

mod amount;
mod formula;
mod roll;

pub use amount::{AmountSign, AmountText, AmountValue, die_of, number};

use adjutant_dice::Number;
use adjutant_pack::{
    Again, Also, CardGoal, Cell, Chart, Column, DeckEvent, DeckMoment, Draw, EffectKind,
    EffectRule, FollowUpRule, Formula, HeadingKey, InputId, Modifier, NameSource, Pack, Relation,
    ResultBinding, Row, RowId, Series, Slot, Step, StepKind, Value, Word, capital,
    condition_in_words,
};
use std::borrow::Cow;

/// The remarks on a chart: whom it is for, then those of its author.
pub fn chart_notes(chart: &Chart) -> impl Iterator<Item = Cow<'_, str>> {
    let only = chart.roles.iter().filter_map(|role| role.only.as_ref());
    let only = only.map(|only| Cow::from(format!("Only for {}.", only.label)));
    only.chain(chart.notes.iter().map(|note| Cow::from(note.as_str())))
}

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
    pub fn step(self, step: &Step) -> String {
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
    pub fn when_of_step(self, step: &Step) -> Option<String> {
        let when = step.when.as_ref().filter(|_| step.text.is_empty());
        when.map(|when| self.formula(when))
    }

    /// The number that the chart yields, in the author's words or as a formula.
    pub fn value(self) -> Option<String> {
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

    /// When an additional result applies, if not always.
    pub fn when_of_also(self, also: &Also) -> Option<String> {
        also.when.as_ref().map(|when| match also.text.as_str() {
            "" => self.formula(when),
            text => text.to_owned(),
        })
    }

    /// How many cards are drawn, from whose deck, and what is read of them.
    pub fn draw(self, draw: &Draw, of_deck: &str) -> String {
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
    pub fn deck_events(self) -> Vec<String> {
        let event = |event: &DeckEvent| {
            let deck = &self.pack.decks()[event.deck].title;
            let when = match event.when {
                DeckMoment::Empty => format!("When the last card of {deck} is drawn"),
                DeckMoment::Reshuffled => format!("When {deck} is reshuffled"),
            };
            format!("{when}: {}", self.changes(&event.effects, &event.next).join("; "))
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

    /// The condition of a row. As written, it has the band or formula beside the label. For
    /// players, the label replaces the formula. The author's words replace both.
    pub fn row(self, row: &Row, place: RowId) -> String {
        if !row.text.is_empty() {
            return row.text.to_string();
        }
        let ends = row.ends_in_words(&|formula| self.formula(formula));
        match (&row.own_when, row.label.is_empty()) {
            _ if self.spelling == Spelling::AsWritten || row.page.is_some() => {}
            (Some(_), false) => return row.label.to_string(),
            (Some(when), true) if ends.is_none() => return self.formula(when),
            (None, true) if !row.limits.is_empty() => return ends.unwrap_or_default(),
            _ => {}
        }
        let banded = ends.is_some();
        match (row.label.is_empty(), row.is_word) {
            (false, Some(_)) => row.label.to_string(),
            (false, None) if banded || row.own_when.is_some() => {
                let condition = condition_in_words(self.pack.words(), row, place);
                format!("{} ({condition})", row.label)
            }
            (true, Some(word)) if self.spelling == Spelling::ForPlayers && row.page.is_none() => {
                self.word_of_row(word)
            }
            _ => row.shown.to_string(),
        }
    }

    /// The word that a row is for, as players read it.
    pub fn word_of_row(self, word: Word) -> String {
        let slots = self.chart.read.score.as_ref().map(Formula::slots).unwrap_or_default();
        slots.first().map_or_else(|| self.title_of(word), |slot| self.word(*slot, word))
    }

    /// What selects the column, in terms that players know. For players it is empty where the
    /// headings are words that the formula makes: they say it themselves.
    pub fn column(self, column: &Column) -> String {
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

    /// The modifiers that move the column, as a sentence. None if there are none.
    pub fn shifts(self, column: &Column) -> Option<String> {
        let line = |shift: &Modifier| format!("{} {}", shift.label, self.amount_in_line(shift, ""));
        let lines: Vec<String> = column.shift.iter().map(line).collect();
        (!lines.is_empty())
            .then(|| format!("{}: {}.", super::page::sheet::COLUMNS_TO_THE_RIGHT, lines.join(", ")))
    }

    /// The content of the cell; `say_role` adds the role that the result applies to.
    pub fn cell(self, cell: &Cell, say_role: bool) -> String {
        let mut parts = Vec::new();
        if let Some(landing) = cell.landing.map(|landing| &self.chart.landings[landing]) {
            let on = landing
                .on
                .filter(|_| say_role)
                .map_or(String::new(), |role| format!(" ({})", self.chart.roles[role].id));
            parts.push(format!("{}{on}", self.pack.results()[landing.result].title));
        }
        if !cell.label.is_empty() {
            parts.push(cell.label.to_string());
        } else if let Some(value) = &cell.value {
            parts.push(self.formula(value));
        }
        if let Some(step) = cell.result_of {
            parts.push(format!("as {}", self.chart.steps[step].title));
        }
        parts.join(", ")
    }

    /// The effects and follow-ups of the cell in addition to those of its result.
    pub fn changes_of_cell(self, cell: &Cell) -> Vec<String> {
        self.changes(&cell.effects, &cell.next)
    }

    /// The effects and follow-ups of the whole reading, whatever row is read.
    pub fn changes_of_reading(self) -> Vec<String> {
        self.changes(&self.chart.read.effects, &self.chart.read.next)
    }

    /// The effects and follow-ups of a result, and the results that may replace it.
    pub fn changes_of_result(self, result: &ResultBinding) -> Vec<String> {
        let mut lines = self.changes(&result.effects, &result.next);
        for instead in &result.instead {
            if !instead.text.is_empty() {
                lines.push(instead.text.to_string());
                continue;
            }
            let landing = &self.chart.landings[instead.landing];
            let other = &self.pack.results()[landing.result].title;
            lines.push(format!("becomes {other} if {}", self.change_formula(&instead.when)));
        }
        lines
    }

    /// An attribute that an effect changes. Players read its label.
    fn attribute(self, effect: &EffectRule, name: &str) -> String {
        let kind = effect.on.and_then(|role| self.chart.roles.get(role)).map(|role| role.kind);
        let field =
            kind.and_then(|kind| self.pack.kinds()[kind].has.iter().find(|field| field.id == name));
        match field.filter(|_| self.spelling == Spelling::ForPlayers) {
            Some(field) => field.label.to_string(),
            None => name.to_owned(),
        }
    }

    fn changes(self, effects: &[EffectRule], next: &[FollowUpRule]) -> Vec<String> {
        let mut lines: Vec<String> = effects
            .iter()
            .map(|effect| self.effect(effect))
            .chain(next.iter().map(|next| self.follow_up(next)))
            .collect();
        // A change of a value by a word is one effect for each word, with the same text.
        lines.dedup();
        lines
    }

    fn effect(self, effect: &EffectRule) -> String {
        if !effect.text.is_empty() {
            return effect.text.to_string();
        }
        let (pack, roles) = (self.pack, &self.chart.roles);
        let with_it = match &effect.nth {
            Some(nth) => format!(", unit {} of its group", self.change_formula(nth)),
            None if effect.all => " and all with it".to_owned(),
            None => String::new(),
        };
        let said = effect.on.filter(|_| !with_it.is_empty() || roles.len() > 1);
        let on = said.map_or(String::new(), |role| format!("{}{with_it}: ", roles[role].id));
        let what = match &effect.kind {
            EffectKind::Status(status) => format!("{on}status {}", pack.statuses()[*status].title),
            EffectKind::Lift(status) => {
                format!("{on}no longer {}", pack.statuses()[*status].title)
            }
            EffectKind::Set(name, to) => {
                format!("{on}{} becomes {}", self.attribute(effect, name), self.change_formula(to))
            }
            EffectKind::Add(name, by) => {
                format!("{on}{} {}", self.attribute(effect, name), self.change(by))
            }
            EffectKind::Remember(memory, to) => {
                format!("{} becomes {}", pack.memory()[*memory].label, self.change_formula(to))
            }
            EffectKind::RememberMore(memory, by) => {
                format!("{} {}", pack.memory()[*memory].label, self.change(by))
            }
            EffectKind::Leaves(text) => format!("{on}leaves the game, {text}"),
            EffectKind::Appear(new) => {
                let template = new
                    .template
                    .map(|template| format!(": {}", pack.templates()[template].title))
                    .unwrap_or_default();
                format!(
                    "{} × {} appear{template}",
                    self.change_formula(&new.count),
                    pack.kinds()[new.kind].title
                )
            }
            EffectKind::Reshuffle(deck) => format!("reshuffle {}", pack.decks()[*deck].title),
            EffectKind::Note(text) if effect.nth.is_some() => format!("{on}{text}"),
            EffectKind::Note(text) => text.to_string(),
        };
        self.with_when(what, effect.when.as_ref())
    }

    /// The chart, the units and the known inputs of a follow-up.
    fn follow_up(self, next: &FollowUpRule) -> String {
        if !next.text.is_empty() {
            return next.text.to_string();
        }
        let Chart { title, inputs, .. } = &self.pack.charts()[next.chart];
        let label = |name: &str| {
            inputs
                .iter()
                .find(|input| input.name == name)
                .map_or(name.to_owned(), |input| input.field.label.to_string())
        };
        let with: Vec<String> = next
            .with
            .iter()
            .filter(|(_, worth)| !self.is_word_of_series(next, worth))
            .map(|(name, worth)| format!("{}: {}", label(name), self.change_formula(worth)))
            .collect();
        let with = if with.is_empty() { String::new() } else { format!(" ({})", with.join(", ")) };
        let roles = &self.chart.roles;
        let who = match &next.others {
            Some(others) if others.relation == Relation::All => " for everybody".to_owned(),
            Some(others) => {
                let together = if others.all { ", all together" } else { "" };
                let of = &roles[others.of].id;
                match others.relation {
                    Relation::Joined => format!(" for the units with {of}{together}"),
                    relation => format!(" for the {} of {of}{together}", relation.name()),
                }
            }
            None if !next.chits.is_empty() => match next.chits[0].any_of_side {
                true => " for a unit of the side drawn".to_owned(),
                false => " for the unit drawn".to_owned(),
            },
            None => match next.who.first().filter(|_| roles.len() > 1) {
                Some((_, here)) => format!(" for {}", roles[*here].id),
                None => String::new(),
            },
        };
        let start = if next.now { "at once" } else { "then" };
        let times = next.times.as_ref().map_or(String::new(), |series| match series.words {
            Some(_) => self.series(series),
            None => format!(", {} times", self.change_formula(&series.times)),
        });
        self.with_when(format!("{start} {title}{who}{with}{times}"), next.when.as_ref())
    }

    /// How often a chart is run, after its title.
    pub fn series(self, series: &Series) -> String {
        match series.words {
            Some(list) => format!(" for each of {}", self.pack.lists()[list].titles()),
            None => format!(", times: {}", self.formula(&series.times)),
        }
    }

    /// Whether an input of a follow-up is the word of its series, which is listed anyway.
    fn is_word_of_series(self, next: &FollowUpRule, worth: &Formula) -> bool {
        let series = next.times.as_ref().filter(|series| series.words.is_some());
        series.and_then(|series| series.nth).is_some_and(|nth| worth.slots() == [nth])
    }

    fn with_when(self, text: String, when: Option<&Formula>) -> String {
        match when {
            Some(when) => format!("{text} if {}", self.change_formula(when)),
            None => text,
        }
    }

    /// A formula in an effect or a follow-up. For players, a single option is named as such: it
    /// may have the same name as the chart that it enables.
    fn change_formula(self, formula: &Formula) -> String {
        let words = self.formula(formula);
        let option = |slot| {
            let origin = self.chart.names.get(slot).map(|name| name.origin);
            matches!(origin, Some(NameSource::Option(_)))
        };
        match formula.slots()[..] {
            [only] if self.spelling == Spelling::ForPlayers && option(only) => {
                format!("the option “{words}” is on")
            }
            _ => words,
        }
    }
}
