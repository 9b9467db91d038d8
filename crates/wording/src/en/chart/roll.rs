//! A roll in words: which dice, and what is done with each of them.

use super::{ChartWords, Spelling};
use adjutant_dice::Number;
use adjutant_pack::{
    Expr, Func, PlainRoll, Reroll, Roll, RolledDie, RolledKind, Step, StepKind, Type, Worth,
};

impl ChartWords<'_> {
    /// What a step does, as far as its title does not say it: “Rep d6, each 1 to 3 a success”.
    pub(super) fn beside_title(self, step: &Step) -> String {
        if !step.text.is_empty() {
            return step.text.to_string();
        }
        match &step.kind {
            StepKind::Roll(roll) if self.title_says(step, roll) => String::new(),
            StepKind::Roll(roll) => self.roll(roll),
            StepKind::Draw(draw) => self.draw(draw, ""),
            StepKind::Ask(field) => match field.accepts.words() {
                Some(words) => {
                    words.iter().map(|word| word.label.as_str()).collect::<Vec<_>>().join(", ")
                }
                None => crate::en::accepted(&field.accepts),
            },
            StepKind::LookUp(look_up) => {
                let title = &self.pack.charts()[look_up.chart].title;
                let times = look_up.times.as_ref().map(|series| self.series(series));
                format!("see {title}{}", times.unwrap_or_default())
            }
            StepKind::WorkOut(formula) if formula.constant().is_some() => String::new(),
            StepKind::WorkOut(formula) => format!("= {}", self.formula(formula)),
        }
    }

    /// Whether a title names the dice, their number, the limit of each and which of them count.
    fn title_says(self, step: &Step, roll: &Roll) -> bool {
        let Some(PlainRoll { count, sides, test, keep }) = roll.plain() else { return false };
        let (title, die) = (step.title.as_str(), format!("d{sides}"));
        title.contains(&die)
            && !title.eq_ignore_ascii_case(&die)
            && self.names(title, &count.expr, &die)
            && test.is_none_or(|test| self.names(title, &test.limit.expr, ""))
            && keep
                .is_none_or(|(_, lowest)| title.contains(if lowest { "lowest" } else { "highest" }))
    }

    /// Whether a text has a number, before this unit: as a figure or as the name of a value.
    fn names(self, text: &str, number: &Expr, unit: &str) -> bool {
        match (number, number.fixed_number()) {
            (_, Some(n)) => {
                let written = if n == Number::ONE { unit.to_owned() } else { format!("{n}{unit}") };
                text.contains(&written)
            }
            (Expr::Call(Func::If, parts), None) => {
                parts.iter().skip(1).all(|part| self.names(text, part, unit))
            }
            (Expr::Slot(slot), None) => self.is_named(*slot, text),
            _ => false,
        }
    }

    /// The dice and what is done with them: `2d6`, `as many d6 as Men, counting the lowest 2`.
    pub fn roll(self, roll: &Roll) -> String {
        let kinds: Vec<String> = roll.kinds.iter().map(|kind| self.rolled_kind(kind)).collect();
        let mut text = kinds.join(" and ");
        for rule in &roll.reroll {
            text.push_str(&self.reroll(rule));
        }
        if let Some(rule) = &roll.explode {
            text.push_str(&format!(", roll {} again and add", self.formula(&rule.when)));
        }
        if let Some(rule) = &roll.extra {
            text.push_str(&format!(", another die for each {}", self.formula(&rule.when)));
        }
        if let Some(keep) = &roll.keep {
            let kept = [("highest", keep.highest()), ("lowest", keep.lowest())];
            let kept: Vec<String> = kept
                .into_iter()
                .filter_map(|(which, count)| Some(format!("{which} {}", self.formula(count?))))
                .collect();
            text.push_str(&format!(", counting the {}", kept.join(" and the ")));
        }
        text.push_str(&self.worth(roll));
        for tally in &roll.tally {
            let name = tally.name.as_str().replace('_', " ");
            text.push_str(&format!("; {name}: {}", self.formula(&tally.formula)));
        }
        if let Some(fill) = &roll.fill {
            text.push_str(&format!("; die by die into boxes of {}", self.formula(&fill.size)));
        }
        if let Some(choose) = &roll.choose {
            match &choose.by {
                Some(by) => text.push_str(&format!("; {} picks one die", self.formula(by))),
                None => text.push_str("; the best die counts"),
            }
        }
        text
    }

    fn rolled_kind(self, kind: &RolledKind) -> String {
        let (joint, die) = match &kind.die {
            RolledDie::Plain(sides) => ("", format!("d{sides}")),
            RolledDie::Sized(sides) => ("", format!("d({})", self.formula(sides))),
            RolledDie::Digits { sides, digits } => {
                ("", format!("d{}", sides.to_string().repeat(*digits as usize)))
            }
            RolledDie::Named(die) => (" × ", self.pack.dice()[*die].title.to_string()),
        };
        let count = self.formula(&kind.count);
        match (kind.count.constant(), self.spelling) {
            (Some(_), _) => format!("{count}{joint}{die}"),
            (None, Spelling::AsWritten) => format!("({count}){joint}{die}"),
            (None, Spelling::ForPlayers) => format!("as many {die} as {count}"),
        }
    }

    fn reroll(self, rule: &Reroll) -> String {
        let dice = match &rule.dice {
            Some(dice) => format!("up to {} dice showing ", self.formula(dice)),
            None => String::new(),
        };
        let often = match rule.at_most {
            1 => String::new(),
            most => format!(", up to {most} times"),
        };
        let ask = rule.ask.as_ref().map(|ask| format!(" ({})", ask.prompt)).unwrap_or_default();
        format!(", re-roll {dice}{}{often}{ask}", self.formula(&rule.when))
    }

    fn worth(self, roll: &Roll) -> String {
        match &roll.each {
            Some(Worth { test: Some(test), .. }) => {
                let side = if test.low { "less" } else { "more" };
                let limit = self.formula(&test.limit);
                format!(", each showing {limit} or {side}: {}", roll.counted)
            }
            Some(Worth { formula, .. }) if formula.kind == Type::YesNo => {
                format!(", each showing {}: {}", self.formula(formula), roll.counted)
            }
            Some(Worth { formula, .. }) => format!(", each worth {}", self.formula(formula)),
            None => String::new(),
        }
    }
}
