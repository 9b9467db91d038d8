//! Bodies of requests. The server reads them and the page writes them.

use adjutant_game::{Decks, PlayRequest, Seat, Values};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::ops::Not;

/// A chart or a fight, and what is known about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "ChartQueryFields", into = "ChartQueryFields")]
pub struct ChartQuery {
    pub pack: String,
    pub topic: Topic,
    /// The inputs.
    pub given: Values,
    pub options: Values,
    pub memory: Values,
    /// Answers to questions; for odds also chances of answers.
    pub answers: BTreeMap<String, Answers>,
    /// Cards that are out of the deck.
    pub gone: Vec<u32>,
    /// Cards in the hand of the side or unit that takes the test.
    pub hand: Vec<u32>,
    /// The caller's own dice: numbers, or the names of faces.
    pub dice: Option<Answers>,
    /// The caller's own cards.
    pub cards: Option<Vec<u32>>,
    pub seed: Option<u64>,
    /// For odds: follow the chain of charts to the last results.
    pub follow: bool,
}

/// The chart or the fight of a request, by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    Chart(String),
    Fight(String),
}

impl Topic {
    pub fn id(&self) -> &str {
        match self {
            Topic::Chart(id) | Topic::Fight(id) => id,
        }
    }

    pub fn is_fight(&self) -> bool {
        matches!(self, Topic::Fight(_))
    }
}

/// A chart or a fight, and what is known about it: `/api/roll`, `/api/odds`, `/api/fight`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "ChartQuery"))]
#[serde(deny_unknown_fields)]
pub(crate) struct ChartQueryFields {
    pack: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chart: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fight: Option<String>,
    /// The inputs.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, crate::schema::Answer>"))]
    #[serde(default, deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    given: Values,
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, crate::schema::Answer>"))]
    #[serde(default, deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    options: Values,
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, crate::schema::Answer>"))]
    #[serde(default, deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    memory: Values,
    /// Answers to questions; for odds also chances of answers, such as `1/6`. A list answers a
    /// question that comes up several times.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, crate::schema::Answers>"))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    answers: BTreeMap<String, Answers>,
    /// Cards that are out of the deck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gone: Vec<u32>,
    /// Cards in the hand of the side or unit that takes the test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hand: Vec<u32>,
    /// The caller's own dice: numbers, or the names of faces.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<crate::schema::Answer>>"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dice: Option<Answers>,
    /// The caller's own cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// For odds: follow the chain of charts to the last results.
    #[serde(default, skip_serializing_if = "Not::not")]
    follow: bool,
}

/// Why a request has no topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopicError {
    #[error("`chart` or `fight` is missing")]
    Missing,
    #[error("`chart` and `fight` are both given: one request is about one of them")]
    Both,
}

impl TryFrom<ChartQueryFields> for ChartQuery {
    type Error = TopicError;

    fn try_from(fields: ChartQueryFields) -> Result<ChartQuery, TopicError> {
        let topic = match (fields.chart, fields.fight) {
            (Some(chart), None) => Topic::Chart(chart),
            (None, Some(fight)) => Topic::Fight(fight),
            (None, None) => return Err(TopicError::Missing),
            (Some(_), Some(_)) => return Err(TopicError::Both),
        };
        Ok(ChartQuery {
            pack: fields.pack,
            topic,
            given: fields.given,
            options: fields.options,
            memory: fields.memory,
            answers: fields.answers,
            gone: fields.gone,
            hand: fields.hand,
            dice: fields.dice,
            cards: fields.cards,
            seed: fields.seed,
            follow: fields.follow,
        })
    }
}

impl From<ChartQuery> for ChartQueryFields {
    fn from(query: ChartQuery) -> ChartQueryFields {
        let (chart, fight) = match query.topic {
            Topic::Chart(id) => (Some(id), None),
            Topic::Fight(id) => (None, Some(id)),
        };
        ChartQueryFields {
            pack: query.pack,
            chart,
            fight,
            given: query.given,
            options: query.options,
            memory: query.memory,
            answers: query.answers,
            gone: query.gone,
            hand: query.hand,
            dice: query.dice,
            cards: query.cards,
            seed: query.seed,
            follow: query.follow,
        }
    }
}

/// One value as players write it, or several in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answers(pub Vec<String>);

impl<'de> Deserialize<'de> for Answers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Answers, D::Error> {
        crate::queries::one_or_many(from).map(Answers)
    }
}

impl ChartQuery {
    /// A request about a chart or a fight of which nothing is known yet.
    pub fn new(pack: impl Into<String>, topic: Topic) -> ChartQuery {
        ChartQuery {
            pack: pack.into(),
            topic,
            given: Values::default(),
            options: Values::default(),
            memory: Values::default(),
            answers: BTreeMap::new(),
            gone: Vec::new(),
            hand: Vec::new(),
            dice: None,
            cards: None,
            seed: None,
            follow: false,
        }
    }

