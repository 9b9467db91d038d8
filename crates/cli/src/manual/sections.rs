//! The sections of a manual page that the help does not have: EXIT STATUS, ENVIRONMENT, FILES and
//! SEE ALSO.

use super::page_name;
use crate::uses::Uses;
use clap_mangen::roff::{Roff, bold, italic, roman};

/// Verbs that belong together, for SEE ALSO.
const GROUPS: [&[&str]; 9] = [
    &["packs", "charts", "show", "roll", "odds", "fight", "sim", "draw"],
    &["game", "unit", "play", "pending", "next", "phase", "land", "deck", "option", "memory"],
    &["game", "play", "undo", "redo", "consent"],
    &["seal", "reveal", "withdraw", "release", "verify"],
    &["export", "import", "replay", "verify"],
    &["new", "draft", "check", "test", "schema", "tables", "pack", "diff"],
    &["print", "export", "odds"],
    &["serve", "page"],
    &["completions", "man", "help"],
];

pub(super) fn all(verb: &[&str], uses: Uses) -> Roff {
    let mut roff = Roff::new();
    exit_status(&mut roff, verb, uses);
    environment(&mut roff, uses);
    files(&mut roff, uses);
    see_also(&mut roff, verb);
    roff
}

fn entries(roff: &mut Roff, title: &str, list: &[(&str, &str)]) {
    if list.is_empty() {
        return;
    }
    roff.control("SH", [title]);
    for (name, text) in list {
        roff.control("TP", []).text([bold(*name)]).text([roman(*text)]);
    }
}

fn exit_status(roff: &mut Roff, verb: &[&str], uses: Uses) {
    let faults = match verb {
        ["check"] => "A pack has errors.",
        ["test"] => "A case failed, or a pack has errors.",
        ["replay"] => "A result differs from the log, or a game cannot be replayed.",
        ["verify"] => "The log has a fault: the message names the event.",
        ["game", "check"] => "The store is damaged, or a log has a fault.",
        ["import"] => "The log has a fault, or it forks from the game that is here.",
        ["pack", ..] => "A pack, a bundle or an index has errors.",
        _ if uses.store => "A pack, a log or the store has errors.",
        _ => "A pack has errors.",
    };
    let success = match verb {
        ["serve"] => "The server was stopped by SIGTERM, SIGINT or Ctrl-C.",
        _ => "Success.",
    };
    let mut list = vec![("0", success)];
    if uses.packs || uses.store || verb.first() == Some(&"pack") {
        list.push(("1", faults));
    }
    list.push(("2", "Invalid arguments, or what was asked cannot be done."));
    entries(roff, "EXIT STATUS", &list);
}

fn environment(roff: &mut Roff, uses: Uses) {
    let all = [
        (
            uses.packs,
            "ADJUTANT_PACKS",
            "Folders with more packs, or bundles, separated by colons (on Windows by semicolons).",
        ),
        (
            uses.store,
            "ADJUTANT_STORE",
            "Where games are stored, unless --store says otherwise: a file, or postgres://USER@HOST/DATABASE.",
        ),
        (
            uses.player,
            "ADJUTANT_NAME",
            "Your name as a player, unless --as says otherwise. Without it: USER, or USERNAME on Windows.",
        ),
        (
            uses.indexes,
            "ADJUTANT_INDEX",
            "Indexes of packs, separated by blanks, unless --index names one.",
        ),
        (
            uses.owner,
            "ADJUTANT_OWNER_KEY",
            "The key by which the server knows its owner: at least 16 characters. Without it the server makes a new key at each start and prints it.",
        ),
        (
            uses.packs || uses.store || uses.added_packs,
            "XDG_DATA_HOME",
            "The folder above the data folder. Without it: ~/.local/share.",
        ),
        (
            uses.secrets,
            "XDG_STATE_HOME",
            "The folder above the state folder. Without it: ~/.local/state.",
        ),
        (
            uses.browser,
            "DISPLAY, WAYLAND_DISPLAY",
            "Without one of them, the browser is opened only with --open (on Linux).",
        ),
        (true, "NO_COLOR", "If set and not empty, the output has no colour. --color overrides it."),
    ];
    let used = all.iter().filter(|(used, ..)| *used).map(|(_, name, text)| (*name, *text));
    entries(roff, "ENVIRONMENT", &used.collect::<Vec<_>>());
}

fn files(roff: &mut Roff, uses: Uses) {
    let all = [
        (
            uses.packs || uses.added_packs,
            "~/.local/share/adjutant/packs/",
            "Your packs: folders with a pack.toml, and bundles (.adjutant).",
        ),
        (
            uses.tables,
            "~/.local/share/adjutant/packs/PACK.tables.toml, PACK.DECK.csv",
            "Your own look-up tables and decks for a pack. adjutant-tables(1) prints a form to fill in.",
        ),
        (uses.store, "~/.local/share/adjutant/tables.db", "The games, in an SQLite database."),
        (
            uses.secrets,
            "~/.local/state/adjutant/sealed/",
            "The secrets of sealed rolls. They belong to this device: do not copy them.",
        ),
    ];
    let used = all.iter().filter(|(used, ..)| *used).map(|(_, name, text)| (*name, *text));
    entries(roff, "FILES", &used.collect::<Vec<_>>());
}

/// The pages that a page refers to: the main page, the one above, and those of its groups.
pub(super) fn related(verb: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut add = |name: String| {
        if name != page_name(verb) && !names.contains(&name) {
            names.push(name);
        }
    };
    add(page_name(&[""; 0]));
    let first = verb.first().copied();
    if let Some(above) = first {
        add(page_name(&[above]));
    }
    let groups = GROUPS.iter().filter(|group| first.is_some_and(|first| group.contains(&first)));
    match first {
        // The main page lists every verb already.
        None => ["roll", "odds", "game", "serve", "help"].iter().for_each(|v| add(page_name(&[v]))),
        Some(_) => groups.flat_map(|group| group.iter()).for_each(|v| add(page_name(&[v]))),
    }
    names
}

fn see_also(roff: &mut Roff, verb: &[&str]) {
    roff.control("SH", ["SEE ALSO"]);
    let names = related(verb);
    let mut line = Vec::new();
    for (n, name) in names.iter().enumerate() {
        line.extend([
            bold(name.as_str()),
            roman(if n + 1 < names.len() { "(1), " } else { "(1)" }),
        ]);
    }
    roff.text(line);
    roff.control("PP", []).text([
        roman("The guide to packs, the HTTP API and hosting are in "),
        italic("docs/"),
        roman(" of the source, and in "),
        italic("/usr/share/doc/adjutant/"),
        roman(" where a package was installed."),
    ]);
}
