//! Charts in words: what is rolled, what is added, which row applies and what it changes. The
//! command, the page and printed sheets all use these texts. Formulas appear as the pack writes
//! them; `say.rs` rewords them for the page and for paper.

use crate::binding::{EffectKind, EffectRule, FollowUpRule, Relation, ResultBinding};
use crate::chart::{
    Again, Amount, Cell, Chart, Column, Modifier, NameSource, Roll, Row, Step, StepKind,
};
use crate::expr::Formula;
use crate::ids::{InputId, RoleId, RowId, Slot};
use crate::pack::{Pack, UserTable};
use crate::row::row_in_words;
use crate::value::Value;

/// The longest formula that is shown as an amount. A longer one is returned beside it.
const LONGEST_AMOUNT: usize = 20;

impl Roll {
    /// The dice: `2d6`, `(men)d6, counting the lowest 2`.
    pub fn in_words(&self) -> String {
        self.told(|formula| formula.text.to_string())
    }

    pub(crate) fn told(&self, say: impl Fn(&Formula) -> String) -> String {
        let count = match self.count.constant() {
            Some(_) => say(&self.count),
            None => format!("({})", say(&self.count)),
        };
        let mut text = format!("{count}d{}", self.sides);
        if let Some(keep) = &self.keep {
            text.push_str(&format!(
                ", counting the {} {}",
                if keep.lowest { "lowest" } else { "highest" },
                say(&keep.count)
            ));
        }
        if let Some(test) = &self.test {
            let side = if test.low { "less" } else { "more" };
            text.push_str(&format!(
                ", each showing {} or {side}: {}",
                say(&test.limit),
                self.counted
            ));
        }
        text
    }
}

impl Step {
    /// What the step does, as a phrase.
    pub fn in_words(&self, pack: &Pack) -> String {
        match &self.kind {
            StepKind::Roll(roll) => roll.in_words(),
            StepKind::Draw(draw) => {
                let deck = &pack.decks[draw.deck];
                match &draw.read {
                    Some((field, Some(by))) => format!(
                        "draw a card of {}, read {}, by {}",
                        deck.title, deck.fields[*field].label, by.text
                    ),
                    Some((field, None)) => {
                        format!("draw a card of {}, read {}", deck.title, deck.fields[*field].label)
                    }
                    None => format!("draw a card of {}", deck.title),
                }
            }
            StepKind::Ask(field) => format!("asked: {} ({})", field.label, field.accepts),
            StepKind::LookUp(look_up) => format!("look up {}", pack.charts[look_up.chart].title),
            StepKind::WorkOut(formula) => formula.text.to_string(),
        }
    }

    /// The die that modifiers add or remove: `d6`. Empty if the step rolls none.
    pub fn die_in_words(&self) -> String {
        if let StepKind::Roll(roll) = &self.kind {
            format!("d{}", roll.sides)
        } else {
            String::new()
        }
    }
}

impl Modifier {
    /// The amount: `+1`, `× 2`, `+1d6`. A long formula becomes `…` and is returned as the second
    /// text. `die` is the die of the step.
    pub fn amount_in_words(&self, die: &str) -> (String, Option<String>) {
        let formula = self.amount.formula();
        let long = formula.text.chars().count() > LONGEST_AMOUNT;
        let shown = if long { "…" } else { formula.text.as_str() };
        let amount = match (&self.amount, formula.constant().and_then(Value::number)) {
            (Amount::Plus(_), Some(n)) => n.signed(),
            (Amount::Plus(_), None) => match shown.strip_prefix('-') {
                Some(less) => format!("- {less}"),
                None => format!("+ {shown}"),
            },
            (Amount::Times(_), _) => format!("× {shown}"),
            (Amount::Dice(_), Some(n)) => format!("{}{die}", n.signed()),
            (Amount::Dice(_), None) => match shown.strip_prefix('-') {
                Some(fewer) => format!("- ({fewer}){die}"),
                None => format!("+ ({shown}){die}"),
            },
        };
        (amount, long.then(|| format!("… = {}", formula.text)))
    }
}

impl Again {
    /// When and how to roll or draw again.
    pub fn in_words(&self, pack: &Pack, chart: &Chart) -> String {
        self.told(
            pack,
            chart,
            |formula| formula.text.to_string(),
            |input| chart.inputs[input].name.to_string(),
        )
    }

    pub(crate) fn told(
        &self,
        pack: &Pack,
        chart: &Chart,
        say: impl Fn(&Formula) -> String,
        name: impl Fn(InputId) -> String,
    ) -> String {
        let mut text = self.because.to_string();
        if self.reshuffle {
            text.push_str("; reshuffle");
        }
        if let Some(look_up) = &self.look_up {
            text.push_str(&format!("; first {}", pack.charts[look_up.chart].title));
        }
        if let Some(most) = self.at_most {
            text.push_str(&format!("; at most {most} times"));
        }
        if let Some(stop) = &self.stop {
            let when =
                stop.when.as_ref().map_or(String::new(), |when| format!(" if {}", say(when)));
            text.push_str(&format!(
                "; ends with {}{when}",
                pack.results[chart.landings[stop.landing].result].title
            ));
        }
        if let Some(fresh) = &self.ask_again {
            let names: Vec<String> = fresh.inputs.iter().map(|input| name(*input)).collect();
            text.push_str(&format!("; asks again for {}", names.join(", ")));
        }
        text
    }
}

