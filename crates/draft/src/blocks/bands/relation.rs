//! Rows whose scores are said in words: "Below the kill number", "Equal to morale", "Attacker higher",
//! "Both the same". Their bands are those of a difference: the roll less the value, or the roll of the
//! first side less that of the second.

use super::super::{Context, Pieces, Taken};
use super::{BandLine, cells, goes_on, line};
use crate::band::Band;
use crate::model::{Against, Content, GuessKind};
use crate::num::Num;
use crate::source::SheetRow;
use crate::token::{Token, tokens};

/// The most rows above the first row in words: headings, and rows that are not understood.
const ABOVE: usize = 4;

/// The difference for which a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Below,
    UpTo,
    Equal,
    AtLeast,
    Above,
}

impl Relation {
    fn band(self) -> Band {
        let zero = Num::whole(0);
        let (from, to) = match self {
            Relation::Below => (None, Some((zero, false))),
            Relation::UpTo => (None, Some((zero, true))),
            Relation::Equal => (Some((zero, true)), Some((zero, true))),
            Relation::AtLeast => (Some((zero, true)), None),
            Relation::Above => (Some((zero, false)), None),
        };
        Band { from, to, natural: false }
    }
}

/// Tells if these rows have every difference once.
fn covers(relations: &[Relation]) -> bool {
    let has = |relation: Relation| relations.iter().filter(|known| **known == relation).count();
    let counts = [
        has(Relation::Below),
        has(Relation::UpTo),
        has(Relation::Equal),
        has(Relation::AtLeast),
        has(Relation::Above),
    ];
    matches!(counts, [1, 0, 1, 0, 1] | [0, 1, 0, 0, 1] | [1, 0, 0, 1, 0])
}

/// A row in words: the relation, what it is compared with, and where the words of the result start in
/// the first cell if they share it.
struct Said {
    relation: Relation,
    name: String,
    words: Option<usize>,
}

pub(crate) fn read(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    by_value(rows, context, pieces).or_else(|| by_side(rows, context, pieces))
}

/// "Below the kill number", "The kill number", "Above the kill number".
fn by_value(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    let first = rows.iter().take(ABOVE).position(|row| compared(row).is_some())?;
    let name = compared(&rows[first])?.name;
    let of_row = |row: &SheetRow| {
        compared(row).filter(|said| said.name == name).or_else(|| {
            let cell = row.filled().first().filter(|_| row.filled().len() > 1)?.text.clone();
            (value_name(&tokens(&cell), &cell)? == name).then(|| Said {
                relation: Relation::Equal,
                name: name.clone(),
                words: None,
            })
        })
    };
    // The row for the value itself may stand first.
    let first = (0..first).find(|place| of_row(&rows[*place]).is_some()).unwrap_or(first);
    let (content, taken) = table(rows, first, context, pieces, of_row, false)?;
    let printed = rows[first..taken].iter().filter_map(|row| row.filled().first().copied());
    // As it is printed, without the article.
    let shown = printed
        .filter_map(|cell| {
            let at = cell.text.to_lowercase().find(&name)?;
            cell.text.get(at..at + name.len()).map(str::to_owned)
        })
        .next()
        .unwrap_or_else(|| name.clone());
    Some((with(content, Against::Value(crate::capital(&shown))), taken))
}

