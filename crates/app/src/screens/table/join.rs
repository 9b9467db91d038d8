//! An invitation was followed: who comes says his name, and the server gives him a token for this table.

use super::re;
use crate::app::{Page, Shared};
use crate::message::{Command, HttpCall, Message as Outer, Now, Reply, TableCard};
use crate::parts::{act, form_fields, icon};
use crate::screens::home::error_sentence;
use crate::words::{self, home, table as text};
use maud::html;
use serde::Deserialize;
use std::collections::BTreeMap;

/// An invitation that is being followed.
#[derive(Debug)]
pub struct Joining {
    id: String,
    key: String,
    name: String,
    token: String,
    /// A token from an earlier visit.
    known: String,
    wrong: Option<String>,
}

impl Joining {
    pub fn new(shared: &Shared, id: &str, key: &str) -> Joining {
        let known = shared.tables.iter().find(|card| card.id == id).map(|card| card.token.clone()).unwrap_or_default();
        let name = shared.settings.name.clone();
        Joining { id: id.to_owned(), key: key.to_owned(), name, token: String::new(), known, wrong: None }
    }

    fn call(&self, method: &str, path: &str, token: &str, body: String) -> HttpCall {
        HttpCall { method: method.into(), path: format!("api/tables/{}{path}", self.id), token: token.to_owned(), body }
    }

    /// The name was said.
    pub fn update(&mut self, shared: &mut Shared, fields: &BTreeMap<String, String>) -> Vec<Command> {
        self.name = fields.get("name").map(|name| name.trim().to_owned()).unwrap_or_default();
        self.wrong = None;
        if self.name.is_empty() {
            self.wrong = Some(text::SAY_YOUR_NAME.to_owned());
            return vec![Command::Focus("join-name".into())];
        }
        let body = crate::body::Body::new().with("key", &self.key).with("name", &self.name).text();
        let call = self.call("POST", "/join", &self.known, body);
        vec![shared.settings.set_name(&self.name), Command::Call { re: re("join:in"), call }]
    }

    /// The server answered.
    pub fn heard(&mut self, shared: &mut Shared, moment: &Now, what: &str, answer: Reply) -> Vec<Command> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct JoinReply {
            token: Option<String>,
            name: String,
            pack: String,
        }
        let (status, body) = match answer {
            Reply::Reply { status, body } => (status, body),
            _ => return self.refuse(text::NO_CONNECTION.to_owned()),
        };
        let said: JoinReply = serde_json::from_str(&body).unwrap_or_default();
        match (what, status, said.token) {
            ("in", 200, Some(token)) => {
                self.token = token;
                vec![Command::Call { re: re("join:about"), call: self.call("GET", "", &self.token, String::new()) }]
            }
            ("about", 200, _) => {
                let card = TableCard {
                    id: self.id.clone(),
                    name: said.name,
                    pack: said.pack,
                    at: moment.now.clone(),
                    last: 0,
                    token: self.token.clone(),
                };
                let known = shared.tables.iter().find(|known| known.id == card.id).map_or(0, |known| known.last);
                let card = TableCard { last: known, ..card };
                shared.tables.retain(|known| known.id != card.id);
                shared.tables.push(card.clone());
                // The address says so already; going there anew opens the table.
                vec![Command::KeepCard { re: re("copied"), card: card.clone() }, Command::Soon { re: re(&format!("joined:{}", card.id)) }]
            }
            (_, _, _) => self.refuse(error_sentence(&body).unwrap_or_else(|| home::SERVER_REFUSED.to_owned())),
        }
    }

    fn refuse(&mut self, why: String) -> Vec<Command> {
        self.wrong = Some(text::sentence(&why));
        vec![Command::Say(why), Command::Focus("wrong".into())]
    }

    /// How it looks.
    pub fn view(&self) -> Page {
        let main = html! {
            div.begin-screen {
                h1 tabindex="-1" { (text::INVITED_HEAD) }
                p.lead { (text::INVITED_LEAD) }
                @if let Some(why) = &self.wrong { p.wrong #wrong role="alert" tabindex="-1" { (why) } }
                form.begin-form data-do=(act(&Outer::Table(super::Message::Join(form_fields())))) autocomplete="off" {
                    label.field { span.field-label { (home::YOUR_NAME) } input #join-name type="text" name="name" maxlength="60" value=(self.name) required; }
                    div.actions-row { button.button.button-main type="submit" { (icon::table()) (text::JOIN) } }
                }
            }
        };
        Page::plain(words::title(text::INVITED_HEAD), main)
    }
}
