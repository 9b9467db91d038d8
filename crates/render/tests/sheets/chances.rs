//! Tables of chances on a sheet.

use super::*;

fn table_of(sheet: &Sheet, chart: &str) -> adjutant_render::reference::Table {
    let section = sheet.sections.iter().find(|section| section.title == chart).unwrap();
    let tables = section
        .parts
        .iter()
        .filter_map(|part| if let Part::Table(table) = part { Some(table) } else { None });
    tables
        .rev()
        .find(|table| table.caption.contains('%'))
        .unwrap_or_else(|| panic!("{chart} has no chances"))
        .clone()
}

fn row<'t>(table: &'t adjutant_render::reference::Table, name: &str) -> &'t [String] {
    table
        .rows
        .iter()
        .find(|row| row[0] == name)
        .unwrap_or_else(|| panic!("no row {name} in {table:?}"))
}

/// Calculated by hand, not by the engine.
#[test]
fn chance_tables_say_what_the_dice_say() {
    let panzer8 = whole(&shipped("panzer8"), true);
    let fire = table_of(&panzer8, "AP, HE or small-arms fire");
    assert_eq!(fire.heads, ["Net", "0 or less", "1 to 2", "3 to 4", "5 or more"]);
    // Two d10: a difference of 0 or less in 55 of 100 ways; 1 or 2 in 9 + 8; 3 or 4 in 7 + 6; 5 and
    // more in 15.
    assert_eq!(row(&fire, "0"), ["0", "55", "17", "13", "15"]);
    assert_eq!(row(&fire, "+5"), ["+5", "15", "13", "17", "55"]);
    let rally = table_of(&panzer8, "Recover or rally");
    assert_eq!(row(&rally, "0")[1..], ["10", "40", "30", "20"]);
    // The vehicle's Def counts as 4 at most; a modifier of −1 must still be one worse than 0.
    let hunt = table_of(&panzer8, "Tank hunting");
    assert_eq!(row(&hunt, "0")[1..], ["55", "17", "13", "15"]);
    assert_eq!(row(&hunt, "−1")[1..], ["64", "15", "11", "10"]);
    let chain = whole(&shipped("chain-reaction"), true);
    let crisis = table_of(&chain, "Crisis test");
    // Rep 4: each d6 passes in 4 of 6 ways.
    assert_eq!(row(&crisis, "4")[1..], ["11", "44", "44"]);
    let asl = whole(&shipped("asl-starter-kit"), true);
    let combat = table_of(&asl, "Close combat");
    // 3-2 has the kill number 6: 10 of 36 below it, 5 equal, 21 above.
    assert_eq!(row(&combat, "3-2")[1..], ["28", "14", "58"]);
    assert_eq!(combat.rows.len(), 14, "every column of the odds");
    let ambush = table_of(&asl, "Ambush");
    assert_eq!(row(&ambush, "0")[1..], ["17", "67", "17"]);
    assert_eq!(row(&ambush, "−3")[1..], ["58", "42", "–"]);
    let leader = whole(&shipped("combat-leader"), true);
    let accuracy = table_of(&leader, "Accuracy");
    // Mod FP 0: ranks 1 to 6 miss, 7 and 8 hit in the clear, 9 to 11, 12 and 13 – each rank in 4 of
    // 52 cards.
    assert_eq!(row(&accuracy, "0"), ["0", "46", "15", "23", "15"]);
}

#[test]
fn a_chance_table_states_what_it_assumes_and_takes_typical_values() {
    let asl = whole(&shipped("asl-starter-kit"), true);
    let morale = table_of(&asl, "Morale check");
    assert_eq!(
        morale.caption,
        "Chances in % by Morale, assuming Type: Full squad, Experience level (ELR) 3"
    );
    // Morale 7: a check of 8 or 9 or 10 fails by less than the ELR of 3 allows.
    assert!(morale.heads.contains(&"Breaks, DM".to_owned()), "{:?}", morale.heads);
    let loss = table_of(&asl, "Leader loss task check");
    assert!(loss.caption.ends_with(" Morale 7"), "{}", loss.caption);
    // Inputs that shift the sum of modifiers are covered by the sum.
    let panzer8 = whole(&shipped("panzer8"), true);
    for title in ["AP, HE or small-arms fire", "Tank hunting"] {
        assert!(!table_of(&panzer8, title).caption.contains("assuming"), "{title}");
    }
}

#[test]
fn no_two_rows_of_a_chance_table_by_net_are_alike() {
    for id in adjutant_bundled_packs::IDS {
        let made = whole(&shipped(id), true);
        let parts = made.sections.iter().flat_map(|section| &section.parts);
        for table in parts
            .filter_map(|part| if let Part::Table(table) = part { Some(table) } else { None })
            .filter(|table| table.caption.contains('%'))
        {
            assert!(
                (2..=18).contains(&table.rows.len()) && table.heads.len() <= 13,
                "{id}: {table:?}"
            );
            for pair in table.rows.windows(2).filter(|_| table.heads[0] == "Net") {
                assert_ne!(pair[0][1..], pair[1][1..], "{id}: {}", table.caption);
            }
        }
    }
}
