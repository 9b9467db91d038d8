//! Shell completion of names: packs and charts, tables, units, roles and inputs. The shell calls
//! the command itself, with the words typed so far. It must be fast and silent: on any error there
//! are no candidates and no message.

use crate::args::Args;
use crate::game::names;
use crate::open_store::{OpenTable, TableStore};
use crate::pack_registry::PackRegistry;
use adjutant_dice::Accepts;
use adjutant_game::{DueTest, Unit, UnitsByRole};
use adjutant_pack::{Chart, Field, Pack};
use clap::CommandFactory;
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::CompleteEnv;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The variable by which the shell asks.
pub const VARIABLE: &str = "ADJUTANT_COMPLETE";

/// Whether it was the shell that asked; it has its answer then.
pub fn asked() -> bool {
    if std::env::var_os(VARIABLE).is_none_or(|value| value.is_empty() || value == "0") {
        return false;
    }
    let here = std::env::current_dir().ok();
    CompleteEnv::with_factory(Args::command)
        .var(VARIABLE)
        .try_complete(std::env::args_os(), here.as_deref())
        .unwrap_or(true)
}

/// The words typed so far, as the command would get them.
#[derive(Default)]
struct TypedWords {
    verbs: Vec<String>,
    /// The words after the verbs that are no flags, without the one under the cursor.
    words: Vec<String>,
    packs: Vec<PathBuf>,
    store: Option<String>,
    /// Flags and their values.
    flags: Vec<(String, String)>,
    /// What the shell takes for the word under the cursor, as far as it is typed.
    current: String,
    /// The name before a `=` that the shell takes for a word of its own.
    name: Option<String>,
}

/// Bash hands over words as they are typed, and wants them back so; other shells quote by
/// themselves.
fn in_bash() -> bool {
    std::env::var_os("_CLAP_COMPLETE_COMP_TYPE").is_some()
}

fn unquoted(word: &str) -> String {
    if !in_bash() {
        return word.to_owned();
    }
    let (mut plain, mut letters) = (String::new(), word.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '\'' => {}
            '\\' => plain.extend(letters.next()),
            other => plain.push(other),
        }
    }
    plain
}

/// A candidate as this shell wants it, in the quotes that were started.
fn quoted(text: &str, current: &str) -> String {
    if !in_bash() {
        return text.to_owned();
    }
    match current.chars().next().filter(|first| ['"', '\''].contains(first)) {
        Some(quote) => format!("{quote}{text}{quote}"),
        None => text
            .chars()
            .flat_map(|c| {
                (!c.is_alphanumeric() && !"-_=.,/:".contains(c))
                    .then_some('\\')
                    .into_iter()
                    .chain([c])
            })
            .collect(),
    }
}

impl TypedWords {
    fn read(current: &OsStr) -> Option<TypedWords> {
        let raw: Vec<String> = std::env::args_os()
            .skip_while(|word| word != "--")
            .skip(1)
            .map(|w| w.to_string_lossy().into_owned())
            .collect();
        let index = std::env::var("_CLAP_COMPLETE_INDEX")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(raw.len().saturating_sub(1));
        let raw = raw.get(1..index.min(raw.len()))?;
        let mut typed =
            TypedWords { current: current.to_str()?.to_owned(), ..TypedWords::default() };
        // Where the shell breaks words at `=`, they are put together again.
        let mut whole: Vec<String> = Vec::new();
        let mut joins = false;
        for word in raw.iter().map(|word| unquoted(word)) {
            match whole.last_mut() {
                Some(last) if joins || word == "=" => last.push_str(&word),
                _ => whole.push(word.clone()),
            }
            joins = word == "=";
        }
        if typed.current == "=" {
            typed.current.clear();
            typed.name = whole.pop();
        } else if joins {
            typed.name = whole.pop().map(|word| word.trim_end_matches('=').to_owned());
        }
        typed.sort(whole);
        Some(typed)
    }

