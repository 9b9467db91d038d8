//! What the sheet says.
