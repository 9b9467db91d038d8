//! The pack editor: write or paste a pack, and see its faults and a working chart while typing. The
//! draft is saved. Any text is safe: it is read under limits, its odds are limited, and its cases
//! are tried in slices, so that the page stays responsive.

mod compare;
mod form;
mod opened;
mod paste;
mod view;

use super::chart;
use crate::app::{self, Kept, Page, Shared};
use crate::message::{Command, Message as Outer, Now, Reply, ReplyTo};
use adjutant_engine::{CaseReport, try_suite};
use adjutant_pack::format::{CasesFile, Completions, PackFile, complete};
use adjutant_pack::{Diagnostic, Files, Pack, Suite, looks_like_bundle, read_cases, read_pack};
use adjutant_wording::en::page::{pack_editor as text, packs};
use compare::{Base, Comparison};
use opened::Replacement;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// The largest file and the most files of a draft.
const LARGEST: usize = 256 << 10;
const MOST_FILES: usize = 8;
/// How many rolls the odds of an unknown pack may try.
const MAX_ROLLS: usize = 10_000;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Starts from a pack, or from a new one if empty.
    StartFrom(String),
    /// Answers whether the draft may be replaced.
    ConfirmReplace(bool),
    /// Opens a file.
    OpenFile(String),
    /// The new text of the file.
    Edit(String),
    /// The caret rests after this many UTF-16 units of the text.
    Caret(String),
    /// Writes one of the keys and values that fit there.
    Complete(usize),
    /// Adds a file: the fields of a form.
    AddFile(std::collections::BTreeMap<String, String>),
    /// Removes a file.
    RemoveFile(String),
    /// Imports a file: its name and text.
    Import(String, String),
    /// Downloads a file.
    Export(String),
    /// Downloads all files.
    ExportAll,
    /// Shows a fault, by its place in the list.
    ShowFault(usize),
    /// Tries cases of a pack that was replaced.
    RunCases,
    /// Shows another chart.
    ShowChart(String),
    /// In the chart.
    Chart(chart::Message),
    /// Installs the pack.
    Install,
    /// Uninstalls the pack.
    Uninstall,
    /// In "Paste a sheet".
    Paste(paste::Message),
    /// Shows the form of the chart in place of the text.
    ShowForm,
    /// Changes the text through the form.
    Form(form::Edit),
}

/// The draft, as it is saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SavedDraft {
    file: String,
    files: Vec<(String, String)>,
    /// The id of the pack that it was started from.
    from: String,
    /// Another pack was pasted: the cases are of the one before, and are not tried.
    old_cases: bool,
}

/// The state of this screen.
#[derive(Debug)]
pub struct State {
    draft: SavedDraft,
    /// The text that the browser was given last; what is typed is not sent back.
    shown_text: String,
    /// Counts the texts that were given, so that each has a new text area.
    turn: u64,
    /// The byte at which the caret rests.
    caret: Option<usize>,
    doubt: Option<Replacement>,
    /// Whether the draft is the unchanged template.
    pattern: bool,
    refused: Option<String>,
    faults: Vec<Diagnostic>,
    /// The last pack without faults.
    pack: Option<Arc<Pack>>,
    chart: chart::State,
    cases: Cases,
    comparison: Comparison,
    /// Whether the form is shown in place of the text of `pack.toml`.
    show_form: bool,
    paste: paste::State,
    /// Counts the saves of packs.
    saves: u64,
    saving: Saving,
}

/// Whether the pack that was put into use last is saved.
#[derive(Debug, Default)]
enum Saving {
    #[default]
    Done,
    /// The save with the current number is under way.
    Waiting {
        title: String,
        /// Whether "Paste a sheet" has put it into use, which says itself what became of it.
        pasted: bool,
    },
    /// It failed, with the browser's name for the reason.
    Failed { title: String, why: String },
}

/// The cases, and how many were tried.
#[derive(Debug, Default)]
struct Cases {
    /// The number of this run; replies for others are ignored.
    number: u64,
    suite: Suite,
    filled: Option<Box<Pack>>,
    /// How many were tried, and how many at once.
    done: usize,
    pieces: usize,
    trial: CaseReport,
}

