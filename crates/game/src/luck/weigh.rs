//! From plays to luck. Each play is replayed with its recorded inputs, to see which unit each die
//! belongs to, and weighed by the odds just before the roll. Answers given before any dice or cards
//! are part of the situation. Later answers may depend on the dice, and the log cannot tell what a
//! player would have answered otherwise. If they matter, a probability is known only between two
//! bounds. If an answer alone decides the result, there is no luck to weigh.

use super::tail::Counts;
use super::{
    CardLuck, ChartLuck, Counted, DiceLuck, LuckReport, NotWeighed, NotWeighedReason, ResultLuck,
    SideLuck, Tally,
};
use super::{ENOUGH, ONE_IN, judge};
use crate::event::{Event, PlayRecord};
use crate::play::{PlayContext, ready, unit_of_member};
use crate::state::Unit;
use crate::table::Table;
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Question, Replay, SourceError, ThrownBy,
};
use adjutant_engine::{
    AnswerOdds, Chance, Distribution, OddsError, OddsOptions, Resolution, Situation, odds, resolve,
};
use adjutant_pack::RoleId;
use std::collections::{HashMap, VecDeque};

/// An input that came from the source, with its request.
enum Noted {
    Dice { key: String, sides: u32, faces: Vec<u32>, from: ThrownBy },
    Card { deck: String, from: ThrownBy },
    Answer { key: String, answer: Answer },
}

struct Noting<'a> {
    from: Replay<'a>,
    noted: Vec<Noted>,
}

impl InputSource for Noting<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let faces = self.from.dice(ask)?;
        let (key, from) = (ask.key.to_owned(), self.from.thrown_by());
        self.noted.push(Noted::Dice { key, sides: ask.sides, faces: faces.clone(), from });
        Ok(faces)
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.from.card(ask)?;
        self.noted.push(Noted::Card { deck: ask.deck_id.to_owned(), from: self.from.thrown_by() });
        Ok(card)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let answer = self.from.answer(ask)?;
        self.noted.push(Noted::Answer { key: ask.key.to_owned(), answer: answer.clone() });
        Ok(answer)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }
}

/// An outcome that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    /// The unit, if the chart is rolled for several.
    of: Option<String>,
    id: String,
    title: String,
    besides: bool,
}

/// An outcome with the lower and upper bound of its probability.
type Bounds = (Key, Chance, Chance);

/// The index of a side; `None` for rolls that belong to no side.
type Side = Option<usize>;

#[derive(Default)]
struct ChartTally {
    side: Side,
    chart: String,
    title: String,
    rolls: u32,
    results: Vec<(Key, Tally)>,
    not_weighed: Vec<NotWeighed>,
}

struct DiceTally {
    side: Side,
    sides: u32,
    from: ThrownBy,
    dice: u32,
    sum: u64,
}

/// Collects the luck of a game, play by play.
#[derive(Default)]
pub struct Weigher {
    dice: Vec<DiceTally>,
    cards: Vec<(Side, CardLuck)>,
    charts: Vec<ChartTally>,
}

impl Weigher {
    /// Replays a play on the game just before it, adds its luck and returns the resolution. Returns
    /// `None`, and counts the play as not weighed, if these rules cannot replay it.
    pub fn play(
        &mut self,
        before: &Table,
        event: &Event,
        played: &PlayRecord,
    ) -> Option<Resolution> {
        let luck = event.what.has_luck();
        let side = side_of_play(before, event, played);
        let title = before
            .pack
            .chart(&played.request.chart)
            .map_or(played.request.chart.as_str(), |chart| &chart.title);
        let mut source = Noting { from: Replay::new(&played.inputs), noted: Vec::new() };
        let ready = before.setup.as_deref().map(|setup| {
            ready(
                &PlayContext { from_log: true, ..before.ground(setup, &event.by) },
                &before.state,
                &played.request,
            )
        });
        let rolled = ready.and_then(Result::ok).and_then(|ready| {
            let resolution = resolve(&mut ready.situation.clone(), &mut source).ok()?;
            Some((ready.situation, resolution))
        });
        let Some((situation, resolution)) = rolled else {
            if luck {
                self.chart(side, &played.request.chart, title)
                    .leave_out(NotWeighedReason::NotReplayable);
            }
            return None;
        };
        if luck {
            self.dice_and_cards(before, played, side, &resolution, &source.noted);
            self.results(before, side, &situation, &resolution, &source.noted);
        }
        Some(resolution)
    }

