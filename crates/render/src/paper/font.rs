//! The fonts on paper, and text measurement. Noto Sans is for reading, DejaVu Serif Condensed for
//! heads and ranks, and DejaVu Sans for symbols that both lack. They are bundled, so that a sheet
//! is the same on every system. A letter that none of them has (a name in Japanese, for example) is
//! looked for in the system's fonts.

use crate::draw::Style;
use krilla::text::Font;
use resvg::usvg::fontdb::{Database, ID};
use rustybuzz::{Face, UnicodeBuffer};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The bundled font families, as SVG names them: sans serif, serif, symbols.
pub(super) const FAMILIES: [&str; 3] = ["Noto Sans", "DejaVu Serif Condensed", "DejaVu Sans"];

/// The bundled fonts: each family regular, bold, italic and bold italic; then two for symbols.
const BUNDLED: [fn() -> &'static [u8]; 10] = [
    || notosans::REGULAR_TTF,
    || notosans::BOLD_TTF,
    || notosans::ITALIC_TTF,
    || notosans::BOLD_ITALIC_TTF,
    dejavu::serif_condensed::regular,
    dejavu::serif_condensed::bold,
    dejavu::serif_condensed::italic,
    dejavu::serif_condensed::bold_italic,
    dejavu::sans::regular,
    dejavu::sans::bold,
];

/// A piece of a text in one font.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The index of the font.
    pub(super) font: usize,
    pub words: String,
    /// The width at size 1.
    pub wide: f64,
}

/// The fonts, and a cache of measurements.
pub struct Fonts {
    use_system_fonts: bool,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    fonts: Vec<LoadedFont>,
    /// The system's fonts, loaded when one is first needed, and which of them are in `fonts`.
    system: Option<Database>,
    loaded: HashMap<ID, usize>,
    /// Which font has a letter.
    has: HashMap<(Style, char), Option<usize>>,
    runs: HashMap<(Style, String), Arc<Vec<Run>>>,
}

struct LoadedFont {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    index: u32,
    pdf: Font,
}

impl LoadedFont {
    fn new(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>, index: u32) -> Option<LoadedFont> {
        let pdf = Font::new(bytes.clone().into(), index)?;
        Some(LoadedFont { bytes, index, pdf })
    }

    fn face(&self) -> Option<Face<'_>> {
        Face::from_slice((*self.bytes).as_ref(), self.index)
    }

    fn wide(&self, words: &str) -> f64 {
        let Some(face) = self.face() else { return 0.0 };
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(words);
        buffer.guess_segment_properties();
        let units: i64 = rustybuzz::shape(&face, &[], buffer)
            .glyph_positions()
            .iter()
            .map(|glyph| i64::from(glyph.x_advance))
            .sum();
        units as f64 / f64::from(face.units_per_em())
    }
}

impl Default for Fonts {
    fn default() -> Fonts {
        Fonts::new()
    }
}

impl Fonts {
    /// The bundled fonts, and the system's fonts for letters that they lack.
    pub fn new() -> Fonts {
        Fonts { use_system_fonts: true, ..Fonts::bundled() }
    }

    /// Only the bundled fonts.
    pub fn bundled() -> Fonts {
        let fonts =
            BUNDLED.iter().filter_map(|bytes| LoadedFont::new(Arc::new(bytes()), 0)).collect();
        Fonts { use_system_fonts: false, state: RefCell::new(State { fonts, ..State::default() }) }
    }

    /// The width of a text, in the unit of its size.
    ///
    /// ```
    /// use adjutant_render::{draw::Style, paper::Fonts};
    /// let fonts = Fonts::bundled();
    /// assert!(fonts.width("Fire", 3.0, Style::BOLD) > fonts.width("Fire", 3.0, Style::PLAIN));
    /// ```
    pub fn width(&self, words: &str, size: f64, style: Style) -> f64 {
        self.runs(words, style).iter().map(|run| run.wide).sum::<f64>() * size
    }

