//! How a question is taken, as typed: an answer, or a chance. The command and the page read it alike.

use super::explore::AnswerOdds;
use adjutant_dice::{Accepts, Answer, Number};

impl AnswerOdds {
    /// Reads `no`, `1/6` (the chance of yes), or `a:1/3,b:2/3`.
    pub fn read(accepts: &Accepts, text: &str) -> Result<AnswerOdds, String> {
        if let Ok(answer) = accepts.read(text) {
            return Ok(AnswerOdds::Always(answer));
        }
        let part = |text: &str| {
            let n: Number =
                text.trim().parse().map_err(|_| format!("`{}` is neither an answer ({accepts}) nor a chance such as 1/6", text.trim()))?;
            if n < Number::ZERO || n > Number::ONE { Err(format!("`{n}` is no chance: a chance lies between 0 and 1")) } else { Ok(n) }
        };
        let weight = |n: Number, over: i64| (n.numerator() * (over / n.denominator())).unsigned_abs();
        if *accepts == Accepts::YesNo {
            let yes = part(text)?;
            let over = yes.denominator();
            return Ok(AnswerOdds::Weighed(vec![
                (Answer::YesNo(true), weight(yes, over)),
                (Answer::YesNo(false), over.unsigned_abs() - weight(yes, over)),
            ]));
        }
        let mut parts = Vec::new();
        for item in text.split(',') {
            let (word, chance) =
                item.split_once(':').ok_or_else(|| format!("`{text}` is not accepted: {accepts}, or chances such as a:1/3,b:2/3"))?;
            parts.push((accepts.read(word)?, part(chance)?));
        }
        let sum = parts.iter().try_fold(Number::ZERO, |sum, (_, n)| sum.plus(*n)).map_err(|fault| fault.to_string())?;
        if sum != Number::ONE {
            return Err(format!("the chances of `{text}` make {sum}, not 1"));
        }
        let over = parts.iter().fold(1_i64, |over, (_, n)| over / gcd(over, n.denominator()) * n.denominator());
        Ok(AnswerOdds::Weighed(parts.into_iter().map(|(answer, n)| (answer, weight(n, over))).collect()))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_a_chance_or_a_sentence() {
        assert_eq!(AnswerOdds::read(&Accepts::YesNo, "no"), Ok(AnswerOdds::Always(Answer::YesNo(false))));
        let sixth = AnswerOdds::Weighed(vec![(Answer::YesNo(true), 1), (Answer::YesNo(false), 5)]);
        assert_eq!(AnswerOdds::read(&Accepts::YesNo, "1/6"), Ok(sixth));
        assert!(AnswerOdds::read(&Accepts::YesNo, "7/6").unwrap_err().contains("between 0 and 1"));
        assert!(AnswerOdds::read(&Accepts::YesNo, "perhaps").unwrap_err().contains("1/6"));
    }
}
