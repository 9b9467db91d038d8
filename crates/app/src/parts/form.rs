//! The form of a chart: numbers as steppers, choices as segments, circumstances as large toggles.
//! All circumstances are shown, each with what it would add, because a forgotten modifier is the
//! classic mistake. Inputs that do not matter in the situation are left out.

use super::{VALUE, Wrap, act};
use adjutant_dice::{Accepts, Answer, Number};
use adjutant_engine::Situation;
use adjutant_pack::{
    Amount, Chart, ChartId, FilledFrom, Input, InputId, NameSource, Pack, RoleId, Slot, Value,
};
use adjutant_wording::en::page::parts as words;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the player can do in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Sets an input.
    Give(String, String),
    /// Resets an input.
    Unsay(String),
    /// Adds a unit.
    Add,
    /// Removes a unit.
    Drop(String),
    /// Resets the form.
    Clear,
}

/// What is known of an input without the player: its value, and the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The value, as typed.
    pub value: String,
    /// The source: the name of a unit, for example.
    pub from: String,
    /// Whether the player cannot change it.
    pub settled: bool,
}

/// Looks up what is known of an input: its name, and which of several units.
pub type Knows<'a> = &'a dyn Fn(&Input, Option<&str>) -> Option<Known>;

/// A value that was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The input.
    pub name: String,
    /// The value.
    pub text: String,
    /// Why it was not accepted.
    pub why: String,
}

/// The inputs of a chart.
#[derive(Clone, Debug)]
pub struct Form {
    /// The pack.
    pub pack: Arc<Pack>,
    /// The chart.
    pub chart: ChartId,
    /// The values, by the names of the inputs.
    pub given: BTreeMap<String, String>,
    /// The units, where several take part.
    pub members: Vec<String>,
    /// The values that were not accepted.
    pub wrong: Vec<FieldError>,
    /// Whether numbers also have a slider.
    pub sliders: bool,
    /// The names of the units of a table that take part, by role or by member. Empty outside a
    /// game.
    pub names: BTreeMap<String, String>,
    /// Roles that need a unit of the table: their inputs are not asked.
    pub waiting: Vec<RoleId>,
}

impl Form {
    /// An empty form of a chart, if the pack has it.
    pub fn new(pack: Arc<Pack>, chart: &str) -> Option<Form> {
        let place = pack.chart_id(chart)?;
        let members = if pack.charts()[place].each.is_some() {
            vec!["1".to_owned(), "2".to_owned()]
        } else {
            Vec::new()
        };
        let names = BTreeMap::new();
        Some(Form {
            pack,
            chart: place,
            given: BTreeMap::new(),
            members,
            wrong: Vec::new(),
            sliders: false,
            names,
            waiting: Vec::new(),
        })
    }

    /// The chart.
    pub fn chart(&self) -> &Chart {
        &self.pack.charts()[self.chart]
    }

    /// Handles a message.
    pub fn update(&mut self, message: Message) {
        match message {
            Message::Give(name, text) => self.give(&name, &text),
            Message::Unsay(name) => {
                self.given.remove(&name);
                self.wrong.retain(|wrong| wrong.name != name);
            }
            Message::Add => {
                let free = (1..).map(|n| n.to_string()).find(|name| !self.members.contains(name));
                self.members.extend(free.filter(|_| self.members.len() < 30));
            }
            Message::Drop(member) => {
                self.members.retain(|known| *known != member);
                let role = self.each_role().map(str::to_owned).unwrap_or_default();
                let of_member = format!("{role}.{member}.");
                self.given.retain(|name, _| !name.starts_with(&of_member));
            }
            Message::Clear => {
                self.given.clear();
                self.wrong.clear();
            }
        }
    }

