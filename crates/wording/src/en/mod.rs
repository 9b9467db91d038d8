//! The English sentences, one file per subject.
