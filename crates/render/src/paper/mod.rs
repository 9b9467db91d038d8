//! Ink on paper. A [`Drawing`](crate::draw::Drawing) says what stands where; here it becomes a PDF, whose fonts are embedded
//! and whose text can be selected, or a PNG with so many dots to the inch. The same drawing always gives the same bytes.
//! The fonts come with the program; only for letters that they lack are those of the machine asked.

mod font;
mod pdf;
mod png;

pub use font::{Fonts, Run};
pub use pdf::{Document, Page, pdf};
pub(crate) use png::PngRenderer;
pub use png::{png, png_of_svg};
