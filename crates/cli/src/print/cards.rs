//! `adjutant print PACK DECK`: the cards of a deck on paper, or as pictures. Everything is made
//! before anything is written.

use super::numbers::card_numbers;
use super::options::{Target, without_effect};
use crate::args::{Backs, Marks, Print, PrintForm};
use crate::atomic_file::{beside, write_several, write_whole};
use crate::error::{CommandError, FaultyPack};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use adjutant_pack::{DeckSheet, Files, Noun, Pack, UnknownName};
use adjutant_render::RenderError;
use adjutant_render::card::{self, CardStyle};
use adjutant_render::draw::{Drawing, Size};
use adjutant_render::imposition::{self, Imposition};
use adjutant_render::paper::{Document, Fonts, Page, Sides, pdf, png};
use adjutant_render::reference::{self, PageOptions};
use adjutant_wording::en::unknown_name::did_you_mean;
use anyhow::{Context, anyhow};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much larger the cards of large print are.
const LARGER: f64 = 1.4;

/// Letters below this size, in millimetres, are hard to read; below the second no one can.
const SMALL: (f64, f64) = (1.5, 0.8);

pub fn print(shelf: &PackRegistry, asked: &Print) -> Result<CommandOutput, CommandError> {
    let kind = kind(asked)?;
    let target = match kind {
        Kind::Pdf => Target::CardsOnPaper,
        Kind::Png => Target::CardsAsPng,
        Kind::Svg => Target::CardsAsSvg,
    };
    let misplaced = without_effect(asked, target);
    if !misplaced.is_empty() {
        return Err(CommandError::usage(misplaced));
    }
    let pack = opened(shelf, &asked.pack)?;
    let deck = deck_of(&pack, &asked.what)?;
    let own = size_of(asked, deck)?;
    // Large print enlarges the whole card, and only its letters if the size is given.
    let grows = asked.large && asked.size.is_none();
    let larger = |length: f64| (length * LARGER * 10.0).round() / 10.0;
    let size = match grows {
        true => Size { width: larger(own.width), height: larger(own.height) },
        false => own,
    };
    // A picture with bleed is to be cut out as well: then the card has no edge of its own.
    let style = CardStyle {
        large: asked.large && !grows,
        low_ink: asked.low_ink,
        cut: kind == Kind::Pdf || bleed(asked) > 0.0,
    };
    let cards = DrawnCards::new(asked, (&pack, deck), size, style)?;
    let said = match kind {
        Kind::Pdf => on_paper(asked, (&pack, deck), size, &cards),
        Kind::Svg | Kind::Png => pictures(asked, kind, &cards),
    };
    Ok(CommandOutput::done(said?).with_warnings(&cards.warnings))
}

/// The cards that are asked for, drawn.
pub(super) struct DrawnCards {
    /// With their numbers.
    pub(super) fronts: Vec<(u32, Arc<Drawing>)>,
    pub(super) back: Arc<Drawing>,
    pub(super) fonts: Fonts,
    /// Letters that are hard to read, and characters that no font has.
    pub(super) warnings: Vec<String>,
}

impl DrawnCards {
    /// Draws the cards in this size and style.
    pub(super) fn new(
        asked: &Print,
        (pack, deck): (&Pack, &DeckSheet),
        size: Size,
        style: CardStyle,
    ) -> Result<DrawnCards, CommandError> {
        let numbers = card_numbers(asked.cards.as_deref(), deck.cards.len() as u32)?;
        let front = |number: u32| Arc::new(card::front_as(pack, deck, number, size, style));
        let fronts: Vec<(u32, Arc<Drawing>)> =
            numbers.into_iter().map(|number| (number, front(number))).collect();
        let (back, fonts) = (Arc::new(card::back_as(deck, size, style)), Fonts::new());
        let mut warnings = too_small(&fronts, size)?;
        let all = fronts.iter().map(|(_, front)| &**front).chain([&*back]);
        warnings.extend(super::lacking(&fonts, all));
        Ok(DrawnCards { fronts, back, fonts, warnings })
    }
}

/// What is written, by the ending of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pdf,
    Svg,
    Png,
}

