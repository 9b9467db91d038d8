//! Reads and checks *packs*: a wargame's quick-reference sheet as data.
//!
//! A pack is a folder with a `pack.toml`, optional CSV files for decks of cards, and optional test
//! cases in `cases.toml`. This crate parses those files, checks them, and reports every error at
//! once, each with its position in the file. The crate `engine` runs the result.
//!
//! - [`Files`] holds the files of a pack in memory, from a folder or from texts.
//! - [`Bundle`] is a pack as one file.
//! - [`read_pack`] parses and checks them. It returns a [`Pack`] or a list of [`Diagnostic`]s.
//! - [`Pack`] is the checked type: every name is looked up, every expression is typed and every
//!   table is complete. Its fields are private and only `read_pack` makes one, so every `Pack` can
//!   be run.
//! - [`Chart`] is the main part of a pack: it rolls dice or draws cards, adds modifiers, reads a
//!   table and applies the result. Its conditions and amounts are [`Formula`]s (module [`expr`]).
//! - [`Problem`](problem::Problem) says what is wrong as data. The crate `wording` turns it into
//!   sentences.
//! - [`warnings`] finds what a pack should avoid although it can be used.
//! - [`read_cases`] reads the test cases, and [`pack_of_csv`] makes a pack from a plain spreadsheet
//!   of cards.
//!
//! A pack with one chart:
//!
//! ```
//! let files = adjutant_pack::Files::of([("pack.toml", r#"
//! [pack]
//! id = "coin"
//! title = "Coin"
//! [result.heads]
//! title = "Heads"
//! [result.tails]
//! title = "Tails"
//! [chart.toss]
//! title = "Toss"
//! step = [ { roll = "1d2", as = "coin" } ]
//! read = { rows = [ { to = 1, all = "heads" }, { all = "tails" } ] }
//! "#)]);
//! let pack = adjutant_pack::read_pack(&files, None).unwrap();
//! assert_eq!(pack.chart("toss").unwrap().title, "Toss");
//! ```

mod binding;
mod bundle;
mod cases;
mod chart;
mod check;
mod diagnostic;
mod die;
mod draw;
mod effect;
pub mod expr;
mod fight;
mod files;
pub mod format;
mod heading;
mod ids;
mod layout;
mod look;
mod pack;
pub mod problem;
mod raw;
mod roll;
mod row;
mod ruling;
mod syntax;
mod text;
mod toml_1_0;
mod toml_text;
mod tree;
mod turn;
mod unknown_name;
mod value;
mod value_name;

pub use binding::*;
pub use bundle::{
    BUNDLE_ENDING, BUNDLE_FORMAT, Bundle, BundleError, LARGEST_BUNDLE, Supplied, looks_like_bundle,
    sum_of,
};
pub use cases::{Case, CaseInputs, Cell as GridCell, Expect, Grid, Suite, read_cases};
pub use chart::*;
pub use check::{
    LONGEST_TERM_TEXT, LONGEST_TERM_TITLE, MOST_CARDS, MOST_CHARTS, MOST_COLUMNS, MOST_FIGHTS,
    MOST_INPUTS, MOST_MODIFIERS, MOST_OPTIONS, MOST_ROWS, MOST_STEPS, MOST_TEMPLATES, MOST_TERMS,
    TABLES_FILE, UserDeckFile, UserFiles, pack_of_csv, read_pack, read_pack_with, warnings,
};
pub use diagnostic::Diagnostic;
pub use die::{Die, DieFace, ListWord, WordList};
pub use draw::*;
pub use effect::*;
pub use expr::{EvalError, Expr, Formula, Func, LinearSum, Lookup, Op, Range};
pub use fight::*;
pub use files::{Files, LARGEST_FILE, MOST_FILES, read_text};
pub use ids::*;
pub use layout::*;
pub use look::{AttributeLook, Harm, LONGEST_PATH, LONGEST_SHORT, Sign, Symbol};
pub use pack::*;
pub use roll::*;
pub use row::{ALWAYS, band_in_words, condition_in_words};
pub use ruling::{Only, Ruling};
pub use text::{CLIPPED, capital, clip, clip_to, with_article};
pub use toml_text::{toml_key, toml_text};
pub use tree::LONGEST_TEXT;
pub use turn::*;
pub use unknown_name::{MOST_LISTED, Noun, UnknownName, nearest};
pub use value::{Type, Value, Word, Words};
pub use value_name::{by_word, value_name};
