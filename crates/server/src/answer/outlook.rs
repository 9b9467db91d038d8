//! What is to be expected of a fight, known exactly or by playing. Whoever tells it need not mind which.

use super::odds::fraction;
use adjutant_engine::{Chance, FightOdds, FightSituation, FightTally, Limit, wilson};
use adjutant_pack::{Action, Chart, Fight, Pack};
use serde_json::{Map, Value as Json, json};

/// Said of chances that are as good as exact.
pub const NEARLY: &str = "Right to about twelve digits: the exact fractions would have thousands.";

/// How likely something is.
#[derive(Clone)]
pub enum Share {
    /// As a fraction.
    Exact(Chance),
    /// Worked out in floats.
    Near(Chance),
    /// By playing.
    Counted {
        /// How often it came.
        count: u64,
        /// In how many fights.
        of: u64,
    },
}

impl Share {
    /// In per cent.
    pub fn percent(&self) -> f64 {
        match self {
            Share::Exact(chance) | Share::Near(chance) => chance.percent(),
            Share::Counted { count, of } => *count as f64 * 100.0 / (*of).max(1) as f64,
        }
    }

    /// Per cent as players read it; `~` where it was only counted.
    pub fn text(&self) -> String {
        adjutant_engine::percent_in_words(self.percent())
    }

    /// The fraction where it is short enough to read, or the interval of a count.
    pub fn detail(&self) -> Option<String> {
        match self {
            Share::Exact(chance) => short(chance),
            Share::Near(_) => None,
            Share::Counted { count, of } => {
                let (from, to) = wilson(*count, *of);
                Some(format!("{} to {} %", adjutant_engine::percent_to(from * 100.0, 2), adjutant_engine::percent_to(to * 100.0, 2)))
            }
        }
    }

    /// Whether it never comes.
    pub fn is_zero(&self) -> bool {
        self.percent() == 0.0
    }

    /// For programs.
    pub fn json(&self) -> Json {
        match self {
            Share::Exact(chance) => json!(chance),
            Share::Near(chance) => json!({ "exact": null, "percent": chance.percent() }),
            Share::Counted { count, of } => {
                let (from, to) = wilson(*count, *of);
                let share = *count as f64 / (*of).max(1) as f64;
                json!({ "exact": null, "percent": share * 100.0, "count": count, "share": share, "interval_95": [from, to] })
            }
        }
    }
}

/// A number on average.
pub enum Mean {
    /// As a fraction.
    Exact(Chance),
    /// Worked out in floats.
    Near(Chance),
    /// With half the width of its 95 % interval.
    Counted(f64, f64),
}

impl Mean {
    /// As a float.
    pub fn value(&self) -> f64 {
        match self {
            Mean::Exact(mean) | Mean::Near(mean) => mean.value(),
            Mean::Counted(mean, _) => *mean,
        }
    }

    /// The fraction where it is short enough to read, or how far off a count may be.
    pub fn detail(&self) -> Option<String> {
        match self {
            Mean::Exact(mean) => short(mean).filter(|text| text.contains('/')),
            Mean::Near(_) => None,
            Mean::Counted(_, off) => Some(format!("± {off:.3}")),
        }
    }

    /// For programs.
    pub fn json(&self) -> Json {
        match self {
            Mean::Exact(mean) => json!({ "exact": mean.exact(), "value": mean.value() }),
            Mean::Near(mean) => json!({ "exact": null, "value": mean.value() }),
            Mean::Counted(mean, off) => json!({ "exact": null, "value": mean, "interval_95": [mean - off, mean + off] }),
        }
    }
}

/// A fraction that fits beside a bar.
fn short(chance: &Chance) -> Option<String> {
    Some(fraction(chance)).filter(|text| !text.starts_with('('))
}

/// What becomes of a side.
pub struct SideOutlook {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// How many units it began with.
    pub began: u32,
    /// How many it loses on average.
    pub lost: Mean,
    /// How many are left, and how likely.
    pub left: Vec<(u32, Share)>,
}

/// What is to be expected.
pub struct Outlook {
    /// Whether every chance is an exact fraction.
    pub exact: bool,
    /// Each decision: id, name, how likely.
    pub ends: Vec<(String, String, Share)>,
    /// How likely it is never decided.
    pub never: Share,
    /// None if it may go on for ever.
    pub rounds: Option<Mean>,
    /// What becomes of each side.
    pub sides: Vec<SideOutlook>,
    /// How many ways it can stand when a round begins, where these were weighed.
    pub standings: Option<usize>,
    /// How often it was played, and with which seed, where it was.
    pub played: Option<(u64, u64)>,
    /// The limit in time or memory that was reached before all was weighed.
    pub over: Option<Limit>,
}

