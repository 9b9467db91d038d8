//! Markup that the other readers do not know is written as Markdown or as a page of text first: AsciiDoc,
//! reStructuredText, Org, LaTeX, tables of a forum, and chats. The rows then get the bytes of the source.

mod asciidoc;
mod chat;
mod forum;
mod latex;
mod org;
mod rst;

use super::{RowCell, SheetRow, SourceLine, cell_text, lines};
use std::ops::Range;

/// The most lines that are looked at to tell what a source is.
const PROBE: usize = 400;

/// A source in other markup, with the bytes that each part of it came from.
#[derive(Default)]
pub(super) struct Copy {
    pub text: String,
    /// Where a part starts in the text, and its bytes in the source.
    parts: Vec<(usize, Range<usize>)>,
    /// Lines that only hold markup.
    left_out: Vec<Range<usize>>,
    /// It is Markdown, not a page of text.
    pub markdown: bool,
}

impl Copy {
    pub fn markdown() -> Copy {
        Copy { markdown: true, ..Copy::default() }
    }

    /// Adds a text that came from these bytes.
    pub fn push(&mut self, shown: &str, from: Range<usize>) {
        self.parts.push((self.text.len(), from));
        self.text.push_str(shown);
    }

    /// Adds a whole line.
    pub fn line(&mut self, shown: &str, from: Range<usize>) {
        self.push(shown, from);
        self.text.push('\n');
    }

    /// Adds a line as it is in the source.
    pub fn same(&mut self, line: SourceLine<'_>) {
        self.line(line.text, bytes(line));
    }

    /// Leaves out a line that only holds markup.
    pub fn skip(&mut self, line: SourceLine<'_>) {
        self.left_out.push(bytes(line));
        self.blank();
    }

    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Adds a row of a table.
    pub fn row(&mut self, cells: &[String], from: Range<usize>) {
        let cells: Vec<String> = cells.iter().map(|cell| cell.trim().replace('|', "/")).collect();
        self.line(&format!("| {} |", cells.join(" | ")), from);
    }

    /// Adds the line below the headings of a table.
    pub fn rule(&mut self, columns: usize) {
        self.text.push_str(&"|---".repeat(columns.max(1)));
        self.text.push_str("|\n");
    }

    /// The bytes in the source of a part of the text.
    fn bytes(&self, at: &Range<usize>) -> Range<usize> {
        let place = |at: usize| self.parts.partition_point(|part| part.0 <= at).saturating_sub(1);
        let (first, last) = (place(at.start), place(at.end.saturating_sub(1).max(at.start)));
        let (Some(first), Some(last)) = (self.parts.get(first), self.parts.get(last)) else {
            return 0..0;
        };
        first.1.start.min(last.1.start)..first.1.end.max(last.1.end)
    }

    /// Gives rows of the text their bytes and lines in the source.
    pub fn give_back(&self, source: &str, rows: &mut Vec<SheetRow>) {
        let starts: Vec<usize> = lines(source).iter().map(|line| line.start).collect();
        for row in rows.iter_mut() {
            for cell in &mut row.cells {
                let from = self.bytes(&cell.at);
                // The cell itself, if it stands there as it is.
                let near = source.get(from.clone()).unwrap_or_default();
                cell.at = match near.find(cell.text.as_str()).filter(|_| !cell.text.is_empty()) {
                    Some(at) => from.start + at..from.start + at + cell.text.len(),
                    None => from,
                };
            }
            let start = row.cells.iter().map(|cell| cell.at.start).min().unwrap_or(0);
            row.line = starts.partition_point(|line| *line <= start).max(1) as u32;
        }
        let strip = rows.last().map_or(0, |row| row.strip);
        let markup = |at: &Range<usize>| {
            let text = cell_text(source.get(at.clone()).unwrap_or_default());
            let line = starts.partition_point(|line| *line <= at.start).max(1) as u32;
            let cells = vec![RowCell { text, at: at.clone(), x: (0, 1) }];
            SheetRow { cells, line, strip, furniture: true, ..SheetRow::default() }
        };
        rows.extend(self.left_out.iter().filter(|at| !at.is_empty()).map(markup));
    }
}