    fn chart(&mut self, side: Side, chart: &str, title: &str) -> &mut ChartTally {
        let known = self.charts.iter().position(|known| known.side == side && known.chart == chart);
        let place = known.unwrap_or_else(|| {
            self.charts.push(ChartTally {
                side,
                chart: chart.to_owned(),
                title: title.to_owned(),
                ..ChartTally::default()
            });
            self.charts.len() - 1
        });
        &mut self.charts[place]
    }

    fn dice_and_cards(
        &mut self,
        before: &Table,
        played: &PlayRecord,
        side: Side,
        resolution: &Resolution,
        noted: &[Noted],
    ) {
        // The rolls of each step in order, by the unit they were for.
        let mut whose: HashMap<&str, VecDeque<Option<&str>>> = HashMap::new();
        for roll in resolution.rolls() {
            let handfuls = roll
                .again
                .iter()
                .map(|again| &again.faces)
                .chain([&roll.faces])
                .filter(|faces| !faces.is_empty())
                .count();
            whose
                .entry(&roll.name)
                .or_default()
                .extend(std::iter::repeat_n(roll.of.as_deref(), handfuls));
        }
        for noted in noted {
            match noted {
                Noted::Dice { key, sides, faces, from } if !faces.is_empty() => {
                    let of = whose.get_mut(key.as_str()).and_then(VecDeque::pop_front).flatten();
                    let unit = roller(before, played, key, of);
                    self.roll(unit.map(|unit| unit.side).or(side), *sides, faces, *from);
                }
                Noted::Card { deck, from } => {
                    let deck =
                        before.pack.deck(deck).map_or(deck.as_str(), |deck| &deck.title).to_owned();
                    match self.cards.iter_mut().find(|(whose, card)| {
                        *whose == side && card.deck == deck && card.source == *from
                    }) {
                        Some((_, card)) => card.cards += 1,
                        None => self.cards.push((side, CardLuck { deck, source: *from, cards: 1 })),
                    }
                }
                _ => {}
            }
        }
    }

    fn roll(&mut self, side: Side, sides: u32, faces: &[u32], from: ThrownBy) {
        let (dice, sum) = (faces.len() as u32, faces.iter().copied().map(u64::from).sum::<u64>());
        match self
            .dice
            .iter_mut()
            .find(|known| (known.side, known.sides, known.from) == (side, sides, from))
        {
            Some(known) => {
                (known.dice, known.sum) = (known.dice.saturating_add(dice), known.sum + sum)
            }
            None => self.dice.push(DiceTally { side, sides, from, dice, sum }),
        }
    }

    fn results(
        &mut self,
        before: &Table,
        side: Side,
        situation: &Situation<'_>,
        resolution: &Resolution,
        noted: &[Noted],
    ) {
        let title = resolution.title.as_str();
        match weigh(situation, noted) {
            Err(why) => self.chart(side, &resolution.chart, title).leave_out(why),
            Ok((bounds, by_value)) => {
                let actual = actual(resolution, situation, by_value);
                let by_member =
                    situation.chart().each.as_ref().is_some_and(|each| each.role == RoleId::FIRST);
                let of_member = |of: &Option<String>| {
                    let member = of
                        .as_ref()
                        .filter(|_| by_member)
                        .and_then(|of| before.state.unit(unit_of_member(of)));
                    member.map_or(side, |unit| Some(unit.side))
                };
                let mut members: Vec<&Option<String>> = Vec::new();
                for (key, least, most) in &bounds {
                    let tally = self.chart(of_member(&key.of), &resolution.chart, title);
                    if !key.besides && !members.contains(&&key.of) {
                        members.push(&key.of);
                        tally.rolls += 1;
                    }
                    tally.count(key, (least.value(), most.value()), actual.contains(key));
                }
            }
        }
    }

