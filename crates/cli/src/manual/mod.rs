//! `adjutant man`: a manual page for each verb, made from the same description as the help. The
//! parts that the help does not have (exit status, environment, files, see also) are in
//! [`sections`]; the examples are those of the help.

mod examples;
mod sections;

use crate::args::Args;
use crate::error::CommandResult;
use crate::output::CommandOutput;
use crate::uses::Uses;
use adjutant_pack::capital;
use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use examples::{Example, Prose};
use std::path::Path;

struct ManualPage {
    /// The name of its file: `adjutant-roll.1`.
    file: String,
    text: String,
}

pub fn man(dir: Option<&Path>) -> CommandResult {
    const CANNOT: &str = "the manual cannot be written";
    let pages = pages().context(CANNOT)?;
    let Some(dir) = dir else {
        let main = pages.into_iter().next().map(|page| page.text).unwrap_or_default();
        return Ok(CommandOutput::done(main));
    };
    std::fs::create_dir_all(dir).context(CANNOT)?;
    for page in &pages {
        std::fs::write(dir.join(&page.file), &page.text).context(CANNOT)?;
    }
    Ok(CommandOutput::done(format!("{} manual pages are in {}\n", pages.len(), dir.display())))
}

/// Every page, the main page first.
fn pages() -> std::io::Result<Vec<ManualPage>> {
    let mut command = Args::command();
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &mut Vec::new(), &mut pages)?;
    Ok(pages)
}

fn add_pages(
    command: &Command,
    verb: &mut Vec<String>,
    pages: &mut Vec<ManualPage>,
) -> std::io::Result<()> {
    pages.push(page(command, verb)?);
    for inner in command.get_subcommands() {
        verb.push(inner.get_name().to_owned());
        add_pages(inner, verb, pages)?;
        verb.pop();
    }
    Ok(())
}

/// The name of a verb's page, without its section: `adjutant-game-new`.
fn page_name(verb: &[impl AsRef<str>]) -> String {
    verb.iter().fold("adjutant".to_owned(), |name, word| format!("{name}-{}", word.as_ref()))
}

fn page(command: &Command, verb: &[String]) -> std::io::Result<ManualPage> {
    let words: Vec<&str> = verb.iter().map(String::as_str).collect();
    let uses = Uses::of(&words).unwrap_or_default();
    let name = page_name(verb);
    let man = Man::new(without_unused(command, uses))
        .title(name.to_uppercase())
        .source(concat!("adjutant ", env!("CARGO_PKG_VERSION")))
        .manual("Adjutant manual");
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (prose, examples) = examples::split(&help);
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    synopsis(command).to_writer(&mut text)?;
    man.render_description_section(&mut text)?;
    prose_of(&prose).to_writer(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.get_subcommands().next().is_some() {
        commands(command, verb).to_writer(&mut text)?;
    }
    examples_of(&examples).to_writer(&mut text)?;
    sections::all(&words, uses).to_writer(&mut text)?;
    // Each part brings the same preamble, which defines the apostrophe: once is enough.
    let preamble = Roff::new().render();
    let parts = String::from_utf8_lossy(&text).replace(&preamble, "");
    Ok(ManualPage { file: format!("{name}.1"), text: preamble + &parts })
}

/// The command without the global options that it does not use.
fn without_unused(whole: &Command, uses: Uses) -> Command {
    let unused = [("packs", uses.packs), ("tables", uses.tables), ("store", uses.store)];
    let hidden = unused.iter().filter(|(_, used)| !used).map(|(name, _)| *name);
    let own = hidden.filter(|name| whole.get_arguments().any(|arg| arg.get_id() == *name));
    let command = whole.clone().subcommand_value_name("command");
    own.fold(command, |command, name| command.mut_arg(name, |arg| arg.hide(true)))
}

/// The line of the help that says how the verb is written: options in one word, values by name.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    for (place, line) in usage.trim_start_matches("Usage:").trim().lines().enumerate() {
        if place > 0 {
            roff.control("br", []);
        }
        // The words to type as they are, then what they take.
        let line = line.trim();
        let words = line.split(' ').take_while(|word| !word.starts_with(['[', '<', '-']));
        let typed = words.map(|word| word.len() + 1).sum::<usize>().min(line.len());
        let (typed, taken) = line.split_at(typed);
        roff.text([bold(typed), roman(taken)]);
    }
    roff
}

/// The text of the help before its examples, behind the description.
fn prose_of(prose: &[Prose]) -> Roff {
    let mut roff = Roff::new();
    for part in prose {
        match part {
            // The page has a section for them.
            Prose::Paragraph(text) if text.starts_with("Exit codes:") => &mut roff,
            Prose::Paragraph(text) => roff.control("PP", []).text([roman(text.as_str())]),
            Prose::Verbatim(line) => {
                roff.control("RS", ["4"]).control("nf", []).text([roman(line.as_str())]);
                roff.control("fi", []).control("RE", [])
            }
        };
    }
    roff
}

fn commands(command: &Command, verb: &[String]) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    for inner in command.get_subcommands() {
        let name = page_name(&[verb, &[inner.get_name().to_owned()]].concat());
        let about = inner.get_about().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []).text([bold(name), roman("(1)")]).text([roman(about)]);
    }
    roff
}

fn examples_of(examples: &[Example]) -> Roff {
    let mut roff = Roff::new();
    if examples.is_empty() {
        return roff;
    }
    roff.control("SH", ["EXAMPLES"]);
    for example in examples {
        roff.control("PP", []);
        if !example.about.is_empty() {
            roff.text([roman(format!("{}:", capital(&example.about)))]);
        }
        roff.control("RS", ["4"]).control("nf", []).text([bold(example.line.as_str())]);
        roff.control("fi", []).control("RE", []);
    }
    roff
}

#[cfg(test)]
mod tests;
