//! Texts of a game that several players share through a server.

pub const CONNECTING: &str = "Connecting to the server …";
pub const NO_CONNECTION: &str = "No connection to the server. You can still read the game and see odds. Rolls wait until the connection is back.";
pub const SHUT_OUT: &str = "Your invitation is no longer valid. Ask for a new link.";
pub const NOT_SENT: &str =
    "The server did not answer. Check the log, then try again. Your inputs are still there.";
pub const TOGETHER_HEAD: &str = "Play together";
pub const SHARE: &str = "Share this game";
pub const SHARE_HINT: &str = "The server stores a copy that others join by invitation. The game on your device stays as it is.";
pub const INVITE: &str = "Invite players";
pub const INVITE_SHORT: &str = "Invite";
pub const PLAYER_MAY: &str = "Rolls, moves and undoes as this side.";
pub const UMPIRE_MAY: &str = "Acts for all sides and invites others.";
pub const SPECTATOR_MAY: &str = "Watches. Cannot change anything.";
pub const YOU_WATCH: &str = "You are watching";
pub const NO_PLAYER_YET: &str = "no player yet";
pub const INVITED: &str = "The player who started the game, or an umpire, can invite others.";
pub const INVITE_HINT: &str = "Anyone with a link joins as this side. Reset a link if the wrong person has it: the old link stops working, and players who used it need the new one. Players who roll sealed stay.";
pub const ONLY_HERE: &str = "These links work on this computer only. For phones on the same network, start Adjutant with --listen 0.0.0.0:7112 and open the address it prints.";
pub const COPY_LINK: &str = "Copy link";
pub const SEND_LINK: &str = "Send";
pub const SCAN: &str = "QR code";
pub const ROTATE: &str = "Reset link";
pub const RESET: &str = "Reset";
pub const SEALED_HEAD: &str = "Sealed rolls";
pub const SEALED_HINT: &str = "Each device adds a secret to every roll. No player and no server can foresee or choose a roll. It takes at least two players.";
pub const SEAL_RULES: &str = "Before you seal: who may take back what";
pub const SEAL_STANDS: &str = "Seal, and a roll stands while a player is silent";
pub const SEAL_LOST: &str = "Seal, and a roll can be dropped after 30 minutes of silence";
pub const SEAL_RECORD: &str = "What each player did with sealed rolls";
pub const CLOSE_EVENING: &str = "End of the evening: seal a new chain";
pub const CLOSE_EVENING_HINT: &str = "Your next link confirms what you did so far. Without it, the last events of the log rest on the players' copies.";
pub const CONFIRM_RELEASE: &str = "Confirm with a new chain";
pub const CONFIRM_RELEASE_HINT: &str =
    "The others can rely on your answer only when a new chain confirms it.";
pub const SEAL: &str = "Seal my rolls from now on";
pub const SEAL_AGAIN: &str = "Your chain is used up: seal a new one";
pub const SEAL_WAITS: &str =
    "Waiting for a second player: rolls are sealed when another player seals.";
pub const NO_CHAIN: &str = "Your secrets are not on this device. Use the device where you sealed, or ask to be removed from the sealed group.";
pub const CUT_HINT: &str = "Ask the other players what happened to the log. If all of you agree that the missing events are lost, withdraw the open roll and continue from this log with a new chain.";
pub const ACCEPT_CUT: &str = "Accept this log and seal a new chain";
pub const RELEASE: &str = "Remove";
pub const FINISH: &str = "Roll";
pub const WITHDRAW: &str = "Withdraw this roll";
pub const INVITED_HEAD: &str = "You are invited";
pub const READING_INVITATION: &str = "Reading the invitation …";
pub const INVITED_LEAD: &str = "What's your name?";
pub const JOIN: &str = "Join the game";
pub const SAY_YOUR_NAME: &str = "Enter your name first.";

/// The heading of an invitation to a game.
pub fn invited_to(game: &str) -> String {
    format!("You are invited to {game}")
}

/// What is played, and who started it.
pub fn game_by(pack: &str, host: Option<&str>) -> String {
    host.map_or_else(|| pack.to_owned(), |host| format!("{pack}, started by {host}"))
}

/// The pack of an invitation is not one that comes with the program. `title` is that of the pack
/// whose name it has.
pub fn other_pack(title: Option<&str>, version: &str, hash: &str) -> String {
    let not = match title {
        Some(title) => format!("This is not the {title} that comes with Adjutant"),
        None => "This pack does not come with Adjutant".to_owned(),
    };
    let hash: String = hash.chars().take(12).collect();
    format!("{not}: version {version}, fingerprint {hash}.")
}

/// What a changed pack has otherwise: some of all that differs.
pub fn differs(titles: &[String], all: usize) -> String {
    let more = match all - titles.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("Different: {}{more}.", titles.join("; "))
}

/// The seat that an invitation gives.
pub fn join_as(seat: &str) -> String {
    format!("You join as {seat}.")
}

/// The seat of this player.
pub fn you_are(seat: &str) -> String {
    format!("You are {seat}")
}

/// Asks before a player acts for the side of another.
pub fn for_other(mine: &str, other: &str) -> String {
    format!("You are {mine}. Roll for {other}?")
}

pub fn roll_for(side: &str) -> String {
    format!("Roll for {side}")
}

/// Another player acted first.
pub fn overtaken(by: &str) -> String {
    format!("{by} acted first. Check the game again. Your inputs are still there.")
}

/// Rolls that a player withdrew while this player was not connected.
pub fn withdrew_away(by: &str, count: u32) -> String {
    match count {
        1 => format!("{by} withdrew a roll while you were away."),
        count => format!("{by} withdrew {count} rolls while you were away."),
    }
}

/// Asks before a link is replaced.
pub fn reset(removed: &[&str]) -> String {
    match removed {
        [] => "The old link stops working. Reset?".to_owned(),
        names => format!("This removes {} from the game. Reset?", names.join(", ")),
    }
}

/// The players who are online, and those who are not.
pub fn here(names: &[&str], away: &[&str]) -> String {
    let mut here = "here".to_owned();
    if !names.is_empty() {
        here += &format!(": {}", names.join(", "));
    }
    if !away.is_empty() {
        here += &format!(" · offline: {}", away.join(", "));
    }
    here
}

/// The state of the connection.
pub fn wire(state: &str) -> &'static str {
    match state {
        "opening" => "connecting …",
        "lost" => "no connection",
        "refused" => "access removed",
        _ => "",
    }
}

/// What the sealed group agreed on for silent players.
pub fn silent_players(agreed: &str) -> String {
    format!("Silent players: {agreed}.")
}

pub fn links_left(n: u32) -> String {
    format!("{n} rolls left")
}

/// A called roll that is open.
pub fn open_call(by: &str, chart: &str, owes: &[&str]) -> String {
    match owes {
        [] => format!("{by} rolls {chart}: all players confirmed."),
        owes => format!("{by} rolls {chart}: waiting for {}.", owes.join(", ")),
    }
}

/// The description of a QR code for screen readers.
pub fn scan(title: &str) -> String {
    format!("QR code of the invitation for {title}")
}
