//! Addresses. They are in the fragment, which no server sees, because an invitation's key may be in
//! it. The inputs of a chart are in it too, so that a link fills its form in.

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, PercentEncode, percent_decode_str, utf8_percent_encode,
};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Names and values of an address, in their order.
pub type Query = Vec<(String, String)>;

/// What the workshop does with a game. Its name ends an address: `#/game/ID.report`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameTask {
    /// Compares every roll with its odds.
    Luck,
    /// Exports the battle report, to read in a browser.
    Report,
    /// Exports the battle report as text.
    ReportText,
}

impl GameTask {
    const ALL: [GameTask; 3] = [GameTask::Luck, GameTask::Report, GameTask::ReportText];

    fn word(self) -> &'static str {
        match self {
            GameTask::Luck => "luck",
            GameTask::Report => "report",
            GameTask::ReportText => "report-text",
        }
    }
}

/// Where the player is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// `#/`
    #[default]
    Home,
    /// `#/sheet/PACK`
    Sheet(String),
    /// `#/chart/PACK/CHART?name=value`
    Chart(String, String, Query),
    /// `#/game/new` or `#/game/new.PACK`: the form for a new game.
    NewTable(Option<String>),
    /// `#/game/ID`
    Table(String),
    /// `#/game/ID.N`: an entry of the game's log.
    Entry(String, u64),
    /// `#/game/ID.TASK`: the game, with something to do there.
    Task(String, GameTask),
    /// `#/lab/PACK/CHART?…`
    Lab(String, String, Query),
    /// `#/fight/PACK/FIGHT?…`
    Fight(String, String, Query),
    /// `#/deck/PACK/DECK`
    Deck(String, String),
    /// `#/editor`
    PackEditor,
    /// `#/editor/paste`: a sheet becomes a pack.
    PasteSheet,
    /// `#/pack/TEXT`: a small pack in a link.
    PackLink(String),
    /// `#/share/PACK`: a pack to hand on.
    SharePack(String),
    /// `#/help`
    Help,
    /// `#/join/ID/KEY`: an invitation.
    Join(String, String),
    /// An address that leads nowhere.
    Nowhere(String),
}

impl Route {
    /// Reads a fragment; anything can stand there.
    ///
    /// ```
    /// use adjutant_app::Route;
    /// let route = Route::read("#/chart/panzer8/fire?ammo=ap&firer.ap=7");
    /// assert_eq!(route.to_string(), "#/chart/panzer8/fire?ammo=ap&firer.ap=7");
    /// ```
    pub fn read(fragment: &str) -> Route {
        let text = fragment.strip_prefix('#').unwrap_or(fragment);
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let parts: Vec<String> =
            path.split('/').filter(|part| !part.is_empty()).map(unescape).collect();
        let query = || {
            query.split('&').filter(|pair| !pair.is_empty()).take(200).map(pair).collect::<Query>()
        };
        match parts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => Route::Home,
            ["sheet", pack] => Route::Sheet(pack.into()),
            ["chart", pack, chart] => Route::Chart(pack.into(), chart.into(), query()),
            ["game", "new"] => Route::NewTable(None),
            ["game", id] => match id.split_once('.') {
                Some(("new", pack)) => Route::NewTable(Some(pack.into())),
                Some((id, what)) => {
                    match (what.parse(), GameTask::ALL.iter().find(|task| task.word() == what)) {
                        (Ok(n), _) => Route::Entry(id.into(), n),
                        (_, Some(task)) => Route::Task(id.into(), *task),
                        _ => Route::Table(id.into()),
                    }
                }
                None => Route::Table(id.into()),
            },
            ["lab", pack, chart] => Route::Lab(pack.into(), chart.into(), query()),
            ["fight", pack, fight] => Route::Fight(pack.into(), fight.into(), query()),
            ["deck", pack, deck] => Route::Deck(pack.into(), deck.into()),
            ["editor"] => Route::PackEditor,
            ["editor", "paste"] => Route::PasteSheet,
            ["pack", link] => Route::PackLink(link.into()),
            ["share", pack] => Route::SharePack(pack.into()),
            ["help"] => Route::Help,
            ["join", id, key] => Route::Join(id.into(), key.into()),
            _ => Route::Nowhere(adjutant_pack::clip_to(text, 80).to_string()),
        }
    }

    /// The place alone, and what is to be done there.
    pub(crate) fn without_task(self) -> (Route, Option<GameTask>) {
        match self {
            Route::Task(id, task) => (Route::Table(id), Some(task)),
            route => (route, None),
        }
    }
}

