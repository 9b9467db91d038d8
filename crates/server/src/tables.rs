//! Tables: begun, brought, joined, entered by the owner, looked at, and their invitations.

use crate::auth::{Body, Caller, Peer, read, token};
use crate::clock;
use crate::error::{ApiError, json};
use crate::keys::{KEPT_AS, Keys, fingerprint};
use crate::live_table::{blocking, opened, seat_of};
use crate::state::Shared;
use crate::stream::After;
use adjutant_game::{Begin, EventKind, LOG_FORMAT, Seat, Stamp, Table};
use adjutant_pack::{Noun, Pack, UnknownName};
use adjutant_store::{NewTable, TableId};
use adjutant_wording::en::unknown_name::did_you_mean;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json as object};
use std::sync::Arc;

/// Lines that are sent in one answer at most.
const MOST_LINES: usize = 5_000;

fn must_own(app: &Shared, peer: Peer, headers: &HeaderMap) -> Result<(), ApiError> {
    match app.is_owner(peer, headers) {
        true => Ok(()),
        false => Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "only the owner of this server does this: show the key that it printed at its start",
        )),
    }
}

/// `GET /metrics`
pub(crate) async fn metrics(State(app): State<Shared>, Extension(peer): Extension<Peer>, headers: HeaderMap) -> Result<Response, ApiError> {
    must_own(&app, peer, &headers)?;
    let text = app.metrics.text(app.hall.count());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4"), (header::CACHE_CONTROL, "no-store")], text).into_response())
}

/// `GET /api/games`
pub(crate) async fn list(State(app): State<Shared>, Extension(peer): Extension<Peer>, headers: HeaderMap) -> Result<Response, ApiError> {
    must_own(&app, peer, &headers)?;
    let store = app.hall.store.clone();
    let all = blocking(move || Ok(store.store()?.list(true)?)).await?;
    let tables: Vec<Json> = all
        .iter()
        .map(|table| {
            let moment = |ms: u64| clock::utc(ms / 1000);
            object!({ "id": table.id.to_string(), "name": table.name, "pack": table.pack, "created": moment(table.created),
                "changed": moment(table.changed), "last": table.last, "archived": table.archived })
        })
        .collect();
    Ok(json(StatusCode::OK, &object!({ "games": tables })))
}

fn find_pack(app: &Shared, id: &str) -> Result<Arc<Pack>, ApiError> {
    app.hall.pack(id).cloned().ok_or_else(|| {
        let unknown = UnknownName::new(Noun::Pack, id, app.hall.packs.iter().map(|pack| pack.id().as_str()));
        let help = did_you_mean(&unknown, |ids| format!("there are {}", ids.join(", ")));
        ApiError::refused(format!("there is no pack `{}`: {help}", unknown.name))
    })
}

fn may_begin(app: &Shared, peer: Peer, headers: &HeaderMap) -> Result<(), ApiError> {
    match app.spared(peer) || app.table_rates.take(&app.client(peer, headers), 1.0) {
        true => Ok(()),
        false => Err(ApiError::busy("you have begun many tables: wait a while before the next")),
    }
}

/// `POST /api/games`
pub(crate) async fn create(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let mut asked: Map<String, Json> = read(body)?;
    may_begin(&app, peer, &headers)?;
    let text = |value: Option<Json>, what: &str| match value {
        Some(Json::String(text)) => Ok(text),
        _ => Err(ApiError::unread(format!("`{what}` must be a text"))),
    };
    let who = text(asked.remove("who"), "who")?;
    let seat: Seat = match asked.remove("seat") {
        None => Seat::Umpire,
        Some(seat) => serde_json::from_value(seat)
            .map_err(|_| ApiError::unread("`seat` must be \"umpire\", \"spectator\" or {\"player\":{\"side\":…}}"))?,
    };
    let pack = find_pack(&app, &text(asked.get("pack").cloned(), "pack")?)?;
    let begin = begin_of(asked, &pack)?;
    let made = blocking(move || {
        let stamp = Stamp::new(clock::now(), &who);
        let mut table = Table::empty(pack);
        let lines = match begin.start.clone() {
            start if start.is_empty() => vec![table.begin(&stamp, begin)?],
            start => table.begin_from(&stamp, &start, begin)?,
        };
        lines.iter().try_for_each(|line| table.apply(&line.text))?;
        let join = table.act(&stamp, EventKind::Join { who: who.clone(), role: seat.clone() })?;
        table.apply(&join.text)?;
        keep(&app, &table, &who, &seat)
    });
    Ok(json(StatusCode::CREATED, &made.await?))
}

