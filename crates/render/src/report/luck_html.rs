//! The luck section of a report in HTML.

use super::bars::bars;
use super::{
    count, expected, few_results, few_rolls, has_bounds, no_verdict, number, plain, rule,
    short_verdict, side_name, verdicts, with_side,
};
use adjutant_game::{ChartLuck, DiceLuck, Judged, ResultLuck, SideLuck};
use adjutant_wording::en;
use adjutant_wording::report::BattleReport;
use maud::{Markup, html};

pub(super) fn luck(report: &BattleReport) -> Markup {
    let luck = &report.luck;
    let verdicts = verdicts(luck);
    html! {
        section #luck {
            h2 { "Luck, expected and actual" }
            @if verdicts.is_empty() { p.verdict { (no_verdict(luck)) } }
            @else { ul.verdicts { @for (what, text) in &verdicts { li { strong { (what) ": " } (text) } } } }
            // Where nothing can be judged, the counts stand in one line for each side.
            @if luck.looks == 0 {
                @for side in &luck.sides { p.few { strong { (side_name(side)) ": " } (few_rolls(side)) "." } }
            } @else {
                p.rule { (rule(luck)) }
                p.legend aria-hidden="true" {
                    span { i.key-hoped {} "expected" } span { i.key-actual {} "actual" }
                    @if has_bounds(luck) { span { i.key-doubt {} "depends on answers along the way" } }
                }
                @if !luck.dice.is_empty() { (dice("All dice of the game", &luck.dice)) }
                @for side in &luck.sides { (side_luck(report, side)) }
            }
        }
    }
}

fn verdict(judged: &Judged, n: u32, words: (&str, &str)) -> Markup {
    let class = if judged.verdict.is_said() { "said" } else { "unsaid" };
    html! { td class=(class) title=(en::judged(judged)) { (short_verdict(judged, n, words)) } }
}

fn head([what, bars, n, verdict]: [&str; 4]) -> Markup {
    html! {
        thead { tr { th scope="col" { (what) } th scope="col" { (bars) } th.n scope="col" { (n) } th scope="col" { (verdict) } } }
    }
}

fn dice_bars(dice: &DiceLuck) -> Markup {
    let words = (number(dice.expected), number(dice.actual));
    bars((dice.expected, dice.expected), dice.actual, f64::from(dice.sides), (&words.0, &words.1))
}

fn dice(caption: &str, list: &[DiceLuck]) -> Markup {
    html! {
        table.luck {
            caption { (caption) }
            (head(["Dice", "Mean face, expected and actual", "Rolled", "Verdict"]))
            tbody {
                @for dice in list {
                    tr {
                        th scope="row" { "d" (dice.sides) span.by { (plain(&en::thrown_by(dice.source, "dice"))) } }
                        td.bar { (dice_bars(dice)) }
                        td.n { (dice.dice) }
                        (verdict(&dice.judged, dice.dice, ("high", "low")))
                    }
                }
            }
        }
    }
}

fn side_luck(report: &BattleReport, side: &SideLuck) -> Markup {
    html! {
        article class=(with_side("side-luck", report, side.side.as_ref())) {
            h3 { (side_name(side)) }
            @if !side.dice.is_empty() { (dice("Dice", &side.dice)) }
            @for cards in &side.cards {
                p.cards { (plain(&cards.deck)) ": " (count(cards.cards.into(), "card", "cards")) " drawn (" (plain(&en::thrown_by(cards.source, "cards"))) ")." }
            }
            @for chart in &side.charts { (chart_luck(chart)) }
        }
    }
}

fn chart_luck(chart: &ChartLuck) -> Markup {
    html! {
        @if let Some(few) = few_results(chart) {
            p.few { (few.sentence()) }
        } @else if !chart.results.is_empty() {
            table.luck {
                caption { (plain(&chart.title)) " " span.by { (count(chart.rolls.into(), "roll", "rolls")) } }
                (head(["Result", "Expected and actual", "Open in", "Verdict"]))
                tbody { @for result in &chart.results { (result_row(chart, result)) } }
            }
        } @else {
            p.chart-name { (plain(&chart.title)) }
        }
        @for left_out in &chart.not_weighed {
            p.not-weighed { "Not weighed: " (count(left_out.rolls.into(), "roll", "rolls")) " – " (plain(&en::not_weighed(&left_out.why))) "." }
        }
    }
}

fn result_row(chart: &ChartLuck, result: &ResultLuck) -> Markup {
    let (expected_range, scale) =
        ((result.expected, result.expected_most), chart.rolls.max(result.actual));
    let bars = bars(
        expected_range,
        result.actual.into(),
        scale.into(),
        (&expected(result), &result.actual.to_string()),
    );
    html! {
        tr {
            th scope="row" { (plain(&result.title)) @if result.besides { span.by { "in addition" } } }
            td.bar { (bars) }
            td.n { (result.open) }
            (verdict(&result.judged, result.open, ("more often", "less often")))
        }
    }
}
