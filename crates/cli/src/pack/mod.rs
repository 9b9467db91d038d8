//! `adjutant pack`: packs as files that are handed on, and packs of others.

mod bundle;
mod fetch;
mod index;
mod install;

use crate::args::PackVerb;
use crate::error::CommandResult;
use crate::pack_registry::PackRegistry;

pub fn run(shelf: &PackRegistry, verb: &PackVerb) -> CommandResult {
    match verb {
        PackVerb::Bundle { pack, output, with_tables, force } => {
            bundle::bundle(shelf, pack, output.as_deref(), *with_tables, *force)
        }
        PackVerb::Unpack { file, output } => bundle::unpack(file, output.as_deref()),
        PackVerb::Index { dir, title } => install::index(dir, title.as_deref()),
        PackVerb::Search { words, index, json } => install::search(words, index, *json),
        PackVerb::Add { pack, index } => install::add(pack, index),
        PackVerb::Update { packs, yes } => install::update(packs, *yes),
        PackVerb::List { json } => install::list(*json),
        PackVerb::Remove { pack } => install::remove(pack),
    }
}
