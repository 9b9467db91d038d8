//! Texts of the odds lab.

pub const LAB: &str = "Odds lab";
pub const ROLL_IT: &str = "Roll it";
pub const COPY: &str = "Copy link";
pub const COPY_TEXT: &str = "Copy as text";
pub const SAVE_IMAGE: &str = "Save image";
pub const SETUP: &str = "Set-up";
pub const A: &str = "A";
pub const B: &str = "B";
pub const PIN: &str = "Compare with another set-up";
pub const UNPIN: &str = "End the comparison";
pub const SWAP: &str = "Swap A and B";
pub const DIFFERENCE: &str = "B − A";
pub const DIFFER_IN: &str = "Differences:";
pub const NO_DIFFERENCE: &str = "A and B are the same. Change the set-up to see the difference.";
pub const RESULT: &str = "Result";
pub const SURFACE: &str = "Vary an input";
pub const VARY: &str = "Vary";
pub const ACROSS: &str = "and across";
pub const NO_SECOND: &str = "nothing else";
pub const FROM: &str = "From";
pub const TO: &str = "To";
pub const OF: &str = "Chance of";
pub const AS_TABLE: &str = "The numbers as a table";
pub const NOTHING_TO_VARY: &str = "This chart has no inputs to vary.";
pub const HERE: &str = "The mark shows your set-up.";
pub const CHANGES: &str = "What if …";
pub const CHANGES_ABOUT: &str = "How each modifier that does not apply would change the odds.";
pub const CHANGES_NOTHING: &str = "no effect here";
pub const NO_CHANGES: &str = "All modifiers apply already, or there are none.";
pub const LET_IT_HOLD: &str = "Turn on";
pub const TIMES: &str = "Several rolls";
pub const HOW_OFTEN: &str = "Number of rolls";
pub const ON_AVERAGE: &str = "on average";
pub const NEVER: &str = "never";
pub const TOGETHER: &str = "Most likely together";
pub const INDEPENDENT: &str = "The rolls are independent.";
pub const ONE_DECK: &str =
    "All rolls draw from one deck. Drawn cards stay out until the deck is reshuffled.";
pub const TOO_MANY: &str = "Too many combinations to list exactly. Choose fewer rolls.";
pub const ONCE: &str = "One roll. Raise the number to see how often each result comes up.";
pub const FOLLOW: &str = "Follow the chain of charts";
pub const FOLLOW_ABOUT: &str = "Also rolls the charts that follow, and shows the final results.";
pub const QUESTIONS: &str = "Questions during the roll";
pub const QUESTION_HINT: &str = "An answer, or the probability of yes, such as 1/6. Leave it empty to see each answer separately.";
pub const LATER: &str = "For follow-up charts";
pub const WORKING: &str = "Working …";
pub const FIRST_BRANCH: &str =
    "Shown for the first answer. Answer the questions above for another.";

/// The heading.
pub fn head(chart: &str) -> String {
    format!("{chart}: odds lab")
}

/// The corner cell of an odds table.
pub fn down_and_across(down: &str, across: &str) -> String {
    format!("{down} ↓  {across} →")
}

/// The title of an odds table.
pub fn by(chart: &str, down: &str) -> String {
    format!("{chart}: odds by {down}")
}

pub fn or_more(n: u32, most: u32) -> String {
    if n == most { format!("{n} times") } else { format!("{n} or more") }
}

pub fn progress(done: usize, of: usize) -> String {
    format!("{done} of {of}")
}

/// A difference in percentage points.
pub fn points(difference: f64) -> String {
    if difference.abs() < 0.005 {
        "±0".to_owned()
    } else {
        format!("{difference:+.1}").replace('-', "−")
    }
}

pub fn more_combinations(n: usize) -> String {
    format!("and {n} more")
}
