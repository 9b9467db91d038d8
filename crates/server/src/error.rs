//! Why the server did not do what was asked. An [`ApiError`] is data; its status, its sentences and
//! its JSON are made here.

use adjutant_api::{ErrorBody, ErrorDetails, HeldRoll, RuledOutUnit};
use adjutant_dice::Missing;
use adjutant_engine::{OddsError, Resolution};
use adjutant_game::{LogError, PlayError, Refusal, Rejection, RuledOut};
use adjutant_pack::{BundleError, UnknownName, clip, clip_to};
use adjutant_query::QueryError;
use adjutant_store::StoreError;
use adjutant_wording::en::{self, http as say};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("unreadable: {0:?}")]
    Unreadable(Unreadable),
    /// One answer for a game that does not exist and for a token that does not fit, so that the
    /// caller learns nothing.
    #[error("not invited")]
    NotInvited,
    #[error("not the owner")]
    NotOwner,
    #[error("forbidden: {0:?}")]
    Forbidden(Forbidden),
    #[error("not found: {0:?}")]
    NotFound(NotFound),
    #[error("wrong method")]
    WrongMethod,
    /// A request that writes goes on without the caller, so it may still be saved.
    #[error("timed out")]
    TimedOut { writes: bool },
    #[error("another event came first; the last is {last}")]
    MovedOn { last: u64 },
    #[error("conflict: {0:?}")]
    Conflict(Conflict),
    /// Another roll of the player comes first.
    #[error("a roll is pending")]
    RollPending(Box<HeldRoll>),
    #[error("too long: {0:?}")]
    TooLong(TooLong),
    /// The request names a host that is not this server.
    #[error("misdirected")]
    Misdirected,
    /// What was sent makes sense as JSON, but not in this game or pack. Sentences that the game or
    /// the engine made.
    #[error("refused: {0:?}")]
    Refused(Vec<String>),
    #[error("invalid: {0:?}")]
    Invalid(Invalid),
    #[error("ruled out: {0:?}")]
    RuledOut(Vec<RuledOut>),
    /// A roll outside a game stopped.
    #[error("interrupted: {sentences:?}")]
    Interrupted { resolution: Box<Resolution>, sentences: Vec<String> },
    #[error("missing: {0:?}")]
    Missing(Vec<Missing>),
    /// What was sent does not fit the pending roll, which still waits.
    #[error("still pending: {sentences:?}")]
    StillPending { ticket: String, sentences: Vec<String> },
    #[error("busy: {0:?}")]
    Busy(Busy),
    /// The store failed in the middle of a write. It may have been saved or not, so the caller must
    /// not simply send it again.
    #[error("outcome unknown")]
    OutcomeUnknown,
    /// A fault of the server or its store. Nothing was done.
    #[error("unavailable")]
    Unavailable,
    /// The caller asked for an event that is not stored yet.
    #[error("event {wanted} is not here; the last is {last}")]
    NotYet { wanted: u64, last: u64 },
    #[error("unwell: {0:?}")]
    Unwell(StoreTrouble),
}

