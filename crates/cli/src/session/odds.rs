//! Live odds, computed in a thread of their own on a copy of the table, because some charts take
//! longer than a key press may. The old numbers stay on the screen, marked as outdated, until the
//! new ones are there. Only the newest form is computed.

use adjutant_engine::{OddsError, OddsOptions, OddsReport, odds};
use adjutant_game::{PlayRequest, Table};
use adjutant_wording::en;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

/// A form whose odds are wanted.
pub struct Job {
    pub serial: u64,
    pub table: Arc<Table>,
    pub play: PlayRequest,
}

/// What is known of the chances.
#[derive(Clone, Debug, PartialEq)]
pub enum Chances {
    /// Nothing yet.
    Waiting,
    /// They cannot be said; why.
    Not(String),
    /// They are known.
    Known(OddsReport),
}

/// Works one out.
pub fn work_out(job: &Job) -> Chances {
    let situation = match job.table.situation(&job.play) {
        Ok(situation) => situation,
        Err(stop) => return Chances::Not(en::play_error(&stop)),
    };
    match odds(&situation, &OddsOptions::default()) {
        Ok(report) => Chances::Known(report),
        Err(OddsError::Needs(needs)) => {
            let names: Vec<&str> = needs.iter().map(|need| need.what_for.as_str()).collect();
            Chances::Not(format!("Needed for the odds: {}", names.join(", ")))
        }
        Err(OddsError::TooLarge(_)) => {
            Chances::Not("There are too many possible outcomes for exact odds.".into())
        }
        Err(stop) => Chances::Not(en::odds_error(&stop)),
    }
}

/// Works out what comes, always the newest, until no requests are left.
pub fn serve(jobs: &Receiver<Job>, tell: &Sender<super::update::Message>) {
    while let Ok(first) = jobs.recv() {
        let job = jobs.try_iter().last().unwrap_or(first);
        let known = work_out(&job);
        if tell.send(super::update::Message::Chances(job.serial, known)).is_err() {
            return;
        }
    }
}
