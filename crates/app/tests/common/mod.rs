//! A world for the page: it keeps what it is told to keep, answers commands, and can press anything
//! that is on the page.
#![allow(dead_code, missing_docs, clippy::unwrap_used, clippy::panic)]

pub mod server;
pub mod table;

use adjutant_app::{App, Command, Message, Now, Reply, Route, Start, TableCard};
use std::collections::BTreeMap;

/// Text that breaks out of HTML wherever it is not escaped.
pub const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;";

/// How the store behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    #[default]
    Keeps,
    Full,
    MovedOn,
}

#[derive(Default)]
pub struct World {
    pub app: App,
    pub store: Store,
    pub cards: BTreeMap<String, TableCard>,
    pub lines: BTreeMap<String, Vec<String>>,
    pub kept: BTreeMap<String, String>,
    /// Every command that came, in order.
    pub told: Vec<Command>,
    pub ticks: u64,
    /// The clock that tells a double tap, in milliseconds.
    pub ms: u64,
    /// Whether all happens quickly: a tenth of a second between two messages, not a second.
    pub quick: bool,
    /// Who wants to be called back.
    pub soon: Vec<adjutant_app::ReplyTo>,
    /// Who wants to be called back after a while.
    pub later: Vec<adjutant_app::ReplyTo>,
    /// Whether calls wait for the test to answer them.
    pub holds_calls: bool,
    /// Whether saves wait for the test to end them.
    pub holds_saves: bool,
    /// Whether what is stored in place of a value waits for the test to end it.
    pub holds_replaced: bool,
    pub replaced: Vec<(adjutant_app::ReplyTo, String, String)>,
    pub saves: Vec<adjutant_app::ReplyTo>,
    pub calls: Vec<(adjutant_app::ReplyTo, adjutant_app::HttpCall)>,
}

impl World {
    pub fn at(route: &str) -> World {
        let mut world = World::default();
        world.start(route);
        world
    }

    pub fn start(&mut self, route: &str) {
        let start = Start {
            route: route.to_owned(),
            base_url: "http://localhost/".to_owned(),
            saved: self.kept.clone(),
            tables: self.cards.values().cloned().collect(),
            online: true,
            ..Start::default()
        };
        self.send(Message::Start(Box::new(start)));
    }

    /// The next moment: a second later, and luck that is the same in every run of a test.
    pub fn moment(&mut self) -> Now {
        self.ticks += 1;
        self.ms += if self.quick { 100 } else { 1000 };
        let mut random = [7; 32];
        random[..8].copy_from_slice(&self.ticks.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes());
        Now {
            time: format!("2026-11-16T04:{:02}:{:02}Z", self.ticks / 60 % 60, self.ticks % 60),
            ms: self.ms,
            random,
        }
    }

    /// Sends a message and all that the world answers to it.
    pub fn send(&mut self, message: Message) {
        let mut open = vec![message];
        let mut turns = 0;
        while let Some(message) = open.pop() {
            turns += 1;
            assert!(turns < 100, "the page and the world talk without end");
            let moment = self.moment();
            for command in self.app.update(&moment, message) {
                self.told.push(command.clone());
                open.extend(self.carry_out(command));
            }
        }
    }

