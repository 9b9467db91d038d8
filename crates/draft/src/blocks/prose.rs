//! Sentences. Dice, signed figures with a condition, and runs of bands are read out of them; the whole
//! paragraph is kept as a note beside them, so that nothing is lost.

use super::{Context, Pieces, table_or_list, titles};
use crate::amount::{self, Amount};
use crate::band::{self, Band};
use crate::dice;
use crate::model::{BandRow, BandTable, Cell, Content, GuessKind, Modifier};
use crate::source::Row;
use crate::token::{Token, before, rest, tokens};

/// The longest paragraph that is searched.
const LONGEST: usize = 4000;

/// In how many rows of a table with markup that was not read another start is looked for.
const MOST_TRIED: usize = 4;

/// Reads a paragraph and returns how many rows it took.
pub(crate) fn read(rows: &[Row], context: &mut Context, found: &mut Pieces) -> usize {
    let taken = paragraph(rows, context);
    let text = rows[..taken].iter().map(Row::text).collect::<Vec<_>>().join(" ");
    if is_garbage(&text) {
        found.push(Content::NotUnderstood(text), &rows[..taken]);
        return taken;
    }
    if text.len() <= LONGEST {
        search(&text, &rows[..taken], context, found);
    }
    let figures = tokens(&text).iter().filter(|t| t.num().is_some()).count();
    let cells = rows[..taken].iter().map(|row| row.filled().len()).max().unwrap_or(0);
    // Figures in columns that no reader took.
    let table = cells >= 3 && figures * 2 >= tokens(&text).len();
    let kept =
        if table || (cells >= 2 && figures >= 2 && text.len() < 80 && rows[0].table.is_some()) {
            Content::NotUnderstood(text)
        } else {
            Content::Note(text)
        };
    found.push(kept, &rows[..taken]);
    taken
}

/// The rows of a paragraph: until a gap, or until another reader takes the rest.
fn paragraph(rows: &[Row], context: &Context) -> usize {
    let mut taken = 1;
    while taken < rows.len().min(200) {
        let row = &rows[taken];
        let goes_on = row.strip > 0 && wrapped(&rows[taken - 1], row);
        if (row.gap && !goes_on)
            || row.head
            || row.furniture
            || row.table != rows[0].table
            || row.bullet
            || (row.table.is_some() && titles::is_subhead(&row.text()))
        {
            break;
        }
        // No table starts in the middle of another.
        if row.table.is_some() && taken > MOST_TRIED {
            taken += 1;
            continue;
        }
        let lower = row.text().chars().next().is_some_and(char::is_lowercase);
        let table_like = row.filled().len() >= 2 || band::prefix(&tokens(&row.text())).is_some();
        if !lower || table_like {
            let mut dry = Pieces::default();
            let limit = rows.len().min(taken + 10);
            if table_or_list(&rows[taken..limit], context, &mut dry).is_some() {
                break;
            }
            if titles::is_title(&rows[taken..limit]) && row.text() == row.text().to_uppercase() {
                break;
            }
            if super::named_roll(row).is_some() {
                break;
            }
            if dice::roll_line(&row.text()).is_some()
                && rows[taken - 1].text().trim_end().ends_with(['.', ':'])
            {
                break;
            }
        }
        taken += 1;
    }
    taken
}

/// Whether a line goes on with the one before. Where columns stand side by side, a blank line may be
/// the height of another column's line.
fn wrapped(before: &Row, row: &Row) -> bool {
    let (last, next) = (before.text(), row.text());
    let open = !last.trim_end().ends_with(['.', ':', '!', '?']);
    let lower = next.chars().next().is_some_and(char::is_lowercase);
    row.line <= before.line + 2
        && open
        && (lower || last.chars().count() >= 40)
        && before.filled().len() == 1
        && row.filled().len() == 1
}

/// A text of symbols: a broken font or a picture.
fn is_garbage(text: &str) -> bool {
    let all = text.chars().filter(|c| !c.is_whitespace()).count();
    let strange = text
        .chars()
        .filter(|c| {
            !c.is_alphanumeric()
                && !c.is_whitespace()
                && !".,;:!?'\"()[]-–—−+/%&#*=<>≤≥½¼¾×±•“”’‘…$°→←".contains(*c)
        })
        .count();
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    all >= 4 && (strange * 4 > all || (letters * 3 < all && all > 6))
}

