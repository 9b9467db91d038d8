//! The cases of the bundled packs, run on the drafts of their printed sheets. Ids differ, so everything
//! is matched by labels, as a player with both sheets would: the chart by its title, each modifier that
//! counted by its label, columns and choices by their words. The faces are those of the case. The draft
//! must give the same result or number.

use crate::round_trip::core;
use adjutant_dice::{Accepts, Answer, EnteredInput, InputSource, Number};
use adjutant_draft::{Draft, Options, draft};
use adjutant_engine::{
    LookUpStep, ModifierLine, OptionLine, Resolution, RollKind, Situation, completed_cases, resolve,
};
use adjutant_pack::{Chart, Files, Input, InputId, Modifier, Pack, read_cases, read_pack};
use std::collections::BTreeMap;

/// The least share of the cases that the drafts must give as the packs do, in percent.
const FLOOR: f64 = 78.5;

/// The outcome of a case.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Same,
    /// The draft lacks something that the case needs.
    Lacks(String),
    /// The draft gives something else, and whether its chart has a guess.
    Other {
        got: String,
        marked: bool,
    },
}

/// The words of a run at its end: the result, else the number.
fn said(run: &Resolution) -> String {
    match (&run.result, run.value) {
        (Some(result), _) => core(&result.title),
        (None, Some(value)) => value.to_string(),
        (None, None) => String::new(),
    }
}

/// One case on a drafted pack.
struct Trial<'p> {
    pack: &'p Pack,
    case: &'p Resolution,
    drafted: &'p Pack,
    chart: &'p Chart,
    given: BTreeMap<String, String>,
}

impl<'p> Trial<'p> {
    /// Answers the questions of the drafted chart.
    fn answer(&mut self) -> Result<(), String> {
        for roll in self.case.rolls().filter(|roll| roll.chart == self.case.chart) {
            for line in roll.modifiers.iter().filter(|line| line.counted) {
                self.modifier(line, &roll.title)?;
            }
        }
        for line in self.case.shifts.iter().filter(|line| line.counted) {
            self.modifier(line, "")?;
        }
        for input in &self.chart.inputs {
            if self.given.contains_key(input.name.as_str()) {
                continue;
            }
            if self.is_asked(input) {
                self.question(input)?;
            } else if matches!(input.field.accepts, Accepts::Number { .. }) {
                // The value of a modifier that did not count.
                self.given.insert(input.name.to_string(), "0".to_owned());
            }
        }
        Ok(())
    }

    /// Tells if an input is none of a modifier.
    fn is_asked(&self, input: &Input) -> bool {
        let of = |modifier: &Modifier| {
            modifier.names.iter().any(|id| self.input(*id).name == input.name)
        };
        !self.modifiers().any(|(_, modifier)| of(modifier))
    }

