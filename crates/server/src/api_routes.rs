//! Routes for programs: packs and charts as data, rolls, odds, fights, and the check of a pack. The
//! responses are those of the command's `--json`. Nothing is stored. Long work is done by as many
//! workers as there are cores, with a time limit, so that strangers cannot use up the machine. A
//! fight that is too large to solve is simulated for a few seconds.

use crate::answer::{self, Outlook, charts_of, question};
use crate::auth::{Body, Peer, bytes, parse, read};
use crate::error::{ApiError, json, written};
use crate::live_table::blocking;
use crate::pending_rolls::texts;
use crate::state::Shared;
use adjutant_dice::{MixedInput, RandomInput};
use adjutant_engine::{
    AnswerOdds, FightChain, FightPlayer, FightSituation, FightTally, InputError, OddsError, OddsOptions, SampleRng, Situation, resolve,
};
use adjutant_game::Values;
use adjutant_pack::{Chart, Files, Noun, Pack, UnknownName, read_cases, read_pack};
use adjutant_wording::en::unknown_name::{did_you_mean, unknown_name};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value as Json, json as object};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many fights have luck of their own in common.
const FIGHT_BLOCK: u64 = 1 << 10;
/// How often a fight is played that is too large to be weighed, if there is time.
const FIGHTS: u64 = 50_000;
/// Units on all sides together, above which a fight is not weighed here.
const MOST_UNITS: u32 = 24;

/// A pack by its id, or the sentence that there is none.
pub(crate) fn find(app: &Shared, id: &str) -> Result<Arc<Pack>, ApiError> {
    app.hall.pack(id).cloned().ok_or_else(|| {
        let ids = app.hall.packs.iter().map(|pack| pack.id().as_str());
        ApiError::new(StatusCode::NOT_FOUND, unknown(Noun::Pack, id, ids))
    })
}

fn unknown<'a>(noun: Noun, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let unknown = UnknownName::new(noun, name, known);
    let help = did_you_mean(&unknown, |known| format!("there are {}", known.join(", ")));
    format!("{}: {help}", unknown_name(&unknown))
}

/// What does not change while the server runs may be kept for a while.
fn lasting(value: &Json) -> Response {
    let mut response = json(StatusCode::OK, value);
    response.headers_mut().insert(header::CACHE_CONTROL, axum::http::HeaderValue::from_static("no-cache"));
    response
}

/// `GET /api/packs`
pub(crate) async fn packs(State(app): State<Shared>) -> Response {
    let one = |pack: &Arc<Pack>| object!({ "id": pack.id(), "title": pack.title(), "charts": pack.charts().len(), "version": pack.version(), "hash": pack.hash() });
    lasting(&Json::Array(app.hall.packs.iter().map(one).collect()))
}

/// `GET /api/packs/{pack}`
pub(crate) async fn pack(State(app): State<Shared>, Path(id): Path<String>) -> Result<Response, ApiError> {
    Ok(lasting(&answer::pack(&*find(&app, &id)?)))
}

/// `GET /api/packs/{pack}/charts/{chart}`: a chart, or a fight.
pub(crate) async fn chart(State(app): State<Shared>, Path((id, chart)): Path<(String, String)>) -> Result<Response, ApiError> {
    let pack = find(&app, &id)?;
    match (pack.chart(&chart), pack.fight(&chart)) {
        (Some(found), _) => Ok(lasting(&answer::chart(&pack, found))),
        (None, Some(found)) => Ok(lasting(&answer::fight(&pack, found))),
        (None, None) => {
            let known = pack.charts().iter().map(|chart| chart.id.as_str()).chain(pack.fights().iter().map(|fight| fight.id.as_str()));
            Err(ApiError::new(StatusCode::NOT_FOUND, unknown(Noun::ChartOrFight, &chart, known)))
        }
    }
}

