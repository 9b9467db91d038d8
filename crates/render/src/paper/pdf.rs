//! Drawings as pages of a PDF. Text is drawn as text, so that it can be selected, searched and read
//! aloud in its order; nothing is a bitmap. There is no date, so the same pages give the same bytes.

use super::Fonts;
use super::structure::Structure;
use super::viewer::{Sides, with_preferences};
use crate::RenderError;
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Tag};
use krilla::color::{luma, rgb};
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use krilla::text::TextDirection;
use svgtypes::{SimplePathSegment, SimplifyingPathParser};

/// Points per millimetre.
const POINTS: f64 = 72.0 / 25.4;
/// The distance of a Bézier handle for a quarter circle.
const QUARTER: f64 = 0.552_284_75;

/// The content and metadata of a PDF.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    pub title: String,
    /// The description in the metadata.
    pub about: String,
    /// Its author, if known.
    pub by: String,
    pub sides: Sides,
    pub pages: Vec<Page>,
}

/// A page of a PDF.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// What is on it. Its size is the size of the paper.
    pub drawing: Drawing,
    /// The trim box: upper left corner and size. The whole paper by default.
    pub trim: Option<((f64, f64), Size)>,
    /// The bleed in millimetres.
    pub bleed: f64,
}

impl Page {
    /// A page that is not cut.
    pub fn whole(drawing: Drawing) -> Page {
        Page { drawing, trim: None, bleed: 0.0 }
    }
}

/// The bytes of a PDF.
///
/// ```
/// use adjutant_render::draw::{Drawing, Size};
/// use adjutant_render::paper::{Document, Fonts, Page, pdf};
/// let page = Page::whole(Drawing { size: Size { width: 210.0, height: 297.0 }, says: "An empty page".into(), marks: vec![] });
/// let bytes = pdf(&Document { title: "Nothing".into(), pages: vec![page], ..Document::default() }, &Fonts::bundled()).unwrap();
/// assert!(bytes.starts_with(b"%PDF-"));
/// ```
pub fn pdf(document: &Document, fonts: &Fonts) -> Result<Vec<u8>, RenderError> {
    let mut made = krilla::Document::new();
    let creator = format!("Adjutant {}", env!("CARGO_PKG_VERSION"));
    made.set_metadata(
        Metadata::new()
            .title(document.title.clone())
            .description(document.about.clone())
            .language("en".into())
            .authors(Some(document.by.clone()).filter(|by| !by.is_empty()).into_iter().collect())
            .creator(creator),
    );
    let mut structure = Structure::default();
    for (number, page) in document.pages.iter().enumerate() {
        let size = page.drawing.size;
        let settings = PageSettings::from_wh(points(size.width), points(size.height))
            .ok_or(RenderError::PageSize { size })?;
        let boxed = |(at, size): ((f64, f64), Size), more: f64| {
            Rect::from_xywh(
                points(at.0 - more),
                points(at.1 - more),
                points(size.width + 2.0 * more),
                points(size.height + 2.0 * more),
            )
        };
        let trim = page.trim.unwrap_or(((0.0, 0.0), size));
        let settings =
            settings.with_trim_box(boxed(trim, 0.0)).with_bleed_box(boxed(trim, page.bleed));
        let mut paper = made.start_page_with(settings);
        let mut surface = paper.surface();
        if !has_sections(&page.drawing) && document.pages.len() > 1 {
            structure.part();
            structure.page_bookmark(&page.drawing.says, number);
        }
        let mut writer = Writer {
            surface: &mut surface,
            structure: &mut structure,
            fonts,
            page: number,
            corner: (0.0, 0.0),
        };
        writer.draw_all(&page.drawing);
        surface.finish();
        paper.finish();
    }
    let (tree, outline) = structure.finish();
    made.set_tag_tree(tree);
    made.set_outline(outline);
    let bytes = made.finish().map_err(|fault| RenderError::Pdf(format!("{fault:?}")))?;
    with_preferences(bytes, document.sides)
}

