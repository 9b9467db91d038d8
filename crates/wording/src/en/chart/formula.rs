//! Formulas in players' words. A pack writes `close && !firer.suppressed`; a printed sheet says
//! “Target within 4 and not firer Suppressed”. Inputs, options and steps appear by their labels,
//! and words of choices as they are shown.

use super::ChartWords;
use adjutant_dice::{Accepts, Text};
use adjutant_pack::{
    DeckCount, DieTally, Expr, FacePart, Facet, FilledFrom, Func, HeadingKey, InputId, KeyedValue,
    Modifier, NameSource, Op, Slot, StepKind, Value, Word,
};

/// The tallies of a roll or draw.
fn tallies(kind: &StepKind) -> &[DieTally] {
    match kind {
        StepKind::Roll(roll) => &roll.tally,
        StepKind::Draw(draw) => draw.several.as_ref().map_or(&[], |several| &several.tally),
        _ => &[],
    }
}

/// The precedence of an operator.
fn binds(op: Op) -> u8 {
    match op {
        Op::Or => 1,
        Op::And => 2,
        Op::Same | Op::Differs | Op::Below | Op::AtMost | Op::Above | Op::AtLeast => 3,
        Op::Plus | Op::Minus => 4,
        Op::Times | Op::Over => 5,
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Plus => "+",
        Op::Minus => "−",
        Op::Times => "×",
        Op::Over => "÷",
        Op::Same => "=",
        Op::Differs => "≠",
        Op::Below => "<",
        Op::AtMost => "≤",
        Op::Above => ">",
        Op::AtLeast => "≥",
        Op::And => "and",
        Op::Or => "or",
    }
}

impl<'p> ChartWords<'p> {
    /// The choice of the player that the modifier depends on, in players' words: `Ammunition: AP`.
    /// Only where the label does not say so, because the amount is a value and the label is the
    /// name of that value.
    pub(super) fn choice(self, modifier: &Modifier) -> Option<String> {
        let when =
            modifier.when.as_ref().filter(|_| modifier.amount.formula().constant().is_none())?;
        let mut parts = Vec::new();
        all_of(&when.expr, &mut parts);
        let chosen: Vec<String> = parts
            .into_iter()
            .filter(|part| self.is_choice(part))
            .map(|part| self.expr(part, binds(Op::And)))
            .collect();
        (!chosen.is_empty()).then(|| chosen.join(" and "))
    }

    pub(super) fn expr(self, expr: &Expr, around: u8) -> String {
        let (text, own) = match expr {
            Expr::Fixed(value) => (self.fixed(*value), 9),
            Expr::Slot(slot) => (self.name(*slot), 9),
            Expr::Not(inner) => (format!("not {}", self.expr(inner, 6)), 6),
            Expr::Negative(inner) => (format!("−{}", self.expr(inner, 6)), 6),
            Expr::Pair(op, a, b) if self.is_face(a) => (self.shown(*op, b), 3),
            Expr::Pair(op @ (Op::Same | Op::Differs), a, b) => match (&**a, &**b) {
                (Expr::Slot(slot), Expr::Fixed(Value::Word(word)))
                | (Expr::Fixed(Value::Word(word)), Expr::Slot(slot)) => {
                    let joint = if *op == Op::Same { ":" } else { " other than" };
                    (format!("{}{joint} {}", self.name(*slot), self.word(*slot, *word)), 3)
                }
                _ => self.pair(*op, a, b),
            },
            Expr::Pair(op, a, b) => self.pair(*op, a, b),
            Expr::Call(func, parts) => self.call(*func, parts),
        };
        if own < around { format!("({text})") } else { text }
    }

    /// Whether an expression is the face of one die.
    fn is_face(self, expr: &Expr) -> bool {
        let Expr::Slot(slot) = expr else { return false };
        let origin = self.chart.names.get(*slot).map(|name| name.origin);
        matches!(origin, Some(NameSource::Face(_, FacePart::Face)))
    }

    /// What a die shows: `5 or more`, `6`, `Shell`.
    fn shown(self, op: Op, limit: &Expr) -> String {
        let limit = match limit {
            Expr::Fixed(Value::Word(word)) => self.title_of(*word),
            other => self.expr(other, 4),
        };
        match op {
            Op::AtLeast => format!("{limit} or more"),
            Op::AtMost => format!("{limit} or less"),
            Op::Above => format!("more than {limit}"),
            Op::Below => format!("less than {limit}"),
            Op::Differs => format!("other than {limit}"),
            Op::Same => limit,
            _ => format!("its face {} {limit}", sign(op)),
        }
    }

