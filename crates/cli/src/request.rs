//! What was typed after `roll`, `odds`, `fight` or `sim`, as a request of `adjutant_query`, and its
//! errors in the words of the command.

use crate::args::{InputArgs, Setup};
use crate::ask;
use crate::setup::{ArgumentError, numbers, pair, pairs};
use adjutant_api::{Answers, AxisQuery, ChartQuery, Topic};
use adjutant_dice::Wanted;
use adjutant_engine::{OddsError, Situation, Stop, TooLarge, needs};
use adjutant_pack::{Pack, PackOption, value_name};
use adjutant_query::{QueryError, VaryError, fight_situation, question};
use adjutant_wording::en;
use std::collections::BTreeMap;

/// A request, and everything that could not be read.
pub struct Request<'p> {
    pack: &'p Pack,
    pub query: ChartQuery,
    wrong: Vec<String>,
    when_large: WhenLarge,
    /// Whether a player sits at the terminal and is asked for what is missing.
    asking: bool,
}

/// What to do where there are too many ways for exact odds.
pub enum WhenLarge {
    /// Simulate it: the command that does so, with these arguments besides.
    Sample(Vec<String>),
    /// Ask for fewer checks than these.
    FewerChecks(u32),
}

impl<'p> Request<'p> {
    fn new(pack: &'p Pack, topic: Topic, given: &InputArgs, answers: &[String]) -> Request<'p> {
        let query = ChartQuery::new(pack.id().to_string(), topic);
        let when_large = WhenLarge::Sample(Vec::new());
        let mut request = Request { pack, query, wrong: Vec::new(), when_large, asking: false };
        request.query.given = request.pairs(&given.inputs);
        request.query.options = request.pairs(&given.option);
        request.query.memory = request.pairs(&given.memory);
        for text in answers {
            match pair(text) {
                Ok((key, answer)) => {
                    let answers = request.query.answers.entry(key.to_owned());
                    answers.or_default().0.push(answer.to_owned());
                }
                Err(why) => request.wrong.push(why.to_string()),
            }
        }
        request
    }

    /// A request about a chart.
    pub fn of_chart(
        pack: &'p Pack,
        setup: &Setup,
        answers: &[String],
        follow: bool,
    ) -> Result<Request<'p>, Vec<String>> {
        let Some(chart) = &setup.chart else {
            return Err(vec![format!("which chart? `adjutant charts {}` lists them", pack.id())]);
        };
        if pack.fight(chart).is_some() {
            let id = pack.id();
            return Err(vec![format!(
                "`{chart}` is a fight, not a chart: adjutant fight {id} {chart}"
            )]);
        }
        let mut request = Request::new(pack, Topic::Chart(chart.clone()), &setup.given, answers);
        request.query.gone = request.read(numbers("--gone", setup.gone.as_deref()));
        request.query.hand = request.read(numbers("--hand", setup.hand.as_deref()));
        request.query.follow = follow;
        Ok(request)
    }

