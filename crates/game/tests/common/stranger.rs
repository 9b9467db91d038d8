//! The independent verifier of sealed rolls, written from `docs/sealed-rolls.md` alone: JSON and
//! SHA-256, without any code of the game crate. It knows no charts, only how many cards each deck
//! has.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

pub type Bytes = Vec<u8>;
/// The cards left and those put down, by deck and by side (empty for a shared deck).
type Decks = BTreeMap<(String, String), Piles>;

#[derive(Clone)]
struct Piles {
    left: BTreeSet<u64>,
    discards: BTreeSet<u64>,
}

impl Piles {
    fn whole(size: u64) -> Piles {
        Piles { left: (1..=size).collect(), discards: BTreeSet::new() }
    }

    /// Hands, piles and cards out of the game stay where they are.
    fn reshuffle(&mut self) {
        self.left.append(&mut self.discards);
    }

    /// A card goes to the discards if no place is named.
    fn moves(&mut self, card: u64, to: &Value) {
        self.left.remove(&card);
        self.discards.remove(&card);
        match to.as_str() {
            None => drop(self.discards.insert(card)),
            Some("deck") => drop(self.left.insert(card)),
            Some(_) => {}
        }
    }
}

pub fn sha(parts: &[&[u8]]) -> Bytes {
    Sha256::digest(parts.concat()).to_vec()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn unhex(text: &str) -> Bytes {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
        .collect()
}

pub fn follows(link: &[u8]) -> Bytes {
    sha(&[b"adjutant sealed link 1", link])
}

pub fn mark(key: &[u8], head: &[u8], text: &str) -> Bytes {
    sha(&[b"adjutant sealed mark 1", key, head, text.as_bytes()])
}

/// What the mark of an event covers beside the lines before it; `None` for events without marks.
fn marked_text(what: &str, body: &Value) -> Option<String> {
    Some(match what {
        "undo" | "redo" => format!("{what} {}", body["event"]),
        "ask" => format!("ask {} {}", body["want"].as_str()?, body["event"]),
        "consent" => {
            format!("consent {} {}", body["ask"], if body["yes"] == true { "yes" } else { "no" })
        }
        "withdraw" => format!("withdraw {}", body["call"]),
        "release" => format!("release {}", body["who"].as_str()?),
        _ => return None,
    })
}

pub fn seed(begin: &[u8], call: &[u8], links: &[Bytes]) -> Bytes {
    sha(&[
        b"adjutant sealed seed 1",
        begin,
        call,
        &(links.len() as u32).to_be_bytes(),
        &links.concat(),
    ])
}

/// The random stream of a seed.
pub struct Stream {
    seed: Bytes,
    words: u64,
}

impl Stream {
    pub fn new(seed: Bytes) -> Stream {
        Stream { seed, words: 0 }
    }

    pub fn below(&mut self, n: u64) -> u64 {
        loop {
            let block =
                sha(&[b"adjutant sealed dice 1", &self.seed, &(self.words / 8).to_be_bytes()]);
            let at = (self.words % 8) as usize * 4;
            let word = u64::from(u32::from_be_bytes(block[at..at + 4].try_into().unwrap()));
            self.words += 1;
            if word < (1 << 32) / n * n {
                return word % n;
            }
        }
    }
}

struct Player {
    name: String,
    length: u64,
    used: u64,
    depth: u64,
    known: Bytes,
    /// The marks that are not opened: the depth of the key, the mark, `prev`, the text.
    marks: Vec<(u64, Bytes, Bytes, String)>,
}

impl Player {
    fn show(&mut self, depth: u64, link: &str) -> Result<(), String> {
        let link = unhex(link);
        let at = |to: u64| (to..depth).fold(link.clone(), |link, _| follows(&link));
        if depth <= self.depth || at(self.depth) != self.known {
            return Err("link".into());
        }
        for (key, made, head, text) in &self.marks {
            need(*key > depth || *made == mark(&at(*key), head, text), "mark")?;
        }
        self.marks.retain(|(key, ..)| *key > depth);
        (self.known, self.depth) = (link, depth);
        Ok(())
    }

    /// Keeps a mark until it is opened.
    fn marks(&mut self, made: &Value, head: &[u8], text: String) -> Result<(), String> {
        let made = made.as_str().filter(|mark| mark.len() == 64).ok_or("no mark")?;
        self.marks.push((self.used + 1, unhex(made), head.to_vec(), text));
        Ok(())
    }
}

struct Open {
    n: u64,
    by: String,
    print: Bytes,
    came: Vec<Value>,
    links: Vec<Option<Bytes>>,
    /// The seeds of the roll, each with the index of the first input that it gives.
    parts: Vec<(usize, Bytes)>,
    wish: Value,
}

pub struct Stranger {
    sizes: BTreeMap<String, u64>,
    head: Bytes,
    begin: Bytes,
    players: Vec<Player>,
    open: Option<Open>,
    /// All anchors and links.
    known: BTreeSet<String>,
    decks: Decks,
    /// The decks before each event that counts, and after undone events.
    done: Vec<Decks>,
    undone: Vec<Decks>,
    /// How many sealed rolls were correct.
    pub rolls: usize,
}

fn need(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.into()) }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// The deck and its owner.
fn whose(body: &Value) -> (String, String) {
    (
        body["deck"].as_str().unwrap().to_owned(),
        body["side"].as_str().unwrap_or_default().to_owned(),
    )
}