    /// The finished report.
    pub fn finish(self, sides: &[String]) -> LuckReport {
        let mut whole: Vec<DiceTally> = Vec::new();
        for tally in &self.dice {
            match whole
                .iter_mut()
                .find(|known| (known.sides, known.from) == (tally.sides, tally.from))
            {
                Some(known) => {
                    (known.dice, known.sum) =
                        (known.dice.saturating_add(tally.dice), known.sum + tally.sum)
                }
                None => whole.push(DiceTally { side: None, ..*tally }),
            }
        }
        let results =
            self.charts.iter().flat_map(|chart| &chart.results).map(|(_, tally)| tally.open());
        let dice = self.dice.iter().chain(&whole).map(|tally| tally.dice);
        let looks = results.chain(dice).filter(|n| *n >= ENOUGH).count() as u32;
        let all: Vec<Side> = (0..sides.len()).map(Some).chain([None]).collect();
        let of_side = |side: Side| SideLuck {
            side: side.and_then(|side| sides.get(side).cloned()),
            dice: self
                .dice
                .iter()
                .filter(|tally| tally.side == side)
                .map(|tally| tally.luck(looks))
                .collect(),
            cards: self
                .cards
                .iter()
                .filter(|(whose, _)| *whose == side)
                .map(|(_, cards)| cards.clone())
                .collect(),
            charts: self
                .charts
                .iter()
                .filter(|chart| chart.side == side)
                .map(|chart| chart.luck(looks))
                .collect(),
        };
        let some = |side: &SideLuck| {
            !side.dice.is_empty() || !side.cards.is_empty() || !side.charts.is_empty()
        };
        LuckReport {
            enough: ENOUGH,
            one_in: ONE_IN,
            looks,
            sides: all.into_iter().map(of_side).filter(some).collect(),
            dice: whole.iter().map(|tally| tally.luck(looks)).collect(),
        }
    }
}

impl ChartTally {
    fn leave_out(&mut self, why: NotWeighedReason) {
        match self.not_weighed.iter_mut().find(|known| known.why == why) {
            Some(known) => known.rolls += 1,
            None => self.not_weighed.push(NotWeighed { why, rolls: 1 }),
        }
    }

    fn count(&mut self, key: &Key, chances: (f64, f64), actual: bool) {
        let same = |known: &Key| {
            known.id == key.id && known.title == key.title && known.besides == key.besides
        };
        let place = self.results.iter().position(|(known, _)| same(known)).unwrap_or_else(|| {
            self.results.push((key.clone(), Tally::default()));
            self.results.len() - 1
        });
        let tally = &mut self.results[place].1;
        tally.chances.push(chances);
        tally.actual += u32::from(actual);
    }

    fn luck(&self, looks: u32) -> ChartLuck {
        let result = |(key, tally): &(Key, Tally)| {
            let (open, (expected, expected_most)) = (tally.open(), tally.expected());
            let judged = judge(Counted::Rolls, open, || Some(tally.tails()), looks);
            ResultLuck {
                title: key.title.clone(),
                besides: key.besides,
                open,
                expected,
                expected_most,
                actual: tally.actual,
                judged,
            }
        };
        ChartLuck {
            chart: self.chart.clone(),
            title: self.title.clone(),
            rolls: self.rolls,
            results: self.results.iter().map(result).collect(),
            not_weighed: self.not_weighed.clone(),
        }
    }
}

