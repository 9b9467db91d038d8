//! The build file of a module: the parts that VASSAL makes of it, named by their classes. XML is written by hand because there
//! is little of it and every text must be escaped as its place asks.

use std::fmt::Write;

/// An element with its attributes and what is in it.
pub(super) struct Part {
    class: &'static str,
    attributes: Vec<(&'static str, String)>,
    inner: Vec<Inner>,
}

enum Inner {
    Part(Part),
    Text(String),
}

impl Part {
    /// A part of a class.
    pub(super) fn new(class: &'static str) -> Part {
        Part { class, attributes: Vec::new(), inner: Vec::new() }
    }

    /// With an attribute.
    pub(super) fn with(mut self, name: &'static str, value: impl ToString) -> Part {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// With another part in it.
    pub(super) fn holding(mut self, part: Part) -> Part {
        self.inner.push(Inner::Part(part));
        self
    }

    /// With several parts in it.
    pub(super) fn holding_all(mut self, parts: impl IntoIterator<Item = Part>) -> Part {
        self.inner.extend(parts.into_iter().map(Inner::Part));
        self
    }

    /// With a text in it.
    pub(super) fn saying(mut self, text: impl Into<String>) -> Part {
        self.inner.push(Inner::Text(text.into()));
        self
    }

    /// As a file.
    pub(super) fn file(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        let margin = "  ".repeat(depth);
        let _ = write!(out, "{margin}<{}", self.class);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{}\"", escaped(value, true));
        }
        if self.inner.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push('>');
        // Space around a text would belong to it.
        let text = self.inner.iter().any(|inner| matches!(inner, Inner::Text(_)));
        if !text {
            out.push('\n');
        }
        for inner in &self.inner {
            match inner {
                Inner::Part(part) => part.write(out, depth + 1),
                Inner::Text(text) => out.push_str(&escaped(text, false)),
            }
        }
        let _ = writeln!(out, "{}</{}>", if text { "" } else { &margin }, self.class);
    }
}

/// A text as XML holds it; what XML cannot hold is left out. A reader takes line ends and tabs in attributes for spaces, so they
/// are written by number there.
fn escaped(text: &str, attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if attribute => out.push_str("&quot;"),
            '\n' | '\t' if attribute => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
