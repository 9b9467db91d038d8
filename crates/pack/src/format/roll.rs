//! Steps of a chart that roll or draw, and the rules for doing it again.

use super::Kind::{Either, Flag, Formula, Keys, List, Name, Named, Number, Text};
use super::*;

/// A condition, or a condition with a limit.
const EXPLODE: Kind = Either(&[Formula, Keys(&Explode::SECTION)]);

sections! {
    /// A step of a chart: it rolls, draws, plays, asks, looks something up or works something out.
    Step "a `step` of a chart" {
        /// Dice such as "2d6", a die of the pack, or several kinds with the number of each.
        "roll" one: Either(&[Text, Named(&Formula)]) => "2d6";
        /// The deck to draw cards from.
        "draw" one: Name("deck") => "fate";
        /// The deck of which a player plays a card.
        "play" one: Name("deck") => "fate";
        /// A question in the middle of the chart.
        "ask" one: Keys(&Field::SECTION) => toml r#"{ yes_no = "Does the gun jam?" }"#;
        /// The chart to run on the way.
        "look_up" one: Name("chart") => "odds";
        /// A sum.
        "work_out" one: Formula => "attack - defence";
        /// The name in expressions; a roll is `die` and a draw or play `card` without it.
        "as": Text => "die";
        /// What the sheet calls the step.
        "title": Text => "To hit";
        /// Plain words for the sheet, instead of the formulas.
        "text": Text => "two dice, the higher counts";
        /// false hides the step on sheets.
        "sheet": Flag => toml "false";
        /// The step happens only if this is true.
        "when": Formula => "range <= 6";
        /// How many dice or cards.
        "count": Formula => "firer.men";
        /// How many sides the dice have.
        "sides": Formula => "if(veteran, 8, 6)";
        /// Single dice that are rolled again.
        "reroll": List(&Keys(&Reroll::SECTION)) => toml r#"[ { when = "face == 1" } ]"#;
        /// Dice that are rolled again and added: a face, a condition, or a condition with a limit.
        "explode": EXPLODE => 6;
        /// Dice that bring another die, which counts alone: a face, a condition, or a condition with a limit.
        "extra": EXPLODE => "face == 6";
        /// How many of the highest dice or cards count.
        "keep_highest": Formula => 2;
        /// How many of the lowest dice or cards count.
        "keep_lowest": Formula => 1;
        /// What a die or card is worth; it is called `face`.
        "each": Formula => "if(face >= 5, 2, 1)";
        /// Counts the dice or cards that are at most this.
        "pass_at_most": Formula => "target.morale";
        /// Counts the dice or cards that are at least this.
        "pass_at_least": Formula => 4;
        /// Further sums over the dice or cards that count.
        "tally": Named(&Formula) => toml r#"{ ones = "face == 1" }"#;
        /// Dice fill boxes in order.
        "fill": Keys(&Fill::SECTION) => toml r#"{ size = "target.men" }"#;
        /// Rules for rolling or drawing again.
        "again": List(&Keys(&Again::SECTION))
            => toml r#"[ { when = "die.doubles", because = "Doubles" } ]"#;
        /// One die counts: the best, or the one that a player picks.
        "choose": Keys(&Choose::SECTION) => toml r#"{ by = "firer" }"#;
        /// Modifiers, in the order of the sheet.
        "add": List(&Keys(&Modifier::SECTION)) => toml r#"[ { label = "Soft cover", plus = -1 } ]"#;
        /// The total is at least this.
        "least": Formula => 0;
        /// The total is at most this.
        "most": Formula => 10;
        /// The word for what is counted.
        "counted": Text => "hits";
        /// The reading that the step depends on.
        "reading": Name("reading") => "ties";
        /// The field of a card that gives the number.
        "read": Text => "move";
        /// Which number of a row of numbers.
        "by": Formula => "men";
        /// The role whose deck or hand it is.
        "of": Text => "firer";
        /// The pile that a card is played from; the hand without it.
        "from": Text => "reserve";
        /// Where the cards go: discard, hand, removed, deck or a pile.
        "to": Text => "hand";
        /// The cards that may be played; `face` is a card.
        "which": Formula => "face.move > 2";
        /// Answers to the questions of the chart that is looked up.
        "with": WITH => toml r#"{ range = "range" }"#;
        /// The roles of the chart that is looked up, each with the role here.
        "who": WHO => toml r#"{ attacker = "firer" }"#;
        /// How many times the chart is run, or a list to go through; its value is then the sum.
        "times": Formula => "firer.guns";
    }

    /// A rule for rolling single dice again.
    Reroll "`reroll` of a roll" {
        /// The dice; each is `face`.
        "when" required: Formula => "face == 1";
        /// The reason that players are told.
        "because": Text => "Ones are rolled again.";
        /// How many times.
        "at_most": Number => 1;
        /// At most this many dice, the lowest first.
        "dice": Formula => "firer.skill";
        /// A player decides: the question.
        "ask": Text => "Roll the ones again?";
        /// The answer that odds expect.
        "assume": Formula => "yes";
    }

    /// Dice that are rolled again, with a limit.
    Explode "`explode`, `extra` of a roll" {
        /// The dice; each is `face`.
        "when" required: Formula => "face == 6";
        /// How many times.
        "at_most": Number => 3;
    }

    /// Boxes that dice fill in order.
    Fill "`fill` of a roll" {
        /// The size of a box.
        "size" required: Formula => "target.men";
        /// How much is in the first box already.
        "begun": Formula => "target.wounds";
    }

    /// A die that a player picks.
    Choose "`choose` of a roll" {
        /// The role whose player picks.
        "by": Formula => "firer";
        /// How good a die is.
        "best": Formula => "-abs(face - 4)";
    }

    /// A rule for rolling or drawing again.
    Again "`again` of a step" {
        /// When it happens. Needed without `ask`.
        "when": Formula => "die.doubles";
        /// The reason that players are told. Needed without `ask`.
        "because": Text => "Doubles";
        /// The whole rule in plain words.
        "text": Text => "doubles: roll again";
        /// Whether the cards that were drawn go back into the deck first.
        "reshuffle": Flag => toml "true";
        /// How many times.
        "at_most": Number => 1;
        /// The chart to run first.
        "look_up": Name("chart") => "spill";
        /// Answers to the questions of that chart.
        "with": WITH => toml r#"{ range = "range" }"#;
        /// The roles of that chart, each with the role here.
        "who": WHO => toml r#"{ gun = "firer" }"#;
        /// The name of the look-up within this rule.
        "as": Text => "spill";
        /// Ends the chart instead.
        "stop": Keys(&Stop::SECTION) => toml r#"{ result = "blown-up" }"#;
        /// Questions that are asked again.
        "ask_again": Keys(&AskAgain::SECTION) => toml r#"{ inputs = ["horses"] }"#;
        /// A player decides: the question.
        "ask": Text => "Spend a token to roll again?";
        /// The answer that odds expect.
        "assume": Formula => "no";
    }

    /// The end of a chart in the middle of a roll or draw.
    Stop "`stop` of an `again` rule" {
        /// When it ends; always without it.
        "when": Formula => "spill.result == 'blast'";
        /// The result.
        "result" required: Name("result") => "blown-up";
        /// The role that the result falls on.
        "on": Text => "gun";
    }

    /// Questions that are asked again, because the situation has changed.
    AskAgain "`ask_again` of an `again` rule" {
        /// When they are; always without it.
        "when": Formula => "spill.result == 'smoke'";
        /// The names of the questions.
        "inputs" required: TEXTS => toml r#"["horses"]"#;
    }

    /// A line that changes the total, or moves the column.
    Modifier "a modifier: `add` of a step, `shift` of `read`" {
        /// What the sheet calls it.
        "label" required: Text => "Target in soft cover";
        /// Plain words for the sheet, instead of the formulas.
        "text": Text => "-1 for each hedge";
        /// A number or sum that is added.
        "plus" one: Formula => -1;
        /// A number or sum by which the total is multiplied.
        "times" one: Formula => 2;
        /// Dice that are added to a handful, or taken away.
        "dice" one: Formula => 1;
        /// When it counts.
        "when": Formula => "target.cover";
        /// Of the modifiers with the same word, only the highest counts.
        "best_of": Text => "cover";
        /// The reading that it depends on.
        "reading": Name("reading") => "hedges";
    }
}
