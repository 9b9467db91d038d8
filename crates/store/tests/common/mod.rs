//! Shared by the store's tests: a PostgreSQL server, and running a part of a test in another
//! process.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

pub mod proxy;

use adjutant_store::StoreLocation;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A PostgreSQL server in a temporary folder, on a Unix socket: no port, no network. It ends with
/// the test, even if the test is killed.
pub struct Server {
    folder: PathBuf,
    programs: PathBuf,
    guard: Child,
}

/// The user for the server if we are root, because PostgreSQL refuses to run as root.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

static DATABASES: AtomicU32 = AtomicU32::new(1);

impl Server {
    /// One server for all tests of this process.
    pub fn shared() -> &'static Server {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(Server::new)
    }

    pub fn new() -> Server {
        let programs = programs();
        let folder =
            tempfile::Builder::new().prefix("adjutant-pg").tempdir_in("/tmp").unwrap().keep();
        if let Some(user) = unprivileged() {
            chown(&folder, Some(id_of("-u", user)), Some(id_of("-g", user))).unwrap();
        }
        // The pipe to the guard closes when this process ends, for any reason. Then the server
        // stops and its folder is deleted.
        let stop = format!(
            "cat; {} stop -s -m immediate; rm -rf {}",
            in_words(&command(&programs, &folder, "pg_ctl")),
            folder.display()
        );
        let guard = Command::new("sh")
            .args(["-c", &stop])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Server { folder, programs, guard };
        server.tool(
            "initdb",
            &["-U", "adjutant", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"],
        );
        let doors = "local all anna scram-sha-256\nlocal all all trust\n";
        fs::write(server.folder.join("data/pg_hba.conf"), doors).unwrap();
        server.start();
        server
    }

    pub fn start(&self) {
        let socket = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}'",
            self.folder.display()
        );
        let log = self.folder.join("log");
        self.tool(
            "pg_ctl",
            &["start", "-s", "-w", "-l", &log.display().to_string(), "-o", &socket],
        );
    }

    /// Starts again on a free port of loopback, with the certificate in a folder and only encrypted
    /// connections. Returns the port.
    pub fn restart_with_tls(&self, certificates: &Path) -> u16 {
        self.stop();
        let data = self.folder.join("data");
        for name in ["server.pem", "server.key"] {
            let copy = data.join(name);
            fs::copy(certificates.join(name), &copy).unwrap();
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o600)).unwrap();
            if let Some(user) = unprivileged() {
                chown(&copy, Some(id_of("-u", user)), Some(id_of("-g", user))).unwrap();
            }
        }
        fs::write(data.join("pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\n").unwrap();
        // Another program may take the port before the server does.
        let started = (0..10).find_map(|_| {
            let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = free.local_addr().unwrap().port();
            drop(free);
            let options = format!(
                "-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories='{}' -c ssl=on -c ssl_cert_file=server.pem -c ssl_key_file=server.key",
                self.folder.display()
            );
            let log = self.folder.join("log").display().to_string();
            let arguments = ["start", "-s", "-w", "-l", &log, "-o", &options];
            self.try_tool("pg_ctl", &arguments).ok().map(|()| port)
        });
        started.expect("a port was free")
    }

    /// Stops the server as a crash does: nothing is flushed, and clients are not notified.
    pub fn crash(&self) {
        self.tool("pg_ctl", &["stop", "-s", "-w", "-m", "immediate"]);
    }

    /// Stops the server as an administrator does.
    pub fn stop(&self) {
        self.tool("pg_ctl", &["stop", "-s", "-w", "-m", "fast"]);
    }

    /// The address of a new, empty database.
    pub fn fresh(&self) -> String {
        let name = format!("club{}", DATABASES.fetch_add(1, Ordering::Relaxed));
        self.client("postgres").batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        self.address("adjutant", &name)
    }

    pub fn address(&self, user: &str, database: &str) -> String {
        format!(
            "postgres://{user}@{}/{database}",
            self.folder.display().to_string().replace('/', "%2F")
        )
    }

    /// The socket on which it listens.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    pub fn client(&self, database: &str) -> postgres::Client {
        postgres::Client::connect(&self.address("adjutant", database), postgres::NoTls).unwrap()
    }

    fn tool(&self, tool: &str, arguments: &[&str]) {
        if let Err(said) = self.try_tool(tool, arguments) {
            panic!("{tool} {arguments:?}: {said}");
        }
    }

    fn try_tool(&self, tool: &str, arguments: &[&str]) -> Result<(), String> {
        let mut command = command(&self.programs, &self.folder, tool);
        let done = command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        if done.status.success() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&done.stderr).into_owned())
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}

/// The folder of PostgreSQL's programs on Debian, or from the PATH.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"));
    let on_path = std::env::var_os("PATH")
        .into_iter()
        .flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let mut found = versions
        .chain(on_path)
        .filter(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file());
    found.next().expect("The tests of the store need PostgreSQL: run ./test, or install Debian's package postgresql")
}

fn unprivileged() -> Option<&'static str> {
    let known = |user: &&&str| {
        Command::new("id").arg(user).output().is_ok_and(|done| done.status.success())
    };
    is_root().then(|| {
        UNPRIVILEGED.iter().find(known).copied().expect("there is a user postgres or nobody")
    })
}

pub fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

fn id_of(which: &str, user: &str) -> u32 {
    let answer = Command::new("id").args([which, user]).output().unwrap();
    String::from_utf8_lossy(&answer.stdout).trim().parse().unwrap()
}

fn command(programs: &Path, folder: &Path, tool: &str) -> Command {
    let mut command = as_other(unprivileged(), &programs.join(tool));
    command.arg("-D").arg(folder.join("data")).current_dir("/");
    command
}

/// A program run as another user, or as the current one.
fn as_other(user: Option<&str>, program: &Path) -> Command {
    let Some(user) = user else { return Command::new(program) };
    let mut command = Command::new("setpriv");
    command
        .args([
            &format!("--reuid={user}"),
            &format!("--regid={}", id_of("-g", user)),
            "--clear-groups",
        ])
        .arg(program);
    command
}

fn in_words(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.display().to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A location in a temporary folder.
pub fn file_in(folder: &tempfile::TempDir) -> StoreLocation {
    StoreLocation::parse(folder.path().join("tables.db").to_str().unwrap()).unwrap()
}

/// Runs one ignored test of this program in another process, from a copy that any user may run.
pub struct OtherProcess {
    _folder: tempfile::TempDir,
    program: PathBuf,
}

impl OtherProcess {
    pub fn new() -> OtherProcess {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("again");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        for path in [folder.path(), &program] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        OtherProcess { _folder: folder, program }
    }

    /// The command line that runs the ignored test `part`.
    pub fn words(&self, part: &str) -> [String; 6] {
        let program = self.program.to_str().unwrap();
        [program, "--exact", part, "--ignored", "--nocapture", "--test-threads=1"]
            .map(str::to_owned)
    }

    pub fn command(&self, part: &str) -> Command {
        let words = self.words(part);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// The same as an unprivileged user.
    pub fn unprivileged(&self, part: &str) -> Command {
        let mut command = as_other(unprivileged(), &self.program);
        command.args(&self.words(part)[1..]).current_dir("/");
        command
    }
}

/// Runs a command and shows its output if it fails.
pub fn must_pass(mut command: Command) {
    let done = command.output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{command:?}\n{}\n{}", said(&done.stdout), said(&done.stderr));
}
