//! From pieces to charts: what stands under one title belongs together, and a chart without a table
//! may use one that stands elsewhere.

mod chart;
mod share;
mod strays;

use crate::blocks::Pieces;
use crate::dice::{self, RollLine};
use crate::ids::{Ids, Style, slug, title_case};
use crate::model::{Against, BandTable, Content, Definition, GuessKind, Modifier, WordTable};
use crate::titles_of;
use crate::token::tokens;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) use chart::{Chart, ChartRoll, ScoreTable, is_nothing, target};

/// Everything that a pack is written from.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub title: String,
    pub about: Vec<String>,
    pub charts: Vec<Chart>,
    pub terms: Vec<Definition>,
    pub phases: Vec<Definition>,
    /// Pieces that are used outside charts.
    pub used: BTreeSet<usize>,
    /// Titles that stand before a note.
    pub noted: BTreeSet<usize>,
}

/// The most charts that are searched for tables and modifiers that they share.
const MOST_LINKED: usize = 2 * crate::write::MOST_CHARTS;

/// Makes charts of the pieces.
pub(crate) fn link(pieces: &mut Pieces, given: Option<&str>, name: Option<&str>) -> Sheet {
    let mut linker = Linker {
        sheet: Sheet::default(),
        current: None,
        section: String::new(),
        section_piece: None,
        pending: Vec::new(),
        ids: Ids::default(),
        titles: 0,
        fresh: false,
        first_line: None,
        broken: false,
        side: None,
    };
    let first = pieces.list.iter().position(|piece| !matches!(piece.content, Content::Ignored));
    linker.first_line = first.and_then(|place| match &pieces.list[place].content {
        // The first section of a sheet without a name does not name it.
        Content::Title(title)
            if title.split_whitespace().count() <= 8 && !crate::blocks::is_turn(title) =>
        {
            Some((place, dice::of_title(title).0))
        }
        _ => None,
    });
    let all = pieces.list.len();
    for place in 0..all {
        linker.piece(place, pieces);
    }
    linker.end_chart();
    linker.place_notes(pieces);
    // A pack holds fewer charts than these; the rest of a long text is not searched for tables.
    let rest = linker.sheet.charts.split_off(linker.sheet.charts.len().min(MOST_LINKED));
    linker.join_passes(pieces);
    linker.share_tables(pieces);
    linker.share_modifiers(pieces);
    if !rest.is_empty() {
        linker.sheet.charts.extend(rest);
        linker.number_charts();
    }
    linker.name(given, name);
    linker.lower_titles(given.is_some(), pieces);
    linker.sheet
}

struct Linker {
    sheet: Sheet,
    current: Option<Chart>,
    section: String,
    section_piece: Option<usize>,
    /// Notes of sections without a chart: their place among the charts, and the piece.
    pending: Vec<(usize, usize, String)>,
    ids: Ids,
    titles: usize,
    /// Nothing has come since the title.
    fresh: bool,
    /// The title in the first line of the sheet, and its piece.
    first_line: Option<(usize, String)>,
    /// A piece that is not understood, or a note, has come since the last roll or list of the chart.
    broken: bool,
    /// Which of two rolls the next list of modifiers is for, if a title names its side.
    side: Option<usize>,
}

impl Linker {
    fn piece(&mut self, place: usize, pieces: &mut Pieces) {
        let piece = &pieces.list[place];
        let (line, at) = (piece.lines.0, piece.at.first().cloned().unwrap_or_default());
        match piece.content.clone() {
            Content::Title(title) if self.is_side(place, &title, pieces) => {}
            Content::Title(title) => self.title(place, &title),
            Content::Roll(roll) => {
                let alone = pieces.list[place + 1..]
                    .iter()
                    .find(|piece| !matches!(piece.content, Content::Note(_) | Content::Ignored))
                    .is_none_or(|piece| matches!(piece.content, Content::Title(_)));
                let strays = self.adopt_title(place, pieces) || self.is_elsewhere(line, pieces);
                self.roll(place, roll, alone, line, at);
                if let Some(chart) = &mut self.current {
                    chart.again |= strays;
                }
            }
            Content::Modifiers(list) => self.modifiers(place, list, (line, at), pieces),
            Content::Bands(table) if table.rows.iter().all(|row| row.band.natural) => {
                if let Some(chart) = &mut self.current {
                    chart.natural.extend(table.rows);
                    chart.pieces.insert(place);
                }
            }
            Content::Bands(table) => self.bands(place, table, (line, at), pieces),
            Content::Grid(grid) => self.grid(place, grid, (line, at)),
            Content::Definitions(list) => {
                self.sheet.terms.extend(list);
                self.used(place);
            }
            Content::Phases(list) => {
                self.sheet.phases.extend(list);
                self.used(place);
            }
            Content::Note(text) => {
                // "At most   2" limits the total of the roll above it.
                if let Some(roll) = self.current.as_mut().and_then(|chart| chart.rolls.last_mut())
                    && let Some(most) = at_most(&text)
                {
                    roll.most = Some(most);
                }
                self.note(place, text)
            }
            Content::Ignored | Content::NotUnderstood(_) => {}
        }
        let piece = &pieces.list[place].content;
        if !matches!(piece, Content::Title(_) | Content::Ignored) {
            self.fresh = false;
        }
        match piece {
            Content::NotUnderstood(_) => self.broken = true,
            Content::Title(_) | Content::Roll(_) => self.broken = false,
            _ => {}
        }
    }