impl Row {
    /// The condition, with the label if there is one.
    pub fn in_words(&self, pack: &Pack, place: RowId) -> String {
        let bare = Row { label: adjutant_dice::Text::default(), ..self.clone() };
        let banded = self.band.is_some_and(|band| band.from.is_some() || band.to.is_some());
        match (self.label.is_empty(), self.is_word.is_some()) {
            (false, true) => self.label.to_string(),
            (false, false) if banded || self.when.is_some() => {
                format!("{} ({})", self.label, row_in_words(&pack.words, &bare, place))
            }
            _ => self.shown.to_string(),
        }
    }
}

impl Chart {
    /// Whether all results in the rows apply to the same role, so that the text need not name it.
    pub fn one_role(&self) -> bool {
        let landings =
            self.read.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.landing);
        let mut roles: Vec<RoleId> =
            landings.filter_map(|landing| self.landings[landing].on).collect();
        roles.sort_unstable();
        roles.dedup();
        roles.len() <= 1
    }
}

impl Column {
    /// What selects the column, in terms that players know.
    pub fn in_words(&self, pack: &Pack, chart: &Chart) -> String {
        let label = |slot: &Slot| match chart.names.get(*slot)?.origin {
            NameSource::Input(input) => Some(chart.inputs[input].field.label.to_string()),
            NameSource::Option(option) => Some(format!(
                "option {}: {}",
                pack.options[option].field.id, pack.options[option].field.label
            )),
            NameSource::Step(step, _) => Some(chart.steps[step].title.to_string()),
            _ => None,
        };
        match self.by.slots().as_slice() {
            [only] => label(only).unwrap_or_else(|| self.by.text.to_string()),
            _ => self.by.text.to_string(),
        }
    }
}

impl Cell {
    /// The content of the cell; `say_role` adds the role that the result applies to.
    pub fn in_words(&self, pack: &Pack, chart: &Chart, say_role: bool) -> String {
        self.told(pack, chart, say_role, &as_written)
    }

    pub(crate) fn told(&self, pack: &Pack, chart: &Chart, say_role: bool, say: Say<'_>) -> String {
        let mut parts = Vec::new();
        if let Some(landing) = self.landing.map(|landing| &chart.landings[landing]) {
            let on = landing
                .on
                .filter(|_| say_role)
                .map_or(String::new(), |role| format!(" ({})", chart.roles[role].id));
            parts.push(format!("{}{on}", pack.results[landing.result].title));
        }
        if !self.label.is_empty() {
            parts.push(self.label.to_string());
        } else if let Some(value) = &self.value {
            parts.push(say(value));
        }
        if let Some(step) = self.result_of {
            parts.push(format!("as {}", chart.steps[step].title));
        }
        parts.join(", ")
    }

    /// The effects and follow-ups of the cell in addition to those of its result.
    pub fn changes_in_words(&self, pack: &Pack, chart: &Chart) -> Vec<String> {
        changes(pack, chart, &self.effects, &self.next, &as_written)
    }
}

impl ResultBinding {
    /// The effects, the follow-ups and the results that may replace it.
    pub fn changes_in_words(&self, pack: &Pack, chart: &Chart) -> Vec<String> {
        self.told(pack, chart, &as_written)
    }

    pub(crate) fn told(&self, pack: &Pack, chart: &Chart, say: Say<'_>) -> Vec<String> {
        let mut lines = changes(pack, chart, &self.effects, &self.next, say);
        for instead in &self.instead {
            let other = &pack.results[chart.landings[instead.landing].result].title;
            lines.push(format!("becomes {other} if {}", say(&instead.when)));
        }
        lines
    }
}

/// How to put a formula into words.
pub(crate) type Say<'s> = &'s dyn Fn(&Formula) -> String;

fn as_written(formula: &Formula) -> String {
    formula.text.to_string()
}

fn changes(
    pack: &Pack,
    chart: &Chart,
    effects: &[EffectRule],
    next: &[FollowUpRule],
    say: Say<'_>,
) -> Vec<String> {
    effects
        .iter()
        .map(|effect| effect.told(pack, chart, say))
        .chain(next.iter().map(|next| next.told(pack, chart, say)))
        .collect()
}

impl EffectRule {
    /// The change as a phrase.
    pub fn in_words(&self, pack: &Pack, chart: &Chart) -> String {
        self.told(pack, chart, &as_written)
    }

