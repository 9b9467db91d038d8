//! How many of the readings go on paper. On screens all of them are listed. On paper they take at
//! most a sixth of the sheet, and a sheet on a given number of pages may have none.

use super::model::{Item, Part, Section, Sheet, Tone};

/// Stands below the readings where some are left out.
const MORE: &str = "Readings of whole charts are in the sheet for screens (.html) and in the pack.";
/// Stands in the footer where all are left out.
const NONE: &str = "Readings: in the sheet for screens (.html)";

impl Sheet {
    /// Only the readings with a number, which a row refers to. `None` if there are no others.
    pub(super) fn with_numbered_readings(&self) -> Option<Sheet> {
        let mut sheet = self.clone();
        let section = sheet.sections.iter_mut().find(|section| section.small)?;
        let mut left_out = false;
        for part in &mut section.parts {
            if let Part::Items(items) = part {
                let before = items.len();
                items.retain(|item| !item.mark.is_empty());
                left_out |= items.len() < before;
            }
        }
        section.parts.push(Part::Text(Tone::Note, MORE.into()));
        left_out.then_some(sheet)
    }

    /// No readings, and no numbers that refer to them. `None` if there are none.
    pub(super) fn without_readings(&self) -> Option<Sheet> {
        let mut sheet = self.clone();
        let before = sheet.sections.len();
        sheet.sections.retain(|section| !section.small);
        sheet.sections.iter_mut().for_each(unmarked);
        let facts = [sheet.facts.as_str(), NONE];
        sheet.facts =
            facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ");
        (sheet.sections.len() < before).then_some(sheet)
    }
}

impl Sheet {
    /// The readings without their numbers, where what they refer to is shown elsewhere.
    pub(super) fn unnumber(&mut self) {
        for section in &mut self.sections {
            unmarked(section);
            if section.small {
                let items = section.parts.iter_mut().filter_map(|part| match part {
                    Part::Items(items) => Some(items),
                    _ => None,
                });
                items.flatten().for_each(|item| item.mark.clear());
            }
        }
    }
}

/// Takes the numbers of readings away.
fn unmarked(section: &mut Section) {
    for part in &mut section.parts {
        match part {
            Part::Text(_, text) => strip(text),
            Part::Amounts(amounts) => amounts.iter_mut().for_each(|line| strip(&mut line.label)),
            Part::Table(table) => {
                table.rows.iter_mut().filter_map(|row| row.first_mut()).for_each(strip);
            }
            Part::Items(items) => {
                items.iter_mut().for_each(|item: &mut Item| strip(&mut item.text))
            }
            Part::Step { .. } | Part::Figures(_) => {}
        }
    }
}

/// Takes a mark such as ` ¹²` from the end of a label.
fn strip(text: &mut String) {
    let bare = text.trim_end_matches(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c));
    if let Some(bare) = bare.strip_suffix('\u{a0}').filter(|_| bare.len() < text.len()) {
        text.truncate(bare.len());
    }
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn only_a_mark_after_a_no_break_space_is_taken_away() {
        for (text, bare) in [
            ("Soft cover\u{a0}²", "Soft cover"),
            ("Soft cover\u{a0}¹²", "Soft cover"),
            ("Area in m²", "Area in m²"),
            ("6\u{a0}inches", "6\u{a0}inches"),
            ("", ""),
        ] {
            let mut found = text.to_owned();
            strip(&mut found);
            assert_eq!(found, bare);
        }
    }
}
