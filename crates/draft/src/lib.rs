//! Drafts a pack from a sheet. Text as OCR and `pdftotext -layout` write it, Markdown, HTML or a
//! spreadsheet goes in; a pack that passes the check and runs comes out, with an account of every
//! line.
//!
//! - [`draft`] reads a source. [`Options`] can say the format, and what a part of the source is.
//! - [`Draft`] holds the files of the pack, the [`Piece`]s with their bytes in the source, the
//!   [`Guess`]es, and what became of each line.
//!
//! The same source always gives the same draft. Nothing is read from elsewhere.
//!
//! ```
//! let sheet = "RALLY\nRoll 1d10.\n+1  Commander near\n-1  Unsupported\n\n1 or less   Lost\n2-5   No effect\n6 or more   Rallied\n";
//! let draft = adjutant_draft::draft(sheet, &Default::default()).unwrap();
//! assert!(draft.pack_toml().contains("[chart.rally]"));
//! ```

mod account;
mod amount;
mod band;
mod blocks;
mod dice;
mod ids;
mod link;
mod model;
mod num;
mod source;
mod token;
mod write;

pub use amount::Amount;
pub use band::{Band, BandEnd};
pub use dice::{Dice, Needs, RollLine, Test};
pub use model::*;
pub use num::Num;
pub use source::{read_entities, tag_end};

use adjutant_pack::{Files, read_pack};

/// The largest source, in bytes.
pub const LARGEST_SOURCE: usize = 2 << 20;
/// The most lines of a source.
pub const MOST_LINES: usize = 60_000;
/// The longest line, in bytes. A page of HTML may be one line.
pub const LONGEST_LINE: usize = 20_000;

/// The author's wishes for the draft of a source.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format; found by its look if it is not given.
    pub format: Option<Format>,
    /// The title of the pack; that of the sheet if it is not given.
    pub title: Option<String>,
    /// The title if the sheet has none of its own, such as the name of its file.
    pub name: Option<String>,
    /// The id of the pack; made of the title if it is not given.
    pub id: Option<String>,
    /// The kinds of parts of the source, where the author corrects the draft.
    pub overrides: Vec<Override>,
}

/// Why a source is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// There is no text.
    #[error("nothing to read")]
    Empty,
    /// It is too large.
    #[error("{size} bytes, at most {LARGEST_SOURCE}")]
    TooLarge {
        /// Its size in bytes.
        size: usize,
    },
    /// It has too many lines.
    #[error("{lines} lines, at most {MOST_LINES}")]
    TooManyLines {
        /// The number of lines of the source.
        lines: usize,
    },
    /// A line is too long for plain text.
    #[error("line {line} is longer than {LONGEST_LINE} bytes")]
    LongLine {
        /// Its number, from 1.
        line: usize,
    },
}

/// A pack made from a sheet, with an account of every line and every guess.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The format, given or found.
    pub format: Format,
    /// The id of the pack.
    pub id: String,
    /// The title of the pack.
    pub title: String,
    /// The files of the pack.
    pub files: Vec<(String, String)>,
    /// The pieces in reading order.
    pub pieces: Vec<Piece>,
    /// The decisions where the sheet leaves something open, by line.
    pub guesses: Vec<Guess>,
    /// The use of each line.
    pub lines: Vec<LineUse>,
    /// The charts: id, title and the pieces they are made of.
    pub charts: Vec<ChartOutline>,
}

/// A chart of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartOutline {
    /// Its id in the pack.
    pub id: String,
    /// The title as the sheet prints it.
    pub title: String,
}

impl Draft {
    /// The text of `pack.toml`.
    pub fn pack_toml(&self) -> &str {
        self.files.iter().find(|(name, _)| name == "pack.toml").map_or("", |(_, text)| text)
    }

    /// The number of lines for each use.
    pub fn account(&self) -> Account {
        account::count(&self.lines)
    }

    /// The lines of the source that were not understood: number and text.
    pub fn not_understood<'s>(&self, source: &'s str) -> impl Iterator<Item = (u32, &'s str)> {
        let missed = |(_, (_, use_)): &(u32, (&str, &LineUse))| **use_ == LineUse::NotUnderstood;
        (1..)
            .zip(source.split('\n').zip(&self.lines))
            .filter(missed)
            .map(|(n, (text, _))| (n, text))
    }
}

