//! The HTML of the lab: the odds first, then the set-up, the plot, the changes and the series.

use super::work::{field_of, said};
use super::{Message, State, situation};
use crate::app::{Page, Shared};
use crate::message::{Message as Outer, ViewRegion};
use crate::parts::{VALUE, act, axis, form, icon, odds, plot};
use crate::route::{Query, Route};
use adjutant_dice::{Answer, Number, Wanted};
use adjutant_engine::{
    Chance, OddsError, OddsReport, OutcomeChance, SeriesBranch, Situation, percent_in_words,
};
use adjutant_pack::{Field, NameSource, Pack};
use adjutant_render::plot::{Plot, Scale, Shade};
use adjutant_wording::en::page::{self as words, chart as chart_words, lab as text};
use maud::{Markup, html};

/// How many combinations of a series are shown.
const SHOWN: usize = 6;
/// Up to how often a result is followed.
const COLUMNS: u32 = 4;

pub fn page(state: &State, shared: &Shared) -> Page {
    let Some(form) = &state.form else {
        let (pack, chart) = state.lost.clone().unwrap_or_default();
        let main = html! { h1 tabindex="-1" { (chart_words::LOST) } p { (chart_words::lost(&pack, &chart)) } };
        return Page::plain(words::title(chart_words::LOST), main);
    };
    let (pack, chart) = (&form.pack, form.chart());
    let id = || pack.id().to_string();
    let main = html! {
        article.lab {
            header.chart-head {
                p.overline { (text::LAB) }
                h1 tabindex="-1" { (chart.title) }
                p.chart-links #lab-links data-region {}
                details.lab-charts {
                    summary { (pack.title()) }
                    ul.chips {
                        @for other in pack.charts() { li { a.chip href=(Route::Lab(id(), other.id.to_string(), Query::new())) aria-current=[(other.id == chart.id).then_some("page")] { (other.title) } } }
                        @for fight in pack.fights() { li { a.chip href=(Route::Fight(id(), fight.id.clone(), Query::new())) { (icon::odds()) (fight.title) } } }
                    }
                }
            }
            section #lab-odds.lab-odds data-region aria-label=(chart_words::ODDS) {}
            section #lab-form.lab-form data-region aria-label=(text::SETUP) {}
            section #lab-surface.lab-surface data-region aria-label=(text::SURFACE) {}
            section #lab-changes.lab-changes data-region aria-label=(text::CHANGES) {}
            section #lab-times.lab-times data-region aria-label=(text::TIMES) {}
            div #lab-strip.actions.lab-strip data-region {}
        }
    };
    let Some(here) = situation(form, shared, &state.memory) else {
        return Page::plain(words::title(text::LAB), main);
    };
    let strip = match &state.odds {
        Some(Ok(report)) => odds::strip(pack, chart, report),
        _ => html! {},
    };
    let regions = vec![
        ViewRegion::new("lab-links", links(state, shared)),
        ViewRegion::new("lab-odds", odds_view(state, &here)),
        ViewRegion::new("lab-form", setup(state, &here)),
        ViewRegion::new("lab-surface", surface(state, &here)),
        ViewRegion::new("lab-changes", changes(state, &here)),
        ViewRegion::new("lab-times", times(state, &here)),
        ViewRegion::new("lab-strip", strip),
    ];
    Page { title: words::title(&text::head(&chart.title)), main, regions }
}

fn send(message: Message) -> String {
    act(&Outer::Lab(message))
}

fn links(state: &State, shared: &Shared) -> Markup {
    let Some(form) = &state.form else { return html! {} };
    let plain: Query = form.given.clone().into_iter().collect();
    html! {
        a href=(Route::Chart(form.pack.id().to_string(), form.chart().id.to_string(), plain)) { (icon::die()) (text::ROLL_IT) }
        a href=(Route::Sheet(form.pack.id().to_string())) { (icon::sheet()) (chart_words::ON_THE_SHEET) }
        @if let Some(route) = state.route() {
            button.button.button-quiet type="button" data-do=(act(&Outer::Copy(shared.link(&route)))) { (icon::link()) (text::COPY) }
            @if let Some(Ok(report)) = &state.odds { button.button.button-quiet type="button" data-do=(act(&Outer::Copy(as_text(form, report, &shared.link(&route))))) { (icon::sheet()) (text::COPY_TEXT) } }
            @if state.work.is_done() { button.button.button-quiet type="button" data-do=(send(Message::SaveImage)) { (icon::odds()) (text::SAVE_IMAGE) } }
        }
    }
}