/// How a table is to be set up, from what was sent; what the pack knows is filled in.
fn begin_of(mut asked: Map<String, Json>, pack: &Pack) -> Result<Begin, ApiError> {
    for (key, value) in [("form", object!(LOG_FORMAT)), ("version", object!(pack.version())), ("hash", object!(pack.hash()))] {
        asked.insert(key.into(), value);
    }
    // A way to begin that the pack offers names its sides itself.
    let sides = if asked.get("start").is_some_and(|start| *start != "") { object!([]) } else { object!(["First", "Second"]) };
    asked.entry("sides").or_insert(sides);
    let begin = serde_json::from_value(Json::Object(asked));
    begin.map_err(|fault| ApiError::unread(format!("the table cannot be set up so: {fault}")))
}

/// Keeps a new table with its keys; what its beginner is told. Blocks.
fn keep(app: &Shared, table: &Table, who: &str, seat: &Seat) -> Result<Json, ApiError> {
    let id = TableId::new()?;
    let lines: Vec<&str> = table.lines().collect();
    let name = table.setup().map_or("", |setup| setup.name.as_str());
    let mut keys = Keys::new()?;
    let token = keys.admit(who, seat, true, app.limits.people)?;
    let store = &app.hall.store;
    store.write(|store| store.create(&NewTable { id, name, pack: table.pack().id(), lines: &lines }))?;
    store.write(|store| store.put_text(&id, KEPT_AS, 0, &keys.write())).map_err(|fault| ApiError::from(fault).in_part())?;
    app.metrics.events.fetch_add(lines.len() as u64, std::sync::atomic::Ordering::Relaxed);
    Ok(object!({ "id": id.to_string(), "token": token, "invitations": keys.invitations(&id, table.sides()) }))
}

#[derive(Debug, Deserialize)]
pub(crate) struct ImportAs {
    who: Option<String>,
}

/// `POST /api/games/import`
pub(crate) async fn import(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    query: Result<Query<ImportAs>, QueryRejection>,
    request: axum::extract::Request,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|_| ApiError::unread("`who` must be a name"))?;
    may_begin(&app, peer, request.headers())?;
    let limited = axum::body::to_bytes(request.into_body(), app.limits.import).await;
    let log =
        limited.map_err(|_| ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a log may have at most {} bytes", app.limits.import)))?;
    let log = String::from_utf8(log.to_vec()).map_err(|_| ApiError::unread("a log is UTF-8 text, one JSON object a line"))?;
    let permit = app.workers.clone().acquire_owned().await.map_err(|fault| ApiError::ours(&fault.to_string()))?;
    let made = blocking(move || {
        let _permit = permit;
        let first = log.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let event: adjutant_game::Event =
            serde_json::from_str(first).map_err(|fault| ApiError::refused(format!("not a line of a log: {fault}")))?;
        let EventKind::Begin(begin) = event.what else { return Err(ApiError::refused("the first line of a log sets the table up")) };
        let mut table = adjutant_game::import(find_pack(&app, &begin.pack)?, &log)?;
        let who = query.who.unwrap_or(event.by);
        let seat = match table.people().iter().find(|(name, _)| *name == who) {
            Some((_, seat)) => seat.clone(),
            None => {
                let join = table.act(&Stamp::new(clock::now(), &who), EventKind::Join { who: who.clone(), role: Seat::Umpire })?;
                table.apply(&join.text)?;
                Seat::Umpire
            }
        };
        keep(&app, &table, &who, &seat)
    });
    Ok(json(StatusCode::CREATED, &made.await?))
}

