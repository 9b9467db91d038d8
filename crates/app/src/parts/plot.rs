//! A plot of chances with its legend, and its numbers as a table. It is drawn twice, for phones and
//! for wide screens, so that the text has the same size on both; one is hidden.

use adjutant_render::plot::{Plot, PlotTarget, svg};
use adjutant_wording::en::page::lab as words;
use maud::{Markup, PreEscaped, html};

const PHONE: f64 = 326.0;
const WIDE: f64 = 720.0;

/// The plot, its legend and its table. With two inputs only the first result is plotted; `numbers`
/// has its cells.
pub fn view(plot: &Plot) -> Markup {
    html! {
        figure.plot-box {
            div.plot-phone { (PreEscaped(svg(plot, PlotTarget::Page(PHONE)))) }
            div.plot-wide { (PreEscaped(svg(plot, PlotTarget::Page(WIDE)))) }
            @if plot.across.is_none() {
                figcaption.plot-legend aria-hidden="true" {
                    @for (place, name) in plot.names.iter().enumerate() {
                        span.plot-key { (super::odds::swatch(plot.shade(place))) (name) }
                    }
                }
            }
        }
        details.plot-table {
            summary { (words::AS_TABLE) }
            div.printed-scroll tabindex="0" role="group" aria-label=(words::AS_TABLE) { (table(plot)) }
        }
    }
}

fn table(plot: &Plot) -> Markup {
    let heads = plot.across.as_ref().map_or(&plot.names, |across| &across.values);
    let corner = plot.across.as_ref().map_or(plot.down.label.clone(), |across| {
        words::down_and_across(&plot.down.label, &across.label)
    });
    html! {
        table.numbers {
            caption { (plot.title) }
            thead { tr { th scope="col" { (corner) } @for head in heads { th scope="col" { (head) } } } }
            tbody {
                @for (value, row) in plot.down.values.iter().zip(&plot.cells) {
                    tr {
                        th scope="row" { (value) }
                        @if plot.across.is_some() {
                            @for cell in row { td { (adjutant_engine::percent_in_words(cell.first().copied().unwrap_or(0.0))) } }
                        } @else {
                            @for percent in row.first().into_iter().flatten() { td { (adjutant_engine::percent_in_words(*percent)) } }
                        }
                    }
                }
            }
        }
    }
}
