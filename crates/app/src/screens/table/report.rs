//! The luck of a game and its battle reports. They weigh every roll by its odds, which few players ask
//! for on a first visit, so that they are in the workshop.

use super::game::Game;
use super::reply_to;
use crate::app::Shared;
use crate::message::Command;
use crate::route::GameTask;
use adjutant_game::{LuckReport, SideLuck};
use adjutant_wording::en;
use adjutant_wording::en::page::table as text;
use adjutant_wording::report::{Reporting, report};
use maud::{Markup, html};

/// How long one slice of work should take, in milliseconds.
const SLICE: u32 = 12;

/// The statistics, or the calculation.
#[derive(Debug)]
pub(super) enum Luck {
    /// Being calculated, this many events at a time, so that the page stays responsive.
    Soon(Box<Reporting>, usize),
    /// Calculated.
    Done(Box<LuckReport>),
    /// Not possible, and why.
    Not(String),
}

impl Game {
    /// Begins a task. It takes a while: the page says so first.
    pub(super) fn begin(&mut self, _: &mut Shared, task: GameTask) -> Vec<Command> {
        let next = Command::NextFrame { reply_to: reply_to::Game::Task(task).into() };
        if task == GameTask::Luck {
            self.more.luck = Some(match Reporting::begin(&self.table) {
                Ok(reporting) => Luck::Soon(Box::new(reporting), 8),
                Err(fault) => Luck::Not(en::log_error(&fault)),
            });
            return vec![next];
        }
        vec![Command::Announce(text::WORKING.to_owned()), next]
    }

    /// Goes on with a task. The last slice took so long, in milliseconds.
    pub(super) fn work_on(&mut self, task: GameTask, took: u32) -> Vec<Command> {
        let made = match task {
            GameTask::Luck => return self.weigh_on(took),
            GameTask::Report | GameTask::ReportText => report(&self.table),
        };
        match made {
            Ok(report) if task == GameTask::Report => {
                vec![self.download("html", "text/html", adjutant_render::report::html(&report))]
            }
            Ok(report) => {
                let text = adjutant_render::report::markdown(&report);
                vec![self.download("md", "text/markdown", text)]
            }
            Err(fault) => self.refuse([en::log_error(&fault)]),
        }
    }

    /// Calculates the next slice: larger if the last was quick, smaller if it was slow.
    fn weigh_on(&mut self, took: u32) -> Vec<Command> {
        let Some(Luck::Soon(mut reporting, pieces)) = self.more.luck.take() else {
            return Vec::new();
        };
        let pieces = match took {
            0..SLICE => (pieces * 2).min(1024),
            took if took > 2 * SLICE => (pieces / 2).max(1),
            _ => pieces,
        };
        match reporting.go_on(&self.table, pieces) {
            Ok(false) => {
                self.more.luck = Some(Luck::Soon(reporting, pieces));
                let reply_to = reply_to::Game::Task(GameTask::Luck).into();
                return vec![Command::NextFrame { reply_to }];
            }
            Ok(true) => {
                self.more.luck = Some(Luck::Done(Box::new(reporting.finish(&self.table).luck)))
            }
            Err(fault) => self.more.luck = Some(Luck::Not(en::log_error(&fault))),
        }
        vec![Command::Announce(text::WEIGHED.to_owned())]
    }
}

impl Luck {
    /// The HTML.
    pub fn view(&self) -> Markup {
        match self {
            Luck::Soon(..) => html! { p role="status" { (text::WORKING) } },
            Luck::Not(why) => html! { p.wrong { (why) } },
            Luck::Done(luck) => luck_table(luck),
        }
    }
}

/// Expected against actual, side by side.
fn luck_table(luck: &LuckReport) -> Markup {
    html! {
        @for side in &luck.sides { (side_luck(side)) }
        @if luck.sides.iter().all(|side| side.charts.is_empty() && side.dice.is_empty()) { p { (text::NO_ROLLS) } }
        p.hint { (text::luck_rule(luck.enough, luck.one_in)) }
    }
}

fn side_luck(side: &SideLuck) -> Markup {
    html! {
        h3 { (side.side.as_deref().unwrap_or(text::NO_SIDE)) }
        @if !side.dice.is_empty() {
            table.luck {
                thead { tr { th scope="col" { (text::LUCK_DICE) } th scope="col" { (text::LUCK_COUNT) } th scope="col" { (text::EXPECTED) } th scope="col" { (text::ACTUAL) } } }
                tbody { @for dice in &side.dice { tr title=(en::judged(&dice.judged)) { th scope="row" { "d" (dice.sides) ", " (en::thrown_by(dice.source, "dice")) } td { (dice.dice) } td { (format!("{:.2}", dice.expected)) } td { b { (format!("{:.2}", dice.actual)) } } } } }
            }
        }
        @for chart in &side.charts {
            table.luck {
                caption { (chart.title) " · " (text::rolls(chart.rolls)) }
                thead { tr { th scope="col" { (text::LUCK_RESULT) } th scope="col" { (text::EXPECTED) } th scope="col" { (text::ACTUAL) } } }
                tbody { @for result in &chart.results { tr { th scope="row" { (result.title) @if result.judged.verdict.is_said() { " " span.tag { (en::judged(&result.judged)) } } } td { (text::about(result.expected, result.expected_most)) } td { b { (result.actual) } } } } }
            }
            @for not in &chart.not_weighed { p.hint { (text::not_weighed(not.rolls, &en::not_weighed(&not.why))) } }
        }
    }
}
