//! `adjutant serve` and `adjutant page`: the page for phones and browsers, from this machine or as
//! files for any host. Who types no verb at all gets the page: that is what most people want of it.

use crate::error::{CommandError, CommandResult};
use crate::open_store;
use crate::output::CommandOutput;
use crate::pack_registry::{OpenedPack, PackRegistry};
use adjutant_server::{Config, ServeError, ServedPack, Server};
use anyhow::Context;
use clap::{Args as ClapArgs, ValueHint};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The open files that are asked of the system.
const OPEN_FILES: u64 = 65_536;
/// Of these, as many as the store, the log and the runtime may need.
const FILES_OF_THE_STORE: u64 = 64;

/// Where it listens unless told otherwise, if no one else does.
const PORT: u16 = 7112;

/// Serves the page.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Only this machine reaches the page unless --listen says otherwise. A game is open only to players with an invitation link.

Examples:
  adjutant serve                                  the page on this machine
  adjutant serve --listen 0.0.0.0:7112            for phones on the same network, with a QR code
  adjutant serve --origin https://play.example.org --store postgres://adjutant@db/club
                                                  behind a proxy; see docs/hosting.md"
)]
pub struct Serve {
    /// Where it listens; without it 127.0.0.1:7112, or a free port if that is taken
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listen)]
    pub listen: Option<SocketAddr>,
    /// An address by which it is reached, such as that of its proxy, <https://play.example.org>
    /// (may be given several times)
    #[arg(long, value_name = "URL", value_parser = origin)]
    pub origin: Vec<String>,
    /// The address of a proxy, which says in X-Forwarded-For for whom a request is (may be given
    /// several times). Without it that is believed only with --origin while the server listens on
    /// loopback, of a proxy on this machine
    #[arg(long, value_name = "ADDRESS")]
    pub proxy: Vec<IpAddr>,
    /// Another site whose pages may ask for packs, rolls, odds, fights and checks, such as
    /// <https://vtt.example.org> (may be given several times)
    #[arg(long, value_name = "URL", value_parser = origin)]
    pub allow_origin: Vec<String>,
    /// Opens the browser even where the output is no terminal
    #[arg(long, conflicts_with = "no_open")]
    pub open: bool,
    /// Does not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// What is told on standard error: off, text or json; without it warnings only
    #[arg(long, value_name = "FORM", value_parser = ["off", "text", "json"])]
    pub log: Option<String>,
}

/// Writes the page as files.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  adjutant page -o public    static files for any host: everything but shared games works"
)]
pub struct Page {
    /// The folder to write into; made when it is not there
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
}

/// What was typed; nothing at all means `serve`.
pub fn or_serve(mut typed: Vec<OsString>) -> Vec<OsString> {
    if typed.len() == 1 {
        typed.push("serve".into());
    }
    typed
}

fn listen(text: &str) -> Result<SocketAddr, String> {
    let wrong = || "write an address and a port, such as 0.0.0.0:7112 or [::]:7112".to_owned();
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(ip) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, PORT));
    }
    text.to_socket_addrs().ok().and_then(|mut found| found.next()).ok_or_else(wrong)
}

fn origin(text: &str) -> Result<String, String> {
    let wrong = || "write the address without a path, such as https://play.example.org".to_owned();
    let (scheme, host) = text.split_once("://").ok_or_else(wrong)?;
    let host = host.trim_end_matches('/');
    let plain = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    if !matches!(scheme, "http" | "https") || host.is_empty() || !plain {
        Err(wrong())
    } else {
        Ok(format!("{scheme}://{host}"))
    }
}

