#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Hands and piles without a game: what is played, where cards go, and the odds.

use adjutant_dice::{EnteredInput, InputSource};
use adjutant_engine::{
    AnswerOdds, OddsOptions, Situation, odds, odds_by_running, resolve, try_suite,
};
use adjutant_pack::{Files, Pack, read_cases, read_pack};
use std::collections::BTreeMap;

const DECK: &str =
    "card,title,luck,order\n1,One,1,fire\n2,Two,2,move\n3,Three,3,fire\n4,Four,4,move\n5,Five,5,\n";

fn pack(steps: &str, value: &str) -> Pack {
    let text = format!(
        "[pack]\nid = \"t\"\ntitle = \"T\"\n[deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\nhand = {{ of = \"side\", size = 2 }}\npiles = [\"seen\"]\n\
         [deck.fate.field]\nluck = {{ number = \"Luck\" }}\norder = {{ choice = [\"fire\", \"move\"], label = \"Order\" }}\n\
         [chart.c]\ntitle = \"C\"\nstep = [ {steps} ]\nread = {{ value = \"{value}\" }}\n"
    );
    let files = Files::of([("pack.toml", text), ("deck.csv", DECK.to_owned())]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn situation<'p>(pack: &'p Pack, hand: &[u32], gone: &[u32]) -> Situation<'p> {
    let mut situation = Situation::new(pack, "c").unwrap();
    situation.take_out(gone).unwrap();
    situation.put_in_hand(hand).unwrap();
    situation
}

fn value(situation: &Situation<'_>, source: EnteredInput) -> String {
    let mut source = source;
    let found = resolve(&mut situation.clone(), &mut source).unwrap();
    source.finish().unwrap();
    found.value.unwrap().to_string()
}

fn values(situation: &Situation<'_>, asked: &OddsOptions) -> BTreeMap<String, String> {
    let found = odds(situation, asked).unwrap().branches;
    let slow = odds_by_running(situation, asked).unwrap().branches;
    assert_eq!(format!("{:?}", found[0].spread), format!("{:?}", slow[0].spread));
    let values = found[0].spread.values.iter();
    values.map(|(value, chance)| (value.to_string(), chance.exact())).collect()
}

const FIRE: &str = "{ play = \"fate\", which = \"face.order == 'fire'\", as = \"order\" }, { draw = \"fate\", read = \"luck\" }";

#[test]
fn a_player_picks_a_card_that_fits() {
    let pack = pack(FIRE, "order.number * 10 + card");
    let two = situation(&pack, &[1, 3], &[]);
    assert_eq!(value(&two, EnteredInput::new().with_cards([4]).with_answer("order", "3")), "34");
    // One card fits: no question. None fits: the step is skipped.
    assert_eq!(value(&situation(&pack, &[1, 2], &[]), EnteredInput::new().with_cards([4])), "14");
    assert_eq!(value(&situation(&pack, &[2, 5], &[]), EnteredInput::new().with_cards([4])), "4");
    assert_eq!(value(&situation(&pack, &[], &[]), EnteredInput::new().with_cards([4])), "4");
    // An open question branches; a card that is not there is not drawn.
    let report = odds(&two, &OddsOptions::default()).unwrap();
    assert_eq!(report.branches.len(), 2);
    let of = |value: &str| ("1".to_owned() + value, "1/3".to_owned());
    let spread = report.branches[0].spread.values.iter();
    let found: BTreeMap<String, String> =
        spread.map(|(value, chance)| (value.to_string(), chance.exact())).collect();
    assert_eq!(found, BTreeMap::from([of("2"), of("4"), of("5")]));
    let three = AnswerOdds::Always(adjutant_dice::Answer::Choice("3".into()));
    let asked = OddsOptions { answers: vec![("order".into(), three)], ..OddsOptions::default() };
    assert_eq!(values(&two, &asked).keys().collect::<Vec<_>>(), ["32", "34", "35"]);
}