    /// Sets an input. A value that is not accepted is shown with the reason.
    pub fn give(&mut self, name: &str, text: &str) {
        let text = text.trim();
        self.wrong.retain(|wrong| wrong.name != name);
        if text.is_empty() {
            self.given.remove(name);
            return;
        }
        let tried = Situation::new(&self.pack, &self.chart().id)
            .and_then(|mut situation| situation.give(name, text));
        match tried {
            Ok(()) => drop(self.given.insert(name.to_owned(), text.to_owned())),
            // The label of the field is above the sentence.
            Err(error) => {
                self.wrong.push(FieldError {
                    name: name.to_owned(),
                    text: text.chars().take(60).collect(),
                    why: adjutant_wording::en::input_error_beside_name(&error),
                });
            }
        }
    }

    /// The role that several units take.
    pub fn each_role(&self) -> Option<&str> {
        let chart = self.chart();
        chart.each.as_ref().map(|each| chart.roles[each.role].id.as_str())
    }

    /// The name of one of several units.
    pub fn member_name(&self, member: &str) -> Option<String> {
        let role = self.each_role().filter(|_| self.members.iter().any(|known| known == member))?;
        Some(
            self.names
                .get(member)
                .cloned()
                .unwrap_or_else(|| words::member(&self.pack, role, member)),
        )
    }

    /// Puts the values into a situation of the same chart. Values that are not accepted are left
    /// out.
    pub fn fill(&self, situation: &mut Situation<'_>) {
        for member in &self.members {
            let _ = situation.give_member(member, []);
        }
        for (name, text) in &self.given {
            let _ = situation.give(name, text);
        }
    }

    /// The few modifiers with the shortest labels, for a place with little room.
    pub fn few_ticks(
        &self,
        situation: &Situation<'_>,
        wrap: Wrap<'_, Message>,
        most: usize,
    ) -> Markup {
        let look = Look { form: self, wrap, knows: &|_, _| None };
        let inputs = adjutant_engine::relevant(situation);
        let inputs = inputs.iter().map(|place| &self.chart().inputs[*place]).filter(is_modifier);
        let mut inputs: Vec<&Input> = inputs.collect();
        adjutant_dice::sort_by_key(&mut inputs, |input| input.own_label.chars().count());
        html! { div.form-ticks { div.ticks { @for input in inputs.into_iter().take(most) { (look.field(input, None)) } } } }
    }

    /// The HTML, for a situation with everything that is known.
    pub fn view(
        &self,
        situation: &Situation<'_>,
        wrap: Wrap<'_, Message>,
        knows: Knows<'_>,
    ) -> Markup {
        let chart = self.chart();
        let look = Look { form: self, wrap, knows };
        let relevant = adjutant_engine::relevant(situation);
        let waits = |place: &&InputId| {
            chart.inputs[**place].role.is_some_and(|role| self.waiting.contains(&role))
        };
        let relevant: Vec<InputId> =
            relevant.iter().filter(|place| !waits(place)).copied().collect();
        let each = chart.each.as_ref().map(|each| each.role);
        let shown: Vec<&Input> = relevant
            .iter()
            .map(|place| &chart.inputs[*place])
            .filter(|input| each.is_none() || input.role != each)
            .collect();
        let of_each: Vec<&Input> = relevant
            .iter()
            .map(|place| &chart.inputs[*place])
            .filter(|input| each.is_some() && input.role == each)
            .collect();
        let ticks = |input: &&&Input| is_modifier(input);
        let of_role = |role: RoleId| {
            shown.iter().filter(move |input| input.role == Some(role)).filter(|input| !ticks(input))
        };
        html! {
            @for input in shown.iter().filter(|input| input.role.is_none()).filter(|input| !ticks(input)) { (look.field(input, None)) }
            @for (place, role) in chart.roles.iter_enumerated().filter(|(place, _)| of_role(*place).next().is_some()) {
                fieldset.form-role {
                    legend { (words::role(&self.pack, &role.id)) @if let Some(name) = self.names.get(role.id.as_str()) { " " span.role-unit { (name) } } }
                    // First the numbers, side by side, then the toggles.
                    @for input in of_role(place).filter(|input| input.field.accepts != Accepts::YesNo) { (look.field(input, None)) }
                    @for input in of_role(place).filter(|input| input.field.accepts == Accepts::YesNo) { (look.field(input, None)) }
                }
            }
            @if let Some(role) = each {
                @if self.names.is_empty() { @for member in &self.members { (look.member(&chart.roles[role].id, member, &of_each)) } }
                @else if !of_each.is_empty() && !self.members.is_empty() { (look.grid(&chart.roles[role].id, &self.members, &of_each)) }
                @if self.names.is_empty() && !self.waiting.contains(&role) { button.button.button-quiet type="button" data-do=(act(&wrap(Message::Add))) { (words::add_member(&self.pack, &chart.roles[role].id)) } }
            }
            @if shown.iter().any(|input| ticks(&input)) {
                fieldset.form-ticks {
                    legend { (words::WHAT_HOLDS) }
                    div.ticks { @for input in shown.iter().filter(ticks) { (look.field(input, None)) } }
                }
            }
            (super::term::glossary(&self.pack, relevant.iter().map(|place| chart.inputs[*place].field.label.as_str())))
        }
    }
}

