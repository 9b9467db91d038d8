//! A small pack in a link: its bundle, compressed, in the fragment, which no server sees.

use adjutant_pack::LARGEST_BUNDLE;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{Read, Write};

/// The longest text of a pack in a link. Chat programs and browsers cut longer links.
pub const LONGEST: usize = 24_000;

/// The text for a link; none if the bundle is too large for one.
///
/// ```
/// use adjutant_app::pack_link;
/// let link = pack_link::write("a bundle").unwrap();
/// assert_eq!(pack_link::read(&link).as_deref(), Some("a bundle"));
/// ```
pub fn write(bundle: &str) -> Option<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bundle.as_bytes()).ok()?;
    let text = URL_SAFE_NO_PAD.encode(encoder.finish().ok()?);
    Some(text).filter(|text| text.len() <= LONGEST)
}

/// The bundle in a link, no more of it than a bundle may have.
pub fn read(link: &str) -> Option<String> {
    if link.len() > LONGEST {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(link).ok()?;
    let mut text = String::new();
    let most = LARGEST_BUNDLE as u64 + 1;
    DeflateDecoder::new(bytes.as_slice()).take(most).read_to_string(&mut text).ok()?;
    (text.len() <= LARGEST_BUNDLE).then_some(text)
}
