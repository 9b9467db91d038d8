//! The HTML of a fight: who wins, how that is known, how long it takes and who is left; then the
//! sides.

use super::work::{Known, field_of, said};
use super::{Message, State, questions};
use crate::app::{Page, Shared};
use crate::message::{Message as Outer, ViewRegion};
use crate::parts::{VALUE, act, axis, field, icon, plot};
use crate::route::Route;
use adjutant_engine::{FightSituation, NO_SIDE_LEFT, OddsError, Outlook, percent_in_words, wilson};
use adjutant_pack::{Field, FightAbout, FightInput, FightSideId};
use adjutant_render::plot::{Plot, Scale, Shade};
use adjutant_wording::en::page::{
    self as words, chart as chart_words, fight as text, lab as lab_words,
};
use maud::{Markup, html};

/// A chance with its exact fraction, or with its interval.
struct Share {
    name: String,
    percent: f64,
    detail: String,
}

pub fn page(state: &State, shared: &Shared) -> Page {
    let Some((pack, fight)) = state.fight() else {
        let (pack, fight) = state.lost.clone().unwrap_or_default();
        return Page::plain(
            words::title(text::LOST),
            html! { h1 tabindex="-1" { (text::LOST) } p { (text::lost(&pack, &fight)) } },
        );
    };
    let main = html! {
        article.lab.fight {
            header.chart-head {
                p.overline { (text::FIGHT) }
                h1 tabindex="-1" { (fight.title) }
                @if !fight.about.is_empty() { p.lead { (fight.about) } }
                p.chart-links #fight-links data-region {}
            }
            section #fight-odds.lab-odds data-region aria-label=(text::WHO_WINS) {}
            section #fight-form.lab-form data-region aria-label=(text::SIDES) {}
            section #fight-vary.lab-surface data-region aria-label=(text::VARY) {}
            section.lab-times {
                h2 { (text::ROUND) }
                ol.fight-round { @for line in text::round(pack, fight) { li { (line) } } }
                @if !fight.follow.is_empty() { p { (text::follow(&fight.follow.iter().map(|followed| pack.charts()[followed.chart].title.as_str()).collect::<Vec<_>>())) } }
                p { (text::over(fight)) }
                @for note in &fight.notes { p.hint { (note) } }
            }
        }
    };
    let Some(here) = state.situation(shared) else {
        return Page::plain(words::title(&fight.title), main);
    };
    let links = html! {
        a href=(Route::Sheet(pack.id().to_string())) { (icon::sheet()) (chart_words::ON_THE_SHEET) }
        @if let Some(route) = state.route() { button.button.button-quiet type="button" data-do=(act(&Outer::Copy(shared.link(&route)))) { (icon::link()) (lab_words::COPY) } }
    };
    let regions = vec![
        ViewRegion::new("fight-links", links),
        ViewRegion::new("fight-odds", odds(state, &here)),
        ViewRegion::new("fight-form", form(state, &here)),
        ViewRegion::new("fight-vary", vary(state, &here)),
    ];
    Page { title: words::title(&fight.title), main, regions }
}

fn send(message: Message) -> String {
    act(&Outer::Fight(message))
}

/// The chance of an outcome.
fn shares(known: &Known, here: &FightSituation<'_>) -> Vec<Share> {
    let counted = |name: String, count: u64, of: u64| {
        let (from, to) = wilson(count, of);
        Share {
            name,
            percent: count as f64 * 100.0 / of.max(1) as f64,
            detail: text::span(from, to),
        }
    };
    match known {
        Known::Stopped(_) => Vec::new(),
        Known::Weighed(odds, _) => {
            let exact = |chance: &adjutant_engine::Chance| {
                Some(chance.exact())
                    .filter(|text| odds.exact && text.len() <= 11)
                    .unwrap_or_default()
            };
            let shown = |end: &&adjutant_engine::DecisionOdds| {
                end.id != NO_SIDE_LEFT || end.chance.percent() > 0.0
            };
            let ends = odds.ends.iter().filter(shown).map(|end| Share {
                name: end.title.clone(),
                percent: end.chance.percent(),
                detail: exact(&end.chance),
            });
            let never = (odds.never.percent() > 0.0).then(|| Share {
                name: text::NEVER.into(),
                percent: odds.never.percent(),
                detail: exact(&odds.never),
            });
            ends.chain(never).collect()
        }
        Known::Played(tally) => {
            let ends = here.decisions().into_iter().enumerate().map(|(place, (id, title))| {
                let count = tally.count(|end| end.decision == place);
                (id, count, counted(title, count, tally.fights))
            });
            let ends = ends
                .filter(|(id, count, _)| id != NO_SIDE_LEFT || *count > 0)
                .map(|(_, _, share)| share);
            let never = (tally.undecided > 0)
                .then(|| counted(text::NEVER.into(), tally.undecided, tally.fights));
            ends.chain(never).collect()
        }
    }
}