/// "Attacker higher", "Both the same", "Defender higher", for the two sides that have just rolled.
fn by_side(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    let tie = rows.iter().take(ABOVE).position(is_tie)?;
    let tie = if tie == 0 { 0 } else { tie - 1 };
    let sides = sides(rows, tie, context)?;
    let of_row = |row: &SheetRow| {
        let side = sides.iter().position(|side| side.of_row(row).is_some());
        let tied = || is_tie(row).then_some((Relation::Equal, tie_end(row)));
        let (relation, words) = match side {
            Some(0) => (Relation::Above, sides[0].of_row(row)?),
            Some(_) => (Relation::Below, sides[1].of_row(row)?),
            None => tied()?,
        };
        Some(Said { relation, name: String::new(), words })
    };
    let first = rows.iter().take(ABOVE).position(|row| of_row(row).is_some())?;
    let lower = rows[..first].iter().any(|row| says(row, &["lower", "lowest", "fewer"]))
        || rows[first..].iter().take(3).any(|row| says(row, &["lower", "lowest", "fewer"]));
    let guessed = sides.iter().any(|side| side.guessed);
    let turned = |row: &SheetRow| {
        of_row(row).map(|said| match (said.relation, lower) {
            (Relation::Above, true) => Said { relation: Relation::Below, ..said },
            (Relation::Below, true) => Said { relation: Relation::Above, ..said },
            _ => said,
        })
    };
    let (content, taken) = table(rows, first, context, pieces, turned, guessed)?;
    if guessed {
        pieces.guess(
            GuessKind::Difference,
            rows[first].line,
            rows[first].at(),
            &rows[first].text(),
        );
    }
    let [a, b] = sides;
    Some((with(content, Against::Sides { first: a.shown, second: b.shown }), taken))
}

fn with(content: Content, against: Against) -> Content {
    match content {
        Content::Bands(table) => {
            Content::Bands(crate::BandTable { against: Some(against), ..table })
        }
        other => other,
    }
}

/// Reads the table once it is known what its rows say.
fn table(
    rows: &[SheetRow],
    first: usize,
    context: &Context,
    pieces: &mut Pieces,
    of_row: impl Fn(&SheetRow) -> Option<Said>,
    guessed: bool,
) -> Option<Taken> {
    let heads = rows[..first].iter().take_while(|row| is_heading(row)).count();
    // Between the headings and the first row, only rows of the same table.
    if first > heads && (heads == 0 || rows[heads..first].iter().any(|row| row.filled().len() < 2))
    {
        return None;
    }
    let mut lines: Vec<BandLine> = Vec::new();
    let mut left_out: Vec<usize> = (heads..first).collect();
    let mut relations = Vec::new();
    let mut place = first;
    while let Some(row) = rows.get(place) {
        let started = place > first;
        if started && (row.head || row.furniture || row.table != rows[first].table) {
            break;
        }
        if let Some(said) = of_row(row) {
            if relations.contains(&said.relation) {
                break;
            }
            relations.push(said.relation);
            let band = said.relation.band();
            lines.push(BandLine {
                band,
                words: said.words,
                rows: place..place + 1,
                guessed,
                date: false,
                numbered: false,
                when: None,
            });
        } else if goes_on(rows, place, first, lines.last()) {
            if let Some(last) = lines.last_mut() {
                last.rows.end = place + 1;
            }
        } else if row.filled().len() >= 2
            && !row.gap
            && rows[place + 1..].iter().take(3).any(|row| of_row(row).is_some())
        {
            left_out.push(place);
        } else {
            break;
        }
        place += 1;
    }
    // A row for an unmodified face may stand above.
    let natural: Vec<usize> = left_out
        .iter()
        .copied()
        .filter(|at| line::of_row(&rows[*at]).is_some_and(|(band, ..)| band.natural))
        .collect();
    for at in natural {
        let (band, words, _) = line::of_row(&rows[at])?;
        let rows = at..at + 1;
        let line = BandLine {
            band,
            words,
            rows,
            guessed: false,
            date: false,
            numbered: false,
            when: None,
        };
        lines.insert(0, line);
        left_out.retain(|out| *out != at);
    }
    if !covers(&relations) && !context.forced {
        return None;
    }
    // From the lowest difference to the highest.
    lines
        .sort_by_key(|line| (!line.band.natural, line.band.from.is_some(), line.band.to.is_none()));
    let taken = lines.iter().map(|line| line.rows.end).max()?;
    let used: Vec<&SheetRow> = lines.iter().map(|line| &rows[line.rows.start]).collect();
    if lines.iter().zip(&used).any(|(line, row)| line.words.is_none() && row.filled().len() < 2) {
        return None;
    }
    let mut guesses = super::Guesses::new();
    let table = if used.iter().all(|row| row.filled().len() <= 1) {
        cells::single(&lines, rows, heads)
    } else {
        cells::several(&lines, rows, heads, &used, &mut guesses)?
    };
    pieces.leave_out(rows, &left_out);
    for (kind, line, at, printed) in guesses {
        pieces.guess(kind, line, at, &printed);
    }
    Some((Content::Bands(table), taken))
}