/// The number of sealed rolls in a log, if all are correct.
pub fn verify(log: &str, sizes: &[(&str, u64)]) -> Result<usize, String> {
    let sizes: BTreeMap<String, u64> =
        sizes.iter().map(|(id, size)| ((*id).to_owned(), *size)).collect();
    let mut stranger = Stranger {
        sizes,
        head: Vec::new(),
        begin: Vec::new(),
        players: Vec::new(),
        open: None,
        known: BTreeSet::new(),
        decks: Decks::new(),
        done: Vec::new(),
        undone: Vec::new(),
        rolls: 0,
    };
    for (n, line) in (1..).zip(log.lines()) {
        stranger.line(n, line).map_err(|why| format!("line {n}: {why}"))?;
    }
    Ok(stranger.rolls)
}

impl Stranger {
    fn line(&mut self, n: u64, line: &str) -> Result<(), String> {
        let event: Value = serde_json::from_str(line).map_err(|fault| fault.to_string())?;
        need(event["n"] == n && event["prev"] == hex(&self.head), "chain of lines")?;
        let print = sha(&[line.as_bytes()]);
        let (what, body) =
            event["do"].as_object().and_then(|what| what.iter().next()).ok_or("no event")?;
        if let Some(text) = marked_text(what, body) {
            match self.players.iter_mut().find(|player| event["by"] == *player.name) {
                Some(player) => player.marks(&body["mark"], &self.head, text)?,
                None => need(body.get("mark").is_none(), "a mark without a chain")?,
            }
        }
        match what.as_str() {
            "begin" => self.begin = print.clone(),
            "seal" => self.seal(event["by"].as_str().unwrap(), body)?,
            "call" => self.call(n, event["by"].as_str().unwrap(), &print, body)?,
            "reveal" => self.reveal(event["by"].as_str().unwrap(), body)?,
            "withdraw" => drop(self.open.take()),
            "release" => {
                self.players.retain(|player| body["who"] != *player.name);
                if self.players.len() < 2 {
                    self.players.clear();
                }
            }
            "undo" => {
                self.undone.push(self.decks.clone());
                self.decks = self.done.pop().unwrap();
            }
            "redo" => {
                self.done.push(self.decks.clone());
                self.decks = self.undone.pop().unwrap();
            }
            "join" | "ask" | "consent" => {}
            what => {
                self.done.push(self.decks.clone());
                self.undone.clear();
                match what {
                    "play" => self.play(event["by"].as_str().unwrap(), body)?,
                    "deck" => self.deck(body),
                    "note" => {}
                    _ => need(self.open.is_none(), "something beside an open call")?,
                }
            }
        }
        self.head = print;
        Ok(())
    }