    /// A word as players read it, where its name does not say what it is of: a heading or row of
    /// the chart, a face, a word of a list, a result, a status or a choice of the pack.
    pub(super) fn title_of(self, word: Word) -> String {
        let (pack, chart, id) = (self.pack, self.chart, self.pack.words().text(word));
        let heading = || {
            let column = chart.read.column.as_ref()?;
            let place = column.keys.position(|key| *key == HeadingKey::Word(word))?;
            column.heads.get(place).map(String::as_str)
        };
        let row = || {
            let rows = chart.read.rows.iter().filter(|row| !row.label.is_empty());
            rows.clone().find(|row| row.is_word == Some(word)).map(|row| row.label.as_str())
        };
        let face = || {
            let mut faces = pack.dice().iter().flat_map(|die| &die.faces);
            faces.find(|face| face.value == Value::Word(word)).map(|face| face.title.as_str())
        };
        let listed = || {
            let mut words = pack.lists().iter().flat_map(|list| &list.words);
            words.find(|known| known.word == word).map(|known| known.title.as_str())
        };
        let result =
            || pack.results().iter().find(|known| known.id == id).map(|known| known.title.as_str());
        let status = || {
            pack.statuses().iter().find(|known| known.id == id).map(|known| known.title.as_str())
        };
        let chosen = || {
            let units = pack.kinds().iter().flat_map(|kind| &kind.has);
            let inputs = chart.inputs.iter().map(|input| &input.field);
            let options = pack.options().iter().map(|option| &option.field);
            let mut fields = inputs.chain(units).chain(options).chain(pack.memory());
            fields.find_map(|field| label_of(&field.accepts, id))
        };
        let known = heading().or_else(row).or_else(face).or_else(listed).or_else(result);
        let known = known.or_else(status).or_else(chosen);
        known.map_or_else(|| id.replace('_', " "), str::to_owned)
    }

    /// Whether an expression depends only on the player's answers to questions of the chart.
    fn is_choice(self, expr: &Expr) -> bool {
        match expr {
            Expr::Pair(Op::Same | Op::Differs, a, b) => match (&**a, &**b) {
                (Expr::Slot(slot), Expr::Fixed(Value::Word(_)))
                | (Expr::Fixed(Value::Word(_)), Expr::Slot(slot)) => {
                    let input =
                        |input: InputId| self.chart.inputs[input].source == FilledFrom::Situation;
                    matches!(self.chart.names.get(*slot).map(|name| name.origin), Some(NameSource::Input(place)) if input(place))
                }
                _ => false,
            },
            Expr::Pair(Op::And | Op::Or, a, b) => self.is_choice(a) && self.is_choice(b),
            Expr::Not(inner) => self.is_choice(inner),
            _ => false,
        }
    }

    fn pair(self, op: Op, a: &Expr, b: &Expr) -> (String, u8) {
        let own = binds(op);
        // The right operand of a minus or a division needs brackets if it has the same precedence.
        let right = if matches!(op, Op::Minus | Op::Over) { own + 1 } else { own };
        // So do both sides of a comparison: “the least of 2 and 3 > 1” could be read in two ways.
        let (left, right) = if own == 3 { (4, 4) } else { (own, right) };
        (format!("{} {} {}", self.expr(a, left), sign(op), self.expr(b, right)), own)
    }

    fn call(self, func: Func, parts: &[Expr]) -> (String, u8) {
        let list = || parts.iter().map(|part| self.expr(part, 4)).collect::<Vec<_>>();
        match (func, parts) {
            (Func::Min, _) => (format!("the least of {}", list().join(" and ")), 3),
            (Func::Max, _) => (format!("the greatest of {}", list().join(" and ")), 3),
            (Func::Floor, [only]) => (format!("{}, rounded down", self.expr(only, 4)), 0),
            (Func::Ceil, [only]) => (format!("{}, rounded up", self.expr(only, 4)), 0),
            (Func::Abs, [only]) => (format!("{} without its sign", self.expr(only, 4)), 3),
            (Func::If, [when, then, other]) => {
                if let Some(text) = self.keyed(when, then, other) {
                    return (text, 9);
                }
                // Only a chain of conditions goes on after “else” without brackets.
                let chain = matches!(other, Expr::Call(Func::If, _));
                let other = self.expr(other, if chain { 0 } else { 1 });
                (format!("{} if {}, else {other}", self.expr(then, 3), self.expr(when, 1)), 0)
            }
            _ => (list().join(", "), 0),
        }
    }