#[test]
fn a_hand_is_filled_up_and_a_reshuffle_leaves_it() {
    let pack = pack(
        "{ draw = \"fate\", to = \"hand\" }, { draw = \"fate\", read = \"luck\", as = \"luck_card\" }",
        "card.cards * 100 + luck_card * 10 + deck.fate.hand",
    );
    let full = situation(&pack, &[1, 2], &[]);
    assert_eq!(value(&full, EnteredInput::new().with_cards([3])), "32");
    let empty = situation(&pack, &[], &[4, 5]);
    // Two of three go to the hand, the third is read.
    assert_eq!(value(&empty, EnteredInput::new().with_cards([1, 2, 3])), "232");
    let third = "1/3".to_owned();
    let wanted = [("212", third.clone()), ("222", third.clone()), ("232", third)];
    let wanted: BTreeMap<String, String> =
        wanted.into_iter().map(|(value, chance)| (value.to_owned(), chance)).collect();
    assert_eq!(values(&empty, &OddsOptions::default()), wanted);
    // The discards 4 and 5 come back, the hand does not.
    let last = situation(&pack, &[1, 2], &[3, 4, 5]);
    assert_eq!(value(&last, EnteredInput::new().with_cards([5])), "52");
}

#[test]
fn cards_go_where_a_draw_says() {
    let pack = pack(
        "{ draw = \"fate\", as = \"a\", read = \"luck\", to = \"deck\" }, { draw = \"fate\", as = \"b\", read = \"luck\", to = \"removed\" }, \
         { draw = \"fate\", as = \"c\", read = \"luck\", to = \"seen\" }, { play = \"fate\", from = \"seen\", as = \"d\", read = \"luck\", to = \"deck\" }",
        "a * 1000 + b * 100 + c * 10 + deck.fate.left + if(d == c, 0, 100000)",
    );
    let three = situation(&pack, &[], &[4, 5]);
    assert_eq!(value(&three, EnteredInput::new().with_cards([1, 1, 2])), "1122");
    // The first card goes back: 3 × 3 × 2 ways.
    let found = values(&three, &OddsOptions::default());
    assert_eq!(found.len(), 18);
    assert!(found.values().all(|chance| chance == "1/18"), "{found:?}");
}

fn example() -> (Files, Pack) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fate-deck");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let names = ["pack.toml", "cases.toml", "fate.csv"];
    let files = Files::of(names.map(|name| (name, text(name))));
    let pack = read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"));
    (files, pack)
}

#[test]
fn the_example_comes_out_as_its_cases_say() {
    let (files, pack) = example();
    let suite = read_cases(&files).unwrap();
    let report = try_suite(&pack, None, &suite, |error| format!("{error:?}"));
    assert!(report.failures.is_empty(), "{:#?}", report.failures);
    assert_eq!(adjutant_pack::warnings(&files), []);
}

#[test]
fn the_texts_of_a_card_stand_in_a_sentence() {
    let (_, pack) = example();
    let mut situation = Situation::new(&pack, "omen").unwrap();
    let mut source = EnteredInput::new().with_cards([4, 5, 1]).with_answer("chosen", "5");
    let found = resolve(&mut situation, &mut source).unwrap();
    assert_eq!(found.says.unwrap(), "9: Red flag. A horn on the far bank.");
}

#[test]
fn a_name_in_a_sentence_is_shown_by_its_label() {
    let text = "[pack]\nid = \"t\"\ntitle = \"T\"\n[die.sky]\nfaces = [\"sun\", \"rain\"]\nface = { sun = { title = \"Sun\" } }\n\
        [deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n[deck.fate.field]\nluck = { number = \"Luck\" }\norder = { choice = { fire = \"Fire!\", move = \"Move\" }, label = \"Order\" }\n\
        [chart.c]\ntitle = \"C\"\nask = { where = { choice = { hill = \"The hill\", ford = \"The ford\" } } }\n\
        step = [ { roll = \"sky\" }, { draw = \"fate\" } ]\nread = { value = \"card.number\", says = \"{die} at {where}: {card.order} with {card} ({card.luck})\" }\n";
    let files = Files::of([("pack.toml", text.to_owned()), ("deck.csv", DECK.to_owned())]);
    let pack = read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let mut situation = Situation::new(&pack, "c").unwrap();
    situation.give("where", "ford").unwrap();
    let mut source = EnteredInput::new().with_faces(["sun"]).with_cards([3]);
    let found = resolve(&mut situation, &mut source).unwrap();
    assert_eq!(found.says.unwrap(), "Sun at The ford: Fire! with Three (3)");
}