fn odds(state: &State, here: &FightSituation<'_>) -> Markup {
    html! {
        h2 { (text::WHO_WINS) }
        @if let Some(option) = here.closed_by() {
            p.actions-closed { (chart_words::closed_by(&option.field.label)) }
            button.button.button-main type="button" data-do=(send(Message::Option(option.field.id.to_string(), "yes".into()))) { (chart_words::SWITCH_ON) }
        } @else {
            @match state.work.known() {
                None => { p.working role="status" { (text::WEIGHING) } },
                Some(Known::Stopped(OddsError::Needs(needs))) => {
                    p.odds-none { (words::parts::ODDS_WAIT) " " (needs.iter().map(|need| need.what_for.as_str()).collect::<Vec<_>>().join(", ")) "." }
                },
                Some(Known::Stopped(stop)) => { p.odds-none { (adjutant_wording::en::odds_error(stop)) } },
                Some(known) => (result(state, here, known)),
            }
        }
    }
}

fn result(state: &State, here: &FightSituation<'_>, known: &Known) -> Markup {
    let shares = shares(known, here);
    html! {
        div.odds-bar aria-hidden="true" {
            @for share in shares.iter().filter(|share| share.percent > 0.0) {
                span.odds-part data-shade=(shade_of(here, &share.name)) data-size=(format!("{:.2}", share.percent)) { @if share.percent >= 12.0 { (adjutant_engine::percent_in_short(share.percent)) } }
            }
        }
        ol.odds-list {
            @for share in &shares {
                li.odds-row {
                    span.odds-swatch data-shade=(shade_of(here, &share.name)) aria-hidden="true" {}
                    span.odds-name { (share.name) }
                    span.odds-exact { (share.detail) }
                    b.odds-percent { (percent_in_words(share.percent)) }
                }
            }
        }
        (length(known))
        (how(state, known))
        (left(known, here))
    }
}

/// The sides are green and red, and an outcome has the same shade everywhere.
fn shade_of(here: &FightSituation<'_>, name: &str) -> usize {
    const SHADES: [usize; 7] = [6, 3, 4, 2, 5, 1, 7];
    here.decisions()
        .iter()
        .position(|(_, title)| title == name)
        .map_or(0, |place| SHADES[place % 7])
}

fn length(known: &Known) -> Markup {
    let said = match known {
        Known::Weighed(odds, _) => {
            odds.rounds.as_ref().map(|rounds| text::long(rounds.value(), None))
        }
        Known::Played(tally) => tally.rounds().map(|(rounds, off)| text::long(rounds, Some(off))),
        Known::Stopped(_) => None,
    };
    html! { p.fight-long { (said.unwrap_or_else(|| text::FOR_EVER.into())) } }
}

/// How it is known.
fn how(state: &State, known: &Known) -> Markup {
    html! {
        @match known {
            Known::Weighed(odds, standings) => { p.fight-how { (if odds.exact { text::weighed(*standings) } else { text::NEARLY.to_owned() }) } },
            Known::Played(tally) => {
                p.fight-how.fight-how-played { (text::played(tally.fights)) }
                @if state.work.is_settled() {
                    button.button.button-small type="button" data-do=(send(Message::More)) { (text::MORE) }
                } @else {
                    p.working role="status" { (text::playing(tally.fights, state.work.wanted())) }
                    progress max=(state.work.wanted()) value=(tally.fights) aria-label=(text::playing(tally.fights, state.work.wanted())) {}
                }
            },
            Known::Stopped(_) => {},
        }
    }
}

