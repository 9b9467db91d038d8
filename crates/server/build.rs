//! Puts the page into the binary. `tools/page` builds it into `target/page`; the files there (or in
//! the folder that ADJUTANT_PAGE names) are compressed and embedded. Without them the server still
//! builds, and serves one page that says how to build the other. ADJUTANT_PAGE_QUICK, which `./run`
//! sets, compresses in a second instead of half a minute: that page does not cross a network.

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=ADJUTANT_PAGE");
    println!("cargo::rerun-if-env-changed=ADJUTANT_PAGE_QUICK");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = match env::var_os("ADJUTANT_PAGE").filter(|named| !named.is_empty()) {
        Some(named) => PathBuf::from(named),
        None => {
            let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../target/page");
            // A folder that is not there would count as changed in every build.
            let _ = fs::create_dir_all(&folder);
            folder
        }
    };
    println!("cargo::rerun-if-changed={}", folder.display());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut files = Vec::new();
    gather(&folder, "", &mut files)?;
    files.sort();
    let mut code = String::from("&[\n");
    for (place, (name, path)) in files.iter().enumerate() {
        let bytes = fs::read(path)?;
        let hash: String =
            Sha256::digest(&bytes).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        fs::write(out.join(format!("{place}")), &bytes)?;
        fs::write(out.join(format!("{place}.br")), brotli(&bytes)?)?;
        fs::write(out.join(format!("{place}.gz")), gzip(&bytes)?)?;
        let carried = |ending: &str| {
            format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{place}{ending}\"))")
        };
        let (plain, br, gz) = (carried(""), carried(".br"), carried(".gz"));
        writeln!(
            code,
            "    File {{ name: {name:?}, hash: {hash:?}, plain: {plain}, brotli: {br}, gzip: {gz} }},"
        )?;
    }
    code.push(']');
    fs::write(out.join("page.rs"), code)?;
    Ok(())
}

fn gather(
    folder: &Path,
    before: &str,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let name = format!("{before}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() {
            gather(&entry.path(), &format!("{name}/"), files)?;
        } else if kind.is_file() && !name.starts_with('.') {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}

fn quick() -> bool {
    env::var_os("ADJUTANT_PAGE_QUICK").is_some_and(|value| !value.is_empty())
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut out = Vec::new();
    let quality = if quick() { 2 } else { 11 };
    let mut writer = brotli::CompressorWriter::new(&mut out, 64 << 10, quality, 22);
    writer.write_all(bytes)?;
    drop(writer);
    Ok(out)
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let level = if quick() { Compression::fast() } else { Compression::best() };
    let mut writer = GzEncoder::new(Vec::new(), level);
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}