pub fn serve(shelf: &PackRegistry, store: Option<&str>, asked: &Serve) -> CommandResult {
    let exposed = open_store::exposed(store);
    let opened = open_store::place(store).and_then(|place| adjutant_store::open(&place))?;
    if let Some(path) = exposed {
        say_aside(&open_store::exposure(&path, open_store::exposed(store).is_none()));
    }
    let (packs, left_out) = packs(shelf);
    left_out.iter().for_each(|id| {
        say_aside(&format!("the pack {id} has faults and is left out: adjutant check {id}"))
    });
    tell_by(asked.log.as_deref());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the system gives no threads to serve with")?;
    let mut config = Config::new(opened.into(), packs);
    raise_file_limit(&mut config.limits);
    config.origins.clone_from(&asked.origin);
    config.proxies.clone_from(&asked.proxy);
    config.allowed_origins.clone_from(&asked.allow_origin);
    config.owner_key = std::env::var("ADJUTANT_OWNER_KEY").ok().filter(|key| key.len() >= 16);
    runtime.block_on(async {
        match start(config, asked.listen).await {
            Ok(server) => Ok(run(server, asked).await),
            Err(fault) => Err(CommandError::Other(fault.into())),
        }
    })
}

/// Raises the limit of open files, because each connection is one, and accepts no more connections
/// than the limit allows beside the store.
fn raise_file_limit(limits: &mut adjutant_server::Limits) {
    if let Ok(files) = rlimit::increase_nofile_limit(OPEN_FILES) {
        let spare = usize::try_from(files.saturating_sub(FILES_OF_THE_STORE)).unwrap_or(usize::MAX);
        limits.connections = limits.connections.min(spare.max(1));
    }
}

/// The packs that can be played, with the player's own tables in them; and the ids of those that
/// cannot.
fn packs(shelf: &PackRegistry) -> (Vec<ServedPack>, Vec<String>) {
    let (mut sound, mut left_out) = (Vec::new(), Vec::new());
    // Tables and decks that were named are for one pack: the others are served without them.
    let plain = shelf.without_named();
    for found in shelf.all() {
        match shelf.open(&found.id).or_else(|_| plain.open(&found.id)) {
            Ok(OpenedPack { pack, files, supplied, source, .. }) => {
                sound.push(ServedPack::new(
                    Arc::new(pack),
                    files,
                    supplied,
                    source.on_server().to_owned(),
                ));
            }
            Err(_) => left_out.push(found.id),
        }
    }
    (sound, left_out)
}

async fn start(mut config: Config, listen: Option<SocketAddr>) -> Result<Server, ServeError> {
    let usual = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT);
    config.listen = listen.unwrap_or(usual);
    match adjutant_server::serve(config.clone()).await {
        Err(ServeError::Listen(..)) if listen.is_none() => {
            config.listen.set_port(0);
            adjutant_server::serve(config).await
        }
        other => other,
    }
}

async fn run(server: Server, asked: &Serve) -> CommandOutput {
    let signals = StopSignals::listen();
    let address = server.address();
    let here = format!("http://{}/", shown(address));
    let mut said = format!("Adjutant is at {here}\n");
    if let Some(there) = asked.origin.first() {
        said.push_str(&format!("and at {there}/\n"));
    } else if !address.ip().is_loopback() {
        match qr(&here) {
            Some(code) => said.push_str(&format!("For phones on the same network:\n\n{code}\n")),
            None => said.push_str("For phones on the same network: type the address above.\n"),
        }
    }
    if !server.is_local() {
        said.push_str(&format!(
            "The owner's key: {}\nKeep it secret: it opens the list of all games.\n",
            server.owner_key()
        ));
    }
    said.push_str("Ctrl-C stops it.\n");
    let mut out = anstream::stdout();
    // Who cannot read the address may still reach the page.
    let _ = out.write_all(said.as_bytes()).and_then(|()| out.flush());
    let seen = std::io::stdout().is_terminal() && has_screen();
    if asked.open || (seen && !asked.no_open) {
        open_browser(&here);
    }
    signals.wait().await;
    server.stop().await;
    CommandOutput::done(String::new())
}

/// An address as it is typed: of all addresses of this machine, the one that others see.
fn shown(address: SocketAddr) -> String {
    if !address.ip().is_unspecified() {
        return address.to_string();
    }
    // Nothing is sent: the system only says by which of its addresses it would.
    let outward = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    let ip = outward.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |found| found.ip());
    SocketAddr::new(ip, address.port()).to_string()
}

