//! What came of a roll, told for the screen: the result in one line, under it the arithmetic with
//! every modifier that counted, then what changes on which unit, and what is pending now.

use adjutant_dice::{Answer, RecordedInput, ThrownBy};
use adjutant_engine::{AnswerStep, ModifierKind, Resolution, RollKind, RollStep, Step};
use adjutant_game::{DueTest, PlayRecord, ResultRecord, Table};
use adjutant_pack::Pack;
use adjutant_wording::en::{handful, recorded_change};

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Result,
    Head,
    Plain,
    Dim,
    Effect,
    Due,
}

/// A roll in words, row by row.
#[derive(Clone, Debug)]
pub struct ResultView {
    /// Its event.
    pub n: u64,
    pub title: String,
    pub rows: Vec<(Row, usize, String)>,
}

impl ResultView {
    /// `means` is what the roll means, in the table's sentences.
    pub fn new(
        table: &Table,
        n: u64,
        played: &PlayRecord,
        resolution: &Resolution,
        means: &[String],
    ) -> ResultView {
        let mut rows = Vec::new();
        let names = Names { table };
        names.results(played, means.is_empty(), &mut rows);
        rows.extend(means.iter().map(|sentence| (Row::Plain, 2, sentence.clone())));
        names.arithmetic(played, resolution, &mut rows);
        names.effects(played, &mut rows);
        ResultView { n, title: resolution.title.to_string(), rows }
    }
}

struct Names<'a> {
    table: &'a Table,
}

type Rows = Vec<(Row, usize, String)>;