    /// A request about a fight.
    pub fn of_fight(
        pack: &'p Pack,
        id: &str,
        given: &InputArgs,
        answers: &[String],
    ) -> Result<Request<'p>, Vec<String>> {
        if let (Some((name, _)), [first, ..]) = (id.split_once('='), pack.fights().as_slice()) {
            let name = adjutant_pack::clip_to(name, 40);
            return Err(vec![format!(
                "name the fight before `{name}`: adjutant fight {} {} {name}=…",
                pack.id(),
                first.id
            )]);
        }
        if pack.fight(id).is_none() && pack.chart(id).is_some() {
            return Err(vec![format!(
                "`{id}` is a chart, not a fight: adjutant odds {} {id}",
                pack.id()
            )]);
        }
        Ok(Request::new(pack, Topic::Fight(id.to_owned()), given, answers))
    }

    /// The same request with luck of this seed.
    pub fn with_seed(mut self, seed: Option<u64>) -> Request<'p> {
        self.query.seed = seed;
        self
    }

    /// The same request, which says this where exact odds would be too large.
    pub fn when_large(mut self, when_large: WhenLarge) -> Request<'p> {
        self.when_large = when_large;
        self
    }

    /// The same request; in a terminal the player is asked for what is missing, unless the answer
    /// is for a program. The inputs that vary are not asked for.
    pub fn asking(mut self, json: bool, over: &[AxisQuery]) -> Result<Request<'p>, Vec<String>> {
        self.asking = ask::in_terminal() && !json && self.wrong.is_empty();
        if self.asking && !self.query.topic.is_fight() && self.closed_by().is_none() {
            self.fill_in(over)?;
        }
        Ok(self)
    }

    /// Goes through the chart with the player if it lacks anything. What the arguments have wrong is
    /// told later.
    fn fill_in(&mut self, over: &[AxisQuery]) -> Result<(), Vec<String>> {
        let Ok(asked) = question(self.pack, &self.query, Stop::default()) else { return Ok(()) };
        let mut situation = asked.situation;
        let varied = |name: &str| over.iter().any(|axis| value_name(&axis.input) == name);
        if needs(&situation).iter().all(|need| varied(&need.key)) {
            return Ok(());
        }
        let inputs = &situation.chart().inputs;
        ask::fill_in_but(&mut situation, |input| varied(&inputs[input].name))
            .map_err(|why| vec![format!("{why:#}")])?;
        for (name, answer) in situation.given_inputs() {
            self.query.given.entry(name.to_string()).or_insert_with(|| answer.to_string());
        }
        Ok(())
    }

    /// Asks the player for what is missing on the way. Whether there was something new to ask.
    fn ask_for(&mut self, missing: &QueryError) -> Result<bool, Vec<String>> {
        let cancelled = |why| vec![adjutant_wording::en::source_error(&ask::not_asked(why))];
        let QueryError::Odds(stop) = missing else { return Ok(false) };
        let mut new = false;
        match &**stop {
            OddsError::Needs(needs) => {
                for need in needs {
                    let Wanted::Input { accepts } = &need.wanted else { continue };
                    if !self.query.given.contains_key(&need.key) {
                        let text =
                            ask::one(&need.what_for, "", accepts, None).map_err(cancelled)?;
                        self.query.given.insert(need.key.clone(), text);
                        new = true;
                    }
                }
            }
            OddsError::Open(open) if !self.query.answers.contains_key(&open.key) => {
                let text = ask::one(&open.prompt, "", &open.accepts, None).map_err(cancelled)?;
                self.query.answers.insert(open.key.clone(), Answers(vec![text]));
                new = true;
            }
            _ => {}
        }
        Ok(new)
    }

    fn read<T: Default>(&mut self, read: Result<T, ArgumentError>) -> T {
        read.unwrap_or_else(|why| {
            self.wrong.push(why.to_string());
            T::default()
        })
    }

    /// Texts such as `name=value`.
    fn pairs(&mut self, texts: &[String]) -> BTreeMap<String, String> {
        let (found, wrong) = pairs(texts);
        self.wrong.extend(wrong);
        found
    }

    /// The inputs of `--vary`: `name=1..8` or `name=yes,no`.
    pub fn axes(&mut self, vary: &[String]) -> Vec<AxisQuery> {
        let mut over = Vec::new();
        for text in vary {
            match pair(text) {
                Ok((name, values)) => {
                    over.push(AxisQuery { input: name.to_owned(), values: vec![values.to_owned()] })
                }
                Err(why) => self.wrong.push(why.to_string()),
            }
        }
        over
    }

    /// Asks. If something could not be read, that is reported together with all that the pack does
    /// not accept.
    pub fn ask<T>(
        &mut self,
        mut answer: impl FnMut(&ChartQuery) -> Result<T, QueryError>,
    ) -> Result<T, Vec<String>> {
        while self.wrong.is_empty() {
            match answer(&self.query) {
                Err(missing) if self.asking && self.ask_for(&missing)? => {}
                answered => return answered.map_err(|error| self.said(&error)),
            }
        }
        let checked = match self.query.topic {
            Topic::Chart(_) => question(self.pack, &self.query, Stop::default()).map(drop),
            Topic::Fight(_) => fight_situation(self.pack, &self.query).map(drop),
        };
        let refused = checked.map_or_else(|error| self.said(&error), |()| Vec::new());
        Err(refused.into_iter().chain(self.wrong.iter().cloned()).collect())
    }

    /// The situation of the chart.
    pub fn situation(&mut self) -> Result<Situation<'p>, Vec<String>> {
        let pack = self.pack;
        self.ask(|query| Ok(question(pack, query, Stop::default())?.situation))
    }

    /// The option that the chart or fight requires, if it is off.
    fn closed_by(&self) -> Option<&'p PackOption> {
        match self.query.topic {
            Topic::Chart(_) => {
                adjutant_query::situation(self.pack, &self.query).ok()?.0.closed_by()
            }
            Topic::Fight(_) => fight_situation(self.pack, &self.query).ok()?.closed_by(),
        }
    }

    /// What is wrong, in sentences that name the options of the command.
    fn said(&self, error: &QueryError) -> Vec<String> {
        match error {
            QueryError::Odds(stop) => self.no_odds(stop),
            QueryError::Vary(why) => vec![vary_error(why)],
            QueryError::NoFightEnded => vec![
                "not one fight was over in time: allow more with --max-time SECONDS, or let fewer units fight".into(),
            ],
            other => other.sentences(),
        }
    }

    fn no_odds(&self, stop: &OddsError) -> Vec<String> {
        if let Some(option) = self.closed_by() {
            let id = &option.field.id;
            return vec![format!("{}: add --option {id}=yes", en::odds_error(stop))];
        }
        match stop {
            OddsError::Needs(needs) => needs
                .iter()
                .map(|need| match &need.wanted {
                    Wanted::Input { accepts } => {
                        let accepted = en::accepted(accepts);
                        format!("missing: {}={accepted}  ({})", need.key, need.what_for)
                    }
                    _ => en::missing(need),
                })
                .collect(),
            OddsError::Open(question) => vec![format!(
                "{}: give --answer {}=…  accepted: {}",
                en::odds_error(stop),
                question.key,
                en::accepted(&question.accepts)
            )],
            OddsError::TooLarge(large) => vec![self.too_large(large)],
            other => vec![en::odds_error(other)],
        }
    }

    fn too_large(&self, large: &TooLarge) -> String {
        match &self.when_large {
            WhenLarge::FewerChecks(times) => format!(
                "--times {times} has too many combinations to list them all exactly: ask for fewer checks"
            ),
            WhenLarge::Sample(more) => {
                let words = ["adjutant".to_owned(), "sim".to_owned()].into_iter();
                let words = words.chain(self.words()).chain(more.iter().cloned());
                let words: Vec<String> = words.map(|word| crate::game::quoted(&word)).collect();
                format!("{}:\n  {}", en::too_large(large), words.join(" "))
            }
        }
    }
}

