#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Errors in whole files, in decks and in the player's tables; all errors are reported at once.

mod common;

use adjutant_pack::{Files, read_pack};
use adjutant_wording::en::diagnostic;
use common::*;

#[test]
fn files_that_are_not_toml_are_refused_where_they_break() {
    let found =
        faults(&Files::of([("pack.toml", format!("{HEAD}[chart.c\ntitle = \"C\"\n"))]), None);
    assert!(
        found
            .iter()
            .any(|fault| fault.starts_with("pack.toml 4:")
                && fault.contains("this is not valid TOML")),
        "{found:#?}"
    );
    let found = faults(&Files::of([("pack.toml", "\u{0}\u{1} nothing of the sort")]), None);
    assert!(found.iter().any(|fault| fault.contains("the file cannot be read here")), "{found:#?}");
}

#[test]
fn what_follows_from_a_wrong_bracket_is_not_reported_besides() {
    let text = "[chart.c]\ntitle = \"C\"\nstep = [ { roll = \"1d6\", as = \"d\" } ]\nread = { rows = [ { to = 3, all = \"m\" }, { all = \"h\" } }\n[result]\nm = { title = \"M\" }\nh = { title = \"H\" }\n";
    let found = faults(&Files::of([("pack.toml", format!("{HEAD}{text}"))]), None);
    assert!(found.len() == 1 && found[0].contains("the file cannot be read here"), "{found:#?}");
}

#[test]
fn a_file_nested_a_thousand_deep_is_refused() {
    for text in [
        format!("x = {}{}", "[".repeat(1000), "]".repeat(1000)),
        format!("x = {}1{}", "{a=".repeat(1000), "}".repeat(1000)),
    ] {
        let found = faults(&Files::of([("pack.toml", format!("{HEAD}{text}\n"))]), None);
        assert!(
            found.iter().any(
                |fault| fault.contains("a pack need not be nested more than a few tables deep")
            ),
            "{found:#?}"
        );
    }
    let dotted = format!("{HEAD}{} = 1\n", ["a"; 1000].join("."));
    assert!(!faults(&Files::of([("pack.toml", dotted)]), None).is_empty());
}

#[test]
fn files_of_two_megabytes_are_refused() {
    let large = "#".repeat(2 << 20);
    let message = "it is 2097152 bytes long: a file of a pack may have at most 1048576 (split the data, or take out what is not rules)";
    let files = Files::of([("pack.toml", large.as_str()), ("deck.csv", &large)]);
    assert_eq!(
        faults(&files, None),
        [format!("deck.csv 1:1 {message}"), format!("pack.toml 1:1 {message}")]
    );
    assert_eq!(
        faults(&Files::of([("pack.toml", HEAD)]), Some(&large)),
        [format!("tables.toml 1:1 {message}")]
    );
    assert_eq!(
        adjutant_pack::read_cases(&Files::of([("cases.toml", large)])).unwrap_err().len(),
        1
    );
}

#[test]
fn control_characters_are_found_wherever_a_text_is_shown() {
    let bad = |code: &str| {
        format!("the text holds a control character (\\u{{{code}}}) (take it out: texts are plain)")
    };
    chart(&format!("about = ▸\"a\\u001b[31mred\"\n{DIE}{ROWS}"), &bad("1b"));
    chart(&format!("notes = [ ▸\"a\\u0007\" ]\n{DIE}{ROWS}"), &bad("7"));
    chart(&format!("ask = {{ a = {{ yes_no = ▸\"\\u202eevil\" }} }}\n{DIE}{ROWS}"), &bad("202e"));
    chart(
        &format!("ask = {{ a = {{ choice = {{ x = ▸\"\\u009b\", y = \"Y\" }} }} }}\n{DIE}{ROWS}"),
        &bad("9b"),
    );
    rows("{ to = 3, all = \"miss\", label = ▸\"\\u0000\" }, { all = \"hit\" }", &bad("0"));
    chart(
        &format!("about = ▸\"{}\"\n{DIE}{ROWS}", "x".repeat(2001)),
        "the text is 2001 bytes long: at most 2000 are shown (shorten it)",
    );
}

