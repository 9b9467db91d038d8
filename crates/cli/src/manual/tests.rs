#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use clap::Parser;
use std::collections::BTreeSet;

/// Every page, by its name.
fn all() -> Vec<(String, String)> {
    pages().unwrap().into_iter().map(|page| (page.file, page.text)).collect()
}

#[test]
fn every_verb_has_a_page_with_every_section() {
    let pages = all();
    assert!(pages.len() > 60, "{}", pages.len());
    for (file, text) in &pages {
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "EXAMPLES",
            "EXIT STATUS",
            "ENVIRONMENT",
            "SEE ALSO",
        ] {
            let heads =
                text.lines().filter(|line| line.replace('"', "") == format!(".SH {section}"));
            assert_eq!(heads.count(), 1, "{file}: {section}");
        }
        assert!(!text.contains(".SH EXTRA"), "{file}");
    }
    let files =
        |file: &str| pages.iter().find(|(known, _)| known == file).unwrap().1.contains(".SH FILES");
    assert!(files("adjutant-roll.1") && files("adjutant.1") && !files("adjutant-schema.1"));
}

#[test]
fn the_synopsis_is_the_usage_of_the_help() {
    let pages = all();
    let odds = &pages.iter().find(|(file, _)| file == "adjutant-odds.1").unwrap().1;
    let after = odds.split(".SH SYNOPSIS\n").nth(1).unwrap().lines().next().unwrap();
    let plain = after.replace("\\fB", "").replace("\\fR", "").replace("\\-", "-");
    assert_eq!(plain, "adjutant odds [OPTIONS] <PACK|DICE> [CHART] [NAME=VALUE]...");
}

#[test]
fn no_example_is_wider_than_the_help() {
    fn check(command: &Command) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples = help.split_once("Examples:\n").map_or("", |(_, examples)| examples);
        let examples = examples.split("\n\n").next().unwrap_or_default();
        for line in examples.lines() {
            let long = line.chars().count();
            assert!(long <= 100, "{}: {long} letters: {line}", command.get_name());
        }
        command.get_subcommands().for_each(check);
    }
    let mut command = Args::command();
    command.build();
    check(&command);
}

#[test]
fn see_also_names_pages_that_exist() {
    let known: BTreeSet<String> = all().into_iter().map(|(file, _)| file).collect();
    let mut command = Args::command();
    command.build();
    for verb in command.get_subcommands() {
        let related = sections::related(&[verb.get_name()]);
        assert!(related.len() > 1, "{} belongs to a group", verb.get_name());
        for name in related {
            assert!(known.contains(&format!("{name}.1")), "{name}");
        }
    }
}

/// The words of a line as a shell reads them, up to an operator of the shell. A pair of quotes is a
/// word, even an empty one.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    let operator = |word: &String| ["|", "&&", ">", "<"].contains(&word.as_str());
    words.into_iter().take_while(|word| !operator(word)).collect()
}

#[test]
fn every_example_is_a_line_that_the_command_accepts() {
    let mut command = Args::command();
    command.build();
    let mut queue = vec![&command];
    let mut seen = 0;
    while let Some(command) = queue.pop() {
        queue.extend(command.get_subcommands());
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let (_, examples) = examples::split(&help);
        for example in examples {
            // A pipe may end in the command, and `…` goes on with the example before.
            let Some(start) = example.line.find("adjutant") else { continue };
            for line in example.line[start..].split("; ") {
                // The command alone serves the page.
                let words =
                    crate::serve::or_serve(words(line).into_iter().map(Into::into).collect());
                seen += 1;
                if let Err(fault) = Args::try_parse_from(&words) {
                    assert_eq!(fault.exit_code(), 0, "{line}\n{fault}");
                }
            }
        }
    }
    assert!(seen > 120, "{seen}");
}

#[test]
fn every_variable_that_the_command_reads_is_in_the_manual() {
    let main = all().into_iter().next().unwrap().1;
    let serve = all().into_iter().find(|(file, _)| file == "adjutant-serve.1").unwrap().1;
    let search = all().into_iter().find(|(file, _)| file == "adjutant-pack-search.1").unwrap().1;
    let pages = [main, serve, search].concat().replace("\\-", "-");
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut names = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(path).unwrap();
            for (start, _) in text.match_indices("\"ADJUTANT_") {
                let rest = &text[start + 1..];
                names.insert(rest[..rest.find('"').unwrap()].to_owned());
            }
        }
    }
    // The shell sets this one; `adjutant completions` writes the script that does.
    names.remove("ADJUTANT_COMPLETE");
    names.remove("ADJUTANT_");
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        assert!(pages.contains(&name), "{name}");
    }
}

#[test]
fn help_is_split_into_prose_and_examples() {
    let (prose, examples) = examples::split(
        "One line\nand more.\n  shown as it is\n\nExamples:\n  adjutant a      does a\n  adjutant b --long\n                              does b",
    );
    assert_eq!(
        prose,
        [Prose::Paragraph("One line and more.".into()), Prose::Verbatim("shown as it is".into())]
    );
    let example = |line: &str, about: &str| Example { line: line.into(), about: about.into() };
    assert_eq!(examples, [example("adjutant a", "does a"), example("adjutant b --long", "does b")]);
}