/// The odds as plain text, with the link that shows them again.
fn as_text(form: &form::Form, report: &OddsReport, link: &str) -> String {
    let mut lines = vec![form.chart().title.to_string()];
    for branch in &report.branches {
        let results =
            adjutant_engine::in_sheet_order(&form.pack, form.chart(), &branch.spread.results);
        lines.extend(results.into_iter().map(|chanced| {
            format!(
                "{}: {}",
                odds::name_of(&form.pack, chanced),
                percent_in_words(chanced.chance.percent())
            )
        }));
        let values = branch.spread.values.iter().filter(|_| branch.spread.results.is_empty());
        lines.extend(
            values
                .map(|(value, chance)| format!("{value}: {}", percent_in_words(chance.percent()))),
        );
    }
    lines.push(link.to_owned());
    lines.join("\n")
}

/// The plot as a picture file.
pub(super) fn image(state: &State, here: &Situation<'_>) -> Option<String> {
    let plot = plot_of(state, here)?;
    Some(adjutant_render::plot::svg(&plot, adjutant_render::plot::PlotTarget::Article))
}

/// The odds, alone or beside those of A.
fn odds_view(state: &State, here: &Situation<'_>) -> Markup {
    let (pack, chart) = (here.pack(), here.chart());
    html! {
        div.lab-beside {
            h2 { (chart_words::ODDS) }
            @match (&state.odds, &state.other_odds) {
                (Some(Ok(now)), Some(before)) => (compare(state, pack, here, before, now)),
                (Some(odds), _) => {
                    (odds::view(pack, chart, odds, &std::collections::BTreeMap::new()))
                    @if let Err(OddsError::Needs(needs)) = odds { (later(state, needs)) }
                },
                _ => {},
            }
            div.lab-compare {
                @if state.other.is_some() {
                    button.button.button-small type="button" data-do=(send(Message::Swap)) { (text::SWAP) }
                    button.button.button-small.button-quiet type="button" data-do=(send(Message::Unpin)) { (text::UNPIN) }
                } @else {
                    button.button.button-small type="button" data-key="a" data-do=(send(Message::Pin)) { (text::PIN) }
                }
            }
        }
    }
}

fn compare(
    state: &State,
    pack: &Pack,
    here: &Situation<'_>,
    before: &OddsReport,
    now: &OddsReport,
) -> Markup {
    let all = adjutant_engine::all_results([before, now]);
    let results = adjutant_engine::in_sheet_order(pack, here.chart(), &all);
    let mean = |report: &OddsReport| {
        report.branches.first().and_then(|branch| branch.spread.mean()).map(|mean| mean.value())
    };
    let differ = differences(state);
    html! {
        div.compare-bars aria-hidden="true" {
            span { (text::A) } (odds::strip(pack, here.chart(), before))
            span { (text::B) } (odds::strip(pack, here.chart(), now))
        }
        table.numbers.compare {
            thead { tr { th scope="col" { (text::RESULT) } th scope="col" { (text::A) } th scope="col" { (text::B) } th scope="col" { (text::DIFFERENCE) } } }
            tbody {
                @for (chanced, shade) in results.iter().zip(odds::shades(pack, results.iter().copied())) {
                    @let (a, b) = (before.chance_of(chanced), now.chance_of(chanced));
                    tr {
                        th scope="row" { (odds::swatch(shade)) " " (odds::name_of(pack, chanced)) }
                        td { (percent(&a)) }
                        td { (percent(&b)) }
                        td.difference { b { (text::points(b.percent() - a.percent())) } }
                    }
                }
                @if let (Some(a), Some(b), true) = (mean(before), mean(now), results.is_empty()) {
                    tr { th scope="row" { (text::ON_AVERAGE) } td { (format!("{a:.2}")) } td { (format!("{b:.2}")) } td.difference { b { (format!("{:+.2}", b - a)) } } }
                }
            }
        }
        @if differ.is_empty() { p.hint { (text::NO_DIFFERENCE) } } @else {
            p.hint { (text::DIFFER_IN) }
            ul.differ { @for (label, a, b) in differ { li { (label) ": " b { (a) } " → " b { (b) } } } }
        }
    }
}