/// Whether an input is a toggle that no unit decides.
fn is_modifier(input: &&Input) -> bool {
    input.field.accepts == Accepts::YesNo && input.source == FilledFrom::Situation
}

/// What the fields of a form need.
pub(super) struct Look<'a> {
    pub(super) form: &'a Form,
    pub(super) wrap: Wrap<'a, Message>,
    pub(super) knows: Knows<'a>,
}

impl Look<'_> {
    fn member(&self, role: &str, member: &str, inputs: &[&Input]) -> Markup {
        html! {
            fieldset.form-role {
                legend {
                    @if let Some(name) = self.form.names.get(member) { (name) } @else { (words::member(&self.form.pack, role, member)) }
                    @if self.form.members.len() > 1 && self.form.names.is_empty() {
                        button.drop type="button" data-do=(act(&(self.wrap)(Message::Drop(member.to_owned())))) aria-label=(words::drop_member(&self.form.pack, role, member)) { (super::icon::close()) }
                    }
                }
                @for input in inputs.iter().filter(|input| input.field.accepts != Accepts::YesNo) { (self.field(input, Some(member))) }
                div.ticks { @for input in inputs.iter().filter(|input| input.field.accepts == Accepts::YesNo) { (self.field(input, Some(member))) } }
            }
        }
    }

    pub(super) fn worth(&self, input: &Input) -> Vec<(String, String)> {
        let place = self.form.chart().inputs.position(|known| known.name == input.name);
        let of_situation = place.filter(|_| input.source == FilledFrom::Situation);
        of_situation.map(|place| worth(self.form.chart(), place)).unwrap_or_default()
    }

    /// One input.
    fn field(&self, input: &Input, member: Option<&str>) -> Markup {
        let name =
            member.map_or_else(|| input.name.to_string(), |member| member_input(input, member));
        let given = self.form.given.get(&name);
        if given.is_none()
            && let Some(known) = (self.knows)(input, member)
        {
            return self.known(&name, input, &known);
        }
        let value = given.cloned().or_else(|| input.field.default.as_ref().map(Answer::to_string));
        let said = given.is_some();
        match &input.field.accepts {
            Accepts::YesNo => {
                self.tick(&name, input, value.as_deref() == Some("yes"), member.is_some())
            }
            Accepts::Choice { words } => self.segments(&name, input, words, value.as_deref()),
            Accepts::Number { from, to, step } => {
                self.stepper(&name, input, (*from, *to, *step), value.as_deref(), said)
            }
        }
    }

    /// The label of a toggle. Of two with the same label, each names its role.
    fn tick_label(&self, input: &Input, member: bool) -> String {
        let chart = self.form.chart();
        let apart = input.role.filter(|_| !member && input.source == FilledFrom::Situation);
        let twin = |role: &RoleId| {
            chart
                .inputs
                .iter()
                .any(|other| other.role != Some(*role) && other.field.label == input.field.label)
        };
        match apart.filter(twin) {
            Some(role) => format!(
                "{}: {}",
                words::role(&self.form.pack, &chart.roles[role].id),
                input.own_label
            ),
            None => input.own_label.to_string(),
        }
    }

    pub(super) fn give(&self, name: &str, text: &str) -> String {
        act(&(self.wrap)(Message::Give(name.to_owned(), text.to_owned())))
    }

    fn wrong_of(&self, name: &str) -> Option<&FieldError> {
        self.form.wrong.iter().find(|wrong| wrong.name == name)
    }

    pub(super) fn wrong(&self, name: &str) -> Markup {
        html! { @if let Some(wrong) = self.wrong_of(name) { p.wrong id=(format!("wrong-{name}")) role="alert" { (wrong.why) } } }
    }

    /// What a unit knows; a tap lets the player change it.
    fn known(&self, name: &str, input: &Input, known: &Known) -> Markup {
        let shown = shown_value(&input.field.accepts, &known.value);
        html! {
            div.field.field-known {
                span.field-label { (super::term::explained(&self.form.pack, &input.own_label)) }
                span.known-value { (shown) }
                @if !known.settled { button.known-change type="button" data-do=(self.give(name, &known.value)) aria-label=(words::change(&input.field.label)) { (words::CHANGE) } }
                span.known-from { (words::from_unit(&known.from)) }
            }
        }
    }

    fn tick(&self, name: &str, input: &Input, on: bool, member: bool) -> Markup {
        html! {
            label.tick {
                input type="checkbox" id=(format!("in-{name}")) checked[on] data-do=(self.give(name, if on { "no" } else { "yes" }));
                span.tick-box aria-hidden="true" { (super::icon::check()) }
                span.tick-text {
                    span.tick-label { (self.tick_label(input, member)) }
                    @if !input.field.note.is_empty() { span.hint { (input.field.note) } }
                }
                @for (amount, step) in self.worth(input) {
                    span.worth { b { (amount) } " " (step) }
                }
            }
        }
    }

    fn segments(
        &self,
        name: &str,
        input: &Input,
        choices: &[adjutant_dice::ChoiceWord],
        value: Option<&str>,
    ) -> Markup {
        let many = choices.len() > 4
            || choices.iter().map(|word| word.label.chars().count()).sum::<usize>() > 60;
        html! {
            fieldset.field.field-choice {
                legend.field-label { (input.own_label) }
                div.segments.segments-many[many] {
                    @for word in choices {
                        label.segment {
                            input type="radio" name=(name) id=(format!("in-{name}-{}", word.id)) checked[value == Some(word.id.as_str())] data-do=(self.give(name, &word.id));
                            span { (word.label) }
                        }
                    }
                }
                @if !input.field.note.is_empty() { p.hint { (input.field.note) } }
                (self.wrong(name))
            }
        }
    }

    fn stepper(
        &self,
        name: &str,
        input: &Input,
        (from, to, step): (Number, Number, Number),
        value: Option<&str>,
        said: bool,
    ) -> Markup {
        let id = format!("in-{name}");
        let wrong = self.wrong_of(name);
        let number = value.and_then(|text| text.parse::<Number>().ok());
        let start = Number::ZERO.max(from).min(to);
        let less = number.map_or(Some(start), |n| n.minus(step).ok()).filter(|n| *n >= from);
        let more = number.map_or(Some(start), |n| n.plus(step).ok()).filter(|n| *n <= to);
        let shown = wrong.map(|wrong| wrong.text.as_str()).or(value).unwrap_or_default();
        let button = |to: Option<Number>, word: String, sign: Markup| {
            html! {
                button.step type="button" tabindex="-1" disabled[to.is_none()] data-do=[to.map(|to| self.give(name, &to.to_string()))] aria-label=(word) { (sign) }
            }
        };
        html! {
            div.field.field-stepper.field-missing[value.is_none()] {
                label.field-label for=(id) { (input.own_label) @if value.is_none() { " " span.missing { (words::MISSING) } } }
                div.stepper {
                    (button(less, words::less(&input.field.label), super::icon::minus()))
                    input.stepper-value.stepper-default[!said] id=(id) type="text" inputmode=(if from < Number::ZERO || !step.is_whole() { "text" } else { "numeric" })
                        autocomplete="off" value=(shown) aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| format!("wrong-{name}"))] data-do=(self.give(name, VALUE));
                    (button(more, words::more(&input.field.label), super::icon::plus()))
                }
                @if self.form.sliders && step.is_whole() && to.minus(from).is_ok_and(|span| span <= Number::from(100)) {
                    input.slider id=(format!("slide-{name}")) type="range" min=(from) max=(to) step=(step) value=(number.unwrap_or(start)) aria-label=(input.field.label)
                        data-on="input" data-do=(self.give(name, VALUE));
                }
                @if !input.field.note.is_empty() { p.hint { (input.field.note) } }
                (self.wrong(name))
            }
        }
    }
}

