//! The text after the options of a verb's help: paragraphs, lines to be shown as they are, and
//! examples. An example is a line to type and, behind several blanks, what it does.

/// A line to type, and what it does.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Example {
    pub line: String,
    pub about: String,
}

/// A part of the text before the examples.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Prose {
    /// Filled by the reader of the page.
    Paragraph(String),
    /// A line that stays as it is.
    Verbatim(String),
}

/// Behind as many blanks as this a line has no command, but more about the one before.
const DEEP: usize = 20;

pub(super) fn split(help: &str) -> (Vec<Prose>, Vec<Example>) {
    let (prose, examples) = match help.split_once("Examples:\n") {
        Some((prose, examples)) => (prose, examples),
        None => (help, ""),
    };
    // Other text may stand behind the examples, after an empty line.
    let (examples, more) = examples.split_once("\n\n").unwrap_or((examples, ""));
    let all = paragraphs(prose).into_iter().chain(paragraphs(more)).collect();
    (all, list(examples))
}

fn paragraphs(text: &str) -> Vec<Prose> {
    let mut paragraphs: Vec<Prose> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match (line.trim(), line.starts_with("  ")) {
            ("", _) => open = false,
            (line, true) => {
                paragraphs.push(Prose::Verbatim(line.to_owned()));
                open = false;
            }
            (line, false) => {
                match paragraphs.last_mut() {
                    Some(Prose::Paragraph(text)) if open => {
                        text.push(' ');
                        text.push_str(line);
                    }
                    _ => paragraphs.push(Prose::Paragraph(line.to_owned())),
                }
                open = true;
            }
        }
    }
    paragraphs
}

fn list(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        match examples.last_mut() {
            Some(last) if indent >= DEEP => {
                if !last.about.is_empty() {
                    last.about.push(' ');
                }
                last.about.push_str(line);
            }
            _ => {
                let (line, about) = line.split_once("   ").unwrap_or((line, ""));
                examples.push(Example { line: line.into(), about: about.trim().into() });
            }
        }
    }
    examples
}
