//! Drawings as SVG. Inside a page the size is given only by the view box, so that the page decides;
//! as a file it is also given in millimetres. All text is escaped.

use super::{Anchor, Drawing, Ink, Mark, Size, Style};
use std::fmt::Write;

impl Drawing {
    /// SVG for use inside a page, which decides its size.
    pub fn svg(&self) -> String {
        self.written("class=\"card-face\" ")
    }

    /// An SVG file in its true size.
    pub fn svg_file(&self) -> String {
        self.written(&format!("width=\"{}mm\" height=\"{}mm\" ", self.size.width, self.size.height))
    }

    fn written(&self, more: &str) -> String {
        let Size { width, height } = self.size;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {more}viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
            escaped(&self.says)
        );
        for mark in &self.marks {
            draw(&mut svg, mark);
        }
        svg + "</svg>"
    }
}

/// An ink as an SVG colour.
struct Colour(Ink);

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue] = self.0.colour();
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

fn draw(svg: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Box { at, size, round, fill, edge } => {
            let fill = fill.map_or("none".to_owned(), |ink| Colour(ink).to_string());
            let edge = edge.map_or(String::new(), |(wide, ink)| {
                format!(" stroke=\"{}\" stroke-width=\"{wide}\"", Colour(ink))
            });
            write!(
                svg,
                "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" rx=\"{round:.2}\" fill=\"{fill}\"{edge}/>",
                at.0, at.1, size.0, size.1
            )
        }
        Mark::Line { from, to, wide, ink } => write!(
            svg,
            "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{}\" stroke-width=\"{wide}\"/>",
            from.0,
            from.1,
            to.0,
            to.1,
            Colour(*ink)
        ),
        Mark::Disc { at, radius, ink } => {
            write!(
                svg,
                "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" fill=\"{}\"/>",
                at.0,
                at.1,
                Colour(*ink)
            )
        }
        Mark::Shape { path, at, side, ink } => write!(
            svg,
            "<path d=\"{path}\" fill=\"{}\" transform=\"translate({:.2} {:.2}) scale({:.4})\"/>",
            Colour(*ink),
            at.0,
            at.1,
            side / 100.0
        ),
        Mark::Outline { path, at, side, wide, ink } => write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2}\" transform=\"translate({:.2} {:.2}) scale({:.4})\"/>",
            Colour(*ink),
            wide * 100.0 / side,
            at.0,
            at.1,
            side / 100.0
        ),
        Mark::Text { at, size, anchor, style, ink, words } => write!(
            svg,
            "<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"{size:.2}\"{} text-anchor=\"{}\" fill=\"{}\">{}</text>",
            at.0,
            at.1,
            letters(*style),
            anchored(*anchor),
            Colour(*ink),
            escaped(words)
        ),
        Mark::Tag(_) => Ok(()),
        Mark::Inset { at, turned, drawing } => {
            let Size { width, height } = drawing.size;
            let turn = if *turned {
                format!(" rotate(180 {:.2} {:.2})", width / 2.0, height / 2.0)
            } else {
                String::new()
            };
            let _ = write!(svg, "<g transform=\"translate({:.2} {:.2}){turn}\">", at.0, at.1);
            drawing.marks.iter().for_each(|mark| draw(svg, mark));
            write!(svg, "</g>")
        }
    };
}

fn anchored(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

fn letters(style: Style) -> String {
    let family = match style.serif {
        true => "Georgia, 'DejaVu Serif', serif",
        false => "'Noto Sans', 'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif",
    };
    let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
    let slant = if style.italic { " font-style=\"italic\"" } else { "" };
    format!(" font-family=\"{family}\"{weight}{slant}")
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
