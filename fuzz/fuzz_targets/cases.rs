#![no_main]
//! Any text is read as cases or refused; what is read can be tried on a shipped pack.

use libfuzzer_sys::fuzz_target;
use sheet::{Files, Pack, read_cases, read_pack};
use std::sync::OnceLock;
use umpire::try_suite;

fn shipped() -> &'static [(Files, Pack)] {
    static PACKS: OnceLock<Vec<(Files, Pack)>> = OnceLock::new();
    let read = |id: &&str| {
        let files = packs::files(id)?;
        let pack = read_pack(&files, None).ok()?;
        Some((files, pack))
    };
    PACKS.get_or_init(|| packs::IDS.iter().filter_map(read).collect())
}

fuzz_target!(|text: &str| {
    let files = Files::of([("cases.toml", text)]);
    match read_cases(&files) {
        Ok(suite) => {
            let (own, pack) = &shipped()[text.len() % shipped().len()];
            let filled = suite.tables.as_ref().and_then(|tables| read_pack(own, Some(tables)).ok());
            let _ = try_suite(pack, filled.as_ref(), &suite);
        }
        Err(faults) => {
            for fault in faults {
                assert!(fault.place.start <= fault.place.end && fault.place.end <= text.len(), "{fault:?}");
            }
        }
    }
});
