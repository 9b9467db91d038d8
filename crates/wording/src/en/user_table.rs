//! The form in which players fill in a table of their own.

use adjutant_pack::{Pack, UserTable};

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