/// Whether a sentence holds more than its dice: bands or modifiers.
pub(crate) fn has_more(text: &str) -> bool {
    !clauses(text).is_empty() || runs(text).len() >= 2
}

fn search(text: &str, rows: &[Row], context: &mut Context, found: &mut Pieces) {
    for part in by_roller(text) {
        search_part(&part, rows, context, found);
    }
}

/// A paragraph, parted where another side rolls: "The attacker rolls … The defender rolls …".
fn by_roller(text: &str) -> Vec<String> {
    if runs(text).len() >= 2 {
        return vec![text.to_owned()];
    }
    let mut parts: Vec<String> = Vec::new();
    let mut last: Option<String> = None;
    for sentence in sentences(text) {
        let who = dice::roll_line(sentence)
            .filter(|line| line.dice.is_some_and(|dice| dice.named))
            .and_then(|line| line.who);
        match parts.last_mut() {
            Some(part) if who.is_none() || last.is_none() || who == last => {
                part.push(' ');
                part.push_str(sentence);
            }
            _ => parts.push(sentence.to_owned()),
        }
        last = who.or(last);
    }
    parts
}

fn search_part(text: &str, rows: &[Row], context: &mut Context, found: &mut Pieces) {
    let at = rows[0].at().start..rows.last().map_or(0, |row| row.at().end);
    let line = rows[0].line;
    let clauses = clauses(text);
    let bands = runs(text);
    if let Some(rolled) = own_roll(text, &clauses, &bands, context) {
        let whole = text.len() == rows_text(rows);
        if context.rolled
            && whole
            && let Some(name) = run_in_title(text).or_else(|| context.run_in.then(|| opening(text)))
        {
            context.run_in = true;
            found.push(Content::Title(name), &rows[..1]);
        }
        context.rolled = true;
        found.push(Content::Roll(rolled), rows);
        let said = sentences(text).into_iter().find(|text| dice::roll_line(text).is_some());
        if let Some(list) = said.and_then(|said| super::values(said, &rows[0])) {
            found.push(list, rows);
        }
    }
    if !context.rolled {
        return;
    }
    if bands.len() >= 2 && sentences(text).into_iter().all(|text| dice::roll_line(text).is_none()) {
        found.guess(GuessKind::Sentence, line, at.clone(), text);
    }
    let list: Vec<Modifier> = clauses
        .into_iter()
        .map(|(amount, label)| Modifier {
            amount: amount::counted(amount, &label),
            label: Cell { text: label, at: at.clone() },
            line,
            guessed: false,
        })
        .collect();
    if !list.is_empty() {
        found.push(Content::Modifiers(list), rows);
    }
    if bands.len() >= 2 {
        let rows_made = bands
            .into_iter()
            .map(|(band, text)| BandRow {
                band,
                cells: vec![Cell { text, at: at.clone() }],
                line,
                guessed: false,
                when: None,
            })
            .collect();
        let mut table =
            BandTable { columns: vec![String::new()], rows: rows_made, ..BandTable::default() };
        if table.rows[1].band.is_before(&table.rows[0].band) {
            table.rows.reverse();
        }
        found.push(Content::Bands(table), rows);
    }
}

/// The roll of a paragraph. After another roll, only a paragraph with its own dice before its own rows
/// or modifiers starts a new one: dice inside a result belong to the result.
fn own_roll(
    text: &str,
    clauses: &[(Amount, String)],
    bands: &[(Band, String)],
    context: &Context,
) -> Option<dice::RollLine> {
    if !context.titled {
        return None;
    }
    let said = sentences(text)
        .into_iter()
        .enumerate()
        .find_map(|(place, text)| Some((place, dice::roll_line(text)?)));
    // "…, 1d6: 1 to 3 left, 4 to 6 right": dice before their rows, without a verb.
    let (place, mut rolled) = match said {
        Some(said) => said,
        None if bands.len() >= 2 => {
            let found = tokens(text);
            let named = (0..found.len()).rev().find_map(|at| {
                let (dice, first, next) = dice::find(&found[at..])?;
                (first == 0 && dice.named && found.get(at + next)?.sign(':')).then_some(dice)
            })?;
            let dice = Some(named);
            (0, dice::RollLine { who: None, dice, test: None, per: None, both: false })
        }
        None => return None,
    };
    if rolled.test.is_none() && bands.len() < 2 {
        rolled.test = dice::test_in(text);
    }
    if rolled.dice.is_none() && rolled.test.is_none() {
        return None;
    }
    let named = rolled.dice.is_some_and(|dice| dice.named);
    let leads = match bands.first() {
        Some((_, words)) if bands.len() >= 2 => {
            let start = text.find(words.as_str()).unwrap_or(0);
            let dice = dice::find(&tokens(text)).map(|(_, at, _)| at);
            dice.is_some_and(|at| at < tokens(&text[..start]).len())
        }
        _ => place == 0 && (!clauses.is_empty() || !dice::values(text).is_empty()),
    };
    (!context.rolled || (named && leads)).then_some(rolled)
}