/// A pack with a deck of these lines; `▸` in the data or in the field marks the error.
#[track_caller]
fn deck(field: &str, data: &str, draw: &str, fault: &str) {
    let text = format!(
        "{HEAD}{RESULTS}[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = {{ {field} }}\n[chart.c]\ntitle = \"C\"\nstep = [ {draw} ]\n{ROWS}"
    );
    let (file, marked) =
        if data.contains('▸') { ("d.csv", data) } else { ("pack.toml", text.as_str()) };
    let (_, line, column) = unmarked(marked);
    let files = Files::of([("pack.toml", text.replace('▸', "")), ("d.csv", data.replace('▸', ""))]);
    only(&faults(&files, None), file, (line, column), fault);
}

#[test]
fn decks_may_be_saved_with_semicolons_or_tabs() {
    let text = "[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = { rank = { number = \"Rank\", from = 1, to = 6 } }\n\
                [chart.c]\ntitle = \"C\"\nstep = [ { draw = \"d\", as = \"card\", read = \"rank\" } ]\nread = { value = \"card\" }\n";
    for between in [",", ";", "\t"] {
        let data = "card,title,rank\r\n1,One,1\r\n2,Two,6\r\n".replace(',', between);
        let pack =
            read_pack(&Files::of([("pack.toml", format!("{HEAD}{text}")), ("d.csv", data)]), None)
                .unwrap();
        assert_eq!(pack.decks().first().unwrap().cards[1].title, "Two");
    }
}

#[test]
fn curly_quotation_marks_are_named() {
    pack(
        "[chart.c]\ntitle = ▸“C”\n",
        "the file cannot be read here: string values must be quoted, expected literal string (write plain quotation marks \"…\", not the curly ones of a word processor)",
    );
}

#[test]
fn a_misspelt_column_is_told_its_name() {
    let text = "[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = { rank = { number = \"Rank\", from = 1, to = 6 }, suit = { txt = \"Suit\" } }\n\
                [chart.c]\ntitle = \"C\"\nstep = [ { draw = \"d\", as = \"card\", read = \"rank\" } ]\nread = { value = \"card\" }\n";
    let found = faults(
        &Files::of([
            ("pack.toml", format!("{HEAD}{}", text)),
            ("d.csv", "card,titel,rnak\n1,One,1\n".into()),
        ]),
        None,
    );
    for part in [
        "`titel` is no field of the deck (did you mean `title`?)",
        "`rnak` is no field of the deck (did you mean `rank`?)",
        "has no key `txt` (did you mean `text`?)",
    ] {
        assert!(found.iter().any(|fault| fault.contains(part)), "{part}: {found:#?}");
    }
}

#[test]
fn bad_decks_are_found() {
    let (rank, draw) = (
        "rank = { number = \"Rank\", from = 1, to = 6 }",
        "{ draw = \"d\", as = \"card\", read = \"rank\" }",
    );
    let marked_draw = "▸{ draw = \"d\", as = \"card\", read = \"rank\" }";
    deck(
        rank,
        "▸card,title\n1,One\n2,Two\n",
        draw,
        "the file has no column `rank` (add the column to the first line)",
    );
    deck(
        rank,
        "▸card,title,rank,suit\n1,One,1,x\n2,Two,6,x\n",
        draw,
        "the column `suit` is no field of the deck (add it to [deck.….field], or take it out)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two,x\n3,Three,6\n",
        draw,
        "card 2, `rank`: `x` is not a number: write it as 3, -1, 2.5 or 1/2 (mend the cell, or leave it empty)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two,9\n3,Three,6\n",
        draw,
        "card 2, `rank`: `9` is outside what the field allows (mend the cell, or leave it empty)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸1,Two,6\n",
        draw,
        "card 1 is there a second time (number the cards from 1, in order)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸3,Two,6\n",
        draw,
        "card `3` stands where card 2 should be (number the cards from 1, in order)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two\u{1b}[2J,6\n",
        draw,
        "the text holds a control character (\\u{1b}) (take it out: texts are plain)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two,6,7\n",
        draw,
        "card 2 has 4 cells, but the first line has 3 (give each card one cell for each column)",
    );
    deck(
        rank,
        "▸card,title,rank\n",
        draw,
        "the deck has 0 cards (a deck has 1 to 1000 cards, one line each)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n2,Two,\n3,Three,6\n",
        marked_draw,
        "card 2 of the deck has no `rank` to read (add an again rule for them: again = [ { when = \"….blank\", because = \"…\" } ])",
    );
    let wanting = format!(
        "{HEAD}[deck.d]\ntitle = \"D\"\nfile = ▸\"dek.csv\"\n[chart.c]\ntitle = \"C\"\nread = {{ value = 1 }}\n"
    );
    let (text, line, column) = unmarked(&wanting);
    let files = Files::of([("pack.toml", text.as_str()), ("deck.csv", "card,title\n1,One\n")]);
    only(
        &faults(&files, None),
        "pack.toml",
        (line, column),
        "there is no data file `dek.csv` in the pack's folder (did you mean `deck.csv`?)",
    );
}

