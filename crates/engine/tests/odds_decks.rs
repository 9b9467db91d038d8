#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The exact odds of small invented decks against a Markov chain that has the rule only from this
//! file, and the odds of rules that change something while they repeat.

#[allow(dead_code)]
mod twin;

use adjutant_engine::{AnswerOdds, Chance, Follow, OddsError, OddsOptions, Situation, odds};
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_wording::en;
use std::collections::BTreeMap;
use twin::*;

const HEAD: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n[unit.man]\ntitle = \"Man\"\nhas = { skill = { number = \"Skill\", from = 0, to = 9, default = 2 } }\n\
    [deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n[deck.fate.field]\n\
    face = { label = \"Face\", choice = [\"plain\", \"again\", \"shuffle\", \"jam\"] }\nrank = { number = \"Rank\", from = 1, to = 9 }\n\
    row = { numbers = \"Row\", from = 2, to = 3, blank = \"R\" }\n\
    [result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\" }\nstuck = { title = \"Stuck\" }\n\
    [chart.all]\ntitle = \"All\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\n\
    read = { rows = [ { to = 1, all = \"miss\" }, { to = 2, all = \"hit\" }, { all = \"stuck\" } ] }\n";

fn read(deck: &str, rest: &str) -> Pack {
    let mut lines = vec!["card,title,face,rank,row_2,row_3".to_owned()];
    lines.extend(
        deck.split_whitespace().enumerate().map(|(n, line)| format!("{},Card,{line}", n + 1)),
    );
    let other = "card,title,luck\n1,One,1\n2,Two,2\n3,Three,3\n".to_owned();
    let files = Files::of([
        ("pack.toml", format!("{HEAD}{rest}")),
        ("deck.csv", lines.join("\n") + "\n"),
        ("other.csv", other),
    ]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

const AGAIN: &str = "again = [ { when = \"NAME.face == 'again'\", because = \"Again\" }, \
    { when = \"NAME.face == 'shuffle'\", because = \"Shuffle\", reshuffle = true }, \
    { when = \"NAME.face == 'jam'\", because = \"Jam\", look_up = \"jam\", as = \"jam_NAME\", stop = { when = \"jam_NAME.result == 'stuck'\", result = \"stuck\" } } ]";

fn draws(names: &[&str]) -> String {
    let step = |name: &&str| {
        format!(
            "[[chart.c.step]]\ndraw = \"fate\"\nas = \"{name}\"\nread = \"rank\"\n{}\n",
            AGAIN.replace("NAME", name)
        )
    };
    let jam = "[chart.jam]\ntitle = \"Jam\"\nstep = [ { ask = { yes_no = \"Jam?\" }, as = \"jam\" } ]\n\
               read = { rows = [ { when = \"jam\", all = \"stuck\" }, { all = \"miss\" } ] }\n";
    let value = names
        .iter()
        .skip(1)
        .fold(names[0].to_owned(), |value, name| format!("({value}) * 10 + {name}"));
    format!(
        "[chart.c]\ntitle = \"C\"\n{}[chart.c.read]\nvalue = \"{}\"\n{jam}",
        names.iter().map(step).collect::<String>(),
        value
    )
}

/// A Markov chain. A state is the cards left and the numbers read so far. An end is a text.
#[derive(Default)]
struct Chain {
    steps: BTreeMap<Place, BTreeMap<Place, Chance>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    End(String),
    Here(u32, Vec<u32>),
}

impl Chain {
    fn add(&mut self, from: &Place, to: Place, part: &Chance) {
        let row = self.steps.entry(from.clone()).or_default();
        let entry = row.entry(to).or_insert_with(|| frac(0, 1));
        *entry = plus(entry, part);
    }

    /// Eliminates one state after another: its transitions are distributed among its predecessors.
    fn solve(mut self, start: &Place) -> Told {
        let others: Vec<Place> =
            self.steps.keys().filter(|place| *place != start).cloned().collect();
        for place in others.iter().chain([start]) {
            let mut out = self.steps[place].clone();
            out.remove(place);
            let leaves = Chance::sum(out.values());
            out.values_mut().for_each(|part| *part = over(part, &leaves));
            self.steps.insert(place.clone(), out.clone());
            let before: Vec<Place> =
                self.steps.keys().filter(|from| *from != place).cloned().collect();
            for from in before {
                let Some(part) = self.steps.get_mut(&from).and_then(|row| row.remove(place)) else {
                    continue;
                };
                out.iter()
                    .for_each(|(to, chance)| self.add(&from, to.clone(), &times(&part, chance)));
            }
        }
        let end = |(place, chance): (&Place, &Chance)| match place {
            Place::End(name) => (name.clone(), chance.clone()),
            Place::Here(..) => panic!("{place:?} is left"),
        };
        self.steps[start].iter().map(end).collect()
    }
}

/// The rule of `draws`, implemented a second time.
fn chain(deck: &[&str], gone: u32, draws: usize, jam: (u64, u64)) -> Told {
    let whole = (1_u32 << deck.len()) - 1;
    let start = Place::Here(whole & !gone, vec![]);
    let (mut chain, mut open) = (Chain::default(), vec![start.clone()]);
    while let Some(place) = open.pop() {
        let Place::Here(left, read) = &place else { continue };
        if chain.steps.contains_key(&place) {
            continue;
        }
        let left = if *left == 0 { whole } else { *left };
        let part = frac(1, left.count_ones().into());
        for (card, line) in deck.iter().enumerate().filter(|(card, _)| left & (1 << card) != 0) {
            let rest = left & !(1 << card);
            let mut to = Vec::new();
            match line.split(',').next().unwrap() {
                "again" => to.push((Place::Here(rest, read.clone()), part.clone())),
                "shuffle" => to.push((Place::Here(whole, read.clone()), part.clone())),
                "jam" => {
                    to.push((Place::End("stuck".into()), times(&part, &frac(jam.0, jam.1))));
                    to.push((
                        Place::Here(rest, read.clone()),
                        times(&part, &frac(jam.1 - jam.0, jam.1)),
                    ));
                }
                _ => {
                    let mut read = read.clone();
                    read.push(line.split(',').nth(1).unwrap().parse().unwrap());
                    let end = read.len() == draws;
                    let value = read.iter().fold(0, |value, digit| value * 10 + digit);
                    to.push((
                        if end {
                            Place::End(format!("= {value}"))
                        } else {
                            Place::Here(rest, read)
                        },
                        part.clone(),
                    ));
                }
            }
            for (to, part) in to.into_iter().filter(|(_, part)| part.exact() != "0") {
                open.push(to.clone());
                chain.add(&place, to, &part);
            }
        }
    }
    chain.solve(&start)
}

#[test]
fn small_decks_agree_with_a_chain_solved_by_elimination() {
    let decks = [
        "plain,1,1,1 plain,2,2,2 again,,1,R shuffle,,2,1",
        "plain,1,1,1 plain,1,2,2 plain,3,1,3 jam,,1,R shuffle,,2,1",
        "plain,1,1,1 jam,,2,2 jam,,1,R shuffle,,2,1 again,,1,1",
        "plain,1,1,1 plain,2,1,1 jam,,2,2 shuffle,,2,1 again,,1,1 again,,1,1",
        "plain,4,1,1 plain,5,1,1 plain,5,1,1 again,,1,1",
        "plain,4,1,1 shuffle,,1,1 shuffle,,1,1 jam,,1,1",
    ];
    for text in decks {
        let deck: Vec<&str> = text.split_whitespace().collect();
        for names in [&["a"][..], &["a", "b"], &["a", "b", "c"]] {
            let pack = read(text, &draws(names));
            for gone in 0..1_u32 << deck.len() {
                // Every partial deck with one draw; some of them with two; a full deck and the last
                // card with three.
                let few = gone == 0 || gone.count_ones() as usize + 1 >= deck.len();
                if !(names.len() == 1 || few || names.len() == 2 && gone % 7 == 3)
                    || names.len() == 3 && deck.len() > 4
                {
                    continue;
                }
                for jam in [(1, 6), (0, 1), (2, 2)] {
                    let mut situation = Situation::new(&pack, "c").unwrap();
                    situation
                        .take_out(
                            &(0..6)
                                .filter(|card| gone & (1 << card) != 0)
                                .map(|card| card + 1)
                                .collect::<Vec<_>>(),
                        )
                        .unwrap();
                    let found = exact(&situation, &asked([("jam", yes(jam.0, jam.1))]));
                    assert_eq!(
                        shown(&found),
                        shown(&chain(&deck, gone, names.len(), jam)),
                        "{text} {names:?} {gone:b} {jam:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_row_read_by_an_input_that_changes_on_the_way() {
    // Cards that are equal in row 2 differ in row 3.
    let deck = "plain,1,1,1 plain,2,1,2 plain,3,2,3 again,,R,R";
    let step = "[chart.c]\ntitle = \"C\"\nask = { men = { number = \"Men\", from = 2, to = 3 } }\n[[chart.c.step]]\ndraw = \"fate\"\nas = \"card\"\nread = \"row\"\nby = \"men\"\n\
                again = [ { when = \"card.blank\", because = \"R\", at_most = 1, ask_again = { inputs = [\"men\"] } }, { when = \"card.blank\", because = \"R\" } ]\n\
                [chart.c.read]\nvalue = \"card\"\n";
    let pack = read(deck, step);
    let mut situation = situation(&pack, "c men=2");
    situation.take_out(&[]).unwrap();
    let three = AnswerOdds::Always(adjutant_dice::Answer::Number(3.into()));
    let found = exact(&situation, &asked([("men", three)]));
    // 1/4 each: row 2 says 1, 1, 2; the blank one then reads row 3 of the others: 1, 2, 3.
    let want = [("= 1", "7/12"), ("= 2", "1/3"), ("= 3", "1/12")]
        .map(|(name, chance)| (name, chance.to_owned()));
    assert_eq!(shown(&found), BTreeMap::from(want));
}

#[test]
fn what_is_asked_again_is_solved_though_the_deck_is_shuffled_without_end() {
    let step = "[chart.c]\ntitle = \"C\"\nask = { men = { number = \"Men\", from = 2, to = 3 } }\n[[chart.c.step]]\ndraw = \"fate\"\nas = \"card\"\nread = \"row\"\nby = \"men\"\n\
                again = [ { when = \"card.face == 'shuffle'\", because = \"S\", reshuffle = true }, { when = \"card.blank\", because = \"J\", ask_again = { inputs = [\"men\"] } } ]\n\
                [chart.c.read]\nvalue = \"card\"\n";
    let pack = read("plain,1,1,2 jam,,R,R shuffle,,R,R", step);
    let answered = |odds: AnswerOdds, want: &[(&str, &str)]| {
        let found = exact(&situation(&pack, "c men=2"), &asked([("men", odds)]));
        assert_eq!(
            shown(&found),
            want.iter().map(|(name, chance)| (*name, (*chance).to_owned())).collect()
        );
    };
    let number = |n: u32| adjutant_dice::Answer::Number(n.into());
    // From the full deck: the plain card says 1; after the jam there are three men, and it will say
    // 2; a shuffle restarts.
    answered(AnswerOdds::Always(number(3)), &[("= 1", "1/2"), ("= 2", "1/2")]);
    answered(AnswerOdds::Always(number(2)), &[("= 1", "1")]);
    // Three or two men with equal probability at each jam. With n men, the full deck says 1 with
    // probability Wn, the deck without the jam with Ln: W2 = (1 + J + W2) / 3, L2 = (1 + W2) / 2,
    // W3 = (J + W3) / 3, L3 = W3 / 2, J = (L2 + L3) / 2. So J = 1/2, W2 = 3/4.
    let either = AnswerOdds::Weighed(vec![(number(2), 1), (number(3), 1)]);
    answered(either, &[("= 1", "3/4"), ("= 2", "1/4")]);
}

#[test]
fn a_row_read_by_what_each_unit_has() {
    let deck = "plain,1,1,1 plain,2,1,2 plain,3,2,3";
    let step = "[chart.c]\ntitle = \"C\"\nwho = { man = \"man\" }\neach = \"man\"\n[[chart.c.step]]\ndraw = \"fate\"\nas = \"card\"\nread = \"row\"\nby = \"if(man.skill > 2, 3, 2)\"\n\
                [chart.c.read]\nscore = \"card\"\nrows = [ { to = 1, all = \"miss\" }, { to = 2, all = \"hit\" }, { all = \"stuck\" } ]\n";
    let pack = read(deck, step);
    for line in [
        "c man.a.skill=2 man.b.skill=3",
        "c man.skill=2 man.b.skill=3",
        "c man.skill=2 man.a.skill=2 man.b.skill=3",
    ] {
        let found = exact(&situation(&pack, line), &OddsOptions::default());
        assert_eq!(shown(&found), shown(&walk(&situation(&pack, line))), "{line}");
    }
}

#[test]
fn what_never_ends_is_refused() {
    let rest = "[chart.c]\ntitle = \"C\"\nwho = { man = \"man\" }\nstep = [ { roll = \"1d6\", as = \"one\" }, { roll = \"1d6\", as = \"two\", again = [ { when = \"two <= man.skill + one\", because = \"x\" } ] } ]\n\
                read = { value = \"one + two\" }\n";
    let pack = read("plain,1,1,1", rest);
    let stop = odds(&situation(&pack, "c man.skill=3"), &OddsOptions::default()).unwrap_err();
    assert!(
        matches!(&stop, OddsError::Refused(why) if en::no_odds(why).contains("never end")),
        "{stop:?}"
    );
}

#[test]
fn dice_rolled_again_after_a_card_are_not_as_they_were() {
    let rest = "[deck.other]\ntitle = \"Other\"\nfile = \"other.csv\"\nfield = { luck = { number = \"Luck\", from = 1, to = 3 } }\n\
        [chart.c]\ntitle = \"C\"\nstep = [ { roll = \"1d2\", as = \"die\", again = [ { when = \"die == 1\", because = \"One\", look_up = \"luck\", as = \"l\", \
        stop = { when = \"l.value == 3\", result = \"stuck\" } } ] } ]\nread = { value = \"die\" }\n\
        [chart.luck]\ntitle = \"Luck\"\nstep = [ { draw = \"other\", as = \"card\", read = \"luck\" } ]\nread = { value = \"card\" }\n";
    let pack = read("plain,1,1,1", rest);
    // Of three cards the third is the last: stuck with 1/2 of 1/3, then 1/4 of 1/3, then 1/8 of
    // 1/3.
    let found = exact(&situation(&pack, "c"), &OddsOptions::default());
    assert_eq!(
        shown(&found),
        BTreeMap::from([("= 2", "17/24".to_owned()), ("stuck", "7/24".to_owned())])
    );
}

#[test]
fn what_several_units_get_in_addition_is_no_more_than_certain() {
    let rest = "[chart.c]\ntitle = \"C\"\nwho = { man = \"man\" }\neach = \"man\"\nstep = [ { roll = \"1d2\", as = \"die\" } ]\n\
                [chart.c.read]\nscore = \"die\"\nrows = [ { to = 1, all = \"miss\" }, { all = \"hit\" } ]\nalso = [ { when = \"die == 2\", result = \"stuck\" } ]\n";
    let pack = read("plain,1,1,1", rest);
    let line = "c man.a.skill=2 man.b.skill=3 man.c.skill=3";
    let found = exact(&situation(&pack, line), &OddsOptions::default());
    assert_eq!(shown(&found), shown(&walk(&situation(&pack, line))));
    assert_eq!(found["+ stuck"].exact(), "7/8");
}

#[test]
fn lines_in_addition_with_the_same_result_keep_their_labels() {
    let rest = "[chart.c]\ntitle = \"C\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\n[chart.c.read]\nvalue = \"die\"\n\
                also = [ { when = \"die >= 4\", result = \"stuck\", label = \"High\" }, { when = \"die == 6\", result = \"stuck\", label = \"Six\" }, \
                { when = \"die == 1\", result = \"miss\", label = \"One\" } ]\n";
    let pack = read("plain,1,1,1", rest);
    let report = odds(&situation(&pack, "c"), &OddsOptions::default()).unwrap();
    let spread = &report.branches[0].spread;
    let told: Vec<(&str, Option<&str>, String)> = spread
        .also
        .iter()
        .map(|also| (also.id.as_str(), also.label.as_deref(), also.chance.exact()))
        .collect();
    let want = [
        ("miss", Some("One"), "1/6"),
        ("stuck", Some("High"), "1/2"),
        ("stuck", Some("Six"), "1/6"),
    ];
    assert_eq!(told, want.map(|(id, label, chance)| (id, label, chance.to_owned())));
    // A label is shown if the result alone does not distinguish two lines.
    let shown: Vec<Option<&str>> =
        spread.labelled_also().map(|(_, label)| label.map(adjutant_dice::Text::as_str)).collect();
    assert_eq!(shown, [None, Some("High"), Some("Six")]);
}

#[test]
fn what_a_look_up_adds_each_time_round_is_not_lost() {
    let rest = "[chart.c]\ntitle = \"C\"\nstep = [ { roll = \"1d2\", as = \"die\", again = [ { when = \"die == 1\", because = \"One\", at_most = 9, look_up = \"luck\", as = \"l\" }, \
        { when = \"die == 1\", because = \"One\", look_up = \"luck\", as = \"m\", stop = { result = \"miss\" } } ] } ]\nread = { value = \"die\" }\n\
        [chart.luck]\ntitle = \"Luck\"\nstep = [ { roll = \"1d2\", as = \"coin\" } ]\n[chart.luck.read]\nvalue = \"coin\"\nalso = [ { when = \"coin == 1\", result = \"stuck\" } ]\n";
    let pack = read("plain,1,1,1", rest);
    let found = exact(&situation(&pack, "c"), &OddsOptions::default());
    // Never stuck: 2 at once, or n times a one with the other side of the coin each time.
    let free = Chance::sum(
        &(0..=9)
            .map(|n| over(&frac(1, 2), &frac(4_u64.pow(n), 1)))
            .chain([frac(1, 4_u64.pow(10))])
            .collect::<Vec<_>>(),
    );
    assert_eq!(plus(&free, &found["+ stuck"]).exact(), "1");
}

#[test]
fn what_is_remembered_counts_in_the_chart_that_follows() {
    let rest = "[memory.n]\nnumber = \"N\"\ndefault = 1\n[result.more]\ntitle = \"More\"\neffects = [ { remember = \"n\", by = \"score\" } ]\nnext = [ { chart = \"d\", why = \"More\" } ]\n\
        [chart.c]\ntitle = \"C\"\nstep = [ { roll = \"1d4\", as = \"die\" } ]\nread = { score = \"die\", rows = [ { all = \"more\" } ] }\n\
        [chart.d]\ntitle = \"D\"\nread = { value = \"memory.n\" }\n";
    let pack = read("plain,1,1,1", rest);
    let found = exact(
        &situation(&pack, "c memory.n=3"),
        &OddsOptions { follow: Follow::chain(), ..OddsOptions::default() },
    );
    assert!([4, 5, 6, 7].iter().all(|n| found[&format!("= {n}")].exact() == "1/4"), "{found:?}");
}

#[test]
fn what_a_result_does_to_a_unit_counts_in_the_chart_that_follows() {
    let rest = "[status.shaken]\ntitle = \"Shaken\"\nof = \"man\"\n\
        [result.shakes]\ntitle = \"Shakes\"\nof = \"man\"\neffects = [ { status = \"shaken\" }, { add = \"skill\", by = \"score\" } ]\nnext = [ { chart = \"d\", why = \"Shaken\", who = { him = \"it\" } } ]\n\
        [chart.c]\ntitle = \"C\"\nwho = { man = \"man\" }\nlands_on = \"man\"\nstep = [ { roll = \"1d2\", as = \"die\" } ]\nread = { score = \"die\", rows = [ { all = \"shakes\" } ] }\n\
        [chart.d]\ntitle = \"D\"\nwho = { him = \"man\" }\nread = { value = \"if(him.shaken, him.skill, 0)\" }\n";
    let pack = read("plain,1,1,1", rest);
    let found = exact(
        &situation(&pack, "c"),
        &OddsOptions {
            follow: Follow::chain(),
            later: vec![("him.skill".into(), "3".into())],
            ..OddsOptions::default()
        },
    );
    assert!([4, 5].iter().all(|n| found[&format!("= {n}")].exact() == "1/2"), "{found:?}");
}

#[test]
fn who_is_meant_at_the_end_of_a_chain_is_told_by_his_role_at_its_beginning() {
    let back = |who: &str| {
        format!(
            "title = \"Back\"\nof = \"man\"\nnext = [ {{ chart = \"d\", why = \"Back\", who = {{ him = \"{who}\" }} }} ]\n"
        )
    };
    let rest = format!(
        "[result.ours]\n{}[result.theirs]\n{}[result.runs]\ntitle = \"Runs\"\nof = \"man\"\n\
        [chart.c]\ntitle = \"C\"\nwho = {{ man = \"man\", foe = \"man\" }}\nlands_on = \"man\"\nstep = [ {{ roll = \"1d4\", as = \"die\" }} ]\n\
        read = {{ rows = [ {{ to = 1, all = \"ours\" }}, {{ all = \"theirs\" }} ] }}\n\
        [chart.d]\ntitle = \"D\"\nwho = {{ him = \"man\" }}\nread = {{ rows = [ {{ when = \"him.skill < 9\", all = \"runs\" }}, {{ all = \"runs\" }} ] }}\n",
        back("man"),
        back("foe")
    );
    let pack = read("plain,1,1,1", &rest);
    let report = adjutant_engine::odds(
        &situation(&pack, "c"),
        &OddsOptions { follow: Follow::chain(), ..OddsOptions::default() },
    )
    .unwrap();
    let told = |result: &adjutant_engine::OutcomeChance| {
        (result.on.as_deref().unwrap_or("").to_owned(), result.chance.exact())
    };
    let mut found: Vec<_> = report.branches[0].spread.results.iter().map(told).collect();
    found.sort();
    assert_eq!(found, [("foe".to_owned(), "3/4".to_owned()), ("man".to_owned(), "1/4".to_owned())]);
}
