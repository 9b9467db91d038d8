//! The English sentences, one file per subject.

pub mod diagnostic;
pub mod unknown_name;

pub use diagnostic::{Sentence, diagnostic};
