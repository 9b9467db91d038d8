//! Tables: started, brought, joined, entered by the owner, looked at, and their invitations.

use crate::api_routes::stop_at;
use crate::auth::{Body, Caller, Peer, bytes, parse, token};
use crate::clock;
use crate::error::{
    ApiError, Busy, Conflict, Forbidden, Invalid, NotFound, TooLong, Unreadable, json,
};
use crate::game_packs::{GAME_PACK, WrittenPack};
use crate::idempotency::{Repeat, Requester};
use crate::keys::{KEPT_AS, Keys, fingerprint};
use crate::live_table::{KeysChanged, LiveTable, Made, blocking, opened, seat_of};
use crate::state::Shared;
use crate::stream::After;
use crate::workers::{self, Deadline};
use adjutant_api::{
    AboutGame, CreatedGame, EnterGame, GameList, GameProgress, GameSetup, GameSummary, Invitation,
    JoinGame, Joined, NewGame, ReadInvitation, Rotate, RotateInvitations, Seated,
};
use adjutant_game::{Begin, EventKind, LOG_FORMAT, Seat, Stamp, Table};
use adjutant_pack::{Bundle, Noun, Pack, UnknownName, clip};
use adjutant_store::{NewTable, StoreError, TableId};
use adjutant_wording::en;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;

/// Remembered of a request whose answer is made again from what is stored.
const DONE: &str = "done";
/// Faults of a pack that are told at most.
const MOST_FAULTS: usize = 5;

fn must_own(app: &Shared, peer: Peer, headers: &HeaderMap) -> Result<(), ApiError> {
    match app.is_owner(peer, headers) {
        true => Ok(()),
        false => Err(ApiError::NotOwner),
    }
}

/// `GET /metrics`
pub(crate) async fn metrics(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    must_own(&app, peer, &headers)?;
    let text = app.metrics.text(app.hall.count(), app.workers.counts());
    Ok((
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4"), (header::CACHE_CONTROL, "no-store")],
        text,
    )
        .into_response())
}

/// `GET /api/games`
pub(crate) async fn list(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    must_own(&app, peer, &headers)?;
    let store = app.hall.store.clone();
    let all = blocking(move || Ok(store.store()?.list(true)?)).await?;
    let listed = all.into_iter().map(|game| GameSummary {
        id: game.id.to_string(),
        name: game.name,
        pack: game.pack,
        events: game.last,
        created: clock::utc(game.created / 1000),
        changed: clock::utc(game.changed / 1000),
        archived: game.archived,
    });
    Ok(json(StatusCode::OK, &GameList { games: listed.collect() }))
}

fn find_pack(app: &Shared, id: &str) -> Result<Arc<Pack>, ApiError> {
    app.hall.pack(id).cloned().ok_or_else(|| {
        ApiError::Invalid(Invalid::Name(UnknownName::new(Noun::Pack, id, app.hall.pack_ids())))
    })
}

fn may_begin(app: &Shared, peer: Peer, headers: &HeaderMap) -> Result<(), ApiError> {
    match app.spared(peer) || app.table_rates.take(&app.client(peer, headers), 1.0) {
        true => Ok(()),
        false => Err(ApiError::Busy(Busy::NewGames)),
    }
}

/// `POST /api/games`
pub(crate) async fn create(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    request: axum::extract::Request,
) -> Result<Response, ApiError> {
    let headers = request.headers().clone();
    // A game may bring its pack along, so it may be as long as a log.
    let body = axum::body::to_bytes(request.into_body(), app.limits.import)
        .await
        .map_err(|_| ApiError::TooLong(TooLong::Body))?;
    let repeat = Repeat::of_new_game(&headers, &app.limits, "create", &body)?;
    let mut new: NewGame = parse(&body)?;
    may_begin(&app, peer, &headers)?;
    let sent = new.bundle.take();
    let made = match sent {
        None => {
            blocking(move || {
                let rules = served_pack(&app, &new.pack);
                make(&app, new, rules, repeat.as_ref(), None)
            })
            .await?
        }
        Some(text) => {
            let (client, of) = (app.client(peer, &headers), Arc::clone(&app));
            workers::work(&of, client, move |deadline| {
                let rules = Bundle::read(&text)
                    .map_err(ApiError::from)
                    .and_then(|bundle| sent_pack(&bundle, &new.pack));
                make(&app, new, rules, repeat.as_ref(), Some(deadline))
            })
            .await?
        }
    };
    Ok(json(StatusCode::CREATED, &made))
}

