//! The packs for the export tests: the bundled ones, a large deck, and one whose every text is
//! hostile.

use adjutant_pack::{Files, Pack, read_pack};

pub fn shipped(id: &str) -> Pack {
    read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()
}

/// Texts that are special in one format or another.
pub const HOSTILE: [&str; 8] = [
    "Say \"no\" & <b>run</b>; a,b",
    "=1+1",
    "-2+3 @home",
    "ends in a backslash \\",
    "'quoted'",
    "Ἀθῆναι / Αθήνα ♠ ½",
    "two\nlines; \\; /; \\/ $name$ {x}",
    "]]> --> <!-- %20 ' ' \\' ''",
];

/// A pack whose labels are all hostile. The deck has a card for each.
pub fn hostile() -> Pack {
    let quoted = |text: &str| {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
    };
    let [a, b, c, d, e, f, g, h] = HOSTILE.map(quoted);
    let toml = format!(
        r#"
[pack]
id = "hostile"
title = {a}
version = "1"
notice = {h}
about = {g}
[deck.cards]
title = {a}
back = {c}
file = "cards.csv"
[deck.cards.field]
words = {{ text = {b} }}
kind = {{ label = {c}, choice = {{ one = {d}, two = {e} }} }}
row = {{ numbers = {g}, from = 2, to = 4, blank = "=R" }}
[result.good]
title = {f}
means = {g}
[result.bad]
title = {h}
means = {a}
[chart.test]
title = {g}
about = {h}
notes = [{e}]
[chart.test.ask]
column = {{ label = {a}, choice = {{ left = {b}, right = {h} }} }}
less = {{ yes_no = {c} }}
[[chart.test.step]]
roll = "2d6"
as = "dice"
title = {d}
add = [ {{ label = {e}, plus = -1, when = "less" }}, {{ label = {f}, plus = 3 }} ]
[chart.test.read]
score = "dice"
column = "column"
rows = [ {{ to = 4, left = "good", right = "bad" }}, {{ all = "bad", label = {b} }} ]
[chart.draw]
title = {b}
[[chart.draw.step]]
draw = "cards"
as = "card"
[chart.draw.read]
value = "card.number"
says = "{{value}} <i>; = \" \\"
"#
    );
    read_pack(
        &Files::of([("pack.toml".to_owned(), toml), ("cards.csv".to_owned(), cards_file())]),
        None,
    )
    .unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn cards_file() -> String {
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut out = String::from("card,title,words,kind,row_2,row_3,row_4\n");
    for (place, text) in HOSTILE.iter().enumerate() {
        out.push_str(&format!(
            "{},{},{},{},1,=R,-1\n",
            place + 1,
            cell(text),
            cell(HOSTILE[7 - place]),
            ["one", "two"][place % 2]
        ));
    }
    out
}

/// A deck of this many cards.
pub fn large(cards: u32) -> Pack {
    let toml = "[pack]\nid = \"large\"\ntitle = \"Large\"\nversion = \"1\"\n[deck.many]\ntitle = \"Many\"\nfile = \"many.csv\"\n[deck.many.field]\nrank = { number = \"Rank\" }\n[chart.card]\ntitle = \"Card\"\n[[chart.card.step]]\ndraw = \"many\"\nas = \"card\"\n[chart.card.read]\nvalue = \"card.number\"\n";
    let file: String = std::iter::once("card,title,rank\n".to_owned())
        .chain((1..=cards).map(|n| format!("{n},Card no. {n},{n}\n")))
        .collect();
    read_pack(&Files::of([("pack.toml", toml), ("many.csv", file.as_str())]), None)
        .unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// A text on one line, as a name shows it.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
