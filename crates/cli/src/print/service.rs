//! `adjutant print PACK DECK --for print-service -o FOLDER`: a picture for each card, as print
//! services take them. Everything is made before anything is written.

use super::cards::{DrawnCards, deck_of, opened};
use super::options::{Target, without_effect};
use crate::args::{Print, Program};
use crate::atomic_file::write_folder;
use crate::error::CommandError;
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use adjutant_render::card::{CardStyle, MINI, POKER, TAROT};
use adjutant_render::draw::Size;
use adjutant_render::imposition::{SERVICE_BLEED, ServiceOptions, service_pictures, service_size};
use anyhow::anyhow;

pub fn write(shelf: &PackRegistry, asked: &Print) -> Result<CommandOutput, CommandError> {
    let wrong = without_effect(asked, Target::For(Program::PrintService));
    if !wrong.is_empty() {
        return Err(CommandError::usage(wrong));
    }
    let pack = opened(shelf, &asked.pack)?;
    let deck = deck_of(&pack, &asked.what)?;
    let own = Size { width: deck.layout.card.0, height: deck.layout.card.1 };
    let size = match &asked.size {
        Some(size) => service_size(size).map_err(|why| anyhow!("--size: {why}"))?,
        None => format_of(own),
    };
    let bleed = asked.bleed.unwrap_or(SERVICE_BLEED);
    let options = ServiceOptions { card: size, bleed, dots: super::dots(asked)? };
    let style = CardStyle { large: asked.large, low_ink: asked.low_ink, cut: true };
    let DrawnCards { fronts, back, fonts, warnings } =
        DrawnCards::new(asked, (&pack, deck), size, style)?;
    let files = service_pictures(&fronts, &back, &options, &fonts).map_err(anyhow::Error::msg)?;
    write_folder(&asked.output, &files, asked.force)?;
    let (wide, high) = options.pixels();
    let said = format!(
        "{}: {} fronts and a back of {wide} × {high} pixels, {:.1} × {:.1} mm with {:.1} mm of bleed, and contact-sheet.png\n",
        asked.output.display(),
        fronts.len(),
        size.width + 2.0 * bleed,
        size.height + 2.0 * bleed,
        bleed
    );
    Ok(CommandOutput::done(said).with_warnings(&warnings))
}

/// The format of a print service that is nearest to a card of ours.
fn format_of(own: Size) -> Size {
    let known = [(POKER, "poker"), (MINI, "mini"), (TAROT, "tarot")];
    let named = known.into_iter().find(|(size, _)| *size == own);
    named.and_then(|(_, name)| service_size(name).ok()).unwrap_or(own)
}
