//! Rows that say how one side compares with the other: "Lower", "Equal", "1-2 higher" below "Firer's total
//! is". Their bands are those of a difference: the roll of the first side less that of the second.

use super::super::{Context, Taken, cell};
use crate::band::{self, Band};
use crate::model::{Against, BandRow, BandTable, Content};
use crate::num::Num;
use crate::source::SheetRow;
use crate::token::{Token, tokens};

pub(crate) fn read(rows: &[SheetRow], context: &Context) -> Option<Taken> {
    let head = rows[0].filled();
    let [second, first] = context.rolls.as_slice() else { return None };
    let (first, second) = (first.who.clone()?, second.who.clone()?);
    // Only the side that rolls first: its row is the difference as it stands.
    let named = tokens(&head.first()?.text).first()?.word()?.to_lowercase();
    let own = tokens(&first).first()?.word()?.to_lowercase();
    if head.len() != 2 || named.trim_end_matches("'s").trim_end_matches("’s") != own {
        return None;
    }
    let same = |row: &&SheetRow| row.table == rows[0].table && !row.gap && row.filled().len() == 2;
    let mut made: Vec<BandRow> = Vec::new();
    for row in rows[1..].iter().take(20).take_while(same) {
        let filled = row.filled();
        let band = margin(&tokens(&filled[0].text))?;
        if made.last().is_some_and(|last| !last.band.is_before(&band)) {
            return None;
        }
        let cells = vec![cell(filled[1])];
        made.push(BandRow { band, cells, line: row.line, guessed: false, when: None });
    }
    let higher = made.iter().any(|row| row.band.low() > Some(Num::whole(0)));
    let taken = made.len() + 1;
    let table = BandTable {
        columns: vec![String::new()],
        rows: made,
        against: Some(Against::Sides { first, second }),
        ..BandTable::default()
    };
    (taken >= 4 && higher).then_some((Content::Bands(table), taken))
}

/// The difference that a cell says: below 0 of "Lower", 1 to 2 of "1-2 higher".
fn margin(tokens: &[Token]) -> Option<Band> {
    let more = ["higher", "more", "above", "better", "greater"];
    let zero = Num::whole(0);
    match tokens {
        [only] if only.is_any(&["lower", "less", "below", "worse"]) => {
            Some(Band { from: None, to: Some((zero, false)), natural: false })
        }
        [only] if only.is_any(&["equal", "same", "tied", "tie"]) => Some(Band::exactly(zero)),
        [only] if only.is_any(&more) => {
            Some(Band { from: Some((zero, false)), to: None, natural: false })
        }
        [.., last] => {
            let read = band::prefix(tokens)?;
            (read.next + 1 == tokens.len() && last.is_any(&more)).then_some(read.band)
        }
        [] => None,
    }
}
