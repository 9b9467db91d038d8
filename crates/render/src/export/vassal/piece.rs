//! Pieces in VASSAL's notation. A piece is a list of traits from the outside in, each with its type
//! and its state. Lists are texts joined by a separator, which is escaped with a backslash inside a
//! text. Lists are nested, each level with its own separator.

use super::super::one_line;

/// What the chat says of a command.
const REPORT: &str = "$PlayerName$: $menuCommand$: $newPieceName$";

/// A card of a deck.
pub(super) struct CardPiece<'a> {
    pub name: &'a str,
    /// The picture of its front.
    pub image: &'a str,
    /// The picture of its back.
    pub back: &'a str,
    /// The name of its deck.
    pub deck: &'a str,
    /// The name of the discard pile.
    pub discards: &'a str,
    /// The id of the piece in the module.
    pub id: usize,
}

/// Joins texts with a separator. A text that ends in a backslash or is in quotes is quoted, because
/// VASSAL would misread its end.
pub(super) fn joined(parts: &[&str], sign: char) -> String {
    let part = |text: &&str| {
        let escaped = text.replace(sign, &format!("\\{sign}"));
        let quoted = text.ends_with('\\') || (text.starts_with('\'') && text.ends_with('\''));
        if quoted { format!("'{escaped}'") } else { escaped }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(&sign.to_string())
}

/// The command that creates a card: discarded with Ctrl+D, put back with Ctrl+R, turned with
/// Ctrl+F. The outermost trait reports these commands in the chat, after they were carried out: a
/// card that lies face down by then is not named.
pub(super) fn definition(card: &CardPiece<'_>) -> String {
    let name = one_line(card.name);
    let discard = joined(&["return", "Discard", "D", card.discards, ""], ';');
    let put_back = joined(&["return", "Put back into the deck", "R", card.deck, ""], ';');
    let mask = joined(&["obs", "F", card.back, "Turn over", "B", "Card", "player:", "Peek"], ';');
    let basic = joined(&["piece", "", "", card.image, &name], ';');
    let report = joined(&["report", "DRF", REPORT, "", "", "", "false"], ';');
    // From the inside out.
    let nested = |inner: String, outer: &str| joined(&[outer, &inner], '\t');
    let types = [&mask, &put_back, &discard, &report].into_iter();
    let types = types.fold(basic, |inner, outer| nested(inner, outer));
    // The report does not change; the traits that send a card away have no state; the mask is off;
    // the card is on no map yet.
    let place = format!("null;0;0;{};0", card.id);
    let state = ["null;", "", "", "-1"].into_iter().fold(place, nested);
    format!("+/{}", joined(&["null", &types, &state], '/'))
}
