//! What a chart's results mean, what they change and what follows from them.

use crate::paint::{DIM, HEAD, Table};
use anstyle::Style;
use sheet::{Chart, Effect, EffectKind, FollowUp, Landing, Pack};

/// One line for each result of the chart, in the order in which the sheet names them first.
pub fn results(pack: &Pack, chart: &Chart) -> String {
    let mut table = Table::new(2);
    let mut seen = Vec::new();
    for landing in &chart.landings {
        let outcome = &pack.results[landing.result];
        let text = landing_text(pack, chart, landing);
        if text.is_empty() || seen.contains(&(landing.result, text.clone())) {
            continue;
        }
        seen.push((landing.result, text.clone()));
        table.row([(outcome.title.to_string(), HEAD), (text, Style::new())]);
    }
    for row in &chart.read.rows {
        let Some(cell) = row.cells.iter().find(|cell| !cell.effects.is_empty() || !cell.next.is_empty()) else { continue };
        let label = if row.label.is_empty() { "This row".to_owned() } else { row.label.to_string() };
        table.row([(label, HEAD), (changes(pack, chart, &cell.effects, &cell.next).join("; "), Style::new())]);
    }
    if let Some(together) = &chart.together {
        table
            .row([("Together".to_owned(), DIM), (format!("effects of attacks declared together land together if {}", together.text), DIM)]);
    }
    table.print()
}

fn landing_text(pack: &Pack, chart: &Chart, landing: &Landing) -> String {
    let outcome = &pack.results[landing.result];
    let mut parts: Vec<String> = Vec::new();
    let mut lines = changes(pack, chart, &landing.effects, &landing.next);
    for instead in &landing.instead {
        let other = &pack.results[chart.landings[instead.landing].result].title;
        lines.push(format!("becomes {other} if {}", instead.when.text));
    }
    if !outcome.means.is_empty() {
        parts.push(outcome.means.to_string());
    }
    if !lines.is_empty() {
        parts.push(format!("[{}]", lines.join("; ")));
    }
    parts.join(" ")
}

fn changes(pack: &Pack, chart: &Chart, effects: &[Effect], next: &[FollowUp]) -> Vec<String> {
    effects.iter().map(|effect| effect_text(pack, chart, effect)).chain(next.iter().map(|next| next_text(pack, chart, next))).collect()
}

fn effect_text(pack: &Pack, chart: &Chart, effect: &Effect) -> String {
    let on = effect.on.filter(|_| chart.roles.len() > 1).map_or(String::new(), |role| format!("{}: ", chart.roles[role].id));
    let what = match &effect.kind {
        EffectKind::Status(status) => format!("{on}status {}", pack.statuses[*status].title),
        EffectKind::Lift(status) => format!("{on}no longer {}", pack.statuses[*status].title),
        EffectKind::Set(name, to) => format!("{on}{name} becomes {}", to.text),
        EffectKind::Add(name, by) => format!("{on}{name} + {}", by.text),
        EffectKind::Remember(memory, to) => format!("{} becomes {}", pack.memory[*memory].label, to.text),
        EffectKind::RememberMore(memory, by) => format!("{} + {}", pack.memory[*memory].label, by.text),
        EffectKind::Leaves(text) => format!("{on}leaves the game, {text}"),
        EffectKind::Appear(new) => {
            let template = new.template.map(|template| format!(": {}", pack.templates[template].title)).unwrap_or_default();
            format!("{} × {} appear{template}", new.count.text, pack.kinds[new.kind].title)
        }
        EffectKind::Reshuffle(deck) => format!("reshuffle {}", pack.decks[*deck].title),
        EffectKind::Note(text) => text.to_string(),
    };
    with_when(what, effect.when.as_ref())
}

fn next_text(pack: &Pack, chart: &Chart, next: &FollowUp) -> String {
    let title = &pack.charts[next.chart].title;
    let who = next.others.as_ref().map_or(String::new(), |others| match others.relation.name() {
        "all" => " for everybody".to_owned(),
        relation => format!(" for the {relation} of {}", chart.roles[others.of].id),
    });
    with_when(format!("{} {title}{who}", if next.now { "at once" } else { "then" }), next.when.as_ref())
}

fn with_when(text: String, when: Option<&sheet::Formula>) -> String {
    when.map_or(text.clone(), |when| format!("{text} if {}", when.text))
}