/// Makes and stores a new game, unless this request made it before. Blocks.
fn make(
    app: &Shared,
    new: NewGame,
    rules: Result<(Arc<Pack>, Option<WrittenPack>), ApiError>,
    repeat: Option<&Repeat>,
    deadline: Option<&Deadline>,
) -> Result<CreatedGame, ApiError> {
    if let Some(made) = made_before(app, repeat)? {
        return Ok(made);
    }
    let (pack, bundle) = rules?;
    let (who, seat) = (new.who.clone(), new.seat.clone().unwrap_or(Seat::Umpire));
    let begin = begin_of(new, &pack);
    let stamp = Stamp::new(clock::now(), &who);
    let mut table = Table::empty(pack);
    let lines = match begin.start.clone() {
        start if start.is_empty() => vec![table.begin(&stamp, begin)?],
        start => table.begin_from(&stamp, &start, begin)?,
    };
    lines.iter().try_for_each(|line| table.append(&line.text))?;
    let join = table.act(&stamp, EventKind::Join { who: who.clone(), role: seat.clone() })?;
    table.append(&join.text)?;
    deadline.map_or(Ok(()), Deadline::begin_to_write)?;
    keep(app, &table, (&who, &seat), (bundle, repeat))
}

/// One of the server's packs, and its bundle if it has one.
fn served_pack(app: &Shared, id: &str) -> Result<(Arc<Pack>, Option<WrittenPack>), ApiError> {
    let pack = find_pack(app, id)?;
    Ok((pack, app.hall.served(id).and_then(|served| served.bundle.clone())))
}

/// A pack that came with a request, under the same limits as any pack of a stranger.
fn sent_pack(bundle: &Bundle, id: &str) -> Result<(Arc<Pack>, Option<WrittenPack>), ApiError> {
    let faulty = |faults: Vec<adjutant_pack::Diagnostic>| {
        let said = faults.iter().take(MOST_FAULTS).map(|fault| {
            let (line, _) = fault.line_and_column(bundle.files().text(&fault.file).unwrap_or(""));
            format!("{}, line {line}: {}", clip(&fault.file), en::diagnostic(fault).message)
        });
        ApiError::Refused(said.collect())
    };
    let pack = bundle.read_pack().map_err(faulty)?;
    if pack.id() != id {
        let (wanted, found) = (id.to_owned(), pack.id().to_string());
        return Err(ApiError::Invalid(Invalid::OtherPack { wanted, found }));
    }
    Ok((Arc::new(pack), Some(WrittenPack::new(bundle)?)))
}

/// How a new game is set up; what the pack knows is filled in.
fn begin_of(new: NewGame, pack: &Pack) -> Begin {
    // A start of the pack names its sides itself.
    let sides =
        if new.start.is_empty() { vec!["First".into(), "Second".into()] } else { Vec::new() };
    Begin {
        format: LOG_FORMAT,
        name: new.name,
        pack: new.pack,
        version: pack.version().to_owned(),
        hash: pack.hash().to_string(),
        sides: new.sides.unwrap_or(sides),
        options: new.options,
        cards_open: new.cards_open,
        run_by_sheet: new.run_by_sheet,
        start: new.start,
        decks: new.decks,
        ..Begin::default()
    }
}

/// Stores a new table with its keys; what its beginner is told. Blocks.
fn keep(
    app: &Shared,
    table: &Table,
    (who, seat): (&str, &Seat),
    (bundle, repeat): (Option<WrittenPack>, Option<&Repeat>),
) -> Result<CreatedGame, ApiError> {
    let id = repeat.map_or_else(TableId::new, Repeat::game)?;
    let lines: Vec<&str> = table.lines().collect();
    let name = table.setup().map_or("", |setup| setup.name.as_str());
    let mut keys = Keys::new()?;
    let token = keys.admit(repeat, (who, seat), true, app.limits.people)?;
    // What a repeated request needs besides the keys.
    let sides = serde_json::to_string(table.sides()).unwrap_or_default();
    let created = app.hall.store.write(|store| {
        let new = NewTable { id, name, pack: table.pack().id(), lines: &lines };
        let receipt = repeat.map(|repeat| repeat.receipt(&sides));
        // The pack first: a pack without a game does no harm.
        bundle.as_ref().map_or(Ok(()), |bundle| bundle.keep(store))?;
        let keys = keys.write();
        let pack = bundle.as_ref().map(|bundle| (GAME_PACK, bundle.sum()));
        let texts: Vec<(&str, &str)> = [(KEPT_AS, keys.as_str())].into_iter().chain(pack).collect();
        store.create_with(&new, &texts, receipt)
    });
    match created {
        // The same request, on another server at the same time.
        Err(StoreError::Taken { .. }) if repeat.is_some() => {
            return made_before(app, repeat)?.ok_or(ApiError::Invalid(Invalid::KeyReused));
        }
        created => created?,
    };
    app.metrics.events.fetch_add(lines.len() as u64, std::sync::atomic::Ordering::Relaxed);
    Ok(CreatedGame { id: id.to_string(), token, invitations: keys.invitations(&id, table.sides()) })
}

