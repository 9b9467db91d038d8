//! Paste a sheet: the text of a quick-reference sheet becomes a pack. The source is shown in
//! pieces; the author says what a piece is or corrects its text, and the pack is drafted again.
//!
//! - [`blocks`] cuts the source into what is shown.
//! - [`corrections`] keeps what the author says about parts of the source.

mod blocks;
mod corrections;
mod view;

use super::{MAX_ROLLS, Saving};
use crate::app::{Page, Shared};
use crate::message::{Command, Message as Outer, Now};
use crate::screens::chart;
use adjutant_draft::{
    Draft, DraftError, Format, Guess, LARGEST_SOURCE, Options, Override, PieceKind,
};
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_wording::en::page::paste_sheet as text;
use blocks::Block;
use corrections::Correction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The longest source that is saved.
const LARGEST_SAVED: usize = 512 << 10;

/// A part of the screen, of which a phone shows one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    /// The source in pieces.
    #[default]
    Source,
    /// The list of guesses.
    Check,
    /// A chart that runs.
    Chart,
}

/// What the author can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The whole text was pasted or edited.
    Source(String),
    /// A file was opened: its name and text.
    Import(String, String),
    /// Starts with an example.
    Example,
    /// Asks before the text is removed.
    AskClear(bool),
    /// Removes the text.
    Clear,
    /// Shows another part.
    Tab(Tab),
    /// Shows the whole text as one field, or the pieces.
    EditAll(bool),
    /// Names the game.
    Title(String),
    /// Opens the piece that begins at this byte, or closes it.
    Select(usize),
    /// The first line that is meant.
    FromLine(String),
    /// The last line that is meant.
    ToLine(String),
    /// The open lines are this.
    Is(#[serde(with = "corrections::kind")] PieceKind),
    /// Takes back what was said about the open piece.
    Automatic,
    /// The new text of the open lines.
    EditLines(String),
    /// Shows a thing to check, by its place in the list.
    ShowCheck(usize),
    /// It is right, or it is not after all.
    Tick(usize),
    /// Shows a chart.
    ShowChart(String),
    /// Shows where a chart is in the source.
    ShowInSource(String),
    /// In the chart.
    Chart(chart::Message),
    /// Uses the pack: in the editor, and with the others.
    Use,
    /// Answers whether the files in the editor may be replaced.
    ConfirmUse(bool),
}

/// What is saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Saved {
    source: String,
    /// The name of the file, if it was one.
    file: String,
    title: String,
    corrections: Vec<Correction>,
    /// What was found right: the sentence, the printed text and the chart.
    ticked: BTreeSet<String>,
    /// The id of the pack in use, and the fingerprint of the files that the editor was given.
    used: Option<(String, String)>,
}

/// The lines that are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    /// The first byte of the piece.
    at: usize,
    first: u32,
    last: u32,
}

/// Something to look at.
#[derive(Debug, PartialEq)]
struct Check {
    line: u32,
    at: usize,
    sentence: String,
    printed: String,
    /// What the author sees of the source: the whole line, or for HTML the text in question.
    shown: String,
    chart: Option<String>,
}

impl Check {
    fn key(&self) -> String {
        let chart = self.chart.as_deref().unwrap_or_default();
        format!("{}\n{}\n{chart}", self.sentence, self.printed)
    }
}

/// The state of this screen.
#[derive(Debug)]
pub struct State {
    saved: Saved,
    tab: Tab,
    edit_all: bool,
    ask_clear: bool,
    ask_use: bool,
    open: Option<Open>,
    draft: Option<Draft>,
    error: Option<DraftError>,
    blocks: Vec<Block>,
    checks: Vec<Check>,
    pack: Option<Arc<Pack>>,
    chart: chart::State,
    /// Counts the sources that came from elsewhere, so that each has a new text area.
    turn: u64,
}

impl Default for State {
    fn default() -> State {
        let wrap = |message| Outer::PackEditor(super::Message::Paste(Message::Chart(message)));
        State {
            saved: Saved::default(),
            tab: Tab::default(),
            edit_all: false,
            ask_clear: false,
            ask_use: false,
            open: None,
            draft: None,
            error: None,
            blocks: Vec::new(),
            checks: Vec::new(),
            pack: None,
            chart: chart::State::within(wrap),
            turn: 0,
        }
    }
}

/// What "Use this pack" hands over.
pub struct Handed {
    pub pack: Arc<Pack>,
    pub files: Files,
}

impl State {
    /// The address leads here: the saved text is shown.
    pub fn open(&mut self, shared: &Shared) -> Vec<Command> {
        if self.draft.is_none() && self.saved.source.is_empty() {
            let saved = shared.settings.sheet.as_deref();
            self.saved = saved.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
            self.draft_again(shared);
        }
        Vec::new()
    }

