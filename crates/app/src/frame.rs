//! What is around every screen: the head with the way back and the theme button, the notice, and
//! the bar at the bottom, within reach of the thumb.

use crate::app::Shared;
use crate::message::Message;
#[cfg(not(target_arch = "wasm32"))]
use crate::pack_summary::PackSummary;
use crate::parts::{act, icon};
use crate::route::{Query, Route};
use crate::settings::Theme;
use adjutant_wording::en::page as words;
use maud::{Markup, html};

/// The pack of an address, if any.
fn pack_of(route: &Route) -> Option<&str> {
    match route {
        Route::Sheet(pack)
        | Route::Chart(pack, ..)
        | Route::Lab(pack, ..)
        | Route::Fight(pack, ..)
        | Route::Deck(pack, _) => Some(pack),
        _ => None,
    }
}

/// Where the back button leads.
fn back(route: &Route) -> Option<Route> {
    match route {
        Route::Home => None,
        Route::Chart(pack, ..)
        | Route::Lab(pack, ..)
        | Route::Fight(pack, ..)
        | Route::Deck(pack, _) => Some(Route::Sheet(pack.clone())),
        _ => Some(Route::Home),
    }
}

/// The label of the button that chooses a theme.
fn theme_label(theme: Theme) -> &'static str {
    match theme {
        Theme::Auto => words::THEME_AUTO,
        Theme::Dark => words::THEME_DARK,
        Theme::Light => words::THEME_LIGHT,
    }
}

/// The head.
pub fn top(shared: &Shared, route: &Route) -> Markup {
    let next = match shared.settings.theme {
        Theme::Auto => Theme::Dark,
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::Auto,
    };
    let pack = pack_of(route).and_then(|id| shared.packs.summary(id));
    html! {
        @if let Some(back) = back(route) {
            a.top-back href=(back) aria-label=(words::BACK) { (icon::back()) }
        }
        a.brand href="#/" {
            (icon::brand())
            span.brand-name { (words::NAME) }
        }
        @if let Some(pack) = pack {
            a.top-pack href=(Route::Sheet(pack.id.clone())) { (pack.title) }
        }
        span.grow {}
        @if !shared.online && shared.started {
            span.tag.tag-quiet title=(words::OFFLINE_MEANS) { (words::OFFLINE) }
        }
        a.top-button href=(Route::Help) data-key="?" aria-label=(words::home::HELP) title=(words::home::HELP) { (icon::help()) }
        button.top-button type="button" data-do=(act(&Message::SetTheme(next))) aria-label=(theme_label(next)) title=(theme_label(next)) {
            (icon::theme(shared.settings.theme))
        }
    }
}

/// The notice at the top.
pub fn notice(shared: &Shared) -> Markup {
    html! {
        @if let Some(sentence) = &shared.notice {
            div.notice role="status" {
                p { (sentence) }
                button.notice-close type="button" data-do=(act(&Message::DismissNotice)) aria-label=(words::DISMISS) { (icon::close()) }
            }
        }
        @if shared.update_ready {
            div.notice role="status" {
                p { (words::NEWER) }
                button.button.button-small type="button" data-do=(act(&Message::Update)) { (words::TAKE_NEWER) }
            }
        }
    }
}

/// The bar at the bottom (at the side on a wide screen).
pub fn bar(shared: &Shared, route: &Route) -> Markup {
    let pack = pack_of(route)
        .map(str::to_owned)
        .or_else(|| shared.packs.ids().next().map(str::to_owned))
        .unwrap_or_default();
    let (chart, query) = match route {
        Route::Chart(_, chart, query) | Route::Lab(_, chart, query) => {
            (Some(chart.clone()), query.clone())
        }
        _ => (None, Query::new()),
    };
    let first = || shared.packs.summary(&pack).and_then(|summary| summary.first);
    let chart = chart.or_else(|| shared.started.then(first).flatten());
    let entry = |to: Route, here: bool, picture: Markup, word: &str| {
        html! {
            a.bar-entry href=(to) aria-current=[here.then_some("page")] { (picture) span { (word) } }
        }
    };
    html! {
        (entry(Route::Home, matches!(route, Route::Home | Route::Nowhere(_)), icon::home(), words::BAR_HOME))
        (entry(Route::Sheet(pack.clone()), matches!(route, Route::Sheet(_)), icon::sheet(), words::BAR_SHEET))
        @if let Some(chart) = chart {
            (entry(Route::Chart(pack.clone(), chart.clone(), query.clone()), matches!(route, Route::Chart(..)), icon::die(), words::BAR_TRY))
            (entry(Route::Lab(pack, chart, query), matches!(route, Route::Lab(..)), icon::odds(), words::BAR_LAB))
        }
        (entry(Route::PackEditor, matches!(route, Route::PackEditor | Route::PasteSheet), icon::pack_editor(), words::BAR_PACK_EDITOR))
    }
}

/// The document around the regions, with the first paint in them.
#[cfg(not(target_arch = "wasm32"))]
pub fn document(
    view: &crate::View,
    modules: &[&str],
    summaries: &[PackSummary],
    workshop: Option<&str>,
) -> String {
    // `<` would end the script element.
    let summaries = serde_json::to_string(summaries).unwrap_or_default().replace('<', "\\u003c");
    let region = |id: &str| {
        view.regions.iter().find(|region| region.id == id).map_or("", |region| region.html.as_str())
    };
    let raw = |id: &str| maud::PreEscaped(region(id).to_owned());
    let page = html! {
        (maud::DOCTYPE)
        html lang="en" data-theme="auto" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                meta name="theme-color" content="#f4efe3" media="(prefers-color-scheme: light)";
                meta name="theme-color" content="#171a17" media="(prefers-color-scheme: dark)";
                meta name="referrer" content="no-referrer";
                meta name="description" content=(words::ABOUT);
                title { (view.title) }
                link rel="stylesheet" href="app.css";
                link rel="manifest" href="manifest.webmanifest";
                link rel="icon" href="icon.svg" type="image/svg+xml";
                link rel="apple-touch-icon" href="icon.png";
                link rel="preload" href="engine.wasm" as="fetch" type="application/wasm" crossorigin;
                @for module in modules { link rel="modulepreload" href=(module); }
                script #summaries type="application/json" { (maud::PreEscaped(summaries)) }
                @if let Some(integrity) = workshop {
                    meta #workshop data-integrity=(integrity);
                }
                script src="early.js" {}
                // Starts as early as possible: the engine and the stored values load while the
                // document is parsed.
                script src="app.js" type="module" async {}
            }
            body {
                a.skip href="#main" data-skip { (words::SKIP) }
                header #top data-region { (raw("top")) }
                div #notice data-region { (raw("notice")) }
                main #main data-region tabindex="-1" { (raw("main")) }
                nav #bar data-region aria-label=(words::BAR) { (raw("bar")) }
                div #live aria-live="polite" role="status" {}
                div #broken hidden role="alert" {
                    p { (words::BROKEN) }
                    p { button.button #reload type="button" { (words::RELOAD) } }
                    details { summary { (words::BROKEN_DETAILS) } pre #broken-why {} }
                }
                noscript { p.notice { (words::NO_SCRIPT) } }
            }
        }
    };
    page.into_string()
}