/// A code that phones read, two rows in a line.
fn qr(text: &str) -> Option<String> {
    let code = qrcode::QrCode::new(text.as_bytes()).ok()?;
    let drawn = code.render::<qrcode::render::unicode::Dense1x2>().quiet_zone(true).build();
    // Dark on light whatever the terminal's colours are: not every phone reads it the other way
    // round.
    let style = anstyle::Style::new()
        .fg_color(Some(anstyle::AnsiColor::Black.into()))
        .bg_color(Some(anstyle::AnsiColor::BrightWhite.into()));
    Some(drawn.lines().map(|line| format!("{}\n", crate::paint::in_style(style, line))).collect())
}

fn has_screen() -> bool {
    cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Opens the browser if there is one; without one the address stands on the screen.
fn open_browser(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let _ = Command::new(program)
        .args(before)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

/// Ctrl-C and the signal of the service manager, listened to from the start: one that comes between
/// the printed address and the wait for it counts, too.
#[cfg(unix)]
struct StopSignals {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl StopSignals {
    fn listen() -> StopSignals {
        use tokio::signal::unix::{SignalKind, signal};
        StopSignals {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
        }
    }

    async fn wait(mut self) {
        async fn one(signal: &mut Option<tokio::signal::unix::Signal>) {
            match signal {
                Some(signal) => drop(signal.recv().await),
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = one(&mut self.interrupt) => {}
            () = one(&mut self.terminate) => {}
        }
    }
}

#[cfg(not(unix))]
struct StopSignals;

#[cfg(not(unix))]
impl StopSignals {
    fn listen() -> StopSignals {
        StopSignals
    }

    async fn wait(self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

fn tell_by(form: Option<&str>) {
    use tracing_subscriber::filter::LevelFilter;
    let told =
        tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).with_target(false);
    // Only a second server in one process could have set it before.
    let _ = match form {
        Some("off") => return,
        Some("json") => {
            told.json().flatten_event(true).with_max_level(LevelFilter::INFO).try_init()
        }
        Some(_) => told.with_max_level(LevelFilter::INFO).try_init(),
        None => told.with_max_level(LevelFilter::WARN).try_init(),
    };
}

fn say_aside(text: &str) {
    let _ = writeln!(anstream::stderr(), "adjutant: {text}");
}

pub fn page(asked: &Page) -> CommandResult {
    crate::atomic_file::not_standard_output(&asked.out, "a folder")?;
    let files = adjutant_server::page_files();
    if files.is_empty() {
        return Err(CommandError::usage([
            "this binary was built without the page: run ./run in the source folder, which builds both".to_owned()
        ]));
    }
    let written = files.iter().try_for_each(|file| write(&asked.out.join(file.name), file.plain));
    written.with_context(|| format!("the page cannot be written to {}", asked.out.display()))?;
    Ok(CommandOutput::done(format!(
        "{} files of the page are in {}\n",
        files.len(),
        asked.out.display()
    )))
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        assert_eq!(listen("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
        assert_eq!(listen("127.0.0.1").unwrap().port(), PORT);
        assert_eq!(listen("[::]").unwrap().to_string(), format!("[::]:{PORT}"));
        assert!(listen("everywhere").is_err());
        assert_eq!(origin("https://play.example.org/").unwrap(), "https://play.example.org");
        for wrong in ["play.example.org", "ftp://x", "https://", "https://a/b", "https://a b"] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_verb_means_serve_and_any_other_word_stays() {
        let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(or_serve(words(&["adjutant"])), words(&["adjutant", "serve"]));
        assert_eq!(or_serve(words(&["adjutant", "--help"])), words(&["adjutant", "--help"]));
    }

    #[test]
    fn an_address_makes_a_code() {
        let code = qr("http://192.168.178.21:7112/").unwrap();
        assert!(code.lines().count() > 10 && code.chars().any(|c| c == '▀' || c == '▄'));
    }
}