    /// The author did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        match message {
            Message::Source(source) => return self.put(shared, source),
            Message::Import(file, source) => {
                self.take(shared, Saved { file, ..Saved::default() });
                return self.put(shared, source);
            }
            Message::Example => {
                self.take(shared, Saved::default());
                return self.put(shared, text::EXAMPLE_SHEET.to_owned());
            }
            Message::AskClear(ask) => self.ask_clear = ask,
            Message::Clear => {
                self.take(shared, Saved::default());
                return vec![self.keep(shared)];
            }
            Message::Tab(tab) => self.tab = tab,
            Message::EditAll(on) => {
                (self.edit_all, self.open) = (on, None);
                self.turn += 1;
            }
            Message::Title(title) => {
                self.saved.title = adjutant_pack::clip_to(title.trim(), 80).to_string();
                return self.changed(shared);
            }
            Message::Select(at) => self.select(shared, at),
            Message::FromLine(line) => {
                self.limit(|open, line| open.first = line.min(open.last), &line)
            }
            Message::ToLine(line) => {
                self.limit(|open, line| open.last = line.max(open.first), &line)
            }
            Message::Is(kind) => return self.correct(shared, kind),
            Message::Automatic => {
                for at in self.open_parts() {
                    corrections::clear(&mut self.saved.corrections, &at);
                }
                return self.changed(shared);
            }
            Message::EditLines(lines) => return self.edit_lines(shared, &lines),
            Message::ShowCheck(place) => return self.show_check(shared, place),
            Message::Tick(place) => {
                if let Some(key) = self.checks.get(place).map(Check::key)
                    && !self.saved.ticked.remove(&key)
                {
                    self.saved.ticked.insert(key);
                }
                return vec![self.keep(shared)];
            }
            Message::ShowChart(id) => {
                self.show_chart(shared, &id);
                self.tab = Tab::Chart;
            }
            Message::ShowInSource(id) => {
                let block = self.blocks.iter().find(|block| block.charts.contains(&id));
                let at = block.map(Block::start);
                (self.tab, self.edit_all) = (Tab::Source, false);
                return at.map(|at| Command::Jump(view::piece_id(at))).into_iter().collect();
            }
            Message::Chart(message) => {
                let mut todo = self.chart.update(shared, now, message);
                // This chart has no address.
                todo.retain(|command| !matches!(command, Command::Go { .. }));
                return todo;
            }
            // The editor carries these out.
            Message::Use => {}
            Message::ConfirmUse(_) => self.ask_use = false,
        }
        Vec::new()
    }

    /// Forgets everything but this.
    fn take(&mut self, shared: &Shared, saved: Saved) {
        *self = State { saved, turn: self.turn + 1, ..State::default() };
        self.draft_again(shared);
    }

    /// The whole text is this now.
    fn put(&mut self, shared: &mut Shared, source: String) -> Vec<Command> {
        let source = source.replace("\r\n", "\n");
        if source.len() > LARGEST_SOURCE {
            self.error = Some(DraftError::TooLarge { size: source.len() });
            return Vec::new();
        }
        let first = self.saved.source.trim().is_empty();
        corrections::follow(&mut self.saved.corrections, &self.saved.source, &source);
        self.saved.source = source;
        let mut todo = self.changed(shared);
        if let (true, Some(draft)) = (first, &self.draft) {
            let said = text::account(draft.charts.len(), &draft.account());
            todo.extend([Command::ScrollToTop, Command::Announce(said)]);
        }
        todo
    }

    /// Drafts again and saves.
    fn changed(&mut self, shared: &mut Shared) -> Vec<Command> {
        self.draft_again(shared);
        vec![self.keep(shared)]
    }

    fn keep(&self, shared: &mut Shared) -> Command {
        let wanted = !self.saved.source.is_empty() && self.is_saved();
        let text = wanted.then(|| serde_json::to_string(&self.saved).unwrap_or_default());
        shared.settings.set_sheet(text)
    }

    /// Whether the text is short enough to be saved.
    fn is_saved(&self) -> bool {
        self.saved.source.len() <= LARGEST_SAVED
    }

    fn options(&self) -> Options {
        let file = &self.saved.file;
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        let format = match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Some(Format::Markdown),
            "html" | "htm" => Some(Format::Html),
            "csv" | "tsv" => Some(Format::Sheet),
            _ => None,
        };
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Options {
            format,
            title: given(&self.saved.title),
            name: given(stem),
            id: self.saved.used.as_ref().map(|(id, _)| id.clone()),
            overrides: self.saved.corrections.iter().map(Override::from).collect(),
        }
    }

    fn draft_again(&mut self, shared: &Shared) {
        (self.ask_use, self.ask_clear) = (false, false);
        (self.draft, self.error, self.pack) = (None, None, None);
        (self.blocks, self.checks) = (Vec::new(), Vec::new());
        match adjutant_draft::draft(&self.saved.source, &self.options()) {
            Ok(draft) => {
                self.pack = read_pack(&files(&draft), None).ok().map(Arc::new);
                self.blocks = blocks::blocks(&self.saved.source, &draft);
                self.checks = checks(&draft, &self.blocks, &self.saved.source);
                self.draft = Some(draft);
            }
            Err(DraftError::Empty) => {}
            Err(error) => self.error = Some(error),
        }
        let shown = self.chart.shown().unwrap_or_default().to_owned();
        self.show_chart(shared, &shown);
        self.tab = if self.draft.is_none() { Tab::Source } else { self.tab };
    }

    /// Shows a chart, or the first if there is none of this id.
    fn show_chart(&mut self, shared: &Shared, id: &str) {
        let Some(pack) = &self.pack else { return };
        let known = pack.chart(id).or_else(|| pack.charts().first());
        let Some(id) = known.map(|chart| chart.id.to_string()) else { return };
        self.chart.show(shared, Arc::clone(pack), &id, MAX_ROLLS);
    }

    /// The block that is open.
    fn open_block(&self) -> Option<&Block> {
        let open = self.open?;
        let same = self.blocks.iter().find(|block| block.start() == open.at);
        same.or_else(|| self.blocks.iter().find(|block| block.holds(open.at)))
    }

    /// Opens a piece, or closes it. The chart beside it becomes one that uses the piece.
    fn select(&mut self, shared: &Shared, at: usize) {
        let block = self.blocks.iter().find(|block| block.start() == at);
        let same = self.open.is_some_and(|open| open.at == at);
        self.open = block.filter(|_| !same).map(|block| Open {
            at,
            first: block.lines.0,
            last: block.lines.1,
        });
        self.turn += 1;
        let charts = self.open_block().map(|block| block.charts.as_slice()).unwrap_or_default();
        let shown = self.chart.shown().is_some_and(|id| charts.iter().any(|chart| chart == id));
        if let (false, Some(id)) = (shown, charts.first().cloned()) {
            self.show_chart(shared, &id);
        }
    }

    fn limit(&mut self, change: fn(&mut Open, u32), line: &str) {
        let Some((first, last)) = self.open_block().map(|block| block.lines) else { return };
        if let (Some(open), Ok(line)) = (&mut self.open, line.trim().parse::<u32>()) {
            change(open, line.clamp(first, last));
            self.turn += 1;
        }
    }

    /// The parts of the source that are meant: the open lines of the open block.
    fn open_parts(&self) -> Vec<Range<usize>> {
        let (Some(open), Some(block)) = (self.open, self.open_block()) else { return Vec::new() };
        let lines = blocks::lines_at(&self.saved.source, open.first, open.last);
        let rows = block.rows.iter().map(|row| row.at.start..row.at.end.max(row.at.start + 1));
        rows.filter(|at| corrections::overlap(at, &lines)).collect()
    }

    /// Whether something was said about the open lines.
    fn is_corrected(&self) -> bool {
        let parts = self.open_parts();
        let said = self.saved.corrections.iter();
        said.clone().any(|one| parts.iter().any(|at| corrections::overlap(&one.at, at)))
    }

    fn correct(&mut self, shared: &mut Shared, kind: PieceKind) -> Vec<Command> {
        let parts = self.open_parts();
        if let Some(first) = parts.first().map(|at| at.start) {
            for at in parts {
                corrections::put(&mut self.saved.corrections, at, kind);
            }
            let todo = self.changed(shared);
            self.stay_at(first);
            return todo;
        }
        Vec::new()
    }

    /// Keeps the same lines open after a change.
    fn stay_at(&mut self, at: usize) {
        let found = self.blocks.iter().find(|block| block.holds(at));
        self.open = found.map(|block| Open {
            at: block.start(),
            first: block.lines.0,
            last: block.lines.1,
        });
    }

    fn edit_lines(&mut self, shared: &mut Shared, lines: &str) -> Vec<Command> {
        let Some(open) = self.open else { return Vec::new() };
        let at = blocks::lines_at(&self.saved.source, open.first, open.last);
        let mut source = self.saved.source.clone();
        let ends = source.get(at.clone()).is_some_and(|text| text.ends_with('\n'));
        let lines = lines.replace("\r\n", "\n");
        let end = if ends && !lines.ends_with('\n') { "\n" } else { "" };
        if !source.is_char_boundary(at.start) || !source.is_char_boundary(at.end) {
            return Vec::new();
        }
        source.replace_range(at, &format!("{lines}{end}"));
        let last = open.first + lines.trim_end_matches('\n').matches('\n').count() as u32;
        let todo = self.put(shared, source);
        self.open = Some(Open { last, ..open });
        todo
    }

    fn show_check(&mut self, shared: &Shared, place: usize) -> Vec<Command> {
        let Some(check) = self.checks.get(place) else { return Vec::new() };
        let (at, line, chart) = (check.at, check.line, check.chart.clone());
        (self.tab, self.edit_all) = (Tab::Source, false);
        self.stay_at(at);
        if let (Some(open), Some((first, last))) = (
            &mut self.open,
            self.blocks.iter().find(|block| block.holds(at)).map(|block| block.lines),
        ) {
            let line = line.clamp(first, last);
            (open.first, open.last) = (line, line);
        }
        self.turn += 1;
        if let (Some(chart), Some(pack)) = (chart, &self.pack)
            && pack.chart(&chart).is_some()
        {
            self.chart.show(shared, Arc::clone(pack), &chart, MAX_ROLLS);
        }
        self.open.map(|open| Command::Jump(view::piece_id(open.at))).into_iter().collect()
    }

    /// How many things are still to be checked.
    fn left(&self) -> usize {
        self.checks.iter().filter(|check| !self.saved.ticked.contains(&check.key())).count()
    }

    /// Hands the pack over, under an id that is free.
    pub fn hand_over(&mut self, shared: &Shared) -> Option<Handed> {
        let draft = self.draft.as_ref()?;
        let own = self.saved.used.as_ref().is_some_and(|(id, _)| *id == draft.id);
        let taken = |id: &str| !own && shared.packs.ids().any(|known| known == id);
        let id = match taken(&draft.id) {
            false => draft.id.clone(),
            true => {
                let free = (2..).map(|n| format!("{}-{n}", draft.id)).find(|id| !taken(id));
                free.unwrap_or_default()
            }
        };
        let options = Options { id: Some(id), ..self.options() };
        let draft = adjutant_draft::draft(&self.saved.source, &options).ok()?;
        let mut files = files(&draft);
        let from = adjutant_wording::en::page::paste_sheet::PASTED;
        let source = &self.saved.source;
        let readme = adjutant_wording::en::draft_readme(&draft, source, from, |n| n.to_string());
        files.put("README.md", readme);
        let pack = Arc::new(read_pack(&files, None).ok()?);
        Some(Handed { pack, files })
    }

    /// The fingerprint of the files that the editor was given last.
    pub fn given(&self) -> Option<&str> {
        self.saved.used.as_ref().map(|(_, hash)| hash.as_str())
    }

    /// Asks whether the files in the editor may be replaced.
    pub fn ask_use(&mut self) {
        self.ask_use = true;
    }

    /// The pack was taken over.
    pub fn used(&mut self, shared: &mut Shared, id: &str, hash: String) -> Command {
        self.saved.used = Some((id.to_owned(), hash));
        self.ask_use = false;
        self.draft_again(shared);
        self.keep(shared)
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared, saving: &Saving) -> Page {
        view::page(self, shared, saving)
    }
}

