//! Invitations and tokens. An invitation is a key for a role, derived from a secret of the table,
//! the role and a counter. A new invitation advances the counter and invalidates the tokens that
//! came from the old one. Umpires must be able to show an invitation again, so keys are derived and
//! not only hashed; of tokens only the hash is stored. A token proves a name; the seat is what the
//! log says.

use crate::error::{ApiError, Conflict, Invalid};
use crate::idempotency::Repeat;
use adjutant_api::Invitations;
use adjutant_game::Seat;
use adjutant_store::TableId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The name under which a table's keys are kept.
pub(crate) const KEPT_AS: &str = "keys";

/// Where the token of who began the table, or of the owner, comes from: no invitation makes it
/// void.
const HOST: &str = "host";

/// The keys of a table, as they are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Keys {
    secret: String,
    /// How often the invitation of each role was made again.
    #[serde(default)]
    turns: BTreeMap<String, u32>,
    /// By the fingerprint of the token.
    #[serde(default)]
    tokens: BTreeMap<String, Holder>,
}

/// Who holds a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Holder {
    pub name: String,
    pub seat: Seat,
    from: String,
    #[serde(default)]
    turn: u32,
}

impl Holder {
    /// Whether he began the table or owns the server.
    pub fn is_host(&self) -> bool {
        self.from == HOST
    }
}

/// The word for the invitation of a seat.
fn word(seat: &Seat) -> String {
    match seat {
        Seat::Umpire => "umpire".into(),
        Seat::Spectator => "spectator".into(),
        Seat::Player { side } => format!("side:{side}"),
    }
}

/// Random bytes as letters that are not taken for one another, five bits each.
fn letters(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| char::from(b"0123456789abcdefghjkmnpqrstvwxyz"[usize::from(byte % 32)]))
        .collect()
}

/// Something that no one can guess: 130 bits.
pub(crate) fn fresh() -> Result<String, ApiError> {
    let mut bytes = [0; 26];
    getrandom::fill(&mut bytes).map_err(ApiError::unavailable)?;
    Ok(letters(&bytes))
}

/// The same number of letters from a hash.
pub(crate) fn letters_of_hash(text: &str) -> String {
    letters(&Sha256::digest(text.as_bytes())[..26])
}

/// What is kept of a token.
pub(crate) fn fingerprint(token: &str) -> String {
    adjutant_game::fingerprint(token)
}

/// Whether two secrets are the same; how long it takes tells nothing of how much of them is.
pub(crate) fn same(a: &str, b: &str) -> bool {
    Sha256::digest(a.as_bytes()) == Sha256::digest(b.as_bytes())
}

impl Keys {
    pub fn new() -> Result<Keys, ApiError> {
        Ok(Keys { secret: format!("{}{}", fresh()?, fresh()?), ..Keys::default() })
    }

