//! Routes for programs: packs and charts as data, rolls, odds, fights, and the check of a pack. The
//! responses are those of the command's `--json`. Nothing is stored. Long work is done by a few
//! workers that are shared fairly (`workers`), with a limit on time and memory, and it is cancelled
//! when the client leaves. A fight that is too large to solve is simulated for a few seconds.

use crate::auth::{Body, Peer, bytes, parse, read};
use crate::error::{ApiError, Busy, Invalid, NotFound, json, written};
use crate::game_packs::WrittenPack;
use crate::live_table::blocking;
use crate::state::Shared;
use crate::workers::Deadline;
use adjutant_api::{
    ChartData, ChartQuery, CheckedPack, Fault, FightData, FightOutlook, OddsData, PackData,
    PackListing, PackTexts,
};
use adjutant_dice::{AnswerError, MixedInput, RandomInput, Text};
use adjutant_engine::{
    AnswerOdds, AnswerOddsError, FightChain, FightLimits, FightPlayer, FightSituation, FightTally,
    InputError, OddsError, OddsOptions, Outlook, PossibleQuestion, SampleRng, Situation, Stop,
    UnaskedQuestions, check_answers, find_question, resolve,
};
use adjutant_game::Values;
use adjutant_pack::{Chart, Files, Noun, Pack, UnknownName, read_cases, read_pack};
use adjutant_wording::en::{self, questions::unknown_question};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// How many fights have luck of their own in common.
const FIGHT_BLOCK: u64 = 1 << 10;
/// How often a fight is played that is too large to be weighed, if there is time.
const FIGHTS: u64 = 50_000;
/// A fight may use so many bytes to be played, however little memory is allowed: one must fit.
const LEAST_MEMORY: usize = 16 << 20;
/// How many rolls are made at most to find out whether a question can come up in a roll.
const CHECKED_ROLLS: usize = 5000;
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

/// What is wrong with a part of a query.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum QueryError {
    #[error("{}", en::input_error(.0))]
    Input(InputError),
    /// None of the charts asks the question; `title` is the chart or fight that was queried.
    #[error("{}", unknown_question(.title, .unknown))]
    Question { title: Text, unknown: UnknownName },
    #[error("{key}: {}", en::answer_error(.error))]
    Answer { key: String, error: AnswerError },
    #[error("{}", en::answer_odds_error(.0))]
    AnswerOdds(AnswerOddsError),
    #[error("{}", en::unasked(&.0.keys))]
    Unasked(UnaskedQuestions),
}

fn refused(wrong: &[QueryError]) -> ApiError {
    ApiError::Refused(wrong.iter().map(ToString::to_string).collect())
}

fn unknown_chart(error: &InputError) -> ApiError {
    ApiError::NotFound(NotFound::Chart(en::input_error(error)))
}

/// An input by name and value, and why it was refused.
type Refused<'g> = ((&'g str, &'g str), InputError);

/// Gives all inputs of the query. Returns those that are refused.
fn tell(
    given: &ChartQuery,
    mut give: impl FnMut(&str, &str) -> Result<(), InputError>,
) -> Vec<Refused<'_>> {
    given
        .given
        .iter()
        .filter_map(|(name, value)| {
            give(name, value).err().map(|error| ((name.as_str(), value.as_str()), error))
        })
        .collect()
}

/// The situation of a chart, and the inputs it refuses.
fn situation<'p, 'g>(
    pack: &'p Pack,
    given: &'g ChartQuery,
) -> Result<(Situation<'p>, Vec<Refused<'g>>), ApiError> {
    let mut situation =
        Situation::new(pack, &given.chart).map_err(|error| unknown_chart(&error))?;
    let inputs = tell(given, |name, value| situation.give(name, value));
    let mut wrong: Vec<InputError> = Vec::new();
    wrong.extend(
        given.options.iter().filter_map(|(name, value)| situation.set_option(name, value).err()),
    );
    wrong.extend(
        given.memory.iter().filter_map(|(name, value)| situation.set_memory(name, value).err()),
    );
    wrong.extend(situation.take_out(&given.gone).err());
    wrong.extend(situation.put_in_hand(&given.hand).err());
    if wrong.is_empty() {
        Ok((situation, inputs))
    } else {
        let inputs = inputs.iter().map(|(_, error)| error);
        Err(ApiError::Refused(inputs.chain(&wrong).map(en::input_error).collect()))
    }
}