impl Cases {
    fn size(&self) -> usize {
        self.suite.cases.len() + self.suite.grids.len()
    }
}

impl Default for State {
    fn default() -> State {
        State {
            draft: SavedDraft::default(),
            shown_text: String::new(),
            turn: 0,
            caret: None,
            doubt: None,
            pattern: false,
            refused: None,
            faults: Vec::new(),
            pack: None,
            chart: chart::State::within(|message| Outer::PackEditor(Message::Chart(message))),
            cases: Cases::default(),
            comparison: Comparison::default(),
            show_form: false,
            paste: paste::State::default(),
            saves: 0,
            saving: Saving::Done,
        }
    }
}

impl State {
    /// The address leads here: the saved draft is shown.
    pub fn open(&mut self, shared: &mut Shared) -> Vec<Command> {
        self.load(shared);
        // An empty editor starts with the template of a new pack, which is saved when it is
        // changed.
        if self.draft.files.is_empty() && shared.started {
            self.lay(shared, "");
            self.pattern = true;
        }
        self.show(None);
        self.check(shared)
    }

    /// The address leads to "Paste a sheet".
    pub fn open_paste(&mut self, shared: &mut Shared) -> Vec<Command> {
        self.load(shared);
        self.paste.open(shared)
    }

    /// Reads the saved draft, unless there is one already.
    fn load(&mut self, shared: &Shared) {
        if self.draft.files.is_empty() {
            let saved = shared
                .settings
                .draft
                .as_deref()
                .and_then(|text| serde_json::from_str::<SavedDraft>(text).ok());
            self.draft = saved.unwrap_or_default();
            self.draft.files.retain(|(name, text)| is_file(name) && text.len() <= LARGEST);
            self.draft.files.truncate(MOST_FILES);
        }
    }

