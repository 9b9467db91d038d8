//! Pieces as VASSAL writes them. A piece is a list of traits from the outside in, each with its type and its state; lists are
//! texts joined by a sign, in which the sign itself stands behind a backslash. Lists lie in lists, each with its own sign.

use super::super::one_line;

/// What a card of a deck is.
pub(super) struct CardPiece<'a> {
    /// Its name.
    pub name: &'a str,
    /// The picture of its front.
    pub image: &'a str,
    /// The picture of its back.
    pub back: &'a str,
    /// The deck that it comes from.
    pub deck: &'a str,
    /// The pile it is discarded on.
    pub discards: &'a str,
    /// The number by which the module knows it.
    pub id: usize,
}

/// Texts joined by a sign. A text that ends in a backslash, or stands in quotes of its own, is put in quotes, or its end
/// would be taken for part of the joint.
pub(super) fn joined(parts: &[&str], sign: char) -> String {
    let part = |text: &&str| {
        let escaped = text.replace(sign, &format!("\\{sign}"));
        let quoted = text.ends_with('\\') || (text.starts_with('\'') && text.ends_with('\''));
        if quoted { format!("'{escaped}'") } else { escaped }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(&sign.to_string())
}

/// The command that sets a card on the table: discarded with Ctrl+D, put back with Ctrl+R, turned with Ctrl+F.
pub(super) fn definition(card: &CardPiece<'_>) -> String {
    let name = one_line(card.name);
    let discard = joined(&["return", "Discard", "D", card.discards, ""], ';');
    let put_back = joined(&["return", "Put back into the deck", "R", card.deck, ""], ';');
    let mask = joined(&["obs", "F", card.back, "Turn over", "B", "Card", "player:", "Peek"], ';');
    let basic = joined(&["piece", "", "", card.image, &name], ';');
    let types = joined(&[&discard, &joined(&[&put_back, &joined(&[&mask, &basic], '\t')], '\t')], '\t');
    // The traits that send a card away remember nothing; the mask is off; the card is on no map yet.
    let place = format!("null;0;0;{};0", card.id);
    let state = joined(&["", &joined(&["", &joined(&["null;", &place], '\t')], '\t')], '\t');
    format!("+/{}", joined(&["null", &types, &state], '/'))
}
