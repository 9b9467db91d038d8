//! All packs of the project: those that come with it, the examples, and small ones that once were
//! printed wrongly.
#![allow(missing_docs, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use adjutant_pack::{Files, Pack, read_pack};
use std::path::Path;

/// Signs within an amount, and a number for each word of a list.
const SIGNS: &str = r#"
[pack]
id = "signs"
title = "Signs"
[list.place]
skull = { title = "Skull", penalty = -7 }
torso = { title = "Torso", penalty = 0 }
arm   = { title = "Arm", penalty = -2 }
leg   = { title = "Leg", penalty = -3 }
[chart.aim]
title = "Aim"
ask   = { place = { choice = "place", label = "Place" }, x = { number = "X", from = 0, to = 5 } }
read  = { value = "die" }
[[chart.aim.step]]
roll = "3d6"
add  = [
  { label = "Place", plus = "place.penalty" },
  { label = "Off", plus = "-place.penalty" },
  { label = "If", plus = "if(x == 1, -1, if(x == 2, 3, -5))" },
  { label = "Sum", plus = "-x + 3" },
  { label = "All of it", plus = "-(x + 3)" },
  { label = "Dice", dice = "-(x - 3)" },
  { label = "Half", times = "1/2" },
]
"#;

/// Dice with symbols, in steps whose titles end in “dice”.
const SYMBOLS: &str = r#"
[pack]
id = "symbols"
title = "Symbols"
[die.red]
title = "Red die"
faces = ["hit", "hit", "thrown_back", "blank"]
[result.back]
title = "Goes back"
[result.stays]
title = "Stays"
[unit.man]
title = "Man"
has = { nerve = { number = "Nerve", from = 0, to = 9 }, fear = { number = "Fear", from = 0, to = 9 } }
[chart.rally]
title = "Rally"
who = { man = "man" }
[[chart.rally.step]]
roll = "red"
count = "man.nerve"
as = "pool"
title = "Rally dice"
tally = { hits = "face == 'hit'" }
reroll = [ { when = "face == 'blank'", because = "blanks" } ]
[chart.rally.read]
value = "pool.hits"
effects = [ { add = "fear", by = 1, on = "man", when = "pool.thrown_back > 0" } ]
[chart.one]
title = "One"
step = [ { roll = "red", as = "die" } ]
read = { score = "die", rows = [ { is = "thrown_back", all = "back" }, { all = "stays" } ] }
"#;

/// Every pack, with its own small ones last.
pub fn every_pack() -> Vec<Pack> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<_> = ["packs", "examples"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("pack.toml").exists() && !path.ends_with("skeleton"))
        .collect();
    folders.sort();
    let mut packs: Vec<Pack> = folders.iter().map(|folder| in_folder(folder)).collect();
    packs.extend([SIGNS, SYMBOLS].map(made_up));
    packs
}

fn in_folder(folder: &Path) -> Pack {
    let mut files = Files::of([] as [(&str, &str); 0]);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".toml") || name.ends_with(".csv") {
            files.put(&name, std::fs::read_to_string(&path).unwrap());
        }
    }
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{}: {faults:?}", folder.display()))
}

pub fn made_up(text: &str) -> Pack {
    read_pack(&Files::of([("pack.toml", text)]), None).unwrap_or_else(|faults| panic!("{faults:?}"))
}
