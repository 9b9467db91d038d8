//! What a table says that several play through a server.

/// The stream is being opened.
pub const CONNECTING: &str = "Connecting to the table's server …";
/// It broke off.
pub const NO_CONNECTION: &str =
    "No connection to the table's server. All stays readable and odds go on; throws wait until it is back, by itself.";
/// The token is void.
pub const SHUT_OUT: &str = "The server no longer lets you in: your invitation was made void. Ask for a new link.";
/// A call that failed.
pub const NOT_SENT: &str = "That did not reach the server. Look at the log, then try again; what you filled in is still there.";
/// Playing together.
pub const TOGETHER_HEAD: &str = "Together";
/// Gives a table to the server.
pub const SHARE: &str = "Share this table";
/// What that does.
pub const SHARE_HINT: &str = "The server keeps a copy that others join by invitation. This one stays on your device as it is.";
/// Shows invitations.
pub const INVITE: &str = "Invite others";
/// Not the host.
pub const INVITED: &str = "Who began the table, or an umpire, invites others.";
/// What an invitation is.
pub const INVITE_HINT: &str =
    "Whoever has a link may come in that part. Make a link anew if it fell into wrong hands: the old one, and whoever came by it, is out.";
/// The server listens on this machine alone.
pub const ONLY_HERE: &str = "These links open on this machine only. For phones on the same network start Adjutant with --listen 0.0.0.0:7112, and come by the address it tells.";
/// Copies.
pub const COPY_LINK: &str = "Copy link";
/// Sends.
pub const SEND_LINK: &str = "Send";
/// As a picture.
pub const SCAN: &str = "To scan";
/// Anew.
pub const ROTATE: &str = "Make anew";
/// Sealed throws.
pub const SEALED_HEAD: &str = "Sealed throws";
/// What they are.
pub const SEALED_HINT: &str = "Each device adds a secret to every throw, so that nobody – the server neither – can foresee, choose or drop one. Two or more must take part.";
/// Joins the circle.
pub const SEAL: &str = "Throw sealed from now on";
/// The chain has run out.
pub const SEAL_ANEW: &str = "Your chain has run out: seal another";
/// Alone.
pub const SEAL_WAITS: &str = "Sealed: throws are sealed as soon as another player joins in.";
/// The chain is on another device.
pub const NO_CHAIN: &str =
    "Your chain of secrets is not on this device: show links from the device where you sealed it, or have yourself let out.";
/// What to do where the log was cut.
pub const CUT_HINT: &str = "Ask the other players what happened to the log. If all of you agree that what is missing is lost, have the open call taken back, and go on from this log with a new chain.";
/// Goes on from a log that was cut.
pub const ACCEPT_CUT: &str = "Accept this log and seal a new chain";
/// Out of the circle.
pub const RELEASE: &str = "Let out";
/// Throws the call.
pub const FINISH: &str = "Throw it";
/// Takes the call back.
pub const WITHDRAW: &str = "Take the call back";
/// An invitation.
pub const INVITED_HEAD: &str = "You are invited";
/// To what.
pub const INVITED_LEAD: &str = "Say under which name you come to the table.";
/// Joins.
pub const JOIN: &str = "Join the table";
/// No name.
pub const SAY_YOUR_NAME: &str = "Say your name first.";

/// Somebody was faster.
pub fn overtaken(by: &str) -> String {
    format!("{by} acted first: look again. What you filled in is still there.")
}

/// Who is here.
pub fn here(names: &[&str]) -> String {
    if names.is_empty() { "here".to_owned() } else { format!("here: {}", names.join(", ")) }
}

/// How the stream stands.
pub fn wire(state: &str) -> &'static str {
    match state {
        "opening" => "connecting …",
        "lost" => "no connection",
        "refused" => "shut out",
        _ => "",
    }
}

/// How many throws a chain still serves.
pub fn links_left(n: u32) -> String {
    format!("{n} throws left")
}

/// A sealed throw under way.
pub fn open_call(by: &str, chart: &str, owes: &[&str]) -> String {
    match owes {
        [] => format!("{by} calls {chart}: all links are shown."),
        owes => format!("{by} calls {chart}: waiting for the link of {}.", owes.join(", ")),
    }
}

/// A picture to scan.
pub fn scan(title: &str) -> String {
    format!("Invitation for {title}, as a code to scan")
}