    /// The letters of a text that no font has.
    pub fn lacking(&self, words: &str) -> Vec<char> {
        let letters: BTreeSet<char> = words
            .chars()
            .filter(|letter| !letter.is_whitespace() && !letter.is_control())
            .collect();
        letters
            .into_iter()
            .filter(|letter| self.font_with(Style::PLAIN, *letter).is_none())
            .collect()
    }

    /// A text split into pieces, each in one font.
    pub(super) fn runs(&self, words: &str, style: Style) -> Arc<Vec<Run>> {
        let key = (style, words.to_owned());
        if let Some(known) = self.state.borrow().runs.get(&key) {
            return known.clone();
        }
        let mut pieces: Vec<(usize, String)> = Vec::new();
        for letter in words.chars() {
            let blank = letter.is_whitespace() || letter.is_control();
            // A letter that no font has is drawn by the first font, as an empty box: better visible
            // than lost.
            let font = self.font_with(style, letter).unwrap_or(first(style));
            match pieces.last_mut() {
                Some((last, piece)) if *last == font || blank => piece.push(letter),
                _ => pieces.push((font, letter.to_string())),
            }
        }
        let mut state = self.state.borrow_mut();
        let run = |(font, words): (usize, String)| Run {
            font,
            wide: state.fonts[font].wide(&words),
            words,
        };
        let runs = Arc::new(pieces.into_iter().map(run).collect::<Vec<_>>());
        state.runs.insert(key, runs.clone());
        runs
    }

    /// The font for embedding in a PDF.
    pub(super) fn embedded(&self, font: usize) -> Font {
        self.state.borrow().fonts[font].pdf.clone()
    }

    /// All loaded fonts, for a program that chooses among them itself.
    pub(super) fn database(&self) -> Database {
        let mut database = Database::new();
        for letters in &self.state.borrow().fonts {
            database.load_font_source(resvg::usvg::fontdb::Source::Binary(letters.bytes.clone()));
        }
        database.set_sans_serif_family(FAMILIES[0]);
        database.set_serif_family(FAMILIES[1]);
        database
    }

    fn font_with(&self, style: Style, letter: char) -> Option<usize> {
        if let Some(known) = self.state.borrow().has.get(&(style, letter)) {
            return *known;
        }
        let mut state = self.state.borrow_mut();
        let bold = usize::from(style.bold);
        let own = [first(style), first(Style { serif: false, ..style }), 8 + bold];
        let found = own
            .into_iter()
            .chain(BUNDLED.len()..state.fonts.len())
            .find(|font| {
                state.fonts[*font].face().is_some_and(|face| face.glyph_index(letter).is_some())
            })
            .or_else(|| if self.use_system_fonts { state.find_system_font(letter) } else { None });
        state.has.insert((style, letter), found);
        found
    }
}

/// The preferred font for a style.
fn first(style: Style) -> usize {
    usize::from(style.bold) + 2 * usize::from(style.italic) + 4 * usize::from(style.serif)
}

impl State {
    /// A system font that has a letter: preferably upright and of normal weight, and the first by
    /// name, so that the choice is stable.
    fn find_system_font(&mut self, letter: char) -> Option<usize> {
        let database = self.system.get_or_insert_with(|| {
            let mut database = Database::new();
            database.load_system_fonts();
            database
        });
        let mut faces: Vec<_> = database.faces().collect();
        faces.sort_by_key(|face| {
            (
                face.style != Default::default(),
                face.weight.0.abs_diff(400),
                face.post_script_name.clone(),
            )
        });
        let has = |bytes: &[u8], index| {
            Face::from_slice(bytes, index).is_some_and(|face| face.glyph_index(letter).is_some())
        };
        let id = faces
            .iter()
            .map(|face| face.id)
            .find(|id| database.with_face_data(*id, has) == Some(true))?;
        if let Some(font) = self.loaded.get(&id) {
            return Some(*font);
        }
        let (bytes, index) = database.with_face_data(id, |bytes, index| (bytes.to_vec(), index))?;
        self.fonts.push(LoadedFont::new(Arc::new(bytes), index)?);
        self.loaded.insert(id, self.fonts.len() - 1);
        Some(self.fonts.len() - 1)
    }
}
