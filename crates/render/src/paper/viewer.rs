//! What a PDF asks of the program that shows and prints it. krilla has no such settings, so they
//! are put into the catalogue, the last object of the file. Only the address of the table of
//! objects, which comes after it, changes.

use crate::RenderError;

/// How a document is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// The program decides.
    #[default]
    Any,
    /// On one side of the paper.
    One,
    /// On both sides, turned over the long edge.
    Both,
}

/// The bytes with the preferences: the title in the window, printed at its true size.
pub(super) fn with_preferences(bytes: Vec<u8>, sides: Sides) -> Result<Vec<u8>, RenderError> {
    let duplex = match sides {
        Sides::Any => "",
        Sides::One => "/Duplex/Simplex",
        Sides::Both => "/Duplex/DuplexFlipLongEdge",
    };
    let wanted = format!("/ViewerPreferences<</DisplayDocTitle true/PrintScaling/None{duplex}>>");
    patched(&bytes, &wanted)
        .ok_or_else(|| RenderError::Pdf("its catalogue is not at its end".into()))
}

fn patched(bytes: &[u8], wanted: &str) -> Option<Vec<u8>> {
    const START: &[u8] = b"startxref\n";
    let find = |what: &[u8]| bytes.windows(what.len()).rposition(|found| found == what);
    let start = find(START)?;
    let number: String = bytes[start + START.len()..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .map(|byte| char::from(*byte))
        .collect();
    let table: usize = number.parse().ok()?;
    let catalogue = bytes[..table]
        .windows(13)
        .rposition(|found| found == b"/Type/Catalog")
        .or_else(|| bytes[..table].windows(14).rposition(|found| found == b"/Type /Catalog"))?;
    // No other object comes after the catalogue.
    let end = bytes[catalogue..table].windows(6).position(|found| found == b"endobj")? + catalogue;
    if bytes[end + 6..table].iter().any(|byte| !byte.is_ascii_whitespace()) {
        return None;
    }
    let close = bytes[catalogue..end].windows(2).rposition(|found| found == b">>")? + catalogue;
    let mut made = bytes[..close].to_vec();
    made.extend(wanted.as_bytes());
    made.extend(&bytes[close..start + START.len()]);
    made.extend((table + wanted.len()).to_string().bytes());
    made.extend(&bytes[start + START.len() + number.len()..]);
    Some(made)
}
