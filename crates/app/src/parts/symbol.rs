//! The symbol of a unit: a frame with the sign of its kind, as on maps. A pack names one or draws
//! its own.

use adjutant_pack::Symbol;
use maud::{Markup, html};

/// The sign inside the frame. A name without a sign is an empty frame.
fn sign(name: &str) -> &str {
    match name {
        "aircraft" => "M5 12c0-2 3-2 7 0s7 2 7 0-3-2-7 0-7 2-7 0",
        "anti-tank" => "M2 19 12 5l10 14",
        "armour" => "M8 9h8a3 3 0 0 1 0 6H8a3 3 0 0 1 0-6",
        "artillery" => "M12 11.5h.01v1H12z",
        "cavalry" | "recon" => "M2 19 22 5",
        "engineers" => "M7 15V9h10v6M12 9v6",
        "headquarters" => "M2 9h20",
        "infantry" => "M2 5l20 14M22 5 2 19",
        "leader" => "M12 7l1.5 3.4 3.5.3-2.7 2.4.9 3.6-3.2-1.9-3.2 1.9.9-3.6L7 10.7l3.5-.3z",
        "machine-gun" => "M12 17V8M9.5 10.5 12 8l2.5 2.5M9 17h6",
        "medical" => "M12 5v14M2 12h20",
        "mortar" => "M12 13V7M10 9l2-2 2 2M12 13a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
        "ship" => "M5 12h14l-3 4H8zM12 7v5",
        "transport" => "M2 15h20",
        "unknown" => "M9.7 9.5a2.4 2.4 0 1 1 3.5 2.1c-.9.4-1.2.8-1.2 1.7M12 16h.01",
        "vehicle" => "M6 9h12v5H6zM9 16.5h.01M15 16.5h.01",
        _ => "",
    }
}

/// The symbol of a kind of unit.
pub fn view(symbol: Option<&Symbol>) -> Markup {
    let path = match symbol {
        Some(Symbol::Path(path)) => path.to_string(),
        Some(Symbol::Named(name)) => format!("M2 5h20v14H2z{}", sign(name)),
        None => return html! {},
    };
    html! { svg.symbol viewBox="0 0 24 24" aria-hidden="true" { path d=(path) {} } }
}

#[cfg(test)]
mod tests {
    use super::sign;

    /// A relative move would start where the frame ends.
    #[test]
    fn every_symbol_has_a_sign_that_starts_at_a_place_of_its_own() {
        for name in adjutant_pack::SYMBOLS.iter().filter(|name| **name != "unit") {
            assert!(sign(name).starts_with('M'), "{name}: {}", sign(name));
        }
    }
}
