//! Shows what a draft makes of a file: `cargo run -p adjutant-draft --example look FILE`.
#![allow(clippy::unwrap_used, missing_docs)]
fn main() {
    let file = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let draft = adjutant_draft::draft(&text, &Default::default()).unwrap();
    for piece in &draft.pieces {
        println!(
            "{:>4}-{:<4} {:?} {:?}",
            piece.lines.0,
            piece.lines.1,
            piece.content.kind(),
            piece.charts
        );
    }
    println!("{}", draft.pack_toml());
    for guess in &draft.guesses {
        println!("guess {:>4} {:?} {:?} {:?}", guess.line, guess.kind, guess.printed, guess.chart);
    }
    println!("{:?} {:?}", draft.format, draft.account());
}