    fn text_of(&self, name: &str) -> &str {
        self.draft.files.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text)
    }

    /// Shows a file, or the same one again.
    fn show(&mut self, file: Option<&str>) {
        if let Some(file) = file {
            file.clone_into(&mut self.draft.file);
        }
        if !self.draft.files.iter().any(|(name, _)| *name == self.draft.file) {
            self.draft.file =
                self.draft.files.first().map(|(name, _)| name.clone()).unwrap_or_default();
        }
        self.shown_text = self.text_of(&self.draft.file).to_owned();
        self.turn += 1;
        self.caret = None;
    }

    fn files(&self) -> Files {
        Files::of(self.draft.files.iter().cloned())
    }

    /// Reads the draft, and starts its cases.
    fn check(&mut self, shared: &Shared) -> Vec<Command> {
        let files = self.files();
        let read = read_pack(&files, None);
        let suite = read_cases(&files);
        self.faults = read.as_ref().err().cloned().unwrap_or_default();
        self.faults.extend(suite.as_ref().err().cloned().unwrap_or_default());
        self.cases = Cases { number: self.cases.number + 1, pieces: 1, ..Cases::default() };
        if let Ok(pack) = read {
            let pack = Arc::new(pack);
            self.cases.suite = suite.ok().filter(|_| !self.draft.old_cases).unwrap_or_default();
            if let Some(tables) = &self.cases.suite.tables {
                match read_pack(&files, Some(tables)) {
                    Ok(filled) => self.cases.filled = Some(Box::new(filled)),
                    Err(faults) => self.faults.extend(
                        faults
                            .into_iter()
                            .map(|fault| Diagnostic { file: "cases.toml".into(), ..fault }),
                    ),
                }
            }
            let shown = self.chart.shown().filter(|id| pack.chart(id).is_some()).map(str::to_owned);
            if let Some(id) =
                shown.or_else(|| pack.charts().first().map(|chart| chart.id.to_string()))
            {
                self.chart.show(shared, pack.clone(), &id, MAX_ROLLS);
            }
            let base = self.base(shared, &pack);
            self.comparison = Comparison::new(base, files, pack.clone());
            self.pack = Some(pack);
        }
        self.call()
    }

    /// The version that the draft is compared with: the one in use, else the one that it was started
    /// from.
    fn base(&mut self, shared: &Shared, pack: &Pack) -> Option<Base> {
        let known = shared.packs.ids().any(|id| pack.id() == id);
        let id = if known { pack.id() } else { self.draft.from.as_str() };
        let shipped = shared.packs.is_shipped(id);
        let files =
            if shipped { adjutant_bundled_packs::files(id)? } else { shared.packs.files(id)? };
        let same = self.comparison.base.take().filter(|base| base.files == files);
        same.or_else(|| {
            let pack = Arc::new(read_pack(&files, None).ok()?);
            Some(Base { files, pack, shipped })
        })
    }

    fn call(&self) -> Vec<Command> {
        let open = self.cases.done < self.cases.size() || !self.comparison.is_done();
        if open {
            vec![Command::NextFrame { reply_to: ReplyTo::PackEditor(self.cases.number) }]
        } else {
            Vec::new()
        }
    }

    fn keep(&self, shared: &mut Shared) -> Command {
        let text = (!self.draft.files.is_empty())
            .then(|| serde_json::to_string(&self.draft).unwrap_or_default());
        shared.settings.set_draft(text)
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        self.refused = None;
        match message {
            Message::StartFrom(id) => return self.replace(shared, Replacement::Pack(id)),
            Message::ConfirmReplace(yes) => match self.doubt.take() {
                Some(by) if yes => return self.start(shared, by),
                _ => {}
            },
            Message::ShowForm => self.show_form = true,
            Message::Form(edit) => return self.fill_in(shared, &edit),
            Message::OpenFile(name) => {
                self.show_form = false;
                self.show(Some(&name));
                return vec![self.keep(shared)];
            }
            Message::Edit(value) => {
                return self.put(shared, &self.draft.file.clone(), value, false);
            }
            Message::Caret(units) => {
                let text = self.text_of(&self.draft.file);
                self.caret = units.parse().ok().map(|units| byte_after(text, units));
            }
            Message::Complete(place) => return self.complete(shared, place),
            Message::AddFile(fields) => {
                let name =
                    fields.get("name").map(|name| name.trim().to_owned()).unwrap_or_default();
                let text = self.text_of(&name).to_owned();
                return self.put(shared, &name, text, true);
            }
            Message::Import(name, value) if looks_like_bundle(&value) => {
                return self.open_bundle(shared, &name, &value);
            }
            Message::Import(name, value) => return self.put(shared, &name, value, true),
            Message::RemoveFile(name) => {
                self.draft.files.retain(|(known, _)| *known != name || name == "pack.toml");
                self.show(None);
                let mut todo = self.check(shared);
                todo.push(self.keep(shared));
                return todo;
            }
            Message::Export(name) => return vec![download(&name, self.text_of(&name))],
            Message::ExportAll => {
                return self.draft.files.iter().map(|(name, text)| download(name, text)).collect();
            }
            Message::ShowFault(place) => return self.go_to(place),
            Message::RunCases => {
                self.draft.old_cases = false;
                let mut todo = self.check(shared);
                todo.push(self.keep(shared));
                return todo;
            }
            Message::ShowChart(id) => {
                if let Some(pack) = self.pack.clone().filter(|pack| pack.chart(&id).is_some()) {
                    self.chart.show(shared, pack, &id, MAX_ROLLS);
                }
            }
            Message::Chart(message) => {
                let mut todo = self.chart.update(shared, now, message);
                // This chart has no address.
                todo.retain(|command| !matches!(command, Command::Go { .. }));
                return todo;
            }
            Message::Install => return self.take_into_use(shared),
            Message::Paste(paste::Message::Use) => return self.use_sheet(shared, false),
            Message::Paste(paste::Message::ConfirmUse(true)) => {
                return self.use_sheet(shared, true);
            }
            Message::Paste(message) => return self.paste.update(shared, now, message),
            Message::Uninstall => {
                let Some(id) = self.pack.as_ref().map(|pack| pack.id().to_string()) else {
                    return Vec::new();
                };
                shared.packs.take_away(&id);
                self.saving = Saving::Done;
                let values = vec![(format!("own:{id}"), None)];
                let reply_to = app::ReplyTo::Kept(Kept::NoPack(id)).into();
                let mut todo = vec![Command::SaveValues { reply_to, values }];
                todo.extend(self.compare_again(shared));
                return todo;
            }
        }
        Vec::new()
    }

    /// Puts the pack of the pasted sheet into the editor and uses it. Files of another pack are
    /// replaced only if the author says so.
    fn use_sheet(&mut self, shared: &mut Shared, replace: bool) -> Vec<Command> {
        let Some(handed) = self.paste.hand_over(shared) else { return Vec::new() };
        let here = (!self.draft.files.is_empty() && !self.pattern).then(|| self.files().hash());
        let saved = here
            .as_deref()
            .is_none_or(|here| self.paste.given() == Some(here) || self.is_installed(shared, here));
        if !replace && !saved {
            self.paste.ask_use();
            return Vec::new();
        }
        self.lay_files(&handed.files, handed.pack.id());
        self.show(Some("pack.toml"));
        let mut todo = self.check(shared);
        todo.push(self.keep(shared));
        match self.put_into_use(shared) {
            Ok(save) => todo.push(save),
            Err(refused) => return refused,
        }
        todo.push(self.paste.used(shared, handed.pack.id(), handed.files.hash()));
        self.save(todo, handed.pack.title(), true)
    }

    /// Saves a pack with all that says that it is in use. The screen says so when it is saved.
    fn save(&mut self, todo: Vec<Command>, title: &str, pasted: bool) -> Vec<Command> {
        self.saves += 1;
        self.saving = Saving::Waiting { title: title.to_owned(), pasted };
        Command::save_together(todo, ReplyTo::EditorSaved(self.saves))
    }

    /// A pack was saved, or not.
    pub fn saved(&mut self, shared: &mut Shared, number: u64, reply: Reply) -> Vec<Command> {
        let Saving::Waiting { title, pasted } = &self.saving else { return Vec::new() };
        if number != self.saves {
            return Vec::new();
        }
        let (title, pasted) = (title.clone(), *pasted);
        let (saving, sentence) = match reply {
            Reply::Failed(why) => {
                let sentence = packs::not_saved(&title, &why);
                (Saving::Failed { title, why }, sentence)
            }
            _ => (Saving::Done, text::used(&title)),
        };
        self.saving = saving;
        vec![if pasted { Command::Announce(sentence) } else { shared.tell(sentence) }]
    }

    /// Whether one of the player's packs has exactly these files.
    fn is_installed(&self, shared: &Shared, hash: &str) -> bool {
        shared.packs.ids().any(|id| shared.packs.hash(id).as_deref() == Some(hash))
    }

    /// Copies the files of a pack into the draft.
    fn lay(&mut self, shared: &Shared, id: &str) {
        let files = match adjutant_bundled_packs::files(id) {
            Some(files) => files,
            None => shared
                .packs
                .files(id)
                .unwrap_or_else(|| adjutant_bundled_packs::skeleton(text::NEW_ID)),
        };
        self.lay_files(&files, id);
    }

    /// Copies files into the draft, which was started from a pack of this id.
    fn lay_files(&mut self, files: &Files, from: &str) {
        self.draft = SavedDraft {
            file: "pack.toml".into(),
            files: files
                .names()
                .map(|name| (name.to_owned(), files.text(name).unwrap_or_default().to_owned()))
                .collect(),
            from: from.to_owned(),
            old_cases: false,
        };
        self.draft.files.sort_by_key(|(name, _)| name != "pack.toml");
        (self.pack, self.doubt, self.pattern) = (None, None, false);
        self.saving = Saving::Done;
    }

    /// Changes a file.
    fn put(&mut self, shared: &mut Shared, name: &str, value: String, show: bool) -> Vec<Command> {
        self.pattern = false;
        let known = self.draft.files.iter().position(|(known, _)| known == name);
        self.refused = match known {
            _ if !is_file(name) => Some(text::not_a_name(name)),
            _ if value.len() > LARGEST => Some(text::too_large(name, value.len(), LARGEST)),
            None if self.draft.files.len() >= MOST_FILES => Some(text::too_many(MOST_FILES)),
            _ => None,
        };
        if let Some(why) = &self.refused {
            return vec![Command::Reject { sentence: why.clone(), focus: None }];
        }
        self.draft.old_cases = match name {
            "pack.toml" => self.draft.old_cases || self.is_another(&value),
            "cases.toml" => false,
            _ => self.draft.old_cases,
        };
        match known {
            Some(place) => self.draft.files[place].1 = value,
            None => self.draft.files.push((name.to_owned(), value)),
        }
        if show {
            self.show(Some(name));
        }
        let before = self.faults.len();
        let mut todo = self.check(shared);
        todo.push(self.keep(shared));
        if self.faults.len() != before {
            let said = if self.faults.is_empty() {
                text::SOUND.to_owned()
            } else {
                text::faults(self.faults.len())
            };
            todo.push(Command::Announce(said));
        }
        todo
    }

    /// Changes a file through the form of the chart that is shown.
    fn fill_in(&mut self, shared: &mut Shared, edit: &form::Edit) -> Vec<Command> {
        let shown = self.chart.shown();
        let form = shown.and_then(|chart| form::read(self.text_of("pack.toml"), chart));
        let text_of = |name: &str| self.text_of(name).to_owned();
        match form.and_then(|form| form::apply(&form, edit, text_of)) {
            Some((name, text)) => self.put(shared, &name, text, true),
            None => Vec::new(),
        }
    }

    /// Whether a text is another pack than the last one, not the same one after a change: it has
    /// another id and no chart of the other.
    fn is_another(&self, text: &str) -> bool {
        let others = self.draft.files.iter().filter(|(name, _)| name != "pack.toml").cloned();
        let files = Files::of(others.chain([("pack.toml".to_owned(), text.to_owned())]));
        let (Some(before), Ok(now)) = (&self.pack, read_pack(&files, None)) else { return false };
        let known = |id: &str| before.chart(id).is_some();
        before.id() != now.id() && !now.charts().iter().any(|chart| known(&chart.id))
    }

    fn go_to(&mut self, place: usize) -> Vec<Command> {
        let Some(fault) = self.faults.get(place).cloned() else { return Vec::new() };
        self.show_form = false;
        if fault.file != self.draft.file
            && self.draft.files.iter().any(|(name, _)| *name == fault.file)
        {
            self.show(Some(&fault.file));
        }
        vec![self.select(fault.span)]
    }

    /// Selects bytes of the text.
    fn select(&self, span: Range<usize>) -> Command {
        let text = self.text_of(&self.draft.file);
        let units = |end: usize| {
            text.char_indices().take_while(|(at, _)| *at < end).map(|(_, c)| c.len_utf16()).sum()
        };
        Command::Select { id: self.area(), from: units(span.start), to: units(span.end) }
    }

    /// The keys and values that fit where the caret rests.
    fn completions(&self) -> Completions {
        let file = match self.draft.file.as_str() {
            "pack.toml" => &PackFile::SECTION,
            "cases.toml" => &CasesFile::SECTION,
            _ => return Completions::default(),
        };
        let Some(caret) = self.caret else { return Completions::default() };
        let names = |section: &str| {
            let titles = form::titles(self.text_of("pack.toml"), section);
            titles.into_iter().map(|(id, _)| id).collect()
        };
        complete(file, self.text_of(&self.draft.file), caret, names)
    }

    /// Writes a key or a value at the caret. The example of a key is selected: the author's own value
    /// replaces it.
    fn complete(&mut self, shared: &mut Shared, place: usize) -> Vec<Command> {
        let Completions { at, list } = self.completions();
        let Some(chosen) = list.into_iter().nth(place) else { return Vec::new() };
        let mut text = self.text_of(&self.draft.file).to_owned();
        text.replace_range(at.clone(), &chosen.written);
        let end = at.start + chosen.written.len();
        let value = chosen.written.find(" = ").map_or(end, |sign| at.start + sign + " = ".len());
        let mut todo = self.put(shared, &self.draft.file.clone(), text, true);
        todo.push(self.select(value..end));
        todo
    }

    /// The id of the text area.
    fn area(&self) -> String {
        format!("editor-area-{}", self.turn)
    }

    fn take_into_use(&mut self, shared: &mut Shared) -> Vec<Command> {
        let title = self.pack.as_ref().map(|pack| pack.title().to_string()).unwrap_or_default();
        match self.put_into_use(shared) {
            Ok(save) => {
                let mut todo = self.save(vec![save], &title, false);
                todo.extend(self.compare_again(shared));
                todo
            }
            Err(refused) => refused,
        }
    }

    /// Another version is in use now.
    fn compare_again(&mut self, shared: &Shared) -> Vec<Command> {
        let Some(pack) = self.pack.clone() else { return Vec::new() };
        let base = self.base(shared, &pack);
        self.comparison = Comparison::new(base, self.files(), pack);
        // Work that goes on for the earlier comparison ends.
        self.cases.number += 1;
        self.call()
    }

    /// Adds the pack to the player's own. Gives the command that saves it, or says why it cannot be
    /// used.
    fn put_into_use(&mut self, shared: &mut Shared) -> Result<Command, Vec<Command>> {
        let Some(pack) = self.pack.clone().filter(|_| self.faults.is_empty()) else {
            return Err(vec![shared.tell(text::NOT_YET)]);
        };
        if shared.packs.is_shipped(pack.id()) {
            self.refused = Some(text::shipped(pack.id()));
            return Err(vec![Command::Reject { sentence: text::shipped(pack.id()), focus: None }]);
        }
        shared.packs.put(pack.id(), self.files());
        if let Some(tables) = shared.settings.tables.get(pack.id().as_str()) {
            // Tables that no longer fit stay saved.
            let _ = shared.packs.fill_in(pack.id(), Some(tables));
        }
        let texts: std::collections::BTreeMap<&str, &str> =
            self.draft.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let value = serde_json::to_string(&texts).unwrap_or_default();
        Ok(Command::SaveValue { key: format!("own:{}", pack.id()), value: Some(value) })
    }

    /// Tries the next cases, then goes on with the comparison.
    pub fn reply(&mut self, number: u64, reply: &Reply) -> Vec<Command> {
        let Reply::Elapsed(took) = *reply else { return Vec::new() };
        let (Some(pack), true) = (&self.pack, number == self.cases.number) else {
            return Vec::new();
        };
        let cases = &mut self.cases;
        cases.pieces =
            if took < 25 { (cases.pieces * 2).min(512) } else { (cases.pieces / 2).max(1) };
        if cases.done >= cases.size() {
            self.comparison.work(took);
            return self.call();
        }
        for _ in 0..cases.pieces {
            let Some(part) = compare::one(&cases.suite, cases.done) else { break };
            let tried =
                try_suite(pack, cases.filled.as_deref(), &part, adjutant_wording::en::case_error);
            cases.trial.passed += tried.passed;
            cases.trial.failures.extend(tried.failures);
            cases.trial.coverage.join(tried.coverage);
            cases.done += 1;
        }
        self.call()
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        view::page(self, shared)
    }

    /// The HTML of "Paste a sheet".
    pub fn view_paste(&self, shared: &Shared) -> Page {
        self.paste.view(shared, &self.saving)
    }
}

/// The byte after so many UTF-16 units of a text.
fn byte_after(text: &str, units: usize) -> usize {
    let mut left = units;
    let rest = text.chars().skip_while(|c| {
        let before = left > 0;
        left = left.saturating_sub(c.len_utf16());
        before
    });
    text.len() - rest.map(char::len_utf8).sum::<usize>()
}

/// Whether a pack may have a file of this name.
fn is_file(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fine = name.len() <= 64 && name.chars().all(plain) && !name.starts_with('.');
    fine && (matches!(name, "pack.toml" | "cases.toml" | "README.md") || name.ends_with(".csv"))
}

fn download(name: &str, text: &str) -> Command {
    let kind = if name.ends_with(".csv") { "text/csv" } else { "text/plain" };
    Command::Download { name: name.to_owned(), kind: kind.to_owned(), text: text.to_owned() }
}