    fn carry_out(&mut self, command: Command) -> Option<Message> {
        let (reply_to, answer) = match command {
            Command::AppendLines { reply_to, card, after, lines } => {
                let known = self.lines.entry(card.id.clone()).or_default();
                let answer = match self.store {
                    Store::Full => Reply::Failed("QuotaExceededError".into()),
                    Store::MovedOn => Reply::MovedOn(after + 1),
                    Store::Keeps if known.len() as u64 != after => {
                        Reply::MovedOn(known.len() as u64)
                    }
                    Store::Keeps => {
                        known.extend(lines);
                        self.cards.insert(
                            card.id.clone(),
                            TableCard { last: known.len() as u64, ..card },
                        );
                        Reply::Done
                    }
                };
                (reply_to, answer)
            }
            Command::SaveCard { reply_to, card } => {
                self.cards.insert(card.id.clone(), card);
                (reply_to, Reply::Done)
            }
            Command::ReadLines { reply_to, table } => {
                (reply_to, Reply::Lines(self.lines.get(&table).cloned().unwrap_or_default()))
            }
            Command::DeleteTable { reply_to, table } => {
                self.cards.remove(&table);
                self.lines.remove(&table);
                (reply_to, Reply::Done)
            }
            Command::ListTables { reply_to } => {
                (reply_to, Reply::Tables(self.cards.values().cloned().collect()))
            }
            Command::Http { reply_to, call } if self.holds_calls => {
                self.calls.push((reply_to, call));
                return None;
            }
            Command::Http { reply_to, .. } => (reply_to, Reply::Failed("offline".into())),
            Command::Copy { reply_to, .. } | Command::Share { reply_to, .. } => {
                (reply_to, Reply::Done)
            }
            // A table does its long work in one piece; the lab and the fights in slices, as the
            // test lets them.
            Command::NextFrame { reply_to }
                if matches!(reply_to, adjutant_app::ReplyTo::Table(_)) =>
            {
                (reply_to, Reply::Elapsed(5))
            }
            Command::ReplaceValue { reply_to, key, value, .. } if self.holds_replaced => {
                self.replaced.push((reply_to, key, value));
                return None;
            }
            Command::ReplaceValue { reply_to, key, before, value } => match self.kept.get(&key) {
                known if known != before.as_ref() => {
                    (reply_to, Reply::ValueChanged(known.cloned()))
                }
                _ => {
                    self.kept.insert(key, value);
                    (reply_to, Reply::Done)
                }
            },
            Command::After { reply_to, .. } => {
                self.later.push(reply_to);
                return None;
            }
            Command::SaveValue { key, value } => {
                if self.store == Store::Full {
                    let full = Reply::Failed("QuotaExceededError".into());
                    return Some(Message::Reply {
                        to: adjutant_app::app::ReplyTo::Saved.into(),
                        reply: full,
                    });
                }
                self.keep(key, value);
                return None;
            }
            Command::SaveValues { reply_to, .. } if self.store == Store::Full => {
                (reply_to, Reply::Failed("QuotaExceededError".into()))
            }
            Command::SaveValues { reply_to, .. } if self.holds_saves => {
                self.saves.push(reply_to);
                return None;
            }
            Command::SaveValues { reply_to, values } => {
                values.into_iter().for_each(|(key, value)| self.keep(key, value));
                (reply_to, Reply::Done)
            }
            Command::NextFrame { reply_to } => {
                self.soon.push(reply_to);
                return None;
            }
            Command::Go { to, replace: false } => return Some(Message::Go(to)),
            _ => return None,
        };
        Some(Message::Reply { to: reply_to, reply: answer })
    }

    fn keep(&mut self, key: String, value: Option<String>) {
        match value {
            Some(value) => self.kept.insert(key, value),
            None => self.kept.remove(&key),
        };
    }

    /// Calls back those who asked for it, so many times at most; whether all was done.
    pub fn run_soon(&mut self, turns: usize) -> bool {
        for _ in 0..turns {
            let Some(reply_to) = self.soon.pop() else { return true };
            self.send(Message::Reply { to: reply_to, reply: Reply::Elapsed(5) });
        }
        self.soon.is_empty()
    }

    /// What waits to be stored in place of a value is stored.
    pub fn replace(&mut self) {
        for (reply_to, key, value) in std::mem::take(&mut self.replaced) {
            self.kept.insert(key, value);
            self.send(Message::Reply { to: reply_to, reply: Reply::Done });
        }
    }