/// Whether a page has bookmarks of its own.
fn has_sections(drawing: &Drawing) -> bool {
    drawing.marks.iter().any(|mark| matches!(mark, Mark::Tag(Tag::Section(_) | Tag::Repeated)))
}

/// Draws marks, and tells the structure about each text.
struct Writer<'w, 's> {
    surface: &'w mut Surface<'s>,
    structure: &'w mut Structure,
    fonts: &'w Fonts,
    page: usize,
    /// The corner of the drawing on the page.
    corner: (f64, f64),
}

fn points(millimetres: f64) -> f32 {
    (millimetres * POINTS) as f32
}

/// Text and shades are black ink alone: no printer mixes them of colours.
fn fill(ink: Ink) -> Fill {
    let paint = match ink {
        Ink::Black => luma::Color::black().into(),
        Ink::Shade(shade) => luma::Color::new(shade).into(),
        ink => {
            let [red, green, blue] = ink.colour();
            rgb::Color::new(red, green, blue).into()
        }
    };
    Fill { paint, ..Fill::default() }
}

fn stroke(wide: f64, ink: Ink) -> Stroke {
    Stroke { paint: fill(ink).paint, width: points(wide), ..Stroke::default() }
}

impl Writer<'_, '_> {
    fn draw_all(&mut self, drawing: &Drawing) {
        for mark in &drawing.marks {
            self.draw(mark);
        }
    }

    /// A shape is decoration: what it says is also said in words.
    fn shape(&mut self, path: Option<Path>, fill: Option<Fill>, stroke: Option<Stroke>) {
        if let Some(path) = path.filter(|_| fill.is_some() || stroke.is_some()) {
            let layout = Artifact::with_kind(ArtifactType::Layout);
            self.surface.start_tagged(ContentTag::Artifact(layout));
            self.surface.set_fill(fill);
            self.surface.set_stroke(stroke);
            self.surface.draw_path(&path);
            self.surface.end_tagged();
        }
    }

    fn draw(&mut self, mark: &Mark) {
        match mark {
            Mark::Tag(tag) => self.structure.tag(tag),
            Mark::Box { at, size, round, fill: inside, edge } => {
                let path = rounded(*at, *size, *round);
                self.shape(path, inside.map(fill), edge.map(|(wide, ink)| stroke(wide, ink)));
            }
            Mark::Line { from, to, wide, ink } => {
                let mut path = PathBuilder::new();
                path.move_to(points(from.0), points(from.1));
                path.line_to(points(to.0), points(to.1));
                self.shape(path.finish(), None, Some(stroke(*wide, *ink)));
            }
            Mark::Disc { at, radius, ink } => {
                let corner = (at.0 - radius, at.1 - radius);
                let path = rounded(corner, (radius * 2.0, radius * 2.0), *radius);
                self.shape(path, Some(fill(*ink)), None);
            }
            Mark::Shape { path, at, side, ink } => {
                self.shape(traced(path, *at, side / 100.0), Some(fill(*ink)), None);
            }
            Mark::Outline { path, at, side, wide, ink } => {
                self.shape(traced(path, *at, side / 100.0), None, Some(stroke(*wide, *ink)));
            }
            Mark::Text { .. } => self.text(mark),
            Mark::Inset { at, turned, drawing } => self.inset(*at, *turned, drawing),
        }
    }