/// `GET /api/games/{id}`
pub(crate) async fn about(State(app): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let hand = Caller::at(&app, &id, &headers).await?;
    let game = hand.live.game().await;
    let seat = seat_of(&game, &hand.holder);
    let mut about = object!({
        "id": hand.live.id.to_string(), "last": hand.live.last(), "role": seat, "you": hand.holder.name,
        "manages": hand.holder.is_host() || seat == Seat::Umpire, "here": hand.live.here.all(),
    });
    if let Json::Object(map) = &mut about {
        match &*game {
            Ok(table) => {
                let setup = table.setup().cloned().unwrap_or_default();
                map.extend(
                    [("name", setup.name), ("pack", setup.pack), ("hash", setup.hash), ("version", setup.version)]
                        .map(|(key, text)| (key.to_owned(), Json::String(text))),
                );
                map.insert("sides".into(), object!(setup.sides));
                let people: Vec<Json> = table.people().iter().map(|(name, seat)| object!({ "name": name, "role": seat })).collect();
                map.insert("people".into(), Json::Array(people));
            }
            Err(why) => drop(map.insert("fault".into(), Json::String(why.clone()))),
        }
    }
    Ok(json(StatusCode::OK, &about))
}

/// `GET /api/games/{id}/lines`
pub(crate) async fn lines(
    State(app): State<Shared>,
    Path(id): Path<String>,
    query: Result<Query<After>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|_| ApiError::unread("after must be the number of an event"))?;
    let hand = Caller::at(&app, &id, &headers).await?;
    let lines = hand.live.lines(query.after.unwrap_or(0), MOST_LINES).await?;
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    Ok(([(header::CONTENT_TYPE, "application/jsonl"), (header::CACHE_CONTROL, "no-store")], text).into_response())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Join {
    key: String,
    name: String,
}

/// `POST /api/games/{id}/join`
pub(crate) async fn join(State(app): State<Shared>, Path(id): Path<String>, headers: HeaderMap, body: Body) -> Result<Response, ApiError> {
    let Join { key, name } = read(body)?;
    let void = || ApiError::forbidden("this invitation is not valid, or no longer: ask for a new one");
    let id = TableId::parse(&id).map_err(|_| void())?;
    let live = app.hall.live(id).await.map_err(|wrong| if wrong.status == StatusCode::UNAUTHORIZED { void() } else { wrong })?;
    let (sides, taken) = {
        let game = live.game().await;
        // The key is looked at first: who has none learns nothing of the table.
        let table = opened(&game).map_err(|_| void())?;
        (table.sides().to_vec(), table.people().iter().any(|(known, _)| *known == name))
    };
    let own = token(&headers).map(fingerprint).filter(|print| live.holder(print).is_some_and(|holder| holder.name == name));
    let (wanted, most, print) = (name.clone(), app.limits.people, own.clone());
    let (seat, token) = live
        .with_keys(move |keys| {
            let seat = keys.seat(&id, &sides, &key).ok_or_else(void)?;
            if let Some(print) = &print {
                keys.reseat(print, &seat);
                return Ok((seat, None));
            }
            if taken || keys.knows(&wanted) {
                let shown = adjutant_pack::clip(&wanted);
                return Err(ApiError::new(StatusCode::CONFLICT, format!("somebody at this table is called {shown}: take another name")));
            }
            check_name(&wanted)?;
            let token = keys.admit(&wanted, &seat, false, most)?;
            Ok((seat, Some(token)))
        })
        .await?;
    // Who only looks on writes nothing on the log.
    if seat != Seat::Spectator || own.is_some() {
        seat_in_log(&app, &live, &name, &seat).await.map_err(ApiError::in_part)?;
    }
    let token = token.map_or_else(|| crate::auth::token(&headers).map(str::to_owned), Some);
    Ok(json(StatusCode::OK, &object!({ "token": token, "name": name, "role": seat })))
}

/// A name as a log accepts it: one line of one to sixty characters.
fn check_name(name: &str) -> Result<(), ApiError> {
    let length = name.chars().count();
    match (1..=60).contains(&length) && name.trim() == name && !name.chars().any(adjutant_game::deceives) {
        true => Ok(()),
        false => Err(ApiError::refused("a name has one to sixty characters on one line, none of them hidden, without blanks around it")),
    }
}