/// The game that this request made before, if it did. Blocks.
fn made_before(app: &Shared, repeat: Option<&Repeat>) -> Result<Option<CreatedGame>, ApiError> {
    let Some(repeat) = repeat else { return Ok(None) };
    let (store, id) = (app.hall.store.store()?, repeat.game()?);
    let answer = match store.summary(&id) {
        Err(StoreError::NoTable { .. }) => return Ok(None),
        found => {
            found.map(drop).map_err(ApiError::from).and_then(|()| repeat.answer(store, &id))?
        }
    };
    // The receipt is older than a day.
    let sides = answer.ok_or(ApiError::Invalid(Invalid::KeyReused))?;
    let sides: Vec<String> = serde_json::from_str(&sides).map_err(ApiError::unavailable)?;
    let keys = Keys::read(&store.text(&id, KEPT_AS)?.text)?.unwrap_or_default();
    Ok(Some(CreatedGame {
        id: id.to_string(),
        token: keys.token_for(repeat),
        invitations: keys.invitations(&id, &sides),
    }))
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
    let Query(query) = query.map_err(|_| Unreadable::Who)?;
    may_begin(&app, peer, request.headers())?;
    let client = app.client(peer, request.headers());
    let headers = request.headers().clone();
    let limited = axum::body::to_bytes(request.into_body(), app.limits.import).await;
    let log = limited.map_err(|_| ApiError::TooLong(TooLong::Log { most: app.limits.import }))?;
    let route = format!("import {}", query.who.as_deref().unwrap_or_default());
    let repeat = Repeat::of_new_game(&headers, &app.limits, &route, &log)?;
    let log = String::from_utf8(log.to_vec()).map_err(|_| Unreadable::NotUtf8)?;
    let of = Arc::clone(&app);
    let made = workers::work(&of, client, move |deadline| {
        if let Some(made) = made_before(&app, repeat.as_ref())? {
            return Ok(made);
        }
        let (brought, log) = adjutant_game::carried_pack(&log)?;
        let first = log.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let event: adjutant_game::Event = serde_json::from_str(first)
            .map_err(|fault| ApiError::Invalid(Invalid::LogLine(fault.to_string())))?;
        let EventKind::Begin(begin) = event.what else {
            return Err(ApiError::Invalid(Invalid::FirstLine));
        };
        let (pack, bundle) = match brought {
            Some(brought) if brought.files().hash() != begin.hash => {
                return Err(ApiError::Invalid(Invalid::OtherRules));
            }
            Some(brought) => sent_pack(&brought, &begin.pack)?,
            None => served_pack(&app, &begin.pack)?,
        };
        let table = adjutant_game::import_until(pack, log, &stop_at(deadline))?;
        let mut table = table.ok_or_else(workers::too_much)?;
        let who = query.who.unwrap_or(event.by);
        let seat = match table.people().iter().find(|(name, _)| *name == who) {
            Some((_, seat)) => seat.clone(),
            None => {
                let join = table.act(
                    &Stamp::new(clock::now(), &who),
                    EventKind::Join { who: who.clone(), role: Seat::Umpire },
                )?;
                table.append(&join.text)?;
                Seat::Umpire
            }
        };
        deadline.begin_to_write()?;
        keep(&app, &table, (&who, &seat), (bundle, repeat.as_ref()))
    });
    Ok(json(StatusCode::CREATED, &made.await?))
}

