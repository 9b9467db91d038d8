//! `adjutant draft`: a sheet becomes a pack, with a report of what was read, guessed and left.

use crate::atomic_file;
use crate::error::{CommandError, CommandResult};
use crate::json;
use crate::output::CommandOutput;
use crate::paint::{DIM, HEAD, NAME, Table, WARN, in_style};
use adjutant_draft::{Draft, Format, LARGEST_SOURCE, Options, PieceKind};
use adjutant_wording::en;
use anstyle::Style;
use anyhow::Context;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// How long `pdftotext` may take.
const LONGEST_PDF: Duration = Duration::from_secs(30);

/// `adjutant draft`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The pack passes the check and runs at once. Every line of the sheet is in the report: used, kept as a note, ignored or not understood. \
Where the sheet leaves something open, the report names the line and what was taken.
A PDF is read with pdftotext, which is part of Poppler.

Examples:
  adjutant draft sheet.txt                       writes a folder named after the sheet
  adjutant draft page-1.txt page-2.txt -o hill   several pages of one sheet
  adjutant draft sheet.pdf -o hill && adjutant check hill
  adjutant draft tables.csv --json               the findings as data; no folder unless -o is given"
)]
pub struct DraftArgs {
    /// The sheet: text, Markdown, HTML, CSV, TSV or PDF; - is standard input
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// The folder to write [default: the id of the pack]
    #[arg(short = 'o', long = "output", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// How the sheet is written [default: by its look]
    #[arg(long = "as", value_name = "FORMAT")]
    pub format: Option<SourceFormat>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SourceFormat {
    /// Plain text, with columns made of blanks or tabs
    Text,
    Markdown,
    Html,
    /// CSV or TSV
    Sheet,
}

impl From<SourceFormat> for Format {
    fn from(format: SourceFormat) -> Format {
        match format {
            SourceFormat::Text => Format::Text,
            SourceFormat::Markdown => Format::Markdown,
            SourceFormat::Html => Format::Html,
            SourceFormat::Sheet => Format::Sheet,
        }
    }
}

pub fn draft(asked: &DraftArgs) -> CommandResult {
    let source = Source::read(&asked.files)?;
    let name = asked.files[0].file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let options = Options {
        format: asked.format.map(Format::from).or(source.format),
        name: name.filter(|name| name != "-"),
        id: asked
            .output
            .as_deref()
            .and_then(Path::file_name)
            .map(|id| id.to_string_lossy().into_owned()),
        ..Options::default()
    };
    let draft = adjutant_draft::draft(&source.text, &options).map_err(|error| {
        CommandError::usage([format!("{}: {}", asked.files[0].display(), en::draft_error(&error))])
    })?;
    let folder = match (&asked.output, asked.json) {
        (Some(folder), _) => Some(folder.clone()),
        (None, true) => None,
        (None, false) => Some(PathBuf::from(&draft.id)),
    };
    if let Some(folder) = &folder {
        write(folder, &draft, &source)?;
    }
    if asked.json {
        return Ok(CommandOutput::done(json::pretty(&DraftJson::of(&draft, &source))));
    }
    let mut text = report(&draft, &source);
    if let Some(folder) = folder {
        let folder = folder.display();
        text.push_str(&format!("\n{folder} is written\n\n  adjutant check {folder}\n"));
        if let Some(chart) = draft.charts.first() {
            text.push_str(&format!("  adjutant roll {folder} {}\n", chart.id));
        }
    }
    Ok(CommandOutput::done(text))
}

/// The text of all files, and where each begins.
struct Source {
    text: String,
    format: Option<Format>,
    /// The name of each file and its first line.
    starts: Vec<(String, u32)>,
}

impl Source {
    fn read(files: &[PathBuf]) -> Result<Source, CommandError> {
        let mut source = Source { text: String::new(), format: None, starts: Vec::new() };
        for file in files {
            let bytes = read_file(file)?;
            let (text, format) = as_text(file, bytes)?;
            source.format = source.format.or(format);
            if !source.text.is_empty() {
                // A new page.
                source.text.push_str("\n\u{c}");
            }
            let line = source.text.matches('\n').count() as u32 + 1;
            source.starts.push((file.display().to_string(), line));
            source.text.push_str(text.trim_end_matches(['\n', '\u{c}']));
        }
        Ok(source)
    }