/// `POST /api/roll`
pub(crate) async fn roll(State(app): State<Shared>, body: Body) -> Result<Response, ApiError> {
    let given: ChartQuery = read(body)?;
    let pack = find(&app, &given.pack)?;
    let (mut situation, inputs) = situation(&pack, &given)?;
    let mut wrong: Vec<QueryError> =
        inputs.into_iter().map(|(_, error)| QueryError::Input(error)).collect();
    let luck = match given.seed {
        Some(seed) => RandomInput::seeded(seed),
        None => RandomInput::from_system()
            .map_err(|error| ApiError::unavailable(en::source_error(&error)))?,
    };
    let mut source = MixedInput::new(luck).with_defaults();
    if let Some(dice) = &given.dice {
        source = source.with_dice(dice.iter().copied());
    }
    if let Some(cards) = &given.cards {
        source = source.with_cards(cards.iter().copied());
    }
    for (key, text) in &given.answers {
        source = source.with_answer(key, text);
    }
    if !wrong.is_empty() {
        wrong.extend(read_answers(&situation, &given.answers).err().into_iter().flatten());
        return Err(refused(&wrong));
    }
    // With typed dice and cards the run itself tells which questions come up.
    let typed = given.dice.is_some() || given.cards.is_some();
    refuse_answers(&situation, &given.answers, typed)?;
    match resolve(&mut situation, &mut source) {
        Ok(resolution) => {
            source.finish().map_err(|stop| ApiError::refused(en::source_error(&stop)))?;
            Ok(json(StatusCode::OK, &resolution))
        }
        // The same account with its needs, and why it stopped.
        Err(stopped) => {
            let sentences = match &stopped.refused {
                Some(error) => vec![en::resolve_error(error)],
                None => stopped.resolution.needs.iter().map(en::missing).collect(),
            };
            Err(ApiError::Interrupted { resolution: stopped.resolution, sentences })
        }
    }
}

