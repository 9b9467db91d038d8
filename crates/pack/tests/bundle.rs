#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Bundles: one pack, one text, and every other text is refused.

use adjutant_pack::{
    Bundle, BundleError, Files, LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES, Supplied, UserDeckFile,
    looks_like_bundle, sum_of,
};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

const TOML: &str = "[pack]\nid = \"coin\"\ntitle = \"Coin – \\\"toss\\\"\"\n";

fn files() -> Files {
    Files::of([("pack.toml", TOML), ("deck.csv", "n,name\n1,Ace\n"), ("README.md", "# Coin\n")])
}

fn written() -> String {
    Bundle::new(files()).write().unwrap()
}

/// The text with the checksum that it should have, as a forger would write it.
fn forged(text: &str) -> String {
    let body = text.rsplit_once(",\"sum\":").unwrap().0;
    let sum: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body},\"sum\":\"{sum}\"}}")
}

#[test]
fn a_bundle_is_one_line_that_names_the_fingerprint_of_its_rules() {
    let text = written();
    assert!(!text.contains('\n') && looks_like_bundle(&text));
    assert!(text.contains(&format!("\"hash\":\"{}\"", files().hash())));
    let bundle = Bundle::read(&format!("{text}\n")).unwrap();
    assert_eq!((bundle.files(), bundle.supplied()), (&files(), &Supplied::default()));
    assert_eq!(bundle.write().unwrap(), text, "the same files give the same bytes");
    assert_eq!(sum_of(&text).unwrap().len(), 64);
}

#[test]
fn what_the_player_supplies_travels_with_it_and_does_not_change_the_fingerprint() {
    let deck = UserDeckFile {
        deck: "events".into(),
        file: "panzer8.events.csv".into(),
        text: "n\n1\n".into(),
    };
    let supplied = Supplied { tables: Some("# none".into()), decks: vec![deck] };
    let bundle = Bundle::new(files()).with(supplied);
    let read = Bundle::read(&bundle.write().unwrap()).unwrap();
    assert_eq!(read.supplied().tables.as_deref(), Some("# none"));
    assert_eq!(read.supplied().decks[0].deck, "events");
    assert_eq!(read.files().hash(), files().hash());
}

#[test]
fn every_changed_byte_is_refused() {
    let text = written();
    for at in 0..text.len() {
        for byte in [b'a', b'"', b'1', b' '] {
            let mut bytes = text.clone().into_bytes();
            if bytes[at] == byte {
                continue;
            }
            bytes[at] = byte;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(Bundle::read(&changed).is_err(), "{changed}");
            }
        }
    }
    for cut in 0..text.len() {
        if let Some(part) = text.get(..cut) {
            assert!(Bundle::read(part).is_err(), "{part}");
        }
    }
}

#[test]
fn a_forged_checksum_does_not_help() {
    let text = written();
    let refused = |text: String| Bundle::read(&forged(&text)).unwrap_err();
    assert!(matches!(refused(text.replace("1,Ace", "2,Ace")), BundleError::OtherRules { .. }));
    assert_eq!(refused(text.replace("{\"README", "{ \"README")), BundleError::NotCanonical);
    assert_eq!(refused(text.replace("Coin –", "Coin \\u2013")), BundleError::NotCanonical);
    let twice = text.replace("\"README.md\":", "\"README.md\":\"\",\"README.md\":");
    assert_eq!(refused(twice), BundleError::NotCanonical);
    assert_eq!(refused(text.replace("pack.toml", "pack.csv")), BundleError::NoPackToml);
    assert!(matches!(refused(text.replace("\"files\"", "\"file\"")), BundleError::NotRead { .. }));
    let newer = text.replace("\"format\":1", "\"format\":2");
    assert_eq!(refused(newer), BundleError::Newer { format: 2 });
}

/// Found by libFuzzer: the reason quoted an unknown key as it stands in the file.
#[test]
fn a_reason_holds_no_control_characters_and_is_short() {
    let text = written();
    for key in ["\\u001b[2J\\nfake line".to_owned(), "x".repeat(100_000)] {
        let changed = forged(&text.replacen("\"hash\":", &format!("\"{key}\":0,\"hash\":"), 1));
        let Err(BundleError::NotRead { detail }) = Bundle::read(&changed) else {
            panic!("an unknown key is refused")
        };
        assert!(!detail.chars().any(char::is_control) && detail.len() <= 200, "{detail:?}");
    }
}