    fn seal(&mut self, by: &str, body: &Value) -> Result<(), String> {
        let (anchor, length) =
            (unhex(body["anchor"].as_str().unwrap()), body["length"].as_u64().unwrap());
        need(self.known.insert(body["anchor"].to_string()), "a known anchor")?;
        need(body["last"] != body["anchor"], "an anchor that is known with this line")?;
        self.known.insert(body["last"].to_string());
        let mut new =
            Player { name: by.into(), length, used: 0, depth: 0, known: anchor, marks: Vec::new() };
        match self.players.iter_mut().find(|player| player.name == by) {
            Some(player) => {
                player.show(
                    player.used + 1,
                    body["last"].as_str().ok_or("a chain without an end")?,
                )?;
                std::mem::swap(player, &mut new);
            }
            None => self.players.push(new),
        }
        Ok(())
    }

    fn call(&mut self, n: u64, by: &str, print: &[u8], body: &Value) -> Result<(), String> {
        let wish = body["request"].clone();
        let came = list(&body["inputs"]);
        let parts = match self.open.take() {
            None => {
                need(came.iter().all(|came| came.get("answer").is_some()), "luck before the call")?;
                Vec::new()
            }
            Some(open) => {
                need(
                    body["continues"] == open.n && by == open.by && wish == open.wish,
                    "another wish",
                )?;
                need(came.starts_with(&open.came), "another past")?;
                self.settled(&open)?
            }
        };
        need(self.players.len() > 1, "no circle")?;
        self.players.iter_mut().for_each(|player| player.used += 1);
        need(
            self.players.iter().all(|player| player.used <= player.length),
            "a chain that has run out",
        )?;
        let links = vec![None; self.players.len()];
        self.open =
            Some(Open { n, by: by.into(), print: print.to_vec(), came, links, parts, wish });
        Ok(())
    }

    fn reveal(&mut self, by: &str, body: &Value) -> Result<(), String> {
        let open = self.open.as_mut().ok_or("no call")?;
        let place =
            self.players.iter().position(|player| player.name == by).ok_or("not in the circle")?;
        need(open.links[place].is_none(), "a link twice")?;
        let player = &mut self.players[place];
        player.show(player.used, body["link"].as_str().unwrap())?;
        player.marks(&body["mark"], &self.head, String::new())?;
        self.known.insert(body["link"].to_string());
        open.links[place] = Some(player.known.clone());
        Ok(())
    }

    /// The parts of a roll, including that of this call.
    fn settled(&self, open: &Open) -> Result<Vec<(usize, Bytes)>, String> {
        let links: Option<Vec<Bytes>> = open.links.iter().cloned().collect();
        let seed = seed(&self.begin, &open.print, &links.ok_or("a link is missing")?);
        Ok(open.parts.iter().cloned().chain([(open.came.len(), seed)]).collect())
    }

