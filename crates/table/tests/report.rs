#[path = "common/mod.rs"]
mod common;
#[test]
fn dump() {
    for game in [common::games::panzer8(), common::games::asl(), common::games::combat_leader(), common::games::chain_reaction()] {
        let t = std::time::Instant::now();
        let r = game.table.report().unwrap();
        println!("{:?}", t.elapsed());
        println!("{}", serde_json::to_string_pretty(&r).unwrap());
    }
}
