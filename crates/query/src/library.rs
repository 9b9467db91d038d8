//! The layer for programs in other languages: JSON text in, JSON text out. An answer is
//! `{"ok": …}`, an error `{"fault": …}`.

use crate::error::{QueryError, misnamed};
use crate::{Work, drawn, fight, modifiers, odds, roll, sample, times, vary, vary_fight};
use adjutant_api::{
    ChartData, CheckedPack, Fault, FaultKind, FightData, PackData, PackRequest, QueryFault,
};
use adjutant_engine::InputError;
use adjutant_pack::{
    Bundle, BundleError, Diagnostic, Files, Noun, Pack, Supplied, UnknownName, looks_like_bundle,
    read_cases, read_pack, read_pack_with,
};
use adjutant_render::plot::{PlotTarget, spread, svg};
use adjutant_wording::en;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where a pack comes from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum PackSource {
    /// A pack that comes with Adjutant, by its id.
    Id(String),
    /// The text of a bundle, or of `pack.toml`.
    Text(String),
    /// The files of a pack by name.
    Files(BTreeMap<String, String>),
}

/// Why a pack cannot be loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// No pack of this id comes with Adjutant.
    #[error("no pack `{}` comes with Adjutant: {}", .0.name, en::unknown_name::nearest_or_all(.0))]
    Unknown(UnknownName),
    /// The pack has faults.
    #[error("{}", .faults.iter().map(|fault| en::diagnostic(fault).message).collect::<Vec<_>>().join("\n"))]
    #[allow(missing_docs, reason = "the fields are clear")]
    Faulty { files: Files, faults: Vec<Diagnostic> },
}

impl LoadError {
    /// A file that is not a bundle.
    fn bundle(error: BundleError) -> LoadError {
        let faults = vec![error.into_diagnostic("bundle")];
        LoadError::Faulty { files: Files::default(), faults }
    }

    /// The JSON of the libraries.
    pub fn data(&self) -> QueryFault<'_> {
        let message = self.to_string();
        let mut fault = of_kind(FaultKind::Pack, message.clone());
        match self {
            LoadError::Unknown(unknown) => {
                fault.kind = FaultKind::NotFound;
                fault.inputs = vec![misnamed(unknown, message)];
            }
            LoadError::Faulty { files, faults } => {
                fault.sentences =
                    faults.iter().map(|fault| en::diagnostic(fault).message).collect();
                fault.faults = faults.iter().map(|fault| Fault::new(files, fault)).collect();
            }
        }
        fault
    }
}

fn of_kind(kind: FaultKind, message: String) -> QueryFault<'static> {
    QueryFault {
        kind,
        sentences: vec![message.clone()],
        message,
        inputs: Vec::new(),
        needs: Vec::new(),
        stopped: None,
        faults: Vec::new(),
    }
}

/// Reads a pack. `tables` is the text of the player's own tables, if there are any.
pub fn load(source: PackSource, tables: Option<String>) -> Result<Library, LoadError> {
    let (files, mut supplied) = match source {
        PackSource::Id(id) => match adjutant_bundled_packs::files(&id) {
            Some(files) => (files, Supplied::default()),
            None => {
                let ids = adjutant_bundled_packs::IDS.iter().copied();
                return Err(LoadError::Unknown(UnknownName::new(Noun::Pack, &id, ids)));
            }
        },
        PackSource::Text(text) if looks_like_bundle(&text) => {
            Bundle::read(&text).map_err(LoadError::bundle)?.into_parts()
        }
        PackSource::Text(text) => (Files::of([("pack.toml", text)]), Supplied::default()),
        PackSource::Files(texts) => (Files::of(texts), Supplied::default()),
    };
    if tables.is_some() {
        supplied.tables = tables;
    }
    read(files, supplied)
}

/// Reads a pack from its files.
pub fn load_files(files: Files, tables: Option<String>) -> Result<Library, LoadError> {
    read(files, Supplied { tables, ..Supplied::default() })
}

fn read(files: Files, supplied: Supplied) -> Result<Library, LoadError> {
    match read_pack_with(&files, &supplied.as_files()) {
        Ok(pack) => Ok(Library { pack, files, supplied }),
        Err(faults) => Err(LoadError::Faulty { files, faults }),
    }
}