fn files(draft: &Draft) -> Files {
    Files::of(draft.files.iter().cloned())
}

/// The guesses, and what was not understood, by line.
fn checks(draft: &Draft, blocks: &[Block], source: &str) -> Vec<Check> {
    let short =
        |text: &str| adjutant_pack::clip_to(&text.trim().replace('\t', "  "), 80).to_string();
    let line_of = |block: &Block| {
        let row = block.rows.first().map(|row| row.at.clone()).unwrap_or_default();
        short(source.get(row).unwrap_or_default())
    };
    let lines: Vec<&str> = source.lines().collect();
    let shown = |guess: &Guess| match draft.format {
        Format::Html => short(&guess.printed),
        _ => short(lines.get(guess.line.max(1) as usize - 1).unwrap_or(&"")),
    };
    let guesses = draft.guesses.iter().map(|guess| Check {
        line: guess.line,
        at: guess.at.start,
        sentence: adjutant_wording::en::draft_guess(guess),
        printed: guess.printed.clone(),
        shown: shown(guess),
        chart: guess.chart.clone(),
    });
    let lost = blocks.iter().filter(|block| block.left_out);
    let lost = lost.map(|block| Check {
        line: block.lines.0,
        at: block.start(),
        sentence: text::NOT_UNDERSTOOD.to_owned(),
        printed: line_of(block),
        shown: line_of(block),
        chart: None,
    });
    let mut found: Vec<Check> = guesses.chain(lost).collect();
    found.sort_by_key(|check| check.line);
    found
}
