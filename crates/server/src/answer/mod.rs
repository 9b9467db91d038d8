//! What programs are answered with, as JSON: the same from the server and from the command's `--json`. It is told from what `pack` and
//! `engine` say, and nothing is worked out here.

mod odds;
mod outlook;
mod pack;

pub use odds::{fraction, question, report};
pub use outlook::{Mean, NEARLY, Outlook, Share, SideOutlook, charts_of, grouped, outlook, outlook_json};
pub use pack::{card, chart, fight, fights, listed, opened_by, pack};