    /// Tells verbs, flags and words apart.
    fn sort(&mut self, whole: Vec<String>) {
        let mut command = Args::command();
        command.build();
        let mut at = &command;
        let mut words = whole.into_iter();
        while let Some(word) = words.next() {
            if let Some(flag) = word.strip_prefix("--") {
                let (name, given) = flag
                    .split_once('=')
                    .map_or((flag, None), |(name, value)| (name, Some(value.to_owned())));
                let known = at.get_arguments().find(|arg| arg.get_long() == Some(name));
                if known.is_some_and(|arg| arg.get_action().takes_values()) {
                    let value = given.or_else(|| words.next()).unwrap_or_default();
                    match name {
                        "packs" => self.packs.push(value.into()),
                        "store" => self.store = Some(value),
                        _ => self.flags.push((name.to_owned(), value)),
                    }
                }
            } else if let Some(verb) = at.find_subcommand(&word) {
                self.verbs.push(word);
                at = verb;
            } else if !word.starts_with('-') {
                self.words.push(word);
            }
        }
    }

    fn verb(&self) -> &str {
        self.verbs.first().map_or("", String::as_str)
    }

    fn shelf(&self) -> PackRegistry {
        PackRegistry::new(&self.packs, &[])
    }

    fn table(&self) -> Option<OpenTable> {
        let shelf = self.shelf();
        TableStore::open_at(&shelf, self.store.as_deref()).ok()?.table(self.words.first()?).ok()
    }

    /// What begins with what was typed.
    fn fitting(
        &self,
        texts: impl IntoIterator<Item = (String, String)>,
    ) -> Vec<CompletionCandidate> {
        let started = unquoted(&self.current).to_lowercase();
        let fits = |(text, _): &(String, String)| text.to_lowercase().starts_with(&started);
        let help = |help: String| Some(help).filter(|help| !help.is_empty()).map(Into::into);
        texts
            .into_iter()
            .filter(fits)
            .map(|(text, about)| {
                CompletionCandidate::new(quoted(&text, &self.current)).help(help(about))
            })
            .collect()
    }
}

fn with(
    current: &OsStr,
    find: impl Fn(&TypedWords) -> Option<Vec<(String, String)>>,
) -> Vec<CompletionCandidate> {
    let Some(typed) = TypedWords::read(current) else { return Vec::new() };
    find(&typed).map(|texts| typed.fitting(texts)).unwrap_or_default()
}

/// The verbs behind `help`, and those within the verb that is typed.
pub fn verbs(current: &OsStr) -> Vec<CompletionCandidate> {
    with(current, |typed| {
        let command = Args::command();
        let mut at = &command;
        for word in &typed.words {
            at = at.find_subcommand(word)?;
        }
        let about = |verb: &clap::Command| verb.get_about().map(ToString::to_string);
        let named =
            |verb: &clap::Command| (verb.get_name().to_owned(), about(verb).unwrap_or_default());
        Some(at.get_subcommands().map(named).collect())
    })
}

pub fn packs(current: &OsStr) -> Vec<CompletionCandidate> {
    with(current, |typed| {
        Some(typed.shelf().all().into_iter().map(|found| (found.id, String::new())).collect())
    })
}

pub fn starts(current: &OsStr) -> Vec<CompletionCandidate> {
    with(current, |typed| {
        let pack = typed.shelf().open(typed.words.first()?).ok()?.pack;
        Some(
            pack.starts()
                .iter()
                .map(|start| (start.id.to_string(), start.title.to_string()))
                .collect(),
        )
    })
}

pub fn tables(current: &OsStr) -> Vec<CompletionCandidate> {
    with(current, |typed| {
        let shelf = typed.shelf();
        let list =
            TableStore::open_at(&shelf, typed.store.as_deref()).ok()?.store.list(true).ok()?;
        let twice = |name: &str| {
            list.iter().filter(|other| other.name.eq_ignore_ascii_case(name)).count() > 1
        };
        let named = |table: &adjutant_store::Summary| {
            if twice(&table.name) { table.id.to_string() } else { table.name.clone() }
        };
        Some(list.iter().map(|table| (named(table), table.pack.clone())).collect())
    })
}

