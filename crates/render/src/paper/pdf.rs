//! Drawings as pages of a PDF. Text is drawn as text, so that it can be selected, searched and read
//! aloud; nothing is a bitmap. There is no date, so the same pages give the same bytes.

use super::Fonts;
use crate::RenderError;
use crate::draw::{Anchor, Drawing, Ink, Mark, Size};
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
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
            .creator(creator),
    );
    for page in &document.pages {
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
        draw_all(&mut surface, &page.drawing, fonts);
        surface.finish();
        paper.finish();
    }
    made.finish().map_err(|fault| RenderError::Pdf(format!("{fault:?}")))
}

fn points(millimetres: f64) -> f32 {
    (millimetres * POINTS) as f32
}

fn fill(ink: Ink) -> Fill {
    let [red, green, blue] = ink.colour();
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}

fn stroke(wide: f64, ink: Ink) -> Stroke {
    Stroke { paint: fill(ink).paint, width: points(wide), ..Stroke::default() }
}

fn draw_all(surface: &mut Surface<'_>, drawing: &Drawing, fonts: &Fonts) {
    for mark in &drawing.marks {
        draw(surface, mark, fonts);
    }
}

fn shape(
    surface: &mut Surface<'_>,
    path: Option<Path>,
    fill: Option<Fill>,
    stroke: Option<Stroke>,
) {
    if let Some(path) = path.filter(|_| fill.is_some() || stroke.is_some()) {
        surface.set_fill(fill);
        surface.set_stroke(stroke);
        surface.draw_path(&path);
    }
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) {
    match mark {
        Mark::Box { at, size, round, fill: inside, edge } => {
            let path = rounded(*at, *size, *round);
            shape(surface, path, inside.map(fill), edge.map(|(wide, ink)| stroke(wide, ink)));
        }
        Mark::Line { from, to, wide, ink } => {
            let mut path = PathBuilder::new();
            path.move_to(points(from.0), points(from.1));
            path.line_to(points(to.0), points(to.1));
            shape(surface, path.finish(), None, Some(stroke(*wide, *ink)));
        }
        Mark::Disc { at, radius, ink } => {
            let corner = (at.0 - radius, at.1 - radius);
            shape(
                surface,
                rounded(corner, (radius * 2.0, radius * 2.0), *radius),
                Some(fill(*ink)),
                None,
            );
        }
        Mark::Shape { path, at, side, ink } => {
            shape(surface, traced(path, *at, side / 100.0), Some(fill(*ink)), None)
        }
        Mark::Outline { path, at, side, wide, ink } => {
            shape(surface, traced(path, *at, side / 100.0), None, Some(stroke(*wide, *ink)));
        }
        Mark::Text { at, size, anchor, style, ink, words } => {
            let runs = fonts.runs(words, *style);
            let wide = runs.iter().map(|run| run.wide).sum::<f64>() * size;
            let mut x = match anchor {
                Anchor::Start => at.0,
                Anchor::Middle => at.0 - wide / 2.0,
                Anchor::End => at.0 - wide,
            };
            surface.set_stroke(None);
            surface.set_fill(Some(fill(*ink)));
            for run in runs.iter() {
                let start = Point::from_xy(points(x), points(at.1));
                surface.draw_text(
                    start,
                    fonts.embedded(run.font),
                    points(*size),
                    &run.words,
                    false,
                    TextDirection::Auto,
                );
                x += run.wide * size;
            }
        }
        Mark::Inset { at, turned, drawing } => {
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
            surface.push_transform(&by);
            draw_all(surface, drawing, fonts);
            surface.pop();
        }
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
