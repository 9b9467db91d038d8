//! Completions for shells and manual pages, made from the same description as the help.

use crate::args::Args;
use crate::verdict::Verdict;
use clap::CommandFactory;
use std::path::Path;

pub fn completions(shell: clap_complete::Shell) -> Verdict {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "adjutant", &mut bytes);
    Verdict::done(String::from_utf8_lossy(&bytes).into_owned())
}

pub fn man(dir: Option<&Path>) -> Verdict {
    let cannot = |fault: std::io::Error| Verdict::wrong(&[format!("the manual cannot be written: {fault}")]);
    match dir {
        Some(dir) => match std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(Args::command(), dir)) {
            Ok(()) => Verdict::done(format!("the manual pages are in {}\n", dir.display())),
            Err(fault) => cannot(fault),
        },
        None => {
            let mut bytes = Vec::new();
            match clap_mangen::Man::new(Args::command()).render(&mut bytes) {
                Ok(()) => Verdict::done(String::from_utf8_lossy(&bytes).into_owned()),
                Err(fault) => cannot(fault),
            }
        }
    }
}