#[test]
fn a_card_that_an_again_rule_sends_back_need_not_be_readable() {
    let rows_of = "row = { numbers = \"Row\", from = 1, to = 2 }";
    let data = "card,title,row_1,row_2\n1,One,1,2\n2,Two,6,\n3,Three,4,4\n";
    let draw = |again: &str| {
        format!("{{ draw = \"d\", as = \"card\", read = \"row\", by = \"1 + 1\"{again} }}")
    };
    deck(
        rows_of,
        data,
        &format!("▸{}", draw("")),
        "card 2 of the deck has no `row` to read (add an again rule for them: again = [ { when = \"….blank\", because = \"…\" } ])",
    );
    let once = draw(", again = [ { when = \"card.blank\", because = \"B\", at_most = 1 } ]");
    deck(
        rows_of,
        data,
        &format!("▸{once}"),
        "card 2 of the deck has no `row` to read (add an again rule for them: again = [ { when = \"….blank\", because = \"…\" } ])",
    );
    let pack = format!(
        "{RESULTS}[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = {{ {rows_of} }}\n[chart.c]\ntitle = \"C\"\nstep = [ {} ]\n{ROWS}",
        draw(", again = [ { when = \"card.blank\", because = \"B\" } ]")
    );
    assert_eq!(
        faults(
            &Files::of([("pack.toml", format!("{HEAD}{pack}").as_str()), ("d.csv", data)]),
            None
        ),
        [""; 0]
    );
}

#[test]
fn the_cards_that_a_player_supplies_are_checked() {
    let pack = format!(
        "{HEAD}[deck.own]\ntitle = \"Own\"\nfile = \"own.csv\"\n\
         [user_deck.events]\ntitle = \"Events\"\n\
         field = {{ luck = {{ number = \"Luck\", from = 0, to = 9 }}, text = {{ text = \"Text\" }} }}\n\
         [chart.c]\ntitle = \"C\"\nstep = [ {{ draw = \"events\", read = \"luck\" }} ]\nread = {{ value = \"card\" }}\n"
    );
    let files = Files::of([("pack.toml", pack.as_str()), ("own.csv", "card,title\n1,One\n")]);
    let own = |cards: &str, fault: &str| {
        let tables = format!("[deck.events]\ncards = \'\'\'\n{cards}\'\'\'\n");
        let (clean, line, column) = unmarked(&tables);
        let found = faults(&files, Some(&clean));
        only(&found, adjutant_pack::TABLES_FILE, (line, column), fault);
    };
    own(
        "▸title,luck\nRain,1\n",
        "the file has no column `text` (add the column to the first line)",
    );
    own(
        "title,luck,text,count\nRain,1,Wet,2\n▸Sun,1,Dry,many\n",
        "card 2: the count `many` is not a whole number from 0 to 1000 (write how many copies of the card there are)",
    );
    own(
        "title,luck,text\n▸Rain,12,Wet\n",
        "card 1, `luck`: `12` is outside what the field allows (mend the cell, or leave it empty)",
    );
    own(
        "▸title,luck,text\n",
        "the deck has no cards (write a line for each card below the line with the columns, or leave the deck out)",
    );
    own(
        "▸title,luck,text\nRain,,Wet\n",
        "card 1 has no `luck`, which is read when it is drawn (fill in the cell)",
    );
    assert_eq!(
        faults(&files, Some("[deck.evnts]\ncards = \'\'\'\ntitle\nRain\n\'\'\'\n")),
        ["tables.toml 3:1 there is no user deck `evnts` (did you mean `events`?)"]
    );
    assert_eq!(
        faults(&files, Some("[deck.own]\ncards = \'\'\'\ntitle\nRain\n\'\'\'\n")),
        [
            "tables.toml 3:1 the cards of the deck `own` come with the pack (only the cards of a user deck ([user_deck.…] in pack.toml) can be supplied)"
        ]
    );
    // Copies, other columns, and no numbers of cards.
    let fine = "[deck.events]\ncards = \'\'\'\ntitle;who;luck;text;count\nRain;all;1;Wet;2\nSun;all;2;;\n\'\'\'\n";
    let read = adjutant_pack::read_pack(&files, Some(fine)).unwrap();
    let deck = read.deck("events").unwrap();
    let titles: Vec<&str> = deck.cards.iter().map(|card| card.title.as_str()).collect();
    assert_eq!(titles, ["Rain", "Rain", "Sun"]);
    assert!(
        !deck.is_missing() && read_pack(&files, None).unwrap().deck("events").unwrap().is_missing()
    );
}