/// Headings above the table: short cells side by side, or one that names the result.
fn is_heading(row: &SheetRow) -> bool {
    let filled = row.filled();
    let short = |text: &str| text.split_whitespace().count() <= 6 && !text.ends_with('.');
    let result = filled.last().is_some_and(|cell| {
        let last = cell.text.rsplit(' ').next().unwrap_or_default().to_lowercase();
        ["result", "results", "effect", "effects", "outcome"].contains(&last.as_str())
    });
    let figure =
        |text: &str| crate::amount::whole(text).is_some() || crate::band::whole(text).is_some();
    filled.iter().all(|cell| short(&cell.text) && !figure(&cell.text))
        && (filled.len() >= 2 && (result || filled.len() >= 3) || (filled.len() == 1 && result))
}

/// "Below the kill number", "Rep or less", "> Rep" in the first of several cells.
fn compared(row: &SheetRow) -> Option<Said> {
    let filled = row.filled();
    let cell = &filled.first().filter(|_| filled.len() > 1)?.text;
    let tokens = tokens(cell);
    if tokens.len() > 10 || tokens.len() < 2 {
        return None;
    }
    let (relation, rest) = before(&tokens).or_else(|| after(&tokens))?;
    let name = value_name(rest, cell)?;
    Some(Said { relation, name, words: None })
}