impl Request<'_> {
    /// The same request as words of a shell, after `adjutant VERB`.
    fn words(&self) -> Vec<String> {
        let query = &self.query;
        let mut words = vec![query.pack.clone(), query.topic.id().to_owned()];
        words.extend(query.given.iter().map(|(name, value)| format!("{name}={value}")));
        let mut add = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
        query.options.iter().for_each(|(name, value)| add("--option", format!("{name}={value}")));
        query.memory.iter().for_each(|(name, value)| add("--memory", format!("{name}={value}")));
        for (flag, cards) in [("--gone", &query.gone), ("--hand", &query.hand)] {
            if !cards.is_empty() {
                let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
                add(flag, cards.join(","));
            }
        }
        for (key, Answers(texts)) in &query.answers {
            texts.iter().for_each(|text| add("--answer", format!("{key}={text}")));
        }
        words.extend(query.follow.then(|| "--follow".to_owned()));
        words
    }
}

/// What is wrong, with the option that it was typed after.
fn vary_error(why: &VaryError) -> String {
    match why {
        VaryError::NotANumber { name, text, .. } => {
            format!("--vary {name}: `{text}` is not a number: write {name}=1..8")
        }
        VaryError::Number { .. } | VaryError::Empty(_) | VaryError::NotAccepted { .. } => {
            format!("--{why}")
        }
        VaryError::SeveralBranches => {
            "the chances depend on an answer: give it with --answer, then there is one picture"
                .into()
        }
        _ => why.to_string(),
    }
}
