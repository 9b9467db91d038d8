//! What results and rows change and what follows from them, in words.

use super::chart::signed;
use super::chart_table::row_words;
use super::content::Meaning;
use super::model::Item;
use adjutant_pack::{
    Also, Cell, Chart, EffectKind, EffectRule, FollowUpRule, Formula, MemoryId, Pack, Relation,
    ResultBinding, RoleId, Value, capital,
};
use adjutant_wording::en::ChartWords;

/// The author's words as a sentence.
fn sentence(text: &str) -> String {
    format!("{}.", capital(text.trim_end_matches('.')))
}

/// What each result means and changes beyond its name, each once.
pub(super) fn meanings(pack: &Pack, chart: &Chart) -> Vec<Meaning> {
    let mut told: Vec<Meaning> = Vec::new();
    for landing in &chart.landings {
        let meaning = (landing.result, landing_words(pack, chart, landing));
        if !meaning.1.is_empty() && !told.contains(&meaning) {
            told.push(meaning);
        }
    }
    told
}

pub(super) fn landing_words(pack: &Pack, chart: &Chart, landing: &ResultBinding) -> String {
    let outcome = &pack.results()[landing.result];
    let mut sentences: Vec<String> =
        Some(outcome.means.to_string()).filter(|means| !means.is_empty()).into_iter().collect();
    for effect in &landing.effects {
        sentences.extend(effect_words(
            pack,
            chart,
            effect,
            landing.on,
            &format!("{} {}", outcome.title, outcome.means),
        ));
    }
    // A change of a value by a word is one effect for each word, with the same text.
    sentences.dedup();
    for next in &landing.next {
        sentences.push(next_words(pack, chart, next));
    }
    for instead in &landing.instead {
        if !instead.text.is_empty() {
            sentences.push(sentence(&instead.text));
            continue;
        }
        let other = &pack.results()[chart.landings[instead.landing].result].title;
        sentences.push(format!(
            "{other} instead if {}.",
            ChartWords::for_players(pack, chart).formula(&instead.when)
        ));
    }
    sentences.dedup();
    sentences.join(" ")
}

/// What changes, unless the result's name already says it.
fn effect_words(
    pack: &Pack,
    chart: &Chart,
    effect: &EffectRule,
    on: Option<RoleId>,
    title: &str,
) -> Option<String> {
    if !effect.text.is_empty() {
        // Words that the result's name or meaning already has are not repeated.
        let text = effect.text.trim_end_matches('.').to_lowercase();
        let told = title.to_lowercase().contains(&text);
        return (!told).then(|| sentence(&effect.text));
    }
    let who = effect.on.filter(|role| {
        effect.on != on && chart.roles.len() > 1 && chart.roles.get(*role).is_some()
    });
    let with_it = match &effect.nth {
        Some(nth) => {
            let nth = ChartWords::for_players(pack, chart).formula(nth);
            format!(", unit {nth} of its group")
        }
        None if effect.all => " and all with it".to_owned(),
        None => String::new(),
    };
    let who = who.map_or(String::new(), |role| format!("{}{with_it}: ", chart.roles[role].id));
    let named = |id: &str| {
        let fields = effect
            .on
            .and_then(|role| chart.roles.get(role))
            .map(|role| &pack.kinds()[role.kind].has);
        fields
            .and_then(|has| has.iter().find(|field| field.id == id))
            .map_or_else(|| id.to_owned(), |field| field.label.to_string())
    };
    let words = ChartWords::for_players(pack, chart);
    let say = |formula: &Formula| signed(&words.formula(formula));
    let said =
        |words: &str| title.to_lowercase().contains(&words.to_lowercase()) && effect.when.is_none();
    let what = match &effect.kind {
        EffectKind::Status(status) | EffectKind::Lift(status)
            if said(&pack.statuses()[*status].title) =>
        {
            return None;
        }
        EffectKind::Status(status) => format!("Now {}", pack.statuses()[*status].title),
        EffectKind::Lift(status) => format!("No longer {}", pack.statuses()[*status].title),
        EffectKind::Set(name, to) => format!("{} becomes {}", named(name), say(to)),
        EffectKind::Add(name, by) => format!("{} {}", named(name), words.change(by)),
        EffectKind::Remember(memory, to) => {
            let name = memory_name(pack, *memory);
            match to.constant() {
                Some(Value::YesNo(true)) if said(name) => return None,
                Some(Value::YesNo(true)) => format!("From now on: {name}"),
                Some(Value::YesNo(false)) => format!("No longer: {name}"),
                _ => format!("{name} becomes {}", say(to)),
            }
        }
        EffectKind::RememberMore(memory, by) => {
            format!("{} {}", memory_name(pack, *memory), words.change(by))
        }
        EffectKind::Leaves(text) if said(text) => return None,
        EffectKind::Leaves(text) => format!("Leaves the game, {text}"),
        EffectKind::Appear(new) => {
            let kind = &pack.kinds()[new.kind].title;
            match (new.count.constant(), say(&new.count).as_str()) {
                (Some(_), count) => format!("{count} × {kind} appear"),
                (None, "value") => format!("New units ({kind}): as many as the value"),
                (None, count) => format!("New units ({kind}): as many as {count}"),
            }
        }
        EffectKind::Reshuffle(deck) => format!("Reshuffle {}", pack.decks()[*deck].title),
        EffectKind::Note(text) => text.trim_end_matches('.').to_owned(),
    };
    // That a status ends only if it was there goes without saying.
    let lifts = match &effect.kind {
        EffectKind::Lift(_) => true,
        EffectKind::Remember(_, to) => to.constant() == Some(Value::YesNo(false)),
        _ => false,
    };
    let when = effect
        .when
        .as_ref()
        .filter(|_| !lifts)
        .map_or(String::new(), |when| format!(" if {}", words.formula(when)));
    Some(format!("{who}{what}{when}."))
}

