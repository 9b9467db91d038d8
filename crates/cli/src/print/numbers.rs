//! Which cards: `1,5,20-24`.

/// The cards that are named, in that order; all if none is. All that is wrong is said at once.
pub(super) fn card_numbers(text: Option<&str>, most: u32) -> Result<Vec<u32>, Vec<String>> {
    let Some(text) = text else { return Ok((1..=most).collect()) };
    let (mut cards, mut faults) = (Vec::new(), Vec::new());
    for part in text.split(',').map(str::trim) {
        let ends = match part.split_once(['-', '–']) {
            Some((from, to)) => (from.trim().parse::<u32>(), to.trim().parse::<u32>()),
            None => (part.parse::<u32>(), part.parse::<u32>()),
        };
        let shown = adjutant_pack::clip_to(part, 20);
        match ends {
            (Ok(from), Ok(to)) if from > to => {
                faults.push(format!("--cards: `{shown}` runs backwards: write {to}-{from}"))
            }
            (Ok(from), Ok(to)) if from >= 1 && to <= most => cards.extend(from..=to),
            (Ok(_), Ok(_)) => faults.push(format!(
                "--cards: there is no card `{shown}`: the deck has cards 1 to {most}"
            )),
            _ => faults
                .push(format!("--cards: `{shown}` is no card's number: write --cards 1,5,20-24")),
        }
    }
    // A list can name a card as often as it likes, but not without end.
    if cards.len() > 1000 {
        faults.push(format!(
            "--cards: {} cards are too many: at most 1000 are printed at a time",
            cards.len()
        ));
    }
    if faults.is_empty() { Ok(cards) } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_named_by_number_and_range() {
        assert_eq!(card_numbers(None, 3).unwrap(), [1, 2, 3]);
        assert_eq!(card_numbers(Some("1, 5,20-24"), 60).unwrap(), [1, 5, 20, 21, 22, 23, 24]);
        let faults = card_numbers(Some("0,x,9-7,61,1-999"), 60).unwrap_err();
        assert_eq!(faults.len(), 5);
        assert!(faults[2].contains("write 7-9"), "{faults:?}");
    }
}
