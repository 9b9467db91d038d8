//! A table: a game in progress, alone in this browser or shared through a server.

use crate::app::{Page, Shared};
use crate::message::{Answer, Command, Moment};
use crate::words;
use maud::html;
use serde::{Deserialize, Serialize};

/// What can be done here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Nothing yet.
    Nothing,
}

/// What is known here.
#[derive(Debug, Default)]
pub struct State {}

impl State {
    /// The address leads here.
    pub fn open(&mut self, _shared: &mut Shared, _moment: &Moment, _id: &str) -> Vec<Command> {
        Vec::new()
    }

    /// Something was done.
    pub fn update(&mut self, _shared: &mut Shared, _moment: &Moment, message: Message) -> Vec<Command> {
        match message {
            Message::Nothing => Vec::new(),
        }
    }

    /// A command was answered.
    pub fn heard(&mut self, _shared: &mut Shared, _moment: &Moment, _what: &str, _answer: Answer) -> Vec<Command> {
        Vec::new()
    }

    /// An invitation was followed.
    pub fn join(&mut self, _shared: &mut Shared, _moment: &Moment, _id: &str, _key: &str) -> Vec<Command> {
        Vec::new()
    }

    /// The player goes elsewhere.
    pub fn leave(&mut self, _shared: &mut Shared) -> Vec<Command> {
        vec![Command::StopListening]
    }

    /// Something came down the event stream.
    pub fn streamed(&mut self, _shared: &mut Shared, _moment: &Moment, _table: &str, _what: crate::Stream) -> Vec<Command> {
        Vec::new()
    }

    /// How it looks.
    pub fn view(&self, _shared: &Shared) -> Page {
        Page::plain(words::title(words::TABLE), html! { h1 tabindex="-1" { (words::TABLE) } })
    }
}
