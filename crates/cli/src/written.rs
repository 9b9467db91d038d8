//! Files, written in full or not at all: a file that cannot be finished leaves nothing behind, and what is there stays unless
//! it is to be overwritten.

use std::io::Write;
use std::path::Path;

/// Writes a file; with `force` also over one that is there.
pub fn write_whole(path: &Path, bytes: &[u8], force: bool) -> Result<(), String> {
    let cannot = |fault: std::io::Error| format!("{} cannot be written: {fault}", path.display());
    let Some(name) = path.file_name() else { return Err(format!("{} is not a file's name", path.display())) };
    if !force && path.exists() {
        return Err(format!("{} is there already: add --force to overwrite it", path.display()));
    }
    let beside = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written =
        std::fs::File::create_new(&beside).and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all())).and_then(|()| {
            match force {
                true => std::fs::rename(&beside, path),
                // A link is refused where a file has come up meanwhile.
                false => std::fs::hard_link(&beside, path).and_then(|()| std::fs::remove_file(&beside)),
            }
        });
    written.map_err(|fault| {
        let _ = std::fs::remove_file(&beside);
        cannot(fault)
    })
}
