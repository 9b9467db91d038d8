//! The build file of a module: the parts that VASSAL makes of it, named by their classes. XML is written by hand because there
//! is little of it and every text must be escaped as its place asks.

use std::fmt::Write;

/// An element with its attributes and what is in it.
pub(super) struct Element {
    class: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Child>,
}

enum Child {
    Element(Element),
    Text(String),
}

impl Element {
    /// A part of a class.
    pub(super) fn new(class: &'static str) -> Element {
        Element { class, attributes: Vec::new(), children: Vec::new() }
    }

    /// With an attribute.
    pub(super) fn attribute(mut self, name: &'static str, value: impl ToString) -> Element {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// With another part in it.
    pub(super) fn child(mut self, part: Element) -> Element {
        self.children.push(Child::Element(part));
        self
    }

    /// With several parts in it.
    pub(super) fn children(mut self, parts: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(parts.into_iter().map(Child::Element));
        self
    }

    /// With a text in it.
    pub(super) fn text(mut self, text: impl Into<String>) -> Element {
        self.children.push(Child::Text(text.into()));
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
        if self.children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push('>');
        // Space around a text would belong to it.
        let text = self.children.iter().any(|children| matches!(children, Child::Text(_)));
        if !text {
            out.push('\n');
        }
        for children in &self.children {
            match children {
                Child::Element(part) => part.write(out, depth + 1),
                Child::Text(text) => out.push_str(&escaped(text, false)),
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