/// A relation at the start, and what it is compared with.
fn before<'t>(tokens: &'t [Token<'t>]) -> Option<(Relation, &'t [Token<'t>])> {
    // "Roll is less than Rep"
    let noun =
        ["roll", "rolled", "rolls", "score", "scores", "total", "result", "die", "is", "was"];
    let skip = tokens.iter().take(2).take_while(|t| t.is_any(&noun)).count();
    let tokens = &tokens[skip..];
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    let than = second.is("than");
    let pair = |words: &[&str], last: &str| first.is_any(words) && second.is(last);
    match () {
        () if first.is_any(&["below", "under", "beneath"]) => Some((Relation::Below, &tokens[1..])),
        () if first.is_any(&["above", "over", "exceeds", "beyond"]) => {
            Some((Relation::Above, &tokens[1..]))
        }
        () if than && first.is_any(&["less", "lower", "fewer", "worse"]) => {
            Some((Relation::Below, &tokens[2..]))
        }
        () if than && first.is_any(&["more", "greater", "higher", "better"]) => {
            Some((Relation::Above, &tokens[2..]))
        }
        () if pair(&["equal", "equals"], "to") || pair(&["same"], "as") => {
            let or = tokens.get(2).is_some_and(|t| t.is("or"));
            (!or).then(|| (Relation::Equal, &tokens[2..]))
        }
        () if first.is_any(&["exactly", "equals"]) => Some((Relation::Equal, &tokens[1..])),
        () if pair(&["up"], "to") || pair(&["at"], "most") => Some((Relation::UpTo, &tokens[2..])),
        () if pair(&["at"], "least") => Some((Relation::AtLeast, &tokens[2..])),
        () if first.sign('≤') => Some((Relation::UpTo, &tokens[1..])),
        () if first.sign('≥') => Some((Relation::AtLeast, &tokens[1..])),
        () if first.sign('<') && second.sign('=') => Some((Relation::UpTo, &tokens[2..])),
        () if first.sign('>') && second.sign('=') => Some((Relation::AtLeast, &tokens[2..])),
        () if first.sign('<') => Some((Relation::Below, &tokens[1..])),
        () if first.sign('>') => Some((Relation::Above, &tokens[1..])),
        () if first.sign('=') => Some((Relation::Equal, &tokens[1..])),
        () => None,
    }
}

/// A relation at the end: "Rep or less", "Rep exactly".
fn after<'t>(tokens: &'t [Token<'t>]) -> Option<(Relation, &'t [Token<'t>])> {
    let [name @ .., or, last] = tokens else { return None };
    match () {
        () if or.is("or") && last.is_any(&["less", "lower", "under", "below"]) => {
            Some((Relation::UpTo, name))
        }
        () if or.is("or") && last.is_any(&["more", "higher", "over", "above", "better"]) => {
            Some((Relation::AtLeast, name))
        }
        () if last.is("exactly") => Some((Relation::Equal, &tokens[..tokens.len() - 1])),
        () => None,
    }
}

/// The name of a value, in small letters and without its article: at most four words, no figures.
fn value_name(tokens: &[Token], text: &str) -> Option<String> {
    let articles = ["the", "his", "her", "its", "their", "your", "a", "an"];
    let skip = tokens.iter().take_while(|t| t.is_any(&articles)).count();
    let name = &tokens[skip..];
    let (first, last) = (name.first()?, name.last()?);
    let words = name.iter().filter(|t| t.word().is_some()).count();
    let plain = name.iter().all(|t| t.word().is_some() || t.sign('\'') || t.sign('/'));
    let clause = ["by", "and", "or", "than", "if", "when", "with", "but", "range", "inches"];
    let long = first.word().is_some_and(|word| word.chars().count() >= 2);
    (plain && long && (1..=4).contains(&words) && !name.iter().any(|t| t.is_any(&clause)))
        .then(|| text.chars().take(last.end).skip(first.start).collect::<String>().to_lowercase())
}

fn says(row: &SheetRow, words: &[&str]) -> bool {
    tokens(&row.text()).iter().any(|t| t.is_any(words))
}

/// The words that begin the cell of an equal result, as the place where they end.
fn tie_words(tokens: &[Token]) -> Option<usize> {
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|t| t.is_any(words));
    let both = usize::from(is(0, &["both"]));
    let the = both + usize::from(is(both, &["the"]));
    match () {
        () if is(the, &["same", "equal", "equals", "tied"]) => {
            Some(the + 1 + usize::from(is(the + 1, &["number", "score", "scores", "total"])))
        }
        () if both == 0 && is(0, &["tie", "draw", "drawn", "tied"]) => Some(1),
        () => None,
    }
}

fn is_tie(row: &SheetRow) -> bool {
    let filled = row.filled();
    let Some(first) = filled.first() else { return false };
    let tokens = tokens(&first.text);
    match tie_words(&tokens) {
        Some(end) if filled.len() > 1 => end == tokens.len() || tokens[end].sign(':'),
        Some(end) => tokens.get(end).is_some_and(|t| t.sign(':') || t.sign('-') || t.sign('=')),
        None => false,
    }
}

/// Where the words start after "Tie:".
fn tie_end(row: &SheetRow) -> Option<usize> {
    let filled = row.filled();
    let tokens = tokens(&filled.first()?.text);
    let end = tie_words(&tokens)?;
    (filled.len() == 1).then(|| tokens.get(end).map(|t| t.end)).flatten()
}

/// A side that rolls.
struct SideNames {
    /// Its name as printed.
    shown: String,
    /// Its words in small letters, without articles.
    words: Vec<String>,
    /// The heading of the table says that the rows name who has more.
    headed: bool,
    /// Which side the rows mean is a guess.
    guessed: bool,
}

const MORE: [&str; 12] = [
    "more", "higher", "highest", "greater", "better", "wins", "win", "winner", "won", "lower",
    "lowest", "fewer",
];

const VERBS: [&str; 9] =
    ["passed", "passes", "scored", "scores", "rolled", "rolls", "has", "is", "gets"];

impl SideNames {
    fn new(shown: &str, headed: bool) -> SideNames {
        let words = names(&tokens(shown));
        SideNames { shown: shown.to_owned(), words, headed, guessed: false }
    }

    /// Tells if the row says that this side has more; and where the words of the result start if
    /// they share the first cell.
    fn of_row(&self, row: &SheetRow) -> Option<Option<usize>> {
        let filled = row.filled();
        let tokens = tokens(&filled.first()?.text);
        let skip = tokens.iter().take_while(|t| t.is_any(&["the", "your", "his"])).count();
        let skip = if names(&tokens[..skip.min(tokens.len())]).is_empty() { skip } else { 0 };
        let mut at = skip;
        for word in &self.words {
            let token = tokens.get(at)?.word()?.to_lowercase();
            (token.strip_suffix("'s").unwrap_or(&token) == word).then_some(())?;
            at += 1;
        }
        // The apostrophe of "the other side's" is part of the word, or a sign of its own.
        at += usize::from(tokens.get(at).is_some_and(|t| t.sign('\'')));
        let verb = at + usize::from(tokens.get(at).is_some_and(|t| t.is_any(&VERBS)));
        let more = tokens.get(verb).is_some_and(|t| t.is_any(&MORE));
        let end = if more { verb + 1 } else { at };
        if !more && !self.headed {
            return None;
        }
        if filled.len() > 1 {
            return (end == tokens.len() || tokens[end].sign(':')).then_some(None);
        }
        tokens.get(end)?;
        Some(tokens.get(end - 1).map(|t| t.end))
    }
}

/// The words of a name in small letters, without articles.
fn names(tokens: &[Token]) -> Vec<String> {
    tokens
        .iter()
        .filter(|t| !t.is_any(&["the", "a", "an"]))
        .filter_map(|t| t.word().map(str::to_lowercase))
        .collect()
}

/// The two sides of the rolls since the last title, or of the rows if both sides roll alike.
fn sides(rows: &[SheetRow], from: usize, context: &Context) -> Option<[SideNames; 2]> {
    let headed = rows[..from.max(1)].iter().take(ABOVE).any(|row| says(row, &MORE));
    match context.rolls.as_slice() {
        [second, first] => {
            let side = |who: &Option<String>| who.as_deref().map(|who| SideNames::new(who, headed));
            let mut sides = [side(&first.who)?, side(&second.who)?];
            // "Yours" instead of "Your side": the row that is left is the other side.
            let row_of =
                |side: &SideNames| rows.iter().take(8).find(|row| side.of_row(row).is_some());
            let (a, b) = (row_of(&sides[0]).is_some(), row_of(&sides[1]).is_some());
            let (missing, _) = match (a, b) {
                (true, true) => return Some(sides),
                (false, true) => (0, 1),
                (true, false) => (1, 0),
                (false, false) => return None,
            };
            let other = &sides[1 - missing];
            let left = rows[from..].iter().take(4).find(|row| {
                row.filled().len() > 1
                    && !is_tie(row)
                    && other.of_row(row).is_none()
                    && !is_heading(row)
                    && headed
            })?;
            let word = left.filled().first()?.text.clone();
            let same = word.split_whitespace().count() <= 3
                && word.to_lowercase().chars().take(4).eq(sides[missing]
                    .shown
                    .to_lowercase()
                    .chars()
                    .take(4));
            sides[missing].words = names(&tokens(&word));
            sides[missing].guessed = !same;
            Some(sides)
        }
        // Both sides roll alike: the rows name them.
        [only] if only.both => {
            let mut named = rows.iter().take(6).filter_map(side_of_row);
            let (first, second) = (named.next()?, named.next()?);
            let sides = [SideNames::new(&first, headed), SideNames::new(&second, headed)];
            (sides[0].words != sides[1].words).then_some(sides)
        }
        _ => None,
    }
}

/// "Attacker" of "Attacker rolls higher".
fn side_of_row(row: &SheetRow) -> Option<String> {
    let first = &row.filled().first()?.text;
    let tokens = tokens(first);
    let more = tokens.iter().take(6).position(|t| t.is_any(&MORE))?;
    let end = if more > 0 && tokens[more - 1].is_any(&VERBS) { more - 1 } else { more };
    let plain = tokens[..end].iter().all(|t| t.word().is_some());
    (plain && (1..=3).contains(&end))
        .then(|| first.chars().take(tokens[end - 1].end).skip(tokens[0].start).collect())
}