/// `GET /api/games/{id}`
pub(crate) async fn about(
    State(app): State<Shared>,
    Path(id): Path<String>,
    query: Result<Query<After>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|_| Unreadable::After)?;
    let hand = Caller::at(&app, &id, &headers).await?;
    hand.live.reach(query.at_least.unwrap_or(0)).await?;
    let game = hand.live.game().await;
    let seat = seat_of(&game, &hand.holder);
    let setup = |table: &Table| {
        let setup = table.setup().cloned().unwrap_or_default();
        GameSetup {
            name: setup.name,
            pack: setup.pack,
            hash: setup.hash,
            bundle: hand.live.bundle.clone(),
            version: setup.version,
            sides: setup.sides,
            people: Seated::all(table),
        }
    };
    let progress = |table: &Table| GameProgress {
        turn: table.state().turn,
        next: table.whose_move(&hand.holder.name, true),
        changed: last_time(table),
    };
    let about = AboutGame {
        progress: game.as_ref().ok().map(progress),
        id: hand.live.id.to_string(),
        last: hand.live.last(),
        manages: hand.holder.is_host() || seat == Seat::Umpire,
        role: seat,
        you: hand.holder.name,
        here: hand.live.here.all(),
        setup: game.as_ref().ok().map(setup),
        fault: game.as_ref().err().map(ToString::to_string),
    };
    Ok(json(StatusCode::OK, &about))
}

/// The time of the last event.
fn last_time(table: &Table) -> String {
    #[derive(serde::Deserialize)]
    struct Line {
        at: String,
    }
    let last = table.lines().last().and_then(|line| serde_json::from_str::<Line>(line).ok());
    last.map(|line| line.at).unwrap_or_default()
}

/// `GET /api/games/{id}/lines`
pub(crate) async fn lines(
    State(app): State<Shared>,
    Path(id): Path<String>,
    query: Result<Query<After>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|_| Unreadable::After)?;
    let hand = Caller::at(&app, &id, &headers).await?;
    hand.live.reach(query.at_least.unwrap_or(0)).await?;
    let (length, pieces) = hand.live.log(query.after.unwrap_or(0)).await?;
    let head = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/jsonl")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // A client that gets less knows that the log is not whole.
        (header::CONTENT_LENGTH, length.into()),
    ];
    Ok((head, axum::body::Body::from_stream(pieces)).into_response())
}

/// The answer to a key that is wrong, and to the id of a game that is not here.
fn void() -> ApiError {
    ApiError::Forbidden(Forbidden::InvitationVoid)
}

/// The game that an invitation is for. The key is not looked at yet.
async fn invited(app: &Shared, id: &str) -> Result<(TableId, Arc<LiveTable>), ApiError> {
    let id = TableId::parse(id).map_err(|_| void())?;
    let missing = |wrong| if wrong == ApiError::NotInvited { void() } else { wrong };
    Ok((id, app.hall.live(id).await.map_err(missing)?))
}

/// `POST /api/games/{id}/invitation`
pub(crate) async fn read_invitation(
    State(app): State<Shared>,
    Path(id): Path<String>,
    body: Body,
) -> Result<Response, ApiError> {
    let ReadInvitation { key } = parse(&bytes(body)?)?;
    let (id, live) = invited(&app, &id).await?;
    let (setup, pack_title, sides, people) = {
        let game = live.game().await;
        // A caller without a valid key learns nothing of the game: every error is the same.
        let table = opened(&game).map_err(|_| void())?;
        let setup = table.setup().cloned().unwrap_or_default();
        let title = table.pack().title().to_string();
        (setup, title, table.sides().to_vec(), Seated::all(table))
    };
    let known = sides.clone();
    let (role, host) = live
        .with_keys(move |keys| {
            let seat = keys.seat(&id, &known, &key).ok_or_else(void)?;
            Ok((seat, keys.host().map(str::to_owned)))
        })
        .await?;
    let Begin { name, pack, version: pack_version, hash: pack_hash, .. } = setup;
    let bundle = live.bundle.clone();
    let told = Invitation {
        name,
        pack,
        pack_title,
        pack_version,
        pack_hash,
        bundle,
        host,
        sides,
        people,
        role,
    };
    Ok(json(StatusCode::OK, &told))
}

