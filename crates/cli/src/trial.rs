//! `adjutant test`: the cases of packs, tried.

use crate::check::{Finding, Severity, rendered, rendered_findings};
use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use crate::pack_registry::{FoundPack, PackRegistry};
use crate::paint::{DIM, RESULT, WARN, in_style};
use adjutant_engine::try_suite;
use adjutant_pack::{Diagnostic, read_cases, read_pack};

pub fn test(shelf: &PackRegistry, paths: &[String], coverage: bool) -> CommandResult {
    let found: Result<Vec<FoundPack>, CommandError> = match paths {
        [] => Ok(shelf.all()),
        paths => paths.iter().map(|path| shelf.find(path)).collect(),
    };
    let found = found?;
    let (mut out, mut err) = (String::new(), String::new());
    for pack in &found {
        let (text, faults) = one(pack, coverage);
        out.push_str(&text);
        err.push_str(&faults);
    }
    Ok(if err.is_empty() { CommandOutput::done(out) } else { CommandOutput::faulty(out, err) })
}

/// What trying one pack says, and what is wrong with it.
fn one(found: &FoundPack, coverage: bool) -> (String, String) {
    let shown = found.folder.as_ref().map(|dir| dir.display().to_string());
    let files = match &found.files {
        Ok(files) => files,
        Err(faults) => {
            return (
                String::new(),
                rendered(faults, &adjutant_pack::Files::default(), shown.as_deref(), &[]),
            );
        }
    };
    let say =
        |faults: Vec<Diagnostic>| (String::new(), rendered(&faults, files, shown.as_deref(), &[]));
    let (pack, suite) = match (read_pack(files, None), read_cases(files)) {
        (Ok(pack), Ok(suite)) => (pack, suite),
        (pack, suite) => return say(pack.err().into_iter().chain(suite.err()).flatten().collect()),
    };
    let filled = match suite.tables.as_ref().map(|tables| read_pack(files, Some(tables))) {
        None => None,
        Some(Ok(filled)) => Some(filled),
        Some(Err(faults)) => {
            return say(faults
                .into_iter()
                .map(|fault| Diagnostic { file: "cases.toml".into(), ..fault })
                .collect());
        }
    };
    let trial = try_suite(&pack, filled.as_ref(), &suite, adjutant_wording::en::case_error);
    let failed = trial.failures.len();
    let (reached, all) = trial.coverage.count(&pack);
    let mut out = format!(
        "{}: {} passed, {failed} failed",
        in_style(if failed == 0 { RESULT } else { WARN }, pack.id()),
        trial.passed
    );
    out.push_str(&in_style(
        DIM,
        format!("; {reached} of {all} rows, modifiers and card fields reached\n"),
    ));
    if coverage {
        for line in adjutant_wording::en::coverage_lines(&pack, &trial.coverage.missing(&pack)) {
            out.push_str(&format!("  not reached: {line}\n"));
        }
    }
    let findings: Vec<Finding> = trial
        .failures
        .into_iter()
        .map(|failure| Finding {
            file: "cases.toml".into(),
            span: failure.place,
            message: format!(
                "{}: {}",
                failure.name,
                adjutant_wording::en::case_failure(&failure.why)
            ),
            help: None,
            severity: Severity::Error,
        })
        .collect();
    (out, rendered_findings(&findings, files, shown.as_deref(), &[]))
}