    fn input(&self, id: InputId) -> &'p Input {
        &self.chart.inputs[id]
    }

    /// The modifiers of the drafted chart, each with the title of its step.
    fn modifiers(&self) -> impl Iterator<Item = (&'p str, &'p Modifier)> {
        let steps = self.chart.steps.iter();
        let added = steps.flat_map(|step| step.add.iter().map(|each| (step.title.as_str(), each)));
        let column = self.chart.read.column.iter();
        added.chain(column.flat_map(|column| column.shift.iter().map(|each| ("", each))))
    }

    /// A modifier that counted, by its label; of several the one of the step with the same title.
    fn modifier(&mut self, line: &ModifierLine, step: &str) -> Result<(), String> {
        let mut alike: Vec<_> = self
            .modifiers()
            .filter(|(_, modifier)| core(&modifier.label) == core(&line.label))
            .collect();
        alike.sort_by_key(|(title, _)| core(title) != core(step));
        let Some((_, modifier)) = alike.first() else {
            // A value of 0 changes nothing.
            let nothing = line.value.is_some_and(|value| value.to_string() == "0");
            return if nothing { Ok(()) } else { Err(format!("modifier {}", line.label)) };
        };
        for id in &modifier.names {
            let input = self.input(*id);
            let value = match (&input.field.accepts, line.value) {
                (Accepts::YesNo, _) => "yes".to_owned(),
                // "- value" takes what is written without its sign.
                (Accepts::Number { .. }, Some(value)) if takes_away(modifier) => {
                    (-value).to_string()
                }
                (Accepts::Number { .. }, Some(value)) => value.to_string(),
                _ => continue,
            };
            self.given.insert(input.name.to_string(), value);
        }
        Ok(())
    }

    /// A column, a choice or a value, by its words.
    fn question(&mut self, input: &Input) -> Result<(), String> {
        let value = match &input.field.accepts {
            Accepts::YesNo => return Ok(()),
            Accepts::Choice { words } => {
                let said = self.words();
                let word = words
                    .iter()
                    .find(|word| said.iter().any(|said| *said == core(&word.label)))
                    .ok_or_else(|| format!("choice {}", input.field.label))?;
                word.id.to_string()
            }
            Accepts::Number { .. } => {
                let label = core(&input.field.label);
                let earlier = self.chart.inputs.iter().take_while(|known| known.name != input.name);
                let nth = earlier.filter(|known| core(&known.field.label) == label).count();
                let value = self
                    .number(&label, nth)
                    .ok_or_else(|| format!("number {}", input.field.label))?;
                value.to_string()
            }
        };
        self.given.insert(input.name.to_string(), value);
        Ok(())
    }

    /// All words that the case chose: the column that was read, and the answers.
    fn words(&self) -> Vec<String> {
        let chart = self.pack.chart(&self.case.chart).unwrap();
        let mut found = Vec::new();
        if let (Some(column), Some(read)) = (&chart.read.column, &self.case.column) {
            let place = column.ids.position(|id| id == read);
            found.extend(place.map(|place| core(&column.heads[place])));
        }
        found.extend(self.case.row.iter().map(|row| core(row)));
        for (name, answer) in self.case.inputs.iter() {
            let (Answer::Choice(word), Some(input)) = (answer, chart.input(name)) else { continue };
            if let Accepts::Choice { words } = &input.field.accepts {
                let label = words.iter().find(|known| known.id == *word).map(|known| &known.label);
                found.extend(label.map(|label| core(label)));
            }
        }
        found
    }

    /// A number of the case by its label: an input, a sum, or what was looked up. The second question
    /// of a label is for the second unit that has such a value.
    fn number(&self, label: &str, nth: usize) -> Option<Number> {
        let chart = self.pack.chart(&self.case.chart).unwrap();
        let of_input = |same: &dyn Fn(&str) -> bool| {
            let found = self.case.inputs.iter().filter_map(|(name, answer)| {
                let input = chart.input(name)?;
                let mut known = labels(&input.field.label).chain(labels(&input.own_label));
                match answer {
                    Answer::Number(value) if known.any(|known| same(&known)) => Some(*value),
                    _ => None,
                }
            });
            let found: Vec<Number> = found.collect();
            found.get(nth).or(found.first()).copied()
        };
        let input = of_input(&|known| known == label);
        let sum = || {
            let roll = self.case.rolls().find(|roll| core(&roll.title) == label)?;
            match roll.total.as_ref()? {
                Answer::Number(total) => Some(*total),
                _ => None,
            }
        };
        let looked_up = || {
            let title = |name: &str| core(&self.pack.chart(name).unwrap().title);
            let named = |found: &&LookUpStep| {
                let says = found.says.as_deref().unwrap_or_default();
                let word = says.split(' ').next().unwrap_or_default();
                title(&found.chart) == label || (!word.is_empty() && label.starts_with(&core(word)))
            };
            self.case.look_ups().find(named)?.value
        };
        // "Attacker" of "Attacker's firepower".
        let longer = || of_input(&|known| known.starts_with(label));
        input.or_else(sum).or_else(looked_up).or_else(longer)
    }

    fn run(&self) -> Result<Resolution, String> {
        let mut situation = Situation::new(self.drafted, &self.chart.id).unwrap();
        for (name, value) in &self.given {
            situation.give(name, value).map_err(|why| format!("{name} = {value}: {why:?}"))?;
        }
        let faces = self.case.rolls().flat_map(|roll| roll.faces.iter().copied());
        let mut source = EnteredInput::new().with_dice(faces);
        let run = resolve(&mut situation, &mut source)
            .map_err(|stop| format!("{:?}", stop.resolution.needs))?;
        source.finish().map_err(|_| "dice: the case rolls more".to_owned())?;
        Ok(run)
    }
}

