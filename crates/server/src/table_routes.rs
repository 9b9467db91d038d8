//! What is done at a table. The server adds when and who, fills in what can be worked out, and
//! rolls; everything else is the table's own word, so that what `table` learns to do can be done
//! here without a change.

use crate::auth::{Body, Caller, bytes, may_act, parse};
use crate::clock;
use crate::error::{ApiError, Conflict, Unreadable, written};
use crate::idempotency::{Repeat, Requester};
use crate::keys::fresh as new_ticket;
use crate::live_table::{Changed, LiveTable, Made};
use crate::pending_rolls::{self, PendingRoll};
use crate::state::Shared;
use adjutant_api::{Act, HeldRoll, PendingRollData, Roll, Rolled, StoredLine, read_request, texts};
use adjutant_dice::{EnteredInput, MixedInput, OwnLuck, RandomInput};
use adjutant_engine::Resolution;
use adjutant_game::{
    Attempt, ConsentFor, EventKind, LogLine, NewUnit, PlayError, Progress, Stamp, Table, Values,
};
use adjutant_wording::en::{self, http::NOTHING_TO_TAKE_BACK};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value as Json, json as object};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// `POST /api/games/{id}/act`
pub(crate) async fn act(
    State(app): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let hand = Caller::at(&app, &id, &headers).await?;
    let body = bytes(body)?;
    let who = Requester::Player(&hand.holder.name);
    let repeat = Repeat::of(&headers, &app.limits, who, "act", &body)?;
    let Act { after, what }: Act<Map<String, Json>> = parse(&body)?;
    if what.contains_key("join") {
        hand.must_manage().await?;
    }
    // A mark covers the lines before it. After another line no link would ever open it.
    if after.is_none() && what.values().any(|body| body.get("mark").is_some()) {
        return Err(Unreadable::MarkAfter.into());
    }
    // A remark is true whatever others did meanwhile.
    let after = after.filter(|_| !what.contains_key("note"));
    let holder = hand.holder.clone();
    let seals = what.contains_key("seal");
    let consents = what.contains_key("consent");
    let make = move |table: &Table| {
        may_act(table, &holder)?;
        let stamp = Stamp::new(clock::now(), &holder.name);
        let line = line_of(table, &stamp, &what)?;
        let answer = Some(in_json(&stored(&line)));
        Ok(Made { line: Some(line), guard: None, answer, more: () })
    };
    let answer = match hand.live.change(after, repeat, make).await? {
        Changed::Repeated(answer) => return Ok(written(StatusCode::OK, answer.into())),
        Changed::Done(made) => made.answer.unwrap_or_default(),
    };
    app.metrics.events.fetch_add(1, Relaxed);
    if seals {
        // No one keeps a token in the name of a player who rolls sealed, such as one that the
        // owner took before.
        let (name, print) = (hand.holder.name.clone(), hand.print.clone());
        let only = hand.live.with_keys(move |keys| {
            keys.keep_only(&name, &print);
            Ok(())
        });
        if let Err(wrong) = only.await {
            tracing::warn!(why = %wrong, "older tokens of a player in the sealed group are still valid");
        }
    }
    // The last consent carries the undo out. If that fails, the consent stands and the player who
    // asked can still undo.
    let agreed = |table: &Table| Ok(Made::line(table.agreed(&clock::now()), ()));
    if consents
        && hand.live.change(None, None, agreed).await.is_ok_and(|changed| changed.stored_line())
    {
        app.metrics.events.fetch_add(1, Relaxed);
    }
    Ok(written(StatusCode::OK, answer.into()))
}

/// A line that is stored, for the answer.
fn stored(line: &LogLine) -> StoredLine {
    StoredLine { n: line.n, line: line.text.clone() }
}

