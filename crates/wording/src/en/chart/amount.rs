//! The amount of a modifier, from its typed expression: the sign, and what the value is. Every
//! print and every screen shows these parts.

use super::{ChartWords, Spelling};
use adjutant_dice::Number;
use adjutant_pack::{
    Amount, Expr, FilledFrom, Formula, Func, Modifier, NameSource, Op, RolledDie, Slot, Step,
    StepKind, Type, Value, Word,
};

/// What a modifier does to the total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountText {
    /// Whether the value is added, taken off, or multiplies the total.
    pub sign: AmountSign,
    /// The value.
    pub value: AmountValue,
    /// What the value counts, if it counts dice: `d6`.
    pub die: Option<String>,
    /// The author's words for the value and its condition.
    pub said: Option<String>,
}

/// What is done with the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountSign {
    /// Added.
    Plus,
    /// Taken off.
    Minus,
    /// Multiplied.
    Times,
}

/// The value of a modifier, without the sign in front of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AmountValue {
    /// A number.
    Fixed(Number),
    /// The value of one name. The label of a modifier usually is that name, or stands for it.
    Named {
        /// The name.
        name: String,
        /// Whether the label contains it.
        in_label: bool,
    },
    /// A number for each word.
    ByWord {
        /// What the words are of.
        of: String,
        /// The words with their numbers.
        numbers: Vec<(String, Number)>,
        /// The number of all other words, if there are others.
        otherwise: Option<Number>,
    },
    /// A formula in words.
    Formula(String),
}

impl AmountText {
    /// The amount in a column of amounts: `+1`, `× ½`, `−1d6`. A value that is not a number is
    /// called by this word: `+ value`.
    pub fn figure(&self, value: &str) -> String {
        let sign = match self.sign {
            AmountSign::Plus => '+',
            AmountSign::Minus => '−',
            AmountSign::Times => '×',
        };
        let dice = |one: bool| match self.die.as_deref() {
            Some(" dice") if one => " die",
            Some(die) => die,
            None => "",
        };
        match self.value {
            AmountValue::Fixed(n) if self.sign == AmountSign::Times => format!("× {}", number(n)),
            AmountValue::Fixed(n) => format!("{sign}{}{}", number(n), dice(n == Number::ONE)),
            // An addend as a pack writes it may have its own sign: `-rep + 3`.
            _ if self.die.is_none() && self.sign == AmountSign::Plus && value.starts_with('-') => {
                value.to_owned()
            }
            _ if value.is_empty() => format!("{sign}{}", dice(false)),
            _ if dice(false).is_empty() => format!("{sign} {value}"),
            _ => format!("{sign} {value} {}", dice(false).trim_start()),
        }
    }

    /// What the value is, if it is neither a number nor a single name.
    pub fn words(&self) -> Option<String> {
        if let Some(said) = &self.said {
            return Some(said.clone());
        }
        match &self.value {
            AmountValue::Fixed(_) | AmountValue::Named { .. } => None,
            AmountValue::Formula(words) => Some(words.clone()),
            AmountValue::ByWord { of, numbers, otherwise } => {
                let known = numbers.iter().map(|(word, n)| format!("{word} {}", number(*n)));
                let rest = otherwise.map(|n| format!("otherwise {}", number(n)));
                Some(format!("by {of}: {}", known.chain(rest).collect::<Vec<_>>().join(", ")))
            }
        }
    }

    /// The same as a sentence about the word that [`figure`](Self::figure) uses: `value = Hull ÷ 4`.
    pub fn spelt(&self) -> Option<String> {
        let words = self.words()?;
        Some(match (&self.said, &self.value) {
            (Some(_), _) => words,
            (None, AmountValue::ByWord { .. }) => format!("value {words}"),
            (None, _) => format!("value = {words}"),
        })
    }
}

/// A number with a true minus sign and with halves.
pub fn number(n: Number) -> String {
    let minus = if n < Number::ZERO { "−" } else { "" };
    let (whole, twice) = (n.abs().floor(), n.plus(n).ok().and_then(Number::as_whole));
    match (n.as_whole(), twice) {
        (None, Some(_)) if whole == Number::ZERO => format!("{minus}½"),
        (None, Some(_)) => format!("{minus}{whole}½"),
        _ => format!("{minus}{}", n.abs()),
    }
}