/// The bytes of a line without the blanks at its end.
fn bytes(line: SourceLine<'_>) -> Range<usize> {
    line.start..line.start + line.text.trim_end().len()
}

/// A copy of a source in markup that no other reader knows.
pub(super) fn copy(source: &str) -> Option<Copy> {
    let all = lines(source);
    let probe = &all[..all.len().min(PROBE)];
    let count = |fits: &dyn Fn(&str) -> bool| probe.iter().filter(|l| fits(l.text.trim())).count();
    match () {
        () if latex::is_one(&count) => Some(latex::copy(&all)),
        () if asciidoc::is_one(&count) => Some(asciidoc::copy(&all)),
        () if org::is_one(&count) => Some(org::copy(&all)),
        () if rst::is_one(&count) => Some(rst::copy(&all)),
        () if forum::is_one(&count) => Some(forum::copy(&all)),
        () if chat::is_one(probe) => Some(chat::copy(&all)),
        () => None,
    }
}

/// Counts how many of the first lines fit.
type Count<'c> = &'c dyn Fn(&dyn Fn(&str) -> bool) -> usize;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::source::{detect, rows};

    /// The cells of each row, and the bytes of the first one.
    fn shown(source: &str) -> Vec<String> {
        let rows = rows(source, detect(source));
        for row in &rows {
            assert!(row.cells.iter().all(|cell| source.get(cell.at.clone()).is_some()));
        }
        rows.iter()
            .filter(|row| !row.furniture)
            .map(|row| row.cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("|"))
            .collect()
    }

    #[test]
    fn tables_of_many_kinds() {
        let wanted = ["Fire", "Roll|Effect", "1-2|Miss", "3+|Hit"];
        let asciidoc = "== Fire\n\n[options=\"header\"]\n|===\n|Roll |Effect\n\n|1-2\n|Miss\n\n|3+\n|Hit\n|===\n";
        let rst = "Fire\n----\n\n.. list-table::\n   :header-rows: 1\n\n   * - Roll\n     - Effect\n   * - 1-2\n     - Miss\n   * - 3+\n     - Hit\n";
        let drawn = ".. _x:\n\nFire\n----\n\n+------+--------+\n| Roll | Effect |\n+======+========+\n| 1-2  | Miss   |\n+------+--------+\n| 3+   | Hit    |\n+------+--------+\n";
        let org = "#+STARTUP: fold\n* Fire\n| Roll | Effect |\n|------+--------|\n| 1-2 | Miss |\n| 3+ | Hit |\n";
        let latex = "\\section{Fire}\n\\begin{tabular}{ll}\n\\hline\nRoll & \\textbf{Effect} \\\\ \\hline\n1--2 & Miss \\\\\n3+ & Hit \\\\\n\\end{tabular}\n";
        for source in [asciidoc, rst, drawn, org, latex] {
            assert_eq!(shown(source), wanted, "{source}");
        }
        let rows = rows(latex, detect(latex));
        assert_eq!((rows[3].line, &latex[rows[3].cells[1].at.clone()]), (6, "Hit"));
    }

    #[test]
    fn forums_and_chats() {
        let forum = "[b]Fire[/b]\n[table]\n[tr][td]Roll[/td][td]Effect[/td][/tr]\n[tr][td]1-2[/td][td]Miss[/td][/tr]\n[tr][td]3+[/td][td]Hit[/td][/tr]\n[/table]\n";
        assert_eq!(shown(forum), ["Fire", "Roll|Effect", "1-2|Miss", "3+|Hit"]);
        let chat = "[12/03/2024, 19:02:11] Hank: *Fire* - roll 1d6\n[12/03/2024, 19:03:02] Hank: 1-2 miss\n3+ hit\n[12/03/2024, 19:05:00] Walt: ok\n";
        assert_eq!(shown(chat), ["Fire - roll 1d6", "1-2 miss", "3+ hit", "ok"]);
    }
}
