//! A field of a form outside a chart: a number as a stepper with a slider, a choice as segments,
//! yes or no as a toggle. Fights and decks use it; the form of a chart has its own fields, which
//! know units and modifiers.

use super::{VALUE, Wrap, act, icon};
use adjutant_dice::{Accepts, Answer, Number};
use adjutant_pack::Field;
use adjutant_wording::en::page::parts as words;
use maud::{Markup, html};

/// A field with its value or default, whether it is required, and a value that was not accepted
/// with the reason.
pub fn view(
    name: &str,
    field: &Field,
    said: Option<&str>,
    needed: bool,
    wrong: Option<&(String, String)>,
    wrap: Wrap<'_, String>,
) -> Markup {
    let value = said.map(str::to_owned).or_else(|| field.default.as_ref().map(Answer::to_string));
    let note = html! { @if !field.note.is_empty() { p.hint { (field.note) } } };
    match &field.accepts {
        Accepts::YesNo => {
            let on = value.as_deref() == Some("yes");
            html! {
                label.tick {
                    input type="checkbox" id=(format!("in-{name}")) checked[on] data-do=(act(&wrap(if on { "no" } else { "yes" }.into())));
                    span.tick-box aria-hidden="true" { (icon::check()) }
                    span.tick-text { span.tick-label { (field.label) } @if !field.note.is_empty() { span.hint { (field.note) } } }
                }
            }
        }
        Accepts::Choice { words } => html! {
            fieldset.field.field-choice {
                legend.field-label { (field.label) }
                div.segments.segments-many[words.len() > 4] {
                    @for word in words {
                        label.segment {
                            input type="radio" name=(name) id=(format!("in-{name}-{}", word.id)) checked[value.as_deref() == Some(word.id.as_str())] data-do=(act(&wrap(word.id.to_string())));
                            span { (word.label) }
                        }
                    }
                }
                (note)
            }
        },
        Accepts::Number { from, to, step } => number(
            name,
            field,
            (*from, *to, *step),
            (value.as_deref(), said.is_some(), needed),
            wrong,
            &note,
            wrap,
        ),
    }
}

fn number(
    name: &str,
    field: &Field,
    (from, to, step): (Number, Number, Number),
    (value, said, needed): (Option<&str>, bool, bool),
    wrong: Option<&(String, String)>,
    note: &Markup,
    wrap: Wrap<'_, String>,
) -> Markup {
    let id = format!("in-{name}");
    let now = value.and_then(|text| text.parse::<Number>().ok());
    let start = Number::ZERO.max(from).min(to);
    let less = now.map_or(Some(start), |n| n.minus(step).ok()).filter(|n| *n >= from);
    let more = now.map_or(Some(start), |n| n.plus(step).ok()).filter(|n| *n <= to);
    let shown = wrong.map(|(text, _)| text.as_str()).or(value).unwrap_or_default();
    let button = |to: Option<Number>, word: String, sign: Markup| {
        html! { button.step type="button" tabindex="-1" disabled[to.is_none()] data-do=[to.map(|to| act(&wrap(to.to_string())))] aria-label=(word) { (sign) } }
    };
    let slides = step.is_whole() && to.minus(from).is_ok_and(|span| span <= Number::from(100));
    html! {
        div.field.field-stepper.field-missing[needed] {
            label.field-label for=(id) { (field.label) @if needed { " " span.missing { (words::MISSING) } } }
            div.stepper {
                (button(less, words::less(&field.label), icon::minus()))
                input.stepper-value.stepper-default[!said] id=(id) type="text" inputmode=(if from < Number::ZERO || !step.is_whole() { "text" } else { "numeric" })
                    autocomplete="off" value=(shown) aria-invalid=[wrong.map(|_| "true")] data-do=(act(&wrap(VALUE.into())));
                (button(more, words::more(&field.label), icon::plus()))
            }
            @if slides {
                input.slider id=(format!("slide-{name}")) type="range" min=(from) max=(to) step=(step) value=(now.unwrap_or(start)) aria-label=(field.label)
                    data-on="input" data-do=(act(&wrap(VALUE.into())));
            }
            (note)
            @if let Some((_, why)) = wrong { p.wrong role="alert" { (why) } }
        }
    }
}
