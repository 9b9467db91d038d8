//! Items of a sheet: a modifier, a row of a table by scores, a cell of a grid, the dice of a chart.

use adjutant_draft::{Amount, Band, Content, Draft, GuessKind, Options, Test, draft};
use adjutant_pack::{Pack, RolledDie, StepKind};
use std::collections::BTreeMap;

/// An item in one line, and whether the draft marks it as a guess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub text: String,
    pub guessed: bool,
}

/// Compares texts without case, blanks, full stops, and letters that OCR takes for digits. The words
/// that only repeat how often a modifier counts ("for every 3") may stand in its label or not.
pub fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let text = match text.split_once(" | ") {
        Some((title, dice)) if title.starts_with("r ") && dice.starts_with('d') => {
            format!("{title} | 1{dice}")
        }
        Some((band, cells)) if band.starts_with("b ") => {
            let cells: Vec<&str> = cells.split(" | ").map(without_subject).collect();
            format!("{} | {}", whole_end(band), cells.join(" | "))
        }
        Some((amount, label)) if amount.starts_with("m each ") => {
            format!("{amount} | {}", without_count(label))
        }
        Some((amount, label)) if amount.starts_with("m ") => {
            format!("{amount} | {}", without_joints(label))
        }
        _ => text,
    };
    text.chars()
        .map(|c| match c {
            'l' | 'i' | '|' | '!' => '1',
            'o' => '0',
            '–' | '—' | '−' => '-',
            '’' | '‘' => '\'',
            '“' | '”' => '"',
            c => c,
        })
        .filter(|c| !c.is_whitespace() && *c != '.' && !":*†‡,".contains(*c))
        .collect()
}

/// "falls back" of "it falls back".
fn without_subject(cell: &str) -> &str {
    let cell = cell.trim();
    ["it ", "they "].iter().find_map(|word| cell.strip_prefix(word)).unwrap_or(cell)
}

/// Below 4 is 3 or less, for whole numbers.
fn whole_end(band: &str) -> String {
    match band.split_once("..<").and_then(|(from, to)| Some((from, to.parse::<i32>().ok()?))) {
        Some((from, to)) => format!("{from}..{}", to - 1),
        None => band.to_owned(),
    }
}

/// "tired" of "if tired", and "skill" of "the pilot's skill".
fn without_joints(label: &str) -> &str {
    let joints = [
        "in ", "if ", "when ", "while ", "for ", "with ", "the ", "a ", "an ", "its ", "his ",
        "their ",
    ];
    match joints.iter().find_map(|word| label.strip_prefix(word)) {
        Some(rest) => without_joints(rest),
        None => label,
    }
}

/// "sections lost" of "for every 2 sections lost".
fn without_count(label: &str) -> String {
    let mut words: Vec<&str> = label.split_whitespace().collect();
    let counts = [
        "for", "every", "each", "per", "full", "a", "an", "je", "pro", "two", "three", "four",
        "five",
    ];
    let figure = |word: &str| word.trim_end_matches(['"', '%']).parse::<u32>().is_ok();
    while words.len() > 1 && (counts.contains(&words[0]) || figure(words[0])) {
        words.remove(0);
    }
    words.join(" ")
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
            // Rows by range are cells for a reader.
            Content::Bands(table)
                if by_range(&table.score) && table.rows.iter().all(|row| row.band.is_single()) =>
            {
                for row in &table.rows {
                    for (column, cell) in table.columns.iter().zip(&row.cells) {
                        let head = row.band.to_string();
                        let text = format!("c {head} | {column} | {}", cell.text);
                        found.push(Item { text, guessed: row.guessed || guessed(row.line) });
                    }
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
            Content::Roll(roll) => {
                let said = match &roll.test {
                    Some(Test::AtLeast(n)) => format!("t {n}.."),
                    Some(Test::AtMost(n)) => format!("t ..{n}"),
                    _ => continue,
                };
                found.push(Item { text: said, guessed: guessed(piece.lines.0) });
            }
            _ => {}
        }
    }
    found
}