    /// A value by a word: `armour[place]` is a chain of conditions, one for each word.
    fn keyed(self, when: &Expr, then: &Expr, other: &Expr) -> Option<String> {
        let Expr::Pair(Op::Same, key, word) = when else { return None };
        let (Expr::Fixed(Value::Word(_)), value) = (&**word, self.value_by_word(then)?) else {
            return None;
        };
        let mut rest = other;
        loop {
            rest = match rest {
                Expr::Call(Func::If, parts) => {
                    let [Expr::Pair(Op::Same, same, _), then, other] = parts.as_slice() else {
                        return None;
                    };
                    if same != key || self.value_by_word(then)? != value {
                        return None;
                    }
                    other
                }
                Expr::Fixed(Value::Number(n)) if *n == adjutant_dice::Number::ZERO => break,
                last if self.value_by_word(last)? == value => break,
                _ => return None,
            };
        }
        Some(format!("{} ({})", value.label, self.expr(key, 0)))
    }

    /// The value by a word that an attribute belongs to.
    fn value_by_word(self, expr: &Expr) -> Option<KeyedValue> {
        let Expr::Slot(slot) = expr else { return None };
        let NameSource::Input(input) = self.chart.names.get(*slot)?.origin else { return None };
        let (role, id) = (self.chart.inputs[input].role?, &self.chart.inputs[input].name);
        let (_, id) = id.split_once('.')?;
        let kind = &self.pack.kinds()[self.chart.roles[role].kind];
        kind.keyed.iter().find(|keyed| keyed.attributes.iter().any(|known| known == id)).cloned()
    }

    fn fixed(self, value: Value) -> String {
        match value {
            Value::Number(n) => n.to_string().replace('-', "−"),
            Value::YesNo(true) => "yes".into(),
            Value::YesNo(false) => "no".into(),
            Value::Word(word) => self.title_of(word),
        }
    }

    pub(super) fn name(self, slot: Slot) -> String {
        let Some(name) = self.chart.names.get(slot) else { return String::new() };
        let (pack, chart) = (self.pack, self.chart);
        match name.origin {
            NameSource::Input(input) => self.input(input),
            NameSource::Option(option) => pack.options()[option].field.label.to_string(),
            NameSource::Memory(memory) => pack.memory()[memory].label.to_string(),
            NameSource::Step(step, facet) => {
                self.facet(&chart.steps[step].title, &chart.steps[step].kind, facet)
            }
            NameSource::Again(step, rule, _) => {
                let look_up =
                    chart.steps[step].again.get(rule).and_then(|again| again.look_up.as_ref());
                look_up.map_or_else(
                    || name.text.to_string(),
                    |look_up| pack.charts()[look_up.chart].title.to_string(),
                )
            }
            NameSource::Place => "place in the order".into(),
            NameSource::Nth => "place in the series".into(),
            NameSource::Cell => "number in the table".into(),
            NameSource::Score => "score".into(),
            NameSource::Value => "value".into(),
            NameSource::Other => self.other(&name.text),
            NameSource::Face(_, FacePart::Face) => "its face".into(),
            NameSource::Face(_, FacePart::Field(field)) => {
                pack.words().text(field).replace('_', " ")
            }
            NameSource::Face(_, FacePart::Die) => "the die".into(),
            NameSource::Face(_, FacePart::Sides) => "its highest face".into(),
            NameSource::Face(step, FacePart::Card(field)) => match &self.chart.steps[step].kind {
                StepKind::Draw(draw) => pack.decks()[draw.deck].fields[field].label.to_string(),
                _ => name.text.to_string(),
            },
            NameSource::Deck(deck, count) => {
                let deck = &pack.decks()[deck];
                match count {
                    DeckCount::Left => format!("cards left in {}", deck.title),
                    DeckCount::Hand => format!("cards of {} in hand", deck.title),
                    DeckCount::Pile(pile) => {
                        let pile = deck.piles.get(pile as usize).map_or("", |pile| pile.as_str());
                        format!("cards of {} on the pile {pile}", deck.title)
                    }
                }
            }
        }
    }

    pub(super) fn input(self, place: InputId) -> String {
        let input = &self.chart.inputs[place];
        let role = input
            .role
            .map(|role| self.chart.roles[role].id.as_str())
            .filter(|_| self.chart.roles.len() > 1);
        match (input.source, role) {
            (FilledFrom::Status(status), Some(role)) => {
                format!("{role} {}", self.pack.statuses()[status].title)
            }
            (FilledFrom::Status(status), None) => self.pack.statuses()[status].title.to_string(),
            // The role is named only if the chart has several.
            (FilledFrom::Attribute(_), Some(role))
                if input.field.accepts == adjutant_dice::Accepts::YesNo =>
            {
                format!("{role}: {}", input.own_label)
            }
            (FilledFrom::Attribute(_), Some(role)) => format!("{role}'s {}", input.own_label),
            (FilledFrom::Attribute(_), None) => input.own_label.to_string(),
            (_, Some(role))
                if self
                    .chart
                    .inputs
                    .iter()
                    .filter(|other| other.field.label == input.field.label)
                    .count()
                    > 1 =>
            {
                format!("{} of {role}", input.field.label)
            }
            _ => input.field.label.to_string(),
        }
    }