/// Where A and B differ: label, value in A, value in B.
fn differences(state: &State) -> Vec<(String, String, String)> {
    let (Some(form), Some(other)) = (&state.form, &state.other) else { return Vec::new() };
    let mut names: Vec<&String> = form.given.keys().chain(other.given.keys()).collect();
    names.sort();
    names.dedup();
    let shown = |name: &str, value: Option<&String>| {
        let input = form.chart().input(name);
        let value =
            value.cloned().or_else(|| input?.field.default.as_ref().map(ToString::to_string));
        match (value, input) {
            (Some(value), Some(input)) => form::shown_value(&input.field.accepts, &value),
            (value, _) => value.unwrap_or_else(|| "–".into()),
        }
    };
    let told = names.into_iter().map(|name| {
        let label =
            form.chart().input(name).map_or(name.clone(), |input| input.field.label.to_string());
        (label, shown(name, other.given.get(name)), shown(name, form.given.get(name)))
    });
    told.filter(|(_, a, b)| a != b).collect()
}

fn percent(chance: &Chance) -> String {
    percent_in_words(chance.percent())
}

/// The set-up: the form, the questions on the way, follow-ups, what a table would remember.
fn setup(state: &State, here: &Situation<'_>) -> Markup {
    let Some(form) = &state.form else { return html! {} };
    let (pack, chart) = (here.pack(), here.chart());
    let wrap = |message| Outer::Lab(Message::Form(message));
    let memory = chart.other_names.iter().filter_map(|(origin, _)| match origin {
        NameSource::Memory(place) => pack.memory().get(*place),
        _ => None,
    });
    let remembered = |id: &str| {
        state.memory.iter().find(|(known, _)| known == id).map(|(_, value)| value.clone())
    };
    let charts = pack
        .charts()
        .iter()
        .filter(|known| known.id == chart.id || (state.follow && !state.questions.is_empty()));
    let mut questions: Vec<adjutant_engine::PossibleQuestion> = Vec::new();
    for question in charts.flat_map(|chart| adjutant_engine::questions(pack, chart)) {
        if !questions.iter().any(|known| known.key == question.key) {
            questions.push(question);
        }
    }
    let goes_on = chart.follow_ups().next().is_some();
    html! {
        h2 { (text::SETUP) @if state.other.is_some() { " " (text::B) } }
        (form.view(here, &wrap, &|_, _| None))
        @for field in memory { (form::setting(field, remembered(&field.id), &|value| Outer::Lab(Message::Memory(field.id.to_string(), value)))) }
        @if goes_on {
            label.tick {
                input type="checkbox" id="lab-follow" checked[state.follow] data-do=(send(Message::Follow(!state.follow)));
                span.tick-box aria-hidden="true" { (icon::check()) }
                span.tick-text { span.tick-label { (text::FOLLOW) } span.hint { (text::FOLLOW_ABOUT) } }
            }
        }
        @if !questions.is_empty() {
            fieldset.form-role {
                legend { (text::QUESTIONS) }
                @for question in &questions {
                    label.field.field-wide {
                        span.field-label { (question.prompt) }
                        input type="text" id=(format!("question-{}", question.key)) autocomplete="off" placeholder=(adjutant_wording::en::accepted(&question.accepts)) value=[state.questions.get(&question.key)] data-do=(send(Message::Question(question.key.clone(), VALUE.into())));
                    }
                    @if let Some(why) = state.questions.get(&question.key).and_then(|said| adjutant_engine::AnswerOdds::read(&question.accepts, said).err()) { p.wrong { (adjutant_wording::en::answer_odds_error(&why)) } }
                }
                p.hint { (text::QUESTION_HINT) }
            }
        }
    }
}

/// The inputs of the charts that follow.
fn later(state: &State, needs: &[adjutant_dice::Missing]) -> Markup {
    let wanted = needs.iter().filter(|need| matches!(need.wanted, Wanted::Input { .. }));
    html! {
        @if state.follow {
            fieldset.form-role {
                legend { (text::LATER) }
                @for need in wanted {
                    label.field { span.field-label { (need.what_for) } input type="text" id=(format!("later-{}", need.key)) autocomplete="off" value=[state.later.get(&need.key)] data-do=(send(Message::Later(need.key.clone(), VALUE.into()))); }
                }
            }
        }
    }
}