/// What is known of a chart or a fight.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChartQuery {
    pack: String,
    #[serde(default)]
    chart: String,
    #[serde(default)]
    fight: String,
    #[serde(default, deserialize_with = "texts")]
    given: Values,
    #[serde(default, deserialize_with = "texts")]
    options: Values,
    #[serde(default, deserialize_with = "texts")]
    memory: Values,
    #[serde(default, deserialize_with = "texts")]
    answers: Values,
    /// Cards that are gone from the deck already.
    #[serde(default)]
    gone: Vec<u32>,
    #[serde(default)]
    dice: Option<Vec<u32>>,
    #[serde(default)]
    cards: Option<Vec<u32>>,
    #[serde(default)]
    seed: Option<u64>,
    /// Down the chain of charts to the last results.
    #[serde(default)]
    follow: bool,
}

/// What all sentences on wrong inputs make.
fn refused(sentences: Vec<String>) -> ApiError {
    ApiError::all(StatusCode::UNPROCESSABLE_ENTITY, sentences)
}

/// An input that was refused, and why.
type Refused<'g> = ((&'g str, &'g str), String);

/// Tells all that is given; what is refused, by name, with every sentence on what is wrong.
fn tell(given: &ChartQuery, mut give: impl FnMut(&str, &str) -> Result<(), InputError>) -> Vec<Refused<'_>> {
    given
        .given
        .iter()
        .filter_map(|(name, value)| give(name, value).err().map(|refusal| ((name.as_str(), value.as_str()), refusal.to_string())))
        .collect()
}

/// The situation of a chart, and the inputs it refuses.
fn situation<'p, 'g>(pack: &'p Pack, given: &'g ChartQuery) -> Result<(Situation<'p>, Vec<Refused<'g>>), ApiError> {
    let mut situation = Situation::new(pack, &given.chart).map_err(|refusal| ApiError::new(StatusCode::NOT_FOUND, refusal.to_string()))?;
    let inputs = tell(given, |name, value| situation.give(name, value));
    let mut wrong: Vec<String> = Vec::new();
    wrong.extend(
        given.options.iter().filter_map(|(name, value)| situation.set_option(name, value).err()).map(|refusal| refusal.to_string()),
    );
    wrong
        .extend(given.memory.iter().filter_map(|(name, value)| situation.set_memory(name, value).err()).map(|refusal| refusal.to_string()));
    wrong.extend(situation.take_out(&given.gone).err().map(|refusal| refusal.to_string()));
    if wrong.is_empty() { Ok((situation, inputs)) } else { Err(refused(inputs.into_iter().map(|(_, why)| why).chain(wrong).collect())) }
}

/// `POST /api/roll`
pub(crate) async fn roll(State(app): State<Shared>, body: Body) -> Result<Response, ApiError> {
    let given: ChartQuery = read(body)?;
    let pack = find(&app, &given.pack)?;
    let (mut situation, inputs) = situation(&pack, &given)?;
    let mut wrong: Vec<String> = inputs.into_iter().map(|(_, why)| why).collect();
    let luck = match given.seed {
        Some(seed) => RandomInput::seeded(seed),
        None => RandomInput::from_system().map_err(|stop| ApiError::ours(&stop.to_string()))?,
    };
    let mut seam = MixedInput::new(luck);
    if let Some(dice) = &given.dice {
        seam = seam.with_dice(dice.iter().copied());
    }
    if let Some(cards) = &given.cards {
        seam = seam.with_cards(cards.iter().copied());
    }
    for (key, text) in &given.answers {
        let asked = question(&pack, &situation.chart().title, &[situation.chart()], key)
            .and_then(|question| question.accepts.read(text).map_err(|why| format!("{key}: {why}")));
        wrong.extend(asked.err());
        seam = seam.with_answer(key, text);
    }
    if !wrong.is_empty() {
        return Err(refused(wrong));
    }
    match resolve(&mut situation, &mut seam) {
        Ok(account) => {
            seam.finish().map_err(|stop| ApiError::refused(stop.to_string()))?;
            Ok(json(StatusCode::OK, &account))
        }
        // The same account with its needs, and why it stopped.
        Err(stopped) => {
            let sentences = match &stopped.refused {
                Some(error) => vec![error.to_string()],
                None => stopped.account.needs.iter().map(ToString::to_string).collect(),
            };
            Err(refused(sentences).with("account", object!(stopped.account)).with("needs", object!(stopped.account.needs)))
        }
    }
}