    fn facet(self, title: &Text, kind: &StepKind, facet: Facet) -> String {
        // The title of a step may also say how it is rolled: “Figure: Rep d6, each 1 to 3 a
        // success”.
        let title = title.split([':', ';', '(']).next().unwrap_or(title).trim();
        match (facet, kind) {
            (Facet::Natural, _) => format!("natural {title}"),
            (Facet::Dice, StepKind::Draw(_)) => format!("cards of {title}"),
            (Facet::Dice, _) => format!("dice of {title}"),
            (Facet::Highest, _) => format!("highest of {title}"),
            (Facet::Lowest, _) => format!("lowest of {title}"),
            (Facet::Doubles, _) => format!("doubles in {title}"),
            (Facet::Die(n), _) => format!("die {n} of {title}"),
            (Facet::High(1), _) => format!("highest of {title}"),
            (Facet::High(n), _) => format!("{} highest of {title}", ordinal(n)),
            (Facet::Field(field), StepKind::Draw(draw)) => {
                self.pack.decks()[draw.deck].fields[field].label.to_string()
            }
            (Facet::Blank, _) => format!("{title} blank"),
            (Facet::Card, _) => "card's number".into(),
            (Facet::Tally(place), StepKind::Roll(_) | StepKind::Draw(_)) => tallies(kind)
                .get(place as usize)
                .map_or_else(String::new, |tally| tally.name.as_str().replace('_', " ")),
            (Facet::FaceField(word), _) => self.pack.words().text(word).replace('_', " "),
            (Facet::FaceCount(word), _) => format!("dice showing {}", self.title_of(word)),
            (Facet::Width, _) => format!("most dice of {title} that show the same"),
            (Facet::Height, _) => format!("the face that most dice of {title} show"),
            (Facet::Pair, _) => format!("highest pair of {title}"),
            (Facet::Pairs, _) => format!("pairs of {title}"),
            (Facet::Run, _) => format!("longest run of {title}"),
            (Facet::Rerolled, _) => format!("re-rolled dice of {title}"),
            (Facet::Again, _) => format!("times {title} was rolled again"),
            (Facet::Filled, _) => format!("boxes filled by {title}"),
            (Facet::Partly, _) => "what is in the last box".into(),
            _ => title.to_string(),
        }
    }

    /// An attribute or status of another unit: `other.broken`.
    fn other(self, text: &str) -> String {
        let id = text.rsplit('.').next().unwrap_or(text);
        if let Some(status) = self.pack.statuses().iter().find(|status| status.id == id) {
            return status.title.to_string();
        }
        let field =
            self.pack.kinds().iter().flat_map(|kind| &kind.has).find(|field| field.id == id);
        field.map_or_else(|| text.to_owned(), |field| field.label.to_string())
    }

    /// What a name accepts, if it is a choice that a field declares.
    pub(super) fn accepts(self, slot: Slot) -> Option<&'p Accepts> {
        let chart = self.chart;
        match self.chart.names.get(slot)?.origin {
            NameSource::Input(input) => Some(&chart.inputs[input].field.accepts),
            NameSource::Option(option) => Some(&self.pack.options()[option].field.accepts),
            NameSource::Memory(memory) => Some(&self.pack.memory()[memory].accepts),
            NameSource::Step(step, Facet::Total) => match &chart.steps[step].kind {
                StepKind::Ask(field) => Some(&field.accepts),
                _ => None,
            },
            _ => None,
        }
    }

    /// A word of a choice as it is shown for this name.
    pub(super) fn word(self, slot: Slot, word: Word) -> String {
        let id = self.pack.words().text(word);
        let of_card = || {
            let NameSource::Step(step, Facet::Field(field)) = self.chart.names.get(slot)?.origin
            else {
                return None;
            };
            let StepKind::Draw(draw) = &self.chart.steps[step].kind else { return None };
            let words = self.pack.decks()[draw.deck].fields[field].kind.words()?;
            words.iter().find(|known| known.id == id).map(|known| known.label.as_str())
        };
        let label = self.accepts(slot).and_then(|accepts| label_of(accepts, id)).or_else(of_card);
        label.map_or_else(|| self.title_of(word), str::to_owned)
    }
}

/// The label of a word of a choice.
fn label_of<'a>(accepts: &'a Accepts, id: &str) -> Option<&'a str> {
    let known = accepts.words()?.iter().find(|known| known.id == id)?;
    Some(known.label.as_str())
}

/// Collects the operands of nested `and`s.
pub(super) fn all_of<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Pair(Op::And, a, b) => {
            all_of(a, parts);
            all_of(b, parts);
        }
        one => parts.push(one),
    }
}

/// `2nd`, `3rd`, `4th`.
fn ordinal(n: u32) -> String {
    let ending = match n {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}
