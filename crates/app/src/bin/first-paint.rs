//! Writes the page as a folder of static files: `first-paint ENGINE.wasm FOLDER`. Called by
//! tools/page.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder] = args.as_slice() else {
        eprintln!("first-paint ENGINE.wasm FOLDER");
        return ExitCode::FAILURE;
    };
    match write(Path::new(engine), Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("the page could not be written from {engine} into {folder}: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn write(engine: &Path, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, bytes) in adjutant_app::site(std::fs::read(engine)?) {
        // An unchanged file is not written, so that cargo does not rebuild what includes it.
        let path = folder.join(name);
        if std::fs::read(&path).ok().as_ref() != Some(&bytes) {
            std::fs::write(path, bytes)?;
        }
    }
    Ok(())
}
