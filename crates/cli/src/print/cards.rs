//! Being built.

use crate::args::Print;
use crate::shelf::Shelf;
use crate::verdict::Verdict;

pub fn print(_shelf: &Shelf, _asked: &Print) -> Result<Verdict, Verdict> {
    Err(Verdict::wrong(&["not built yet".into()]))
}