impl ChartWords<'_> {
    /// The amount of a modifier of a step with this die.
    pub fn amount(self, modifier: &Modifier, die: &str) -> AmountText {
        let formula = modifier.amount.formula();
        let (minus, expr) = match modifier.amount {
            Amount::Times(_) => (false, &formula.expr),
            // A formula as it is written has its own sign; words instead of it have none.
            _ if self.spelling == Spelling::AsWritten && modifier.text.is_empty() => {
                (false, &formula.expr)
            }
            Amount::Plus(_) | Amount::Dice(_) => signed(&formula.expr),
        };
        let mut minus = minus;
        let value = match expr.fixed_number() {
            Some(n) if matches!(modifier.amount, Amount::Times(_)) => AmountValue::Fixed(n),
            Some(n) => {
                minus = minus != (n < Number::ZERO);
                AmountValue::Fixed(n.abs())
            }
            None if self.spelling == Spelling::AsWritten => {
                AmountValue::Formula(formula.text.to_string())
            }
            None => match (expr, self.by_word(expr, minus)) {
                (Expr::Slot(slot), _) => AmountValue::Named {
                    name: self.name(*slot),
                    in_label: self.is_named(*slot, &modifier.label),
                },
                (_, Some(value)) => {
                    minus = false;
                    value
                }
                (_, None) => AmountValue::Formula(self.expr(expr, 0)),
            },
        };
        AmountText {
            sign: match (&modifier.amount, minus) {
                (Amount::Times(_), _) => AmountSign::Times,
                (_, true) => AmountSign::Minus,
                (_, false) => AmountSign::Plus,
            },
            value,
            die: matches!(modifier.amount, Amount::Dice(_)).then(|| die.to_owned()),
            said: (!modifier.text.is_empty()).then(|| modifier.text.to_string()),
        }
    }

    /// The whole amount on one line: `+1`, `− (Rep + 1)`, `× ½`. The author's words replace a
    /// formula.
    pub(super) fn amount_in_line(self, modifier: &Modifier, die: &str) -> String {
        let text = self.amount(modifier, die);
        let fixed = matches!(text.value, AmountValue::Fixed(_));
        match (&text.said, &modifier.amount) {
            (Some(said), _) if fixed => format!("{} ({said})", text.figure("")),
            (Some(said), _) => said.clone(),
            (None, _) if fixed => text.figure(""),
            (None, Amount::Times(by)) if self.spelling == Spelling::ForPlayers => {
                format!("× {}", self.expr(&by.expr, 5))
            }
            (None, Amount::Times(by)) => format!("× ({})", by.text),
            (None, Amount::Plus(by)) => match text.value {
                AmountValue::ByWord { .. } => text.words().unwrap_or_default(),
                _ => self.change(by),
            },
            (None, Amount::Dice(by)) => format!("{} dice", self.change(by)),
        }
    }

    /// A change of a number: `+1`, `−1`, `+ Rep`, `− (Rep + 1)`.
    pub(super) fn change(self, by: &Formula) -> String {
        if let Some(n) = by.expr.fixed_number() {
            let sign = if n < Number::ZERO { "−" } else { "+" };
            return format!("{sign}{}", number(n.abs()));
        }
        if self.spelling == Spelling::AsWritten {
            return match by.expr {
                Expr::Negative(_) => by.text.to_string(),
                _ => format!("+ {}", by.text),
            };
        }
        match signed(&by.expr) {
            (true, inner) => format!("− {}", self.expr(inner, 5)),
            (false, inner) if leads_with_minus(inner) => format!("+ ({})", self.expr(inner, 0)),
            (false, inner) => format!("+ {}", self.expr(inner, 4)),
        }
    }

    /// When a modifier counts, if not always. That a value to add is not 0 goes without saying.
    pub(super) fn when_of_amount(self, modifier: &Modifier) -> Option<String> {
        let (_, value) = signed(&modifier.amount.formula().expr);
        let idle = |part: &Expr| {
            !matches!(modifier.amount, Amount::Times(_))
                && matches!(value, Expr::Slot(_))
                && matches!(part, Expr::Pair(Op::Differs, of, zero)
                    if **of == *value && **zero == Expr::Fixed(Value::Number(Number::ZERO)))
        };
        let mut parts = Vec::new();
        super::formula::all_of(&modifier.when.as_ref()?.expr, &mut parts);
        match parts.as_slice() {
            [only] if idle(only) => None,
            [only] => Some(self.expr(only, 0)),
            parts => {
                let counts = parts.iter().filter(|part| !idle(part));
                let words: Vec<String> = counts.map(|part| self.expr(part, 2)).collect();
                (!words.is_empty()).then(|| words.join(" and "))
            }
        }
    }

    /// Whether a text contains a name: its label, the short one, or what is before or within the
    /// brackets of “Reputation (Rep)”.
    pub(super) fn is_named(self, slot: Slot, text: &str) -> bool {
        let Some(name) = self.chart.names.get(slot) else { return false };
        let (mut own, mut short) = (self.name(slot), None);
        if let NameSource::Input(input) = name.origin {
            let input = &self.chart.inputs[input];
            own = input.own_label.to_string();
            if let (FilledFrom::Attribute(place), Some(role)) = (input.source, input.role) {
                let kind = self.chart.roles[role].kind;
                short = Some(self.pack.kinds()[kind].short_label(place).to_lowercase());
            }
        }
        let (own, text) = (own.to_lowercase(), text.to_lowercase());
        let parts = own.split(['(', ')']).map(str::trim).filter(|part| !part.is_empty());
        let in_text = |name: &str| {
            let clear = |side: Option<char>| !side.is_some_and(char::is_alphanumeric);
            text.match_indices(name).any(|(at, _)| {
                clear(text[..at].chars().next_back())
                    && clear(text[at + name.len()..].chars().next())
            })
        };
        parts.chain(short.as_deref()).any(in_text)
    }

    /// A chain of conditions on one word that only gives numbers.
    fn by_word(self, expr: &Expr, minus: bool) -> Option<AmountValue> {
        let mut of: Option<Slot> = None;
        let mut found: Vec<(Word, Number)> = Vec::new();
        let mut rest = expr;
        let otherwise = loop {
            if let Some(n) = rest.fixed_number() {
                break n;
            }
            let Expr::Call(Func::If, parts) = rest else { return None };
            let [Expr::Pair(Op::Same, key, word), then, other] = parts.as_slice() else {
                return None;
            };
            let (Expr::Slot(slot), Expr::Fixed(Value::Word(word))) = (&**key, &**word) else {
                return None;
            };
            if *of.get_or_insert(*slot) != *slot {
                return None;
            }
            // The first condition that holds decides.
            if !found.iter().any(|(known, _)| known == word) {
                found.push((*word, then.fixed_number()?));
            }
            rest = other;
        };
        let of = of.filter(|_| found.len() > 1)?;
        let Type::Choice(can_be) = &self.chart.names.get(of)?.kind else { return None };
        found.retain(|(word, _)| can_be.contains(word));
        let complete = can_be.iter().all(|word| found.iter().any(|(known, _)| known == word));
        let order = self.accepts(of).and_then(|accepts| accepts.words()).unwrap_or(&[]);
        adjutant_dice::sort_by_key(&mut found, |(word, _)| {
            order.iter().position(|known| known.id == self.pack.words().text(*word))
        });
        let turned = |n: Number| if minus { -n } else { n };
        Some(AmountValue::ByWord {
            of: self.name(of),
            numbers: found.iter().map(|(word, n)| (self.word(of, *word), turned(*n))).collect(),
            otherwise: (!complete).then(|| turned(otherwise)),
        })
    }
}

/// The sign in front of a whole expression, and the rest.
fn signed(mut expr: &Expr) -> (bool, &Expr) {
    let mut minus = false;
    while let Expr::Negative(inner) = expr {
        (minus, expr) = (!minus, inner);
    }
    (minus, expr)
}

/// Whether the words of an expression begin with a minus sign.
fn leads_with_minus(expr: &Expr) -> bool {
    match expr {
        Expr::Negative(_) => true,
        Expr::Fixed(Value::Number(n)) => *n < Number::ZERO,
        Expr::Pair(Op::Plus | Op::Minus | Op::Times | Op::Over, first, _) => {
            leads_with_minus(first)
        }
        _ => false,
    }
}

/// The die that modifiers of the step add or remove: `d6`. Empty if the step rolls none.
pub fn die_of(step: &Step) -> String {
    let StepKind::Roll(roll) = &step.kind else { return String::new() };
    match roll.kinds.first().map(|kind| &kind.die) {
        Some(RolledDie::Plain(sides)) => format!("d{sides}"),
        Some(RolledDie::Digits { sides, digits }) => {
            format!("d{}", sides.to_string().repeat(*digits as usize))
        }
        _ => " dice".into(),
    }
}