/// Has something worked out that may take long: by a few workers, and not for ever.
async fn work<T: Send + 'static>(
    app: &Shared,
    peer: Peer,
    headers: &HeaderMap,
    cost: f64,
    work: impl FnOnce(Instant) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    if !app.spared(peer) && !app.rates.take(&app.client(peer, headers), cost) {
        return Err(ApiError::busy("too many chances asked for: wait a moment"));
    }
    let patience = app.limits.work;
    let busy = || ApiError::busy("the server is busy with other chances: try again in a moment");
    let permit = tokio::time::timeout(patience, Arc::clone(&app.workers).acquire_owned()).await.map_err(|_| busy())?.map_err(|_| busy())?;
    let until = Instant::now() + patience;
    // The worker keeps its place until it is done, also when nobody waits for it any more.
    let done = blocking(move || {
        let _permit = permit;
        work(until)
    });
    let late = || ApiError::refused("this takes too long here: ask for less, or use the command on your own machine");
    tokio::time::timeout(patience + Duration::from_secs(1), done).await.map_err(|_| late())?
}

fn no_odds(stop: OddsError) -> ApiError {
    match stop {
        OddsError::Needs(needs) => refused(needs.iter().map(ToString::to_string).collect()).with("needs", object!(needs)),
        other => ApiError::refused(other.to_string()),
    }
}

