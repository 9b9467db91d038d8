//! Games and fights: ready units, the turn, starts, endings, sides and actions.

use super::Kind::{Either, Flag, Formula, Keys, List, Name, Named, Number, OneOrMore, Text, Word};
use super::*;

/// Whose units are meant.
const SIDES: Kind = Word(&["all", "players", "sheet"]);

sections! {
    /// A ready unit.
    Template "`[template.x]`" {
        /// What it is called.
        "title" required: Text => "Veteran squad";
        /// The name of a unit that is made from it.
        "name": Text => "Veterans";
        /// Small print.
        "note": Text => "Cannot be bought twice.";
        /// The kind of unit.
        "kind" required: Name("unit") => "squad";
        /// Its values.
        "has": Named(&Formula) => toml r#"{ skill = 2, men = 8 }"#;
        /// The statuses that it starts with.
        "statuses": OneOrMore(&Name("status")) => toml r#"["hidden"]"#;
        /// The reading that it depends on.
        "reading": Name("reading") => "veterans";
    }

    /// The phases of a turn.
    Turn "`[turn]`" {
        /// The phases, in order.
        "phase": List(&Keys(&Phase::SECTION)) => toml r#"[ { id = "fire", title = "Fire" } ]"#;
        /// The readings that the order depends on.
        "readings": OneOrMore(&Name("reading")) => toml r#"["ties"]"#;
    }

    /// A phase of a turn.
    Phase "`phase` of `[turn]`" {
        /// The name of the phase for other keys.
        "id" required: Text => "fire";
        /// What it is called.
        "title" required: Text => "Fire";
        /// What the players do in it.
        "text": Text => "Each squad fires once.";
        /// The charts that are rolled in it.
        "charts": OneOrMore(&Name("chart")) => toml r#"["shoot"]"#;
        /// The option without which the phase is passed over.
        "needs_option": Name("option") => "fog";
        /// A deck of the player: the phase is passed over if it is not supplied.
        "needs_deck": Name("user_deck") => "events";
        /// Statuses that are lifted when it begins.
        "lift": List(&Keys(&PhaseLift::SECTION)) => toml r#"[ { status = "pinned" } ]"#;
        /// Tests that become due when it begins.
        "due": List(&Keys(&Due::SECTION))
            => toml r#"[ { chart = "rally", why = "Pinned", for = "each" } ]"#;
    }

    /// Statuses that are lifted when a phase begins.
    PhaseLift "`lift` of a phase" {
        /// The status, or several.
        "status" required: OneOrMore(&Name("status")) => "pinned";
        /// Whose units: all, those of the players or those that the sheet runs.
        "sides": SIDES => "players";
        /// Only units for which this is true; each is `unit`.
        "when": Formula => "not unit.broken";
    }

    /// A test that becomes due.
    Due "`due` of a phase or a start" {
        /// The chart.
        "chart" required: Name("chart") => "rally";
        /// The reason that players are told.
        "why" required: Text => "Pinned at the start of the turn";
        /// How many tests: once, each (unit) or group.
        "for": Text => "each";
        /// The role that the unit takes.
        "role": Text => "squad";
        /// The number in which the unit that leads its group is the highest.
        "lead": Text => "nerve";
        /// Whose units: all, those of the players or those that the sheet runs.
        "sides": SIDES => "sheet";
        /// How many times it is due.
        "times": Number => 2;
        /// Only units for which this is true; each is `unit`.
        "when": Formula => "unit.pinned";
        /// Answers to its questions.
        "with": WITH => toml r#"{ night = "memory.night" }"#;
    }

    /// A game to start with.
    Start "`[start.x]`" {
        /// What it is called.
        "title" required: Text => "Ambush at the ford";
        /// What the players should know.
        "about": Text => "Red waits on the far bank.";
        /// The sides.
        "side" required: Named(&Keys(&StartSide::SECTION))
            => toml r#"{ red = { title = "Red" }, blue = { title = "Blue" } }"#;
        /// Options with the values that they start with.
        "options": Named(&Formula) => toml r#"{ fog = true }"#;
        /// Whether the sides share the decks: shared or per_side.
        "decks": Text => "per_side";
        /// The units.
        "units": List(&Keys(&StartUnit::SECTION))
            => toml r#"[ { template = "veteran", side = "red", count = 3 } ]"#;
        /// Tests that are due at the start.
        "due": List(&Keys(&Due::SECTION))
            => toml r#"[ { chart = "weather", why = "The first morning" } ]"#;
        /// The reading that it depends on.
        "reading": Name("reading") => "forces";
    }

    /// A side of a start.
    StartSide "`side` of a start" {
        /// What it is called.
        "title" required: Text => "Red";
        /// Whether the sheet runs it.
        "run_by_sheet": Flag => toml "true";
    }

    /// A unit of a start, or several that are alike.
    StartUnit "`units` of a start" {
        /// The ready unit.
        "template" required: Name("template") => "veteran";
        /// The side.
        "side" required: Text => "red";
        /// What the unit is called.
        "name": Text => "Miller's squad";
        /// The group that it belongs to.
        "group": Text => "First platoon";
        /// How many there are.
        "count": Number => 3;
    }

    /// When a game is over.
    Ending "`[ending.x]`" {
        /// What it is called.
        "title" required: Text => "Rout";
        /// What it means.
        "means": Text => "Red leaves the field.";
        /// No unit of these is left. With `sides = "each"` it is tried for each side.
        "none": List(&Keys(&UnitsLeft::SECTION)) => toml r#"[ { of = "squad", sides = "each" } ]"#;
        /// The condition; if it names `side`, it is tried for each side.
        "when": Formula => "memory.turn > 10";
        /// Who has won: side, enemy, none, or the side for which a number is highest.
        "wins": Either(&[Word(&["side", "enemy", "none"]), Keys(&Most::SECTION)]) => "enemy";
    }

    /// The side for which a number is highest wins.
    Most "`wins` of an ending" {
        /// What is counted for each side.
        "most" required: Formula => "-side.lost";
    }

    /// Units of which none is left.
    UnitsLeft "`none` of an ending" {
        /// The kind of unit.
        "of" required: Name("unit") => "squad";
        /// Whose units: all, those of the players, those that the sheet runs, or those of each side.
        "sides": Word(&["all", "players", "sheet", "each"]) => "each";
        /// Only units for which this is true; each is `unit`.
        "when": Formula => "not unit.broken";
    }

    /// Charts repeated until something is decided.
    Fight "`[fight.x]`" {
        /// What it is called.
        "title" required: Text => "Artillery duel";
        /// What it decides.
        "about": Text => "Two batteries fire until one is silent.";
        /// Small print.
        "notes": TEXTS => toml r#"["A crew that keeps its heads down misses a turn."]"#;
        /// The option without which the fight is not used.
        "needs_option": Name("option") => "duels";
        /// The sides.
        "side" required: Named(&Keys(&FightSide::SECTION))
            => toml r#"{ ours = { unit = "gun" }, theirs = { unit = "gun" } }"#;
        /// Questions to the player.
        "ask": chart::ASK => toml r#"{ range = { number = "Range", from = 1, to = 3 } }"#;
        /// What happens in a round, in order.
        "action" required: List(&Either(&[Keys(&FightRoll::SECTION), Keys(&FightLift::SECTION)]))
            => toml r#"[ { chart = "shot", who = { gun = "ours", target = "theirs" } } ]"#;
        /// The charts that are rolled when they become due.
        "follow": Named(&Keys(&Followed::SECTION)) => toml r#"{ nerve = {} }"#;
        /// The ways in which it ends, tried in order; without it, the side with units left wins.
        "over": Named(&Keys(&Over::SECTION))
            => toml r#"{ won = { title = "We win", when = "theirs.count == 0" } }"#;
    }

    /// A side of a fight.
    FightSide "`[fight.x.side.y]`" {
        /// What it is called.
        "title": Text => "Our guns";
        /// The kind of its units.
        "unit" required: Name("unit") => "gun";
        /// How many units there may be; 20 without it.
        "most": Number => 4;
        /// When a unit takes no further part; it is `unit`.
        "out": Formula => "unit.men == 0";
        /// Numbers of the units whose total the odds report.
        "totals": TEXTS => toml r#"["men"]"#;
    }

    /// An action of a round that rolls a chart.
    FightRoll "`action` of a fight with `chart`" {
        /// The chart that is rolled.
        "chart" required: Name("chart") => "shot";
        /// Its roles, each with a side.
        "who": WHO => toml r#"{ gun = "ours", target = "theirs" }"#;
        /// The role for whose units it is rolled one after another.
        "each": Text => "gun";
        /// Which units roll, in the roles of the chart.
        "when": Formula => "not gun.down";
        /// The units that are chosen for the other roles: a condition, or several in order of
        /// importance.
        "prefer": OneOrMore(&Formula) => toml r#"["not target.down", "target.men == 1"]"#;
        /// Answers to its questions.
        "with": WITH => toml r#"{ range = "range" }"#;
        /// Whether it is resolved at the same time as the action before.
        "at_once": Flag => toml "true";
    }

    /// An action of a round that lifts statuses.
    FightLift "`action` of a fight with `lift`" {
        /// The status, or several.
        "lift" required: OneOrMore(&Name("status")) => "down";
        /// The side whose units lose it.
        "of": Text => "ours";
        /// Only units for which this is true; each is `unit`.
        "when": Formula => "unit.men > 0";
    }

    /// A chart that is rolled when it becomes due.
    Followed "`[fight.x.follow.chart]`" {
        /// Answers to its questions.
        "with": WITH => toml r#"{ night = "night" }"#;
    }

    /// A way in which a fight ends.
    Over "`over` of a fight" {
        /// What it is called.
        "title" required: Text => "Their guns are silent";
        /// The condition.
        "when" one: Formula => "theirs.count == 0";
        /// The result of a chart that ends it.
        "result" one: Name("result") => "surrender";
    }
}
