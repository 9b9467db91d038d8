//! The keys of the pack format, declared once: each with what it accepts, a description and an
//! example.
//!
//! The readers in `raw` ask for a section's names only ([`Status::KEYS`](Status)), for unknown keys
//! and near names. The JSON Schema, the reference and editors read the rest from
//! [`Status::SECTION`](Status). Both are constants: a program that does not use the descriptions does
//! not carry them.

mod cards;
mod cases;
mod chart;
mod complete;
mod field;
mod game;
mod pack;
mod read;
mod roll;
mod schema;
#[cfg(test)]
mod tests;

pub use cards::*;
pub use cases::*;
pub use chart::*;
pub use complete::{Completion, Completions, complete};
pub use field::*;
pub use game::*;
pub use pack::*;
pub use read::*;
pub use roll::*;
pub use schema::{cases_schema, example_as_json, pack_schema};
#[cfg(test)]
pub(crate) use tests::record;

/// A table of a file: a section, an item of a list, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The name in the JSON Schema.
    pub name: &'static str,
    /// Where it is written, such as `[status.x]`.
    pub place: &'static str,
    /// A sentence about it.
    pub about: &'static str,
    /// The section whose keys this one has too; at most one.
    pub base: &'static [&'static Section],
    /// The keys that only this section has.
    pub own: &'static [Key],
    /// The value of keys with names of the author's own; at most one.
    pub others: &'static [Kind],
}

/// A key of a section.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The name as it is written.
    pub name: &'static str,
    /// Whether it may be left out.
    pub need: Need,
    /// The type of the value.
    pub kind: Kind,
    /// A sentence about it.
    pub doc: &'static str,
    /// A value as TOML.
    pub example: &'static str,
}