async fn seat_in_log(app: &Shared, live: &Arc<crate::live_table::LiveTable>, name: &str, seat: &Seat) -> Result<(), ApiError> {
    let (name, seat) = (name.to_owned(), seat.clone());
    let (line, ()) = live
        .change(None, move |table| {
            if table.people().iter().any(|(known, role)| *known == name && *role == seat) {
                return Ok((None, ()));
            }
            let line = table.act(&Stamp::new(clock::now(), &name), EventKind::Join { who: name.clone(), role: seat.clone() })?;
            Ok((Some(line), ()))
        })
        .await?;
    app.metrics.events.fetch_add(u64::from(line.is_some()), std::sync::atomic::Ordering::Relaxed);
    Ok(())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Enter {
    name: String,
    #[serde(default)]
    seat: Option<Seat>,
}

/// `POST /api/games/{id}/enter`
pub(crate) async fn enter(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    must_own(&app, peer, &headers)?;
    let Enter { name, seat } = read(body)?;
    check_name(&name)?;
    let nowhere = || ApiError::new(StatusCode::NOT_FOUND, "there is no such table");
    let id = TableId::parse(&id).map_err(|_| nowhere())?;
    let live = app.hall.live(id).await.map_err(|wrong| if wrong.status == StatusCode::UNAUTHORIZED { nowhere() } else { wrong })?;
    let (known, playable, sealed) = {
        let game = live.game().await;
        let known =
            game.as_ref().ok().and_then(|table| table.people().iter().find(|(person, _)| *person == name).map(|(_, seat)| seat.clone()));
        let sealed = game.as_ref().is_ok_and(|table| table.sealed_circle().iter().any(|member| member.name == name));
        (known, game.is_ok(), sealed)
    };
    // A player who throws sealed does not trust the owner of the server. Only the player's own token opens that seat.
    let own = || token(&headers).is_some_and(|token| live.holder(&fingerprint(token)).is_some_and(|holder| holder.name == name));
    if sealed && !own() {
        let sentence = format!(
            "{name} throws sealed at this table: only the device that sealed takes this seat. Enter under another name. If that device is lost, the other \
             players release {name} first"
        );
        return Err(ApiError::forbidden(sentence));
    }
    let seat = seat.or(known.clone()).unwrap_or(Seat::Umpire);
    if known.as_ref() != Some(&seat) && playable && seat != Seat::Spectator {
        seat_in_log(&app, &live, &name, &seat).await?;
    }
    let (most, given, called) = (app.limits.people, seat.clone(), name.clone());
    let token = live.with_keys(move |keys| keys.admit(&called, &given, true, most)).await.map_err(ApiError::in_part)?;
    Ok(json(StatusCode::OK, &object!({ "token": token, "name": name, "role": seat })))
}

/// `GET /api/games/{id}/invitations`
pub(crate) async fn invitations(State(app): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let hand = Caller::at(&app, &id, &headers).await?;
    hand.must_manage().await?;
    let (sides, id) = (hand.sides().await?, hand.live.id);
    let all = hand.live.with_keys(move |keys| Ok(keys.invitations(&id, &sides))).await?;
    Ok(json(StatusCode::OK, &all))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rotate {
    rotate: Which,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    All,
    Umpire,
    Spectator,
    Side(String),
}

/// `POST /api/games/{id}/invitations`
pub(crate) async fn rotate(
    State(app): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let hand = Caller::at(&app, &id, &headers).await?;
    hand.must_manage().await?;
    let Rotate { rotate } = read(body)?;
    let (sides, id, print) = (hand.sides().await?, hand.live.id, hand.print.clone());
    let players = || sides.iter().map(|side| Seat::Player { side: side.clone() });
    let seats: Vec<Seat> = match rotate {
        Which::All => players().chain([Seat::Umpire, Seat::Spectator]).collect(),
        Which::Umpire => vec![Seat::Umpire],
        Which::Spectator => vec![Seat::Spectator],
        Which::Side(side) if sides.contains(&side) => vec![Seat::Player { side }],
        Which::Side(side) => {
            let shown = adjutant_pack::clip_to(&side, 40);
            return Err(ApiError::refused(format!("there is no side `{shown}`: there are {}", sides.join(", "))));
        }
    };
    let all = hand
        .live
        .with_keys(move |keys| {
            seats.iter().for_each(|seat| keys.rotate(seat, &print));
            Ok(keys.invitations(&id, &sides))
        })
        .await?;
    Ok(json(StatusCode::OK, &all))
}
