//! What is done at a table. The server adds when and who, fills in what can be worked out, and
//! rolls; everything else is the table's own word, so that what `table` learns to do can be done
//! here without a change.

use crate::auth::{Body, Caller, may_act, read};
use crate::clock;
use crate::error::{ApiError, Conflict, Unreadable, json};
use crate::keys::fresh;
use crate::live_table::LiveTable;
use crate::pending_rolls::{self, PendingRoll};
use crate::state::Shared;
use adjutant_api::{Act, HeldRoll, PendingRollData, Roll, Rolled, StoredLine, read_request, texts};
use adjutant_dice::{EnteredInput, MixedInput, RandomInput, RecordedInput, ThrownBy};
use adjutant_engine::Resolution;
use adjutant_game::{ConsentFor, EventKind, LogLine, NewUnit, PlayError, Stamp, Table, Values};
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
    let Act { after, what }: Act<Map<String, Json>> = read(body)?;
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
        Ok((Some(line_of(table, &stamp, &what)?), ()))
    };
    let (line, ()) = hand.live.change(after, make).await?;
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
    if consents
        && let Ok((Some(_), ())) =
            hand.live.change(None, |table| Ok((table.agreed(&clock::now()), ()))).await
    {
        app.metrics.events.fetch_add(1, Relaxed);
    }
    Ok(json(StatusCode::OK, &stored(&app, line)))
}

/// A line that was stored, for the answer.
fn stored(app: &Shared, line: Option<LogLine>) -> Option<StoredLine> {
    app.metrics.events.fetch_add(u64::from(line.is_some()), Relaxed);
    line.map(|line| StoredLine { n: line.n, line: line.text })
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
    let asked: Roll = read(body)?;
    if asked.play.is_none() && asked.ticket.is_none() && !asked.sealed {
        return Err(Unreadable::NothingToRoll.into());
    }
    if asked.back && asked.ticket.is_none() {
        return Err(Unreadable::BackWithoutTicket.into());
    }
    // Who goes on with a roll goes on from where it stopped; the table may have moved on.
    let after = asked.after.filter(|_| asked.ticket.is_none());
    let (live, holder) = (Arc::clone(&hand.live), hand.holder.clone());
    let make = move |table: &Table| {
        may_act(table, &holder)?;
        if asked.sealed {
            roll_sealed(table, &holder.name, &asked)
        } else {
            roll(&live, table, &holder.name, &asked)
        }
    };
    let (line, (more, forget)) = hand.live.change(after, make).await?;
    if let Some(seen) = forget {
        let (live, name) = (Arc::clone(&hand.live), hand.holder.name.clone());
        // Who finds it kept nevertheless finds it in the log as well.
        let _ = crate::live_table::blocking(move || pending_rolls::keep(&live, &name, seen, None))
            .await;
    }
    match more {
        Ok(RollReply::Done(resolution)) => {
            Ok(json(StatusCode::OK, &Rolled::Done { stored: stored(&app, line), resolution }))
        }
        Ok(RollReply::Stopped(pending)) => Ok(json(StatusCode::OK, &pending)),
        Err(fits_no_more) => {
            app.metrics.events.fetch_add(u64::from(line.is_some()), Relaxed);
            Err(fits_no_more)
        }
    }
}

/// What is to be forgotten of a roll that waited: the version of what is kept.
type Forget = Option<u64>;
/// The line, if there is one; the rest of the answer, or that a roll which waited fits no more;
/// and what is to be forgotten.
type RollOutcome = (Option<LogLine>, (Result<RollReply, ApiError>, Forget));

/// What came of a roll, besides its line.
enum RollReply {
    Done(Option<Box<Resolution>>),
    Stopped(Rolled),
}