/// Whether a key may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It may.
    Optional,
    /// It may not.
    Required,
    /// The section has exactly one of these keys.
    OneOf,
}

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// The name of something that this section of `pack.toml` declares.
    Name(&'static str),
    /// An expression. A plain number, true or false needs no quotes.
    Formula,
    /// A number, or a fraction in quotes.
    Number,
    /// A number without quotes.
    Plain,
    /// true or false, or "yes" or "no".
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Two numbers.
    Pair,
    /// One, or a list.
    OneOrMore(&'static Kind),
    /// A list.
    List(&'static Kind),
    /// A table with names of the author's own.
    Named(&'static Kind),
    /// A table with the keys of a section.
    Keys(&'static Section),
    /// One of these.
    Either(&'static [Kind]),
    /// Any value.
    Any,
}

impl Section {
    /// All keys, those of the base first.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        let base = self.base.iter().flat_map(|base| base.own.iter());
        base.chain(self.own)
    }

    /// The key with this name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }

    /// The keys that a table with these keys can still get.
    pub fn open_keys(&self, names: &[String]) -> Vec<&'static Key> {
        let has = |key: &Key| names.iter().any(|name| name == key.name);
        let has_one = self.keys().any(|key| key.need == Need::OneOf && has(key));
        let is_closed = |key: &Key| has(key) || (has_one && key.need == Need::OneOf);
        self.keys().filter(|key| !is_closed(key)).collect()
    }

    /// This section and all within it, each once.
    pub fn all(&'static self) -> Vec<&'static Section> {
        let mut all = Vec::new();
        self.gather(&mut all);
        all
    }

    fn gather(&'static self, all: &mut Vec<&'static Section>) {
        if all.iter().any(|known| known.name == self.name) {
            return;
        }
        all.push(self);
        let kinds = self.keys().map(|key| &key.kind).chain(self.others);
        kinds.for_each(|kind| kind.gather(all));
    }
}

impl Key {
    /// Whether its value is a text, a number, true or false.
    pub fn is_plain(&self) -> bool {
        !self.example.starts_with(['[', '{'])
    }
}

impl Kind {
    /// The section of `pack.toml` that declares what the value names.
    pub fn names(&self) -> Option<&'static str> {
        match self {
            Kind::Name(section) => Some(section),
            Kind::OneOrMore(one) | Kind::List(one) => one.names(),
            Kind::Either(kinds) => kinds.iter().find_map(Kind::names),
            _ => None,
        }
    }

    fn gather(&'static self, all: &mut Vec<&'static Section>) {
        match self {
            Kind::OneOrMore(one) | Kind::List(one) | Kind::Named(one) => one.gather(all),
            Kind::Keys(section) => section.gather(all),
            Kind::Either(kinds) => kinds.iter().for_each(|kind| kind.gather(all)),
            _ => {}
        }
    }
}

/// Answers to questions of another chart, in the names of this one.
const WITH: Kind = Kind::Named(&Kind::Either(&[Kind::Formula, Kind::Named(&Kind::Formula)]));
/// Roles, each with a kind or a role.
const WHO: Kind = Kind::Named(&Kind::Text);
/// A text or several.
const TEXTS: Kind = Kind::OneOrMore(&Kind::Text);

/// The names of a base and those of a section.
const fn joined<const N: usize>(
    base: &[&[&'static str]],
    own: &[&'static str],
) -> [&'static str; N] {
    let mut all = [""; N];
    let first = if base.is_empty() { 0 } else { base[0].len() };
    let mut at = 0;
    while at < N {
        all[at] = if at < first { base[0][at] } else { own[at - first] };
        at += 1;
    }
    all
}

/// The number of keys of which a section has one.
const fn count_one_of(needs: &[Need]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < needs.len() {
        count += matches!(needs[at], Need::OneOf) as usize;
        at += 1;
    }
    count
}

/// The names of the keys of which a section has one.
const fn one_of<const N: usize>(names: &[&'static str], needs: &[Need]) -> [&'static str; N] {
    let mut chosen = [""; N];
    let (mut at, mut count) = (0, 0);
    while at < names.len() {
        if matches!(needs[at], Need::OneOf) {
            chosen[count] = names[at];
            count += 1;
        }
        at += 1;
    }
    chosen
}

macro_rules! need {
    () => {
        Need::Optional
    };
    (required) => {
        Need::Required
    };
    (one) => {
        Need::OneOf
    };
}
use need;

/// An example: a text or a number as it is written here, or `toml` and a value as TOML.
macro_rules! example {
    (toml $example:literal) => {
        $example
    };
    ($example:literal) => {
        stringify!($example)
    };
}
use example;

/// Declares sections: `Name "place" : Base _ = KIND; { "key" required: KIND => example; }`.
macro_rules! sections {
    ($(
        $(#[doc = $about:literal])+
        $name:ident $place:literal $(: $base:ident)? $(_ = $others:expr;)? {
            $(
                $(#[doc = $doc:literal])+
                $key:literal $($need:ident)?: $kind:expr => $($toml:ident)? $example:literal;
            )*
        }
    )+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        #[allow(dead_code, reason = "some readers ask for their keys in another way")]
        impl $name {
            const OWN: &'static [&'static str] = &[$($key),*];
            const NEEDS: &'static [Need] = &[$(need!($($need)?)),*];
            /// The names of all keys.
            pub(crate) const KEYS: &'static [&'static str] =
                &joined::<{ Self::OWN.len() $(+ $base::KEYS.len())? }>(&[$($base::KEYS)?], Self::OWN);
            /// The names of the keys of which it has one.
            pub(crate) const ONE_OF: &'static [&'static str] =
                &one_of::<{ count_one_of(Self::NEEDS) }>(Self::OWN, Self::NEEDS);
            /// The keys with what they accept, descriptions and examples.
            pub const SECTION: Section = Section {
                name: stringify!($name),
                place: $place,
                about: concat!($($about),+).trim_ascii(),
                base: &[$(&$base::SECTION)?],
                own: &[$(Key {
                    name: $key,
                    need: need!($($need)?),
                    kind: $kind,
                    doc: concat!($($doc),+).trim_ascii(),
                    example: example!($($toml)? $example),
                }),*],
                others: &[$($others)?],
            };
        }
    )+};
}
use sections;
