#![no_main]
//! Any text is read as a pack or refused; every fault lies inside its file. What is read can be run.

use chance::Random;
use libfuzzer_sys::fuzz_target;
use sheet::{Files, TABLES_FILE, read_pack};
use umpire::{Situation, needs, resolve};

fuzz_target!(|text: &str| {
    // A mark divides pack.toml from a deck and the player's own tables.
    let mut parts = text.split("\n#####\n");
    let (pack, deck, tables) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next());
    let mut files = Files::of([("pack.toml", pack), ("deck.csv", deck)]);
    match read_pack(&files, tables) {
        Ok(pack) => {
            for chart in &pack.charts {
                let Ok(mut situation) = Situation::new(&pack, &chart.id) else { panic!("{} is there", chart.id) };
                let _ = needs(&situation);
                let _ = resolve(&mut situation, &mut Random::seeded(1));
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "a refusal says why");
            files.put(TABLES_FILE, tables.unwrap_or(""));
            for fault in faults {
                let text = files.text(&fault.file).unwrap_or("");
                assert!(fault.place.start <= fault.place.end && fault.place.end <= text.len(), "{fault:?}");
                let _ = fault.line_and_column(text);
            }
        }
    }
});
