//! Routes for programs: packs and charts as data, rolls, odds, fights, and the check of a pack. The
//! responses are those of the command's `--json`. Nothing is stored. Long work is done by a few
//! workers that are shared fairly (`workers`), with a limit on time and memory, and it is cancelled
//! when the client leaves. A fight that is too large to solve is simulated for a few seconds.

use crate::auth::{Body, Peer, bytes, parse, read};
use crate::error::{ApiError, Busy, Invalid, NotFound, json, written};
use crate::game_packs::WrittenPack;
use crate::live_table::blocking;
use crate::state::Shared;
use crate::workers::{self, Deadline};
use adjutant_api::{
    ChartData, ChartQuery, FightData, FightOutlook, OddsData, PackData, PackListing, PackTexts,
};
use adjutant_dice::RandomInput;
use adjutant_engine::Stop;
use adjutant_pack::{Files, Noun, Pack, UnknownName};
use adjutant_query::{
    Clock, FightBudget, InvalidInput, Luck, PlayTime, QueryError, Work, check_json,
};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;

/// How often a fight is played that is too large to be weighed, if there is time.
const FIGHTS: u64 = 50_000;
/// Units on all sides together, above which a fight is not weighed here.
const MOST_UNITS: u32 = 24;

/// A pack by its id, or the sentence that there is none.
pub(crate) fn find(app: &Shared, id: &str) -> Result<Arc<Pack>, ApiError> {
    app.hall.pack(id).cloned().ok_or_else(|| {
        ApiError::NotFound(NotFound::Name(UnknownName::new(Noun::Pack, id, app.hall.pack_ids())))
    })
}

/// What does not change while the server runs may be kept for a while.
fn lasting(value: &impl Serialize) -> Response {
    let mut response = json(StatusCode::OK, value);
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, axum::http::HeaderValue::from_static("no-cache"));
    response
}

/// `GET /api/packs`
pub(crate) async fn packs(State(app): State<Shared>) -> Response {
    let listed = app.hall.packs.iter().map(|served| PackListing {
        from: served.source.as_deref(),
        bundle: served.bundle.as_ref().map(WrittenPack::sum),
        supplied: served.supplied.then_some(true),
        ..PackListing::new(&served.pack)
    });
    lasting(&listed.collect::<Vec<_>>())
}

/// `GET /api/bundles/{sum}`. Its address is the checksum of its bytes, so it never changes.
pub(crate) async fn bundle(
    State(app): State<Shared>,
    Path(sum): Path<String>,
) -> Result<Response, ApiError> {
    let found = blocking(move || Ok(app.hall.bundle(&sum)?)).await?;
    let text = found.ok_or(ApiError::NotFound(NotFound::Bundle))?;
    let mut response = written(StatusCode::OK, text.into_bytes().into());
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        axum::http::HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    Ok(response)
}

/// `GET /api/packs/{pack}`
pub(crate) async fn pack(
    State(app): State<Shared>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    Ok(lasting(&PackData::new(&*find(&app, &id)?)))
}

/// `GET /api/packs/{pack}/charts/{chart}`: a chart, or a fight.
pub(crate) async fn chart(
    State(app): State<Shared>,
    Path((id, chart)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let pack = find(&app, &id)?;
    match (pack.chart(&chart), pack.fight(&chart)) {
        (Some(found), _) => Ok(lasting(&ChartData::new(&pack, found))),
        (None, Some(found)) => Ok(lasting(&FightData::new(&pack, found))),
        (None, None) => {
            let known = pack
                .charts()
                .iter()
                .map(|chart| chart.id.as_str())
                .chain(pack.fights().iter().map(|fight| fight.id.as_str()));
            Err(ApiError::NotFound(NotFound::Name(UnknownName::new(
                Noun::ChartOrFight,
                &chart,
                known,
            ))))
        }
    }
}

/// `POST /api/roll`
pub(crate) async fn roll(State(app): State<Shared>, body: Body) -> Result<Response, ApiError> {
    let given: ChartQuery = read(body)?;
    let pack = find(&app, &given.pack)?;
    Ok(json(StatusCode::OK, &adjutant_query::roll(&pack, &given, &unhurried())?))
}

/// Work that is done at once, so that no one has to stop it.
fn unhurried() -> Work {
    work_until(Stop::default())
}

fn work_until(stop: Stop) -> Work {
    let start = Instant::now();
    let clock = Clock::new(move || start.elapsed());
    Work::new(stop, clock, Luck::new(RandomInput::from_system))
}

/// Has something worked out that may take long, unless the client has asked for too much of that.
async fn work<T: Send + 'static>(
    app: &Shared,
    peer: Peer,
    headers: &HeaderMap,
    cost: f64,
    work: impl FnOnce(&Deadline) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let client = app.client(peer, headers);
    if !app.spared(peer) && !app.rates.take(&client, cost) {
        return Err(ApiError::Busy(Busy::Odds));
    }
    workers::work(app, client, work).await
}

