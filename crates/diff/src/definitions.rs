//! What is defined otherwise, compared as trees: each change with the path to it.

use crate::tree::DataNode;
use adjutant_pack::Files;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Keys by which the parts of a list are told apart, in this order.
const KEYS: [&str; 4] = ["as", "label", "id", "title"];
/// The most characters of a value that are shown.
const LONGEST_SHOWN: usize = 200;

/// The part of a pack to which a change belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Definition {
    /// The section `[pack]`.
    Head,
    /// A section `[chart.ID]`.
    Chart,
    /// A section `[result.ID]`.
    Result,
    /// A section of this name.
    Section(String),
    /// A deck or a printed table in a file of its own.
    File,
}

impl Definition {
    /// Tells if any chart may rely on it. Results are bound to the charts that name them, and do
    /// not change their chances.
    pub(crate) fn concerns_all_charts(&self) -> bool {
        const NONE: [&str; 10] = [
            "term", "reading", "turn", "phase", "start", "ending", "end", "template", "fight",
            "print",
        ];
        match self {
            Definition::File => true,
            Definition::Section(name) => !NONE.contains(&name.as_str()),
            Definition::Head | Definition::Chart | Definition::Result => false,
        }
    }
}

/// One thing that is defined otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartChange {
    /// The part of the pack to which the change belongs.
    pub definition: Definition,
    /// The id of that: a chart's, a result's, a file's name. Empty for the head of the pack.
    pub name: String,
    /// The path within it: `step firer`, `add Close`, `plus`. Empty if the whole was added or
    /// removed.
    pub path: Vec<String>,
    /// Set for a modifier, and for a part of one.
    pub modifier: bool,
    /// The value before; none if it was added.
    pub before: Option<String>,
    /// The value after; none if it was removed.
    pub after: Option<String>,
}

/// The changes between two packs. Cases and README do not count: they change no rules.
pub fn definitions(before: &Files, after: &Files) -> Vec<PartChange> {
    let toml = |files: &Files| DataNode::of_toml(files.text("pack.toml").unwrap_or(""));
    let (one, other) = (toml(before), toml(after));
    let mut changes = Vec::new();
    for section in keys(&one, &other) {
        let (one, other) = (one.get(&section), other.get(&section));
        if section == "pack" {
            compare(one, other, &mut ChangeList::new(Definition::Head, "", &mut changes));
            continue;
        }
        let definition = match section.as_str() {
            "chart" => Definition::Chart,
            "result" => Definition::Result,
            _ => Definition::Section(section.clone()),
        };
        let empty = DataNode::Table(BTreeMap::new());
        let (one, other) = (one.unwrap_or(&empty), other.unwrap_or(&empty));
        match (one, other) {
            (DataNode::Table(_), DataNode::Table(_)) => {
                for name in keys(one, other) {
                    let mut changes = ChangeList::new(definition.clone(), &name, &mut changes);
                    compare(one.get(&name), other.get(&name), &mut changes);
                }
            }
            _ => {
                compare(Some(one), Some(other), &mut ChangeList::new(definition, "", &mut changes))
            }
        }
    }
    let data = |files: &Files| -> BTreeSet<String> {
        files.names().filter(|name| name.ends_with(".csv")).map(str::to_owned).collect()
    };
    for name in data(before).union(&data(after)) {
        let (one, other) =
            (before.text(name).map(DataNode::of_csv), after.text(name).map(DataNode::of_csv));
        let mut changes = ChangeList::new(Definition::File, name, &mut changes);
        compare(one.as_ref(), other.as_ref(), &mut changes);
    }
    changes
}

/// Where changes are collected.
struct ChangeList<'f> {
    definition: Definition,
    name: String,
    path: Vec<String>,
    list: &'f mut Vec<PartChange>,
}