    /// Modifiers are for the roll before them, or for the next one.
    fn modifiers(
        &mut self,
        place: usize,
        list: Vec<Modifier>,
        (line, at): (u32, Range<usize>),
        pieces: &mut Pieces,
    ) {
        let apart = self.broken && self.has_own_parts();
        self.broken = false;
        if apart {
            self.stand_near(&list, pieces);
        }
        let side = self.side;
        let chart = self.chart(line, &at);
        chart.pieces.insert(place);
        let last = chart.rolls.len().saturating_sub(1);
        let early = match chart.rolls.get_mut(side.unwrap_or(last).min(last)) {
            Some(roll) => {
                let early = std::mem::take(&mut roll.early);
                let before = roll.modifiers[..early].to_vec();
                roll.modifiers.extend(list);
                before
            }
            None => {
                chart.loose.extend(list);
                Vec::new()
            }
        };
        self.stand_near(&early, pieces);
    }

    /// A table by scores ends the chart that has one already.
    fn bands(
        &mut self,
        place: usize,
        table: BandTable,
        (line, at): (u32, Range<usize>),
        pieces: &Pieces,
    ) {
        if self.current.as_ref().is_some_and(|chart| !matches!(chart.reading, ScoreTable::Nothing))
        {
            self.end_chart();
        }
        let announced = place.checked_sub(1).is_some_and(
            |last| matches!(&pieces.list[last].content, Content::Note(text) if says_to_roll(text)),
        );
        let chart = self.chart(line, &at);
        chart.pieces.insert(place);
        // "Roll on this table for every model:" does not name the dice.
        if announced && chart.rolls.is_empty() && chart.titled.is_none() {
            let modifiers = std::mem::take(&mut chart.loose);
            let roll = ChartRoll::new(RollLine::default(), modifiers, line, at.clone());
            chart.rolls.push(roll);
        }
        // The rows name the sides that roll alike.
        if let Some(Against::Sides { first, second }) = &table.against
            && let [a, b] = chart.rolls.as_mut_slice()
            && a.line.both
        {
            let list = b.modifiers.clone();
            a.modifiers.extend(list);
            for (roll, name) in [(a, first), (b, second)] {
                roll.line.who = Some(name.clone());
                roll.line.both = false;
            }
        }
        chart.reading = ScoreTable::Bands(table);
    }

    /// A table by words is a chart of its own, unless its cells go with the roll beside it.
    fn grid(&mut self, place: usize, grid: WordTable, (line, at): (u32, Range<usize>)) {
        // Row heads that are the faces of the dice above: a table by scores.
        if let Some(table) = self.current.as_ref().and_then(|chart| chart.by_faces(&grid)) {
            let chart = self.chart(line, &at);
            chart.pieces.insert(place);
            chart.reading = ScoreTable::Bands(table);
            return;
        }
        let reading = ScoreTable::Grid(grid);
        // Numbers to reach go with the roll that stands before or after them.
        let announced = self.current.as_ref().is_some_and(|chart| chart.announces(&reading));
        let targets = reading.is_targets(false) || announced;
        let changed = self.current.as_ref().is_some_and(|chart| chart.changes(&reading));
        // "You need 7 or more" says what the roll needs: the table is for another.
        let decided = self.current.as_ref().is_some_and(|chart| {
            !announced && chart.rolls.iter().any(|roll| roll.line.test.is_some())
        });
        let own = self.current.as_ref().is_some_and(|chart| {
            decided
                || (!targets && !changed && (!chart.rolls.is_empty() || !chart.loose.is_empty()))
                || !matches!(chart.reading, ScoreTable::Nothing)
        });
        if own {
            self.end_chart();
        }
        let chart = self.chart(line, &at);
        chart.pieces.insert(place);
        chart.reading = reading;
        if !targets {
            self.end_chart();
        }
    }

