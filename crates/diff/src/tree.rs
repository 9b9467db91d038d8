//! A TOML or CSV file as a tree of plain values: layout, comments and the order of keys are gone.

use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DataNode {
    /// A text, number, date or truth value, as it is compared and shown.
    Leaf(String),
    List(Vec<DataNode>),
    Table(BTreeMap<String, DataNode>),
}

impl DataNode {
    /// The tree of a TOML file. What cannot be read is left out: only checked packs are compared.
    pub fn of_toml(text: &str) -> DataNode {
        let (table, _) = DeTable::parse_recoverable(text);
        of_table(table.get_ref())
    }

    /// The tree of a CSV file: a list of rows.
    pub fn of_csv(text: &str) -> DataNode {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let rows = reader.records().filter_map(Result::ok);
        let row =
            |row: csv::StringRecord| DataNode::Leaf(row.iter().collect::<Vec<_>>().join(", "));
        DataNode::List(rows.map(row).collect())
    }

    pub fn get(&self, key: &str) -> Option<&DataNode> {
        match self {
            DataNode::Table(table) => table.get(key),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            DataNode::Leaf(text) => Some(text),
            _ => None,
        }
    }

    /// The whole value on one line.
    pub fn shown(&self) -> String {
        match self {
            DataNode::Leaf(text) => text.clone(),
            DataNode::List(list) => {
                format!("[{}]", list.iter().map(DataNode::shown).collect::<Vec<_>>().join(", "))
            }
            DataNode::Table(table) => {
                let pairs = table.iter().map(|(key, value)| format!("{key} = {}", value.shown()));
                pairs.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// Compares what two values mean, however they are written.
    pub fn means(&self, other: &DataNode) -> bool {
        match (self, other) {
            (DataNode::Leaf(one), DataNode::Leaf(other)) => {
                one == other || plain(one) == plain(other)
            }
            (DataNode::List(one), DataNode::List(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.means(b))
            }
            (DataNode::Table(one), DataNode::Table(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|((a, x), (b, y))| a == b && x.means(y))
            }
            _ => false,
        }
    }
}

/// A text without blanks that mean nothing: `a + 1` and `a+1` are the same formula, and a text may
/// be broken into lines anywhere.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '"');
    for word in text.split_whitespace() {
        let joins = plain.ends_with(is_word) && word.starts_with(is_word);
        if joins {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    plain
}

fn of_table(table: &DeTable<'_>) -> DataNode {
    let pairs =
        table.iter().map(|(key, value)| (key.get_ref().to_string(), of_value(value.get_ref())));
    DataNode::Table(pairs.collect())
}

fn of_value(value: &DeValue<'_>) -> DataNode {
    match value {
        DeValue::String(text) => {
            DataNode::Leaf(text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            let whole = i64::from_str_radix(&digits, number.radix());
            DataNode::Leaf(whole.map_or(digits, |whole| whole.to_string()))
        }
        DeValue::Float(number) => DataNode::Leaf(number.as_str().replace('_', "")),
        DeValue::Boolean(yes) => DataNode::Leaf(yes.to_string()),
        DeValue::Datetime(at) => DataNode::Leaf(at.to_string()),
        DeValue::Array(list) => {
            DataNode::List(list.iter().map(|value| of_value(value.get_ref())).collect())
        }
        DeValue::Table(table) => of_table(table),
    }
}
