//! The English sentences, one file per subject.

mod log_error;
mod rejection;
mod sealed;

pub use log_error::{difference, log_error, log_fault, mismatch, not_plain};
pub use rejection::{play_error, rejection, rejections, ruled_out, unit_file_error, unknown_name};
pub use sealed::{chain_error, cut, no_link};
