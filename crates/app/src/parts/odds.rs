//! The odds: one bar in the order of the sheet, and each result with its chance. How bad a result
//! is decides its colour; results are told apart by place, name and hatching, too.

use adjutant_dice::set_of;
use adjutant_engine::{Branch, Chance, Distribution, OddsError, OddsReport, OutcomeChance};
use adjutant_pack::{Chart, Harm, Pack};
use adjutant_render::plot::{self, Shade};
use adjutant_wording::en::page::parts as words;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// How many different numbers are listed.
const MOST_VALUES: usize = 24;
/// How many different numbers are listed if all have the same chance.
const MOST_EVEN: usize = 12;
/// The shade of an additional result.
const OTHER: Shade = Shade::plain(7);

/// The odds of a chart. `names` has the names of the units, if any.
pub fn view(
    pack: &Pack,
    chart: &Chart,
    odds: &Result<OddsReport, OddsError>,
    names: &BTreeMap<String, String>,
) -> Markup {
    html! {
        @match odds {
            Ok(report) => {
                @for branch in &report.branches { (branch_view(pack, chart, branch, names)) }
            },
            Err(OddsError::Needs(needs)) => {
                @let needs = set_of(needs.iter().map(|need| need.what_for.as_str()));
                p.odds-none { (words::ODDS_WAIT) " " (needs.into_iter().collect::<Vec<_>>().join(", ")) "." }
            },
            Err(stop) => { p.odds-none { (adjutant_wording::en::odds_error(stop)) } },
        }
    }
}

fn branch_view(
    pack: &Pack,
    chart: &Chart,
    branch: &Branch,
    names: &BTreeMap<String, String>,
) -> Markup {
    let questions = adjutant_engine::questions(pack, chart);
    let prompt = |key: &str| questions.iter().find(|question| question.key == key);
    html! {
        @if !branch.answers.is_empty() {
            p.odds-if {
                (words::ODDS_IF) " "
                @for (place, (key, answer)) in branch.answers.iter().enumerate() {
                    @if place > 0 { "; " }
                    @let text = answer.to_string();
                    @if let Some(question) = prompt(key) { (question.prompt) " " b { (super::form::shown_value(&question.accepts, &text)) } }
                    @else { (key) " " b { (text) } }
                }
            }
        }
        (spread(pack, chart, &branch.spread, names))
        @if !branch.first.is_empty() {
            ol.odds-list {
                @for (place, first) in branch.first.iter().enumerate() {
                    @let name = first.of.as_ref().map(|of| member(pack, chart, of, names));
                    (row(Shade::plain(4 + place % 4), &adjutant_wording::en::acts_first(name.as_deref()), &first.chance))
                }
            }
        }
    }
}

/// How bad a result is, if its pack says so.
pub fn harm(pack: &Pack, id: &str) -> Option<Harm> {
    pack.results().iter().find(|result| result.id == id)?.harm
}

/// The shades of results in the order in which they are shown.
pub fn shades<'r>(pack: &Pack, results: impl IntoIterator<Item = &'r OutcomeChance>) -> Vec<Shade> {
    plot::shades(pack, results.into_iter().map(|chanced| chanced.id.as_str()))
}

/// The chances of one distribution.
pub fn spread(
    pack: &Pack,
    chart: &Chart,
    spread: &Distribution,
    names: &BTreeMap<String, String>,
) -> Markup {
    let results = adjutant_engine::in_sheet_order(pack, chart, &spread.results);
    let several = spread.several_ends || results.iter().any(|chanced| chanced.of.is_some());
    let numbers = spread.values.len() > 1 || results.is_empty();
    html! {
        @if !results.is_empty() {
            @let shades = shades(pack, results.iter().copied());
            @if !several { (bar(pack, &results)) }
            ol.odds-list {
                @for (chanced, shade) in results.iter().zip(shades) { (row(shade, &named(pack, chart, chanced, names), &chanced.chance)) }
                @for (also, label) in spread.labelled_also() { (row(OTHER, &words::also(&named(pack, chart, also, names), label), &also.chance)) }
            }
            @if spread.several_ends { p.hint { (words::SEVERAL_ENDS) } }
        }
        @if numbers && !spread.values.is_empty() { (values(spread)) }
        @if !spread.unfollowed.is_empty() {
            ol.odds-list {
                @for left_out in &spread.unfollowed { (row(OTHER, &adjutant_wording::en::not_followed(&left_out.what), &left_out.chance)) }
            }
        }
    }
}