fn in_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The line of what a player wants done; what can be worked out is filled in.
fn line_of(table: &Table, stamp: &Stamp, what: &Map<String, Json>) -> Result<LogLine, ApiError> {
    let mut all = what.iter();
    let (Some((kind, body)), None) = (all.next(), all.next()) else {
        return Err(Unreadable::OneAct.into());
    };
    let lacks = |field: &str| body.get(field).is_none();
    let want = |body: &Json| {
        serde_json::from_value::<ConsentFor>(body.get("want").cloned().unwrap_or_default())
    };
    Ok(match kind.as_str() {
        "undo" if lacks("event") => table.undo(stamp)?,
        "redo" if lacks("event") => table.redo(stamp)?,
        "ask" if lacks("event") && body.get("want") == Some(&object!("release")) => {
            table.ask_release(stamp, body.get("who").and_then(Json::as_str).unwrap_or_default())?
        }
        "ask" if lacks("event") => table.ask(stamp, want(body).map_err(|_| Unreadable::Want)?)?,
        "consent" if lacks("ask") => match body.get("yes") {
            Some(Json::Bool(yes)) => table.consent(stamp, *yes)?,
            _ => return Err(Unreadable::Yes.into()),
        },
        "land" if lacks("plays") => table.land(stamp)?,
        "withdraw" if lacks("call") => table.withdraw(stamp)?,
        "call" if lacks("request") => call(table, stamp, body.clone())?,
        _ => table.act(stamp, filled(table, kind, body.clone())?)?,
    })
}

/// A chart called, to be rolled sealed; answers that are known beforehand may come with it.
fn call(table: &Table, stamp: &Stamp, mut body: Json) -> Result<LogLine, ApiError> {
    let unread = |fault: serde_json::Error| Unreadable::Call(fault.to_string());
    let answers =
        body.as_object_mut().and_then(|map| map.remove("answers")).unwrap_or_else(|| object!({}));
    let answers = texts(answers).map_err(unread)?;
    let request = read_request(body).map_err(unread)?;
    Ok(table.call(stamp, &request, &mut typed(&answers))?)
}

fn typed(answers: &Values) -> EnteredInput {
    answers.iter().fold(EnteredInput::new(), |typed, (key, answer)| typed.with_answer(key, answer))
}

/// An event in the words of the log, with blanks where the table writes.
fn filled(table: &Table, kind: &str, mut body: Json) -> Result<EventKind, ApiError> {
    let blank = |map: &mut Json, field: &str, value: Json| {
        if let Json::Object(map) = map {
            map.entry(field).or_insert(value);
        }
    };
    match (kind, &mut body) {
        ("add", Json::Array(units)) => {
            for unit in units.iter_mut() {
                from_template(table, unit)?;
                blank(unit, "id", object!(""));
            }
        }
        ("phase", step) => blank(step, "turn", object!(0)),
        _ => {}
    }
    let whole = Json::Object(Map::from_iter([(kind.to_owned(), body)]));
    Ok(serde_json::from_value(whole).map_err(|fault| Unreadable::Act(fault.to_string()))?)
}

/// Fills in what a template of the pack says of a unit and the player does not:
/// `{"template":"…","side":"…"}`.
fn from_template(table: &Table, unit: &mut Json) -> Result<(), ApiError> {
    let Json::Object(map) = unit else { return Ok(()) };
    let Some(template) = map.remove("template") else { return Ok(()) };
    let text = |key: &str| map.get(key).and_then(Json::as_str).unwrap_or_default();
    let Some(template) = template.as_str() else { return Err(Unreadable::Template.into()) };
    let made = NewUnit::from_template(table.pack(), template, text("name"), text("side"))?;
    if let Json::Object(made) = object!(made) {
        for (key, value) in made {
            map.entry(key).or_insert(value);
        }
    }
    Ok(())
}