#[test]
fn user_tables_are_checked_like_any_other() {
    let head = format!("{HEAD}{RESULTS}[user_table.wound]\ntitle = \"Wounds\"\n");
    let chart = format!("[chart.c]\ntitle = \"C\"\n{DIE}read = {{ user_table = \"wound\" }}\n");
    let own = |pack: &str, tables: &str, fault: &str| {
        let (file, marked) = if tables.contains('▸') {
            (adjutant_pack::TABLES_FILE, tables)
        } else {
            ("pack.toml", pack)
        };
        let (_, line, column) = unmarked(marked);
        let files = Files::of([("pack.toml", pack.replace('▸', ""))]);
        only(&faults(&files, Some(&tables.replace('▸', ""))), file, (line, column), fault);
    };
    let pack = format!("{head}results = [\"miss\", \"hit\"]\n{chart}");
    own(
        &pack,
        "[table.▸wonud]\nrows = [ { all = \"hit\" } ]\n",
        "there is no user table `wonud` (did you mean `wound`?)",
    );
    own(
        &pack,
        "[table.wound]\nrows = [ { to = 3, all = ▸\"hitt\" }, { all = \"miss\" } ]\n",
        "there is no result `hitt` (did you mean `hit`?)",
    );
    own(
        &pack,
        "[table.wound]\nrows = [ { to = 3, all = \"hit\" }, ▸{ from = 5, all = \"miss\" } ]\n",
        "there is a gap: scores of 4 have no row (move the end of one of the rows)",
    );
    own(
        &pack,
        "[table.wound]\nscore = \"▸dye\"\nrows = [ { to = 3, all = \"hit\" }, { all = \"miss\" } ]\n",
        "there is no name `dye` here (did you mean `die`?)",
    );
    own(
        &pack,
        "▸[table.wound]\nrows = []\n",
        "the table has no rows (add rows = [ { to = 1, all = \"…\" }, … ])",
    );
    own(
        &format!("{head}results = [\"miss\", ▸\"hut\"]\n{chart}"),
        "[table.wound]\nrows = [ { all = \"miss\" } ]\n",
        "there is no result `hut` (did you mean `hit`?)",
    );
    let fixed = format!("{head}results = [\"miss\", \"hit\"]\nscore = \"die\"\n{chart}");
    own(
        &fixed,
        "[table.wound]\nscore = ▸\"die\"\nrows = [ { to = 3, all = \"hit\" }, { all = \"miss\" } ]\n",
        "the pack fixes the score of this table (take score out)",
    );
}

/// What a folder yields: the names of its files, or its errors.
fn folder(make: impl Fn(&std::path::Path)) -> Result<Vec<String>, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let shown = folder.path().display().to_string();
    match Files::from_folder(folder.path()) {
        Ok(files) => Ok(files.names().map(str::to_owned).collect()),
        Err(faults) => Err(faults
            .iter()
            .map(|fault| {
                let said = diagnostic(fault);
                format!(
                    "{}: {} ({})",
                    fault.file.replace(&shown, "FOLDER"),
                    said.message,
                    said.help
                )
            })
            .collect()),
    }
}