/// `POST /api/games/{id}/join`
pub(crate) async fn join(
    State(app): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let body = bytes(body)?;
    let JoinGame { key, name } = parse(&body)?;
    let (id, live) = invited(&app, &id).await?;
    let (sides, known, sealed, look_alike) = {
        let game = live.game().await;
        // A caller without a valid key learns nothing of the game: every error is the same.
        let table = opened(&game).map_err(|_| void())?;
        let known = table.people().iter().find(|(known, _)| *known == name);
        (
            table.sides().to_vec(),
            known.map(|(_, seat)| seat.clone()),
            is_sealed(table, &name),
            table.look_alike_of(&name).map(str::to_owned),
        )
    };
    let own = match token(&headers).map(fingerprint) {
        Some(print) => {
            let holder = live.find_holder(&print).await.ok();
            holder.filter(|holder| holder.name == name).map(|_| print)
        }
        None => None,
    };
    let who = own.as_ref().map_or(Requester::Invited(&key), |_| Requester::Player(&name));
    let repeat = Repeat::of(&headers, &app.limits, who, "join", &body)?;
    let (wanted, most, print) = (name.clone(), app.limits.people, own.clone());
    let again = repeat.clone();
    let joined = live
        .with_keys_once(repeat.clone(), move |keys| {
            let seat = keys.seat(&id, &sides, &key).ok_or_else(void)?;
            let remembered = serde_json::to_string(&seat).unwrap_or_default();
            if let Some(print) = &print {
                keys.reseat(print, &seat);
                return Ok(((seat, None), remembered));
            }
            // A player whose invitation was reset comes back with the new one: under the same name,
            // if no one else has it, and to the same seat.
            let returns = known.as_ref() == Some(&seat) && !sealed;
            if keys.knows(&wanted) || (known.is_some() && !returns) {
                return Err(ApiError::Conflict(Conflict::NameTaken { name: wanted.clone() }));
            }
            check_name(&wanted)?;
            if let Some(known) = look_alike.clone() {
                let name = wanted.clone();
                return Err(ApiError::Conflict(Conflict::NamesLookAlike { name, known }));
            }
            let token = keys.admit(again.as_ref(), (&wanted, &seat), false, most)?;
            Ok(((seat, Some(token)), remembered))
        })
        .await?;
    let (seat, token) = match joined {
        KeysChanged::Done(done) => done,
        KeysChanged::Repeated { answer, keys } => {
            let seat = serde_json::from_str(&answer).map_err(ApiError::unavailable)?;
            let token = repeat.filter(|_| own.is_none()).map(|repeat| keys.token_for(&repeat));
            // The invitation may have been reset since.
            if token.as_ref().is_some_and(|token| keys.holder(&fingerprint(token)).is_none()) {
                return Err(void());
            }
            (seat, token)
        }
    };
    // Who only looks on writes nothing on the log.
    if seat != Seat::Spectator || own.is_some() {
        seat_in_log(&app, &live, &name, &seat).await.map_err(ApiError::in_part)?;
    }
    let token = token.map_or_else(|| crate::auth::token(&headers).map(str::to_owned), Some);
    Ok(json(StatusCode::OK, &Joined { token, name, role: seat }))
}

/// Whether a player is in the sealed group.
fn is_sealed(table: &Table, name: &str) -> bool {
    table.sealed_circle().iter().any(|member| member.name == name)
}

/// A name as a log accepts it: one line of one to sixty characters.
fn check_name(name: &str) -> Result<(), ApiError> {
    let length = name.chars().count();
    match (1..=60).contains(&length)
        && name.trim() == name
        && !name.chars().any(adjutant_game::deceives)
    {
        true => Ok(()),
        false => Err(ApiError::Invalid(Invalid::PlayerName)),
    }
}