/// What a plot distinguishes: results, or numbers where a chart has no results.
enum PlotKeys {
    Results(Vec<OutcomeChance>),
    Values(Vec<Number>),
}

impl PlotKeys {
    fn of(here: &Situation<'_>, reports: &[Option<OddsReport>]) -> PlotKeys {
        let known = || reports.iter().flatten();
        let all = adjutant_engine::all_results(known());
        if !all.is_empty() {
            return PlotKeys::Results(
                adjutant_engine::in_sheet_order(here.pack(), here.chart(), &all)
                    .into_iter()
                    .cloned()
                    .collect(),
            );
        }
        let values = known()
            .filter_map(|report| report.branches.first())
            .flat_map(|branch| branch.spread.values.iter().map(|(n, _)| *n));
        let mut values: Vec<Number> = values.collect();
        values.sort();
        values.dedup();
        PlotKeys::Values(values)
    }

    /// Their ids and names.
    fn names(&self, pack: &Pack) -> Vec<(String, String)> {
        match self {
            PlotKeys::Results(all) => all
                .iter()
                .map(|chanced| {
                    (
                        format!("{}.{}", chanced.of.as_deref().unwrap_or_default(), chanced.id),
                        odds::name_of(pack, chanced),
                    )
                })
                .collect(),
            PlotKeys::Values(all) => all.iter().map(|n| (n.to_string(), n.to_string())).collect(),
        }
    }

    /// Their colours; empty for the usual ones.
    fn shades(&self, pack: &Pack) -> Vec<Shade> {
        match self {
            PlotKeys::Results(all) => odds::shades(pack, all),
            PlotKeys::Values(_) => Vec::new(),
        }
    }

    fn percents(&self, report: Option<&OddsReport>) -> Vec<f64> {
        let Some(report) = report else { return Vec::new() };
        let spread = report.branches.first().map(|branch| &branch.spread);
        match self {
            PlotKeys::Results(all) => {
                all.iter().map(|chanced| report.chance_of(chanced).percent()).collect()
            }
            PlotKeys::Values(all) => {
                let chance = |n: &Number| {
                    spread
                        .and_then(|spread| spread.values.iter().find(|(known, _)| known == n))
                        .map_or(0.0, |(_, chance)| chance.percent())
                };
                all.iter().map(chance).collect()
            }
        }
    }
}

/// The plot over one or two inputs.
fn surface(state: &State, here: &Situation<'_>) -> Markup {
    let chart = here.chart();
    let relevant = adjutant_engine::relevant(here);
    let shown = relevant.iter().map(|place| &chart.inputs[*place]);
    let inputs: Vec<(String, &Field)> = shown
        .filter_map(|input| Some((input.name.to_string(), field_of(chart, &input.name)?)))
        .collect();
    if inputs.is_empty() {
        return html! { h2 { (text::SURFACE) } p.hint { (text::NOTHING_TO_VARY) } };
    }
    let axes = state.work.axes();
    let values = |place: usize| axes.get(place).map_or(&[][..], |(_, values)| values.as_slice());
    let others: Vec<(String, &Field)> =
        inputs.iter().filter(|(name, _)| *name != state.work.down().name).cloned().collect();
    html! {
        h2 { (text::SURFACE) }
        div.axes {
            (state.work.down().view("vary", text::VARY, &inputs, values(0), None, &|message| Outer::Lab(Message::Down(message))))
            (state.across.view("across", text::ACROSS, &others, values(1), Some(text::NO_SECOND), &|message| Outer::Lab(Message::Across(message))))
        }
        @if state.work.is_done() { (picture(state, here)) } @else {
            p.working role="status" { (text::WORKING) " " (text::progress(state.work.done(), state.work.size())) }
            progress max=(state.work.size()) value=(state.work.done()) aria-label=(text::WORKING) {}
        }
    }
}

/// The result that is plotted where two inputs vary: its place among all.
fn chosen(state: &State, names: &[(String, String)]) -> usize {
    let found = names.iter().position(|(id, _)| *id == state.of);
    found.unwrap_or_else(|| names.len().saturating_sub(1))
}