    fn play(&mut self, by: &str, body: &Value) -> Result<(), String> {
        let came = list(&body["inputs"]);
        let mut streams = Vec::new();
        match self.open.take() {
            None => {
                let luck = came.iter().any(|came| came.get("answer").is_none());
                need(
                    body.get("call").is_none() && came.iter().all(|came| came["from"] != "sealed"),
                    "no call",
                )?;
                need(self.players.len() < 2 || !luck, "unsealed luck")?;
            }
            Some(open) => {
                let wish = body["request"].clone();
                need(body["call"] == open.n && wish == open.wish, "another wish")?;
                need(came.starts_with(&open.came), "another past")?;
                let answers =
                    came[open.came.len()..].iter().any(|came| came.get("answer").is_some());
                need(by == open.by || !answers, "an answer by another")?;
                streams = self.settled(&open)?;
                self.rolls += 1;
            }
        }
        // The drawn cards in order, each with its deck and whether that was reshuffled before.
        let mut drawn = Vec::new();
        // Each bag of the play: how many chits it had, and which of them are gone.
        let mut bags: BTreeMap<String, (u64, Vec<u64>)> = BTreeMap::new();
        for cards in list(&body["cards"]) {
            let deck = whose(&cards);
            if let Some(left) = cards["left"].as_u64() {
                bags.entry(deck.0.clone()).or_insert((left + 1, Vec::new()));
            }
            let mut whole = cards["reshuffled"] == true;
            for card in list(&cards["took"]) {
                let card = card.as_u64().unwrap();
                // A card that is played from a hand or a pile is an answer, not luck.
                let played = cards.get("from").is_some();
                let whole = std::mem::take(&mut whole);
                drawn.push((deck.clone(), whole, Some(card), played, cards["to"].clone()));
            }
            if whole {
                drawn.push((deck, true, None, true, Value::Null));
            }
        }
        let (mut drawn, mut stream, mut answered) = (drawn.into_iter().peekable(), None, false);
        for (place, came) in came.iter().enumerate() {
            while streams.first().is_some_and(|(from, _)| *from <= place) {
                stream = Some(Stream::new(streams.remove(0).1));
                answered = false;
            }
            answered |= came.get("answer").is_some();
            need(!answered || came["from"] != "sealed", "luck after an answer")?;
            let sealed = stream.as_mut().filter(|_| came["from"] == "sealed");
            if let Some(dice) = came.get("dice") {
                let sides = came["sides"].as_u64().unwrap_or(1);
                if let Some(stream) = sealed {
                    need(list(dice).iter().all(|face| *face == stream.below(sides) + 1), "faces")?;
                }
            } else if came.get("card").is_some() {
                while let Some((id, whole, card, _, to)) =
                    drawn.next_if(|(_, _, _, played, _)| *played)
                {
                    self.moved(&id, whole, card, &to);
                }
                let (id, whole, card, _, to) = drawn.next().ok_or("a card from nowhere")?;
                let card = card.ok_or("no card")?;
                if let Some((size, gone)) = bags.get_mut(&id.0) {
                    need(came["card"] == card, "another chit")?;
                    let chits: Vec<u64> = (1..=*size).filter(|chit| !gone.contains(chit)).collect();
                    let left = came["left"].as_u64().unwrap_or(1);
                    if let Some(stream) = sealed {
                        let place = stream.below(left) as usize;
                        let fits = chits.len() as u64 == left && chits.get(place) == Some(&card);
                        need(fits, "chit")?;
                    }
                    gone.push(card);
                    continue;
                }
                self.moved(&id, whole, None, &to);
                let deck = &self.decks[&id].left;
                need(came["card"] == card, "another card")?;
                let left = came["left"].as_u64().unwrap_or(1);
                if let Some(stream) = sealed {
                    need(
                        deck.len() as u64 == left
                            && deck.iter().nth(stream.below(left) as usize) == Some(&card),
                        "card",
                    )?;
                }
                self.moved(&id, false, Some(card), &to);
            }
        }
        for (id, whole, card, played, to) in drawn {
            need(played, "a card that did not come")?;
            self.moved(&id, whole, card, &to);
        }
        Ok(())
    }

    fn moved(&mut self, id: &(String, String), whole: bool, card: Option<u64>, to: &Value) {
        let size = self.sizes[&id.0];
        let deck = self.decks.entry(id.clone()).or_insert_with(|| Piles::whole(size));
        if whole {
            deck.reshuffle();
        }
        if let Some(card) = card {
            deck.moves(card, to);
        }
    }

    fn deck(&mut self, body: &Value) {
        let id = whose(body);
        match body["act"].as_str().unwrap() {
            "reshuffle" => self.moved(&id, true, None, &Value::Null),
            act => list(&body["cards"]).iter().for_each(|card| {
                let to = if act == "put_back" { Value::from("deck") } else { Value::Null };
                self.moved(&id, false, card.as_u64(), &to);
            }),
        }
    }
}