/// The answers to questions that the chart may ask.
fn read_answers(
    situation: &Situation<'_>,
    answers: &Values,
) -> Result<Vec<(String, AnswerOdds)>, Vec<QueryError>> {
    let (chart, mut found, mut wrong) = (situation.chart(), Vec::new(), Vec::new());
    for (key, text) in answers {
        let read = question(situation.pack(), &chart.title, &[chart], key).and_then(|question| {
            let not_accepted = |error| QueryError::Answer { key: key.clone(), error };
            question.accepts.read(text).map_err(not_accepted)
        });
        match read {
            Ok(answer) => found.push((key.clone(), AnswerOdds::Always(answer))),
            Err(error) => wrong.push(error),
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// Refuses answers that cannot be read and, unless the dice and cards are typed, answers to
/// questions that cannot come up.
pub(crate) fn refuse_answers(
    situation: &Situation<'_>,
    answers: &Values,
    typed: bool,
) -> Result<(), ApiError> {
    let answers = read_answers(situation, answers).map_err(|wrong| refused(&wrong))?;
    if typed {
        return Ok(());
    }
    let asked = OddsOptions { answers, most: Some(CHECKED_ROLLS), ..OddsOptions::default() };
    check_answers(situation, &asked).map_err(|idle| refused(&[QueryError::Unasked(idle)]))
}

/// Has something worked out that may take long: by a worker of the client's share, with a time
/// limit. If the client leaves, this future is dropped and the work is told to stop.
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
    let patience = app.limits.work;
    let worker = app.workers.take(client, patience).await?;
    let (deadline, _waits) = Deadline::new(Instant::now() + patience);
    // The worker keeps its place until it is done, also when no one waits for it any more.
    let counted = Arc::clone(app);
    let done = blocking(move || {
        let _worker = worker;
        let found = work(&deadline);
        if deadline.client_left() {
            counted.metrics.cancelled.fetch_add(1, Relaxed);
        }
        found
    });
    let late = || ApiError::Invalid(Invalid::TooMuchWork);
    tokio::time::timeout(patience + Duration::from_secs(1), done).await.map_err(|_| late())?
}

/// The question of this key that one of the charts may ask.
fn question(
    pack: &Pack,
    title: &str,
    charts: &[&Chart],
    key: &str,
) -> Result<PossibleQuestion, QueryError> {
    find_question(pack, charts, key)
        .map_err(|unknown| QueryError::Question { title: title.into(), unknown })
}

/// How questions are answered: an answer, or a chance for it.
fn answers(
    pack: &Pack,
    title: &str,
    charts: &[&Chart],
    given: &ChartQuery,
) -> Result<Vec<(String, adjutant_engine::AnswerOdds)>, Vec<QueryError>> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (key, text) in &given.answers {
        let answer = question(pack, title, charts, key).and_then(|question| {
            let odds = AnswerOdds::read(&question.accepts, text);
            Ok((question.key, odds.map_err(QueryError::AnswerOdds)?))
        });
        match answer {
            Ok(answer) => found.push(answer),
            Err(error) => wrong.push(error),
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
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
        && let (situation, inputs) = situation(&pack, &given)?
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

fn stop_at(deadline: &Deadline) -> Stop {
    let deadline = deadline.clone();
    Stop::when(move || deadline.is_over())
}

/// The chances of a chart, written.
fn weigh_chart(pack: &Pack, given: &ChartQuery, deadline: &Deadline) -> Result<Vec<u8>, ApiError> {
    let (situation, inputs) = situation(pack, given)?;
    let mut asked =
        OddsOptions { follow: given.follow, stop: stop_at(deadline), ..OddsOptions::default() };
    let later =
        |name: &str| given.follow && pack.charts().iter().any(|chart| chart.input(name).is_some());
    let mut wrong: Vec<QueryError> = inputs
        .into_iter()
        .filter(|((name, _), _)| !later(name))
        .map(|(_, error)| QueryError::Input(error))
        .collect();
    let mut reached = vec![situation.chart()];
    if given.follow {
        asked.later =
            given.given.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        reached.extend(pack.charts());
    }
    match answers(pack, &situation.chart().title, &reached, given) {
        Ok(found) => asked.answers = found,
        Err(more) => wrong.extend(more),
    }
    if !wrong.is_empty() {
        return Err(refused(&wrong));
    }
    check_answers(&situation, &asked).map_err(|idle| refused(&[QueryError::Unasked(idle)]))?;
    let report = adjutant_engine::odds(&situation, &asked)?;
    Ok(serde_json::to_vec(&OddsData::new(&situation, &report)).unwrap_or_default())
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

fn weigh_fight(
    pack: &Pack,
    given: &ChartQuery,
    deadline: &Deadline,
    memory: usize,
) -> Result<Vec<u8>, ApiError> {
    let mut situation =
        FightSituation::new(pack, &given.fight).map_err(|error| unknown_chart(&error))?;
    let mut wrong: Vec<QueryError> = tell(given, |name, value| situation.give(name, value))
        .into_iter()
        .map(|(_, error)| QueryError::Input(error))
        .collect();
    for (name, value) in &given.options {
        wrong.extend(situation.set_option(name, value).err().map(QueryError::Input));
    }
    for (name, value) in &given.memory {
        wrong.extend(situation.set_memory(name, value).err().map(QueryError::Input));
    }
    match answers(pack, &situation.fight().title, &situation.fight().charts(pack), given) {
        Ok(found) => situation.asked.answers = found,
        Err(more) => wrong.extend(more),
    }
    if !wrong.is_empty() {
        return Err(refused(&wrong));
    }
    situation.check_answers().map_err(|idle| refused(&[QueryError::Unasked(idle)]))?;
    let outlook = fight_outlook(&mut situation, given.seed.unwrap_or(1), deadline, memory)?;
    Ok(serde_json::to_vec(&FightOutlook::new(&situation, &outlook)).unwrap_or_default())
}

/// Weighs a fight for half of the time. A fight that is too large is played for the rest.
fn fight_outlook(
    situation: &mut FightSituation<'_>,
    seed: u64,
    deadline: &Deadline,
    memory: usize,
) -> Result<Outlook, ApiError> {
    let now = Instant::now();
    let half = deadline.by(now + deadline.until.saturating_duration_since(now) / 2);
    let units: u32 = situation.fight().sides.ids().map(|side| situation.count(side)).sum();
    situation.asked.stop = stop_at(&half);
    let weighed = (units <= MOST_UNITS).then(|| weigh(situation, &half, memory));
    match weighed {
        Some(Ok((odds, standings))) => Ok(Outlook::weighed(odds, standings)),
        None | Some(Err(OddsError::TooLarge(_) | OddsError::OverLimit(_))) => {
            situation.asked.stop = stop_at(deadline);
            let tally = play(situation, seed, deadline, memory)?;
            Ok(Outlook::played(situation, &tally, seed))
        }
        Some(Err(stop)) => Err(stop.into()),
    }
}

fn weigh(
    situation: &FightSituation<'_>,
    deadline: &Deadline,
    memory: usize,
) -> Result<(adjutant_engine::FightOdds, usize), OddsError> {
    let stop = || deadline.is_over();
    let limits = FightLimits { memory, stop: &stop, ..FightLimits::default() };
    let chain = FightChain::limited(situation, &limits)?;
    Ok((chain.solve_within(&limits)?, chain.standings()))
}

/// Plays a fight as often as there is time for.
fn play(
    situation: &FightSituation<'_>,
    seed: u64,
    deadline: &Deadline,
    memory: usize,
) -> Result<FightTally, OddsError> {
    let stop = || deadline.is_over();
    let memory = memory.max(LEAST_MEMORY);
    let limits = FightLimits { memory, stop: &stop, ..FightLimits::default() };
    let mut tally = FightTally::default();
    match play_all(situation, seed, &limits, &mut tally) {
        // What was played in time counts.
        Err(OddsError::OverLimit(_)) if tally.fights > 0 => Ok(tally),
        done => done.map(|()| tally),
    }
}

fn play_all(
    situation: &FightSituation<'_>,
    seed: u64,
    limits: &FightLimits<'_>,
    tally: &mut FightTally,
) -> Result<(), OddsError> {
    let mut player = FightPlayer::limited(situation, limits)?;
    for block in 0..FIGHTS.div_ceil(FIGHT_BLOCK) {
        player.afresh_within(limits)?;
        let mut luck = SampleRng::of_block(seed, block);
        for _ in 0..FIGHT_BLOCK {
            tally.note(player.play_within(&mut luck, limits)?);
        }
    }
    Ok(())
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
    let found =
        work(&app, peer, &headers, 5.0, move |_| Ok(check_files(&Files::of(files)))).await?;
    Ok(written(StatusCode::OK, found.into()))
}

/// What is wrong with a pack and its cases, written.
fn check_files(files: &Files) -> Vec<u8> {
    let read = read_pack(files, None);
    let mut faults = read.as_ref().err().cloned().unwrap_or_default();
    if files.text("cases.toml").is_some() {
        faults.extend(read_cases(files).err().unwrap_or_default());
    }
    let checked = CheckedPack {
        sound: faults.is_empty(),
        faults: faults.iter().map(|fault| Fault::new(files, fault)).collect(),
        pack: read.as_ref().ok().map(PackData::new),
    };
    serde_json::to_vec(&checked).unwrap_or_default()
}