    /// Marks modifiers that count for the chart only because they stand near it.
    fn stand_near(&self, list: &[Modifier], pieces: &mut Pieces) {
        let title = self.current.as_ref().map(|chart| chart.title.clone());
        for each in list {
            let (line, at) = (each.line, each.label.at.clone());
            pieces.guess(GuessKind::Nearness, line, at, &each.label.text);
            if let Some(guess) = pieces.guesses.last_mut() {
                guess.chart.clone_from(&title);
            }
        }
    }

    /// Tells if the chart has a roll, modifiers or a table already.
    fn has_own_parts(&self) -> bool {
        self.current.as_ref().is_some_and(|chart| {
            !chart.rolls.is_empty()
                || !chart.loose.is_empty()
                || !matches!(chart.reading, ScoreTable::Nothing)
        })
    }

    fn used(&mut self, place: usize) {
        self.sheet.used.insert(place);
        self.sheet.used.extend(self.section_piece);
    }

    fn title(&mut self, place: usize, title: &str) {
        let waits = self.current.as_ref().is_some_and(|chart| {
            (!chart.rolls.is_empty() && matches!(chart.reading, ScoreTable::Nothing))
                || chart.has_targets(!chart.rolls.is_empty() || chart.titled.is_some())
        });
        let part = title.to_lowercase().contains("modifier") && waits;
        if (titles_of(title) || part) && self.section_piece.is_some() {
            match &mut self.current {
                Some(chart) => drop(chart.pieces.insert(place)),
                None => drop(self.sheet.used.insert(place)),
            }
            return;
        }
        self.end_chart();
        // Two titles in a row: the first is that of the sheet, or of a part of it.
        if self.fresh && self.titles == 1 && self.sheet.title.is_empty() {
            self.sheet.title = std::mem::take(&mut self.section);
            self.sheet.used.extend(self.section_piece);
        }
        self.titles += 1;
        self.section = title.to_owned();
        self.section_piece = Some(place);
        self.fresh = true;
    }

    /// Takes the last table of the section up again, for a roll below it that names its numbers: "Roll
    /// 1d6, equal or beat the number".
    fn reopen(&mut self, roll: &RollLine, line: u32, at: &Range<usize>) -> bool {
        let (section, _) = counted_title(&self.section);
        let title = dice::of_title(&section).0;
        let Some(last) = self.sheet.charts.last().filter(|_| self.current.is_none()) else {
            return false;
        };
        if last.title != title || !last.rolls.is_empty() || !last.loose.is_empty() {
            return false;
        }
        let mut chart = last.clone();
        chart.rolls.push(ChartRoll::new(roll.clone(), Vec::new(), line, at.clone()));
        let fits = matches!(chart.reading, ScoreTable::Grid(_)) && chart.announces(&chart.reading);
        if fits {
            self.sheet.charts.pop();
            self.current = Some(chart);
        }
        fits
    }