/// `POST /api/games/{id}/play`
pub(crate) async fn play(
    State(app): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let hand = Caller::at(&app, &id, &headers).await?;
    let body = bytes(body)?;
    let who = Requester::Player(&hand.holder.name);
    let repeat = Repeat::of(&headers, &app.limits, who, "play", &body)?;
    let asked: Roll = parse(&body)?;
    if asked.play.is_none() && asked.ticket.is_none() && !asked.sealed {
        return Err(Unreadable::NothingToRoll.into());
    }
    if asked.back && asked.ticket.is_none() {
        return Err(Unreadable::BackWithoutTicket.into());
    }
    // Who goes on with a roll goes on from where it stopped; the table may have moved on.
    let after = asked.after.filter(|_| asked.ticket.is_none());
    let (live, holder, again) = (Arc::clone(&hand.live), hand.holder.clone(), repeat.clone());
    let make = move |table: &Table| {
        may_act(table, &holder)?;
        if asked.sealed {
            roll_sealed(table, &holder.name, &asked)
        } else {
            roll(&live, table, (&holder.name, again.as_ref()), &asked, asked.ticket.is_some())
        }
    };
    let made = match hand.live.change(after, repeat, make).await? {
        Changed::Repeated(answer) => return Ok(written(StatusCode::OK, answer.into())),
        Changed::Done(made) => *made,
    };
    app.metrics.events.fetch_add(u64::from(made.line.is_some()), Relaxed);
    let RollReply { refused, forget } = made.more;
    if let Some(seen) = forget {
        let (live, name) = (Arc::clone(&hand.live), hand.holder.name.clone());
        // If this fails, the roll is found in the log as well.
        let _ = crate::live_table::blocking(move || {
            pending_rolls::keep(&live, &name, seen, None, None)
        })
        .await;
    }
    match refused {
        Some(fits_no_more) => Err(fits_no_more),
        None => Ok(written(StatusCode::OK, made.answer.unwrap_or_default().into())),
    }
}

/// What came of a roll, besides its line and the answer.
#[derive(Default)]
struct RollReply {
    /// A roll that waited does not fit any more.
    refused: Option<ApiError>,
    /// The version of the stored roll that is to be deleted.
    forget: Option<u64>,
}

/// Rolls, or stops and stores what has come. `fresh` says that the roll which waits is read again.
/// Blocks.
fn roll(
    live: &LiveTable,
    table: &Table,
    (name, repeat): (&str, Option<&Repeat>),
    asked: &Roll,
    fresh: bool,
) -> Result<Made<RollReply>, ApiError> {
    let (waiting, seen) = pending_rolls::waiting(live, table, name, fresh)?;
    let guard = Some((pending_rolls::kept_as(name), seen));
    let mut started = match (&asked.ticket, waiting, &asked.play) {
        (Some(ticket), Some(waiting), _) if *ticket == waiting.ticket => waiting,
        (Some(_), _, _) => {
            return Err(ApiError::Conflict(Conflict::NoPendingRoll));
        }
        (None, Some(waiting), _) if waiting.attempt.is_underway() => {
            return Err(held(table, name, waiting));
        }
        (None, _, Some(request)) => {
            let mut attempt = Attempt::from(table.whole_request(name, request));
            attempt.set_own(OwnLuck {
                dice: asked.own || asked.dice.is_some(),
                cards: asked.own || asked.cards.is_some(),
            });
            PendingRoll { ticket: String::new(), after: live.last(), attempt }
        }
        (None, _, None) => return Err(Unreadable::NothingToRoll.into()),
    };
    if asked.back && started.attempt.take_back().is_none() {
        return Err(ApiError::StillPending {
            ticket: started.ticket,
            sentences: vec![NOTHING_TO_TAKE_BACK.to_owned()],
        });
    }
    if asked.ticket.is_none()
        && !asked.answers.is_empty()
        && let Ok(situation) = table.situation_for(name, started.attempt.request())
    {
        let typed = started.attempt.own() != OwnLuck::NONE;
        let answers = asked.answers.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        adjutant_query::refuse_answers(&situation, answers, typed)?;
    }
    let mut source = source(&started.attempt, asked)?;
    let stamp = Stamp::new(clock::now(), name);
    match started.attempt.roll(table, &stamp, &mut source) {
        Progress::Done { line, resolution } => {
            let answer = in_json(&Rolled::Done {
                stored: Some(stored(&line)),
                resolution: Some(resolution),
            });
            let forget = asked.ticket.is_some().then_some(seen);
            let more = RollReply { refused: None, forget };
            Ok(Made { line: Some(*line), guard, answer: Some(answer), more })
        }
        Progress::Asks(needs) => {
            started.after = live.last();
            let line = started.attempt.line_of_waiting(table, &stamp)?;
            started.ticket = match &line {
                Some(line) => PendingRoll::ticket_of(line.n),
                None => new_ticket()?,
            };
            let data = PendingRollData {
                needs,
                ticket: started.ticket.clone(),
                inputs: started.attempt.inputs().to_vec(),
                resolution: so_far(table, name, &started),
            };
            let answer = in_json(&Rolled::Pending(Box::new(data)));
            if line.is_some() {
                let forget = asked.ticket.is_some().then_some(seen);
                let more = RollReply { refused: None, forget };
                return Ok(Made { line, guard, answer: Some(answer), more });
            }
            let receipt = repeat.map(|repeat| (repeat, answer.as_str()));
            match pending_rolls::keep(live, name, seen, Some(&started), receipt)? {
                true => {}
                // What was entered on an outdated text was shown to no one.
                false if !fresh => return roll(live, table, (name, repeat), asked, true),
                false => return Err(ApiError::MovedOn { last: live.last() }),
            }
            Ok(Made { line: None, guard: None, answer: Some(answer), more: RollReply::default() })
        }
        // What was sent cannot be used, and the server has rolled: the roll waits.
        Progress::Unusable(why) => {
            let line = started.attempt.line_of_waiting(table, &stamp)?;
            let ticket = line.as_ref().map(|line| PendingRoll::ticket_of(line.n));
            let sentences = vec![en::source_error(&why)];
            let refused =
                ApiError::StillPending { ticket: ticket.unwrap_or(started.ticket), sentences };
            let more = RollReply { refused: Some(refused), forget: None };
            Ok(Made { line, guard, answer: None, more })
        }
        Progress::Refused(refusal) if asked.ticket.is_none() => Err(refusal.into()),
        // An answer that cannot be read leaves the roll waiting; only a table that has changed
        // under it ends it.
        Progress::Refused(refusal) if started.attempt.replays(table, &stamp) => {
            Err(ApiError::StillPending {
                ticket: started.ticket,
                sentences: ApiError::from(refusal).sentences(),
            })
        }
        Progress::Refused(refusal) => {
            // Else a player who dislikes the dice would change the game under the roll.
            let line = started.attempt.line_of_leaving(table, &stamp)?;
            let more = RollReply { refused: Some(refusal.into()), forget: Some(seen) };
            Ok(Made { line, guard, answer: None, more })
        }
    }
}

