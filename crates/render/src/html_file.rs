//! One self-contained HTML file: no script, nothing fetched, light or dark as the reader prefers.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Wraps a body in a file with its style sheet inside.
pub(crate) fn html_file(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string() + "\n"
}