    fn told(&self, pack: &Pack, chart: &Chart, say: Say<'_>) -> String {
        let with_it = if self.all { " and all with it" } else { "" };
        let said = self.on.filter(|_| self.all || chart.roles.len() > 1);
        let on = said.map_or(String::new(), |role| format!("{}{with_it}: ", chart.roles[role].id));
        let what = match &self.kind {
            EffectKind::Status(status) => format!("{on}status {}", pack.statuses[*status].title),
            EffectKind::Lift(status) => format!("{on}no longer {}", pack.statuses[*status].title),
            EffectKind::Set(name, to) => format!("{on}{name} becomes {}", say(to)),
            EffectKind::Add(name, by) => format!("{on}{name} {}", more_in_words(by, say)),
            EffectKind::Remember(memory, to) => {
                format!("{} becomes {}", pack.memory[*memory].label, say(to))
            }
            EffectKind::RememberMore(memory, by) => {
                format!("{} {}", pack.memory[*memory].label, more_in_words(by, say))
            }
            EffectKind::Leaves(text) => format!("{on}leaves the game, {text}"),
            EffectKind::Appear(new) => {
                let template = new
                    .template
                    .map(|template| format!(": {}", pack.templates[template].title))
                    .unwrap_or_default();
                format!("{} × {} appear{template}", say(&new.count), pack.kinds[new.kind].title)
            }
            EffectKind::Reshuffle(deck) => format!("reshuffle {}", pack.decks[*deck].title),
            EffectKind::Note(text) => text.to_string(),
        };
        with_when(what, self.when.as_ref(), say)
    }
}

impl FollowUpRule {
    /// The follow-up as a phrase: the chart, the units and the known inputs.
    pub fn in_words(&self, pack: &Pack, chart: &Chart) -> String {
        self.told(pack, chart, &as_written)
    }

    fn told(&self, pack: &Pack, chart: &Chart, say: Say<'_>) -> String {
        let Chart { title, inputs, .. } = &pack.charts[self.chart];
        let label = |name: &str| {
            inputs
                .iter()
                .find(|input| input.name == name)
                .map_or(name.to_owned(), |input| input.field.label.to_string())
        };
        let with: Vec<String> = self
            .with
            .iter()
            .map(|(name, worth)| format!("{}: {}", label(name), say(worth)))
            .collect();
        let with = if with.is_empty() { String::new() } else { format!(" ({})", with.join(", ")) };
        let who = match &self.others {
            Some(others) if others.relation == Relation::All => " for everybody".to_owned(),
            Some(others) => {
                format!(" for the {} of {}", others.relation.name(), chart.roles[others.of].id)
            }
            None => match self.who.first().filter(|_| chart.roles.len() > 1) {
                Some((_, here)) => format!(" for {}", chart.roles[*here].id),
                None => String::new(),
            },
        };
        with_when(
            format!("{} {title}{who}{with}", if self.now { "at once" } else { "then" }),
            self.when.as_ref(),
            say,
        )
    }
}

/// An increase or decrease: `+ 1`, `- 1`.
fn more_in_words(by: &Formula, say: Say<'_>) -> String {
    match by.text.strip_prefix('-') {
        Some(less) if by.constant().is_some() => format!("- {}", less.trim_start()),
        _ => format!("+ {}", say(by)),
    }
}

fn with_when(text: String, when: Option<&Formula>, say: Say<'_>) -> String {
    match when {
        Some(when) => format!("{text} if {}", say(when)),
        None => text,
    }
}

impl UserTable {
    /// A form for `tables.toml`. It is valid TOML as it is: every line is a comment until the
    /// player fills it in.
    pub fn blank_form(&self, pack: &Pack) -> String {
        let table = self;
        if table.filled {
            return format!("\n# {}: filled in by you.\n", table.title);
        }
        let results: Vec<&str> =
            table.results.iter().map(|r| pack.results[*r].id.as_str()).collect();
        let mut out = format!("\n# {}\n# It may say: {}\n", table.title, results.join(", "));
        if !table.place.is_empty() {
            out.push_str(&format!("# {}\n", table.place));
        }
        match &table.fixed.0 {
            Some(score) => out.push_str(&format!("# The score is {score}.\n")),
            None => out.push_str(&format!(
                "# You write the score; it may use: {}\n",
                table.names.join(", ")
            )),
        }
        out.push_str(&format!("#[table.{}]\n", table.id));
        if table.fixed.0.is_none() {
            out.push_str("#score = \"…\"\n");
        }
        let cells = |result: &str| match table.columns.as_slice() {
            [] => format!("all = \"{result}\""),
            columns => columns
                .iter()
                .map(|column| format!("{column} = \"{result}\""))
                .collect::<Vec<_>>()
                .join(", "),
        };
        let (first, last) =
            (results.first().copied().unwrap_or(""), results.last().copied().unwrap_or(""));
        out.push_str(&format!(
            "#rows = [\n#  {{ to = 0, {} }},\n#  {{ {} }},\n#]\n",
            cells(first),
            cells(last)
        ));
        out
    }
}
