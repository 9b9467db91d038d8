//! Words about packs from elsewhere.

use crate::en::short_fingerprint;

/// A file that is not a bundle.
pub fn refused(file: &str, message: &str, help: &str) -> String {
    let mut letters = help.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let help: String = first.chain(letters).collect();
    format!("{file} cannot be installed: {message}. {help}.")
}

/// A bundle whose pack has faults.
pub fn faulty(file: &str, fault: &str) -> String {
    format!("The pack in {file} has faults, the first: {fault}.")
}

/// A bundle with the id of a pack that comes with the page.
pub fn shipped(id: &str) -> String {
    format!("A pack “{id}” comes with Adjutant, and no other takes its place.")
}

/// A bundle with the id of another pack of the player.
pub fn other_of_name(id: &str) -> String {
    format!(
        "You have another pack “{id}”, which stays. If this is a newer version, open the file in the pack editor: it shows what changes, and you can use it from there."
    )
}

/// A bundle with the id of a pack of the server.
pub fn served(id: &str) -> String {
    format!("The server has another pack “{id}”, and no other takes its place.")
}

/// A game whose pack is not on this device.
pub fn missing(id: &str, hash: &str) -> String {
    format!(
        "This game needs the pack “{id}” (fingerprint {}), which is not on this device. Ask the other player for the pack and import it first, or for the game together with its pack: the page exports it so, the command with --with-pack.",
        short_fingerprint(hash)
    )
}

/// A bundle was installed.
pub fn installed(title: &str) -> String {
    format!("{title} is installed.")
}

pub const SAVING: &str = "Saving…";
pub const SAVE_AGAIN: &str = "Try to save again";

/// A pack that is in use, but could not be saved; why, in the browser's words.
pub fn not_saved(title: &str, why: &str) -> String {
    let why = super::no_room(why);
    format!(
        "{title} is not saved and is gone when you close this page. {why} Download the pack to keep it."
    )
}

/// A pack that could not be removed.
pub fn not_removed(id: &str, why: &str) -> String {
    format!(
        "{id} could not be removed: it is back when you open this page again. {}",
        super::no_room(why)
    )
}

/// Where a pack is from, with the beginning of its fingerprint.
pub fn source(from: &str, hash: &str) -> String {
    format!("From the server ({from}), fingerprint {}", short_fingerprint(hash))
}

/// A pack of the player's own, with the beginning of its fingerprint.
pub fn own(hash: &str) -> String {
    format!("Your own pack, fingerprint {}", short_fingerprint(hash))
}

/// Another pack with the title of one that is here.
pub fn same_title(title: &str) -> String {
    format!(
        "Another pack here is called “{title}”, too. They are told apart by their fingerprints."
    )
}

pub const LINK: &str = "A pack in a link";
pub const LINK_LEAD: &str =
    "This pack came in a link. It is stored on this device when you install it.";
pub const BAD_LINK: &str = "The pack in this link cannot be read: the link was cut or changed. Ask for it again, or for the file.";
pub const INSTALL: &str = "Install";
pub const HAND_ON: &str = "Share the pack";
pub const HAND_ON_LEAD: &str =
    "Share this pack as a link, or as a file that players open or drop on their page.";
pub const DOWNLOAD: &str = "Download the pack";
pub const SHARE: &str = "Share a link";
pub const ONLY_HERE: &str =
    "This link works on this computer only. Send the file to players elsewhere.";
pub const TOO_LARGE: &str = "This pack is too large for a link. Download the file, and send that.";

/// The fingerprint of a pack.
pub fn fingerprint(hash: &str) -> String {
    format!("Fingerprint {hash}")
}