/// One bar with all results.
fn bar(pack: &Pack, results: &[&OutcomeChance]) -> Markup {
    html! {
        div.odds-bar aria-hidden="true" {
            @for (chanced, shade) in results.iter().zip(shades(pack, results.iter().copied())) {
                @let percent = chanced.chance.percent();
                @if percent > 0.0 {
                    span.odds-part data-shade=(shade.colour) data-hatch=(shade.hatch) data-size=(format!("{percent:.2}")) { @if percent >= 12.0 { (adjutant_engine::percent_in_short(percent)) } }
                }
            }
        }
    }
}

fn row(shade: Shade, name: &str, chance: &Chance) -> Markup {
    let exact = chance.exact();
    html! {
        li.odds-row {
            (swatch(shade))
            span.odds-name { (name) }
            span.odds-exact { @if exact.len() <= 9 { (exact) } }
            b.odds-percent { (adjutant_engine::percent_in_words(chance.percent())) }
        }
    }
}

/// A small field in the colour of a result.
pub fn swatch(shade: Shade) -> Markup {
    html! { span.odds-swatch data-shade=(shade.colour) data-hatch=(shade.hatch) aria-hidden="true" {} }
}

/// Numbers and their chances, as columns.
fn values(spread: &Distribution) -> Markup {
    let most = spread.values.iter().map(|(_, chance)| chance.percent()).fold(0.1, f64::max);
    // Many numbers with the same chance, such as the cards of a deck, take one line.
    if let ([(first, chance), .., (last, _)], true) =
        (spread.values.as_slice(), spread.values.len() > MOST_EVEN)
        && spread.values.iter().all(|(_, other)| other.exact() == chance.exact())
    {
        return html! { p.odds-mean { (words::even(&first.to_string(), &last.to_string(), spread.values.len())) " " b { (adjutant_engine::percent_in_words(chance.percent())) } } };
    }
    html! {
        ol.odds-values {
            @for (value, chance) in spread.values.iter().take(MOST_VALUES) {
                li.odds-value {
                    b.odds-number { (value) }
                    span.odds-track { span.odds-fill data-size=(format!("{:.2}", chance.percent() / most * 100.0)) {} }
                    span.odds-percent { (adjutant_engine::percent_in_words(chance.percent())) }
                }
            }
        }
        @if spread.values.len() > MOST_VALUES { p.hint { (words::more_values(spread.values.len() - MOST_VALUES)) } }
        @if let Some(mean) = spread.mean() { p.odds-mean { (words::MEAN) " " b { (format!("{:.2}", mean.value())) } } }
    }
}

/// The name of one of several units.
fn member(pack: &Pack, chart: &Chart, of: &str, names: &BTreeMap<String, String>) -> String {
    let role =
        || chart.each.as_ref().map(|each| words::member(pack, &chart.roles[each.role].id, of));
    names.get(of).cloned().or_else(role).unwrap_or_else(|| of.to_owned())
}

/// The name of a result, with the name of its unit.
fn named(
    pack: &Pack,
    chart: &Chart,
    chanced: &OutcomeChance,
    names: &BTreeMap<String, String>,
) -> String {
    let Some(of) = &chanced.of else { return name_of(pack, chanced) };
    let name = member(pack, chart, of, names);
    format!("{name}: {}", name_of(pack, &OutcomeChance { of: None, ..chanced.clone() }))
}

/// The name of a result, with its chart and role where they are not obvious.
pub fn name_of(pack: &Pack, chanced: &OutcomeChance) -> String {
    let chart = chanced
        .chart
        .as_ref()
        .and_then(|id| pack.chart(id))
        .map_or(String::new(), |chart| format!("{}: ", chart.title));
    let of = chanced.of.as_ref().map_or(String::new(), |of| format!("{of}: "));
    let on = chanced
        .on
        .as_ref()
        .map_or(String::new(), |on| format!(" ({})", words::role_within(pack, on)));
    format!("{of}{chart}{}{on}", chanced.title)
}

/// The bar alone, for the place beside the button: there the player sees what changes.
pub fn strip(pack: &Pack, chart: &Chart, report: &OddsReport) -> Markup {
    let Some(branch) = report.branches.first() else { return html! {} };
    let results = adjutant_engine::in_sheet_order(pack, chart, &branch.spread.results);
    html! {
        @if results.len() > 1 && !branch.spread.several_ends && results.iter().all(|chanced| chanced.of.is_none()) { div.odds-strip { (bar(pack, &results)) } }
    }
}
