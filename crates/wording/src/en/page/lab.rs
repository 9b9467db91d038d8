//! What the odds lab says.

/// The head of the lab.
pub const LAB: &str = "Odds lab";
/// The way to throw it.
pub const THROW_IT: &str = "Throw it";
/// Copies the address.
pub const COPY: &str = "Copy a link to exactly this";
/// The set-up.
pub const SETUP: &str = "Set-up";
/// The set-up that is compared with.
pub const A: &str = "A";
/// The set-up at hand, when there are two.
pub const B: &str = "B";
/// Keeps this set-up to compare with.
pub const PIN: &str = "Keep as A and compare";
/// Ends the comparison.
pub const UNPIN: &str = "End the comparison";
/// Exchanges the two.
pub const SWAP: &str = "Exchange A and B";
/// The difference.
pub const DIFFERENCE: &str = "B − A";
/// What they differ in.
pub const DIFFER_IN: &str = "They differ in:";
/// They do not.
pub const NO_DIFFERENCE: &str = "A and B are the same so far: change something in the set-up, and the difference shows here.";
/// Result, as a column.
pub const RESULT: &str = "Result";
/// The picture.
pub const SURFACE: &str = "How the chances run";
/// Which input.
pub const VARY: &str = "Vary";
/// A second one.
pub const ACROSS: &str = "and across";
/// No second one.
pub const NO_SECOND: &str = "nothing else";
/// The first value.
pub const FROM: &str = "From";
/// The last value.
pub const TO: &str = "To";
/// Which result is shown over two inputs.
pub const OF: &str = "Chance of";
/// The numbers of a picture.
pub const AS_TABLE: &str = "The numbers as a table";
/// Nothing to vary.
pub const NOTHING_TO_VARY: &str = "This chart has nothing that could be varied.";
/// Where one stands.
pub const HERE: &str = "The mark shows your set-up.";
/// Modifiers.
pub const CHANGES: &str = "What would change";
/// What that is.
pub const CHANGES_ABOUT: &str = "What each circumstance that does not hold would do to the chances, if it held.";
/// A circumstance without consequence.
pub const CHANGES_NOTHING: &str = "changes nothing here";
/// None left.
pub const NO_CHANGES: &str = "Every circumstance of this chart holds already, or there are none.";
/// Ticks it.
pub const LET_IT_HOLD: &str = "Let it hold";
/// Several checks.
pub const TIMES: &str = "Several times";
/// How often.
pub const HOW_OFTEN: &str = "How often it is thrown";
/// On average.
pub const ON_AVERAGE: &str = "on average";
/// Never.
pub const NEVER: &str = "never";
/// Combinations.
pub const TOGETHER: &str = "Most likely together";
/// Luck of its own.
pub const INDEPENDENT: &str = "Each throw has luck of its own.";
/// One deck.
pub const ONE_DECK: &str = "All draw from one deck: cards drawn stay out until they are shuffled in.";
/// Too many.
pub const TOO_MANY: &str = "There are too many combinations to list them all exactly: throw fewer times.";
/// Throw it several times.
pub const ONCE: &str = "Thrown once. Raise the number to see how often each result comes in a series.";
/// The chain.
pub const FOLLOW: &str = "Follow what comes next to its end";
/// What that is.
pub const FOLLOW_ABOUT: &str = "Charts that follow from a result are thrown too, and the last results are told.";
/// Questions on the way.
pub const QUESTIONS: &str = "Questions on the way";
/// How a question is taken.
pub const QUESTION_HINT: &str = "An answer, or the chance of yes, such as 1/6. Left empty, each answer is told by itself.";
/// For the charts that follow.
pub const LATER: &str = "For the charts that follow";
/// Work goes on.
pub const WORKING: &str = "Working it out …";
/// Several branches.
pub const FIRST_BRANCH: &str = "Told for the first answer; settle the questions on the way for another.";

/// The head of a chart.
pub fn head(chart: &str) -> String {
    format!("{chart}: odds lab")
}

/// The corner of a table.
pub fn down_and_across(down: &str, across: &str) -> String {
    format!("{down} ↓  {across} →")
}

/// The title of a table.
pub fn by(chart: &str, down: &str) -> String {
    format!("{chart}: chances by {down}")
}

/// So often or more.
pub fn or_more(n: u32, most: u32) -> String {
    if n == most { format!("{n} times") } else { format!("{n} or more") }
}

/// How far the work is.
pub fn progress(done: usize, of: usize) -> String {
    format!("{done} of {of}")
}

/// A difference in points of a hundred.
pub fn points(difference: f64) -> String {
    if difference.abs() < 0.005 { "±0".to_owned() } else { format!("{difference:+.1}").replace('-', "−") }
}

/// More combinations.
pub fn more_combinations(n: usize) -> String {
    format!("and {n} more")
}