fn of_table(
    current: &OsStr,
    find: impl Fn(&TypedWords, &OpenTable) -> Option<Vec<(String, String)>>,
) -> Vec<CompletionCandidate> {
    with(current, |typed| find(typed, &typed.table()?))
}

pub fn units(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |_, kept| Some(units_of(kept, |_| true)))
}

fn units_of(kept: &OpenTable, fits: impl Fn(&Unit) -> bool) -> Vec<(String, String)> {
    let here: Vec<&Unit> = kept.table.state().here().filter(|unit| fits(unit)).collect();
    let twice = |name: &str| {
        kept.table.state().here().filter(|other| other.name.eq_ignore_ascii_case(name)).count() > 1
    };
    let named = |unit: &&Unit| {
        if twice(&unit.name) {
            (unit.id.clone(), unit.name.clone())
        } else {
            (unit.name.clone(), unit.id.clone())
        }
    };
    here.iter().map(named).collect()
}

pub fn kinds(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |_, kept| {
        let pack = kept.table.pack();
        let templates = pack
            .templates()
            .iter()
            .map(|template| (template.id.to_string(), template.title.to_string()));
        Some(
            templates
                .chain(
                    pack.kinds().iter().map(|kind| (kind.id.to_string(), kind.title.to_string())),
                )
                .collect(),
        )
    })
}

pub fn sides(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |_, kept| {
        Some(kept.table.sides().iter().map(|side| (side.clone(), String::new())).collect())
    })
}

pub fn statuses(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |_, kept| {
        Some(
            kept.table
                .pack()
                .statuses()
                .iter()
                .map(|known| (known.id.to_string(), known.title.to_string()))
                .collect(),
        )
    })
}

pub fn pending(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |_, kept| {
        Some(
            kept.table
                .pending()
                .map(|due| {
                    (due.due.id.clone(), adjutant_wording::en::pending_test(&kept.table, due))
                })
                .collect(),
        )
    })
}

pub fn phases(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |_, kept| {
        let phases = kept
            .table
            .pack()
            .phases()
            .iter()
            .map(|phase| (phase.id.to_string(), phase.title.to_string()));
        Some(
            std::iter::once(("next".to_owned(), "the next phase".to_owned()))
                .chain(phases)
                .collect(),
        )
    })
}

pub fn options(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |typed, kept| {
        Some(fields(typed, kept.table.pack().options().iter().map(|option| &option.field)))
    })
}

pub fn memory(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |typed, kept| Some(fields(typed, kept.table.pack().memory().iter())))
}

pub fn attributes(current: &OsStr) -> Vec<CompletionCandidate> {
    of_table(current, |typed, kept| {
        let said = typed.words.get(1)?;
        let pack = kept.table.pack();
        let kind = match typed.verbs.get(1)?.as_str() {
            "add" => pack.kind_id(said).or_else(|| Some(pack.template(said)?.kind))?,
            _ => {
                kept.table
                    .state()
                    .here()
                    .find(|unit| unit.id == *said || unit.name.eq_ignore_ascii_case(said))?
                    .kind
            }
        };
        Some(fields(typed, pack.kinds()[kind].has.iter()))
    })
}

pub fn charts(current: &OsStr) -> Vec<CompletionCandidate> {
    let list = |pack: &Pack| {
        Some(
            pack.charts()
                .iter()
                .map(|chart| (chart.id.to_string(), chart.title.to_string()))
                .collect(),
        )
    };
    with(current, |typed| match typed.verb() {
        "play" => list(typed.table()?.table.pack()),
        _ => list(&typed.shelf().open(typed.words.first()?).ok()?.pack),
    })
}

