//! The `adjutant` command: a game's quick-reference sheet, run from the terminal.
//!
//! Every verb builds its whole answer first and then writes it, so that nothing is half said, and a
//! closed pipe ends the program quietly.

mod args;
mod ask;
mod atomic_file;
mod cards;
mod check;
mod complete;
mod diff;
mod draft;
mod error;
mod extras;
mod fight;
mod game;
mod help;
mod json;
mod manual;
mod new;
mod notation;
mod odds;
mod open_store;
mod output;
mod pack;
mod pack_registry;
mod paint;
mod print;
mod request;
mod roll;
mod schema;
mod sealed_folder;
mod secrets;
mod serve;
mod session;
mod setup;
mod show;
mod sim;
mod tell;
mod trial;
mod uses;
mod vary;
mod work;

use clap::{CommandFactory, FromArgMatches};
use error::{CommandError, CommandResult};
use std::io::Write;

fn main() -> std::process::ExitCode {
    if complete::asked() {
        return std::process::ExitCode::SUCCESS;
    }
    let matches =
        args::Args::command().get_matches_from(serve::or_serve(std::env::args_os().collect()));
    let args = args::Args::from_arg_matches(&matches).unwrap_or_else(|fault| fault.exit());
    args.color.unwrap_or_default().write_global();
    let output = match uses::global_without_effect(&args, &verb(&matches)) {
        wrong if wrong.is_empty() => run(&args),
        wrong => Err(CommandError::usage(wrong)),
    }
    .unwrap_or_else(CommandError::into_output);
    match output.print() {
        Ok(()) => std::process::ExitCode::from(output.code()),
        Err(fault) if fault.kind() == std::io::ErrorKind::BrokenPipe => {
            std::process::ExitCode::SUCCESS
        }
        Err(fault) => {
            let _ = writeln!(std::io::stderr(), "adjutant: the answer cannot be written: {fault}");
            std::process::ExitCode::from(2)
        }
    }
}

/// The words that name the verb: `game new`.
fn verb(matches: &clap::ArgMatches) -> Vec<&str> {
    let first = matches.subcommand();
    std::iter::successors(first, |(_, inner)| inner.subcommand()).map(|(name, _)| name).collect()
}

fn run(args: &args::Args) -> CommandResult {
    use args::Verb;
    let shelf = pack_registry::PackRegistry::new(&args.packs, &args.tables);
    match &args.verb {
        Verb::Packs { json } => show::packs(&shelf, *json),
        Verb::Charts { pack, json } => show::charts(&shelf, pack, *json),
        Verb::Show { pack, chart, json } => show::show(&shelf, pack, chart.as_deref(), *json),
        Verb::Roll(roll) => roll::roll(&shelf, roll),
        Verb::Odds(odds) => odds::odds(&shelf, odds),
        Verb::Fight(fight) => fight::fight(&shelf, fight),
        Verb::Sim(sim) => sim::sim(&shelf, sim),
        Verb::Draw(draw) => cards::draw(&shelf, draw),
        Verb::Check { paths } => check::check(&shelf, paths),
        Verb::Test { paths, coverage } => trial::test(&shelf, paths, *coverage),
        Verb::Pack { verb } => pack::run(&shelf, verb),
        Verb::Diff(asked) => {
            diff::run(&game::Game { shelf: &shelf, store: args.store.as_deref() }, asked)
        }
        Verb::New { name } => new::new(name),
        Verb::Draft(asked) => draft::draft(asked),
        Verb::Schema { file } => schema::schema(*file),
        Verb::Tables { pack } => show::tables(&shelf, pack),
        Verb::Print(asked) => print::print(&shelf, asked),
        Verb::Serve(asked) => serve::serve(&shelf, args.store.as_deref(), asked),
        Verb::Page(asked) => serve::page(asked),
        Verb::Completions { shell } => extras::completions(*shell),
        Verb::Man { dir } => manual::man(dir.as_deref()),
        Verb::Help { verbs } => help::help(verbs),
        verb => game::Game { shelf: &shelf, store: args.store.as_deref() }.run(verb),
    }
}
