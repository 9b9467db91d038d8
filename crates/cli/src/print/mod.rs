//! `adjutant print`: cards and sheets on paper, and what other programs take. The press draws; here is read what is wanted,
//! and written, whole or not at all.

mod cards;
mod numbers;
mod other;
mod sheet;

pub use sheet::{document, size};

use crate::args::Print;
use crate::shelf::Shelf;
use crate::verdict::Verdict;

pub fn print(shelf: &Shelf, asked: &Print) -> Verdict {
    let done = match asked {
        Print { sheet: true, .. } => sheet::print(shelf, asked),
        Print { program: Some(program), .. } => other::write(shelf, asked, *program),
        _ => cards::print(shelf, asked),
    };
    done.unwrap_or_else(|verdict| verdict)
}
