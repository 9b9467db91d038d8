//! An invitation: the player enters a name, and the server gives a token for the table.

use super::reply_to::{self, Join, ReplyTo};
use crate::app::{Page, Shared};
use crate::message::{Command, HttpCall, Message as Outer, Now, Reply, TableCard};
use crate::parts::{act, form_fields, icon};
use crate::server_api::{AboutTable, ErrorBody, JoinReply};
use adjutant_api::JoinGame;
use adjutant_wording::en::page::{self as words, home, table as text};
use maud::html;
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
        let known = shared
            .tables
            .iter()
            .find(|card| card.id == id)
            .map(|card| card.token.clone())
            .unwrap_or_default();
        let name = shared.settings.name.clone();
        Joining {
            id: id.to_owned(),
            key: key.to_owned(),
            name,
            token: String::new(),
            known,
            wrong: None,
        }
    }

    /// The player sent the form.
    pub fn update(
        &mut self,
        shared: &mut Shared,
        fields: &BTreeMap<String, String>,
    ) -> Vec<Command> {
        self.name = fields.get("name").map(|name| name.trim().to_owned()).unwrap_or_default();
        self.wrong = None;
        if self.name.is_empty() {
            self.wrong = Some(text::SAY_YOUR_NAME.to_owned());
            return vec![Command::Reject {
                sentence: text::SAY_YOUR_NAME.to_owned(),
                focus: Some("join-name"),
            }];
        }
        let body = JoinGame { key: self.key.clone(), name: self.name.clone() };
        let call = HttpCall::post(format!("api/games/{}/join", self.id), &self.known, &body);
        vec![
            shared.settings.set_name(&self.name),
            Command::Http { reply_to: Join::Admitted.into(), call },
        ]
    }

    /// The server replied.
    pub fn reply(
        &mut self,
        shared: &mut Shared,
        now: &Now,
        to: Join,
        reply: Reply,
    ) -> Vec<Command> {
        let Reply::Http { status, body } = reply else {
            return self.refuse(text::NO_CONNECTION.to_owned());
        };
        let refused =
            || ErrorBody::read(&body).sentence().unwrap_or_else(|| home::SERVER_REFUSED.to_owned());
        match to {
            Join::Admitted => match serde_json::from_str::<JoinReply>(&body) {
                Ok(JoinReply { token }) if status == 200 => {
                    self.token = token;
                    let call = HttpCall {
                        path: format!("api/games/{}", self.id),
                        token: self.token.clone(),
                        ..HttpCall::default()
                    };
                    vec![Command::Http { reply_to: Join::About.into(), call }]
                }
                _ => self.refuse(refused()),
            },
            Join::About if status == 200 => {
                let about: AboutTable = serde_json::from_str(&body).unwrap_or_default();
                let last = shared
                    .tables
                    .iter()
                    .find(|known| known.id == self.id)
                    .map_or(0, |known| known.last);
                let card = TableCard {
                    id: self.id.clone(),
                    name: about.name,
                    pack: about.pack,
                    at: now.time.clone(),
                    last,
                    token: self.token.clone(),
                };
                shared.tables.retain(|known| known.id != card.id);
                shared.tables.push(card.clone());
                // The address is that of the table already, so going there would change nothing:
                // the table is opened by a reply.
                let open =
                    Command::NextFrame { reply_to: ReplyTo::OpenJoined(card.id.clone()).into() };
                vec![Command::SaveCard { reply_to: reply_to::Game::CopyStored.into(), card }, open]
            }
            Join::About => self.refuse(refused()),
        }
    }

    fn refuse(&mut self, why: String) -> Vec<Command> {
        self.wrong = Some(text::sentence(&why));
        vec![Command::Reject { sentence: why, focus: Some("wrong") }]
    }

    /// The HTML.
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
