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

/// The text of `pack.toml` after a change.
fn apply(text: &str, form: &ChartForm, edit: &Edit) -> Option<String> {
    super::apply(form, edit, |_| text.to_owned()).map(|(_, text)| text)
}

/// How many entries the chart itself has. Its results are those that its rows still name.
fn own_entries(form: &ChartForm) -> usize {
    ChartForm { results: Vec::new(), ..form.clone() }.entries().count()
}

/// The fixture's form, and the same after a change that leaves a sound pack.
#[track_caller]
fn sound(text: &str, chart: &str, edit: &Edit) -> String {
    let form = read(text, chart).unwrap();
    let after = apply(text, &form, edit).unwrap();
    let read = read_pack(&Files::of([("pack.toml", after.as_str())]), None);
    assert!(read.is_ok(), "{edit:?}: {:?}\n{after}", read.err());
    after
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
                let edit = Edit::Set(entry.path.clone(), "a \"new\" \\ one ½".into());
                let after = apply(&text, &form, &edit).unwrap();
                assert!(after.starts_with(&text[..entry.at.start]));
                assert!(after.ends_with(&text[entry.at.end..]));
                let again = read(&after, chart).unwrap();
                let now = again.entries().find(|one| one.path == entry.path).unwrap();
                assert_eq!(now.text, "a \"new\" \\ one ½");
                assert_eq!(own_entries(&again), own_entries(&form));
                changed += 1;
            }
        }
    }
    assert!(changed > 100, "{changed} entries in all packs");
}