/// The survivors where units can be lost, and the totals that the fight asks for.
fn left(known: &Known, here: &FightSituation<'_>) -> Markup {
    let sides = match known {
        Known::Weighed(odds, standings) => Outlook::weighed(odds.clone(), *standings).sides,
        Known::Played(tally) => Outlook::played(here, tally, 0).sides,
        Known::Stopped(_) => Vec::new(),
    };
    html! {
        @if sides.iter().any(|side| side.lost.value() > 0.0) {
            h3 { (text::LEFT) }
            div.fight-left {
                @for side in &sides {
                    div {
                        p { (text::loses(&side.title, side.lost.value(), side.began)) }
                        ol.odds-values {
                            @for units in (0..=side.began).rev() {
                                (still(&units, side.left.iter().find(|(known, _)| *known == units).map_or(0.0, |(_, share)| share.percent())))
                            }
                        }
                    }
                }
            }
        }
        @if sides.iter().any(|side| !side.totals.is_empty()) {
            div.fight-left {
                @for (side, total) in sides.iter().flat_map(|side| side.totals.iter().map(move |total| (side, total))) {
                    div {
                        p { (text::total_left(&side.title, &total.title, total.mean_left.value(), total.began)) }
                        ol.odds-values {
                            @for (number, share) in total.left.iter().rev() { (still(number, share.percent())) }
                        }
                    }
                }
            }
        }
    }
}

/// How likely so much is left.
fn still(number: &dyn std::fmt::Display, percent: f64) -> Markup {
    html! {
        li.odds-value {
            b.odds-number { (number.to_string()) span.visually-hidden { " " (text::UNITS) } }
            span.odds-track { span.odds-fill data-size=(format!("{percent:.2}")) {} }
            span.odds-percent { (percent_in_words(percent)) }
        }
    }
}

fn form(state: &State, here: &FightSituation<'_>) -> Markup {
    let (pack, fight) = (here.pack(), here.fight());
    let needs = match state.work.known() {
        Some(Known::Stopped(OddsError::Needs(needs))) => needs.as_slice(),
        _ => &[],
    };
    let one = |input: &FightInput| {
        let name = input.name.clone();
        let wrap = |value: String| Outer::Fight(Message::Give(name.clone(), value));
        let counts = matches!(input.about, FightAbout::Count(_));
        let side = input
            .name
            .split('.')
            .next()
            .and_then(|id| fight.sides.iter().find(|side| side.id == id));
        // The side is in the heading above.
        let bare = side.and_then(|side| {
            input.field.label.strip_prefix(side.title.as_str())?.strip_prefix(": ")
        });
        let label = if counts {
            text::HOW_MANY.into()
        } else {
            bare.map_or(input.field.label.clone(), Into::into)
        };
        let shown = Field { label, ..input.field.clone() };
        let needed = needs.iter().any(|need| need.key == input.name);
        field::view(
            &input.name,
            &shown,
            state.given.get(&input.name).map(String::as_str),
            needed,
            state.wrong.get(&input.name),
            &wrap,
        )
    };
    let of_side = |side: FightSideId| {
        fight.inputs.iter().filter(move |input| match input.about {
            FightAbout::Count(of) => of == side && fight.sides[side].most > 1,
            FightAbout::Attribute(of, _) | FightAbout::Status(of, _) => of == side && input.matters,
            FightAbout::Situation => {
                input.matters
                    && input.name.split_once('.').is_some_and(|(of, _)| of == fight.sides[side].id)
            }
        })
    };
    let rest = fight.inputs.iter().filter(|input| {
        let of_no_one = input
            .name
            .split_once('.')
            .is_none_or(|(of, _)| !fight.sides.iter().any(|side| side.id == of));
        input.about == FightAbout::Situation && input.matters && of_no_one
    });
    let rest: Vec<&FightInput> = rest.collect();
    let asks = questions(pack, fight);
    html! {
        h2 { (text::SIDES) }
        div.fight-sides {
            @for (place, side) in fight.sides.iter_enumerated().filter(|(place, _)| of_side(*place).next().is_some()) {
                fieldset.fight-side { legend { (side.title) } div.fight-fields { @for input in of_side(place) { (one(input)) } } }
            }
        }
        @if !rest.is_empty() { fieldset.fight-side { legend { (text::SITUATION) } div.fight-fields { @for input in rest { (one(input)) } } } }
        @if !asks.is_empty() {
            fieldset.form-role {
                legend { (lab_words::QUESTIONS) }
                @for question in &asks {
                    label.field.field-wide {
                        span.field-label { (question.prompt) }
                        input type="text" id=(format!("question-{}", question.key)) autocomplete="off" placeholder=(adjutant_wording::en::accepted(&question.accepts)) value=[state.questions.get(&question.key)] data-do=(send(Message::Question(question.key.clone(), VALUE.into())));
                    }
                    @if let Some(why) = state.questions.get(&question.key).and_then(|said| adjutant_engine::AnswerOdds::read(&question.accepts, said).err()) { p.wrong { (adjutant_wording::en::answer_odds_error(&why)) } }
                }
            }
        }
        @if !state.given.is_empty() { button.button.button-quiet type="button" data-do=(send(Message::Clear)) { (chart_words::CLEAR) } }
    }
}