/// A pack that was loaded, and everything that can be asked of it.
#[derive(Debug)]
pub struct Library {
    /// The checked pack.
    pub pack: Pack,
    files: Files,
    supplied: Supplied,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Reply<'r, T> {
    Ok(&'r T),
    Fault(&'r QueryFault<'r>),
}

fn ok<T: Serialize>(value: &T) -> String {
    serde_json::to_string(&Reply::Ok(value)).unwrap_or_else(|error| unwritten(&error.to_string()))
}

fn fault(fault: &QueryFault<'_>) -> String {
    serde_json::to_string(&Reply::<()>::Fault(fault))
        .unwrap_or_else(|error| unwritten(&error.to_string()))
}

/// An answer that cannot be written: a value that is not JSON, which no type here has.
fn unwritten(why: &str) -> String {
    serde_json::json!({ "fault": { "kind": "request", "message": why } }).to_string()
}

impl Library {
    /// Answers a request in JSON with a reply in JSON, for callers in other languages.
    pub fn ask(&self, request: &str, work: &Work) -> String {
        let request: PackRequest = match serde_json::from_str(request) {
            Ok(request) => request,
            Err(error) => return fault(&of_kind(FaultKind::Request, error.to_string())),
        };
        let answer = self.answer(&request, work);
        // What came of work that was stopped is not whole.
        match if work.stop.is_due() { Err(QueryError::Stopped) } else { answer } {
            Ok(text) => text,
            Err(error) => fault(&error.data()),
        }
    }

    fn answer(&self, request: &PackRequest, work: &Work) -> Result<String, QueryError> {
        let (pack, stop) = (&self.pack, || work.stop.clone());
        Ok(match request {
            PackRequest::Roll(query) => ok(&roll(pack, query, work)?),
            PackRequest::Odds(query) => ok(&odds(pack, query, stop())?.data()),
            PackRequest::Modifiers(query) => ok(&modifiers(pack, query, stop())?.data()),
            PackRequest::Times(asked) => {
                ok(&times(pack, &asked.query, asked.times, stop())?.data())
            }
            PackRequest::Vary(asked) if asked.query.topic.is_fight() => {
                let grid = vary_fight(pack, &asked.query, &asked.over, &asked.limits, work)?;
                ok(&grid.data())
            }
            PackRequest::Vary(asked) => ok(&vary(pack, &asked.query, &asked.over, work)?.data()),
            PackRequest::Plot(asked) if asked.over.is_empty() => {
                ok(&spread(&odds(pack, &asked.query, stop())?.plot()?))
            }
            PackRequest::Plot(asked) => {
                let grid = vary(pack, &asked.query, &asked.over, work)?;
                ok(&svg(&grid.plot(), PlotTarget::Article))
            }
            PackRequest::Fight(asked) => {
                ok(&fight(pack, &asked.query, &asked.limits, work)?.data())
            }
            PackRequest::Sim(asked) => ok(&sample(pack, &asked.query, asked.samples, work)?.data()),
            PackRequest::Show(asked) => match &asked.name {
                None => ok(&PackData::new(pack)),
                Some(name) => self.show(name)?,
            },
            PackRequest::Draw(asked) => ok(&drawn(pack, asked, work)?),
        })
    }

    /// A chart or a fight as data.
    fn show(&self, name: &str) -> Result<String, QueryError> {
        let pack = &self.pack;
        match (pack.chart(name), pack.fight(name)) {
            (Some(chart), _) => Ok(ok(&ChartData::new(pack, chart))),
            (None, Some(fight)) => Ok(ok(&FightData::new(pack, fight))),
            (None, None) => {
                let charts = pack.charts().iter().map(|chart| chart.id.as_str());
                let ids = charts.chain(pack.fights().iter().map(|fight| fight.id.as_str()));
                let unknown = UnknownName::new(Noun::ChartOrFight, name, ids);
                Err(InputError::Unknown { owner: pack.title().clone(), unknown }.into())
            }
        }
    }

    /// The pack as one file.
    pub fn bundle(&self) -> String {
        match Bundle::new(self.files.clone()).with(self.supplied.clone()).write() {
            Ok(text) => ok(&text),
            Err(error) => fault(&LoadError::bundle(error).data()),
        }
    }
}

/// Everything that is wrong with a pack and its cases: the JSON of `/api/check`.
pub fn check_json(files: &Files) -> String {
    let read = read_pack(files, None);
    let mut faults = read.as_ref().err().cloned().unwrap_or_default();
    if files.text("cases.toml").is_some() {
        faults.extend(read_cases(files).err().unwrap_or_default());
    }
    let checked = CheckedPack {
        sound: faults.is_empty(),
        faults: faults.iter().map(|fault| Fault::new(files, fault)).collect(),
        pack: read.as_ref().ok().map(PackData::new),
    };
    serde_json::to_string(&checked).unwrap_or_else(|error| unwritten(&error.to_string()))
}