pub fn inputs(current: &OsStr) -> Vec<CompletionCandidate> {
    with(current, |typed| match typed.verb() {
        "play" | "next" => {
            let kept = typed.table()?;
            let named = typed.flags.iter().find(|(flag, _)| flag == "id").map(|(_, id)| id);
            let due =
                kept.table.pending().find(|pending| named.is_none_or(|id| pending.due.id == *id));
            let id = if typed.verb() == "play" {
                typed.words.get(1)?.clone()
            } else {
                due?.due.chart.clone()
            };
            let due = due.filter(|_| typed.verb() == "next").map(|due| &due.due);
            Some(of_chart(typed, kept.table.pack().chart(&id)?, Some((&kept, due))))
        }
        _ => {
            let pack = typed.shelf().open(typed.words.first()?).ok()?.pack;
            Some(of_chart(typed, pack.chart(typed.words.get(1)?)?, None))
        }
    })
}

/// The name before the `=`, what goes before a candidate, if anything is being given a value.
fn naming(typed: &TypedWords) -> Option<(String, String)> {
    match (&typed.name, typed.current.split_once('=')) {
        (Some(name), _) => Some((name.clone(), String::new())),
        (None, Some((name, _))) => Some((name.to_owned(), format!("{name}="))),
        (None, None) => None,
    }
}

/// Names with a `=`, or the values of the one that is named.
fn fields<'f>(
    typed: &TypedWords,
    fields: impl Iterator<Item = &'f Field>,
) -> Vec<(String, String)> {
    match naming(typed) {
        None => fields.map(|field| (format!("{}=", field.id), field.label.to_string())).collect(),
        Some((name, before)) => fields
            .filter(|field| field.id == name)
            .flat_map(|field| values(&field.accepts, &before))
            .collect(),
    }
}

fn values(accepts: &Accepts, before: &str) -> Vec<(String, String)> {
    match accepts {
        Accepts::YesNo => {
            ["yes", "no"].map(|word| (format!("{before}{word}"), String::new())).to_vec()
        }
        Accepts::Choice { words } => words
            .iter()
            .map(|word| (format!("{before}{}", word.id), word.label.to_string()))
            .collect(),
        Accepts::Number { .. } => Vec::new(),
    }
}

/// Roles and inputs of a chart; in a game with the units that can take a role, in a pending test
/// only those that it allows.
fn of_chart(
    typed: &TypedWords,
    chart: &Chart,
    kept: Option<(&OpenTable, Option<&DueTest>)>,
) -> Vec<(String, String)> {
    let Some((name, mut before)) = naming(typed) else {
        let roles = chart
            .roles
            .iter()
            .filter(|_| kept.is_some())
            .map(|role| (format!("{}=", role.id), "a unit".to_owned()));
        let asked = chart
            .inputs
            .iter()
            .filter(|input| kept.is_none() || input.source == adjutant_pack::FilledFrom::Situation);
        let inputs = asked.map(|input| (format!("{}=", input.name), input.field.label.to_string()));
        let given = |text: &str| typed.words.iter().any(|word| word.starts_with(text));
        return roles.chain(inputs).filter(|(text, _)| !given(text)).collect();
    };
    match (chart.role(&name), kept) {
        (Some(role), Some((kept, due))) => {
            // Several units stand with commas between them; the last is being typed.
            let value = typed.current.strip_prefix(&before).unwrap_or(&typed.current);
            if let Some((others, _)) = value.rsplit_once(',') {
                before = format!("{before}{others},");
            }
            let units = |text: &String| {
                let (name, value) =
                    text.split_once('=').filter(|(name, _)| chart.role(name).is_some())?;
                Some((name.to_owned(), names::units(&kept.table, value).ok()?))
            };
            let mut who: UnitsByRole = typed.words.iter().filter_map(units).collect();
            who.extend(due.into_iter().flat_map(|due| due.units.clone()));
            let given = due.map(|due| due.with.clone()).unwrap_or_default();
            let able = |unit: &Unit| {
                kept.table.can_take(chart, role, unit, &who)
                    && kept.table.ruled_out_by(chart, role, unit, &given).is_none()
                    && !kept.table.is_of_other_side(due.map(|due| &due.id), &name, unit)
            };
            units_of(kept, able)
                .into_iter()
                .map(|(text, about)| (format!("{before}{text}"), about))
                .collect()
        }
        _ => chart
            .input(&name)
            .map(|input| values(&input.field.accepts, &before))
            .unwrap_or_default(),
    }
}