/// How long the text of some rows is.
fn rows_text(rows: &[Row]) -> usize {
    rows.iter().map(Row::text).collect::<Vec<_>>().join(" ").len()
}

/// The first words of a paragraph, as a name for what it rolls.
fn opening(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(4).collect();
    words.join(" ").trim_end_matches([',', '.', ';', ':']).to_owned()
}

/// "Weather. Before the game …" or "rolls a d6 for injury: …": the name of what a paragraph rolls.
fn run_in_title(text: &str) -> Option<String> {
    let (first, rest) = text.split_once(". ").unwrap_or((text, ""));
    let words = first.split_whitespace().count();
    let capital = first.chars().next().is_some_and(char::is_uppercase);
    if capital && words <= 3 && !rest.is_empty() && tokens(first).iter().all(|t| t.word().is_some())
    {
        return Some(first.to_owned());
    }
    let found = tokens(text);
    // "In melee both players …"
    if found.first()?.is("in")
        && found.get(2)?.is_any(&["both", "each", "the", "roll", "all"])
        && let Some(word) = found.get(1)?.word()
    {
        return Some(crate::capital(word));
    }
    let (_, _, next) = dice::find(&found)?;
    let purpose = found.get(next)?.is("for") && found.get(next + 2)?.sign(':');
    found.get(next + 1).filter(|_| purpose)?.word().map(crate::capital)
}

fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(['.', ';']).map(str::trim).filter(|s| !s.is_empty()).collect()
}

/// "add 1 if in cover", "-1 for each loss", "subtract 2 when shaken"
fn clauses(text: &str) -> Vec<(Amount, String)> {
    let found = tokens(text);
    let mut list = Vec::new();
    let mut place = 0;
    while place < found.len() {
        let token = &found[place];
        let fresh = place == 0
            || found[place - 1].num().is_none()
                && (found[place - 1].end < token.start || found[place - 1].sign('('));
        let signed = token.sign('+')
            || token.sign('-')
            || token.is_any(&[
                "add",
                "adds",
                "subtract",
                "subtracts",
                "deduct",
                "deducts",
                "minus",
                "plus",
            ]);
        let read = (fresh && signed).then(|| amount::prefix(&found[place..])).flatten();
        let Some((amount, next)) = read else {
            place += 1;
            continue;
        };
        let mut from = place + next;
        // "add 1 to the roll if"
        if found.get(from).is_some_and(|t| t.is_any(&["to", "from"])) {
            let skip =
                found[from..].iter().take(5).position(|t| t.is_any(&["if", "when", "for", "per"]));
            from += skip.unwrap_or(0);
        }
        let verb = !token.sign('+') && !token.sign('-');
        let opens = found.get(from).is_some_and(|t| {
            t.is_any(&["if", "when", "for", "per", "each", "while", "against"])
                || ((verb || !list.is_empty()) && t.is_any(&PLACES))
        });
        let end = clause_end(&found, from);
        if opens && end > from + 1 && matches!(amount, Amount::Plus(_) | Amount::Dice(_)) {
            let counted = found[from].is_any(&["per", "each"])
                || (found[from].is("for")
                    && found.get(from + 1).is_some_and(|t| t.is_any(&["each", "every"])));
            let start = if counted || found[from].is("against") || found[from].is_any(&PLACES) {
                found[from].start
            } else {
                found[from + 1].start
            };
            let label = before(
                &text.chars().take(found[end - 1].end).collect::<String>(),
                found[end - 1].end,
            );
            let label: String = label.chars().skip(start).collect();
            list.push((amount, label.trim().to_owned()));
            place = end;
            place += further(text, &found, place, &mut list);
        } else if let Some(label) = subject(text, &found, place)
            && matches!(amount, Amount::Plus(_))
        {
            list.push((amount, label));
            place += next.max(1);
        } else {
            place += next.max(1);
        }
    }
    list.retain(|(_, label)| {
        label.chars().any(char::is_alphabetic) && label.split_whitespace().count() <= 14
    });
    list
}