/// Rolls, or stops and keeps what has come. Blocks.
fn roll(
    live: &LiveTable,
    table: &Table,
    name: &str,
    asked: &Roll,
) -> Result<RollOutcome, ApiError> {
    let (waiting, seen) = pending_rolls::waiting(live, table, name)?;
    let mut started = match (&asked.ticket, waiting, &asked.play) {
        (Some(ticket), Some(waiting), _) if *ticket == waiting.ticket => waiting,
        (Some(_), _, _) => {
            return Err(ApiError::Conflict(Conflict::NoPendingRoll));
        }
        (None, Some(waiting), _) if waiting.has_luck() => return Err(held(table, name, waiting)),
        (None, _, Some(request)) => {
            let (own_dice, own_cards) =
                (asked.own || asked.dice.is_some(), asked.own || asked.cards.is_some());
            PendingRoll {
                ticket: String::new(),
                after: live.last(),
                request: request.clone(),
                inputs: Vec::new(),
                own_dice,
                own_cards,
            }
        }
        (None, _, None) => return Err(Unreadable::NothingToRoll.into()),
    };
    if asked.back && !started.take_back() {
        return Err(ApiError::StillPending {
            ticket: started.ticket,
            sentences: vec![NOTHING_TO_TAKE_BACK.to_owned()],
        });
    }
    let mut source = source(&started, asked)?;
    let stamp = Stamp::new(clock::now(), name);
    match table.continue_play(&stamp, &started.request, &started.inputs, &mut source) {
        Ok((line, resolution)) => {
            source.finish().map_err(|stop| ApiError::refused(en::source_error(&stop)))?;
            Ok((
                Some(line),
                (
                    Ok(RollReply::Done(Some(Box::new(resolution)))),
                    asked.ticket.is_some().then_some(seen),
                ),
            ))
        }
        Err(PlayError::Needs { needs, inputs }) => {
            let next = PendingRoll { ticket: fresh()?, after: live.last(), inputs, ..started };
            pending_rolls::keep(live, name, seen, Some(&next))?;
            let resolution = so_far(table, name, &next);
            let pending =
                PendingRollData { needs, ticket: next.ticket, inputs: next.inputs, resolution };
            Ok((None, (Ok(RollReply::Stopped(Rolled::Pending(Box::new(pending)))), None)))
        }
        Err(stop) => {
            // An answer that cannot be read leaves the roll waiting; only a table that has changed
            // under it ends it.
            let again = || {
                table.continue_play(
                    &stamp,
                    &started.request,
                    &started.inputs,
                    &mut EnteredInput::new(),
                )
            };
            let waits = || matches!(again(), Err(PlayError::Needs { .. }));
            if asked.ticket.is_none() {
                return Err(stop.into());
            }
            if waits() {
                return Err(ApiError::StillPending {
                    ticket: started.ticket,
                    sentences: ApiError::from(stop).sentences(),
                });
            }
            Ok((broken_off(table, &stamp, &started)?, (Err(stop.into()), Some(seen))))
        }
    }
}

/// What had come of a roll that fits no more is remarked in the log: else a player who dislikes it
/// would change the game under it.
fn broken_off(
    table: &Table,
    stamp: &Stamp,
    started: &PendingRoll,
) -> Result<Option<LogLine>, ApiError> {
    let inputs: Vec<String> = started.inputs.iter().filter_map(in_words).collect();
    if inputs.is_empty() {
        return Ok(None);
    }
    let due = started
        .request
        .pending
        .as_ref()
        .and_then(|id| table.pending().find(|known| known.due.id == *id));
    let chart = due.map_or(started.request.chart.as_str(), |known| known.due.chart.as_str());
    let title = table.pack().chart(chart).map_or("A roll", |chart| chart.title.as_str());
    let text = format!("{title} was broken off after this had come: {}", inputs.join(", "));
    Ok(Some(table.act(stamp, EventKind::Note { text: text.chars().take(400).collect() })?))
}

/// Dice and cards in words.
fn in_words(input: &RecordedInput) -> Option<String> {
    let source = if input.by() == ThrownBy::Player { " (real)" } else { "" };
    match input {
        RecordedInput::Dice { faces, .. } => Some(format!(
            "dice {}{source}",
            faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
        )),
        RecordedInput::Card { card, .. } => Some(format!("card {card}{source}")),
        RecordedInput::Answer { .. } => None,
    }
}

/// What follows when all links are shown: the play, or the call that goes on. An answer that is
/// missing is asked for; nothing need be kept, since the links give the same faces again.
fn roll_sealed(table: &Table, name: &str, asked: &Roll) -> Result<RollOutcome, ApiError> {
    match table.sealed_play(&Stamp::new(clock::now(), name), &mut typed(&asked.answers)) {
        Ok(line) => Ok((Some(line), (Ok(RollReply::Done(None)), None))),
        Err(PlayError::Needs { needs, .. }) => {
            Ok((None, (Ok(RollReply::Stopped(Rolled::SealedQuestion { needs })), None)))
        }
        Err(stop) => Err(stop.into()),
    }
}

/// Where faces, cards and answers come from.
fn source(started: &PendingRoll, asked: &Roll) -> Result<MixedInput, ApiError> {
    let luck = RandomInput::from_system()
        .map_err(|error| ApiError::unavailable(en::source_error(&error)))?;
    let mut source = MixedInput::new(luck);
    if started.own_dice || asked.own || asked.dice.is_some() {
        source = source.with_dice(asked.dice.iter().flatten().copied());
    }
    if started.own_cards || asked.own || asked.cards.is_some() {
        source = source.with_cards(asked.cards.iter().flatten().copied());
    }
    Ok(asked.answers.iter().fold(source, |source, (key, answer)| source.with_answer(key, answer)))
}

/// A pending roll as far as it has come.
fn so_far(table: &Table, name: &str, pending: &PendingRoll) -> Option<Resolution> {
    table.resolution_so_far(name, &pending.request, &pending.inputs)
}

/// The pending roll that must be finished first.
fn held(table: &Table, name: &str, waiting: PendingRoll) -> ApiError {
    let resolution = so_far(table, name, &waiting);
    ApiError::RollPending(Box::new(HeldRoll {
        ticket: waiting.ticket,
        needs: resolution.as_ref().map(|resolution| resolution.needs.clone()).unwrap_or_default(),
        inputs: waiting.inputs,
        resolution,
        play: waiting.request,
    }))
}
