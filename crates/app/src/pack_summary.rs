//! What home and the bar say of a sheet. To read four packs takes a phone longer than all else at the start, so this little is
//! written beside the page when it is built, and handed to the engine with its first message. A sheet of the player's own, or
//! one that was read already, is asked itself.

use adjutant_pack::Pack;
use adjutant_wording::en::page::home;
use serde::{Deserialize, Serialize};

/// How many charts home offers of a sheet.
const CHARTS: usize = 4;

/// A name by which something is found, and its title.
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

/// A sheet in summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackSummary {
    /// The pack's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whose game it is.
    pub by: String,
    /// What it is about.
    pub about: String,
    /// What it has, in one line.
    pub offers: String,
    /// The id of the first chart, if there is one.
    pub first: Option<String>,
    /// The charts to try first.
    pub charts: Vec<Named>,
    /// Its decks.
    pub decks: Vec<Named>,
}

impl PackSummary {
    /// Of a pack.
    pub fn of(pack: &Pack) -> PackSummary {
        let charts = pack.charts().iter().filter(|chart| chart.needs_option.is_none()).take(CHARTS);
        PackSummary {
            id: pack.id().to_string(),
            title: pack.title().to_string(),
            by: pack.by().to_string(),
            about: pack.about().to_string(),
            offers: home::offers(pack),
            first: pack.charts().first().map(|chart| chart.id.to_string()),
            charts: charts.map(|chart| Named::new(&chart.id, &chart.title)).collect(),
            decks: pack.decks().iter().map(|deck| Named::new(&deck.id, &deck.title)).collect(),
        }
    }
}