impl DiceTally {
    fn luck(&self, looks: u32) -> DiceLuck {
        let sum = usize::try_from(self.sum).unwrap_or(usize::MAX);
        let tails = || {
            Counts::of_dice(self.dice, self.sides)
                .map(|sums| (sums.at_least(sum), sums.at_most(sum)))
        };
        DiceLuck {
            sides: self.sides,
            source: self.from,
            dice: self.dice,
            expected: f64::from(self.sides + 1) / 2.0,
            actual: self.sum as f64 / f64::from(self.dice.max(1)),
            judged: judge(Counted::Dice, self.dice, tails, looks),
        }
    }
}

/// The unit that the dice belong to: the unit whose role names the step, or, if each of several
/// units rolls for itself, that unit. `None` if they belong to the unit that the play is about.
fn roller<'a>(
    before: &'a Table,
    played: &'a PlayRecord,
    key: &str,
    of: Option<&'a str>,
) -> Option<&'a Unit> {
    let chart = before.pack.chart(&played.request.chart)?;
    let each = chart.each.as_ref().map(|each| each.role);
    let role = chart.role(key);
    let id = match role.is_some() && role != each {
        true => played.request.units.get(key)?.first()?.as_str(),
        // Shots at several targets belong to the shooter, who is first in the chart.
        false if role.is_some() || each == Some(RoleId::FIRST) => unit_of_member(of?),
        false => return None,
    };
    before.state.unit(id)
}

/// The side of the unit that a play is about; else of the test it settles; else of the player who
/// acted.
pub fn side_of_play(before: &Table, event: &Event, played: &PlayRecord) -> Side {
    let chart = before.pack.chart(&played.request.chart);
    let roles = chart.map_or(&[][..], |chart| &chart.roles);
    let unit = roles
        .iter()
        .find_map(|role| before.state.unit(played.request.units.get(role.id.as_str())?.first()?));
    let pending = || {
        let wanted = played.request.pending.as_ref()?;
        let side = before
            .state
            .pending
            .iter()
            .find(|pending| pending.due.id == *wanted)?
            .due
            .side
            .as_ref()?;
        before.sides().iter().position(|known| known == side)
    };
    unit.map(|unit| unit.side).or_else(pending).or_else(|| before.side_of(&event.by))
}

/// The odds of a play: each outcome with its bounds, and whether outcomes are identified by the
/// number.
fn weigh(
    situation: &Situation<'_>,
    noted: &[Noted],
) -> Result<(Vec<Bounds>, bool), NotWeighedReason> {
    let known = noted.iter().map_while(|noted| match noted {
        Noted::Answer { key, answer } => Some((key.clone(), AnswerOdds::Always(answer.clone()))),
        _ => None,
    });
    let asked = OddsOptions { answers: known.collect(), ..OddsOptions::default() };
    let report = odds(situation, &asked).map_err(|stop| match stop {
        OddsError::TooLarge(_) => NotWeighedReason::TooLarge,
        OddsError::Open(question) => {
            NotWeighedReason::Answer { prompt: question.prompt.as_str().into() }
        }
        OddsError::Needs(_) | OddsError::Refused(_) | OddsError::OverLimit(_) => {
            NotWeighedReason::NotKnown
        }
    })?;
    let spreads: Vec<&Distribution> = report.branches.iter().map(|branch| &branch.spread).collect();
    let by_value = spreads.iter().all(|spread| {
        spread.results.is_empty() || (spread.results.len() == 1 && spread.values.len() > 1)
    });
    let branches: Vec<Vec<(Key, Chance)>> =
        spreads.iter().map(|spread| outcomes(spread, situation, by_value)).collect();
    let mut bounds: Vec<Bounds> = Vec::new();
    for (key, chance) in branches.iter().flatten() {
        match bounds.iter_mut().find(|(known, ..)| known == key) {
            None => bounds.push((key.clone(), chance.clone(), chance.clone())),
            Some((_, least, _)) if less(chance, least) => *least = chance.clone(),
            Some((_, _, most)) if less(most, chance) => *most = chance.clone(),
            Some(_) => {}
        }
    }
    for (key, least, _) in &mut bounds {
        if branches.iter().any(|branch| !branch.iter().any(|(known, _)| known == key)) {
            *least = Chance::sum([]);
        }
    }
    match bounds.iter().any(|(_, least, most)| least.exact() == "0" && most.exact() == "1") {
        true => Err(NotWeighedReason::AnswerDecides),
        false => Ok((bounds, by_value)),
    }
}