/// What a game remembers, without the explanation that its label may have.
fn memory_name(pack: &Pack, memory: MemoryId) -> &str {
    let label = pack.memory()[memory].label.as_str();
    label.split([':', ';', '(']).next().unwrap_or(label).trim()
}

fn next_words(pack: &Pack, chart: &Chart, next: &FollowUpRule) -> String {
    if !next.text.is_empty() {
        return format!("→ {}", next.text);
    }
    let say = ChartWords::for_players(pack, chart);
    let title = &pack.charts()[next.chart].title;
    let who = next.others.as_ref().map_or("", |others| match others.relation {
        Relation::All => ", all",
        Relation::Group => ", the group",
        Relation::Joined => ", the units with it",
        Relation::Side => ", the side",
        Relation::Enemy => ", the enemy",
    });
    let why = if next.why.is_empty() { String::new() } else { format!(" ({})", next.why) };
    let when = next.when.as_ref().map(|when| format!(" if {}", say.formula(when)));
    let words = next.times.as_ref().and_then(|series| series.words);
    let times = next.times.as_ref().map(|series| say.formula(&series.times));
    let times = match (words, times) {
        (Some(list), _) => format!(" for each of {}", pack.lists()[list].titles()),
        (None, Some(times)) => format!(" × {times}"),
        (None, None) => String::new(),
    };
    format!("→ {title}{times}{who}{why}{}", when.unwrap_or_default())
}

/// What a cell changes beyond its result.
fn cell_changes(pack: &Pack, chart: &Chart, cell: &Cell) -> String {
    let own = cell.landing.map_or(&[][..], |landing| &chart.landings[landing].effects);
    // That others suffer the same as the unit is already in the result's text.
    let told = |effect: &EffectRule| effect.all && own.iter().any(|own| same(own, effect));
    let more = cell.effects.iter().filter(|effect| !told(effect));
    let effects = more.filter_map(|effect| effect_words(pack, chart, effect, None, ""));
    let mut parts: Vec<String> =
        effects.chain(cell.next.iter().map(|next| next_words(pack, chart, next))).collect();
    parts.dedup();
    parts.join(" ")
}

/// Whether two effects give or lift the same status, or both remove a unit.
fn same(one: &EffectRule, other: &EffectRule) -> bool {
    match (&one.kind, &other.kind) {
        (EffectKind::Status(a), EffectKind::Status(b))
        | (EffectKind::Lift(a), EffectKind::Lift(b)) => a == b,
        (EffectKind::Leaves(_), EffectKind::Leaves(_)) => true,
        _ => false,
    }
}

/// What follows from rows beyond their results; written once if all rows have the same.
pub(super) fn row_items(pack: &Pack, chart: &Chart) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for (place, row) in chart.read.rows.iter_enumerated() {
        let words = row_words(pack, chart, row, place);
        let texts: Vec<String> =
            row.cells.iter().map(|cell| cell_changes(pack, chart, cell)).collect();
        let alike = texts.windows(2).all(|two| two[0] == two[1]);
        for (column, text) in texts.iter().enumerate().take(if alike { 1 } else { usize::MAX }) {
            let head = || chart.read.column.as_ref()?.heads.as_slice().get(column);
            let term = match head().filter(|_| !alike) {
                Some(head) => format!("{words}, {head}"),
                None => words.clone(),
            };
            let item = Item { term, text: text.clone(), ..Item::default() };
            if !text.is_empty() && !items.contains(&item) {
                items.push(item);
            }
        }
    }
    match items.as_slice() {
        [first, _, ..]
            if items.iter().all(|item| item.text == first.text)
                && items.len() == chart.read.rows.len() =>
        {
            vec![Item { term: "Then".into(), text: first.text.clone(), ..Item::default() }]
        }
        _ => items,
    }
}

/// What follows from additional results beyond the results themselves.
pub(super) fn also_items(pack: &Pack, chart: &Chart) -> Vec<Item> {
    let item = |also: &Also| {
        let effects = also.effects.iter();
        let effects = effects.filter_map(|effect| effect_words(pack, chart, effect, None, ""));
        let next = also.next.iter().map(|next| next_words(pack, chart, next));
        let mut parts: Vec<String> = effects.chain(next).collect();
        parts.dedup();
        let title = &pack.results()[chart.landings[also.landing].result].title;
        let term = if also.label.is_empty() { title } else { &also.label };
        Item { term: term.to_string(), text: parts.join(" "), ..Item::default() }
    };
    chart.read.also.iter().map(item).filter(|item| !item.text.is_empty()).collect()
}
