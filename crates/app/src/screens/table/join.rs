//! An invitation: the player enters a name, and the server gives a token for the table.

use super::other_pack;
use super::reply_to::{self, Join, ReplyTo};
use crate::app::{Page, Shared};
use crate::message::{Command, HttpCall, Message as Outer, Now, Reply, TableCard};
use crate::parts::{act, form_fields, icon};
use crate::server_api::{AboutTable, ErrorBody};
use adjutant_api::{Invitation, JoinGame, Joined, ReadInvitation};
use adjutant_game::Seat;
use adjutant_wording::en::page::{self as words, home, table as text};
use maud::{Markup, html};
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
    about: About,
    wrong: Option<String>,
}

/// How long the form waits for what the invitation is for, in milliseconds.
const ASK_LIMIT_MS: u32 = 4000;

/// What the invitation is for. The form is shown when this is decided: what comes later would move
/// its button under the finger.
#[derive(Debug)]
enum About {
    /// The server was asked.
    Asked,
    /// It is for a game with another pack than the one that comes with the page, which is being
    /// fetched.
    Comparing(Invitation),
    /// What the invitation is for, and what the pack has otherwise than the one that comes with the
    /// page.
    Told(Invitation, Vec<String>),
    /// The server did not answer. The player can try to join all the same.
    Unknown,
    /// The link does not open a game any more.
    Void,
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
            about: About::Asked,
            wrong: None,
        }
    }

    /// Asks the server what the invitation is for.
    pub fn ask(&self) -> Command {
        let body = ReadInvitation { key: self.key.clone() };
        let call = HttpCall {
            limit: Some(ASK_LIMIT_MS),
            ..HttpCall::post(format!("api/games/{}/invitation", self.id), "", &body)
        };
        Command::Http { reply_to: Join::Asked.into(), call }
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
        if to == Join::Asked {
            return self.told(shared, &reply).into_iter().collect();
        }
        if to == Join::Pack {
            if let About::Comparing(about) = std::mem::replace(&mut self.about, About::Unknown) {
                let differs = other_pack::differs(&about, &reply);
                self.about = About::Told(about, differs);
            }
            return Vec::new();
        }
        let Reply::Http { status, body } = reply else {
            return self.refuse(text::NO_CONNECTION.to_owned());
        };
        let refused =
            || ErrorBody::read(&body).sentence().unwrap_or_else(|| home::SERVER_REFUSED.to_owned());
        match to {
            Join::Admitted => match serde_json::from_str::<Joined>(&body) {
                Ok(Joined { token: Some(token), .. }) if status == 200 => {
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
            Join::Asked | Join::Pack => Vec::new(),
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
                    ..TableCard::default()
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

    /// The server said what the invitation is for, or did not.
    fn told(&mut self, shared: &Shared, reply: &Reply) -> Option<Command> {
        let Reply::Http { status, body } = reply else {
            self.about = About::Unknown;
            return None;
        };
        let mut todo = None;
        self.about = match (status, serde_json::from_str::<Invitation>(body)) {
            (200, Ok(about)) => {
                todo = other_pack::fetch(shared, &about, ASK_LIMIT_MS);
                match todo {
                    Some(_) => About::Comparing(about),
                    None => About::Told(about, Vec::new()),
                }
            }
            (403, _) => {
                let why = ErrorBody::read(body).sentence();
                self.wrong =
                    Some(why.map_or(text::SHUT_OUT.to_owned(), |why| text::sentence(&why)));
                About::Void
            }
            _ => About::Unknown,
        };
        todo
    }

    fn refuse(&mut self, why: String) -> Vec<Command> {
        self.wrong = Some(text::sentence(&why));
        vec![Command::Reject { sentence: why, focus: Some("wrong") }]
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        let head = match &self.about {
            About::Told(about, _) => text::invited_to(&about.name),
            _ => text::INVITED_HEAD.to_owned(),
        };
        let main = html! {
            div.begin-screen {
                h1 tabindex="-1" { (head) }
                @match &self.about {
                    About::Asked | About::Comparing(_) => p.lead role="status" { (text::READING_INVITATION) },
                    About::Told(about, differs) => { (about_view(about, differs, shared)) (self.form()) }
                    About::Unknown => (self.form()),
                    About::Void => { (self.wrong()) p { a.button href="#/" { (words::BAR_HOME) } } }
                }
            }
        };
        Page::plain(words::title(text::INVITED_HEAD), main)
    }

    fn wrong(&self) -> Markup {
        html! { @if let Some(why) = &self.wrong { p.wrong #wrong role="alert" tabindex="-1" { (why) } } }
    }

    fn form(&self) -> Markup {
        let join = act(&Outer::Table(super::Message::Join(form_fields())));
        html! {
            form.begin-form data-do=(join) autocomplete="off" {
                label.field { span.field-label { (text::INVITED_LEAD) } input #join-name type="text" name="name" maxlength="60" value=(self.name) required; }
                div.actions-row { button.button.button-main type="submit" { (icon::table()) (text::JOIN) } }
                // Below the button, so that it stays where it is.
                (self.wrong())
            }
        }
    }
}

/// The game, who plays in it, and what the link allows.
fn about_view(about: &Invitation, differs: &[String], shared: &Shared) -> Markup {
    // A guest may not have the pack yet; the server names it.
    let known = shared.packs.summary(&about.pack).map(|summary| summary.title);
    let named = Some(&about.pack_title).filter(|title| !title.is_empty()).cloned();
    let pack = known.or(named).unwrap_or_else(|| about.pack.clone());
    let players = |side: &String| {
        let has = |seat: &Seat| matches!(seat, Seat::Player { side: known } if known == side);
        let names = about.people.iter().filter(|one| has(&one.role)).map(|one| one.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let (as_what, may) = match &about.role {
        Seat::Player { side } => (text::join_as(side), text::PLAYER_MAY),
        Seat::Umpire => (text::join_as(text::UMPIRE), text::UMPIRE_MAY),
        Seat::Spectator => (text::join_as(text::SPECTATOR), text::SPECTATOR_MAY),
    };
    html! {
        div.invited {
            p { (text::game_by(&pack, about.host.as_deref())) }
            (other_pack::view(shared, about, differs))
            ul.people { @for side in &about.sides {
                @let names = players(side);
                li { b { (side) } " " (if names.is_empty() { text::NO_PLAYER_YET } else { &names }) }
            } }
            p { b { (as_what) } " " (may) }
        }
    }
}
