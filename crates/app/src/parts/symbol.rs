//! The symbol of a unit: a frame with the sign of its kind, as on maps. A pack names one or draws
//! its own.

use adjutant_pack::{Sign, Symbol};
use maud::{Markup, html};

/// What is drawn inside the frame.
fn drawn(sign: Sign) -> &'static str {
    match sign {
        Sign::Aircraft => "M5 12c0-2 3-2 7 0s7 2 7 0-3-2-7 0-7 2-7 0",
        Sign::AntiTank => "M2 19 12 5l10 14",
        Sign::Armour => "M8 9h8a3 3 0 0 1 0 6H8a3 3 0 0 1 0-6",
        Sign::Artillery => "M12 11.5h.01v1H12z",
        Sign::Cavalry | Sign::Recon => "M2 19 22 5",
        Sign::Engineers => "M7 15V9h10v6M12 9v6",
        Sign::Headquarters => "M2 9h20",
        Sign::Infantry => "M2 5l20 14M22 5 2 19",
        Sign::Leader => "M12 7l1.5 3.4 3.5.3-2.7 2.4.9 3.6-3.2-1.9-3.2 1.9.9-3.6L7 10.7l3.5-.3z",
        Sign::MachineGun => "M12 17V8M9.5 10.5 12 8l2.5 2.5M9 17h6",
        Sign::Medical => "M12 5v14M2 12h20",
        Sign::Mortar => "M12 13V7M10 9l2-2 2 2M12 13a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
        Sign::Ship => "M5 12h14l-3 4H8zM12 7v5",
        Sign::Transport => "M2 15h20",
        Sign::Unknown => "M9.7 9.5a2.4 2.4 0 1 1 3.5 2.1c-.9.4-1.2.8-1.2 1.7M12 16h.01",
        Sign::Vehicle => "M6 9h12v5H6zM9 16.5h.01M15 16.5h.01",
        Sign::Unit => "",
    }
}

/// The symbol of a kind of unit.
pub fn view(symbol: Option<&Symbol>) -> Markup {
    let path = match symbol {
        Some(Symbol::Path(path)) => path.to_string(),
        Some(Symbol::Named(sign)) => format!("M2 5h20v14H2z{}", drawn(*sign)),
        None => return html! {},
    };
    html! { svg.symbol viewBox="0 0 24 24" aria-hidden="true" { path d=(path) {} } }
}

#[cfg(test)]
mod tests {
    use super::drawn;
    use adjutant_pack::Sign;

    /// A relative move would start where the frame ends.
    #[test]
    fn every_sign_starts_at_a_place_of_its_own() {
        for sign in Sign::ALL.into_iter().filter(|sign| *sign != Sign::Unit) {
            assert!(drawn(sign).starts_with('M'), "{sign:?}: {}", drawn(sign));
        }
    }
}