#[test]
fn folders_are_read_with_care() {
    use std::fs::write;
    let wanted = "(give the folder that holds pack.toml)";
    assert_eq!(
        folder(|_| ()).unwrap_err(),
        [format!("FOLDER: there is no pack.toml in it {wanted}")]
    );
    let missing = Files::from_folder(std::path::Path::new("/nowhere/at/all")).unwrap_err();
    assert!(
        diagnostic(&missing[0]).message.starts_with("the folder cannot be read"),
        "{missing:?}"
    );
    let latin = folder(|at| write(at.join("pack.toml"), b"#\n# Gr\xfc\xdfe").unwrap());
    assert_eq!(
        latin.unwrap_err(),
        ["pack.toml: it is not UTF-8 text (line 2) (save the file as UTF-8 in your editor)"]
    );
    let wide = folder(|at| write(at.join("pack.toml"), b"\xff\xfe[\0").unwrap());
    assert_eq!(
        wide.unwrap_err(),
        ["pack.toml: it is UTF-16, not UTF-8 text (save the file as UTF-8 in your editor)"]
    );
    let large = folder(|at| write(at.join("pack.toml"), vec![b'#'; 2 << 20]).unwrap());
    assert_eq!(
        large.unwrap_err(),
        [
            "pack.toml: it is 2097152 bytes long: a file of a pack may have at most 1048576 (split the data, or take out what is not rules)"
        ]
    );
    let other = folder(|at| {
        write(at.join("pack.toml"), "\u{feff}[pack]").unwrap();
        write(at.join("a.csv"), "").unwrap();
        write(at.join(".hidden.csv"), b"\xff").unwrap();
        write(at.join("notes.txt"), b"\xff").unwrap();
    });
    assert_eq!(other.unwrap(), ["a.csv", "pack.toml"]);
    let many = folder(|at| (0..40).for_each(|n| write(at.join(format!("{n}.csv")), "").unwrap()));
    assert!(many.unwrap_err()[0].contains("a pack may hold at most 32 files"));
}

#[cfg(unix)]
#[test]
fn links_pipes_and_folders_are_not_opened() {
    let plain = "it is not a plain file (a pack holds plain files only, no links or pipes)";
    let link =
        folder(|at| std::os::unix::fs::symlink("/etc/passwd", at.join("pack.toml")).unwrap());
    assert_eq!(link.unwrap_err(), [format!("pack.toml: {plain}")]);
    let pipe = folder(|at| {
        assert!(
            std::process::Command::new("mkfifo")
                .arg(at.join("pack.toml"))
                .status()
                .unwrap()
                .success()
        )
    });
    assert_eq!(pipe.unwrap_err(), [format!("pack.toml: {plain}")]);
    let inner = folder(|at| std::fs::create_dir(at.join("pack.toml")).unwrap());
    assert_eq!(inner.unwrap_err(), [format!("pack.toml: {plain}")]);
}

#[test]
fn all_faults_are_reported_at_once() {
    let text = r#"
[pack]
id    = "Ten faults"
titel = "Ten"

[option.night]
yes_no   = "Night"
standing = "publik"
origin   = "the book"

[result]
miss = { title = "Miss" }
hit  = { title = "Hit", effects = [ { status = "pined" } ] }

[unit.tank]
title = "Tank"
has   = { armour = { number = "Armour", from = 9, to = 0 } }

[chart.fire]
title = "Fire"
who   = { tank = "tank" }
ask   = { ammo = { choice = { ap = "AP", he = "HE" } } }
step  = [ { roll = "2d6", as = "die", add = [ { label = "Explosive", plus = 1, when = "ammo = 'he'" } ] } ]
read  = { rows = [ { to = 4, all = "mis" }, { from = 6, to = 12, all = "hit" }, { from = 13, all = "hit" } ] }

[chart.rally]
title = "Rally"
step  = [ { roll = "2x6", as = "die" }, { look_up = "rally", as = "l" } ]
read  = { score = "die", rows = [ { to = 4, all = "miss" } ] }
"#;
    let found = faults(&Files::of([("pack.toml", text)]), None).join("\n");
    let wanted = [
        "pack.toml 2:1 [pack] has no `title` (add title = \"…\")",
        "pack.toml 3:9 `Ten faults` is not an id (use small letters, digits and hyphens, at most 64)",
        "pack.toml 4:1 [pack] has no key `titel` (did you mean `title`?)",
        "pack.toml 8:12 there is no standing `publik` (did you mean `public`?)",
        "pack.toml 13:48 there is no status `pined` (none is defined yet)",
        "pack.toml 17:20 `armour` goes from 9 to 0 (from must not be above to)",
        "pack.toml 23:93 a single = does not compare (write == for `is the same as`)",
        "pack.toml 24:36 there is no result `mis` (did you mean `miss`?)",
        "pack.toml 24:45 there is a gap: scores of 5 have no row (move the end of one of the rows)",
        "pack.toml 28:20 `2x6` cannot be rolled: dice are written as 2d6, 1d10 or d6 (write roll = \"2d6\")",
        "pack.toml 28:53 this can never end: rally looks up rally (break the circle)",
    ];
    assert_eq!(found, wanted.join("\n"));
}