    /// `alone`: nothing but notes follows the roll under its title.
    fn roll(&mut self, place: usize, roll: RollLine, alone: bool, line: u32, at: Range<usize>) {
        if self.reopen(&roll, line, &at) {
            self.chart(line, &at).pieces.insert(place);
            return;
        }
        // "Roll one die." below the table that it is for.
        if let Some(chart) = &mut self.current
            && alone
            && chart.rolls.is_empty()
            && chart.titled.is_none()
            && !roll.both
            && roll.dice.is_some()
            && let ScoreTable::Bands(table) = &chart.reading
            && dice::find(&tokens(&table.score)).is_none()
        {
            chart.pieces.insert(place);
            let modifiers = std::mem::take(&mut chart.loose);
            chart.rolls.push(ChartRoll::new(roll, modifiers, line, at));
            return;
        }
        let closed = self.current.as_ref().is_some_and(|chart| {
            let waits = chart.rolls.is_empty() && chart.reading.is_targets(false);
            !waits && !matches!(chart.reading, ScoreTable::Nothing)
        });
        // "Firer and target roll a d10 each" announces the two rolls that follow.
        if let Some(chart) = &mut self.current
            && !closed
            && !roll.both
            && roll.who.is_some()
            && chart.rolls.iter().all(|known| known.line.both && known.modifiers.is_empty())
        {
            chart.rolls.clear();
        }
        if let Some(chart) = &mut self.current
            && !closed
            && let [only] = chart.rolls.as_mut_slice()
            && only.is_said_again(&roll, &chart.title)
        {
            only.line.who = only.line.who.take().or(roll.who);
            chart.pieces.insert(place);
            return;
        }
        let again = self.current.as_ref().is_some_and(|chart| {
            chart.rolls.len() >= 2
                || (chart.rolls.len() == 1
                    && (roll.who.is_none() || chart.rolls[0].line.who == roll.who))
        });
        // A second sentence about the same dice adds what the first left out.
        if let Some(chart) = &mut self.current
            && !closed
            && let Some(last) = chart.rolls.last_mut()
            && roll.who.is_none()
            && (last.line.dice.is_none() || roll.dice.is_none())
        {
            last.line.dice = last.line.dice.or(roll.dice);
            last.line.total |= last.line.test.is_none() && roll.total;
            last.line.test = last.line.test.clone().or(roll.test);
            last.line.per = last.line.per.clone().or(roll.per);
            chart.pieces.insert(place);
            return;
        }
        if closed || again {
            self.end_chart();
        }
        let both = roll.both;
        let chart = self.chart(line, &at);
        chart.pieces.insert(place);
        let modifiers = std::mem::take(&mut chart.loose);
        chart.rolls.push(ChartRoll::new(roll.clone(), modifiers, line, at.clone()));
        if both {
            chart.rolls.push(ChartRoll::new(roll, Vec::new(), line, at));
        }
    }

    /// The chart that is being made.
    fn chart(&mut self, line: u32, at: &Range<usize>) -> &mut Chart {
        let (section, piece) = (self.section.clone(), self.section_piece);
        self.current.get_or_insert_with(|| {
            let (section, count) = counted_title(&section);
            let (title, titled) = dice::of_title(&section);
            let title = if title.is_empty() { "Chart".to_owned() } else { title };
            Chart {
                id: String::new(),
                title,
                rolls: Vec::new(),
                loose: Vec::new(),
                natural: Vec::new(),
                reading: ScoreTable::Nothing,
                notes: Vec::new(),
                pieces: piece.into_iter().collect(),
                titled,
                count,
                line,
                at: at.clone(),
                refused: false,
                again: false,
            }
        })
    }

    fn end_chart(&mut self) {
        self.side = None;
        let Some(mut chart) = self.current.take() else { return };
        if chart.rolls.len() == 1 {
            // Modifiers that stood between a table of numbers to reach and the roll.
            let loose = std::mem::take(&mut chart.loose);
            chart.rolls[0].modifiers.extend(loose);
        }
        if chart.rolls.first().is_some_and(|roll| roll.line.both) && chart.rolls.len() == 2 {
            // One list for both sides.
            let list = chart.rolls.last().map(|roll| roll.modifiers.clone()).unwrap_or_default();
            chart.rolls[0].modifiers.extend(list);
        }
        if let ScoreTable::Grid(grid) = &chart.reading
            && !grid.corner.is_empty()
            && let Some(last) =
                self.sheet.charts.iter().rev().take(20).find(|known| known.title == chart.title)
        {
            // A heading in capitals over the row heads is the title of the grid.
            let capitals = grid.corner == grid.corner.to_uppercase()
                && grid.corner.chars().filter(|c| c.is_alphabetic()).count() >= 3;
            chart.title = if capitals {
                grid.corner.clone()
            } else {
                format!("{}: {}", last.title, grid.corner)
            };
        }
        let rolls = |chart: &Chart| {
            chart.titled.is_some() || chart.rolls.iter().any(|roll| roll.line.dice.is_some())
        };
        let before = self.sheet.charts.iter().rev().take(6);
        chart.again |= rolls(&chart)
            && before.into_iter().any(|known| known.title == chart.title && rolls(known));
        chart.id = self.ids.take(slug(&chart.title, Style::Hyphen, "chart"), None, Style::Hyphen);
        self.sheet.charts.push(chart);
    }

