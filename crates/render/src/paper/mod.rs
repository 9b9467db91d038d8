//! PDF and PNG. A [`Drawing`](crate::draw::Drawing) becomes a PDF with embedded fonts and
//! selectable text, or a PNG of a given resolution. The same drawing always gives the same bytes.

mod font;
mod pdf;
mod png;
mod structure;
mod viewer;

pub use font::{Fonts, Run};
pub use pdf::{Document, Page, pdf};
pub(crate) use png::{PngRenderer, with_density};
pub use png::{png, png_of_svg};
pub use viewer::Sides;
