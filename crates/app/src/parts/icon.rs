//! Icons, all drawn with one line width. They are beside words, or have a label for screen readers.

use maud::{Markup, PreEscaped};

fn pen(path: &str) -> Markup {
    PreEscaped(format!(
        r#"<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">{path}</svg>"#
    ))
}

/// The logo: a sheet with a die.
pub fn brand() -> Markup {
    PreEscaped(
        r#"<svg class="icon brand-mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 2h9l5 5v15H5z" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round"/><path d="M14 2v5h5" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round"/><rect x="8" y="11" width="8" height="8" rx="1.6" fill="var(--red)"/><g fill="var(--paper)"><circle cx="10" cy="13" r=".95"/><circle cx="14" cy="13" r=".95"/><circle cx="12" cy="15" r=".95"/><circle cx="10" cy="17" r=".95"/><circle cx="14" cy="17" r=".95"/></g></svg>"#
            .to_owned(),
    )
}

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident: $path:literal;)+) => {
        $($(#[$doc])* pub fn $name() -> Markup { pen($path) })+
    };
}

icons! {
    /// Back.
    back: r#"<path d="M14.5 5 8 12l6.5 7"/>"#;
    /// Close.
    close: r#"<path d="m6 6 12 12M18 6 6 18"/>"#;
    /// A tick.
    check: r#"<path d="m5 12.5 4.5 4.5L19 7"/>"#;
    /// Less.
    minus: r#"<path d="M6 12h12"/>"#;
    /// More.
    plus: r#"<path d="M6 12h12M12 6v12"/>"#;
    /// Home.
    home: r#"<path d="M4 20V9l8-5 8 5v11M9.5 20v-6h5v6"/>"#;
    /// A sheet.
    sheet: r#"<path d="M6 3h9l4 4v14H6zM9 10h7M9 13.5h7M9 17h4"/>"#;
    /// A die.
    die: r#"<rect x="4" y="4" width="16" height="16" rx="3"/><path d="M8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01" stroke-width="2.6"/>"#;
    /// Odds.
    odds: r#"<path d="M4 20h16M6.5 20v-5M10.5 20V9M14.5 20V5M18 20v-8"/>"#;
    /// The pack editor.
    pack_editor: r#"<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4"/>"#;
    /// Search.
    search: r#"<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>"#;
    /// A card.
    card: r#"<rect x="6" y="3" width="12" height="18" rx="2"/><path d="M9 7h2M13 17h2M9.5 12h5"/>"#;
    /// A table with players.
    table: r#"<path d="M3 10h18M5 10v9M19 10v9M8 10V6h8v4"/>"#;
    /// Import.
    import: r#"<path d="M12 4v11M8 11l4 4 4-4M4 19h16"/>"#;
    /// A link.
    link: r#"<path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"/>"#;
    /// The units.
    roster: r#"<circle cx="8" cy="8" r="3"/><path d="M3 19c0-3.5 2-5.5 5-5.5s5 2 5 5.5M16 6.5a2.5 2.5 0 1 1 0 5M15.5 14c3 0 5 2 5 5"/>"#;
    /// More.
    more: r#"<path d="M5 7h14M5 12h14M5 17h14"/>"#;
    /// Undo.
    undo: r#"<path d="M9 6 4.5 10.5 9 15M5 10.5h9a5 5 0 0 1 0 10h-3"/>"#;
    /// Redo.
    redo: r#"<path d="m15 6 4.5 4.5L15 15M19 10.5h-9a5 5 0 0 0 0 10h3"/>"#;
    /// Help.
    help: r#"<circle cx="12" cy="12" r="8.5"/><path d="M9.6 9.6a2.5 2.5 0 1 1 3.6 2.2c-.9.4-1.2.9-1.2 1.7M12 16.4h.01"/>"#;
    /// Forward.
    forward: r#"<path d="M9.5 5 16 12l-6.5 7"/>"#;
}

/// The theme button.
pub fn theme(theme: crate::Theme) -> Markup {
    match theme {
        crate::Theme::Auto => pen(
            r#"<circle cx="12" cy="12" r="7.5"/><path d="M12 4.5v15a7.5 7.5 0 0 0 0-15" fill="currentColor"/>"#,
        ),
        crate::Theme::Dark => pen(r#"<path d="M19 14.5A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.5z"/>"#),
        crate::Theme::Light => pen(
            r#"<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4"/>"#,
        ),
    }
}