    fn note(&mut self, place: usize, text: String) {
        match &mut self.current {
            Some(chart) => {
                chart.notes.push(text);
                chart.pieces.insert(place);
            }
            None => self.pending.push((self.sheet.charts.len(), place, text)),
        }
    }

    /// Puts the notes of sections without a chart with the chart before them, or in front.
    fn place_notes(&mut self, pieces: &Pieces) {
        // The last title before each note; the notes are in the order of their pieces.
        let (mut seen, mut own) = (0, None);
        // Notes in front of those of a chart, the last one first.
        let mut front: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (at, place, text) in std::mem::take(&mut self.pending) {
            for (title, piece) in pieces.list.iter().enumerate().take(place).skip(seen) {
                if matches!(piece.content, Content::Title(_)) {
                    own = Some(title);
                }
            }
            seen = place;
            let title = own.and_then(|own| match &pieces.list[own].content {
                Content::Title(title) => Some(title),
                _ => None,
            });
            // A note right under the title of a chart belongs to that chart.
            if let Some(chart) = self
                .sheet
                .charts
                .get_mut(at)
                .filter(|chart| own.is_some_and(|own| chart.pieces.contains(&own)))
            {
                front.entry(at).or_default().push(text);
                chart.pieces.insert(place);
                continue;
            }
            let last = at.checked_sub(1).and_then(|at| self.sheet.charts.get_mut(at));
            match (last, title) {
                (Some(chart), Some(title)) if *title != chart.title => {
                    chart.notes.push(format!("{title}: {text}"));
                    self.sheet.noted.extend(own);
                }
                (Some(chart), _) => chart.notes.push(text),
                (None, _) => self.sheet.about.push(text),
            }
        }
        for (at, notes) in front {
            self.sheet.charts[at].notes.splice(0..0, notes.into_iter().rev());
        }
    }

    /// Titles in Title Case, if the whole sheet has its titles in capitals.
    fn lower_titles(&mut self, given: bool, pieces: &mut Pieces) {
        let shouts = |text: &str| text == text.to_uppercase();
        let own = !given && shouts(&self.sheet.title);
        if !self.sheet.charts.iter().all(|chart| shouts(&chart.title)) {
            return;
        }
        for guess in &mut pieces.guesses {
            guess.chart = guess.chart.as_deref().map(title_case);
        }
        for chart in &mut self.sheet.charts {
            chart.title = title_case(&chart.title);
        }
        if own {
            self.sheet.title = title_case(&self.sheet.title);
        }
    }

    fn name(&mut self, given: Option<&str>, name: Option<&str>) {
        if let Some(given) = given {
            self.sheet.title = given.to_owned();
        }
        if self.sheet.title.is_empty() {
            self.sheet.title = match self.first_line.take() {
                Some((piece, own)) if !own.is_empty() => {
                    self.sheet.used.insert(piece);
                    own
                }
                _ => name.unwrap_or("Drafted sheet").to_owned(),
            };
        }
    }
}

/// Tells if a text tells to roll on the table that follows it.
fn says_to_roll(text: &str) -> bool {
    let tokens = tokens(text);
    let rolls_on = |pair: &[crate::token::Token]| {
        pair[0].is_any(&["roll", "rolls", "throw"])
            && pair[1].is_any(&["on", "once", "for", "on:", "again"])
    };
    text.trim_end().ends_with(':')
        && tokens.windows(2).any(rolls_on)
        && tokens.iter().any(|t| t.is_any(&["table", "chart", "following", "below"]))
}

/// The number of a line "At most 2", perhaps with a heading after it.
fn at_most(text: &str) -> Option<i32> {
    let mut words = text.split_whitespace();
    let starts = words.next()?.eq_ignore_ascii_case("at") && words.next()? == "most";
    let most = words.next()?.parse().ok()?;
    (starts && words.count() <= 1).then_some(most)
}

/// A title in capitals after a number, which is the number of dice: "2 CHARGE INTO MELEE".
pub(crate) fn counted_title(title: &str) -> (String, Option<u32>) {
    if let Some((number, rest)) = title.split_once(' ')
        && let Ok(count) = number.parse::<u32>()
        && (1..=6).contains(&count)
        && rest.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && rest == rest.to_uppercase()
    {
        return (rest.trim().to_owned(), Some(count));
    }
    (title.to_owned(), None)
}