/// The name of an input of one of several units.
pub(super) fn member_input(input: &Input, member: &str) -> String {
    match input.name.split_once('.') {
        Some((role, id)) => format!("{role}.{member}.{id}"),
        None => input.name.to_string(),
    }
}

/// What a circumstance adds, and to which of several rolls, if the chart says so plainly.
fn worth(chart: &Chart, input: InputId) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let several = chart.steps.iter().filter(|step| !step.add.is_empty()).count() > 1;
    // What an option decides as well, or what counts while the circumstance is absent, is not plain.
    let plain = |when: &adjutant_pack::Formula| {
        let origin = |slot: &Slot| chart.names[*slot].origin;
        let option = |slot: &Slot| matches!(origin(slot), NameSource::Option(_));
        !when.slots().iter().any(option)
            && !when.negated().iter().any(|slot| origin(slot) == NameSource::Input(input))
    };
    for step in &chart.steps {
        let adds = |modifier: &&adjutant_pack::Modifier| {
            modifier.names.contains(&input) && modifier.when.as_ref().is_some_and(plain)
        };
        for modifier in step.add.iter().filter(adds) {
            let Some(n) = modifier.amount.formula().constant().and_then(Value::number) else {
                continue;
            };
            let amount = match &modifier.amount {
                Amount::Plus(_) => n.signed(),
                Amount::Times(_) => format!("×{n}"),
                Amount::Dice(_) => words::dice_more(n),
            };
            let entry = (amount, if several { step.title.to_string() } else { String::new() });
            if !found.contains(&entry) {
                found.push(entry);
            }
        }
    }
    found
}

