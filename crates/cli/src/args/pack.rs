//! Arguments of `adjutant pack`: packs as files that are handed on.

use crate::complete;
use clap::{Args as ClapArgs, Subcommand, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// `adjutant pack`
#[derive(Debug, Subcommand)]
pub enum PackVerb {
    /// Write a pack as one file, to hand it on
    #[command(
        after_help = "The same pack always gives the same file, and a changed byte is refused. Every command that takes a pack takes the file.
Your own tables and decks stay here unless you add them: they may be from a book that is not yours to hand on.

Examples:
  adjutant pack bundle my-game -o my-game.adjutant
  adjutant roll my-game.adjutant fire"
    )]
    Bundle {
        /// The pack's id or folder
        #[arg(add = ArgValueCompleter::new(complete::packs), value_hint = ValueHint::AnyPath)]
        pack: String,
        /// The file to write; - is standard output [default: ID.adjutant]
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
        /// Add your own tables and decks for the pack
        #[arg(long)]
        with_tables: bool,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
    /// Write the files of a bundle into a new folder, to change them
    #[command(after_help = "Examples:\n  adjutant pack unpack my-game.adjutant -o my-game")]
    Unpack {
        /// The bundle
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// The folder to make [default: the pack's id]
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: Option<PathBuf>,
    },
    /// Make an index of the packs in a folder, for any static host
    #[command(
        after_help = "The folder holds bundles, and folders of packs from which bundles are made. Put the whole folder on a web host, and players find
its packs with `adjutant pack search --index https://…/`.

Examples:
  adjutant pack index public --title \"Packs of our club\""
    )]
    Index {
        /// The folder
        #[arg(value_hint = ValueHint::DirPath)]
        dir: PathBuf,
        /// A title for the index
        #[arg(long)]
        title: Option<String>,
    },
    /// Find packs in indexes
    #[command(
        after_help = "An index is an https:// address, a file:// address, a file or a folder; to try one, also http://localhost. Without --index those
in ADJUTANT_INDEX are asked, else those that your packs are from.

Examples:
  adjutant pack search --index https://example.org/packs/
  adjutant pack search ancient skirmish"
    )]
    Search {
        /// Words that all stand in the id, title, author, text, language or licence
        words: Vec<String>,
        /// An index (repeatable; also ADJUTANT_INDEX)
        #[arg(long, value_name = "PLACE")]
        index: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Add a pack from an index or a bundle to your data folder
    #[command(
        after_help = "The pack is checked like any pack of a stranger, and pinned by its checksum. No pack takes the place of another.

Examples:
  adjutant pack add my-game --index https://example.org/packs/
  adjutant pack add my-game.adjutant"
    )]
    Add {
        /// The pack's id in an index, or a bundle: a file or an https:// address
        pack: String,
        /// An index (repeatable; also ADJUTANT_INDEX)
        #[arg(long, value_name = "PLACE")]
        index: Vec<String>,
    },
    /// Show what newer versions of added packs change, and take them
    #[command(
        after_help = "Without --yes, only what would change is shown; in a terminal you are asked.

Examples:
  adjutant pack update
  adjutant pack update my-game --yes"
    )]
    Update {
        /// The packs [default: all that were added]
        #[arg(id = "updated", value_name = "PACK")]
        packs: Vec<String>,
        /// Take the updates
        #[arg(long)]
        yes: bool,
    },
    /// List the packs that were added, with version, fingerprint and place
    #[command(after_help = "Examples:\n  adjutant pack list\n  adjutant pack list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a pack that was added
    #[command(after_help = "Examples:\n  adjutant pack remove my-game")]
    Remove {
        /// Its id
        pack: String,
    },
}

/// `adjutant diff`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Shows which charts, results and modifiers differ, which chances move, by how much and for which inputs (largest first), which cases
fail, and which recorded games would come out otherwise: those of your store, or the logs that you name. Layout and comments do not
count. A chart with few situations is compared in all of them; in others the largest shifts are searched for.

Examples:
  adjutant diff panzer8 my-panzer8
  adjutant diff old.adjutant new.adjutant --json
  adjutant diff HEAD~1:packs/panzer8 packs/panzer8          a commit, and the files as they are
  adjutant diff HEAD~1 .                                    the same in the pack's own folder
  adjutant diff panzer8 my-panzer8 --log hill.jsonl         would this game come out otherwise?"
)]
pub struct Diff {
    /// The earlier version: id, folder, bundle, or in git REVISION:PATH or REVISION
    #[arg(value_hint = ValueHint::AnyPath)]
    pub before: String,
    /// The later version
    #[arg(value_hint = ValueHint::AnyPath)]
    pub after: String,
    /// A log written by `export --as jsonl`, instead of the games of the store (repeatable)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log: Vec<String>,
    /// Time limit for the comparison of chances, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub max_time: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