/// What follows when all links are shown: the play, or the call that goes on. An answer that is
/// missing is asked for; nothing need be kept, since the links give the same faces again.
fn roll_sealed(table: &Table, name: &str, asked: &Roll) -> Result<Made<RollReply>, ApiError> {
    let made = |line, answer: &Rolled| {
        let answer = Some(in_json(answer));
        Ok(Made { line, guard: None, answer, more: RollReply::default() })
    };
    match table.sealed_play(&Stamp::new(clock::now(), name), &mut typed(&asked.answers)) {
        Ok(line) => {
            let answer = Rolled::Done { stored: Some(stored(&line)), resolution: None };
            made(Some(line), &answer)
        }
        Err(PlayError::Needs { needs, .. }) => made(None, &Rolled::SealedQuestion { needs }),
        Err(stop) => Err(stop.into()),
    }
}

/// Where faces, cards and answers come from.
fn source(attempt: &Attempt, asked: &Roll) -> Result<MixedInput, ApiError> {
    let luck = RandomInput::from_system()
        .map_err(|error| ApiError::unavailable(en::source_error(&error)))?;
    let mut source = MixedInput::new(luck).with_own(attempt.own());
    if !attempt.inputs().is_empty() {
        source = source.continued();
    }
    if asked.own {
        source = source.with_own(OwnLuck::ALL);
    }
    if let Some(dice) = &asked.dice {
        source = source.with_dice(dice.iter().copied());
    }
    if let Some(cards) = &asked.cards {
        source = source.with_cards(cards.iter().copied());
    }
    Ok(asked.answers.iter().fold(source, |source, (key, answer)| source.with_answer(key, answer)))
}

/// A pending roll as far as it has come.
fn so_far(table: &Table, name: &str, pending: &PendingRoll) -> Option<Resolution> {
    table.resolution_so_far(name, pending.attempt.request(), pending.attempt.inputs())
}

/// The pending roll that must be finished first.
fn held(table: &Table, name: &str, waiting: PendingRoll) -> ApiError {
    let resolution = so_far(table, name, &waiting);
    ApiError::RollPending(Box::new(HeldRoll {
        needs: resolution.as_ref().map(|resolution| resolution.needs.clone()).unwrap_or_default(),
        inputs: waiting.attempt.inputs().to_vec(),
        resolution,
        play: waiting.attempt.request().clone(),
        ticket: waiting.ticket,
    }))
}