impl<'f> ChangeList<'f> {
    fn new(definition: Definition, name: &str, list: &'f mut Vec<PartChange>) -> ChangeList<'f> {
        ChangeList { definition, name: name.to_owned(), path: Vec::new(), list }
    }

    fn at(&mut self, part: String, work: impl FnOnce(&mut ChangeList<'f>)) {
        self.path.push(part);
        work(self);
        self.path.pop();
    }

    fn note(&mut self, before: Option<&DataNode>, after: Option<&DataNode>) {
        let shown =
            |node: &DataNode| adjutant_pack::clip_to(&node.shown(), LONGEST_SHOWN).to_string();
        let modifier = self.path.iter().any(|part| part == "add" || part.starts_with("add "));
        self.list.push(PartChange {
            definition: self.definition.clone(),
            name: self.name.clone(),
            path: self.path.clone(),
            modifier,
            before: before.map(shown),
            after: after.map(shown),
        });
    }
}

fn keys(one: &DataNode, other: &DataNode) -> BTreeSet<String> {
    let of = |node: &DataNode| match node {
        DataNode::Table(table) => table.keys().cloned().collect(),
        _ => BTreeSet::new(),
    };
    of(one).union(&of(other)).cloned().collect()
}

fn compare(before: Option<&DataNode>, after: Option<&DataNode>, changes: &mut ChangeList<'_>) {
    match (before, after) {
        (None, None) => {}
        (Some(one), Some(other)) if one.means(other) => {}
        (Some(one @ DataNode::Table(_)), Some(other @ DataNode::Table(_))) => {
            for key in keys(one, other) {
                changes.at(key.clone(), |changes| compare(one.get(&key), other.get(&key), changes));
            }
        }
        (Some(DataNode::List(one)), Some(DataNode::List(other))) => {
            compare_lists(one, other, changes)
        }
        (before, after) => changes.note(before, after),
    }
}

fn compare_lists(one: &[DataNode], other: &[DataNode], changes: &mut ChangeList<'_>) {
    // The last word of the path names the list; its parts are named in its place.
    let list = changes.path.pop().unwrap_or_default();
    match KEYS.iter().find(|key| names_all(one, key) && names_all(other, key)) {
        Some(key) => by_key(one, other, key, &list, changes),
        None => by_place(one, other, &list, changes),
    }
    changes.path.push(list);
}

/// Tells if every part has this key, each with another text.
fn names_all(list: &[DataNode], key: &str) -> bool {
    let mut seen = BTreeSet::new();
    list.iter().all(|node| {
        node.get(key).and_then(DataNode::text).is_some_and(|text| seen.insert(text.to_owned()))
    })
}

fn by_key(
    one: &[DataNode],
    other: &[DataNode],
    key: &str,
    list: &str,
    changes: &mut ChangeList<'_>,
) {
    let text =
        |node: &DataNode| node.get(key).and_then(DataNode::text).unwrap_or_default().to_owned();
    let mut changed = false;
    for node in one {
        let name = text(node);
        let after = other.iter().find(|other| text(other) == name);
        changed |= after.is_none_or(|after| !node.means(after));
        changes.at(format!("{list} {name}"), |changes| compare(Some(node), after, changes));
    }
    for node in other.iter().filter(|node| !one.iter().any(|one| text(one) == text(node))) {
        changed = true;
        changes.at(format!("{list} {}", text(node)), |changes| compare(None, Some(node), changes));
    }
    // The same parts in another order: that may matter, as steps are taken in order.
    if !changed {
        let order =
            |list: &[DataNode]| DataNode::List(list.iter().map(text).map(DataNode::Leaf).collect());
        changes.at(list.to_owned(), |changes| changes.note(Some(&order(one)), Some(&order(other))));
    }
}

fn by_place(one: &[DataNode], other: &[DataNode], list: &str, changes: &mut ChangeList<'_>) {
    let same_start = one.iter().zip(other).take_while(|(a, b)| a.means(b)).count();
    let rest = one.len().min(other.len()) - same_start;
    let same_end =
        one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(a, b)| a.means(b)).count();
    let (one_end, other_end) = (one.len() - same_end, other.len() - same_end);
    for place in same_start..one_end.max(other_end) {
        let before = one.get(place).filter(|_| place < one_end);
        let after = other.get(place).filter(|_| place < other_end);
        changes.at(format!("{list} {}", place + 1), |changes| compare(before, after, changes));
    }
}
