//! Files that only their owner may read: a store holds the keys of its tables, and whoever has them can join as umpire. Where the system has no
//! such rights (Windows), a user's folder is his own already.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

/// Makes an empty file for SQLite to fill. SQLite gives the files it keeps beside it the same rights. What goes wrong SQLite meets again and says.
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

/// Takes the rights of others away from what is there. Who is not the owner cannot, and need not: it is the owner's to decide.
pub(crate) fn restrict(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if let Ok(metadata) = fs::symlink_metadata(path)
            && !metadata.is_symlink()
            && metadata.permissions().mode() & 0o077 != 0
        {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(metadata.permissions().mode() & 0o700));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}