/// The plot over the chosen inputs.
fn plot_of(state: &State, here: &Situation<'_>) -> Option<Plot> {
    let (pack, chart, axes) = (here.pack(), here.chart(), state.work.axes());
    let told = PlotKeys::of(here, &state.work.cells);
    let mut names = told.names(pack);
    let across = axes.get(1).map_or(1, |(_, values)| values.len().max(1));
    let chosen = chosen(state, &names);
    let mut cells: Vec<Vec<Vec<f64>>> = state
        .work
        .cells
        .chunks(across)
        .map(|row| row.iter().map(|cell| told.percents(cell.as_ref())).collect())
        .collect();
    if axes.len() > 1 {
        names = names.into_iter().skip(chosen).take(1).collect();
        for cell in cells.iter_mut().flatten() {
            *cell = cell.get(chosen).copied().into_iter().collect();
        }
    }
    let scale = |(axis, values): &(axis::Axis, Vec<String>)| {
        let field = field_of(chart, &axis.name);
        Scale {
            label: field.map_or(String::new(), |field| field.label.to_string()),
            values: values
                .iter()
                .map(|value| field.map_or(value.clone(), |field| axis::shown(field, value)))
                .collect(),
        }
    };
    let at = |place: usize| {
        axes.get(place).and_then(|(axis, values)| {
            values.iter().position(|value| Some(value) == said(here, &axis.name).as_ref())
        })
    };
    let down = axes.first().map(scale)?;
    Some(Plot {
        title: text::by(&chart.title, &down.label),
        down,
        across: axes.get(1).map(scale),
        names: names.into_iter().map(|(_, name)| name).collect(),
        cells,
        here: at(0).and_then(|row| Some((row, if axes.len() > 1 { at(1)? } else { 0 }))),
        shades: told.shades(pack),
        ..Plot::default()
    })
}

fn picture(state: &State, here: &Situation<'_>) -> Markup {
    let Some(plot) = plot_of(state, here) else { return html! {} };
    let all = PlotKeys::of(here, &state.work.cells).names(here.pack());
    let (axes, chosen) = (state.work.axes(), chosen(state, &all));
    let several = state.work.cells.iter().flatten().any(|report| report.branches.len() > 1);
    html! {
        @if axes.len() > 1 {
            label.field.lab-of {
                span.field-label { (text::OF) }
                select id="lab-of" data-do=(send(Message::ShowResult(VALUE.into()))) {
                    @for (place, (id, name)) in all.iter().enumerate() { option value=(id) selected[place == chosen] { (name) } }
                }
            }
        }
        (plot::view(&plot))
        @if plot.here.is_some() { p.hint { (text::HERE) } }
        @if several { p.hint { (text::FIRST_BRANCH) } }
    }
}

/// What each circumstance would change.
fn changes(state: &State, here: &Situation<'_>) -> Markup {
    let (pack, chart) = (here.pack(), here.chart());
    let Some(Ok(now)) = &state.odds else { return html! {} };
    html! {
        h2 { (text::CHANGES) }
        @if state.work.is_done() && state.work.changes.is_empty() { p.hint { (text::NO_CHANGES) } } @else {
            p.hint { (text::CHANGES_ABOUT) }
            div.change-list {
                @for (place, changed) in &state.work.changes {
                    @let input = &chart.inputs[*place];
                    @let moved = changed.as_ref().map(|changed| adjutant_engine::differences(here, now, changed)).unwrap_or_default();
                    section.change {
                        h3 { (input.field.label) }
                        @if moved.is_empty() { p.hint { (text::CHANGES_NOTHING) } } @else {
                            table.numbers {
                                @for branch in &moved {
                                    @for (result, before, after) in &branch.results {
                                        tr { th scope="row" { (odds::name_of(pack, result)) (if_answered(branch.answers)) } td { (percent(before)) " → " b { (percent(after)) } } td.difference { (text::points(after.percent() - before.percent())) } }
                                    }
                                    @for (of, before, after) in &branch.first {
                                        tr { th scope="row" { (adjutant_wording::en::acts_first(of.as_deref())) (if_answered(branch.answers)) } td { (percent(before)) " → " b { (percent(after)) } } td.difference { (text::points(after.percent() - before.percent())) } }
                                    }
                                    @if let Some([before, after]) = branch.numbers {
                                        @let (before, after) = (before.mean().map_or(0.0, |mean| mean.value()), after.mean().map_or(0.0, |mean| mean.value()));
                                        tr { th scope="row" { (text::ON_AVERAGE) (if_answered(branch.answers)) } td { (format!("{before:.2}")) " → " b { (format!("{after:.2}")) } } td.difference { (format!("{:+.2}", after - before)) } }
                                    }
                                }
                            }
                        }
                        button.button.button-small.button-quiet type="button" data-do=(act(&Outer::Lab(Message::Form(form::Message::Give(input.name.to_string(), "yes".into()))))) { (text::LET_IT_HOLD) }
                    }
                }
            }
        }
    }
}