fn less(a: &Chance, b: &Chance) -> bool {
    a.ways() * b.of() < b.ways() * a.of()
}

fn number(situation: &Situation<'_>, value: adjutant_dice::Number) -> Key {
    let title = format!("{value} {}", situation.chart().read.unit).trim().to_owned();
    Key { of: None, id: value.to_string(), title, besides: false }
}

fn nothing() -> Key {
    Key { of: None, id: "none".into(), title: "Nothing".into(), besides: false }
}

fn number_alone() -> Key {
    Key { of: None, id: "number".into(), title: "A number only".into(), besides: false }
}

/// The outcomes of one branch. For each unit, exactly one of the outcomes that exclude each other
/// occurs.
fn outcomes(
    spread: &Distribution,
    situation: &Situation<'_>,
    by_value: bool,
) -> Vec<(Key, Chance)> {
    let mut list: Vec<(Key, Chance)> = Vec::new();
    let mut add = |key: Key, chance: &Chance| match list.iter_mut().find(|(known, _)| *known == key)
    {
        Some((_, known)) => *known = Chance::sum([&*known, chance]),
        None => list.push((key, chance.clone())),
    };
    let rest = |sum: Chance| Chance::new(sum.of() - sum.ways(), sum.of().clone());
    if by_value {
        spread.values.iter().for_each(|(value, chance)| add(number(situation, *value), chance));
        let rest = rest(Chance::sum(spread.values.iter().map(|(_, chance)| chance)));
        if rest.exact() != "0" {
            add(nothing(), &rest);
        }
    } else {
        for result in &spread.results {
            let of = result.of.as_ref().map(ToString::to_string);
            add(
                Key {
                    of,
                    id: result.id.to_string(),
                    title: result.title.to_string(),
                    besides: false,
                },
                &result.chance,
            );
        }
        let several = spread.results.iter().any(|result| result.of.is_some());
        let rest = rest(Chance::sum(
            spread.results.iter().filter(|_| !several).map(|result| &result.chance),
        ));
        if !several && rest.exact() != "0" {
            add(number_alone(), &rest);
        }
    }
    for also in &spread.also {
        add(
            Key { of: None, id: also.id.to_string(), title: also.title.to_string(), besides: true },
            &also.chance,
        );
    }
    list
}

/// The actual outcomes, under the same keys.
fn actual(resolution: &Resolution, situation: &Situation<'_>, by_value: bool) -> Vec<Key> {
    let named = |id: &str, title: &str| Key {
        of: None,
        id: id.to_owned(),
        title: title.to_owned(),
        besides: false,
    };
    let mut list: Vec<Key> = match (resolution.members.len(), &resolution.result, resolution.value)
    {
        (2.., ..) => {
            let member = |member: &adjutant_engine::MemberLine| {
                let key = match (&member.result, member.value) {
                    (Some(result), _) => named(&result.id, &result.title),
                    (None, Some(value)) => named("none", &value.to_string()),
                    (None, None) => nothing(),
                };
                Key { of: Some(member.name.to_string()), ..key }
            };
            resolution.members.iter().map(member).collect()
        }
        (_, _, Some(value)) if by_value => vec![number(situation, value)],
        (_, Some(result), _) if !by_value => vec![named(&result.id, &result.title)],
        (_, None, Some(_)) => vec![number_alone()],
        _ => vec![nothing()],
    };
    list.extend(
        resolution.also.iter().map(|also| Key { besides: true, ..named(&also.id, &also.title) }),
    );
    list
}