async fn seat_in_log(
    app: &Shared,
    live: &Arc<crate::live_table::LiveTable>,
    name: &str,
    seat: &Seat,
) -> Result<(), ApiError> {
    let (name, seat) = (name.to_owned(), seat.clone());
    let changed = live
        .change(None, None, move |table| {
            if table.people().iter().any(|(known, role)| *known == name && *role == seat) {
                return Ok(Made::line(None, ()));
            }
            let line = table.act(
                &Stamp::new(clock::now(), &name),
                EventKind::Join { who: name.clone(), role: seat.clone() },
            )?;
            Ok(Made::line(Some(line), ()))
        })
        .await?;
    let stored = changed.stored_line();
    app.metrics.events.fetch_add(u64::from(stored), std::sync::atomic::Ordering::Relaxed);
    Ok(())
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
    let body = bytes(body)?;
    let repeat = Repeat::of(&headers, &app.limits, Requester::Owner, "enter", &body)?;
    let EnterGame { name, seat } = parse(&body)?;
    check_name(&name)?;
    let nowhere = || ApiError::NotFound(NotFound::Game);
    let id = TableId::parse(&id).map_err(|_| nowhere())?;
    let live = app
        .hall
        .live(id)
        .await
        .map_err(|wrong| if wrong == ApiError::NotInvited { nowhere() } else { wrong })?;
    let (known, playable, sealed) = {
        let game = live.game().await;
        let known = game.as_ref().ok().and_then(|table| {
            table.people().iter().find(|(person, _)| *person == name).map(|(_, seat)| seat.clone())
        });
        let sealed = game.as_ref().is_ok_and(|table| is_sealed(table, &name));
        (known, game.is_ok(), sealed)
    };
    // A player who rolls sealed does not trust the owner of the server. Only the player's own
    // token opens that seat.
    let own = || {
        token(&headers).is_some_and(|token| {
            live.holder(&fingerprint(token)).is_some_and(|holder| holder.name == name)
        })
    };
    if sealed && !own() {
        return Err(ApiError::Forbidden(Forbidden::SealedSeat { name }));
    }
    let seat = seat.or(known.clone()).unwrap_or(Seat::Umpire);
    if known.as_ref() != Some(&seat) && playable && seat != Seat::Spectator {
        seat_in_log(&app, &live, &name, &seat).await?;
    }
    let (most, given, called) = (app.limits.people, seat.clone(), name.clone());
    let again = repeat.clone();
    let entered = live
        .with_keys_once(repeat.clone(), move |keys| {
            let token = keys.admit(again.as_ref(), (&called, &given), true, most)?;
            Ok((token, serde_json::to_string(&given).unwrap_or_default()))
        })
        .await
        .map_err(ApiError::in_part)?;
    let token = match (entered, &repeat) {
        (KeysChanged::Done(token), _) => token,
        (KeysChanged::Repeated { keys, .. }, Some(repeat)) => keys.token_for(repeat),
        (KeysChanged::Repeated { .. }, None) => {
            return Err(ApiError::Conflict(Conflict::KeysInUse));
        }
    };
    Ok(json(StatusCode::OK, &Joined { token: Some(token), name, role: seat }))
}

/// `GET /api/games/{id}/invitations`
pub(crate) async fn invitations(
    State(app): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let hand = Caller::at(&app, &id, &headers).await?;
    hand.must_manage().await?;
    let (sides, id) = (hand.sides().await?, hand.live.id);
    let all = hand.live.with_keys(move |keys| Ok(keys.invitations(&id, &sides))).await?;
    Ok(json(StatusCode::OK, &all))
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
    let body = bytes(body)?;
    let who = Requester::Player(&hand.holder.name);
    let repeat = Repeat::of(&headers, &app.limits, who, "invitations", &body)?;
    let RotateInvitations { rotate } = parse(&body)?;
    let (sides, id, print) = (hand.sides().await?, hand.live.id, hand.print.clone());
    let players = || sides.iter().map(|side| Seat::Player { side: side.clone() });
    let seats: Vec<Seat> = match rotate {
        Rotate::All => players().chain([Seat::Umpire, Seat::Spectator]).collect(),
        Rotate::Umpire => vec![Seat::Umpire],
        Rotate::Spectator => vec![Seat::Spectator],
        Rotate::Side(side) if sides.contains(&side) => vec![Seat::Player { side }],
        Rotate::Side(side) => {
            let known = sides.iter().map(String::as_str);
            let unknown = UnknownName::new(Noun::Side, &side, known);
            return Err(ApiError::Invalid(Invalid::Name(unknown)));
        }
    };
    let known_sides = sides.clone();
    // Also a player who sealed on another server a moment ago.
    hand.live.refresh(u64::MAX, false).await?;
    let sealed: Vec<String> = {
        let game = hand.live.game().await;
        opened(&game)?.sealed_circle().iter().map(|member| member.name.clone()).collect()
    };
    let rotated = hand
        .live
        .with_keys_once(repeat, move |keys| {
            seats.iter().for_each(|seat| keys.rotate(seat, &print, &sealed));
            Ok((keys.invitations(&id, &known_sides), DONE.to_owned()))
        })
        .await?;
    // A repeated request gets the keys as they are now.
    let all = match rotated {
        KeysChanged::Done(all) => all,
        KeysChanged::Repeated { keys, .. } => keys.invitations(&id, &sides),
    };
    Ok(json(StatusCode::OK, &all))
}
