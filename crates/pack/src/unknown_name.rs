//! A name that is not known, with the known name that was most likely meant.

use crate::text::clip;
use adjutant_dice::Text;

/// How many names are compared at most.
const MOST_COMPARED: usize = 1000;
/// How many known names a diagnostic holds at most.
pub const MOST_LISTED: usize = 12;

/// A name that is not among the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What the name should have been a name of.
    pub noun: Noun,
    /// The name as given, clipped.
    pub name: Text,
    /// The known name that was most likely meant.
    pub nearest: Option<Text>,
    /// The known names, clipped; of a brief one only the first.
    pub known: Vec<Text>,
    /// How many names are known.
    pub count: usize,
}

impl UnknownName {
    /// Clips the names and looks for the nearest one.
    pub fn new<'a>(noun: Noun, name: &str, known: impl IntoIterator<Item = &'a str>) -> UnknownName {
        UnknownName::of(noun, name, &mut known.into_iter(), usize::MAX)
    }

    /// The same with only the first few known names. A pack may define thousands of names and misspell hundreds.
    pub(crate) fn brief<'a>(noun: Noun, name: &str, known: impl IntoIterator<Item = &'a str>) -> UnknownName {
        UnknownName::of(noun, name, &mut known.into_iter(), MOST_LISTED)
    }

    /// Compiled once, not for every kind of list.
    fn of(noun: Noun, name: &str, known: &mut dyn Iterator<Item = &str>, most: usize) -> UnknownName {
        let known: Vec<&str> = known.collect();
        UnknownName {
            noun,
            name: clip(name),
            nearest: nearest(name, known.iter().copied()).map(clip),
            known: known.iter().take(most).map(|name| clip(name)).collect(),
            count: known.len(),
        }
    }
}

/// What a name is a name of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noun {
    /// A way to align text on a card.
    Align,
    /// An attribute of a kind of unit.
    Attribute,
    /// Something that is shown on a card.
    CardPart,
    /// A chart.
    Chart,
    /// A chart or a fight.
    ChartOrFight,
    /// A column of a table.
    Column,
    /// A data file in the pack's folder.
    DataFile,
    /// Something that decides a fight.
    Decision,
    /// A deck.
    Deck,
    /// A field of the deck that is drawn from.
    DeckField,
    /// How a start keeps its decks.
    DeckKeeping,
    /// A deck or a chart.
    DeckOrChart,
    /// What is drawn at a place of a card.
    Drawing,
    /// For whom a test falls due.
    Due,
    /// A fight.
    Fight,
    /// A function in an expression.
    Function,
    /// An ink.
    Ink,
    /// An input of the chart.
    Input,
    /// An input of a chart that is looked up or follows.
    InputOfChart,
    /// A key of a table of a pack.
    Key,
    /// Something that the game remembers.
    Memory,
    /// A name in an expression.
    Name,
    /// An attribute that is a number.
    NumberAttribute,
    /// An option.
    Option,
    /// How units are ordered.
    Order,
    /// A pack.
    Pack,
    /// A phase.
    Phase,
    /// A question that a chart may ask.
    Question,
    /// A reading.
    Reading,
    /// How units relate.
    Relation,
    /// A result.
    Result,
    /// A role of the chart of this id.
    Role(Text),
    /// A role of a chart that is looked up or follows.
    RoleOfChart,
    /// A role or an input of a chart.
    RoleOrInput,
    /// One of the words that a score can be.
    ScoreWord,
    /// A side.
    Side,
    /// A word for some of the sides.
    Sides,
    /// How sure a rule is.
    Standing,
    /// A status.
    Status,
    /// A step.
    Step,
    /// A stored game.
    Table,
    /// A template.
    Template,
    /// A unit of a game.
    Unit,
    /// A kind of unit.
    UnitKind,
    /// A user table.
    UserTable,
}

/// The known name that a misspelt one most likely meant.
///
/// ```
/// assert_eq!(adjutant_pack::nearest("supressed", ["suppressed", "fall-back"]), Some("suppressed"));
/// assert_eq!(adjutant_pack::nearest("banana", ["suppressed", "fall-back"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, &mut known.into_iter())
}

/// The same; compiled once, not for every kind of list.
fn nearest_of<'a>(name: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let name: String = name.chars().take(64).collect::<String>().to_lowercase();
    let bearable = match name.chars().count() {
        0 | 1 => 0,
        letters => (letters / 3).max(1),
    };
    let bare = name.replace(['-', '_'], "");
    let close = |other: &str| {
        let other = other.to_lowercase();
        if other.replace(['-', '_'], "") == bare { 0 } else { distance(&name, &other) }
    };
    known
        .take(MOST_COMPARED)
        .filter(|other| other.len() <= 4 * (name.len() + bearable))
        .map(|other| (close(other), other))
        .filter(|(far, _)| *far <= bearable)
        .min_by_key(|(far, _)| *far)
        .map(|(_, other)| other)
}

/// How many letters must be inserted, removed, changed or swapped with a neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().take(80).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
