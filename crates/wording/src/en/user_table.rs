//! The forms in which players fill in a table or a deck of their own.

use adjutant_pack::{DeckFieldKind, DeckSheet, Pack, UserTable};

/// A user deck without cards.
pub const USER_DECK_MISSING: &str = "yours to supply (adjutant tables)";

/// A form for the cards of a user deck, as a part of `tables.toml`. It is valid TOML as it is.
pub fn blank_deck(deck: &DeckSheet) -> String {
    if !deck.is_missing() {
        return format!("\n# {}: {} cards, supplied by you.\n", deck.title, deck.cards.len());
    }
    let mut out = format!("\n# {}\n", deck.title);
    if let Some(user) = deck.user.as_ref().filter(|user| !user.place.is_empty()) {
        out.push_str(&format!("# {}\n", user.place));
    }
    let mut columns = vec!["title".to_owned()];
    for field in &deck.fields {
        match &field.kind {
            DeckFieldKind::Numbers { from, to } => {
                columns.extend((*from..=*to).map(|n| format!("{}_{n}", field.id)));
            }
            DeckFieldKind::Choice { words } => {
                let words: Vec<&str> = words.iter().map(|word| word.id.as_str()).collect();
                out.push_str(&format!("# {} is one of: {}\n", field.id, words.join(", ")));
                columns.push(field.id.to_string());
            }
            _ => columns.push(field.id.to_string()),
        }
    }
    columns.push("count".into());
    let blank = ",".repeat(columns.len() - 1);
    out.push_str(&format!(
        "# A line for each card, as a spreadsheet saves it (CSV). count is how many copies there are, if not 1.\n\
         #[deck.{}]\n#cards = \'\'\'\n#{}\n#{blank}\n#\'\'\'\n",
        deck.id,
        columns.join(",")
    ));
    out
}

/// A form for `tables.toml`. It is valid TOML as it is: every line is a comment until the
/// player fills it in.
pub fn blank_form(pack: &Pack, table: &UserTable) -> String {
    if table.filled {
        return format!("\n# {}: filled in by you.\n", table.title);
    }
    let results: Vec<&str> = table.results.iter().map(|r| pack.results()[*r].id.as_str()).collect();
    let mut out = format!("\n# {}\n# It may say: {}\n", table.title, results.join(", "));
    if !table.place.is_empty() {
        out.push_str(&format!("# {}\n", table.place));
    }
    match &table.fixed.0 {
        Some(score) => out.push_str(&format!("# The score is {score}.\n")),
        None => out
            .push_str(&format!("# You write the score; it may use: {}\n", table.names.join(", "))),
    }
    out.push_str(&format!("#[table.{}]\n", table.id));
    if table.fixed.0.is_none() {
        out.push_str("#score = \"…\"\n");
    }
    let cells = |result: &str| match table.columns.as_slice() {
        [] => format!("all = \"{result}\""),
        columns => columns
            .iter()
            .map(|column| format!("{column} = \"{result}\""))
            .collect::<Vec<_>>()
            .join(", "),
    };
    let (first, last) =
        (results.first().copied().unwrap_or(""), results.last().copied().unwrap_or(""));
    out.push_str(&format!(
        "#rows = [\n#  {{ to = 0, {} }},\n#  {{ {} }},\n#]\n",
        cells(first),
        cells(last)
    ));
    out
}
