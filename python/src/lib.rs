//! The boundary to Python: a pack, and one call that takes a request as JSON and returns an answer
//! as JSON. The package `adjutant` around it makes Python objects and exceptions of them.
//!
//! Long work runs without the interpreter's lock, so other threads go on. It looks for signals now
//! and then, so Ctrl-C stops it.

use adjutant_dice::RandomInput;
use adjutant_engine::Stop;
use adjutant_pack::Files;
use adjutant_query::{Clock, Library, LoadError, Luck, PackSource, Work};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// The time between two looks for signals during long work.
const LOOKS: Duration = Duration::from_millis(50);

/// The signals for which Python stops the work. Only the thread that asked looks for signals:
/// Python hands them to its main thread alone. The others are told.
#[derive(Clone)]
struct Signals(Arc<Watch>);

struct Watch {
    asking: ThreadId,
    stopped: AtomicBool,
    looked: Mutex<Looked>,
}

struct Looked {
    last: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    fn new() -> Signals {
        Signals(Arc::new(Watch {
            asking: std::thread::current().id(),
            stopped: AtomicBool::new(false),
            looked: Mutex::new(Looked { last: Instant::now(), raised: None }),
        }))
    }

    /// Tells if a signal raised an exception.
    fn stop(&self) -> bool {
        let Watch { asking, stopped, looked } = &*self.0;
        if stopped.load(Ordering::Relaxed) {
            return true;
        }
        if std::thread::current().id() != *asking {
            return false;
        }
        let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.last.elapsed() >= LOOKS {
            looked.raised = Python::attach(|py| py.check_signals()).err();
            looked.last = Instant::now();
            stopped.store(looked.raised.is_some(), Ordering::Relaxed);
        }
        looked.raised.is_some()
    }

    fn raised(&self) -> Option<PyErr> {
        self.0.looked.lock().unwrap_or_else(PoisonError::into_inner).raised.take()
    }
}

/// A pack that was loaded.
#[pyclass(frozen, module = "adjutant._native")]
struct Pack(Library);

#[pymethods]
impl Pack {
    /// Answers a request; both are JSON. Simulations run on so many threads, else on as many as the
    /// machine has cores.
    #[pyo3(signature = (request, threads=None))]
    fn ask(&self, py: Python<'_>, request: &str, threads: Option<usize>) -> PyResult<String> {
        let (signals, start) = (Signals::new(), Instant::now());
        let looks = signals.clone();
        let clock = Clock::new(move || start.elapsed());
        let stop = Stop::when(move || looks.stop());
        let work = Work::new(stop, clock, Luck::new(RandomInput::from_system));
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let work = work.on_threads(threads.unwrap_or_else(cores));
        let answer = py.detach(|| self.0.ask(request, &work));
        signals.raised().map_or(Ok(answer), Err)
    }

    /// The pack as the text of a bundle.
    fn bundle(&self) -> String {
        self.0.bundle()
    }
}

/// Reads a pack: the pack, or the fault as JSON.
fn loaded(read: Result<Library, LoadError>) -> (Option<Pack>, String) {
    match read {
        Ok(library) => (Some(Pack(library)), String::new()),
        Err(error) => (None, serde_json::to_string(&error.data()).unwrap_or_default()),
    }
}

/// Loads a pack from `{"id": …}`, `{"text": …}` or `{"files": {…}}`.
#[pyfunction]
fn load(py: Python<'_>, source: &str, tables: Option<String>) -> PyResult<(Option<Pack>, String)> {
    let source: PackSource =
        serde_json::from_str(source).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(py.detach(|| loaded(adjutant_query::load(source, tables))))
}

/// Loads a pack from a folder.
#[pyfunction]
fn load_folder(py: Python<'_>, folder: PathBuf, tables: Option<String>) -> (Option<Pack>, String) {
    py.detach(|| {
        loaded(match Files::from_folder(&folder) {
            Ok(files) => adjutant_query::load_files(files, tables),
            Err(faults) => Err(LoadError::Faulty { files: Files::default(), faults }),
        })
    })
}

/// Everything that is wrong with the files of a pack, as JSON.
#[pyfunction]
fn check(py: Python<'_>, files: std::collections::BTreeMap<String, String>) -> String {
    py.detach(|| adjutant_query::check_json(&Files::of(files)))
}

/// The ids of the packs that come with Adjutant.
#[pyfunction]
fn pack_ids() -> Vec<&'static str> {
    adjutant_bundled_packs::IDS.to_vec()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Pack>()?;
    module.add_function(wrap_pyfunction!(load, module)?)?;
    module.add_function(wrap_pyfunction!(load_folder, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(pack_ids, module)?)?;
    Ok(())
}
