//! `adjutant check`: every fault of a pack, with its line, a caret at the place, and a remedy.

use crate::error::{CommandResult, FaultyPack, UserFile};
use crate::output::CommandOutput;
use crate::pack_registry::{FoundPack, PackRegistry};
use crate::paint::{RESULT, in_style};
use adjutant_pack::{Diagnostic, Files, read_cases, read_pack, warnings};
use adjutant_wording::en::{Sentence, diagnostic};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

pub fn check(registry: &PackRegistry, paths: &[String]) -> CommandResult {
    let (mut out, mut err, mut count) = (String::new(), String::new(), 0);
    for path in paths {
        let pack = registry.find(path)?;
        let (faults, files) = faults_of(&pack);
        let shown = pack.folder.as_ref().map(|dir| dir.display().to_string());
        if faults.is_empty() {
            out.push_str(&format!("{} {}\n", in_style(RESULT, "sound"), pack.id));
        }
        count += faults.len();
        err.push_str(&rendered(&faults, &files, shown.as_deref(), &[]));
        let warned: Vec<Finding> =
            warnings(&files).iter().map(|warning| Finding::from(warning).into_warning()).collect();
        err.push_str(&rendered_findings(&warned, &files, shown.as_deref(), &[]));
    }
    match count {
        0 => Ok(CommandOutput::done(out).with_err(&err)),
        _ => Ok(CommandOutput::faulty(out, err + &tail(count))),
    }
}

fn tail(count: usize) -> String {
    format!("{count} {}\n", if count == 1 { "fault" } else { "faults" })
}

/// The faults of a pack and of its cases.
fn faults_of(found: &FoundPack) -> (Vec<Diagnostic>, Files) {
    match &found.files {
        Err(faults) => (faults.clone(), Files::default()),
        Ok(files) => {
            let mut faults = read_pack(files, None).err().unwrap_or_default();
            let cases = read_cases(files);
            if let (true, Ok(suite)) = (faults.is_empty(), &cases)
                && let Some(tables) = &suite.tables
            {
                let of_cases = read_pack(files, Some(tables)).err().unwrap_or_default();
                faults.extend(
                    of_cases
                        .into_iter()
                        .map(|fault| Diagnostic { file: "cases.toml".into(), ..fault }),
                );
            }
            faults.extend(cases.err().unwrap_or_default());
            (faults, files.clone())
        }
    }
}

/// The faults of a pack that cannot be used.
pub fn faulty_pack(pack: &FaultyPack) -> String {
    rendered(&pack.faults, &pack.files, pack.folder.as_deref(), &pack.own)
        + &tail(pack.faults.len())
}

/// Something to show at a place in a file.
pub struct Finding {
    pub file: String,
    pub span: Range<usize>,
    pub message: String,
    pub help: Option<String>,
    pub severity: Severity,
}

/// Faults make a pack unusable, warnings do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

impl Finding {
    fn into_warning(self) -> Finding {
        Finding { severity: Severity::Warning, ..self }
    }
}

impl From<&Diagnostic> for Finding {
    fn from(fault: &Diagnostic) -> Finding {
        let Sentence { message, help } = diagnostic(fault);
        Finding {
            file: fault.file.clone(),
            span: fault.span.clone(),
            message,
            help: Some(help),
            severity: Severity::Error,
        }
    }
}

/// Faults as a compiler shows them.
pub fn rendered(
    faults: &[Diagnostic],
    files: &Files,
    folder: Option<&str>,
    own: &[UserFile],
) -> String {
    let findings: Vec<Finding> = faults.iter().map(Finding::from).collect();
    rendered_findings(&findings, files, folder, own)
}

/// Findings as a compiler shows them.
pub fn rendered_findings(
    findings: &[Finding],
    files: &Files,
    folder: Option<&str>,
    own: &[UserFile],
) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let mut out = String::new();
    for finding in findings {
        let own = own.iter().find(|file| file.name == finding.file);
        let text = own.map(|file| file.text.as_str()).or(files.text(&finding.file));
        let path = match (own, folder) {
            (Some(own), _) => own.path.display().to_string(),
            (None, Some(folder)) if finding.file != folder => {
                format!("{}/{}", folder.trim_end_matches('/'), finding.file)
            }
            _ => finding.file.clone(),
        };
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(finding.message.as_str()));
        let place =
            text.map(|text| (text, clamped(text, &finding.span))).filter(|_| finding.span.end > 0);
        group = match place {
            Some((text, span)) => group.element(
                Snippet::source(text).path(path).annotation(AnnotationKind::Primary.span(span)),
            ),
            None => group.element(annotate_snippets::Origin::path(path)),
        };
        let mut report = vec![group];
        if let Some(help) = &finding.help {
            report.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
        }
        out.push_str(&renderer.render(&report).to_string());
        out.push_str("\n\n");
    }
    out
}

/// A span inside the text, at most to the end of its first line, on whole characters.
fn clamped(text: &str, place: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let mut start = place.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let mut end = place.end.clamp(start, line_end);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}