/// Words of place and time after an amount: "subtract 1 at night".
const PLACES: [&str; 9] =
    ["at", "in", "after", "before", "during", "behind", "with", "without", "under"];

/// "…, and a further 2 if it is far away": another amount with the sign of the last one. Returns how
/// many tokens it takes.
fn further(text: &str, found: &[Token], from: usize, list: &mut Vec<(Amount, String)>) -> usize {
    let Some(at) = further_at(found, from) else { return 0 };
    let (Some(n), Some((Amount::Plus(last), _))) = (found[at].num(), list.last()) else { return 0 };
    let by = if last.to_string().starts_with('-') { n.negative() } else { n };
    let opens = found.get(at + 1).is_some_and(|t| t.is_any(&["if", "when"]));
    let end = clause_end(found, at + 1);
    if !opens || end <= at + 2 {
        return 0;
    }
    let label: String = text.chars().take(found[end - 1].end).skip(found[at + 2].start).collect();
    list.push((Amount::Plus(by), label.trim().to_owned()));
    end - from
}

/// The figure of ", and a further 2" or "and another 1".
fn further_at(found: &[Token], from: usize) -> Option<usize> {
    let mut at = from;
    while found.get(at).is_some_and(|t| t.sign(',') || t.is_any(&["and", "a"])) {
        at += 1;
    }
    let more = found.get(at)?.is_any(&["further", "another"]) && at > from;
    (more && found.get(at + 1)?.num().is_some()).then_some(at + 1)
}

/// The words before an amount that say when it counts: "If it moved, add 1", "Attacking from behind
/// gives +3", "Raiders in mail subtract 1 from this roll".
fn subject(text: &str, found: &[Token], place: usize) -> Option<String> {
    let start =
        found[..place].iter().rposition(|t| t.sign('.') || t.sign(';')).map_or(0, |at| at + 1);
    let words = &found[start..place];
    let first = words.first()?;
    let sign = found[place].sign('+') || found[place].sign('-');
    let (from, to) = match () {
        () if first.is_any(&["if", "when"]) && !sign => (1, words.len()),
        () if words.last()?.is_any(&["gives", "give", "grants", "gets", "get"]) && sign => {
            (0, words.len() - 1)
        }
        // "… subtract 1 from this roll": the verb has a subject, and the amount a roll.
        () if !sign
            && found[place..].iter().take(6).any(|t| t.is_any(&["roll", "die", "score"])) =>
        {
            (0, words.len())
        }
        () => return None,
    };
    let mut words = words.get(from..to)?;
    while words.last().is_some_and(|t| t.sign(',') || t.is("then")) {
        words = &words[..words.len() - 1];
    }
    let told = words.iter().any(|t| {
        t.is_any(&["roll", "rolls", "d", "add", "adds", "subtract", "and", "then"]) || t.sign(':')
    });
    let (first, last) = (words.first()?, words.last()?);
    let label: String = text.chars().take(last.end).skip(first.start).collect();
    (!told && (1..=10).contains(&words.len())).then(|| without_joints(&label))
}

/// Where a condition ends: at a stop, or before the next amount.
fn clause_end(found: &[Token], from: usize) -> usize {
    let mut at = from;
    while at < found.len() {
        let token = &found[at];
        if token.sign('.') || token.sign(';') || token.sign(')') {
            return at;
        }
        if further_at(found, at).is_some() {
            return at;
        }
        let joins = token.sign(',') || token.is_any(&["and", "or", "but"]);
        if joins {
            let next = found[at + 1..]
                .iter()
                .position(|t| !t.is_any(&["and", "or", "but", "then"]))
                .map(|n| at + 1 + n);
            if let Some(next) = next
                && amount::prefix(&found[next..])
                    .is_some_and(|(amount, _)| matches!(amount, Amount::Plus(_) | Amount::Dice(_)))
            {
                return at;
            }
            if token.sign(',')
                && found.get(at + 1).is_some_and(|t| t.is_any(&["on", "then", "a", "if"]))
            {
                return at;
            }
        }
        at += 1;
    }
    at
}

