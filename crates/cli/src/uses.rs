//! What each verb uses besides its own arguments: packs, the player's tables, the store, and more.
//! The manual lists it (ENVIRONMENT, FILES), and a global option that a verb does not use is
//! refused.

use crate::args::Args;
use crate::error::CommandError;

/// What a verb uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// It looks for packs: `--packs`, ADJUTANT_PACKS, the folder of packs.
    pub packs: bool,
    /// It reads the player's own tables and decks: `--tables`.
    pub tables: bool,
    /// It reads or writes games: `--store`, ADJUTANT_STORE.
    pub store: bool,
    /// It acts as a player: ADJUTANT_NAME.
    pub player: bool,
    /// It keeps secrets of sealed rolls in the state folder.
    pub secrets: bool,
    /// It asks indexes of packs: ADJUTANT_INDEX.
    pub indexes: bool,
    /// It adds packs to the data folder, or removes them.
    pub added_packs: bool,
    /// It checks the owner's key: ADJUTANT_OWNER_KEY.
    pub owner: bool,
    /// It opens a browser.
    pub browser: bool,
}

const NOTHING: Uses = Uses {
    packs: false,
    tables: false,
    store: false,
    player: false,
    secrets: false,
    indexes: false,
    added_packs: false,
    owner: false,
    browser: false,
};
const PACKS: Uses = Uses { packs: true, ..NOTHING };
const RULES: Uses = Uses { tables: true, ..PACKS };
const STORE: Uses = Uses { store: true, ..NOTHING };
const GAME: Uses = Uses { store: true, ..RULES };
const PLAYER: Uses = Uses { player: true, ..GAME };
const SEALED: Uses = Uses { secrets: true, ..PLAYER };
const SERVER: Uses = Uses { owner: true, browser: true, ..GAME };
const ADDED: Uses = Uses { added_packs: true, ..NOTHING };
const INDEXES: Uses = Uses { indexes: true, ..ADDED };

impl Uses {
    /// What the verb with these words uses: `["game", "new"]`. `None` if there is no such verb. A
    /// verb that only holds others uses what they use.
    pub fn of(verb: &[&str]) -> Option<Uses> {
        Some(match verb {
            [] | ["game" | "unit"] => SEALED,
            ["packs" | "check" | "test"] => PACKS,
            ["charts" | "show" | "tables" | "roll" | "odds" | "fight" | "sim" | "draw"]
            | ["print"]
            | ["pack", "bundle"] => RULES,
            ["new" | "draft" | "schema" | "page" | "completions" | "man" | "help"]
            | ["pack", "unpack" | "index"] => NOTHING,
            ["pack"] => Uses { indexes: true, added_packs: true, ..RULES },
            ["pack", "search" | "add"] => INDEXES,
            ["pack", "update" | "list" | "remove"] => ADDED,
            ["serve"] => SERVER,
            ["game", "list" | "rename" | "archive"] => STORE,
            ["game", "show" | "log" | "check"]
            | ["unit", "list"]
            | ["pending" | "export" | "replay" | "verify" | "diff"] => GAME,
            // A log that lacks links which this device has revealed is refused.
            ["import"] => Uses { secrets: true, ..GAME },
            ["game", "new" | "note"]
            | ["unit", "add" | "set" | "import" | "remove"]
            | ["phase" | "land" | "consent" | "deck" | "option" | "memory"] => PLAYER,
            ["game", "join"]
            | ["play" | "next" | "undo" | "redo"]
            | ["seal" | "reveal" | "withdraw" | "release"] => SEALED,
            _ => return None,
        })
    }
}

/// Refuses options that were given and have no effect here. The text says where, and what to do.
pub fn without_effect(place: &str, given: &[(&str, bool)]) -> Result<(), CommandError> {
    let wrong = given.iter().filter(|(_, given)| *given);
    let wrong: Vec<String> =
        wrong.map(|(flag, _)| format!("{flag} has no effect {place}, or leave it out")).collect();
    if wrong.is_empty() { Ok(()) } else { Err(CommandError::usage(wrong)) }
}

/// A sentence for each global option that was given and that the verb does not use.
pub fn global_without_effect(args: &Args, verb: &[&str]) -> Vec<String> {
    let Some(uses) = Uses::of(verb) else { return Vec::new() };
    let all = [
        ("--packs", !args.packs.is_empty(), uses.packs),
        ("--tables", !args.tables.is_empty(), uses.tables),
        ("--store", args.store.is_some(), uses.store),
    ];
    let wrong = all.iter().filter(|(_, given, used)| *given && !*used);
    wrong
        .map(|(flag, ..)| format!("{flag} has no effect on `{}`: leave it out", verb.join(" ")))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use clap::CommandFactory;

    /// Every verb, with the words that name it.
    fn verbs(command: &clap::Command, above: &[String], found: &mut Vec<Vec<String>>) {
        for verb in command.get_subcommands() {
            let words = [above, &[verb.get_name().to_owned()]].concat();
            found.push(words.clone());
            verbs(verb, &words, found);
        }
    }

    #[test]
    fn what_every_verb_uses_is_known() {
        let mut all = Vec::new();
        verbs(&Args::command(), &[], &mut all);
        assert!(all.len() > 50);
        for words in all {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            assert!(Uses::of(&words).is_some(), "{words:?}");
        }
        assert_eq!(Uses::of(&["rol"]), None);
    }
}