#[test]
fn a_large_table_of_conditions_is_checked_in_bounded_time() {
    let asks: String =
        (0..7).map(|n| format!("a{n} = {{ number = \"A\", from = 0, to = 3 }}\n")).collect();
    let all = (0..7).map(|n| format!("a{n}")).collect::<Vec<_>>().join(" + ");
    let rows: String =
        (0..900).map(|n| format!("{{ when = \"{all} == {}\", all = \"hit\" }},", n % 20)).collect();
    let text = format!(
        "{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\nstep = [ {{ roll = \"1d100\", as = \"die\" }} ]\nread = {{ score = \"die\", rows = [ {rows} {{ all = \"miss\" }} ] }}\n[chart.c.ask]\n{asks}"
    );
    let start = std::time::Instant::now();
    let _ = read_pack(&Files::of([("pack.toml", text)]), None);
    assert!(start.elapsed().as_secs() < 10, "took {:?}", start.elapsed());
}

#[test]
fn a_fault_at_the_very_end_of_a_file_lies_inside_it() {
    for text in [
        "[chart.c]\nread = { value = \"1 +",
        "[chart.c]\ntitle = \"C\"\nread.value = \"",
        "[chart.c]\nread.value = 'a &&",
    ] {
        let _ = faults(&Files::of([("pack.toml", text)]), None);
    }
}

#[test]
fn long_chains_do_not_overflow() {
    let chain = |n: usize| {
        format!(
            "[result.r{n}]\ntitle = \"R\"\ninstead = [ {{ when = \"yes\", result = \"r{}\" }} ]\n",
            (n + 1) % 8000
        )
    };
    let chart = "[chart.c]\ntitle = \"C\"\nread = { rows = [ { all = \"r0\" } ] }\n";
    let _ = faults(
        &Files::of([(
            "pack.toml",
            format!("{HEAD}{chart}{}", (0..8000).map(chain).collect::<String>()),
        )]),
        None,
    );
    let look = |n: usize| {
        format!(
            "[chart.c{n}]\ntitle = \"C\"\nstep = [ {{ look_up = \"c{}\", as = \"l\" }} ]\nread = {{ value = 1 }}\n",
            n + 1
        )
    };
    let many = faults(
        &Files::of([("pack.toml", format!("{HEAD}{}", (0..9000).map(look).collect::<String>()))]),
        None,
    );
    assert!(
        many.iter().any(|fault| fault
            .contains("the pack has 9000 charts: at most 200 are allowed (split the pack)")),
        "{many:?}"
    );
}

#[test]
fn a_card_of_the_cases_may_start_with_a_bracket() {
    let cases = "[deck.events]\ncards = '''\ntitle,text\n[Rain],Mud\n[case],None\n'''\n\n[[case]]\nname = \"A case\"\nchart = \"c\"\nexpect = { value = 1 }\n\n  [table.t]\nx = [\n[1, 2],\n]\n";
    let suite = adjutant_pack::read_cases(&Files::of([("cases.toml", cases)])).unwrap();
    let kept = suite.tables.unwrap();
    assert_eq!(kept.len(), cases.len(), "spans stay valid");
    let lines: Vec<&str> = kept.lines().filter(|line| !line.trim().is_empty()).collect();
    let expected = [
        "[deck.events]",
        "cards = '''",
        "title,text",
        "[Rain],Mud",
        "[case],None",
        "'''",
        "  [table.t]",
        "x = [",
        "[1, 2],",
        "]",
    ];
    assert_eq!(lines, expected);
}