/// A request that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unreadable {
    NoBody,
    BrokeOff,
    /// Reasons of the JSON reader.
    Json(String),
    Act(String),
    Call(String),
    After,
    IdempotencyKey,
    Who,
    NotUtf8,
    /// `do` with none or several events.
    OneAct,
    Want,
    Yes,
    /// An event with a mark that does not say after which line it comes.
    MarkAfter,
    Template,
    NothingToRoll,
    BackWithoutTicket,
    ManyHosts,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Forbidden {
    NotManager,
    Spectator {
        name: String,
    },
    InvitationVoid,
    OtherSite,
    /// The owner asked for the seat of a player who rolls sealed.
    SealedSeat {
        name: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NotFound {
    Address,
    Game,
    /// A pack by its checksum.
    Bundle,
    /// A pack, a chart or a fight.
    Name(UnknownName),
    /// The sentence of the engine.
    Chart(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Conflict {
    GameFull {
        most: usize,
    },
    NameTaken {
        name: String,
    },
    NamesLookAlike {
        name: String,
        known: String,
    },
    NoPendingRoll,
    KeysInUse,
    /// The log cannot be played here.
    Unplayable(Unplayable),
}

/// Why a game can be read but not played on this server.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Unplayable {
    #[error("{}", say::no_pack_here(.0))]
    NoPack(String),
    #[error("{}", en::log_error(.0))]
    Log(LogError),
    #[error("{0}")]
    Store(StoreError),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TooLong {
    Body,
    Log { most: usize },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Invalid {
    /// A pack or a side.
    Name(UnknownName),
    PlayerName,
    LogLine(String),
    FirstLine,
    /// An idempotency key that belongs to another request.
    KeyReused,
    TooMuchWork,
    ManyFiles {
        most: usize,
    },
    /// What was sent as a pack is none.
    Bundle(BundleError),
    /// A bundle that holds another pack than the one that is to be played.
    OtherPack {
        wanted: String,
        found: String,
    },
    /// A bundle with other rules than those of the log it comes with.
    OtherRules,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Busy {
    Requests,
    Odds,
    Workers,
    Streams,
    NewGames,
    /// The receipts of a player's requests.
    Receipts,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StoreTrouble {
    Full,
    Away,
    Other,
}

impl ApiError {
    /// A fault of the server. The log has the reason; the caller is told to try again.
    pub fn unavailable(why: impl std::fmt::Display) -> ApiError {
        tracing::error!(%why, "a request failed");
        ApiError::Unavailable
    }

    pub fn outcome_unknown(why: impl std::fmt::Display) -> ApiError {
        tracing::error!(%why, "the outcome of a request is not known");
        ApiError::OutcomeUnknown
    }

    /// A later step failed after an earlier one was saved: the request as a whole is neither done
    /// nor undone.
    pub fn in_part(self) -> ApiError {
        match self {
            ApiError::Unavailable | ApiError::Unwell(_) => {
                ApiError::outcome_unknown("a request was done in part")
            }
            other => other,
        }
    }

    /// The answer of `/healthz`. It is public, so it does not name the place of the store.
    pub fn unwell(fault: &StoreError) -> ApiError {
        tracing::error!(why = %fault, "the store is unwell");
        ApiError::Unwell(match fault {
            StoreError::Full { .. } => StoreTrouble::Full,
            StoreError::Away { .. } => StoreTrouble::Away,
            _ => StoreTrouble::Other,
        })
    }

    pub fn refused(sentence: impl Into<String>) -> ApiError {
        ApiError::Refused(vec![sentence.into()])
    }

    pub fn status(&self) -> StatusCode {
        match self {
            ApiError::Unreadable(_) => StatusCode::BAD_REQUEST,
            ApiError::NotInvited | ApiError::NotOwner => StatusCode::UNAUTHORIZED,
            ApiError::Forbidden(_) => StatusCode::FORBIDDEN,
            ApiError::NotFound(_) => StatusCode::NOT_FOUND,
            ApiError::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::TimedOut { .. } => StatusCode::REQUEST_TIMEOUT,
            ApiError::MovedOn { .. } | ApiError::Conflict(_) | ApiError::RollPending(_) => {
                StatusCode::CONFLICT
            }
            ApiError::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::Misdirected => StatusCode::MISDIRECTED_REQUEST,
            ApiError::Refused(_)
            | ApiError::Invalid(_)
            | ApiError::RuledOut(_)
            | ApiError::Interrupted { .. }
            | ApiError::Missing(_)
            | ApiError::StillPending { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            ApiError::Busy(_) => StatusCode::TOO_MANY_REQUESTS,
            ApiError::OutcomeUnknown => StatusCode::INTERNAL_SERVER_ERROR,
            ApiError::Unavailable | ApiError::NotYet { .. } | ApiError::Unwell(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        }
    }

    pub fn sentences(&self) -> Vec<String> {
        let one: Cow<'static, str> = match self {
            ApiError::Refused(sentences)
            | ApiError::Interrupted { sentences, .. }
            | ApiError::StillPending { sentences, .. } => {
                return sentences.clone();
            }
            ApiError::Missing(missing) => return missing.iter().map(en::missing).collect(),
            ApiError::Unreadable(why) => why.sentence(),
            ApiError::Forbidden(why) => why.sentence(),
            ApiError::NotFound(what) => what.sentence(),
            ApiError::Conflict(why) => why.sentence(),
            ApiError::Invalid(why) => why.sentence(),
            ApiError::MovedOn { last } => say::moved_on(*last).into(),
            ApiError::TooLong(TooLong::Log { most }) => say::log_too_long(*most).into(),
            ApiError::TooLong(TooLong::Body) => say::BODY_TOO_LONG.into(),
            ApiError::RuledOut(found) => en::play_error(&PlayError::RuledOut(found.clone())).into(),
            ApiError::NotInvited => say::NOT_INVITED.into(),
            ApiError::NotOwner => say::NOT_OWNER.into(),
            ApiError::WrongMethod => say::WRONG_METHOD.into(),
            ApiError::TimedOut { writes: false } => say::TIMED_OUT.into(),
            ApiError::TimedOut { writes: true } => say::TIMED_OUT_WRITING.into(),
            ApiError::RollPending(_) => say::ROLL_PENDING.into(),
            ApiError::Misdirected => say::OTHER_NAME.into(),
            ApiError::Busy(what) => what.sentence().into(),
            ApiError::OutcomeUnknown => say::OUTCOME_UNKNOWN.into(),
            ApiError::Unavailable => say::UNAVAILABLE.into(),
            ApiError::NotYet { wanted, last } => say::not_yet(*wanted, *last).into(),
            ApiError::Unwell(StoreTrouble::Full) => say::STORE_FULL.into(),
            ApiError::Unwell(StoreTrouble::Away) => say::STORE_AWAY.into(),
            ApiError::Unwell(StoreTrouble::Other) => say::STORE_UNWELL.into(),
        };
        vec![one.into_owned()]
    }

    fn details(self) -> Option<ErrorDetails> {
        Some(match self {
            ApiError::MovedOn { last } | ApiError::NotYet { last, .. } => {
                ErrorDetails::MovedOn { last }
            }
            ApiError::OutcomeUnknown | ApiError::TimedOut { writes: true } => {
                ErrorDetails::OutcomeUnknown { unknown: true }
            }
            ApiError::RuledOut(found) => ErrorDetails::RuledOut {
                stopped: found
                    .into_iter()
                    .map(|found| RuledOutUnit { unit: found.unit, by: found.by.into() })
                    .collect(),
            },
            ApiError::Interrupted { resolution, .. } => {
                let needs = resolution.needs.clone();
                ErrorDetails::Interrupted { resolution, needs }
            }
            ApiError::Missing(needs) => ErrorDetails::Missing { needs },
            ApiError::RollPending(held) => ErrorDetails::RollPending(held),
            ApiError::StillPending { ticket, .. } => ErrorDetails::StillPending { ticket },
            _ => return None,
        })
    }
}

impl Unreadable {
    fn sentence(&self) -> Cow<'static, str> {
        match self {
            Unreadable::Json(why) => clip_to(&say::bad_json(why), 300).to_string().into(),
            Unreadable::Act(why) => say::bad_act(&clip_to(why, 300)).into(),
            Unreadable::Call(why) => say::bad_call(why).into(),
            Unreadable::NoBody => say::NO_BODY.into(),
            Unreadable::BrokeOff => say::BODY_BROKE_OFF.into(),
            Unreadable::After => say::AFTER.into(),
            Unreadable::IdempotencyKey => say::IDEMPOTENCY_KEY.into(),
            Unreadable::Who => say::WHO.into(),
            Unreadable::NotUtf8 => say::NOT_UTF8.into(),
            Unreadable::OneAct => say::ONE_ACT.into(),
            Unreadable::Want => say::WANT.into(),
            Unreadable::Yes => say::YES.into(),
            Unreadable::MarkAfter => say::MARK_AFTER.into(),
            Unreadable::Template => say::TEMPLATE.into(),
            Unreadable::NothingToRoll => say::NOTHING_TO_ROLL.into(),
            Unreadable::BackWithoutTicket => say::BACK_WITHOUT_TICKET.into(),
            Unreadable::ManyHosts => say::MANY_HOSTS.into(),
        }
    }
}

impl Forbidden {
    fn sentence(&self) -> Cow<'static, str> {
        match self {
            Forbidden::NotManager => say::NOT_MANAGER.into(),
            Forbidden::Spectator { name } => say::spectator(name).into(),
            Forbidden::InvitationVoid => say::INVITATION_VOID.into(),
            Forbidden::OtherSite => say::OTHER_SITE.into(),
            Forbidden::SealedSeat { name } => say::sealed_seat(name).into(),
        }
    }
}

impl NotFound {
    fn sentence(&self) -> Cow<'static, str> {
        match self {
            NotFound::Address => say::NO_ADDRESS.into(),
            NotFound::Game => say::NO_GAME.into(),
            NotFound::Bundle => say::NO_BUNDLE.into(),
            NotFound::Name(unknown) => en::unknown_name(unknown).into(),
            NotFound::Chart(sentence) => sentence.clone().into(),
        }
    }
}

impl Conflict {
    fn sentence(&self) -> Cow<'static, str> {
        match self {
            Conflict::GameFull { most } => say::game_full(*most).into(),
            Conflict::NameTaken { name } => say::name_taken(&clip(name)).into(),
            Conflict::NamesLookAlike { name, known } => {
                say::names_look_alike(&clip(name), &clip(known)).into()
            }
            Conflict::NoPendingRoll => say::NO_PENDING_ROLL.into(),
            Conflict::KeysInUse => say::KEYS_IN_USE.into(),
            Conflict::Unplayable(why) => say::unplayable(&why.to_string()).into(),
        }
    }
}

impl Invalid {
    fn sentence(&self) -> Cow<'static, str> {
        match self {
            Invalid::Name(unknown) => en::unknown_name(unknown).into(),
            Invalid::PlayerName => say::NAME.into(),
            Invalid::LogLine(why) => say::bad_log_line(why).into(),
            Invalid::FirstLine => say::FIRST_LINE.into(),
            Invalid::KeyReused => say::KEY_REUSED.into(),
            Invalid::TooMuchWork => say::TOO_MUCH_WORK.into(),
            Invalid::ManyFiles { most } => say::many_files(*most).into(),
            Invalid::Bundle(why) => say::bad_bundle(why).into(),
            Invalid::OtherPack { wanted, found } => {
                say::other_pack(&clip(wanted), &clip(found)).into()
            }
            Invalid::OtherRules => say::OTHER_RULES.into(),
        }
    }
}

impl Busy {
    fn sentence(self) -> &'static str {
        match self {
            Busy::Requests => say::MANY_REQUESTS,
            Busy::Odds => say::MANY_ODDS,
            Busy::Workers => say::WORKERS_BUSY,
            Busy::Streams => say::MANY_STREAMS,
            Busy::NewGames => say::MANY_GAMES,
            Busy::Receipts => say::MANY_RECEIPTS,
        }
    }
}

impl From<Unreadable> for ApiError {
    fn from(why: Unreadable) -> ApiError {
        ApiError::Unreadable(why)
    }
}

impl From<BundleError> for ApiError {
    fn from(why: BundleError) -> ApiError {
        ApiError::Invalid(Invalid::Bundle(why))
    }
}

impl From<Rejection> for ApiError {
    fn from(rejection: Rejection) -> ApiError {
        ApiError::refused(en::rejection(&rejection))
    }
}

impl From<UnknownName> for ApiError {
    fn from(unknown: UnknownName) -> ApiError {
        ApiError::refused(en::unknown_name(&unknown))
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        match refusal {
            Refusal::Rejected(_) => ApiError::Refused(en::refusal(&refusal)),
            Refusal::RuledOut(units) => ApiError::RuledOut(units),
        }
    }
}

impl From<PlayError> for ApiError {
    fn from(stop: PlayError) -> ApiError {
        match stop {
            PlayError::Rejected(all) => Refusal::Rejected(all).into(),
            PlayError::RuledOut(units) => Refusal::RuledOut(units).into(),
            PlayError::Needs { .. } | PlayError::Unusable { .. } => {
                ApiError::refused(en::play_error(&stop))
            }
        }
    }
}

impl From<OddsError> for ApiError {
    fn from(stop: OddsError) -> ApiError {
        match stop {
            OddsError::Needs(needs) => ApiError::Missing(needs),
            OddsError::OverLimit(_) => ApiError::Invalid(Invalid::TooMuchWork),
            other => ApiError::refused(en::odds_error(&other)),
        }
    }
}

impl From<QueryError> for ApiError {
    fn from(error: QueryError) -> ApiError {
        let sentences = error.sentences();
        match error {
            QueryError::Unknown(_) => ApiError::NotFound(NotFound::Chart(sentences.concat())),
            QueryError::Odds(stop) => (*stop).into(),
            QueryError::Roll(stopped) => {
                ApiError::Interrupted { resolution: stopped.resolution, sentences }
            }
            QueryError::NoLuck(_) => ApiError::unavailable(sentences.concat()),
            QueryError::NoFightEnded | QueryError::Stopped => {
                ApiError::Invalid(Invalid::TooMuchWork)
            }
            QueryError::Invalid(_)
            | QueryError::Unused(_)
            | QueryError::Vary(_)
            | QueryError::Draw(_) => ApiError::Refused(sentences),
        }
    }
}

impl From<LogError> for ApiError {
    fn from(fault: LogError) -> ApiError {
        ApiError::refused(en::log_error(&fault))
    }
}

impl From<StoreError> for ApiError {
    fn from(fault: StoreError) -> ApiError {
        match fault {
            StoreError::MovedOn { last, .. } => ApiError::MovedOn { last },
            StoreError::NoTable { .. } | StoreError::BadId { .. } => ApiError::NotInvited,
            StoreError::BadText { .. } => ApiError::refused(fault.to_string()),
            StoreError::Unsure { .. } => ApiError::outcome_unknown(fault),
            other => ApiError::unavailable(other),
        }
    }
}

/// JSON as an answer.
pub(crate) fn json(status: StatusCode, value: &impl serde::Serialize) -> Response {
    written(status, serde_json::to_vec(value).unwrap_or_default().into())
}

/// JSON that is written already.
pub(crate) fn written(status: StatusCode, body: bytes::Bytes) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")],
        body,
    )
        .into_response()
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, sentences) = (self.status(), self.sentences());
        let mut response = json(
            status,
            &ErrorBody { error: sentences.join("; "), sentences, details: self.details() },
        );
        let mut set = |name: HeaderName, value| {
            drop(response.headers_mut().insert(name, HeaderValue::from_static(value)))
        };
        match status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                set(header::RETRY_AFTER, "1")
            }
            StatusCode::UNAUTHORIZED => set(header::WWW_AUTHENTICATE, "Bearer"),
            _ => {}
        }
        response
    }
}