impl Names<'_> {
    fn pack(&self) -> &Pack {
        self.table.pack()
    }

    fn unit(&self, id: &str) -> String {
        self.table.state().unit(id).map_or_else(|| id.to_owned(), |unit| unit.name.clone())
    }

    fn results(&self, played: &PlayRecord, meaning: bool, rows: &mut Rows) {
        let means = |found: &ResultRecord| {
            self.pack()
                .results()
                .iter()
                .find(|result| result.id == found.id)
                .map(|result| result.means.to_string())
        };
        let mut told = Vec::new();
        for found in &played.results {
            let on = if found.on.is_empty() {
                String::new()
            } else {
                format!(" – {}", self.unit(&found.on))
            };
            rows.push((Row::Result, 0, format!("{}{on}", found.title)));
            if !meaning {
                continue;
            }
            if !found.because.is_empty() {
                rows.push((Row::Dim, 2, found.because.clone()));
            }
            if let Some(means) =
                means(found).filter(|means| !means.is_empty() && !told.contains(&found.id))
            {
                told.push(found.id.clone());
                rows.push((Row::Plain, 2, means));
            }
        }
        let value = if played.says.is_empty() { &played.value } else { &played.says };
        if !value.is_empty() {
            rows.push((Row::Result, 0, value.clone()));
        }
        if !played.order.is_empty() && meaning {
            let group = |ids: &Vec<String>| {
                ids.iter().map(|id| self.unit(id)).collect::<Vec<_>>().join(" and ")
            };
            rows.push((
                Row::Plain,
                0,
                format!(
                    "Order: {}",
                    played.order.iter().map(group).collect::<Vec<_>>().join(", then ")
                ),
            ));
        }
    }

    fn arithmetic(&self, played: &PlayRecord, resolution: &Resolution, rows: &mut Rows) {
        if !resolution.steps.is_empty() {
            rows.push((Row::Head, 0, String::new()));
        }
        for step in &resolution.steps {
            match step {
                Step::Roll(roll) => rows.extend(self.roll(resolution, roll)),
                Step::Answer(said) => rows.push((Row::Plain, 0, self.answer(said))),
                Step::LookUp(look_up) => {
                    let title = self
                        .pack()
                        .chart(&look_up.chart)
                        .map_or(look_up.chart.as_str(), |chart| chart.title.as_str());
                    rows.push((Row::Plain, 0, format!("{title}: {}", look_up.found())));
                }
            }
        }
        let by_rows =
            self.pack().chart(&resolution.chart).is_some_and(|chart| !chart.read.by_conditions());
        match (&resolution.score, &resolution.row) {
            (Some(score), Some(row)) if by_rows => {
                let shifted = resolution.column.as_ref().filter(|_| !resolution.shifts.is_empty());
                let column = shifted.map_or(String::new(), |column| {
                    let column = adjutant_wording::en::column_read(
                        crate::tell::column_head(self.pack(), &resolution.chart, column),
                        &resolution.shifts,
                    );
                    format!(", column {column}")
                });
                rows.push((Row::Plain, 0, format!("Score {score}: {row}{column}")))
            }
            (_, Some(row)) if resolution.rolls().next().is_none() => {
                rows.push((Row::Plain, 0, format!("Row “{row}”")))
            }
            _ => {}
        }
        let typed = |input: &RecordedInput| input.by() == ThrownBy::Player && !input.is_answer();
        if played.inputs.iter().any(typed) {
            rows.push((Row::Dim, 0, "Own dice or cards, as typed.".into()));
        }
    }

    fn answer(&self, said: &AnswerStep) -> String {
        let answer = match &said.answer {
            Answer::Choice(word) => self
                .pack()
                .results()
                .iter()
                .find(|result| result.id == *word)
                .map_or(word.to_string(), |r| r.title.to_string()),
            other => other.to_string(),
        };
        format!("{} {answer}", said.prompt)
    }

    /// One throw: what it was, what came, each modifier that counted, the sum.
    fn roll(&self, resolution: &Resolution, roll: &RollStep) -> Rows {
        let mut rows = Vec::new();
        let inner = self
            .pack()
            .chart(&roll.chart)
            .filter(|chart| chart.id != resolution.chart)
            .map(|chart| format!(" ({})", chart.title));
        let of = roll.of.as_ref().map(|of| {
            format!("{}: ", self.unit(of.split_once('#').map_or(of.as_str(), |(unit, _)| unit)))
        });
        let list = |faces: &[u32]| faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let inputs = match roll.kind {
            RollKind::Dice if roll.faces.is_empty() => format!("{}: no dice", roll.dice),
            RollKind::Dice => format!("{}: {}", roll.dice, list(&roll.faces)),
            RollKind::Card if !roll.dice.is_empty() => roll.dice.to_string(),
            RollKind::Card if !roll.handful.is_empty() => {
                handful::handful(roll).unwrap_or_default()
            }
            RollKind::Card => match (roll.cards.last(), roll.card_titles.last()) {
                (Some(card), Some(title)) => format!("{title} (card {card})"),
                _ => "no card".into(),
            },
            RollKind::Sum => roll.natural.as_ref().map(Answer::to_string).unwrap_or_default(),
        };
        let kept =
            roll.kept.as_ref().map(|kept| format!(", counting {}", list(kept))).unwrap_or_default();
        let test = roll
            .test
            .as_ref()
            .map(|test| format!(" ({})", handful::die_test(test)))
            .unwrap_or_default();
        let title =
            format!("{}{}{}", of.unwrap_or_default(), roll.title, inner.unwrap_or_default());
        rows.push((Row::Head, 0, format!("{title} · {inputs}{kept}{test}")));
        for field in &roll.card_fields {
            let shown = adjutant_wording::en::card_field(field);
            rows.push((Row::Dim, 2, format!("{}: {shown}", field.label)));
        }
        for again in &roll.again {
            let what = again.card.map(|card| format!("card {card}: ")).unwrap_or_default();
            let shuffle = if again.reshuffled { "; the deck is reshuffled" } else { "" };
            rows.push((Row::Dim, 2, format!("{what}{}{shuffle}", again.because)));
        }
        let counted: Vec<_> = roll.modifiers.iter().filter(|modifier| modifier.counted).collect();
        let on = match roll.kind {
            RollKind::Card => "on the card",
            RollKind::Dice if roll.test.is_some() => "dice that count",
            RollKind::Dice => "on the dice",
            RollKind::Sum => "to begin with",
        };
        let plain = roll.kind == RollKind::Dice && roll.faces.len() == 1 && roll.test.is_none();
        if let Some(natural) = roll.natural.as_ref().filter(|_| !counted.is_empty() && !plain) {
            rows.push((Row::Plain, 2, format!("{:>3}  {on}", natural.to_string())));
        }
        for modifier in &counted {
            let value = match (modifier.value, modifier.kind) {
                (None, _) => "·".to_owned(),
                (Some(value), ModifierKind::Times) => format!("× {value}"),
                (Some(value), ModifierKind::Dice) => format!("{} dice", value.signed()),
                (Some(value), _) => value.signed(),
            };
            rows.push((Row::Plain, 2, format!("{value:>3}  {}", modifier.label)));
        }
        let bare = counted.is_empty() && roll.faces.len() <= 1 && roll.test.is_none();
        if let Some(total) = roll.total.as_ref().filter(|_| !bare) {
            rows.push((Row::Plain, 2, format!("  = {total}")));
        }
        rows
    }

    fn effects(&self, played: &PlayRecord, rows: &mut Rows) {
        let held = if played.held { " (waits for the other simultaneous attacks)" } else { "" };
        let before = rows.len();
        rows.extend(played.effects.iter().map(|effect| {
            (Row::Effect, 0, format!("→ {}{held}", recorded_change(self.table, effect)))
        }));
        if !played.appear.is_empty() {
            let names: Vec<&str> =
                played.appear.iter().map(|recruit| recruit.name.as_str()).collect();
            let side = played.appear.first().map_or("", |recruit| recruit.side.as_str());
            rows.push((Row::Effect, 0, format!("→ Appear, {side}: {}", names.join(", "))));
        }
        for drawn in played.cards.iter().filter(|drawn| drawn.reshuffled) {
            let title = self
                .pack()
                .deck(&drawn.deck)
                .map_or(drawn.deck.as_str(), |deck| deck.title.as_str());
            rows.push((Row::Effect, 0, format!("→ {title} is reshuffled")));
        }
        rows.extend(played.next.iter().map(|due| (Row::Due, 0, self.due(due))));
        if rows.len() > before {
            rows.insert(before, (Row::Head, 0, String::new()));
        }
    }

    fn due(&self, due: &DueTest) -> String {
        let title = self
            .pack()
            .chart(&due.chart)
            .map_or(due.chart.clone(), |chart| chart.title.to_string());
        let who: Vec<String> = due.units.values().flatten().map(|id| self.unit(id)).collect();
        let of = if who.is_empty() { String::new() } else { format!(" of {}", who.join(", ")) };
        let why = if due.why.is_empty() { String::new() } else { format!(" – {}", due.why) };
        format!("{} {title}{of}{why}", if due.now { "Now:" } else { "Due:" })
    }
}