/// Reads a source and drafts a pack.
pub fn draft(source: &str, options: &Options) -> Result<Draft, DraftError> {
    let format = check_size(source, options)?;
    let rows = source::rows(source, format);
    // One line of HTML may hold any number of rows.
    if rows.len() > MOST_LINES {
        return Err(DraftError::TooManyLines { lines: rows.len() });
    }
    let mut read = blocks::read(&rows, &options.overrides);
    let mut sheet = link::link(&mut read, options.title.as_deref(), options.name.as_deref());
    let written = checked(&mut sheet, options.id.as_deref());
    let mut guesses = read.guesses;
    guesses.extend(written.guesses);
    for chart in sheet.charts.iter().filter(|chart| chart.refused) {
        guesses.push(Guess {
            kind: GuessKind::Refused,
            line: chart.line,
            at: chart.at.clone(),
            printed: chart.title.clone(),
            chart: None,
        });
    }
    let kept: Vec<&link::Chart> =
        sheet.charts.iter().filter(|chart| !chart.refused).take(write::MOST_CHARTS).collect();
    for guess in &mut guesses {
        // Guesses made while linking know the title.
        if let Some(chart) = kept.iter().find(|chart| guess.chart.as_ref() == Some(&chart.title)) {
            guess.chart = Some(chart.id.clone());
        }
    }
    guesses.sort_by_key(|guess| (guess.line, guess.at.start));
    guesses.dedup();
    for chart in &kept {
        for place in &chart.pieces {
            if let Some(piece) = read.list.get_mut(*place) {
                piece.charts.push(chart.id.clone());
            }
        }
    }
    for (place, piece) in read.list.iter_mut().enumerate() {
        piece.became = account::use_of(piece, place, &sheet);
    }
    let lines = account::lines(source, &read.list);
    let charts = kept
        .iter()
        .map(|chart| ChartOutline { id: chart.id.clone(), title: chart.title.clone() })
        .collect();
    Ok(Draft {
        format,
        id: written.id,
        title: sheet.title.clone(),
        files: vec![("pack.toml".into(), written.text)],
        pieces: read.list,
        guesses,
        lines,
        charts,
    })
}

fn check_size(source: &str, options: &Options) -> Result<Format, DraftError> {
    if source.trim().is_empty() {
        return Err(DraftError::Empty);
    }
    if source.len() > LARGEST_SOURCE {
        return Err(DraftError::TooLarge { size: source.len() });
    }
    let lines = source.split('\n').count();
    if lines > MOST_LINES {
        return Err(DraftError::TooManyLines { lines });
    }
    let format = options.format.unwrap_or_else(|| source::detect(source));
    if format != Format::Html
        && let Some(line) = source.split('\n').position(|line| line.len() > LONGEST_LINE)
    {
        return Err(DraftError::LongLine { line: line + 1 });
    }
    Ok(format)
}

/// Writes the pack until the check accepts it. A chart that it refuses is left out and said.
fn checked(sheet: &mut link::Sheet, id: Option<&str>) -> write::Written {
    for _ in 0..6 {
        let written = write::pack(sheet, id);
        let files = Files::of([("pack.toml", written.text.as_str())]);
        let Err(faults) = read_pack(&files, None) else { return written };
        let mut any = false;
        for fault in &faults {
            if let Some((place, _)) =
                written.charts.iter().find(|(_, span)| span.contains(&fault.span.start))
                && let Some(chart) = sheet.charts.get_mut(*place)
            {
                any |= !chart.refused;
                chart.refused = true;
            }
        }
        if faults.iter().any(|fault| written.front.contains(&fault.span.start)) {
            // Terms or phases that a pack cannot hold are kept as notes.
            let lost: Vec<Definition> =
                sheet.terms.drain(..).chain(sheet.phases.drain(..)).collect();
            sheet
                .about
                .extend(lost.iter().map(|term| format!("{}: {}", term.term.text, term.text)));
            any = true;
        }
        if !any {
            break;
        }
    }
    // Nothing but notes is always a pack.
    for chart in &mut sheet.charts {
        chart.refused = true;
    }
    let written = write::pack(sheet, id);
    if read_pack(&Files::of([("pack.toml", written.text.as_str())]), None).is_ok() {
        return written;
    }
    *sheet = link::Sheet { title: "Sheet".into(), ..link::Sheet::default() };
    write::pack(sheet, None)
}

pub(crate) use adjutant_pack::capital;
pub(crate) use blocks::{
    is_distance, names_scale, score_head, speaks_of_reach, titles_of, titles_shout,
};