/// A value as it is displayed: the label of a word.
pub fn shown_value(accepts: &Accepts, value: &str) -> String {
    match accepts {
        Accepts::YesNo => if value == "yes" { words::YES } else { words::NO }.to_owned(),
        Accepts::Choice { words } => words
            .iter()
            .find(|word| word.id == value)
            .map_or(value.to_owned(), |word| word.label.to_string()),
        Accepts::Number { .. } => value.to_owned(),
    }
}

/// A value that is set once: an option, or what a table remembers. A toggle or a list.
pub fn setting(
    field: &adjutant_pack::Field,
    value: Option<String>,
    wrap: Wrap<'_, String>,
) -> Markup {
    let value = value.or_else(|| field.default.as_ref().map(Answer::to_string)).unwrap_or_default();
    html! {
        @match &field.accepts {
            Accepts::YesNo => {
                @let on = value == "yes";
                label.tick {
                    input type="checkbox" id=(format!("set-{}", field.id)) checked[on] data-do=(act(&wrap(if on { "no" } else { "yes" }.to_owned())));
                    span.tick-box aria-hidden="true" { (super::icon::check()) }
                    span.tick-text { span.tick-label { (field.label) } @if !field.note.is_empty() { span.hint { (field.note) } } }
                }
            },
            Accepts::Choice { words } => {
                label.field {
                    span.field-label { (field.label) }
                    select id=(format!("set-{}", field.id)) data-do=(act(&wrap(VALUE.to_owned()))) {
                        @for word in words { option value=(word.id) selected[value == word.id.as_str()] { (word.label) } }
                    }
                }
            },
            Accepts::Number { from, to, .. } => {
                label.field {
                    span.field-label { (field.label) }
                    input.field-number id=(format!("set-{}", field.id)) type="number" min=(from) max=(to) value=(value) data-do=(act(&wrap(VALUE.to_owned())));
                }
            },
        }
    }
}