#[test]
fn what_is_removed_copied_or_added_leaves_the_others() {
    let words = |form: &ChartForm| {
        let form = ChartForm { results: Vec::new(), ..form.clone() };
        form.entries().map(|one| one.text.clone()).collect::<Vec<_>>()
    };
    for (text, charts) in packs() {
        for chart in &charts {
            let form = read(&text, chart).unwrap();
            let own = ChartForm { results: Vec::new(), ..form.clone() };
            let lists =
                own.all_lists().flat_map(|list| list.items.iter().map(move |item| (list, item)));
            for (list, item) in lists.step_by(3) {
                let after = apply(&text, &form, &Edit::Remove(item.path.clone())).unwrap();
                parses(&after);
                let left = read(&after, chart).unwrap();
                let kept = own.entries().filter(|one| !item.entries.contains(one));
                assert_eq!(words(&left), kept.map(|one| one.text.clone()).collect::<Vec<_>>());
                let after = apply(&text, &form, &Edit::Copy(item.path.clone())).unwrap();
                parses(&after);
                let more = read(&after, chart).unwrap();
                assert_eq!(words(&more).len(), words(&form).len() + item.entries.len());
                if list.kind == ListKind::Modifiers {
                    let after = apply(&text, &form, &Edit::Add(list.path.clone())).unwrap();
                    parses(&after);
                    let more = read(&after, chart).unwrap();
                    assert_eq!(words(&more).len(), words(&form).len() + 2);
                }
            }
            for question in &form.questions {
                let after =
                    apply(&text, &form, &Edit::Remove(question.table.path.clone())).unwrap();
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
    let item = form.items().find(|item| item.entry("when").is_some()).unwrap();
    let always = apply(&text, &form, &Edit::Condition(item.path.clone(), String::new())).unwrap();
    assert!(always.contains("{ label = \"Commander near\", plus = 1 }"), "{always}");
    // Ticked again, it is the text of before.
    let form = read(&always, "rally").unwrap();
    let again =
        apply(&always, &form, &Edit::Condition(item.path.clone(), edit::OWN_QUESTION.into()))
            .unwrap();
    assert_eq!(again, text);
    // A new modifier gets a question of its own.
    let form = read(&text, "rally").unwrap();
    let list = form.lists.iter().find(|list| list.kind == ListKind::Modifiers).unwrap();
    let more = apply(&text, &form, &Edit::Add(list.path.clone())).unwrap();
    let form = read(&more, "rally").unwrap();
    let item = form
        .items()
        .find(|item| {
            item.entry("label").is_some_and(|one| {
                one.text == adjutant_wording::en::page::pack_editor::NEW_MODIFIER
            })
        })
        .unwrap();
    let asked = apply(&more, &form, &Edit::Condition(item.path.clone(), edit::OWN_QUESTION.into()))
        .unwrap();
    assert!(asked.contains("new_modifier = { yes_no = \"New modifier\" }"), "{asked}");
    assert!(read_pack(&Files::of([("pack.toml", asked.as_str())]), None).is_ok(), "{asked}");
}

#[test]
fn a_limit_that_is_emptied_is_removed() {
    let text = "[chart.c]\ntitle = \"C\"\nread = { score = \"d\", rows = [ { from = 1, to = 3, all = \"a\" }, { all = \"b\" } ] }\n";
    let form = read(text, "c").unwrap();
    let entry = form.entries().find(|one| one.key() == "from").unwrap();
    let after = apply(text, &form, &Edit::Set(entry.path.clone(), " ".into())).unwrap();
    assert!(after.contains("[ { to = 3, all = \"a\" }, { all"), "{after}");
    let form = read(text, "c").unwrap();
    let entry = form.entries().find(|one| one.key() == "to").unwrap();
    let after = apply(text, &form, &Edit::Set(entry.path.clone(), String::new())).unwrap();
    assert!(after.contains("{ from = 1, all = \"a\" }"), "{after}");
    let after = apply(text, &form, &Edit::Set(entry.path.clone(), "+4".into())).unwrap();
    assert!(after.contains("{ from = 1, to = 4, all = \"a\" }"), "{after}");
}

const MARCH: &str = r#"[pack]
id = "march"
title = "March"
format = 2

[unit.man]
title = "Man"

[status.tired]
title = "Tired"
of = "man"

[chart.walk]
title = "Walk"
who = { man = "man" }

[[chart.walk.step]]
roll = "1d6"
as = "die"

[chart.walk.read]
score = "die"

[[chart.walk.read.rows]]
to = 2
all = "halt"

[[chart.walk.read.rows]]
all = "go"

[result.halt]
title = "Halt"
of = "man"

[result.go]
title = "Go"
"#;

#[test]
fn questions_of_each_kind_are_added_to_a_chart_without_any() {
    use edit::QuestionKind::*;
    let mut text = MARCH.to_owned();
    for kind in [YesNo, Number, Choice] {
        text = sound(&text, "walk", &Edit::AddQuestion(kind));
    }
    let form = read(&text, "walk").unwrap();
    assert_eq!(form.questions.len(), 3, "{text}");
    let modifiers = form.lists.iter().find(|list| list.kind == ListKind::Modifiers).unwrap();
    assert_eq!(modifiers.items.len(), 3, "{text}");
    // A third answer, and a modifier that counts for it.
    let choice = form.questions.iter().find(|one| !one.choices.is_empty()).unwrap();
    let text = sound(&text, "walk", &Edit::AddChoice(choice.table.path.clone()));
    let form = read(&text, "walk").unwrap();
    let item = form.items().nth(2).unwrap();
    let when = format!("{} == 'new'", choice.id);
    let text = sound(&text, "walk", &Edit::Condition(item.path.clone(), when));
    assert!(text.contains("when = \"new_question_3 == 'new'\""), "{text}");
    // The last question can be removed, too: its modifiers then name what is not there.
    let mut text = text;
    for _ in 0..3 {
        let form = read(&text, "walk").unwrap();
        text = apply(&text, &form, &Edit::Remove(form.questions[0].table.path.clone())).unwrap();
        parses(&text);
    }
    assert!(read(&text, "walk").unwrap().questions.is_empty());
}

#[test]
fn rows_with_headings_are_changed_copied_and_removed() {
    let form = read(MARCH, "walk").unwrap();
    let rows = form.lists.iter().find(|list| list.kind == ListKind::Rows).unwrap();
    assert_eq!(rows.items.len(), 2);
    let first = &rows.items[0];
    let copied = apply(MARCH, &form, &Edit::Copy(first.path.clone())).unwrap();
    let more = read(&copied, "walk").unwrap();
    let to = more.entries().find(|entry| entry.key() == "to").unwrap().path.clone();
    let changed = sound(&copied, "walk", &Edit::Set(to, "1".into()));
    assert!(
        changed.contains("to = 1\nall = \"halt\"\n\n[[chart.walk.read.rows]]\nto = 2"),
        "{changed}"
    );
    let back = read(&changed, "walk").unwrap();
    let rows = back.lists.iter().find(|list| list.kind == ListKind::Rows).unwrap();
    let removed = sound(&changed, "walk", &Edit::Remove(rows.items[0].path.clone()));
    assert_eq!(removed, MARCH);
}

#[test]
fn results_get_a_meaning_a_harm_and_effects() {
    let form = read(MARCH, "walk").unwrap();
    let halt = form.results.iter().find(|one| one.id == "halt").unwrap().table.path.clone();
    let text = sound(MARCH, "walk", &Edit::Set(below(&halt, "harm"), "1".into()));
    let text = sound(&text, "walk", &Edit::Set(below(&halt, "means"), "It \"rests\".".into()));
    let text = sound(&text, "walk", &Edit::AddEffect(halt.clone(), "tired".into()));
    let text = sound(&text, "walk", &Edit::AddEffect(halt.clone(), String::new()));
    let wanted = "[result.halt]\ntitle = \"Halt\"\nof = \"man\"\nharm = 1\nmeans = \"It \\\"rests\\\".\"\neffects = [ { status = \"tired\" }, { note = \"New instruction\" } ]\n";
    assert!(text.contains(wanted), "{text}");
    let form = read(&text, "walk").unwrap();
    let effects = form.results.iter().find_map(|one| one.effects.as_ref()).unwrap();
    let text = sound(&text, "walk", &Edit::Remove(effects.items[0].path.clone()));
    let text = sound(&text, "walk", &Edit::Set(below(&halt, "harm"), String::new()));
    assert!(!text.contains("harm") && text.contains("effects = [ { note ="), "{text}");
}

#[test]
fn a_cell_of_a_csv_file_changes_its_own_bytes() {
    let text = "\u{feff}score, Near ,\"Far, or \"\"far\"\"\"\r\n1,, miss\r\n\r\n2+,hit,\"hit\"";
    let lines = sheet::lines(text);
    let shown: Vec<Vec<&str>> =
        lines.iter().map(|line| line.iter().map(|cell| cell.text.as_str()).collect()).collect();
    let wanted = vec![
        vec!["score", "Near", "Far, or \"far\""],
        vec!["1", "", "miss"],
        vec!["2+", "hit", "hit"],
    ];
    assert_eq!(shown, wanted);
    for cell in lines.iter().flatten() {
        let after = sheet::set(text, cell.at.start, "a, \"b\"").unwrap();
        assert!(after.starts_with(&text[..cell.at.start]) && after.ends_with(&text[cell.at.end..]));
        assert!(sheet::lines(&after).iter().flatten().any(|one| one.text == "a, \"b\""));
    }
    let second = lines[1][0].at.start;
    let copied = sheet::copy(text, second).unwrap();
    assert_eq!(sheet::lines(&copied).len(), 4);
    assert_eq!(sheet::remove(&copied, second).unwrap(), text);
    assert_eq!(sheet::remove(text, lines[0][0].at.start), None, "the headings stay");
    let last = sheet::copy(text, lines[2][0].at.start).unwrap();
    assert!(last.ends_with("2+,hit,\"hit\"\n2+,hit,\"hit\""), "{last}");
}

#[test]
fn only_names_are_chosen_from_a_list() {
    let files = adjutant_bundled_packs::skeleton("my-game");
    let text = files.text("pack.toml").unwrap();
    let text = sound(text, "fire", &Edit::AddQuestion(edit::QuestionKind::Choice));
    let form = read(&text, "fire").unwrap();
    let (results, statuses) = (titles(&text, "result"), titles(&text, "status"));
    let shown = view::Shown {
        form: &form,
        results: &results,
        statuses: &statuses,
        sheet: None,
        faults: &[],
    };
    let html = shown.view().into_string();
    let field = |key: &str, kind: &str| {
        html.split(&format!("<{kind} id=\"form-")).skip(1).any(|rest| {
            let (id, _) = rest.split_once('"').unwrap();
            id.ends_with(key)
        })
    };
    // The word with which a unit leaves is the same as the id of a result.
    assert!(field("-leaves", "input") && !field("-leaves", "select"), "{html}");
    assert!(field("-status", "select") && field("-all", "select") && field("-default", "select"));
    assert!(field("-title", "input") && field("-means", "input") && field("-harm", "select"));
}

#[test]
fn an_optional_value_that_is_emptied_is_removed_whatever_its_key() {
    for (text, charts) in packs() {
        for chart in &charts {
            let form = read(&text, chart).unwrap();
            for table in form.tables().map(|(_, table)| table).filter(|one| one.entries.len() > 1) {
                // Every third, as above.
                for entry in table.entries.iter().step_by(3) {
                    let Some(key) = form.key(entry) else { continue };
                    let after = apply(&text, &form, &Edit::Set(entry.path.clone(), " ".into()));
                    let after = read(&after.unwrap(), chart).unwrap();
                    let stays = after.entries().any(|one| one.path == entry.path);
                    assert_eq!(stays, key.need != format::Need::Optional, "{:?}", entry.path);
                }
            }
        }
    }
}

#[test]
fn every_plain_key_of_the_format_can_be_added() {
    let text = sound(MARCH, "walk", &Edit::AddQuestion(edit::QuestionKind::YesNo));
    let form = read(&text, "walk").unwrap();
    let mut added = 0;
    for (section, table) in form.tables() {
        for key in table.open_keys(section) {
            let edit = Edit::AddKey(table.path.clone(), key.name.to_owned());
            let after = read(&apply(&text, &form, &edit).unwrap(), "walk").unwrap();
            let place = below(&table.path, key.name);
            let entry = after.entries().find(|entry| entry.path == place).unwrap();
            assert_eq!(after.key(entry).unwrap().name, key.name);
            added += 1;
        }
    }
    assert!(added > 30, "{added} keys");
}

#[test]
fn comments_and_line_ends_stay() {
    let text = "[chart.c]\ntitle = \"C\" # what it is\n\n[chart.c.read]\nscore = \"d\"\nrows = [ # low to high\n  { to = 1, all = \"a\" }, # the worst\n  { to = 2, all = \"b\" }, # so so\n  # the rest\n  { all = \"c\" }\n]\n";
    let form = read(text, "c").unwrap();
    let rows: Vec<Path> = form.lists[0].items.iter().map(|row| row.path.clone()).collect();
    let change = |edit: Edit| apply(text, &form, &edit).unwrap();
    let without = |row: usize| change(Edit::Remove(rows[row].clone()));
    assert!(without(0).contains("rows = [ # low to high\n  { to = 2"), "{}", without(0));
    assert!(without(1).contains("}, # the worst\n  # the rest\n  { all"), "{}", without(1));
    assert!(without(2).contains("{ to = 2, all = \"b\" } # so so\n]"), "{}", without(2));
    let copied = change(Edit::Copy(rows[1].clone()));
    let lines = "}, # the worst\n  { to = 2, all = \"b\" },\n  { to = 2, all = \"b\" }, # so so\n";
    assert!(copied.contains(lines), "{copied}");
    let title = Edit::Set(form.title.clone().unwrap().path, "D".into());
    assert_eq!(change(title), text.replacen("\"C\"", "\"D\"", 1));
    let windows = text.replace('\n', "\r\n");
    let edit = Edit::Set(below(&rows[0], "to"), "0".into());
    let form = read(&windows, "c").unwrap();
    assert_eq!(apply(&windows, &form, &edit).unwrap(), windows.replacen("to = 1", "to = 0", 1));
}

#[test]
fn a_number_is_in_quotes_where_the_format_wants_a_text() {
    let text = "[chart.a]\ntitle = \"A\"\nstep = [ { roll = \"1d6\", add = [ { label = \"M\", plus = 1 } ] } ]\n";
    let form = read(text, "a").unwrap();
    let set = |key: &str| {
        let item = form.items().next().unwrap();
        let path = item.entry(key).unwrap().path.clone();
        apply(text, &form, &Edit::Set(path, "7".to_owned())).unwrap()
    };
    assert!(set("label").contains("label = \"7\""));
    assert!(set("plus").contains("plus = 7"));
}