/// The answers of a branch, after the name of a result.
fn if_answered(answers: &[(String, Answer)]) -> Markup {
    html! { @for (key, answer) in answers { ", " (key) ": " (answer) } }
}

/// A series of rolls.
fn times(state: &State, here: &Situation<'_>) -> Markup {
    let step = |to: u32, label: String, sign: Markup, off: bool| {
        html! { button.step type="button" disabled[off] aria-label=(label) data-do=(send(Message::Times(to.to_string()))) { (sign) } }
    };
    html! {
        @if !state.follow {
            h2 { (text::TIMES) }
            div.field.field-stepper {
                label.field-label for="lab-n" { (text::HOW_OFTEN) }
                div.stepper {
                    (step(state.times.saturating_sub(1), words::parts::less(text::HOW_OFTEN), icon::minus(), state.times <= 1))
                    input.stepper-value #lab-n type="text" inputmode="numeric" autocomplete="off" value=(state.times) data-do=(send(Message::Times(VALUE.into())));
                    (step(state.times + 1, words::parts::more(text::HOW_OFTEN), icon::plus(), state.times >= super::MOST_TIMES))
                }
            }
            @match &state.series {
                None => { p.hint { (text::ONCE) } },
                Some(Err(OddsError::TooLarge(_))) => { p.wrong { (text::TOO_MANY) } },
                Some(Err(stop)) => { p.odds-none { (adjutant_wording::en::odds_error(stop)) } },
                Some(Ok(series)) => { @for branch in series.branches.iter().take(4) { (series_view(here, branch)) } },
            }
        }
    }
}

fn series_view(here: &Situation<'_>, branch: &SeriesBranch) -> Markup {
    let (pack, joint) = (here.pack(), &branch.joint);
    let mut results: Vec<(usize, OutcomeChance)> =
        branch.outcomes().into_iter().enumerate().collect();
    results.sort_by_key(|(place, chanced)| {
        let value = joint.outcomes().get(*place).and_then(|outcome| outcome.value);
        (adjutant_engine::sheet_place(pack, here.chart(), chanced), value)
    });
    results.retain(|(_, chanced)| chanced.chance.value() > 0.0);
    let columns = joint.times().min(COLUMNS);
    let likeliest = branch.likeliest();
    html! {
        @if !branch.answers.is_empty() { p.odds-if { @for (key, answer) in &branch.answers { (key) " " b { (answer) } " " } } }
        p.hint { (if branch.one_deck { text::ONE_DECK } else { text::INDEPENDENT }) }
        div.printed-scroll tabindex="0" role="group" aria-label=(text::TIMES) {
            table.numbers {
                thead { tr { th scope="col" { (text::RESULT) } th scope="col" { (text::ON_AVERAGE) } th scope="col" { (text::NEVER) } @for n in 1..=columns { th scope="col" { (text::or_more(n, joint.times())) } } } }
                tbody {
                    @for (place, chanced) in &results {
                        tr {
                            th scope="row" { (odds::name_of(pack, chanced)) }
                            td { b { (format!("{:.2}", chanced.chance.value())) } }
                            td { (percent(&joint.exactly(*place, 0))) }
                            @for n in 1..=columns { td { (percent(&joint.at_least(*place, n))) } }
                        }
                    }
                }
            }
        }
        h3 { (text::TOGETHER) }
        ol.together {
            @for (list, chance) in likeliest.iter().take(SHOWN) {
                @let parts: Vec<String> = results.iter().filter(|(place, _)| list[*place] > 0).map(|(place, chanced)| format!("{} × {}", list[*place], odds::name_of(pack, chanced))).collect();
                li { b.odds-percent { (percent(chance)) } " " (parts.join(", ")) }
            }
        }
        @if likeliest.len() > SHOWN { p.hint { (text::more_combinations(likeliest.len() - SHOWN)) } }
    }
}