#[test]
fn a_name_is_never_a_path_a_device_or_another_kind_of_file() {
    for name in [
        "../x.csv",
        "/x.csv",
        "a/b.csv",
        "a\\b.csv",
        "C:x.csv",
        ".x.csv",
        "x.toml",
        "pack.toml.csv/..",
        "con.csv",
        "COM1.csv",
        "a\u{202e}.csv",
        "a\n.csv",
        "x.sh",
        "",
        "-rf.csv",
        "README.md ",
    ] {
        let mut files = files();
        files.put(name, "x");
        let error = Bundle::new(files).write().unwrap_err();
        assert!(matches!(error, BundleError::FileName { .. }), "{name}: {error}");
    }
    let mut clash = files();
    clash.put("Deck.csv", "x");
    assert!(matches!(Bundle::new(clash).write().unwrap_err(), BundleError::NamesClash { .. }));
}

/// The same names in a bundle that was forged with a right checksum.
#[test]
fn a_forged_name_is_refused_when_it_is_read() {
    let text = written();
    let refused = |name: &str| {
        let changed = text.replacen("\"README.md\":", &format!("\"{name}\":"), 1);
        assert_ne!(changed, text);
        Bundle::read(&forged(&changed)).unwrap_err()
    };
    for name in
        ["../x.csv", "/etc/x.csv", "a/b.csv", "a\\\\b.csv", "NUL.csv", "e\u{301}.csv", "x.exe"]
    {
        assert!(matches!(refused(name), BundleError::FileName { .. }), "{name}: {}", refused(name));
    }
    assert!(
        matches!(refused("DECK.csv"), BundleError::NamesClash { .. }),
        "{}",
        refused("DECK.csv")
    );
    let many: String = (0..100_000).map(|n| format!("\"{n}.csv\":\"\",")).collect();
    let many = text.replacen("\"README.md\":", &format!("{many}\"README.md\":"), 1);
    assert_eq!(Bundle::read(&forged(&many)).unwrap_err(), BundleError::TooManyFiles);
    // A bundle in a bundle, and one that is nested without end.
    let nested =
        text.replacen("\"README.md\":\"", "\"README.md\":{\"pack.toml\":\"\"},\"x.csv\":\"", 1);
    assert!(matches!(Bundle::read(&forged(&nested)).unwrap_err(), BundleError::NotRead { .. }));
    let deep = text.replacen(
        "\"README.md\":",
        &format!("\"x.csv\":{},\"README.md\":", "[".repeat(500_000)),
        1,
    );
    assert!(matches!(Bundle::read(&forged(&deep)).unwrap_err(), BundleError::NotRead { .. }));
}

#[test]
fn sizes_and_numbers_are_limited() {
    let mut large = files();
    large.put("big.csv", "x".repeat(LARGEST_FILE as usize + 1));
    assert!(matches!(Bundle::new(large).write().unwrap_err(), BundleError::FileTooLarge { .. }));
    let mut many = files();
    (0..MOST_FILES).for_each(|n| many.put(format!("{n}.csv"), "x"));
    assert_eq!(Bundle::new(many).write().unwrap_err(), BundleError::TooManyFiles);
    let mut all = files();
    (0..3).for_each(|n| all.put(format!("{n}.csv"), "x".repeat(LARGEST_FILE as usize)));
    assert!(matches!(Bundle::new(all).write().unwrap_err(), BundleError::TooLarge { .. }));
    let long = "x".repeat(LARGEST_BUNDLE + 2);
    assert!(matches!(Bundle::read(&long).unwrap_err(), BundleError::TooLarge { .. }));
}

#[test]
fn a_file_that_is_too_large_or_no_file_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Bundle::from_file(dir.path()).unwrap_err(), BundleError::NotAFile);
    let path = dir.path().join("coin.adjutant");
    assert!(matches!(Bundle::from_file(&path).unwrap_err(), BundleError::Unreadable { .. }));
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(Bundle::from_file(&path).unwrap_err(), BundleError::TooLarge { size: 1 << 40 });
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert_eq!(Bundle::from_file(&path).unwrap_err(), BundleError::NotABundle);
    std::fs::write(&path, written() + "\n").unwrap();
    assert_eq!(Bundle::from_file(&path).unwrap(), Bundle::new(files()));
}

proptest! {
    #[test]
    fn any_texts_come_back_as_they_were(texts in prop::collection::vec("\\PC*|[\\x00-\\x20\"\\\\]*", 1..4)) {
        let mut files = files();
        texts.iter().enumerate().for_each(|(n, text)| files.put(format!("{n}.csv"), text.as_str()));
        let text = Bundle::new(files.clone()).write().unwrap();
        let read = Bundle::read(&text).unwrap();
        prop_assert_eq!(read.files(), &files);
        prop_assert!(!text.contains(['\n', '\r', '\0']), "a store keeps it as one line");
    }
}
