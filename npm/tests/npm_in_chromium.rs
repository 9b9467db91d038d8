#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]
//! The npm package in a real browser: a page of a plain file server imports it. `tools/npm` makes
//! the package; ADJUTANT_NPM may name another folder.

use adjutant_browser_test::Browser;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

const PAGE: &str = r##"<!doctype html><title>adjutant</title><p id="odds">…</p><p id="error"></p>
<script type="module">
import { InputError, load } from "./adjutant.js";
const fire = (await load("panzer8")).chart("fire");
const odds = fire.odds({ ammo: "hesa", firer: { hesa: 6 }, target: { def: 4 } });
const { numerator, denominator } = odds.chance("suppressed");
document.querySelector("#odds").textContent = `${numerator} of ${denominator}; rolled: ${fire.pack.chart("rally").roll({}, { dice: [8] }).resultTitle}`;
try {
  fire.odds({ ammo: "x" });
} catch (error) {
  document.querySelector("#error").textContent = `${error instanceof InputError} ${error.inputs[0].accepted}`;
}
</script>"##;

fn answer(mut stream: TcpStream, folder: &Path) {
    let mut first = String::new();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    reader.read_line(&mut first).unwrap();
    let mut line = String::new();
    while reader.read_line(&mut line).unwrap() > 2 {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
    let (kind, body) = match path {
        "" => ("text/html", PAGE.as_bytes().to_vec()),
        file => {
            let kind = if file.ends_with(".js") { "text/javascript" } else { "text/plain" };
            (kind, std::fs::read(folder.join(file)).unwrap_or_default())
        }
    };
    // The browser may leave early; that is its affair.
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n");
    let _ = stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes());
    let _ = stream.write_all(&body);
}

#[test]
fn a_page_imports_the_package() {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/npm");
    let folder = PathBuf::from(std::env::var("ADJUTANT_NPM").unwrap_or_else(|_| built.into()));
    assert!(folder.join("adjutant.wasm").is_file(), "run tools/npm before this test");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        listener.incoming().flatten().for_each(|stream| answer(stream, &folder));
    });
    let browser = Browser::start();
    let page = browser.page(&format!("http://{address}/"));
    page.sees_in("#odds", "17 of 100; rolled: Unsuppressed");
    page.sees_in("#error", "true hesa or ap");
    // Chromium asks for an icon and gets an empty one.
    assert_eq!(page.complaints(), Vec::<String>::new());
}