    /// A line with its file, if there are several.
    fn line(&self, line: u32) -> String {
        let Some((name, first)) = self.starts.iter().rev().find(|(_, first)| *first <= line) else {
            return line.to_string();
        };
        let own = line - first + 1;
        if self.starts.len() > 1 { format!("{name}:{own}") } else { own.to_string() }
    }
}

fn read_file(file: &Path) -> Result<Vec<u8>, CommandError> {
    let most = LARGEST_SOURCE as u64 * 20;
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin()
            .take(most)
            .read_to_end(&mut bytes)
            .context("standard input cannot be read")?;
        return Ok(bytes);
    }
    let open =
        std::fs::File::open(file).with_context(|| format!("{} cannot be read", file.display()))?;
    open.take(most)
        .read_to_end(&mut bytes)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(bytes)
}

fn as_text(file: &Path, bytes: Vec<u8>) -> Result<(String, Option<Format>), CommandError> {
    if bytes.starts_with(b"%PDF-") {
        return Ok((of_pdf(file)?, Some(Format::Text)));
    }
    let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let format = match ending.as_str() {
        "md" | "markdown" => Some(Format::Markdown),
        "html" | "htm" => Some(Format::Html),
        "csv" | "tsv" => Some(Format::Sheet),
        _ => None,
    };
    if bytes.contains(&0) {
        return Err(CommandError::usage([format!(
            "{} is not a text: a sheet is text, Markdown, HTML, CSV or PDF",
            file.display()
        )]));
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        // Old files are written in Latin-1.
        error.as_bytes().iter().map(|byte| char::from(*byte)).collect()
    });
    Ok((text, format))
}

/// The text of a PDF, with time and size limited.
fn of_pdf(file: &Path) -> Result<String, CommandError> {
    let shown = file.display();
    let child = Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8", "-l", "60"])
        .arg(file)
        .arg("-")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.map_err(|_| {
        CommandError::usage([format!(
            "{shown} is a PDF, and pdftotext is not installed. Install Poppler (poppler-utils), or copy the text out of a viewer into a .txt file"
        )])
    })?;
    let (sender, receiver) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = output.take(LARGEST_SOURCE as u64 + 1).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    let read = receiver.recv_timeout(LONGEST_PDF);
    let _ = child.kill();
    let _ = child.wait();
    let bytes = read.map_err(|_| {
        CommandError::usage([format!(
            "{shown}: pdftotext took longer than {} seconds",
            LONGEST_PDF.as_secs()
        )])
    })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.trim().is_empty() {
        return Err(CommandError::usage([format!(
            "{shown} holds no text, only pictures: read it with an OCR program first"
        )]));
    }
    Ok(text)
}

fn write(folder: &Path, draft: &Draft, source: &Source) -> Result<(), CommandError> {
    if folder.exists() {
        return Err(CommandError::usage([format!(
            "`{}` is there already: nothing was changed. Name another folder with -o",
            folder.display()
        )]));
    }
    let mut files: Vec<(String, Vec<u8>)> =
        draft.files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
    files.push(("README.md".into(), readme(draft, source).into_bytes()));
    atomic_file::write_folder(folder, &files, false)?;
    Ok(())
}

/// The report as a file of the pack.
fn readme(draft: &Draft, source: &Source) -> String {
    let names: Vec<&str> = source.starts.iter().map(|(name, _)| name.as_str()).collect();
    en::draft_readme(draft, &source.text, &names.join(", "), |line| source.line(line))
}

fn not_understood(draft: &Draft, source: &Source) -> Vec<(String, String)> {
    let missed = draft.not_understood(&source.text);
    missed.map(|(line, text)| (source.line(line), en::draft_line(text))).collect()
}

