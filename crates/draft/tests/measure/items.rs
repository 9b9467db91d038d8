//! Items of a sheet: a modifier, a row of a table by scores, a cell of a grid, the dice of a chart.

use adjutant_draft::{Amount, Band, Content, Draft, GuessKind, Options, draft};
use adjutant_pack::{Pack, StepKind};
use std::collections::BTreeMap;

/// An item in one line, and whether the draft marks it as a guess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub text: String,
    pub guessed: bool,
}

/// Compares texts without case, blanks, full stops, and letters that OCR takes for digits.
pub fn plain(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .map(|c| match c {
            'l' | 'i' | '|' | '!' => '1',
            'o' => '0',
            '–' | '—' | '−' => '-',
            '’' | '‘' => '\'',
            '“' | '”' => '"',
            c => c,
        })
        .filter(|c| !c.is_whitespace() && *c != '.' && *c != ':' && *c != '*')
        .collect()
}

fn amount(amount: &Amount) -> String {
    match amount {
        Amount::Plus(n) if n.to_string().starts_with('-') => n.to_string(),
        Amount::Plus(n) => format!("+{n}"),
        Amount::Value { minus: false } => "+value".into(),
        Amount::Value { minus: true } => "-value".into(),
        Amount::Signed => "+-".into(),
        Amount::Times(n) => format!("x{n}"),
        Amount::Dice(n) => format!("{n:+}d"),
        Amount::Shift(n) => format!("{n:+}col"),
        Amount::Each { by, per, dice, .. } => {
            let sign = if by.to_string().starts_with('-') { "" } else { "+" };
            format!("each {sign}{by}{}/{per}", if *dice { "d" } else { "" })
        }
    }
}

fn band(band: Band) -> String {
    let end = |end: Option<(adjutant_draft::Num, bool)>, mark: &str| match end {
        None => String::new(),
        Some((n, true)) => n.to_string(),
        Some((n, false)) => format!("{mark}{n}"),
    };
    let natural = if band.natural { "natural " } else { "" };
    format!("{natural}{}..{}", end(band.from, ">"), end(band.to, "<"))
}

/// The items of the pieces that are in the pack.
pub fn items(draft: &Draft) -> Vec<Item> {
    let guessed = |line: u32| draft.guesses.iter().any(|guess| guess.line == line);
    let mut found = Vec::new();
    for piece in draft.pieces.iter().filter(|piece| !piece.charts.is_empty()) {
        match &piece.content {
            Content::Modifiers(list) => {
                for each in list {
                    let text = format!("m {} | {}", amount(&each.amount), each.label.text);
                    found.push(Item { text, guessed: each.guessed || guessed(each.line) });
                }
            }
            Content::Bands(table) => {
                for row in &table.rows {
                    let cells: Vec<&str> = row.cells.iter().map(|c| c.text.as_str()).collect();
                    let text = format!("b {} | {}", band(row.band), cells.join(" | "));
                    found.push(Item { text, guessed: row.guessed || guessed(row.line) });
                }
            }
            Content::Grid(grid) => {
                for row in &grid.rows {
                    for (column, cell) in
                        grid.columns.iter().zip(&row.cells).filter(|(_, c)| !c.text.is_empty())
                    {
                        let text = format!("c {} | {} | {}", row.head.text, column.text, cell.text);
                        found.push(Item { text, guessed: guessed(row.line) });
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The dice of each chart that rolls a fixed number of them: `r Morale | 2d6`.
fn rolls(draft: &Draft, pack: &Pack) -> Vec<Item> {
    let marked = |id: &str| {
        draft.guesses.iter().any(|guess| {
            guess.chart.as_deref() == Some(id)
                && matches!(guess.kind, GuessKind::Sides { .. } | GuessKind::PoolSize { .. })
        })
    };
    let mut found = Vec::new();
    for chart in pack.charts() {
        let dice = chart.steps.iter().find_map(|step| match &step.kind {
            StepKind::Roll(roll) => roll.written.as_ref().map(|(_, dice)| dice.to_string()),
            _ => None,
        });
        if let Some(dice) = dice {
            let text = format!("r {} | {dice}", chart.title);
            found.push(Item { text, guessed: marked(&chart.id) });
        }
    }
    found
}

/// How well a draft does.
#[derive(Clone, Debug, Default)]
pub struct Score {
    pub wanted: usize,
    pub found: usize,
    pub guessed: usize,
    /// Items that the sheet does not have and that are not marked.
    pub wrong: Vec<String>,
    pub missed: Vec<String>,
}

impl Score {
    pub fn add(&mut self, other: Score) {
        self.wanted += other.wanted;
        self.found += other.found;
        self.guessed += other.guessed;
        self.wrong.extend(other.wrong);
        self.missed.extend(other.missed);
    }

    pub fn recall(&self) -> f64 {
        100.0 * self.found as f64 / self.wanted.max(1) as f64
    }

    /// Prints the figures and compares them with the floor.
    pub fn hold(&self, set: &str, floor: f64) {
        println!(
            "{set}: {} of {} items ({:.1} %), {} of them marked as guesses, {} wrong without a mark",
            self.found,
            self.wanted,
            self.recall(),
            self.guessed,
            self.wrong.len()
        );
        for text in &self.missed {
            println!("  missed {text}");
        }
        for text in &self.wrong {
            println!("  WRONG {text}");
        }
        assert!(self.wrong.is_empty(), "{set}: {:#?}", self.wrong);
        assert!(self.recall() >= floor, "{set}: {:.1} % of at least {floor} %", self.recall());
    }
}

/// Drafts a source, checks that its pack can be used, and counts.
pub fn score(name: &str, source: &str, options: &Options, wanted: &[String]) -> Score {
    let made = draft(source, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let files = adjutant_pack::Files::of([("pack.toml", made.pack_toml())]);
    let pack = adjutant_pack::read_pack(&files, None)
        .unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
    let mut items = items(&made);
    if wanted.iter().any(|text| text.starts_with("r ")) {
        items.extend(rolls(&made, &pack));
    }
    compare(name, &items, wanted)
}

pub fn compare(name: &str, items: &[Item], wanted: &[String]) -> Score {
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for text in wanted {
        *left.entry(plain(text)).or_default() += 1;
    }
    let mut score = Score { wanted: wanted.len(), ..Score::default() };
    for item in items {
        match left.get_mut(&plain(&item.text)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                score.found += 1;
                score.guessed += usize::from(item.guessed);
            }
            // The same item twice, as where two sides share a list.
            Some(_) => {}
            None if item.guessed => {}
            None => score.wrong.push(format!("{name}: {}", item.text)),
        }
    }
    for text in wanted {
        if let Some(count) = left.get_mut(&plain(text)).filter(|count| **count > 0) {
            *count -= 1;
            score.missed.push(format!("{name}: {text}"));
        }
    }
    score
}
