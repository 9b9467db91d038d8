//! What the home screen and the bar show of a pack. Reading four packs is the slowest part of the
//! start on a phone, so summaries are made when the page is built and come with its first message.

use adjutant_pack::Pack;
use adjutant_wording::en::page::home;
use serde::{Deserialize, Serialize};

/// How many charts of a pack the home screen offers.
const CHARTS: usize = 4;

/// An id and a title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
}

impl Named {
    fn new(id: &str, title: &str) -> Named {
        Named { id: id.to_owned(), title: title.to_owned() }
    }
}

/// A summary of a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackSummary {
    /// The pack's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The author of the game.
    pub by: String,
    /// What it is about.
    pub about: String,
    /// What it has, in one line.
    pub offers: String,
    /// The id of the first chart, if there is one.
    pub first: Option<String>,
    /// The id of a start that can be played at once: it has units on two sides.
    pub sample: Option<String>,
    /// The charts to try first.
    pub charts: Vec<Named>,
    /// Its decks.
    pub decks: Vec<Named>,
}

impl PackSummary {
    /// Summarizes a pack.
    pub fn of(pack: &Pack) -> PackSummary {
        let charts = pack.charts().iter().filter(|chart| chart.needs_option.is_none()).take(CHARTS);
        let sample = pack.starts().iter().find(|start| {
            start.units.iter().any(|unit| start.units.iter().any(|other| other.side != unit.side))
        });
        PackSummary {
            id: pack.id().to_string(),
            title: pack.title().to_string(),
            by: pack.by().to_string(),
            about: pack.about().to_string(),
            offers: home::offers(pack),
            first: pack.charts().first().map(|chart| chart.id.to_string()),
            sample: sample.map(|start| start.id.to_string()),
            charts: charts.map(|chart| Named::new(&chart.id, &chart.title)).collect(),
            decks: pack.card_decks().map(|deck| Named::new(&deck.id, &deck.title)).collect(),
        }
    }
}
