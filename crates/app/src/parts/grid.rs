//! Several units in one grid, for a chart that several roll at once: a line for each unit, a column
//! for each input.

use super::form::{Known, Look, member_input, shown_value};
use super::{VALUE, icon, term};
use adjutant_dice::{Accepts, Answer};
use adjutant_pack::Input;
use adjutant_wording::en::page::parts as words;
use maud::{Markup, html};

impl Look<'_> {
    /// Several units in one grid: a line for each, a column for each input.
    pub(super) fn grid(&self, role: &str, members: &[String], inputs: &[&Input]) -> Markup {
        let known = |member: &String| {
            let plain = inputs.iter().filter_map(|input| {
                let given = self.form.given.contains_key(&member_input(input, member));
                let known = (self.knows)(input, Some(member)).filter(|_| !given)?;
                Some((*input, known))
            });
            plain.collect::<Vec<_>>()
        };
        // What all units know is small print beside their names.
        let open = |input: &&&Input| {
            members
                .iter()
                .any(|member| !known(member).iter().any(|(other, _)| other.name == input.name))
        };
        let columns: Vec<&Input> = inputs.iter().filter(open).copied().collect();
        html! {
            div.grid-scroll { table.grid-form {
                thead { tr {
                    th scope="col" { (words::role(&self.form.pack, role)) }
                    @for input in &columns { th scope="col" { (term::explained(&self.form.pack, &input.own_label)) @for (amount, _) in self.worth(input) { " " span.worth { b { (amount) } } } } }
                } }
                tbody {
                    @for member in members {
                        @let known = known(member);
                        tr {
                            th scope="row" {
                                (self.form.names.get(member).cloned().unwrap_or_else(|| words::member(&self.form.pack, role, member)))
                                @for (input, value) in known.iter().filter(|(input, _)| input.field.accepts != Accepts::YesNo || value_is_yes(&known, input)) {
                                    " " span.grid-known { (known_in_short(input, value)) }
                                }
                            }
                            @for input in &columns { td { (self.cell(input, member, &known)) } }
                        }
                    }
                }
            } }
        }
    }

    /// One input of one unit, in a grid.
    fn cell(&self, input: &Input, member: &str, known: &[(&Input, Known)]) -> Markup {
        let name = member_input(input, member);
        let from_unit = known
            .iter()
            .find(|(other, _)| other.name == input.name)
            .map(|(_, known)| known.value.clone());
        let value = self
            .form
            .given
            .get(&name)
            .cloned()
            .or(from_unit)
            .or_else(|| input.field.default.as_ref().map(Answer::to_string));
        let label = words::for_unit(
            self.form.names.get(member).map_or(member, String::as_str),
            &input.own_label,
        );
        match &input.field.accepts {
            Accepts::YesNo => {
                let on = value.as_deref() == Some("yes");
                html! {
                    label.grid-tick {
                        input type="checkbox" id=(format!("in-{name}")) checked[on] aria-label=(label) data-do=(self.give(&name, if on { "no" } else { "yes" }));
                        span.tick-box aria-hidden="true" { (icon::check()) }
                    }
                }
            }
            Accepts::Choice { words: choices } => html! {
                select id=(format!("in-{name}")) aria-label=(label) data-do=(self.give(&name, VALUE)) {
                    option value="" selected[value.is_none()] { "–" }
                    @for word in choices { option value=(word.id) selected[value.as_deref() == Some(word.id.as_str())] { (word.label) } }
                }
            },
            Accepts::Number { .. } => html! {
                input.grid-number id=(format!("in-{name}")) type="text" inputmode="numeric" autocomplete="off" aria-label=(label) value=(value.unwrap_or_default()) data-do=(self.give(&name, VALUE));
                (self.wrong(&name))
            },
        }
    }
}

/// Whether a unit says yes to an input.
fn value_is_yes(known: &[(&Input, Known)], input: &Input) -> bool {
    known.iter().any(|(other, known)| other.name == input.name && known.value == "yes")
}

/// What a unit knows, for a place with little room.
fn known_in_short(input: &Input, known: &Known) -> String {
    match &input.field.accepts {
        Accepts::YesNo => input.own_label.to_string(),
        accepts => format!("{}\u{a0}{}", input.own_label, shown_value(accepts, &known.value)),
    }
}
