//! An input that is varied: which one, and its range. The lab and the fights use it. In an address
//! it is `firer.ap,1..8`.

use super::{VALUE, Wrap, act};
use adjutant_dice::{Accepts, Number};
use adjutant_pack::Field;
use adjutant_wording::en::page::lab as words;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// How many values are shown by default.
const USUAL: usize = 13;

/// An axis of a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// The input; empty if none is varied.
    pub name: String,
    /// The first value; none for the default.
    pub from: Option<Number>,
    /// The last value; none for the default.
    pub to: Option<Number>,
}

/// What the player can do with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Another input; empty for none.
    Vary(String),
    /// Another first value.
    From(String),
    /// Another last value.
    To(String),
}

impl Axis {
    /// Reads it from an address.
    pub fn read(text: &str) -> Axis {
        let (name, ends) = text.split_once(',').unwrap_or((text, ""));
        let (from, to) = ends.split_once("..").unwrap_or_default();
        Axis { name: name.to_owned(), from: from.parse().ok(), to: to.parse().ok() }
    }

    /// Writes it for an address.
    pub fn write(&self) -> String {
        let end = |n: Option<Number>| n.map(|n| n.to_string()).unwrap_or_default();
        match (self.from, self.to) {
            (None, None) => self.name.clone(),
            (from, to) => format!("{},{}..{}", self.name, end(from), end(to)),
        }
    }

    /// Handles a message.
    pub fn update(&mut self, message: Message) {
        match message {
            Message::Vary(name) => *self = Axis { name, ..Axis::default() },
            Message::From(text) => self.from = text.trim().parse().ok(),
            Message::To(text) => self.to = text.trim().parse().ok(),
        }
    }

    /// Its values; around the current value if no range is set.
    pub fn values(&self, field: &Field, now: Option<&str>, most: usize) -> Vec<String> {
        match &field.accepts {
            Accepts::YesNo => vec!["no".into(), "yes".into()],
            Accepts::Choice { words } => {
                words.iter().take(most).map(|word| word.id.to_string()).collect()
            }
            Accepts::Number { from, to, step } => {
                let (first, last) = self.window((*from, *to, *step), now);
                let mut list = Vec::new();
                let mut at = first;
                while at <= last && list.len() < most {
                    list.push(at.to_string());
                    match at.plus(*step) {
                        Ok(next) => at = next,
                        Err(_) => break,
                    }
                }
                list
            }
        }
    }

    /// The range, on the steps of the input.
    fn window(
        &self,
        (from, to, step): (Number, Number, Number),
        now: Option<&str>,
    ) -> (Number, Number) {
        let usual = |n: usize| step.times(Number::from(n as u32)).unwrap_or(step);
        let here = now.and_then(|text| text.parse().ok()).unwrap_or(Number::ZERO).max(from).min(to);
        let on_step = |n: Number| {
            let steps =
                n.minus(from).and_then(|span| span.over(step)).map_or(Number::ZERO, Number::floor);
            step.times(steps).and_then(|span| span.plus(from)).unwrap_or(from)
        };
        let first = self.from.unwrap_or_else(|| {
            let least = to.minus(usual(USUAL - 1)).unwrap_or(from);
            here.minus(usual(USUAL / 2)).unwrap_or(from).min(least)
        });
        let first = on_step(first.max(from).min(to));
        let last = self
            .to
            .unwrap_or_else(|| first.plus(usual(USUAL - 1)).unwrap_or(to))
            .min(to)
            .max(first);
        (first, last)
    }

    /// The list of inputs, and the range of a number. `id` distinguishes it from another axis on
    /// the page.
    pub fn view(
        &self,
        id: &str,
        label: &str,
        inputs: &[(String, &Field)],
        values: &[String],
        none: Option<&str>,
        wrap: Wrap<'_, Message>,
    ) -> Markup {
        let number = inputs.iter().any(|(name, field)| {
            *name == self.name && matches!(field.accepts, Accepts::Number { .. })
        });
        let end = |which: &str, label: &str, value: Option<&String>, message: Message| {
            html! {
                label.axis-end { span.visually-hidden { (label) } input type="text" id=(format!("{id}-{which}")) inputmode="text" autocomplete="off" value=[value] data-do=(act(&wrap(message))); }
            }
        };
        html! {
            div.axis {
                label.field {
                    span.field-label { (label) }
                    select id=(id) data-do=(act(&wrap(Message::Vary(VALUE.into())))) {
                        @if let Some(none) = none { option value="" selected[self.name.is_empty()] { (none) } }
                        @for (name, field) in inputs { option value=(name) selected[*name == self.name] { (field.label) } }
                    }
                }
                @if number {
                    (end("from", words::FROM, values.first(), Message::From(VALUE.into())))
                    span.axis-to aria-hidden="true" { "–" }
                    (end("to", words::TO, values.last(), Message::To(VALUE.into())))
                }
            }
        }
    }
}

/// A value as it is displayed.
pub fn shown(field: &Field, value: &str) -> String {
    super::form::shown_value(&field.accepts, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_values_stay_in_bounds() {
        for text in ["firer.ap", "firer.ap,1..8", "x,-3..", "y,..½"] {
            let axis = Axis::read(text);
            assert_eq!(Axis::read(&axis.write()), axis, "{text}");
        }
        let accepts =
            Accepts::Number { from: Number::from(-30), to: Number::from(30), step: Number::ONE };
        let field = Field {
            id: "n".into(),
            label: "N".into(),
            note: String::new(),
            accepts,
            default: None,
            start: None,
        };
        let values = |text: &str, now: &str| Axis::read(text).values(&field, Some(now), 40);
        assert_eq!(values("n", "3").first().map(String::as_str), Some("-3"));
        assert_eq!(values("n", "30").last().map(String::as_str), Some("30"));
        assert_eq!(values("n", "30").len(), 13);
        assert_eq!(values("n,28..99", "0"), ["28", "29", "30"]);
        assert_eq!(values("n,5..1", "0"), ["5"]);
        assert_eq!(values("n,-1000..1000", "0").len(), 40);
    }
}