fn kind(asked: &Print) -> anyhow::Result<Kind> {
    match super::form(asked) {
        Some(PrintForm::Pdf) => Ok(Kind::Pdf),
        Some(PrintForm::Svg) => Ok(Kind::Svg),
        Some(PrintForm::Png) => Ok(Kind::Png),
        _ => Err(anyhow!(
            "{}: cards are written as .pdf, .svg or .png: let the file end in one of these, or name one with --as",
            asked.output.display()
        )),
    }
}

/// The pack, or the one that a plain CSV stands for.
pub(super) fn opened(shelf: &PackRegistry, name: &str) -> Result<Pack, CommandError> {
    if !name.to_lowercase().ends_with(".csv") {
        return shelf.open(name).map(|opened| opened.pack);
    }
    let path = Path::new(name);
    let file = path.file_name().map_or(name.to_owned(), |file| file.to_string_lossy().into_owned());
    let text = adjutant_pack::read_text(path, &file).map_err(|fault| {
        let said = adjutant_wording::en::diagnostic(&fault);
        CommandError::usage([format!("{}: {} ({})", path.display(), said.message, said.help)])
    })?;
    let folder = path
        .parent()
        .map(|folder| folder.display().to_string())
        .filter(|folder| !folder.is_empty());
    let files = Files::of([(file.clone(), text.clone())]);
    let faulty = |faults| {
        CommandError::Pack(Box::new(FaultyPack { faults, files, folder, own: Vec::new() }))
    };
    adjutant_pack::pack_of_csv(&file, &text)
        .and_then(|pack| adjutant_pack::read_pack(&pack, None))
        .map_err(faulty)
}

/// The deck that is named; the only one if none is.
pub(super) fn deck_of<'p>(pack: &'p Pack, named: &[String]) -> anyhow::Result<&'p DeckSheet> {
    let decks: Vec<&DeckSheet> = pack.card_decks().collect();
    let known: Vec<&str> = decks.iter().map(|deck| deck.id.as_str()).collect();
    match (named, decks.as_slice()) {
        (_, []) => {
            Err(anyhow!("{} has no deck: its charts are printed with --sheet", pack.title()))
        }
        ([], [only]) => Ok(only),
        ([], _) => {
            Err(anyhow!("{} has several decks: say which, {}", pack.title(), known.join(" or ")))
        }
        ([name], decks) => decks.iter().find(|deck| deck.id == *name).copied().with_context(|| {
            let unknown = UnknownName::new(Noun::Deck, name, known.iter().copied());
            let help = did_you_mean(&unknown, |known| format!("there are {}", known.join(", ")));
            format!("{} has no deck `{}`: {help}", pack.title(), unknown.name)
        }),
        ([_, more, ..], _) => Err(anyhow!(
            "one deck is printed at a time: leave out `{more}`, or add --sheet to print charts"
        )),
    }
}

/// The size that is asked for; the deck's own if none is.
fn size_of(asked: &Print, deck: &DeckSheet) -> anyhow::Result<Size> {
    match &asked.size {
        Some(size) => imposition::card_size(size).map_err(|why| anyhow!("--size: {why}")),
        None => Ok(Size { width: deck.layout.card.0, height: deck.layout.card.1 }),
    }
}

/// Whether letters come out too small, and which size would do.
fn too_small(fronts: &[(u32, Arc<Drawing>)], size: Size) -> anyhow::Result<Vec<String>> {
    let all =
        fronts.iter().filter_map(|(number, front)| Some((*number, card::smallest_letters(front)?)));
    let Some((number, letters)) = all.min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Ok(Vec::new());
    };
    let by = SMALL.0 / letters.max(0.01);
    let needed = format!("{:.0}x{:.0}mm", (size.width * by).ceil(), (size.height * by).ceil());
    let said = format!("the smallest letters, on card {number}, are {letters:.1} mm high");
    match letters {
        letters if letters < SMALL.1 => Err(anyhow!(
            "{said}, which is too small to read: a card of {needed} would hold its text (--size {needed})"
        )),
        letters if letters < SMALL.0 => {
            Ok(vec![format!("{said}: a card of {needed} would be easier to read")])
        }
        _ => Ok(Vec::new()),
    }
}