/// One table: what every piece became, and the guesses under it.
fn report(draft: &Draft, source: &Source) -> String {
    let account = draft.account();
    let mut text = format!(
        "{}: {} charts, read as {}\n",
        in_style(HEAD, draft.title.clone()),
        draft.charts.len(),
        en::draft_format(draft.format)
    );
    text.push_str(&format!(
        "{} lines used, {} kept as notes, {} ignored, {} not understood; {} guesses\n\n",
        account.used,
        account.notes,
        account.ignored,
        account.not_understood,
        draft.guesses.len()
    ));
    let mut table = Table::new(2);
    table.head(["line", "what", "chart", ""]);
    let mut guesses = draft.guesses.iter().peekable();
    let mut pieces: Vec<_> = draft
        .pieces
        .iter()
        .filter(|piece| piece.content.kind() != PieceKind::NotUnderstood)
        .collect();
    pieces.sort_by_key(|piece| piece.lines.0);
    let push_guess = |table: &mut Table, guess: &adjutant_draft::Guess| {
        let chart = guess.chart.clone().unwrap_or_default();
        table.row([
            (source.line(guess.line), DIM),
            ("guess".to_owned(), WARN),
            (chart, NAME),
            (en::draft_guess(guess), Style::new()),
        ]);
    };
    for piece in pieces {
        while let Some(guess) = guesses.next_if(|guess| guess.line < piece.lines.0) {
            push_guess(&mut table, guess);
        }
        let (first, last) = (source.line(piece.lines.0), source.line(piece.lines.1));
        let lines = if first == last {
            first
        } else {
            format!("{first}–{}", last.rsplit(':').next().unwrap_or(&last))
        };
        let shown = piece.at.first().and_then(|at| source.text.get(at.clone())).unwrap_or("");
        let shown: String = shown
            .lines()
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .take(50)
            .collect();
        table.row([
            (lines, DIM),
            (en::piece_kind(piece.content.kind()).to_owned(), Style::new()),
            (piece.charts.join(", "), NAME),
            (shown, DIM),
        ]);
    }
    for guess in guesses {
        push_guess(&mut table, guess);
    }
    for (line, shown) in not_understood(draft, source) {
        table.row([
            (line, DIM),
            (en::piece_kind(PieceKind::NotUnderstood).to_owned(), WARN),
            (String::new(), NAME),
            (shown, Style::new()),
        ]);
    }
    text.push_str(&table.print());
    text
}

/// A draft for scripts.
#[derive(Serialize)]
struct DraftJson {
    id: String,
    title: String,
    read_as: &'static str,
    lines: LinesJson,
    charts: Vec<ChartJson>,
    pieces: Vec<PieceJson>,
    guesses: Vec<GuessJson>,
    not_understood: Vec<MissedJson>,
    files: std::collections::BTreeMap<String, String>,
}

#[derive(Serialize)]
struct LinesJson {
    used: usize,
    notes: usize,
    ignored: usize,
    not_understood: usize,
}

#[derive(Serialize)]
struct ChartJson {
    id: String,
    title: String,
}

#[derive(Serialize)]
struct PieceJson {
    what: &'static str,
    first_line: u32,
    last_line: u32,
    bytes: Vec<(usize, usize)>,
    charts: Vec<String>,
}

#[derive(Serialize)]
struct GuessJson {
    line: u32,
    printed: String,
    guess: String,
    chart: Option<String>,
}

#[derive(Serialize)]
struct MissedJson {
    line: String,
    text: String,
}

impl DraftJson {
    fn of(draft: &Draft, source: &Source) -> DraftJson {
        let account = draft.account();
        DraftJson {
            id: draft.id.clone(),
            title: draft.title.clone(),
            read_as: en::draft_format(draft.format),
            lines: LinesJson {
                used: account.used,
                notes: account.notes,
                ignored: account.ignored,
                not_understood: account.not_understood,
            },
            charts: draft
                .charts
                .iter()
                .map(|chart| ChartJson { id: chart.id.clone(), title: chart.title.clone() })
                .collect(),
            pieces: draft
                .pieces
                .iter()
                .map(|piece| PieceJson {
                    what: en::piece_kind(piece.content.kind()),
                    first_line: piece.lines.0,
                    last_line: piece.lines.1,
                    bytes: piece.at.iter().map(|at| (at.start, at.end)).collect(),
                    charts: piece.charts.clone(),
                })
                .collect(),
            guesses: draft
                .guesses
                .iter()
                .map(|guess| GuessJson {
                    line: guess.line,
                    printed: guess.printed.clone(),
                    guess: en::draft_guess(guess),
                    chart: guess.chart.clone(),
                })
                .collect(),
            not_understood: not_understood(draft, source)
                .into_iter()
                .map(|(line, text)| MissedJson { line, text })
                .collect(),
            files: draft.files.iter().cloned().collect(),
        }
    }
}
