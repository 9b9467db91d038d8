//! Laws of the form: an entry changes its own bytes and no others, whatever the pack.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use adjutant_pack::{Files, read_pack};

/// The text of each pack that comes with the page, and of a new one, with its charts.
fn packs() -> Vec<(String, Vec<String>)> {
    let all = adjutant_bundled_packs::IDS.iter().filter_map(|id| adjutant_bundled_packs::files(id));
    let all = all.chain([adjutant_bundled_packs::skeleton("my-game")]);
    let read = all.map(|files| {
        let pack = read_pack(&files, None).unwrap();
        let charts = pack.charts().iter().map(|chart| chart.id.to_string()).collect();
        (files.text("pack.toml").unwrap().to_owned(), charts)
    });
    read.collect()
}

#[track_caller]
fn parses(text: &str) {
    let (_, errors) = DeTable::parse_recoverable(text);
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn an_entry_changes_its_own_bytes_and_no_others() {
    let mut changed = 0;
    for (text, charts) in packs() {
        for chart in &charts {
            let form = read(&text, chart).unwrap();
            // Every third, which are of every kind: each is a reading of the whole text.
            for entry in form.entries().step_by(3) {
                let edit = Edit::Set(entry.at.start, "a \"new\" \\ one ½".into());
                let after = apply(&text, &form, &edit).unwrap();
                assert!(after.starts_with(&text[..entry.at.start]));
                assert!(after.ends_with(&text[entry.at.end..]));
                let again = read(&after, chart).unwrap();
                let now = again.entries().find(|one| one.at.start == entry.at.start).unwrap();
                assert_eq!(now.text, "a \"new\" \\ one ½");
                assert_eq!(again.entries().count(), form.entries().count());
                changed += 1;
            }
        }
    }
    assert!(changed > 100, "{changed} entries in all packs");
}

#[test]
fn what_is_removed_copied_or_added_leaves_the_others() {
    let words = |form: &ChartForm| form.entries().map(|one| one.text.clone()).collect::<Vec<_>>();
    for (text, charts) in packs() {
        for chart in &charts {
            let form = read(&text, chart).unwrap();
            for (list, item) in form.items().step_by(3) {
                let after = apply(&text, &form, &Edit::Remove(item.at.start)).unwrap();
                parses(&after);
                let left = read(&after, chart).unwrap();
                let kept = form.entries().filter(|one| !item.entries.contains(one));
                assert_eq!(words(&left), kept.map(|one| one.text.clone()).collect::<Vec<_>>());
                let after = apply(&text, &form, &Edit::Copy(item.at.start)).unwrap();
                parses(&after);
                let more = read(&after, chart).unwrap();
                assert_eq!(words(&more).len(), words(&form).len() + item.entries.len());
                if list.kind == ListKind::Modifiers {
                    let after = apply(&text, &form, &Edit::Add(list.at.start)).unwrap();
                    parses(&after);
                    let more = read(&after, chart).unwrap();
                    assert_eq!(words(&more).len(), words(&form).len() + 2);
                }
            }
            for question in form.questions.iter().filter(|_| form.questions.len() > 1) {
                let after = apply(&text, &form, &Edit::Remove(question.pair.start)).unwrap();
                parses(&after);
                let left = read(&after, chart).unwrap();
                assert_eq!(left.questions.len() + 1, form.questions.len());
                assert_eq!(left.lists.len(), form.lists.len());
            }
        }
    }
}

#[test]
fn a_modifier_is_asked_for_or_always_holds() {
    let sheet = "RALLY\nRoll 1d10.\n+1  Commander near\n-1  Unsupported\n\n1 or less   Lost\n2-5   No effect\n6 or more   Rallied\n";
    let draft = adjutant_draft::draft(sheet, &adjutant_draft::Options::default()).unwrap();
    let text = draft.pack_toml().to_owned();
    let form = read(&text, "rally").unwrap();
    let (_, item) = form.items().find(|(_, item)| item.entry("when").is_some()).unwrap();
    let always = apply(&text, &form, &Edit::Condition(item.at.start, false)).unwrap();
    assert!(always.contains("{ label = \"Commander near\", plus = 1 }"), "{always}");
    // Ticked again, it is the text of before.
    let form = read(&always, "rally").unwrap();
    let again = apply(&always, &form, &Edit::Condition(item.at.start, true)).unwrap();
    assert_eq!(again, text);
    // A new modifier gets a question of its own.
    let form = read(&text, "rally").unwrap();
    let list = form.lists.iter().find(|list| list.kind == ListKind::Modifiers).unwrap();
    let more = apply(&text, &form, &Edit::Add(list.at.start)).unwrap();
    let form = read(&more, "rally").unwrap();
    let (_, item) = form
        .items()
        .find(|(_, item)| item.entry("label").is_some_and(|one| one.text == edit::NEW_LABEL))
        .unwrap();
    let asked = apply(&more, &form, &Edit::Condition(item.at.start, true)).unwrap();
    assert!(asked.contains("new_modifier = { yes_no = \"New modifier\" }"), "{asked}");
    assert!(read_pack(&Files::of([("pack.toml", asked.as_str())]), None).is_ok(), "{asked}");
}

#[test]
fn a_limit_that_is_emptied_is_removed() {
    let text = "[chart.c]\ntitle = \"C\"\nread = { score = \"d\", rows = [ { from = 1, to = 3, all = \"a\" }, { all = \"b\" } ] }\n";
    let form = read(text, "c").unwrap();
    let entry = form.entries().find(|one| one.key == "from").unwrap();
    let after = apply(text, &form, &Edit::Set(entry.at.start, " ".into())).unwrap();
    assert!(after.contains("[ { to = 3, all = \"a\" }, { all"), "{after}");
    let form = read(text, "c").unwrap();
    let entry = form.entries().find(|one| one.key == "to").unwrap();
    let after = apply(text, &form, &Edit::Set(entry.at.start, String::new())).unwrap();
    assert!(after.contains("{ from = 1, all = \"a\" }"), "{after}");
    let after = apply(text, &form, &Edit::Set(entry.at.start, "+4".into())).unwrap();
    assert!(after.contains("{ from = 1, to = 4, all = \"a\" }"), "{after}");
}