    /// A while has passed.
    pub fn run_later(&mut self) {
        for reply_to in std::mem::take(&mut self.later) {
            self.send(Message::Reply { to: reply_to, reply: Reply::Elapsed(1000) });
        }
    }

    pub fn go(&mut self, route: &str) {
        self.send(Message::Go(route.to_owned()));
    }

    /// All regions together.
    pub fn html(&self) -> String {
        self.app
            .view()
            .regions
            .iter()
            .map(|region| region.html.as_str())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// A region, with the cards inside it.
    pub fn region(&self, id: &str) -> String {
        let view = self.app.view();
        let find = |id: &str| view.regions.iter().find(|region| region.id == id);
        let whole = find(id).map(|region| region.html.clone()).unwrap_or_default();
        let mut parts = whole.split(" data-region></div>");
        let mut html = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let inside = html.rsplit("id=\"").next().and_then(|rest| rest.split('"').next());
            let inside = inside.filter(|id| id.starts_with("card-")).and_then(find);
            let inside = inside.map(|region| region.html.as_str());
            html = format!("{html} data-region>{}</div>{part}", inside.unwrap_or_default());
        }
        html
    }

    /// All that can be pressed: the messages on the page, with what was typed put in.
    pub fn buttons(&self, typed: &str) -> Vec<String> {
        let html = self.html();
        let found = html.split("data-do=\"").skip(1).filter_map(|rest| rest.split('"').next());
        found.map(unescaped).map(|message| fill(&message, typed)).collect()
    }

    /// Presses the button whose message contains this.
    pub fn press(&mut self, part: &str) {
        self.type_in(part, "");
    }

    pub fn type_in(&mut self, part: &str, typed: &str) {
        let buttons = self.buttons(typed);
        let Some(message) = buttons.iter().find(|message| message.contains(part)) else {
            panic!("no button {part} among {buttons:#?}")
        };
        self.send(serde_json::from_str(message).unwrap());
    }

    pub fn route(&self) -> &Route {
        self.app.route()
    }
}

pub fn unescaped(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// What the script does with `$value` and its like.
pub fn fill(message: &str, typed: &str) -> String {
    let quoted = serde_json::to_string(typed).unwrap();
    let fields = serde_json::json!({ "name": typed, "who": typed, "sides": "A, B", "pack": "panzer8", "where": "here", "tables": typed, "text": typed });
    message
        .replace("\"$value\"", &quoted)
        .replace("\"$name\"", "\"log.jsonl\"")
        .replace("\"$text\"", &quoted)
        .replace("{\"$form\":\"\"}", &fields.to_string())
}

/// What is wrong with a piece of HTML: tags that do not close, attributes without quotes, ids that
/// come twice.
pub fn ill_formed(html: &str) -> Option<String> {
    const VOID: &[&str] = &[
        "br", "hr", "img", "input", "link", "meta", "wbr", "area", "base", "col", "embed",
        "source", "track",
    ];
    let mut open: Vec<&str> = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        if rest[..at].contains('>') {
            return Some(format!("a > in text: {:.80}", &rest[..at]));
        }
        rest = &rest[at + 1..];
        let mut quoted = false;
        let end = rest.char_indices().find(|(_, c)| {
            quoted ^= *c == '"';
            *c == '>' && !quoted
        });
        let Some((end, _)) = end else {
            return Some(format!("a tag that does not end: {rest:.80}"));
        };
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(known) if known == name => continue,
                known => return Some(format!("</{name}> closes {known:?}")),
            }
        }
        let (name, attributes) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Some(format!("no tag: <{tag:.60}>"));
        }
        if let Some(id) = attributes
            .split(" id=\"")
            .nth(1)
            .or_else(|| attributes.strip_prefix("id=\""))
            .and_then(|rest| rest.split('"').next())
            && !ids.insert(id.to_owned())
        {
            return Some(format!("the id {id} comes twice"));
        }
        if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
    }
    (!open.is_empty()).then(|| format!("left open: {open:?}"))
}
