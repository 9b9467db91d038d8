//! Screens as they look. `BLESS=1 cargo test -p adjutant session` writes them again: look at what
//! changed.

use super::{Bench, chain_reaction, panzer8};
use crate::session::look::Look;

const SIZES: [(u16, u16); 3] = [(80, 24), (100, 30), (140, 40)];

fn golden(name: &str, bench: &Bench) {
    for (width, height) in SIZES {
        let path =
            format!("{}/src/session/tests/screens/{name}-{width}.txt", env!("CARGO_MANIFEST_DIR"));
        let seen = bench.seen(width, height);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &seen).unwrap();
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            known == seen,
            "{name} at {width}×{height} looks otherwise than it did; BLESS=1 writes it again:\n{seen}"
        );
    }
}

#[test]
fn panzer8_looks_as_it_did() {
    let mut bench = panzer8();
    golden("panzer8-home", &bench);
    bench.press("<enter>");
    golden("panzer8-charts", &bench);
    bench.press("fire<enter><enter><down><enter>");
    bench.press("1<down> <down>");
    golden("panzer8-form", &bench);
    bench.press("o");
    bench.press("7");
    golden("panzer8-pad", &bench);
    bench.press("<enter>3<enter>");
    golden("panzer8-result", &bench);
    bench.press("<esc>e");
    golden("panzer8-change", &bench);
    bench.press("<esc>?");
    golden("panzer8-help", &bench);
}

#[test]
fn chain_reaction_looks_as_it_did() {
    let mut bench = chain_reaction();
    golden("chain-reaction-home", &bench);
    bench.press("<enter>");
    golden("chain-reaction-due", &bench);
    bench.press("<esc>pin sight<enter><enter>");
    golden("chain-reaction-units", &bench);
    bench.press("<esc><esc>n");
    golden("chain-reaction-phase", &bench);
}

#[test]
fn the_readme_shows_the_form_as_it_is() {
    let mut bench = panzer8();
    bench.press("<enter>fire<enter><enter><down><enter>1<down> <down>");
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    assert!(
        readme.contains(bench.seen(80, 24).trim_end()),
        "README.md shows another screen than:\n{}",
        bench.seen(80, 24)
    );
}

#[test]
fn every_size_can_be_drawn_also_without_colour() {
    let mut bench = chain_reaction();
    bench.state.look = Look { colours: false };
    for keys in ["", "p", "<esc><enter>", "<esc>?", "<esc>a", "<esc>n"] {
        bench.press(keys);
        for (width, height) in [
            (1, 1),
            (10, 4),
            (24, 8),
            (40, 12),
            (59, 20),
            (60, 9),
            (80, 24),
            (99, 10),
            (100, 8),
            (300, 90),
        ] {
            let seen = bench.seen(width, height);
            assert!(seen.lines().count() == height as usize);
        }
    }
    assert!(bench.seen(50, 20).contains("narrow: Tab turns the page"));
    assert!(bench.seen(20, 6).contains("small"));
}

#[test]
fn without_colour_no_cell_has_one() {
    let mut bench = panzer8();
    bench.state.look = Look { colours: false };
    bench.press("pfire<enter>");
    let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(100, 30)).unwrap();
    terminal.draw(|frame| crate::session::view::view(&bench.state, frame)).unwrap();
    let plain = |cell: &ratatui::buffer::Cell| {
        cell.fg == ratatui::style::Color::Reset && cell.bg == ratatui::style::Color::Reset
    };
    assert!(terminal.backend().buffer().content().iter().all(plain));
}
