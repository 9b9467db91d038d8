//! Texts of the fight screen.

use adjutant_pack::{Action, Fight, Pack, RoleId, Side};

pub const FIGHT: &str = "Fight";
pub const LOST: &str = "Fight not found";
pub const SIDES: &str = "Who fights";
pub const SITUATION: &str = "Situation";
pub const WHO_WINS: &str = "Who wins";
pub const HOW_MANY: &str = "How many";
pub const NEVER: &str = "Never decided";
pub const FOR_EVER: &str = "It may never end, so it has no average length.";
pub const LEFT: &str = "Who is left";
pub const UNITS: &str = "left";
pub const VARY: &str = "Vary";
pub const NOTHING: &str = "nothing";
pub const ROUND: &str = "What happens in a round";
pub const NEARLY: &str =
    "Accurate to about twelve digits. The exact fractions would have thousands.";
pub const SOME_PLAYED: &str = "Values marked ~ are simulated.";
pub const MORE: &str = "Simulate more";
pub const WEIGHING: &str = "Calculating …";

pub fn lost(pack: &str, fight: &str) -> String {
    format!(
        "There is no fight “{fight}” in a pack “{pack}” here. The link may be wrong, or the pack is not on this device."
    )
}

/// The result is exact.
pub fn weighed(standings: usize) -> String {
    format!("Exact, from all {standings} possible states of the fight.")
}

/// The result is from a simulation.
pub fn played(fights: u64) -> String {
    format!(
        "Simulated {} times, because there are too many states for exact odds here. The ranges in brackets are 95 % confidence intervals.",
        grouped(fights)
    )
}

/// The progress of a simulation.
pub fn playing(fights: u64, of: u64) -> String {
    format!("Simulating: {} of {} fights", grouped(fights), grouped(of))
}

/// A number with its thousands separated.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many rounds the fight lasts.
pub fn long(rounds: f64, off: Option<f64>) -> String {
    match off {
        None => format!("Lasts {rounds:.2} rounds on average."),
        Some(off) => format!("Lasts {rounds:.2} rounds on average (± {off:.2})."),
    }
}

/// The losses of a side.
pub fn loses(side: &str, lost: f64, of: u32) -> String {
    format!("{side}: {lost:.2} of {of} lost on average")
}

/// The total of a value that a side has left.
pub fn total_left(side: &str, value: &str, left: f64, of: adjutant_dice::Number) -> String {
    format!("{side}: {left:.2} of {of} {value} left on average")
}

/// A confidence interval.
pub fn span(from: f64, to: f64) -> String {
    format!(
        "[{} – {} %]",
        adjutant_engine::percent_to(from * 100.0, 1),
        adjutant_engine::percent_to(to * 100.0, 1)
    )
}

/// A value from a simulation.
pub fn about(value: &str) -> String {
    format!("~{value}")
}

/// What happens in a round, one sentence for each action.
pub fn round(pack: &Pack, fight: &Fight) -> Vec<String> {
    let told = |action: &Action| match action {
        Action::Lift { side, statuses, .. } => {
            let titles: Vec<&str> =
                statuses.iter().map(|status| pack.statuses()[*status].title.as_str()).collect();
            format!("{}: no longer {}", fight.sides[*side].title, titles.join(" or "))
        }
        Action::Roll(roll) => {
            let chart = &pack.charts()[roll.chart];
            let taken = |role: RoleId, many: &str| {
                let side: &Side = &fight.sides[roll.who[role]];
                format!(
                    "{} – {}{}",
                    super::parts::role(pack, &chart.roles[role].id),
                    if side.most == 1 { "" } else { many },
                    side.title
                )
            };
            let first = roll.each.map(|each| taken(each, "each of "));
            let others = roll
                .who
                .ids()
                .filter(|role| Some(*role) != roll.each)
                .map(|role| taken(role, "one of "));
            let who: Vec<String> = first.into_iter().chain(others).collect();
            format!(
                "{}{}: {}",
                if roll.at_once { "At the same time, " } else { "" },
                chart.title,
                who.join(", ")
            )
        }
    };
    fight.actions.iter().map(told).collect()
}

/// The follow-ups that are rolled at once.
pub fn follow(titles: &[&str]) -> String {
    format!("Follow-ups rolled immediately: {}.", titles.join(", "))
}

/// When the fight is over.
pub fn over(fight: &Fight) -> String {
    match (fight.ends.is_empty(), fight.sides.len()) {
        (true, 1) => "Ends when no one is left.".to_owned(),
        (true, _) => "Ends when at most one side has units left.".to_owned(),
        (false, _) => format!(
            "Ends when: {}.",
            fight.ends.iter().map(|end| end.title.as_str()).collect::<Vec<_>>().join("; ")
        ),
    }
}