    fn text(&mut self, mark: &Mark) {
        let Mark::Text { at, size, anchor, style, ink, words } = mark else { return };
        let runs = self.fonts.runs(words, *style);
        let wide = runs.iter().map(|run| run.wide).sum::<f64>() * size;
        let mut x = match anchor {
            Anchor::Start => at.0,
            Anchor::Middle => at.0 - wide / 2.0,
            Anchor::End => at.0 - wide,
        };
        if self.structure.is_repeated() {
            let other = Artifact::with_kind(ArtifactType::PaginationOther);
            self.surface.start_tagged(ContentTag::Artifact(other));
        } else {
            let id = self.surface.start_tagged(ContentTag::Span(SpanTag::empty()));
            let corner = (points(self.corner.0 + x), points(self.corner.1 + at.1 - size));
            self.structure.text(id, self.page, Point::from_xy(corner.0, corner.1));
        }
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(fill(*ink)));
        for run in runs.iter() {
            let start = Point::from_xy(points(x), points(at.1));
            self.surface.draw_text(
                start,
                self.fonts.embedded(run.font),
                points(*size),
                &run.words,
                false,
                TextDirection::Auto,
            );
            x += run.wide * size;
        }
        self.surface.end_tagged();
    }

    /// A drawing of its own: a card. Its texts are one paragraph.
    fn inset(&mut self, at: (f64, f64), turned: bool, drawing: &Drawing) {
        let Size { width, height } = drawing.size;
        let by = match turned {
            false => Transform::from_translate(points(at.0), points(at.1)),
            true => Transform::from_row(
                -1.0,
                0.0,
                0.0,
                -1.0,
                points(at.0 + width),
                points(at.1 + height),
            ),
        };
        self.structure.part();
        self.surface.push_transform(&by);
        let before = self.corner;
        self.corner = (before.0 + at.0, before.1 + at.1);
        self.draw_all(drawing);
        self.corner = before;
        self.surface.pop();
        self.structure.part();
    }
}

/// A rectangle with round corners.
fn rounded(at: (f64, f64), size: (f64, f64), round: f64) -> Option<Path> {
    let r = round.min(size.0 / 2.0).min(size.1 / 2.0).max(0.0);
    let (left, top, right, bottom) = (at.0, at.1, at.0 + size.0, at.1 + size.1);
    let mut path = PathBuilder::new();
    if r == 0.0 {
        path.push_rect(Rect::from_ltrb(points(left), points(top), points(right), points(bottom))?);
        return path.finish();
    }
    let off = r * (1.0 - QUARTER);
    path.move_to(points(left + r), points(top));
    for (corner, handles) in [
        ([(right - r, top), (right, top + r)], [(right - off, top), (right, top + off)]),
        (
            [(right, bottom - r), (right - r, bottom)],
            [(right, bottom - off), (right - off, bottom)],
        ),
        ([(left + r, bottom), (left, bottom - r)], [(left + off, bottom), (left, bottom - off)]),
        ([(left, top + r), (left + r, top)], [(left, top + off), (left + off, top)]),
    ] {
        path.line_to(points(corner[0].0), points(corner[0].1));
        let [a, b] = handles;
        path.cubic_to(
            points(a.0),
            points(a.1),
            points(b.0),
            points(b.1),
            points(corner[1].0),
            points(corner[1].1),
        );
    }
    path.close();
    path.finish()
}

/// An SVG path, moved and scaled.
fn traced(path: &str, at: (f64, f64), by: f64) -> Option<Path> {
    let x = |x: f64| points(at.0 + x * by);
    let y = |y: f64| points(at.1 + y * by);
    let mut made = PathBuilder::new();
    for segment in SimplifyingPathParser::from(path) {
        match segment.ok()? {
            SimplePathSegment::MoveTo { x: a, y: b } => made.move_to(x(a), y(b)),
            SimplePathSegment::LineTo { x: a, y: b } => made.line_to(x(a), y(b)),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x: a, y: b } => {
                made.cubic_to(x(x1), y(y1), x(x2), y(y2), x(a), y(b))
            }
            SimplePathSegment::Quadratic { x1, y1, x: a, y: b } => {
                made.quad_to(x(x1), y(y1), x(a), y(b))
            }
            SimplePathSegment::ClosePath => made.close(),
        }
    }
    made.finish()
}
