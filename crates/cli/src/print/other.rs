//! Being built.

use crate::args::{Print, Program};
use crate::shelf::Shelf;
use crate::verdict::Verdict;

pub fn write(_shelf: &Shelf, _asked: &Print, _program: Program) -> Result<Verdict, Verdict> {
    Err(Verdict::wrong(&["not built yet".into()]))
}