/// A table with the scores across is a chart by scores in the draft, and cells for a reader.
fn turn(items: &mut Vec<Item>, draft: &Draft, wanted: &[String]) {
    for piece in draft.pieces.iter().filter(|piece| !piece.charts.is_empty()) {
        let Content::Bands(table) = &piece.content else { continue };
        let cells = |row: &adjutant_draft::BandRow| {
            let shown = row.band.to_string();
            let cell = |(column, cell): (&String, &adjutant_draft::PrintedCell)| {
                format!("c {column} | {shown} | {}", cell.text)
            };
            table.columns.iter().zip(&row.cells).map(cell).collect::<Vec<_>>()
        };
        let mut all: Vec<String> = table.rows.iter().flat_map(cells).collect();
        if by_range(&table.score) {
            all = table.rows.iter().flat_map(|row| by_distance(table, row, wanted)).collect();
        }
        let known = |text: &String| wanted.iter().any(|wanted| plain(wanted) == plain(text));
        if table.columns.len() < 2 || all.iter().filter(|text| known(text)).count() * 2 < all.len()
        {
            continue;
        }
        let texts: Vec<String> = table
            .rows
            .iter()
            .map(|row| {
                let cells: Vec<&str> = row.cells.iter().map(|c| c.text.as_str()).collect();
                format!("b {} | {}", band(row.band), cells.join(" | "))
            })
            .collect();
        items.retain(|item| !texts.contains(&item.text));
        items.extend(all.into_iter().map(|text| Item { text, guessed: false }));
    }
}

