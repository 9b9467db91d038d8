//! An unknown name, with the known name that was most likely meant.

use crate::text::clip;
use adjutant_dice::Text;

/// The maximum number of names to compare.
const MOST_COMPARED: usize = 1000;
/// The maximum number of known names in a diagnostic.
pub const MOST_LISTED: usize = 12;

/// A name that is not among the known ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {noun:?}: {name}")]
pub struct UnknownName {
    /// What the name should refer to.
    pub noun: Noun,
    /// The name as given, clipped.
    pub name: Text,
    /// The known name that was most likely meant.
    pub nearest: Option<Text>,
    /// The known names, clipped. A brief diagnostic has only the first ones.
    pub known: Vec<Text>,
    /// The number of known names.
    pub count: usize,
}

impl UnknownName {
    /// Clips the names and finds the nearest one.
    pub fn new<'a>(
        noun: Noun,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> UnknownName {
        UnknownName::of(noun, name, &mut known.into_iter(), usize::MAX)
    }

    /// Like [`UnknownName::new`], with only the first few known names. A pack may define thousands
    /// of names and misspell hundreds.
    pub(crate) fn brief<'a>(
        noun: Noun,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> UnknownName {
        UnknownName::of(noun, name, &mut known.into_iter(), MOST_LISTED)
    }

    /// Not generic, so that it is compiled only once.
    fn of(
        noun: Noun,
        name: &str,
        known: &mut dyn Iterator<Item = &str>,
        most: usize,
    ) -> UnknownName {
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

/// What a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noun {
    /// An alignment of text on a card.
    Align,
    /// An attribute of a kind of unit.
    Attribute,
    /// An attribute of the kind of unit with this title.
    AttributeOf(Text),
    /// A part of a card.
    CardPart,
    /// A chart.
    Chart,
    /// A chart or a fight.
    ChartOrFight,
    /// A column of a table.
    Column,
    /// A data file in the pack's folder.
    DataFile,
    /// An ending of a fight.
    Decision,
    /// A deck.
    Deck,
    /// A field of the deck that is drawn from.
    DeckField,
    /// How a start assigns decks to sides.
    DeckKeeping,
    /// A deck or a chart.
    DeckOrChart,
    /// A die of the pack.
    Die,
    /// What is drawn at a place of a card.
    Drawing,
    /// What a test falls due for.
    Due,
    /// A fight.
    Fight,
    /// A function in an expression.
    Function,
    /// An ink colour.
    Ink,
    /// An input of the chart.
    Input,
    /// An input of a chart that is looked up or follows.
    InputOfChart,
    /// The symbol of a kind of unit.
    Symbol,
    /// A key of a table in a pack file.
    Key,
    /// A list of words.
    List,
    /// A word of the choice with this id.
    WordOf(Text),
    /// A value that the game remembers.
    Memory,
    /// A name in an expression.
    Name,
    /// An attribute that is a number.
    NumberAttribute,
    /// An option.
    Option,
    /// An order of units.
    Order,
    /// A pack.
    Pack,
    /// A test that is due in a game.
    PendingTest,
    /// A phase.
    Phase,
    /// A question that a chart may ask.
    Question,
    /// A reading.
    Reading,
    /// A relation between units.
    Relation,
    /// A result.
    Result,
    /// A role of the chart of this id.
    Role(Text),
    /// A role of a chart that is looked up or follows.
    RoleOfChart,
    /// A role of the chart that is played.
    RoleOfPlay,
    /// A role or an input of a chart.
    RoleOrInput,
    /// A word that the score can be.
    ScoreWord,
    /// What has a value of its own: `per = "side"`.
    Owner,
    /// Who has won.
    Winner,
    /// The side that new units join.
    NewSide,
    /// A page of a table.
    Page,
    /// A member of the group that seals its rolls.
    SealedMember,
    /// A side.
    Side,
    /// A selection of sides.
    Sides,
    /// A certainty of a rule.
    Standing,
    /// One of the pack's starts.
    Start,
    /// A status.
    Status,
    /// A status of the kind of unit with this title.
    StatusOf(Text),
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
    /// A user deck.
    UserDeck,
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

/// Not generic, so that it is compiled only once.
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
    // Of two names with the same owner, such as `die.sixes` and `die.dice`, only the last parts
    // differ: a few letters of those are not bearable because the whole is long.
    let same_owner = |other: &str| match (name.rsplit_once('.'), other.rsplit_once('.')) {
        (Some((owner, part)), Some((other, _))) => {
            owner == other.to_lowercase() && part.chars().count() > 1
        }
        _ => false,
    };
    let least = name.rsplit('.').next().map_or(1, |part| (part.chars().count() / 3).max(1));
    known
        .take(MOST_COMPARED)
        .filter(|other| other.len() <= 4 * (name.len() + bearable))
        .map(|other| (close(other), other))
        .filter(|(far, other)| *far <= if same_owner(other) { least } else { bearable })
        .min_by_key(|(far, _)| *far)
        .map(|(_, other)| other)
}

/// The key that a word from other programs or from the hobby stands for.
pub(crate) fn usual_name<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    const USUAL: [(&str, &[&str]); 9] = [
        ("add", &["modifiers", "modifier", "mods", "drm", "drms"]),
        ("plus", &["bonus", "amount", "mod", "drm", "minus"]),
        ("when", &["if", "condition", "only_if"]),
        ("rows", &["table", "results", "bands"]),
        ("step", &["roll", "rolls", "dice", "steps"]),
        ("roll", &["dice", "die", "throw"]),
        ("ask", &["inputs", "questions", "input"]),
        ("has", &["attributes", "stats", "values"]),
        ("title", &["name", "label"]),
    ];
    let name = name.to_lowercase();
    let meant = USUAL.iter().filter(|(_, others)| others.contains(&name.as_str()));
    meant.filter_map(|(key, _)| known.iter().find(|known| known == &key)).copied().next()
}

/// The known key that shares most letters in whole words with another: `pass_at_least` for
/// `succeed_at_least`, `keep_highest` for `keep`.
pub(crate) fn nearest_by_words<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let words = |name: &str| -> Vec<String> {
        name.to_lowercase().split(['_', '-']).map(str::to_owned).collect()
    };
    let own = words(&name.chars().take(64).collect::<String>());
    let shared = |other: &str| -> usize {
        let other = words(other);
        let same = |word: &&String| {
            word.len() >= 4 && other.iter().any(|known| known == *word || known.starts_with(*word))
        };
        own.iter().filter(same).map(String::len).sum()
    };
    let best = known.iter().map(|other| (shared(other), *other)).filter(|(n, _)| *n > 0);
    best.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, other)| other)
}

/// The edit distance: insertions, deletions, substitutions and swaps of neighbours.
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