impl Outlook {
    /// Of chances that were weighed, and how many standings there are.
    pub fn weighed(odds: FightOdds, standings: usize) -> Outlook {
        let share = if odds.exact { Share::Exact } else { Share::Near };
        let mean = if odds.exact { Mean::Exact } else { Mean::Near };
        let side = |side: adjutant_engine::SideOdds| SideOutlook {
            left: side.left.into_iter().map(|(units, chance)| (units, share(chance))).collect(),
            lost: mean(side.lost),
            id: side.id,
            title: side.title,
            began: side.began,
        };
        Outlook {
            exact: odds.exact,
            ends: odds.ends.into_iter().map(|end| (end.id, end.title, share(end.chance))).collect(),
            never: share(odds.never),
            rounds: odds.rounds.map(mean),
            sides: odds.sides.into_iter().map(side).collect(),
            standings: Some(standings),
            played: None,
            over: None,
        }
    }

    /// Of fights that were played with this seed.
    pub fn played(situation: &FightSituation<'_>, tally: &FightTally, seed: u64) -> Outlook {
        let of = tally.fights;
        let share = |count: u64| Share::Counted { count, of };
        let sides = situation.fight().sides.iter_enumerated().map(|(place, side)| {
            let began = situation.count(place);
            let (mean, off) = tally.lost(place, began);
            let left = (0..=began).map(|units| (units, tally.count(|end| end.left.get(place) == Some(&units))));
            SideOutlook {
                id: side.id.clone(),
                title: side.title.clone(),
                began,
                lost: Mean::Counted(mean, off),
                left: left.filter(|(_, count)| *count > 0).map(|(units, count)| (units, share(count))).collect(),
            }
        });
        let ends = situation.decisions().into_iter().enumerate().map(|(place, (id, title))| {
            let count = tally.count(|end| end.decision == place);
            (id, title, share(count))
        });
        Outlook {
            exact: false,
            ends: ends.filter(|(id, _, share)| id != "nobody" || !share.is_zero()).collect(),
            never: share(tally.undecided),
            rounds: tally.rounds().map(|(mean, off)| Mean::Counted(mean, off)),
            sides: sides.collect(),
            standings: None,
            played: Some((tally.fights, seed)),
            over: None,
        }
    }

    /// Whether it was weighed, but in floats.
    pub fn is_near(&self) -> bool {
        !self.exact && self.played.is_none()
    }

    /// How it is known, where it is not exact.
    pub fn caveat(&self) -> Option<String> {
        if self.is_near() {
            return Some(NEARLY.to_owned());
        }
        let (fights, seed) = self.played?;
        let why = match self.over {
            None => "This fight can stand in too many ways to weigh them all",
            Some(Limit::Time) => "Weighing this fight takes more time than is allowed",
            Some(Limit::Memory) => "Weighing this fight takes more memory than is allowed",
        };
        Some(format!("{why}: it was played {} times, with seed {seed}.", grouped(fights)))
    }
}

/// What is known of the fight before it begins.
fn inputs(situation: &FightSituation<'_>) -> Json {
    Json::Object(situation.known_inputs().into_iter().map(|(name, answer)| (name, json!(answer))).collect())
}

fn ends_json(outlook: &Outlook) -> Vec<Json> {
    outlook.ends.iter().map(|(id, title, share)| json!({ "id": id, "title": title, "chance": share.json() })).collect()
}

/// What a table's cell and the whole answer have in common.
pub fn outlook_json(outlook: &Outlook) -> Map<String, Json> {
    let left =
        |left: &[(u32, Share)]| left.iter().map(|(units, share)| json!({ "units": units, "chance": share.json() })).collect::<Vec<_>>();
    let side = |side: &SideOutlook| json!({ "id": side.id, "title": side.title, "began": side.began, "lost": side.lost.json(), "left": left(&side.left) });
    let mut map = Map::new();
    map.insert("exact".into(), json!(outlook.exact));
    map.insert("ends".into(), json!(ends_json(outlook)));
    map.insert("never".into(), outlook.never.json());
    map.insert("rounds".into(), outlook.rounds.as_ref().map_or(Json::Null, |rounds| rounds.json()));
    map.insert("sides".into(), json!(outlook.sides.iter().map(side).collect::<Vec<_>>()));
    map.insert("standings".into(), json!(outlook.standings));
    if let Some((fights, seed)) = outlook.played {
        map.insert("samples".into(), json!(fights));
        map.insert("seed".into(), json!(seed));
    }
    if let Some(limit) = outlook.over {
        map.insert("limit".into(), json!(if limit == Limit::Time { "time" } else { "memory" }));
    }
    map
}

/// The whole answer.
pub fn outlook(situation: &FightSituation<'_>, outlook: &Outlook) -> Json {
    let mut map = Map::new();
    map.insert("pack".into(), json!(situation.pack().id()));
    map.insert("fight".into(), json!(situation.fight().id));
    map.insert("inputs".into(), inputs(situation));
    map.extend(outlook_json(outlook));
    Json::Object(map)
}

/// Every chart that is thrown in a fight.
pub fn charts_of<'p>(pack: &'p Pack, fight: &Fight) -> Vec<&'p Chart> {
    let thrown = fight.actions.iter().filter_map(|action| if let Action::Throw(throw) = action { Some(throw.chart) } else { None });
    thrown.chain(fight.follow.iter().map(|followed| followed.chart)).map(|chart| &pack.charts()[chart]).collect()
}

/// `359 998 712`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    parts.join(" ")
}