/// `POST /api/odds`
pub(crate) async fn odds(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let question = bytes(body)?;
    if let Some(told) = app.asked.answer(&question) {
        return Ok(written(StatusCode::OK, told));
    }
    let given: ChartQuery = parse(&question)?;
    let pack = find(&app, &given.pack)?;
    let answered = |told: Vec<u8>| {
        let told = told.into();
        app.asked.remember(&question, &told);
        written(StatusCode::OK, told)
    };
    // Most charts are a few rolls and bands, and counted in microseconds: no worker is needed for
    // those.
    if !given.follow
        && let (situation, inputs) = adjutant_query::situation(&pack, &given)?
        && inputs.is_empty()
        && given.answers.is_empty()
        && let Some(report) = adjutant_engine::odds_at_once(&situation)
    {
        return Ok(answered(
            serde_json::to_vec(&OddsData::new(&situation, &report)).unwrap_or_default(),
        ));
    }
    let told =
        work(&app, peer, &headers, 2.0, move |deadline| weigh_chart(&pack, &given, deadline))
            .await?;
    Ok(answered(told))
}

pub(crate) fn stop_at(deadline: &Deadline) -> Stop {
    let deadline = deadline.clone();
    Stop::when(move || deadline.is_over())
}

/// The chances of a chart, written.
fn weigh_chart(pack: &Pack, given: &ChartQuery, deadline: &Deadline) -> Result<Vec<u8>, ApiError> {
    let odds = adjutant_query::odds(pack, given, stop_at(deadline))?;
    Ok(serde_json::to_vec(&odds.data()).unwrap_or_default())
}

/// `POST /api/fight`
pub(crate) async fn fight(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let given: ChartQuery = read(body)?;
    let pack = find(&app, &given.pack)?;
    let memory = app.limits.work_memory;
    let told = work(&app, peer, &headers, 10.0, move |deadline| {
        weigh_fight(&pack, &given, deadline, memory)
    })
    .await?;
    Ok(written(StatusCode::OK, told.into()))
}

/// Computes a fight for half of the time. A fight that is too large is simulated for the rest.
fn weigh_fight(
    pack: &Pack,
    given: &ChartQuery,
    deadline: &Deadline,
    memory: usize,
) -> Result<Vec<u8>, ApiError> {
    let mut situation = adjutant_query::fight_situation(pack, given)?;
    situation
        .check_answers()
        .map_err(|idle| QueryError::Invalid(vec![InvalidInput::Unasked(idle)]))?;
    let now = Instant::now();
    let half = deadline.by(now + deadline.until.saturating_duration_since(now) / 2);
    let budget = FightBudget {
        exact: stop_at(&half),
        play: PlayTime::Until(stop_at(deadline)),
        memory,
        fights: FIGHTS,
        most_units: MOST_UNITS,
    };
    let work = work_until(stop_at(deadline));
    let seed = given.seed.unwrap_or(1);
    let outlook = adjutant_query::outlook(&mut situation, seed, &budget, &work)?;
    Ok(serde_json::to_vec(&FightOutlook::new(&situation, &outlook)).unwrap_or_default())
}

/// `POST /api/check`
pub(crate) async fn check(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let PackTexts { text, mut files } = read(body)?;
    if let Some(text) = text {
        files.insert("pack.toml".into(), text);
    }
    if files.len() > adjutant_pack::MOST_FILES {
        return Err(ApiError::Invalid(Invalid::ManyFiles { most: adjutant_pack::MOST_FILES }));
    }
    let found = work(&app, peer, &headers, 5.0, move |_| Ok(check_json(&Files::of(files)))).await?;
    Ok(written(StatusCode::OK, found.into_bytes().into()))
}