impl std::fmt::Display for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = |f: &mut std::fmt::Formatter<'_>, parts: &[&str]| {
            f.write_char('#')?;
            parts.iter().try_for_each(|part| write!(f, "/{}", escape(part)))
        };
        match self {
            Route::Home => f.write_str("#/"),
            Route::Sheet(pack) => path(f, &["sheet", pack]),
            Route::Chart(pack, chart, query) => {
                path(f, &["chart", pack, chart]).and_then(|()| write_query(f, query))
            }
            Route::NewTable(None) => f.write_str("#/game/new"),
            Route::NewTable(Some(pack)) => path(f, &["game", &format!("new.{pack}")]),
            Route::Table(id) => path(f, &["game", id]),
            Route::Entry(id, n) => path(f, &["game", &format!("{id}.{n}")]),
            Route::Task(id, task) => path(f, &["game", &format!("{id}.{}", task.word())]),
            Route::Lab(pack, chart, query) => {
                path(f, &["lab", pack, chart]).and_then(|()| write_query(f, query))
            }
            Route::Fight(pack, fight, query) => {
                path(f, &["fight", pack, fight]).and_then(|()| write_query(f, query))
            }
            Route::Deck(pack, deck) => path(f, &["deck", pack, deck]),
            Route::PackEditor => f.write_str("#/editor"),
            Route::PasteSheet => f.write_str("#/editor/paste"),
            Route::PackLink(link) => path(f, &["pack", link]),
            Route::SharePack(pack) => path(f, &["share", pack]),
            Route::Help => f.write_str("#/help"),
            Route::Join(id, key) => path(f, &["join", id, key]),
            Route::Nowhere(text) => write!(f, "#{text}"),
        }
    }
}

fn write_query(f: &mut std::fmt::Formatter<'_>, query: &Query) -> std::fmt::Result {
    for (place, (name, value)) in query.iter().enumerate() {
        write!(f, "{}{}={}", if place == 0 { '?' } else { '&' }, escape(name), escape(value))?;
    }
    Ok(())
}

fn pair(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (unescape(name), unescape(value))
}

/// What stands for itself in an address; all else is escaped.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b',');

/// A text in which nothing can be taken for a sign of an address.
pub(crate) fn escape(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, PLAIN)
}

fn unescape(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let query = vec![
            ("ammo".to_owned(), "ap".to_owned()),
            ("firer.a b".to_owned(), "½&=?/#".to_owned()),
        ];
        for route in [
            Route::Home,
            Route::Sheet("panzer8".into()),
            Route::Chart("p/8".into(), "fire".into(), query.clone()),
            Route::NewTable(None),
            Route::NewTable(Some("panzer8".into())),
            Route::Table("abc".into()),
            Route::Entry("abc".into(), 4),
            Route::Task("abc".into(), GameTask::Luck),
            Route::Task("abc".into(), GameTask::Report),
            Route::Task("abc".into(), GameTask::ReportText),
            Route::Lab("p".into(), "c".into(), Query::new()),
            Route::Fight("p".into(), "f".into(), query),
            Route::Deck("p".into(), "d".into()),
            Route::PackEditor,
            Route::PasteSheet,
            Route::PackLink("ab_-9".into()),
            Route::SharePack("my-game".into()),
            Route::Join("id".into(), "key".into()),
        ] {
            assert_eq!(Route::read(&route.to_string()), route);
        }
    }

    #[test]
    fn nonsense_leads_nowhere() {
        for text in ["#/sheet", "#/x/y/z/w", "#%zz%", "#/game/a/b", "%", "#/join/a"] {
            assert!(matches!(Route::read(text), Route::Nowhere(_)), "{text}");
        }
        assert_eq!(Route::read(""), Route::Home);
    }
}
