//! Files that only their owner can read: a store holds the keys of its tables, which let their
//! holder join as umpire. On Windows, which has no such permissions, a user's folder is private
//! already.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

/// Creates an empty file for SQLite. SQLite gives its other files the same permissions. Errors are
/// ignored: SQLite meets them again and reports them.
pub(crate) fn make_file(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes the permissions of other users. Only the owner can, so errors are ignored.
pub(crate) fn restrict(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if let Ok(metadata) = fs::symlink_metadata(path)
            && !metadata.is_symlink()
            && metadata.permissions().mode() & 0o077 != 0
        {
            let _ = fs::set_permissions(
                path,
                fs::Permissions::from_mode(metadata.permissions().mode() & 0o700),
            );
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Tells if other users can read a file: they have the permission, and that to enter all folders
/// above it.
pub(crate) fn is_readable_by_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let allows = |path: &Path, bits: u32| {
            fs::metadata(path).is_ok_and(|found| found.permissions().mode() & bits != 0)
        };
        path.canonicalize().is_ok_and(|path| {
            allows(&path, 0o066) && path.ancestors().skip(1).all(|folder| allows(folder, 0o011))
        })
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}
