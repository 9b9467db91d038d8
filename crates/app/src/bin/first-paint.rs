//! Writes the page as a folder of static files: `first-paint FOLDER ENGINE.wasm [WORKSHOP.wasm]`.
//! Called by tools/page. Without a second module, the first one has the workshop.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, engine, workshop) = match args.as_slice() {
        [folder, engine] => (folder, engine, None),
        [folder, engine, workshop] => (folder, engine, Some(Path::new(workshop))),
        _ => {
            eprintln!("first-paint FOLDER ENGINE.wasm [WORKSHOP.wasm]");
            return ExitCode::FAILURE;
        }
    };
    match write(Path::new(folder), Path::new(engine), workshop) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("the page could not be written from {engine} into {folder}: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path, engine: &Path, workshop: Option<&Path>) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let workshop = workshop.map(std::fs::read).transpose()?;
    for (name, bytes) in adjutant_app::site(std::fs::read(engine)?, workshop) {
        // An unchanged file is not written, so that cargo does not rebuild what includes it.
        let path = folder.join(name);
        if std::fs::read(&path).ok().as_ref() != Some(&bytes) {
            std::fs::write(path, bytes)?;
        }
    }
    Ok(())
}