/// The cells of a row by distance, under its printed heading: the one with the numbers of its band.
fn by_distance(
    table: &adjutant_draft::BandTable,
    row: &adjutant_draft::BandRow,
    wanted: &[String],
) -> Vec<String> {
    let ends: Vec<String> =
        [row.band.from, row.band.to].into_iter().flatten().map(|(n, _)| n.to_string()).collect();
    let heads: Vec<&str> =
        wanted.iter().filter_map(|text| text.strip_prefix("c ")?.split(" | ").next()).collect();
    let numbers = |head: &str| -> Vec<String> {
        let parts = head.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let has = |head: &&&str| ends.iter().all(|end| head.contains(end.as_str()));
    let head = heads.iter().find(|head| numbers(head) == ends).or_else(|| heads.iter().find(has));
    let cell = |(column, cell): (&String, &adjutant_draft::PrintedCell)| {
        format!("c {} | {column} | {}", head.unwrap_or(&""), cell.text)
    };
    table.columns.iter().zip(&row.cells).map(cell).collect()
}

fn by_range(score: &str) -> bool {
    ["range", "distance", "hexes"].iter().any(|word| score.to_lowercase().contains(word))
}

/// The same thing said in another way: headings of two lines by the lower one, and a result with its
/// explanation in one cell.
fn same_item(found: &str, wanted: &str) -> bool {
    let parts = |text: &str| text.split(" | ").map(plain).collect::<Vec<_>>();
    match (parts(found).as_slice(), parts(wanted).as_slice()) {
        ([head, column, cell], [wanted_head, wanted_column, wanted_cell])
            if head.starts_with('c') =>
        {
            head == wanted_head
                && cell == wanted_cell
                && !wanted_column.is_empty()
                && column.ends_with(wanted_column)
        }
        ([band, cell], [wanted_band, first, second]) if band.starts_with('b') => {
            band == wanted_band && *cell == format!("{first}{second}")
        }
        _ => false,
    }
}

/// The dice of each chart that rolls a fixed number of them: `r Morale | 2d6`.
fn rolls(draft: &Draft, pack: &Pack) -> Vec<Item> {
    let marked = |id: &str| {
        draft.guesses.iter().any(|guess| {
            guess.chart.as_deref() == Some(id)
                && matches!(
                    guess.kind,
                    GuessKind::Sides { .. }
                        | GuessKind::PoolSize { .. }
                        | GuessKind::OneByOne { .. }
                        | GuessKind::SameTitle
                )
        })
    };
    // A title that was mended.
    let mended = |title: &str| {
        draft
            .guesses
            .iter()
            .any(|guess| matches!(&guess.kind, GuessKind::Repaired { read } if read == title))
    };
    let mut found = Vec::new();
    for chart in pack.charts() {
        let dice = chart.steps.iter().find_map(|step| match &step.kind {
            StepKind::Roll(roll) => roll.written.as_ref().map(|(_, dice)| dice.to_string()),
            _ => None,
        });
        // "One d6 per gun" is written as one die; only a number of dice that is wrong counts.
        let pool = chart.steps.iter().find_map(|step| match &step.kind {
            StepKind::Roll(roll) => match roll.kinds.first()?.die {
                RolledDie::Plain(sides) => Some(format!("1d{sides}")),
                // A d66 is read as tens and ones.
                RolledDie::Digits { sides, .. } => Some(format!("1d{sides}{sides}")),
                _ => None,
            },
            _ => None,
        });
        let guessed = marked(&chart.id) || mended(&chart.title) || dice.is_none();
        if let Some(dice) = dice.or(pool) {
            found.push(Item { text: format!("r {} | {dice}", chart.title), guessed });
        }
    }
    found
}

/// The figures of a draft.
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

    pub fn summary(&self, set: &str) {
        println!(
            "{set}: {} of {} items ({:.1} %), {} of them marked as guesses, {} wrong without a mark",
            self.found,
            self.wanted,
            self.recall(),
            self.guessed,
            self.wrong.len()
        );
    }

    /// Prints the figures, what is missed and what is wrong.
    pub fn print(&self, set: &str) {
        self.summary(set);
        for text in &self.missed {
            println!("  missed {text}");
        }
        for text in &self.wrong {
            println!("  WRONG {text}");
        }
    }

    /// Prints the figures and compares them with the floor.
    pub fn hold(&self, set: &str, floor: f64) {
        self.print(set);
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
    turn(&mut items, &made, wanted);
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
    // "Spotted on 8 or more" is a row for a reader, and a test of the dice in a chart.
    let mut tests: Vec<&str> =
        items.iter().filter_map(|item| item.text.strip_prefix("t ")).collect();
    for item in items.iter().filter(|item| !item.text.starts_with("t ")) {
        match left.get_mut(&plain(&item.text)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                score.found += 1;
                score.guessed += usize::from(item.guessed);
            }
            // The same item twice, as where two sides share a list.
            Some(_) => {}
            None if wanted.iter().any(|text| same_item(&item.text, text)) => {
                let text = wanted.iter().find(|text| same_item(&item.text, text));
                if let Some(count) = text.and_then(|text| left.get_mut(&plain(text)))
                    && *count > 0
                {
                    *count -= 1;
                    score.found += 1;
                    score.guessed += usize::from(item.guessed);
                }
            }
            None if item.guessed => {}
            None => score.wrong.push(format!("{name}: {}", item.text)),
        }
    }
    for text in wanted {
        if let Some(count) = left.get_mut(&plain(text)).filter(|count| **count > 0) {
            *count -= 1;
            let scores = text.strip_prefix("b ").and_then(|row| row.split_once(" | "));
            // "5 or 6 is a hit" on a six-sided die is 5 or more.
            let same = |test: &&str, scores: &str| {
                *test == scores || (test.ends_with("..") && scores.starts_with(*test))
            };
            let test = scores.and_then(|(scores, _)| tests.iter().position(|t| same(t, scores)));
            match test {
                Some(place) => {
                    tests.swap_remove(place);
                    score.found += 1;
                }
                None => score.missed.push(format!("{name}: {text}")),
            }
        }
    }
    score
}