fn vary(state: &State, here: &FightSituation<'_>) -> Markup {
    let fight = here.fight();
    let named = |input: &FightInput| {
        let side = input
            .name
            .split('.')
            .next()
            .and_then(|id| fight.sides.iter().find(|side| side.id == id));
        let label = match (side, input.about) {
            (Some(side), FightAbout::Count(_)) => format!("{}: {}", side.title, text::HOW_MANY),
            (Some(side), _) if !input.field.label.starts_with(side.title.as_str()) => {
                format!("{}: {}", side.title, input.field.label)
            }
            _ => input.field.label.to_string(),
        };
        Field { label: label.into(), ..input.field.clone() }
    };
    let counted = |input: &FightInput| match input.about {
        FightAbout::Count(side) => fight.sides[side].most > 1,
        _ => input.matters,
    };
    let fields: Vec<(String, Field)> = fight
        .inputs
        .iter()
        .filter(|input| counted(input))
        .map(|input| (input.name.clone(), named(input)))
        .collect();
    let inputs: Vec<(String, &Field)> =
        fields.iter().map(|(name, field)| (name.clone(), field)).collect();
    let (done, all) = state.work.progress();
    html! {
        @if !inputs.is_empty() && here.closed_by().is_none() {
            h2 { (text::VARY) }
            div.axes { (state.axis.view("vary", lab_words::VARY, &inputs, &state.work.values, Some(text::NOTHING), &|message| Outer::Fight(Message::Vary(message)))) }
            @if all > 0 {
                @match state.work.cells() {
                    Some(cells) => (picture(state, here, &fields, &cells)),
                    None => {
                        p.working role="status" { (lab_words::WORKING) " " (lab_words::progress(done, all)) }
                        progress max=(all) value=(done) aria-label=(lab_words::WORKING) {}
                    },
                }
            }
        }
    }
}

fn picture(
    state: &State,
    here: &FightSituation<'_>,
    fields: &[(String, Field)],
    cells: &[&Known],
) -> Markup {
    let name = &state.axis.name;
    let field = fields
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, field)| field)
        .or_else(|| field_of(here, name));
    let Some(field) = field else { return html! {} };
    let all: Vec<Vec<Share>> = cells.iter().map(|known| shares(known, here)).collect();
    let mut names: Vec<String> = here
        .decisions()
        .into_iter()
        .map(|(_, title)| title)
        .chain([text::NEVER.to_owned()])
        .collect();
    names.retain(|name| all.iter().flatten().any(|share| share.name == *name));
    let percents = |cell: &Vec<Share>| {
        vec![
            names
                .iter()
                .map(|name| {
                    cell.iter().find(|share| share.name == *name).map_or(0.0, |share| share.percent)
                })
                .collect(),
        ]
    };
    let played = |known: &Known| matches!(known, Known::Played(_));
    let values = state.work.values.iter().zip(cells).map(|(value, known)| {
        let shown = axis::shown(field, value);
        if played(known) { text::about(&shown) } else { shown }
    });
    let plot = Plot {
        title: lab_words::by(&here.fight().title, &field.label),
        down: Scale { label: field.label.to_string(), values: values.collect() },
        cells: all.iter().map(percents).collect(),
        here: said(here, name)
            .and_then(|now| state.work.values.iter().position(|value| *value == now))
            .map(|row| (row, 0)),
        shades: names.iter().map(|name| Shade::plain(shade_of(here, name))).collect(),
        names,
        ..Plot::default()
    };
    html! {
        (plot::view(&plot))
        @if cells.iter().any(|known| played(known)) { p.hint { (text::SOME_PLAYED) } }
    }
}