/// "1-2: x 3-4: y 5+: z", "on a 6 it stands; on 1 to 3 it runs". All bands of a run are marked alike.
fn runs(text: &str) -> Vec<(Band, String)> {
    let found = tokens(text);
    // "A roll of 1 always fails" is an exception, not a row.
    if found.iter().any(|t| t.is_any(&["always", "automatically"])) {
        return Vec::new();
    }
    let marked = run_of(text, &found, |_, next| {
        found.get(next).is_some_and(|t| t.sign(':') || t.sign('='))
            && found.get(next + 1).is_some_and(|t| t.word().is_some())
    });
    if marked.len() >= 2 {
        return marked;
    }
    let listed = listed(text);
    if listed.len() >= 2 {
        return listed;
    }
    run_of(text, &found, |place, next| {
        opens(&found, place)
            && found.get(next).is_some_and(|t| t.word().is_some() || t.sign(',') || t.sign(':'))
    })
}

/// "roll a die: 1 dies, 2-4 no change, 5-6 patched up". The bands must follow each other without a gap.
fn listed(text: &str) -> Vec<(Band, String)> {
    let Some((_, list)) = text.rsplit_once(':') else { return Vec::new() };
    let list = list.split('.').next().unwrap_or("");
    let mut rows: Vec<(Band, String)> = Vec::new();
    for part in list.split([',', ';']) {
        let found = tokens(part);
        let Some(at) = band::prefix(&found) else { return Vec::new() };
        if !found.get(at.next).is_some_and(|t| t.word().is_some() && !t.is("d")) {
            return Vec::new();
        }
        rows.push((at.band, without_joints(&rest(part, found[at.next - 1].end))));
    }
    let follows = rows.windows(2).all(|pair| {
        pair[0].0.high().zip(pair[1].0.low()).is_some_and(|(high, low)| high.plus(1) == low)
    });
    if follows && rows.iter().any(|(band, _)| !band.is_single()) { rows } else { Vec::new() }
}

fn run_of(text: &str, found: &[Token], fits: impl Fn(usize, usize) -> bool) -> Vec<(Band, String)> {
    let mut starts: Vec<(usize, usize, Band)> = Vec::new();
    let mut place = 0;
    while place < found.len() {
        let dice =
            place > 0 && found[place - 1].is("d") && found[place - 1].end == found[place].start;
        match band::prefix(&found[place..]) {
            Some(at) if !dice && fits(place, place + at.next) => {
                starts.push((place, place + at.next, at.band));
                place += at.next;
            }
            _ => place += 1,
        }
    }
    let mut list: Vec<(Band, String)> = Vec::new();
    for (at, (_, next, band)) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(found.len(), |(start, _, _)| *start);
        let words = &found[*next..end];
        let stop = words.iter().position(|t| t.sign('.') || t.sign(';')).unwrap_or(words.len());
        let Some(last) = words[..stop].last() else { return Vec::new() };
        let until: String = text.chars().take(last.end).collect();
        let shown = without_joints(&rest(&until, found[next - 1].end));
        if shown.chars().filter(|c| c.is_alphabetic()).count() < 2
            || shown.split_whitespace().count() > 20
        {
            return Vec::new();
        }
        list.push((*band, shown));
    }
    let up = list.windows(2).all(|pair| pair[0].0.is_before(&pair[1].0));
    let down = list.windows(2).all(|pair| pair[1].0.is_before(&pair[0].0));
    if list.len() >= 2 && (up || down) { list } else { Vec::new() }
}

/// A result without the words that join it to the next one.
fn without_joints(text: &str) -> String {
    let mut shown = text.trim().to_owned();
    for lead in ["it ", "the unit ", "they "] {
        if let Some(cut) = shown.strip_prefix(lead) {
            shown = cut.to_owned();
        }
    }
    loop {
        let before = shown.len();
        for tail in [
            " on a",
            " on",
            ",",
            " and",
            " a roll of",
            " but",
            " if",
            " with",
            " or",
            " while",
            " a score of",
            " a total of",
        ] {
            if let Some(cut) = shown.trim_end().strip_suffix(tail) {
                shown = cut.trim_end().to_owned();
            }
        }
        if shown.len() == before {
            return shown;
        }
    }
}

/// Whether the words before say that a score stands here: "on", "on a", "a roll of".
fn opens(found: &[Token], place: usize) -> bool {
    let word = |back: usize, words: &[&str]| {
        place.checked_sub(back).is_some_and(|at| found[at].is_any(words))
    };
    word(1, &["on"])
        || (word(1, &["a", "an"]) && word(2, &["on"]))
        || (word(1, &["of"]) && word(2, &["roll", "score", "total", "result", "rolls", "scores"]))
        || (word(1, &["natural", "modified"]) && word(2, &["a", "on"]))
}
