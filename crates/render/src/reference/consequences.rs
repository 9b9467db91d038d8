//! What results and rows change and what follows from them, in words.

use super::chart::signed;
use super::chart_table::row_words;
use super::content::Meaning;
use super::model::Item;
use adjutant_pack::{
    Chart, EffectKind, EffectRule, FollowUpRule, Formula, Pack, Relation, ResultBinding, RoleId,
    Value, capital,
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

fn landing_words(pack: &Pack, chart: &Chart, landing: &ResultBinding) -> String {
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
        sentences.push(next_words(pack, next));
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
        EffectKind::Add(name, by) => match say(by) {
            less if less.starts_with('−') => format!("{} {less}", named(name)),
            more => format!("{} +{more}", named(name)),
        },
        EffectKind::Remember(..) | EffectKind::RememberMore(..) => return None,
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
    let lifts = matches!(effect.kind, EffectKind::Lift(_));
    let when = effect
        .when
        .as_ref()
        .filter(|_| !lifts)
        .map_or(String::new(), |when| format!(" if {}", words.formula(when)));
    Some(format!("{who}{what}{when}."))
}

fn next_words(pack: &Pack, next: &FollowUpRule) -> String {
    if !next.text.is_empty() {
        return format!("→ {}", next.text);
    }
    let title = &pack.charts()[next.chart].title;
    let who = next.others.as_ref().map_or("", |others| match others.relation {
        Relation::All => ", all",
        Relation::Group => ", the group",
        Relation::Joined => ", the units with it",
        Relation::Side => ", the side",
        Relation::Enemy => ", the enemy",
    });
    let why = if next.why.is_empty() { String::new() } else { format!(" ({})", next.why) };
    let words = next.times.as_ref().and_then(|series| series.words);
    let times = next.times.as_ref().and_then(|series| series.times.constant());
    let times = match (words, times.and_then(Value::number)) {
        (Some(list), _) => format!(" for each of {}", pack.lists()[list].titles()),
        (None, Some(times)) => format!(" × {times}"),
        (None, None) => String::new(),
    };
    format!("→ {title}{times}{who}{why}")
}

/// What follows from rows beyond their results; written once if all rows have the same.
pub(super) fn row_items(pack: &Pack, chart: &Chart) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for (place, row) in chart.read.rows.iter_enumerated() {
        let Some(cell) =
            row.cells.iter().find(|cell| !cell.effects.is_empty() || !cell.next.is_empty())
        else {
            continue;
        };
        let same = |one: &EffectKind, other: &EffectKind| {
            std::mem::discriminant(one) == std::mem::discriminant(other)
        };
        let own = cell.landing.map_or(&[][..], |landing| &chart.landings[landing].effects);
        // That others suffer the same as the unit is already in the result's text.
        let more = cell
            .effects
            .iter()
            .filter(|effect| !effect.all || !own.iter().any(|own| same(&own.kind, &effect.kind)));
        let effects = more.filter_map(|effect| effect_words(pack, chart, effect, None, ""));
        let mut parts: Vec<String> =
            effects.chain(cell.next.iter().map(|next| next_words(pack, next))).collect();
        parts.dedup();
        let text = parts.join(" ");
        let words = row_words(pack, chart, row, place);
        let result = cell
            .landing
            .map(|landing| pack.results()[chart.landings[landing].result].title.to_string());
        let term = if words.chars().count() > 40 { result.unwrap_or(words) } else { words };
        if !text.is_empty() && !items.iter().any(|item| item.term == term && item.text == text) {
            items.push(Item { term, text, ..Item::default() });
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