    pub fn read(text: &str) -> Result<Option<Keys>, ApiError> {
        if text.is_empty() {
            return Ok(None);
        }
        serde_json::from_str(text).map(Some).map_err(|fault| {
            ApiError::unavailable(format!("the keys of a game cannot be read: {fault}"))
        })
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn turn(&self, word: &str) -> u32 {
        self.turns.get(word).copied().unwrap_or(0)
    }

    fn key(&self, id: &TableId, word: &str) -> String {
        let hash = Sha256::digest(format!("{}\n{id}\n{}\n{word}", self.secret, self.turn(word)));
        letters(&hash[..26])
    }

    /// All invitations, for who may hand them out.
    pub fn invitations(&self, id: &TableId, sides: &[String]) -> Invitations {
        Invitations {
            umpire: self.key(id, "umpire"),
            spectator: self.key(id, "spectator"),
            sides: sides
                .iter()
                .map(|side| (side.clone(), self.key(id, &format!("side:{side}"))))
                .collect(),
        }
    }

    /// The seat that a key opens.
    pub fn seat(&self, id: &TableId, sides: &[String], key: &str) -> Option<Seat> {
        let players = sides.iter().map(|side| Seat::Player { side: side.clone() });
        players
            .chain([Seat::Umpire, Seat::Spectator])
            .find(|seat| same(&self.key(id, &word(seat)), key))
    }

    /// The player who started the game, or who imported it.
    pub fn host(&self) -> Option<&str> {
        self.tokens.values().find(|holder| holder.is_host()).map(|holder| holder.name.as_str())
    }

    /// Makes an invitation void, and the tokens that came from it, but not that of who does so and
    /// not those of the players who roll sealed: the game waits for their links, and no one else can
    /// take their seats.
    pub fn rotate(&mut self, seat: &Seat, keep: &str, sealed: &[String]) {
        let word = word(seat);
        let turn = self.turn(&word).wrapping_add(1);
        self.turns.insert(word.clone(), turn);
        self.tokens.retain(|token, holder| {
            holder.from != word || token == keep || sealed.contains(&holder.name)
        });
        let kept = self.tokens.values_mut().filter(|holder| holder.from == word);
        kept.for_each(|holder| holder.turn = turn);
    }

    /// The token of a request with an idempotency key. It is derived, so that a repeated request
    /// gets the same one although only its fingerprint is stored. Another request with the same key
    /// gets another token.
    pub fn token_for(&self, repeat: &Repeat) -> String {
        letters_of_hash(&format!("{}\ntoken\n{}", self.secret, repeat.identity()))
    }

    /// Gives a token to a player; `host` is not bound to an invitation.
    pub fn admit(
        &mut self,
        repeat: Option<&Repeat>,
        (name, seat): (&str, &Seat),
        host: bool,
        most: usize,
    ) -> Result<String, ApiError> {
        if self.tokens.len() >= most {
            return Err(ApiError::Conflict(Conflict::GameFull { most }));
        }
        if let Some(known) = self.look_alike_of(name) {
            let (name, known) = (name.to_owned(), known.to_owned());
            return Err(ApiError::Conflict(Conflict::NamesLookAlike { name, known }));
        }
        let token = repeat.map_or_else(fresh, |repeat| Ok(self.token_for(repeat)))?;
        if self.tokens.get(&fingerprint(&token)).is_some_and(|holder| holder.name != name) {
            return Err(ApiError::Invalid(Invalid::KeyReused));
        }
        let from = if host { HOST.to_owned() } else { word(seat) };
        let turn = self.turn(&from);
        self.tokens.insert(
            fingerprint(&token),
            Holder { name: name.to_owned(), seat: seat.clone(), from, turn },
        );
        Ok(token)
    }

    /// Who holds the token of this fingerprint.
    pub fn holder(&self, print: &str) -> Option<&Holder> {
        self.tokens
            .get(print)
            .filter(|holder| holder.is_host() || self.turn(&holder.from) == holder.turn)
    }

    /// Another name of a player that looks like this one. Spectators are not in the log, so their
    /// names are compared here.
    fn look_alike_of(&self, name: &str) -> Option<&str> {
        let known = self.tokens.values().map(|holder| holder.name.as_str());
        known.into_iter().find(|known| *known != name && adjutant_game::look_alike(known, name))
    }

    /// Whether a player holds a token under this name.
    pub fn knows(&self, name: &str) -> bool {
        self.tokens.values().any(|holder| holder.name == name)
    }

    /// Leaves a player with this token only: a player who rolls sealed does so from one device.
    pub fn keep_only(&mut self, name: &str, print: &str) {
        self.tokens.retain(|token, holder| holder.name != name || token == print);
    }

    /// The holder of a token has another seat now, by another invitation.
    pub fn reseat(&mut self, print: &str, seat: &Seat) {
        let turn = self.turn(&word(seat));
        if let Some(holder) = self.tokens.get_mut(print) {
            holder.seat = seat.clone();
            if !holder.is_host() {
                (holder.from, holder.turn) = (word(seat), turn);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides() -> Vec<String> {
        vec!["Allies".into(), "umpire".into()]
    }

    #[test]
    fn each_key_opens_its_own_seat_and_no_other_tables() {
        let (keys, id, other) =
            (Keys::new().unwrap(), TableId::new().unwrap(), TableId::new().unwrap());
        let all = keys.invitations(&id, &sides());
        let opens = |key: &str| keys.seat(&id, &sides(), key);
        assert_eq!(opens(&all.umpire), Some(Seat::Umpire));
        assert_eq!(opens(&all.spectator), Some(Seat::Spectator));
        assert_eq!(
            all.sides.0.iter().map(|(side, _)| side.as_str()).collect::<Vec<_>>(),
            ["Allies", "umpire"]
        );
        assert_eq!(opens(&all.sides.0[0].1), Some(Seat::Player { side: "Allies".into() }));
        assert_eq!(opens(&all.sides.0[1].1), Some(Seat::Player { side: "umpire".into() }));
        assert_eq!(keys.seat(&other, &sides(), &all.umpire), None);
        assert_eq!(Keys::new().unwrap().seat(&id, &sides(), &all.umpire), None);
        assert_eq!(opens(""), None);
    }

    #[test]
    fn rotation_makes_key_and_tokens_void_but_not_those_of_others() {
        let (mut keys, id) = (Keys::new().unwrap(), TableId::new().unwrap());
        let before = keys.invitations(&id, &sides());
        let token = |keys: &mut Keys, name: &str, seat: Seat, host| {
            fingerprint(&keys.admit(None, (name, &seat), host, 9).unwrap())
        };
        let host = token(&mut keys, "Anna", Seat::Spectator, true);
        let [looker, umpire] = [
            token(&mut keys, "Boris", Seat::Spectator, false),
            token(&mut keys, "Carl", Seat::Umpire, false),
        ];
        keys.rotate(&Seat::Spectator, &umpire, &[]);
        assert!(
            keys.holder(&host).is_some()
                && keys.holder(&looker).is_none()
                && keys.holder(&umpire).is_some()
        );
        keys.rotate(&Seat::Umpire, &umpire, &[]);
        assert!(keys.holder(&umpire).is_some(), "who rotates stays");
        let after = keys.invitations(&id, &sides());
        assert!(
            before.spectator != after.spectator
                && before.umpire != after.umpire
                && before.sides == after.sides
        );
        assert_eq!(keys.seat(&id, &sides(), &before.spectator), None);
        assert_eq!(Keys::read(&keys.write()).unwrap(), Some(keys.clone()));
        assert!(!keys.write().contains("Boris"));
    }

    #[test]
    fn a_table_is_full_when_it_is() {
        let mut keys = Keys::new().unwrap();
        keys.admit(None, ("Anna", &Seat::Umpire), false, 1).unwrap();
        assert_eq!(
            keys.admit(None, ("Boris", &Seat::Umpire), false, 1).unwrap_err(),
            ApiError::Conflict(Conflict::GameFull { most: 1 })
        );
    }
}