/// How questions are answered: an answer, or a chance for it.
fn answers(
    pack: &Pack,
    title: &str,
    charts: &[&Chart],
    given: &ChartQuery,
) -> Result<Vec<(String, adjutant_engine::AnswerOdds)>, Vec<String>> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (key, text) in &given.answers {
        match question(pack, title, charts, key)
            .and_then(|question| Ok((question.key, AnswerOdds::read(&question.accepts, text).map_err(|why| why.to_string())?)))
        {
            Ok(answer) => found.push(answer),
            Err(why) => wrong.push(why),
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
    // Most charts are a few throws and bands, and counted in microseconds: no worker is needed for those.
    if !given.follow
        && let (situation, inputs) = situation(&pack, &given)?
        && inputs.is_empty()
        && given.answers.is_empty()
        && let Some(report) = adjutant_engine::odds_at_once(&situation)
    {
        return Ok(answered(serde_json::to_vec(&answer::report(&pack, &situation, &report)).unwrap_or_default()));
    }
    let told = work(&app, peer, &headers, 2.0, move |_| weigh_chart(&pack, &given)).await?;
    Ok(answered(told))
}

/// The chances of a chart, written.
fn weigh_chart(pack: &Pack, given: &ChartQuery) -> Result<Vec<u8>, ApiError> {
    let (situation, inputs) = situation(pack, given)?;
    let mut asked = OddsOptions { follow: given.follow, ..OddsOptions::default() };
    let later = |name: &str| given.follow && pack.charts().iter().any(|chart| chart.input(name).is_some());
    let mut wrong: Vec<String> = inputs.into_iter().filter(|((name, _), _)| !later(name)).map(|(_, why)| why).collect();
    let mut reached = vec![situation.chart()];
    if given.follow {
        asked.later = given.given.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        reached.extend(pack.charts());
    }
    match answers(pack, &situation.chart().title, &reached, given) {
        Ok(found) => asked.answers = found,
        Err(more) => wrong.extend(more),
    }
    if !wrong.is_empty() {
        return Err(refused(wrong));
    }
    let report = adjutant_engine::odds(&situation, &asked).map_err(no_odds)?;
    Ok(serde_json::to_vec(&answer::report(pack, &situation, &report)).unwrap_or_default())
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
    let told = work(&app, peer, &headers, 10.0, move |until| weigh_fight(&pack, &given, until)).await?;
    Ok(json(StatusCode::OK, &told))
}

fn weigh_fight(pack: &Pack, given: &ChartQuery, until: Instant) -> Result<Json, ApiError> {
    let mut situation =
        FightSituation::new(pack, &given.fight).map_err(|refusal| ApiError::new(StatusCode::NOT_FOUND, refusal.to_string()))?;
    let mut wrong: Vec<String> = tell(given, |name, value| situation.give(name, value)).into_iter().map(|(_, why)| why).collect();
    wrong.extend(
        given.options.iter().filter_map(|(name, value)| situation.set_option(name, value).err()).map(|refusal| refusal.to_string()),
    );
    wrong
        .extend(given.memory.iter().filter_map(|(name, value)| situation.set_memory(name, value).err()).map(|refusal| refusal.to_string()));
    match answers(pack, &situation.fight().title, &charts_of(pack, situation.fight()), given) {
        Ok(found) => situation.asked.answers = found,
        Err(more) => wrong.extend(more),
    }
    if !wrong.is_empty() {
        return Err(refused(wrong));
    }
    let units: u32 = situation.fight().sides.ids().map(|side| situation.count(side)).sum();
    let weighed = if units > MOST_UNITS { Err(OddsError::TooLarge) } else { weigh(&situation) };
    let outlook = match weighed {
        Err(OddsError::TooLarge) => {
            let seed = given.seed.unwrap_or(1);
            Outlook::played(&situation, &play(&situation, seed, until).map_err(no_odds)?, seed)
        }
        found => {
            let (odds, standings) = found.map_err(no_odds)?;
            Outlook::weighed(odds, standings)
        }
    };
    Ok(answer::outlook(&situation, &outlook))
}

fn weigh(situation: &FightSituation<'_>) -> Result<(adjutant_engine::FightOdds, usize), OddsError> {
    let chain = FightChain::new(situation)?;
    Ok((chain.solve()?, chain.standings()))
}

/// Plays a fight as often as there is time for.
fn play(situation: &FightSituation<'_>, seed: u64, until: Instant) -> Result<FightTally, OddsError> {
    let mut player = FightPlayer::new(situation)?;
    let mut tally = FightTally::default();
    for block in 0..FIGHTS.div_ceil(FIGHT_BLOCK) {
        player.afresh()?;
        let mut luck = SampleRng::of_block(seed, block);
        for _ in 0..FIGHT_BLOCK {
            if Instant::now() >= until {
                return Ok(tally);
            }
            tally.note(player.play(&mut luck)?);
        }
    }
    Ok(tally)
}

/// A pack's texts: `pack.toml` alone, or its files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Texts {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
}

/// `POST /api/check`
pub(crate) async fn check(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let Texts { text, mut files } = read(body)?;
    if let Some(text) = text {
        files.insert("pack.toml".into(), text);
    }
    if files.len() > adjutant_pack::MOST_FILES {
        return Err(ApiError::refused(format!("a pack may hold at most {} files", adjutant_pack::MOST_FILES)));
    }
    let found = work(&app, peer, &headers, 5.0, move |_| Ok(faults(&Files::of(files)))).await?;
    Ok(json(StatusCode::OK, &found).into_response())
}

fn faults(files: &Files) -> Json {
    let read = read_pack(files, None);
    let mut faults = read.as_ref().err().cloned().unwrap_or_default();
    if files.text("cases.toml").is_some() {
        faults.extend(read_cases(files).err().unwrap_or_default());
    }
    let told: Vec<Json> = faults
        .iter()
        .map(|fault| {
            let place = files.text(&fault.file).map(|text| fault.line_and_column(text));
            let said = adjutant_wording::en::diagnostic(fault);
            object!({ "file": fault.file, "line": place.map(|(line, _)| line), "column": place.map(|(_, column)| column),
                "from": fault.span.start, "to": fault.span.end, "message": said.message, "remedy": said.help })
        })
        .collect();
    object!({ "sound": faults.is_empty(), "faults": told, "pack": read.ok().map(|pack| answer::pack(&pack)) })
}