/// The words that a sheet may print for a label: `Reputation (Rep)` is also `Rep`.
fn labels(label: &str) -> impl Iterator<Item = String> {
    let short = label.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    [core(label)].into_iter().chain(short.map(|(short, _)| core(short)))
}

/// Tells if a modifier takes the value of its input away.
fn takes_away(modifier: &Modifier) -> bool {
    modifier.amount.formula().text.starts_with('-')
}

fn tried(pack: &Pack, case: &Resolution, made: &Draft, drafted: &Pack) -> Outcome {
    let mut charts = drafted.charts().iter();
    let Some(chart) = charts.find(|chart| core(&chart.title) == core(&case.title)) else {
        return Outcome::Lacks(format!("chart {}", case.title));
    };
    let mut trial = Trial { pack, case, drafted, chart, given: BTreeMap::new() };
    let run = match trial.answer().and_then(|()| trial.run()) {
        Ok(run) => run,
        Err(lacks) => return Outcome::Lacks(format!("{}: {lacks}", case.title)),
    };
    if said(&run) == said(case) {
        return Outcome::Same;
    }
    if run.result.is_none() && case.result.is_some() {
        return Outcome::Lacks(format!("{}: a table", case.title));
    }
    let marked = made.guesses.iter().any(|guess| guess.chart.as_deref() == Some(chart.id.as_str()));
    let got = format!("{}: {} instead of {}", case.title, said(&run), said(case));
    Outcome::Other { got, marked }
}

/// Tells if an option has the value that the sheet prints, or only turns the whole chart on.
fn is_as_printed(pack: &Pack, chart: &Chart, line: &OptionLine) -> bool {
    let option = pack.options().iter().find(|option| option.field.id == line.id).unwrap();
    let gate = chart.needs_option.is_some_and(|id| pack.options()[id].field.id == line.id);
    gate || option.field.default.as_ref() == Some(&line.value)
}

/// Tells if a sheet of paper without cards and other tables has all of the case.
fn is_on_paper(pack: &Pack, case: &Resolution) -> bool {
    let chart = pack.chart(&case.chart).unwrap();
    case.rolls().all(|roll| roll.kind != RollKind::Card)
        && chart.read.user_table.is_none()
        && case.members.is_empty()
        && case.options.iter().all(|line| is_as_printed(pack, chart, line))
}

#[test]
fn the_cases_of_the_packs_on_their_drafts() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let (folder, packs) = (here.join("tests/sheets/printed-now"), here.join("../../packs"));
    let (mut all, mut same, mut other) = (0_u32, 0_u32, Vec::new());
    for id in adjutant_bundled_packs::IDS {
        let pack = read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{id}.txt"))).unwrap();
        let made = draft(&text, &Options::default()).unwrap();
        let drafted = read_pack(&Files::of([("pack.toml", made.pack_toml())]), None).unwrap();
        let cases = std::fs::read_to_string(packs.join(id).join("cases.toml")).unwrap();
        let suite = read_cases(&Files::of([("cases.toml", cases)])).unwrap();
        let cases = completed_cases(&pack, None, &suite);
        let mut outcomes: BTreeMap<Outcome, u32> = BTreeMap::new();
        for (_, case) in cases.iter().filter(|(_, case)| is_on_paper(&pack, case)) {
            *outcomes.entry(tried(&pack, case, &made, &drafted)).or_default() += 1;
        }
        let count: u32 = outcomes.values().sum();
        let fine = outcomes.get(&Outcome::Same).copied().unwrap_or_default();
        println!("{id}: {fine} of {count} cases");
        for (outcome, times) in &outcomes {
            match outcome {
                Outcome::Same => {}
                Outcome::Lacks(what) => println!("  {times} lack {what}"),
                Outcome::Other { got, marked } => {
                    println!("  {times} {}{got}", if *marked { "" } else { "WRONG " });
                    other.extend((!marked).then(|| format!("{id}: {got}")));
                }
            }
        }
        all += count;
        same += fine;
    }
    let share = 100.0 * f64::from(same) / f64::from(all);
    println!("cases of the packs on their drafts: {same} of {all} ({share:.1} %)");
    assert!(other.is_empty(), "{other:#?}");
    assert!(share >= FLOOR, "{share:.1} % of at least {FLOOR} %");
}
