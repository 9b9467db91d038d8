//! A minimal zip writer for VASSAL modules: no dates, so that the same content gives the same file.
//! Texts are compressed; pictures already are.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// Midnight of the first day that a zip file can name.
const NO_DATE: [u8; 4] = [0, 0, 0x21, 0];
/// The version that a reader needs for a compressed entry.
const VERSION: u16 = 20;

/// The files as one zip file; `None` if a length does not fit its field.
pub(super) fn zip(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let packed = (!name.ends_with(".png")).then(|| deflated(bytes)).flatten();
        let (method, body): (u16, &[u8]) = packed.as_ref().map_or((0, bytes), |packed| (8, packed));
        let mut crc = Crc::new();
        crc.update(bytes);
        let start = u32::try_from(out.len()).ok()?;
        // What the entry and its directory record have in common.
        let mut common = Vec::new();
        common.extend(VERSION.to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        common.extend(method.to_le_bytes());
        common.extend(NO_DATE);
        common.extend(crc.sum().to_le_bytes());
        common.extend(u32::try_from(body.len()).ok()?.to_le_bytes());
        common.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
        common.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        common.extend(0_u16.to_le_bytes());

        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(body);

        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&common);
        // No comment, one disk, no attributes.
        directory.extend([0_u8; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (count, start) = (u16::try_from(files.len()).ok()?, u32::try_from(out.len()).ok()?);
    out.extend(&directory);
    out.extend(b"PK\x05\x06");
    out.extend([0_u8; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(u32::try_from(directory.len()).ok()?.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0_u8; 2]);
    Some(out)
}

fn deflated(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
