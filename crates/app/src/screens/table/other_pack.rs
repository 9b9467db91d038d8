//! Whether the pack of an invitation is the one that comes with the page, and what it has otherwise.
//! The texts are compared section by section: this says what to look at, not what it changes.

use super::reply_to::Join;
use crate::app::Shared;
use crate::message::{Command, Reply};
use crate::server_packs;
use adjutant_api::Invitation;
use adjutant_pack::Files;
use adjutant_wording::en::page::together as text;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// How many sections are named.
const MOST: usize = 20;

/// Whether the page has other rules under the name of this pack, or none.
fn is_other(shared: &Shared, about: &Invitation) -> bool {
    !about.pack_hash.is_empty() && shared.packs.hash(&about.pack).as_ref() != Some(&about.pack_hash)
}

/// Asks for the pack, if it takes the name of one that comes with the page.
pub fn fetch(shared: &Shared, about: &Invitation, limit: u32) -> Option<Command> {
    let other = is_other(shared, about) && shared.packs.is_shipped(&about.pack);
    let mut fetch = server_packs::fetch(about.bundle.as_ref().filter(|_| other)?, Join::Pack);
    if let Command::Http { call, .. } = &mut fetch {
        call.limit = Some(limit);
    }
    Some(fetch)
}

/// The titles of the sections that differ.
pub fn differs(about: &Invitation, reply: &Reply) -> Vec<String> {
    let (Reply::Http { status: 200, body }, Some(sum)) = (reply, &about.bundle) else {
        return Vec::new();
    };
    let Some(bundle) = server_packs::read(sum, body) else { return Vec::new() };
    let shipped = adjutant_bundled_packs::files(&about.pack).unwrap_or_default();
    let (here, there) = (sections(&shipped), sections(bundle.files()));
    let other = |(key, (title, _)): (&String, &(String, String))| match title.is_empty() {
        true => key.clone(),
        false => title.clone(),
    };
    let changed = there.iter().filter(|(key, section)| here.get(*key) != Some(section)).map(other);
    let gone = here.iter().filter(|(key, _)| !there.contains_key(*key)).map(other);
    changed.chain(gone).collect()
}

/// The title and the text of each chart, result, status and file, without comments and layout.
fn sections(files: &Files) -> BTreeMap<String, (String, String)> {
    let mut all: BTreeMap<String, (String, String)> = BTreeMap::new();
    for name in files.names().filter(|name| *name == "pack.toml" || name.ends_with(".csv")) {
        let mut key = name.to_owned();
        for line in files.text(name).unwrap_or_default().lines() {
            let line = line.trim();
            let head = line.strip_prefix('[').and_then(|head| head.split(']').next());
            if let Some(head) = head.filter(|head| !head.contains([' ', ',', '"'])) {
                let parts: Vec<&str> = head.trim_start_matches('[').split('.').take(2).collect();
                key = parts.join(" ");
            }
            let (title, text) = all.entry(key.clone()).or_default();
            if title.is_empty() && key.contains(' ') && line.starts_with("title") {
                *title = line.split('"').nth(1).unwrap_or_default().to_owned();
            }
            if !line.starts_with('#') {
                text.extend(line.split_whitespace());
            }
        }
    }
    all
}

/// What to know before one joins.
pub fn view(shared: &Shared, about: &Invitation, differs: &[String]) -> Markup {
    let known = shared.packs.summary(&about.pack).filter(|_| shared.packs.is_shipped(&about.pack));
    let title = known.map(|known| known.title);
    html! {
        @if is_other(shared, about) {
            p.wrong { (text::other_pack(title.as_deref(), &about.pack_version, &about.pack_hash)) }
            @if !differs.is_empty() { p { (text::differs(&differs[..differs.len().min(MOST)], differs.len())) } }
        }
    }
}