fn on_paper(
    asked: &Print,
    (pack, deck): (&Pack, &DeckSheet),
    size: Size,
    DrawnCards { fronts, back, fonts, .. }: &DrawnCards,
) -> anyhow::Result<String> {
    let how = Imposition {
        paper: super::size(asked.paper),
        card: size,
        bleed: bleed(asked),
        backs: match asked.backs {
            None | Some(Backs::Duplex) => imposition::Backs::Duplex,
            Some(Backs::Gutterfold) => imposition::Backs::Gutterfold,
            Some(Backs::Separate) => imposition::Backs::Separate,
            Some(Backs::None) => imposition::Backs::None,
        },
        marks: asked.marks != Some(Marks::None),
        name: deck.title.to_string(),
    };
    let drawings: Vec<Arc<Drawing>> = fronts.iter().map(|(_, front)| front.clone()).collect();
    let mut pages = imposition::pages(&drawings, back, &how).map_err(anyhow::Error::msg)?;
    let said = format!(
        "{}: {}, {}{}\n",
        asked.output.display(),
        counted(fronts.len(), "card"),
        counted(pages.len(), "page"),
        if asked.key { " and a key" } else { "" }
    );
    if asked.key {
        let look = PageOptions {
            large: asked.large,
            low_ink: asked.low_ink,
            ..PageOptions::on(super::size(asked.paper))
        };
        let key = reference::pages(&card::key(pack, deck), &look, fonts);
        pages.extend(key.into_iter().map(Page::whole));
    }
    let about = format!(
        "{} of {} × {} mm, to be printed at 100 %",
        counted(fronts.len(), "card"),
        size.width,
        size.height
    );
    let sides = if how.backs == imposition::Backs::Duplex { Sides::Both } else { Sides::One };
    let by = pack.by().to_owned();
    let document = Document { title: deck.title.to_string(), about, by, sides, pages };
    let bytes = pdf(&document, fonts).map_err(anyhow::Error::msg)?;
    write_whole(&asked.output, &bytes, asked.force)?;
    Ok(said)
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The millimetres by which the ground runs over the edge.
fn bleed(asked: &Print) -> f64 {
    asked.bleed.unwrap_or(0.0)
}

/// One card as the file itself; several as files of that name with their numbers. The back goes
/// beside several, and beside one if it is asked for.
fn pictures(asked: &Print, kind: Kind, cards: &DrawnCards) -> anyhow::Result<String> {
    let DrawnCards { fronts, back, fonts, .. } = cards;
    let dots = super::dots(asked)?;
    let picture = |card: &Arc<Drawing>| {
        let drawing = imposition::with_bleed(card, bleed(asked))?;
        match kind {
            Kind::Png => png(&drawing, dots, fonts),
            _ => Ok(drawing.svg_file().into_bytes()),
        }
    };
    let made = |card| picture(card).map_err(|error: RenderError| anyhow!(error.to_string()));
    let separate_back = asked.backs == Some(Backs::Separate)
        || (fronts.len() > 1 && asked.backs != Some(Backs::None));
    super::check_several(asked, fronts.len() + usize::from(separate_back))?;
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    match fronts.as_slice() {
        [(_, front)] if asked.backs != Some(Backs::Separate) => {
            write_whole(&asked.output, &made(front)?, asked.force)?;
            return Ok(format!("{}: 1 card\n", asked.output.display()));
        }
        [(_, front)] => files.push((asked.output.clone(), made(front)?)),
        several => {
            for (number, front) in several {
                files.push((beside(&asked.output, &format!("{number:03}")), made(front)?));
            }
        }
    }
    if asked.backs != Some(Backs::None) {
        files.push((beside(&asked.output, "back"), made(back)?));
    }
    write_several(&files, asked.force)?;
    let (first, last) = (&files[0].0, files.last().map_or(&files[0].0, |(path, _)| path));
    Ok(format!("{} … {}: {}\n", first.display(), last.display(), counted(files.len(), "picture")))
}