    /// Every answer with the key of its question, in order.
    pub fn all_answers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.answers.iter().flat_map(|(key, Answers(texts))| {
            texts.iter().map(move |text| (key.as_str(), text.as_str()))
        })
    }
}

/// The files of a pack: `/api/check`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PackTexts {
    /// `pack.toml`, if there is no other file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The files by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// How a new game is set up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    pub name: String,
    pub pack: String,
    /// The name of the player who starts it.
    pub who: String,
    /// The seat of that player; umpire if left out.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Seat>"))]
    #[serde(default, deserialize_with = "seat", skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<Vec<String>>,
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, crate::schema::Answer>"))]
    #[serde(default, deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    pub options: Values,
    /// A way to start that the pack offers. It names the sides itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Decks"))]
    #[serde(default, skip_serializing_if = "Decks::is_shared")]
    pub decks: Decks,
    /// Whether all players may see which cards are left.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub cards_open: bool,
    /// Sides that no player plays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run_by_sheet: Vec<String>,
    /// The pack as a bundle, if the server need not have it: docs/guide/sharing.md.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
}

/// Joins a game with the key of an invitation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JoinGame {
    pub key: String,
    pub name: String,
}

/// Asks what an invitation is for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadInvitation {
    pub key: String,
}

/// Gives the server's owner a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EnterGame {
    pub name: String,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Seat>"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// Replaces invitations. The old ones and the tokens that came from them become invalid.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RotateInvitations {
    pub rotate: Rotate,
}

/// Which invitations are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Rotate {
    All,
    Umpire,
    Spectator,
    Side(String),
}

/// An event other than a roll. The page sends an event of the log; the server reads JSON in which
/// what it can work out may be left out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Act"))]
#[serde(deny_unknown_fields)]
pub struct Act<T> {
    /// The last event that the player saw. Without it the act holds whatever others have done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// An event as in the log, such as `{"note":{"text":"…"}}`.
    #[serde(rename = "do")]
    pub what: T,
}

/// A roll: a new one, one that goes on after an answer, or a sealed one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The last event that the player saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// What to roll. One unit may stand for a list of units, and numbers or true and false for
    /// texts.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::PlayRequest>"))]
    #[serde(
        default,
        deserialize_with = "optional_request",
        skip_serializing_if = "Option::is_none"
    )]
    pub play: Option<PlayRequest>,
    /// The player's own dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Vec<u32>>,
    /// The player's own cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<u32>>,
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, crate::schema::Answer>"))]
    #[serde(default, deserialize_with = "texts", skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: Values,
    /// Whether the server rolls and draws nothing itself.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub own: bool,
    /// The pending roll that goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// Takes back what the player gave last in the roll of this ticket.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub back: bool,
    /// The roll of the open call, from the links that all players have shown.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub sealed: bool,
}

/// Values as players write them; programs may also send numbers and true or false.
pub fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Values, D::Error> {
    let all = BTreeMap::<String, Json>::deserialize(from)?;
    all.into_iter()
        .map(|(name, value)| Ok((name, text(value).map_err(serde::de::Error::custom)?)))
        .collect()
}

pub(crate) fn text(value: Json) -> Result<String, &'static str> {
    match value {
        Json::String(text) => Ok(text),
        Json::Bool(yes) => Ok(if yes { "yes" } else { "no" }.to_owned()),
        Json::Number(number) => Ok(number.to_string()),
        _ => Err("a value is a text, a number, true or false"),
    }
}

fn seat<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Seat>, D::Error> {
    let wrong = |_| {
        serde::de::Error::custom(
            "`seat` must be \"umpire\", \"spectator\" or {\"player\":{\"side\":…}}",
        )
    };
    serde_json::from_value(Json::deserialize(from)?).map_err(wrong)
}

/// Reads a request. Programs may send one unit instead of a list, and numbers or true and false
/// instead of texts.
pub fn read_request(mut request: Json) -> Result<PlayRequest, serde_json::Error> {
    for units in request
        .get_mut("units")
        .and_then(Json::as_object_mut)
        .into_iter()
        .flat_map(serde_json::Map::values_mut)
    {
        if units.is_string() {
            *units = Json::Array(vec![units.take()]);
        }
    }
    for value in request
        .get_mut("given")
        .and_then(Json::as_object_mut)
        .into_iter()
        .flat_map(serde_json::Map::values_mut)
    {
        *value = Json::String(text(value.take()).map_err(serde::de::Error::custom)?);
    }
    serde_json::from_value(request)
}

fn optional_request<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PlayRequest>, D::Error> {
    let request = Option::<Json>::deserialize(from)?;
    request.map(read_request).transpose().map_err(serde::de::Error::custom)
}
