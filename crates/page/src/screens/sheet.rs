//! A game's sheet as a reference to read and to search, in the printed order; each chart is one tap from being played.
//! Options and the tables that the book keeps to itself are set here, once.

use crate::app::{Page, Shared};
use crate::message::{Command, Moment};
use crate::route::{Query, Route};
use crate::words;
use maud::html;
use serde::{Deserialize, Serialize};

/// What can be done here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Searches.
    Search(String),
    /// Sets an option.
    Option(String, String),
    /// Fills in the tables of the book.
    Tables(String),
}

/// What is known here.
#[derive(Debug, Default)]
pub struct State {
    pack: String,
    search: String,
}

impl State {
    /// The address leads here.
    pub fn open(&mut self, _shared: &mut Shared, pack: &str) -> Vec<Command> {
        if self.pack != pack {
            *self = State { pack: pack.to_owned(), ..State::default() };
        }
        Vec::new()
    }

    /// Something was done.
    pub fn update(&mut self, shared: &mut Shared, _moment: &Moment, message: Message) -> Vec<Command> {
        match message {
            Message::Search(text) => {
                self.search = text;
                Vec::new()
            }
            Message::Option(name, value) => vec![shared.settings.set_option(&self.pack, &name, Some(&value))],
            Message::Tables(_) => Vec::new(),
        }
    }

    /// How it looks.
    pub fn view(&self, shared: &Shared) -> Page {
        let Some(pack) = shared.shelf.pack(&self.pack) else {
            return Page::plain(words::title(""), html! { h1 tabindex="-1" { (words::home::no_pack(&self.pack)) } });
        };
        let main = html! {
            h1 tabindex="-1" { (pack.title) }
            @for chart in &pack.charts {
                article.sheet-chart { h2 { a href=(Route::Chart(pack.id.to_string(), chart.id.to_string(), Query::new())) { (chart.title) } } }
            }
        };
        Page::plain(words::title(&pack.title), main)
    }
}
